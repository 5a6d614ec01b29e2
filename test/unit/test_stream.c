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

/* Chunks spliced to what runs (vouch/stream.h): a ball on a slide in front of a wall, and a joint beside
 * it. The ball has a radius of 0.1 m and the wall begins at 0.95 m: it is touched from 0.85 m on. Joints
 * brake with 1 m/s^2, so a stop from the speed v takes v^2/2 metres. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/failing.h"
#include "vouch/stream.h"

#define SECOND INT64_C(1000000000)
#define START (100 * SECOND)

static const char urdf[] =
  "<robot name='slide'><link name='rail'/>"
  "<link name='ball'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
  "<link name='wheel'/>"
  "<joint name='slide' type='prismatic'><parent link='rail'/><child link='ball'/>"
  "<axis xyz='1 0 0'/><limit lower='-2' upper='2' effort='1' velocity='1'/></joint>"
  "<joint name='turn' type='revolute'><parent link='ball'/><child link='wheel'/>"
  "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>";

typedef struct world_s
{
  cell_t cell;
  vouch_checker_t * checker;
  vouch_stream_t * stream;
} world_t;

static world_t open_world_with(const vouch_stream_options_t * options)
{
  world_t world = {.cell = cell_open(urdf, NULL)};
  const double rest[2] = {0.0, 0.0};
  cell_add(&world.cell, "wall", cell_box(0.1, 2.0, 2.0), cell_at(1.0, 0.0, 0.0));
  const vouch_check_options_t check = cell_options();
  assert_int_equal(
    vouch_checker_create(&world.checker, world.cell.scene, &check), VOUCH_RET_OK);
  assert_int_equal(vouch_stream_create(&world.stream, world.cell.robot, options), VOUCH_RET_OK);
  assert_int_equal(vouch_stream_begin(world.stream, START, rest), VOUCH_RET_OK);
  return world;
}

static world_t open_world(void)
{
  vouch_stream_options_t options = vouch_stream_options_default();
  return open_world_with(&options);
}

static void close_world(world_t * world)
{
  vouch_stream_destroy(world->stream);
  vouch_checker_destroy(world->checker);
  cell_close(&world->cell);
}

enum {MOST = 64};

/// A chunk of the slide alone, `step_s` apart from start_ns on; velocities may be NULL.
static vouch_chunk_answer_t offer(
  world_t * world, int64_t now_ns, int64_t start_ns, double step_s, const double * positions,
  const double * velocities, size_t count)
{
  static const char * const names[] = {"slide"};
  vouch_trajectory_point_t points[MOST];
  assert_true(count <= MOST);
  for (size_t i = 0; i < count; ++i) {
    points[i] = (vouch_trajectory_point_t) {
      .positions = &positions[i], .velocities = velocities != NULL ? &velocities[i] : NULL,
      .time_s = (double)i * step_s
    };
  }
  const vouch_trajectory_t trajectory = {names, 1, points, count};
  const vouch_chunk_t chunk = {start_ns, &trajectory};
  vouch_chunk_answer_t answer;
  assert_int_equal(
    vouch_stream_offer(world->stream, world->checker, &chunk, now_ns, &answer), VOUCH_RET_OK);
  return answer;
}

/// From rest to `end` in one second, where it moves with `speed`.
static vouch_chunk_answer_t go(world_t * world, double end, double speed)
{
  const double positions[1] = {end}, velocities[1] = {speed};
  return offer(world, START, START + SECOND, 1.0, positions, velocities, 1);
}

static double slide_at(const world_t * world, double seconds)
{
  double positions[2];
  vouch_stream_evaluate(world->stream, START + llround(1e9 * seconds), positions, NULL);
  return positions[0];
}

static void a_chunk_runs_and_then_its_stop(void ** state)
{
  (void)state;
  world_t world = open_world();
  double positions[2], velocities[2];
  vouch_chunk_answer_t answer = go(&world, 0.5, 0.8);
  assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  assert_int_equal(answer.result.verdict, VOUCH_FREE);
  assert_int_equal(answer.splice_ns, START + SECOND / 50);
  assert_int_equal(answer.stop_ns, START + SECOND + 8 * SECOND / 10);
  assert_true(slide_at(&world, 0.0) == 0.0 && slide_at(&world, 0.02) == 0.0);
  assert_true(fabs(slide_at(&world, 1.0) - 0.5) < 1e-12);
  for (double t = 0.0; t <= 0.8; t += 0.01) {
    assert_true(fabs(slide_at(&world, 1.0 + t) - (0.5 + 0.8 * t - 0.5 * t * t)) < 1e-9);
  }
  vouch_stream_evaluate(world.stream, START + 100 * SECOND, positions, velocities);
  assert_true(fabs(positions[0] - 0.82) < 1e-12 && velocities[0] == 0.0 && positions[1] == 0.0);
  close_world(&world);
}

/* The chunk ends where it is free, but too fast to stop before the wall. */
static void a_stop_that_hits_refuses_the_chunk(void ** state)
{
  (void)state;
  for (int i = 0; i <= 20; ++i) {
    const double speed = 0.7 + 0.02 * i;
    world_t world = open_world();
    vouch_chunk_answer_t answer = go(&world, 0.5, speed);
    bool hits = 0.5 + 0.5 * speed * speed >= 0.85;
    assert_int_equal(answer.code, hits ? VOUCH_CHUNK_COLLISION : VOUCH_CHUNK_ACCEPTED);
    assert_true(!hits || slide_at(&world, 50.0) == 0.0);   // nothing has changed
    assert_true(!hits || strstr(answer.message, "wall") != NULL);
    close_world(&world);
  }
}

