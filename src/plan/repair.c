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

/* vouch_repair(): what is proved of a motion stays; each stretch that is not is replaced by a detour
 * between its ends, looked for close to the old way first, and further away only then. */

#include "base/error.h"
#include "model/motion.h"
#include "model/problem.h"
#include "plan/planner.h"

/* A curve of the old motion is taken for chords that are nowhere further from it than this, in rad. */
static const double CHORD = 0.005;
enum {MAX_CHORDS = 64, PREFIX_HALVINGS = 4, MAX_TRIES = 5, SAMPLES = 16};

/// How far around the old way is looked, and with how many nodes and samples, before looking further.
static const struct {double deviation, share; uint32_t nodes;} LADDER[] = {
  {0.1, 1.0, 200}, {0.25, 1.0, 600}, {0.6, 0.8, 2000}, {1.2, 0.5, 6000}
};

typedef struct repair_s
{
  vouch_planner_t * planner;
  plan_path_t old;        // the motion as it was
  plan_path_t path;       // what becomes of it
  bool * proved;          // per edge of `old`
  double kept;            // length of the edges that stay
} repair_t;

/* ---- the old motion as a path ---- */

static void find_moving(const vouch_motion_t * m, bool * moving)
{
  const size_t count = m->robot->variable_count;
  bool any = false;
  for (uint32_t k = 0; k < m->segment_count; k++) {
    const uint32_t size = m->degrees[k] + 1u;
    for (size_t i = 0; i < count * size; i++) {
      const size_t variable = i / size;
      moving[variable] = moving[variable] ||
        m->coefficients[m->offsets[k] + i] != m->coefficients[m->offsets[0] +
          variable * (m->degrees[0] + 1u)];
      any = any || moving[variable];
    }
  }
  for (size_t i = 0; i < count && !any; i++) {
    moving[i] = true;
  }
}

/// The smallest group that has them all becomes what moves. false: there is none.
static bool widen_to_group(const vouch_robot_t * robot, bool * moving)
{
  const size_t count = robot->variable_count;
  const bool * best = NULL;
  size_t best_size = SIZE_MAX;
  for (size_t g = 0; g < robot->group_count; g++) {
    const bool * members = &robot->group_members[g * count];
    size_t size = 0;
    bool all = true;
    for (size_t i = 0; i < count; i++) {
      size += members[i];
      all = all && (members[i] || !moving[i]);
    }
    if (all && size < best_size) {
      best = members;
      best_size = size;
    }
  }
  if (best != NULL) {
    memcpy(moving, best, count * sizeof(*moving));
  }
  return best != NULL;
}

static bool carries(const vouch_robot_t * robot, size_t above, size_t below)
{
  uint32_t link = robot->joints[robot->variables[below]].parent;
  while (link != 0u && link - 1u != robot->variables[above]) {
    link = robot->joints[link - 1u].parent;
  }
  return link != 0u;
}

/// Joints that the old motion keeps still may have to move to get round something.
static void widen(const vouch_robot_t * robot, bool * moving, bool * scratch)
{
  const size_t count = robot->variable_count;
  if (widen_to_group(robot, moving)) {
    return;
  }
  memcpy(scratch, moving, count * sizeof(*moving));
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < count; k++) {
      moving[i] = moving[i] || (scratch[k] && (carries(robot, i, k) || carries(robot, k, i)));
    }
  }
}

/// As many chords as the second derivative asks for.
static uint32_t chords_of(const vouch_planner_t * p, const vouch_motion_t * m, uint32_t segment)
{
  const uint32_t degree = m->degrees[segment];
  double bend = 0.0;
  for (uint32_t i = 0; i < p->space.count; i++) {
    const double * b =
      &m->coefficients[m->offsets[segment] + p->space.variables[i] * (degree + 1u)];
    for (uint32_t k = 0; k + 2u <= degree; k++) {
      bend = fmax(bend, p->space.weights[i] * fabs(b[k + 2u] - 2.0 * b[k + 1u] + b[k]));
    }
  }
  bend *= degree * (degree - 1.0);
  return (uint32_t)fmin(MAX_CHORDS, fmax(1.0, ceil(sqrt(bend / (8.0 * CHORD)))));
}

