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
/* What every motion must pass, and where it leaves the joints' limits.
 *
 * Overshoot: the control polygon of a Bernstein polynomial bounds it; halving the interval until
 * the polygon lies inside the limits, or is so short that the bound is sharp, gives bounds that
 * enclose what the joint does and are tight to about 1e-9. */

#include <math.h>

#include "base/error.h"
#include "model/motion_make.h"
#include "model/problem.h"

enum {MAX_HALVINGS = 30};

static vouch_ret_t check_coefficients(const vouch_motion_t * motion)
{
  const size_t count = motion->robot->variable_count;
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    const uint32_t size = motion->degrees[k] + 1;
    for (size_t i = 0; i < count * size; ++i) {
      const double b = motion->coefficients[motion->offsets[k] + i];
      if (!(fabs(b) <= VOUCH_MAX_COEFFICIENT)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "joint '%s' reaches %g in segment %u, beyond 65536: check its "
          "positions, velocities and times",
          vouch_robot_variable_name(motion->robot, i / size), b, k);
      }
    }
    const double step = motion->knots[k + 1] - motion->knots[k];
    if (!(step >= VOUCH_MIN_KNOT_STEP && motion->knots[k + 1] <= 1e9)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %u ends at %.9g s, %g s after its beginning: times must grow by "
        "at least 1e-12 s and stay below 1e9 s; leave out points that repeat each other", k,
        motion->seconds[k + 1],
        step);
    }
  }
  return VOUCH_RET_OK;
}

typedef struct range_s
{
  double low, high;
} range_t;

static range_t hull(const double * b, uint32_t degree)
{
  range_t range = {b[0], b[0]};
  for (uint32_t i = 1; i <= degree; ++i) {
    range.low = b[i] < range.low ? b[i] : range.low;
    range.high = b[i] > range.high ? b[i] : range.high;
  }
  return range;
}

/// Widens `range` by what the polynomial does; pieces already inside it are not looked at closer.
static void sharpen(const double * b, uint32_t degree, int halvings, range_t * range)
{
  const range_t all = hull(b, degree);
  // Ends are reached, so they belong to the range whatever happens between them.
  const range_t ends = {
    b[0] < b[degree] ? b[0] : b[degree], b[0] < b[degree] ? b[degree] : b[0]
  };
  range->low = ends.low < range->low ? ends.low : range->low;
  range->high = ends.high > range->high ? ends.high : range->high;
  if (all.low >= range->low && all.high <= range->high) {
    return;
  }
  if (halvings == 0 || !(all.high - all.low > 1e-9)) {
    range->low = all.low < range->low ? all.low : range->low;
    range->high = all.high > range->high ? all.high : range->high;
    return;
  }
  double left[VOUCH_MAX_DEGREE + 1], right[VOUCH_MAX_DEGREE + 1];
  vouch_bernstein_split(b, degree, 0.5, left, right);
  sharpen(left, degree, halvings - 1, range);
  sharpen(right, degree, halvings - 1, range);
}

static range_t variable_range(const vouch_motion_t * motion, size_t variable)
{
  range_t range = {INFINITY, -INFINITY};
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    const uint32_t degree = motion->degrees[k];
    sharpen(
      &motion->coefficients[motion->offsets[k] + variable * (degree + 1)], degree, MAX_HALVINGS,
      &range);
  }
  return range;
}

static vouch_ret_t find_overshoots(vouch_motion_t * motion, const uint32_t * columns)
{
  const vouch_robot_t * robot = motion->robot;
  const size_t joints = robot->link_count - 1;
  motion->overshoots = vouch_arena_calloc(&motion->arena, joints, sizeof(*motion->overshoots));
  range_t * ranges = vouch_calloc(&motion->allocator, robot->variable_count, sizeof(*ranges));
  vouch_ret_t ret =
    motion->overshoots == NULL || ranges == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  for (size_t v = 0; ret == VOUCH_RET_OK && v < robot->variable_count; ++v) {
    ranges[v] = variable_range(motion, v);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < joints; ++i) {
    const vouch_joint_t * joint = &robot->joints[i];
    if (!joint->limited || joint->variable == VOUCH_NONE) {
      continue;
    }
    const range_t range = ranges[joint->variable];
    const double x = joint->multiplier * range.low + joint->offset;
    const double y = joint->multiplier * range.high + joint->offset;
    const double low = x < y ? x : y, high = x < y ? y : x;
    if (low >= joint->lower && high <= joint->upper) {
      continue;
    }
    if (columns[joint->variable] != VOUCH_NONE) {
      motion->overshoots[motion->overshoot_count++] = (vouch_overshoot_t) {
        .joint = joint->name, .lower = joint->lower, .upper = joint->upper, .minimum = low,
        .maximum = high
      };
    } else {
      ret = vouch_motion_warn(
        motion, "joint '%s' stands at %.9g, outside its limits [%.9g, %.9g]", joint->name, low,
        joint->lower, joint->upper);
    }
  }
  vouch_free(&motion->allocator, ranges);
  return ret;
}

vouch_ret_t vouch_motion_finish(vouch_motion_t * motion, const uint32_t * columns)
{
  vouch_ret_t ret = check_coefficients(motion);
  return ret == VOUCH_RET_OK ? find_overshoots(motion, columns) : ret;
}
