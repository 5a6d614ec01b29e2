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

#include "check/publish.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/fpguard.h"
#include "check/steps.h"

/// A step: where it is, with its rays, and the number of the step behind all that are below it.
typedef struct step_s
{
  const uint8_t * at;
  uint32_t size, behind;
} step_t;

/// A goal of the file: a filed pair, and the kernel's step that is about it, at a group of the
/// obstacle tree or (VOUCH_NONE) below it.
typedef struct goal_s
{
  uint32_t pair, step, group;
} goal_t;

/// A step that has steps below it: those that are still to come, and the group that it is about.
typedef struct open_s
{
  uint32_t step, left, group;
} open_t;

typedef struct publish_s
{
  const vouch_scene_part_t * scene;
  vouch_text_t * out;
  vouch_allocator_t allocator;
  step_t * steps;
  size_t step_count, step_capacity;
  goal_t * goals;
  size_t goal_count, goal_capacity;
  open_t * open;
  size_t open_count, open_capacity;
  const vouch_filed_pair_t * filed;
  kernel_proof_t * kernel;
  bool damaged;   // the kernel's steps are not what they should be
} publish_t;

static bool add_goal(publish_t * p, goal_t goal)
{
  if (!vouch_grow(&p->allocator, &p->goals, p->goal_count, &p->goal_capacity, sizeof(goal))) {
    return false;
  }
  p->goals[p->goal_count++] = goal;
  return true;
}

/* ---- the kernel's steps, numbered ---- */

/// How many steps follow one directly below it.
static uint32_t children_of(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, uint8_t tag, uint32_t group)
{
  if (tag != 'T' && tag != 'A' && tag != 'B') {
    return 0;
  }
  if (tag == 'T' || group == VOUCH_NONE) {
    return 2;
  }
  const vouch_group_t * node = &scene->groups[group];
  uint32_t left = pair->leaf_margins[node->left] >= 0.0 ? 1 : 0;
  uint32_t right = pair->leaf_margins[node->right] >= 0.0 ? 1 : 0;
  return node->body != VOUCH_NONE ? 1 : left + right;
}

/// The group of the next step below an open one: `b` is whether that was a B.
static uint32_t group_below(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const open_t * open, bool b)
{
  if (!b || open->group == VOUCH_NONE) {
    return open->group;
  }
  const vouch_group_t * node = &scene->groups[open->group];
  if (node->body != VOUCH_NONE) {
    return VOUCH_NONE;
  }
  bool first = open->left == children_of(scene, pair, 'B', open->group);
  return first && pair->leaf_margins[node->left] >= 0.0 ? node->left : node->right;
}

/// Bytes of the step at `at`, its rays included; 0: it is damaged.
static size_t size_of(const check_written_t * in, size_t at)
{
  uint8_t tag = in->ops[at];
  size_t size = tag == 'S' ? 1 : tag == 'I' ? 0 : check_step_size(tag);
  while ((tag == 'A' || tag == 'B') && at + size < in->size && in->ops[at + size] == 'I') {
    size += check_step_size('I');
  }
  return size <= in->size - at ? size : 0;
}

/// Numbers the steps of one pair, behind those of others.
static bool number_steps(publish_t * p, const vouch_pair_t * pair, const check_written_t * in)
{
  uint32_t group = pair->kind == VOUCH_PAIR_GROUP ? 0 : VOUCH_NONE;
  size_t at = 0;
  p->open_count = 0;
  do {
    size_t size = at < in->size ? size_of(in, at) : 0;
    uint32_t number = (uint32_t)p->step_count;
    p->damaged = p->damaged || size == 0 || p->step_count >= UINT32_MAX / 2u;
    if (p->damaged ||
      !vouch_grow(
        &p->allocator, &p->steps, p->step_count, &p->step_capacity, sizeof(p->steps[0])) ||
      !vouch_grow(
        &p->allocator, &p->open, p->open_count, &p->open_capacity, sizeof(p->open[0])))
    {
      return false;
    }
    p->steps[p->step_count++] = (step_t) {in->ops + at, (uint32_t)size, number + 1u};
    p->open[p->open_count++] =
      (open_t) {number, children_of(p->scene, pair, in->ops[at], group), group};
    at += size;
    while (p->open_count > 0 && p->open[p->open_count - 1u].left == 0) {
      p->steps[p->open[--p->open_count].step].behind = (uint32_t)p->step_count;
      if (p->open_count > 0) {
        p->open[p->open_count - 1u].left--;
      }
    }
    if (p->open_count > 0) {
      const open_t * last = &p->open[p->open_count - 1u];
      group = group_below(p->scene, pair, last, *p->steps[last->step].at == 'B');
    }
  } while (p->open_count > 0);
  p->damaged = p->damaged || at != in->size;
  return !p->damaged;
}

