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

/* What a person asks next: found with further checks, after the one that was asked for. */

#ifndef CLI__NEXT_H_
#define CLI__NEXT_H_

#include "base/memory.h"
#include "cli/session.h"

typedef struct cli_next_s
{
  vouch_report_next_t answer;
  vouch_arena_t arena;        // of names and lists
} cli_next_t;

/// Looks where that is worth it: after a short check, or where --all asks for it. What is not found is
/// left out; no failure of these checks is one of the answer. ret: what cli_session_run() returned.
void cli_next_find(const cli_session_t * session, vouch_ret_t ret, cli_next_t * next);
void cli_next_fini(cli_next_t * next);

#endif  // CLI__NEXT_H_
