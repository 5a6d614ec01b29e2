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
#include "support/built.h"
#include "support/random.h"

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

static double cylinder_support(vec3_t n, const double * s)
{
  return s[0] * hypot(n.x, n.y) + s[1] * fabs(n.z);
}

/// The base, or the tip.
static double cone_support(vec3_t n, const double * s)
{
  return fmax(s[0] * hypot(n.x, n.y) - s[1] * n.z, s[1] * n.z);
}

static double ellipsoid_support(vec3_t n, const double * s)
{
  return vec3_norm(vec3(s[0] * n.x, s[1] * n.y, s[2] * n.z));
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
    assert_true(fabs(test_support_of_primitives(g, &g->nodes[0], d) - want) < 2e-15);
  }
}

static void boxes_spheres_and_capsules(void ** state)
{
  (void)state;
  test_random_t random = {.state = 42};
  const double sizes[3] = {0.3, 0.5, 0.7};
  for (int round = 0; round < 30; ++round) {
    vouch_pose_t pose = test_random_pose(&random, 2.0);
    vouch_geometry_builder_t * builder = test_builder(false, false);
    assert_int_equal(vouch_geometry_add_box(builder, sizes, &pose), VOUCH_RET_OK);
    test_built_t built = test_finish(builder);
    assert_int_equal(built.geometry.primitives[0].count, 8);
    expect_support(&built.geometry, &pose, box_support, sizes);
    test_release(&built);
    builder = test_builder(false, false);
    assert_int_equal(vouch_geometry_add_sphere(builder, sizes[0], &pose), VOUCH_RET_OK);
    built = test_finish(builder);
    expect_support(&built.geometry, &pose, sphere_support, sizes);
    test_release(&built);
    builder = test_builder(false, false);
    assert_int_equal(
      vouch_geometry_add_capsule(builder, sizes[0], sizes[1], &pose), VOUCH_RET_OK);
    built = test_finish(builder);
    expect_support(&built.geometry, &pose, capsule_support, sizes);
    test_release(&built);
  }
}

static void sizes_that_are_no_sizes_are_refused(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = test_builder(false, false);
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
    vouch_curved_t curved = {.look = VOUCH_LOOK_CONE, .pose = pose, .size = {1.0, 1.0, 1.0}};
    curved.size[i % 2] = wrong[i];
    assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_INVALID);
    curved.look = VOUCH_LOOK_ELLIPSOID;
    assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_INVALID);
  }
  vouch_curved_t curved = {.look = VOUCH_LOOK_POINTS, .pose = pose, .size = {1.0, 1.0, 1.0}};
  assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_INVALID);
  curved.look = VOUCH_LOOK_CYLINDER;
  curved.size[1] = 1e6;
  curved.pose.translation[2] = 1.0;   // the upper end is too far away
  assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_INVALID);
  curved.size[1] = 1.0;
  pose.rotation[3] = 1.01;
  const double size[3] = {1.0, 1.0, 1.0};
  assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_INVALID);
  assert_int_equal(vouch_geometry_add_sphere(builder, 1.0, &pose), VOUCH_RET_INVALID);
  curved.pose = pose;
  assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_INVALID);
  vouch_geometry_builder_destroy(builder);
}

/// One shape of each kind that has a look; size as vouch_curved_t has it.
static void add_look(vouch_geometry_builder_t * builder, const vouch_curved_t * curved)
{
  const double * size = curved->size;
  switch (curved->look) {
    case VOUCH_LOOK_SPHERE:
      assert_int_equal(
        vouch_geometry_add_sphere(builder, size[0], &curved->pose), VOUCH_RET_OK);
      break;
    case VOUCH_LOOK_CAPSULE:
      assert_int_equal(
        vouch_geometry_add_capsule(builder, size[0], 2.0 * size[1], &curved->pose), VOUCH_RET_OK);
      break;
    default:
      assert_int_equal(vouch_geometry_add_curved(builder, curved), VOUCH_RET_OK);
  }
}

static double local_support(vouch_look_t look, vec3_t n, const double * size)
{
  const double capsule[2] = {size[0], 2.0 * size[1]};
  return look == VOUCH_LOOK_SPHERE ? sphere_support(n, size) :
         look == VOUCH_LOOK_CAPSULE ? capsule_support(n, capsule) :
         look == VOUCH_LOOK_CYLINDER ? cylinder_support(n, size) :
         look == VOUCH_LOOK_CONE ? cone_support(n, size) : ellipsoid_support(n, size);
}

