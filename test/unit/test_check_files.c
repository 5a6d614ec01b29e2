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

/* What a checker writes: problems and certificates, from one thread or several, from clones, and as the
 * beginning of another proof. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/test_check_fixture.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/verified.h"

typedef struct files_s
{
  uint8_t * problem, * certificate;
  size_t problem_size, certificate_size;
} files_t;

static files_t files_of(const vouch_checker_t * checker)
{
  files_t f;
  assert_int_equal(
    vouch_checker_problem(checker, &f.problem, &f.problem_size), VOUCH_RET_OK);
  assert_int_equal(
    vouch_checker_certificate(checker, &f.certificate, &f.certificate_size), VOUCH_RET_OK);
  return f;
}

static void free_files(const vouch_checker_t * checker, files_t * f)
{
  vouch_bytes_free(checker, f->problem);
  vouch_bytes_free(checker, f->certificate);
}

/// leaves: where their number goes, or NULL.
static int verify(const files_t * f, uint32_t * leaves)
{
  struct vouch_verify_report report;
  int code = test_verify(
    f->problem, f->problem_size, f->certificate, f->certificate_size, &report);
  if (code != 0) {
    print_error("refused: %s\n", report.text);
  }
  if (leaves != NULL) {
    *leaves = (uint32_t)report.leaves;
  }
  return code;
}

static void an_old_proof_carries_over_to_a_changed_scene(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 6);
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  options.clearance = false;
  vouch_scene_t * scene = ring(robot, 40, 0.0), * changed = ring(robot, 40, 0.3);
  vouch_checker_t * before = checker_of(scene, options), * after = checker_of(changed, options);
  vouch_result_t result, fresh;
  assert_int_equal(vouch_check(before, motion, &result), VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  files_t old = files_of(before);
  /* An obstacle that is far from a body is parted from it once, not as often as all of them. */
  uint32_t leaves;
  assert_int_equal(verify(&old, &leaves), 0);
  assert_true(10u * leaves <= 11u * vouch_checker_pair_count(before));
  /* On the same scene each step holds again. */
  assert_int_equal(
    vouch_recertify(
      before, motion, old.problem, old.problem_size, old.certificate, old.certificate_size,
      &fresh), VOUCH_RET_OK);
  assert_int_equal(fresh.verdict, VOUCH_FREE);
  assert_true(fresh.statistics.leaves <= result.statistics.leaves);
  assert_int_equal(fresh.statistics.chord_tests, fresh.statistics.leaves);
  assert_int_equal(vouch_check(after, motion, &fresh), VOUCH_RET_OK);
  assert_int_equal(
    vouch_recertify(
      after, motion, old.problem, old.problem_size, old.certificate, old.certificate_size, &result),
    VOUCH_RET_OK);
  assert_int_equal(result.verdict, VOUCH_FREE);
  files_t renewed = files_of(after);
  assert_int_equal(verify(&renewed, NULL), 0);
  assert_true(result.statistics.chord_tests <= fresh.statistics.chord_tests);
  /* The new certificate speaks of the new problem, not of the old one. */
  files_t mixed = {old.problem, renewed.certificate, old.problem_size, renewed.certificate_size};
  struct vouch_verify_report report;
  assert_int_equal(
    test_verify(
      mixed.problem, mixed.problem_size, mixed.certificate, mixed.certificate_size,
      &report), 1);
  /* Damaged proofs are refused, not believed. */
  old.certificate[200] ^= 0x40;
  assert_int_not_equal(
    vouch_recertify(
      after, motion, old.problem, old.problem_size, old.certificate, old.certificate_size / 2u,
      &result), VOUCH_RET_OK);
  assert_int_not_equal(result.verdict, VOUCH_FREE);
  free_files(before, &old);
  free_files(after, &renewed);
  vouch_checker_destroy(before);
  vouch_checker_destroy(after);
  vouch_scene_destroy(scene);
  vouch_scene_destroy(changed);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

/// How many steps of a certificate have the tag.
static size_t count_tag(const files_t * f, uint8_t tag)
{
  size_t count = 0;
  for (size_t at = 120; at < f->certificate_size; ) {
    uint8_t now = f->certificate[at];
    count += now == tag ? 1 : 0;
    at += now == 'L' || now == 'I' ? 13 : now == 'D' ? 25 : 1;
  }
  return count;
}

