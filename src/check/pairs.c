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

/* Phase 1: every pair on its own, over one or more threads. The outcome is that of the lowest pair
 * with a contact, whatever the number of threads. */

#include <pthread.h>
#include <stdio.h>

#include "base/error.h"
#include "check/checker.h"
#include "check/reuse.h"

typedef struct job_s
{
  vouch_checker_t * checker;
  int64_t deadline_ns;
  atomic_uint next;
  atomic_uint lowest;      // no pair above this one is needed any more
} job_t;

typedef struct thread_s
{
  job_t * job;
  uint32_t worker;
  vouch_ret_t ret;
  bool has_contact;
  uint32_t contact_pair;
  search_contact_t contact;
} thread_t;

static void lower(atomic_uint * value, unsigned to)
{
  unsigned now = atomic_load(value);
  while (to < now && !atomic_compare_exchange_weak(value, &now, to)) {
  }
}

static void work_on_pair(thread_t * thread, uint32_t pair)
{
  vouch_checker_t * c = thread->job->checker;
  check_worker_t * worker = &c->workers[thread->worker];
  const kernel_view_t * p = kernel_view(worker->proof);
  check_pair_t * out = &c->pairs[pair];
  *out = (check_pair_t) {.worked = true, .worker = thread->worker};
  uint64_t leaves = p->leaves, tests = p->tests, queries = worker->search.distance_queries;
  worker->search.has_contact = false;
  worker->search.open_before = worker->search.open_count;
  out->outcome = c->reuse != NULL ? check_reuse_pair(c->reuse, &worker->search, pair) :
    search_pair(&worker->search, pair);
  (void)kernel_proof_finish(worker->proof);   // kernel_free() asks for all of them
  out->leaves = p->leaves - leaves;
  out->tests = p->tests - tests;
  out->distance_queries = worker->search.distance_queries - queries;
  if (out->outcome == SEARCH_CONTACT) {
    if (!thread->has_contact || pair < thread->contact_pair) {
      thread->has_contact = true;
      thread->contact_pair = pair;
      thread->contact = worker->search.contact;
    }
    lower(&thread->job->lowest, pair);
  }
}

static void * work(void * argument)
{
  thread_t * thread = argument;
  job_t * job = thread->job;
  vouch_checker_t * c = job->checker;
  check_worker_t * worker = &c->workers[thread->worker];
  check_prepare(c, worker, SEARCH_PROVE, job->deadline_ns, c->options.certificate);
  if (thread->worker > 0) {
    thread->ret = kernel_proof_begin(worker->proof);
    (void)snprintf(
      worker->error, sizeof(worker->error), "%s",
      thread->ret != VOUCH_RET_OK ? vouch_error() : "");
  }
  while (thread->ret == VOUCH_RET_OK && !worker->search.stopped) {
    uint32_t pair = atomic_fetch_add(&job->next, 1u);
    if (pair >= c->build.problem.scene.pair_count) {
      break;
    }
    if (pair < atomic_load(&job->lowest)) {
      work_on_pair(thread, pair);
    }
  }
  return NULL;
}

/// Threads beyond the first are started here; one that cannot be started is done without.
static void run_threads(thread_t * threads, uint32_t count)
{
  pthread_t handles[CHECK_MAX_WORKERS];
  uint32_t started = 1;
  for (; started < count; started++) {
    if (pthread_create(&handles[started], NULL, work, &threads[started]) != 0) {
      break;
    }
  }
  work(&threads[0]);
  for (uint32_t i = 1; i < started; i++) {
    pthread_join(handles[i], NULL);
  }
}

bool check_stays(const vouch_checker_t * c)
{
  return c->reuse != NULL && kernel_proof_can_stay(c->workers[0].proof);
}

proof_stretch_t check_stretch(const vouch_checker_t * c, uint32_t pair)
{
  const kernel_steps_t * steps = &kernel_view(c->workers[c->pairs[pair].worker].proof)->steps;
  bool written = pair < steps->pair_count && steps->ops_size > 0;
  const kernel_stretch_t * s = written ? &steps->stretches[pair] : NULL;
  return s == NULL ? (proof_stretch_t) {NULL, 0} :
         (proof_stretch_t) {.ops = steps->ops + s->begin, .size = s->end - s->begin};
}

vouch_ret_t check_prove_pairs(vouch_checker_t * c, int64_t deadline_ns)
{
  uint32_t pairs = c->build.problem.scene.pair_count;
  job_t job = {.checker = c, .deadline_ns = deadline_ns};
  atomic_init(&job.next, 0u);
  atomic_init(&job.lowest, UINT32_MAX);
  memset(c->pairs, 0, pairs * sizeof(*c->pairs));
  c->contact.kind = VOUCH_CONTACT_NONE;
  bool again = check_stays(c);
  kernel_proof_t * first = c->workers[0].proof;
  vouch_ret_t ret = again ? kernel_proof_again(first) : kernel_proof_begin(first);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  kernel_scene_set_motion(&c->kernel, &kernel_view(first)->timeline);
  thread_t threads[CHECK_MAX_WORKERS];
  uint32_t count = again ? 1u : c->worker_count;   // little is left to do
  for (uint32_t i = 0; i < count; i++) {
    threads[i] = (thread_t) {.job = &job, .worker = i};
  }
  for (uint32_t i = 1; i < c->worker_count; i++) {   // who does not start has nothing to tell
    search_t * s = &c->workers[i].search;
    kernel_proof_forget(c->workers[i].proof);
    s->open_count = s->open_entries = 0;
    s->stopped = s->has_stuck = false;
  }
  run_threads(threads, count);
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    if (ret == VOUCH_RET_OK && threads[i].ret != VOUCH_RET_OK) {
      ret = vouch_fail(threads[i].ret, "%s", c->workers[i].error);   // told by another thread
    }
    if (threads[i].has_contact && threads[i].contact_pair < best) {
      best = threads[i].contact_pair;
      c->contact = threads[i].contact;
    }
  }
  return ret;
}
