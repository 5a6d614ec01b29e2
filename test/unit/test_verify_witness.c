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

/* COLLISION witnesses: what they show, and what they fail to show. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/verify_writer.h"

static const double X[3] = {1, 0, 0};

typedef struct {uint32_t segment; uint64_t numerator; unsigned depth;} w_time;

static void put_time(w_bytes * b, w_time t)
{
  w_u64(b, t.numerator << (50 - t.depth));
  w_u32(b, t.segment);
  w_u32(b, 0);
}

// A point of a list plus u times the ball, or plus the point (u, t) of a shape; of a plane just u.
static void put_curved(w_bytes * b, uint32_t position, const double u[3], double t)
{
  w_f64s(b, u, 3);
  w_f64(b, t);
  w_f64(b, 1);
  w_f64(b, 0);
  w_f64(b, 0);
  for (int i = 0; i < 4; i++) {
    w_u32(b, position);
  }
}

static void put_vertex(w_bytes * b, uint32_t position, const double u[3])
{
  put_curved(b, position, u, 0);
}

static void put_same(w_bytes * b, int count, uint32_t position, const double u[3])
{
  for (int i = 0; i < count; i++) {
    put_vertex(b, position, u);
  }
}

static w_bytes begin_witness(
  const w_problem * p, unsigned claim, w_time lo, w_time hi, uint32_t pair, uint32_t group)
{
  w_bytes problem = w_write_problem(p);
  w_bytes c = w_certificate_head(p, &problem, 2, 0);
  w_free(&problem);
  put_time(&c, lo);
  put_time(&c, hi);
  w_u32(&c, claim);
  w_u32(&c, pair);
  w_u32(&c, group);
  return c;
}

static void begin_points(w_bytes * c, uint32_t part_a, uint32_t part_b, uint32_t count)
{
  w_u32(c, 0);
  w_u32(c, part_a);
  w_u32(c, part_b);
  w_u32(c, count);
}

// What the verifier said last.
static struct vouch_verify_report report;

static void expect(int code, const w_problem * p, w_bytes * certificate, w_bytes * ops)
{
  w_bytes none = {0};
  w_bytes problem = w_write_problem(p);
  w_ops(certificate, ops == NULL ? &none : ops);
  const int got = vouch_verify_memory(
    NULL, problem.data, problem.size, certificate->data, certificate->size, &report);
  if (got != code) {print_message("expected %d, got %d: %s\n", code, got, report.reason);}
  assert_int_equal(got, code);
  if (code == 0) {assert_int_equal(report.kind, VOUCH_VERIFY_COLLISION);}
  w_free(&problem);
  w_free(certificate);
  if (ops != NULL) {w_free(ops);}
}

// A box of half size 0.25 slides along x from -2 to 2 through another of half size 0.5 at 0.
static w_problem * through(double margin)
{
  w_problem * p = w_one_joint(2, X, -2, 2);
  w_box(p, 0.25, 0.25, 0.25);
  w_box(p, 0.5, 0.5, 0.5);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  p->pairs = 1;
  p->pair[0] = (w_pair) {0, 0, 1, margin, {0}};
  return p;
}

// Four corners of the small box and four of the big one.
static void put_overlap(w_bytes * c, const uint32_t corner[8], uint32_t last_primitive)
{
  static const double zero[3] = {0, 0, 0};
  begin_points(c, 0, last_primitive, 8);
  for (int i = 0; i < 8; i++) {
    put_vertex(c, corner[i], zero);
  }
}

static void four_differences_around_zero_are_a_contact(void ** state)
{
  (void)state;
  // At the middle of the motion the boxes are concentric. b's corners 0, 3, 5, 6 are a
  // tetrahedron around the centre; a's corners 7, 4, 2, 1 opposite to them make it larger.
  const uint32_t hit[8] = {7, 4, 2, 1, 0, 3, 5, 6};
  const uint32_t still[8] = {0, 0, 0, 0, 0, 3, 5, 6};
  const uint32_t miss[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  w_problem * p = through(0);
  const w_time half = {0, 1, 1};
  w_bytes c = begin_witness(p, 0, half, half, 0, 0);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  assert_true(report.apart == 0.0);
  c = begin_witness(p, 0, half, half, 0, 0);
  put_overlap(&c, still, 0);  // the corner (-0.25, -0.25, -0.25) is inside that tetrahedron
  expect(0, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 0);
  put_overlap(&c, miss, 0);
  expect(1, p, &c, NULL);
  // At x = -0.25 the corner 2 of the small box is on a face of the big one: not decided.
  const uint32_t face[8] = {2, 2, 2, 2, 0, 2, 6, 1};
  c = begin_witness(p, 0, half, (w_time) {0, 7, 4}, 0, 0);
  put_overlap(&c, face, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 7, 4}, 0, 0);
  put_overlap(&c, face, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 15, 5}, 0, 0);
  put_overlap(&c, face, 0);
  expect(0, p, &c, NULL);
  // Not yet there at the beginning; the same time written with another depth.
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, UINT64_C(1) << 49, 50}, 0, 0);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  // Order of times, segments, depths, bodies, primitives.
  c = begin_witness(p, 0, (w_time) {0, 3, 2}, half, 0, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {1, 0, 0}, 0, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {0, (UINT64_C(1) << 50) + 1, 50}, 0, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {0, 3, 1}, 0, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 1, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 0);
  put_overlap(&c, hit, 1);
  expect(1, p, &c, NULL);
  w_free_problem(p);
}

static void two_close_points_show_the_margin(void ** state)
{
  (void)state;
  // At x = -1 the boxes are 0.25 apart.
  const double zero[3] = {0, 0, 0};
  for (int i = 0; i < 2; i++) {
    w_problem * p = through(0.3535533905932738 + (i == 0 ? 1e-12 : -1e-12));
    w_bytes c = begin_witness(p, 0, (w_time) {0, 1, 2}, (w_time) {0, 1, 2}, 0, 0);
    begin_points(&c, 0, 0, 8);
    put_same(&c, 4, 1, zero);     // (-0.75, -0.25, -0.25)
    for (int k = 0; k < 4; k++) {
      w_f64s(&c, zero, 3);        // (-0.5, -0.5, -0.25): on an edge of the big box
      w_f64(&c, 0);
      w_f64(&c, 0.75);
      w_f64(&c, 0.25);
      w_f64(&c, 0);
      w_u32(&c, 0);
      w_u32(&c, 4);
      w_u32(&c, 0);
      w_u32(&c, 0);
    }
    expect(i, p, &c, NULL);
    // The certificate's margin is 0: the report must tell that no contact is shown.
    assert_true(i == 1 || (report.apart > 0.3535533905932 && report.apart < 0.3535533905933));
    w_free_problem(p);
  }
}

// An inner group has no body, a group that is not checked no margin: neither shows anything.
static void a_witness_names_a_checked_pair(void ** state)
{
  (void)state;
  const uint32_t hit[8] = {7, 4, 2, 1, 0, 3, 5, 6};
  const w_time half = {0, 1, 1};
  w_problem * p = through(0);
  w_add_body(p, 0, 1, 0, 0, 0);
  const w_group groups[3] = {{1, 2, W_NONE}, {0, 0, 1}, {0, 0, 2}};
  memcpy(p->group, groups, sizeof(groups));
  p->groups = 3;
  p->pair[0] = (w_pair) {1, 0, 0, 0, {0, 0, -1}};
  const uint32_t none[7][2] = {{0, 0}, {0, 2}, {0, 3}, {0, 0x7fffffff}, {0, W_NONE}, {1, 1},
    {W_NONE, 1}};
  w_bytes c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  for (int i = 0; i < 7; i++) {
    c = begin_witness(p, 0, half, half, none[i][0], none[i][1]);
    put_overlap(&c, hit, 0);
    expect(1, p, &c, NULL);
  }
  w_free_problem(p);
}

static void points_must_belong_to_their_body(void ** state)
{
  (void)state;
  // Spheres of radius 0.5 around points 1.2 apart; margin 0.3.
  const double points[1][3] = {{0, 0, 0}};
  w_problem * p = w_one_joint(2, X, 0, 0);
  w_hull(p, points, 1, 0.5);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 0, 1.2, 0, 0);
  p->pairs = 1;
  p->pair[0] = (w_pair) {0, 0, 1, 0.3, {0}};
  for (int i = 0; i < 4; i++) {
    const double off[3] = {i == 1 ? 1.0002 : 0.9998, 0, 0};
    const double back[3] = {-0.9998, 0, 0};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 0);
    begin_points(&c, i == 2 ? 1 : 0, 0, 8);
    put_same(&c, 4, i == 3 ? 1 : 0, off);
    put_same(&c, 4, 0, back);
    expect(i == 0 ? 0 : 1, p, &c, NULL);
  }
  w_free_problem(p);
}

// A point of a cylinder (3), cone (4) or ellipsoid (5) as the file says it.
static void parameters(
  uint32_t kind, const double size[3], const double x[3], double u[3], double * t)
{
  *t = kind == 5 ? 0 : x[2] / size[1];
  const double across = kind == 4 ? size[0] * (1 - *t) / 2 : size[0];
  u[0] = x[0] / across;
  u[1] = x[1] / (kind == 5 ? size[1] : across);
  u[2] = kind == 5 ? x[2] / size[2] : 0;
}

// The point must be in its shape, and be where its numbers say: the margin is just beyond its
// distance from the middle of a sphere, or just below.
static void curved_points_must_be_inside(void ** state)
{
  (void)state;
  const double size[3] = {0.5, 1, 0.25};
  const double pose[7] = {0.5, 0.5, 0.5, 0.5, 0.125, -0.25, 0.5};   // x to y, y to z, z to x
  const struct {uint32_t kind; double x[3]; bool inside;} cases[] = {
    {3, {0.3, 0.39, 0.99}, true}, {3, {0.3, 0.41, 0}, false}, {3, {0, 0, 1.01}, false},
    {4, {0, 0, 0.999}, true}, {4, {0.249, 0, 0}, true}, {4, {0.251, 0, 0}, false},
    {4, {0.499, 0, -1}, true}, {4, {0, 0, 1.001}, false}, {4, {0, 0, -1.001}, false},
    {4, {0.1, -0.2, -0.5}, true}, {3, {-0.1, 0.2, -0.5}, true},
    {5, {0.499, 0, 0}, true}, {5, {0, 0.99, 0}, true}, {5, {0, 0, 0.26}, false},
    {5, {0.28, 0.56, 0.14}, true}, {5, {0.3, 0.6, 0.15}, false}, {5, {-0.1, 0.2, -0.05}, true}
  };
  for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
    const uint32_t kind = cases[i / 2].kind;
    const double * x = cases[i / 2].x, w[3] = {10 - 0.125 - x[2], 0.25 - x[0], -0.5 - x[1]};
    const double distance = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double u[3], t;
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_curved(p, kind, pose, size, 0.1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 10, 0, 0);
    p->pairs = 1;
    p->pair[0] = (w_pair) {0, 0, 1, distance * (i % 2 == 0 ? 1 + 1e-12 : 1 - 1e-12), {0}};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 1, 0}, 0, 0);
    begin_points(&c, 0, 0, 8);
    parameters(kind, size, x, u, &t);
    for (int k = 0; k < 4; k++) {
      put_curved(&c, 0, u, t);
    }
    put_same(&c, 4, 0, (const double[3]) {0, 0, 0});
    expect(cases[i / 2].inside && i % 2 == 0 ? 0 : 1, p, &c, NULL);
    w_free_problem(p);
  }
}

static void a_point_inside_a_solid_is_a_contact(void ** state)
{
  (void)state;
  // The last four: outside, and the ray leaves through an edge, so that it decides nothing.
  const double beside[9][3] = {{0.125, 0.25, 0.0625}, {0.125, 0.25, 0.0625}, {0.125, 0.25, 0.0625},
    {0.125, 0.25, 0.0625}, {0.125, 0.25, 0.0625}, {-1, -0.25, 0.0625}, {-1, 0.25, 0.0625},
    {0.0625, -1, 0.25}, {0.0625, -1, -0.25}};
  const double ray[9][3] = {{0.5, 0.25, 0.125}, {0.5, 0.25, 0.125}, {0.5, 0.25, 0.125},
    {0.5, 0.25, 0.125}, {0.5, 0.25, 0.125}, {0.5, 0.25, 0}, {0.5, -0.25, 0}, {0, 0.5, -0.25},
    {0, 0.5, 0.25}};
  for (int i = 0; i < 9; i++) {
    w_problem * p = w_one_joint(2, X, 0, 2);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(
      g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5},
      i == 3 ? 0 : 1);
    w_tree(g, 2);
    w_sphere(p, 0.01);
    w_add_body(p, 0, 0, 0, 0, 0);
    w_add_body(p, 1, 1, beside[i][0], beside[i][1], beside[i][2]);
    p->pairs = 1;
    p->pair[0] = (w_pair) {0, 1, 0, 0, {0}};
    const w_time at = {0, i == 1 ? 1 : 0, 0};
    w_bytes c = begin_witness(p, 0, at, at, 0, 0);
    w_u32(&c, i == 2 ? 0 : 1);
    w_u32(&c, i == 4 ? 1 : 0);
    w_u32(&c, 0);
    w_u32(&c, 0);
    w_f32(&c, ray[i][0]);
    w_f32(&c, ray[i][1]);
    w_f32(&c, ray[i][2]);
    expect(i == 0 ? 0 : 1, p, &c, NULL);
    w_free_problem(p);
  }
}

/* A sphere of radius 0.1 at 0. Its points are at the heights z (the first two at z[0]), those of
 * the plane at `above` over it, `wide` around: the difference of heights decides. */
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
    p->pairs = 1;
    p->pair[0] = (w_pair) {2, 0, 1, cases[i].margin, {0}};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 0);
    begin_points(&c, 0, 0, cases[i].count);
    for (unsigned k = 0; k < cases[i].count; k++) {
      const double wide = k % 2 == 0 ? cases[i].wide : -cases[i].wide;
      const double z = k < 4 ? cases[i].z[k / 2] * 9.999999 : cases[i].above[k / 2 - 2];
      const double x = k == 4 || k == 5 ? wide : 0, y = k > 5 ? wide : 0;
      put_vertex(&c, 0, (const double[3]) {x, y, z});
    }
    const double ray[3] = {1, 0, 0};
    for (int k = 0; cases[i].count == 0 && k < 3; k++) {
      w_f32(&c, ray[k]);
    }
    expect(cases[i].code, p, &c, NULL);
    w_free_problem(p);
  }
}

