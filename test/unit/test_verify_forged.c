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

/* Forged proofs: each claims something false and would be accepted if one line of the verifier were
 * left out or turned around. Beside each stands a true claim of the same form. [L5] [L6] [L7] [L8] */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

// [V-POSE] Up along y to `top`, then a jump back down: the first leaf ends above, not below. Or a
// jump up, and back down: the second leaf begins above.
static void the_end_before_a_jump_is_not_the_beginning_after_it(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    const double top = i % 2 == 0 ? 0.19 : 0.5;
    w_problem * p = slide(Y, 0, 0);
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[0] = (w_segment) {1, {-1, i < 2 ? top : -1}};
    p->segment[1] = (w_segment) {1, {i < 2 ? -1 : top, -1}};
    w_bytes ops = {0};
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// [V-OP] One leaf for two segments of different degrees, unless one of their variables jumps.
static void a_jump_of_any_variable_is_a_start(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_problem * p = slide(X, 0, 0);
    p->variables = 3;
    p->frame[1].variable = 1;
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[0] = (w_segment) {2, {0.5, 0.25, 3, -1, -0.5, 0, 7, 6, 5}};
    p->segment[1] = (w_segment) {1, {3, 3, 0, 1, 5, 4}};
    if (i > 0) {p->segment[1].b[2 * (i - 1)] += 0.125;}
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i == 0 ? 0 : 1, p, &ops);
    w_free_problem(p);
  }
}

// [V-BLOSSOM] An arm that reaches 1.1 stays near -0.5 rad for half of the time, then swings to 0.5
// rad past a wall at 1.3 or at 1.05: bounds of the first half do not hold for the second. Or it
// swings from -0.5 to 0.5 rad in the first half, evenly.
static void parts_of_a_segment_have_bounds_of_their_own(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(1, Z, -0.5, 1.5);
    if (i < 3) {p->segment[0] = (w_segment) {5, {-0.5, -0.5, -0.5, -0.5, -0.5, 0.5}};}
    w_sphere(p, 0.1);
    w_box(p, 0.5, 2, 2);
    w_add_body(p, 1, 0, 1, 0, 0);
    w_add_body(p, 0, 1, 0.5 + (i == 0 ? 1.3 : 1.05), 0, 0);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'T');
    w_leaf(&ops, 1, 0, 0);
    uniform(&ops, i < 2 ? 4 : 0, 1, 0, 0);
    expect(i == 0 ? 0 : 1, p, &ops);
    w_free_problem(p);
  }
}

// [V-DIRECTION] A direction of length 2 would double the distance, 0.2.
static void directions_are_not_longer_along_any_axis(void ** state)
{
  (void)state;
  for (int i = 0; i < 6; i++) {
    const double at[3] = {i / 2 == 0, i / 2 == 1, i / 2 == 2}, size = 1 + i % 2;
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_sphere(p, 0.1);
    w_box(p, 0.1, 0.1, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0.4 * at[0], 0.4 * at[1], 0.4 * at[2]);
    pair_of(p, 0, 1, i % 2 == 0 ? 0.19 : 0.3);
    w_bytes ops = {0};
    w_leaf(&ops, size * at[0], size * at[1], size * at[2]);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// Spheres of radius 0.3 at 0 and at x = 2 under a node that keeps the first one's centre: so the
// hull of the node is 0.3 + 2.3 about it. The half-space begins beyond that or not.
static void what_is_not_kept_counts_with_its_radius(void ** state)
{
  (void)state;
  const double x[2] = {2.61, 2.55}, axes[9] = {0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3};
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, Y, 0, 0);
    w_geometry * g = w_new_geometry(p);
    for (uint32_t k = 0; k < 2; k++) {
      w_primitive(g, w_vertex(g, (const double[3]) {2 * k, 0, 0}, axes), 1);
    }
    w_tree(g);
    g->node[0].count = 1;
    g->witness[g->witnesses++] = (w_witness) {{0, 0, 0, 0}, {1, 0, 0}};
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, -1, 0, 0, -x[i]);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 0, -1);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

// A triangle and a box, solid or not, which moves around a ball.
static void walls(int code, uint32_t solid, const double * ray)
{
  static const double n[7][3] = {
    {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}
  };
  const double beside[3][3] = {{0.6, 0, 0}, {0.6, 0.1, 0}, {0.6, 0, 0.1}};
  const uint32_t corners[1][3] = {{0, 1, 2}};
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  w_add_mesh(g, beside, 3, corners, 1, 0);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, solid);
  w_tree(g);
  w_sphere(p, 0.05);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  pair_of(p, 0, 1, 0);
  w_bytes ops = {0};
  uint32_t queue[W_NODES] = {0};
  for (int head = 0, tail = 1; head < tail; head++) {
    const w_node * at = &g->node[queue[head]];
    const double * m = n[(w_number(g, queue[head]) + 1) / 2];
    if (at->right == 0) {
      w_leaf(&ops, m[0], m[1], m[2]);
      continue;
    }
    w_u8(&ops, 'A');
    if (head == 0 && ray != NULL) {w_ray(&ops, ray[0], ray[1], ray[2]);}
    queue[tail++] = queue[head] + 1;
    queue[tail++] = at->right;
  }
  expect(code, p, &ops);
  w_free_problem(p);
}

