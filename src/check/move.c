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
/* One obstacle of a checker's scene moves. The first time it gets a place of its own beside all other
 * obstacles (change.c); from then on it moves there, and nothing else is looked at again. */

#include "base/error.h"
#include "check/kept.h"
#include "model/scene.h"

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
static vouch_ret_t change(
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

/// Room for what is said about groups and pairs, and the boxes that the proof was about.
static bool remember(vouch_checker_t * c, check_kept_t * k, const uint32_t groups[2])
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  if (k->moved) {
    return true;
  }
  k->clean = vouch_arena_calloc(&k->arena, scene->group_count, sizeof(bool));
  k->inside = vouch_arena_calloc(&k->arena, scene->group_count, sizeof(bool));
  k->whole = vouch_arena_calloc(&k->arena, scene->pair_count, sizeof(*k->whole));
  if (k->clean == NULL || k->inside == NULL || k->whole == NULL) {
    return false;
  }
  memset(k->clean, 1, scene->group_count * sizeof(bool));
  memset(k->inside, 1, scene->group_count * sizeof(bool));
  for (uint32_t i = 0; i < 2u; i++) {
    k->clean[groups[i]] = false;
    k->old_low[i] = c->kernel.group_low[groups[i]];
    k->old_high[i] = c->kernel.group_high[groups[i]];
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    k->whole[i] = scene->pairs[i].kind != VOUCH_PAIR_GROUP ? k->steps[i] :
      check_find_left(scene, &scene->pairs[i], k->ops, &k->steps[i]);
  }
  k->moved = true;
  return true;
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

/// Placement, boxes and what lies within the boxes of the proof.
static void put(vouch_checker_t * c, uint32_t body, const vouch_pose_t * placement)
{
  vouch_scene_part_t * scene = &c->build.problem.scene;
  const uint32_t groups[2] = {0, scene->groups[0].right};
  check_kept_t * k = c->kept;
  if (k != NULL && k->valid && !remember(c, k, groups)) {
    check_forget(c);
  }
  scene->bodies[body].placement = *placement;
  kernel_scene_move_obstacle(&c->kernel, body);
  for (uint32_t i = 0; k != NULL && k->valid && i < 2u; i++) {
    k->inside[groups[i]] = check_within(
      c->kernel.group_low[groups[i]], c->kernel.group_high[groups[i]], k->old_low[i],
      k->old_high[i]);
  }
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
  return body == VOUCH_NONE ? change(c, id, frame, pose) :
         move(c, object, body, frame == NULL ? "" : frame, pose);
}
