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

#include "base/sha256.h"
#include "support/arb_frames.h"

/* ---- geometries ---- */

typedef struct
{
  uint32_t solid, low, high;
  int way;
} edge_t;

static int compare_edges(const void * x, const void * y)
{
  const edge_t * a = x, * b = y;
  const uint32_t p[3] = {a->solid, a->low, a->high}, q[3] = {b->solid, b->low, b->high};
  for (int i = 0; i < 3; i++) {
    if (p[i] != q[i]) {
      return p[i] < q[i] ? -1 : 1;
    }
  }
  return 0;
}

/// [L8] Every edge of a solid occurs equally often in both directions.
static bool solids_closed(ac_t * c, const arb_geometry_t * g)
{
  edge_t * edges = calloc(3 * (size_t)g->node_count, sizeof(edge_t));
  size_t count = 0;
  int sum = 0;
  bool closed = edges != NULL;
  for (uint32_t i = 0; closed && i < g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i];
    for (uint32_t k = 0; n->solid > 0 && k < 3; k++) {
      const uint32_t from = n->list[k], to = n->list[(k + 1) % 3];
      edges[count] = from <
        to ? (edge_t) {n->solid, from, to, 1} : (edge_t) {n->solid, to, from, -1};
      count += from != to;
    }
  }
  qsort(edges, count, sizeof(edge_t), compare_edges);
  for (size_t i = 0; i < count; i++) {
    sum += edges[i].way;
    const bool last = i + 1 == count || compare_edges(&edges[i], &edges[i + 1]) != 0;
    closed = closed && (!last || sum == 0);
  }
  free(edges);
  return closed || refuse(c, "a solid is not closed");
}

/// Every primitive is beneath the root.
static bool nothing_is_lost(ac_t * c, const arb_geometry_t * g)
{
  bool * beneath = calloc(g->node_count, sizeof(bool));
  bool good = beneath != NULL;
  for (uint32_t i = 0; good && i < g->node_count; i++) {
    good = i == 0 || beneath[i];
    if (g->nodes[i].right > 0) {
      beneath[i + 1] = beneath[g->nodes[i].right] = true;
    }
  }
  free(beneath);
  return good || refuse(c, "a node is not beneath the root");
}

/// Vertices for which a ray is given; false where a primitive's list joins it to a lower one.
static bool * reference_points(const arb_geometry_t * g)
{
  bool * is = malloc(g->vertex_count);
  if (is == NULL) {
    abort();
  }
  memset(is, true, g->vertex_count);
  for (uint32_t i = 0; i < g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i];
    for (uint32_t k = 0; n->right == 0 && k < n->count; k++) {
      is[n->list[k]] = is[n->list[k]] && n->list[k] <= n->list[0];
    }
  }
  return is;
}

/// [L8] Each connected part of the geometry has a point of which `is` says so: spread from those
/// points over primitives until nothing changes.
static bool every_part_has_one(ac_t * c, const arb_geometry_t * g, const bool * is)
{
  bool * reached = malloc(g->vertex_count), changed = true, all = true;
  if (reached == NULL) {
    abort();
  }
  memcpy(reached, is, g->vertex_count);
  while (changed) {
    changed = false;
    all = true;
    for (uint32_t i = 0; i < g->node_count; i++) {
      const arb_node_t * n = &g->nodes[i];
      uint32_t known = 0;
      for (uint32_t k = 0; n->right == 0 && k < n->count; k++) {
        known += reached[n->list[k]];
      }
      all = all && (n->right > 0 || known > 0);
      changed = changed || (known > 0 && known < n->count);
      for (uint32_t k = 0; known > 0 && k < n->count; k++) {
        reached[n->list[k]] = true;
      }
    }
  }
  free(reached);
  return all || refuse(c, "a part of a body has no reference point");
}

/* ---- containment at a start ---- */

/// [L8] At the start no part of `other` is inside a solid of `body`.
static bool outside(ac_t * c, uint32_t body, uint32_t other, uint64_t tick)
{
  const arb_geometry_t * g = geometry_of(c, body), * h = geometry_of(c, other);
  const uint32_t bodies[2] = {body, other};
  uint32_t solids = 0;
  bool * is = reference_points(h), good = every_part_has_one(c, h, is);
  for (uint32_t i = 0; i < g->node_count; i++) {
    solids = g->nodes[i].solid > solids ? g->nodes[i].solid : solids;
  }
  for (uint32_t solid = 1; good && solid <= solids && solid > 0; solid++) {
    for (uint32_t k = 1; good && k < h->vertex_count; k++) {
      char tag;
      float ray[3];
      int sum;
      if (!is[k]) {
        continue;
      }
      arb_checker_reset(c);
      good = take(c, &tag, 1) && (tag == 'I' || refuse(c, "I is missing")) &&
        take(c, ray, sizeof(ray)) &&
        arb_checker_winding(c, bodies, solid, k, tick, false, ray, &sum) &&
        (sum == 0 || refuse(c, "a body is inside"));
      c->verdict->rays += good;
    }
  }
  free(is);
  return good;
}

