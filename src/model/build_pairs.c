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
/* Which bodies are checked against each other, and the tree over the obstacles. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/build_items.h"

/* ---- the obstacle tree ---- */

static int compare_keys(const void * x, const void * y)
{
  const vouch_build_key_t * a = x;
  const vouch_build_key_t * b = y;
  if (a->centre != b->centre) {
    return a->centre < b->centre ? -1 : 1;
  }
  return a->body < b->body ? -1 : a->body > b->body ? 1 : 0;
}

/// More bodies than that are parted in the middle: three sortings are too slow for little.
#define MANY 4096u

static void sort_along(
  const vouch_build_work_t * work, const uint32_t * bodies, uint32_t count, int axis)
{
  for (uint32_t i = 0; i < count; ++i) {
    const vouch_build_item_t * item = &work->items[bodies[i]];
    work->keys[i] =
      (vouch_build_key_t) {.centre = item->low[axis] + item->high[axis], .body = bodies[i]};
  }
  qsort(work->keys, count, sizeof(*work->keys), compare_keys);
}

typedef struct box_s
{
  double low[3], high[3];
} box_t;

static const box_t NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/// Returns the surface of the box, which says how likely it is that something comes near, times the
/// number of bodies in it, which says what that costs (MacDonald and Booth, 1990).
static double add_to_box(box_t * box, const vouch_build_item_t * item, uint32_t count)
{
  double side[3];
  for (int k = 0; k < 3; ++k) {
    box->low[k] = item->low[k] < box->low[k] ? item->low[k] : box->low[k];
    box->high[k] = item->high[k] > box->high[k] ? item->high[k] : box->high[k];
    side[k] = box->high[k] - box->low[k];
  }
  return (side[0] * side[1] + side[1] * side[2] + side[2] * side[0]) * (double)count;
}

typedef struct part_s
{
  int axis;
  uint32_t count;     // bodies in the left part
  double cost;
} part_t;

/// The cheapest place to part the sorted bodies so that neither part has more than `most`.
static part_t best_part(vouch_build_work_t * work, uint32_t count, int axis, uint32_t most)
{
  vouch_build_key_t * keys = work->keys;
  part_t best = {axis, count / 2, INFINITY};
  box_t right = NOTHING, left = NOTHING;
  for (uint32_t i = count; i-- > 1; ) {
    keys[i].behind = add_to_box(&right, &work->items[keys[i].body], count - i);
  }
  for (uint32_t i = 1; i < count; ++i) {
    const double cost = add_to_box(&left, &work->items[keys[i - 1].body], i) + keys[i].behind;
    if (i <= most && count - i <= most && cost < best.cost) {
      best = (part_t) {axis, i, cost};
    }
  }
  return best;
}

static part_t part_bodies(
  vouch_build_work_t * work, const uint32_t * bodies, uint32_t count, uint32_t most)
{
  part_t best = {0, count / 2, INFINITY};
  for (int axis = 0; axis < 3 && count <= MANY; ++axis) {
    sort_along(work, bodies, count, axis);
    const part_t part = best_part(work, count, axis, most);
    best = part.cost < best.cost ? part : best;
  }
  if (count > MANY) {
    box_t box = NOTHING;
    for (uint32_t i = 0; i < count; ++i) {
      (void)add_to_box(&box, &work->items[bodies[i]], 1);
    }
    for (int axis = 1; axis < 3; ++axis) {
      best.axis = box.high[axis] - box.low[axis] > box.high[best.axis] - box.low[best.axis] ?
        axis : best.axis;
    }
  }
  return best;
}

/// Below the group there is room for a tree of 2^depth bodies.
static uint32_t split(
  vouch_build_work_t * work, uint32_t * bodies, uint32_t count, uint32_t depth)
{
  vouch_scene_part_t * scene = &work->build->problem.scene;
  const uint32_t number = scene->group_count++;
  vouch_group_t * group = &scene->groups[number];
  if (count == 1) {
    *group = (vouch_group_t) {.left = 0, .right = 0, .body = bodies[0]};
    return number;
  }
  const uint32_t most = depth > 31u ? UINT32_MAX : 1u << (depth - 1u);
  const part_t part = part_bodies(work, bodies, count, most);
  sort_along(work, bodies, count, part.axis);
  for (uint32_t i = 0; i < count; ++i) {
    bodies[i] = work->keys[i].body;
  }
  group->body = VOUCH_NONE;
  group->left = split(work, bodies, part.count, depth - 1u);
  group->right = split(work, bodies + part.count, count - part.count, depth - 1u);
  return number;
}

