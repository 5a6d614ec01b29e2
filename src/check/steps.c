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
#include "check/steps.h"

size_t check_step_size(uint8_t tag)
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
      return 13;
    case 'D':
      return 25;
    default:
      return 0;
  }
}

/// What is left of an old group is there, and was checked as the group itself was.
static bool is_left(const check_stream_t * in, const vouch_pair_t * pair, uint32_t group)
{
  const vouch_group_t * node = &in->scene->groups[group];
  while (in->stayed[group] > 0 && node->body == VOUCH_NONE &&
    (in->stayed[node->left] == 0 || in->stayed[node->right] == 0))
  {
    group = in->stayed[node->left] == 0 ? node->right : node->left;
    node = &in->scene->groups[group];
  }
  return in->stayed[group] > 0 && pair->leaf_margins[group] >= 0.0;
}

size_t check_walk(check_stream_t * in, const vouch_pair_t * pair, uint32_t group, size_t at)
{
  uint32_t stack[CHECK_STEP_STACK], top = 0;
  stack[top++] = group;
  while (top > 0) {
    uint32_t now = stack[--top];
    if (now != VOUCH_NONE && !(pair->leaf_margins[now] >= 0.0)) {
      continue;
    }
    if (in->stayed != NULL && now != VOUCH_NONE) {
      in->parted = in->parted || !is_left(in, pair, now);
    }
    uint8_t tag = at < in->size ? in->ops[at] : 0;
    size_t size = check_step_size(tag);
    if (size == 0 || tag == 'I' || in->size - at < size || top + 2u > CHECK_STEP_STACK) {
      return SIZE_MAX;
    }
    if (tag == 'L' || tag == 'D' || tag == 'P') {
      in->last = tag == 'P' ? in->last : in->ops + at + 1;
      in->leaves++;
      at += size;
      continue;
    }
    at += size;
    if (tag == 'B' && now != VOUCH_NONE) {
      const vouch_group_t * node = &in->scene->groups[now];
      bool leaf = node->body != VOUCH_NONE;
      stack[top++] = leaf ? VOUCH_NONE : node->right;
      if (!leaf) {
        stack[top++] = node->left;
      }
      if (in->stayed != NULL && !leaf &&
        (in->stayed[node->left] == 0 || in->stayed[node->right] == 0))
      {
        in->parted = true;
      }
    } else {
      stack[top++] = now;
      stack[top++] = now;
    }
    while (at < in->size && in->ops[at] == 'I') {
      at += 13;
    }
  }
  return at <= in->size ? at : SIZE_MAX;
}

check_steps_t check_find_whole(
  const vouch_scene_part_t * old, const uint32_t * stayed, const vouch_pair_t * pair,
  const uint8_t * ops, const check_steps_t * steps)
{
  check_stream_t in = {.scene = old, .ops = ops, .size = steps->end, .stayed = stayed};
  const vouch_group_t * groups = old->groups;
  uint32_t group = 0;
  size_t at = steps->begin;
  /* What changed earlier lies on the right, beside the rest. */
  while (groups[group].body == VOUCH_NONE && stayed[groups[group].right] == 0 &&
    at < steps->end && ops[at] == 'B' && pair->leaf_margins[groups[group].left] >= 0.0)
  {
    group = groups[group].left;
    at++;
  }
  size_t end = check_walk(&in, pair, group, at);
  return end == SIZE_MAX || in.parted ? (check_steps_t) {0, 0, 0} :
         (check_steps_t) {at, end, in.leaves};
}

check_steps_t check_find_left(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, const uint8_t * ops,
  const check_steps_t * steps)
{
  check_stream_t in = {.scene = scene, .ops = ops, .size = steps->end};
  uint32_t left = scene->groups[0].left;
  if (steps->begin == steps->end || ops[steps->begin] != 'B' ||
    !(pair->leaf_margins[left] >= 0.0))
  {
    return (check_steps_t) {0, 0, 0};
  }
  size_t end = check_walk(&in, pair, left, steps->begin + 1u);
  return end == SIZE_MAX ? (check_steps_t) {0, 0, 0} :
         (check_steps_t) {steps->begin + 1u, end, in.leaves};
}

bool check_find_steps(
  const vouch_scene_part_t * old, const uint8_t * ops, size_t size, check_steps_t * steps)
{
  check_stream_t in = {.scene = old, .ops = ops, .size = size};
  size_t at = 0;
  for (uint32_t i = 0; i < old->pair_count; i++) {
    const vouch_pair_t * pair = &old->pairs[i];
    in.leaves = 0;
    size_t end = check_walk(&in, pair, pair->kind == VOUCH_PAIR_GROUP ? 0 : VOUCH_NONE, at);
    if (end == SIZE_MAX) {
      return false;
    }
    steps[i] = (check_steps_t) {at, end, in.leaves};
    at = end;
  }
  return true;
}
