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

/* TRUSTED. Is a quadratic function of two variables positive on a polygon?
 *
 * [F-CONVEX] A convex quadratic Q on a polygon with corners c_k is at least Q(p) + min_k grad
 * Q(p).(c_k - p), for any p whatsoever: the untrusted part only proposes p.
 * [F-SADDLE] A quadratic whose Hessian is not positive definite is concave along some line through
 * each point, so its minimum over a polygon is on the boundary.
 * `error` bounds the error of every coefficient, and of the sums and products in which they enter,
 * by 16 error. */

#ifndef METHODS__QUADRATIC_H_
#define METHODS__QUADRATIC_H_

#include <stdbool.h>

/// Q(s, t) = k + s ks + t kt + s^2 kss + s t kst + t^2 ktt
typedef struct quadratic_s
{
  double k, ks, kt, kss, kst, ktt;
} quadratic_t;

/// Sum of the absolute values of the coefficients.
double quadratic_size(const quadratic_t * q);

/// [F-CONVEX] Requires: q is convex up to rounding. True only if q > 0 on the polygon (the unit
/// square or triangle).
bool quadratic_convex_positive(
  const quadratic_t * q, const double(*corners)[2], int count, double error);

/// True only if q is certainly convex and positive.
bool quadratic_exact_positive(
  const quadratic_t * q, const double(*corners)[2], int count, double error);

/// [F-SADDLE] True only if q is certainly not convex.
bool quadratic_saddle(const quadratic_t * q, double error);

/// True only if q(s, t) > 0 for all s in [0, 1], at the given t.
bool quadratic_side_positive(const quadratic_t * q, double t, double error);

#endif  // METHODS__QUADRATIC_H_
