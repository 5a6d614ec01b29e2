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

/* TRUSTED for the bound. A chain of screws that stays within a tolerance of a given motion (Kim and
 * Rossignac 2003, section 2), with a proved bound.
 *
 * For each time the difference e(x) of the two displacements is affine in x, so |e| is largest at a
 * corner of the body's box. For one corner, on a piece of the motion in its own time s,
 *   |e(s)| <= max(|e(0)|, |e(1)|) + max|e''| / 8,   |e''| <= |screw''| + |motion''|,
 * with |screw''| <= (b h)^2 r and the Bernstein bounds for the rational motion (motion_ball.c). The
 * paper evaluates the corners only at samples of time, which is no bound.
 * [R-CHAIN] Coefficients n_i = (wA)_i x + (wa)_i - w_i c are off by what halving left in them, and
 * by less than 16u of the sizes that enter: differences of order k by 2^k times that. Displacements
 * of the screw err as [R-SCREW] says. */

#include <string.h>

#include "base/error.h"
#include "methods/motion_build.h"
#include "methods/rigid_body.h"

#define MAX_SPLITS 24
#define MAX_CHECK 10

static void quaternion_of(const vouch_affine_t * g, double q[4])
{
  const double * m = g->m;
  double trace = m[0] + m[4] + m[8];
  int i = m[4] > m[0] ? 1 : 0;
  i = m[8] > m[4 * i] ? 2 : i;
  if (trace > 0.0) {
    q[3] = 1.0 + trace;
    q[0] = m[7] - m[5];
    q[1] = m[2] - m[6];
    q[2] = m[3] - m[1];
  } else {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1.0 + m[4 * i] - m[4 * j] - m[4 * k];
    q[j] = m[3 * i + j] + m[3 * j + i];
    q[k] = m[3 * i + k] + m[3 * k + i];
    q[3] = m[3 * k + j] - m[3 * j + k];
  }
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int c = 0; c < 4; c++) {
    q[c] /= norm;
  }
}

static vouch_pose_t pose_of(const vouch_affine_t * g)
{
  vouch_pose_t pose;
  quaternion_of(g, pose.rotation);
  memcpy(pose.translation, &g->m[9], sizeof(pose.translation));
  return pose;
}

/// Bounds of n, W and their first two differences on a piece, for one corner.
typedef struct path_s
{
  double n1, n2, w1, w2, w, reach;
} path_t;

/* [R-CHAIN] */
static path_t path_bounds(const motion_piece_t * piece, vec3_t x, vec3_t centre)
{
  const double * e = piece->coefficient_error, * largest = piece->segment->largest;
  size_t degree = piece->segment->degree;
  double d = (double)degree, far = vec3_norm(x), middle = vec3_norm(centre);
  double noise = e[1] * far + e[2] + e[0] * middle +
    0x1p-49 * (largest[1] * far + largest[2] + largest[0] * middle);
  double noise_w = e[0] + 0x1p-49 * largest[0];
  path_t p = {.w = INFINITY};
  vec3_t n[3] = {{0.0, 0.0, 0.0}};
  for (size_t i = 0; i <= degree; i++) {
    vouch_affine_t weighted;
    const double w = piece->h[i][0];
    vec3_t * now = &n[i % 3], last = n[(i + 2) % 3], before = n[(i + 1) % 3];
    memcpy(weighted.m, &piece->h[i][1], sizeof(weighted.m));
    *now = vec3_sub(affine_apply(&weighted, x), vec3_scale(centre, w));
    p.w = fmin(p.w, w - noise_w);
    p.reach = fmax(p.reach, (vec3_norm(*now) + noise) / w);
    if (i >= 1) {
      p.n1 = fmax(p.n1, vec3_norm(vec3_sub(*now, last)));
      p.w1 = fmax(p.w1, fabs(w - piece->h[i - 1][0]));
    }
    if (i >= 2) {
      vec3_t second = vec3_add(vec3_sub(*now, vec3_scale(last, 2.0)), before);
      p.n2 = fmax(p.n2, vec3_norm(second));
      p.w2 = fmax(p.w2, fabs(w - 2.0 * piece->h[i - 1][0] + piece->h[i - 2][0]));
    }
  }
  p.n1 = d * (p.n1 + 2.0 * noise);
  p.w1 = d * (p.w1 + 2.0 * noise_w);
  p.n2 = d * (d - 1.0) * (p.n2 + 4.0 * noise);
  p.w2 = d * (d - 1.0) * (p.w2 + 4.0 * noise_w);
  return p;
}

