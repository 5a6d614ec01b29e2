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
/* The steps of a written proof, walked over without being tested: where each goal's begin and end. */

#ifndef CHECK__STEPS_H_
#define CHECK__STEPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/problem.h"

/// Goals that may wait while steps are walked over.
#define CHECK_STEP_STACK 2048u

/// Where an old pair's steps lie among all.
typedef struct check_steps_s
{
  size_t begin, end;
  uint64_t leaves;
} check_steps_t;

typedef struct check_stream_s
{
  const vouch_scene_part_t * scene;
  const uint8_t * ops;
  size_t size;
  const uint32_t * stayed;   // or NULL: parted is not wanted
  bool parted;            // walked into a group of which a part is gone
  uint64_t leaves;        // that were walked over
  const uint8_t * last;   // the last direction that was walked over, or NULL
} check_stream_t;

/// Bytes of a step, its rays not included; 0: there is no such step.
size_t check_step_size(uint8_t tag);

/// Walks over the steps of one goal; `group` is VOUCH_NONE below the obstacle tree. Returns the
/// position behind them, or SIZE_MAX when they are damaged.
size_t check_walk(check_stream_t * in, const vouch_pair_t * pair, uint32_t group, size_t at);

/// The steps of an old pair against the obstacle tree that are about all that stayed of it, when
/// none of them goes into a group of which a part is gone; else none. `stayed` is how many obstacles
/// below each old group are left.
check_steps_t check_find_whole(
  const vouch_scene_part_t * old, const uint32_t * stayed, const vouch_pair_t * pair,
  const uint8_t * ops, const check_steps_t * steps);

/// The same when the right child of the root was moved: the steps about the left one.
check_steps_t check_find_left(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const uint8_t * ops,
  const check_steps_t * steps);

/// Finds each pair's steps; false when they do not fit the old scene.
bool check_find_steps(
  const vouch_scene_part_t * old, const uint8_t * ops, size_t size, check_steps_t * steps);

#endif  // CHECK__STEPS_H_
