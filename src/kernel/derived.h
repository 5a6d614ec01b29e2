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

/* What the kernel derives from a geometry, once: epsilon and ball of every node, its list of
 * vertices in the layout that the support functions read, solids and reference points. TRUSTED:
 * every bound here is an upper bound, rounding included. */

#ifndef KERNEL__DERIVED_H_
#define KERNEL__DERIVED_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

#define KERNEL_NO_HULL UINT32_MAX
/// Vertices that outline a large hull.
#define KERNEL_COARSE 16u

/// [K-NODE] ball: contains the node's whole set, and its list's hull with epsilon.
typedef struct kernel_node_s
{
  vec3_t center;
  double radius;
  double epsilon;      // list + epsilon contains the set: carry, and the radius of alike balls
  uint32_t hull;       // first double of the hull's x block; KERNEL_NO_HULL: a primitive that has none
  uint32_t hull_size;  // vertices, a multiple of 4 (the last one repeated)
  uint32_t coarse;     // the first so many of them outline the hull; a multiple of 4
  uint32_t round, round_count;   // vertices of the list with half-axes, unless they are such balls
  float low[3], high[3];   // box of the set, rounded outwards; for the search only
} kernel_node_t;

/// A vertex that stands for the ellipsoid around it.
typedef struct kernel_round_s
{
  vec3_t center, axes[3];
} kernel_round_t;

typedef struct kernel_derived_s
{
  vouch_allocator_t allocator;
  kernel_node_t * nodes;
  double * hulls;            // per hull: x[size], y[size], z[size]
  kernel_round_t * rounds;
  uint32_t * solids;         // [L8] components that are solids, in the order of their first primitives
  uint32_t * references;     // [L8] vertices that no primitive joins to a lower one, ascending
  uint32_t solid_count, reference_count;
  double radius;             // [L4] of the ball around vertex 0 that contains the set
  double extent;             // largest |point| of the set
} kernel_derived_t;

/// Makes geometry->derived if it is not there yet. Not thread-safe for one geometry: call at load.
/// INVALID when a witness is not a convex combination.
vouch_ret_t kernel_derive(vouch_geometry_t * geometry, vouch_allocator_t allocator)
VOUCH_WARN_UNUSED;

/// The list of a node: what it keeps, or the points of its primitive.
static inline const uint32_t * kernel_list(
  const vouch_geometry_t * g, uint32_t number, uint32_t * count)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  const vouch_primitive_t * primitive = &g->primitives[node->first];
  *count = node->left != 0 ? node->kept_count : primitive->count;
  return node->left != 0 ? g->kept + node->kept_first : g->indices + primitive->first;
}

/// Lays out the lists of d's nodes. Their epsilons are those of alike balls, without what is carried.
vouch_ret_t kernel_derive_lists(const vouch_geometry_t * geometry, kernel_derived_t * d)
VOUCH_WARN_UNUSED;
/// [L8] Sets d's solids and reference points.
vouch_ret_t kernel_derive_parts(const vouch_geometry_t * geometry, kernel_derived_t * d)
VOUCH_WARN_UNUSED;

/// [K-ORDER] Brings vertices that outline a hull to the front of its block.
void kernel_order_hull(double * x, uint32_t size);

static inline const kernel_derived_t * kernel_derived(const vouch_geometry_t * geometry)
{
  return (const kernel_derived_t *)geometry->derived;
}

#endif  // KERNEL__DERIVED_H_
