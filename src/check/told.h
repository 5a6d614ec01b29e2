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

/* Reads the steps of a certificate back, one tree of them for each pair of the file. */

#ifndef CHECK__TOLD_H_
#define CHECK__TOLD_H_

#include "base/memory.h"

/// A step and the two below it: of the halves of its span, or of the nodes that it leads to.
typedef struct check_told_s
{
  const uint8_t * at;
  uint32_t size;       // with its rays
  uint32_t child[2];   // T, A, B
} check_told_t;

typedef struct check_story_s
{
  vouch_allocator_t allocator;
  check_told_t * told;   // the first ones are those of the pairs
  size_t count, capacity;
} check_story_t;

/// INVALID: the bytes are no proof of so many pairs.
vouch_ret_t check_story_read(
  check_story_t * story, uint32_t pairs, const uint8_t * ops, size_t size) VOUCH_WARN_UNUSED;
void check_story_fini(check_story_t * story);

#endif  // CHECK__TOLD_H_
