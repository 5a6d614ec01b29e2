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

/* Interval arithmetic in round-to-nearest, widened outwards after each operation.
 *
 * Rump, Zimmermann, Boldo, Melquiond, "Computing predecessor and successor in rounding to
 * nearest", BIT 49 (2009): for every finite binary64 c that does not overflow,
 * c - (phi*|c| + eta) <= pred(c) and c + (phi*|c| + eta) >= succ(c), all operations rounded
 * to nearest, phi = u(1+2u), u = 2^-53, eta = 2^-1074. An operation errs by at most half an
 * ulp, so the true result lies strictly between pred(c) and succ(c). A larger eta only widens;
 * 2^-900 is used, because arithmetic on subnormal numbers is many times slower.
 *
 * All numbers stay finite: the loader bounds every number it reads and the distance of knots,
 * and sines, cosines and the entries of products of rotations are clipped to [-1,1]. */
#ifndef VOUCH_VERIFY_INTERVAL_H
#define VOUCH_VERIFY_INTERVAL_H

#include <float.h>
#include <math.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "the verifier needs strict IEEE 754 arithmetic: no -ffast-math, no x87"
#endif

#define VV_PHI 0x1.0000000000001p-53
#define VV_ETA 0x1p-900

typedef struct { double lo, hi; } vv_iv;
typedef struct { vv_iv x[3]; } vv_vec;

/* A rigid motion x -> r*x + t; r by rows. */
typedef struct { vv_vec r[3], t; } vv_pose;

/* [V-UP] Requires: x is the rounded-to-nearest result of one operation, finite.
 * Ensures:  the result is at least the exact value of that operation.
 * Why:      Rump et al., quoted above. */
static inline double vv_up(double x) {return x + (VV_PHI * fabs(x) + VV_ETA);}

/* [V-DOWN] As [V-UP], from below. */
static inline double vv_down(double x) {return x - (VV_PHI * fabs(x) + VV_ETA);}

/* [V-MAX] Requires: neither is NaN. Ensures: the larger, the smaller. */
static inline double vv_max(double x, double y) {return x > y ? x : y;}
static inline double vv_min(double x, double y) {return x < y ? x : y;}

/* [V-POINT] Ensures: the interval of the one number x. */
static inline vv_iv vv_point(double x) {return (vv_iv) {x, x};}

/* [V-ADD] Requires: a and b are finite intervals.
 * Ensures:  the result contains x + y for every x in a and y in b.
 * Why:      addition is monotone; [V-UP], [V-DOWN]. */
static inline vv_iv vv_add(vv_iv a, vv_iv b)
{
  return (vv_iv) {vv_down(a.lo + b.lo), vv_up(a.hi + b.hi)};
}

/* [V-SUB] As [V-ADD], for x - y. */
static inline vv_iv vv_sub(vv_iv a, vv_iv b)
{
  return (vv_iv) {vv_down(a.lo - b.hi), vv_up(a.hi - b.lo)};
}

/* [V-MUL] As [V-ADD], for x * y.
 * Why:      x*y takes its extremes at corners; rounding is monotone, so the least rounded
 *           corner is the rounded least corner. */
static inline vv_iv vv_mul(vv_iv a, vv_iv b)
{
  const double p = a.lo * b.lo;
  const double q = a.lo * b.hi;
  const double r = a.hi * b.lo;
  const double s = a.hi * b.hi;
  return (vv_iv) {
           vv_down(vv_min(vv_min(p, q), vv_min(r, s))), vv_up(vv_max(vv_max(p, q), vv_max(r, s)))
  };
}

/* [V-SCALE] Requires: s >= 0.
 * Ensures:  the result contains x * s for every x in a.
 * Why:      multiplication by s is monotone. */
static inline vv_iv vv_scale(vv_iv a, double s)
{
  return (vv_iv) {vv_down(a.lo * s), vv_up(a.hi * s)};
}

/* [V-DIV] Requires: 0 < b.lo, and 0 <= a.lo or b is one number.
 * Ensures:  the result contains x / y for every x in a and y in b.
 * Why:      x/y grows with x, and falls with y where x >= 0. */
static inline vv_iv vv_div(vv_iv a, vv_iv b)
{
  return (vv_iv) {vv_down(a.lo / b.hi), vv_up(a.hi / b.lo)};
}

/* [V-MAG] Ensures: the largest |x| of an x in a. */
static inline double vv_mag(vv_iv a) {return vv_max(fabs(a.lo), fabs(a.hi));}

