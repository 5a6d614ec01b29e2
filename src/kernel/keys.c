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

#include <stdatomic.h>

#include "kernel/proof.h"
#include "model/same.h"

uint64_t kernel_new_keys(uint64_t count)
{
  static atomic_uint_fast64_t next = 1;
  return atomic_fetch_add(&next, count);
}

/// [K-COPY] Why:      every number is new, so that nothing is the same as anything. Pairs that skip
///           nothing all skip the same: 0.
vouch_ret_t kernel_keys_init(
  kernel_keys_t * keys, const vouch_scene_part_t * scene, vouch_arena_t * arena)
{
  keys->bodies = vouch_arena_calloc(arena, scene->body_count, sizeof(*keys->bodies));
  keys->groups = vouch_arena_calloc(arena, scene->group_count, sizeof(*keys->groups));
  keys->within = vouch_arena_calloc(arena, scene->group_count, sizeof(*keys->within));
  keys->skips = vouch_arena_calloc(arena, scene->pair_count, sizeof(*keys->skips));
  if (keys->bodies == NULL || keys->groups == NULL || keys->within == NULL || keys->skips == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  uint64_t next = kernel_new_keys(
    1u + (uint64_t)scene->body_count + scene->group_count + scene->pair_count);
  keys->frames = next++;
  for (uint32_t i = 0; i < scene->body_count; i++) {
    keys->bodies[i] = next++;
  }
  for (uint32_t i = 0; i < scene->group_count; i++) {
    keys->groups[i] = keys->within[i] = next++;
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    keys->skips[i] = scene->pairs[i].skip_count > 0 ? next++ : 0;
  }
  return VOUCH_RET_OK;
}

/// One inside the other, or the same box. False for NaN.
static bool lies_within(vec3_t low, vec3_t high, vec3_t old_low, vec3_t old_high)
{
  return low.x >= old_low.x && low.y >= old_low.y && low.z >= old_low.z && high.x <= old_high.x &&
         high.y <= old_high.y && high.z <= old_high.z;
}

/// The frame that all bodies beneath a group ride on.
static uint32_t frame_of(const vouch_scene_part_t * scene, uint32_t group)
{
  while (scene->groups[group].body == VOUCH_NONE) {
    group = scene->groups[group].left;
  }
  return scene->bodies[scene->groups[group].body].frame;
}

/// [K-COPY] Ensures:  `within` names a group of old only if this one's box lies in its, in a frame of
///           the same number, and nothing in it grows faster.
/// Why:      what lies in a box lies in every box that this one lies in, and so it stays. That frames
///           of one number are the same is asked of the whole table (covers_but_b()).
static void inherit_box(
  kernel_scene_t * scene, uint32_t group, const kernel_scene_t * before, uint32_t around)
{
  const vouch_scene_part_t * part = &scene->problem->scene, * old = &before->problem->scene;
  bool same = around < old->group_count;
#ifndef VOUCH_FAULT_KEY_CARRIER
  same = same && frame_of(part, group) == frame_of(old, around);
#endif
#ifndef VOUCH_FAULT_KEY_GROWTH
  same = same && scene->group_growth[group] <= before->group_growth[around];
#endif
  if (same && lies_within(
      scene->group_low[group], scene->group_high[group], before->group_low[around],
      before->group_high[around]))
  {
    scene->keys.within[group] = before->keys.within[around];
  }
}

/// [K-COPY] Requires: bodies have their numbers.
/// Ensures:  a group has an old one's number only if the same bodies are beneath it, in the same
///           places.
/// Why:      a leaf is the same over the same body, any other group when both its children are;
///           children have larger numbers.
static void inherit_groups(
  kernel_scene_t * scene, const kernel_scene_t * before, const kernel_links_t * links)
{
  const vouch_scene_part_t * part = &scene->problem->scene, * old = &before->problem->scene;
  kernel_keys_t * keys = &scene->keys;
  for (uint32_t i = part->group_count; i-- > 0; ) {
    uint32_t was = links->groups[i];
    if (was >= old->group_count) {
      continue;
    }
    const vouch_group_t * x = &part->groups[i], * y = &old->groups[was];
    bool leaf = x->body != VOUCH_NONE;
    bool same = leaf == (y->body != VOUCH_NONE) && (leaf ?
      keys->bodies[x->body] == before->keys.bodies[y->body] :
      keys->groups[x->left] == before->keys.groups[y->left] &&
      keys->groups[x->right] == before->keys.groups[y->right]);
    if (same) {
      keys->groups[i] = keys->within[i] = before->keys.groups[was];
    }
    inherit_box(scene, i, before, same && links->around != NULL ? links->around[i] : was);
  }
}

/// [K-COPY] Ensures:  both leave out the same bodies for the same reasons, in this order.
static bool same_skips(
  const kernel_scene_t * now, const vouch_pair_t * x, const kernel_scene_t * before,
  const vouch_pair_t * y)
{
  bool same = x->skip_count == y->skip_count;
  for (uint32_t i = 0; same && i < x->skip_count; i++) {
    same = x->skips[i].reason == y->skips[i].reason &&
      now->keys.bodies[x->skips[i].body] == before->keys.bodies[y->skips[i].body];
  }
  return same;
}

/// [K-COPY] Why:      whatever is proposed, a number is taken over only where the bytes are compared
///           and equal (model/same.h), or follows from numbers that were.
void kernel_keys_inherit(
  kernel_scene_t * scene, const kernel_scene_t * before, const kernel_links_t * links)
{
  const vouch_scene_part_t * part = &scene->problem->scene, * old = &before->problem->scene;
  kernel_keys_t * keys = &scene->keys;
  if (vouch_frames_same(part, old)) {
    keys->frames = before->keys.frames;
  }
  for (uint32_t i = 0; links->bodies != NULL && i < part->body_count; i++) {
    uint32_t was = links->bodies[i];
    if (was < old->body_count && vouch_bodies_same(scene->problem, i, before->problem, was)) {
      keys->bodies[i] = before->keys.bodies[was];
    }
  }
  if (links->groups != NULL) {
    inherit_groups(scene, before, links);
  }
  for (uint32_t i = 0; links->pairs != NULL && i < part->pair_count; i++) {
    uint32_t was = links->pairs[i];
    if (was < old->pair_count && same_skips(scene, &part->pairs[i], before, &old->pairs[was])) {
      keys->skips[i] = before->keys.skips[was];
    }
  }
}

/// [K-COPY] Why:      what is beneath the group has changed; it may still lie within the box that it
///           lay in.
void kernel_keys_moved(kernel_scene_t * scene, uint32_t group, vec3_t low, vec3_t high)
{
  kernel_keys_t * keys = &scene->keys;
  keys->groups[group] = kernel_new_keys(1);
  if (!lies_within(scene->group_low[group], scene->group_high[group], low, high)) {
    keys->within[group] = keys->groups[group];
  }
}
