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

/* [L11] [V-GROWN] Bodies that grow: a ball of growth * seconds around every point. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/checker.h"
#include "model/same.h"
#include "support/arb_checker.h"
#include "support/cell.h"
#include "support/random.h"
#include "support/verified.h"

static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='q' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

static vouch_check_options_t options_of(void)
{
  vouch_check_options_t options = cell_options();
  options.certificate = options.first_contact = true;
  return options;
}

/// A cube of 20 cm stands for two seconds at x = 0, a ball of 10 cm 80 cm away from it.
static cell_t standing(const char * kind)
{
  cell_t cell = cell_open(RAIL, NULL);
  const double zeros[3] = {0.0, 0.0, 0.0};
  cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
  if (strcmp(kind, "ball") == 0 || strcmp(kind, "group") == 0) {
    cell_add(&cell, "person", cell_sphere(0.1), cell_at(1, 0, 0));
  } else {
    const bool plane = strcmp(kind, "plane") == 0;
    vouch_shape_t wall = {.kind = plane ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE,
      .plane = {-1, 0, 0, 0.9}};
    cell_add(&cell, "person", wall, vouch_pose_identity());
  }
  if (strcmp(kind, "group") == 0) {
    cell_add(&cell, "pole", cell_sphere(0.1), cell_at(1, 0.3, 0));
    cell_add(&cell, "post", cell_sphere(0.1), cell_at(1, -0.3, 0));
  }
  cell_spline(&cell, zeros, zeros, NULL, 3);
  return cell;
}

static vouch_result_t check_with(cell_t * cell, double growth)
{
  vouch_check_options_t options = options_of();
  assert_int_equal(vouch_scene_set_growth(cell->scene, "person", growth), VOUCH_RET_OK);
  return cell_check(cell, &options);
}

/// The verifier and Arb accept it.
static void expect_believed(const cell_t * cell)
{
  test_is_verified(cell->checker);
#ifdef VOUCH_HAVE_ARB
  uint8_t * data[2];
  size_t sizes[2];
  arb_verdict_t verdict;
  assert_int_equal(vouch_checker_problem(cell->checker, &data[0], &sizes[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_certificate(cell->checker, &data[1], &sizes[1]), VOUCH_RET_OK);
  assert_true(arb_judge(data[0], sizes[0], data[1], sizes[1], &verdict));
  vouch_bytes_free(cell->checker, data[0]);
  vouch_bytes_free(cell->checker, data[1]);
#endif
}

static void what_grows_is_met_when_it_has_grown(void ** state)
{
  (void)state;
  static const char * const kinds[4] = {"ball", "half_space", "plane", "group"};
  for (int i = 0; i < 4; i++) {
    cell_t cell = standing(kinds[i]);
    vouch_result_t result = check_with(&cell, 0.3999);
    assert_int_equal(result.verdict, VOUCH_FREE);
    expect_believed(&cell);
    result = check_with(&cell, 0.5);   // after 1.6 of 2 seconds
    assert_int_equal(result.verdict, VOUCH_COLLISION);
    assert_int_equal(result.first_collision.kind, VOUCH_CONTACT_MARGIN);
    assert_true(result.first_collision.time_s >= 1.6 && result.first_collision.time_s < 1.6001);
    if (i == 0) {   // the kernel says until when
      assert_true(result.free_until_s <= 1.6 && result.free_until_s > 1.599);
    }
    expect_believed(&cell);
    cell_close(&cell);
  }
}

/// What is held may grow, too: both rates count.
static void both_sides_grow(void ** state)
{
  (void)state;
  cell_t cell = standing("ball");
  assert_int_equal(vouch_scene_set_growth(cell.scene, "tool", 0.2), VOUCH_RET_OK);
  assert_int_equal(check_with(&cell, 0.1999).verdict, VOUCH_FREE);
  expect_believed(&cell);
  assert_int_equal(check_with(&cell, 0.2001).verdict, VOUCH_COLLISION);
  expect_believed(&cell);
  cell_close(&cell);
}

static void without_times_nothing_can_grow(void ** state)
{
  (void)state;
  cell_t cell = standing("ball");
  const double from[1] = {0.0}, to[1] = {0.1};
  const char * names[1] = {"q"};
  const vouch_trajectory_point_t points[2] = {{.positions = from}, {.positions = to}};
  const vouch_trajectory_t path = {.joint_names = names, .joint_count = 1, .points = points,
    .point_count = 2};
  const vouch_motion_options_t motion = vouch_motion_options_default();
  vouch_result_t result;
  vouch_checker_t * checker = NULL;
  assert_int_equal(vouch_scene_set_growth(cell.scene, "person", 1e-9), VOUCH_RET_OK);
  vouch_motion_destroy(cell.motion);
  cell.motion = NULL;
  assert_int_equal(
    vouch_motion_create(&cell.motion, cell.robot, &path, &motion), VOUCH_RET_OK);
  vouch_check_options_t options = options_of();
  assert_int_equal(vouch_checker_create(&checker, cell.scene, &options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(checker, cell.motion, &result), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "has no times"));
  assert_int_not_equal(result.verdict, VOUCH_FREE);
  assert_int_equal(vouch_check_motion(checker, from, to, &result), VOUCH_RET_INVALID);
  assert_int_equal(vouch_scene_set_growth(cell.scene, "person", 0.0), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_change_scene(checker, cell.scene), VOUCH_RET_OK);
  assert_int_equal(vouch_check(checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_int_equal(vouch_scene_set_growth(cell.scene, "person", 0.1), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_change_scene(checker, cell.scene), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_recertify(checker, cell.motion, &result), VOUCH_RET_INVALID);
  vouch_checker_destroy(checker);
  cell_close(&cell);
}

/// [K-COPY] A proof about what did not grow, or slower, is none about what does.
static void steps_are_not_copied_to_what_grows_faster(void ** state)
{
  (void)state;
  for (int group = 0; group < 2; group++) {
    cell_t cell = standing(group ? "group" : "ball");
    vouch_result_t result = check_with(&cell, 0.1);
    const double growths[5] = {0.3, 0.41, 0.2, 0.0, 0.5};
    for (int i = 0; i < 5; i++) {
      assert_int_equal(vouch_scene_set_growth(cell.scene, "person", growths[i]), VOUCH_RET_OK);
      assert_int_equal(vouch_checker_change_scene(cell.checker, cell.scene), VOUCH_RET_OK);
      assert_int_equal(vouch_checker_recertify(cell.checker, cell.motion, &result), VOUCH_RET_OK);
      assert_int_equal(result.verdict, growths[i] < 0.4 ? VOUCH_FREE : VOUCH_COLLISION);
      expect_believed(&cell);
      if (result.verdict != VOUCH_FREE) {
        check_with(&cell, 0.1);   // a proof to begin with
      }
    }
    cell_close(&cell);
  }
}

/// [K-COPY] What was shown of a box is shown of a group in it that grows no faster, and of no other.
static void a_box_stands_for_what_grows_no_faster(void ** state)
{
  (void)state;
  cell_t cell = standing("group");
  assert_int_equal(check_with(&cell, 0.1).verdict, VOUCH_FREE);
  vouch_problem_t problem = cell.checker->build.problem;
  const kernel_scene_t * before = &cell.checker->kernel;
  const uint32_t groups = problem.scene.group_count;
  vouch_body_t bodies[16];
  uint32_t same[64];
  for (uint32_t i = 0; i < 64; i++) {
    same[i] = i;
  }
  memcpy(bodies, problem.scene.bodies, problem.scene.body_count * sizeof(bodies[0]));
  problem.scene.bodies = bodies;
  for (int k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < problem.scene.body_count; i++) {
      bodies[i].growth = strcmp(bodies[i].name, "person") == 0 ? 0.1 * k : 0.0;
    }
    kernel_scene_t scene;
    assert_int_equal(
      kernel_scene_init(&scene, &problem, vouch_allocator_default()), VOUCH_RET_OK);
    kernel_keys_inherit(
      &scene, before, &(kernel_links_t) {.bodies = same, .groups = same, .around = same,
        .pairs = same});
    for (uint32_t i = 0; i < groups; i++) {
      const bool slower = scene.group_growth[i] <= before->group_growth[i];
      assert_true(slower == (scene.keys.within[i] == before->keys.within[i]));
    }
    assert_true(k < 2 || scene.keys.within[0] != before->keys.within[0]);
    kernel_scene_fini(&scene);
  }
  cell_close(&cell);
}

/// Keys of copied steps rest on that.
static void bodies_that_grow_otherwise_are_not_the_same(void ** state)
{
  (void)state;
  cell_t cell = standing("ball");
  assert_int_equal(check_with(&cell, 0.1).verdict, VOUCH_FREE);
  vouch_problem_t * problem = &cell.checker->build.problem;
  for (uint32_t i = 0; i < problem->scene.body_count; i++) {
    vouch_body_t bodies[16];
    vouch_problem_t other = *problem;
    memcpy(bodies, problem->scene.bodies, problem->scene.body_count * sizeof(bodies[0]));
    other.scene.bodies = bodies;
    assert_true(vouch_bodies_same(problem, i, &other, i));
    bodies[i].growth += 0.1;
    assert_false(vouch_bodies_same(problem, i, &other, i));
  }
  cell_close(&cell);
}

/// A slide along a spline towards, past, or away from a ball that grows: never FREE where one of 20,001
/// times shows them nearer than the margin, never COLLISION where none is near.
static void no_free_is_false_by_dense_sampling(void ** state)
{
  (void)state;
  test_random_t r = {4711};
  int counts[3] = {0, 0, 0};
  for (int i = 0; i < 400; i++) {
    cell_t cell = cell_open(RAIL, NULL);
    double p[4], v[4];
    for (int k = 0; k < 4; k++) {
      p[k] = test_random_in(&r, -0.5, 0.5);
      v[k] = test_random_in(&r, -1.0, 1.0);
    }
    const double at[3] = {test_random_in(&r, -1.5, 1.5), test_random_in(&r, 0.3, 1.0),
      test_random_in(&r, -0.3, 0.3)};
    const double radius = test_random_in(&r, 0.01, 0.2), growth = test_random_in(&r, 0.0, 0.4);
    vouch_check_options_t options = options_of();
    options.margin_m = test_random_below(&r, 2) ? test_random_in(&r, 0.0, 0.05) : 0.0;
    cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
    cell_add(&cell, "person", cell_sphere(radius), cell_at(at[0], at[1], at[2]));
    cell_spline(&cell, p, v, NULL, 4);
    assert_int_equal(vouch_scene_set_growth(cell.scene, "person", growth), VOUCH_RET_OK);
    vouch_result_t result = cell_check(&cell, &options);
    double least = INFINITY;
    for (int k = 0; k <= 20000; k++) {
      const double t = 3.0 * k / 20000.0;
      const int n = t < 1.0 ? 0 : t < 2.0 ? 1 : 2;
      const double s = t - n, s2 = s * s, s3 = s2 * s;
      const double q = p[n] * (1 - 3 * s2 + 2 * s3) + p[n + 1] * (3 * s2 - 2 * s3) +
        v[n] * (s - 2 * s2 + s3) + v[n + 1] * (s3 - s2);
      const double x = fmax(0.0, fabs(at[0] - q) - 0.1), y = fmax(0.0, fabs(at[1]) - 0.1),
        z = fmax(0.0, fabs(at[2]) - 0.1);
      least = fmin(least, sqrt(x * x + y * y + z * z) - radius - growth * t - options.margin_m);
    }
    counts[result.verdict == VOUCH_FREE ? 0 : result.verdict == VOUCH_COLLISION ? 1 : 2]++;
    if ((result.verdict == VOUCH_FREE && !(least > 0.0)) ||
      (result.verdict == VOUCH_COLLISION && least > 1e-6))
    {
      fail_msg("case %d: %s, and %.17g m remain", i, vouch_verdict_name(result.verdict), least);
    }
    if (result.verdict != VOUCH_UNDECIDED) {
      test_is_verified(cell.checker);
    }
    cell_close(&cell);
  }
  printf("%d FREE, %d COLLISION, %d UNDECIDED\n", counts[0], counts[1], counts[2]);
  assert_true(counts[0] > 100 && counts[1] > 100 && counts[2] < 10);
}

static void bad_growth_is_refused(void ** state)
{
  (void)state;
  cell_t cell = standing("ball");
  const uint64_t before = vouch_scene_revision(cell.scene);
  const double bad[5] = {-1e-9, NAN, INFINITY, -INFINITY, 2e6};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(
      vouch_scene_set_growth(cell.scene, "person", bad[i]), VOUCH_RET_INVALID);
  }
  assert_int_equal(vouch_scene_set_growth(cell.scene, "nobody", 0.1), VOUCH_RET_INVALID);
  const char text[] = "{\"is_diff\": true, \"objects\": [{\"id\": \"child\", \"growth\": -0.1, "
    "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}]}";
  assert_int_equal(vouch_scene_parse(cell.scene, text, strlen(text)), VOUCH_RET_INVALID);
  assert_int_equal(vouch_scene_revision(cell.scene), before);
  cell_close(&cell);
}

static void files_and_views_know_growth(void ** state)
{
  (void)state;
  cell_t cell = standing("ball");
  const char text[] = "{\"is_diff\": true, \"objects\": [{\"id\": \"child\", \"growth\": 1.6, "
    "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}]}";
  uint8_t hashes[2][32];
  vouch_object_view_t view;
  vouch_scene_t * copy = NULL;
  assert_int_equal(vouch_scene_parse(cell.scene, text, strlen(text)), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_clone(&copy, cell.scene), VOUCH_RET_OK);
  assert_true(vouch_scene_object(copy, vouch_scene_object_count(copy) - 1, &view));
  assert_true(view.growth_m_s > 1.599 && view.growth_m_s < 1.601);
  vouch_scene_hash(cell.scene, hashes[0]);
  assert_int_equal(vouch_scene_set_growth(cell.scene, "child", 1.5), VOUCH_RET_OK);
  vouch_scene_hash(cell.scene, hashes[1]);
  assert_memory_not_equal(hashes[0], hashes[1], 32);
  vouch_scene_destroy(copy);
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_grows_is_met_when_it_has_grown),
    cmocka_unit_test(both_sides_grow),
    cmocka_unit_test(without_times_nothing_can_grow),
    cmocka_unit_test(steps_are_not_copied_to_what_grows_faster),
    cmocka_unit_test(a_box_stands_for_what_grows_no_faster),
    cmocka_unit_test(bodies_that_grow_otherwise_are_not_the_same),
    cmocka_unit_test(no_free_is_false_by_dense_sampling),
    cmocka_unit_test(bad_growth_is_refused),
    cmocka_unit_test(files_and_views_know_growth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
