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

/* COLLISION witnesses: what they show, and what they fail to show. [L8] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

#define HALF (W_ONE / 2)

typedef struct {uint64_t t_lo, t_hi; uint32_t pair, body[2], part[2], side, solid, before;
} w_contact;

static const double ZERO[3] = {0, 0, 0};

// A point of a primitive: one of its list at u.
static void put_point(w_bytes * b, uint32_t position, const double u[3])
{
  w_f64s(b, u, 3);
  w_f64s(b, (const double[3]) {1, 0, 0}, 3);
  for (int i = 0; i < 4; i++) {
    w_u32(b, position);
  }
}

// A COLLISION certificate up to its number of points.
static w_bytes begin(const w_problem * p, w_contact w, uint32_t points)
{
  w_bytes problem = w_write_problem(p);
  w_bytes c = w_certificate_head(&problem, 2, w.t_lo);
  w_free(&problem);
  w_u64(&c, w.t_hi);
  const bool own = w.pair < (uint32_t)p->pairs && w.body[0] == 0 && w.body[1] == 0;
  w_u32(&c, w.pair);
  w_u32(&c, own ? p->pair[w.pair].a : w.body[0]);
  w_u32(&c, own ? p->pair[w.pair].b : w.body[1]);
  w_u32(&c, w.part[0]);
  w_u32(&c, w.part[1]);
  w_u32(&c, w.side);
  w_u32(&c, w.solid);
  w_u32(&c, w.before);
  w_u32(&c, points);
  return c;
}

// The code for a certificate with these ops: L is a leaf along x. Frees the certificate.
static void expect_contact(int code, const w_problem * p, w_bytes * certificate, const char * ops)
{
  w_bytes problem = w_write_problem(p);
  for (; *ops != 0; ops++) {
    if (*ops == 'L') {w_leaf(certificate, 1, 0, 0);} else {w_u8(certificate, (unsigned char)*ops);}
  }
  const int got = w_verify(&problem, certificate, &said);
  if (got != code) {print_message("expected %d, got %d: %s\n", code, got, said.text);}
  assert_int_equal(got, code);
  assert_int_equal(said.code, code);
  assert_int_equal(strcmp(said.text, "COLLISION SHOWN") == 0, code == 0);
  if (code == 0) {assert_int_equal(said.kind, VOUCH_VERIFY_COLLISION);}
  w_free(&problem);
  w_free(certificate);
}

// A box of half size 0.25 slides along x from -2 to 2 through another of half size 0.5 at 0.
static w_problem * through(double margin)
{
  w_problem * p = w_one_joint(2, X, -2, 2);
  w_box(p, 0.25, 0.25, 0.25);
  w_box(p, 0.5, 0.5, 0.5);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  pair_of(p, 0, 1, margin);
  return p;
}

// Four corners of the small box and four of the big one.
static w_bytes overlap(const w_problem * p, w_contact w, const uint32_t corner[8])
{
  w_bytes c = begin(p, w, 8);
  for (int i = 0; i < 8; i++) {
    put_point(&c, corner[i], ZERO);
  }
  return c;
}

static const uint32_t HIT[8] = {7, 4, 2, 1, 0, 3, 5, 6};

// [V-AROUND]
static void four_differences_around_zero_are_a_contact(void ** state)
{
  (void)state;
  // At the middle of the motion the boxes are concentric. b's corners 0, 3, 5, 6 are a
  // tetrahedron around the centre; a's corners 7, 4, 2, 1 opposite to them make it larger.
  const uint32_t turned[8] = {4, 7, 2, 1, 3, 0, 5, 6}, still[8] = {0, 0, 0, 0, 0, 3, 5, 6};
  const uint32_t miss[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  w_problem * p = through(0);
  w_bytes c = overlap(p, (w_contact) {.t_hi = HALF}, HIT);
  expect_contact(0, p, &c, "S");
  assert_true(said.apart == 0 && said.shown_at == 0.5 && said.free_until == 0);
  assert_true(said.meets[0] == 0 && said.meets[1] == 1);
  c = overlap(p, (w_contact) {.t_hi = HALF}, turned);
  expect_contact(0, p, &c, "S");
  c = overlap(p, (w_contact) {.t_hi = HALF}, still);   // (-0.25, -0.25, -0.25) is inside it
  expect_contact(0, p, &c, "S");
  c = overlap(p, (w_contact) {.t_hi = HALF}, miss);
  expect_contact(1, p, &c, "S");
  // Each of the four must be on its own side: without one of them zero is not inside.
  for (int i = 0; i < 4; i++) {
    uint32_t corner[8];
    memcpy(corner, HIT, sizeof(corner));
    corner[i] = HIT[(i + 1) % 4];
    corner[4 + i] = HIT[4 + (i + 1) % 4];   // as the next one, so that the four are flat
    c = overlap(p, (w_contact) {.t_hi = HALF}, corner);
    expect_contact(1, p, &c, "S");
    corner[i] = HIT[i] ^ 7;
    corner[4 + i] = HIT[4 + i] ^ 7;   // opposite, beyond the other three
    c = overlap(p, (w_contact) {.t_hi = HALF}, corner);
    expect_contact(1, p, &c, "S");
  }
  // At x = -0.25 the corner 2 of the small box is on a face of the big one: not decided.
  const uint32_t face[8] = {2, 2, 2, 2, 0, 2, 6, 1};
  c = overlap(p, (w_contact) {.t_hi = 7 * W_ONE / 16}, face);
  expect_contact(1, p, &c, "S");
  c = overlap(p, (w_contact) {.t_hi = 15 * W_ONE / 32}, face);
  expect_contact(0, p, &c, "S");
  c = overlap(p, (w_contact) {.t_hi = 0}, HIT);   // not yet there
  expect_contact(1, p, &c, "S");
  // Numbers of pairs, primitives, sides; corners that are not there; seven points.
  const w_contact wrong[7] = {{.pair = 1}, {.pair = W_NONE}, {.part = {1, 0}}, {.part = {0, 1}},
    {.part = {0, W_NONE}}, {.side = 2}, {.before = 2}};
  for (int i = 0; i < 7; i++) {
    w_contact w = wrong[i];
    w.t_hi = HALF;
    c = overlap(p, w, HIT);
    expect_contact(1, p, &c, "S");
  }
  for (int i = 0; i < 8; i++) {
    uint32_t corner[8];
    memcpy(corner, HIT, sizeof(corner));
    corner[i] = i % 2 == 0 ? 8 : W_NONE;
    c = overlap(p, (w_contact) {.t_hi = HALF}, corner);
    expect_contact(1, p, &c, "S");
  }
  for (uint32_t n = 1; n < 10; n++) {
    c = begin(p, (w_contact) {.t_hi = HALF}, n);
    for (uint32_t i = 0; i < n; i++) {
      put_point(&c, HIT[i % 8], ZERO);
    }
    expect_contact(n == 8 ? 0 : 1, p, &c, "S");
  }
  w_free_problem(p);
}

// [V-COLLISION] At a knot with a jump the witness says which side it means; it is in the motion.
static void a_witness_says_on_which_side_of_a_knot_it_is(void ** state)
{
  (void)state;
  const struct {uint64_t t; uint32_t before; int code;} cases[] = {
    {W_ONE, 1, 0}, {W_ONE, 0, 1}, {2 * W_ONE, 0, 1}, {2 * W_ONE, 1, 1}, {3 * W_ONE, 1, 0},
    {3 * W_ONE, 0, 1}, {3 * W_ONE + 1, 0, 1}, {3 * W_ONE + 1, 1, 1}, {0, 0, 1}, {0, 1, 1},
    {UINT64_MAX, 0, 1}, {UINT64_MAX, 1, 1}, {W_ONE - 1, 0, 0}, {W_ONE - 1, 1, 1}, {W_ONE + 1, 1, 1}
  };
  w_problem * p = through(0);
  p->segments = 3;
  for (int i = 0; i < 3; i++) {
    p->knot[i + 1] = p->second[i + 1] = i + 1;
  }
  p->segment[0] = (w_segment) {1, {-2, 0}};
  p->segment[1] = (w_segment) {1, {2, 2}};
  p->segment[2] = (w_segment) {1, {2, 0}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_bytes c = overlap(p, (w_contact) {.t_hi = cases[i].t, .before = cases[i].before}, HIT);
    expect_contact(cases[i].code, p, &c, "S");
  }
  w_free_problem(p);
}

static void two_close_points_show_the_margin(void ** state)
{
  (void)state;
  // At x = -1 the corner (-0.75, -0.25, -0.25) and (-0.5, -0.5, -0.25), on an edge of the big box.
  for (int i = 0; i < 4; i++) {
    w_problem * p = through(0.3535533905932738 + (i % 2 == 0 ? 1e-12 : -1e-12));
    w_bytes c = begin(p, (w_contact) {.t_hi = W_ONE / 4}, 8);
    for (int k = 0; k < 4; k++) {
      put_point(&c, k == 0 ? 1 : 3, ZERO);   // the first of each count, whatever the others are
    }
    for (int k = 0; k < 4; k++) {
      w_f64s(&c, ZERO, 3);
      const double weights[3] = {i < 2 ? 0.75 : 0.25, i < 2 ? 0.25 : 0, 0};
      w_f64s(&c, weights, 3);
      const uint32_t position[4] = {i < 2 ? 0 : 4, 4, 0, 0};   // the last weight is what is left
      for (int j = 0; j < 4; j++) {
        w_u32(&c, position[j]);
      }
    }
    expect_contact(i % 2, p, &c, "S");
    if (i % 2 == 0) {
      assert_true(said.apart >= 0.3535533905932737 && said.apart < 0.3535533905933);
    }
    w_free_problem(p);
  }
}

// [V-MIX] Weights outside [0, 1] would be points outside of the body; a sum above 1 is divided by
// it.
static void weights_are_those_of_a_mixture(void ** state)
{
  (void)state;
  const struct {double w[3]; int code;} cases[] = {
    {{1, 0, 0}, 0}, {{-1e-9, 0, 1}, 1}, {{1 + 1e-9, 0, 0}, 1}, {{0, -0.5, 0}, 1}, {{0, 0, 2}, 1},
    {{0, 0, (double)NAN}, 1}, {{0, (double)INFINITY, 0}, 1}, {{0, 0, -0.0}, 0}, {{0.5, 0.5, 0.5}, 0}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = through(0.6);
    w_bytes c = begin(p, (w_contact) {.t_hi = W_ONE / 4}, 8);   // corners 1 and 0 are 0.4331 apart
    for (int k = 0; k < 8; k++) {
      w_f64s(&c, ZERO, 3);
      w_f64s(&c, cases[i].w, 3);
      for (int j = 0; j < 4; j++) {
        w_u32(&c, k < 4 ? 1 : 0);
      }
    }
    // All four are the same corner, so every mixture is it.
    expect_contact(cases[i].code, p, &c, "S");
    w_free_problem(p);
  }
}

// [V-VERTEX]
static void points_must_belong_to_their_body(void ** state)
{
  (void)state;
  // Spheres of radius 0.5 around points 1.2 apart; margin 0.3.
  w_problem * p = w_one_joint(2, X, 0, 0);
  w_sphere(p, 0.5);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 0, 1.2, 0, 0);
  pair_of(p, 0, 1, 0.3);
  for (int i = 0; i < 6; i++) {
    const double off[3] = {i == 1 ? 1.0002 : i == 4 ? 0.8 : 0.9998, i == 4 ? 0.61 : 0, 0};
    const double back[3] = {i == 5 ? -1.0002 : -0.9998, 0, 0};
    w_bytes c = begin(p, (w_contact) {.part = {i == 2, 0}}, 8);
    for (int k = 0; k < 8; k++) {
      put_point(&c, i == 3 && k == 0 ? 1 : 0, k < 4 ? off : back);
    }
    expect_contact(i == 0 ? 0 : 1, p, &c, "S");
  }
  w_free_problem(p);
}

/* Points of a cylinder, cone and ellipsoid in a pose, told by u and a weight t of the first end; the
 * margin is just beyond the distance from the middle of a sphere, or just below. */
