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

/* TRUSTED for coverage: one segment as tasks, in parallel, merged in the order of time. */

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fpguard.h"
#include "methods/sweep.h"

#define COLLECT_LEVEL 3

typedef struct pool_s
{
  sweep_task_t * tasks;
  size_t count;
  atomic_size_t next;
} pool_t;

static void * work_on(void * argument)
{
  pool_t * pool = argument;
  for (;; ) {
    size_t i = atomic_fetch_add(&pool->next, 1);
    if (i >= pool->count) {
      return NULL;
    }
    sweep_task_run(&pool->tasks[i]);
  }
}

static void run_children(sweep_task_t * root)
{
  pool_t pool = {.tasks = root->children, .count = root->child_count};
  pthread_t threads[16];
  size_t wanted = root->sweep->options->threads, started = 0;
  if (wanted == 0) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    wanted = processors > 1 ? (size_t)processors : 1;
  }
  wanted = wanted > 16 ? 16 : wanted;
  atomic_init(&pool.next, 0);
  for (size_t i = 1; i < wanted && i < pool.count; i++) {
    started += pthread_create(&threads[started], NULL, work_on, &pool) == 0;
  }
  (void)work_on(&pool);
  for (size_t i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
  }
}

/// Takes over what a part found; parts come in the order of time.
static void merge(sweep_task_t * into, const sweep_task_t * part)
{
  if (part->hit.valid && (!into->hit.valid || part->hit.fraction < into->hit.fraction)) {
    into->hit = part->hit;
  }
  for (size_t i = 0; i < part->open_count; i++) {
    if (into->open_count < SWEEP_MAX_OPEN) {
      into->open[into->open_count++] = part->open[i];
    } else {
      vouch_rigid_open_t * last = &into->open[SWEEP_MAX_OPEN - 1];
      last->from = fmin(last->from, part->open[i].from);
      last->to = fmax(last->to, part->open[i].to);
      last->triangle_a = last->triangle_b = UINT32_MAX;
    }
  }
  into->stopped = into->stopped || part->stopped;
  into->failed = into->failed || part->failed;
  into->clearance_lower = fmin(into->clearance_lower, part->clearance_lower);
  if (part->clearance_upper < into->clearance_upper) {
    into->clearance_upper = part->clearance_upper;
    into->closest_fraction = part->closest_fraction;
    into->closest_a = part->closest_a;
    into->closest_b = part->closest_b;
  }
  into->statistics.pieces += part->statistics.pieces;
  into->statistics.node_tests += part->statistics.node_tests;
  into->statistics.face_tests += part->statistics.face_tests;
  if (part->statistics.depth > into->statistics.depth) {
    into->statistics.depth = part->statistics.depth;
  }
}

/// Every pair of triangles by itself.
static vouch_ret_t sweep_flat(const sweep_t * sweep, sweep_task_t * result)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  motion_piece_t * whole = &result->room.pieces[result->room.count - 1];
  motion_piece_init(whole, sweep->segment);
  for (uint32_t a = 0; a < sweep->moving->node_count; a++) {
    for (uint32_t b = 0; b < sweep->fixed->node_count; b++) {
      if (result->failed || ret != VOUCH_RET_OK) {
        return ret;
      }
      if (body_node_is_leaf(&sweep->moving->nodes[a]) &&
        body_node_is_leaf(&sweep->fixed->nodes[b]))
      {
        result->pair_count = 0;
        motion_piece_copy(&result->room.pieces[0], whole);
        ret = sweep_task_add_pair(result, (sweep_pair_t) {.a = a, .b = b});
        if (ret == VOUCH_RET_OK) {
          sweep_task_run(result);
        }
      }
    }
  }
  return ret;
}

static vouch_ret_t sweep_tree(const sweep_t * sweep, sweep_task_t * result)
{
  motion_piece_init(&result->room.pieces[0], sweep->segment);
  vouch_ret_t ret = sweep_task_add_pair(result, (sweep_pair_t) {.a = 0, .b = 0});
  if (ret == VOUCH_RET_OK) {
    result->collect_level = COLLECT_LEVEL;
    sweep_task_run(result);
    run_children(result);
  }
  for (size_t i = 0; i < result->child_count; i++) {
    if (!result->hit.valid || result->children[i].begin < result->hit.fraction) {
      merge(result, &result->children[i]);
    }
  }
  return ret;
}

vouch_ret_t sweep_segment(sweep_t * sweep, sweep_task_t * result)
{
  vouch_ret_t ret =
    sweep->options->flat ? sweep_flat(sweep, result) : sweep_tree(sweep, result);
  if (ret == VOUCH_RET_OK && result->failed) {
    ret = vouch_fp_environment_ok() ? VOUCH_RET_NO_MEMORY : vouch_fail(
      VOUCH_RET_FP_ENVIRONMENT, "this thread does not round to nearest, or flushes denormals: "
      "nothing can be proved");
  }
  return ret;
}
