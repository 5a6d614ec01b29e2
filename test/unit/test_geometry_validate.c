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

/// A ball with an open one beside it and a triangle that is a point; a box, a cylinder and a cone.
static int make_good(void ** state)
{
  (void)state;
  arena = (vouch_arena_t) {.allocator = vouch_allocator_default()};
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {0};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double radii[3] = {0.5, 0.5, 0.5}, size[3] = {0.1, 0.1, 0.1}, alone[3] = {4, 0, 0};
  vouch_pose_t near_pose = {.rotation = {0, 0, 0, 1}, .translation = {1, 0, 0}};
  vouch_curved_t curved = {
    .look = VOUCH_LOOK_CYLINDER, .pose = {.rotation = {0, 0, 0, 1}, .translation = {-9, 0, 0}},
    .size = {0.1, 0.2, 0.0}
  };
  vouch_ret_t code = vouch_geometry_builder_create(&builder, arena.allocator, &options);
  code = code != VOUCH_RET_OK ? code : test_ball(&mesh, 3, radii);
  size_t first = mesh.vertex_count;
  code = code != VOUCH_RET_OK ? code : test_ball(&mesh, 2, radii);
  mesh.triangle_count -= 1;
  for (size_t i = first; i < mesh.vertex_count; ++i) {
    mesh.vertices[i][0] += 3.0;
  }
  uint32_t last = (uint32_t)mesh.vertex_count;
  code = code != VOUCH_RET_OK ? code : vouch_mesh_add_vertex(&mesh, alone);
  code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(&mesh, last, last, last);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_mesh(builder, &mesh);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_box(builder, size, &near_pose);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_curved(builder, &curved);
  curved.look = VOUCH_LOOK_CONE;
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_curved(builder, &curved);
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

/// A primitive of a component of this kind.
static uint32_t find_primitive(int kind)
{
  for (uint32_t i = 0; i < good.primitive_count; ++i) {
    if (good.components[good.primitives[i].component] == kind) {
      return i;
    }
  }
  return VOUCH_NONE;
}

/// The primitive of so many points.
static uint32_t find_count(uint32_t count)
{
  for (uint32_t i = 0; i < good.primitive_count; ++i) {
    if (good.primitives[i].count == count) {
      return i;
    }
  }
  return VOUCH_NONE;
}

/// A node with children, both of which have children.
static uint32_t find_inner(void)
{
  for (uint32_t i = 1; i < good.node_count; ++i) {
    const vouch_tree_node_t * node = &good.nodes[i];
    if (node->left != 0 && good.nodes[node->left].left != 0 && good.nodes[node->right].left != 0) {
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
  assert_int_equal(good.component_count, 6);
  assert_true(find_inner() != VOUCH_NONE && find_count(8) != VOUCH_NONE);
}

static void numbers(void ** state)
{
  (void)state;
  const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e6};
  for (int i = 0; i < 4; ++i) {
    REFUSES(good.vertices[3][1], wrong[i]);
    REFUSES(good.rounds[0][4], wrong[i]);
    REFUSES(good.rounds[good.round_count - 1][8], wrong[i]);
  }
  REFUSES(good.vertices[0][2], nextafter(good.vertices[0][2], 1.0));
  REFUSES(good.vertices[0][1], -good.vertices[0][1]);   // -0.0, which is not written
  REFUSES(good.round_count, good.vertex_count);
  REFUSES(good.vertex_count, 0);
}

static void ranges(void ** state)
{
  (void)state;
  vouch_primitive_t * triangle = &good.primitives[find_primitive(VOUCH_COMPONENT_SOLID)];
  vouch_primitive_t * box = &good.primitives[find_count(8)];
  vouch_primitive_t * curved = &good.primitives[find_count(2)];
  REFUSES(good.indices[5], good.vertex_count);
  REFUSES(good.indices[5], 0);
  REFUSES(good.kept[5], good.vertex_count);
  REFUSES(good.kept[5], 0);
  REFUSES(triangle->first, good.index_count - 2);
  REFUSES(triangle->first, UINT32_MAX);
  REFUSES(triangle->count, 2);
  REFUSES(triangle->count, 4);
  REFUSES(triangle->kind, 0);
  REFUSES(triangle->kind, VOUCH_PRIMITIVE_HULL);
  REFUSES(box->kind, VOUCH_PRIMITIVE_TRIANGLE);
  REFUSES(box->count, 0);
  REFUSES(box->count, 7);
  REFUSES(box->count, UINT32_MAX);
  REFUSES(curved->count, 1);
  REFUSES(good.primitive_count, 0);
  REFUSES(good.primitive_count, good.primitive_count - 1);
  REFUSES(good.index_count, good.index_count - 1);
  REFUSES(good.node_count, 0);
  REFUSES(good.node_count, good.node_count - 1);
}

static void turn(uint32_t * corner)
{
  uint32_t first = corner[0];
  corner[0] = corner[1];
  corner[1] = corner[2];
  corner[2] = first;
}

static void lists_are_in_order(void ** state)
{
  (void)state;
  uint32_t * box = good.indices + good.primitives[find_count(8)].first;
  uint32_t * corner = good.indices + good.primitives[find_primitive(VOUCH_COMPONENT_SOLID)].first;
  REFUSES(box[3], box[2]);
  uint32_t third = box[2];
  box[2] = box[3];
  box[3] = third;
  bool swapped = refused();
  box[3] = box[2];
  box[2] = third;
  assert_true(swapped);
  turn(corner);
  bool once = refused();
  turn(corner);
  bool twice = refused();
  turn(corner);
  assert_true(once && twice);
  vouch_tree_node_t * node = &good.nodes[find_inner()];
  uint32_t * kept = good.kept + node->kept_first;
  REFUSES(kept[1], kept[0]);
  REFUSES(kept[0], kept[1]);
}

static void components(void ** state)
{
  (void)state;
  vouch_primitive_t * triangle = &good.primitives[find_primitive(VOUCH_COMPONENT_SOLID)];
  vouch_primitive_t * open = &good.primitives[find_primitive(VOUCH_COMPONENT_OPEN)];
  vouch_primitive_t * box = &good.primitives[find_count(8)];
  vouch_primitive_t * curved = &good.primitives[find_count(2)];
  const uint8_t want[6] = {
    VOUCH_COMPONENT_SOLID, VOUCH_COMPONENT_OPEN, VOUCH_COMPONENT_SURFACE, VOUCH_COMPONENT_CONVEX,
    VOUCH_COMPONENT_CONVEX, VOUCH_COMPONENT_CONVEX
  };
  assert_memory_equal(good.components, want, 6);
  REFUSES(good.components[0], 4);
  REFUSES(good.component_count, 5);
  REFUSES(triangle->component, good.component_count);
  REFUSES(triangle->component, box->component);
  REFUSES(triangle->component, open->component);
  REFUSES(box->component, triangle->component);
  REFUSES(box->component, curved->component);
  REFUSES(good.components[box->component], VOUCH_COMPONENT_SOLID);
  REFUSES(good.components[triangle->component], VOUCH_COMPONENT_CONVEX);
  REFUSES(good.components[open->component], VOUCH_COMPONENT_SURFACE);
}

static void open_ones_are_beneath_the_open_node(void ** state)
{
  (void)state;
  REFUSES(good.open_node, VOUCH_NONE);
  REFUSES(good.open_node, 0);
  REFUSES(good.open_node, good.open_node + 1);
  REFUSES(good.open_node, good.node_count);
}

static void solids_are_closed(void ** state)
{
  (void)state;
  const vouch_primitive_t * triangle = &good.primitives[find_primitive(VOUCH_COMPONENT_SOLID)];
  uint32_t * corner = &good.indices[triangle->first];
  uint32_t second = corner[1];
  REFUSES(corner[1], corner[0]);   // the triangle is gone
  assert_non_null(strstr(vouch_error(), "solid"));
  corner[1] = corner[2];
  corner[2] = second;
  bool turned = refused();
  corner[2] = corner[1];
  corner[1] = second;
  assert_true(turned);
}

/// [L8] Of every connected part one point is asked about: its others must be joined to it. Two
/// strips that share only their last vertex have two first ones.
static void each_part_has_one_reference_point(void ** state)
{
  (void)state;
  vouch_arena_t own = {.allocator = vouch_allocator_default()};
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {.surfaces = true};
  vouch_geometry_t strips;
  const double corners[5][3] = {{0, 0, 0}, {1, 0, 0}, {5, 1, 0}, {9, 0, 0}, {10, 0, 0}};
  vouch_mesh_t mesh = vouch_mesh_zero(own.allocator);
  for (int i = 0; i < 5; ++i) {
    assert_int_equal(vouch_mesh_add_vertex(&mesh, corners[i]), VOUCH_RET_OK);
  }
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, 1, 2), VOUCH_RET_OK);
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 3, 4, 2), VOUCH_RET_OK);
  assert_int_equal(
    vouch_geometry_builder_create(&builder, own.allocator, &options), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_build(builder, &own, &strips, NULL), VOUCH_RET_OK);
  vouch_geometry_builder_destroy(builder);
  vouch_mesh_fini(&mesh);
  assert_int_equal(vouch_geometry_validate(&strips), VOUCH_RET_OK);
  // The shared one is 3; now it is 5, and 4 is the first of its triangle.
  const uint32_t lists[6] = {1, 2, 5, 3, 4, 5};
  double shared[3];
  assert_true(strips.indices[2] == 3 && strips.vertex_count == 6);
  memcpy(shared, strips.vertices[3], sizeof(shared));
  memmove(strips.vertices[3], strips.vertices[4], 2 * sizeof(shared));
  memcpy(strips.vertices[5], shared, sizeof(shared));
  memcpy(strips.indices, lists, sizeof(lists));
  assert_int_equal(vouch_geometry_validate(&strips), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "second reference point"));
  vouch_arena_fini(&own);
}

