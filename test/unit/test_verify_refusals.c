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

/* Every way in which a problem can be malformed is refused; what only looks odd is not. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_everything.h"

// Applies a change to a fresh copy of the problem and expects the code.
#define CHANGED(expected, change) \
  do { \
    w_bytes ops = {0}; \
    w_problem * p = everything(&ops); \
    w_geometry * mesh = p->geometry[0]; \
    w_geometry * round = p->geometry[3]; \
    const int whole = p->geometries; \
    (void)mesh; \
    (void)round; \
    change; \
    const int got = w_verify_free(p, &ops, &said); \
    if (got != (expected)) {print_message("%s: got %d: %s\n", #change, got, said.text);} \
    assert_int_equal(got, expected); \
    assert_int_equal(strncmp(said.text, "VERIFIED", 8) == 0, got == 0); \
    p->geometries = whole > p->geometries ? whole : p->geometries; \
    w_free_problem(p); \
  } while (0)

static void malformed_geometry_is_refused(void ** state)
{
  (void)state;
  CHANGED(0, (void)0);
  for (int k = 0; k < 3; k++) {
    CHANGED(3, mesh->vertex[1][k] = (double)NAN);
    CHANGED(3, mesh->vertex[16][k] = (double)-INFINITY);
    CHANGED(3, mesh->vertex[5][k] = 1.0000001e6);
    CHANGED(3, mesh->own_middle = true; mesh->vertex[0][k] = -1.0000001e6);
  }
  for (int k = 0; k < 9; k++) {
    CHANGED(3, round->round[0][k] = 1.0000001e6);
    CHANGED(3, round->round[1][k] = (double)NAN);
  }
  CHANGED(3, mesh->vertices = 16);
  CHANGED(3, mesh->nodes = 0);
  CHANGED(3, round->rounds = 3; round->round[2][0] = 0.1);   // vertex 0 has none
  CHANGED(3, round->rounds = 4);
  CHANGED(3, p->geometries = 0);
  CHANGED(3, p->geometries = 3);   // a body has none
}

// The node of the mesh's first triangle.
static w_node * leaf_of(w_geometry * mesh)
{
  w_node * n = mesh->node;
  while (n->right > 0) {
    n++;
  }
  return n;
}

// [V-LIST] [V-NODE]
static void malformed_lists_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, mesh->node[0].list[0] = 0);   // the middle is in no list
  CHANGED(3, mesh->node[0].list[3] = 17);
  CHANGED(3, mesh->node[0].list[15] = W_NONE);
  CHANGED(3, leaf_of(mesh)->list[0] = 0);
  CHANGED(3, leaf_of(mesh)->list[2] = 17);
  CHANGED(3, p->geometry[1]->node[0].list[0] = 0);
  CHANGED(3, p->geometry[1]->node[0].list[0] = 2);
  CHANGED(3, p->geometry[1]->node[0].count = 0);
  CHANGED(0, mesh->node[0].count = 0);   // it keeps all
  CHANGED(3, mesh->node[0].count = W_NONE);
  CHANGED(3, leaf_of(mesh)->count = 2);
  CHANGED(3, leaf_of(mesh)->count = 4);
  CHANGED(3, leaf_of(mesh)->count = 0);
  CHANGED(3, leaf_of(mesh)->count = 4; leaf_of(mesh)->list[3] = 5);   // no triangle
  CHANGED(0, mesh->node[0].list[mesh->node[0].count++] = 1);   // twice is once
  CHANGED(3, mesh->node[0].count--);   // a point is neither kept nor has a witness
  CHANGED(3, mesh->witnesses = 1);     // nothing is owed
  CHANGED(0, round->node[0].list[round->node[0].count++] = 1);
}

// [V-TREE] Trees whose nodes are no children, their own children, or children from before.
static void malformed_trees_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, mesh->node[0].right = 0);
  CHANGED(3, mesh->node[1].right = 0);
  CHANGED(3, mesh->node[1].right = 1);
  CHANGED(3, mesh->node[1].right = 2);   // both children are the next node
  CHANGED(3, mesh->node[0].right = (uint32_t)mesh->nodes);
  CHANGED(3, mesh->node[0].right = W_NONE);
  CHANGED(3, mesh->node[0].right = 1);
  CHANGED(3, mesh->node[mesh->nodes - 1].right = 1);
  CHANGED(3, mesh->node[mesh->nodes - 1].right = (uint32_t)mesh->nodes);
  CHANGED(3, mesh->nodes--);
  CHANGED(3, mesh->node[mesh->nodes] = mesh->node[mesh->nodes - 1]; mesh->nodes++);
  CHANGED(3, mesh->node[0].open = 2);
  CHANGED(3, mesh->node[1].open = mesh->node[mesh->node[0].right].open = 1);   // one node is, at most
  CHANGED(3, mesh->node[0].solid = 1);   // an inner node of a solid
  CHANGED(3, round->node[0].solid = 1);  // two points of a solid
  CHANGED(3, p->geometry[1]->node[0].solid = 1);
}

static void swap_twins(w_geometry * g, w_node * a, int i, w_node * b, int j)
{
  const uint32_t s = a->twins[i], t = b->twins[j];
  const uint32_t e = 3 * (uint32_t)(a - g->node) + (uint32_t)i;
  const uint32_t f = 3 * (uint32_t)(b - g->node) + (uint32_t)j;
  a->twins[i] = f;
  b->twins[j] = e;
  g->node[s / 3].twins[s % 3] = t;
  g->node[t / 3].twins[t % 3] = s;
}

// The first triangle once more: its edges run along the twins of the first, which have theirs.
static void double_sheet(w_geometry * mesh)
{
  w_node copy = mesh->primitive[0];
  mesh->primitive[mesh->primitives++] = copy;
  w_tree(mesh);
  for (int k = 0; k < 3; k++) {
    w_node * first = leaf_of(mesh), * last = &mesh->node[mesh->nodes - 1];
    const uint32_t twin = first->twins[k] == W_NONE ? last->twins[k] : first->twins[k];
    first->twins[k] = last->twins[k] = twin;
  }
}

// One more geometry: a triangle and its other side, all of whose edges are twins; or the first alone.
static w_geometry * two_sides(w_problem * p, int sides)
{
  const double v[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  w_geometry * g = w_new_geometry(p);
  for (int i = 0; i < 3; i++) {
    (void)w_vertex(g, v[i], NULL);
  }
  for (int k = 0; k < sides; k++) {
    w_primitive(g, 1, 3);
    g->primitive[k].solid = 1;
  }
  g->primitive[1].list[0] = 3;
  g->primitive[1].list[2] = 1;
  w_tree(g);
  return g;
}

// [V-EDGES] Solids must be closed; the twins of their edges show it.
static void open_solids_are_refused(void ** state)
{
  (void)state;
  for (uint32_t e = 0; e < 3 * 47; e++) {
    const uint32_t wrong[5] = {e, W_NONE, 3 * 47, e ^ 1, e == 0 ? 3 : 0};
    CHANGED(mesh->node[e / 3].solid > 0 ? 3 : 0, mesh->node[e / 3].twins[e % 3] ^= 1);
    CHANGED(mesh->node[e / 3].solid > 0 ? 3 : 0, mesh->node[e / 3].twins[e % 3] = wrong[e % 5]);
  }
  CHANGED(3, swap_twins(mesh, leaf_of(mesh), 0, leaf_of(mesh), 1));
  CHANGED(3, swap_twins(mesh, leaf_of(mesh), 0, &mesh->node[mesh->nodes - 1], 1));
  CHANGED(3, double_sheet(mesh));
  CHANGED(3, leaf_of(mesh)->solid = 2);   // lent to the other solid
  CHANGED(3, leaf_of(mesh)->solid = 3);
  CHANGED(3, leaf_of(mesh)->solid = 0);
  CHANGED(3, leaf_of(mesh)->list[0] = 8);
  CHANGED(3, leaf_of(mesh)->list[1] = leaf_of(mesh)->list[2]);
  // Turned over: closed with the rest, but not the same way round.
  CHANGED(
    3, w_node * n = leaf_of(mesh); const uint32_t x = n->list[0]; n->list[0] = n->list[1];
    n->list[1] = x);
  CHANGED(0, two_sides(p, 2));
  CHANGED(3, two_sides(p, 1));
  for (int e = 0; e < 3; e++) {
    CHANGED(
      3, w_geometry * g = two_sides(
        p,
        2);
      g->node[1].twins[e] = g->node[2].twins[2 - e] = W_NONE);
    CHANGED(3, two_sides(p, 2)->node[1].twins[e] = W_NONE);
    CHANGED(3, two_sides(p, 1)->node[0].twins[e] = 0);
  }
  // A triangle of one point, and one of two: their edges are twins of their own.
  CHANGED(
    0, w_primitive(mesh, 1, 3); w_primitive(mesh, 1, 3);
    w_node * n = &mesh->primitive[mesh->primitives - 2]; n[0].list[1] = n[0].list[2] = 1;
    n[1].list[2] = 2; n[0].solid = n[1].solid = 1; w_tree(mesh);
    p->pairs = 0; w_box(p, 0.1, 0.1, 0.1); w_add_body(p, 0, 4, -5, 0, 0); pair_of(p, 0, 5, 0);
    ops.size = 0; w_leaf(&ops, -1, 0, 0));
}

// [V-ZERO] [V-NUMBERS] [V-PAIR] [V-PLACE] [V-BODY]
static void malformed_scenes_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, p->frame[0].joint = 1; p->frame[0].axis[0] = 1);
  CHANGED(3, p->frame[0].parent = 1);
  CHANGED(3, p->frame[0].pose[6] = 1e-9);   // the root is where it is
  CHANGED(3, p->frame[0].pose[0] = -0.0);
  CHANGED(3, p->frame[0].pose[3] = -1);
  CHANGED(3, p->frame[0].axis[1] = 1);
  CHANGED(3, p->frame[0].multiplier = 1);
  CHANGED(3, p->frame[0].offset = -0.0);
  CHANGED(3, p->frame[0].variable = 1);
  CHANGED(3, p->pair[0].margin = -0.0);
  CHANGED(3, p->frame[1].parent = 1);
  CHANGED(3, p->frame[1].parent = 2);
  CHANGED(3, p->frame[2].parent = 70);
  CHANGED(3, p->frame[2].parent = W_NONE);
  CHANGED(3, p->frame[1].joint = 3);
  CHANGED(3, p->frame[1].axis[0] = 0);
  CHANGED(3, p->frame[1].axis[0] = 0.9e-6);
  CHANGED(0, p->frame[1].axis[0] = 1.1e-6);
  CHANGED(3, p->frame[1].axis[0] = (double)NAN);
  CHANGED(3, p->frame[1].variable = 1);
  CHANGED(3, p->frame[1].variable = W_NONE);
  CHANGED(3, p->frame[1].multiplier = 1.1e6);
  CHANGED(3, p->frame[1].offset = (double)NAN);
  CHANGED(3, p->frame[1].pose[3] = 1.01);
  CHANGED(3, p->frame[1].pose[3] = 0.99);
  CHANGED(0, p->frame[1].pose[3] = 1.0001);
  CHANGED(3, p->frame[1].pose[0] = 1);
  CHANGED(3, p->frame[1].pose[6] = 1e7);
  CHANGED(3, p->frames = 0);
  CHANGED(3, p->body[0].kind = 3);
  CHANGED(3, p->body[0].kind = 1);        // a half-space is no a
  CHANGED(3, p->body[0].parent = 3);      // itself
  CHANGED(3, p->body[0].geometry = 4);    // none
  CHANGED(3, p->body[4].geometry = 0);    // a half-space has none
  CHANGED(3, p->body[4].kind = 0);
  CHANGED(3, p->body[4].geometry = 4);
  CHANGED(3, p->body[0].geometry = W_NONE);
  CHANGED(3, p->body[0].pose[3] = 2);
  CHANGED(3, p->body[4].pose[0] = 1.01);
  CHANGED(3, p->body[4].pose[6] = (double)NAN);
  CHANGED(3, p->pair[0].a = 5);
  CHANGED(3, p->pair[0].b = 5);
  CHANGED(3, p->pair[0].a = W_NONE);      // frame 2, which is no body
  CHANGED(3, p->pair[0].b = W_NONE);
  CHANGED(3, p->pair[0].b = 0);
  CHANGED(3, p->pair[0].a = 4);
  CHANGED(3, p->pair[0].margin = -0.0500001);
  CHANGED(3, p->pair[0].margin = (double)NAN);
  CHANGED(3, p->pair[0].margin = 1.1e6);
  CHANGED(1, p->pair[0].b = 4);  // now a plane, for which the ops are wrong
  CHANGED(1, p->pair[2].margin = 3.7);
  CHANGED(1, p->pair[1].margin = 2.8);
}

// [V-FRAME] Frame 0, 255 or 256 frames in a row, and the ball of slide() on the last one.
static void frames_in_a_row_are_bounded(void ** state)
{
  (void)state;
  for (int frames = 256; frames <= 257; frames++) {
    w_problem * p = slide(X, 0, 0);
    for (int i = 2; i < frames; i++) {
      p->frame[i] = p->frame[0];
      p->frame[i].parent = (uint32_t)i - 1;
    }
    p->frames = frames;
    p->body[0].parent = (uint32_t)frames - 1;
    w_bytes ops = {0};
    w_leaf(&ops, 0, 1, 0);
    expect(frames == 256 ? 0 : 3, p, &ops);
    assert_int_equal(strstr(said.text, "too many frames") == NULL, frames == 256);
    w_free_problem(p);
  }
}

// [V-NEED] [V-VARIABLES]
static void malformed_motions_are_refused(void ** state)
{
  (void)state;
  CHANGED(3, p->motion_kind = 0);
  CHANGED(3, p->motion_kind = 2);
  CHANGED(3, p->tolerance[0] = -1e-3);
  CHANGED(3, p->tolerance[0] = (double)NAN);
  CHANGED(3, p->knot[0] = -1);
  CHANGED(0, p->knot[0] = 0.5);
  CHANGED(3, p->knot[1] = 0);
  CHANGED(3, p->knot[1] = 0.9e-12);
  CHANGED(3, p->knot[1] = 2);
  CHANGED(3, p->knot[2] = 1.1e9);
  CHANGED(3, p->late[1] = 0.5);
  CHANGED(3, p->late[1] = -0.5);
  CHANGED(3, p->second[0] = 1.5);   // time runs back in reports
  CHANGED(3, p->second[1] = 3);
  CHANGED(3, p->second[1] = (double)NAN);
  CHANGED(3, p->second[0] = (double)NAN);
  CHANGED(3, p->second[0] = -1.1e9);
  CHANGED(3, p->second[2] = 1.1e9);
  CHANGED(0, p->second[0] = p->second[2] = 1);
  CHANGED(3, p->segment[0].degree = 0);
  CHANGED(3, p->segment[1].degree = 6);
  CHANGED(3, p->segment[0].b[0] = 70000);
  CHANGED(3, p->segment[1].b[3] = (double)NAN);
  CHANGED(3, p->segments = 0);
  CHANGED(3, p->variables = 0);
  // Not malformed, but no longer what the ops prove.
  CHANGED(1, p->segment[1].b[2] = 0.75);
  CHANGED(1, p->segment[1].b[0] = 0.250001);
  CHANGED(1, p->tolerance[0] = 0.13);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(malformed_geometry_is_refused),
    cmocka_unit_test(malformed_lists_are_refused),
    cmocka_unit_test(malformed_trees_are_refused),
    cmocka_unit_test(open_solids_are_refused),
    cmocka_unit_test(malformed_scenes_are_refused),
    cmocka_unit_test(frames_in_a_row_are_bounded),
    cmocka_unit_test(malformed_motions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
