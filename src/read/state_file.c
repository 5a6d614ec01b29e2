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
/* Robot states: JointState, RobotState, MotionPlanRequest or PlanningScene, as YAML or JSON. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/problem.h"
#include "read/scene_reader.h"
#include "vouch/motion.h"

static const double MIMIC_TOLERANCE = 1e-6;

static vouch_ret_t check_joint(
  const vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  const char * name, uint32_t * joint)
{
  *joint = vouch_robot_find_joint(robot, name);
  if (*joint == VOUCH_NONE) {
    return vouch_value_fail(document, value, "the robot has no joint '%s'", name);
  }
  if (robot->joints[*joint].variable == VOUCH_NONE) {
    return vouch_value_fail(
      document, value, "joint '%s' has no single position (it is fixed, planar or floating)", name);
  }
  return VOUCH_RET_OK;
}

/// A mimic joint that is named must say what its master says.
static vouch_ret_t check_mimic(
  const vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  uint32_t joint, double position, const double * values)
{
  const vouch_joint_t * j = &robot->joints[joint];
  const char * master = vouch_robot_variable_name(robot, j->variable);
  if (isnan(values[j->variable])) {
    return vouch_value_fail(
      document, value, "joint '%s' follows joint '%s', which has no position: give that one",
      j->name, master);
  }
  const double wanted = j->multiplier * values[j->variable] + j->offset;
  if (!(fabs(position - wanted) <= MIMIC_TOLERANCE)) {
    return vouch_value_fail(
      document, value, "joint '%s' is at %.9g, but it follows joint '%s' and should be at %.9g",
      j->name, position, master, wanted);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_read_joint_state(
  vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  double * values, double * velocities)
{
  const char ** names = NULL;
  double * positions = NULL, * speeds = NULL;
  size_t count = 0, position_count = 0, speed_count = 0;
  const char * frame = NULL;   // of no meaning for joints
  vouch_ret_t ret = vouch_value_keys(document, value, "header name position velocity effort");
  ret = ret == VOUCH_RET_OK ?
    vouch_value_header(document, vouch_value_get(value, "header"), &frame) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * name_list = vouch_value_get(value, "name");
  ret = vouch_value_texts(document, name_list, "name", &names, &count);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_series(
      document, vouch_value_get(value, "position"), "position", &positions, &position_count);
  }
  ret = ret == VOUCH_RET_OK ? vouch_value_series(
    document, vouch_value_get(value, "velocity"), "velocity", &speeds, &speed_count) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (count != position_count || (speed_count != 0 && speed_count != count)) {
    return vouch_value_fail(
      document, value, "%zu joint names but %zu positions and %zu velocities", count,
      position_count, speed_count);
  }
  bool * seen = vouch_arena_calloc(&document->arena, robot->link_count, sizeof(*seen));
  if (seen == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    uint32_t joint = VOUCH_NONE;
    ret = check_joint(document, name_list, robot, names[i], &joint);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (seen[joint]) {
      return vouch_value_fail(document, name_list, "joint '%s' is named twice", names[i]);
    }
    seen[joint] = true;
    if (!(fabs(positions[i]) <= VOUCH_MAX_COEFFICIENT)) {
      return vouch_value_fail(
        document, value, "joint '%s' is at %g, beyond 65536", names[i], positions[i]);
    }
    const uint32_t variable = robot->joints[joint].variable;
    if (!robot->joints[joint].mimic) {
      values[variable] = positions[i];
    }
    if (!robot->joints[joint].mimic && velocities != NULL) {
      velocities[variable] = speed_count == 0 ? 0.0 : speeds[i];
    }
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    const uint32_t joint = vouch_robot_find_joint(robot, names[i]);
    if (robot->joints[joint].mimic) {
      ret = check_mimic(document, value, robot, joint, positions[i], values);
    }
  }
  return ret;
}

/// Without a scene to hold it, only the identity is accepted.
static vouch_ret_t hold(
  const vouch_document_t * document, const vouch_value_t * value, vouch_scene_t * scene,
  const char * name, const vouch_pose_t * pose)
{
  if (scene != NULL) {
    vouch_ret_t ret = vouch_scene_hold_joint(scene, name, pose);
    return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
  }
  if (vouch_pose_is_identity(pose)) {
    return VOUCH_RET_OK;
  }
  return vouch_value_fail(
    document, value, "multi-DOF joint '%s' is not at its origin: load this file as a scene", name);
}

/// A transform in another frame means another place. One of a joint that the robot does not have
/// says nothing if it is the identity.
static vouch_ret_t check_multi_dof_frame(
  const vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  const char * frame, const char * joint)
{
  const bool known = vouch_robot_find_joint(robot, joint) != VOUCH_NONE ||
    (robot->virtual_joint != NULL && strcmp(robot->virtual_joint, joint) == 0);
  return !known || vouch_robot_is_planning_frame(robot, frame) ? VOUCH_RET_OK : vouch_value_fail(
    document, value, "multi-DOF joint '%s' is given in frame '%s', which is not the planning "
    "frame: transform it", joint, frame);
}

vouch_ret_t vouch_read_multi_dof_state(
  vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  vouch_scene_t * scene)
{
  const char ** names = NULL;
  const char * frame = "";
  size_t count = 0;
  vouch_ret_t ret = vouch_value_keys(
    document, value, "header joint_names transforms twist wrench");
  ret = ret == VOUCH_RET_OK ?
    vouch_value_header(document, vouch_value_get(value, "header"), &frame) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_value_texts(
    document, vouch_value_get(value, "joint_names"), "joint_names", &names, &count) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * transforms = vouch_value_get(value, "transforms");
  const size_t given =
    transforms == NULL || transforms->kind != VOUCH_VALUE_LIST ? 0 : transforms->count;
  if (given != count) {
    return vouch_value_fail(
      document, value, "%zu multi-DOF joints but %zu transforms", count, given);
  }
  size_t i = 0;
  for (const vouch_value_t * v = given == 0 ? NULL : transforms->first;
    ret == VOUCH_RET_OK && v != NULL; v = v->next)
  {
    vouch_pose_t pose;
    for (size_t k = 0; ret == VOUCH_RET_OK && k < i; ++k) {
      ret = strcmp(names[i], names[k]) != 0 ? VOUCH_RET_OK :
        vouch_value_fail(document, v, "multi-DOF joint '%s' is named twice", names[i]);
    }
    ret = ret == VOUCH_RET_OK ? vouch_value_pose(document, v, "transform", &pose) : ret;
    ret = ret == VOUCH_RET_OK ? check_multi_dof_frame(document, v, robot, frame, names[i]) : ret;
    ret = ret == VOUCH_RET_OK ? hold(document, v, scene, names[i++], &pose) : ret;
  }
  return ret;
}

/// The map that holds joint_state, or is one, wherever the message keeps it.
static const vouch_value_t * find_state(const vouch_value_t * root)
{
  static const char * const places[] = {"start_state", "robot_state", "trajectory_start"};
  for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); ++i) {
    const vouch_value_t * value = vouch_value_get(root, places[i]);
    if (value != NULL) {
      return value;
    }
  }
  return root;
}

/// Of a scene or a request around the state only the state is taken; what would have changed the
/// answer is not passed over.
static vouch_ret_t check_around(vouch_document_t * document)
{
  static const char * const lists[2] = {"link_padding", "link_scale"};
  static const char * const names[2] = {"padding", "scale"};
  const vouch_value_t * root = document->root, * world = vouch_value_get(root, "world");
  const vouch_value_t * objects = vouch_value_get(world, "collision_objects");
  const char * known =
    VOUCH_SCENE_KEYS " " VOUCH_REQUEST_KEYS " trajectory_start trajectory model_id";
  vouch_ret_t ret = vouch_value_keys(document, root, known);
  if (ret == VOUCH_RET_OK && ((world != NULL && world->kind != VOUCH_VALUE_MAP) ||
    (objects != NULL && objects->count > 0) || vouch_value_get(world, "octomap") != NULL))
  {
    return vouch_value_fail(
      document, world,
      "the file has obstacles, of which a state knows nothing: load it as a scene");
  }
  for (int i = 0; i < 2 && ret == VOUCH_RET_OK; ++i) {
    const vouch_value_t * list = vouch_value_get(root, lists[i]);
    for (const vouch_value_t * e = list == NULL ? NULL : list->first; e != NULL; e = e->next) {
      double number = NAN;
      const vouch_value_t * value = vouch_value_get(e, names[i]);
      ret = value == NULL ? VOUCH_RET_OK :
        vouch_value_number(document, value, names[i], &number);
      if (ret == VOUCH_RET_OK && number != (double)i) {
        ret = vouch_value_fail(
          document, e, "the file has a %s, of which a state knows nothing: load it as a scene",
          lists[i]);
      }
      if (ret != VOUCH_RET_OK) {
        break;
      }
    }
  }
  return ret;
}

static vouch_ret_t read_state(
  vouch_document_t * document, const vouch_robot_t * robot, double * values, double * velocities)
{
  const vouch_value_t * state = find_state(document->root);
  if (vouch_value_get(document->root, "start_state") != NULL &&
    vouch_value_get(document->root, "robot_state") != NULL)
  {
    return vouch_value_fail(
      document, document->root, "both a start_state and a robot_state: which one is meant?");
  }
  const vouch_value_t * joints = vouch_value_get(state, "joint_state");
  const vouch_value_t * attached = vouch_value_get(state, "attached_collision_objects");
  const vouch_value_t * multi = vouch_value_get(state, "multi_dof_joint_state");
  vouch_ret_t ret = state == document->root ? VOUCH_RET_OK : check_around(document);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (attached != NULL && attached->count > 0) {
    return vouch_value_fail(
      document, attached, "the state carries attached objects: load this file as a scene");
  }
  // A scene has a name too, which is not a joint's.
  if (joints == NULL && state == document->root && vouch_value_get(state, "name") != NULL &&
    vouch_value_get(state, "world") == NULL)
  {
    joints = state;
  }
  if (joints == NULL) {
    return vouch_value_fail(
      document, state,
      "no joint state here: a start_state, robot_state, joint_state or name and position is "
      "expected");
  }
  // A bare JointState is looked at where it is read.
  ret = joints == state ? VOUCH_RET_OK :
    vouch_value_keys(document, state, VOUCH_ROBOT_STATE_KEYS);
  ret = ret == VOUCH_RET_OK ?
    vouch_read_joint_state(document, joints, robot, values, velocities) : ret;
  if (ret == VOUCH_RET_OK && multi != NULL) {
    ret = vouch_read_multi_dof_state(document, multi, robot, NULL);
  }
  return ret;
}

vouch_ret_t vouch_state_load(const vouch_robot_t * robot, const char * path, double * values)
{
  return vouch_state_load_moving(robot, path, values, NULL);
}

vouch_ret_t vouch_state_load_moving(
  const vouch_robot_t * robot, const char * path, double * values, double * velocities)
{
  VOUCH_REQUIRE("robot, path, values", robot, path, values);
  const vouch_allocator_t allocator = robot->allocator;
  char * text = NULL;
  size_t size = 0;
  vouch_document_t document;
  for (size_t i = 0; i < robot->variable_count; ++i) {
    values[i] = NAN;
    if (velocities != NULL) {
      velocities[i] = 0.0;
    }
  }
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &text, &size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_document_parse(&document, allocator, path, text, size);
  if (ret == VOUCH_RET_OK) {
    ret = read_state(&document, robot, values, velocities);
    vouch_document_fini(&document);
  }
  vouch_free(&allocator, text);
  return ret;
}
