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

/* Definite geometric facts at one configuration: overlap, and inside or outside a solid. TRUSTED.
 * Every answer but UNCLEAR survives all rounding and a displacement of `error` metres of each point. */

#ifndef KERNEL__CONTACT_H_
#define KERNEL__CONTACT_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

typedef enum kernel_side_e
{
  KERNEL_UNCLEAR = 0,
  KERNEL_OUTSIDE = 1,
  KERNEL_INSIDE = 2
} kernel_side_t;

/// [L8] Where is `point` (in the geometry's frame) with respect to one closed component? By signed
/// crossings of the ray from it; UNCLEAR when a sign is not decided: try another ray.
kernel_side_t kernel_ray_side(
  const vouch_geometry_t * geometry, uint32_t component, vec3_t point, double error,
  const float ray[3]);

/// [K-OVERLAP] Does the tetrahedron of these four points contain the origin strictly, whatever
/// displacement of at most `error` each of them suffers? *depth: distance of the origin from its faces.
bool kernel_contains_origin(const vec3_t points[4], double error, double * depth);

#endif  // KERNEL__CONTACT_H_
