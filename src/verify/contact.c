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

/* How often a solid is around a point; the witnesses of a collision. */

#include "internal.h"

/* [V-DET] Ensures: the sign of the determinant a.(b x c), 0 if undecided. */
static int det(vec a, vec b, vec c) {return sign(dot(a, cross(b, c)));}

/* [V-WINDING] Requires: number > 0; both bodies have a geometry, of which k is a vertex.
 * Ensures:  sum is how often the solid of that number of one body is around vertex k of another at
 *           that time: the signed crossings of the ray of the next record.
 * Why:      a triangle wholly behind the point is not met. Else, with its corners e seen from the
 *           point, d.(e_i x e_j) is the side on which the line passes an edge: two different sides
 *           are a miss, three equal ones a crossing of that sign, in front if det(e) has it too. */
bool v_winding(
  verifier * v, moment_t when, uint32_t body, uint64_t number, uint32_t other, uint32_t k,
  int64_t * sum)
{
  const geometry_t * g = v->things[body].geometry;
  const uint8_t * at;
  rigid here, there;
  vec d;
  *sum = 0;
  if (!v_pose(v, v->things[body].pose, when, &here) || !v_bytes(v, 1, &at) ||
    !v_pose(
      v, v->things[other].pose, when,
      &there) || !v_need(v, *at == 'I', "a ray is owed here") ||
    !v_direction(v, 0.0, 1e12, &d) || !v_spend(v, g->node_count))
  {
    return false;
  }
  const vec out = apply(there, vector(v->things[other].geometry->vertices[k].p));
  const vec from = unapply(here, out);
  for (const node_t * n = g->nodes; n < g->nodes + g->node_count; n++) {
    if (n->solid != number) {continue;}
    const vec e = minus(vector(g->vertices[n->list[0]].p), from);
    const vec f = minus(vector(g->vertices[n->list[1]].p), from);
    const vec h = minus(vector(g->vertices[n->list[2]].p), from);
    if (dot(d, e).hi < 0.0 && dot(d, f).hi < 0.0 && dot(d, h).hi < 0.0) {continue;}
    const int x = det(d, e, f), y = det(d, f, h), z = x * y < 0 ? 0 : det(d, h, e);
    if (x * y < 0 || y * z < 0 || z * x < 0) {continue;}
    const int front = det(e, f, h);
    if (!v_need(v, x * y * z * front != 0, "a ray meets an edge")) {return false;}
    *sum += front == x ? front : 0;
  }
  return true;
}

/* What a COLLISION certificate shows: docs/certificate_format.md. */
typedef struct { moment_t when; uint32_t pair, body[2], part[2], side, solid; point_t points[8]; }
witness_t;

/* [V-SHOWN] Ensures: x contains a point of that body of the witness, of its part, at its time, in
 *           frame 0.
 * Why:      p is a mixture of points of a hull; half-spaces have all points below theirs, planes
 *           all beside them. */
static bool point_of(verifier * v, const witness_t * w, int side, const point_t * p, vec * x)
{
  const thing_t * t = &v->things[w->body[side]];
  const geometry_t * g = t->geometry;
  const vec u = vector(p->u);
  rigid pose;
  if (!v_pose(v, t->pose, w->when, &pose)) {return false;}
  if (t->kind != BODY) {
    bool good = w->part[side] == 0 && (p->u[2] == 0.0 || (t->kind == HALF_SPACE && p->u[2] < 0.0));
    for (int i = 0; i < 4; i++) {
      good = good && p->k[i] == 0 && (i == 3 || p->w[i] == 0.0);
    }
    *x = apply(pose, u);
    return v_need(v, good, "witness: a point is not the plane's");
  }
  const bool part = w->part[side] < g->node_count && g->nodes[w->part[side]].right == 0;
  if (!v_need(v, part, "witness: a wrong primitive") ||
    !v_need(v, dot(u, u).hi <= 1.0, "witness: a point is not the body's") ||
    !v_mix(v, g, &g->nodes[w->part[side]], p, x))
  {
    return false;
  }
  *x = apply(pose, *x);
  return true;
}

