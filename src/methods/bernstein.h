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

/* TRUSTED for the stated error of motions. Polynomials in Bernstein form: products and halving. */

#ifndef METHODS__BERNSTEIN_H_
#define METHODS__BERNSTEIN_H_

#include <stddef.h>

/// out[i] = C(degree, i) / 2^degree for i = 0 to degree <= 1000, each off by at most degree * u of
/// itself.
void bernstein_shares(size_t degree, double * out);

/// Two factors and their product: `shares` are those of the degrees of a, b and the product.
typedef struct bernstein_factors_s
{
  const double * a, * b;
  size_t degree_a, degree_b;     // at most 1000 together
  const double * shares[3];
} bernstein_factors_t;

/* [Q-PRODUCT] out (degree d = degree_a + degree_b) = a b. The coefficients err by at most (3 d + 8)
 * u max|a| max|b|: the three shares are off by 2 d u of themselves together, making the term takes
 * four roundings, and at most d/2 sums follow; the exact shares of one coefficient add up to 1. */
void bernstein_product(const bernstein_factors_t * f, double * out);

/// Halves `p` in place: left gets [0, 1/2], p becomes [1/2, 1].
void bernstein_halve(double * p, size_t degree, double * left);

#endif  // METHODS__BERNSTEIN_H_
