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

/* The joints between two bodies on different branches: each arm on a slide of its own; and how far
 * rounding can displace what is given far away from where it stands. [L1] [L4] [K-E] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "check/checker.h"
#include "kernel/inside.h"
#include "support/cell.h"
#include "support/random.h"

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, type, parent, child, origin, axis) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  "<origin xyz='" origin "'/><axis xyz='" axis "'/>" \
  "<limit lower='-100' upper='100' effort='1' velocity='1'/></joint>"

/* Two gantries: a slide along x, then a turn about z. On the left a rod of 20 m, on the right a
 * ball that rests 10 m behind the origin. Variables: both slides, then both turns. */
static const char GANTRIES[] =
  "<robot name='gantries'>" LINK("world") LINK("left_car") LINK("left") LINK("right_car")
  LINK("right")
  JOINT("left_slide", "prismatic", "world", "left_car", "0 0 0", "1 0 0")
  JOINT("left_turn", "continuous", "left_car", "left", "0 0 0", "0 0 1")
  JOINT("right_slide", "prismatic", "world", "right_car", "0 0 0", "1 0 0")
  JOINT("right_turn", "continuous", "right_car", "right", "0 0 0", "0 0 1")
  "</robot>";

/* The rod points away from the ball at both ends and sweeps through it in between. Seen from the
 * rod the ball turns about an axis that is 20 m away. */
static void a_slide_on_the_reference_branch_moves_the_axis(void ** state)
{
  (void)state;
  cell_t cell = cell_open(GANTRIES, NULL);
  cell_hold(&cell, "rod", "left", cell_box(20.4, 0.02, 0.02), cell_at(10.2, 0, 0));
  cell_hold(&cell, "ball", "right", cell_sphere(0.05), cell_at(0, 0, 0));
  const double turns[2][4] = {{10, -10, -1.5, 0}, {10, -10, 6.2831853 - 1.5, 0}};
  const double mirrored[2][4] = {{-10, 10, -4.0, 0}, {-10, 10, 3.0, 0}};
  cell_path(&cell, turns[0], 2);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  cell_path(&cell, mirrored[0], 2);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  vouch_check_options_t schwarzer = cell_options();
  schwarzer.method = VOUCH_METHOD_SCHWARZER;
  assert_int_equal(cell_check(&cell, &schwarzer).verdict, VOUCH_COLLISION);
  cell_close(&cell);
}

static const char RAIL[] =
  "<robot name='rail'>" LINK("world") LINK("car")
  JOINT("x", "prismatic", "world", "car", "0 0 0", "1 0 0") "</robot>";

/* x of the point of an object, in numbers that err by less than a picometre. */
static double true_x(const vouch_pose_t * pose, const double p[3])
{
  long double x = pose->rotation[0], y = pose->rotation[1], z = pose->rotation[2];
  long double w = pose->rotation[3], s = 2.0L / (x * x + y * y + z * z + w * w);
  return (double)((1.0L - s * (y * y + z * z)) * p[0] + s * (x * y - w * z) * p[1] +
         s * (x * z + w * y) * p[2] + pose->translation[0]);
}

/* A point a thousand kilometres from the origin of its object, which stands so far on the other side
 * that the point is a metre away: placing it errs by a tenth of a nanometre and more. A car that runs
 * so much further than the point really is has touched it. */
static void what_cancels_when_it_is_placed_still_counts_as_rounding(void ** state)
{
  (void)state;
  test_random_t r = {1};
  for (int i = 0; i < 200; i++) {
    double p[1][3], q[4], length = 0.0;
    for (int k = 0; k < 4; k++) {
      q[k] = test_random_in(&r, -1.0, 1.0);
      length += q[k] * q[k];
    }
    vouch_pose_t pose = vouch_pose_identity();
    for (int k = 0; k < 4; k++) {
      pose.rotation[k] = q[k] / sqrt(length);
    }
    for (int k = 0; k < 3; k++) {
      p[0][k] = test_random_in(&r, -5e5, 5e5);
    }
    rigid_t turn = rigid_from_pose(&pose);
    vec3_store(vec3_sub(vec3(1, 0, 0), rigid_apply(&turn, vec3_from(p[0]))), pose.translation);
    vouch_shape_t point = {.kind = VOUCH_SHAPE_CONVEX, .points = (const double(*)[3])p,
      .point_count = 1};
    cell_t cell = cell_open(RAIL, NULL);
    cell_hold(&cell, "plate", "car", cell_box(0.5, 1, 1), cell_at(0, 0, 0));
    cell_add(&cell, "point", point, pose);
    const double run[2] = {0.0, true_x(&pose, p[0]) - 0.25 + 1e-10};
    cell_path(&cell, run, 2);
    if (cell_check(&cell, NULL).verdict == VOUCH_FREE) {
      fail_msg("turn %d: FREE, 0.1 nm behind the point", i);
    }
    const double less[2] = {0.0, run[1] - 1e-3};
    cell_path(&cell, less, 2);
    assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
    cell_close(&cell);
  }
}

