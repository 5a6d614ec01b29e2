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

#include "kernel/inside.h"

struct kernel_kept_s
{
  kernel_steps_t v;            // first: what others look at
  vouch_allocator_t allocator;
  kernel_buffers_t buffers;    // those of the view
};

vouch_ret_t kernel_kept_create(kernel_kept_t ** kept, vouch_allocator_t allocator)
{
  *kept = vouch_calloc(&allocator, 1, sizeof(**kept));
  if (*kept == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  (*kept)->allocator = allocator;
  return VOUCH_RET_OK;
}

void kernel_buffers_fini(kernel_buffers_t * buffers, const vouch_allocator_t * allocator)
{
  vouch_free(allocator, buffers->ops);
  vouch_free(allocator, buffers->marks);
  vouch_free(allocator, buffers->stretches);
}

void kernel_kept_destroy(kernel_kept_t * kept)
{
  if (kept != NULL) {
    vouch_allocator_t allocator = kept->allocator;
    kernel_buffers_fini(&kept->buffers, &allocator);
    vouch_free(&allocator, kept);
  }
}

/* ---- marks ---- */

/// Ensures:  true only if there is room for `more` marks whose numbers fit in 32 bits.
static bool mark_room(
  kernel_buffers_t * buffers, size_t used, size_t more, const vouch_allocator_t * allocator)
{
  if (buffers->mark_capacity - used >= more) {
    return true;
  }
  size_t capacity = 2u * buffers->mark_capacity + more + 64u;
  kernel_mark_t * marks = vouch_realloc(allocator, buffers->marks, capacity, sizeof(*marks));
  if (marks == NULL || capacity > UINT32_MAX) {
    buffers->marks = marks != NULL ? marks : buffers->marks;
    return false;
  }
  buffers->marks = marks;
  buffers->mark_capacity = capacity;
  return true;
}

/// Ensures:  true only if so many marks can be written; else none of this check counts as recorded.
static bool room_for_marks(kernel_proof_t * p, size_t more)
{
  bool room = p->v.steps.ops_size - p->base < UINT32_MAX &&
    mark_room(&p->buffers, p->v.steps.mark_count, more, &p->allocator);
  p->marks_failed |= !room;
  p->v.steps.marks = p->buffers.marks;
  return room;
}

/// [K-COPY] Requires: the goal on top lies at `height`.
/// Ensures:  marks of goals that lay higher end here.
/// Why:      those goals are closed, and what closed them is written. An open mark's `end` is the
///           number of the one that was opened before it, from 1; its `leaves` what was counted then.
static void close_marks(kernel_proof_t * p, uint32_t height)
{
  while (p->open_mark != 0 && p->buffers.marks[p->open_mark - 1u].height > height) {
    kernel_mark_t * mark = &p->buffers.marks[p->open_mark - 1u];
    p->open_mark = mark->end;
    mark->end = (uint32_t)(p->v.steps.ops_size - p->base);
    mark->leaves = (uint32_t)p->v.leaves - mark->leaves;
  }
}

/// [K-COPY] Ensures: until the goal on top, which is against a group, is closed, what is written
/// belongs to its mark. A goal that takes its place alone lies as high, and leaves the mark open.
void kernel_mark(kernel_proof_t * p)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  close_marks(p, p->v.stack_size);
  if (p->marks_failed || !room_for_marks(p, 1)) {
    return;
  }
  p->buffers.marks[p->v.steps.mark_count++] = (kernel_mark_t) {
    .span = kernel_span(&p->v.timeline.intervals[goal->interval]),
    .group = p->v.scene->keys.groups[goal->b],
    .begin = (uint32_t)(p->v.steps.ops_size - p->base), .end = p->open_mark,
    .leaves = (uint32_t)p->v.leaves, .height = p->v.stack_size
  };
  p->open_mark = (uint32_t)p->v.steps.mark_count;
}

/* ---- what a pair is about ---- */

/// [K-COPY] Ensures:  all that a proof of the pair depends on.
static kernel_key_t key_of(const kernel_scene_t * scene, uint32_t number)
{
  const vouch_pair_t * pair = &scene->problem->scene.pairs[number];
  uint32_t bodies = scene->problem->scene.body_count;
  const kernel_keys_t * keys = &scene->keys;
  return (kernel_key_t) {.motion = scene->problem->motion.accepted, .frames = keys->frames,
           .a = pair->a < bodies ? keys->bodies[pair->a] : keys->groups[pair->a - bodies],
           .b = pair->b < bodies ? keys->bodies[pair->b] : keys->groups[pair->b - bodies],
           .skips = keys->skips[number], .margin = pair->margin,
           .rounding = scene->paths[number].rounding, .error = scene->paths[number].error};
}

