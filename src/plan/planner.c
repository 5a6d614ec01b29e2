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

#include "plan/planner.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "check/checker.h"

/* Of joints for which neither the URDF nor anybody else names one, as MoveIt assumes them. */
static const double ASSUMED_VELOCITY = 1.0, ASSUMED_ACCELERATION = 1.0;

vouch_plan_options_t vouch_plan_options_default(void)
{
  return (vouch_plan_options_t) {.struct_size = sizeof(vouch_plan_options_t),
           .allocator = vouch_allocator_default(), .seed = 1, .deadline_s = 10.0,
           .step_rad = 1.0, .shortcuts = 60, .rounds = 1, .max_nodes = 400000, .timed = true,
           .velocity_scaling = 1.0, .acceleration_scaling = 1.0};
}

void plan_warn(vouch_planner_t * p, const char * format, ...)
{
  va_list arguments;
  if (p->warning_count < PLAN_MAX_WARNINGS) {
    va_start(arguments, format);
    vsnprintf(p->warnings[p->warning_count++], sizeof(p->warnings[0]), format, arguments);
    va_end(arguments);
  }
}

void plan_refuse(
  vouch_plan_result_t * result, vouch_verdict_t verdict, vouch_plan_reason_t reason,
  const char * format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(result->message, sizeof(result->message), format, arguments);
  va_end(arguments);
  result->verdict = verdict;
  result->reason = reason;
}

/* ---- making one ---- */

static vouch_ret_t check_range(const char * name, double value, double low, double high)
{
  return value >= low && value <= high ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s is %g: it must be a number from %g to %g", name, value, low, high);
}

static vouch_ret_t check_options(const vouch_plan_options_t * o)
{
  vouch_ret_t ret = vouch_options_check(
    "plan_options", o->struct_size, sizeof(*o), &o->allocator);
  ret = ret ? ret : check_range("deadline_s", o->deadline_s, 0.0, 1e9);
  ret = ret ? ret : check_range("step_rad", o->step_rad, 1e-3, 1e3);
  ret = ret ? ret : check_range("velocity_scaling", o->velocity_scaling, 1e-3, 1.0);
  ret = ret ? ret : check_range("acceleration_scaling", o->acceleration_scaling, 1e-3, 1.0);
  ret = ret ? ret : check_range("rounds", (double)o->rounds, 1.0, 1e6);
  ret = ret ? ret : check_range("max_nodes", (double)o->max_nodes, 4.0, 1e8);
  if (ret == VOUCH_RET_OK && o->limit_count > 0 && o->limits == NULL) {
    ret = vouch_fail(VOUCH_RET_INVALID, "limit_count is %zu, but limits is NULL", o->limit_count);
  }
  return ret;
}

static vouch_ret_t take_limit(vouch_planner_t * p, const vouch_joint_limit_t * given)
{
  const int variable = given->joint == NULL ? -1 :
    vouch_robot_find_variable(p->robot, given->joint);
  if (variable < 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "limits for joint '%s', which is not a moving joint of robot '%s'",
      given->joint ? given->joint : "(null)", p->robot->name);
  }
  const double numbers[3] = {given->velocity, given->acceleration, given->jerk};
  for (int i = 0; i < 3; i++) {
    if (!(numbers[i] == 0.0 || (numbers[i] >= 1e-6 && numbers[i] <= 1e9))) {
      return vouch_fail(
        VOUCH_RET_INVALID, "a limit of joint '%s' is %g: it must be a number from 1e-6 to 1e9, or "
        "0 where there is none", given->joint, numbers[i]);
    }
  }
  if (given->lower > given->upper) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the lower limit %g of joint '%s' is above its upper limit %g",
      given->lower, given->joint, given->upper);
  }
  p->limits[variable] = (plan_limits_t) {
    given->lower, given->upper, given->velocity, given->acceleration, given->jerk
  };
  return VOUCH_RET_OK;
}

