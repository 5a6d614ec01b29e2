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

/* Every rule of docs/certificate_format.md about a geometry. Linear in its size, whatever its tree
 * looks like, because files come from anywhere. */

#include <math.h>

#include "base/error.h"
#include "geometry/edges.h"
#include "geometry/geometry.h"
#include "geometry/lists.h"
#include "geometry/limits.h"
#include "geometry/sets.h"

/// Scratch of one validation.
typedef struct scratch_s
{
  uint32_t * parents;         // per node
  uint32_t * curved_before;   // [i]: primitives without points among the first i
  uint64_t * points_before;   // [i]: index entries of the first i primitives
  uint32_t * uses;            // per component
  uint32_t * first;           // per component: a corner of one of its triangles
  uint32_t * sets;            // per vertex: those that triangles join
  double * radius;            // per component: of its first primitive
} scratch_t;

static vouch_ret_t check_numbers(const vouch_geometry_t * g)
{
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!vouch_is_coordinate(g->vertices[i][k])) {
        return vouch_fail(
          VOUCH_RET_INVALID, "vertex %u has the coordinate %g (finite, at most 1e6)", i,
          g->vertices[i][k]);
      }
    }
  }
  for (uint32_t i = 0; i < g->index_count; ++i) {
    if (g->indices[i] >= g->vertex_count) {
      return vouch_fail(
        VOUCH_RET_INVALID, "index %u refers to vertex %u of %u", i, g->indices[i], g->vertex_count);
    }
  }
  for (uint32_t i = 0; i < g->curved_count; ++i) {
    if (!vouch_is_pose(&g->curved[i].pose)) {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "curved shape %u: its pose needs a quaternion of length 1 and coordinates up to 1e6", i);
    }
  }
  for (uint32_t i = 0; i < g->kept_count; ++i) {
    if (g->kept[i] >= g->vertex_count) {
      return vouch_fail(
        VOUCH_RET_INVALID, "kept entry %u refers to vertex %u of %u", i, g->kept[i],
        g->vertex_count);
    }
  }
  return VOUCH_RET_OK;
}

/// Cylinder, cone: {radius > 0, half height > 0, 0}; ellipsoid: three radii > 0.
static bool curved_size_ok(uint8_t kind, const double size[3])
{
  for (int k = 0; k < 3; ++k) {
    bool unused = k == 2 && kind != VOUCH_PRIMITIVE_ELLIPSOID;
    if (unused ? !vouch_is_plus_zero(size[k]) : !(vouch_is_coordinate(size[k]) && size[k] > 0.0)) {
      return false;
    }
  }
  return true;
}

static vouch_ret_t check_primitive(const vouch_geometry_t * g, uint32_t number)
{
  const vouch_primitive_t * p = &g->primitives[number];
  if (!(vouch_is_coordinate(p->radius) && p->radius >= 0.0) || signbit(p->radius)) {
    return vouch_fail(VOUCH_RET_INVALID, "primitive %u has the radius %g", number, p->radius);
  }
  if (p->component >= g->component_count) {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u belongs to component %u of %u", number, p->component,
      g->component_count);
  }
  bool convex = g->components[p->component] == VOUCH_COMPONENT_CONVEX;
  if (convex == (p->kind == VOUCH_PRIMITIVE_TRIANGLE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "primitive %u: triangles belong to surface, solid or open components and "
      "everything else to convex ones", number);
  }
  bool range = false;
  switch (p->kind) {
    case VOUCH_PRIMITIVE_TRIANGLE:
      range = p->count == 3 && p->first <= g->index_count && p->count <= g->index_count - p->first;
      break;
    case VOUCH_PRIMITIVE_HULL:
      range = p->count >= 1 && p->first <= g->index_count && p->count <= g->index_count - p->first;
      break;
    case VOUCH_PRIMITIVE_CYLINDER:
    case VOUCH_PRIMITIVE_CONE:
    case VOUCH_PRIMITIVE_ELLIPSOID:
      range = p->count == 1 && p->first < g->curved_count &&
        curved_size_ok(p->kind, g->curved[p->first].size);
      break;
    default:
      return vouch_fail(VOUCH_RET_INVALID, "primitive %u has the unknown kind %u", number, p->kind);
  }
  return range ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "primitive %u (kind %u): its range %u + %u or its sizes are wrong", number,
    p->kind, p->first, p->count);
}

