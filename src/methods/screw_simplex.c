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

#include "methods/screw_simplex.h"

#include <math.h>

#include "methods/screw_roots.h"

static void take(root_t root, interval_t * window, double * first)
{
  if (root.answer != ROOT_NONE) {
    *first = root.time.lo;
    window->hi = fmin(window->hi, root.time.lo);
  }
}

/// Simplices meet first where a vertex meets a triangle or an edge an edge. Two points on a line, or a
/// point and an edge, meet by chance only and have no equation of their own: they are not looked for.
double screw_simplices_meet(
  const vouch_screw_t * screw, const screw_simplex_t * moving, const screw_simplex_t * fixed)
{
  screw_frame_t frame;
  screw_frame_init(&frame, screw);
  helix_t helix[3];
  twofold3_t begin[3], rest[3];
  interval_t window = {0.0, 1.0};
  double first = INFINITY;
  uint64_t steps = 0;
  for (int i = 0; i < moving->count; i++) {
    helix[i] = screw_helix(&frame, moving->point[i]);
    begin[i] = screw_begin(&frame, &helix[i]);
  }
  for (int i = 0; i < fixed->count; i++) {
    rest[i] = twofold3_point(fixed->point[i]);
  }
  for (int i = 0; i < moving->count && fixed->count == 3; i++) {
    vertex_face_t pair = {&frame, helix[i], {rest[0], rest[1], rest[2]}, 1.0};
    take(screw_vertex_face(&pair, window, &steps), &window, &first);
  }
  for (int i = 0; i < fixed->count && moving->count == 3; i++) {
    vertex_face_t pair = {
      &frame, screw_helix_fixed(&frame, fixed->point[i]), {begin[0], begin[1], begin[2]}, -1.0
    };
    take(screw_vertex_face(&pair, window, &steps), &window, &first);
  }
  int edges_a = moving->count == 3 ? 3 : moving->count - 1;
  int edges_b = fixed->count == 3 ? 3 : fixed->count - 1;
  for (int i = 0; i < edges_a; i++) {
    for (int j = 0; j < edges_b; j++) {
      edge_edge_t pair = {
        &frame, {helix[i], helix[(i + 1) % moving->count]}, {rest[j], rest[(j + 1) % fixed->count]}
      };
      take(screw_edge_edge(&pair, window, &steps), &window, &first);
    }
  }
  return first;
}
