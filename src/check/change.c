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
/* Another scene in a checker: what the two scenes have in common is found once, so that proofs need
 * not look for it. */

#include "base/error.h"
#include "check/kept.h"

bool check_same_names(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const vouch_scene_part_t * other,
  const vouch_pair_t * same)
{
  return pair->kind == same->kind &&
         strcmp(scene->bodies[pair->a].id, other->bodies[same->a].id) == 0 &&
         (pair->kind == VOUCH_PAIR_GROUP ||
         strcmp(scene->bodies[pair->b].id, other->bodies[same->b].id) == 0);
}

static bool same_frames(const vouch_scene_part_t * a, const vouch_scene_part_t * b)
{
  bool same = a->frame_count == b->frame_count;
  for (uint32_t i = 0; same && i < a->frame_count; i++) {
    const vouch_frame_t * x = &a->frames[i], * y = &b->frames[i];
    same = x->parent == y->parent && x->joint == y->joint && x->variable == y->variable &&
      memcmp(&x->pose, &y->pose, sizeof(x->pose)) == 0 &&
      memcmp(x->axis, y->axis, sizeof(x->axis)) == 0 &&
      memcmp(&x->multiplier, &y->multiplier, sizeof(x->multiplier)) == 0 &&
      memcmp(&x->offset, &y->offset, sizeof(x->offset)) == 0;
  }
  return same;
}

/// [L7] Nothing more is asked of a group than was asked of what it was before.
static bool margins_hold(
  const vouch_build_t * now, const vouch_pair_t * pair, const vouch_pair_t * old)
{
  if (now->links.group == NULL) {
    return false;
  }
  for (uint32_t g = 0; g < now->problem.scene.group_count; g++) {
    uint32_t same = now->links.group[g];
    if (same != VOUCH_NONE &&
      ((pair->leaf_margins[g] >= 0.0) != (old->leaf_margins[same] >= 0.0) ||
      !(pair->leaf_margins[g] <= old->leaf_margins[same])))
    {
      return false;
    }
  }
  return true;
}

static bool pair_stays(
  const vouch_build_t * now, const vouch_pair_t * pair, const vouch_pair_t * old)
{
  if (!now->links.same[pair->a]) {
    return false;
  }
  return pair->kind == VOUCH_PAIR_GROUP ? margins_hold(now, pair, old) :
         now->links.same[pair->b] && pair->margin <= old->margin;
}

/// Pairs mostly come in the same order, as bodies do.
static void match_pairs(check_kept_t * k, const vouch_build_t * now, const vouch_scene_part_t * old)
{
  const vouch_scene_part_t * scene = &now->problem.scene;
  uint32_t guess = 0;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    k->old_pair[i] = VOUCH_NONE;
    bool follows = pair->kind != VOUCH_PAIR_GROUP || now->links.group != NULL;
    for (uint32_t n = 0; follows && n < old->pair_count; n++) {
      uint32_t number = guess + n < old->pair_count ? guess + n : guess + n - old->pair_count;
      if (check_same_names(scene, pair, old, &old->pairs[number])) {
        k->old_pair[i] = number;
        k->pairs[i] = pair_stays(now, pair, &old->pairs[number]);
        guess = number + 1u < old->pair_count ? number + 1u : 0;
        break;
      }
    }
  }
}

bool check_within(vec3_t low, vec3_t high, vec3_t old_low, vec3_t old_high)
{
  return low.x >= old_low.x && low.y >= old_low.y && low.z >= old_low.z && high.x <= old_high.x &&
         high.y <= old_high.y && high.z <= old_high.z;
}

/// clean: below the group there is what was below the old one, in the same places of the tree.
static void match_groups(
  check_kept_t * k, const vouch_build_t * now, const kernel_scene_t * kernel,
  const vouch_scene_part_t * old, const kernel_scene_t * old_kernel)
{
  const vouch_scene_part_t * scene = &now->problem.scene;
  const uint32_t * link = now->links.group;
  for (uint32_t g = scene->group_count; link != NULL && g-- > 0; ) {
    const vouch_group_t * group = &scene->groups[g];
    if (link[g] == VOUCH_NONE) {
      continue;
    }
    const vouch_group_t * was = &old->groups[link[g]];
    k->inside[g] = check_within(
      kernel->group_low[g], kernel->group_high[g], old_kernel->group_low[link[g]],
      old_kernel->group_high[link[g]]);
    k->clean[g] = group->body != VOUCH_NONE ?
      now->links.same[group->body] && now->links.body[group->body] == was->body :
      was->body == VOUCH_NONE && k->clean[group->left] && k->clean[group->right] &&
      link[group->left] == was->left && link[group->right] == was->right;
  }
}

