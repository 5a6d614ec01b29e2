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

/* The ops: proof trees, one for each pair. */
#include <string.h>

#include "internal.h"

/* [V-PATH] Ensures: steps are the frames whose joints lie between frames `from` and `to`, from
 * `from` upwards to the common ancestor (the first `upward`), then down to `to`.
 * Why:      parents have lower numbers, so the larger of two different frames is no ancestor of
 *           the other, and replacing it by its parent keeps the common ancestors. */
static void set_path(vv_verifier * v, uint32_t from, uint32_t to)
{
  uint32_t last = v->frame_count;
  v->upward = 0;
  while (from != to) {
    uint32_t * side = from > to ? &from : &to;
    v->steps[from > to ? v->upward++ : --last] = *side;
    *side = v->frames[*side].parent;
  }
  v->step_count = v->upward + v->frame_count - last;
  memmove(v->steps + v->upward, v->steps + last, (v->frame_count - last) * sizeof(uint32_t));
}

/* [V-DIRECTION] Ensures: the next three numbers, |n|^2 <= limit up to rounding.
 * Why:      VV_N^2 > VV_UNIT + 2^-21. */
vec vv_direction(vv_verifier * v, double limit)
{
  float f[3];
  memcpy(f, vv_bytes(v, sizeof(f)), sizeof(f));
  const double n[3] = {(double)f[0], (double)f[1], (double)f[2]};
  need(v, n[0] * n[0] + n[1] * n[1] + n[2] * n[2] <= limit, "a direction is longer than 1");
  return vector(n);
}

/* [V-SPLIT] Ensures: the spans of the two goals together are the goal's span. */
static void split(vv_verifier * v, vv_goal early)
{
  vv_goal late = early;
  vv_span * s = &early.span;
  const bool run = s->last - s->first > 1;
  need(v, run || s->length > 1, "an interval is split below depth 50");
  s->last = run ? s->first + (s->last - s->first) / 2 : s->last;
  s->length = run ? VV_ONE : s->length / 2;
  late.span.first = run ? s->last : s->first;
  late.span.begin += run ? 0 : s->length;
  late.span.length = s->length;
  v->goals[v->goal_count++] = late;
  v->goals[v->goal_count++] = early;
}

/* [V-OUTSIDE] Requires: the goal is two bodies' roots on a span that begins at a start.
 * Ensures:  at the beginning no component of one is inside a solid or open component of the other
 *           (L8): the records show it outside the solid (I), or the two hulls apart (H). */
static void check_outside(vv_verifier * v, vv_goal goal)
{
  const vv_time begin = {0, goal.span.first, 0};
  for (uint32_t who = 0; who < 2; who++) {
    vv_side * s = &goal.sides[who], * o = &goal.sides[1 - who];
    const uint64_t others = o->body->geometry->component_count;
    for (uint64_t i = 0; i < s->body->geometry->component_count * others; i++) {
      s->part = (uint32_t)(i / others);
      o->part = (uint32_t)(i % others);
      const uint32_t kind = s->body->geometry->components[s->part].kind;
      if (kind != VV_SOLID && kind != VV_OPEN) {continue;}
      need(v, *vv_bytes(v, 1) == (kind == VV_SOLID ? 'I' : 'H'), "an I or H is owed here");
      const vec n = vv_direction(v, kind == VV_SOLID ? 1e12 : VV_UNIT);
      const bool out = kind == VV_SOLID ? vv_winding(v, &goal, who, begin, n) == 0 :
        vv_gap(v, &goal, n, begin, vv_floor(v, goal.sides[1], n)) > 0.0;
      need(v, out, "an I or H fails");
    }
  }
}

/* [V-DESCEND] Ensures: the sides of the new goals together contain the goal's (L7); where that
 * leaves two root nodes at a start, no solid or open component holds one of the other's (L8). */
