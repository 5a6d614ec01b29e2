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
/* What it costs to load a robot: one process a robot, so that the memory is its own.
 *
 *   loading ROBOT cold|warm      rows for bench/report.py: milliseconds, megabytes
 * cold: without a cache; warm: with VOUCH_TEST_CACHE, filled by a first load. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "arm.h"
#include "drive.h"
#include "support/mbm.h"

static void row(const char * robot, const char * parameter, double value)
{
  drive_print(&(drive_row_t) {"loading", robot, "vouch", value, parameter, "", "", 0, ""});
}

static double load(const char * robot, bool keep, mbm_t * mbm)
{
  double begin = bench_wall();
  mbm_robot(mbm, robot);
  double seconds = bench_wall() - begin;
  if (!keep) {
    mbm_close(mbm);
  }
  return 1e3 * seconds;
}

int main(int argc, char ** argv)
{
  bool warm = argc == 3 && strcmp(argv[2], "warm") == 0;
  if (argc != 3 || (!warm && strcmp(argv[2], "cold") != 0)) {
    fprintf(stderr, "usage: loading panda|ur5|yumi cold|warm\n");
    return 2;
  }
  mbm_t mbm;
  if (!warm) {
    unsetenv("VOUCH_TEST_CACHE");
  } else if (getenv("VOUCH_TEST_CACHE") == NULL) {
    fprintf(stderr, "loading: warm needs VOUCH_TEST_CACHE\n");
    return 2;
  } else if (mbm_open(&mbm, false)) {
    (void)load(argv[1], false, &mbm);
  }
  if (!mbm_open(&mbm, false)) {
    drive_print(
      &(drive_row_t) {"loading", argv[1], "vouch", -1.0, argv[2], "not run", "", 0,
        "the shared data is absent"});
    return 0;
  }
  char parameter[32];
  snprintf(parameter, sizeof(parameter), "%s ms", argv[2]);
  row(argv[1], parameter, load(argv[1], true, &mbm));
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  snprintf(parameter, sizeof(parameter), "%s megabytes", argv[2]);
  row(argv[1], parameter, (double)usage.ru_maxrss / 1024.0);
  mbm_close(&mbm);
  return 0;
}
