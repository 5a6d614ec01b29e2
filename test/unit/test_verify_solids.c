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

/* Solids and open meshes at a start: which rays are owed, what they show, which lies about a solid
 * are refused. The truth is known in closed form. [L8] */

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

static const double ZERO[3] = {0, 0, 0};

// An upside-down T of two boxes as triangles, moving along x, a sphere in its corner.
static w_problem * corner(double z, uint32_t solid, uint32_t other)
{
  w_problem * p = w_one_joint(2, X, 0, 0.1);
  w_geometry * g = w_new_geometry(p);
  w_add_box_mesh(g, ZERO, (const double[3]) {1, 0.2, 0.2}, solid);
  w_add_box_mesh(g, (const double[3]) {0, 0, 0.7}, (const double[3]) {0.2, 0.2, 0.4}, other);
  w_tree(g);
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
  // Two solids, one of two parts, one solid beside a surface, surfaces only.
  const struct {uint32_t solid, other; int rays;} cases[4] = {
    {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 0, 0}
  };
  for (int i = 0; i < 4; i++) {
    w_bytes ops = {0};
    w_problem * p = corner(0.35, cases[i].solid, cases[i].other);
    w_leaf(&ops, 0.7, 0, 0.7);
    expect(1, p, &ops);
    for (int rays = 0; rays < 4; rays++) {
      corner_ops(&ops, rays);
      expect(rays == cases[i].rays ? 0 : 1, p, &ops);
    }
    // After a split in time only the half that begins at the start owes its rays.
    w_u8(&ops, 'T');
    corner_ops(&ops, cases[i].rays);
    corner_ops(&ops, 0);
    expect(0, p, &ops);
    w_u8(&ops, 'T');
    corner_ops(&ops, cases[i].rays);
    corner_ops(&ops, cases[i].rays);
    expect(cases[i].rays > 0, p, &ops);
    // Beyond a jump there is another start.
    p->segments = 2;
    p->knot[2] = p->second[2] = 2;
    p->segment[1] = (w_segment) {1, {0.05, 0}};
    w_u8(&ops, 'T');
    corner_ops(&ops, cases[i].rays);
    corner_ops(&ops, 0);
    expect(cases[i].rays > 0, p, &ops);
    w_u8(&ops, 'T');
    corner_ops(&ops, cases[i].rays);
    corner_ops(&ops, cases[i].rays);
    expect(0, p, &ops);
    w_free_problem(p);
    p = corner(0.29, cases[i].solid, cases[i].other);
    corner_ops(&ops, cases[i].rays);
    expect(1, p, &ops);
    w_free_problem(p);
  }
}

// Leaves for what is left of a box mesh around 0 after its root was left with this op, for a body
// at x inside or beside it, in the order in which goals are taken.
static void leave_box(w_bytes * ops, const w_geometry * g, char op, double x)
{
  static const double m[6][3] = {
    {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}
  };
  const double sign = op == 'A' ? -1 : 1;
  uint32_t queue[W_NODES] = {1, g->node[0].right};
  for (int head = 0, tail = 2; head < tail; head++) {
    const w_node * n = &g->node[queue[head]];
    if (n->right != 0) {
      w_u8(ops, (unsigned char)op);
      queue[tail++] = queue[head] + 1;
      queue[tail++] = n->right;
    } else if (fabs(x) < 0.5) {
      const double * d = m[w_number(g, queue[head]) / 2];
      w_leaf(ops, sign * d[0], sign * d[1], sign * d[2]);
    } else {
      w_leaf(ops, x > 0 ? -sign : sign, 0, 0);
    }
  }
}

