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

/* Bezier segments from quaternion curves: R(q) |q|^2 is quadratic in q, so a curve of degree d
 * gives
 * a rational rotation of degree 2 d with the denominator |q|^2.
 *
 * The coefficients are rounded products. Each entry of R(q)|q|^2 and |q|^2 errs by at most
 * (2d + 16) u times 4 max|q_i|^2; relative to the smallest weight that is the stated error of the
 * segment. */

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "methods/bernstein.h"
#include "methods/motion_build.h"

#define MAX_QUATERNION_DEGREE 8
#define MAX_HALVINGS 6

typedef struct curve_s
{
  size_t degree, translation_degree;
  bool shared;
  double q[4][MAX_QUATERNION_DEGREE + 1];
  double t[4][RIGID_MAX_DEGREE + 1];   // weight, then weight * translation
} curve_t;

/// |q|^2 and the nine entries of R(q) |q|^2 in Bernstein form of degree 2 d.
static void rotation_products(const curve_t * curve, double r[10][2 * MAX_QUATERNION_DEGREE + 1])
{
  /* sign and factors of each entry: R = sum of sign * q_i * q_j */
  static const signed char terms[10][4][3] = {
    {{1, 0, 0}, {1, 1, 1}, {1, 2, 2}, {1, 3, 3}},
    {{1, 0, 0}, {-1, 1, 1}, {-1, 2, 2}, {1, 3, 3}},
    {{2, 0, 1}, {-2, 2, 3}, {0, 0, 0}, {0, 0, 0}},
    {{2, 0, 2}, {2, 1, 3}, {0, 0, 0}, {0, 0, 0}},
    {{2, 0, 1}, {2, 2, 3}, {0, 0, 0}, {0, 0, 0}},
    {{-1, 0, 0}, {1, 1, 1}, {-1, 2, 2}, {1, 3, 3}},
    {{2, 1, 2}, {-2, 0, 3}, {0, 0, 0}, {0, 0, 0}},
    {{2, 0, 2}, {-2, 1, 3}, {0, 0, 0}, {0, 0, 0}},
    {{2, 1, 2}, {2, 0, 3}, {0, 0, 0}, {0, 0, 0}},
    {{-1, 0, 0}, {-1, 1, 1}, {1, 2, 2}, {1, 3, 3}}
  };
  size_t d = curve->degree;
  double product[2 * MAX_QUATERNION_DEGREE + 1];
  for (int e = 0; e < 10; e++) {
    memset(r[e], 0, sizeof(r[e]));
    for (int k = 0; k < 4; k++) {
      const signed char * term = terms[e][k];
      if (term[0] == 0) {
        continue;
      }
      bernstein_product(curve->q[term[1]], d, curve->q[term[2]], d, product);
      for (size_t i = 0; i <= 2 * d; i++) {
        r[e][i] += term[0] * product[i];
      }
    }
  }
}

static double largest_of(const double * p, size_t degree)
{
  double largest = 0.0;
  for (size_t i = 0; i <= degree; i++) {
    largest = fmax(largest, fabs(p[i]));
  }
  return largest;
}

static vouch_ret_t push_curve(
  vouch_rigid_motion_t * motion, double duration_s, const curve_t * curve, int halvings,
  const double stated[2]);

static vouch_ret_t push_halves(
  vouch_rigid_motion_t * motion, double duration_s, const curve_t * curve, int halvings,
  const double stated[2])
{
  curve_t left = *curve, right = *curve;
  if (halvings == 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the quaternion curve passes through (or very near) zero, where it has no "
      "rotation; flip the sign of a control quaternion or add controls");
  }
  for (int k = 0; k < 4; k++) {
    bernstein_halve(right.q[k], curve->degree, left.q[k]);
    bernstein_halve(right.t[k], curve->translation_degree, left.t[k]);
  }
  vouch_ret_t ret = push_curve(motion, 0.5 * duration_s, &left, halvings - 1, stated);
  return ret == VOUCH_RET_OK ?
         push_curve(motion, 0.5 * duration_s, &right, halvings - 1, stated) : ret;
}

static vouch_ret_t push_curve(
  vouch_rigid_motion_t * motion, double duration_s, const curve_t * curve, int halvings,
  const double stated[2])
{
  double r[10][2 * MAX_QUATERNION_DEGREE + 1];
  double p[RIGID_MAX_DEGREE + 1], h[RIGID_MAX_DEGREE + 1][13];
  size_t d2 = 2 * curve->degree, dt = curve->translation_degree;
  size_t degree = curve->shared ? d2 : d2 + dt;
  double smallest = INFINITY, size = 0.0;
  rotation_products(curve, r);
  for (int k = 0; k < 4; k++) {
    size += largest_of(curve->q[k], curve->degree) * largest_of(curve->q[k], curve->degree);
  }
  for (size_t i = 0; i <= d2; i++) {
    smallest = fmin(smallest, r[0][i]);
  }
  if (!(smallest > 1e-3 * size)) {
    return push_halves(motion, duration_s, curve, halvings, stated);
  }
  for (int e = 0; e < 10; e++) {
    if (curve->shared) {
      memcpy(p, r[e], (d2 + 1) * sizeof(p[0]));
    } else {
      bernstein_product(r[e], d2, curve->t[0], dt, p);
    }
    for (size_t i = 0; i <= degree; i++) {
      h[i][e] = p[i];
    }
  }
  double reach = 0.0;
  for (int k = 1; k < 4; k++) {
    double far = 0.0;
    if (!curve->shared) {
      bernstein_product(r[0], d2, curve->t[k], dt, p);
    }
    for (size_t i = 0; i <= degree; i++) {
      h[i][9 + k] = curve->shared ? r[0][i] * curve->t[k][i] : p[i];
    }
    for (size_t i = 0; i <= dt; i++) {
      far = fmax(far, fabs(curve->t[k][i] / curve->t[0][i]));
    }
    reach += far;
  }
  double weights = curve->shared ? 1.0 : largest_of(curve->t[0], dt);
  double least = INFINITY;
  for (size_t i = 0; i <= degree; i++) {
    least = fmin(least, h[i][0]);
  }
  double unit = 0x1p-53 * (double)(degree + 24) * 40.0 * size * weights / least;
  double error[2] = {stated[0] + unit, stated[1] + unit * reach};
  return motion_push_homogeneous(motion, duration_s, degree, (const double(*)[13])h, error);
}

