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

/* A search for proofs of arb_cells.c's problems. It asks the judge whether a leaf holds, with a
 * nanometre to spare, so that it holds for the verifier too. */

#include "support/arb_cells.h"

#ifdef VOUCH_HAVE_ARB

#include "base/sha256.h"
#include "support/arb_prover.h"

#define SLACK 1e-9
#define MOST_OPS 300

/* ---- bodies at a time, in binary64 ---- */

static pose_t rounded(const ap_t p)
{
  pose_t out;
  for (int i = 0; i < 9; i++) {
    out.r[i] = arf_get_d(arb_midref(p.r[i]), ARF_RND_NEAR);
  }
  for (int i = 0; i < 3; i++) {
    out.t[i] = arf_get_d(arb_midref(p.t.x[i]), ARF_RND_NEAR);
  }
  return out;
}

static pose_t pose_of_frame(ac_t * c, uint32_t frame, uint64_t tick, bool before)
{
  arb_checker_reset(c);
  return rounded(frame_pose(c, frame, tick, before));
}

pose_t arb_prover_pose(ac_t * c, uint32_t thing, uint64_t tick, bool before)
{
  if (is_group(c, thing)) {
    return pose_of_frame(c, arb_frame_of(c->file, thing), tick, before);
  }
  arb_checker_reset(c);
  return rounded(body_pose(c, thing, tick, before));
}

void arb_prover_furthest(
  const arb_geometry_t * g, const arb_node_t * n, const pose_t * p, const double d[3],
  arb_point_t * at, double x[3])
{
  double m[3], best = -1e300;
  back3(p, d, m);
  for (uint32_t i = 0; i < n->count; i++) {
    const double * a = round_of(g, n->list[i]), * v = g->vertices[n->list[i]];
    double u[3] = {0.0, 0.0, 0.0}, local[3] = {v[0], v[1], v[2]};
    for (int k = 0; a != NULL && k < 3; k++) {
      u[k] = dot3(m, a + 3 * k);
    }
    const double size = sqrt(dot3(u, u));
    for (int k = 0; size > 0.0 && k < 3; k++) {
      u[k] *= (1.0 - 1e-12) / size;
      for (int j = 0; j < 3; j++) {
        local[j] += u[k] * a[3 * k + j];
      }
    }
    if (dot3(m, local) > best) {
      best = dot3(m, local);
      *at = (arb_point_t) {{u[0], u[1], u[2]}, {1.0, 0.0, 0.0}, {i, i, i, i}};
      for (int j = 0; j < 3; j++) {
        x[j] = dot3(p->r + 3 * j, local) + p->t[j];
      }
    }
  }
}

/// Likewise of all primitives beneath a node.
static void furthest_beneath(
  const arb_geometry_t * g, uint32_t node, const pose_t * p, const double d[3], double x[3])
{
  const arb_node_t * n = &g->nodes[node];
  arb_point_t at;
  double y[3];
  if (n->right == 0) {
    arb_prover_furthest(g, n, p, d, &at, x);
    return;
  }
  furthest_beneath(g, node + 1, p, d, x);
  furthest_beneath(g, n->right, p, d, y);
  if (dot3(d, y) > dot3(d, x)) {
    memcpy(x, y, sizeof(y));
  }
}

/* ---- hulls ---- */

static uint32_t position_in(const arb_node_t * n, uint32_t vertex)
{
  uint32_t i = 0;
  while (i < n->count && n->list[i] != vertex) {
    i++;
  }
  return i;
}

/// How far a vertex with its ellipsoid is from the mixture of its witness.
static double off_by(
  const arb_geometry_t * g, const arb_node_t * n, uint32_t vertex, const uint8_t * witness)
{
  const double * a = round_of(g, vertex);
  float w[3];
  double x[3], left = 1.0, size = 0.0;
  memcpy(w, witness, sizeof(w));
  memcpy(x, g->vertices[vertex], sizeof(x));
  for (int i = 0; i < 4; i++) {
    const double weight = i < 3 ? (double)w[i] : left, * v = g->vertices[n->list[witness[12 + i]]];
    left -= weight;
    for (int k = 0; k < 3; k++) {
      x[k] -= weight * v[k];
    }
  }
  for (int i = 0; a != NULL && i < 3; i++) {
    double row = 0.0;
    for (int k = 0; k < 3; k++) {
      row += fabs(dot3(a + 3 * i, a + 3 * k));
    }
    size = fmax(size, sqrt(row));
  }
  return sqrt(dot3(x, x)) + size;
}

