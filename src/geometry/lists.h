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

/* Lists of points of tree nodes, as docs/certificate_format.md defines them, for nodes under one that
 * keeps vertices: what they keep themselves, or else the points of their one primitive. Private to
 * geometry/. */

#ifndef GEOMETRY__LISTS_H_
#define GEOMETRY__LISTS_H_

#include "geometry/geometry.h"

static inline bool vouch_primitive_has_points(const vouch_primitive_t * primitive)
{
  return primitive->kind == VOUCH_PRIMITIVE_TRIANGLE || primitive->kind == VOUCH_PRIMITIVE_HULL;
}

/// Whether the node has a list: it keeps vertices, or is childless.
static inline bool vouch_node_has_list(const vouch_tree_node_t * node)
{
  return node->kept_count > 0 || node->left == 0;
}

/// Numbers of vertices, and the radius of the primitive if they are its points.
typedef struct vouch_list_s
{
  const uint32_t * vertices;
  uint32_t count;
  double radius;
} vouch_list_t;

/// Requires: the node has a list; if it is childless, its primitive has points.
static inline vouch_list_t vouch_list_of(
  const vouch_geometry_t * geometry, const vouch_tree_node_t * node)
{
  const vouch_primitive_t * primitive = &geometry->primitives[node->first];
  return node->kept_count > 0 ?
         (vouch_list_t) {geometry->kept + node->kept_first, node->kept_count, 0.0} :
         (vouch_list_t) {geometry->indices + primitive->first, primitive->count, primitive->radius};
}

/// Validates, and sets witness_first of every node on the way.
vouch_ret_t vouch_geometry_validate_and_number(vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__LISTS_H_
