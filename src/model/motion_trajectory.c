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
/* Waypoints to polynomials, as the controller or the planner means them.
 *
 * The controller is ros2_controllers' joint_trajectory_controller (trajectory.cpp): per segment
 * linear, cubic or quintic, by what both ends give. The Bernstein coefficients are made from
 * positions, velocities and accelerations directly, so that the first and last coefficient of a
 * segment are bitwise the waypoints' positions and neighbours join. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/motion_make.h"
#include "model/problem.h"

static const double PI = 3.14159265358979323846;
static const double AMBIGUOUS = 1e-6;
static const double DEFAULT_START_TOLERANCE = 1e-9;

/// A waypoint with a value for every variable.
typedef struct point_s
{
  double * p;
  double * v;   // NULL: none
  double * a;   // NULL: none
  double time_s;
} point_t;

typedef struct work_s
{
  const vouch_robot_t * robot;
  const vouch_trajectory_t * trajectory;
  vouch_motion_options_t options;
  vouch_arena_t arena;
  uint32_t * columns;
  vouch_motion_start_t start;
  vouch_motion_model_t model;
  bool has_time;
  size_t lead_in;
  point_t * points;   // the lead-in's start first
  size_t point_count;
} work_t;

/* ---- what is given ---- */

static vouch_ret_t choose_model(work_t * work)
{
  work->model = work->options.model;
  switch (work->options.model) {
    case VOUCH_MODEL_AUTO:
      work->model = work->has_time ? VOUCH_MODEL_CONTROLLER : VOUCH_MODEL_PLANNER;
      return VOUCH_RET_OK;
    case VOUCH_MODEL_CONTROLLER:
      if (!work->has_time && work->trajectory->point_count > 1) {
        return vouch_fail(
          VOUCH_RET_INVALID,
          "the trajectory has no times, which the controller model needs: use planner or linear");
      }
      return VOUCH_RET_OK;
    case VOUCH_MODEL_PLANNER:
    case VOUCH_MODEL_LINEAR:
      return VOUCH_RET_OK;
    case VOUCH_MODEL_POLYNOMIAL:
    default:
      return vouch_fail(
        VOUCH_RET_INVALID, "motion model %d cannot be asked for", (int)work->options.model);
  }
}

static double start_tolerance(const work_t * work, size_t v)
{
  return work->options.start_tolerances == NULL ?
         DEFAULT_START_TOLERANCE : work->options.start_tolerances[v];
}

/// The first variable that does not begin where the robot is, or variable_count.
static size_t find_jump(const work_t * work)
{
  size_t v = 0;
  for (; work->start.given && v < work->robot->variable_count; ++v) {
    const uint32_t column = work->columns[v];
    const double start = work->start.positions[v];
    if (column != VOUCH_NONE && !isnan(start) &&
      !(fabs(start - work->trajectory->points[0].positions[column]) <= start_tolerance(work, v)))
    {
      return v;
    }
  }
  return work->robot->variable_count;
}

/// Whether the way to the first point is nobody's: of a bare path, which no controller follows.
static bool is_bare(const work_t * work)
{
  return !work->has_time && work->model != VOUCH_MODEL_CONTROLLER;
}

/// A motion that begins at time 0 must begin where the robot is; a bare path is told about later.
static vouch_ret_t check_begin(const work_t * work)
{
  const size_t v = find_jump(work);
  if (is_bare(work) || work->lead_in > 0 || v == work->robot->variable_count) {
    return VOUCH_RET_OK;
  }
  return vouch_fail(
    VOUCH_RET_INVALID,
    "joint '%s' starts at %.9g, but the trajectory begins at %.9g at time 0: the controller "
    "would jump; plan again or raise the tolerance (%g)",
    vouch_robot_variable_name(work->robot, v), work->start.positions[v],
    work->trajectory->points[0].positions[work->columns[v]], start_tolerance(work, v));
}

/// Planners' files often come with another state; the way from there is nobody's promise.
static vouch_ret_t warn_begin(const work_t * work, vouch_motion_t * motion)
{
  const size_t v = find_jump(work);
  return !is_bare(work) || v == work->robot->variable_count ? VOUCH_RET_OK : vouch_motion_warn(
    motion, "the path does not begin at the start state (joint '%s' is at %.9g, the path begins at "
    "%.9g): the way there is not part of the answer", vouch_robot_variable_name(work->robot, v),
    work->start.positions[v], work->trajectory->points[0].positions[work->columns[v]]);
}

