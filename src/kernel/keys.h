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

/* Keys: numbers that say what a proof was about. TRUSTED.
 *
 * Whatever a test reads of a scene (the table of frames, a body, a group, which bodies a pair skips)
 * has a number that no other thing has or ever had. A scene that follows another one takes over the
 * numbers of what is the same in it, to the bit, and nothing else; so equal numbers are equal inputs,
 * however many scenes lie between, and steps may be copied where all numbers are equal [K-COPY]. Who
 * proposes what may be the same is not trusted: it is compared here. */

#ifndef KERNEL__KEYS_H_
#define KERNEL__KEYS_H_

#include "base/memory.h"
#include "geometry/vec.h"
#include "model/problem.h"

struct kernel_scene_s;

typedef struct kernel_keys_s
{
  uint64_t frames;     // of the whole table
  uint64_t * bodies;   // geometry, placement, frame, kind
  uint64_t * groups;   // the bodies beneath, and how the tree is made of them
  uint64_t * within;   // per group: one in whose box its box lies; mostly itself
  uint64_t * skips;    // per pair: which bodies of a group are left out; 0: none
} kernel_keys_t;

/// What of an earlier scene may be the same, per body, group and pair, and which group may have lain
/// around one of today: a number there, or VOUCH_NONE. Not trusted. NULL: nothing.
typedef struct kernel_links_s
{
  const uint32_t * bodies, * groups, * around, * pairs;
} kernel_links_t;

/// So many numbers that nobody has: the first of them.
uint64_t kernel_new_keys(uint64_t count);

/// New numbers for everything.
vouch_ret_t kernel_keys_init(
  kernel_keys_t * keys, const vouch_scene_part_t * scene, vouch_arena_t * arena) VOUCH_WARN_UNUSED;

/// Takes over the numbers of what is the same in an earlier scene.
void kernel_keys_inherit(
  struct kernel_scene_s * scene, const struct kernel_scene_s * before,
  const kernel_links_t * links);

/// New numbers for a group in which a body moved; low, high: its box before that.
void kernel_keys_moved(
  struct kernel_scene_s * scene, uint32_t group, vec3_t low, vec3_t high);

#endif  // KERNEL__KEYS_H_