static void what_is_refused_changes_nothing(void ** state)
{
  (void)state;
  world_t world = open_world();
  assert_int_equal(go(&world, 0.5, 0.4).code, VOUCH_CHUNK_ACCEPTED);
  double before[200], after[200];
  for (int i = 0; i < 200; ++i) {
    before[i] = slide_at(&world, 0.01 * i);
  }
  const double wall[2] = {0.6, 1.2};
  assert_int_equal(
    offer(&world, START + SECOND / 2, START + SECOND, 0.5, wall, NULL, 2).code,
    VOUCH_CHUNK_COLLISION);
  for (int i = 0; i < 200; ++i) {
    after[i] = slide_at(&world, 0.01 * i);
  }
  assert_memory_equal(before, after, sizeof(before));
  close_world(&world);
}

/* Position and velocity are continuous over any number of splices, wherever they fall. */
static void splices_are_smooth(void ** state)
{
  (void)state;
  world_t world = open_world();
  int64_t now = START;
  for (int chunk = 0; chunk < 40; ++chunk) {
    double positions[10], before[2], v_before[2], at[2], v_at[2];
    for (int i = 0; i < 10; ++i) {
      positions[i] = 0.3 * sin(0.37 * chunk + 0.04 * i);
    }
    vouch_chunk_answer_t answer = offer(
      &world, now, now + SECOND / 20, 0.1, positions, NULL, 10);
    assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
    for (int64_t t = now; t < now + SECOND; t += SECOND / 1000) {
      vouch_stream_evaluate(world.stream, t, before, v_before);
      vouch_stream_evaluate(world.stream, t + 1000, at, v_at);
      assert_true(fabs(at[0] - before[0] - 1e-6 * v_before[0]) < 1e-9);
      assert_true(fabs(v_at[0] - v_before[0]) < 1e-3);
    }
    now += SECOND / 7 + chunk * 1000003;
  }
  close_world(&world);
}

