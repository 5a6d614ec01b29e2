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

/* Faces in one plane: a box of triangles that slides into, or along, a box of the same height. Times of
 * contact are known in closed form. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/verified.h"

static const char ARM[] =
  "<robot name='arm'><link name='base'/><link name='car'/>"
  "<joint name='q' type='%s'><parent link='base'/><child link='car'/><axis xyz='%s'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

static const double CORNERS[8][3] = {{-0.1, -0.1, -0.1}, {0.1, -0.1, -0.1}, {0.1, 0.1, -0.1},
  {-0.1, 0.1, -0.1}, {-0.1, -0.1, 0.1}, {0.1, -0.1, 0.1}, {0.1, 0.1, 0.1}, {-0.1, 0.1, 0.1}};
static const uint32_t SIDES[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
  {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};

/// A box of 12 triangles, 0.2 m wide, at x = `x` of the link.
static void hold_box(cell_t * cell, const char * id, double x)
{
  double corners[8][3];
  for (int i = 0; i < 8; i++) {
    memcpy(corners[i], CORNERS[i], sizeof(corners[i]));
    corners[i][0] += x;
  }
  vouch_shape_t box = {.kind = VOUCH_SHAPE_MESH, .points = (const double(*)[3])corners,
    .point_count = 8, .triangles = SIDES, .triangle_count = 12};
  cell_hold(cell, id, "car", box, cell_at(0, 0, 0));
}

/// The box is held by a joint that goes from -2 to 2 in a second.
static cell_t cell_with(const char * type, const char * axis, double x)
{
  char urdf[512];
  snprintf(urdf, sizeof(urdf), ARM, type, axis);
  cell_t cell = cell_open(urdf, NULL);
  const double values[2] = {-2.0, 2.0};
  hold_box(&cell, "tool", x);
  cell_path(&cell, values, 2);
  return cell;
}

static vouch_check_options_t thorough(void)
{
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  options.first_contact = true;
  options.deadline_s = 10.0;   // takes milliseconds, and took half a minute before
  return options;
}

/// Contact at `time`, all free until shortly before, and a witness that the verifier accepts.
static void expect_contact(cell_t * cell, double time)
{
  vouch_check_options_t options = thorough();
  vouch_result_t result = cell_check(cell, &options);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  assert_true(result.first_collision.time_s >= time && result.first_collision.time_s < time + 1e-6);
  assert_true(result.free_until_s <= time && result.free_until_s > time - 1e-6);
  test_is_verified(cell->checker);
  cell_close(cell);
}

static void a_body_that_runs_into_one_of_its_height_hits_it(void ** state)
{
  (void)state;
  cell_t cell = cell_with("prismatic", "1 0 0", 0.0);
  cell_add(&cell, "box", cell_box(1.0, 1.0, 0.2), cell_at(0, 0, 0));
  expect_contact(&cell, 0.35);   // its front at -0.5, the joint at -0.6
}

/// The triangles that touch all the time come before those that cross, and the search gives up on them.
static void a_body_that_swings_through_one_of_its_height_hits_it(void ** state)
{
  (void)state;
  cell_t cell = cell_with("revolute", "0 0 1", 1.0);
  cell_add(&cell, "box", cell_box(0.3, 0.1, 0.2), cell_at(1, 0, 0));
  // The corner (0.9, 0.1) comes up from below and meets the side y = -0.05, 0.85 <= x <= 1.15.
  double angle = -asin(0.05 / hypot(0.9, 0.1)) - atan2(0.1, 0.9);
  expect_contact(&cell, (angle + 2.0) / 4.0);
}

/// In touch from 0.35 to 0.65 s: neither free nor a collision, and told as what it is.
static void a_body_that_slides_along_a_face_is_open_while_it_does(void ** state)
{
  (void)state;
  cell_t cell = cell_with("prismatic", "1 0 0", 0.0);
  cell_add(&cell, "box", cell_box(1.0, 1.0, 0.2), cell_at(0, 0, -0.2));
  vouch_check_options_t options = thorough();
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_int_equal(result.open_count, 1);
  assert_int_equal(result.open[0].reason, VOUCH_OPEN_DEPTH);
  assert_true(result.open[0].begin_s <= 0.35 && result.open[0].begin_s > 0.35 - 1e-6);
  assert_true(result.open[0].end_s >= 0.65 && result.open[0].end_s < 0.65 + 0x1p-5);
  assert_true(result.free_until_s == result.open[0].begin_s);
  cell_close(&cell);
}

/// Six boxes that are in touch at different times: what is told of one does not depend on who worked on
/// the others.
static void what_is_open_does_not_depend_on_the_threads(void ** state)
{
  (void)state;
  vouch_open_t alone[8];
  for (uint32_t threads = 1; threads <= 4; threads++) {
    cell_t cell = cell_with("prismatic", "1 0 0", 0.0);
    for (int i = 0; i < 6; i++) {
      char id[16];
      snprintf(id, sizeof(id), "tool%d", i);
      hold_box(&cell, id, 0.21 * i - 0.7);
    }
    cell_add(&cell, "box", cell_box(1.0, 1.0, 0.2), cell_at(0, 0, -0.2));
    vouch_check_options_t options = thorough();
    options.threads = threads;
    vouch_result_t result = cell_check(&cell, &options);
    assert_int_equal(result.verdict, VOUCH_UNDECIDED);
    assert_int_equal(result.open_count, 7);
    for (size_t i = 0; i < result.open_count; i++) {
      const vouch_open_t * open = &result.open[i];
      if (threads == 1) {
        alone[i] = *open;
      }
      assert_true(open->begin_s == alone[i].begin_s && open->end_s == alone[i].end_s);
    }
    cell_close(&cell);
  }
}

/// No surfaces meet, and the points that are handed over show it all the same: one of the body inside.
static void a_body_that_starts_inside_a_solid_is_shown_by_one_of_its_points(void ** state)
{
  (void)state;
  cell_t cell = cell_with("prismatic", "1 0 0", 0.0);
  double corners[8][3];
  for (int i = 0; i < 24; i++) {
    corners[i / 3][i % 3] = 10.0 * CORNERS[i / 3][i % 3];
  }
  vouch_shape_t hollow = {.kind = VOUCH_SHAPE_MESH, .points = (const double(*)[3])corners,
    .point_count = 8, .triangles = SIDES, .triangle_count = 12};
  cell_add(&cell, "hollow", hollow, cell_at(-2.5, 0.3, 0.2));
  vouch_check_options_t options = thorough();
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  const vouch_contact_t * c = &result.first_collision;
  assert_true(c->time_s == 0.0);
  assert_memory_equal(c->point_a, c->point_b, sizeof(c->point_a));
  assert_true(fabs(c->point_a[0] + 2.0) <= 0.1 + 1e-12 && fabs(c->point_a[1]) <= 0.1 + 1e-12);
  test_is_verified(cell.checker);
  cell_close(&cell);
}

/// Out of time: everything that was not reached is told to be open.
static void a_deadline_leaves_the_rest_open(void ** state)
{
  (void)state;
  cell_t cell = cell_with("prismatic", "1 0 0", 0.0);
  cell_add(&cell, "box", cell_box(1.0, 1.0, 0.2), cell_at(0, 0, -0.2));
  vouch_check_options_t options = thorough();
  options.deadline_s = 1e-9;
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  double begin = INFINITY, end = 0.0;
  for (size_t i = 0; i < result.open_count; i++) {
    begin = fmin(begin, result.open[i].begin_s);
    end = fmax(end, result.open[i].end_s);
  }
  assert_true(end == 1.0 && begin <= 0.35 && result.free_until_s == 0.0);
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_body_that_runs_into_one_of_its_height_hits_it),
    cmocka_unit_test(a_body_that_swings_through_one_of_its_height_hits_it),
    cmocka_unit_test(a_body_that_slides_along_a_face_is_open_while_it_does),
    cmocka_unit_test(what_is_open_does_not_depend_on_the_threads),
    cmocka_unit_test(a_body_that_starts_inside_a_solid_is_shown_by_one_of_its_points),
    cmocka_unit_test(a_deadline_leaves_the_rest_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
