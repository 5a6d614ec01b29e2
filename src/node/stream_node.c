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

/* The chunk gate: ~/chunk in, ~/vetted/joint_trajectory and ~/chunk_answer out. What is spliced and
 * when is vouch/stream.h's; here it meets clocks, joint states and the scene. The plan is watched as
 * everything is that was forwarded (live.h). */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "node/live.h"
#include "node/tube.h"
#include "rcl/error_handling.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"
#include "vouch/msg/chunk_answer.h"

MESSAGE_TYPE(chunk_type, trajectory_msgs__msg__JointTrajectory);

struct stream_node_s
{
  vouch_node_t * node;
  vouch_stream_t * stream;        // NULL: none for this robot yet
  const vouch_robot_t * robot;    // that it was made for; only compared
  rcl_publisher_t answers;
  bool answers_ready;
  bool runs;                      // what is watched is the stream's plan
  uint64_t count;
};

/// One chunk on its way.
typedef struct offered_s
{
  vouch_chunk_t chunk;
  vouch_trajectory_t trajectory;
  vouch_trajectory_point_t * points;
  const char ** names;
  vouch_chunk_answer_t answer;
  double began_s;                 // steady
} offered_t;

static int64_t now_ns(vouch_node_t * node)
{
  rcl_time_point_value_t now = 0;
  if (rcl_clock_get_now(&node->clock, &now) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return now;
}

static builtin_interfaces__msg__Time time_of(int64_t ns)
{
  return (builtin_interfaces__msg__Time) {
           (int32_t)(ns / 1000000000), (uint32_t)(ns % 1000000000)
  };
}

static void set(offered_t * offered, vouch_chunk_code_t code, const char * why)
{
  offered->answer.code = code;
  snprintf(offered->answer.message, sizeof(offered->answer.message), "%.250s", why);
}

static void publish_answer(
  stream_node_t * self, const trajectory_msgs__msg__JointTrajectory * message,
  const offered_t * offered)
{
  const vouch_chunk_answer_t * in = &offered->answer;
  vouch__msg__ChunkAnswer * out = vouch__msg__ChunkAnswer__create();
  if (out == NULL || !node_stamp(self->node, &out->header) ||
    !rosidl_runtime_c__String__assign(&out->message, in->message))
  {
    NODE_ERROR(self->node, "no memory for the answer to a chunk");
  } else {
    out->number = self->count;
    out->chunk = message->header.stamp;
    out->code = (uint8_t)in->code;
    out->splice = time_of(in->splice_ns);
    out->stop = time_of(in->stop_ns);
    out->dropped = (uint32_t)in->dropped;
    out->proof_seconds = in->result.statistics.seconds;
    out->seconds = node_steady() - offered->began_s;
    node_publish(self->node, &self->answers, out);
  }
  vouch__msg__ChunkAnswer__destroy(out);
}

/* ---- the chunk as the library's ---- */

static void release(offered_t * offered)
{
  free(offered->points);
  free(offered->names);
  offered->points = NULL;
  offered->names = NULL;
}

/// Points into the message. False: the answer says why.
static bool read_chunk(
  const trajectory_msgs__msg__JointTrajectory * message, int64_t now, offered_t * offered)
{
  const size_t joints = message->joint_names.size, count = message->points.size;
  const builtin_interfaces__msg__Time * stamp = &message->header.stamp;
  offered->points = calloc(count + 1, sizeof(*offered->points));
  offered->names = calloc(joints + 1, sizeof(*offered->names));
  if (offered->points == NULL || offered->names == NULL) {
    set(offered, VOUCH_CHUNK_INVALID, "no memory for the chunk");
    return false;
  }
  for (size_t i = 0; i < joints; ++i) {
    offered->names[i] = message->joint_names.data[i].data;
  }
  for (size_t i = 0; i < count; ++i) {
    const trajectory_msgs__msg__JointTrajectoryPoint * in = &message->points.data[i];
    if (in->positions.size != joints || (in->velocities.size != 0 &&
      in->velocities.size != joints))
    {
      set(
        offered, VOUCH_CHUNK_INVALID,
        "a point has another number of positions or velocities than there are joint names");
      return false;
    }
    offered->points[i] = (vouch_trajectory_point_t) {
      .positions = in->positions.data,
      .velocities = in->velocities.size > 0 ? in->velocities.data : NULL,
      .time_s = (double)in->time_from_start.sec + 1e-9 * (double)in->time_from_start.nanosec
    };
  }
  offered->trajectory = (vouch_trajectory_t) {offered->names, joints, offered->points, count};
  const bool stamped = stamp->sec != 0 || stamp->nanosec != 0;
  /* Without a stamp it began when it came in. */
  offered->chunk = (vouch_chunk_t) {
    stamped ? (int64_t)stamp->sec * 1000000000 + stamp->nanosec :
    now - (int64_t)(1e9 * executor_waited()), &offered->trajectory
  };
  return true;
}

/* ---- where the stream begins ---- */

/// Positions of a robot that is known to stand still.
static vouch_ret_t read_rest(vouch_node_t * node, double * positions)
{
  const parameters_t * p = &node->parameters;
  const double timeout = parameters_double(p, PARAMETER_JOINT_STATE_TIMEOUT_S);
  const double latency = parameters_double(p, PARAMETER_VETTING_LATENCY_S);
  for (size_t i = 0; i < node->joints.count; ++i) {
    const char * name = vouch_robot_variable_name(node->robot, i);
    const double tolerance = robot_joint_tolerance(
      node->robot, i, parameters_double(p, PARAMETER_VETTING_TOLERANCE_RAD),
      parameters_double(p, PARAMETER_VETTING_TOLERANCE_M));
    const double velocity = isfinite(node->joints.velocities[i]) ? node->joints.velocities[i] :
      joint_states_rate(node, i);
    if (!(joint_states_age(node, i) <= timeout)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the state of joint '%.100s' is unknown or too old to begin from", name);
    }
    if (!(fabs(velocity) * latency + joint_states_drift(node, i) <= tolerance)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%.100s' moves (%.3g a second), or was not seen for long enough: "
        "a stream begins from a robot at rest", name, velocity);
    }
    positions[i] = node->joints.positions[i];
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t make_stream(stream_node_t * self)
{
  const parameters_t * p = &self->node->parameters;
  vouch_stream_options_t options = vouch_stream_options_default();
  options.lead_s = parameters_double(p, PARAMETER_STREAM_LEAD_S);
  options.brake_rad_s2 = parameters_double(p, PARAMETER_STREAM_BRAKE_RAD_S2);
  options.brake_m_s2 = parameters_double(p, PARAMETER_STREAM_BRAKE_M_S2);
  vouch_stream_destroy(self->stream);
  self->stream = NULL;
  self->robot = self->node->robot;
  return vouch_stream_create(&self->stream, self->node->robot, &options);
}

/// The plan runs and is watched, or a new one begins where the robot stands.
static vouch_ret_t be_ready(stream_node_t * self, int64_t now)
{
  vouch_node_t * node = self->node;
  const vetting_t * vetting = &node->watched.vetting;
  const bool mine = node->watched.context == self;
  if (!parameters_bool(&node->parameters, PARAMETER_VETTING_ENABLED) || node_stops()) {
    return vouch_fail(
      VOUCH_RET_INVALID, node_stops() ? "the node is ending: nobody would watch it" :
      "vetting is switched off (parameter vetting.enabled)");
  }
  if (robot_source_lack(node) != NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "%s", robot_source_lack(node));
  }
  if (gate_has_goal(node) || (!mine && vetting_may_move(vetting, node_now(node)))) {
    return vouch_fail(VOUCH_RET_INVALID, "another trajectory is still under way");
  }
  if (mine && self->runs && vetting_is_watched(vetting) && self->robot == node->robot) {
    return VOUCH_RET_OK;
  }
  double * positions = calloc(node->joints.count + 1, sizeof(*positions));
  vouch_ret_t ret = positions == NULL ?
    vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a joint state") : read_rest(node, positions);
  ret = ret != VOUCH_RET_OK ? ret : make_stream(self);
  ret = ret != VOUCH_RET_OK ? ret : vouch_stream_begin(self->stream, now, positions);
  free(positions);
  self->runs = false;
  return ret;
}

/* ---- forwarding ---- */

/// All knots of the plan that lie ahead, with the time of now as a stamp. False: no memory.
static bool fill_plan(
  const stream_node_t * self, int64_t now, trajectory_msgs__msg__JointTrajectory * out)
{
  const vouch_robot_t * robot = self->node->robot;
  const size_t joints = vouch_robot_variable_count(robot);
  const size_t count = vouch_stream_knot_count(self->stream);
  size_t first = 0;
  while (first < count && vouch_stream_knot(self->stream, first, NULL, NULL) <= now) {
    ++first;
  }
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->joint_names, joints) &&
    trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&out->points, count - first);
  out->header.stamp = time_of(now);
  for (size_t i = 0; ok && i < joints; ++i) {
    ok = rosidl_runtime_c__String__assign(
      &out->joint_names.data[i], vouch_robot_variable_name(robot, i));
  }
  for (size_t k = first; ok && k < count; ++k) {
    trajectory_msgs__msg__JointTrajectoryPoint * point = &out->points.data[k - first];
    const double * positions = NULL, * velocities = NULL;
    const int64_t ahead = vouch_stream_knot(self->stream, k, &positions, &velocities) - now;
    point->time_from_start.sec = (int32_t)(ahead / 1000000000);
    point->time_from_start.nanosec = (uint32_t)(ahead % 1000000000);
    ok = rosidl_runtime_c__double__Sequence__init(&point->positions, joints) &&
      rosidl_runtime_c__double__Sequence__init(&point->velocities, joints);
    if (ok) {
      memcpy(point->positions.data, positions, joints * sizeof(double));
      memcpy(point->velocities.data, velocities, joints * sizeof(double));
    }
  }
  return ok;
}

