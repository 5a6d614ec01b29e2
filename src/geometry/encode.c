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

/// Matches the edges of solids in order; twins by primitive. False: no memory.
static bool match_edges(const vouch_geometry_t * g, uint32_t * twins, vouch_arena_t * arena)
{
  size_t count = 3 * (size_t)g->primitive_count;
  uint32_t * next = vouch_arena_calloc(arena, count, sizeof(next[0]));   // 1 + edge, as a chain
  vouch_edge_table_t edges;
  if (next == NULL || !vouch_edges_init(&edges, &arena->allocator, count)) {
    return false;
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
  return true;
}

/// Nodes and primitives have the same order, so matching primitives in order is matching nodes.
uint32_t * vouch_geometry_twins(const vouch_geometry_t * g, vouch_arena_t * arena)
{
  uint32_t * twins = vouch_arena_calloc(arena, 3 * (size_t)g->primitive_count, sizeof(twins[0]));
  uint32_t * node_of = vouch_arena_calloc(arena, g->primitive_count, sizeof(node_of[0]));
  if (twins == NULL || node_of == NULL || !match_edges(g, twins, arena)) {
    return NULL;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    if (g->nodes[i].left == 0) {
      node_of[g->nodes[i].first] = i;
    }
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    bool solid = g->components[g->primitives[i].component] == VOUCH_COMPONENT_SOLID;
    for (uint32_t k = 0; solid && k < 3; ++k) {
      uint32_t * twin = &twins[3 * i + k];
      *twin = 3 * node_of[*twin / 3] + *twin % 3;
    }
  }
  return twins;
}

/// What the lists of a node's children are.
static void lists_below(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, vouch_list_t lists[2])
{
  lists[0] = vouch_list_of(g, &g->nodes[node->left]);
  lists[1] = vouch_list_of(g, &g->nodes[node->right]);
}

/// Per node: it keeps all that its children do, and its list is left out; unless the node above has
/// witnesses, which go by the order of the list. NULL: no memory.
static bool * find_whole(const vouch_geometry_t * g, vouch_kept_t * kept, vouch_arena_t * arena)
{
  bool * whole = vouch_arena_calloc(arena, g->node_count, sizeof(whole[0]));
  for (uint32_t i = g->node_count; i-- > 0 && whole != NULL && !g->spelled; ) {
    const vouch_tree_node_t * node = &g->nodes[i];
    if (node->left != 0) {
      vouch_list_t lists[2];
      lists_below(g, node, lists);
      whole[i] = vouch_is_union(kept, vouch_list_of(g, node), lists);
      whole[node->left] = whole[node->left] && whole[i];
      whole[node->right] = whole[node->right] && whole[i];
    }
  }
  return whole;
}

static void put_tables(const vouch_geometry_t * g, const bool * whole, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, g->vertex_count);
  vouch_bytes_put_f64(out, g->vertices[0], 3 * (size_t)g->vertex_count);
  vouch_bytes_put_u32(out, g->round_count);
  if (g->round_count > 0) {
    vouch_bytes_put_f64(out, g->rounds[0], 9 * (size_t)g->round_count);
  }
  vouch_bytes_put_u32(out, g->node_count);
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    const vouch_primitive_t * p = &g->primitives[node->first];
    bool solid = node->left == 0 && g->components[p->component] == VOUCH_COMPONENT_SOLID;
    const uint32_t record[4] = {
      node->right, whole[i] ? 0 : vouch_list_of(g, node).count, solid ? p->component + 1 : 0,
      i == g->open_node
    };
    vouch_bytes_put_u32s(out, record, 4);
  }
}

static void put_witness(const vouch_witness_t * witness, vouch_text_t * out)
{
  vouch_bytes_put_f32(out, witness->weight, 3);
  vouch_text_append_bytes(out, witness->index, sizeof(witness->index));
}

/// Those of the points that the node does not keep.
static void put_witnesses(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, vouch_kept_t * kept,
  vouch_text_t * out)
{
  const vouch_witness_t * witness = g->witnesses + node->witness_first;
  vouch_list_t lists[2];
  lists_below(g, node, lists);
  vouch_kept_of(kept, vouch_list_of(g, node));
  for (int c = 0; c < 2; ++c) {
    for (uint32_t i = 0; i < lists[c].count; ++i, ++witness) {
      if (!vouch_is_kept(kept, lists[c].vertices[i])) {
        put_witness(witness, out);
      }
    }
  }
}

static void put_node(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, const uint32_t * twins,
  vouch_kept_t * kept, vouch_text_t * out)
{
  vouch_list_t list = vouch_list_of(g, node);
  vouch_bytes_put_u32s(out, list.vertices, list.count);
  if (node->left != 0) {
    put_witnesses(g, node, kept, out);
  } else if (g->components[g->primitives[node->first].component] == VOUCH_COMPONENT_SOLID) {
    vouch_bytes_put_u32s(out, twins + 3 * (size_t)node->first, 3);
  }
}

void vouch_geometry_encode(const vouch_geometry_t * g, vouch_text_t * out)
{
  vouch_arena_t arena = {.allocator = out->allocator};
  vouch_kept_t kept;
  bool memory = vouch_kept_init(&kept, &arena, g->vertex_count);
  const uint32_t * twins = memory ? vouch_geometry_twins(g, &arena) : NULL;
  const bool * whole = memory ? find_whole(g, &kept, &arena) : NULL;
  if (twins == NULL || whole == NULL) {
    out->failed = true;
  } else {
    put_tables(g, whole, out);
    for (uint32_t i = g->node_count; i-- > 0; ) {
      if (!whole[i]) {
        put_node(g, &g->nodes[i], twins, &kept, out);
      }
    }
  }
  vouch_arena_fini(&arena);
}
