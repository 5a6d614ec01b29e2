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

/* What a trajectory may not say, before anything is made of it. */

#include <math.h>

#include "base/error.h"
#include "model/motion_make.h"
#include "model/problem.h"

static const double MIMIC_TOLERANCE = 1e-6;

static vouch_ret_t check_series(
  const vouch_trajectory_t * t, size_t point, const double * values, const char * what,
  double limit)
{
  for (size_t i = 0; values != NULL && i < t->joint_count; ++i) {
    if (!(fabs(values[i]) <= limit)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "point %zu, joint '%s': the %s %g is not finite or too large", point,
        t->joint_names[i], what, values[i]);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_point(const vouch_trajectory_t * t, size_t i)
{
  const vouch_trajectory_point_t * point = &t->points[i];
  if (point->positions == NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "point %zu has no positions", i);
  }
  if (point->accelerations != NULL && point->velocities == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "point %zu has accelerations but no velocities: the controller would command zeros", i);
  }
  if (!(point->time_s >= 0.0 && point->time_s <= 1e9)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "point %zu has time %g s; it must be between 0 and 1e9", i,
      point->time_s);
  }
  vouch_ret_t ret = check_series(t, i, point->positions, "position", VOUCH_MAX_COEFFICIENT);
  ret = ret == VOUCH_RET_OK ?
    check_series(t, i, point->velocities, "velocity", 1e12) : ret;
  return ret == VOUCH_RET_OK ?
         check_series(t, i, point->accelerations, "acceleration", 1e12) : ret;
}

static vouch_ret_t check_times(const vouch_trajectory_t * t, bool * has_time)
{
  *has_time = false;
  for (size_t i = 0; i < t->point_count; ++i) {
    *has_time = *has_time || t->points[i].time_s != 0.0;
  }
  for (size_t i = 1; *has_time && i < t->point_count; ++i) {
    if (!(t->points[i].time_s > t->points[i - 1].time_s)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "point %zu has time %.9g s, which is not after point %zu at %.9g s", i,
        t->points[i].time_s, i - 1, t->points[i - 1].time_s);
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_trajectory_check(const vouch_trajectory_t * t, bool * has_time)
{
  vouch_ret_t ret = t->point_count > 0 ? VOUCH_RET_OK :
    vouch_fail(VOUCH_RET_INVALID, "the trajectory has no points");
  for (size_t i = 0; ret == VOUCH_RET_OK && i < t->point_count; ++i) {
    ret = check_point(t, i);
  }
  return ret == VOUCH_RET_OK ? check_times(t, has_time) : ret;
}

vouch_ret_t vouch_trajectory_check_mimics(
  const vouch_robot_t * robot, const vouch_trajectory_t * t, const uint32_t * columns)
{
  for (size_t c = 0; c < t->joint_count; ++c) {
    const vouch_joint_t * joint =
      &robot->joints[vouch_robot_find_joint(robot, t->joint_names[c])];
    if (!joint->mimic) {
      continue;
    }
    const uint32_t master = columns[joint->variable];
    for (size_t i = 0; i < t->point_count; ++i) {
      const vouch_trajectory_point_t * point = &t->points[i];
      const double * series[3] = {point->positions, point->velocities, point->accelerations};
      for (int d = 0; d < 3 && series[d] != NULL; ++d) {
        const double wanted =
          joint->multiplier * series[d][master] + (d == 0 ? joint->offset : 0.0);
        if (!(fabs(series[d][c] - wanted) <= MIMIC_TOLERANCE * (1.0 + d * fabs(wanted)))) {
          return vouch_fail(
            VOUCH_RET_INVALID,
            "point %zu: joint '%s' follows joint '%s', but its %s is %.9g instead of %.9g", i,
            joint->name, t->joint_names[master],
            d == 0 ? "position" : d == 1 ? "velocity" : "acceleration", series[d][c], wanted);
        }
      }
    }
  }
  return VOUCH_RET_OK;
}
