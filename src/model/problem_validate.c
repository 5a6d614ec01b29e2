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

/* Every rule of docs/certificate_format.md about scenes and motions. */

#include <stdatomic.h>

#include "base/error.h"
#include "base/text.h"
#include "geometry/limits.h"
#include "model/problem.h"
#include "model/problem_format.h"

static bool is_identity(const vouch_pose_t * pose)
{
  for (int i = 0; i < 3; ++i) {
    if (!vouch_is_plus_zero(pose->rotation[i]) || !vouch_is_plus_zero(pose->translation[i])) {
      return false;
    }
  }
  return pose->rotation[3] == 1.0;
}

static bool all_plus_zero(const double * values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (!vouch_is_plus_zero(values[i])) {
      return false;
    }
  }
  return true;
}

static double length3(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static const char * shown(const char * text)
{
  return text == NULL ? "" : text;
}

/* ---- scene ---- */

static vouch_ret_t check_joint(const vouch_frame_t * frame, uint32_t number, uint32_t variables)
{
  if (frame->joint == VOUCH_JOINT_FIXED) {
    bool zero = all_plus_zero(frame->axis, 3) && frame->variable == 0 &&
      vouch_is_plus_zero(frame->multiplier) && vouch_is_plus_zero(frame->offset);
    return zero ? VOUCH_RET_OK : vouch_fail(
      VOUCH_RET_INVALID, "frame %u (%s) is fixed: axis, variable, multiplier and offset must be 0",
      number, shown(frame->name));
  }
  if (frame->joint != VOUCH_JOINT_REVOLUTE && frame->joint != VOUCH_JOINT_PRISMATIC) {
    return vouch_fail(
      VOUCH_RET_INVALID, "frame %u (%s) has the unknown joint kind %u", number, shown(frame->name),
      frame->joint);
  }
  if (!(vouch_is_coordinate(frame->axis[0]) && vouch_is_coordinate(frame->axis[1]) &&
    vouch_is_coordinate(frame->axis[2]) && length3(frame->axis) >= 1e-6))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "frame %u (%s): its axis must be a finite vector longer than 1e-6", number,
      shown(frame->name));
  }
  if (frame->variable >= variables) {
    return vouch_fail(
      VOUCH_RET_INVALID, "frame %u (%s) moves with variable %u, but the motion has %u", number,
      shown(frame->name), frame->variable, variables);
  }
  if (!(fabs(frame->multiplier) <= VOUCH_MAX_COEFFICIENT &&
    fabs(frame->offset) <= VOUCH_MAX_COEFFICIENT))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "frame %u (%s): multiplier and offset must be finite and at most 65536",
      number, shown(frame->name));
  }
  return VOUCH_RET_OK;
}

/// Frames above each frame; a body adds one. `above` has room for all frames.
static vouch_ret_t check_depths(const vouch_scene_part_t * scene, uint32_t * above)
{
  for (uint32_t i = 1; i < scene->frame_count; ++i) {
    above[i] = above[scene->frames[i].parent] + 1u;
    if (above[i] >= VOUCH_MAX_ABOVE) {
      return vouch_fail(
        VOUCH_RET_INVALID, "frame %u (%s) is number %u of a chain (at most %u, and a body)", i,
        shown(scene->frames[i].name), above[i], VOUCH_MAX_ABOVE - 1u);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_frames(const vouch_scene_part_t * scene, uint32_t variables)
{
  if (scene->frame_count == 0 || scene->frames[0].parent != 0 ||
    scene->frames[0].joint != VOUCH_JOINT_FIXED || !is_identity(&scene->frames[0].pose))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "frame 0 must be the root: its own parent, fixed, with the identity");
  }
  for (uint32_t i = 0; i < scene->frame_count; ++i) {
    const vouch_frame_t * frame = &scene->frames[i];
    if (i > 0 && frame->parent >= i) {
      return vouch_fail(
        VOUCH_RET_INVALID, "frame %u (%s): its parent %u must have a lower number", i,
        shown(frame->name), frame->parent);
    }
    if (!vouch_is_utf8(frame->name) || !vouch_is_utf8(frame->owner) ||
      !vouch_is_pose(&frame->pose))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "frame %u: its names must be UTF-8, its quaternion of length 1 within "
        "1e-3, its coordinates at most 1e6", i);
    }
    vouch_ret_t code = check_joint(frame, i, variables);
    if (code != VOUCH_RET_OK) {
      return code;
    }
  }
  return VOUCH_RET_OK;
}

