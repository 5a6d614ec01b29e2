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

/* The bytes of a geometry: read by hand as docs/certificate_format.md has them, and refused when
 * they are any others. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/bytes.h"
#include "base/error.h"
#include "geometry/geometry.h"
#include "support/built.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/solids.h"

/// A solid with degenerate triangles, another one, an open mesh, a surface, a box, round things.
static test_built_t everything(void)
{
  vouch_geometry_builder_t * builder = test_builder(false, false);
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double radii[3] = {0.5, 0.5, 0.5}, size[3] = {0.1, 0.1, 0.1};
  for (int part = 0; part < 3; ++part) {
    size_t before = mesh.vertex_count;
    assert_int_equal(test_ball(&mesh, 2, radii), VOUCH_RET_OK);
    mesh.triangle_count -= part == 1;
    for (size_t i = before; i < mesh.vertex_count; ++i) {
      mesh.vertices[i][0] += 2.0 * part;
    }
  }
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, 1, 0), VOUCH_RET_OK);
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 2, 2, 2), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  mesh.triangle_count = 0;
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 5, 6, 5), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  vouch_mesh_fini(&mesh);
  vouch_curved_t curved = {
    .look = VOUCH_LOOK_CYLINDER, .pose = {.rotation = {0, 0, 0, 1}, .translation = {-2, 0, 0}},
    .size = {0.1, 0.2, 0.0}
  };
  assert_int_equal(vouch_geometry_add_box(builder, size, &curved.pose), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_curved(builder, &curved), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_capsule(builder, 0.1, 0.2, &curved.pose), VOUCH_RET_OK);
  return test_finish(builder);
}

typedef struct file_node_s
{
  uint32_t right, count, solid, open;
  uint32_t list[VOUCH_MAX_KEPT], twins[3], witnesses;
  size_t at;            // where its list is
  bool left_out, all;   // its list; whether it keeps all that its children do
} file_node_t;

enum {MOST_NODES = 1000};

typedef struct file_s
{
  uint32_t vertices, rounds, nodes;
  file_node_t node[MOST_NODES];
} file_t;

/// Whether the list of the node has the vertex.
static bool has(const file_node_t * node, uint32_t vertex)
{
  for (uint32_t i = 0; i < node->count; ++i) {
    if (node->list[i] == vertex) {
      return true;
    }
  }
  return false;
}

/// What the children of a node list, each vertex once.
static file_node_t children_of(const file_t * file, uint32_t number)
{
  file_node_t both = {.count = 0};
  for (int c = 0; c < 2; ++c) {
    const file_node_t * child = &file->node[c == 0 ? number + 1 : file->node[number].right];
    for (uint32_t i = 0; i < child->count; ++i) {
      if (!has(&both, child->list[i])) {
        assert_true(both.count < VOUCH_MAX_KEPT);
        both.list[both.count++] = child->list[i];
      }
    }
  }
  return both;
}

static void read_node(vouch_bytes_t * in, file_t * file, uint32_t number)
{
  file_node_t * node = &file->node[number];
  assert_true(node->count <= VOUCH_MAX_KEPT);
  node->at = in->position;
  if (node->right > 0) {
    file_node_t both = children_of(file, number);
    node->left_out = node->count == 0;
    if (node->left_out) {
      node->count = both.count;
      memcpy(node->list, both.list, sizeof(both.list));
      node->all = true;
      return;
    }
  }
  vouch_bytes_get_u32s(in, node->list, node->count);
  if (node->solid > 0) {
    vouch_bytes_get_u32s(in, node->twins, 3);
  }
  if (node->right > 0) {
    const file_node_t * children[2] = {&file->node[number + 1], &file->node[node->right]};
    for (int c = 0; c < 2; ++c) {
      for (uint32_t i = 0; i < children[c]->count; ++i) {
        node->witnesses += !has(node, children[c]->list[i]);
      }
    }
    assert_non_null(vouch_bytes_take(in, 16 * (size_t)node->witnesses));
    node->all = node->witnesses == 0 && node->count == children_of(file, number).count;
  }
}

/// Lists are left out where a node keeps all that its children do, and so does the one above it;
/// then they are what memory has.
static void expect_lists(const file_t * file, const vouch_geometry_t * g, bool spelled)
{
  int left_out = 0, other = 0;
  for (uint32_t i = 0; i < file->nodes; ++i) {
    const file_node_t * node = &file->node[i];
    if (node->right == 0) {
      continue;
    }
    assert_int_equal(node->count, g->nodes[i].kept_count);
    for (uint32_t k = 0; k < node->count; ++k) {
      assert_true(has(node, g->kept[g->nodes[i].kept_first + k]));
    }
    assert_true(i > 0 || node->left_out == (node->all && !spelled));
    const uint32_t children[2] = {i + 1, node->right};
    for (int c = 0; c < 2; ++c) {
      const file_node_t * child = &file->node[children[c]];
      assert_int_equal(child->left_out, child->all && node->all && !spelled);
      left_out += child->left_out;
      other += child->right > 0 && !child->left_out;
    }
  }
  assert_true(other > 3 && (spelled ? left_out == 0 : left_out > 20));
}

/// The file of a geometry, its tables as memory has them.
static file_t * read_file(const vouch_geometry_t * g, const vouch_text_t * text)
{
  static file_t file;
  memset(&file, 0, sizeof(file));
  vouch_bytes_t in = vouch_bytes_reader(text->data, text->size);
  double numbers[9];
  file.vertices = vouch_bytes_get_u32(&in);
  assert_int_equal(file.vertices, g->vertex_count);
  for (uint32_t i = 0; i < file.vertices; ++i) {
    vouch_bytes_get_f64(&in, numbers, 3);
    assert_memory_equal(numbers, g->vertices[i], sizeof(g->vertices[i]));
  }
  file.rounds = vouch_bytes_get_u32(&in);
  assert_int_equal(file.rounds, 4);
  for (uint32_t i = 0; i < file.rounds; ++i) {
    vouch_bytes_get_f64(&in, numbers, 9);
    assert_memory_equal(numbers, g->rounds[i], sizeof(g->rounds[i]));
  }
  file.nodes = vouch_bytes_get_u32(&in);
  assert_true(file.nodes == g->node_count && file.nodes < MOST_NODES);
  for (uint32_t i = 0; i < file.nodes; ++i) {
    file_node_t * node = &file.node[i];
    node->right = vouch_bytes_get_u32(&in);
    node->count = vouch_bytes_get_u32(&in);
    node->solid = vouch_bytes_get_u32(&in);
    node->open = vouch_bytes_get_u32(&in);
    assert_int_equal(node->open, i == g->open_node);
  }
  for (uint32_t i = file.nodes; i-- > 0; ) {
    read_node(&in, &file, i);
  }
  assert_true(!in.failed && in.position == text->size);
  return &file;
}

static void expect_bytes(bool spelled)
{
  test_built_t built = everything();
  built.geometry.spelled = spelled;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(&built.geometry, &text);
  const file_t * file = read_file(&built.geometry, &text);
  expect_lists(file, &built.geometry, spelled);
  // Twins, by brute force: leading back, mutual, of one solid.
  int triangles[3] = {0, 0, 0}, own = 0;
  for (uint32_t i = 0; i < file->nodes; ++i) {
    const file_node_t * node = &file->node[i];
    assert_true(node->solid <= 2);
    triangles[node->solid] += node->right == 0;
    for (uint32_t k = 0; node->solid > 0 && k < 3; ++k) {
      uint32_t edge = 3 * i + k, twin = node->twins[k];
      const file_node_t * other = &file->node[twin / 3];
      assert_true(other->solid == node->solid && other->twins[twin % 3] == edge);
      assert_int_equal(other->list[twin % 3], node->list[(k + 1) % 3]);
      assert_int_equal(other->list[(twin % 3 + 1) % 3], node->list[k]);
      own += twin == edge;
    }
  }
  assert_true(triangles[1] + triangles[2] == 98 && own == 4);
  vouch_text_fini(&text);
  test_release(&built);
}

static void bytes_are_as_documented(void ** state)
{
  (void)state;
  expect_bytes(false);
  expect_bytes(true);
}

/// Where the record of a node begins in the file.
static size_t record_at(const vouch_geometry_t * g, uint32_t node)
{
  return 4 + 24 * (size_t)g->vertex_count + 4 + 72 * (size_t)g->round_count + 4 +
         16 * (size_t)node;
}

static void expect_refused(const vouch_text_t * text, size_t at, uint32_t value, const char * why)
{
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_geometry_t geometry;
  size_t used = 7;
  char before[4];
  const char after[4] = {
    (char)value, (char)(value >> 8), (char)(value >> 16), (char)(value >> 24)
  };
  memcpy(before, text->data + at, 4);
  memcpy(text->data + at, after, 4);
  vouch_error_reset();
  vouch_ret_t code = vouch_geometry_decode(&geometry, &arena, text->data, text->size, &used);
  memcpy(text->data + at, before, 4);
  if (code != VOUCH_RET_INVALID || strstr(vouch_error(), why) == NULL) {
    fail_msg("not \"%s\" but %d: %s", why, (int)code, vouch_error());
  }
  assert_true(used == 0 && geometry.node_count == 0);
  vouch_arena_fini(&arena);
}

static void each_field_has_one_value(void ** state)
{
  (void)state;
  test_built_t built = everything();
  const vouch_geometry_t * g = &built.geometry;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(g, &text);
  uint32_t solid = VOUCH_NONE, convex = VOUCH_NONE;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    uint8_t kind = g->components[g->primitives[g->nodes[i].first].component];
    solid = g->nodes[i].left == 0 && kind == VOUCH_COMPONENT_SOLID &&
      solid == VOUCH_NONE ? i : solid;
    convex = g->nodes[i].left == 0 && kind == VOUCH_COMPONENT_CONVEX ? i : convex;
  }
  size_t root = record_at(g, 0), triangle = record_at(g, solid), hull = record_at(g, convex);
  expect_refused(&text, root, 0, "not beneath node 0");
  expect_refused(&text, root, 1, "children");
  expect_refused(&text, root, g->nodes[0].right + 1, "children");
  expect_refused(&text, root, g->node_count, "children");
  expect_refused(&text, root + 4, UINT32_MAX, "longer than the geometry");
  expect_refused(&text, root + 8, 1, "no triangle");
  expect_refused(&text, root + 12, 1, "more than one open node");
  expect_refused(&text, root + 12, 2, "more than one open node");
  expect_refused(&text, triangle + 8, 3, "numbered in the order");
  expect_refused(&text, triangle + 8, 2, "numbered in the order");
  expect_refused(&text, hull + 8, 1, "no triangle");
  expect_refused(&text, 0, UINT32_MAX, "middle of a table");
  expect_refused(&text, 0, 0, "");
  // The last node comes first: a triangle of the open mesh, its list only.
  expect_refused(&text, record_at(g, g->node_count), g->vertex_count, "not there");
  expect_refused(&text, record_at(g, g->node_count), 0, "not there");
  vouch_text_fini(&text);
  test_release(&built);
}

/// Of a file that spells its lists out, none may be left out; whether it could be or not.
static void lists_are_left_out_all_or_none(void ** state)
{
  (void)state;
  test_built_t built = everything();
  built.geometry.spelled = true;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(&built.geometry, &text);
  const file_t * file = read_file(&built.geometry, &text);
  int not_all = 0, by_order = 0;
  for (uint32_t i = 0; i < file->nodes; ++i) {
    const file_node_t * node = &file->node[i];
    size_t size = 4 * (size_t)node->count + 16 * (size_t)node->witnesses, used;
    if (node->right > 0) {
      vouch_text_t cut = {.allocator = vouch_allocator_default()};
      vouch_arena_t arena = {.allocator = vouch_allocator_default()};
      vouch_geometry_t geometry;
      vouch_text_append_bytes(&cut, text.data, node->at);
      vouch_text_append_bytes(&cut, text.data + node->at + size, text.size - node->at - size);
      memset(cut.data + record_at(&built.geometry, i) + 4, 0, 4);
      vouch_error_reset();
      assert_int_equal(
        vouch_geometry_decode(&geometry, &arena, cut.data, cut.size, &used), VOUCH_RET_INVALID);
      not_all += strstr(vouch_error(), "not all that could be") != NULL;
      by_order += strstr(vouch_error(), "go by its order") != NULL;
      vouch_arena_fini(&arena);
      vouch_text_fini(&cut);
    }
  }
  assert_true(not_all > 20 && by_order > 0);
  vouch_text_fini(&text);
  test_release(&built);
}

/// A comb of nodes, each of which keeps 128 vertices, without a list.
static void lists_that_are_left_out_are_bounded(void ** state)
{
  (void)state;
  const uint32_t points = 20000, vertices = 128, nodes = 2 * points - 1;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_geometry_t geometry;
  size_t used;
  vouch_bytes_put_u32(&text, vertices + 1);
  for (uint32_t i = 0; i <= vertices; ++i) {
    const double at[3] = {i, 2.0 * i, 3.0};
    vouch_bytes_put_f64(&text, at, 3);
  }
  vouch_bytes_put_u32(&text, 0);
  vouch_bytes_put_u32(&text, nodes);
  for (uint32_t i = 0; i < nodes; ++i) {   // inner ones are even, but the last
    bool inner = i % 2 == 0 && i + 1 < nodes;
    const uint32_t record[4] = {inner ? i + 2 : 0, inner ? 0 : 1, 0, 0};
    vouch_bytes_put_u32s(&text, record, 4);
  }
  for (uint32_t i = 0; i < points; ++i) {
    vouch_bytes_put_u32(&text, 1 + i % vertices);
  }
  vouch_error_reset();
  assert_int_equal(
    vouch_geometry_decode(&geometry, &arena, text.data, text.size, &used), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "too long"));
  vouch_text_fini(&text);
  vouch_arena_fini(&arena);
}

/// Cut off anywhere, or with any byte changed, decoding fails or gives something valid; never more.
static void decoding_survives_anything(void ** state)
{
  (void)state;
  test_built_t good = everything();
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(&good.geometry, &text);
  for (size_t size = 0; size < text.size; ++size) {
    vouch_arena_t scratch = {.allocator = vouch_allocator_default()};
    vouch_geometry_t geometry;
    size_t used;
    char * copy = NULL;   // exactly as long, so that a sanitizer sees reads behind it
    vouch_allocator_t allocator = vouch_allocator_default();
    copy = vouch_calloc(&allocator, size, 1);
    assert_non_null(copy);
    memcpy(copy, text.data, size);
    vouch_error_reset();
    assert_int_equal(
      vouch_geometry_decode(&geometry, &scratch, copy, size, &used), VOUCH_RET_INVALID);
    assert_null(strstr(vouch_error(), "not there"));   // what is cut off is not read as zeros
    vouch_free(&allocator, copy);
    vouch_arena_fini(&scratch);
  }
  test_random_t random = {.state = 51};
  int taken = 0;
  for (int round = 0; round < 3000; ++round) {
    size_t at = test_random_bits(&random) % text.size;
    char before = text.data[at];
    text.data[at] = (char)(before ^ (char)(1 << test_random_below(&random, 8)));
    vouch_arena_t scratch = {.allocator = vouch_allocator_default()};
    vouch_geometry_t geometry;
    size_t used;
    if (vouch_geometry_decode(&geometry, &scratch, text.data, text.size, &used) == VOUCH_RET_OK) {
      vouch_text_t again = {.allocator = vouch_allocator_default()};
      vouch_geometry_encode(&geometry, &again);
      assert_int_equal(again.size, used);
      assert_memory_equal(again.data, text.data, used);
      vouch_text_fini(&again);
      taken += 1;
    }
    text.data[at] = before;
    vouch_arena_fini(&scratch);
  }
  assert_true(taken > 100 && taken < 2900);
  vouch_text_fini(&text);
  test_release(&good);
}

static void memory_failures_are_reported_and_leak_nothing(void ** state)
{
  (void)state;
  test_built_t built = everything();
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(&built.geometry, &text);
  for (long n = 0; ; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_arena_t arena = {.allocator = test_failing_allocator(&failing)};
    vouch_text_t again = {.allocator = arena.allocator};
    vouch_geometry_t geometry;
    size_t used;
    vouch_ret_t code = vouch_geometry_decode(&geometry, &arena, text.data, text.size, &used);
    assert_true(code == VOUCH_RET_OK || code == VOUCH_RET_NO_MEMORY);
    if (code == VOUCH_RET_OK) {
      vouch_geometry_encode(&geometry, &again);
    }
    bool done = code == VOUCH_RET_OK && !again.failed;
    assert_true(!done || again.size == text.size);
    vouch_text_fini(&again);
    vouch_arena_fini(&arena);
    assert_int_equal(failing.alive, 0);
    if (done) {
      assert_true(n > 3);
      break;
    }
  }
  vouch_text_fini(&text);
  test_release(&built);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bytes_are_as_documented),
    cmocka_unit_test(each_field_has_one_value),
    cmocka_unit_test(lists_are_left_out_all_or_none),
    cmocka_unit_test(lists_that_are_left_out_are_bounded),
    cmocka_unit_test(decoding_survives_anything),
    cmocka_unit_test(memory_failures_are_reported_and_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
