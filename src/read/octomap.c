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

#include "read/octomap.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "model/scene.h"

enum {DEPTH = 16, HALF = 1 << 15};   // levels below the root; cells from the origin to the edge

/// Of a child in a binary stream: two bits.
enum {CHILD_UNKNOWN = 0, CHILD_FREE = 1, CHILD_OCCUPIED = 2, CHILD_INNER = 3};

/* Below this log-odds a leaf is free. OctoMap asks whether the probability, as a double, is at
 * least 0.5, which a log-odds just below 0 rounds to. */
static const float FREE_BELOW = -1e-6f;

typedef struct cells_s
{
  vouch_bytes_t in;
  vouch_allocator_t allocator;
  vouch_cell_block_t * blocks;
  size_t count, capacity;
} cells_t;

/// A cube of the tree: its lowest cell, and its side in cells (a power of two).
typedef struct cube_s
{
  int32_t low[3], side;
} cube_t;

static cube_t child_of(const cube_t * cube, unsigned number)
{
  cube_t child = {.side = cube->side / 2};
  for (unsigned axis = 0; axis < 3; ++axis) {
    child.low[axis] = cube->low[axis] + (number >> axis & 1u ? child.side : 0);
  }
  return child;
}

static vouch_ret_t malformed(const cells_t * cells, const char * what)
{
  return vouch_fail(
    VOUCH_RET_INVALID, "the octomap's data %s (byte %zu of %zu)", what, cells->in.position,
    cells->in.size);
}

