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

/* Any bytes as the SRDF of a small robot: refused or taken, never a crash. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/robot.h"
#include "read/srdf.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static const char urdf[] =
  "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
  "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint>"
  "<joint name='k' type='prismatic'><parent link='b'/><child link='c'/></joint></robot>";

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  vouch_robot_options_t options = vouch_robot_options_default();
  options.ignore_geometry = true;
  vouch_robot_t * robot = NULL;
  if (vouch_robot_parse_urdf(&robot, urdf, strlen(urdf), NULL, &options) != VOUCH_RET_OK) {
    abort();
  }
  if (vouch_robot_parse_srdf(robot, "SRDF", (const char *)data, size) == VOUCH_RET_OK) {
    double values[2];
    for (uint32_t a = 0; a < 3; ++a) {
      for (uint32_t b = 0; b < 3; ++b) {
        if (vouch_robot_pair_disabled(robot, a, b) != vouch_robot_pair_disabled(robot, b, a)) {
          abort();
        }
      }
    }
    for (size_t i = 0; i < robot->group_state_count; ++i) {
      const vouch_group_state_t * state = &robot->group_states[i];
      bool good = true;   // none of the states of this name is doubtful
      for (size_t k = 0; k < robot->group_state_count; ++k) {
        const vouch_group_state_t * other = &robot->group_states[k];
        const bool same =
          strcmp(other->name, state->name) == 0 && strcmp(other->group, state->group) == 0;
        good = good && !(same && (k != i || other->repeated || other->places));
      }
      if (good !=
        (vouch_robot_group_state(robot, state->group, state->name, values) == VOUCH_RET_OK))
      {
        abort();
      }
    }
  } else if (vouch_error()[0] == '\0') {
    abort();
  }
  vouch_robot_destroy(robot);
  return 0;
}
