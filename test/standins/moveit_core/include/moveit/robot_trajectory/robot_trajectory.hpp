// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include <stdexcept>

#include "moveit/robot_state/robot_state.hpp"
#include "moveit_msgs/msg/robot_trajectory.hpp"

namespace robot_trajectory
{

class RobotTrajectory
{
public:
  std::size_t getWayPointCount() const {return states.size();}
  const moveit::core::RobotState & getWayPoint(std::size_t index) const {return states.at(index);}
  const moveit::core::RobotState & getFirstWayPoint() const {return states.at(0);}
  void getRobotTrajectoryMsg(moveit_msgs::msg::RobotTrajectory & message) const
  {
    if (throws) {
      throw std::runtime_error("a conversion that throws");
    }
    message = this->message;
  }
  std::vector<moveit::core::RobotState> states;
  moveit_msgs::msg::RobotTrajectory message;
  bool throws = false;
};
using RobotTrajectoryPtr = std::shared_ptr<RobotTrajectory>;

}  // namespace robot_trajectory
