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

/* Scene messages onto a scene. */

#include "node/scene_message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/scene.h"
#include "node/convert.h"
#include "vouch/msg/attached_object.h"
#include "vouch/msg/obstacle.h"

static vouch_ret_t check_lengths(const char * what, size_t a, size_t b)
{
  return a == b ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s: %zu names but %zu values", what, a, b);
}

static int compare_names(const void * x, const void * y)
{
  return strcmp(*(const char * const *)x, *(const char * const *)y);
}

vouch_ret_t scene_refuse_twice(const char * what, const char ** names, size_t count)
{
  qsort(names, count, sizeof(*names), compare_names);
  for (size_t i = 1; i < count; ++i) {
    if (strcmp(names[i - 1], names[i]) == 0) {
      return vouch_fail(VOUCH_RET_INVALID, "%s: '%.200s' is named twice", what, names[i]);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t refuse_names_twice(
  const char * what, const rosidl_runtime_c__String__Sequence * texts)
{
  const char ** names = calloc(texts->size + 1, sizeof(*names));
  if (names == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for names");
  }
  for (size_t i = 0; i < texts->size; ++i) {
    names[i] = texts->data[i].data;
  }
  vouch_ret_t ret = scene_refuse_twice(what, names, texts->size);
  free(names);
  return ret;
}

/* ---- objects ---- */

static vouch_ret_t check_operation(const vouch__msg__Obstacle * obstacle, size_t shapes)
{
  if (obstacle->operation > vouch__msg__Obstacle__MOVE) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "object '%.200s': operation %d is not known (ADD 0, REMOVE 1, APPEND 2, MOVE 3)",
      obstacle->id.data, obstacle->operation);
  }
  bool adds = obstacle->operation == vouch__msg__Obstacle__ADD ||
    obstacle->operation == vouch__msg__Obstacle__APPEND;
  return shapes > 0 || !adds ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "object '%.200s': no shapes", obstacle->id.data);
}

/// Nothing said about where appended shapes belong: to the object where it is.
static void append_in_place(const vouch_scene_t * scene, vouch_object_change_t * change)
{
  size_t known = vouch_scene_find(scene, change->id);
  if (known != VOUCH_NONE) {
    change->frame = scene->objects[known].frame;
    change->pose = scene->objects[known].pose;
  }
}

/// `item` NULL: an object of the world.
static vouch_ret_t change_object(
  vouch_scene_t * scene, const vouch__msg__Obstacle * obstacle,
  const vouch__msg__AttachedObject * item, const char ** touch)
{
  shape_list_t list;
  vouch_ret_t ret = shape_list_from_obstacle(&list, obstacle);
  if (ret != VOUCH_RET_OK) {
    ret = vouch_fail_prefix(ret, "object '%.200s'", obstacle->id.data);
    shape_list_fini(&list);
    return ret;
  }
  vouch_object_change_t change = {.id = obstacle->id.data,
    .frame = obstacle->header.frame_id.data, .pose = convert_pose(&obstacle->pose),
    .shapes = list.shapes, .poses = list.poses, .count = list.count,
    .operation = obstacle->operation};
  if (change.operation == VOUCH_OPERATION_APPEND && change.frame[0] == '\0' &&
    vouch_pose_is_identity(&change.pose))
  {
    append_in_place(scene, &change);
    change.in_place = true;
  }
  if (item == NULL) {
    ret = check_operation(obstacle, list.count);
    ret = ret != VOUCH_RET_OK ? ret : vouch_scene_change_object(scene, &change);
  } else {
    change.frame = change.frame[0] != '\0' ? change.frame : item->link_name.data;
    ret = vouch_scene_change_attached(
      scene, &change, item->link_name.data, touch, item->touch_links.size);
  }
  if (ret == VOUCH_RET_OK && obstacle->operation != vouch__msg__Obstacle__REMOVE &&
    obstacle->padding_m != 0.0)
  {
    ret = vouch_scene_set_padding(scene, obstacle->id.data, obstacle->padding_m);
  }
  shape_list_fini(&list);
  return ret;
}

static vouch_ret_t apply_attached(vouch_scene_t * scene, const vouch__msg__AttachedObject * item)
{
  const vouch__msg__Obstacle * object = &item->object;
  if (object->operation != vouch__msg__Obstacle__ADD &&
    object->operation != vouch__msg__Obstacle__REMOVE)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "attached object '%.200s': only ADD and REMOVE are possible",
      object->id.data);
  }
  const char ** touch = calloc(item->touch_links.size + 1, sizeof(*touch));
  if (touch == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for touch links");
  }
  for (size_t i = 0; i < item->touch_links.size; ++i) {
    touch[i] = item->touch_links.data[i].data;
  }
  vouch_ret_t ret = change_object(scene, object, item, touch);
  free(touch);
  return ret;
}

static vouch_ret_t apply_attached_all(
  vouch_scene_t * scene, const vouch__msg__AttachedObject__Sequence * all, bool removed)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < all->size; ++i) {
    if ((all->data[i].object.operation == vouch__msg__Obstacle__REMOVE) == removed) {
      ret = apply_attached(scene, &all->data[i]);
    }
  }
  return ret;
}

typedef struct said_s
{
  const char * first, * second;
  bool allowed;
} said_t;

static int compare_said(const void * x, const void * y)
{
  const said_t * a = x, * b = y;
  int first = strcmp(a->first, b->first);
  return first != 0 ? first : strcmp(a->second, b->second);
}

