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

/* How vertices, components and open parts are numbered and placed. [L8] */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "read/mesh_file.h"
#include "support/built.h"
#include "support/data.h"
#include "support/random.h"
#include "support/solids.h"

/// By another way than the builder's: joins by brute force.
static void check_reference_points(const vouch_geometry_t * g)
{
  uint32_t * part = calloc(g->vertex_count, sizeof(part[0]));
  bool * joined = calloc(g->vertex_count, sizeof(joined[0]));
  assert_true(part != NULL && joined != NULL);
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    part[i] = i;
  }
  for (bool changed = true; changed; ) {   // the lowest number of a part spreads
    changed = false;
    for (uint32_t i = 0; i < g->primitive_count; ++i) {
      const uint32_t * list = g->indices + g->primitives[i].first;
      uint32_t low = UINT32_MAX;
      for (uint32_t k = 0; k < g->primitives[i].count; ++k) {
        low = part[list[k]] < low ? part[list[k]] : low;
        joined[list[k]] = joined[list[k]] || list[k] > list[0];
      }
      for (uint32_t k = 0; k < g->primitives[i].count; ++k) {
        changed = changed || part[list[k]] != low;
        part[list[k]] = low;
      }
    }
  }
  for (uint32_t i = 1; i < g->vertex_count; ++i) {
    assert_int_equal(joined[i], part[i] != i);
  }
  free(part);
  free(joined);
}

static void each_part_has_one_reference_point(void ** state)
{
  (void)state;
  test_random_t random = {.state = 38};
  for (int round = 0; round < 40; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, round % 2 == 1);
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    uint32_t vertices = 3 + test_random_below(&random, 60);
    for (uint32_t i = 0; i < vertices; ++i) {
      double p[3];
      test_random_direction(&random, p);
      assert_int_equal(vouch_mesh_add_vertex(&mesh, p), VOUCH_RET_OK);
    }
    for (int i = 0; i < 40; ++i) {   // any three, often twice the same one
      uint32_t c[3];
      for (int k = 0; k < 3; ++k) {
        c[k] = test_random_below(&random, i % 4 == 0 ? vertices : 3);
      }
      assert_int_equal(vouch_mesh_add_triangle(&mesh, c[0], c[1], c[2]), VOUCH_RET_OK);
    }
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
    vouch_curved_t cone = {
      .look = VOUCH_LOOK_CONE, .pose = vouch_pose_identity(), .size = {0.1, 0.2, 0.0}
    };
    assert_int_equal(vouch_geometry_add_curved(builder, &cone), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_add_capsule(builder, 0.1, 0.2, &cone.pose), VOUCH_RET_OK);
    test_built_t built = test_finish(builder);
    check_reference_points(&built.geometry);
    test_round_trip(&built.geometry);
    test_release(&built);
  }
}

/// Closed and open parts of one mesh, and other shapes: what is open is beneath one node.
static void open_parts_are_beneath_one_node(void ** state)
{
  (void)state;
  for (int round = 0; round < 6; ++round) {
    bool closed = round % 2 == 0, open = round % 3 != 0, box = round >= 3;
    vouch_geometry_builder_t * builder = test_builder(false, false);
    for (int m = 0; m < 3; ++m) {
      vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
      const double radii[3] = {1.0, 1.0, 1.0 + m};
      for (int part = 0; part < 2; ++part) {
        size_t before = mesh.vertex_count;
        if (part == 0 ? closed : open) {
          assert_int_equal(test_ball(&mesh, 2, radii), VOUCH_RET_OK);
          mesh.triangle_count -= part == 1;
        }
        for (size_t i = before; i < mesh.vertex_count; ++i) {
          mesh.vertices[i][0] += 3.0 * part + m;
        }
      }
      if (mesh.triangle_count > 0) {
        assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
      }
      vouch_mesh_fini(&mesh);
    }
    vouch_pose_t pose = vouch_pose_identity();
    const double size[3] = {0.1, 0.2, 0.3};
    if (box || (!closed && !open)) {
      assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_OK);
    }
    test_built_t built = test_finish(builder);
    const vouch_geometry_t * g = &built.geometry;
    assert_int_equal(built.facts.open, open ? 3 : 0);
    assert_int_equal(built.facts.solids, closed ? 3 : 0);
    assert_true(!open || g->open_node == (closed || box ? g->nodes[0].right : 0));
    assert_true(open || g->open_node == VOUCH_NONE);
    for (uint32_t i = 0; open && i < g->primitive_count; ++i) {
      const vouch_tree_node_t * node = &g->nodes[g->open_node];
      bool beneath = node->first <= i && i < node->first + node->count;
      uint8_t kind = g->components[g->primitives[i].component];
      assert_int_equal(beneath, kind == VOUCH_COMPONENT_OPEN);
    }
    test_round_trip(g);
    test_release(&built);
  }
}

