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

/* Octomaps: a tree written here by the rules of OctoMap's streams must come back as blocks that hold
 * its occupied cells and nothing else; streams that are no tree are refused; in a scene it is one
 * object, as in MoveIt. OctoMap's own streams: test/cpp/test_octomap_library.cpp. */

#include "test_scene_fixture.h"

#include <zlib.h>

#include "base/bytes.h"
#include "read/octomap.h"
#include "support/random.h"

enum {LEVELS = 16, MOST = 4096};

/// A leaf: its lowest cell, its side, and whether it is occupied.
typedef struct leaf_s
{
  int32_t low[3], side;
  bool occupied;
} leaf_t;

typedef struct tree_s
{
  vouch_text_t full, binary;
  leaf_t leaves[MOST];
  size_t count;
  test_random_t random;
} tree_t;

enum {NOTHING, FREE, OCCUPIED, INNER};

/// What each child is; one at least is something. Deeper than the levels there is no inner one.
static void choose(tree_t * tree, int32_t side, int kinds[8])
{
  bool any = false;
  while (!any) {
    for (int i = 0; i < 8; ++i) {
      const uint32_t r = test_random_below(&tree->random, 16);
      kinds[i] = r < 8 ? NOTHING : r < 10 ? FREE : r < 13 ? OCCUPIED : INNER;
      kinds[i] = kinds[i] == INNER && (side <= 2 || tree->count > MOST / 2) ? FREE : kinds[i];
      any = any || kinds[i] != NOTHING;
    }
  }
}

static void put_value(vouch_text_t * out, float value, unsigned children)
{
  vouch_bytes_put_f32(out, &value, 1);
  vouch_bytes_put_u8(out, (uint8_t)children);
}

/// Writes an inner node; `binary` collects what comes after the children's bits.
static void put_inner(tree_t * tree, const int32_t low[3], int32_t side)
{
  int kinds[8];
  unsigned bits = 0, exist = 0;
  choose(tree, side, kinds);
  for (int i = 0; i < 8; ++i) {
    // OctoMap's pairs of bits: 01 free (the lower bit first), 10 occupied, 11 inner.
    bits |= (unsigned)kinds[i] << 2 * i;
    exist |= (unsigned)(kinds[i] != NOTHING) << i;
  }
  vouch_bytes_put_u8(&tree->binary, (uint8_t)(bits & 0xff));
  vouch_bytes_put_u8(&tree->binary, (uint8_t)(bits >> 8));
  put_value(&tree->full, -3.0f, exist);   // an inner node's own value does not count
  for (int i = 0; i < 8; ++i) {
    leaf_t leaf = {.side = side / 2, .occupied = kinds[i] == OCCUPIED};
    for (int axis = 0; axis < 3; ++axis) {
      leaf.low[axis] = low[axis] + (i >> axis & 1 ? leaf.side : 0);
    }
    if (kinds[i] == INNER) {
      put_inner(tree, leaf.low, leaf.side);
    } else if (kinds[i] != NOTHING) {
      assert_true(tree->count < MOST);
      tree->leaves[tree->count++] = leaf;
      const bool edge = test_random_below(&tree->random, 4) == 0;   // a probability of exactly 0.5
      put_value(&tree->full, kinds[i] == FREE ? -0.4f : edge ? 0.0f : 0.85f, 0);
    }
  }
}

static tree_t * new_tree(uint64_t seed)
{
  const int32_t low[3] = {-32768, -32768, -32768};
  tree_t * tree = test_calloc(1, sizeof(*tree));
  tree->random.state = seed;
  tree->full = tree->binary = (vouch_text_t) {.allocator = vouch_allocator_default()};
  put_inner(tree, low, 65536);
  return tree;
}

static void free_tree(tree_t * tree)
{
  vouch_text_fini(&tree->full);
  vouch_text_fini(&tree->binary);
  test_free(tree);
}

static bool holds(const vouch_cell_block_t * b, const leaf_t * leaf)
{
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t first = leaf->low[axis], last = first + leaf->side;
    inside = inside && b->low[axis] <= first && last <= b->high[axis];
  }
  return inside;
}

static bool meets(const vouch_cell_block_t * b, const leaf_t * leaf)
{
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t first = leaf->low[axis], last = first + leaf->side;
    inside = inside && b->low[axis] < last && first < b->high[axis];
  }
  return inside;
}

