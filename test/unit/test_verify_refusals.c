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

/* Every way in which a problem or a certificate can be malformed is named and refused; every
 * single-bit change of a certificate and of a problem is refused or harmless. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/verify_writer.h"

static const double X[3] = {1, 0, 0};

// A problem with everything in it: meshes with kept vertices, a curved body, a plane, groups, a
// mimic joint, two segments; and ops that prove it.
static w_problem * everything(w_bytes * ops)
{
  w_problem * p = w_one_joint(2, X, 0, 0.25);
  p->frames = 3;
  p->frame[2] = p->frame[1];
  p->frame[2].parent = 1;
  p->frame[2].multiplier = -0.5;
  p->frame[2].joint = 1;
  p->tolerance[0] = 1e-3;
  p->segments = 2;
  p->knot[2] = p->second[2] = 2;
  p->segment[1] = (w_segment) {3, {0.25, 0.25, 0.28125, 0.3125}};
  w_geometry * mesh = w_new_geometry(p);
  w_add_box_mesh(mesh, (const double[3]) {0, 0, 0}, (const double[3]) {1, 0.25, 0.25}, 1);
  w_add_box_mesh(mesh, (const double[3]) {0, 0, 0.75}, (const double[3]) {0.25, 0.25, 0.5}, 1);
  w_tree(mesh, 2);
  w_sphere(p, 0.125);
  w_box(p, 0.125, 0.125, 0.125);
  w_curved(p, 3, w_identity, (const double[3]) {0.125, 0.25, 0}, 0.0625);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0.75, 0, 0.5);
  w_add_body(p, 0, 2, 0, 3, 0);
  w_add_body(p, 0, 2, 0, 4, 0);
  w_add_body(p, 2, 3, 0, 0, 2);
  w_add_plane(p, 1, 0, 0, -1, -6);
  const w_group groups[3] = {{1, 2, W_NONE}, {0, 0, 2}, {0, 0, 3}};
  memcpy(p->group, groups, sizeof(groups));
  p->groups = 3;
  p->pairs = 3;
  p->pair[0] = (w_pair) {0, 0, 1, 0.01, {0}};
  p->pair[1] = (w_pair) {1, 4, 0, 0.02, {0.02, 0.01, 0.02}};
  p->pair[2] = (w_pair) {2, 4, 5, 0.5, {0}};
  // Pair 0: the sphere in the corner of the mesh, from 0.125 to 0.25 away. Split in time.
  w_u8(ops, 'T');
  for (int i = 0; i < 2; i++) {
    w_u8(ops, 'A');
    if (i == 0) {
      w_ray(ops, 0.25, 0.5, 0.125);
      w_ray(ops, 0.25, 0.5, 0.125);
    }
    w_leaf(ops, 0, 0, 1);
    w_u8(ops, 'T');
    w_leaf(ops, 1, 0, 0);
    w_leaf(ops, 1, 0, 0);
  }
  w_leaf(ops, 0, 1, 0);
  w_u8(ops, 'P');
  w_u8(ops, 0);
  return p;
}

static int verify(const w_problem * p, const w_bytes * ops, struct vouch_verify_report * report)
{
  w_bytes copy = {0};
  w_put(&copy, ops->data, ops->size);
  return w_verify_free(p, &copy, 0.01, report);
}

// Applies a change to a fresh copy of the problem and expects the code.
#define CHANGED(code, change) \
  do { \
    struct vouch_verify_report report; \
    w_bytes ops = {0}; \
    w_problem * p = everything(&ops); \
    w_geometry * mesh = p->geometry[0]; \
    (void)mesh; \
    change; \
    const int got = verify(p, &ops, &report); \
    if (got != (code)) {print_message("%s: got %d: %s\n", #change, got, report.reason);} \
    assert_int_equal(got, code); \
    assert_true(got == 0 || report.reason[0] != 0); \
    w_free(&ops); \
    w_free_problem(p); \
  } while (0)

// The proof of the mesh as a surface: nothing is owed for it.
static w_bytes without_rays(w_bytes ops)
{
  w_bytes rest = {0};
  for (size_t i = 0; i < ops.size; ) {
    const size_t size = ops.data[i] == 'L' || ops.data[i] == 'I' ? 13 : ops.data[i] == 'P' ? 2 : 1;
    if (ops.data[i] != 'I') {w_put(&rest, ops.data + i, size);}
    i += size;
  }
  w_free(&ops);
  return rest;
}

static void malformed_geometry_is_refused(void ** state)
{
  (void)state;
  CHANGED(0, (void)0);
  CHANGED(3, mesh->vertex[0][0] = (double)NAN);
  CHANGED(3, mesh->vertex[0][0] = (double)INFINITY);
  CHANGED(3, mesh->vertex[0][0] = 1.0000001e6);
  CHANGED(3, mesh->index[0] = 16);
  CHANGED(3, mesh->component[0] = 3);  // triangles in a convex component
  CHANGED(3, mesh->component[0] = 4);
  CHANGED(3, mesh->primitive[0].component = 2);
  CHANGED(3, mesh->primitive[0].component = 1);  // the boxes are no longer closed
  CHANGED(3, mesh->primitive[0].count = 2);
  CHANGED(3, mesh->primitive[0].count = 4);
  CHANGED(3, mesh->primitive[0].count = W_NONE);
  CHANGED(3, mesh->primitive[0].radius = -1);
  CHANGED(3, mesh->components = 3);  // a component without primitives
  CHANGED(3, p->geometry[1]->primitive[0].count = 0);
  CHANGED(3, p->geometry[1]->component[0] = 0);
  CHANGED(3, p->geometry[3]->primitive[0].count = 2);
  CHANGED(3, p->geometry[3]->component[0] = 1);
  CHANGED(3, p->geometry[3]->curve[0][0] = 0.1);
  CHANGED(3, p->geometry[3]->curve[0][3] = 0.99);
  CHANGED(3, p->geometry[3]->curve[0][7] = -0.125);
  CHANGED(3, p->geometry[3]->curve[0][8] = -0.125);
  CHANGED(3, p->geometry[3]->curve[0][8] = (double)NAN);
  CHANGED(3, p->geometry[3]->thickness = 0.125);    // round along its height: reaches further
  CHANGED(3, p->geometry[3]->odd_tip = 2);          // neither a cylinder nor a cone
  CHANGED(3, p->geometry[2]->odd_radius = 0.125);   // only one point may have a shape
  CHANGED(0, p->geometry[1]->odd_radius = 0.03125);
  CHANGED(3, mesh->odd_radius = 0.125);
  CHANGED(3, mesh->nodes = 0);
  CHANGED(3, p->geometry[1]->primitives = 0);
}

// Nothing is read beyond the end of a table: the first list that does not fit is named.
static void a_table_that_is_too_short_is_named(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  memset(p->geometry[0]->component, 0, 2);   // surfaces, whose edges need not match
  p->geometry[0]->primitive[5].count = 2;    // it writes two numbers, and its component says three
  assert_int_equal(verify(p, &ops, &report), 3);
  assert_non_null(strstr(report.reason, "too short"));
  w_free(&ops);
  w_free_problem(p);
}

// The twin of an edge of a mesh in which every edge has exactly one.
static uint32_t twin_of(const w_geometry * mesh, uint32_t edge)
{
  static uint32_t free_edges[3 * W_MAX];
  memset(free_edges, 0xff, sizeof(free_edges));
  return w_twin(mesh, free_edges, edge);
}

// Two pairs of twins change partners.
static void swap_twins(w_geometry * mesh, uint32_t e, uint32_t f)
{
  const uint32_t a = twin_of(mesh, e), b = twin_of(mesh, f);
  w_force_twin(mesh, e, f);
  w_force_twin(mesh, f, e);
  w_force_twin(mesh, a, b);
  w_force_twin(mesh, b, a);
}

// The first triangle once more: its edges run along the twins of the first, which have theirs.
static void double_sheet(w_geometry * mesh)
{
  const uint32_t extra = (uint32_t)mesh->primitives;
  for (uint32_t j = 0; j < 3; j++) {
    w_force_twin(mesh, 3 * extra + j, twin_of(mesh, j));
    w_force_twin(mesh, twin_of(mesh, j), j);
    w_force_twin(mesh, j, twin_of(mesh, j));
  }
  mesh->primitive[extra] = mesh->primitive[0];
  mesh->primitives++;
  mesh->kept = 0;
  w_tree(mesh, 2);
}

// A triangle in the other component keeps its twins, which are not of its component any more.
static void lend_triangle(w_geometry * mesh)
{
  for (uint32_t j = 0; j < 3; j++) {
    w_force_twin(mesh, j, twin_of(mesh, j));
    w_force_twin(mesh, twin_of(mesh, j), j);
  }
  mesh->primitive[0].component = 1;
}

// Solids must be closed; the twins of their edges show it.
static void open_solids_are_refused(void ** state)
{
  (void)state;
  for (uint32_t e = 0; e < 72; e++) {
    CHANGED(3, mesh->wrong_twin = e + 1);
  }
  CHANGED(3, swap_twins(mesh, 0, 4));
  CHANGED(3, double_sheet(mesh));
  CHANGED(3, lend_triangle(mesh));
  CHANGED(3, mesh->index[0] = 7);
  CHANGED(3, mesh->index[1] = mesh->index[2]);
  CHANGED(3, mesh->index[0] = mesh->index[1]; mesh->index[1] = mesh->index[2]);
  // Turned over: closed with the rest, but not the same way round.
  CHANGED(
    3, const uint32_t x = mesh->index[0]; mesh->index[0] = mesh->index[1]; mesh->index[1] = x);
  CHANGED(0, mesh->component[0] = 0; mesh->component[1] = 0; ops = without_rays(ops));
  CHANGED(
    0, mesh->component[0] = 0; mesh->component[1] = 0; mesh->wrong_twin = 1;
    ops = without_rays(ops));
}

static void malformed_trees_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, mesh->node[0].left = 0; mesh->node[0].right = 0);
  CHANGED(3, mesh->node[1].left = 0; mesh->node[1].right = 0);
  CHANGED(3, mesh->node[mesh->nodes - 1].left = 1);  // children that are not there
  CHANGED(3, mesh->node[mesh->nodes] = mesh->node[mesh->nodes - 1]; mesh->nodes++);
  CHANGED(3, mesh->nodes--);
  CHANGED(3, mesh->kept_index[0] = 16);
  CHANGED(3, mesh->node[0].kept_count = 129);
  CHANGED(0, mesh->node[0].kept_count++);   // one more, of the next node's
  CHANGED(3, mesh->node[0].kept_count--);   // a point is neither kept nor has a witness
  CHANGED(0, mesh->node[0].kept_count = 0);
  CHANGED(0, mesh->node[0].kept_count = 16);
  CHANGED(0, mesh->kept = 0; w_tree(mesh, 100));
  CHANGED(3, mesh->kept = 0; w_tree(mesh, 6));   // vertices are kept above nodes that keep none
}

// The root of the mesh keeps the first box and the upper half of the second one, whose lower half
// is on the first: mixtures of its two upper edges along x.
static void drop_lower_half(w_geometry * mesh)
{
  w_node * root = &mesh->node[0];
  const w_node * right = &mesh->node[root->right];
  uint32_t kept[16], count = 0;
  for (uint32_t i = 0; i < root->kept_count; i++) {
    const uint32_t vertex = mesh->kept_index[root->kept_first + i];
    if (vertex < 8 || mesh->vertex[vertex][2] > 1) {kept[count++] = vertex;}
  }
  memcpy(mesh->kept_index + root->kept_first, kept, count * sizeof(kept[0]));
  root->kept_count = count;
  for (uint32_t i = 0; i < right->kept_count; i++) {
    const double * v = mesh->vertex[mesh->kept_index[right->kept_first + i]];
    w_witness w = {{0, 0, 0, 0}, {0, 0, 0}};
    for (uint32_t k = 0; k < count; k++) {
      const double * c = mesh->vertex[kept[k]];
      if (kept[k] > 7 || c[1] < v[1] || c[1] > v[1] || c[2] < 0) {continue;}
      w.index[c[0] < 0 ? 0 : 1] = (uint8_t)k;
      w.weight[c[0] < 0 ? 0 : 1] = (float)(0.5 * (1.0 + (c[0] < 0 ? -v[0] : v[0])));
    }
    if (v[2] < 1) {mesh->witness[mesh->witnesses++] = w;}
  }
}

// The last pair becomes the root of the mesh, 4.25 below the plane.
static void root_and_plane(w_problem * p)
{
  p->pair[2].a = 0;
  p->pair[2].margin = 4.2;
}

static void witnesses_of_kept_vertices_are_checked(void ** state)
{
  (void)state;
  CHANGED(0, drop_lower_half(mesh); assert_int_equal(mesh->witnesses, 4));
  CHANGED(3, drop_lower_half(mesh); mesh->witness[0].index[0] = 16);
  CHANGED(3, drop_lower_half(mesh); mesh->witness[0].index[3] = 200);
  CHANGED(3, drop_lower_half(mesh); mesh->witness[0].weight[0] = -0.5f);
  CHANGED(3, drop_lower_half(mesh); mesh->witness[0].weight[1] = (float)NAN);
  CHANGED(3, drop_lower_half(mesh); mesh->witnesses--);
  CHANGED(
    3, drop_lower_half(mesh); mesh->witness[mesh->witnesses] = mesh->witness[0];
    mesh->witnesses++);
  // A witness that is off makes epsilon large, and with it the leaves fail.
  CHANGED(0, root_and_plane(p); drop_lower_half(mesh));
  CHANGED(1, root_and_plane(p); drop_lower_half(mesh); mesh->witness[3].index[0] ^= 1);
  CHANGED(1, root_and_plane(p); drop_lower_half(mesh); mesh->witness[2].weight[0] = 1.0f);
  CHANGED(3, root_and_plane(p); drop_lower_half(mesh); mesh->witness[2].weight[0] = 1.125f);
  CHANGED(3, drop_lower_half(mesh); mesh->witness[2].weight[2] = (float)INFINITY);
  CHANGED(1, root_and_plane(p); drop_lower_half(mesh); mesh->witness[1].weight[1] = 0.0f);
  CHANGED(
    0, drop_lower_half(mesh); mesh->witness[0].index[2] = mesh->witness[0].index[0];
    mesh->witness[0].weight[2] = 0.5f * mesh->witness[0].weight[0];
    mesh->witness[0].weight[0] *= 0.5f);
  CHANGED(
    0, drop_lower_half(mesh); mesh->witness[0].weight[0] = 0.0f;
    mesh->witness[0].index[3] = mesh->witness[0].index[0]);
}

static void malformed_scenes_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, p->frame[0].joint = 1; p->frame[0].axis[0] = 1);
  CHANGED(3, p->frame[0].parent = 1);
  CHANGED(3, p->frame[1].parent = 1);
  CHANGED(3, p->frame[2].parent = 7);
  CHANGED(3, p->frame[1].joint = 3);
  CHANGED(3, p->frame[1].axis[0] = 0);
  CHANGED(3, p->frame[1].axis[0] = (double)NAN);
  CHANGED(3, p->frame[1].variable = 1);
  CHANGED(3, p->frame[1].multiplier = 65537);
  CHANGED(3, p->frame[1].pose[3] = 1.01);
  CHANGED(0, p->frame[1].pose[3] = 1.0001);
  CHANGED(3, p->frames = 0);
  CHANGED(3, p->body[0].kind = 3);
  CHANGED(3, p->body[0].frame = 3);
  CHANGED(3, p->body[0].geometry = 4);
  CHANGED(3, p->body[0].placement[3] = 2);
  CHANGED(3, p->body[5].placement[0] = 1.01);
  CHANGED(3, p->body[5].placement[6] = (double)NAN);
  CHANGED(3, p->group[0].body = 2);
  CHANGED(3, p->group[1].body = W_NONE);
  CHANGED(3, p->group[1].body = 6);
  CHANGED(3, p->group[1].body = 5);  // a plane
  CHANGED(3, p->group[1].body = p->group[2].body);
  CHANGED(3, p->group[1].body = 0);  // not on frame 0
  CHANGED(3, p->group[p->groups] = p->group[1]; p->groups++);
  CHANGED(3, p->pair[0].a = 6);
  CHANGED(3, p->pair[0].b = 6);
  CHANGED(3, p->pair[0].b = 0);
  CHANGED(1, p->pair[0].b = 5);  // now a plane, for which the ops are wrong
  CHANGED(3, p->pair[0].a = 5);
  CHANGED(3, p->pair[0].margin = -0.01);
  CHANGED(3, p->pair[0].margin = -1);
  CHANGED(1, p->pair[0].kind = 1);  // now a group's, with margins 0
  CHANGED(3, p->pair[0].margin = (double)NAN);
  CHANGED(3, p->pair[1].entries[0] = 0.01);
  CHANGED(3, p->pair[1].entries[1] = -0.5);
  CHANGED(3, p->pair[1].entries[0] = -1);
  CHANGED(1, p->pair[2].b = 1);
  CHANGED(3, p->groups = 0);
}

static void malformed_motions_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, p->tolerance[0] = -1e-3);
  CHANGED(3, p->tolerance[0] = (double)NAN);
  CHANGED(3, p->knot[0] = -1);
  CHANGED(3, p->knot[1] = 0);
  CHANGED(3, p->knot[1] = 2);
  CHANGED(3, p->knot[2] = 1.1e9);
  CHANGED(3, p->second[1] = 3);   // time runs back in reports
  CHANGED(3, p->second[1] = (double)NAN);
  CHANGED(3, p->segment[0].degree = 0);
  CHANGED(3, p->segment[0].degree = 6);
  CHANGED(3, p->segment[0].b[0] = 70000);
  CHANGED(3, p->segments = 0);
  // Not malformed, but no longer what the ops prove.
  CHANGED(1, p->segment[1].b[2] = 0.75);
  CHANGED(1, p->segment[1].b[0] = 0.250001; p->segment[0].b[1] = 0.25);
  CHANGED(1, p->tolerance[0] = 0.13);
}

static void other_claims_are_refused(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  w_bytes problem = w_write_problem(p);
  w_bytes good = w_certificate_head(p, &problem, 1, 0.01);
  w_ops(&good, &ops);
  const struct {size_t at; uint8_t flip; int code; const char * reason;} cases[] = {
    {0, 1, 3, "version"}, {8, 2, 3, "version"}, {12, 4, 3, "version"}, {15, 1, 3, "version"},
    {16, 1, 1, "another problem"}, {48, 128, 1, "another problem"}, {111, 4, 1, "another problem"},
    {119, 0x80, 1, "margin"}, {118, 0x20, 1, "margin"}, {120, 1, 1, "tolerance"},
    {127, 0x80, 1, "tolerance"}, {128, 1, 1, "op"}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    good.data[cases[i].at] ^= cases[i].flip;
    const int code =
      vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report);
    if (code != cases[i].code || strstr(report.reason, cases[i].reason) == NULL) {
      fail_msg("case %zu: %d %s", i, code, report.reason);
    }
    good.data[cases[i].at] ^= cases[i].flip;
  }
  assert_int_equal(
    vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report),
    0);
  // Every shorter file, and a longer one.
  for (size_t size = 0; size < good.size; size++) {
    assert_int_equal(
      vouch_verify_memory(NULL, problem.data, problem.size, good.data, size, &report), 3);
  }
  for (size_t size = 0; size < problem.size; size += 7) {
    assert_int_equal(
      vouch_verify_memory(NULL, problem.data, size, good.data, good.size, &report), 3);
  }
  w_u8(&good, 0);
  assert_int_equal(
    vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report),
    1);
  good.size--;
  w_u8(&problem, 0);
  assert_int_equal(
    vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report),
    3);
  w_free(&good);
  w_free(&problem);
  w_free(&ops);
  w_free_problem(p);
}

/* A changed certificate that is accepted must still be a proof. Here that can only be: another
 * direction of a leaf (any direction that passes is one), another ray of an I, a smaller margin
 * (a weaker claim). All other bytes (header, hashes, kind, tolerances, lengths, tags, the side of
 * the plane) have no accepted change. */
