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

#include "kernel/timeline_bounds.h"

#include <math.h>

#include "base/fpguard.h"

/* Raises for rounding (docs/soundness.md, L5): a difference of coefficients that were halved up to
 * 50 times is off by less than 2^-42 max|b| of the motion as given (not of the part: where a
 * polynomial vanishes the part is small, and the errors are not); second differences and velocities
 * of a segment as given by less than 2^-46 of the first differences. */
#define RAISE_HALVED 0x1p-42
#define RAISE_WHOLE 0x1p-46

double kernel_bounds_value(
  const vouch_motion_part_t * m, uint32_t segment, uint32_t variable, double fraction)
{
  uint32_t degree = m->degrees[segment];
  const double * b = m->coefficients + m->offsets[segment] + variable * (degree + 1u);
  double work[VOUCH_MAX_DEGREE + 1];
  for (uint32_t i = 0; i <= degree; i++) {
    work[i] = b[i];
  }
  for (uint32_t level = degree; level > 0; level--) {
    for (uint32_t i = 0; i < level; i++) {
      work[i] = (1.0 - fraction) * work[i] + fraction * work[i + 1u];
    }
  }
  return work[0];
}

/// Largest and summed |first difference|, |second difference| of one variable's coefficients.
typedef struct differences_s
{
  double first_most, first_sum, second_most, second_sum;
} differences_t;

static differences_t differences(const double * b, uint32_t degree)
{
  differences_t d = {0};
  for (uint32_t i = 0; i <= degree; i++) {
    if (i >= 1u) {
      double first = fabs(b[i] - b[i - 1u]);
      d.first_most = fmax(d.first_most, first);
      d.first_sum += first;
    }
    if (i >= 2u) {
      double second = fabs((b[i] - b[i - 1u]) - (b[i - 1u] - b[i - 2u]));
      d.second_most = fmax(d.second_most, second);
      d.second_sum += second;
    }
  }
  return d;
}

static double * row(kernel_timeline_t * t, uint32_t interval, uint32_t which)
{
  size_t start = (size_t)interval * KERNEL_BOUNDS * t->variable_count;
  return t->bounds + start + (size_t)which * t->variable_count;
}

