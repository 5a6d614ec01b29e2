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

/* Live vetting: ~/joint_trajectory in, ~/vetted/joint_trajectory out. The rules are vetting.h's;
 * here
 * they meet messages, clocks and joint states. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/robot.h"
#include "node/check_run.h"
#include "node/tube.h"
#include "rcl/error_handling.h"
#include "vouch/msg/trajectory_report.h"

MESSAGE_TYPE(trajectory_type, trajectory_msgs__msg__JointTrajectory);

static void on_trajectory(const void * message, void * context)
{
  live_vet(context, message, NULL, 0);
}

bool live_init(vouch_node_t * node)
{
  subscription_setting_t setting = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory), &trajectory_type,
    "~/joint_trajectory", rmw_qos_profile_default, on_trajectory, NULL
  };
  setting.qos.depth = 100;   // each gets its report
  return executor_subscribe(node->executor, &setting, node, NULL) == RCL_RET_OK;
}

void live_fini(vouch_node_t * node)
{
  vouch_motion_destroy(node->watched.motion);
  free(node->watched.tolerances);
  free(node->watched.moved);
  memset(&node->watched, 0, sizeof(node->watched));
}

/* ---- reports ---- */

static void publish_report(
  vouch_node_t * node, check_run_t * run, const char * id, const vetting_t * vetting,
  uint8_t source)
{
  vouch__msg__TrajectoryReport * report = vouch__msg__TrajectoryReport__create();
  bool ok = report != NULL && report_fill(node, run, report) &&
    rosidl_runtime_c__String__assign(&report->id, id) &&
    rosidl_runtime_c__String__assign(&report->state, vetting_state_name(vetting->state));
  if (!ok) {
    NODE_ERROR(node, "no memory for a report on %s", id);
  } else {
    report->source = source;
    report->forwarded = vetting->state != VETTING_REFUSED;
    report->revoked = vetting->state == VETTING_REVOKED;
    if (report->revoked) {
      NODE_WARN(node, "%s REVOKED: %s", id, report->message.data);
    } else {
      NODE_INFO(
        node, "%s %s (%s): %s", id, vetting_state_name(vetting->state),
        vouch_verdict_name(node_check_verdict(run)), report->message.data);
    }
    report_publish(node, run, report);
  }
  vouch__msg__TrajectoryReport__destroy(report);
}

static void next_id(vouch_node_t * node, char id[64])
{
  snprintf(id, 64, "vetting-%llu", (unsigned long long)++node->next_id);
}

void live_refuse(vouch_node_t * node, const char * why)
{
  const vetting_t refused = {.state = VETTING_REFUSED};
  check_run_t run = {.ret = VOUCH_RET_INVALID};
  char id[64];
  next_id(node, id);
  snprintf(run.error, sizeof(run.error), "%s", why);
  node_refused(node);
  publish_report(node, &run, id, &refused, vouch__msg__TrajectoryReport__SOURCE_VETTING);
  node_check_fini(&run);
}

/* ---- arrival ---- */

/// Whether the controller makes a lead-in from the velocity that the robot has.
static bool leads_in_with_velocity(const trajectory_msgs__msg__JointTrajectory * trajectory)
{
  const trajectory_msgs__msg__JointTrajectoryPoint * first =
    trajectory->points.size > 0 ? trajectory->points.data : NULL;
  return first != NULL && first->velocities.size > 0 &&
         (first->time_from_start.sec != 0 || first->time_from_start.nanosec != 0 ||
         trajectory->header.stamp.sec != 0 || trajectory->header.stamp.nanosec != 0);
}

/// Rules that need no geometry.
static vouch_ret_t admissible(
  vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory)
{
  if (!parameters_bool(&node->parameters, PARAMETER_VETTING_ENABLED)) {
    return vouch_fail(VOUCH_RET_INVALID, "vetting is switched off (parameter vetting.enabled)");
  }
  if (node->robot_cached) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the robot was loaded with a cache while vetting.enabled was off: clear "
      "cache_directory, or start with vetting.enabled");
  }
  if (node_stops()) {
    return vouch_fail(VOUCH_RET_INVALID, "the node is ending: nobody would watch it");
  }
  if (robot_source_lack(node) != NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "%s", robot_source_lack(node));
  }
  const vetting_t * earlier = &node->watched.vetting;
  if (!vetting_may_move(earlier, node_now(node))) {
    return VOUCH_RET_OK;
  }
  for (size_t i = 0; i < node->joints.count; ++i) {
    const char * name = vouch_robot_variable_name(node->robot, i);
    /* Of a revoked one a measured velocity tells whether it was stopped: tube_check_held(). */
    bool told = earlier->state == VETTING_REVOKED && isfinite(node->joints.velocities[i]);
    if (node->watched.moved[i] && !told && !trajectory_names(trajectory, name)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' %s under an earlier trajectory: name it too, or wait", name,
        earlier->state == VETTING_REVOKED ? "may still move" : "still moves");
    }
    if (node->watched.moved[i] && !isfinite(node->joints.velocities[i]) &&
      leads_in_with_velocity(trajectory))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' may move, and joint_states do not say how fast: the way to "
        "the first point is not known", name);
    }
  }
  return VOUCH_RET_OK;
}