/// [K-COPY] Ensures:  what was shown about `old` is what would be shown about `now`, whatever B is.
/// Why:      the motion's number stands for its polynomials, seconds and tolerances, and so, with that
///           of the frames, for poses, bounds, tau and times; margin, E and the error of a position are
///           what a gap is charged besides. Where bodies may touch, directions and starts have rules
///           of their own. A motion that was not validated has the number 0.
static bool covers_but_b(const kernel_key_t * old, const kernel_key_t * now)
{
  bool same = true;
#ifndef VOUCH_FAULT_KEY_MOTION
  same &= old->motion == now->motion;
#endif
#ifndef VOUCH_FAULT_KEY_FRAMES
  same &= old->frames == now->frames;
#endif
#ifndef VOUCH_FAULT_KEY_A
  same &= old->a == now->a;
#endif
#ifndef VOUCH_FAULT_KEY_SKIPS
  same &= old->skips == now->skips;
#endif
#ifndef VOUCH_FAULT_KEY_MARGIN
  same &= now->margin <= old->margin;
#endif
#ifndef VOUCH_FAULT_KEY_TOUCH
  same &= (now->margin < 0.0) == (old->margin < 0.0);
#endif
#ifndef VOUCH_FAULT_KEY_ROUNDING
  same &= now->rounding <= old->rounding && now->error <= old->error;
#endif
  return same && now->motion != 0;
}

/// [K-COPY] Ensures:  the same, with B.
static bool covers(const kernel_key_t * old, const kernel_key_t * now)
{
  bool same = covers_but_b(old, now);
#ifndef VOUCH_FAULT_KEY_B
  same &= old->b == now->b;
#endif
  return same;
}

