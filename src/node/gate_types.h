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

/* The two action types that the gate speaks: vouch/action/FollowTrajectory, and
 * control_msgs/action/FollowJointTrajectory where it was found. They have the same fields, so a type
 * is a table of places inside its messages, and everything else is written once. */

#ifndef NODE__GATE_TYPES_H_
#define NODE__GATE_TYPES_H_

#include "node/executor.h"
#include "rosidl_runtime_c/action_type_support_struct.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "vouch/msg/joint_tolerance.h"

/// Where fields are, in bytes from the beginning of their message.
typedef struct gate_places_s
{
  size_t goal_id, trajectory, multi_dof_points;                // of a goal request
  size_t path_tolerance, goal_tolerance, goal_time_tolerance;
  size_t component_path_size, component_goal_size;
  size_t accepted, stamp;                                      // of a goal response
  size_t result_goal_id;                                       // of a result request
  size_t status, error_code, error_string;                     // of a result response
  size_t feedback_goal_id;                                     // of a feedback message
} gate_places_t;

typedef struct gate_type_s
{
  const char * name;
  const rosidl_action_type_support_t * (*support)(void);
  message_type_t goal_request, goal_response, result_request, result_response, feedback;
  gate_places_t places;
} gate_type_t;

/// "auto", "control_msgs" or "vouch". NULL: not compiled in.
const gate_type_t * gate_type_find(const char * name);

void * gate_message_create(const message_type_t * type);
void gate_message_destroy(const message_type_t * type, void * message);

/// What the gate reads of a goal. Everything points into the request.
typedef struct gate_goal_view_s
{
  const uint8_t * id;   // 16 bytes
  const trajectory_msgs__msg__JointTrajectory * trajectory;
  const vouch__msg__JointTolerance__Sequence * path_tolerance;
  const vouch__msg__JointTolerance__Sequence * goal_tolerance;
  double goal_time_tolerance_s;
  bool multi_dof;       // it has fields for joints with several degrees of freedom
} gate_goal_view_t;

gate_goal_view_t gate_view_goal(const gate_type_t * type, const void * goal_request);

/// A field of a message.
#define GATE_FIELD(message, place, kind) ((kind *)((char *)(message) + (place)))
#define GATE_CONST_FIELD(message, place, kind) ((const kind *)((const char *)(message) + (place)))

#endif  // NODE__GATE_TYPES_H_
