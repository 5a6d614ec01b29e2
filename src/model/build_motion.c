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
/* The motion part of a problem, from a motion or from a planner's edge. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/build.h"
#include "model/scene.h"

/// What people read in a dump; never released.
static char * model_text(vouch_motion_model_t model)
{
  static char controller[] = "controller", planner[] = "planner", linear[] = "linear",
    polynomial[] = "polynomial";
  return model == VOUCH_MODEL_CONTROLLER ? controller : model == VOUCH_MODEL_PLANNER ? planner :
         model == VOUCH_MODEL_LINEAR ? linear : polynomial;
}

static vouch_ret_t check_tolerances(const vouch_robot_t * robot, const double * tolerances)
{
  for (size_t i = 0; i < robot->variable_count; ++i) {
    if (!(tolerances[i] >= 0.0 && tolerances[i] <= VOUCH_MAX_COEFFICIENT)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the tolerance of joint '%s' is %g; it must be finite and not negative",
        vouch_robot_variable_name(robot, i), tolerances[i]);
    }
  }
  return VOUCH_RET_OK;
}

/// Joints that follow another one through a large gear may turn further than can be proved. Requires:
/// every value is at most VOUCH_MAX_COEFFICIENT.
static bool may_turn_too_far(const vouch_joint_t * joint, double most)
{
  return joint->variable != VOUCH_NONE && joint->type != VOUCH_URDF_PRISMATIC &&
         !(fabs(joint->multiplier) * most + fabs(joint->offset) <= VOUCH_MAX_TURN);
}

static vouch_ret_t check_turn(const vouch_joint_t * joint, double most)
{
  return !may_turn_too_far(joint, most) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "joint '%s' turns to %g rad (%g times its master); at most %g rad can be "
    "proved: take whole turns off", joint->name, joint->multiplier * most, joint->multiplier,
    VOUCH_MAX_TURN);
}

static vouch_ret_t check_turns(const vouch_motion_t * motion)
{
  const vouch_robot_t * robot = motion->robot;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i + 1 < robot->link_count; ++i) {
    const vouch_joint_t * joint = &robot->joints[i];
    double most = 0.0;
    const uint32_t segments =
      may_turn_too_far(joint, VOUCH_MAX_COEFFICIENT) ? motion->segment_count : 0;
    for (uint32_t k = 0; k < segments; ++k) {
      const size_t size = motion->degrees[k] + 1u;
      const double * b = &motion->coefficients[motion->offsets[k] + joint->variable * size];
      for (size_t n = 0; n < size; ++n) {
        most = fmax(most, fabs(b[n]));
      }
    }
    ret = check_turn(joint, most);
  }
  return ret;
}

/// Room in an empty part for a motion of the robot; what it holds is not defined.
static vouch_ret_t make_part(
  vouch_motion_part_t * part, const vouch_robot_t * robot, size_t segments, size_t coefficients)
{
  vouch_arena_t * arena = &part->arena;
  const size_t knots = segments + 1;
  part->names = vouch_arena_calloc(arena, robot->variable_count, sizeof(*part->names));
  part->tolerances = vouch_arena_calloc(arena, robot->variable_count, sizeof(double));
  part->knots = vouch_arena_calloc(arena, knots, sizeof(double));
  part->seconds = vouch_arena_calloc(arena, knots, sizeof(double));
  part->degrees = vouch_arena_calloc(arena, segments, sizeof(*part->degrees));
  part->offsets = vouch_arena_calloc(arena, segments, sizeof(*part->offsets));
  part->coefficients = vouch_arena_calloc(arena, coefficients, sizeof(double));
  if (part->names == NULL || part->tolerances == NULL || part->knots == NULL ||
    part->seconds == NULL || part->degrees == NULL || part->offsets == NULL ||
    part->coefficients == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < robot->variable_count; ++i) {
    part->names[i] = vouch_arena_strdup(arena, vouch_robot_variable_name(robot, i));
    if (part->names[i] == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
  }
  part->variable_count = (uint32_t)robot->variable_count;
  part->segment_capacity = segments;
  part->coefficient_capacity = coefficients;
  return VOUCH_RET_OK;
}

/// A part that only ever served this robot keeps its memory: a check of a motion no larger than
/// those before it allocates nothing. Without memory the part stays what it was.
static vouch_ret_t reserve(
  vouch_motion_part_t * part, const vouch_robot_t * robot, uint32_t segments, size_t coefficients)
{
  if (segments > part->segment_capacity || coefficients > part->coefficient_capacity) {
    vouch_motion_part_t larger = {.arena = {.allocator = part->arena.allocator}};
    vouch_ret_t ret = make_part(&larger, robot, segments, coefficients);
    if (ret != VOUCH_RET_OK) {
      vouch_arena_fini(&larger.arena);
      return ret;
    }
    vouch_arena_fini(&part->arena);
    *part = larger;
  }
  part->hashed = false;
  part->accepted = 0;
  part->segment_count = segments;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_build_set_motion(
  vouch_build_t * build, const vouch_motion_t * motion, const double * tolerances)
{
  vouch_motion_part_t * part = &build->problem.motion;
  vouch_ret_t ret = check_tolerances(motion->robot, tolerances);
  ret = ret ? ret : check_turns(motion);
  ret = ret ? ret :
    reserve(part, motion->robot, motion->segment_count, motion->coefficient_count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const size_t knots = (size_t)motion->segment_count + 1;
  part->model = model_text(motion->model);
  memcpy(part->tolerances, tolerances, part->variable_count * sizeof(double));
  memcpy(part->knots, motion->knots, knots * sizeof(double));
  memcpy(part->seconds, motion->seconds, knots * sizeof(double));
  memcpy(part->degrees, motion->degrees, motion->segment_count * sizeof(*part->degrees));
  memcpy(part->offsets, motion->offsets, motion->segment_count * sizeof(*part->offsets));
  memcpy(
    part->coefficients, motion->coefficients, motion->coefficient_count * sizeof(double));
  part->serial = motion->serial;
  return vouch_motion_part_validate(part);
}

vouch_ret_t vouch_build_set_edge(
  vouch_build_t * build, const vouch_robot_t * robot, const double * from, const double * to,
  const double * tolerances)
{
  vouch_motion_part_t * part = &build->problem.motion;
  const size_t count = robot->variable_count;
  vouch_ret_t ret = check_tolerances(robot, tolerances);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    if (!(fabs(from[i]) <= VOUCH_MAX_COEFFICIENT && fabs(to[i]) <= VOUCH_MAX_COEFFICIENT)) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' goes from %g to %g; both must be finite and at most 65536",
        vouch_robot_variable_name(robot, i), from[i], to[i]);
    }
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i + 1 < robot->link_count; ++i) {
    const vouch_joint_t * joint = &robot->joints[i];
    if (joint->variable != VOUCH_NONE) {
      ret = check_turn(joint, fmax(fabs(from[joint->variable]), fabs(to[joint->variable])));
    }
  }
  ret = ret ? ret : reserve(part, robot, 1, 2 * count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  part->serial = 0;
  part->model = model_text(VOUCH_MODEL_LINEAR);
  part->knots[0] = part->seconds[0] = 0.0;
  part->knots[1] = part->seconds[1] = 1.0;
  part->degrees[0] = 1;
  part->offsets[0] = 0;
  for (size_t i = 0; i < count; ++i) {
    part->tolerances[i] = tolerances[i];
    part->coefficients[2 * i] = from[i];
    part->coefficients[2 * i + 1] = to[i];
  }
  return vouch_motion_part_validate(part);
}
