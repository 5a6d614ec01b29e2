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
#include "model/motion.h"
#include "model/problem.h"
#include "plan/timing.h"

enum {MAX_HALVINGS = 20};

/// Halves a polynomial (de Casteljau).
static void halve(const double * b, uint32_t degree, double * left, double * right)
{
  double work[VOUCH_MAX_DEGREE + 1];
  memcpy(work, b, (degree + 1u) * sizeof(*work));
  for (uint32_t i = 0; i <= degree; i++) {
    left[i] = work[0];
    right[degree - i] = work[degree - i];
    for (uint32_t k = 0; k + i < degree; k++) {
      work[k] = 0.5 * (work[k] + work[k + 1u]);
    }
  }
}

/// The longest way of its coefficients beyond [low, high]; what is no number is infinitely far away.
static double furthest(const double * b, uint32_t degree, double low, double high)
{
  double out = -INFINITY;
  for (uint32_t i = 0; i <= degree; i++) {
    const double d = fmax(b[i] - high, low - b[i]);
    out = d > out ? d : out;
    out = isfinite(b[i]) ? out : INFINITY;
  }
  return out;
}

/// What a polynomial reaches beyond the range; 0: nothing. Pieces that may leave it are halved; what
/// is left of doubt at the end counts as left.
static double beyond(const double * b, uint32_t degree, double low, double high, int halvings)
{
  const double out = furthest(b, degree, low, high);
  if (out <= 0.0) {
    return 0.0;
  }
  const double ends[2] = {b[0], b[degree]};
  const double sure = furthest(ends, 1, low, high);
  if (sure > 0.0 || halvings == 0) {
    return sure > 0.0 ? sure : out;
  }
  double left[VOUCH_MAX_DEGREE + 1], right[VOUCH_MAX_DEGREE + 1];
  halve(b, degree, left, right);
  return fmax(
    beyond(left, degree, low, high, halvings - 1), beyond(right, degree, low, high, halvings - 1));
}

/// One quantity of one joint over one segment.
static bool leaves(
  const double * b, uint32_t degree, double low, double high, plan_excess_t * excess,
  const char * quantity)
{
  const double out = beyond(b, degree, low, high, MAX_HALVINGS);
  if (out <= 0.0) {
    return false;
  }
  const bool above = furthest(b, degree, -INFINITY, high) > 0.0;
  *excess = (plan_excess_t) {.joint = excess->joint, .quantity = quantity,
    .limit = above ? high : low, .value = above ? high + out : low - out};
  return true;
}

/// b becomes the derivative/// b becomes the derivative in seconds.
static uint32_t derive(double * b, uint32_t degree, double duration)
{
  for (uint32_t i = 0; i < degree; i++) {
    b[i] = (double)degree * (b[i + 1u] - b[i]) / duration;
  }
  b[degree] = 0.0;
  return degree > 0u ? degree - 1u : 0u;
}

static bool joint_leaves(
  const vouch_motion_t * m, uint32_t segment, const plan_space_t * s, uint32_t joint, double slack,
  plan_excess_t * excess)
{
  static const char * const names[3] = {"velocity", "acceleration", "jerk"};
  const double limits[3] = {s->velocity[joint], s->acceleration[joint], s->jerk[joint]};
  uint32_t degree = m->degrees[segment];
  double b[VOUCH_MAX_DEGREE + 2];
  memcpy(
    b, &m->coefficients[m->offsets[segment] + s->variables[joint] * (degree + 1u)],
    (degree + 1u) * sizeof(*b));
  excess->joint = joint;
  const double room = 1e-9;   // rad: what a position may be rounded by
  if (!s->endless[joint] &&
    leaves(b, degree, s->lower[joint] - room, s->upper[joint] + room, excess, "position"))
  {
    return true;
  }
  for (int i = 0; i < 3 && m->has_time; i++) {
    degree = derive(b, degree, m->knots[segment + 1u] - m->knots[segment]);
    const double limit = limits[i] * (1.0 + slack);
    if (leaves(b, degree, -limit, limit, excess, names[i])) {
      return true;
    }
  }
  return false;
}

plan_excess_t plan_within_limits(
  const vouch_motion_t * m, const plan_space_t * s, double slack)
{
  plan_excess_t excess = {0};
  for (uint32_t k = 0; k < m->segment_count; k++) {
    for (uint32_t i = 0; i < s->count; i++) {
      if (joint_leaves(m, k, s, i, slack, &excess)) {
        return excess;
      }
    }
  }
  return (plan_excess_t) {0};
}
