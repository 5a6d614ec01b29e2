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

/* The numbers of vertices and components.
 *
 * Each connected part is numbered from one of its vertices on, breadth first: whatever is reached
 * through a primitive gets a higher number than the vertex that it was reached from, and so is
 * joined; only the first one is not. Plain vertices come before round ones, which does not
 * change that: no primitive but a cone has both, and it shares no vertex. */

#include <math.h>

#include "geometry/builder.h"
#include "geometry/lists.h"

/// Which primitives each vertex is a point of: [start[v] .. start[v + 1]) of `primitives`.
typedef struct uses_s
{
  uint32_t * start, * primitives;
} uses_t;

static bool find_uses(
  uses_t * uses, const vouch_geometry_t * g, size_t vertex_count, vouch_arena_t * arena)
{
  uses->start = vouch_arena_calloc(arena, vertex_count + 2, sizeof(uses->start[0]));
  uses->primitives = vouch_arena_calloc(arena, g->index_count, sizeof(uses->primitives[0]));
  if (uses->start == NULL || uses->primitives == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->index_count; ++i) {   // two places on: the next loops move them up
    uses->start[g->indices[i] + 2] += 1;
  }
  for (size_t v = 2; v < vertex_count + 2; ++v) {
    uses->start[v] += uses->start[v - 1];
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    for (uint32_t k = 0; k < p->count; ++k) {
      uses->primitives[uses->start[g->indices[p->first + k] + 1]++] = i;
    }
  }
  return true;
}

typedef struct numberer_s
{
  const vouch_geometry_builder_t * builder;
  const vouch_geometry_t * geometry;
  uses_t uses;
  uint32_t * number;               // per vertex of the builder; 0: none yet
  bool * done;                     // per primitive: all its vertices have numbers
  uint32_t * queue;
  uint32_t reached;                // length of the queue
  uint32_t next_plain, next_round;
} numberer_t;

static void reach(numberer_t * n, uint32_t vertex)
{
  if (n->number[vertex] == 0) {
    bool round = n->builder->round_of[vertex] != VOUCH_NONE;
    n->number[vertex] = round ? n->next_round++ : n->next_plain++;
    n->queue[n->reached++] = vertex;
  }
}

static void number_part(numberer_t * n, uint32_t first)
{
  uint32_t taken = n->reached;
  reach(n, first);
  for (; taken < n->reached; ++taken) {
    uint32_t vertex = n->queue[taken];
    for (uint32_t i = n->uses.start[vertex]; i < n->uses.start[vertex + 1]; ++i) {
      const vouch_primitive_t * p = &n->geometry->primitives[n->uses.primitives[i]];
      bool * done = &n->done[n->uses.primitives[i]];
      for (uint32_t k = 0; k < p->count && !*done; ++k) {
        reach(n, n->geometry->indices[p->first + k]);
      }
      *done = true;
    }
  }
}

/// Turns a triangle so that its lowest number is first; sorts other lists, which are nearly sorted.
static void order_list(const vouch_primitive_t * p, uint32_t * list)
{
  if (p->kind == VOUCH_PRIMITIVE_TRIANGLE) {
    uint32_t a = list[0], b = list[1], c = list[2];
    int turn = b < a && b <= c ? 1 : c < a && c < b ? 2 : 0;
    list[0] = turn == 0 ? a : turn == 1 ? b : c;
    list[1] = turn == 0 ? b : turn == 1 ? c : a;
    list[2] = turn == 0 ? c : turn == 1 ? a : b;
    return;
  }
  vouch_list_sort(list, p->count);
}

void vouch_geometry_middle(const vouch_geometry_t * g, double middle[3])
{
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 1; i < g->vertex_count; ++i) {
      low = g->vertices[i][k] < low ? g->vertices[i][k] : low;
      high = g->vertices[i][k] > high ? g->vertices[i][k] : high;
    }
    middle[k] = 0.5 * low + 0.5 * high + 0.0;
  }
}

static void write_vertices(const numberer_t * n, vouch_geometry_t * out)
{
  const vouch_geometry_builder_t * b = n->builder;
  uint32_t plain = out->vertex_count - out->round_count;
  for (size_t v = 0; v < b->vertex_count; ++v) {
    uint32_t number = n->number[v];
    memcpy(out->vertices[number], b->vertices[v], sizeof(out->vertices[0]));
    if (number >= plain) {
      memcpy(out->rounds[number - plain], b->rounds[b->round_of[v]], sizeof(out->rounds[0]));
    }
  }
  vouch_geometry_middle(out, out->vertices[0]);
  for (uint32_t i = 0; i < out->index_count; ++i) {
    out->indices[i] = n->number[out->indices[i]];
  }
  for (uint32_t i = 0; i < out->primitive_count; ++i) {
    order_list(&out->primitives[i], out->indices + out->primitives[i].first);
  }
}