static vouch_ret_t take_path(repair_t * r, const vouch_motion_t * m)
{
  const plan_space_t * s = &r->planner->space;
  double * values = vouch_calloc(
    &r->planner->allocator, s->robot->variable_count + 1u, sizeof(*values));
  double q[PLAN_MAX_JOINTS];
  bool fine = values != NULL;
  for (uint32_t k = 0; k < m->segment_count && fine; k++) {
    const uint32_t chords = chords_of(r->planner, m, k);
    for (uint32_t i = k == 0 ? 0u : 1u; i <= chords && fine; i++) {
      const double f = (double)i / chords;
      vouch_motion_evaluate(
        m, i == chords ? m->seconds[k + 1u] : m->seconds[k] + f *
        (m->seconds[k + 1u] - m->seconds[k]), values);
      plan_reduce(s, values, q);
      if (!(k == 0 && i == 0) && !(k + 1u == m->segment_count && i == chords)) {
        for (uint32_t j = 0; j < s->count; j++) {
          q[j] = s->endless[j] ? q[j] : fmin(fmax(q[j], s->lower[j]), s->upper[j]);
        }
      }
      fine = plan_path_add(&r->old, q);
    }
  }
  vouch_free(&r->planner->allocator, values);
  return fine ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- one stretch ---- */

typedef struct gap_s
{
  double begin[PLAN_MAX_JOINTS], end[PLAN_MAX_JOINTS];
  plan_path_t way;      // the old one between them
} gap_t;

/// How much of the edge from a to b can be gone from a, less some room for turning off.
static double proved_part(plan_ask_t * ask, const double * a, const double * b)
{
  double q[PLAN_MAX_JOINTS], low = 0.0, high = 1.0;
  for (int i = 0; i < PREFIX_HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    plan_between(ask->space, a, b, middle, q);
    *(plan_ask_edge(ask, a, q) ? &low : &high) = middle;
  }
  return fmax(0.0, low - 0.0625);
}

/// From the last point that is kept to the first one that is kept again, or (near) from as far along
/// the old way as it goes to as far back.
static bool make_gap(repair_t * r, size_t from, size_t to, bool near, gap_t * gap)
{
  const plan_space_t * s = &r->planner->space;
  plan_ask_t * ask = &r->planner->ask;
  const double * a = plan_path_at(&r->old, from), * b = plan_path_at(&r->old, to);
  gap->way.count = 0;
  memcpy(gap->begin, a, s->count * sizeof(*a));
  memcpy(gap->end, b, s->count * sizeof(*b));
  if (near) {
    const double * next = plan_path_at(&r->old, from + 1u);
    const double * before = plan_path_at(&r->old, to - 1u);
    const double x = proved_part(ask, a, next), y = proved_part(ask, b, before);
    if (to > from + 1u || x + y < 0.9) {
      plan_between(s, a, next, x, gap->begin);
      plan_between(s, b, before, y, gap->end);
    }
  }
  bool fine = plan_path_add(&gap->way, gap->begin);
  for (size_t i = from + 1u; i < to && fine; i++) {
    fine = plan_path_add(&gap->way, plan_path_at(&r->old, i));
  }
  return fine && plan_path_add(&gap->way, gap->end);
}

static plan_found_t look_around(
  repair_t * r, const gap_t * gap, size_t rung, plan_path_t * detour)
{
  vouch_planner_t * p = r->planner;
  const bool last = rung >= sizeof(LADDER) / sizeof(LADDER[0]);
  plan_search_t search = {.ask = &p->ask, .random = &p->random, .step = plan_step(p),
    .max_nodes = p->options.max_nodes};
  size_t goal = 0;
  if (!last) {
    search.near = (plan_near_t) {&gap->way, LADDER[rung].deviation, LADDER[rung].share};
    search.max_nodes = LADDER[rung].nodes;
    search.max_samples = LADDER[rung].nodes;
    search.step = fmin(search.step, 2.0 * LADDER[rung].deviation + 0.1);
  }
  detour->count = 0;
  return plan_search(&search, gap->begin, (plan_roots_t) {gap->end, 1}, detour, &goal);
}

/// A detour in the place of the edges from `from` to `to`. *found false: there was none.
static vouch_ret_t go_round(repair_t * r, size_t from, size_t to, bool * found)
{
  vouch_planner_t * p = r->planner;
  const size_t rungs = sizeof(LADDER) / sizeof(LADDER[0]);
  plan_path_t detour = {.allocator = p->allocator, .joints = p->space.count};
  gap_t gap = {.way = {.allocator = p->allocator, .joints = p->space.count}};
  plan_found_t outcome = PLAN_FULL;
  bool fine = true;
  for (size_t rung = 0; rung <= rungs && outcome == PLAN_FULL && fine; rung++) {
    if (rung == 0 || rung == rungs - 1u) {
      fine = make_gap(r, from, to, rung == 0, &gap);
    }
    outcome = fine ? look_around(r, &gap, rung, &detour) : PLAN_NO_MEMORY;
  }
  *found = outcome == PLAN_FOUND;
  if (*found) {
    size_t last = detour.count - 1u;
    fine = plan_path_shorten(
      &detour, &p->ask, &p->random, 0, &last, p->options.shortcuts) &&
      plan_path_replace(&r->path, from + 1u, to, detour.values, detour.count);
  }
  plan_path_fini(&detour);
  plan_path_fini(&gap.way);
  return fine && outcome != PLAN_NO_MEMORY ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- all of them ---- */

/// From the back, so that points before a detour keep their numbers.
static vouch_ret_t go_round_all(repair_t * r, bool * found)
{
  vouch_ret_t ret = plan_path_copy(&r->path, &r->old) ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  const plan_space_t * s = &r->planner->space;
  *found = true;
  r->kept = 0.0;
  for (size_t end = r->old.count - 1u; end > 0 && ret == VOUCH_RET_OK && *found; ) {
    if (r->proved[end - 1u]) {
      r->kept += plan_distance(s, plan_path_at(&r->old, end - 1u), plan_path_at(&r->old, end));
      end--;
      continue;
    }
    size_t begin = end - 1u;
    while (begin > 0 && !r->proved[begin - 1u]) {
      begin--;
    }
    ret = go_round(r, begin, end, found);
    end = begin;
  }
  return ret;
}

/// The longest way from a point of the new path to the old one.
static double deviation_of(const repair_t * r, const plan_path_t * path)
{
  const plan_space_t * s = &r->planner->space;
  double q[PLAN_MAX_JOINTS], worst = 0.0;
  for (size_t i = 1; i < path->count; i++) {
    for (int k = 0; k < SAMPLES; k++) {
      plan_between(
        s, plan_path_at(path, i - 1u), plan_path_at(path, i), (double)k / SAMPLES, q);
      worst = fmax(worst, plan_path_distance(&r->old, s, q));
    }
  }
  return worst;
}

static vouch_ret_t try_repair(repair_t * r, vouch_plan_result_t * result, bool * proved)
{
  vouch_planner_t * p = r->planner;
  bool found;
  *proved = false;
  vouch_ret_t ret = go_round_all(r, &found);
  if (ret != VOUCH_RET_OK || !found) {
    return ret;
  }
  if (p->statistics.paths++ == 0) {
    p->statistics.first_seconds = plan_ask_seconds(&p->ask);
    p->statistics.first_cpu_seconds = plan_ask_cpu_seconds(&p->ask);
    p->statistics.first_length = plan_path_length(&r->path, &p->space);
  }
  ret = plan_prove(p, &r->path, &result->proof, proved);
  if (ret == VOUCH_RET_OK && *proved) {
    p->statistics.proved_seconds = plan_ask_seconds(&p->ask);
    p->statistics.proved_cpu_seconds = plan_ask_cpu_seconds(&p->ask);
    ret = plan_keep_better(p, &r->path) ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
    const double whole = plan_path_length(&r->old, &p->space);
    result->kept = whole > 0.0 ? r->kept / whole : 0.0;
    result->deviation = deviation_of(r, &p->way);
  }
  return ret;
}

static vouch_ret_t repair_between_ends(repair_t * r, vouch_plan_result_t * result)
{
  vouch_planner_t * p = r->planner;
  const size_t edges = r->old.count - 1u;
  r->proved = vouch_calloc(&p->allocator, edges + 1u, sizeof(*r->proved));
  if (r->proved == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < edges; i++) {
    r->proved[i] = plan_ask_edge(&p->ask, plan_path_at(&r->old, i), plan_path_at(&r->old, i + 1u));
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  bool proved = false;
  for (int i = 0; i < MAX_TRIES && ret == VOUCH_RET_OK && !proved; i++) {
    ret = plan_ask_stopped(&p->ask) ? VOUCH_RET_OK : try_repair(r, result, &proved);
  }
  if (ret == VOUCH_RET_OK && !proved) {
    const bool late = plan_ask_stopped(&p->ask);
    plan_refuse(
      result, VOUCH_UNDECIDED, late ? VOUCH_PLAN_DEADLINE : VOUCH_PLAN_UNPROVED,
      late ? "no repaired motion was proved in time" :
      "no way round was found that is proved as the controller would execute it");
  }
  return ret;
}

/// Ends that a repair cannot change.
static vouch_ret_t check_ends(repair_t * r, vouch_plan_result_t * result)
{
  const plan_path_t * old = &r->old;
  vouch_ret_t ret = plan_check_end(
    r->planner, plan_path_at(old, 0), "the trajectory's start", false, result);
  return ret != VOUCH_RET_OK || result->verdict != VOUCH_FREE ? ret : plan_check_end(
    r->planner, plan_path_at(old, old->count - 1u), "the trajectory's end", true, result);
}

static vouch_ret_t repair_motion(
  repair_t * r, const vouch_motion_t * motion, vouch_plan_result_t * result)
{
  vouch_planner_t * p = r->planner;
  r->old = r->path = (plan_path_t) {.allocator = p->allocator, .joints = p->space.count};
  vouch_ret_t ret = take_path(r, motion);
  ret = ret ? ret : check_ends(r, result);
  if (ret == VOUCH_RET_OK && result->verdict == VOUCH_FREE) {
    result->verdict = VOUCH_UNDECIDED;
    result->changed = true;
    plan_reach_start(p, plan_path_at(&r->old, 0));
    plan_span(p, r->old.values, r->old.values, r->old.count);
    ret = repair_between_ends(r, result);
  }
  vouch_free(&p->allocator, r->proved);
  plan_path_fini(&r->old);
  plan_path_fini(&r->path);
  return ret;
}

/// What the motion needs of the planner: which joints move, and where the others are.
static vouch_ret_t prepare(
  vouch_planner_t * p, const vouch_motion_t * motion, const bool * wanted)
{
  const size_t count = p->robot->variable_count;
  bool * moving = vouch_calloc(&p->allocator, 2u * count + 1u, sizeof(*moving));
  double * start = vouch_calloc(&p->allocator, count + 1u, sizeof(*start));
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (moving != NULL && start != NULL) {
    vouch_motion_evaluate(motion, motion->seconds[0], start);
    find_moving(motion, moving);
    ret = VOUCH_RET_OK;
    for (size_t i = 0; i < count && wanted != NULL && ret == VOUCH_RET_OK; i++) {
      ret = wanted[i] || !moving[i] ? ret : vouch_fail(
        VOUCH_RET_INVALID, "the motion moves joint '%s', which is not to move",
        vouch_robot_variable_name(p->robot, i));
      moving[i] = wanted[i];
    }
    if (wanted == NULL) {
      widen(p->robot, moving, moving + count);
    }
    ret = ret ? ret : plan_prepare(p, start, moving);
  }
  vouch_free(&p->allocator, moving);
  vouch_free(&p->allocator, start);
  return ret;
}

vouch_ret_t vouch_repair(
  vouch_planner_t * p, const vouch_motion_t * motion, const bool * moving,
  vouch_plan_result_t * result)
{
  VOUCH_REQUIRE("result", result);
  *result = (vouch_plan_result_t) {.verdict = VOUCH_UNDECIDED};
  VOUCH_REQUIRE("planner, motion", p, motion);
  if (motion->robot != p->robot) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion belongs to another robot than the planner");
  }
  plan_begin(p, result);
  vouch_ret_t ret = prepare(p, motion, moving);
  ret = ret ? ret : plan_ask_proof(&p->ask, motion, &result->proof);
  if (ret == VOUCH_RET_OK && result->proof.verdict == VOUCH_FREE) {
    result->verdict = VOUCH_FREE;
    result->motion = motion;
    result->kept = 1.0;
    p->statistics.seconds = plan_ask_seconds(&p->ask);
    p->statistics.cpu_seconds = plan_ask_cpu_seconds(&p->ask);
    result->statistics = p->statistics;
    return ret;
  }
  repair_t repair = {.planner = p};
  ret = ret ? ret : repair_motion(&repair, motion, result);
  ret = ret ? ret : plan_finish(p, result);
  if (ret != VOUCH_RET_OK) {
    result->verdict = VOUCH_UNDECIDED;
  }
  return ret;
}
