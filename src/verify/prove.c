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

/* Proofs: gaps of pairs in motion; the proof tree of all pairs. */

#include <string.h>

#include "internal.h"

/* [V-SUPPORT] Requires: the thing is a geometry, with that node, or a group; or a plane or
 *           half-space, and out is along or against its z axis, for a half-space along it.
 * Ensures:  far is at least how far it reaches along `out`, told in frame 0, from where its pose
 *           has its origin; at that time. */
static bool support(
  verifier * v, uint32_t thing, uint32_t node, const rigid * pose, vec out, double * far)
{
  const thing_t * t = &v->things[thing];
  const vec m = unturn(*pose, out);
  *far = t->kind == GROUP ? dot(m, t->box).hi : 0.0;
  if (t->kind != BODY) {return true;}
  const node_t * n = &t->geometry->nodes[node];
  *far = v_hull_reach(t->geometry, n, m);
  return v_spend(v, n->count);
}

/* [V-GAP] Requires: if b is a half-space, n is against its z axis; if a plane, against or along.
 * Ensures:  gap is at most n.y - n.x for all points x of the goal's a and y of its b, n seen from
 *           where b is fixed (`frame`). *near is how far b reaches along -n; found, if it is
 *           infinite. */
static bool find_gap(
  verifier * v, const goal_t * goal, vec n, uint32_t frame, moment_t when, double * near,
  double * gap)
{
  rigid seen, a, b;
  double far;
  if (!v_pose(v, frame, when, &seen) || !v_pose(v, v->things[goal->thing[0]].pose, when, &a) ||
    !v_pose(v, v->things[goal->thing[1]].pose, when, &b))
  {
    return false;
  }
  const vec out = turn(seen, n), back = times(out, point(-1.0));
  if (*near == INFINITY && !support(v, goal->thing[1], goal->node[1], &b, back, near)) {
    return false;
  }
  if (!support(v, goal->thing[0], goal->node[0], &a, out, &far)) {return false;}
  *gap = down(dot(out, minus(b.t, a.t)).lo - up(far + *near));
  return true;
}

/* [V-LEAF] Requires: no start strictly inside the span.
 * Ensures:  what the goal names is more than the pair's margin apart during all of the span, under
 *           all deviations within the tolerances: the directions of the record show it, one for
 *           both ends (L) or one each (D).
 * Why:      L1, L2 (where these two may touch, n is at least 1 - 2^-20 long, and no margin is
 *           charged with more), L3, L9, L10; L11, with what has grown at the end charged at both;
 *           bounds on the motion rounded up, gaps rounded down. `moved` is the
 *           sum of rho*speed over the joints passed, all further from b, so that speed*moved adds
 *           up to the double sum of L1. Every sum is tested to be finite; a NaN is not. */
