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

/* What is built, judged by what it claims: every node contains what is beneath it. [L6] [L7] */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "base/sha256.h"
#include "geometry/geometry.h"
#include "support/built.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/solids.h"

/// Every node with children contains its primitives, and is not much larger than they are.
static void check_containment(const vouch_geometry_t * g, test_random_t * random, int directions)
{
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    if (node->left == 0) {
      continue;
    }
    double carry = vouch_geometry_witness_error(g, i);
    for (int k = 0; k < directions; ++k) {
      double n[3];
      test_random_direction(random, n);
      double kept = test_support_of_list(g, g->kept + node->kept_first, node->kept_count, n);
      double truth = test_support_of_primitives(g, node, n);
      if (!(kept + carry >= truth - 1e-14)) {
        fail_msg("node %u sticks out by %g (carry %g)", i, truth - kept, carry);
      }
      assert_true(kept <= truth + 1e-14);   // kept vertices are vertices beneath
    }
  }
}

/// Children tile; each primitive lies in exactly one childless node; depth is logarithmic.
static uint32_t check_tiling(const vouch_geometry_t * g, uint32_t number, uint32_t depth)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  assert_true(depth <= 40);
  if (node->left == 0) {
    assert_int_equal(node->count, 1);
    return 1;
  }
  const vouch_tree_node_t * left = &g->nodes[node->left], * right = &g->nodes[node->right];
  assert_int_equal(left->first, node->first);
  assert_int_equal(right->first, left->first + left->count);
  assert_int_equal(left->count + right->count, node->count);
  return check_tiling(g, node->left, depth + 1) + check_tiling(g, node->right, depth + 1);
}

static void check_all(const vouch_geometry_t * g, test_random_t * random, int directions)
{
  check_containment(g, random, directions);
  assert_int_equal(check_tiling(g, 0, 0), g->primitive_count);
  assert_int_equal(g->node_count, 2 * g->primitive_count - 1);
  test_round_trip(g);
}

/// Triangles of one kind of mischief: 0 anywhere, 1 flat, 2 on a line, 3 all the same, 4 grid, 5
/// thin.
static void random_soup(vouch_mesh_t * mesh, test_random_t * random, int kind, uint32_t count)
{
  for (uint32_t i = 0; i < 3 * count; ++i) {
    double p[3];
    for (int k = 0; k < 3; ++k) {
      p[k] = test_random_in(random, -1.0, 1.0);
      p[k] = kind == 4 ? round(3.0 * p[k]) : p[k];
    }
    if (kind == 1) {
      p[2] = 0.5 * p[0] - 0.25 * p[1];
    } else if (kind == 2) {
      p[1] = 2.0 * p[0];
      p[2] = -p[0];
    } else if (kind == 3) {
      p[0] = p[1] = p[2] = 0.25;
    } else if (kind == 5) {
      p[2] *= 1e-12;
    }
    assert_int_equal(vouch_mesh_add_vertex(mesh, p), VOUCH_RET_OK);
  }
  for (uint32_t i = 0; i < count; ++i) {
    assert_int_equal(vouch_mesh_add_triangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2), VOUCH_RET_OK);
  }
}

static void nodes_contain_their_triangles(void ** state)
{
  (void)state;
  test_random_t random = {.state = 31};
  for (int round = 0; round < 120; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, false);
    int meshes = 1 + (int)test_random_below(&random, 3);
    for (int m = 0; m < meshes; ++m) {
      vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
      uint32_t count = 1 + test_random_below(&random, round % 10 == 0 ? 600 : 60);
      random_soup(&mesh, &random, (round + m) % 6, count);
      assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
      vouch_mesh_fini(&mesh);
    }
    test_built_t built = test_finish(builder);
    check_all(&built.geometry, &random, 20);
    test_release(&built);
  }
}

