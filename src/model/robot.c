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

/* The robot: look-up, kinematics, which pairs are off, replacing the shapes of a link, hashing. */

#include "model/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "geometry/vec.h"

/* ---- life ---- */

vouch_robot_options_t vouch_robot_options_default(void)
{
  return (vouch_robot_options_t) {
           .struct_size = sizeof(vouch_robot_options_t), .allocator = vouch_allocator_default()
  };
}

vouch_robot_t * vouch_robot_allocate(const vouch_allocator_t * allocator)
{
  vouch_robot_t * robot = vouch_calloc(allocator, 1, sizeof(*robot));
  if (robot != NULL) {
    robot->allocator = *allocator;
    robot->arena.allocator = *allocator;
    robot->sources.allocator = *allocator;
  }
  return robot;
}

void vouch_robot_destroy(vouch_robot_t * robot)
{
  if (robot == NULL) {
    return;
  }
  vouch_allocator_t allocator = robot->allocator;
  for (size_t i = 0; i < robot->link_count; ++i) {
    vouch_geometry_release(robot->links[i].geometry);
  }
  for (size_t i = 0; i < robot->link_count; ++i) {
    vouch_arena_fini(&robot->links[i].arena);
  }
  vouch_free(&allocator, robot->warnings);
  vouch_sources_fini(&robot->sources);
  vouch_arena_fini(&robot->arena);
  vouch_free(&allocator, robot);
}

/* ---- looking up ---- */

const char * vouch_robot_name(const vouch_robot_t * robot)
{
  return robot->name;
}

const char * vouch_robot_root_link(const vouch_robot_t * robot)
{
  return robot->links[0].name;
}

size_t vouch_robot_link_count(const vouch_robot_t * robot)
{
  return robot->link_count;
}

const char * vouch_robot_link_name(const vouch_robot_t * robot, size_t link)
{
  return link < robot->link_count ? robot->links[link].name : NULL;
}

size_t vouch_robot_variable_count(const vouch_robot_t * robot)
{
  return robot->variable_count;
}

const char * vouch_robot_variable_name(const vouch_robot_t * robot, size_t variable)
{
  return variable < robot->variable_count ? robot->joints[robot->variables[variable]].name : NULL;
}

int vouch_robot_find_variable(const vouch_robot_t * robot, const char * name)
{
  for (size_t i = 0; i < robot->variable_count; ++i) {
    if (strcmp(robot->joints[robot->variables[i]].name, name) == 0) {
      return (int)i;
    }
  }
  return -1;
}

bool vouch_robot_variable_limits(
  const vouch_robot_t * robot, size_t variable, double * lower, double * upper)
{
  if (variable >= robot->variable_count) {
    return false;
  }
  const vouch_joint_t * joint = &robot->joints[robot->variables[variable]];
  if (joint->limited) {
    *lower = joint->lower;
    *upper = joint->upper;
  }
  return joint->limited;
}

uint32_t vouch_robot_find_link(const vouch_robot_t * robot, const char * name)
{
  for (size_t i = 0; i < robot->link_count; ++i) {
    if (strcmp(robot->links[i].name, name) == 0) {
      return (uint32_t)i;
    }
  }
  return VOUCH_NONE;
}

uint32_t vouch_robot_find_joint(const vouch_robot_t * robot, const char * name)
{
  for (size_t i = 0; i + 1 < robot->link_count; ++i) {
    if (strcmp(robot->joints[i].name, name) == 0) {
      return (uint32_t)i;
    }
  }
  return VOUCH_NONE;
}

vouch_ret_t vouch_robot_group_state(
  const vouch_robot_t * robot, const char * group, const char * state, double * values)
{
  VOUCH_REQUIRE("robot, group, state, values", robot, group, state, values);
  for (size_t i = 0; i < robot->group_state_count; ++i) {
    const vouch_group_state_t * s = &robot->group_states[i];
    if (strcmp(s->group, group) != 0 || strcmp(s->name, state) != 0) {
      continue;
    }
    if (s->repeated) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the SRDF says twice what state '%s' of group '%s' is, or names a joint "
        "of it twice: leave one out", state, group);
    }
    if (s->places) {
      return vouch_fail(
        VOUCH_RET_INVALID, "state '%s' of group '%s' places a planar, floating or virtual joint, "
        "which is not read: give that in the multi_dof_joint_state of a scene's robot_state", state,
        group);
    }
    for (size_t k = 0; k < s->count; ++k) {
      values[s->variables[k]] = s->values[k];
    }
    return VOUCH_RET_OK;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "the SRDF of robot '%s' has no state '%s' of a group '%s'", robot->name,
    state, group);
}

/* ---- groups ---- */

