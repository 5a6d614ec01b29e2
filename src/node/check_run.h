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

/* One check from messages to a report: the same for the service and for live vetting. */

#ifndef NODE__CHECK_RUN_H_
#define NODE__CHECK_RUN_H_

#include "node/node.h"

/// What is asked. Zero numbers and NULLs mean the node's parameters, scene and state.
typedef struct check_request_s
{
  const trajectory_msgs__msg__JointTrajectory * trajectory;
  const sensor_msgs__msg__JointState * start_state;   // may be NULL
  const vouch__msg__Scene * scene;                    // may be NULL
  bool start_anywhere;
  double margin_m, tolerance_rad, tolerance_m;
  const vouch_joint_tolerance_t * tolerances;   // they override those of the parameters
  size_t tolerance_count;
  vouch_motion_model_t model;
  vouch_method_t method;
  double deadline_s;
  bool clearance, first_contact, certificate;
} check_request_t;

/// What came out. Zero-initialise; release with node_check_fini().
typedef struct check_run_s
{
  vouch_ret_t ret;              // not OK: the verdict is INVALID and `error` says why
  char error[1024];
  vouch_check_options_t options;
  vouch_motion_t * motion;      // NULL when it could not be made
  double * tolerances;          // per robot variable
  vouch_checker_t * checker;    // borrowed from the cache, or own_checker
  bool own_checker;
  const vouch_scene_t * scene;  // borrowed from the node, or own_scene
  vouch_scene_t * own_scene;
  rosidl_runtime_c__String__Sequence rest;   // not understood parts of own_scene
  vouch_joint_tolerance_t * joint_tolerances;
  char * names;                 // text that joint_tolerances point to
  vouch_result_t result;        // names and lists live until the next check
  char warning[512];            // a remark of the node's own, or empty
} check_run_t;

/// The parameters as a request.
check_request_t check_request_default(const vouch_node_t * node);

/// Checks. Whatever goes wrong is in run->ret and run->error.
void node_check(vouch_node_t * node, const check_request_t * request, check_run_t * run);
/// Checks a motion that exists already (the rest of a running one) with the request's numbers.
void node_check_motion(
  vouch_node_t * node, const check_request_t * request, vouch_motion_t * motion,
  check_run_t * run);
void node_check_fini(check_run_t * run);

vouch_verdict_t node_check_verdict(const check_run_t * run);

/// Empties the cache of checkers; after this no checker of the node refers to robot or scene.
void check_cache_clear(vouch_node_t * node);

/* ---- check_motion.c ---- */

/// Trajectory and start state to a motion, as the controller means it. run->tolerances must be set.
vouch_ret_t check_motion_create(
  vouch_node_t * node, const check_request_t * request, check_run_t * run) VOUCH_WARN_UNUSED;

/// True when the trajectory moves this joint.
bool trajectory_names(
  const trajectory_msgs__msg__JointTrajectory * trajectory, const char * name);

/* ---- report.c ---- */

/// Everything but id, source, forwarded, revoked and state. False: no memory.
bool report_fill(
  vouch_node_t * node, const check_run_t * run, vouch__msg__TrajectoryReport * report);
/// Publishes a report on ~/report. Its picture follows when the node has time: motion and own scene
/// go there,
/// so this comes last.
void report_publish(
  vouch_node_t * node, check_run_t * run, const vouch__msg__TrajectoryReport * report);

/* ---- markers.c ---- */

/// Keeps what is needed to draw this verdict when the node has time; takes motion and own_scene out
/// of `run`.
void markers_keep(
  vouch_node_t * node, check_run_t * run, const vouch__msg__TrajectoryReport * report);

#endif  // NODE__CHECK_RUN_H_
