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

/* From the shapes of a builder to a geometry with its tree. */

#include <math.h>

#include "base/error.h"
#include "geometry/builder.h"
#include "geometry/lists.h"

typedef struct box_s
{
  double low[3], high[3];
} box_t;

static box_t empty_box(void)
{
  return (box_t) {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static void grow_box(box_t * box, const double p[3], const double reach[3])
{
  for (int k = 0; k < 3; ++k) {
    box->low[k] = p[k] - reach[k] < box->low[k] ? p[k] - reach[k] : box->low[k];
    box->high[k] = p[k] + reach[k] > box->high[k] ? p[k] + reach[k] : box->high[k];
  }
}

/// For ordering and for warnings only.
static box_t primitive_box(const vouch_geometry_builder_t * b, const vouch_primitive_t * p)
{
  box_t box = empty_box();
  for (uint32_t i = 0; i < p->count; ++i) {
    uint32_t vertex = b->indices[p->first + i];
    double reach[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3 && b->round_of[vertex] != VOUCH_NONE; ++k) {
      const double * a = b->rounds[b->round_of[vertex]];
      reach[k] = sqrt(a[k] * a[k] + a[3 + k] * a[3 + k] + a[6 + k] * a[6 + k]);
    }
    grow_box(&box, b->vertices[vertex], reach);
  }
  return box;
}

static void count_facts(const vouch_geometry_builder_t * b, vouch_geometry_facts_t * facts)
{
  const double none[3] = {0.0, 0.0, 0.0};
  box_t all = empty_box();
  for (size_t i = 0; i < b->primitive_count; ++i) {
    box_t box = primitive_box(b, &b->primitives[i]);
    grow_box(&all, box.low, none);
    grow_box(&all, box.high, none);
    facts->triangles += b->primitives[i].kind == VOUCH_PRIMITIVE_TRIANGLE;
  }
  for (int k = 0; k < 3; ++k) {
    double side = all.high[k] - all.low[k];
    facts->extent = side > facts->extent ? side : facts->extent;
  }
  for (size_t i = 0; i < b->component_count; ++i) {
    facts->solids += b->components[i] == VOUCH_COMPONENT_SOLID;
    facts->surfaces += b->components[i] == VOUCH_COMPONENT_SURFACE;
    facts->open += b->components[i] == VOUCH_COMPONENT_OPEN;
    facts->convex += b->components[i] == VOUCH_COMPONENT_CONVEX;
  }
}

static vouch_ret_t allocate(
  const vouch_geometry_builder_t * b, vouch_arena_t * arena, vouch_geometry_t * out)
{
  out->vertices = vouch_arena_calloc(arena, b->vertex_count + 1, sizeof(out->vertices[0]));
  out->rounds = vouch_arena_calloc(arena, b->round_count, sizeof(out->rounds[0]));
  out->indices = vouch_arena_calloc(arena, b->index_count, sizeof(out->indices[0]));
  out->primitives = vouch_arena_calloc(arena, b->primitive_count, sizeof(out->primitives[0]));
  out->components = vouch_arena_calloc(arena, b->component_count, 1);
  out->nodes = vouch_arena_calloc(arena, 2 * b->primitive_count - 1, sizeof(out->nodes[0]));
  if (out->vertices == NULL || out->rounds == NULL || out->indices == NULL ||
    out->primitives == NULL || out->components == NULL || out->nodes == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  out->vertex_count = (uint32_t)b->vertex_count + 1;
  out->round_count = (uint32_t)b->round_count;
  out->index_count = (uint32_t)b->index_count;
  out->primitive_count = (uint32_t)b->primitive_count;
  return VOUCH_RET_OK;
}

/// Primitives in the order of the tree, their indices one after the other; still with the builder's
/// numbers of vertices and components.
static void place_primitives(
  const vouch_geometry_builder_t * b, const uint32_t * order, vouch_geometry_t * out)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < out->primitive_count; ++i) {
    vouch_primitive_t primitive = b->primitives[order[i]];
    memcpy(
      out->indices + next, b->indices + primitive.first, primitive.count * sizeof(out->indices[0]));
    primitive.first = next;
    next += primitive.count;
    out->primitives[i] = primitive;
  }
}

static vouch_ret_t build_tree(
  vouch_geometry_builder_t * b, vouch_arena_t * arena, vouch_geometry_t * out)
{
  vouch_arena_t scratch = {.allocator = b->allocator};
  double(*centres)[3] = vouch_arena_calloc(&scratch, b->primitive_count, sizeof(centres[0]));
  bool * open = vouch_arena_calloc(&scratch, b->primitive_count, sizeof(open[0]));
  uint32_t * order = vouch_arena_calloc(&scratch, b->primitive_count, sizeof(order[0]));
  vouch_ret_t code = VOUCH_RET_NO_MEMORY;
  if (centres != NULL && open != NULL && order != NULL) {
    for (size_t i = 0; i < b->primitive_count; ++i) {
      box_t box = primitive_box(b, &b->primitives[i]);
      for (int k = 0; k < 3; ++k) {
        centres[i][k] = 0.5 * box.low[k] + 0.5 * box.high[k];
      }
      open[i] = b->components[b->primitives[i].component] == VOUCH_COMPONENT_OPEN;
    }
    vouch_tree_input_t input = {b->items, b->item_count, (const double(*)[3])centres, open};
    code = vouch_tree_split(out, &input, order, &b->allocator);
  }
  if (code == VOUCH_RET_OK) {
    place_primitives(b, order, out);
    code = vouch_number_vertices(b, out);
    code = code != VOUCH_RET_OK ? code : vouch_number_components(b, out);
    code = code != VOUCH_RET_OK ? code : vouch_tree_keep(out, arena, &b->allocator);
  }
  vouch_arena_fini(&scratch);
  return code;
}

vouch_ret_t vouch_geometry_build(
  vouch_geometry_builder_t * builder, vouch_arena_t * arena, vouch_geometry_t * out,
  vouch_geometry_facts_t * facts)
{
  memset(out, 0, sizeof(*out));
  vouch_geometry_facts_t counted = {0};
  if (builder->primitive_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "there is no shape to build a geometry from");
  }
  vouch_ret_t code = allocate(builder, arena, out);
  code = code != VOUCH_RET_OK ? code : build_tree(builder, arena, out);
  if (code != VOUCH_RET_OK) {
    memset(out, 0, sizeof(*out));
    return code;
  }
  if (facts != NULL) {
    count_facts(builder, &counted);
    *facts = counted;
  }
  return VOUCH_RET_OK;
}