/* ---- the walk ---- */

typedef struct
{
  arb_goal_t * goals;
  size_t count, capacity;
} goals_t;

static void push(goals_t * list, arb_goal_t goal)
{
  if (list->count == list->capacity) {
    list->capacity = 2 * list->capacity + 64;
    list->goals = realloc(list->goals, list->capacity * sizeof(goal));
    if (list->goals == NULL) {
      abort();
    }
  }
  list->goals[list->count++] = goal;
}

/// Goals in the place of one at a group: for its children beneath which something is checked, or
/// for its body.
static bool descend_group(ac_t * c, arb_goal_t goal, int side, bool alone, goals_t * list)
{
  const arb_file_t * file = c->file;
  const uint32_t number = arb_group_of(file, goal.thing[side]);
  const arb_group_t * g = &file->groups[number];
  const uint32_t children[2] = {number + 1, g->right};
  uint32_t count = 0;
  if (g->right == 0) {
    goal.thing[side] = g->body;
    push(list, goal);
    return alone || refuse(c, "a group has one body");
  }
  for (int k = 0; k < 2; k++) {
    if (arb_is_checked(file, &file->pairs[goal.pair], children[k])) {
      goal.thing[side] = file->body_count + children[k];
      push(list, goal);
      count++;
    }
  }
  return count == (alone ? 1 : 2) || refuse(c, "a group has another number of children");
}

static bool descend(
  ac_t * c, arb_goal_t goal, const arb_span_t * span, char tag, goals_t * list)
{
  const int side = tag == 'B' || tag == 'b';
  const bool alone = tag == 'a' || tag == 'b';
  const bool start = is_start(c, span->begin) && !(c->file->pairs[goal.pair].margin < 0.0);
  const uint32_t body = goal.thing[side], number = goal.node[side];
  if (is_group(c, body)) {
    return descend_group(c, goal, side, alone, list);
  }
  const arb_node_t * n = is_plane(c, body) ? NULL : &geometry_of(c, body)->nodes[number];
  if (n == NULL || n->right == 0 || alone) {
    return refuse(c, "nothing to descend to, or to two");
  }
  if (start && n->open != 0) {
    return refuse(c, "an open mesh is left at a start");
  }
  if (start && is_group(c, goal.thing[1 - side])) {
    return refuse(c, "[L8] a body is left before a group is, at a start");
  }
  const bool roots = goal.node[0] == 0 && goal.node[1] == 0;
  if (start && roots && !is_plane(c, goal.thing[1]) &&
    !(outside(c, goal.thing[0], goal.thing[1], span->begin) &&
    outside(c, goal.thing[1], goal.thing[0], span->begin)))
  {
    return false;
  }
  goal.node[side] = number + 1;
  push(list, goal);
  goal.node[side] = n->right;
  push(list, goal);
  return true;
}

static bool leaf(ac_t * c, const arb_goal_t * goal, const arb_span_t * span, bool chord)
{
  double n[2][3];
  if (!take_direction(c, n[0]) || (!chord && !take_direction(c, n[1]))) {
    return false;
  }
  for (int i = 0; i < (chord ? 1 : 2) && c->file->pairs[goal->pair].margin < 0.0; i++) {
    const double * d = n[i];
    if (!(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= 1.0 - 0x1p-21)) {
      return refuse(c, "[L2] a direction is short, where bodies may overlap");
    }
  }
  const bool across = fabs(n[0][0]) > 0.0 || fabs(n[0][1]) > 0.0;
  if (is_plane(c, goal->thing[1])) {
    const bool half = c->file->bodies[goal->thing[1]].kind == ARB_HALF_SPACE;
    if (across || !chord || (half && n[0][2] > 0.0)) {
      return refuse(c, "[L9] not the normal of the plane");
    }
  }
  const bool good = arb_checker_leaf(c, goal, span, n, chord, 0.0);
  c->verdict->leaves += good;
  return good;
}

/// One op. *later: the goal is to be proved on both halves.
static bool op(
  ac_t * c, const arb_goal_t * goal, const arb_span_t * span, goals_t * list, bool * later)
{
  char tag;
  arb_checker_reset(c);
  if (!take(c, &tag, 1)) {
    return false;
  }
  *later = tag == 'T';
  if (tag == 'T') {
    return true;
  }
  if (tag == 'S') {
    return span->begin >= c->t_lo || refuse(c, "a goal is left out too early");
  }
  for (uint64_t k = span->begin / ARB_ONE + 1; k * ARB_ONE < span->end; k++) {
    if (arb_is_start(c->file, k)) {
      return refuse(c, "a jump inside");
    }
  }
  if (tag == 'A' || tag == 'B' || tag == 'a' || tag == 'b') {
    return descend(c, *goal, span, tag, list);
  }
  return (tag == 'L' || tag == 'D' || refuse(c, "unknown op")) && leaf(c, goal, span, tag == 'L');
}

