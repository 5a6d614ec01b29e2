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

/* Proof trees on hand-made problems: the order of goals, runs of segments, kinks and curves, depth, the
 * end of the ops, the report. [L5] [L7] [L10] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

// Three balls, at the left (node 1), the right (3) and below (4) of a box, under node 0, and two more
// pairs of the box with a ball in front of it and one behind it: every goal has a direction of its
// own, which no other goal's proof would have.
static w_problem * five_sides(void)
{
  const double at[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}};
  const double axes[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  for (uint32_t i = 0; i < 3; i++) {
    (void)w_vertex(g, at[i], axes);
    w_primitive(g, i + 1, 1);
  }
  w_tree(g);
  w_box(p, 0.3, 0.3, 0.3);
  w_sphere(p, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  w_add_body(p, 1, 2, 0, 0, -1);
  w_add_body(p, 1, 2, 0, 0, 1);
  pair_of(p, 0, 1, 0);
  pair_of(p, 2, 1, 0);
  pair_of(p, 3, 1, 0);
  return p;
}

// Ops by letters: l, r, d: leaves of the three balls; x: of the last two together; f, b: of the other
// pairs; the rest as it is.
static w_bytes sides(const char * ops)
{
  w_bytes b = {0};
  for (; *ops != 0; ops++) {
    switch (*ops) {
      case 'l': w_leaf(&b, 1, 0, 0); break;
      case 'r': w_leaf(&b, -1, 0, 0); break;
      case 'd': w_leaf(&b, 0, 1, 0); break;
      case 'x': w_leaf(&b, -0.7, 0.7, 0); break;
      case 'f': w_leaf(&b, 0, 0, 1); break;
      case 'b': w_leaf(&b, 0, 0, -1); break;
      default: w_u8(&b, (unsigned char)*ops); break;
    }
  }
  return b;
}

// [V-PROVE]
static void goals_are_taken_in_order_and_new_ones_behind_the_others(void ** state)
{
  (void)state;
  const struct {const char * ops; int code;} cases[] = {
    {"AfblArd", 0}, {"AlArdfb", 1}, {"AfblAdr", 1}, {"AbflArd", 1}, {"AfbAlrd", 1},
    {"AfbArdl", 1}, {"AfblArd" "l", 1}, {"AfblAr", 3},
    {"Afblx", 0}, {"Afblr", 1}, {"Afbld", 1}, {"xfb", 1},
    // T: both halves have the goals that were put off, in the order in which they were.
    {"Tfb" "AlArd" "AlArd", 0}, {"TTT" "AfblArd" "AfblArd", 0},
    {"AfTlATd" "br" "br", 0}, {"AfTlATd" "br" "rb", 1}, {"AfTlATd" "rb" "br", 1},
    {"AfTlATd" "bbrr", 1}, {"AfTlATd" "br", 3}, {"AfTlATd" "brbrbr", 1},
    {"AfTlATd" "bT" "r" "r" "br", 0}, {"AfTlATd" "bT" "r" "br" "r", 1},
    {"AfTTT" "bTArd" "l" "l" "blArd", 0}, {"AfTTT" "bTArd" "l" "blArd" "l", 1}
  };
  // With their lists, without that of node 0, without that of node 2, without both.
  for (uint32_t left_out = 0; left_out < 4; left_out++) {
    w_problem * p = five_sides();
    for (int node = 0; node <= 2; node += 2) {
      w_node * n = &p->geometry[0]->node[node];
      assert_int_equal(n->count, node == 0 ? 3 : 2);
      n->count = left_out >> (node / 2) & 1u ? 0 : n->count;
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      w_bytes ops = sides(cases[i].ops);
      expect(cases[i].code, p, &ops);
    }
    w_free_problem(p);
  }
}

// A chain of nodes that keep all that is beneath them: short in the file, long in memory.
static void lists_that_are_left_out_are_bounded(void ** state)
{
  (void)state;
  for (uint32_t points = 1000; points <= 10000; points *= 10) {
    const uint32_t nodes = 2 * points - 1;
    w_bytes geometry = {0}, problem = {0};
    w_u32(&geometry, 1);
    w_u32(&geometry, points + 1);
    for (uint32_t i = 0; i < 3 * (points + 1); i++) {
      w_f64(&geometry, 0.001 * i);
    }
    w_u32(&geometry, 0);
    w_u32(&geometry, nodes);
    for (uint32_t i = 0; i < nodes; i++) {   // inner ones are even, but the last
      const bool inner = i % 2 == 0 && i + 1 < nodes;
      const uint32_t record[4] = {inner ? i + 2 : 0, inner ? 0 : 1, 0, 0};
      w_put(&geometry, record, sizeof(record));
    }
    for (uint32_t i = 1; i <= points; i++) {
      w_u32(&geometry, i);
    }
    w_put(&problem, "VOUCHPRB\3\0\0\0\1\0\0\0", 16);
    w_u32(&problem, (uint32_t)geometry.size);
    w_u32(&problem, 0);
    w_put(&problem, geometry.data, geometry.size);
    struct vouch_verify_report report;
    assert_null(vouch_verify_load(problem.data, problem.size, &report));
    assert_int_equal(report.code, 3);
    assert_non_null(strstr(report.text, points == 1000 ? "the file is cut" : "too much memory"));
    free(geometry.data);
    free(problem.data);
  }
}

// 19,900 pairs put off 42 times leave room for 6,888 goals more.
static void the_number_of_goals_is_bounded(void ** state)
{
  (void)state;
  const uint32_t bodies = 200, pairs = bodies * (bodies - 1) / 2;
  for (int descends = 0; descends < 2; descends++) {
    w_problem * p = five_sides();
    p->pairs = 0;
    while (p->bodies < (int)bodies) {
      w_add_body(p, 1, 0, 0, 0, 0);
    }
    for (uint32_t a = 0; a < bodies; a++) {
      for (uint32_t b = a + 1; b < bodies; b++) {
        pair_of(p, a == 1 || a == 2 || a == 3 ? b : a, a == 1 || a == 2 || a == 3 ? a : b, 0);
      }
    }
    w_bytes ops = {0};
    for (uint32_t i = 0; i < 43 * pairs; i++) {
      w_u8(&ops, descends == 1 && i >= 42 * pairs ? 'A' : 'T');
    }
    expect_reason(1, descends == 1 ? "too many goals (" : "or too many goals (", p, &ops);
    w_free_problem(p);
  }
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

// Runs of n segments are cut at the knot floor(n / 2), here: jumps at single knots.
static void runs_are_cut_at_the_knot_in_their_middle(void ** state)
{
  (void)state;
  const struct {int segments, jump; const char * ops; int code;} cases[] = {
    {5, 2, "Tdd", 0}, {5, 3, "Tdd", 1}, {5, 3, "TdTdd", 0}, {5, 1, "TTddd", 0}, {5, 1, "TdTdd", 1},
    {4, 2, "Tdd", 0}, {4, 1, "TTddd", 0}, {2, 1, "Tdd", 0}, {1, 0, "Tdd", 0}, {5, 4, "TdTdTdd", 0}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = slide(X, 0.05, 0);
    p->segments = cases[i].segments;
    for (int k = 0; k < p->segments; k++) {
      p->knot[k + 1] = p->second[k + 1] = k + 1;
      p->segment[k] = (w_segment) {1, {0.0625 * k + (k == cases[i].jump && k > 0 ? 0.01 : 0),
          0.0625 * (k + 1)}};
    }
    w_bytes ops = sides(cases[i].ops);
    expect(cases[i].code, p, &ops);
    w_free_problem(p);
  }
}

// [V-BOUNDS]
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
  for (int i = 0; i < 45; i++) {
    w_u8(&ops, 'T');
  }
  expect_reason(1, "too short", p, &ops);
  for (int i = 0; i < 44; i++) {
    w_u8(&ops, 'T');
  }
  for (int i = 0; i < 45; i++) {
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
  w_problem * p = slide(X, 0.0625, 0.03125);
  p->second[0] = 3;
  p->second[1] = 5.5;
  w_add_body(p, 0, 1, 0, 0.5, 0);
  pair_of(p, 0, 2, 0.125);
  w_bytes ops = {0};
  w_put(&ops, "TT", 2);
  for (int i = 0; i < 4; i++) {
    w_leaf(&ops, 0, 1, 0);
  }
  expect(0, p, &ops);
  assert_int_equal(said.kind, VOUCH_VERIFY_FREE);
  assert_int_equal(said.leaves, 4);
  assert_true(said.margin == 0.0625 && said.tolerance == 0.03125 && said.duration == 2.5);
  assert_true(said.free_until == 1 && said.checked == 2 && said.total == 3);
  assert_true(said.left_out[10] == 1 && said.frames == 2 && said.bodies == 3 && said.groups == 0);
  // Nothing to check is no proof.
  p->pairs = 0;
  expect_reason(1, "nothing is checked", p, &ops);
  w_free_problem(p);
}

// Answers of one verifier do not depend on what it was asked before.
static void a_verifier_answers_the_same_again(void ** state)
{
  (void)state;
  const char * proofs[7] =
  {"AfblArd", "TTTAfblArdAfblArd", "AfblAdr", "T", "Q", "AfTlATdbrbr", "S"};
  const int codes[7] = {0, 0, 1, 3, 1, 0, 1};
  w_problem * p = five_sides();
  w_bytes problem = w_write_problem(p), certificates[7];
  struct vouch_verify_report first[7], again;
  struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &again);
  assert_non_null(v);
  for (int i = 0; i < 7; i++) {
    w_bytes ops = sides(proofs[i]);
    certificates[i] = w_certificate_head(&problem, 1, W_ONE);
    w_put(&certificates[i], ops.data, ops.size);
    assert_int_equal(w_verify(&problem, &certificates[i], &first[i]), codes[i]);
    w_free(&ops);
  }
  memset(problem.data, 0xff, problem.size);   // it keeps what it needs
  for (int i = 0; i < 49; i++) {
    const int k = (i * i + i / 7) % 7;
    assert_int_equal(
      vouch_verify_check(v, certificates[k].data, certificates[k].size, &again), codes[k]);
    assert_string_equal(again.text, first[k].text);
    assert_int_equal(again.leaves, first[k].leaves);
  }
  for (int i = 0; i < 7; i++) {
    w_free(&certificates[i]);
  }
  free(v);
  w_free(&problem);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(goals_are_taken_in_order_and_new_ones_behind_the_others),
    cmocka_unit_test(the_number_of_goals_is_bounded),
    cmocka_unit_test(lists_that_are_left_out_are_bounded),
    cmocka_unit_test(a_run_of_segments_is_one_leaf_unless_it_jumps),
    cmocka_unit_test(runs_are_cut_at_the_knot_in_their_middle),
    cmocka_unit_test(kinks_at_knots_count),
    cmocka_unit_test(curved_polynomials_are_bounded_by_their_differences),
    cmocka_unit_test(high_degrees_are_restricted_exactly),
    cmocka_unit_test(depth_and_stack_are_bounded),
    cmocka_unit_test(ops_end_where_the_proof_ends),
    cmocka_unit_test(the_report_says_what_was_proved),
    cmocka_unit_test(a_verifier_answers_the_same_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
