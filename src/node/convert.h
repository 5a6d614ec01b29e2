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

/* Messages to and from the library's types. */

#ifndef NODE__CONVERT_H_
#define NODE__CONVERT_H_

#include "geometry_msgs/msg/pose.h"
#include "vouch/fcl_mirror.h"
#include "vouch/msg/collision_geometry.h"
#include "vouch/msg/obstacle.h"
#include "vouch/srv/check_trajectory.h"
#include "vouch/vouch.h"

/// All-zero quaternions mean the identity; everything else is validated where it is used.
vouch_pose_t convert_pose(const geometry_msgs__msg__Pose * message);
void convert_pose_to_message(const vouch_pose_t * pose, geometry_msgs__msg__Pose * message);
void convert_point_to_message(const double point[3], geometry_msgs__msg__Point * message);

/// The shapes of one object. Points and triangles go on living in the message.
typedef struct shape_list_s
{
  vouch_shape_t * shapes;
  vouch_pose_t * poses;
  size_t count, capacity;
  double (**polygons)[3];    // bases of prisms
  size_t polygon_count;
} shape_list_t;

/// Errors name the shape; the caller adds the object.
vouch_ret_t shape_list_from_obstacle(
  shape_list_t * list, const vouch__msg__Obstacle * obstacle) VOUCH_WARN_UNUSED;
void shape_list_fini(shape_list_t * list);

/// Appends one shape to an obstacle. False: no memory.
bool convert_shape_to_obstacle(
  const vouch_shape_t * shape, const vouch_pose_t * pose, vouch__msg__Obstacle * obstacle);

/* ---- FCL's mirrors ---- */

/// Pointers go on pointing into the message.
vouch_ret_t convert_fcl_from_message(
  const vouch__msg__CollisionGeometry * message, vouch_fcl_geometry_t * geometry) VOUCH_WARN_UNUSED;
bool convert_fcl_to_message(
  const vouch_fcl_geometry_t * geometry, vouch__msg__CollisionGeometry * message);
/// Fills the FCL results of a response. Poses of the two bodies are the caller's to fill.
bool convert_fcl_results(
  const vouch_result_t * result, double duration, vouch__srv__CheckTrajectory_Response * response);

/* ---- sequences ---- */

/// Makes room for one more element: `type` is the C name of the message.
#define SEQUENCE_GROW(type) \
  static bool type ## __grow(type ## __Sequence * sequence) \
  { \
    type ## __Sequence bigger; \
    if (!type ## __Sequence__init(&bigger, sequence->size + 1)) { \
      return false; \
    } \
    for (size_t i = 0; i < sequence->size; ++i) { \
      type swap = bigger.data[i]; \
      bigger.data[i] = sequence->data[i]; \
      sequence->data[i] = swap; \
    } \
    type ## __Sequence__fini(sequence); \
    *sequence = bigger; \
    return true; \
  }

#endif  // NODE__CONVERT_H_
