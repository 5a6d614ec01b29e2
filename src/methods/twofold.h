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

/* TRUSTED. Balls with a centre of two doubles: about 100 bits, and a radius that holds all errors.
 *
 * Used for the coefficients of contact equations, where plain intervals grow to some 1e-13. Sums
 * and products of two doubles are exact as pairs (Knuth's two-sum; Dekker's product, for magnitudes
 * between 1e-140 and 1e140). The rest of an operation errs by less than 2^-98 of the magnitudes
 * that enter (the low parts are below 2^-52 of the high ones), which goes into the radius, together
 * with 1e-270 for what underflows. */

#ifndef METHODS__TWOFOLD_H_
#define METHODS__TWOFOLD_H_

#include "methods/interval.h"

typedef struct twofold_s
{
  double hi, lo, radius;
} twofold_t;

#define TWOFOLD_SLACK 0x1p-98
#define TWOFOLD_TINY 1e-270

static inline twofold_t twofold_point(double x) {return (twofold_t) {x, 0.0, 0.0};}

/// hi + lo = a + b exactly
static inline void two_sum(double a, double b, double * hi, double * lo)
{
  double s = a + b, t = s - a;
  *lo = (a - (s - t)) + (b - t);
  *hi = s;
}

/// hi + lo = a * b exactly
static inline void two_product(double a, double b, double * hi, double * lo)
{
  double ta = 134217729.0 * a, tb = 134217729.0 * b;
  double ah = ta - (ta - a), bh = tb - (tb - b), al = a - ah, bl = b - bh;
  *hi = a * b;
  *lo = ((ah * bh - *hi) + ah * bl + al * bh) + al * bl;
}

static inline double twofold_size(twofold_t a) {return fabs(a.hi) * (1.0 + 0x1p-40) + a.radius;}

static inline twofold_t twofold_make(double hi, double lo, double radius)
{
  twofold_t c;
  two_sum(hi, lo, &c.hi, &c.lo);
  c.radius = radius * (1.0 + 0x1p-40) + TWOFOLD_TINY;
  return c;
}

static inline twofold_t twofold_neg(twofold_t a) {return (twofold_t) {-a.hi, -a.lo, a.radius};}

static inline twofold_t twofold_add(twofold_t a, twofold_t b)
{
  double hi, lo;
  two_sum(a.hi, b.hi, &hi, &lo);
  return twofold_make(
    hi, lo + (a.lo + b.lo), a.radius + b.radius + TWOFOLD_SLACK * (fabs(a.hi) + fabs(b.hi)));
}

static inline twofold_t twofold_sub(twofold_t a, twofold_t b)
{
  return twofold_add(a, twofold_neg(b));
}

static inline twofold_t twofold_mul(twofold_t a, twofold_t b)
{
  double hi, lo;
  two_product(a.hi, b.hi, &hi, &lo);
  return twofold_make(
    hi, lo + (a.hi * b.lo + a.lo * b.hi),
    twofold_size(a) * b.radius + twofold_size(b) * a.radius + TWOFOLD_SLACK * fabs(hi));
}

/// Any quotient will do as a centre: the residual a - q b says how far off it is.
static inline twofold_t twofold_div(twofold_t a, twofold_t b)
{
  double first = a.hi / b.hi;
  twofold_t rest = twofold_sub(a, twofold_mul(twofold_point(first), b));
  twofold_t q = twofold_make(first, rest.hi / b.hi, 0.0);
  twofold_t residual = twofold_sub(a, twofold_mul(q, b));
  double least = fabs(b.hi) * (1.0 - 0x1p-40) - b.radius;
  q.radius = least >
    0.0 ? twofold_size(residual) / least * (1.0 + 0x1p-40) + TWOFOLD_TINY : INFINITY;
  return q;
}

/// Requires a > 0 (else the radius is infinite).
static inline twofold_t twofold_sqrt(twofold_t a)
{
  double first = sqrt(fmax(a.hi, 0.0));
  twofold_t rest = twofold_sub(a, twofold_mul(twofold_point(first), twofold_point(first)));
  twofold_t y = twofold_make(first, rest.hi / (2.0 * first), 0.0);
  twofold_t residual = twofold_sub(a, twofold_mul(y, y));
  y.radius = first > 0.0 && a.hi > a.radius ?
    twofold_size(residual) / (first * (1.0 - 0x1p-40)) + TWOFOLD_TINY : INFINITY;
  return y;
}

static inline interval_t twofold_interval(twofold_t a)
{
  return (interval_t) {
           interval_down(interval_down(a.hi + a.lo) - a.radius),
           interval_up(interval_up(a.hi + a.lo) + a.radius)
  };
}

typedef struct twofold3_s
{
  twofold_t v[3];
} twofold3_t;

static inline twofold3_t twofold3_point(const double p[3])
{
  return (twofold3_t) {{twofold_point(p[0]), twofold_point(p[1]), twofold_point(p[2])}};
}
static inline twofold3_t twofold3_add(twofold3_t a, twofold3_t b)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = twofold_add(a.v[i], b.v[i]);
  }
  return a;
}
static inline twofold3_t twofold3_sub(twofold3_t a, twofold3_t b)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = twofold_sub(a.v[i], b.v[i]);
  }
  return a;
}
static inline twofold3_t twofold3_scale(twofold3_t a, twofold_t s)
{
  for (int i = 0; i < 3; i++) {
    a.v[i] = twofold_mul(a.v[i], s);
  }
  return a;
}
static inline twofold_t twofold3_dot(twofold3_t a, twofold3_t b)
{
  return twofold_add(
    twofold_add(twofold_mul(a.v[0], b.v[0]), twofold_mul(a.v[1], b.v[1])),
    twofold_mul(a.v[2], b.v[2]));
}
static inline twofold3_t twofold3_cross(twofold3_t a, twofold3_t b)
{
  twofold3_t c;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c.v[i] = twofold_sub(twofold_mul(a.v[j], b.v[k]), twofold_mul(a.v[k], b.v[j]));
  }
  return c;
}
static inline interval3_t twofold3_interval(twofold3_t a)
{
  return (interval3_t) {
           {twofold_interval(a.v[0]), twofold_interval(a.v[1]), twofold_interval(a.v[2])}
  };
}

#endif  // METHODS__TWOFOLD_H_