/* Points that were accepted and come before the new ones are still run; the stop is not. */
static void a_chunk_goes_on_where_the_last_one_ended(void ** state)
{
  (void)state;
  world_t world = open_world();
  const double first[3] = {0.1, 0.2, 0.3}, second[2] = {0.4, 0.4};
  assert_int_equal(
    offer(&world, START, START + SECOND, 0.5, first, NULL, 3).code, VOUCH_CHUNK_ACCEPTED);
  vouch_chunk_answer_t answer = offer(
    &world, START + SECOND, START + 5 * SECOND / 2, 0.5, second, NULL, 2);
  assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  assert_int_equal(answer.splice_ns, START + 2 * SECOND);   // the last point of the first
  assert_true(fabs(slide_at(&world, 1.5) - 0.2) < 1e-12);
  assert_true(fabs(slide_at(&world, 2.0) - 0.3) < 1e-12);
  assert_true(fabs(slide_at(&world, 2.5) - 0.4) < 1e-12);
  close_world(&world);
}

static void what_comes_late_is_dropped_or_refused(void ** state)
{
  (void)state;
  world_t world = open_world();
  const double positions[4] = {0.1, 0.15, 0.2, 0.25};
  vouch_chunk_answer_t answer = offer(
    &world, START + SECOND, START + SECOND / 2, 0.4, positions, NULL, 4);
  assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  assert_int_equal(answer.dropped, 2);   // 0.5 and 0.9 s are over at 1 s
  assert_true(fabs(slide_at(&world, 1.3) - 0.2) < 1e-12);
  answer = offer(&world, START + 9 * SECOND, START + SECOND, 0.4, positions, NULL, 4);
  assert_int_equal(answer.code, VOUCH_CHUNK_LATE);
  assert_int_equal(answer.dropped, 4);
  close_world(&world);
}

static void limits_are_kept(void ** state)
{
  (void)state;
  const double velocity[2] = {1.0, 1.0}, acceleration[2] = {5.0, 5.0};
  vouch_stream_options_t options = vouch_stream_options_default();
  options.velocity_limits = velocity;
  options.acceleration_limits = acceleration;
  world_t world = open_world_with(&options);
  assert_int_equal(go(&world, -0.3, 0.0).code, VOUCH_CHUNK_ACCEPTED);
  assert_int_equal(go(&world, -1.2, 0.0).code, VOUCH_CHUNK_VELOCITY);   // 1.5 times the mean of 1.2
  const double jerky[2] = {0.05, 0.0};
  assert_int_equal(
    offer(&world, START, START + SECOND, 0.1, jerky, NULL, 2).code, VOUCH_CHUNK_ACCELERATION);
  close_world(&world);
  world = open_world();
  assert_int_equal(go(&world, -2.2, 0.0).code, VOUCH_CHUNK_POSITION);
  assert_int_equal(go(&world, -1.9, -0.8).code, VOUCH_CHUNK_POSITION);   // in the stop
  close_world(&world);
}

static void joints_that_are_not_named_stay_or_must_be(void ** state)
{
  (void)state;
  static const char * const both[] = {"turn", "slide"};
  world_t world = open_world();
  const double positions[2] = {0.5, 0.1}, velocities[2] = {0.3, 0.0};
  const vouch_trajectory_point_t point = {positions, velocities, NULL, 1.0};
  const vouch_trajectory_t trajectory = {both, 2, &point, 1};
  const vouch_chunk_t chunk = {START, &trajectory};
  vouch_chunk_answer_t answer;
  assert_int_equal(
    vouch_stream_offer(world.stream, world.checker, &chunk, START, &answer), VOUCH_RET_OK);
  assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  const double more[1] = {0.2};
  answer = offer(
    &world, START + SECOND / 2, START + 3 * SECOND / 2, 1.0, more, NULL, 1);
  assert_int_equal(answer.code, VOUCH_CHUNK_INVALID);
  assert_non_null(strstr(answer.message, "turn"));
  answer = offer(&world, START + 3 * SECOND, START + 4 * SECOND, 1.0, more, NULL, 1);
  assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  double at[2];
  vouch_stream_evaluate(world.stream, START + 9 * SECOND, at, NULL);
  assert_true(fabs(at[1] - (0.5 + 0.3 * 0.3 / 2.0 / 2.0)) < 1e-9);   // where its own stop ended
  close_world(&world);
}

