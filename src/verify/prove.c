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

/* Proofs: poses, bounds, radii, gaps of one pair in motion; the proof trees, one for each pair. */
#include <string.h>

#include "internal.h"

/* [V-LOOKUP] Requires: a > 0.
 * Ensures:  the slot of the key (a, b, d); if *hit its value belongs to the key, else the slot now
 *           carries this key and the caller writes the value before the next lookup. */
static void * lookup(vv_cache * c, uint64_t a, uint64_t b, uint64_t d, bool * hit)
{
  const uint64_t key[3] = {a, b, d}, odd = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t * slot = c->keys[(((a * odd ^ b) * odd ^ d) * odd >> 32) % c->slots];
  *hit = memcmp(slot, key, sizeof(key)) == 0;
  memcpy(slot, key, sizeof(key));
  slot[3] = slot[3] == 0 ? ++c->used : slot[3];
  return c->values + (slot[3] - 1) * c->size;
}

/* [V-BLOSSOM] Requires: degree <= 5.
 * Ensures:  contains the blossom of the polynomial with coefficients b at `ones` times the tick `end`
 *           and else `begin`: coefficient `ones` of the polynomial restricted to that part; its value
 *           at the beginning for ones = 0.
 * Why:      de Casteljau; a blossom does not depend on the order of its arguments; times and 1 - t
 *           are exact multiples of 2^-50. */
static iv blossom(const double * b, uint32_t degree, uint32_t ones, uint64_t begin, uint64_t end)
{
  if (degree == 0) {return point(b[0]);}
  if (end - begin == VV_ONE) {return point(b[ones]);}
  const double t = (double)(degree <= ones ? end : begin) * 0x1p-50;
  const iv early = blossom(b, degree - 1, ones, begin, end);
  const iv late = blossom(b + 1, degree - 1, ones, begin, end);
  return add(mul(early, point(1.0 - t)), mul(late, point(t)));
}

/* [V-POSES] Ensures: contains the pose of every frame in frame 0's parent at that time.
 * Why:      turning by q about a unit axis z adds sin(q)[z] + (1 - cos(q))[z][z]. The end of a
 *           segment is the beginning of the next one if that is no start. */
const rigid * vv_poses(vv_verifier * v, vv_time at)
{
  bool hit;
  const vv_segment * k = &v->segments[at.segment];
  const bool knot = at.tick == VV_ONE && at.segment + 1 < v->segment_count;
  if (knot && k[1].starts == k->starts) {return vv_poses(v, (vv_time) {0, at.segment + 1, 0});}
  rigid * world = lookup(&v->poses, at.segment + UINT64_C(1), at.tick, 0, &hit);
  for (uint32_t i = 0; !hit && i < v->frame_count; i++) {
    const vv_frame * f = &v->frames[i];
    rigid x = f->pose;
    if (f->joint != VV_FIXED) {
      const double * b = k->b + f->variable * (k->degree + UINT64_C(1));
      const iv value = blossom(b, k->degree, 0, at.tick, at.tick);
      const iv q = add(mul(point(f->factor), value), point(f->offset));
      const vec slid = plus(x.t, times(turn(x, f->unit), q));
      const rigid turned = spun(x, f->unit, sine(q, 0), sub(point(1.0), sine(q, 1)));
      x = f->joint == VV_REVOLUTE ? turned : (rigid) {x.x, x.y, x.z, slid};
    }
    world[i] = i == 0 ? x : compose(world[f->parent], x);
  }
  return world;
}

/* [V-BOUNDS] Requires: no start strictly inside the span.
 * Ensures:  for every variable, in the span's own time, |q'| <= speed, total variation is at most
 *           variation, and bend at least the sum of half of max |q''| (or the integral of |q''|,
 *           whichever is smaller) and of all kinks.
 * Why:      L5 and L10, every step rounded up. The velocity has the coefficients d*rate*step; it
 *           bends between two of one segment, and has a kink between segments. As a key, the sum of
 *           two ticks tells parts of a segment apart: it is 2*begin + length, and length is a power
 *           of two that divides begin. */
