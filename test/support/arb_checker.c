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

#include "kernel/derived.h"
#include "support/arb_frames.h"

/* ---- leaves ---- */

static void end_of(const ac_t * c, const arb_span_t * s, uint32_t * segment, uint64_t * tick)
{
  (void)c;
  *segment = s->last - 1u;
  *tick = s->begin + s->length;   // a run ends at the end of its last segment
}

static bool leaf(ac_t * c, const arb_goal_t * goal, av_t n[2], arb_ptr floors[2], bool chord)
{
  arb_ptr b[3], g[2];
  uint32_t segment;
  uint64_t tick;
  if (!arb_bounds(c, goal, b)) {
    return refuse(c, "a ball does not contain its body");
  }
  end_of(c, &goal->span, &segment, &tick);
  arb_ptr charge = add(c, num(c, goal->margin), b[2]);
  arb_ptr size[2];
  for (int i = 0; i < 2; i++) {
    size[i] = norm(c, n[i]);
    g[i] = arb_gap_to(
      c, goal, n[i], floors[i], i == 0 ? goal->span.first : segment,
      i == 0 ? goal->span.begin : tick);
    g[i] = sub(c, g[i], mul(c, charge, size[i]));
    if (!arb_is_positive(g[i])) {
      return refuse(c, "a gap is not positive");
    }
  }
  c->leaves++;
  arb_ptr sum = add(c, g[0], g[1]);
  if (arb_gt(sum, mul(c, larger(c, size[0], size[1]), b[1]))) {
    return true;
  }
  if (!chord) {
    return refuse(c, "Schwarzer's test does not hold");
  }
  arb_ptr C = mul(c, size[0], b[0]), over = sub(c, C, sum);
  arb_ptr product = mul(c, num(c, 4.0), mul(c, g[0], g[1]));
  return arb_le(C, sum) || arb_lt(mul(c, over, over), product) ||
         refuse(c, "the chord test does not hold");
}

/* ---- ops ---- */

static bool leaf_op(ac_t * c, const arb_goal_t * goal, char tag)
{
  double d[3];
  av_t n[2];
  arb_ptr floors[2];
  if ((tag == 'P') != (c->pair->kind == VOUCH_PAIR_PLANE)) {
    return refuse(c, "the wrong kind of leaf");
  }
  if (tag == 'P') {
    const vouch_body_t * plane = &c->problem->scene.bodies[c->pair->b];
    uint8_t side;
    if (!take(c, &side, 1)) {
      return false;
    }
    if (side > 1 || (side == 1 && plane->kind != VOUCH_BODY_PLANE)) {
      return refuse(c, "the wrong side of a plane");
    }
    const double z[3] = {0.0, 0.0, side == 1 ? 1.0 : -1.0};
    ap_t placed = from_pose(c, &plane->placement);
    n[0] = n[1] = turn(c, &placed, vec(c, z));
    floors[0] = floors[1] = dot(c, n[0], placed.t);
    return leaf(c, goal, n, floors, true);
  }
  if (!take_direction(c, d)) {
    return false;
  }
  n[0] = n[1] = vec(c, d);
  if (tag == 'D' && !take_direction(c, d)) {
    return false;
  }
  n[1] = vec(c, d);
  floors[0] = arb_floor_of(c, goal, n[0]);
  floors[1] = tag == 'D' ? arb_floor_of(c, goal, n[1]) : floors[0];
  return leaf(c, goal, n, floors, tag == 'L');
}

/* ---- containment at a start ---- */

