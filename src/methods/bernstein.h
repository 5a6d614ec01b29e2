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

/* Polynomials in Bernstein form: products and halving, for building motions. */

#ifndef METHODS__BERNSTEIN_H_
#define METHODS__BERNSTEIN_H_

#include <stddef.h>

/// out (degree da + db) = a * b. The coefficients err by at most (da + db + 8) u times the sum of
/// products of absolute values, that is, times max|a| max|b|.
void bernstein_product(const double * a, size_t da, const double * b, size_t db, double * out);

/// Halves `p` in place: left gets [0, 1/2], p becomes [1/2, 1].
void bernstein_halve(double * p, size_t degree, double * left);

#endif  // METHODS__BERNSTEIN_H_