static vouch_ret_t fill(vouch_planner_t * p, const vouch_scene_t * scene)
{
  const size_t count = p->robot->variable_count;
  p->limits = vouch_calloc(&p->allocator, count + 1u, sizeof(*p->limits));
  p->names = vouch_calloc(&p->allocator, count + 1u, sizeof(*p->names));
  p->space.base = vouch_calloc(&p->allocator, 4u * count + 1u, sizeof(double));
  if (p->limits == NULL || p->names == NULL || p->space.base == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  p->ask.from = p->space.base + count;
  p->ask.to = p->space.base + 2u * count;
  p->free_state = p->space.base + 3u * count;
  for (size_t i = 0; i < count; i++) {
    p->limits[i] = (plan_limits_t) {NAN, NAN, 0.0, 0.0, 0.0};
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < p->options.limit_count && ret == VOUCH_RET_OK; i++) {
    ret = take_limit(p, &p->options.limits[i]);
  }
  p->options.limits = NULL;   // the caller's array is not kept
  ret = ret ? ret : vouch_checker_create(&p->checker, scene, &p->check);
  p->check.tolerances = NULL;
  return ret;
}

vouch_ret_t vouch_planner_create(
  vouch_planner_t ** planner, const vouch_scene_t * scene, const vouch_check_options_t * check,
  const vouch_plan_options_t * options)
{
  VOUCH_REQUIRE("planner", planner);
  *planner = NULL;
  VOUCH_REQUIRE("scene", scene);
  const vouch_plan_options_t defaults = vouch_plan_options_default();
  const vouch_plan_options_t * o = options != NULL ? options : &defaults;
  vouch_ret_t ret = check_options(o);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_planner_t * p = vouch_calloc(&o->allocator, 1, sizeof(*p));
  if (p == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  p->allocator = o->allocator;
  p->options = *o;
  p->check = check != NULL ? *check : vouch_check_options_default();
  p->check.threads = 1;   // an edge takes less time than starting a thread
  p->robot = p->space.robot = vouch_scene_robot(scene);
  p->best.timed.allocator = p->trial.timed.allocator = p->allocator;
  p->best.path.allocator = p->trial.path.allocator = p->way.allocator = p->allocator;
  ret = fill(p, scene);
  if (ret != VOUCH_RET_OK) {
    vouch_planner_destroy(p);
    return ret;
  }
  p->ask = (plan_ask_t) {.checker = p->checker, .space = &p->space, .proof = &p->check,
    .from = p->ask.from, .to = p->ask.to, .statistics = &p->statistics};
  *planner = p;
  return VOUCH_RET_OK;
}

void vouch_planner_destroy(vouch_planner_t * p)
{
  if (p == NULL) {
    return;
  }
  const vouch_allocator_t allocator = p->allocator;
  plan_motion_fini(&p->best, &allocator);
  plan_motion_fini(&p->trial, &allocator);
  plan_path_fini(&p->way);
  vouch_free(&allocator, p->expanded);
  vouch_free(&allocator, p->limits);
  vouch_free(&allocator, p->names);
  vouch_free(&allocator, p->space.base);
  vouch_checker_destroy(p->checker);
  vouch_free(&allocator, p);
}

void vouch_planner_cancel(vouch_planner_t * p, bool cancel)
{
  if (p != NULL) {
    vouch_checker_cancel(p->checker, cancel);
  }
}

const vouch_checker_t * vouch_planner_checker(const vouch_planner_t * p)
{
  return p->checker;
}

size_t vouch_planner_warning_count(const vouch_planner_t * p)
{
  return p->warning_count;
}

const char * vouch_planner_warning(const vouch_planner_t * p, size_t number)
{
  return number < p->warning_count ? p->warnings[number] : "";
}

const char * vouch_plan_reason_name(vouch_plan_reason_t reason)
{
  static const char * const names[] = {"none", "start_collision", "goal_collision", "start_open",
    "goal_open", "goal_limits", "deadline", "nodes", "unproved",
    "nothing_checked", "cancelled"};
  return (unsigned)reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown";
}

/* ---- the space of a request ---- */

static void take_speeds(vouch_planner_t * p, uint32_t i, bool assumed[2])
{
  plan_space_t * s = &p->space;
  const vouch_joint_t * joint = &p->robot->joints[p->robot->variables[s->variables[i]]];
  const plan_limits_t * given = &p->limits[s->variables[i]];
  const double velocity = given->velocity > 0.0 ? given->velocity : joint->velocity;
  assumed[0] = assumed[0] || !(velocity > 0.0);
  assumed[1] = assumed[1] || !(given->acceleration > 0.0);
  s->velocity[i] =
    (velocity > 0.0 ? velocity : ASSUMED_VELOCITY) * p->options.velocity_scaling;
  s->acceleration[i] = (given->acceleration > 0.0 ? given->acceleration : ASSUMED_ACCELERATION) *
    p->options.acceleration_scaling;
  s->jerk[i] = given->jerk > 0.0 ? given->jerk : INFINITY;
}

static vouch_ret_t take_joint(vouch_planner_t * p, uint32_t variable, bool assumed[2])
{
  plan_space_t * s = &p->space;
  const vouch_joint_t * joint = &p->robot->joints[p->robot->variables[variable]];
  const plan_limits_t * given = &p->limits[variable];
  if (s->count >= PLAN_MAX_JOINTS) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "more than %u joints are to move at once", PLAN_MAX_JOINTS);
  }
  const uint32_t i = s->count++;
  const bool slides = joint->type == VOUCH_URDF_PRISMATIC;
  s->variables[i] = variable;
  p->names[i] = joint->name;
  s->weights[i] = slides ? PLAN_METRE : 1.0;
  s->lower[i] = joint->limited ? joint->lower : -INFINITY;
  s->upper[i] = joint->limited ? joint->upper : INFINITY;
  s->lower[i] = given->lower > s->lower[i] ? given->lower : s->lower[i];
  s->upper[i] = given->upper < s->upper[i] ? given->upper : s->upper[i];
  s->endless[i] = isinf(s->lower[i]) && isinf(s->upper[i]);
  take_speeds(p, i, assumed);
  if (!s->endless[i] && (!(s->lower[i] <= s->upper[i]) || isinf(s->lower[i]) ||
    isinf(s->upper[i])))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "joint '%s' may go from %g to %g, which is no range", joint->name,
      s->lower[i], s->upper[i]);
  }
  return s->endless[i] && slides ? vouch_fail(
    VOUCH_RET_INVALID, "joint '%s' slides without limits: give them, it cannot be planned for",
    joint->name) : VOUCH_RET_OK;
}

