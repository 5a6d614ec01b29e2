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

#include "kernel/derived.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"

/* Every length computed here comes from at most a few dozen operations on numbers of magnitude M,
 * so it is off by less than 2^-46 M; SLACK covers that and leaves the verifier room. */
#define RELATIVE (1.0 + 0x1p-40)
#define SLACK 0x1p-44

static double largest(vec3_t a)
{
  return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static vec3_t vertex(const vouch_geometry_t * geometry, uint32_t number)
{
  return vec3_from(geometry->vertices[number]);
}

static bool is_curved(const vouch_geometry_t * g, uint32_t primitive)
{
  return g->primitives[primitive].kind >= VOUCH_PRIMITIVE_CYLINDER;
}

/// [L4] How far a primitive reaches from its points: its radius, and of a cylinder, cone or
/// ellipsoid how far that reaches from its middle, up to rounding.
static double carried(const vouch_geometry_t * g, uint32_t number)
{
  const vouch_primitive_t * p = &g->primitives[number];
  if (!is_curved(g, number)) {
    return p->radius;
  }
  const double * s = g->curved[p->first].size;
  double reach = p->kind == VOUCH_PRIMITIVE_ELLIPSOID ?
    fmax(s[0], fmax(s[1], s[2])) : sqrt(s[0] * s[0] + s[1] * s[1]);
  return (reach + p->radius) * RELATIVE;
}

/// Points of a node's list (docs/certificate_format.md) and what each carries. Instead of the root's
/// list: all vertices and middles, which carry what the root keeps and every primitive do at most.
typedef struct list_s
{
  const vouch_geometry_t * geometry;
  const vouch_tree_node_t * node;
  double kept_carries;
  bool all;
  uint32_t primitive, entry;   // where the walk stands
} list_t;

static list_t list_of(
  const vouch_geometry_t * geometry, const kernel_node_t * nodes,
  uint32_t number)
{
  list_t list = {.geometry = geometry, .node = &geometry->nodes[number]};
  list.kept_carries = nodes[number].epsilon;
  list.primitive = list.node->first;
  return list;
}

static list_t list_of_all(const vouch_geometry_t * geometry, const kernel_node_t * nodes)
{
  list_t list = list_of(geometry, nodes, 0);
  list.all = true;
  for (uint32_t i = 0; i < geometry->primitive_count; i++) {
    list.kept_carries = fmax(list.kept_carries, carried(geometry, i));
  }
  return list;
}

static bool list_next(list_t * list, vec3_t * point, double * carries)
{
  const vouch_geometry_t * g = list->geometry;
  if (list->all) {
    if (list->entry == g->vertex_count + g->curved_count) {
      return false;
    }
    *point = list->entry < g->vertex_count ? vertex(g, list->entry) :
      vec3_from(g->curved[list->entry - g->vertex_count].pose.translation);
    *carries = list->kept_carries;
    list->entry++;
    return true;
  }
  if (list->node->kept_count > 0) {
    if (list->entry == list->node->kept_count) {
      return false;
    }
    *point = vertex(g, g->kept[list->node->kept_first + list->entry++]);
    *carries = list->kept_carries;
    return true;
  }
  while (list->primitive < list->node->first + list->node->count) {
    const vouch_primitive_t * primitive = &g->primitives[list->primitive];
    if (list->entry < primitive->count) {
      *point = is_curved(g, list->primitive) ?
        vec3_from(g->curved[primitive->first].pose.translation) :
        vertex(g, g->indices[primitive->first + list->entry]);
      *carries = carried(g, list->primitive);
      list->entry++;
      return true;
    }
    list->primitive++;
    list->entry = 0;
  }
  return false;
}

/// [L6] Requires: weights >= 0 that sum to at most 1.
/// Ensures: |p - sum w v| <= the result, or the result is infinite.
static double witness_error(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, const vouch_witness_t * witness,
  vec3_t p)
{
  double w[4] = {(double)witness->weight[0], (double)witness->weight[1],
    (double)witness->weight[2], 0.0};
  w[3] = 1.0 - (w[0] + w[1] + w[2]);
  vec3_t sum = vec3(0.0, 0.0, 0.0);
  double magnitude = largest(p);
  for (int i = 0; i < 4; i++) {
    if (!(w[i] >= 0.0 && w[i] <= 1.0) || witness->index[i] >= node->kept_count) {
      return INFINITY;
    }
    vec3_t v = vertex(g, g->kept[node->kept_first + witness->index[i]]);
    magnitude = fmax(magnitude, largest(v));
    sum = vec3_add(sum, vec3_scale(v, w[i]));
  }
  return vec3_norm(vec3_sub(p, sum)) * RELATIVE + SLACK * magnitude;
}

static vouch_ret_t node_epsilon(
  const vouch_geometry_t * g, kernel_node_t * nodes, uint32_t number, uint32_t * witness)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  double epsilon = 0.0;
  uint32_t children[2] = {node->left, node->right};
  for (int c = 0; c < 2; c++) {
    list_t list = list_of(g, nodes, children[c]);
    vec3_t p;
    double carries;
    while (list_next(&list, &p, &carries)) {
      double error = witness_error(g, node, &g->witnesses[(*witness)++], p);
      epsilon = fmax(epsilon, error + carries);
      if (!(error < VOUCH_MAX_COORDINATE)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "hull witness of node %u is no convex combination", number);
      }
    }
  }
  nodes[number].epsilon = epsilon * RELATIVE;
  return VOUCH_RET_OK;
}

