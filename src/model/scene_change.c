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
/* What messages and files do to the objects of a scene: add, remove, append, move, attach, as MoveIt
 * means it (moveit_core, planning_scene.cpp), and INVALID where a part of what they say would be lost. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/scene.h"

vouch_ret_t vouch_scene_check_new(const vouch_scene_t * scene, const char * id)
{
  const size_t known = vouch_scene_find(scene, id);
  return known == VOUCH_NONE || !scene->objects[known].fresh ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "object '%s' is given twice: one of the two would be lost; "
    "rename it, or give all its shapes at once", id);
}

/// For MoveIt an object is a frame too, and comes before a transform of that name.
static vouch_ret_t check_frame_once(
  const vouch_scene_t * scene,
  const vouch_object_change_t * object)
{
  const bool itself = object->operation == VOUCH_OPERATION_ADD &&
    strcmp(object->frame, object->id) == 0;   // is gone when it is added anew
  const bool once = itself || object->operation == VOUCH_OPERATION_REMOVE ||
    vouch_robot_is_planning_frame(scene->robot, object->frame) ||
    vouch_scene_find(scene, object->frame) == VOUCH_NONE ||
    vouch_scene_frame_link(scene, object->frame) != VOUCH_NONE;
  return once ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "object '%s': its frame '%s' is an object of the scene, which is a frame for "
    "MoveIt but not here: give another one", object->id,
    object->frame);
}

/// MoveIt takes the pose of an only shape for the object's own where that one is empty. It is the
/// same place until the object is moved.
static void take_pose_of_only_shape(vouch_object_change_t * object)
{
  if (object->count == 1 && vouch_pose_is_identity(&object->pose)) {
    object->pose = object->poses[0];
    object->poses[0] = vouch_pose_identity();
  }
}

/// The message says where the new shapes are relative to; MoveIt takes the object's old pose
/// instead. Where the two differ, nobody knows which one is meant.
static vouch_ret_t check_append(
  const vouch_scene_t * scene, const vouch_object_change_t * object, size_t known)
{
  const vouch_object_t * there = &scene->objects[known];
  if (!object->in_place && object->count == 1 && vouch_pose_is_identity(&object->pose) &&
    !vouch_pose_is_identity(&object->poses[0]))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "object '%s': an only shape is appended with a pose of its own and none of "
      "the object, which MoveIt drops: give all shapes in one add",
      object->id);
  }
  vouch_pose_t given = object->pose, old = there->pose, frame;
  if (strcmp(object->frame, there->frame) != 0) {
    vouch_ret_t ret = vouch_scene_frame_pose(scene, object->frame, &frame);
    given = vouch_pose_product(&frame, &given);
    if (ret == VOUCH_RET_OK) {
      ret = vouch_scene_frame_pose(scene, there->frame, &frame);
      old = vouch_pose_product(&frame, &old);
    }
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "object '%s'", object->id);
    }
  }
  const vouch_pose_t back = vouch_pose_inverse(&old);
  const vouch_pose_t gap = vouch_pose_product(&back, &given);
  for (size_t i = 0; i < 3; ++i) {
    if (!(fabs(gap.translation[i]) <= 1e-9 && fabs(gap.rotation[i]) <= 1e-9)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "object '%s': shapes are appended in a frame and pose that are not the "
        "object's own, which MoveIt would use instead: give all shapes in one add", object->id);
    }
  }
  return VOUCH_RET_OK;
}

/// MoveIt would have two objects of that name, and check both.
static vouch_ret_t warn_both_places(vouch_scene_t * scene, const char * id, const char * link)
{
  return vouch_scene_warn(
    scene, id, "object '%s' is attached to link '%s': the object of that name in the world is not "
    "used (MoveIt has two then: detach it in the same scene, or rename one of them)", id, link);
}

vouch_ret_t vouch_scene_change_object(vouch_scene_t * scene, vouch_object_change_t * object)
{
  const size_t known = vouch_scene_find(scene, object->id);
  const bool attached = known != VOUCH_NONE && scene->objects[known].link != VOUCH_NONE;
  vouch_ret_t ret = check_frame_once(scene, object);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  switch (object->operation) {
    case VOUCH_OPERATION_REMOVE:
      return !attached ? vouch_scene_remove_object(scene, object->id) : vouch_scene_warn(
        scene, object->id, "object '%s' is attached to link '%s' and stays there: only the world's "
        "is removed", object->id, scene->objects[known].frame);
    case VOUCH_OPERATION_MOVE:
      if (object->count > 0) {
        return vouch_fail(
          VOUCH_RET_INVALID, "object '%s': a move must not carry shapes; use add", object->id);
      }
      return vouch_scene_move_object(scene, object->id, object->frame, &object->pose);
    case VOUCH_OPERATION_APPEND:
      if (attached) {
        return vouch_fail(
          VOUCH_RET_INVALID, "object '%s' is attached to link '%s': append to it there", object->id,
          scene->objects[known].frame);
      }
      if (known != VOUCH_NONE) {
        ret = check_append(scene, object, known);
        return ret != VOUCH_RET_OK ? ret : vouch_scene_append_object(
          scene, object->id, object->shapes, object->poses, object->count);
      }
      break;
    default:
      break;
  }
  if (attached) {
    return warn_both_places(scene, object->id, scene->objects[known].frame);
  }
  take_pose_of_only_shape(object);
  ret = vouch_scene_check_new(scene, object->id);
  return ret != VOUCH_RET_OK ? ret : vouch_scene_add_object(
    scene, object->id, object->frame, &object->pose, object->shapes, object->poses, object->count);
}

static vouch_ret_t detach(vouch_scene_t * scene, const char * id, size_t known, const char * link)
{
  if (known != VOUCH_NONE && link != NULL && link[0] != '\0' &&
    scene->objects[known].link != VOUCH_NONE && strcmp(link, scene->objects[known].frame) != 0)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "object '%s' is attached to link '%s', not to '%s': it cannot be detached "
      "there", id, scene->objects[known].frame, link);
  }
  return vouch_scene_detach_object(scene, id);
}

vouch_ret_t vouch_scene_change_attached(
  vouch_scene_t * scene, vouch_object_change_t * object, const char * link,
  const char * const * touch_links, size_t touch_count)
{
  const size_t known = vouch_scene_find(scene, object->id);
  const bool attached = known != VOUCH_NONE && scene->objects[known].link != VOUCH_NONE;
  if (object->operation == VOUCH_OPERATION_REMOVE) {
    return detach(scene, object->id, known, link);
  }
  if (object->operation == VOUCH_OPERATION_MOVE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "object '%s': an attached object cannot be moved", object->id);
  }
  vouch_ret_t ret = object->count > 0 ? check_frame_once(scene, object) : VOUCH_RET_OK;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  // What was in the world before gives way, as in MoveIt. There one of the same file or message stays,
  // as does one that a start state speaks of: that is told.
  const bool stays = object->count > 0 && known != VOUCH_NONE && !attached &&
    object->operation != VOUCH_OPERATION_APPEND &&
    (scene->objects[known].fresh || object->keeps_world);
  if (object->count > 0 && object->operation == VOUCH_OPERATION_APPEND && known != VOUCH_NONE) {
    ret = !attached || strcmp(link, scene->objects[known].frame) == 0 ?
      check_append(scene, object, known) : vouch_fail(
      VOUCH_RET_INVALID, "object '%s' is attached to link '%s': append to it there", object->id,
      scene->objects[known].frame);
    ret = ret != VOUCH_RET_OK ? ret : vouch_scene_append_object(
      scene, object->id, object->shapes, object->poses, object->count);
  } else if (object->count > 0 || known == VOUCH_NONE) {
    take_pose_of_only_shape(object);
    ret = attached ? vouch_scene_check_new(scene, object->id) : VOUCH_RET_OK;   // one would be lost
    ret = ret != VOUCH_RET_OK ? ret : vouch_scene_add_object(
      scene, object->id, object->frame, &object->pose, object->shapes, object->poses,
      object->count);
  }
  ret = ret != VOUCH_RET_OK ? ret :
    vouch_scene_attach_object(scene, object->id, link, touch_links, touch_count);
  return ret == VOUCH_RET_OK && stays ? warn_both_places(scene, object->id, link) : ret;
}

/// Something above the link, or the robot's base, can be elsewhere at another time.
static bool can_move(const vouch_robot_t * robot, uint32_t link)
{
  bool moves = robot->virtual_moves;
  for (; !moves && link != 0; link = robot->joints[link - 1].parent) {
    const vouch_joint_t * joint = &robot->joints[link - 1];
    moves = joint->variable != VOUCH_NONE || joint->type == VOUCH_URDF_PLANAR ||
      joint->type == VOUCH_URDF_FLOATING;
  }
  return moves;
}

vouch_ret_t vouch_scene_settle(vouch_scene_t * scene, const char * id)
{
  const size_t number = vouch_scene_find(scene, id);
  const vouch_object_t * object = number == VOUCH_NONE ? NULL : &scene->objects[number];
  const uint32_t link = object == NULL || object->link != VOUCH_NONE ?
    VOUCH_NONE : vouch_scene_frame_link(scene, object->frame);
  vouch_pose_t frame;
  if (link == VOUCH_NONE || !can_move(scene->robot, link) ||
    vouch_scene_frame_pose(scene, object->frame, &frame) != VOUCH_RET_OK)
  {
    return VOUCH_RET_OK;
  }
  frame = vouch_pose_product(&scene->base, &frame);
  const vouch_pose_t there = vouch_pose_product(&frame, &object->pose);
  vouch_ret_t ret = link == 0 ? VOUCH_RET_OK : vouch_scene_warn(
    scene, id, "object '%s' is given in the frame of link '%s', which moves: it stays where the state "
    "of its scene has that link (attach it if it moves along)", id,
    object->frame);
  return ret != VOUCH_RET_OK ? ret : vouch_scene_move_object(scene, id, "", &there);
}

/// The pairs that a whole matrix takes from the SRDF are told by the first of them.
static vouch_ret_t warn_unnamed(
  vouch_scene_t * scene, const char * a, const char * b, size_t more)
{
  char rest[64] = "it is checked";
  if (more > 0) {
    snprintf(rest, sizeof(rest), "it and %zu more are checked", more);
  }
  return vouch_scene_warn(
    scene, VOUCH_MATRIX, "the allowed collision matrix does not name the pair '%s' and '%s', which "
    "the SRDF disables: %s, as in MoveIt", a, b, rest);
}

vouch_ret_t vouch_scene_check_unnamed(vouch_scene_t * scene)
{
  const vouch_robot_t * robot = scene->robot;
  const char * first[2] = {NULL, NULL};
  size_t count = 0;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t a = 0; robot->has_srdf && a < robot->link_count; ++a) {
    for (uint32_t b = 0; ret == VOUCH_RET_OK && b < a; ++b) {
      const char * name_a = robot->links[b].name, * name_b = robot->links[a].name;
      if (robot->links[a].geometry == NULL || robot->links[b].geometry == NULL ||
        vouch_allowed_explicit(&scene->allowed, name_a, name_b) != VOUCH_ALLOWED_UNKNOWN ||
        vouch_allowed_by_default(&scene->allowed, name_a, name_b) != VOUCH_ALLOWED_UNKNOWN ||
        !vouch_robot_pair_disabled(robot, a, b))
      {
        continue;
      }
      first[0] = count == 0 ? name_a : first[0];
      first[1] = count == 0 ? name_b : first[1];
      count++;
      ret = vouch_scene_allow_pair(scene, name_a, name_b, false);
    }
  }
  return ret != VOUCH_RET_OK || count == 0 ? ret :
         warn_unnamed(scene, first[0], first[1], count - 1);
}
