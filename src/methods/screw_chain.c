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

/* A chain of screws that stays within a tolerance of a given motion (Kim and Rossignac 2003,
 * section 2), with a proved bound.
 *
 * For each time the difference e(x) of the two displacements is affine in x, so |e| is largest at a
 * corner of the body's
 * box. For one corner, on a piece of the motion in its own time s,
 *   |e(s)| <= max(|e(0)|, |e(1)|) + max|e''| / 8,   |e''| <= |screw''| + |motion''|,
 * with |screw''| <= (b h)^2 r and the Bernstein bounds for the rational motion. The paper evaluates
 * the corners only at samples of
 * time, which is no bound. */

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

/// Bound on the second derivative of the path of x, in the piece's own time.
static double acceleration_of(const motion_piece_t * piece, vec3_t x)
{
  const rigid_segment_t * segment = piece->segment;
  vec3_t centre = affine_apply(&piece->at[1], x);
  if (segment->kind == SEGMENT_SCREW) {
    vec3_t arm = vec3_sub(centre, vec3_from(segment->screw.point));
    double turn = segment->screw.angle * (piece->to - piece->from);
    return turn * turn * (vec3_norm(vec3_cross(segment->axis, arm)) * (1.0 + 1e-9) + 1e-12);
  }
  size_t degree = segment->degree;
  double d = (double)degree, n1 = 0.0, n2 = 0.0, w1 = 0.0, w2 = 0.0, w = INFINITY, reach = 0.0;
  vec3_t n[RIGID_MAX_DEGREE + 1];
  for (size_t i = 0; i <= degree; i++) {
    vouch_affine_t weighted;
    memcpy(weighted.m, &piece->h[i][1], sizeof(weighted.m));
    n[i] =
      vec3_sub(affine_apply(&weighted, vec3(0.0, 0.0, 0.0)), vec3_scale(centre, piece->h[i][0]));
    n[i] = vec3_add(n[i], affine_linear(&weighted, x));
    w = fmin(w, piece->h[i][0]);
    reach = fmax(reach, vec3_norm(n[i]) / piece->h[i][0]);
  }
  for (size_t i = 0; i < degree; i++) {
    n1 = fmax(n1, d * vec3_norm(vec3_sub(n[i + 1], n[i])));
    w1 = fmax(w1, d * fabs(piece->h[i + 1][0] - piece->h[i][0]));
    if (i + 2 <= degree) {
      vec3_t second = vec3_add(vec3_sub(n[i], vec3_scale(n[i + 1], 2.0)), n[i + 2]);
      double d2w = piece->h[i][0] - 2.0 * piece->h[i + 1][0] + piece->h[i + 2][0];
      n2 = fmax(n2, d * (d - 1.0) * vec3_norm(second));
      w2 = fmax(w2, d * (d - 1.0) * fabs(d2w));
    }
  }
  double noise = 1e-11 * (1.0 + vec3_norm(centre) + vec3_norm(x)) * d * d / w;
  return (n2 + reach * w2) / w + 2.0 * w1 * (n1 + reach * w1) / (w * w) + noise;
}

static double difference(
  const motion_piece_t * piece, int end, const rigid_segment_t * screw, const double span[2],
  vec3_t x)
{
  double time = end == 0 ? piece->from : piece->to;
  vouch_affine_t g = segment_screw_at(screw, (time - span[0]) / (span[1] - span[0]));
  return vec3_norm(vec3_sub(affine_apply(&g, x), affine_apply(&piece->at[end], x)));
}

/* The proved error of `screw`, which runs over span, against the piece; INFINITY when it exceeds
 * the tolerance. */
static double chain_error(
  const motion_piece_t * piece, const rigid_segment_t * screw, const double span[2],
  const vec3_t * corners, double tolerance, int depth)
{
  double worst = 0.0;
  double turn = screw->screw.angle * (piece->to - piece->from) / (span[1] - span[0]);
  bool split = false;
  for (int c = 0; c < 8; c++) {
    double ends = fmax(
      difference(piece, 0, screw, span, corners[c]), difference(piece, 2, screw, span, corners[c]));
    vec3_t arm = vec3_sub(
      rigid_apply(&screw->start, corners[c]), vec3_from(screw->screw.point));
    double bend = acceleration_of(piece, corners[c]) +
      turn * turn * (vec3_norm(vec3_cross(screw->axis, arm)) * (1.0 + 1e-9) + 1e-12);
    double noise = piece->error[0] * vec3_norm(corners[c]) + piece->error[1] + 1e-12;
    if (!(ends <= tolerance)) {
      return INFINITY;
    }
    worst = fmax(worst, ends + 0.125 * bend + noise);
  }
  split = !(worst <= tolerance);
  if (!split) {
    return worst;
  }
  if (depth == 0) {
    return INFINITY;
  }
  motion_piece_t left, right;
  motion_piece_split(piece, &left, &right);
  double one = chain_error(&left, screw, span, corners, tolerance, depth - 1);
  return isfinite(one) ?
         fmax(one, chain_error(&right, screw, span, corners, tolerance, depth - 1)) : one;
}

typedef struct chain_s
{
  vouch_rigid_motion_t * out;
  vec3_t corners[8];
  double tolerance, error;
} chain_t;

static vouch_ret_t chain_piece(chain_t * chain, const motion_piece_t * piece, int splits)
{
  vouch_pose_t from = pose_of(&piece->at[0]), to = pose_of(&piece->at[2]);
  rigid_segment_t screw = {.kind = SEGMENT_SCREW};
  const double span[2] = {piece->from, piece->to};
  double error = INFINITY;
  if (screw_between(&from, &to, &screw.screw) == VOUCH_RET_OK) {
    screw.start = rigid_from_pose(&from);
    screw.axis = vec3_from(screw.screw.direction);
    error = chain_error(piece, &screw, span, chain->corners, chain->tolerance, MAX_CHECK);
  }
  if (isfinite(error)) {
    chain->error = fmax(chain->error, error);
    return vouch_rigid_motion_add_screw_axis(
      chain->out, piece->segment->duration_s * (piece->to - piece->from), &screw.screw);
  }
  if (splits == 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion cannot be approximated by screws within %g m: it is not rigid, "
      "or turns too fast, near fraction %g", chain->tolerance,
      piece->from);
  }
  motion_piece_t left, right;
  motion_piece_split(piece, &left, &right);
  vouch_ret_t ret = chain_piece(chain, &left, splits - 1);
  return ret == VOUCH_RET_OK ? chain_piece(chain, &right, splits - 1) : ret;
}

vouch_ret_t vouch_rigid_motion_to_screws(
  vouch_rigid_motion_t ** out, const vouch_rigid_motion_t * motion,
  const vouch_rigid_body_t * body, double tolerance_m, double * error_m)
{
  chain_t chain = {.tolerance = tolerance_m};
  *out = NULL;
  *error_m = 0.0;
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
    if (segment->kind == SEGMENT_SCREW) {
      ret = vouch_rigid_motion_add_screw_axis(chain.out, segment->duration_s, &segment->screw);
    } else {
      motion_piece_t piece;
      motion_piece_init(&piece, segment);
      ret = chain_piece(&chain, &piece, MAX_SPLITS);
    }
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
