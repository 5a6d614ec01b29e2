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

/* Where a motion begins: the start state, the lead-in, joints that nobody names. */

#include "test_motion_fixture.h"

static void test_one_point_is_one_constant_segment(void ** state)
{
  (void)state;
  const double p[] = {1.0, 0.5, 0.2};
  const vouch_trajectory_point_t point = {.positions = p};
  vouch_motion_t * motion = make(&point, 1, NULL);
  double values[3];
  assert_int_equal(vouch_motion_segment_count(motion), 1);
  vouch_motion_evaluate(motion, 0.7, values);
  assert_memory_equal(values, p, sizeof(p));
  vouch_motion_destroy(motion);
}

/// Lead-in: cubic if point 0 has velocities; missing ones are zero; continuous joints unwound.
/// Of a controller that is told to be elsewhere at once nobody asks which way it takes.
static void test_one_point_elsewhere_is_a_jump_for_the_controller(void ** state)
{
  (void)state;
  const double there[3] = {0.1, 0.2, 0.3}, here[3] = {0.0, 0.2, 0.3};
  const vouch_trajectory_point_t point = {.positions = there};
  const vouch_trajectory_t trajectory = trajectory_of(&point, 1);
  const vouch_joint_values_t start = {.names = NAMES, .positions = here, .count = 3};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.start_state = &start;
  options.model = VOUCH_MODEL_CONTROLLER;
  refuse(&trajectory, &options, "would jump");
  options.model = VOUCH_MODEL_AUTO;   // a place, which is asked about
  vouch_motion_t * motion = make(&point, 1, &options);
  assert_int_equal(vouch_motion_warning_count(motion), 1);
  vouch_motion_destroy(motion);
}

static void test_lead_in(void ** state)
{
  (void)state;
  const double p0[] = {-3.0, 0.5, 0.2}, v0[] = {0.1, 0.2, 0.0};
  const double p1[] = {-2.0, 0.6, 0.2}, zero[] = {0.0, 0.0, 0.0};
  const vouch_trajectory_point_t points[] = {
    {.positions = p0, .velocities = v0, .time_s = 0.5},
    {.positions = p1, .velocities = zero, .time_s = 1.5}
  };
  const double begin[] = {3.0, 0.0, 0.2};
  const vouch_joint_values_t start = {.names = NAMES, .positions = begin, .count = 3};
  vouch_motion_options_t options = vouch_motion_options_default();
  const vouch_trajectory_t trajectory = trajectory_of(points, 2);
  refuse(&trajectory, &options, "give a start state");
  options.start_state = &start;
  vouch_motion_t * motion = make(points, 2, &options);
  assert_int_equal(vouch_motion_lead_in_count(motion), 1);
  assert_int_equal(vouch_motion_segment_count(motion), 2);
  assert_int_equal(motion->degrees[0], 3);
  double values[3];
  vouch_motion_evaluate(motion, 0.0, values);
  assert_true(fabs(values[0] - (3.0 - 2.0 * PI)) < 1e-12);
  vouch_motion_evaluate(motion, 0.2, values);
  assert_true(
    fabs(
      values[1] - (double)controller_value(3, 0.0, 0.0, 0.0, 0.5, 0.2, 0.0, 0.5L, 0.2L)) < 1e-12);
  vouch_motion_destroy(motion);
  options.unwind_lead_in = false;
  motion = make(points, 2, &options);
  vouch_motion_evaluate(motion, 0.0, values);
  assert_true(values[0] == 3.0);
  vouch_motion_destroy(motion);
  // Half a turn away.
  const double half[] = {-3.0 + PI, 0.0, 0.2};
  const vouch_joint_values_t start_half = {.names = NAMES, .positions = half, .count = 3};
  options.unwind_lead_in = true;
  options.start_state = &start_half;
  refuse(&trajectory, &options, "half a turn");
}

