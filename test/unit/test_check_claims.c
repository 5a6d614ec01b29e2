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

/* What a result claims besides its verdict holds to the last bit, and what cannot be certified is
 * refused before anything is claimed. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/timeline.h"
#include "support/cell.h"
#include "support/random.h"
#include "support/verified.h"
#include "vouch/vouch.h"

static const char SLIDER[] =
  "<robot name='slider'><link name='base'/><link name='box'><collision><geometry>"
  "<box size='0.1 0.1 0.1'/></geometry></collision></link>"
  "<joint name='slide' type='prismatic'><parent link='base'/><child link='box'/>"
  "<axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

/// The box turns with `gear`, 20 times as far as `turn`.
static const char GEARED[] =
  "<robot name='geared'><link name='base'/><link name='wheel'/><link name='box'><collision>"
  "<geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
  "<joint name='turn' type='continuous'><parent link='base'/><child link='wheel'/>"
  "<axis xyz='0 0 1'/></joint>"
  "<joint name='gear' type='continuous'><parent link='wheel'/><child link='box'/>"
  "<axis xyz='0 0 1'/><mimic joint='turn' multiplier='20'/></joint></robot>";

/// Waypoints of the one joint at the given times.
static vouch_ret_t move(
  cell_t * cell, const double * positions, const double * times, size_t count)
{
  vouch_trajectory_point_t points[8];
  const char * names[1] = {vouch_robot_variable_name(cell->robot, 0)};
  for (size_t i = 0; i < count; i++) {
    points[i] = (vouch_trajectory_point_t) {.positions = &positions[i], .time_s = times[i]};
  }
  vouch_trajectory_t trajectory = {names, 1, points, count};
  vouch_motion_destroy(cell->motion);
  return vouch_motion_create(&cell->motion, cell->robot, &trajectory, NULL);
}

/* ---- seconds ---- */

__extension__ typedef __int128 wide_t;

/// Sign of `value` - (a + tick/2^44 (b - a)). Requires: all three are in [2^-4, 4).
static int compare_exactly(double value, double a, double b, uint64_t tick)
{
  wide_t x = (wide_t)ldexp(value, 57), from = (wide_t)ldexp(a, 57), to = (wide_t)ldexp(b, 57);
  wide_t difference = (x - from) * ((wide_t)1 << 44) - (to - from) * (wide_t)tick;
  return (difference > 0) - (difference < 0);
}

/* [K-SECONDS] Down is not after the exact time, up not before it. */
static void seconds_are_rounded_as_asked(void ** state)
{
  (void)state;
  test_random_t random = {20261118};
  int off = 0;
  for (int i = 0; i < 100000; i++) {
    double a = test_random_in(&random, 0.0625, 2.0), b = test_random_in(&random, a, 4.0);
    uint32_t depth = test_random_below(&random, 45);
    uint64_t tick = (test_random_bits(&random) % ((UINT64_C(1) << depth) + 1)) << (44 - depth);
    const double seconds[2] = {a, b}, fraction = ldexp((double)tick, -44);
    double down = kernel_seconds(seconds, fraction, KERNEL_DOWN);
    double up = kernel_seconds(seconds, fraction, KERNEL_UP);
    double nearest = kernel_seconds(seconds, fraction, KERNEL_NEAREST);
    assert_true(compare_exactly(down, a, b, tick) <= 0 && down >= a);
    assert_true(compare_exactly(up, a, b, tick) >= 0 && up <= b);
    assert_true(down <= nearest && nearest <= up && up - down <= 0x1p-46);
    off += compare_exactly(nearest, a, b, tick) > 0;
  }
  assert_true(off > 1000);
}

/// The tick of its segment from which on the witness file claims nothing any more.
static uint64_t claimed_tick(const vouch_checker_t * checker, uint32_t * segment)
{
  uint8_t * data;
  size_t size;
  uint64_t t_lo;
  assert_int_equal(vouch_checker_certificate(checker, &data, &size), VOUCH_RET_OK);
  assert_true(size > 152);
  memcpy(&t_lo, data + 144, sizeof(t_lo));
  *segment = (uint32_t)(t_lo >> 44);
  vouch_bytes_free(checker, data);
  return t_lo & ((UINT64_C(1) << 44) - 1u);
}

