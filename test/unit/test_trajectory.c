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
/* Trajectory and state files: YAML, JSON, CSV, segments; refused with file and line or joint. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/motion.h"
#include "support/toy.h"

static vouch_robot_t * robot;

static int set_up(void ** state)
{
  (void)state;
  robot = toy_robot();
  return 0;
}

static int tear_down(void ** state)
{
  (void)state;
  vouch_robot_destroy(robot);
  return 0;
}

static vouch_motion_t * parse(const char * text)
{
  vouch_motion_t * motion = NULL;
  if (vouch_motion_parse(&motion, robot, text, strlen(text), NULL) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return motion;
}

static void refuse(const char * text, const char * sentence)
{
  vouch_motion_t * motion = NULL;
  assert_int_equal(
    vouch_motion_parse(&motion, robot, text, strlen(text), NULL), VOUCH_RET_INVALID);
  assert_null(motion);
  if (strstr(vouch_error(), sentence) == NULL || strstr(vouch_error(), "trajectory") == NULL) {
    fail_msg("'%s' does not hold '%s'", vouch_error(), sentence);
  }
}

/// The same two-point motion in every spelling gives bitwise the same coefficients.
static void test_all_spellings_mean_the_same(void ** state)
{
  (void)state;
  static const char * const texts[] = {
    "joint_trajectory:\n  joint_names: [turn, tilt, slide]\n  points:\n"
    "    - {positions: [0, 0.5, 0.1], time_from_start: 0}\n"
    "    - {positions: [1, 0.25, 0.2], time_from_start: 1.5}\n",
    "{\"joint_trajectory\": {\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"points\": [\n"
    "{\"positions\": [0, 0.5, 0.1], \"velocities\": [], \"time_from_start\": {\"sec\": 0, "
    "\"nanosec\": 0}},\n{\"positions\": [1, 0.25, 0.2], \"time_from_start\": {\"sec\": 1, "
    "\"nanosec\": 500000000}}]}, \"multi_dof_joint_trajectory\": {\"joint_names\": [], "
    "\"points\": []}}",
    "header: {frame_id: ''}\njoint_names: [slide, turn, tilt]\npoints:\n"
    "- positions: [0.1, 0, 0.5]\n- positions: [0.2, 1, 0.25]\n"
    "  time_from_start: {secs: 1, nsecs: 500000000}\n",
    "time,turn,tilt,slide\n0,0,0.5,0.1\n# remark\n\n1.5,1,0.25,0.2\n",
    "turn; \"tilt\" ;slide;time\r\n0;0.5;0.1;0\r\n1; 0.25;0.2;1.5\r\n",
    "\xef\xbb\xbftime,turn,tilt,slide\n0,0,0.5,0.1\n1.5,1,0.25,0.2\n",
    ("\xef\xbb\xbf{\n\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"points\": [{"
    "\"positions\": [0, 0.5, 0.1]}, {\"positions\": [1, 0.25, 0.2], \"time_from_start\": 1.5}]}")
  };
  vouch_motion_t * first = parse(texts[0]);
  assert_int_equal(vouch_motion_model(first), VOUCH_MODEL_CONTROLLER);
  for (size_t i = 1; i < sizeof(texts) / sizeof(texts[0]); ++i) {
    vouch_motion_t * motion = parse(texts[i]);
    assert_int_equal(motion->segment_count, 1);
    assert_memory_equal(motion->coefficients, first->coefficients, 6 * sizeof(double));
    assert_true(motion->seconds[1] == 1.5);
    vouch_motion_destroy(motion);
  }
  vouch_motion_destroy(first);
}

static void test_segments(void ** state)
{
  (void)state;
  vouch_motion_t * motion = parse(
    "{\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"segments\": [\n"
    " {\"duration\": 2, \"coefficients\": [[0, 0, 0.5], [0.1], [0.2, 0.01]]},\n"
    " {\"duration\": 1, \"coefficients\": [[2, 2], [0.1], [0.22]]}]}");
  double values[3];
  assert_int_equal(vouch_motion_segment_count(motion), 2);
  vouch_motion_evaluate(motion, 1.0, values);
  assert_true(fabs(values[0] - 0.5) < 1e-15 && values[1] == 0.1 && fabs(values[2] - 0.21) < 1e-15);
  vouch_motion_evaluate(motion, 2.5, values);
  assert_true(fabs(values[0] - 3.0) < 1e-14);
  assert_int_equal(vouch_motion_warning_count(motion), 0);
  vouch_motion_destroy(motion);
}

static void test_refused_files(void ** state)
{
  (void)state;
  static const struct {const char * text, * sentence;} cases[] = {
    {"joint_trajectory: {joint_names: [turn, tilt, slide], points: []}", "no points"},
    {"joint_trajectory: {joint_names: [turn, tilt, slide]}", "no points"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- positions: [1, 2]\n",
      "trajectory:3: 2 positions for 3 joints"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- positions: [1, 2, .nan]\n", "trajectory:3"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- velocities: [1, 2, 3]\n", "no positions"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- positions: [1, 2, 3]\n  velocity: [1, 2, 3]\n",
      "trajectory:4: key 'velocity' is not known"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- positions: [0, 0, 0]\n"
      "  accelerations: [0, 0, 0]\n", "accelerations but no velocities"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- {positions: [0, 0, 0], time_from_start: "
      "{sec: 0, nanosec: 2000000000}}\n", "nanosec"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- {positions: [0, 0, 0], time_from_start: "
      "{sec: 1.5, nanosec: 500000000}}\n", "whole numbers"},
    {"joint_trajectory: {joint_names: [turn, tilt, slide], points: [{positions: [0, 0, 0]}]}\n"
      "multi_dof_joint_trajectory: {joint_names: [base], points: [{}]}\n",
      "trajectory:2: a multi-DOF trajectory"},
    {"joint_trajectory: {joint_names: [turn, tilt, slide], points: [{positions: [0, 0, 0]}]}\n"
      "multi_dof_joint_trajectory: [{joint_names: [base], points: [{}]}]\n",
      "trajectory:2: a map with keys"},
    {"joint_trajectory: {joint_names: [turn, tilt, slide], points: [{positions: [0, 0, 0]}]}\n"
      "multi_dof_joint_trajectory: {joint_names: v, points: x}\n",
      "trajectory:2: a multi-DOF trajectory"},
    {"header: {stmp: 1}\njoint_names: [turn, tilt, slide]\npoints: [{positions: [0, 0, 0]}]\n",
      "trajectory:1: key 'stmp' is not known"},
    {"joint_names: [turn, tilt, slide]\npoints:\n- {positions: [0, 0, 0], time_from_start: "
      "{sec: 1, secs: 5}}\n", "not both"},
    {"turn,tilt,slide\r0,0,0\r", "trajectory:1: a line ends with a carriage return alone"},
    {"robot_state: {}\n", "no trajectory"},
    {"{\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"segments\": [{\"duration\": 1, "
      "\"coefficients\": [[0, 0, 0, 0, 0, 0, 1], [0], [0]]}]}", "degree at most 5"},
    {"{\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"segments\": [{\"duration\": -1, "
      "\"coefficients\": [[0], [0], [0]]}]}", "lasts -1 s"},
    {"{\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"segments\": [{\"duration\": 1, "
      "\"coefficients\": [[0], [0]]}]}", "3 in all"},
    {"turn,tilt,slide\n0,0\n", "trajectory:2: 2 values, but the header names 3"},
    {"turn,tilt,slide\n0,0,x\n", "trajectory:2: 'x' is not"},
    {"turn,tilt,slide\n0,0,nan\n", "'nan'"},
    {"turn,tilt,slide\n", "no points"},
    {"turn,,slide\n0,0,0\n", "no name"},
    {"time,time,slide\n0,0,0\n", "twice"},
    {"turn,tilt,elbow\n0,0,0\n", "column 'elbow' is neither 'time' nor a joint"},
    {"time,turn,tilt,slide\n0,0,0,0\n1,1,0,0\n1,2,0,0\n", "point 2 has time 1 s"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    refuse(cases[i].text, cases[i].sentence);
  }
}

static void test_stamp_is_told(void ** state)
{
  (void)state;
  vouch_motion_t * motion = parse(
    "header: {stamp: {sec: 12, nanosec: 1}}\njoint_names: [turn, tilt, slide]\npoints:\n"
    "- positions: [0, 0, 0]\n");
  assert_int_equal(vouch_motion_warning_count(motion), 1);
  vouch_motion_destroy(motion);
}

static void write_state(const char * path, const char * text)
{
  assert_int_equal(vouch_file_write(path, text, strlen(text)), VOUCH_RET_OK);
}

static void test_states(void ** state)
{
  (void)state;
  char path[] = "/tmp/vouch-state-XXXXXX";
  double values[3];
  assert_true(mkstemp(path) >= 0);
  static const char * const good[] = {
    "name: [tilt]\nposition: [0.5]\n",
    "joint_state: {name: [tilt], position: [0.5], velocity: [0]}\n",
    "start_state: {joint_state: {name: [tilt], position: [0.5]}}\ngroup_name: x\n",
    "robot_state: {joint_state: {name: [tilt], position: [0.5]}}\nname: scene\n"
  };
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
    write_state(path, good[i]);
    if (vouch_state_load(robot, path, values) != VOUCH_RET_OK) {
      fail_msg("%s", vouch_error());
    }
    assert_true(isnan(values[0]) && values[1] == 0.5 && isnan(values[2]));
  }
  double velocities[3];
  write_state(path, "name: [slide, tilt]\nposition: [0.1, 0.5]\nvelocity: [0.3, -2]\n");
  assert_int_equal(vouch_state_load_moving(robot, path, values, velocities), VOUCH_RET_OK);
  assert_true(values[1] == 0.5 && velocities[1] == -2.0 && velocities[2] == 0.3);
  assert_true(isnan(values[0]) && velocities[0] == 0.0);
  static const char * const bad[] = {
    "{}", "joint_state: {name: [tilt], position: [.nan]}",
    "joint_state: {name: [tilt, tilt], position: [0, 0]}",
    "joint_state: {name: [mount], position: [0]}",
    "joint_state: {name: [finger], position: [0.1]}",
    ("joint_state: {name: [tilt], position: [0]}\nmulti_dof_joint_state: {joint_names: [b], "
    "transforms: [{translation: [1, 0, 0]}]}"),
    "joint_state: {name: [tilt], position: [0]}\nattached_collision_objects: [{}]",
    "start_state: {joint_state: {name: [tilt], position: [0]}, attached_objects: [{}]}",
    "joint_state: {name: [tilt], position: [0], velocity: [0, 0]}",
    ("robot_state: {joint_state: {name: [tilt], position: [0]}}\n"
    "world: {collision_objects: [{id: a}]}"),
    "robot_state: {joint_state: {name: [tilt], position: [0]}}\nworld: [{id: a}]",
    ("robot_state: {joint_state: {name: [tilt], position: [0]}}\n"
    "link_padding: [{link_name: a, padding: 0}, {link_name: b, padding: 0.01}]"),
    ("robot_state: {joint_state: {name: [tilt], position: [0]}}\n"
    "link_scale: [{link_name: a, scale: 1.1}]"),
    ("start_state: {joint_state: {name: [tilt], position: [0]}}\n"
    "attached_collision_objects: [{}]"),
    ("start_state: {joint_state: {name: [tilt], position: [0]}}\n"
    "robot_state: {joint_state: {name: [tilt], position: [1]}}")
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    write_state(path, bad[i]);
    assert_int_equal(vouch_state_load(robot, path, values), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), path));
  }
  assert_int_equal(remove(path), 0);
  assert_int_equal(vouch_state_load(robot, path, values), VOUCH_RET_IO);
}

/* Memory that runs out at the n-th request is an error without a leak. */
static long allowance;

