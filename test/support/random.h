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

/* Random numbers for tests: the same on every machine, from a seed that failing tests print. */

#ifndef SUPPORT__RANDOM_H_
#define SUPPORT__RANDOM_H_

#include <math.h>
#include <stdint.h>

typedef struct test_random_s
{
  uint64_t state;
} test_random_t;

/// splitmix64
static inline uint64_t test_random_bits(test_random_t * random)
{
  uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/// In [low, high).
static inline double test_random_in(test_random_t * random, double low, double high)
{
  return low + (high - low) * (double)(test_random_bits(random) >> 11) * 0x1p-53;
}

/// 0 .. count - 1
static inline uint32_t test_random_below(test_random_t * random, uint32_t count)
{
  return (uint32_t)(test_random_bits(random) % count);
}

/// Of length 1, uniform enough.
static inline void test_random_direction(test_random_t * random, double n[3])
{
  double square;
  do {
    square = 0.0;
    for (int k = 0; k < 3; ++k) {
      n[k] = test_random_in(random, -1.0, 1.0);
      square += n[k] * n[k];
    }
  } while (square > 1.0 || square < 1e-3);
  for (int k = 0; k < 3; ++k) {
    n[k] /= sqrt(square);
  }
}

#endif  // SUPPORT__RANDOM_H_
