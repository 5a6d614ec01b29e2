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
/* What --report and --gltf write. */

#ifndef CLI__PAGES_H_
#define CLI__PAGES_H_

#include "cli/session.h"

/// UNSUPPORTED where a report is asked for and this program has nothing to draw it with.
vouch_ret_t cli_pages_check(const cli_settings_t * settings) VOUCH_WARN_UNUSED;

/// Writes them, if they are asked for.
vouch_ret_t cli_pages_write(const cli_session_t * session) VOUCH_WARN_UNUSED;

#endif  // CLI__PAGES_H_
