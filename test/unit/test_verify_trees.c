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

/* Proof trees on hand-made problems: groups, runs of segments, kinks and curves, depth, the end of the
 * ops, the report. [L5] [L7] [L10] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

// Boxes at x = 1, 2, 3, 4 on frame 0 in a tree of groups; a sphere moves along y.
static w_problem * grouped(void)
{
  w_problem * p = w_one_joint(2, Y, -1, 1);
  w_sphere(p, 0.1);
  w_box(p, 0.2, 0.2, 0.2);
  w_add_body(p, 1, 0, 0, 0, 0);
  for (int i = 1; i <= 4; i++) {
    w_add_body(p, 0, 1, i, 0, 0);
  }
  const w_group groups[7] = {
    {1, 4, W_NONE}, {2, 3, W_NONE}, {0, 0, 1}, {0, 0, 2}, {5, 6, W_NONE}, {0, 0, 3}, {0, 0, 4}
  };
  memcpy(p->group, groups, sizeof(groups));
  p->groups = 7;
  p->pairs = 1;
  p->pair[0] = (w_pair) {1, 0, 0, 0.1, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}};
  return p;
}

static void groups_are_boxes_around_their_bodies(void ** state)
{
  (void)state;
  w_bytes ops = {0};
  w_problem * p = grouped();
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  for (int i = 0; i < 7; i++) {
    p->pair[0].entries[i] = 0.7 - 1e-6;
  }
  p->pair[0].margin = 0.7 - 1e-6;
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  for (int i = 0; i < 7; i++) {
    p->pair[0].entries[i] = 0.7 + 1e-9;
  }
  p->pair[0].margin = 0.7 + 1e-9;
  w_leaf(&ops, 1, 0, 0);
  expect(1, p, &ops);
  w_free_problem(p);
  // Whichever child of a group the nearest body is in.
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t order[4] = {i / 2, (i / 2 + 1) % 4, (i / 2 + 2) % 4, (i / 2 + 3) % 4};
    const int leaves[4] = {2, 3, 5, 6};
    p = grouped();
    for (int k = 0; k < 4; k++) {
      p->group[leaves[k]].body = 1 + order[k];
    }
    for (int k = 0; k < 7; k++) {
      p->pair[0].entries[k] = i % 2 == 0 ? 0.7 - 1e-6 : 0.7 + 1e-9;
    }
    w_leaf(&ops, 1, 0, 0);
    expect(i % 2 == 0 ? 0 : 1, p, &ops);
    w_free_problem(p);
  }
}

static void groups_without_checked_pairs_are_skipped(void ** state)
{
  (void)state;
  // Body 1 at x = 1 with margin 1.0 is not apart; not checked, the others are.
  w_bytes ops = {0};
  w_problem * p = grouped();
  const double entries[7] = {1.0, 1.0, -1, 1.0, 0.5, 0.5, 0.5};
  memcpy(p->pair[0].entries, entries, sizeof(entries));
  p->pair[0].margin = 1.0;
  w_leaf(&ops, 1, 0, 0);
  expect(1, p, &ops);
  w_u8(&ops, 'B');
  w_u8(&ops, 'B');
  w_leaf(&ops, 1, 0, 0);
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  // At a group's leaf, B leads to the body's own geometry; A is not allowed at a group.
  w_u8(&ops, 'B');
  w_u8(&ops, 'B');
  w_u8(&ops, 'B');
  w_leaf(&ops, 1, 0, 0);
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  w_u8(&ops, 'A');
  expect(1, p, &ops);
  // The box of both groups around bodies 2 to 4 is apart, but body 1 may not hide in it.
  p->pair[0].entries[2] = 1.0;
  w_u8(&ops, 'B');
  w_u8(&ops, 'B');
  w_leaf(&ops, 1, 0, 0);
  w_leaf(&ops, 1, 0, 0);
  expect(1, p, &ops);
  // Nothing checked at all.
  for (int i = 0; i < 7; i++) {
    p->pair[0].entries[i] = -1;
  }
  expect(1, p, &ops);
  w_free_problem(p);
}

// Three segments along x: 0 to 1, `from` to 2, 2 to 3; a wall above.
static w_problem * three(double from)
{
  w_problem * p = slide(X, 0.05, 0);
  p->segments = 3;
  for (int k = 0; k < 4; k++) {
    p->knot[k] = p->second[k] = k;
  }
  p->segment[0] = (w_segment) {1, {0, 1}};
  p->segment[1] = (w_segment) {1, {from, 2}};
  p->segment[2] = (w_segment) {2, {2, 2.5, 3}};
  return p;
}

static void a_run_of_segments_is_one_leaf_unless_it_jumps(void ** state)
{
  (void)state;
  w_bytes ops = {0};
  w_problem * p = three(1);
  w_leaf(&ops, 0, 1, 0);
  expect(0, p, &ops);
  w_u8(&ops, 'T');  // knots 0-1 and 1-3
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(0, p, &ops);
  w_free_problem(p);
  p = three(nextafter(1, 2));
  w_leaf(&ops, 0, 1, 0);
  expect(1, p, &ops);
  w_u8(&ops, 'T');
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(0, p, &ops);
  w_free_problem(p);
  p = three(1);
  p->segment[1].b[0] = 1;
  p->segment[0].b[0] = -0.0;
  w_leaf(&ops, 0, 1, 0);
  expect(0, p, &ops);
  w_free_problem(p);
}

static void kinks_at_knots_count(void ** state)
{
  (void)state;
  // Along y up to y1 and back, in two equal segments; the sphere starts at distance 0.2 from the
  // box and comes as near as 0.2 - y1. In the run's own time the kink is 4*y1, C = N*4*y1, and
  // the chord test with g = 0.2 at both ends holds for C <= 4g: y1 < 0.2/N.
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(Y, 0, 0);
    const double y1 = 0.2 * (i == 0 ? 1 - 2e-6 : 1 + 1e-9);
    p->segments = 2;
    p->knot[1] = 3;
    p->knot[2] = 6;
    p->second[1] = 1;
    p->second[2] = 2;
    p->segment[0] = (w_segment) {1, {0, y1}};
    p->segment[1] = (w_segment) {1, {y1, 0}};
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void curved_polynomials_are_bounded_by_their_differences(void ** state)
{
  (void)state;
  // y = h * 4s(1-s): a parabola of height h, coefficients 0, 2h, 0. C = N*4h: as above, h < 0.2.
  // Cut at the middle, both halves still hold (their gaps: 0.2 and 0.2 - h).
  for (int i = 0; i < 4; i++) {
    w_problem * p = slide(Y, 0, 0);
    const double h = 0.2 * (i % 2 == 0 ? 1 - 2e-6 : 1 + 1e-9);
    p->segment[0] = (w_segment) {2, {0, 2 * h, 0}};
    w_bytes ops = {0};
    uniform(&ops, i / 2, 0, 1, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

static void high_degrees_are_restricted_exactly(void ** state)
{
  (void)state;
  // s^5 and (1-s)^5 as quintics; the last or first 1/32 of the time does all the moving.
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(Y, 0, 0);
    p->segment[0] = (w_segment) {5, {0, 0, 0, 0, 0, 0}};
    p->segment[0].b[i == 0 ? 5 : 0] = 0.199;
    w_bytes ops = {0};
    uniform(&ops, 7, 0, 1, 0);
    expect(0, p, &ops);
    p->segment[0].b[i == 0 ? 5 : 0] = 0.2001;
    uniform(&ops, 7, 0, 1, 0);
    expect(1, p, &ops);
    w_free_problem(p);
  }
}

static void depth_and_stack_are_bounded(void ** state)
{
  (void)state;
  w_problem * p = slide(X, 0.05, 0);
  w_bytes ops = {0};
  for (int i = 0; i < 51; i++) {
    w_u8(&ops, 'T');
  }
  expect(1, p, &ops);
  for (int i = 0; i < 50; i++) {
    w_u8(&ops, 'T');
  }
  for (int i = 0; i < 51; i++) {
    w_leaf(&ops, 0, 1, 0);
  }
  expect(0, p, &ops);
  w_free_problem(p);
}

static void ops_end_where_the_proof_ends(void ** state)
{
  (void)state;
  w_problem * p = slide(X, 0.05, 0);
  w_bytes ops = {0};
  expect(3, p, &ops);
  w_u8(&ops, 'T');
  w_leaf(&ops, 0, 1, 0);
  expect(3, p, &ops);
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(1, p, &ops);
  w_u8(&ops, 'Q');
  expect(1, p, &ops);
  w_u8(&ops, 'S');
  expect(1, p, &ops);
  w_u8(&ops, 'A');
  expect(1, p, &ops);
  w_u8(&ops, 'B');
  expect(1, p, &ops);
  w_u8(&ops, 'I');
  expect(1, p, &ops);
  w_free_problem(p);
}

static void the_report_says_what_was_proved(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_problem * p = slide(X, 0.05, 0.01);
  p->second[0] = 3;
  p->second[1] = 5.5;
  w_bytes ops = {0};
  uniform(&ops, 2, 0, 1, 0);
  assert_int_equal(w_verify_free(p, &ops, 0.04, &report), 0);
  assert_string_equal(report.robot, "test arm");
  assert_int_equal(report.kind, VOUCH_VERIFY_FREE);
  assert_true(report.margin == 0.04 && report.tolerance == 0.01 && report.seconds == 2.5);
  assert_int_equal(report.pairs, 1);
  assert_int_equal(report.leaves, 4);
  // A margin that is larger than the pair's own.
  w_leaf(&ops, 0, 1, 0);
  assert_int_equal(w_verify_free(p, &ops, 0.06, &report), 1);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(groups_are_boxes_around_their_bodies),
    cmocka_unit_test(groups_without_checked_pairs_are_skipped),
    cmocka_unit_test(a_run_of_segments_is_one_leaf_unless_it_jumps),
    cmocka_unit_test(kinks_at_knots_count),
    cmocka_unit_test(curved_polynomials_are_bounded_by_their_differences),
    cmocka_unit_test(high_degrees_are_restricted_exactly),
    cmocka_unit_test(depth_and_stack_are_bounded),
    cmocka_unit_test(ops_end_where_the_proof_ends),
    cmocka_unit_test(the_report_says_what_was_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
