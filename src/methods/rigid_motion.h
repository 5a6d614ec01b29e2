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

/* Motions of one rigid body, and pieces of them as the methods see them.
 *
 * A Bezier segment keeps homogeneous coefficients (w, wA, wa): x(t) = sum B_i w_i (A_i x + a_i) /
 * sum B_i w_i. A screw segment keeps its start and its screw. Both are the model: what is proved
 * is about these binary64 numbers, plus `error`, a stated deviation that the proof must survive. */

#ifndef METHODS__RIGID_MOTION_H_
#define METHODS__RIGID_MOTION_H_

#include "geometry/vec.h"
#include "vouch/rigid.h"

#define RIGID_MAX_DEGREE 24
#define RIGID_MAX_LEVEL 50

typedef enum segment_kind_e
{
  SEGMENT_BEZIER = 0,
  SEGMENT_SCREW = 1
} segment_kind_t;

typedef struct rigid_segment_s
{
  segment_kind_t kind;
  double start_s, duration_s;
  double error[2];         // every x within error[0] |x| + error[1] of the stored motion
  size_t degree;
  double (*h)[13];         // degree + 1 coefficients: w, w A (rows), w a
  vouch_screw_t screw;     // the model is the exact rotation of q/|q| and the exact axis z/|z|
  rigid_t start;           // rounded from screw.start
  vec3_t axis;             // screw.direction, normalised
} rigid_segment_t;

struct vouch_rigid_motion_s
{
  vouch_allocator_t allocator;
  rigid_segment_t * segments;
  size_t count, capacity;
};

/// Part [from, to] of a segment, ends dyadic and exact.
typedef struct motion_piece_s
{
  const rigid_segment_t * segment;
  double from, to;
  uint32_t level;              // to - from = 2^-level
  vouch_affine_t at[3];        // begin, middle, end; rounded
  double weight[2];            // Bezier: w at both ends; screw: 1
  /// Rounding: the displacement in at[] takes each x to within error[0] |x| + error[1] of where the
  /// segment has it. The segment's own stated error comes on top.
  double error[2];
  /// Bezier: how far each stored coefficient may be from the true one (w, wA as Frobenius norm,
  /// wa).
  double coefficient_error[3];
  double h[RIGID_MAX_DEGREE + 1][13];
} motion_piece_t;

void motion_piece_init(motion_piece_t * piece, const rigid_segment_t * segment);
/// Halves at the middle. `right` may be `piece` itself.
void motion_piece_split(
  const motion_piece_t * piece, motion_piece_t * left, motion_piece_t * right);
/// Cuts out [from, to] by repeated halving; the ends must be dyadic neighbours of one level.
void motion_piece_restrict(motion_piece_t * piece, double from, double to);

static inline vec3_t affine_apply(const vouch_affine_t * g, vec3_t p)
{
  const double * m = g->m;
  return vec3(
    m[0] * p.x + m[1] * p.y + m[2] * p.z + m[9], m[3] * p.x + m[4] * p.y + m[5] * p.z + m[10],
    m[6] * p.x + m[7] * p.y + m[8] * p.z + m[11]);
}
static inline vec3_t affine_linear(const vouch_affine_t * g, vec3_t p)
{
  const double * m = g->m;
  return vec3(
    m[0] * p.x + m[1] * p.y + m[2] * p.z, m[3] * p.x + m[4] * p.y + m[5] * p.z,
    m[6] * p.x + m[7] * p.y + m[8] * p.z);
}
/// transpose(A) n
static inline vec3_t affine_tmul(const vouch_affine_t * g, vec3_t n)
{
  const double * m = g->m;
  return vec3(
    m[0] * n.x + m[3] * n.y + m[6] * n.z, m[1] * n.x + m[4] * n.y + m[7] * n.z,
    m[2] * n.x + m[5] * n.y + m[8] * n.z);
}

vouch_affine_t affine_from_rigid(const rigid_t * g);
double affine_determinant(const vouch_affine_t * g);
/// The screw's displacement at `fraction`, rounded.
vouch_affine_t segment_screw_at(const rigid_segment_t * segment, double fraction);
/// The shortest screw from one pose to another; INVALID near a half turn.
vouch_ret_t screw_between(
  const vouch_pose_t * from, const vouch_pose_t * to, vouch_screw_t * out) VOUCH_WARN_UNUSED;
/// INVALID for non-finite numbers, |q| off 1 by more than 1e-3, coordinates above 1e6.
vouch_ret_t pose_validate(const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

#endif  // METHODS__RIGID_MOTION_H_
