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
/* Another scene for a checker, and one obstacle that moves. A new scene is built so that what stayed
 * keeps its place in the tree of obstacles, and takes over the kernel's numbers of what is the same.
 * An obstacle that moves gets a place of its own beside all others the first time; from then
 * on it moves there, and nothing else is looked at again. */

#include "base/error.h"
#include "check/again.h"
#include "model/same.h"
#include "model/scene.h"

/// The same kind of pair between bodies of the same ids.
static bool same_names(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const vouch_scene_part_t * other,
  const vouch_pair_t * same)
{
  bool goals = pair->a < scene->body_count && same->a < other->body_count;
  return goals && pair->kind == same->kind &&
         strcmp(scene->bodies[pair->a].id, other->bodies[same->a].id) == 0 &&
         (pair->kind == VOUCH_PAIR_GROUP ||
         strcmp(scene->bodies[pair->b].id, other->bodies[same->b].id) == 0);
}

/// Pairs mostly come in the same order, as bodies do.
void check_match_pairs(
  const vouch_build_t * now, const vouch_scene_part_t * old, uint32_t * old_pair)
{
  const vouch_scene_part_t * scene = &now->problem.scene;
  uint32_t guess = 0;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    old_pair[i] = VOUCH_NONE;
    bool follows = pair->kind != VOUCH_PAIR_GROUP || now->links.group != NULL;
    for (uint32_t n = 0; follows && n < old->pair_count; n++) {
      uint32_t number = guess + n < old->pair_count ? guess + n : guess + n - old->pair_count;
      if (same_names(scene, pair, old, &old->pairs[number])) {
        old_pair[i] = number;
        guess = number + 1u < old->pair_count ? number + 1u : 0;
        break;
      }
    }
  }
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
    vouch_frames_same(&change->build.problem.scene, &c->build.problem.scene);
  if (fit) {
    change->kernel.most_joints = c->kernel.most_joints;
  }
  return fit;
}

/// What the new scene has of the one that the kept proof is about, or else of the checker's: the kernel compares.
static vouch_ret_t inherit(vouch_checker_t * c, change_t * change)
{
  check_kept_t * k = c->kept;
  bool kept = k != NULL && k->valid;
  const kernel_scene_t * before = kept && !k->same_scene ? &k->kernel : &c->kernel;
  const vouch_build_links_t * links = &change->build.links;
  kernel_links_t same = {.bodies = links->body, .groups = links->group, .around = links->around};
  if (kept) {
    vouch_arena_fini(&k->arena);
    k->arena = (vouch_arena_t) {.allocator = c->allocator};
    k->old_pair = vouch_arena_calloc(
      &k->arena, change->build.problem.scene.pair_count, sizeof(*k->old_pair));
    if (k->old_pair == NULL) {
      k->valid = false;
      return VOUCH_RET_NO_MEMORY;
    }
    check_match_pairs(&change->build, &before->problem->scene, k->old_pair);
    same.pairs = k->old_pair;
  }
  kernel_keys_inherit(&change->kernel, before, &same);
  return VOUCH_RET_OK;
}

static vouch_ret_t prepare(
  vouch_checker_t * c, change_t * change, const vouch_scene_t * scene,
  vouch_build_after_t before)
{
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
  if (ret == VOUCH_RET_OK) {
    ret = inherit(c, change);
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
  check_count(c);
  c->workers = change->workers != NULL ? change->workers : c->workers;
  for (uint32_t i = 0; i < c->worker_count; i++) {
    kernel_proof_rebind(c->workers[i].proof, &c->kernel);
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
  const check_kept_t * kept = c->kept;
  bool other = kept != NULL && kept->valid && !kept->same_scene;
  ret = prepare(
    c, &change, scene,
    (vouch_build_after_t) {.problem = other ? &kept->build.problem : &c->build.problem});
  if (ret == VOUCH_RET_OK) {
    swap(c, &change);
    ret = renew_statics(c, &change);
  }
  check_kept_t * k = c->kept;
  if (ret == VOUCH_RET_OK) {
    c->hashed = false;
    c->open_count = 0;
    if (k != NULL && k->valid && k->same_scene) {
      keep_scene(k, &change, c->allocator);
    }
  }
  release(c, &change);
  return ret;
}

vouch_ret_t check_follow(vouch_checker_t * c, const vouch_problem_t * before)
{
  change_t change = {.build = {.arena = {.allocator = c->allocator}},
    .kernel = {.arena = {.allocator = c->allocator}}};
  check_forget(c);
  vouch_ret_t ret = prepare(
    c, &change, c->scene, (vouch_build_after_t) {.problem = before, .moved_stay = true});
  if (ret == VOUCH_RET_OK) {
    swap(c, &change);
    ret = renew_statics(c, &change);
    c->hashed = false;
  }
  release(c, &change);
  return ret;
}

/* ---- one obstacle ---- */

/// The obstacle lies alone on the right of the root, no pair names it but through the tree, and what
/// is kept is about this scene. Returns its body, or VOUCH_NONE.
static uint32_t find_loose(const vouch_checker_t * c, const vouch_object_t * object)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  const check_kept_t * k = c->kept;
  if (scene->group_count < 3u || scene->groups[0].body != VOUCH_NONE ||
    object->link != VOUCH_NONE ||
    object->body->plane_count > 0 || (k != NULL && k->valid && !k->same_scene))
  {
    return VOUCH_NONE;
  }
  uint32_t body = scene->groups[scene->groups[0].right].body;
  if (body == VOUCH_NONE ||
    c->build.problem.geometry.geometries[scene->bodies[body].geometry] != &object->body->geometry ||
    strcmp(scene->bodies[body].name, object->id) != 0)
  {
    return VOUCH_NONE;
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->a == body || (pair->kind != VOUCH_PAIR_GROUP && pair->b == body)) {
      return VOUCH_NONE;
    }
  }
  return body;
}

