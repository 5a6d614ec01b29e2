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

/* Several checkers of one robot and scene at work at once, and one checker with several threads:
 * no data race (ThreadSanitizer runs this), and the same answers as alone. */

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "support/toy.h"
#include "vouch/vouch.h"

#define EDGES 24
#define POINTS 40000

typedef struct run_s
{
  const vouch_scene_t * scene;
  uint32_t threads;
  vouch_ret_t ret;
  vouch_verdict_t verdicts[EDGES];
  uint64_t leaves[EDGES];
} run_t;

static vouch_scene_t * scene_of(const vouch_robot_t * robot)
{
  vouch_scene_t * scene;
  vouch_scene_options_t options = vouch_scene_options_default();
  assert_int_equal(vouch_scene_create(&scene, robot, &options), VOUCH_RET_OK);
  for (int i = 0; i < 12; i++) {
    char id[16];
    snprintf(id, sizeof(id), "ball%d", i);
    vouch_shape_t ball = {.kind = VOUCH_SHAPE_SPHERE, .size = {0.05 + 0.02 * i}};
    vouch_pose_t pose = vouch_pose_identity();
    pose.translation[0] = 0.3 * i - 1.5;
    pose.translation[1] = 1.1;
    pose.translation[2] = 0.4;
    assert_int_equal(vouch_scene_add_object(scene, id, "", &pose, &ball, NULL, 1), VOUCH_RET_OK);
  }
  return scene;
}

static void * run(void * argument)
{
  run_t * r = argument;
  vouch_check_options_t options = vouch_check_options_default();
  options.threads = r->threads;
  options.clearance = false;
  vouch_checker_t * checker;
  r->ret = vouch_checker_create(&checker, r->scene, &options);
  for (int i = 0; i < EDGES && r->ret == VOUCH_RET_OK; i++) {
    double from[3] = {0.25 * i, 0.3, 0.1}, to[3] = {0.25 * i + 0.6, 0.8, 0.4};
    vouch_result_t result;
    r->ret = vouch_check_motion(checker, from, to, &result);
    r->verdicts[i] = result.verdict;
    r->leaves[i] = result.verdict == VOUCH_FREE ? result.statistics.leaves : 0;
  }
  if (checker != NULL) {
    vouch_checker_destroy(checker);
  }
  return NULL;
}

static void checkers_do_not_disturb_each_other(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = scene_of(robot);
  run_t runs[4] = {{.scene = scene, .threads = 1}, {.scene = scene, .threads = 1},
    {.scene = scene, .threads = 2}, {.scene = scene, .threads = 3}};
  pthread_t handles[4];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&handles[i], NULL, run, &runs[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_join(handles[i], NULL), 0);
  }
  int verdicts[4] = {0};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(runs[i].ret, VOUCH_RET_OK);
    assert_memory_equal(runs[i].verdicts, runs[0].verdicts, sizeof(runs[0].verdicts));
    assert_memory_equal(runs[i].leaves, runs[0].leaves, sizeof(runs[0].leaves));
  }
  for (int i = 0; i < EDGES; i++) {
    verdicts[runs[0].verdicts[i]]++;
  }
  assert_true(verdicts[VOUCH_FREE] > 0 && verdicts[VOUCH_COLLISION] > 0);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void * cancel_soon(void * argument)
{
  const struct timespec soon = {.tv_nsec = 20000000};
  nanosleep(&soon, NULL);
  vouch_checker_cancel(argument, true);
  return NULL;
}

/// To and fro past all balls: a proof takes seconds.
static vouch_motion_t * long_motion(const vouch_robot_t * robot)
{
  static double positions[POINTS][3];
  static vouch_trajectory_point_t points[POINTS];
  const char * names[3] = {"turn", "tilt", "slide"};
  for (int i = 0; i < POINTS; i++) {
    positions[i][0] = i % 2 == 0 ? 0.0 : 3.0;
    positions[i][1] = 0.3 + 0.0001 * (i % 7);
    points[i] = (vouch_trajectory_point_t) {.positions = positions[i], .time_s = i};
  }
  vouch_trajectory_t trajectory = {names, 3, points, POINTS};
  vouch_motion_t * motion;
  assert_int_equal(vouch_motion_create(&motion, robot, &trajectory, NULL), VOUCH_RET_OK);
  return motion;
}

static void a_check_is_cancelled_from_another_thread(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = scene_of(robot);
  vouch_motion_t * motion = long_motion(robot);
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    vouch_check_options_t options = vouch_check_options_default();
    options.threads = threads;
    vouch_checker_t * checker;
    vouch_result_t result;
    pthread_t handle;
    assert_int_equal(vouch_checker_create(&checker, scene, &options), VOUCH_RET_OK);
    assert_int_equal(pthread_create(&handle, NULL, cancel_soon, checker), 0);
    for (int i = 0; i < 2; i++) {   // in the middle of it, and before it begins
      assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
      assert_int_equal(result.verdict, VOUCH_UNDECIDED);
      assert_true(result.open_count > 0);
      assert_int_equal(result.open[0].reason, VOUCH_OPEN_CANCELLED);
    }
    assert_int_equal(pthread_join(handle, NULL), 0);
    vouch_checker_destroy(checker);
  }
  vouch_motion_destroy(motion);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/// The same verdicts for any number of threads, whoever takes which edge.
static void edges_are_shared_between_threads(void ** state)
{
  (void)state;
  enum {COUNT = 400, THREADS = 4};
  vouch_robot_t * robot = toy_robot();
  vouch_scene_t * scene = scene_of(robot);
  vouch_check_options_t options = vouch_check_options_planner();
  vouch_checker_t * checkers[THREADS];
  static double values[COUNT + 1][3];
  static vouch_edge_t edges[COUNT];
  static vouch_verdict_t alone[COUNT], shared[COUNT];
  size_t first[2];
  for (int i = 0; i <= COUNT; i++) {
    values[i][0] = 0.015 * i;
    values[i][1] = 0.3 + 0.4 * ((i * 7) % 11) / 11.0;
    values[i][2] = 0.5 * ((i * 5) % 13) / 13.0;
  }
  for (int i = 0; i < COUNT; i++) {
    edges[i] = (vouch_edge_t) {values[i], values[i + 1]};
  }
  assert_int_equal(vouch_checker_create(&checkers[0], scene, &options), VOUCH_RET_OK);
  for (int i = 1; i < THREADS; i++) {
    assert_int_equal(vouch_checker_clone(&checkers[i], checkers[0]), VOUCH_RET_OK);
  }
  for (int all = 0; all < 2; all++) {
    assert_int_equal(
      vouch_check_motions(checkers, 1, edges, COUNT, all, alone, &first[0]), VOUCH_RET_OK);
    assert_int_equal(
      vouch_check_motions(checkers, THREADS, edges, COUNT, all, shared, &first[1]), VOUCH_RET_OK);
    assert_int_equal(first[0], first[1]);
    assert_memory_equal(alone, shared, sizeof(alone));
  }
  for (int i = 0; i < THREADS; i++) {
    vouch_checker_destroy(checkers[i]);
  }
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(checkers_do_not_disturb_each_other),
    cmocka_unit_test(edges_are_shared_between_threads),
    cmocka_unit_test(a_check_is_cancelled_from_another_thread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
