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

/* Every rule of docs/certificate_format.md about scenes and motions, and those of groups, which are
 * not in files. */

#include <stdlib.h>

#include "base/error.h"
#include "geometry/limits.h"
#include "model/problem.h"
#include "model/problem_format.h"

/// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF); NULL counts as empty.
static bool is_utf8(const char * text)
{
  const uint8_t * p = (const uint8_t *)text;
  while (p != NULL && *p != 0) {
    uint32_t lead = *p++;
    if (lead < 0x80) {
      continue;
    }
    int more = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 :
      lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    if (more == 0) {
      return false;
    }
    uint32_t code = lead & (0x3fu >> more);
    for (int i = 0; i < more; ++i, ++p) {
      if ((*p & 0xc0) != 0x80) {
        return false;
      }
      code = code << 6 | (*p & 0x3fu);
    }
    if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10ffff ||
      (code >= 0xd800 && code < 0xe000))
    {
      return false;
    }
  }
  return true;
}

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
    if (!is_utf8(frame->name) || !vouch_is_pose(&frame->pose)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "frame %u: its name must be UTF-8, its quaternion of length 1 within "
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
    if (!is_utf8(body->name) || !is_utf8(body->id)) {
      return vouch_fail(VOUCH_RET_INVALID, "body %u: its name and id must be UTF-8", i);
    }
    if (body->frame >= scene->frame_count) {
      return vouch_fail(
        VOUCH_RET_INVALID, "body %u (%s) is on frame %u of %u", i, shown(body->name), body->frame,
        scene->frame_count);
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

/// `stack` has room for all groups: those without parent so far, last to first. `leaves` are zeroed
/// counters per body.
static vouch_ret_t check_groups(
  const vouch_scene_part_t * scene, uint32_t * stack, uint32_t * leaves)
{
  uint32_t depth = 0;
  for (uint32_t i = scene->group_count; i-- > 0; ) {
    const vouch_group_t * group = &scene->groups[i];
    bool good;
    if (is_leaf(group)) {
      good = group->left == 0 && group->right == 0 && group->body < scene->body_count &&
        scene->bodies[group->body].kind == VOUCH_BODY_GEOMETRY &&
        scene->bodies[group->body].frame == 0 && leaves[group->body]++ == 0;
    } else {
      good = group->left == i + 1 && depth >= 2 && group->right == stack[depth - 2];
      depth -= good ? 2 : 0;
    }
    if (!good) {
      return vouch_fail(
        VOUCH_RET_INVALID, "group %u: leaves name one body of frame 0 each; the left group of an "
        "inner one follows it with its whole tree, then the right one",
        i);
    }
    stack[depth++] = i;
  }
  return depth <= 1 ? VOUCH_RET_OK :
         vouch_fail(VOUCH_RET_INVALID, "group %u has no parent", stack[depth - 2]);
}

static bool is_margin(double margin)
{
  return margin >= 0.0 && margin <= VOUCH_MAX_COORDINATE && !signbit(margin);
}

/// Entries by group: -1 or a margin in leaves (-1 for a itself), the larger child's in inner
/// groups.
static bool group_margins_ok(const vouch_scene_part_t * scene, const vouch_pair_t * pair)
{
  double largest = 0.0;
  for (uint32_t g = 0; g < scene->group_count; ++g) {
    const vouch_group_t * group = &scene->groups[g];
    double entry = pair->leaf_margins[g];
    if (is_leaf(group)) {
      if (!(entry == -1.0 || (is_margin(entry) && group->body != pair->a))) {
        return false;
      }
      largest = entry > largest ? entry : largest;
    } else {
      double left = pair->leaf_margins[group->left], right = pair->leaf_margins[group->right];
      if (!(entry == (left > right ? left : right)) || (entry == 0.0 && signbit(entry))) {
        return false;
      }
    }
  }
  return pair->margin == largest;
}

static vouch_ret_t check_pair(const vouch_scene_part_t * scene, uint32_t number)
{
  const vouch_pair_t * pair = &scene->pairs[number];
  if (pair->a >= scene->body_count || scene->bodies[pair->a].kind != VOUCH_BODY_GEOMETRY ||
    !is_margin(pair->margin))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "pair %u: body a must be a geometry and the margin at least 0", number);
  }
  bool good = false;
  switch (pair->kind) {
    case VOUCH_PAIR_BODIES:
      good = pair->b < scene->body_count && pair->b != pair->a &&
        scene->bodies[pair->b].kind == VOUCH_BODY_GEOMETRY;
      break;
    case VOUCH_PAIR_PLANE:
      good = pair->b < scene->body_count && scene->bodies[pair->b].kind != VOUCH_BODY_GEOMETRY;
      break;
    case VOUCH_PAIR_GROUP:
      good = pair->b == 0 && scene->group_count > 0 && pair->leaf_margins != NULL &&
        group_margins_ok(scene, pair);
      break;
    default:
      break;
  }
  return good ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "pair %u (kind %u): its kind is unknown, or body b or its margins do not "
    "fit it", number,
    pair->kind);
}

