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

/* TRUSTED. Pieces of a motion: the displacements at begin, middle and end with their errors. All
 * bounds hold for every degree d with d (level + 3) u < 1e-3.
 *
 * [R-CASTELJAU] Halving computes averages fl(fl(a + b) / 2). The sum of two vectors of norm at most
 * M errs by at most u in each entry relative to itself, so that the average errs by u M in norm; an
 * average of two vectors that are off by e is off by e. A coefficient is the result of at most d
 * rows, so each halving adds at most d u M (1 + u)^d. Parents' coefficients bound those of their
 * pieces, so M is that of the segment. coefficient_error holds 2 d u M per level (twice, for the
 * second-order terms), separately for w, wA and wa.
 * [R-MIDDLE] bezier_at() adds up b_i h_i with b_i / b_m = C(d, i) / C(d, m) t^(i-m) (1-t)^(m-i)
 * from the largest m outwards; displacements are quotients, so that b_m may be 1. All terms are
 * positive multiples. At t = 1/2 each step outwards is one product and one quotient, at most (d +
 * 1) / 2 of them, so that b_i is off by (d + 1) u of itself; products and d sums add (d + 1) u. In
 * all (2 d + 2) u <= 4 d u of the sum of b_i |h_i|, which is what two levels more are charged.
 * At other t a step has three roundings more, so that vouch_rigid_motion_at() errs by at most
 * (6 d + 2) u (M_A + |A| M_w) / w; there a b_i may underflow, which is below 2^-1021 of b_m.
 * [R-POSE] A = (wA)/w with w >= w_min > 0: |dA| <= (e_A + |A| e_w) / w_min + 2u|A|; the same for a.
 * [R-SCREW] Rotation of a unit quaternion, Rodrigues, product of two rotations: below 64u in the
 * Frobenius norm; the angle t b errs by u |b|, sine and cosine by 2^-52. Charged: 2^-46 (1 + |b|),
 * translations the same times the lengths that enter. */

#include "methods/rigid_motion.h"

#include <string.h>

#include "base/fpguard.h"
#include "base/memory.h"

#define ROUND_OFF 0x1p-53

double motion_norm(const double * v, int count)
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

static void add_multiple(double sum[13], double factor, const double h[13])
{
  for (int k = 0; k < 13; k++) {
    sum[k] += factor * h[k];
  }
}

/* [R-MIDDLE] */
void bezier_at(const double(*h)[13], size_t degree, double t, double out[13])
{
  double d = (double)degree, place = floor((d + 1.0) * t);
  size_t top = place > 0.0 ? (size_t)(place < d ? place : d) : 0;
  double up = t / (1.0 - t), down = (1.0 - t) / t, b = 1.0;
  memcpy(out, h[top], 13 * sizeof(double));
  for (size_t i = top + 1; i <= degree; i++) {
    b *= (double)(degree - i + 1) * up;
    b /= (double)i;
    add_multiple(out, b, h[i]);
  }
  b = 1.0;
  for (size_t i = top; i > 0; i--) {
    b *= (double)i * down;
    b /= (double)(degree - i + 1);
    add_multiple(out, b, h[i - 1]);
  }
}

vouch_affine_t segment_end(const rigid_segment_t * segment, int end)
{
  vouch_affine_t g;
  if (segment->kind == SEGMENT_SCREW) {
    return segment_screw_at(segment, (double)end);
  }
  affine_from_homogeneous(segment->h[end == 0 ? 0 : segment->degree], &g);
  return g;
}

/* [R-SCREW] */
static void screw_error(const rigid_segment_t * segment, double error[2])
{
  const vouch_screw_t * screw = &segment->screw;
  double lengths = vec3_norm(vec3_from(screw->point)) * 2.0 +
    vec3_norm(segment->start.translation) + fabs(screw->travel);
  error[0] = 0x1p-46 * (1.0 + fabs(screw->angle));
  error[1] = error[0] * lengths;
}

/* The ends of a Bezier segment are quotients of its first or last coefficients. */
void segment_end_error(const rigid_segment_t * segment, int end, double error[2])
{
  if (segment->kind == SEGMENT_SCREW) {
    screw_error(segment, error);
    return;
  }
  const vouch_affine_t g = segment_end(segment, end);
  error[0] = 4.0 * ROUND_OFF * motion_norm(&g.m[0], 9);
  error[1] = 4.0 * ROUND_OFF * motion_norm(&g.m[9], 3);
}

/* [R-CASTELJAU], [R-MIDDLE], [R-POSE]: two levels more are charged than were done, for the
 * middle. */
