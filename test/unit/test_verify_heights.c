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

/* Random bodies of ellipsoids of any half-axes, in trees that keep some of their points, above random
 * planes that move: their height in closed form, sampled in time. A proof of a larger height is
 * false: none may be accepted. Proofs of less should be, where the bodies are taken apart.
 * [L1] [L4] [L6] [L7] [L9] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/verify_truth.h"

// A body of ellipsoids of any half-axes on a random frame of a random robot, above a half-space or
// plane on another one: how far its lowest point is above it, exactly.
static double height(const w_problem * p, const rigid * frames)
{
  const w_geometry * g = p->geometry[0];
  const rigid place_a = of_pose(p->body[0].pose), place_b = of_pose(p->body[1].pose);
  const rigid a = compose(&frames[p->body[0].parent], &place_a);
  const rigid b = compose(&frames[p->body[1].parent], &place_b), back = inverse(&b);
  const rigid rel = compose(&back, &a);
  double least = 1e9;
  for (int k = 1; k < g->vertices; k++) {
    const int round = k - (g->vertices - g->rounds);
    double z = rel.t[2], along = 0;
    for (int j = 0; j < 3; j++) {
      z += rel.r[2][j] * g->vertex[k][j];
    }
    for (int i = 0; round >= 0 && i < 3; i++) {
      double c = 0;
      for (int j = 0; j < 3; j++) {
        c += rel.r[2][j] * g->round[round][3 * i + j];
      }
      along += c * c;
    }
    least = fmin(least, z - sqrt(along));
  }
  return least;
}

// Where in its list a node has a vertex, or the list's length.
static uint32_t place_of(const w_node * n, uint32_t vertex)
{
  uint32_t k = 0;
  while (k < n->count && n->list[k] != vertex) {
    k++;
  }
  return k;
}

// The list of a node becomes all that its children list.
static void keep_all(const w_geometry * g, w_node * n)
{
  n->count = 0;
  for (int side = 0; side < 2; side++) {
    const w_node * child = side == 0 ? n + 1 : &g->node[n->right];
    for (uint32_t k = 0; k < child->count; k++) {
      const uint32_t place = place_of(n, child->list[k]);
      n->list[place] = child->list[k];
      n->count += place == n->count;
    }
  }
}

// A tree of up to 6 primitives whose inner nodes keep some of their vertices, at least the first, or
// all; then the file does not name them.
static void random_body(w_problem * p)
{
  w_geometry * g = w_new_geometry(p);
  const int plain = pick(4), rounds = 1 + pick(6);
  for (int i = 0; i < plain + rounds; i++) {
    const double at[3] = {uniform(-0.3, 0.3), uniform(-0.3, 0.3), uniform(-0.3, 0.3)};
    double axes[9];
    for (int k = 0; k < 9; k++) {
      axes[k] = uniform(-0.1, 0.1);
    }
    (void)w_vertex(g, at, i < plain ? NULL : axes);
  }
  for (uint32_t first = 1; first < (uint32_t)g->vertices; ) {
    const uint32_t left = (uint32_t)g->vertices - first, count = 1 + (uint32_t)pick((int)left);
    w_primitive(g, first, count);
    first += count;
  }
  w_tree(g);
  bool left_out[W_NODES] = {false};
  for (int i = g->nodes; i-- > 0; ) {
    w_node * n = &g->node[i];
    if (n->right == 0) {continue;}
    left_out[i] = pick(3) == 0;
    if (left_out[i]) {
      keep_all(g, n);
      continue;
    }
    const uint32_t all = n->count;
    n->count = 1;
    for (uint32_t k = 1; k < all; k++) {
      if (pick(4) > 0) {n->list[n->count++] = n->list[k];}
    }
    for (int side = 0; side < 2; side++) {
      const w_node * child = side == 0 ? n + 1 : &g->node[n->right];
      for (uint32_t k = 0; k < child->count; k++) {
        if (place_of(n, child->list[k]) < n->count) {continue;}
        w_witness * w = &g->witness[g->witnesses++];
        for (int c = 0; c < 4; c++) {
          w->index[c] = (uint8_t)pick((int)n->count);
        }
        w->weight[0] = (float)uniform(0, 0.5);
        w->weight[1] = (float)uniform(0, 0.5);
      }
    }
  }
  for (int i = 0; i < g->nodes; i++) {
    g->node[i].count = left_out[i] ? 0 : g->node[i].count;
  }
}

// Time is split to single segments and these to `depth`; then the body is taken apart, or not.
static void tree_ops(const w_problem * p, w_bytes * ops, int segments, int depth, bool apart)
{
  if (segments > 1 || depth > 0) {
    w_u8(ops, 'T');
    const int early = segments / 2, late = segments - early, next = depth - 1;
    tree_ops(p, ops, segments > 1 ? early : 1, segments > 1 ? depth : next, apart);
    tree_ops(p, ops, segments > 1 ? late : 1, segments > 1 ? depth : next, apart);
    return;
  }
  const w_geometry * g = p->geometry[0];
  uint32_t queue[W_NODES] = {0};
  for (int head = 0, tail = 1; head < tail; head++) {
    const uint32_t right = g->node[queue[head]].right;
    if (right > 0 && apart) {
      w_u8(ops, 'A');
      queue[tail++] = queue[head] + 1;
      queue[tail++] = right;
    } else {
      w_leaf(ops, 0, 0, -1);
    }
  }
}

static void no_height_beyond_a_sampled_one_is_proved(void ** state)
{
  (void)state;
  int proved[2] = {0}, tried[2] = {0}, false_claims = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    const uint64_t replay = seed;
    const double none[8] = {0};
    rigid frames[32];
    struct vouch_verify_report report;
    w_problem * p = random_motion();
    random_body(p);
    const int depth = pick(7);
    w_add_body(p, (uint32_t)pick(p->frames), 0, 0, 0, 0);
    w_add_plane(p, 1 + (uint32_t)pick(2), 0, 0, 1, 0);
    random_pose(p->body[0].pose, 0.3);
    random_pose(p->body[1].pose, 0.3);
    p->body[1].parent = (uint32_t)pick(p->frames);
    // Put the plane where the body is 1 above it at the beginning.
    kinematics(p, 0, 0, none, frames);
    const rigid place = of_pose(p->body[1].pose);
    const double rise = height(p, frames) - 1;
    for (int i = 0; i < 3; i++) {
      p->body[1].pose[4 + i] += rise * place.r[i][2];
    }
    double least = 1e9;
    for (int i = 0; i < p->segments; i++) {
      for (int s = 0; s <= 100; s++) {
        kinematics(p, i, s / 100.0, none, frames);
        least = fmin(least, height(p, frames));
      }
    }
    // Every goal is split as far as it goes in the tree on each part of time, or not at all.
    const bool apart = pick(2) == 0;
    const double factors[3] = {0.8, 1 + 1e-9, 1.05};
    for (int f = 0; f < 3 && least > 0.02; f++) {
      w_bytes ops = {0};
      p->pair[0] = (w_pair) {0, 1, least * factors[f], 0};
      p->pairs = 1;
      tree_ops(p, &ops, p->segments, depth, apart);
      const int code = w_verify_free(p, &ops, &report);
      tried[apart] += f == 0;
      proved[apart] += f == 0 && code == 0;
      if (f > 0 && code == 0) {
        print_message("FALSE: seed %llu factor %.17g\n", (unsigned long long)replay, factors[f]);
        false_claims++;
      }
    }
    w_free_problem(p);
  }
  print_message(
    "%d problems, %d of %d proved at the roots, %d of %d at the leaves, %d false claims\n",
    PROBLEMS,
    proved[0], tried[0], proved[1], tried[1], false_claims);
  assert_int_equal(false_claims, 0);
  assert_true(proved[0] > tried[0] / 20 && proved[1] > tried[1] / 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_height_beyond_a_sampled_one_is_proved),
  };
  print_message("seed %llu\n", (unsigned long long)seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
