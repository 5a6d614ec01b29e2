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

/* Golden problems and certificates: every shape, joint type, op and kind of contact, in small files
 * under test/golden that every later version must verify as they are.
 *
 * VOUCH_WRITE_GOLDEN=name writes those of that name: new ones only. "left_out" is "notch" with a box in
 * its way that the ball may touch. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "model/problem.h"
#include "support/cell.h"
#include "support/verified.h"

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, type, parent, child, axis, more) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  "<origin xyz='0.1 0 0' rpy='0.3 0 0'/><axis xyz='" axis "'/>" \
  "<limit lower='-9' upper='9' effort='1' velocity='1'/>" more "</joint>"

/* One of every joint type. Variables: turn (continuous), tilt (revolute), x (prismatic). */
static const char ARM[] =
  "<robot name='golden'>" LINK("base") LINK("l1") LINK("l2") LINK("l3") LINK("l4") LINK("hand")
  JOINT("turn", "continuous", "base", "l1", "0 0 1", "") JOINT(
  "tilt", "revolute", "l1", "l2",
  "0 1 0", "")
  JOINT("x", "prismatic", "l2", "l3", "1 0 0", "")
  JOINT(
  "follow", "prismatic", "l3", "l4", "0 0 1",
  "<mimic joint='x' multiplier='-0.5' offset='0.1'/>")
  "<joint name='mount' type='fixed'><parent link='l4'/><child link='hand'/></joint></robot>";
static const char RAIL[] =
  "<robot name='rail'>" LINK("base") LINK("car")
  "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

static const double NOTCH[6][3] =
{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
static const double WEDGE[3][3] = {{0.3, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0}};

static vouch_shape_t shape(vouch_shape_kind_t kind)
{
  vouch_shape_t s = {.kind = kind, .size = {0.2, 0.3, 0.4}};
  switch (kind) {
    case VOUCH_SHAPE_PRISM:
      s.points = WEDGE;
      s.point_count = 3;
      break;
    case VOUCH_SHAPE_MESH:
      return cell_cube_mesh(12);
    case VOUCH_SHAPE_CONVEX:
      s.points = cell_cube_mesh(12).points;
      s.point_count = 8;
      break;
    default:
      memcpy(s.plane, (double[4]) {0, 0, 1, 3}, sizeof(s.plane));
  }
  return s;
}

typedef struct golden_s
{
  const char * name;
  int kind;
} golden_t;

/* The first eleven: that shape (box .. half-space) is an obstacle of the arm. */
static const golden_t GOLDEN[] = {
  {"box", VOUCH_VERIFY_FREE}, {"sphere", VOUCH_VERIFY_FREE}, {"cylinder", VOUCH_VERIFY_FREE},
  {"cone", VOUCH_VERIFY_FREE}, {"capsule", VOUCH_VERIFY_FREE}, {"ellipsoid", VOUCH_VERIFY_FREE},
  {"prism", VOUCH_VERIFY_FREE}, {"convex", VOUCH_VERIFY_FREE}, {"mesh", VOUCH_VERIFY_FREE},
  {"plane", VOUCH_VERIFY_FREE}, {"halfspace", VOUCH_VERIFY_FREE},
  {"schwarzer", VOUCH_VERIFY_FREE}, {"notch", VOUCH_VERIFY_FREE}, {"carried", VOUCH_VERIFY_FREE},
  {"open", VOUCH_VERIFY_FREE},
  {"spline", VOUCH_VERIFY_FREE}, {"overlap", VOUCH_VERIFY_COLLISION},
  {"too_near", VOUCH_VERIFY_COLLISION}, {"inside", VOUCH_VERIFY_COLLISION},
  {"crossed", VOUCH_VERIFY_COLLISION}, {"left_out", VOUCH_VERIFY_FREE}
};
#define GOLDEN_COUNT (sizeof(GOLDEN) / sizeof(GOLDEN[0]))

/* ---- writing ---- */

static cell_t arm_cell(size_t number)
{
  cell_t cell = cell_open(ARM, NULL);
  const double path[3][3] = {{-1.0, -0.4, 0.0}, {0.2, 0.3, 0.4}, {1.0, -0.2, 0.1}};
  const double speeds[3][3] = {{0, 0, 0}, {1, -1, 0.2}, {0, 0, 0}}, still[3][3] = {{0}};
  bool last = strcmp(GOLDEN[number].name, "spline") == 0;
  vouch_shape_kind_t kind = number < 11 ? (vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)number) :
    VOUCH_SHAPE_BOX;
  bool infinite = kind >= VOUCH_SHAPE_PLANE;
  vouch_shape_t held = shape((vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)(number % 6)));
  cell_hold(&cell, "tool", "hand", held, cell_at(0.4, 0.0, 0.1));
  cell_add(&cell, "thing", shape(kind), infinite ? cell_at(0, 0, 0) : cell_at(0.4, 0.2, 1.9));
  cell_add(&cell, "other", shape(VOUCH_SHAPE_SPHERE), cell_at(-1.0, -1.0, 0.5));
  if (last) {
    cell_spline(&cell, path[0], speeds[0], still[0], 3);
  } else if (number % 2 == 1) {
    cell_spline(&cell, path[0], speeds[0], NULL, 3);
  } else {
    cell_path(&cell, path[0], 3);
  }
  return cell;
}

