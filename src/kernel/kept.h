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

/* Proofs that are kept, and when steps of them may be copied. TRUSTED.
 *
 * While it records, the kernel marks where the steps of each goal against a group begin and end, and
 * what that goal was about: its span of time and the group's number (keys.h). A pair as a whole has
 * such numbers too. Keeping a proof keeps bytes and numbers; no scene and no motion of then is needed
 * any more. A goal of today is closed by steps of then when all their numbers are the same and it asks
 * for no more; whoever proposes them [K-COPY]. */

#ifndef KERNEL__KEPT_H_
#define KERNEL__KEPT_H_

#include "base/memory.h"
#include "kernel/timeline.h"

/// Steps that closed a goal against a group.
typedef struct kernel_mark_s
{
  uint64_t span;         // kernel_span()
  uint64_t group;        // its number
  uint32_t begin, end;   // in the pair's stretch
  uint32_t leaves;
  uint32_t height;       // of the goal on the stack
} kernel_mark_t;

/// What a pair's proof depends on: two that agree in all numbers, one of which asks for no more.
typedef struct kernel_key_s
{
  uint64_t motion, frames, a, b, skips;
  double margin, rounding, error;
} kernel_key_t;

/// Where a pair's steps lie, and what they are about.
typedef struct kernel_stretch_s
{
  bool proved;
  size_t begin, end;
  size_t first_mark, end_mark;
  uint64_t leaves;
  kernel_key_t key;
} kernel_stretch_t;

/// Steps with what they are about.
typedef struct kernel_steps_s
{
  const uint8_t * ops;
  const kernel_mark_t * marks;
  const kernel_stretch_t * stretches;   // per pair
  size_t ops_size, mark_count;
  uint32_t pair_count;
} kernel_steps_t;

/// Its view (kernel_kept_steps()) may be looked at; only the kernel changes it.
typedef struct kernel_kept_s kernel_kept_t;

vouch_ret_t kernel_kept_create(
  kernel_kept_t ** kept, vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void kernel_kept_destroy(kernel_kept_t * kept);
static inline const kernel_steps_t * kernel_kept_steps(const kernel_kept_t * kept)
{
  return (const kernel_steps_t *)kept;
}

/// A number for an interval that no other of the same motion has; 0 for those that are too short.
static inline uint64_t kernel_span(const kernel_interval_t * interval)
{
  if (interval->last - interval->first > 1u) {
    return UINT64_C(1) << 63 | (uint64_t)interval->first << 20 | interval->last;
  }
  return interval->depth > 42u ? 0 :
         (uint64_t)interval->first << 43 | UINT64_C(1) << interval->depth | interval->numerator;
}

#endif  // KERNEL__KEPT_H_
