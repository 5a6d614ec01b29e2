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
/* Re-certification from files: the old proof is a guide and nothing more. Every step of it is tested
 * again, so that it need not be trusted, nor even be a proof. */

#include "base/bytes.h"
#include "base/error.h"
#include "check/kept.h"
#include "check/replay.h"

typedef struct files_s
{
  vouch_problem_t old;
  check_steps_t * steps;
  uint32_t * old_pair;
  const uint8_t * ops;
  size_t ops_size;
} files_t;

static vouch_ret_t read_certificate(files_t * f, const uint8_t * data, size_t size)
{
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  const uint8_t * magic = vouch_bytes_take(&in, 8);
  uint32_t version = vouch_bytes_get_u32(&in);
  uint32_t kind = vouch_bytes_get_u32(&in);
  const uint8_t * hashes = vouch_bytes_take(&in, 96);
  if (in.failed || memcmp(magic, "VOUCHCRT", 8) != 0 || version != 1 || kind != 1) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate is not one of a FREE motion");
  }
  if (memcmp(hashes, f->old.geometry.hash, 32) != 0 ||
    memcmp(hashes + 32, f->old.scene.hash, 32) != 0 ||
    memcmp(hashes + 64, f->old.motion.hash, 32) != 0)
  {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate belongs to another problem");
  }
  vouch_bytes_take(&in, 2 * sizeof(double));   // margin and tolerance
  if (in.failed) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate is cut off");
  }
  f->ops_size = in.size - in.position;
  f->ops = vouch_bytes_take(&in, f->ops_size);
  if (!check_find_steps(&f->old.scene, f->ops, f->ops_size, f->steps)) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate does not fit the old problem");
  }
  return VOUCH_RET_OK;
}

/// The same obstacle tree: same shape, same obstacles in the same places of it.
static bool same_groups(const vouch_scene_part_t * a, const vouch_scene_part_t * b)
{
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

static void match_pairs(const vouch_scene_part_t * now, files_t * f)
{
  const vouch_scene_part_t * old = &f->old.scene;
  bool groups = same_groups(old, now);
  for (uint32_t i = 0; i < now->pair_count; i++) {
    const vouch_pair_t * pair = &now->pairs[i];
    f->old_pair[i] = VOUCH_NONE;
    for (uint32_t k = 0; k < old->pair_count; k++) {
      uint32_t guess = (i + k) % old->pair_count;
      if ((groups || pair->kind != VOUCH_PAIR_GROUP) &&
        check_same_names(now, pair, old, &old->pairs[guess]))
      {
        f->old_pair[i] = guess;
        break;
      }
    }
  }
}

static vouch_ret_t read_files(
  vouch_checker_t * c, files_t * f, const uint8_t * problem, size_t problem_size,
  const uint8_t * certificate, size_t certificate_size)
{
  const vouch_scene_part_t * now = &c->build.problem.scene;
  vouch_ret_t ret = vouch_problem_decode(&f->old, c->allocator, problem, problem_size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  f->steps = vouch_calloc(&c->allocator, f->old.scene.pair_count, sizeof(*f->steps));
  f->old_pair = vouch_calloc(&c->allocator, now->pair_count, sizeof(*f->old_pair));
  ret = f->steps == NULL || f->old_pair == NULL ? VOUCH_RET_NO_MEMORY :
    read_certificate(f, certificate, certificate_size);
  if (ret == VOUCH_RET_OK) {
    match_pairs(now, f);
  } else {
    vouch_problem_fini(&f->old);
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
  files_t files = {.steps = NULL};
  vouch_ret_t ret = check_begin(c, motion);
  if (ret == VOUCH_RET_OK) {
    ret = read_files(
      c, &files, old_problem, old_problem_size, old_certificate, old_certificate_size);
  }
  if (ret == VOUCH_RET_OK) {
    check_replay_t replay = {.problem = &c->build.problem, .old = &files.old.scene,
      .old_motion = &files.old.motion, .ops = files.ops, .ops_size = files.ops_size,
      .steps = files.steps, .old_pair = files.old_pair};
    c->replay = &replay;
    ret = check_run(c, result);
    c->replay = NULL;
    vouch_problem_fini(&files.old);
  }
  vouch_free(&c->allocator, files.steps);
  vouch_free(&c->allocator, files.old_pair);
  return check_end(c, ret, result);
}
