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
/* Re-certification. From memory, steps of the checker's own last proof are copied where the kernel finds
 * that all they were about is the same. From files the old proof is a guide and nothing more: every
 * step is tested again, so that it need not be trusted, nor even be a proof. */

#include "check/again.h"

#include "base/bytes.h"
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
    kernel_kept_destroy(k->proof);
    vouch_free(&c->allocator, k);
    c->kept = NULL;
  }
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
  if (c->kept != NULL && c->kept->proof == NULL &&
    kernel_kept_create(&c->kept->proof, c->allocator) != VOUCH_RET_OK)
  {
    return NULL;
  }
  return c->kept;
}

void check_keep(vouch_checker_t * c)
{
  if (!c->checked || c->verdict != VOUCH_FREE || !c->options.certificate) {
    return;
  }
  c->checked = false;
  check_kept_t * k = kept_of(c);
  if (k != NULL) {
    kernel_proof_t * proofs[CHECK_MAX_WORKERS];
    check_proofs(c, proofs);
    release_scene(c, k);
    k->valid = kernel_keep(k->proof, proofs, c->worker_count);
  }
}

/* ---- from memory ---- */

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
  return vouch_build_set_motion(&c->build, motion, c->tolerances);
}

static vouch_ret_t run_kept(vouch_checker_t * c, vouch_result_t * result)
{
  check_kept_t * k = c->kept;
  const kernel_proof_t * proof = c->workers[0].proof;
  uint32_t configurations =
    kernel_proof_can_stay(proof) ? kernel_view(proof)->timeline.configuration_count : 0;
  check_reuse_t reuse = {.problem = &c->build.problem,
    .old = k->same_scene ? &c->build.problem.scene : &k->build.problem.scene,
    .old_motion = k->same_motion ? &c->build.problem.motion : &k->motion,
    .kept = k->proof, .old_pair = k->old_pair,
    .group = k->same_scene ? NULL : c->build.links.group,
    .stayed = k->same_scene ? NULL : c->build.links.stayed};
  c->reuse = &reuse;
  vouch_ret_t ret = check_run(c, result);
  c->reuse = NULL;
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
  ret = ret ? ret : check_growth(c, vouch_motion_has_time(motion));
  check_warn(c, motion);
  if (ret == VOUCH_RET_OK && !same_motion(&c->build.problem.motion, motion, c->tolerances)) {
    ret = change_motion(c, motion);
  }
  ret = ret ? ret : run_kept(c, result);
  return check_end(c, ret, result);
}

/* ---- from files ---- */

typedef struct file_s
{
  const uint8_t * data;
  size_t size;
} file_t;

/// An old problem, and the steps of its certificate.
typedef struct guide_s
{
  vouch_problem_t old;
  vouch_text_t ops;
  vouch_arena_t arena;
  proof_stretch_t * steps;   // per old pair
  uint32_t * old_pair;       // per new pair
} guide_t;

/// The ops of a certificate that belongs to the old problem.
static vouch_ret_t find_ops(const vouch_problem_t * old, file_t file, file_t * ops)
{
  vouch_bytes_t in = vouch_bytes_reader(file.data, file.size);
  const uint8_t * magic = vouch_bytes_take(&in, 8);
  uint32_t version = vouch_bytes_get_u32(&in), kind = vouch_bytes_get_u32(&in);
  const uint8_t * hashes = vouch_bytes_take(&in, 128);
  (void)vouch_bytes_get_u64(&in);   // the end of the motion
  if (in.failed || memcmp(magic, "VOUCHCRT", 8) != 0 || version != CHECK_CERTIFICATE_VERSION ||
    kind != 1)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "the old certificate is not one of a FREE motion, of this version");
  }
  if (memcmp(hashes, old->geometry.hash, 32) != 0 ||
    memcmp(hashes + 32, old->motion.hash, 32) != 0 ||
    memcmp(hashes + 64, old->scene.hash, 32) != 0 ||
    memcmp(hashes + 96, old->sources.hash, 32) != 0)
  {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate belongs to another problem");
  }
  *ops = (file_t) {in.data + in.position, in.size - in.position};
  return VOUCH_RET_OK;
}

static vouch_ret_t decode_steps(guide_t * guide, file_t ops)
{
  const vouch_scene_part_t * old = &guide->old.scene;
  bool * has_goal = vouch_arena_calloc(&guide->arena, old->pair_count, sizeof(*has_goal));
  guide->steps = vouch_arena_calloc(&guide->arena, old->pair_count, sizeof(*guide->steps));
  if (has_goal == NULL || guide->steps == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < old->pair_count; i++) {
    has_goal[i] = check_has_goal(old, i);
  }
  return proof_decode(
    ops.data, ops.size, has_goal, old->pair_count, &guide->ops, guide->steps);
}

static vouch_ret_t read_guide(
  guide_t * guide, vouch_checker_t * c, file_t problem, file_t certificate)
{
  file_t ops = {NULL, 0};
  vouch_ret_t ret = vouch_problem_decode(&guide->old, c->allocator, problem.data, problem.size);
  ret = ret ? ret : find_ops(&guide->old, certificate, &ops);
  ret = ret ? ret : decode_steps(guide, ops);
  ret = ret ? ret : check_follow(c, &guide->old);
  if (ret == VOUCH_RET_OK) {
    guide->old_pair = vouch_arena_calloc(
      &guide->arena, c->build.problem.scene.pair_count, sizeof(*guide->old_pair));
    ret = guide->old_pair == NULL ? VOUCH_RET_NO_MEMORY : ret;
  }
  return ret;
}

vouch_ret_t vouch_recertify(
  vouch_checker_t * c, const vouch_motion_t * motion, const uint8_t * old_problem,
  size_t old_problem_size, const uint8_t * old_certificate, size_t old_certificate_size,
  vouch_result_t * result)
{
  VOUCH_REQUIRE_RESULT(result);
  VOUCH_REQUIRE("checker, motion", c, motion);
  VOUCH_REQUIRE("old_problem, old_certificate", old_problem, old_certificate);
  guide_t guide = {.ops = {.allocator = c->allocator}, .arena = {.allocator = c->allocator}};
  vouch_ret_t ret = check_begin(c, motion);
  ret = ret ? ret : read_guide(
    &guide, c, (file_t) {old_problem, old_problem_size},
    (file_t) {old_certificate, old_certificate_size});
  if (ret == VOUCH_RET_OK) {
    check_match_pairs(&c->build, &guide.old.scene, guide.old_pair);
    check_reuse_t reuse = {.problem = &c->build.problem, .old = &guide.old.scene,
      .old_motion = &guide.old.motion, .steps = guide.steps, .old_pair = guide.old_pair,
      .group = c->build.links.group, .stayed = c->build.links.stayed};
    c->reuse = &reuse;
    ret = check_run(c, result);
    c->reuse = NULL;
  }
  vouch_problem_fini(&guide.old);
  vouch_text_fini(&guide.ops);
  vouch_arena_fini(&guide.arena);
  return check_end(c, ret, result);
}
