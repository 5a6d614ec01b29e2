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

/* Every rule about geometries: a good one, with one thing made wrong, is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "support/random.h"
#include "support/solids.h"

static vouch_arena_t arena;
static vouch_geometry_t good;

/// A ball and a box, which keep vertices, beside a cylinder, which does not.
static int make_good(void ** state)
{
  (void)state;
  arena = (vouch_arena_t) {.allocator = vouch_allocator_default()};
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {0};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double radii[3] = {0.5, 0.5, 0.5}, size[3] = {0.1, 0.1, 0.1};
  vouch_pose_t near_pose = {.rotation = {0, 0, 0, 1}, .translation = {1, 0, 0}};
  vouch_curved_t cylinder = {
    .pose = {.rotation = {0, 0, 0, 1}, .translation = {-9, 0, 0}}, .size = {0.1, 0.2, 0.0}
  };
  vouch_ret_t code = vouch_geometry_builder_create(&builder, arena.allocator, &options);
  code = code != VOUCH_RET_OK ? code : test_ball(&mesh, 3, radii);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_mesh(builder, &mesh);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_box(builder, size, &near_pose);
  code = code != VOUCH_RET_OK ? code :
    vouch_geometry_add_curved(builder, VOUCH_PRIMITIVE_CYLINDER, &cylinder, 0.0);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_build(builder, &arena, &good, NULL);
  vouch_geometry_builder_destroy(builder);
  vouch_mesh_fini(&mesh);
  return code != VOUCH_RET_OK;
}

static int drop_good(void ** state)
{
  (void)state;
  vouch_arena_fini(&arena);
  return 0;
}

static uint32_t find_primitive(int kind)
{
  for (uint32_t i = 0; i < good.primitive_count; ++i) {
    if (good.primitives[i].kind == kind) {
      return i;
    }
  }
  return VOUCH_NONE;
}

/// A node with children that keeps vertices (keeps) or does not.
static uint32_t find_inner(bool keeps)
{
  for (uint32_t i = 0; i < good.node_count; ++i) {
    if (good.nodes[i].left != 0 && (good.nodes[i].kept_count > 0) == keeps) {
      return i;
    }
  }
  return VOUCH_NONE;
}

static uint32_t find_childless(void)
{
  for (uint32_t i = 0; i < good.node_count; ++i) {
    if (good.nodes[i].left == 0) {
      return i;
    }
  }
  return VOUCH_NONE;
}

static bool refused(void)
{
  vouch_error_reset();
  vouch_ret_t code = vouch_geometry_validate(&good);
  return code == VOUCH_RET_INVALID && strlen(vouch_error()) > 10;
}

/// Puts a wrong value into a field, looks whether that is refused, and puts the right one back.
#define REFUSES(field, wrong) \
  do { \
    __typeof__(field) before_ = (field); \
    (field) = (__typeof__(field))(wrong); \
    bool refused_ = refused(); \
    (field) = before_; \
    if (!refused_) {fail_msg("%s = %s was taken", #field, #wrong);} \
  } while (0)

static void the_good_one_is_good(void ** state)
{
  (void)state;
  assert_int_equal(vouch_geometry_validate(&good), VOUCH_RET_OK);
  assert_true(find_inner(true) != VOUCH_NONE && find_inner(false) != VOUCH_NONE);
}

static void numbers(void ** state)
{
  (void)state;
  const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e6};
  for (int i = 0; i < 4; ++i) {
    REFUSES(good.vertices[3][1], wrong[i]);
    REFUSES(good.curved[0].pose.translation[2], wrong[i]);
    REFUSES(good.curved[0].size[0], wrong[i]);
    REFUSES(good.primitives[2].radius, wrong[i]);
  }
  REFUSES(good.curved[0].pose.rotation[3], 0.998);
  REFUSES(good.curved[0].pose.rotation[0], NAN);
  REFUSES(good.curved[0].size[1], 0.0);
  REFUSES(good.curved[0].size[1], -0.1);
  REFUSES(good.curved[0].size[2], 0.1);
  REFUSES(good.curved[0].size[2], -0.0);
  REFUSES(good.primitives[2].radius, -1e-9);
  REFUSES(good.primitives[2].radius, -0.0);
}

static void ranges(void ** state)
{
  (void)state;
  uint32_t triangle = find_primitive(VOUCH_PRIMITIVE_TRIANGLE);
  uint32_t hull = find_primitive(VOUCH_PRIMITIVE_HULL);
  uint32_t cylinder = find_primitive(VOUCH_PRIMITIVE_CYLINDER);
  REFUSES(good.indices[5], good.vertex_count);
  REFUSES(good.kept[5], good.vertex_count);
  REFUSES(good.primitives[triangle].first, good.index_count - 2);
  REFUSES(good.primitives[triangle].first, UINT32_MAX);
  REFUSES(good.primitives[triangle].count, 2);
  REFUSES(good.primitives[triangle].count, 4);
  REFUSES(good.primitives[triangle].kind, 0);
  REFUSES(good.primitives[triangle].kind, 6);
  REFUSES(good.primitives[hull].count, 0);
  REFUSES(good.primitives[hull].count, UINT32_MAX);
  REFUSES(good.primitives[cylinder].first, 1);
  REFUSES(good.primitives[cylinder].count, 2);
  REFUSES(good.primitive_count, 0);
  REFUSES(good.primitive_count, good.primitive_count - 1);
  REFUSES(good.node_count, 0);
  REFUSES(good.node_count, good.node_count - 1);
}

static void components(void ** state)
{
  (void)state;
  uint32_t triangle = find_primitive(VOUCH_PRIMITIVE_TRIANGLE);
  uint32_t hull = find_primitive(VOUCH_PRIMITIVE_HULL);
  uint32_t cylinder = find_primitive(VOUCH_PRIMITIVE_CYLINDER);
  REFUSES(good.components[0], 4);
  REFUSES(good.primitives[triangle].component, good.component_count);
  REFUSES(good.primitives[triangle].component, good.primitives[hull].component);
  REFUSES(good.primitives[hull].component, good.primitives[triangle].component);
  REFUSES(good.primitives[hull].component, good.primitives[cylinder].component);
  REFUSES(good.components[good.primitives[hull].component], VOUCH_COMPONENT_SOLID);
  REFUSES(good.components[good.primitives[triangle].component], VOUCH_COMPONENT_CONVEX);
}

static void solids_are_closed(void ** state)
{
  (void)state;
  const vouch_primitive_t * triangle = &good.primitives[find_primitive(VOUCH_PRIMITIVE_TRIANGLE)];
  uint8_t * kind = &good.components[triangle->component];
  assert_int_equal(*kind, VOUCH_COMPONENT_SOLID);
  uint32_t * corner = &good.indices[triangle->first];
  uint32_t second = corner[1];
  REFUSES(corner[0], corner[1]);   // the triangle is gone
  assert_non_null(strstr(vouch_error(), "solid"));
  corner[1] = corner[2];
  corner[2] = second;
  bool turned = refused();
  *kind = VOUCH_COMPONENT_OPEN;
  vouch_ret_t open = vouch_geometry_validate(&good);
  *kind = VOUCH_COMPONENT_SOLID;
  corner[2] = corner[1];
  corner[1] = second;
  assert_true(turned);
  assert_int_equal(open, VOUCH_RET_OK);
}

/// [L8] A ray is asked about one point of a component: two shells that are called one are refused.
static void components_are_connected(void ** state)
{
  (void)state;
  vouch_arena_t own = {.allocator = vouch_allocator_default()};
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {.surfaces = true};
  vouch_geometry_t two;
  const double radii[3] = {0.5, 0.5, 0.5};
  assert_int_equal(
    vouch_geometry_builder_create(&builder, own.allocator, &options), VOUCH_RET_OK);
  for (int i = 0; i < 2; ++i) {
    vouch_mesh_t mesh = vouch_mesh_zero(own.allocator);
    assert_int_equal(test_ball(&mesh, 2, radii), VOUCH_RET_OK);
    for (size_t k = 0; k < mesh.vertex_count; ++k) {
      mesh.vertices[k][0] += 3.0 * i;
    }
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
  }
  assert_int_equal(vouch_geometry_build(builder, &own, &two, NULL), VOUCH_RET_OK);
  vouch_geometry_builder_destroy(builder);
  assert_int_equal(two.component_count, 2);
  two.components[0] = two.components[1] = VOUCH_COMPONENT_SURFACE;   // need not be closed
  assert_int_equal(vouch_geometry_validate(&two), VOUCH_RET_OK);
  vouch_primitive_t * last = &two.primitives[two.primitive_count - 1];
  last->component = 1 - last->component;
  assert_int_equal(vouch_geometry_validate(&two), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "not connected"));
  vouch_arena_fini(&own);
}

static void trees(void ** state)
{
  (void)state;
  uint32_t inner = find_inner(true), childless = find_childless();
  vouch_tree_node_t * node = &good.nodes[inner];
  REFUSES(good.nodes[0].first, 1);
  REFUSES(good.nodes[0].count, good.primitive_count - 1);
  REFUSES(node->left, inner);
  REFUSES(node->left, 0);
  REFUSES(node->right, 0);
  REFUSES(node->right, good.node_count);
  REFUSES(node->left, node->right);
  REFUSES(node->right, node->left);
  REFUSES(node->first, node->first + 1);
  REFUSES(node->count, node->count - 1);
  REFUSES(node->count, 0);
  REFUSES(node->count, UINT32_MAX);
  REFUSES(good.nodes[childless].left, childless + 1);
  REFUSES(good.nodes[childless].count, 2);
  REFUSES(good.nodes[childless].first, good.nodes[childless].first + 1);
  REFUSES(good.nodes[childless].first, UINT32_MAX);
}

/// A right child that is itself in order, but lies somewhere else.
static void right_children_follow_left_ones(void ** state)
{
  (void)state;
  int tried = 0;
  for (uint32_t i = 0; i < good.node_count; ++i) {
    vouch_tree_node_t * right = &good.nodes[good.nodes[i].right];
    if (good.nodes[i].left != 0 && right->left == 0 && right->first > 0) {
      REFUSES(right->first, right->first - 1);
      ++tried;
    }
  }
  assert_true(tried > 10);
}

static void witnesses_are_used_up(void ** state)
{
  (void)state;
  vouch_witness_t * more = vouch_arena_calloc(&arena, good.witness_count + 1u, sizeof(more[0]));
  assert_non_null(more);
  memcpy(more, good.witnesses, good.witness_count * sizeof(more[0]));
  vouch_witness_t * before = good.witnesses;
  good.witnesses = more;
  good.witness_count += 1;
  bool noticed = refused();
  good.witnesses = before;
  good.witness_count -= 1;
  assert_true(noticed);
}

/// Two nodes that share a child: another child then has no parent.
static void each_node_has_one_parent(void ** state)
{
  (void)state;
  // Appending a childless twin that nobody refers to.
  vouch_tree_node_t * more = vouch_arena_calloc(&arena, good.node_count + 1u, sizeof(more[0]));
  assert_non_null(more);
  memcpy(more, good.nodes, good.node_count * sizeof(more[0]));
  more[good.node_count] = good.nodes[find_childless()];
  vouch_tree_node_t * before = good.nodes;
  good.nodes = more;
  good.node_count += 1;
  bool no_parent = refused() && strstr(vouch_error(), "no parent") != NULL;
  good.nodes = before;
  good.node_count -= 1;
  assert_true(no_parent);
}

static void kept_vertices(void ** state)
{
  (void)state;
  vouch_tree_node_t * keeps = &good.nodes[find_inner(true)];
  vouch_tree_node_t * bare = &good.nodes[find_inner(false)];
  vouch_tree_node_t * childless = &good.nodes[find_childless()];
  vouch_tree_node_t * below = &good.nodes[keeps->left];
  below = below->kept_count > 0 ? below : &good.nodes[keeps->right];
  assert_true(below->kept_count > 0);
  REFUSES(below->kept_count, below->kept_count + 1);   // other lists, other witnesses
  REFUSES(below->kept_count, below->kept_count - 1);
  REFUSES(below->kept_count, 0);
  assert_non_null(strstr(vouch_error(), "above a node that keeps none"));
  REFUSES(keeps->kept_count, 0);
  REFUSES(keeps->kept_count, VOUCH_MAX_KEPT + 1);
  REFUSES(keeps->kept_first, good.kept_count);
  REFUSES(keeps->kept_first, UINT32_MAX);
  REFUSES(bare->kept_count, 4);
  REFUSES(childless->kept_count, 1);
  REFUSES(good.kept_count, good.kept_count - 1);
}

static void witnesses(void ** state)
{
  (void)state;
  const vouch_tree_node_t * keeps = &good.nodes[find_inner(true)];
  vouch_witness_t * witness = &good.witnesses[keeps->witness_first];
  REFUSES(witness->index[0], keeps->kept_count);
  REFUSES(witness->index[3], 255);
  REFUSES(witness->weight[0], -1e-30f);
  REFUSES(witness->weight[1], NAN);
  REFUSES(witness->weight[2], 1.0000001f);
  REFUSES(witness->weight[2], INFINITY);
  REFUSES(good.witness_count, good.witness_count - 1);
  REFUSES(good.witness_count, 0);
}

/// Reading takes lists of points only from nodes that have one.
static void lists_are_there_before_they_are_read(void ** state)
{
  (void)state;
  const vouch_tree_node_t * keeps = &good.nodes[find_inner(true)];
  vouch_tree_node_t * below = &good.nodes[keeps->left];
  below = below->kept_count > 0 ? below : &good.nodes[keeps->right];
  uint32_t count = below->kept_count;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_arena_t scratch = {.allocator = vouch_allocator_default()};
  vouch_geometry_t geometry;
  size_t used;
  below->kept_count = 0;
  vouch_geometry_encode(&good, &text);
  below->kept_count = count;
  assert_int_equal(
    vouch_geometry_decode(&geometry, &scratch, text.data, text.size, &used), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "above one that keeps none"));
  vouch_arena_fini(&scratch);
  vouch_text_fini(&text);
}

/// Cut off anywhere, or with any byte changed, decoding fails or gives something valid; never more.
static void decoding_survives_anything(void ** state)
{
  (void)state;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_geometry_encode(&good, &text);
  for (size_t size = 0; size < text.size; ++size) {
    vouch_arena_t scratch = {.allocator = vouch_allocator_default()};
    vouch_geometry_t geometry;
    size_t used;
    char * copy = NULL;   // exactly as long, so that a sanitizer sees reads behind it
    vouch_allocator_t allocator = vouch_allocator_default();
    copy = vouch_calloc(&allocator, size, 1);
    assert_non_null(copy);
    memcpy(copy, text.data, size);
    assert_int_equal(
      vouch_geometry_decode(&geometry, &scratch, copy, size, &used), VOUCH_RET_INVALID);
    vouch_free(&allocator, copy);
    vouch_arena_fini(&scratch);
  }
  test_random_t random = {.state = 51};
  int taken = 0;
  for (int round = 0; round < 3000; ++round) {
    size_t at = test_random_bits(&random) % text.size;
    char before = text.data[at];
    text.data[at] = (char)(before ^ (char)(1 << test_random_below(&random, 7)));
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
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_good_one_is_good),
    cmocka_unit_test(numbers),
    cmocka_unit_test(ranges),
    cmocka_unit_test(components),
    cmocka_unit_test(solids_are_closed),
    cmocka_unit_test(components_are_connected),
    cmocka_unit_test(trees),
    cmocka_unit_test(right_children_follow_left_ones),
    cmocka_unit_test(witnesses_are_used_up),
    cmocka_unit_test(each_node_has_one_parent),
    cmocka_unit_test(kept_vertices),
    cmocka_unit_test(witnesses),
    cmocka_unit_test(lists_are_there_before_they_are_read),
    cmocka_unit_test(decoding_survives_anything),
  };
  return cmocka_run_group_tests(tests, make_good, drop_good);
}
