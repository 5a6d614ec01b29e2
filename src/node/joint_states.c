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

/* Joint states: the start of a motion when a request gives none, and what live vetting compares. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "node/node.h"
#include "rcl/error_handling.h"

MESSAGE_TYPE(joint_state_type, sensor_msgs__msg__JointState);

/// A joint that is said to be at two places is at neither.
static bool names_one_twice(const rosidl_runtime_c__String__Sequence * names)
{
  enum {MOST_JOINTS = 4000};
  for (size_t i = 0; i < names->size && names->size <= MOST_JOINTS; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (strcmp(names->data[i].data, names->data[k].data) == 0) {
        return true;
      }
    }
  }
  return names->size > MOST_JOINTS;
}

/// For how long the message has waited. Of simulated time nobody knows how much passed meanwhile.
static double arrival_age(const vouch_node_t * node)
{
  return parameters_bool(&node->parameters, PARAMETER_USE_SIM_TIME) ? 0.0 : executor_waited();
}

/// A radian or metre that a robot at rest reports too.
static const double noise = 1e-4;

static void follow(anchor_t * anchor, double position, double stamp)
{
  const double window = 0.02;
  double elapsed = stamp - anchor->stamp;
  if (elapsed >= 0.0 && elapsed < window) {
    return;   // too short for a speed; with NaN, or a clock that went back, it begins anew
  }
  double way = fabs(position - anchor->position);
  *anchor = (anchor_t) {position, stamp, elapsed > 0.0 && way > noise ? way / elapsed : 0.0};
}

double joint_states_rate(const vouch_node_t * node, size_t variable)
{
  return node->joints.anchors[variable].rate;
}

static void on_joint_state(const void * message, void * context)
{
  vouch_node_t * node = context;
  const sensor_msgs__msg__JointState * state = message;
  if (node->robot == NULL) {
    return;
  }
  double now = node_now(node);
  double stamp = (double)state->header.stamp.sec + 1e-9 * (double)state->header.stamp.nanosec;
  if ((state->position.size != 0 && state->position.size != state->name.size) ||
    (state->velocity.size != 0 && state->velocity.size != state->name.size) || stamp < 0.0 ||
    names_one_twice(&state->name))
  {
    node_refused(node);
    return;
  }
  double arrival = now - arrival_age(node);
  stamp = stamp > 0.0 ? stamp : arrival;
  bool refused = false;
  for (size_t i = 0; i < state->position.size; ++i) {
    int variable = vouch_robot_find_variable(node->robot, state->name.data[i].data);
    if (variable < 0) {
      continue;   // another robot's, a mimic or a fixed joint
    }
    double known = node->joints.stamps[variable];
    if (stamp < known && known <= now) {
      continue;   // overtaken by a newer one
    }
    double position = state->position.data[i];
    bool has_velocity = state->velocity.size == state->name.size &&
      !isnan(state->velocity.data[i]);   // some drivers know none
    if (!isfinite(position) || (has_velocity && isinf(state->velocity.data[i]))) {
      refused = true;
      continue;
    }
    follow(&node->joints.anchors[variable], position, stamp);
    range_t * recent = &node->joints.recent[variable];
    *recent = (range_t) {fmin(recent->low, position), fmax(recent->high, position)};
    node->joints.positions[variable] = position;
    node->joints.velocities[variable] = has_velocity ? state->velocity.data[i] : NAN;
    node->joints.stamps[variable] = stamp;
    node->joints.arrivals[variable] = arrival;
  }
  if (refused) {
    node_refused(node);
  }
  live_joints_changed(node);
}

bool joint_states_init(vouch_node_t * node)
{
  subscription_setting_t setting = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState), &joint_state_type, "joint_states",
    rmw_qos_profile_sensor_data, on_joint_state, NULL
  };
  setting.qos.depth = 10;
  bool ok = node_listen(node, &setting);
  node->joint_input = ok ? node->inputs[node->input_count - 1] : 0;
  return ok;
}

static void free_store(joint_store_t * store)
{
  free(store->positions);
  free(store->velocities);
  free(store->stamps);
  free(store->arrivals);
  free(store->anchors);
  free(store->recent);
  free(store->before);
  memset(store, 0, sizeof(*store));
}

bool joint_states_resize(vouch_node_t * node, const vouch_robot_t * robot)
{
  size_t count = vouch_robot_variable_count(robot);
  joint_store_t store = {
    calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(double)),
    calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(double)),
    calloc(count + 1, sizeof(anchor_t)), calloc(count + 1, sizeof(range_t)),
    calloc(count + 1, sizeof(range_t)), count
  };
  if (store.positions == NULL || store.velocities == NULL || store.stamps == NULL ||
    store.arrivals == NULL || store.anchors == NULL || store.recent == NULL ||
    store.before == NULL)
  {
    free_store(&store);
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    int old = node->robot == NULL ? -1 :
      vouch_robot_find_variable(node->robot, vouch_robot_variable_name(robot, i));
    store.positions[i] = old >= 0 ? node->joints.positions[old] : NAN;
    store.velocities[i] = old >= 0 ? node->joints.velocities[old] : NAN;
    store.stamps[i] = old >= 0 ? node->joints.stamps[old] : -INFINITY;
    store.arrivals[i] = old >= 0 ? node->joints.arrivals[old] : -INFINITY;
    store.anchors[i] = old >= 0 ? node->joints.anchors[old] : (anchor_t) {NAN, NAN, NAN};
    store.recent[i] = old >= 0 ? node->joints.recent[old] : (range_t) {NAN, NAN};
    store.before[i] = old >= 0 ? node->joints.before[old] : (range_t) {NAN, NAN};
  }
  joint_states_fini(node);
  node->joints = store;
  return true;
}

void joint_states_fini(vouch_node_t * node)
{
  free_store(&node->joints);
}

double joint_states_age(vouch_node_t * node, size_t variable)
{
  if (isnan(node->joints.positions[variable]) || node_time_lacks(node)) {
    return INFINITY;
  }
  /* A stamp from the future is as useless as an old one, and nothing is younger than it came. */
  double now = node_now(node);
  return fmax(
    fabs(now - node->joints.stamps[variable]), fabs(now - node->joints.arrivals[variable]));
}