// A small box mesh that moves by 0.01 from x on; a hollow big one around 0; solids or not.
static void hollow(
  int code, double x, uint32_t big, uint32_t small, int rays, double length)
{
  for (int swapped = 0; swapped < 2; swapped++) {
    w_problem * p = w_one_joint(2, X, 0, 0.01);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, big);
    w_tree(g);
    w_geometry * s = w_new_geometry(p);
    w_add_box_mesh(s, ZERO, (const double[3]) {0.05, 0.05, 0.05}, small);
    w_tree(s);
    w_add_body(p, 0, 0, 0, 0, 0);
    w_add_body(p, 1, 1, x, 0.01, 0.02);
    pair_of(p, 1 - (uint32_t)swapped, (uint32_t)swapped, 0);
    w_bytes ops = {0};
    w_u8(&ops, swapped ? 'A' : 'B');
    for (int i = 0; i < rays; i++) {
      w_ray(&ops, 0.23 * length, 0.31 * length, 0.17 * length);
    }
    leave_box(&ops, g, swapped ? 'A' : 'B', x);
    expect(code, p, &ops);
    w_free_problem(p);
  }
}

// [V-WINDING] [V-OUTSIDE]
static void a_body_inside_a_solid_is_not_free(void ** state)
{
  (void)state;
  hollow(0, 0, 0, 0, 0, 1);     // surfaces: inside is allowed
  hollow(1, 0, 1, 0, 1, 1);     // inside a solid
  hollow(1, 0, 1, 0, 0, 1);     // the ray is owed
  hollow(0, 0.7, 1, 0, 1, 1);   // beside it
  hollow(0, 0.7, 1, 0, 1, 1e5);
  hollow(0, 0.7, 1, 0, 1, 1e-5);
  hollow(1, 0.7, 1, 0, 1, 0);   // no direction at all
  hollow(0, 0.7, 1, 1, 2, 1);   // both are solids
  hollow(1, 0.7, 1, 1, 1, 1);
  hollow(0, -0.7, 0, 1, 1, 1);  // the big surface is not inside the small solid
  hollow(0, 0, 0, 1, 1, 1);
  hollow(1, 0, 1, 1, 2, 1);
}

// Two triangles, at x = 0.8 and around `second`, against a solid box. `numbers` are their vertices: a
// part of the body owes a ray for every vertex that none of its primitives joins to a lower one.
static void two_triangles(int code, double second, const uint32_t numbers[6], int rays)
{
  const double at[6][3] = {{0.8, 0, 0}, {0.8, 0.1, 0}, {0.8, 0, 0.1}, {second, 0, 0},
    {second, 0.1, 0.05}, {second, 0.03, 0.1}};
  w_problem * p = w_one_joint(2, X, 0, 0.01);
  w_geometry * g = w_new_geometry(p);
  w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, 1);
  w_tree(g);
  w_geometry * s = w_new_geometry(p);
  w_primitive(s, 1, 3);
  w_primitive(s, 1, 3);
  for (int i = 0; i < 6; i++) {
    memcpy(s->vertex[i + 1], at[0], sizeof(at[0]));
  }
  for (int i = 0; i < 6; i++) {
    memcpy(s->vertex[numbers[i]], at[i], sizeof(at[i]));
    s->primitive[i / 3].list[i % 3] = numbers[i];
    s->vertices = s->vertices > (int)numbers[i] ? s->vertices : (int)numbers[i] + 1;
  }
  w_tree(s);
  w_add_body(p, 0, 0, 0, 0, 0);
  w_add_body(p, 1, 1, 0, 0, 0);
  pair_of(p, 1, 0, 0);
  w_bytes ops = {0};
  w_u8(&ops, 'A');
  for (int i = 0; i < rays; i++) {
    w_ray(&ops, 0.23, 0.31, 0.17);
  }
  // Both goals are split alike; their goals alternate in packs of two.
  static const double m[6][3] = {
    {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}
  };
  uint32_t queue[W_NODES] = {0, 0};
  int which[W_NODES] = {0, 1};
  for (int head = 0, tail = 2; head < tail; head++) {
    const w_node * n = &g->node[queue[head]];
    const double x = which[head] == 0 ? 0.8 : second, * d = m[w_number(g, queue[head]) / 2];
    if (n->right != 0) {
      w_u8(&ops, 'B');
      which[tail] = which[tail + 1] = which[head];
      queue[tail++] = queue[head] + 1;
      queue[tail++] = n->right;
    } else if (x > 0.5) {
      w_leaf(&ops, -1, 0, 0);
    } else {
      w_leaf(&ops, d[0], d[1], d[2]);
    }
  }
  expect(code, p, &ops);
  w_free_problem(p);
}

