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
/* The sections of vouch inspect. Each prints to standard output and changes nothing. */

#ifndef CLI__INSPECT_H_
#define CLI__INSPECT_H_

#include "cli/session.h"
#include "model/build.h"

/// Joints, variables, links and what their geometry became.
void cli_inspect_robot(const vouch_robot_t * robot);
/// Objects of the scene and what they became.
void cli_inspect_scene(const vouch_scene_t * scene, const vouch_build_t * build);
/// Which pairs are checked; which are not, and why. `all`: every pair, not only counts and reasons.
void cli_inspect_pairs(const vouch_scene_t * scene, const vouch_build_t * build, bool all);
/// Segments, ranges and limits.
void cli_inspect_motion(const vouch_motion_t * motion);
/// How far each checked body reaches from each joint axis in this motion, and the rounding bound.
vouch_ret_t cli_inspect_radii(const vouch_build_t * build) VOUCH_WARN_UNUSED;

#endif  // CLI__INSPECT_H_
