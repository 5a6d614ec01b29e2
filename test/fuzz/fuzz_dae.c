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

/* Any bytes as COLLADA, up to where assimp would read them: refused with a sentence, or passed on. */

#include <stdint.h>
#include <stdlib.h>

#include "read/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  vouch_ret_t ret = vouch_mesh_check_dae(
    vouch_allocator_default(), "fuzz", (const char *)data, size);
  if (ret != VOUCH_RET_OK && vouch_error()[0] == '\0') {
    abort();
  }
  return 0;
}
