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

/* The goals of a moveit_msgs/MotionPlanRequest: alternatives, each a list of joint constraints. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/problem.h"
#include "read/scene_reader.h"
#include "vouch/plan.h"

static bool is_empty(const vouch_value_t * value)
{
  return value == NULL || (value->count == 0 && value->text[0] == '\0') ||
         vouch_value_is_null(value);
}

/// Constraints that a goal in joint values cannot mean, or a path through them.
static vouch_ret_t refuse_cartesian(
  const vouch_document_t * document, const vouch_value_t * value, const char * what)
{
  static const char * const kinds[3] =
  {"position_constraints", "orientation_constraints", "visibility_constraints"};
  for (int i = 0; i < 3; i++) {
    const vouch_value_t * list = vouch_value_get(value, kinds[i]);
    if (!is_empty(list)) {
      return vouch_value_fail(
        document, list, "%s has %s: only joint constraints are planned for; solve the inverse "
        "kinematics first and give the joint values", what, kinds[i]);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_joint(
  const vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  double * goal)
{
  const char * name = NULL;
  double position = NAN;
  vouch_ret_t ret = vouch_value_keys(
    document, value, "joint_name position tolerance_above tolerance_below weight");
  ret = ret == VOUCH_RET_OK ? vouch_value_text(
    document, vouch_value_get(value, "joint_name"), "joint_name", &name) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * number = vouch_value_get(value, "position");
  if (number == NULL) {
    return vouch_value_fail(document, value, "a joint constraint needs a position");
  }
  ret = vouch_value_number(document, number, "position", &position);
  const int variable = name == NULL ? -1 : vouch_robot_find_variable(robot, name);
  if (ret == VOUCH_RET_OK && variable < 0) {
    return vouch_value_fail(
      document, value,
      "the goal names the joint '%s', which the robot does not have or cannot move",
      name ? name : "");
  }
  if (ret == VOUCH_RET_OK && !(fabs(position) <= VOUCH_MAX_COEFFICIENT)) {
    return vouch_value_fail(
      document, number, "joint '%s' goes to %g, beyond 65536", name,
      position);
  }
  if (ret == VOUCH_RET_OK && !isnan(goal[variable])) {
    return vouch_value_fail(document, value, "the goal names the joint '%s' twice", name);
  }
  if (ret == VOUCH_RET_OK) {
    goal[variable] = position;
  }
  return ret;
}

static vouch_ret_t read_goal(
  const vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  double * goal)
{
  vouch_ret_t ret = vouch_value_keys(
    document, value, "name joint_constraints position_constraints orientation_constraints "
    "visibility_constraints");
  ret = ret == VOUCH_RET_OK ? refuse_cartesian(document, value, "the goal") : ret;
  const vouch_value_t * list = vouch_value_get(value, "joint_constraints");
  if (ret == VOUCH_RET_OK && (list == NULL || list->kind != VOUCH_VALUE_LIST || list->count == 0)) {
    return vouch_value_fail(document, value, "the goal has no joint_constraints");
  }
  for (const vouch_value_t * v = ret == VOUCH_RET_OK ? list->first : NULL;
    v != NULL && ret == VOUCH_RET_OK; v = v->next)
  {
    ret = read_joint(document, v, robot, goal);
  }
  return ret;
}

/// What would make another path than the one that is planned.
static vouch_ret_t refuse_rest(const vouch_document_t * document)
{
  const vouch_value_t * root = document->root;
  const vouch_value_t * path = vouch_value_get(root, "path_constraints");
  const vouch_value_t * joints = vouch_value_get(path, "joint_constraints");
  vouch_ret_t ret = refuse_cartesian(document, path, "path_constraints");
  if (ret == VOUCH_RET_OK && !is_empty(joints)) {
    return vouch_value_fail(
      document, joints, "path_constraints are not planned for: leave them out");
  }
  const vouch_value_t * trajectory = vouch_value_get(root, "trajectory_constraints");
  const vouch_value_t * list = vouch_value_get(trajectory, "constraints");
  if (ret == VOUCH_RET_OK && !is_empty(list)) {
    return vouch_value_fail(
      document, list, "trajectory_constraints are not planned for: leave them out");
  }
  return ret;
}

static vouch_ret_t read_scaling(
  const vouch_document_t * document, const char * key, double * scaling)
{
  const vouch_value_t * value = vouch_value_get(document->root, key);
  vouch_ret_t ret = value == NULL ? VOUCH_RET_OK :
    vouch_value_number(document, value, key, scaling);
  return ret != VOUCH_RET_OK || (*scaling >= 0.0 && *scaling <= 1.0) ? ret : vouch_value_fail(
    document, value, "%s is %g: it must be from 0 (which means 1) to 1", key, *scaling);
}

static vouch_ret_t read_request(
  const vouch_document_t * document, const vouch_robot_t * robot, vouch_request_t * request)
{
  const vouch_value_t * root = document->root;
  const vouch_value_t * goals = vouch_value_get(root, "goal_constraints");
  const char * group = NULL;
  vouch_ret_t ret = vouch_value_keys(document, root, VOUCH_REQUEST_KEYS);
  ret = ret == VOUCH_RET_OK ?
    vouch_value_text(document, vouch_value_get(root, "group_name"), "group_name", &group) : ret;
  ret = ret ? ret : refuse_rest(document);
  ret = ret ? ret :
    read_scaling(document, "max_velocity_scaling_factor", &request->velocity_scaling);
  ret = ret ? ret :
    read_scaling(document, "max_acceleration_scaling_factor", &request->acceleration_scaling);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (group != NULL && strlen(group) >= sizeof(request->group)) {
    return vouch_value_fail(document, root, "the group name is too long");
  }
  snprintf(request->group, sizeof(request->group), "%s", group != NULL ? group : "");
  if (goals == NULL || goals->kind != VOUCH_VALUE_LIST || goals->count == 0) {
    return VOUCH_RET_OK;   // a start alone
  }
  const size_t count = robot->variable_count;
  request->goals = vouch_calloc(&request->allocator, goals->count * count + 1u, sizeof(double));
  if (request->goals == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_value_t * v = goals->first; v != NULL && ret == VOUCH_RET_OK; v = v->next) {
    double * goal = request->goals + request->goal_count++ *count;
    for (size_t i = 0; i < count; i++) {
      goal[i] = NAN;
    }
    ret = read_goal(document, v, robot, goal);
  }
  return ret;
}

static vouch_ret_t parse_named(
  vouch_request_t * request, const vouch_robot_t * robot, const char * name, const char * text,
  size_t size)
{
  vouch_document_t document;
  request->allocator = robot->allocator;
  vouch_ret_t ret = vouch_document_parse(&document, request->allocator, name, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = read_request(&document, robot, request);
  vouch_document_fini(&document);
  if (ret != VOUCH_RET_OK) {
    vouch_request_fini(request);
  }
  return ret;
}

vouch_ret_t vouch_request_parse(
  vouch_request_t * request, const vouch_robot_t * robot, const char * text, size_t size)
{
  VOUCH_REQUIRE("request", request);
  memset(request, 0, sizeof(*request));
  VOUCH_REQUIRE("robot", robot);
  VOUCH_REQUIRE_ARRAY("text", text, size);
  return parse_named(request, robot, "request", text, size);
}

vouch_ret_t vouch_request_load(
  vouch_request_t * request, const vouch_robot_t * robot, const char * path)
{
  VOUCH_REQUIRE("request", request);
  memset(request, 0, sizeof(*request));
  VOUCH_REQUIRE("robot, path", robot, path);
  const vouch_allocator_t allocator = robot->allocator;
  char * text = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &text, &size);
  ret = ret == VOUCH_RET_OK ? parse_named(request, robot, path, text, size) : ret;
  vouch_free(&allocator, text);
  return ret;
}

void vouch_request_fini(vouch_request_t * request)
{
  if (request != NULL && request->goals != NULL) {
    vouch_free(&request->allocator, request->goals);
  }
  if (request != NULL) {
    memset(request, 0, sizeof(*request));
  }
}
