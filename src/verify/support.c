// Copyright 2026 The vouch authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

/* Support functions: how far a part reaches in a direction. */
#include "internal.h"

/* [V-LIST] Requires: size >= |m| for all vectors m in m; the list is one of g's.
 * Ensures:  at least m.x + size*carry for all points x of the list and all vectors m in m.
 * Why:      with the middle c of m, m.x <= c.x + reach * sum of widths; four products and three
 *           sums err by less than 5u times the sum of magnitudes, and by 2^-1000 in underflow. */
static double list_support(
  const vv_geometry * g, const vv_ball * p, uint32_t count, vv_vec m, double size)
{
  double c[3], even = -INFINITY, odd = -INFINITY, width = 0.0, sum = size;
  for (int i = 0; i < 3; i++) {
    c[i] = 0.5 * (m.x[i].lo + m.x[i].hi);
    width = vv_up(width + vv_up(m.x[i].hi - m.x[i].lo));
    sum = vv_up(sum + vv_mag(m.x[i]));
  }
  for (uint32_t i = 0; i < count; i += 2) {
    const vv_ball * q = &p[i], * o = &p[i + 1 < count ? i + 1 : i];
    even = vv_max(even, c[0] * q->v[0] + c[1] * q->v[1] + c[2] * q->v[2] + size * q->carry);
    odd = vv_max(odd, c[0] * o->v[0] + c[1] * o->v[1] + c[2] * o->v[2] + size * o->carry);
  }
  const double slack = vv_up(vv_up(width + vv_up(sum * 0x1p-50)) * g->reach);
  return vv_up(vv_max(even, odd) + vv_up(slack + 0x1p-1000));
}

/* [V-PRIMITIVE] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the primitive, radius included.
 * Why:      in the primitive's own frame a cylinder reaches r|d_xy| + h|d_z|, a cone to its tip
 *           h d_z or its rim r|d_xy| - h d_z, an ellipsoid |(r_i d_i)|. */
static double primitive_support(
  const vv_geometry * g, const vv_primitive * p, vv_vec m, double size)
{
  if (p->kind < VV_CYLINDER) {return list_support(g, p->list, p->count, m, size);}
  const vv_vec d = vv_turn_back(&p->pose, m), flat = {{d.x[0], d.x[1], {0.0, 0.0}}};
  const vv_iv z = vv_scale(d.x[2], p->size[1]);
  const double round = vv_up(p->size[0] * vv_length(flat));
  double far = p->kind == VV_CONE ? vv_max(z.hi, vv_up(round - z.lo)) : vv_up(round + vv_mag(z));
  if (p->kind == VV_ELLIPSOID) {
    vv_vec scaled;
    for (int i = 0; i < 3; i++) {
      scaled.x[i] = vv_scale(d.x[i], p->size[i]);
    }
    far = vv_length(scaled);
  }
  return vv_up(vv_up(far + vv_dot(m, p->pose.t).hi) + vv_up(size * p->radius));
}

/* [V-SUPPORT] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the part and all vectors m in m. */
double vv_support(const vv_geometry * g, uint32_t part, vv_vec m, double size)
{
  const bool component = part >= g->node_count;
  const vv_node * n = &g->nodes[component ? 0 : part];
  if (!component && !n->curved) {return list_support(g, n->list, n->list_count, m, size);}
  double far = -INFINITY;
  for (uint32_t i = n->first; i < n->first + n->count; i++) {
    const vv_primitive * p = &g->primitives[i];
    if (component && p->component != part - g->node_count) {continue;}
    far = vv_max(far, primitive_support(g, p, m, size));
  }
  return far;
}
