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

#include <math.h>
#include <time.h>

#include "base/error.h"
#include "check/checker.h"
#include "check/reuse.h"
#include "check/sharpen.h"
#include "check/verdict.h"

/* Times at which a contact is looked for where something stayed open. */
#define LOOKS_EVEN 17
#define LOOKS_NEAR 16

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int64_t check_now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double check_seconds(const vouch_checker_t * c, search_time_t time, kernel_rounded_t rounded)
{
  return kernel_seconds(
    c->build.problem.motion.seconds + time.segment, search_time_fraction(time), rounded);
}

void check_prepare(
  const vouch_checker_t * c, check_worker_t * worker, search_mode_t mode, int64_t deadline_ns,
  bool record)
{
  kernel_proof_t * proof = worker->proof;
  worker->search = (search_t) {.proof = proof, .mode = mode, .method = c->options.method,
    .max_depth = c->options.max_depth, .seen = worker->seen, .open = worker->open,
    .has_deadline = deadline_ns > 0, .deadline_ns = deadline_ns, .cancel = &c->cancelled,
    .upper = INFINITY,
    .resolution = c->options.clearance_resolution_m};
  worker->search.cancelled = worker->search.stopped = atomic_load(&c->cancelled);
  kernel_proof_phase(
    proof, &(kernel_phase_t) {.record = record,
      .mode = mode == SEARCH_CLEARANCE ? KERNEL_MODE_CLEARANCE : KERNEL_MODE_PROOF});
}

static const char * body_name(const vouch_checker_t * c, uint32_t body)
{
  return body == VOUCH_NONE ? "" : c->build.problem.scene.bodies[body].name;
}

/// What the workers left open, in the order of the pairs: each worker went through its pairs in that
/// order and kept its first SEARCH_MAX_OPEN, so the first so many of all are there, whoever had them.
static void merge_open(vouch_checker_t * c)
{
  size_t next[CHECK_MAX_WORKERS] = {0};
  for (int i = 0; i < SEARCH_MAX_OPEN; i++) {
    const search_open_t * first = NULL;
    uint32_t owner = 0;
    for (uint32_t w = 0; w < c->worker_count; w++) {
      const search_t * s = &c->workers[w].search;
      bool left = next[w] < s->open_entries && next[w] < SEARCH_MAX_OPEN;
      if (left && (first == NULL || s->open[next[w]].pair < first->pair)) {
        first = &s->open[next[w]];
        owner = w;
      }
    }
    if (first == NULL) {
      return;
    }
    next[owner]++;
    c->open[c->open_count++] = (vouch_open_t) {.a = body_name(c, first->body_a),
      .b = body_name(c, first->body_b), .begin_s = first->begin_s, .end_s = first->end_s,
      .distance_m = first->distance, .reason = first->reason};
  }
}

static void collect_open(vouch_checker_t * c)
{
  size_t open = 0;
  for (uint32_t w = 0; w < c->worker_count; w++) {
    open += c->workers[w].search.open_entries;
  }
  if (open > 0) {   // a proof leaves nothing open, and clearing the places costs as much as a goal
    merge_open(c);
  }
}

/// Pairs that were not reached before the search was stopped are open as a whole.
static void add_untouched(vouch_checker_t * c)
{
  const vouch_problem_t * problem = &c->build.problem;
  bool stopped = false;
  vouch_open_reason_t reason = VOUCH_OPEN_DEADLINE;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    const search_t * s = &c->workers[i].search;
    stopped = stopped || s->stopped;
    reason = s->stopped && s->cancelled ? VOUCH_OPEN_CANCELLED : reason;
  }
  for (uint32_t i = 0; stopped && i < problem->scene.pair_count; i++) {
    const vouch_pair_t * pair = &problem->scene.pairs[i];
    if (!c->pairs[i].worked && pair->a < problem->scene.body_count &&
      c->open_count < SEARCH_MAX_OPEN)
    {
      c->open[c->open_count++] = (vouch_open_t) {.a = body_name(c, pair->a),
        .b = pair->kind == VOUCH_PAIR_GROUP ? "" : body_name(c, pair->b),
        .begin_s = problem->motion.seconds[0],
        .end_s = problem->motion.seconds[problem->motion.segment_count], .distance_m = -1.0,
        .reason = reason};
    }
  }
}

