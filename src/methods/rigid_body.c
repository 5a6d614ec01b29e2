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

/* TRUSTED: box_of_range (each box contains its triangles), tree_build (children tile their parent),
 * node_rho.
 *
 * Top-down median split along the longest side of the box of centroids. */

#include "methods/rigid_body.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "read/mesh_file.h"

typedef struct build_s
{
  vouch_rigid_body_t * body;
  uint32_t * order;
  vec3_t * centroids;
} build_t;

static double component_of(vec3_t v, int k) {return k == 0 ? v.x : (k == 1 ? v.y : v.z);}

/* Ensures: every vertex of the triangles lies in centre +- half and within radius of centre. The
 * halves are raised by 2^-50 of the coordinates, which covers the rounding of centre and half. */
static void box_of_range(
  const vouch_rigid_body_t * body, const uint32_t * order, size_t count, body_node_t * node)
{
  vec3_t low = body_vertex(body, order[0], 0), high = low;
  for (size_t i = 0; i < count; i++) {
    for (int c = 0; c < 3; c++) {
      vec3_t v = body_vertex(body, order[i], c);
      low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
      high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
  }
  node->centre = vec3_scale(vec3_add(low, high), 0.5);
  vec3_t size = vec3(
    fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y)),
    fmax(fabs(low.z), fabs(high.z)));
  node->half = vec3_add(vec3_scale(vec3_sub(high, low), 0.5), vec3_scale(size, 0x1p-50));
  double radius = 0.0;
  for (size_t i = 0; i < count; i++) {
    for (int c = 0; c < 3; c++) {
      radius = fmax(radius, vec3_norm(vec3_sub(body_vertex(body, order[i], c), node->centre)));
    }
  }
  node->radius = radius * (1.0 + 0x1p-40) + 0x1p-48 * vec3_norm(size);
}

/* rho is convex, so that its largest value in a box is at a corner. */
static double node_rho(const vouch_rigid_body_t * body, const body_node_t * node)
{
  double rho = 0.0;
  for (int k = 0; k < 8; k++) {
    vec3_t corner = vec3(
      node->centre.x + (k & 1 ? node->half.x : -node->half.x) * (1.0 + 0x1p-40),
      node->centre.y + (k & 2 ? node->half.y : -node->half.y) * (1.0 + 0x1p-40),
      node->centre.z + (k & 4 ? node->half.z : -node->half.z) * (1.0 + 0x1p-40));
    rho = fmax(rho, metric_rho(&body->metric, corner));
  }
  return rho;
}

typedef struct keyed_s
{
  double key;
  uint32_t triangle;
} keyed_t;

static int keyed_compare(const void * a, const void * b)
{
  const keyed_t * x = a, * y = b;
  if (x->key != y->key) {
    return x->key < y->key ? -1 : 1;
  }
  return x->triangle < y->triangle ? -1 : (x->triangle > y->triangle ? 1 : 0);
}

static void sort_by_axis(const build_t * build, uint32_t * order, size_t count, keyed_t * keys)
{
  vec3_t low = build->centroids[order[0]], high = low;
  for (size_t i = 0; i < count; i++) {
    vec3_t v = build->centroids[order[i]];
    low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
    high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
  }
  vec3_t size = vec3_sub(high, low);
  int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  for (size_t i = 0; i < count; i++) {
    keys[i] = (keyed_t) {component_of(build->centroids[order[i]], axis), order[i]};
  }
  qsort(keys, count, sizeof(keys[0]), keyed_compare);
  for (size_t i = 0; i < count; i++) {
    order[i] = keys[i].triangle;
  }
}

/// Depth is the logarithm of the count, so recursion is safe.
static uint32_t tree_build(build_t * build, size_t first, size_t count, keyed_t * keys)
{
  vouch_rigid_body_t * body = build->body;
  uint32_t number = (uint32_t)body->node_count++;
  box_of_range(body, &build->order[first], count, &body->nodes[number]);
  body->nodes[number].rho = node_rho(body, &body->nodes[number]);
  body->nodes[number].triangle = build->order[first];
  if (count > 1) {
    sort_by_axis(build, &build->order[first], count, keys);
    size_t half = count / 2;
    uint32_t left = tree_build(build, first, half, keys);
    uint32_t right = tree_build(build, first + half, count - half, keys);
    body->nodes[number].left = left;
    body->nodes[number].right = right;
  }
  return number;
}

typedef struct feature_s
{
  uint64_t key;
  uint32_t triangle;
  uint8_t bit;
} feature_t;

