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
#include "model/motion.h"

#include <math.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/motion_make.h"
#include "model/problem.h"

vouch_motion_options_t vouch_motion_options_default(void)
{
  return (vouch_motion_options_t) {
           .struct_size = sizeof(vouch_motion_options_t), .allocator = vouch_allocator_default(),
           .unwind_lead_in = true
  };
}

vouch_ret_t vouch_motion_options_read(
  const vouch_motion_options_t * options, vouch_motion_options_t * all)
{
  *all = vouch_motion_options_default();
  if (options == NULL) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_options_check(
    "motion_options", options->struct_size, sizeof(*all), &options->allocator);
  if (ret == VOUCH_RET_OK) {
    *all = *options;
  }
  return ret;
}

vouch_ret_t vouch_motion_allocate(
  vouch_motion_t ** out, const vouch_robot_t * robot, vouch_allocator_t allocator,
  size_t segment_count, size_t coefficient_count)
{
  *out = NULL;
  if (segment_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "a motion without segments");
  }
  if (segment_count > VOUCH_MAX_SEGMENTS) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "a motion of %zu segments; at most %u can be checked as one",
      segment_count, VOUCH_MAX_SEGMENTS);
  }
  vouch_motion_t * motion = vouch_calloc(&allocator, 1, sizeof(*motion));
  if (motion == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  static atomic_uint_least64_t serials;
  motion->serial = atomic_fetch_add(&serials, 1u) + 1u;
  motion->allocator = allocator;
  motion->arena.allocator = allocator;
  motion->robot = robot;
  motion->segment_count = (uint32_t)segment_count;
  motion->coefficient_count = coefficient_count;
  vouch_arena_t * arena = &motion->arena;
  motion->knots = vouch_arena_calloc(arena, segment_count + 1, sizeof(double));
  motion->seconds = vouch_arena_calloc(arena, segment_count + 1, sizeof(double));
  motion->degrees = vouch_arena_calloc(arena, segment_count, sizeof(*motion->degrees));
  motion->offsets = vouch_arena_calloc(arena, segment_count, sizeof(*motion->offsets));
  motion->coefficients = vouch_arena_calloc(arena, coefficient_count, sizeof(double));
  if (motion->knots == NULL || motion->seconds == NULL || motion->degrees == NULL ||
    motion->offsets == NULL || motion->coefficients == NULL)
  {
    vouch_motion_destroy(motion);
    return VOUCH_RET_NO_MEMORY;
  }
  *out = motion;
  return VOUCH_RET_OK;
}

void vouch_motion_destroy(vouch_motion_t * motion)
{
  if (motion == NULL) {
    return;
  }
  const vouch_allocator_t allocator = motion->allocator;
  vouch_free(&allocator, motion->warnings);
  vouch_arena_fini(&motion->arena);
  vouch_free(&allocator, motion);
}

