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

/* A geometry to bytes. */

#include "base/bytes.h"
#include "geometry/codec.h"
#include "geometry/edges.h"

/// The table says how many triangles pass an edge each way; here they are matched in order.
uint32_t * vouch_geometry_twins(const vouch_geometry_t * g, vouch_arena_t * arena)
{
  size_t count = 3 * (size_t)g->primitive_count;
  uint32_t * twins = vouch_arena_calloc(arena, count, sizeof(twins[0]));
  uint32_t * next = vouch_arena_calloc(arena, count, sizeof(next[0]));   // 1 + edge, as a chain
  vouch_edge_table_t edges;
  if (twins == NULL || next == NULL || !vouch_edges_init(&edges, &arena->allocator, count)) {
    return NULL;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const uint32_t * corner = g->indices + g->primitives[i].first;
    if (g->components[g->primitives[i].component] != VOUCH_COMPONENT_SOLID) {
      continue;
    }
    for (uint32_t k = 0; k < 3; ++k) {
      uint32_t e = 3 * i + k, from = corner[k], to = corner[(k + 1) % 3];
      if (from == to) {
        twins[e] = e;
        continue;
      }
      // forward and backward head the chains of edges that wait for a twin, last come first.
      vouch_edge_t * edge = vouch_edges_find(&edges, from, to, g->primitives[i].component);
      uint32_t * own = from == edge->a ? &edge->forward : &edge->backward;
      uint32_t * other = from == edge->a ? &edge->backward : &edge->forward;
      if (*other != 0) {
        uint32_t twin = *other - 1;
        *other = next[twin];
        twins[e] = twin;
        twins[twin] = e;
      } else {
        next[e] = *own;
        *own = e + 1;
      }
    }
  }
  vouch_free(&arena->allocator, edges.slots);
  return twins;
}

static void put_vertices(const vouch_geometry_t * g, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, g->vertex_count + g->curved_count);
  if (g->vertex_count > 0) {
    vouch_bytes_put_f64(out, g->vertices[0], 3 * (size_t)g->vertex_count);
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    if (is_curved(&g->primitives[i])) {
      vouch_bytes_put_f64(out, g->curved[g->primitives[i].first].pose.translation, 3);
    }
  }
}

static void put_component(
  const vouch_geometry_t * g, uint8_t kind, const vouch_primitive_t * first, vouch_text_t * out)
{
  vouch_curved_t curved = {.pose = {.rotation = {0.0, 0.0, 0.0, 1.0}}};
  if (is_curved(first)) {
    curved = g->curved[first->first];
    shape_of(first->kind, curved.size, curved.shape);
  }
  vouch_bytes_put_f64(out, curved.pose.rotation, 4);
  vouch_bytes_put_f64(out, curved.shape, 4);
  vouch_bytes_put_f64(out, &first->radius, 1);
  vouch_bytes_put_u32(out, kind);
  vouch_bytes_put_u32(out, first->kind == VOUCH_PRIMITIVE_CONE ? 1 : 0);
  vouch_bytes_put_u32(out, first->count);
  vouch_bytes_put_u32(out, 0);
}

static bool put_components(const vouch_geometry_t * g, vouch_arena_t * arena, vouch_text_t * out)
{
  const vouch_primitive_t ** first = vouch_arena_calloc(arena, g->component_count, sizeof(*first));
  if (first == NULL) {
    return false;
  }
  for (uint32_t i = g->primitive_count; i-- > 0; ) {
    first[g->primitives[i].component] = &g->primitives[i];
  }
  vouch_bytes_put_u32(out, g->component_count);
  for (uint32_t i = 0; i < g->component_count; ++i) {
    put_component(g, g->components[i], first[i], out);
  }
  return true;
}

static void put_numbers(const vouch_geometry_t * g, vouch_text_t * out)
{
  uint32_t count = g->curved_count, curved = g->vertex_count;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    count += is_curved(&g->primitives[i]) ? 0 : g->primitives[i].count;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    count += g->nodes[i].kept_count;
  }
  vouch_bytes_put_u32(out, count);
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    if (is_curved(p)) {
      vouch_bytes_put_u32(out, curved++);
    } else {
      vouch_bytes_put_u32s(out, g->indices + p->first, p->count);
    }
  }
  for (uint32_t i = g->node_count; i-- > 0; ) {
    const vouch_tree_node_t * node = &g->nodes[i];
    if (node->kept_count > 0) {
      vouch_bytes_put_u32s(out, g->kept + node->kept_first, node->kept_count);
    }
  }
}

/// Those of points that are not kept; returns how many. Writes only if `out` is not NULL.
static uint32_t put_mixtures(const vouch_geometry_t * g, kept_t * kept, vouch_text_t * out)
{
  uint32_t count = 0;
  for (uint32_t n = g->node_count; n-- > 0; ) {
    const vouch_tree_node_t * node = &g->nodes[n];
    if (node->kept_count == 0) {
      continue;
    }
    kept_of(kept, g, node);
    const vouch_witness_t * witness = g->witnesses + node->witness_first;
    const uint32_t children[2] = {node->left, node->right};
    for (int c = 0; c < 2; ++c) {
      vouch_list_t list = vouch_list_of(g, &g->nodes[children[c]]);
      for (uint32_t i = 0; i < list.count; ++i, ++witness) {
        if (kept->stamp[list.vertices[i]] == kept->now) {
          continue;
        }
        count += 1;
        if (out != NULL) {
          vouch_bytes_put_f32(out, witness->weight, 3);
        }
        for (int k = 0; out != NULL && k < 4; ++k) {
          vouch_bytes_put_u8(out, witness->index[k]);
        }
      }
    }
  }
  return count;
}

void vouch_geometry_encode(const vouch_geometry_t * g, vouch_text_t * out)
{
  vouch_arena_t arena = {.allocator = out->allocator};
  kept_t kept;
  put_vertices(g, out);
  bool memory = put_components(g, &arena, out) && kept_init(&kept, &arena, g->vertex_count);
  uint32_t * twins = memory ? vouch_geometry_twins(g, &arena) : NULL;
  if (twins == NULL) {
    out->failed = true;
    vouch_arena_fini(&arena);
    return;
  }
  vouch_bytes_put_u32(out, g->primitive_count);
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    vouch_bytes_put_u32(out, g->primitives[i].component);
  }
  vouch_bytes_put_u32(out, g->node_count);
  for (uint32_t i = 0; i < g->node_count; ++i) {
    bool childless = g->nodes[i].left == 0;
    vouch_bytes_put_u8(out, childless ? (uint8_t)CHILDLESS : (uint8_t)g->nodes[i].kept_count);
  }
  put_numbers(g, out);
  vouch_bytes_put_u32(out, put_mixtures(g, &kept, NULL));
  (void)put_mixtures(g, &kept, out);
  vouch_bytes_put_u32(out, 3 * g->primitive_count);
  vouch_bytes_put_u32s(out, twins, 3 * (size_t)g->primitive_count);
  vouch_arena_fini(&arena);
}