static void on_revoked(void * context, const char * why)
{
  stream_node_t * self = context;
  (void)why;
  self->runs = false;   // the next chunk begins anew, from rest
}

/// Watched first, then sent: what is not watched must not run.
static vouch_ret_t forward_plan(stream_node_t * self, check_run_t * run)
{
  vouch_node_t * node = self->node;
  vouch_motion_t * motion = NULL;
  const size_t count = vouch_stream_knot_count(self->stream);
  trajectory_msgs__msg__JointTrajectory * message =
    trajectory_msgs__msg__JointTrajectory__create();
  vouch_ret_t ret = vouch_stream_motion(self->stream, &motion);
  if (ret == VOUCH_RET_OK && (message == NULL || !fill_plan(self, now_ns(node), message))) {
    ret = vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the plan");
  }
  if (ret == VOUCH_RET_OK) {
    const live_plan_t plan = {
      .motion = motion,
      .start_s = 1e-9 * (double)vouch_stream_knot(self->stream, 0, NULL, NULL),
      .end_s = 1e-9 * (double)vouch_stream_knot(self->stream, count - 1, NULL, NULL) +
        parameters_double(&node->parameters, PARAMETER_VETTING_LATENCY_S),
      .on_revoked = on_revoked, .context = self
    };
    ret = live_watch_plan(node, run, &plan);
  }
  if (ret == VOUCH_RET_OK) {
    self->runs = true;
    node_publish(node, &node->vetted, message);
    ++node->statistics.forwarded;
  } else {
    vouch_motion_destroy(motion);
  }
  trajectory_msgs__msg__JointTrajectory__destroy(message);
  return ret;
}

