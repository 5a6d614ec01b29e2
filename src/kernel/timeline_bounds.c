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
 * 44 times is off by less than 2^-42 max|b| of the motion as given (not of the part: where a
 * polynomial vanishes the part is small, and the errors are not); second differences and velocities
 * of a segment as given by less than 2^-46 of the first differences. */
#define RAISE_HALVED 0x1p-42
#define RAISE_WHOLE 0x1p-46

double kernel_bounds_value(
  const vouch_motion_part_t * m, uint32_t segment, uint32_t variable, double fraction)
{
  uint32_t degree = m->degrees[segment];
  const double * b = m->coefficients + m->offsets[segment] + variable * (degree + 1u);
  if (degree == 1u) {
    return (1.0 - fraction) * b[0] + fraction * b[1];
  }
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

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/// [L5] Requires: degree >= 1.
/// Ensures:  largest and summed magnitudes of first and second differences; no NaN among finite
///           numbers.
static differences_t differences(const double * b, uint32_t degree)
{
  double before = b[1] - b[0], first = fabs(before);
  differences_t d = {.first_most = first, .first_sum = first};
  for (uint32_t i = 2; i <= degree; i++) {
    double next = b[i] - b[i - 1u], second = fabs(next - before);
    first = fabs(next);
    d.first_most = larger(d.first_most, first);
    d.first_sum += first;
    d.second_most = larger(d.second_most, second);
    d.second_sum += second;
    before = next;
  }
  return d;
}

static double * row(kernel_timeline_t * t, uint32_t interval, uint32_t which)
{
  size_t start = (size_t)interval * KERNEL_BOUNDS * t->variable_count;
  return t->bounds + start + (size_t)which * t->variable_count;
}

/// [L10] Ensures:  at least the jump of the velocity, its rounding included.
static inline double kink(double before, double after)
{
  double jump = fabs(after - before) + RAISE_WHOLE * (fabs(before) + fabs(after));
#ifdef VOUCH_FAULT_DROP_KINK
  jump = 0.0;
#endif
  return jump;
}

/// [L5, L10] Ensures:  one straight segment is in the rows of rates per unit of the common time, and
///           its kink against the velocities of the segment before it, which it replaces by its own.
static void add_straight(
  const double * restrict b, double h, uint32_t n, double * rows, double * restrict last)
{
  double * restrict velocity = rows + KERNEL_VELOCITY * n;
  double * restrict variation = rows + KERNEL_VARIATION * n;
  double * restrict kinks = rows + KERNEL_KINK * n;
  double rate = 1.0 / h, raised = (1.0 + RAISE_WHOLE) / h;
  for (size_t v = 0; v < n; v++) {
    double step = b[2u * v + 1u] - b[2u * v], size = fabs(step), fast = size * raised;
    velocity[v] = fast > velocity[v] ? fast : velocity[v];
    variation[v] += size;
    kinks[v] += kink(last[v], rate * step);
    last[v] = rate * step;
  }
}

/// [L5, L10] Ensures:  the same for any degree.
/// Why:      q' is at most d times the largest db, q" at most d (d - 1) times the largest ddb, raised as
///           above; velocities at the ends are d times the first and the last difference.
static void add_curved(
  const double * b, uint32_t degree, double h, uint32_t n, double * rows, double * last)
{
  double d = (double)degree, rate = d / h;
  for (uint32_t v = 0; v < n; v++, b += degree + 1u) {
    differences_t x = differences(b, degree);
    double raise = RAISE_WHOLE * x.first_most;
    double * velocity = &rows[KERNEL_VELOCITY * n + v], * bend = &rows[KERNEL_BEND * n + v];
    *velocity = larger(*velocity, d * x.first_most / h);
    *bend = larger(*bend, d * (d - 1.0) * (x.second_most + raise) / h / h);
    rows[KERNEL_BEND_SUM * n + v] += d * (x.second_sum + (d - 1.0) * raise) / h;
    rows[KERNEL_VARIATION * n + v] += x.first_sum;
    rows[KERNEL_KINK * n + v] += kink(last[v], rate * (b[1] - b[0]));
    last[v] = rate * (b[degree] - b[degree - 1u]);
  }
}

/// [L5, L10] Ensures:  rates of all segments of the run, kinks between them.
/// Why:      before the first one there is nothing to bend from.
void kernel_bounds_run(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  const kernel_interval_t * run = &t->intervals[interval];
  uint32_t n = t->variable_count;
  double * rows = row(t, interval, 0), * last = t->values;
  memset(rows, 0, KERNEL_BOUNDS * (size_t)n * sizeof(double));
  memset(last, 0, n * sizeof(double));
  for (uint32_t segment = run->first; segment < run->last; segment++) {
    const double * b = m->coefficients + m->offsets[segment];
    double h = m->knots[segment + 1u] - m->knots[segment];
    if (m->degrees[segment] == 1u) {
      add_straight(b, h, n, rows, last);
    } else {
      add_curved(b, m->degrees[segment], h, n, rows, last);
    }
    if (segment == run->first) {   // before it there is nothing to bend from
      memset(rows + KERNEL_KINK * n, 0, n * sizeof(double));
    }
  }
}

/// [L10] Ensures:  the jump of the velocity at the knot between two runs is added.
static void add_kinks(const vouch_motion_part_t * m, uint32_t knot, uint32_t n, double * rows)
{
  uint32_t d0 = m->degrees[knot - 1u], d1 = m->degrees[knot];
  const double * p = m->coefficients + m->offsets[knot - 1u] + d0 - 1u;
  const double * q = m->coefficients + m->offsets[knot];
  double rate0 = (double)d0 / (m->knots[knot] - m->knots[knot - 1u]);
  double rate1 = (double)d1 / (m->knots[knot + 1u] - m->knots[knot]);
  for (uint32_t v = 0; v < n; v++, p += d0 + 1u, q += d1 + 1u) {
    rows[KERNEL_KINK * n + v] += kink(rate0 * (p[1] - p[0]), rate1 * (q[1] - q[0]));
  }
}

/// [L10] Ensures:  bounds of the run: maxima and sums of the halves, plus the kink at the knot
///           between them.
void kernel_bounds_join(kernel_timeline_t * t, uint32_t interval)
{
  uint32_t l = t->intervals[interval].left, r = t->intervals[interval].right;
  uint32_t n = t->variable_count;
  double * out = row(t, interval, 0);
  const double * x = row(t, l, 0), * y = row(t, r, 0);
  for (uint32_t v = 0; v < n; v++) {
    out[KERNEL_VELOCITY * n + v] = larger(x[KERNEL_VELOCITY * n + v], y[KERNEL_VELOCITY * n + v]);
    out[KERNEL_BEND * n + v] = larger(x[KERNEL_BEND * n + v], y[KERNEL_BEND * n + v]);
    out[KERNEL_BEND_SUM * n + v] = x[KERNEL_BEND_SUM * n + v] + y[KERNEL_BEND_SUM * n + v];
    out[KERNEL_KINK * n + v] = x[KERNEL_KINK * n + v] + y[KERNEL_KINK * n + v];
    out[KERNEL_VARIATION * n + v] = x[KERNEL_VARIATION * n + v] + y[KERNEL_VARIATION * n + v];
  }
  add_kinks(&t->problem->motion, t->intervals[l].last, n, out);
}

/// [L10] Ensures:  bounds in the interval's own time: velocities times T, bends the lesser one of max
/// q"
/// T^2/2 and its sum times T, kinks times T.
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

/// [L5] Ensures:  bounds of part of a segment, in its own time.
/// Why:      its coefficients are off as L5 counts: RAISE_HALVED of the largest coefficient of the
///           motion.
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

/// [L5] Ensures:  the same for degree 1, whose ends are both known.
static void set_straight(kernel_timeline_t * t, uint32_t interval)
{
  size_t n = t->variable_count;
  const double * b = stored(t, interval, 0);
  double * rows = row(t, interval, 0);
  for (size_t v = 0; v < n; v++, b += VOUCH_MAX_DEGREE + 1u) {
    double first = fabs(b[1] - b[0]) + RAISE_HALVED * t->largest[v];
    rows[KERNEL_VELOCITY * n + v] = first;
    rows[KERNEL_BEND * n + v] = 0.0;
    rows[KERNEL_KINK * n + v] = 0.0;
    rows[KERNEL_VARIATION * n + v] = first;
  }
}

/// [L5] Ensures:  as below, for degree 1.
static void halve_straight(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  const kernel_interval_t * parent = &t->intervals[interval];
  size_t stride = parent->depth > 0 ? VOUCH_MAX_DEGREE + 1u : 2u;
  const double * b = parent->depth > 0 ? stored(t, interval, 0) :
    m->coefficients + m->offsets[parent->first];
  double * left = stored(t, parent->left, 0), * right = stored(t, parent->right, 0);
  for (size_t v = 0; v < t->variable_count; v++, b += stride) {
    double middle = 0.5 * (b[0] + b[1]);
    left[v * (VOUCH_MAX_DEGREE + 1u)] = b[0];
    left[v * (VOUCH_MAX_DEGREE + 1u) + 1u] = right[v * (VOUCH_MAX_DEGREE + 1u)] = middle;
    right[v * (VOUCH_MAX_DEGREE + 1u) + 1u] = b[1];
  }
  set_straight(t, parent->left);
  set_straight(t, parent->right);
}

/// [L5] Why:      de Casteljau at 1/2: left half = first column, right half = last diagonal.
void kernel_bounds_halve(kernel_timeline_t * t, uint32_t interval)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  const kernel_interval_t * parent = &t->intervals[interval];
  uint32_t degree = m->degrees[parent->first];
  if (degree == 1u) {
    halve_straight(t, interval);
    return;
  }
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