vouch_ret_t kernel_begin_stretches(kernel_proof_t * p)
{
  uint32_t pairs = p->v.scene->problem->scene.pair_count;
  if (pairs > p->buffers.stretch_capacity) {
    kernel_stretch_t * all = vouch_calloc(&p->allocator, pairs, sizeof(*all));
    if (all == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    vouch_free(&p->allocator, p->buffers.stretches);
    p->buffers.stretches = all;
    p->buffers.stretch_capacity = pairs;
  } else if (pairs > 0) {
    memset(p->buffers.stretches, 0, pairs * sizeof(*p->buffers.stretches));
  }
  p->v.steps.stretches = p->buffers.stretches;
  p->v.steps.pair_count = pairs;
  return VOUCH_RET_OK;
}

void kernel_begin_stretch(kernel_proof_t * p)
{
  kernel_stretch_t * stretch = &p->buffers.stretches[p->v.pair];
  p->base = p->v.steps.ops_size;
  p->open_mark = 0;
  p->recorded &= p->record;
  *stretch = (kernel_stretch_t) {.begin = p->base, .end = p->base,
    .first_mark = p->v.steps.mark_count, .end_mark = p->v.steps.mark_count,
    .leaves = p->v.leaves};
}

/// Ensures:  true only if the pair is proved, and its stretch says so.
/// Why:      it was opened at its roots; every goal was closed, none given up or skipped; the
///           floating-point environment was right.
bool kernel_proof_finish(kernel_proof_t * p)
{
  if (!p->opened_at_root || p->v.mode != KERNEL_MODE_PROOF) {
    return false;
  }
  kernel_stretch_t * stretch = &p->buffers.stretches[p->v.pair];
  close_marks(p, 0);
  stretch->end = p->v.steps.ops_size;
  stretch->end_mark = p->v.steps.mark_count;
  stretch->leaves = p->v.leaves - stretch->leaves;
  stretch->key = key_of(p->v.scene, p->v.pair);
  stretch->proved = p->v.stack_size == 0 && !p->v.abandoned && p->fp_checked &&
    !p->v.has_horizon;
  p->opened_at_root = false;
  return stretch->proved;
}

/// The proof among these that has proved the pair as it is now; NULL: none.
static kernel_proof_t * prover(kernel_proof_t * const * proofs, uint32_t count, uint32_t pair)
{
  for (uint32_t i = 0; i < count; i++) {
    const kernel_steps_t * steps = &proofs[i]->v.steps;
    kernel_key_t now = key_of(proofs[i]->v.scene, pair);
    if (pair < steps->pair_count && steps->stretches[pair].proved &&
      covers(&steps->stretches[pair].key, &now))
    {
      return proofs[i];
    }
  }
  return NULL;
}

/// Ensures:  true only if every pair of the scene was proved, as scene and motion are now.
/// Why:      each pair's numbers are compared with those that its stretch was closed with. Two planes
///           cannot be proved, and a scene without a leaf proves nothing.
bool kernel_free(kernel_proof_t * const * proofs, uint32_t count)
{
  const kernel_scene_t * scene = proofs[0]->v.scene;
  const vouch_scene_part_t * part = &scene->problem->scene;
  uint64_t leaves = 0;
  for (uint32_t i = 0; i < part->left_out_count; i++) {
    if (part->left_out[i].reason == VOUCH_REASON_TWO_PLANES) {
      return false;
    }
  }
  for (uint32_t i = 0; i < part->pair_count; i++) {
    const kernel_proof_t * p = prover(proofs, count, i);
    if (p == NULL || p->v.scene != scene) {
      return false;
    }
    leaves += p->v.steps.stretches[i].leaves;
  }
  return leaves > 0;   // a pair with nothing checked in it proves nothing
}

/* ---- keeping, and copying ---- */

/// Ensures:  the kept proof has the steps, the proof the memory that was kept, to write again.
static void exchange(kernel_kept_t * kept, kernel_proof_t * p)
{
  kernel_steps_t steps = kept->v;
  kernel_buffers_t buffers = kept->buffers;
  kept->v = p->v.steps;
  kept->buffers = p->buffers;
  p->v.steps = steps;
  p->buffers = buffers;
  p->v.steps.ops_size = p->v.steps.mark_count = 0;
  p->v.steps.pair_count = 0;
}

/// Room for what several proofs wrote, whose buffers stay theirs.
static bool make_room(kernel_kept_t * kept, size_t ops, size_t marks, uint32_t pairs)
{
  kernel_buffers_t * b = &kept->buffers;
  kept->v = (kernel_steps_t) {0};
  kernel_buffers_fini(b, &kept->allocator);
  *b = (kernel_buffers_t) {.ops_capacity = ops, .mark_capacity = marks, .stretch_capacity = pairs};
  b->ops = vouch_calloc(&kept->allocator, ops, 1);
  b->marks = vouch_calloc(&kept->allocator, marks, sizeof(*b->marks));
  b->stretches = vouch_calloc(&kept->allocator, pairs, sizeof(*b->stretches));
  kept->v.ops = b->ops;
  kept->v.marks = b->marks;
  kept->v.stretches = b->stretches;
  return b->ops != NULL && b->marks != NULL && b->stretches != NULL;
}

/// Requires: there is room (make_room()).
/// Ensures:  the pair's steps and marks stand behind those that are there; its stretch says where.
static void append(kernel_kept_t * kept, const kernel_steps_t * from, uint32_t pair)
{
  const kernel_stretch_t * x = &from->stretches[pair];
  kernel_stretch_t * y = &kept->buffers.stretches[pair];
  size_t bytes = x->end - x->begin, marks = x->end_mark - x->first_mark;
  *y = *x;
  y->begin = kept->v.ops_size;
  y->end = y->begin + bytes;
  y->first_mark = kept->v.mark_count;
  y->end_mark = y->first_mark + marks;
  if (bytes > 0) {
    memcpy(kept->buffers.ops + y->begin, from->ops + x->begin, bytes);
  }
  if (marks > 0) {
    memcpy(
      kept->buffers.marks + y->first_mark, from->marks + x->first_mark,
      marks * sizeof(*kept->buffers.marks));
  }
  kept->v.ops_size = y->end;
  kept->v.mark_count = y->end_mark;
}

/// [K-COPY] Ensures:  true only if what is kept is a whole proof of FREE.
/// Why:      nothing was lost for memory, every pair was recorded and is proved (kernel_free()).
bool kernel_keep(kernel_kept_t * kept, kernel_proof_t * const * proofs, uint32_t count)
{
  size_t ops = 0, marks = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (proofs[i]->v.ops_failed || proofs[i]->marks_failed || !proofs[i]->recorded) {
      return false;
    }
    ops += proofs[i]->v.steps.ops_size;
    marks += proofs[i]->v.steps.mark_count;
  }
  if (!kernel_free(proofs, count)) {
    return false;
  }
  if (count == 1u) {
    exchange(kept, proofs[0]);
    return true;
  }
  uint32_t pairs = proofs[0]->v.scene->problem->scene.pair_count;
  if (!make_room(kept, ops, marks, pairs)) {
    return false;
  }
  for (uint32_t i = 0; i < pairs; i++) {
    append(kept, &prover(proofs, count, i)->v.steps, i);
  }
  kept->v.pair_count = pairs;
  return true;
}