static void single_bits_of_a_certificate(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  w_bytes problem = w_write_problem(p);
  w_bytes good = w_certificate_head(p, &problem, 1, 0.01);
  const size_t first = good.size;
  w_ops(&good, &ops);
  // Which bytes of the ops belong to directions or rays.
  bool * free_byte = calloc(good.size, 1);
  for (size_t i = first; i < good.size; ) {
    const bool number = good.data[i] == 'L' || good.data[i] == 'I';
    for (size_t k = 1; number && k < 13; k++) {
      free_byte[i + k] = true;
    }
    i += number ? 13 : good.data[i] == 'P' ? 2 : 1;
  }
  for (size_t i = 112; i < 120; i++) {
    free_byte[i] = true;
  }
  size_t accepted = 0;
  for (size_t i = 0; i < 8 * good.size; i++) {
    good.data[i / 8] ^= (uint8_t)(1u << (i % 8));
    const int code =
      vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report);
    if (code == 0) {
      accepted++;
      if (!free_byte[i / 8]) {fail_msg("bit %zu of byte %zu", i % 8, i / 8);}
      assert_true(report.margin >= 0.0 && report.margin <= 0.01);
    } else {
      assert_true(report.reason[0] != 0);
    }
    good.data[i / 8] ^= (uint8_t)(1u << (i % 8));
  }
  print_message(
    "%zu of %zu bit changes accepted: directions, rays, a smaller margin\n", accepted,
    8 * good.size);
  assert_true(accepted < 8 * good.size / 2);
  free(free_byte);
  w_free(&good);
  w_free(&problem);
  w_free(&ops);
  w_free_problem(p);
}

