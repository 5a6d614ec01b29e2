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

/* An old problem and its certificate, read as a guide to the proof of a new problem.
 *
 * What the file has for each two bodies is put together again for the new tree of obstacles: where
 * all obstacles of a group wait for halves of a span, so does the group; where all were parted from
 * a body by the same direction, that is tried on the group; else the proof goes down the tree. What
 * comes of it is tested step by step by the kernel: nothing here is trusted. */

#ifndef CHECK__GUIDE_H_
#define CHECK__GUIDE_H_

#include "check/steps.h"

typedef struct check_guide_s
{
  vouch_problem_t old;        // as in the file
  vouch_scene_part_t scene;   // the new one; pairs have entries for obstacles with old steps only
  check_steps_t * steps;      // per new pair
  uint32_t * old_pair;        // per new pair: its own number, or VOUCH_NONE: it has no old steps
  vouch_text_t ops;
  vouch_arena_t arena;
} check_guide_t;

/// Bytes of a file.
typedef struct check_file_s
{
  const uint8_t * data;
  size_t size;
} check_file_t;

/// INVALID: the files are damaged, do not belong together, or are not about a FREE motion.
vouch_ret_t check_guide_read(
  check_guide_t * guide, vouch_allocator_t allocator, const vouch_scene_part_t * now,
  check_file_t problem, check_file_t certificate) VOUCH_WARN_UNUSED;
void check_guide_fini(check_guide_t * guide);

#endif  // CHECK__GUIDE_H_
