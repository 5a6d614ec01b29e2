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

/* Kept vertices and witnesses, bottom-up: what a node keeps is chosen among what its children list,
 * so no node ever looks at more than two lists. */

#include <math.h>

#include "base/error.h"
#include "geometry/hull.h"
#include "geometry/lists.h"
#include "geometry/tree.h"

enum
{
  /// Up to so many different points are kept without asking which of them are extreme.
  KEEP_ALL = 8
};

/// A point this close to the kept hull, relative to the size of the geometry, counts as inside it:
/// about the rounding of coordinates that were once binary32, so that flat faces stay flat.
#define RELATIVE_TOLERANCE 3e-8

typedef struct keeper_s
{
  vouch_geometry_t * geometry;
  vouch_allocator_t allocator;
  vouch_hull_t hull;
  uint32_t * position;        // per vertex: its place among the points, valid where stamp is `now`
  uint32_t * stamp;
  uint32_t now;
  uint32_t * points;          // different vertices of both lists
  size_t point_count, point_capacity;
  uint32_t * entries;         // the lists: places among the points
  size_t entry_count, entry_capacity;
  uint32_t * kept;            // of all nodes, last node first
  size_t kept_count, kept_capacity;
  vouch_witness_t * witnesses;
  size_t witness_count, witness_capacity;
  size_t * witness_start;     // per node, in `witnesses`
  double tolerance;
  uint32_t plain;             // vertices from here on have half-axes
} keeper_t;

static bool push_point(keeper_t * k, uint32_t vertex)
{
  if (k->stamp[vertex] != k->now) {
    if (!vouch_grow(
        &k->allocator, &k->points, k->point_count, &k->point_capacity, sizeof(k->points[0])))
    {
      return false;
    }
    k->stamp[vertex] = k->now;
    k->position[vertex] = (uint32_t)k->point_count;
    k->points[k->point_count++] = vertex;
  }
  if (!vouch_grow(
      &k->allocator, &k->entries, k->entry_count, &k->entry_capacity, sizeof(k->entries[0])))
  {
    return false;
  }
  k->entries[k->entry_count++] = k->position[vertex];
  return true;
}

/// What the node keeps is still the keeper's.
static bool push_list(keeper_t * k, const vouch_tree_node_t * node)
{
  vouch_list_t list = node->left == 0 ? vouch_list_of(k->geometry, node) :
    (vouch_list_t) {k->kept + node->kept_first, node->kept_count};
  for (uint32_t i = 0; i < list.count; ++i) {
    if (!push_point(k, list.vertices[i])) {
      return false;
    }
  }
  return true;
}

/// Kept vertices in ascending order of their numbers; mixtures follow.
static void sort_kept(keeper_t * k)
{
  vouch_hull_t * hull = &k->hull;
  for (uint32_t i = 1; i < hull->kept_count; ++i) {
    uint32_t point = hull->kept[i], j = i;
    for (; j > 0 && k->points[hull->kept[j - 1]] > k->points[point]; --j) {
      hull->kept[j] = hull->kept[j - 1];
    }
    hull->kept[j] = point;
  }
  // place[] still tells the old positions.
  uint32_t moved[VOUCH_MAX_KEPT] = {0};
  for (uint32_t i = 0; i < hull->kept_count; ++i) {
    moved[hull->place[hull->kept[i]]] = i;
  }
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    vouch_mixture_t * mixture = &hull->mixtures[i];
    for (uint32_t n = 0; n < mixture->count; ++n) {
      mixture->index[n] = moved[mixture->index[n]];
    }
  }
}

/// Few points: all of them, each its own witness.
static void keep_all(keeper_t * k)
{
  vouch_hull_t * hull = &k->hull;
  hull->kept_count = (uint32_t)k->point_count;
  for (uint32_t i = 0; i < hull->kept_count; ++i) {
    hull->kept[i] = i;
    hull->place[i] = i;
    hull->mixtures[i] = (vouch_mixture_t) {.count = 1, .index = {i}, .weight = {1.0}};
  }
}

/// The largest weight is the one that is not stored: the others are at most 1/2, and their rounding
/// to binary32 costs least.
static vouch_witness_t witness_of(const vouch_mixture_t * mixture)
{
  uint32_t largest = 0;
  for (uint32_t i = 1; i < mixture->count; ++i) {
    largest = mixture->weight[i] > mixture->weight[largest] ? i : largest;
  }
  uint8_t main = (uint8_t)mixture->index[largest];
  vouch_witness_t witness = {.index = {main, main, main, main}, .weight = {0.0f, 0.0f, 0.0f}};
  if (mixture->count == 1) {
    return vouch_witness_kept(main);
  }
  uint32_t slot = 0;
  for (uint32_t i = 0; i < mixture->count; ++i) {
    if (i != largest) {
      witness.index[slot] = (uint8_t)mixture->index[i];
      witness.weight[slot++] = (float)mixture->weight[i];
    }
  }
  return witness;
}

