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

/* What the builders of motions share. */

#ifndef METHODS__MOTION_BUILD_H_
#define METHODS__MOTION_BUILD_H_

#include "methods/rigid_motion.h"

/// Takes over segment->h, also when it fails (then it is freed).
vouch_ret_t motion_push(
  vouch_rigid_motion_t * motion, rigid_segment_t * segment) VOUCH_WARN_UNUSED;
/// Drops all segments from number `count` on: a builder that fails half-way leaves nothing behind.
void motion_truncate(vouch_rigid_motion_t * motion, size_t count);
/// INVALID, with the degrees that are possible.
vouch_ret_t motion_refuse_degree(size_t degree);
/// A Bezier segment from homogeneous coefficients (w, wA, wa), checked.
vouch_ret_t motion_push_homogeneous(
  vouch_rigid_motion_t * motion, double duration_s, size_t degree, const double(*h)[13],
  const double error[2]) VOUCH_WARN_UNUSED;

#endif  // METHODS__MOTION_BUILD_H_
