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

/* Timing: random paths under random limits become splines that keep to them, which is seen by sampling
 * and by plan_within_limits(), which in turn sees what does not keep to them. */

#include <math.h>
#include <string.h>

#include "test_check_fixture.h"

#include "plan/timing.h"
#include "support/random.h"

enum {JOINTS = 3, POINTS = 7};

static plan_space_t space_of(const vouch_robot_t * robot, double limits[3][JOINTS])
{
  plan_space_t s = {.robot = robot, .count = JOINTS};
  for (uint32_t i = 0; i < JOINTS; i++) {
    s.variables[i] = i;
    s.weights[i] = i == 2 ? PLAN_METRE : 1.0;
    s.lower[i] = i == 2 ? 0.0 : -2.0;
    s.upper[i] = i == 2 ? 0.5 : 2.0;
    s.velocity[i] = limits[0][i];
    s.acceleration[i] = limits[1][i];
    s.jerk[i] = limits[2][i];
  }
  s.endless[0] = true;
  return s;
}

static vouch_motion_t * motion_of_timed(const vouch_robot_t * robot, const plan_timed_t * timed)
{
  static const char * const names[JOINTS] = {"turn", "tilt", "slide"};
  vouch_trajectory_point_t points[256];
  assert_true(timed->count <= 256);
  for (size_t i = 0; i < timed->count; i++) {
    const double * v = timed->values + i * 3 * JOINTS;
    points[i] = (vouch_trajectory_point_t) {
      v, v + JOINTS, v + 2 * JOINTS, plan_timed_seconds(timed, i)
    };
  }
  const vouch_trajectory_t trajectory = {names, JOINTS, points, timed->count};
  vouch_motion_t * motion = NULL;
  if (vouch_motion_create(&motion, robot, &trajectory, NULL) != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
    fail();
  }
  return motion;
}

/// The largest velocity, acceleration and jerk by differences, and the way from the path.
static void sample(
  const vouch_motion_t * m, const plan_path_t * path, const plan_space_t * s,
  double largest[3][JOINTS], double * away)
{
  enum {SAMPLES = 4000};
  const double duration = vouch_motion_duration(m), h = duration / SAMPLES;
  double q[4][JOINTS];
  memset(largest, 0, 3 * JOINTS * sizeof(double));
  *away = 0.0;
  for (int k = 0; k + 3 <= SAMPLES; k++) {
    for (int i = 0; i < 4; i++) {
      vouch_motion_evaluate(m, h * (k + i), q[i]);
    }
    *away = fmax(*away, k % 16 ? 0.0 : plan_path_distance(path, s, q[0]));
    for (int i = 0; i < JOINTS; i++) {
      const double v = (q[1][i] - q[0][i]) / h, a = (q[2][i] - 2 * q[1][i] + q[0][i]) / (h * h);
      const double j = (q[3][i] - 3 * q[2][i] + 3 * q[1][i] - q[0][i]) / (h * h * h);
      largest[0][i] = fmax(largest[0][i], fabs(v));
      largest[1][i] = fmax(largest[1][i], fabs(a));
      largest[2][i] = fmax(largest[2][i], fabs(j));
    }
  }
}

static void draw_path(test_random_t * state, plan_path_t * path)
{
  path->count = 0;
  for (int i = 0; i < POINTS; i++) {
    const double q[JOINTS] = {
      test_random_in(state, -4.0, 4.0), test_random_in(state, -1.9, 1.9),
      test_random_in(state, 0.01, 0.49)
    };
    assert_true(plan_path_add(path, q));
  }
}

