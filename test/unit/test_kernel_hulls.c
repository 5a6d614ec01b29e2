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

/* In which order the kernel keeps the vertices of a hull. [K-ORDER] [K-SUPPORT] */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/derived.h"
#include "support/random.h"

enum
{
  MOST = 128
};

/// A flattened ball of `size` vertices: blocks x, y, z.
static void random_hull(test_random_t * r, uint32_t size, double * x)
{
  for (uint32_t i = 0; i < size; i++) {
    double d[3];
    test_random_direction(r, d);
    x[i] = 0.3 + 0.5 * d[0];
    x[size + i] = 0.1 * d[1];
    x[2u * size + i] = -0.2 + 0.2 * d[2];
  }
}

static int compare(const void * a, const void * b)
{
  return memcmp(a, b, 3 * sizeof(double));
}

static void sort_vertices(const double * x, uint32_t size, double(*out)[3])
{
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t k = 0; k < 3; k++) {
      out[i][k] = x[k * size + i];
    }
  }
  qsort(out, size, sizeof(out[0]), compare);
}

static void no_vertex_is_lost(void ** state)
{
  (void)state;
  test_random_t r = {11};
  for (uint32_t size = 4; size <= MOST; size += 4u) {
    double x[3 * MOST], before[MOST][3], after[MOST][3];
    random_hull(&r, size, x);
    sort_vertices(x, size, before);
    kernel_order_hull(x, size);
    sort_vertices(x, size, after);
    assert_memory_equal(before, after, size * sizeof(before[0]));
  }
}

static double farthest(const double * x, uint32_t size, uint32_t count, const double * d)
{
  double most = -1e9;
  for (uint32_t i = 0; i < count; i++) {
    most = fmax(most, d[0] * x[i] + d[1] * x[size + i] + d[2] * x[2u * size + i]);
  }
  return most;
}

/* Over many directions the first ones miss a good deal less of the hull than the same number did before. */
static void the_first_ones_outline_the_hull(void ** state)
{
  (void)state;
  test_random_t r = {12};
  double missed[2] = {0.0, 0.0};
  for (int k = 0; k < 50; k++) {
    double x[3 * MOST], y[3 * MOST];
    random_hull(&r, MOST, x);
    memcpy(y, x, sizeof(y));
    kernel_order_hull(y, MOST);
    for (int i = 0; i < 200; i++) {
      double d[3];
      test_random_direction(&r, d);
      double all = farthest(x, MOST, MOST, d);
      assert_true(farthest(y, MOST, MOST, d) == all);
      missed[0] += all - farthest(x, MOST, KERNEL_COARSE, d);
      missed[1] += all - farthest(y, MOST, KERNEL_COARSE, d);
    }
  }
  printf("missed: %g before, %g after\n", missed[0], missed[1]);
  assert_true(missed[1] < 0.75 * missed[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_vertex_is_lost),
    cmocka_unit_test(the_first_ones_outline_the_hull),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
