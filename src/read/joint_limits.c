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

/* MoveIt's joint_limits.yaml. Names of joints that the robot does not have are passed over: the file
 * is often that of a robot with another gripper. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/tree.h"
#include "model/robot.h"
#include "vouch/plan.h"

struct vouch_joint_limits_s
{
  vouch_allocator_t allocator;
  vouch_joint_limit_t * list;
  size_t count;
};

static const char KEYS[] =
  "has_position_limits min_position max_position has_velocity_limits max_velocity "
  "has_acceleration_limits max_acceleration has_deceleration_limits max_deceleration "
  "has_jerk_limits max_jerk has_effort_limits max_effort angle_wraparound "
  "has_soft_limits k_position k_velocity soft_lower_limit soft_upper_limit";

/// max_... counts unless has_..._limits says false; *limit stays 0 then.
static vouch_ret_t read_limit(
  const vouch_document_t * document, const vouch_value_t * joint, const char * has,
  const char * most, double * limit)
{
  bool given = true;
  const vouch_value_t * flag = vouch_value_get(joint, has);
  const vouch_value_t * value = vouch_value_get(joint, most);
  vouch_ret_t ret = flag == NULL ? VOUCH_RET_OK : vouch_value_bool(document, flag, has, &given);
  if (ret != VOUCH_RET_OK || !given || value == NULL) {
    return ret;
  }
  ret = vouch_value_number(document, value, most, limit);
  if (ret == VOUCH_RET_OK && !(*limit > 0.0)) {
    return vouch_value_fail(
      document, value, "%s of joint '%s' is %g: it must be above 0 (or %s: false)", most,
      joint->key, *limit, has);
  }
  return ret;
}

static vouch_ret_t read_range(
  const vouch_document_t * document, const vouch_value_t * joint, vouch_joint_limit_t * out)
{
  bool given = true;
  const vouch_value_t * flag = vouch_value_get(joint, "has_position_limits");
  const vouch_value_t * low = vouch_value_get(joint, "min_position");
  const vouch_value_t * high = vouch_value_get(joint, "max_position");
  vouch_ret_t ret = flag == NULL ? VOUCH_RET_OK :
    vouch_value_bool(document, flag, "has_position_limits", &given);
  if (ret == VOUCH_RET_OK && given && low != NULL) {
    ret = vouch_value_number(document, low, "min_position", &out->lower);
  }
  if (ret == VOUCH_RET_OK && given && high != NULL) {
    ret = vouch_value_number(document, high, "max_position", &out->upper);
  }
  return ret;
}

static vouch_ret_t read_joint(
  const vouch_document_t * document, const vouch_value_t * joint, const vouch_robot_t * robot,
  vouch_joint_limits_t * limits)
{
  vouch_ret_t ret = vouch_value_keys(document, joint, KEYS);
  const int variable = joint->key == NULL ? -1 : vouch_robot_find_variable(robot, joint->key);
  if (ret != VOUCH_RET_OK || variable < 0) {
    return ret;
  }
  vouch_joint_limit_t * out = &limits->list[limits->count++];
  *out = (vouch_joint_limit_t) {
    .joint = vouch_robot_variable_name(robot, (size_t)variable), .lower = NAN, .upper = NAN
  };
  ret = read_range(document, joint, out);
  ret = ret ? ret :
    read_limit(document, joint, "has_velocity_limits", "max_velocity", &out->velocity);
  ret = ret ? ret : read_limit(
    document, joint, "has_acceleration_limits", "max_acceleration", &out->acceleration);
  return ret ? ret : read_limit(document, joint, "has_jerk_limits", "max_jerk", &out->jerk);
}

static vouch_ret_t read_limits(
  const vouch_document_t * document, const vouch_robot_t * robot, vouch_joint_limits_t * limits)
{
  const vouch_value_t * map = vouch_value_get(document->root, "joint_limits");
  if (map == NULL || map->kind != VOUCH_VALUE_MAP) {
    return vouch_value_fail(document, document->root, "no map 'joint_limits' is here");
  }
  vouch_ret_t ret = vouch_value_keys(
    document, document->root, "joint_limits default_velocity_scaling_factor "
    "default_acceleration_scaling_factor");
  limits->list = vouch_calloc(&limits->allocator, map->count + 1u, sizeof(*limits->list));
  if (limits->list == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_value_t * v = map->first; v != NULL && ret == VOUCH_RET_OK; v = v->next) {
    ret = read_joint(document, v, robot, limits);
  }
  return ret;
}

static vouch_ret_t parse_named(
  vouch_joint_limits_t ** limits, const vouch_robot_t * robot, const char * name,
  const char * text, size_t size)
{
  vouch_document_t document;
  vouch_joint_limits_t * out = vouch_calloc(&robot->allocator, 1, sizeof(*out));
  if (out == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  out->allocator = robot->allocator;
  vouch_ret_t ret = vouch_document_parse(&document, out->allocator, name, text, size);
  if (ret == VOUCH_RET_OK) {
    ret = read_limits(&document, robot, out);
    vouch_document_fini(&document);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_joint_limits_destroy(out);
    return ret;
  }
  *limits = out;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_joint_limits_parse(
  vouch_joint_limits_t ** limits, const vouch_robot_t * robot, const char * text, size_t size)
{
  VOUCH_REQUIRE("limits", limits);
  *limits = NULL;
  VOUCH_REQUIRE("robot", robot);
  VOUCH_REQUIRE_ARRAY("text", text, size);
  return parse_named(limits, robot, "joint limits", text, size);
}

vouch_ret_t vouch_joint_limits_load(
  vouch_joint_limits_t ** limits, const vouch_robot_t * robot, const char * path)
{
  VOUCH_REQUIRE("limits", limits);
  *limits = NULL;
  VOUCH_REQUIRE("robot, path", robot, path);
  const vouch_allocator_t allocator = robot->allocator;
  char * text = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &text, &size);
  ret = ret == VOUCH_RET_OK ? parse_named(limits, robot, path, text, size) : ret;
  vouch_free(&allocator, text);
  return ret;
}

void vouch_joint_limits_destroy(vouch_joint_limits_t * limits)
{
  if (limits != NULL) {
    const vouch_allocator_t allocator = limits->allocator;
    vouch_free(&allocator, limits->list);
    vouch_free(&allocator, limits);
  }
}

const vouch_joint_limit_t * vouch_joint_limits_list(
  const vouch_joint_limits_t * limits, size_t * count)
{
  *count = limits->count;
  return limits->list;
}