static void every_connected_part_owes_its_rays(void ** state)
{
  (void)state;
  const uint32_t apart[6] = {1, 2, 3, 4, 5, 6}, joined[6] = {1, 2, 3, 2, 4, 5};
  const uint32_t late[6] = {2, 3, 4, 1, 3, 5}, turned[6] = {2, 3, 1, 2, 4, 5};
  const uint32_t unsorted[6] = {1, 2, 3, 6, 4, 5}, spare[6] = {1, 2, 3, 1, 5, 6};
  two_triangles(1, 0, apart, 1);     // the second one is inside, and its ray is missing
  two_triangles(1, 0, apart, 2);     // its ray says so
  two_triangles(1, 0.7, apart, 1);   // that it is outside is to be shown
  two_triangles(0, 0.7, apart, 2);
  two_triangles(0, 0.7, joined, 1);   // a common vertex makes them one
  two_triangles(1, 0.7, joined, 2);
  two_triangles(1, 0.7, late, 1);    // one part, of whose vertices 1 and 2 none is joined
  two_triangles(0, 0.7, late, 2);
  two_triangles(1, 0.7, turned, 1);   // 1 is joined to nothing lower, 2 begins both lists
  two_triangles(0, 0.7, turned, 2);
  two_triangles(1, 0.7, unsorted, 3);   // 4, 5 and 6 are not joined to a lower one
  two_triangles(0, 0.7, unsorted, 4);
  two_triangles(1, 0.7, spare, 1);   // a vertex of no primitive
  two_triangles(0, 0.7, spare, 2);
}

// [V-DET]
static void a_ray_through_an_edge_decides_nothing(void ** state)
{
  (void)state;
  // From (0.75, 0, 0) towards the edge x = y = 0.5 of a solid box, past it, and away from it.
  for (int i = 0; i < 3; i++) {
    w_problem * p = w_one_joint(2, Y, 0, 0.125);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, 1);
    w_tree(g);
    w_sphere(p, 0.125);
    w_add_body(p, 0, 0, 0, 0, 0);
    w_add_body(p, 1, 1, 0.75, 0, 0);
    pair_of(p, 1, 0, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'B');
    w_ray(&ops, i == 2 ? 0.25 : -0.25, i == 0 ? 0.5 : 0.625, 0);
    w_leaf(&ops, -1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    if (i == 0) {
      expect_reason(1, "a ray meets an edge", p, &ops);
    } else {
      expect(0, p, &ops);
    }
    w_free_problem(p);
  }
}

// A ball of radius 0.05 at `at` inside or beside a solid box that is turned and moved, and rays of
// all kinds: nothing but "outside" is ever shown of a ball outside, and never of one inside.
static void rays_in_all_directions_agree(void ** state)
{
  (void)state;
  const double place[5][3] = {{0.1, 0.2, 0.3}, {-0.4, 0.1, 0}, {0.9, 0.1, 0.2}, {0.1, -1, 0.1},
    {-0.7, -0.7, -0.7}};
  for (int k = 0; k < 5; k++) {
    const double * at = place[k], turn[4] = {0.5, 0.5, 0.5, 0.5};   // x to y, y to z, z to x
    int shown = 0;
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, 1);
    w_tree(g);
    w_sphere(p, 0.01);
    w_add_body(p, 1, 0, 1, 2, 3);
    memcpy(p->body[0].pose, turn, sizeof(turn));
    w_add_body(p, 0, 1, 1 + at[2], 2 + at[0], 3 + at[1]);
    pair_of(p, 0, 1, 0);
    w_bytes problem = w_write_problem(p);
    struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &said);
    assert_non_null(v);
    for (int i = 0; i < 343; i++) {
      w_bytes c = w_certificate_head(&problem, 1, W_ONE);
      w_u8(&c, 'A');
      w_ray(&c, i % 7 - 3 + 0.013, i / 7 % 7 - 3 + 0.027, i / 49 - 3 - 0.019);
      w_leaf(&c, 0, 0, 0);
      // The leaf never holds: what matters is whether the ray comes to it.
      assert_int_equal(vouch_verify_check(v, c.data, c.size, &said), 1);
      const bool in = strstr(said.text, "a vertex is in a solid") != NULL;
      const bool out = strstr(said.text, "a leaf does not hold") != NULL;
      shown += in || out;
      assert_false(k < 2 ? out : in);
      w_free(&c);
    }
    assert_true(shown > 300);
    free(v);
    w_free(&problem);
    w_free_problem(p);
  }
}

