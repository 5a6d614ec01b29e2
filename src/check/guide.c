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

#include "check/guide.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/error.h"
#include "check/told.h"

/* ---- which old pair a new one was ---- */

/// A pair of the file by the ids of its bodies.
typedef struct named_s
{
  const char * a, * b;
  uint32_t pair;
} named_t;

static int compare_names(const void * x, const void * y)
{
  const named_t * p = x, * q = y;
  int order = strcmp(p->a, q->a);
  return order != 0 ? order : strcmp(p->b, q->b);
}

/// A part of the new problem's time and obstacle tree, for which steps are to be put together. The
/// old steps of the group's obstacles are slots[first] and on.
typedef struct item_s
{
  uint32_t group;
  uint32_t begin, end;   // knots
  size_t first, top;     // slots below `top` are still needed
} item_t;

typedef struct weave_s
{
  check_guide_t * guide;
  const vouch_scene_part_t * now;
  check_story_t story;
  named_t * named;
  uint32_t * starts;        // per knot: how many interior ones up to it are starts
  uint32_t * leaf_count;    // per group: obstacles below it
  bool * complete;          // per group: those that are checked have old steps, in the pair at hand
  uint32_t * slots;         // VOUCH_NONE: an obstacle without steps
  size_t slot_count, slot_capacity;
  item_t * items;
  size_t item_count, item_capacity;
  uint32_t * walk;          // steps that wait
  size_t walk_count, walk_capacity;
} weave_t;

/// The old pair of two bodies, or VOUCH_NONE.
static uint32_t find_old(const weave_t * w, uint32_t a, uint32_t b)
{
  const vouch_body_t * bodies = w->now->bodies;
  const vouch_scene_part_t * old = &w->guide->old.scene;
  named_t key = {bodies[a].id, bodies[b].id, 0};
  const named_t * found =
    bsearch(&key, w->named, old->pair_count, sizeof(w->named[0]), compare_names);
  bool plane = bodies[b].kind != VOUCH_BODY_GEOMETRY;
  return found != NULL && plane == (old->pairs[found->pair].kind == VOUCH_PAIR_PLANE) ?
         found->pair : VOUCH_NONE;
}

static void name_pairs(weave_t * w)
{
  const vouch_scene_part_t * old = &w->guide->old.scene;
  for (uint32_t i = 0; i < old->pair_count; i++) {
    const vouch_pair_t * pair = &old->pairs[i];
    w->named[i] = (named_t) {old->bodies[pair->a].id, old->bodies[pair->b].id, i};
  }
  qsort(w->named, old->pair_count, sizeof(w->named[0]), compare_names);
}

/// Counts the starts inside the old motion.
static void count_starts(weave_t * w)
{
  const vouch_motion_part_t * m = &w->guide->old.motion;
  for (uint32_t k = 1; k < m->segment_count; k++) {
    const double * before = m->coefficients + m->offsets[k - 1u] + m->degrees[k - 1u];
    const double * after = m->coefficients + m->offsets[k];
    bool jump = false;
    for (size_t v = 0; v < m->variable_count; v++) {
      jump = jump || memcmp(
        before + v * (m->degrees[k - 1u] + 1u), after + v * (m->degrees[k] + 1u),
        sizeof(double)) != 0;
    }
    w->starts[k] = w->starts[k - 1u] + (jump ? 1u : 0u);
  }
}

/// There, steps cannot but halve the span.
static bool start_inside(const weave_t * w, const item_t * item)
{
  return item->end > item->begin + 1u && w->starts[item->end - 1u] > w->starts[item->begin];
}

/* ---- one pair of bodies ---- */

static void put_step(weave_t * w, const check_told_t * told, bool plane)
{
  vouch_text_t * out = &w->guide->ops;
  if (!plane || *told->at != 'L') {
    vouch_text_append_bytes(out, told->at, told->size);
    return;
  }
  float n[3];
  memcpy(n, told->at + 1, sizeof(n));
  const uint8_t step[2] = {'P', n[2] > 0.0f};
  vouch_text_append_bytes(out, step, sizeof(step));
}