/// How far what is beneath a node may stick out of its list's hull.
static double carry_of(const prover_t * p, const arb_geometry_t * g, uint32_t number)
{
  const arb_node_t * n = &g->nodes[number];
  const uint8_t * witness = p->problem + n->witnesses_at;
  double most = 0.0;
  for (int k = 0; n->right > 0 && k < 2; k++) {
    const uint32_t below = k == 0 ? number + 1 : n->right;
    const double more = carry_of(p, g, below);
    const arb_node_t * child = &g->nodes[below];
    most = fmax(most, more);
    for (uint32_t i = 0; i < child->count; i++) {
      if (position_in(n, child->list[i]) == n->count) {
        most = fmax(most, more + off_by(g, n, child->list[i], witness));
        witness += 16;
      }
    }
  }
  return most;
}

/// Boxes of groups have it in them.
static double carried(const prover_t * p, const arb_goal_t * goal)
{
  double sum = 0.0;
  for (int i = 0; i < 2; i++) {
    if (!is_group(&p->c, goal->thing[i]) && !is_plane(&p->c, goal->thing[i])) {
      sum += carry_of(p, geometry_of(&p->c, goal->thing[i]), goal->node[i]);
    }
  }
  return sum;
}

/* ---- sets ---- */

/// A node of a geometry, or the box of a group, somewhere.
typedef struct
{
  const arb_geometry_t * g;   // NULL: a box, or a plane
  uint32_t node;
  double ends[2][3];
  pose_t pose;
} set_t;

static set_t set_of(prover_t * p, const arb_goal_t * goal, int side, uint64_t tick, bool before)
{
  const uint32_t thing = goal->thing[side], group = arb_group_of(p->c.file, thing);
  set_t s = {.node = goal->node[side], .pose = arb_prover_pose(&p->c, thing, tick, before)};
  if (group != ARB_NONE) {
    arb_ptr box[6];
    arb_checker_reset(&p->c);
    arb_checker_box(&p->c, group, box);
    for (int i = 0; i < 6; i++) {
      s.ends[i / 3][i % 3] = arf_get_d(arb_midref(box[i]), ARF_RND_NEAR);
    }
  } else if (!is_plane(&p->c, thing)) {
    s.g = geometry_of(&p->c, thing);
  }
  return s;
}

static void furthest_of(const set_t * s, const double d[3], double x[3])
{
  if (s->g != NULL) {
    furthest_beneath(s->g, s->node, &s->pose, d, x);
    return;
  }
  double m[3], corner[3];
  back3(&s->pose, d, m);
  for (int i = 0; i < 3; i++) {
    corner[i] = s->ends[m[i] > 0.0][i];
  }
  for (int i = 0; i < 3; i++) {
    x[i] = dot3(s->pose.r + 3 * i, corner) + s->pose.t[i];
  }
}

/* ---- directions ---- */

/// Gilbert's algorithm: n from A to B along which their gap is large. Returns the gap.
static double separate(const set_t sets[2], double best[3])
{
  double d[3] = {1.0, 0.0, 0.0}, v[3], x[3], y[3], most = -1e300;
  furthest_of(&sets[0], d, x);
  furthest_of(&sets[1], d, y);
  for (int i = 0; i < 3; i++) {
    v[i] = y[i] - x[i];
  }
  for (int round = 0; round < 60; round++) {
    const double size = sqrt(dot3(v, v));
    double w[3], e[3], gap = 0.0;
    if (!(size > 1e-9)) {
      break;
    }
    for (int i = 0; i < 3; i++) {
      d[i] = v[i] / size;
    }
    const double minus[3] = {-d[0], -d[1], -d[2]};
    furthest_of(&sets[0], d, x);
    furthest_of(&sets[1], minus, y);
    for (int i = 0; i < 3; i++) {
      w[i] = y[i] - x[i];
      e[i] = w[i] - v[i];
    }
    gap = dot3(d, w);
    if (gap > most) {
      most = gap;
      memcpy(best, d, sizeof(d));
    }
    const double step = -dot3(v, e) / fmax(dot3(e, e), 1e-30);
    for (int i = 0; i < 3; i++) {
      v[i] += fmin(fmax(step, 0.0), 1.0) * e[i];
    }
  }
  return most;
}