static void free_until_is_not_after_what_is_proved(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  cell_add(&cell, "wall", cell_box(0.1, 1.0, 1.0), cell_at(1.0, 0.0, 0.0));
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  test_random_t random = {4};
  for (int i = 0; i < 100; i++) {
    double times[3] = {0.0, test_random_in(&random, 0.0625, 2.0), 0.0};
    times[2] = test_random_in(&random, times[1] + 0.1, 4.0);
    double positions[3] = {0.0, 0.1, test_random_in(&random, 1.0, 3.0)};
    uint32_t segment;
    assert_int_equal(move(&cell, positions, times, 3), VOUCH_RET_OK);
    vouch_result_t result = cell_check(&cell, &options);
    assert_int_equal(result.verdict, VOUCH_COLLISION);
    uint64_t tick = claimed_tick(cell.checker, &segment);
    assert_int_equal(segment, 1);
    assert_true(compare_exactly(result.free_until_s, times[1], times[2], tick) <= 0);
    assert_true(result.free_until_s <= result.first_collision.time_s);
    assert_true(result.first_collision.time_s - result.free_until_s < 1e-5);
  }
  cell_close(&cell);
}

/* ---- clearance ---- */

static void planes_that_nobody_compares_leave_no_clearance(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  vouch_check_options_t options = cell_options();
  options.clearance = true;
  const double state_of_all[1] = {0.0}, positions[2] = {0.0, 0.1}, times[2] = {0.0, 1.0};
  assert_int_equal(vouch_scene_set_state(cell.scene, state_of_all), VOUCH_RET_OK);
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(1.0, 0.0, 0.0));
  assert_int_equal(move(&cell, positions, times, 2), VOUCH_RET_OK);
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_true(result.clearance.valid && result.clearance.lower_m > 0.7);
  /* These two cross each other somewhere. */
  vouch_shape_t floor = {.kind = VOUCH_SHAPE_PLANE, .plane = {0.0, 0.0, 1.0, 5.0}};
  vouch_shape_t tray = {.kind = VOUCH_SHAPE_HALFSPACE, .plane = {0.0, 0.1, 1.0, 9.0}};
  cell_add(&cell, "floor", floor, vouch_pose_identity());
  cell_hold(&cell, "tray", "box", tray, vouch_pose_identity());
  result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_int_equal(result.open[0].reason, VOUCH_OPEN_UNSUPPORTED);
  assert_true(result.clearance.lower_m == 0.0);
  cell_close(&cell);
}

/// Two balls on one line, at rest: what lies between them is a sum of numbers that are given.
static void the_upper_bound_of_clearance_is_not_below_the_distance(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  vouch_check_options_t options = cell_options();
  options.clearance = true;
  vouch_shape_t ball = cell_sphere(0.1);
  assert_int_equal(
    vouch_robot_set_link_shapes(cell.robot, "box", &ball, NULL, 1), VOUCH_RET_OK);
  test_random_t random = {7};
  for (int i = 0; i < 300; i++) {
    double x = test_random_in(&random, 0.0625, 1.0), y = test_random_in(&random, 1.5, 4.0);
    double radius = test_random_in(&random, 0.0625, 0.3), times[2] = {0.0, 1.0};
    const double positions[2] = {x, x};
    cell_clear(&cell);
    cell_add(&cell, "ball", cell_sphere(radius), cell_at(y, 0.0, 0.0));
    assert_int_equal(move(&cell, positions, times, 2), VOUCH_RET_OK);
    vouch_result_t result = cell_check(&cell, &options);
    assert_true(result.clearance.valid);
    wide_t exact = (wide_t)ldexp(y, 57) - (wide_t)ldexp(x, 57) - (wide_t)ldexp(radius, 57) -
      (wide_t)ldexp(0.1, 57);
    assert_true((wide_t)floor(ldexp(result.clearance.upper_m, 57)) >= exact);
    assert_true((wide_t)ceil(ldexp(result.clearance.lower_m, 57)) <= exact);
    assert_true(result.clearance.upper_m - result.clearance.lower_m < 1e-3);
  }
  cell_close(&cell);
}

/* ---- what the verifier would refuse ---- */