static void every_vertex_is_used(void ** state)
{
  (void)state;
  double(*more)[3] = vouch_arena_calloc(&arena, good.vertex_count + 1u, sizeof(more[0]));
  double(*before)[3] = good.vertices;
  assert_non_null(more);
  memcpy(more, before, good.vertex_count * sizeof(more[0]));
  memcpy(more[good.vertex_count], before[good.vertex_count - 1], sizeof(more[0]));
  double(*rounds)[9] = vouch_arena_calloc(&arena, good.round_count + 1u, sizeof(rounds[0]));
  double(*old)[9] = good.rounds;
  assert_non_null(rounds);
  memcpy(rounds, old, good.round_count * sizeof(rounds[0]));
  good.vertices = more;
  good.rounds = rounds;
  good.vertex_count += 1;
  good.round_count += 1;
  bool noticed = refused() && strstr(vouch_error(), "is in no primitive") != NULL;
  good.vertices = before;
  good.rounds = old;
  good.vertex_count -= 1;
  good.round_count -= 1;
  assert_true(noticed);
}

static void trees(void ** state)
{
  (void)state;
  uint32_t inner = find_inner(), childless = find_childless();
  vouch_tree_node_t * node = &good.nodes[inner];
  REFUSES(good.nodes[0].first, 1);
  REFUSES(good.nodes[0].count, good.primitive_count - 1);
  REFUSES(node->left, inner);
  REFUSES(node->left, 0);
  REFUSES(node->right, 0);
  REFUSES(node->right, good.node_count);
  REFUSES(node->left, node->right);
  REFUSES(node->right, node->left);
  REFUSES(node->right, node->right + 1);
  REFUSES(node->first, node->first + 1);
  REFUSES(node->count, node->count - 1);
  REFUSES(node->count, 0);
  REFUSES(node->count, UINT32_MAX);
  REFUSES(good.nodes[childless].left, childless + 1);
  REFUSES(good.nodes[childless].right, childless + 1);
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
  vouch_tree_node_t * node = &good.nodes[find_inner()];
  vouch_tree_node_t * childless = &good.nodes[find_childless()];
  vouch_tree_node_t * below = &good.nodes[node->left];
  REFUSES(below->kept_count, below->kept_count + 1);   // other lists, other witnesses
  REFUSES(below->kept_count, below->kept_count - 1);
  REFUSES(below->kept_count, 0);
  REFUSES(node->kept_count, 0);
  REFUSES(node->kept_count, VOUCH_MAX_KEPT + 1);
  REFUSES(node->kept_first, node->kept_first + 1);
  REFUSES(node->kept_first, UINT32_MAX);
  REFUSES(childless->kept_count, 1);
  REFUSES(good.kept_count, good.kept_count - 1);
}