/// Components: solids by first primitive, the open one, the surface, then one for each convex.
static void components_are_numbered_in_order(void ** state)
{
  (void)state;
  vouch_geometry_builder_t * builder = test_builder(false, false);
  vouch_pose_t pose = vouch_pose_identity();
  const double size[3] = {0.1, 0.1, 0.1}, radii[3] = {1.0, 1.0, 1.0};
  const double corners[4][3] = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
  assert_int_equal(vouch_geometry_add_box(builder, size, &pose), VOUCH_RET_OK);
  for (int m = 0; m < 4; ++m) {   // closed, open, closed, and nothing but a point
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    assert_int_equal(test_ball(&mesh, 2, radii), VOUCH_RET_OK);
    mesh.triangle_count -= m == 1;
    if (m == 3) {
      mesh.triangle_count = 0;
      assert_int_equal(vouch_mesh_add_triangle(&mesh, 1, 1, 1), VOUCH_RET_OK);
    }
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
  }
  assert_int_equal(vouch_geometry_add_hull(builder, corners, 3, 0.0), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_hull(builder, corners, 3, 0.1), VOUCH_RET_OK);
  assert_int_equal(vouch_geometry_add_hull(builder, corners, 4, 0.0), VOUCH_RET_OK);
  test_built_t built = test_finish(builder);
  const uint8_t want[7] = {
    VOUCH_COMPONENT_SOLID, VOUCH_COMPONENT_SOLID, VOUCH_COMPONENT_OPEN, VOUCH_COMPONENT_SURFACE,
    VOUCH_COMPONENT_CONVEX, VOUCH_COMPONENT_CONVEX, VOUCH_COMPONENT_CONVEX
  };
  assert_int_equal(built.geometry.component_count, 7);
  assert_memory_equal(built.geometry.components, want, 7);
  assert_int_equal(built.facts.convex, 4);
  assert_int_equal(built.facts.surfaces, 1);
  test_round_trip(&built.geometry);
  test_release(&built);
}

static void real_meshes_have_one_reference_point_a_part(void ** state)
{
  (void)state;
  static const char * const paths[] = {
    "robowflex_resources/panda/meshes/collision/hand.stl",
    "robowflex_resources/ur/meshes/ur5/collision/forearm.stl",
    "robowflex_resources/robotiq/85_gripper/meshes/collision/robotiq_85_finger_tip_link.stl",
    "robowflex_resources/yumi/meshes/coarse/link_2.stl",
  };
  if (test_data_directory() == NULL) {
    skip();
  }
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); ++i) {
    test_built_t built = test_built_of(paths[i]);
    check_reference_points(&built.geometry);
    test_round_trip(&built.geometry);
    test_release(&built);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_part_has_one_reference_point),
    cmocka_unit_test(open_parts_are_beneath_one_node),
    cmocka_unit_test(components_are_numbered_in_order),
    cmocka_unit_test(real_meshes_have_one_reference_point_a_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
