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

#include "check/replay.h"

#include "base/bytes.h"
#include "base/error.h"

/// Where an old pair's steps lie in the old certificate.
typedef struct steps_s
{
  size_t begin, end;
} steps_t;

struct check_replay_s
{
  vouch_allocator_t allocator;
  const vouch_problem_t * problem;
  vouch_problem_t old;
  const uint8_t * ops;
  size_t ops_size;
  steps_t * old_steps;    // per old pair
  uint32_t * old_pair;    // per new pair; VOUCH_NONE: none of the same shape
};

static size_t step_size(uint8_t tag)
{
  switch (tag) {
    case 'T':
    case 'A':
    case 'B':
      return 1;
    case 'P':
      return 2;
    case 'L':
    case 'I':
    case 'H':
      return 13;
    case 'D':
      return 25;
    default:
      return 0;
  }
}

#define REPLAY_STACK 1024

/// Walks one goal's steps; `group` is VOUCH_NONE below the obstacle tree. Returns the position
/// behind them, or SIZE_MAX when the steps are damaged.
static size_t walk(const check_replay_t * r, const vouch_pair_t * pair, uint32_t group, size_t at)
{
  uint32_t stack[REPLAY_STACK], top = 0;
  const vouch_scene_part_t * scene = &r->old.scene;
  stack[top++] = group;
  while (top > 0) {
    uint32_t now = stack[--top];
    if (now != VOUCH_NONE && !(pair->leaf_margins[now] >= 0.0)) {
      continue;
    }
    uint8_t tag = at < r->ops_size ? r->ops[at] : 0;
    size_t size = step_size(tag);
    if (size == 0 || tag == 'I' || tag == 'H' || r->ops_size - at < size ||
      top + 2u > REPLAY_STACK)
    {
      return SIZE_MAX;
    }
    at += size;
    if (tag == 'B' && now != VOUCH_NONE) {
      bool leaf = scene->groups[now].body != VOUCH_NONE;
      stack[top++] = leaf ? VOUCH_NONE : scene->groups[now].right;
      if (!leaf) {
        stack[top++] = scene->groups[now].left;
      }
    } else if (tag == 'T' || tag == 'A' || tag == 'B') {
      stack[top++] = now;
      stack[top++] = now;
    }
    while (at < r->ops_size && (r->ops[at] == 'I' || r->ops[at] == 'H')) {
      at += 13;
    }
  }
  return at <= r->ops_size ? at : SIZE_MAX;
}

static vouch_ret_t find_steps(check_replay_t * r)
{
  size_t at = 0;
  for (uint32_t i = 0; i < r->old.scene.pair_count; i++) {
    const vouch_pair_t * pair = &r->old.scene.pairs[i];
    size_t end = walk(r, pair, pair->kind == VOUCH_PAIR_GROUP ? 0 : VOUCH_NONE, at);
    if (end == SIZE_MAX) {
      return vouch_fail(VOUCH_RET_INVALID, "the old certificate does not fit the old problem");
    }
    r->old_steps[i] = (steps_t) {at, end};
    at = end;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_certificate(check_replay_t * r, const uint8_t * data, size_t size)
{
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  const uint8_t * magic = vouch_bytes_take(&in, 8);
  uint32_t version = vouch_bytes_get_u32(&in);
  const uint8_t * hashes = vouch_bytes_take(&in, 96);
  uint8_t kind = vouch_bytes_get_u8(&in);
  if (in.failed || memcmp(magic, "VOUCHCRT", 8) != 0 || version != 1 || kind != 1) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate is not one of a FREE motion");
  }
  if (memcmp(hashes, r->old.geometry.hash, 32) != 0 ||
    memcmp(hashes + 32, r->old.scene.hash, 32) != 0 ||
    memcmp(hashes + 64, r->old.motion.hash, 32) != 0)
  {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate belongs to another problem");
  }
  vouch_bytes_take(&in, 8);
  uint32_t tolerances = vouch_bytes_get_count(&in, 8);
  vouch_bytes_take(&in, 8u * (size_t)tolerances);
  r->ops_size = (size_t)vouch_bytes_get_u64(&in);
  r->ops = vouch_bytes_take(&in, r->ops_size);
  if (in.failed) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate is cut off");
  }
  return find_steps(r);
}