/* Serial numbers tell cached radii and bounds of one pair from those of another; a planner uses
 * them up in hours. The ends and the middle of the sweep look like the rest before it. */
static void serial_numbers_that_run_out_do_not_bring_old_bounds_back(void ** state)
{
  (void)state;
  cell_t cell = cell_open(GANTRIES, NULL);
  cell_hold(&cell, "rod", "left", cell_box(20.4, 0.02, 0.02), cell_at(10.2, 0, 0));
  cell_hold(&cell, "ball", "right", cell_sphere(0.05), cell_at(0, 0, 0));
  const double rest[2][4] = {{10, -10, -1.5, 0}, {10, -10, -1.5, 0}};
  const double sweep[2][4] = {{10, -10, -1.5, 0}, {10, -10, 12.566370614 - 1.5, 0}};
  cell_path(&cell, rest[0], 2);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  cell_path(&cell, sweep[0], 2);
  for (uint32_t back = 0; back < 6; back++) {
    cell.checker->workers[0].proof->v.serial = UINT32_MAX - back;
    vouch_result_t result;
    assert_int_equal(vouch_check(cell.checker, cell.motion, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_COLLISION);
    assert_int_equal(vouch_check_motion(cell.checker, rest[0], rest[1], &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
  }
  cell_close(&cell);
}

/* Pairs share the weights of joints, and a checker keeps its intervals over a change of the scene. The
 * first chain of joints is that of the rod, which rests; without the rod it is that of the ball,
 * which turns through the box and is where it began at the end and in the middle. [L1] */
static void weights_of_one_scene_are_not_those_of_the_next(void ** state)
{
  (void)state;
  cell_t cell = cell_open(GANTRIES, NULL);
  cell_hold(&cell, "rod", "left", cell_box(0.4, 0.02, 0.02), cell_at(0, 0, 0));
  cell_hold(&cell, "ball", "right", cell_sphere(0.05), cell_at(1, 0, 0));
  cell_add(&cell, "box", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 3));
  const double turn[2][4] = {{-5, 5, 0, 0}, {-5, 5, 0, 12.566370614}};
  cell_path(&cell, turn[0], 2);
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  vouch_checker_t * checker;
  vouch_result_t result;
  assert_int_equal(vouch_checker_create(&checker, cell.scene, &options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  cell_clear(&cell);
  cell_hold(&cell, "ball", "right", cell_sphere(0.05), cell_at(1, 0, 0));
  cell_add(&cell, "box", cell_box(0.2, 0.2, 0.2), cell_at(4, 0, 0));
  assert_int_equal(vouch_checker_change_scene(checker, cell.scene), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_recertify(checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  vouch_checker_destroy(checker);
  cell_close(&cell);
}

/* The direction that is tested is the one that is stored, bit by bit: gcc 12 was seen to skip the
 * rounding when it vectorises the conversions. */
static void the_direction_that_is_tested_is_the_one_that_is_stored(void ** state)
{
  (void)state;
  test_random_t r = {5};
  for (int i = 0; i < 1000; i++) {
    double d[3];
    float stored[3];
    vec3_t used;
    test_random_direction(&r, d);
    assert_true(
      kernel_store_direction(vec3_scale(vec3_from(d), 1.0 - 0x1p-22), stored, &used));
    const double same[3] = {used.x, used.y, used.z};
    for (int k = 0; k < 3; k++) {
      volatile float rounded = stored[k];
      assert_true((double)rounded == same[k]);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_slide_on_the_reference_branch_moves_the_axis),
    cmocka_unit_test(what_cancels_when_it_is_placed_still_counts_as_rounding),
    cmocka_unit_test(the_direction_that_is_tested_is_the_one_that_is_stored),
    cmocka_unit_test(weights_of_one_scene_are_not_those_of_the_next),
    cmocka_unit_test(serial_numbers_that_run_out_do_not_bring_old_bounds_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
