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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/settings.h"
#include "verify/verify.h"

const cli_command_t cli_verify_command = {
  .name = "verify", .summary = "a problem and its certificate, by the independent verifier",
  .usage = "vouch verify PROBLEM CERTIFICATE\n",
  .about =
    "Checks a proof (or a collision's witness) against its problem, with its own interval arithmetic\n"
    "that shares no source with the search. The program vouch-verify does the same and contains\n"
    "nothing else.\n",
  .ends = "Exit code: 0 only after VERIFIED, 1 not proved, 3 malformed input.\n",
  .examples =
    "  vouch check --robot arm.urdf --scene cell.yaml --trajectory pick.yaml --problem p \\\n"
    "    --certificate c && vouch verify p c\n"
};

static int verify(const char * problem_path, const char * certificate_path)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  char * problem = NULL, * certificate = NULL;
  size_t problem_size = 0, certificate_size = 0;
  struct vouch_verify_report report;
  int code = VOUCH_VERIFY_MALFORMED;
  memset(&report, 0, sizeof(report));
  if (vouch_file_read(&allocator, problem_path, 0, &problem, &problem_size) != VOUCH_RET_OK ||
    vouch_file_read(&allocator, certificate_path, 0, &certificate, &certificate_size) !=
    VOUCH_RET_OK)
  {
    fprintf(stderr, "vouch verify: %s\n", vouch_error());
  } else {
    struct vouch_verifier * verifier = vouch_verify_load(problem, problem_size, &report);
    code = verifier == NULL ? report.code :
      vouch_verify_check(verifier, certificate, certificate_size, &report);
    const char * word = code == VOUCH_VERIFY_REFUSED ? "REFUSED: " : "MALFORMED: ";
    printf("%s%s\n", code == VOUCH_VERIFY_OK ? "" : word, report.text);
    free(verifier);
  }
  vouch_free(&allocator, problem);
  vouch_free(&allocator, certificate);
  return code;
}

int vouch_cli_verify(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_verify_command);
    return 0;
  }
  if (argc != 3 || argv[1][0] == '-' || argv[2][0] == '-') {
    fprintf(
      stderr, "vouch verify: a problem file and a certificate file are needed.\n"
      "'vouch verify --help' says more.\n");
    return CLI_EXIT_INVALID;
  }
  return verify(argv[1], argv[2]);
}