static bool check_leaf(verifier * v, const goal_t * goal, bool chord)
{
  const pair_t * p = &v->pairs[goal->pair];
  const thing_t * b = &v->things[goal->thing[1]];
  const bool plane = b->kind == PLANE || b->kind == HALF_SPACE;
  const uint32_t frame = plane ? b->pose : b->frame;
  const moment_t early = {v->span.begin, false}, late = {v->span.end, true};
  vec n_a, n_b;
  const double least = p->margin < 0.0 ? 1.0 - 0x1p-21 : 0.0;
  if (!v_direction(v, least, UNIT, &n_a)) {return false;}
  n_b = n_a;
  if (!chord && !v_direction(v, least, UNIT, &n_b)) {return false;}
  const bool along = chord && n_a.x.lo == 0.0 && n_a.y.lo == 0.0, below = n_a.z.lo <= 0.0;
  const bool side = !plane || (along && (below || b->kind == PLANE));
  if (!v_need(v, side, "a plane's normal is another")) {return false;}
  double moved = 0.0, bend = 0.0, travel = 0.0, near[2] = {INFINITY, INFINITY}, gaps[2];
  for (const step_t * s = p->steps; s < p->steps + p->step_count; s++) {
    if (!v_bound(v, s->frame->variable)) {return false;}
    const variable_t * q = &v->variables[s->frame->variable];
    const double k = fabs(s->frame->factor), speed = up(k * q->speed), rho = s->radius;
    const double swing = up(speed * up(up(0.5 * rho * speed) + moved));
    bend = up(bend + up((s->frame->joint == REVOLUTE ? swing : 0.0) + up(rho * up(k * q->bend))));
    travel = up(travel + up(rho * up(k * q->variation)));
    moved = up(moved + up(rho * speed));
  }
  const double slack = up(N * up(p->deviation + v_grown(v, goal->thing, v->span.end).hi));
  const double kept = up(up((least > 0.0 ? 1.0 - 0x1p-20 : N) * p->margin) + slack);
  if (!v_spend(v, 16 + (uint64_t)p->step_count) ||
    !find_gap(v, goal, n_a, frame, early, near, &gaps[0]) ||
    !find_gap(v, goal, n_b, frame, late, near + !chord, &gaps[1]))
  {
    return false;
  }
  const double g_a = down(gaps[0] - kept), g_b = down(gaps[1] - kept);
  const bool good = g_a > 0.0 && g_a < 1e9 && g_b > 0.0 && g_b < 1e9;
  const double sum = down(g_a + g_b), excess = up(up(N * bend) - sum);
  const bool finite = bend <= DBL_MAX && travel <= DBL_MAX && kept <= DBL_MAX && moved <= DBL_MAX;
  const bool curve = excess <= 0.0 || up(excess * excess) < down(4.0 * down(g_a * g_b));
  v->report.leaves++;
  const bool holds = sum > up(N * travel) || (chord && curve);
  return v_need(v, good && finite && holds, "a leaf does not hold");
}

/* [V-OUTSIDE] Requires: the span begins at a start.
 * Ensures:  at its beginning no component of `other` is inside a solid of `body`: rays show it of a
 *           vertex of each (L8).
 * Why:      a vertex that is joined to a lower one is on the same connected part of its body. */
static bool check_outside(verifier * v, uint32_t body, uint32_t other)
{
  const geometry_t * g = v->things[other].geometry;
  const moment_t when = {v->span.begin, false};
  int64_t sum;
  for (uint64_t s = 1; s <= v->things[body].geometry->solids; s++) {
    if (!v_spend(v, g->vertex_count)) {return false;}
    for (uint32_t k = 1; k < g->vertex_count; k++) {
      if (g->vertices[k].joined) {continue;}
      if (!v_winding(v, when, body, s, other, k, &sum)) {return false;}
      if (!v_need(v, sum == 0, "a vertex is in a solid")) {return false;}
    }
  }
  return true;
}

/* [V-PUSH] Ensures: the goal waits; unless all that it names on that side is skipped. */
static bool push(verifier * v, goal_t goal, int side, uint32_t thing, uint32_t node)
{
  if (v_skipped(v, &v->pairs[goal.pair], thing) == v->things[thing].leaves) {return true;}
  if (!v_need(v, v->goal_count < GOALS, "too many goals")) {return false;}
  goal.thing[side] = thing;
  goal.node[side] = node;
  v->goals[v->goal_count++] = goal;
  return true;
}

/* [V-DESCEND] Ensures: the new goals together contain the goal (L7), but for what the pair skips.
 *           Where it is two bodies' roots at a start, no solid holds a component of the other; no
 *           body is opened there while the other side is a group; an open node is not left (L8). Of a
 *           pair that may touch none of this is said (L2). */
static bool descend(verifier * v, goal_t goal, int side)
{
  const thing_t * t = &v->things[goal.thing[side]], * o = &v->things[goal.thing[1 - side]];
  const segment_t * s = &v->segments[v->span.begin / ONE];
  const bool knot = v->span.begin % ONE == 0 && (s == v->segments || s->starts > s[-1].starts);
  const bool start = knot && v->pairs[goal.pair].margin >= 0.0;
  if (t->kind == GROUP && t->right == 0) {return push(v, goal, side, t->body, 0);}
  if (t->kind == GROUP) {
    const uint32_t left = goal.thing[side] + 1;
    return push(v, goal, side, left, 0) && push(v, goal, side, t->right, 0);
  }
  const node_t * n = t->kind == BODY ? &t->geometry->nodes[goal.node[side]] : NULL;
  if (!v_need(v, n != NULL && n->right != 0, "A or B at a primitive or a plane") ||
    !v_need(v, !(start && n->open), "an open mesh is entered at a start") ||
    !v_need(v, !(start && o->kind == GROUP), "a body is opened before a group, at a start"))
  {
    return false;
  }
  if (start && goal.node[0] == 0 && goal.node[1] == 0 && o->kind == BODY) {
    if (!check_outside(v, goal.thing[0], goal.thing[1])) {return false;}
    if (!check_outside(v, goal.thing[1], goal.thing[0])) {return false;}
  }
  const uint32_t thing = goal.thing[side], next = goal.node[side] + 1;
  return push(v, goal, side, thing, next) && push(v, goal, side, thing, n->right);
}