// The code for everything() after a change of its geometry, with what was kept; right hashes.
static int next(struct vouch_verify_kept * kept, int change)
{
  struct vouch_verify_report report, alone;
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  if (change == 1) {p->geometry[1]->primitive[0].radius = 0.3;}   // no longer apart
  if (change == 2) {p->geometry[3]->primitive[0].radius = -1;}    // malformed, after good ones
  if (change == 3) {p->geometry[0]->primitive[0].component = 7;}
  w_bytes problem = w_write_problem(p);
  w_bytes certificate = w_certificate_head(p, &problem, 1, 0.01);
  w_ops(&certificate, &ops);
  if (change == 4) {   // a geometry part of no bytes
    uint64_t length;
    memcpy(&length, problem.data + 16, sizeof(length));
    memmove(problem.data + 24, problem.data + 24 + length, problem.size - 24 - (size_t)length);
    problem.size -= (size_t)length;
    memset(problem.data + 16, 0, sizeof(length));
  }
  const int code = vouch_verify_memory(
    kept, problem.data, problem.size, certificate.data, certificate.size, &report);
  assert_int_equal(
    vouch_verify_memory(
      NULL, problem.data, problem.size, certificate.data, certificate.size, &alone), code);
  assert_string_equal(report.reason, alone.reason);
  assert_memory_equal(report.hash, alone.hash, sizeof(alone.hash));
  w_free(&problem);
  w_free(&certificate);
  w_free(&ops);
  w_free_problem(p);
  return code;
}

