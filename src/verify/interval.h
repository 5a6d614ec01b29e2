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
 * Numbers are finite: the loader bounds every number it reads and the distance of knots, sines,
 * cosines and the entries of products of rotations are clipped to [-1,1]; and what comes out of
 * many operations (poses, radii, carries, bounds on the motion, gaps) is tested where it is stored
 * or believed: not below 1e15 or so, it is refused. Between two such tests a handful of numbers is
 * multiplied. */

#ifndef VERIFY__INTERVAL_H_
#define VERIFY__INTERVAL_H_

#include <float.h>
#include <math.h>

/* For every source that includes this. gcc, which does not know it, has -ffp-contract=off. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "the verifier needs strict IEEE 754 arithmetic: no -ffast-math, no x87"
#endif

typedef struct { double lo, hi; } iv;
typedef struct { iv x, y, z; } vec;

/* A rigid motion: a point p goes to (x.p, y.p, z.p) + t. x, y, z are the rows of its rotation. */
typedef struct { vec x, y, z, t; } rigid;

/* [V-UP] Requires: x is the rounded-to-nearest result of one operation, finite.
 * Ensures:  the result is at least the exact value of that operation; [V-DOWN]: at most.
 * Why:      Rump et al., quoted above. */
static inline double up(double x) {return x + (0x1.0000000000001p-53 * fabs(x) + 0x1p-900);}
static inline double down(double x) {return x - (0x1.0000000000001p-53 * fabs(x) + 0x1p-900);}

/* [V-MAX] Ensures: the larger, NaN if one of them is; [V-MIN]: the smaller. */
static inline double max(double x, double y) {return x > y || x != x ? x : y;}
static inline double min(double x, double y) {return x < y || x != x ? x : y;}

/* [V-MORE] Requires: neither is NaN. Ensures: the larger; [V-LESS]: the smaller. One instruction. */
static inline double more(double x, double y) {return x > y ? x : y;}
static inline double less(double x, double y) {return x < y ? x : y;}

/* [V-POINT] Ensures: the interval of the one number x. */
static inline iv point(double x) {return (iv) {x, x};}

/* [V-ADD] Requires: a and b are finite intervals.
 * Ensures:  the result contains x + y for every x in a and y in b; [V-SUB]: x - y.
 * Why:      both are monotone; [V-UP], [V-DOWN]. */
static inline iv add(iv a, iv b) {return (iv) {down(a.lo + b.lo), up(a.hi + b.hi)};}
static inline iv sub(iv a, iv b) {return (iv) {down(a.lo - b.hi), up(a.hi - b.lo)};}

/* [V-MUL] As [V-ADD], for x * y.
 * Why:      x*y takes its extremes at corners; rounding is monotone, so the least rounded
 *           corner is the rounded least corner. A product of finite numbers is no NaN. */
static inline iv mul(iv a, iv b)
{
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return (iv) {down(less(less(p, q), less(r, s))), up(more(more(p, q), more(r, s)))};
}

/* [V-DIV] Requires: 0 < b.lo, and 0 <= a.lo or b is one number.
 * Ensures:  the result contains x / y for every x in a and y in b.
 * Why:      x/y grows with x, and falls with y where x >= 0. */
static inline iv over(iv a, iv b) {return (iv) {down(a.lo / b.hi), up(a.hi / b.lo)};}

/* [V-MAG] Ensures: the largest |x| of an x in a. */
static inline double mag(iv a) {return max(fabs(a.lo), fabs(a.hi));}

/* [V-SIGN] Ensures: 1 or -1 if every x in a has that sign, else 0. */
static inline int sign(iv a) {return (a.lo > 0.0) - (a.hi < 0.0);}

/* [V-MIDDLE] Ensures: a number about the middle of a. */
static inline double middle(iv a) {return 0.5 * (a.lo + a.hi);}

/* [V-JOIN] Ensures: contains a and b. */
static inline iv join(iv a, iv b) {return (iv) {min(a.lo, b.lo), max(a.hi, b.hi)};}

/* [V-CLIP] Requires: a contains a number of [-1,1]. Ensures: the part of a inside [-1,1]. */
static inline iv clip(iv a) {return (iv) {max(a.lo, -1.0), min(a.hi, 1.0)};}
static inline vec clip3(vec a) {return (vec) {clip(a.x), clip(a.y), clip(a.z)};}

/* [V-VEC] Ensures: the vector p; contains x + y, x - y, f*x, x.y for every x in a, y in b and
 * number f in s. Why: [V-ADD], [V-SUB], [V-MUL] by coordinate. */
static inline vec vector(const double * p) {return (vec) {point(p[0]), point(p[1]), point(p[2])};}
static inline vec plus(vec a, vec b) {return (vec) {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};}
static inline vec minus(vec a, vec b) {return (vec) {sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)};}
static inline vec times(vec a, iv s) {return (vec) {mul(a.x, s), mul(a.y, s), mul(a.z, s)};}
static inline iv dot(vec a, vec b) {return add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));}

/* [V-CROSS] Ensures: contains the cross product of every x in a and y in b. */
static inline vec cross(vec a, vec b)
{
  const vec l = {mul(a.y, b.z), mul(a.z, b.x), mul(a.x, b.y)};
  return minus(l, (vec) {mul(a.z, b.y), mul(a.x, b.z), mul(a.y, b.x)});
}

/* [V-LEN] Ensures: at least |x| for every x in a. Why: every step is rounded up; the square
 * root of IEEE 754 is correctly rounded. */
static inline double length(vec a)
{
  const double x = mag(a.x), y = mag(a.y), z = mag(a.z);
  return up(sqrt(up(up(up(x * x) + up(y * y)) + up(z * z))));
}

/* [V-TURN] Ensures: contains R*v for every rotation R in p and v in a; [V-UNTURN]: R'*v, R' the
 * inverse: the sum of R's rows weighted with v. */
static inline vec turn(rigid p, vec a) {return (vec) {dot(p.x, a), dot(p.y, a), dot(p.z, a)};}
static inline vec unturn(rigid p, vec a)
{
  return plus(plus(times(p.x, a.x), times(p.y, a.y)), times(p.z, a.z));
}

/* [V-APPLY] Ensures: contains P(v) for every motion P in p and v in a; [V-UNAPPLY]: its inverse. */
static inline vec apply(rigid p, vec a) {return plus(turn(p, a), p.t);}
static inline vec unapply(rigid p, vec a) {return unturn(p, minus(a, p.t));}

rigid v_compose(rigid p, rigid q);
rigid v_rotation(vec v, iv w, iv s, vec t);
iv v_sine(iv x, int quarters);

#endif