/// Through a scene of its own, as any other change.
static vouch_ret_t change_place(
  vouch_checker_t * c, const char * id, const char * frame, const vouch_pose_t * pose)
{
  vouch_scene_t * scene;
  vouch_ret_t ret = vouch_scene_clone(&scene, c->scene);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_scene_move_object(scene, id, frame, pose);
  ret = ret ? ret : vouch_checker_change_scene(c, scene);
  vouch_scene_destroy(scene);
  return ret;
}

static bool has_statics(const vouch_checker_t * c, uint32_t body)
{
  for (size_t i = 0; i < c->build.static_count; i++) {
    if (c->build.statics[i].a == body || c->build.statics[i].b == body) {
      return true;
    }
  }
  return false;
}

static void put(vouch_checker_t * c, uint32_t body, const vouch_pose_t * placement)
{
  if (c->kept != NULL && c->kept->valid) {
    c->kept->moved = true;
  }
  kernel_scene_move_obstacle(&c->kernel, &c->build.problem, body, placement);
}

/// What fails leaves everything as it was; `frame` is not NULL.
static vouch_ret_t move(
  vouch_checker_t * c, vouch_object_t * object, uint32_t body, const char * frame,
  const vouch_pose_t * pose)
{
  vouch_scene_part_t * scene = &c->build.problem.scene;
  const vouch_pose_t old = scene->bodies[body].placement, old_pose = object->pose;
  char * old_frame = vouch_strdup(&c->scene->allocator, object->frame);
  vouch_ret_t ret = old_frame == NULL ? VOUCH_RET_NO_MEMORY :
    vouch_scene_move_object(c->scene, object->id, frame, pose);
  if (ret != VOUCH_RET_OK) {
    vouch_free(&c->scene->allocator, old_frame);
    return ret;
  }
  vouch_pose_t placement;
  ret = vouch_build_placement(c->scene, object, &placement);
  if (ret == VOUCH_RET_OK) {
    put(c, body, &placement);
    ret = has_statics(c, body) ? check_statics_of(c, body) : VOUCH_RET_OK;
    if (ret != VOUCH_RET_OK) {
      put(c, body, &old);
    }
  }
  if (ret != VOUCH_RET_OK) {
    char * unwanted = object->frame;
    object->frame = old_frame;
    object->pose = old_pose;
    old_frame = unwanted;
  }
  scene->revision = c->scene->revision;
  vouch_free(&c->scene->allocator, old_frame);
  return ret;
}

vouch_ret_t vouch_checker_move_object(
  vouch_checker_t * c, const char * id, const char * frame, const vouch_pose_t * pose)
{
  VOUCH_REQUIRE("checker, id", c, id);
  size_t number = id == NULL ? VOUCH_NONE : vouch_scene_find(c->scene, id);
  vouch_ret_t ret = check_robot(c);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  check_keep(c);
  c->checked = false;
  c->hashed = false;
  c->open_count = 0;
  vouch_object_t * object = number == VOUCH_NONE ? NULL : &c->scene->objects[number];
  uint32_t body = object == NULL ? VOUCH_NONE : find_loose(c, object);
  return body == VOUCH_NONE ? change_place(c, id, frame, pose) :
         move(c, object, body, frame == NULL ? "" : frame, pose);
}
