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

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/plan_command.h"
#include "cli/terminal.h"

void cli_plan_init(cli_plan_t * plan)
{
  memset(plan, 0, sizeof(*plan));
  cli_settings_init(&plan->settings);
  plan->session.settings = &plan->settings;
  plan->options = vouch_plan_options_default();
  plan->settings.check.deadline_s = plan->options.deadline_s;
}

void cli_plan_fini(cli_plan_t * plan)
{
  vouch_planner_destroy(plan->planner);
  vouch_joint_limits_destroy(plan->limits);
  vouch_request_fini(&plan->request);
  cli_session_fini(&plan->session);
  cli_numbers_fini(&plan->goal);
  free(plan->goal_states.items);
  cli_settings_fini(&plan->settings);
}

/* ---- options ---- */

/// Those of the group Goal are for vouch plan, but for the group's name.
const cli_option_t cli_plan_own[] = {
  {"goal", "JOINT=VALUE", "Goal", "goal of one joint (may be repeated: one goal; the others stay)"},
  {
    "goal-state", "GROUP/NAME", "Goal",
    "a goal from the SRDF (may be repeated: any of them); --request has goals, too"
  },
  {"group", "NAME", "Planning", "the joints that may move (those of the request, or that move)"},
  {
    "limits", "FILE", "Planning",
    "joint_limits.yaml; what it does not say is the URDF's, or assumed"
  },
  {
    "velocity-scale", "S", "Planning",
    "part of the velocity limits that is used, up to 1 (1)"
  },
  {
    "acceleration-scale", "S", "Planning",
    "part of the acceleration limits that is used, up to 1 (1)"
  },
  {"bare", NULL, "Planning", "a bare path, without times"},
  {"seed", "N", "Planning", "the same seed gives the same motion (1)"},
  {"rounds", "N", "Planning", "so many ways are tried, the fastest is the answer (1)"},
  {"output", "FILE", CLI_OUTPUT_GROUP, "the motion: RobotTrajectory (YAML)"},
  {NULL, NULL, NULL, NULL}
};

static vouch_ret_t take_once(const char ** place, const char * name, const char * value)
{
  if (*place) {
    return vouch_fail(VOUCH_RET_INVALID, "--%s is given twice; only one can be meant.", name);
  }
  *place = value;
  return VOUCH_RET_OK;
}

static vouch_ret_t take_scale(
  const char * name, const char * value, bool * given, double * scale)
{
  vouch_ret_t ret = cli_parse_number(name, value, 0.0, scale);
  *given = true;
  return ret != VOUCH_RET_OK || (*scale >= 1e-3 && *scale <= 1.0) ? ret : vouch_fail(
    VOUCH_RET_INVALID, "--%s is a number from 0.001 to 1, not '%s'.", name, value);
}

static vouch_ret_t take_whole(const char * name, const char * value, double low, double * number)
{
  vouch_ret_t ret = cli_parse_number(name, value, low, number);
  return ret != VOUCH_RET_OK || (*number == floor(*number) && *number <= 1e6) ? ret : vouch_fail(
    VOUCH_RET_INVALID, "--%s needs a whole number from %.0f to 1000000, not '%s'.", name, low,
    value);
}

static vouch_ret_t take_number(cli_plan_t * plan, const char * name, const char * value)
{
  double number = 1.0;
  if (strcmp(name, "velocity-scale") == 0) {
    return take_scale(
      name, value, &plan->has_velocity_scale, &plan->options.velocity_scaling);
  }
  if (strcmp(name, "acceleration-scale") == 0) {
    return take_scale(
      name, value, &plan->has_acceleration_scale, &plan->options.acceleration_scaling);
  }
  if (strcmp(name, "seed") == 0) {
    vouch_ret_t ret = take_whole(name, value, 0.0, &number);
    plan->options.seed = (uint64_t)number;
    return ret;
  }
  vouch_ret_t ret = take_whole(name, value, 1.0, &number);
  plan->options.rounds = (uint32_t)number;
  return ret;
}

static vouch_ret_t take(void * state, const char * name, const char * value)
{
  cli_plan_t * plan = state;
  if (strcmp(name, "goal") == 0) {
    return cli_numbers_append(&plan->goal, name, value, -INFINITY, false);
  }
  if (strcmp(name, "goal-state") == 0) {
    return strchr(value, '/') ? cli_texts_append(&plan->goal_states, value) :
           vouch_fail(VOUCH_RET_INVALID, "--goal-state needs group/state, not '%s'.", value);
  }
  if (strcmp(name, "group") == 0) {
    return take_once(&plan->group, name, value);
  }
  if (strcmp(name, "limits") == 0) {
    return take_once(&plan->settings.limits, name, value);
  }
  if (strcmp(name, "output") == 0) {
    return take_once(&plan->settings.output, name, value);
  }
  if (strcmp(name, "bare") == 0) {
    plan->options.timed = false;
    return VOUCH_RET_OK;
  }
  return take_number(plan, name, value);
}

