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

#include "check/told.h"

#include "base/error.h"
#include "check/publish.h"
#include "check/steps.h"

typedef struct reader_s
{
  check_story_t * story;
  const uint8_t * at;
  size_t left;
  uint32_t * goals;   // numbers of steps that are still to be read
  size_t goal_count, goal_capacity;
  bool damaged;
} reader_t;

/// A step to be read; false: no memory.
static bool expect(reader_t * r, uint32_t * number)
{
  check_story_t * s = r->story;
  if (s->count >= UINT32_MAX / 2u ||
    !vouch_grow(&s->allocator, &s->told, s->count, &s->capacity, sizeof(s->told[0])) ||
    !vouch_grow(
      &s->allocator, &r->goals, r->goal_count, &r->goal_capacity, sizeof(r->goals[0])))
  {
    return false;
  }
  *number = (uint32_t)s->count++;
  s->told[*number] = (check_told_t) {.at = NULL};
  r->goals[r->goal_count++] = *number;
  return true;
}

/// Bytes of the next step, its rays included; 0: it is damaged.
static size_t next_size(const reader_t * r)
{
  uint8_t tag = r->left > 0 ? *r->at : 0;
  bool known = tag == 'T' || tag == 'A' || tag == 'B' || tag == 'L' || tag == 'D';
  size_t size = known ? check_step_size(tag) : 0;
  while ((tag == 'A' || tag == 'B') && size < r->left && r->at[size] == 'I') {
    size += check_step_size('I');
  }
  return size <= r->left && size <= UINT32_MAX ? size : 0;
}

/// Reads the step of one goal. False: it is damaged, or there is no memory.
static bool read_step(reader_t * r, uint32_t number, bool * waits)
{
  size_t size = next_size(r);
  if (size == 0) {
    r->damaged = true;
    return false;
  }
  check_told_t told = {.at = r->at, .size = (uint32_t)size};
  r->at += size;
  r->left -= size;
  *waits = *told.at == 'T';
  if ((*told.at == 'A' || *told.at == 'B') &&
    (!expect(r, &told.child[0]) || !expect(r, &told.child[1])))
  {
    return false;
  }
  r->story->told[number] = told;
  return true;
}

/// The goals from `first` on, over one span; afterwards they are gone.
static bool read_span(reader_t * r, size_t first, uint32_t depth)
{
  size_t waiting = first;
  for (size_t i = first; i < r->goal_count; i++) {
    bool waits;
    uint32_t number = r->goals[i];
    if (!read_step(r, number, &waits)) {
      return false;
    }
    r->goals[waiting] = number;
    waiting += waits;
  }
  if (waiting > first && depth == CHECK_MOST_HALVINGS) {
    r->damaged = true;
    return false;
  }
  for (int half = 0; half < 2 && waiting > first; half++) {
    r->goal_count = waiting;
    for (size_t i = first; i < waiting; i++) {
      uint32_t child;
      if (!expect(r, &child)) {
        return false;
      }
      r->story->told[r->goals[i]].child[half] = child;
    }
    if (!read_span(r, waiting, depth + 1u)) {
      return false;
    }
  }
  r->goal_count = first;
  return true;
}

vouch_ret_t check_story_read(
  check_story_t * story, uint32_t pairs, const uint8_t * ops, size_t size)
{
  reader_t r = {.story = story, .at = ops, .left = size};
  bool good = true;
  for (uint32_t i = 0, number; i < pairs && good; i++) {
    good = expect(&r, &number);
  }
  good = good && read_span(&r, 0, 0);
  vouch_free(&story->allocator, r.goals);
  if (r.damaged || (good && r.left > 0)) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate does not fit the old problem");
  }
  return good ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

void check_story_fini(check_story_t * story)
{
  vouch_free(&story->allocator, story->told);
  *story = (check_story_t) {.allocator = story->allocator};
}
