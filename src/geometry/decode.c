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

/* A geometry from bytes. Nothing that the file does not spell out is longer than what it does. */

#include <math.h>

#include "base/bytes.h"
#include "base/error.h"
#include "geometry/codec.h"

/// What the file holds, as it is.
typedef struct tables_s
{
  const uint8_t * components, * nodes, * numbers, * mixtures, * twins;
  uint32_t number_count, mixture_count, twin_count;
  vouch_ret_t code;   // what a failure means
  bool strict;
} tables_t;

static uint32_t number_at(const uint8_t * bytes, size_t i)
{
  vouch_bytes_t in = vouch_bytes_reader(bytes + 4 * i, 4);
  return vouch_bytes_get_u32(&in);
}

/// A count and that many records, left where they are.
static const uint8_t * get_table(vouch_bytes_t * in, uint32_t * count, size_t record_bytes)
{
  *count = vouch_bytes_get_count(in, record_bytes);
  return vouch_bytes_take(in, *count * record_bytes);
}

/// Tells what is wrong; false, which without this means that there is no memory.
static bool wrong(tables_t * t, const char * what)
{
  t->code = vouch_fail(VOUCH_RET_INVALID, "%s", what);
  return false;
}

static bool allocate(vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena)
{
  g->indices = vouch_arena_calloc(arena, t->number_count, sizeof(g->indices[0]));
  g->curved = vouch_arena_calloc(arena, g->component_count, sizeof(g->curved[0]));
  g->components = vouch_arena_calloc(arena, g->component_count, 1);
  g->nodes = vouch_arena_calloc(arena, g->node_count, sizeof(g->nodes[0]));
  g->kept = vouch_arena_calloc(arena, t->number_count, sizeof(g->kept[0]));
  return g->indices != NULL && g->curved != NULL && g->components != NULL && g->nodes != NULL &&
         g->kept != NULL;
}

/// The size of a shape, and the primitive that it is: with general radii one that contains it.
static vouch_primitive_kind_t size_of(const double shape[4], uint32_t tip, double size[3])
{
  bool ellipsoid = !(shape[3] > 0.0);
  size[0] = ellipsoid ? shape[0] : fmax(shape[0], fmax(shape[1], shape[2]));
  size[1] = ellipsoid ? shape[1] : shape[3];
  size[2] = ellipsoid ? shape[2] : 0.0;
  return ellipsoid ? VOUCH_PRIMITIVE_ELLIPSOID :
         tip != 0 ? VOUCH_PRIMITIVE_CONE : VOUCH_PRIMITIVE_CYLINDER;
}

static bool decode_shape(
  vouch_geometry_t * g, tables_t * t, vouch_primitive_t * p, vouch_curved_t * curved, uint32_t tip)
{
  static const double plain[4] = {0.0, 0.0, 0.0, 1.0};
  double again[4] = {0.0, 0.0, 0.0, 0.0};
  const double * s = curved->shape;
  bool none = !(s[0] > 0.0 || s[1] > 0.0 || s[2] > 0.0 || s[3] > 0.0);
  if (!none) {
    p->kind = (uint8_t)size_of(s, tip, curved->size);
    shape_of(p->kind, curved->size, again);
    p->first = g->curved_count;
    g->curved[g->curved_count] = *curved;
    memset(g->curved[g->curved_count++].shape, 0, t->strict ? sizeof(again) : 0);
  }
  bool same = memcmp(s, again, sizeof(again)) == 0 &&
    tip == (p->kind == VOUCH_PRIMITIVE_CONE ? 1u : 0u) &&
    (!none || memcmp(curved->pose.rotation, plain, sizeof(plain)) == 0);
  return same || !t->strict || wrong(
    t, "a component's shape is no cylinder, cone or ellipsoid, or one without shape is turned");
}

