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

/* Where frames are: forward kinematics at the scene's state, for placing objects. Plain floating
 * point: what is placed here becomes the model that is proved. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "model/scene.h"

vouch_ret_t vouch_pose_validate(const vouch_pose_t * pose, const char * what)
{
  const double * q = pose->rotation;
  for (int i = 0; i < 3; ++i) {
    if (!(fabs(pose->translation[i]) <= VOUCH_MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s: the position (%g, %g, %g) is not finite or beyond 1e6 m", what,
        pose->translation[0], pose->translation[1], pose->translation[2]);
    }
  }
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(fabs(norm - 1.0) <= 1e-3)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "%s: the orientation (%g, %g, %g, %g) has length %g; give a unit quaternion x, y, z, w", what,
      q[0], q[1], q[2], q[3], norm);
  }
  return VOUCH_RET_OK;
}

bool vouch_pose_is_identity(const vouch_pose_t * pose)
{
  const double * q = pose->rotation;
  const double * t = pose->translation;
  return q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && t[0] == 0.0 && t[1] == 0.0 && t[2] == 0.0;
}

vouch_pose_t vouch_pose_inverse(const vouch_pose_t * pose)
{
  vouch_pose_t inverse = *pose;
  for (int i = 0; i < 3; ++i) {
    inverse.rotation[i] = -pose->rotation[i];
  }
  const rigid_t rigid = rigid_from_pose(pose);
  vec3_store(rigid_unapply(&rigid, vec3(0.0, 0.0, 0.0)), inverse.translation);
  return inverse;
}

vouch_pose_t vouch_pose_product(const vouch_pose_t * a, const vouch_pose_t * b)
{
  vouch_pose_t product = pose_mul(a, b);
  double * q = product.rotation;
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  // Only what drifted is brought back, so that identities and given numbers stay bitwise.
  if (fabs(norm - 1.0) > 1e-14) {
    for (int i = 0; i < 4; ++i) {
      q[i] /= norm;
    }
  }
  return product;
}

vouch_ret_t vouch_scene_check_held(const vouch_scene_t * scene, uint32_t joint)
{
  const vouch_joint_t * j = &scene->robot->joints[joint];
  const bool held = j->type == VOUCH_URDF_PLANAR || j->type == VOUCH_URDF_FLOATING;
  return !held || scene->held_known[joint] ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "joint '%s' is %s, and no state says where it is: give it in the "
    "multi_dof_joint_state of a scene's robot_state", j->name,
    j->type == VOUCH_URDF_PLANAR ? "planar" : "floating");
}

vouch_pose_t vouch_scene_joint_origin(const vouch_scene_t * scene, uint32_t joint)
{
  const vouch_joint_t * j = &scene->robot->joints[joint];
  if (j->type != VOUCH_URDF_PLANAR && j->type != VOUCH_URDF_FLOATING) {
    return j->origin;
  }
  return vouch_pose_product(&j->origin, &scene->held[joint]);
}

/// The child link of a joint seen from its parent link.
static vouch_ret_t joint_pose(const vouch_scene_t * scene, uint32_t joint, vouch_pose_t * pose)
{
  const vouch_joint_t * j = &scene->robot->joints[joint];
  *pose = vouch_scene_joint_origin(scene, joint);
  if (j->variable == VOUCH_NONE) {
    return vouch_scene_check_held(scene, joint);
  }
  const double value = scene->state[j->variable];
  if (!isfinite(value)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the value of joint '%s' is not known: give a start state",
      vouch_robot_variable_name(scene->robot, j->variable));
  }
  const double q = j->multiplier * value + j->offset;
  const vec3_t axis = vec3_unit(vec3_from(j->axis), vec3(1.0, 0.0, 0.0));
  vouch_pose_t moved = vouch_pose_identity();
  if (j->type == VOUCH_URDF_PRISMATIC) {
    vec3_store(vec3_scale(axis, q), moved.translation);
  } else {
    vec3_store(vec3_scale(axis, sin(0.5 * q)), moved.rotation);
    moved.rotation[3] = cos(0.5 * q);
  }
  *pose = vouch_pose_product(pose, &moved);
  return VOUCH_RET_OK;
}

/// Pose of `link` seen from `ancestor`, which is above it or the same.
static vouch_ret_t descend(
  const vouch_scene_t * scene, uint32_t ancestor, uint32_t link, vouch_pose_t * pose)
{
  *pose = vouch_pose_identity();
  while (link != ancestor) {
    vouch_pose_t step;
    vouch_ret_t ret = joint_pose(scene, link - 1, &step);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    *pose = vouch_pose_product(&step, pose);
    link = scene->robot->joints[link - 1].parent;
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_link_relative(
  const vouch_scene_t * scene, uint32_t from, uint32_t to, vouch_pose_t * pose)
{
  // A link's parent has a lower number, so the higher of the two is never the common ancestor.
  uint32_t x = from, y = to;
  while (x != y) {
    if (x > y) {
      x = scene->robot->joints[x - 1].parent;
    } else {
      y = scene->robot->joints[y - 1].parent;
    }
  }
  vouch_pose_t up, down;
  vouch_ret_t ret = descend(scene, x, from, &up);
  ret = ret == VOUCH_RET_OK ? descend(scene, x, to, &down) : ret;
  if (ret == VOUCH_RET_OK) {
    const vouch_pose_t inverse = vouch_pose_inverse(&up);
    *pose = x == from ? down : vouch_pose_product(&inverse, &down);
  }
  return ret;
}

static const vouch_transform_t * find_transform(const vouch_scene_t * scene, const char * name)
{
  for (size_t i = 0; i < scene->transform_count; ++i) {
    if (strcmp(scene->transforms[i].name, name) == 0) {
      return &scene->transforms[i];
    }
  }
  return NULL;
}

static bool is_planning_frame(const vouch_scene_t * scene, const char * frame)
{
  return frame == NULL || vouch_robot_is_planning_frame(scene->robot, frame);
}

uint32_t vouch_scene_frame_link(const vouch_scene_t * scene, const char * frame)
{
  return is_planning_frame(scene, frame) ? VOUCH_NONE : vouch_robot_find_link(scene->robot, frame);
}

bool vouch_scene_knows_frame(const vouch_scene_t * scene, const char * frame)
{
  return is_planning_frame(scene, frame) ||
         vouch_robot_find_link(scene->robot, frame) != VOUCH_NONE ||
         find_transform(scene, frame) != NULL;
}

vouch_ret_t vouch_scene_frame_pose(
  const vouch_scene_t * scene, const char * frame, vouch_pose_t * pose)
{
  const vouch_pose_t planning = vouch_pose_inverse(&scene->base);
  // Before the links, as in MoveIt: one of them may have the name of the planning frame.
  if (is_planning_frame(scene, frame)) {
    *pose = planning;
    return VOUCH_RET_OK;
  }
  const uint32_t link = vouch_scene_frame_link(scene, frame);
  if (link != VOUCH_NONE) {
    return vouch_scene_link_relative(scene, 0, link, pose);
  }
  const vouch_transform_t * transform = find_transform(scene, frame);
  if (transform == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "frame '%s' is neither a link of the robot nor in fixed_frame_transforms", frame);
  }
  *pose = vouch_pose_product(&planning, &transform->pose);
  return VOUCH_RET_OK;
}
