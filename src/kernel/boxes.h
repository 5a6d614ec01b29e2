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

/* Boxes of nodes, which the search looks at. UNTRUSTED: no test reads them, and a ball may have its
 * centre anywhere. */

#ifndef KERNEL__BOXES_H_
#define KERNEL__BOXES_H_

#include "kernel/derived.h"

/// The box of a list, its ellipsoids included.
void kernel_list_box(
  const vouch_geometry_t * geometry, const uint32_t * list, uint32_t count, vec3_t * low,
  vec3_t * high);

/// The node's box around these corners, with what it carries, in single precision.
void kernel_set_box(kernel_node_t * node, vec3_t low, vec3_t high, double carry);

/// Cuts the node's box by the one around its children's. Where ellipsoids were not kept much is
/// carried, and that one is tighter.
void kernel_join_boxes(
  kernel_node_t * node, const kernel_node_t * a, const kernel_node_t * b);

#endif  // KERNEL__BOXES_H_
