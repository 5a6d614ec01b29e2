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

/* What the parts of the search for proofs share. */

#ifndef SUPPORT__ARB_PROVER_H_
#define SUPPORT__ARB_PROVER_H_

#include "support/arb_cells.h"

#ifdef VOUCH_HAVE_ARB

#include "support/arb_frames.h"

typedef struct
{
  ac_t c;
  test_random_t * random;
  const uint8_t * problem;
  arb_bytes_t ops;
  uint32_t op_count;
  uint64_t t_lo;
  bool open;     // t_lo is before the end: S is allowed
  bool cheats;   // takes rays that show a body inside, or opens a body before a group to owe none
} prover_t;

/* ---- bodies at a time, in binary64 ---- */

typedef struct
{
  double r[9], t[3];
} pose_t;

static inline double dot3(const double * a, const double * b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void back3(const pose_t * p, const double * v, double * out)
{
  for (int i = 0; i < 3; i++) {
    out[i] = p->r[i] * v[0] + p->r[3 + i] * v[1] + p->r[6 + i] * v[2];
  }
}

/// Of a body, or of the frame that a group rides on.
pose_t arb_prover_pose(ac_t * c, uint32_t thing, uint64_t tick, bool before);

/// The point of a primitive that is furthest along d: its place in the list and its u; where it is
/// in the world.
void arb_prover_furthest(
  const arb_geometry_t * g, const arb_node_t * n, const pose_t * p, const double d[3],
  arb_point_t * at, double x[3]);

/// Looks for points, or a ray, that show a contact of the witness's bodies at its time.
bool arb_prover_contact(prover_t * p, arb_proof_t * witness);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_PROVER_H_