// The witness is at the middle of the motion, which begins at `second` and takes one; the boxes
// touch from 5/16 on.
static void free_until_after(
  double second, int code, unsigned claim, w_time lo, const char * ops)
{
  const uint32_t hit[8] = {7, 4, 2, 1, 0, 3, 5, 6};
  w_problem * p = through(0);
  p->second[0] = second;
  p->second[1] = second + 1;
  w_bytes c = begin_witness(p, claim, lo, (w_time) {0, 1, 1}, 0, 0);
  put_overlap(&c, hit, 0);
  w_bytes o = {0};
  for (; *ops != 0; ops++) {
    if (*ops == 'L') {w_leaf(&o, 1, 0, 0);} else {w_u8(&o, (unsigned char)*ops);}
  }
  expect(code, p, &c, &o);
  w_free_problem(p);
}

static void free_until(int code, unsigned claim, w_time lo, const char * ops)
{
  free_until_after(0, code, claim, lo, ops);
}

// Near 10^9 seconds are told in steps of 2^-23: the difference of two of them is exact.
static void the_reported_time_is_not_after_the_one_that_is_proved(void ** state)
{
  (void)state;
  const double begin = 999999998;
  for (uint64_t i = 0; i < 64; i++) {
    free_until_after(begin, 0, 1, (w_time) {0, i, 28}, "TTLSS");
    assert_true(report.free_until_t_lo && report.t_lo <= report.t_hi);
    const double told = report.t_lo - begin, proved = (double)i * 0x1p-28;
    assert_true(told >= 0.0 && told <= proved && told >= proved - 0x1p-20);
  }
}

