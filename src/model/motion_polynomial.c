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
/* Piecewise polynomials as given: trapezoids, Ruckig, blended programs.
 *
 * From powers c_i of the seconds to Bernstein form on [0, 1]: with a_i = c_i T^i,
 * b_j = sum over i <= j of C(j, i) / C(d, i) a_i (Farouki 2012, section 3.3). */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/motion_make.h"
#include "model/problem.h"

static const double BINOMIAL[6][6] = {
  {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {1, 2, 1, 0, 0, 0}, {1, 3, 3, 1, 0, 0},
  {1, 4, 6, 4, 1, 0}, {1, 5, 10, 10, 5, 1}
};

/// Joins that miss by less than this are rounding and are closed.
static const double JOIN = 1e-9;

typedef struct work_s
{
  const vouch_robot_t * robot;
  const char * const * names;
  size_t joint_count;
  const vouch_polynomial_segment_t * segments;
  size_t segment_count;
  vouch_motion_options_t options;
  vouch_arena_t arena;
  uint32_t * columns;
  vouch_motion_start_t start;
} work_t;

static vouch_ret_t check_segments(const work_t * work)
{
  if (work->segment_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion has no segments");
  }
  for (size_t k = 0; k < work->segment_count; ++k) {
    const vouch_polynomial_segment_t * s = &work->segments[k];
    if (!(s->duration_s > 0.0 && s->duration_s <= 1e9)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %zu lasts %g s; it must be positive", k, s->duration_s);
    }
    if (s->degree > VOUCH_MAX_DEGREE) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %zu has degree %u; at most 5 is read: split it into lower ones",
        k, s->degree);
    }
    if (s->coefficients == NULL && work->joint_count > 0) {
      return vouch_fail(VOUCH_RET_INVALID, "segment %zu has no coefficients", k);
    }
    for (size_t i = 0; i < work->joint_count * (s->degree + 1); ++i) {
      if (!isfinite(s->coefficients[i])) {
        return vouch_fail(
          VOUCH_RET_INVALID, "segment %zu, joint '%s': a coefficient is not finite", k,
          work->names[i / (s->degree + 1)]);
      }
    }
  }
  return VOUCH_RET_OK;
}

/// Named mimic joints have their master's polynomial.
static vouch_ret_t check_mimics(const work_t * work)
{
  for (size_t c = 0; c < work->joint_count; ++c) {
    const vouch_joint_t * joint =
      &work->robot->joints[vouch_robot_find_joint(work->robot, work->names[c])];
    for (size_t k = 0; joint->mimic && k < work->segment_count; ++k) {
      const vouch_polynomial_segment_t * s = &work->segments[k];
      const double * own = &s->coefficients[c * (s->degree + 1)];
      const double * master =
        &s->coefficients[work->columns[joint->variable] * (s->degree + 1)];
      double off = 0.0, power = 1.0;
      for (uint32_t i = 0; i <= s->degree; ++i) {
        const double wanted = joint->multiplier * master[i] + (i == 0 ? joint->offset : 0.0);
        off += fabs(own[i] - wanted) * power;
        power *= s->duration_s;
      }
      if (!(off <= 1e-6)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "segment %zu: joint '%s' does not follow joint '%s' (off by up to %g)",
          k, joint->name, vouch_robot_variable_name(work->robot, joint->variable), off);
      }
    }
  }
  return VOUCH_RET_OK;
}

static void to_bernstein(const double * c, uint32_t given, uint32_t degree, double T, double * b)
{
  double a[VOUCH_MAX_DEGREE + 1] = {0.0};
  double power = 1.0;
  for (uint32_t i = 0; i <= given; ++i) {
    a[i] = c[i] * power;
    power *= T;
  }
  for (uint32_t j = 0; j <= degree; ++j) {
    double sum = a[0];
    for (uint32_t i = 1; i <= j; ++i) {
      sum += BINOMIAL[j][i] / BINOMIAL[degree][i] * a[i];
    }
    b[j] = sum;
  }
}

static void fill(const work_t * work, vouch_motion_t * motion)
{
  size_t offset = 0;
  for (size_t k = 0; k < work->segment_count; ++k) {
    const vouch_polynomial_segment_t * s = &work->segments[k];
    const uint32_t degree = s->degree == 0 ? 1 : s->degree;
    motion->degrees[k] = degree;
    motion->offsets[k] = offset;
    for (size_t v = 0; v < work->robot->variable_count; ++v) {
      double * b = &motion->coefficients[offset + v * (degree + 1)];
      if (work->columns[v] != VOUCH_NONE) {
        to_bernstein(
          &s->coefficients[work->columns[v] * (s->degree + 1)], s->degree, degree, s->duration_s,
          b);
      } else {
        for (uint32_t i = 0; i <= degree; ++i) {
          b[i] = work->start.positions[v];
        }
      }
    }
    offset += work->robot->variable_count * (degree + 1);
    motion->knots[k + 1] = motion->knots[k] + s->duration_s;
    motion->seconds[k + 1] = motion->knots[k + 1];
  }
}

