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

/* TRUSTED for the stated error: FREE is about the curve that was given.
 *
 * Bezier segments from quaternion curves: R(q) |q|^2 is quadratic in q, so a curve of degree d
 * gives a rational rotation of degree 2 d with the denominator |q|^2.
 *
 * [Q-ROUND] The coefficients are rounded; how far that takes the motion is part of the segment's
 * stated error. Let d be the degree of q, e that of the translation, D that of the motion, S the
 * sum over the four components of max|q_i|^2. H = 10 halvings take each coefficient of q off by H d
 * u of its component's maximum. An entry of R(q) |q|^2 and |q|^2 itself is a sum of at most four
 * products whose maxima add up to S, so it is off by
 *   2 H d u S (halvings) + (6 d + 8) u S (products) + 3 u S (sum)  <=  (26 d + 11) u S.
 * The weights v_j of the translation are positive, so that their averages are off by H e u of
 * themselves. With the shares p_kj of a product, coefficient k of a product with v is off by
 *   (26 d + 11 + 10 e + 3 D + 8) u S V_k  <=  (16 D + 20) u S V_k,   V_k = sum of p_kj v_j,
 * while the weight W_k of the motion is at least V_k min|q|^2, the smallest coefficient of |q|^2.
 * So A = N / W errs by at most (3 + sqrt(3)) (16 D + 20) u S / min|q|^2: charged is
 *   96 (D + 16) u S / min|q|^2,
 * more than that and the second-order terms. The translation errs by the same times its length: its
 * numerator and denominator have the same bounds times the largest |coordinate|, with one rounding
 * more for v x. A shared translation is the polynomial of coefficients (|q|^2)_i x_i, off by
 * (6 d + 12 + 20 d) u S |x|, over the same W. */

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "methods/bernstein.h"
#include "methods/motion_build.h"

#define MAX_HALVINGS 10

/// Bernstein coefficients of the components of q, of the weight and of weight * translation.
typedef struct coefficients_s
{
  double * q[4], * t[4];
} coefficients_t;

/// A curve while it is built. All arrays are parts of one block.
typedef struct curve_s
{
  size_t degree, translation_degree, whole;   // of q, of the translation, of the motion
  bool shared;             // t[1..3] is over |q|^2, t[0] is not used
  double reach;            // sum over the coordinates of the largest |control translation|
  double size;             // S above
  double stated[2];
  coefficients_t half[MAX_HALVINGS + 1];      // 0: the curve; a right half takes its whole's place
  double * shares_q, * shares_r, * shares_t, * shares_whole;
  double * r[10];          // |q|^2 and the entries of R(q) |q|^2, degree 2 d
  double * product;        // of the motion's degree
  double (*h)[13];
} curve_t;

static double * take(double ** next, size_t count)
{
  double * taken = *next;
  *next += count;
  return taken;
}

/// Lays out the arrays of `curve` from `block` on, or only counts: returns the number of doubles.
static size_t curve_lay_out(curve_t * curve, double * block)
{
  size_t d = curve->degree + 1, r = 2 * curve->degree + 1, e = curve->translation_degree + 1;
  size_t whole = curve->whole + 1, slot = 4 * (d + e);
  size_t total = (MAX_HALVINGS + 1) * slot + d + r + e + whole + 10 * r + whole + 13 * whole;
  if (block == NULL) {
    return total;
  }
  double * next = block;
  for (int i = 0; i <= MAX_HALVINGS; i++) {
    for (int k = 0; k < 4; k++) {
      curve->half[i].q[k] = take(&next, d);
      curve->half[i].t[k] = take(&next, e);
    }
  }
  curve->shares_q = take(&next, d);
  curve->shares_r = take(&next, r);
  curve->shares_t = take(&next, e);
  curve->shares_whole = take(&next, whole);
  for (int k = 0; k < 10; k++) {
    curve->r[k] = take(&next, r);
  }
  curve->product = take(&next, whole);
  curve->h = (double(*)[13])next;
  bernstein_shares(curve->degree, curve->shares_q);
  bernstein_shares(2 * curve->degree, curve->shares_r);
  bernstein_shares(curve->translation_degree, curve->shares_t);
  bernstein_shares(curve->whole, curve->shares_whole);
  return total;
}

