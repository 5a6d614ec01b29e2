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

/* How calls fail and how checks are stopped: NULL, memory of a thread, deadlines, cancelling. */

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/toy.h"
#include "vouch/rigid.h"
#include "vouch/vouch.h"

/// INVALID, with a sentence that names the function and the argument.
static void refused(vouch_ret_t ret, const char * function, const char * argument)
{
  assert_int_equal(ret, VOUCH_RET_INVALID);
  if (strstr(vouch_error(), function) == NULL || strstr(vouch_error(), argument) == NULL) {
    print_error("'%s' does not name %s of %s\n", vouch_error(), argument, function);
    fail();
  }
}

static cell_t toy_cell(void)
{
  cell_t cell = {.robot = toy_robot()};
  assert_int_equal(vouch_scene_create(&cell.scene, cell.robot, NULL), VOUCH_RET_OK);
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(3.0, 0.0, 0.0));
  const double values[6] = {0.0, 0.4, 0.1, 0.9, 0.6, 0.2};
  cell_path(&cell, values, 2);
  return cell;
}

#define CALL(function, argument, ...) refused(function(__VA_ARGS__), #function, argument)

static void robots_and_motions_need_their_arguments(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_robot_t * robot = cell.robot, * other = cell.robot;
  vouch_motion_t * motion = cell.motion;
  double values[3];
  CALL(vouch_robot_parse_urdf, "robot", NULL, "<robot/>", 8, NULL, NULL);
  CALL(vouch_robot_parse_urdf, "text", &other, NULL, 8, NULL, NULL);
  assert_null(other);
  CALL(vouch_robot_load_urdf, "robot", NULL, "a.urdf", NULL);
  CALL(vouch_robot_load_urdf, "path", &other, NULL, NULL);
  CALL(vouch_robot_set_link_shapes, "robot", NULL, "arm", NULL, NULL, 0);
  CALL(vouch_robot_set_link_shapes, "link", robot, NULL, NULL, NULL, 0);
  CALL(vouch_robot_set_link_shapes, "shapes", robot, "arm", NULL, NULL, 1);
  CALL(vouch_robot_group_state, "state", robot, "group", NULL, values);
  CALL(vouch_robot_group_state, "robot", NULL, "group", "home", values);
  vouch_trajectory_t trajectory = {.joint_names = NULL, .joint_count = 1};
  CALL(vouch_motion_create, "motion", NULL, robot, &trajectory, NULL);
  CALL(vouch_motion_create, "robot", &motion, NULL, &trajectory, NULL);
  assert_null(motion);
  CALL(vouch_motion_create, "trajectory", &motion, robot, NULL, NULL);
  CALL(vouch_motion_create, "joint_names", &motion, robot, &trajectory, NULL);
  trajectory = (vouch_trajectory_t) {.point_count = 1};
  CALL(vouch_motion_create, "points", &motion, robot, &trajectory, NULL);
  const char * names[3] = {"turn", "tilt", "slide"};
  vouch_polynomial_segment_t segment = {.duration_s = 1.0, .degree = 1};
  CALL(vouch_motion_create_polynomial, "motion", NULL, robot, names, 3, &segment, 1, NULL);
  CALL(vouch_motion_create_polynomial, "joint_names", &motion, robot, NULL, 3, &segment, 1, NULL);
  CALL(vouch_motion_create_polynomial, "segments", &motion, robot, names, 3, NULL, 1, NULL);
  refused(
    vouch_motion_create_polynomial(&motion, robot, names, 3, &segment, 1, NULL), "segment 0",
    "coefficients");
  CALL(vouch_motion_parse, "text", &motion, robot, NULL, 3, NULL);
  CALL(vouch_motion_load, "path", &motion, robot, NULL, NULL);
  CALL(vouch_motion_remaining, "rest", NULL, cell.motion, 0.0);
  CALL(vouch_motion_remaining, "motion", &motion, NULL, 0.0);
  refused(vouch_state_load(robot, NULL, values), "vouch_state_load", "path");
  refused(vouch_state_load(robot, "a.yaml", NULL), "vouch_state_load", "values");
  cell_close(&cell);
}