static int feature_compare(const void * a, const void * b)
{
  const feature_t * x = a, * y = b;
  if (x->key != y->key) {
    return x->key < y->key ? -1 : 1;
  }
  return x->triangle < y->triangle ? -1 : (x->triangle > y->triangle ? 1 : x->bit - y->bit);
}

/* Ensures: each vertex and each edge of the mesh is owned by exactly one triangle that has it. */
static vouch_ret_t owners_build(vouch_rigid_body_t * body)
{
  const vouch_mesh_t * mesh = &body->mesh;
  size_t count = 6 * mesh->triangle_count;
  feature_t * features = vouch_calloc(&mesh->allocator, count, sizeof(*features));
  body->owned = vouch_calloc(&mesh->allocator, mesh->triangle_count, 1);
  if (features == NULL || body->owned == NULL) {
    vouch_free(&mesh->allocator, features);
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    for (uint8_t k = 0; k < 3; k++) {
      uint64_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
      uint64_t low = a < b ? a : b, high = a < b ? b : a;
      features[6 * t + k] = (feature_t) {a << 32 | a, t, k};
      features[6 * t + 3 + k] = (feature_t) {low << 32 | high, t, (uint8_t)(3 + k)};
    }
  }
  qsort(features, count, sizeof(*features), feature_compare);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || features[i].key != features[i - 1].key) {
      uint8_t * owned = &body->owned[features[i].triangle];
      *owned = (uint8_t)(*owned | (1u << features[i].bit));
    }
  }
  vouch_free(&mesh->allocator, features);
  return VOUCH_RET_OK;
}

