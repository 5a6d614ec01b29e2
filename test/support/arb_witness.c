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
#include "support/arb_checker.h"

#ifdef VOUCH_HAVE_ARB

#include <math.h>

#include "support/arb_frames.h"

typedef struct
{
  uint32_t a, b;
  double margin;
  uint32_t segment;
  uint64_t tick;
} event_t;

static bool take_time(ac_t * c, uint32_t * segment, uint64_t * tick)
{
  uint32_t zero;
  if (!take(c, tick, 8) || !take(c, segment, 4) || !take(c, &zero, 4) ||
    *segment >= c->problem->motion.segment_count || *tick > ARB_ONE)
  {
    return refuse(c, "a time is none of the motion");
  }
  return true;
}

/// A pair of the problem and one of its groups. Also sets the pair, for relative().
static bool find_pair(ac_t * c, uint32_t number, uint32_t group, event_t * e)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  if (number >= scene->pair_count) {
    return refuse(c, "no such pair");
  }
  c->pair = &scene->pairs[number];
  bool groups = c->pair->kind == VOUCH_PAIR_GROUP;
  if (group >= (groups ? scene->group_count : 1)) {
    return refuse(c, "no such group");
  }
  e->a = c->pair->a;
  e->b = groups ? scene->groups[group].body : c->pair->b;
  e->margin = groups ? c->pair->leaf_margins[group] : c->pair->margin;
  return (e->b != VOUCH_NONE && e->margin >= 0.0) || refuse(c, "the pair is not checked");
}

/// A point as the file has it.
typedef struct
{
  double u[3], t, w[3];
  uint32_t index[4];
} point_t;

/// The mixture of four points of a list; weights that add up to more than 1 mean their mean.
static bool mixture(
  ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, const point_t * at, av_t * x)
{
  const double zero[3] = {0, 0, 0};
  bool curved = p->kind >= VOUCH_PRIMITIVE_CYLINDER;
  arb_ptr rest = num(c, 1.0), sum = num(c, 0.0);
  av_t mean = vec(c, zero);
  for (int i = 0; i < 4; i++) {
    if (at->index[i] >= p->count || (i < 3 && !(at->w[i] >= 0.0 && at->w[i] < 1e300))) {
      return refuse(c, "a weight or an index");
    }
    arb_ptr weight = i < 3 ? num(c, at->w[i]) : rest;
    if (i == 3 && !arb_is_nonnegative(rest)) {
      weight = num(c, 0.0);
    }
    const double * v = curved ? g->curved[p->first].pose.translation :
      g->vertices[g->indices[p->first + at->index[i]]];
    mean = vadd(c, mean, vmul(c, vec(c, v), weight));
    sum = add(c, sum, weight);
    rest = i < 3 ? sub(c, rest, weight) : rest;
  }
  *x = vmul(c, mean, quotient(c, num(c, 1.0), sum));
  return true;
}

/// A point of a primitive: the mixture plus u in the ball, or plus the point (u, t) of the shape.
static bool primitive_point(
  ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, const point_t * at, av_t * x)
{
  for (int i = 0; i < 3; i++) {
    if (!(fabs(at->u[i]) < 1e9)) {
      return refuse(c, "a point");
    }
  }
  av_t u = vec(c, at->u), radii;
  if (!mixture(c, g, p, at, x)) {
    return false;
  }
  if (!arb_le(dot(c, u, u), num(c, 1.0)) || !(fabs(at->t) <= 1.0)) {
    return refuse(c, "a point is not inside its primitive");
  }
  if (p->kind < VOUCH_PRIMITIVE_CYLINDER) {
    *x = vadd(c, *x, vmul(c, u, num(c, p->radius)));
    return true;
  }
  double s[4];
  arb_checker_shape(&g->curved[p->first], p->kind, s);
  radii = vec(c, s);
  ap_t pose = from_pose(c, &g->curved[p->first].pose);
  arb_ptr t = num(c, at->t), shrink = num(c, 1.0);
  if (p->kind == VOUCH_PRIMITIVE_CONE) {   // the radius at that height: r (1 - t) / 2
    shrink = mul(c, sub(c, num(c, 1.0), t), num(c, 0.5));
  }
  for (int i = 0; i < 3; i++) {
    u.x[i] = mul(c, mul(c, u.x[i], radii.x[i]), shrink);
  }
  u.x[2] = add(c, u.x[2], mul(c, t, num(c, s[3])));
  *x = vadd(c, *x, turn(c, &pose, u));
  return true;
}

/// A point of a plane, z = 0, or of a half-space, z <= 0, in its own axes.
static bool plane_point(ac_t * c, const vouch_body_t * plane, const point_t * at, av_t * x)
{
  *x = vec(c, at->u);
  bool deep = plane->kind == VOUCH_BODY_HALFSPACE && at->u[2] < 0.0;
  return deep || !(at->u[2] < 0.0 || at->u[2] > 0.0) || refuse(c, "a point is not in its plane");
}

