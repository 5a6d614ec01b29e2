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

/* The checker as its users see it: memory, limits, options, warnings. What it writes: test_check_files.c. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/test_check_fixture.h"

static size_t requests;

static void * count_allocate(size_t size, void * state)
{
  (void)state;
  requests++;
  return malloc(size);
}

static void * count_reallocate(void * pointer, size_t size, void * state)
{
  (void)state;
  requests++;
  return realloc(pointer, size);
}

static void count_deallocate(void * pointer, void * state)
{
  (void)state;
  free(pointer);
}

static const vouch_allocator_t COUNTING =
{count_allocate, count_reallocate, count_deallocate, NULL};

static void an_edge_check_allocates_nothing(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = ring(robot, 10, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  options.allocator = COUNTING;
  vouch_checker_t * checker = checker_of(scene, options);
  vouch_result_t result;
  assert_int_equal(vouch_check_motion(checker, FROM, TO, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  requests = 0;
  for (int i = 0; i < 50; i++) {
    double to[3] = {0.02 * i, 0.3 + 0.01 * i, 0.1};
    assert_int_equal(vouch_check_motion(checker, FROM, to, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
  }
  assert_int_equal(requests, 0);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/// Once a checker has seen a motion as long, longer and shorter ones may take turns with edges.
static void a_check_of_a_motion_allocates_nothing(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = ring(robot, 10, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  options.allocator = COUNTING;
  options.certificate = true;
  vouch_checker_t * checker = checker_of(scene, options);
  vouch_motion_t * motions[2] = {motion_of(robot, 8), motion_of(robot, 5)};
  vouch_result_t result;
  assert_int_equal(vouch_check(checker, motions[0], &result), VOUCH_RET_OK);
  requests = 0;
  for (int i = 0; i < 20; i++) {
    assert_int_equal(vouch_check(checker, motions[i % 2], &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
    assert_int_equal(vouch_check_motion(checker, FROM, TO, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
  }
  assert_int_equal(requests, 0);
  vouch_checker_destroy(checker);
  vouch_motion_destroy(motions[0]);
  vouch_motion_destroy(motions[1]);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void without_a_pair_nothing_is_free(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  for (size_t i = 0; i < vouch_robot_link_count(robot); i++) {
    assert_int_equal(
      vouch_scene_allow_default(scene, vouch_robot_link_name(robot, i), true), VOUCH_RET_OK);
  }
  vouch_checker_t * checker = checker_of(scene, vouch_check_options_default());
  assert_int_equal(vouch_checker_pair_count(checker), 0);
  vouch_result_t result;
  assert_int_equal(vouch_check_motion(checker, FROM, TO, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/// The shapes that a checker speaks about are the robot's own, and gone when others take their place.
static void a_checker_of_shapes_that_were_replaced_refuses(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 5);
  vouch_scene_t * scene = ring(robot, 10, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  vouch_checker_t * checker = checker_of(scene, options), * after;
  vouch_result_t result;
  uint8_t * bytes, digest[32], zeros[32] = {0};
  size_t size;
  assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  const vouch_shape_t long_arm = {.kind = VOUCH_SHAPE_BOX, .size = {9.0, 9.0, 0.2}};
  assert_int_equal(vouch_robot_set_link_shapes(robot, "arm", &long_arm, NULL, 1), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_problem(checker, &bytes, &size), VOUCH_RET_INVALID);
  assert_int_equal(vouch_checker_certificate(checker, &bytes, &size), VOUCH_RET_INVALID);
  vouch_checker_problem_hash(checker, digest);
  assert_memory_equal(digest, zeros, 32);
  assert_int_equal(vouch_checker_move_object(checker, "box000", "", NULL), VOUCH_RET_INVALID);
  assert_int_equal(vouch_checker_change_scene(checker, scene), VOUCH_RET_INVALID);
  assert_int_equal(vouch_checker_recertify(checker, motion, &result), VOUCH_RET_INVALID);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_INVALID);
  assert_int_equal(vouch_check_motion(checker, FROM, TO, &result), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "were replaced"));
  assert_int_equal(vouch_checker_clone(&after, checker), VOUCH_RET_OK);
  assert_int_equal(vouch_check(after, motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  vouch_checker_destroy(after);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

/* A pool for one checker: nothing is given back before all of it is. */
typedef struct pool_s
{
  size_t used, size;
  max_align_t * memory;
} pool_t;

