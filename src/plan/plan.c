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

/* vouch_plan(): one request. */

#include <stdio.h>

#include "base/error.h"
#include "plan/planner.h"

/// The goals that can be had, as roots of a tree.
typedef struct goals_s
{
  plan_path_t roots;      // one point each
  size_t * numbers;       // of the request
} goals_t;

static void find_moving(
  const vouch_planner_t * p, const vouch_plan_request_t * request, bool * moving)
{
  const size_t count = p->robot->variable_count;
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    moving[i] = request->moving != NULL && request->moving[i];
    for (size_t g = 0; g < request->goal_count && request->moving == NULL; g++) {
      moving[i] = moving[i] || request->goals[g * count + i] != request->start[i];
    }
    any = any || moving[i];
  }
  for (size_t i = 0; i < count && !any; i++) {
    moving[i] = true;   // it is there already
  }
}

static vouch_ret_t check_goal_numbers(
  const vouch_planner_t * p, const vouch_plan_request_t * request, const bool * moving)
{
  const size_t count = p->robot->variable_count;
  for (size_t i = 0; i < request->goal_count * count; i++) {
    const char * name = vouch_robot_variable_name(p->robot, i % count);
    if (!(fabs(request->goals[i]) <= 65536.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "goal %zu says %g for joint '%s': a goal must say where every joint is",
        i / count + 1u, request->goals[i], name);
    }
    if (!moving[i % count] && fabs(request->goals[i] - request->start[i % count]) > 1e-9) {
      return vouch_fail(
        VOUCH_RET_INVALID, "goal %zu moves joint '%s', which is not to move", i / count + 1u, name);
    }
  }
  return VOUCH_RET_OK;
}

/// A goal; and the same with one endless joint the other way round.
static bool add_roots(
  const plan_space_t * s, const double * start, const double * goal, size_t number, goals_t * goals)
{
  double q[PLAN_MAX_JOINTS];
  bool fine = true;
  for (uint32_t i = 0; i <= s->count && fine; i++) {
    if (i > 0 && !s->endless[i - 1u]) {
      continue;
    }
    memcpy(q, goal, s->count * sizeof(*q));
    if (i > 0) {
      q[i - 1u] += q[i - 1u] > start[i - 1u] ? -6.283185307179586 : 6.283185307179586;
    }
    goals->numbers[goals->roots.count] = number;
    fine = plan_path_add(&goals->roots, q);
  }
  return fine;
}

/// Those goals that are within limits and free; if there is none, the result says why of the first.
static vouch_ret_t find_roots(
  vouch_planner_t * p, const vouch_plan_request_t * request, const double * start,
  goals_t * goals, vouch_plan_result_t * result)
{
  vouch_plan_result_t first = *result;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t g = 0; g < request->goal_count && ret == VOUCH_RET_OK; g++) {
    double q[PLAN_MAX_JOINTS];
    char what[48] = "the goal";
    vouch_plan_result_t answer = {0};
    if (request->goal_count > 1u) {
      snprintf(what, sizeof(what), "goal %zu", g + 1u);
    }
    plan_reduce(&p->space, request->goals + g * p->robot->variable_count, q);
    plan_nearest_turn(&p->space, start, q);
    ret = plan_check_end(p, q, what, true, &answer);
    if (ret == VOUCH_RET_OK && answer.verdict == VOUCH_FREE) {
      ret = add_roots(&p->space, start, q, g, goals) ? ret : VOUCH_RET_NO_MEMORY;
    } else if (first.reason == VOUCH_PLAN_NONE) {
      first = answer;
      first.goal = g;
    }
  }
  if (ret == VOUCH_RET_OK && goals->roots.count == 0) {
    *result = first;
  }
  return ret;
}

/// One path, made shorter, faster, and proved. *found: what came of the search.
static vouch_ret_t search_once(
  vouch_planner_t * p, const double * start, const goals_t * goals, vouch_plan_result_t * result,
  plan_found_t * found)
{
  const plan_search_t search = {.ask = &p->ask, .random = &p->random,
    .step = plan_step(p), .max_nodes = p->options.max_nodes};
  plan_path_t path = {.allocator = p->allocator, .joints = p->space.count};
  const plan_roots_t roots = {goals->roots.values, goals->roots.count};
  size_t root = 0;
  bool proved = false;
  *found = plan_search(&search, start, roots, &path, &root);
  vouch_ret_t ret = *found == PLAN_NO_MEMORY ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (*found == PLAN_FOUND) {
    if (p->statistics.paths++ == 0) {
      p->statistics.first_seconds = plan_ask_seconds(&p->ask);
      p->statistics.first_cpu_seconds = plan_ask_cpu_seconds(&p->ask);
      p->statistics.first_length = plan_path_length(&path, &p->space);
    }
    size_t last = path.count - 1u;
    bool fine = plan_path_shorten(&path, &p->ask, &p->random, 0, &last, p->options.shortcuts);
    plan_path_tidy(&path, &p->space);
    fine = fine && (!p->options.timed || plan_cut_corners(p, &path, 0, path.count - 1u));
    ret = fine ? plan_prove(p, &path, &result->proof, &proved) : VOUCH_RET_NO_MEMORY;
  }
  if (ret == VOUCH_RET_OK && proved) {
    if (p->best.motion == NULL) {
      p->statistics.proved_seconds = plan_ask_seconds(&p->ask);
      p->statistics.proved_cpu_seconds = plan_ask_cpu_seconds(&p->ask);
    }
    const vouch_motion_t * before = p->best.motion;
    ret = plan_keep_better(p, &path) ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
    if (p->best.motion != before) {
      result->goal = goals->numbers[root];
    } else {
      result->proof.verdict = VOUCH_UNDECIDED;   // it is about the trial
    }
  } else {
    result->proof.verdict = VOUCH_UNDECIDED;   // the checker holds no proof of the best one now
  }
  plan_path_fini(&path);
  return ret;
}

