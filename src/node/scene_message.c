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

/* Scene messages: onto a scene, and a scene as a message. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry_msgs/msg/transform.h"
#include "geometry_msgs/msg/transform_stamped.h"
#include "model/scene.h"
#include "node/convert.h"
#include "node/node.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "vouch/msg/attached_object.h"
#include "vouch/msg/obstacle.h"

static vouch_ret_t check_lengths(const char * what, size_t a, size_t b)
{
  return a == b ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s: %zu names but %zu values", what, a, b);
}

/* ---- transforms ---- */

static vouch_pose_t read_transform(const geometry_msgs__msg__Transform * message)
{
  const geometry_msgs__msg__Quaternion * q = &message->rotation;
  const geometry_msgs__msg__Vector3 * t = &message->translation;
  return (vouch_pose_t) {{q->x, q->y, q->z, q->w}, {t->x, t->y, t->z}};
}

static void write_transform(const vouch_pose_t * pose, geometry_msgs__msg__Transform * message)
{
  geometry_msgs__msg__Pose own;
  convert_pose_to_message(pose, &own);
  message->translation.x = own.position.x;
  message->translation.y = own.position.y;
  message->translation.z = own.position.z;
  message->rotation = own.orientation;
}

static int compare_names(const void * x, const void * y)
{
  return strcmp(*(const char * const *)x, *(const char * const *)y);
}

/// INVALID when a name is there twice, as in files: only one can be meant. Sorts the names.
static vouch_ret_t refuse_twice(const char * what, const char ** names, size_t count)
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
  vouch_ret_t ret = refuse_twice(what, names, texts->size);
  free(names);
  return ret;
}

/// Follows the parents of transform `start`, in the list first, whatever the scene knew under that
/// name, to a frame of the robot or of the scene. INVALID: unknown name or a cycle.
static vouch_ret_t resolve_transform(
  vouch_scene_t * scene, const geometry_msgs__msg__TransformStamped__Sequence * all, size_t start)
{
  vouch_pose_t pose = vouch_pose_identity();
  size_t at = start;
  for (size_t step = 0; step <= all->size; ++step) {
    const geometry_msgs__msg__TransformStamped * item = &all->data[at];
    vouch_pose_t own = read_transform(&item->transform);
    vouch_ret_t ret = vouch_pose_validate(&own, "transform");
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "fixed_transforms '%s'", item->child_frame_id.data);
    }
    pose = vouch_pose_product(&own, &pose);
    const char * parent = item->header.frame_id.data;
    size_t next = 0;
    while (next < all->size && strcmp(all->data[next].child_frame_id.data, parent) != 0) {
      ++next;
    }
    if (next == all->size || vouch_robot_find_link(scene->robot, parent) != VOUCH_NONE ||
      vouch_robot_is_planning_frame(scene->robot, parent))
    {
      vouch_pose_t frame;
      ret = vouch_scene_frame_pose(scene, parent, &frame);
      if (ret != VOUCH_RET_OK) {
        return vouch_fail_prefix(ret, "fixed_transforms '%s'", item->child_frame_id.data);
      }
      /* Seen from the root so far; the scene keeps transforms in the planning frame. */
      frame = vouch_pose_product(&scene->base, &frame);
      pose = vouch_pose_product(&frame, &pose);
      return vouch_scene_set_transform(scene, all->data[start].child_frame_id.data, &pose);
    }
    at = next;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "fixed_transforms: '%s' hangs on itself, the frames form a cycle",
    all->data[start].child_frame_id.data);
}

/// MoveIt writes its frames the other way round: the planning frame is the child, and the transform
/// takes points of the header's frame to it (moveit_core, Transforms).
static bool is_turned(
  const vouch_robot_t * robot, const geometry_msgs__msg__TransformStamped * item)
{
  const char * child = item->child_frame_id.data, * parent = item->header.frame_id.data;
  return child[0] != '\0' && vouch_robot_is_planning_frame(robot, child) &&
         !vouch_robot_is_planning_frame(robot, parent) &&
         vouch_robot_find_link(robot, parent) == VOUCH_NONE;
}

static vouch_ret_t apply_transform(
  vouch_scene_t * scene, const geometry_msgs__msg__TransformStamped__Sequence * all, size_t number)
{
  const geometry_msgs__msg__TransformStamped * item = &all->data[number];
  const char * child = item->child_frame_id.data, * parent = item->header.frame_id.data;
  if (is_turned(scene->robot, item)) {
    vouch_pose_t pose = read_transform(&item->transform);
    vouch_ret_t ret = vouch_pose_validate(&pose, "transform");
    return ret == VOUCH_RET_OK ? vouch_scene_set_transform(scene, parent, &pose) :
           vouch_fail_prefix(ret, "fixed_transforms '%.200s'", parent);
  }
  const char * planning = scene->robot->virtual_parent_frame;
  bool own = vouch_robot_find_link(scene->robot, child) != VOUCH_NONE ||
    (planning != NULL && strcmp(child, planning) == 0);
  if (strcmp(child, parent) == 0 && vouch_scene_knows_frame(scene, child)) {
    return VOUCH_RET_OK;   // the planning frame with itself as parent
  }
  return !own ? resolve_transform(scene, all, number) : vouch_fail(
    VOUCH_RET_INVALID, "fixed_transforms '%.200s': this is a frame of the robot itself", child);
}

