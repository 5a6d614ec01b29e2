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

/* TRUSTED. Pieces of a motion: the displacements at begin, middle and end with their errors.
 *
 * [R-CASTELJAU] Halving computes averages fl(fl(a + b) / 2), each off by at most u times the
 * largest coefficient M; an average of two values that are off by e is off by e. A coefficient is
 * the result of at most d rows, so each halving adds at most d u M. coefficient_error holds
 * 2 d u M per level (twice, for the second-order terms), separately for w, wA and wa.
 * [R-POSE] A = (wA)/w with w >= w_min > 0: |dA| <= (e_A + |A| e_w) / w_min + 2u|A|; the same for a.
 * [R-SCREW] Rotation of a unit quaternion, Rodrigues, product of two rotations: below 64u in the
 * Frobenius norm; the angle t b errs by u |b|, sine and cosine by 2^-52. Charged: 2^-46 (1 + |b|),
 * translations the same times the lengths that enter. */

#include "methods/rigid_motion.h"

#include <string.h>

#include "base/fpguard.h"

#define ROUND_OFF 0x1p-53

static double norm_of(const double * v, int count)
{
  double sum = 0.0;
  for (int i = 0; i < count; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum) * (1.0 + 0x1p-45);
}

static void affine_from_homogeneous(const double h[13], vouch_affine_t * g)
{
  for (int i = 0; i < 12; i++) {
    g->m[i] = h[1 + i] / h[0];
  }
}

/// The curve's middle: the last average of de Casteljau.
static void bezier_middle(const motion_piece_t * piece, double middle[13])
{
  size_t degree = piece->segment->degree;
  double row[RIGID_MAX_DEGREE + 1][13];
  memcpy(row, piece->h, (degree + 1) * sizeof(row[0]));
  for (size_t r = degree; r > 0; r--) {
    for (size_t i = 0; i < r; i++) {
      for (int k = 0; k < 13; k++) {
        row[i][k] = 0.5 * (row[i][k] + row[i + 1][k]);
      }
    }
  }
  memcpy(middle, row[0], sizeof(row[0]));
}

/* [R-CASTELJAU], [R-POSE]: one level more is charged than was done, for the middle. */
static void bezier_finish(motion_piece_t * piece)
{
  const rigid_segment_t * segment = piece->segment;
  size_t degree = segment->degree;
  double largest[3] = {0.0, 0.0, 0.0}, smallest_weight = INFINITY, linear = 0.0, shift = 0.0;
  for (size_t i = 0; i <= degree; i++) {
    double w = piece->h[i][0];
    double a = norm_of(&piece->h[i][1], 9), b = norm_of(&piece->h[i][10], 3);
    largest[0] = fmax(largest[0], w);
    largest[1] = fmax(largest[1], a);
    largest[2] = fmax(largest[2], b);
    smallest_weight = fmin(smallest_weight, w);
    linear = fmax(linear, a / w);
    shift = fmax(shift, b / w);
  }
  /* The largest coefficient of a piece is at most that of its parents; parents are what counts. */
  for (size_t i = 0; i <= degree && piece->level > 0; i++) {
    largest[0] = fmax(largest[0], segment->h[i][0]);
    largest[1] = fmax(largest[1], norm_of(&segment->h[i][1], 9));
    largest[2] = fmax(largest[2], norm_of(&segment->h[i][10], 3));
  }
  double rounds = 2.0 * ROUND_OFF * (double)degree * (double)(piece->level + 1);
  for (int k = 0; k < 3; k++) {
    piece->coefficient_error[k] = rounds * largest[k];
  }
  const double * e = piece->coefficient_error;
  double middle[13];
  bezier_middle(piece, middle);
  affine_from_homogeneous(piece->h[0], &piece->at[0]);
  affine_from_homogeneous(middle, &piece->at[1]);
  affine_from_homogeneous(piece->h[degree], &piece->at[2]);
  piece->weight[0] = piece->h[0][0];
  piece->weight[1] = piece->h[degree][0];
  double safe = smallest_weight - e[0];
  piece->error[0] = ((e[1] + linear * e[0]) / safe + 4.0 * ROUND_OFF * linear) * 1.001;
  piece->error[1] = ((e[2] + shift * e[0]) / safe + 4.0 * ROUND_OFF * shift) * 1.001;
  if (!(safe > 0.0)) {
    piece->error[0] = piece->error[1] = INFINITY;
  }
}

