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

/* The part of a COLLISION file that shows the contact. */

#ifndef CHECK__WITNESS_H_
#define CHECK__WITNESS_H_

#include "check/checker.h"

/// A time in ticks from the beginning; one that is finer than ticks is told as the one before it.
uint64_t check_ticks(search_time_t time);

/// The time, the pair, the parts and the points or the ray.
vouch_ret_t check_put_witness(
  const vouch_checker_t * checker, const search_contact_t * contact,
  vouch_text_t * out) VOUCH_WARN_UNUSED;

#endif  // CHECK__WITNESS_H_