/// The candidate becomes the one that is watched.
static bool watch(
  vouch_node_t * node, check_run_t * run, const trajectory_msgs__msg__JointTrajectory * trajectory,
  const vetting_t * vetting, const char * id)
{
  size_t count = node->joints.count;
  bool * moved = calloc(count + 1, sizeof(*moved));
  vouch_motion_t * motion = NULL;
  if (moved == NULL || vouch_motion_remaining(&motion, run->motion, 0.0) != VOUCH_RET_OK) {
    free(moved);
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    moved[i] = trajectory_names(trajectory, vouch_robot_variable_name(node->robot, i));
  }
  live_fini(node);
  node->watched.vetting = *vetting;
  node->watched.motion = motion;
  node->watched.moved = moved;
  node->watched.tolerances = run->tolerances;
  run->tolerances = NULL;
  snprintf(node->watched.id, sizeof(node->watched.id), "%s", id);
  return true;
}

static void refuse_start(check_run_t * run, double deviation)
{
  run->ret = VOUCH_RET_INVALID;
  if (isnan(deviation)) {
    snprintf(
      run->error, sizeof(run->error),
      "free, but the robot's joint state is unknown or too old: not forwarded");
  } else {
    snprintf(
      run->error, sizeof(run->error), "free, but the robot is %.3g times the tolerance away from "
      "the start, or will be on its way to the first point: not forwarded", deviation);
  }
}

/// What is proved is proved for the robot as it was; this is about the robot as it is now.
static double compare_start(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  double deviation = NAN;
  if (node_check_verdict(run) == VOUCH_FREE) {
    vouch_ret_t ret = !node_stops() ? tube_check_held(node, request->trajectory, run) :
      vouch_fail(VOUCH_RET_INVALID, "the node is ending: nobody would watch it");
    ret = ret != VOUCH_RET_OK ? ret : tube_start(node, request, run, &deviation);
    if (ret != VOUCH_RET_OK) {
      run->ret = ret;
      snprintf(run->error, sizeof(run->error), "free, but not forwarded: %s", vouch_error());
    }
  }
  return deviation;
}

static void decide(
  vouch_node_t * node, const check_request_t * request, check_run_t * run, vetting_t * vetting,
  const char * id)
{
  const trajectory_msgs__msg__JointTrajectory * trajectory = request->trajectory;
  bool custom = run->options.tolerance_count > 0;
  double deviation = compare_start(node, request, run);
  vouch_verdict_t verdict = node_check_verdict(run);
  if (vetting_decide(vetting, verdict, deviation) == VETTING_FORWARD) {
    double latency = parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S);
    double now = node_now(node);
    vetting_t forwarded = *vetting;
    vetting_forwarded(&forwarded, now, now + vouch_motion_duration(run->motion) + latency);
    /* Watched before it is sent: what is not watched must not run. */
    if (watch(node, run, trajectory, &forwarded, id)) {
      node->watched.custom = custom;
      node->watched.tolerance_rad = run->options.tolerance_rad;
      node->watched.tolerance_m = run->options.tolerance_m;
      *vetting = forwarded;
      node->scene_pending = false;   // what was to be checked again is not watched any more
      node_publish(node, &node->vetted, trajectory);
      ++node->statistics.forwarded;
    } else {
      run->ret = VOUCH_RET_NO_MEMORY;
      snprintf(run->error, sizeof(run->error), "no memory to watch it: not forwarded");
      vetting->state = VETTING_REFUSED;
    }
  } else if (verdict == VOUCH_FREE) {
    refuse_start(run, deviation);
  }
  publish_report(node, run, id, vetting, vouch__msg__TrajectoryReport__SOURCE_VETTING);
}

static check_request_t vetting_request(const vouch_node_t * node)
{
  check_request_t request = check_request_default(node);
  request.model = VOUCH_MODEL_CONTROLLER;
  request.tolerance_rad = parameters_double(&node->parameters, PARAMETER_VETTING_TOLERANCE_RAD);
  request.tolerance_m = parameters_double(&node->parameters, PARAMETER_VETTING_TOLERANCE_M);
  return request;
}

