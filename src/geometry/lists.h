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

/// Validates, and sets witness_first of every node on the way.
vouch_ret_t vouch_geometry_validate_and_number(vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__LISTS_H_