/// The goals of the list, and those that come in their places, hold on the span. Uses the list up.
static bool walk(ac_t * c, arb_span_t span, goals_t list)
{
  goals_t waiting = {NULL, 0, 0};
  bool good = true;
  for (size_t i = 0; good && i < list.count; i++) {
    const arb_goal_t goal = list.goals[i];
    bool later = false;
    good = op(c, &goal, &span, &list, &later);
    if (later) {
      push(&waiting, goal);
    }
  }
  free(list.goals);
  if (!good || waiting.count == 0) {
    free(waiting.goals);
    return good;
  }
  const uint64_t size = span.end - span.begin;
  const uint64_t half = size > ARB_ONE ? size / ARB_ONE / 2 * ARB_ONE : size / 2;
  goals_t copy = {NULL, 0, 0};
  for (size_t i = 0; i < waiting.count; i++) {
    push(&copy, waiting.goals[i]);
  }
  if (half == 0) {
    free(copy.goals);
    free(waiting.goals);
    return refuse(c, "a tick is halved");
  }
  const uint64_t middle = span.begin + half;
  if (!walk(c, (arb_span_t) {span.begin, middle}, copy)) {
    free(waiting.goals);
    return false;
  }
  return walk(c, (arb_span_t) {middle, span.end}, waiting);
}

/* ---- files ---- */

arb_goal_t arb_checker_roots(const arb_file_t * file, uint32_t pair)
{
  const arb_pair_t * p = &file->pairs[pair];
  return (arb_goal_t) {pair, {p->a, p->b}, {0, 0}};
}

void arb_checker_reset(ac_t * c)
{
  c->used = 0;
}

#define WHOLE_POOL (POOL + 12 * KEPT + 6 * BOXES)

/* One for all: making it costs more than a check. */
static arb_ptr shared_pool;

void arb_checker_init(ac_t * c, const arb_file_t * file, arb_verdict_t * verdict)
{
  static uint64_t serial;
  static arb_kept_t kept[KEPT + BOXES];
  shared_pool = shared_pool != NULL ? shared_pool : _arb_vec_init(WHOLE_POOL);
  *c = (ac_t) {.file = file, .pool = shared_pool, .kept = kept, .serial = ++serial,
    .verdict = verdict};
  *verdict = (arb_verdict_t) {.leaves = 0};
}

void arb_judge_release(void)
{
  if (shared_pool != NULL) {
    _arb_vec_clear(shared_pool, WHOLE_POOL);
  }
  shared_pool = NULL;
  flint_cleanup();
}

static bool about_this(ac_t * c, const arb_proof_t * proof, const uint8_t * problem)
{
  for (int i = 0; i < ARB_PARTS; i++) {
    uint8_t hash[32];
    vouch_sha256(problem + c->file->body[i], c->file->length[i], hash);
    if (memcmp(hash, proof->hashes + 32 * i, sizeof(hash)) != 0) {
      return refuse(c, "it is about another problem");
    }
  }
  return true;
}

static bool proves(ac_t * c, const arb_proof_t * proof)
{
  const uint64_t end = c->file->segment_count * ARB_ONE;
  goals_t all = {NULL, 0, 0};
  for (uint32_t i = 0; i < c->file->geometry_count; i++) {
    const arb_geometry_t * g = &c->file->geometries[i];
    if (!solids_closed(c, g) || !nothing_is_lost(c, g)) {
      return false;
    }
  }
  if (proof->kind == 1 && proof->t_lo != end) {
    return refuse(c, "FREE, but not until the end");
  }
  for (uint32_t i = 0; proof->kind == 1 && i < c->file->left_out_count; i++) {
    if (c->file->left_out[i].reason == ARB_TWO_PLANES) {
      return refuse(c, "FREE, but of two planes nothing is known");
    }
  }
  if (proof->kind == 2 && !arb_shows(c, proof)) {
    return false;
  }
  c->t_lo = proof->t_lo;
  c->ops = proof->ops;
  c->left = proof->ops_size;
  for (uint32_t i = 0; i < c->file->pair_count; i++) {
    if (arb_checks_any(c->file, &c->file->pairs[i])) {
      push(&all, arb_checker_roots(c->file, i));
    }
  }
  return walk(c, (arb_span_t) {0, end}, all) &&
         (c->left == 0 || refuse(c, "bytes are left over")) &&
         (proof->kind != 1 || c->verdict->leaves > 0 || refuse(c, "FREE of nothing"));
}

bool arb_judge(
  const void * problem, size_t problem_size, const void * certificate, size_t certificate_size,
  arb_verdict_t * verdict)
{
  arb_file_t file;
  arb_proof_t proof;
  ac_t c;
  const bool read = arb_file_read(&file, problem, problem_size);
  const char * why = read ? arb_proof_read(&proof, certificate, certificate_size) : file.reason;
  arb_checker_init(&c, &file, verdict);
  const bool good = why == NULL ? about_this(&c, &proof, problem) && proves(&c, &proof) :
    refuse(&c, why);
  if (read) {
    arb_file_free(&file);
  }
  return good;
}

#else
typedef int arb_checker_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