static void skipped_intervals_begin_at_t_lo_or_later(void ** state)
{
  (void)state;
  free_until(0, 0, (w_time) {0, 0, 0}, "");
  free_until(0, 1, (w_time) {0, 0, 0}, "S");
  free_until(1, 1, (w_time) {0, 1, 30}, "S");
  free_until(0, 1, (w_time) {0, 1, 2}, "TTLSS");
  free_until(0, 1, (w_time) {0, 256, 10}, "TTLSS");
  free_until(1, 1, (w_time) {0, 257, 10}, "TTLSS");
  free_until(1, 1, (w_time) {0, (UINT64_C(1) << 48) + 1, 50}, "TTLSS");
  free_until(0, 1, (w_time) {0, 9, 5}, "TTLTTTLSSSS");
  free_until(1, 1, (w_time) {0, 9, 5}, "TTLTTSSSS");
  free_until(1, 1, (w_time) {0, 1, 2}, "TTLLS");  // that leaf does not hold
  free_until(3, 1, (w_time) {0, 1, 2}, "TTLS");
  free_until(1, 1, (w_time) {0, 1, 2}, "TTLSSS");
  free_until(1, 0, (w_time) {0, 1, 2}, "TTLSS");  // ops without the claim
  free_until(1, 2, (w_time) {0, 1, 2}, "TTLSS");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_differences_around_zero_are_a_contact),
    cmocka_unit_test(two_close_points_show_the_margin),
    cmocka_unit_test(a_witness_names_a_checked_pair),
    cmocka_unit_test(points_must_belong_to_their_body),
    cmocka_unit_test(curved_points_must_be_inside),
    cmocka_unit_test(a_point_inside_a_solid_is_a_contact),
    cmocka_unit_test(points_beyond_a_plane_are_a_contact),
    cmocka_unit_test(skipped_intervals_begin_at_t_lo_or_later),
    cmocka_unit_test(the_reported_time_is_not_after_the_one_that_is_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