/// What is recognised means the same set, wherever and however large it is.
static void curved_shapes_and_how_they_look(void ** state)
{
  (void)state;
  test_random_t random = {.state = 43};
  const local_support_t supports[6] = {
    NULL, NULL, NULL, cylinder_support, cone_support, ellipsoid_support
  };
  for (int round = 0; round < 500; ++round) {
    vouch_curved_t curved = {
      .look = (vouch_look_t)(VOUCH_LOOK_SPHERE + round % 5), .pose = test_random_pose(&random, 2.0)
    };
    for (int k = 0; k < 3; ++k) {
      curved.size[k] = test_random_in(&random, 0.01, 1.0);
    }
    vouch_geometry_builder_t * builder = test_builder(false, false);
    add_look(builder, &curved);
    test_built_t built = test_finish(builder);
    if (supports[curved.look] != NULL) {
      expect_support(&built.geometry, &curved.pose, supports[curved.look], curved.size);
    }
    vouch_curved_t seen = vouch_primitive_look(&built.geometry, 0);
    assert_int_equal(seen.look, curved.look);
    rigid_t frame = rigid_from_pose(&curved.pose), again = rigid_from_pose(&seen.pose);
    for (int i = 0; i < 30; ++i) {
      double d[3];
      test_random_direction(&random, d);
      vec3_t n = vec3_from(d);
      double want = vec3_dot(n, frame.translation) +
        local_support(curved.look, mat3_tmul_vec(&frame.rotation, n), curved.size);
      double got = vec3_dot(n, again.translation) +
        local_support(seen.look, mat3_tmul_vec(&again.rotation, n), seen.size);
      assert_true(fabs(got - want) < 1e-14);
    }
    test_release(&built);
  }
}

/// What was not moved or turned comes back bit by bit.
static void shapes_that_are_not_turned_are_exact(void ** state)
{
  (void)state;
  const double s = sqrt(0.5);
  const double turns[6][4] = {
    {0, 0, 0, 1}, {s, 0, 0, s}, {0.5, 0.5, -0.5, 0.5}, {0, s, s, 0},
    {0.70710678118654746, 0, 0, 0.70710678118654757},   // sine and cosine of pi/4
    {0, 0.70710678118654746, 0.70710678118654757, 0}
  };
  for (int look = VOUCH_LOOK_SPHERE; look <= VOUCH_LOOK_ELLIPSOID; ++look) {
    for (int i = 0; i < 6; ++i) {
      vouch_curved_t curved = {.look = (vouch_look_t)look, .size = {0.1, 0.7, 0.3}};
      memcpy(curved.pose.rotation, turns[i], sizeof(turns[i]));
      memset(curved.pose.translation, 0, sizeof(curved.pose.translation));
      vouch_geometry_builder_t * builder = test_builder(false, false);
      add_look(builder, &curved);
      test_built_t built = test_finish(builder);
      const vouch_geometry_t * g = &built.geometry;
      for (uint32_t k = 0; k < 9 * g->round_count; ++k) {
        double length = fabs(g->rounds[k / 9][k % 9]);
        assert_true(length == 0.0 || length == 0.1 || length == 0.7 || length == 0.3);
      }
      vouch_curved_t seen = vouch_primitive_look(g, 0);
      assert_true(seen.look == curved.look && seen.size[0] == 0.1);
      assert_true(look == VOUCH_LOOK_SPHERE || seen.size[1] == 0.7);
      assert_true(
        i > 0 || memcmp(seen.pose.rotation, turns[0], sizeof(turns[0])) == 0);
      test_release(&built);
    }
  }
}

