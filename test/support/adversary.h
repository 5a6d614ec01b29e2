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

/* Motions whose truth is known by construction, made to be as nasty as possible: grazing, kissing,
 * thin plates, sliding, coaxial turning, at scales from a millimetre to a kilometre, with all joint
 * types, all shapes, splines and kinks. Used by the short and by the long test.
 *
 * Families:
 *   kiss      a random chain (or two branches) follows a random motion; an obstacle is placed so
 *             that at one time a point of the moving body lies just inside it, tangentially.
 *             Always a contact.
 *   slide     a body passes over a flat face; its lowest point is `gap` above it, or above the depth
 *             to which it may enter (a pair margin below 0: never a COLLISION).
 *   swing     a body turns about an axis; its farthest point passes a wall at `gap`.
 *   approach  a body stops short of a wall; margin, tolerance and what the wall grows use up the
 *             rest but `gap`.
 * gap < 0: FREE is wrong. gap > 0: COLLISION is wrong. */

#ifndef SUPPORT__ADVERSARY_H_
#define SUPPORT__ADVERSARY_H_

#include "support/cell.h"
#include "support/random.h"
#include "vouch/vouch.h"

enum {ADVERSARY_KISS, ADVERSARY_SLIDE, ADVERSARY_SWING, ADVERSARY_APPROACH, ADVERSARY_FAMILIES};

typedef struct adversary_tally_s
{
  uint64_t cases;
  uint64_t touching[ADVERSARY_FAMILIES];    // truth: contact, or nearer than allowed
  uint64_t apart[ADVERSARY_FAMILIES];       // truth: apart
  uint64_t proved[ADVERSARY_FAMILIES];      // of the ones apart: FREE
  uint64_t shown[ADVERSARY_FAMILIES];       // of the others: COLLISION
  uint64_t entered[3];                      // with a permitted touch; no deeper; of these: FREE
  uint64_t grown[3];                        // with a growing wall; of these: COLLISION, FREE
  uint64_t verified;                        // certificates that the verifier accepted
  uint64_t refused;                         // certificates that it did not
  uint64_t wrong;
} adversary_tally_t;

/// Runs `count` cases from a seed (every case prints its own seed when it is wrong).
/// verify_every: how often a FREE is given to the verifier; 0: never.
void adversary_run(
  uint64_t seed, uint64_t count, uint64_t verify_every, adversary_tally_t * tally);
void adversary_print(const adversary_tally_t * tally);

/// A whole random problem: a chain or two, a few obstacles of all shapes, margin, tolerances, and a
/// motion of which nothing is known. Close the cell afterwards.
cell_t adversary_problem(test_random_t * random, vouch_check_options_t * options);

#endif  // SUPPORT__ADVERSARY_H_