static bool plane_ok(const vouch_body_t * body)
{
  vouch_body_t again = *body;
  vouch_plane_from_placement(&again);
  return body->geometry == VOUCH_NONE && vouch_is_pose(&body->placement) &&
         memcmp(again.normal, body->normal, sizeof(again.normal)) == 0 &&
         memcmp(&again.offset, &body->offset, sizeof(again.offset)) == 0;
}

static vouch_ret_t check_bodies(const vouch_scene_part_t * scene, uint32_t geometries)
{
  for (uint32_t i = 0; i < scene->body_count; ++i) {
    const vouch_body_t * body = &scene->bodies[i];
    if (!vouch_is_utf8(body->name) || !vouch_is_utf8(body->id)) {
      return vouch_fail(VOUCH_RET_INVALID, "body %u: its name and id must be UTF-8", i);
    }
    if (body->frame >= scene->frame_count) {
      return vouch_fail(
        VOUCH_RET_INVALID, "body %u (%s) is on frame %u of %u", i, shown(body->name), body->frame,
        scene->frame_count);
    }
    if (!(body->growth >= 0.0 && body->growth <= VOUCH_MAX_COORDINATE) || signbit(body->growth)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "body %u (%s): its growth (%g m/s) must be finite and at least 0", i,
        shown(body->name), body->growth);
    }
    bool good = false;
    switch (body->kind) {
      case VOUCH_BODY_GEOMETRY:
        good = body->geometry < geometries && vouch_is_pose(&body->placement) &&
          all_plus_zero(body->normal, 3) && vouch_is_plus_zero(body->offset);
        break;
      case VOUCH_BODY_HALFSPACE:
      case VOUCH_BODY_PLANE:
        good = plane_ok(body);
        break;
      default:
        break;
    }
    if (!good) {
      return vouch_fail(
        VOUCH_RET_INVALID, "body %u (%s, kind %u): its kind is unknown, or its geometry, "
        "placement, normal or offset does not fit it", i, shown(
          body->name), body->kind);
    }
  }
  return VOUCH_RET_OK;
}

static bool is_leaf(const vouch_group_t * group)
{
  return group->body != VOUCH_NONE;
}

/// What is found while a scene is looked through.
typedef struct found_s
{
  const vouch_scene_part_t * scene;
  uint32_t * above;      // frames above each frame
  uint32_t * stack;      // groups without parent so far, last to first: in the end, the roots
  uint32_t * depth;      // of the tree beneath each group
  uint32_t * leaf;       // per body: the group that is its leaf, plus 1; 0: none
  uint32_t * root;       // per group: the root of its tree
  uint32_t * item;       // per number of a body or group: which item it is, plus 1; 0: none
  uint32_t items;
  uint8_t * met;         // per two items, a bit: they were named
  bool * marks;          // per group: scratch
} found_t;

static bool leaf_ok(const found_t * f, uint32_t number)
{
  const vouch_scene_part_t * scene = f->scene;
  const vouch_group_t * group = &scene->groups[number];
  return group->left == 0 && group->right == 0 && group->body < scene->body_count &&
         scene->bodies[group->body].kind == VOUCH_BODY_GEOMETRY && f->leaf[group->body] == 0;
}

/// Bodies of one tree ride on one frame: neighbours' bodies do, and so all.
static bool one_frame(const vouch_scene_part_t * scene, uint32_t left, uint32_t right)
{
  return scene->bodies[vouch_group_any(scene, left)].frame ==
         scene->bodies[vouch_group_any(scene, right)].frame;
}