/// How far a displacement of the screw, applied to x, may be off by rounding.
static double screw_noise(const vouch_screw_t * screw, vec3_t x)
{
  double lengths = 2.0 * vec3_norm(vec3_from(screw->point)) +
    vec3_norm(vec3_from(screw->start.translation)) + fabs(screw->travel) + vec3_norm(x);
  return 0x1p-45 * (1.0 + fabs(screw->angle)) * lengths;
}

/// Bound on the second derivative of the path of x on a screw that turns by `turn`.
static double screw_acceleration(
  const vouch_screw_t * screw, vec3_t axis, double turn, const vec3_t x_placed[2])
{
  vec3_t arm = vec3_sub(x_placed[1], vec3_from(screw->point));
  double radius = vec3_norm(vec3_cross(axis, arm)) + screw_noise(screw, x_placed[0]);
  return turn * turn * radius * (1.0 + 0x1p-40);
}

/// Bound on the second derivative of the path of x, in the piece's own time.
static double acceleration_of(const motion_piece_t * piece, vec3_t x)
{
  vec3_t centre = affine_apply(&piece->at[1], x);
  path_t p = path_bounds(piece, x, centre);
  double speed = (p.n1 + p.reach * p.w1) / p.w;
  double bound = (p.n2 + p.reach * p.w2) / p.w + 2.0 * p.w1 * speed / p.w;
  return p.w > 0.0 ? bound * (1.0 + 0x1p-40) : INFINITY;
}

static double difference(
  const motion_piece_t * piece, int end, const rigid_segment_t * screw, const double span[2],
  vec3_t x)
{
  double time = end == 0 ? piece->from : piece->to;
  vouch_affine_t g = segment_screw_at(screw, (time - span[0]) / (span[1] - span[0]));
  return vec3_norm(vec3_sub(affine_apply(&g, x), affine_apply(&piece->at[end], x)));
}

/// A screw that runs over `span` of a segment, and the corners at which it is compared with it.
typedef struct trial_s
{
  rigid_segment_t screw;
  double span[2];
  const vec3_t * corners;
  double tolerance;
} trial_t;

/* The proved error of the screw against the piece; INFINITY when it exceeds the tolerance. Uses up
 * two pieces of the room after `piece` for each of the `depth` halvings. */
static double chain_error(const trial_t * trial, motion_piece_t * piece, int depth)
{
  const rigid_segment_t * screw = &trial->screw;
  const double * span = trial->span;
  double worst = 0.0, turn = screw->screw.angle * (piece->to - piece->from) / (span[1] - span[0]);
  for (int c = 0; c < 8; c++) {
    vec3_t x = trial->corners[c];
    double ends =
      fmax(difference(piece, 0, screw, span, x), difference(piece, 2, screw, span, x));
    const vec3_t x_placed[2] = {x, rigid_apply(&screw->start, x)};
    double bend = acceleration_of(piece, x) +
      screw_acceleration(&screw->screw, screw->axis, turn, x_placed);
    double noise = piece->error[0] * vec3_norm(x) + piece->error[1] + 1e-12 +
      screw_noise(&screw->screw, x);
    if (!(ends <= trial->tolerance)) {
      return INFINITY;
    }
    worst = fmax(worst, ends + 0.125 * bend + noise);
  }
  if (worst <= trial->tolerance) {
    return worst;
  }
  if (depth == 0) {
    return INFINITY;
  }
  /* The right half first: what it uses up lies behind it, and the left half lies before it. */
  motion_piece_t * left = piece + 1, * right = piece + 2;
  motion_piece_split(piece, left, right);
  double one = chain_error(trial, right, depth - 1);
  return isfinite(one) ? fmax(one, chain_error(trial, left, depth - 1)) : one;
}