vouch_ret_t plan_prepare(vouch_planner_t * p, const double * start, const bool * moving)
{
  plan_space_t * s = &p->space;
  bool assumed[2] = {false, false};
  vouch_ret_t ret = VOUCH_RET_OK;
  s->count = 0;
  for (uint32_t i = 0; i < p->robot->variable_count && ret == VOUCH_RET_OK; i++) {
    if (!(fabs(start[i]) <= 65536.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' starts at %g: the start must say where every joint is",
        vouch_robot_variable_name(p->robot, i), start[i]);
    }
    s->base[i] = start[i];
    ret = moving[i] ? take_joint(p, i, assumed) : VOUCH_RET_OK;
  }
  plan_find_chains(s);
  if (ret == VOUCH_RET_OK && p->options.timed && assumed[0]) {
    plan_warn(
      p, "some joints have no velocity limit: 1 rad/s (or m/s) is taken for them");
  }
  if (ret == VOUCH_RET_OK && p->options.timed && assumed[1]) {
    plan_warn(
      p, "some joints have no acceleration limit: 1 rad/s^2 (or m/s^2) is taken for them");
  }
  return ret;
}

void plan_span(vouch_planner_t * p, const double * start, const double * goals, size_t count)
{
  plan_space_t * s = &p->space;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->endless[i]) {
      s->lower[i] = s->upper[i] = start[i];
      for (size_t g = 0; g < count; g++) {
        s->lower[i] = fmin(s->lower[i], goals[g * s->count + i]);
        s->upper[i] = fmax(s->upper[i], goals[g * s->count + i]);
      }
      s->lower[i] -= 3.141592653589793;
      s->upper[i] += 3.141592653589793;
    }
  }
}

