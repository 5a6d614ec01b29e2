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

/* Streams that OctoMap itself writes, of maps filled at random, pruned and not: the blocks that are
 * read from them are the leaves that OctoMap calls occupied, and nothing else. */

#ifndef VOUCH_HAVE_FCL

#include <cstdio>

int main()
{
  std::printf("SKIPPED: FCL and OctoMap were not found\n");
  return 0;
}

#else

#include <octomap/octomap.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "read/octomap.h"
}

static int failures = 0;

static void check(bool good, const char * what, unsigned seed, bool binary)
{
  if (!good) {
    std::printf("FAILED: %s (seed %u, %s)\n", what, seed, binary ? "binary" : "full");
    ++failures;
  }
}

static void fill(octomap::OcTree & tree, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-1.5F, 1.5F);
  std::uniform_int_distribution<int> kind(0, 3);
  for (int i = 0; i < 300; ++i) {
    tree.updateNode(octomap::point3d(place(random), place(random), place(random)), kind(random) > 0);
  }
  // A full cube, which pruning makes one leaf, and rays, which leave free cells.
  for (int i = 0; i < 512; ++i) {
    const float r = static_cast<float>(tree.getResolution());
    tree.updateNode(
      octomap::point3d(
        r * (0.5F + static_cast<float>(i % 8)), r * (0.5F + static_cast<float>(i / 8 % 8)),
        r * (0.5F + static_cast<float>(i / 64))), true);
  }
  for (int i = 0; i < 20; ++i) {
    tree.insertRay(
      octomap::point3d(0.0F, 0.0F, 2.0F),
      octomap::point3d(place(random), place(random), place(random)));
  }
}

/// How many of the blocks hold the point, given in cells.
static int holders(
  const std::vector<vouch_cell_block_t> & blocks, const double x[3])
{
  int count = 0;
  for (const vouch_cell_block_t & b : blocks) {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      inside = inside && b.low[axis] < x[axis] && x[axis] < b.high[axis];
    }
    count += inside ? 1 : 0;
  }
  return count;
}

static void compare(unsigned seed, bool binary)
{
  octomap::OcTree tree(0.05);
  std::stringstream stream;
  fill(tree, seed);
  if (seed % 2 == 0) {
    tree.prune();
  } else {
    tree.expand();
  }
  // What octomap_msgs puts into its messages. A binary one has a most likely state for each leaf.
  if (binary) {
    tree.toMaxLikelihood();
    tree.writeBinaryData(stream);
  } else {
    tree.writeData(stream);
  }
  const std::string bytes = stream.str();
  const vouch_octomap_t octomap = {
    "OcTree", binary, tree.getResolution(), reinterpret_cast<const uint8_t *>(bytes.data()),
    bytes.size()};
  vouch_arena_t arena = {};
  arena.allocator = vouch_allocator_default();
  vouch_cell_block_t * found = nullptr;
  size_t count = 0;
  const vouch_ret_t ret = vouch_octomap_blocks(&octomap, &arena, &found, &count);
  check(ret == VOUCH_RET_OK && count > 0, "the stream is read", seed, binary);
  const std::vector<vouch_cell_block_t> blocks(found, found + count);
  double volume = 0.0, blocked = 0.0;
  for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
    const double side = leaf.getSize() / tree.getResolution();
    const double x[3] = {
      leaf.getX() / tree.getResolution(), leaf.getY() / tree.getResolution(),
      leaf.getZ() / tree.getResolution()};
    const bool occupied = tree.isNodeOccupied(*leaf);
    volume += occupied ? std::round(side * side * side) : 0.0;
    check(holders(blocks, x) == (occupied ? 1 : 0), "a leaf is what OctoMap says", seed, binary);
  }
  for (const vouch_cell_block_t & b : blocks) {
    blocked += static_cast<double>(b.high[0] - b.low[0]) * (b.high[1] - b.low[1]) *
      (b.high[2] - b.low[2]);
  }
  check(volume == blocked, "nothing else is occupied", seed, binary);
  vouch_arena_fini(&arena);
}

int main()
{
  for (unsigned seed = 1; seed <= 20; ++seed) {
    compare(seed, true);
    compare(seed, false);
  }
  std::printf("40 octomaps written by OctoMap, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

#endif
