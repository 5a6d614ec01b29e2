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

/* What the lemmas about growth, stops, limits and negative margins say, against motions that are
 * followed step by step: nothing exceeds the bound, and something comes close to it.
 * [L11] [L12] [L13] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"

#define SEED 26
#define CASES 4000
#define STEPS 400
#define DEGREE 5
/* Rounding of the tests themselves; the quantities are of size 1 to 1000. */
#define SLACK 1e-9

/* --- L11: two points on quadratic paths along n, with bodies that grow */

typedef struct
{
  double start, speed, bend;  // n.(y - x) = start + speed s + bend s^2 / 2, s in [0, 1]
  double growth, from, to;    // both rates together, in m/s; the seconds of the interval
} pair_t;

static double distance_at(const pair_t * pair, double s)
{
  const double seconds = pair->from + s * (pair->to - pair->from);
  return pair->start + pair->speed * s + pair->bend * s * s / 2 - pair->growth * seconds;
}

static pair_t random_pair(test_random_t * random)
{
  pair_t pair = {
    .start = test_random_in(random, 0, 2), .speed = test_random_in(random, -3, 3),
    .bend = test_random_in(random, -6, 6), .growth = test_random_in(random, 0, 0.5),
    .from = test_random_in(random, 0, 2)
  };
  pair.to = pair.from + test_random_in(random, 0, 2);
  return pair;
}

/* The chord test with growth charged at both ends, as it is there, never accepts what meets; and of
 * what does not meet it accepts nearly all where the acceleration is at its bound. */
static void growth_is_charged_at_the_ends(void ** state)
{
  (void)state;
  test_random_t random = {SEED};
  int accepted = 0, missed = 0;
  for (int i = 0; i < CASES; i++) {
    const pair_t pair = random_pair(&random);
    const double a = distance_at(&pair, 0), b = distance_at(&pair, 1), c = fabs(pair.bend) / 2;
    const double over = c - (a + b);
    const int holds = a > 0 && b > 0 && (over <= 0 || over * over < 4 * a * b);
    double least = INFINITY;
    for (int k = 0; k <= STEPS; k++) {
      least = fmin(least, distance_at(&pair, (double)k / STEPS));
    }
    accepted += holds;
    missed += !holds && least > 0.01 && pair.bend > 0;
    if (holds && !(least > 0)) {
      fail_msg("case %d of seed %d: accepted, but %.17g", i, SEED, least);
    }
  }
  assert_true(accepted > CASES / 10);
  assert_true(missed < CASES / 20);
}

/* --- L12: braking, each step with at least a */

static void a_joint_that_brakes_stays_within_its_bound(void ** state)
{
  (void)state;
  test_random_t random = {SEED};
  double closest = 0;
  for (int i = 0; i < CASES; i++) {
    const double a = test_random_in(&random, 0.1, 10), v = test_random_in(&random, -3, 3);
    const double bound = v * v / (2 * a), step = fabs(v) / a / STEPS;
    // how much harder than with a; 0: just so, the slowest stop
    const double eager = i % 4 == 0 ? 0 : test_random_in(&random, 0, 2);
    double speed = v, moved = 0, most = 0;
    for (int k = 0; k < 2 * STEPS; k++) {
      const double less = a * (1 + eager * test_random_in(&random, 0, 1)) * step;
      const double next = copysign(fmax(0, fabs(speed) - less), speed);
      // until it stands the speed falls evenly; the step in which it stands is shorter
      const double part = fmin(1, less > 0 ? fabs(speed) / less : 1);
      moved += (speed + next) / 2 * step * part;
      speed = next;
      most = fmax(most, fabs(moved));
    }
    assert_true(speed == 0);
    closest = fmax(closest, most / bound);
    if (!(most <= bound * (1 + SLACK))) {
      fail_msg("case %d of seed %d: moved %.17g, bound %.17g", i, SEED, most, bound);
    }
  }
  assert_true(closest > 1 - 1e-6);
}

/* --- L13: derivatives within their coefficients */

static double bernstein(int degree, const double * b, double t)
{
  double c[DEGREE + 1];
  for (int i = 0; i <= degree; i++) {
    c[i] = b[i];
  }
  for (int level = degree; level > 0; level--) {
    for (int i = 0; i < level; i++) {
      c[i] = (1 - t) * c[i] + t * c[i + 1];
    }
  }
  return c[0];
}

/* The derivative by the difference of values, not by coefficients; its error is told by a smaller
 * step. */
static double slope(int degree, const double * b, double t)
{
  const double h = 1e-5;
  return (bernstein(degree, b, t + h) - bernstein(degree, b, t - h)) / (2 * h);
}

static void derivatives_lie_within_their_coefficients(void ** state)
{
  (void)state;
  test_random_t random = {SEED};
  for (int i = 0; i < CASES; i++) {
    const int degree = 1 + i % DEGREE;
    const double seconds = test_random_in(&random, 0.5, 2);
    double b[DEGREE + 1], low, high;
    for (int k = 0; k <= degree; k++) {
      b[k] = test_random_in(&random, -3, 3);
    }
    // derivative after derivative: coefficients by differences, values by difference quotients
    for (int d = degree; d > 0; d--) {
      double rate[DEGREE + 1];
      low = INFINITY, high = -INFINITY;
      for (int k = 0; k < d; k++) {
        rate[k] = d * (b[k + 1] - b[k]) / seconds;
        low = fmin(low, rate[k]);
        high = fmax(high, rate[k]);
      }
      for (int k = 0; k <= 20; k++) {
        const double value = slope(d, b, k / 20.0) / seconds, tolerance = 1e-4 * (1 + high - low);
        assert_true(value >= low - tolerance && value <= high + tolerance);
        if (k == 0) {
          assert_true(fabs(value - rate[0]) <= tolerance);
        }
        if (k == 20) {
          assert_true(fabs(value - rate[d - 1]) <= tolerance);
        }
      }
      for (int k = 0; k < d; k++) {
        b[k] = rate[k];
      }
    }
  }
}

/* --- L2 with negative margins: two intervals on a line that overlap by `overlap` */

static int shows(double n, double overlap, double allowed, double charged_per_metre)
{
  const double gap = n * -overlap + allowed * charged_per_metre;
  return gap > 0;
}

static void short_directions_would_show_any_overlap(void ** state)
{
  (void)state;
  const double least = 1 - 0x1p-20, most = 1 + 0x1p-20;
  test_random_t random = {SEED};
  int wrong = 0;
  for (int i = 0; i < CASES; i++) {
    const double overlap = test_random_in(&random, 0, 1);
    const double allowed = test_random_in(&random, 0, 0.05);
    const double n = test_random_in(&random, 0, most);
    wrong += shows(n, overlap, allowed, most) && overlap > allowed;
    if (n >= least && shows(n, overlap, allowed, least)) {
      assert_true(overlap < allowed);
    }
    const double good = test_random_in(&random, least, most);
    if (overlap > allowed) {
      assert_false(shows(good, overlap, allowed, least));
    }
  }
  assert_true(wrong > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(growth_is_charged_at_the_ends),
    cmocka_unit_test(a_joint_that_brakes_stays_within_its_bound),
    cmocka_unit_test(derivatives_lie_within_their_coefficients),
    cmocka_unit_test(short_directions_would_show_any_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
