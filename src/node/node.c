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

#include "node/node.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "node/check_run.h"
#include "rcl/error_handling.h"
#include "rcl/logging.h"
#include "rcl/logging_rosout.h"
#include "rcl_interfaces/msg/parameter_event.h"
#include "visualization_msgs/msg/marker_array.h"

#define MAX_HANDLES 48

double node_now(vouch_node_t * node)
{
  rcl_time_point_value_t now = 0;
  if (rcl_clock_get_now(&node->clock, &now) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return 1e-9 * (double)now;
}

bool node_time_lacks(vouch_node_t * node)
{
  return parameters_bool(&node->parameters, PARAMETER_USE_SIM_TIME) && !(node_now(node) > 0.0);
}

static volatile sig_atomic_t stop_requested;

void node_stop(void)
{
  stop_requested = 1;
}

bool node_stops(void)
{
  return stop_requested != 0;
}

double node_steady(void)
{
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool node_stamp(vouch_node_t * node, std_msgs__msg__Header * header)
{
  rcl_time_point_value_t now = 0;
  if (rcl_clock_get_now(&node->clock, &now) != RCL_RET_OK) {
    rcl_reset_error();
  }
  header->stamp.sec = (int32_t)(now / 1000000000LL);
  header->stamp.nanosec = (uint32_t)(now % 1000000000LL);
  return rosidl_runtime_c__String__assign(
    &header->frame_id, node->robot != NULL ? vouch_robot_root_link(node->robot) : "");
}

void node_publish(vouch_node_t * node, const rcl_publisher_t * publisher, const void * message)
{
  if (rcl_publish(publisher, message, NULL) != RCL_RET_OK) {
    NODE_WARN(node, "publishing failed: %s", rcl_get_error_string().str);
    rcl_reset_error();
  }
}

void node_refused(vouch_node_t * node)
{
  ++node->statistics.refused_inputs;
}

void node_changed(vouch_node_t * node)
{
  ++node->generation;
  check_cache_clear(node);
  if (node->scene != NULL) {
    vouch_scene_hash(node->scene, node->scene_hash);
  }
}

bool node_listen(vouch_node_t * node, const subscription_setting_t * setting)
{
  size_t number = 0;
  if (node->input_count == MAX_INPUTS ||
    executor_subscribe(node->executor, setting, node, &number) != RCL_RET_OK)
  {
    return false;
  }
  node->inputs[node->input_count++] = number;
  return true;
}

bool node_serve_change(vouch_node_t * node, const service_setting_t * setting)
{
  size_t number = 0;
  if (node->change_count == MAX_CHANGES ||
    executor_serve(node->executor, setting, node, &number) != RCL_RET_OK)
  {
    return false;
  }
  node->changes[node->change_count++] = number;
  return true;
}

bool node_change_waits(const vouch_node_t * node)
{
  bool waits = false;
  for (size_t i = 0; !waits && i < node->change_count; ++i) {
    waits = executor_waits(node->executor, node->changes[i]);
  }
  return waits;
}

void node_catch_up(vouch_node_t * node)
{
  bool busy = node->vetting_busy;
  node->vetting_busy = true;   // many changes, one re-check
  for (size_t i = 0; i < node->input_count; ++i) {
    executor_notice(node->executor, node->inputs[i]);
    executor_drain(node->executor, node->inputs[i]);
  }
  for (size_t i = 0; i < node->change_count && !node->robot_held; ++i) {
    executor_drain(node->executor, node->changes[i]);
  }
  node->vetting_busy = busy;
  live_resume(node);
}

unsigned node_change_of(parameter_id_t id)
{
  switch (id) {
    case PARAMETER_ROBOT_DESCRIPTION:
    case PARAMETER_ROBOT_DESCRIPTION_SEMANTIC:
    case PARAMETER_ROBOT_DESCRIPTION_FILE:
    case PARAMETER_ROBOT_DESCRIPTION_SEMANTIC_FILE:
    case PARAMETER_PACKAGE_DIRECTORIES:
    case PARAMETER_GEOMETRY_SOURCE:
    case PARAMETER_HULLS:
    case PARAMETER_SURFACES:
    case PARAMETER_CACHE_DIRECTORY:
    case PARAMETER_DEFAULT_PADDING_M:
      return CHANGE_ROBOT;
    case PARAMETER_SCENE_FILE:
      return CHANGE_SCENE;
    case PARAMETER_MARGIN_M:
    case PARAMETER_IGNORE:
      return CHANGE_PROOF;
    default:
      return 0;
  }
}

const char * node_parameters_changed(vouch_node_t * node, unsigned changes)
{
  bool had_scene = node->scene != NULL;   // with the first robot its file is loaded too
  const char * why = (changes & CHANGE_ROBOT) != 0 ? robot_source_reload(node) : NULL;
  if (why == NULL && (changes & CHANGE_SCENE) != 0 && had_scene && !scene_store_load(node)) {
    why = vouch_error();
  }
  if (why == NULL) {
    node_changed(node);
    if ((changes & CHANGE_PROOF) != 0) {
      live_scene_changed(node);   // what runs was proved with the old ones
    }
  }
  return why;
}

/* ---- lifetime ---- */

static bool open_context(vouch_node_t * node, int argc, char ** argv)
{
  node->allocator = rcl_get_default_allocator();
  node->context = rcl_get_zero_initialized_context();
  node->node = rcl_get_zero_initialized_node();
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  if (rcl_init_options_init(&options, node->allocator) != RCL_RET_OK) {
    return false;
  }
  rcl_ret_t ret = rcl_init(argc, (const char * const *)argv, &options, &node->context);
  if (rcl_init_options_fini(&options) != RCL_RET_OK) {
    rcl_reset_error();
  }
  node->context_ready = ret == RCL_RET_OK;
  return node->context_ready &&
         rcl_logging_configure(&node->context.global_arguments, &node->allocator) == RCL_RET_OK;
}

static bool open_node(vouch_node_t * node)
{
  rcl_node_options_t options = rcl_node_get_default_options();
  if (rcl_node_init(&node->node, "vouch", "", &node->context, &options) != RCL_RET_OK) {
    return false;
  }
  node->node_ready = true;
  node->rosout_ready = rcl_logging_rosout_enabled() &&
    rcl_logging_rosout_init_publisher_for_node(&node->node) == RCL_RET_OK;
  node->logger = rcl_node_get_logger_name(&node->node);
  if (rcl_clock_init(RCL_ROS_TIME, &node->clock, &node->allocator) != RCL_RET_OK) {
    return false;
  }
  node->clock_ready = true;
  return parameters_init(&node->parameters) && (node->parameters_ready = true) &&
         parameters_apply_overrides(&node->parameters, &node->context, &node->node) &&
         executor_create(&node->executor, &node->context, &node->node, MAX_HANDLES) ==
         RCL_RET_OK;
}

static bool open_publisher(
  vouch_node_t * node, rcl_publisher_t * publisher, const rosidl_message_type_support_t * support,
  const char * topic, size_t depth, bool latched)
{
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = rmw_qos_profile_default;
  options.qos.depth = depth;
  if (latched) {
    options.qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  }
  *publisher = rcl_get_zero_initialized_publisher();
  return rcl_publisher_init(publisher, &node->node, support, topic, &options) == RCL_RET_OK;
}

static bool open_publishers(vouch_node_t * node)
{
  return open_publisher(
    node, &node->report, ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, TrajectoryReport), "~/report", 1,
    true) &&
         open_publisher(
    node, &node->markers, ROSIDL_GET_MSG_TYPE_SUPPORT(visualization_msgs, msg, MarkerArray),
    "~/markers", 1, true) &&
         open_publisher(
    node, &node->diagnostics, ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray),
    "/diagnostics", 10, false) &&
         open_publisher(
    node, &node->vetted, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "~/vetted/joint_trajectory", 10, false) &&
         open_publisher(
    node, &node->robot_geometry, ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, RobotGeometry),
    "~/robot_geometry", 1, true) &&
         open_publisher(
    node, &node->monitored_scene, ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, Scene),
    "~/monitored_scene", 1, true) &&
         open_publisher(
    node, &node->parameter_events, ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, ParameterEvent),
    "/parameter_events", 1000, false);
}

