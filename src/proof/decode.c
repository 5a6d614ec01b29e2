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

#include "base/error.h"
#include "base/memory.h"
#include "proof/encode.h"

/// A step of the file and those below it: of the halves of its span, or of the parts of its nodes.
typedef struct node_s
{
  const uint8_t * at;
  uint32_t size;       // with its rays
  uint32_t child[2];
} node_t;

typedef struct decoder_s
{
  vouch_allocator_t allocator;
  const uint8_t * ops;
  size_t size, at;
  node_t * nodes;      // the first ones are those of the pairs
  size_t count, capacity;
  uint32_t * goals;    // nodes that are still to be read
  size_t goal_count, goal_capacity;
  bool damaged;
} decoder_t;

static bool add_goal(decoder_t * d, uint32_t node)
{
  if (!vouch_grow(
      &d->allocator, &d->goals, d->goal_count, &d->goal_capacity, sizeof(d->goals[0])))
  {
    return false;
  }
  d->goals[d->goal_count++] = node;
  return true;
}

/// A node to be read; false: no memory.
static bool expect(decoder_t * d, uint32_t * number)
{
  if (d->count >= UINT32_MAX / 2u ||
    !vouch_grow(&d->allocator, &d->nodes, d->count, &d->capacity, sizeof(d->nodes[0])))
  {
    return false;
  }
  *number = (uint32_t)d->count++;
  d->nodes[*number] = (node_t) {.at = NULL};
  return add_goal(d, *number);
}

/// Reads the step of one goal. False: it is damaged, or there is no memory.
static bool read_step(decoder_t * d, uint32_t number, bool * waits)
{
  size_t size = proof_step_size(d->ops, d->size, d->at);
  if (size == 0 || size > UINT32_MAX) {
    d->damaged = true;
    return false;
  }
  node_t node = {.at = d->ops + d->at, .size = (uint32_t)size};
  d->at += size;
  *waits = *node.at == PROOF_SPLIT;
  for (uint8_t i = 0; !*waits && i < proof_op(*node.at).children; i++) {
    if (!expect(d, &node.child[i])) {
      return false;
    }
  }
  d->nodes[number] = node;
  return true;
}

/// The goals from `first` on, over one span; afterwards they are gone.
static bool read_span(decoder_t * d, size_t first, uint32_t depth)
{
  size_t waiting = first;
  for (size_t i = first; i < d->goal_count; i++) {
    bool waits;
    uint32_t number = d->goals[i];
    if (!read_step(d, number, &waits)) {
      return false;
    }
    d->goals[waiting] = number;
    waiting += waits;
  }
  if (waiting > first && depth == PROOF_MOST_HALVINGS) {
    d->damaged = true;
    return false;
  }
  for (int half = 0; half < 2 && waiting > first; half++) {
    d->goal_count = waiting;
    for (size_t i = first; i < waiting; i++) {
      uint32_t child;
      if (!expect(d, &child)) {
        return false;
      }
      d->nodes[d->goals[i]].child[half] = child;
    }
    if (!read_span(d, waiting, depth + 1u)) {
      return false;
    }
  }
  d->goal_count = first;
  return true;
}

/// A node and all below it, in pre-order.
static bool put_tree(decoder_t * d, uint32_t root, vouch_text_t * text)
{
  d->goal_count = 0;
  bool memory = add_goal(d, root);
  while (memory && d->goal_count > 0) {
    const node_t * node = &d->nodes[d->goals[--d->goal_count]];
    vouch_text_append_bytes(text, node->at, node->size);
    for (uint8_t i = proof_op(*node->at).children; memory && i-- > 0; ) {
      memory = add_goal(d, node->child[i]);
    }
  }
  return memory && !text->failed;
}

vouch_ret_t proof_decode(
  const uint8_t * ops, size_t size, const bool * has_goal, uint32_t count, vouch_text_t * text,
  proof_stretch_t * pairs)
{
  decoder_t d = {.allocator = text->allocator, .ops = ops, .size = size};
  bool good = true;
  uint32_t goals = 0;
  for (uint32_t i = 0, number; i < count && good; i++) {
    good = !has_goal[i] || expect(&d, &number);
  }
  good = good && read_span(&d, 0, 0);
  for (uint32_t i = 0; i < count && good; i++) {
    size_t begin = text->size;
    good = !has_goal[i] || put_tree(&d, goals++, text);
    pairs[i].size = text->size - begin;
  }
  size_t begin = 0;
  for (uint32_t i = 0; i < count && good; i++) {   // now that the text stays where it is
    pairs[i].ops = (const uint8_t *)text->data + begin;
    begin += pairs[i].size;
  }
  vouch_free(&d.allocator, d.nodes);
  vouch_free(&d.allocator, d.goals);
  if (d.damaged || (good && d.at != size)) {
    return vouch_fail(VOUCH_RET_INVALID, "the certificate is no proof of these pairs");
  }
  return good ? VOUCH_RET_OK : vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the proof");
}
