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

// The response adapter (moveit/src) against headers that stand in for MoveIt's: what passes, what does not, and what
// is said. Exit 0 when everything held.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>

#include "moveit/planning_interface/planning_response_adapter.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

planning_interface::PlanningResponseAdapter * make_registered();

using moveit_msgs::msg::MoveItErrorCodes;
using Markers = visualization_msgs::msg::MarkerArray;

#define REQUIRE(condition) \
  do { \
    if (!(condition)) { \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1); \
    } \
  } while (0)

static const char urdf[] =
  "<robot name='arm'><link name='base'/>"
  "<link name='upper'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry>"
  "</collision></link><joint name='turn' type='revolute'><parent link='base'/><child link='upper'/>"
  "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>";

/// A plan of the arm from 0 to `end` in one step, and a plate of 4 mm at 0.785 rad.
struct Case
{
  std::shared_ptr<planning_scene::PlanningScene> scene =
    std::make_shared<planning_scene::PlanningScene>();
  planning_interface::MotionPlanResponse response;
  std::shared_ptr<rclcpp::Node> node = std::make_shared<rclcpp::Node>();
  std::unique_ptr<planning_interface::PlanningResponseAdapter> adapter{make_registered()};

  explicit Case(double end, const std::string & text = urdf)
  {
    node->parameters["robot_description"] = text;
    moveit_msgs::msg::CollisionObject plate;
    plate.header.frame_id = "base";
    plate.id = "plate";
    plate.pose.position.x = plate.pose.position.y = 0.6;
    plate.pose.orientation.w = 1.0;
    plate.primitives.resize(1);
    plate.primitives[0].type = 1;
    plate.primitives[0].dimensions = {0.004, 0.004, 0.5};
    scene->message.name = "cell";
    scene->message.world.collision_objects.push_back(plate);
    response.trajectory = std::make_shared<robot_trajectory::RobotTrajectory>();
    response.error_code.val = MoveItErrorCodes::SUCCESS;
    response.trajectory->states.resize(2);
    for (auto & state : response.trajectory->states) {
      state.message.joint_state.name = {"turn", "some_mimic"};
      state.message.joint_state.position = {0.0, 0.0};
    }
    auto & motion = response.trajectory->message.joint_trajectory;
    motion.joint_names = {"turn"};
    motion.points.resize(2);
    motion.points[0].positions = {0.0};
    motion.points[1].positions = {end};
    motion.points[1].time_from_start.sec = 1;
  }

  bool passes()
  {
    adapter->initialize(node, "move_group");
    return again();
  }
  bool again()
  {
    response.error_code = MoveItErrorCodes();
    response.error_code.val = MoveItErrorCodes::SUCCESS;
    adapter->adapt(scene, planning_interface::MotionPlanRequest(), response);
    const bool passed = response.error_code.val == MoveItErrorCodes::SUCCESS;
    REQUIRE(passed == response.error_code.message.empty());
    REQUIRE(passed || response.error_code.val == MoveItErrorCodes::INVALID_MOTION_PLAN);
    REQUIRE(passed || response.error_code.source == "vouch");
    return passed;
  }
  bool says(const std::string & word) const
  {
    return response.error_code.message.find(word) != std::string::npos;
  }
};

/// Both ends are clear of the plate, as MoveIt would see them; the way is not.
static void a_thin_plate_between_two_points()
{
  Case hit(1.5);
  REQUIRE(!hit.passes() && hit.says("plate") && hit.says("collide"));
  const auto publisher = std::static_pointer_cast<rclcpp::Publisher<Markers>>(hit.node->publisher);
  const Markers & markers = publisher->published.back();
  REQUIRE(markers.markers.size() == 2 && markers.markers[0].action == 3);
  const auto & at = markers.markers[1].pose.position;
  REQUIRE(std::hypot(at.x - 0.6, at.y - 0.6) < 0.1 && markers.markers[1].header.frame_id == "base");
  REQUIRE(Case(0.5).passes());
}

/// The robot and the checker are kept; the scene is not, when it changes.
static void scenes_change_between_calls()
{
  Case one(1.5);
  REQUIRE(!one.passes());
  one.scene->message.world.collision_objects[0].pose.position.x = 5.0;
  REQUIRE(one.again());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) {
    REQUIRE(one.again());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("a plan that passes, warm: %.3f ms\n", 1e3 * took.count() / 100);
  one.scene->message.world.collision_objects[0].pose.position.x = 0.6;
  REQUIRE(!one.again() && one.says("plate"));
  one.scene->message.world.collision_objects[0].id = "another \"plate\": {";
  REQUIRE(!one.again() && one.says("another \"plate\": {"));   // a text, not YAML
}

