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

/* The judge: a second opinion on proofs, in ball arithmetic of 128 bits (Arb), written from the
 * format's description and the lemmas alone. Slow and simple. It believes nothing but the problem's
 * plain numbers: the set that a node means is the union of the primitives beneath it, so lists and
 * witnesses of inner nodes do not enter, but to make boxes of groups larger, as the format has
 * them; solids are closed when their directed edges cancel, so twins do not enter; |n| is that of
 * the direction at hand. Where it is more lenient than the verifier, the lemma still holds; what it
 * accepts is a proof.
 *
 * Only where Arb was found (VOUCH_HAVE_ARB). */

#ifndef SUPPORT__ARB_CHECKER_H_
#define SUPPORT__ARB_CHECKER_H_

#include "support/arb_file.h"

#ifdef VOUCH_HAVE_ARB

#include <arb.h>

typedef struct arb_verdict_s
{
  uint64_t leaves, rays;    // that hold
  char reason[128];         // why it is no proof
} arb_verdict_t;

/// Whether the certificate proves what it claims about the problem. Both are the bytes of files.
bool arb_judge(
  const void * problem, size_t problem_size, const void * certificate, size_t certificate_size,
  arb_verdict_t * verdict);
/// Gives back what all judges share.
void arb_judge_release(void);

/* ---- its parts, for those who compare numbers ---- */

typedef struct arb_span_s
{
  uint64_t begin, end;      // ticks
} arb_span_t;

/// Of bodies or groups, numbered as pairs do; nodes are those of bodies, and 0 of groups.
typedef struct arb_goal_s
{
  uint32_t pair, thing[2], node[2];
} arb_goal_t;

/// Whose pose or box is kept: `serial` is the checker's.
typedef struct arb_kept_s
{
  uint64_t serial, tick;
  uint32_t frame;
  bool before;
} arb_kept_t;

typedef struct arb_checker_s
{
  const arb_file_t * file;
  arb_ptr pool;
  arb_kept_t * kept;   // poses and boxes, behind the pool
  uint64_t serial;
  size_t used;
  const uint8_t * ops;
  size_t left;
  uint64_t t_lo;
  arb_verdict_t * verdict;
} arb_checker_t;

/// The file must outlive the checker; there is nothing to close.
void arb_checker_init(arb_checker_t * checker, const arb_file_t * file, arb_verdict_t * verdict);
/// Numbers that were handed out are lost.
void arb_checker_reset(arb_checker_t * checker);

/// min over B of n.y less max over A of n.x at a tick, n as a leaf has it. before: at a knot, at
/// the end of the segment before it.
arb_ptr arb_checker_gap(
  arb_checker_t * checker, const arb_goal_t * goal, const double n[3], uint64_t tick, bool before);
/// [L7] The box of a group in the frame that its bodies ride on: lower ends, then upper ones.
void arb_checker_box(arb_checker_t * checker, uint32_t group, arb_ptr box[6]);
/// The goal with which the proof of a pair begins.
arb_goal_t arb_checker_roots(const arb_file_t * file, uint32_t pair);
/// [L1, L3, L10] C/|n|, l, tau of a pair.
void arb_checker_bounds(
  arb_checker_t * checker, uint32_t pair, const arb_span_t * span, arb_ptr out[3]);
/// |q'|, half |q''| with kinks, total variation of a variable, in the span's own time.
void arb_checker_variable(
  arb_checker_t * checker, uint32_t variable, const arb_span_t * span, arb_ptr out[3]);
/// [L11] How far two things have grown together at that tick.
arb_ptr arb_checker_grown(
  arb_checker_t * checker, const uint32_t things[2], uint64_t tick);
/// [L2, L3, L9] The goal is apart on the span by its margin and `slack`, along n[0] (L) or along
/// n[0] and n[1] at its ends (D).
bool arb_checker_leaf(
  arb_checker_t * checker, const arb_goal_t * goal, const arb_span_t * span, double n[2][3],
  bool chord, double slack);
/// [L8] How often a solid of one body is around a vertex of another, by a ray in the frame of the
/// solid's geometry. False: the ray decides nothing.
bool arb_checker_winding(
  arb_checker_t * checker, const uint32_t bodies[2], uint32_t solid, uint32_t vertex, uint64_t tick,
  bool before, const float ray[3], int * sum);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_CHECKER_H_