static void bezier_finish(motion_piece_t * piece)
{
  const rigid_segment_t * segment = piece->segment;
  size_t degree = segment->degree;
  double smallest = INFINITY, largest = 0.0, linear = 0.0, shift = 0.0;
  for (size_t i = 0; i <= degree; i++) {
    double w = piece->h[i][0];
    double a = motion_norm(&piece->h[i][1], 9) / w, b = motion_norm(&piece->h[i][10], 3) / w;
    smallest = w < smallest ? w : smallest;
    largest = w > largest ? w : largest;
    linear = a > linear ? a : linear;
    shift = b > shift ? b : shift;
  }
  double rounds = 2.0 * ROUND_OFF * (double)degree * (double)(piece->level + 2);
  for (int k = 0; k < 3; k++) {
    piece->coefficient_error[k] = rounds * segment->largest[k];
  }
  const double * e = piece->coefficient_error;
  double middle[13];
  bezier_at((const double(*)[13])piece->h, degree, 0.5, middle);
  affine_from_homogeneous(piece->h[0], &piece->at[0]);
  affine_from_homogeneous(middle, &piece->at[1]);
  affine_from_homogeneous(piece->h[degree], &piece->at[2]);
  piece->weight[0] = smallest;
  piece->weight[1] = largest;
  piece->size[0] = linear;
  piece->size[1] = shift;
  double safe = smallest - e[0];
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

static void screw_finish(motion_piece_t * piece)
{
  const rigid_segment_t * segment = piece->segment;
  double times[3] = {piece->from, 0.5 * (piece->from + piece->to), piece->to};
  for (int k = 0; k < 3; k++) {
    piece->at[k] = segment_screw_at(segment, times[k]);
  }
  screw_error(segment, piece->error);
  piece->weight[0] = piece->weight[1] = 1.0;
  piece->size[0] = piece->size[1] = 0.0;
  for (int k = 0; k < 3; k++) {
    piece->size[0] = fmax(piece->size[0], motion_norm(&piece->at[k].m[0], 9));
    piece->size[1] = fmax(piece->size[1], motion_norm(&piece->at[k].m[9], 3));
  }
}

vouch_ret_t motion_room_init(
  motion_room_t * room, const vouch_allocator_t * allocator, const rigid_segment_t * segment,
  size_t count)
{
  bool bezier = segment->kind == SEGMENT_BEZIER;
  *room = (motion_room_t) {.allocator = *allocator, .count = count};
  /* Each is written before it is read; most are never used, so they are not zeroed. */
  room->pieces = vouch_realloc(allocator, NULL, count, sizeof(motion_piece_t));
  if (bezier && room->pieces != NULL) {
    room->rows = vouch_realloc(
      allocator, NULL, count * (segment->degree + 1), sizeof(room->rows[0]));
  }
  if (room->pieces == NULL || (bezier && room->rows == NULL)) {
    motion_room_fini(room);
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    room->pieces[i].h = bezier ? &room->rows[i * (segment->degree + 1)] : NULL;
  }
  return VOUCH_RET_OK;
}

void motion_room_fini(motion_room_t * room)
{
  if (room->pieces != NULL) {
    vouch_free(&room->allocator, room->rows);
    vouch_free(&room->allocator, room->pieces);
  }
  room->pieces = NULL;
  room->rows = NULL;
}

void motion_piece_copy(motion_piece_t * to, const motion_piece_t * from)
{
  double(*h)[13] = to->h;
  *to = *from;
  to->h = h;
  if (from->segment->kind == SEGMENT_BEZIER) {
    memcpy(h, from->h, (from->segment->degree + 1) * sizeof(h[0]));
  }
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

/* left[r] is the first of row r; what is left in `right` after the last row is its right end. */
static void halve_rows(double(*left)[13], double(*right)[13], size_t degree)
{
  double * p = &right[0][0];
  for (size_t r = 0; r <= degree; r++) {
    size_t count = 13 * (degree - r);
    memcpy(left[r], p, sizeof(left[0]));
    for (size_t j = 0; j < count; j++) {
      p[j] = 0.5 * (p[j] + p[j + 13]);
    }
  }
}

void motion_piece_split(
  const motion_piece_t * piece, motion_piece_t * left, motion_piece_t * right)
{
  const rigid_segment_t * segment = piece->segment;
  double from = piece->from, to = piece->to, middle = 0.5 * (from + to);
  uint32_t level = piece->level + 1;
  if (right != piece) {
    motion_piece_copy(right, piece);
  }
  left->segment = segment;
  left->from = from;
  left->to = right->from = middle;
  right->to = to;
  left->level = right->level = level;
  if (segment->kind == SEGMENT_BEZIER) {
    halve_rows(left->h, right->h, segment->degree);
    bezier_finish(left);
    bezier_finish(right);
  } else {
    memset(left->coefficient_error, 0, sizeof(left->coefficient_error));
    screw_finish(left);
    screw_finish(right);
  }
}

void motion_piece_restrict(motion_piece_t * piece, motion_piece_t * spare, double from, double to)
{
  while (piece->level < RIGID_MAX_LEVEL && (piece->from < from || piece->to > to)) {
    motion_piece_split(piece, spare, piece);
    if (from < piece->from) {
      motion_piece_copy(piece, spare);
    }
  }
}