static void refuse_checked(vouch_node_t * node, check_run_t * run, const char * why)
{
  node_check_fini(run);
  run->ret = VOUCH_RET_INVALID;
  snprintf(run->error, sizeof(run->error), "%s: not forwarded", why);
  node_refused(node);
}

/// Checks once. False: what was proved is not about the world of now any more, or somebody has asked
/// for another one meanwhile. Of a robot that is about to go nothing is proved.
static bool check_current(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  uint64_t generation = node->generation;
  node_check(node, request, run);
  node_catch_up(node);
  if (node->robot_pending) {
    refuse_checked(node, run, "a new robot description came in during the check");
    return true;
  }
  return generation == node->generation && !node_change_waits(node);
}

/// A command without a stamp means now, and that was when it came.
static bool is_late(vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory)
{
  double waited = executor_waited();
  double limit = parameters_double(&node->parameters, PARAMETER_JOINT_STATE_TIMEOUT_S);
  bool stamped = trajectory->header.stamp.sec != 0 || trajectory->header.stamp.nanosec != 0;
  if (stamped || waited <= limit) {
    return false;
  }
  char why[256];
  snprintf(
    why, sizeof(why), "the command has no stamp and has waited for %.3f s while the node was busy, "
    "more than joint_state_timeout_s: send it again", waited);
  live_refuse(node, why);
  return true;
}

/// One check and the decision, under the scene, the robot and the parameters of now. False: they
/// changed meanwhile, and nothing was decided.
static bool vet_once(
  vouch_node_t * node, const check_request_t * request, vetting_t * vetting, const char * id,
  bool last)
{
  check_run_t run = {0};
  node_catch_up(node);
  check_request_t now = vetting_request(node);
  now.trajectory = request->trajectory;
  now.tolerances = request->tolerances;
  now.tolerance_count = request->tolerance_count;
  node->vetting_busy = true;
  robot_source_hold(node);
  run.ret = admissible(node, now.trajectory);
  run.ret = run.ret != VOUCH_RET_OK ? run.ret : scene_store_settle(node);
  bool decided = true;
  if (run.ret != VOUCH_RET_OK) {
    snprintf(run.error, sizeof(run.error), "%s", vouch_error());
    node_refused(node);
  } else {
    decided = check_current(node, &now, &run);
  }
  if (!decided && last) {
    refuse_checked(node, &run, "scene or parameters changed during every one of several checks");
    decided = true;
  }
  if (decided) {
    decide(node, &now, &run, vetting, id);
  }
  node_check_fini(&run);   // where nothing was decided, its scene and its checker may be gone
  node->vetting_busy = false;
  robot_source_release(node);
  return decided;
}

void live_vet(
  vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory,
  const vouch_joint_tolerance_t * tolerances, size_t tolerance_count)
{
  enum {MOST_CHECKS = 5};
  vetting_t vetting = {0};
  const check_request_t request = {
    .trajectory = trajectory, .tolerances = tolerances, .tolerance_count = tolerance_count
  };
  if (is_late(node, trajectory)) {
    return;
  }
  char id[64];
  next_id(node, id);
  bool decided = vetting_admit(&vetting) != VETTING_CHECK;
  for (int i = 1; !decided; ++i) {
    decided = vet_once(node, &request, &vetting, id, i == MOST_CHECKS);
  }
  live_resume(node);
}

/* ---- watching ---- */

/// The tolerances it was proved with, joint by joint: parameters may have changed since. NULL: no
/// memory.
static vouch_joint_tolerance_t * watched_tolerances(const vouch_node_t * node)
{
  vouch_joint_tolerance_t * out = calloc(node->joints.count + 1, sizeof(*out));
  for (size_t i = 0; out != NULL && i < node->joints.count; ++i) {
    out[i] = (vouch_joint_tolerance_t) {
      vouch_robot_variable_name(node->robot, i), node->watched.tolerances[i]
    };
  }
  return out;
}

/// True when single joints have tolerances of their own, then or now.
static bool has_own_tolerances(const vouch_node_t * node)
{
  const rosidl_runtime_c__String__Sequence * joints =
    parameters_strings(&node->parameters, PARAMETER_JOINT_TOLERANCES);
  bool own = node->watched.custom;
  for (size_t i = 0; !own && i < joints->size; ++i) {
    own = joints->data[i].size > 0;
  }
  return own;
}

