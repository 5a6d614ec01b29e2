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
/* Silhouettes against areas and shapes that are known in closed form. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/outline.h"

static const vouch_view_t TOP = {"top", {1, 0, 0}, {0, 1, 0}};
static const vouch_view_t SIDE = {"side", {1, 0, 0}, {0, 0, 1}};

typedef struct fixture_s
{
  vouch_geometry_builder_t * builder;
  vouch_arena_t arena;
  vouch_geometry_t geometry;
  vouch_outline_t outline;
} fixture_t;

static void begin(fixture_t * f)
{
  vouch_geometry_options_t options = {false, false};
  memset(f, 0, sizeof(*f));
  f->arena.allocator = f->outline.allocator = vouch_allocator_default();
  assert_int_equal(
    vouch_geometry_builder_create(&f->builder, vouch_allocator_default(), &options), VOUCH_RET_OK);
}

static void build(fixture_t * f)
{
  vouch_geometry_facts_t facts;
  assert_int_equal(
    vouch_geometry_build(f->builder, &f->arena, &f->geometry, &facts), VOUCH_RET_OK);
}

static void end(fixture_t * f)
{
  vouch_outline_fini(&f->outline);
  vouch_geometry_builder_destroy(f->builder);
  vouch_arena_fini(&f->arena);
}

static double polygon_area(const vouch_outline_t * o, size_t polygon)
{
  size_t first = polygon ? o->ends[polygon - 1] : 0, last = o->ends[polygon];
  double area = 0.0;
  for (size_t i = first; i < last; i++) {
    vouch_point2_t p = o->points[i], q = o->points[i + 1 < last ? i + 1 : first];
    area += 0.5 * (p.x * q.y - p.y * q.x);
  }
  return area;
}

static rigid_t turned(vec3_t axis, double angle)
{
  rigid_t pose = rigid_identity();
  pose.rotation = mat3_from_axis_angle(axis, angle);
  return pose;
}

static void box_has_the_area_of_its_faces(void ** state)
{
  (void)state;
  fixture_t f;
  const double size[3] = {2.0, 3.0, 5.0};
  vouch_pose_t identity = vouch_pose_identity();
  begin(&f);
  assert_int_equal(vouch_geometry_add_box(f.builder, size, &identity), VOUCH_RET_OK);
  build(&f);
  rigid_t pose = rigid_identity();
  assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &TOP, 8), VOUCH_RET_OK);
  assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &SIDE, 8), VOUCH_RET_OK);
  assert_int_equal(f.outline.polygon_count, 2);
  assert_int_equal(f.outline.point_count, 8);
  assert_true(fabs(polygon_area(&f.outline, 0) - 6.0) < 1e-12);
  assert_true(fabs(polygon_area(&f.outline, 1) - 10.0) < 1e-12);
  /* Cauchy: a convex body's shadow along u is half the sum of area * |face normal . u|. */
  pose = turned(vec3(1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0), 0.7);
  vouch_outline_clear(&f.outline);
  assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &TOP, 8), VOUCH_RET_OK);
  const double * m = pose.rotation.m;
  double shadow = 15.0 * fabs(m[6]) + 10.0 * fabs(m[7]) + 6.0 * fabs(m[8]);
  assert_true(fabs(polygon_area(&f.outline, 0) - shadow) < 1e-12);
  end(&f);
}

static void ball_is_a_circle_from_everywhere(void ** state)
{
  (void)state;
  fixture_t f;
  vouch_pose_t place = vouch_pose_identity();
  place.translation[0] = 10.0;
  begin(&f);
  assert_int_equal(vouch_geometry_add_sphere(f.builder, 2.0, &place), VOUCH_RET_OK);
  build(&f);
  rigid_t pose = rigid_identity();
  assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &SIDE, 1), VOUCH_RET_OK);
  assert_int_equal(f.outline.polygon_count, 1);
  for (size_t i = 0; i < f.outline.point_count; i++) {
    vouch_point2_t p = f.outline.points[i];
    assert_true(fabs(hypot(p.x - 10.0, p.y) - 2.0) < 1e-12);
  }
  assert_true(polygon_area(&f.outline, 0) > 0.97 * 3.14159 * 4.0);
  end(&f);
}

static void cylinder_and_cone_have_their_profiles(void ** state)
{
  (void)state;
  fixture_t f;
  vouch_curved_t curved = {.pose = vouch_pose_identity(), .size = {1.0, 2.0, 0.0}};
  const vouch_look_t looks[] = {VOUCH_LOOK_CYLINDER, VOUCH_LOOK_CONE};
  const double areas[] = {8.0, 4.0};
  for (int k = 0; k < 2; k++) {
    begin(&f);
    curved.look = looks[k];
    assert_int_equal(vouch_geometry_add_curved(f.builder, &curved), VOUCH_RET_OK);
    build(&f);
    rigid_t pose = rigid_identity();
    assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &SIDE, 1), VOUCH_RET_OK);
    assert_true(fabs(polygon_area(&f.outline, 0) - areas[k]) < 1e-12);
    end(&f);
  }
}

static void separate_shapes_are_never_hulled_together(void ** state)
{
  (void)state;
  fixture_t f;
  begin(&f);
  for (int i = 0; i < 5; i++) {
    const double size[3] = {1.0, 1.0, 1.0};
    vouch_pose_t place = vouch_pose_identity();
    place.translation[0] = 10.0 * i;
    assert_int_equal(vouch_geometry_add_box(f.builder, size, &place), VOUCH_RET_OK);
  }
  build(&f);
  rigid_t pose = rigid_identity();
  assert_int_equal(vouch_outline_add(&f.outline, &f.geometry, &pose, &TOP, 1), VOUCH_RET_OK);
  assert_int_equal(f.outline.polygon_count, 5);
  double area = 0.0;
  for (size_t i = 0; i < 5; i++) {
    area += polygon_area(&f.outline, i);
  }
  assert_true(fabs(area - 5.0) < 1e-12);
  end(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(box_has_the_area_of_its_faces),
    cmocka_unit_test(ball_is_a_circle_from_everywhere),
    cmocka_unit_test(cylinder_and_cone_have_their_profiles),
    cmocka_unit_test(separate_shapes_are_never_hulled_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
