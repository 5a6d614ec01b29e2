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

/* Re-certification from files: the old proof is a guide and nothing more. Every step of it is tested
 * again, so that it need not be trusted, nor even be a proof. */

#include "base/error.h"
#include "check/guide.h"
#include "check/kept.h"
#include "check/replay.h"

vouch_ret_t vouch_recertify(
  vouch_checker_t * c, const vouch_motion_t * motion, const uint8_t * old_problem,
  size_t old_problem_size, const uint8_t * old_certificate, size_t old_certificate_size,
  vouch_result_t * result)
{
  VOUCH_REQUIRE_RESULT(result);
  VOUCH_REQUIRE("checker, motion", c, motion);
  VOUCH_REQUIRE("old_problem, old_certificate", old_problem, old_certificate);
  vouch_ret_t ret = check_begin(c, motion);
  if (ret == VOUCH_RET_OK) {
    check_guide_t guide;
    ret = check_guide_read(
      &guide, c->allocator, &c->build.problem.scene,
      (check_file_t) {old_problem, old_problem_size},
      (check_file_t) {old_certificate, old_certificate_size});
    if (ret == VOUCH_RET_OK) {
      check_replay_t replay = {.problem = &c->build.problem, .old = &guide.scene,
        .old_motion = &guide.old.motion, .ops = (const uint8_t *)guide.ops.data,
        .ops_size = guide.ops.size, .steps = guide.steps, .old_pair = guide.old_pair};
      c->replay = &replay;
      ret = check_run(c, result);
      c->replay = NULL;
      check_guide_fini(&guide);
    }
  }
  return check_end(c, ret, result);
}
