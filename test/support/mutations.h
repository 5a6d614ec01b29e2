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

/* Proofs that are tampered with: bits flipped, leaves dropped, directions swapped, obstacles
 * shifted, margins, tolerances and trajectories changed. What the verifier still accepts must still
 * be a proof in ball arithmetic. The same for witnesses of collisions: their times, bodies and points
 * are changed, and what is accepted must still show a collision. Used by the short and by the long
 * test. */

#ifndef SUPPORT__MUTATIONS_H_
#define SUPPORT__MUTATIONS_H_

#include <stdint.h>

enum
{
  MUTATE_OPS_BIT, MUTATE_HEAD_BIT, MUTATE_UNBOUND_BIT, MUTATE_PROBLEM_BIT, MUTATE_DROP, MUTATE_SWAP,
  MUTATE_TURN, MUTATE_TAG, MUTATE_CUT, MUTATE_SHIFT, MUTATE_MARGIN, MUTATE_CLAIM,
  MUTATE_TRAJECTORY, MUTATE_TOLERANCE, MUTATE_KNOTS, MUTATE_WORDS, MUTATE_WITNESS_BIT,
  MUTATE_WITNESS_TIME,
  MUTATE_WITNESS_BODIES, MUTATE_WITNESS_KIND, MUTATE_WITNESS_POINTS, MUTATE_WITNESS_CUT,
  MUTATE_KINDS
};

typedef struct mutation_tally_s
{
  uint64_t bases, mutations;
  uint64_t made[MUTATE_KINDS], refused[MUTATE_KINDS], malformed[MUTATE_KINDS], same[MUTATE_KINDS];
  uint64_t accepted[MUTATE_KINDS], proved[MUTATE_KINDS];   // by the verifier; by Arb too
  uint64_t wrong;
} mutation_tally_t;

/// Certificates of FREE.
void mutations_run(uint64_t seed, uint64_t count, mutation_tally_t * tally);
/// Witnesses of COLLISION.
void mutations_run_witnesses(uint64_t seed, uint64_t count, mutation_tally_t * tally);
void mutations_print(const mutation_tally_t * tally);

#endif  // SUPPORT__MUTATIONS_H_