static vouch_ret_t apply_transforms(
  vouch_scene_t * scene, const geometry_msgs__msg__TransformStamped__Sequence * all)
{
  const char ** names = calloc(all->size + 1, sizeof(*names));
  if (names == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for transforms");
  }
  for (size_t i = 0; i < all->size; ++i) {
    names[i] = is_turned(scene->robot, &all->data[i]) ? all->data[i].header.frame_id.data :
      all->data[i].child_frame_id.data;
  }
  vouch_ret_t ret = refuse_twice("fixed_transforms", names, all->size);
  free(names);
  /* Others may hang on MoveIt's, which are in the planning frame. */
  for (int turned = 1; turned >= 0; --turned) {
    for (size_t i = 0; ret == VOUCH_RET_OK && i < all->size; ++i) {
      if (is_turned(scene->robot, &all->data[i]) == (turned == 1)) {
        ret = apply_transform(scene, all, i);
      }
    }
  }
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

static vouch_ret_t apply_allowed(vouch_scene_t * scene, const vouch__msg__AllowedPairs * allowed)
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
    vouch_pose_t pose = read_transform(&state->transforms.data[i]);
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
  ret = ret != VOUCH_RET_OK ? ret : apply_transforms(scene, &message->fixed_transforms);
  /* What is put down is first an object of the world where it is, and may then be moved there. */
  ret = ret != VOUCH_RET_OK ? ret : apply_attached_all(scene, &message->attached, true);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < message->obstacles.size; ++i) {
    ret = change_object(scene, &message->obstacles.data[i], NULL, NULL);
  }
  ret = ret != VOUCH_RET_OK ? ret : apply_attached_all(scene, &message->attached, false);
  ret = ret != VOUCH_RET_OK ? ret : apply_allowed(scene, &message->allowed);
  ret = ret != VOUCH_RET_OK ? ret :
    check_lengths("paddings", message->padding_names.size, message->paddings.size);
  ret = ret != VOUCH_RET_OK ? ret : refuse_names_twice("padding_names", &message->padding_names);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < message->padding_names.size; ++i) {
    ret = vouch_scene_set_padding(
      scene, message->padding_names.data[i].data, message->paddings.data[i]);
  }
  return ret;
}

/* ---- the way back ---- */

static bool fill_object(const vouch_object_view_t * view, vouch__msg__Obstacle * out)
{
  bool ok = rosidl_runtime_c__String__assign(&out->id, view->id) &&
    rosidl_runtime_c__String__assign(&out->header.frame_id, view->frame);
  convert_pose_to_message(&view->pose, &out->pose);
  out->padding_m = view->padding_m;
  for (size_t i = 0; ok && i < view->shape_count; ++i) {
    ok = convert_shape_to_obstacle(&view->shapes[i], &view->shape_poses[i], out);
  }
  return ok;
}

static bool fill_objects(const vouch_scene_t * scene, vouch__msg__Scene * out)
{
  size_t count = vouch_scene_object_count(scene), attached = 0;
  vouch_object_view_t view;
  for (size_t i = 0; i < count; ++i) {
    attached += vouch_scene_object(scene, i, &view) && view.attached;
  }
  if (!vouch__msg__Obstacle__Sequence__init(&out->obstacles, count - attached) ||
    !vouch__msg__AttachedObject__Sequence__init(&out->attached, attached))
  {
    return false;
  }
  size_t free_at = 0, attached_at = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < count && vouch_scene_object(scene, i, &view); ++i) {
    if (!view.attached) {
      ok = fill_object(&view, &out->obstacles.data[free_at++]);
      continue;
    }
    vouch__msg__AttachedObject * item = &out->attached.data[attached_at++];
    ok = fill_object(&view, &item->object) &&
      rosidl_runtime_c__String__assign(&item->link_name, view.frame) &&
      rosidl_runtime_c__String__Sequence__init(&item->touch_links, view.touch_count);
    for (size_t k = 0; ok && k < view.touch_count; ++k) {
      ok = rosidl_runtime_c__String__assign(&item->touch_links.data[k], view.touch_links[k]);
    }
  }
  return ok;
}