vouch_ret_t vouch_number_vertices(const vouch_geometry_builder_t * builder, vouch_geometry_t * out)
{
  vouch_arena_t arena = {.allocator = builder->allocator};
  numberer_t n = {
    .builder = builder, .geometry = out, .next_plain = 1,
    .next_round = out->vertex_count - out->round_count,
    .number = vouch_arena_calloc(&arena, builder->vertex_count, sizeof(n.number[0])),
    .queue = vouch_arena_calloc(&arena, builder->vertex_count, sizeof(n.queue[0])),
    .done = vouch_arena_calloc(&arena, out->primitive_count, sizeof(n.done[0])),
  };
  bool memory = n.number != NULL && n.queue != NULL && n.done != NULL &&
    find_uses(&n.uses, out, builder->vertex_count, &arena);
  if (memory) {
    for (uint32_t i = 0; i < out->primitive_count; ++i) {
      if (!n.done[i]) {
        number_part(&n, out->indices[out->primitives[i].first]);
      }
    }
    write_vertices(&n, out);
  }
  vouch_arena_fini(&arena);
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- components ---- */

bool vouch_has_plain_corners(const vouch_geometry_t * g, const vouch_primitive_t * p)
{
  uint32_t plain = g->vertex_count - g->round_count;
  const uint32_t * list = g->indices + p->first;
  return p->count == 3 && list[0] < plain && list[1] < plain && list[2] < plain;
}

uint32_t vouch_put_components(vouch_geometry_t * g, const uint8_t * kinds, uint32_t solids)
{
  uint32_t count = solids, open = VOUCH_NONE, surface = VOUCH_NONE;
  memset(g->components, VOUCH_COMPONENT_SOLID, solids);
  for (int kind = VOUCH_COMPONENT_OPEN; kind >= VOUCH_COMPONENT_SURFACE; kind -= 2) {
    uint32_t * component = kind == VOUCH_COMPONENT_OPEN ? &open : &surface;
    for (uint32_t i = 0; i < g->primitive_count; ++i) {
      if (kinds[i] == kind) {
        *component = *component == VOUCH_NONE ? count++ : *component;
        g->primitives[i].component = *component;
        g->components[*component] = (uint8_t)kind;
      }
    }
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    g->primitives[i].kind = kinds[i] == VOUCH_COMPONENT_CONVEX ?
      VOUCH_PRIMITIVE_HULL : VOUCH_PRIMITIVE_TRIANGLE;
    if (kinds[i] == VOUCH_COMPONENT_CONVEX) {
      g->components[count] = VOUCH_COMPONENT_CONVEX;
      g->primitives[i].component = count++;
    }
  }
  return count;
}

/// A hull of three plain points is a triangle: nobody could tell them apart.
vouch_ret_t vouch_number_components(
  const vouch_geometry_builder_t * builder, vouch_geometry_t * out)
{
  vouch_arena_t arena = {.allocator = builder->allocator};
  uint8_t * kinds = vouch_arena_calloc(&arena, out->primitive_count, 1);
  uint32_t * solid = vouch_arena_calloc(&arena, builder->component_count, sizeof(solid[0]));
  bool memory = kinds != NULL && solid != NULL;
  uint32_t solids = 0;
  for (uint32_t i = 0; memory && i < out->primitive_count; ++i) {
    vouch_primitive_t * p = &out->primitives[i];
    kinds[i] = builder->components[p->component];
    if (kinds[i] == VOUCH_COMPONENT_CONVEX && vouch_has_plain_corners(out, p)) {
      kinds[i] = VOUCH_COMPONENT_SURFACE;
    }
    if (kinds[i] == VOUCH_COMPONENT_SOLID) {
      uint32_t * number = &solid[p->component];
      *number = *number == 0 ? ++solids : *number;
      p->component = *number - 1;
    }
  }
  if (memory) {
    out->component_count = vouch_put_components(out, kinds, solids);
  }
  vouch_arena_fini(&arena);
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}