/// Four points of one primitive of a body, or of a plane, brought to the frame of B.
static bool take_points(ac_t * c, uint32_t number, uint32_t part, const ap_t * pose, av_t * x)
{
  const vouch_body_t * body = &c->problem->scene.bodies[number];
  bool plane = body->kind != VOUCH_BODY_GEOMETRY;
  const vouch_geometry_t * g = plane ? NULL : c->problem->geometry.geometries[body->geometry];
  if (!plane && part >= g->primitive_count) {
    return refuse(c, "no such primitive");
  }
  for (int i = 0; i < 4; i++) {
    point_t at;
    if (!take(c, &at, sizeof(at)) || !(plane ? plane_point(c, body, &at, &x[i]) :
      primitive_point(c, g, &g->primitives[part], &at, &x[i])))
    {
      return false;
    }
    x[i] = vadd(c, turn(c, pose, x[i]), pose->t);
  }
  return true;
}

/// 0 lies inside the tetrahedron of the differences: on the same side of every face as the corner
/// opposite to it.
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

/// What comes before the points; the ray of a containment comes after their number, 0.
typedef struct
{
  uint32_t claim, pair, group, solid, part[2], count;
} shown_t;

static bool contained(ac_t * c, const event_t * e, const shown_t * w, const ap_t poses[2])
{
  int sum;
  float ray[3];
  if (!take(c, ray, sizeof(ray))) {
    return false;
  }
  const vouch_scene_part_t * scene = &c->problem->scene;
  placed_t placed[2];
  for (int i = 0; i < 2; i++) {
    const vouch_body_t * body = &scene->bodies[i == 0 ? e->a : e->b];
    if (body->kind != VOUCH_BODY_GEOMETRY) {
      return refuse(c, "a plane contains nothing");
    }
    placed[i] = (placed_t) {c->problem->geometry.geometries[body->geometry], poses[i]};
    if (w->part[i] >= placed[i].g->component_count) {
      return refuse(c, "no such components");
    }
  }
  const placed_t * outer = &placed[w->solid], * inner = &placed[1 - w->solid];
  uint32_t solid = w->part[w->solid], other = w->part[1 - w->solid];
  if (outer->g->components[solid] != VOUCH_COMPONENT_SOLID) {
    return refuse(c, "no solid");
  }
  av_t point = reference(c, inner, other);
  av_t at = turn_back(c, &outer->pose, vsub(c, point, outer->pose.t));
  return arb_checker_crossings(c, outer->g, solid, at.x, ray, &sum) &&
         (sum != 0 || refuse(c, "the component is outside"));
}

static bool contact(ac_t * c, const event_t * e, const shown_t * shown)
{
  const vouch_body_t * b = &c->problem->scene.bodies[e->b];
  const ap_t poses[2] = {relative(c, e->segment, e->tick), from_pose(c, &b->placement)};
  av_t x[8], w[4];
  if (shown->solid > 1 || (shown->count != 0 && shown->count != 8)) {
    return refuse(c, "kind of witness");
  }
  if (shown->count == 0) {
    return contained(c, e, shown, poses);
  }
  if (!take_points(c, e->a, shown->part[0], &poses[0], x) ||
    !take_points(c, e->b, shown->part[1], &poses[1], x + 4))
  {
    return false;
  }
  for (int i = 0; i < 4; i++) {
    w[i] = vsub(c, x[4 + i], x[i]);
  }
  return arb_lt(norm(c, w[0]), num(c, e->margin)) || around_zero(c, w);
}

bool arb_checker_shows(ac_t * c, const uint8_t * certificate, size_t size)
{
  uint8_t kind;
  shown_t shown;
  event_t e = {.margin = 0.0};
  arb_checker_reset(c);
  if (!arb_checker_head(c, certificate, size, &kind) || kind != 2 ||
    !take_time(c, &c->until_segment, &c->until_tick) || !take_time(c, &e.segment, &e.tick) ||
    !take(c, &shown, sizeof(shown)) || shown.claim > 1)
  {
    return refuse(c, "not a certificate of COLLISION");
  }
  if (c->until_segment > e.segment || (c->until_segment == e.segment && c->until_tick > e.tick)) {
    return refuse(c, "free beyond the contact");
  }
  if (!find_pair(c, shown.pair, shown.group, &e) || !contact(c, &e, &shown)) {
    return false;
  }
  c->skips = shown.claim == 1;
  return shown.claim == 1 ? arb_checker_trees(c) : c->left == 0 || refuse(c, "bytes left over");
}

#else
typedef int arb_witness_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