static void scenes_need_their_arguments(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_scene_t * scene = cell.scene, * other = cell.scene;
  vouch_pose_t pose = vouch_pose_identity();
  CALL(vouch_scene_create, "scene", NULL, cell.robot, NULL);
  CALL(vouch_scene_create, "robot", &other, NULL, NULL);
  assert_null(other);
  CALL(vouch_scene_clone, "copy", NULL, scene);
  CALL(vouch_scene_clone, "scene", &other, NULL);
  CALL(vouch_scene_load, "scene", NULL, "a.yaml");
  CALL(vouch_scene_load, "path", scene, NULL);
  CALL(vouch_scene_parse, "text", scene, NULL, 3);
  CALL(vouch_scene_add_object, "scene", NULL, "o", NULL, &pose, NULL, NULL, 0);
  CALL(vouch_scene_add_object, "shapes", scene, "o", NULL, &pose, NULL, NULL, 1);
  CALL(vouch_scene_append_object, "shapes", scene, "ball", NULL, NULL, 1);
  CALL(vouch_scene_move_object, "scene", NULL, "o", NULL, &pose);
  CALL(vouch_scene_remove_object, "scene", NULL, "o");
  CALL(vouch_scene_attach_object, "scene", NULL, "o", "arm", NULL, 0);
  CALL(vouch_scene_attach_object, "touch_links", scene, "ball", "arm", NULL, 1);
  CALL(vouch_scene_detach_object, "scene", NULL, "o");
  CALL(vouch_scene_allow_pair, "scene", NULL, "a", "b", true);
  CALL(vouch_scene_allow_default, "scene", NULL, "a", true);
  CALL(vouch_scene_set_padding, "scene", NULL, "a", 0.0);
  CALL(vouch_scene_set_transform, "pose", scene, "map", NULL);
  CALL(vouch_scene_set_state, "values", scene, NULL);
  cell_close(&cell);
}

static void checks_need_their_arguments(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_FREE);
  vouch_checker_t * checker = cell.checker, * other = cell.checker;
  vouch_pose_t pose = vouch_pose_identity();
  double values[3] = {0.0, 0.0, 0.0};
  uint8_t * data, byte = 0;
  size_t size;
  CALL(vouch_checker_create, "checker", NULL, cell.scene, NULL);
  CALL(vouch_checker_create, "scene", &other, NULL, NULL);
  assert_null(other);
  CALL(vouch_checker_clone, "checker", &other, NULL);
  CALL(vouch_check, "result", checker, cell.motion, NULL);
  CALL(vouch_check, "checker", NULL, cell.motion, &result);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);   // not that of the check before
  CALL(vouch_check, "motion", checker, NULL, &result);
  CALL(vouch_check_motion, "checker", NULL, values, values, &result);
  CALL(vouch_check_motion, "from", checker, NULL, values, &result);
  CALL(vouch_check_motion, "to", checker, values, NULL, &result);
  CALL(vouch_check_motion, "result", checker, values, values, NULL);
  CALL(vouch_checker_problem, "checker", NULL, &data, &size);
  CALL(vouch_checker_problem, "data", checker, NULL, &size);
  CALL(vouch_checker_certificate, "size", checker, &data, NULL);
  CALL(vouch_checker_change_scene, "checker", NULL, cell.scene);
  CALL(vouch_checker_change_scene, "scene", checker, NULL);
  CALL(vouch_checker_move_object, "checker", NULL, "ball", NULL, &pose);
  CALL(vouch_checker_move_object, "id", checker, NULL, NULL, &pose);
  CALL(vouch_checker_recertify, "motion", checker, NULL, &result);
  CALL(vouch_recertify, "old_problem", checker, cell.motion, NULL, 1, &byte, 1, &result);
  CALL(vouch_recertify, "old_certificate", checker, cell.motion, &byte, 1, NULL, 1, &result);
  CALL(vouch_checker_set_deadline, "checker", NULL, 1.0);
  vouch_checker_cancel(NULL, true);
  cell_close(&cell);
}