/* ---- waypoints of all variables ---- */

static double * spread(work_t * work, const double * series, const double * otherwise)
{
  const size_t count = work->robot->variable_count;
  double * values = vouch_arena_calloc(&work->arena, count, sizeof(double));
  for (size_t v = 0; values != NULL && v < count; ++v) {
    values[v] = work->columns[v] != VOUCH_NONE ? series[work->columns[v]] :
      otherwise == NULL ? 0.0 : otherwise[v];
  }
  return values;
}

static vouch_ret_t spread_point(work_t * work, size_t i, point_t * out)
{
  const vouch_trajectory_point_t * point = &work->trajectory->points[i];
  const bool splines = work->model == VOUCH_MODEL_CONTROLLER;
  out->time_s = point->time_s;
  out->p = spread(work, point->positions, work->start.positions);
  bool failed = out->p == NULL;
  if (splines && point->velocities != NULL) {
    out->v = spread(work, point->velocities, NULL);
    failed = failed || out->v == NULL;
  }
  if (splines && point->accelerations != NULL) {
    out->a = spread(work, point->accelerations, NULL);
    failed = failed || out->a == NULL;
  }
  return failed ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

/// Continuous joints begin the lead-in within half a turn of point 0, as the controller does it.
static vouch_ret_t unwind_start(work_t * work, size_t v, double target, double * position)
{
  if (work->model != VOUCH_MODEL_CONTROLLER || !work->options.unwind_lead_in ||
    !vouch_motion_is_continuous(work->robot, v) || work->columns[v] == VOUCH_NONE)
  {
    return VOUCH_RET_OK;
  }
  const double shortest = remainder(target - *position, 2.0 * PI);
  if (fabs(fabs(shortest) - PI) < AMBIGUOUS) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "joint '%s' starts half a turn from point 0 (%.9g, %.9g): which way it turns is not certain",
      vouch_robot_variable_name(work->robot, v), *position, target);
  }
  if (fabs(target - *position) < PI) {
    return VOUCH_RET_OK;
  }
  *position = target - shortest;
  return vouch_motion_check_wrap(work->robot, v);
}

