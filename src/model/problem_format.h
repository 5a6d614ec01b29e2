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


/* What writing, reading and validating problem files share. Private to model/. */

#ifndef MODEL__PROBLEM_FORMAT_H_
#define MODEL__PROBLEM_FORMAT_H_

#include "model/problem.h"

#define VOUCH_PROBLEM_MAGIC "VOUCHPRB"

enum
{
  VOUCH_PROBLEM_MAGIC_SIZE = 8,
  VOUCH_PROBLEM_VERSION = 3,
  VOUCH_PART_GEOMETRY = 1,
  VOUCH_PART_MOTION = 2,
  VOUCH_PART_SCENE = 3,
  VOUCH_PART_SOURCES = 4,
  VOUCH_MOTION_BERNSTEIN = 1
};

/// Bytes of one record (of a geometry: at least).
enum
{
  VOUCH_GEOMETRY_LEAST = 3 * 4 + 24 + 16 + 4,
  VOUCH_VARIABLE_BYTES = 2 * 8,
  VOUCH_SEGMENT_BYTES = 3 * 8 + 2 * 4,
  VOUCH_FRAME_BYTES = 12 * 8 + 4 * 4,
  VOUCH_BODY_BYTES = 8 * 8 + 4 * 4,
  VOUCH_GROUP_BYTES = 2 * 4,
  VOUCH_PAIR_BYTES = 8 + 4 * 4,
  VOUCH_SKIP_BYTES = 2 * 4,
  VOUCH_LEFT_OUT_BYTES = 3 * 4,
  VOUCH_SOURCE_BYTES = 32
};

/// What a file can hold: frames above a frame; bytes; seconds.
#define VOUCH_MAX_ABOVE 255u
#define VOUCH_MAX_PAIRS (1u << 24)
/// A tree of groups is at most so deep.
#define VOUCH_MAX_GROUP_DEPTH 255u
#define VOUCH_MAX_PROBLEM UINT32_MAX
#define VOUCH_MAX_SECONDS 1e9

/// vouch_problem_validate() without the insides of the geometries.
vouch_ret_t vouch_problem_validate_rest(const vouch_problem_t * problem) VOUCH_WARN_UNUSED;

#endif  // MODEL__PROBLEM_FORMAT_H_