bool node_init(vouch_node_t * node, int argc, char ** argv)
{
  memset(node, 0, sizeof(*node));
  node->logger = "vouch";
  /* Joint states and clock first: a callback in the same round then sees the newest. */
  if (!open_context(node, argc, argv) || !open_node(node) || !robot_source_files_exist(node) ||
    !open_publishers(node) || !sim_time_init(node) || !joint_states_init(node) ||
    !robot_source_init(node) ||
    !scene_store_init(node) || !scene_service_init(node) || !convert_moveit_init(node) ||
    !live_init(node) || !gate_init(node) || !stream_init(node) || !convert_control_init(node) ||
    !check_service_init(node) ||
    !verify_service_init(node) || !parameter_services_init(node) ||
    !type_description_init(node))
  {
    if (rcl_error_is_set()) {
      NODE_ERROR(node, "the node could not be started: %s", rcl_get_error_string().str);
      rcl_reset_error();
    } else {
      NODE_ERROR(node, "the node could not be started");
    }
    return false;
  }
  robot_source_reload(node);
  NODE_INFO(node, "vouch %s is up (%s executor)", vouch_version(), executor_name());
  if (robot_source_lack(node) != NULL && node->robot_error == NULL) {
    NODE_INFO(node, "%s", robot_source_lack(node));
  }
  return true;
}

