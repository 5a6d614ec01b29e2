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

/* TRUSTED for coverage, see sweep.h. */

#include "methods/sweep.h"

#include <time.h>

#include "base/fpguard.h"
#include "base/memory.h"

#define HIT_LEVEL 34
#define OPEN_PER_PIECE 4

double sweep_clock_s(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const vouch_allocator_t * allocator_of(const sweep_task_t * task)
{
  return &task->sweep->moving->mesh.allocator;
}

vouch_ret_t sweep_task_init(sweep_task_t * task, const sweep_t * sweep)
{
  memset(task, 0, sizeof(*task));
  task->sweep = sweep;
  task->clearance_lower = task->clearance_upper = INFINITY;
  task->begin_speed = INFINITY;
  /* One for each level, and the last one to spare. */
  uint32_t levels = sweep->options->max_depth;
  levels = levels < RIGID_MAX_LEVEL ? levels : RIGID_MAX_LEVEL;
  return motion_room_init(&task->room, allocator_of(task), sweep->segment, (size_t)levels + 2);
}

void sweep_task_fini(sweep_task_t * task)
{
  if (task->sweep == NULL) {
    return;
  }
  for (size_t i = 0; i < task->child_count; i++) {
    sweep_task_fini(&task->children[i]);
  }
  vouch_free(allocator_of(task), task->children);
  motion_room_fini(&task->room);
  vouch_free(allocator_of(task), task->pairs);
  vouch_free(allocator_of(task), task->work);
  memset(task, 0, sizeof(*task));
}

vouch_ret_t sweep_task_add_pair(sweep_task_t * task, sweep_pair_t pair)
{
  if (!vouch_grow(
      allocator_of(task), &task->pairs, task->pair_count, &task->pair_capacity, sizeof(pair)))
  {
    task->failed = true;
    return VOUCH_RET_NO_MEMORY;
  }
  task->pairs[task->pair_count++] = pair;
  return VOUCH_RET_OK;
}

static void push_work(sweep_task_t * task, sweep_pair_t pair)
{
  if (!vouch_grow(
      allocator_of(task), &task->work, task->work_count, &task->work_capacity, sizeof(pair)))
  {
    task->failed = true;
    return;
  }
  task->work[task->work_count++] = pair;
}

/// At most OPEN_PER_PIECE entries for one piece; beyond that, and beyond the last place, an entry
/// stands for several triangles.
static void add_open(
  sweep_task_t * task, const motion_piece_t * piece, const sweep_pair_t * pair, bool tolerance)
{
  vouch_rigid_open_t entry = {
    .from = piece->from, .to = piece->to, .near_m = task->clearance_upper, .tolerance = tolerance,
    .triangle_a = task->sweep->moving->nodes[pair->a].triangle,
    .triangle_b = task->sweep->fixed->nodes[pair->b].triangle
  };
  if (!body_node_is_leaf(&task->sweep->moving->nodes[pair->a]) ||
    !body_node_is_leaf(&task->sweep->fixed->nodes[pair->b]))
  {
    entry.triangle_a = entry.triangle_b = UINT32_MAX;
  }
  size_t count = task->open_count;
  bool crowded = count >= OPEN_PER_PIECE && task->open[count - 1].from == entry.from &&
    task->open[count - OPEN_PER_PIECE].from == entry.from;
  if (count < SWEEP_MAX_OPEN && !crowded) {
    task->open[task->open_count++] = entry;
    return;
  }
  vouch_rigid_open_t * last = &task->open[count - 1];
  last->from = fmin(last->from, entry.from);
  last->to = fmax(last->to, entry.to);
  last->triangle_a = last->triangle_b = UINT32_MAX;
}

static void push_children(sweep_task_t * task, sweep_pair_t pair, sweep_decision_t decision)
{
  const sweep_t * sweep = task->sweep;
  sweep_pair_t left = pair, right = pair;
  left.done = right.done = 0;
  if (decision == SWEEP_DESCEND_A) {
    left.a = sweep->moving->nodes[pair.a].left;
    right.a = sweep->moving->nodes[pair.a].right;
  } else {
    left.b = sweep->fixed->nodes[pair.b].left;
    right.b = sweep->fixed->nodes[pair.b].right;
  }
  push_work(task, right);
  push_work(task, left);
}

static bool out_of_budget(sweep_task_t * task)
{
  const vouch_rigid_options_t * options = task->sweep->options;
  uint64_t tests = task->statistics.node_tests;
  if ((options->max_tests > 0 && tests > options->max_tests) ||
    (tests % 64 == 0 && sweep_clock_s() > task->sweep->finish_s))
  {
    task->stopped = true;
  }
  return task->stopped || task->failed;
}

/* Requires: pairs[first, count) are all pairs that are not yet excluded on the piece.
 * Ensures: those not excluded now are pairs[count, pair_count), or were added to the open list. */
static void filter_pairs(sweep_task_t * task, sweep_piece_t * at, size_t first, size_t count)
{
  for (size_t i = first; i < count; i++) {
    push_work(task, task->pairs[i]);
    while (task->work_count > 0 && !task->failed) {
      sweep_pair_t pair = task->work[--task->work_count];
      sweep_decision_t decision = SWEEP_KEEP;
      if (!out_of_budget(task)) {
        decision = sweep_decide(task, at, &pair);
      }
      switch (decision) {
        case SWEEP_EXCLUDED:
          break;
        case SWEEP_DESCEND_A:
        case SWEEP_DESCEND_B:
          push_children(task, pair, decision);
          break;
        case SWEEP_STOP_PAIR:
          add_open(task, at->piece, &pair, true);
          break;
        default:
          (void)!sweep_task_add_pair(task, pair);
      }
    }
  }
}

/// How far the moving body comes from the begin of the piece to its end, roughly.
static double moved_by(const vouch_rigid_body_t * body, const motion_piece_t * piece)
{
  const vouch_affine_t * g = piece->at;
  double sum = 0.0;
  vec3_t centre = body->nodes[0].centre;
  for (int k = 0; k < 9; k++) {
    sum += (g[2].m[k] - g[0].m[k]) * (g[2].m[k] - g[0].m[k]);
  }
  return sqrt(sum) * body->nodes[0].radius +
         vec3_norm(vec3_sub(affine_apply(&g[2], centre), affine_apply(&g[0], centre)));
}

/// True when the piece is not to be halved any further.
static bool at_the_end(const sweep_task_t * task, const sweep_piece_t * at)
{
  const sweep_t * sweep = task->sweep;
  const vouch_rigid_options_t * options = sweep->options;
  uint32_t level = at->piece->level;
  if (task->stopped || task->failed || level >= options->max_depth || level >= RIGID_MAX_LEVEL ||
    (task->open_count >= SWEEP_MAX_OPEN && !task->hit.valid) ||
    (task->hit.valid && level >= HIT_LEVEL))
  {
    return true;
  }
  if (options->method == VOUCH_RIGID_TOLERANCED) {
    double moved = at->ball.radius - sweep->tolerance;
    return moved * sweep->moving->nodes[0].rho < options->resolution_m;
  }
  /* What is left is in doubt by more than the motion changes it: rounding, or its stated error. */
  return level > 4 && moved_by(sweep->moving, at->piece) < 0.125 * at->rounding;
}

/// `speed` is that of the parent: the task looks at the piece itself once more.
static void cut_off(
  sweep_task_t * task, const motion_piece_t * piece, size_t first, double speed)
{
  if (!vouch_grow(
      allocator_of(task), &task->children, task->child_count, &task->child_capacity,
      sizeof(*task)))
  {
    task->failed = true;
    return;
  }
  sweep_task_t * child = &task->children[task->child_count];
  if (sweep_task_init(child, task->sweep) != VOUCH_RET_OK) {
    task->failed = true;
    return;
  }
  task->child_count++;
  motion_piece_copy(&child->room.pieces[0], piece);
  child->begin = piece->from;
  child->begin_speed = speed;
  for (size_t i = first; i < task->pair_count; i++) {
    if (sweep_task_add_pair(child, task->pairs[i]) != VOUCH_RET_OK) {
      task->failed = true;
    }
  }
}

/* Requires: room.pieces[place] is the piece, pairs[first, pair_count) are what is not yet excluded
 * on it. The piece is used up: its right half takes its place. */
static void sweep_piece(sweep_task_t * task, size_t place, size_t first, double speed)
{
  const sweep_t * sweep = task->sweep;
  motion_piece_t * piece = &task->room.pieces[place];
  size_t count = task->pair_count;
  if (task->hit.valid && !(piece->from < task->hit.fraction)) {
    return;   // after a shown collision nothing needs to be shown
  }
  sweep_piece_t at = {.piece = piece, .face = UINT32_MAX};
  at.rounding = chord_rounding(piece, sweep->moving, sweep->fixed);
  if (sweep->options->method == VOUCH_RIGID_TOLERANCED) {
    at.ball = motion_ball(piece, &sweep->moving->metric, sweep->options->ball, speed);
    at.ball.radius += sweep->tolerance;
  }
  task->statistics.pieces++;
  task->statistics.depth =
    piece->level > task->statistics.depth ? piece->level : task->statistics.depth;
  filter_pairs(task, &at, first, count);
  if (task->pair_count > count) {
    if (at_the_end(task, &at)) {
      for (size_t i = count; i < task->pair_count; i++) {
        add_open(task, piece, &task->pairs[i], false);
      }
    } else if (task->collect_level != 0 && piece->level >= task->collect_level) {
      cut_off(task, piece, count, speed);
    } else {
      size_t survivors = task->pair_count;
      motion_piece_split(piece, &task->room.pieces[place + 1], piece);
      sweep_piece(task, place + 1, count, at.ball.speed);
      task->pair_count = survivors;
      sweep_piece(task, place, count, at.ball.speed);
    }
  }
  task->pair_count = count;
}

void sweep_task_run(sweep_task_t * task)
{
  if (!vouch_fp_environment_ok()) {
    task->failed = true;
    return;
  }
  sweep_piece(task, 0, 0, task->begin_speed);
}
