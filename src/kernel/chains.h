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

/* Proposes for each path the chain of joints that it may share (kernel/scene.c). UNTRUSTED: what is
 * proposed is compared there, joint by joint; a bad proposal costs a chain more, never a proof.
 *
 * Chains are kept as a tree of joints: a node is a beginning that some chain has, its children are
 * the joints that follow it. So a path is compared with all chains at once, in as many steps as it
 * has joints. */

#ifndef KERNEL__CHAINS_H_
#define KERNEL__CHAINS_H_

#include "base/memory.h"
#include "kernel/path.h"

typedef struct kernel_beginning_s kernel_beginning_t;

typedef struct kernel_chains_s
{
  vouch_allocator_t allocator;
  kernel_beginning_t * nodes;   // node 0: no joints
  size_t node_count, node_capacity;
  uint32_t * slots;             // open addressing by parent and joint; 0: free
  size_t slot_count;            // a power of two
  uint64_t steps;               // slots that were looked at
} kernel_chains_t;

vouch_ret_t kernel_chains_init(kernel_chains_t * chains, vouch_allocator_t allocator)
VOUCH_WARN_UNUSED;
/// Legal once more, and after init failed.
void kernel_chains_fini(kernel_chains_t * chains);

/// The first chain whose longest path begins with this one or is the beginning of it; VOUCH_NONE:
/// there is none.
uint32_t kernel_chains_propose(kernel_chains_t * chains, const kernel_path_t * path);

/// From now on this is the longest path of that chain. Requires: the one before it, if there was one,
/// is its beginning.
vouch_ret_t kernel_chains_lengthen(
  kernel_chains_t * chains, const kernel_path_t * path, uint32_t chain) VOUCH_WARN_UNUSED;

#endif  // KERNEL__CHAINS_H_