vouch_ret_t vouch_motion_warn(vouch_motion_t * motion, const char * format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (size < 0 ||
    !vouch_grow(
      &motion->allocator, &motion->warnings, motion->warning_count, &motion->warning_capacity,
      sizeof(*motion->warnings)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  char * copy = vouch_arena_strdup(&motion->arena, text);
  if (copy == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  motion->warnings[motion->warning_count++] = copy;
  return VOUCH_RET_OK;
}

vouch_motion_model_t vouch_motion_model(const vouch_motion_t * motion)
{
  return motion->model;
}

bool vouch_motion_has_time(const vouch_motion_t * motion)
{
  return motion->has_time;
}

size_t vouch_motion_segment_count(const vouch_motion_t * motion)
{
  return motion->segment_count;
}

size_t vouch_motion_lead_in_count(const vouch_motion_t * motion)
{
  return motion->lead_in;
}

double vouch_motion_duration(const vouch_motion_t * motion)
{
  return motion->seconds[motion->segment_count] - motion->seconds[0];
}

size_t vouch_motion_overshoot_count(const vouch_motion_t * motion)
{
  return motion->overshoot_count;
}

vouch_overshoot_t vouch_motion_overshoot(const vouch_motion_t * motion, size_t number)
{
  return number < motion->overshoot_count ?
         motion->overshoots[number] : (vouch_overshoot_t) {.joint = ""};
}

size_t vouch_motion_warning_count(const vouch_motion_t * motion)
{
  return motion->warning_count;
}

const char * vouch_motion_warning(const vouch_motion_t * motion, size_t number)
{
  return number < motion->warning_count ? motion->warnings[number] : "";
}

void vouch_bernstein_split(
  const double * b, uint32_t degree, double t, double * left, double * right)
{
  double work[VOUCH_MAX_DEGREE + 1];
  memcpy(work, b, (degree + 1) * sizeof(double));
  for (uint32_t level = 0; level <= degree; ++level) {
    if (left != NULL) {
      left[level] = work[0];
    }
    if (right != NULL) {
      right[degree - level] = work[degree - level];
    }
    for (uint32_t i = 0; i + level < degree; ++i) {
      work[i] = (1.0 - t) * work[i] + t * work[i + 1];
    }
  }
}

/// The segment that holds a time (the later one at a knot), and where in it.
static uint32_t find_segment(const vouch_motion_t * motion, double time_s, double * fraction)
{
  uint32_t low = 0, high = motion->segment_count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if (motion->seconds[middle] <= time_s) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const double begin = motion->seconds[low], end = motion->seconds[low + 1];
  const double f = (time_s - begin) / (end - begin);
  *fraction = !(f > 0.0) ? 0.0 : f < 1.0 ? f : 1.0;
  return low;
}

void vouch_motion_evaluate(const vouch_motion_t * motion, double time_s, double * values)
{
  double fraction = 0.0;
  const uint32_t segment = find_segment(motion, time_s, &fraction);
  const uint32_t degree = motion->degrees[segment];
  for (size_t v = 0; v < motion->robot->variable_count; ++v) {
    const double * b = &motion->coefficients[motion->offsets[segment] + v * (degree + 1)];
    double left[VOUCH_MAX_DEGREE + 1];
    vouch_bernstein_split(b, degree, fraction, left, NULL);
    values[v] = fraction < 1.0 ? left[degree] : b[degree];
  }
}

/// Nothing is left to move: the last configuration for one second.
static vouch_ret_t rest_at_end(vouch_motion_t ** out, const vouch_motion_t * motion)
{
  const size_t count = motion->robot->variable_count;
  const uint32_t last = motion->segment_count;
  vouch_ret_t ret = vouch_motion_allocate(out, motion->robot, motion->allocator, 1, 2 * count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_motion_t * rest = *out;
  const uint32_t degree = motion->degrees[last - 1];
  for (size_t v = 0; v < count; ++v) {
    const double value =
      motion->coefficients[motion->offsets[last - 1] + v * (degree + 1) + degree];
    rest->coefficients[2 * v] = rest->coefficients[2 * v + 1] = value;
  }
  rest->degrees[0] = 1;
  rest->knots[1] = 1.0;
  rest->seconds[0] = motion->seconds[last];
  rest->seconds[1] = motion->seconds[last] + 1.0;
  return VOUCH_RET_OK;
}

/// Whether knots stay far enough apart when they are counted from `cut`, which rounds them.
static bool shifts(const vouch_motion_t * motion, uint32_t first, double cut)
{
  double before = 0.0;
  for (uint32_t k = first + 1; k <= motion->segment_count; ++k) {
    const double knot = motion->knots[k] - cut;
    if (!(knot - before >= VOUCH_MIN_KNOT_STEP)) {
      return false;
    }
    before = knot;
  }
  return true;
}

static void copy_from(
  vouch_motion_t * rest, const vouch_motion_t * motion, uint32_t first, double fraction)
{
  const double begin = motion->knots[first], end = motion->knots[first + 1];
  const double cut = begin + fraction * (end - begin);
  const double second_0 = motion->seconds[first], second_1 = motion->seconds[first + 1];
  rest->seconds[0] = second_0 + fraction * (second_1 - second_0);
  const double zero = shifts(motion, first, cut) ? cut : 0.0;
  rest->knots[0] = cut - zero;
  size_t offset = 0;
  for (uint32_t k = 0; k < rest->segment_count; ++k) {
    const uint32_t degree = motion->degrees[first + k];
    const size_t size = motion->robot->variable_count * (degree + 1);
    rest->degrees[k] = degree;
    rest->offsets[k] = offset;
    memcpy(
      &rest->coefficients[offset], &motion->coefficients[motion->offsets[first + k]],
      size * sizeof(double));
    rest->knots[k + 1] = motion->knots[first + k + 1] - zero;
    rest->seconds[k + 1] = motion->seconds[first + k + 1];
    offset += size;
  }
  for (size_t v = 0; fraction > 0.0 && v < motion->robot->variable_count; ++v) {
    double * b = &rest->coefficients[v * (rest->degrees[0] + 1)];
    const double last = b[rest->degrees[0]];
    vouch_bernstein_split(b, rest->degrees[0], fraction, NULL, b);
    b[rest->degrees[0]] = last;   // so that the next segment joins bitwise
  }
}

/// Where to cut so that the knots of what is left are far enough apart: there, or a little earlier.
/// What is left out of a motion is not proved, so more of it is kept rather than less.
static double thick_enough(const vouch_motion_t * motion, uint32_t segment, double fraction)
{
  const double begin = motion->knots[segment], end = motion->knots[segment + 1];
  if (!(fraction < 1.0)) {
    return 1.0;
  }
  double thin = VOUCH_MIN_KNOT_STEP;
  while (fraction > 0.0 &&
    !(end - (begin + fraction * (end - begin)) >= VOUCH_MIN_KNOT_STEP))
  {
    thin *= 2.0;
    fraction = thin < end - begin ? 1.0 - thin / (end - begin) : 0.0;
  }
  return fraction;
}

vouch_ret_t vouch_motion_remaining(
  vouch_motion_t ** rest, const vouch_motion_t * motion, double time_s)
{
  VOUCH_REQUIRE("rest", rest);
  *rest = NULL;
  VOUCH_REQUIRE("motion", motion);
  if (!isfinite(time_s)) {
    return vouch_fail(VOUCH_RET_INVALID, "the time %g is not a number of seconds", time_s);
  }
  double fraction = 0.0;
  vouch_ret_t ret;
  uint32_t first = find_segment(motion, time_s, &fraction);
  fraction = thick_enough(motion, first, fraction);
  if (!(fraction < 1.0)) {
    first++;
    fraction = 0.0;
  }
  if (first == motion->segment_count) {
    ret = rest_at_end(rest, motion);
  } else {
    ret = vouch_motion_allocate(
      rest, motion->robot, motion->allocator, motion->segment_count - first,
      motion->coefficient_count - motion->offsets[first]);
    if (ret == VOUCH_RET_OK) {
      copy_from(*rest, motion, first, fraction);
    }
  }
  if (ret == VOUCH_RET_OK) {
    (*rest)->model = motion->model;
    (*rest)->has_time = motion->has_time;
    (*rest)->lead_in = first == 0 ? motion->lead_in : 0;
  }
  return ret;
}
