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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"
#include "support/failing.h"
#include "support/random.h"

/* A cube of triangles that turn outwards; bit 0, 1, 2 of a vertex number: x, y, z. */
static const uint32_t cube_triangles[12][3] = {
  {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
  {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
};

static vouch_ret_t add_cube(vouch_mesh_t * mesh, double shift, double side, bool soup)
{
  double corners[8][3];
  for (int i = 0; i < 8; ++i) {
    corners[i][0] = shift + (i & 1 ? side : 0.0);
    corners[i][1] = i & 2 ? side : 0.0;
    corners[i][2] = i & 4 ? side : 0.0;
  }
  uint32_t base = (uint32_t)mesh->vertex_count;
  vouch_ret_t code = VOUCH_RET_OK;
  for (int i = 0; i < 8 && !soup && code == VOUCH_RET_OK; ++i) {
    code = vouch_mesh_add_vertex(mesh, corners[i]);
  }
  for (int t = 0; t < 12 && code == VOUCH_RET_OK; ++t) {
    uint32_t c[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = base + cube_triangles[t][k];
      if (soup && code == VOUCH_RET_OK) {
        c[k] = (uint32_t)mesh->vertex_count;
        code = vouch_mesh_add_vertex(mesh, corners[cube_triangles[t][k]]);
      }
    }
    code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(mesh, c[0], c[1], c[2]);
  }
  return code;
}

static vouch_mesh_t cubes(int count, double step, bool soup)
{
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  for (int i = 0; i < count; ++i) {
    assert_int_equal(add_cube(&mesh, step * i, 1.0, soup), VOUCH_RET_OK);
  }
  return mesh;
}

typedef struct parts_s
{
  uint32_t of[64];
  bool closed[64];
  size_t count;
} parts_t;

static parts_t components(const vouch_mesh_t * mesh)
{
  parts_t parts;
  bool * closed = NULL;
  assert_true(mesh->triangle_count <= 64);
  assert_int_equal(
    vouch_mesh_components(mesh, parts.of, &closed, &parts.count), VOUCH_RET_OK);
  assert_true(parts.count <= 64);
  memcpy(parts.closed, closed, parts.count * sizeof(closed[0]));
  vouch_free(&mesh->allocator, closed);
  return parts;
}

static void welding_joins_equal_vertices_only(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = cubes(1, 0.0, true);
  assert_int_equal(mesh.vertex_count, 36);
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 8);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < i; ++j) {
      assert_true(memcmp(mesh.vertices[i], mesh.vertices[j], sizeof(mesh.vertices[0])) != 0);
    }
  }
  mesh.vertices[3][1] = nextafter(mesh.vertices[3][1], 2.0);
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 8);
  vouch_mesh_fini(&mesh);
}

static void welding_drops_unused_and_ignores_the_sign_of_zero(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  const double v[6][3] = {
    {9.0, 9.0, 9.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {-0.0, 0.0, -0.0},
    {8.0, 8.0, 8.0}
  };
  for (int i = 0; i < 6; ++i) {
    assert_int_equal(vouch_mesh_add_vertex(&mesh, v[i]), VOUCH_RET_OK);
  }
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 2, 3, 4), VOUCH_RET_OK);
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 1, 3, 2), VOUCH_RET_OK);
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 3);
  const uint32_t want[2][3] = {{0, 1, 2}, {2, 1, 0}};
  assert_memory_equal(mesh.triangles, want, sizeof(want));
  assert_true(mesh.vertices[0][0] == 1.0 && mesh.vertices[1][1] == 1.0);
  assert_false(signbit(mesh.vertices[2][0]));
  vouch_mesh_fini(&mesh);
}

static void wrong_meshes_are_refused_with_a_number(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(vouch_mesh_validate(&mesh), VOUCH_RET_INVALID);
  vouch_mesh_fini(&mesh);
  mesh = cubes(1, 0.0, false);
  assert_int_equal(vouch_mesh_validate(&mesh), VOUCH_RET_OK);
  mesh.triangles[7][1] = 8;
  assert_int_equal(vouch_mesh_validate(&mesh), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "triangle 7"));
  mesh.triangles[7][1] = 7;
  const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e6, -2e6};
  for (int i = 0; i < 5; ++i) {
    mesh.vertices[5][2] = wrong[i];
    assert_int_equal(vouch_mesh_validate(&mesh), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "vertex 5"));
    assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_INVALID);
  }
  vouch_mesh_fini(&mesh);
}