static bool put_off(weave_t * w, uint32_t number)
{
  if (!vouch_grow(
      &w->story.allocator, &w->walk, w->walk_count, &w->walk_capacity, sizeof(w->walk[0])))
  {
    return false;
  }
  w->walk[w->walk_count++] = number;
  return true;
}

/// A step and all below it, as the kernel has them.
static bool put_tree(weave_t * w, uint32_t root, bool plane)
{
  w->walk_count = 0;
  bool memory = put_off(w, root);
  while (memory && w->walk_count > 0) {
    const check_told_t * told = &w->story.told[w->walk[--w->walk_count]];
    bool inner = *told->at == 'T' || *told->at == 'A' || *told->at == 'B';
    put_step(w, told, plane);
    memory = !inner || (put_off(w, told->child[1]) && put_off(w, told->child[0]));
  }
  return memory;
}

/* ---- a body and the tree of obstacles ---- */

/// What the old steps of a group's obstacles have in common.
typedef struct common_s
{
  uint32_t count;   // that there are
  bool halve;       // all halve the span
  const check_told_t * leaf;   // all are leaves alike; NULL: they are not
} common_t;

static bool is_leaf(const check_told_t * told)
{
  return *told->at == 'L' || *told->at == 'D';
}

static bool alike(const check_told_t * a, const check_told_t * b)
{
  return is_leaf(a) && a->size == b->size && memcmp(a->at, b->at, a->size) == 0;
}

/// The step of an obstacle of the item's group, or NULL.
static const check_told_t * told_of(const weave_t * w, const item_t * item, uint32_t obstacle)
{
  uint32_t number = w->slots[item->first + obstacle];
  return number == VOUCH_NONE ? NULL : &w->story.told[number];
}

static common_t in_common(const weave_t * w, const item_t * item)
{
  common_t c = {0};
  uint32_t all = w->leaf_count[item->group], same = 0, halves = 0;
  for (uint32_t i = 0; i < all; i++) {
    const check_told_t * told = told_of(w, item, i);
    if (told != NULL) {
      c.leaf = c.count++ == 0 ? told : c.leaf;
      halves += *told->at == 'T' ? 1u : 0u;
      same += alike(told, c.leaf) ? 1u : 0u;
    }
  }
  c.halve = halves > 0 && halves == c.count;
  c.leaf = same == c.count ? c.leaf : NULL;
  return c;
}

static bool add_item(weave_t * w, item_t item)
{
  if (!vouch_grow(
      &w->story.allocator, &w->items, w->item_count, &w->item_capacity, sizeof(item)))
  {
    return false;
  }
  w->items[w->item_count++] = item;
  return true;
}

static bool add_slot(weave_t * w, uint32_t number)
{
  if (!vouch_grow(
      &w->story.allocator, &w->slots, w->slot_count, &w->slot_capacity, sizeof(w->slots[0])))
  {
    return false;
  }
  w->slots[w->slot_count++] = number;
  return true;
}

/// Both halves of the span, the earlier one on top.
static bool halve(weave_t * w, const item_t * item)
{
  uint32_t middle = item->begin + (item->end - item->begin) / 2u;
  bool run = item->end > item->begin + 1u, good = true;
  for (int half = 1; half >= 0 && good; half--) {
    item_t part = *item;
    part.begin = run && half == 1 ? middle : item->begin;
    part.end = run && half == 0 ? middle : item->end;
    part.first = w->slot_count;
    for (uint32_t i = 0; i < w->leaf_count[item->group] && good; i++) {
      uint32_t number = w->slots[item->first + i];
      good = add_slot(w, number == VOUCH_NONE ? number : w->story.told[number].child[half]);
    }
    part.top = w->slot_count;
    good = good && add_item(w, part);
  }
  return good;
}

