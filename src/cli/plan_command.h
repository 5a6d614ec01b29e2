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

/* What plan and repair share: their options, the planner, and where its answer goes. */

#ifndef CLI__PLAN_COMMAND_H_
#define CLI__PLAN_COMMAND_H_

#include "cli/session.h"

typedef struct cli_plan_s
{
  cli_settings_t settings;
  cli_session_t session;
  /* of the command line */
  const char * group;
  cli_numbers_t goal;          // JOINT=VALUE
  cli_texts_t goal_states;     // GROUP/STATE
  vouch_plan_options_t options;
  bool has_velocity_scale, has_acceleration_scale;
  /* found */
  vouch_request_t request;
  vouch_joint_limits_t * limits;
  vouch_planner_t * planner;
  vouch_plan_result_t result;
} cli_plan_t;

/// Options of plan and repair.
extern const cli_option_t cli_plan_own[];

void cli_plan_init(cli_plan_t * plan);
void cli_plan_fini(cli_plan_t * plan);

/// Parses the command line. On failure prints why.
vouch_ret_t cli_plan_parse(cli_plan_t * plan, int argc, char ** argv) VOUCH_WARN_UNUSED;

/// Robot and scene, limits, and the planner.
vouch_ret_t cli_plan_load(cli_plan_t * plan) VOUCH_WARN_UNUSED;

/// Prints the answer, writes the files, and returns the exit code. ret: of all that went before.
int cli_plan_answer(cli_plan_t * plan, const char * command, vouch_ret_t ret);

#endif  // CLI__PLAN_COMMAND_H_