bool arb_checker_crossings(
  ac_t * c, const vouch_geometry_t * g, uint32_t component, const arb_ptr point[3],
  const float ray[3], int * sum)
{
  const double d[3] = {(double)ray[0], (double)ray[1], (double)ray[2]};
  av_t along = vec(c, d), at = {{point[0], point[1], point[2]}};
  size_t mark = c->used;
  *sum = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const vouch_primitive_t * p = &g->primitives[i];
    c->used = mark;
    if (p->component != component) {
      continue;
    }
    av_t v[3];
    int s[3], plus = 0, minus = 0;
    for (uint32_t k = 0; k < 3; k++) {
      v[k] = vsub(c, vec(c, g->vertices[g->indices[p->first + k]]), at);
    }
    for (int k = 0; k < 3; k++) {
      s[k] = sign(dot(c, along, cross(c, v[k], v[(k + 1) % 3])));
      plus += s[k] > 0;
      minus += s[k] < 0;
    }
    if (plus > 0 && minus > 0) {
      continue;
    }
    int ahead = sign(dot(c, v[0], cross(c, v[1], v[2])));
    if ((plus != 3 && minus != 3) || ahead == 0) {
      return refuse(c, "a crossing is not decided");
    }
    *sum += ahead == s[0] ? s[0] : 0;
  }
  return true;
}

static bool outside(ac_t * c, const placed_t * solid, uint32_t component, av_t point)
{
  float f[3];
  char tag;
  int sum;
  if (!take(c, &tag, 1) || tag != 'I' || !take(c, f, sizeof(f))) {
    return refuse(c, "I is missing");
  }
  av_t at = turn_back(c, &solid->pose, vsub(c, point, solid->pose.t));
  return arb_checker_crossings(c, solid->g, component, at.x, f, &sum) &&
         (sum == 0 || refuse(c, "a component is inside"));
}

static arb_ptr component_support(ac_t * c, const placed_t * x, uint32_t component, av_t m)
{
  arb_ptr best = NULL;
  av_t local = turn_back(c, &x->pose, m);
  for (uint32_t i = 0; i < x->g->primitive_count; i++) {
    const uint32_t its = x->g->primitives[i].component;
    const bool open = x->g->components[component] == VOUCH_COMPONENT_OPEN &&
      x->g->components[its] == VOUCH_COMPONENT_OPEN;   // all open ones are one hull
    if (its == component || open) {
      arb_ptr value = arb_support_primitive(c, x->g, i, local);
      best = best == NULL ? value : larger(c, best, value);
    }
  }
  return add(c, best, dot(c, m, x->pose.t));
}

static bool hulls_apart(
  ac_t * c, const placed_t * a, uint32_t component_a, const placed_t * b, uint32_t component_b,
  arb_ptr tau)
{
  char tag;
  double n[3];
  if (!take(c, &tag, 1) || tag != 'H' || !take_direction(c, n)) {
    return refuse(c, "H is missing");
  }
  const double minus[3] = {-n[0], -n[1], -n[2]};
  arb_ptr far_a = component_support(c, a, component_a, vec(c, n));
  arb_ptr far_b = component_support(c, b, component_b, vec(c, minus));
  arb_ptr far = add(c, add(c, far_a, far_b), mul(c, tau, norm(c, vec(c, n))));
  return arb_is_negative(far) || refuse(c, "hulls of components are not apart");
}

static bool pay(
  ac_t * c, const placed_t * a, const placed_t * b, bool surface_in_a, arb_ptr tau)
{
  const placed_t * surface = surface_in_a ? a : b, * other = surface_in_a ? b : a;
  bool opened = false;
  for (uint32_t s = 0; s < surface->g->component_count; s++) {
    uint8_t kind = surface->g->components[s];
    bool first = kind == VOUCH_COMPONENT_OPEN && !opened;
    opened = opened || first;
    if (kind != VOUCH_COMPONENT_SOLID && !first) {
      continue;
    }
    for (uint32_t k = 0; k < other->g->component_count; k++) {
      bool good = kind == VOUCH_COMPONENT_SOLID ? outside(c, surface, s, reference(c, other, k)) :
        hulls_apart(c, a, surface_in_a ? s : k, b, surface_in_a ? k : s, tau);
      if (!good) {
        return false;
      }
    }
  }
  return true;
}

/// Two roots where a motion starts.
static bool at_start(const ac_t * c, const arb_goal_t * goal)
{
  return goal->a == 0 && goal->b == 0 && goal->span.begin == 0 && is_start(c, goal->span.first);
}