/// Closes joins that miss by rounding; larger jumps stay as they are and are told.
static vouch_ret_t join(vouch_motion_t * motion)
{
  size_t jumps = 0, worst_segment = 0, worst_variable = 0;
  double worst = 0.0;
  for (size_t k = 0; k + 1 < motion->segment_count; ++k) {
    for (size_t v = 0; v < motion->robot->variable_count; ++v) {
      const uint32_t d = motion->degrees[k], e = motion->degrees[k + 1];
      double * end = &motion->coefficients[motion->offsets[k] + v * (d + 1) + d];
      const double next = motion->coefficients[motion->offsets[k + 1] + v * (e + 1)];
      const double gap = fabs(*end - next);
      if (gap <= JOIN) {
        *end = next;
      } else {
        jumps++;
      }
      if (gap > JOIN && !(gap <= worst)) {
        worst = gap;
        worst_segment = k;
        worst_variable = v;
      }
    }
  }
  return jumps == 0 ? VOUCH_RET_OK :
         vouch_motion_warn(
    motion, "the polynomials jump at %zu place%s; the largest jump is %.3g, joint '%s' after "
    "segment %zu: what happens during a jump is not checked", jumps, jumps == 1 ? "" : "s", worst,
    vouch_robot_variable_name(motion->robot, worst_variable), worst_segment);
}

/// A motion begins where the robot is.
static vouch_ret_t check_begin(const work_t * work)
{
  for (size_t v = 0; v < work->robot->variable_count; ++v) {
    if (work->columns[v] == VOUCH_NONE || isnan(work->start.positions[v])) {
      continue;
    }
    const vouch_polynomial_segment_t * s = &work->segments[0];
    const double first = s->coefficients[work->columns[v] * (s->degree + 1)];
    const double tolerance =
      work->options.start_tolerances == NULL ? JOIN : work->options.start_tolerances[v];
    if (!(fabs(work->start.positions[v] - first) <= tolerance)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' starts at %.9g, but the motion begins at %.9g",
        vouch_robot_variable_name(work->robot, v), work->start.positions[v], first);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t make(work_t * work, vouch_motion_t ** out)
{
  vouch_ret_t ret = vouch_motion_columns(
    &work->arena, work->robot, work->names, work->joint_count, &work->columns);
  ret = ret == VOUCH_RET_OK ? check_segments(work) : ret;
  ret = ret == VOUCH_RET_OK ? check_mimics(work) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_motion_read_start(
    &work->arena, work->robot, work->options.start_state, &work->start) : ret;
  ret = ret == VOUCH_RET_OK ?
    vouch_motion_check_known(work->robot, work->columns, &work->start) : ret;
  ret = ret == VOUCH_RET_OK ? check_begin(work) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  size_t coefficients = 0;
  for (size_t k = 0; k < work->segment_count; ++k) {
    const uint32_t degree = work->segments[k].degree;
    coefficients += work->robot->variable_count * (degree == 0 ? 2 : degree + 1);
  }
  ret = vouch_motion_allocate(
    out, work->robot, work->options.allocator, work->segment_count, coefficients);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  (*out)->model = VOUCH_MODEL_POLYNOMIAL;
  (*out)->has_time = true;
  fill(work, *out);
  ret = vouch_motion_finish(*out, work->columns);
  return ret == VOUCH_RET_OK ? join(*out) : ret;
}

vouch_ret_t vouch_motion_create_polynomial(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * const * joint_names,
  size_t joint_count, const vouch_polynomial_segment_t * segments, size_t segment_count,
  const vouch_motion_options_t * options)
{
  VOUCH_REQUIRE("motion", motion);
  *motion = NULL;
  VOUCH_REQUIRE("robot", robot);
  VOUCH_REQUIRE_ARRAY("joint_names", joint_names, joint_count);
  VOUCH_REQUIRE_ARRAY("segments", segments, segment_count);
  work_t work = {
    .robot = robot, .names = joint_names, .joint_count = joint_count, .segments = segments,
    .segment_count = segment_count
  };
  vouch_ret_t ret = vouch_motion_options_read(options, &work.options);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  work.arena.allocator = work.options.allocator;
  if (work.options.model != VOUCH_MODEL_AUTO && work.options.model != VOUCH_MODEL_POLYNOMIAL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a motion of polynomials is taken as given: no model can be asked for");
  }
  ret = make(&work, motion);
  vouch_arena_fini(&work.arena);
  if (ret != VOUCH_RET_OK) {
    vouch_motion_destroy(*motion);
    *motion = NULL;
  }
  return ret;
}
