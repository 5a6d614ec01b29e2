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

/* OctoMap's octrees as octomap_msgs carries them: the stream of a tree without its file header.
 *
 * Hornung, Wurm, Bennewitz, Stachniss, Burgard, "OctoMap: an efficient probabilistic 3D mapping
 * framework based on octrees", Autonomous Robots 34 (2013), section 3.4; the byte order is that of
 * OcTreeBaseImpl::readData and OccupancyOcTreeBase::readBinaryData of OctoMap 1.9.
 * A tree has 16 levels; its root is the cube of 2^16 cells around the origin. Cells whose
 * probability is 0.5 or more are occupied; what was never seen counts as free, as in MoveIt. */

#ifndef READ__OCTOMAP_H_
#define READ__OCTOMAP_H_

#include "base/memory.h"
#include "vouch/scene.h"

/// Occupied cells: those from low to high - 1 along each axis; cell 0 begins at the origin.
typedef struct vouch_cell_block_s
{
  int32_t low[3], high[3];
} vouch_cell_block_t;

/// The occupied cells as blocks that do not overlap, neighbours joined; in `arena`. INVALID for another
/// kind of tree, a resolution that is none, a stream that is cut, goes on, or says what no tree says.
vouch_ret_t vouch_octomap_blocks(
  const vouch_octomap_t * octomap, vouch_arena_t * arena, vouch_cell_block_t ** blocks,
  size_t * count) VOUCH_WARN_UNUSED;

/// The same as boxes with their poses; in `arena`.
vouch_ret_t vouch_octomap_boxes(
  const vouch_octomap_t * octomap, vouch_arena_t * arena, vouch_shape_t ** boxes,
  vouch_pose_t ** poses, size_t * count) VOUCH_WARN_UNUSED;

#endif  // READ__OCTOMAP_H_
