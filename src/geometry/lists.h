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

/* Lists of points of tree nodes, as docs/certificate_format.md defines them: what a node keeps,
 * or if it is childless the points of its primitive. Private to geometry/. */

#ifndef GEOMETRY__LISTS_H_
#define GEOMETRY__LISTS_H_

#include "geometry/geometry.h"

/// Numbers of vertices.
typedef struct vouch_list_s
{
  const uint32_t * vertices;
  uint32_t count;
} vouch_list_t;

static inline vouch_list_t vouch_list_of(
  const vouch_geometry_t * geometry, const vouch_tree_node_t * node)
{
  const vouch_primitive_t * primitive = &geometry->primitives[node->first];
  return node->left != 0 ?
         (vouch_list_t) {geometry->kept + node->kept_first, node->kept_count} :
         (vouch_list_t) {geometry->indices + primitive->first, primitive->count};
}

/// Which vertices the node at hand keeps: stamp[vertex] is `now`, at place[vertex].
typedef struct vouch_kept_s
{
  uint32_t * stamp, * place;
  uint32_t now;
} vouch_kept_t;

static inline bool vouch_kept_init(vouch_kept_t * kept, vouch_arena_t * arena, uint32_t vertices)
{
  kept->stamp = vouch_arena_calloc(arena, vertices, sizeof(kept->stamp[0]));
  kept->place = vouch_arena_calloc(arena, vertices, sizeof(kept->place[0]));
  kept->now = 0;
  return kept->stamp != NULL && kept->place != NULL;
}

/// Requires: what the list of the node names is in range.
static inline void vouch_kept_of(vouch_kept_t * kept, vouch_list_t list)
{
  kept->now += 1;
  for (uint32_t i = 0; i < list.count; ++i) {
    kept->stamp[list.vertices[i]] = kept->now;
    kept->place[list.vertices[i]] = i;
  }
}

static inline bool vouch_is_kept(const vouch_kept_t * kept, uint32_t vertex)
{
  return kept->stamp[vertex] == kept->now;
}

/// Whether a list has all that two others have, and nothing else. Afterwards `kept` is of no list.
bool vouch_is_union(vouch_kept_t * kept, vouch_list_t list, const vouch_list_t parts[2]);

/// Sorts a list that is short or nearly sorted.
void vouch_list_sort(uint32_t * list, uint32_t count);

/// The witness of the point that is kept at this place.
static inline vouch_witness_t vouch_witness_kept(uint32_t place)
{
  uint8_t i = (uint8_t)place;
  return (vouch_witness_t) {.index = {i, i, i, i}, .weight = {1.0f, 0.0f, 0.0f}};
}

/// The middle of the box of all vertices but vertex 0.
void vouch_geometry_middle(const vouch_geometry_t * geometry, double middle[3]);

/// Whether the primitive's points are three, all plain: a triangle, as far as a file tells.
bool vouch_has_plain_corners(
  const vouch_geometry_t * geometry,
  const vouch_primitive_t * primitive);

/// Sets the kinds of all primitives and components and the numbers of all components but the solid
/// ones, which have theirs. kinds: vouch_component_kind_t of each primitive's component. Returns
/// the number of components, for which there must be room.
uint32_t vouch_put_components(vouch_geometry_t * geometry, const uint8_t * kinds, uint32_t solids);

#endif  // GEOMETRY__LISTS_H_
