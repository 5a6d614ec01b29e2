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

/* The witnesses of a collision, and how often a solid is around a point. */
#include <string.h>

#include "internal.h"

/* 72 bytes: what comes before the points. part: primitives, or components. */
typedef struct { vv_time t_lo, t_hi; uint32_t claim, a, b, kind, part[2], solid; float ray[3]; }
witness;

/* [V-DET] Ensures: the sign of the determinant a.(b x c), 0 if undecided. */
static int det(vec a, vec b, vec c) {return sign(dot(a, cross(b, c)));}

/* [V-WINDING] Ensures: the parts are components, that of side `who` a solid; the result says how
 *           often it is around the reference point of the other component at that time (the first
 *           on its list): the signed crossings of the ray d.
 * Why:      a triangle wholly behind the point is not met. Else, with its corners e seen from the
 *           point, d.(e_i x e_j) is the side on which the line passes an edge: two different sides
 *           are a miss, three equal ones a crossing of that sign, in front if det(e) has it too. */
int64_t vv_winding(vv_verifier * v, const vv_goal * goal, uint32_t who, vv_time at, vec d)
{
  const vv_side s = goal->sides[who], o = goal->sides[1 - who];
  const vv_geometry * g = s.body->geometry, * other = o.body->geometry;
  const vv_hull * p = other->primitives;
  const rigid * poses = vv_poses(v, at);
  const bool known = s.part < g->component_count && o.part < other->component_count;
  need(v, known && g->components[s.part].kind == VV_SOLID, "a wrong component");
  while (p->component != o.part) {p++;}
  const vec x = apply(poses[o.body->frame], apply(o.body->pose, vector(other->vertices[*p->list])));
  const vec from = unapply(s.body->pose, unapply(poses[s.body->frame], x));
  int64_t sum = 0;
  for (p = g->primitives; p < g->primitives + g->primitive_count; p++) {
    if (p->component != s.part) {continue;}
    const vec e = minus(vector(g->vertices[p->list[0]]), from);
    const vec f = minus(vector(g->vertices[p->list[1]]), from);
    const vec h = minus(vector(g->vertices[p->list[2]]), from);
    const int i = det(d, e, f), j = det(d, f, h), k = det(d, h, e), front = det(e, f, h);
    const bool behind = dot(d, e).hi < 0.0 && dot(d, f).hi < 0.0 && dot(d, h).hi < 0.0;
    if (behind || i * j < 0 || j * k < 0 || k * i < 0) {continue;}
    need(v, i * j * k * front != 0, "a ray meets an edge");
    sum += front == i ? front : 0;
  }
  return sum;
}

/* [V-INSIDE] Ensures: on true, y is a point of the component's shape (without its ball), or of its
 * ball if it has no shape. */
static bool inside(const vv_component * c, const double y[3])
{
  const double * s = c->size, across = length((vec) {point(y[0]), point(y[1]), {0.0, 0.0}});
  const double ratio[3] = {up(fabs(y[0]) / s[0]), up(fabs(y[1]) / s[1]), up(fabs(y[2]) / s[2])};
  const bool cone = up(across * (2.0 * s[1])) <= down(s[0] * down(s[1] - y[2]));
  if (c->shape == VV_BALL) {return length(vector(y)) <= c->radius;}
  if (c->shape == VV_ELLIPSOID) {return length(vector(ratio)) <= 1.0;}
  return fabs(y[2]) <= s[1] && (c->shape == VV_CONE ? cone : across <= s[0]);
}

/* [V-POINT] Ensures: contains a point of the side's primitive at that time, in frame 0. */
static vec point_of(vv_verifier * v, vv_side s, const vv_point * p, vv_time at)
{
  const vv_geometry * g = s.body->geometry;
  need(v, s.part < g->primitive_count, "witness: a wrong primitive");
  const vv_hull * h = &g->primitives[s.part];
  const vv_component * c = &g->components[h->component];
  const bool none = p->offset[0] == 0.0 && p->offset[1] == 0.0 && p->offset[2] == 0.0;
  need(v, none || inside(c, p->offset), "witness: a point is outside its primitive");
  const vec x = plus(vv_mix(v, g, h, &p->mixture), turn(c->turn, vector(p->offset)));
  return apply(vv_poses(v, at)[s.body->frame], apply(s.body->pose, x));
}

/* [V-TOUCH] Ensures: true only if the points, four of each body, or four of the first for a plane,
 * show that the bodies meet or are closer than the margin then.
 * Why:      0 is strictly inside the tetrahedron of the differences w_i: its barycentric
 *           coordinates l_i have one sign, and sum l_i x_i = sum l_i y_i. A primitive that reaches
 *           below and above meets all heights between. */
