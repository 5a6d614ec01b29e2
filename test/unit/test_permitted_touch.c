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

/* [L2] Pairs that may touch: margins below 0, down to 5 cm. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/checker.h"
#include "kernel/inside.h"
#include "support/arb_checker.h"
#include "support/cell.h"
#include "support/verified.h"
#include "verify/verify.h"

static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='q' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

/// A box of 20 cm is 1 mm deep in the top of a fixture and slides along it.
static cell_t sliding(const char * fixture)
{
  cell_t cell = cell_open(RAIL, NULL);
  const double values[2] = {-0.1, 0.1};
  cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0.099));
  if (strcmp(fixture, "box") == 0) {
    cell_add(&cell, "fixture", cell_box(1.0, 1.0, 0.4), cell_at(0, 0, -0.2));
  } else if (strcmp(fixture, "turned") == 0) {
    const double z[3] = {0, 0, 1};
    cell_add(&cell, "fixture", cell_box(1.0, 1.1, 0.4), cell_turned(0.01, 0, -0.2, z, 0.7));
  } else {
    vouch_shape_t space = {.kind = strcmp(fixture, "plane") == 0 ? VOUCH_SHAPE_PLANE :
        VOUCH_SHAPE_HALFSPACE, .plane = {0, 0, 1, 0}};
    cell_add(&cell, "fixture", space, vouch_pose_identity());
  }
  cell_path(&cell, values, 2);
  return cell;
}

static vouch_check_options_t options_of(void)
{
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  options.clearance = true;
  return options;
}

static vouch_result_t check_with(cell_t * cell, double margin)
{
  vouch_check_options_t options = options_of();
  assert_int_equal(
    vouch_scene_set_pair_margin(cell->scene, "fixture", "tool", margin), VOUCH_RET_OK);
  return cell_check(cell, &options);
}

/// The files of the last check.
static void files_of(const cell_t * cell, uint8_t * data[2], size_t sizes[2])
{
  assert_int_equal(vouch_checker_problem(cell->checker, &data[0], &sizes[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_certificate(cell->checker, &data[1], &sizes[1]), VOUCH_RET_OK);
}

static int verify(
  uint8_t * const data[2], const size_t sizes[2],
  struct vouch_verify_report * report)
{
  struct vouch_verifier * v = vouch_verify_load(data[0], sizes[0], report);
  int code = v == NULL ? report->code : vouch_verify_check(v, data[1], sizes[1], report);
  free(v);
  return code;
}

static void give_back(const cell_t * cell, uint8_t * const data[2])
{
  vouch_bytes_free(cell->checker, data[0]);
  vouch_bytes_free(cell->checker, data[1]);
}

static void a_touch_no_deeper_than_permitted_is_free(void ** state)
{
  (void)state;
  static const char * const fixtures[4] = {"box", "turned", "half_space", "plane"};
  for (int i = 0; i < 4; i++) {
    cell_t cell = sliding(fixtures[i]);
    vouch_check_options_t options = options_of();
    assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_COLLISION);
    vouch_result_t result = check_with(&cell, -0.0011);
    assert_int_equal(result.verdict, VOUCH_FREE);
    assert_int_equal(result.may_touch, 1);
    assert_true(isinf(result.least_margin_m));
    assert_false(result.clearance.valid);   // of a touch none is told
    test_is_verified(cell.checker);
    result = check_with(&cell, -0.0009);
    assert_int_equal(result.verdict, VOUCH_UNDECIDED);   // too deep, and no collision
    assert_int_equal(result.open[0].reason, VOUCH_OPEN_TOUCH);
    assert_true(result.statistics.leaves < 100);
    options.tolerance_m = 0.01;   // does not part them, and does not help
    options.clearance = false;
    assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_UNDECIDED);
    cell_close(&cell);
  }
}

/// The margin comes off with 1 - 2^-20, and so no touch is as deep as that.
static void not_one_part_in_a_million_more_is_permitted(void ** state)
{
  (void)state;
  cell_t cell = sliding("box");
  vouch_check_options_t options = options_of();
  assert_int_equal(check_with(&cell, -0.001 - 2e-11).verdict, VOUCH_UNDECIDED);
  assert_int_equal(check_with(&cell, -0.001 - 4e-9).verdict, VOUCH_FREE);
  (void)options;
  cell_close(&cell);
}

/// That touch was proved says nothing about how far what is inside of something is apart from it.
static void expect_no_distance(const cell_t * cell)
{
  check_worker_t * worker = &cell->checker->workers[0];
  const vouch_scene_part_t * scene = &cell->checker->build.problem.scene;
  size_t touching = 0;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    if (scene->pairs[i].margin < 0.0) {
      worker->search = (search_t) {.proof = worker->proof, .mode = SEARCH_CLEARANCE,
        .max_depth = 12, .seen = worker->seen, .open = worker->open, .upper = INFINITY};
      kernel_proof_phase(
        worker->proof, &(kernel_phase_t) {.mode = KERNEL_MODE_CLEARANCE, .proved_free = true});
      assert_int_not_equal(search_pair(&worker->search, i), SEARCH_PROVED);
      touching++;
    }
  }
  assert_int_equal(touching, 1);
}

/// [L8] is not claimed: what is within a closed mesh is apart from its triangles.
static void what_is_inside_is_not_said(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double values[2] = {-0.1, 0.1};
  cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
  cell_add(&cell, "fixture", cell_cube_mesh(12), cell_at(0, 0, 0));
  cell_path(&cell, values, 2);
  vouch_check_options_t options = options_of();
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_COLLISION);
  vouch_result_t result = check_with(&cell, -0.01);
  assert_int_equal(result.verdict, VOUCH_FREE);
  uint8_t * data[2];
  size_t sizes[2];
  struct vouch_verify_report report;
  files_of(&cell, data, sizes);
  assert_int_equal(verify(data, sizes, &report), VOUCH_VERIFY_OK);
  assert_int_equal(report.touching, 1);
#ifdef VOUCH_HAVE_ARB
  arb_verdict_t verdict;
  assert_true(arb_judge(data[0], sizes[0], data[1], sizes[1], &verdict));
#endif
  give_back(&cell, data);
  expect_no_distance(&cell);
  // An open mesh too: nothing would be said of what is within its hull.
  cell_clear(&cell);
  cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
  cell_add(&cell, "fixture", cell_cube_mesh(10), cell_at(0, 0, 0));
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_UNDECIDED);
  assert_int_equal(check_with(&cell, -0.01).verdict, VOUCH_FREE);
  test_is_verified(cell.checker);
  expect_no_distance(&cell);
  cell_close(&cell);
}

/// With margin times |n| a short n would show any touch, n = 0 of any two bodies.
static void a_short_direction_shows_nothing(void ** state)
{
  (void)state;
  cell_t cell = sliding("box");
  assert_int_equal(check_with(&cell, -0.0011).verdict, VOUCH_FREE);
  kernel_proof_t * p = cell.checker->workers[0].proof;
  kernel_proof_phase(p, &(kernel_phase_t) {.mode = KERNEL_MODE_PROOF});
  assert_int_equal(kernel_proof_begin(p), VOUCH_RET_OK);
  kernel_proof_open(p, 0);
  const double sizes[7] = {0.0, 1e-30, 0.5, 0.99, 1.0 - 0x1p-20, 1.0 + 0x1p-20, NAN};
  for (int i = 0; i < 7; i++) {
    assert_false(kernel_close_chord(p, vec3(0, 0, -sizes[i])));
    assert_int_equal(kernel_descend_b(p), i == 0 ? KERNEL_DONE : KERNEL_REFUSED);
    assert_false(kernel_close_schwarzer(p, vec3(0, 0, -1), vec3(0, 0, -sizes[i])));
    assert_false(kernel_close_schwarzer(p, vec3(0, 0, -sizes[i]), vec3(0, 0, -1)));
  }
  assert_true(kernel_close_chord(p, vec3(0, 0, -1)));
  cell_close(&cell);
}

static void the_verifier_refuses_short_directions_and_witnesses(void ** state)
{
  (void)state;
  cell_t cell = sliding("box");
  vouch_check_options_t options = options_of();
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_COLLISION);
  uint8_t * shown[2], * data[2], * mixed[2];
  size_t shown_sizes[2], sizes[2];
  struct vouch_verify_report report;
  files_of(&cell, shown, shown_sizes);
  assert_int_equal(verify(shown, shown_sizes, &report), VOUCH_VERIFY_OK);
  uint8_t * witness = malloc(shown_sizes[1]);
  assert_non_null(witness);
  memcpy(witness, shown[1], shown_sizes[1]);
  give_back(&cell, shown);
  assert_int_equal(check_with(&cell, -0.0011).verdict, VOUCH_FREE);
  files_of(&cell, data, sizes);
  memcpy(witness + 16, data[1] + 16, 128);   // the hashes
  mixed[0] = data[0];
  mixed[1] = witness;
  assert_int_equal(
    verify(mixed, (size_t[2]) {sizes[0], shown_sizes[1]}, &report),
    VOUCH_VERIFY_REFUSED);
  assert_non_null(strstr(report.text, "not checked by it"));
#ifdef VOUCH_HAVE_ARB
  arb_verdict_t verdict;
  assert_false(arb_judge(data[0], sizes[0], witness, shown_sizes[1], &verdict));
  assert_true(arb_judge(data[0], sizes[0], data[1], sizes[1], &verdict));
#endif
  free(witness);
  assert_int_equal(data[1][sizes[1] - 13], 'L');
  const float lengths[4] = {0.0f, 1e-30f, 0.5f, (float)(1.0 - 0x1p-20)};
  for (int i = 0; i < 4; i++) {
    const float n[3] = {0.0f, 0.0f, -lengths[i]};
    memcpy(data[1] + sizes[1] - 12, n, sizeof(n));
    assert_int_equal(verify(data, sizes, &report), VOUCH_VERIFY_REFUSED);
    assert_non_null(strstr(report.text, "too short"));
#ifdef VOUCH_HAVE_ARB
    assert_false(arb_judge(data[0], sizes[0], data[1], sizes[1], &verdict));
#endif
  }
  give_back(&cell, data);
  cell_close(&cell);
}

/// Old steps that owed rays, or have short directions, are not taken for a touch, nor the other way round.
static void steps_are_not_copied_across_the_sign_of_a_margin(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double values[2] = {-0.1, 0.1};
  cell_hold(&cell, "tool", "car", cell_cube_mesh(12), cell_at(0, 0, 2.05));
  cell_add(&cell, "fixture", cell_cube_mesh(12), cell_at(0, 0, 0));
  cell_path(&cell, values, 2);
  vouch_check_options_t options = options_of();
  vouch_result_t result = cell_check(&cell, &options);
  const double margins[5] = {-0.01, 0.0, -0.001, -0.002, 0.01};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(result.verdict, VOUCH_FREE);
    test_is_verified(cell.checker);
    assert_int_equal(
      vouch_scene_set_pair_margin(cell.scene, "tool", "fixture", margins[i]), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_change_scene(cell.checker, cell.scene), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_recertify(cell.checker, cell.motion, &result), VOUCH_RET_OK);
  }
  cell_close(&cell);
}

/// Between two solids, within the hull of both: rays are owed at the start, unless touching is permitted.
static void rays_are_not_copied_to_a_touch(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double values[2] = {-0.1, 0.1};
  const vouch_shape_t cubes[2] = {cell_cube_mesh(12), cell_cube_mesh(12)};
  const vouch_pose_t poses[2] = {cell_at(0, 1.3, 0), cell_at(0, -1.3, 0)};
  cell_hold(&cell, "tool", "car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
  assert_int_equal(
    vouch_scene_add_object(cell.scene, "fixture", NULL, NULL, cubes, poses, 2), VOUCH_RET_OK);
  cell_path(&cell, values, 2);
  vouch_check_options_t options = options_of();
  vouch_result_t result = cell_check(&cell, &options);
  const double margins[4] = {-0.01, 0.0, -0.001, 0.01};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(result.verdict, VOUCH_FREE);
    test_is_verified(cell.checker);
    assert_int_equal(
      vouch_scene_set_pair_margin(cell.scene, "tool", "fixture", margins[i]), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_change_scene(cell.checker, cell.scene), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_recertify(cell.checker, cell.motion, &result), VOUCH_RET_OK);
  }
  cell_close(&cell);
}

static void bad_margins_are_refused(void ** state)
{
  (void)state;
  cell_t cell = sliding("box");
  const uint64_t before = vouch_scene_revision(cell.scene);
  const double bad[5] = {-0.0501, -INFINITY, INFINITY, NAN, 2e6};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(
      vouch_scene_set_pair_margin(cell.scene, "tool", "fixture", bad[i]), VOUCH_RET_INVALID);
  }
  assert_int_equal(
    vouch_scene_set_pair_margin(cell.scene, "tool", "fixtur", 0.0), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "neither a link nor an object"));
  assert_int_equal(
    vouch_scene_set_pair_margin(cell.scene, "tool", "tool", 0.0), VOUCH_RET_INVALID);
  assert_int_equal(vouch_scene_revision(cell.scene), before);
  static const char * const texts[7] = {
    "{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\", \"fixtur\"], \"margin\": 0}]}",
    "{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\", \"fixture\"], \"margin\": -0.06}]}",
    "{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\"], \"margin\": 0}]}",
    "{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\", \"fixture\"]}]}",
    "{\"is_diff\": true, \"margins\": [{\"margin\": 0}]}",
    "{\"is_diff\": true, \"margins\": [[\"tool\", \"fixture\"]]}",
    ("{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\", \"fixture\"], \"margin\": 0}, "
    "{\"pair\": [\"fixture\", \"tool\"], \"margin\": 0.1}]}")
  };
  for (int i = 0; i < 7; i++) {
    assert_int_equal(
      vouch_scene_parse(cell.scene, texts[i], strlen(texts[i])), VOUCH_RET_INVALID);
  }
  assert_int_equal(vouch_scene_revision(cell.scene), before);
  const char good[] =
    "{\"is_diff\": true, \"margins\": [{\"pair\": [\"tool\", \"fixture\"], \"margin\": -0.002}]}";
  assert_int_equal(vouch_scene_parse(cell.scene, good, strlen(good)), VOUCH_RET_OK);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  // With the object its margin goes.
  assert_int_equal(vouch_scene_remove_object(cell.scene, "fixture"), VOUCH_RET_OK);
  cell_add(&cell, "fixture", cell_box(1.0, 1.0, 0.4), cell_at(0, 0, -0.2));
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_touch_no_deeper_than_permitted_is_free),
    cmocka_unit_test(not_one_part_in_a_million_more_is_permitted),
    cmocka_unit_test(what_is_inside_is_not_said),
    cmocka_unit_test(a_short_direction_shows_nothing),
    cmocka_unit_test(the_verifier_refuses_short_directions_and_witnesses),
    cmocka_unit_test(steps_are_not_copied_across_the_sign_of_a_margin),
    cmocka_unit_test(rays_are_not_copied_to_a_touch),
    cmocka_unit_test(bad_margins_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
