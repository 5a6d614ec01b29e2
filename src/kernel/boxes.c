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

#include "kernel/boxes.h"

#include <math.h>

#include "base/fpguard.h"

void kernel_list_box(
  const vouch_geometry_t * g, const uint32_t * list, uint32_t count, vec3_t * low, vec3_t * high)
{
  vec3_t a = vec3(INFINITY, INFINITY, INFINITY), b = vec3_neg(a);
  for (uint32_t i = 0; i < count; i++) {
    vec3_t p = vec3_from(g->vertices[list[i]]), r = vec3(0.0, 0.0, 0.0);
    const double * x = vouch_geometry_round(g, list[i]);
    if (x != NULL) {
      r = vec3(
        vec3_norm(vec3(x[0], x[3], x[6])), vec3_norm(vec3(x[1], x[4], x[7])),
        vec3_norm(vec3(x[2], x[5], x[8])));
    }
    a = vec3(fmin(a.x, p.x - r.x), fmin(a.y, p.y - r.y), fmin(a.z, p.z - r.z));
    b = vec3(fmax(b.x, p.x + r.x), fmax(b.y, p.y + r.y), fmax(b.z, p.z + r.z));
  }
  *low = a;
  *high = b;
}

void kernel_set_box(kernel_node_t * node, vec3_t low, vec3_t high, double carry)
{
  const double lo[3] = {low.x, low.y, low.z}, hi[3] = {high.x, high.y, high.z};
  for (int i = 0; i < 3; i++) {
    double widen = carry + 1e-6 * (fabs(lo[i]) + fabs(hi[i]));
    node->low[i] = (float)(lo[i] - widen);
    node->high[i] = (float)(hi[i] + widen);
  }
}

void kernel_join_boxes(
  kernel_node_t * node, const kernel_node_t * a, const kernel_node_t * b)
{
  for (int i = 0; i < 3; i++) {
    node->low[i] = fmaxf(node->low[i], fminf(a->low[i], b->low[i]));
    node->high[i] = fminf(node->high[i], fmaxf(a->high[i], b->high[i]));
  }
}