static void witnesses(void ** state)
{
  (void)state;
  vouch_tree_node_t * node = &good.nodes[find_inner()];
  vouch_witness_t * witness = &good.witnesses[node->witness_first];
  REFUSES(node->witness_first, node->witness_first + 1);
  REFUSES(witness->index[0], node->kept_count);
  REFUSES(witness->index[3], 255);
  REFUSES(witness->weight[0], -1e-30f);
  REFUSES(witness->weight[1], -0.0f);
  REFUSES(witness->weight[1], NAN);
  REFUSES(witness->weight[2], 1.0000001f);
  REFUSES(witness->weight[2], INFINITY);
  REFUSES(good.witness_count, good.witness_count - 1);
  REFUSES(good.witness_count, 0);
  // Of points that are kept: nothing but that.
  uint32_t first = good.kept[good.nodes[0].kept_first];
  const vouch_tree_node_t * left = &good.nodes[good.nodes[0].left];
  for (uint32_t i = 0; i < left->kept_count; ++i) {
    if (good.kept[left->kept_first + i] == first) {
      witness = &good.witnesses[good.nodes[0].witness_first + i];
    }
  }
  assert_true(witness->weight[0] == 1.0f && witness->index[0] == 0);
  REFUSES(witness->index[0], 1);
  REFUSES(witness->weight[0], 0.5f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_good_one_is_good),
    cmocka_unit_test(numbers),
    cmocka_unit_test(ranges),
    cmocka_unit_test(lists_are_in_order),
    cmocka_unit_test(components),
    cmocka_unit_test(open_ones_are_beneath_the_open_node),
    cmocka_unit_test(solids_are_closed),
    cmocka_unit_test(each_part_has_one_reference_point),
    cmocka_unit_test(every_vertex_is_used),
    cmocka_unit_test(trees),
    cmocka_unit_test(right_children_follow_left_ones),
    cmocka_unit_test(witnesses_are_used_up),
    cmocka_unit_test(each_node_has_one_parent),
    cmocka_unit_test(kept_vertices),
    cmocka_unit_test(witnesses),
  };
  return cmocka_run_group_tests(tests, make_good, drop_good);
}
