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
 * Numbers stay finite: the loader bounds every number it reads and the distance of knots, sines,
 * cosines and the entries of products of rotations are clipped to [-1,1], and what is carried along
 * a path is refused when it becomes too large. */

#include <float.h>
#include <math.h>

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

/* [V-MAX] Requires: neither is NaN. Ensures: the larger; [V-MIN]: the smaller. */
static inline double max(double x, double y) {return x > y ? x : y;}
static inline double min(double x, double y) {return x < y ? x : y;}

/* [V-POINT] Ensures: the interval of the one number x. */
static inline iv point(double x) {return (iv) {x, x};}

/* [V-ADD] Requires: a and b are finite intervals.
 * Ensures:  the result contains x + y for every x in a and y in b; [V-SUB]: x - y.
 * Why:      both are monotone; [V-UP], [V-DOWN]. */
static inline iv add(iv a, iv b) {return (iv) {down(a.lo + b.lo), up(a.hi + b.hi)};}
static inline iv sub(iv a, iv b) {return (iv) {down(a.lo - b.hi), up(a.hi - b.lo)};}

/* [V-MUL] As [V-ADD], for x * y.
 * Why:      x*y takes its extremes at corners; rounding is monotone, so the least rounded
 *           corner is the rounded least corner. */
static inline iv mul(iv a, iv b)
{
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return (iv) {down(min(min(p, q), min(r, s))), up(max(max(p, q), max(r, s)))};
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

/* [V-COMPOSE] Ensures: contains P after Q for all motions P in p and Q in q.
 * Why:      a row of PQ is Q' times that row of P. Entries of a rotation lie in [-1,1], so
 *           clipping loses none. */
static inline rigid compose(rigid p, rigid q)
{
  const vec x = unturn(q, p.x), y = unturn(q, p.y), z = unturn(q, p.z);
  return (rigid) {clip3(x), clip3(y), clip3(z), apply(p, q.t)};
}

/* [V-QUATERNION] Requires: a number of s is 2/(|q|^2 + p^2), q in v and p in w.
 * Ensures:  contains the motion with a translation in t and the rotation of the quaternion
 *           (q, p)/|(q, p)|: the turn about q by the angle whose half has the tangent |q|/p.
 * Why:      its matrix is 1 + s(p[q] + [q][q]), [q]y = q x y. */
static inline rigid rotation(vec v, iv w, iv s, vec t)
{
  const iv one = point(1.0);
  const vec x = times(v, mul(s, v.x)), y = times(v, mul(s, v.y)), z = times(v, mul(s, v.z));
  const vec u = times(v, mul(s, w));
  return (rigid) {{sub(one, add(y.y, z.z)), sub(x.y, u.z), add(x.z, u.y)},
           {add(x.y, u.z), sub(one, add(x.x, z.z)), sub(y.z, u.x)},
           {sub(x.z, u.y), add(y.z, u.x), sub(one, add(x.x, y.y))}, t};
}

/* [V-SINE] Requires: x is a finite interval, 0 <= quarters < 4.
 * Ensures:  contains sin(t + quarters*pi/2) for every t in x.
 * Why:      r = t - k*pi/2 for any whole number k, and pi/2 lies in p1 + p2 + [p3, p3 + ulp];
 *           k*p1 and k*p2 are exact for |k| < 2^20 (31 and 32 significant bits). With f = 1 for
 *           the sine of r and 0 for its cosine, sin(r)/r or cos(r) is
 *           1 - r^2/((f+1)(f+2))*(1 - r^2/((f+3)(f+4))*(...)). After eight factors the rest is an
 *           alternating series of falling terms, hence in [1 - 0.64/306, 1] for |r| <= 0.8. If k
 *           or r is too large, [-1,1] is returned, which always holds. */
static inline iv sine(iv x, int quarters)
{
  const iv any = {-1.0, 1.0}, p3 = {0x1.3198a2e037073p-69, 0x1.3198a2e037074p-69};
  const double turns = x.lo * 0.6366197723675814;
  if (!(fabs(turns) < 0x1p19)) {return any;}
  const int k = (int)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  const int quadrant = (k % 4 + 4 + quarters) % 4;
  const iv coarse = sub(sub(x, point(k * 0x1.921fb544p+0)), point(k * 0x1.0b4611a6p-34));
  const iv r = sub(coarse, mul(point(k), p3)), square = mul(r, r);
  if (!(mag(r) <= 0.8)) {return any;}
  iv sum = {1.0 - 0x1p-8, 1.0};
  for (int n = 17 - quadrant % 2; n > 1; n -= 2) {
    sum = sub(point(1.0), over(mul(square, sum), point(n * (n - 1))));
  }
  sum = clip(quadrant % 2 == 0 ? mul(r, sum) : sum);
  return quadrant < 2 ? sum : (iv) {-sum.hi, -sum.lo};
}
