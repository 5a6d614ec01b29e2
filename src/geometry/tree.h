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

/* The containment tree of a geometry under construction. Private to geometry/. */

#ifndef GEOMETRY__TREE_H_
#define GEOMETRY__TREE_H_

#include "geometry/geometry.h"

/// A shape as it was added: its primitives stay together in the tree.
typedef struct vouch_item_s
{
  uint32_t first, count;   // primitives, in the order they were added
} vouch_item_t;

/// What a tree is made over, per shape and per primitive.
typedef struct vouch_tree_input_s
{
  const vouch_item_t * items;
  size_t item_count;
  const double (*centres)[3];   // middles of the primitives' boxes
  const bool * open;            // primitives that belong beneath the open node
} vouch_tree_input_t;

/// Orders the primitives of `geometry` by tree position (order[new] = old) and fills its nodes:
/// 2 * primitive_count - 1 of them, in pre-order; sets open_node.
vouch_ret_t vouch_tree_split(
  vouch_geometry_t * geometry, const vouch_tree_input_t * input, uint32_t * order,
  const vouch_allocator_t * allocator) VOUCH_WARN_UNUSED;

/// Chooses kept vertices for every node with children, and the witnesses; both from `arena`.
vouch_ret_t vouch_tree_keep(
  vouch_geometry_t * geometry, vouch_arena_t * arena,
  const vouch_allocator_t * allocator) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__TREE_H_
