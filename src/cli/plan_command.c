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

/* vouch plan: from a start to a goal. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/plan_command.h"
#include "cli/terminal.h"

const cli_command_t cli_plan_command = {
  .name = "plan", .summary = "a proved motion from a start to a goal",
  .usage =
    "vouch plan --robot arm.urdf --srdf arm.srdf --scene cell.yaml --request request.yaml\n"
    "                  --output way.yaml [options]\n",
  .about =
    "Finds a motion from the start to a goal, within the limits of the joints, and proves it as the\n"
    "controller will execute it. Never an unproved one: what is not proved is UNDECIDED. Without\n"
    "--deadline the answer is what is proved after 10 s.\n",
  .own = cli_plan_own, .shared = true, .output = true,
  .ends =
    "Exit code: 0 a motion was proved, 2 UNDECIDED, 3 INVALID input (a start or goal in collision\n"
    "too), 4 internal fault.\n",
  .examples =
    "  vouch plan --robot arm.urdf --srdf arm.srdf --scene cell.yaml --request request.yaml \\\n"
    "    --limits joint_limits.yaml --output way.yaml --problem p --certificate c\n"
    "  vouch plan --robot arm.urdf --srdf arm.srdf --scene cell.yaml --group-state arm/home \\\n"
    "    --goal-state arm/ready --margin 0.01 --output way.yaml\n"
};

static void * zeroed(size_t count, size_t size)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  return vouch_calloc(&allocator, count + 1, size);
}

/// Values that a goal names; NaN where it says nothing.
static vouch_ret_t read_goal_state(const cli_plan_t * plan, const char * text, double * values)
{
  const char * slash = strchr(text, '/');
  char group[256];
  if ((size_t)(slash - text) >= sizeof(group)) {
    return vouch_fail(VOUCH_RET_INVALID, "The group name in '%s' is too long.", text);
  }
  snprintf(group, sizeof(group), "%.*s", (int)(slash - text), text);
  return vouch_robot_group_state(plan->session.robot, group, slash + 1, values);
}

static vouch_ret_t apply_goal(const cli_plan_t * plan, double * values)
{
  const vouch_robot_t * robot = plan->session.robot;
  for (size_t i = 0; i < plan->goal.count; i++) {
    const int variable = vouch_robot_find_variable(robot, plan->goal.items[i].name);
    if (variable < 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "--goal names the joint '%s', which %s does not have or cannot move.",
        plan->goal.items[i].name, plan->settings.robot);
    }
    values[variable] = plan->goal.items[i].value;
  }
  return VOUCH_RET_OK;
}

/// Goals of the command line, else of the request. NaN where a goal says nothing.
static vouch_ret_t collect_goals(const cli_plan_t * plan, double ** goals, size_t * goal_count)
{
  const size_t count = vouch_robot_variable_count(plan->session.robot);
  const bool typed = plan->goal.count > 0 || plan->goal_states.count > 0;
  const size_t typed_count = plan->goal_states.count > 0 ? plan->goal_states.count : 1u;
  *goal_count = typed ? typed_count : plan->request.goal_count;
  if (*goal_count == 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "No goal is given; name one with --goal, --goal-state, or a --request "
      "that has goal_constraints.");
  }
  *goals = zeroed(*goal_count * count, sizeof(double));
  if (!*goals) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (!typed) {
    memcpy(*goals, plan->request.goals, *goal_count * count * sizeof(double));
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t g = 0; g < *goal_count && typed && ret == VOUCH_RET_OK; g++) {
    double * values = *goals + g * count;
    for (size_t i = 0; i < count; i++) {
      values[i] = NAN;
    }
    ret = plan->goal_states.count == 0 ? VOUCH_RET_OK :
      read_goal_state(plan, plan->goal_states.items[g], values);
    ret = ret ? ret : apply_goal(plan, values);
  }
  return ret;
}

/// Which joints may move: those of the group, or of the goals.
static vouch_ret_t find_moving(
  const cli_plan_t * plan, const double * goals, size_t goal_count, bool * moving)
{
  const vouch_robot_t * robot = plan->session.robot;
  const size_t count = vouch_robot_variable_count(robot);
  /* Without an SRDF nobody knows groups; what the goal names is what moves then. */
  const char * group = plan->group ? plan->group :
    plan->settings.srdf && plan->request.group[0] ? plan->request.group : NULL;
  if (group) {
    return vouch_robot_group_moving(robot, group, moving);
  }
  for (size_t i = 0; i < goal_count * count; i++) {
    moving[i % count] = moving[i % count] || !isnan(goals[i]);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t run_request(
  cli_plan_t * plan, double * start, double * goals, size_t goal_count, bool * moving)
{
  const size_t count = vouch_robot_variable_count(plan->session.robot);
  vouch_ret_t ret = find_moving(plan, goals, goal_count, moving);
  for (size_t i = 0; i < goal_count * count; i++) {
    goals[i] = isnan(goals[i]) ? start[i % count] : goals[i];
  }
  const vouch_plan_request_t request = {.start = start, .goals = goals,
    .goal_count = goal_count, .moving = moving};
  return ret ? ret : vouch_plan(plan->planner, &request, &plan->result);
}

static vouch_ret_t run_plan(cli_plan_t * plan)
{
  vouch_ret_t ret = plan->settings.trajectory ? vouch_fail(
    VOUCH_RET_INVALID, "--trajectory means nothing to plan; 'vouch repair' starts from one.") :
    cli_plan_load(plan);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const size_t count = vouch_robot_variable_count(plan->session.robot);
  double * goals = NULL, * start = zeroed(count, sizeof(*start));
  bool * moving = zeroed(count, sizeof(*moving));
  size_t goal_count = 0;
  ret = start && moving ? collect_goals(plan, &goals, &goal_count) : VOUCH_RET_NO_MEMORY;
  if (ret == VOUCH_RET_OK) {
    vouch_scene_get_state(plan->session.scene, start);
    ret = run_request(plan, start, goals, goal_count, moving);
  }
  free(goals);
  free(start);
  free(moving);
  return ret;
}

int vouch_cli_plan(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_plan_command);
    return 0;
  }
  cli_plan_t plan;
  int code = CLI_EXIT_INVALID;
  cli_plan_init(&plan);
  if (cli_plan_parse(&plan, argc, argv) == VOUCH_RET_OK) {
    cli_progress_t progress;
    cli_progress_start(&progress, "planning", 0);
    vouch_ret_t ret = run_plan(&plan);
    cli_progress_stop(&progress);
    code = cli_plan_answer(&plan, argv[0], ret);
  }
  cli_plan_fini(&plan);
  return code;
}
