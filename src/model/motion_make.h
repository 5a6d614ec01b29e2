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
/* Shared by model/motion*.c: making a motion, and what every kind of motion must pass. */

#ifndef MODEL__MOTION_MAKE_H_
#define MODEL__MOTION_MAKE_H_

#include "model/motion.h"

/// Where the robot is before the motion: per variable, NaN where nothing is said.
typedef struct vouch_motion_start_s
{
  bool given;
  double * positions;
  double * velocities;       // 0 where nothing is said
  double * accelerations;
} vouch_motion_start_t;

/// What the caller gives, or the defaults.
vouch_ret_t vouch_motion_options_read(
  const vouch_motion_options_t * options, vouch_motion_options_t * all) VOUCH_WARN_UNUSED;

/// A motion of given size, all zero; released by vouch_motion_destroy().
vouch_ret_t vouch_motion_allocate(
  vouch_motion_t ** out, const vouch_robot_t * robot, vouch_allocator_t allocator,
  size_t segment_count, size_t coefficient_count) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_motion_warn(vouch_motion_t * motion, const char * format, ...)
__attribute__((format(printf, 2, 3), warn_unused_result));

/// Points that are complete, finite and in order. has_time: not all times are zero.
vouch_ret_t vouch_trajectory_check(
  const vouch_trajectory_t * trajectory, bool * has_time) VOUCH_WARN_UNUSED;
/// Named mimic joints say the same as their masters, in every derivative.
vouch_ret_t vouch_trajectory_check_mimics(
  const vouch_robot_t * robot, const vouch_trajectory_t * trajectory,
  const uint32_t * columns) VOUCH_WARN_UNUSED;

/// Which column (number in `names`) each variable has; VOUCH_NONE: not named. Arrays in `arena`.
/// INVALID for unknown, repeated, fixed, planar and floating joints, and for a mimic joint whose
/// master is not named.
vouch_ret_t vouch_motion_columns(
  vouch_arena_t * arena, const vouch_robot_t * robot, const char * const * names, size_t count,
  uint32_t ** columns) VOUCH_WARN_UNUSED;
/// The start state; arrays in `arena`.
vouch_ret_t vouch_motion_read_start(
  vouch_arena_t * arena, const vouch_robot_t * robot, const vouch_joint_values_t * state,
  vouch_motion_start_t * start) VOUCH_WARN_UNUSED;
/// INVALID naming the first joint that neither the trajectory nor the start state knows.
vouch_ret_t vouch_motion_check_known(
  const vouch_robot_t * robot, const uint32_t * columns,
  const vouch_motion_start_t * start) VOUCH_WARN_UNUSED;
/// INVALID when turning the variable by 2 pi would move a mimic joint elsewhere.
vouch_ret_t vouch_motion_check_wrap(
  const vouch_robot_t * robot, size_t variable) VOUCH_WARN_UNUSED;
bool vouch_motion_is_continuous(const vouch_robot_t * robot, size_t variable);

/// Coefficients finite and within limits, knots increasing; fills the overshoots and warns about
/// joints outside their limits that the trajectory does not name.
vouch_ret_t vouch_motion_finish(
  vouch_motion_t * motion, const uint32_t * columns) VOUCH_WARN_UNUSED;

/// de Casteljau: both halves of `b` (degree + 1 values) cut at `t`; left or right may be NULL.
void vouch_bernstein_split(
  const double * b, uint32_t degree, double t, double * left, double * right);

#endif  // MODEL__MOTION_MAKE_H_
