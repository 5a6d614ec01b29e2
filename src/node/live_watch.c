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

/* Watching what was forwarded until it ends. The rules are vetting.h's. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "node/live.h"
#include "node/tube.h"
#include "rcl/error_handling.h"

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

/// Whoever has it executed hears that it must not be.
static void tell_revoked(vouch_node_t * node, const watched_t * watched)
{
  if (watched->on_revoked != NULL) {
    watched->on_revoked(watched->context, node->told);
  }
}

static void recheck(vouch_node_t * node, double deviation)
{
  double latency = parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S);
  double now = node_now(node);
  double from = now - node->watched.vetting.start_s - latency;
  vouch_joint_tolerance_t * tolerances = NULL;
  check_request_t request = live_request(node);
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
  const watched_t watched = node->watched;
  bool outside = watched.vetting.outside;
  vetting_action_t action = vetting_rechecked(&node->watched.vetting, node_check_verdict(&run));
  if (action == VETTING_REVOKE) {
    ++node->statistics.revoked;
    if (outside && (node_check_verdict(&run) == VOUCH_FREE || now > node->watched.vetting.end_s)) {
      run.ret = VOUCH_RET_INVALID;
      describe_outside(&run, deviation);
    }
  }
  live_report(
    node, &run, node->watched.id, &node->watched.vetting,
    vouch__msg__TrajectoryReport__SOURCE_RECHECK);
  node_check_fini(&run);
  free(tolerances);
  node->vetting_busy = false;
  if (action == VETTING_REVOKE) {
    tell_revoked(node, &watched);
  }
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
      live_report(
        node, &run, node->watched.id, vetting, vouch__msg__TrajectoryReport__SOURCE_RECHECK);
      tell_revoked(node, &node->watched);
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
