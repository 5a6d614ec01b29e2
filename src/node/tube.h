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

/* Is the robot where the proof has it? A deviation is the largest |q - planned| / delta over the
 * joints: at most 1 inside the tube, NaN when a joint state is unknown or too old. */

#ifndef NODE__TUBE_H_
#define NODE__TUBE_H_

#include "node/check_run.h"

/// From the watched trajectory at `time` of its motion: the smallest within the latency around it.
double tube_watched(vouch_node_t * node, double time);

/// From the start of a motion that was just proved, as of now.
vouch_ret_t tube_start(
  vouch_node_t * node, const check_request_t * request, check_run_t * run,
  double * deviation) VOUCH_WARN_UNUSED;

/// Joints that the trajectory does not name are held in the proof: INVALID when one moves.
vouch_ret_t tube_check_held(
  vouch_node_t * node, const trajectory_msgs__msg__JointTrajectory * trajectory,
  const check_run_t * run) VOUCH_WARN_UNUSED;

#endif  // NODE__TUBE_H_
