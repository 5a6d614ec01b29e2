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

/* Rays and witnesses of collisions in ball arithmetic. */

#include "support/arb_checker.h"

#ifdef VOUCH_HAVE_ARB

#include "support/arb_frames.h"

/* ---- rays ---- */

/// Adds the crossing of the ray from 0 along d with a triangle. False: it is not decided.
static bool cross_triangle(ac_t * c, av_t d, const av_t v[3], int * sum)
{
  int s[3], plus = 0, minus = 0, behind = 0;
  for (int k = 0; k < 3; k++) {
    s[k] = sign(dot(c, d, cross(c, v[k], v[(k + 1) % 3])));
    plus += s[k] > 0;
    minus += s[k] < 0;
    behind += arb_is_negative(dot(c, d, v[k]));
  }
  if ((plus > 0 && minus > 0) || behind == 3) {
    return true;
  }
  int ahead = sign(dot(c, v[0], cross(c, v[1], v[2])));
  if ((plus != 3 && minus != 3) || ahead == 0) {
    return refuse(c, "a crossing is not decided");
  }
  *sum += ahead == s[0] ? s[0] : 0;
  return true;
}

bool arb_checker_winding(
  ac_t * c, const uint32_t bodies[2], uint32_t solid, uint32_t vertex, uint64_t tick, bool before,
  const float ray[3], int * sum)
{
  const arb_geometry_t * g = geometry_of(c, bodies[0]), * other = geometry_of(c, bodies[1]);
  const double d[3] = {(double)ray[0], (double)ray[1], (double)ray[2]};
  *sum = 0;
  for (int i = 0; i < 3; i++) {
    if (!isfinite(d[i])) {
      return refuse(c, "a ray is none");
    }
  }
  ap_t outer = body_pose(c, bodies[0], tick, before);
  ap_t inner = body_pose(c, bodies[1], tick, before);
  av_t point = place_back(c, &outer, place(c, &inner, vec(c, other->vertices[vertex])));
  av_t along = vec(c, d);
  const size_t mark = c->used;
  for (uint32_t i = 0; i < g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i];
    av_t v[3];
    c->used = mark;
    for (uint32_t k = 0; n->solid == solid && k < 3; k++) {
      v[k] = vsub(c, vec(c, g->vertices[n->list[k]]), point);
    }
    if (n->solid == solid && !cross_triangle(c, along, v, sum)) {
      return false;
    }
  }
  return true;
}

/* ---- points ---- */

/// A point of a primitive at one of its vertices: v + u_0 a_0 + u_1 a_1 + u_2 a_2.
static av_t vertex_point(ac_t * c, const arb_geometry_t * g, uint32_t vertex, const double u[3])
{
  const double * a = round_of(g, vertex);
  av_t x = vec(c, g->vertices[vertex]);
  for (int i = 0; a != NULL && i < 3; i++) {
    x = vadd(c, x, vmul(c, vec(c, a + 3 * i), num(c, u[i])));
  }
  return x;
}

/// The mixture of four points; weights that add up to more than 1 mean their mean.
static bool mixture(
  ac_t * c, const arb_geometry_t * g, uint32_t part, const arb_point_t * at, const double u[3],
  av_t * x)
{
  const double zero[3] = {0, 0, 0};
  const arb_node_t * n = &g->nodes[part < g->node_count ? part : 0];
  arb_ptr rest = num(c, 1.0), sum = num(c, 0.0);
  av_t mean = vec(c, zero);
  if (part >= g->node_count || n->right != 0) {
    return refuse(c, "no such primitive");
  }
  for (int i = 0; i < 4; i++) {
    if (at->position[i] >= n->count || (i < 3 && !(at->weight[i] >= 0.0))) {
      return refuse(c, "a weight or a position");
    }
    arb_ptr weight = i < 3 ? num(c, at->weight[i]) : rest;
    if (i == 3 && !arb_is_nonnegative(rest)) {
      weight = num(c, 0.0);
    }
    mean = vadd(c, mean, vmul(c, vertex_point(c, g, n->list[at->position[i]], u), weight));
    sum = add(c, sum, weight);
    rest = i < 3 ? sub(c, rest, weight) : rest;
  }
  *x = vmul(c, mean, quotient(c, num(c, 1.0), sum));
  return true;
}