/* ---- a chunk comes ---- */

/// Checks what was proposed and, if it may run in time, takes it.
static void decide(stream_node_t * self, vouch_motion_t * motion, offered_t * offered)
{
  vouch_node_t * node = self->node;
  const uint64_t generation = node->generation;
  check_request_t request = live_request(node);
  check_run_t run = {0};
  request.clearance = request.first_contact = false;
  /* A proof that comes when the splice is over is of no use. */
  request.deadline_s = fmin(
    request.deadline_s, fmax(1e-9 * (double)(offered->answer.splice_ns - now_ns(node)), 1e-4));
  node_check_motion(node, &request, motion, &run);
  node_catch_up(node);
  if (run.ret != VOUCH_RET_OK) {
    set(offered, VOUCH_CHUNK_INVALID, run.error);
  } else if (generation != node->generation || node->robot_pending || node_change_waits(node)) {
    set(offered, VOUCH_CHUNK_UNDECIDED, "scene, robot or parameters changed during the check");
  } else if (now_ns(node) >= offered->answer.splice_ns) {
    set(offered, VOUCH_CHUNK_LATE, "the proof took longer than stream.lead_s");
    offered->answer.result = run.result;
  } else if (vouch_stream_accept(self->stream, motion, &run.result, &offered->answer) !=
    VOUCH_RET_OK || (offered->answer.code == VOUCH_CHUNK_ACCEPTED &&
    forward_plan(self, &run) != VOUCH_RET_OK))
  {
    set(offered, VOUCH_CHUNK_INVALID, vouch_error());
    self->runs = false;   // the stream's plan is not what runs: it begins anew
  }
  node_check_fini(&run);   // and the motion
}