vouch_affine_t segment_screw_at(const rigid_segment_t * segment, double fraction)
{
  const vouch_screw_t * screw = &segment->screw;
  mat3_t turn = mat3_from_axis_angle(segment->axis, fraction * screw->angle);
  vec3_t point = vec3_from(screw->point);
  vec3_t arm = mat3_mul_vec(&turn, vec3_sub(segment->start.translation, point));
  vec3_t shift = vec3_scale(segment->axis, fraction * screw->travel);
  rigid_t g = {
    .rotation = mat3_mul(&turn, &segment->start.rotation),
    .translation = vec3_add(vec3_add(point, arm), shift)
  };
  return affine_from_rigid(&g);
}

/* [R-SCREW] */
static void screw_finish(motion_piece_t * piece)
{
  const rigid_segment_t * segment = piece->segment;
  const vouch_screw_t * screw = &segment->screw;
  double times[3] = {piece->from, 0.5 * (piece->from + piece->to), piece->to};
  for (int k = 0; k < 3; k++) {
    piece->at[k] = segment_screw_at(segment, times[k]);
  }
  double lengths = vec3_norm(vec3_from(screw->point)) * 2.0 +
    vec3_norm(segment->start.translation) + fabs(screw->travel);
  double unit = 0x1p-46 * (1.0 + fabs(screw->angle));
  piece->error[0] = unit;
  piece->error[1] = unit * lengths;
  piece->weight[0] = piece->weight[1] = 1.0;
}

void motion_piece_init(motion_piece_t * piece, const rigid_segment_t * segment)
{
  piece->segment = segment;
  piece->from = 0.0;
  piece->to = 1.0;
  piece->level = 0;
  memset(piece->coefficient_error, 0, sizeof(piece->coefficient_error));
  if (segment->kind == SEGMENT_SCREW) {
    screw_finish(piece);
    return;
  }
  memcpy(piece->h, segment->h, (segment->degree + 1) * sizeof(piece->h[0]));
  bezier_finish(piece);
}

void motion_piece_split(
  const motion_piece_t * piece, motion_piece_t * left, motion_piece_t * right)
{
  const rigid_segment_t * segment = piece->segment;
  double from = piece->from, to = piece->to, middle = 0.5 * (from + to);
  uint32_t level = piece->level + 1;
  size_t degree = segment->degree;
  left->segment = segment;
  if (right != piece) {
    right->segment = segment;
    memset(right->coefficient_error, 0, sizeof(right->coefficient_error));
  }
  memset(left->coefficient_error, 0, sizeof(left->coefficient_error));
  if (segment->kind == SEGMENT_BEZIER) {
    if (right != piece) {
      memcpy(right->h, piece->h, (degree + 1) * sizeof(piece->h[0]));
    }
    for (size_t r = 0; r <= degree; r++) {
      memcpy(left->h[r], right->h[0], sizeof(left->h[0]));
      for (size_t i = 0; i + r < degree; i++) {
        for (int k = 0; k < 13; k++) {
          right->h[i][k] = 0.5 * (right->h[i][k] + right->h[i + 1][k]);
        }
      }
    }
  }
  left->from = from;
  left->to = right->from = middle;
  right->to = to;
  left->level = right->level = level;
  if (segment->kind == SEGMENT_BEZIER) {
    bezier_finish(left);
    bezier_finish(right);
  } else {
    screw_finish(left);
    screw_finish(right);
  }
}

void motion_piece_restrict(motion_piece_t * piece, double from, double to)
{
  motion_piece_t left;
  while (piece->level < RIGID_MAX_LEVEL && (piece->from < from || piece->to > to)) {
    motion_piece_split(piece, &left, piece);
    if (from < piece->from) {
      *piece = left;
    }
  }
}