static void test_start_must_agree_at_time_zero_but_not_for_paths(void ** state)
{
  (void)state;
  const double p0[] = {0.0, 0.0, 0.1}, p1[] = {1.0, 0.0, 0.1};
  const double begin[] = {0.01, 0.0, 0.1};
  vouch_trajectory_point_t points[] = {{.positions = p0}, {.positions = p1, .time_s = 1.0}};
  const vouch_joint_values_t start = {.names = NAMES, .positions = begin, .count = 3};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.start_state = &start;
  vouch_trajectory_t trajectory = trajectory_of(points, 2);
  refuse(&trajectory, &options, "joint 'turn' starts at 0.01");
  const double tolerances[] = {0.02, 0.0, 0.0};
  options.start_tolerances = tolerances;
  vouch_motion_destroy(make(points, 2, &options));
  options.start_tolerances = NULL;
  points[1].time_s = 0.0;
  vouch_motion_destroy(make(points, 2, &options));
}

static void test_joints_not_named_come_from_the_start_state(void ** state)
{
  (void)state;
  const double p0[] = {0.0}, p1[] = {1.0};
  const vouch_trajectory_point_t points[] = {{.positions = p0}, {.positions = p1}};
  const vouch_trajectory_t trajectory = {
    .joint_names = NAMES, .joint_count = 1, .points = points, .point_count = 2
  };
  refuse(&trajectory, NULL, "joint 'tilt' is neither");
  const double begin[] = {9.0, 0.25, 0.9};
  const vouch_joint_values_t start = {.names = NAMES, .positions = begin, .count = 3};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.start_state = &start;
  vouch_motion_t * motion = NULL;
  assert_int_equal(
    vouch_motion_create(&motion, robot, &trajectory, &options), VOUCH_RET_OK);
  double values[3];
  vouch_motion_evaluate(motion, 0.5, values);
  assert_true(values[0] == 0.5 && values[1] == 0.25 && values[2] == 0.9);
  assert_int_equal(vouch_motion_overshoot_count(motion), 0);
  assert_int_equal(vouch_motion_warning_count(motion), 2);   // slide stands outside its limits
  assert_non_null(strstr(vouch_motion_warning(motion, 0), "joint 'slide' stands at 0.9"));
  assert_non_null(strstr(vouch_motion_warning(motion, 1), "joint 'turn' is at 9"));
  vouch_motion_destroy(motion);
}

static void test_mimic_joints_must_agree(void ** state)
{
  (void)state;
  static const char * const names[] = {"turn", "tilt", "slide", "finger"};
  double p0[] = {0.0, 0.0, 0.2, 0.2}, p1[] = {0.0, 0.0, 0.4, 0.3};
  const vouch_trajectory_point_t points[] = {{.positions = p0}, {.positions = p1}};
  vouch_trajectory_t trajectory = {
    .joint_names = names, .joint_count = 4, .points = points, .point_count = 2
  };
  vouch_motion_t * motion = NULL;
  assert_int_equal(vouch_motion_create(&motion, robot, &trajectory, NULL), VOUCH_RET_OK);
  vouch_motion_destroy(motion);
  p1[3] = 0.31;
  refuse(&trajectory, NULL, "point 1: joint 'finger' follows joint 'slide'");
  static const char * const without[] = {"turn", "tilt", "finger"};
  trajectory.joint_names = without;
  trajectory.joint_count = 3;
  refuse(&trajectory, NULL, "names joint 'finger' but not joint 'slide'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_one_point_is_one_constant_segment),
    cmocka_unit_test(test_one_point_elsewhere_is_a_jump_for_the_controller),
    cmocka_unit_test(test_lead_in),
    cmocka_unit_test(test_start_must_agree_at_time_zero_but_not_for_paths),
    cmocka_unit_test(test_joints_not_named_come_from_the_start_state),
    cmocka_unit_test(test_mimic_joints_must_agree),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