static double volume(const vouch_mesh_t * mesh)
{
  double sum = 0.0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const double * a = mesh->vertices[mesh->triangles[t][0]];
    const double * b = mesh->vertices[mesh->triangles[t][1]];
    const double * c = mesh->vertices[mesh->triangles[t][2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

static void transforming_keeps_the_outside_outside(void ** state)
{
  (void)state;
  const double scales[4][3] = {{2, 3, 4}, {-2, 3, 4}, {-2, -3, 4}, {-2, -3, -4}};
  const double s = sqrt(0.5);
  vouch_pose_t pose = {.rotation = {0.0, 0.0, s, s}, .translation = {1.0, 2.0, 3.0}};
  for (int i = 0; i < 4; ++i) {
    vouch_mesh_t mesh = cubes(1, 0.0, false);
    vouch_mesh_transform(&mesh, scales[i], &pose);
    assert_true(fabs(volume(&mesh) - 24.0) < 1e-12);
    // (1, 1, 1) -> scale, then a quarter turn about z, then the translation
    assert_true(fabs(mesh.vertices[7][0] - (1.0 - scales[i][1])) < 1e-12);
    assert_true(fabs(mesh.vertices[7][1] - (2.0 + scales[i][0])) < 1e-12);
    assert_true(fabs(mesh.vertices[7][2] - (3.0 + scales[i][2])) < 1e-12);
    vouch_mesh_fini(&mesh);
  }
}

static void separate_cubes_are_closed_components(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = cubes(3, 2.0, true);
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  parts_t parts = components(&mesh);
  assert_int_equal(parts.count, 3);
  for (int t = 0; t < 36; ++t) {
    assert_int_equal(parts.of[t], t / 12);
    assert_true(parts.closed[t / 12]);
  }
  vouch_mesh_fini(&mesh);
}

static void a_missing_or_turned_triangle_opens(void ** state)
{
  (void)state;
  for (uint32_t t = 0; t < 12; ++t) {
    vouch_mesh_t mesh = cubes(2, 2.0, false);
    memcpy(mesh.triangles[t], mesh.triangles[23], sizeof(mesh.triangles[0]));
    mesh.triangle_count = 23;   // triangle t is gone, the second cube is complete
    parts_t parts = components(&mesh);
    assert_int_equal(parts.count, 2);
    assert_int_equal(parts.closed[parts.of[t == 0 ? 1 : 0]], false);
    assert_int_equal(parts.closed[parts.of[22]], true);
    vouch_mesh_fini(&mesh);
    mesh = cubes(1, 0.0, false);
    uint32_t second = mesh.triangles[t][1];
    mesh.triangles[t][1] = mesh.triangles[t][2];
    mesh.triangles[t][2] = second;
    parts = components(&mesh);
    assert_int_equal(parts.count, 1);
    assert_false(parts.closed[0]);
    vouch_mesh_fini(&mesh);
  }
}

static void inside_out_is_closed_too(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = cubes(1, 0.0, false);
  for (int t = 0; t < 12; ++t) {
    uint32_t second = mesh.triangles[t][1];
    mesh.triangles[t][1] = mesh.triangles[t][2];
    mesh.triangles[t][2] = second;
  }
  assert_true(components(&mesh).closed[0]);
  vouch_mesh_fini(&mesh);
}

static void cubes_that_touch(void ** state)
{
  (void)state;
  // In one vertex: two closed components.
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(add_cube(&mesh, 0.0, 1.0, false), VOUCH_RET_OK);
  assert_int_equal(add_cube(&mesh, 1.0, 1.0, false), VOUCH_RET_OK);
  for (int i = 8; i < 16; ++i) {
    mesh.vertices[i][1] += 1.0;
    mesh.vertices[i][2] += 1.0;
  }
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 15);
  parts_t parts = components(&mesh);
  assert_int_equal(parts.count, 2);
  assert_true(parts.closed[0] && parts.closed[1]);
  vouch_mesh_fini(&mesh);
  // In one edge, which then has four triangles: two closed components.
  mesh = cubes(2, 1.0, true);
  for (int i = 36; i < 72; ++i) {
    mesh.vertices[i][1] += 1.0;
  }
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 14);
  parts = components(&mesh);
  assert_int_equal(parts.count, 2);
  assert_true(parts.closed[0] && parts.closed[1]);
  vouch_mesh_fini(&mesh);
  // In a whole side: which triangle belongs to whom is not said, so it counts as open.
  mesh = cubes(2, 1.0, true);
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  assert_int_equal(mesh.vertex_count, 12);
  parts = components(&mesh);
  assert_int_equal(parts.count, 1);
  assert_false(parts.closed[0]);
  vouch_mesh_fini(&mesh);
}

/// Inside a shell of two sides all crossings cancel: it must not count as closed.
static void two_sided_shells_are_open(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = cubes(2, 0.0, true);
  for (int t = 12; t < 24; ++t) {
    uint32_t second = mesh.triangles[t][1];
    mesh.triangles[t][1] = mesh.triangles[t][2];
    mesh.triangles[t][2] = second;
  }
  assert_int_equal(vouch_mesh_weld(&mesh), VOUCH_RET_OK);
  parts_t parts = components(&mesh);
  assert_int_equal(parts.count, 1);
  assert_false(parts.closed[0]);
  vouch_mesh_fini(&mesh);
}

/// Six such sheets, a hair apart, draw a box; each alone is closed by its edges and around nothing.
static void sheets_are_open(void ** state)
{
  (void)state;
  for (int plain = 0; plain < 2; ++plain) {   // the same two triangles back, or the other diagonal
    const double corners[4][3] = {{1, 1, 1}, {3, 1, 1}, {3, 2, 1}, {1, 2, 1}};
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    for (int i = 0; i < 4; ++i) {
      assert_int_equal(vouch_mesh_add_vertex(&mesh, corners[i]), VOUCH_RET_OK);
    }
    assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, 1, 2), VOUCH_RET_OK);
    assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, 2, 3), VOUCH_RET_OK);
    assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, plain ? 2 : 3, 1), VOUCH_RET_OK);
    assert_int_equal(
      plain ? vouch_mesh_add_triangle(&mesh, 0, 3, 2) : vouch_mesh_add_triangle(&mesh, 1, 3, 2),
      VOUCH_RET_OK);
    parts_t parts = components(&mesh);
    for (size_t i = 0; i < parts.count; ++i) {
      assert_false(parts.closed[i]);
    }
    vouch_mesh_fini(&mesh);
  }
  vouch_mesh_t foil = cubes(1, 0.0, false);   // a micrometre is thick enough
  for (size_t i = 0; i < foil.vertex_count; ++i) {
    foil.vertices[i][2] *= 1e-6;
  }
  parts_t parts = components(&foil);
  assert_int_equal(parts.count, 1);
  assert_true(parts.closed[0]);
  vouch_mesh_fini(&foil);
}

