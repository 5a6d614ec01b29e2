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

#include "kernel/timeline.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"
#include "kernel/timeline_bounds.h"

enum
{
  /// Runs of at most so many segments are filled when they are asked about.
  SHORT_RUN = 16
};

static uint32_t grow_to(uint32_t need, uint32_t have)
{
  return need > have ? need + need / 4u : have;
}

static vouch_ret_t reserve(kernel_timeline_t * t, uint32_t intervals, uint32_t configurations)
{
  size_t bounds = KERNEL_BOUNDS * (size_t)t->variable_count;
  size_t coefficients = (VOUCH_MAX_DEGREE + 1u) * (size_t)t->variable_count;
  if (intervals > t->interval_capacity) {
    vouch_free(&t->allocator, t->intervals);
    vouch_free(&t->allocator, t->bounds);
    vouch_free(&t->allocator, t->coefficients);
    t->interval_capacity = 0;
    /* Not zeroed: memory that a check does not need is never touched. */
    t->intervals = vouch_realloc(&t->allocator, NULL, intervals, sizeof(*t->intervals));
    t->bounds = vouch_realloc(&t->allocator, NULL, intervals, bounds * sizeof(double));
    t->coefficients = vouch_realloc(
      &t->allocator, NULL, intervals, coefficients * sizeof(double));
    if (t->intervals == NULL || t->bounds == NULL || t->coefficients == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    t->interval_capacity = intervals;
  }
  if (configurations > t->configuration_capacity) {
    vouch_free(&t->allocator, t->poses);
    t->configuration_capacity = 0;
    t->poses = vouch_realloc(
      &t->allocator, NULL, configurations, t->frame_count * sizeof(rigid_t));
    if (t->poses == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    t->configuration_capacity = configurations;
  }
  return VOUCH_RET_OK;
}

static bool same_numbers(const double * a, const double * b, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!(a[i] == b[i])) {
      return false;
    }
  }
  return true;
}

vouch_ret_t kernel_timeline_init(
  kernel_timeline_t * t, const vouch_problem_t * problem, vouch_allocator_t allocator,
  size_t memory)
{
  *t = (kernel_timeline_t) {.allocator = allocator, .problem = problem};
  t->variable_count = problem->motion.variable_count;
  t->frame_count = problem->scene.frame_count;
  t->frame_rotation = vouch_calloc(&allocator, t->frame_count, sizeof(mat3_t));
  t->frame_axis = vouch_calloc(&allocator, t->frame_count, sizeof(vec3_t));
  t->frame_about = vouch_calloc(&allocator, t->frame_count, sizeof(*t->frame_about));
  t->frame_straight = vouch_calloc(&allocator, t->frame_count, sizeof(*t->frame_straight));
  t->largest = vouch_calloc(&allocator, 2u * (size_t)t->variable_count + 2u, sizeof(double));
  if (t->frame_rotation == NULL || t->frame_axis == NULL || t->frame_about == NULL ||
    t->frame_straight == NULL || t->largest == NULL)
  {
    kernel_timeline_fini(t);
    return VOUCH_RET_NO_MEMORY;
  }
  t->values = t->largest + t->variable_count;
  for (uint32_t i = 0; i < t->frame_count; i++) {
    const vouch_frame_t * frame = &problem->scene.frames[i];
    t->frame_rotation[i] = mat3_from_quaternion(frame->pose.rotation);
    t->frame_axis[i] = vec3_unit(vec3_from(frame->axis), vec3(0.0, 0.0, 1.0));
    const mat3_t identity = mat3_identity();
    t->frame_straight[i] = same_numbers(t->frame_rotation[i].m, identity.m, 9);
    const double axis[3] = {t->frame_axis[i].x, t->frame_axis[i].y, t->frame_axis[i].z};
    t->frame_about[i] = 3;
    for (uint8_t about = 0; about < 3u; about++) {
      t->frame_about[i] = same_numbers(axis, identity.m + 3u * about, 3) ? about :
        t->frame_about[i];
    }
  }
  size_t each = t->frame_count * sizeof(rigid_t) +
    3u * (sizeof(kernel_interval_t) + 88u * (size_t)t->variable_count);
  size_t count = memory / each;
  count = count < 64u ? 64u : count > 1000000u ? 1000000u : count;
  vouch_ret_t ret = reserve(t, 3u * (uint32_t)count, (uint32_t)count);
  if (ret != VOUCH_RET_OK) {
    kernel_timeline_fini(t);
  }
  return ret;
}