static void other_looks(void ** state)
{
  (void)state;
  test_random_t random = {.state = 46};
  vouch_pose_t pose = test_random_pose(&random, 2.0);
  const double sizes[3] = {0.3, 0.5, 0.7};
  const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_box(builder, sizes, &pose), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  vouch_curved_t seen = vouch_primitive_look(&built.geometry, 0);
  assert_true(seen.look == VOUCH_LOOK_POINTS && seen.size[0] == 0.0);
  test_release(&built);
  builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_hull(builder, points, 4, 0.25), VOUCH_RET_OK);
  built = test_finish(builder);
  seen = vouch_primitive_look(&built.geometry, 0);
  assert_true(seen.look == VOUCH_LOOK_POINTS && seen.size[0] == 0.25);
  built.geometry.rounds[2][4] *= 1.001;   // not the same balls
  assert_int_equal(vouch_primitive_look(&built.geometry, 0).look, VOUCH_LOOK_OTHER);
  test_release(&built);
  builder = test_builder(false, false);
  vouch_curved_t cylinder = {.look = VOUCH_LOOK_CYLINDER, .pose = pose, .size = {0.1, 0.2, 0.0}};
  assert_int_equal(vouch_geometry_add_curved(builder, &cylinder), VOUCH_RET_OK);
  built = test_finish(builder);
  built.geometry.vertices[2][1] += 0.01;   // slanted
  assert_int_equal(vouch_primitive_look(&built.geometry, 0).look, VOUCH_LOOK_OTHER);
  test_release(&built);
  builder = test_builder(false, false);
  vouch_curved_t ellipsoid = {
    .look = VOUCH_LOOK_ELLIPSOID, .pose = vouch_pose_identity(), .size = {0.1, 0.2, 0.3}
  };
  assert_int_equal(vouch_geometry_add_curved(builder, &ellipsoid), VOUCH_RET_OK);
  built = test_finish(builder);
  built.geometry.rounds[0][1] = 0.01;   // half-axes that are not perpendicular
  assert_int_equal(vouch_primitive_look(&built.geometry, 0).look, VOUCH_LOOK_OTHER);
  test_release(&built);
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
  vouch_pose_t pose = test_random_pose(&random, 2.0);
  const double hexagon[8][2] = {
    {1.0, 0.0}, {1.0, 0.0}, {0.5, 0.8}, {-0.5, 0.8}, {-1.0, 0.0}, {-0.5, -0.8}, {0.5, -0.8},
    {1.0, 0.0}
  };
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_prism(builder, hexagon, 8, 0.5, &pose), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  assert_int_equal(built.geometry.primitive_count, 1);
  assert_int_equal(built.geometry.primitives[0].kind, VOUCH_PRIMITIVE_HULL);
  assert_int_equal(built.geometry.primitives[0].count, 12);
  test_release(&built);
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
    vouch_pose_t pose = test_random_pose(&random, 2.0);
    vouch_geometry_builder_t * builder = test_builder(false, false);
    assert_int_equal(
      vouch_geometry_add_prism(builder, (const double(*)[2])base, count, 0.25, &pose),
      VOUCH_RET_OK);
    test_built_t built = test_finish(builder);
    assert_int_equal(built.facts.triangles, 4 * count - 4);
    assert_int_equal(built.facts.solids, 1);
    assert_int_equal(built.facts.open, 0);
    double area = polygon_area((const double(*)[2])base, count);
    double length = polygon_length((const double(*)[2])base, count);
    assert_true(fabs(mesh_volume(&built.geometry) - 0.25 * area) < 1e-12);
    // Lids that overlap themselves would have the right volume, but too much surface.
    assert_true(fabs(mesh_surface(&built.geometry) - 2.0 * area - 0.25 * length) < 1e-12);
    test_release(&built);
  }
}

static void prisms_with_straight_corners(void ** state)
{
  (void)state;
  const double shape[10][2] = {   // an L with points in the middle of its sides
    {0, 0}, {1, 0}, {2, 0}, {2, 0.5}, {2, 1}, {1, 1}, {1, 2}, {0.5, 2}, {0, 2}, {0, 1}
  };
  vouch_pose_t pose = vouch_pose_identity();
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_prism(builder, shape, 10, 1.0, &pose), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  assert_int_equal(built.facts.solids, 1);
  assert_true(fabs(mesh_volume(&built.geometry) - 3.0) < 1e-15);
  test_release(&built);
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
  vouch_geometry_builder_t * builder = test_builder(false, false);
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
    cmocka_unit_test(curved_shapes_and_how_they_look),
    cmocka_unit_test(shapes_that_are_not_turned_are_exact),
    cmocka_unit_test(other_looks),
    cmocka_unit_test(convex_prisms_are_hulls),
    cmocka_unit_test(other_prisms_are_closed_meshes),
    cmocka_unit_test(prisms_with_straight_corners),
    cmocka_unit_test(polygons_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
