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

/* The words of a proof: one table says what each op is called in files, how long it is, what follows
 * it and whether it closes its goal. No other file outside kernel/ and verify/ knows their letters.
 *
 * The proof of a goal is a tree. In memory it is a *stretch* of bytes in pre-order: an op, its payload
 * and the rays that it owes, then the stretches of the goals that it puts in the place of its own.
 * A stretch can be walked, cut out and put elsewhere without knowing what it is about. What is in
 * it is exactly what the kernel accepted, and what files hold (encode.h), in another order.
 * Nothing here says whether a proof is one. */

#ifndef PROOF__OPS_H_
#define PROOF__OPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum proof_tag_e
{
  PROOF_SPLIT = 'T',     // both halves of the span
  PROOF_A = 'A',         // two parts of a
  PROOF_B = 'B',         // two parts of b
  PROOF_ONE_A = 'a',     // the only part of a group a that is checked
  PROOF_ONE_B = 'b',     // the only part of a group b that is checked
  PROOF_LEAF = 'L',      // one direction
  PROOF_LEAVES = 'D',    // a direction at each end
  PROOF_NOTHING = 'S',   // nothing is owed here
  PROOF_RAY = 'I'        // belongs to the op before it
} proof_tag_t;

typedef struct proof_op_s
{
  uint8_t size;       // bytes, the tag included, rays not; 0: there is no such op
  uint8_t children;   // goals that take the place of its own
  bool rays;          // rays may follow
} proof_op_t;

/// What the table says about a tag; of all others that they are no ops.
proof_op_t proof_op(uint8_t tag);

/// Bytes of the op at `at` with its rays; 0: there is none, or it is cut short.
size_t proof_step_size(const uint8_t * ops, size_t size, size_t at);

/// What was walked over.
typedef struct proof_walk_s
{
  uint64_t leaves;
  const uint8_t * last;   // the last one's direction, or NULL
} proof_walk_t;

/// The position behind the stretch at `at`; SIZE_MAX: it is damaged. Adds to what was walked over,
/// unless that is NULL.
size_t proof_end(const uint8_t * ops, size_t size, size_t at, proof_walk_t * walk);

#endif  // PROOF__OPS_H_