/// A direction as a leaf of the goal has it. Returns the gap at that time.
static double propose(prover_t * p, const arb_goal_t * goal, uint64_t tick, bool before, float n[3])
{
  const uint32_t b = goal->thing[1];
  const set_t sets[2] = {set_of(p, goal, 0, tick, before), set_of(p, goal, 1, tick, before)};
  const pose_t seen = pose_of_frame(&p->c, arb_frame_of(p->c.file, b), tick, before);
  double d[3] = {0.0, 0.0, 1.0}, local[3];
  if (!is_plane(&p->c, b)) {
    const double gap = separate(sets, d);
    back3(&seen, d, local);
    for (int i = 0; i < 3; i++) {
      n[i] = (float)(local[i] * (1.0 - 0x1p-23));
    }
    return gap;
  }
  double gaps[2];
  for (int side = 0; side < 2; side++) {   // above, below
    const double z = side == 0 ? -1.0 : 1.0;
    const pose_t * plane = &sets[1].pose;
    double x[3], normal[3] = {z * plane->r[2], z * plane->r[5], z * plane->r[8]};
    furthest_of(&sets[0], normal, x);
    gaps[side] = dot3(normal, plane->t) - dot3(normal, x);
  }
  const bool below = p->c.file->bodies[b].kind == ARB_PLANE && gaps[1] > gaps[0];
  n[0] = n[1] = 0.0f;
  n[2] = below ? 1.0f : -1.0f;
  return gaps[below];
}

/* ---- ops ---- */

static void put_tag(prover_t * p, char tag)
{
  arb_bytes_put(&p->ops, &tag, 1);
  p->op_count++;
}

static bool hold(
  prover_t * p, const arb_goal_t * goal, const arb_span_t * span, float n[2][3], bool chord)
{
  double d[2][3];
  for (int i = 0; i < 6; i++) {
    d[i / 3][i % 3] = (double)n[i / 3][i % 3];
  }
  arb_checker_reset(&p->c);
  if (!arb_checker_leaf(&p->c, goal, span, d, chord, carried(p, goal) + SLACK)) {
    return false;
  }
  put_tag(p, chord ? 'L' : 'D');
  arb_bytes_put(&p->ops, n, chord ? 12 : 24);
  return true;
}

/// Rays that show that nothing of `other` is in a solid of `body`.
static bool put_rays(prover_t * p, uint32_t body, uint32_t other, uint64_t tick)
{
  const arb_geometry_t * g = geometry_of(&p->c, body), * h = geometry_of(&p->c, other);
  const uint32_t bodies[2] = {body, other};
  uint32_t solids = 0;
  for (uint32_t i = 0; i < g->node_count; i++) {
    solids = g->nodes[i].solid > solids ? g->nodes[i].solid : solids;
  }
  for (uint32_t solid = 1; solid <= solids; solid++) {
    for (uint32_t k = 1; k < h->vertex_count; k++) {
      bool joined = false, shown = false;
      for (uint32_t i = 0; i < h->node_count; i++) {
        const arb_node_t * n = &h->nodes[i];
        for (uint32_t j = 0; n->right == 0 && j < n->count; j++) {
          joined = joined || (n->list[j] == k && k > n->list[0]);
        }
      }
      for (int attempt = 0; !joined && !shown && attempt < 20; attempt++) {
        double d[3];
        int sum;
        test_random_direction(p->random, d);
        const float ray[3] = {(float)d[0], (float)d[1], (float)d[2]};
        arb_checker_reset(&p->c);
        shown = arb_checker_winding(&p->c, bodies, solid, k, tick, false, ray, &sum) &&
          (sum == 0 || p->cheats);
        if (shown) {
          arb_bytes_put(&p->ops, "I", 1);
          arb_bytes_put(&p->ops, ray, sizeof(ray));
        }
      }
      if (!joined && !shown) {
        return false;
      }
    }
  }
  return true;
}

typedef struct
{
  arb_goal_t goals[2 * MOST_OPS];
  uint32_t count;
} list_t;

/// Goals for the children of a group beneath which something is checked, or for its body.
static void open_group(prover_t * p, arb_goal_t goal, int side, list_t * list)
{
  const arb_file_t * file = p->c.file;
  const uint32_t number = arb_group_of(file, goal.thing[side]), before = list->count;
  const arb_group_t * g = &file->groups[number];
  const uint32_t children[2] = {number + 1, g->right};
  if (g->right == 0) {
    goal.thing[side] = g->body;
    list->goals[list->count++] = goal;
  }
  for (int k = 0; k < 2 && g->right != 0; k++) {
    if (arb_is_checked(file, &file->pairs[goal.pair], children[k])) {
      goal.thing[side] = file->body_count + children[k];
      list->goals[list->count++] = goal;
    }
  }
  put_tag(p, list->count == before + 1 ? "ab"[side] : "AB"[side]);
}

