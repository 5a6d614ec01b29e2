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

/* Pairs of features on a screw: random ones, placed in plain arithmetic, their contact equation in
 * plain arithmetic and in Arb's. */

#ifndef UNIT__TEST_SCREW_FIXTURE_H_
#define UNIT__TEST_SCREW_FIXTURE_H_

#include "unit/test_rigid_fixture.h"

#ifdef VOUCH_HAVE_ARB
#include <arb.h>
#include <arb_calc.h>
#endif

typedef struct case_s
{
  vouch_screw_t screw;
  double moving[3][3], fixed[3][3];
} case_t;

FIXTURE_UNUSED static void random_case(case_t * c)
{
  memset(c, 0, sizeof(*c));
  c->screw.start = random_pose(1.0);
  c->screw.angle = pick(5) == 0 ? 0.0 : uniform(-3.1, 3.1);
  c->screw.travel = pick(5) == 0 ? 0.0 : uniform(-1.5, 1.5);
  for (int k = 0; k < 3; k++) {
    c->screw.point[k] = uniform(-1.0, 1.0);
    c->screw.direction[k] = uniform(-1.0, 1.0);
    for (int i = 0; i < 3; i++) {
      c->moving[i][k] = uniform(-1.0, 1.0);
      c->fixed[i][k] = uniform(-1.0, 1.0);
    }
  }
}

/// The features at time t in plain arithmetic: moving points placed.
FIXTURE_UNUSED static void place_case(const case_t * c, double t, vec3_t a[3], vec3_t b[3])
{
  rigid_t start = rigid_from_pose(&c->screw.start);
  vec3_t axis = vec3_unit(vec3_from(c->screw.direction), vec3(0, 0, 1));
  vec3_t p = vec3_from(c->screw.point);
  mat3_t turn = mat3_from_axis_angle(axis, t * c->screw.angle);
  for (int k = 0; k < 3; k++) {
    vec3_t x = rigid_apply(&start, vec3_from(c->moving[k]));
    a[k] = vec3_add(
      vec3_add(p, mat3_mul_vec(&turn, vec3_sub(x, p))), vec3_scale(axis, t * c->screw.travel));
    b[k] = vec3_from(c->fixed[k]);
  }
}

/// f(t) of the kind, and whether a root there is a contact (by a safe distance).
FIXTURE_UNUSED static double function_at(const case_t * c, int kind, double t, double * inside)
{
  vec3_t a[3], b[3];
  place_case(c, t, a, b);
  if (kind == 2) {
    vec3_t u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), w = vec3_sub(b[0], a[0]);
    vec3_t n = vec3_cross(u, v);
    double nn = vec3_dot(n, n);
    double s = det3(w, v, n) / nn, r = det3(w, u, n) / nn;
    *inside = fmin(fmin(s, 1.0 - s), fmin(r, 1.0 - r));
    return -det3(w, u, v);
  }
  const vec3_t * t3 = kind == 0 ? b : a;
  vec3_t p = kind == 0 ? a[0] : b[0];
  vec3_t n = vec3_cross(vec3_sub(t3[1], t3[0]), vec3_sub(t3[2], t3[0]));
  *inside = INFINITY;
  for (int k = 0; k < 3; k++) {
    vec3_t e = vec3_sub(t3[(k + 1) % 3], t3[k]);
    *inside = fmin(*inside, vec3_dot(vec3_cross(n, e), vec3_sub(p, t3[k])));
  }
  return vec3_dot(n, vec3_sub(p, t3[0]));
}

#ifdef VOUCH_HAVE_ARB
#define ARB_BITS 200