static void degenerate_triangles_go_with_their_vertices(void ** state)
{
  (void)state;
  vouch_mesh_t mesh = cubes(2, 2.0, false);
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 9, 9, 10), VOUCH_RET_OK);   // on cube 1
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 3, 9, 3), VOUCH_RET_OK);    // between both
  const double alone[3] = {9.0, 9.0, 9.0};
  assert_int_equal(vouch_mesh_add_vertex(&mesh, alone), VOUCH_RET_OK);
  assert_int_equal(vouch_mesh_add_triangle(&mesh, 16, 16, 16), VOUCH_RET_OK);
  parts_t parts = components(&mesh);
  assert_int_equal(parts.count, 3);
  assert_int_equal(parts.of[24], 1);
  assert_int_equal(parts.of[25], 0);
  assert_int_equal(parts.of[26], 2);
  assert_true(parts.closed[0] && parts.closed[1]);
  assert_false(parts.closed[2]);
  vouch_mesh_fini(&mesh);
}

static void memory_failures_are_reported_and_leak_nothing(void ** state)
{
  (void)state;
  for (long n = 0; ; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_mesh_t mesh = vouch_mesh_zero(test_failing_allocator(&failing));
    vouch_ret_t code = add_cube(&mesh, 0.0, 1.0, true);
    code = code != VOUCH_RET_OK ? code : vouch_mesh_weld(&mesh);
    bool * closed = NULL;
    uint32_t component[12];
    size_t count;
    code = code != VOUCH_RET_OK ? code : vouch_mesh_components(&mesh, component, &closed, &count);
    vouch_free(&mesh.allocator, closed);
    vouch_mesh_fini(&mesh);
    assert_int_equal(failing.alive, 0);
    if (code == VOUCH_RET_OK) {
      assert_true(n > 5);
      break;
    }
    assert_int_equal(code, VOUCH_RET_NO_MEMORY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(welding_joins_equal_vertices_only),
    cmocka_unit_test(welding_drops_unused_and_ignores_the_sign_of_zero),
    cmocka_unit_test(wrong_meshes_are_refused_with_a_number),
    cmocka_unit_test(transforming_keeps_the_outside_outside),
    cmocka_unit_test(separate_cubes_are_closed_components),
    cmocka_unit_test(a_missing_or_turned_triangle_opens),
    cmocka_unit_test(inside_out_is_closed_too),
    cmocka_unit_test(cubes_that_touch),
    cmocka_unit_test(two_sided_shells_are_open),
    cmocka_unit_test(sheets_are_open),
    cmocka_unit_test(degenerate_triangles_go_with_their_vertices),
    cmocka_unit_test(memory_failures_are_reported_and_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
