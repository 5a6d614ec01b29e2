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

/* The frames of a scene message: its fixed_transforms, onto a scene. */

#include "node/scene_message.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/scene.h"
#include "node/convert.h"

vouch_pose_t scene_transform_read(const geometry_msgs__msg__Transform * message)
{
  const geometry_msgs__msg__Quaternion * q = &message->rotation;
  const geometry_msgs__msg__Vector3 * t = &message->translation;
  return (vouch_pose_t) {{q->x, q->y, q->z, q->w}, {t->x, t->y, t->z}};
}

void scene_transform_write(const vouch_pose_t * pose, geometry_msgs__msg__Transform * message)
{
  geometry_msgs__msg__Pose own;
  convert_pose_to_message(pose, &own);
  message->translation.x = own.position.x;
  message->translation.y = own.position.y;
  message->translation.z = own.position.z;
  message->rotation = own.orientation;
}

typedef geometry_msgs__msg__TransformStamped stamped_t;

/// The transforms of a message, sorted by child.
typedef struct frames_s
{
  const stamped_t ** items;
  size_t count;
} frames_t;

static int compare_children(const void * x, const void * y)
{
  const stamped_t * const * a = x, * const * b = y;
  return strcmp((*a)->child_frame_id.data, (*b)->child_frame_id.data);
}

static int compare_with_child(const void * name, const void * item)
{
  return strcmp(name, (*(const stamped_t * const *)item)->child_frame_id.data);
}

/// The transform with this child; NULL: none.
static const stamped_t * find_child(const frames_t * frames, const char * name)
{
  const stamped_t * const * found = bsearch(
    name, frames->items, frames->count, sizeof(*frames->items), compare_with_child);
  return found != NULL ? *found : NULL;
}

/// Follows the parents of transform `start`, in the list first, whatever the scene knew under that
/// name, to a frame of the robot or of the scene. INVALID: unknown name or a cycle.
static vouch_ret_t resolve_transform(
  vouch_scene_t * scene, const frames_t * frames, const stamped_t * start)
{
  enum {MOST_STEPS = 1000};
  vouch_pose_t pose = vouch_pose_identity();
  const stamped_t * item = start;
  for (size_t step = 0; step <= frames->count && step < MOST_STEPS; ++step) {
    vouch_pose_t own = scene_transform_read(&item->transform);
    vouch_ret_t ret = vouch_pose_validate(&own, "transform");
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "fixed_transforms '%s'", item->child_frame_id.data);
    }
    pose = vouch_pose_product(&own, &pose);
    const char * parent = item->header.frame_id.data;
    const stamped_t * next = find_child(frames, parent);
    if (next == NULL || vouch_robot_find_link(scene->robot, parent) != VOUCH_NONE ||
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
      return vouch_scene_set_transform(scene, start->child_frame_id.data, &pose);
    }
    item = next;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, frames->count < MOST_STEPS ?
    "fixed_transforms: '%.200s' hangs on itself, the frames form a cycle" :
    "fixed_transforms: '%.200s' hangs on itself, or below more than 1000 other frames",
    start->child_frame_id.data);
}

/// MoveIt writes its frames the other way round: the planning frame is the child, and the transform
/// takes points of the header's frame to it (moveit_core, Transforms).
static bool is_turned(
  const vouch_robot_t * robot, const stamped_t * item)
{
  const char * child = item->child_frame_id.data, * parent = item->header.frame_id.data;
  return child[0] != '\0' && vouch_robot_is_planning_frame(robot, child) &&
         !vouch_robot_is_planning_frame(robot, parent) &&
         vouch_robot_find_link(robot, parent) == VOUCH_NONE;
}

static vouch_ret_t apply_transform(
  vouch_scene_t * scene, const frames_t * frames, const stamped_t * item)
{
  const char * child = item->child_frame_id.data, * parent = item->header.frame_id.data;
  if (is_turned(scene->robot, item)) {
    vouch_pose_t pose = scene_transform_read(&item->transform);
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
  return !own ? resolve_transform(scene, frames, item) : vouch_fail(
    VOUCH_RET_INVALID, "fixed_transforms '%.200s': this is a frame of the robot itself", child);
}

vouch_ret_t scene_transforms_apply(
  vouch_scene_t * scene, const geometry_msgs__msg__TransformStamped__Sequence * all)
{
  const char ** names = calloc(all->size + 1, sizeof(*names));
  frames_t frames = {calloc(all->size + 1, sizeof(*frames.items)), all->size};
  vouch_ret_t ret = names != NULL && frames.items != NULL ? VOUCH_RET_OK :
    vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for transforms");
  for (size_t i = 0; ret == VOUCH_RET_OK && i < all->size; ++i) {
    frames.items[i] = &all->data[i];
    names[i] = is_turned(scene->robot, &all->data[i]) ? all->data[i].header.frame_id.data :
      all->data[i].child_frame_id.data;
  }
  if (ret == VOUCH_RET_OK) {
    qsort(frames.items, frames.count, sizeof(*frames.items), compare_children);
    ret = scene_refuse_twice("fixed_transforms", names, all->size);
  }
  free(names);
  /* Others may hang on MoveIt's, which are in the planning frame. */
  for (int turned = 1; turned >= 0; --turned) {
    for (size_t i = 0; ret == VOUCH_RET_OK && i < all->size; ++i) {
      if (is_turned(scene->robot, &all->data[i]) == (turned == 1)) {
        ret = apply_transform(scene, &frames, &all->data[i]);
      }
    }
  }
  free(frames.items);
  return ret;
}