/// A pair may be there twice, in either order, but not with two answers.
static vouch_ret_t refuse_pairs_twice(const vouch__msg__AllowedPairs * allowed)
{
  size_t count = allowed->a.size;
  said_t * said = calloc(count + 1, sizeof(*said));
  if (said == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for pairs");
  }
  for (size_t i = 0; i < count; ++i) {
    const char * a = allowed->a.data[i].data, * b = allowed->b.data[i].data;
    bool turn = strcmp(a, b) > 0;
    said[i] = (said_t) {turn ? b : a, turn ? a : b, allowed->allowed.data[i]};
  }
  qsort(said, count, sizeof(*said), compare_said);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 1; i < count && ret == VOUCH_RET_OK; ++i) {
    if (compare_said(&said[i - 1], &said[i]) == 0 && said[i - 1].allowed != said[i].allowed) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "allowed: '%.200s' and '%.200s' are both allowed and not", said[i].first,
        said[i].second);
    }
  }
  free(said);
  return ret;
}

vouch_ret_t scene_allowed_apply(vouch_scene_t * scene, const vouch__msg__AllowedPairs * allowed)
{
  if (allowed->replace) {
    vouch_scene_clear_allowed(scene);
    scene->revision++;
  }
  vouch_ret_t ret = check_lengths("allowed.b", allowed->a.size, allowed->b.size);
  ret = ret != VOUCH_RET_OK ? ret :
    check_lengths("allowed.allowed", allowed->a.size, allowed->allowed.size);
  ret = ret != VOUCH_RET_OK ? ret : check_lengths(
    "allowed.default_allowed", allowed->default_names.size, allowed->default_allowed.size);
  ret = ret != VOUCH_RET_OK ? ret :
    refuse_names_twice("allowed.default_names", &allowed->default_names);
  ret = ret != VOUCH_RET_OK ? ret : refuse_pairs_twice(allowed);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->a.size; ++i) {
    ret = vouch_scene_allow_pair(
      scene, allowed->a.data[i].data, allowed->b.data[i].data, allowed->allowed.data[i]);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->default_names.size; ++i) {
    ret = vouch_scene_allow_default(
      scene, allowed->default_names.data[i].data, allowed->default_allowed.data[i]);
  }
  return ret;
}

static vouch_ret_t apply_state(vouch_scene_t * scene, const sensor_msgs__msg__JointState * state)
{
  if (state->name.size == 0) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = check_lengths("state", state->name.size, state->position.size);
  ret = ret != VOUCH_RET_OK ? ret : refuse_names_twice("state", &state->name);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_robot_t * robot = vouch_scene_robot(scene);
  double * values = calloc(vouch_robot_variable_count(robot) + 1, sizeof(double));
  if (values == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a joint state");
  }
  vouch_scene_get_state(scene, values);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < state->name.size; ++i) {
    const char * name = state->name.data[i].data;
    int variable = vouch_robot_find_variable(robot, name);
    if (!isfinite(state->position.data[i])) {
      ret = vouch_fail(VOUCH_RET_INVALID, "state: joint '%.200s' is not a finite number", name);
    } else if (variable >= 0) {
      values[variable] = state->position.data[i];
    } else if (vouch_robot_find_joint(robot, name) == VOUCH_NONE) {
      ret = vouch_fail(VOUCH_RET_INVALID, "state: the robot has no joint '%.200s'", name);
    }
  }
  ret = ret != VOUCH_RET_OK ? ret : vouch_scene_set_state(scene, values);
  free(values);
  return ret;
}

static vouch_ret_t apply_multi_dof(
  vouch_scene_t * scene, const sensor_msgs__msg__MultiDOFJointState * state)
{
  vouch_ret_t ret = check_lengths(
    "multi_dof_state", state->joint_names.size, state->transforms.size);
  ret = ret != VOUCH_RET_OK ? ret : refuse_names_twice("multi_dof_state", &state->joint_names);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < state->joint_names.size; ++i) {
    vouch_pose_t pose = scene_transform_read(&state->transforms.data[i]);
    ret = vouch_scene_hold_joint(scene, state->joint_names.data[i].data, &pose);
  }
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "multi_dof_state");
}

vouch_ret_t scene_message_apply(vouch_scene_t * scene, const vouch__msg__Scene * message)
{
  const char * frame = message->header.frame_id.data;
  if (frame[0] != '\0' && strcmp(frame, vouch_robot_root_link(vouch_scene_robot(scene))) != 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "header.frame_id is '%.200s'; leave it empty or give the root link '%s'",
      frame, vouch_robot_root_link(vouch_scene_robot(scene)));
  }
  vouch_ret_t ret = apply_state(scene, &message->state);
  ret = ret != VOUCH_RET_OK ? ret : apply_multi_dof(scene, &message->multi_dof_state);
  ret = ret != VOUCH_RET_OK ? ret : scene_transforms_apply(scene, &message->fixed_transforms);
  /* What is put down is first an object of the world where it is, and may then be moved there. */
  ret = ret != VOUCH_RET_OK ? ret : apply_attached_all(scene, &message->attached, true);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < message->obstacles.size; ++i) {
    ret = change_object(scene, &message->obstacles.data[i], NULL, NULL);
  }
  ret = ret != VOUCH_RET_OK ? ret : apply_attached_all(scene, &message->attached, false);
  ret = ret != VOUCH_RET_OK ? ret : scene_allowed_apply(scene, &message->allowed);
  ret = ret != VOUCH_RET_OK ? ret :
    check_lengths("paddings", message->padding_names.size, message->paddings.size);
  ret = ret != VOUCH_RET_OK ? ret : refuse_names_twice("padding_names", &message->padding_names);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < message->padding_names.size; ++i) {
    ret = vouch_scene_set_padding(
      scene, message->padding_names.data[i].data, message->paddings.data[i]);
  }
  return ret;
}
