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

/* Silhouettes: what a body looks like from one side, as convex polygons in the picture plane. */

#ifndef REPORT__OUTLINE_H_
#define REPORT__OUTLINE_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

typedef struct vouch_point2_s
{
  double x, y;
} vouch_point2_t;

/// An orthographic view: picture x and y are these directions of the world (unit, orthogonal).
typedef struct vouch_view_s
{
  const char * name;
  vec3_t right, up;
} vouch_view_t;

/// Convex polygons, counter-clockwise, whose union shows the body; memory is re-used between calls.
typedef struct vouch_outline_s
{
  vouch_allocator_t allocator;
  vouch_point2_t * points;   // all polygons, one after the other
  size_t point_count, point_capacity;
  size_t * ends;             // polygon i ends before points[ends[i]]
  size_t polygon_count, polygon_capacity;
  vouch_point2_t * scratch;
  size_t scratch_count, scratch_capacity;
} vouch_outline_t;

void vouch_outline_fini(vouch_outline_t * outline);

/// Forgets the polygons, keeps the memory.
void vouch_outline_clear(vouch_outline_t * outline);

/// Adds the silhouette of a geometry at a pose. A mesh is shown by the hulls of at most `pieces`
/// tree nodes.
vouch_ret_t vouch_outline_add(
  vouch_outline_t * outline, const vouch_geometry_t * geometry, const rigid_t * pose,
  const vouch_view_t * view, size_t pieces) VOUCH_WARN_UNUSED;

#endif  // REPORT__OUTLINE_H_