static void vet_chunk(
  stream_node_t * self, const trajectory_msgs__msg__JointTrajectory * message,
  offered_t * offered)
{
  vouch_node_t * node = self->node;
  vouch_motion_t * motion = NULL;
  node_catch_up(node);
  const int64_t now = now_ns(node);
  node->vetting_busy = true;
  robot_source_hold(node);
  vouch_ret_t ret = be_ready(self, now);
  ret = ret != VOUCH_RET_OK ? ret : scene_store_settle(node);
  if (ret == VOUCH_RET_OK && read_chunk(message, now, offered)) {
    ret = vouch_stream_propose(
      self->stream, &offered->chunk, now, &offered->answer, &motion);
    if (ret == VOUCH_RET_OK && motion != NULL) {
      decide(self, motion, offered);
    }
  }
  if (ret != VOUCH_RET_OK) {
    set(offered, VOUCH_CHUNK_INVALID, vouch_error());
    node_refused(node);
  }
  node->vetting_busy = false;
  robot_source_release(node);
}

static void on_chunk(const void * message, void * context)
{
  vouch_node_t * node = context;
  stream_node_t * self = node->stream;
  offered_t offered = {.began_s = node_steady()};
  ++self->count;
  vet_chunk(self, message, &offered);
  publish_answer(self, message, &offered);
  release(&offered);
  live_resume(node);
}

/* ---- lifetime ---- */

bool stream_init(vouch_node_t * node)
{
  stream_node_t * self = calloc(1, sizeof(*self));
  if (self == NULL) {
    return false;
  }
  node->stream = self;
  self->node = node;
  self->answers = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos.depth = 100;
  self->answers_ready = rcl_publisher_init(
    &self->answers, &node->node, ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, ChunkAnswer),
    "~/chunk_answer", &options) == RCL_RET_OK;
  subscription_setting_t setting = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory), &chunk_type, "~/chunk",
    rmw_qos_profile_default, on_chunk, NULL
  };
  setting.qos.depth = 1;   // a newer one takes its place
  return self->answers_ready &&
         executor_subscribe(node->executor, &setting, node, NULL) == RCL_RET_OK;
}

void stream_fini(vouch_node_t * node)
{
  stream_node_t * self = node->stream;
  if (self == NULL) {
    return;
  }
  vouch_stream_destroy(self->stream);
  if (self->answers_ready && rcl_publisher_fini(&self->answers, &node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  free(self);
  node->stream = NULL;
}
