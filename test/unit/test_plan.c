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

/* The planner: what it answers is free, within limits, from the start to a goal, and the same in every
 * run; what it cannot answer it says why. All of it asked of others: a checker of its own, sampled
 * derivatives, the independent verifier. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_check_fixture.h"

#include "support/failing.h"
#include "verify/verify.h"
#include "vouch/plan.h"

#define JOINTS 3

/* A post between the start and the goal: the arm goes over it, or the other way round. */
static const double START[JOINTS] = {0.0, 0.2, 0.1}, GOAL[JOINTS] = {1.6, 0.3, 0.3};

typedef struct world_s
{
  vouch_robot_t * robot;
  vouch_scene_t * scene;
  vouch_planner_t * planner;
  vouch_plan_result_t result;
} world_t;

static void add_box(
  vouch_scene_t * scene, const char * id, double x, double y, double z, double side, double height)
{
  vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX, .size = {side, side, height}};
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[0] = x;
  pose.translation[1] = y;
  pose.translation[2] = z;
  assert_int_equal(vouch_scene_add_object(scene, id, "", &pose, &box, NULL, 1), VOUCH_RET_OK);
}

static const vouch_joint_limit_t LIMITS[JOINTS] = {
  {"turn", NAN, NAN, 1.5, 2.0, 20.0}, {"tilt", NAN, NAN, 0.0, 3.0, 0.0},
  {"slide", NAN, NAN, 0.2, 0.5, 4.0}
};

static vouch_plan_options_t options_of(void)
{
  vouch_plan_options_t options = vouch_plan_options_default();
  options.limits = LIMITS;
  options.limit_count = JOINTS;
  return options;
}

static world_t open_world(vouch_plan_options_t options)
{
  world_t w = {.robot = toy_robot()};
  vouch_check_options_t check = vouch_check_options_default();
  check.certificate = true;
  assert_int_equal(vouch_scene_create(&w.scene, w.robot, NULL), VOUCH_RET_OK);
  add_box(w.scene, "post", 0.7, 0.75, 0.6, 0.2, 1.2);
  if (vouch_planner_create(&w.planner, w.scene, &check, &options) != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
    fail();
  }
  return w;
}

static void close_world(world_t * w)
{
  vouch_planner_destroy(w->planner);
  vouch_scene_destroy(w->scene);
  vouch_robot_destroy(w->robot);
}

static void plan(world_t * w, const double * start, const double * goals, size_t count)
{
  const vouch_plan_request_t request = {.start = start, .goals = goals, .goal_count = count};
  vouch_ret_t ret = vouch_plan(w->planner, &request, &w->result);
  if (ret != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
  }
  assert_int_equal(ret, VOUCH_RET_OK);
}

