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

// What the response adapter asks of vouch, without MoveIt: texts in, an answer out. The robot is kept, and so is
// the checker while the scene stays the same. Nothing here throws but the constructor's bad_alloc.

#ifndef CERTIFIER_HPP_
#define CERTIFIER_HPP_

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "vouch/vouch.h"

namespace vouch_moveit
{

struct Settings
{
  double margin_m = 0.0;        // metres that must remain
  double tolerance_rad = 0.0;   // deviations that the proof survives
  double tolerance_m = 0.0;
  double deadline_s = 2.0;
  bool surfaces = false;        // open meshes are meant as surfaces
  bool hulls = false;
};

struct Answer
{
  bool free = false;            // proved, and nothing else is
  std::string message;          // a sentence, whatever it is
  bool has_contact = false;
  std::array<double, 3> contact{};   // in the frame of the robot's root link
};

/// Where the robot is when the trajectory begins.
struct Start
{
  std::vector<std::string> names;
  std::vector<double> positions;
};

class Certifier
{
public:
  Certifier(std::string urdf, std::string srdf, const Settings & settings);
  ~Certifier();
  Certifier(const Certifier &) = delete;
  Certifier & operator=(const Certifier &) = delete;

  /// `scene` and `trajectory`: moveit_msgs/PlanningScene and RobotTrajectory as YAML. From any thread.
  Answer check(
    const std::string & scene, const std::string & trajectory, const Start & start) noexcept;

private:
  Answer check_locked(
    const std::string & scene, const std::string & trajectory, const Start & start);
  bool load_robot();
  bool load_scene(const std::string & text);
  void forget_scene();

  const std::string urdf_, srdf_;
  const Settings settings_;
  std::mutex mutex_;
  vouch_robot_t * robot_ = nullptr;
  vouch_checker_t * checker_ = nullptr;
  std::string scene_;           // that the checker is made for
};

}  // namespace vouch_moveit

#endif  // CERTIFIER_HPP_
