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

/* [V-GAP] Requires: if b is a half-space, n is not along its z axis; if a plane, against or along.
 * Ensures:  at most n.y - n.x for all points x of the goal's a and y of its b, n seen in `frame`,
 *           in which b is fixed. *near is how far b reaches along -n; found, if it is infinite. */
static double gap(
  const verifier * v, goal_t goal, vec n, uint32_t frame, const rigid * poses, double * near)
{
  const pair_t * p = &v->pairs[goal.pair];
  const geometry_t * a = v->frames[p->a].geometry, * b = v->frames[p->b].geometry;
  const vec out = turn(poses[frame], n), back = times(out, point(-1.0));
  *near = *near < 1e12 ? *near : hull_reach(b, b->nodes + goal.node[1], unturn(poses[p->b], back));
  const double far = hull_reach(a, a->nodes + goal.node[0], unturn(poses[p->a], out));
  return down(dot(out, minus(poses[p->b].t, poses[p->a].t)).lo - up(far + *near));
}

/* [V-LEAF] Requires: no start strictly inside the span.
 * Ensures:  the goal's nodes are more than its margin apart during all of the span, under all
 *           deviations within the tolerances: the directions of the record show it, one for both
 *           ends (L) or one each (D).
 * Why:      L1, L2, L3, L9, L10; bounds on the motion rounded up, gaps rounded down. `moved` is the
 *           sum of rho*speed over the joints passed, all further from b, so that speed*moved adds
 *           up to the double sum of L1. */
static void check_leaf(verifier * v, goal_t goal, bool chord)
{
  const pair_t * p = &v->pairs[goal.pair];
  const uint32_t kind = v->frames[p->b].kind, frame = kind == BODY ? v->frames[p->b].parent : p->b;
  const vec n_a = direction(v, UNIT), n_b = chord ? n_a : direction(v, UNIT);
  const bool along = chord && n_a.x.lo == 0.0 && n_a.y.lo == 0.0, below = n_a.z.lo <= 0.0;
  need(v, kind == BODY || (along && (below || kind == PLANE)), "a plane's normal is another");
  double moved = 0.0, bend = 0.0, travel = 0.0, near[2] = {INFINITY, INFINITY};
  for (const step_t * s = p->steps; s < p->steps + p->count; s++) {
    const variable_t * q = &v->variables[s->frame->variable];
    const double k = fabs(s->frame->factor), speed = up(k * q->speed), rho = s->radius;
    const double swing = up(speed * up(up(0.5 * rho * speed) + moved));
    bend = up(bend + up((s->frame->joint == REVOLUTE ? swing : 0.0) + up(rho * up(k * q->bend))));
    travel = up(travel + up(rho * up(k * q->variation)));
    moved = up(moved + up(rho * speed));
  }
  const double kept = up(N * up(p->margin + p->deviation));
  const double g_a = down(gap(v, goal, n_a, frame, v->span.early, near) - kept);
  const double g_b = down(gap(v, goal, n_b, frame, v->span.late, near + !chord) - kept);
  const bool good = g_a > 0.0 && g_a < 1e9 && g_b > 0.0 && g_b < 1e9;
  const double sum = down(g_a + g_b), excess = up(up(N * bend) - sum);
  const bool curve = excess <= 0.0 || up(excess * excess) < down(4.0 * down(g_a * g_b));
  need(v, good && (sum > up(N * travel) || (chord && curve)), "a leaf does not hold");
  v->report->leaves++;
}

/* [V-OUTSIDE] Requires: the span begins at a start.
 * Ensures:  at its beginning no component of `other` is inside a solid of `body`: rays show it of a
 *           vertex of each (L8).
 * Why:      a vertex that is joined to a lower one is on the same connected part of its body. */
static void check_outside(verifier * v, uint32_t body, uint32_t other)
{
  const geometry_t * g = v->frames[other].geometry;
  for (uint64_t s = 1; s <= v->frames[body].geometry->solids; s++) {
    for (uint32_t k = 1; k < g->vertex_count; k++) {
      need(v, g->vertices[k].joined || !winding(v, body, s, other, k), "a vertex is in a solid");
    }
  }
}

