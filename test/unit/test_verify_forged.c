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

// Up along y to `top`, then a jump back down: the first leaf ends above, not below.
static void the_end_before_a_jump_is_not_the_beginning_after_it(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(Y, 0, 0);
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[0] = (w_segment) {1, {-1, i == 0 ? 0.19 : 0.5}};
    p->segment[1] = (w_segment) {1, {-1, -1}};
    w_bytes ops = {0};
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

// One leaf for two segments of different degrees, unless one of their variables jumps.
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

// An arm that reaches 1.1 stays near -0.5 rad for half of the time, then swings to 0.5 rad past a wall
// at 1.3 or at 1.05: bounds of the first half do not hold for the second. Or it swings from -0.5 to
// 0.5 rad in the first half, evenly.
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

// A direction of length 2 would double the distance, 0.2.
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

// Expects the code for the one leaf that says that all is above a half-space; frees the problem.
static void expect_above(int code, w_problem * p)
{
  w_bytes ops = {0};
  w_put(&ops, "P", 2);
  expect(code, p, &ops);
  w_free_problem(p);
}

// Spheres of radius 0.3 at 0 and at x = 2 under a node that keeps the first one's centre: 2.3 around
// that. The half-space begins at `x`, beyond 2.3 or not.
static void what_is_not_kept_counts_with_its_radius(void ** state)
{
  (void)state;
  const double points[2][3] = {{0, 0, 0}, {2, 0, 0}}, x[2] = {2.31, 2.25};
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, Y, 0, 0);
    w_geometry * g = w_hull(p, points, 2, 0.3);
    g->primitives = g->components = 2;
    g->primitive[0].count = 1;
    g->primitive[1] = (w_primitive) {2, 1, 1, 1, 0.3};
    g->component[1] = 3;
    w_tree(g, 100);
    g->kept = g->witnesses = 1;
    g->node[0].kept_count = 1;
    g->witness[0] = (w_witness) {{0, 0, 0, 0}, {1, 0, 0}};
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, -1, 0, 0, -x[i]);
    pair_of(p, 0, 1, 0);
    expect_above(i, p);
  }
}

// A cylinder with a ball of 0.1 around it reaches sqrt(0.5^2 + 1) + 0.1 from its middle, about which
// a tolerance of 0.1 turns it: 0.9 - 0.1 * 1.21803 are left above a half-space.
static void a_shape_carries_its_ball(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(1, Z, 0, 0);
    w_curved(p, 3, w_identity, (const double[3]) {0.5, 1, 0}, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, 0, 0, 1, -2);
    pair_of(p, 0, 1, 0.77819660112501 + (i == 0 ? -1e-5 : 1e-5));
    p->tolerance[0] = 0.1;
    expect_above(i, p);
  }
}

// Leaves for the children of a node of `walls`, whose first primitive is the triangle beside the box.
static void leave_walls(w_bytes * ops, const w_geometry * g, uint32_t node)
{
  static const double n[7][3] = {
    {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}
  };
  const w_node * at = &g->node[node];
  if (at->left == 0) {
    const double * m = n[(at->first + 1) / 2];
    w_leaf(ops, m[0], m[1], m[2]);
    return;
  }
  if (node > 0) {w_u8(ops, 'A');}
  leave_walls(ops, g, at->left);
  leave_walls(ops, g, at->right);
}

// A triangle and a box, solid or not, which moves around a ball.
static void walls(int code, uint8_t kind, const double * ray)
{
  const double beside[3][3] = {{0.6, 0, 0}, {0.6, 0.1, 0}, {0.6, 0, 0.1}};
  const uint32_t corners[1][3] = {{0, 1, 2}};
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  w_add_mesh(g, beside, 3, corners, 1, 0);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, kind);
  w_tree(g, 100);
  w_sphere(p, 0.05);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  pair_of(p, 0, 1, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'A');
  if (ray != NULL) {w_ray(&ops, ray[0], ray[1], ray[2]);}
  leave_walls(&ops, g, 0);
  expect(code, p, &ops);
  w_free_problem(p);
}

