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

/* Boxes, spheres, capsules, curved shapes and prisms against their closed forms. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/vec.h"
#include "support/random.h"

typedef struct built_s
{
  vouch_arena_t arena;
  vouch_geometry_t geometry;
  vouch_geometry_facts_t facts;
} built_t;

static vouch_geometry_builder_t * new_builder(void)
{
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {0};
  assert_int_equal(
    vouch_geometry_builder_create(&builder, vouch_allocator_default(), &options), VOUCH_RET_OK);
  return builder;
}

static built_t finish(vouch_geometry_builder_t * builder)
{
  built_t built = {.arena = {.allocator = vouch_allocator_default()}};
  assert_int_equal(
    vouch_geometry_build(builder, &built.arena, &built.geometry, &built.facts), VOUCH_RET_OK);
  vouch_geometry_builder_destroy(builder);
  assert_int_equal(vouch_geometry_validate(&built.geometry), VOUCH_RET_OK);
  return built;
}

static vouch_pose_t some_pose(test_random_t * random)
{
  vouch_pose_t pose;
  double rpy[3];
  for (int k = 0; k < 3; ++k) {
    rpy[k] = test_random_in(random, -3.0, 3.0);
    pose.translation[k] = test_random_in(random, -2.0, 2.0);
  }
  quaternion_from_rpy(rpy, pose.rotation);
  return pose;
}

/// Support of points plus radius, of all primitives.
static double support(const vouch_geometry_t * g, vec3_t n)
{
  double best = -HUGE_VAL;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    for (uint32_t k = 0; k < p->count; ++k) {
      best = fmax(
        best, vec3_dot(vec3_from(g->vertices[g->indices[p->first + k]]), n) + p->radius);
    }
  }
  return best;
}

typedef double (* local_support_t)(vec3_t n, const double * sizes);

static double box_support(vec3_t n, const double * s)
{
  return 0.5 * (fabs(n.x) * s[0] + fabs(n.y) * s[1] + fabs(n.z) * s[2]);
}

static double sphere_support(vec3_t n, const double * s)
{
  return s[0] * vec3_norm(n);
}

static double capsule_support(vec3_t n, const double * s)
{
  return s[0] * vec3_norm(n) + 0.5 * s[1] * fabs(n.z);
}

static void expect_support(
  const vouch_geometry_t * g, const vouch_pose_t * pose, local_support_t local,
  const double * sizes)
{
  test_random_t random = {.state = 41};
  rigid_t frame = rigid_from_pose(pose);
  for (int i = 0; i < 300; ++i) {
    double d[3];
    test_random_direction(&random, d);
    vec3_t n = vec3_from(d);
    double want = vec3_dot(n, frame.translation) +
      local(mat3_tmul_vec(&frame.rotation, n), sizes);
    assert_true(fabs(support(g, n) - want) < 1e-14);
  }
}

static void boxes_spheres_and_capsules(void ** state)
{
  (void)state;
  test_random_t random = {.state = 42};
  const double sizes[3] = {0.3, 0.5, 0.7};
  for (int round = 0; round < 30; ++round) {
    vouch_pose_t pose = some_pose(&random);
    vouch_geometry_builder_t * builder = new_builder();
    assert_int_equal(vouch_geometry_add_box(builder, sizes, &pose), VOUCH_RET_OK);
    built_t built = finish(builder);
    assert_int_equal(built.geometry.primitives[0].count, 8);
    expect_support(&built.geometry, &pose, box_support, sizes);
    vouch_arena_fini(&built.arena);
    builder = new_builder();
    assert_int_equal(vouch_geometry_add_sphere(builder, sizes[0], &pose), VOUCH_RET_OK);
    built = finish(builder);
    expect_support(&built.geometry, &pose, sphere_support, sizes);
    vouch_arena_fini(&built.arena);
    builder = new_builder();
    assert_int_equal(
      vouch_geometry_add_capsule(builder, sizes[0], sizes[1], &pose), VOUCH_RET_OK);
    built = finish(builder);
    expect_support(&built.geometry, &pose, capsule_support, sizes);
    vouch_arena_fini(&built.arena);
  }
}

static void sizes_that_are_no_sizes_are_refused(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = new_builder();
  vouch_pose_t pose = vouch_pose_identity();
  const double wrong[] = {0.0, -1.0, NAN, INFINITY, 1.1e6};
  const double base[3][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
  for (int i = 0; i < 5; ++i) {
    double size[3] = {1.0, 1.0, 1.0};
    size[i % 3] = wrong[i];
    assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_INVALID);
    assert_true(strlen(vouch_error()) > 20);
    assert_int_equal(vouch_geometry_add_sphere(builder, wrong[i], &pose), VOUCH_RET_INVALID);
    assert_int_equal(vouch_geometry_add_capsule(builder, wrong[i], 1.0, &pose), VOUCH_RET_INVALID);
    assert_int_equal(vouch_geometry_add_capsule(builder, 1.0, wrong[i], &pose), VOUCH_RET_INVALID);
    assert_int_equal(
      vouch_geometry_add_prism(builder, base, 3, wrong[i], &pose), VOUCH_RET_INVALID);
    vouch_curved_t curved = {.pose = pose, .size = {1.0, 1.0, 1.0}};
    curved.size[i % 2] = wrong[i];
    assert_int_equal(
      vouch_geometry_add_curved(builder, VOUCH_PRIMITIVE_CONE, &curved, 0.0), VOUCH_RET_INVALID);
    assert_int_equal(
      vouch_geometry_add_curved(builder, VOUCH_PRIMITIVE_ELLIPSOID, &curved, 0.0),
      VOUCH_RET_INVALID);
  }
  vouch_curved_t curved = {.pose = pose, .size = {1.0, 1.0, 1.0}};
  assert_int_equal(
    vouch_geometry_add_curved(builder, VOUCH_PRIMITIVE_HULL, &curved, 0.0), VOUCH_RET_INVALID);
  pose.rotation[3] = 1.01;
  const double size[3] = {1.0, 1.0, 1.0};
  assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_INVALID);
  assert_int_equal(vouch_geometry_add_sphere(builder, 1.0, &pose), VOUCH_RET_INVALID);
  curved.pose = pose;
  assert_int_equal(
    vouch_geometry_add_curved(builder, VOUCH_PRIMITIVE_CYLINDER, &curved, 0.0), VOUCH_RET_INVALID);
  vouch_geometry_builder_destroy(builder);
}

static void curved_shapes_are_taken_as_they_are(void ** state)
{
  (void)state;
  test_random_t random = {.state = 43};
  const vouch_primitive_kind_t kinds[3] = {
    VOUCH_PRIMITIVE_CYLINDER, VOUCH_PRIMITIVE_CONE, VOUCH_PRIMITIVE_ELLIPSOID
  };
  vouch_geometry_builder_t * builder = new_builder();
  vouch_curved_t curved[3];
  for (int i = 0; i < 3; ++i) {
    curved[i] = (vouch_curved_t) {.pose = some_pose(&random), .size = {0.1, 0.2, 0.3}};
    assert_int_equal(
      vouch_geometry_add_curved(builder, kinds[i], &curved[i], 0.01 * i), VOUCH_RET_OK);
  }
  built_t built = finish(builder);
  assert_int_equal(built.geometry.curved_count, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    const vouch_primitive_t * p = &built.geometry.primitives[i];
    const vouch_curved_t * got = &built.geometry.curved[p->first];
    int k = p->kind - VOUCH_PRIMITIVE_CYLINDER;
    assert_memory_equal(&got->pose, &curved[k].pose, sizeof(got->pose));
    assert_true(got->size[0] == 0.1 && got->size[1] == 0.2);
    assert_true(got->size[2] == (k == 2 ? 0.3 : 0.0));
    assert_true(p->radius == 0.01 * k);
  }
  vouch_arena_fini(&built.arena);
}

/* ---- prisms ---- */

