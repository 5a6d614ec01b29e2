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

/* TRUSTED. Is a node of the moving body apart from a node of the fixed one, along a direction n, at
 * one displacement or on a whole piece of a motion? The proofs are in docs/rigid_motions.md.
 *
 * [C-GAP] For all x in A and y in B: n.y - n.g(x) >= support(B) - support(g(A)). The direction
 * must satisfy |n|^2 <= 1 + 2^-21, so that |n| <= N = 1 + 2^-20; a positive gap after subtracting
 * N * extra + N * E means that the distance is more than `extra`. */

#ifndef METHODS__CHORD_TEST_H_
#define METHODS__CHORD_TEST_H_

#include "methods/rigid_body.h"

#define DIRECTION_NORM (1.0 + 0x1p-20)

/// A pair of nodes and what must remain between them.
typedef struct node_pair_s
{
  const vouch_rigid_body_t * moving, * fixed;
  uint32_t a, b;
  double extra;      // metres: margin and tolerance
} node_pair_t;

/// [C-E] A bound on the error of every gap on the piece, in metres, its stated deviation included.
double chord_rounding(
  const motion_piece_t * piece, const vouch_rigid_body_t * moving,
  const vouch_rigid_body_t * fixed);

/// The largest n.g(x) over the node: rounded.
double node_support(
  const vouch_rigid_body_t * body, uint32_t node, const vouch_affine_t * g, vec3_t n);
/// The smallest n.y over the node: rounded.
double node_support_low(const vouch_rigid_body_t * body, uint32_t node, vec3_t n);

/// [C-PLANE] Lower bound of distance minus extra at displacement g, in metres; proves something
/// only if positive. `rounding` is chord_rounding() of the piece that g belongs to.
double plane_gap(
  const node_pair_t * pair, const vouch_affine_t * g, double rounding, vec3_t n);

/// [C-CHORD] Lower bound of distance minus extra over the whole piece; proves something only if
/// positive. *need, if not NULL, is set to the curvature term, for the search.
double chord_gap(
  const node_pair_t * pair, const motion_piece_t * piece, double rounding, vec3_t n,
  double * need);

#endif  // METHODS__CHORD_TEST_H_