/// The same obstacle tree: same shape, same obstacles in the same places of it.
static bool same_groups(const check_replay_t * r)
{
  const vouch_scene_part_t * a = &r->old.scene, * b = &r->problem->scene;
  if (a->group_count != b->group_count) {
    return false;
  }
  for (uint32_t i = 0; i < a->group_count; i++) {
    const vouch_group_t * x = &a->groups[i], * y = &b->groups[i];
    bool leaf = x->body != VOUCH_NONE;
    if (leaf != (y->body != VOUCH_NONE) || x->left != y->left || x->right != y->right ||
      (leaf && strcmp(a->bodies[x->body].id, b->bodies[y->body].id) != 0))
    {
      return false;
    }
  }
  return true;
}

static bool same_pair(const check_replay_t * r, const vouch_pair_t * x, const vouch_pair_t * y)
{
  const vouch_scene_part_t * a = &r->old.scene, * b = &r->problem->scene;
  if (x->kind != y->kind || strcmp(a->bodies[x->a].id, b->bodies[y->a].id) != 0) {
    return false;
  }
  if (x->kind != VOUCH_PAIR_GROUP) {
    return strcmp(a->bodies[x->b].id, b->bodies[y->b].id) == 0;
  }
  for (uint32_t i = 0; i < a->group_count; i++) {
    if ((x->leaf_margins[i] >= 0.0) != (y->leaf_margins[i] >= 0.0)) {
      return false;
    }
  }
  return true;
}

static void match_pairs(check_replay_t * r)
{
  bool groups = same_groups(r);
  bool motion = r->old.motion.segment_count == r->problem->motion.segment_count;
  for (uint32_t i = 0; i < r->problem->scene.pair_count; i++) {
    const vouch_pair_t * pair = &r->problem->scene.pairs[i];
    r->old_pair[i] = VOUCH_NONE;
    for (uint32_t k = 0; motion && k < r->old.scene.pair_count; k++) {
      uint32_t guess = (i + k) % r->old.scene.pair_count;
      if ((groups || pair->kind != VOUCH_PAIR_GROUP) &&
        same_pair(r, &r->old.scene.pairs[guess], pair))
      {
        r->old_pair[i] = guess;
        break;
      }
    }
  }
}

