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

/* What a checker remarks about a motion; no part of a verdict. */

#include <stdio.h>

#include "check/checker.h"
#include "model/motion.h"

static bool moves(const vouch_motion_t * motion, size_t variable)
{
  const double * first =
    &motion->coefficients[motion->offsets[0] + variable * (motion->degrees[0] + 1u)];
  for (uint32_t k = 0; k < motion->segment_count; k++) {
    size_t degree = motion->degrees[k];
    const double * own = &motion->coefficients[motion->offsets[k] + variable * (degree + 1u)];
    for (size_t i = 0; i <= degree; i++) {
      if (own[i] != *first) {
        return true;
      }
    }
  }
  return false;
}

/// "FREE within the tolerances" says nothing about a joint that was forgotten: a lift, say, when
/// only revolute joints were given one. Without any tolerance nothing was promised.
void check_warn(vouch_checker_t * c, const vouch_motion_t * motion)
{
  const vouch_robot_t * robot = motion->robot;
  size_t room = sizeof(c->warning), used = 0;
  bool tolerant = false;
  c->warning[0] = '\0';
  for (size_t i = 0; i < robot->variable_count; i++) {
    tolerant = tolerant || c->tolerances[i] > 0.0;
  }
  for (size_t i = 0; tolerant && i < robot->variable_count && used < room; i++) {
    if (c->tolerances[i] > 0.0 || !moves(motion, i)) {
      continue;
    }
    const char * before = used > 0 ? ", " :
      "no tolerance is given for these moving joints, which the proof takes to follow exactly: ";
    used += (size_t)snprintf(
      c->warning + used, room - used, "%s%s", before, vouch_robot_variable_name(robot, i));
  }
}