static bool owed(ac_t * c, const arb_goal_t * goal)
{
  if (!at_start(c, goal)) {
    return true;
  }
  placed_t a = {arb_geometry_of(c, c->pair->a), relative(c, goal->span.first, 0)};
  placed_t b = {arb_geometry_of(c, goal->body),
    from_pose(c, &c->problem->scene.bodies[goal->body].placement)};
  arb_ptr motion[3];
  return arb_bounds(c, goal, motion) && pay(c, &a, &b, true, motion[2]) &&
         pay(c, &a, &b, false, motion[2]);
}

/// Where a motion starts, a thin plane may hide in what an open mesh leaves open.
static bool gap_in_skin(ac_t * c, const arb_goal_t * goal)
{
  const vouch_geometry_t * g = arb_geometry_of(c, c->pair->a);
  bool thin = c->problem->scene.bodies[c->pair->b].kind == VOUCH_BODY_PLANE, open = false;
  for (uint32_t i = 0; i < g->component_count; i++) {
    open = open || g->components[i] == VOUCH_COMPONENT_OPEN;
  }
  return thin && open && at_start(c, goal) && !refuse(c, "a plane in an open mesh");
}

/* ---- the walk ---- */

static bool walk(ac_t * c, const arb_goal_t * goal, int depth);

static bool both(ac_t * c, const arb_goal_t * x, const arb_goal_t * y, int depth)
{
  return walk(c, x, depth + 1) && walk(c, y, depth + 1);
}

static bool split(ac_t * c, const arb_goal_t * goal, int depth)
{
  arb_goal_t early = *goal, late = *goal;
  uint32_t segments = goal->span.last - goal->span.first;
  if (segments > 1) {
    early.span.last = late.span.first = goal->span.first + segments / 2u;
  } else {
    if (goal->span.length < 2) {
      return refuse(c, "split too often");
    }
    early.span.length = late.span.length = goal->span.length / 2u;
    late.span.begin += late.span.length;
  }
  return both(c, &early, &late, depth);
}

static bool descend_group(ac_t * c, const arb_goal_t * goal, int depth)
{
  const vouch_group_t * group = &c->problem->scene.groups[goal->b];
  arb_goal_t x = *goal, y = *goal;
  if (group->body != VOUCH_NONE) {
    x.body = group->body;
    x.b = 0;
    return walk(c, &x, depth + 1);
  }
  x.b = group->left;
  y.b = group->right;
  x.margin = c->pair->leaf_margins[x.b];
  y.margin = c->pair->leaf_margins[y.b];
  return both(c, &x, &y, depth);
}

static bool descend(ac_t * c, const arb_goal_t * goal, bool in_a, int depth)
{
  if (c->pair->kind == VOUCH_PAIR_PLANE ? !in_a : goal->body == VOUCH_NONE && in_a) {
    return refuse(c, "A at a group, or B at a plane");
  }
  if (goal->body == VOUCH_NONE) {
    return descend_group(c, goal, depth);
  }
  const vouch_geometry_t * g = arb_geometry_of(c, in_a ? c->pair->a : goal->body);
  const vouch_tree_node_t * node = &g->nodes[in_a ? goal->a : goal->b];
  arb_goal_t x = *goal, y = *goal;
  if (node->left == 0) {
    return refuse(c, "descent below a leaf");
  }
  *(in_a ? &x.a : &x.b) = node->left;
  *(in_a ? &y.a : &y.b) = node->right;
  return (c->pair->kind == VOUCH_PAIR_PLANE ? !gap_in_skin(c, goal) : owed(c, goal)) &&
         both(c, &x, &y, depth);
}

