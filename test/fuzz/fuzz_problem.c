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

/* Problem files from anywhere: reading one never reads or writes where it should not, and what is
 * accepted is valid and encodes to the very same bytes. */

#include <stdlib.h>
#include <string.h>

#include "model/problem.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  vouch_problem_t problem;
  if (vouch_problem_decode(&problem, vouch_allocator_default(), data, size) != VOUCH_RET_OK) {
    return 0;
  }
  if (vouch_problem_validate(&problem) != VOUCH_RET_OK) {
    abort();
  }
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  if (vouch_problem_encode(&problem, &text) != VOUCH_RET_OK || text.size != size ||
    memcmp(text.data, data, size) != 0)
  {
    abort();
  }
  for (uint32_t i = 0; i < problem.geometry.geometry_count; ++i) {
    const vouch_geometry_t * geometry = problem.geometry.geometries[i];
    if (geometry->node_count < 1000) {
      (void)vouch_geometry_witness_error(geometry, 0);
    }
  }
  vouch_text_fini(&text);
  vouch_problem_fini(&problem);
  return 0;
}
