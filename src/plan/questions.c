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

/* What authors of planners ask a checker. */

#include <pthread.h>
#include <stdio.h>

#include "base/error.h"
#include "check/checker.h"
#include "vouch/plan.h"

vouch_check_options_t vouch_check_options_planner(void)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.first_contact = false;
  options.clearance = false;
  options.certificate = false;
  return options;
}

vouch_ret_t vouch_checker_state(
  vouch_checker_t * checker, const double * values, bool distance, vouch_state_answer_t * answer)
{
  vouch_result_t result;
  VOUCH_REQUIRE("answer", answer);
  *answer = (vouch_state_answer_t) {.verdict = VOUCH_UNDECIDED};
  VOUCH_REQUIRE("checker, values", checker, values);
  const vouch_check_options_t options = checker->options;
  checker->options.clearance = distance;
  checker->options.first_contact = false;
  checker->options.certificate = false;
  vouch_ret_t ret = vouch_check_motion(checker, values, values, &result);
  checker->options = options;
  checker->checked = false;   // there is no certificate of this one
  if (ret == VOUCH_RET_OK) {
    answer->verdict = result.verdict;
    answer->contact = result.first_collision;
    answer->clearance = result.clearance;
  }
  return ret;
}

/* ---- many edges ---- */

typedef struct batch_s
{
  const vouch_edge_t * edges;
  size_t count;
  bool all;
  vouch_verdict_t * verdicts;
  atomic_size_t next;
  atomic_size_t first;       // of those that are not free; count: none so far
  atomic_bool failed;
} batch_t;

typedef struct batch_thread_s
{
  batch_t * batch;
  vouch_checker_t * checker;
  vouch_ret_t ret;
  char error[512];
} batch_thread_t;

static void lower(atomic_size_t * value, size_t to)
{
  size_t now = atomic_load(value);
  while (to < now && !atomic_compare_exchange_weak(value, &now, to)) {
  }
}

/// Edges are taken in order, so whatever lies before the first that is not free was looked at.
static void * work(void * argument)
{
  batch_thread_t * t = argument;
  batch_t * b = t->batch;
  while (!atomic_load(&b->failed)) {
    const size_t i = atomic_fetch_add(&b->next, 1u);
    if (i >= b->count || (!b->all && i > atomic_load(&b->first))) {
      break;
    }
    vouch_result_t result;
    t->ret = vouch_check_motion(t->checker, b->edges[i].from, b->edges[i].to, &result);
    if (t->ret != VOUCH_RET_OK) {
      (void)snprintf(t->error, sizeof(t->error), "%s", vouch_error());
      atomic_store(&b->failed, true);
      break;
    }
    b->verdicts[i] = result.verdict;
    if (result.verdict != VOUCH_FREE) {
      lower(&b->first, i);
    }
  }
  return NULL;
}

static vouch_ret_t run_batch(
  batch_t * b, vouch_checker_t * const * checkers, size_t checker_count)
{
  enum {MAX_THREADS = CHECK_MAX_WORKERS};
  batch_thread_t threads[MAX_THREADS];
  pthread_t handles[MAX_THREADS];
  const size_t count = checker_count < b->count ? checker_count : b->count > 0 ? b->count : 1u;
  size_t started = 1;
  threads[0] = (batch_thread_t) {.batch = b, .checker = checkers[0]};
  for (size_t i = 1; i < count; i++) {
    threads[i] = (batch_thread_t) {.batch = b, .checker = checkers[i]};
  }
  for (; started < count; started++) {
    if (pthread_create(&handles[started], NULL, work, &threads[started]) != 0) {
      break;   // fewer threads do it too
    }
  }
  work(&threads[0]);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < started; i++) {
    if (i > 0) {
      pthread_join(handles[i], NULL);
    }
    if (ret == VOUCH_RET_OK && threads[i].ret != VOUCH_RET_OK) {
      ret = vouch_fail(threads[i].ret, "%s", threads[i].error);
    }
  }
  return ret;
}

vouch_ret_t vouch_check_motions(
  vouch_checker_t * const * checkers, size_t checker_count, const vouch_edge_t * edges,
  size_t count, bool all, vouch_verdict_t * verdicts, size_t * first)
{
  VOUCH_REQUIRE("checkers, first", checkers, first);
  *first = 0;
  VOUCH_REQUIRE_ARRAY("edges", edges, count);
  VOUCH_REQUIRE_ARRAY("verdicts", verdicts, count);
  if (checker_count == 0 || checker_count > CHECK_MAX_WORKERS) {
    return vouch_fail(
      VOUCH_RET_INVALID, "checker_count is %zu: it must be from 1 to %d", checker_count,
      CHECK_MAX_WORKERS);
  }
  for (size_t i = 0; i < checker_count; i++) {
    VOUCH_REQUIRE("checkers[]", checkers[i]);
  }
  for (size_t i = 0; i < count; i++) {
    verdicts[i] = VOUCH_UNDECIDED;
  }
  batch_t batch = {.edges = edges, .count = count, .all = all, .verdicts = verdicts};
  atomic_init(&batch.next, 0u);
  atomic_init(&batch.first, count);
  atomic_init(&batch.failed, false);
  vouch_ret_t ret = run_batch(&batch, checkers, checker_count);
  for (size_t i = 0; ret != VOUCH_RET_OK && i < count; i++) {
    verdicts[i] = VOUCH_UNDECIDED;
  }
  *first = ret == VOUCH_RET_OK ? atomic_load(&batch.first) : 0u;
  for (size_t i = *first + 1u; !all && i < count; i++) {
    verdicts[i] = VOUCH_UNDECIDED;   // whatever another thread had begun: the same in every run
  }
  return ret;
}
