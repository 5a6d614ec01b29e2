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

/* Memory that runs out at any request, while bodies and motions are made and while every method
 * runs: an error and nothing leaked, or an answer; never a wrong one. */

#include "support/failing.h"
#include "unit/test_rigid_fixture.h"

static const char MOTIONS[3][400] = {
  "{\"type\": \"screw\", \"from\": {\"translation\": [-1, 0.1, 0.7]}, \"to\": {\"rotation\": "
  "[0, 0, 0.3827, 0.9239], \"translation\": [1, 0.1, 0.7]}}",
  "{\"segments\": [{\"type\": \"quaternion_curve\", \"rotations\": [[0,0,0,1], [0.2,0,0,1]], "
  "\"translations\": [[-1,0,0.9], [0,0,0.9]]}, {\"type\": \"bezier\", \"controls\": [{\"rotation\": "
  "[0.19611613513818404,0,0,0.98058067569092], \"translation\": [0,0,0.9]}, {\"translation\": "
  "[1,0,0.9]}]}]}",
  "{\"type\": \"samples\", \"poses\": [{\"translation\": [-1,0,0.2]}, {\"translation\": [1,0,0.2]}], "
  "\"rotation_error_rad\": 1e-4, \"translation_error_m\": 1e-4}"
};

/// The whole of a run, from nothing; `verdict` is what came of it.
static const vouch_mass_t MASSES[4] = {
  {{0.1, 0.1, 0.1}, 1.0}, {{0.1, -0.1, -0.1}, 1.0}, {{-0.1, 0.1, -0.1}, 1.0},
  {{-0.1, -0.1, 0.1}, 2.0}
};

static vouch_ret_t whole_run(
  vouch_allocator_t allocator, const char * text, int method, vouch_verdict_t * verdict)
{
  static const uint32_t t[12][3] = {
    {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
    {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}
  };
  double v[8][3];
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) {
      v[i][k] = (i >> k & 1) != 0 ? 0.2 : -0.2;
    }
  }
  vouch_rigid_body_t * a = NULL, * b = NULL;
  vouch_rigid_motion_t * motion = NULL, * screws = NULL;
  vouch_rigid_options_t options = vouch_rigid_options_default();
  options.method = (vouch_rigid_method_t)method;
  options.threads = 1;
  options.max_tests = 3000;
  options.individual_masses = method == VOUCH_RIGID_TOLERANCED;
  options.resolution_m = 1e-3;
  double error = 0.0;
  *verdict = VOUCH_UNDECIDED;
  vouch_ret_t ret = vouch_rigid_body_create(&a, allocator, (const double(*)[3])v, 8, t, 12);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_body_create(&b, allocator, (const double(*)[3])v, 8, t, 12);
  }
  if (ret == VOUCH_RET_OK && method == VOUCH_RIGID_TOLERANCED) {
    ret = vouch_rigid_body_set_masses(a, MASSES, 4);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_parse(&motion, allocator, text, strlen(text));
  }
  if (ret == VOUCH_RET_OK && method == VOUCH_RIGID_SCREW) {
    ret = vouch_rigid_motion_to_screws(&screws, motion, a, 0.01, &error);
  }
  if (ret == VOUCH_RET_OK) {
    vouch_rigid_result_t result;
    ret = vouch_rigid_check(a, b, screws != NULL ? screws : motion, &options, &result);
    *verdict = result.verdict;
    vouch_rigid_result_fini(&result);
  }
  vouch_rigid_motion_destroy(screws);
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
  return ret;
}

static void memory_runs_out_anywhere(void ** state)
{
  (void)state;
  int runs = 0, refused = 0;
  for (int kind = 0; kind < 3; kind++) {
    for (int method = 0; method < 3; method++) {
      if (kind == 2 && method == VOUCH_RIGID_SCREW) {
        continue;   // its error does not fit into a chain
      }
      test_failing_t all = {.fail_at = -1};
      vouch_verdict_t truth, verdict;
      require_ok(whole_run(test_failing_allocator(&all), MOTIONS[kind], method, &truth));
      assert_int_equal(truth, kind == 2 ? VOUCH_COLLISION : VOUCH_FREE);
      assert_int_equal(all.alive, 0);
      assert_true(all.requests > 10);
      for (long n = 0; n < all.requests; n++) {
        test_failing_t failing = {.fail_at = n};
        vouch_ret_t ret = whole_run(
          test_failing_allocator(&failing), MOTIONS[kind], method, &verdict);
        assert_int_equal(failing.alive, 0);
        if (ret == VOUCH_RET_OK) {
          assert_true(verdict == truth || verdict == VOUCH_UNDECIDED);
        } else {
          assert_int_equal(ret, VOUCH_RET_NO_MEMORY);
          assert_int_equal(verdict, VOUCH_UNDECIDED);
          assert_true(vouch_error()[0] != '\0');
          refused++;
        }
        runs++;
      }
    }
  }
  print_message("%d runs with one request refused, %d ended with an error\n", runs, refused);
  assert_true(refused > runs / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