uint32_t vouch_robot_find_group(const vouch_robot_t * robot, const char * name)
{
  for (size_t i = 0; i < robot->group_count; ++i) {
    if (strcmp(robot->groups[i], name) == 0) {
      return (uint32_t)i;
    }
  }
  return VOUCH_NONE;
}

vouch_ret_t vouch_robot_group_moving(
  const vouch_robot_t * robot, const char * group, bool * moving)
{
  VOUCH_REQUIRE("robot, group, moving", robot, group, moving);
  const uint32_t number = vouch_robot_find_group(robot, group);
  if (number != VOUCH_NONE) {
    memcpy(
      moving, &robot->group_members[number * robot->variable_count],
      robot->variable_count * sizeof(bool));
    return VOUCH_RET_OK;
  }
  char list[256] = "";
  for (size_t i = 0, n = 0; i < robot->group_count && n < sizeof(list); ++i) {
    int more = snprintf(list + n, sizeof(list) - n, "%s%s", i ? ", " : "", robot->groups[i]);
    n += more > 0 ? (size_t)more : 0u;
  }
  return robot->group_count == 0 ? vouch_fail(
    VOUCH_RET_INVALID, "there is no group '%s': robot '%s' has no SRDF, or one without groups",
    group, robot->name) : vouch_fail(
    VOUCH_RET_INVALID, "the SRDF of robot '%s' has no group '%s'; it has %s", robot->name, group,
    list);
}

/* ---- warnings ---- */

size_t vouch_robot_warning_count(const vouch_robot_t * robot)
{
  return robot->warning_count;
}

const char * vouch_robot_warning(const vouch_robot_t * robot, size_t number)
{
  return number < robot->warning_count ? robot->warnings[number] : NULL;
}