static void set_contact(vouch_checker_t * c, vouch_result_t * result)
{
  const search_contact_t * found = &c->contact;
  vouch_contact_t * out = &result->first_collision;
  out->kind = found->kind;
  out->a = body_name(c, found->body_a);
  out->b = body_name(c, found->body_b);
  out->time_s = check_seconds(c, found->time, KERNEL_NEAREST);
  out->segment = found->time.segment;
  out->fraction = search_time_fraction(found->time);
  vec3_store(found->point_a, out->point_a);
  vec3_store(found->point_b, out->point_b);
  out->depth_m = found->depth;
  out->free_until_s =
    c->claims_free_until ? check_seconds(c, c->free_until, KERNEL_DOWN) : 0.0;
  result->free_until_s = out->free_until_s;
  result->verdict = VOUCH_COLLISION;
}

/// Everything before t_lo is closed by the kernel. False: there was no time, nothing has changed.
static bool search_first(vouch_checker_t * c, uint32_t max_depth, int64_t deadline_ns)
{
  check_worker_t * worker = &c->workers[0];
  check_prepare(c, worker, SEARCH_FIRST, deadline_ns, false);
  search_t * s = &worker->search;
  s->max_depth = max_depth;
  search_start_first(s, &c->contact);
  bool complete = true;
  for (uint32_t i = 0; i < c->build.problem.scene.pair_count && complete; i++) {
    s->open_count = s->open_entries = 0;
    complete = search_pair(s, i) != SEARCH_STOPPED;
  }
  c->contact = s->contact;
  if (complete) {
    c->claims_free_until = true;
    c->free_until = s->contact.time;
    if (s->has_stuck && search_time_compare(s->stuck, c->free_until) < 0) {
      c->free_until = s->stuck;
    }
  }
  return complete;
}

/// Phase 2: the earliest contact over all pairs, to 4 * 2^-22 of a segment (the last intervals before a
/// contact stay open); where that is on a screw, as near as rounding lets one see.
static void find_first_contact(vouch_checker_t * c, int64_t deadline_ns)
{
  uint32_t depth = c->options.max_depth;
  if (search_first(c, depth < 22u ? depth : 22u, deadline_ns) && depth >= 22u) {
    search_time_t proved = c->free_until;
    uint32_t fine = check_sharpen(c, &c->workers[0].search);
    if (fine > 0 && search_first(c, fine, deadline_ns) &&
      search_time_compare(c->free_until, proved) < 0)
    {
      c->free_until = proved;   // both were proved: the later one counts
    }
  }
}

/// The proof up to t_lo, written down for the witness file.
static void record_free_until(vouch_checker_t * c, int64_t deadline_ns)
{
  check_worker_t * worker = &c->workers[0];
  check_prepare(c, worker, SEARCH_PROVE, deadline_ns, true);
  if (worker->search.max_depth < c->free_until.depth) {
    worker->search.max_depth = c->free_until.depth;   // as deep as the bracket was narrowed
  }
  kernel_proof_forget(worker->proof);
  kernel_proof_horizon(
    worker->proof, c->free_until.segment, search_time_fraction(c->free_until));
  for (uint32_t i = 0; i < c->build.problem.scene.pair_count; i++) {
    c->pairs[i].worker = 0;
    search_outcome_t outcome = search_pair(&worker->search, i);
    (void)kernel_proof_finish(worker->proof);   // proved up to there, which is not all
    if (outcome != SEARCH_PROVED) {
      c->claims_free_until = false;
      kernel_proof_forget(worker->proof);
      break;
    }
  }
}

/// About `place` segments after the beginning.
static search_time_t time_at(const kernel_timeline_t * t, double place)
{
  uint32_t segments = t->problem->motion.segment_count;
  uint32_t segment = (uint32_t)place < segments ? (uint32_t)place : segments - 1u;
  return (search_time_t) {segment, (uint64_t)((place - (double)segment) * 0x1p22), 22};
}

