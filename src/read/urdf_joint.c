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

/* One joint of a URDF: type, origin, axis, limits, mimic. */

#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "geometry/vec.h"
#include "read/urdf.h"

/// urdfdom takes a file that does not say its version for one of 1.0, and drops quaternions there.
static bool knows_quaternions(const vouch_xml_t * document)
{
  const char * version = vouch_xml_attribute(document->root, "version");
  return version != NULL && strcmp(version, "1") != 0 && strcmp(version, "1.0") != 0;
}

vouch_ret_t vouch_urdf_read_origin(
  const vouch_xml_t * document, const vouch_xml_element_t * element, vouch_pose_t * pose)
{
  *pose = vouch_pose_identity();
  vouch_xml_element_t * origin = NULL;
  vouch_ret_t ret = vouch_xml_only_child(document, element, "origin", &origin);
  if (ret != VOUCH_RET_OK || origin == NULL) {
    return ret;
  }
  ret = vouch_xml_numbers(document, origin, "xyz", pose->translation, 3);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (!(fabs(pose->translation[i]) <= VOUCH_MAX_COORDINATE)) {
      return vouch_xml_fail(
        document, origin, "<origin> lies %g m away; at most %g m", pose->translation[i],
        VOUCH_MAX_COORDINATE);
    }
  }
  bool has_rpy = vouch_xml_attribute(origin, "rpy") != NULL;
  bool has_quaternion = vouch_xml_attribute(origin, "quat_xyzw") != NULL;
  if (has_rpy && has_quaternion) {
    return vouch_xml_fail(document, origin, "<origin> has both rpy and quat_xyzw; keep one");
  }
  if (has_rpy) {
    double rpy[3];
    ret = vouch_xml_numbers(document, origin, "rpy", rpy, 3);
    if (ret == VOUCH_RET_OK) {
      quaternion_from_rpy(rpy, pose->rotation);
    }
    return ret;
  }
  double * q = pose->rotation;
  ret = vouch_xml_numbers(document, origin, "quat_xyzw", q, 4);
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (ret == VOUCH_RET_OK && !(fabs(norm - 1.0) <= 1e-3)) {
    return vouch_xml_fail(
      document, origin, "quat_xyzw has length %g; a rotation has length 1", norm);
  }
  if (ret == VOUCH_RET_OK && !knows_quaternions(document) &&
    !(q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0))
  {
    return vouch_xml_fail(
      document, origin, "quat_xyzw belongs to version 1.1, and readers of this file drop it: write "
      "<robot version=\"1.1\">, or use rpy");
  }
  return ret;
}

static vouch_ret_t read_type(
  const vouch_xml_t * document, const vouch_xml_element_t * element, vouch_joint_t * joint)
{
  static const struct
  {
    const char * name;
    vouch_urdf_joint_t type;
  } types[] = {
    {"fixed", VOUCH_URDF_FIXED}, {"revolute", VOUCH_URDF_REVOLUTE},
    {"continuous", VOUCH_URDF_CONTINUOUS}, {"prismatic", VOUCH_URDF_PRISMATIC},
    {"planar", VOUCH_URDF_PLANAR}, {"floating", VOUCH_URDF_FLOATING}
  };
  const char * name = NULL;
  vouch_ret_t ret = vouch_xml_required(document, element, "type", &name);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    if (strcmp(types[i].name, name) == 0) {
      joint->type = types[i].type;
      return VOUCH_RET_OK;
    }
  }
  return vouch_xml_fail(
    document, element, "joint '%s' is of the unknown type '%s' (fixed, revolute, continuous, "
    "prismatic, planar and floating are known)", joint->name, name);
}

static bool moves(const vouch_joint_t * joint)
{
  return joint->type == VOUCH_URDF_REVOLUTE || joint->type == VOUCH_URDF_CONTINUOUS ||
         joint->type == VOUCH_URDF_PRISMATIC;
}

static vouch_ret_t read_axis(
  const vouch_xml_t * document, const vouch_xml_element_t * element, vouch_joint_t * joint)
{
  memcpy(joint->axis, (const double[3]) {1.0, 0.0, 0.0}, sizeof(joint->axis));
  vouch_xml_element_t * axis = NULL;
  vouch_ret_t ret = vouch_xml_only_child(document, element, "axis", &axis);
  if (ret != VOUCH_RET_OK || axis == NULL) {
    return ret;
  }
  if (moves(joint) && vouch_xml_attribute(axis, "xyz") == NULL) {
    return vouch_xml_fail(document, axis, "the <axis> of joint '%s' has no xyz", joint->name);
  }
  ret = vouch_xml_numbers(document, axis, "xyz", joint->axis, 3);
  double length = vec3_norm(vec3_from(joint->axis));
  if (ret == VOUCH_RET_OK && moves(joint) && !(length > 1e-6 && length < 1e6)) {
    return vouch_xml_fail(
      document, axis, "the axis of joint '%s' has length %g; it must have a direction",
      joint->name, length);
  }
  return ret;
}

