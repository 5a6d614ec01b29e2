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
/* From a path to a spline within limits: straight stretches at constant speed, joined by blends.
 *
 * A blend about a corner takes 2 tau; the velocity goes from v to w as (1 - s) v + s w with
 * s = 3 u^2 - 2 u^3, u from 0 to 1. So
 *   it begins at the corner minus v tau and ends at the corner plus w tau, whatever tau is;
 *   it stays in the triangle of these two points and the corner, and on the line if v, w are parallel;
 *   velocities are between v and w, accelerations at most 0.75 |w - v| / tau,
 *   jerks at most 1.5 |w - v| / tau^2; accelerations are zero at both of its ends.
 * Positions, velocities and accelerations at these ends are all that a controller needs: its quintic
 * between them is this spline. Start and end of the path are blends from and to rest.
 * As in Kunz and Stilman, Turning paths into trajectories (2011), with smooth steps for parabolas. */

#ifndef PLAN__TIMING_H_
#define PLAN__TIMING_H_

#include "plan/path.h"

/// A trajectory of the moving joints: [point * 3 * joints]: positions, velocities, accelerations.
typedef struct plan_timed_s
{
  vouch_allocator_t allocator;
  uint32_t joints;
  double * values;
  int64_t * nanoseconds;     // from the start, as messages carry them
  uint32_t * corners;        // the point of the path that this one belongs to
  size_t count, value_capacity, time_capacity, corner_capacity;
} plan_timed_t;

/// stops[i]: the motion comes to rest at point i (first and last need not say so). The path is tidy.
vouch_ret_t plan_time(
  const plan_path_t * path, const bool * stops, const plan_space_t * space,
  plan_timed_t * timed) VOUCH_WARN_UNUSED;
void plan_timed_fini(plan_timed_t * timed);

static inline double plan_timed_seconds(const plan_timed_t * timed, size_t point)
{
  const int64_t n = timed->nanoseconds[point];
  return (double)(n / 1000000000) + (double)(n % 1000000000) / 1e9;   // as a message is read
}

static inline double plan_timed_duration(const plan_timed_t * timed)
{
  return timed->count > 0 ? plan_timed_seconds(timed, timed->count - 1u) : 0.0;
}

typedef struct plan_excess_s
{
  uint32_t joint;           // of the space
  const char * quantity;    // "position", "velocity", "acceleration", "jerk"; NULL: within all limits
  double value, limit;
} plan_excess_t;

/// Whether a motion keeps to the limits, seen from its polynomials alone: all values of a polynomial
/// lie between its Bernstein coefficients, and the sharper the shorter the piece. Up to `slack`,
/// relative.
plan_excess_t plan_within_limits(
  const vouch_motion_t * motion, const plan_space_t * space, double slack);

#endif  // PLAN__TIMING_H_
