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

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"

vouch_ret_t kernel_proof_create(
  kernel_proof_t ** proof, const kernel_scene_t * scene, vouch_allocator_t allocator,
  size_t memory)
{
  kernel_proof_t * p = vouch_calloc(&allocator, 1, sizeof(*p));
  *proof = p;
  if (p == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  p->allocator = allocator;
  p->v.scene = scene;
  vouch_ret_t ret = kernel_timeline_init(&p->v.timeline, scene->problem, allocator, memory);
  if (ret == VOUCH_RET_OK) {
    /* Not zeroed: a pose is read only where relative_of names its pair. */
    p->relative = vouch_realloc(
      &allocator, NULL, p->v.timeline.configuration_capacity, sizeof(*p->relative));
    p->relative_of = vouch_calloc(
      &allocator, p->v.timeline.configuration_capacity, sizeof(*p->relative_of));
    ret = p->relative == NULL || p->relative_of == NULL ? VOUCH_RET_NO_MEMORY : ret;
  }
  if (ret != VOUCH_RET_OK) {
    kernel_proof_destroy(p);
    *proof = NULL;
  }
  return ret;
}

void kernel_proof_destroy(kernel_proof_t * p)
{
  if (p == NULL) {
    return;
  }
  vouch_allocator_t allocator = p->allocator;
  kernel_timeline_fini(&p->v.timeline);
  vouch_free(&allocator, p->relative);
  vouch_free(&allocator, p->relative_of);
  vouch_free(&allocator, p->weights);
  kernel_buffers_fini(&p->buffers, &allocator);
  vouch_free(&allocator, p);
}

void kernel_proof_phase(kernel_proof_t * p, const kernel_phase_t * phase)
{
  p->v.mode = phase->mode;
  p->v.distance = phase->distance;
  p->v.lower = INFINITY;
  p->v.has_horizon = false;
  p->proved_free = phase->proved_free;
  p->record = phase->record;
}

void kernel_proof_distance(kernel_proof_t * p, double distance)
{
  p->v.distance = distance;
}

void kernel_proof_horizon(kernel_proof_t * p, uint32_t segment, double fraction)
{
  p->v.has_horizon = true;
  p->v.horizon_segment = segment;
  p->v.horizon_fraction = fraction;
}

void kernel_proof_rebind(kernel_proof_t * p, const kernel_scene_t * scene)
{
  p->v.scene = scene;
  p->v.timeline.problem = scene->problem;
}

void kernel_proof_forget(kernel_proof_t * p)
{
  p->v.steps.ops_size = p->v.steps.mark_count = 0;
  if (p->v.steps.pair_count > 0) {
    memset(p->buffers.stretches, 0, p->v.steps.pair_count * sizeof(*p->buffers.stretches));
  }
}

void kernel_proof_hint(kernel_proof_t * p, vec3_t n)
{
  p->v.stack[p->v.stack_size - 1u].hint = n;
}

/// Ensures:  nothing is proved, recorded or known; the floating-point environment of this thread is
///           right.
/// Why:      chains get numbers that none had, because the timeline may be an old one, and the scene
///           another.
static vouch_ret_t begin(kernel_proof_t * p)
{
  p->v.stack_size = 0;
  p->v.steps.ops_size = p->v.steps.mark_count = 0;
  p->v.ops_failed = p->marks_failed = false;
  p->v.leaves = p->v.tests = 0;
  p->v.lower = INFINITY;
  p->opened_at_root = p->proved_free = false;
  p->recorded = true;
  p->v.known_node = p->v.known_interval = VOUCH_NONE;
  p->chain_keys = p->next_key;   // the timeline may be an old one, and the scene another
  p->next_key += p->v.scene->chain_count;
  p->fp_checked = vouch_fp_environment_ok();
  if (!p->fp_checked) {
    return vouch_fail(
      VOUCH_RET_FP_ENVIRONMENT,
      "this thread does not round to nearest or flushes denormals (a library compiled with "
      "-ffast-math does that): nothing can be proved");
  }
  return kernel_begin_stretches(p);
}

/// [K-COPY] Ensures:  true only if poses and bounds are those of this motion and these frames.
/// Why:      equal numbers are equal inputs. Timelines only grow while they stay: a full one is made
///           anew.
bool kernel_proof_can_stay(const kernel_proof_t * p)
{
  const kernel_timeline_t * t = &p->v.timeline;
  return p->timeline_of[0] == p->v.scene->problem->motion.accepted &&
         p->timeline_of[0] != 0 && p->timeline_of[1] == p->v.scene->keys.frames &&
         t->interval_count <= t->interval_capacity / 2u &&
         t->configuration_count <= t->configuration_capacity / 2u;
}

vouch_ret_t kernel_proof_again(kernel_proof_t * p)
{
  return kernel_proof_can_stay(p) ? begin(p) : kernel_proof_begin(p);
}

/// Why:      a motion has a number only if the validator accepted it as it is now.
vouch_ret_t kernel_proof_begin(kernel_proof_t * p)
{
  const vouch_motion_part_t * motion = &p->v.scene->problem->motion;
  p->timeline_of[0] = 0;
  if (motion->accepted == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion has not been validated since it was set");
  }
  vouch_ret_t ret = begin(p);
  ret = ret ? ret : kernel_timeline_set_motion(&p->v.timeline);
  if (ret == VOUCH_RET_OK) {
    p->timeline_of[0] = motion->accepted;
    p->timeline_of[1] = p->v.scene->keys.frames;
  }
  if (ret == VOUCH_RET_OK && p->weights_capacity < p->v.timeline.interval_capacity) {
    vouch_free(&p->allocator, p->weights);
    p->weights_capacity = 0;
    p->weights = vouch_realloc(
      &p->allocator, NULL, p->v.timeline.interval_capacity,
      KERNEL_CHAINS * (p->v.scene->most_joints + 1u) * sizeof(*p->weights));
    if (p->weights == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    p->weights_capacity = p->v.timeline.interval_capacity;
  }
  return ret;
}

/// Why:      a step too many for the memory loses the certificate, never a goal.
void kernel_write(kernel_proof_t * p, const void * data, size_t size)
{
  if (!p->record || p->v.ops_failed) {
    return;
  }
  size_t used = p->v.steps.ops_size;
  if (p->buffers.ops_capacity - used < size) {
    size_t capacity = 2u * p->buffers.ops_capacity + size + 4096u;
    uint8_t * ops = vouch_realloc(&p->allocator, p->buffers.ops, capacity, 1);
    if (ops == NULL) {
      p->v.ops_failed = true;
      return;
    }
    p->v.steps.ops = p->buffers.ops = ops;
    p->buffers.ops_capacity = capacity;
  }
  memcpy(p->buffers.ops + used, data, size);
  p->v.steps.ops_size = used + size;
}

/// The first byte of a step for the goal on top, or of what it owes.
static void write_tag(kernel_proof_t * p, proof_tag_t tag)
{
  const uint8_t byte = (uint8_t)tag;
  if (p->record && p->v.stack[p->v.stack_size - 1u].body_b == VOUCH_NONE) {
    kernel_mark(p);
  }
  kernel_write(p, &byte, 1);
}

/// [L7] Ensures:  the goal is on the stack, with the pair's margin; one with nothing to check under
///           it is dropped without an op.
static void push(kernel_proof_t * p, const kernel_goal_t * goal)
{
  const vouch_pair_t * pair = kernel_pair(p);
  if (goal->body_b != VOUCH_NONE || pair->checked[goal->b]) {
    p->v.stack[p->v.stack_size] = *goal;
    p->v.stack[p->v.stack_size++].margin = pair->margin;
  }
}

/// Ensures:  no pose that was found for another pair is taken for one of this pair.
/// Why:      serial numbers say whose cached poses these are. They start again before they meet
///           VOUCH_NONE or an old one.
static void next_serial(kernel_proof_t * p)
{
  if (p->v.serial >= VOUCH_NONE - 1u) {
    memset(p->relative_of, 0, p->v.timeline.configuration_capacity * sizeof(*p->relative_of));
    p->v.serial = 0;
  }
  p->v.serial++;
  p->v.known_node = p->v.known_interval = VOUCH_NONE;
}

/// Ensures:  the pair is the open one, with no goal yet and nothing given up.
static void open_pair(kernel_proof_t * p, uint32_t pair)
{
  const vouch_problem_t * problem = p->v.scene->problem;
  const vouch_body_t * body = &problem->scene.bodies[problem->scene.pairs[pair].a];
  p->v.pair = pair;
  p->v.path = &p->v.scene->paths[pair];
  p->v.kind = problem->scene.pairs[pair].kind;
  p->v.geometry_a = problem->geometry.geometries[body->geometry];
  p->plain = p->v.path->frame_b == 0 && !p->v.scene->placed[problem->scene.pairs[pair].a];
  next_serial(p);
  p->v.stack_size = 0;
  p->v.abandoned = false;
}

/// Other phases leave alone what the proof wrote.
static void begin_at_root(kernel_proof_t * p)
{
  p->opened_at_root = true;
  if (p->v.mode == KERNEL_MODE_PROOF) {
    kernel_begin_stretch(p);
  }
}

/// Why:      section 3: the goal of both roots over the whole motion speaks about everything of the
///           pair.
void kernel_proof_open(kernel_proof_t * p, uint32_t number)
{
  const vouch_scene_part_t * scene = &p->v.scene->problem->scene;
  const vouch_pair_t * pair = &scene->pairs[number];
  if (pair->a >= scene->body_count) {   // all of that group have pairs of their own, or are skipped
    p->v.pair = number;
    p->v.stack_size = 0;
    p->v.abandoned = false;
    begin_at_root(p);
    return;
  }
  open_pair(p, number);
  begin_at_root(p);
  bool group = pair->kind == VOUCH_PAIR_GROUP;
  kernel_goal_t root = {.b = group ? vouch_group_of(scene, pair->b) : 0,
    .body_b = group ? VOUCH_NONE : pair->b};
  push(p, &root);
}

/// Why:      what is closed from here on proves that goal only, so the pair cannot count as proved.
void kernel_proof_open_at(kernel_proof_t * p, uint32_t pair, const kernel_goal_t * goal)
{
  open_pair(p, pair);
  p->opened_at_root = false;
  push(p, goal);
}

/* ---- splitting ---- */

/// Ensures:  two goals in place of one, the earlier half on top.
/// Why:      both halves together are the interval (section 3). It is the only step that is allowed
///           where a start lies inside [L10].
kernel_step_result_t kernel_split_time(kernel_proof_t * p)
{
  kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  if (p->v.stack_size + 1u > KERNEL_STACK ||
    !kernel_timeline_split(&p->v.timeline, goal->interval))
  {
    return KERNEL_LIMIT;
  }
  const kernel_interval_t * interval = &p->v.timeline.intervals[goal->interval];
  write_tag(p, PROOF_SPLIT);
  goal[1] = goal[0];
  goal[0].interval = interval->right;
  goal[1].interval = interval->left;
  p->v.stack_size++;
  return KERNEL_DONE;
}

/// [L8] Ensures:  true if the step would leave the node above the open meshes of a body at a start.
/// Why:      nothing else may be within their hull there. Once that is proved, how far apart they are
///           is a question about their triangles. Of what may touch it always is ([L2]).
static bool enters_open(
  const kernel_proof_t * p, const kernel_goal_t * goal, const vouch_geometry_t * g, uint32_t node)
{
  bool touch = kernel_may_touch(p);
  bool shown = p->v.mode == KERNEL_MODE_CLEARANCE ? p->proved_free && !touch : touch;
  return node == g->open_node && p->v.timeline.intervals[goal->interval].begins_at_start && !shown;
}

/// [L7, L8] Requires: left and right together contain the goal.
/// Ensures:  DONE only if they take its place and what is owed at a start is paid and written; else
///           the steps are as they were.
static kernel_step_result_t descend(
  kernel_proof_t * p, proof_tag_t tag, const kernel_goal_t * goal, const kernel_goal_t * left,
  const kernel_goal_t * right)
{
  size_t begin = p->v.steps.ops_size;
  write_tag(p, tag);
  kernel_step_result_t owed = kernel_start_containment(p, goal);
  if (owed != KERNEL_DONE) {
    p->v.steps.ops_size = begin;
    return owed;
  }
  p->v.stack_size--;
  push(p, right);
  push(p, left);
  return KERNEL_DONE;
}

/// [L7] Why:      children tile their parent. Not before a group: its bodies owe rays that nothing
///           would name. Not across a start [L10].
kernel_step_result_t kernel_descend_a(kernel_proof_t * p)
{
  kernel_goal_t goal = p->v.stack[p->v.stack_size - 1u], left = goal, right = goal;
  const vouch_tree_node_t * node = &kernel_geometry_a(p)->nodes[goal.a];
  if (node->left == 0 || goal.body_b == VOUCH_NONE || !kernel_usable(p, &goal)) {
    return KERNEL_REFUSED;
  }
  if (enters_open(p, &goal, kernel_geometry_a(p), goal.a)) {
    return KERNEL_OPEN_SURFACE;
  }
  if (p->v.stack_size + 1u > KERNEL_STACK) {
    return KERNEL_LIMIT;
  }
  left.a = node->left;
  right.a = node->right;
  return descend(p, PROOF_A, &goal, &left, &right);
}

/// [L7] Ensures:  the goals of both children, or of the leaf's body.
/// Why:      they are what is beneath the group; a half that is not checked is dropped by push(), and
///           the op says that one goal is left.
static kernel_step_result_t descend_group(kernel_proof_t * p)
{
  kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  const vouch_group_t * group = &p->v.scene->problem->scene.groups[goal->b];
  const bool * checked = kernel_pair(p)->checked;
  if (group->body != VOUCH_NONE) {
    write_tag(p, PROOF_ONE_B);
    goal->body_b = group->body;
    goal->b = 0;
    return KERNEL_DONE;
  }
  write_tag(p, checked[group->left] && checked[group->right] ? PROOF_B : PROOF_ONE_B);
  kernel_goal_t left = *goal, right = *goal;
  left.b = group->left;
  right.b = group->right;
  p->v.stack_size--;
  push(p, &right);
  push(p, &left);
  return KERNEL_DONE;
}

/// [L7] Why:      as for A; a plane has no children.
kernel_step_result_t kernel_descend_b(kernel_proof_t * p)
{
  const kernel_goal_t * top = &p->v.stack[p->v.stack_size - 1u];
  if (p->v.kind == VOUCH_PAIR_PLANE || !kernel_usable(p, top)) {
    return KERNEL_REFUSED;
  }
  if (p->v.stack_size + 1u > KERNEL_STACK) {
    return KERNEL_LIMIT;
  }
  if (top->body_b == VOUCH_NONE) {
    return descend_group(p);
  }
  const vouch_tree_node_t * node = &kernel_geometry_b(p, top)->nodes[top->b];
  if (node->left == 0) {
    return KERNEL_REFUSED;
  }
  if (enters_open(p, top, kernel_geometry_b(p, top), top->b)) {
    return KERNEL_OPEN_SURFACE;
  }
  kernel_goal_t goal = *top, left = goal, right = goal;
  left.b = node->left;
  right.b = node->right;
  return descend(p, PROOF_B, &goal, &left, &right);
}

void kernel_write_record(kernel_proof_t * p, proof_tag_t tag, const float values[3])
{
  write_tag(p, tag);
  kernel_write(p, values, 3u * sizeof(float));
}

/// Ensures:  true only if the goal lies wholly at or after the horizon; it is dropped, and with a
///           horizon no pair counts as proved (kernel_proof_finish()).
bool kernel_skip(kernel_proof_t * p)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  const kernel_interval_t * interval = &p->v.timeline.intervals[goal->interval];
  double begin = ldexp((double)interval->numerator, -(int)interval->depth);
  bool after = interval->first > p->v.horizon_segment ||
    (interval->first == p->v.horizon_segment && begin >= p->v.horizon_fraction);
  if (!p->v.has_horizon || !after) {
    return false;
  }
  write_tag(p, PROOF_NOTHING);
  p->v.stack_size--;
  return true;
}

void kernel_abandon(kernel_proof_t * p)
{
  p->v.abandoned = true;
  p->v.stack_size--;
}