/// Whether the goal has something to open on that side.
static bool may_open(const prover_t * p, const arb_goal_t * goal, int side, bool start)
{
  const uint32_t thing = goal->thing[side];
  if (is_group(&p->c, thing) || is_plane(&p->c, thing)) {
    return is_group(&p->c, thing);
  }
  const arb_node_t * n = &geometry_of(&p->c, thing)->nodes[goal->node[side]];
  const bool early = is_group(&p->c, goal->thing[1 - side]) && !p->cheats;
  return n->right > 0 && !(start && (n->open || early));
}

static bool go_down(
  prover_t * p, arb_goal_t goal, const arb_span_t * span, bool start, list_t * list)
{
  int side = -1;
  for (int i = 0; i < 2; i++) {
    if (may_open(p, &goal, i, start) && (side < 0 || test_random_below(p->random, 2))) {
      side = i;
    }
  }
  if (side < 0 || list->count + 2 > MOST_OPS) {
    return false;
  }
  if (is_group(&p->c, goal.thing[side])) {
    open_group(p, goal, side, list);
    return true;
  }
  put_tag(p, side == 0 ? 'A' : 'B');
  const bool groups = is_group(&p->c, goal.thing[0]) || is_group(&p->c, goal.thing[1]);
  if (start && goal.node[0] == 0 && goal.node[1] == 0 && !is_plane(&p->c, goal.thing[1]) &&
    !groups &&
    !(put_rays(p, goal.thing[0], goal.thing[1], span->begin) &&
    put_rays(p, goal.thing[1], goal.thing[0], span->begin)))
  {
    p->op_count = MOST_OPS;   // given up
  }
  const uint32_t number = goal.node[side];
  goal.node[side] = number + 1;
  list->goals[list->count++] = goal;
  goal.node[side] = geometry_of(&p->c, goal.thing[side])->nodes[number].right;
  list->goals[list->count++] = goal;
  return true;
}

/// An op for the goal; true: T.
static bool choose(prover_t * p, const arb_goal_t * goal, const arb_span_t * span, list_t * list)
{
  const arb_file_t * file = p->c.file;
  const bool start = span->begin % ARB_ONE == 0 && arb_is_start(file, span->begin / ARB_ONE) &&
    !(file->pairs[goal->pair].margin < 0.0);
  float n[2][3];
  if (p->open && span->begin >= p->t_lo) {
    put_tag(p, 'S');
    return false;
  }
  for (uint64_t k = span->begin / ARB_ONE + 1; k * ARB_ONE < span->end; k++) {
    if (arb_is_start(file, k)) {
      put_tag(p, 'T');
      return true;
    }
  }
  const uint64_t middle = span->begin + (span->end - span->begin) / 2;
  const double gap = propose(p, goal, middle, false, n[0]) - carried(p, goal);
  const double margin = file->pairs[goal->pair].margin;
  const bool two = !is_plane(&p->c, goal->thing[1]);
  if (test_random_below(p->random, 4) == 0 && go_down(p, *goal, span, start, list)) {
    return false;   // not needed, but a proof should have all kinds of ops
  }
  if (gap > margin && two && test_random_below(p->random, 2)) {
    float ends[2][3];
    (void)propose(p, goal, span->begin, false, ends[0]);
    (void)propose(p, goal, span->end, true, ends[1]);
    if (hold(p, goal, span, ends, false)) {
      return false;
    }
  }
  if (gap > margin && hold(p, goal, span, n, true)) {
    return false;
  }
  if (gap <= margin + 0.02 && go_down(p, *goal, span, start, list)) {
    return false;
  }
  put_tag(p, 'T');
  return true;
}

static bool prove(prover_t * p, arb_span_t span, const list_t * goals)
{
  list_t * list = malloc(sizeof(list_t)), waiting = {.count = 0};
  if (list == NULL) {
    abort();
  }
  *list = *goals;
  for (uint32_t i = 0; i < list->count && p->op_count < MOST_OPS; i++) {
    const arb_goal_t goal = list->goals[i];
    if (choose(p, &goal, &span, list)) {
      waiting.goals[waiting.count++] = goal;
    }
  }
  free(list);
  const uint64_t size = span.end - span.begin;
  const uint64_t half = size > ARB_ONE ? size / ARB_ONE / 2 * ARB_ONE : size / 2;
  const uint64_t middle = span.begin + half;
  if (p->op_count >= MOST_OPS || size < ARB_ONE >> 9) {
    return false;
  }
  return waiting.count == 0 || (prove(p, (arb_span_t) {span.begin, middle}, &waiting) &&
         prove(p, (arb_span_t) {middle, span.end}, &waiting));
}