static bool store_node(keeper_t * k, vouch_tree_node_t * node)
{
  const vouch_hull_t * hull = &k->hull;
  node->kept_first = (uint32_t)k->kept_count;
  node->kept_count = hull->kept_count;
  for (uint32_t i = 0; i < hull->kept_count; ++i) {
    if (!vouch_grow(
        &k->allocator, &k->kept, k->kept_count, &k->kept_capacity, sizeof(k->kept[0])))
    {
      return false;
    }
    k->kept[k->kept_count++] = k->points[hull->kept[i]];
  }
  for (size_t i = 0; i < k->entry_count; ++i) {
    if (!vouch_grow(
        &k->allocator, &k->witnesses, k->witness_count, &k->witness_capacity,
        sizeof(k->witnesses[0])))
    {
      return false;
    }
    k->witnesses[k->witness_count++] = witness_of(&hull->mixtures[k->entries[i]]);
  }
  return true;
}

static vouch_ret_t keep_node(keeper_t * k, uint32_t number)
{
  vouch_geometry_t * g = k->geometry;
  vouch_tree_node_t * node = &g->nodes[number];
  k->now += 1;
  k->point_count = 0;
  k->entry_count = 0;
  if (!push_list(k, &g->nodes[node->left]) || !push_list(k, &g->nodes[node->right]) ||
    !vouch_hull_set_points(
      &k->hull, (const double(*)[3])g->vertices, k->points, k->point_count))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  if (k->point_count <= KEEP_ALL) {
    keep_all(k);
  } else {
    for (size_t i = 0; i < k->point_count; ++i) {
      k->hull.size[i] = k->points[i] < k->plain ? 0.0 : vouch_geometry_size(g, k->points[i]);
    }
    vouch_hull_keep(&k->hull, VOUCH_MAX_KEPT, k->tolerance);
  }
  sort_kept(k);
  k->witness_start[number] = k->witness_count;
  if (!store_node(k, node) || k->kept_count > UINT32_MAX || k->witness_count > UINT32_MAX) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "the tree of a geometry needs too much memory");
  }
  return VOUCH_RET_OK;
}

/// Copies both lists to the arena in the order of the nodes.
static vouch_ret_t hand_over(keeper_t * k, vouch_arena_t * arena)
{
  vouch_geometry_t * g = k->geometry;
  g->kept = vouch_arena_calloc(arena, k->kept_count, sizeof(g->kept[0]));
  g->witnesses = vouch_arena_calloc(arena, k->witness_count, sizeof(g->witnesses[0]));
  if (g->kept == NULL || g->witnesses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    vouch_tree_node_t * node = &g->nodes[i];
    node->witness_first = g->witness_count;
    if (node->left == 0) {
      continue;
    }
    memcpy(
      g->kept + g->kept_count, k->kept + node->kept_first, node->kept_count * sizeof(g->kept[0]));
    node->kept_first = g->kept_count;
    g->kept_count += node->kept_count;
    size_t count = (size_t)vouch_list_of(g, &g->nodes[node->left]).count +
      vouch_list_of(g, &g->nodes[node->right]).count;
    memcpy(
      g->witnesses + g->witness_count, k->witnesses + k->witness_start[i],
      count * sizeof(g->witnesses[0]));
    g->witness_count += (uint32_t)count;
  }
  return VOUCH_RET_OK;
}

static double size_of(const vouch_geometry_t * g)
{
  double size = 0.0;
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      size = fabs(g->vertices[i][k]) > size ? fabs(g->vertices[i][k]) : size;
    }
  }
  return size;
}

static vouch_ret_t keep_nodes(keeper_t * k)
{
  for (uint32_t i = k->geometry->node_count; i-- > 0; ) {
    if (k->geometry->nodes[i].left != 0) {
      vouch_ret_t code = keep_node(k, i);
      if (code != VOUCH_RET_OK) {
        return code;
      }
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_tree_keep(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const vouch_allocator_t * allocator)
{
  keeper_t k = {.geometry = geometry, .allocator = *allocator, .hull = {.allocator = *allocator}};
  k.position = vouch_calloc(allocator, geometry->vertex_count, sizeof(k.position[0]));
  k.stamp = vouch_calloc(allocator, geometry->vertex_count, sizeof(k.stamp[0]));
  k.witness_start = vouch_calloc(allocator, geometry->node_count, sizeof(k.witness_start[0]));
  k.tolerance = RELATIVE_TOLERANCE * size_of(geometry);
  k.plain = geometry->vertex_count - geometry->round_count;
  vouch_ret_t code = VOUCH_RET_NO_MEMORY;
  if (k.position != NULL && k.stamp != NULL && k.witness_start != NULL) {
    code = keep_nodes(&k);
    code = code != VOUCH_RET_OK ? code : hand_over(&k, arena);
  }
  vouch_free(allocator, k.position);
  vouch_free(allocator, k.stamp);
  vouch_free(allocator, k.witness_start);
  vouch_free(allocator, k.points);
  vouch_free(allocator, k.entries);
  vouch_free(allocator, k.kept);
  vouch_free(allocator, k.witnesses);
  vouch_hull_fini(&k.hull);
  return code;
}