static vouch_ret_t check_primitives(const vouch_geometry_t * g, scratch_t * scratch)
{
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
    vouch_ret_t code = check_primitive(g, i);
    if (code != VOUCH_RET_OK) {
      return code;
    }
    const vouch_primitive_t * p = &g->primitives[i];
    bool points = vouch_primitive_has_points(p);
    scratch->curved_before[i + 1] = scratch->curved_before[i] + !points;
    scratch->points_before[i + 1] = scratch->points_before[i] + (points ? p->count : 0);
    if (scratch->uses[p->component]++ == 0) {
      scratch->radius[p->component] = p->radius;
    } else if (memcmp(&scratch->radius[p->component], &p->radius, sizeof(p->radius)) != 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "primitive %u has another radius than the rest of component %u", i,
        p->component);
    }
  }
  for (uint32_t i = 0; i < g->component_count; ++i) {
    bool convex = g->components[i] == VOUCH_COMPONENT_CONVEX;
    if (scratch->uses[i] == 0 || (convex && scratch->uses[i] != 1)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "component %u has %u primitives (one if convex, else at least one)", i,
        scratch->uses[i]);
    }
  }
  return VOUCH_RET_OK;
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
    if (g->components[p->component] != VOUCH_COMPONENT_SOLID ||
      vouch_triangle_is_degenerate(corner))
    {
      continue;
    }
    for (int k = 0; k < 3; ++k) {
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

/// A component is connected, or what a ray tells about one of its points would not hold for the
/// rest. Triangles that share vertices are; whose they are does not matter, as long as they are of
/// this body (L8).
static vouch_ret_t check_connected(const vouch_geometry_t * g, scratch_t * scratch)
{
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    scratch->sets[i] = i;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    const uint32_t * corner = g->indices + p->first;
    if (p->kind == VOUCH_PRIMITIVE_TRIANGLE) {
      vouch_sets_unite(scratch->sets, corner[0], corner[1]);
      vouch_sets_unite(scratch->sets, corner[0], corner[2]);
      scratch->first[p->component] = corner[0];
    }
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    if (p->kind == VOUCH_PRIMITIVE_TRIANGLE &&
      vouch_set_of(scratch->sets, g->indices[p->first]) !=
      vouch_set_of(scratch->sets, scratch->first[p->component]))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "component %u is not connected: triangle %u shares no vertex with the "
        "rest", p->component, i);
    }
  }
  return VOUCH_RET_OK;
}

/// Ranges, children and the kept range of one node.
static vouch_ret_t check_node(const vouch_geometry_t * g, uint32_t number, scratch_t * scratch)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  if (node->count == 0 || node->first > g->primitive_count ||
    node->count > g->primitive_count - node->first)
  {
    return vouch_fail(VOUCH_RET_INVALID, "node %u: its primitives are out of range", number);
  }
  bool childless = node->left == 0 && node->right == 0;
  if (childless ? node->count != 1 : node->left <= number || node->right <= number ||
    node->left >= g->node_count || node->right >= g->node_count || node->left == node->right)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u: its children %u and %u must have higher numbers, and a "
      "childless node has one primitive", number, node->left,
      node->right);
  }
  // A tree over n primitives has 2n - 1 nodes.
  if (!childless && (node->left != number + 1 ||
    node->right != node->left + 2 * (uint64_t)g->nodes[node->left].count - 1))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u: its children %u and %u must follow it, the left one with its "
      "whole tree first", number, node->left, node->right);
  }
  if (!childless) {
    const vouch_tree_node_t * left = &g->nodes[node->left], * right = &g->nodes[node->right];
    if (left->first != node->first || left->count >= node->count ||
      right->first != node->first + left->count || right->count != node->count - left->count)
    {
      return vouch_fail(VOUCH_RET_INVALID, "node %u: its children do not tile it", number);
    }
    scratch->parents[node->left] += 1;
    scratch->parents[node->right] += 1;
  }
  if (node->kept_count > 0 && !childless &&
    !(vouch_node_has_list(&g->nodes[node->left]) && vouch_node_has_list(&g->nodes[node->right])))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u keeps vertices above a node that keeps none", number);
  }
  bool points = scratch->curved_before[node->first + node->count] ==
    scratch->curved_before[node->first];
  if (node->kept_count > 0 && (childless || !points || node->kept_count > VOUCH_MAX_KEPT)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "node %u keeps %u vertices: allowed are up to %d, and only above children "
      "without curved primitives", number, node->kept_count, VOUCH_MAX_KEPT);
  }
  if (node->kept_first > g->kept_count || node->kept_count > g->kept_count - node->kept_first) {
    return vouch_fail(VOUCH_RET_INVALID, "node %u: its kept vertices are out of range", number);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_tree(const vouch_geometry_t * g, scratch_t * scratch)
{
  if (g->node_count == 0 || g->nodes[0].first != 0 || g->nodes[0].count != g->primitive_count) {
    return vouch_fail(VOUCH_RET_INVALID, "node 0 must cover all primitives");
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    vouch_ret_t code = check_node(g, i, scratch);
    if (code != VOUCH_RET_OK) {
      return code;
    }
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    if (scratch->parents[i] != (i == 0 ? 0 : 1)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "node %u has %s", i,
        scratch->parents[i] == 0 ? "no parent" : "more than one parent");
    }
  }
  return VOUCH_RET_OK;
}

