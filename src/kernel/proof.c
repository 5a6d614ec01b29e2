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

#include "kernel/proof.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"

vouch_ret_t kernel_proof_init(
  kernel_proof_t * p, const kernel_scene_t * scene, vouch_allocator_t allocator, size_t memory)
{
  memset(p, 0, sizeof(*p));
  p->allocator = allocator;
  p->scene = scene;
  vouch_ret_t ret = kernel_timeline_init(&p->timeline, scene->problem, allocator, memory);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  /* Not zeroed: a pose is read only where relative_of names its pair. */
  p->relative = vouch_realloc(
    &allocator, NULL, p->timeline.configuration_capacity, sizeof(*p->relative));
  p->relative_of = vouch_calloc(
    &allocator, p->timeline.configuration_capacity, sizeof(*p->relative_of));
  if (p->relative == NULL || p->relative_of == NULL) {
    kernel_proof_fini(p);
    return VOUCH_RET_NO_MEMORY;
  }
  return VOUCH_RET_OK;
}

void kernel_proof_fini(kernel_proof_t * p)
{
  kernel_timeline_fini(&p->timeline);
  vouch_free(&p->allocator, p->relative);
  vouch_free(&p->allocator, p->relative_of);
  vouch_free(&p->allocator, p->weights);
  vouch_free(&p->allocator, p->ops);
  memset(p, 0, sizeof(*p));
}

