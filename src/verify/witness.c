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
  const vv_hull * p = other->primitives, * end = p + other->primitive_count;
  const rigid * poses = vv_poses(v, at);
  while (p < end && p->component != o.part) {p++;}
  const bool solid = s.part < g->component_count && g->components[s.part].kind == VV_SOLID;
  need(v, p < end && solid, "a wrong component");
  const vec x = apply(poses[o.body->frame], apply(o.body->pose, vector(other->vertices[*p->list])));
  const vec from = unapply(s.body->pose, unapply(poses[s.body->frame], x));
  int64_t sum = 0;
  for (p = g->primitives; p < g->primitives + g->primitive_count; p++) {
    if (p->component != s.part) {continue;}
    const vec e = minus(vector(g->vertices[p->list[0]]), from);
    const vec f = minus(vector(g->vertices[p->list[1]]), from);
    const vec h = minus(vector(g->vertices[p->list[2]]), from);
    if (dot(d, e).hi < 0.0 && dot(d, f).hi < 0.0 && dot(d, h).hi < 0.0) {continue;}
    const int i = det(d, e, f), j = det(d, f, h), k = i * j < 0 ? 0 : det(d, h, e);
    if (i * j < 0 || j * k < 0 || k * i < 0) {continue;}
    const int front = det(e, f, h);
    need(v, i * j * k * front != 0, "a ray meets an edge");
    sum += front == i ? front : 0;
  }
  return sum;
}

/* [V-POINT] Ensures: contains a point of the side's primitive, or plane, at that time, in frame 0's
 * parent.
 * Why:      |u| <= 1 and |t| <= 1, and a shape with a tip shrinks by (1 - t)/2 towards it; without
 *           a shape u is a point of the ball. A half-space has all points with z <= 0. */
static vec point_of(vv_verifier * v, vv_side s, const vv_point * p, vv_time at)
{
  const vv_geometry * g = s.body->geometry;
  const rigid world = compose(vv_poses(v, at)[s.body->frame], s.body->pose);
  const bool deep = s.body->kind == VV_HALF_SPACE && p->u[2] <= 0.0;
  need(v, g != NULL || deep || p->u[2] == 0.0, "witness: a point is above its plane");
  if (g == NULL) {return apply(world, vector(p->u));}
  need(v, s.part < g->primitive_count, "witness: a wrong primitive");
  const vv_hull * h = &g->primitives[s.part];
  const vv_component * c = &g->components[h->component];
  const vec u = vector(p->u), x = vv_mix(v, g, h, p);
  const bool inside = dot(u, u).hi <= 1.0 && fabs(p->t) <= 1.0;
  need(v, inside, "witness: a point is outside its primitive");
  if (!(c->carry > c->radius)) {return apply(world, plus(x, times(u, point(c->radius))));}
  const iv size = c->tip ? mul(sub(point(1.0), point(p->t)), point(0.5)) : point(1.0);
  const iv z = mul(mul(u.z, point(c->radii[2])), size), rise = mul(point(p->t), point(c->height));
  const vec round = {mul(u.x, point(c->radii[0])), mul(u.y, point(c->radii[1])), {0.0, 0.0}};
  vec y = times(round, size);
  y.z = add(z, rise);
  return apply(world, plus(x, turn(c->turn, y)));
}

/* [V-TOUCH] Ensures: true only if the points, four of each body, show that the bodies meet or are
 * closer than the margin then; the report has the distance that is shown, 0 if they meet.
 * Why:      0 is strictly inside the tetrahedron of the differences w_i: its barycentric
 *           coordinates l_i have one sign, and sum l_i x_i = sum l_i y_i. */
static bool touching(vv_verifier * v, const vv_goal * goal, const vv_point * p, vv_time at)
{
  vec w[4];
  for (int i = 0; i < 4; i++) {
    const vec x = point_of(v, goal->sides[0], &p[i], at);
    w[i] = minus(point_of(v, goal->sides[1], &p[4 + i], at), x);
  }
  const int one = det(w[1], w[2], w[3]), two = det(w[0], w[3], w[2]), three = det(w[0], w[1], w[3]);
  const bool around = one != 0 && one == two && one == three && one == det(w[0], w[2], w[1]);
  v->report->apart = around ? 0.0 : length(w[0]);
  return around || v->report->apart < goal->margin;
}

/* [V-COLLISION] Ensures: a checked pair meets or is closer than its margin at t_hi; the ops that
 * follow belong to the claim, if made, that all is free before t_lo; no reported time is later than
 * the one it stands for. */
void vv_check_collision(vv_verifier * v)
{
  struct { vv_time t[2]; uint32_t claim, pair, group, solid, part[2]; } w;
  uint32_t count;
  memcpy(&w, vv_bytes(v, sizeof(w)), sizeof(w));
  const vv_point * points = vv_table(v, 7, 1e6, sizeof(vv_point), sizeof(vv_point), &count);
  for (int i = 0; i < 2; i++) {
    need(v, w.t[i].segment < v->segment_count && w.t[i].tick <= VV_ONE, "witness: a wrong time");
    const double * s = &v->seconds[w.t[i].segment], f = (double)w.t[i].tick * 0x1p-50;
    const iv seconds = add(point(s[0]), mul(sub(point(s[1]), point(s[0])), point(f)));
    *(i == 0 ? &v->report->t_lo : &v->report->t_hi) = max(s[0], seconds.lo);
  }
  need(v, w.claim <= 1 && until(w.t[0], w.t[1]), "witness: a wrong claim");
  v->t_lo = w.t[0];
  v->skips = w.claim == 1;
  v->report->free_until_t_lo = v->skips;
  need(v, w.pair < v->pair_count && w.solid <= 1, "witness: the pair is not checked");
  const vv_pair * p = &v->pairs[w.pair];
  const bool group = p->b == VV_NONE;
  need(v, w.group < (group ? v->group_count : 1), "witness: the pair is not checked");
  const uint32_t b = group ? v->groups[w.group].body : p->b;
  const bool checked = b != VV_NONE && p->margins[w.group] >= 0.0;
  need(v, checked && (count == 0 || count == 8), "witness: the pair is not checked");
  const vv_goal goal = {.margin = p->margins[w.group],
    .sides = {{&v->bodies[p->a], 0, w.part[0]}, {&v->bodies[b], 0, w.part[1]}}};
  const bool solids = goal.sides[1].body->geometry != NULL;
  const bool shown = count == 8 ? touching(v, &goal, points, w.t[1]) :
    solids && vv_winding(v, &goal, w.solid, w.t[1], vv_direction(v, 1e12)) != 0;
  need(v, shown, "witness: it does not show a contact");
}
