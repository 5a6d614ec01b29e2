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

/* The bytes of a geometry: docs/certificate_format.md, "Geometry body". */

#include "base/bytes.h"
#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/lists.h"

enum
{
  CURVED_BYTES = 80, PRIMITIVE_BYTES = 21, NODE_BYTES = 24, WITNESS_BYTES = 16, VERTEX_BYTES = 24
};

static void put_primitive(vouch_text_t * out, const vouch_primitive_t * primitive)
{
  vouch_bytes_put_u8(out, primitive->kind);
  vouch_bytes_put_u32(out, primitive->component);
  vouch_bytes_put_u32(out, primitive->first);
  vouch_bytes_put_u32(out, primitive->count);
  vouch_bytes_put_f64(out, &primitive->radius, 1);
}

static void put_node(vouch_text_t * out, const vouch_tree_node_t * node)
{
  const uint32_t words[6] = {
    node->first, node->count, node->left, node->right, node->kept_first, node->kept_count
  };
  vouch_bytes_put_u32s(out, words, 6);
}

void vouch_geometry_encode(const vouch_geometry_t * geometry, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, geometry->vertex_count);
  if (geometry->vertex_count > 0) {
    vouch_bytes_put_f64(out, geometry->vertices[0], 3 * (size_t)geometry->vertex_count);
  }
  vouch_bytes_put_u32(out, geometry->index_count);
  vouch_bytes_put_u32s(out, geometry->indices, geometry->index_count);
  vouch_bytes_put_u32(out, geometry->curved_count);
  for (uint32_t i = 0; i < geometry->curved_count; ++i) {
    const vouch_curved_t * curved = &geometry->curved[i];
    vouch_bytes_put_f64(out, curved->pose.rotation, 4);
    vouch_bytes_put_f64(out, curved->pose.translation, 3);
    vouch_bytes_put_f64(out, curved->size, 3);
  }
  vouch_bytes_put_u32(out, geometry->primitive_count);
  for (uint32_t i = 0; i < geometry->primitive_count; ++i) {
    put_primitive(out, &geometry->primitives[i]);
  }
  vouch_bytes_put_u32(out, geometry->component_count);
  vouch_text_append_bytes(out, geometry->components, geometry->component_count);
  vouch_bytes_put_u32(out, geometry->node_count);
  for (uint32_t i = 0; i < geometry->node_count; ++i) {
    put_node(out, &geometry->nodes[i]);
  }
  vouch_bytes_put_u32(out, geometry->kept_count);
  vouch_bytes_put_u32s(out, geometry->kept, geometry->kept_count);
  vouch_bytes_put_u32(out, geometry->witness_count);
  for (uint32_t i = 0; i < geometry->witness_count; ++i) {
    vouch_text_append_bytes(out, geometry->witnesses[i].index, 4);
    vouch_bytes_put_f32(out, geometry->witnesses[i].weight, 3);
  }
}

/* ---- decoding ---- */

/// A count and an array for as many records; NULL when the reader fails or memory is short.
static void * get_records(
  vouch_bytes_t * in, vouch_arena_t * arena, uint32_t * count, size_t record_bytes,
  size_t element_size)
{
  *count = vouch_bytes_get_count(in, record_bytes);
  return in->failed ? NULL : vouch_arena_calloc(arena, *count, element_size);
}

static bool decode_shapes(vouch_geometry_t * g, vouch_arena_t * arena, vouch_bytes_t * in)
{
  g->vertices = get_records(in, arena, &g->vertex_count, VERTEX_BYTES, sizeof(g->vertices[0]));
  if (g->vertices == NULL) {
    return false;
  }
  vouch_bytes_get_f64(in, &g->vertices[0][0], 3 * (size_t)g->vertex_count);
  g->indices = get_records(in, arena, &g->index_count, 4, sizeof(g->indices[0]));
  if (g->indices == NULL) {
    return false;
  }
  vouch_bytes_get_u32s(in, g->indices, g->index_count);
  g->curved = get_records(in, arena, &g->curved_count, CURVED_BYTES, sizeof(g->curved[0]));
  if (g->curved == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->curved_count; ++i) {
    vouch_bytes_get_f64(in, g->curved[i].pose.rotation, 4);
    vouch_bytes_get_f64(in, g->curved[i].pose.translation, 3);
    vouch_bytes_get_f64(in, g->curved[i].size, 3);
  }
  g->primitives =
    get_records(in, arena, &g->primitive_count, PRIMITIVE_BYTES, sizeof(g->primitives[0]));
  if (g->primitives == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    vouch_primitive_t * primitive = &g->primitives[i];
    primitive->kind = vouch_bytes_get_u8(in);
    primitive->component = vouch_bytes_get_u32(in);
    primitive->first = vouch_bytes_get_u32(in);
    primitive->count = vouch_bytes_get_u32(in);
    vouch_bytes_get_f64(in, &primitive->radius, 1);
  }
  g->components = get_records(in, arena, &g->component_count, 1, 1);
  for (uint32_t i = 0; g->components != NULL && i < g->component_count; ++i) {
    g->components[i] = vouch_bytes_get_u8(in);
  }
  return g->components != NULL;
}

static bool decode_tree(vouch_geometry_t * g, vouch_arena_t * arena, vouch_bytes_t * in)
{
  g->nodes = get_records(in, arena, &g->node_count, NODE_BYTES, sizeof(g->nodes[0]));
  if (g->nodes == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    vouch_tree_node_t * node = &g->nodes[i];
    uint32_t words[6];
    vouch_bytes_get_u32s(in, words, 6);
    node->first = words[0];
    node->count = words[1];
    node->left = words[2];
    node->right = words[3];
    node->kept_first = words[4];
    node->kept_count = words[5];
  }
  g->kept = get_records(in, arena, &g->kept_count, 4, sizeof(g->kept[0]));
  if (g->kept == NULL) {
    return false;
  }
  vouch_bytes_get_u32s(in, g->kept, g->kept_count);
  g->witnesses = get_records(in, arena, &g->witness_count, WITNESS_BYTES, sizeof(g->witnesses[0]));
  for (uint32_t i = 0; g->witnesses != NULL && i < g->witness_count; ++i) {
    for (int k = 0; k < 4; ++k) {
      g->witnesses[i].index[k] = vouch_bytes_get_u8(in);
    }
    vouch_bytes_get_f32(in, g->witnesses[i].weight, 3);
  }
  return g->witnesses != NULL;
}

vouch_ret_t vouch_geometry_decode(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const void * data, size_t size, size_t * used)
{
  memset(geometry, 0, sizeof(*geometry));
  *used = 0;
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  if (!decode_shapes(geometry, arena, &in) || !decode_tree(geometry, arena, &in) || in.failed) {
    memset(geometry, 0, sizeof(*geometry));
    return in.failed ?
           vouch_fail(VOUCH_RET_INVALID, "the geometry ends in the middle of a record") :
           VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t code = vouch_geometry_validate_and_number(geometry);
  if (code == VOUCH_RET_OK) {
    *used = in.position;
  }
  return code;
}
