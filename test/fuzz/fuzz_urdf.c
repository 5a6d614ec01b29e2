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

/* Any bytes as URDF: refused or loaded, never a crash, and the same answer twice. Mesh files are
 * named by the input, so only inputs without the word "filename" are taken. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/robot.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static bool contains(const uint8_t * data, size_t size, const char * word)
{
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= size; ++i) {
    if (memcmp(data + i, word, length) == 0) {
      return true;
    }
  }
  return false;
}

static void check(const vouch_robot_t * robot)
{
  vouch_pose_t pose;
  double values[4096] = {0.0};
  for (uint32_t i = 0; i < robot->link_count; ++i) {
    if (i > 0 && robot->joints[i - 1].parent >= i) {
      abort();
    }
    if (vouch_robot_link_pose(robot, i, values, &pose) != VOUCH_RET_OK) {
      abort();
    }
    if (robot->links[i].geometry != NULL &&
      vouch_geometry_validate(robot->links[i].geometry) != VOUCH_RET_OK)
    {
      abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  uint8_t hashes[2][32] = {{0}};
  if (contains(data, size, "filename")) {
    return 0;
  }
  for (size_t i = 0; i < 2; ++i) {
    vouch_robot_t * robot = NULL;
    vouch_ret_t ret = vouch_robot_parse_urdf(&robot, (const char *)data, size, NULL, NULL);
    if ((ret == VOUCH_RET_OK) != (robot != NULL) ||
      (ret != VOUCH_RET_OK && vouch_error()[0] == '\0'))
    {
      abort();
    }
    if (robot != NULL) {
      check(robot);
      vouch_robot_hash(robot, hashes[i]);
    }
    vouch_robot_destroy(robot);
  }
  if (memcmp(hashes[0], hashes[1], 32) != 0) {
    abort();
  }
  return 0;
}
