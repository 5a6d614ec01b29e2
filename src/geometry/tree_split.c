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

/* Top-down: first shape from shape, then triangle from triangle, each time in halves by the order
 * of the middles along the longest axis of the box around them. Equal middles keep the order in
 * which they came, so the tree does not depend on how the halves are found. */

#include "geometry/tree.h"

#include <math.h>

typedef struct splitter_s
{
  const double (*centres)[3];         // of primitives
  const double (*item_centres)[3];
  const vouch_item_t * items;
  uint32_t * order;                   // primitive numbers
  uint32_t * item_order;
  vouch_tree_node_t * nodes;
  uint32_t node_count, filled;        // nodes made, primitives placed
} splitter_t;

static int longest_axis(const double(*centres)[3], const uint32_t * order, size_t count)
{
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = high[k] = centres[order[0]][k];
  }
  for (size_t i = 1; i < count; ++i) {
    const double * c = centres[order[i]];
    for (int k = 0; k < 3; ++k) {
      low[k] = c[k] < low[k] ? c[k] : low[k];
      high[k] = c[k] > high[k] ? c[k] : high[k];
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (high[k] - low[k] > high[axis] - low[axis]) {
      axis = k;
    }
  }
  return axis;
}

static bool before(const double(*centres)[3], int axis, uint32_t a, uint32_t b)
{
  double x = centres[a][axis], y = centres[b][axis];
  return x < y || (!(y < x) && a < b);
}

static void swap(uint32_t * a, uint32_t * b)
{
  uint32_t t = *a;
  *a = *b;
  *b = t;
}

/// Brings the `half` first ones (a strict order: no two are equal) to the front. Hoare's selection
/// with the middle of three as pivot.
static void select_half(
  const double(*centres)[3], int axis, uint32_t * order, size_t count, size_t half)
{
  size_t low = 0, high = count - 1;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (before(centres, axis, order[middle], order[low])) {
      swap(&order[middle], &order[low]);
    }
    if (before(centres, axis, order[high], order[low])) {
      swap(&order[high], &order[low]);
    }
    if (before(centres, axis, order[high], order[middle])) {
      swap(&order[high], &order[middle]);
    }
    uint32_t pivot = order[middle];
    size_t i = low, j = high;
    while (i <= j) {
      while (before(centres, axis, order[i], pivot)) {
        ++i;
      }
      while (before(centres, axis, pivot, order[j])) {
        --j;
      }
      if (i <= j) {
        swap(&order[i], &order[j]);
        ++i;
        if (j == 0) {
          break;
        }
        --j;
      }
    }
    if (half <= j) {
      high = j;
    } else if (half >= i) {
      low = i;
    } else {
      return;
    }
  }
}

/// Depth is at most 32 + 32, because every step halves.
static uint32_t split_primitives(splitter_t * s, uint32_t * order, uint32_t count)
{
  uint32_t number = s->node_count++;
  vouch_tree_node_t node = {.first = s->filled, .count = count};
  if (count == 1) {
    s->filled += 1;
  } else {
    uint32_t half = count / 2;
    select_half(s->centres, longest_axis(s->centres, order, count), order, count, half);
    node.left = split_primitives(s, order, half);
    node.right = split_primitives(s, order + half, count - half);
  }
  s->nodes[number] = node;
  return number;
}

/// s->order is filled as the items are met, so the primitives of an item lie together.
static uint32_t split_items(splitter_t * s, uint32_t * item_order, size_t count)
{
  if (count == 1) {
    const vouch_item_t * item = &s->items[item_order[0]];
    uint32_t * order = s->order + s->filled;
    for (uint32_t i = 0; i < item->count; ++i) {
      order[i] = item->first + i;
    }
    return split_primitives(s, order, item->count);
  }
  uint32_t number = s->node_count++;
  vouch_tree_node_t node = {.first = s->filled};
  size_t half = count / 2;
  int axis = longest_axis(s->item_centres, item_order, count);
  select_half(s->item_centres, axis, item_order, count, half);
  node.left = split_items(s, item_order, half);
  node.right = split_items(s, item_order + half, count - half);
  node.count = s->filled - node.first;
  s->nodes[number] = node;
  return number;
}

/// The middle of the box around the middles of its primitives.
static void item_centre(const vouch_item_t * item, const double(*centres)[3], double out[3])
{
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = item->first; i < item->first + item->count; ++i) {
      low = centres[i][k] < low ? centres[i][k] : low;
      high = centres[i][k] > high ? centres[i][k] : high;
    }
    out[k] = 0.5 * low + 0.5 * high;
  }
}

vouch_ret_t vouch_tree_split(
  vouch_geometry_t * geometry, const vouch_item_t * items, size_t item_count,
  const double(*centres)[3], uint32_t * order)
{
  // Scratch for the items only; it does not outlive the call.
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  double(*item_centres)[3] = vouch_arena_calloc(&arena, item_count, sizeof(item_centres[0]));
  uint32_t * item_order = vouch_arena_calloc(&arena, item_count, sizeof(item_order[0]));
  if (item_centres == NULL || item_order == NULL) {
    vouch_arena_fini(&arena);
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < item_count; ++i) {
    item_order[i] = (uint32_t)i;
    item_centre(&items[i], centres, item_centres[i]);
  }
  splitter_t splitter = {
    .centres = centres, .item_centres = (const double(*)[3])item_centres, .items = items,
    .order = order, .item_order = item_order, .nodes = geometry->nodes,
  };
  (void)split_items(&splitter, item_order, item_count);
  geometry->node_count = splitter.node_count;
  vouch_arena_fini(&arena);
  return VOUCH_RET_OK;
}