static void rigid_bodies_need_their_arguments(void ** state)
{
  (void)state;
  const vouch_allocator_t memory = vouch_allocator_default();
  const double corners[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const uint32_t triangle[1][3] = {{0, 1, 2}};
  const double limits[2] = {1.0, 0.1}, exact[2] = {0.0, 0.0};
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_body_t * body;
  vouch_rigid_motion_t * motion, * screws;
  vouch_rigid_result_t result;
  vouch_screw_contact_t contact;
  vouch_screw_t screw =
  {.start = vouch_pose_identity(), .direction = {0.0, 0.0, 1.0}, .angle = 1.0};
  vouch_pose_t pose = vouch_pose_identity();
  double number;
  assert_int_equal(
    vouch_rigid_body_create(&body, memory, corners, 3, triangle, 1), VOUCH_RET_OK);
  assert_int_equal(vouch_rigid_motion_create(&motion, memory), VOUCH_RET_OK);
  CALL(vouch_rigid_body_create, "out", NULL, memory, corners, 3, triangle, 1);
  CALL(vouch_rigid_body_create, "vertices", &(vouch_rigid_body_t *) {0}, memory, NULL, 3, NULL, 0);
  CALL(vouch_rigid_body_load, "path", &(vouch_rigid_body_t *) {0}, memory, NULL);
  CALL(vouch_rigid_body_set_masses, "masses", body, NULL, 1);
  CALL(vouch_rigid_body_load_masses, "path", body, NULL);
  CALL(vouch_rigid_motion_create, "out", NULL, memory);
  CALL(vouch_rigid_motion_load, "path", &screws, memory, NULL);
  CALL(vouch_rigid_motion_parse, "text", &screws, memory, NULL, 4);
  CALL(vouch_rigid_motion_add_bezier, "controls", motion, 1.0, 1, NULL, NULL);
  CALL(vouch_rigid_motion_add_quaternions, "curve", motion, 1.0, NULL);
  CALL(vouch_rigid_motion_add_samples, "poses", motion, 1.0, NULL, 2, exact);
  CALL(vouch_rigid_motion_add_samples, "error", motion, 1.0, &pose, 2, NULL);
  CALL(vouch_rigid_motion_add_screw, "to", motion, 1.0, &pose, NULL);
  CALL(vouch_rigid_motion_add_screw_axis, "screw", motion, 1.0, NULL);
  CALL(vouch_rigid_motion_to_screws, "motion", &screws, NULL, body, 0.1, &number);
  CALL(vouch_rigid_check, "result", body, body, motion, &options, NULL);
  CALL(vouch_rigid_check, "fixed", body, NULL, motion, &options, &result);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  // Options that are not given are the usual ones, for which one triangle is no solid.
  assert_int_equal(vouch_rigid_check(body, body, motion, NULL, &result), VOUCH_RET_INVALID);
  assert_null(strstr(vouch_error(), "NULL"));
  CALL(vouch_rigid_sharpen_clearance, "result", body, body, motion, &options, NULL);
  CALL(vouch_rigid_largest_tolerance, "tolerance", body, body, motion, &options, limits, NULL);
  CALL(vouch_screw_first_contact, "moving", NULL, body, &screw, NULL, &contact);
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(body);
}

/* ---- stopping ---- */

static void a_deadline_may_differ_from_check_to_check(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_FREE);
  const double wrong[3] = {-1.0, NAN, 2e9};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(vouch_checker_set_deadline(cell.checker, wrong[i]), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "deadline_s"));
  }
  assert_int_equal(vouch_checker_set_deadline(cell.checker, 1e-9), VOUCH_RET_OK);
  assert_int_equal(vouch_check(cell.checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_int_equal(result.open[0].reason, VOUCH_OPEN_DEADLINE);
  assert_int_equal(vouch_checker_set_deadline(cell.checker, 0.0), VOUCH_RET_OK);
  assert_int_equal(vouch_check(cell.checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  cell_close(&cell);
}

/// Every way to check, before, while and after the checker is cancelled.
static void a_cancelled_checker_proves_nothing(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_check_options_t options = cell_options();
  options.certificate = options.clearance = true;
  const double from[3] = {0.0, 0.4, 0.1}, to[3] = {0.9, 0.6, 0.2};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    options.threads = threads;
    vouch_result_t result = cell_check(&cell, &options);
    assert_int_equal(result.verdict, VOUCH_FREE);
    for (int way = 0; way < 6; way++) {
      vouch_checker_cancel(cell.checker, way < 3);
      vouch_ret_t ret = way % 3 == 0 ? vouch_checker_recertify(cell.checker, cell.motion, &result) :
        way % 3 == 1 ? vouch_check(cell.checker, cell.motion, &result) :
        vouch_check_motion(cell.checker, from, to, &result);
      assert_int_equal(ret, VOUCH_RET_OK);
      assert_int_equal(result.verdict, way < 3 ? VOUCH_UNDECIDED : VOUCH_FREE);
      assert_true(way >= 3 || (result.open_count > 0 && result.free_until_s == 0.0));
      for (size_t i = 0; i < result.open_count; i++) {
        assert_int_equal(result.open[i].reason, VOUCH_OPEN_CANCELLED);
      }
      assert_true(way >= 3 || result.clearance.lower_m == 0.0);
    }
  }
  assert_string_equal(vouch_open_reason_name(VOUCH_OPEN_CANCELLED), "cancelled");
  cell_close(&cell);
}

/* ---- a thread without memory ---- */

static pthread_t owner;
static bool only_owner;

static void * allocate(size_t size, void * state)
{
  (void)state;
  return only_owner && !pthread_equal(owner, pthread_self()) ? NULL : malloc(size);
}

static void * reallocate(void * pointer, size_t size, void * state)
{
  (void)state;
  return only_owner && !pthread_equal(owner, pthread_self()) ? NULL : realloc(pointer, size);
}

static void deallocate(void * pointer, void * state)
{
  (void)state;
  free(pointer);
}

static void what_a_thread_fails_at_is_told_to_the_caller(void ** state)
{
  (void)state;
  cell_t cell = toy_cell();
  vouch_check_options_t options = cell_options();
  options.allocator = (vouch_allocator_t) {allocate, reallocate, deallocate, NULL};
  options.threads = 2;
  owner = pthread_self();
  vouch_checker_t * checker;
  vouch_result_t result;
  assert_int_equal(vouch_checker_create(&checker, cell.scene, &options), VOUCH_RET_OK);
  only_owner = true;
  assert_int_equal(vouch_checker_set_deadline(NULL, 1.0), VOUCH_RET_INVALID);   // another sentence
  assert_int_equal(vouch_check(checker, cell.motion, &result), VOUCH_RET_NO_MEMORY);
  assert_non_null(strstr(vouch_error(), "memory"));
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  only_owner = false;
  assert_int_equal(vouch_check(checker, cell.motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  vouch_checker_destroy(checker);
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(robots_and_motions_need_their_arguments),
    cmocka_unit_test(scenes_need_their_arguments),
    cmocka_unit_test(checks_need_their_arguments),
    cmocka_unit_test(rigid_bodies_need_their_arguments),
    cmocka_unit_test(a_deadline_may_differ_from_check_to_check),
    cmocka_unit_test(a_cancelled_checker_proves_nothing),
    cmocka_unit_test(what_a_thread_fails_at_is_told_to_the_caller),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