/// [L5] While runs are being built, rows hold rates per unit of the common time.
void kernel_bounds_segment(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  uint32_t segment = t->intervals[interval].first, n = t->variable_count;
  uint32_t degree = m->degrees[segment];
  const double * b = m->coefficients + m->offsets[segment];
  double h = m->knots[segment + 1u] - m->knots[segment], d = (double)degree;
  double * velocity = row(t, interval, KERNEL_VELOCITY), * bend = row(t, interval, KERNEL_BEND);
  double * sum = row(t, interval, KERNEL_BEND_SUM), * kink = row(t, interval, KERNEL_KINK);
  double * variation = row(t, interval, KERNEL_VARIATION);
  for (uint32_t v = 0; v < n; v++) {
    if (degree == 1u) {
      double step = fabs(b[2u * v + 1u] - b[2u * v]);
      velocity[v] = step / h;
      variation[v] = step;
      bend[v] = sum[v] = 0.0;
    } else {
      differences_t x = differences(b + v * (degree + 1u), degree);
      double raise = RAISE_WHOLE * x.first_most;
      velocity[v] = d * x.first_most / h;
      bend[v] = d * (d - 1.0) * (x.second_most + raise) / h / h;
      sum[v] = d * (x.second_sum + (d - 1.0) * raise) / h;
      variation[v] = x.first_sum;
    }
    kink[v] = 0.0;
  }
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/// [L10] Maxima and sums of the halves, plus the kink at the knot between them.
void kernel_bounds_join(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  uint32_t l = t->intervals[interval].left, r = t->intervals[interval].right;
  uint32_t knot = t->intervals[l].last, n = t->variable_count;
  uint32_t d0 = m->degrees[knot - 1u], d1 = m->degrees[knot];
  const double * before = m->coefficients + m->offsets[knot - 1u] + d0 - 1u;
  const double * after = m->coefficients + m->offsets[knot];
  double rate0 = (double)d0 / (m->knots[knot] - m->knots[knot - 1u]);
  double rate1 = (double)d1 / (m->knots[knot + 1u] - m->knots[knot]);
  double * out = row(t, interval, 0);
  const double * x = row(t, l, 0), * y = row(t, r, 0);
  for (uint32_t v = 0; v < n; v++) {
    const double * p = before + v * (d0 + 1u), * q = after + v * (d1 + 1u);
    double vl = rate0 * (p[1] - p[0]), vr = rate1 * (q[1] - q[0]);
    double kink = fabs(vr - vl) + RAISE_WHOLE * (fabs(vl) + fabs(vr));
#ifdef VOUCH_FAULT_DROP_KINK
    kink = 0.0;
#endif
    out[KERNEL_VELOCITY * n + v] = larger(x[KERNEL_VELOCITY * n + v], y[KERNEL_VELOCITY * n + v]);
    out[KERNEL_BEND * n + v] = larger(x[KERNEL_BEND * n + v], y[KERNEL_BEND * n + v]);
    out[KERNEL_BEND_SUM * n + v] = x[KERNEL_BEND_SUM * n + v] + y[KERNEL_BEND_SUM * n + v];
    out[KERNEL_KINK * n + v] = x[KERNEL_KINK * n + v] + y[KERNEL_KINK * n + v] + kink;
    out[KERNEL_VARIATION * n + v] = x[KERNEL_VARIATION * n + v] + y[KERNEL_VARIATION * n + v];
  }
}

/// [L10] Own time: velocities times T, bends times T^2/2 or their sum times T, whichever is less.
void kernel_bounds_finish(kernel_timeline_t * t, uint32_t interval)
{
  const double * knots = t->problem->motion.knots;
  double T = knots[t->intervals[interval].last] - knots[t->intervals[interval].first];
  for (uint32_t v = 0; v < t->variable_count; v++) {
    row(t, interval, KERNEL_VELOCITY)[v] *= T;
    double smooth = row(t, interval, KERNEL_BEND)[v] * T * T * 0.5;
    double summed = row(t, interval, KERNEL_BEND_SUM)[v] * T;
    row(t, interval, KERNEL_BEND)[v] = fmin(smooth, summed);
    row(t, interval, KERNEL_KINK)[v] *= T;
  }
}

static double * stored(kernel_timeline_t * t, uint32_t interval, uint32_t v)
{
  size_t start = (size_t)interval * t->variable_count * (VOUCH_MAX_DEGREE + 1u);
  return t->coefficients + start + v * (VOUCH_MAX_DEGREE + 1u);
}

static void set_halved(kernel_timeline_t * t, uint32_t interval, uint32_t v, uint32_t degree)
{
  differences_t x = differences(stored(t, interval, v), degree);
  double d = (double)degree, raise = RAISE_HALVED * t->largest[v];
  double smooth = d * (d - 1.0) * (x.second_most + raise) * 0.5;
  double summed = d * (x.second_sum + (d - 1.0) * raise);
  row(t, interval, KERNEL_VELOCITY)[v] = d * (x.first_most + raise);
  row(t, interval, KERNEL_BEND)[v] = degree >= 2u ? fmin(smooth, summed) : 0.0;
  row(t, interval, KERNEL_KINK)[v] = 0.0;
  row(t, interval, KERNEL_VARIATION)[v] = x.first_sum + d * raise;
}

/// [L5] de Casteljau at 1/2: left half = first column, right half = last diagonal.
void kernel_bounds_halve(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  const kernel_interval_t * parent = &t->intervals[interval];
  uint32_t degree = m->degrees[parent->first];
  for (uint32_t v = 0; v < t->variable_count; v++) {
    const double * b = parent->depth > 0 ? stored(t, interval, v) :
      m->coefficients + m->offsets[parent->first] + v * (degree + 1u);
    double * left = stored(t, parent->left, v), * right = stored(t, parent->right, v);
    for (uint32_t i = 0; i <= degree; i++) {
      right[i] = b[i];
    }
    for (uint32_t level = 0; level <= degree; level++) {
      left[level] = right[0];
      for (uint32_t i = 0; i + level < degree; i++) {
        right[i] = 0.5 * (right[i] + right[i + 1u]);
      }
    }
    set_halved(t, parent->left, v, degree);
    set_halved(t, parent->right, v, degree);
  }
}
