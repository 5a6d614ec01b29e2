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

#include "search/shape.h"

/* Squared metres: boxes within a micrometre have no direction between them worth a test. */
#define NO_WAY_SQUARE 1e-12

search_shape_t search_shape_a(
  const kernel_proof_t * p, const kernel_goal_t * goal, const rigid_t * relative)
{
  return (search_shape_t) {.geometry = kernel_geometry_a(p), .node = goal->a, .posed = true,
           .pose = *relative};
}

search_shape_t search_shape_b(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  if (goal->body_b == VOUCH_NONE) {
    return (search_shape_t) {.low = kernel_view(p)->scene->group_low[goal->b],
             .high = kernel_view(p)->scene->group_high[goal->b]};
  }
  return (search_shape_t) {.geometry = kernel_geometry_b(p, goal), .node = goal->b,
           .posed = kernel_view(p)->scene->placed[goal->body_b],
           .pose = kernel_view(p)->scene->placements[goal->body_b]};
}

static search_box_t node_box(const vouch_geometry_t * g, uint32_t number, const rigid_t * pose)
{
  const kernel_node_t * node = &kernel_derived(g)->nodes[number];
  return (search_box_t) {.pose = pose,
           .low = vec3((double)node->low[0], (double)node->low[1], (double)node->low[2]),
           .high = vec3((double)node->high[0], (double)node->high[1], (double)node->high[2]),
           .center = pose == NULL ? node->center : rigid_apply(pose, node->center),
           .radius = node->radius};
}

search_box_t search_box_a(
  const kernel_proof_t * p, const kernel_goal_t * goal, const rigid_t * relative)
{
  return node_box(kernel_geometry_a(p), goal->a, relative);
}

search_box_t search_box_b(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  if (goal->body_b != VOUCH_NONE) {
    return node_box(
      kernel_geometry_b(p, goal), goal->b,
      kernel_view(p)->scene->placed[goal->body_b] ? &kernel_view(
        p)->scene->placements[goal->body_b] : NULL);
  }
  vec3_t low = kernel_view(p)->scene->group_low[goal->b],
    high = kernel_view(p)->scene->group_high[goal->b];
  return (search_box_t) {.low = low, .high = high, .center = vec3_scale(vec3_add(low, high), 0.5),
           .radius = 0.5 * vec3_norm(vec3_sub(high, low))};
}

bool search_box_direction(const search_box_t * a, const search_box_t * b, vec3_t * n)
{
  vec3_t x = a->center, y = search_box_clamp(b, x);
  for (int i = 0; i < 2; i++) {
    x = search_box_clamp(a, y);
    y = search_box_clamp(b, x);
  }
  vec3_t d = vec3_sub(y, x);
  double square = vec3_dot(d, d);
  *n = vec3_scale(d, 1.0 / sqrt(square));
  return square > NO_WAY_SQUARE;
}
