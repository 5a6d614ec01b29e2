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

/* Edges of triangles, counted in both directions. Private to geometry/. */

#ifndef GEOMETRY__EDGES_H_
#define GEOMETRY__EDGES_H_

#include "base/memory.h"
#include "vouch/types.h"

typedef struct vouch_edge_s
{
  uint32_t a, b;         // a < b; equal: a free slot
  uint32_t component;    // edges of different components are counted apart
  uint32_t triangle;     // the first one seen
  uint32_t forward, backward;
} vouch_edge_t;

typedef struct vouch_edge_table_s
{
  vouch_edge_t * slots;
  size_t size;           // a power of two, at most half full
} vouch_edge_table_t;

/// A hash of two words; also for other tables.
static inline uint64_t vouch_edge_mix(uint64_t x)
{
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ (x >> 32);
}

/// The smallest power of two that leaves a table of `count` entries at most half full.
static inline size_t vouch_table_size(size_t count)
{
  size_t size = 16;
  while (size / 2 < count) {
    size *= 2;
  }
  return size;
}

/// Room for `count` edges; false when there is no memory.
static inline bool vouch_edges_init(
  vouch_edge_table_t * table, const vouch_allocator_t * allocator, size_t count)
{
  table->size = vouch_table_size(count);
  table->slots = vouch_calloc(allocator, table->size, sizeof(table->slots[0]));
  return table->slots != NULL;
}

/// The entry of the edge between two different vertices, made if it was not there.
static inline vouch_edge_t * vouch_edges_find(
  const vouch_edge_table_t * table, uint32_t from, uint32_t to, uint32_t component)
{
  uint32_t a = from < to ? from : to, b = from < to ? to : from;
  uint64_t hash = vouch_edge_mix((uint64_t)a << 32 | b) + component * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(hash ^ (hash >> 29)) & (table->size - 1);
  vouch_edge_t * edge = &table->slots[slot];
  while (edge->a != edge->b && (edge->a != a || edge->b != b || edge->component != component)) {
    slot = (slot + 1) & (table->size - 1);
    edge = &table->slots[slot];
  }
  if (edge->a == edge->b) {
    edge->a = a;
    edge->b = b;
    edge->component = component;
  }
  return edge;
}

/// Counts the edge in its direction.
static inline void vouch_edges_count(vouch_edge_t * edge, uint32_t from, uint32_t triangle)
{
  if (edge->forward + edge->backward == 0) {
    edge->triangle = triangle;
  }
  if (from == edge->a) {
    edge->forward += 1;
  } else {
    edge->backward += 1;
  }
}

static inline bool vouch_triangle_is_degenerate(const uint32_t t[3])
{
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

#endif  // GEOMETRY__EDGES_H_
