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

/* Leaves on hand-made problems whose truth is known in closed form: gaps, tolerances, radii, bends and
 * travel of joints, accepted just inside the truth and refused just outside it.
 * [L1] [L2] [L3] [L4] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

// [V-MIDDLE] [V-U32] [V-U64] [V-F32] [V-GEOMETRIES]
static void a_sphere_passes_a_box_at_exactly_its_distance(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(X, i == 0 ? 0.2 - 1e-6 : 0.2 + 1e-12, 0);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

// [V-LEAF]
static void tolerances_are_kept_free(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = slide(X, 0.1, i == 0 ? 0.1 - 1e-6 : 0.1 + 1e-12);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i, p, &ops);
    w_free_problem(p);
  }
}

static void only_directions_of_length_one_that_separate_are_leaves(void ** state)
{
  (void)state;
  w_problem * p = slide(X, 0.1, 0);
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

// [V-SPAN]
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
      p->body[0].parent = 2;
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

// [V-STEP]
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

// [V-JOINT]
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
    p->pair[0] = (w_pair) {0, 1, 0, 0};
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 1, 0);
    w_leaf(&ops, 0, 1, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// The same with the slide held at 0 and an offset of 5, or of -5: as far out.
static void an_offset_carries_the_ball_as_well(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(1, Z, 0, 0);
    p->frames = 3;
    p->frame[2] = p->frame[1];
    p->frame[2].parent = 1;
    p->frame[2].joint = 2;
    p->frame[2].offset = i < 2 ? 5 : -5;
    memcpy(p->frame[2].axis, X, sizeof(X));
    p->frame[2].variable = 1;
    p->variables = 2;
    p->tolerance[0] = 0.1;
    w_sphere(p, 0.1);
    w_box(p, 10, 0.1, 10);
    w_add_body(p, 2, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, 0.1 + (i % 2 == 0 ? 0.62 : 0.60), 0);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(i % 2, p, &ops);
    w_free_problem(p);
  }
}

// [V-GAP]
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
  p->body[0].pose[4] = 1;
  p->body[1].pose[4] = 0;
  p->body[1].pose[5] = -2;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
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
    cmocka_unit_test(a_slide_carries_the_ball_as_far_as_it_goes),
    cmocka_unit_test(an_offset_carries_the_ball_as_well),
    cmocka_unit_test(moving_bodies_are_seen_from_b),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
