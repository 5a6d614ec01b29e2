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
/* What a checker keeps between checks: the last proof, and the scene and the motion that it was about
 * where the checker has others now. vouch_checker_recertify() starts from it. */

#ifndef CHECK__AGAIN_H_
#define CHECK__AGAIN_H_

#include "check/reuse.h"

typedef struct check_kept_s
{
  kernel_kept_t * proof;
  bool valid;          // it is a FREE proof of this checker
  bool same_scene;     // it is about the checker's own scene; else about the one here
  bool same_motion;    // it is about the checker's own motion part; else about the one here
  bool moved;          // the obstacle beside all others was moved since
  vouch_scene_t * scene;
  vouch_build_t build;     // without a motion part
  kernel_scene_t kernel;
  vouch_motion_part_t motion;
  vouch_arena_t arena;
  uint32_t * old_pair;     // per pair of the checker's scene, if that is another one
} check_kept_t;

/// Keeps the proof of the last check, if that was FREE and wrote one; else what was kept before.
/// Afterwards the checker has no certificate to give.
void check_keep(vouch_checker_t * checker);
/// Another motion is checked without regard to what is kept.
void check_forget(vouch_checker_t * checker);
void check_kept_destroy(vouch_checker_t * checker);

/// Which old pair a new one was, by the ids of their bodies; VOUCH_NONE: none.
void check_match_pairs(
  const vouch_build_t * now, const vouch_scene_part_t * old, uint32_t * old_pair);
/// Builds the checker's scene anew, its tree of obstacles after that of another problem, so that
/// build.links says what stayed of that one. Forgets what was kept.
vouch_ret_t check_follow(
  vouch_checker_t * checker, const vouch_problem_t * before) VOUCH_WARN_UNUSED;

/// A result that says nothing, whatever comes then.
#define VOUCH_REQUIRE_RESULT(result) \
  do { \
    VOUCH_REQUIRE("result", result); \
    memset(result, 0, sizeof(*(result))); \
  } while (false)

/// What every check begins and ends with. Begin: forgets what is kept, sets the motion.
vouch_ret_t check_begin(vouch_checker_t * checker, const vouch_motion_t * motion);
vouch_ret_t check_end(vouch_checker_t * checker, vouch_ret_t ret, vouch_result_t * result);

#endif  // CHECK__AGAIN_H_
