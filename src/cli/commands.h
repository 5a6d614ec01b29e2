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
/* The commands. Each gets its own name in argv[0] and returns the exit code of the program. */

#ifndef CLI__COMMANDS_H_
#define CLI__COMMANDS_H_

#include "cli/options.h"
#include "vouch/types.h"

enum
{
  CLI_EXIT_FREE = 0,
  CLI_EXIT_COLLISION = 1,
  CLI_EXIT_UNDECIDED = 2,
  CLI_EXIT_INVALID = 3,
  CLI_EXIT_INTERNAL = 4
};

extern const cli_command_t cli_check_command, cli_batch_command, cli_inspect_command;
extern const cli_command_t cli_motion_command, cli_verify_command;
extern const cli_command_t cli_plan_command, cli_repair_command;

int vouch_cli_check(int argc, char ** argv);
int vouch_cli_verify(int argc, char ** argv);
int vouch_cli_batch(int argc, char ** argv);
int vouch_cli_inspect(int argc, char ** argv);
int vouch_cli_plan(int argc, char ** argv);
int vouch_cli_repair(int argc, char ** argv);

/// FREE 0, COLLISION 1, UNDECIDED 2, INVALID 3.
int cli_exit_of_verdict(vouch_verdict_t verdict);
/// A call that did not work: wrong or missing input 3, everything else 4.
int cli_exit_of_failure(vouch_ret_t ret);

#endif  // CLI__COMMANDS_H_