static void descend(vv_verifier * v, vv_goal goal, bool in_b)
{
  vv_side * s = &goal.sides[in_b], * b = &goal.sides[1];
  const bool group = b->body == NULL, plane = !group && b->body->geometry == NULL;
  need(v, in_b ? !plane : !group, "A at a group, or B at a plane");
  const vv_group * inner = group ? &v->groups[s->node] : NULL;
  const uint32_t right = group ? inner->right : s->body->geometry->nodes[s->node].right;
  const bool enter = group && right == 0, roots = goal.sides[0].node == 0 && b->node == 0;
  need(v, enter || right != 0, "A or B at a node without children");
  const vv_segment * k = &v->segments[goal.span.first];
  const bool start = goal.span.begin == 0 && (k == v->segments || k->starts > k[-1].starts);
  if (roots && start && !group && !plane) {check_outside(v, goal);}
  const uint32_t children[2] = {right, s->node + 1};
  if (enter) {*b = (vv_side) {&v->bodies[inner->body], 0, VV_NONE};}
  for (int i = 0; i < (enter ? 1 : 2); i++) {
    s->node = enter ? 0 : children[i];
    goal.margin = group && !enter ? v->pairs[v->pair].entries[s->node] : goal.margin;
    v->goals[v->goal_count++] = goal;
  }
}

/* [V-CLOSE] Ensures: the goal is proved by the leaf op `tag`. */
static void close(vv_verifier * v, vv_goal goal, uint8_t tag)
{
  vv_side * b = &goal.sides[1];
  const bool plane = b->body != NULL && b->body->geometry == NULL;
  need(v, plane == (tag == 'P'), "P is for planes, L and D for bodies");
  b->node = plane ? *vv_bytes(v, 1) : b->node;
  need(v, !plane || b->node <= (b->body->kind == VV_PLANE), "P: wrong side");
  const iv side = point(b->node == 0 ? -1.0 : 1.0);
  const vec n = plane ? times(vector(b->body->normal), side) : vv_direction(v, VV_UNIT);
  const vec n_b = tag == 'D' ? vv_direction(v, VV_UNIT) : n;
  v->report->leaves++;
  need(v, vv_leaf(v, &goal, n, n_b, tag != 'D'), "a leaf does not hold");
}

/* [V-WALK] Ensures: the ops prove every pair for the whole motion, or with `skips` for all times
 * before t_lo, and none is left over.
 * Why:      each op removes one goal and reads at least one byte, so the walk ends. */
void vv_walk(vv_verifier * v)
{
  v->walking = true;
  for (v->pair = 0; v->pair < v->pair_count; v->pair++) {
    const vv_pair * p = &v->pairs[v->pair];
    const vv_body * a = &v->bodies[p->a], * b = p->b == VV_NONE ? NULL : &v->bodies[p->b];
    const vv_span all = {0, v->segment_count, 0, VV_ONE};
    set_path(v, a->frame, b == NULL ? 0 : b->frame);
    v->goals[v->goal_count++] = (vv_goal) {{{a, 0, VV_NONE}, {b, 0, VV_NONE}}, p->entries[0], all};
    while (v->goal_count > 0) {
      need(v, v->goal_count + 1 < VV_GOALS, "the proof tree is too deep");
      const vv_goal goal = v->goals[--v->goal_count];
      if (!(goal.margin >= 0.0)) {continue;}
      const uint8_t tag = *vv_bytes(v, 1);
      const uint32_t first = goal.span.first, t_lo = v->t_lo.segment;
      const bool late = first > t_lo || (first == t_lo && goal.span.begin >= v->t_lo.tick);
      const bool jump = v->segments[goal.span.last - 1].starts > v->segments[first].starts;
      need(v, tag == 'T' || tag == 'S' || !jump, "only T is allowed across a start");
      switch (tag) {
        case 'T': split(v, goal); break;
        case 'S': need(v, v->skips && late, "S before t_lo"); break;
        case 'A': case 'B': descend(v, goal, tag == 'B'); break;
        case 'L': case 'D': case 'P': close(v, goal, tag); break;
        default: need(v, false, "unknown op");
      }
    }
  }
  need(v, v->left == 0, "bytes are left over after the last op");
}