static void a_kept_geometry_answers_for_its_own_bytes_only(void ** state)
{
  (void)state;
  struct vouch_verify_kept kept = {.length = 0};
  const int changes[13] = {0, 0, 1, 1, 0, 2, 4, 2, 0, 3, 4, 0, 0};
  const int codes[5] = {0, 1, 3, 3, 3};
  for (int i = 0; i < 13; i++) {
    assert_int_equal(next(&kept, changes[i]), codes[changes[i]]);
    assert_true((kept.length > 0) == (codes[changes[i]] != 3));
  }
  vouch_verify_forget(&kept);
  vouch_verify_forget(&kept);
}

static void bits_of_a_problem_change_its_hash(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  w_bytes problem = w_write_problem(p);
  w_bytes good = w_certificate_head(p, &problem, 1, 0.01);
  w_ops(&good, &ops);
  for (size_t i = 0; i < 8 * problem.size; i += 11) {
    problem.data[i / 8] ^= (uint8_t)(1u << (i % 8));
    const int code =
      vouch_verify_memory(NULL, problem.data, problem.size, good.data, good.size, &report);
    if (code == 0) {fail_msg("bit %zu of byte %zu", i % 8, i / 8);}
    problem.data[i / 8] ^= (uint8_t)(1u << (i % 8));
  }
  w_free(&good);
  w_free(&problem);
  w_free(&ops);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(malformed_geometry_is_refused),
    cmocka_unit_test(a_table_that_is_too_short_is_named),
    cmocka_unit_test(open_solids_are_refused),
    cmocka_unit_test(malformed_trees_are_refused),
    cmocka_unit_test(witnesses_of_kept_vertices_are_checked),
    cmocka_unit_test(malformed_scenes_are_refused),
    cmocka_unit_test(malformed_motions_are_refused),
    cmocka_unit_test(other_claims_are_refused),
    cmocka_unit_test(single_bits_of_a_certificate),
    cmocka_unit_test(a_kept_geometry_answers_for_its_own_bytes_only),
    cmocka_unit_test(bits_of_a_problem_change_its_hash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
