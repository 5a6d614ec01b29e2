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

/* Three pieces of work whose instructions are counted (callgrind, --toggle-collect=smoke_counted_*):
 *   smoke segment    100 random segments of the generated arm, 60 pairs each
 *   smoke path       one shared path of median cost (exit code 3: the shared data is absent)
 *   smoke verify     the verifier on that path's certificate
 * Prints what was counted over: segments, pairs or leaves. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "support/mbm.h"
#include "verify/verify.h"

#define MEDIAN_PATH "table_under_pick_panda/0022"

void smoke_counted_check(
  vouch_checker_t * checker, const vouch_motion_t * motion, vouch_result_t * result);
int smoke_counted_verify(uint8_t * const data[2], const size_t size[2]);

__attribute__((noinline)) void smoke_counted_check(
  vouch_checker_t * checker, const vouch_motion_t * motion, vouch_result_t * result)
{
  bench_must(vouch_check(checker, motion, result), "check");
}

static struct vouch_verify_report report;

__attribute__((noinline)) int smoke_counted_verify(uint8_t * const data[2], const size_t size[2])
{
  struct vouch_verifier * verifier = vouch_verify_load(data[0], size[0], &report);
  int code = verifier == NULL ? report.code :
    vouch_verify_check(verifier, data[1], size[1], &report);
  free(verifier);
  return code;
}

static int segments(void)
{
  vouch_robot_t * robot = arm_robot(1);
  vouch_check_options_t options = vouch_check_options_default();
  options.clearance = options.first_contact = false;
  test_random_t random = {7};
  size_t free_count = 0, done = 0;
  for (uint64_t scene_seed = 1; scene_seed <= 10; scene_seed++) {
    vouch_scene_t * scene = arm_scene(robot, 12, scene_seed);
    vouch_checker_t * checker;
    bench_must(vouch_checker_create(&checker, scene, &options), "checker");
    for (int i = 0; i < 10; i++) {
      double from[ARM_JOINTS], to[ARM_JOINTS];
      for (int k = 0; k < ARM_JOINTS; k++) {
        from[k] = test_random_in(&random, -2.0, 2.0);
        to[k] = from[k] + test_random_in(&random, -1.0, 1.0);
      }
      vouch_motion_t * motion = arm_motion(robot, from, to);
      vouch_result_t result;
      smoke_counted_check(checker, motion, &result);
      free_count += result.verdict == VOUCH_FREE;
      done++;
      vouch_motion_destroy(motion);
    }
    vouch_checker_destroy(checker);
    vouch_scene_destroy(scene);
  }
  vouch_robot_destroy(robot);
  printf("over %zu segments free %zu\n", done, free_count);
  return 0;
}

static int path(bool verify)
{
  mbm_t mbm;
  if (!mbm_open(&mbm, false)) {
    fprintf(stderr, "smoke: the shared data is absent: not run\n");
    return 3;
  }
  int code = 3;
  for (size_t i = 0; i < mbm.count; i++) {
    if (strcmp(mbm.rows[i].problem, MEDIAN_PATH) != 0) {
      continue;
    }
    mbm_case_t problem = mbm_load(&mbm, &mbm.rows[i], false);
    vouch_check_options_t options = vouch_check_options_default();
    options.clearance = options.first_contact = false;
    options.certificate = verify;
    vouch_checker_t * checker;
    vouch_result_t result;
    bench_must(vouch_checker_create(&checker, problem.scene, &options), "checker");
    code = 0;
    if (!verify) {
      smoke_counted_check(checker, problem.motion, &result);
      printf(
        "over %llu pairs leaves %llu\n", (unsigned long long)result.statistics.pairs,
        (unsigned long long)result.statistics.leaves);
    } else {
      uint8_t * data[2];
      size_t size[2];
      bench_must(vouch_check(checker, problem.motion, &result), "check");
      bench_must(vouch_checker_problem(checker, &data[0], &size[0]), "problem");
      bench_must(vouch_checker_certificate(checker, &data[1], &size[1]), "certificate");
      code = smoke_counted_verify(data, size);
      printf(
        "over %llu leaves %s\n", (unsigned long long)report.leaves,
        code == VOUCH_VERIFY_OK ? "" : report.text);
      vouch_bytes_free(checker, data[0]);
      vouch_bytes_free(checker, data[1]);
    }
    vouch_checker_destroy(checker);
    mbm_release(&problem);
  }
  mbm_close(&mbm);
  return code;
}

int main(int argc, char ** argv)
{
  if (argc == 2 && strcmp(argv[1], "segment") == 0) {
    return segments();
  }
  if (argc == 2 && (strcmp(argv[1], "path") == 0 || strcmp(argv[1], "verify") == 0)) {
    return path(argv[1][0] == 'v');
  }
  fprintf(stderr, "usage: smoke segment|path|verify\n");
  return 2;
}
