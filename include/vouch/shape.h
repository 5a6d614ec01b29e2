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

/* Shapes as messages and files give them. Sizes in metres, frames as in FCL and shape_msgs. */

#ifndef VOUCH__SHAPE_H_
#define VOUCH__SHAPE_H_

#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vouch_shape_kind_e
{
  VOUCH_SHAPE_UNKNOWN = 0,
  VOUCH_SHAPE_BOX = 1,         // size = full x, y, z
  VOUCH_SHAPE_SPHERE = 2,      // size[0] = radius
  VOUCH_SHAPE_CYLINDER = 3,    // size[0] = radius, size[1] = height; axis z, centred
  VOUCH_SHAPE_CONE = 4,        // size[0] = radius, size[1] = height; tip at +z, centred
  VOUCH_SHAPE_CAPSULE = 5,     // size[0] = radius, size[1] = length of the cylinder part; axis z
  VOUCH_SHAPE_ELLIPSOID = 6,   // size = radii
  VOUCH_SHAPE_PRISM = 7,       // points (x, y of each) = base polygon, size[0] = height, centred
  VOUCH_SHAPE_CONVEX = 8,      // the convex hull of points
  VOUCH_SHAPE_MESH = 9,        // points and triangles
  VOUCH_SHAPE_PLANE = 10,      // plane[0..2] . x + plane[3] = 0, thin and two-sided
  VOUCH_SHAPE_HALFSPACE = 11   // plane[0..2] . x + plane[3] <= 0 is solid
} vouch_shape_kind_t;

/// Points and triangles belong to the caller and are copied.
typedef struct vouch_shape_s
{
  vouch_shape_kind_t kind;
  double size[3];
  double plane[4];
  const double (*points)[3];
  size_t point_count;
  const uint32_t(*triangles)[3];
  size_t triangle_count;
} vouch_shape_t;

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__SHAPE_H_