/* [V-OP] Ensures: the next op proves the goal on the span, or puts goals behind the others that do;
 * or (*later) the goal is to be proved on both halves of the span; or nothing is owed there. */
static bool take_op(verifier * v, const goal_t * goal, bool * later)
{
  const uint8_t * at;
  if (!v_bytes(v, 1, &at) || !v_spend(v, 1)) {return false;}
  const char tag = (char)*at;
  const segment_t * first = &v->segments[v->span.begin / ONE];
  const bool jump = v->segments[(v->span.end - 1) / ONE].starts > first->starts;
  *later = tag == 'T';
  if (tag == 'T') {return true;}
  if (tag == 'S') {return v_need(v, v->span.begin >= v->t_lo, "S before t_lo");}
  if (!v_need(v, !jump, "only T is allowed across a start")) {return false;}
  if (tag == 'A' || tag == 'B' || tag == 'a' || tag == 'b') {
    const uint32_t before = v->goal_count;
    if (!descend(v, *goal, tag == 'B' || tag == 'b')) {return false;}
    const bool one = tag == 'a' || tag == 'b';
    return v_need(v, (v->goal_count - before == 1) == one, "one goal is A or B, or two a or b");
  }
  if (tag == 'L' || tag == 'D') {return check_leaf(v, goal, tag == 'L');}
  return v_need(v, false, "unknown op");
}

/* [V-SPAN] Requires: the span is s.
 * Ensures:  the goals from `first` on are proved on s. Whoever has more to prove lists it anew.
 * Why:      each op proves its goal, or puts goals in its place. It reads at least one byte, so the
 *           walk ends; a segment has 44 halves of halves, so it is not deep. Both halves begin with
 *           the goals that wait. */
static bool prove_span(verifier * v, span_t s, uint32_t first)
{
  uint32_t waiting = first;
  v->span = s;
  v->span_count++;
  for (uint32_t i = first; i < v->goal_count; i++) {
    const goal_t goal = v->goals[i];
    bool later;
    if (!take_op(v, &goal, &later)) {return false;}
    v->goals[waiting] = goal;
    waiting += later;
  }
  const uint32_t count = waiting - first;
  if (count == 0) {return true;}
  const uint64_t size = s.end - s.begin;
  const uint64_t middle = s.begin + (size > ONE ? size / ONE / 2 * ONE : size / 2);
  const bool room = size > 1 && (uint64_t)waiting + count <= GOALS;
  if (!v_need(v, room, "an interval is too short, or too many goals")) {return false;}
  const span_t halves[2] = {{s.begin, middle}, {middle, s.end}};
  for (int i = 0; i < 2; i++) {
    memcpy(v->goals + waiting, v->goals + first, count * sizeof(goal_t));
    v->goal_count = waiting + count;
    if (!prove_span(v, halves[i], waiting)) {return false;}
  }
  return true;
}

/* [V-PROVE] Ensures: every pair is proved on the whole motion; but for what is at or after t_lo. */
bool v_prove(verifier * v)
{
  v->goal_count = 0;
  for (uint32_t i = 0; i < v->pair_count; i++) {
    const pair_t * p = &v->pairs[i];
    const bool side = v->things[p->b].kind == GROUP;
    if (!push(v, (goal_t) {i, {p->a, p->b}, {0, 0}}, side, side ? p->b : p->a, 0)) {return false;}
  }
  return prove_span(v, (span_t) {0, v->segment_count * ONE}, 0);
}