// The rays leave the box through a triangle of which the third, the second, the first corner is
// behind the ball's centre.
static void no_ray_and_no_primitive_before_it_hides_a_solid(void ** state)
{
  (void)state;
  const double rays[3][3] = {{1, 0.9, -0.95}, {1, -0.95, 0.9}, {1, -0.9, 0.95}};
  walls(0, 0, NULL);
  walls(1, 1, NULL);
  for (int i = 0; i < 3; i++) {
    walls(1, 1, rays[i]);
    assert_non_null(strstr(said.text, "a vertex is in a solid"));
  }
}

// The ball in the box of slide() is a node that no other leads to; or a primitive is shared.
static void every_primitive_is_in_the_tree(void ** state)
{
  (void)state;
  const double points[3][3] = {{0, -1, 0}, {0, -1, 0}, {0, 0.4, 0}};
  for (int i = 0; i < 3; i++) {
    w_problem * p = slide(X, 0, 0);
    w_geometry * g = w_new_geometry(p);
    for (uint32_t k = 0; k < 3; k++) {
      w_primitive(g, w_vertex(g, points[k], NULL), 1);
    }
    w_tree(g);
    if (i == 0) {   // node 1 and nothing else
      g->node[0] = g->node[1];
    } else if (i == 1) {   // nodes 0, 1, 2 as a tree, node 3 beside it
      g->node[2] = g->primitive[1];
      g->node[3] = g->primitive[2];
      g->nodes = 4;
      g->node[0].count = 2;
    }
    p->body[0].geometry = 2;
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    if (i < 2) {
      expect_reason(3, "a node has no parent", p, &ops);
    } else {
      expect(1, p, &ops);
    }
    w_free_problem(p);
  }
}

// [V-SEGMENT] Across a start only time may be split: every other op would join what is on its two
// sides. Ops that are true of each side are refused; beyond t_lo nothing is owed.
static void nothing_but_time_is_split_across_a_start(void ** state)
{
  (void)state;
  const double starts[4] = {0, -0.0, 0x1p-1074, 0.03};
  for (int i = 0; i < 4; i++) {
    w_problem * p = slide(X, 0, 0);
    w_geometry * g = w_new_geometry(p);
    const double points[2][3] = {{0, 0, 0}, {0, 0.05, 0}};
    w_primitive(g, w_vertex(g, points[0], NULL), 1);
    w_primitive(g, w_vertex(g, points[1], NULL), 1);
    w_tree(g);
    p->body[0].geometry = 2;
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[0] = (w_segment) {1, {-0.0625, 0}};
    p->segment[1] = (w_segment) {1, {starts[i], 0.0625}};
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i > 0, p, &ops);
    w_leaf(&ops, 0, 1, 0);
    ops.data[0] = 'D';
    w_put(&ops, ops.data + 1, 12);
    expect(i > 0, p, &ops);
    w_u8(&ops, 'A');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(i > 0, p, &ops);
    w_put(&ops, "ATT", 3);
    for (int k = 0; k < 4; k++) {
      w_leaf(&ops, 0, 1, 0);
    }
    expect(i > 0, p, &ops);
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(0, p, &ops);
    w_u8(&ops, 'S');
    expect_reason(1, "S before t_lo", p, &ops);
    w_free_problem(p);
  }
}

// The second box meets the ball: no leaf of the first one proves it, in whatever order.
static void every_pair_is_proved(void ** state)
{
  (void)state;
  w_bytes ops = {0};
  w_problem * p = slide(X, 0, 0);
  w_add_body(p, 0, 1, 0, 0.1, 0);   // meets the ball
  w_leaf(&ops, 0, 1, 0);
  expect(0, p, &ops);
  pair_of(p, 0, 2, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(3, p, &ops);
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(1, p, &ops);
  p->pair[0].b = 2;
  p->pair[1].b = 1;
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 1, 0);
  expect(1, p, &ops);
  w_free_problem(p);
}

// The margin that is told is the least one.
static void no_margin_below_the_told_one_is_proved(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_bytes ops = {0};
    w_problem * p = slide(X, i == 0 ? 0.125 : 0.0625, 0);
    w_add_body(p, 0, 1, 0, 0.4, 0);
    pair_of(p, 0, 2, i == 0 ? 0.0625 : 0.125);
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(0, p, &ops);
    assert_true(said.margin == 0.0625);
    w_free_problem(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_end_before_a_jump_is_not_the_beginning_after_it),
    cmocka_unit_test(a_jump_of_any_variable_is_a_start),
    cmocka_unit_test(parts_of_a_segment_have_bounds_of_their_own),
    cmocka_unit_test(directions_are_not_longer_along_any_axis),
    cmocka_unit_test(what_is_not_kept_counts_with_its_radius),
    cmocka_unit_test(no_ray_and_no_primitive_before_it_hides_a_solid),
    cmocka_unit_test(every_primitive_is_in_the_tree),
    cmocka_unit_test(nothing_but_time_is_split_across_a_start),
    cmocka_unit_test(every_pair_is_proved),
    cmocka_unit_test(no_margin_below_the_told_one_is_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