static void close_publisher(vouch_node_t * node, rcl_publisher_t * publisher)
{
  if (rcl_publisher_is_valid(publisher) &&
    rcl_publisher_fini(publisher, &node->node) == RCL_RET_OK)
  {
    return;
  }
  rcl_reset_error();
}

void node_fini(vouch_node_t * node)
{
  live_stop(node);
  gate_fini(node);
  stream_fini(node);
  robot_source_fini(node);
  executor_destroy(node->executor);
  node->executor = NULL;
  if (node->node_ready) {
    close_publisher(node, &node->report);
    close_publisher(node, &node->markers);
    close_publisher(node, &node->diagnostics);
    close_publisher(node, &node->vetted);
    close_publisher(node, &node->robot_geometry);
    close_publisher(node, &node->monitored_scene);
    close_publisher(node, &node->parameter_events);
  }
  if (node->parameters_ready) {
    parameters_fini(&node->parameters);
  }
  if (node->clock_ready && rcl_clock_fini(&node->clock) != RCL_RET_OK) {
    rcl_reset_error();
  }
  if (node->rosout_ready &&
    rcl_logging_rosout_fini_publisher_for_node(&node->node) != RCL_RET_OK)
  {
    rcl_reset_error();
  }
  if (node->node_ready && rcl_node_fini(&node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  if (node->context_ready) {
    if (rcl_shutdown(&node->context) != RCL_RET_OK || rcl_logging_fini() != RCL_RET_OK ||
      rcl_context_fini(&node->context) != RCL_RET_OK)
    {
      rcl_reset_error();
    }
  }
}

int64_t node_tick(vouch_node_t * node)
{
  const double picture_delay = 0.05;
  double now = node_steady();
  gate_poll(node);
  joint_states_round(node);
  live_tick(node);
  if (node->picture.due && now - node->picture.since >= picture_delay) {
    markers_draw(node);
  }
  if (now - node->last_diagnostics >= 1.0) {
    node->last_diagnostics = now;
    for (size_t i = 0; i < node->input_count; ++i) {
      executor_notice(node->executor, node->inputs[i]);
    }
    diagnostics_publish(node);
  }
  return node->picture.due ? 10000000LL : 100000000LL;
}