/// Where something stayed open bodies may only touch there, and run into each other later. Looks at
/// a few times: over the whole motion, and ever nearer to the first open one.
static void look_for_contact(vouch_checker_t * c, int64_t deadline_ns)
{
  check_worker_t * worker = &c->workers[0];
  const search_t before = worker->search;
  const kernel_timeline_t * t = &kernel_view(worker->proof)->timeline;
  double end = (double)c->build.problem.motion.segment_count, open = end;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    const search_t * s = &c->workers[i].search;
    if (s->has_stuck) {
      open = fmin(open, (double)s->stuck.segment + search_time_fraction(s->stuck));
    }
  }
  check_prepare(c, worker, SEARCH_FIRST, deadline_ns, false);
  for (int i = 0; i < LOOKS_EVEN + LOOKS_NEAR && c->contact.kind == VOUCH_CONTACT_NONE; i++) {
    search_time_t time = time_at(
      t, i < LOOKS_EVEN ? end * i / (LOOKS_EVEN - 1) :
      open + ldexp(end - open, LOOKS_EVEN - 1 - i));
    kernel_timeline_evaluate(t, time.segment, search_time_fraction(time), c->poses);
    for (uint32_t k = 0; k < c->build.problem.scene.pair_count; k++) {
      search_contact_t contact;
      if (c->pairs[k].worked && c->pairs[k].outcome == SEARCH_OPEN &&
        search_contact_at(&worker->search, k, c->poses, time, &contact))
      {
        c->contact = contact;
        break;
      }
    }
  }
  worker->search = before;
}

static bool may_touch(const vouch_checker_t * c, uint32_t pair)
{
  return c->build.problem.scene.pairs[pair].margin < 0.0;
}

/// Every pair more than upper - resolution apart; false: something stayed open.
static bool prove_clearance(const vouch_checker_t * c, search_t * s, bool proved_free)
{
  const uint32_t pairs = c->build.problem.scene.pair_count;
  kernel_proof_phase(
    s->proof, &(kernel_phase_t) {.mode = KERNEL_MODE_CLEARANCE, .proved_free = proved_free,
      .distance = fmax(0.0, (isfinite(s->upper) ? s->upper : 1.0) - s->resolution)});
  s->open_count = s->open_entries = 0;
  bool complete = true;
  for (uint32_t i = 0; i < pairs && complete; i++) {
    complete = may_touch(c, i) || search_pair(s, i) == SEARCH_PROVED;
  }
  return complete;
}

/// Phase 3: [lower, upper] of the smallest distance, by proving "more than upper - resolution".
static void find_clearance(vouch_checker_t * c, vouch_result_t * result, int64_t deadline_ns)
{
  check_worker_t * worker = &c->workers[0];
  check_prepare(c, worker, SEARCH_CLEARANCE, deadline_ns, false);
  search_t * s = &worker->search;
  const kernel_view_t * p = kernel_view(worker->proof);
  const bool proved_free = result->verdict == VOUCH_FREE;
  uint32_t pairs = c->build.problem.scene.pair_count;
  for (int i = 0; i < 9; i++) {
    search_time_t time = time_at(
      &p->timeline, (double)i / 8.0 * (double)c->build.problem.motion.segment_count);
    kernel_timeline_evaluate(&p->timeline, time.segment, search_time_fraction(time), c->poses);
    for (uint32_t k = 0; k < pairs; k++) {
      if (!may_touch(c, k)) {
        search_distance_at(s, k, c->poses, time);
      }
    }
  }
  bool complete = prove_clearance(c, s, proved_free);
  for (int i = 0; i < 4 && !complete && !s->stopped; i++) {
    s->resolution *= 10.0;   // finer than what can be decided here: say less, but say it
    complete = prove_clearance(c, s, proved_free);
  }
  vouch_clearance_t * out = &result->clearance;
  out->valid = isfinite(s->upper);
  /* Of pairs that were not looked at nothing is known. */
  double lower = complete && c->build.unsupported_count == 0 ? fmin(p->lower, s->upper) : 0.0;
  bool free = result->verdict == VOUCH_FREE;
  out->lower_m = fmax(0.0, fmax(lower, free ? fmin(result->least_margin_m, s->upper) : 0.0));
  out->upper_m = s->upper;
  if (out->valid) {
    const vouch_pair_t * pair = &c->build.problem.scene.pairs[s->upper_pair];
    out->a = body_name(c, pair->a);
    out->b = body_name(c, s->upper_body_b);
    out->time_s = check_seconds(c, s->upper_time, KERNEL_NEAREST);
    out->segment = s->upper_time.segment;
    out->fraction = search_time_fraction(s->upper_time);
    vec3_store(s->upper_a, out->point_a);
    vec3_store(s->upper_b, out->point_b);
  }
  result->statistics.distance_queries += s->distance_queries;
}

static size_t count_embedded(const vouch_checker_t * c)
{
  size_t count = 0;
  for (size_t i = 0; i < c->static_count; i++) {
    count += check_is_embedded(&c->statics[i]);
  }
  return count;
}

void check_proofs(const vouch_checker_t * c, kernel_proof_t ** proofs)
{
  for (uint32_t i = 0; i < c->worker_count; i++) {
    proofs[i] = c->workers[i].proof;
  }
}