static const vv_bound * bounds_on(vv_verifier * v, vv_span s)
{
  bool hit;
  const uint32_t first = s.begin.segment, last = s.end.segment;
  vv_bound * out = lookup(&v->bounds, first + UINT64_C(1), last, s.begin.tick + s.end.tick, &hit);
  const iv whole = sub(point(v->knots[last + 1]), point(v->knots[first]));
  for (uint32_t j = 0; !hit && j < v->variable_count; j++) {
    double half = 0.0, integral = 0.0, kinks = 0.0;
    iv velocity = {0.0, 0.0};
    out[j] = (vv_bound) {0.0, 0.0, 0.0};
    for (uint32_t k = first; k <= last; k++) {
      const uint32_t d = v->segments[k].degree;
      const double * b = v->segments[k].b + j * (d + UINT64_C(1));
      const iv rate = over(whole, sub(point(v->knots[k + 1]), point(v->knots[k])));
      for (uint32_t i = 1; i <= d; i++) {
        const iv old = blossom(b, d, i - 1, s.begin.tick, s.end.tick), before = velocity;
        const iv step = sub(blossom(b, d, i, s.begin.tick, s.end.tick), old);
        velocity = mul(step, mul(rate, point(d)));
        const double change = k == first && i == 1 ? 0.0 : mag(sub(velocity, before));
        const double turn = i == 1 ? 0.0 : change;
        kinks = up(kinks + (change - turn));
        half = max(half, up(up(0.5 * (d - 1.0) * turn) * rate.hi));
        integral = up(integral + turn);
        out[j].speed = max(out[j].speed, mag(velocity));
        out[j].variation = up(out[j].variation + mag(step));
      }
    }
    out[j].bend = up(min(half, integral) + kinks);
  }
  return out;
}

/* [V-GAP] Requires: if the second side is a plane, n is its normal or against it; if it is a
 * half-space, against it.
 * Ensures:  at most n.y - n.x for all points x of the first and y of the second side then, n seen
 *           from the frame of the second (frame 0 for a group).
 * Why:      n.x is taken in the frame of the first side, through frame 0's parent. */
static double gap(vv_verifier * v, const vv_goal * goal, vec n, vv_time at)
{
  const rigid * poses = vv_poses(v, at);
  const vv_side a = goal->sides[0], b = goal->sides[1];
  const bool group = b.body == NULL, plane = !group && b.body->geometry == NULL;
  const rigid * from = &poses[a.body->frame], * to = &poses[group ? 0 : b.body->frame];
  const vec out = turn(*to, n);
  const double far = up(vv_reach(a, unturn(*from, out)) + dot(out, minus(from->t, to->t)).hi);
  const vec flat = group ? v->groups[b.node].box : b.body->pose.t;
  const double near = group || plane ? dot(n, flat).lo : -vv_reach(b, times(n, point(-1.0)));
  return down(near - far);
}

/* [V-LEAF] Requires: |n_a|, |n_b| <= VV_N; if chord, they are equal; no start strictly inside the
 * goal's span.
 * Ensures:  on true, the goal's sides are more than its margin apart during all of its span,
 *           under all deviations within the tolerances.
 * Why:      L1, L2, L3, L10; bounds on the motion rounded up, gaps rounded down. `moved` is the sum
 *           of rho*speed over the joints passed, all further from b, so that speed*moved adds up
 *           to the double sum of L1. */
static bool leaf(vv_verifier * v, const vv_goal * goal, vec n_a, vec n_b, bool chord)
{
  const vv_bound * bounds = bounds_on(v, goal->span);
  double moved = 0.0, bend = 0.0, travel = 0.0;
  for (uint32_t s = 0; s < v->step_count; s++) {
    const vv_frame * f = &v->frames[v->steps[s]];
    if (f->joint == VV_FIXED) {continue;}
    const vv_bound * b = &bounds[f->variable];
    const double k = fabs(f->factor), speed = up(k * b->speed), rho = v->radii[s];
    const double swing = up(speed * up(up(0.5 * rho * speed) + moved));
    bend = up(bend + up((f->joint == VV_REVOLUTE ? swing : 0.0) + up(rho * up(k * b->bend))));
    travel = up(travel + up(rho * up(k * b->variation)));
    moved = up(moved + up(rho * speed));
  }
  const double kept = up(VV_N * up(goal->margin + v->deviation));
  const double g_a = down(gap(v, goal, n_a, goal->span.begin) - kept);
  const double g_b = down(gap(v, goal, n_b, goal->span.end) - kept);
  if (!(g_a > 0.0 && g_a < 1e9 && g_b > 0.0 && g_b < 1e9)) {return false;}
  const double sum = down(g_a + g_b), excess = up(up(VV_N * bend) - sum);
  if (sum > up(VV_N * travel)) {return true;}
  return chord && (excess <= 0.0 || up(excess * excess) < down(4.0 * down(g_a * g_b)));
}

