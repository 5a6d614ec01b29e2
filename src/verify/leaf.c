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

/* One pair in motion: joint values, poses, bounds, gaps, and the tests of a leaf. */
#include "internal.h"

/* [V-BLOSSOM] Ensures: contains the blossom of the variable on segment k at `ones` times the
 *           span's end and else its beginning: coefficient `ones` of the polynomial restricted to
 *           the span; its value at the beginning for ones = 0.
 * Why:      de Casteljau; times and 1 - t are exact multiples of 2^-50. */
iv vv_blossom(const vv_verifier * v, uint32_t k, uint32_t variable, uint32_t ones, vv_span s)
{
  const uint32_t degree = v->segments[k].degree;
  const double * b = v->segments[k].b + (size_t)variable * (degree + 1);
  if (s.length == VV_ONE) {return point(b[ones]);}
  iv c[6];
  uint32_t i = degree + 1;
  while (i-- > 0) {c[i] = point(b[i]);}
  for (uint32_t left = degree; left > 0; left--) {
    const double t = (double)(s.begin + (left <= ones ? s.length : 0)) * 0x1p-50;
    for (i = 0; i < left; i++) {
      c[i] = add(mul(c[i], point(1.0 - t)), mul(c[i + 1], point(t)));
    }
  }
  return c[0];
}

/* [V-POSES] Ensures: contains the pose of every frame in frame 0's parent at that time. */
const rigid * vv_poses(const vv_verifier * v, vv_time at)
{
  bool hit;
  rigid * world = vv_lookup(&v->poses, at.segment + UINT64_C(1), at.tick, 0, &hit);
  for (uint32_t i = 0; !hit && i < v->frame_count; i++) {
    const vv_frame * f = &v->frames[i];
    rigid x = f->pose;
    if (f->joint != VV_FIXED) {
      const iv value = vv_blossom(v, at.segment, f->variable, 0, (vv_span) {.begin = at.tick});
      const iv q = add(mul(point(f->factor), value), point(f->offset));
      const iv half = mul(q, point(0.5));
      x.t = f->joint == VV_PRISMATIC ? plus(x.t, turn(x, times(f->unit, q))) : x.t;
      const vec lean = times(f->unit, sine(half, 0));
      x = f->joint == VV_REVOLUTE ? spun(x, lean, sine(half, 1), point(2.0)) : x;
    }
    world[i] = i == 0 ? x : compose(world[f->parent], x);
  }
  return world;
}

/* One variable on one span, in the span's own time: |q'|, half of |q''| with kinks, variation. */
typedef struct { double speed, bend, variation; } bound;

/* [V-BOUND] Requires: no start strictly inside the span.
 * Ensures:  in the span's own time, |q'| <= speed, total variation <= variation, and bend is at
 *           least the sum of half of max |q''| (or the integral of |q''|, whichever is smaller)
 *           and of all kinks.
 * Why:      L5 and L10, every step rounded up. The velocity has the coefficients d*rate*step; it
 *           bends between two of one segment, and has a kink between segments. */
static bound bound_of(const vv_verifier * v, vv_span s, uint32_t variable)
{
  bound out = {0.0, 0.0, 0.0};
  double half = 0.0, integral = 0.0, kinks = 0.0;
  iv velocity = {0.0, 0.0};
  const iv whole = sub(point(v->knots[s.last]), point(v->knots[s.first]));
  for (uint32_t k = s.first; k < s.last; k++) {
    const double d = v->segments[k].degree;
    const iv rate = over(whole, sub(point(v->knots[k + 1]), point(v->knots[k])));
    iv last = vv_blossom(v, k, variable, 0, s);
    for (uint32_t i = 1; i <= v->segments[k].degree; i++) {
      const iv next = vv_blossom(v, k, variable, i, s), step = sub(next, last), before = velocity;
      last = next;
      velocity = mul(step, mul(rate, point(d)));
      const double change = k == s.first && i == 1 ? 0.0 : mag(sub(velocity, before));
      const double turn = i == 1 ? 0.0 : change;
      kinks = up(kinks + (change - turn));
      half = max(half, up(up(0.5 * (d - 1.0) * turn) * rate.hi));
      integral = up(integral + turn);
      out.speed = max(out.speed, mag(velocity));
      out.variation = up(out.variation + mag(step));
    }
  }
  out.bend = up(min(half, integral) + kinks);
  return out;
}

/* [V-BOUNDS] Ensures: the bounds of all variables on the span.
 * Why:      2*begin + length tells parts of a segment apart: length is a power of two and divides
 *           begin. */
static const bound * bounds_on(const vv_verifier * v, vv_span s)
{
  bool hit;
  bound * bounds =
    vv_lookup(&v->bounds, s.first + UINT64_C(1), s.last, 2 * s.begin + s.length, &hit);
  for (uint32_t j = 0; !hit && j < v->variable_count; j++) {
    bounds[j] = bound_of(v, s, j);
  }
  return bounds;
}

/* [V-BALL] Ensures: the ball about the result, the middle of the box of the points of h, that is
 * `radius` wide contains h. */
static vec ball_of(const vv_geometry * g, const vv_hull * h, double * radius)
{
  vec all = vector(g->vertices[h->list[0]]);
  uint32_t i = h->count;
  while (i-- > 0) {all = box3(all, vector(g->vertices[h->list[i]]));}
  const vec c = {point(middle(all.x)), point(middle(all.y)), point(middle(all.z))};
  *radius = 0.0;
  for (i = 0; i < h->count; i++) {
    *radius = max(*radius, up(length(minus(vector(g->vertices[h->list[i]]), c)) + h->carry));
  }
  return c;
}