// A box without a lid is called a solid: the ray from the ball inside leaves where the lid is not.
static void an_open_box_is_no_solid(void ** state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, ZERO, (const double[3]) {0.5, 0.5, 0.5}, 1);
    if (i == 1) {memmove(g->primitive + 2, g->primitive + 4, 8 * sizeof(w_node));}
    g->primitives -= i == 1 ? 2 : 0;
    w_tree(g);
    for (int k = 0; i == 1 && k < 3 * g->nodes; k++) {
      uint32_t * twin = &g->node[k / 3].twins[k % 3];
      if (*twin == W_NONE) {*twin = (uint32_t)k;}
    }
    // Or its lid belongs to no solid, or to another one.
    for (int k = 0; i == 2 && k < g->nodes; k++) {
      const uint32_t number = w_number(g, (uint32_t)k);
      if (g->node[k].solid > 0 && (number == 2 || number == 3)) {g->node[k].solid = 2;}
    }
    w_sphere(p, 0.01);
    w_add_body(p, 1, 1, 0, 0, 0);
    w_add_body(p, 0, 0, 0, 0, 0);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'B');
    w_ray(&ops, 0.05, 0.03, 0.99);
    leave_box(&ops, g, 'B', 0);
    expect(i == 0 ? 1 : 3, p, &ops);
    w_free_problem(p);
  }
}

// A ball goes down from 0.3 between two open walls whose hull ends at z = 0.
static w_problem * walls(double to, uint32_t open)
{
  static const double corners[8][3] = {
    {0.5, -1, -1}, {0.5, 1, -1}, {0.5, 1, 0}, {0.5, -1, 0},
    {-0.5, -1, -1}, {-0.5, 1, -1}, {-0.5, 1, 0}, {-0.5, -1, 0}
  };
  static const uint32_t wall[2][3] = {{0, 1, 2}, {0, 2, 3}};
  w_problem * p = w_one_joint(2, Z, 0.3, to);
  w_sphere(p, 0.1);
  w_geometry * g = w_new_geometry(p);
  w_add_mesh(g, corners, 4, wall, 2, 0);
  w_add_mesh(g, corners + 4, 4, wall, 2, 0);
  w_tree(g);
  g->node[0].open = open;
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0, 0);
  pair_of(p, 0, 1, 0);
  return p;
}

