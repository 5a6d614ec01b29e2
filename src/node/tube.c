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

#include "node/tube.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/motion.h"
#include "model/robot.h"

/// |difference| over its tolerance; no difference is inside whatever that is. NaN stays NaN.
static double ratio(double difference, double tolerance)
{
  return difference == 0.0 ? 0.0 : fabs(difference) / tolerance;
}

/// The larger of the two; NaN if either is, so that what is not known is never taken for inside.
static double worse(double a, double b)
{
  return isnan(a) || a > b ? a : b;
}

/// |q - planned| of one joint over its tolerance. Full turns of a continuous joint do not count.
static double joint_deviation(
  const vouch_robot_t * robot, size_t variable, double difference, double tolerance)
{
  if (robot->joints[robot->variables[variable]].type == VOUCH_URDF_CONTINUOUS) {
    difference = remainder(difference, 2.0 * 3.14159265358979323846);
  }
  return ratio(difference, tolerance);
}

/// Largest deviation of all joints from the motion at one time; NaN when a joint is not known.
static double deviation_at(
  vouch_node_t * node, const vouch_motion_t * motion, const double * tolerances, double time,
  double * planned)
{
  double limit = parameters_double(&node->parameters, PARAMETER_JOINT_STATE_TIMEOUT_S);
  vouch_motion_evaluate(motion, time, planned);
  double largest = 0.0;
  for (size_t i = 0; i < node->joints.count; ++i) {
    if (!(joint_states_age(node, i) <= limit)) {
      return NAN;
    }
    double difference = node->joints.positions[i] - planned[i];
    largest = worse(largest, joint_deviation(node->robot, i, difference, tolerances[i]));
  }
  return largest;
}

/// Smallest deviation within the latency around `time`. The proof holds at every time of the
/// motion, so being early or late is no contradiction; a search can only err towards revoking. It is made
/// finer around the best of the coarse one: a joint may move by more than its tolerance from one to the
/// next of those.
double tube_watched(vouch_node_t * node, double time)
{
  enum {STEPS = 20, ROUNDS = 2};
  const double latency = parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S);
  double * planned = calloc(node->joints.count + 1, sizeof(double));
  if (planned == NULL) {
    return NAN;
  }
  double best = NAN, best_at = time, reach = latency;
  for (int round = 0; round < ROUNDS && !(best <= 1.0); ++round) {
    const double middle = best_at;
    for (int i = -STEPS; i <= STEPS; ++i) {
      const double wanted = middle + reach * (double)i / STEPS;
      const double at = fmin(fmax(wanted, time - latency), time + latency);
      const double deviation = deviation_at(
        node, node->watched.motion, node->watched.tolerances, at, planned);
      if (!(best <= deviation)) {
        best = deviation;
        best_at = at;
      }
    }
    reach /= STEPS;
  }
  free(planned);
  return best;
}

/// Joints that the trajectory does not name are held in the proof: they must be at rest.
vouch_ret_t tube_check_held(
  vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory,
  const check_run_t * run)
{
  double latency = parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S);
  for (size_t i = 0; i < node->joints.count; ++i) {
    const char * name = vouch_robot_variable_name(node->robot, i);
    double velocity = isfinite(node->joints.velocities[i]) ? node->joints.velocities[i] :
      joint_states_rate(node, i);
    double way = fabs(velocity) * latency + joint_states_drift(node, i);
    if (isfinite(velocity) && !(ratio(way, run->tolerances[i]) <= 1.0) &&
      !trajectory_names(trajectory, name))
    {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "joint '%s' moves with %.3g a second and the trajectory does not name it", name, velocity);
    }
  }
  return VOUCH_RET_OK;
}

/// How far two lead-ins are apart, over the tolerance. A polynomial lies in the hull of its
/// Bernstein coefficients, so theirs is the largest distance at any time. What a joint has moved since
/// its state was measured moves the coefficients by as much at most.
static double lead_in_deviation(
  vouch_node_t * node, const check_run_t * run, const vouch_motion_t * now,
  const trajectory_msgs__msg__JointTrajectory * trajectory)
{
  double largest = 0.0;
  const vouch_motion_t * proved = run->motion;
  size_t size = proved->degrees[0] + 1;
  if (now->lead_in != proved->lead_in || now->degrees[0] + 1 != size) {
    return INFINITY;
  }
  for (size_t i = 0; i < proved->robot->variable_count; ++i) {
    if (!trajectory_names(trajectory, vouch_robot_variable_name(proved->robot, i))) {
      continue;   // held
    }
    double drift = joint_states_drift(node, i);
    for (size_t k = i * size; k < (i + 1) * size; ++k) {
      double difference =
        now->coefficients[now->offsets[0] + k] - proved->coefficients[proved->offsets[0] + k];
      largest = worse(largest, ratio(fabs(difference) + drift, run->tolerances[i]));
    }
  }
  return largest;
}

/// As deviation_at() the start, with what each joint may have moved since its state was measured.
/// INVALID, with the joint's name, when that alone is more than the tolerance.
static vouch_ret_t start_deviation(
  vouch_node_t * node, const check_run_t * run, double * planned, double * deviation)
{
  *deviation = deviation_at(node, run->motion, run->tolerances, 0.0, planned);
  for (size_t i = 0; i < node->joints.count && *deviation <= 1.0; ++i) {
    vouch_ret_t ret = joint_states_check_drift(node, i, run->tolerances[i]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    double own = joint_deviation(
      node->robot, i, node->joints.positions[i] - planned[i], run->tolerances[i]);
    *deviation = worse(
      *deviation, own + ratio(joint_states_drift(node, i), run->tolerances[i]));
  }
  return VOUCH_RET_OK;
}

/// Is the robot, as of now, inside the tube of the start? The controller makes its lead-in from
/// positions, velocities and time of now: that one has to lie in the tube from end to end.
vouch_ret_t tube_start(
  vouch_node_t * node, const check_request_t * request, check_run_t * run, double * deviation)
{
  double * planned = calloc(node->joints.count + 1, sizeof(double));
  if (planned == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a joint state");
  }
  vouch_ret_t ret = start_deviation(node, run, planned, deviation);
  free(planned);
  const builtin_interfaces__msg__Time * stamp = &request->trajectory->header.stamp;
  bool stamped = stamp->sec != 0 || stamp->nanosec != 0;   // which may have passed meanwhile
  if (ret != VOUCH_RET_OK || (run->motion->lead_in == 0 && !stamped) || !(*deviation <= 1.0)) {
    return ret;
  }
  check_run_t now = {.tolerances = run->tolerances};
  ret = check_motion_create(node, request, &now);
  if (ret == VOUCH_RET_OK) {
    double whole = lead_in_deviation(node, run, now.motion, request->trajectory);
    *deviation = worse(*deviation, whole);
  }
  vouch_motion_destroy(now.motion);
  return ret;
}
