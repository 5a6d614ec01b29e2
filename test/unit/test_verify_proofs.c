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

/* The verifier on hand-made problems whose truth is known in closed form: every joint, shape, op
 * and witness, accepted just inside the truth and refused just outside it.
 * [L1] [L2] [L3] [L4] [L5] [L7] [L8] [L9] [L10] */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit/verify_writer.h"

static const double X[3] = {1, 0, 0};
static const double Y[3] = {0, 1, 0};
static const double Z[3] = {0, 0, 1};

// Verifies a FREE certificate with these ops and expects the code; consumes the ops.
static void expect(int code, const w_problem * p, w_bytes * ops)
{
  struct vouch_verify_report report;
  double least = 1e6;
  for (int i = 0; i < p->pairs; i++) {
    least = p->pair[i].kind != 1 && p->pair[i].margin < least ? p->pair[i].margin : least;
    for (int g = 0; p->pair[i].kind == 1 && g < p->groups; g++) {
      const double e = p->pair[i].entries[g];
      least = e >= 0.0 && e < least ? e : least;
    }
  }
  const int got = w_verify_free(p, ops, least, &report);
  if (got != code) {print_message("expected %d, got %d: %s\n", code, got, report.reason);}
  assert_int_equal(got, code);
  assert_int_equal(report.reason[0] == 0, got == 0);
}

static void pair_of(w_problem * p, uint32_t a, uint32_t b, double margin)
{
  p->pair[p->pairs++] = (w_pair) {p->body[b].kind == 0 ? 0 : 2, a, b, margin, {0}};
}

// A sphere of radius 0.1 on a slide along x from -1 to 1; a box from y = 0.3 upwards.
static w_problem * slide(double margin, double tolerance)
{
  w_problem * p = w_one_joint(2, X, -1, 1);
  w_sphere(p, 0.1);
  w_box(p, 0.5, 0.1, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0.4, 0);
  pair_of(p, 0, 1, margin);
  p->tolerance[0] = tolerance;
  return p;
}

