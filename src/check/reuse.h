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
/* An old proof as a guide for a new one: its steps are proposed first, goal by goal, and where one does
 * not hold any more the search goes on from there. UNTRUSTED: the kernel tests each step as it tests
 * those of the search. Steps that this checker proved itself are offered to the kernel whole
 * (kernel_close_kept()), which copies them where all they were about is the same [K-COPY]; from
 * files, every step is tested again. It is one walk for both. */

#ifndef CHECK__REUSE_H_
#define CHECK__REUSE_H_

#include "check/checker.h"
#include "proof/encode.h"

/// An old proof, and which things of today are things of then.
typedef struct check_reuse_s
{
  const vouch_problem_t * problem;
  const vouch_scene_part_t * old;
  const vouch_motion_part_t * old_motion;
  const kernel_kept_t * kept;     // the proof, if the checker kept its own
  const proof_stretch_t * steps;  // else the steps of each old pair
  const uint32_t * old_pair;      // per pair: VOUCH_NONE: none of the same kind; NULL: the same
  const uint32_t * group;         // per group: as in vouch_build_links_t; NULL: the same
  const uint32_t * stayed;        // per old group: likewise
} check_reuse_t;

/// As search_pair(), along the old proof where there is one.
search_outcome_t check_reuse_pair(
  const check_reuse_t * reuse, search_t * search, uint32_t pair);

#endif  // CHECK__REUSE_H_