/// |q|^2 and the nine entries of R(q) |q|^2 in Bernstein form of degree 2 d.
static void rotation_products(curve_t * curve, const coefficients_t * c)
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
  size_t d2 = 2 * curve->degree;
  for (int e = 0; e < 10; e++) {
    memset(curve->r[e], 0, (d2 + 1) * sizeof(double));
    for (int k = 0; k < 4; k++) {
      const signed char * term = terms[e][k];
      if (term[0] == 0) {
        continue;
      }
      const bernstein_factors_t factors = {
        c->q[term[1]], c->q[term[2]], curve->degree, curve->degree,
        {curve->shares_q, curve->shares_q, curve->shares_r}
      };
      bernstein_product(&factors, curve->product);
      for (size_t i = 0; i <= d2; i++) {
        curve->r[e][i] += term[0] * curve->product[i];
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

static double smallest_of(const double * p, size_t degree)
{
  double smallest = INFINITY;
  for (size_t i = 0; i <= degree; i++) {
    smallest = fmin(smallest, p[i]);
  }
  return smallest;
}

/// Column `k` of h: r[e] times t[0] or, for the translation, |q|^2 times t[k - 9].
static void column(curve_t * curve, const coefficients_t * c, int k)
{
  bool linear = k < 10;
  const double * p = curve->product;
  if (!curve->shared) {
    const bernstein_factors_t factors = {
      curve->r[linear ? k : 0], c->t[linear ? 0 : k - 9], 2 * curve->degree,
      curve->translation_degree, {curve->shares_r, curve->shares_t, curve->shares_whole}
    };
    bernstein_product(&factors, curve->product);
  } else {
    p = linear ? curve->r[k] : c->t[k - 9];
  }
  for (size_t i = 0; i <= curve->whole; i++) {
    curve->h[i][k] = p[i];
  }
}

/// The part of the curve in half[slot], in as many segments as its weights need to be positive.
static vouch_ret_t push_curve(
  vouch_rigid_motion_t * motion, double duration_s, curve_t * curve, size_t slot, int halvings)
{
  const coefficients_t * c = &curve->half[slot];
  double size = 0.0;
  for (int k = 0; k < 4; k++) {
    double most = largest_of(c->q[k], curve->degree);
    size += most * most;
  }
  rotation_products(curve, c);
  double least = smallest_of(curve->r[0], 2 * curve->degree);
  if (!(least > 1e-3 * size)) {
    if (halvings == 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the quaternion curve passes through (or very near) zero, where it has "
        "no rotation; flip the sign of a control quaternion or add controls");
    }
    const coefficients_t * left = &curve->half[slot + 1];
    for (int k = 0; k < 4; k++) {
      bernstein_halve(c->q[k], curve->degree, left->q[k]);
      bernstein_halve(c->t[k], curve->translation_degree, left->t[k]);
    }
    vouch_ret_t ret = push_curve(motion, 0.5 * duration_s, curve, slot + 1, halvings - 1);
    return ret == VOUCH_RET_OK ?
           push_curve(motion, 0.5 * duration_s, curve, slot, halvings - 1) : ret;
  }
  for (int k = 0; k < 13; k++) {
    column(curve, c, k);
  }
  double far = 0.0;
  for (size_t i = 0; i <= curve->whole; i++) {
    const double * h = curve->h[i];
    far = fmax(far, (fabs(h[10]) + fabs(h[11]) + fabs(h[12])) / h[0]);
  }
  double unit = 0x1p-53 * 96.0 * (double)(curve->whole + 16) * curve->size / least;
  double error[2] = {
    curve->stated[0] + unit, curve->stated[1] + unit * fmax(curve->reach, far)
  };
  return motion_push_homogeneous(
    motion, duration_s, curve->whole, (const double(*)[13])curve->h, error);
}

/// Reads q, scaled by a power of two so that the largest component is in [1, 2): R(q) stays.
static vouch_ret_t read_quaternions(const vouch_quaternion_curve_t * in, curve_t * curve)
{
  double largest = 0.0;
  for (size_t i = 0; i <= in->degree; i++) {
    for (int k = 0; k < 4; k++) {
      largest = fmax(largest, fabs(in->quaternions[i][k]));
      if (!(fabs(in->quaternions[i][k]) <= 1e3)) {
        return vouch_fail(VOUCH_RET_INVALID, "control quaternion %zu is not finite or too long", i);
      }
    }
  }
  if (!(largest >= 1e-100)) {
    return vouch_fail(VOUCH_RET_INVALID, "all control quaternions are zero or too short");
  }
  double scale = ldexp(1.0, -ilogb(largest));
  for (int k = 0; k < 4; k++) {
    for (size_t i = 0; i <= in->degree; i++) {
      curve->half[0].q[k][i] = in->quaternions[i][k] * scale;
    }
    double most = largest_of(curve->half[0].q[k], in->degree);
    curve->size += most * most;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_translations(const vouch_quaternion_curve_t * in, curve_t * curve)
{
  double largest[3] = {0.0, 0.0, 0.0};
  if (curve->shared) {
    rotation_products(curve, &curve->half[0]);
  }
  for (size_t i = 0; i <= in->translation_degree; i++) {
    double w = in->weights == NULL ? 1.0 : in->weights[i];
    if (!(w > 0.0) || !(w <= 1e6)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "weight %zu of the translation is %g; weights must be positive and at "
        "most 1e6", i, w);
    }
    w = curve->shared ? curve->r[0][i] : w;
    curve->half[0].t[0][i] = w;
    for (int k = 0; k < 3; k++) {
      double x = in->translations[i][k];
      curve->half[0].t[1 + k][i] = w * x;
      largest[k] = fmax(largest[k], fabs(x));
      if (!(fabs(x) <= 1e6)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "control translation %zu is not finite or above 1e6 m", i);
      }
    }
  }
  curve->reach = largest[0] + largest[1] + largest[2];
  return VOUCH_RET_OK;
}

static vouch_ret_t add_curve(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_quaternion_curve_t * in,
  const double stated[2])
{
  size_t d = in->degree, e = in->translation_degree, most = RIGID_MAX_DEGREE;
  curve_t curve = {
    .degree = d, .translation_degree = e, .shared = in->shared, .stated = {stated[0], stated[1]}
  };
  if (in->shared && (d > most || e != 2 * d)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the translation of a quaternion curve of degree %zu has degree %zu; with "
      "shared weights it must be twice that of the quaternions", d, e);
  }
  if (in->shared && in->weights != NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a translation with shared weights takes those of the quaternions; leave its "
      "own out");
  }
  curve.whole = in->shared ? 2 * d : (d > most || e > most ? most + 1 : 2 * d + e);
  if (curve.whole < 1 || curve.whole > most) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a quaternion curve of degree %zu with a translation of degree %zu makes "
      "a motion of degree 2 * %zu + %zu (shared weights: 2 * %zu); 1 to %d are supported", d, e, d,
      e, d, RIGID_MAX_DEGREE);
  }
  double * block = vouch_calloc(
    &motion->allocator, curve_lay_out(&curve, NULL), sizeof(double));
  if (block == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  (void)curve_lay_out(&curve, block);
  size_t before = motion->count;
  vouch_ret_t ret = read_quaternions(in, &curve);
  if (ret == VOUCH_RET_OK) {
    ret = read_translations(in, &curve);
  }
  if (ret == VOUCH_RET_OK) {
    ret = push_curve(motion, duration_s, &curve, 0, MAX_HALVINGS);
  }
  if (ret != VOUCH_RET_OK) {
    motion_truncate(motion, before);
  }
  vouch_free(&motion->allocator, block);
  return ret;
}

vouch_ret_t vouch_rigid_motion_add_quaternions(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_quaternion_curve_t * curve)
{
  VOUCH_REQUIRE("motion, curve", motion, curve);
  VOUCH_REQUIRE(
    "curve->quaternions, curve->translations", curve->quaternions, curve->translations);
  static const double exact[2] = {0.0, 0.0};
  return add_curve(motion, duration_s, curve, exact);
}

vouch_ret_t vouch_rigid_motion_add_samples(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_pose_t * poses, size_t count,
  const double error[2])
{
  VOUCH_REQUIRE("motion, poses, error", motion, poses, error);
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
    vouch_ret_t ret = add_curve(motion, duration_s / (double)(count - 1), &in, error);
    if (ret != VOUCH_RET_OK) {
      motion_truncate(motion, before);
      return vouch_fail_prefix(ret, "between samples %zu and %zu", i, i + 1);
    }
  }
  return VOUCH_RET_OK;
}
