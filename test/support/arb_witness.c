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
  uint64_t numerator;
  uint8_t depth;
  if (!take(c, segment, 4) || !take(c, &numerator, 8) || !take(c, &depth, 1) || depth > 50 ||
    *segment >= c->problem->motion.segment_count || numerator > ARB_ONE >> (50 - depth))
  {
    return refuse(c, "a time is none of the motion");
  }
  *tick = numerator << (50 - depth);
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

/// A point of a triangle or hull: weights that add up to more than 1 mean their mean.
static bool take_flat(ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, av_t * x)
{
  uint32_t index[4];
  double w[3], offset[3];
  const double zero[3] = {0, 0, 0};
  if (!take(
      c, index,
      sizeof(index)) || !take(c, w, sizeof(w)) || !take(c, offset, sizeof(offset)))
  {
    return false;
  }
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

static bool take_curved(ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, av_t * x)
{
  double y[3];
  if (!take(c, y, sizeof(y)) || !(fabs(y[0]) < 1e9 && fabs(y[1]) < 1e9 && fabs(y[2]) < 1e9)) {
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

/// Points of one primitive of a body, brought to the frame of B.
static bool take_points(ac_t * c, uint32_t body, const ap_t * pose, uint32_t count, av_t * x)
{
  const vouch_geometry_t * g =
    c->problem->geometry.geometries[c->problem->scene.bodies[body].geometry];
  uint32_t number, first = 0;
  uint8_t form;
  for (uint32_t i = 0; i < count; i++) {
    if (!take(c, &number, 4) || !take(c, &form, 1)) {
      return false;
    }
    first = i == 0 ? number : first;
    if (number != first || number >= g->primitive_count) {
      return refuse(c, "points of two primitives");
    }
    const vouch_primitive_t * p = &g->primitives[number];
    if (form != (p->kind >= VOUCH_PRIMITIVE_CYLINDER)) {
      return refuse(c, "a point of another form");
    }
    if (!(form == 0 ? take_flat(c, g, p, &x[i]) : take_curved(c, g, p, &x[i]))) {
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

static bool meets_plane(ac_t * c, const event_t * e, uint32_t count, const av_t * x)
{
  const vouch_body_t * b = &c->problem->scene.bodies[e->b];
  arb_ptr height[2];
  for (uint32_t i = 0; i < count; i++) {
    height[i] = sub(c, dot(c, vec(c, b->normal), x[i]), num(c, b->offset));
  }
  bool thin = b->kind == VOUCH_BODY_PLANE;
  if (count == 2) {
    return (thin && sign(height[0]) * sign(height[1]) < 0) || refuse(c, "not on both sides");
  }
  /* The normal's length is 1 up to rounding: the distance is height / length. */
  arb_ptr far = quotient(c, height[0], norm(c, vec(c, b->normal)));
  far = thin ? size_of(c, far) : far;
  return arb_is_negative(far) || arb_lt(far, num(c, e->margin)) ||
         refuse(c, "the plane is not met");
}

static bool contained(ac_t * c, const event_t * e, const ap_t poses[2])
{
  uint8_t who;
  uint32_t solid, other;
  float ray[3];
  int sum;
  if (!take(c, &who, 1) || !take(c, &solid, 4) || !take(c, &other, 4) || !take(c, ray, 12) ||
    who > 1)
  {
    return refuse(c, "containment");
  }
  const vouch_scene_part_t * scene = &c->problem->scene;
  const vouch_geometry_t * a = c->problem->geometry.geometries[scene->bodies[e->a].geometry];
  const vouch_geometry_t * b = c->problem->geometry.geometries[scene->bodies[e->b].geometry];
  placed_t outer = {who == 0 ? a : b, poses[who]}, inner = {who == 0 ? b : a, poses[1 - who]};
  if (solid >= outer.g->component_count || other >= inner.g->component_count ||
    outer.g->components[solid] != VOUCH_COMPONENT_SOLID)
  {
    return refuse(c, "no such components");
  }
  av_t point = reference(c, &inner, other);
  av_t at = turn_back(c, &outer.pose, vsub(c, point, outer.pose.t));
  return arb_checker_crossings(c, outer.g, solid, at.x, ray, &sum) &&
         (sum != 0 || refuse(c, "the component is outside"));
}

static bool contact(ac_t * c, const event_t * e, uint8_t kind)
{
  const vouch_body_t * b = &c->problem->scene.bodies[e->b];
  const ap_t poses[2] = {relative(c, e->segment, e->tick), from_pose(c, &b->placement)};
  av_t x[8];
  uint8_t count = kind == 1 ? 4 : 1;
  if (kind < 1 || kind > 4 || (kind == 4) != (b->kind != VOUCH_BODY_GEOMETRY)) {
    return refuse(c, "kind of witness");
  }
  if (kind == 3) {
    return contained(c, e, poses);
  }
  if (kind == 4 && (!take(c, &count, 1) || count < 1 || count > 2)) {
    return refuse(c, "number of points");
  }
  if (!take_points(c, e->a, &poses[0], count, x)) {
    return false;
  }
  if (kind == 4) {
    return meets_plane(c, e, count, x);
  }
  if (!take_points(c, e->b, &poses[1], count, x + count)) {
    return false;
  }
  if (kind == 2) {
    return arb_lt(norm(c, vsub(c, x[0], x[1])), num(c, e->margin)) || refuse(c, "not so near");
  }
  av_t w[4];
  for (int i = 0; i < 4; i++) {
    w[i] = vsub(c, x[4 + i], x[i]);
  }
  return around_zero(c, w);
}

bool arb_checker_shows(ac_t * c, const uint8_t * certificate, size_t size)
{
  uint8_t kind, claim, shown;
  event_t e = {.margin = 0.0};
  arb_checker_reset(c);
  if (!arb_checker_head(c, certificate, size, &kind) || kind != 2 || !take(c, &claim, 1) ||
    claim > 1 || !take_time(c, &c->until_segment, &c->until_tick) ||
    !take_time(c, &e.segment, &e.tick) || !take(c, &e.a, 4) || !take(c, &e.b, 4) ||
    !take(c, &shown, 1))
  {
    return refuse(c, "not a certificate of COLLISION");
  }
  if (c->until_segment > e.segment || (c->until_segment == e.segment && c->until_tick > e.tick)) {
    return refuse(c, "free beyond the contact");
  }
  if (!find_pair(c, &e) || !contact(c, &e, shown)) {
    return false;
  }
  c->skips = claim == 1;
  uint64_t length;
  return claim == 1 ? arb_checker_trees(c) :
         (take(c, &length, 8) && length == 0 && c->left == 0) || refuse(c, "bytes left over");
}

#else
typedef int arb_witness_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