static void round_points_are_where_their_numbers_say(void ** state)
{
  (void)state;
  const double size[3] = {0.5, 1, 0.25};
  const double pose[7] = {0.5, 0.5, 0.5, 0.5, 0.125, -0.25, 0.5};   // x to y, y to z, z to x
  const struct {int kind; double u[3], t; bool inside;} cases[] = {
    {W_CYLINDER, {0.6, 0.78, 0.01}, 0.99, true}, {W_CYLINDER, {0.6, 0.82, 0}, 0.5, false},
    {W_CYLINDER, {0.1, -0.2, 0.3}, 0.25, true}, {W_CYLINDER, {0, 0, 1.01}, 0.25, false},
    {W_CONE, {0.6, 0, 0.7}, 0.999, true}, {W_CONE, {0.998, 0, 0}, 0, true},
    {W_CONE, {1.01, 0, 0}, 0, false}, {W_CONE, {-0.3, 0.4, 0}, 0.5, true},
    {W_ELLIPSOID, {0.99, 0, 0}, 0, true}, {W_ELLIPSOID, {0, -0.99, 0}, 0, true},
    {W_ELLIPSOID, {0, 0, 1.01}, 0, false}, {W_ELLIPSOID, {0.56, 0.56, 0.56}, 0, true},
    {W_ELLIPSOID, {0.6, 0.6, 0.6}, 0, false}, {W_ELLIPSOID, {-0.2, 0.4, -0.6}, 0, true}
  };
  for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
    const int kind = cases[i / 2].kind;
    const double * u = cases[i / 2].u, t = cases[i / 2].t, round = kind == W_CONE ? 1 - t : 1;
    const double x = kind == W_ELLIPSOID ? size[0] * u[0] : round * size[0] * u[0];
    const double y = kind == W_ELLIPSOID ? size[1] * u[1] : round * size[0] * u[1];
    const double z = kind == W_ELLIPSOID ? size[2] * u[2] : size[1] * (2 * t - 1);
    const double w[3] = {10 - 0.125 - z, 0.25 - x, -0.5 - y};
    const double distance = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_curved(p, kind, pose, size);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 10, 0, 0);
    pair_of(p, 0, 1, distance * (i % 2 == 0 ? 1 + 1e-12 : 1 - 1e-12));
    w_bytes c = begin(p, (w_contact) {.t_hi = W_ONE, .before = 1}, 8);
    for (int k = 0; k < 4; k++) {
      w_f64s(&c, u, 3);
      w_f64s(&c, (const double[3]) {t, 0, 0}, 3);
      for (uint32_t j = 0; j < 4; j++) {
        w_u32(&c, kind != W_ELLIPSOID && j > 0);
      }
    }
    for (int k = 0; k < 4; k++) {
      put_point(&c, 0, ZERO);
    }
    expect_contact(cases[i / 2].inside && i % 2 == 0 ? 0 : 1, p, &c, "S");
    w_free_problem(p);
  }
}

