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

/* Round shapes, planes, nodes and what they carry on hand-made problems whose truth is known in closed
 * form, accepted just inside the truth and refused just outside it. [L4] [L6] [L7] [L9] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

static uint64_t seed = UINT64_C(0x9E6C63D0676A9A99);

static double between(double lo, double hi)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return lo + (hi - lo) * (double)((seed * UINT64_C(0x2545F4914F6CDD1D)) >> 11) * 0x1p-53;
}

static double dot(const double * a, const double * b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double n[3])
{
  double size = 0;
  while (size < 0.1 || size > 1) {
    for (int i = 0; i < 3; i++) {
      n[i] = between(-1, 1);
    }
    size = sqrt(dot(n, n));
  }
  for (int i = 0; i < 3; i++) {
    n[i] /= size;
  }
}

// One leaf says that body 0 stays above body 1, a half-space or plane, or below it.
static void expect_side(int code, const w_problem * p, double z)
{
  w_bytes ops = {0};
  w_leaf(&ops, 0, 0, z);
  expect(code, p, &ops);
}

// Body 0 is `clear` above the half-space: so much may be claimed, and not more. Frees the problem.
static void expect_clear(w_problem * p, double clear)
{
  p->pairs = 0;
  pair_of(p, 0, 1, clear - 4e-5);
  expect_side(0, p, -1);
  p->pair[0].margin = clear + 1e-9;
  expect_side(1, p, -1);
  w_free_problem(p);
}

// A geometry that moves along y by nothing, above the half-space n.x <= offset.
static w_problem * above(const double n[3], double offset)
{
  w_problem * p = w_one_joint(2, Y, 0, 0);
  (void)w_new_geometry(p);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_plane(p, 1, n[0], n[1], n[2], offset);
  return p;
}

// [V-REACH]
static void shapes_have_their_exact_supports(void ** state)
{
  (void)state;
  // Each shape, turned about x by 0.6 rad.
  const double pose[7] = {sin(0.3), 0, 0, cos(0.3), 0.3, 0.2, 0.1};
  const double s = sin(0.6), c = cos(0.6), size[3] = {0.3, 0.5, 0.2};
  const double depth[3] = {
    0.3 * s + 0.5 * c, 0.3 * s + 0.5 * c, sqrt(0.25 * s * s + 0.04 * c * c)
  };
  for (int kind = 0; kind < 3; kind++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_curved(p, kind, pose, size);
    w_add_body(p, 1, 0, 0, 0, 0.4);
    w_add_plane(p, 1, 0, 0, 1, -1);
    expect_clear(p, 1.5 - depth[kind]);
  }
  // The cone's tip, below a plane; the upper rim of a cylinder along (0.6, 0, 0.8).
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_curved(p, W_CONE, w_identity, size);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 2, 0, 0, 1, 0.6);
    pair_of(p, 0, 1, 0.1 + (i == 0 ? -1e-6 : 1e-9));
    expect_side(i, p, 1);
    w_free_problem(p);
  }
  w_problem * p = w_one_joint(2, Y, 0, 0);
  w_curved(p, W_CYLINDER, w_identity, (const double[3]) {0.5, 1, 0});
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_plane(p, 1, -0.6, 0, -0.8, -1.5);
  expect_clear(p, 1.5 - 0.6 * 0.5 - 0.8);
}

// Half-axes of any lengths and angles: the support is the largest n.x over |u| <= 1.
static void ellipsoids_of_any_half_axes_have_their_support(void ** state)
{
  (void)state;
  for (int k = 0; k < 40; k++) {
    double n[3], axes[9], along[3], brute = 0;
    const double at[3] = {between(-1, 1), between(-1, 1), between(-1, 1)};
    unit(n);
    for (int i = 0; i < 9; i++) {
      axes[i] = k % 5 == 0 && i > 2 ? 0.5 * axes[i % 3] : between(-1, 1);
    }
    for (int i = 0; i < 3; i++) {
      along[i] = dot(n, axes + 3 * i);
    }
    for (int i = 0; i < 20000; i++) {
      double u[3];
      unit(u);
      brute = fmax(brute, dot(u, along));
    }
    const double support = sqrt(dot(along, along));
    assert_true(brute <= support * (1 + 1e-12) && brute >= support * 0.99);
    w_problem * p = above(n, -10);
    w_primitive(p->geometry[0], w_vertex(p->geometry[0], at, axes), 1);
    w_tree(p->geometry[0]);
    expect_clear(p, dot(n, at) - support + 10);
  }
}

static double size_of(const double axes[9])
{
  double most = 0;
  for (int i = 0; i < 3; i++) {
    double row = 0;
    for (int j = 0; j < 3; j++) {
      row += fabs(dot(axes + 3 * i, axes + 3 * j));
    }
    most = fmax(most, row);
  }
  return sqrt(most);
}

// [V-ROUND] An ellipsoid that its node does not keep, and one that turns by a tolerance, count with
// their size, which no point of them exceeds.
static void sizes_bound_ellipsoids_of_any_half_axes(void ** state)
{
  (void)state;
  const double zero[3] = {0, 0, 0}, down[3] = {0, 0, 1};
  for (int k = 0; k < 40; k++) {
    double axes[9], furthest = 0;
    const double at[3] = {between(-1, 1), between(-1, 1), between(-1, 1)};
    for (int i = 0; i < 9; i++) {
      axes[i] = k % 5 == 0 && i > 2 ? 0.5 * axes[i % 3] : between(-1, 1);
    }
    for (int i = 0; i < 20000; i++) {
      double u[3], x[3];
      unit(u);
      for (int j = 0; j < 3; j++) {
        x[j] = u[0] * axes[j] + u[1] * axes[3 + j] + u[2] * axes[6 + j];
      }
      furthest = fmax(furthest, sqrt(dot(x, x)));
    }
    assert_true(furthest <= size_of(axes) && furthest > 0.4 * size_of(axes));
    w_problem * p = above(down, -20);
    w_geometry * g = p->geometry[0];
    w_primitive(g, w_vertex(g, zero, NULL), 1);
    w_primitive(g, w_vertex(g, at, axes), 1);
    w_tree(g);
    g->node[0].count = 1;
    g->witness[g->witnesses++] = (w_witness) {{0, 0, 0, 0}, {1, 0, 0}};
    expect_clear(p, 20 - sqrt(dot(at, at)) - size_of(axes));
    // About z, at the distance |(x, y)| of its middle, with a tolerance of 0.5.
    p = above(down, -20);
    g = p->geometry[0];
    p->frame[1].joint = 1;
    memcpy(p->frame[1].axis, Z, sizeof(Z));
    p->tolerance[0] = 0.5;
    w_primitive(g, w_vertex(g, at, axes), 1);
    w_tree(g);
    const double support = sqrt(axes[2] * axes[2] + axes[5] * axes[5] + axes[8] * axes[8]);
    expect_clear(p, 20 + at[2] - support - 0.5 * (hypot(at[0], at[1]) + size_of(axes)));
  }
}

// [V-COVER] Spheres of radius 0.125 at x = 0, 1, 3, of which the upper nodes keep fewer and fewer:
// the right one is `off` from what its node keeps, which is 1 from what the root keeps.
static void carries_grow_from_level_to_level(void ** state)
{
  (void)state;
  const double axes[9] = {0.125, 0, 0, 0, 0.125, 0, 0, 0, 0.125}, against[3] = {-1, 0, 0};
  for (int i = 0; i < 4; i++) {
    w_problem * p = above(against, -10);
    w_geometry * g = p->geometry[0];
    for (uint32_t k = 0; k < 3; k++) {
      w_primitive(g, w_vertex(g, (const double[3]) {k == 2 ? 3 : k, 0, 0}, axes), 1);
    }
    w_tree(g);   // node 1: the first, node 2: the others, nodes 3 and 4
    g->node[2].count = i == 3 ? 2 : 1;
    g->node[0].count = i == 2 ? 2 : 1;
    for (int k = 0; k < 3; k++) {
      g->witness[k] = (w_witness) {{0, 0, 0, 0}, {i == 1 ? 0.25f : 0, 0.5f, i == 1 ? 0.25f : 0}};
    }
    g->witnesses = i == 2 ? 1 : 2;
    // Kept by the root: the first; the first two; by node 2: the second, or both of its own.
    const double reach[4] = {0.125 + 1.125 + 2.125, 0.125 + 1.125 + 2.125, 1 + 0.125 + 2.125,
      0.125 + 3.125};
    expect_clear(p, 10 - reach[i]);
  }
}

// A witness mixes kept points; how far it is off counts, in whatever direction.
static void witnesses_count_by_how_far_they_are_off(void ** state)
{
  (void)state;
  const double v[5][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {1, 1, 1}};
  const struct {float w[3]; uint8_t k[4]; double off;} cases[] = {
    {{0.25f, 0.25f, 0.25f}, {1, 2, 3, 0}, 0}, {{0.25f, 0.25f, 0.25f}, {0, 1, 2, 3}, 0},
    {{0.5f, 0.25f, 0.25f}, {1, 2, 3, 0}, 1}, {{0.25f, 0.25f, 0.25f}, {1, 2, 1, 0}, 1.4142135623731},
    {{0, 0, 0}, {1, 2, 3, 0}, 1.7320508075689}, {{0, 0, 0}, {0, 0, 0, 1}, 3.3166247903554},
    {{1, 0, 0}, {2, 1, 3, 0}, 3.3166247903554}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = above(Z, -10);
    w_geometry * g = p->geometry[0];
    for (int k = 0; k < 5; k++) {
      (void)w_vertex(g, v[k], NULL);
    }
    w_primitive(g, 1, 4);
    w_primitive(g, 5, 1);
    w_tree(g);
    g->node[0].count = 4;
    g->witness[g->witnesses++] = (w_witness) {{cases[i].k[0], cases[i].k[1], cases[i].k[2],
        cases[i].k[3]}, {cases[i].w[0], cases[i].w[1], cases[i].w[2]}};
    expect_clear(p, 10 - cases[i].off);
  }
  // More than 1 in all is divided by its sum: between (4, 0, 0) and (0, 4, 0), or nearly, not beyond.
  w_problem * p = above(Z, -10);
  w_geometry * g = p->geometry[0];
  for (int k = 0; k < 3; k++) {
    (void)w_vertex(g, v[k], NULL);
  }
  (void)w_vertex(g, (const double[3]) {4, 4, 0}, NULL);
  w_primitive(g, 1, 3);
  w_primitive(g, 4, 1);
  w_tree(g);
  g->node[0].count = 3;
  g->witness[g->witnesses++] = (w_witness) {{1, 2, 0, 0}, {1, 1, 0}};
  pair_of(p, 0, 1, 10 - 2.8);
  expect_side(1, p, -1);
  w_free_problem(p);
}

static void planes_have_their_sides(void ** state)
{
  (void)state;
  const struct {uint32_t kind; double offset, x, y, z; int code;} cases[] = {
    {1, 0.2, 0, 0, -1, 0}, {1, 0.2, 0, 0, 1, 1}, {2, 0.2, 0, 0, -1, 0}, {2, 0.2, 0, 0, 1, 1},
    {2, 0.9, 0, 0, 1, 0}, {2, 0.9, 0, 0, -1, 1}, {1, 0.9, 0, 0, 1, 1}, {1, 0.9, 0, 0, -1, 1},
    {2, 0.41, 0, 0, -1, 1}, {1, 0.2, 0, 0, 0, 1}, {2, 0.2, 0, 0, 0, 1}, {1, 0.2, 0, 0, -0.5, 0},
    {1, 0.2, 1e-30, 0, -1, 1}, {1, 0.2, 0, 1e-30, -1, 1}, {2, 0.2, -1e-30, 0, -1, 1},
    {2, 0.2, 0, 1e-30, -1, 1}, {1, 0.2, -0.0, -0.0, -1, 0}, {1, -9, 0.6, 0, -0.8, 1}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0.5);
    w_add_plane(p, cases[i].kind, 0, 0, 1, cases[i].offset);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_leaf(&ops, cases[i].x, cases[i].y, cases[i].z);
    expect(cases[i].code, p, &ops);
    // No D, and no B, at a plane.
    w_leaf(&ops, cases[i].x, cases[i].y, cases[i].z);
    ops.data[0] = 'D';
    w_put(&ops, ops.data + 1, 12);
    expect(1, p, &ops);
    w_u8(&ops, 'B');
    expect_reason(1, "a primitive or a plane", p, &ops);
    w_free_problem(p);
  }
}

// Half-spaces and planes have no geometry that would make them thick, and are not taken apart.
static void planes_are_not_thick(void ** state)
{
  (void)state;
  for (uint32_t kind = 1; kind < 3; kind++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 1);
    w_add_plane(p, kind, 0, 0, 1, 0);
    pair_of(p, 0, 1, 0.8);
    expect_side(0, p, -1);
    w_bytes ops = {0};
    w_u8(&ops, 'B');
    w_leaf(&ops, 0, 0, -1);
    w_leaf(&ops, 0, 0, -1);
    expect_reason(1, "a primitive or a plane", p, &ops);
    p->body[1].geometry = 0;
    w_leaf(&ops, 0, 0, -1);
    expect_reason(3, "a wrong kind or geometry", p, &ops);
    w_free_problem(p);
  }
}

// A plane on a joint about x tips by 0.3 rad to either side of a ball at (0, 0, 1): cos 0.3 - 0.1.
static void planes_may_move(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(1, X, -0.3, 0.3);
    w_sphere(p, 0.1);
    w_add_body(p, 0, 0, 0, 0, 1);
    w_add_plane(p, 1 + (uint32_t)i / 2, 0, 0, 1, 0);
    p->body[1].parent = 1;
    pair_of(p, 0, 1, cos(0.3) - 0.1 + (i % 2 == 0 ? -4e-3 : 1e-9));
    w_bytes ops = {0};
    uniform(&ops, 6, 0, 0, -1);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// [V-GEOMETRY] Spheres of radius 0.1 on the axis and 0.3 at 2 from it, under one node, whose ball
// is 1.3 about (1, 0, 0), turn with a tolerance above a half-space: 0.7 - 2.3 * 0.1 are left. With
// a ball that has its middle 0.5 above, the radius is the distance of the further one, and 0.3.
static void the_ball_is_about_vertex_0(void ** state)
{
  (void)state;
  const double small[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const double large[9] = {0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3};
  for (int i = 0; i < 2; i++) {
    w_problem * p = above(Z, -1);
    w_geometry * g = p->geometry[0];
    p->frame[1].joint = 1;
    memcpy(p->frame[1].axis, Z, sizeof(Z));
    p->tolerance[0] = 0.1;
    w_primitive(g, w_vertex(g, (const double[3]) {0, 0, 0}, small), 1);
    w_primitive(g, w_vertex(g, (const double[3]) {2, 0, 0}, large), 1);
    w_tree(g);
    g->own_middle = i == 1;
    g->vertex[0][0] = 1;
    g->vertex[0][2] = 0.5;
    expect_clear(p, 0.7 - 0.1 * (i == 0 ? 2.3 : 1 + sqrt(1.25) + 0.3));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes_have_their_exact_supports),
    cmocka_unit_test(ellipsoids_of_any_half_axes_have_their_support),
    cmocka_unit_test(sizes_bound_ellipsoids_of_any_half_axes),
    cmocka_unit_test(carries_grow_from_level_to_level),
    cmocka_unit_test(witnesses_count_by_how_far_they_are_off),
    cmocka_unit_test(planes_have_their_sides),
    cmocka_unit_test(planes_are_not_thick),
    cmocka_unit_test(planes_may_move),
    cmocka_unit_test(the_ball_is_about_vertex_0),
  };
  print_message("seed %llu\n", (unsigned long long)seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
