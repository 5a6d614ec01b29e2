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

/* TRUSTED for the stated error of motions. See bernstein.h. */

#include "methods/bernstein.h"

#include <math.h>

/* From the ends inwards, two roundings a step and at most degree / 2 steps; 2^-1000 is normal. */
void bernstein_shares(size_t degree, double * out)
{
  double share = ldexp(1.0, -(int)degree);
  for (size_t i = 0; 2 * i <= degree; i++) {
    out[i] = out[degree - i] = share;
    share = share * (double)(degree - i) / (double)(i + 1);
  }
}

void bernstein_product(const bernstein_factors_t * f, double * out)
{
  size_t da = f->degree_a, db = f->degree_b;
  for (size_t k = 0; k <= da + db; k++) {
    double sum = 0.0;
    size_t first = k > db ? k - db : 0, last = k < da ? k : da;
    for (size_t i = first; i <= last; i++) {
      double share = f->shares[0][i] * f->shares[1][k - i] / f->shares[2][k];
      sum += share * (f->a[i] * f->b[k - i]);
    }
    out[k] = sum;
  }
}

void bernstein_halve(double * p, size_t degree, double * left)
{
  for (size_t r = 0; r <= degree; r++) {
    left[r] = p[0];
    for (size_t i = 0; i + r < degree; i++) {
      p[i] = 0.5 * (p[i] + p[i + 1]);
    }
  }
}