/// Pairs whose old steps need no looking into.
static void find_whole(
  check_kept_t * k, const vouch_build_t * now, const vouch_scene_part_t * old)
{
  const vouch_scene_part_t * scene = &now->problem.scene;
  bool inside = true;
  for (uint32_t g = 0; g < scene->group_count && now->links.group != NULL; g++) {
    inside = inside && (now->links.group[g] == VOUCH_NONE || k->inside[g]);
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    if (!k->pairs[i]) {
      continue;
    }
    const check_steps_t * steps = &k->steps[k->old_pair[i]];
    if (scene->pairs[i].kind != VOUCH_PAIR_GROUP) {
      k->whole[i] = *steps;
    } else if (inside) {
      k->whole[i] = check_find_whole(
        old, now->links.stayed, &old->pairs[k->old_pair[i]], k->ops, steps);
    }
  }
}

/// What the new scene has of the one that the kept proof is about.
static vouch_ret_t match(
  vouch_checker_t * c, check_kept_t * k, const vouch_build_t * now, const kernel_scene_t * kernel)
{
  const vouch_scene_part_t * old =
    k->same_scene ? &c->build.problem.scene : &k->build.problem.scene;
  const kernel_scene_t * old_kernel = k->same_scene ? &c->kernel : &k->kernel;
  const vouch_scene_part_t * scene = &now->problem.scene;
  vouch_arena_t * arena = &k->arena;
  vouch_arena_fini(arena);
  *arena = (vouch_arena_t) {.allocator = c->allocator};
  k->old_pair = vouch_arena_calloc(arena, scene->pair_count, sizeof(*k->old_pair));
  k->pairs = vouch_arena_calloc(arena, scene->pair_count, sizeof(bool));
  k->clean = vouch_arena_calloc(arena, scene->group_count, sizeof(bool));
  k->inside = vouch_arena_calloc(arena, scene->group_count, sizeof(bool));
  k->whole = vouch_arena_calloc(arena, scene->pair_count, sizeof(*k->whole));
  if (k->old_pair == NULL || k->pairs == NULL || k->clean == NULL || k->inside == NULL ||
    k->whole == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  match_pairs(k, now, old);
  match_groups(k, now, kernel, old, old_kernel);
  find_whole(k, now, old);
  k->same_frames = same_frames(scene, old);
  return VOUCH_RET_OK;
}

/* ---- the change ---- */

typedef struct change_s
{
  vouch_scene_t * scene;
  vouch_build_t build;
  kernel_scene_t kernel;
  check_worker_t * workers;   // NULL: the old ones still fit
  check_pair_t * pairs;
} change_t;

/// Room for weights is only ever made larger, and frames must be the same.
static bool workers_fit(const vouch_checker_t * c, change_t * change)
{
  bool fit = change->kernel.most_joints <= c->kernel.most_joints &&
    same_frames(&change->build.problem.scene, &c->build.problem.scene);
  if (fit) {
    change->kernel.most_joints = c->kernel.most_joints;
  }
  return fit;
}

static vouch_ret_t prepare(vouch_checker_t * c, change_t * change, const vouch_scene_t * scene)
{
  check_kept_t * k = c->kept;
  bool kept = k != NULL && k->valid;
  const vouch_problem_t * before =
    kept && !k->same_scene ? &k->build.problem : &c->build.problem;
  vouch_problem_t * problem = &change->build.problem;
  vouch_ret_t ret = vouch_scene_clone(&change->scene, scene);
  ret = ret ? ret : vouch_build_scene_again(
    &change->build, change->scene, c->options.margin_m, before, c->allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_motion_part_t none = problem->motion;
  problem->motion = c->build.problem.motion;   // borrowed: it moves over with swap()
  ret = vouch_problem_validate(problem);
  ret = ret ? ret : check_derive(&change->kernel, problem, c->allocator);
  if (ret == VOUCH_RET_OK && !workers_fit(c, change)) {
    ret = check_create_workers(c, &change->kernel, &change->workers);
  }
  change->pairs = vouch_calloc(&c->allocator, problem->scene.pair_count, sizeof(*change->pairs));
  ret = ret ? ret : change->pairs == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK && kept) {
    ret = match(c, k, &change->build, &change->kernel);
    k->valid = ret == VOUCH_RET_OK;
  }
  problem->motion = none;
  return ret;
}

static void release(vouch_checker_t * c, change_t * change)
{
  check_destroy_workers(c, change->workers);
  vouch_free(&c->allocator, change->pairs);
  kernel_scene_fini(&change->kernel);
  vouch_build_fini(&change->build);
  vouch_scene_destroy(change->scene);
}

/// Puts the new scene in, with the motion part; `change` holds the old one afterwards.
static void swap(vouch_checker_t * c, change_t * change)
{
  const vouch_motion_part_t none = change->build.problem.motion;
  change->build.problem.motion = c->build.problem.motion;
  c->build.problem.motion = none;
  change_t old = {.scene = c->scene, .build = c->build, .kernel = c->kernel, .pairs = c->pairs,
    .workers = change->workers != NULL ? c->workers : NULL};
  c->scene = change->scene;
  c->build = change->build;
  c->kernel = change->kernel;
  c->kernel.problem = &c->build.problem;
  c->pairs = change->pairs;
  c->pair_count = check_count_pairs(&c->build.problem.scene);
  c->workers = change->workers != NULL ? change->workers : c->workers;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    c->workers[i].proof.scene = &c->kernel;
    c->workers[i].proof.timeline.problem = &c->build.problem;
  }
  *change = old;
}

