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

/* An old proof as a guide for a new one: its steps are tried first, goal by goal, and re-checked by
 * the kernel like any other; where one does not hold any more, the search goes on from there. */

#ifndef CHECK__REPLAY_H_
#define CHECK__REPLAY_H_

#include "check/checker.h"

typedef struct check_replay_s check_replay_t;

/// Reads old problem and certificate and finds which pairs of `problem` have an old proof of the
/// same shape. INVALID when they do not belong together or are damaged.
vouch_ret_t check_replay_create(
  check_replay_t ** replay, const vouch_problem_t * problem, vouch_allocator_t allocator,
  const uint8_t * old_problem, size_t old_problem_size, const uint8_t * old_certificate,
  size_t old_certificate_size) VOUCH_WARN_UNUSED;
void check_replay_destroy(check_replay_t * replay);

/// As search_pair(), along the old proof where there is one.
search_outcome_t check_replay_pair(
  const check_replay_t * replay, search_t * search, uint32_t pair);

#endif  // CHECK__REPLAY_H_
