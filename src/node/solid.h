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

/* Convex bodies as corners and triangles, for pictures and for ~/robot_geometry. Good enough to
 * look
 * at; no proof rests on it. Corners are on or outside of the true shape. */

#ifndef NODE__SOLID_H_
#define NODE__SOLID_H_

#include "geometry/geometry.h"

typedef struct solid_s
{
  double (*points)[3];
  size_t point_count, point_capacity;
  uint32_t(*triangles)[3];     // counter-clockwise seen from outside
  size_t triangle_count, triangle_capacity;
} solid_t;

void solid_fini(solid_t * solid);
/// Removes points and triangles, keeps the memory.
void solid_clear(solid_t * solid);
bool solid_add_point(solid_t * solid, const double point[3]);
bool solid_add_triangle(solid_t * solid, uint32_t a, uint32_t b, uint32_t c);

/// The triangles of the hull of the points; none when the points lie in a plane. False: no memory.
bool solid_hull(solid_t * solid);

/// Appends the point of a vertex, or corners around its ellipsoid. False: no memory.
bool solid_add_vertex(solid_t * solid, const vouch_geometry_t * geometry, uint32_t vertex);

/// The radius of the balls around a primitive's points, where that is all that is round about it.
double solid_ball(const vouch_geometry_t * geometry, uint32_t primitive);

/// Appends the corners of one convex primitive (such balls left out if `bare`). False: no memory.
bool solid_add_primitive(
  solid_t * solid, const vouch_geometry_t * geometry, uint32_t primitive, bool bare);

/// Appends all of a geometry as triangles: meshes as they are, everything else as hulls. False: no
/// memory.
bool solid_add_geometry(solid_t * solid, const vouch_geometry_t * geometry);

#endif  // NODE__SOLID_H_
