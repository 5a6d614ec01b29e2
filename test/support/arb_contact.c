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

/* Contacts of arb_cells.c's problems: points and rays that show them. */

#include "support/arb_prover.h"

#ifdef VOUCH_HAVE_ARB

/// Four points of each whose differences lie around 0, or two that are too near.
static void touch(
  prover_t * p, const arb_pair_t * pair, const uint32_t parts[2], const pose_t poses[2],
  arb_point_t points[8])
{
  const arb_geometry_t * g[2] = {geometry_of(&p->c, pair->a), geometry_of(&p->c, pair->b)};
  const arb_node_t * n[2] = {&g[0]->nodes[parts[0]], &g[1]->nodes[parts[1]]};
  const uint32_t kind = p->c.file->frames[pair->b].kind;
  double d[4][3], x[3], y[3];
  test_random_direction(p->random, d[0]);
  test_random_direction(p->random, d[1]);
  test_random_direction(p->random, d[2]);
  for (int k = 0; k < 3; k++) {
    d[3][k] = -d[0][k] - d[1][k] - d[2][k];
  }
  for (int i = 0; i < 4; i++) {
    const double z = i < 2 ? 1.0 : -1.0, side = i % 2 == 0 ? 0.1 : -0.1;
    const double up[3] = {z * poses[1].r[2], z * poses[1].r[5], z * poses[1].r[8]};
    const double down[3] = {-poses[1].r[2], -poses[1].r[5], -poses[1].r[8]};
    const double minus[3] = {-d[i][0], -d[i][1], -d[i][2]};
    arb_prover_furthest(
      g[0], n[0], &poses[0], kind == ARB_BODY ? minus : kind == ARB_PLANE ? up : down, &points[i],
      x);
    if (kind == ARB_BODY) {
      arb_prover_furthest(g[1], n[1], &poses[1], d[i], &points[4 + i], y);
      continue;
    }
    for (int k = 0; k < 3; k++) {
      y[k] = x[k] - poses[1].t[k];
    }
    back3(&poses[1], y, x);
    points[4 + i] = (arb_point_t) {{x[0], x[1], 0.0}, {1.0, 0.0, 0.0}, {0, 0, 0, 0}};
    points[4 + i].u[i < 2] += kind == ARB_PLANE ? side : 0.0;
    for (int k = 0; k < 3 && kind == ARB_HALF_SPACE; k++) {
      points[4 + i].u[k] = x[k] + 0.3 * fabs(x[2]) * d[i][k];
    }
  }
}

bool arb_prover_contact(prover_t * p, arb_proof_t * w)
{
  const arb_pair_t * pair = &p->c.file->pairs[w->pair];
  const pose_t poses[2] = {arb_prover_pose(&p->c, pair->a, w->t_hi, w->before == 1),
    arb_prover_pose(&p->c, pair->b, w->t_hi, w->before == 1)};
  const arb_geometry_t * g[2] = {geometry_of(&p->c, pair->a), geometry_of(&p->c, pair->b)};
  for (int attempt = 0; attempt < 25; attempt++) {
    w->side = test_random_below(p->random, 2);
    const arb_geometry_t * other = g[1 - w->side];
    w->solid = 1 + test_random_below(p->random, 2);
    w->part[0] = test_random_below(p->random, other->node_count);
    w->part[1] = 0;
    double d[3];
    test_random_direction(p->random, d);
    for (int i = 0; i < 3; i++) {
      w->ray[i] = (float)d[i];
    }
    w->point_count = 0;
    if (p->c.file->frames[pair->b].kind == ARB_BODY && arb_shows(&p->c, w)) {
      return true;
    }
    w->point_count = 8;
    w->side = w->solid = 0;
    for (int i = 0; i < 2; i++) {
      do {
        w->part[i] = test_random_below(p->random, g[i]->node_count);
      } while (g[i]->nodes[w->part[i]].right != 0);
    }
    touch(p, pair, w->part, poses, w->points);
    if (arb_shows(&p->c, w)) {
      return true;
    }
  }
  return false;
}

#else
typedef int arb_contact_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
