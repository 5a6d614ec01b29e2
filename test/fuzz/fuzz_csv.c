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
/* CSV trajectories: a table with as many values a row as the header has columns, or a sentence. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/trajectory_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><joint name='j1' type='revolute'>"
    "<parent link='a'/><child link='b'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='j2' type='prismatic'><parent link='b'/><child link='c'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>";
  static vouch_robot_t * robot;   // for the whole run
  if (robot == NULL && vouch_robot_parse_urdf(
      &robot, urdf, sizeof(urdf) - 1, NULL, NULL) != VOUCH_RET_OK)
  {
    abort();
  }
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_trajectory_t trajectory;
  vouch_csv_format_t format = {.robot = robot, .degrees = size % 2 == 1,
    .columns = size % 3 == 0 ? "time,j1=A1,j2" : NULL, .unused = {.allocator = arena.allocator}};
  const vouch_ret_t ret = vouch_read_csv_trajectory(
    &arena, "fuzz.csv", (const char *)data, size, &format, &trajectory);
  if (ret == VOUCH_RET_OK) {
    for (size_t i = 0; i < trajectory.point_count; ++i) {
      for (size_t k = 0; k < trajectory.joint_count; ++k) {
        if (!isfinite(trajectory.points[i].positions[k])) {
          abort();
        }
      }
    }
  } else if (vouch_error()[0] == '\0') {
    abort();
  }
  vouch_text_fini(&format.unused);
  vouch_arena_fini(&arena);
  return 0;
}
