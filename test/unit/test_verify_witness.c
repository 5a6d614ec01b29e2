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

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit/verify_writer.h"

static const double X[3] = {1, 0, 0};

typedef struct {uint32_t segment; uint64_t numerator; unsigned depth;} w_time;

static void put_time(w_bytes * b, w_time t)
{
  w_u64(b, t.numerator << (50 - t.depth));
  w_u32(b, t.segment);
  w_u32(b, 0);
}

// A point of a list plus an offset; of a curved primitive its middle plus a point of its shape.
static void put_vertex(w_bytes * b, uint32_t position, const double offset[3])
{
  w_f64s(b, offset, 3);
  w_f64(b, 1);
  w_f64(b, 0);
  w_f64(b, 0);
  for (int i = 0; i < 4; i++) {
    w_u32(b, position);
  }
}

static void put_same(w_bytes * b, int count, uint32_t position, const double offset[3])
{
  for (int i = 0; i < count; i++) {
    put_vertex(b, position, offset);
  }
}

static w_bytes begin_witness(
  const w_problem * p, unsigned claim, w_time lo, w_time hi, uint32_t a, uint32_t b)
{
  w_bytes problem = w_write_problem(p);
  w_bytes c = w_certificate_head(p, &problem, 2, 0);
  w_free(&problem);
  put_time(&c, lo);
  put_time(&c, hi);
  w_u32(&c, claim);
  w_u32(&c, a);
  w_u32(&c, b);
  return c;
}

static void begin_points(w_bytes * c, uint32_t part_a, uint32_t part_b, uint32_t count)
{
  w_u32(c, 1);
  w_u32(c, part_a);
  w_u32(c, part_b);
  for (int i = 0; i < 4; i++) {
    w_u32(c, 0);
  }
  w_u32(c, count);
}

static void expect(int code, const w_problem * p, w_bytes * certificate, w_bytes * ops)
{
  struct vouch_verify_report report;
  w_bytes none = {0};
  w_bytes problem = w_write_problem(p);
  w_ops(certificate, ops == NULL ? &none : ops);
  const int got = vouch_verify_memory(
    problem.data, problem.size, certificate->data, certificate->size, &report);
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
  w_bytes c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, still, 0);  // the corner (-0.25, -0.25, -0.25) is inside that tetrahedron
  expect(0, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, miss, 0);
  expect(1, p, &c, NULL);
  // At x = -0.25 the corner 2 of the small box is on a face of the big one: not decided.
  const uint32_t face[8] = {2, 2, 2, 2, 0, 2, 6, 1};
  c = begin_witness(p, 0, half, (w_time) {0, 7, 4}, 0, 1);
  put_overlap(&c, face, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 7, 4}, 0, 1);
  put_overlap(&c, face, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 15, 5}, 0, 1);
  put_overlap(&c, face, 0);
  expect(0, p, &c, NULL);
  // Not yet there at the beginning; the same time written with another depth.
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, UINT64_C(1) << 49, 50}, 0, 1);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  // Order of times, segments, depths, bodies, primitives.
  c = begin_witness(p, 0, (w_time) {0, 3, 2}, half, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {1, 0, 0}, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {0, (UINT64_C(1) << 50) + 1, 50}, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, (w_time) {0, 3, 1}, 0, 1);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 1, 0);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 7);
  put_overlap(&c, hit, 0);
  expect(1, p, &c, NULL);
  c = begin_witness(p, 0, half, half, 0, 1);
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
    w_bytes c = begin_witness(p, 0, (w_time) {0, 1, 2}, (w_time) {0, 1, 2}, 0, 1);
    begin_points(&c, 0, 0, 8);
    put_same(&c, 4, 1, zero);     // (-0.75, -0.25, -0.25)
    for (int k = 0; k < 4; k++) {
      w_f64s(&c, zero, 3);        // (-0.5, -0.5, -0.25): on an edge of the big box
      w_f64(&c, 0.75);
      w_f64(&c, 0.25);
      w_f64(&c, 0);
      w_u32(&c, 0);
      w_u32(&c, 4);
      w_u32(&c, 0);
      w_u32(&c, 0);
    }
    expect(i, p, &c, NULL);
    w_free_problem(p);
  }
}

// An inner group carries the number of no body: a witness must not find its pair there.
static void a_witness_names_two_bodies(void ** state)
{
  (void)state;
  const uint32_t hit[8] = {7, 4, 2, 1, 0, 3, 5, 6};
  const w_time half = {0, 1, 1};
  w_problem * p = through(0);
  w_add_body(p, 0, 1, 0, 3, 0);
  const w_group groups[3] = {{1, 2, W_NONE}, {0, 0, 1}, {0, 0, 2}};
  memcpy(p->group, groups, sizeof(groups));
  p->groups = 3;
  p->pair[0] = (w_pair) {1, 0, 0, 0, {0, 0, 0}};
  w_bytes c = begin_witness(p, 0, half, half, 0, 1);
  put_overlap(&c, hit, 0);
  expect(0, p, &c, NULL);
  const uint32_t none[4] = {3, 4, 0x7fffffff, W_NONE};
  for (int i = 0; i < 4; i++) {
    c = begin_witness(p, 0, half, half, 0, none[i]);
    put_overlap(&c, hit, 0);
    expect(1, p, &c, NULL);
    c = begin_witness(p, 0, half, half, none[i], 1);
    put_overlap(&c, hit, 0);
    expect(1, p, &c, NULL);
    c = begin_witness(p, 0, half, half, none[i], none[i]);
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
    const double off[3] = {i == 1 ? 0.5001 : 0.4999, 0, 0};
    const double back[3] = {-0.4999, 0, 0};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 1);
    begin_points(&c, i == 2 ? 1 : 0, 0, 8);
    put_same(&c, 4, i == 3 ? 1 : 0, off);
    put_same(&c, 4, 0, back);
    expect(i == 0 ? 0 : 1, p, &c, NULL);
  }
  w_free_problem(p);
}

