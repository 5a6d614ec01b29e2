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

/* With control_msgs: a FollowJointTrajectory goal on a topic. Its path tolerances become the
 * tolerances
 * of the proof, so that what the controller would accept is what was proved. */

#include "node/node.h"

#ifdef VOUCH_HAVE_CONTROL_MSGS

#include <math.h>
#include <stdlib.h>

#include "control_msgs/action/follow_joint_trajectory.h"

typedef control_msgs__action__FollowJointTrajectory_Goal goal_t;

MESSAGE_TYPE(goal_type, control_msgs__action__FollowJointTrajectory_Goal);

/// 0 means the default and is left out. -1 ("no limit") becomes NaN, which the check refuses by
/// name.
static void on_goal(const void * message, void * context)
{
  vouch_node_t * node = context;
  const goal_t * goal = message;
  size_t count = 0;
  if (goal->multi_dof_trajectory.points.size > 0 || goal->component_path_tolerance.size > 0) {
    live_refuse(
      node, "multi-DOF joints are not supported: leave multi_dof_trajectory and "
      "component_path_tolerance empty", NULL, 0);
    return;
  }
  vouch_joint_tolerance_t * tolerances =
    calloc(goal->path_tolerance.size + 1, sizeof(*tolerances));
  if (tolerances == NULL) {
    live_refuse(node, "no memory for tolerances", NULL, 0);
    return;
  }
  for (size_t i = 0; i < goal->path_tolerance.size; ++i) {
    const control_msgs__msg__JointTolerance * item = &goal->path_tolerance.data[i];
    if (item->position != 0.0) {
      tolerances[count++] = (vouch_joint_tolerance_t) {
        item->name.data, item->position > 0.0 ? item->position : NAN
      };
    }
  }
  live_order_t order = {
    .trajectory = &goal->trajectory, .tolerances = tolerances, .tolerance_count = count
  };
  live_vet(node, &order);
  free(tolerances);
}

bool convert_control_init(vouch_node_t * node)
{
  subscription_setting_t setting = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_Goal), &goal_type,
    "~/follow_joint_trajectory_goal", rmw_qos_profile_default, on_goal, NULL
  };
  return executor_subscribe(node->executor, &setting, node, NULL) == RCL_RET_OK;
}

#else

bool convert_control_init(vouch_node_t * node)
{
  (void)node;
  return true;
}

#endif
