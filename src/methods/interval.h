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

/* TRUSTED. Interval arithmetic in round-to-nearest, widened outwards.
 *
 * Every operation computes both ends in round-to-nearest and moves them outwards by phi * |c| +
 * eta, phi = u (1 + 2u), u = 2^-53, eta = 2^-1074, which covers the half ulp that rounding may err
 * (Rump, Zimmermann, Boldo, Melquiond, BIT 2009). Sine and cosine of libm are taken to err by at
 * most 2^-52. NaN and infinite ends are legal and never satisfy an accept condition, because all of
 * these are written as a > b that must hold. */

#ifndef METHODS__INTERVAL_H_
#define METHODS__INTERVAL_H_

#include <math.h>
#include <stdbool.h>

#include "base/fpguard.h"

typedef struct interval_s
{
  double lo, hi;
} interval_t;

#define INTERVAL_PHI 0x1.0000000000001p-53
#define INTERVAL_ETA 0x1p-1074

/* [I-ROUND] Ensures: down(c) <= x <= up(c) for every real x that rounds to c. */
static inline double interval_down(double c) {return c - (INTERVAL_PHI * fabs(c) + INTERVAL_ETA);}
static inline double interval_up(double c) {return c + (INTERVAL_PHI * fabs(c) + INTERVAL_ETA);}

static inline interval_t interval_point(double x) {return (interval_t) {x, x};}
static inline interval_t interval_hull(double a, double b)
{
  return a < b ? (interval_t) {a, b} : (interval_t) {b, a};
}
static inline interval_t interval_neg(interval_t a) {return (interval_t) {-a.hi, -a.lo};}
static inline interval_t interval_add(interval_t a, interval_t b)
{
  return (interval_t) {interval_down(a.lo + b.lo), interval_up(a.hi + b.hi)};
}
static inline interval_t interval_sub(interval_t a, interval_t b)
{
  return (interval_t) {interval_down(a.lo - b.hi), interval_up(a.hi - b.lo)};
}

static inline interval_t interval_mul(interval_t a, interval_t b)
{
  double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  double lo = p < q ? p : q, hi = p < q ? q : p;
  double lo2 = r < s ? r : s, hi2 = r < s ? s : r;
  if (isnan(p + q + r + s)) {
    return (interval_t) {-INFINITY, INFINITY};
  }
  return (interval_t) {interval_down(lo < lo2 ? lo : lo2), interval_up(hi > hi2 ? hi : hi2)};
}

/// x^2: never negative, tighter than mul(a, a).
static inline interval_t interval_sqr(interval_t a)
{
  interval_t s = interval_mul(a, a);
  if (!(a.lo > 0.0) && !(a.hi < 0.0)) {
    double m = fmax(fabs(a.lo), fabs(a.hi));
    s = (interval_t) {0.0, interval_up(m * m)};
  }
  return s;
}

/// a / b; everything when b may be 0.
static inline interval_t interval_div(interval_t a, interval_t b)
{
  if (!(b.lo > 0.0) && !(b.hi < 0.0)) {
    return (interval_t) {-INFINITY, INFINITY};
  }
  interval_t inverse = {interval_down(1.0 / b.hi), interval_up(1.0 / b.lo)};
  return interval_mul(a, inverse);
}

/// Square root of the part of a that is not negative.
static inline interval_t interval_sqrt(interval_t a)
{
  double lo = a.lo > 0.0 ? interval_down(sqrt(a.lo)) : 0.0;
  return (interval_t) {lo > 0.0 ? lo : 0.0, interval_up(sqrt(fmax(a.hi, 0.0)))};
}

static inline interval_t interval_cut(interval_t a, interval_t b)
{
  return (interval_t) {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static inline bool interval_positive(interval_t a) {return a.lo > 0.0;}
static inline bool interval_negative(interval_t a) {return a.hi < 0.0;}
/// True when a certainly does not contain 0.
static inline bool interval_excludes_zero(interval_t a) {return a.lo > 0.0 || a.hi < 0.0;}

/// Sine of every angle in a: around the sine of the middle, widened by the half width.
static inline interval_t interval_sin(interval_t a)
{
  double c = 0.5 * (a.lo + a.hi);
  double w = interval_up(fmax(a.hi - c, c - a.lo)) + 0x1p-52;
  double s = sin(c);
  interval_t wide = {interval_down(s - w), interval_up(s + w)};
  return interval_cut(wide, (interval_t) {-1.0, 1.0});
}

static inline interval_t interval_cos(interval_t a)
{
  double c = 0.5 * (a.lo + a.hi);
  double w = interval_up(fmax(a.hi - c, c - a.lo)) + 0x1p-52;
  double s = cos(c);
  interval_t wide = {interval_down(s - w), interval_up(s + w)};
  return interval_cut(wide, (interval_t) {-1.0, 1.0});
}

typedef struct interval3_s
{
  interval_t v[3];
} interval3_t;

static inline interval3_t interval3_point(const double p[3])
{
  return (interval3_t) {{interval_point(p[0]), interval_point(p[1]), interval_point(p[2])}};
}
static inline interval3_t interval3_add(interval3_t a, interval3_t b)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = interval_add(a.v[i], b.v[i]);
  }
  return a;
}
static inline interval3_t interval3_sub(interval3_t a, interval3_t b)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = interval_sub(a.v[i], b.v[i]);
  }
  return a;
}
static inline interval3_t interval3_scale(interval3_t a, interval_t s)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = interval_mul(a.v[i], s);
  }
  return a;
}
static inline interval_t interval3_dot(interval3_t a, interval3_t b)
{
  return interval_add(
    interval_add(interval_mul(a.v[0], b.v[0]), interval_mul(a.v[1], b.v[1])),
    interval_mul(a.v[2], b.v[2]));
}
static inline interval3_t interval3_cross(interval3_t a, interval3_t b)
{
  interval3_t c;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c.v[i] = interval_sub(interval_mul(a.v[j], b.v[k]), interval_mul(a.v[k], b.v[j]));
  }
  return c;
}

#endif  // METHODS__INTERVAL_H_
