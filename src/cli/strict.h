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

/* --allow and --strict: what is left out on purpose, and what is not left out in silence. */

#ifndef CLI__STRICT_H_
#define CLI__STRICT_H_

#include "cli/session.h"

/// Takes the pairs of --allow out of the scene. Names must be links or objects.
vouch_ret_t cli_strict_allow(cli_session_t * session) VOUCH_WARN_UNUSED;
/// With --strict, a FREE under which something was left out that nobody named becomes UNDECIDED;
/// session->doubts says what.
vouch_ret_t cli_strict_judge(cli_session_t * session) VOUCH_WARN_UNUSED;
void cli_strict_fini(cli_session_t * session);

#endif  // CLI__STRICT_H_
