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

/* Points that are farthest along a direction: what GJK walks over. A proposal like every other point of
 * the search; the kernel's own supports are in kernel/support.h. */

#ifndef SEARCH__SUPPORT_POINT_H_
#define SEARCH__SUPPORT_POINT_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

/// A point of the node where m . x is largest, without epsilon. Coarse: over the vertices that outline
/// large hulls only.
vec3_t support_point(const vouch_geometry_t * geometry, uint32_t node, vec3_t m, bool coarse);

#endif  // SEARCH__SUPPORT_POINT_H_
