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
  VOUCH_PROBLEM_VERSION = 2,
  VOUCH_PART_GEOMETRY = 1,
  VOUCH_PART_MOTION = 2,
  VOUCH_PART_SCENE = 3,
  VOUCH_MOTION_BERNSTEIN = 1
};

/// Bytes of one record (of a geometry: at least), and of the geometry of all planes.
enum
{
  VOUCH_GEOMETRY_LEAST = 3 * 4 + 24 + 16 + 4,
  VOUCH_GEOMETRY_PLANES = 3 * 4 + 2 * 24 + 16 + 4,
  VOUCH_FRAME_BYTES = 12 * 8 + 6 * 4,
  VOUCH_PAIR_BYTES = 8 + 2 * 4,
  VOUCH_SEGMENT_BYTES = 3 * 8 + 2 * 4
};

/// What a file can hold: frames above a frame; bytes; seconds.
#define VOUCH_MAX_ABOVE 255u
#define VOUCH_MAX_PROBLEM UINT32_MAX
#define VOUCH_MAX_SECONDS 1e9

/// Whether there is a plane or half-space.
bool vouch_scene_has_planes(const vouch_scene_part_t * scene);
/// The geometry of all planes: one primitive, a point at the origin.
void vouch_planes_encode(vouch_text_t * out);

/// vouch_problem_validate() without the insides of the geometries.
vouch_ret_t vouch_problem_validate_rest(const vouch_problem_t * problem) VOUCH_WARN_UNUSED;

#endif  // MODEL__PROBLEM_FORMAT_H_
