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

/* use_sim_time: the node's clock follows /clock. */

#include "node/node.h"
#include "rcl/error_handling.h"

#ifdef VOUCH_HAVE_ROSGRAPH_MSGS

#include "rosgraph_msgs/msg/clock.h"

MESSAGE_TYPE(clock_type, rosgraph_msgs__msg__Clock);

static void on_clock(const void * message, void * context)
{
  vouch_node_t * node = context;
  const rosgraph_msgs__msg__Clock * clock = message;
  rcl_time_point_value_t now =
    (int64_t)clock->clock.sec * 1000000000LL + (int64_t)clock->clock.nanosec;
  if (rcl_set_ros_time_override(&node->clock, now) != RCL_RET_OK) {
    rcl_reset_error();
  }
}

bool sim_time_init(vouch_node_t * node)
{
  if (!parameters_bool(&node->parameters, PARAMETER_USE_SIM_TIME)) {
    return true;
  }
  subscription_setting_t setting = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock), &clock_type, "/clock",
    rmw_qos_profile_sensor_data, on_clock, NULL
  };
  setting.qos.depth = 1;
  return rcl_enable_ros_time_override(&node->clock) == RCL_RET_OK &&
         node_listen(node, &setting);
}

#else

bool sim_time_init(vouch_node_t * node)
{
  if (parameters_bool(&node->parameters, PARAMETER_USE_SIM_TIME)) {
    NODE_ERROR(node, "use_sim_time is set, but this build found no rosgraph_msgs");
    return false;
  }
  return true;
}

#endif