/// As tight as 128 vertices allow: exact low down, some percent of the size at the root.
static void balls_are_exact_below_and_close_above(void ** state)
{
  (void)state;
  test_random_t random = {.state = 32};
  const double radii[3] = {0.05, 0.1, 0.2};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(test_ball(&mesh, 16, radii), VOUCH_RET_OK);
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  vouch_mesh_fini(&mesh);
  test_built_t built = test_finish(builder);
  assert_int_equal(built.facts.triangles, 12 * 16 * 16);
  assert_int_equal(built.facts.solids, 1);
  assert_true(fabs(built.facts.extent - 0.4) < 1e-9);
  check_all(&built.geometry, &random, 10);
  const vouch_geometry_t * g = &built.geometry;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    if (g->nodes[i].count <= 100) {
      assert_true(vouch_geometry_witness_error(g, i) < 1e-8);
    }
    assert_true((g->nodes[i].left == 0) == (g->nodes[i].kept_count == 0));
  }
  assert_int_equal(g->nodes[0].kept_count, VOUCH_MAX_KEPT);
  assert_true(vouch_geometry_witness_error(g, 0) < 0.01);
  test_release(&built);
}

static void shapes_stay_together_in_the_tree(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = test_builder(false, false);
  const double radii[3] = {1.0, 1.0, 1.0}, size[3] = {0.1, 0.1, 0.1};
  vouch_pose_t pose = vouch_pose_identity();
  for (int i = 0; i < 5; ++i) {
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    assert_int_equal(test_ball(&mesh, 3, radii), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);   // all in one place
    vouch_mesh_fini(&mesh);
    pose.translation[0] = 0.3 * i;
    assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_OK);
  }
  test_built_t built = test_finish(builder);
  const vouch_geometry_t * g = &built.geometry;
  assert_int_equal(g->component_count, 10);
  for (uint32_t c = 0; c < 10; ++c) {
    uint32_t first = VOUCH_NONE, count = 0;
    for (uint32_t i = 0; i < g->primitive_count; ++i) {
      if (g->primitives[i].component == c) {
        first = first == VOUCH_NONE ? i : first;
        count += 1;
      }
    }
    bool found = false;
    for (uint32_t i = 0; i < g->node_count; ++i) {
      found = found || (g->nodes[i].first == first && g->nodes[i].count == count);
    }
    assert_true(found);
  }
  test_random_t random = {.state = 33};
  check_all(g, &random, 10);
  test_release(&built);
}

/// Round vertices are all kept where there is room; then nothing is lost.
static void round_vertices_are_kept(void ** state)
{
  (void)state;
  test_random_t random = {.state = 34};
  const vouch_look_t looks[3] = {VOUCH_LOOK_CYLINDER, VOUCH_LOOK_CONE, VOUCH_LOOK_ELLIPSOID};
  for (int round = 0; round < 4; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, false);
    int count = round == 3 ? 500 : 60;
    for (int i = 0; i < count; ++i) {
      vouch_curved_t curved = {.look = looks[i % 3], .pose = vouch_pose_identity()};
      for (int k = 0; k < 3; ++k) {
        curved.pose.translation[k] = test_random_in(&random, -1.0, 1.0);
        curved.size[k] = test_random_in(&random, 0.05, 0.2);
      }
      double radius = round == 0 ? 0.125 : test_random_in(&random, 0.001, 0.2);
      assert_int_equal(
        round == 2 ? vouch_geometry_add_curved(builder, &curved) :
        vouch_geometry_add_sphere(builder, radius, &curved.pose), VOUCH_RET_OK);
    }
    test_built_t built = test_finish(builder);
    check_all(&built.geometry, &random, 20);
    assert_int_equal(built.facts.convex, count);
    double carry = vouch_geometry_witness_error(&built.geometry, 0);
    assert_true(round == 3 ? carry < 1.5 : carry < 1e-7);
    test_release(&built);
  }
}

/// Beside a fine mesh, of which more could be kept than there is room for, the large spheres stay.
static void large_round_vertices_are_preferred(void ** state)
{
  (void)state;
  test_random_t random = {.state = 37};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double radii[3] = {1.0, 1.0, 1.0};
  assert_int_equal(test_ball(&mesh, 16, radii), VOUCH_RET_OK);
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  vouch_mesh_fini(&mesh);
  vouch_pose_t pose = vouch_pose_identity();
  for (int i = 0; i < 40; ++i) {
    test_random_direction(&random, pose.translation);
    assert_int_equal(vouch_geometry_add_sphere(builder, 0.3, &pose), VOUCH_RET_OK);
  }
  test_built_t built = test_finish(builder);
  const vouch_geometry_t * g = &built.geometry;
  assert_int_equal(g->nodes[0].kept_count, VOUCH_MAX_KEPT);
  uint32_t round = 0;
  for (uint32_t i = 0; i < g->nodes[0].kept_count; ++i) {
    round += vouch_geometry_round(g, g->kept[g->nodes[0].kept_first + i]) != NULL;
  }
  assert_int_equal(round, 40);
  check_all(g, &random, 5);
  test_release(&built);
}

