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

/* Every two shapes that meet, or come closer than the margin: the witness is one that the verifier
 * accepts, and so is the proof until then. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/random.h"
#include "support/verified.h"

static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";
static const double WEDGE[3][3] = {{0.3, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0}};

static vouch_shape_t shape(vouch_shape_kind_t kind)
{
  vouch_shape_t s = {.kind = kind, .size = {0.2, 0.3, 0.4}, .plane = {0.6, 0.0, 0.8, 0.1}};
  bool prism = kind == VOUCH_SHAPE_PRISM;
  const vouch_shape_t cube = cell_cube_mesh(12);
  s.points = prism ? WEDGE : kind == VOUCH_SHAPE_MESH || kind == VOUCH_SHAPE_CONVEX ? cube.points :
    NULL;
  s.point_count = prism ? 3 : s.points != NULL ? cube.point_count : 0;
  s.triangles = kind == VOUCH_SHAPE_MESH ? cube.triangles : NULL;
  s.triangle_count = kind == VOUCH_SHAPE_MESH ? cube.triangle_count : 0;
  return s;
}

static vouch_pose_t somewhere(test_random_t * random, double y)
{
  double axis[3], size = 0.0;
  for (int k = 0; k < 3; k++) {
    axis[k] = test_random_in(random, -1.0, 1.0);
    size += axis[k] * axis[k];
  }
  for (int k = 0; k < 3; k++) {
    axis[k] /= sqrt(size);
  }
  return cell_turned(0.0, y, 0.0, axis, test_random_in(random, -3.0, 3.0));
}

/// The held shape passes the other one at a random height, for which a margin may be asked.
static void meet(
  vouch_shape_kind_t held, vouch_shape_kind_t other, test_random_t * random,
  size_t seen[4])
{
  const double path[2] = {-3.0, test_random_in(random, 2.0, 4.0)};
  cell_t cell = cell_open(RAIL, NULL);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  options.first_contact = test_random_bits(random) % 2u == 0;
  options.margin_m = test_random_bits(random) % 2u == 0 ? 0.0 : 0.3;
  cell_path(&cell, path, 2);
  cell_hold(&cell, "held", "car", shape(held), somewhere(random, 0.0));
  cell_add(
    &cell, "other", shape(other), somewhere(random, test_random_in(random, 0.0, 0.9)));
  cell_add(&cell, "far", cell_sphere(0.1), cell_at(0.0, -4.0, 0.0));
  vouch_result_t result = cell_check(&cell, &options);
  if (result.verdict != VOUCH_UNDECIDED) {
    seen[result.verdict == VOUCH_FREE ? 0 : result.first_collision.kind]++;
    test_is_verified(cell.checker);
  } else {
    seen[3]++;
  }
  cell_close(&cell);
}

static void every_contact_is_verified(void ** state)
{
  (void)state;
  test_random_t random = {.state = 2024};
  size_t seen[4] = {0};
  for (int held = VOUCH_SHAPE_BOX; held < VOUCH_SHAPE_PLANE; held++) {
    for (int other = VOUCH_SHAPE_BOX; other <= VOUCH_SHAPE_HALFSPACE; other++) {
      for (int round = 0; round < 6; round++) {
        meet((vouch_shape_kind_t)held, (vouch_shape_kind_t)other, &random, seen);
      }
    }
  }
  print_message(
    "free %zu, contact %zu, margin %zu, undecided %zu\n", seen[0], seen[VOUCH_CONTACT_CONTACT],
    seen[VOUCH_CONTACT_MARGIN], seen[3]);
  assert_true(seen[VOUCH_CONTACT_CONTACT] > 100 && seen[VOUCH_CONTACT_MARGIN] > 50);
}

/// Beyond 512 segments a tick is less than the last digit of a time.
static void no_time_is_told_later_than_it_is(void ** state)
{
  (void)state;
  enum { POINTS = 701 };
  double path[POINTS];
  cell_t cell = cell_open(RAIL, NULL);
  vouch_check_options_t options = cell_options();
  options.certificate = options.first_contact = true;
  for (int i = 0; i < POINTS; i++) {
    path[i] = 0.01 * i;
  }
  cell_path(&cell, path, POINTS);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0.0, 0.0, 0.0));
  cell_add(&cell, "box", cell_box(1.0, 1.0, 1.0), cell_at(7.2, 0.0, 0.0));   // met at 6.6
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  uint8_t * problem, * certificate;
  size_t sizes[2];
  struct vouch_verify_report report;
  uint64_t t_lo;
  assert_int_equal(vouch_checker_problem(cell.checker, &problem, &sizes[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_certificate(cell.checker, &certificate, &sizes[1]), VOUCH_RET_OK);
  memcpy(&t_lo, certificate + 144, sizeof(t_lo));
  assert_true(t_lo > UINT64_C(1) << 53);
  t_lo--;   // what is free until then is free until one tick before
  memcpy(certificate + 144, &t_lo, sizeof(t_lo));
  assert_int_equal(test_verify(problem, sizes[0], certificate, sizes[1], &report), 0);
  uint64_t until = (uint64_t)ldexp(report.free_until, 44);
  assert_true(until <= t_lo && t_lo - until < 1u << 12);
  vouch_bytes_free(cell.checker, problem);
  vouch_bytes_free(cell.checker, certificate);
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_contact_is_verified),
    cmocka_unit_test(no_time_is_told_later_than_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
