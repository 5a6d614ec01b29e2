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

/* What counts as a number, a pose, a direction: the same limits for files and for builders. */

#ifndef GEOMETRY__LIMITS_H_
#define GEOMETRY__LIMITS_H_

#include <math.h>

#include "geometry/geometry.h"
#include "vouch/types.h"

/// Finite and at most 1e6 in magnitude (NaN fails).
static inline bool vouch_is_coordinate(double x)
{
  return fabs(x) <= VOUCH_MAX_COORDINATE;
}

/// For fields that must be zero: one encoding only.
static inline bool vouch_is_plus_zero(double x)
{
  return x == 0.0 && !signbit(x);
}

/// | |q| - 1 | <= 1e-3, coordinates within their limit.
static inline bool vouch_is_pose(const vouch_pose_t * pose)
{
  const double * q = pose->rotation;
  const double * t = pose->translation;
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return fabs(length - 1.0) <= 1e-3 &&
         vouch_is_coordinate(t[0]) && vouch_is_coordinate(t[1]) && vouch_is_coordinate(t[2]);
}

#endif  // GEOMETRY__LIMITS_H_
