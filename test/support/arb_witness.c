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

/// Also sets the pair, for relative(). False: these two are not checked.
static bool find_pair(ac_t * c, event_t * e)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    c->pair = pair;
    if (pair->a != e->a) {
      continue;
    }
    if (pair->kind != VOUCH_PAIR_GROUP && pair->b == e->b) {
      e->margin = pair->margin;
      return true;
    }
    for (uint32_t g = 0; pair->kind == VOUCH_PAIR_GROUP && g < scene->group_count; g++) {
      if (scene->groups[g].body != VOUCH_NONE && scene->groups[g].body == e->b &&
        pair->leaf_margins[g] >= 0.0)
      {
        e->margin = pair->leaf_margins[g];
        return true;
      }
    }
  }
  return refuse(c, "the pair is not checked");
}

/// A point as the file has it.
typedef struct
{
  double offset[3], w[3];
  uint32_t index[4];
} point_t;

/// A point of a triangle or hull: weights that add up to more than 1 mean their mean.
static bool flat_point(
  ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, const point_t * at, av_t * x)
{
  const uint32_t * index = at->index;
  const double * w = at->w, * offset = at->offset, zero[3] = {0, 0, 0};
  arb_ptr rest = num(c, 1.0), sum = num(c, 0.0);
  av_t mean = vec(c, zero);
  for (int i = 0; i < 4; i++) {
    if (index[i] >= p->count || (i < 3 && !(w[i] >= 0.0 && w[i] < 1e300))) {
      return refuse(c, "a weight or an index");
    }
    arb_ptr weight = i < 3 ? num(c, w[i]) : rest;
    if (i == 3 && !arb_is_nonnegative(rest)) {
      weight = num(c, 0.0);
    }
    mean = vadd(c, mean, vmul(c, vec(c, g->vertices[g->indices[p->first + index[i]]]), weight));
    sum = add(c, sum, weight);
    rest = i < 3 ? sub(c, rest, weight) : rest;
  }
  *x = vmul(c, mean, quotient(c, num(c, 1.0), sum));
  *x = vadd(c, *x, vec(c, offset));
  bool none = offset[0] == 0.0 && offset[1] == 0.0 && offset[2] == 0.0;
  return none || arb_le(norm(c, vec(c, offset)), num(c, p->radius)) ||
         refuse(c, "an offset is too long");
}

/// Its middle is the only point of its list.
static bool curved_point(
  ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, const point_t * at, av_t * x)
{
  const double * y = at->offset;
  for (int i = 0; i < 4; i++) {
    if (at->index[i] != 0 || (i < 3 && !(at->w[i] >= 0.0 && at->w[i] < 1e300))) {
      return refuse(c, "a weight or an index");
    }
  }
  if (!(fabs(y[0]) < 1e9 && fabs(y[1]) < 1e9 && fabs(y[2]) < 1e9)) {
    return refuse(c, "a point");
  }
  const vouch_curved_t * curved = &g->curved[p->first];
  const double * s = curved->size;
  ap_t pose = from_pose(c, &curved->pose);
  *x = vadd(c, turn(c, &pose, vec(c, y)), pose.t);
  arb_ptr across = add(
    c, mul(c, num(c, y[0]), num(c, y[0])), mul(c, num(c, y[1]), num(c, y[1])));
  arb_ptr radius = num(c, s[0]);
  bool inside = fabs(y[2]) <= s[1];
  if (p->kind == VOUCH_PRIMITIVE_ELLIPSOID) {
    arb_ptr sum = num(c, 0.0);
    for (int i = 0; i < 3; i++) {
      arb_ptr part = quotient(c, num(c, y[i]), num(c, s[i]));
      sum = add(c, sum, mul(c, part, part));
    }
    inside = arb_le(sum, num(c, 1.0));
  } else if (p->kind == VOUCH_PRIMITIVE_CYLINDER) {
    inside = inside && arb_le(across, mul(c, radius, radius));
  } else {   // the radius at that height: r (h - z) / 2h
    arb_ptr height = num(c, s[1]);
    arb_ptr there = quotient(
      c, mul(c, radius, sub(c, height, num(c, y[2]))), mul(c, num(c, 2.0), height));
    inside = inside && arb_le(across, mul(c, there, there));
  }
  return inside || refuse(c, "a point is not inside its primitive");
}