static void curved_points_must_be_inside(void ** state)
{
  (void)state;
  // At distance 10 from each other along x: cylinder, cone, ellipsoid against a sphere.
  const double size[3] = {0.5, 1, 0.25};
  const struct {uint32_t kind; double x[3]; bool inside;} cases[] = {
    {3, {0.3, 0.39, 0.99}, true}, {3, {0.3, 0.41, 0}, false}, {3, {0, 0, 1.01}, false},
    {4, {0, 0, 0.999}, true}, {4, {0.249, 0, 0}, true}, {4, {0.251, 0, 0}, false},
    {4, {0.499, 0, -1}, true}, {4, {0, 0, 1.001}, false}, {4, {0, 0, -1.001}, false},
    {5, {0.499, 0, 0}, true}, {5, {0, 0.99, 0}, true}, {5, {0, 0, 0.26}, false},
    {5, {0.28, 0.56, 0.14}, true}, {5, {0.3, 0.6, 0.15}, false}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_curved(p, cases[i].kind, w_identity, size, 0.1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 10, 0, 0);
    p->pairs = 1;
    p->pair[0] = (w_pair) {0, 0, 1, 20, {0}};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 1, 0}, 0, 1);
    begin_points(&c, 0, 0, 8);
    put_same(&c, 4, 0, cases[i].x);
    put_same(&c, 4, 0, (const double[3]) {0, 0, 0});
    expect(cases[i].inside ? 0 : 1, p, &c, NULL);
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
    w_bytes c = begin_witness(p, 0, at, at, 1, 0);
    w_u32(&c, 2);
    w_u32(&c, i == 4 ? 1 : 0);
    w_u32(&c, 0);
    w_u32(&c, i == 2 ? 0 : 1);
    w_f32(&c, ray[i][0]);
    w_f32(&c, ray[i][1]);
    w_f32(&c, ray[i][2]);
    w_u32(&c, 0);
    expect(i == 0 ? 0 : 1, p, &c, NULL);
    w_free_problem(p);
  }
}

static void points_beyond_a_plane_are_a_contact(void ** state)
{
  (void)state;
  const struct {uint32_t kind; unsigned n; double z[2], offset, margin; int code;} cases[] = {
    {1, 1, {-0.1, 0}, 0.1, 0, 1}, {1, 1, {-0.1, 0}, -0.05, 0, 0}, {1, 2, {-0.1, 0.1}, -0.2, 0, 1},
    {2, 2, {-0.1, 0.1}, 0, 0, 0}, {2, 2, {-0.1, 0.1}, 0.2, 0, 1}, {2, 1, {-0.1, 0}, 0, 0, 1},
    {2, 1, {-0.1, 0}, 0, 0.11, 0}, {2, 1, {-0.1, 0}, 0, 0.09, 1}, {1, 1, {0.1, 0}, 0, 0.11, 0},
    {1, 1, {0.1, 0}, 0, 0.09, 1}, {2, 3, {0, 0}, 0, 1, 1}, {2, 0, {0, 0}, 0, 1, 1}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    w_problem * p = w_one_joint(2, X, 0, 2);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(
      p, cases[i].kind, 0, 0, 1,
      cases[i].kind == 1 && i < 2 ? -cases[i].offset : cases[i].offset);
    p->pairs = 1;
    p->pair[0] = (w_pair) {2, 0, 1, cases[i].margin, {0}};
    w_bytes c = begin_witness(p, 0, (w_time) {0, 0, 0}, (w_time) {0, 0, 0}, 0, 1);
    const unsigned count = cases[i].n == 1 || cases[i].n == 2 ? 4 : cases[i].n;
    begin_points(&c, 0, 0, count);
    for (unsigned k = 0; k < count; k++) {
      const unsigned last = cases[i].n == 1 ? 0 : 1;
      const double z = cases[i].z[k < last ? k : last] * 0.999999;
      put_vertex(&c, 0, (const double[3]) {0, 0, z});
    }
    expect(cases[i].code, p, &c, NULL);
    w_free_problem(p);
  }
}

// The witness is at the middle of the motion; the boxes touch from 5/16 on.
static void free_until(int code, unsigned claim, w_time lo, const char * ops)
{
  const uint32_t hit[8] = {7, 4, 2, 1, 0, 3, 5, 6};
  w_problem * p = through(0);
  w_bytes c = begin_witness(p, claim, lo, (w_time) {0, 1, 1}, 0, 1);
  put_overlap(&c, hit, 0);
  w_bytes o = {0};
  for (; *ops != 0; ops++) {
    if (*ops == 'L') {w_leaf(&o, 1, 0, 0);} else {w_u8(&o, (unsigned char)*ops);}
  }
  expect(code, p, &c, &o);
  w_free_problem(p);
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
    cmocka_unit_test(a_witness_names_two_bodies),
    cmocka_unit_test(points_must_belong_to_their_body),
    cmocka_unit_test(curved_points_must_be_inside),
    cmocka_unit_test(a_point_inside_a_solid_is_a_contact),
    cmocka_unit_test(points_beyond_a_plane_are_a_contact),
    cmocka_unit_test(skipped_intervals_begin_at_t_lo_or_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
