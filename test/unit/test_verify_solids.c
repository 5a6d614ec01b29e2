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

/* A problem that lies: a box without a lid is called a solid, and the ray that is to show that a
 * ball is outside leaves through the lid that is not there. The ball is inside. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "model/problem.h"
#include "support/cell.h"
#include "verify/verify.h"

static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

static const double CORNERS[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
  {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static const uint32_t SIDES[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
  {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};

typedef struct files_s
{
  uint8_t problem[65536], certificate[65536];
  size_t problem_size, certificate_size;
} files_t;

/// The proof for the surface: problem and certificate of a ball that rests in the open box.
static void prove_surface(files_t * files, size_t triangles)
{
  cell_t cell = cell_open(RAIL, NULL);
  vouch_scene_options_t options = vouch_scene_options_default();
  vouch_shape_t box = {.kind = VOUCH_SHAPE_MESH, .points = CORNERS, .point_count = 8,
    .triangles = SIDES, .triangle_count = triangles};
  const double rest[2] = {0.0, 0.0};
  options.surfaces = true;
  vouch_scene_destroy(cell.scene);
  assert_int_equal(vouch_scene_create(&cell.scene, cell.robot, &options), VOUCH_RET_OK);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "box", box, cell_at(0, 0, 0));
  cell_path(&cell, rest, 2);
  vouch_check_options_t check = cell_options();
  check.certificate = true;
  assert_int_equal(cell_check(&cell, &check).verdict, VOUCH_FREE);
  uint8_t * data;
  size_t size;
  assert_int_equal(vouch_checker_problem(cell.checker, &data, &size), VOUCH_RET_OK);
  memcpy(files->problem, data, files->problem_size = size);
  vouch_bytes_free(cell.checker, data);
  assert_int_equal(vouch_checker_certificate(cell.checker, &data, &size), VOUCH_RET_OK);
  memcpy(files->certificate, data, files->certificate_size = size);
  vouch_bytes_free(cell.checker, data);
  cell_close(&cell);
}

static int verify(const files_t * files, struct vouch_verify_report * report)
{
  return vouch_verify_memory(
    NULL, files->problem, files->problem_size, files->certificate, files->certificate_size, report);
}

static void an_open_box_is_no_solid(void ** state)
{
  (void)state;
  static files_t files;
  struct vouch_verify_report report;
  prove_surface(&files, 10);
  assert_int_equal(verify(&files, &report), VOUCH_VERIFY_OK);
  /* Call every surface a solid. */
  vouch_problem_t problem;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  assert_int_equal(
    vouch_problem_decode(
      &problem, vouch_allocator_default(), files.problem, files.problem_size), VOUCH_RET_OK);
  for (uint32_t i = 0; i < problem.geometry.geometry_count; i++) {
    vouch_geometry_t * g = problem.geometry.geometries[i];
    for (uint32_t k = 0; k < g->component_count; k++) {
      g->components[k] = g->components[k] == VOUCH_COMPONENT_SURFACE ? VOUCH_COMPONENT_SOLID :
        g->components[k];
    }
  }
  assert_int_equal(vouch_problem_encode(&problem, &text), VOUCH_RET_OK);
  assert_int_equal(text.size, files.problem_size);
  memcpy(files.problem, text.data, text.size);
  vouch_text_fini(&text);
  vouch_problem_fini(&problem);
  /* One record more after the op that leaves the two roots, and the new hash. */
  uint64_t length;
  memcpy(&length, files.problem + 12 + 4, sizeof(length));
  vouch_sha256(files.problem + 24, (size_t)length, files.certificate + 16);
  size_t ops = 128;
  assert_memory_equal(files.certificate + ops, "BB", 2);   // the group's box, the mesh's root
  const float ray[3] = {0.05f, 0.03f, 0.99f};
  memmove(
    files.certificate + ops + 2 + 13, files.certificate + ops + 2,
    files.certificate_size - ops - 2);
  files.certificate[ops + 2] = 'I';
  memcpy(files.certificate + ops + 3, ray, sizeof(ray));
  files.certificate_size += 13;
  int code = verify(&files, &report);
  print_message("%d: %s\n", code, report.reason);
  assert_int_not_equal(code, VOUCH_VERIFY_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_open_box_is_no_solid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