vouch_ret_t check_replay_create(
  check_replay_t ** replay, const vouch_problem_t * problem, vouch_allocator_t allocator,
  const uint8_t * old_problem, size_t old_problem_size, const uint8_t * old_certificate,
  size_t old_certificate_size)
{
  *replay = NULL;
  check_replay_t * r = vouch_calloc(&allocator, 1, sizeof(*r));
  if (r == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  r->allocator = allocator;
  r->problem = problem;
  vouch_ret_t ret = vouch_problem_decode(&r->old, allocator, old_problem, old_problem_size);
  if (ret != VOUCH_RET_OK) {
    vouch_free(&allocator, r);
    return ret;
  }
  r->old_steps = vouch_calloc(&allocator, r->old.scene.pair_count, sizeof(*r->old_steps));
  r->old_pair = vouch_calloc(&allocator, problem->scene.pair_count, sizeof(*r->old_pair));
  ret = r->old_steps == NULL || r->old_pair == NULL ? VOUCH_RET_NO_MEMORY :
    read_certificate(r, old_certificate, old_certificate_size);
  if (ret != VOUCH_RET_OK) {
    check_replay_destroy(r);
    return ret;
  }
  match_pairs(r);
  *replay = r;
  return VOUCH_RET_OK;
}

void check_replay_destroy(check_replay_t * r)
{
  if (r != NULL) {
    vouch_allocator_t allocator = r->allocator;
    vouch_problem_fini(&r->old);
    vouch_free(&allocator, r->old_steps);
    vouch_free(&allocator, r->old_pair);
    vouch_free(&allocator, r);
  }
}

static vec3_t direction_at(const uint8_t * bytes)
{
  float n[3];
  memcpy(n, bytes, sizeof(n));
  return vec3((double)n[0], (double)n[1], (double)n[2]);
}

/// Tries the old step on the goal on top.
static bool step(kernel_proof_t * p, const uint8_t * op)
{
  switch (op[0]) {
    case 'T':
      return kernel_split_time(p) == KERNEL_DONE;
    case 'A':
      return kernel_descend_a(p) == KERNEL_DONE;
    case 'B':
      return kernel_descend_b(p) == KERNEL_DONE;
    case 'L':
      return kernel_close_chord(p, direction_at(op + 1));
    case 'D':
      return kernel_close_schwarzer(p, direction_at(op + 1), direction_at(op + 13));
    case 'P':
      return kernel_close_plane(p, op[1] == 1);
    default:
      return false;
  }
}

search_outcome_t check_replay_pair(const check_replay_t * r, search_t * s, uint32_t number)
{
  uint32_t old = r->old_pair[number];
  if (old == VOUCH_NONE) {
    return search_pair(s, number);
  }
  kernel_proof_t * p = s->proof;
  const vouch_pair_t * pair = &r->old.scene.pairs[old];
  size_t at = r->old_steps[old].begin;
  kernel_proof_open(p, number);
  search_outcome_t outcome = SEARCH_PROVED;
  while (kernel_proof_goal(p) != NULL && at < r->old_steps[old].end) {
    const kernel_goal_t * goal = kernel_proof_goal(p);
    uint32_t height = p->stack_size - 1u;
    uint32_t group = goal->body_b == VOUCH_NONE ? goal->b : VOUCH_NONE;
    const uint8_t * op = r->ops + at;
    if (op[0] == 'L') {
      kernel_proof_hint(p, direction_at(op + 1));
    }
    if (step(p, op)) {
      at += step_size(op[0]);
      while (at < r->old_steps[old].end && (r->ops[at] == 'I' || r->ops[at] == 'H')) {
        at += 13;
      }
      continue;
    }
    at = walk(r, pair, group, at);
    s->floor = height;
    outcome = search_goals(s);
    s->floor = 0;
    if (at == SIZE_MAX || outcome == SEARCH_CONTACT || outcome == SEARCH_STOPPED) {
      break;
    }
  }
  return outcome == SEARCH_CONTACT || outcome == SEARCH_STOPPED ? outcome : search_goals(s);
}

vouch_ret_t vouch_recertify(
  vouch_checker_t * c, const vouch_motion_t * motion, const uint8_t * old_problem,
  size_t old_problem_size, const uint8_t * old_certificate, size_t old_certificate_size,
  vouch_result_t * result)
{
  memset(result, 0, sizeof(*result));
  c->checked = false;
  if (motion == NULL || motion->robot != vouch_scene_robot(c->scene)) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion belongs to another robot than the checker");
  }
  check_warn(c, motion);
  vouch_ret_t ret = vouch_build_set_motion(&c->build, motion, c->tolerances);
  if (ret == VOUCH_RET_OK) {
    ret = check_replay_create(
      &c->replay, &c->build.problem, c->allocator, old_problem, old_problem_size, old_certificate,
      old_certificate_size);
  }
  if (ret == VOUCH_RET_OK) {
    ret = check_run(c, result);
  }
  check_replay_destroy(c->replay);
  c->replay = NULL;
  if (ret != VOUCH_RET_OK) {
    c->checked = false;
    result->verdict = VOUCH_UNDECIDED;
  }
  return ret;
}