static void box_to_ball(const vec3_t low, const vec3_t high, vec3_t * center)
{
  *center = vec3_scale(vec3_add(low, high), 0.5);
}

static void set_box(kernel_node_t * node, vec3_t low, vec3_t high, double carries)
{
  const double lo[3] = {low.x, low.y, low.z}, hi[3] = {high.x, high.y, high.z};
  for (int i = 0; i < 3; i++) {
    double widen = carries + 1e-6 * (fabs(lo[i]) + fabs(hi[i]));
    node->low[i] = (float)(lo[i] - widen);
    node->high[i] = (float)(hi[i] + widen);
  }
}

/// [L4] Ball around the points of a node's list and the most that one of them carries. For the root it
/// is around all points, as the verifier's is, and around the hull that it keeps.
static void list_ball(const vouch_geometry_t * g, kernel_node_t * nodes, uint32_t number)
{
  vec3_t low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_neg(low), p;
  double carries, most = 0.0, radius = 0.0;
  list_t list = number == 0 ? list_of_all(g, nodes) : list_of(g, nodes, number);
  while (list_next(&list, &p, &carries)) {
    low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    most = fmax(most, carries);
  }
  kernel_node_t * node = &nodes[number];
  box_to_ball(low, high, &node->center);
  list.primitive = list.node->first;
  list.entry = 0;
  while (list_next(&list, &p, &carries)) {
    radius = fmax(radius, vec3_norm(vec3_sub(p, node->center)) + most);
  }
  node->radius = radius * RELATIVE + SLACK * fmax(largest(low), largest(high));
  set_box(node, low, high, most);
}

/// The box around two boxes is tighter than that of the list where much is carried.
static void join_boxes(kernel_node_t * node, const kernel_node_t * a, const kernel_node_t * b)
{
  for (int i = 0; i < 3; i++) {
    node->low[i] = fminf(a->low[i], b->low[i]);
    node->high[i] = fmaxf(a->high[i], b->high[i]);
  }
}

