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

/* Any bytes as STL: refused, or a mesh whose every index and number is in order. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "read/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  vouch_ret_t ret = vouch_mesh_parse(&mesh, "fuzz", data, size, VOUCH_MESH_STL);
  if (ret != VOUCH_RET_OK) {
    if (mesh.triangle_count != 0 || vouch_error()[0] == '\0') {
      abort();
    }
  } else if (mesh.triangle_count == 0) {
    abort();
  }
  for (size_t t = 0; t < mesh.triangle_count; ++t) {
    for (size_t corner = 0; corner < 3; ++corner) {
      uint32_t vertex = mesh.triangles[t][corner];
      if (vertex >= mesh.vertex_count || !isfinite(mesh.vertices[vertex][corner])) {
        abort();
      }
    }
  }
  vouch_mesh_fini(&mesh);
  return 0;
}