/// Four points of one primitive of a body, brought to the frame of B.
static bool take_points(ac_t * c, uint32_t body, uint32_t number, const ap_t * pose, av_t * x)
{
  const vouch_geometry_t * g =
    c->problem->geometry.geometries[c->problem->scene.bodies[body].geometry];
  if (number >= g->primitive_count) {
    return refuse(c, "no such primitive");
  }
  const vouch_primitive_t * p = &g->primitives[number];
  for (int i = 0; i < 4; i++) {
    point_t at;
    if (!take(c, &at, sizeof(at))) {
      return false;
    }
    bool curved = p->kind >= VOUCH_PRIMITIVE_CYLINDER;
    if (!(curved ? curved_point : flat_point)(c, g, p, &at, &x[i])) {
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

/// The primitive reaches from the lower to the higher of two points: through, or near enough.
static bool meets_plane(ac_t * c, const event_t * e, const av_t * x)
{
  const vouch_body_t * b = &c->problem->scene.bodies[e->b];
  /* The normal's length is 1 up to rounding: the distance is height / length. */
  arb_ptr margin = num(c, e->margin), below = num(c, -e->margin);
  bool low = false, high = b->kind == VOUCH_BODY_HALFSPACE;
  for (int i = 0; i < 2; i++) {
    arb_ptr height = sub(c, dot(c, vec(c, b->normal), x[i]), num(c, b->offset));
    height = quotient(c, height, norm(c, vec(c, b->normal)));
    low = low || arb_lt(height, margin);
    high = high || arb_lt(below, height);
  }
  return (low && high) || refuse(c, "the plane is not met");
}

/// What comes before the points.
typedef struct
{
  uint32_t claim, a, b, kind, part[2], solid;
  float ray[3];
  uint32_t count;
} shown_t;

static bool contained(ac_t * c, const shown_t * w, const ap_t poses[2])
{
  int sum;
  if (w->solid > 1) {
    return refuse(c, "containment");
  }
  const vouch_scene_part_t * scene = &c->problem->scene;
  placed_t placed[2];
  for (int i = 0; i < 2; i++) {
    const vouch_body_t * body = &scene->bodies[i == 0 ? w->a : w->b];
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
  return arb_checker_crossings(c, outer->g, solid, at.x, w->ray, &sum) &&
         (sum != 0 || refuse(c, "the component is outside"));
}

static bool contact(ac_t * c, const event_t * e, const shown_t * shown)
{
  const vouch_body_t * b = &c->problem->scene.bodies[e->b];
  const ap_t poses[2] = {relative(c, e->segment, e->tick), from_pose(c, &b->placement)};
  bool plane = b->kind != VOUCH_BODY_GEOMETRY;
  av_t x[8], w[4];
  if (shown->kind == 2) {
    return (shown->count == 0 || refuse(c, "number of points")) && contained(c, shown, poses);
  }
  if (shown->kind != 1 || shown->count != (plane ? 4 : 8)) {
    return refuse(c, "kind of witness");
  }
  if (!take_points(c, e->a, shown->part[0], &poses[0], x)) {
    return false;
  }
  if (plane) {
    return meets_plane(c, e, x);
  }
  if (!take_points(c, e->b, shown->part[1], &poses[1], x + 4)) {
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
  e.a = shown.a;
  e.b = shown.b;
  if (!find_pair(c, &e) || !contact(c, &e, &shown)) {
    return false;
  }
  c->skips = shown.claim == 1;
  return shown.claim == 1 ? arb_checker_trees(c) : c->left == 0 || refuse(c, "bytes left over");
}

#else
typedef int arb_witness_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