static void a_point_inside_a_solid_is_a_contact(void ** state)
{
  (void)state;
  // The last four: outside, and the ray leaves through an edge, so that it decides nothing.
  const double beside[4][3] = {{-1, -0.25, 0.0625}, {-1, 0.25, 0.0625}, {0.0625, -1, 0.25},
    {0.0625, -1, -0.25}};
  const double ray[4][3] = {{0.5, 0.25, 0}, {0.5, -0.25, 0}, {0, 0.5, -0.25}, {0, 0.5, 0.25}};
  const double in[3] = {0.125, 0.25, 0.0625}, out[3] = {0.5, 0.25, 0.125};
  for (int i = 0; i < 2 * 13; i++) {
    const int k = i / 2, swapped = i % 2;
    const double * at = k < 9 ? in : beside[k - 9], * d = k < 9 ? out : ray[k - 9];
    w_problem * p = w_one_joint(2, X, 0, 2);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, k == 3 ? 0 : 1);
    w_tree(g);
    w_sphere(p, 0.01);
    w_add_body(p, 0, 0, 0, 0, 0);
    w_add_body(p, 1, 1, at[0], at[1], at[2]);
    pair_of(p, 1 - (uint32_t)swapped, (uint32_t)swapped, 0);
    w_contact w = {.side = 1 - (uint32_t)swapped, .solid = 1};
    w.t_hi = k == 1 ? W_ONE - 1 : 0;   // gone by then
    w.side ^= k == 2;                  // the solid of the other body
    w.solid = k == 4 ? 0 : k == 5 ? 2 : 1;
    w.part[0] = k == 6 ? 1 : 0;        // it has one primitive
    w.side = k == 7 ? 2 : w.side;
    w_bytes c = begin(p, w, 0);
    w_ray(&c, d[0], d[1], d[2]);
    c.data[c.size - 13] = k == 8 ? 'J' : 'I';
    expect_contact(k == 0 ? 0 : 1, p, &c, "S");
    w_free_problem(p);
  }
}