/// How far what was forwarded takes a joint in the `age` seconds before now. NaN: no memory.
static double planned_drift(vouch_node_t * node, size_t variable, double age)
{
  double time = node_now(node) - node->watched.vetting.start_s;
  double * planned = calloc(node->joints.count + 1, sizeof(*planned));
  if (planned == NULL) {
    return NAN;
  }
  vouch_motion_evaluate(node->watched.motion, time - age, planned);
  double before = planned[variable];
  vouch_motion_evaluate(node->watched.motion, time, planned);
  double drift = fabs(planned[variable] - before);
  free(planned);
  return drift;
}

/// Of a joint whose velocity nobody tells it is known only whether something that was forwarded may
/// move it; otherwise it is taken to be at rest, as in the start of a motion.
double joint_states_drift(vouch_node_t * node, size_t variable)
{
  double age = joint_states_age(node, variable);
  double velocity = node->joints.velocities[variable];
  if (isfinite(velocity)) {
    return velocity == 0.0 ? 0.0 : fabs(velocity) * age;
  }
  return vetting_may_move(&node->watched.vetting, node_now(node)) &&
         node->watched.moved[variable] ? planned_drift(node, variable, age) : 0.0;
}

vouch_ret_t joint_states_check_drift(vouch_node_t * node, size_t variable, double tolerance)
{
  double drift = joint_states_drift(node, variable);
  if (drift <= fmax(tolerance, noise)) {
    return VOUCH_RET_OK;
  }
  char speed[64] = "under an earlier trajectory, nobody says how fast,";
  if (isfinite(node->joints.velocities[variable])) {
    snprintf(speed, sizeof(speed), "with %.3g a second", node->joints.velocities[variable]);
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "where joint '%.200s' is now is not known: it moves %s and its state on "
    "joint_states is %.3f s old, so it may be %.3g further, more than its tolerance (%g)",
    vouch_robot_variable_name(node->robot, variable), speed, joint_states_age(node, variable),
    drift, tolerance);
}

/* ---- where joints were when a scene came in ---- */

void joint_states_catch_up(vouch_node_t * node)
{
  executor_drain(node->executor, node->joint_input);
}

/* A message that is taken in one round was not there when the round before looked for messages: it
 * came in while that one handled others, which may take long, or later. So the positions of two rounds
 * tell where a joint was when it came. One message of a kind is taken in a round: behind a scene there
 * may be others that have waited as long. */
void joint_states_round(vouch_node_t * node)
{
  joint_store_t * joints = &node->joints;
  for (size_t i = 0; i < joints->count && !node->scene_taken; ++i) {
    joints->before[i] = joints->recent[i];
    joints->recent[i] = (range_t) {joints->positions[i], joints->positions[i]};
  }
  node->scene_taken = false;
}

bool joint_states_moved(vouch_node_t * node, size_t variable)
{
  const range_t * recent = &node->joints.recent[variable];
  const range_t * before = &node->joints.before[variable];
  double limit = parameters_double(&node->parameters, PARAMETER_JOINT_STATE_TIMEOUT_S);
  double tolerance = robot_joint_tolerance(
    node->robot, variable, parameters_double(&node->parameters, PARAMETER_VETTING_TOLERANCE_RAD),
    parameters_double(&node->parameters, PARAMETER_VETTING_TOLERANCE_M));
  /* fmin() and fmax() leave out the NaN of a joint that was not known yet. */
  double way = fmax(recent->high, before->high) - fmin(recent->low, before->low);
  return joint_states_age(node, variable) <= limit &&
         !(way + joint_states_drift(node, variable) <= tolerance);
}

void joint_states_still(vouch_node_t * node, double * values)
{
  double limit = parameters_double(&node->parameters, PARAMETER_JOINT_STATE_TIMEOUT_S);
  for (size_t i = 0; i < node->joints.count; ++i) {
    bool known = joint_states_age(node, i) <= limit && !joint_states_moved(node, i);
    values[i] = known ? node->joints.positions[i] : NAN;
  }
}