// [V-DESCEND]
static void an_open_mesh_is_not_entered_at_a_start(void ** state)
{
  (void)state;
  for (uint32_t open = 0; open < 2; open++) {
    w_bytes ops = {0};
    w_problem * p = walls(-0.05, open);   // 0.025 above the hull after half of the time
    w_u8(&ops, 'T');
    w_leaf(&ops, 0, 0, -1);
    w_u8(&ops, 'B');
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(0, p, &ops);
    // At once, or on the first half.
    w_u8(&ops, 'B');
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(open > 0, p, &ops);
    w_put(&ops, "TB", 2);
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    w_u8(&ops, 'B');
    w_leaf(&ops, 1, 0, 0);
    w_leaf(&ops, -1, 0, 0);
    expect(open > 0, p, &ops);
    // Down to 0.125 in one segment, from there on in another one; or from elsewhere.
    for (int jump = 0; jump < 2; jump++) {
      p->segments = 2;
      p->knot[2] = p->second[2] = 2;
      p->segment[0] = (w_segment) {1, {0.3, 0.125}};
      p->segment[1] = (w_segment) {1, {jump == 0 ? 0.125 : 0.12, -0.05}};
      w_u8(&ops, 'T');
      w_leaf(&ops, 0, 0, -1);
      w_u8(&ops, 'B');
      w_leaf(&ops, 1, 0, 0);
      w_leaf(&ops, -1, 0, 0);
      expect(jump == 1 && open > 0, p, &ops);
    }
    w_free_problem(p);
  }
}

// The open node is beneath the root, on either side of the pair: the root may be left at a start, the
// open node may not; the other body may be taken apart beside it.
static void an_open_part_is_not_entered_either(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_bytes ops = {0};
    w_problem * p = walls(0.2, 0);
    p->geometry[1]->node[1].open = 1;
    p->pair[0] = i % 2 == 0 ? (w_pair) {0, 1, 0, 0} : (w_pair) {1, 0, 0, 0};
    const char op = i % 2 == 0 ? 'B' : 'A';
    const double s = i % 2 == 0 ? -1 : 1;
    w_u8(&ops, (unsigned char)op);
    if (i >= 2) {w_u8(&ops, (unsigned char)op);} else {w_leaf(&ops, 0, 0, s);}
    w_u8(&ops, (unsigned char)op);
    for (int k = 0; k < (i < 2 ? 2 : 4); k++) {
      w_leaf(&ops, 0, 0, s);
    }
    expect(i >= 2, p, &ops);
    w_free_problem(p);
  }
}

static void a_thin_plane_does_not_start_inside_an_open_mesh(void ** state)
{
  (void)state;
  // Two triangles, 0.5 above and below the plane z = 0. As surfaces they are apart from it; what is
  // left of a body whose mesh is open may be cut by it.
  const double high[3][3] = {{0, 0, 0.5}, {1, 0, 0.5}, {0, 1, 0.5}};
  const double low[3][3] = {{0, 0, -0.5}, {1, 0, -0.5}, {0, 1, -0.5}};
  const uint32_t t[1][3] = {{0, 1, 2}};
  const struct {uint32_t open, plane; int code;} cases[4] = {{0, 2, 0}, {1, 2, 1}, {1, 1, 1},
    {0, 1, 1}};
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(2, X, 0, 0.1);
    w_geometry * g = w_new_geometry(p);
    w_add_mesh(g, high, 3, t, 1, 0);
    w_add_mesh(g, low, 3, t, 1, 0);
    w_tree(g);
    g->node[0].open = cases[i].open;
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, cases[i].plane, 0, 0, 1, 0);
    pair_of(p, 0, 1, 0);
    w_bytes ops = {0};
    w_u8(&ops, 'A');
    w_leaf(&ops, 0, 0, -1);
    w_leaf(&ops, 0, 0, 1);
    expect(cases[i].code, p, &ops);
    w_free_problem(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_sphere_in_the_corner_of_a_mesh_needs_its_parts),
    cmocka_unit_test(a_body_inside_a_solid_is_not_free),
    cmocka_unit_test(every_connected_part_owes_its_rays),
    cmocka_unit_test(a_ray_through_an_edge_decides_nothing),
    cmocka_unit_test(rays_in_all_directions_agree),
    cmocka_unit_test(an_open_box_is_no_solid),
    cmocka_unit_test(an_open_mesh_is_not_entered_at_a_start),
    cmocka_unit_test(an_open_part_is_not_entered_either),
    cmocka_unit_test(a_thin_plane_does_not_start_inside_an_open_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
