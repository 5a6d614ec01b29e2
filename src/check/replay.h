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
/* An old proof as a guide for a new one: its steps are tried first, goal by goal, and where one does
 * not hold any more the search goes on from there.
 *
 * A step is tested again by the kernel like any other, with one exception: steps that this very
 * checker wrote, for a goal whose inputs are the same to the bit (or whose obstacles filled a
 * larger box), are copied. check/kept.c says when; docs/soundness.md says why that is sound. */

#ifndef CHECK__REPLAY_H_
#define CHECK__REPLAY_H_

#include "check/checker.h"
#include "check/steps.h"

/// What kept.c says about steps that the checker wrote itself.
typedef struct check_trust_s
{
  const bool * pairs;        // per pair: bodies, margins and frames are the same; NULL: all are
  const bool * clean;        // per group: so is everything below it; NULL: all are
  const bool * inside;       // per group: its box lies within the old one's; NULL: all do
  const check_steps_t * whole;   // per pair: those that fit all that stayed as they are, or none
  const double * rounding;   // per old pair: E, then the error of a position
} check_trust_t;

typedef struct check_replay_s
{
  const vouch_problem_t * problem;
  const vouch_scene_part_t * old;
  const vouch_motion_part_t * old_motion;
  const uint8_t * ops;
  size_t ops_size;
  const check_steps_t * steps;    // per old pair
  const uint32_t * old_pair;      // per pair: VOUCH_NONE: none of the same kind; NULL: the same
  const uint32_t * group;         // per group: as in vouch_build_links_t; NULL: the same
  const uint32_t * stayed;        // per old group: likewise
  const check_trust_t * trust;    // NULL: every step is tested again
  bool same_motion;               // bit by bit, tolerances too
  bool loose;                     // the root's right child is an obstacle that moved, alone
  bool keep_timeline;             // worker 0 has met this motion and these frames already
} check_replay_t;

/// As search_pair(), along the old proof where there is one.
search_outcome_t check_replay_pair(
  const check_replay_t * replay, search_t * search, uint32_t pair);

#endif  // CHECK__REPLAY_H_
