/* The ops: proof trees, one for each pair. */
#include "internal.h"

/* [V-PUSH] Ensures: the goals wait on the stack, first on top; false if it is full. */
static bool push(vv_verifier * v, const vv_goal * first, const vv_goal * second)
{
  const bool room = v->goal_count + 2 <= VV_GOALS;
  if (!vv_need(v, room, "the proof tree is too deep")) return false;
  v->goals[v->goal_count] = *second;
  v->goals[v->goal_count + 1] = *first;
  v->goal_count += 2;
  return true;
}

/* [V-SPLIT] Ensures: the goals' spans together are the goal's span. */
static bool split(vv_verifier * v, const vv_goal * goal)
{
  vv_goal early = *goal;
  vv_goal late = *goal;
  const uint32_t segments = goal->span.last - goal->span.first;
  if (segments > 1) {
    early.span.last = goal->span.first + segments / 2;
    late.span.first = early.span.last;
  } else {
    if (!vv_need(v, goal->span.length > 1, "an interval is split below depth 50")) return false;
    early.span.length = goal->span.length / 2;
    late.span.length = early.span.length;
    late.span.begin += early.span.length;
  }
  return push(v, &early, &late);
}

/* [V-DESCEND] Ensures: the goals' parts together contain the goal's (L7); where that leaves two
 * root nodes at a start, nothing of one body is inside a solid of the other (L8). */
static bool descend(vv_verifier * v, const vv_goal * goal, bool in_a)
{
  vv_goal left = *goal;
  vv_goal right = *goal;
  const bool group = goal->body == VV_NONE;
  const bool bodies = goal->geometry != NULL && !group;
  const bool allowed = in_a ? !group : goal->geometry != NULL;
  if (!vv_need(v, allowed, "A at a group, or B at a plane")) return false;
  const vv_node * n =
    in_a ? &v->a->geometry->nodes[goal->node_a] : &goal->geometry->nodes[goal->node_b];
  if (!in_a && group && n->left == 0) {
    left.body = n->body;
    left.geometry = v->bodies[n->body].geometry;
    left.node_b = 0;
    right.margin = -1.0;
    return push(v, &left, &right);
  }
  if (!vv_need(v, n->left != 0, "A or B at a node without children")) return false;
  *(in_a ? &left.node_a : &left.node_b) = n->left;
  *(in_a ? &right.node_a : &right.node_b) = n->right;
  left.margin = group ? v->pairs[v->pair].entries[n->left] : goal->margin;
  right.margin = group ? v->pairs[v->pair].entries[n->right] : goal->margin;
  const bool start = goal->span.begin == 0 && vv_is_start(v, goal->span.first);
  const bool owed = bodies && goal->node_a == 0 && goal->node_b == 0 && start;
  return (!owed || vv_all_outside(v, goal)) && push(v, &left, &right);
}

/* [V-LEAF] Ensures: on true the goal is proved by the leaf op `tag`.
 * Why:      |n|^2 <= 1 + 2^-21, rounding included, gives |n| <= VV_N. */
static bool leaf(vv_verifier * v, const vv_goal * goal, uint32_t tag)
{
  vv_goal checked = *goal;
  double n[2][3];
  const bool plane = goal->geometry == NULL;
  if (!vv_need(v, (tag == 'P') == plane, "P is for planes, L and D for bodies")) return false;
  if (plane) {
    const vv_body * b = &v->bodies[goal->body];
    vv_read(&v->ops, "b", (void * const[]){&checked.node_b});
    if (!vv_need(v, checked.node_b <= (b->kind == VV_PLANE), "P with a wrong side")) return false;
    for (int i = 0; i < 3; i++)
      n[0][i] = checked.node_b == 0 ? -b->normal[i] : b->normal[i];
  } else {
    vv_read(&v->ops, "r", (void * const[]){n[0]});
  }
  for (int i = 0; i < 3; i++)
    n[1][i] = n[0][i];
  if (tag == 'D') vv_read(&v->ops, "r", (void * const[]){n[1]});
  for (int i = 0; i < 2; i++) {
    const double square = n[i][0] * n[i][0] + n[i][1] * n[i][1] + n[i][2] * n[i][2];
    const bool good = !v->bad && square <= 1.0 + 0x1p-21;
    if (!vv_need(v, good, "a direction is cut or longer than 1")) return false;
  }
  v->report->leaves++;
  return vv_need(v, vv_leaf(v, &checked, n, tag != 'D'), "a leaf does not hold");
}

/* [V-STEP] Ensures: on true the next op reduces the goal to the goals that it pushes. */
static bool step(vv_verifier * v, const vv_goal * goal)
{
  const vv_span * s = &goal->span;
  uint32_t tag;
  vv_read(&v->ops, "b", (void * const[]){&tag});
  if (tag == 'T') return split(v, goal);
  if (tag == 'S') {
    const bool same = s->first == v->t_lo.segment && s->begin >= v->t_lo.tick;
    const bool late = v->skips && (same || s->first > v->t_lo.segment);
    return vv_need(v, late, "S before t_lo");
  }
  const bool jump = v->starts[s->last - 1] > v->starts[s->first];
  if (!vv_need(v, !jump, "only T is allowed across a start")) return false;
  if (tag == 'A' || tag == 'B') return descend(v, goal, tag == 'A');
  if (tag == 'L' || tag == 'D' || tag == 'P') return leaf(v, goal, tag);
  return vv_need(v, false, "unknown op or end of the ops");
}

/* [V-WALK] Ensures: on true the ops prove every pair for the whole motion, or with `skips` for
 * all times before t_lo, and none is left over.
 * Why:      each op removes one goal and reads at least one byte, so the walk ends. */
bool vv_walk(vv_verifier * v)
{
  v->ops_begin = v->ops.at;
  for (v->pair = 0; v->pair < v->pair_count; v->pair++) {
    const vv_pair * p = &v->pairs[v->pair];
    const bool group = p->kind == VV_PAIR_GROUP;
    const vv_body * b = &v->bodies[group ? 0 : p->b];
    vv_goal root = {b->geometry, p->b, 0, 0, p->margin, {0, v->segment_count, 0, VV_ONE}};
    if (group) {
      root.geometry = &v->groups;
      root.body = VV_NONE;
      root.margin = p->entries[0];
    }
    if (!vv_set_path(v, &v->bodies[p->a], group ? 0 : b->frame)) return false;
    v->goals[0] = root;
    v->goal_count = 1;
    while (v->goal_count > 0) {
      const vv_goal goal = v->goals[--v->goal_count];
      if (goal.margin >= 0.0 && !step(v, &goal)) return false;
    }
  }
  return vv_need(v, v->ops.left == 0, "bytes are left over after the last op");
}
