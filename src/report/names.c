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

/* The words that all reports share, and the collected warnings. */

#include <string.h>

#include "report/report.h"

const char * vouch_motion_model_name(vouch_motion_model_t model)
{
  switch (model) {
    case VOUCH_MODEL_CONTROLLER: return "controller";
    case VOUCH_MODEL_PLANNER: return "planner";
    case VOUCH_MODEL_LINEAR: return "linear";
    case VOUCH_MODEL_POLYNOMIAL: return "polynomial";
    case VOUCH_MODEL_AUTO: break;
  }
  return "auto";
}

const char * vouch_method_name(vouch_method_t method)
{
  return method == VOUCH_METHOD_SCHWARZER ? "schwarzer" : "chord";
}

const char * vouch_contact_kind_name(vouch_contact_kind_t kind)
{
  switch (kind) {
    case VOUCH_CONTACT_CONTACT: return "contact";
    case VOUCH_CONTACT_MARGIN: return "margin";
    case VOUCH_CONTACT_NONE: break;
  }
  return "none";
}

/* Warning `number` of robot, scene, motion and checker in one list; NULL behind the last. */
static const char * warning_at(const vouch_report_t * report, size_t number)
{
  const vouch_robot_t * robot = report->scene ? vouch_scene_robot(report->scene) : NULL;
  size_t count = robot ? vouch_robot_warning_count(robot) : 0;
  if (number < count) {
    return vouch_robot_warning(robot, number);
  }
  number -= count;
  count = report->scene ? vouch_scene_warning_count(report->scene) : 0;
  if (number < count) {
    return vouch_scene_warning(report->scene, number);
  }
  number -= count;
  count = report->motion ? vouch_motion_warning_count(report->motion) : 0;
  if (number < count) {
    return vouch_motion_warning(report->motion, number);
  }
  number -= count;
  count = report->checker ? vouch_checker_warning_count(report->checker) : 0;
  if (number < count) {
    return vouch_checker_warning(report->checker, number);
  }
  number -= count;
  count = report->planner ? vouch_planner_warning_count(report->planner) : 0;
  return number < count ? vouch_planner_warning(report->planner, number) : NULL;
}

void vouch_report_warnings(
  const vouch_report_t * report, void (* each)(const char * warning, void * state), void * state)
{
  const char * warning;
  for (size_t i = 0; (warning = warning_at(report, i)) != NULL; i++) {
    bool told = false;
    for (size_t j = 0; j < i && !told; j++) {
      told = strcmp(warning_at(report, j), warning) == 0;
    }
    if (!told) {
      each(warning, state);
    }
  }
}
