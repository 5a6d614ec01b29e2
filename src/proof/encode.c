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

#include "proof/encode.h"

#include "base/error.h"
#include "base/memory.h"

/// A step: where it is, with its rays, and the number of the step behind all that are below it.
typedef struct step_s
{
  const uint8_t * at;
  uint32_t size, behind;
} step_t;

/// A step that has steps below it, and how many of them, directly below, are still to come.
typedef struct open_s
{
  uint32_t step, left;
} open_t;

typedef struct encoder_s
{
  vouch_text_t * out;
  vouch_allocator_t allocator;
  step_t * steps;
  size_t step_count, step_capacity;
  uint32_t * goals;   // steps that are taken next
  size_t goal_count, goal_capacity;
  open_t * open;
  size_t open_count, open_capacity;
  bool damaged;
} encoder_t;

static bool add_goal(encoder_t * e, uint32_t step)
{
  if (!vouch_grow(
      &e->allocator, &e->goals, e->goal_count, &e->goal_capacity, sizeof(e->goals[0])))
  {
    return false;
  }
  e->goals[e->goal_count++] = step;
  return true;
}

/// One more step of a stretch, and of those that it completes the step behind.
static bool number_step(encoder_t * e, const uint8_t * at, size_t size)
{
  uint32_t number = (uint32_t)e->step_count;
  if (!vouch_grow(
      &e->allocator, &e->steps, e->step_count, &e->step_capacity, sizeof(e->steps[0])) ||
    !vouch_grow(&e->allocator, &e->open, e->open_count, &e->open_capacity, sizeof(e->open[0])))
  {
    return false;
  }
  e->steps[e->step_count++] = (step_t) {at, (uint32_t)size, number + 1u};
  e->open[e->open_count++] = (open_t) {number, proof_op(*at).children};
  while (e->open_count > 0 && e->open[e->open_count - 1u].left == 0) {
    e->steps[e->open[--e->open_count].step].behind = (uint32_t)e->step_count;
    if (e->open_count > 0) {
      e->open[e->open_count - 1u].left--;
    }
  }
  return true;
}

/// Numbers the steps of one pair, behind those of others. False: damaged, or no memory.
static bool number_steps(encoder_t * e, const proof_stretch_t * pair)
{
  size_t at = 0;
  e->open_count = 0;
  do {
    size_t size = proof_step_size(pair->ops, pair->size, at);
    e->damaged = e->damaged || size == 0 || size > UINT32_MAX || e->step_count >= UINT32_MAX / 2u;
    if (e->damaged || !number_step(e, pair->ops + at, size)) {
      return false;
    }
    at += size;
  } while (e->open_count > 0);
  e->damaged = at != pair->size;
  return !e->damaged;
}

/// Puts the step of a goal, and those below it in its place. True: it waits for the halves.
static bool put_step(encoder_t * e, uint32_t number)
{
  const step_t step = e->steps[number];
  vouch_text_append_bytes(e->out, step.at, step.size);
  if (*step.at == PROOF_SPLIT) {
    return true;
  }
  uint32_t child = number + 1u;
  for (uint8_t i = 0; i < proof_op(*step.at).children; i++) {
    e->out->failed = !add_goal(e, child) || e->out->failed;
    child = e->steps[child].behind;
  }
  return false;
}

/// The goals from `first` on, over one span; afterwards they are gone.
static void put_span(encoder_t * e, size_t first, uint32_t depth)
{
  size_t waiting = first;
  for (size_t i = first; i < e->goal_count && !e->out->failed; i++) {
    uint32_t goal = e->goals[i];   // the array may move
    bool waits = put_step(e, goal);
    e->goals[waiting] = goal;
    waiting += waits;
  }
  size_t count = waiting - first;
  e->damaged = e->damaged || (count > 0 && depth == PROOF_MOST_HALVINGS);
  for (int half = 0; half < 2 && count > 0 && !e->damaged && !e->out->failed; half++) {
    e->goal_count = waiting;
    for (size_t i = first; i < waiting && !e->out->failed; i++) {
      uint32_t early = e->goals[i] + 1u;
      e->out->failed = !add_goal(e, half == 0 ? early : e->steps[early].behind) || e->out->failed;
    }
    put_span(e, waiting, depth + 1u);
  }
  e->goal_count = first;
}

vouch_ret_t proof_encode(const proof_stretch_t * pairs, uint32_t count, vouch_text_t * out)
{
  encoder_t e = {.out = out, .allocator = out->allocator};
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    uint32_t first = (uint32_t)e.step_count;
    good = pairs[i].size == 0 || (number_steps(&e, &pairs[i]) && add_goal(&e, first));
  }
  if (good) {
    put_span(&e, 0, 0);
    good = !out->failed;
  }
  vouch_free(&e.allocator, e.steps);
  vouch_free(&e.allocator, e.goals);
  vouch_free(&e.allocator, e.open);
  if (e.damaged) {
    return vouch_fail(VOUCH_RET_INTERNAL, "the steps of a proof are damaged");
  }
  return good ? VOUCH_RET_OK : vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the certificate");
}