/// Numbers go over with every digit: 10 nm decide.
static void numbers_keep_their_digits()
{
  for (double gap : {1e-8, -1e-8}) {
    Case near(0.0);
    auto & plate = near.scene->message.world.collision_objects[0];
    plate.pose.position.x = 0.6;
    plate.pose.position.y = 0.05 + 0.002 + gap;
    near.response.trajectory->message.joint_trajectory.points[1].positions = {-0.1};
    REQUIRE(near.passes() == (gap > 0.0));
  }
}

static void an_object_that_is_held_belongs_to_the_states()
{
  Case held(0.5);
  moveit_msgs::msg::AttachedCollisionObject tool;
  tool.link_name = "upper";
  tool.object = held.scene->message.world.collision_objects[0];
  tool.object.id = "tool";
  tool.object.header.frame_id = "upper";
  tool.object.pose.position.x = 0.7;
  tool.object.pose.position.y = 0.48;   // it swings through the plate before the arm does
  for (auto & state : held.response.trajectory->states) {
    state.message.attached_collision_objects = {tool};
    state.attached.emplace_back("tool", "upper");
  }
  REQUIRE(!held.passes() && held.says("tool"));
  held.response.trajectory->states[1].attached.clear();
  REQUIRE(!held.again() && held.says("on the way"));
  held.response.trajectory->states[1].attached.emplace_back("tool", "base");
  REQUIRE(!held.again() && held.says("on the way"));
}

static void what_is_not_understood_does_not_pass()
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void (Case &)>> wrongs = {
    [](Case & c) {c.response.trajectory.reset();},
    [](Case & c) {c.response.trajectory->states.clear();},
    [](Case & c) {c.response.trajectory->throws = true;},
    [](Case & c) {c.scene.reset();},
    [](Case & c) {c.response.trajectory->message.multi_dof_joint_trajectory.points.resize(1);},
    [](Case & c) {c.response.trajectory->message.joint_trajectory.points.clear();},
    [](Case & c) {c.response.trajectory->message.joint_trajectory.joint_names = {"wrist"};},
    [nan](Case & c) {
      c.response.trajectory->message.joint_trajectory.points[1].positions = {nan};
    },
    [nan](Case & c) {c.scene->message.world.collision_objects[0].pose.position.x = nan;},
    [](Case & c) {c.scene->message.world.collision_objects[0].header.frame_id = "nowhere";},
    [](Case & c) {c.scene->message.world.collision_objects[0].primitives[0].dimensions = {1.0};},
    [](Case & c) {
      c.scene->message.link_scale.resize(1);
      c.scene->message.link_scale[0].link_name = "upper";
      c.scene->message.link_scale[0].scale = 1.1;
    },
    [](Case & c) {
      c.scene->message.world.octomap.octomap.id = "OcTree";
      c.scene->message.world.octomap.octomap.data = {1, 2, 3};
    },
    [](Case & c) {c.scene->message.world.collision_objects.clear();},   // nothing is checked then
    [](Case & c) {c.node->parameters.erase("robot_description");},
    [](Case & c) {c.node->parameters["robot_description"] = std::string("<robot");},
    [](Case & c) {c.node->parameters["move_group.vouch.deadline_s"] = -1.0;},
    [nan](Case & c) {c.node->parameters["move_group.vouch.margin_m"] = nan;},
  };
  for (const auto & wrong : wrongs) {
    Case one(0.5);
    wrong(one);
    REQUIRE(!one.passes());
    REQUIRE(one.response.error_code.message.size() > 20);
  }
  Case never(0.5);
  REQUIRE(!never.again());   // not initialized
}

static void parameters_count()
{
  Case one(0.5);
  one.node->parameters["move_group.vouch.tolerance_rad"] = 0.4;
  REQUIRE(!one.passes());
  one.node->parameters["move_group.vouch.tolerance_rad"] = 0.01;
  REQUIRE(one.passes());
}

int main()
{
  a_thin_plate_between_two_points();
  scenes_change_between_calls();
  numbers_keep_their_digits();
  an_object_that_is_held_belongs_to_the_states();
  what_is_not_understood_does_not_pass();
  parameters_count();
  std::puts("ok");
  return 0;
}