vouch_ret_t vouch_robot_warn(vouch_robot_t * robot, const char * format, ...)
{
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  char * copy = vouch_arena_strdup(&robot->arena, text);
  if (copy == NULL || !vouch_grow(
      &robot->allocator, &robot->warnings, robot->warning_count, &robot->warning_capacity,
      sizeof(*robot->warnings)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  robot->warnings[robot->warning_count++] = copy;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_robot_warn_geometry(vouch_robot_t * robot, const vouch_link_t * link)
{
  const vouch_geometry_facts_t * facts = &link->facts;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (facts->open > 0) {
    ret = vouch_robot_warn(
      robot,
      "link '%s': %zu of its %zu mesh parts are open (not watertight) and are checked as surfaces; "
      "a start inside their hull stays undecided unless surfaces are what is meant", link->name,
      facts->open, facts->open + facts->solids + facts->surfaces);
  }
  if (ret == VOUCH_RET_OK && facts->extent > 10.0) {
    ret = vouch_robot_warn(
      robot, "link '%s': its geometry is %.4g m large; are its numbers millimetres?", link->name,
      facts->extent);
  }
  if (ret == VOUCH_RET_OK && facts->triangles > 0 && facts->extent < 1e-3) {
    ret = vouch_robot_warn(
      robot, "link '%s': its geometry is only %.4g m large; was a unit applied twice?", link->name,
      facts->extent);
  }
  return ret;
}

/* ---- kinematics ---- */

static vouch_pose_t joint_motion(const vouch_joint_t * joint, double value)
{
  vouch_pose_t pose = vouch_pose_identity();
  vec3_t axis = vec3_unit(vec3_from(joint->axis), vec3(0.0, 0.0, 0.0));
  if (joint->type == VOUCH_URDF_PRISMATIC) {
    vec3_store(vec3_scale(axis, value), pose.translation);
  } else {
    vec3_store(vec3_scale(axis, sin(value / 2.0)), pose.rotation);
    pose.rotation[3] = cos(value / 2.0);
  }
  return pose;
}

vouch_ret_t vouch_robot_link_pose(
  const vouch_robot_t * robot, uint32_t link, const double * values, vouch_pose_t * pose)
{
  *pose = vouch_pose_identity();
  for (uint32_t at = link; at > 0; at = robot->joints[at - 1].parent) {
    const vouch_joint_t * joint = &robot->joints[at - 1];
    if (joint->variable != VOUCH_NONE) {
      double value = values == NULL ? NAN :
        joint->multiplier * values[joint->variable] + joint->offset;
      if (!isfinite(value)) {
        return vouch_fail(
          VOUCH_RET_INVALID,
          "the place of link '%s' depends on joint '%s', whose value is not known; give a start "
          "state", robot->links[link].name, joint->name);
      }
      vouch_pose_t motion = joint_motion(joint, value);
      *pose = pose_mul(&motion, pose);
    }
    *pose = pose_mul(&joint->origin, pose);
  }
  return VOUCH_RET_OK;
}

/* ---- pairs ---- */

static const vouch_name_pair_t * find_pair(
  const vouch_name_pair_t * pairs, size_t count, const char * a, const char * b)
{
  for (size_t i = 0; i < count; ++i) {
    if ((strcmp(pairs[i].a, a) == 0 && strcmp(pairs[i].b, b) == 0) ||
      (strcmp(pairs[i].a, b) == 0 && strcmp(pairs[i].b, a) == 0))
    {
      return &pairs[i];
    }
  }
  return NULL;
}

static bool default_disabled(const vouch_robot_t * robot, const char * link)
{
  for (size_t i = 0; i < robot->default_disabled_count; ++i) {
    if (strcmp(robot->default_disabled[i], link) == 0) {
      return true;
    }
  }
  return false;
}

/* Joined by one joint: links without geometry lie between them, and no second joint that moves. With
 * two of them the child reaches parts of the parent that are not made to meet it. */
static bool parent_and_child(const vouch_robot_t * robot, uint32_t parent, uint32_t child)
{
  uint32_t moving = 0;
  for (uint32_t link = child; link > 0; ) {
    moving += robot->joints[link - 1].variable != VOUCH_NONE;
    link = robot->joints[link - 1].parent;
    if (link == parent) {
      return moving <= 1;
    }
    if (robot->links[link].geometry != NULL) {
      return false;
    }
  }
  return false;
}

vouch_allowed_answer_t vouch_robot_pair_named(const vouch_robot_t * robot, uint32_t a, uint32_t b)
{
  if (a == b) {
    return VOUCH_ALLOWED_YES;
  }
  if (!robot->has_srdf) {
    return parent_and_child(robot, a, b) || parent_and_child(robot, b, a) ?
           VOUCH_ALLOWED_YES : VOUCH_ALLOWED_UNKNOWN;
  }
  const char * name_a = robot->links[a].name;
  const char * name_b = robot->links[b].name;
  if (find_pair(robot->disabled, robot->disabled_count, name_a, name_b) != NULL) {
    return VOUCH_ALLOWED_YES;
  }
  return find_pair(robot->enabled, robot->enabled_count, name_a, name_b) != NULL ?
         VOUCH_ALLOWED_NO : VOUCH_ALLOWED_UNKNOWN;
}

bool vouch_robot_pair_disabled(const vouch_robot_t * robot, uint32_t a, uint32_t b)
{
  const vouch_allowed_answer_t named = vouch_robot_pair_named(robot, a, b);
  return named != VOUCH_ALLOWED_UNKNOWN ? named == VOUCH_ALLOWED_YES :
         default_disabled(robot, robot->links[a].name) ||
         default_disabled(robot, robot->links[b].name);
}

vouch_reason_t vouch_robot_pair_reason(const vouch_robot_t * robot, uint32_t a, uint32_t b)
{
  if (!robot->has_srdf) {
    return VOUCH_REASON_ADJACENT;
  }
  const vouch_name_pair_t * pair = find_pair(
    robot->disabled, robot->disabled_count, robot->links[a].name, robot->links[b].name);
  const char * word = pair != NULL && pair->reason != NULL ? pair->reason : "";
  return strcmp(word, "Adjacent") == 0 ? VOUCH_REASON_SRDF_ADJACENT :
         strcmp(word, "Never") == 0 ? VOUCH_REASON_SRDF_NEVER : VOUCH_REASON_SRDF_OTHER;
}

/* ---- geometry of links ---- */

vouch_ret_t vouch_link_geometry_build(
  vouch_link_geometry_t * built, vouch_allocator_t allocator, vouch_geometry_builder_t * builder,
  vouch_text_t * encoded)
{
  *built = (vouch_link_geometry_t) {.arena = {.allocator = allocator}};
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  built->geometry = vouch_arena_calloc(&built->arena, 1, sizeof(*built->geometry));
  if (built->geometry != NULL) {
    ret = vouch_geometry_build(builder, &built->arena, built->geometry, &built->facts);
  }
  if (ret == VOUCH_RET_OK) {
    vouch_geometry_encode(built->geometry, encoded);
    if (encoded->failed) {
      ret = vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory for the bytes of a geometry");
    }
  }
  if (ret != VOUCH_RET_OK) {
    vouch_arena_fini(&built->arena);
    return ret;
  }
  vouch_sha256(encoded->data, encoded->size, built->digest);
  return VOUCH_RET_OK;
}

void vouch_link_adopt(vouch_link_t * link, const vouch_link_geometry_t * built)
{
  vouch_geometry_release(link->geometry);
  vouch_arena_fini(&link->arena);
  link->arena = built->arena;
  link->geometry = built->geometry;
  link->facts = built->facts;
  memcpy(link->digest, built->digest, sizeof(link->digest));
}

static vouch_ret_t build_shapes(
  vouch_link_geometry_t * built, const vouch_robot_t * robot, const vouch_shape_t * shapes,
  const vouch_pose_t * poses, size_t count)
{
  const vouch_geometry_options_t options = {.hulls = robot->hulls, .surfaces = robot->surfaces};
  vouch_geometry_builder_t * builder = NULL;
  vouch_ret_t ret = vouch_geometry_builder_create(&builder, robot->allocator, &options);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    vouch_pose_t pose = poses == NULL ? vouch_pose_identity() : poses[i];
    ret = vouch_shape_build(builder, &shapes[i], &pose);
  }
  if (ret == VOUCH_RET_OK) {
    vouch_text_t encoded = {.allocator = robot->allocator};
    ret = vouch_link_geometry_build(built, robot->allocator, builder, &encoded);
    vouch_text_fini(&encoded);
  }
  vouch_geometry_builder_destroy(builder);
  return ret;
}

vouch_ret_t vouch_robot_set_link_shapes(
  vouch_robot_t * robot, const char * link, const vouch_shape_t * shapes,
  const vouch_pose_t * poses, size_t count)
{
  VOUCH_REQUIRE("robot, link", robot, link);
  VOUCH_REQUIRE_ARRAY("shapes", shapes, count);
  uint32_t number = vouch_robot_find_link(robot, link);
  if (number == VOUCH_NONE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "robot '%s' has no link '%s'", robot->name, link);
  }
  vouch_link_geometry_t built = {.arena = {.allocator = robot->allocator}};
  if (count > 0) {
    vouch_ret_t ret = build_shapes(&built, robot, shapes, poses, count);
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "link '%s'", link);
    }
  }
  vouch_link_adopt(&robot->links[number], &built);
  robot->revision++;
  return vouch_robot_warn_geometry(robot, &robot->links[number]);
}

