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

/* Proofs of all pairs as bytes of a certificate, and back.
 *
 * In memory each pair has a stretch of its own (ops.h). Files go through time: all goals of a span
 * come before those of its halves, so that a verifier needs the poses of one span at a time. The
 * two are the same trees in another order; encoding and decoding are each other's inverse. */

#ifndef PROOF__ENCODE_H_
#define PROOF__ENCODE_H_

#include "base/text.h"
#include "proof/ops.h"

/// Times in files count so many ticks a segment.
#define PROOF_TICK_BITS 44u
/// Spans are halved no more often: down to a segment, then to a tick.
#define PROOF_MOST_HALVINGS (20u + PROOF_TICK_BITS)

/// The proof of one pair; of no bytes, where there is no goal.
typedef struct proof_stretch_s
{
  const uint8_t * ops;
  size_t size;
} proof_stretch_t;

/// Appends the proofs of so many pairs. INTERNAL: one of them is damaged.
vouch_ret_t proof_encode(
  const proof_stretch_t * pairs, uint32_t count, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// The stretches of so many pairs, which lie in `text`. has_goal: of which pairs there is a proof.
/// INVALID: the bytes are no proof of these.
vouch_ret_t proof_decode(
  const uint8_t * ops, size_t size, const bool * has_goal, uint32_t count, vouch_text_t * text,
  proof_stretch_t * pairs) VOUCH_WARN_UNUSED;

#endif  // PROOF__ENCODE_H_
