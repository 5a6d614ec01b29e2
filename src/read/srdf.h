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

/* SRDF: which link pairs are off, groups and their states, the virtual joint.
 *
 * As in MoveIt, a name that the robot does not have is a warning: variants of a robot often share an
 * SRDF, and a pair that does not exist needs no check. */

#ifndef READ__SRDF_H_
#define READ__SRDF_H_

#include "model/robot.h"

/// Adds the SRDF to a robot that has links and joints. `source` is what messages call the text.
vouch_ret_t vouch_robot_parse_srdf(
  vouch_robot_t * robot, const char * source, const char * text, size_t size) VOUCH_WARN_UNUSED;

#endif  // READ__SRDF_H_