static vouch_ret_t check_groups(found_t * f)
{
  const vouch_scene_part_t * scene = f->scene;
  uint32_t roots = 0;
  for (uint32_t i = scene->group_count; i-- > 0; ) {
    const vouch_group_t * group = &scene->groups[i];
    bool leaf = is_leaf(group);
    bool good = leaf ? leaf_ok(f, i) :
      group->left == i + 1 && roots >= 2 && group->right == f->stack[roots - 2] &&
      one_frame(scene, group->left, group->right);
    if (good && leaf) {
      f->leaf[group->body] = i + 1;
    } else if (good) {
      uint32_t left = f->depth[group->left], right = f->depth[group->right];
      f->depth[i] = (left > right ? left : right) + 1u;
      roots -= 2;
    }
    if (!good || f->depth[i] > VOUCH_MAX_GROUP_DEPTH) {
      return vouch_fail(
        VOUCH_RET_INVALID, "group %u: leaves name one body each, all of a tree on one frame; the "
        "left group of an inner one follows it with its whole tree, then the right one; at most "
        "%u deep", i, VOUCH_MAX_GROUP_DEPTH);
    }
    f->stack[roots++] = i;
  }
  for (uint32_t i = 0, next = roots; i < scene->group_count; ++i) {   // roots, first to last
    next -= next > 0 && f->stack[next - 1u] == i ? 1u : 0u;
    f->root[i] = f->stack[next];
  }
  return VOUCH_RET_OK;
}

/// Numbers the items: bodies in no group, and roots.
static void count_items(found_t * f)
{
  const vouch_scene_part_t * scene = f->scene;
  for (uint32_t i = 0; i < scene->body_count; ++i) {
    f->item[i] = f->leaf[i] == 0 ? ++f->items : 0;
  }
  for (uint32_t i = 0; i < scene->group_count; ++i) {
    f->item[scene->body_count + i] = f->root[i] == i ? ++f->items : 0;
  }
}

static bool is_margin(double margin)
{
  return margin >= VOUCH_MIN_MARGIN && margin <= VOUCH_MAX_COORDINATE &&
         !(margin == 0.0 && signbit(margin));
}

/// A number of a body that is no plane, or of a group.
static bool is_solid(const vouch_scene_part_t * scene, uint32_t number)
{
  return number >= scene->body_count || scene->bodies[number].kind == VOUCH_BODY_GEOMETRY;
}

/// Two different items that were not named before. Remembers them.
static bool meet(found_t * f, uint32_t a, uint32_t b)
{
  const vouch_scene_part_t * scene = f->scene;
  uint32_t numbers = scene->body_count + scene->group_count;
  if (a >= numbers || b >= numbers || f->item[a] == 0 || f->item[b] == 0 || a == b) {
    return false;
  }
  size_t x = f->item[a] - 1u, y = f->item[b] - 1u;
  size_t at = x > y ? x * (x - 1u) / 2u + y : y * (y - 1u) / 2u + x;
  bool before = (f->met[at / 8u] >> at % 8u & 1u) != 0;
  f->met[at / 8u] = (uint8_t)(f->met[at / 8u] | 1u << at % 8u);
  return !before;
}

/// The skips of a pair, one of which is a group and the other a body: bodies of that group, in its
/// order, with reasons. *own: how many have pairs of their own.
static bool skips_ok(const found_t * f, const vouch_pair_t * pair, uint32_t * own)
{
  const vouch_scene_part_t * scene = f->scene;
  bool a = pair->a >= scene->body_count, b = pair->b >= scene->body_count;
  uint32_t last = 0;
  *own = 0;
  if (pair->skip_count > 0 && a == b) {
    return false;
  }
  for (uint32_t i = 0; i < pair->skip_count; ++i) {
    uint32_t body = pair->skips[i].body;
    uint32_t leaf = body < scene->body_count ? f->leaf[body] : 0;
    if (leaf <= last || f->root[leaf - 1u] != (a ? pair->a : pair->b) - scene->body_count ||
      pair->skips[i].reason >= VOUCH_REASON_COUNT)
    {
      return false;
    }
    last = leaf;
    *own += pair->skips[i].reason == VOUCH_REASON_OWN_PAIR ? 1u : 0u;
  }
  return true;
}

