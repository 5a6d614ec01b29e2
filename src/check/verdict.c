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
#include "check/verdict.h"

/// The kernel says of which pairs its workers hold proofs, about this scene and this motion; a pair
/// that cannot be proved at all is in no scene part, and so is counted here.
bool check_conclude_free(const vouch_checker_t * c, vouch_result_t * result)
{
  kernel_proof_t * proofs[CHECK_MAX_WORKERS];
  check_proofs(c, proofs);
  if (c->build.unsupported_count > 0 || !kernel_free(proofs, c->worker_count)) {
    return false;
  }
  const vouch_motion_part_t * motion = &c->build.problem.motion;
  result->verdict = VOUCH_FREE;
  result->free_until_s = motion->seconds[motion->segment_count];
  return true;
}