/* [V-DESCEND] Ensures: the new goals together contain the goal (L7); where it is two roots at a
 * start, no solid holds a component of the other; an open node is not left at a start (L8). */
static void descend(verifier * v, goal_t goal, int side)
{
  const pair_t * p = &v->pairs[goal.pair];
  const frame_t * f = &v->frames[side == 0 ? p->a : p->b];
  const node_t * n = &f->geometry->nodes[goal.node[side]];
  const segment_t * s = &v->segments[v->span.begin / ONE];
  const bool start = v->span.begin % ONE == 0 && (s == v->segments || s->starts > s[-1].starts);
  need(v, n->right != 0 && f->kind == BODY, "A or B at a primitive or a plane");
  need(v, !(start && n->open), "an open mesh is entered at a start");
  if (start && goal.node[0] == 0 && goal.node[1] == 0 && v->frames[p->b].kind == BODY) {
    check_outside(v, p->a, p->b);
    check_outside(v, p->b, p->a);
  }
  need(v, v->goal_count + 2 <= GOALS, "too many goals");
  goal.node[side]++;
  v->goals[v->goal_count++] = goal;
  goal.node[side] = n->right;
  v->goals[v->goal_count++] = goal;
}

/* [V-OP] Ensures: the next op proves the goal on the span, or puts goals behind the others that do;
 * or (true) the goal is to be proved on both halves of the span; or nothing is owed there. */
static bool op(verifier * v, goal_t goal)
{
  const char tag = *(const char *)bytes(v, 1);
  const segment_t * first = &v->segments[v->span.begin / ONE];
  const bool jump = v->segments[(v->span.end - 1) / ONE].starts > first->starts;
  need(v, tag == 'T' || tag == 'S' || !jump, "only T is allowed across a start");
  if (tag == 'S') {need(v, v->span.begin >= v->t_lo, "S before t_lo");}
  if (tag == 'A' || tag == 'B') {descend(v, goal, tag == 'B');}
  if (tag == 'L' || tag == 'D') {check_leaf(v, goal, tag == 'L');}
  need(v, strchr("TSABLD", tag) != NULL && tag != 0, "unknown op");
  return tag == 'T';
}

/* [V-PROVE] Requires: s has the poses at its ends.
 * Ensures:  the goals from `first` on are proved on s. Whoever has more to prove lists it anew.
 * Why:      each op proves its goal, or puts goals in its place. It reads at least one byte, so the
 *           walk ends; a segment has 44 halves of halves, so it is not deep. Both halves begin with
 *           the goals that wait. */
static void prove(verifier * v, span_t s, uint32_t first)
{
  uint8_t * mark = v->arena;
  uint32_t waiting = first, j = 0;
  v->span = s;
  while (j < v->variable_count) {set_bound(v, j++);}
  for (uint32_t i = first; i < v->goal_count; i++) {
    v->goals[waiting] = v->goals[i];
    waiting += op(v, v->goals[i]);
  }
  const uint32_t count = waiting - first;
  if (count == 0) {return;}
  const uint64_t size = s.end - s.begin;
  const uint64_t middle = s.begin + (size > ONE ? size / ONE / 2 * ONE : size / 2);
  need(v, size > 1 && waiting + count <= GOALS, "an interval is too short, or too many goals");
  const rigid * before = poses_at(v, middle, true), * after = before;
  if (middle % ONE == 0) {after = poses_at(v, middle, false);}
  const span_t halves[2] = {{s.begin, middle, s.early, before}, {middle, s.end, after, s.late}};
  for (int i = 0; i < 2; i++) {
    memcpy(v->goals + waiting, v->goals + first, count * sizeof(goal_t));
    v->goal_count = waiting + count;
    prove(v, halves[i], waiting);
  }
  v->arena = mark;
}