/* [V-INSIDE] Ensures: a vertex of one body's primitive is in a solid of the other. */
static bool check_inside(verifier * v, const witness_t * w)
{
  const uint32_t body = w->body[w->side], other = w->body[1 - w->side];
  const geometry_t * g = v->things[other].geometry;
  const bool kinds = g != NULL && v->things[body].geometry != NULL;
  const node_t * n = kinds && w->part[0] < g->node_count ? &g->nodes[w->part[0]] : NULL;
  const bool good = n != NULL && n->right == 0 && w->solid > 0 && w->part[1] == 0;
  int64_t sum;
  return v_need(v, good, "witness: wrong numbers") &&
         v_winding(v, w->when, body, w->solid, other, n->list[0], &sum) &&
         v_need(v, sum != 0, "witness: it is not inside");
}

/* [V-AROUND] Ensures: the bodies meet, or are closer than the margin and what has grown (L11), by
 *           `apart`.
 * Why:      0 is strictly inside the tetrahedron of the differences d_i of four points of each: its
 *           barycentric coordinates l_i have one sign, and sum l_i x_i = sum l_i y_i; or two points
 *           are too close. */
static bool check_points(verifier * v, const witness_t * w)
{
  vec d[4], x, y;
  if (!v_need(v, w->side == 0 && w->solid == 0, "witness: wrong numbers")) {return false;}
  for (int i = 0; i < 4; i++) {
    if (!point_of(v, w, 0, &w->points[i], &x) || !point_of(v, w, 1, &w->points[4 + i], &y)) {
      return false;
    }
    d[i] = minus(y, x);
  }
  const int one = det(d[1], d[2], d[3]), two = det(d[0], d[3], d[2]), three = det(d[0], d[1], d[3]);
  const bool around = one != 0 && one == two && one == three && one == det(d[0], d[2], d[1]);
  v->report.apart = around ? 0.0 : length(d[0]);
  const double kept = down(v->pairs[w->pair].margin + v_grown(v, w->body, w->when.tick).lo);
  return v_need(v, around || v->report.apart < kept, "witness: it does not show a contact");
}

/* [V-NAMED] Ensures: the body is the pair's a or b, or beneath it and checked by this pair; the pair's
 *           bodies may not touch. */
static bool named(verifier * v, const witness_t * w, int side)
{
  const pair_t * p = &v->pairs[w->pair];
  const uint32_t body = w->body[side], thing = side == 0 ? p->a : p->b;
  bool good = body < v->body_count && (body == thing || v->things[body].root == thing);
  for (uint32_t i = 0; good && i < p->skip_count; i++) {
    good = p->skips[i].body != body;
  }
  return v_need(v, good && p->margin >= 0.0, "witness: not of the pair, or not checked by it");
}

/* [V-COLLISION] Ensures: a checked pair meets at t_hi, or is closer than its margin, by `apart`.
 * A body that a pair skips is beneath one of its sides only, and is not the other. */
bool v_check_collision(verifier * v)
{
  const uint8_t * at;
  uint32_t count;
  witness_t w = {.pair = 0};
  if (!v_bytes(v, 40, &at)) {return false;}
  w.when.tick = v_u64(&at);
  uint32_t before = 0, * const fields[8] = {&w.pair, &w.body[0], &w.body[1], &w.part[0], &w.part[1],
    &w.side, &w.solid, &before};
  for (int i = 0; i < 8; i++) {
    *fields[i] = v_u32(&at);
  }
  w.when.before = before == 1;
  const uint64_t t = w.when.tick, end = v->segment_count * ONE;
  const bool time = before == 1 ? t % ONE == 0 && t > 0 && t <= end : before == 0 && t < end;
  if (!v_need(v, w.pair < v->pair_count && w.side <= 1, "witness: wrong numbers") ||
    !v_need(v, time, "witness: no time of the motion") ||
    !v_need(v, v->t_lo <= t, "witness: it is before t_lo") ||
    !named(v, &w, 0) || !named(v, &w, 1) || !v_table(v, 64, &count, &at) ||
    !v_need(v, count == 0 || count == 8, "witness: eight points are needed"))
  {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!v_numbers(v, &at, 3, 1e6, w.points[i].u) || !v_numbers(v, &at, 3, 1.0, w.points[i].w)) {
      return false;
    }
    for (int j = 0; j < 4; j++) {
      w.points[i].k[j] = v_u32(&at);
    }
  }
  v->report.meets[0] = w.body[0];
  v->report.meets[1] = w.body[1];
  v->report.shown_at = (double)(t >> 12) * 0x1p-32;
  return count == 0 ? check_inside(v, &w) : check_points(v, &w);
}
