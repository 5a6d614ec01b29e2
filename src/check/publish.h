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

/* The kernel's proofs as the file has them.
 *
 * The kernel proves pair after pair, and one body against the whole tree of obstacles at once. A
 * file has a proof for each two bodies, and proves all of them span by span. So the kernel's proof
 * is seen once by each obstacle: a step down the tree of obstacles is one towards it, and a leaf
 * for a group is one for each obstacle in it. Most obstacles of a group are further away than the
 * one that made the kernel halve a span: where the kernel agrees, they have one leaf there. */

#ifndef CHECK__PUBLISH_H_
#define CHECK__PUBLISH_H_

#include "base/text.h"
#include "search/search.h"

/// Halvings of one segment, at most: it has 2^CHECK_TICK_BITS ticks.
#define CHECK_TICK_BITS 44u
/// Halvings of the motion: runs of segments are halved 20 times at most.
#define CHECK_MOST_HALVINGS (20u + CHECK_TICK_BITS)

/// The kernel's steps for one pair of the problem.
typedef struct check_written_s
{
  const uint8_t * ops;
  size_t size;
} check_written_t;

/// Appends the steps of all pairs (`written`, per pair of the scene) as they are in the file. kernel:
/// the last check was over its motion; what it has open is given up.
vouch_ret_t check_publish(
  const vouch_scene_part_t * scene, const check_written_t * written, kernel_proof_t * kernel,
  vouch_text_t * out) VOUCH_WARN_UNUSED;

#endif  // CHECK__PUBLISH_H_