static vouch_ret_t read_limits(
  vouch_urdf_t * urdf, const vouch_xml_element_t * element, vouch_joint_t * joint)
{
  const vouch_xml_t * document = urdf->document;
  vouch_xml_element_t * limit = NULL;
  vouch_ret_t ret = vouch_xml_only_child(document, element, "limit", &limit);
  bool has_range = joint->type == VOUCH_URDF_REVOLUTE || joint->type == VOUCH_URDF_PRISMATIC;
  if (ret != VOUCH_RET_OK || limit == NULL || !moves(joint)) {
    return ret;
  }
  ret = vouch_xml_numbers(document, limit, "velocity", &joint->velocity, 1);
  joint->velocity = joint->velocity > 0.0 ? joint->velocity : 0.0;
  if (ret != VOUCH_RET_OK || !has_range) {
    return ret;
  }
  ret = vouch_xml_numbers(document, limit, "lower", &joint->lower, 1);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_xml_numbers(document, limit, "upper", &joint->upper, 1);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  joint->limited = true;
  if (joint->lower > joint->upper) {
    return vouch_robot_warn(
      urdf->robot, "joint '%s': its lower limit %g is above its upper limit %g", joint->name,
      joint->lower, joint->upper);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_urdf_read_joint(
  vouch_urdf_t * urdf, const vouch_xml_element_t * element, vouch_joint_t * joint)
{
  const vouch_xml_t * document = urdf->document;
  joint->variable = VOUCH_NONE;
  joint->multiplier = 1.0;
  vouch_ret_t ret = read_type(document, element, joint);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_urdf_read_origin(document, element, &joint->origin);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_axis(document, element, joint);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_limits(urdf, element, joint);
  }
  return ret;
}

/* ---- mimic ---- */

/* Its master, or VOUCH_NONE when it moves by itself (or not at all). */
static vouch_ret_t read_mimic(
  const vouch_urdf_t * urdf, const vouch_xml_element_t * element, vouch_joint_t * joint,
  uint32_t * master)
{
  *master = VOUCH_NONE;
  vouch_xml_element_t * mimic = NULL;
  vouch_ret_t ret = vouch_xml_only_child(urdf->document, element, "mimic", &mimic);
  if (ret != VOUCH_RET_OK || mimic == NULL || joint->type == VOUCH_URDF_FIXED) {
    return ret;
  }
  if (!moves(joint)) {
    return vouch_xml_fail(
      urdf->document, mimic, "joint '%s' is planar or floating and cannot mimic", joint->name);
  }
  const char * name = NULL;
  ret = vouch_xml_required(urdf->document, mimic, "joint", &name);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_xml_numbers(urdf->document, mimic, "multiplier", &joint->multiplier, 1);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_xml_numbers(urdf->document, mimic, "offset", &joint->offset, 1);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  *master = vouch_robot_find_joint(urdf->robot, name);
  if (*master == VOUCH_NONE) {
    return vouch_xml_fail(
      urdf->document, mimic, "joint '%s' mimics '%s', which does not exist", joint->name, name);
  }
  if (!moves(&urdf->robot->joints[*master])) {
    return vouch_xml_fail(
      urdf->document, mimic, "joint '%s' mimics '%s', which has no value of its own", joint->name,
      name);
  }
  joint->mimic = true;
  return VOUCH_RET_OK;
}

/* Multiplies out a chain of masters: q = m (m' v + o') + o. */
static vouch_ret_t follow(
  const vouch_urdf_t * urdf, const vouch_xml_element_t * element, const vouch_joint_t * given,
  const uint32_t * masters, vouch_joint_t * joint)
{
  const vouch_robot_t * robot = urdf->robot;
  uint32_t number = joint->child - 1;
  uint32_t at = masters[number];
  for (size_t steps = 0; given[at].mimic; ++steps) {
    if (steps >= robot->link_count) {
      return vouch_xml_fail(
        urdf->document, element, "joint '%s' mimics itself, directly or through others",
        joint->name);
    }
    joint->offset += joint->multiplier * given[at].offset;
    joint->multiplier *= given[at].multiplier;
    at = masters[at];
  }
  if (!(fabs(joint->multiplier) <= 1e6 && fabs(joint->offset) <= 1e6)) {
    return vouch_xml_fail(
      urdf->document, element,
      "joint '%s' mimics with the multiplier %g and the offset %g; at most 1e6", joint->name,
      joint->multiplier, joint->offset);
  }
  joint->variable = robot->joints[at].variable;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_urdf_number_variables(
  vouch_urdf_t * urdf, vouch_xml_element_t * const * joint_elements)
{
  vouch_robot_t * robot = urdf->robot;
  size_t count = robot->link_count - 1;
  vouch_arena_t * scratch = &urdf->document->arena;
  uint32_t * masters = vouch_arena_calloc(scratch, count, sizeof(*masters));
  vouch_joint_t * given = vouch_arena_calloc(scratch, count, sizeof(*given));
  robot->variables = vouch_arena_calloc(&robot->arena, count, sizeof(*robot->variables));
  if (masters == NULL || given == NULL || robot->variables == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count; ++i) {
    vouch_joint_t * joint = &robot->joints[i];
    vouch_ret_t ret = read_mimic(urdf, joint_elements[i], joint, &masters[i]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (moves(joint) && !joint->mimic) {
      joint->variable = (uint32_t)robot->variable_count;
      robot->variables[robot->variable_count++] = (uint32_t)i;
    }
    given[i] = *joint;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!robot->joints[i].mimic) {
      continue;
    }
    vouch_ret_t ret = follow(urdf, joint_elements[i], given, masters, &robot->joints[i]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}
