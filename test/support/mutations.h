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

/* Proofs that are tampered with. Files are taken from a source, a byte or a number of them is
 * changed (mutations.c, mutations_problem.c), and the hashes are put right again, so that only the
 * proof can be at fault. What the verifier still accepts must still be a proof by the judge
 * (arb_checker.h). Numbers are also driven to the edge: as far as the verifier accepts them. Used
 * by the short and by the long test. */

#ifndef SUPPORT__MUTATIONS_H_
#define SUPPORT__MUTATIONS_H_

#include "support/arb_cells.h"

enum
{
  MUTATE_OPS_BIT, MUTATE_HEAD_BIT, MUTATE_UNBOUND_BIT, MUTATE_PROBLEM_BIT, MUTATE_DROP,
  MUTATE_DOUBLE, MUTATE_SWAP, MUTATE_TURN, MUTATE_TAG, MUTATE_CUT, MUTATE_T_LO, MUTATE_SHIFT,
  MUTATE_FRAME, MUTATE_LINK, MUTATE_BODY, MUTATE_BODY_FRAME, MUTATE_GROUP, MUTATE_GROUP_CHILDREN,
  MUTATE_MARGIN, MUTATE_PAIR, MUTATE_PAIR_AGAIN, MUTATE_LEFT_OUT, MUTATE_LEFT_OUT_MOVED,
  MUTATE_SKIP, MUTATE_SKIP_ADDED, MUTATE_OWN_PAIR, MUTATE_TRAJECTORY, MUTATE_TOLERANCE,
  MUTATE_KNOTS, MUTATE_VERTEX, MUTATE_ROUND, MUTATE_LIST, MUTATE_HULL, MUTATE_TWINS, MUTATE_FLAGS,
  MUTATE_FORGET, MUTATE_WORDS,
  MUTATE_WITNESS_BIT, MUTATE_WITNESS_TIME, MUTATE_WITNESS_BODIES, MUTATE_WITNESS_KIND,
  MUTATE_WITNESS_POINTS, MUTATE_WITNESS_CUT,
  MUTATE_KINDS
};

typedef struct mutation_tally_s
{
  uint64_t bases, mutations, edges, base_leaves;
  uint64_t made[MUTATE_KINDS], refused[MUTATE_KINDS], malformed[MUTATE_KINDS], same[MUTATE_KINDS];
  uint64_t accepted[MUTATE_KINDS], proved[MUTATE_KINDS];   // by the verifier; by the judge too
  uint64_t wrong;
} mutation_tally_t;

/// Problem and certificate of a kind: 1 FREE, 2 COLLISION. False: try again.
typedef bool (* mutation_source_t)(
  test_random_t * random, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate);

/// Files that the tests make themselves; files that the producer makes.
bool mutations_of_cells(
  test_random_t * random, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate);
bool mutations_of_checker(
  test_random_t * random, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate);

void mutations_run(
  mutation_source_t source, uint32_t kind, uint64_t seed, uint64_t count, mutation_tally_t * tally);
void mutations_print(const mutation_tally_t * tally);

/* ---- what the two files share ---- */

typedef struct mutant_s
{
  const arb_file_t * file;      // of the base
  arb_bytes_t problem, certificate;
  size_t ops_at;
  size_t number_at;             // of a binary64 number of the problem that was changed; 0: none
} mutant_t;

/// Changes the problem; false: nothing to change.
bool mutate_problem(test_random_t * random, mutant_t * mutant, int kind);
/// Of either sign, of any size up to `scale`.
double mutation_nudge(test_random_t * random, double scale);

#endif  // SUPPORT__MUTATIONS_H_