/* ---- hash ---- */

static void hash_text(vouch_sha256_t * hash, const char * text)
{
  vouch_sha256_update(hash, text, strlen(text) + 1);
}

static void hash_u64(vouch_sha256_t * hash, uint64_t value)
{
  uint8_t bytes[8];
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
  vouch_sha256_update(hash, bytes, sizeof(bytes));
}

static void hash_doubles(vouch_sha256_t * hash, const double * values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof(bits));
    hash_u64(hash, bits);
  }
}

static void hash_joint(vouch_sha256_t * hash, const vouch_joint_t * joint)
{
  hash_text(hash, joint->name);
  hash_u64(hash, (uint64_t)joint->type);
  hash_u64(hash, joint->parent);
  hash_u64(hash, joint->variable);
  hash_doubles(hash, joint->origin.rotation, 4);
  hash_doubles(hash, joint->origin.translation, 3);
  hash_doubles(hash, joint->axis, 3);
  hash_doubles(hash, &joint->multiplier, 1);
  hash_doubles(hash, &joint->offset, 1);
}

static void hash_pairs(vouch_sha256_t * hash, const vouch_robot_t * robot)
{
  for (uint32_t a = 0; a < robot->link_count; ++a) {
    for (uint32_t b = a + 1; b < robot->link_count; ++b) {
      bool geometry = robot->links[a].geometry != NULL && robot->links[b].geometry != NULL;
      if (geometry && vouch_robot_pair_disabled(robot, a, b)) {
        hash_u64(hash, a);
        hash_u64(hash, b);
      }
    }
  }
}

void vouch_robot_hash(const vouch_robot_t * robot, uint8_t digest[32])
{
  vouch_sha256_t hash;
  vouch_sha256_init(&hash);
  hash_text(&hash, robot->name);
  hash_u64(&hash, robot->link_count);
  for (size_t i = 0; i < robot->link_count; ++i) {
    hash_text(&hash, robot->links[i].name);
    vouch_sha256_update(&hash, robot->links[i].digest, sizeof(robot->links[i].digest));
    hash_doubles(&hash, &robot->links[i].padding_m, 1);
  }
  for (size_t i = 0; i + 1 < robot->link_count; ++i) {
    hash_joint(&hash, &robot->joints[i]);
  }
  hash_pairs(&hash, robot);
  vouch_sha256_final(&hash, digest);
}

bool vouch_robot_is_planning_frame(const vouch_robot_t * robot, const char * frame)
{
  const char * planning = robot->virtual_parent_frame != NULL ?
    robot->virtual_parent_frame : robot->links[0].name;
  return frame[0] == '\0' || strcmp(frame, planning) == 0;
}