/// One goal for each pair of the file, at the first step of its pair.
static bool open_goals(
  publish_t * p, const check_written_t * written, uint32_t filed_count)
{
  uint32_t last = VOUCH_NONE, first = 0;
  for (uint32_t i = 0; i < filed_count; i++) {
    const vouch_pair_t * pair = &p->scene->pairs[p->filed[i].pair];
    if (p->filed[i].pair != last) {
      last = p->filed[i].pair;
      first = (uint32_t)p->step_count;
      if (!number_steps(p, pair, &written[last])) {
        return false;
      }
    }
    uint32_t group = pair->kind == VOUCH_PAIR_GROUP ? 0 : VOUCH_NONE;
    if (!add_goal(p, (goal_t) {i, first, group})) {
      return false;
    }
  }
  return true;
}

/* ---- the file's steps ---- */

/// Goes down the obstacle tree to the obstacle of the goal's pair, as far as the kernel went.
static void approach(const publish_t * p, goal_t * goal)
{
  const vouch_filed_pair_t * filed = &p->filed[goal->pair];
  const vouch_pair_t * pair = &p->scene->pairs[filed->pair];
  while (goal->group != VOUCH_NONE && *p->steps[goal->step].at == 'B') {
    const vouch_group_t * node = &p->scene->groups[goal->group];
    goal->step++;
    if (node->body != VOUCH_NONE) {
      goal->group = VOUCH_NONE;
    } else if (filed->group < node->right) {   // a group's left child is the next one
      goal->group = node->left;
    } else {
      goal->step =
        pair->leaf_margins[node->left] >= 0.0 ? p->steps[goal->step].behind : goal->step;
      goal->group = node->right;
    }
  }
}

/// A leaf below a step: on a half of its span (0 or 1), and from there always on one side. NULL: it
/// is not one with one direction.
static const uint8_t * leaf_below(const publish_t * p, goal_t goal, int half, int side)
{
  approach(p, &goal);
  uint8_t tag = *p->steps[goal.step].at;
  while (tag == 'T' || tag == 'A' || tag == 'B') {
    goal.step++;
    if (tag == 'T') {
      goal.step = half == 0 ? goal.step : p->steps[goal.step].behind;
      half = side;
    }
    approach(p, &goal);
    tag = *p->steps[goal.step].at;
  }
  return tag == 'L' ? p->steps[goal.step].at : NULL;
}

/// Whether the kernel closes the goal along n.
static bool closes(publish_t * p, uint32_t pair, const kernel_goal_t * goal, const float n[3])
{
  kernel_proof_open_at(p->kernel, pair, goal);
  return kernel_close_chord(p->kernel, vec3((double)n[0], (double)n[1], (double)n[2]));
}

/// Whether one direction parts the goal's body from its obstacle on all of a span that the group
/// around it had to halve: one that did somewhere on that span, which others of the group may take,
/// too, and which re-certification finds again; or straight to it.
static bool part_alone(publish_t * p, const goal_t * goal, uint32_t interval, float n[3])
{
  static const int LEAVES[4][2] = {{0, 1}, {1, 0}, {0, 0}, {1, 1}};
  const vouch_filed_pair_t * filed = &p->filed[goal->pair];
  const kernel_goal_t alone = {.interval = interval,
    .body_b = p->scene->groups[filed->group].body,
    .margin = p->scene->pairs[filed->pair].leaf_margins[filed->group]};
  kernel_proof_open_at(p->kernel, filed->pair, &alone);
  if (!kernel_usable(p->kernel, &alone) || !kernel_know_ends(p->kernel, &alone)) {
    return false;
  }
  /* Hardly a gap is wider than A's centre is away, and the tests take four and two times that. */
  vec3_t toward = search_toward_box(p->kernel, &alone);
  double apart = vec3_norm(toward);
  if (p->kernel->bend > 4.0 * apart && p->kernel->travel > 2.0 * apart) {
    return false;
  }
  toward = vec3_unit(toward, vec3(0.0, 0.0, 1.0));
  bool chords = false;   // a proof without chord tests gets none
  for (int i = 0; i < 4; i++) {
    const uint8_t * leaf = leaf_below(p, *goal, LEAVES[i][0], LEAVES[i][1]);
    if (leaf != NULL) {
      chords = true;
      memcpy(n, leaf + 1, 3 * sizeof(n[0]));
      if (closes(p, filed->pair, &alone, n)) {
        return true;
      }
    }
  }
  n[0] = (float)toward.x;
  n[1] = (float)toward.y;
  n[2] = (float)toward.z;
  return chords && closes(p, filed->pair, &alone, n);
}

