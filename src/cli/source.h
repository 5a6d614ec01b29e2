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

/* Input that is not a file as it is: a robot in xacro, a trajectory on standard input. */

#ifndef CLI__SOURCE_H_
#define CLI__SOURCE_H_

#include <stdbool.h>

#include "vouch/vouch.h"

/// The name ends in .xacro.
bool cli_source_is_xacro(const char * path);
/// Runs the program xacro, where it is installed, and reads what it prints.
vouch_ret_t cli_source_load_xacro(
  vouch_robot_t ** robot, const char * path,
  const vouch_robot_options_t * options) VOUCH_WARN_UNUSED;

/// Standard input to its end.
vouch_ret_t cli_source_read_motion(
  vouch_motion_t ** motion, const vouch_robot_t * robot,
  const vouch_motion_options_t * options) VOUCH_WARN_UNUSED;

#endif  // CLI__SOURCE_H_
