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

/* Shapes, planes, hulls, open meshes and solids on hand-made problems whose truth is known in closed
 * form, accepted just inside the truth and refused just outside it. [L7] [L8] [L9] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/derived.h"
#include "model/problem.h"
#include "support/arb_checker.h"
#include "unit/verify_expect.h"

static void shapes_have_their_exact_supports(void ** state)
{
  (void)state;
  // Each shape, turned about x by 0.6 rad, above the half-space z <= offset.
  const double pose[7] = {sin(0.3), 0, 0, cos(0.3), 0.3, 0.2, 0.1};
  const double s = sin(0.6);
  const double c = cos(0.6);
  const double size[3][3] = {{0.3, 0.5, 0}, {0.3, 0.5, 0}, {0.3, 0.5, 0.2}};
  const double depth[3] = {
    0.3 * s + 0.5 * c, 0.3 * s + 0.5 * c, sqrt(0.25 * s * s + 0.04 * c * c)
  };
  for (int i = 0; i < 12; i++) {
    const double radius = i & 2 ? 0.07 : 0.0;
    const double low = 0.1 - depth[i / 4] - radius;
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_curved(p, (uint32_t)(3 + i / 4), pose, size[i / 4], radius);
    w_add_body(p, 1, 0, 0, 0, 0.4);
    w_add_plane(p, 1, 0, 0, 1, low + 0.4 - 0.01);
    pair_of(p, 0, 1, 0.01 + (i & 1 ? 1e-9 : -1e-6));
    w_bytes ops = {0};
    w_u8(&ops, 'P');
    w_u8(&ops, 0);
    expect(i & 1, p, &ops);
    w_free_problem(p);
  }
  // The cone's tip, below a plane.
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_curved(p, 4, w_identity, size[1], 0);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 2, 0, 0, 1, 0.6);
    pair_of(p, 0, 1, 0.1 + (i == 0 ? -1e-6 : 1e-9));
    w_bytes ops = {0};
    w_u8(&ops, 'P');
    w_u8(&ops, 1);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void planes_have_their_sides(void ** state)
{
  (void)state;
  const struct {uint32_t kind; double offset; unsigned side; int code;} cases[] = {
    {1, 0.2, 0, 0}, {1, 0.2, 1, 1}, {2, 0.2, 0, 0}, {2, 0.2, 1, 1}, {2, 0.9, 1, 0}, {2, 0.9, 0, 1},
    {1, 0.9, 1, 1}, {2, 0.2, 2, 1}, {2, 0.41, 0, 1}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0.5);
    w_add_plane(p, cases[i].kind, 0, 0, 1, cases[i].offset);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'P');
    w_u8(&ops, cases[i].side);
    expect(cases[i].code, p, &ops);
    w_leaf(&ops, 0, 0, -1);
    expect(1, p, &ops);
    w_u8(&ops, 'B');
    expect(1, p, &ops);
    w_free_problem(p);
  }
  // P is no leaf of two bodies.
  w_problem * p = slide(X, 0, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'P');
  w_u8(&ops, 0);
  expect(1, p, &ops);
  w_free_problem(p);
}

// What Arb's judge says about it, or what is expected where there is no Arb.
static bool judged(const w_problem * p, const w_bytes * ops, bool expected)
{
#ifdef VOUCH_HAVE_ARB
  vouch_problem_t problem;
  arb_checker_t judge;
  w_bytes bytes = w_write_problem(p), certificate = w_certificate_head(p, &bytes, 1, 0);
  w_ops(&certificate, ops);
  vouch_allocator_t allocator = vouch_allocator_default();
  assert_int_equal(
    vouch_problem_decode_loosely(&problem, allocator, bytes.data, bytes.size), VOUCH_RET_OK);
  for (uint32_t i = 0; i < problem.geometry.geometry_count; i++) {
    assert_int_equal(kernel_derive(problem.geometry.geometries[i], allocator), VOUCH_RET_OK);
  }
  arb_checker_init(&judge, &problem);
  expected = arb_checker_proves(&judge, certificate.data, certificate.size);
  vouch_problem_fini(&problem);
  w_free(&bytes);
  w_free(&certificate);
#else
  (void)p;
  (void)ops;
#endif
  return expected;
}

static void a_thin_plane_does_not_start_inside_an_open_mesh(void ** state)
{
  (void)state;
  // Two triangles, 0.5 above and below the plane z = 0. As surfaces they are apart from it; what is
  // left of a body whose mesh is open may be cut by it.
  const double high[3][3] = {{0, 0, 0.5}, {1, 0, 0.5}, {0, 1, 0.5}};
  const double low[3][3] = {{0, 0, -0.5}, {1, 0, -0.5}, {0, 1, -0.5}};
  const uint32_t t[1][3] = {{0, 1, 2}};
  const struct {uint8_t mesh, plane; int code;} cases[3] = {{0, 2, 0}, {2, 2, 1}, {2, 1, 1}};
  for (int i = 0; i < 3; i++) {
    w_problem * p = w_one_joint(2, X, 0, 0.1);
    w_geometry * g = w_new_geometry(p);
    w_add_mesh(g, high, 3, t, 1, cases[i].mesh);
    w_add_mesh(g, low, 3, t, 1, cases[i].mesh);
    w_tree(g, 100);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, cases[i].plane, 0, 0, 1, 0);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'A');
    for (unsigned side = 0; side < 2; side++) {
      w_u8(&ops, 'P');
      w_u8(&ops, side);
    }
    assert_int_equal(judged(p, &ops, cases[i].code == 0), cases[i].code == 0);
    expect(cases[i].code, p, &ops);
    w_free_problem(p);
  }
#ifdef VOUCH_HAVE_ARB
  arb_checker_release();
#endif
}

// An upside-down T of two solid boxes as triangles, moving along x, a sphere in its corner.
static w_problem * corner(double z, uint8_t kind, int keep)
{
  w_problem * p = w_one_joint(2, X, 0, 0.1);
  w_geometry * g = w_new_geometry(p);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {1, 0.2, 0.2}, kind);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0.7}, (const double[3]) {0.2, 0.2, 0.4}, kind);
  w_tree(g, keep);
  w_sphere(p, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0.6, 0, z);
  pair_of(p, 0, 1, 0);
  return p;
}

static void corner_ops(w_bytes * ops, int rays)
{
  w_u8(ops, 'A');
  for (int i = 0; i < rays; i++) {
    w_ray(ops, 0.3, 0.7, 0.2);
  }
  w_leaf(ops, 0, 0, 1);
  w_leaf(ops, 1, 0, 0);
}

static void a_sphere_in_the_corner_of_a_mesh_needs_its_parts(void ** state)
{
  (void)state;
  w_bytes ops = {0};
  for (int keep = 2; keep <= 100; keep += 98) {
    w_problem * p = corner(0.35, 1, keep);
    w_leaf(&ops, 0.7, 0, 0.7);
    expect(1, p, &ops);
    corner_ops(&ops, 2);
    expect(0, p, &ops);
    corner_ops(&ops, 1);
    expect(1, p, &ops);
    corner_ops(&ops, 3);
    expect(1, p, &ops);
    // After a split in time only the half that begins at the start owes its rays.
    w_u8(&ops, 'T');
    corner_ops(&ops, 2);
    corner_ops(&ops, 0);
    expect(0, p, &ops);
    w_u8(&ops, 'T');
    corner_ops(&ops, 2);
    corner_ops(&ops, 2);
    expect(1, p, &ops);
    w_free_problem(p);
    p = corner(0.29, 1, keep);
    corner_ops(&ops, 2);
    expect(1, p, &ops);
    w_free_problem(p);
    p = corner(0.35, 0, keep);
    corner_ops(&ops, 0);
    expect(0, p, &ops);
    w_free_problem(p);
    // Open components owe directions in which they are apart instead of rays, all of them together:
    // what is between two plates, apart from each, is not apart from the hull of both.
    p = corner(0.35, 2, keep);
    corner_ops(&ops, 0);
    expect(1, p, &ops);
    corner_ops(&ops, 2);
    expect(1, p, &ops);
    for (int i = 0; i < 4; i++) {
      w_u8(&ops, 'A');
      w_leaf(&ops, 0, 0, 1);
      ops.data[1] = 'H';
      if (i > 0) {
        w_leaf(&ops, 1, 0, 0);
        ops.data[14] = i == 1 ? 'H' : 'L';
      }
      w_leaf(&ops, 0, 0, 1);
      w_leaf(&ops, 1, 0, 0);
      expect(1, p, &ops);
    }
    w_free_problem(p);
  }
}

// A ball above the gap between two walls, both open, a millimetre above their hull. Deviations take it
// into the hull, where it is not known to be outside, though never to a wall. A longer direction
// would make the millimetre larger.
static void open_components_are_kept_away_under_deviations(void ** state)
{
  (void)state;
  static const double corners[8][3] = {
    {0.5, -1, -1}, {0.5, 1, -1}, {0.5, 1, 0}, {0.5, -1, 0},
    {-0.5, -1, -1}, {-0.5, 1, -1}, {-0.5, 1, 0}, {-0.5, -1, 0}
  };
  static const uint32_t wall[2][3] = {{0, 1, 2}, {0, 2, 3}};
  for (int i = 0; i < 3; i++) {
    w_problem * p = w_one_joint(2, Z, 0, 0.0001);
    w_sphere(p, 0.1);
    w_geometry * g = w_new_geometry(p);
    w_add_mesh(g, corners, 4, wall, 2, 2);
    w_add_mesh(g, corners + 4, 4, wall, 2, 2);
    w_tree(g, 2);
    w_add_body(p, 1, 0, 0, 0, 0.101);
    w_add_body(p, 0, 1, 0, 0, 0);
    pair_of(p, 0, 1, 0);
    p->tolerance[0] = i == 0 ? 0.0009 : 0.05;
    w_bytes ops = {0};
    w_u8(&ops, 'B');
    w_leaf(&ops, 0, 0, i == 2 ? -100 : -1);
    ops.data[1] = 'H';
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(i > 0, p, &ops);
    w_free_problem(p);
  }
}

// Leaves against every triangle of the box of w_add_box_mesh around 0, for what is at x.
static void leave_box(w_bytes * ops, const w_geometry * g, double x)
{
  static const double m[6][3] = {
    {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}
  };
  uint32_t stack[64] = {g->node[0].right, g->node[0].left};
  int depth = 2;
  while (depth > 0) {
    const w_node * n = &g->node[stack[--depth]];
    if (n->left != 0) {
      w_u8(ops, 'B');
      stack[depth++] = n->right;
      stack[depth++] = n->left;
    } else if (fabs(x) < 0.5) {
      w_leaf(ops, m[n->first / 2][0], m[n->first / 2][1], m[n->first / 2][2]);
    } else {
      w_leaf(ops, x > 0 ? -1 : 1, 0, 0);
    }
  }
}

// A small box mesh of kind `kind` that moves by 0.01 from x on; a hollow big one around 0.
static void hollow(
  int code, double x, uint8_t big, uint8_t small, int rays, double length)
{
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, big);
  w_tree(g, 100);
  w_geometry * s = w_new_geometry(p);
  w_add_box_mesh(s, (const double[3]) {0, 0, 0}, (const double[3]) {0.05, 0.05, 0.05}, small);
  w_tree(s, 2);
  w_add_body(p, 0, 0, 0, 0, 0);
  w_add_body(p, 1, 1, x, 0.01, 0.02);
  pair_of(p, 1, 0, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'B');
  for (int i = 0; i < rays; i++) {
    w_ray(&ops, 0.23 * length, 0.31 * length, 0.17 * length);
  }
  leave_box(&ops, g, x);
  expect(code, p, &ops);
  w_free_problem(p);
}

static void a_body_inside_a_solid_is_not_free(void ** state)
{
  (void)state;
  hollow(0, 0, 0, 0, 0, 1);     // surfaces: inside is allowed
  hollow(1, 0, 1, 0, 1, 1);     // inside a solid
  hollow(1, 0, 1, 0, 0, 1);     // the ray is owed
  hollow(0, 0.7, 1, 0, 1, 1);   // beside it
  hollow(0, 0.7, 1, 0, 1, 1e5);
  hollow(0, 0.7, 1, 0, 1, 1e-5);
  hollow(0, 0.7, 1, 1, 2, 1);   // both are solids
  hollow(1, 0.7, 1, 1, 1, 1);
  hollow(0, -0.7, 0, 1, 1, 1);  // the big surface is not inside the small solid
  hollow(0, 0, 0, 1, 1, 1);
}

// Two triangles, at x = 0.8 and around `second`, of one surface or of two, against a solid box. A ray
// is asked about the first one only if they are one: a problem must not call them that.
static void two_triangles(int code, double second, uint32_t shared, uint32_t components)
{
  const double v[6][3] = {{0.8, 0, 0}, {0.8, 0.1, 0}, {0.8, 0, 0.1}, {second, 0, 0},
    {second, 0.1, 0.05}, {second, 0.03, 0.1}};
  const uint32_t t[2][3] = {{0, 1, 2}, {shared, 4, 5}};
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, 1);
  w_tree(g, 100);
  w_geometry * s = w_new_geometry(p);
  w_add_mesh(s, v, 6, t, 2, 0);
  s->primitive[1].component = components - 1;
  s->components = (int)components;
  w_tree(s, 100);
  w_add_body(p, 0, 0, 0, 0, 0);
  w_add_body(p, 1, 1, 0, 0, 0);
  pair_of(p, 1, 0, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'A');
  for (uint32_t i = 0; i < components; i++) {
    w_ray(&ops, 0.23, 0.31, 0.17);
  }
  for (int i = 0; i < 2; i++) {
    w_u8(&ops, 'B');
    leave_box(&ops, g, i == 0 ? 0.8 : second);
  }
  expect(code, p, &ops);
  w_free_problem(p);
}

static void a_component_that_is_not_connected_is_none(void ** state)
{
  (void)state;
  two_triangles(3, 0, 3, 1);     // the second one is inside, and no ray is owed for it
  two_triangles(1, 0, 3, 2);     // its ray says so
  two_triangles(0, 0.7, 3, 2);
  two_triangles(3, 0.7, 3, 1);   // that it is outside does not make them one
  two_triangles(0, 0.7, 1, 1);   // a common vertex does
  two_triangles(0, 0.7, 1, 2);
}

static void a_ray_through_an_edge_decides_nothing(void ** state)
{
  (void)state;
  // From (0.75, 0, 0) towards the edge x = y = 0.5 of a solid box, and past it.
  for (int i = 0; i < 3; i++) {
    w_problem * p = w_one_joint(2, Y, 0, 0.125);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, 1);
    w_tree(g, 2);
    w_sphere(p, 0.125);
    w_add_body(p, 0, 0, 0, 0, 0);
    w_add_body(p, 1, 1, 0.75, 0, 0);
    pair_of(p, 1, 0, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'B');
    w_ray(&ops, i == 2 ? 0.25 : -0.25, i == 0 ? 0.5 : 0.625, 0);
    w_leaf(&ops, -1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(i == 0, p, &ops);
    w_free_problem(p);
  }
}

// Two spheres, of radius 0.1 on the axis and 0.3 at 2 from it, under one node whose ball is 1.3
// about (1, 0, 0), turn with a tolerance above a half-space: 0.7 - 2.3 * 0.1 are left.
static void nodes_carry_what_their_primitives_carry(void ** state)
{
  (void)state;
  const double points[2][3] = {{0, 0, 0}, {2, 0, 0}};
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(1, (const double[3]) {0, 0, 1}, 0, 0);
    w_geometry * g = w_hull(p, points, 2, 0.1);
    g->primitives = g->components = 2;
    g->primitive[0].count = 1;
    g->primitive[1] = (w_primitive) {2, 1, 1, 1, 0.3};
    g->component[1] = 3;
    w_tree(g, i < 2 ? 3 : 2);
    p->tolerance[0] = 0.1;
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, 0, 0, 1, -1);
    p->pairs = 1;
    p->pair[0] = (w_pair) {2, 0, 1, 0.47 + (i % 2 == 0 ? -1e-5 : 1e-5), {0}};
    w_bytes ops = {0};
    w_u8(&ops, 'P');
    w_u8(&ops, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// The upper rim of a cylinder reaches 0.6 * 0.5 + 0.8 * 1 along (0.6, 0, 0.8).
static void cylinders_have_an_upper_rim(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, (const double[3]) {0, 1, 0}, 0, 0);
    w_curved(p, 3, w_identity, (const double[3]) {0.5, 1, 0}, 0);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, -0.6, 0, -0.8, -1.5);
    p->pairs = 1;
    p->pair[0] = (w_pair) {2, 0, 1, 0.4 + (i == 0 ? -1e-5 : 1e-5), {0}};
    w_bytes ops = {0};
    w_u8(&ops, 'P');
    w_u8(&ops, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_carry_what_their_primitives_carry),
    cmocka_unit_test(cylinders_have_an_upper_rim),
    cmocka_unit_test(shapes_have_their_exact_supports),
    cmocka_unit_test(planes_have_their_sides),
    cmocka_unit_test(a_thin_plane_does_not_start_inside_an_open_mesh),
    cmocka_unit_test(a_sphere_in_the_corner_of_a_mesh_needs_its_parts),
    cmocka_unit_test(open_components_are_kept_away_under_deviations),
    cmocka_unit_test(a_body_inside_a_solid_is_not_free),
    cmocka_unit_test(a_component_that_is_not_connected_is_none),
    cmocka_unit_test(a_ray_through_an_edge_decides_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
