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

/* A scene as a message. */

#include <math.h>

#include "base/error.h"
#include "model/scene.h"
#include "node/convert.h"
#include "node/scene_message.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "vouch/msg/attached_object.h"
#include "vouch/msg/obstacle.h"

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

bool scene_allowed_fill(const vouch_scene_t * scene, vouch__msg__AllowedPairs * out)
{
  const vouch_allowed_t * allowed = &scene->allowed;
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
    scene_transform_write(&scene->transforms[i].pose, &item->transform);
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
    scene_transform_write(&scene->base, &out->transforms.data[at]);
    ok = rosidl_runtime_c__String__assign(&out->joint_names.data[at++], robot->virtual_joint);
  }
  for (size_t i = 0; ok && i + 1 < robot->link_count; ++i) {
    if (is_held(scene, i)) {
      scene_transform_write(&scene->held[i], &out->transforms.data[at]);
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
         fill_objects(scene, message) && scene_allowed_fill(scene, &message->allowed) &&
         fill_paddings(scene, message) && fill_transforms(scene, message) &&
         fill_multi_dof(scene, &message->multi_dof_state);
}
