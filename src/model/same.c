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

#include "model/same.h"

#include <string.h>

static bool same_bytes(const void * a, const void * b, size_t count, size_t size)
{
  return count == 0 || memcmp(a, b, count * size) == 0;
}

bool vouch_frames_same(const vouch_scene_part_t * a, const vouch_scene_part_t * b)
{
  bool same = a->frame_count == b->frame_count;
  for (uint32_t i = 0; same && i < a->frame_count; i++) {
    const vouch_frame_t * x = &a->frames[i], * y = &b->frames[i];
    same = x->parent == y->parent && x->joint == y->joint && x->variable == y->variable &&
      same_bytes(&x->pose, &y->pose, 1, sizeof(x->pose)) &&
      same_bytes(x->axis, y->axis, 3, sizeof(double)) &&
      same_bytes(&x->multiplier, &y->multiplier, 1, sizeof(double)) &&
      same_bytes(&x->offset, &y->offset, 1, sizeof(double));
  }
  return same;
}

/// Bytes decide, padding too: a difference that means nothing only costs time.
static bool same_geometry(const vouch_geometry_t * a, const vouch_geometry_t * b)
{
  return a == b || (a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
         a->round_count == b->round_count && a->primitive_count == b->primitive_count &&
         a->open_node == b->open_node &&
         a->component_count == b->component_count && a->node_count == b->node_count &&
         a->kept_count == b->kept_count && a->witness_count == b->witness_count &&
         same_bytes(a->vertices, b->vertices, a->vertex_count, sizeof(*a->vertices)) &&
         same_bytes(a->indices, b->indices, a->index_count, sizeof(*a->indices)) &&
         same_bytes(a->rounds, b->rounds, a->round_count, sizeof(*a->rounds)) &&
         same_bytes(a->primitives, b->primitives, a->primitive_count, sizeof(*a->primitives)) &&
         same_bytes(a->components, b->components, a->component_count, sizeof(*a->components)) &&
         same_bytes(a->nodes, b->nodes, a->node_count, sizeof(*a->nodes)) &&
         same_bytes(a->kept, b->kept, a->kept_count, sizeof(*a->kept)) &&
         same_bytes(a->witnesses, b->witnesses, a->witness_count, sizeof(*a->witnesses)));
}

bool vouch_bodies_same(
  const vouch_problem_t * a, uint32_t number_a, const vouch_problem_t * b, uint32_t number_b)
{
  const vouch_body_t * x = &a->scene.bodies[number_a], * y = &b->scene.bodies[number_b];
  return x->kind == y->kind && x->frame == y->frame &&
         same_bytes(&x->placement, &y->placement, 1, sizeof(x->placement)) &&
#ifndef VOUCH_FAULT_SAME_GROWTH
         same_bytes(&x->growth, &y->growth, 1, sizeof(double)) &&
#endif
         same_bytes(x->normal, y->normal, 3, sizeof(double)) &&
         same_bytes(&x->offset, &y->offset, 1, sizeof(double)) &&
         (x->kind != VOUCH_BODY_GEOMETRY || same_geometry(
           a->geometry.geometries[x->geometry], b->geometry.geometries[y->geometry]));
}
