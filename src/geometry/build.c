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
#include "geometry/limits.h"
#include "geometry/lists.h"

typedef struct box_s
{
  double low[3], high[3];
} box_t;

static void grow_box(box_t * box, const double p[3], double radius)
{
  for (int k = 0; k < 3; ++k) {
    box->low[k] = p[k] - radius < box->low[k] ? p[k] - radius : box->low[k];
    box->high[k] = p[k] + radius > box->high[k] ? p[k] + radius : box->high[k];
  }
}

/// For ordering and for warnings only: of a curved primitive a cube around its middle.
static box_t primitive_box(const vouch_geometry_builder_t * b, const vouch_primitive_t * p)
{
  box_t box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  if (vouch_primitive_has_points(p)) {
    for (uint32_t i = 0; i < p->count; ++i) {
      grow_box(&box, b->vertices[b->indices[p->first + i]], p->radius);
    }
    return box;
  }
  const vouch_curved_t * curved = &b->curved[p->first];
  const double * size = curved->size;
  double reach = size[0] > size[1] ? size[0] : size[1];
  reach = size[2] > reach ? size[2] : reach;
  grow_box(&box, curved->pose.translation, reach + p->radius);
  return box;
}

static void count_facts(const vouch_geometry_builder_t * b, vouch_geometry_facts_t * facts)
{
  box_t all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (size_t i = 0; i < b->primitive_count; ++i) {
    box_t box = primitive_box(b, &b->primitives[i]);
    grow_box(&all, box.low, 0.0);
    grow_box(&all, box.high, 0.0);
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
  out->vertices = vouch_arena_calloc(arena, b->vertex_count, sizeof(out->vertices[0]));
  out->indices = vouch_arena_calloc(arena, b->index_count, sizeof(out->indices[0]));
  out->curved = vouch_arena_calloc(arena, b->curved_count, sizeof(out->curved[0]));
  out->primitives = vouch_arena_calloc(arena, b->primitive_count, sizeof(out->primitives[0]));
  out->components = vouch_arena_calloc(arena, b->component_count, 1);
  out->nodes = vouch_arena_calloc(arena, 2 * b->primitive_count - 1, sizeof(out->nodes[0]));
  if (out->vertices == NULL || out->indices == NULL || out->curved == NULL ||
    out->primitives == NULL || out->components == NULL || out->nodes == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  out->vertex_count = (uint32_t)b->vertex_count;
  out->index_count = (uint32_t)b->index_count;
  out->curved_count = (uint32_t)b->curved_count;
  out->primitive_count = (uint32_t)b->primitive_count;
  out->component_count = (uint32_t)b->component_count;
  if (b->vertex_count > 0) {
    memcpy(out->vertices, b->vertices, b->vertex_count * sizeof(out->vertices[0]));
  }
  if (b->curved_count > 0) {
    memcpy(out->curved, b->curved, b->curved_count * sizeof(out->curved[0]));
  }
  memcpy(out->components, b->components, b->component_count);
  return VOUCH_RET_OK;
}

/// Primitives in the order of the tree, their indices one after the other.
static void place_primitives(
  const vouch_geometry_builder_t * b, const uint32_t * order, vouch_geometry_t * out)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < out->primitive_count; ++i) {
    vouch_primitive_t primitive = b->primitives[order[i]];
    if (vouch_primitive_has_points(&primitive)) {
      memcpy(
        out->indices + next, b->indices + primitive.first,
        primitive.count * sizeof(out->indices[0]));
      primitive.first = next;
      next += primitive.count;
    }
    out->primitives[i] = primitive;
  }
}

static vouch_ret_t build_tree(
  vouch_geometry_builder_t * b, vouch_arena_t * arena, vouch_geometry_t * out)
{
  double(*centres)[3] = vouch_calloc(&b->allocator, b->primitive_count, sizeof(centres[0]));
  uint32_t * order = vouch_calloc(&b->allocator, b->primitive_count, sizeof(order[0]));
  vouch_ret_t code = VOUCH_RET_NO_MEMORY;
  if (centres != NULL && order != NULL) {
    for (size_t i = 0; i < b->primitive_count; ++i) {
      box_t box = primitive_box(b, &b->primitives[i]);
      for (int k = 0; k < 3; ++k) {
        centres[i][k] = 0.5 * box.low[k] + 0.5 * box.high[k];
      }
    }
    code = vouch_tree_split(out, b->items, b->item_count, (const double(*)[3])centres, order);
  }
  if (code == VOUCH_RET_OK) {
    place_primitives(b, order, out);
    code = vouch_tree_keep(out, arena, &b->allocator);
  }
  vouch_free(&b->allocator, centres);
  vouch_free(&b->allocator, order);
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

double vouch_geometry_witness_error(const vouch_geometry_t * geometry, uint32_t number)
{
  const vouch_tree_node_t * node = &geometry->nodes[number];
  if (node->kept_count == 0) {
    return node->left == 0 ? geometry->primitives[node->first].radius : 0.0;
  }
  const uint32_t children[2] = {node->left, node->right};
  const vouch_witness_t * witness = geometry->witnesses + node->witness_first;
  double epsilon = 0.0;
  for (int c = 0; c < 2; ++c) {
    const vouch_tree_node_t * child = &geometry->nodes[children[c]];
    double carried = vouch_geometry_witness_error(geometry, children[c]);
    vouch_list_t list = vouch_list_of(geometry, child);
    for (uint32_t n = 0; n < list.count; ++n, ++witness) {
      const float * w = witness->weight;
      double weight[4] = {(double)w[0], (double)w[1], (double)w[2], 0.0};
      weight[3] = 1.0 - (weight[0] + weight[1] + weight[2]);
      vec3_t sum = vec3_from(geometry->vertices[list.vertices[n]]);
      for (int i = 0; i < 4; ++i) {
        uint32_t kept = geometry->kept[node->kept_first + witness->index[i]];
        sum = vec3_sub(sum, vec3_scale(vec3_from(geometry->vertices[kept]), weight[i]));
      }
      double error = vec3_norm(sum) + (child->kept_count > 0 ? carried : list.radius);
      epsilon = error > epsilon ? error : epsilon;
    }
  }
  return epsilon;
}