static bool decode_component(
  vouch_geometry_t * g, tables_t * t, vouch_primitive_t * p, bool again)
{
  vouch_bytes_t in = vouch_bytes_reader(
    t->components + COMPONENT_BYTES * (size_t)p->component, COMPONENT_BYTES);
  vouch_curved_t curved = {.pose = {.rotation = {0.0, 0.0, 0.0, 0.0}}};
  vouch_bytes_get_f64(&in, curved.pose.rotation, 4);
  vouch_bytes_get_f64(&in, curved.shape, 4);
  vouch_bytes_get_f64(&in, &p->radius, 1);
  uint32_t kind = vouch_bytes_get_u32(&in), tip = vouch_bytes_get_u32(&in);
  p->count = vouch_bytes_get_u32(&in);
  if (kind > VOUCH_COMPONENT_CONVEX || (t->strict && vouch_bytes_get_u32(&in) != 0)) {
    return wrong(t, "a component has an unknown kind, or a last field that is not 0");
  }
  if (again && kind == VOUCH_COMPONENT_CONVEX) {
    return wrong(t, "a convex component has more than one primitive");
  }
  if (kind != VOUCH_COMPONENT_CONVEX && p->count != 3) {
    return wrong(t, "a triangle needs three corners");
  }
  g->components[p->component] = (uint8_t)kind;
  p->kind = kind != VOUCH_COMPONENT_CONVEX ? VOUCH_PRIMITIVE_TRIANGLE : VOUCH_PRIMITIVE_HULL;
  return decode_shape(g, t, p, &curved, tip);
}

static bool decode_primitives(
  vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena, uint32_t * used)
{
  bool * met = vouch_arena_calloc(arena, g->component_count, sizeof(met[0]));
  uint32_t left = g->component_count;
  if (met == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    vouch_primitive_t * p = &g->primitives[i];
    if (p->component >= g->component_count) {
      return wrong(t, "a primitive's component is not there");
    }
    if (!decode_component(g, t, p, met[p->component])) {
      return false;
    }
    if (p->count > t->number_count - *used) {
      return wrong(t, "a primitive's list is not there");
    }
    left -= met[p->component] ? 0 : 1;
    met[p->component] = true;
    if (is_curved(p) && p->count != 1) {
      return wrong(t, "a curved primitive has more than one point");
    }
    for (uint32_t k = 0; k < p->count; ++k) {
      uint32_t vertex = number_at(t->numbers, *used + k);
      g->indices[g->index_count] = vertex;
      g->index_count += is_curved(p) ? 0 : 1;
    }
    p->first = is_curved(p) ? p->first : g->index_count - p->count;
    *used += p->count;
  }
  return left == 0 || wrong(t, "a component has no primitive");
}

/// The middles of curved primitives are the last vertices, in their order.
static bool decode_middles(vouch_geometry_t * g, tables_t * t)
{
  if (g->curved_count > g->vertex_count) {
    return wrong(t, "a curved primitive has no middle");
  }
  g->vertex_count -= g->curved_count;
  uint32_t used = 0, curved = 0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    if (is_curved(p)) {
      if (number_at(t->numbers, used) != g->vertex_count + curved) {
        return wrong(t, "the middle of a curved primitive is not in its place");
      }
      memcpy(
        g->curved[p->first].pose.translation, g->vertices[g->vertex_count + curved],
        sizeof(g->vertices[0]));
      curved += 1;
    }
    used += p->count;
  }
  return true;
}

/// Whether a node above this one may keep vertices.
static bool keeps_above(const vouch_geometry_t * g, uint32_t number)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  return vouch_node_has_list(node) &&
         (node->left != 0 || vouch_primitive_has_points(&g->primitives[node->first]));
}