/// Behind the lowest pair with a contact it depends on the threads what was worked on: not counted.
static void collect(vouch_checker_t * c, vouch_result_t * result)
{
  uint32_t pairs = c->contact.kind != VOUCH_CONTACT_NONE ? c->contact.pair + 1u :
    c->build.problem.scene.pair_count;
  for (uint32_t i = 0; i < pairs; i++) {
    result->statistics.leaves += c->pairs[i].leaves;
    result->statistics.certificate_bytes += check_stretch(c, i).size;
    result->statistics.chord_tests += c->pairs[i].tests;
    result->statistics.distance_queries += c->pairs[i].distance_queries;
  }
  collect_open(c);
  if (c->worker_count == 1u) {   // several workers evaluate some configurations twice
    result->statistics.configurations =
      kernel_view(c->workers[0].proof)->timeline.configuration_count;
  }
  add_untouched(c);
  for (size_t i = 0; i < c->build.unsupported_count && c->open_count < SEARCH_MAX_OPEN; i++) {
    c->open[c->open_count++] = (vouch_open_t) {
      .a = body_name(c, c->build.unsupported[i].a), .b = body_name(c, c->build.unsupported[i].b),
      .end_s = c->build.problem.motion.seconds[c->build.problem.motion.segment_count],
      .distance_m = -1.0, .reason = VOUCH_OPEN_UNSUPPORTED
    };
  }
  for (size_t i = 0; i < c->static_count && c->open_count < SEARCH_MAX_OPEN; i++) {
    if (check_is_embedded(&c->statics[i])) {
      c->open[c->open_count++] = (vouch_open_t) {.a = c->statics[i].a, .b = c->statics[i].b,
        .end_s = c->build.problem.motion.seconds[c->build.problem.motion.segment_count],
        .distance_m = -1.0, .reason = VOUCH_OPEN_EMBEDDED};
    }
  }
}

/// Everything before the earliest open interval is proved, unless the search was cut short.
static double undecided_until(const vouch_checker_t * c)
{
  double until = INFINITY;
  size_t open = 0;
  bool stopped = false;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    open += c->workers[i].search.open_entries;
    stopped = stopped || c->workers[i].search.stopped;
  }
  if (stopped || open > SEARCH_MAX_OPEN) {
    return 0.0;
  }
  for (size_t i = 0; i < c->open_count; i++) {
    until = fmin(until, c->open[i].begin_s);
  }
  return isfinite(until) && c->build.problem.scene.pair_count > 0 ? until : 0.0;
}

vouch_ret_t check_run(vouch_checker_t * c, vouch_result_t * result)
{
  int64_t begin = check_now_ns();
  result->may_touch = c->may_touch;
  result->least_margin_m = c->least_margin;
  bool brief = check_stays(c);   // asking costs as much as the work
  double cpu = brief ? 0.0 : cpu_seconds();
  int64_t deadline =
    c->options.deadline_s > 0.0 ? begin + (int64_t)(c->options.deadline_s * 1e9) : 0;
  c->open_count = 0;
  c->claims_free_until = false;
  vouch_ret_t ret = check_prove_pairs(c, deadline);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  collect(c, result);
  if (c->contact.kind == VOUCH_CONTACT_NONE && c->open_count > 0) {
    look_for_contact(c, deadline);
  }
  bool contact = c->contact.kind != VOUCH_CONTACT_NONE;
  if (contact) {
    if (c->options.first_contact) {
      find_first_contact(c, deadline);
    }
    if (c->options.certificate && c->claims_free_until) {
      record_free_until(c, deadline);
    }
    c->open_count = 0;
    set_contact(c, result);
  } else if (count_embedded(c) > 0 || !check_conclude_free(c, result)) {
    result->free_until_s = undecided_until(c);
  }
  if (c->options.clearance && (!contact || c->contact.kind == VOUCH_CONTACT_MARGIN) &&
    c->build.problem.scene.pair_count > 0)
  {
    find_clearance(c, result, deadline);
  }
  result->open = c->open;
  result->open_count = c->open_count;
  result->statics = c->statics;
  result->static_count = c->static_count;
  result->statistics.pairs = vouch_checker_pair_count(c);
  result->statistics.seconds = 1e-9 * (double)(check_now_ns() - begin);
  result->statistics.cpu_seconds = brief ? result->statistics.seconds : cpu_seconds() - cpu;
  c->verdict = result->verdict;
  c->checked = true;
  return VOUCH_RET_OK;
}