/* ---- certificates ---- */

static void put_head(
  arb_bytes_t * out, const arb_file_t * file, const arb_bytes_t * problem, const arb_proof_t * w)
{
  arb_bytes_put(out, "VOUCHCRT\3\0\0\0", ARB_PROBLEM_HEAD);
  arb_bytes_u32(out, w->kind);
  for (int i = 0; i < ARB_PARTS; i++) {
    uint8_t hash[32];
    vouch_sha256(problem->data + file->body[i], file->length[i], hash);
    arb_bytes_put(out, hash, sizeof(hash));
  }
  arb_bytes_put(out, &w->t_lo, sizeof(w->t_lo));
  if (w->kind == 1) {
    return;
  }
  arb_bytes_put(out, &w->t_hi, sizeof(w->t_hi));
  const uint32_t numbers[9] = {w->pair, w->body[0], w->body[1], w->part[0], w->part[1], w->side,
    w->solid, w->before, w->point_count};
  arb_bytes_put(out, numbers, sizeof(numbers));
  arb_bytes_put(out, w->points, w->point_count * sizeof(arb_point_t));
  if (w->point_count == 0) {
    arb_bytes_put(out, "I", 1);
    arb_bytes_put(out, w->ray, sizeof(w->ray));
  }
}

/// All pairs before t_lo.
static bool prove_all(prover_t * p, uint64_t t_lo)
{
  const uint64_t end = p->c.file->segment_count * ARB_ONE;
  list_t all = {.count = 0};
  for (uint32_t i = 0; i < p->c.file->pair_count; i++) {
    if (arb_checks_any(p->c.file, &p->c.file->pairs[i])) {
      all.goals[all.count++] = arb_checker_roots(p->c.file, i);
    }
  }
  p->ops.size = 0;
  p->op_count = 0;
  p->t_lo = t_lo;
  p->open = t_lo < end;
  return all.count > 0 && prove(p, (arb_span_t) {0, end}, &all);
}

/// Bodies of the pair, of those that it checks.
static bool choose_bodies(prover_t * p, arb_proof_t * w)
{
  const arb_file_t * file = p->c.file;
  bool found = true;
  for (int side = 0; side < 2; side++) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < file->body_count; i++) {
      if (arb_checks_body(file, &file->pairs[w->pair], side, i) &&
        test_random_below(p->random, ++seen) == 0)
      {
        w->body[side] = i;
      }
    }
    found = found && seen > 0;
  }
  return found;
}

bool arb_cell_prove(
  test_random_t * r, const arb_bytes_t * problem, uint32_t kind, arb_bytes_t * certificate)
{
  arb_file_t file;
  arb_verdict_t verdict;
  prover_t p = {.random = r, .problem = problem->data, .cheats = kind == 0};
  if (!arb_file_read(&file, problem->data, problem->size)) {
    return false;
  }
  arb_checker_init(&p.c, &file, &verdict);
  const uint64_t end = file.segment_count * ARB_ONE;
  arb_proof_t w = {.kind = kind == 2 ? 2 : 1, .t_lo = end};
  bool good = kind != 2 && prove_all(&p, end);
  const bool later = test_random_below(r, 2) > 0;   // something is to be proved before it
  for (uint64_t i = later; kind == 2 && !good && i <= 4 * file.segment_count; i++) {
    w.t_hi = i * (ARB_ONE / 4);
    w.before = w.t_hi == end;
    w.pair = test_random_below(r, file.pair_count);
    good = choose_bodies(&p, &w) && arb_prover_contact(&p, &w);
  }
  if (kind == 2 && good) {
    w.t_lo = later ? w.t_hi : 0;
    good = !later;
    for (int i = 0; later && !good && i < 3; i++) {
      w.t_lo /= 4;
      good = prove_all(&p, w.t_lo);
    }
    good = good && (later || prove_all(&p, 0));
  }
  if (good) {
    put_head(certificate, &file, problem, &w);
    arb_bytes_put(certificate, p.ops.data, p.ops.size);
  }
  arb_bytes_free(&p.ops);
  arb_file_free(&file);
  return good;
}

void arb_cell_make(
  test_random_t * r, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate)
{
  bool good = false;
  while (!good) {
    *problem = arb_cell_problem(r, test_random_below(r, 2) ? ARB_CELL_NEAR : ARB_CELL_FAR);
    *certificate = (arb_bytes_t) {NULL, 0, 0};
    good = arb_cell_prove(r, problem, kind, certificate);
    if (!good) {
      arb_bytes_free(problem);
    }
  }
}

#else
typedef int arb_prover_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
