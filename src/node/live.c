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

/* Live vetting: ~/joint_trajectory in, ~/vetted/joint_trajectory out, and the goals of the gate. The
 * rules are vetting.h's; here they meet messages, clocks and joint states. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/robot.h"
#include "node/live.h"
#include "node/tube.h"
#include "rcl/error_handling.h"
#include "vouch/msg/trajectory_report.h"

MESSAGE_TYPE(trajectory_type, trajectory_msgs__msg__JointTrajectory);

static void on_trajectory(const void * message, void * context)
{
  live_order_t order = {.trajectory = message};
  live_vet(context, &order);
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

void live_report(
  vouch_node_t * node, check_run_t * run, const char * id, const vetting_t * vetting,
  uint8_t source)
{
  node->told[0] = '\0';
  vouch__msg__TrajectoryReport * report = vouch__msg__TrajectoryReport__create();
  bool ok = report != NULL && report_fill(node, run, report) &&
    rosidl_runtime_c__String__assign(&report->id, id) &&
    rosidl_runtime_c__String__assign(&report->state, vetting_state_name(vetting->state));
  if (!ok) {
    NODE_ERROR(node, "no memory for a report on %s", id);
  } else {
    snprintf(node->told, sizeof(node->told), "%s", report->message.data);
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

void live_refuse(vouch_node_t * node, const char * why, char * told, size_t told_size)
{
  const vetting_t refused = {.state = VETTING_REFUSED};
  check_run_t run = {.ret = VOUCH_RET_INVALID};
  char id[64];
  next_id(node, id);
  snprintf(run.error, sizeof(run.error), "%s", why);
  node_refused(node);
  live_report(node, &run, id, &refused, vouch__msg__TrajectoryReport__SOURCE_VETTING);
  node_check_fini(&run);
  if (told != NULL) {
    snprintf(told, told_size, "%s", why);
  }
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

/// What is free may still ask for more than the joints can do.
static void compare_limits(check_run_t * run)
{
  if (node_check_verdict(run) == VOUCH_FREE && vouch_motion_overshoot_count(run->motion) > 0) {
    const vouch_overshoot_t over = vouch_motion_overshoot(run->motion, 0);
    run->ret = VOUCH_RET_INVALID;
    snprintf(
      run->error, sizeof(run->error), "free, but not forwarded: joint '%.100s' may reach "
      "[%.4f, %.4f] and leave its limits [%.4f, %.4f]", over.joint, over.minimum, over.maximum,
      over.lower, over.upper);
  }
}

/// Sends it on. It is watched already: what is not watched must not run.
static bool send(vouch_node_t * node, live_order_t * order, double duration_s)
{
  node->watched.on_revoked = order->on_revoked;
  node->watched.context = order->context;
  if (order->forward != NULL) {
    return order->forward(order->context, duration_s);
  }
  node_publish(node, &node->vetted, order->trajectory);
  return true;
}

vouch_ret_t live_watch_plan(vouch_node_t * node, check_run_t * run, const live_plan_t * plan)
{
  bool * moved = calloc(node->joints.count + 1, sizeof(*moved));
  if (moved == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory to watch it");
  }
  for (size_t i = 0; i < node->joints.count; ++i) {
    moved[i] = true;
  }
  char id[64];
  next_id(node, id);
  live_fini(node);
  watched_t * watched = &node->watched;
  *watched = (watched_t) {
    .vetting = {.state = VETTING_FORWARDED, .start_s = plan->start_s, .end_s = plan->end_s},
    .motion = plan->motion, .tolerances = run->tolerances, .moved = moved,
    .tolerance_rad = run->options.tolerance_rad, .tolerance_m = run->options.tolerance_m,
    .custom = run->options.tolerance_count > 0, .on_revoked = plan->on_revoked,
    .context = plan->context
  };
  run->tolerances = NULL;
  snprintf(watched->id, sizeof(watched->id), "%s", id);
  node->scene_pending = false;
  return VOUCH_RET_OK;
}

/// Everything is there to forward it. False: something failed, or nobody wants it any more.
static bool forward(
  vouch_node_t * node, live_order_t * order, check_run_t * run, vetting_t * vetting)
{
  bool custom = run->options.tolerance_count > 0;
  double duration = vouch_motion_duration(run->motion);
  double now = node_now(node);
  vetting_t forwarded = *vetting;
  vetting_forwarded(
    &forwarded, now,
    now + duration + parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S));
  const char * why = NULL;
  if (order->wanted != NULL && !order->wanted(order->context)) {
    why = "it was cancelled meanwhile: not forwarded";
  } else if (!watch(node, run, order->trajectory, &forwarded, order->id)) {
    why = "no memory to watch it: not forwarded";
  } else {
    node->watched.custom = custom;
    node->watched.tolerance_rad = run->options.tolerance_rad;
    node->watched.tolerance_m = run->options.tolerance_m;
    node->scene_pending = false;   // what was to be checked again is not watched any more
    if (!send(node, order, duration)) {
      live_fini(node);
      why = "it could not be sent to the controller";
    }
  }
  if (why != NULL) {
    run->ret = VOUCH_RET_INVALID;
    snprintf(run->error, sizeof(run->error), "%s", why);
    vetting->state = VETTING_REFUSED;
    return false;
  }
  *vetting = forwarded;
  ++node->statistics.forwarded;
  return true;
}

static void decide(
  vouch_node_t * node, const check_request_t * request, check_run_t * run, vetting_t * vetting,
  live_order_t * order)
{
  if (order->within_limits) {
    compare_limits(run);
  }
  double deviation = compare_start(node, request, run);
  vouch_verdict_t verdict = node_check_verdict(run);
  if (vetting_decide(vetting, verdict, deviation) == VETTING_FORWARD) {
    order->forwarded = forward(node, order, run, vetting);
  } else if (verdict == VOUCH_FREE) {
    refuse_start(run, deviation);
  }
  live_report(node, run, order->id, vetting, vouch__msg__TrajectoryReport__SOURCE_VETTING);
  if (order->why != NULL) {
    snprintf(order->why, order->why_size, "%s", node->told);
  }
}

check_request_t live_request(const vouch_node_t * node)
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
static bool is_late(vouch_node_t * node, const live_order_t * order)
{
  const trajectory_msgs__msg__JointTrajectory * trajectory = order->trajectory;
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
  live_refuse(node, why, order->why, order->why_size);
  return true;
}

/// One check and the decision, under the scene, the robot and the parameters of now. False: they
/// changed meanwhile, and nothing was decided.
static bool vet_once(
  vouch_node_t * node, live_order_t * order, vetting_t * vetting, bool last)
{
  check_run_t run = {0};
  node_catch_up(node);
  check_request_t now = live_request(node);
  now.trajectory = order->trajectory;
  now.tolerances = order->tolerances;
  now.tolerance_count = order->tolerance_count;
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
    decide(node, &now, &run, vetting, order);
  }
  node_check_fini(&run);   // where nothing was decided, its scene and its checker may be gone
  node->vetting_busy = false;
  robot_source_release(node);
  return decided;
}

void live_vet(vouch_node_t * node, live_order_t * order)
{
  enum {MOST_CHECKS = 5};
  vetting_t vetting = {0};
  if (order->forward == NULL && gate_has_goal(node)) {
    live_refuse(
      node, "a goal of ~/follow_joint_trajectory is under way: cancel it first, or wait", NULL, 0);
    return;
  }
  if (is_late(node, order)) {
    return;
  }
  next_id(node, order->id);
  bool decided = vetting_admit(&vetting) != VETTING_CHECK;
  for (int i = 1; !decided; ++i) {
    decided = vet_once(node, order, &vetting, i == MOST_CHECKS);
  }
  live_resume(node);
}

void live_release(vouch_node_t * node, const char * id)
{
  if (vetting_is_watched(&node->watched.vetting) && strcmp(node->watched.id, id) == 0) {
    NODE_INFO(node, "%s is not executed any more", id);
    live_fini(node);
  }
}
