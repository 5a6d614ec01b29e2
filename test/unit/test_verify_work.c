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

/* What a file costs: counted in steps of work and in poses that were found, never in seconds. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"
#include "vouch/types.h"

// 4,500 frames that turn, of which the one pair needs none, and a proof of 2^14 leaves: half a megabyte
// each way in version 2, where every frame was placed at every time. Each end of a leaf is found once.
static void only_frames_that_a_goal_needs_are_placed(void ** state)
{
  (void)state;
  const int depth = 14;
  w_problem * p = slide(X, 0, 0);
  for (; p->frames < 4502; p->frames++) {
    p->frame[p->frames] = p->frame[1];
    p->frame[p->frames].joint = 1;
  }
  w_bytes ops = {0};
  uniform(&ops, depth, 0, 1, 0);
  expect(0, p, &ops);
  assert_int_equal(said.leaves, 1u << depth);
  assert_int_equal(said.poses, 2 * ((1u << depth) + 1));   // of frame 1 and the body on it
  print_message("%llu steps\n", (unsigned long long)said.steps);
  assert_true(said.steps < 200u << depth);
  // Splitting alone needs none.
  for (int i = 0; i < 44; i++) {
    w_u8(&ops, 'T');
  }
  expect(3, p, &ops);
  assert_true(said.poses == 0 && said.steps == 44);
  w_free_problem(p);
}

// A chain of 200 turning frames under the ball: each time is found once all along it.
static void chains_are_placed_once_a_time(void ** state)
{
  (void)state;
  const int depth = 8;
  w_problem * p = slide(X, 0, 0);
  for (; p->frames < 200; p->frames++) {
    p->frame[p->frames] = p->frame[1];
    p->frame[p->frames].multiplier = 0;
    p->frame[p->frames].parent = (uint32_t)p->frames - 1;
  }
  p->body[0].parent = 199;
  w_bytes ops = {0};
  uniform(&ops, depth, 0, 1, 0);
  expect(0, p, &ops);
  assert_int_equal(said.poses, 200 * ((1u << depth) + 1));
  w_free_problem(p);
}

// Bounds of a variable are found once a span, and only where a leaf asks for them: 500 variables
// that no joint follows cost nothing.
static void only_variables_that_a_pair_follows_are_bounded(void ** state)
{
  (void)state;
  uint64_t steps[2];
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(X, 0, 0);
    p->variables = i == 0 ? 1 : 8;
    w_bytes ops = {0};
    uniform(&ops, 6, 0, 1, 0);
    expect(0, p, &ops);
    steps[i] = said.steps;
    w_free_problem(p);
  }
  assert_int_equal(steps[0], steps[1]);
}

// [V-SPEND]
static void a_proof_has_a_budget(void ** state)
{
  (void)state;
  w_problem * p = slide(X, 0, 0);
  w_bytes problem = w_write_problem(p), c = w_certificate_head(&problem, 1, W_ONE);
  uniform(&c, 8, 0, 1, 0);
  struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &said);
  assert_non_null(v);
  assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), 0);
  const uint64_t needed = said.steps;
  assert_true(needed > 256 * 16);
  vouch_verify_set_budget(v, needed);   // nothing is left over from the last time
  assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), 0);
  vouch_verify_set_budget(v, needed - 1);
  assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), VOUCH_VERIFY_REFUSED);
  assert_non_null(strstr(said.text, "more steps of work than its budget"));
  vouch_verify_set_budget(v, 0);
  assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), VOUCH_VERIFY_REFUSED);
  vouch_verify_set_budget(v, UINT64_MAX);
  assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), 0);
  free(v);
  w_free(&problem);
  w_free(&c);
  w_free_problem(p);
}

// Nothing of the library is in the verifier, so its version stands there, too.
static void its_version_is_the_librarys(void ** state)
{
  (void)state;
  assert_string_equal(VOUCH_VERIFY_VERSION, vouch_version());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_frames_that_a_goal_needs_are_placed),
    cmocka_unit_test(chains_are_placed_once_a_time),
    cmocka_unit_test(only_variables_that_a_pair_follows_are_bounded),
    cmocka_unit_test(a_proof_has_a_budget),
    cmocka_unit_test(its_version_is_the_librarys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