static void * starved_allocate(size_t size, void * unused)
{
  (void)unused;
  return allowance-- > 0 ? malloc(size) : NULL;
}

static void * starved_reallocate(void * pointer, size_t size, void * unused)
{
  (void)unused;
  return allowance-- > 0 ? realloc(pointer, size) : NULL;
}

static void starved_free(void * pointer, void * unused)
{
  (void)unused;
  free(pointer);
}

static void test_out_of_memory_at_every_request(void ** state)
{
  (void)state;
  static const char * const texts[] = {
    ("joint_names: [turn, tilt, slide]\npoints:\n- {positions: [0, 9, 0], velocities: [0, 0, 0], "
    "accelerations: [0, 0, 0]}\n- {positions: [1, 0, 0], velocities: [0, 0, 0], accelerations: "
    "[0, 0, 0], time_from_start: 1}\n"),
    "turn,tilt,slide\n0,0,0\n1,0,0\n",
    ("{\"joint_names\": [\"turn\", \"tilt\", \"slide\"], \"segments\": [{\"duration\": 1, "
    "\"coefficients\": [[0], [0], [0]]}, {\"duration\": 1, \"coefficients\": [[1], [0], [0]]}]}")
  };
  vouch_motion_options_t options = vouch_motion_options_default();
  options.allocator = (vouch_allocator_t) {
    .allocate = starved_allocate, .reallocate = starved_reallocate, .deallocate = starved_free
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
    bool worked = false;
    for (long n = 0; !worked && n < 1000; ++n) {
      vouch_motion_t * motion = NULL;
      allowance = n;
      const vouch_ret_t ret = vouch_motion_parse(
        &motion, robot, texts[i], strlen(texts[i]), &options);
      worked = ret == VOUCH_RET_OK;
      assert_true(worked || (ret == VOUCH_RET_NO_MEMORY && motion == NULL));
      vouch_motion_destroy(motion);
    }
    assert_true(worked);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_spellings_mean_the_same),
    cmocka_unit_test(test_segments),
    cmocka_unit_test(test_refused_files),
    cmocka_unit_test(test_stamp_is_told),
    cmocka_unit_test(test_states),
    cmocka_unit_test(test_out_of_memory_at_every_request),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