static void put_leaf(const publish_t * p, const float n[3])
{
  vouch_bytes_put_u8(p->out, 'L');
  vouch_bytes_put_f32(p->out, n, 3);
}

/// Puts the step of a goal. True: it waits for both halves of the span.
static bool put_step(publish_t * p, goal_t * goal, uint32_t interval)
{
  approach(p, goal);
  const step_t * step = &p->steps[goal->step];
  uint8_t tag = *step->at;
  float n[3] = {0.0f, 0.0f, tag == 'P' && step->at[1] == 1 ? 1.0f : -1.0f};
  bool grouped = tag == 'T' && goal->group != VOUCH_NONE && interval != VOUCH_NONE;
  if (tag == 'P' || (grouped && part_alone(p, goal, interval, n))) {
    put_leaf(p, n);   // a plane is met along its z axis, from above or, told by 1, from below
    return false;
  }
  vouch_text_append_bytes(p->out, step->at, step->size);
  if (tag == 'A' || tag == 'B') {
    goal_t child = *goal;
    child.step = goal->step + 1u;
    bool good = add_goal(p, child);
    child.step = p->steps[child.step].behind;
    p->out->failed = !(good && add_goal(p, child)) || p->out->failed;
  }
  return tag == 'T';
}

/// The kernel's number for a half of its interval; VOUCH_NONE: it has none, or no more memory.
static uint32_t half_of(const publish_t * p, uint32_t interval, int half)
{
  kernel_timeline_t * t = &p->kernel->timeline;
  bool known = interval != VOUCH_NONE && kernel_timeline_split(t, interval);
  return !known ? VOUCH_NONE : half == 0 ? t->intervals[interval].left :
         t->intervals[interval].right;
}

/// The goals from `first` on, over one span; afterwards they are gone.
static void put_span(publish_t * p, size_t first, uint32_t depth, uint32_t interval)
{
  size_t waiting = first;
  for (size_t i = first; i < p->goal_count && !p->out->failed; i++) {
    goal_t goal = p->goals[i];   // the array may move
    bool waits = put_step(p, &goal, interval);
    p->goals[waiting] = goal;
    waiting += waits;
  }
  size_t count = waiting - first;
  p->damaged = p->damaged || (count > 0 && depth == CHECK_MOST_HALVINGS);
  for (int half = 0; half < 2 && count > 0 && !p->damaged && !p->out->failed; half++) {
    p->goal_count = waiting;
    for (size_t i = first; i < waiting && !p->out->failed; i++) {
      goal_t goal = p->goals[i];
      goal.step = half == 0 ? goal.step + 1u : p->steps[goal.step + 1u].behind;
      p->out->failed = !add_goal(p, goal) || p->out->failed;
    }
    put_span(p, waiting, depth + 1u, half_of(p, interval, half));
  }
  p->goal_count = first;
}

vouch_ret_t check_publish(
  const vouch_scene_part_t * scene, const check_written_t * written, kernel_proof_t * kernel,
  vouch_text_t * out)
{
  publish_t p = {.scene = scene, .out = out, .allocator = out->allocator, .kernel = kernel};
  uint32_t count;
  vouch_filed_pair_t * filed = vouch_scene_filed_pairs(scene, &p.allocator, &count);
  p.filed = filed;
  bool memory = filed != NULL && open_goals(&p, written, count);
  if (memory) {
    kernel->record = kernel->has_horizon = false;
    kernel->mode = KERNEL_MODE_PROOF;
    put_span(&p, 0, 0, vouch_fp_environment_ok() ? 0 : VOUCH_NONE);
    memory = !out->failed;
  }
  vouch_free(&p.allocator, filed);
  vouch_free(&p.allocator, p.steps);
  vouch_free(&p.allocator, p.goals);
  vouch_free(&p.allocator, p.open);
  if (p.damaged) {
    return vouch_fail(VOUCH_RET_INTERNAL, "the proof's steps do not fit its pairs");
  }
  return memory ? VOUCH_RET_OK : vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the certificate");
}
