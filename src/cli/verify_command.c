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
/* vouch verify: the independent verifier, with the words and codes of vouch-verify. */

#include "cli/commands.h"
#include "cli/settings.h"
#include "verify/verify.h"

static const cli_option_t own_options[] = {
  {"pairs", NULL, "Output", "each two bodies: checked with which margin, or left out and why"},
  {"json", NULL, "Output", "the same as JSON"},
  {"expect", "HASH", "Output", "refuse every problem but the one with this hash"},
  {NULL, NULL, NULL, NULL}
};

const cli_command_t cli_verify_command = {
  .name = "verify", .summary = "a problem and its certificate, by the independent verifier",
  .usage = "vouch verify [--pairs] [--json] [--expect HASH] PROBLEM CERTIFICATE\n",
  .about =
    "Checks a proof (or a collision's witness) against its problem, with its own interval arithmetic\n"
    "that shares no source with the search. The program vouch-verify does the same and contains\n"
    "nothing else.\n",
  .own = own_options,
  .ends = "Exit code: 0 VERIFIED FREE, 2 COLLISION SHOWN, 1 refused, 3 malformed input.\n",
  .examples =
    "  vouch check --robot arm.urdf --scene cell.yaml --trajectory pick.yaml --problem p \\\n"
    "    --certificate c && vouch verify p c\n"
};

int vouch_cli_verify(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_verify_command);
    return 0;
  }
  return vouch_verify_program("vouch verify", argc, argv);
}
