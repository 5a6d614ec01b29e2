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

/* Motions: creation, Bezier segments from affine controls, screws. */

#include "methods/rigid_motion.h"

#include "base/error.h"
#include "base/memory.h"
#include "methods/motion_build.h"

#define MAX_COORDINATE 1e6
#define MAX_AXIS 1.9e6       // metres from the origin to the axis of a screw
#define SMALL_TURN 1e-4      // radians that may be charged as deviation when the axis is beyond

vouch_ret_t vouch_rigid_motion_create(vouch_rigid_motion_t ** out, vouch_allocator_t allocator)
{
  VOUCH_REQUIRE("out", out);
  *out = NULL;
  vouch_rigid_motion_t * motion = vouch_calloc(&allocator, 1, sizeof(*motion));
  if (motion == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  motion->allocator = allocator;
  *out = motion;
  return VOUCH_RET_OK;
}

void vouch_rigid_motion_destroy(vouch_rigid_motion_t * motion)
{
  if (motion == NULL) {
    return;
  }
  vouch_allocator_t allocator = motion->allocator;
  motion_truncate(motion, 0);
  vouch_free(&allocator, motion->segments);
  vouch_free(&allocator, motion);
}

size_t vouch_rigid_motion_segment_count(const vouch_rigid_motion_t * motion)
{
  return motion->count;
}

double vouch_rigid_motion_duration_s(const vouch_rigid_motion_t * motion)
{
  if (motion->count == 0) {
    return 0.0;
  }
  const rigid_segment_t * last = &motion->segments[motion->count - 1];
  return last->start_s + last->duration_s;
}

double vouch_rigid_motion_time_s(
  const vouch_rigid_motion_t * motion, size_t segment, double fraction)
{
  const rigid_segment_t * s = &motion->segments[segment];
  return s->start_s + fraction * s->duration_s;
}

vouch_affine_t affine_from_rigid(const rigid_t * g)
{
  vouch_affine_t out;
  memcpy(out.m, g->rotation.m, 9 * sizeof(double));
  vec3_store(g->translation, &out.m[9]);
  return out;
}

double affine_determinant(const vouch_affine_t * g)
{
  const double * m = g->m;
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

vouch_affine_t vouch_rigid_motion_at(
  const vouch_rigid_motion_t * motion, size_t segment, double fraction)
{
  const rigid_segment_t * s = &motion->segments[segment];
  if (s->kind == SEGMENT_SCREW) {
    return segment_screw_at(s, fraction);
  }
  double h[13];
  vouch_affine_t g;
  bezier_at((const double(*)[13])s->h, s->degree, fraction, h);
  for (int k = 0; k < 12; k++) {
    g.m[k] = h[1 + k] / h[0];
  }
  return g;
}

vouch_ret_t pose_validate(const vouch_pose_t * pose)
{
  double norm = 0.0;
  for (int i = 0; i < 4; i++) {
    norm += pose->rotation[i] * pose->rotation[i];
  }
  if (!(fabs(sqrt(norm) - 1.0) <= 1e-3)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "the quaternion (x, y, z, w) of a pose has length %g; give it with length 1", sqrt(norm));
  }
  for (int i = 0; i < 3; i++) {
    if (!(fabs(pose->translation[i]) <= MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "a translation has the component %g; it must be finite and at most "
        "1e6 m", pose->translation[i]);
    }
  }
  return VOUCH_RET_OK;
}

/* Where segments do not quite meet, the body goes on from one to the other unseen. It is
 * never farther from the begin of the second than its end of the first was, so that whoever keeps
 * that distance there is not met on the way. */
static vouch_ret_t measure_jump(
  const vouch_rigid_motion_t * motion, rigid_segment_t * segment)
{
  const rigid_segment_t * last = &motion->segments[motion->count - 1];
  const vouch_affine_t before = segment_end(last, 1), after = segment_end(segment, 0);
  double off[12], rounding[2];
  for (int k = 0; k < 12; k++) {
    off[k] = before.m[k] - after.m[k];
    if (!(fabs(off[k]) <= 1e-6)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %zu does not begin where segment %zu ends (off by %g); "
        "let the poses meet", motion->count, motion->count - 1, fabs(off[k]));
    }
  }
  segment_end_error(last, 1, rounding);
  segment->jump[0] = motion_norm(&off[0], 9) + rounding[0];
  segment->jump[1] = motion_norm(&off[9], 3) + rounding[1];
  return VOUCH_RET_OK;
}

/// Room for one more segment, checked for time and continuity; the segment is handed over.
vouch_ret_t motion_push(vouch_rigid_motion_t * motion, rigid_segment_t * segment)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  if (!(segment->duration_s > 0.0) || !(segment->duration_s <= 1e9)) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "segment %zu: duration_s is %g; it must be positive and finite",
      motion->count, segment->duration_s);
    goto fail;
  }
  if (motion->count > 0) {
    ret = measure_jump(motion, segment);
    if (ret != VOUCH_RET_OK) {
      goto fail;
    }
  }
  if (!vouch_grow(
      &motion->allocator, &motion->segments, motion->count, &motion->capacity,
      sizeof(rigid_segment_t)))
  {
    ret = VOUCH_RET_NO_MEMORY;
    goto fail;
  }
  segment->start_s = vouch_rigid_motion_duration_s(motion);
  motion->segments[motion->count++] = *segment;
  return VOUCH_RET_OK;
