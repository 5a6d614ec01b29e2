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
/* Scene files: whatever the bytes are, an answer or a sentence; never a crash, never a half-applied
 * scene. What loads must build. */

#include <stdlib.h>
#include <string.h>

#include "model/build.h"
#include "support/toy.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  static vouch_robot_t * robot;
  if (robot == NULL) {
    robot = toy_robot();
  }
  vouch_scene_t * scene = NULL;
  vouch_build_t build;
  if (vouch_scene_create(&scene, robot, NULL) != VOUCH_RET_OK) {
    abort();
  }
  const double state[3] = {0.1, 0.2, 0.3};
  if (vouch_scene_set_state(scene, state) != VOUCH_RET_OK) {
    abort();
  }
  const vouch_ret_t ret = vouch_scene_parse(scene, (const char *)data, size);
  if (ret != VOUCH_RET_OK && (vouch_scene_object_count(scene) != 0 || vouch_error()[0] == '\0')) {
    abort();
  }
  if (ret == VOUCH_RET_OK &&
    vouch_build_scene(&build, scene, 0.01, vouch_allocator_default()) == VOUCH_RET_OK)
  {
    if (vouch_build_set_edge(&build, robot, state, state, state) != VOUCH_RET_OK ||
      vouch_problem_validate(&build.problem) != VOUCH_RET_OK)
    {
      abort();
    }
    vouch_build_fini(&build);
  }
  vouch_scene_destroy(scene);
  return 0;
}