/// Every occupied leaf is in one block, no free one meets any, and the volumes are the same, so that
/// there is nothing else and nothing twice.
static void compare(const tree_t * tree, bool binary)
{
  const vouch_text_t * bytes = binary ? &tree->binary : &tree->full;
  const vouch_octomap_t octomap = {
    "OcTree", binary, 0.05, (const uint8_t *)bytes->data, bytes->size
  };
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_cell_block_t * blocks = NULL;
  size_t count = 0, occupied = 0;
  double volume = 0.0, blocked = 0.0;
  assert_int_equal(vouch_octomap_blocks(&octomap, &arena, &blocks, &count), VOUCH_RET_OK);
  for (size_t i = 0; i < tree->count; ++i) {
    const leaf_t * leaf = &tree->leaves[i];
    size_t in = 0, touched = 0;
    for (size_t k = 0; k < count; ++k) {
      in += holds(&blocks[k], leaf);
      touched += meets(&blocks[k], leaf);
    }
    assert_true(leaf->occupied ? in == 1 && touched == 1 : touched == 0);
    volume += leaf->occupied ? pow(leaf->side, 3.0) : 0.0;
    occupied += leaf->occupied;
  }
  for (size_t k = 0; k < count; ++k) {
    const vouch_cell_block_t * b = &blocks[k];
    blocked += (double)(b->high[0] - b->low[0]) * (double)(b->high[1] - b->low[1]) *
      (double)(b->high[2] - b->low[2]);
  }
  assert_true(volume == blocked);
  assert_true(count <= occupied);
  vouch_arena_fini(&arena);
}

static void test_blocks_are_the_occupied_cells(void ** state)
{
  (void)state;
  size_t leaves = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    tree_t * tree = new_tree(seed);
    compare(tree, true);
    compare(tree, false);
    leaves += tree->count;
    free_tree(tree);
  }
  print_message("100 trees with %zu leaves\n", leaves);
}

/// Every prefix of a stream is refused, as is one more byte.
static void test_cut_and_longer_streams_are_refused(void ** state)
{
  (void)state;
  tree_t * tree = new_tree(7);
  for (int binary = 0; binary < 2; ++binary) {
    vouch_text_t * bytes = binary ? &tree->binary : &tree->full;
    const size_t whole = bytes->size;
    vouch_bytes_put_u8(bytes, 0);
    for (size_t size = 0; size <= whole + 1; ++size) {
      vouch_arena_t arena = {.allocator = vouch_allocator_default()};
      const vouch_octomap_t octomap = {
        "OcTree", binary == 1, 0.05, (const uint8_t *)bytes->data, size
      };
      vouch_cell_block_t * blocks = NULL;
      size_t count = 0;
      const vouch_ret_t ret = vouch_octomap_blocks(&octomap, &arena, &blocks, &count);
      assert_int_equal(ret, size == whole ? VOUCH_RET_OK : VOUCH_RET_INVALID);
      vouch_arena_fini(&arena);
    }
  }
  free_tree(tree);
}

static void expect_refused(const uint8_t * data, size_t size, bool binary, const char * sentence)
{
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  const vouch_octomap_t octomap = {"OcTree", binary, 0.05, data, size};
  vouch_cell_block_t * blocks = NULL;
  size_t count = 0;
  assert_int_equal(vouch_octomap_blocks(&octomap, &arena, &blocks, &count), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), sentence));
  vouch_arena_fini(&arena);
}

static void test_what_no_tree_says_is_refused(void ** state)
{
  (void)state;
  uint8_t deep[2 * (LEVELS + 1)], nan[5] = {0, 0, 0xc0, 0x7f, 0};
  for (int i = 0; i <= LEVELS; ++i) {
    deep[2 * i] = 3;   // the first child is inner
    deep[2 * i + 1] = 0;
  }
  expect_refused(deep, sizeof(deep), true, "deeper than 16 levels");
  expect_refused((const uint8_t[2]) {0, 0}, 2, true, "without children");
  expect_refused(nan, sizeof(nan), false, "no number");
  uint8_t full[5 * (LEVELS + 1)] = {0};
  for (int i = 0; i <= LEVELS; ++i) {
    full[5 * i + 4] = 1;
  }
  expect_refused(full, sizeof(full), false, "deeper than 16 levels");
}

/* Child 7 of the root, and so on down to the cell at the origin; its neighbour below in x too. */
static size_t two_cells(uint8_t data[64])
{
  size_t size = 0;
  // Two children of the root are inner: 6 (x below 0) and 7.
  data[size++] = 0;
  data[size++] = 0xf0;
  for (int branch = 0; branch < 2; ++branch) {
    // The corner nearest to the origin: below in x it is child 1, else child 0.
    const unsigned child = branch == 0 ? 1 : 0;
    for (int level = 2; level <= LEVELS; ++level) {
      data[size++] = (uint8_t)((level < LEVELS ? 3u : 2u) << 2 * child);
      data[size++] = 0;
    }
  }
  return size;
}

static void put_scene(char * text, size_t room, const char * data, const char * more)
{
  snprintf(
    text, room, "is_diff: true\nworld: {octomap: {header: {frame_id: ''}, origin: {position: [1, 2, 3], "
    "orientation: [0, 0, 0, 1]}, octomap: {binary: true, id: OcTree, resolution: 0.1, data: %s}}%s}",
    data, more);
}

/// As ROS prints bytes, signed.
static void list_of(const uint8_t * data, size_t size, char * text)
{
  text += sprintf(text, "[");
  for (size_t i = 0; i < size; ++i) {
    text += sprintf(text, "%s%d", i > 0 ? ", " : "", (int)(int8_t)data[i]);
  }
  sprintf(text, "]");
}

