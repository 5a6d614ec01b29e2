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
/* All 795 MotionBenchMaker problems: scene, request and path load, and become a valid problem. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build.h"
#include "model/scene.h"
#include "support/mbm.h"

static mbm_t mbm;
static bool available;

static int open_data(void ** state)
{
  (void)state;
  available = mbm_open(&mbm, false);
  return 0;
}

static int close_data(void ** state)
{
  (void)state;
  mbm_close(&mbm);
  return 0;
}

/// Every label row gives a problem that the format's own rules accept, with a mover against the
/// obstacles and no pair twice.
static void test_every_problem_builds_and_validates(void ** state)
{
  (void)state;
  if (!available) {
    skip();
  }
  assert_true(mbm.count == 795);
  double tolerances[64] = {0.0};
  for (size_t i = 0; i < mbm.count; ++i) {
    mbm_case_t problem = mbm_load(&mbm, &mbm.rows[i], false);
    vouch_build_t build;
    if (vouch_build_scene(&build, problem.scene, 0.0, vouch_allocator_default()) != VOUCH_RET_OK ||
      vouch_build_set_motion(&build, problem.motion, tolerances) != VOUCH_RET_OK ||
      vouch_problem_validate(&build.problem) != VOUCH_RET_OK)
    {
      fail_msg("%s: %s", mbm.rows[i].problem, vouch_error());
    }
    const vouch_scene_part_t * part = &build.problem.scene;
    size_t groups = 0;
    for (uint32_t k = 0; k < part->pair_count; ++k) {
      groups += part->pairs[k].kind == VOUCH_PAIR_GROUP ? 1 : 0;
      assert_true(part->pairs[k].margin >= 0.0);
    }
    assert_true(groups > 0);
    assert_int_equal(vouch_motion_segment_count(problem.motion), mbm.rows[i].points - 1);
    assert_int_equal(vouch_motion_model(problem.motion), VOUCH_MODEL_PLANNER);
    assert_false(vouch_motion_has_time(problem.motion));
    vouch_build_fini(&build);
    mbm_release(&problem);
  }
}

/// The matrix of every scene was made from the same SRDF: a pair that it checks explicitly is never
/// one that the SRDF disables. So MoveIt's rule (the explicit entry decides) and "either of the two
/// switches it off" select the same pairs here, and the labels hold for both.
static void test_matrix_and_srdf_agree(void ** state)
{
  (void)state;
  if (!available) {
    skip();
  }
  size_t seen = 0;
  for (size_t i = 0; i < mbm.count; i += 7) {
    mbm_case_t problem = mbm_load(&mbm, &mbm.rows[i], false);
    const vouch_robot_t * robot = vouch_scene_robot(problem.scene);
    for (uint32_t a = 0; a < robot->link_count; ++a) {
      for (uint32_t b = 0; b < a; ++b) {
        if (robot->links[a].geometry == NULL || robot->links[b].geometry == NULL) {
          continue;
        }
        const vouch_allowed_answer_t answer = vouch_allowed_explicit(
          &problem.scene->allowed, robot->links[a].name, robot->links[b].name);
        const bool disabled = vouch_robot_pair_disabled(robot, a, b);
        if (answer == VOUCH_ALLOWED_NO && disabled) {
          fail_msg(
            "%s: %s, %s", mbm.rows[i].problem, robot->links[a].name, robot->links[b].name);
        }
        seen += answer != VOUCH_ALLOWED_UNKNOWN ? 1 : 0;
      }
    }
    mbm_release(&problem);
  }
  assert_true(seen > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_problem_builds_and_validates),
    cmocka_unit_test(test_matrix_and_srdf_agree),
  };
  return cmocka_run_group_tests(tests, open_data, close_data);
}
