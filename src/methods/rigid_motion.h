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

/* Storage follows the degree and the rounding bounds grow with it, so that the limit is not theirs:
 * binomials leave binary64 at 1030, and one halving costs the square of the degree. */
#define RIGID_MAX_DEGREE 1000
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
  double jump[2];          // the segment before ends within jump[0] |x| + jump[1] of its begin
  size_t degree;
  double (*h)[13];         // degree + 1 coefficients: w, w A (rows), w a
  double largest[3];       // over all coefficients: w, |w A| (Frobenius), |w a|; rounded up
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
  double weight[2];            // Bezier: smallest and largest w; screw: 1
  double size[2];              // largest |A| (Frobenius) and |a| of all control points, rounded up
  /// Rounding: the displacement in at[] takes each x to within error[0] |x| + error[1] of where the
  /// segment has it. The segment's own stated error comes on top.
  double error[2];
  /// Bezier: how far each stored coefficient may be from the true one (w, wA as Frobenius norm,
  /// wa).
  double coefficient_error[3];
  double (*h)[13];             // Bezier: degree + 1 coefficients, in a room
} motion_piece_t;

/// Pieces of one segment with room for their coefficients, made once before the work begins.
typedef struct motion_room_s
{
  motion_piece_t * pieces;
  size_t count;
  double (*rows)[13];          // NULL for a screw, which needs none
  vouch_allocator_t allocator;
} motion_room_t;

/// Nothing is written yet: motion_piece_init(), _split() and _copy() fill the pieces.
vouch_ret_t motion_room_init(
  motion_room_t * room, const vouch_allocator_t * allocator, const rigid_segment_t * segment,
  size_t count) VOUCH_WARN_UNUSED;
/// Legal for a room that is all zero.
void motion_room_fini(motion_room_t * room);

/// The whole segment. A piece of a Bezier segment must lie in a room made for that segment, here
/// and below.
void motion_piece_init(motion_piece_t * piece, const rigid_segment_t * segment);
void motion_piece_copy(motion_piece_t * to, const motion_piece_t * from);
/// Halves at the middle. `right` may be `piece` itself.
void motion_piece_split(
  const motion_piece_t * piece, motion_piece_t * left, motion_piece_t * right);
/// Cuts out [from, to] by repeated halving; the ends must be dyadic neighbours of one level.
/// `spare` is another piece of the same room.
void motion_piece_restrict(
  motion_piece_t * piece, motion_piece_t * spare, double from, double to);

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
/// Frobenius or Euclidean norm of the first `count` numbers, rounded up.
double motion_norm(const double * v, int count);
/// A positive multiple of the homogeneous displacement at `t` (0 to 1), see [R-MIDDLE].
void bezier_at(const double(*h)[13], size_t degree, double t, double out[13]);
/// A(t) is proved to be regular at all times of a Bezier segment; *regular false means that it is
/// not, or is too nearly singular to tell.
vouch_ret_t segment_is_regular(
  const rigid_segment_t * segment, const vouch_allocator_t * allocator,
  bool * regular) VOUCH_WARN_UNUSED;
/// The displacement at the begin (0) or the end (1) of a segment, rounded.
vouch_affine_t segment_end(const rigid_segment_t * segment, int end);
/// How far segment_end() takes each x from where the segment has it: error[0] |x| + error[1].
void segment_end_error(const rigid_segment_t * segment, int end, double error[2]);
/// The screw's displacement at `fraction`, rounded.
vouch_affine_t segment_screw_at(const rigid_segment_t * segment, double fraction);
/// The shortest screw from one pose to another; INVALID near a half turn.
vouch_ret_t screw_between(
  const vouch_pose_t * from, const vouch_pose_t * to, vouch_screw_t * out) VOUCH_WARN_UNUSED;
/// INVALID for non-finite numbers, |q| off 1 by more than 1e-3, coordinates above 1e6.
vouch_ret_t pose_validate(const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

#endif  // METHODS__RIGID_MOTION_H_