/// From the last to the first: ranges, children and kept vertices.
static bool decode_nodes(
  vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena, uint32_t * used)
{
  uint32_t * stack = vouch_arena_calloc(arena, g->node_count, sizeof(stack[0]));
  uint32_t depth = 0, primitive = g->primitive_count;
  if (stack == NULL) {
    return false;
  }
  for (uint32_t i = g->node_count; i-- > 0; ) {
    vouch_tree_node_t * node = &g->nodes[i];
    if (t->nodes[i] == CHILDLESS) {
      if (primitive == 0) {
        return wrong(t, "the nodes have more primitives than there are");
      }
      node->first = --primitive;
      node->count = 1;
    } else {
      if (depth < 2 || t->nodes[i] > t->number_count - *used) {
        return wrong(t, "a node's children or kept vertices are not there");
      }
      node->left = i + 1;
      node->right = stack[depth - 2];
      depth -= 2;
      node->first = g->nodes[node->left].first;
      node->count = g->nodes[node->left].count + g->nodes[node->right].count;
      node->kept_count = t->nodes[i];
      node->kept_first = g->kept_count;
      if (node->kept_count > 0 && !(keeps_above(g, node->left) && keeps_above(g, node->right))) {
        return wrong(t, "a node keeps vertices above one that keeps none");
      }
      for (uint32_t k = 0; k < node->kept_count; ++k) {
        g->kept[g->kept_count++] = number_at(t->numbers, (*used)++);
      }
    }
    stack[depth++] = i;
  }
  return (depth == 1 && primitive == 0 && *used == t->number_count) ||
         wrong(t, "the nodes are no tree over all primitives, or numbers are left over");
}

static bool number_witnesses(vouch_geometry_t * g, vouch_arena_t * arena)
{
  for (uint32_t i = 0; i < g->node_count; ++i) {
    vouch_tree_node_t * node = &g->nodes[i];
    node->witness_first = g->witness_count;
    if (node->kept_count > 0) {
      g->witness_count += vouch_list_of(g, &g->nodes[node->left]).count;
      g->witness_count += vouch_list_of(g, &g->nodes[node->right]).count;
    }
  }
  g->witnesses = vouch_arena_calloc(arena, g->witness_count, sizeof(g->witnesses[0]));
  return g->witnesses != NULL;
}

static bool decode_witness(tables_t * t, uint32_t number, vouch_witness_t * witness)
{
  const uint8_t * bytes = t->mixtures + MIXTURE_BYTES * (size_t)number;
  vouch_bytes_t in = vouch_bytes_reader(bytes, MIXTURE_BYTES);
  vouch_bytes_get_f32(&in, witness->weight, 3);
  memcpy(witness->index, bytes + sizeof(witness->weight), sizeof(witness->index));
  for (int k = 0; k < 3; ++k) {
    bool inside = witness->weight[k] >= 0.0f && witness->weight[k] <= 1.0f;
    if (!inside || (t->strict && signbit(witness->weight[k]))) {
      return wrong(t, "a witness has a weight that is not in [0, 1]");
    }
  }
  return true;
}

static bool decode_witnesses(vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena)
{
  kept_t kept;
  uint32_t used = 0;
  if (!number_witnesses(g, arena) || !kept_init(&kept, arena, g->vertex_count)) {
    return false;
  }
  for (uint32_t i = 0; i < g->kept_count; ++i) {
    if (g->kept[i] >= g->vertex_count) {
      return wrong(t, "a kept vertex is not there");
    }
  }
  for (uint32_t i = g->node_count; i-- > 0; ) {
    const vouch_tree_node_t * node = &g->nodes[i];
    vouch_witness_t * witness = g->witnesses + node->witness_first;
    const uint32_t children[2] = {node->left, node->right};
    kept_of(&kept, g, node);
    for (int c = 0; node->kept_count > 0 && c < 2; ++c) {
      vouch_list_t list = vouch_list_of(g, &g->nodes[children[c]]);
      for (uint32_t k = 0; k < list.count; ++k, ++witness) {
        uint32_t vertex = list.vertices[k];
        if (vertex < g->vertex_count && kept.stamp[vertex] == kept.now) {
          uint8_t place = (uint8_t)kept.place[vertex];
          *witness = (vouch_witness_t) {{place, place, place, place}, {1.0f, 0.0f, 0.0f}};
        } else if (used == t->mixture_count) {
          return wrong(t, "witnesses are missing");
        } else if (!decode_witness(t, used++, witness)) {
          return false;
        }
      }
    }
  }
  return used == t->mixture_count || wrong(t, "there are more witnesses than points");
}

