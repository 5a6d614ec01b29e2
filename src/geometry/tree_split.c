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

/* Top-down: first what is open from what is not, then shape from shape, then triangle from
 * triangle, the latter each time in halves by the order of the middles along the longest axis of
 * the box around them. Equal middles keep the order in which they came, so the tree does not
 * depend on how the halves are found. */

#include "geometry/tree.h"

#include <math.h>

typedef struct splitter_s
{
  const vouch_tree_input_t * input;
  bool open;                          // the part at hand: open primitives, or the others
  double (*item_centres)[3];          // of that part
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
    const double(*centres)[3] = s->input->centres;
    select_half(centres, longest_axis(centres, order, count), order, count, half);
    node.left = split_primitives(s, order, half);
    node.right = split_primitives(s, order + half, count - half);
  }
  s->nodes[number] = node;
  return number;
}

/// s->order is filled as the items are met, so the primitives of an item lie together, those of
/// this part.
static uint32_t split_items(splitter_t * s, uint32_t * item_order, size_t count)
{
  if (count == 1) {
    const vouch_item_t * item = &s->input->items[item_order[0]];
    uint32_t * order = s->order + s->filled, found = 0;
    for (uint32_t i = item->first; i < item->first + item->count; ++i) {
      if (s->input->open[i] == s->open) {
        order[found++] = i;
      }
    }
    return split_primitives(s, order, found);
  }
  uint32_t number = s->node_count++;
  vouch_tree_node_t node = {.first = s->filled};
  size_t half = count / 2;
  const double(*centres)[3] = (const double(*)[3])s->item_centres;
  select_half(centres, longest_axis(centres, item_order, count), item_order, count, half);
  node.left = split_items(s, item_order, half);
  node.right = split_items(s, item_order + half, count - half);
  node.count = s->filled - node.first;
  s->nodes[number] = node;
  return number;
}

/// The middle of the box around the middles of the item's primitives of this part; false: it has
/// none.
static bool item_centre(const splitter_t * s, const vouch_item_t * item, double out[3])
{
  bool some = false;
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = item->first; i < item->first + item->count; ++i) {
    const double * c = s->input->centres[i];
    bool ours = s->input->open[i] == s->open;
    for (int k = 0; ours && k < 3; ++k) {
      low[k] = c[k] < low[k] ? c[k] : low[k];
      high[k] = c[k] > high[k] ? c[k] : high[k];
    }
    some = some || ours;
  }
  for (int k = 0; k < 3; ++k) {
    out[k] = some ? 0.5 * low[k] + 0.5 * high[k] : 0.0;
  }
  return some;
}

/// Begins with one part: how many items have primitives of it.
static size_t begin_part(splitter_t * s, bool open)
{
  size_t count = 0;
  s->open = open;
  for (size_t i = 0; i < s->input->item_count; ++i) {
    if (item_centre(s, &s->input->items[i], s->item_centres[i])) {
      s->item_order[count++] = (uint32_t)i;
    }
  }
  return count;
}

/// All open primitives come behind all others; where there are both, the root divides them.
static void split_parts(splitter_t * s, vouch_geometry_t * geometry)
{
  uint32_t open = 0;
  for (uint32_t i = 0; i < geometry->primitive_count; ++i) {
    open += s->input->open[i];
  }
  geometry->open_node = open == 0 ? VOUCH_NONE : 0;
  if (open == 0 || open == geometry->primitive_count) {
    (void)split_items(s, s->item_order, begin_part(s, open > 0));
    return;
  }
  s->node_count = 1;
  vouch_tree_node_t root = {.count = geometry->primitive_count};
  root.left = split_items(s, s->item_order, begin_part(s, false));
  root.right = split_items(s, s->item_order, begin_part(s, true));
  s->nodes[0] = root;
  geometry->open_node = root.right;
}

vouch_ret_t vouch_tree_split(
  vouch_geometry_t * geometry, const vouch_tree_input_t * input, uint32_t * order,
  const vouch_allocator_t * allocator)
{
  vouch_arena_t arena = {.allocator = *allocator};
  splitter_t splitter = {
    .input = input, .order = order, .nodes = geometry->nodes,
    .item_centres =
      vouch_arena_calloc(&arena, input->item_count, sizeof(splitter.item_centres[0])),
    .item_order = vouch_arena_calloc(&arena, input->item_count, sizeof(splitter.item_order[0])),
  };
  bool memory = splitter.item_centres != NULL && splitter.item_order != NULL;
  if (memory) {
    split_parts(&splitter, geometry);
    geometry->node_count = splitter.node_count;
  }
  vouch_arena_fini(&arena);
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}