static double mesh_volume(const vouch_geometry_t * g)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const uint32_t * c = g->indices + g->primitives[i].first;
    vec3_t a = vec3_from(g->vertices[c[0]]), b = vec3_from(g->vertices[c[1]]);
    sum += vec3_dot(a, vec3_cross(b, vec3_from(g->vertices[c[2]])));
  }
  return sum / 6.0;
}

static double mesh_surface(const vouch_geometry_t * g)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const uint32_t * c = g->indices + g->primitives[i].first;
    vec3_t a = vec3_from(g->vertices[c[0]]), b = vec3_from(g->vertices[c[1]]);
    vec3_t ac = vec3_sub(vec3_from(g->vertices[c[2]]), a);
    sum += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), ac));
  }
  return sum;
}

static double polygon_length(const double(*p)[2], size_t count)
{
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double * a = p[i], * b = p[(i + 1) % count];
    sum += hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

static double polygon_area(const double(*p)[2], size_t count)
{
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double * a = p[i], * b = p[(i + 1) % count];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return fabs(0.5 * sum);
}

static void convex_prisms_are_hulls(void ** state)
{
  (void)state;
  test_random_t random = {.state = 44};
  vouch_pose_t pose = some_pose(&random);
  const double hexagon[8][2] = {
    {1.0, 0.0}, {1.0, 0.0}, {0.5, 0.8}, {-0.5, 0.8}, {-1.0, 0.0}, {-0.5, -0.8}, {0.5, -0.8},
    {1.0, 0.0}
  };
  vouch_geometry_builder_t * builder = new_builder();
  assert_int_equal(vouch_geometry_add_prism(builder, hexagon, 8, 0.5, &pose), VOUCH_RET_OK);
  built_t built = finish(builder);
  assert_int_equal(built.geometry.primitive_count, 1);
  assert_int_equal(built.geometry.primitives[0].kind, VOUCH_PRIMITIVE_HULL);
  assert_int_equal(built.geometry.primitives[0].count, 12);
  vouch_arena_fini(&built.arena);
}

/// Any star-shaped polygon, either way round: closed, and of the right volume.
static void other_prisms_are_closed_meshes(void ** state)
{
  (void)state;
  test_random_t random = {.state = 45};
  for (int round = 0; round < 200; ++round) {
    size_t count = 5 + test_random_below(&random, 40);
    double base[45][2];
    for (size_t i = 0; i < count; ++i) {
      double angle = 6.283185307179586 * (double)i / (double)count * (round % 2 == 0 ? 1.0 : -1.0);
      double reach = i % 2 == 0 ? 1.0 : test_random_in(&random, 0.05, 0.25);
      base[i][0] = reach * cos(angle);
      base[i][1] = reach * sin(angle);
    }
    vouch_pose_t pose = some_pose(&random);
    vouch_geometry_builder_t * builder = new_builder();
    assert_int_equal(
      vouch_geometry_add_prism(builder, (const double(*)[2])base, count, 0.25, &pose),
      VOUCH_RET_OK);
    built_t built = finish(builder);
    assert_int_equal(built.facts.triangles, 4 * count - 4);
    assert_int_equal(built.facts.solids, 1);
    assert_int_equal(built.facts.open, 0);
    double area = polygon_area((const double(*)[2])base, count);
    double length = polygon_length((const double(*)[2])base, count);
    assert_true(fabs(mesh_volume(&built.geometry) - 0.25 * area) < 1e-12);
    // Lids that overlap themselves would have the right volume, but too much surface.
    assert_true(fabs(mesh_surface(&built.geometry) - 2.0 * area - 0.25 * length) < 1e-12);
    vouch_arena_fini(&built.arena);
  }
}

static void prisms_with_straight_corners(void ** state)
{
  (void)state;
  const double shape[10][2] = {   // an L with points in the middle of its sides
    {0, 0}, {1, 0}, {2, 0}, {2, 0.5}, {2, 1}, {1, 1}, {1, 2}, {0.5, 2}, {0, 2}, {0, 1}
  };
  vouch_pose_t pose = vouch_pose_identity();
  vouch_geometry_builder_t * builder = new_builder();
  assert_int_equal(vouch_geometry_add_prism(builder, shape, 10, 1.0, &pose), VOUCH_RET_OK);
  built_t built = finish(builder);
  assert_int_equal(built.facts.solids, 1);
  assert_true(fabs(mesh_volume(&built.geometry) - 3.0) < 1e-15);
  vouch_arena_fini(&built.arena);
}

static void polygons_that_are_none_are_refused(void ** state)
{
  (void)state;
  static const double bow_tie[4][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
  static const double line[4][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  static const double spike[5][2] = {{0, 0}, {2, 0}, {2, 2}, {2, 0}, {1, -1}};
  static const double touch[6][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}, {-1, 1}};
  static const double star[5][2] = {{0, 1}, {0.6, -0.8}, {-1, 0.3}, {1, 0.3}, {-0.6, -0.8}};
  static const double bad[3][2] = {{0, 0}, {NAN, 0}, {0, 1}};
  const struct {const double(*points)[2]; size_t count;} wrong[] = {
    {bow_tie, 4}, {line, 4}, {spike, 5}, {touch, 6}, {star, 5}, {bad, 3}, {line, 2}, {line, 0}
  };
  vouch_pose_t pose = vouch_pose_identity();
  vouch_geometry_builder_t * builder = new_builder();
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
    if (vouch_geometry_add_prism(builder, wrong[i].points, wrong[i].count, 1.0, &pose) !=
      VOUCH_RET_INVALID)
    {
      fail_msg("polygon %zu was taken", i);
    }
  }
  vouch_geometry_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_spheres_and_capsules),
    cmocka_unit_test(sizes_that_are_no_sizes_are_refused),
    cmocka_unit_test(curved_shapes_are_taken_as_they_are),
    cmocka_unit_test(convex_prisms_are_hulls),
    cmocka_unit_test(other_prisms_are_closed_meshes),
    cmocka_unit_test(prisms_with_straight_corners),
    cmocka_unit_test(polygons_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