/// A point of a plane or half-space, in its own axes; nothing else is said of it.
static bool plane_point(ac_t * c, uint32_t body, uint32_t part, const arb_point_t * at)
{
  const bool half = c->file->bodies[body].kind == ARB_HALF_SPACE;
  bool none = part == 0;
  for (int i = 0; i < 4; i++) {
    none = none && at->position[i] == 0 && (i == 3 || !(fabs(at->weight[i]) > 0.0));
  }
  return (none && !(at->u[2] > 0.0) && (half || !(at->u[2] < 0.0))) ||
         refuse(c, "a point is not in its plane");
}

/// A point of a body, in the world.
static bool body_point(
  ac_t * c, uint32_t body, uint32_t part, const arb_point_t * at, const ap_t * pose, av_t * x)
{
  const av_t u = vec(c, at->u);
  if (is_plane(c, body)) {
    *x = place(c, pose, u);
    return plane_point(c, body, part, at);
  }
  if (!arb_le(dot(c, u, u), num(c, 1.0))) {
    return refuse(c, "a point is not inside its primitive");
  }
  if (!mixture(c, geometry_of(c, body), part, at, at->u, x)) {
    return false;
  }
  *x = place(c, pose, *x);
  return true;
}

/// 0 lies inside the tetrahedron: on the same side of every face as the corner opposite to it.
static bool around_zero(ac_t * c, const av_t w[4])
{
  int same = 0;
  for (int i = 0; i < 4; i++) {
    av_t p = w[(i + 1) % 4], q = w[(i + 2) % 4], r = w[(i + 3) % 4];
    av_t normal = cross(c, vsub(c, q, p), vsub(c, r, p));
    int corner = sign(dot(c, normal, vsub(c, w[i], p)));
    int zero = -sign(dot(c, normal, p));
    same += corner != 0 && corner == zero;
  }
  return same == 4 || refuse(c, "the differences do not enclose 0");
}

/* ---- witnesses ---- */

static bool contained(ac_t * c, const arb_proof_t * w)
{
  const uint32_t bodies[2] = {w->body[w->side], w->body[1 - w->side]};
  if (is_plane(c, w->body[1])) {
    return refuse(c, "a plane contains nothing");
  }
  const arb_geometry_t * g = geometry_of(c, bodies[1]);
  int sum;
  if (w->solid == 0 || w->part[0] >= g->node_count || g->nodes[w->part[0]].right != 0 ||
    w->part[1] != 0)
  {
    return refuse(c, "no solid or primitive");
  }
  return arb_checker_winding(
    c, bodies, w->solid, g->nodes[w->part[0]].list[0], w->t_hi, w->before == 1, w->ray, &sum) &&
         (sum != 0 || refuse(c, "the body is outside"));
}

bool arb_shows(ac_t * c, const arb_proof_t * w)
{
  const uint64_t end = c->file->segment_count * ARB_ONE;
  arb_checker_reset(c);
  if (w->pair >= c->file->pair_count || w->side > 1 || w->before > 1 || w->t_hi > end ||
    w->t_hi == (w->before == 1 ? 0 : end) || (w->before == 1 && w->t_hi % ARB_ONE != 0))
  {
    return refuse(c, "no such pair or time");
  }
  const arb_pair_t * p = &c->file->pairs[w->pair];
  if (!arb_checks_body(c->file, p, 0, w->body[0]) || !arb_checks_body(c->file, p, 1, w->body[1])) {
    return refuse(c, "the pair does not check these bodies");
  }
  if (p->margin < 0.0) {
    return refuse(c, "[L2] these may touch");
  }
  if (w->point_count == 0) {
    return contained(c, w);
  }
  if (w->side != 0 || w->solid != 0) {
    return refuse(c, "points are of no solid");
  }
  const uint32_t * bodies = w->body;
  av_t x[8], d[4];
  for (int i = 0; i < 8; i++) {
    ap_t pose = body_pose(c, bodies[i / 4], w->t_hi, w->before == 1);
    if (!body_point(c, bodies[i / 4], w->part[i / 4], &w->points[i], &pose, &x[i])) {
      return false;
    }
  }
  for (int i = 0; i < 4; i++) {
    d[i] = vsub(c, x[4 + i], x[i]);
  }
  arb_ptr remains = add(c, num(c, p->margin), arb_checker_grown(c, w->body, w->t_hi));
  return arb_lt(norm(c, d[0]), remains) || around_zero(c, d);
}

#else
typedef int arb_witness_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
