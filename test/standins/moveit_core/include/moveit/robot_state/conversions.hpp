// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include "moveit/robot_state/robot_state.hpp"

namespace moveit::core
{

inline void robotStateToRobotStateMsg(
  const RobotState & state, moveit_msgs::msg::RobotState & message, bool = true)
{
  message = state.message;
}

}  // namespace moveit::core
