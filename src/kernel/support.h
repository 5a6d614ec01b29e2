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

/* Support values: the largest m . x over a set. TRUSTED, brute force, no adjacency.
 *
 * Values are plain floating point; what rounding can take away is in the pair's constant E
 * (kernel/path.h). Radii and epsilons are charged with N+ >= |m|. The AVX2 and the scalar loop do
 * the same operations in the same order, so that their results are the same bits. */

#ifndef KERNEL__SUPPORT_H_
#define KERNEL__SUPPORT_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"
#include "kernel/derived.h"

/// N+: no stored direction is longer (the kernel tests |n|^2 <= 1 + 2^-21).
#define KERNEL_NORM (1.0 + 0x1p-20)
/// [L2] At most the length of a direction where bodies may overlap.
#define KERNEL_SHORT (1.0 - 0x1p-20)

/// [K-SUPPORT] Ensures: m . x <= result for every x of the node's set, up to rounding (in E).
double kernel_support(const vouch_geometry_t * geometry, uint32_t node, vec3_t m);

/// Support of an axis-aligned box: of both ends of an axis the one further along m. A maximum, not
/// a question about the sign of m, which nothing predicts.
static inline double kernel_support_box(vec3_t low, vec3_t high, vec3_t m)
{
  vec3_t a = vec3(m.x * low.x, m.y * low.y, m.z * low.z);
  vec3_t b = vec3(m.x * high.x, m.y * high.y, m.z * high.z);
  return (b.x > a.x ? b.x : a.x) + (b.y > a.y ? b.y : a.y) + (b.z > a.z ? b.z : a.z);
}

/// The first KERNEL_COARSE vertices outline the node's hull.
static inline bool kernel_outlined(const vouch_geometry_t * geometry, uint32_t node)
{
  const kernel_node_t * n = &kernel_derived(geometry)->nodes[node];
  return n->hull != KERNEL_NO_HULL && n->coarse == KERNEL_COARSE && n->hull_size > KERNEL_COARSE;
}
/// No more than kernel_support(), for little: of those vertices only. Requires: kernel_outlined().
double kernel_support_coarse(const vouch_geometry_t * geometry, uint32_t node, vec3_t m);

/// Four vertices at a time: with AVX2.
bool kernel_support_wide(void);
/// For tests: forbid AVX2 although the machine has it.
void kernel_support_force_scalar(bool scalar);

#endif  // KERNEL__SUPPORT_H_