void plan_reach_start(vouch_planner_t * p, const double * start)
{
  plan_space_t * s = &p->space;
  for (uint32_t i = 0; i < s->count; i++) {
    const double q = start[i];
    if (!s->endless[i] && (q < s->lower[i] || q > s->upper[i])) {
      plan_warn(
        p, "joint '%s' starts at %.9g, outside its limits from %.9g to %.9g: it moves back from "
        "there", p->names[i], q, s->lower[i], s->upper[i]);
      s->lower[i] = fmin(s->lower[i], q);
      s->upper[i] = fmax(s->upper[i], q);
    }
  }
}

/* ---- begin and end of a call ---- */

void plan_begin(vouch_planner_t * p, vouch_plan_result_t * result)
{
  *result = (vouch_plan_result_t) {.verdict = VOUCH_UNDECIDED};
  memset(&p->statistics, 0, sizeof(p->statistics));
  p->warning_count = 0;
  p->random.state = p->options.seed;
  p->ask.begin_ns = check_now_ns();
  p->ask.begin_cpu_s = 0.0;
  p->ask.begin_cpu_s = plan_ask_cpu_seconds(&p->ask);
  p->ask.deadline_ns = p->options.deadline_s > 0.0 ?
    p->ask.begin_ns + (int64_t)(1e9 * p->options.deadline_s) : 0;
  p->ask.stopped = false;
  p->ask.ret = VOUCH_RET_OK;
  vouch_motion_destroy(p->best.motion);
  p->best.motion = NULL;
  p->way.count = 0;
  p->way.joints = p->best.path.joints = p->trial.path.joints = 0;
}

static vouch_ret_t expand_way(vouch_planner_t * p, vouch_plan_result_t * result)
{
  const size_t count = p->robot->variable_count;
  vouch_free(&p->allocator, p->expanded);
  p->expanded = vouch_calloc(&p->allocator, p->way.count * count + 1u, sizeof(double));
  if (p->expanded == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < p->way.count; i++) {
    plan_expand(&p->space, plan_path_at(&p->way, i), p->expanded + i * count);
  }
  result->path = p->expanded;
  result->path_count = p->way.count;
  p->statistics.length = plan_path_length(&p->way, &p->space);
  return VOUCH_RET_OK;
}

/// The checker's last proof may be of a motion that was not better: the answer's is made again.
static vouch_ret_t prove_best(vouch_planner_t * p, vouch_plan_result_t * result)
{
  p->ask.deadline_ns = 0;   // it was proved before the deadline
  vouch_ret_t ret = plan_ask_proof(&p->ask, p->best.motion, &result->proof);
  if (ret == VOUCH_RET_OK && result->proof.verdict != VOUCH_FREE) {
    ret = plan_ask_stopped(&p->ask) ? VOUCH_RET_OK : vouch_fail(
      VOUCH_RET_INTERNAL, "a motion that was proved free is not proved again");
  }
  return ret;
}

vouch_ret_t plan_finish(vouch_planner_t * p, vouch_plan_result_t * result)
{
  vouch_ret_t ret = p->ask.ret;
  result->verdict = ret == VOUCH_RET_OK ? result->verdict : VOUCH_UNDECIDED;
  if (ret == VOUCH_RET_OK && p->best.motion != NULL) {
    ret = result->proof.verdict == VOUCH_FREE ? VOUCH_RET_OK : prove_best(p, result);
    ret = ret ? ret : expand_way(p, result);
    plan_refuse(result, VOUCH_UNDECIDED, VOUCH_PLAN_CANCELLED, "planning was cancelled");
    if (ret == VOUCH_RET_OK && result->proof.verdict == VOUCH_FREE) {
      result->verdict = VOUCH_FREE;
      result->reason = VOUCH_PLAN_NONE;
      result->message[0] = '\0';
      result->motion = p->best.motion;
      result->trajectory = (vouch_trajectory_t) {
        p->names, p->space.count, p->best.points, p->best.point_count
      };
    }
  }
  p->statistics.seconds = plan_ask_seconds(&p->ask);
  p->statistics.cpu_seconds = plan_ask_cpu_seconds(&p->ask);
  result->statistics = p->statistics;
  return ret;
}