uint32_t vouch_build_split(vouch_build_work_t * work, uint32_t * bodies, uint32_t count)
{
  uint32_t depth = 3;
  for (uint32_t reach = 1; reach < count; reach = reach > UINT32_MAX / 2u ? count : 2u * reach) {
    depth++;
  }
  return split(work, bodies, count, depth);
}

vouch_ret_t vouch_build_groups(vouch_build_work_t * work)
{
  vouch_scene_part_t * part = &work->build->problem.scene;
  const uint32_t count = work->obstacle_count;
  if (count == 0) {
    return VOUCH_RET_OK;
  }
  part->groups = vouch_arena_calloc(
    &part->arena, 2 * (size_t)count - 1, sizeof(*part->groups));
  work->keys = vouch_arena_calloc(&work->arena, count, sizeof(*work->keys));
  if (part->groups == NULL || work->keys == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  bool made = false;
  if (work->previous != NULL) {
    vouch_ret_t ret = vouch_build_groups_again(work, &made);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  if (!made) {
    (void)vouch_build_split(work, work->obstacles, count);
  }
  return VOUCH_RET_OK;
}

/* ---- pairs ---- */

/// Growing lists in scratch memory; copied to their arenas at the end.
typedef struct lists_s
{
  vouch_allocator_t allocator;
  vouch_pair_t * pairs;
  size_t pair_count, pair_capacity;
  vouch_static_entry_t * statics;
  size_t static_count, static_capacity;
  vouch_unsupported_entry_t * unsupported;
  size_t unsupported_count, unsupported_capacity;
  vouch_left_out_t * left_out;
  size_t left_out_count, left_out_capacity;
} lists_t;

static vouch_ret_t push_pair(
  lists_t * lists, vouch_pair_kind_t kind, uint32_t a, uint32_t b, double margin)
{
  if (!vouch_grow(
      &lists->allocator, &lists->pairs, lists->pair_count, &lists->pair_capacity,
      sizeof(*lists->pairs)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  lists->pairs[lists->pair_count++] =
    (vouch_pair_t) {.kind = (uint8_t)kind, .a = a, .b = b, .margin = margin};
  return VOUCH_RET_OK;
}

static vouch_ret_t push_static(lists_t * lists, uint32_t a, uint32_t b, double margin)
{
  if (!vouch_grow(
      &lists->allocator, &lists->statics, lists->static_count, &lists->static_capacity,
      sizeof(*lists->statics)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  lists->statics[lists->static_count++] =
    (vouch_static_entry_t) {.a = a, .b = b, .margin = margin};
  return VOUCH_RET_OK;
}

static vouch_ret_t push_unsupported(lists_t * lists, uint32_t a, uint32_t b)
{
  if (!vouch_grow(
      &lists->allocator, &lists->unsupported, lists->unsupported_count,
      &lists->unsupported_capacity, sizeof(*lists->unsupported)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  lists->unsupported[lists->unsupported_count++] = (vouch_unsupported_entry_t) {.a = a, .b = b};
  return VOUCH_RET_OK;
}

static vouch_ret_t push_left_out(lists_t * lists, uint32_t a, uint32_t b, vouch_reason_t reason)
{
  if (!vouch_grow(
      &lists->allocator, &lists->left_out, lists->left_out_count, &lists->left_out_capacity,
      sizeof(*lists->left_out)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  lists->left_out[lists->left_out_count++] =
    (vouch_left_out_t) {.a = a, .b = b, .reason = (uint32_t)reason};
  return VOUCH_RET_OK;
}

static bool is_link(const vouch_build_item_t * item)
{
  return item->object == NULL;
}

/// An attached object never counts against the link that holds it, nor against its touch links: links,
/// and what other links hold. One of the world is not touched by that, as in MoveIt.
static bool touches(
  const vouch_build_work_t * work, const vouch_build_item_t * held,
  const vouch_build_item_t * other)
{
  if (is_link(held) || held->object->link == VOUCH_NONE || !other->robot) {
    return false;
  }
  if (is_link(other) &&
    strcmp(work->scene->robot->links[held->object->link].name, other->name) == 0)
  {
    return true;
  }
  // Grippers' lists name links without a body too: none of those is meant for an object of that name.
  const bool namesake = !is_link(other) &&
    vouch_robot_find_link(work->scene->robot, other->name) != VOUCH_NONE;
  for (size_t i = 0; !namesake && i < held->object->touch_count; ++i) {
    if (strcmp(held->object->touch_links[i], other->name) == 0) {
      return true;
    }
  }
  return false;
}

/// VOUCH_REASON_OWN_PAIR: the two are to be checked.
static vouch_reason_t why_not(
  const vouch_build_work_t * work, const vouch_build_item_t * x, const vouch_build_item_t * y)
{
  if (!x->robot && !y->robot) {
    return VOUCH_REASON_RIGID;
  }
  if (x->object != NULL && x->object == y->object) {
    return VOUCH_REASON_SAME_OBJECT;
  }
  if (touches(work, x, y) || touches(work, y, x)) {
    return VOUCH_REASON_HELD;
  }
  return vouch_scene_pair_reason(
    work->scene, x->name, is_link(x) ? x->link : VOUCH_NONE, y->name,
    is_link(y) ? y->link : VOUCH_NONE);
}

/// Padding counts towards the environment only, as in MoveIt. A margin that the two names were given
/// stands for all of that; an object with the name of a link is not meant.
static double pair_margin(
  const vouch_build_work_t * work, const vouch_build_item_t * x, const vouch_build_item_t * y)
{
  double given;
  if (work->scene->margin_count > 0 &&
    vouch_scene_pair_margin(work->scene, x->name, y->name, &given) &&
    (is_link(x) || !vouch_scene_is_namesake(work->scene, x->name)) &&
    (is_link(y) || !vouch_scene_is_namesake(work->scene, y->name)))
  {
    return given;
  }
  return x->robot && y->robot ? work->margin : work->margin + x->padding + y->padding;
}

/// Two bodies that are not checked as a pair, or are, by one of these lists.
static vouch_ret_t add_pair(vouch_build_work_t * work, lists_t * lists, uint32_t i, uint32_t k)
{
  const vouch_build_item_t * x = &work->items[i];
  const vouch_build_item_t * y = &work->items[k];
  const vouch_reason_t reason = why_not(work, x, y);
  const double margin = pair_margin(work, x, y);
  // b is the plane, else the body nearer the root.
  const bool swap = !y->plane && (x->plane ||
    x->joints < y->joints || (x->joints == y->joints && i < k));
  const uint32_t a = swap ? k : i, b = swap ? i : k;
  if (reason != VOUCH_REASON_OWN_PAIR) {
    return push_left_out(lists, a, b, reason);
  }
  if (x->cluster == y->cluster) {
    vouch_ret_t ret = x->plane && y->plane ? VOUCH_RET_OK : push_static(lists, a, b, margin);
    return ret ? ret : push_left_out(lists, a, b, VOUCH_REASON_RIGID);
  }
  if (x->plane && y->plane) {
    vouch_ret_t ret = push_unsupported(lists, a, b);
    return ret ? ret : push_left_out(lists, a, b, VOUCH_REASON_TWO_PLANES);
  }
  return push_pair(
    lists, x->plane || y->plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES, a, b, margin);
}

static int compare_margins(const void * x, const void * y)
{
  double a, b;
  memcpy(&a, x, sizeof(a));
  memcpy(&b, y, sizeof(b));
  return (a > b) - (a < b);
}

/// The margin that most have; the larger one of two. Sorts them.
static double common_margin(double * margins, uint32_t count)
{
  double best = 0.0;
  uint32_t most = 0;
  qsort(margins, count, sizeof(*margins), compare_margins);
  for (uint32_t i = 0, begin = 0; i < count; ++i) {
    begin = margins[i] > margins[begin] ? i : begin;
    if (i - begin + 1u >= most) {
      most = i - begin + 1u;
      best = margins[i];
    }
  }
  return best;
}

/// What becomes of a robot's body and each body of the tree, in the tree's order.
typedef struct against_s
{
  uint32_t count;
  vouch_skip_t * all;      // with reasons; VOUCH_REASON_OWN_PAIR: checked
  double * margins;        // of those that are checked
  uint32_t checked;
  bool alike;              // all have the reason of the first one
} against_t;

static vouch_ret_t look_at_tree(vouch_build_work_t * work, uint32_t body, against_t * out)
{
  const vouch_scene_part_t * part = &work->build->problem.scene;
  const vouch_build_item_t * mover = &work->items[body];
  *out = (against_t) {.alike = true,
    .all = vouch_arena_calloc(&work->arena, work->obstacle_count, sizeof(*out->all)),
    .margins = vouch_arena_calloc(&work->arena, work->obstacle_count, sizeof(double))};
  if (out->all == NULL || out->margins == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t g = 0; g < part->group_count; ++g) {
    if (part->groups[g].body != VOUCH_NONE) {
      const vouch_build_item_t * obstacle = &work->items[part->groups[g].body];
      const vouch_reason_t reason = why_not(work, mover, obstacle);
      if (reason == VOUCH_REASON_OWN_PAIR) {
        out->margins[out->checked++] = pair_margin(work, mover, obstacle);
      }
      out->all[out->count] =
        (vouch_skip_t) {.body = part->groups[g].body, .reason = (uint32_t)reason};
      out->alike = out->alike && out->all[out->count].reason == out->all[0].reason;
      out->count++;
    }
  }
  return VOUCH_RET_OK;
}

/// Hands the skips over to the pair that was made last.
static vouch_ret_t give_skips(
  vouch_build_work_t * work, lists_t * lists, const vouch_skip_t * skips, uint32_t count)
{
  vouch_scene_part_t * part = &work->build->problem.scene;
  vouch_pair_t * pair = &lists->pairs[lists->pair_count - 1];
  vouch_skip_t * own = vouch_arena_calloc(&part->arena, count, sizeof(*own));
  bool * checked = vouch_arena_calloc(&part->arena, part->group_count, sizeof(*checked));
  if (own == NULL || checked == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (count > 0) {
    memcpy(own, skips, count * sizeof(*own));
  }
  pair->skips = own;
  pair->skip_count = count;
  if (pair->kind == VOUCH_PAIR_GROUP) {
    vouch_pair_mark_checked(part, pair, checked);
    pair->checked = checked;
  }
  return VOUCH_RET_OK;
}

/// One mover against the whole obstacle tree, with the margin that most obstacles have; the others
/// have pairs of their own, and so have all if it is a plane.
static vouch_ret_t add_group_pair(vouch_build_work_t * work, lists_t * lists, uint32_t body)
{
  const vouch_scene_part_t * part = &work->build->problem.scene;
  const vouch_build_item_t * mover = &work->items[body];
  const uint32_t root = part->body_count;   // the number of group 0
  const uint32_t a = mover->plane ? root : body, b = mover->plane ? body : root;
  against_t tree;
  vouch_ret_t ret = look_at_tree(work, body, &tree);
  if (ret != VOUCH_RET_OK || (tree.checked == 0 && tree.alike)) {
    return ret ? ret : push_left_out(lists, a, b, (vouch_reason_t)tree.all[0].reason);
  }
  const double margin = mover->plane ? 0.0 : common_margin(tree.margins, tree.checked);
  uint32_t skips = 0;
  for (uint32_t i = 0; i < tree.count; ++i) {
    const vouch_build_item_t * obstacle = &work->items[tree.all[i].body];
    if (tree.all[i].reason != VOUCH_REASON_OWN_PAIR || mover->plane ||
      pair_margin(work, mover, obstacle) != margin)
    {
      tree.all[skips++] = tree.all[i];
    }
  }
  ret = push_pair(lists, mover->plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_GROUP, a, b, margin);
  ret = ret ? ret : give_skips(work, lists, tree.all, skips);
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < skips; ++i) {
    const uint32_t other = tree.all[i].body;
    if (tree.all[i].reason == VOUCH_REASON_OWN_PAIR) {
      ret = push_pair(
        lists, mover->plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES, mover->plane ? other : body,
        mover->plane ? body : other, pair_margin(work, mover, &work->items[other]));
    }
  }
  return ret;
}

/// A body of the robot that does not move against the obstacles: each of them is static with it.
static vouch_ret_t add_resting(vouch_build_work_t * work, lists_t * lists, uint32_t body)
{
  const vouch_scene_part_t * part = &work->build->problem.scene;
  const vouch_build_item_t * item = &work->items[body];
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t k = 0; ret == VOUCH_RET_OK && k < part->body_count; ++k) {
    const vouch_build_item_t * other = &work->items[k];
    if (!other->robot && !other->plane && why_not(work, item, other) == VOUCH_REASON_OWN_PAIR) {
      const bool swap = item->plane || body < k;
      ret = push_static(
        lists, swap ? k : body, swap ? body : k, pair_margin(work, item, other));
    }
  }
  return ret ? ret : push_left_out(lists, part->body_count, body, VOUCH_REASON_RIGID);
}

/// Everything that concerns robot body i and bodies before it, or the environment.
static vouch_ret_t add_pairs_of(vouch_build_work_t * work, lists_t * lists, uint32_t i)
{
  const vouch_scene_part_t * part = &work->build->problem.scene;
  const vouch_build_item_t * item = &work->items[i];
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t k = 0; ret == VOUCH_RET_OK && k < part->body_count; ++k) {
    const vouch_build_item_t * other = &work->items[k];
    // Robot against robot once; obstacles are met through their tree, below.
    if (other->robot ? k < i : other->plane) {
      ret = add_pair(work, lists, i, k);
    }
  }
  if (ret == VOUCH_RET_OK && part->group_count > 0) {
    ret = item->joints == 0 ? add_resting(work, lists, i) : add_group_pair(work, lists, i);
  }
  return ret;
}

/// Planes of the world stand still against each other and against all obstacles.
static vouch_ret_t add_world(const vouch_build_work_t * work, lists_t * lists, uint32_t plane)
{
  const vouch_scene_part_t * part = &work->build->problem.scene;
  vouch_ret_t ret = part->group_count == 0 ? VOUCH_RET_OK :
    push_left_out(lists, part->body_count, plane, VOUCH_REASON_RIGID);
  for (uint32_t k = 0; ret == VOUCH_RET_OK && k < plane; ++k) {
    if (work->items[k].plane && !work->items[k].robot) {
      ret = push_left_out(lists, plane, k, VOUCH_REASON_RIGID);
    }
  }
  return ret;
}

static vouch_ret_t keep_lists(vouch_build_t * build, const lists_t * lists)
{
  vouch_scene_part_t * part = &build->problem.scene;
  part->pairs = vouch_arena_calloc(&part->arena, lists->pair_count, sizeof(*part->pairs));
  build->statics = vouch_arena_calloc(
    &build->arena, lists->static_count, sizeof(*build->statics));
  build->unsupported = vouch_arena_calloc(
    &build->arena, lists->unsupported_count, sizeof(*build->unsupported));
  part->left_out = vouch_arena_calloc(
    &part->arena, lists->left_out_count, sizeof(*part->left_out));
  if (part->pairs == NULL || part->left_out == NULL || build->statics == NULL ||
    build->unsupported == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  if (lists->pair_count > 0) {
    memcpy(part->pairs, lists->pairs, lists->pair_count * sizeof(*part->pairs));
  }
  if (lists->static_count > 0) {
    memcpy(build->statics, lists->statics, lists->static_count * sizeof(*build->statics));
  }
  if (lists->unsupported_count > 0) {
    memcpy(
      build->unsupported, lists->unsupported,
      lists->unsupported_count * sizeof(*build->unsupported));
  }
  if (lists->left_out_count > 0) {
    memcpy(part->left_out, lists->left_out, lists->left_out_count * sizeof(*part->left_out));
  }
  part->left_out_count = (uint32_t)lists->left_out_count;
  part->pair_count = (uint32_t)lists->pair_count;
  build->static_count = lists->static_count;
  build->unsupported_count = lists->unsupported_count;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_build_pairs(vouch_build_work_t * work)
{
  lists_t lists = {.allocator = work->arena.allocator};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0;
    ret == VOUCH_RET_OK && i < work->build->problem.scene.body_count; ++i)
  {
    if (work->items[i].robot) {
      ret = add_pairs_of(work, &lists, i);
    } else if (work->items[i].plane) {
      ret = add_world(work, &lists, i);
    }
  }
  ret = ret == VOUCH_RET_OK ? keep_lists(work->build, &lists) : ret;
  vouch_free(&lists.allocator, lists.pairs);
  vouch_free(&lists.allocator, lists.statics);
  vouch_free(&lists.allocator, lists.unsupported);
  vouch_free(&lists.allocator, lists.left_out);
  return ret;
}
