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

/* Rules about a geometry that no proof relies on. Private to geometry/validate.c. */

#ifndef GEOMETRY__FORM_H_
#define GEOMETRY__FORM_H_

#include "base/memory.h"
#include "geometry/geometry.h"

/// Vertex 0 is the middle of the box of all others.
vouch_ret_t vouch_form_middle(const vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;
/// Components are numbered in order.
vouch_ret_t vouch_form_components(const vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;
/// Each vertex is used, and each connected part has one reference point.
vouch_ret_t vouch_form_parts(
  const vouch_geometry_t * geometry, vouch_arena_t * arena) VOUCH_WARN_UNUSED;
/// Witnesses are as many as their nodes need, and say of a kept point that it is kept.
vouch_ret_t vouch_form_witnesses(
  const vouch_geometry_t * geometry, vouch_arena_t * arena) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__FORM_H_
