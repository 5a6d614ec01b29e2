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
/* The proof that a checker made last, kept beyond a change of its scene or of the motion, with what it
 * was about: so much of it as still is about the same things need not be proved again. */

#ifndef CHECK__KEPT_H_
#define CHECK__KEPT_H_

#include "check/replay.h"

typedef struct check_kept_s
{
  bool valid;          // a FREE proof of this checker is kept
  bool same_scene;     // it is about the checker's own scene; else about the one here
  bool same_motion;    // it is about the checker's own motion part; else about the one here
  bool moved;          // the obstacle beside all others was moved since: old_low, old_high
  bool timeline;       // worker 0's timeline is that of the checker's motion part and frames
  uint8_t * ops;
  size_t ops_size, ops_capacity;
  check_steps_t * steps;   // per pair
  double * rounding;       // per pair: E and the error of a position
  uint32_t pair_capacity;
  /* Another scene than the checker's. */
  vouch_scene_t * scene;
  vouch_build_t build;     // without a motion part
  kernel_scene_t kernel;
  vouch_motion_part_t motion;
  /* What the checker's scene has of it. */
  vouch_arena_t arena;
  bool same_frames;
  uint32_t * old_pair;
  bool * pairs, * clean, * inside;   // as in check_trust_t
  check_steps_t * whole;
  vec3_t old_low[2], old_high[2];    // boxes of the root group and of that obstacle, in the proof
} check_kept_t;

/// Keeps the proof of the last check, if that was FREE and wrote one; else what was kept before.
/// Afterwards the checker has no certificate to give.
void check_keep(vouch_checker_t * checker);
/// Another motion is checked without regard to what is kept.
void check_forget(vouch_checker_t * checker);
void check_kept_destroy(vouch_checker_t * checker);

/// The same kind of pair between bodies of the same ids.
bool check_same_names(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const vouch_scene_part_t * other,
  const vouch_pair_t * same);

/// A box lies within another.
bool check_within(vec3_t low, vec3_t high, vec3_t old_low, vec3_t old_high);

/// A result that says nothing, whatever comes then.
#define VOUCH_REQUIRE_RESULT(result) \
  do { \
    VOUCH_REQUIRE("result", result); \
    memset(result, 0, sizeof(*(result))); \
  } while (false)

/// What every check begins and ends with. Begin: forgets what is kept, sets the motion.
vouch_ret_t check_begin(vouch_checker_t * checker, const vouch_motion_t * motion);
vouch_ret_t check_end(vouch_checker_t * checker, vouch_ret_t ret, vouch_result_t * result);

#endif  // CHECK__KEPT_H_
