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

/* A trajectory message and the joint states to a motion. Refuses what the sizes of the arrays do
 * not
 * allow to read; what the numbers mean is the library's business. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/motion.h"
#include "model/robot.h"
#include "node/check_run.h"

typedef struct point_list_s
{
  vouch_trajectory_point_t * points;
  const char ** joints;
  size_t count;
} point_list_t;

typedef struct start_list_s
{
  const char ** names;
  double * positions;
  double * velocities;
  size_t count;
} start_list_t;

static vouch_ret_t check_field(
  const char * what, size_t point, size_t size, size_t joints, bool may_be_empty)
{
  if (size == joints || (size == 0 && may_be_empty)) {
    return VOUCH_RET_OK;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "point %zu has %zu %s for %zu joints", point, size, what, joints);
}

/// Seconds until the controller starts counting: stamp - now, 0 when there is no stamp.
static vouch_ret_t start_offset(
  vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory, double * offset)
{
  const builtin_interfaces__msg__Time * stamp = &trajectory->header.stamp;
  *offset = 0.0;
  if (stamp->sec == 0 && stamp->nanosec == 0) {
    return VOUCH_RET_OK;
  }
  *offset = (double)stamp->sec + 1e-9 * (double)stamp->nanosec - node_now(node);
  return *offset >= 0.0 ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "the trajectory's stamp lies %.3f s in the past: leave it zero to start now",
    -*offset);
}

/// Before anything is said about the start of joints that the trajectory seems to leave out.
static vouch_ret_t check_names(
  const vouch_robot_t * robot, const trajectory_msgs__msg__JointTrajectory * trajectory)
{
  for (size_t i = 0; i < trajectory->joint_names.size; ++i) {
    const char * name = trajectory->joint_names.data[i].data;
    if (vouch_robot_find_joint(robot, name) == VOUCH_NONE) {
      return vouch_fail(
        VOUCH_RET_INVALID, "robot '%s' has no joint '%.200s'", vouch_robot_name(robot), name);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_points(
  const trajectory_msgs__msg__JointTrajectory * trajectory, double offset, point_list_t * list)
{
  size_t joints = trajectory->joint_names.size;
  list->count = trajectory->points.size;
  list->points = calloc(list->count + 1, sizeof(*list->points));
  list->joints = calloc(joints + 1, sizeof(*list->joints));
  if (list->points == NULL || list->joints == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for %zu points", list->count);
  }
  for (size_t i = 0; i < joints; ++i) {
    list->joints[i] = trajectory->joint_names.data[i].data;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < list->count; ++i) {
    const trajectory_msgs__msg__JointTrajectoryPoint * in = &trajectory->points.data[i];
    vouch_trajectory_point_t * out = &list->points[i];
    ret = check_field("positions", i, in->positions.size, joints, false);
    ret = ret != VOUCH_RET_OK ? ret :
      check_field("velocities", i, in->velocities.size, joints, true);
    ret = ret != VOUCH_RET_OK ? ret :
      check_field("accelerations", i, in->accelerations.size, joints, true);
    out->positions = in->positions.data;
    out->velocities = in->velocities.size > 0 ? in->velocities.data : NULL;
    out->accelerations = in->accelerations.size > 0 ? in->accelerations.data : NULL;
    double time = (double)in->time_from_start.sec + 1e-9 * (double)in->time_from_start.nanosec;
    out->time_s = offset + time;
    if (ret == VOUCH_RET_OK && time < 0.0) {
      ret = vouch_fail(VOUCH_RET_INVALID, "point %zu: time_from_start is negative", i);
    }
  }
  return ret;
}

bool trajectory_names(
  const trajectory_msgs__msg__JointTrajectory * trajectory, const char * name)
{
  for (size_t i = 0; i < trajectory->joint_names.size; ++i) {
    if (strcmp(trajectory->joint_names.data[i].data, name) == 0) {
      return true;
    }
  }
  return false;
}

static void add_start(start_list_t * list, const char * name, double position, double velocity)
{
  list->names[list->count] = name;
  list->positions[list->count] = position;
  list->velocities[list->count] = isfinite(velocity) ? velocity : 0.0;
  ++list->count;
}

static vouch_ret_t add_given_start(const sensor_msgs__msg__JointState * state, start_list_t * list)
{
  if (state->position.size != state->name.size ||
    (state->velocity.size != 0 && state->velocity.size != state->name.size))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "start_state has %zu names, %zu positions and %zu velocities",
      state->name.size, state->position.size, state->velocity.size);
  }
  for (size_t i = 0; i < state->name.size; ++i) {
    if (!isfinite(state->position.data[i])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "start_state: joint '%.200s' is not a finite number",
        state->name.data[i].data);
    }
    if (state->velocity.size > 0 && isinf(state->velocity.data[i])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "start_state: the velocity of joint '%.200s' is not a finite number",
        state->name.data[i].data);
    }
    add_start(
      list, state->name.data[i].data, state->position.data[i],
      state->velocity.size > 0 ? state->velocity.data[i] : NAN);
  }
  return VOUCH_RET_OK;
}

/// One remark for all joints that could not be compared; it ends in their names, as many as fit.
static void warn_not_compared(check_run_t * run, const char * name)
{
  size_t used = strlen(run->warning);
  snprintf(
    run->warning + used, sizeof(run->warning) - used, "%s%.200s", used == 0 ?
    "no joint state is known: the first point was not compared with the robot for " : ", ", name);
}

/// Joints that the request's start state does not name come from joint_states, if those are fresh
/// and no joint has moved on since by more than its tolerance.
static vouch_ret_t add_current_start(
  vouch_node_t * node, const check_request_t * request, bool needed, check_run_t * run,
  start_list_t * list)
{
  double limit = parameters_double(&node->parameters, PARAMETER_JOINT_STATE_TIMEOUT_S);
  size_t given = list->count;
  for (size_t i = 0; i < node->joints.count; ++i) {
    const char * name = vouch_robot_variable_name(node->robot, i);
    bool named = false;
    for (size_t k = 0; !named && k < given; ++k) {
      named = strcmp(list->names[k], name) == 0;
    }
    if (named) {
      continue;
    }
    bool moved = trajectory_names(request->trajectory, name);
    if (moved && !needed && request->start_anywhere) {
      continue;   // a plan for later: not compared
    }
    double age = joint_states_age(node, i);
    if (age <= limit) {
      vouch_ret_t ret = joint_states_check_drift(node, i, run->tolerances[i]);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
      add_start(list, name, node->joints.positions[i], node->joints.velocities[i]);
    } else if (node_time_lacks(node)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "how old the joint states are is not known: use_sim_time is set, and "
        "nothing has come in on /clock yet");
    } else if (needed || !moved) {
      return isfinite(age) ? vouch_fail(
        VOUCH_RET_INVALID, "joint '%.200s': its state on joint_states is %.3f s old, more than "
        "joint_state_timeout_s", name, age) : vouch_fail(
        VOUCH_RET_INVALID, "joint '%.200s': no start state is given and joint_states never had it",
        name);
    } else {
      warn_not_compared(run, name);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_start(
  vouch_node_t * node, const check_request_t * request, const point_list_t * points,
  check_run_t * run, start_list_t * list)
{
  const sensor_msgs__msg__JointState * state = request->start_state;
  size_t given = state != NULL ? state->name.size : 0;
  size_t most = given + node->joints.count + 1;
  list->names = calloc(most, sizeof(*list->names));
  list->positions = calloc(most, sizeof(double));
  list->velocities = calloc(most, sizeof(double));
  if (list->names == NULL || list->positions == NULL || list->velocities == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a start state");
  }
  vouch_ret_t ret = state != NULL ? add_given_start(state, list) : VOUCH_RET_OK;
  bool lead_in = points->count > 0 && points->points[0].time_s > 0.0;
  ret = ret != VOUCH_RET_OK ? ret : add_current_start(node, request, lead_in, run, list);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i) {
    bool moved = trajectory_names(request->trajectory, list->names[i]);
    if (moved && request->start_anywhere && !lead_in) {
      continue;   // a plan for later: not compared
    }
    list->names[kept] = list->names[i];
    list->positions[kept] = list->positions[i];
    list->velocities[kept] = list->velocities[i];
    ++kept;
  }
  list->count = kept;
  return VOUCH_RET_OK;
}

vouch_ret_t check_motion_create(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  const trajectory_msgs__msg__JointTrajectory * trajectory = request->trajectory;
  size_t most = (size_t)parameters_integer(&node->parameters, PARAMETER_MAX_POINTS);
  if (trajectory->points.size > most) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the trajectory has %zu points, more than max_points (%zu)",
      trajectory->points.size, most);
  }
  if (trajectory->joint_names.size > 10000) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the trajectory names %zu joints", trajectory->joint_names.size);
  }
  point_list_t points = {0};
  start_list_t start = {0};
  double offset = 0.0;
  vouch_ret_t ret = check_names(node->robot, trajectory);
  ret = ret != VOUCH_RET_OK ? ret : start_offset(node, trajectory, &offset);
  ret = ret != VOUCH_RET_OK ? ret : read_points(trajectory, offset, &points);
  ret = ret != VOUCH_RET_OK ? ret : read_start(node, request, &points, run, &start);
  if (ret == VOUCH_RET_OK) {
    vouch_joint_values_t state = {
      start.names, start.positions, start.velocities, NULL, start.count
    };
    vouch_motion_options_t options = vouch_motion_options_default();
    options.model = request->model;
    options.start_state = start.count > 0 ? &state : NULL;
    options.start_tolerances = run->tolerances;
    vouch_trajectory_t plain = {
      points.joints, trajectory->joint_names.size, points.points, points.count
    };
    ret = vouch_motion_create(&run->motion, node->robot, &plain, &options);
  }
  free(points.points);
  free(points.joints);
  free(start.names);
  free(start.positions);
  free(start.velocities);
  return ret;
}