static void packed_of(const uint8_t * data, size_t size, char * text)
{
  Bytef packed[256];
  uLongf length = sizeof(packed);
  assert_int_equal(compress(packed, &length, data, (uLong)size), Z_OK);
  for (uLongf i = 0; i < length; ++i) {
    text += sprintf(text, "%02X", packed[i]);
  }
}

/// Cells [-1, 1) x [0, 1) x [0, 1) of 0.1 m, joined to one box, whose pose is the object's.
static void check_two_cells(const vouch_scene_t * scene)
{
  const vouch_object_view_t object = view(scene, VOUCH_OCTOMAP_ID);
  const vouch_pose_t there = vouch_pose_product(&object.pose, &object.shape_poses[0]);
  assert_int_equal(object.shape_count, 1);
  assert_int_equal(object.shapes[0].kind, VOUCH_SHAPE_BOX);
  assert_float_equal(object.shapes[0].size[0], 0.2, 1e-15);
  assert_float_equal(object.shapes[0].size[1], 0.1, 1e-15);
  assert_float_equal(there.translation[0], 1.0, 1e-15);
  assert_float_equal(there.translation[1], 2.05, 1e-15);
  assert_float_equal(there.translation[2], 3.05, 1e-15);
}

static void test_in_a_scene_it_is_one_object(void ** state)
{
  (void)state;
  uint8_t data[64];
  char bytes[1024], text[2048];
  const size_t size = two_cells(data);
  for (int packed = 0; packed < 2; ++packed) {
    vouch_scene_t * scene = new_scene();
    (packed ? packed_of : list_of)(data, size, bytes);
    put_scene(text, sizeof(text), bytes, "");
    load(scene, text);
    check_two_cells(scene);
    // A diff without one leaves it, as does the removal of everything else.
    load(scene, "is_diff: true\nworld: {octomap: {octomap: {data: []}}}");
    world(scene, "id: other, " BOX, "");
    world(scene, "operation: 1", "");
    assert_int_equal(vouch_scene_object_count(scene), 1);
    check_two_cells(scene);
    refuse(
      scene, "is_diff: true\nworld: {collision_objects: [{id: <octomap>, operation: 1}]}",
      "is kept for the octomap");
    // Another one takes its place; one that holds nothing removes it; a whole scene has none.
    put_scene(text, sizeof(text), "[1, 0]", "");
    load(scene, text);
    assert_int_equal(vouch_scene_object_count(scene), 0);
    put_scene(text, sizeof(text), bytes, "");
    load(scene, text);
    load(scene, "world: {}");
    assert_int_equal(vouch_scene_object_count(scene), 0);
    vouch_scene_destroy(scene);
  }
}

static void test_malformed_scenes_are_refused(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  char text[2048];
  const struct {const char * data, * sentence;} cases[] = {
    {"[1, 300]", "is no byte"}, {"[1, 0.5]", "is no byte"}, {"[1]", "is cut"},
    {"[1, 0, 0]", "goes on"}, {"xyz", "hexadecimals"}, {"789c", "hexadecimals"},
    {"'789C03000000000100'", "hexadecimals"}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    put_scene(text, sizeof(text), cases[i].data, "");
    refuse(scene, text, cases[i].sentence);
  }
  refuse(
    scene,
    "world: {octomap: {octomap: {binary: true, id: ColorOcTree, resolution: 0.1, data: [1, 0]}}}",
    "only OcTree is read");
  refuse(
    scene, "world: {octomap: {octomap: {binary: true, id: OcTree, resolution: 0, data: [1, 0]}}}",
    "side of a cell");
  refuse(scene, "world: {octomap: {octomap: {id: OcTree, data: [1, 0]}}}", "needs the keys");
  refuse(
    scene, "world: {octomap: {header: {frame_id: nowhere}, octomap: {binary: true, id: OcTree, "
    "resolution: 0.1, data: [2, 0]}}}", "frame 'nowhere'");
  vouch_scene_destroy(scene);
}

static void test_the_function_says_the_same(void ** state)
{
  (void)state;
  uint8_t data[64];
  vouch_scene_t * scene = new_scene();
  const vouch_pose_t pose = {.translation = {1.0, 2.0, 3.0}, .rotation = {0.0, 0.0, 0.0, 1.0}};
  vouch_octomap_t octomap = {"OcTree", true, 0.1, data, two_cells(data)};
  assert_int_equal(vouch_scene_set_octomap(scene, "", &pose, &octomap), VOUCH_RET_OK);
  check_two_cells(scene);
  octomap.size = 0;
  assert_int_equal(vouch_scene_set_octomap(scene, "", &pose, &octomap), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_object_count(scene), 0);
  assert_int_equal(vouch_scene_set_octomap(NULL, "", &pose, &octomap), VOUCH_RET_INVALID);
  vouch_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks_are_the_occupied_cells),
    cmocka_unit_test(test_cut_and_longer_streams_are_refused),
    cmocka_unit_test(test_what_no_tree_says_is_refused),
    cmocka_unit_test(test_in_a_scene_it_is_one_object),
    cmocka_unit_test(test_malformed_scenes_are_refused),
    cmocka_unit_test(test_the_function_says_the_same),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
