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

/* What writing and reading the bytes of a geometry share: docs/certificate_format.md, "Geometry
 * body".
 *
 * The file says less than memory: no kinds, no components but solids, no witness for points that
 * are kept, no list of a node that keeps all that its children do. It says more in one place, for
 * the verifier's sake: edges of solids have twins. Private to geometry/. */

#ifndef GEOMETRY__CODEC_H_
#define GEOMETRY__CODEC_H_

#include "geometry/geometry.h"
#include "geometry/lists.h"

enum {VERTEX_BYTES = 24, ROUND_BYTES = 72, NODE_BYTES = 16, MIXTURE_BYTES = 16};

/// For edge 3 * primitive + corner of a solid the edge that runs back along it, as the file has it:
/// 3 * node + corner. 0 for everything else. NULL: no memory.
uint32_t * vouch_geometry_twins(const vouch_geometry_t * geometry, vouch_arena_t * arena);

#endif  // GEOMETRY__CODEC_H_
