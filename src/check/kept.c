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
#include "check/kept.h"

#include "base/error.h"

static void release_scene(vouch_checker_t * c, check_kept_t * k)
{
  if (!k->same_scene) {
    kernel_scene_fini(&k->kernel);
    vouch_build_fini(&k->build);
    vouch_scene_destroy(k->scene);
    k->scene = NULL;
    k->same_scene = true;
  }
  if (!k->same_motion) {
    vouch_arena_fini(&k->motion.arena);
    k->same_motion = true;
  }
  vouch_arena_fini(&k->arena);
  k->arena = (vouch_arena_t) {.allocator = c->allocator};
  k->old_pair = NULL;
  k->pairs = k->clean = k->inside = NULL;
  k->whole = NULL;
  k->moved = false;
  k->valid = false;
}

void check_forget(vouch_checker_t * c)
{
  if (c->kept != NULL && c->kept->valid) {
    release_scene(c, c->kept);
  }
}

void check_kept_destroy(vouch_checker_t * c)
{
  check_kept_t * k = c->kept;
  if (k != NULL) {
    release_scene(c, k);
    vouch_free(&c->allocator, k->ops);
    vouch_free(&c->allocator, k->steps);
    vouch_free(&c->allocator, k->rounding);
    vouch_free(&c->allocator, k);
    c->kept = NULL;
  }
}

static bool make_room(vouch_checker_t * c, check_kept_t * k, uint32_t pairs, size_t bytes)
{
  if (pairs > k->pair_capacity) {
    vouch_free(&c->allocator, k->steps);
    vouch_free(&c->allocator, k->rounding);
    k->pair_capacity = 0;
    k->steps = vouch_calloc(&c->allocator, pairs, sizeof(*k->steps));
    k->rounding = vouch_calloc(&c->allocator, pairs, 2u * sizeof(*k->rounding));
    if (k->steps == NULL || k->rounding == NULL) {
      return false;
    }
    k->pair_capacity = pairs;
  }
  if (bytes > k->ops_capacity) {
    uint8_t * ops = vouch_realloc(&c->allocator, k->ops, bytes, 1);
    if (ops == NULL) {
      return false;
    }
    k->ops = ops;
    k->ops_capacity = bytes;
  }
  return true;
}

static check_kept_t * kept_of(vouch_checker_t * c)
{
  if (c->kept == NULL) {
    c->kept = vouch_calloc(&c->allocator, 1, sizeof(*c->kept));
    if (c->kept != NULL) {
      c->kept->same_scene = c->kept->same_motion = true;
      c->kept->arena.allocator = c->allocator;
    }
  }
  return c->kept;
}

/// One worker's steps lie in order: the buffers change hands. Several workers' are put together.
static void take_ops(vouch_checker_t * c, check_kept_t * k)
{
  uint32_t pairs = c->build.problem.scene.pair_count;
  kernel_proof_t * p = &c->workers[0].proof;
  if (c->worker_count == 1u) {
    uint8_t * ops = p->ops;
    size_t capacity = p->ops_capacity;
    k->ops_size = p->ops_size;
    p->ops = k->ops;
    p->ops_capacity = k->ops_capacity;
    p->ops_size = 0;
    k->ops = ops;
    k->ops_capacity = capacity;
  }
  size_t at = 0;
  for (uint32_t i = 0; i < pairs; i++) {
    const check_pair_t * pair = &c->pairs[i];
    size_t size = pair->ops_end - pair->ops_begin;
    if (c->worker_count > 1u && size > 0) {
      memcpy(k->ops + at, c->workers[pair->worker].proof.ops + pair->ops_begin, size);
    }
    size_t begin = c->worker_count > 1u ? at : pair->ops_begin;
    k->steps[i] = (check_steps_t) {begin, begin + size, pair->leaves};
    k->rounding[2u * i] = c->kernel.paths[i].rounding;
    k->rounding[2u * i + 1u] = c->kernel.paths[i].error;
    at += size;
  }
  k->ops_size = c->worker_count > 1u ? at : k->ops_size;
}

void check_keep(vouch_checker_t * c)
{
  if (!c->checked || c->verdict != VOUCH_FREE || !c->options.certificate) {
    return;
  }
  c->checked = false;
  size_t bytes = 0;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    if (c->workers[i].proof.ops_failed) {
      return;
    }
    bytes += c->worker_count > 1u ? c->workers[i].proof.ops_size : 0;
  }
  check_kept_t * k = kept_of(c);
  if (k == NULL) {
    return;
  }
  release_scene(c, k);
  if (make_room(c, k, c->build.problem.scene.pair_count, bytes)) {
    take_ops(c, k);
    k->timeline = true;
    k->same_frames = true;
    k->valid = true;
  }
}

