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
/* A scene that changed a little: which bodies stayed as they were, and an obstacle tree in which
 * they keep their places, so that a proof about them stays a proof.
 *
 * The tree: obstacles that went away or changed are taken out (a group with one child left is that
 * child); what is new or changed gets a tree of its own beside the rest. After many changes such a
 * tree grows deep: then it is made afresh. */

#include <string.h>

#include "base/error.h"
#include "model/build_items.h"
#include "model/same.h"

/// Bodies mostly come in the same order: the search begins behind the last one found.
vouch_ret_t vouch_build_match_bodies(vouch_build_work_t * work)
{
  vouch_build_t * build = work->build;
  const vouch_problem_t * before = work->previous;
  const vouch_scene_part_t * now = &build->problem.scene, * old = &before->scene;
  build->links.body = vouch_arena_calloc(&build->arena, now->body_count, sizeof(uint32_t));
  build->links.same = vouch_arena_calloc(&build->arena, now->body_count, sizeof(bool));
  if (build->links.body == NULL || build->links.same == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  uint32_t guess = 0;
  for (uint32_t i = 0; i < now->body_count; ++i) {
    build->links.body[i] = VOUCH_NONE;
    for (uint32_t k = 0; k < old->body_count; ++k) {
      const uint32_t number = guess + k < old->body_count ? guess + k : guess + k - old->body_count;
      if (strcmp(now->bodies[i].id, old->bodies[number].id) == 0) {
        build->links.body[i] = number;
        build->links.same[i] = vouch_bodies_same(&build->problem, i, before, number);
        guess = number + 1 < old->body_count ? number + 1 : 0;
        break;
      }
    }
  }
  return VOUCH_RET_OK;
}

/// Obstacles that stayed, per earlier group; `now` says which body of today an earlier one is.
static void count_stayed(
  const vouch_scene_part_t * old, const uint32_t * now, uint32_t * stayed)
{
  for (uint32_t g = old->group_count; g-- > 0; ) {
    const vouch_group_t * group = &old->groups[g];
    stayed[g] = group->body != VOUCH_NONE ? now[group->body] != VOUCH_NONE :
      stayed[group->left] + stayed[group->right];
  }
}

typedef struct copy_s
{
  vouch_build_t * build;
  const vouch_scene_part_t * old;
  const uint32_t * now;      // per earlier body: the same body today, or VOUCH_NONE
  uint32_t deepest;
} copy_t;

/// The earlier group without what went away; at least one obstacle below it stayed.
static uint32_t copy_group(copy_t * copy, uint32_t number, uint32_t depth)
{
  const uint32_t around = number;
  const vouch_group_t * group = &copy->old->groups[number];
  const uint32_t * stayed = copy->build->links.stayed;
  while (group->body == VOUCH_NONE && (stayed[group->left] == 0 || stayed[group->right] == 0)) {
    number = stayed[group->left] == 0 ? group->right : group->left;
    group = &copy->old->groups[number];
  }
  vouch_scene_part_t * part = &copy->build->problem.scene;
  const uint32_t made = part->group_count++;
  copy->build->links.group[made] = number;
  copy->build->links.around[made] = around;
  copy->deepest = depth > copy->deepest ? depth : copy->deepest;
  if (group->body != VOUCH_NONE) {
    part->groups[made] = (vouch_group_t) {.body = copy->now[group->body]};
    return made;
  }
  part->groups[made].body = VOUCH_NONE;
  part->groups[made].left = copy_group(copy, group->left, depth + 1);
  part->groups[made].right = copy_group(copy, group->right, depth + 1);
  return made;
}

/// Twice as deep as a tree made afresh, and a few.
static uint32_t too_deep(uint32_t count)
{
  uint32_t depth = 8;
  for (; count > 1; count = (count + 1) / 2) {
    depth += 2;
  }
  return depth;
}

/// Puts the obstacles that did not stay first in work->obstacles; returns how many they are. What
/// was no obstacle before (an object that a fixed link held) did not stay one.
static uint32_t find_changed(vouch_build_work_t * work, uint32_t * now)
{
  const vouch_scene_part_t * old = &work->previous->scene;
  const vouch_build_links_t * links = &work->build->links;
  const uint32_t was_obstacle = VOUCH_NONE - 1;
  uint32_t changed = 0, moved = 0;
  for (uint32_t i = 0; i < old->body_count; ++i) {
    now[i] = VOUCH_NONE;
  }
  for (uint32_t i = 0; i < work->obstacle_count; ++i) {
    moved += links->same[work->obstacles[i]] ? 0u : 1u;
  }
  const bool all_stay = work->moved_stay && moved <= work->obstacle_count / 4u;
  for (uint32_t g = 0; g < old->group_count; ++g) {
    if (old->groups[g].body != VOUCH_NONE) {
      now[old->groups[g].body] = was_obstacle;
    }
  }
  for (uint32_t i = 0; i < work->obstacle_count; ++i) {
    const uint32_t body = work->obstacles[i];
    const uint32_t was = links->body[body];
    if (was != VOUCH_NONE && (links->same[body] || all_stay) && now[was] == was_obstacle) {
      now[links->body[body]] = body;
    } else {
      work->obstacles[i] = work->obstacles[changed];
      work->obstacles[changed++] = body;
    }
  }
  for (uint32_t i = 0; i < old->body_count; ++i) {
    now[i] = now[i] == was_obstacle ? VOUCH_NONE : now[i];
  }
  return changed;
}

vouch_ret_t vouch_build_groups_again(vouch_build_work_t * work, bool * made)
{
  vouch_build_t * build = work->build;
  vouch_scene_part_t * part = &build->problem.scene;
  const vouch_scene_part_t * old = &work->previous->scene;
  uint32_t * now = vouch_arena_calloc(&work->arena, old->body_count, sizeof(*now));
  build->links.group = vouch_arena_calloc(
    &build->arena, 2 * (size_t)work->obstacle_count, sizeof(uint32_t));
  build->links.around = vouch_arena_calloc(
    &build->arena, 2 * (size_t)work->obstacle_count, sizeof(uint32_t));
  build->links.stayed = vouch_arena_calloc(&build->arena, old->group_count, sizeof(uint32_t));
  *made = false;
  if (now == NULL || build->links.group == NULL || build->links.around == NULL ||
    build->links.stayed == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  const uint32_t changed = find_changed(work, now);
  count_stayed(old, now, build->links.stayed);
  copy_t copy = {.build = build, .old = old, .now = now};
  if (old->group_count > 0 && build->links.stayed[0] > 0) {
    part->group_count = changed > 0 ? 1 : 0;
    const uint32_t left = copy_group(&copy, 0, 1);
    if (changed > 0) {
      part->groups[0] = (vouch_group_t) {.left = left, .right = part->group_count,
        .body = VOUCH_NONE};
      build->links.group[0] = build->links.around[0] = VOUCH_NONE;
      size_t bytes = (2 * (size_t)changed - 1) * sizeof(uint32_t);
      memset(build->links.group + part->group_count, 0xff, bytes);
      memset(build->links.around + part->group_count, 0xff, bytes);
      vouch_build_split(work, work->obstacles, changed);
    }
    *made = copy.deepest <= too_deep(work->obstacle_count) &&
      part->group_count == 2 * work->obstacle_count - 1;
  }
  if (!*made) {
    build->links.group = build->links.around = NULL;
    part->group_count = 0;
  }
  return VOUCH_RET_OK;
}