static void tell_failure(
  const vouch_planner_t * p, plan_found_t found, vouch_plan_result_t * result)
{
  const char * paths = p->statistics.paths > 0 ?
    "; paths were found, but none was proved as the controller would execute it" : "";
  if (found == PLAN_STOPPED && p->options.deadline_s > 0.0 &&
    plan_ask_seconds(&p->ask) >= p->options.deadline_s)
  {
    plan_refuse(
      result, VOUCH_UNDECIDED, VOUCH_PLAN_DEADLINE,
      "no motion was proved within %g s (%llu nodes, %llu edges asked about)%s",
      p->options.deadline_s, (unsigned long long)p->statistics.nodes,
      (unsigned long long)p->statistics.edges, paths);
  } else if (found == PLAN_STOPPED) {
    plan_refuse(result, VOUCH_UNDECIDED, VOUCH_PLAN_CANCELLED, "planning was cancelled%s", paths);
  } else if (p->statistics.paths > 0) {
    plan_refuse(
      result, VOUCH_UNDECIDED, VOUCH_PLAN_UNPROVED, "%llu paths were found, but none was proved as "
      "the controller would execute it", (unsigned long long)p->statistics.paths);
  } else {
    plan_refuse(
      result, VOUCH_UNDECIDED, VOUCH_PLAN_NODES, "no path was found with %u nodes; that does not "
      "mean that there is none", p->options.max_nodes);
  }
}

/* Paths that cannot be proved are searched for again, as often as that. */
enum {MAX_FAILURES = 20};

static vouch_ret_t search_all(
  vouch_planner_t * p, const double * start, const goals_t * goals, vouch_plan_result_t * result)
{
  plan_found_t found = PLAN_FOUND;
  vouch_ret_t ret = VOUCH_RET_OK;
  uint32_t failures = 0;
  for (uint32_t i = 0; i < p->options.rounds + failures && ret == VOUCH_RET_OK; i++) {
    ret = search_once(p, start, goals, result, &found);
    if (found != PLAN_FOUND || plan_ask_stopped(&p->ask)) {
      break;
    }
    failures += p->best.motion == NULL && failures < MAX_FAILURES;
  }
  ret = ret ? ret : p->ask.ret;
  if (ret == VOUCH_RET_OK && p->best.motion == NULL) {
    tell_failure(p, plan_ask_stopped(&p->ask) ? PLAN_STOPPED : found, result);
  }
  return ret;
}

static vouch_ret_t plan_between_ends(
  vouch_planner_t * p, const vouch_plan_request_t * request, vouch_plan_result_t * result)
{
  double start[PLAN_MAX_JOINTS];
  goals_t goals = {.roots = {.allocator = p->allocator, .joints = p->space.count}};
  plan_reduce(&p->space, request->start, start);
  goals.numbers = vouch_calloc(
    &p->allocator, request->goal_count * (p->space.count + 1u), sizeof(*goals.numbers));
  vouch_ret_t ret = goals.numbers == NULL ? VOUCH_RET_NO_MEMORY :
    plan_check_end(p, start, "the start", false, result);
  if (ret == VOUCH_RET_OK && result->verdict == VOUCH_FREE) {
    ret = find_roots(p, request, start, &goals, result);
  }
  if (ret == VOUCH_RET_OK && result->verdict == VOUCH_FREE) {
    result->verdict = VOUCH_UNDECIDED;
    plan_reach_start(p, start);
    plan_span(p, start, goals.roots.values, goals.roots.count);
    ret = search_all(p, start, &goals, result);
  }
  vouch_free(&p->allocator, goals.numbers);
  plan_path_fini(&goals.roots);
  return ret;
}

vouch_ret_t vouch_plan(
  vouch_planner_t * p, const vouch_plan_request_t * request, vouch_plan_result_t * result)
{
  VOUCH_REQUIRE("result", result);
  *result = (vouch_plan_result_t) {.verdict = VOUCH_UNDECIDED};
  VOUCH_REQUIRE("planner, request", p, request);
  VOUCH_REQUIRE("request->start, request->goals", request->start, request->goals);
  plan_begin(p, result);
  if (request->goal_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "a plan needs a goal, and none is given");
  }
  bool * moving = vouch_calloc(&p->allocator, p->robot->variable_count + 1u, sizeof(*moving));
  if (moving == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  find_moving(p, request, moving);
  vouch_ret_t ret = check_goal_numbers(p, request, moving);
  ret = ret ? ret : plan_prepare(p, request->start, moving);
  vouch_free(&p->allocator, moving);
  ret = ret ? ret : plan_between_ends(p, request, result);
  ret = ret ? ret : plan_finish(p, result);
  if (ret != VOUCH_RET_OK) {
    result->verdict = VOUCH_UNDECIDED;
  }
  return ret;
}