static void components_get_their_kinds(void ** state)
{
  (void)state;
  const double radii[3] = {1.0, 1.0, 1.0};
  for (int round = 0; round < 4; ++round) {
    bool open = round % 2 == 1, surfaces = round >= 2;
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    assert_int_equal(test_ball(&mesh, 2, radii), VOUCH_RET_OK);
    mesh.triangle_count -= open;
    const double alone[3] = {5.0, 5.0, 5.0};   // a triangle that is a point
    uint32_t v = (uint32_t)mesh.vertex_count;
    assert_int_equal(vouch_mesh_add_vertex(&mesh, alone), VOUCH_RET_OK);
    assert_int_equal(vouch_mesh_add_triangle(&mesh, v, v, v), VOUCH_RET_OK);
    vouch_geometry_builder_t * builder = test_builder(false, surfaces);
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
    test_built_t built = test_finish(builder);
    assert_int_equal(built.facts.triangles, 49 - open);
    assert_int_equal(built.facts.solids, !open);
    assert_int_equal(built.facts.open, open && !surfaces);
    assert_int_equal(built.facts.surfaces, 1 + (open && surfaces));
    test_release(&built);
  }
}

static void hulls_on_request(void ** state)
{
  (void)state;
  test_random_t random = {.state = 35};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double radii[3] = {1.0, 1.0, 1.0};
  assert_int_equal(test_ball(&mesh, 4, radii), VOUCH_RET_OK);
  random_soup(&mesh, &random, 0, 0);
  for (int i = 0; i < 30; ++i) {   // points inside
    double p[3];
    test_random_direction(&random, p);
    for (int k = 0; k < 3; ++k) {
      p[k] *= 0.5;
    }
    assert_int_equal(vouch_mesh_add_vertex(&mesh, p), VOUCH_RET_OK);
    uint32_t v = (uint32_t)mesh.vertex_count - 1;
    assert_int_equal(vouch_mesh_add_triangle(&mesh, v, 0, 1), VOUCH_RET_OK);
  }
  vouch_geometry_builder_t * builder = test_builder(true, false);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  assert_int_equal(built.geometry.primitive_count, 1);
  assert_int_equal(built.geometry.vertex_count, 1 + 98);   // the ball's own: 6 * 4^2 + 2
  assert_int_equal(built.facts.convex, 1);
  for (int i = 0; i < 1000; ++i) {
    double n[3], want = -HUGE_VAL;
    test_random_direction(&random, n);
    for (size_t v = 0; v < mesh.vertex_count; ++v) {
      want = fmax(want, test_dot(mesh.vertices[v], n));
    }
    assert_true(test_support_of_primitives(&built.geometry, &built.geometry.nodes[0], n) == want);
  }
  vouch_mesh_fini(&mesh);
  test_release(&built);
}

static void nothing_gives_no_geometry(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = test_builder(false, false);
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  vouch_geometry_t geometry;
  assert_int_equal(
    vouch_geometry_build(builder, &arena, &geometry, NULL), VOUCH_RET_INVALID);
  assert_int_equal(geometry.node_count, 0);
  vouch_geometry_builder_destroy(builder);
  vouch_geometry_builder_destroy(NULL);
  vouch_arena_fini(&arena);
}

/// Several shapes with an allocator that may fail; the result's size, 0 when it failed.
static size_t build_with(vouch_allocator_t allocator, const vouch_mesh_t * mesh)
{
  vouch_geometry_builder_t * builder = NULL;
  vouch_geometry_options_t options = {0};
  vouch_arena_t arena = {.allocator = allocator};
  vouch_geometry_t geometry;
  vouch_pose_t pose = vouch_pose_identity();
  const double size[3] = {1.0, 1.0, 1.0};
  vouch_ret_t code = vouch_geometry_builder_create(&builder, allocator, &options);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_mesh(builder, mesh);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_add_box(builder, size, &pose);
  code = code != VOUCH_RET_OK ? code : vouch_geometry_build(builder, &arena, &geometry, NULL);
  size_t nodes = code == VOUCH_RET_OK ? geometry.node_count : 0;
  assert_true(code == VOUCH_RET_OK || code == VOUCH_RET_NO_MEMORY);
  vouch_geometry_builder_destroy(builder);
  vouch_arena_fini(&arena);
  return nodes;
}