/* ---- the same motion? ---- */

static bool same_numbers(const double * a, const double * b, size_t count)
{
  return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

/// Bit by bit, and the tolerances too: nothing that the timeline is made from differs. Motions never
/// change, and a serial number belongs to one of them only, so that a copy of it is the same.
static bool same_motion(
  const vouch_motion_part_t * part, const vouch_motion_t * motion, const double * tolerances)
{
  if (part->serial != 0 && part->serial == motion->serial) {
    return part->segment_count == motion->segment_count && same_numbers(
      part->tolerances, tolerances, part->variable_count);
  }
  size_t knots = (size_t)motion->segment_count + 1u;
  size_t variables = motion->robot->variable_count;
  return part->segment_count == motion->segment_count && part->variable_count == variables &&
         memcmp(
    part->degrees, motion->degrees, motion->segment_count * sizeof(*part->degrees)) == 0 &&
         memcmp(
    part->offsets, motion->offsets, motion->segment_count * sizeof(*part->offsets)) == 0 &&
         same_numbers(part->knots, motion->knots, knots) &&
         same_numbers(part->seconds, motion->seconds, knots) &&
         same_numbers(part->tolerances, tolerances, variables) &&
         same_numbers(part->coefficients, motion->coefficients, motion->coefficient_count);
}

/// Sets another motion; the one that the proof is about is kept with it.
static vouch_ret_t change_motion(vouch_checker_t * c, const vouch_motion_t * motion)
{
  check_kept_t * k = c->kept;
  if (k->same_motion) {
    k->motion = c->build.problem.motion;
    c->build.problem.motion = (vouch_motion_part_t) {.arena = {.allocator = c->allocator}};
    k->same_motion = false;
  }
  k->timeline = false;
  return vouch_build_set_motion(&c->build, motion, c->tolerances);
}

/// Timelines only grow while they are kept: a full one is made anew.
static bool has_room(const kernel_timeline_t * t)
{
  return t->interval_count <= t->interval_capacity / 2u &&
         t->configuration_count <= t->configuration_capacity / 2u;
}

static vouch_ret_t replay_kept(vouch_checker_t * c, vouch_result_t * result)
{
  check_kept_t * k = c->kept;
  const kernel_timeline_t * t = &c->workers[0].proof.timeline;
  check_trust_t trust = {.pairs = k->pairs, .clean = k->clean, .inside = k->inside,
    .whole = k->whole, .rounding = k->rounding};
  check_replay_t replay = {.problem = &c->build.problem,
    .old = k->same_scene ? &c->build.problem.scene : &k->build.problem.scene,
    .old_motion = k->same_motion ? &c->build.problem.motion : &k->motion, .ops = k->ops,
    .ops_size = k->ops_size, .steps = k->steps, .old_pair = k->old_pair,
    .group = k->same_scene ? NULL : c->build.links.group,
    .stayed = k->same_scene ? NULL : c->build.links.stayed,
    .loose = k->moved, .trust = k->same_frames ? &trust : NULL, .same_motion = k->same_motion,
    .keep_timeline = k->timeline && has_room(t)};
  uint32_t configurations = replay.keep_timeline ? t->configuration_count : 0;
  c->replay = &replay;
  vouch_ret_t ret = check_run(c, result);
  c->replay = NULL;
  k->timeline = ret == VOUCH_RET_OK;
  if (result->statistics.configurations >= configurations) {
    result->statistics.configurations -= configurations;
  }
  return ret;
}

vouch_ret_t vouch_checker_recertify(
  vouch_checker_t * c, const vouch_motion_t * motion, vouch_result_t * result)
{
  VOUCH_REQUIRE_RESULT(result);
  VOUCH_REQUIRE("checker, motion", c, motion);
  check_keep(c);
  check_kept_t * k = c->kept;
  if (k == NULL || !k->valid || motion->robot != vouch_scene_robot(c->scene)) {
    return vouch_check(c, motion, result);
  }
  c->checked = false;
  vouch_ret_t ret = check_robot(c);
  check_warn(c, motion);
  if (ret == VOUCH_RET_OK && !same_motion(&c->build.problem.motion, motion, c->tolerances)) {
    ret = change_motion(c, motion);
  }
  ret = ret ? ret : replay_kept(c, result);
  return check_end(c, ret, result);
}
