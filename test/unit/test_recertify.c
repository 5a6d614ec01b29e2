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
/* A proof that is carried over to a changed scene or motion: whatever changed, the answer is that of
 * a fresh check and the certificate is one of the new problem. */

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/again.h"
#include "support/cell.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/sanitized.h"
#include "support/toy.h"
#include "support/verified.h"

#define COUNT (TEST_SANITIZED ? 10 : 60)
#define MANY (TEST_SANITIZED ? 30 : 300)
#define CHANGES 12
#define JOINTS 3
#define POINTS 9

typedef struct tally_s
{
  uint64_t changes, verdicts[4], verified, copied, tests, fresh_tests, followed;
} tally_t;

typedef struct world_s
{
  test_random_t random;
  cell_t cell;
  double points[POINTS][JOINTS];
  size_t count;             // of points
  uint32_t objects;         // made so far
  bool jumps;               // at every knot
  char tracked[32];         // an obstacle that is moved again and again
  vouch_check_options_t options;
} world_t;

static const double CUBE[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
  {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static const uint32_t SIDES[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
  {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};

static void add_object(world_t * w, const char * id)
{
  test_random_t * r = &w->random;
  double n[3], at[3], h[3], points[8][3], far = test_random_in(r, 0.6, 2.2);
  test_random_direction(r, n);
  for (int k = 0; k < 3; k++) {
    at[k] = far * n[k];
    h[k] = test_random_in(r, 0.02, 0.2);
  }
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) {
      points[i][k] = CUBE[i][k] * h[k];
    }
  }
  vouch_shape_t shapes[5] = {cell_box(2 * h[0], 2 * h[1], 2 * h[2]), cell_sphere(h[0]),
    {.kind = VOUCH_SHAPE_CYLINDER, .size = {h[0], h[1]}},
    {.kind = VOUCH_SHAPE_MESH, .points = (const double(*)[3])points, .point_count = 8,
      .triangles = SIDES, .triangle_count = 12},
    {.kind = VOUCH_SHAPE_HALFSPACE, .plane = {n[0], n[1], n[2], 1.9 + far}}};
  uint32_t kind = test_random_below(r, 20);
  vouch_shape_t shape = kind == 19 ? shapes[4] : shapes[kind % 4];
  vouch_pose_t pose = cell_turned(at[0], at[1], at[2], n, test_random_in(r, -3.0, 3.0));
  cell_add(&w->cell, id, shape, kind == 19 ? vouch_pose_identity() : pose);
}

static void add_new(world_t * w)
{
  char id[16];
  snprintf(id, sizeof(id), "o%u", w->objects++);
  add_object(w, id);
}

static const char * any_object(world_t * w)
{
  size_t count = vouch_scene_object_count(w->cell.scene);
  return count == 0 ? NULL :
         vouch_scene_object_id(w->cell.scene, test_random_below(&w->random, (uint32_t)count));
}

static void new_motion(world_t * w)
{
  w->count = 2 + test_random_below(&w->random, POINTS - 1);
  double reach = test_random_in(&w->random, 0.05, 1.0);
  for (size_t i = 0; i < w->count; i++) {
    for (int k = 0; k < JOINTS; k++) {
      double base = i > 0 ? w->points[i - 1][k] : 0.2;
      w->points[i][k] = base + reach * test_random_in(&w->random, -0.5, 0.5);
    }
    w->points[i][2] = fmin(0.5, fmax(0.0, w->points[i][2]));
  }
}

/// The end of the motion, from somewhere in its first segments on.
static void shorten_motion(world_t * w)
{
  uint32_t gone = test_random_below(&w->random, (uint32_t)w->count - 1u);
  double cut = test_random_below(&w->random, 2) ? test_random_in(&w->random, 0.0, 1.0) : 0.0;
  memmove(w->points, w->points + gone, (w->count - gone) * sizeof(w->points[0]));
  w->count -= gone;
  for (int k = 0; k < JOINTS; k++) {
    w->points[0][k] += cut * (w->points[1][k] - w->points[0][k]);
  }
}

/// Straight segments that do not join: a proof must not run across the jumps.
static void use_jumps(world_t * w)
{
  const char * names[JOINTS];
  double powers[POINTS][2 * JOINTS];
  vouch_polynomial_segment_t segments[POINTS];
  for (int k = 0; k < JOINTS; k++) {
    names[k] = vouch_robot_variable_name(w->cell.robot, (size_t)k);
  }
  for (size_t i = 0; i + 1 < w->count; i++) {
    for (int k = 0; k < JOINTS; k++) {
      powers[i][2 * k] = w->points[i][k] + (i % 2 == 1 ? 0.02 : 0.0);
      powers[i][2 * k + 1] = w->points[i + 1][k] - w->points[i][k];
    }
    segments[i] = (vouch_polynomial_segment_t) {1.0, 1, powers[i]};
  }
  vouch_motion_destroy(w->cell.motion);
  assert_int_equal(
    vouch_motion_create_polynomial(
      &w->cell.motion, w->cell.robot, names, JOINTS, segments, w->count - 1, NULL), VOUCH_RET_OK);
}

static void use_motion(world_t * w)
{
  if (w->jumps) {
    use_jumps(w);
    return;
  }
  double values[POINTS * JOINTS], zeros[POINTS * JOINTS] = {0};
  for (size_t i = 0; i < w->count; i++) {
    memcpy(values + i * JOINTS, w->points[i], sizeof(w->points[0]));
  }
  if (w->options.max_depth % 2 == 0) {
    cell_path(&w->cell, values, w->count);
  } else {
    cell_spline(&w->cell, values, zeros, NULL, w->count);
  }
}

/// One change of any kind. Some cannot be done to the object that was drawn: then nothing changes.
static void change(world_t * w)
{
  test_random_t * r = &w->random;
  vouch_scene_t * scene = w->cell.scene;
  static const char * const links[4] = {"arm", "fore", "hand", "base"};
  const char * id = any_object(w);
  char name[32];
  snprintf(name, sizeof(name), "%s", id != NULL ? id : "o0");
  uint32_t what = test_random_below(r, 20);
  vouch_ret_t ret = VOUCH_RET_OK;
  double n[3];
  test_random_direction(r, n);
  if (what < 3) {
    add_new(w);
  } else if (what < 6) {
    ret = vouch_scene_remove_object(scene, name);
  } else if (what < 8) {
    add_object(w, name);   // another shape at another place
  } else if (what < 12 && id != NULL) {
    vouch_object_view_t view;
    for (size_t i = 0; i < vouch_scene_object_count(scene); i++) {
      if (vouch_scene_object(scene, i, &view) && strcmp(view.id, name) == 0) {
        vouch_pose_t pose = view.pose;
        double far = pow(10.0, test_random_in(r, -4.0, 0.0));
        for (int k = 0; k < 3; k++) {
          pose.translation[k] += far * n[k];
        }
        ret = vouch_scene_move_object(scene, name, NULL, &pose);
        break;
      }
    }
  } else if (what < 14) {
    const char * whose = test_random_below(r, 2) ? name : links[test_random_below(r, 4)];
    ret = vouch_scene_set_padding(scene, whose, test_random_in(r, 0.0, 0.03));
  } else if (what < 15) {
    ret = vouch_scene_attach_object(scene, name, links[test_random_below(r, 4)], NULL, 0);
  } else if (what < 16) {
    ret = vouch_scene_detach_object(scene, name);
  } else if (what < 17) {
    ret = vouch_scene_allow_pair(
      scene, name, links[test_random_below(r, 4)], test_random_below(r, 2) == 0);
  } else if (what < 18) {
    new_motion(w);
    use_motion(w);
  } else if (what < 20) {
    shorten_motion(w);
    use_motion(w);
  }
  (void)ret;
}

/// Both checkers speak of the same bodies at the same places, and of the same pairs.
static void same_problem(const vouch_checker_t * a, const vouch_checker_t * b)
{
  const vouch_scene_part_t * x = &a->build.problem.scene, * y = &b->build.problem.scene;
  vouch_text_t text[2] = {{.allocator = a->allocator}, {.allocator = b->allocator}};
  vouch_geometry_part_encode(&a->build.problem.geometry, &text[0]);
  vouch_geometry_part_encode(&b->build.problem.geometry, &text[1]);
  assert_int_equal(text[0].size, text[1].size);
  assert_memory_equal(text[0].data, text[1].data, text[0].size);
  text[0].size = text[1].size = 0;
  vouch_motion_part_encode(&a->build.problem.motion, &text[0]);
  vouch_motion_part_encode(&b->build.problem.motion, &text[1]);
  assert_int_equal(text[0].size, text[1].size);
  assert_memory_equal(text[0].data, text[1].data, text[0].size);
  vouch_text_fini(&text[0]);
  vouch_text_fini(&text[1]);
  assert_int_equal(x->body_count, y->body_count);
  for (uint32_t i = 0; i < x->body_count; i++) {
    assert_string_equal(x->bodies[i].id, y->bodies[i].id);
    assert_int_equal(x->bodies[i].frame, y->bodies[i].frame);
    assert_memory_equal(&x->bodies[i].placement, &y->bodies[i].placement, sizeof(vouch_pose_t));
    assert_memory_equal(x->bodies[i].normal, y->bodies[i].normal, 4 * sizeof(double));
  }
  assert_int_equal(x->group_count, y->group_count);
  assert_int_equal(x->pair_count, y->pair_count);
  size_t count = vouch_checker_pair_count(a), matched = 0;
  assert_int_equal(count, vouch_checker_pair_count(b));
  for (size_t i = 0; i < count; i++) {
    const char * names[4];
    double margins[2];
    vouch_checker_pair(a, i, &names[0], &names[1], &margins[0]);
    for (size_t k = 0; k < count; k++) {
      vouch_checker_pair(b, k, &names[2], &names[3], &margins[1]);
      if (strcmp(names[0], names[2]) == 0 && strcmp(names[1], names[3]) == 0) {
        matched += margins[0] == margins[1];
      }
    }
  }
  assert_true(matched >= count);   // two objects may bear one name with a link
  assert_int_equal(a->static_count, b->static_count);
  for (size_t i = 0; i < a->static_count; i++) {
    assert_string_equal(a->statics[i].a, b->statics[i].a);
    assert_true(a->statics[i].overlapping == b->statics[i].overlapping);
  }
}

static void verify(const vouch_checker_t * checker, tally_t * tally)
{
  test_is_verified(checker);
  tally->verified++;
}

static void compare(world_t * w, vouch_checker_t * checker, tally_t * tally, uint64_t seed)
{
  vouch_checker_t * fresh;
  vouch_result_t result, wanted;
  assert_int_equal(vouch_checker_create(&fresh, w->cell.scene, &w->options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(fresh, w->cell.motion, &wanted), VOUCH_RET_OK);
  vouch_ret_t ret = vouch_checker_recertify(checker, w->cell.motion, &result);
  if (ret != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
  }
  assert_int_equal(ret, VOUCH_RET_OK);
  same_problem(checker, fresh);
  bool wrong = (result.verdict == VOUCH_FREE && wanted.verdict == VOUCH_COLLISION) ||
    (result.verdict == VOUCH_COLLISION && wanted.verdict == VOUCH_FREE);
  if (wrong) {
    print_error(
      "seed %" PRIu64 ": %s after a change, %s afresh\n", seed, vouch_verdict_name(result.verdict),
      vouch_verdict_name(wanted.verdict));
  }
  assert_false(wrong);
  tally->changes++;
  tally->verdicts[result.verdict]++;
  tally->copied += result.statistics.chord_tests < result.statistics.leaves;
  tally->tests += result.statistics.chord_tests;
  tally->fresh_tests += wanted.statistics.chord_tests;
  if (result.verdict == VOUCH_FREE || result.verdict == VOUCH_COLLISION) {
    verify(checker, tally);
  }
  vouch_checker_destroy(fresh);
}

/// One obstacle, mostly the same, moves; in the scene and in the checker.
static void move_one(world_t * w, vouch_checker_t * checker)
{
  test_random_t * r = &w->random;
  if (w->tracked[0] == 0 || test_random_below(r, 8) == 0) {
    const char * id = any_object(w);
    snprintf(w->tracked, sizeof(w->tracked), "%s", id != NULL ? id : "o0");
  }
  double n[3], far = test_random_below(r, 20) == 0 ? 3e6 : test_random_in(r, 0.5, 2.0);
  test_random_direction(r, n);
  const char * frames[4] = {NULL, "", "base", "nowhere"};
  const char * frame = frames[test_random_below(r, 20) == 0 ? 3 : test_random_below(r, 3)];
  vouch_pose_t pose = cell_turned(far * n[0], far * n[1], far * n[2], n, 1.0);
  vouch_ret_t first = vouch_scene_move_object(w->cell.scene, w->tracked, frame, &pose);
  vouch_ret_t second = vouch_checker_move_object(checker, w->tracked, frame, &pose);
  assert_int_equal(first, second);
}

static void open_world(world_t * w, uint64_t seed)
{
  *w = (world_t) {.random = {seed}, .options = cell_options()};
  test_random_t * r = &w->random;
  w->cell.robot = toy_robot();
  assert_int_equal(vouch_scene_create(&w->cell.scene, w->cell.robot, NULL), VOUCH_RET_OK);
  w->options.certificate = true;
  w->options.clearance = test_random_below(r, 8) == 0;
  w->options.first_contact = test_random_below(r, 4) == 0;
  w->options.threads = test_random_below(r, 6) == 0 ? 2 : 1;
  w->options.method = test_random_below(r, 8) == 0 ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
  w->options.max_depth = 12 + test_random_below(r, 2);
  w->options.max_memory = (size_t)2 << 20;
  if (test_random_below(r, 3) == 0) {
    w->options.margin_m = test_random_in(r, 0.0, 0.02);
    w->options.tolerance_rad = test_random_in(r, 0.0, 0.01);
    w->options.tolerance_m = test_random_in(r, 0.0, 0.01);
  }
  w->jumps = test_random_below(r, 5) == 0;
  uint32_t count = test_random_below(r, 30);
  for (uint32_t i = 0; i < count; i++) {
    add_new(w);
  }
  new_motion(w);
  use_motion(w);
}

static void whatever_changes_the_answer_is_right(void ** state)
{
  (void)state;
  const char * wanted = getenv("VOUCH_TEST_COUNT");
  uint64_t count = wanted != NULL ? strtoull(wanted, NULL, 10) : COUNT;
  tally_t tally = {0};
  for (uint64_t seed = 0; seed < count; seed++) {
    world_t w;
    vouch_checker_t * checker;
    vouch_result_t result;
    open_world(&w, UINT64_C(20261116) + seed);
    assert_int_equal(vouch_checker_create(&checker, w.cell.scene, &w.options), VOUCH_RET_OK);
    assert_int_equal(vouch_check(checker, w.cell.motion, &result), VOUCH_RET_OK);
    for (int i = 0; i < CHANGES; i++) {
      uint32_t changes = 1 + test_random_below(&w.random, 2);
      for (uint32_t k = 0; k < changes; k++) {
        change(&w);
        if (test_random_below(&w.random, 8) != 0) {
          assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
        }
      }
      assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
      for (uint32_t k = test_random_below(&w.random, 4); k > 1; k--) {
        move_one(&w, checker);
      }
      if (test_random_below(&w.random, 10) == 0) {
        assert_int_equal(vouch_check(checker, w.cell.motion, &result), VOUCH_RET_OK);
      }
      compare(&w, checker, &tally, seed);
      for (uint32_t k = test_random_below(&w.random, 6); k > 2; k--) {
        move_one(&w, checker);
        compare(&w, checker, &tally, seed);
      }
    }
    vouch_checker_destroy(checker);
    cell_close(&w.cell);
  }
  printf(
    "%" PRIu64 " changes: FREE %" PRIu64 ", COLLISION %" PRIu64 ", UNDECIDED %" PRIu64
    "; verified %" PRIu64 "; with copied steps %" PRIu64 "; tests %" PRIu64 " where fresh checks "
    "need %" PRIu64 "\n", tally.changes, tally.verdicts[VOUCH_FREE],
    tally.verdicts[VOUCH_COLLISION], tally.verdicts[VOUCH_UNDECIDED], tally.verified, tally.copied,
    tally.tests, tally.fresh_tests);
  assert_true(tally.verdicts[VOUCH_FREE] > tally.changes / 10);
  assert_true(tally.copied > 0);
  assert_true(tally.tests < tally.fresh_tests);
}

/// A checker for 20 obstacles, with a proof.
static vouch_checker_t * proved(world_t * w)
{
  vouch_checker_t * checker;
  vouch_result_t result = {.verdict = VOUCH_UNDECIDED};
  for (uint64_t seed = 1; result.verdict != VOUCH_FREE; seed++) {
    if (seed > 1) {
      vouch_checker_destroy(checker);
      assert_int_equal(vouch_scene_remove_object(w->cell.scene, NULL), VOUCH_RET_OK);
    }
    w->random.state = seed;
    for (int i = 0; i < 20; i++) {
      add_new(w);
    }
    assert_int_equal(vouch_checker_create(&checker, w->cell.scene, &w->options), VOUCH_RET_OK);
    assert_int_equal(vouch_check(checker, w->cell.motion, &result), VOUCH_RET_OK);
  }
  return checker;
}

/// One whose checkers run out of memory when `failing` says so.
static void open_failing_world(world_t * w, uint64_t seed, test_failing_t * failing)
{
  open_world(w, seed);
  *failing = (test_failing_t) {.fail_at = -1};
  w->options.allocator = test_failing_allocator(failing);
  w->options.threads = 1;
}

static void without_memory_nothing_is_lost(void ** state)
{
  (void)state;
  world_t w;
  test_failing_t failing;
  open_failing_world(&w, 5, &failing);
  vouch_checker_t * checker = proved(&w);
  for (long step = 0, mode = 0; mode < 2; step++) {   // a change of the scene, then one that moves
    vouch_result_t result;
    add_object(&w, vouch_scene_object_id(w.cell.scene, 3));
    failing.requests = 0;
    failing.fail_at = step;
    vouch_pose_t pose = cell_at(0.01 * (double)step, 0.0, 2.0);
    vouch_ret_t changed = mode == 0 ? vouch_checker_change_scene(checker, w.cell.scene) :
      vouch_checker_move_object(
      checker, vouch_scene_object_id(w.cell.scene, 3), NULL, &pose);
    vouch_ret_t checked = changed == VOUCH_RET_OK ?
      vouch_checker_recertify(checker, w.cell.motion, &result) : changed;
    bool done = failing.requests <= step;
    failing.fail_at = -1;
    assert_true(checked == VOUCH_RET_OK || checked == VOUCH_RET_NO_MEMORY);
    tally_t tally = {0};
    assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
    compare(&w, checker, &tally, (uint64_t)step);
    if (done) {
      print_message("%ld requests of memory in a change and a check\n", step);
      assert_true(step > 5);
      mode++;
      step = -1;
    }
    assert_true(step < 1000);
  }
  vouch_checker_destroy(checker);
  cell_close(&w.cell);   // with what was derived from its geometries
  assert_int_equal(failing.alive, 0);
}

/// A check that ran out of memory leaves a checker whose scene can be changed.
static void the_scene_changes_after_a_check_without_memory(void ** state)
{
  (void)state;
  world_t w;
  test_failing_t failing;
  open_failing_world(&w, 9, &failing);
  vouch_ret_t checked = VOUCH_RET_NO_MEMORY;
  for (long step = 0; checked == VOUCH_RET_NO_MEMORY && step < 1000; step++) {
    vouch_checker_t * checker;
    vouch_result_t result;
    assert_int_equal(vouch_checker_create(&checker, w.cell.scene, &w.options), VOUCH_RET_OK);
    failing.requests = 0;
    failing.fail_at = step;
    checked = vouch_check(checker, w.cell.motion, &result);
    failing.fail_at = -1;
    assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
    assert_int_equal(vouch_check(checker, w.cell.motion, &result), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
    vouch_checker_destroy(checker);
  }
  assert_int_equal(checked, VOUCH_RET_OK);
  cell_close(&w.cell);
  assert_int_equal(failing.alive, 0);
}

/// A proof may be kept for a long time: the tree must not become a list, nor memory full.
static void many_changes_do_not_wear_out(void ** state)
{
  (void)state;
  world_t w;
  open_world(&w, 6);
  w.options.threads = 1;
  w.options.max_memory = (size_t)1 << 18;
  vouch_checker_t * checker = proved(&w);
  tally_t tally = {0};
  for (int i = 0; i < MANY; i++) {
    add_object(&w, any_object(&w));
    assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
    compare(&w, checker, &tally, (uint64_t)i);
  }
  assert_true(tally.verdicts[VOUCH_UNDECIDED] < MANY / 10 && tally.copied > MANY / 3);
  vouch_checker_destroy(checker);
  cell_close(&w.cell);
}

/// Of a motion that is under way only the rest is checked, along the old proof.
static void what_remains_of_a_motion_follows_the_old_proof(void ** state)
{
  (void)state;
  world_t w;
  open_world(&w, 7);
  w.options.threads = 1;
  tally_t tally = {0};
  vouch_checker_t * checker = proved(&w);
  double end = (double)w.count - 1.0;
  for (int i = 1; i < 40; i++) {
    vouch_motion_t * rest;
    vouch_result_t result;
    assert_int_equal(
      vouch_motion_remaining(&rest, w.cell.motion, end * i / 40.0), VOUCH_RET_OK);
    vouch_motion_destroy(w.cell.motion);
    w.cell.motion = rest;
    end -= end * i / 40.0;
    compare(&w, checker, &tally, (uint64_t)i);
    assert_int_equal(vouch_checker_change_scene(checker, w.cell.scene), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_recertify(checker, rest, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
    assert_int_equal(result.statistics.chord_tests, 0);   // nothing changed: all is copied
  }
  assert_int_equal(tally.verdicts[VOUCH_FREE], 39);
  assert_true(tally.tests <= tally.fresh_tests);
  vouch_checker_destroy(checker);
  cell_close(&w.cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_memory_nothing_is_lost),
    cmocka_unit_test(the_scene_changes_after_a_check_without_memory),
    cmocka_unit_test(many_changes_do_not_wear_out),
    cmocka_unit_test(what_remains_of_a_motion_follows_the_old_proof),
    cmocka_unit_test(whatever_changes_the_answer_is_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
