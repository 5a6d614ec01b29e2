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

/* What the files about scene messages share. */

#ifndef NODE__SCENE_MESSAGE_H_
#define NODE__SCENE_MESSAGE_H_

#include "geometry_msgs/msg/transform.h"
#include "geometry_msgs/msg/transform_stamped.h"
#include "node/node.h"
#include "vouch/msg/allowed_pairs.h"

vouch_pose_t scene_transform_read(const geometry_msgs__msg__Transform * message);
void scene_transform_write(const vouch_pose_t * pose, geometry_msgs__msg__Transform * message);

/// INVALID when a name is there twice, as in files: only one can be meant. Sorts the names.
vouch_ret_t scene_refuse_twice(
  const char * what, const char ** names, size_t count) VOUCH_WARN_UNUSED;

/// The message's fixed_transforms, in whatever order they are.
vouch_ret_t scene_transforms_apply(
  vouch_scene_t * scene,
  const geometry_msgs__msg__TransformStamped__Sequence * all) VOUCH_WARN_UNUSED;

/// The message's pairs onto a scene, and all pairs of a scene into an empty message (false: no memory).
vouch_ret_t scene_allowed_apply(
  vouch_scene_t * scene, const vouch__msg__AllowedPairs * allowed) VOUCH_WARN_UNUSED;
bool scene_allowed_fill(const vouch_scene_t * scene, vouch__msg__AllowedPairs * out);

#endif  // NODE__SCENE_MESSAGE_H_
