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
/* Names of joints to variables: trajectories and start states. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/motion_make.h"
#include "model/problem.h"

bool vouch_motion_is_continuous(const vouch_robot_t * robot, size_t variable)
{
  return robot->joints[robot->variables[variable]].type == VOUCH_URDF_CONTINUOUS;
}

static vouch_ret_t fail_unknown(
  const vouch_robot_t * robot, const char * name, const char * where)
{
  vouch_guess_t guess = {.word = name};
  char question[160], list[512] = "";
  size_t used = 0;
  for (size_t i = 0; i < robot->variable_count; ++i) {
    const char * other = vouch_robot_variable_name(robot, i);
    vouch_guess_try(&guess, other);
    if (used + strlen(other) + 8 < sizeof(list)) {
      used += (size_t)snprintf(
        list + used, sizeof(list) - used, "%s%s", used > 0 ? ", " : "", other);
    }
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "%s names joint '%s', which the robot does not have%s; it has %s", where,
    name,
    vouch_guess_question(&guess, question), list);
}

static vouch_ret_t find_joint(
  const vouch_robot_t * robot, const char * name, const char * where, uint32_t * joint)
{
  *joint = name == NULL ? VOUCH_NONE : vouch_robot_find_joint(robot, name);
  if (*joint == VOUCH_NONE) {
    return fail_unknown(robot, name == NULL ? "" : name, where);
  }
  const vouch_urdf_joint_t type = robot->joints[*joint].type;
  if (type == VOUCH_URDF_PLANAR || type == VOUCH_URDF_FLOATING) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s moves joint '%s', which is %s: such joints are held where the scene's "
      "state has them", where, name, type == VOUCH_URDF_PLANAR ? "planar" : "floating");
  }
  if (robot->joints[*joint].variable == VOUCH_NONE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s names joint '%s', which is fixed and cannot move", where, name);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_motion_columns(
  vouch_arena_t * arena, const vouch_robot_t * robot, const char * const * names, size_t count,
  uint32_t ** columns)
{
  if (count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the trajectory names no joints");
  }
  bool * seen = vouch_arena_calloc(arena, robot->link_count, sizeof(*seen));
  *columns = vouch_arena_calloc(arena, robot->variable_count, sizeof(**columns));
  if (seen == NULL || *columns == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  memset(*columns, 0xff, robot->variable_count * sizeof(**columns));
  for (size_t i = 0; i < count; ++i) {
    uint32_t joint = VOUCH_NONE;
    vouch_ret_t ret = find_joint(robot, names[i], "the trajectory", &joint);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (seen[joint]) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the trajectory names joint '%s' twice", names[i]);
    }
    seen[joint] = true;
    if (!robot->joints[joint].mimic) {
      (*columns)[robot->joints[joint].variable] = (uint32_t)i;
    }
  }
  for (size_t i = 0; i + 1 < robot->link_count; ++i) {
    const vouch_joint_t * joint = &robot->joints[i];
    if (seen[i] && joint->mimic && (*columns)[joint->variable] == VOUCH_NONE) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the trajectory names joint '%s' but not joint '%s', which it follows",
        joint->name, vouch_robot_variable_name(robot, joint->variable));
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_start_mimic(
  const vouch_joint_t * joint, const char * master, double position, double master_position)
{
  const double wanted = joint->multiplier * master_position + joint->offset;
  if (!isnan(master_position) && !(fabs(position - wanted) <= 1e-6)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "the start state has joint '%s' at %.9g, but it follows joint '%s' and should be at %.9g",
      joint->name, position, master, wanted);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_start_value(
  const vouch_robot_t * robot, const vouch_joint_values_t * state, size_t i,
  vouch_motion_start_t * start)
{
  uint32_t joint = VOUCH_NONE;
  vouch_ret_t ret = find_joint(robot, state->names[i], "the start state", &joint);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const double position = state->positions[i];
  const double velocity = state->velocities == NULL ? 0.0 : state->velocities[i];
  const double acceleration = state->accelerations == NULL ? 0.0 : state->accelerations[i];
  if (isnan(position)) {
    return VOUCH_RET_OK;   // nothing said
  }
  if (!(fabs(position) <= VOUCH_MAX_COEFFICIENT) || isinf(velocity) || isinf(acceleration)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the start state of joint '%s' is not finite or beyond 65536",
      state->names[i]);
  }
  if (robot->joints[joint].mimic) {
    return VOUCH_RET_OK;
  }
  const uint32_t v = robot->joints[joint].variable;
  if (!isnan(start->positions[v])) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the start state names joint '%s' twice", state->names[i]);
  }
  start->positions[v] = position;
  start->velocities[v] = isnan(velocity) ? 0.0 : velocity;
  start->accelerations[v] = isnan(acceleration) ? 0.0 : acceleration;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_motion_read_start(
  vouch_arena_t * arena, const vouch_robot_t * robot, const vouch_joint_values_t * state,
  vouch_motion_start_t * start)
{
  const size_t count = robot->variable_count;
  *start = (vouch_motion_start_t) {
    .given = state != NULL, .positions = vouch_arena_calloc(arena, count, sizeof(double)),
    .velocities = vouch_arena_calloc(arena, count, sizeof(double)),
    .accelerations = vouch_arena_calloc(arena, count, sizeof(double))
  };
  if (start->positions == NULL || start->velocities == NULL || start->accelerations == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t v = 0; v < count; ++v) {
    start->positions[v] = NAN;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && state != NULL && i < state->count; ++i) {
    ret = read_start_value(robot, state, i, start);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && state != NULL && i < state->count; ++i) {
    const vouch_joint_t * joint = &robot->joints[vouch_robot_find_joint(robot, state->names[i])];
    if (joint->mimic && !isnan(state->positions[i])) {
      ret = check_start_mimic(
        joint, vouch_robot_variable_name(robot, joint->variable), state->positions[i],
        start->positions[joint->variable]);
    }
  }
  return ret;
}

vouch_ret_t vouch_motion_check_known(
  const vouch_robot_t * robot, const uint32_t * columns, const vouch_motion_start_t * start)
{
  for (size_t v = 0; v < robot->variable_count; ++v) {
    if (columns[v] == VOUCH_NONE && isnan(start->positions[v])) {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "joint '%s' is neither in the trajectory nor in the start state: give its position",
        vouch_robot_variable_name(robot, v));
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_motion_check_wrap(const vouch_robot_t * robot, size_t variable)
{
  for (size_t i = 0; i + 1 < robot->link_count; ++i) {
    const vouch_joint_t * joint = &robot->joints[i];
    if (!joint->mimic || joint->variable != variable) {
      continue;
    }
    if (joint->type == VOUCH_URDF_PRISMATIC || joint->multiplier != floor(joint->multiplier)) {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "joint '%s' follows the continuous joint '%s' with factor %g, so turning by 2 pi is not "
        "the same: use model linear or controller", joint->name,
        vouch_robot_variable_name(robot, variable), joint->multiplier);
    }
  }
  return VOUCH_RET_OK;
}