static cell_t rail_cell(const char * name)
{
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-0.3, 0.3}, far[2] = {-2.0, 2.0}, in_notch[2] = {1.5, 1.3};
  vouch_shape_t notch =
  {.kind = VOUCH_SHAPE_PRISM, .size = {1.0}, .points = NOTCH, .point_count = 6};
  bool notched = strcmp(name, "notch") == 0 || strcmp(name, "left_out") == 0;
  cell_path(&cell, notched ? in_notch : strcmp(name, "overlap") == 0 ? far : path, 2);
  if (strcmp(name, "carried") == 0) {
    const double carry[2] = {0.0, 0.2};
    cell_path(&cell, carry, 2);
    cell_hold(&cell, "notch", "car", notch, cell_at(0, 0, 0));
    cell_add(&cell, "ball", cell_sphere(0.1), cell_at(1.5, 1.3, 0));
    return cell;
  }
  double y = notched ? 1.3 : 0.0;
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, y, 0));
  if (notched) {
    cell_add(&cell, "notch", notch, cell_at(0, 0, 0));
    if (strcmp(name, "left_out") == 0) {
      cell_add(&cell, "shelf", cell_box(0.2, 0.2, 0.2), cell_at(1.4, 1.3, 0.0));
      assert_int_equal(vouch_scene_allow_pair(cell.scene, "ball", "shelf", true), VOUCH_RET_OK);
    }
  } else if (strcmp(name, "inside") == 0) {
    cell_add(&cell, "cube", shape(VOUCH_SHAPE_MESH), cell_at(0, 0, 0));
  } else if (strcmp(name, "open") == 0) {
    /* An open cube beside the ball, in one object with a box on the other side. */
    vouch_shape_t parts[2] = {shape(VOUCH_SHAPE_MESH), cell_box(0.2, 0.2, 0.2)};
    parts[0].triangle_count = 10;
    vouch_pose_t poses[2] = {cell_at(0, 1.3, 0), cell_at(0, -1.0, 0)}, here = cell_at(0, 0, 0);
    assert_int_equal(
      vouch_scene_add_object(cell.scene, "open", NULL, &here, parts, poses, 2), VOUCH_RET_OK);
  } else if (strcmp(name, "crossed") == 0) {
    vouch_shape_t plane = {.kind = VOUCH_SHAPE_PLANE, .plane = {1, 0, 0, -0.1}};
    cell_add(&cell, "plane", plane, vouch_pose_identity());
  } else {
    double up = strcmp(name, "too_near") == 0 ? 0.61 : 0.55;
    cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, up));
  }
  return cell;
}

static void write_file(const char * name, const char * ending, const uint8_t * data, size_t size)
{
  char path[4096];
  snprintf(path, sizeof(path), "%s/test/golden/%s.%s", VOUCH_SOURCE_DIR, name, ending);
  assert_int_equal(vouch_file_write(path, data, size), VOUCH_RET_OK);
}

