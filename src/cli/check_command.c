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
/* vouch check: one robot, one scene, one trajectory, one verdict. */

#include <stdio.h>

#include "cli/commands.h"
#include "cli/next.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/terminal.h"

const cli_command_t cli_check_command = {
  .name = "check", .summary = "one trajectory of one robot in one scene",
  .usage =
    "vouch check --robot arm.urdf [--srdf arm.srdf] [--scene cell.yaml] --trajectory t.yaml\n"
    "                   [options]\n",
  .about =
    "Proves that the whole motion, not only its waypoints, stays clear of everything, or names the\n"
    "time, the pair and the points where it does not.\n",
  .shared = true, .output = true,
  .ends = "Exit code: 0 FREE, 1 COLLISION, 2 UNDECIDED, 3 INVALID input, 4 internal fault.\n",
  .examples =
    "  vouch check --robot arm.urdf --srdf arm.srdf --scene cell.yaml --trajectory pick.yaml\n"
    "  vouch check --robot arm.urdf --scene cell.yaml --trajectory pick.yaml --margin 0.005 \\\n"
    "    --tolerance 0.001\n"
    "  vouch check --robot arm.urdf --scene cell.yaml --trajectory pick.yaml --problem p \\\n"
    "    --certificate c && vouch-verify p c\n"
};

static int answer(
  const cli_session_t * session, const vouch_report_next_t * next, vouch_ret_t ret)
{
  const cli_settings_t * settings = session->settings;
  vouch_report_t report = cli_session_report(session, ret);
  report.next = next;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  int code = ret == VOUCH_RET_OK ? cli_exit_of_verdict(session->result.verdict) :
    cli_exit_of_failure(ret);
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "vouch check: %s\n", vouch_error());
  }
  if (settings->json) {
    if (vouch_report_json(&report, false, &text) != VOUCH_RET_OK) {
      code = CLI_EXIT_INTERNAL;
    }
  } else if (ret == VOUCH_RET_OK) {
    vouch_report_text(&report, cli_colour(stdout), &text);
  }
  if (text.data && !settings->quiet && fwrite(text.data, 1, text.size, stdout) != text.size) {
    code = CLI_EXIT_INTERNAL;
  }
  vouch_text_fini(&text);
  return code;
}

int vouch_cli_check(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_check_command);
    return 0;
  }
  cli_settings_t settings;
  cli_settings_init(&settings);
  int rest = argc, code = CLI_EXIT_INVALID;
  if (cli_settings_parse(&settings, argc, argv, NULL, NULL, NULL, &rest) != VOUCH_RET_OK) {
    cli_outputs_drop(&settings);
  } else {
    if (rest < argc) {
      cli_outputs_drop(&settings);
      fprintf(
        stderr, "vouch check: '%s' is not understood; a trajectory is given with --trajectory.\n"
        "'vouch check --help' lists the options.\n", argv[rest]);
    } else {
      cli_session_t session = {.settings = &settings};
      cli_progress_t progress;
      cli_progress_start(&progress, "checking", 0);
      cli_next_t next;
      vouch_ret_t ret = cli_session_run(&session);
      cli_next_find(&session, ret, &next);
      cli_progress_stop(&progress);
      code = answer(&session, &next.answer, ret);
      cli_next_fini(&next);
      ret = ret == VOUCH_RET_OK ? cli_session_write_files(&session) : VOUCH_RET_OK;
      if (ret != VOUCH_RET_OK) {
        fprintf(stderr, "vouch check: %s\n", vouch_error());
        code = cli_exit_of_failure(ret);
      }
      cli_session_fini(&session);
    }
  }
  cli_settings_fini(&settings);
  return code;
}
