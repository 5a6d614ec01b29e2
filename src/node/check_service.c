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

/* ~/check_trajectory */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/robot.h"
#include "node/check_run.h"
#include "node/convert.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "vouch/srv/check_trajectory.h"

MESSAGE_TYPE(check_request, vouch__srv__CheckTrajectory_Request);
MESSAGE_TYPE(check_response, vouch__srv__CheckTrajectory_Response);

static vouch_ret_t read_tolerances(
  const vouch__srv__CheckTrajectory_Request * in, check_request_t * request,
  vouch_joint_tolerance_t ** memory)
{
  if (in->tolerance_joints.size != in->tolerances.size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu tolerance_joints but %zu tolerances", in->tolerance_joints.size,
      in->tolerances.size);
  }
  if (in->tolerances.size == 0) {
    return VOUCH_RET_OK;
  }
  *memory = calloc(in->tolerances.size, sizeof(**memory));
  if (*memory == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for tolerances");
  }
  for (size_t i = 0; i < in->tolerances.size; ++i) {
    (*memory)[i] = (vouch_joint_tolerance_t) {
      in->tolerance_joints.data[i].data, in->tolerances.data[i]
    };
  }
  request->tolerances = *memory;
  request->tolerance_count = in->tolerances.size;
  return VOUCH_RET_OK;
}

static vouch_ret_t read_request(
  vouch_node_t * node, const vouch__srv__CheckTrajectory_Request * in, check_request_t * request,
  vouch_joint_tolerance_t ** memory)
{
  *request = check_request_default(node);
  request->trajectory = &in->trajectory;
  request->start_state = &in->start_state;
  request->start_anywhere = in->start_anywhere;
  request->scene = &in->scene;
  request->margin_m = in->exact_numbers || in->margin_m != 0.0 ? in->margin_m : request->margin_m;
  request->tolerance_rad = in->exact_numbers || in->tolerance_rad != 0.0 ?
    in->tolerance_rad : request->tolerance_rad;
  request->tolerance_m = in->exact_numbers || in->tolerance_m != 0.0 ?
    in->tolerance_m : request->tolerance_m;
  request->deadline_s = in->deadline_s != 0.0 ? in->deadline_s : request->deadline_s;
  request->clearance = !in->skip_clearance;
  request->first_contact = !in->skip_first_contact;
  request->certificate = in->want_certificate;
  if (in->motion_model > vouch__srv__CheckTrajectory_Request__MODEL_LINEAR) {
    return vouch_fail(VOUCH_RET_INVALID, "motion_model %d is not known", in->motion_model);
  }
  if (in->motion_model != vouch__srv__CheckTrajectory_Request__MODEL_DEFAULT) {
    request->model = (vouch_motion_model_t)in->motion_model;
  }
  if (in->method > vouch__srv__CheckTrajectory_Request__METHOD_SCHWARZER) {
    return vouch_fail(VOUCH_RET_INVALID, "method %d is not known", in->method);
  }
  if (in->method != vouch__srv__CheckTrajectory_Request__METHOD_DEFAULT) {
    request->method = (vouch_method_t)(in->method - 1);
  }
  return read_tolerances(in, request, memory);
}

/// The bytes go over to the message as they are: both sides use malloc() and free().
static void hand_bytes(
  const check_run_t * run,
  vouch_ret_t (* get)(const vouch_checker_t * checker, uint8_t ** data, size_t * size),
  rosidl_runtime_c__uint8__Sequence * out)
{
  uint8_t * data = NULL;
  size_t size = 0;
  if (get(run->checker, &data, &size) == VOUCH_RET_OK) {   // an UNDECIDED check has none
    rosidl_runtime_c__uint8__Sequence__fini(out);
    *out = (rosidl_runtime_c__uint8__Sequence) {data, size, size};
  }
}

/// Where the two bodies of the first collision are, for FCL's result.
static void body_pose(
  const check_run_t * run, const char * name, geometry_msgs__msg__Pose * out)
{
  const vouch_robot_t * robot = vouch_scene_robot(run->scene);
  uint32_t link = vouch_robot_find_link(robot, name);
  double * values = calloc(vouch_robot_variable_count(robot) + 1, sizeof(double));
  vouch_pose_t pose = vouch_pose_identity();
  if (link != VOUCH_NONE && values != NULL) {
    vouch_motion_evaluate(run->motion, run->result.first_collision.time_s, values);
    if (vouch_robot_link_pose(robot, link, values, &pose) != VOUCH_RET_OK) {
      pose = vouch_pose_identity();
    }
  }
  free(values);
  convert_pose_to_message(&pose, out);
}

static bool fill_fcl(const check_run_t * run, vouch__srv__CheckTrajectory_Response * out)
{
  double duration = vouch_motion_duration(run->motion);
  if (!convert_fcl_results(&run->result, duration, out)) {
    return false;
  }
  if (run->result.verdict == VOUCH_COLLISION) {
    body_pose(run, run->result.first_collision.a, &out->continuous_collision.contact_tf1);
    body_pose(run, run->result.first_collision.b, &out->continuous_collision.contact_tf2);
  }
  return true;
}

static void on_check(const void * message, void * response, void * context)
{
  vouch_node_t * node = context;
  const vouch__srv__CheckTrajectory_Request * in = message;
  vouch__srv__CheckTrajectory_Response * out = response;
  check_request_t request;
  vouch_joint_tolerance_t * memory = NULL;
  check_run_t run = {0};
  node_catch_up(node);
  run.ret = read_request(node, in, &request, &memory);
  if (run.ret == VOUCH_RET_OK) {
    node_check(node, &request, &run);
  } else {
    snprintf(run.error, sizeof(run.error), "%s", vouch_error());
    node_refused(node);
  }
  bool ok = report_fill(node, &run, &out->report) &&
    rosidl_runtime_c__String__copy(&in->id, &out->report.id);
  if (run.ret == VOUCH_RET_OK && in->want_certificate) {
    if (!in->skip_problem) {
      hand_bytes(&run, vouch_checker_problem, &out->problem);
    }
    hand_bytes(&run, vouch_checker_certificate, &out->certificate);
  }
  if (run.ret == VOUCH_RET_OK && in->want_fcl_results) {
    ok = ok && fill_fcl(&run, out);
  }
  if (!ok) {
    /* Half an answer is no answer. */
    out->report.verdict = vouch__msg__TrajectoryReport__UNDECIDED;
    NODE_ERROR(node, "no memory for a whole answer");
  }
  report_publish(node, &run, &out->report);
  node_check_fini(&run);
  free(memory);
}

bool check_service_init(vouch_node_t * node)
{
  service_setting_t setting = {
    ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, CheckTrajectory), &check_request, &check_response,
    "~/check_trajectory", rmw_qos_profile_services_default, on_check
  };
  setting.qos.depth = 1000;   // clients may send many at once
  return executor_serve(node->executor, &setting, node, NULL) == RCL_RET_OK;
}