// The rays leave the box through a triangle of which the third, the second, the first corner is
// behind the ball's centre.
static void no_ray_and_no_component_before_it_hides_a_solid(void ** state)
{
  (void)state;
  const double rays[3][3] = {{1, 0.9, -0.95}, {1, -0.95, 0.9}, {1, -0.9, 0.95}};
  walls(0, 0, NULL);
  walls(1, 1, NULL);
  for (int i = 0; i < 3; i++) {
    walls(1, 1, rays[i]);
  }
}

// Spheres at y = 0 (in the box), -1, -1 and a tree that has only the last ones.
static void every_primitive_is_in_the_tree(void ** state)
{
  (void)state;
  const double points[3][3] = {{0, 0.4, 0}, {0, -1, 0}, {0, -1, 0}};
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(X, 0, 0);
    w_geometry * g = w_hull(p, points, 3, 0.1);
    g->primitives = g->components = 2 + i;
    for (uint32_t k = 0; k < 3; k++) {
      g->primitive[k] = (w_primitive) {2, k, k, 1, 0.1};
      g->component[k] = 3;
    }
    g->nodes = 1 + i;
    p->body[0].geometry = 2;
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(3, p, &ops);
    w_free_problem(p);
  }
}

// A ball against two boxes, the second of which it meets, in two groups or in a tree of three.
static w_problem * two_groups(double second)
{
  w_problem * p = slide(X, 0, 0);
  w_add_body(p, 0, 1, 0, 0.1, 0);
  p->pair[0] = (w_pair) {1, 0, 0, 0, {0, 0, second}};
  p->groups = 3;
  p->group[0] = (w_group) {1, 2, W_NONE};
  p->group[1] = (w_group) {0, 0, 1};
  p->group[2] = (w_group) {0, 0, 2};
  return p;
}

static void every_group_is_in_the_tree(void ** state)
{
  (void)state;
  w_bytes ops = {0};
  w_problem * p = two_groups(0);
  w_leaf(&ops, 0, 1, 0);
  expect(1, p, &ops);
  p->groups = 2;
  memmove(p->group, p->group + 1, 2 * sizeof(p->group[0]));
  w_leaf(&ops, 0, 1, 0);
  expect(3, p, &ops);
  w_free_problem(p);
}

static void the_report_counts_checked_pairs_only(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_bytes ops = {0};
  w_problem * p = two_groups(-1);
  w_u8(&ops, 'B');
  w_leaf(&ops, 0, 1, 0);
  assert_int_equal(w_verify_free(p, &ops, 0, &report), VOUCH_VERIFY_OK);
  assert_int_equal(report.pairs, 1);
  assert_int_equal(report.leaves, 1);
  assert_true(report.margin == 0.0);
  w_free_problem(p);
}

// Neither ends of lines nor anything that moves a cursor.
static void names_are_printed_as_plain_text(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_problem * p = slide(X, 0, 0);
  w_bytes problem = w_write_problem(p);
  size_t at = 0;
  while (at + 8 < problem.size && memcmp(problem.data + at, "test arm", 8) != 0) {
    at++;
  }
  memcpy(problem.data + at, "~ \n\x1b\x7f\x80\xff\x01", 8);
  w_bytes certificate = w_certificate_head(p, &problem, 1, 0);
  w_leaf(&certificate, 0, 1, 0);
  assert_int_equal(
    vouch_verify_memory(
      NULL, problem.data, problem.size, certificate.data, certificate.size, &report), 0);
  assert_string_equal(report.robot, "~ ??????");
  w_free(&problem);
  w_free(&certificate);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_end_before_a_jump_is_not_the_beginning_after_it),
    cmocka_unit_test(a_jump_of_any_variable_is_a_start),
    cmocka_unit_test(parts_of_a_segment_have_bounds_of_their_own),
    cmocka_unit_test(directions_are_not_longer_along_any_axis),
    cmocka_unit_test(what_is_not_kept_counts_with_its_radius),
    cmocka_unit_test(a_shape_carries_its_ball),
    cmocka_unit_test(no_ray_and_no_component_before_it_hides_a_solid),
    cmocka_unit_test(every_primitive_is_in_the_tree),
    cmocka_unit_test(every_group_is_in_the_tree),
    cmocka_unit_test(the_report_counts_checked_pairs_only),
    cmocka_unit_test(names_are_printed_as_plain_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
