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
/* The files of a run: what it reads, what it writes, and that no output takes the place of anything
 * else, in whatever spelling (./x, links, another row's file). */

#ifndef CLI__OUTPUTS_H_
#define CLI__OUTPUTS_H_

#include <sys/types.h>

#include "cli/settings.h"

/// One file that is read or written. Which file it is decides where it is, not how it is spelled: a
/// file that is there by its device and inode, another one by its directory and name.
typedef struct cli_claim_s
{
  const char * option;      // as in --option
  const char * path;        // as it was spelled
  const char * signature;   // first bytes of such an output; NULL: an input
  char * target;            // where the links end
  const char * name;        // in target; NULL: the file is there
  dev_t device;
  ino_t inode;
  size_t row;               // of a list, or 0
  size_t number;            // in order of adding
  bool nowhere;             // a device, a pipe, or a directory that is not there
  bool idle;                // its row will not be run
  const struct cli_claim_s * other;   // an output that must not be written: who has the file
} cli_claim_t;

/// Zero-initialise.
typedef struct cli_claims_s
{
  cli_claim_t * items;
  size_t count, capacity;
} cli_claims_t;

/// All files that the settings name.
vouch_ret_t cli_claims_add(
  cli_claims_t * claims, const cli_settings_t * settings, size_t row,
  bool idle) VOUCH_WARN_UNUSED;
/// One that is read.
vouch_ret_t cli_claims_add_input(
  cli_claims_t * claims, const char * option, const char * path, size_t row) VOUCH_WARN_UNUSED;
/// Fills in `other` and changes the order. Who reads a file has it; of several writers the first.
void cli_claims_judge(cli_claims_t * claims);
/// Takes away what an earlier run left at an output's place, so that nothing old can be taken for an
/// answer of this one. Refuses what no earlier run wrote, and a place that cannot be written to.
vouch_ret_t cli_claim_begin(const cli_claim_t * claim) VOUCH_WARN_UNUSED;
void cli_claims_fini(cli_claims_t * claims);

/// Of one run: refuses outputs that take the place of another of its files.
vouch_ret_t cli_outputs_check(const cli_settings_t * settings) VOUCH_WARN_UNUSED;
/// Of one run: begins every output.
vouch_ret_t cli_outputs_begin(const cli_settings_t * settings) VOUCH_WARN_UNUSED;
/// Begins what can be begun: for a run that ends before it starts.
void cli_outputs_drop(const cli_settings_t * settings);

#endif  // CLI__OUTPUTS_H_
