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
  prover_t * p, const arb_proof_t * w, const pose_t poses[2], arb_point_t points[8])
{
  const uint32_t kind = p->c.file->bodies[w->body[1]].kind;
  const arb_geometry_t * g[2] = {geometry_of(&p->c, w->body[0]),
    kind == ARB_BODY ? geometry_of(&p->c, w->body[1]) : NULL};
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
      g[0], &g[0]->nodes[w->part[0]], &poses[0],
      kind == ARB_BODY ? minus : kind == ARB_PLANE ? up : down, &points[i],
      x);
    if (kind == ARB_BODY) {
      arb_prover_furthest(
        g[1], &g[1]->nodes[w->part[1]], &poses[1], d[i], &points[4 + i], y);
      continue;
    }
    for (int k = 0; k < 3; k++) {
      y[k] = x[k] - poses[1].t[k];
    }
    back3(&poses[1], y, x);
    points[4 + i] = (arb_point_t) {{x[0], x[1], 0.0}, {0.0, 0.0, 0.0}, {0, 0, 0, 0}};
    points[4 + i].u[i < 2] += kind == ARB_PLANE ? side : 0.0;
    for (int k = 0; k < 3 && kind == ARB_HALF_SPACE; k++) {
      points[4 + i].u[k] = x[k] + 0.3 * fabs(x[2]) * d[i][k];
    }
  }
}

/// A primitive of the body; 0 for planes.
static uint32_t choose_part(prover_t * p, uint32_t body)
{
  uint32_t part = 0;
  if (!is_plane(&p->c, body)) {
    const arb_geometry_t * g = geometry_of(&p->c, body);
    do {
      part = test_random_below(p->random, g->node_count);
    } while (g->nodes[part].right != 0);
  }
  return part;
}

bool arb_prover_contact(prover_t * p, arb_proof_t * w)
{
  const pose_t poses[2] = {arb_prover_pose(&p->c, w->body[0], w->t_hi, w->before == 1),
    arb_prover_pose(&p->c, w->body[1], w->t_hi, w->before == 1)};
  for (int attempt = 0; attempt < 25; attempt++) {
    w->side = test_random_below(p->random, 2);
    w->solid = 1 + test_random_below(p->random, 2);
    w->part[0] = choose_part(p, w->body[1 - w->side]);
    w->part[1] = 0;
    double d[3];
    test_random_direction(p->random, d);
    for (int i = 0; i < 3; i++) {
      w->ray[i] = (float)d[i];
    }
    w->point_count = 0;
    if (!is_plane(&p->c, w->body[1]) && arb_shows(&p->c, w)) {
      return true;
    }
    w->point_count = 8;
    w->side = w->solid = 0;
    for (int i = 0; i < 2; i++) {
      w->part[i] = choose_part(p, w->body[i]);
    }
    touch(p, w, poses, w->points);
    if (arb_shows(&p->c, w)) {
      return true;
    }
  }
  return false;
}

#else
typedef int arb_contact_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
