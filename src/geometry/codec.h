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

/* What writing and reading the bytes of a geometry share: docs/certificate_format.md, "Geometry body".
 *
 * The file says less than memory: nodes only how many vertices they keep, since they are numbered
 * root, left, right; and no witness for points that are kept. It says more in two places, for the
 * verifier's sake: curved primitives have their middle as a vertex, edges of solids have twins.
 * Private to geometry/. */

#ifndef GEOMETRY__CODEC_H_
#define GEOMETRY__CODEC_H_

#include "geometry/geometry.h"
#include "geometry/lists.h"

enum
{
  VERTEX_BYTES = 24, COMPONENT_BYTES = 88, PRIMITIVE_BYTES = 4, MIXTURE_BYTES = 16,
  CHILDLESS = 255
};

/// Which vertices the node at hand keeps: stamp[vertex] is `now`, at place[vertex].
typedef struct kept_s
{
  uint32_t * stamp, * place;
  uint32_t now;
} kept_t;

static inline bool kept_init(kept_t * kept, vouch_arena_t * arena, uint32_t vertex_count)
{
  kept->stamp = vouch_arena_calloc(arena, vertex_count, sizeof(kept->stamp[0]));
  kept->place = vouch_arena_calloc(arena, vertex_count, sizeof(kept->place[0]));
  kept->now = 0;
  return kept->stamp != NULL && kept->place != NULL;
}

static inline void kept_of(
  kept_t * kept, const vouch_geometry_t * g,
  const vouch_tree_node_t * node)
{
  kept->now += 1;
  for (uint32_t i = 0; i < node->kept_count; ++i) {
    uint32_t vertex = g->kept[node->kept_first + i];
    kept->stamp[vertex] = kept->now;
    kept->place[vertex] = i;
  }
}

static inline bool is_curved(const vouch_primitive_t * primitive)
{
  return !vouch_primitive_has_points(primitive);
}

/// Radii and height as the file has them: a cylinder or a cone has a disc of two radii, an
/// ellipsoid no height.
static inline void shape_of(uint8_t kind, const double size[3], double shape[4])
{
  bool ellipsoid = kind == VOUCH_PRIMITIVE_ELLIPSOID;
  shape[0] = size[0];
  shape[1] = ellipsoid ? size[1] : size[0];
  shape[2] = ellipsoid ? size[2] : 0.0;
  shape[3] = ellipsoid ? 0.0 : size[1];
}

/// For edge 3 * triangle + corner of a solid the edge that runs back along it; 0 for everything
/// else. NULL: no memory.
uint32_t * vouch_geometry_twins(const vouch_geometry_t * geometry, vouch_arena_t * arena);

#endif  // GEOMETRY__CODEC_H_