static void a_sphere_passes_a_box_at_exactly_its_distance(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(i == 0 ? 0.2 - 1e-6 : 0.2 + 1e-12, 0);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void tolerances_are_kept_free(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(0.1, i == 0 ? 0.1 - 1e-6 : 0.1 + 1e-12);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void only_directions_of_length_one_that_separate_are_leaves(void ** state)
{
  (void)state;
  w_problem * p = slide(0.1, 0);
  w_bytes ops = {0};
  w_leaf(&ops, 0, 1.001, 0);
  expect(1, p, &ops);
  w_leaf(&ops, 0, (double)NAN, 0);
  expect(1, p, &ops);
  w_leaf(&ops, 0, (double)INFINITY, 0);
  expect(1, p, &ops);
  w_leaf(&ops, 0, 0, 0);
  expect(1, p, &ops);
  w_leaf(&ops, 0, -1, 0);
  expect(1, p, &ops);
  w_leaf(&ops, 0, 0.9, 0);
  expect(0, p, &ops);
  w_free_problem(p);
}

// A capsule of length 1 and radius 0.05 turns about z from 0 to `angle`; a wall below `y`.
static w_problem * turning(double angle, double y)
{
  const double ends[2][3] = {{0, 0, 0}, {1, 0, 0}};
  w_problem * p = w_one_joint(1, Z, 0, angle);
  w_hull(p, ends, 2, 0.05);
  w_box(p, 2, 0.5, 1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, y - 0.5, 0);
  pair_of(p, 0, 1, 0);
  return p;
}

static void uniform(w_bytes * ops, int depth, double x, double y, double z)
{
  if (depth > 0) {
    w_u8(ops, 'T');
    uniform(ops, depth - 1, x, y, z);
    uniform(ops, depth - 1, x, y, z);
  } else {
    w_leaf(ops, x, y, z);
  }
}

static void a_turning_arm_needs_its_time_split(void ** state)
{
  (void)state;
  w_problem * p = turning(1, -0.06);
  w_bytes ops = {0};
  uniform(&ops, 0, 0, -1, 0);
  expect(1, p, &ops);
  uniform(&ops, 6, 0, -1, 0);
  expect(0, p, &ops);
  w_free_problem(p);
  // Turned downwards by 0.1 rad, the tip's ball reaches -0.05 - sin 0.1.
  for (int i = 0; i < 2; i++) {
    p = turning(-0.1, -0.05 - sin(0.1) + (i == 0 ? -1e-4 : 1e-9));
    uniform(&ops, 8, 0, -1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void the_ball_of_the_arm_decides_its_radius(void ** state)
{
  (void)state;
  // One leaf over the angle a: the hinge end stays lowest, so both gaps are g. The ball of the
  // arm is about (0.5, 0, 0) with radius 0.55, so rho = 1.05 and C = N * 1.05 * a^2 / 2 <= 4g.
  const double a = 0.5;
  const double g = (1 + 0x1p-20) * 1.05 * a * a / 8;
  for (int i = 0; i < 2; i++) {
    w_problem * p = turning(a, -0.05 - g * (i == 0 ? 1.00001 : 0.99999));
    w_bytes ops = {0};
    w_leaf(&ops, 0, -1, 0);
    assert_true(1.05 * a > 2 * g);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

// The gap at which one leaf over the angle a with this radius just holds: C = 4g.
static double chord_gap(double rho, double a) {return (1 + 0x1p-20) * rho * a * a / 8;}

static void turns_about_one_axis_add_up(void ** state)
{
  (void)state;
  // Two joints about the same axis, a/2 each, are one joint that turns by a. So are two segments
  // in which one joint turns by a/4 and 3a/4 at the same speed.
  const double a = 0.5;
  for (int i = 0; i < 4; i++) {
    const double g = chord_gap(1.05, a);
    w_problem * p = turning(a, -0.05 - g * (i % 2 == 0 ? 1.00001 : 0.99999));
    if (i < 2) {
      p->frames = 3;
      p->frame[2] = p->frame[1];
      p->frame[2].parent = 1;
      p->body[0].frame = 2;
      p->segment[0].b[1] = a / 2;
    } else {
      p->segments = 2;
      p->knot[1] = 1;
      p->knot[2] = 4;
      p->segment[0] = (w_segment) {1, {0, a / 4}};
      p->second[2] = 4;
      p->segment[1] = (w_segment) {1, {a / 4, a}};
    }
    w_bytes ops = {0};
    w_leaf(&ops, 0, -1, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

static void a_slide_widens_the_radius_of_joints_nearer_to_b(void ** state)
{
  (void)state;
  // A revolute joint about z and a slide along x between b and a, on a's branch (i < 2) or on b's.
  // The slide goes from 0 to 2, tolerance 0.25; only then the joint turns by a. The ball of a
  // (radius 0.125, at x = 1 in its frame) is swept from x = 0.75 to 3.25; on b's branch, from
  // x = -1, it is swept from -0.75 to -3.25: rho = 2 + 1.25 + 0.125.
  const double a = 0.5;
  const double rho = 3.375;
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(1, Z, 0, 0);
    const bool on_b = i >= 2;
    p->frames = 3;
    p->frame[2] = p->frame[1];
    p->frame[2].parent = 1;
    w_frame * sliding = &p->frame[on_b ? 1 : 2];
    sliding->joint = 2;
    sliding->variable = 1;
    memcpy(sliding->axis, X, sizeof(X));
    p->variables = 2;
    p->tolerance[1] = 0.25;
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[0] = (w_segment) {1, {0, 0, 0, 2}};
    p->segment[1] = (w_segment) {1, {0, a, 2, 2}};
    w_sphere(p, 0.125);
    w_box(p, 4, 4, 0.5);
    // The box is below: the distance along z is constant.
    const double g = chord_gap(rho, a) * (i % 2 == 0 ? 1.00001 : 0.99999);
    const double reserve = 0.25 * (1 + 0x1p-20);  // of the slide
    w_add_body(p, on_b ? 0 : 2, 0, on_b ? -1 : 1, 0, 0);
    w_add_body(p, on_b ? 2 : 0, 1, 0, 0, -0.5 - 0.125 - reserve - g);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 0, -1);
    w_leaf(&ops, 0, 0, -1);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

static void schwarzer_compares_the_sum_of_the_gaps_with_the_travel(void ** state)
{
  (void)state;
  // A whole turn and a bit, so that the chord test is of no use.
  const double a = 6.5;
  for (int i = 0; i < 4; i++) {
    const double g = (1 + 0x1p-20) * 1.05 * a / 2 * (i % 2 == 0 ? 1.00001 : 0.99999);
    w_problem * p = turning(a, -0.05 - g);
    w_bytes ops = {0};
    w_u8(&ops, i < 2 ? 'D' : 'L');
    for (int k = 0; k < (i < 2 ? 2 : 1); k++) {
      w_f32(&ops, 0);
      w_f32(&ops, -1);
      w_f32(&ops, 0);
    }
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

static void two_directions_may_differ_in_d_leaves_only(void ** state)
{
  (void)state;
  // A sphere goes along x from -2 to -1.9: apart from a box along -x or (nearly) along y.
  w_problem * p = w_one_joint(2, X, -2, -1.9);
  w_sphere(p, 0.1);
  w_box(p, 0.5, 0.5, 0.5);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  pair_of(p, 0, 1, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'D');
  w_f32(&ops, 1);
  w_f32(&ops, 0);
  w_f32(&ops, 0);
  w_f32(&ops, 0.8);
  w_f32(&ops, 0);
  w_f32(&ops, 0.6);
  w_bytes wrong = {0};
  w_put(&wrong, ops.data, ops.size);
  wrong.data[13 + 3] ^= 0x80;  // the sign of the second direction
  expect(0, p, &ops);
  expect(1, p, &wrong);
  // Along (0.6, 0, 0.8) the box begins at -0.7, before the sphere at -1.1 ends.
  p->segment[0] = (w_segment) {1, {-1.11, -1.1}};
  for (int i = 0; i < 2; i++) {
    w_u8(&ops, 'D');
    w_f32(&ops, 1);
    w_f32(&ops, 0);
    w_f32(&ops, 0);
    w_f32(&ops, i == 0 ? 1 : 0.6);
    w_f32(&ops, 0);
    w_f32(&ops, i == 0 ? 0 : 0.8);
    expect(i, p, &ops);
  }
  w_free_problem(p);
}

static void a_mimic_joint_moves_by_its_multiplier(void ** state)
{
  (void)state;
  // q = -0.5*var + 0.25 along x, var from 0 to 2: x from 0.25 to -0.75; a wall at x < -0.95.
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(2, X, 0, 2);
    p->frame[1].multiplier = -0.5;
    p->frame[1].offset = 0.25;
    p->tolerance[0] = 0.1;
    w_sphere(p, 0.1);
    w_box(p, 0.5, 1, 1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, -1.45, 0, 0);
    pair_of(p, 0, 1, i == 0 ? 0.05 - 1e-6 : 0.05 + 1e-12);
    w_bytes ops = {0};
    w_leaf(&ops, -1, 0, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

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
  w_problem * p = slide(0, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'P');
  w_u8(&ops, 0);
  expect(1, p, &ops);
  w_free_problem(p);
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
// into the hull, where it is not known to be outside, though never to a wall.
static void open_components_are_kept_away_under_deviations(void ** state)
{
  (void)state;
  static const double corners[8][3] = {
    {0.5, -1, -1}, {0.5, 1, -1}, {0.5, 1, 0}, {0.5, -1, 0},
    {-0.5, -1, -1}, {-0.5, 1, -1}, {-0.5, 1, 0}, {-0.5, -1, 0}
  };
  static const uint32_t wall[2][3] = {{0, 1, 2}, {0, 2, 3}};
  for (int i = 0; i < 2; i++) {
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
    w_leaf(&ops, 0, 0, -1);
    ops.data[1] = 'H';
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(i, p, &ops);
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
static void hollow(int code, double x, uint8_t big, uint8_t small, int rays)
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
    w_ray(&ops, 0.23, 0.31, 0.17);
  }
  leave_box(&ops, g, x);
  expect(code, p, &ops);
  w_free_problem(p);
}

static void a_body_inside_a_solid_is_not_free(void ** state)
{
  (void)state;
  hollow(0, 0, 0, 0, 0);     // surfaces: inside is allowed
  hollow(1, 0, 1, 0, 1);     // inside a solid
  hollow(1, 0, 1, 0, 0);     // the ray is owed
  hollow(0, 0.7, 1, 0, 1);   // beside it
  hollow(0, 0.7, 1, 1, 2);   // both are solids
  hollow(1, 0.7, 1, 1, 1);
  hollow(0, -0.7, 0, 1, 1);  // the big surface is not inside the small solid
  hollow(0, 0, 0, 1, 1);
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

// A sphere slides out along x, to 5, on a hinge that may be off by 0.1: 0.51 to the side, then.
static void a_slide_carries_the_ball_as_far_as_it_goes(void ** state)
{
  (void)state;
  const double z[3] = {0, 0, 1}, at[4] = {0.7, 0.5, 0.7, 0.5};
  for (int i = 0; i < 4; i++) {
    w_bytes ops = {0};
    w_problem * p = w_one_joint(1, z, 0, 0);
    p->frames = 3;
    p->frame[2] = p->frame[1];
    p->frame[2].parent = 1;
    p->frame[2].joint = 2;
    p->frame[2].variable = 1;
    memcpy(p->frame[2].axis, X, sizeof(X));
    p->variables = 2;
    p->tolerance[0] = 0.1;
    p->segment[0] = (w_segment) {1, {0, 0, 0, 5}};
    if (i >= 2) {   // and back
      p->segments = 2;
      p->knot[2] = p->second[2] = 2;
      p->segment[1] = (w_segment) {1, {0, 0, 5, 0}};
    }
    w_sphere(p, 0.1);
    w_box(p, 10, 0.1, 10);
    w_add_body(p, 2, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, at[i] + 0.1, 0);
    p->pairs = 1;
    p->pair[0] = (w_pair) {0, 0, 1, 0, {0}};
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(i % 2, p, &ops);
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
  w_problem * p = slide(0.05, 0);
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
    w_problem * p = w_one_joint(2, Y, 0, 0);
    w_sphere(p, 0.1);
    w_box(p, 0.5, 0.1, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, 0.4, 0);
    pair_of(p, 0, 1, 0);
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
    w_problem * p = w_one_joint(2, Y, 0, 0);
    w_sphere(p, 0.1);
    w_box(p, 0.5, 0.1, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, 0.4, 0);
    pair_of(p, 0, 1, 0);
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
    w_problem * p = w_one_joint(2, Y, 0, 0);
    w_sphere(p, 0.1);
    w_box(p, 0.5, 0.1, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, 0.4, 0);
    pair_of(p, 0, 1, 0);
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

static void moving_bodies_are_seen_from_b(void ** state)
{
  (void)state;
  // Two sliders along x on joints of their own, moving together: relative motion along x only.
  // b's frame is reached by going up its joint. The ball of a swings about b's revolute joint.
  w_problem * p = w_one_joint(2, X, 0, 1);
  p->frames = 3;
  p->frame[2] = p->frame[1];
  p->frame[2].variable = 1;
  p->variables = 2;
  p->segment[0] = (w_segment) {1, {0, 1, 0, 1}};
  w_sphere(p, 0.1);
  w_sphere(p, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 2, 1, 0.5, 0, 0);
  pair_of(p, 0, 1, 0.29);
  w_bytes ops = {0};
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);  // C = 0, gaps 0.3 at both ends
  p->segment[0].b[3] = 0.98;
  w_leaf(&ops, 1, 0, 0);
  expect(1, p, &ops);
  p->segment[0].b[3] = 1;
  p->tolerance[0] = 0.004;
  p->tolerance[1] = 0.005;
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  p->tolerance[1] = 0.007;
  w_leaf(&ops, 1, 0, 0);
  expect(1, p, &ops);
  // b on a revolute joint: in its frame the sphere at (1, 0, 0) moves on a circle; rho = 1.1.
  p->tolerance[0] = p->tolerance[1] = 0;
  p->frame[2].joint = 1;
  memcpy(p->frame[2].axis, Z, sizeof(Z));
  p->body[0].placement[4] = 1;
  p->body[1].placement[4] = 0;
  p->body[1].placement[5] = -2;
  p->pair[0].margin = 0;
  for (int i = 0; i < 2; i++) {
    // At angle a the sphere is at (cos a, -sin a) in b's frame, b at (0, -2): direction (0, -1).
    // Gaps 1.8 and 1.8 - sin a; C = N*1.1*a^2/2.
    const double a = 1.5;
    p->segment[0] = (w_segment) {1, {0, 0, 0, a}};
    p->pair[0].margin = i == 0 ? 0.3 : 0.81;
    w_leaf(&ops, 0, -1, 0);
    expect(i, p, &ops);
  }
  w_free_problem(p);
}

static void depth_and_stack_are_bounded(void ** state)
{
  (void)state;
  w_problem * p = slide(0.05, 0);
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
  w_problem * p = slide(0.05, 0);
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
  w_problem * p = slide(0.05, 0.01);
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
    cmocka_unit_test(a_sphere_passes_a_box_at_exactly_its_distance),
    cmocka_unit_test(tolerances_are_kept_free),
    cmocka_unit_test(only_directions_of_length_one_that_separate_are_leaves),
    cmocka_unit_test(a_turning_arm_needs_its_time_split),
    cmocka_unit_test(the_ball_of_the_arm_decides_its_radius),
    cmocka_unit_test(turns_about_one_axis_add_up),
    cmocka_unit_test(a_slide_widens_the_radius_of_joints_nearer_to_b),
    cmocka_unit_test(schwarzer_compares_the_sum_of_the_gaps_with_the_travel),
    cmocka_unit_test(two_directions_may_differ_in_d_leaves_only),
    cmocka_unit_test(a_mimic_joint_moves_by_its_multiplier),
    cmocka_unit_test(shapes_have_their_exact_supports),
    cmocka_unit_test(planes_have_their_sides),
    cmocka_unit_test(a_sphere_in_the_corner_of_a_mesh_needs_its_parts),
    cmocka_unit_test(open_components_are_kept_away_under_deviations),
    cmocka_unit_test(a_body_inside_a_solid_is_not_free),
    cmocka_unit_test(a_component_that_is_not_connected_is_none),
    cmocka_unit_test(a_ray_through_an_edge_decides_nothing),
    cmocka_unit_test(groups_are_boxes_around_their_bodies),
    cmocka_unit_test(a_slide_carries_the_ball_as_far_as_it_goes),
    cmocka_unit_test(groups_without_checked_pairs_are_skipped),
    cmocka_unit_test(a_run_of_segments_is_one_leaf_unless_it_jumps),
    cmocka_unit_test(kinks_at_knots_count),
    cmocka_unit_test(curved_polynomials_are_bounded_by_their_differences),
    cmocka_unit_test(high_degrees_are_restricted_exactly),
    cmocka_unit_test(moving_bodies_are_seen_from_b),
    cmocka_unit_test(depth_and_stack_are_bounded),
    cmocka_unit_test(ops_end_where_the_proof_ends),
    cmocka_unit_test(the_report_says_what_was_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