static bool touching(vv_verifier * v, const vv_goal * goal, const vv_point * p, vv_time at)
{
  const vv_body * b = goal->sides[1].body;
  const rigid to = vv_poses(v, at)[b->frame];
  const double margin = max(0.0, down(goal->margin * (1.0 - 0x1p-29)));
  vec w[4];
  iv height[4];
  for (int i = 0; i < 4; i++) {
    const vec x = point_of(v, goal->sides[0], &p[i], at);
    height[i] = sub(dot(vector(b->normal), unapply(to, x)), point(b->offset));
    w[i] = b->geometry == NULL ? x : minus(point_of(v, goal->sides[1], &p[4 + i], at), x);
  }
  const bool low = min(height[0].hi, height[1].hi) < margin;
  const bool high = max(height[0].lo, height[1].lo) > -margin;
  if (b->geometry == NULL) {return low && (high || b->kind == VV_HALF_SPACE);}
  const int one = det(w[1], w[2], w[3]), two = det(w[0], w[3], w[2]), three = det(w[0], w[1], w[3]);
  const bool around = one != 0 && one == two && one == three && one == det(w[0], w[2], w[1]);
  return around || length(w[0]) < goal->margin;
}

/* [V-MARGIN] Ensures: the margin of the checked pair of bodies a and b, -1 if there is none. */
static double margin_of(const vv_verifier * v, uint32_t a, uint32_t b)
{
  for (const vv_pair * p = v->pairs; p < v->pairs + v->pair_count; p++) {
    uint32_t g = p->a == a && p->b == VV_NONE ? v->group_count : 0;
    while (g-- > 0) {if (v->groups[g].body == b && p->entries[g] >= 0.0) {return p->entries[g];}}
    if (p->a == a && p->b == b) {return p->margin;}
  }
  return -1.0;
}

/* [V-COLLISION] Ensures: a checked pair meets or is closer than its margin at t_hi; the ops that
 * follow belong to the claim, if made, that all is free before t_lo. */
void vv_check_collision(vv_verifier * v)
{
  witness w;
  uint32_t count;
  memcpy(&w, vv_bytes(v, sizeof(w)), sizeof(w));
  const vv_point * points = vv_table(v, 6, 1e6, sizeof(vv_point), sizeof(vv_point), &count);
  const vv_time t[2] = {w.t_lo, w.t_hi};
  for (int i = 0; i < 2; i++) {
    const bool known = t[i].segment < v->segment_count && t[i].tick <= VV_ONE;
    need(v, known, "witness: a wrong time");
    const double * s = &v->seconds[t[i].segment], f = (double)t[i].tick * 0x1p-50;
    *(i == 0 ? &v->report->t_lo : &v->report->t_hi) = s[0] + (s[1] - s[0]) * f;
  }
  const bool same = w.t_lo.segment == w.t_hi.segment && w.t_lo.tick <= w.t_hi.tick;
  need(v, w.claim <= 1 && (same || w.t_lo.segment < w.t_hi.segment), "witness: a wrong claim");
  v->t_lo = w.t_lo;
  v->skips = w.claim == 1;
  const bool bodies = w.a < v->body_count && w.b < v->body_count;
  const double margin = bodies ? margin_of(v, w.a, w.b) : -1.0;
  need(v, margin >= 0.0 && w.solid <= 1, "witness: the pair is not checked");
  const vv_goal goal = {.margin = margin,
    .sides = {{&v->bodies[w.a], 0, w.part[0]}, {&v->bodies[w.b], 0, w.part[1]}}};
  const bool plane = goal.sides[1].body->geometry == NULL;
  if (w.kind == VV_CONTAINMENT) {
    const double ray[3] = {(double)w.ray[0], (double)w.ray[1], (double)w.ray[2]};
    need(v, !plane && count == 0, "witness: a plane, or points without need");
    need(v, fabs(ray[0]) + fabs(ray[1]) + fabs(ray[2]) <= 1e7, "witness: a wrong ray");
    need(v, vv_winding(v, &goal, w.solid, w.t_hi, vector(ray)) != 0, "witness: it is outside");
  } else {
    need(v, w.kind == VV_POINTS && count == (plane ? 4 : 8), "witness: a wrong kind");
    need(v, touching(v, &goal, points, w.t_hi), "witness: it does not show a contact");
  }
}