/* [V-SIGN] Ensures: 1 or -1 if every x in a has that sign, else 0. */
static inline int vv_sign(vv_iv a) {return (a.lo > 0.0) - (a.hi < 0.0);}

/* [V-CLIP] Requires: a contains a number of [-1,1].
 * Ensures:  the part of a inside [-1,1]. */
static inline vv_iv vv_clip(vv_iv a) {return (vv_iv) {vv_max(a.lo, -1.0), vv_min(a.hi, 1.0)};}

/* [V-VEC] Ensures: the interval vector of the one vector x. */
static inline vv_vec vv_vector(const double x[3])
{
  return (vv_vec) {{vv_point(x[0]), vv_point(x[1]), vv_point(x[2])}};
}

/* [V-VADD] Ensures: contains x + y for every x in a and y in b. Why: [V-ADD] by coordinate. */
static inline vv_vec vv_plus(vv_vec a, vv_vec b)
{
  return (vv_vec) {{vv_add(a.x[0], b.x[0]), vv_add(a.x[1], b.x[1]), vv_add(a.x[2], b.x[2])}};
}

/* [V-VSUB] Ensures: contains x - y for every x in a and y in b. */
static inline vv_vec vv_minus(vv_vec a, vv_vec b)
{
  return (vv_vec) {{vv_sub(a.x[0], b.x[0]), vv_sub(a.x[1], b.x[1]), vv_sub(a.x[2], b.x[2])}};
}

/* [V-VMUL] Ensures: contains f*x for every x in a and every number f in s. */
static inline vv_vec vv_times(vv_vec a, vv_iv s)
{
  return (vv_vec) {{vv_mul(a.x[0], s), vv_mul(a.x[1], s), vv_mul(a.x[2], s)}};
}

/* [V-DOT] Ensures: contains x.y for every x in a and y in b. */
static inline vv_iv vv_dot(vv_vec a, vv_vec b)
{
  return vv_add(vv_add(vv_mul(a.x[0], b.x[0]), vv_mul(a.x[1], b.x[1])), vv_mul(a.x[2], b.x[2]));
}

/* [V-CROSSP] Ensures: contains the cross product of every x in a and y in b. */
static inline vv_vec vv_cross(vv_vec a, vv_vec b)
{
  const vv_iv * p = a.x, * q = b.x;
  const vv_vec l = {{vv_mul(p[1], q[2]), vv_mul(p[2], q[0]), vv_mul(p[0], q[1])}};
  const vv_vec r = {{vv_mul(p[2], q[1]), vv_mul(p[0], q[2]), vv_mul(p[1], q[0])}};
  return vv_minus(l, r);
}

/* [V-LEN] Ensures: at least |x| for every x in a. Why: every step is rounded up; the square
 * root of IEEE 754 is correctly rounded. */
static inline double vv_length(vv_vec a)
{
  const double x = vv_mag(a.x[0]), y = vv_mag(a.x[1]), z = vv_mag(a.x[2]);
  return vv_up(sqrt(vv_up(vv_up(vv_up(x * x) + vv_up(y * y)) + vv_up(z * z))));
}

/* [V-TURN] Ensures: contains R*v for every rotation R in p and v in x. */
static inline vv_vec vv_turn(const vv_pose * p, vv_vec x)
{
  return (vv_vec) {{vv_dot(p->r[0], x), vv_dot(p->r[1], x), vv_dot(p->r[2], x)}};
}

/* [V-TURNB] As [V-TURN] with the inverse rotation. Why: R' is R's inverse, and R'v is the sum
 * of R's rows weighted with v. */
static inline vv_vec vv_turn_back(const vv_pose * p, vv_vec x)
{
  const vv_vec xy = vv_plus(vv_times(p->r[0], x.x[0]), vv_times(p->r[1], x.x[1]));
  return vv_plus(xy, vv_times(p->r[2], x.x[2]));
}

/* [V-APPLY] Ensures: contains R*v + t for every motion (R, t) in p and v in x. */
static inline vv_vec vv_apply(const vv_pose * p, vv_vec x) {return vv_plus(vv_turn(p, x), p->t);}

void vv_sincos(vv_iv x, vv_iv * sine, vv_iv * cosine);
vv_pose vv_compose(const vv_pose * p, const vv_pose * q);
vv_pose vv_inverse(const vv_pose * p);
vv_pose vv_pose_of(const double f[7]);

#endif
