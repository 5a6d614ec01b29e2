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
/* Trajectory files (YAML, JSON, segments): whatever the bytes are, a motion whose numbers are
 * within their limits, or a sentence. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/motion.h"
#include "support/toy.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  static vouch_robot_t * robot;
  static const char * const names[3] = {"turn", "tilt", "slide"};
  static const double positions[3] = {0.1, 0.2, 0.3};
  const vouch_joint_values_t start = {.names = names, .positions = positions, .count = 3};
  if (robot == NULL) {
    robot = toy_robot();
  }
  vouch_motion_options_t options = vouch_motion_options_default();
  static const double tolerances[3] = {10.0, 10.0, 10.0};
  options.start_state = &start;
  options.start_tolerances = tolerances;
  vouch_motion_t * motion = NULL;
  if (vouch_motion_parse(&motion, robot, (const char *)data, size, &options) != VOUCH_RET_OK) {
    if (motion != NULL || vouch_error()[0] == '\0') {
      abort();
    }
    return 0;
  }
  for (size_t i = 0; i < motion->coefficient_count; ++i) {
    if (!(fabs(motion->coefficients[i]) <= 65536.0)) {
      abort();
    }
  }
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    if (!(motion->knots[k + 1] > motion->knots[k])) {
      abort();
    }
  }
  double values[3];
  vouch_motion_evaluate(motion, 0.5 * vouch_motion_duration(motion), values);
  vouch_motion_t * rest = NULL;
  if (vouch_motion_remaining(&rest, motion, 0.3 * vouch_motion_duration(motion)) != VOUCH_RET_OK) {
    abort();
  }
  vouch_motion_destroy(rest);
  vouch_motion_destroy(motion);
  return 0;
}