/// What follows from what is stored, where it is there: a wrong mark would leave out what is not
/// skipped.
static bool found_ok(const found_t * f, const vouch_pair_t * pair)
{
  const vouch_scene_part_t * scene = f->scene;
  bool group = pair->b >= scene->body_count;
  if (!group || pair->a >= scene->body_count) {
    return pair->kind == (group ? VOUCH_PAIR_GROUP :
           scene->bodies[pair->b].kind == VOUCH_BODY_GEOMETRY ? VOUCH_PAIR_BODIES :
           VOUCH_PAIR_PLANE);
  }
  uint32_t root = pair->b - scene->body_count, end = vouch_group_end(scene, root);
  bool * marks = f->marks;
  vouch_pair_mark_checked(scene, pair, marks);
  return pair->kind == VOUCH_PAIR_GROUP && (pair->checked == NULL ||
         memcmp(pair->checked + root, marks + root, (end - root) * sizeof(*marks)) == 0);
}

static vouch_ret_t bad_pair(uint32_t number)
{
  return vouch_fail(
    VOUCH_RET_INVALID, "pair %u: it must be of two bodies or groups that are paired or left out "
    "only once, the first one no plane, with a margin of at least -0.05 and bodies of the group as "
    "skips", number);
}

/// The pairs of their own that skips of pair `first` ask for, right behind it.
static vouch_ret_t check_own_pairs(const found_t * f, uint32_t first, uint32_t count)
{
  const vouch_scene_part_t * scene = f->scene;
  const vouch_pair_t * pair = &scene->pairs[first], * own = pair + 1;
  bool a = pair->a >= scene->body_count;
  if (count > scene->pair_count - first - 1u) {
    return bad_pair(first);
  }
  for (uint32_t i = 0; i < pair->skip_count; ++i) {
    if (pair->skips[i].reason != VOUCH_REASON_OWN_PAIR) {
      continue;
    }
    uint32_t body = pair->skips[i].body;
    if (own->a != (a ? body : pair->a) || own->b != (a ? pair->b : body) ||
      own->skip_count != 0 || !is_margin(own->margin) || !found_ok(f, own))
    {
      return bad_pair((uint32_t)(own - scene->pairs));
    }
    own++;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_pairs(found_t * f)
{
  const vouch_scene_part_t * scene = f->scene;
  for (uint32_t i = 0, own; i < scene->pair_count; i += 1u + own) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (!meet(f, pair->a, pair->b) || !is_solid(scene, pair->a) || !is_margin(pair->margin) ||
      !skips_ok(f, pair, &own) || !found_ok(f, pair))
    {
      return bad_pair(i);
    }
    vouch_ret_t code = check_own_pairs(f, i, own);
    if (code != VOUCH_RET_OK) {
      return code;
    }
  }
  return VOUCH_RET_OK;
}

static uint32_t frame_of(const vouch_scene_part_t * scene, uint32_t number)
{
  return scene->bodies[number < scene->body_count ? number :
           vouch_group_any(scene, number - scene->body_count)].frame;
}

/// Whether a joint lies between two frames.
static bool moves(const found_t * f, uint32_t x, uint32_t y)
{
  const vouch_frame_t * frames = f->scene->frames;
  while (x != y) {
    uint32_t * lower = f->above[x] >= f->above[y] ? &x : &y;
    if (frames[*lower].joint != VOUCH_JOINT_FIXED) {
      return true;
    }
    *lower = frames[*lower].parent;
  }
  return false;
}

static vouch_ret_t check_left_out(found_t * f)
{
  const vouch_scene_part_t * scene = f->scene;
  for (uint32_t i = 0; i < scene->left_out_count; ++i) {
    const vouch_left_out_t * pair = &scene->left_out[i];
    bool good = meet(f, pair->a, pair->b) && pair->reason != VOUCH_REASON_OWN_PAIR &&
      pair->reason < VOUCH_REASON_COUNT;
    if (!good || (pair->reason == VOUCH_REASON_RIGID &&
      moves(f, frame_of(scene, pair->a), frame_of(scene, pair->b))))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "what is left out, number %u: it must be of two bodies or groups that "
        "are paired or left out only once, with a reason that holds", i);
    }
  }
  return VOUCH_RET_OK;
}