// A capsule through the side of a solid box, and a ball beside it: the first point of the primitive that
// is named counts.
static void containment_names_a_primitive(void ** state)
{
  (void)state;
  const double in[3] = {0.1, 0, 0}, out[3] = {2, 0, 0};
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, 1);
    w_tree(g);
    w_geometry * s = w_new_geometry(p);
    (void)w_vertex(s, i < 2 ? in : out, NULL);
    (void)w_vertex(s, i < 2 ? out : in, NULL);
    (void)w_vertex(s, i < 2 ? out : in, NULL);
    w_primitive(s, 1, 2);
    w_primitive(s, 3, 1);
    w_tree(s);
    w_add_body(p, 1, 1, 0.01, 0.02, 0.03);
    w_add_body(p, 0, 0, 0, 0, 0);
    pair_of(p, 0, 1, 0);
    w_bytes c = begin(p, (w_contact) {.side = 1, .solid = 1, .part = {1 + (uint32_t)i % 2, 0}}, 0);
    w_ray(&c, 0.23, 0.31, 0.17);
    expect_contact(i == 0 || i == 3 ? 0 : 1, p, &c, "S");
    w_free_problem(p);
  }
}

// [V-INSIDE] A triangle of no solid is around nothing, though the ray meets it once.
static void surfaces_contain_nothing(void ** state)
{
  (void)state;
  const double v[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  w_problem * p = w_one_joint(2, X, 0, 0.1);
  w_hull(p, v, 3, 0);
  w_sphere(p, 0.1);
  w_add_body(p, 1, 1, 0, 0, -1);
  w_add_body(p, 0, 0, 0, 0, 0);
  pair_of(p, 0, 1, 0);
  for (uint32_t solid = 0; solid < 2; solid++) {
    w_bytes c = begin(p, (w_contact) {.side = 1, .solid = solid}, 0);
    w_ray(&c, 0.01, 0.02, 1);
    expect_contact(1, p, &c, "S");
  }
  w_free_problem(p);
}

/* [V-SHOWN] A sphere of radius 0.1 at 0. Its points are at the heights z (the first two at
 * z[0]), those of the plane at `above` over it, `wide` around: the difference of heights
 * decides. */
static void points_beyond_a_plane_are_a_contact(void ** state)
{
  (void)state;
  const struct {uint32_t kind, count; double z[2], offset, above[2], wide, margin; int code;}
  cases[] = {
    // Half-spaces: around a point below; one that is not below; points that are not below.
    {1, 8, {-0.1, -0.1}, -0.05, {-0.03, -0.07}, 0.01, 0, 0},
    {1, 8, {-0.1, -0.1}, -0.15, {0.07, 0.03}, 0.01, 0, 1},
    {1, 8, {-0.1, -0.1}, -0.05, {1e-9, -0.07}, 0.01, 0, 1},
    {1, 8, {-0.1, -0.1}, -0.05, {0, -0.07}, 0.01, 0, 0},
    {1, 8, {-0.1, -0.1}, -0.05, {-0.06, -0.07}, 0.01, 0, 1},
    // Planes: between two points; on one side of both; points that are not in it.
    {2, 8, {0.1, -0.1}, 0, {0, 0}, 0.01, 0, 0},
    {2, 8, {0.1, -0.1}, 0, {0, 0}, 1000, 0, 0},
    {2, 8, {0.1, -0.1}, 0.2, {0, 0}, 0.01, 0, 1},
    {2, 8, {0.1, 0.05}, 0, {0, 0}, 0.01, 0, 1},
    {2, 8, {0.1, -0.1}, 0, {1e-9, 0}, 0.01, 0, 1},
    {2, 8, {0.1, -0.1}, 0, {0, -1e-9}, 0.01, 0, 1},
    // Nearer than the margin, and not.
    {2, 8, {-0.1, -0.1}, 0, {0, 0}, 0, 0.11, 0}, {2, 8, {-0.1, -0.1}, 0, {0, 0}, 0, 0.09, 1},
    {1, 8, {-0.1, -0.1}, -0.2, {0, 0}, 0, 0.11, 0}, {1, 8, {-0.1, -0.1}, -0.2, {0, 0}, 0, 0.09, 1},
    // Too few points, none at all.
    {2, 7, {0.1, -0.1}, 0, {0, 0}, 0.01, 0, 1}, {2, 0, {0.1, -0.1}, 0, {0, 0}, 0.01, 0, 1}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = w_one_joint(2, X, 0, 2);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, cases[i].kind, 0, 0, 1, cases[i].offset);
    pair_of(p, 0, 1, cases[i].margin);
    w_bytes c = begin(p, (w_contact) {.solid = cases[i].count == 0}, cases[i].count);
    for (unsigned k = 0; k < cases[i].count; k++) {
      const double wide = k % 2 == 0 ? cases[i].wide : -cases[i].wide;
      const double z = k < 4 ? cases[i].z[k / 2] * 9.999999 : cases[i].above[k / 2 - 2];
      const double x = k == 4 || k == 5 ? wide : 0, y = k > 5 ? wide : 0;
      const double u[3] = {x, y, z};
      if (k < 4) {
        put_point(&c, 0, u);
        continue;
      }
      w_f64s(&c, u, 3);
      w_f64s(&c, ZERO, 3);
      w_u64(&c, 0);
      w_u64(&c, 0);
    }
    if (cases[i].count == 0) {w_ray(&c, 1, 0, 0);}
    expect_contact(cases[i].code, p, &c, "S");
    w_free_problem(p);
  }
}