static void write_golden(size_t number)
{
  const char * name = GOLDEN[number].name;
  bool arm = number < 12 || strcmp(name, "spline") == 0;
  cell_t cell = arm ? arm_cell(number) : rail_cell(name);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  options.margin_m = strcmp(name, "too_near") == 0 ? 0.02 : number % 3 == 0 ? 0.001 : 0.0;
  options.tolerance_rad = number % 4 == 1 ? 1e-3 : 0.0;
  options.tolerance_m = number % 4 == 1 ? 1e-4 : 0.0;
  options.method = strcmp(name, "schwarzer") == 0 ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
  vouch_result_t result = cell_check(&cell, &options);
  print_message(
    "%s: %s, %d leaves\n", name, vouch_verdict_name(
      result.verdict), (int)result.statistics.leaves);
  assert_int_equal(
    result.verdict, GOLDEN[number].kind == VOUCH_VERIFY_FREE ? VOUCH_FREE : VOUCH_COLLISION);
  uint8_t * data;
  size_t size;
  assert_int_equal(vouch_checker_problem(cell.checker, &data, &size), VOUCH_RET_OK);
  write_file(name, "problem", data, size);
  vouch_bytes_free(cell.checker, data);
  assert_int_equal(vouch_checker_certificate(cell.checker, &data, &size), VOUCH_RET_OK);
  write_file(name, "certificate", data, size);
  vouch_bytes_free(cell.checker, data);
  cell_close(&cell);
}

/* ---- verifying ---- */

static char * read_golden(const char * name, const char * ending, size_t * size)
{
  char path[4096], * data;
  vouch_allocator_t allocator = vouch_allocator_default();
  snprintf(path, sizeof(path), "%s/test/golden/%s.%s", VOUCH_SOURCE_DIR, name, ending);
  assert_int_equal(vouch_file_read(&allocator, path, 0, &data, size), VOUCH_RET_OK);
  return data;
}

/// Which tags occur in the ops of a certificate of kind FREE.
static void count_tags(const char * data, size_t size, size_t seen[256])
{
  size_t at = 152;
  while (at < size) {
    uint8_t tag = (uint8_t)data[at];
    seen[tag]++;
    at += tag == 'L' || tag == 'I' ? 13 : tag == 'D' ? 25 : 1;
  }
}

static void every_golden_file_is_verified(void ** state)
{
  (void)state;
  size_t seen[256] = {0};
  for (size_t i = 0; i < GOLDEN_COUNT; i++) {
    const char * wanted = getenv("VOUCH_WRITE_GOLDEN");
    if (wanted != NULL && strcmp(wanted, GOLDEN[i].name) == 0) {
      write_golden(i);
    }
    size_t sizes[2];
    char * problem = read_golden(GOLDEN[i].name, "problem", &sizes[0]);
    char * certificate = read_golden(GOLDEN[i].name, "certificate", &sizes[1]);
    struct vouch_verify_report report;
    int code = test_verify(problem, sizes[0], certificate, sizes[1], &report);
    if (code != VOUCH_VERIFY_OK) {
      print_message("%s: %s\n", GOLDEN[i].name, report.text);
    }
    assert_int_equal(code, VOUCH_VERIFY_OK);
    assert_int_equal(report.kind, GOLDEN[i].kind);
    if (report.kind == VOUCH_VERIFY_FREE) {
      count_tags(certificate, sizes[1], seen);
    }
    free(problem);
    free(certificate);
  }
  for (const char * tag = "TABbLDI"; *tag != 0; tag++) {
    if (seen[(uint8_t)*tag] == 0) {
      print_message("no golden certificate has the op %c\n", *tag);
    }
    assert_true(seen[(uint8_t)*tag] > 0);
  }
}

/* Reading a golden problem and writing it again gives the same bytes. */
static void golden_problems_have_one_encoding(void ** state)
{
  (void)state;
  for (size_t i = 0; i < GOLDEN_COUNT; i++) {
    size_t size;
    char * data = read_golden(GOLDEN[i].name, "problem", &size);
    vouch_problem_t problem;
    vouch_text_t text = {.allocator = vouch_allocator_default()};
    assert_int_equal(
      vouch_problem_decode(&problem, vouch_allocator_default(), data, size), VOUCH_RET_OK);
    assert_int_equal(vouch_problem_encode(&problem, &text), VOUCH_RET_OK);
    assert_int_equal(text.size, size);
    assert_memory_equal(text.data, data, size);
    vouch_text_fini(&text);
    vouch_problem_fini(&problem);
    free(data);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_golden_file_is_verified),
    cmocka_unit_test(golden_problems_have_one_encoding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