/// Each two items are named, and once. There is room for that only if so many are named.
static vouch_ret_t check_complete(found_t * f, vouch_arena_t * arena)
{
  const vouch_scene_part_t * scene = f->scene;
  uint64_t all = f->items == 0 ? 0 : (uint64_t)f->items * (f->items - 1u) / 2u, own = 0;
  for (uint32_t i = 0; i < scene->pair_count; ++i) {
    for (uint32_t k = 0; k < scene->pairs[i].skip_count; ++k) {
      own += scene->pairs[i].skips[k].reason == VOUCH_REASON_OWN_PAIR ? 1u : 0u;
    }
  }
  if ((uint64_t)scene->pair_count + scene->left_out_count != all + own ||
    scene->pair_count > VOUCH_MAX_PAIRS)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "%u pairs and %u that are left out: together each two of the %u bodies "
      "and groups have to be named, once, in at most %u pairs", scene->pair_count,
      scene->left_out_count, f->items, VOUCH_MAX_PAIRS);
  }
  f->met = vouch_arena_calloc(arena, (size_t)(all / 8u) + 1u, 1);
  f->marks = vouch_arena_calloc(arena, scene->group_count, sizeof(bool));
  if (f->met == NULL || f->marks == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t code = check_pairs(f);
  return code != VOUCH_RET_OK ? code : check_left_out(f);
}

static vouch_ret_t check_scene(const vouch_problem_t * problem, vouch_arena_t * arena)
{
  const vouch_scene_part_t * scene = &problem->scene;
  if (!vouch_is_utf8(scene->robot)) {
    return vouch_fail(VOUCH_RET_INVALID, "the robot's name must be UTF-8");
  }
  vouch_ret_t code = check_frames(scene, problem->motion.variable_count);
  code = code != VOUCH_RET_OK ? code : check_bodies(scene, problem->geometry.geometry_count);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  uint32_t frames = scene->frame_count, groups = scene->group_count, bodies = scene->body_count;
  if (bodies >= VOUCH_NONE / 4u || groups >= VOUCH_NONE / 4u) {
    return vouch_fail(VOUCH_RET_INVALID, "there are too many bodies");
  }
  found_t f = {.scene = scene,
    .above = vouch_arena_calloc(arena, frames, sizeof(uint32_t)),
    .stack = vouch_arena_calloc(arena, groups, sizeof(uint32_t)),
    .depth = vouch_arena_calloc(arena, groups, sizeof(uint32_t)),
    .leaf = vouch_arena_calloc(arena, bodies, sizeof(uint32_t)),
    .root = vouch_arena_calloc(arena, groups, sizeof(uint32_t)),
    .item = vouch_arena_calloc(arena, (size_t)bodies + groups, sizeof(uint32_t))};
  if (f.above == NULL || f.stack == NULL || f.depth == NULL || f.leaf == NULL || f.root == NULL ||
    f.item == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  code = check_depths(scene, f.above);
  code = code != VOUCH_RET_OK ? code : check_groups(&f);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  count_items(&f);
  return check_complete(&f, arena);
}

/* ---- motion ---- */

static vouch_ret_t check_knots(const vouch_motion_part_t * motion)
{
  for (size_t i = 0; i <= motion->segment_count; ++i) {
    double knot = motion->knots[i];
    if (!(knot >= 0.0 && knot <= 1e9) || signbit(knot) ||
      !(fabs(motion->seconds[i]) <= VOUCH_MAX_SECONDS) ||
      (i > 0 && (!(knot - motion->knots[i - 1] >= VOUCH_MIN_KNOT_STEP) ||
      motion->seconds[i] < motion->seconds[i - 1])))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "knot %zu (%g) must lie in [0, 1e9] and at least 1e-12 behind the knot "
        "before it, and its seconds be at most 1e9 and not before", i, knot);
    }
  }
  return VOUCH_RET_OK;
}