static void random_paths_keep_to_random_limits(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  test_random_t random = {20261119};
  for (int round = 0; round < 60; round++) {
    plan_path_t path = {.allocator = vouch_allocator_default(), .joints = JOINTS};
    plan_timed_t timed = {.allocator = vouch_allocator_default()};
    bool stops[POINTS] = {false};
    double limits[3][JOINTS], largest[3][JOINTS], away;
    for (int i = 0; i < JOINTS; i++) {
      limits[0][i] = exp(test_random_in(&random, -2.0, 1.5));
      limits[1][i] = exp(test_random_in(&random, -1.0, 3.0));
      limits[2][i] = round % 2 ? exp(test_random_in(&random, 1.0, 6.0)) : INFINITY;
    }
    stops[3] = round % 3 == 0;
    const plan_space_t s = space_of(robot, limits);
    draw_path(&random, &path);
    assert_int_equal(plan_time(&path, stops, &s, &timed), VOUCH_RET_OK);
    for (size_t i = 1; i < timed.count; i++) {
      assert_true(timed.nanoseconds[i] > timed.nanoseconds[i - 1]);
    }
    vouch_motion_t * motion = motion_of_timed(robot, &timed);
    const plan_excess_t excess = plan_within_limits(motion, &s, 1e-6);
    if (excess.quantity != NULL) {
      print_error(
        "round %d: %s of joint %u: %.17g, limit %.17g\n", round, excess.quantity, excess.joint,
        excess.value, excess.limit);
    }
    assert_null(excess.quantity);
    sample(motion, &path, &s, largest, &away);
    bool used = false;   // something is at its limit, or the motion dawdles
    for (int i = 0; i < JOINTS; i++) {
      assert_true(largest[0][i] <= limits[0][i] * (1.0 + 1e-6));
      assert_true(largest[1][i] <= limits[1][i] * (1.0 + 1e-4));
      assert_true(largest[2][i] <= limits[2][i] * 1.02 + 1e-3);
      used = used || largest[0][i] > 0.98 * limits[0][i] || largest[1][i] > 0.95 * limits[1][i] ||
        largest[2][i] > 0.8 * limits[2][i];
    }
    assert_true(used);
    double q[JOINTS];
    vouch_motion_evaluate(motion, vouch_motion_duration(motion), q);
    assert_memory_equal(q, plan_path_at(&path, POINTS - 1), sizeof(q));
    if (stops[3]) {   // a stop is at its corner, and at rest
      bool found = false;
      for (size_t i = 0; i < timed.count; i++) {
        const double * v = timed.values + i * 3 * JOINTS;
        found = found || (memcmp(v, plan_path_at(&path, 3), sizeof(q)) == 0 && v[JOINTS] == 0.0);
      }
      assert_true(found);
    }
    vouch_motion_destroy(motion);
    plan_timed_fini(&timed);
    plan_path_fini(&path);
  }
  vouch_robot_destroy(robot);
}

static void what_leaves_a_limit_is_seen(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  double limits[3][JOINTS] = {{1.0, 1.0, 0.3}, {2.0, 2.0, 1.0}, {30.0, 30.0, 20.0}}, away;
  double largest[3][JOINTS];
  test_random_t random = {7};
  plan_path_t path = {.allocator = vouch_allocator_default(), .joints = JOINTS};
  plan_timed_t timed = {.allocator = vouch_allocator_default()};
  const bool stops[POINTS] = {false};
  const plan_space_t s = space_of(robot, limits);
  draw_path(&random, &path);
  assert_int_equal(plan_time(&path, stops, &s, &timed), VOUCH_RET_OK);
  vouch_motion_t * motion = motion_of_timed(robot, &timed);
  assert_null(plan_within_limits(motion, &s, 1e-6).quantity);
  sample(motion, &path, &s, largest, &away);
  static const char * const names[3] = {"velocity", "acceleration", "jerk"};
  for (int k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < JOINTS; i++) {
      double tight[3][JOINTS];
      memcpy(tight, limits, sizeof(tight));
      tight[k][i] = largest[k][i] * 0.97;
      const plan_space_t narrow = space_of(robot, tight);
      const plan_excess_t excess = plan_within_limits(motion, &narrow, 1e-6);
      assert_string_equal(excess.quantity, names[k]);
      assert_int_equal(excess.joint, i);
      assert_true(fabs(excess.value) > tight[k][i]);
    }
  }
  plan_space_t narrow = s;
  narrow.upper[1] = 0.5;
  assert_string_equal(plan_within_limits(motion, &narrow, 1e-6).quantity, "position");
  vouch_motion_destroy(motion);
  plan_timed_fini(&timed);
  plan_path_fini(&path);
  vouch_robot_destroy(robot);
}

static void tidying_leaves_the_way_as_it_is(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  double limits[3][JOINTS] = {{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}};
  const plan_space_t s = space_of(robot, limits);
  plan_path_t path = {.allocator = vouch_allocator_default(), .joints = JOINTS};
  const double points[6][JOINTS] = {
    {0.0, 0.0, 0.1}, {0.5, 0.0, 0.1}, {1.0, 0.0, 0.1}, {1.0, 0.0, 0.1}, {1.0, 1.0, 0.1},
    {1.0, 1.5, 0.1}
  };
  for (int i = 0; i < 6; i++) {
    assert_true(plan_path_add(&path, points[i]));
  }
  plan_path_tidy(&path, &s);
  assert_int_equal(path.count, 3);
  assert_memory_equal(plan_path_at(&path, 0), points[0], sizeof(points[0]));
  assert_memory_equal(plan_path_at(&path, 1), points[2], sizeof(points[0]));
  assert_memory_equal(plan_path_at(&path, 2), points[5], sizeof(points[0]));
  assert_true(fabs(plan_path_length(&path, &s) - 2.5) < 1e-12);
  const double beside[JOINTS] = {0.5, 0.25, 0.1};
  assert_true(fabs(plan_path_distance(&path, &s, beside) - 0.25) < 1e-12);
  plan_path_fini(&path);
  vouch_robot_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_paths_keep_to_random_limits),
    cmocka_unit_test(what_leaves_a_limit_is_seen),
    cmocka_unit_test(tidying_leaves_the_way_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
