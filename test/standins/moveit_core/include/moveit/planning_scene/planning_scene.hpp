// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include "moveit/robot_state/robot_state.hpp"
#include "moveit_msgs/msg/planning_scene.hpp"

namespace planning_scene
{

class PlanningScene
{
public:
  void getPlanningSceneMsg(moveit_msgs::msg::PlanningScene & message) const {message = this->message;}
  const moveit::core::RobotModelConstPtr & getRobotModel() const {return model;}
  moveit_msgs::msg::PlanningScene message;
  moveit::core::RobotModelConstPtr model = std::make_shared<moveit::core::RobotModel>();
};
using PlanningSceneConstPtr = std::shared_ptr<const PlanningScene>;

}  // namespace planning_scene