static void what_is_not_understood_is_refused_with_a_sentence(void ** state)
{
  (void)state;
  world_t world = open_world();
  const double good[2] = {0.1, 0.2}, nan[2] = {0.1, NAN}, infinite[2] = {INFINITY, 0.0};
  const char * const names[] = {"slide"}, * const twice[] = {"slide", "slide"};
  const char * const unknown[] = {"wrist"}, * const none[] = {NULL};
  const vouch_trajectory_point_t plain[2] = {{good, NULL, NULL, 1.0}, {good, NULL, NULL, 2.0}};
  const vouch_trajectory_point_t bad[2] = {{nan, NULL, NULL, 1.0}, {nan + 1, NULL, NULL, 2.0}};
  const vouch_trajectory_point_t fast[1] = {{good, infinite, NULL, 1.0}};
  const vouch_trajectory_point_t mixed[2] = {{good, good, NULL, 1.0}, {good, NULL, NULL, 2.0}};
  const vouch_trajectory_point_t same[2] = {{good, NULL, NULL, 1.0}, {good, NULL, NULL, 1.0}};
  const vouch_trajectory_point_t never[1] = {{good, NULL, NULL, NAN}};
  const vouch_trajectory_point_t past[1] = {{good, NULL, NULL, -1.0}};
  const vouch_trajectory_point_t empty[1] = {{NULL, NULL, NULL, 1.0}};
  const vouch_trajectory_t wrong[] = {
    {names, 1, bad, 2}, {names, 1, fast, 1}, {names, 1, mixed, 2}, {names, 1, same, 2},
    {names, 1, never, 1}, {names, 1, past, 1}, {names, 1, empty, 1}, {names, 1, plain, 0},
    {names, 1, NULL, 2}, {twice, 2, plain, 1}, {unknown, 1, plain, 1}, {none, 1, plain, 1},
    {NULL, 1, plain, 1}, {names, 0, plain, 1}
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
    const vouch_chunk_t chunk = {START, &wrong[i]};
    vouch_chunk_answer_t answer;
    assert_int_equal(
      vouch_stream_offer(world.stream, world.checker, &chunk, START, &answer), VOUCH_RET_OK);
    assert_int_equal(answer.code, VOUCH_CHUNK_INVALID);
    assert_true(strlen(answer.message) > 15);
    assert_true(slide_at(&world, 50.0) == 0.0);
  }
  close_world(&world);
}

