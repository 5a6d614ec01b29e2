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

#include "certifier.hpp"

#include <exception>
#include <memory>
#include <utility>

namespace vouch_moveit
{

Certifier::Certifier(std::string urdf, std::string srdf, const Settings & settings)
: urdf_(std::move(urdf)), srdf_(std::move(srdf)), settings_(settings) {}

Certifier::~Certifier()
{
  forget_scene();
  vouch_robot_destroy(robot_);
}

void Certifier::forget_scene()
{
  vouch_checker_destroy(checker_);
  checker_ = nullptr;
  scene_.clear();
}

bool Certifier::load_robot()
{
  if (robot_ != nullptr) {
    return true;
  }
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_text = srdf_.empty() ? nullptr : srdf_.c_str();
  options.surfaces = settings_.surfaces;
  options.hulls = settings_.hulls;
  return vouch_robot_parse_urdf(&robot_, urdf_.c_str(), urdf_.size(), nullptr, &options) ==
         VOUCH_RET_OK;
}

bool Certifier::load_scene(const std::string & text)
{
  if (checker_ != nullptr && text == scene_) {
    return true;
  }
  forget_scene();
  vouch_scene_t * made = nullptr;
  vouch_scene_options_t scene_options = vouch_scene_options_default();
  scene_options.surfaces = settings_.surfaces;
  scene_options.hulls = settings_.hulls;
  if (vouch_scene_create(&made, robot_, &scene_options) != VOUCH_RET_OK) {
    return false;
  }
  const std::unique_ptr<vouch_scene_t, void (*)(vouch_scene_t *)> scene(made, vouch_scene_destroy);
  vouch_check_options_t options = vouch_check_options_default();
  options.margin_m = settings_.margin_m;
  options.tolerance_rad = settings_.tolerance_rad;
  options.tolerance_m = settings_.tolerance_m;
  options.deadline_s = settings_.deadline_s;
  options.clearance = false;
  if (vouch_scene_parse(made, text.data(), text.size()) != VOUCH_RET_OK ||
    vouch_checker_create(&checker_, made, &options) != VOUCH_RET_OK)
  {
    return false;
  }
  scene_ = text;
  return true;
}

static std::string describe(const vouch_result_t & result, Answer & answer)
{
  if (result.verdict == VOUCH_FREE) {
    return "proved free of collisions, between its points too";
  }
  if (result.verdict == VOUCH_COLLISION) {
    const vouch_contact_t & first = result.first_collision;
    answer.has_contact = true;
    for (size_t i = 0; i < 3; ++i) {
      answer.contact[i] = 0.5 * (first.point_a[i] + first.point_b[i]);
    }
    return std::string("'") + first.a + "' and '" + first.b + "' " +
           (first.kind == VOUCH_CONTACT_CONTACT ? "collide" : "come nearer than the margin") +
           " at " + std::to_string(first.time_s) + " s (segment " + std::to_string(first.segment) + ")";
  }
  if (result.open_count == 0) {
    return "not proved: there is nothing to check";
  }
  const vouch_open_t & open = result.open[0];
  return std::string("not proved: '") + open.a + "' and '" +
         (open.b != nullptr && open.b[0] != '\0' ? open.b : "the obstacles") + "' from " +
         std::to_string(open.begin_s) + " to " + std::to_string(open.end_s) + " s (" +
         vouch_open_reason_name(open.reason) + ")";
}

/// MoveIt names mimic joints too, which follow by themselves here.
static Start moving_joints(const vouch_robot_t * robot, const Start & start)
{
  Start out;
  for (size_t i = 0; i < start.names.size() && i < start.positions.size(); ++i) {
    if (vouch_robot_find_variable(robot, start.names[i].c_str()) >= 0) {
      out.names.push_back(start.names[i]);
      out.positions.push_back(start.positions[i]);
    }
  }
  return out;
}

Answer Certifier::check_locked(
  const std::string & scene, const std::string & trajectory, const Start & start)
{
  Answer answer;
  if (urdf_.empty()) {
    answer.message = "there is no URDF: the parameter robot_description is empty";
    return answer;
  }
  if (!load_robot() || !load_scene(scene)) {
    answer.message = vouch_error();
    return answer;
  }
  const Start known = moving_joints(robot_, start);
  std::vector<const char *> names;
  for (const std::string & name : known.names) {
    names.push_back(name.c_str());
  }
  const vouch_joint_values_t values = {
    names.data(), known.positions.data(), nullptr, nullptr, names.size()};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.model = VOUCH_MODEL_CONTROLLER;
  options.start_state = names.empty() ? nullptr : &values;
  vouch_motion_t * made = nullptr;
  if (vouch_motion_parse(&made, robot_, trajectory.data(), trajectory.size(), &options) !=
    VOUCH_RET_OK)
  {
    answer.message = vouch_error();
    return answer;
  }
  const std::unique_ptr<vouch_motion_t, void (*)(vouch_motion_t *)> motion(
    made, vouch_motion_destroy);
  vouch_result_t result{};
  if (vouch_check(checker_, made, &result) != VOUCH_RET_OK) {
    answer.message = vouch_error();
    return answer;
  }
  answer.message = describe(result, answer);
  answer.free = result.verdict == VOUCH_FREE;
  return answer;
}

Answer Certifier::check(
  const std::string & scene, const std::string & trajectory, const Start & start) noexcept
{
  try {
    const std::lock_guard<std::mutex> lock(mutex_);
    return check_locked(scene, trajectory, start);
  } catch (...) {
    return Answer();   // no memory, even for a sentence
  }
}

}  // namespace vouch_moveit
