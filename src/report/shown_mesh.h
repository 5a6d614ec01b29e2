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

/* What a body looks like, as triangles: for the page in a browser and for glTF. Plain floating point:
 * nothing is proved with it. */

#ifndef REPORT__SHOWN_MESH_H_
#define REPORT__SHOWN_MESH_H_

#include "geometry/geometry.h"

/// Triangles of one geometry, in its own frame. Memory is re-used between calls.
typedef struct vouch_shown_mesh_s
{
  vouch_allocator_t allocator;
  float (*points)[3];
  uint32_t(*triangles)[3];
  size_t point_count, point_capacity;
  size_t triangle_count, triangle_capacity;
  double (*cloud)[3];        // scratch: points whose hull is wanted
  size_t cloud_count, cloud_capacity;
  uint32_t * numbers;        // scratch: per vertex of the geometry its number here
  size_t number_capacity;
  bool coarse;               // hulls of parts were taken, because there were too many triangles
} vouch_shown_mesh_t;

void vouch_shown_mesh_fini(vouch_shown_mesh_t * mesh);

/// Replaces the mesh by that of a geometry. Triangles are taken as they are and round shapes made of flat
/// ones. What would have more than about `most` triangles is shown by the hulls of its parts.
vouch_ret_t vouch_shown_mesh_build(
  vouch_shown_mesh_t * mesh, const vouch_geometry_t * geometry,
  size_t most) VOUCH_WARN_UNUSED;

/// Replaces the mesh by the hull of some points.
vouch_ret_t vouch_shown_mesh_hull(
  vouch_shown_mesh_t * mesh, const double(*points)[3], size_t count) VOUCH_WARN_UNUSED;

#endif  // REPORT__SHOWN_MESH_H_
