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

/* Motion files of one rigid body: whatever the bytes are, a motion of finite numbers that every method
 * can be asked about, or a sentence. */

#include <math.h>
#include <stdlib.h>

#include "vouch/rigid.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static vouch_rigid_body_t * tetrahedron(void)
{
  static const double v[4][3] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}};
  static const uint32_t t[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  vouch_rigid_body_t * body = NULL;
  if (vouch_rigid_body_create(&body, vouch_allocator_default(), v, 4, t, 4) != VOUCH_RET_OK) {
    abort();
  }
  return body;
}

static void run(const vouch_rigid_body_t * body, const vouch_rigid_motion_t * motion)
{
  for (int method = 0; method < 3; method++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t result;
    options.method = (vouch_rigid_method_t)method;
    options.threads = 1;
    options.max_tests = 30;
    options.max_depth = 5;
    vouch_ret_t ret = vouch_rigid_check(body, body, motion, &options, &result);
    if (ret != VOUCH_RET_OK && (ret != VOUCH_RET_INVALID || vouch_error()[0] == '\0')) {
      abort();
    }
    vouch_rigid_result_fini(&result);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  static vouch_rigid_body_t * body;
  if (body == NULL) {
    body = tetrahedron();
  }
  vouch_rigid_motion_t * motion = NULL;
  if (vouch_rigid_motion_parse(&motion, vouch_allocator_default(), (const char *)data, size) !=
    VOUCH_RET_OK)
  {
    if (motion != NULL || vouch_error()[0] == '\0') {
      abort();
    }
    return 0;
  }
  size_t count = vouch_rigid_motion_segment_count(motion);
  double duration = vouch_rigid_motion_duration_s(motion);
  if (count == 0 || !(duration > 0.0) || !isfinite(duration)) {
    abort();
  }
  for (size_t i = 0; i < count && i < 8; i++) {
    for (int k = 0; k <= 2; k++) {
      vouch_affine_t g = vouch_rigid_motion_at(motion, i, 0.5 * k);
      for (int m = 0; m < 12; m++) {
        if (!isfinite(g.m[m])) {
          abort();
        }
      }
    }
  }
  if (count <= 4) {
    run(body, motion);
  }
  vouch_rigid_motion_destroy(motion);
  return 0;
}
