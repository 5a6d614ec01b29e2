// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include <memory>
#include <string>

#include "moveit/planning_scene/planning_scene.hpp"
#include "moveit/robot_trajectory/robot_trajectory.hpp"
#include "moveit_msgs/msg/move_it_error_codes.hpp"
#include "rclcpp/rclcpp.hpp"

namespace planning_interface
{

struct MotionPlanRequest
{
};

struct MotionPlanResponse
{
  robot_trajectory::RobotTrajectoryPtr trajectory;
  moveit_msgs::msg::MoveItErrorCodes error_code;
};

class PlanningResponseAdapter
{
public:
  virtual ~PlanningResponseAdapter() = default;
  virtual void initialize(const rclcpp::Node::SharedPtr & node, const std::string & ns) = 0;
  virtual std::string getDescription() const = 0;
  virtual void adapt(
    const planning_scene::PlanningSceneConstPtr & scene, const MotionPlanRequest & request,
    MotionPlanResponse & response) const = 0;
};

}  // namespace planning_interface
