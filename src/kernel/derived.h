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

/* What the kernel derives from a geometry, once: epsilon and ball of every node, and the kept
 * vertices in the layout that the support functions read. TRUSTED: every bound here is an upper
 * bound, rounding included. */

#ifndef KERNEL__DERIVED_H_
#define KERNEL__DERIVED_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

#define KERNEL_NO_HULL UINT32_MAX
/// Vertices that outline a large hull.
#define KERNEL_COARSE 16u

/// [K-NODE] ball: contains the node's whole set (radii and epsilons included).
typedef struct kernel_node_s
{
  vec3_t center;
  double radius;
  double epsilon;      // kept hull + epsilon contains the set; meaningless without a hull
  uint32_t hull;       // first double of the hull's x block; KERNEL_NO_HULL: none
  uint32_t hull_size;  // vertices, a multiple of 4 (the last one repeated)
  uint32_t coarse;     // the first so many of them outline the hull; a multiple of 4
  float low[3], high[3];   // box of the set, rounded outwards; for the search only
} kernel_node_t;

typedef struct kernel_derived_s
{
  vouch_allocator_t allocator;
  kernel_node_t * nodes;
  double * hulls;            // per hull: x[size], y[size], z[size]
  mat3_t * curved_rotation;
  uint32_t * component_first;   // first primitive of each component
  uint32_t first_open;          // first open component, or VOUCH_NONE
  double extent;             // largest |point| of the set
} kernel_derived_t;

/// Makes geometry->derived if it is not there yet. Not thread-safe for one geometry: call at load.
/// INVALID when a witness is not a convex combination.
vouch_ret_t kernel_derive(vouch_geometry_t * geometry, vouch_allocator_t allocator)
VOUCH_WARN_UNUSED;

/// [K-ORDER] Brings vertices that outline a hull to the front of its block.
void kernel_order_hull(double * x, uint32_t size);

static inline const kernel_derived_t * kernel_derived(const vouch_geometry_t * geometry)
{
  return (const kernel_derived_t *)geometry->derived;
}

/// [L8] Whether a primitive counts for the hull of a component: that of an open one is the hull of all
/// open components together, which may well be the pieces of one skin.
static inline bool kernel_in_hull_of(
  const vouch_geometry_t * geometry, uint32_t primitive, uint32_t component)
{
  uint32_t its = geometry->primitives[primitive].component;
  return its == component || (geometry->components[component] == VOUCH_COMPONENT_OPEN &&
         geometry->components[its] == VOUCH_COMPONENT_OPEN);
}

#endif  // KERNEL__DERIVED_H_
