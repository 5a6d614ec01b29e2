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

/* A second opinion on proofs: problem and certificate checked in ball arithmetic of 128 bits (Arb),
 * written from the format's description alone. Slow and simple. It believes nothing but the
 * problem's plain data: sets are their primitives, bounds are recomputed.
 *
 * Only where Arb was found (VOUCH_HAVE_ARB). */

#ifndef SUPPORT__ARB_CHECKER_H_
#define SUPPORT__ARB_CHECKER_H_

#include "model/problem.h"

#ifdef VOUCH_HAVE_ARB

#include <arb.h>

typedef struct arb_span_s
{
  uint32_t first, last;     // knots
  uint64_t begin, length;   // in 2^-50 of a segment, when last - first is 1
} arb_span_t;

#define ARB_ONE (UINT64_C(1) << 50)

typedef struct arb_goal_s
{
  uint32_t a, b, body;      // nodes; body VOUCH_NONE: b is a group
  double margin;
  arb_span_t span;
} arb_goal_t;

typedef struct arb_checker_s
{
  const vouch_problem_t * problem;
  const vouch_pair_t * pair;
  arb_ptr pool;
  size_t used;
  const uint8_t * ops;
  size_t left;
  uint64_t leaves;
  double margin;            // that the certificate claims for all pairs
  bool skips;               // goals from here on may be left out
  uint32_t until_segment;
  uint64_t until_tick;
  char reason[128];
} arb_checker_t;

/// One checker at a time.
void arb_checker_init(arb_checker_t * checker, const vouch_problem_t * problem);
/// What all checkers share, at the end of the program.
void arb_checker_release(void);

/// Does this FREE certificate prove its problem? The geometries must have been derived (their
/// balls are used after a check).
bool arb_checker_proves(
  arb_checker_t * checker, const uint8_t * certificate, size_t size);

/// Does this COLLISION certificate show one (and what it says about the time before)? arb_witness.c
bool arb_checker_shows(arb_checker_t * checker, const uint8_t * certificate, size_t size);

/// The pieces: everything before the ops or the witness; ops to the end; the signed crossings of a
/// ray from a point with one component, in the geometry's frame (false: not decided).
bool arb_checker_head(
  arb_checker_t * checker, const uint8_t * certificate, size_t size, uint8_t * kind);
bool arb_checker_trees(arb_checker_t * checker);
bool arb_checker_crossings(
  arb_checker_t * checker, const vouch_geometry_t * geometry, uint32_t component,
  const arb_ptr point[3], const float ray[3], int * sum);

/// The gap of the pair's two nodes along n at a place, without margin and tolerance. Lives until
/// arb_checker_reset().
arb_srcptr arb_checker_gap(
  arb_checker_t * checker, const vouch_pair_t * pair, const arb_goal_t * goal, const double n[3],
  uint32_t segment, uint64_t tick);
/// C without the factor |n|, and l.
void arb_checker_bounds(
  arb_checker_t * checker, const vouch_pair_t * pair, const arb_goal_t * goal, arb_ptr * bend,
  arb_ptr * travel);
/// [speed, bend, variation] of a variable on a span, in its own time.
void arb_checker_variable(
  arb_checker_t * checker, uint32_t variable, const arb_span_t * span, arb_ptr out[3]);
void arb_checker_reset(arb_checker_t * checker);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_CHECKER_H_
