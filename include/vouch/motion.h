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

/* A motion: what the joints do in time, as polynomials, exactly as the controller (or the planner)
 * means the waypoints. Models: docs/motions.md. */

#ifndef VOUCH__MOTION_H_
#define VOUCH__MOTION_H_

#include "vouch/robot.h"
#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Belongs to one robot, which must outlive it; copies all else that it is made from.
typedef struct vouch_motion_s vouch_motion_t;

typedef enum vouch_motion_model_e
{
  /// CONTROLLER when times are given, PLANNER for a bare path.
  VOUCH_MODEL_AUTO = 0,
  /// joint_trajectory_controller: linear, cubic or quintic a segment, raw numbers, lead-in.
  VOUCH_MODEL_CONTROLLER = 1,
  /// Linear; continuous joints take the shorter arc, the unwound value carried forward.
  VOUCH_MODEL_PLANNER = 2,
  /// Linear, raw numbers.
  VOUCH_MODEL_LINEAR = 3,
  /// Polynomials as given (only reported, never asked for).
  VOUCH_MODEL_POLYNOMIAL = 4
} vouch_motion_model_t;

/// Names and values; velocities and accelerations may be NULL.
typedef struct vouch_joint_values_s
{
  const char * const * names;
  const double * positions;
  const double * velocities;
  const double * accelerations;
  size_t count;
} vouch_joint_values_t;

/// velocities, accelerations: NULL when the point has none.
typedef struct vouch_trajectory_point_s
{
  const double * positions;
  const double * velocities;
  const double * accelerations;
  double time_s;
} vouch_trajectory_point_t;

typedef struct vouch_trajectory_s
{
  const char * const * joint_names;
  size_t joint_count;
  const vouch_trajectory_point_t * points;
  size_t point_count;
} vouch_trajectory_t;

/// One segment of polynomials as given: per named joint degree + 1 coefficients in powers of the
/// seconds since the segment's beginning: coefficients[joint * (degree + 1) + power].
typedef struct vouch_polynomial_segment_s
{
  double duration_s;
  uint32_t degree;
  const double * coefficients;
} vouch_polynomial_segment_t;

typedef struct vouch_motion_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  vouch_motion_model_t model;
  /// Joints that the trajectory does not name, and where the lead-in starts. May be NULL when the
  /// trajectory names every joint and begins at time 0.
  const vouch_joint_values_t * start_state;
  /// |start - first point| allowed when the first time is 0: per robot variable; NULL: all 1e-9.
  const double * start_tolerances;
  /// Continuous joints are unwound towards point 0 in the lead-in (false: Humble without wraparound).
  bool unwind_lead_in;
  /// CSV files: joints that turn are in degrees, where the header gives no unit.
  bool degrees;
  /// CSV files: the columns that count, as COLUMN or JOINT=COLUMN, separated by commas; the others are
  /// named in a warning. NULL: all count.
  const char * columns;
} vouch_motion_options_t;

VOUCH_PUBLIC vouch_motion_options_t vouch_motion_options_default(void);

VOUCH_PUBLIC vouch_ret_t vouch_motion_create(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const vouch_trajectory_t * trajectory,
  const vouch_motion_options_t * options) VOUCH_WARN_UNUSED;

VOUCH_PUBLIC vouch_ret_t vouch_motion_create_polynomial(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * const * joint_names,
  size_t joint_count, const vouch_polynomial_segment_t * segments, size_t segment_count,
  const vouch_motion_options_t * options) VOUCH_WARN_UNUSED;

/// RobotTrajectory or JointTrajectory as YAML or JSON, CSV (header = joint names, optional `time`),
/// or our JSON with `segments`.
VOUCH_PUBLIC vouch_ret_t vouch_motion_load(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * path,
  const vouch_motion_options_t * options) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_motion_parse(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * text, size_t size,
  const vouch_motion_options_t * options) VOUCH_WARN_UNUSED;

/// The part of a motion from `time_s` on (for what is still to be executed).
VOUCH_PUBLIC vouch_ret_t vouch_motion_remaining(
  vouch_motion_t ** rest, const vouch_motion_t * motion, double time_s) VOUCH_WARN_UNUSED;

VOUCH_PUBLIC void vouch_motion_destroy(vouch_motion_t * motion);

VOUCH_PUBLIC vouch_motion_model_t vouch_motion_model(const vouch_motion_t * motion);
/// False: a bare path; times in reports count segments.
VOUCH_PUBLIC bool vouch_motion_has_time(const vouch_motion_t * motion);
VOUCH_PUBLIC size_t vouch_motion_segment_count(const vouch_motion_t * motion);
/// Segments that come before point 0 (the lead-in): 0 or 1.
VOUCH_PUBLIC size_t vouch_motion_lead_in_count(const vouch_motion_t * motion);
VOUCH_PUBLIC double vouch_motion_duration(const vouch_motion_t * motion);
/// Values of all robot variables at a time (clamped to the motion), for reports and tests.
VOUCH_PUBLIC void vouch_motion_evaluate(
  const vouch_motion_t * motion, double time_s, double * values);

/// A joint that leaves its URDF limits somewhere.
typedef struct vouch_overshoot_s
{
  const char * joint;
  double lower, upper;       // limits
  double minimum, maximum;   // bounds of what the motion does
} vouch_overshoot_t;
VOUCH_PUBLIC size_t vouch_motion_overshoot_count(const vouch_motion_t * motion);
VOUCH_PUBLIC vouch_overshoot_t vouch_motion_overshoot(const vouch_motion_t * motion, size_t number);

VOUCH_PUBLIC size_t vouch_motion_warning_count(const vouch_motion_t * motion);
VOUCH_PUBLIC const char * vouch_motion_warning(const vouch_motion_t * motion, size_t number);

/// Start state from a MotionPlanRequest, RobotState or JointState file (YAML or JSON): one value
/// per robot variable, NaN where the file says nothing. Velocities in the file are not looked at.
VOUCH_PUBLIC vouch_ret_t vouch_state_load(
  const vouch_robot_t * robot, const char * path, double * values) VOUCH_WARN_UNUSED;
/// The same with velocities, 0 where the file says nothing: a lead-in begins with them.
VOUCH_PUBLIC vouch_ret_t vouch_state_load_moving(
  const vouch_robot_t * robot, const char * path, double * values,
  double * velocities) VOUCH_WARN_UNUSED;

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__MOTION_H_
