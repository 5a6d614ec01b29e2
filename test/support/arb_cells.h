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

/* Problems and proofs that nobody but the tests made: files written from the format's description
 * alone (arb_cells.c), and proved by a simple search that asks the judge's own leaf test
 * (arb_prover.c). Boxes, solid and open meshes, round shapes, planes; bodies alone and in groups,
 * of which pairs skip some; turning, sliding and mimic joints; splines, several segments, jumps. A
 * source of files that needs no producer. */

#ifndef SUPPORT__ARB_CELLS_H_
#define SUPPORT__ARB_CELLS_H_

#include "support/arb_file.h"
#include "support/random.h"

typedef struct arb_bytes_s
{
  uint8_t * data;
  size_t size, capacity;
} arb_bytes_t;

void arb_bytes_put(arb_bytes_t * bytes, const void * data, size_t size);
void arb_bytes_u32(arb_bytes_t * bytes, uint32_t x);
void arb_bytes_free(arb_bytes_t * bytes);

/// Bodies are far from each other; near, so that they are likely to meet; or one moves inside of a
/// hollow solid and touches none of its triangles.
typedef enum arb_cell_e { ARB_CELL_FAR, ARB_CELL_NEAR, ARB_CELL_INSIDE } arb_cell_t;

arb_bytes_t arb_cell_problem(test_random_t * random, arb_cell_t cell);

#ifdef VOUCH_HAVE_ARB

/// A certificate of that kind (1 FREE, 2 COLLISION) for the problem; false: the search found none.
/// kind 0: a FREE that takes any ray, whether it shows the body outside or inside, or opens a body
/// before a group at a start.
bool arb_cell_prove(
  test_random_t * random, const arb_bytes_t * problem, uint32_t kind, arb_bytes_t * certificate);

/// Tries problems until one has a certificate of that kind.
void arb_cell_make(
  test_random_t * random, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_CELLS_H_
