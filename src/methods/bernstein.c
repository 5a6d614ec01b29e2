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

#include "methods/bernstein.h"

static double binomial(size_t n, size_t k)
{
  double value = 1.0;
  for (size_t i = 1; i <= k; i++) {
    value = value * (double)(n - k + i) / (double)i;
  }
  return value;
}

void bernstein_product(const double * a, size_t da, const double * b, size_t db, double * out)
{
  for (size_t k = 0; k <= da + db; k++) {
    double sum = 0.0;
    size_t first = k > db ? k - db : 0, last = k < da ? k : da;
    for (size_t i = first; i <= last; i++) {
      sum += binomial(da, i) * binomial(db, k - i) / binomial(da + db, k) * (a[i] * b[k - i]);
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