/* [V-RADII] Ensures: rho[s] bounds the distance of every point of a's node from the axis of the
 * joint of step s at all times (L4); 1 for a prismatic joint.
 * Why:      a ball around the node, carried from a to b: a rotation keeps it in the ball about the
 *           foot on the axis, a translation along the axis in the ball about the middle. On b's
 *           branch joints are undone. */
static const double * radii(const vv_verifier * v, vv_side a)
{
  bool hit;
  double * rho = vv_lookup(&v->radii, v->pair + UINT64_C(1), a.node, 0, &hit), r;
  if (hit) {return rho;}
  const vv_geometry * g = a.body->geometry;
  vec c = apply(a.body->pose, ball_of(g, &g->nodes[a.node].all, &r));
  for (uint32_t s = 0; s < v->step_count; s++) {
    const vv_frame * f = &v->frames[v->steps[s]];
    const bool turns = f->joint == VV_REVOLUTE, slides = f->joint == VV_PRISMATIC;
    const bool below = s < v->upward;
    c = below ? c : unapply(f->pose, c);
    const vec foot = times(f->unit, dot(c, f->unit));
    const iv slid = point(below ? f->middle : -f->middle);
    r = turns ? up(r + length(minus(c, foot))) : slides ? up(r + f->half) : r;
    rho[s] = turns ? r : 1.0;
    c = turns ? foot : slides ? plus(c, times(f->unit, slid)) : c;
    c = below ? apply(f->pose, c) : c;
  }
  return rho;
}

/* [V-FLOOR] Ensures: at most n.y for all points y of side b, seen from its frame (frame 0 for a
 * group). For a plane, n is minus its normal (node 0) or its normal (node 1). */
double vv_floor(const vv_verifier * v, vv_side b, vec n)
{
  if (b.body == NULL) {return dot(n, v->groups[b.node].box).lo;}
  const double plane = b.node == 0 ? -b.body->offset : b.body->offset;
  return b.body->geometry == NULL ? plane : -vv_reach(b, times(n, point(-1.0)));
}

/* [V-GAP] Requires: floor is [V-FLOOR] of the second side.
 * Ensures:  at most n.y - n.x for all points x of the first and y of the second side then.
 * Why:      n.x is taken in the frame of the first side, through frame 0. */
double vv_gap(const vv_verifier * v, const vv_goal * goal, vec n, vv_time at, double floor)
{
  const rigid * poses = vv_poses(v, at);
  const vv_side a = goal->sides[0], b = goal->sides[1];
  const rigid * from = &poses[a.body->frame], * to = &poses[b.body == NULL ? 0 : b.body->frame];
  const vec out = turn(*to, n);
  const double far = up(vv_reach(a, unturn(*from, out)) + dot(out, minus(from->t, to->t)).hi);
  return down(floor - far);
}

/* [V-LEAF] Requires: |n_a|, |n_b| <= VV_N; if chord, they are equal; no start strictly inside the
 * goal's span.
 * Ensures:  on true, the goal's sides are more than its margin apart during all of its span,
 *           under all deviations within the tolerances.
 * Why:      L1, L2, L3, L10; bounds on the motion rounded up, gaps rounded down. `moved` is the sum
 *           of rho*speed over the joints passed, all further from b, so that speed*moved adds up
 *           to the double sum of L1. At a knot that is no start both configurations agree. */
bool vv_leaf(vv_verifier * v, const vv_goal * goal, vec n_a, vec n_b, bool chord)
{
  const bound * bounds = bounds_on(v, goal->span);
  const double * radius = radii(v, goal->sides[0]);
  double moved = 0.0, bend = 0.0, travel = 0.0, reserve = goal->margin;
  for (uint32_t s = 0; s < v->step_count; s++) {
    const vv_frame * f = &v->frames[v->steps[s]];
    if (f->joint == VV_FIXED) {continue;}
    const bound * b = &bounds[f->variable];
    const double k = fabs(f->factor), speed = up(k * b->speed), rho = radius[s];
    const double swing = up(speed * up(up(0.5 * rho * speed) + moved));
    bend = up(bend + up((f->joint == VV_REVOLUTE ? swing : 0.0) + up(rho * up(k * b->bend))));
    travel = up(travel + up(rho * up(k * b->variation)));
    reserve = up(reserve + up(rho * f->tolerance));
    moved = up(moved + up(rho * speed));
  }
  const vv_span s = goal->span;
  const vv_time begin = {s.begin, s.first, 0}, inside = {s.begin + s.length, s.last - 1, 0};
  const bool knot = inside.tick == VV_ONE && s.last < v->segment_count;
  const bool same = knot && v->segments[s.last].starts == v->segments[s.last - 1].starts;
  const vv_time end = same ? (vv_time) {0, s.last, 0} : inside;
  const double kept = up(VV_N * reserve), floor_a = vv_floor(v, goal->sides[1], n_a);
  const double floor_b = chord ? floor_a : vv_floor(v, goal->sides[1], n_b);
  const double g_a = down(vv_gap(v, goal, n_a, begin, floor_a) - kept);
  const double g_b = down(vv_gap(v, goal, n_b, end, floor_b) - kept);
  if (!(g_a > 0.0 && g_a < 1e9 && g_b > 0.0 && g_b < 1e9)) {return false;}
  const double sum = down(g_a + g_b), excess = up(up(VV_N * bend) - sum);
  if (sum > up(VV_N * travel)) {return true;}
  return chord && (excess <= 0.0 || up(excess * excess) < down(4.0 * down(g_a * g_b)));
}