static void leaves_are_those_of_the_method(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 6);
  vouch_scene_t * scene = ring(robot, 20, 0.0);
  for (int schwarzer = 0; schwarzer < 2; schwarzer++) {
    vouch_check_options_t options = vouch_check_options_default();
    options.certificate = true;
    options.method = schwarzer == 1 ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
    vouch_checker_t * checker = checker_of(scene, options);
    vouch_result_t result;
    uint32_t leaves;
    assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
    files_t files = files_of(checker);
    assert_int_equal(verify(&files, &leaves), 0);
    assert_int_equal(count_tag(&files, schwarzer == 1 ? 'D' : 'L'), leaves);
    free_files(checker, &files);
    vouch_checker_destroy(checker);
  }
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

static void threads_and_clones_write_the_same_bytes(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 8);
  vouch_scene_t * scene = ring(robot, 30, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  vouch_checker_t * one = checker_of(scene, options), * copy;
  options.threads = 2;
  vouch_checker_t * two = checker_of(scene, options);
  assert_int_equal(vouch_checker_clone(&copy, one), VOUCH_RET_OK);
  vouch_checker_t * all[3] = {one, two, copy};
  files_t files[3];
  for (int i = 0; i < 3; i++) {
    vouch_result_t result;
    assert_int_equal(vouch_check(all[i], motion, &result), VOUCH_RET_OK);
    assert_int_equal(result.verdict, VOUCH_FREE);
    files[i] = files_of(all[i]);
    assert_int_equal(files[i].certificate_size, files[0].certificate_size);
    assert_memory_equal(files[i].certificate, files[0].certificate, files[0].certificate_size);
    assert_int_equal(files[i].problem_size, files[0].problem_size);
    assert_memory_equal(files[i].problem, files[0].problem, files[0].problem_size);
  }
  for (int i = 0; i < 3; i++) {
    free_files(all[i], &files[i]);
    vouch_checker_destroy(all[i]);
  }
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}
/// Open intervals are told in the order of the pairs, whoever worked on them. Tolerances of half a turn
/// leave nearly every pair open.
static void what_stays_open_does_not_depend_on_the_threads(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 8);
  vouch_scene_t * scene = ring(robot, 4, 0.0);
  for (int i = 0; i < 4000; i++) {   // every link and every plane are a pair of their own
    char id[32];
    snprintf(id, sizeof(id), "plane%04d", i);
    vouch_pose_t pose = vouch_pose_identity();
    vouch_shape_t plane = {.kind = VOUCH_SHAPE_PLANE,
      .plane = {1.0, 0.0001 * i, 0.0, i % 300 == 299 ? -3.0 : -100.0}};
    assert_int_equal(
      vouch_scene_add_object(scene, id, "", &pose, &plane, NULL, 1), VOUCH_RET_OK);
  }
  vouch_check_options_t options = vouch_check_options_default();
  options.tolerance_rad = 3.0;
  options.clearance = false;
  vouch_checker_t * one = checker_of(scene, options);
  vouch_result_t alone, shared;
  assert_int_equal(vouch_check(one, motion, &alone), VOUCH_RET_OK);
  assert_int_equal(alone.verdict, VOUCH_UNDECIDED);
  assert_true(alone.open_count > 8);
  for (uint32_t threads = 2; threads < 10; threads++) {
    options.threads = threads;
    vouch_checker_t * more = checker_of(scene, options);
    assert_int_equal(vouch_check(more, motion, &shared), VOUCH_RET_OK);
    assert_int_equal(shared.verdict, VOUCH_UNDECIDED);
    assert_true(shared.free_until_s == alone.free_until_s);
    assert_int_equal(shared.open_count, alone.open_count);
    for (size_t i = 0; i < alone.open_count; i++) {
      const vouch_open_t * a = &alone.open[i], * b = &shared.open[i];
      assert_string_equal(a->a, b->a);
      assert_string_equal(a->b, b->b);
      assert_int_equal(a->reason, b->reason);
      assert_true(a->begin_s == b->begin_s && a->end_s == b->end_s);
      assert_true(a->distance_m == b->distance_m);
    }
    vouch_checker_destroy(more);
  }
  vouch_checker_destroy(one);
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

/// Geometry and scene are written once per checker: what follows must be the motion of the day.
static void a_problem_file_is_the_same_from_an_old_checker(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motions[2] = {motion_of(robot, 8), motion_of(robot, 5)};
  vouch_scene_t * scene = ring(robot, 20, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  vouch_checker_t * plain = checker_of(scene, options);
  options.certificate = true;
  vouch_checker_t * kept = checker_of(scene, options);
  for (int i = 0; i < 4; i++) {
    vouch_result_t result;
    uint8_t * bytes;
    size_t size;
    assert_int_equal(vouch_check(plain, motions[i % 2], &result), VOUCH_RET_OK);
    assert_int_equal(vouch_check(kept, motions[i % 2], &result), VOUCH_RET_OK);
    assert_int_equal(vouch_checker_problem(plain, &bytes, &size), VOUCH_RET_OK);
    files_t files = files_of(kept);
    assert_int_equal(files.problem_size, size);
    assert_memory_equal(files.problem, bytes, size);
    assert_int_equal(verify(&files, NULL), 0);
    free_files(kept, &files);
    vouch_bytes_free(plain, bytes);
  }
  vouch_checker_destroy(kept);
  vouch_checker_destroy(plain);
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motions[0]);
  vouch_motion_destroy(motions[1]);
  vouch_robot_destroy(robot);
}