/// The statics of the scene that was put in; on failure everything is as it was before.
static vouch_ret_t renew_statics(vouch_checker_t * c, change_t * change)
{
  vouch_static_pair_t * statics = c->statics;
  size_t count = c->static_count;
  vouch_ret_t ret = check_statics(c);
  if (ret == VOUCH_RET_OK) {
    vouch_free(&c->allocator, statics);
    return ret;
  }
  vouch_free(&c->allocator, c->statics);
  c->statics = statics;
  c->static_count = count;
  swap(c, change);
  check_forget(c);
  return ret;
}

/// The kept proof is about the scene that was taken out.
static void keep_scene(check_kept_t * k, change_t * change, vouch_allocator_t allocator)
{
  k->scene = change->scene;
  k->build = change->build;
  k->kernel = change->kernel;
  k->kernel.problem = &k->build.problem;
  k->same_scene = false;
  change->scene = NULL;
  change->build = (vouch_build_t) {.arena = {.allocator = allocator}};
  change->kernel = (kernel_scene_t) {.arena = {.allocator = allocator}};
}

vouch_ret_t vouch_checker_change_scene(vouch_checker_t * c, const vouch_scene_t * scene)
{
  VOUCH_REQUIRE("checker, scene", c, scene);
  if (vouch_scene_robot(scene) != vouch_scene_robot(c->scene)) {
    return vouch_fail(VOUCH_RET_INVALID, "the scene belongs to another robot than the checker");
  }
  vouch_ret_t ret = check_robot(c);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  check_keep(c);
  c->checked = false;
  if (c->kept != NULL && c->kept->moved) {
    check_forget(c);   // its scene has changed in place since
  }
  change_t change = {.build = {.arena = {.allocator = c->allocator}},
    .kernel = {.arena = {.allocator = c->allocator}}};
  ret = prepare(c, &change, scene);
  bool fit = change.workers == NULL;
  if (ret == VOUCH_RET_OK) {
    swap(c, &change);
    ret = renew_statics(c, &change);
  }
  check_kept_t * k = c->kept;
  if (ret == VOUCH_RET_OK) {
    c->hashed = false;
    c->open_count = 0;
    if (k != NULL && k->valid) {
      k->timeline = k->timeline && fit;
      if (k->same_scene) {
        keep_scene(k, &change, c->allocator);
      }
    }
  }
  release(c, &change);
  return ret;
}
