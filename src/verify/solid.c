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

/* Solids and open surfaces (L8): at a start, nothing of one body is inside the other. */
#include "internal.h"

/* [V-DET] Ensures: the sign of the determinant a.(b x c), 0 if undecided. */
int vv_det(vv_vec a, vv_vec b, vv_vec c) {return vv_sign(vv_dot(a, vv_cross(b, c)));}

/* [V-CROSSINGS] Ensures: the sum of the signed crossings of the ray from p along d with the
 * triangles of the component, or VV_UNDECIDED.
 * Why:      a triangle wholly behind p is not met. Else, with its corners e seen from p,
 *           d.(e_i x e_j) is the side on which the line passes an edge: two different sides are a
 *           miss, three equal ones a crossing of that sign, in front of p if det(e) has it too. */
static int64_t crossings(const vv_geometry * g, uint32_t component, vv_vec p, vv_vec d)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    if (g->primitives[i].component != component) {continue;}
    int behind = 0, plus = 0, minus = 0;
    vv_vec e[3];
    for (int j = 0; j < 3; j++) {
      e[j] = vv_minus(vv_vector(g->primitives[i].list[j].v), p);
      behind += vv_sign(vv_dot(d, e[j])) < 0;
    }
    for (int j = 0; behind < 3 && j < 3; j++) {
      const int side = vv_det(d, e[j], e[(j + 1) % 3]);
      plus += side > 0;
      minus += side < 0;
    }
    if (behind == 3 || (plus > 0 && minus > 0)) {continue;}
    const int front = vv_det(e[0], e[1], e[2]);
    if (plus + minus < 3 || front == 0) {return VV_UNDECIDED;}
    sum += front == (plus > 0 ? 1 : -1) ? front : 0;
  }
  return sum;
}

/* [V-WINDING] Requires: the path is set for a and the goal's body; the goal's parts are
 * components, that of a (in_a) or that of b a solid.
 * Ensures:  how often the solid is around the reference point of the other component at that
 *           time (its first vertex, or its pose's origin), shown by the ray; or VV_UNDECIDED. */
int64_t vv_winding(
  const vv_verifier * v, const vv_goal * goal, vv_time at, bool in_a, const double ray[3])
{
  const vv_pose frames = vv_relative(v, at), * b = &v->bodies[goal->body].placement;
  const vv_pose a_in_b = vv_compose(&frames, &v->a->placement);
  const vv_pose back = vv_inverse(in_a ? &a_in_b : b);
  const vv_pose pose = vv_compose(&back, in_a ? b : &a_in_b);
  const vv_geometry * g = in_a ? v->a->geometry : goal->geometry;
  const vv_geometry * other = in_a ? goal->geometry : v->a->geometry;
  const uint32_t solid = (in_a ? goal->part_a : goal->part_b) - g->node_count;
  const uint32_t k = (in_a ? goal->part_b : goal->part_a) - other->node_count;
  const vv_primitive * p = other->primitives;
  while (p->component != k) {p++;}
  return crossings(g, solid, vv_apply(&pose, vv_vector(p->list[0].v)), vv_vector(ray));
}

/* [V-OUTSIDE] Requires: as [V-WINDING], at the beginning of the goal's span; or an open component.
 * Ensures:  on true, the next record shows the other component outside the solid (I), or the two
 *           components' hulls apart (H). */
static bool outside(vv_verifier * v, const vv_goal * goal, bool in_a, bool solid)
{
  const vv_time begin = {goal->span.first, 0};
  double n[3];
  const bool owed = vv_number(&v->ops, 1) == (solid ? 'I' : 'H');
  if (!vv_need(v, owed && !v->bad, "an I or H is owed here")) {return false;}
  if (!solid) {
    if (!vv_read_direction(v, n)) {return false;}
    const double gap = vv_gap(v, goal->part_a, n, begin, vv_floor(v, goal, n));
    return vv_need(v, gap > 0.0, "an H does not hold");
  }
  VV_READ(&v->ops, "r", n);
  const bool out = !v->bad && vv_winding(v, goal, begin, in_a, n) == 0;
  return vv_need(v, out, "an I does not show that a component is outside");
}

/* [V-ALL-OUTSIDE] Requires: the goal is two bodies' roots on a span that begins at a start.
 * Ensures:  on true, at the beginning no component of one is inside a solid or open component of
 *           the other. */
bool vv_all_outside(vv_verifier * v, const vv_goal * goal)
{
  const vv_geometry * g[2] = {v->a->geometry, goal->geometry};
  for (int who = 0; who < 2; who++) {
    for (uint32_t c = 0; c < g[who]->component_count; c++) {
      const uint8_t kind = g[who]->component_kinds[c];
      if (kind != VV_SOLID && kind != VV_OPEN) {continue;}
      for (uint32_t k = 0; k < g[1 - who]->component_count; k++) {
        vv_goal parts = *goal;
        parts.part_a = g[0]->node_count + (who == 0 ? c : k);
        parts.part_b = g[1]->node_count + (who == 0 ? k : c);
        if (!outside(v, &parts, who == 0, kind == VV_SOLID)) {return false;}
      }
    }
  }
  return true;
}
