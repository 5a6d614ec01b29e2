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

/* Rules about a geometry that no proof relies on. They make that one geometry is written in one way:
 * how its components are numbered, where its ball is, which witness stands for a point that is kept. What
 * is wrong here and passes costs tightness or time; numbers that lead nowhere are refused again where
 * the kernel reads them. */

#include "geometry/form.h"

#include <math.h>

#include "base/error.h"
#include "geometry/lists.h"
#include "geometry/sets.h"

vouch_ret_t vouch_form_middle(const vouch_geometry_t * g)
{
  double middle[3];
  vouch_geometry_middle(g, middle);
  return memcmp(middle, g->vertices[0], sizeof(middle)) == 0 ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "vertex 0 is not the middle of the box of all others");
}

/// Solid components by first primitive, the open one, the surface, then a convex one each.
vouch_ret_t vouch_form_components(const vouch_geometry_t * g)
{
  uint32_t solids = 0, counts[4] = {0, 0, 0, 0};
  bool good = true;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    uint32_t component = g->primitives[i].component, kind = g->components[component];
    counts[kind] += 1;
    good = good && (kind != VOUCH_COMPONENT_SOLID || component <= solids);
    solids += kind == VOUCH_COMPONENT_SOLID && component == solids;
  }
  uint32_t open = solids, surface = open + (counts[VOUCH_COMPONENT_OPEN] > 0);
  uint32_t convex = surface + (counts[VOUCH_COMPONENT_SURFACE] > 0);
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    uint32_t component = g->primitives[i].component, kind = g->components[component];
    good = good && (kind != VOUCH_COMPONENT_OPEN || component == open) &&
      (kind != VOUCH_COMPONENT_SURFACE || component == surface) &&
      (kind != VOUCH_COMPONENT_CONVEX || component == convex);
    convex += kind == VOUCH_COMPONENT_CONVEX;
  }
  return good && convex == g->component_count ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "components are not numbered in order: the solid ones, the open one, the "
    "surface, one for each convex primitive");
}

/// Every vertex is used, and each connected part has one reference point. The lowest vertex of a
/// part is never joined, so that as many are not joined as there are parts.
vouch_ret_t vouch_form_parts(const vouch_geometry_t * g, vouch_arena_t * arena)
{
  bool * used = vouch_arena_calloc(arena, g->vertex_count, sizeof(*used));
  bool * joined = vouch_arena_calloc(arena, g->vertex_count, sizeof(*joined));
  uint32_t * sets = vouch_arena_calloc(arena, g->vertex_count, sizeof(*sets));
  if (used == NULL || joined == NULL || sets == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    sets[i] = i;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const uint32_t * list = g->indices + g->primitives[i].first;
    for (uint32_t k = 0; k < g->primitives[i].count; ++k) {
      used[list[k]] = true;
      joined[list[k]] = joined[list[k]] || list[k] > list[0];
      vouch_sets_unite(sets, list[0], list[k]);
    }
  }
  for (uint32_t i = 1; i < g->vertex_count; ++i) {
    if (!used[i]) {
      return vouch_fail(VOUCH_RET_INVALID, "vertex %u is in no primitive", i);
    }
    if (!joined[i] && vouch_set_of(sets, i) != i) {
      return vouch_fail(
        VOUCH_RET_INVALID, "vertex %u is a second reference point: no primitive joins it to a "
        "lower one of the part that it belongs to",
        i);
    }
  }
  return VOUCH_RET_OK;
}

static bool witness_ok(const vouch_witness_t * witness, uint32_t kept_count)
{
  for (int k = 0; k < 4; ++k) {
    if (witness->index[k] >= kept_count) {
      return false;
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (!(witness->weight[k] >= 0.0f && witness->weight[k] <= 1.0f) ||
      signbit(witness->weight[k]))
    {
      return false;
    }
  }
  return true;
}

static bool same_witness(const vouch_witness_t * a, const vouch_witness_t * b)
{
  return memcmp(a->index, b->index, sizeof(a->index)) == 0 &&
         memcmp(a->weight, b->weight, sizeof(a->weight)) == 0;
}

/// Those of one node, of which there are enough.
static vouch_ret_t check_node_witnesses(
  const vouch_geometry_t * g, uint32_t number, vouch_kept_t * kept)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  const vouch_witness_t * witness = g->witnesses + node->witness_first;
  const uint32_t children[2] = {node->left, node->right};
  vouch_kept_of(kept, vouch_list_of(g, node));
  for (int c = 0; c < 2; ++c) {
    vouch_list_t list = vouch_list_of(g, &g->nodes[children[c]]);
    for (uint32_t i = 0; i < list.count; ++i, ++witness) {
      vouch_witness_t own = vouch_witness_kept(kept->place[list.vertices[i]]);
      if (!witness_ok(witness, node->kept_count)) {
        return vouch_fail(
          VOUCH_RET_INVALID,
          "witness %u (node %u): positions must be below %u and weights in [0, 1]",
          (uint32_t)(witness - g->witnesses), number, node->kept_count);
      }
      if (vouch_is_kept(kept, list.vertices[i]) && !same_witness(witness, &own)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "witness %u (node %u) is of a point that the node keeps, but not that "
          "point itself", (uint32_t)(witness - g->witnesses), number);
      }
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_form_witnesses(const vouch_geometry_t * g, vouch_arena_t * arena)
{
  uint64_t next = 0;
  uint32_t kept_count = 0;
  vouch_kept_t kept;
  vouch_ret_t code = vouch_kept_init(&kept, arena, g->vertex_count) ? VOUCH_RET_OK :
    VOUCH_RET_NO_MEMORY;
  for (uint32_t i = 0; i < g->node_count && code == VOUCH_RET_OK; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    uint64_t count = node->left == 0 ? 0 : (uint64_t)vouch_list_of(g, &g->nodes[node->left]).count +
      vouch_list_of(g, &g->nodes[node->right]).count;
    if (node->witness_first != next || count > g->witness_count - next) {
      return vouch_fail(
        VOUCH_RET_INVALID, "node %u: its witnesses are not there, or do not follow those of the "
        "nodes before", i);
    }
    code = count == 0 ? VOUCH_RET_OK : check_node_witnesses(g, i, &kept);
    next += count;
    kept_count += node->left == 0 ? 0 : node->kept_count;
  }
  if (code == VOUCH_RET_OK && (next != g->witness_count || kept_count != g->kept_count)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "there are %u witnesses and %u kept vertices, but the nodes have %llu and "
      "%u", g->witness_count, g->kept_count, (unsigned long long)next, kept_count);
  }
  return code;
}