/// Where the lead-in begins. What point 0 has and the start state does not say is zero.
static vouch_ret_t make_start(work_t * work, const point_t * first, point_t * out)
{
  const vouch_robot_t * robot = work->robot;
  if (!work->start.given) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "point 0 comes at %g s, so the robot first moves there from where it is: give a start state",
      first->time_s);
  }
  out->time_s = 0.0;
  out->p = vouch_arena_calloc(&work->arena, robot->variable_count, sizeof(double));
  out->v = first->v == NULL ? NULL :
    vouch_arena_calloc(&work->arena, robot->variable_count, sizeof(double));
  out->a = first->a == NULL ? NULL :
    vouch_arena_calloc(&work->arena, robot->variable_count, sizeof(double));
  if (out->p == NULL || (first->v != NULL && out->v == NULL) ||
    (first->a != NULL && out->a == NULL))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t v = 0; v < robot->variable_count; ++v) {
    if (isnan(work->start.positions[v])) {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "point 0 comes at %g s, but the start state does not say where joint '%s' is",
        first->time_s, vouch_robot_variable_name(robot, v));
    }
    out->p[v] = work->start.positions[v];
    vouch_ret_t ret = unwind_start(work, v, first->p[v], &out->p[v]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    // Joints that the trajectory does not name are held.
    const bool named = work->columns[v] != VOUCH_NONE;
    if (out->v != NULL) {
      out->v[v] = named ? work->start.velocities[v] : 0.0;
    }
    if (out->a != NULL) {
      out->a[v] = named ? work->start.accelerations[v] : 0.0;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t make_points(work_t * work)
{
  const vouch_trajectory_t * t = work->trajectory;
  work->lead_in = t->points[0].time_s > 0.0 ? 1 : 0;
  work->point_count = t->point_count + work->lead_in;
  work->points = vouch_arena_calloc(&work->arena, work->point_count, sizeof(*work->points));
  if (work->points == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < t->point_count; ++i) {
    ret = spread_point(work, i, &work->points[i + work->lead_in]);
  }
  if (ret == VOUCH_RET_OK && work->lead_in > 0) {
    ret = make_start(work, &work->points[1], &work->points[0]);
  }
  return ret;
}

/// PLANNER: continuous joints take the shorter arc; whole turns are carried forward.
static vouch_ret_t unwind(work_t * work)
{
  for (size_t v = 0; v < work->robot->variable_count; ++v) {
    if (work->columns[v] == VOUCH_NONE || !vouch_motion_is_continuous(work->robot, v)) {
      continue;
    }
    vouch_ret_t ret = vouch_motion_check_wrap(work->robot, v);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    double turns = 0.0;   // added to the raw numbers from here on
    double before = work->points[0].p[v];
    for (size_t i = 1; i < work->point_count; ++i) {
      const double raw = work->points[i].p[v];
      const double step = raw - before;
      if (fabs(fabs(step) - PI) < AMBIGUOUS || fabs(step) > 3.0 * PI - AMBIGUOUS) {
        return vouch_fail(
          VOUCH_RET_INVALID,
          "joint '%s' turns by %.9g rad between points %zu and %zu: which way is not certain; add "
          "a point between them or use model linear", vouch_robot_variable_name(work->robot, v),
          step, i - 1, i);
      }
      turns += step > PI ? -1.0 : step < -PI ? 1.0 : 0.0;
      before = raw;
      work->points[i].p[v] = turns == 0.0 ? raw : raw + turns * (2.0 * PI);
    }
  }
  return VOUCH_RET_OK;
}

/* ---- polynomials ---- */

static uint32_t segment_degree(const point_t * x, const point_t * y)
{
  const bool v = x->v != NULL && y->v != NULL;
  const bool a = v && x->a != NULL && y->a != NULL;
  return a ? 5 : v ? 3 : 1;
}

/// Bernstein coefficients of the controller's polynomial over a segment of T seconds.
static void fill_segment(
  const point_t * x, const point_t * y, uint32_t degree, size_t v, double * b)
{
  const double T = y->time_s - x->time_s;
  b[0] = x->p[v];
  b[degree] = y->p[v];
  if (degree == 3) {
    b[1] = x->p[v] + x->v[v] * T / 3.0;
    b[2] = y->p[v] - y->v[v] * T / 3.0;
  } else if (degree == 5) {
    b[1] = x->p[v] + x->v[v] * T / 5.0;
    b[2] = x->p[v] + (2.0 * x->v[v] * T / 5.0 + x->a[v] * T * T / 20.0);
    b[3] = y->p[v] - (2.0 * y->v[v] * T / 5.0 - y->a[v] * T * T / 20.0);
    b[4] = y->p[v] - y->v[v] * T / 5.0;
  }
}

/// A bare path: knots as far apart as the largest joint step, so that no segment is out of scale.
static void space_by_distance(const work_t * work, vouch_motion_t * motion)
{
  double total = 0.0;
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    double step = 0.0;
    for (size_t v = 0; v < work->robot->variable_count; ++v) {
      const double d = fabs(work->points[k + 1].p[v] - work->points[k].p[v]);
      step = d > step ? d : step;
    }
    motion->knots[k + 1] = step;
    total += step;
  }
  // Repeated points get a sliver; a path that never moves gets even segments.
  const double unit = total > 0.0 ? 1.0 / total : 1.0;
  const double least = total > 0.0 ? 1e-6 : 1.0;
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    const double step = motion->knots[k + 1] * unit;
    motion->knots[k + 1] = motion->knots[k] + (step > least ? step : least);
  }
}