vouch_ret_t kernel_proof_again(kernel_proof_t * p)
{
  p->stack_size = 0;
  p->ops_size = 0;
  p->ops_failed = false;
  p->leaves = p->tests = 0;
  p->lower = INFINITY;
  p->opened_at_root = p->proved_free = false;
  p->known_node = p->known_interval = VOUCH_NONE;
  p->chain_keys = p->next_key;   // the timeline may be an old one, and the scene another
  p->next_key += p->scene->chain_count;
  p->fp_checked = vouch_fp_environment_ok();
  if (!p->fp_checked) {
    return vouch_fail(
      VOUCH_RET_FP_ENVIRONMENT,
      "this thread does not round to nearest or flushes denormals (a library compiled with "
      "-ffast-math does that): nothing can be proved");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t kernel_proof_begin(kernel_proof_t * p)
{
  vouch_ret_t ret = kernel_proof_again(p);
  ret = ret ? ret : kernel_timeline_set_motion(&p->timeline);
  if (ret == VOUCH_RET_OK && p->weights_capacity < p->timeline.interval_capacity) {
    vouch_free(&p->allocator, p->weights);
    p->weights_capacity = 0;
    p->weights = vouch_realloc(
      &p->allocator, NULL, p->timeline.interval_capacity,
      KERNEL_CHAINS * (p->scene->most_joints + 1u) * sizeof(*p->weights));
    if (p->weights == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    p->weights_capacity = p->timeline.interval_capacity;
  }
  return ret;
}

/// A step too many for the memory loses the certificate, never a goal.
void kernel_write(kernel_proof_t * p, const void * data, size_t size)
{
  if (!p->record || p->ops_failed) {
    return;
  }
  if (p->ops_capacity - p->ops_size < size) {
    size_t capacity = 2u * p->ops_capacity + size + 4096u;
    uint8_t * ops = vouch_realloc(&p->allocator, p->ops, capacity, 1);
    if (ops == NULL) {
      p->ops_failed = true;
      return;
    }
    p->ops = ops;
    p->ops_capacity = capacity;
  }
  memcpy(p->ops + p->ops_size, data, size);
  p->ops_size += size;
}

static void write_tag(kernel_proof_t * p, char tag)
{
  kernel_write(p, &tag, 1);
}

/// A goal with nothing to check under it is dropped without an op.
static void push(kernel_proof_t * p, const kernel_goal_t * goal)
{
  double margin = goal->margin;
  if (p->kind != VOUCH_PAIR_GROUP) {
    margin = kernel_pair(p)->margin;
  } else if (goal->body_b == VOUCH_NONE) {
    margin = kernel_pair(p)->leaf_margins[goal->b];
  }
  if (margin >= 0.0) {
    p->stack[p->stack_size] = *goal;
    p->stack[p->stack_size++].margin = margin;
  }
}

/// Serial numbers say whose cached poses these are. They start again before they
/// meet VOUCH_NONE or an old one.
static void next_serial(kernel_proof_t * p)
{
  if (p->serial >= VOUCH_NONE - 1u) {
    memset(p->relative_of, 0, p->timeline.configuration_capacity * sizeof(*p->relative_of));
    p->serial = 0;
  }
  p->serial++;
  p->known_node = p->known_interval = VOUCH_NONE;
}

static void open_pair(kernel_proof_t * p, uint32_t pair)
{
  const vouch_problem_t * problem = p->scene->problem;
  const vouch_body_t * body = &problem->scene.bodies[problem->scene.pairs[pair].a];
  p->pair = pair;
  p->path = &p->scene->paths[pair];
  p->kind = problem->scene.pairs[pair].kind;
  p->geometry_a = problem->geometry.geometries[body->geometry];
  p->plain = p->path->frame_b == 0 && !p->scene->placed[problem->scene.pairs[pair].a];
  next_serial(p);
  p->stack_size = 0;
  p->abandoned = false;
}

void kernel_proof_open(kernel_proof_t * p, uint32_t number)
{
  open_pair(p, number);
  p->opened_at_root = true;
  const vouch_pair_t * pair = kernel_pair(p);
  bool group = pair->kind == VOUCH_PAIR_GROUP;
  kernel_goal_t root = {.body_b = group ? VOUCH_NONE : pair->b};
  push(p, &root);
}

void kernel_proof_open_at(kernel_proof_t * p, uint32_t pair, const kernel_goal_t * goal)
{
  open_pair(p, pair);
  p->opened_at_root = false;
  push(p, goal);
}

bool kernel_proof_proved(const kernel_proof_t * p)
{
  return p->stack_size == 0 && p->opened_at_root && !p->abandoned && p->fp_checked &&
         !p->has_horizon &&
         p->mode == KERNEL_MODE_PROOF;
}

/* ---- splitting ---- */

/// The goal becomes the later half, and the earlier half comes on top of it.
kernel_step_result_t kernel_split_time(kernel_proof_t * p)
{
  kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  if (p->stack_size + 1u > KERNEL_STACK || !kernel_timeline_split(&p->timeline, goal->interval)) {
    return KERNEL_LIMIT;
  }
  const kernel_interval_t * interval = &p->timeline.intervals[goal->interval];
  write_tag(p, 'T');
  goal[1] = goal[0];
  goal[0].interval = interval->right;
  goal[1].interval = interval->left;
  p->stack_size++;
  return KERNEL_DONE;
}

/// [L8] At a start nothing else may be within the hull of the open meshes of a body. Once that is
/// proved, how far they are apart is a question about their triangles.
static bool enters_open(
  const kernel_proof_t * p, const kernel_goal_t * goal, const vouch_geometry_t * g, uint32_t node)
{
  bool shown = p->mode == KERNEL_MODE_CLEARANCE && p->proved_free;
  return node == g->open_node && p->timeline.intervals[goal->interval].begins_at_start && !shown;
}

/// [L7, L8] The goal is replaced by two that cover it, after what is owed at a start.
static kernel_step_result_t descend(
  kernel_proof_t * p, char tag, const kernel_goal_t * goal, const kernel_goal_t * left,
  const kernel_goal_t * right)
{
  size_t mark = p->ops_size;
  write_tag(p, tag);
  kernel_step_result_t owed = kernel_start_containment(p, goal);
  if (owed != KERNEL_DONE) {
    p->ops_size = p->record ? mark : p->ops_size;
    return owed;
  }
  p->stack_size--;
  push(p, right);
  push(p, left);
  return KERNEL_DONE;
}

kernel_step_result_t kernel_descend_a(kernel_proof_t * p)
{
  kernel_goal_t goal = p->stack[p->stack_size - 1u], left = goal, right = goal;
  const vouch_tree_node_t * node = &kernel_geometry_a(p)->nodes[goal.a];
  if (node->left == 0 || goal.body_b == VOUCH_NONE || !kernel_usable(p, &goal)) {
    return KERNEL_REFUSED;
  }
  if (enters_open(p, &goal, kernel_geometry_a(p), goal.a)) {
    return KERNEL_OPEN_SURFACE;
  }
  if (p->stack_size + 1u > KERNEL_STACK) {
    return KERNEL_LIMIT;
  }
  left.a = node->left;
  right.a = node->right;
  return descend(p, 'A', &goal, &left, &right);
}

/// A leaf becomes its body, whose margin is the leaf's.
static kernel_step_result_t descend_group(kernel_proof_t * p)
{
  kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  const vouch_group_t * group = &p->scene->problem->scene.groups[goal->b];
  write_tag(p, 'B');
  if (group->body != VOUCH_NONE) {
    goal->body_b = group->body;
    goal->b = 0;
    return KERNEL_DONE;
  }
  kernel_goal_t left = *goal, right = *goal;
  left.b = group->left;
  right.b = group->right;
  p->stack_size--;
  push(p, &right);
  push(p, &left);
  return KERNEL_DONE;
}

kernel_step_result_t kernel_descend_b(kernel_proof_t * p)
{
  const kernel_goal_t * top = &p->stack[p->stack_size - 1u];
  if (p->kind == VOUCH_PAIR_PLANE || !kernel_usable(p, top)) {
    return KERNEL_REFUSED;
  }
  if (p->stack_size + 1u > KERNEL_STACK) {
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
  return descend(p, 'B', &goal, &left, &right);
}

void kernel_write_record(kernel_proof_t * p, char tag, const float values[3])
{
  write_tag(p, tag);
  kernel_write(p, values, 3u * sizeof(float));
}

bool kernel_skip(kernel_proof_t * p)
{
  const kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  const kernel_interval_t * interval = &p->timeline.intervals[goal->interval];
  double begin = ldexp((double)interval->numerator, -(int)interval->depth);
  bool after = interval->first > p->horizon_segment ||
    (interval->first == p->horizon_segment && begin >= p->horizon_fraction);
  if (!p->has_horizon || !after) {
    return false;
  }
  write_tag(p, 'S');
  p->stack_size--;
  return true;
}

void kernel_abandon(kernel_proof_t * p)
{
  p->abandoned = true;
  p->stack_size--;
}