static bool walk(ac_t * c, const arb_goal_t * goal, int depth)
{
  char tag;
  if (goal->margin < 0.0) {
    return true;
  }
  if (depth > 2000 || !take(c, &tag, 1)) {
    return refuse(c, "too deep, or ops end too early");
  }
  if (tag == 'T') {
    return split(c, goal, depth);
  }
  if (tag == 'S') {
    bool after = goal->span.first > c->until_segment ||
      (goal->span.first == c->until_segment && goal->span.begin >= c->until_tick);
    return (c->skips && after) || refuse(c, "a goal is skipped too early");
  }
  for (uint32_t k = goal->span.first + 1u; k < goal->span.last; k++) {
    if (is_start(c, k)) {
      return refuse(c, "a jump inside");
    }
  }
  arb_checker_reset(c);
  if (tag == 'A' || tag == 'B') {
    return descend(c, goal, tag == 'A', depth);
  }
  return (tag == 'L' || tag == 'D' || tag == 'P' || refuse(c, "unknown op")) &&
         leaf_op(c, goal, tag);
}

void arb_checker_reset(ac_t * c)
{
  c->used = 0;
}

/* One for all: making it costs more than a check. */
static arb_ptr shared_pool;

void arb_checker_init(ac_t * c, const vouch_problem_t * problem)
{
  shared_pool = shared_pool != NULL ? shared_pool : _arb_vec_init(POOL);
  *c = (ac_t) {.problem = problem, .pool = shared_pool};
}

void arb_checker_release(void)
{
  if (shared_pool != NULL) {
    _arb_vec_clear(shared_pool, POOL);
  }
  shared_pool = NULL;
  flint_cleanup();
}

bool arb_checker_head(ac_t * c, const uint8_t * certificate, size_t size, uint8_t * kind)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  const vouch_motion_part_t * motion = &c->problem->motion;
  char head[8];
  uint8_t hash[32];
  uint32_t version, word = 0;
  double tolerance, largest = 0.0;
  c->ops = certificate;
  c->left = size;
  c->leaves = 0;
  c->skips = false;
  c->reason[0] = 0;
  const uint8_t * hashes[3] = {c->problem->geometry.hash, scene->hash, motion->hash};
  if (!take(c, head, 8) || memcmp(head, "VOUCHCRT", 8) != 0 || !take(c, &version, 4) ||
    version != 1)
  {
    return refuse(c, "head");
  }
  if (!take(c, &word, 4) || word > UINT8_MAX) {
    return refuse(c, "kind");
  }
  *kind = (uint8_t)word;
  for (int i = 0; i < 3; i++) {
    if (!take(c, hash, 32) || memcmp(hash, hashes[i], 32) != 0) {
      return refuse(c, "hash");
    }
  }
  for (uint32_t i = 0; i < motion->variable_count; i++) {
    largest = fmax(largest, motion->tolerances[i]);
  }
  if (!take(c, &c->margin, 8) || !(c->margin >= 0.0) || !take(c, &tolerance, 8) ||
    !(tolerance >= largest && tolerance <= largest))
  {
    return refuse(c, "margin or tolerance");
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    bool group = pair->kind == VOUCH_PAIR_GROUP;
    for (uint32_t k = 0; group && k < scene->group_count; k++) {
      if (pair->leaf_margins[k] >= 0.0 && pair->leaf_margins[k] < c->margin) {
        return refuse(c, "a margin is smaller");
      }
    }
    if (!group && pair->margin < c->margin) {
      return refuse(c, "a margin is smaller");
    }
  }
  return true;
}

bool arb_checker_trees(ac_t * c)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  if (scene->pair_count == 0) {
    return refuse(c, "nothing is checked");
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    c->pair = &scene->pairs[i];
    bool group = c->pair->kind == VOUCH_PAIR_GROUP;
    arb_goal_t goal = {.body = group ? VOUCH_NONE : c->pair->b,
      .margin = group ? c->pair->leaf_margins[0] : c->pair->margin,
      .span = {0, c->problem->motion.segment_count, 0, ARB_ONE}};
    if (!walk(c, &goal, 0)) {
      return refuse(c, "a tree does not close");
    }
  }
  return c->left == 0 || refuse(c, "bytes left over");
}

bool arb_checker_proves(ac_t * c, const uint8_t * certificate, size_t size)
{
  uint8_t kind;
  return arb_checker_head(c, certificate, size, &kind) &&
         (kind == 1 || refuse(c, "not a certificate of FREE")) && arb_checker_trees(c);
}

#else
typedef int arb_checker_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