static vouch_ret_t make_motion(work_t * work, vouch_motion_t ** out)
{
  const size_t variables = work->robot->variable_count;
  // A single point is one constant segment.
  const bool single = work->point_count == 1;
  const size_t segments = single ? 1 : work->point_count - 1;
  size_t coefficients = 0;
  for (size_t k = 0; k < segments; ++k) {
    const point_t * y = &work->points[single ? 0 : k + 1];
    coefficients += variables * (single ? 2 : segment_degree(&work->points[k], y) + 1);
  }
  vouch_ret_t ret = vouch_motion_allocate(
    out, work->robot, work->options.allocator, segments, coefficients);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_motion_t * motion = *out;
  motion->model = work->model;
  motion->has_time = work->has_time;
  motion->lead_in = work->lead_in;
  size_t offset = 0;
  for (size_t k = 0; k < segments; ++k) {
    const point_t * x = &work->points[k];
    const point_t * y = &work->points[single ? 0 : k + 1];
    const uint32_t degree = single ? 1 : segment_degree(x, y);
    motion->degrees[k] = degree;
    motion->offsets[k] = offset;
    for (size_t v = 0; v < variables; ++v) {
      fill_segment(x, y, degree, v, &motion->coefficients[offset + v * (degree + 1)]);
    }
    offset += variables * (degree + 1);
    motion->knots[k + 1] = single ? 1.0 : y->time_s;
    motion->seconds[k + 1] = work->has_time && !single ? y->time_s : (double)(k + 1);
  }
  if (!work->has_time && !single) {
    space_by_distance(work, motion);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t warn_unused(const work_t * work, vouch_motion_t * motion)
{
  if (work->model == VOUCH_MODEL_CONTROLLER) {
    return VOUCH_RET_OK;
  }
  for (size_t i = 0; i < work->trajectory->point_count; ++i) {
    const double * v = work->trajectory->points[i].velocities;
    for (size_t c = 0; v != NULL && c < work->trajectory->joint_count; ++c) {
      if (v[c] != 0.0) {
        return vouch_motion_warn(
          motion, "the velocities of the trajectory are not used: the %s model is linear",
          work->model == VOUCH_MODEL_PLANNER ? "planner" : "linear");
      }
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_trajectory(work_t * work)
{
  const vouch_trajectory_t * t = work->trajectory;
  vouch_ret_t ret = vouch_motion_columns(
    &work->arena, work->robot, t->joint_names, t->joint_count, &work->columns);
  ret = ret == VOUCH_RET_OK ? vouch_trajectory_check(t, &work->has_time) : ret;
  ret = ret == VOUCH_RET_OK ? choose_model(work) : ret;
  ret = ret == VOUCH_RET_OK ?
    vouch_trajectory_check_mimics(work->robot, t, work->columns) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_motion_read_start(
    &work->arena, work->robot, work->options.start_state, &work->start) : ret;
  ret = ret == VOUCH_RET_OK ?
    vouch_motion_check_known(work->robot, work->columns, &work->start) : ret;
  ret = ret == VOUCH_RET_OK ? make_points(work) : ret;
  ret = ret == VOUCH_RET_OK ? check_begin(work) : ret;
  return ret == VOUCH_RET_OK && work->model == VOUCH_MODEL_PLANNER ? unwind(work) : ret;
}

vouch_ret_t vouch_motion_create(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const vouch_trajectory_t * trajectory,
  const vouch_motion_options_t * options)
{
  VOUCH_REQUIRE("motion", motion);
  *motion = NULL;
  VOUCH_REQUIRE("robot, trajectory", robot, trajectory);
  VOUCH_REQUIRE_ARRAY("joint_names", trajectory->joint_names, trajectory->joint_count);
  VOUCH_REQUIRE_ARRAY("points", trajectory->points, trajectory->point_count);
  work_t work = {.robot = robot, .trajectory = trajectory};
  vouch_ret_t ret = vouch_motion_options_read(options, &work.options);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  work.arena.allocator = work.options.allocator;
  ret = read_trajectory(&work);
  ret = ret == VOUCH_RET_OK ? make_motion(&work, motion) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_motion_finish(*motion, work.columns) : ret;
  ret = ret == VOUCH_RET_OK ? warn_unused(&work, *motion) : ret;
  ret = ret == VOUCH_RET_OK ? warn_begin(&work, *motion) : ret;
  vouch_arena_fini(&work.arena);
  if (ret != VOUCH_RET_OK) {
    vouch_motion_destroy(*motion);
    *motion = NULL;
  }
  return ret;
}