static bool decode_twins(const vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena)
{
  const uint32_t * twins = vouch_geometry_twins(g, arena);
  bool same = twins != NULL && t->twin_count == 3 * g->primitive_count;
  for (uint32_t i = 0; same && t->strict && i < t->twin_count; ++i) {
    same = number_at(t->twins, i) == twins[i];
  }
  return twins != NULL && (same || wrong(t, "the twins of edges are not those of the triangles"));
}

static bool decode_tables(
  vouch_geometry_t * g, tables_t * t, vouch_arena_t * arena, vouch_bytes_t * in)
{
  const uint8_t * vertices = get_table(in, &g->vertex_count, VERTEX_BYTES);
  t->components = get_table(in, &g->component_count, COMPONENT_BYTES);
  const uint8_t * primitives = get_table(in, &g->primitive_count, PRIMITIVE_BYTES);
  t->nodes = get_table(in, &g->node_count, 1);
  t->numbers = get_table(in, &t->number_count, 4);
  t->mixtures = get_table(in, &t->mixture_count, MIXTURE_BYTES);
  t->twins = get_table(in, &t->twin_count, 4);
  if (in->failed) {
    return wrong(t, "the geometry ends in the middle of a record");
  }
  g->vertices = vouch_arena_calloc(arena, g->vertex_count, sizeof(g->vertices[0]));
  g->primitives = vouch_arena_calloc(arena, g->primitive_count, sizeof(g->primitives[0]));
  if (g->vertices == NULL || g->primitives == NULL) {
    return false;
  }
  vouch_bytes_t reader = vouch_bytes_reader(vertices, VERTEX_BYTES * (size_t)g->vertex_count);
  vouch_bytes_get_f64(&reader, &g->vertices[0][0], 3 * (size_t)g->vertex_count);
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    g->primitives[i].component = number_at(primitives, i);
  }
  return allocate(g, t, arena);
}

static vouch_ret_t decode(
  vouch_geometry_t * g, vouch_arena_t * arena, vouch_arena_t * scratch, vouch_bytes_t * in,
  bool strict)
{
  tables_t t = {.code = VOUCH_RET_NO_MEMORY, .strict = strict};
  uint32_t used = 0;
  bool good = decode_tables(g, &t, arena, in) && decode_primitives(g, &t, scratch, &used) &&
    decode_middles(g, &t) && decode_nodes(g, &t, scratch, &used) &&
    decode_witnesses(g, &t, arena) && decode_twins(g, &t, scratch);
  return good ? VOUCH_RET_OK : t.code;
}

static vouch_ret_t read_geometry(
  vouch_geometry_t * geometry, vouch_arena_t * arena, vouch_bytes_t * in, bool strict)
{
  memset(geometry, 0, sizeof(*geometry));
  vouch_arena_t scratch = {.allocator = arena->allocator};
  vouch_ret_t code = decode(geometry, arena, &scratch, in, strict);
  vouch_arena_fini(&scratch);
  if (code != VOUCH_RET_OK) {
    memset(geometry, 0, sizeof(*geometry));
  }
  return code;
}

vouch_ret_t vouch_geometry_decode(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const void * data, size_t size, size_t * used)
{
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  vouch_ret_t code = read_geometry(geometry, arena, &in, true);
  code = code == VOUCH_RET_OK ? vouch_geometry_validate_and_number(geometry) : code;
  *used = code == VOUCH_RET_OK ? in.position : 0;
  return code;
}

vouch_ret_t vouch_geometry_decode_loosely(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const void * data, size_t size, size_t * used)
{
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  vouch_ret_t code = read_geometry(geometry, arena, &in, false);
  *used = code == VOUCH_RET_OK ? in.position : 0;
  return code;
}
