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

// vouch/CertifyTrajectory: a response adapter of MoveIt 2 (Jazzy and newer) that lets a plan pass only when it is
// proved free between its points, as the controller will execute it. What it does not understand does not pass.

#include <exception>
#include <locale>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "certifier.hpp"
#include "class_loader/class_loader.hpp"
#include "moveit/planning_interface/planning_response_adapter.hpp"
#include "moveit/planning_scene/planning_scene.hpp"
#include "moveit/robot_state/conversions.hpp"
#include "moveit/robot_trajectory/robot_trajectory.hpp"
#include "moveit_msgs/msg/move_it_error_codes.hpp"
#include "moveit_msgs/msg/planning_scene.hpp"
#include "moveit_msgs/msg/robot_trajectory.hpp"
#include "rclcpp/rclcpp.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

namespace vouch
{

using moveit_msgs::msg::MoveItErrorCodes;

namespace
{

/// Every digit counts, and a comma must not stand for the point.
template<typename Message>
std::string as_yaml(const Message & message)
{
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  to_block_style_yaml(message, out);
  return out.str();
}

/// What every state of the trajectory has to agree about: body and link.
std::map<std::string, std::string> attached(const moveit::core::RobotState & state)
{
  std::vector<const moveit::core::AttachedBody *> bodies;
  state.getAttachedBodies(bodies);
  std::map<std::string, std::string> out;
  for (const moveit::core::AttachedBody * body : bodies) {
    out[body->getName()] = body->getAttachedLinkName();
  }
  return out;
}

/// Fields that Humble's message does not have yet.
template<typename Codes>
auto explain(Codes & codes, const std::string & message, int) -> decltype((void)codes.source)
{
  codes.message = message;
  codes.source = "vouch";
}
template<typename Codes>
void explain(Codes &, const std::string &, long) {}   // NOLINT: the second choice of the overload

}  // namespace

class CertifyTrajectory : public planning_interface::PlanningResponseAdapter
{
public:
  void initialize(
    const rclcpp::Node::SharedPtr & node, const std::string & parameter_namespace) override
  {
    const std::string prefix =
      parameter_namespace.empty() ? "vouch." : parameter_namespace + ".vouch.";
    vouch_moveit::Settings settings;
    node->get_parameter_or(prefix + "margin_m", settings.margin_m, settings.margin_m);
    node->get_parameter_or(
      prefix + "tolerance_rad", settings.tolerance_rad, settings.tolerance_rad);
    node->get_parameter_or(prefix + "tolerance_m", settings.tolerance_m, settings.tolerance_m);
    node->get_parameter_or(prefix + "deadline_s", settings.deadline_s, settings.deadline_s);
    node->get_parameter_or(prefix + "surfaces", settings.surfaces, settings.surfaces);
    node->get_parameter_or(prefix + "hulls", settings.hulls, settings.hulls);
    std::string urdf, srdf, topic;
    node->get_parameter_or<std::string>("robot_description", urdf, "");
    node->get_parameter_or<std::string>("robot_description_semantic", srdf, "");
    node->get_parameter_or<std::string>(
      prefix + "display_contacts_topic", topic, "display_contacts");
    logger_ = std::make_unique<rclcpp::Logger>(node->get_logger().get_child("vouch"));
    if (!topic.empty()) {
      contacts_ = node->create_publisher<visualization_msgs::msg::MarkerArray>(topic, 10);
    }
    certifier_ = std::make_unique<vouch_moveit::Certifier>(urdf, srdf, settings);
  }

  [[nodiscard]] std::string getDescription() const override {return "vouch/CertifyTrajectory";}