/// Certificates and what is made of old ones, without the n-th piece of memory: said, never crashed.
static void files_without_memory_are_reported(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 6);
  vouch_scene_t * scene = ring(robot, 20, 0.0);
  test_failing_t failing = {.fail_at = -1};
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  options.clearance = false;
  options.allocator = test_failing_allocator(&failing);
  vouch_checker_t * checker = checker_of(scene, options);
  vouch_result_t result;
  assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
  files_t old = files_of(checker);
  bool done = false;
  for (long step = 0; !done; step++) {
    uint8_t * bytes;
    size_t size;
    failing.requests = 0;
    failing.fail_at = step;
    vouch_ret_t ret = vouch_checker_certificate(checker, &bytes, &size);
    done = failing.requests <= step;
    failing.fail_at = -1;
    assert_int_equal(ret, done ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY);
    assert_true(ret == VOUCH_RET_OK || bytes == NULL);
    vouch_bytes_free(checker, bytes);
  }
  for (long step = 0; done; step++) {
    failing.requests = 0;
    failing.fail_at = step;
    vouch_ret_t ret = vouch_recertify(
      checker, motion, old.problem, old.problem_size, old.certificate, old.certificate_size,
      &result);
    done = failing.requests > step;
    failing.fail_at = -1;
    assert_true(ret == VOUCH_RET_NO_MEMORY || (ret == VOUCH_RET_OK && !done));
    assert_true(ret == VOUCH_RET_OK || result.verdict == VOUCH_UNDECIDED);
  }
  assert_int_equal(result.verdict, VOUCH_FREE);
  free_files(checker, &old);
  vouch_checker_destroy(checker);
  assert_int_equal(failing.alive, 0);
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

/// An old proof with a wrong byte is refused, or a guide that leads to a right answer.
static void damaged_proofs_mislead_nobody(void ** state)
{
  (void)state;
  vouch_robot_t * robot = toy_robot();
  vouch_motion_t * motion = motion_of(robot, 6);
  vouch_scene_t * scene = ring(robot, 10, 0.0);
  vouch_check_options_t options = vouch_check_options_default();
  options.certificate = true;
  options.clearance = false;
  vouch_checker_t * checker = checker_of(scene, options);
  vouch_result_t result;
  assert_int_equal(vouch_check(checker, motion, &result), VOUCH_RET_OK);
  files_t old = files_of(checker);
  test_random_t random = {.state = 77};
  int refused = 0, used = 0;
  static const char tags[] = "TABLDSIP";
  for (int i = 0; i < 600; i++) {
    size_t at = test_random_bits(&random) % old.certificate_size;
    uint8_t kept = old.certificate[at];
    old.certificate[at] = i % 2 == 0 ? (uint8_t)test_random_bits(&random) :
      (uint8_t)tags[test_random_bits(&random) % 8u];
    vouch_ret_t ret = vouch_recertify(
      checker, motion, old.problem, old.problem_size, old.certificate, old.certificate_size,
      &result);
    old.certificate[at] = kept;
    refused += ret != VOUCH_RET_OK;
    if (ret == VOUCH_RET_OK && result.verdict == VOUCH_FREE) {
      files_t renewed = files_of(checker);
      assert_int_equal(verify(&renewed, NULL), 0);
      free_files(checker, &renewed);
      used++;
    }
  }
  assert_true(refused > 30 && used > 300);
  free_files(checker, &old);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_motion_destroy(motion);
  vouch_robot_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_old_proof_carries_over_to_a_changed_scene),
    cmocka_unit_test(leaves_are_those_of_the_method),
    cmocka_unit_test(threads_and_clones_write_the_same_bytes),
    cmocka_unit_test(what_stays_open_does_not_depend_on_the_threads),
    cmocka_unit_test(a_problem_file_is_the_same_from_an_old_checker),
    cmocka_unit_test(files_without_memory_are_reported),
    cmocka_unit_test(damaged_proofs_mislead_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
