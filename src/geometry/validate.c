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

/* Every rule of geometry.h and docs/certificate_format.md about a geometry: here those that a proof
 * relies on, in form.c those that only make one geometry one file. Linear in its size, whatever its tree
 * looks like, because files come from anywhere. */

#include <math.h>

#include "base/error.h"
#include "geometry/edges.h"
#include "geometry/form.h"
#include "geometry/geometry.h"
#include "geometry/lists.h"
#include "geometry/limits.h"

static bool all_coordinates(const double * values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (!vouch_is_coordinate(values[i])) {
      return false;
    }
  }
  return true;
}

static vouch_ret_t check_numbers(const vouch_geometry_t * g)
{
  if (g->vertex_count == 0 || g->round_count >= g->vertex_count) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%u of %u vertices are round: vertex 0 is not", g->round_count,
      g->vertex_count);
  }
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    if (!all_coordinates(g->vertices[i], 3)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "vertex %u has a coordinate that is not finite or above 1e6", i);
    }
  }
  for (uint32_t i = 0; i < g->round_count; ++i) {
    if (!all_coordinates(g->rounds[i], 9)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "vertex %u has a half-axis that is not finite or above 1e6",
        g->vertex_count - g->round_count + i);
    }
  }
  return VOUCH_RET_OK;
}

/* ---- primitives ---- */

/// In range, vertex 0 left out; each larger than the one before if `ascending`, else no smaller
/// than the first.
static bool list_ok(const vouch_geometry_t * g, vouch_list_t list, bool ascending)
{
  for (uint32_t i = 0; i < list.count; ++i) {
    uint32_t vertex = list.vertices[i];
    if (vertex == 0 || vertex >= g->vertex_count ||
      (i > 0 && (ascending ? vertex <= list.vertices[i - 1] : vertex < list.vertices[0])))
    {
      return false;
    }
  }
  return list.count > 0;
}

static vouch_ret_t check_primitive(const vouch_geometry_t * g, uint32_t number, uint32_t next)
{
  const vouch_primitive_t * p = &g->primitives[number];
  if (p->component >= g->component_count) {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u belongs to component %u of %u", number, p->component,
      g->component_count);
  }
  if (p->first != next || p->count > g->index_count - next) {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u: its points %u + %u are out of range, or do not follow "
      "those of the primitives before", number, p->first,
      p->count);
  }
  vouch_list_t list = {g->indices + p->first, p->count};
  if (!list_ok(g, list, p->count != 3 || p->kind != VOUCH_PRIMITIVE_TRIANGLE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u: its points are not there or not in order (ascending; of a "
      "triangle the lowest first)", number);
  }
  bool triangle = g->components[p->component] != VOUCH_COMPONENT_CONVEX;
  if (triangle != vouch_has_plain_corners(g, p) ||
    p->kind != (triangle ? VOUCH_PRIMITIVE_TRIANGLE : VOUCH_PRIMITIVE_HULL))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u: triangles (three points without half-axes) belong to "
      "surface, solid or open components and everything else to convex ones", number);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_primitives(const vouch_geometry_t * g)
{
  uint32_t points = 0;
  if (g->primitive_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the geometry is empty");
  }
  for (uint32_t i = 0; i < g->component_count; ++i) {
    if (g->components[i] > VOUCH_COMPONENT_CONVEX) {
      return vouch_fail(
        VOUCH_RET_INVALID, "component %u has the unknown kind %u", i, g->components[i]);
    }
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    vouch_ret_t code = check_primitive(g, i, points);
    if (code != VOUCH_RET_OK) {
      return code;
    }
    points += g->primitives[i].count;
  }
  return points == g->index_count ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "the primitives have %u points, but there are %u indices", points,
    g->index_count);
}

/// Solid components must be closed, or what rays tell of them would mean nothing: every edge with
/// as many triangles one way as the other, degenerate triangles aside.
static vouch_ret_t check_solids(const vouch_geometry_t * g)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  size_t triangles = 0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    triangles += g->components[g->primitives[i].component] == VOUCH_COMPONENT_SOLID;
  }
  vouch_edge_table_t edges;
  if (!vouch_edges_init(&edges, &allocator, 3 * triangles)) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    const uint32_t * corner = g->indices + p->first;
    bool counts = g->components[p->component] == VOUCH_COMPONENT_SOLID &&
      !vouch_triangle_is_degenerate(corner);
    for (int k = 0; k < 3 && counts; ++k) {
      uint32_t from = corner[k], to = corner[(k + 1) % 3];
      vouch_edges_count(vouch_edges_find(&edges, from, to, p->component), from, i);
    }
  }
  vouch_ret_t code = VOUCH_RET_OK;
  for (size_t i = 0; i < edges.size && code == VOUCH_RET_OK; ++i) {
    const vouch_edge_t * edge = &edges.slots[i];
    if (edge->forward != edge->backward) {
      code = vouch_fail(
        VOUCH_RET_INVALID, "component %u is called solid, but it is open at the edge from vertex "
        "%u to %u", edge->component, edge->a,
        edge->b);
    }
  }
  vouch_free(&allocator, edges.slots);
  return code;
}