static vouch_ret_t components_build(vouch_rigid_body_t * body)
{
  vouch_mesh_t * mesh = &body->mesh;
  bool * closed = NULL;
  body->component = vouch_calloc(&mesh->allocator, mesh->triangle_count, sizeof(uint32_t));
  if (body->component == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret =
    vouch_mesh_components(mesh, body->component, &closed, &body->component_count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  body->components =
    vouch_calloc(&mesh->allocator, body->component_count, sizeof(body->components[0]));
  body->closed = true;
  for (size_t c = 0; c < body->component_count && body->components != NULL; c++) {
    body->components[c] = (body_component_t) {
      .low = vec3(INFINITY, INFINITY, INFINITY), .high = vec3(-INFINITY, -INFINITY, -INFINITY),
      .closed = closed[c]
    };
    body->closed = body->closed && closed[c];
  }
  for (size_t t = 0; t < mesh->triangle_count && body->components != NULL; t++) {
    body_component_t * component = &body->components[body->component[t]];
    component->vertex = mesh->triangles[t][0];
    for (int k = 0; k < 3; k++) {
      vec3_t v = body_vertex(body, (uint32_t)t, k), * l = &component->low, * h = &component->high;
      *l = vec3(fmin(l->x, v.x), fmin(l->y, v.y), fmin(l->z, v.z));
      *h = vec3(fmax(h->x, v.x), fmax(h->y, v.y), fmax(h->z, v.z));
    }
  }
  vouch_free(&mesh->allocator, closed);
  return body->components == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

void body_take_metric(vouch_rigid_body_t * body)
{
  for (size_t i = 0; i < body->mesh.vertex_count; i++) {
    body->rho[i] = metric_rho(&body->metric, vec3_from(body->mesh.vertices[i]));
  }
  for (size_t i = 0; i < body->node_count; i++) {
    body->nodes[i].rho = node_rho(body, &body->nodes[i]);
  }
}

static vouch_ret_t masses_build(vouch_rigid_body_t * body)
{
  vouch_mesh_t * mesh = &body->mesh;
  body->rho = vouch_calloc(&mesh->allocator, mesh->vertex_count, sizeof(double));
  vec3_t * points = vouch_calloc(&mesh->allocator, mesh->vertex_count, sizeof(vec3_t));
  if (body->rho == NULL || points == NULL) {
    vouch_free(&mesh->allocator, points);
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    points[i] = vec3_from(mesh->vertices[i]);
    body->reach = fmax(body->reach, vec3_norm(points[i]) * (1.0 + 0x1p-45));
  }
  bool ok = metric_from_points(&body->metric, points, NULL, mesh->vertex_count);
  vouch_free(&mesh->allocator, points);
  if (!ok) {
    return vouch_fail(
      VOUCH_RET_INVALID, "all vertices of the mesh lie in one point: it has no mass distribution");
  }
  body_take_metric(body);
  return VOUCH_RET_OK;
}

static vouch_ret_t body_tree(vouch_rigid_body_t * body)
{
  const vouch_allocator_t * allocator = &body->mesh.allocator;
  size_t count = body->mesh.triangle_count;
  build_t build = {.body = body};
  build.order = vouch_calloc(allocator, count, sizeof(uint32_t));
  build.centroids = vouch_calloc(allocator, count, sizeof(vec3_t));
  keyed_t * keys = vouch_calloc(allocator, count, sizeof(keyed_t));
  body->nodes = vouch_calloc(allocator, 2 * count, sizeof(body->nodes[0]));
  bool ok = build.order != NULL && build.centroids != NULL && keys != NULL && body->nodes != NULL;
  if (ok) {
    for (size_t i = 0; i < count; i++) {
      build.order[i] = (uint32_t)i;
      build.centroids[i] = vec3_add(
        vec3_add(body_vertex(body, (uint32_t)i, 0), body_vertex(body, (uint32_t)i, 1)),
        body_vertex(body, (uint32_t)i, 2));
    }
    (void)tree_build(&build, 0, count, keys);
  }
  vouch_free(allocator, build.order);
  vouch_free(allocator, build.centroids);
  vouch_free(allocator, keys);
  return ok ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/// Takes over the mesh, also when it fails.
static vouch_ret_t body_from_mesh(vouch_rigid_body_t ** out, vouch_mesh_t * mesh)
{
  vouch_ret_t ret = vouch_mesh_validate(mesh);
  vouch_rigid_body_t * body = NULL;
  if (ret == VOUCH_RET_OK) {
    ret = vouch_mesh_weld(mesh);
  }
  if (ret == VOUCH_RET_OK) {
    body = vouch_calloc(&mesh->allocator, 1, sizeof(*body));
    ret = body == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  }
  if (ret != VOUCH_RET_OK) {
    vouch_mesh_fini(mesh);
    return ret;
  }
  body->mesh = *mesh;
  ret = masses_build(body);
  if (ret == VOUCH_RET_OK) {
    ret = components_build(body);
  }
  if (ret == VOUCH_RET_OK) {
    ret = owners_build(body);
  }
  if (ret == VOUCH_RET_OK) {
    ret = body_tree(body);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_body_destroy(body);
    return ret;
  }
  *out = body;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_body_create(
  vouch_rigid_body_t ** out, vouch_allocator_t allocator,
  const double(*vertices)[3], size_t vertex_count,
  const uint32_t(*triangles)[3], size_t triangle_count)
{
  VOUCH_REQUIRE("out", out);
  *out = NULL;
  VOUCH_REQUIRE_ARRAY("vertices", vertices, vertex_count);
  VOUCH_REQUIRE_ARRAY("triangles", triangles, triangle_count);
  vouch_mesh_t mesh = vouch_mesh_zero(allocator);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < vertex_count && ret == VOUCH_RET_OK; i++) {
    ret = vouch_mesh_add_vertex(&mesh, vertices[i]);
  }
  for (size_t i = 0; i < triangle_count && ret == VOUCH_RET_OK; i++) {
    ret = vouch_mesh_add_triangle(&mesh, triangles[i][0], triangles[i][1], triangles[i][2]);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_mesh_fini(&mesh);
    return ret;
  }
  return body_from_mesh(out, &mesh);
}

vouch_ret_t vouch_rigid_body_load(
  vouch_rigid_body_t ** out, vouch_allocator_t allocator, const char * path)
{
  VOUCH_REQUIRE("out", out);
  *out = NULL;
  VOUCH_REQUIRE("path", path);
  vouch_mesh_t mesh = vouch_mesh_zero(allocator);
  vouch_ret_t ret = vouch_mesh_load(&mesh, path);
  if (ret != VOUCH_RET_OK) {
    vouch_mesh_fini(&mesh);
    return ret;
  }
  ret = body_from_mesh(out, &mesh);
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s", path);
}

void vouch_rigid_body_destroy(vouch_rigid_body_t * body)
{
  if (body == NULL) {
    return;
  }
  vouch_allocator_t allocator = body->mesh.allocator;
  vouch_free(&allocator, body->nodes);
  vouch_free(&allocator, body->component);
  vouch_free(&allocator, body->owned);
  vouch_free(&allocator, body->components);
  vouch_free(&allocator, body->rho);
  vouch_mesh_fini(&body->mesh);
  vouch_free(&allocator, body);
}

bool vouch_rigid_body_closed(const vouch_rigid_body_t * body)
{
  return body->closed;
}

size_t vouch_rigid_body_triangle_count(const vouch_rigid_body_t * body)
{
  return body->mesh.triangle_count;
}