void kernel_timeline_fini(kernel_timeline_t * t)
{
  vouch_free(&t->allocator, t->intervals);
  vouch_free(&t->allocator, t->bounds);
  vouch_free(&t->allocator, t->coefficients);
  vouch_free(&t->allocator, t->poses);
  vouch_free(&t->allocator, t->knots);
  vouch_free(&t->allocator, t->starts);
  vouch_free(&t->allocator, t->frame_rotation);
  vouch_free(&t->allocator, t->frame_axis);
  vouch_free(&t->allocator, t->frame_about);
  vouch_free(&t->allocator, t->frame_straight);
  vouch_free(&t->allocator, t->largest);
  *t = (kernel_timeline_t) {.allocator = t->allocator};
}

/// [L10] Ensures:  whether a variable's last coefficient before a knot and its first one behind it
///           differ in any bit. Inline, as below, so that straight segments get a loop with fixed
///           strides.
static inline bool jumps(
  const double * before, size_t left, const double * after, size_t right, size_t n)
{
  uint64_t differences = 0;
  for (size_t v = 0; v < n; v++) {
    uint64_t x, y;
    memcpy(&x, before + v * left, sizeof(x));
    memcpy(&y, after + v * right, sizeof(y));
    differences |= x ^ y;
  }
  return differences != 0;
}

/// [L10] Ensures:  the starts: knot 0, and every interior knot where a variable is not bitwise
///           continuous.
static void find_starts(kernel_timeline_t * t)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  t->starts[0] = true;
  t->starts[m->segment_count] = false;
  for (uint32_t knot = 1; knot < m->segment_count; knot++) {
    uint32_t d0 = m->degrees[knot - 1], d1 = m->degrees[knot], n = t->variable_count;
    const double * before = m->coefficients + m->offsets[knot - 1] + d0;
    const double * after = m->coefficients + m->offsets[knot];
    t->starts[knot] = d0 == 1u && d1 == 1u ? jumps(before, 2u, after, 2u, n) :
      jumps(before, d0 + 1u, after, d1 + 1u, n);
  }
}

static kernel_interval_t * new_interval(kernel_timeline_t * t, uint32_t first, uint32_t last)
{
  kernel_interval_t * interval = &t->intervals[t->interval_count++];
  *interval = (kernel_interval_t) {.first = first, .last = last, .begin = VOUCH_NONE,
    .end = VOUCH_NONE, .middle = VOUCH_NONE};
  memset(interval->weights_of, 0xff, sizeof(interval->weights_of));
  return interval;
}

/// [L10] Ensures:  whether a start lies strictly between two knots.
static bool start_inside(const kernel_timeline_t * t, uint32_t first, uint32_t last)
{
  for (uint32_t knot = first + 1u; knot < last; knot++) {
    if (t->starts[knot]) {
      return true;
    }
  }
  return false;
}

/// Requires: the run has two segments or more, and there is room.
/// Ensures:  its halves, cut at a knot: together they are the run.
static void halve_run(kernel_timeline_t * t, uint32_t number)
{
  kernel_interval_t * run = &t->intervals[number];
  uint32_t first = run->first, last = run->last, knot = kernel_interval_knot(run);
  run->left = t->interval_count;
  run->right = t->interval_count + 1u;
  for (int half = 0; half < 2; half++) {
    kernel_interval_t * child = new_interval(t, half == 0 ? first : knot, half == 0 ? knot : last);
    child->begins_at_start = t->starts[child->first];
  }
}

/// [L10] Ensures:  the tree of all runs down to short ones, with their bounds.
/// Why:      intervals are numbered so that children follow parents; filling from the back is
///           bottom-up. Runs of few segments are halved and filled when they are asked about: most
///           never are.
static void make_runs(kernel_timeline_t * t)
{
  t->interval_count = 0;
  new_interval(t, 0, t->problem->motion.segment_count)->begins_at_start = true;
  for (uint32_t i = 0; i < t->interval_count; i++) {
    if (t->intervals[i].last - t->intervals[i].first > SHORT_RUN) {
      halve_run(t, i);
    }
  }
  for (uint32_t i = t->interval_count; i-- > 0; ) {
    kernel_interval_t * interval = &t->intervals[i];
    interval->filled = true;
    if (interval->left == 0) {
      interval->start_inside = start_inside(t, interval->first, interval->last);
      kernel_bounds_run(t, i);
    } else {
      const kernel_interval_t * left = &t->intervals[interval->left];
      const kernel_interval_t * right = &t->intervals[interval->right];
      interval->start_inside = left->start_inside || right->start_inside ||
        right->begins_at_start;
      kernel_bounds_join(t, i);
    }
  }
}

/// [L5, L10] Why:      a run is filled, from its segments or its halves, before it is brought to its
///           own time, and that once.
const double * kernel_timeline_bounds(kernel_timeline_t * t, uint32_t interval)
{
  kernel_interval_t * record = &t->intervals[interval];
  if (!record->filled) {
    kernel_bounds_run(t, interval);
    record->filled = true;
  }
  if (!record->finished) {
    kernel_bounds_finish(t, interval);
    record->finished = true;
  }
  return t->bounds + (size_t)interval * KERNEL_BOUNDS * t->variable_count;
}