static vouch_ret_t refuse_repeated_goal(const cli_plan_t * plan, const char * command)
{
  for (size_t i = 0; i < plan->goal.count; i++) {
    for (size_t k = 0; k < i; k++) {
      if (strcmp(plan->goal.items[i].name, plan->goal.items[k].name) == 0) {
        fprintf(
          stderr, "vouch %s: --goal is given twice for %s; only one can be meant.\n", command,
          plan->goal.items[i].name);
        return VOUCH_RET_INVALID;
      }
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t cli_plan_parse(cli_plan_t * plan, int argc, char ** argv)
{
  int rest = argc;
  vouch_ret_t ret =
    cli_settings_parse(&plan->settings, argc, argv, cli_plan_own, take, plan, &rest);
  if (ret == VOUCH_RET_OK && rest < argc) {
    fprintf(
      stderr, "vouch %s: '%s' is not understood.\n'vouch %s --help' lists the options.\n", argv[0],
      argv[rest], argv[0]);
    ret = VOUCH_RET_INVALID;
  }
  if (ret == VOUCH_RET_OK && (plan->settings.report || plan->settings.gltf || plan->settings.all)) {
    fprintf(
      stderr, "vouch %s: --report, --gltf and --all are for vouch check: give it the motion that "
      "--output writes.\n", argv[0]);
    ret = VOUCH_RET_INVALID;
  }
  return ret == VOUCH_RET_OK ? refuse_repeated_goal(plan, argv[0]) : ret;
}

/* ---- loading ---- */

/// A scale that the command line gives wins over the request's; 0 in a request means 1, as in MoveIt.
static void take_request_scales(cli_plan_t * plan)
{
  const vouch_request_t * request = &plan->request;
  if (!plan->has_velocity_scale && request->velocity_scaling > 0.0) {
    plan->options.velocity_scaling = request->velocity_scaling;
  }
  if (!plan->has_acceleration_scale && request->acceleration_scaling > 0.0) {
    plan->options.acceleration_scaling = request->acceleration_scaling;
  }
}

/// A --request may be a start state alone; then it has no goals.
static vouch_ret_t load_request(cli_plan_t * plan)
{
  const cli_settings_t * s = &plan->settings;
  const bool needed = s->request && plan->goal.count == 0 && plan->goal_states.count == 0 &&
    !s->trajectory;
  vouch_ret_t ret = needed ?
    vouch_request_load(&plan->request, plan->session.robot, s->request) : VOUCH_RET_OK;
  take_request_scales(plan);
  return ret;
}

vouch_ret_t cli_plan_load(cli_plan_t * plan)
{
  const cli_settings_t * s = &plan->settings;
  double begin = cli_now();
  vouch_ret_t ret = cli_outputs_begin(s);
  ret = ret ? ret : cli_session_load_robot(&plan->session);
  ret = ret ? ret : cli_session_load_scene(&plan->session);
  ret = ret ? ret : load_request(plan);
  if (ret == VOUCH_RET_OK && s->limits) {
    ret = vouch_joint_limits_load(&plan->limits, plan->session.robot, s->limits);
  }
  if (ret == VOUCH_RET_OK && plan->limits) {
    plan->options.limits = vouch_joint_limits_list(plan->limits, &plan->options.limit_count);
  }
  ret = ret ? ret : cli_session_fill_options(&plan->session);
  plan->options.deadline_s = s->check.deadline_s;
  plan->session.options.first_contact = false;
  ret = ret ? ret : vouch_planner_create(
    &plan->planner, plan->session.scene, &plan->session.options, &plan->options);
  plan->session.load_seconds = cli_now() - begin;
  return ret;
}

/* ---- the answer ---- */

/// Of a repaired motion the joints that the new one does not move, where nothing but the old file said
/// where they are: the new file takes its place alone.
static vouch_ret_t find_still(const cli_plan_t * plan, vouch_report_still_t * still)
{
  const cli_settings_t * s = &plan->settings;
  const vouch_robot_t * robot = plan->session.robot;
  const vouch_trajectory_t * t = &plan->result.trajectory;
  const size_t variables = vouch_robot_variable_count(robot);
  if (!plan->session.motion || s->request || s->start.count > 0 || s->group_states.count > 0) {
    return VOUCH_RET_OK;
  }
  double * all = calloc(variables + 1u, sizeof(*all));
  still->names = calloc(variables + 1u, sizeof(*still->names));
  still->values = calloc(variables + 1u, sizeof(*still->values));
  if (!all || !still->names || !still->values) {
    free(all);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing the trajectory.");
  }
  vouch_motion_evaluate(plan->session.motion, 0.0, all);
  for (size_t i = 0; i < variables; i++) {
    const char * name = vouch_robot_variable_name(robot, i);
    bool moves = false;
    for (size_t k = 0; k < t->joint_count; k++) {
      moves = moves || strcmp(name, t->joint_names[k]) == 0;
    }
    if (!moves) {
      still->names[still->count] = name;
      still->values[still->count++] = all[i];
    }
  }
  free(all);
  return VOUCH_RET_OK;
}

/// A motion that needed no repair is the file that it came from.
static vouch_ret_t write_trajectory(const cli_plan_t * plan)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  vouch_text_t text = {.allocator = allocator};
  const bool same = plan->result.trajectory.point_count == 0;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (same) {
    char * data = NULL;
    size_t size = 0;
    ret = vouch_file_read(&allocator, plan->settings.trajectory, 0, &data, &size);
    if (ret == VOUCH_RET_OK) {
      vouch_text_append_bytes(&text, data, size);
      free(data);
    }
  } else {
    vouch_report_still_t still = {NULL, NULL, 0};
    ret = find_still(plan, &still);
    vouch_report_trajectory(&plan->result.trajectory, &still, plan->options.timed, &text);
    free(still.names);
    free(still.values);
  }
  if (ret == VOUCH_RET_OK && text.failed) {
    ret = vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing the trajectory.");
  }
  ret = ret ? ret : vouch_file_write(plan->settings.output, text.data ? text.data : "", text.size);
  vouch_text_fini(&text);
  return ret;
}

static vouch_ret_t write_files(const cli_plan_t * plan, const vouch_report_t * report)
{
  const cli_settings_t * s = &plan->settings;
  const vouch_checker_t * checker = vouch_planner_checker(plan->planner);
  vouch_ret_t ret = s->output ? write_trajectory(plan) : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK && s->problem) {
    ret = cli_write_bytes(checker, s->problem, vouch_checker_problem);
  }
  if (ret == VOUCH_RET_OK && s->certificate) {
    ret = cli_write_bytes(checker, s->certificate, vouch_checker_certificate);
  }
  if (ret == VOUCH_RET_OK && s->picture) {
    ret = cli_write_picture(report, s->output ? s->output : "plan", s->picture);
  }
  return ret;
}

static int print(const cli_plan_t * plan, const vouch_report_t * report, int code)
{
  const cli_settings_t * s = &plan->settings;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  if (s->json) {
    code = vouch_report_json(report, false, &text) == VOUCH_RET_OK ? code : CLI_EXIT_INTERNAL;
  } else if (report->plan) {
    vouch_report_text(report, cli_colour(stdout), &text);
  }
  if (text.data && !s->quiet && fwrite(text.data, 1, text.size, stdout) != text.size) {
    code = CLI_EXIT_INTERNAL;
  }
  vouch_text_fini(&text);
  return code;
}

int cli_plan_answer(cli_plan_t * plan, const char * command, vouch_ret_t ret)
{
  const vouch_plan_result_t * result = &plan->result;
  const bool found = ret == VOUCH_RET_OK && result->verdict == VOUCH_FREE;
  const vouch_report_t report = {
    .error = vouch_error(), .plan = ret == VOUCH_RET_OK ? result : NULL,
    .planner = plan->planner, .result = found ? &result->proof : NULL,
    .checker = plan->planner ? vouch_planner_checker(plan->planner) : NULL,
    .options = &plan->session.options, .motion = found ? result->motion : NULL,
    .scene = plan->session.scene, .load_seconds = plan->session.load_seconds,
    .old_motion = plan->session.motion
  };
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "vouch %s: %s\n", command, vouch_error());
  }
  int code = print(
    plan, &report, ret == VOUCH_RET_OK ? cli_exit_of_verdict(result->verdict) :
    cli_exit_of_failure(ret));
  if (!found && ret == VOUCH_RET_OK && plan->settings.output) {
    fprintf(
      stderr, "vouch %s: %s was not written: there is no proved motion.\n", command,
      plan->settings.output);
  }
  if (found && write_files(plan, &report) != VOUCH_RET_OK) {
    fprintf(stderr, "vouch %s: %s\n", command, vouch_error());
    code = CLI_EXIT_INTERNAL;
  }
  return code;
}