/// The case in Arb: f and its derivatives as a power series in t.
FIXTURE_UNUSED static int arb_function(
  arb_ptr out, const arb_t t, void * parameter, slong order, slong precision)
{
  const case_t * c = ((void **)parameter)[0];
  int kind = *(int *)((void **)parameter)[1];
  slong n = order < 1 ? 1 : order;
  arb_ptr x[3][3], angle = _arb_vec_init(n), sine = _arb_vec_init(n), cosine = _arb_vec_init(n);
  arb_ptr tmp = _arb_vec_init(n), tmp2 = _arb_vec_init(n);
  arb_t r[9], q, norm, axis[3], length, along, one;
  arb_ptr v[3][3], fixed[3][3];
  arb_init(q); arb_init(norm); arb_init(length); arb_init(along); arb_init(one);
  /* rotation matrix of q/|q| */
  const double * d = c->screw.start.rotation;
  for (int i = 0; i < 9; i++) {
    arb_init(r[i]);
  }
  for (int i = 0; i < 4; i++) {
    arb_set_d(q, d[i]);
    arb_addmul(norm, q, q, precision);
  }
  for (int i = 0; i < 3; i++) {
    arb_init(axis[i]);
    arb_set_d(q, c->screw.direction[i]);
    arb_addmul(length, q, q, precision);
  }
  arb_sqrt(length, length, precision);
  for (int i = 0; i < 3; i++) {
    arb_set_d(axis[i], c->screw.direction[i]);
    arb_div(axis[i], axis[i], length, precision);
    int j = (i + 1) % 3, k = (i + 2) % 3;
    arb_t a, b;
    arb_init(a); arb_init(b);
    arb_set_d(a, d[i]); arb_mul_2exp_si(a, a, 1); arb_set_d(b, d[j]); arb_mul(a, a, b, precision);
    arb_set_d(b, d[k]); arb_set_d(q, d[3]); arb_mul(b, b, q, precision); arb_mul_2exp_si(b, b, 1);
    arb_sub(r[3 * i + j], a, b, precision); arb_add(r[3 * j + i], a, b, precision);
    arb_div(r[3 * i + j], r[3 * i + j], norm, precision);
    arb_div(r[3 * j + i], r[3 * j + i], norm, precision);
    arb_set_d(a, d[j]); arb_mul(a, a, a, precision);
    arb_set_d(b, d[k]); arb_addmul(a, b, b, precision);
    arb_mul_2exp_si(a, a, 1); arb_div(a, a, norm, precision);
    arb_set_si(r[4 * i], 1); arb_sub(r[4 * i], r[4 * i], a, precision);
    arb_clear(a); arb_clear(b);
  }
  arb_set_d(one, c->screw.angle);
  arb_mul(&angle[0], t, one, precision);
  if (n > 1) {
    arb_set(&angle[1], one);
  }
  _arb_poly_sin_cos_series(sine, cosine, angle, n < 2 ? n : 2, n, precision);
  for (int p = 0; p < 3; p++) {
    arb_t s[3], cross[3];
    arb_zero(along);
    for (int i = 0; i < 3; i++) {
      arb_init(s[i]); arb_init(cross[i]);
      arb_set_d(s[i], c->screw.start.translation[i]);
      for (int k = 0; k < 3; k++) {
        arb_set_d(q, c->moving[p][k]);
        arb_addmul(s[i], r[3 * i + k], q, precision);
      }
      arb_set_d(q, c->screw.point[i]);
      arb_sub(s[i], s[i], q, precision);
      arb_addmul(along, s[i], axis[i], precision);
    }
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      arb_mul(cross[i], axis[j], s[k], precision);
      arb_submul(cross[i], axis[k], s[j], precision);
    }
    for (int i = 0; i < 3; i++) {
      /* point + axis (along + d t) + cos (s - along axis) + sin cross */
      x[p][i] = _arb_vec_init(n);
      arb_mul(q, along, axis[i], precision);
      arb_sub(s[i], s[i], q, precision);
      _arb_vec_scalar_mul(tmp, cosine, n, s[i], precision);
      _arb_vec_scalar_mul(tmp2, sine, n, cross[i], precision);
      _arb_vec_add(x[p][i], tmp, tmp2, n, precision);
      arb_add(&x[p][i][0], &x[p][i][0], q, precision);
      arb_set_d(q, c->screw.point[i]);
      arb_add(&x[p][i][0], &x[p][i][0], q, precision);
      arb_set_d(q, c->screw.travel);
      arb_mul(q, q, axis[i], precision);
      arb_addmul(&x[p][i][0], q, t, precision);
      if (n > 1) {
        arb_add(&x[p][i][1], &x[p][i][1], q, precision);
      }
      fixed[p][i] = _arb_vec_init(n);
      arb_set_d(&fixed[p][i][0], c->fixed[p][i]);
    }
    for (int i = 0; i < 3; i++) {
      arb_clear(s[i]); arb_clear(cross[i]);
    }
  }
  /* rows of the determinant: kind 0: a0-b0, b1-b0, b2-b0; kind 1: b0-a0, a1-a0, a2-a0; kind 2:
   * a0-b0, a1-a0, b1-b0 */
  for (int i = 0; i < 3; i++) {
    arb_ptr from[3][2] = {
      {x[0][i], fixed[0][i]}, {fixed[1][i], fixed[0][i]}, {fixed[2][i], fixed[0][i]}
    };
    if (kind == 1) {
      from[0][0] = fixed[0][i]; from[0][1] = x[0][i];
      from[1][0] = x[1][i]; from[1][1] = x[0][i]; from[2][0] = x[2][i]; from[2][1] = x[0][i];
    } else if (kind == 2) {
      from[1][0] = x[1][i]; from[1][1] = x[0][i]; from[2][0] = fixed[1][i];
    }
    for (int row = 0; row < 3; row++) {
      v[row][i] = _arb_vec_init(n);
      _arb_vec_sub(v[row][i], from[row][0], from[row][1], n, precision);
    }
  }
  _arb_vec_zero(out, n);
  arb_ptr minor = _arb_vec_init(n);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    _arb_poly_mullow(minor, v[1][j], n, v[2][k], n, n, precision);
    _arb_poly_mullow(tmp, v[1][k], n, v[2][j], n, n, precision);
    _arb_vec_sub(minor, minor, tmp, n, precision);
    _arb_poly_mullow(tmp, v[0][i], n, minor, n, n, precision);
    _arb_vec_add(out, out, tmp, n, precision);
  }
  for (int row = 0; row < 3; row++) {
    for (int i = 0; i < 3; i++) {
      _arb_vec_clear(v[row][i], n);
      _arb_vec_clear(x[row][i], n);
      _arb_vec_clear(fixed[row][i], n);
    }
    arb_clear(axis[row]);
  }
  for (int i = 0; i < 9; i++) {
    arb_clear(r[i]);
  }
  _arb_vec_clear(minor, n);
  _arb_vec_clear(angle, n); _arb_vec_clear(sine, n); _arb_vec_clear(cosine, n);
  _arb_vec_clear(tmp, n); _arb_vec_clear(tmp2, n);
  arb_clear(q); arb_clear(norm); arb_clear(length); arb_clear(along); arb_clear(one);
  return 0;
}

#endif  // VOUCH_HAVE_ARB

#endif  // UNIT__TEST_SCREW_FIXTURE_H_