/// [K-COPY] Requires: the pairs' numbers agree; `tag` is the first step of the mark.
/// Ensures:  the goal on top asks for no more than that of the mark did.
/// Why:      equal span and group are the same goal. A leaf was shown apart from the group's box
///           then: so it is from every group within that box [L7].
static bool same_goal(const kernel_proof_t * p, const kernel_mark_t * mark, uint8_t tag)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  const kernel_keys_t * keys = &p->v.scene->keys;
  uint64_t span = kernel_span(&p->v.timeline.intervals[goal->interval]);
  bool same = goal->body_b == VOUCH_NONE && span != 0;
#ifndef VOUCH_FAULT_KEY_SPAN
  same &= mark->span == span;
#endif
#ifndef VOUCH_FAULT_KEY_GROUP
  /* [L7] What is apart from a box is apart from what lies in it. */
  bool leaf = proof_op(tag).children == 0;
  same &= mark->group == keys->groups[goal->b] || (leaf && mark->group == keys->within[goal->b]);
#endif
  return same;
}

/// [K-COPY] Ensures:  the marks of the steps that are copied next, moved to where these will stand.
///           The first one is about the goal itself, whose group may be one within that of then.
static void copy_marks(
  kernel_proof_t * p, const kernel_steps_t * from, size_t first, size_t end, uint32_t begin,
  uint32_t behind)
{
  size_t count = 0;
  while (first + count < end && from->marks[first + count].begin < behind) {
    count++;
  }
  if (!p->record || p->marks_failed || count == 0 || !room_for_marks(p, count)) {
    return;
  }
  close_marks(p, p->v.stack_size);
  uint32_t moved = (uint32_t)(p->v.steps.ops_size - p->base) - begin;
  kernel_mark_t * marks = p->buffers.marks + p->v.steps.mark_count;
  for (size_t i = 0; i < count; i++) {
    marks[i] = from->marks[first + i];
    marks[i].begin += moved;
    marks[i].end += moved;
  }
  marks[0].group = p->v.scene->keys.groups[kernel_proof_goal(p)->b];
  p->v.steps.mark_count += count;
}

/// [K-COPY] Why:      the steps closed a goal with the same numbers that asked for no less: all tests
///           under them have the inputs that they had. For a whole pair B must be the same too, and a
///           body.
bool kernel_close_kept(
  kernel_proof_t * p, const kernel_kept_t * kept, uint32_t pair, size_t mark)
{
  const kernel_goal_t * goal = kernel_proof_goal(p);
  if (goal == NULL || pair >= kept->v.pair_count || p->v.mode != KERNEL_MODE_PROOF ||
    p->v.has_horizon)
  {
    return false;
  }
  const kernel_stretch_t * old = &kept->v.stretches[pair];
  const kernel_key_t now = key_of(p->v.scene, p->v.pair);
  const uint8_t * ops = kept->v.ops + old->begin;
  if (!old->proved || !covers_but_b(&old->key, &now)) {
    return false;
  }
  if (mark == KERNEL_WHOLE) {   // the two roots over the whole motion, of two bodies
    if (goal->interval != 0 || goal->a != 0 || goal->b != 0 || goal->body_b == VOUCH_NONE ||
      goal->body_b != kernel_pair(p)->b || !covers(&old->key, &now))
    {
      return false;
    }
    kernel_write(p, ops, old->end - old->begin);
    p->v.leaves += old->leaves;
  } else {
    const kernel_mark_t * m = &kept->v.marks[mark];
    if (mark < old->first_mark || mark >= old->end_mark || !same_goal(p, m, ops[m->begin])) {
      return false;
    }
    copy_marks(p, &kept->v, mark, old->end_mark, m->begin, m->end);
    kernel_write(p, ops + m->begin, m->end - m->begin);
    p->v.leaves += m->leaves;
  }
  p->v.stack_size--;
  return true;
}
