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

/* Lists of points of tree nodes, as docs/certificate_format.md defines them: a node's kept vertices,
 * or else the index entries of its primitives in order. Private to geometry/. */

#ifndef GEOMETRY__LISTS_H_
#define GEOMETRY__LISTS_H_

#include "geometry/geometry.h"

static inline bool vouch_primitive_has_points(const vouch_primitive_t * primitive)
{
  return primitive->kind == VOUCH_PRIMITIVE_TRIANGLE || primitive->kind == VOUCH_PRIMITIVE_HULL;
}

/// How many points the node's list has. Its primitives must all have points.
static inline size_t vouch_list_size(
  const vouch_geometry_t * geometry, const vouch_tree_node_t * node)
{
  if (node->kept_count > 0) {
    return node->kept_count;
  }
  size_t size = 0;
  for (uint32_t i = node->first; i < node->first + node->count; ++i) {
    size += geometry->primitives[i].count;
  }
  return size;
}

/// Goes through a node's list.
typedef struct vouch_list_s
{
  const vouch_tree_node_t * node;
  uint32_t primitive, position;   // of the next point
  double radius;                  // of the primitive that the last point came from
} vouch_list_t;

static inline vouch_list_t vouch_list_begin(
  const vouch_geometry_t * geometry, const vouch_tree_node_t * node)
{
  (void)geometry;
  return (vouch_list_t) {.node = node, .primitive = node->first};
}

/// False behind the last point.
static inline bool vouch_list_next(
  const vouch_geometry_t * geometry, vouch_list_t * list, uint32_t * vertex)
{
  const vouch_tree_node_t * node = list->node;
  if (node->kept_count > 0) {
    if (list->position >= node->kept_count) {
      return false;
    }
    *vertex = geometry->kept[node->kept_first + list->position++];
    return true;
  }
  if (list->primitive >= node->first + node->count) {
    return false;
  }
  const vouch_primitive_t * primitive = &geometry->primitives[list->primitive];
  *vertex = geometry->indices[primitive->first + list->position++];
  list->radius = primitive->radius;
  if (list->position >= primitive->count) {
    list->primitive += 1;
    list->position = 0;
  }
  return true;
}

/// Validates, and sets witness_first of every node on the way.
vouch_ret_t vouch_geometry_validate_and_number(vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__LISTS_H_