/// Down the tree: the left child on top, those without old steps left out.
static bool descend(weave_t * w, const vouch_pair_t * pair, const item_t * item)
{
  const vouch_group_t * node = &w->now->groups[item->group];
  if (node->body != VOUCH_NONE) {
    return put_tree(w, w->slots[item->first], false);
  }
  item_t left = *item, right = *item;
  left.group = node->left;
  right.group = node->right;
  right.first += w->leaf_count[node->left];
  return (!(pair->leaf_margins[node->right] >= 0.0) || add_item(w, right)) &&
         (!(pair->leaf_margins[node->left] >= 0.0) || add_item(w, left));
}

/// Requires: the slots have the steps of all obstacles.
static bool put_group_pair(weave_t * w, const vouch_pair_t * pair)
{
  vouch_text_t * out = &w->guide->ops;
  item_t root = {.end = w->guide->old.motion.segment_count, .top = w->slot_count};
  bool good = add_item(w, root);
  while (good && w->item_count > 0) {
    item_t item = w->items[--w->item_count];
    w->slot_count = item.top;
    common_t common = in_common(w, &item);
    bool complete = w->complete[item.group];
    if (common.halve && (complete || start_inside(w, &item))) {
      vouch_text_append_bytes(out, "T", 1);
      good = halve(w, &item);
    } else if (common.leaf != NULL && common.count > 1u && complete) {
      put_step(w, common.leaf, false);
    } else {
      vouch_text_append_bytes(out, "B", 1);
      good = descend(w, pair, &item);
    }
  }
  return good;
}

/// Sets the slots, and the entries of the old pair: -1 where there are no steps. Returns whether
/// there are any.
static bool fill_slots(weave_t * w, const vouch_pair_t * now, vouch_pair_t * old)
{
  const vouch_group_t * groups = w->now->groups;
  w->slot_count = 0;
  for (uint32_t g = 0; g < w->now->group_count; g++) {
    if (groups[g].body != VOUCH_NONE) {
      bool checked = now->leaf_margins[g] >= 0.0;
      uint32_t pair = checked ? find_old(w, now->a, groups[g].body) : VOUCH_NONE;
      if (!add_slot(w, pair)) {
        return false;
      }
      old->leaf_margins[g] = pair != VOUCH_NONE ? now->leaf_margins[g] : -1.0;
      w->complete[g] = !checked || pair != VOUCH_NONE;
    }
  }
  for (uint32_t g = w->now->group_count; g-- > 0; ) {
    const vouch_group_t * node = &groups[g];
    if (node->body == VOUCH_NONE) {
      double left = old->leaf_margins[node->left], right = old->leaf_margins[node->right];
      old->leaf_margins[g] = left > right ? left : right;
      w->complete[g] = w->complete[node->left] && w->complete[node->right];
    }
  }
  return true;
}

/// Steps for one new pair, behind those of others.
static bool put_pair(weave_t * w, uint32_t number)
{
  check_guide_t * guide = w->guide;
  const vouch_pair_t * now = &w->now->pairs[number];
  vouch_pair_t * old = &guide->scene.pairs[number];
  bool good = true, there;
  guide->steps[number].begin = guide->ops.size;
  if (now->kind == VOUCH_PAIR_GROUP) {
    old->leaf_margins = vouch_arena_calloc(
      &guide->arena, w->now->group_count, sizeof(old->leaf_margins[0]));
    good = old->leaf_margins != NULL && fill_slots(w, now, old);
    there = good && old->leaf_margins[0] >= 0.0;
    good = good && (!there || put_group_pair(w, old));
  } else {
    uint32_t pair = find_old(w, now->a, now->b);
    there = pair != VOUCH_NONE;
    good = !there || put_tree(w, pair, now->kind == VOUCH_PAIR_PLANE);
  }
  guide->steps[number].end = guide->ops.size;
  guide->old_pair[number] = there ? number : VOUCH_NONE;
  return good && !guide->ops.failed;
}

/* ---- the files ---- */

/// How many obstacles are below each group.
static void count_leaves(weave_t * w)
{
  for (uint32_t g = w->now->group_count; g-- > 0; ) {
    const vouch_group_t * node = &w->now->groups[g];
    w->leaf_count[g] = node->body != VOUCH_NONE ? 1u :
      w->leaf_count[node->left] + w->leaf_count[node->right];
  }
}