static void a_new_scene_is_held_against_what_is_left(void ** state)
{
  (void)state;
  world_t world = open_world();
  assert_int_equal(go(&world, 0.5, 0.8).code, VOUCH_CHUNK_ACCEPTED);
  vouch_result_t result;
  assert_int_equal(
    vouch_stream_check(world.stream, world.checker, START + SECOND / 2, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  cell_add(&world.cell, "post", cell_box(0.02, 0.1, 0.1), cell_at(0.85, 0.0, 0.0));
  assert_int_equal(vouch_checker_change_scene(world.checker, world.cell.scene), VOUCH_RET_OK);
  assert_int_equal(
    vouch_stream_check(world.stream, world.checker, START + SECOND / 2, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_COLLISION);   // in the stop: 0.84 - 0.1 < 0.82
  close_world(&world);
}

/* In two steps, for who checks by other means: only what is FREE and was proposed last is taken. */
static void a_proposal_is_accepted_with_a_proof_only(void ** state)
{
  (void)state;
  static const char * const names[] = {"slide"};
  world_t world = open_world();
  const double position[1] = {0.3};
  const vouch_trajectory_point_t point = {position, NULL, NULL, 1.0};
  const vouch_trajectory_t trajectory = {names, 1, &point, 1};
  const vouch_chunk_t chunk = {START, &trajectory};
  vouch_chunk_answer_t answer;
  vouch_motion_t * motion = NULL;
  for (int verdict = VOUCH_UNDECIDED; verdict <= VOUCH_INVALID; ++verdict) {
    const vouch_result_t result = {.verdict = (vouch_verdict_t)verdict};
    assert_int_equal(
      vouch_stream_propose(world.stream, &chunk, START, &answer, &motion), VOUCH_RET_OK);
    assert_int_equal(answer.code, VOUCH_CHUNK_NONE);
    if (verdict != VOUCH_COLLISION) {
      assert_int_equal(
        vouch_stream_accept(world.stream, motion, &result, &answer), VOUCH_RET_OK);
      assert_int_equal(answer.code == VOUCH_CHUNK_ACCEPTED, verdict == VOUCH_FREE);
      assert_int_equal(
        vouch_stream_accept(world.stream, motion, &result, &answer), VOUCH_RET_INVALID);
    }
    assert_true((slide_at(&world, 50.0) > 0.3) == (verdict >= VOUCH_FREE));
    vouch_motion_destroy(motion);
  }
  assert_int_equal(vouch_stream_motion(world.stream, &motion), VOUCH_RET_OK);
  assert_true(fabs(vouch_motion_duration(motion) - (1.0 + 0.3 / 0.98)) < 1e-6);
  vouch_motion_destroy(motion);
  close_world(&world);
}

static void options_and_arguments_are_looked_at(void ** state)
{
  (void)state;
  world_t world = open_world();
  vouch_stream_t * stream = NULL;
  const double bad[2] = {1.0, 0.0}, rest[2] = {0.0, NAN};
  for (int i = 0; i < 8; ++i) {
    vouch_stream_options_t options = vouch_stream_options_default();
    switch (i) {
      case 0: options.lead_s = NAN; break;
      case 1: options.brake_rad_s2 = 0.0; break;
      case 2: options.brake_m_s2 = -1.0; break;
      case 3: options.max_points = 3; break;
      case 4: options.velocity_limits = bad; break;
      case 5: options.acceleration_limits = bad; break;
      case 6: options.lead_s = -1.0; break;
      default: options.struct_size = 1; break;
    }
    assert_int_equal(
      vouch_stream_create(&stream, world.cell.robot, &options), VOUCH_RET_INVALID);
    assert_null(stream);
  }
  assert_int_equal(vouch_stream_create(NULL, world.cell.robot, NULL), VOUCH_RET_INVALID);
  assert_int_equal(vouch_stream_begin(world.stream, START, rest), VOUCH_RET_INVALID);
  assert_int_equal(vouch_stream_create(&stream, world.cell.robot, NULL), VOUCH_RET_OK);
  vouch_result_t result;
  assert_int_equal(
    vouch_stream_check(stream, world.checker, START, &result), VOUCH_RET_INVALID);
  assert_int_equal(vouch_stream_knot_count(stream), 0);
  vouch_stream_destroy(stream);
  vouch_stream_destroy(NULL);
  assert_string_equal(vouch_chunk_code_name(VOUCH_CHUNK_LATE), "late");
  assert_string_equal(vouch_chunk_code_name((vouch_chunk_code_t)99), "?");
  close_world(&world);
}

static void a_plan_that_is_full_refuses(void ** state)
{
  (void)state;
  vouch_stream_options_t options = vouch_stream_options_default();
  options.max_points = 4;   // where it stands, the splice, one point and its stop
  world_t world = open_world_with(&options);
  const double positions[3] = {0.1, 0.2, 0.25};
  assert_int_equal(
    offer(&world, START, START + SECOND, 0.5, positions, NULL, 3).code, VOUCH_CHUNK_INVALID);
  assert_int_equal(go(&world, 0.1, 0.1).code, VOUCH_CHUNK_ACCEPTED);
  assert_int_equal(vouch_stream_knot_count(world.stream), 4);
  close_world(&world);
}

static double steady(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What a chunk of 50 points costs beside its proof. Half of them is asserted: the machine may be busy. */
static void fifty_points_fifty_times_a_second(void ** state)
{
  (void)state;
  enum {CHUNKS = 500};
  world_t world = open_world();
  double beside[CHUNKS];
  for (int chunk = 0; chunk < CHUNKS; ++chunk) {
    const int64_t now = START + chunk * (SECOND / 50);
    double positions[50];
    for (int i = 0; i < 50; ++i) {
      positions[i] = 0.3 * sin(0.02 * (chunk + 3 + i));
    }
    const double begin = steady();
    vouch_chunk_answer_t answer = offer(
      &world, now, now + 3 * (SECOND / 50), 0.02, positions, NULL, 50);
    beside[chunk] = steady() - begin - answer.result.statistics.seconds;
    assert_int_equal(answer.code, VOUCH_CHUNK_ACCEPTED);
  }
  qsort(beside, CHUNKS, sizeof(beside[0]), by_size);
  print_message(
    "beside the proof: p50 %.1f us, p99 %.1f us\n", 1e6 * beside[CHUNKS / 2],
    1e6 * beside[CHUNKS * 99 / 100]);
  assert_true(beside[CHUNKS / 2] < 1e-3);
  close_world(&world);
}

static void memory_that_runs_out_leaves_the_plan(void ** state)
{
  (void)state;
  bool done = false;
  for (long n = 0; !done; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_stream_options_t options = vouch_stream_options_default();
    options.allocator = test_failing_allocator(&failing);
    world_t world = open_world();
    vouch_stream_t * stream = NULL;
    const double rest[2] = {0.0, 0.0}, position[1] = {0.2};
    const char * const names[] = {"slide"};
    const vouch_trajectory_point_t point = {position, NULL, NULL, 1.0};
    const vouch_trajectory_t trajectory = {names, 1, &point, 1};
    const vouch_chunk_t chunk = {START, &trajectory};
    vouch_chunk_answer_t answer;
    vouch_ret_t ret = vouch_stream_create(&stream, world.cell.robot, &options);
    if (ret == VOUCH_RET_OK) {
      assert_int_equal(vouch_stream_begin(stream, START, rest), VOUCH_RET_OK);
      ret = vouch_stream_offer(stream, world.checker, &chunk, START, &answer);
      double at[2];
      vouch_stream_evaluate(stream, START + 50 * SECOND, at, NULL);
      assert_true(ret == VOUCH_RET_OK ? at[0] > 0.2 : at[0] == 0.0);
    } else {
      assert_null(stream);
    }
    assert_true(ret == VOUCH_RET_OK || ret == VOUCH_RET_NO_MEMORY);
    done = ret == VOUCH_RET_OK;
    vouch_stream_destroy(stream);
    assert_int_equal(failing.alive, 0);
    close_world(&world);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_chunk_runs_and_then_its_stop),
    cmocka_unit_test(a_stop_that_hits_refuses_the_chunk),
    cmocka_unit_test(what_is_refused_changes_nothing),
    cmocka_unit_test(splices_are_smooth),
    cmocka_unit_test(a_chunk_goes_on_where_the_last_one_ended),
    cmocka_unit_test(what_comes_late_is_dropped_or_refused),
    cmocka_unit_test(limits_are_kept),
    cmocka_unit_test(joints_that_are_not_named_stay_or_must_be),
    cmocka_unit_test(what_is_not_understood_is_refused_with_a_sentence),
    cmocka_unit_test(a_new_scene_is_held_against_what_is_left),
    cmocka_unit_test(a_proposal_is_accepted_with_a_proof_only),
    cmocka_unit_test(options_and_arguments_are_looked_at),
    cmocka_unit_test(a_plan_that_is_full_refuses),
    cmocka_unit_test(fifty_points_fifty_times_a_second),
    cmocka_unit_test(memory_that_runs_out_leaves_the_plan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