static bool fill_allowed(const vouch_allowed_t * allowed, vouch__msg__AllowedPairs * out)
{
  size_t pairs = 0, defaults = 0;
  for (size_t i = 0; i < allowed->entry_slots; ++i) {
    pairs += allowed->entries[i].a != VOUCH_NONE;
  }
  for (size_t i = 0; i < allowed->name_count; ++i) {
    defaults += allowed->defaults[i] != VOUCH_ALLOWED_UNKNOWN;
  }
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->a, pairs) &&
    rosidl_runtime_c__String__Sequence__init(&out->b, pairs) &&
    rosidl_runtime_c__boolean__Sequence__init(&out->allowed, pairs) &&
    rosidl_runtime_c__String__Sequence__init(&out->default_names, defaults) &&
    rosidl_runtime_c__boolean__Sequence__init(&out->default_allowed, defaults);
  size_t at = 0;
  for (size_t i = 0; ok && i < allowed->entry_slots; ++i) {
    const vouch_allowed_entry_t * entry = &allowed->entries[i];
    if (entry->a != VOUCH_NONE) {
      ok = rosidl_runtime_c__String__assign(&out->a.data[at], allowed->names[entry->a]) &&
        rosidl_runtime_c__String__assign(&out->b.data[at], allowed->names[entry->b]);
      out->allowed.data[at++] = entry->answer == VOUCH_ALLOWED_YES;
    }
  }
  at = 0;
  for (size_t i = 0; ok && i < allowed->name_count; ++i) {
    if (allowed->defaults[i] != VOUCH_ALLOWED_UNKNOWN) {
      ok = rosidl_runtime_c__String__assign(&out->default_names.data[at], allowed->names[i]);
      out->default_allowed.data[at++] = allowed->defaults[i] == VOUCH_ALLOWED_YES;
    }
  }
  return ok;
}

static bool fill_paddings(const vouch_scene_t * scene, vouch__msg__Scene * out)
{
  size_t count = 0;
  for (size_t i = 0; i < scene->robot->link_count; ++i) {
    count += isnan(scene->link_padding[i]) ? 0 : 1;
  }
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->padding_names, count) &&
    rosidl_runtime_c__double__Sequence__init(&out->paddings, count);
  size_t at = 0;
  for (size_t i = 0; ok && i < scene->robot->link_count; ++i) {
    if (!isnan(scene->link_padding[i])) {
      out->paddings.data[at] = scene->link_padding[i];
      ok = rosidl_runtime_c__String__assign(
        &out->padding_names.data[at++], scene->robot->links[i].name);
    }
  }
  return ok;
}

static bool fill_transforms(const vouch_scene_t * scene, vouch__msg__Scene * out)
{
  bool ok = geometry_msgs__msg__TransformStamped__Sequence__init(
    &out->fixed_transforms, scene->transform_count);
  for (size_t i = 0; ok && i < scene->transform_count; ++i) {
    geometry_msgs__msg__TransformStamped * item = &out->fixed_transforms.data[i];
    write_transform(&scene->transforms[i].pose, &item->transform);
    ok = rosidl_runtime_c__String__assign(&item->child_frame_id, scene->transforms[i].name);
  }
  return ok;
}

static bool is_held(const vouch_scene_t * scene, size_t joint)
{
  int type = (int)scene->robot->joints[joint].type;
  return (type == VOUCH_URDF_PLANAR || type == VOUCH_URDF_FLOATING) && scene->held_known[joint];
}

/// Only what is known: who reads it and sends it back must not make it so.
static bool fill_multi_dof(
  const vouch_scene_t * scene, sensor_msgs__msg__MultiDOFJointState * out)
{
  const vouch_robot_t * robot = scene->robot;
  bool base = robot->virtual_joint != NULL && (scene->base_known || !robot->virtual_moves);
  size_t count = base ? 1 : 0, at = 0;
  for (size_t i = 0; i + 1 < robot->link_count; ++i) {
    count += is_held(scene, i);
  }
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->joint_names, count) &&
    geometry_msgs__msg__Transform__Sequence__init(&out->transforms, count);
  if (ok && base) {
    write_transform(&scene->base, &out->transforms.data[at]);
    ok = rosidl_runtime_c__String__assign(&out->joint_names.data[at++], robot->virtual_joint);
  }
  for (size_t i = 0; ok && i + 1 < robot->link_count; ++i) {
    if (is_held(scene, i)) {
      write_transform(&scene->held[i], &out->transforms.data[at]);
      ok = rosidl_runtime_c__String__assign(&out->joint_names.data[at++], robot->joints[i].name);
    }
  }
  return ok;
}

bool scene_message_fill(const vouch_scene_t * scene, vouch__msg__Scene * message)
{
  message->revision = vouch_scene_revision(scene);
  vouch_scene_hash(scene, message->hash);
  return rosidl_runtime_c__String__assign(
    &message->name, vouch_robot_name(vouch_scene_robot(scene))) &&
         fill_objects(scene, message) && fill_allowed(&scene->allowed, &message->allowed) &&
         fill_paddings(scene, message) && fill_transforms(scene, message) &&
         fill_multi_dof(scene, &message->multi_dof_state);
}
