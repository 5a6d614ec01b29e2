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

/* Requests and limits of joints: whatever the bytes are, an answer or a sentence; what is read of them
 * can be planned with, or is refused. */

#include <math.h>
#include <stdlib.h>

#include "support/toy.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static void use_limits(const vouch_robot_t * robot, const uint8_t * data, size_t size)
{
  vouch_joint_limits_t * limits = NULL;
  if (vouch_joint_limits_parse(&limits, robot, (const char *)data, size) != VOUCH_RET_OK) {
    if (limits != NULL || vouch_error()[0] == '\0') {
      abort();
    }
    return;
  }
  static vouch_scene_t * scene;
  if (scene == NULL && vouch_scene_create(&scene, robot, NULL) != VOUCH_RET_OK) {
    abort();
  }
  vouch_planner_t * planner = NULL;
  vouch_plan_options_t options = vouch_plan_options_default();
  options.limits = vouch_joint_limits_list(limits, &options.limit_count);
  options.max_nodes = 4;
  options.shortcuts = 0;
  const double start[3] = {0.1, 0.2, 0.3}, goal[3] = {0.3, 0.1, 0.2};
  const vouch_plan_request_t request = {.start = start, .goals = goal, .goal_count = 1};
  vouch_plan_result_t result;
  if (vouch_planner_create(&planner, scene, NULL, &options) == VOUCH_RET_OK) {
    vouch_ret_t ret = vouch_plan(planner, &request, &result);
    if (ret == VOUCH_RET_INTERNAL || (result.verdict == VOUCH_FREE) != (result.motion != NULL)) {
      abort();
    }
  }
  vouch_planner_destroy(planner);
  vouch_joint_limits_destroy(limits);
}

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  static vouch_robot_t * robot;
  if (robot == NULL) {
    robot = toy_robot();
  }
  vouch_request_t request;
  if (vouch_request_parse(&request, robot, (const char *)data, size) == VOUCH_RET_OK) {
    for (size_t i = 0; i < 3 * request.goal_count; i++) {
      if (!isnan(request.goals[i]) && !(fabs(request.goals[i]) <= 65536.0)) {
        abort();
      }
    }
  } else if (request.goals != NULL || vouch_error()[0] == '\0') {
    abort();
  }
  vouch_request_fini(&request);
  use_limits(robot, data, size);
  return 0;
}