/// Not the planner's checker, and other questions: standing still at many times.
static void assert_free(const world_t * w, const vouch_motion_t * motion)
{
  enum {SAMPLES = 400};
  vouch_checker_t * checker = checker_of(w->scene, vouch_check_options_default());
  const double duration = vouch_motion_duration(motion);
  for (int i = 0; i <= SAMPLES; i++) {
    double q[JOINTS];
    vouch_result_t result;
    vouch_motion_evaluate(motion, duration * i / SAMPLES, q);
    assert_int_equal(vouch_check_motion(checker, q, q, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
  }
  vouch_checker_destroy(checker);
}

/// Central differences of what is evaluated, with room for what they leave out.
static void assert_within(const vouch_motion_t * motion, const vouch_joint_limit_t * limits)
{
  const double duration = vouch_motion_duration(motion), h = 1e-4;
  double largest[2][JOINTS] = {{0.0}};
  for (double t = h; t < duration - h; t += 5e-4) {
    double a[JOINTS], b[JOINTS], c[JOINTS];
    vouch_motion_evaluate(motion, t - h, a);
    vouch_motion_evaluate(motion, t, b);
    vouch_motion_evaluate(motion, t + h, c);
    for (int i = 0; i < JOINTS; i++) {
      largest[0][i] = fmax(largest[0][i], fabs(c[i] - a[i]) / (2.0 * h));
      largest[1][i] = fmax(largest[1][i], fabs(c[i] - 2.0 * b[i] + a[i]) / (h * h));
    }
  }
  for (int i = 0; i < JOINTS; i++) {
    const double velocity = limits[i].velocity > 0.0 ? limits[i].velocity : 1.0;   // the URDF's
    assert_true(largest[0][i] <= velocity * (1.0 + 1e-6));
    assert_true(largest[1][i] <= limits[i].acceleration * (1.0 + 1e-3));
  }
}

static void assert_verified(const world_t * w)
{
  const vouch_checker_t * checker = vouch_planner_checker(w->planner);
  uint8_t * data[2];
  size_t size[2];
  struct vouch_verify_report report;
  assert_int_equal(vouch_checker_problem(checker, &data[0], &size[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_certificate(checker, &data[1], &size[1]), VOUCH_RET_OK);
  struct vouch_verifier * verifier = vouch_verify_load(data[0], size[0], &report);
  assert_non_null(verifier);
  assert_int_equal(vouch_verify_check(verifier, data[1], size[1], &report), VOUCH_VERIFY_OK);
  assert_int_equal(report.kind, VOUCH_VERIFY_FREE);
  free(verifier);
  for (int i = 0; i < 2; i++) {
    vouch_bytes_free(checker, data[i]);
  }
}

static void assert_ends(const vouch_motion_t * motion, const double * start, const double * goal)
{
  double q[JOINTS];
  vouch_motion_evaluate(motion, 0.0, q);
  assert_memory_equal(q, start, sizeof(q));
  vouch_motion_evaluate(motion, vouch_motion_duration(motion), q);
  for (int i = 0; i < JOINTS; i++) {   // whole turns of the endless joint count as the same place
    const double period = i == 0 ? 6.283185307179586 : 1e9;
    assert_true(fabs(remainder(q[i] - goal[i], period)) < 1e-9);
  }
}

static void a_plan_is_free_within_limits_and_verified(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    vouch_plan_options_t options = options_of();
    options.seed = seed;
    world_t w = open_world(options);
    plan(&w, START, GOAL, 1);
    assert_int_equal(w.result.verdict, VOUCH_FREE);
    assert_int_equal(w.result.proof.verdict, VOUCH_FREE);
    assert_string_equal(w.result.message, "");
    assert_true(w.result.path_count >= 3);   // the straight way is blocked
    assert_ends(w.result.motion, START, GOAL);
    assert_free(&w, w.result.motion);
    assert_within(w.result.motion, LIMITS);
    assert_verified(&w);
    close_world(&w);
  }
}

static void a_straight_way_is_two_points_and_as_fast_as_limits_allow(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double goal[JOINTS] = {-1.5, 0.2, 0.1};
  plan(&w, START, goal, 1);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_int_equal(w.result.path_count, 2);
  /* 1.5 rad at 1.5 rad/s, a blend of 2 tau at each end, tau = 0.75 v / a or sqrt(1.5 v / j). */
  const double tau = fmax(0.75 * 1.5 / 2.0, sqrt(1.5 * 1.5 / 20.0)), cruise = 1.0;
  double expected = cruise + 2.0 * tau;
  if (2.0 * tau > cruise) {   // no room: v so that 2 tau v = 1.5
    expected = 0.0;
    for (double v = 1e-3; v < 1.5; v += 1e-5) {
      const double t = fmax(0.75 * v / 2.0, sqrt(1.5 * v / 20.0));
      if (1.5 / v >= 2.0 * t) {
        expected = 1.5 / v + 2.0 * t;
      }
    }
  }
  assert_true(vouch_motion_duration(w.result.motion) <= expected * 1.02);
  assert_true(vouch_motion_duration(w.result.motion) >= expected * 0.999);
  close_world(&w);
}

static void the_same_seed_gives_the_same_motion(void ** state)
{
  (void)state;
  world_t worlds[3];
  for (int i = 0; i < 3; i++) {
    vouch_plan_options_t options = options_of();
    options.seed = i < 2 ? 5 : 6;
    worlds[i] = open_world(options);
    for (int repeat = 0; repeat < 2; repeat++) {   // nothing is left from the plan before
      plan(&worlds[i], START, GOAL, 1);
    }
  }
  const vouch_trajectory_t * a = &worlds[0].result.trajectory, * b = &worlds[1].result.trajectory;
  assert_int_equal(a->point_count, b->point_count);
  for (size_t i = 0; i < a->point_count; i++) {
    assert_memory_equal(
      a->points[i].positions, b->points[i].positions, JOINTS * sizeof(double));
    assert_memory_equal(
      a->points[i].velocities, b->points[i].velocities, JOINTS * sizeof(double));
    assert_true(a->points[i].time_s == b->points[i].time_s);
  }
  const vouch_trajectory_t * c = &worlds[2].result.trajectory;
  assert_true(
    c->point_count != a->point_count ||
    memcmp(c->points[2].positions, a->points[2].positions, JOINTS * sizeof(double)) != 0);
  for (int i = 0; i < 3; i++) {
    close_world(&worlds[i]);
  }
}

static void more_rounds_are_never_slower(void ** state)
{
  (void)state;
  double duration = INFINITY;
  for (uint32_t rounds = 1; rounds <= 16; rounds *= 4) {
    vouch_plan_options_t options = options_of();
    options.rounds = rounds;
    world_t w = open_world(options);
    plan(&w, START, GOAL, 1);
    assert_int_equal(w.result.verdict, VOUCH_FREE);
    assert_int_equal(w.result.statistics.paths, rounds);
    assert_true(vouch_motion_duration(w.result.motion) <= duration);
    duration = vouch_motion_duration(w.result.motion);
    assert_free(&w, w.result.motion);
    assert_verified(&w);   // of the best one, not of the last
    close_world(&w);
  }
}

static void a_bare_path_has_no_time(void ** state)
{
  (void)state;
  vouch_plan_options_t options = options_of();
  options.timed = false;
  world_t w = open_world(options);
  plan(&w, START, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_false(vouch_motion_has_time(w.result.motion));
  assert_int_equal(w.result.trajectory.point_count, w.result.path_count);
  assert_null(w.result.trajectory.points[0].velocities);
  assert_ends(w.result.motion, START, GOAL);
  assert_free(&w, w.result.motion);
  close_world(&w);
}

static void a_margin_is_kept(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  vouch_check_options_t check = vouch_check_options_default();
  const vouch_plan_options_t options = options_of();
  vouch_planner_destroy(w.planner);
  check.margin_m = 0.05;
  check.tolerance_rad = 0.01;
  assert_int_equal(
    vouch_planner_create(&w.planner, w.scene, &check, &options), VOUCH_RET_OK);
  plan(&w, START, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_true(w.result.proof.clearance.valid);
  assert_true(w.result.proof.clearance.lower_m >= 0.05);
  close_world(&w);
}

static void who_is_there_already_stands_still(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  plan(&w, START, START, 1);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_ends(w.result.motion, START, START);
  assert_true(vouch_motion_duration(w.result.motion) < 0.1);
  assert_true(w.result.statistics.length == 0.0);
  close_world(&w);
}

/* ---- what cannot be had ---- */

static void a_start_in_collision_is_told_with_a_way_out(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double inside[JOINTS] = {0.82, 0.2, 0.1};
  plan(&w, inside, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_INVALID);
  assert_int_equal(w.result.reason, VOUCH_PLAN_START_COLLISION);
  assert_null(w.result.motion);
  assert_non_null(strstr(w.result.message, "the start is in collision"));
  assert_non_null(strstr(w.result.message, "'post'"));
  assert_non_null(strstr(w.result.message, "mm"));
  assert_true(w.result.contact.depth_m > 0.0);
  assert_non_null(w.result.free_state);
  assert_true(w.result.free_distance > 0.0 && w.result.free_distance < 1.0);
  vouch_checker_t * checker = checker_of(w.scene, vouch_check_options_default());
  vouch_result_t result;
  assert_int_equal(
    vouch_check_motion(checker, w.result.free_state, w.result.free_state, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  vouch_checker_destroy(checker);
  close_world(&w);
}

static void of_several_goals_a_free_one_is_reached(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double goals[3 * JOINTS] = {0.82, 0.2, 0.1, 1.6, 2.5, 0.3, 1.6, 0.3, 0.3};
  plan(&w, START, goals, 3);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_int_equal(w.result.goal, 2);
  assert_ends(w.result.motion, START, goals + 2 * JOINTS);
  plan(&w, START, goals, 2);   // the first is in collision, the second outside limits
  assert_int_equal(w.result.verdict, VOUCH_INVALID);
  assert_int_equal(w.result.reason, VOUCH_PLAN_GOAL_COLLISION);
  assert_int_equal(w.result.goal, 0);
  assert_non_null(strstr(w.result.message, "goal 1 is in collision"));
  plan(&w, START, goals + JOINTS, 1);
  assert_int_equal(w.result.reason, VOUCH_PLAN_GOAL_LIMITS);
  assert_non_null(strstr(w.result.message, "joint 'tilt' is at 2.5"));
  close_world(&w);
}

static void no_way_in_time_is_undecided(void ** state)
{
  (void)state;
  vouch_plan_options_t options = options_of();
  const vouch_joint_limit_t level = {"tilt", -0.1, 0.35, 0.0, 3.0, 0.0};
  options.deadline_s = 0.2;
  options.limits = &level;
  options.limit_count = 1;
  world_t w = open_world(options);
  /* A ring of posts with two gaps, through all of which the outstretched arm always reaches. */
  vouch_planner_destroy(w.planner);
  for (int i = 0; i < 48; i++) {
    char id[16];
    const double angle = 6.283185307179586 * i / 48;
    if (i == 0 || i == 12 || i == 11 || i == 13 || i == 1 || i == 47) {
      continue;
    }
    snprintf(id, sizeof(id), "wall%d", i);
    add_box(w.scene, id, 0.6 * cos(angle), 0.6 * sin(angle), 1.0, 0.1, 3.0);
  }
  const vouch_check_options_t check = vouch_check_options_default();
  assert_int_equal(vouch_planner_create(&w.planner, w.scene, &check, &options), VOUCH_RET_OK);
  plan(&w, START, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_UNDECIDED);
  assert_int_equal(w.result.reason, VOUCH_PLAN_DEADLINE);
  assert_null(w.result.motion);
  assert_non_null(strstr(w.result.message, "0.2 s"));
  assert_true(w.result.statistics.seconds < 5.0);
  close_world(&w);
  options = options_of();
  options.deadline_s = 0.0;
  options.max_nodes = 4;
  w = open_world(options);
  plan(&w, START, GOAL, 1);
  assert_true(
    w.result.verdict == VOUCH_FREE || w.result.reason == VOUCH_PLAN_NODES);
  vouch_planner_cancel(w.planner, true);
  plan(&w, START, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_UNDECIDED);
  assert_null(w.result.motion);
  vouch_planner_cancel(w.planner, false);
  close_world(&w);
}

static void numbers_that_are_none_are_refused(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  double bad[JOINTS] = {0.0, NAN, 0.1};
  const bool only_turn[JOINTS] = {true, false, false};
  vouch_plan_request_t request = {.start = bad, .goals = GOAL, .goal_count = 1};
  assert_int_equal(vouch_plan(w.planner, &request, &w.result), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "'tilt'"));
  assert_int_equal(w.result.verdict, VOUCH_UNDECIDED);
  request = (vouch_plan_request_t) {.start = START, .goals = bad, .goal_count = 1};
  assert_int_equal(vouch_plan(w.planner, &request, &w.result), VOUCH_RET_INVALID);
  request = (vouch_plan_request_t) {.start = START, .goals = GOAL, .goal_count = 0};
  assert_int_equal(vouch_plan(w.planner, &request, &w.result), VOUCH_RET_INVALID);
  request = (vouch_plan_request_t) {
    .start = START, .goals = GOAL, .goal_count = 1, .moving = only_turn
  };
  assert_int_equal(vouch_plan(w.planner, &request, &w.result), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "not to move"));
  assert_int_equal(vouch_plan(w.planner, NULL, &w.result), VOUCH_RET_INVALID);
  close_world(&w);
}

static void options_that_mean_nothing_are_refused(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  vouch_planner_t * planner;
  const vouch_joint_limit_t unknown = {.joint = "elbow"}, wrong = {.joint = "tilt", .velocity = -1};
  for (int i = 0; i < 7; i++) {
    vouch_plan_options_t options = options_of();
    options.deadline_s = i == 0 ? NAN : 1.0;
    options.step_rad = i == 1 ? 0.0 : 1.0;
    options.velocity_scaling = i == 2 ? 1.5 : 1.0;
    options.rounds = i == 3 ? 0 : 1;
    options.struct_size = i == 4 ? 3 : sizeof(options);
    options.limits = i == 5 ? &unknown : &wrong;
    options.limit_count = i >= 5;
    assert_int_equal(
      vouch_planner_create(&planner, w.scene, NULL, &options), VOUCH_RET_INVALID);
    assert_null(planner);
    assert_true(strlen(vouch_error()) > 20);
  }
  close_world(&w);
}

static void a_start_outside_limits_moves_back(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double start[JOINTS] = {0.0, 0.2, 0.52};
  plan(&w, start, GOAL, 1);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_int_equal(vouch_planner_warning_count(w.planner), 1);
  assert_non_null(strstr(vouch_planner_warning(w.planner, 0), "slide"));
  for (size_t i = 1; i < w.result.trajectory.point_count; i++) {
    assert_true(w.result.trajectory.points[i].positions[2] <= 0.52);
  }
  close_world(&w);
}

/* ---- repair ---- */

static vouch_motion_t * straight(const world_t * w, const double * a, const double * b)
{
  static const char * const names[JOINTS] = {"turn", "tilt", "slide"};
  const vouch_trajectory_point_t points[2] = {
    {.positions = a, .time_s = 0.0}, {.positions = b, .time_s = 3.0}
  };
  const vouch_trajectory_t trajectory = {names, JOINTS, points, 2};
  vouch_motion_t * motion;
  assert_int_equal(vouch_motion_create(&motion, w->robot, &trajectory, NULL), VOUCH_RET_OK);
  return motion;
}

static void a_motion_through_the_post_is_repaired(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  vouch_motion_t * motion = straight(&w, START, GOAL);
  assert_int_equal(vouch_repair(w.planner, motion, NULL, &w.result), VOUCH_RET_OK);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_true(w.result.changed);
  assert_true(w.result.deviation > 0.05 && w.result.deviation < 3.0);
  assert_ends(w.result.motion, START, GOAL);
  assert_free(&w, w.result.motion);
  assert_within(w.result.motion, LIMITS);
  assert_verified(&w);
  vouch_motion_destroy(motion);
  close_world(&w);
}

static void a_free_motion_comes_back_as_it_is(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double end[JOINTS] = {-0.5, 0.2, 0.1};
  vouch_motion_t * motion = straight(&w, START, end);
  assert_int_equal(vouch_repair(w.planner, motion, NULL, &w.result), VOUCH_RET_OK);
  assert_int_equal(w.result.verdict, VOUCH_FREE);
  assert_false(w.result.changed);
  assert_ptr_equal(w.result.motion, motion);
  assert_true(w.result.kept == 1.0);
  vouch_motion_destroy(motion);
  close_world(&w);
}

static void ends_in_collision_cannot_be_repaired(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  const double inside[JOINTS] = {0.82, 0.2, 0.1};
  for (int i = 0; i < 2; i++) {
    vouch_motion_t * motion = straight(&w, i ? START : inside, i ? inside : START);
    assert_int_equal(vouch_repair(w.planner, motion, NULL, &w.result), VOUCH_RET_OK);
    assert_int_equal(w.result.verdict, VOUCH_INVALID);
    assert_null(w.result.motion);
    assert_non_null(strstr(w.result.message, i ? "trajectory's end" : "trajectory's start"));
    assert_non_null(strstr(w.result.message, "'post'"));
    vouch_motion_destroy(motion);
  }
  close_world(&w);
}

/* ---- for authors of planners ---- */

static void states_and_edges_agree_with_single_checks(void ** state)
{
  (void)state;
  enum {COUNT = 64};
  world_t w = open_world(options_of());
  vouch_check_options_t options = vouch_check_options_planner();
  vouch_checker_t * checkers[3];
  double values[COUNT + 1][JOINTS];
  vouch_edge_t edges[COUNT];
  vouch_verdict_t expected[COUNT], verdicts[COUNT];
  size_t first, expected_first = COUNT;
  for (int i = 0; i < 3; i++) {
    checkers[i] = checker_of(w.scene, options);
  }
  for (int i = 0; i <= COUNT; i++) {
    values[i][0] = -1.2 + 0.05 * i;
    values[i][1] = 0.2 + 0.3 * sin(0.9 * i);
    values[i][2] = 0.25 + 0.2 * cos(1.7 * i);
  }
  for (int i = 0; i < COUNT; i++) {
    vouch_result_t result;
    vouch_state_answer_t answer;
    edges[i] = (vouch_edge_t) {values[i], values[i + 1]};
    assert_int_equal(
      vouch_check_motion(checkers[0], values[i], values[i + 1], &result), VOUCH_RET_OK);
    expected[i] = result.verdict;
    expected_first = result.verdict != VOUCH_FREE && (size_t)i < expected_first ? (size_t)i :
      expected_first;
    assert_int_equal(vouch_checker_state(checkers[0], values[i], true, &answer), VOUCH_RET_OK);
    assert_int_equal(
      vouch_check_motion(checkers[0], values[i], values[i], &result), VOUCH_RET_OK);
    assert_int_equal(answer.verdict, result.verdict);
    assert_true(answer.verdict == VOUCH_COLLISION || answer.clearance.valid);
    assert_true((answer.contact.kind != VOUCH_CONTACT_NONE) == (answer.verdict == VOUCH_COLLISION));
  }
  assert_true(expected_first > 2 && expected_first < COUNT);   // both kinds are here
  for (size_t threads = 1; threads <= 3; threads++) {
    assert_int_equal(
      vouch_check_motions(checkers, threads, edges, COUNT, true, verdicts, &first), VOUCH_RET_OK);
    assert_int_equal(first, expected_first);
    assert_memory_equal(verdicts, expected, sizeof(verdicts));
    assert_int_equal(
      vouch_check_motions(checkers, threads, edges, COUNT, false, verdicts, &first), VOUCH_RET_OK);
    assert_int_equal(first, expected_first);
    for (size_t i = 0; i < COUNT; i++) {
      assert_int_equal(verdicts[i], i <= first ? expected[i] : VOUCH_UNDECIDED);
    }
  }
  edges[5].to = NULL;
  assert_int_equal(
    vouch_check_motions(checkers, 2, edges, COUNT, true, verdicts, &first), VOUCH_RET_INVALID);
  assert_int_equal(verdicts[0], VOUCH_UNDECIDED);
  for (int i = 0; i < 3; i++) {
    vouch_checker_destroy(checkers[i]);
  }
  close_world(&w);
}

static void the_nearest_turn_is_at_most_half_a_turn_away(void ** state)
{
  (void)state;
  world_t w = open_world(options_of());
  for (double x = -20.0; x < 20.0; x += 0.37) {
    const double from[JOINTS] = {0.4, 0.1, 0.1};
    double to[JOINTS] = {x, 0.3, 0.2};
    assert_int_equal(vouch_robot_nearest_turn(w.robot, from, true, to), VOUCH_RET_OK);
    assert_true(fabs(to[0] - 0.4) <= 3.1415926535897936);
    assert_true(fabs(remainder(to[0] - x, 6.283185307179586)) < 1e-12);
    assert_true(to[1] == 0.3 && to[2] == 0.2);
  }
  close_world(&w);
}

/* ---- memory ---- */

static void a_failing_allocator_never_gives_an_unproved_motion(void ** state)
{
  (void)state;
  bool done = false;
  for (long n = 0; !done && n < 4000; n += 1 + n / 16) {
    test_failing_t failing = {.fail_at = n};
    vouch_plan_options_t options = options_of();
    world_t w = open_world(options);
    vouch_planner_destroy(w.planner);
    w.planner = NULL;
    options.allocator = test_failing_allocator(&failing);
    vouch_ret_t ret = vouch_planner_create(&w.planner, w.scene, NULL, &options);
    if (ret == VOUCH_RET_OK) {
      const vouch_plan_request_t request = {.start = START, .goals = GOAL, .goal_count = 1};
      ret = vouch_plan(w.planner, &request, &w.result);
      assert_true(ret == VOUCH_RET_OK || w.result.verdict == VOUCH_UNDECIDED);
      done = ret == VOUCH_RET_OK;
      assert_true(!done || w.result.verdict == VOUCH_FREE);
    }
    assert_true(ret == VOUCH_RET_OK || ret == VOUCH_RET_NO_MEMORY);
    close_world(&w);
    assert_int_equal(failing.alive, 0);
  }
  assert_true(done);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_plan_is_free_within_limits_and_verified),
    cmocka_unit_test(a_straight_way_is_two_points_and_as_fast_as_limits_allow),
    cmocka_unit_test(the_same_seed_gives_the_same_motion),
    cmocka_unit_test(more_rounds_are_never_slower),
    cmocka_unit_test(a_bare_path_has_no_time),
    cmocka_unit_test(a_margin_is_kept),
    cmocka_unit_test(who_is_there_already_stands_still),
    cmocka_unit_test(a_start_in_collision_is_told_with_a_way_out),
    cmocka_unit_test(of_several_goals_a_free_one_is_reached),
    cmocka_unit_test(no_way_in_time_is_undecided),
    cmocka_unit_test(numbers_that_are_none_are_refused),
    cmocka_unit_test(options_that_mean_nothing_are_refused),
    cmocka_unit_test(a_start_outside_limits_moves_back),
    cmocka_unit_test(a_motion_through_the_post_is_repaired),
    cmocka_unit_test(a_free_motion_comes_back_as_it_is),
    cmocka_unit_test(ends_in_collision_cannot_be_repaired),
    cmocka_unit_test(states_and_edges_agree_with_single_checks),
    cmocka_unit_test(the_nearest_turn_is_at_most_half_a_turn_away),
    cmocka_unit_test(a_failing_allocator_never_gives_an_unproved_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
