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

/* Which pairs of bodies are checked, which are left out, and why: so that nothing is left out in
 * silence. Counted from the scene, by the rules of model/build_pairs.c. */

#ifndef REPORT__PAIRS_H_
#define REPORT__PAIRS_H_

#include "report/report.h"

typedef enum vouch_left_reason_e
{
  VOUCH_LEFT_ASKED,            // by the person who runs the check
  VOUCH_LEFT_SRDF,
  VOUCH_LEFT_SRDF_DEFAULT,     // disable_default_collisions
  VOUCH_LEFT_ADJACENT,         // parent and child, no SRDF
  VOUCH_LEFT_MATRIX,
  VOUCH_LEFT_MATRIX_DEFAULT,
  VOUCH_LEFT_TOUCH,            // held by that link, or a touch link
  VOUCH_LEFT_ONE_BODY,         // planes and shapes of one object
  VOUCH_LEFT_FIXED,            // no joint between them: looked at once
  VOUCH_LEFT_COUNT
} vouch_left_reason_t;

typedef struct vouch_pair_counts_s
{
  uint64_t total;         // pairs of bodies of which at least one belongs to the robot
  uint64_t checked;
  uint64_t unsupported;   // make every verdict UNDECIDED
  uint64_t left_out;
  uint64_t reasons[VOUCH_LEFT_COUNT];
} vouch_pair_counts_t;

/// As a person reads it, and as a key of the JSON.
const char * vouch_left_out_words(vouch_left_reason_t reason);
const char * vouch_left_out_key(vouch_left_reason_t reason);

/// Counts; `each` (may be NULL) is called for every pair that is left out for one of the reasons up to
/// VOUCH_LEFT_TOUCH. NO_MEMORY is the only failure.
vouch_ret_t vouch_report_count_pairs(
  const vouch_report_t * report, vouch_pair_counts_t * counts,
  void (* each)(const char * a, const char * b, vouch_left_reason_t reason, void * state),
  void * state) VOUCH_WARN_UNUSED;

#endif  // REPORT__PAIRS_H_