static void joints_that_turn_too_far_are_refused(void ** state)
{
  (void)state;
  cell_t cell = cell_open(GEARED, NULL);
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(0.3, 0.0, 0.0));
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  const double times[2] = {0.0, 1.0}, near[2] = {39999.0, 39999.1}, far[2] = {50000.0, 50000.1};
  assert_int_equal(move(&cell, near, times, 2), VOUCH_RET_OK);
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_FREE);
  test_is_verified(cell.checker);
  assert_int_equal(move(&cell, far, times, 2), VOUCH_RET_OK);
  for (int i = 0; i < 2; i++) {   // nothing of it stays behind, either
    vouch_ret_t ret = vouch_checker_recertify(cell.checker, cell.motion, &result);
    assert_int_equal(ret, VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "'gear'"));
    assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  }
  assert_int_equal(vouch_check(cell.checker, cell.motion, &result), VOUCH_RET_INVALID);
  assert_int_equal(
    vouch_check_motion(cell.checker, &far[0], &far[1], &result), VOUCH_RET_INVALID);
  assert_int_equal(
    vouch_check_motion(cell.checker, &near[0], &near[1], &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  cell_close(&cell);
}

static void times_that_are_too_near_are_refused(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  const double positions[3] = {0.0, 0.1, 0.2};
  const double good[3] = {0.0, 1.1e-12, 1.0}, bad[3] = {0.0, 0.9e-12, 1.0};
  assert_int_equal(move(&cell, positions, good, 3), VOUCH_RET_OK);
  assert_int_equal(move(&cell, positions, bad, 3), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "1e-12"));
  const char * names[1] = {"slide"};
  const double coefficients[2] = {0.0, 1.0};
  vouch_polynomial_segment_t segments[2] = {{1.0, 1, coefficients}, {5e-13, 1, coefficients}};
  vouch_ret_t ret = vouch_motion_create_polynomial(
    &cell.motion, cell.robot, names, 1, segments, 2, NULL);
  assert_int_equal(ret, VOUCH_RET_INVALID);
  assert_null(cell.motion);
  cell_close(&cell);
}

/// A cut just before a knot keeps more of the motion rather than less, and what is kept can be certified.
static void nothing_of_what_remains_is_left_out(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(0.0, 1.0, 0.0));
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  const double positions[4] = {0.0, 2.0, 1.0, 0.0};
  const double begins[3] = {1e-3, 1.0, 1e6}, steps[3] = {1.5e-12, 3e-12, 1.0};
  for (int i = 0; i < 9; i++) {
    double begin = begins[i / 3], step = fmax(steps[i % 3], 2.0 * (nextafter(begin, 2e6) - begin));
    const double all[4] = {0.0, begin, begin + step, begin + step + 1.0};
    assert_int_equal(move(&cell, positions, all, 4), VOUCH_RET_OK);
    for (int k = 0; k < 60; k++) {
      double cut = all[2] - ldexp(all[2] - all[1], -k), wanted[1], value[1];
      vouch_motion_t * rest;
      vouch_motion_evaluate(cell.motion, cut, wanted);
      assert_int_equal(vouch_motion_remaining(&rest, cell.motion, cut), VOUCH_RET_OK);
      vouch_motion_evaluate(rest, 0.0, value);
      assert_true(value[0] >= wanted[0] - 1e-12);   // it comes back from 2: larger is earlier
      vouch_motion_t * whole = cell.motion;
      cell.motion = rest;
      vouch_result_t result = cell_check(&cell, &options);
      assert_int_equal(result.verdict, VOUCH_FREE);
      test_is_verified(cell.checker);
      cell.motion = whole;
      vouch_motion_destroy(rest);
    }
  }
  cell_close(&cell);
}

/// Knots that are as near as may be stay so, also where counting from the cut rounds them differently:
/// one comes to lie below 1/8, the other above.
static void what_remains_has_no_knots_that_are_too_near(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SLIDER, NULL);
  const double positions[4] = {0.0, 0.5, 0.6, 1.0};
  double times[4] = {0.0, 0.15, 0.15 + 1e-12, 2.0};
  while (!(times[2] - times[1] >= 1e-12)) {
    times[2] = nextafter(times[2], 2.0);
  }
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(0.0, 1.0, 0.0));
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  assert_int_equal(move(&cell, positions, times, 4), VOUCH_RET_OK);
  vouch_motion_t * whole = cell.motion;
  const double cut = times[1] - 0.125 + 0.5e-12;
  for (int i = 0; i < 200; i++) {
    assert_int_equal(vouch_motion_remaining(&cell.motion, whole, cut + i * 0x1p-58), VOUCH_RET_OK);
    vouch_result_t result = cell_check(&cell, &options);
    assert_int_equal(result.verdict, VOUCH_FREE);
    test_is_verified(cell.checker);
    vouch_motion_destroy(cell.motion);
  }
  cell.motion = whole;
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(seconds_are_rounded_as_asked),
    cmocka_unit_test(free_until_is_not_after_what_is_proved),
    cmocka_unit_test(planes_that_nobody_compares_leave_no_clearance),
    cmocka_unit_test(the_upper_bound_of_clearance_is_not_below_the_distance),
    cmocka_unit_test(joints_that_turn_too_far_are_refused),
    cmocka_unit_test(times_that_are_too_near_are_refused),
    cmocka_unit_test(nothing_of_what_remains_is_left_out),
    cmocka_unit_test(what_remains_has_no_knots_that_are_too_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