static void * pool_allocate(size_t size, void * state)
{
  pool_t * pool = state;
  size_t units = size / sizeof(max_align_t) + 2;   // the first one tells the size
  if (units > pool->size - pool->used) {
    return NULL;
  }
  max_align_t * block = pool->memory + pool->used;
  memcpy(block, &size, sizeof(size));
  pool->used += units;
  return block + 1;
}

static void * pool_reallocate(void * pointer, size_t size, void * state)
{
  size_t old = 0;
  void * block = pool_allocate(size, state);
  if (pointer != NULL && block != NULL) {
    memcpy(&old, (max_align_t *)pointer - 1, sizeof(old));
    memcpy(block, pointer, old < size ? old : size);
  }
  return block;
}

static void pool_deallocate(void * pointer, void * state)
{
  (void)pointer;
  (void)state;
}

/// What the first checker finds out about shapes serves the later ones too, and must outlive it.
static void the_memory_of_a_checker_may_go_with_it(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = ring(robot, 10, 0.0);
  pool_t pool = {.size = (size_t)1 << 20};
  pool.memory = calloc(pool.size, sizeof(*pool.memory));
  assert_non_null(pool.memory);
  vouch_check_options_t options = vouch_check_options_default();
  options.max_memory = 1 << 20;
  vouch_result_t result;
  vouch_checker_t * later = NULL;
  options.allocator =
    (vouch_allocator_t) {pool_allocate, pool_reallocate, pool_deallocate, &pool};
  vouch_checker_t * first = checker_of(scene, options);
  assert_int_equal(vouch_check_motion(first, FROM, TO, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  vouch_checker_destroy(first);
  memset(pool.memory, 0, pool.size * sizeof(*pool.memory));
  free(pool.memory);
  options.allocator = vouch_allocator_default();
  later = checker_of(scene, options);
  assert_int_equal(vouch_check_motion(later, FROM, TO, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  vouch_checker_destroy(later);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void numbers_out_of_range_are_refused(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = ring(robot, 3, 0.0);
  const double bad[3] = {-1.0, (double)NAN, (double)INFINITY};
  for (int i = 0; i < 3; i++) {
    vouch_check_options_t options = vouch_check_options_default();
    vouch_checker_t * checker;
    options.margin_m = bad[i];
    assert_int_equal(vouch_checker_create(&checker, scene, &options), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "margin_m"));
    options.margin_m = 0.0;
    options.tolerance_rad = bad[i];
    assert_int_equal(vouch_checker_create(&checker, scene, &options), VOUCH_RET_INVALID);
  }
  vouch_checker_t * checker = checker_of(scene, vouch_check_options_default());
  double nowhere[3] = {0.0, (double)NAN, 0.0};
  vouch_result_t result;
  assert_int_not_equal(vouch_check_motion(checker, FROM, nowhere, &result), VOUCH_RET_OK);
  assert_int_not_equal(result.verdict, VOUCH_FREE);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/// Checks with one tolerance for revolute and one for prismatic joints and compares the remark.
static void expect_warning(
  const vouch_scene_t * scene, const vouch_motion_t * motion, double rad, double metres,
  const char * joints)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.tolerance_rad = rad;
  options.tolerance_m = metres;
  vouch_checker_t * checker = checker_of(scene, options);
  vouch_result_t result;
  assert_int_equal(vouch_checker_warning_count(checker), 0);
  assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_warning_count(checker), joints != NULL);
  const char * text = vouch_checker_warning(checker, 0);
  if (joints != NULL) {
    assert_non_null(strstr(text, joints));
    assert_string_equal(text + strlen(text) - strlen(joints), joints);
    assert_int_equal(vouch_check_motion(checker, FROM, TO, &result), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_warning_count(checker), 0);
  }
  assert_string_equal(vouch_checker_warning(checker, 1), "");
  vouch_checker_destroy(checker);
}

static void a_moving_joint_without_tolerance_is_told(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = ring(robot, 3, 0.0);
  vouch_motion_t * motion = motion_of(robot, 4);
  expect_warning(scene, motion, 0.0, 0.0, NULL);
  expect_warning(scene, motion, 1e-3, 1e-3, NULL);
  expect_warning(scene, motion, 1e-3, 0.0, ": slide");
  expect_warning(scene, motion, 0.0, 1e-3, ": turn, tilt");
  vouch_motion_destroy(motion);
  /* A joint that stands still needs none, wherever it stands. */
  const double from[3] = {FROM[0], FROM[1], 0.03}, to[3] = {TO[0], TO[1], 0.03};
  const vouch_trajectory_point_t points[2] =
  {{.positions = from}, {.positions = to, .time_s = 1.0}};
  static const char * const names[3] = {"turn", "tilt", "slide"};
  const vouch_trajectory_t still = {names, 3, points, 2};
  assert_int_equal(vouch_motion_create(&motion, robot, &still, NULL), VOUCH_RET_OK);
  expect_warning(scene, motion, 1e-3, 0.0, NULL);
  expect_warning(scene, motion, 0.0, 1e-3, ": turn, tilt");
  vouch_motion_destroy(motion);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/* Half a turn and more, past an obstacle that stands on the other way round. */
static void an_edge_takes_the_numbers_of_a_continuous_joint_as_they_are(void ** state)
{
  (void)state;
  static const char URDF[] =
    "<robot name='r'><link name='a'/><link name='b'><collision><origin xyz='1 0 0'/><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='j' type='continuous'>"
    "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
  vouch_robot_t * robot;
  vouch_scene_t * scene;
  vouch_result_t result;
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, URDF, strlen(URDF), NULL, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  const vouch_shape_t ball = {.kind = VOUCH_SHAPE_SPHERE, .size = {0.1}};
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[0] = -1.0;
  assert_int_equal(
    vouch_scene_add_object(scene, "ball", "", &pose, &ball, NULL, 1), VOUCH_RET_OK);
  vouch_checker_t * checker = checker_of(scene, vouch_check_options_default());
  const double from = 2.6, back = -2.6, on = 6.283185307179586 - 2.6;
  assert_int_equal(vouch_check_motion(checker, &from, &back, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_int_equal(vouch_check_motion(checker, &from, &on, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/* Whoever forgets the size of options, or the allocator, must not get an answer to another question. */
static void options_that_would_be_passed_over_are_refused(void ** state)
{
  (void)state;
  static const size_t sizes[] = {0, 3, 8, 4096};
  static const char URDF[] = "<robot name='r'><link name='a'/></robot>";
  vouch_robot_t * toy = toy_robot(), * robot;
  vouch_scene_t * scene = ring(toy, 3, 0.0), * other;
  vouch_motion_t * motion;
  vouch_checker_t * checker;
  const vouch_trajectory_point_t points[2] =
  {{.positions = FROM}, {.positions = TO, .time_s = 1.0}};
  static const char * const names[3] = {"turn", "tilt", "slide"};
  const vouch_trajectory_t trajectory = {names, 3, points, 2};
  for (size_t i = 0; i <= sizeof(sizes) / sizeof(*sizes); i++) {
    vouch_robot_options_t r = vouch_robot_options_default();
    vouch_scene_options_t s = vouch_scene_options_default();
    vouch_motion_options_t m = vouch_motion_options_default();
    vouch_check_options_t c = vouch_check_options_default();
    if (i < sizeof(sizes) / sizeof(*sizes)) {
      r.struct_size = s.struct_size = m.struct_size = c.struct_size = sizes[i];
    } else {
      r.allocator = s.allocator = m.allocator = c.allocator = (vouch_allocator_t) {.state = NULL};
    }
    assert_int_equal(
      vouch_robot_parse_urdf(&robot, URDF, strlen(URDF), NULL, &r), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_robot_options_default()"));
    assert_int_equal(vouch_scene_create(&other, toy, &s), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_scene_options_default()"));
    assert_int_equal(vouch_motion_create(&motion, toy, &trajectory, &m), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_motion_options_default()"));
    assert_int_equal(vouch_motion_load(&motion, toy, "nowhere", &m), VOUCH_RET_INVALID);
    assert_int_equal(vouch_motion_parse(&motion, toy, "{}", 2, &m), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_motion_options_default()"));
    assert_int_equal(
      vouch_motion_create_polynomial(&motion, toy, names, 3, NULL, 0, &m), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_motion_options_default()"));
    assert_int_equal(vouch_checker_create(&checker, scene, &c), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vouch_check_options_default()"));
  }
  vouch_scene_destroy(scene);
  vouch_robot_destroy(toy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_moving_joint_without_tolerance_is_told),
    cmocka_unit_test(an_edge_check_allocates_nothing),
    cmocka_unit_test(a_check_of_a_motion_allocates_nothing),
    cmocka_unit_test(without_a_pair_nothing_is_free),
    cmocka_unit_test(a_checker_of_shapes_that_were_replaced_refuses),
    cmocka_unit_test(the_memory_of_a_checker_may_go_with_it),
    cmocka_unit_test(numbers_out_of_range_are_refused),
    cmocka_unit_test(an_edge_takes_the_numbers_of_a_continuous_joint_as_they_are),
    cmocka_unit_test(options_that_would_be_passed_over_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
