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
/* vouch: the command line. */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/motion_command.h"
#include "vouch/types.h"

const cli_command_t * const cli_commands[] = {
  &cli_check_command, &cli_batch_command, &cli_verify_command, &cli_inspect_command,
  &cli_plan_command, &cli_repair_command, &cli_motion_command, NULL
};

static void print_help(FILE * out)
{
  fputs(
    "vouch proves that a robot arm's motion never touches anything, between its waypoints too,\n"
    "or names the time, the pair and the points where it does not.\n\n", out);
  for (size_t i = 0; cli_commands[i]; i++) {
    fprintf(out, "  vouch %-9s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
  }
  fputs(
    "\n'vouch COMMAND --help' has options and examples. 'vouch --version' has the version.\n"
    "'vouch manual [COMMAND]' and 'vouch completion bash|zsh' print what is installed for man and\n"
    "the shells.\n"
    "Exit code: 0 FREE, 1 COLLISION, 2 UNDECIDED, 3 INVALID input, 4 internal fault.\n\n"
    "Example\n"
    "  vouch check --robot arm.urdf --srdf arm.srdf --scene cell.yaml --trajectory pick.yaml\n",
    out);
}

typedef int (* command_t)(int argc, char ** argv);

static int print_manual(int argc, char ** argv)
{
  const cli_command_t * command = NULL;
  for (size_t i = 0; argc == 2 && cli_commands[i]; i++) {
    command = strcmp(cli_commands[i]->name, argv[1]) == 0 ? cli_commands[i] : command;
  }
  if (argc > 2 || (argc == 2 && !command)) {
    fprintf(stderr, "vouch manual: the name of one command, or nothing, is needed.\n");
    return CLI_EXIT_INVALID;
  }
  cli_manual_print(command);
  return 0;
}

static int print_completion(int argc, char ** argv)
{
  if (argc == 2 && cli_completion_print(argv[1])) {
    return 0;
  }
  fprintf(stderr, "vouch completion: bash or zsh is needed.\n");
  return CLI_EXIT_INVALID;
}

static command_t find_command(const char * name)
{
  static const struct {const char * name; command_t command;} commands[] = {
    {"check", vouch_cli_check}, {"batch", vouch_cli_batch}, {"verify", vouch_cli_verify},
    {"inspect", vouch_cli_inspect}, {"motion", vouch_cli_motion}, {"plan", vouch_cli_plan},
    {"repair", vouch_cli_repair}, {"manual", print_manual}, {"completion", print_completion}
  };
  for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
    if (strcmp(commands[i].name, name) == 0) {
      return commands[i].command;
    }
  }
  return NULL;
}

int cli_exit_of_verdict(vouch_verdict_t verdict)
{
  switch (verdict) {
    case VOUCH_FREE: return CLI_EXIT_FREE;
    case VOUCH_COLLISION: return CLI_EXIT_COLLISION;
    case VOUCH_UNDECIDED: return CLI_EXIT_UNDECIDED;
    case VOUCH_INVALID: break;
  }
  return CLI_EXIT_INVALID;
}

int cli_exit_of_failure(vouch_ret_t ret)
{
  bool input = ret == VOUCH_RET_INVALID || ret == VOUCH_RET_IO || ret == VOUCH_RET_UNSUPPORTED;
  return input ? CLI_EXIT_INVALID : CLI_EXIT_INTERNAL;
}

/* Without this the first file that is opened would be the closed standard output, and what is
 * printed would go into it. Writing to what is open for reading fails, as it should. */
static void fill_standard_descriptors(void)
{
  int descriptor;
  do {
    descriptor = open("/dev/null", O_RDONLY);
  } while (descriptor >= 0 && descriptor <= 2);
  if (descriptor > 2) {
    (void)close(descriptor);
  }
}

int main(int argc, char ** argv)
{
  fill_standard_descriptors();
  (void)signal(SIGXFSZ, SIG_IGN);   // writing beyond a limit then fails, and is told
  if (argc < 2) {
    print_help(stderr);
    return CLI_EXIT_INVALID;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
    strcmp(argv[1], "help") == 0)
  {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("vouch %s\n", vouch_version());
    return 0;
  }
  command_t command = find_command(argv[1]);
  if (!command) {
    fprintf(
      stderr, "vouch: there is no command '%s'; 'vouch --help' lists them.\n", argv[1]);
    return CLI_EXIT_INVALID;
  }
  int code = command(argc - 1, argv + 1);
  /* A full disk or a closed pipe must not look like a verdict. */
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "vouch: standard output could not be written.\n");
    return CLI_EXIT_INTERNAL;
  }
  return code;
}