fail:
  vouch_free(&motion->allocator, segment->h);
  segment->h = NULL;
  return ret;
}

void motion_truncate(vouch_rigid_motion_t * motion, size_t count)
{
  while (motion->count > count) {
    vouch_free(&motion->allocator, motion->segments[--motion->count].h);
  }
}

/// Checks weights and displacements and copies them, the largest weight scaled into [1, 2) by a
/// power of two.
vouch_ret_t motion_push_homogeneous(
  vouch_rigid_motion_t * motion, double duration_s, size_t degree, const double(*h)[13],
  const double error[2])
{
  rigid_segment_t segment = {
    .kind = SEGMENT_BEZIER, .duration_s = duration_s, .degree = degree,
    .error = {error[0], error[1]}
  };
  double largest = 0.0, smallest = INFINITY;
  for (size_t i = 0; i <= degree; i++) {
    if (!(h[i][0] > 0.0) || !isfinite(h[i][0])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "weight %zu of the motion is %g; weights must be positive", i, h[i][0]);
    }
    /* Products with smaller weights would lose bits, with larger ones they would overflow. */
    if (!(h[i][0] >= 1e-100) || !(h[i][0] <= 1e100)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "weight %zu of the motion is %g; scale the weights to be near 1", i,
        h[i][0]);
    }
    largest = fmax(largest, h[i][0]);
    smallest = fmin(smallest, h[i][0]);
    for (int k = 1; k < 13; k++) {
      if (!(fabs(h[i][k] / h[i][0]) <= MAX_COORDINATE)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "control displacement %zu has an entry that is not finite or above "
          "1e6", i);
      }
    }
  }
  if (!(largest / smallest <= 1e6)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the weights of the motion span a factor of %g; at most 1e6 is supported",
      largest / smallest);
  }
  segment.h = vouch_calloc(&motion->allocator, degree + 1, sizeof(segment.h[0]));
  if (segment.h == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  double scale = ldexp(1.0, -ilogb(largest));
  for (size_t i = 0; i <= degree; i++) {
    for (int k = 0; k < 13; k++) {
      segment.h[i][k] = h[i][k] * scale;
    }
    segment.largest[0] = fmax(segment.largest[0], segment.h[i][0]);
    segment.largest[1] = fmax(segment.largest[1], motion_norm(&segment.h[i][1], 9));
    segment.largest[2] = fmax(segment.largest[2], motion_norm(&segment.h[i][10], 3));
  }
  return motion_push(motion, &segment);
}

vouch_ret_t motion_refuse_degree(size_t degree)
{
  return vouch_fail(
    VOUCH_RET_INVALID, "the degree of the motion is %zu; 1 to %d are supported (beyond that, split "
    "the curve into segments)", degree, RIGID_MAX_DEGREE);
}

