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

/* Which of some points to keep so that their hull contains all of them, and how each of the others
 * is made of at most four kept ones. Untrusted, deterministic. Private to geometry/.
 *
 * No facets are made: a point is kept when the hull of the kept ones does not contain it, and
 * what is then kept is the farthest point in the direction that shows so (K. L. Clarkson, "More
 * output- sensitive geometric algorithms", FOCS 1994, section 3). Flat, collinear and coincident
 * points need no special cases, and time is bounded by (points) x (kept points), the latter by a
 * constant. */

#ifndef GEOMETRY__HULL_H_
#define GEOMETRY__HULL_H_

#include "geometry/geometry.h"
#include "geometry/nearest.h"

/// A point as a combination of kept ones.
typedef struct vouch_mixture_s
{
  uint32_t count;      // 1..4, 0: not known yet
  uint32_t index[4];   // positions among the kept
  double weight[4];
} vouch_mixture_t;

/// Work space that grows and is used again, and the result in it.
typedef struct vouch_hull_s
{
  vouch_allocator_t allocator;
  vouch_cloud_t points;        // all, relative to `origin`
  vouch_cloud_t chosen;        // the kept ones, in the order of `kept`
  uint32_t * kept;             // positions in `points`
  uint32_t * place;            // per point: its position in `kept`, or VOUCH_NONE
  vouch_mixture_t * mixtures;  // per point
  double * size;               // per point: what it costs not to keep it even if it is inside
  double * distance;           // per point: upper bound of what not keeping it costs (scratch)
  uint32_t * heap;             // points by that bound (scratch)
  uint32_t kept_count, capacity;
  vec3_t origin;
} vouch_hull_t;

void vouch_hull_fini(vouch_hull_t * hull);

/// Takes new points (their number's worth of room is made), of size 0. False, with the error text:
/// no memory.
bool vouch_hull_set_points(
  vouch_hull_t * hull, const double(*vertices)[3], const uint32_t * numbers, size_t count);

/// Keeps what is needed for every point to lie in the kept hull up to `tolerance`, and all points
/// of a larger size; if those are more than `limit`, the `limit` best ones, so that points stick
/// out more. Sets `kept` and `mixtures`.
void vouch_hull_keep(vouch_hull_t * hull, uint32_t limit, double tolerance);

/// Keeps every point that is not strictly inside the hull of the others, up to rounding. Sets
/// `kept` in ascending order, not `mixtures`.
void vouch_hull_keep_all_extreme(vouch_hull_t * hull);

#endif  // GEOMETRY__HULL_H_
