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

/* Geometries that tests build, and the truth about how far they reach. Needs cmocka.h. */

#ifndef SUPPORT__BUILT_H_
#define SUPPORT__BUILT_H_

#include <math.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/vec.h"
#include "read/mesh_file.h"
#include "support/data.h"
#include "support/random.h"

typedef struct test_built_s
{
  vouch_arena_t arena;
  vouch_geometry_t geometry;
  vouch_geometry_facts_t facts;
} test_built_t;

static inline vouch_geometry_builder_t * test_builder(bool hulls, bool surfaces)
{
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {.hulls = hulls, .surfaces = surfaces};
  assert_int_equal(
    vouch_geometry_builder_create(&builder, vouch_allocator_default(), &options), VOUCH_RET_OK);
  return builder;
}

/// Builds, validates, and releases the builder.
static inline test_built_t test_finish(vouch_geometry_builder_t * builder)
{
  test_built_t built = {.arena = {.allocator = vouch_allocator_default()}};
  assert_int_equal(
    vouch_geometry_build(builder, &built.arena, &built.geometry, &built.facts), VOUCH_RET_OK);
  vouch_geometry_builder_destroy(builder);
  if (vouch_geometry_validate(&built.geometry) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return built;
}

/// The geometry of a mesh file among the shared data.
static inline test_built_t test_built_of(const char * relative)
{
  char path[1024];
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_non_null(test_data_path(relative, path, sizeof(path)));
  assert_int_equal(vouch_mesh_load(&mesh, path), VOUCH_RET_OK);
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  vouch_mesh_fini(&mesh);
  return test_finish(builder);
}

/// Turned in any way, no coordinate beyond `reach`.
static inline vouch_pose_t test_random_pose(test_random_t * random, double reach)
{
  vouch_pose_t pose;
  double rpy[3];
  for (int k = 0; k < 3; ++k) {
    rpy[k] = test_random_in(random, -3.0, 3.0);
    pose.translation[k] = test_random_in(random, -reach, reach);
  }
  quaternion_from_rpy(rpy, pose.rotation);
  return pose;
}

static inline void test_release(test_built_t * built)
{
  vouch_arena_fini(&built->arena);
}

static inline double test_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Of the vertices of a list, with their half-axes.
static inline double test_support_of_list(
  const vouch_geometry_t * g, const uint32_t * list, uint32_t count, const double n[3])
{
  double best = -HUGE_VAL;
  for (uint32_t i = 0; i < count; ++i) {
    const double * axes = vouch_geometry_round(g, list[i]);
    double reach = axes == NULL ? 0.0 :
      sqrt(
      pow(
        test_dot(axes, n),
        2.0) + pow(test_dot(axes + 3, n), 2.0) + pow(test_dot(axes + 6, n), 2.0));
    best = fmax(best, test_dot(g->vertices[list[i]], n) + reach);
  }
  return best;
}

/// Of the primitives beneath; the truth, by brute force.
static inline double test_support_of_primitives(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, const double n[3])
{
  double best = -HUGE_VAL;
  for (uint32_t i = node->first; i < node->first + node->count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    best = fmax(best, test_support_of_list(g, g->indices + p->first, p->count, n));
  }
  return best;
}

/// Encoding, decoding and encoding again gives the same bytes, and decoding the same geometry.
static inline void test_round_trip(const vouch_geometry_t * g)
{
  vouch_text_t one = {.allocator = vouch_allocator_default()}, two = one;
  vouch_geometry_encode(g, &one);
  assert_false(one.failed);
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_geometry_t copy;
  size_t used = 0;
  if (vouch_geometry_decode(&copy, &arena, one.data, one.size, &used) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  assert_int_equal(used, one.size);
  vouch_geometry_encode(&copy, &two);
  assert_int_equal(one.size, two.size);
  assert_memory_equal(one.data, two.data, one.size);
  assert_int_equal(g->open_node, copy.open_node);
  assert_int_equal(g->component_count, copy.component_count);
  assert_memory_equal(g->components, copy.components, g->component_count);
  assert_memory_equal(g->nodes, copy.nodes, g->node_count * sizeof(g->nodes[0]));
  assert_int_equal(g->kept_count, copy.kept_count);
  assert_int_equal(g->witness_count, copy.witness_count);
  if (g->witness_count > 0) {
    assert_memory_equal(
      g->witnesses, copy.witnesses, g->witness_count * sizeof(g->witnesses[0]));
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i], * q = &copy.primitives[i];
    assert_true(
      p->kind == q->kind && p->component == q->component && p->first == q->first &&
      p->count == q->count);
  }
  vouch_text_fini(&one);
  vouch_text_fini(&two);
  vouch_arena_fini(&arena);
}

#endif  // SUPPORT__BUILT_H_