double vouch_geometry_size(const vouch_geometry_t * geometry, uint32_t vertex)
{
  const double * axes = vouch_geometry_round(geometry, vertex);
  double square = 0.0;
  for (int i = 0; axes != NULL && i < 3; ++i) {
    double sum = 0.0;
    for (int j = 0; j < 3; ++j) {
      sum += fabs(vec3_dot(vec3_from(axes + 3 * i), vec3_from(axes + 3 * j)));
    }
    square = sum > square ? sum : square;
  }
  return sqrt(square);
}

/// How far the mixture of the witness is from the vertex.
static double mixture_error(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, const vouch_witness_t * witness,
  uint32_t vertex)
{
  const float * w = witness->weight;
  double weight[4] = {(double)w[0], (double)w[1], (double)w[2], 0.0};
  weight[3] = 1.0 - (weight[0] + weight[1] + weight[2]);
  vec3_t sum = vec3_from(g->vertices[vertex]);
  for (int i = 0; i < 4; ++i) {
    uint32_t kept = g->kept[node->kept_first + witness->index[i]];
    sum = vec3_sub(sum, vec3_scale(vec3_from(g->vertices[kept]), weight[i]));
  }
  return vec3_norm(sum);
}

static bool keeps(const vouch_geometry_t * g, const vouch_tree_node_t * node, uint32_t vertex)
{
  const uint32_t * kept = g->kept + node->kept_first;
  uint32_t low = 0, high = node->kept_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (kept[middle] < vertex) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < node->kept_count && kept[low] == vertex;
}

double vouch_geometry_witness_error(const vouch_geometry_t * geometry, uint32_t number)
{
  const vouch_tree_node_t * node = &geometry->nodes[number];
  if (node->left == 0) {
    return 0.0;
  }
  const uint32_t children[2] = {node->left, node->right};
  const vouch_witness_t * witness = geometry->witnesses + node->witness_first;
  double carry = 0.0;
  for (int c = 0; c < 2; ++c) {
    double carried = vouch_geometry_witness_error(geometry, children[c]);
    vouch_list_t list = vouch_list_of(geometry, &geometry->nodes[children[c]]);
    carry = carried > carry ? carried : carry;
    for (uint32_t i = 0; i < list.count; ++i, ++witness) {
      uint32_t vertex = list.vertices[i];
      if (!keeps(geometry, node, vertex)) {
        double error = mixture_error(geometry, node, witness, vertex) +
          vouch_geometry_size(geometry, vertex) + carried;
        carry = error > carry ? error : carry;
      }
    }
  }
  return carry;
}