static void describe_outside(check_run_t * run, double deviation)
{
  if (isnan(deviation)) {
    snprintf(run->error, sizeof(run->error), "the joint states stopped while it was running");
  } else {
    snprintf(
      run->error, sizeof(run->error),
      "the robot left the proved tube (deviation over tolerance: %.3g)", deviation);
  }
}

static void recheck(vouch_node_t * node, double deviation)
{
  double latency = parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S);
  double now = node_now(node);
  double from = now - node->watched.vetting.start_s - latency;
  vouch_joint_tolerance_t * tolerances = NULL;
  check_request_t request = vetting_request(node);
  request.clearance = false;   // a revocation does not wait for the closest approach
  request.tolerance_rad = node->watched.tolerance_rad;
  request.tolerance_m = node->watched.tolerance_m;
  vouch_motion_t * rest = NULL;
  check_run_t run = {0};
  node->vetting_busy = true;
  if (has_own_tolerances(node)) {
    tolerances = watched_tolerances(node);
    run.ret = tolerances != NULL ? VOUCH_RET_OK :
      vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for tolerances");
    request.tolerances = tolerances;
    request.tolerance_count = tolerances != NULL ? node->joints.count : 0;
  }
  if (run.ret == VOUCH_RET_OK) {
    run.ret = vouch_motion_remaining(&rest, node->watched.motion, from > 0.0 ? from : 0.0);
  }
  if (run.ret == VOUCH_RET_OK) {
    node_check_motion(node, &request, rest, &run);
  } else {
    snprintf(run.error, sizeof(run.error), "%s", vouch_error());
  }
  bool outside = node->watched.vetting.outside;
  vetting_action_t action = vetting_rechecked(&node->watched.vetting, node_check_verdict(&run));
  if (action == VETTING_REVOKE) {
    ++node->statistics.revoked;
    if (outside && (node_check_verdict(&run) == VOUCH_FREE || now > node->watched.vetting.end_s)) {
      run.ret = VOUCH_RET_INVALID;
      describe_outside(&run, deviation);
    }
  }
  publish_report(
    node, &run, node->watched.id, &node->watched.vetting,
    vouch__msg__TrajectoryReport__SOURCE_RECHECK);
  node_check_fini(&run);
  free(tolerances);
  node->vetting_busy = false;
}

static void act(vouch_node_t * node, vetting_action_t action, double deviation)
{
  if (action == VETTING_RECHECK) {
    recheck(node, deviation);
  } else if (action == VETTING_FINISH) {
    NODE_INFO(node, "%s done", node->watched.id);
    live_fini(node);
  }
}

void live_joints_changed(vouch_node_t * node)
{
  if (node->vetting_busy || !vetting_is_watched(&node->watched.vetting)) {
    return;
  }
  double now = node_now(node);
  double deviation = tube_watched(node, now - node->watched.vetting.start_s);
  act(node, vetting_measured(&node->watched.vetting, now, deviation), deviation);
}

void live_scene_changed(vouch_node_t * node)
{
  node->scene_pending = node->vetting_busy;
  if (node->vetting_busy) {
    return;
  }
  live_joints_changed(node);   // it may have ended meanwhile, at the right place or not
  act(node, vetting_contradicted(&node->watched.vetting, node_now(node)), 0.0);
}

void live_resume(vouch_node_t * node)
{
  if (node->vetting_busy) {
    return;
  }
  if (node->scene_pending) {
    live_scene_changed(node);
  }
  live_joints_changed(node);
}

void live_tick(vouch_node_t * node)
{
  live_joints_changed(node);   // joint states that stop coming do not call back
}

static void revoke(vouch_node_t * node, const char * why)
{
  vetting_t * vetting = &node->watched.vetting;
  if (vetting_contradicted(vetting, node_now(node)) == VETTING_RECHECK) {
    check_run_t run = {.ret = VOUCH_RET_INVALID};
    snprintf(run.error, sizeof(run.error), "%s", why);
    if (vetting_rechecked(vetting, VOUCH_INVALID) == VETTING_REVOKE) {
      ++node->statistics.revoked;
      publish_report(
        node, &run, node->watched.id, vetting, vouch__msg__TrajectoryReport__SOURCE_RECHECK);
    }
    node_check_fini(&run);
  }
  live_fini(node);
}

void live_robot_changes(vouch_node_t * node)
{
  revoke(node, "the robot description changed while it was running");
}

void live_stop(vouch_node_t * node)
{
  const int64_t patience_ns = 200000000;
  if (vetting_is_watched(&node->watched.vetting)) {
    revoke(node, "the node ends while it is running: nobody watches it any more");
    if (rcl_publisher_wait_for_all_acked(&node->report, patience_ns) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
}
