// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "moveit_msgs/msg/robot_state.hpp"

namespace moveit::core
{

class AttachedBody
{
public:
  AttachedBody(std::string name, std::string link) : name_(name), link_(link) {}
  const std::string & getName() const {return name_;}
  const std::string & getAttachedLinkName() const {return link_;}

private:
  std::string name_, link_;
};

class RobotModel
{
public:
  const std::string & getRootLinkName() const {return root_;}

private:
  std::string root_ = "base";
};
using RobotModelConstPtr = std::shared_ptr<const RobotModel>;

class RobotState
{
public:
  void getAttachedBodies(std::vector<const AttachedBody *> & bodies) const
  {
    bodies.clear();
    for (const AttachedBody & body : attached) {
      bodies.push_back(&body);
    }
  }
  std::vector<AttachedBody> attached;
  moveit_msgs::msg::RobotState message;   // what the conversion gives
};

}  // namespace moveit::core