typedef struct chain_s
{
  vouch_rigid_motion_t * out;
  vec3_t corners[8];
  double tolerance, error;
} chain_t;

/// Uses up `piece` and those after it in its room.
static vouch_ret_t chain_piece(chain_t * chain, motion_piece_t * piece, int splits)
{
  vouch_pose_t from = pose_of(&piece->at[0]), to = pose_of(&piece->at[2]);
  trial_t trial = {
    .screw = {.kind = SEGMENT_SCREW}, .span = {piece->from, piece->to}, .corners = chain->corners,
    .tolerance = chain->tolerance
  };
  vouch_screw_t * screw = &trial.screw.screw;
  double error = INFINITY;
  if (screw_between(&from, &to, screw) == VOUCH_RET_OK) {
    trial.screw.start = rigid_from_pose(&from);
    trial.screw.axis = vec3_from(screw->direction);
    error = chain_error(&trial, piece, MAX_CHECK);
  }
  if (isfinite(error)) {
    chain->error = fmax(chain->error, error);
    return vouch_rigid_motion_add_screw_axis(
      chain->out, piece->segment->duration_s * (piece->to - piece->from), screw);
  }
  if (splits == 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion cannot be approximated by screws within %g m: it is not rigid, "
      "or turns too fast, near fraction %g", chain->tolerance,
      piece->from);
  }
  motion_piece_split(piece, piece + 1, piece);
  vouch_ret_t ret = chain_piece(chain, piece + 1, splits - 1);
  return ret == VOUCH_RET_OK ? chain_piece(chain, piece, splits - 1) : ret;
}

static vouch_ret_t chain_segment(
  chain_t * chain, const rigid_segment_t * segment, const vouch_allocator_t * allocator)
{
  motion_room_t room;
  if (segment->kind == SEGMENT_SCREW) {
    return vouch_rigid_motion_add_screw_axis(chain->out, segment->duration_s, &segment->screw);
  }
  vouch_ret_t ret = motion_room_init(
    &room, allocator, segment, MAX_SPLITS + 1 + 2 * MAX_CHECK);
  if (ret == VOUCH_RET_OK) {
    motion_piece_init(&room.pieces[0], segment);
    ret = chain_piece(chain, &room.pieces[0], MAX_SPLITS);
    motion_room_fini(&room);
  }
  return ret;
}

vouch_ret_t vouch_rigid_motion_to_screws(
  vouch_rigid_motion_t ** out, const vouch_rigid_motion_t * motion,
  const vouch_rigid_body_t * body, double tolerance_m, double * error_m)
{
  VOUCH_REQUIRE("out, error_m", out, error_m);
  *out = NULL;
  *error_m = 0.0;
  VOUCH_REQUIRE("motion, body", motion, body);
  chain_t chain = {.tolerance = tolerance_m};
  if (!(tolerance_m > 1e-9) || !(tolerance_m <= 1e6)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the tolerance of a chain of screws is %g m; it must be above 1e-9 m",
      tolerance_m);
  }
  for (int k = 0; k < 8; k++) {
    const body_node_t * box = &body->nodes[0];
    chain.corners[k] = vec3(
      box->centre.x + (k & 1 ? box->half.x : -box->half.x),
      box->centre.y + (k & 2 ? box->half.y : -box->half.y),
      box->centre.z + (k & 4 ? box->half.z : -box->half.z));
  }
  vouch_ret_t ret = vouch_rigid_motion_create(&chain.out, motion->allocator);
  double stated = 0.0;
  for (size_t i = 0; i < motion->count && ret == VOUCH_RET_OK; i++) {
    const rigid_segment_t * segment = &motion->segments[i];
    ret = chain_segment(&chain, segment, &motion->allocator);
    stated = fmax(stated, segment->error[0] * body->reach + segment->error[1]);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_motion_destroy(chain.out);
    return ret;
  }
  *out = chain.out;
  *error_m = chain.error + stated;
  return VOUCH_RET_OK;
}
