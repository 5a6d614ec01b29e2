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

#include "node/gate_types.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "builtin_interfaces/msg/duration.h"
#include "vouch/action/follow_trajectory.h"

/// Defines the gate_type_t `type` for an action of a package, `prefix` its C name.
#define GATE_TYPE(type, prefix, package, action) \
  MESSAGE_TYPE(type ## _goal_request, prefix ## _SendGoal_Request); \
  MESSAGE_TYPE(type ## _goal_response, prefix ## _SendGoal_Response); \
  MESSAGE_TYPE(type ## _result_request, prefix ## _GetResult_Request); \
  MESSAGE_TYPE(type ## _result_response, prefix ## _GetResult_Response); \
  MESSAGE_TYPE(type ## _feedback, prefix ## _FeedbackMessage); \
  static const rosidl_action_type_support_t * type ## _support(void) \
  { \
    return ROSIDL_GET_ACTION_TYPE_SUPPORT(package, action); \
  } \
  static const gate_type_t * type(void) \
  { \
    static gate_type_t made; \
    made = (gate_type_t) { \
      #package "/action/" #action, type ## _support, type ## _goal_request, \
      type ## _goal_response, type ## _result_request, type ## _result_response, \
      type ## _feedback, { \
        offsetof(prefix ## _SendGoal_Request, goal_id), \
        offsetof(prefix ## _SendGoal_Request, goal.trajectory), \
        offsetof(prefix ## _SendGoal_Request, goal.multi_dof_trajectory.points.size), \
        offsetof(prefix ## _SendGoal_Request, goal.path_tolerance), \
        offsetof(prefix ## _SendGoal_Request, goal.goal_tolerance), \
        offsetof(prefix ## _SendGoal_Request, goal.goal_time_tolerance), \
        offsetof(prefix ## _SendGoal_Request, goal.component_path_tolerance.size), \
        offsetof(prefix ## _SendGoal_Request, goal.component_goal_tolerance.size), \
        offsetof(prefix ## _SendGoal_Response, accepted), \
        offsetof(prefix ## _SendGoal_Response, stamp), \
        offsetof(prefix ## _GetResult_Request, goal_id), \
        offsetof(prefix ## _GetResult_Response, status), \
        offsetof(prefix ## _GetResult_Response, result.error_code), \
        offsetof(prefix ## _GetResult_Response, result.error_string), \
        offsetof(prefix ## _FeedbackMessage, goal_id) \
      } \
    }; \
    return &made; \
  }

GATE_TYPE(own_type, vouch__action__FollowTrajectory, vouch, FollowTrajectory)

#ifdef VOUCH_HAVE_CONTROL_MSGS

#include "control_msgs/action/follow_joint_trajectory.h"

GATE_TYPE(
  control_type, control_msgs__action__FollowJointTrajectory, control_msgs, FollowJointTrajectory)

/* Tolerances of the one are read as those of the other. */
_Static_assert(
  sizeof(control_msgs__msg__JointTolerance) == sizeof(vouch__msg__JointTolerance) &&
  offsetof(control_msgs__msg__JointTolerance, name) == offsetof(vouch__msg__JointTolerance, name) &&
  offsetof(control_msgs__msg__JointTolerance, position) ==
  offsetof(vouch__msg__JointTolerance, position), "JointTolerance of control_msgs is another one");

#else

static const gate_type_t * control_type(void) {return NULL;}

#endif

const gate_type_t * gate_type_find(const char * name)
{
  const gate_type_t * control = control_type();
  if (strcmp(name, "control_msgs") == 0) {
    return control;
  }
  return strcmp(name, "auto") == 0 && control != NULL ? control : own_type();
}

void * gate_message_create(const message_type_t * type)
{
  void * message = calloc(1, type->size);
  if (message != NULL && !type->init(message)) {
    free(message);
    return NULL;
  }
  return message;
}

void gate_message_destroy(const message_type_t * type, void * message)
{
  if (message != NULL) {
    type->fini(message);
    free(message);
  }
}

gate_goal_view_t gate_view_goal(const gate_type_t * type, const void * goal_request)
{
  const gate_places_t * at = &type->places;
  const builtin_interfaces__msg__Duration * late = GATE_CONST_FIELD(
    goal_request, at->goal_time_tolerance, builtin_interfaces__msg__Duration);
  size_t foreign = *GATE_CONST_FIELD(goal_request, at->multi_dof_points, size_t) +
    *GATE_CONST_FIELD(goal_request, at->component_path_size, size_t) +
    *GATE_CONST_FIELD(goal_request, at->component_goal_size, size_t);
  return (gate_goal_view_t) {
           GATE_CONST_FIELD(goal_request, at->goal_id, uint8_t),
           GATE_CONST_FIELD(goal_request, at->trajectory, trajectory_msgs__msg__JointTrajectory),
           GATE_CONST_FIELD(goal_request, at->path_tolerance, vouch__msg__JointTolerance__Sequence),
           GATE_CONST_FIELD(goal_request, at->goal_tolerance, vouch__msg__JointTolerance__Sequence),
           (double)late->sec + 1e-9 * (double)late->nanosec, foreign > 0
  };
}