/* [V-PATH] Ensures: steps are the frames whose joints lie between a's frame and `to`, from a's upwards
 *           to the common ancestor (the first `upward`), then down. radii[s] bounds the distance of
 *           every point of a from the axis of the joint of step s at all times (L4); it is 1 for a
 *           prismatic joint. No point of a deviates by more than `deviation` (L3).
 * Why:      parents have lower numbers, so the larger of two different frames is no ancestor of
 *           the other, and replacing it by its parent keeps the common ancestors. A ball around a is
 *           carried along: a rotation keeps it in the ball about the foot on the axis, a translation
 *           along the axis in the ball about the middle. On b's branch joints are undone. */
static void set_path(vv_verifier * v, const vv_body * a, uint32_t to)
{
  uint32_t from = a->frame, last = v->frame_count;
  double r = a->geometry->radius;
  vec c = apply(a->pose, a->geometry->centre);
  v->upward = 0;
  v->deviation = 0.0;
  while (from != to) {
    uint32_t * side = from > to ? &from : &to;
    v->steps[from > to ? v->upward++ : --last] = *side;
    *side = v->frames[*side].parent;
  }
  v->step_count = v->upward + v->frame_count - last;
  memmove(v->steps + v->upward, v->steps + last, (v->frame_count - last) * sizeof(uint32_t));
  for (uint32_t s = 0; s < v->step_count; s++) {
    const vv_frame * f = &v->frames[v->steps[s]];
    const bool turns = f->joint == VV_REVOLUTE, slides = f->joint == VV_PRISMATIC;
    const bool below = s < v->upward;
    c = below ? c : unapply(f->pose, c);
    const vec foot = times(f->unit, dot(c, f->unit));
    const iv slid = point(below ? f->middle : -f->middle);
    r = turns ? up(r + length(minus(c, foot))) : slides ? up(r + f->half) : r;
    v->radii[s] = turns ? r : 1.0;
    v->deviation = up(v->deviation + up(v->radii[s] * (turns || slides ? f->tolerance : 0.0)));
    c = turns ? foot : slides ? plus(c, times(f->unit, slid)) : c;
    c = below ? apply(f->pose, c) : c;
  }
  need(v, r < 1e12, "a path is too long");
}

/* [V-SPLIT] Ensures: the spans of the two goals together are the goal's span, cut at a knot if it
 * is a run, else at its middle. */
static void split(vv_verifier * v, vv_goal early)
{
  vv_goal late = early;
  const vv_time begin = early.span.begin, end = early.span.end;
  const uint32_t runs = end.segment - begin.segment, knot = begin.segment + (runs + 1) / 2;
  const vv_time middle = {begin.tick + (end.tick - begin.tick) / 2, begin.segment, 0};
  need(v, runs > 0 || middle.tick > begin.tick, "an interval is split below depth 50");
  early.span.end = runs > 0 ? (vv_time) {VV_ONE, knot - 1, 0} : middle;
  late.span.begin = runs > 0 ? (vv_time) {0, knot, 0} : middle;
  v->goals[v->goal_count++] = late;
  v->goals[v->goal_count++] = early;
}

/* [V-OUTSIDE] Requires: the goal is two bodies' roots on a span that begins at a start.
 * Ensures:  at the beginning no component of one is inside a solid component of the other, nor in the
 *           hull of its open ones (L8): the records show it outside the solid (I), or the two hulls
 *           apart under all deviations (H). */
static void check_outside(vv_verifier * v, vv_goal goal)
{
  for (uint32_t who = 0; who < 2; who++) {
    vv_side * s = &goal.sides[who], * o = &goal.sides[1 - who];
    const uint64_t others = o->body->geometry->component_count;
    for (uint64_t i = 0; i < s->body->geometry->component_count * others; i++) {
      s->part = (uint32_t)(i / others);
      o->part = (uint32_t)(i % others);
      const uint32_t kind = s->body->geometry->components[s->part].kind;
      if (kind != VV_SOLID && s->part != s->body->geometry->open) {i += others - 1; continue;}
      need(v, *vv_bytes(v, 1) == (kind == VV_SOLID ? 'I' : 'H'), "an I or H is owed here");
      const vec n = vv_direction(v, kind == VV_SOLID ? 1e12 : VV_UNIT);
      const bool out = kind == VV_SOLID ? vv_winding(v, &goal, who, goal.span.begin, n) == 0 :
        gap(v, &goal, n, goal.span.begin) > up(VV_N * v->deviation);
      need(v, out, "an I or H fails");
    }
  }
}

/* [V-DESCEND] Ensures: the sides of the new goals together contain the goal's (L7); where that
 * leaves two root nodes at a start, no solid or open component holds one of the other's (L8), and no
 * thin plane is between open components. */
