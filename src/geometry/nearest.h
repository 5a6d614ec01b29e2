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

/* The nearest point of the convex hull of a few points, as weights of at most four of them.
 * Untrusted: what comes of it is stored as witnesses and checked elsewhere. Private to geometry/.
 *
 * E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between
 * complex objects in three-dimensional space", IEEE J. Robotics and Automation 4(2), 1988. */

#ifndef GEOMETRY__NEAREST_H_
#define GEOMETRY__NEAREST_H_

#include "base/memory.h"
#include "geometry/vec.h"

/// Points by coordinate; the arrays have room for a multiple of four, filled up with copies of the
/// first point.
typedef struct vouch_cloud_s
{
  double * x, * y, * z;
  uint32_t count, capacity;
} vouch_cloud_t;

bool vouch_cloud_reserve(vouch_cloud_t * cloud, const vouch_allocator_t * allocator, size_t count);
void vouch_cloud_fini(vouch_cloud_t * cloud, const vouch_allocator_t * allocator);
void vouch_cloud_clear(vouch_cloud_t * cloud);

/// There must be room (vouch_cloud_reserve).
void vouch_cloud_add(vouch_cloud_t * cloud, vec3_t point);

/// Puts the last point in the place of point i and forgets the last place.
void vouch_cloud_remove(vouch_cloud_t * cloud, uint32_t i);

static inline vec3_t vouch_cloud_get(const vouch_cloud_t * cloud, uint32_t i)
{
  return vec3(cloud->x[i], cloud->y[i], cloud->z[i]);
}

/// The point that is lowest along `direction` (the first of equals), and how high it is.
uint32_t vouch_cloud_lowest(const vouch_cloud_t * cloud, vec3_t direction, double * height);

typedef struct vouch_nearest_s
{
  vec3_t offset;       // from the query to the nearest point
  double distance;     // |offset|
  uint32_t count;      // 1..4
  uint32_t index[4];   // of cloud points
  double weight[4];    // >= 0, sum 1 up to rounding
  bool apart;          // stopped early: the distance is surely more than `enough`
} vouch_nearest_t;

/// When to stop looking.
typedef struct vouch_nearest_options_s
{
  double enough;     // as soon as the distance is seen to exceed this: `apart` (HUGE_VAL: never)
  double relative;   // when the distance is known this well (its upper end is returned)
} vouch_nearest_options_t;

/// The hull's point nearest to `query`. The cloud must not be empty.
vouch_nearest_t vouch_cloud_nearest(
  const vouch_cloud_t * cloud, vec3_t query, vouch_nearest_options_t options);

#endif  // GEOMETRY__NEAREST_H_