// The witness is at the middle of the motion; the boxes touch from 5/16 on.
static void free_until(int code, uint64_t t_lo, const char * ops)
{
  w_problem * p = through(0);
  w_bytes c = overlap(p, (w_contact) {.t_lo = t_lo, .t_hi = HALF}, HIT);
  expect_contact(code, p, &c, ops);
  w_free_problem(p);
}

static void skipped_intervals_begin_at_t_lo_or_later(void ** state)
{
  (void)state;
  free_until(3, 0, "");
  free_until(0, 0, "S");
  free_until(1, 0, "SS");
  free_until(1, 1, "S");
  free_until(1, W_ONE, "S");
  free_until(1, UINT64_MAX, "S");
  free_until(0, W_ONE / 4, "TTLSS");
  assert_true(said.free_until == 0.25);
  assert_int_equal(said.leaves, 1);
  free_until(1, W_ONE / 4 + 1, "TTLSS");
  free_until(0, W_ONE / 4 - 1, "TTLSS");
  free_until(1, W_ONE / 4 - 1, "TTSSS");
  free_until(0, 9 * W_ONE / 32, "TTLTTTLSSSS");
  free_until(1, 9 * W_ONE / 32, "TTLTTSSSS");
  free_until(1, W_ONE / 4, "TTLLS");  // that leaf does not hold
  free_until(3, W_ONE / 4, "TTLS");
  free_until(1, W_ONE / 4, "TTLSSS");
  free_until(1, W_ONE + 1, "TTLSS");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_differences_around_zero_are_a_contact),
    cmocka_unit_test(a_witness_says_on_which_side_of_a_knot_it_is),
    cmocka_unit_test(two_close_points_show_the_margin),
    cmocka_unit_test(weights_are_those_of_a_mixture),
    cmocka_unit_test(points_must_belong_to_their_body),
    cmocka_unit_test(round_points_are_where_their_numbers_say),
    cmocka_unit_test(a_point_inside_a_solid_is_a_contact),
    cmocka_unit_test(containment_names_a_primitive),
    cmocka_unit_test(surfaces_contain_nothing),
    cmocka_unit_test(points_beyond_a_plane_are_a_contact),
    cmocka_unit_test(skipped_intervals_begin_at_t_lo_or_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
