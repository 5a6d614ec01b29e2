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

#include "kernel/chains.h"

#include <string.h>

/// A beginning that a chain has: the one without its last joint, and that joint.
struct kernel_beginning_s
{
  uint32_t parent, variable;
  uint64_t gain;       // its bits: a magnitude, so equal numbers have equal ones
  bool revolute;
  uint32_t first;      // of the chains whose longest path begins so
  uint32_t ends;       // the chain whose longest path is this; VOUCH_NONE: none
};

enum
{
  SLOTS = 64           // to begin with
};

static uint64_t mix(uint64_t x)
{
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ (x >> 32);
}

static kernel_beginning_t with(uint32_t parent, const kernel_joint_t * joint)
{
  kernel_beginning_t node = {.parent = parent, .variable = joint->variable,
    .revolute = joint->revolute, .first = VOUCH_NONE, .ends = VOUCH_NONE};
  memcpy(&node.gain, &joint->gain, sizeof(node.gain));
  return node;
}

/// Where such a node is, or would be.
static uint32_t * slot_of(kernel_chains_t * chains, const kernel_beginning_t * like)
{
  const uint64_t place = (uint64_t)like->parent << 32 | like->variable;
  size_t i = (size_t)mix(place + mix(like->gain + like->revolute)) & (chains->slot_count - 1u);
  for (;; i = (i + 1u) & (chains->slot_count - 1u)) {
    const kernel_beginning_t * node = &chains->nodes[chains->slots[i]];
    chains->steps++;
    if (chains->slots[i] == 0 || (node->parent == like->parent &&
      node->variable == like->variable && node->revolute == like->revolute &&
      node->gain == like->gain))
    {
      return &chains->slots[i];
    }
  }
}

/// Twice as many slots, for the nodes that are there.
static bool widen(kernel_chains_t * chains)
{
  uint32_t * slots = vouch_calloc(&chains->allocator, 2u * chains->slot_count, sizeof(*slots));
  if (slots == NULL) {
    return false;
  }
  vouch_free(&chains->allocator, chains->slots);
  chains->slots = slots;
  chains->slot_count *= 2u;
  for (size_t i = 1; i < chains->node_count; i++) {
    *slot_of(chains, &chains->nodes[i]) = (uint32_t)i;
  }
  return true;
}

/// A node; at most half of the slots are taken. 0: no memory is left.
static uint32_t add(kernel_chains_t * chains, const kernel_beginning_t * node)
{
  if (chains->node_count >= VOUCH_NONE || !vouch_grow(
      &chains->allocator, &chains->nodes, chains->node_count, &chains->node_capacity,
      sizeof(*chains->nodes)) || (2u * chains->node_count >= chains->slot_count && !widen(chains)))
  {
    return 0;
  }
  uint32_t * slot = slot_of(chains, node);
  *slot = (uint32_t)chains->node_count;
  chains->nodes[chains->node_count++] = *node;
  return *slot;
}

vouch_ret_t kernel_chains_init(kernel_chains_t * chains, vouch_allocator_t allocator)
{
  const kernel_beginning_t none = {.first = VOUCH_NONE, .ends = VOUCH_NONE};
  *chains = (kernel_chains_t) {.allocator = allocator, .slot_count = SLOTS};
  chains->slots = vouch_calloc(&allocator, SLOTS, sizeof(*chains->slots));
  if (chains->slots == NULL || !vouch_grow(
      &allocator, &chains->nodes, 0, &chains->node_capacity, sizeof(*chains->nodes)))
  {
    kernel_chains_fini(chains);
    return VOUCH_RET_NO_MEMORY;
  }
  chains->nodes[chains->node_count++] = none;
  return VOUCH_RET_OK;
}

void kernel_chains_fini(kernel_chains_t * chains)
{
  vouch_free(&chains->allocator, chains->slots);
  vouch_free(&chains->allocator, chains->nodes);
  *chains = (kernel_chains_t) {.allocator = chains->allocator};
}

static uint32_t less(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Of the chains whose longest path is a proper beginning of this one, at most one ends at each node
 * on the way; of those that begin with this one the node at its end knows the first. */
uint32_t kernel_chains_propose(kernel_chains_t * chains, const kernel_path_t * path)
{
  uint32_t node = 0, found = chains->nodes[0].ends;
  for (uint32_t j = 0; j < path->joint_count; j++) {
    const kernel_beginning_t like = with(node, &path->joints[j]);
    node = *slot_of(chains, &like);
    if (node == 0) {
      return found;
    }
    found = less(found, chains->nodes[node].ends);
  }
  return less(found, chains->nodes[node].first);
}

vouch_ret_t kernel_chains_lengthen(
  kernel_chains_t * chains, const kernel_path_t * path, uint32_t chain)
{
  uint32_t node = 0;
  for (uint32_t j = 0; ; j++) {
    kernel_beginning_t * at = &chains->nodes[node];
    at->first = less(at->first, chain);
    at->ends = at->ends == chain ? VOUCH_NONE : at->ends;
    if (j == path->joint_count) {
      at->ends = chain;
      return VOUCH_RET_OK;
    }
    const kernel_beginning_t like = with(node, &path->joints[j]);
    node = *slot_of(chains, &like);
    node = node != 0 ? node : add(chains, &like);
    if (node == 0) {
      return VOUCH_RET_NO_MEMORY;
    }
  }
}