static vouch_ret_t add_cube(cells_t * cells, const cube_t * cube)
{
  if (!vouch_grow(
      &cells->allocator, &cells->blocks, cells->count, &cells->capacity, sizeof(*cells->blocks)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_cell_block_t * block = &cells->blocks[cells->count++];
  for (int axis = 0; axis < 3; ++axis) {
    block->low[axis] = cube->low[axis];
    block->high[axis] = cube->low[axis] + cube->side;
  }
  return VOUCH_RET_OK;
}

/// Binary: two bits for each child, then the inner children. An inner node without children is not
/// written by anyone; what it would mean depends on the reader.
static vouch_ret_t read_binary(cells_t * cells, const cube_t * cube)
{
  unsigned bits = vouch_bytes_get_u8(&cells->in);
  bits |= (unsigned)vouch_bytes_get_u8(&cells->in) << 8;
  if (cells->in.failed) {
    return malformed(cells, "is cut");
  }
  if (bits == 0 || cube->side == 1) {
    return malformed(cells, bits == 0 ? "has a node without children" : "is deeper than 16 levels");
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (unsigned i = 0; ret == VOUCH_RET_OK && i < 8; ++i) {
    const cube_t child = child_of(cube, i);
    ret = (bits >> 2 * i & 3u) == CHILD_OCCUPIED ? add_cube(cells, &child) : ret;
  }
  for (unsigned i = 0; ret == VOUCH_RET_OK && i < 8; ++i) {
    const cube_t child = child_of(cube, i);
    ret = (bits >> 2 * i & 3u) == CHILD_INNER ? read_binary(cells, &child) : ret;
  }
  return ret;
}

/// Full: the log-odds, a bit for each child, the children. What an inner node says does not count.
static vouch_ret_t read_full(cells_t * cells, const cube_t * cube)
{
  float value = 0.0f;
  vouch_bytes_get_f32(&cells->in, &value, 1);
  const unsigned children = vouch_bytes_get_u8(&cells->in);
  if (cells->in.failed) {
    return malformed(cells, "is cut");
  }
  if (value != value) {
    return malformed(cells, "has a probability that is no number");
  }
  if (children != 0 && cube->side == 1) {
    return malformed(cells, "is deeper than 16 levels");
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  if (children == 0 && value >= FREE_BELOW) {
    ret = add_cube(cells, cube);
  }
  for (unsigned i = 0; ret == VOUCH_RET_OK && i < 8; ++i) {
    const cube_t child = child_of(cube, i);
    ret = children >> i & 1u ? read_full(cells, &child) : ret;
  }
  return ret;
}

/// By their place across the first axis, then along it.
static int compare_blocks(const void * a, const void * b)
{
  const vouch_cell_block_t * p = a, * q = b;
  const int32_t keys[5][2] = {
    {p->low[1], q->low[1]}, {p->high[1], q->high[1]}, {p->low[2], q->low[2]},
    {p->high[2], q->high[2]}, {p->low[0], q->low[0]}
  };
  for (int i = 0; i < 5; ++i) {
    if (keys[i][0] != keys[i][1]) {
      return keys[i][0] < keys[i][1] ? -1 : 1;
    }
  }
  return 0;
}

/// One block instead of two that continue each other along the first axis; their union is the same.
static size_t join_along_first_axis(vouch_cell_block_t * blocks, size_t count)
{
  size_t kept = 0;
  if (count > 0) {
    qsort(blocks, count, sizeof(*blocks), compare_blocks);
  }
  for (size_t i = 1; i < count; ++i) {
    vouch_cell_block_t * last = &blocks[kept];
    if (memcmp(last->low + 1, blocks[i].low + 1, 2 * sizeof(int32_t)) == 0 &&
      memcmp(last->high + 1, blocks[i].high + 1, 2 * sizeof(int32_t)) == 0 &&
      last->high[0] == blocks[i].low[0])
    {
      last->high[0] = blocks[i].high[0];
    } else {
      blocks[++kept] = blocks[i];
    }
  }
  return count > 0 ? kept + 1 : 0;
}

/// The second axis becomes the first; after three times all are back.
static void turn_axes(vouch_cell_block_t * blocks, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    const vouch_cell_block_t b = blocks[i];
    blocks[i] = (vouch_cell_block_t) {
      {b.low[1], b.low[2], b.low[0]}, {b.high[1], b.high[2], b.high[0]}
    };
  }
}

static vouch_ret_t check_kind(const vouch_octomap_t * octomap)
{
  if (octomap->id == NULL || strcmp(octomap->id, "OcTree") != 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the octomap is a tree of kind '%.60s'; only OcTree is read",
      octomap->id == NULL ? "" : octomap->id);
  }
  if (!(octomap->resolution_m >= 1e-6 && octomap->resolution_m <= 1e3)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the octomap's resolution is %g m; it must be the side of a cell",
      octomap->resolution_m);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_octomap_blocks(
  const vouch_octomap_t * octomap, vouch_arena_t * arena, vouch_cell_block_t ** blocks,
  size_t * count)
{
  const cube_t root = {{-HALF, -HALF, -HALF}, 2 * HALF};
  cells_t cells = {
    .in = vouch_bytes_reader(octomap->data, octomap->size), .allocator = arena->allocator
  };
  *blocks = NULL;
  *count = 0;
  vouch_ret_t ret = check_kind(octomap);
  if (ret == VOUCH_RET_OK) {
    ret = octomap->binary ? read_binary(&cells, &root) : read_full(&cells, &root);
  }
  if (ret == VOUCH_RET_OK && cells.in.position != cells.in.size) {
    ret = malformed(&cells, "goes on behind the tree");
  }
  for (int axis = 0; ret == VOUCH_RET_OK && axis < 3; ++axis) {
    cells.count = join_along_first_axis(cells.blocks, cells.count);
    turn_axes(cells.blocks, cells.count);
  }
  if (ret == VOUCH_RET_OK && cells.count > 0) {
    *blocks = vouch_arena_calloc(arena, cells.count, sizeof(**blocks));
    ret = *blocks == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  }
  if (ret == VOUCH_RET_OK && cells.count > 0) {
    memcpy(*blocks, cells.blocks, cells.count * sizeof(**blocks));
    *count = cells.count;
  }
  vouch_free(&cells.allocator, cells.blocks);
  return ret;
}

vouch_ret_t vouch_octomap_boxes(
  const vouch_octomap_t * octomap, vouch_arena_t * arena, vouch_shape_t ** boxes,
  vouch_pose_t ** poses, size_t * count)
{
  vouch_cell_block_t * blocks = NULL;
  vouch_ret_t ret = vouch_octomap_blocks(octomap, arena, &blocks, count);
  *boxes = ret == VOUCH_RET_OK ? vouch_arena_calloc(arena, *count, sizeof(**boxes)) : NULL;
  *poses = ret == VOUCH_RET_OK ? vouch_arena_calloc(arena, *count, sizeof(**poses)) : NULL;
  if (ret != VOUCH_RET_OK || *boxes == NULL || *poses == NULL) {
    return ret != VOUCH_RET_OK ? ret : VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < *count; ++i) {
    (*boxes)[i].kind = VOUCH_SHAPE_BOX;
    (*poses)[i] = (vouch_pose_t) {.rotation = {0.0, 0.0, 0.0, 1.0}};
    for (int axis = 0; axis < 3; ++axis) {
      const double low = blocks[i].low[axis], high = blocks[i].high[axis];
      (*boxes)[i].size[axis] = (high - low) * octomap->resolution_m;
      (*poses)[i].translation[axis] = 0.5 * (low + high) * octomap->resolution_m;
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_set_octomap(
  vouch_scene_t * scene, const char * frame, const vouch_pose_t * pose,
  const vouch_octomap_t * octomap)
{
  VOUCH_REQUIRE("scene, pose, octomap", scene, pose, octomap);
  VOUCH_REQUIRE_ARRAY("octomap->data", octomap->data, octomap->size);
  vouch_arena_t arena = {.allocator = scene->allocator};
  vouch_shape_t * boxes = NULL;
  vouch_pose_t * poses = NULL;
  size_t count = 0;
  vouch_ret_t ret = octomap->size == 0 ? VOUCH_RET_OK :
    vouch_octomap_boxes(octomap, &arena, &boxes, &poses, &count);
  if (ret == VOUCH_RET_OK && count > 0) {
    ret = vouch_scene_add_object(scene, VOUCH_OCTOMAP_ID, frame, pose, boxes, poses, count);
  } else if (ret == VOUCH_RET_OK && vouch_scene_find(scene, VOUCH_OCTOMAP_ID) != VOUCH_NONE) {
    ret = vouch_scene_remove_object(scene, VOUCH_OCTOMAP_ID);
  }
  vouch_arena_fini(&arena);
  return ret;
}