static void descend(vv_verifier * v, vv_goal goal, bool in_b)
{
  vv_side * s = &goal.sides[in_b], * b = &goal.sides[1];
  const bool group = b->body == NULL, plane = !group && b->body->geometry == NULL;
  need(v, in_b ? !plane : !group, "A at a group, or B at a plane");
  const vv_group * inner = group ? &v->groups[s->node] : NULL;
  const uint32_t right = group ? inner->right : s->body->geometry->nodes[s->node].right;
  const bool enter = group && right == 0, roots = goal.sides[0].node == 0 && b->node == 0;
  need(v, enter || right != 0, "A or B at a node without children");
  const vv_segment * k = &v->segments[goal.span.begin.segment];
  const bool start = goal.span.begin.tick == 0 && (k == v->segments || k->starts > k[-1].starts);
  const bool gap_in_skin = plane && goal.sides[0].body->geometry->open != VV_NONE;
  need(v, !(roots && start && gap_in_skin && b->body->kind == VV_PLANE), "a plane in an open mesh");
  if (roots && start && !group && !plane) {check_outside(v, goal);}
  const uint32_t children[2] = {right, s->node + 1};
  if (enter) {*b = (vv_side) {&v->bodies[inner->body], 0, VV_NONE};}
  for (int i = 0; i < (enter ? 1 : 2); i++) {
    s->node = enter ? 0 : children[i];
    goal.margin = group && !enter ? v->pairs[v->pair].margins[s->node] : goal.margin;
    v->goals[v->goal_count++] = goal;
  }
}

/* [V-CLOSE] Ensures: the goal is proved by the leaf op `tag`.
 * Why:      a plane is against its normal, the z axis (side 0), or along it (side 1). */
static void close(vv_verifier * v, const vv_goal * goal, uint8_t tag)
{
  const vv_body * b = goal->sides[1].body;
  const bool plane = b != NULL && b->geometry == NULL;
  need(v, plane == (tag == 'P'), "P is for planes, L and D for bodies");
  const uint8_t side = plane ? *vv_bytes(v, 1) : 0;
  need(v, side == 0 || (side == 1 && b->kind == VV_PLANE), "P: wrong side");
  const vec up_or_down = {{0.0, 0.0}, {0.0, 0.0}, point(side == 0 ? -1.0 : 1.0)};
  const vec n = plane ? turn(b->pose, up_or_down) : vv_direction(v, VV_UNIT);
  const vec n_b = tag == 'D' ? vv_direction(v, VV_UNIT) : n;
  v->report->leaves++;
  need(v, leaf(v, goal, n, n_b, tag != 'D'), "a leaf does not hold");
}

/* [V-PROVE] Ensures: the ops prove every pair for the whole motion, or with `skips` for all times
 * before t_lo.
 * Why:      each op proves its goal, or puts goals on the stack that do, or the goal begins at t_lo
 *           or later and may be skipped. It reads at least one byte, so the walk ends. */
void vv_prove(vv_verifier * v)
{
  for (v->pair = 0; v->pair < v->pair_count; v->pair++) {
    const vv_pair * p = &v->pairs[v->pair];
    const vv_body * a = &v->bodies[p->a], * b = p->b == VV_NONE ? NULL : &v->bodies[p->b];
    const vv_span all = {{0, 0, 0}, {VV_ONE, v->segment_count - 1, 0}};
    set_path(v, a, b == NULL ? 0 : b->frame);
    v->goals[v->goal_count++] = (vv_goal) {{{a, 0, VV_NONE}, {b, 0, VV_NONE}}, p->margins[0], all};
    while (v->goal_count > 0) {
      need(v, v->goal_count + 1 < VV_GOALS, "the proof tree is too deep");
      const vv_goal goal = v->goals[--v->goal_count];
      if (!(goal.margin >= 0.0)) {continue;}
      const uint8_t tag = *vv_bytes(v, 1);
      const vv_time begin = goal.span.begin, end = goal.span.end;
      const bool jump = v->segments[end.segment].starts > v->segments[begin.segment].starts;
      need(v, tag == 'T' || tag == 'S' || !jump, "only T is allowed across a start");
      switch (tag) {
        case 'T': split(v, goal); break;
        case 'S': need(v, v->skips && until(v->t_lo, begin), "S before t_lo"); break;
        case 'A': case 'B': descend(v, goal, tag == 'B'); break;
        case 'L': case 'D': case 'P': close(v, &goal, tag); break;
        default: need(v, false, "unknown op");
      }
    }
  }
}