/// w, w A, w a of all controls; INVALID for one that is singular or mirrors space.
static vouch_ret_t weigh_controls(
  size_t degree, const double * weights, const vouch_affine_t * controls, double(*h)[13])
{
  for (size_t i = 0; i <= degree; i++) {
    double w = weights == NULL ? 1.0 : weights[i];
    h[i][0] = w;
    for (int k = 0; k < 12; k++) {
      h[i][1 + k] = w * controls[i].m[k];
    }
    if (w > 0.0 && !(affine_determinant(&controls[i]) > 1e-9)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "control displacement %zu is singular or mirrors space (determinant %g)",
        i, affine_determinant(&controls[i]));
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_motion_add_bezier(
  vouch_rigid_motion_t * motion, double duration_s, size_t degree, const double * weights,
  const vouch_affine_t * controls)
{
  VOUCH_REQUIRE("motion, controls", motion, controls);
  static const double exact[2] = {0.0, 0.0};
  if (degree < 1 || degree > RIGID_MAX_DEGREE) {
    return motion_refuse_degree(degree);
  }
  double(*h)[13] = vouch_calloc(&motion->allocator, degree + 1, sizeof(h[0]));
  if (h == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  bool regular = false;
  size_t before = motion->count;
  vouch_ret_t ret = weigh_controls(degree, weights, controls, h);
  if (ret == VOUCH_RET_OK) {
    ret = motion_push_homogeneous(motion, duration_s, degree, (const double(*)[13])h, exact);
  }
  if (ret == VOUCH_RET_OK) {
    ret = segment_is_regular(&motion->segments[before], &motion->allocator, &regular);
  }
  if (ret == VOUCH_RET_OK && !regular) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "the motion passes through a singular or mirroring displacement, or very "
      "near one; use control poses that are closer together, or a quaternion curve");
  }
  if (ret != VOUCH_RET_OK) {
    motion_truncate(motion, before);
  }
  vouch_free(&motion->allocator, h);
  return ret;
}

vouch_ret_t screw_between(
  const vouch_pose_t * from, const vouch_pose_t * to, vouch_screw_t * out)
{
  double inverse[4] = {
    -from->rotation[0], -from->rotation[1], -from->rotation[2], from->rotation[3]
  };
  double q[4];
  quaternion_mul(to->rotation, inverse, q);
  double sign = q[3] < 0.0 ? -1.0 : 1.0;
  vec3_t v = vec3(sign * q[0], sign * q[1], sign * q[2]);
  double sine = vec3_norm(v);
  double angle = 2.0 * atan2(sine, sign * q[3]);
  vec3_t t0 = vec3_from(from->translation), t1 = vec3_from(to->translation);
  vec3_t shift = vec3_sub(t1, t0);
  memset(out, 0, sizeof(*out));
  out->start = *from;
  if (angle > 3.14159265358979323846 - 1e-6) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the screw between two poses is ambiguous: they differ by a half turn "
      "(%.9g rad); insert a pose between them or give axis and angle", angle);
  }
  vec3_t axis = vec3_unit(v, vec3(0.0, 0.0, 1.0));
  double travel = vec3_dot(shift, axis);
  vec3_t across = vec3_sub(shift, vec3_scale(axis, travel));
  double tangent = 2.0 * tan(0.5 * angle), away = vec3_norm(across);
  vec3_t middle = vec3_scale(vec3_add(t0, t1), 0.5);
  bool far = !(away + vec3_norm(middle) * tangent < MAX_AXIS * tangent);
  if (far && angle > SMALL_TURN) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the axis of the screw between two poses is %.3g m away; at most 1e6 m is "
      "supported", away / tangent);
  }
  if (far || (!(away < 1e5 * tangent) && !(sine > 1e-8))) {
    /* So close to a translation that the turn is dropped: see charge_turn(). */
    vec3_store(vec3_unit(shift, vec3(0.0, 0.0, 1.0)), out->direction);
    out->travel = vec3_norm(shift);
    return VOUCH_RET_OK;
  }
  vec3_t point = vec3_add(middle, vec3_scale(vec3_cross(axis, across), 1.0 / tangent));
  vec3_store(point, out->point);
  vec3_store(axis, out->direction);
  out->angle = angle;
  out->travel = travel;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_motion_add_screw_axis(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_screw_t * screw)
{
  VOUCH_REQUIRE("motion, screw", motion, screw);
  rigid_segment_t segment = {.kind = SEGMENT_SCREW, .duration_s = duration_s, .screw = *screw};
  vouch_ret_t ret = pose_validate(&screw->start);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vec3_t direction = vec3_from(screw->direction);
  double length = vec3_norm(direction);
  if (!(length > 1e-6 && length < 1e6) || !(fabs(screw->angle) <= 100.0) ||
    !(fabs(screw->travel) <= MAX_COORDINATE) ||
    !(vec3_norm(vec3_from(screw->point)) <= 2e6))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "screw: the direction must not be 0, |angle| at most 100 rad, |travel| "
      "and the point's coordinates at most 1e6 m");
  }
  segment.axis = vec3_scale(direction, 1.0 / length);
  segment.start = rigid_from_pose(&screw->start);
  return motion_push(motion, &segment);
}

/* A turn by an angle e that was dropped, because its axis is too far away, is charged as deviation.
 * The rotations differ by at most sqrt(2) e in the Frobenius norm, at the end; the origin moves on
 * an arc (or a helix) whose chord is at most the shift L, so that it is within L e / 8 (1 + e) of
 * the straight line at the same time. */
static void charge_turn(rigid_segment_t * segment, const vouch_pose_t * to)
{
  double gap = 0.0;
  vouch_affine_t end = segment_end(segment, 1);
  mat3_t wanted = mat3_from_quaternion(to->rotation);
  for (int k = 0; k < 9; k++) {
    gap += (end.m[k] - wanted.m[k]) * (end.m[k] - wanted.m[k]);
  }
  segment->error[0] = sqrt(gap) * (1.0 + 0x1p-40);
  segment->error[1] = 0.25 * segment->error[0] * segment->screw.travel;
}

vouch_ret_t vouch_rigid_motion_add_screw(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_pose_t * from,
  const vouch_pose_t * to)
{
  VOUCH_REQUIRE("motion, from, to", motion, from, to);
  vouch_screw_t screw = {0};
  vouch_ret_t ret = pose_validate(from);
  if (ret == VOUCH_RET_OK) {
    ret = pose_validate(to);
  }
  if (ret == VOUCH_RET_OK) {
    ret = screw_between(from, to, &screw);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_add_screw_axis(motion, duration_s, &screw);
  }
  if (ret == VOUCH_RET_OK && screw.angle == 0.0) {
    charge_turn(&motion->segments[motion->count - 1], to);
  }
  return ret;
}