  void adapt(
    const planning_scene::PlanningSceneConstPtr & planning_scene,
    const planning_interface::MotionPlanRequest &,
    planning_interface::MotionPlanResponse & response) const override
  {
    vouch_moveit::Answer answer;
    try {
      answer = certify(planning_scene, response);
    } catch (const std::exception & error) {
      answer = vouch_moveit::Answer();
      answer.message = error.what();
    } catch (...) {
      answer = vouch_moveit::Answer();
    }
    if (!answer.free) {
      response.error_code.val = MoveItErrorCodes::INVALID_MOTION_PLAN;
      try {
        tell(planning_scene, answer, response);
      } catch (...) {
        // The plan does not pass; the reason is all that is lost.
      }
    }
  }

private:
  static vouch_moveit::Answer refuse(const std::string & why)
  {
    vouch_moveit::Answer answer;
    answer.message = why;
    return answer;
  }

  vouch_moveit::Answer certify(
    const planning_scene::PlanningSceneConstPtr & planning_scene,
    const planning_interface::MotionPlanResponse & response) const
  {
    if (!certifier_ || !planning_scene || !response.trajectory ||
      response.trajectory->getWayPointCount() == 0)
    {
      return refuse("there is no trajectory, no scene, or the adapter was not initialized");
    }
    const robot_trajectory::RobotTrajectory & trajectory = *response.trajectory;
    moveit_msgs::msg::RobotTrajectory motion;
    trajectory.getRobotTrajectoryMsg(motion);
    if (!motion.multi_dof_joint_trajectory.points.empty()) {
      return refuse("joints with several degrees of freedom are not supported");
    }
    const auto bodies = attached(trajectory.getFirstWayPoint());
    for (size_t i = 1; i < trajectory.getWayPointCount(); ++i) {
      if (attached(trajectory.getWayPoint(i)) != bodies) {
        return refuse("a body is attached or detached on the way, at point " + std::to_string(i));
      }
    }
    moveit_msgs::msg::PlanningScene scene;
    planning_scene->getPlanningSceneMsg(scene);
    moveit::core::robotStateToRobotStateMsg(trajectory.getFirstWayPoint(), scene.robot_state);
    scene.is_diff = scene.robot_state.is_diff = false;
    const vouch_moveit::Start start = {
      scene.robot_state.joint_state.name, scene.robot_state.joint_state.position};
    /* Where joints are does not change a scene in the planning frame: it stays the same text, and the
     * checker is kept. */
    scene.robot_state.joint_state = sensor_msgs::msg::JointState();
    return certifier_->check(as_yaml(scene), as_yaml(motion), start);
  }

  void tell(
    const planning_scene::PlanningSceneConstPtr & planning_scene,
    const vouch_moveit::Answer & answer, planning_interface::MotionPlanResponse & response) const
  {
    const std::string message =
      "vouch: " + (answer.message.empty() ? "not proved: no memory" : answer.message);
    explain(response.error_code, message, 0);
    if (logger_) {
      RCLCPP_ERROR(*logger_, "%s", message.c_str());
    }
    if (!contacts_ || !planning_scene) {
      return;
    }
    visualization_msgs::msg::MarkerArray markers;
    markers.markers.emplace_back();
    markers.markers.back().action = visualization_msgs::msg::Marker::DELETEALL;
    if (answer.has_contact) {
      visualization_msgs::msg::Marker contact;
      contact.header.frame_id = planning_scene->getRobotModel()->getRootLinkName();
      contact.ns = "vouch";
      contact.type = visualization_msgs::msg::Marker::SPHERE;
      contact.action = visualization_msgs::msg::Marker::ADD;
      contact.pose.position.x = answer.contact[0];
      contact.pose.position.y = answer.contact[1];
      contact.pose.position.z = answer.contact[2];
      contact.scale.x = contact.scale.y = contact.scale.z = 0.05;
      contact.color.r = contact.color.a = 1.0f;
      markers.markers.push_back(contact);
    }
    contacts_->publish(markers);
  }

  std::unique_ptr<vouch_moveit::Certifier> certifier_;
  std::unique_ptr<rclcpp::Logger> logger_;
  rclcpp::Publisher<visualization_msgs::msg::MarkerArray>::SharedPtr contacts_;
};

}  // namespace vouch

CLASS_LOADER_REGISTER_CLASS(vouch::CertifyTrajectory, planning_interface::PlanningResponseAdapter)
