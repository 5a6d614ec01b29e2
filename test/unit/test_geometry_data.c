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

/* Trees over the meshes of real robots: what they are made of, that they contain them, how long it
 * takes. How many components are closed and open was counted by a script of its own over the files,
 * except for the touching shells of the YuMi. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>
#include <time.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "read/mesh_file.h"
#include "support/data.h"
#include "support/random.h"

typedef struct expected_s
{
  const char * path;
  size_t triangles, solids, open;
} expected_t;

#define ROBOWFLEX "robowflex_resources/"

static const expected_t rows[] = {
  {ROBOWFLEX "panda/meshes/collision/finger.stl", 32, 1, 0},
  {ROBOWFLEX "panda/meshes/collision/hand.stl", 200, 1, 0},
  {ROBOWFLEX "panda/meshes/collision/link0.stl", 200, 1, 0},
  {ROBOWFLEX "panda/meshes/collision/link5.stl", 300, 1, 0},
  {ROBOWFLEX "ur/meshes/ur5/collision/base.stl", 578, 1, 0},
  {ROBOWFLEX "ur/meshes/ur5/collision/forearm.stl", 1050, 6, 0},
  {ROBOWFLEX "ur/meshes/ur5/collision/upperarm.stl", 1176, 5, 0},
  {ROBOWFLEX "ur/meshes/ur5/collision/wrist3.stl", 446, 5, 0},
  {ROBOWFLEX "robotiq/85_gripper/meshes/collision/robotiq_85_base_link.stl", 37258, 5, 1},
  {ROBOWFLEX "robotiq/85_gripper/meshes/collision/robotiq_85_finger_tip_link.stl", 2436, 3, 1},
  {ROBOWFLEX "yumi/meshes/coarse/link_2.stl", 10660, 2, 0},   // two shells that touch along edges
  {ROBOWFLEX "yumi/meshes/coarse/link_6.stl", 6258, 1, 0},
};

static double height(const double p[3], const double n[3])
{
  return p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
}

/// A node contains its triangles in some random directions.
static void check_node(const vouch_geometry_t * g, uint32_t number, test_random_t * random)
{
  const vouch_tree_node_t * node = &g->nodes[number];
  double epsilon = vouch_geometry_witness_error(g, number);
  for (int round = 0; round < 10 && node->left != 0; ++round) {
    double n[3], kept = -HUGE_VAL, all = -HUGE_VAL;
    test_random_direction(random, n);
    for (uint32_t i = 0; i < node->kept_count; ++i) {
      kept = fmax(kept, height(g->vertices[g->kept[node->kept_first + i]], n));
    }
    for (uint32_t i = 3 * node->first; i < 3 * (node->first + node->count); ++i) {
      all = fmax(all, height(g->vertices[g->indices[i]], n));
    }
    assert_true(kept + epsilon >= all - 1e-15 && kept <= all);
  }
  // Low down the kept hulls are exact but for the rounding of weights.
  assert_true(node->count > 32 || epsilon < 1e-7);
}

static void trees_contain_real_meshes(void ** state)
{
  (void)state;
  if (test_data_directory() == NULL) {
    skip();
  }
  test_random_t random = {.state = 71};
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
    char path[1024];
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    assert_non_null(test_data_path(rows[i].path, path, sizeof(path)));
    assert_int_equal(vouch_mesh_load(&mesh, path), VOUCH_RET_OK);
    clock_t begin = clock();
    vouch_geometry_builder_t * builder = NULL;
    vouch_geometry_options_t options = {0};
    vouch_arena_t arena = {.allocator = vouch_allocator_default()};
    vouch_geometry_t g;
    vouch_geometry_facts_t facts;
    assert_int_equal(
      vouch_geometry_builder_create(&builder, arena.allocator, &options), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_build(builder, &arena, &g, &facts), VOUCH_RET_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(vouch_geometry_validate(&g), VOUCH_RET_OK);
    print_message(
      "%s: %zu triangles, %.1f ms, epsilon of the root %.2g m\n", rows[i].path, facts.triangles,
      1e3 * seconds, vouch_geometry_witness_error(&g, 0));
    assert_int_equal(facts.triangles, rows[i].triangles);
    assert_int_equal(facts.solids, rows[i].solids);
    assert_int_equal(facts.open, rows[i].open);
    assert_int_equal(facts.surfaces, 0);
    assert_true(vouch_geometry_witness_error(&g, 0) < 0.02 * facts.extent);
    for (int k = 0; k < 300; ++k) {
      check_node(&g, k == 0 ? 0 : test_random_below(&random, g.node_count), &random);
    }
    vouch_geometry_builder_destroy(builder);
    vouch_arena_fini(&arena);
    vouch_mesh_fini(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_contain_real_meshes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