/* ---- tree ---- */

/// Requires: the nodes behind it are in order; of each, `ends` has the first node that is neither it nor
/// beneath it.
static vouch_ret_t check_node(const vouch_geometry_t * g, uint32_t number, uint32_t * ends)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  if (node->first >= g->primitive_count || node->count == 0 ||
    node->count > g->primitive_count - node->first)
  {
    return vouch_fail(VOUCH_RET_INVALID, "node %u: its primitives are out of range", number);
  }
  if (node->left == 0) {
    ends[number] = number + 1;
    return node->right == 0 && node->count == 1 && node->kept_count == 0 ? VOUCH_RET_OK :
           vouch_fail(
      VOUCH_RET_INVALID, "node %u has no left child, but a right one, several primitives or kept "
      "vertices", number);
  }
  if (node->left != number + 1 || node->right <= node->left || node->right >= g->node_count ||
    ends[node->left] != node->right)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u: its children %u and %u are not the next node and the one behind "
      "all beneath that", number, node->left, node->right);
  }
  const vouch_tree_node_t * left = &g->nodes[node->left], * right = &g->nodes[node->right];
  if (left->first != node->first || left->count >= node->count ||
    right->first != node->first + left->count || right->count != node->count - left->count)
  {
    return vouch_fail(VOUCH_RET_INVALID, "node %u: its children do not tile it", number);
  }
  ends[number] = ends[node->right];
  return VOUCH_RET_OK;
}

static vouch_ret_t check_tree(const vouch_geometry_t * g, uint32_t * ends)
{
  if (g->node_count == 0 || g->nodes[0].first != 0 || g->nodes[0].count != g->primitive_count) {
    return vouch_fail(VOUCH_RET_INVALID, "node 0 must cover all primitives");
  }
  for (uint32_t i = g->node_count; i-- > 0; ) {
    vouch_ret_t code = check_node(g, i, ends);
    if (code != VOUCH_RET_OK) {
      return code;
    }
  }
  return ends[0] == g->node_count ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "node %u has no parent", ends[0]);
}

static vouch_ret_t check_open(const vouch_geometry_t * g)
{
  bool some = g->open_node != VOUCH_NONE;
  if (some && g->open_node >= g->node_count) {
    return vouch_fail(VOUCH_RET_INVALID, "the open node %u is not there", g->open_node);
  }
  uint32_t first = some ? g->nodes[g->open_node].first : 0;
  uint32_t end = some ? first + g->nodes[g->open_node].count : 0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    bool open = g->components[g->primitives[i].component] == VOUCH_COMPONENT_OPEN;
    if (open != (first <= i && i < end)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "primitive %u: the open ones, and no others, must be beneath the open "
        "node", i);
    }
  }
  return VOUCH_RET_OK;
}

/// Requires: the node has children.
static vouch_ret_t check_kept(const vouch_geometry_t * g, uint32_t number, uint32_t next)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  if (node->kept_count == 0 || node->kept_count > VOUCH_MAX_KEPT) {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u keeps %u vertices: at least 1, at most %d are allowed", number,
      node->kept_count, VOUCH_MAX_KEPT);
  }
  if (node->kept_first != next || node->kept_count > g->kept_count - next) {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u: its kept vertices are out of range, or do not follow those of "
      "the nodes before", number);
  }
  return list_ok(g, vouch_list_of(g, node), true) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "node %u: its kept vertices are not there or not in ascending order",
    number);
}

static vouch_ret_t check_lists(const vouch_geometry_t * g)
{
  uint32_t next = 0;
  vouch_ret_t code = VOUCH_RET_OK;
  for (uint32_t i = 0; i < g->node_count && code == VOUCH_RET_OK; ++i) {
    if (g->nodes[i].left != 0) {
      code = check_kept(g, i, next);
      next += g->nodes[i].kept_count;
    }
  }
  return code;
}

vouch_ret_t vouch_geometry_validate(const vouch_geometry_t * g)
{
  // The scratch does not outlive the call, so it need not come from anybody's allocator.
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  uint32_t * ends = vouch_arena_calloc(&arena, g->node_count, sizeof(*ends));
  vouch_ret_t code = ends == NULL ? VOUCH_RET_NO_MEMORY : check_numbers(g);
  code = code != VOUCH_RET_OK ? code : vouch_form_middle(g);
  code = code != VOUCH_RET_OK ? code : check_primitives(g);
  code = code != VOUCH_RET_OK ? code : vouch_form_components(g);
  code = code != VOUCH_RET_OK ? code : check_solids(g);
  code = code != VOUCH_RET_OK ? code : vouch_form_parts(g, &arena);
  code = code != VOUCH_RET_OK ? code : check_tree(g, ends);
  code = code != VOUCH_RET_OK ? code : check_open(g);
  code = code != VOUCH_RET_OK ? code : check_lists(g);
  code = code != VOUCH_RET_OK ? code : vouch_form_witnesses(g, &arena);
  vouch_arena_fini(&arena);
  atomic_store_explicit(
    &((vouch_geometry_t *)g)->accepted, code == VOUCH_RET_OK, memory_order_release);
  return code;
}
