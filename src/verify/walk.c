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
#include "internal.h"

/* [V-PUSH] Ensures: the goals wait on the stack, first on top; false if it is full. */
static bool push(vv_verifier * v, const vv_goal * first, const vv_goal * second)
{
  if (!vv_need(v, v->goal_count + 2 <= VV_GOALS, "the proof tree is too deep")) {return false;}
  v->goals[v->goal_count++] = *second;
  v->goals[v->goal_count++] = *first;
  return true;
}

/* [V-SPLIT] Ensures: the spans of the two goals together are the goal's span. */
static bool split(vv_verifier * v, const vv_goal * goal)
{
  vv_goal early = *goal, late = *goal;
  const uint32_t segments = goal->span.last - goal->span.first;
  if (segments > 1) {
    early.span.last = late.span.first = goal->span.first + segments / 2;
  } else {
    if (!vv_need(v, goal->span.length > 1, "an interval is split below depth 50")) {return false;}
    early.span.length = late.span.length = goal->span.length / 2;
    late.span.begin += late.span.length;
  }
  return push(v, &early, &late);
}

/* [V-DESCEND] Ensures: the parts of the two goals together contain the goal's (L7); where that
 * leaves two root nodes at a start, no solid or open component holds one of the other's (L8). */
static bool descend(vv_verifier * v, const vv_goal * goal, bool in_a)
{
  vv_goal left = *goal, right = *goal;
  const bool group = goal->body == VV_NONE, allowed = in_a ? !group : goal->geometry != NULL;
  if (!vv_need(v, allowed, "A at a group, or B at a plane")) {return false;}
  const vv_geometry * g = in_a ? v->a->geometry : goal->geometry;
  const vv_node * n = &g->nodes[in_a ? goal->part_a : goal->part_b];
  if (group && n->left == 0) {
    left.body = n->body;
    left.geometry = v->bodies[n->body].geometry;
    left.part_b = 0;
    right.margin = -1.0;
    return push(v, &left, &right);
  }
  if (!vv_need(v, n->left != 0, "A or B at a node without children")) {return false;}
  *(in_a ? &left.part_a : &left.part_b) = n->left;
  *(in_a ? &right.part_a : &right.part_b) = n->right;
  if (group) {
    left.margin = v->pairs[v->pair].entries[n->left];
    right.margin = v->pairs[v->pair].entries[n->right];
  }
  const bool roots = !group && goal->geometry != NULL && goal->part_a == 0 && goal->part_b == 0;
  const bool owed = roots && goal->span.begin == 0 && vv_is_start(v, goal->span.first);
  return (!owed || vv_all_outside(v, goal)) && push(v, &left, &right);
}

/* [V-DIRECTION] Ensures: on true n is the next direction, |n| <= VV_N.
 * Why:      |n|^2 <= 1 + 2^-21 in rounded arithmetic, and VV_N^2 > 1 + 2^-20. */
bool vv_read_direction(vv_verifier * v, double n[3])
{
  VV_READ(&v->ops, "r", n);
  const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  return vv_need(v, !v->bad && square <= 1.0 + 0x1p-21, "a direction is cut or longer than 1");
}

/* [V-LEAF] Ensures: on true the goal is proved by the leaf op `tag`. */
static bool leaf(vv_verifier * v, const vv_goal * goal, uint32_t tag)
{
  vv_goal checked = *goal;
  double n[2][3];
  const bool plane = goal->geometry == NULL;
  if (!vv_need(v, (tag == 'P') == plane, "P is for planes, L and D for bodies")) {return false;}
  if (plane) {
    const vv_body * b = &v->bodies[goal->body];
    checked.part_b = (uint32_t)vv_number(&v->ops, 1);
    if (!vv_need(v, checked.part_b <= (b->kind == VV_PLANE), "P: wrong side")) {return false;}
    for (int i = 0; i < 3; i++) {
      n[0][i] = checked.part_b == 0 ? -b->normal[i] : b->normal[i];
    }
  } else if (!vv_read_direction(v, n[0])) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    n[1][i] = n[0][i];
  }
  if (tag == 'D' && !vv_read_direction(v, n[1])) {return false;}
  v->report->leaves++;
  return vv_need(v, !v->bad && vv_leaf(v, &checked, n, tag != 'D'), "a leaf does not hold");
}

/* [V-STEP] Ensures: on true the next op reduces the goal to the goals that it pushes. */
static bool step(vv_verifier * v, const vv_goal * goal)
{
  const vv_span * s = &goal->span;
  const uint32_t tag = (uint32_t)vv_number(&v->ops, 1);
  if (tag == 'T') {return split(v, goal);}
  if (tag == 'S') {
    const bool same = s->first == v->t_lo.segment && s->begin >= v->t_lo.tick;
    return vv_need(v, v->skips && (same || s->first > v->t_lo.segment), "S before t_lo");
  }
  const bool jump = v->starts[s->last - 1] > v->starts[s->first];
  if (!vv_need(v, !jump, "only T is allowed across a start")) {return false;}
  if (tag == 'A' || tag == 'B') {return descend(v, goal, tag == 'A');}
  if (tag == 'L' || tag == 'D' || tag == 'P') {return leaf(v, goal, tag);}
  return vv_need(v, false, "unknown op, or the ops end too early");
}

/* [V-WALK] Ensures: on true the ops prove every pair for the whole motion, or with `skips` for
 * all times before t_lo, and none is left over.
 * Why:      each op removes one goal and reads at least one byte, so the walk ends. */
bool vv_walk(vv_verifier * v)
{
  v->ops_begin = v->ops.at;
  for (v->pair = 0; v->pair < v->pair_count; v->pair++) {
    const vv_pair * p = &v->pairs[v->pair];
    const vv_body * b = &v->bodies[p->b];
    vv_goal goal = {b->geometry, p->b, 0, 0, p->margin, {0, v->segment_count, 0, VV_ONE}};
    const bool group = p->kind == VV_PAIR_GROUP;
    if (group) {
      goal.geometry = &v->groups;
      goal.body = VV_NONE;
      goal.margin = p->entries[0];
    }
    if (!vv_set_path(v, &v->bodies[p->a], group ? 0 : b->frame)) {return false;}
    v->goals[0] = goal;
    v->goal_count = 1;
    while (v->goal_count > 0) {
      goal = v->goals[--v->goal_count];
      if (goal.margin >= 0.0 && !step(v, &goal)) {return false;}
    }
  }
  return vv_need(v, v->ops.left == 0, "bytes are left over after the last op");
}