static uint64_t list_size(
  const vouch_geometry_t * g, const scratch_t * scratch, uint32_t number)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  return node->kept_count > 0 ? node->kept_count :
         scratch->points_before[node->first + node->count] - scratch->points_before[node->first];
}

static bool witness_ok(const vouch_witness_t * witness, uint32_t kept_count)
{
  for (int k = 0; k < 4; ++k) {
    if (witness->index[k] >= kept_count) {
      return false;
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (!(witness->weight[k] >= 0.0f && witness->weight[k] <= 1.0f)) {
      return false;
    }
  }
  return true;
}

/// `numbers`, unless NULL, gets witness_first of every node.
static vouch_ret_t check_witnesses(
  const vouch_geometry_t * g, const scratch_t * scratch, vouch_tree_node_t * numbers)
{
  uint64_t next = 0;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    if (numbers != NULL) {
      numbers[i].witness_first = (uint32_t)next;
    }
    if (node->kept_count == 0) {
      continue;
    }
    uint64_t count = list_size(g, scratch, node->left) + list_size(g, scratch, node->right);
    if (count > g->witness_count - next) {
      return vouch_fail(VOUCH_RET_INVALID, "the witnesses end before those of node %u", i);
    }
    for (uint64_t k = 0; k < count; ++k) {
      if (!witness_ok(&g->witnesses[next + k], node->kept_count)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "witness %llu (node %u): positions must be below %u and weights in "
          "[0, 1]", (unsigned long long)(next + k), i, node->kept_count);
      }
    }
    next += count;
  }
  if (next != g->witness_count) {
    return vouch_fail(
      VOUCH_RET_INVALID, "there are %u witnesses, but the nodes have %llu", g->witness_count,
      (unsigned long long)next);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check(const vouch_geometry_t * geometry, vouch_tree_node_t * numbers)
{
  // The scratch does not outlive the call, so it need not come from anybody's allocator.
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  size_t primitives = (size_t)geometry->primitive_count + 1;
  scratch_t scratch = {
    .parents = vouch_arena_calloc(&arena, geometry->node_count, sizeof(scratch.parents[0])),
    .curved_before = vouch_arena_calloc(&arena, primitives, sizeof(scratch.curved_before[0])),
    .points_before = vouch_arena_calloc(&arena, primitives, sizeof(scratch.points_before[0])),
    .uses = vouch_arena_calloc(&arena, geometry->component_count, sizeof(scratch.uses[0])),
    .first = vouch_arena_calloc(&arena, geometry->component_count, sizeof(scratch.first[0])),
    .sets = vouch_arena_calloc(&arena, (size_t)geometry->vertex_count + 1, sizeof(scratch.sets[0])),
    .radius = vouch_arena_calloc(&arena, geometry->component_count, sizeof(scratch.radius[0])),
  };
  vouch_ret_t code = VOUCH_RET_NO_MEMORY;
  if (scratch.parents != NULL && scratch.curved_before != NULL && scratch.points_before != NULL &&
    scratch.uses != NULL && scratch.radius != NULL && scratch.first != NULL &&
    scratch.sets != NULL)
  {
    code = check_numbers(geometry);
    code = code != VOUCH_RET_OK ? code : check_primitives(geometry, &scratch);
    code = code != VOUCH_RET_OK ? code : check_solids(geometry);
    code = code != VOUCH_RET_OK ? code : check_connected(geometry, &scratch);
    code = code != VOUCH_RET_OK ? code : check_tree(geometry, &scratch);
    code = code != VOUCH_RET_OK ? code : check_witnesses(geometry, &scratch, numbers);
  }
  vouch_arena_fini(&arena);
  return code;
}

vouch_ret_t vouch_geometry_validate(const vouch_geometry_t * geometry)
{
  return check(geometry, NULL);
}

vouch_ret_t vouch_geometry_validate_and_number(vouch_geometry_t * geometry)
{
  return check(geometry, geometry->nodes);
}