static int compare_keys(const void * a, const void * b)
{
  uint64_t x, y;
  memcpy(&x, a, sizeof(x));
  memcpy(&y, b, sizeof(y));
  return (x > y) - (x < y);
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/// Each two bodies at most once, alone or as leaves of the group tree.
static vouch_ret_t check_repetition(const vouch_scene_part_t * scene, vouch_arena_t * arena)
{
  size_t room = 0;
  for (uint32_t i = 0; i < scene->pair_count; ++i) {
    size_t more = scene->pairs[i].kind == VOUCH_PAIR_GROUP ? scene->group_count : 1;
    room = room > SIZE_MAX - more ? SIZE_MAX : room + more;
  }
  uint64_t * keys = vouch_arena_calloc(arena, room, sizeof(keys[0]));
  if (keys == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t count = 0;
  for (uint32_t i = 0; i < scene->pair_count; ++i) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->kind != VOUCH_PAIR_GROUP) {
      keys[count++] = pair_key(pair->a, pair->b);
      continue;
    }
    for (uint32_t g = 0; g < scene->group_count; ++g) {
      if (is_leaf(&scene->groups[g]) && pair->leaf_margins[g] >= 0.0) {
        keys[count++] = pair_key(pair->a, scene->groups[g].body);
      }
    }
  }
  qsort(keys, count, sizeof(keys[0]), compare_keys);
  for (size_t i = 1; i < count; ++i) {
    if (keys[i] == keys[i - 1]) {
      return vouch_fail(
        VOUCH_RET_INVALID, "bodies %u and %u are paired more than once",
        (uint32_t)(keys[i] >> 32), (uint32_t)keys[i]);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_scene(const vouch_problem_t * problem, vouch_arena_t * arena)
{
  const vouch_scene_part_t * scene = &problem->scene;
  if (!is_utf8(scene->robot)) {
    return vouch_fail(VOUCH_RET_INVALID, "the robot's name must be UTF-8");
  }
  vouch_ret_t code = check_frames(scene, problem->motion.variable_count);
  code = code != VOUCH_RET_OK ? code : check_bodies(scene, problem->geometry.geometry_count);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  uint32_t * above = vouch_arena_calloc(arena, scene->frame_count, sizeof(above[0]));
  uint32_t * stack = vouch_arena_calloc(arena, scene->group_count, sizeof(stack[0]));
  uint32_t * leaves = vouch_arena_calloc(arena, scene->body_count, sizeof(leaves[0]));
  if (above == NULL || stack == NULL || leaves == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  code = check_depths(scene, above);
  code = code != VOUCH_RET_OK ? code : check_groups(scene, stack, leaves);
  for (uint32_t i = 0; i < scene->pair_count && code == VOUCH_RET_OK; ++i) {
    code = check_pair(scene, i);
  }
  return code != VOUCH_RET_OK ? code : check_repetition(scene, arena);
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

static vouch_ret_t check_motion(const vouch_motion_part_t * motion)
{
  if (!is_utf8(motion->model)) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion's model must be UTF-8");
  }
  for (uint32_t v = 0; v < motion->variable_count; ++v) {
    double tolerance = motion->tolerances[v];
    if (!is_utf8(motion->names[v]) || !(tolerance >= 0.0 && tolerance <= VOUCH_MAX_COEFFICIENT) ||
      signbit(tolerance))
    {
      return vouch_fail(
        VOUCH_RET_INVALID, "variable %u: its name must be UTF-8 and its tolerance (%g) finite and "
        "at least 0", v, tolerance);
    }
  }
  if (motion->segment_count == 0 || motion->segment_count > VOUCH_MAX_SEGMENTS) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion has %u segments (1 to %u)", motion->segment_count,
      VOUCH_MAX_SEGMENTS);
  }
  vouch_ret_t code = check_knots(motion);
  for (uint32_t k = 0; k < motion->segment_count && code == VOUCH_RET_OK; ++k) {
    uint32_t degree = motion->degrees[k];
    if (degree < 1 || degree > VOUCH_MAX_DEGREE) {
      return vouch_fail(VOUCH_RET_INVALID, "segment %u has the degree %u (1 to 5)", k, degree);
    }
    size_t count = (size_t)motion->variable_count * (degree + 1u);
    for (size_t i = 0; i < count; ++i) {
      double b = motion->coefficients[motion->offsets[k] + i];
      if (!(fabs(b) <= VOUCH_MAX_COEFFICIENT)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "segment %u: a coefficient of variable %zu (%s) is %g (at most 65536)",
          k, i / (degree + 1u), shown(motion->names[i / (degree + 1u)]), b);
      }
    }
  }
  return code;
}

/* ---- all ---- */

vouch_ret_t vouch_problem_validate_rest(const vouch_problem_t * problem)
{
  vouch_ret_t code = check_motion(&problem->motion);
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
    vouch_ret_t code = vouch_geometry_validate(problem->geometry.geometries[i]);
    if (code != VOUCH_RET_OK) {
      return vouch_fail_prefix(code, "geometry %u", i);
    }
  }
  return vouch_problem_validate_rest(problem);
}
