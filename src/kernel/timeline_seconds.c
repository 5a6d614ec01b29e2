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

/* Where an interval lies in the motion, and what reports say about times there. */

#include "kernel/timeline.h"

#include <math.h>

#include "base/fpguard.h"

void kernel_timeline_place(
  const kernel_timeline_t * t, uint32_t number, double fraction, uint32_t * segment,
  double * place)
{
  const kernel_interval_t * interval = &t->intervals[number];
  if (interval->last - interval->first == 1u) {
    *segment = interval->first;
    *place = ldexp((double)interval->numerator + fraction, -(int)interval->depth);
  } else if (fraction < 0.25) {
    *segment = interval->first;
    *place = 0.0;
  } else {
    *segment = (fraction > 0.75 ? interval->last : kernel_interval_knot(interval)) - 1u;
    *place = 1.0;
  }
}

/// Whether a + b, a number of type double, is the exact sum (Knuth 1997, section 4.2.2, theorem B).
static bool adds_exactly(double a, double b)
{
  double sum = a + b, second = sum - a;
  return (a - (sum - second)) + (b - second) == 0.0;
}

/// [K-SECONDS] Requires: 0 <= fraction <= 1. Ensures: at most the exact seconds[0] + fraction *
/// (seconds[1] - seconds[0]) when rounded down, at least that when rounded up, else about that.
/// Why: three operations err by less than 2^-51 (|seconds[0]| + |seconds[1]|), or none of them does.
double kernel_seconds(const double seconds[2], double fraction, kernel_rounded_t rounded)
{
  if (!(fraction > 0.0 && fraction < 1.0)) {
    return fraction > 0.0 ? seconds[1] : seconds[0];
  }
  double length = seconds[1] - seconds[0], part = fraction * length, value = seconds[0] + part;
  bool exact = adds_exactly(seconds[1], -seconds[0]) && fma(fraction, length, -part) == 0.0 &&
    adds_exactly(seconds[0], part);
  double slack = exact ? 0.0 : 0x1p-50 * (fabs(seconds[0]) + fabs(seconds[1]));
  switch (rounded) {
    case KERNEL_DOWN:
      return fmax(seconds[0], value - slack);
    case KERNEL_UP:
      return fmin(seconds[1], value + slack);
    default:
      return fmin(seconds[1], value);
  }
}

double kernel_timeline_seconds(
  const kernel_timeline_t * t, uint32_t number, double fraction, kernel_rounded_t rounded)
{
  uint32_t segment;
  double place;
  kernel_timeline_place(t, number, fraction, &segment, &place);
  return kernel_seconds(t->problem->motion.seconds + segment, place, rounded);
}
