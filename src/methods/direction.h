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

/* UNTRUSTED. Proposes separating directions: GJK between the hulls of a few points. */

#ifndef METHODS__DIRECTION_H_
#define METHODS__DIRECTION_H_

#include "geometry/vec.h"

typedef struct closest_s
{
  double distance;     // 0: the hulls overlap, as far as rounding shows
  vec3_t direction;    // unit, from a to b
  vec3_t a, b;         // closest points
} closest_t;

/// At most 8 points each.
closest_t direction_between(const vec3_t * a, int count_a, const vec3_t * b, int count_b);

#endif  // METHODS__DIRECTION_H_