static inline void raise(const double * restrict b, size_t size, size_t n, double * restrict most)
{
  for (size_t v = 0; v < n; v++) {
    double value = fabs(b[v * size]);
    most[v] = value > most[v] ? value : most[v];
  }
}

/// [L5] Ensures:  no coefficient of a variable is larger.
/// Why:      at a knot that is no start the first one is the last one again.
static void find_largest(kernel_timeline_t * t)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  uint32_t n = t->variable_count;
  memset(t->largest, 0, n * sizeof(*t->largest));
  for (uint32_t k = 0; k < m->segment_count; k++) {
    uint32_t size = m->degrees[k] + 1u;
    for (uint32_t i = t->starts[k] ? 0 : 1u; i < size; i++) {   // else the last one again
      const double * b = m->coefficients + m->offsets[k] + i;
      if (size == 2u) {
        raise(b, 2u, n, t->largest);
      } else {
        raise(b, size, n, t->largest);
      }
    }
  }
}

vouch_ret_t kernel_timeline_set_motion(kernel_timeline_t * t)
{
  const vouch_motion_part_t * m = &t->problem->motion;
  uint32_t runs = 2u * m->segment_count;
  vouch_ret_t ret = reserve(
    t, grow_to(runs + 1024u, t->interval_capacity), t->configuration_capacity);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (m->segment_count + 1u > t->knot_capacity) {
    uint32_t capacity = grow_to(m->segment_count + 64u, t->knot_capacity);
    vouch_free(&t->allocator, t->knots);
    vouch_free(&t->allocator, t->starts);
    t->knot_capacity = 0;
    t->knots = vouch_calloc(&t->allocator, capacity, 2u * sizeof(*t->knots));
    t->starts = vouch_calloc(&t->allocator, capacity, sizeof(*t->starts));
    if (t->knots == NULL || t->starts == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    t->knot_capacity = capacity;
  }
  t->configuration_count = 0;
  memset(t->knots, 0xff, 2u * (m->segment_count + 1u) * sizeof(*t->knots));
  find_starts(t);
  find_largest(t);
  make_runs(t);
  return VOUCH_RET_OK;
}

/// Why:      halves of a run are cut at a knot; halves of a segment share the configuration in their
///           middle, their bounds are those of kernel_bounds_halve(), in their own time.
bool kernel_timeline_split(kernel_timeline_t * t, uint32_t number)
{
  kernel_interval_t * parent = &t->intervals[number];
  if (parent->left != 0) {
    return true;
  }
  if (parent->depth >= KERNEL_MAX_DEPTH || t->interval_capacity - t->interval_count < 2u) {
    return false;
  }
  if (parent->last - parent->first >= 2u) {
    halve_run(t, number);
    for (uint32_t i = parent->left; i <= parent->right; i++) {
      kernel_interval_t * child = &t->intervals[i];
      child->start_inside = start_inside(t, child->first, child->last);
    }
    return true;
  }
  if (kernel_timeline_middle(t, number) == NULL) {
    return false;   // both halves end there
  }
  uint32_t left = t->interval_count;
  for (uint64_t half = 0; half < 2u; half++) {
    kernel_interval_t * child = new_interval(t, parent->first, parent->last);
    child->depth = parent->depth + 1u;
    child->numerator = 2u * parent->numerator + half;
    child->begins_at_start = half == 0 && parent->begins_at_start;
    child->filled = child->finished = true;
  }
  parent->left = left;
  parent->right = left + 1u;
  kernel_bounds_halve(t, number);
  kernel_interval_t * a = &t->intervals[left], * b = &t->intervals[left + 1u];
  a->begin = parent->begin;
  a->end = b->begin = parent->middle;
  b->end = parent->end;
  return true;
}

/// [K-FK] Ensures:  rotation * mat3_from_axis_angle(x, y or z, angle).
/// Why:      without the products with 0 and 1 in it, which change nothing.
static void turn_about(mat3_t * rotation, uint32_t axis, double angle)
{
  double s = sin(angle), half = sin(0.5 * angle), c = 1.0 - 2.0 * half * half;
  uint32_t i = axis == 2u ? 0 : axis + 1u, j = axis == 0 ? 2u : axis - 1u;
  for (double * row = rotation->m; row < rotation->m + 9; row += 3) {
    double x = row[i], y = row[j];
    row[i] = x * c + y * s;
    row[j] = y * c - x * s;
  }
}

/// [K-FK] Poses of all frames. Errors: kernel/path.c.
void kernel_timeline_evaluate(
  const kernel_timeline_t * t, uint32_t segment, double fraction, rigid_t * poses)
{
  const vouch_scene_part_t * scene = &t->problem->scene;
  for (uint32_t v = 0; v < t->variable_count; v++) {
    t->values[v] = kernel_bounds_value(&t->problem->motion, segment, v, fraction);
  }
  poses[0] = rigid_identity();
  for (uint32_t i = 1; i < t->frame_count; i++) {
    const vouch_frame_t * frame = &scene->frames[i];
    const rigid_t * parent = &poses[frame->parent];
    rigid_t * pose = &poses[i];
    pose->translation = rigid_apply(parent, vec3_from(frame->pose.translation));
    pose->rotation = t->frame_straight[i] ? parent->rotation :
      mat3_mul(&parent->rotation, &t->frame_rotation[i]);
    if (frame->joint == VOUCH_JOINT_FIXED) {
      continue;
    }
    double q = frame->multiplier * t->values[frame->variable] + frame->offset;
    if (frame->joint == VOUCH_JOINT_REVOLUTE && t->frame_about[i] < 3u) {
      turn_about(&pose->rotation, t->frame_about[i], q);
    } else if (frame->joint == VOUCH_JOINT_REVOLUTE) {
      mat3_t turn = mat3_from_axis_angle(t->frame_axis[i], q);
      pose->rotation = mat3_mul(&pose->rotation, &turn);
    } else {
      vec3_t step = mat3_mul_vec(&pose->rotation, vec3_scale(t->frame_axis[i], q));
      pose->translation = vec3_add(pose->translation, step);
    }
  }
}

static const rigid_t * configuration(const kernel_timeline_t * t, uint32_t number)
{
  return t->poses + (size_t)number * t->frame_count;
}

static uint32_t evaluate_new(kernel_timeline_t * t, uint32_t segment, double fraction)
{
  if (t->configuration_count == t->configuration_capacity) {
    return VOUCH_NONE;
  }
  uint32_t number = t->configuration_count++;
  kernel_timeline_evaluate(
    t, segment, fraction, t->poses + (size_t)number * t->frame_count);
  return number;
}

/// [L10] Ensures:  the configuration at a knot as seen from the segment on its right or on its left.
/// Why:      at a knot that is no start both are the same, bit for bit.
static uint32_t at_knot(kernel_timeline_t * t, uint32_t knot, bool from_right)
{
  uint32_t * slot = &t->knots[2u * knot + (from_right ? 0u : 1u)];
  if (*slot == VOUCH_NONE) {
    *slot = from_right ? evaluate_new(t, knot, 0.0) : evaluate_new(t, knot - 1u, 1.0);
    if (knot > 0 && knot < t->problem->motion.segment_count && !t->starts[knot]) {
      t->knots[2u * knot] = t->knots[2u * knot + 1u] = *slot;
    }
  }
  return *slot;
}

static const rigid_t * poses_or_null(const kernel_timeline_t * t, uint32_t number)
{
  return number == VOUCH_NONE ? NULL : configuration(t, number);
}

const rigid_t * kernel_timeline_begin(kernel_timeline_t * t, uint32_t number)
{
  kernel_interval_t * interval = &t->intervals[number];
  if (interval->begin == VOUCH_NONE) {
    interval->begin = interval->numerator == 0 ? at_knot(t, interval->first, true) :
      evaluate_new(t, interval->first, ldexp((double)interval->numerator, -(int)interval->depth));
  }
  return poses_or_null(t, interval->begin);
}

const rigid_t * kernel_timeline_end(kernel_timeline_t * t, uint32_t number)
{
  kernel_interval_t * interval = &t->intervals[number];
  if (interval->end == VOUCH_NONE) {
    uint64_t end = interval->numerator + 1u;
    interval->end = end >> interval->depth == 1u ? at_knot(t, interval->last, false) :
      evaluate_new(t, interval->first, ldexp((double)end, -(int)interval->depth));
  }
  return poses_or_null(t, interval->end);
}

const rigid_t * kernel_timeline_middle(kernel_timeline_t * t, uint32_t number)
{
  kernel_interval_t * interval = &t->intervals[number];
  if (interval->middle == VOUCH_NONE) {
    if (interval->last - interval->first >= 2u) {
      interval->middle = at_knot(t, kernel_interval_knot(interval), false);
    } else {
      double middle = ldexp((double)(2u * interval->numerator + 1u), -(int)interval->depth - 1);
      interval->middle = evaluate_new(t, interval->first, middle);
      if (interval->left != 0) {
        t->intervals[interval->left].end = interval->middle;
        t->intervals[interval->right].begin = interval->middle;
      }
    }
  }
  return poses_or_null(t, interval->middle);
}