/// Without a branch for each: a motion is looked at whenever it is checked.
static bool are_bounded(const double * numbers, size_t count)
{
  bool bounded = true;
  for (size_t i = 0; i < count; ++i) {
    bounded &= fabs(numbers[i]) <= VOUCH_MAX_COEFFICIENT;
  }
  return bounded;
}

static vouch_ret_t check_segment(const vouch_motion_part_t * motion, uint32_t number)
{
  uint32_t degree = motion->degrees[number];
  if (degree < 1 || degree > VOUCH_MAX_DEGREE) {
    return vouch_fail(VOUCH_RET_INVALID, "segment %u has the degree %u (1 to 5)", number, degree);
  }
  const double * numbers = motion->coefficients + motion->offsets[number];
  size_t count = (size_t)motion->variable_count * (degree + 1u), i = 0;
  if (are_bounded(numbers, count)) {
    return VOUCH_RET_OK;
  }
  while (are_bounded(numbers + i, 1)) {
    ++i;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "segment %u: a coefficient of variable %zu (%s) is %g (at most 65536)",
    number, i / (degree + 1u), shown(motion->names[i / (degree + 1u)]), numbers[i]);
}

static vouch_ret_t check_motion(const vouch_motion_part_t * motion)
{
  for (uint32_t v = 0; v < motion->variable_count; ++v) {
    double tolerance = motion->tolerances[v];
    if (!(tolerance >= 0.0 && tolerance <= VOUCH_MAX_COEFFICIENT) || signbit(tolerance)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "variable %u: its tolerance (%g) must be finite and at least 0", v,
        tolerance);
    }
  }
  if (motion->segment_count == 0 || motion->segment_count > VOUCH_MAX_SEGMENTS) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion has %u segments (1 to %u)", motion->segment_count,
      VOUCH_MAX_SEGMENTS);
  }
  vouch_ret_t code = check_knots(motion);
  for (uint32_t k = 0; k < motion->segment_count && code == VOUCH_RET_OK; ++k) {
    code = check_segment(motion, k);
  }
  return code;
}

vouch_ret_t vouch_motion_part_validate(vouch_motion_part_t * part)
{
  static atomic_uint_fast64_t numbers = 0;
  vouch_ret_t code = check_motion(part);
  part->accepted = code == VOUCH_RET_OK ? atomic_fetch_add(&numbers, 1u) + 1u : 0;
  return code;
}

static vouch_ret_t check_motion_names(const vouch_motion_part_t * motion)
{
  bool good = vouch_is_utf8(motion->model);
  for (uint32_t v = 0; good && v < motion->variable_count; ++v) {
    good = vouch_is_utf8(motion->names[v]);
  }
  return good ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "the motion's model and the names of its variables must be UTF-8");
}

/* ---- all ---- */

vouch_ret_t vouch_problem_validate_rest(const vouch_problem_t * problem)
{
  vouch_ret_t code = check_motion_names(&problem->motion);
  code = code ? code : check_motion(&problem->motion);
  if (code == VOUCH_RET_OK) {
    vouch_arena_t arena = {.allocator = vouch_allocator_default()};
    code = check_scene(problem, &arena);
    vouch_arena_fini(&arena);
  }
  return code;
}

vouch_ret_t vouch_problem_validate(const vouch_problem_t * problem)
{
  for (uint32_t i = 0; i < problem->geometry.geometry_count; ++i) {
    vouch_ret_t code = vouch_geometry_accept(problem->geometry.geometries[i]);
    if (code != VOUCH_RET_OK) {
      return vouch_fail_prefix(code, "geometry %u", i);
    }
  }
  return vouch_problem_validate_rest(problem);
}
