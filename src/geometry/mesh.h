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

/* A triangle mesh as it comes from a file or a message, before trees are built over it.
 *
 * Plain indexed triangles. Vertices are welded only when bitwise equal (vouch_mesh_weld), because
 * anything softer would change the model. Components are sets of triangles connected through edges;
 * one is closed when each of its edges has as many triangles one way as the other (one and one,
 * except where a shell touches itself), which is what signed crossings of rays need (L8). */

#ifndef GEOMETRY__MESH_H_
#define GEOMETRY__MESH_H_

#include "vouch/types.h"

typedef struct vouch_mesh_s
{
  vouch_allocator_t allocator;
  double (*vertices)[3];
  size_t vertex_count, vertex_capacity;
  uint32_t(*triangles)[3];
  size_t triangle_count, triangle_capacity;
} vouch_mesh_t;

vouch_mesh_t vouch_mesh_zero(vouch_allocator_t allocator);
void vouch_mesh_fini(vouch_mesh_t * mesh);

/// Both return VOUCH_RET_NO_MEMORY when there is no room.
vouch_ret_t vouch_mesh_add_vertex(vouch_mesh_t * mesh, const double v[3]) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_mesh_add_triangle(
  vouch_mesh_t * mesh, uint32_t a, uint32_t b, uint32_t c) VOUCH_WARN_UNUSED;

/// Merges bitwise equal vertices (-0.0 counts as 0.0), drops unused ones; order of first use stays.
vouch_ret_t vouch_mesh_weld(vouch_mesh_t * mesh) VOUCH_WARN_UNUSED;

/// INVALID (with the number of the triangle or vertex) for indices out of range, non-finite or
/// |coordinate| > 1e6, no triangle at all.
vouch_ret_t vouch_mesh_validate(const vouch_mesh_t * mesh) VOUCH_WARN_UNUSED;

/// v -> pose * (scale .* v); a mirroring scale also turns every triangle.
void vouch_mesh_transform(vouch_mesh_t * mesh, const double scale[3], const vouch_pose_t * pose);

/// component[t] for each triangle (caller's array), numbered by first appearance; closed[c] says
/// whether component c is closed (array from the mesh's allocator, *component_count long).
/// Expects a welded mesh. Degenerate triangles (two equal indices) belong to the component of their
/// vertices and do not count in the edge test.
vouch_ret_t vouch_mesh_components(
  const vouch_mesh_t * mesh, uint32_t * component, bool ** closed,
  size_t * component_count) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__MESH_H_