static void copy_hull(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, kernel_node_t * out, double * hulls,
  uint32_t * used)
{
  uint32_t size = (node->kept_count + 3u) / 4u * 4u;
  out->hull = *used;
  out->hull_size = size;
  out->coarse = size > KERNEL_COARSE + 8u ? KERNEL_COARSE : size;
  for (uint32_t i = 0; i < size; i++) {
    uint32_t entry = i < node->kept_count ? i : node->kept_count - 1u;
    const double * v = g->vertices[g->kept[node->kept_first + entry]];
    for (uint32_t axis = 0; axis < 3; axis++) {
      hulls[*used + axis * size + i] = v[axis];
    }
  }
  if (out->coarse < size) {
    kernel_order_hull(hulls + *used, size);
  }
  *used += 3u * size;
}

static size_t hull_doubles(const vouch_geometry_t * g)
{
  size_t total = 0;
  for (uint32_t i = 0; i < g->node_count; i++) {
    total += 3u * ((g->nodes[i].kept_count + 3u) / 4u * 4u);
  }
  return total;
}

static void derived_free(void * pointer)
{
  kernel_derived_t * derived = pointer;
  vouch_allocator_t allocator = derived->allocator;
  vouch_free(&allocator, derived->nodes);
  vouch_free(&allocator, derived->hulls);
  vouch_free(&allocator, derived->curved_rotation);
  vouch_free(&allocator, derived->component_first);
  vouch_free(&allocator, derived);
}

static vouch_ret_t fill_nodes(const vouch_geometry_t * g, kernel_derived_t * d)
{
  /* Witnesses are numbered in node order, but epsilons need children first. */
  uint32_t used = 0;
  for (uint32_t i = g->node_count; i-- > 0; ) {
    const vouch_tree_node_t * node = &g->nodes[i];
    kernel_node_t * out = &d->nodes[i];
    out->hull = KERNEL_NO_HULL;
    if (node->kept_count > 0) {
      uint32_t witness = node->witness_first;
      vouch_ret_t ret = node_epsilon(g, d->nodes, i, &witness);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
      copy_hull(g, node, out, d->hulls, &used);
    }
    list_ball(g, d->nodes, i);
    if (node->kept_count == 0 && node->left != 0) {
      join_boxes(out, &d->nodes[node->left], &d->nodes[node->right]);
    }
  }
  return VOUCH_RET_OK;
}

static void fill_components(const vouch_geometry_t * g, kernel_derived_t * d)
{
  for (uint32_t i = g->primitive_count; i-- > 0; ) {
    d->component_first[g->primitives[i].component] = i;
  }
  d->first_open = VOUCH_NONE;
  for (uint32_t i = g->component_count; i-- > 0; ) {
    d->first_open = g->components[i] == VOUCH_COMPONENT_OPEN ? i : d->first_open;
  }
  for (uint32_t i = 0; i < g->curved_count; i++) {
    d->curved_rotation[i] = mat3_from_quaternion(g->curved[i].pose.rotation);
  }
}

vouch_ret_t kernel_derive(vouch_geometry_t * geometry, vouch_allocator_t allocator)
{
  if (geometry->derived != NULL) {
    return VOUCH_RET_OK;
  }
  kernel_derived_t * d = vouch_calloc(&allocator, 1, sizeof(*d));
  if (d == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  d->allocator = allocator;
  d->nodes = vouch_calloc(&allocator, geometry->node_count, sizeof(*d->nodes));
  d->hulls = vouch_calloc(&allocator, hull_doubles(geometry), sizeof(double));
  d->curved_rotation = vouch_calloc(&allocator, geometry->curved_count, sizeof(mat3_t));
  d->component_first = vouch_calloc(&allocator, geometry->component_count, sizeof(uint32_t));
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (d->nodes && d->hulls && d->curved_rotation && d->component_first) {
    fill_components(geometry, d);
    ret = fill_nodes(geometry, d);
  }
  if (ret != VOUCH_RET_OK) {
    derived_free(d);
    return ret;
  }
  d->extent = vec3_norm(d->nodes[0].center) + d->nodes[0].radius;
  geometry->derived = d;
  geometry->derived_free = derived_free;
  return VOUCH_RET_OK;
}