static vouch_ret_t curve_read(const vouch_quaternion_curve_t * in, curve_t * curve)
{
  size_t degree = in->shared ? 2 * in->degree : 2 * in->degree + in->translation_degree;
  memset(curve, 0, sizeof(*curve));
  if (in->degree > MAX_QUATERNION_DEGREE || degree > RIGID_MAX_DEGREE || degree < 1 ||
    (in->shared && in->translation_degree != 2 * in->degree))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "quaternion curve of degree %zu with a translation of degree %zu: the "
      "first may be at most %d, the whole motion 1 to %d; a shared translation has twice the "
      "degree of the quaternions", in->degree, in->translation_degree, MAX_QUATERNION_DEGREE,
      RIGID_MAX_DEGREE);
  }
  curve->degree = in->degree;
  curve->translation_degree = in->translation_degree;
  curve->shared = in->shared;
  for (size_t i = 0; i <= in->degree; i++) {
    for (int k = 0; k < 4; k++) {
      curve->q[k][i] = in->quaternions[i][k];
      if (!(fabs(curve->q[k][i]) <= 1e3)) {
        return vouch_fail(VOUCH_RET_INVALID, "control quaternion %zu is not finite or too long", i);
      }
    }
  }
  for (size_t i = 0; i <= in->translation_degree; i++) {
    double w = in->weights == NULL ? 1.0 : in->weights[i];
    if (!(w > 0.0) || !(w <= 1e6)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "weight %zu of the translation is %g; weights must be positive", i, w);
    }
    curve->t[0][i] = w;
    for (int k = 0; k < 3; k++) {
      curve->t[1 + k][i] = w * in->translations[i][k];
      if (!(fabs(in->translations[i][k]) <= 1e6)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "control translation %zu is not finite or above 1e6 m", i);
      }
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_motion_add_quaternions(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_quaternion_curve_t * curve)
{
  static const double exact[2] = {0.0, 0.0};
  curve_t c;
  vouch_ret_t ret = curve_read(curve, &c);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  /* A shared translation has no weights of its own, so it is not halved with |q|^2. */
  size_t before = motion->count;
  ret = push_curve(motion, duration_s, &c, c.shared ? 0 : MAX_HALVINGS, exact);
  if (ret != VOUCH_RET_OK) {
    motion_truncate(motion, before);
  }
  return ret;
}

vouch_ret_t vouch_rigid_motion_add_samples(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_pose_t * poses, size_t count,
  const double error[2])
{
  if (count < 2) {
    return vouch_fail(VOUCH_RET_INVALID, "a sampled motion needs at least two poses");
  }
  if (!(error[0] >= 0.0) || !(error[1] >= 0.0) || !(error[0] + error[1] <= 1e6)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a sampled motion needs its error stated: rotation and translation, "
      "finite and not negative");
  }
  for (size_t i = 0; i < count; i++) {
    vouch_ret_t ret = pose_validate(&poses[i]);
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "sample %zu", i);
    }
  }
  size_t before = motion->count;
  for (size_t i = 0; i + 1 < count; i++) {
    double q[2][4], t[2][3], dot = 0.0;
    for (int k = 0; k < 4; k++) {
      dot += poses[i].rotation[k] * poses[i + 1].rotation[k];
    }
    if (fabs(dot) < 0.05) {
      motion_truncate(motion, before);
      return vouch_fail(
        VOUCH_RET_INVALID, "samples %zu and %zu differ by nearly a half turn: the way between them "
        "is ambiguous; sample more densely", i, i + 1);
    }
    for (int j = 0; j < 2; j++) {
      double sign = j == 1 && dot < 0.0 ? -1.0 : 1.0;
      for (int k = 0; k < 4; k++) {
        q[j][k] = sign * poses[i + (size_t)j].rotation[k];
      }
      memcpy(t[j], poses[i + (size_t)j].translation, sizeof(t[j]));
    }
    vouch_quaternion_curve_t in = {
      .degree = 1, .quaternions = (const double(*)[4])q, .translation_degree = 1,
      .translations = (const double(*)[3])t
    };
    curve_t c;
    vouch_ret_t ret = curve_read(&in, &c);
    if (ret == VOUCH_RET_OK) {
      ret = push_curve(motion, duration_s / (double)(count - 1), &c, MAX_HALVINGS, error);
    }
    if (ret != VOUCH_RET_OK) {
      motion_truncate(motion, before);
      return vouch_fail_prefix(ret, "between samples %zu and %zu", i, i + 1);
    }
  }
  return VOUCH_RET_OK;
}
