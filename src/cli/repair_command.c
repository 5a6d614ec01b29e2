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

/* vouch repair: a motion that is not free, made so. */

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/plan_command.h"
#include "cli/terminal.h"

const cli_command_t cli_repair_command = {
  .name = "repair", .summary = "a proved motion in the place of one that is not, and near it",
  .usage =
    "vouch repair --robot arm.urdf --srdf arm.srdf --scene cell.yaml --trajectory t.yaml\n"
    "                    --output new.yaml [options]\n",
  .about =
    "Makes a motion that is not proved free into one that is: what is proved of it stays, and what is\n"
    "not is gone round nearby. The new motion is timed afresh, within the limits of the joints, and\n"
    "proved as the controller will execute it. One that is free as it is comes back as it is.\n",
  .own = cli_plan_own, .shared = true, .output = true,
  .ends =
    "Exit code: 0 a motion was proved, 2 UNDECIDED, 3 INVALID input (a start or goal in collision\n"
    "too), 4 internal fault.\n",
  .examples =
    "  vouch repair --robot arm.urdf --srdf arm.srdf --scene cell.yaml --trajectory t.yaml \\\n"
    "    --limits joint_limits.yaml --output new.yaml --picture both.svg\n"
};

static vouch_ret_t run_repair(cli_plan_t * plan)
{
  if (plan->goal.count > 0 || plan->goal_states.count > 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "A repaired motion ends where the old one does: --goal and --goal-state "
      "mean nothing here.");
  }
  vouch_ret_t ret = cli_plan_load(plan);
  ret = ret ? ret : cli_session_load_motion(&plan->session);
  if (ret != VOUCH_RET_OK || !plan->group) {
    return ret ? ret : vouch_repair(plan->planner, plan->session.motion, NULL, &plan->result);
  }
  bool * moving = calloc(vouch_robot_variable_count(plan->session.robot) + 1u, sizeof(*moving));
  ret = moving ? vouch_robot_group_moving(plan->session.robot, plan->group, moving) :
    vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory.");
  ret = ret ? ret : vouch_repair(plan->planner, plan->session.motion, moving, &plan->result);
  free(moving);
  return ret;
}

int vouch_cli_repair(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_repair_command);
    return 0;
  }
  cli_plan_t plan;
  int code = CLI_EXIT_INVALID;
  cli_plan_init(&plan);
  if (cli_plan_parse(&plan, argc, argv) == VOUCH_RET_OK) {
    cli_progress_t progress;
    cli_progress_start(&progress, "repairing", 0);
    vouch_ret_t ret = run_repair(&plan);
    cli_progress_stop(&progress);
    code = cli_plan_answer(&plan, argv[0], ret);
  }
  cli_plan_fini(&plan);
  return code;
}