static vouch_ret_t weave(weave_t * w)
{
  check_guide_t * guide = w->guide;
  vouch_arena_t * arena = &guide->arena;
  const vouch_scene_part_t * now = w->now;
  guide->scene = *now;
  guide->scene.pairs = vouch_arena_calloc(arena, now->pair_count, sizeof(now->pairs[0]));
  guide->steps = vouch_arena_calloc(arena, now->pair_count, sizeof(guide->steps[0]));
  guide->old_pair = vouch_arena_calloc(arena, now->pair_count, sizeof(guide->old_pair[0]));
  w->leaf_count = vouch_arena_calloc(arena, now->group_count, sizeof(w->leaf_count[0]));
  w->complete = vouch_arena_calloc(arena, now->group_count, sizeof(w->complete[0]));
  w->named = vouch_arena_calloc(arena, guide->old.scene.pair_count, sizeof(w->named[0]));
  w->starts = vouch_arena_calloc(arena, guide->old.motion.segment_count, sizeof(w->starts[0]));
  bool good = guide->scene.pairs != NULL && guide->steps != NULL && guide->old_pair != NULL &&
    w->leaf_count != NULL && w->complete != NULL && w->named != NULL && w->starts != NULL;
  if (good) {
    name_pairs(w);
    count_starts(w);
    count_leaves(w);
  }
  for (uint32_t i = 0; i < now->pair_count && good; i++) {
    guide->scene.pairs[i] = now->pairs[i];
    good = put_pair(w, i);
  }
  return good ? VOUCH_RET_OK : vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the old proof");
}

/// The steps of a certificate that belongs to the old problem.
static vouch_ret_t find_ops(const vouch_problem_t * old, check_file_t file, check_file_t * ops)
{
  vouch_bytes_t in = vouch_bytes_reader(file.data, file.size);
  const uint8_t * magic = vouch_bytes_take(&in, 8);
  uint32_t version = vouch_bytes_get_u32(&in), kind = vouch_bytes_get_u32(&in);
  const uint8_t * hashes = vouch_bytes_take(&in, 96);
  (void)vouch_bytes_get_u64(&in);   // the end of the motion
  if (in.failed || memcmp(magic, "VOUCHCRT", 8) != 0 || version != 2 || kind != 1) {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate is not one of a FREE motion");
  }
  if (memcmp(hashes, old->geometry.hash, 32) != 0 ||
    memcmp(hashes + 32, old->motion.hash, 32) != 0 ||
    memcmp(hashes + 64, old->scene.hash, 32) != 0)
  {
    return vouch_fail(VOUCH_RET_INVALID, "the old certificate belongs to another problem");
  }
  *ops = (check_file_t) {in.data + in.position, in.size - in.position};
  return VOUCH_RET_OK;
}

vouch_ret_t check_guide_read(
  check_guide_t * guide, vouch_allocator_t allocator, const vouch_scene_part_t * now,
  check_file_t problem, check_file_t certificate)
{
  *guide = (check_guide_t) {.ops = {.allocator = allocator}, .arena = {.allocator = allocator}};
  weave_t w = {.guide = guide, .now = now, .story = {.allocator = allocator}};
  check_file_t ops = {NULL, 0};
  vouch_ret_t ret = vouch_problem_decode(&guide->old, allocator, problem.data, problem.size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = find_ops(&guide->old, certificate, &ops);
  ret = ret != VOUCH_RET_OK ? ret :
    check_story_read(&w.story, guide->old.scene.pair_count, ops.data, ops.size);
  ret = ret != VOUCH_RET_OK ? ret : weave(&w);
  check_story_fini(&w.story);
  vouch_free(&allocator, w.slots);
  vouch_free(&allocator, w.items);
  vouch_free(&allocator, w.walk);
  if (ret != VOUCH_RET_OK) {
    check_guide_fini(guide);
  }
  return ret;
}

void check_guide_fini(check_guide_t * guide)
{
  vouch_problem_fini(&guide->old);
  vouch_text_fini(&guide->ops);
  vouch_arena_fini(&guide->arena);
}