static void memory_failures_are_reported_and_leak_nothing(void ** state)
{
  (void)state;
  const double radii[3] = {1.0, 1.0, 1.0};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(test_ball(&mesh, 4, radii), VOUCH_RET_OK);
  for (long n = 0; ; ++n) {
    test_failing_t failing = {.fail_at = n};
    size_t nodes = build_with(test_failing_allocator(&failing), &mesh);
    assert_int_equal(failing.alive, 0);
    if (nodes > 0) {
      assert_int_equal(nodes, 2 * (12 * 16 + 1) - 1);
      assert_true(n > 40);
      break;
    }
  }
  vouch_mesh_fini(&mesh);
}

static void a_refused_shape_leaves_the_builder_as_it_was(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = test_builder(false, false);
  vouch_pose_t pose = vouch_pose_identity();
  const double size[3] = {1.0, 1.0, 1.0}, flat[3] = {1.0, 0.0, 1.0};
  const double wrong[2][3] = {{0.0, 0.0, 0.0}, {0.0, NAN, 0.0}};
  assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_box(builder, flat, &pose), VOUCH_RET_INVALID);
  assert_int_equal(vouch_geometry_add_hull(builder, wrong, 2, 0.0), VOUCH_RET_INVALID);
  assert_int_equal(vouch_geometry_add_hull(builder, wrong, 1, -1.0), VOUCH_RET_INVALID);
  assert_int_equal(vouch_geometry_add_hull(builder, wrong, 0, 0.0), VOUCH_RET_INVALID);
  test_built_t built = test_finish(builder);
  assert_int_equal(built.geometry.primitive_count, 1);
  assert_int_equal(built.geometry.vertex_count, 1 + 8);
  test_release(&built);
}

/* The bytes of one geometry, as a number: a compiler, a flag or a machine that changes them changes
 * every hash. If a change of the builder is meant to change them, put the new number here. */
static void bytes_are_the_same_everywhere(void ** state)
{
  (void)state;
  const double radii[3] = {0.07, 0.11, 0.2};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(test_ball(&mesh, 14, radii), VOUCH_RET_OK);
  test_random_t random = {.state = 36};
  random_soup(&mesh, &random, 0, 200);
  vouch_geometry_builder_t * builder = test_builder(false, false);
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
  const double size[3] = {0.1, 0.2, 0.3};
  vouch_pose_t pose = {.rotation = {0.5, -0.5, 0.5, 0.5}, .translation = {0.1, 0.2, 0.3}};
  assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_OK);
  vouch_curved_t cone = {.look = VOUCH_LOOK_CONE, .pose = pose, .size = {0.1, 0.2, 0.0}};
  cone.pose.rotation[0] = 0.5003;
  assert_int_equal(vouch_geometry_add_curved(builder, &cone), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_capsule(builder, 0.3, 0.2, &cone.pose), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  const char * expected[2] = {"af262149d8ce741ef9ad59b47657e5c5f4c683fe20cb838418751d93e73dd2ad",
    "a16855b9564088aeca0e7b03c4e1ec715cda546e824c3570cb414b258e26bd3d"};
  for (int i = 0; i < 2; ++i) {
    vouch_text_t text = {.allocator = vouch_allocator_default()};
    built.geometry.spelled = i == 1;
    vouch_geometry_encode(&built.geometry, &text);
    uint8_t digest[32];
    char hex[65];
    vouch_sha256(text.data, text.size, digest);
    vouch_sha256_hex(digest, hex);
    assert_string_equal(hex, expected[i]);
    vouch_text_fini(&text);
  }
  vouch_mesh_fini(&mesh);
  test_release(&built);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_contain_their_triangles),
    cmocka_unit_test(balls_are_exact_below_and_close_above),
    cmocka_unit_test(shapes_stay_together_in_the_tree),
    cmocka_unit_test(round_vertices_are_kept),
    cmocka_unit_test(large_round_vertices_are_preferred),
    cmocka_unit_test(components_get_their_kinds),
    cmocka_unit_test(hulls_on_request),
    cmocka_unit_test(nothing_gives_no_geometry),
    cmocka_unit_test(memory_failures_are_reported_and_leak_nothing),
    cmocka_unit_test(a_refused_shape_leaves_the_builder_as_it_was),
    cmocka_unit_test(bytes_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
