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

#include "vouch/stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/robot.h"
#include "stream/plan.h"

enum {MOST_POINTS = 100000};

struct vouch_stream_s
{
  vouch_allocator_t allocator;
  const vouch_robot_t * robot;
  size_t variables;
  int64_t lead_ns;
  plan_t plan, next;
  double * brakes;                    // per variable
  double * velocity_limits;           // NULL: none
  double * acceleration_limits;
  size_t * columns;                   // per variable: its place in the chunk, or SIZE_MAX
  const char ** names;                // of all variables
  vouch_trajectory_point_t * points;  // of the motion that is checked
  const vouch_motion_t * proposed;    // that `next` was made to; only compared
  bool begun;
};

vouch_stream_options_t vouch_stream_options_default(void)
{
  return (vouch_stream_options_t) {
           .struct_size = sizeof(vouch_stream_options_t), .allocator = vouch_allocator_default(),
           .lead_s = 0.02, .brake_rad_s2 = 2.0, .brake_m_s2 = 1.0, .max_points = 1000
  };
}

static vouch_ret_t check_options(const vouch_stream_options_t * o)
{
  vouch_ret_t ret = vouch_options_check(
    "stream_options", o->struct_size, sizeof(*o), &o->allocator);
  if (ret == VOUCH_RET_OK && !(o->lead_s >= 0.0 && o->lead_s <= 60.0)) {
    return vouch_fail(VOUCH_RET_INVALID, "lead_s is %g: it must lie between 0 and 60", o->lead_s);
  }
  if (ret == VOUCH_RET_OK && !(o->brake_rad_s2 >= 1e-3 && o->brake_rad_s2 <= 1e6 &&
    o->brake_m_s2 >= 1e-3 && o->brake_m_s2 <= 1e6))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "brake_rad_s2 and brake_m_s2 are %g and %g: they must lie between 0.001 "
      "and 1e6", o->brake_rad_s2, o->brake_m_s2);
  }
  if (ret == VOUCH_RET_OK && !(o->max_points >= 4 && o->max_points <= MOST_POINTS)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "max_points is %zu: it must lie between 4 and %d", o->max_points,
      MOST_POINTS);
  }
  return ret;
}

/// A copy of an array of limits; each must be > 0.
static vouch_ret_t copy_limits(
  vouch_stream_t * self, const char * what, const double * limits, double ** copy)
{
  if (limits == NULL) {
    return VOUCH_RET_OK;
  }
  *copy = vouch_calloc(&self->allocator, self->variables + 1, sizeof(double));
  if (*copy == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for limits");
  }
  for (size_t i = 0; i < self->variables; ++i) {
    if (!(limits[i] > 0.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s of joint '%s' is %g: it must be > 0", what,
        vouch_robot_variable_name(self->robot, i), limits[i]);
    }
    (*copy)[i] = limits[i];
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t fill(vouch_stream_t * self, const vouch_stream_options_t * o)
{
  const size_t n = self->variables + 1;
  self->brakes = vouch_calloc(&self->allocator, n, sizeof(*self->brakes));
  self->columns = vouch_calloc(&self->allocator, n, sizeof(*self->columns));
  self->names = vouch_calloc(&self->allocator, n, sizeof(*self->names));
  self->points = vouch_calloc(&self->allocator, o->max_points, sizeof(*self->points));
  if (self->brakes == NULL || self->columns == NULL || self->names == NULL ||
    self->points == NULL)
  {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a stream");
  }
  for (size_t i = 0; i < self->variables; ++i) {
    const uint32_t joint = self->robot->variables[i];
    self->names[i] = vouch_robot_variable_name(self->robot, i);
    self->brakes[i] = self->robot->joints[joint].type == VOUCH_URDF_PRISMATIC ?
      o->brake_m_s2 : o->brake_rad_s2;
  }
  vouch_ret_t ret = plan_init(&self->plan, self->allocator, self->variables, o->max_points);
  ret = ret ? ret : plan_init(&self->next, self->allocator, self->variables, o->max_points);
  ret = ret ? ret : copy_limits(
    self, "the velocity limit", o->velocity_limits, &self->velocity_limits);
  return ret ? ret : copy_limits(
    self, "the acceleration limit", o->acceleration_limits, &self->acceleration_limits);
}

vouch_ret_t vouch_stream_create(
  vouch_stream_t ** stream, const vouch_robot_t * robot, const vouch_stream_options_t * options)
{
  VOUCH_REQUIRE("stream,robot", stream, robot);
  const vouch_stream_options_t standard = vouch_stream_options_default();
  const vouch_stream_options_t * o = options != NULL ? options : &standard;
  *stream = NULL;
  vouch_ret_t ret = check_options(o);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_stream_t * self = vouch_calloc(&o->allocator, 1, sizeof(*self));
  if (self == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a stream");
  }
  self->allocator = o->allocator;
  self->robot = robot;
  self->variables = vouch_robot_variable_count(robot);
  self->lead_ns = (int64_t)ceil(1e9 * o->lead_s);
  ret = fill(self, o);
  if (ret != VOUCH_RET_OK) {
    vouch_stream_destroy(self);
    return ret;
  }
  *stream = self;
  return VOUCH_RET_OK;
}

void vouch_stream_destroy(vouch_stream_t * stream)
{
  if (stream == NULL) {
    return;
  }
  vouch_allocator_t allocator = stream->allocator;
  stream->plan.allocator = stream->next.allocator = allocator;
  plan_fini(&stream->plan);
  plan_fini(&stream->next);
  vouch_free(&allocator, stream->brakes);
  vouch_free(&allocator, stream->velocity_limits);
  vouch_free(&allocator, stream->acceleration_limits);
  vouch_free(&allocator, stream->columns);
  vouch_free(&allocator, stream->names);
  vouch_free(&allocator, stream->points);
  vouch_free(&allocator, stream);
}

vouch_ret_t vouch_stream_begin(
  vouch_stream_t * stream, int64_t now_ns, const double * positions)
{
  VOUCH_REQUIRE("stream,positions", stream, positions);
  double * velocities = NULL;
  for (size_t i = 0; i < stream->variables; ++i) {
    if (!isfinite(positions[i])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' stands at %g", stream->names[i], positions[i]);
    }
  }
  stream->plan.count = 0;
  stream->proposed = NULL;
  double * first = plan_append(&stream->plan, now_ns, &velocities);
  memcpy(first, positions, stream->variables * sizeof(double));
  memset(velocities, 0, stream->variables * sizeof(double));
  stream->plan.last = 0;
  stream->begun = true;
  return VOUCH_RET_OK;
}

/* ---- a chunk ---- */

static bool say(vouch_chunk_answer_t * answer, vouch_chunk_code_t code, const char * format, ...)
__attribute__((format(printf, 3, 4)));

/// Sets the answer and returns false, as everything does that ends an offer.
static bool say(vouch_chunk_answer_t * answer, vouch_chunk_code_t code, const char * format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  answer->code = code;
  vsnprintf(answer->message, sizeof(answer->message), format, arguments);
  va_end(arguments);
  return false;
}

static bool find_columns(
  vouch_stream_t * self, const vouch_trajectory_t * t, vouch_chunk_answer_t * answer)
{
  for (size_t i = 0; i < self->variables; ++i) {
    self->columns[i] = SIZE_MAX;
  }
  for (size_t k = 0; k < t->joint_count; ++k) {
    const char * name = t->joint_names != NULL ? t->joint_names[k] : NULL;
    const int variable = name != NULL ? vouch_robot_find_variable(self->robot, name) : -1;
    if (variable < 0) {
      return say(
        answer, VOUCH_CHUNK_INVALID, "the robot has no movable joint '%.100s'",
        name != NULL ? name : "");
    }
    if (self->columns[variable] != SIZE_MAX) {
      return say(answer, VOUCH_CHUNK_INVALID, "joint '%.100s' is named twice", name);
    }
    self->columns[variable] = k;
  }
  return true;
}

static bool all_finite(const double * values, size_t count)
{
  bool finite = true;
  for (size_t i = 0; i < count; ++i) {
    finite = finite && isfinite(values[i]);
  }
  return finite;
}

/// When a point is meant, in nanoseconds; false: its time is out of range.
static bool point_time(const vouch_chunk_t * chunk, size_t point, int64_t * time_ns)
{
  const double ns = nearbyint(1e9 * chunk->trajectory->points[point].time_s);
  const double most = 1e15;   // eleven days
  const bool good = ns >= 0.0 && ns <= most && chunk->start_ns <= INT64_MAX - (int64_t)most;
  *time_ns = good ? chunk->start_ns + (int64_t)ns : 0;
  return good;
}

static bool check_points(const vouch_chunk_t * chunk, vouch_chunk_answer_t * answer)
{
  const vouch_trajectory_t * t = chunk->trajectory;
  int64_t before = INT64_MIN;
  if (t->point_count == 0 || t->points == NULL || t->joint_count == 0) {
    return say(answer, VOUCH_CHUNK_INVALID, "the chunk has no points or no joints");
  }
  for (size_t i = 0; i < t->point_count; ++i) {
    const vouch_trajectory_point_t * point = &t->points[i];
    int64_t time_ns = 0;
    if (point->positions == NULL || !all_finite(point->positions, t->joint_count) ||
      (point->velocities != NULL && !all_finite(point->velocities, t->joint_count)))
    {
      return say(
        answer, VOUCH_CHUNK_INVALID, "point %zu has no positions, or a value that is not finite",
        i);
    }
    if ((point->velocities == NULL) != (t->points[0].velocities == NULL)) {
      return say(
        answer, VOUCH_CHUNK_INVALID, "some points have velocities and others, as point %zu, differ",
        i);
    }
    if (!point_time(chunk, i, &time_ns) || time_ns <= before) {
      return say(
        answer, VOUCH_CHUNK_INVALID, "the time of point %zu (%g s) is out of range, or not after "
        "the one before", i, point->time_s);
    }
    before = time_ns;
  }
  return true;
}

/// The first point that the controller can still follow; point_count: none.
static size_t first_in_time(const vouch_chunk_t * chunk, int64_t earliest_ns)
{
  size_t first = 0;
  int64_t time_ns = 0;
  while (first < chunk->trajectory->point_count &&
    point_time(chunk, first, &time_ns) && time_ns <= earliest_ns)
  {
    ++first;
  }
  return first;
}

/// Points that were accepted and lie before the new ones are kept; a stop is not.
static int64_t choose_splice(const plan_t * plan, int64_t earliest_ns, int64_t first_ns)
{
  int64_t splice = earliest_ns;
  for (size_t k = 0; k <= plan->last; ++k) {
    if (plan->times[k] > splice && plan->times[k] < first_ns) {
      splice = plan->times[k];
    }
  }
  return splice;
}

/// Joints that the chunk does not name stay where they are at the splice.
static bool check_others(vouch_stream_t * self, size_t splice, vouch_chunk_answer_t * answer)
{
  const double at_rest = 1e-12;
  double * v = self->next.velocities + splice * self->variables;
  for (size_t i = 0; i < self->variables; ++i) {
    if (self->columns[i] == SIZE_MAX && fabs(v[i]) > at_rest) {
      return say(
        answer, VOUCH_CHUNK_INVALID, "joint '%.100s' moves with %.3g a second: name it too",
        self->names[i], v[i]);
    }
    v[i] = self->columns[i] == SIZE_MAX ? 0.0 : v[i];
  }
  return true;
}

/// Slopes between neighbours, for points that have no velocities: knots from `first` to the last.
static void fill_velocities(plan_t * plan, size_t first)
{
  for (size_t k = first; k < plan->count; ++k) {
    const size_t after = k + 1 < plan->count ? k + 1 : k;
    const double seconds = 1e-9 * (double)(plan->times[after] - plan->times[k - 1]);
    for (size_t i = 0; i < plan->variables; ++i) {
      plan->velocities[k * plan->variables + i] =
        (plan->positions[after * plan->variables + i] -
        plan->positions[(k - 1) * plan->variables + i]) / seconds;
    }
  }
}

static bool append_points(
  vouch_stream_t * self, const vouch_chunk_t * chunk, size_t first, vouch_chunk_answer_t * answer)
{
  const vouch_trajectory_t * t = chunk->trajectory;
  const size_t splice = self->next.count - 1;
  const double * stay = self->next.positions + splice * self->variables;
  for (size_t p = first; p < t->point_count; ++p) {
    int64_t time_ns = 0;
    double * velocities = NULL;
    double * positions = point_time(chunk, p, &time_ns) ?
      plan_append(&self->next, time_ns, &velocities) : NULL;
    if (positions == NULL) {
      return say(
        answer, VOUCH_CHUNK_INVALID, "the plan would have more than %zu points",
        self->next.capacity);
    }
    for (size_t i = 0; i < self->variables; ++i) {
      const size_t column = self->columns[i];
      const bool named = column != SIZE_MAX;
      positions[i] = named ? t->points[p].positions[column] : stay[i];
      velocities[i] = named && t->points[p].velocities != NULL ?
        t->points[p].velocities[column] : 0.0;
    }
  }
  if (t->points[0].velocities == NULL) {
    fill_velocities(&self->next, splice + 1);
  }
  return true;
}

static bool check_limits(vouch_stream_t * self, size_t from, vouch_chunk_answer_t * answer)
{
  for (size_t i = 0; i < self->variables; ++i) {
    const plan_extremes_t most = plan_extremes(&self->next, from, i);
    if (self->velocity_limits != NULL && !(most.velocity <= self->velocity_limits[i])) {
      return say(
        answer, VOUCH_CHUNK_VELOCITY, "joint '%.100s' may move with up to %.4g a second, its limit "
        "is %.4g", self->names[i], most.velocity, self->velocity_limits[i]);
    }
    if (self->acceleration_limits != NULL &&
      !(most.acceleration <= self->acceleration_limits[i]))
    {
      return say(
        answer, VOUCH_CHUNK_ACCELERATION, "joint '%.100s' accelerates with up to %.4g, its limit is "
        "%.4g", self->names[i], most.acceleration,
        self->acceleration_limits[i]);
    }
  }
  return true;
}

/// A plan from a knot on as a motion: points of the arrays that are there.
static vouch_ret_t make_motion(
  const vouch_stream_t * self, const plan_t * plan, size_t from, vouch_motion_t ** motion)
{
  for (size_t k = from; k < plan->count; ++k) {
    self->points[k - from] = (vouch_trajectory_point_t) {
      .positions = plan->positions + k * self->variables,
      .velocities = plan->velocities + k * self->variables,
      .time_s = 1e-9 * (double)(plan->times[k] - plan->times[from])
    };
  }
  const vouch_trajectory_t trajectory = {
    self->names, self->variables, self->points, plan->count - from
  };
  vouch_motion_options_t options = vouch_motion_options_default();
  options.allocator = self->allocator;
  options.model = VOUCH_MODEL_CONTROLLER;
  return vouch_motion_create(motion, self->robot, &trajectory, &options);
}

/// The answer to what was found. Only FREE is accepted.
static void conclude(const vouch_motion_t * motion, vouch_chunk_answer_t * answer)
{
  const vouch_result_t * result = &answer->result;
  if (vouch_motion_overshoot_count(motion) > 0) {
    const vouch_overshoot_t over = vouch_motion_overshoot(motion, 0);
    (void)say(
      answer, VOUCH_CHUNK_POSITION, "joint '%.100s' may reach [%.4f, %.4f] and leave its limits "
      "[%.4f, %.4f]", over.joint, over.minimum, over.maximum, over.lower, over.upper);
  } else if (result->verdict == VOUCH_FREE) {
    (void)say(answer, VOUCH_CHUNK_ACCEPTED, "proved, with a stop after it");
  } else if (result->verdict == VOUCH_COLLISION) {
    (void)say(
      answer, VOUCH_CHUNK_COLLISION, "%.80s and %.80s come too near %.4g s after the splice",
      result->first_collision.a, result->first_collision.b, result->first_collision.time_s);
  } else {
    const vouch_open_t * open = result->open_count > 0 ? &result->open[0] : NULL;
    (void)say(
      answer, VOUCH_CHUNK_UNDECIDED, "not proved%s%.80s%s%.80s", open != NULL ? ": " : "",
      open != NULL ? open->a : "", open != NULL ? " and " : "", open != NULL ? open->b : "");
  }
}

/// Makes the next plan. False: the answer says why there is none.
static bool make_plan(
  vouch_stream_t * self, const vouch_chunk_t * chunk, int64_t now_ns, size_t * splice,
  vouch_chunk_answer_t * answer)
{
  int64_t first_ns = 0;
  if (!find_columns(self, chunk->trajectory, answer) || !check_points(chunk, answer)) {
    return false;
  }
  const int64_t earliest = now_ns + self->lead_ns;
  answer->dropped = first_in_time(chunk, earliest);
  if (answer->dropped == chunk->trajectory->point_count) {
    return say(
      answer, VOUCH_CHUNK_LATE, "all %zu points are over, or less than the lead away",
      answer->dropped);
  }
  (void)point_time(chunk, answer->dropped, &first_ns);
  answer->splice_ns = choose_splice(&self->plan, earliest, first_ns);
  if (!plan_take_over(&self->next, &self->plan, now_ns, answer->splice_ns)) {
    return say(answer, VOUCH_CHUNK_INVALID, "the plan would be too long");
  }
  *splice = self->next.count - 1;
  if (!check_others(self, *splice, answer) ||
    !append_points(self, chunk, answer->dropped, answer))
  {
    return false;
  }
  if (!plan_append_stop(&self->next, self->brakes)) {
    return say(answer, VOUCH_CHUNK_INVALID, "the plan would be too long");
  }
  answer->stop_ns = self->next.times[self->next.count - 1];
  return check_limits(self, *splice, answer);
}

vouch_ret_t vouch_stream_propose(
  vouch_stream_t * stream, const vouch_chunk_t * chunk, int64_t now_ns,
  vouch_chunk_answer_t * answer, vouch_motion_t ** motion)
{
  VOUCH_REQUIRE("stream,chunk,answer,motion", stream, chunk, answer, motion);
  VOUCH_REQUIRE("chunk->trajectory", chunk->trajectory);
  *answer = (vouch_chunk_answer_t) {0};
  *motion = NULL;
  stream->proposed = NULL;
  if (!stream->begun) {
    return vouch_fail(VOUCH_RET_INVALID, "vouch_stream_begin() comes first: where does it stand?");
  }
  size_t splice = 0;
  if (now_ns > INT64_MAX - stream->lead_ns || now_ns < 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the time is %" PRId64 " ns: out of range", now_ns);
  }
  if (!make_plan(stream, chunk, now_ns, &splice, answer)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = make_motion(stream, &stream->next, splice, motion);
  if (ret == VOUCH_RET_INVALID) {
    (void)say(answer, VOUCH_CHUNK_INVALID, "%.250s", vouch_error());
    vouch_error_reset();
    return VOUCH_RET_OK;
  }
  stream->proposed = *motion;
  return ret;
}

vouch_ret_t vouch_stream_accept(
  vouch_stream_t * stream, const vouch_motion_t * motion, const vouch_result_t * result,
  vouch_chunk_answer_t * answer)
{
  VOUCH_REQUIRE("stream,motion,result,answer", stream, motion, result, answer);
  if (motion != stream->proposed) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion is not the one that was proposed last");
  }
  stream->proposed = NULL;
  answer->result = *result;
  conclude(motion, answer);
  if (answer->code == VOUCH_CHUNK_ACCEPTED) {
    plan_swap(&stream->plan, &stream->next);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_stream_offer(
  vouch_stream_t * stream, vouch_checker_t * checker, const vouch_chunk_t * chunk, int64_t now_ns,
  vouch_chunk_answer_t * answer)
{
  VOUCH_REQUIRE("checker", checker);
  vouch_motion_t * motion = NULL;
  vouch_result_t result;
  vouch_ret_t ret = vouch_stream_propose(stream, chunk, now_ns, answer, &motion);
  if (ret != VOUCH_RET_OK || motion == NULL) {
    return ret;
  }
  ret = vouch_check(checker, motion, &result);
  ret = ret != VOUCH_RET_OK ? ret : vouch_stream_accept(stream, motion, &result, answer);
  vouch_motion_destroy(motion);
  stream->proposed = NULL;
  return ret;
}

/* ---- what runs ---- */

vouch_ret_t vouch_stream_motion(const vouch_stream_t * stream, vouch_motion_t ** motion)
{
  VOUCH_REQUIRE("stream,motion", stream, motion);
  *motion = NULL;
  if (!stream->begun) {
    return vouch_fail(VOUCH_RET_INVALID, "vouch_stream_begin() comes first: where does it stand?");
  }
  return make_motion(stream, &stream->plan, 0, motion);
}

vouch_ret_t vouch_stream_check(
  const vouch_stream_t * stream, vouch_checker_t * checker, int64_t now_ns,
  vouch_result_t * result)
{
  VOUCH_REQUIRE("stream,checker,result", stream, checker, result);
  *result = (vouch_result_t) {0};
  if (!stream->begun) {
    return vouch_fail(VOUCH_RET_INVALID, "vouch_stream_begin() comes first: where does it stand?");
  }
  /* From the last knot before now: a little that is over is proved again, and nothing is left out. */
  size_t from = 0;
  while (from + 1 < stream->plan.count && stream->plan.times[from + 1] <= now_ns) {
    ++from;
  }
  vouch_motion_t * motion = NULL;
  vouch_ret_t ret = make_motion(stream, &stream->plan, from, &motion);
  ret = ret != VOUCH_RET_OK ? ret : vouch_check(checker, motion, result);
  vouch_motion_destroy(motion);
  return ret;
}

void vouch_stream_evaluate(
  const vouch_stream_t * stream, int64_t time_ns, double * positions, double * velocities)
{
  if (stream != NULL && stream->begun && positions != NULL) {
    plan_evaluate(&stream->plan, time_ns, positions, velocities);
  }
}

size_t vouch_stream_knot_count(const vouch_stream_t * stream)
{
  return stream != NULL && stream->begun ? stream->plan.count : 0;
}

int64_t vouch_stream_knot(
  const vouch_stream_t * stream, size_t number, const double ** positions,
  const double ** velocities)
{
  if (number >= vouch_stream_knot_count(stream)) {
    return 0;
  }
  if (positions != NULL) {
    *positions = stream->plan.positions + number * stream->variables;
  }
  if (velocities != NULL) {
    *velocities = stream->plan.velocities + number * stream->variables;
  }
  return stream->plan.times[number];
}

const char * vouch_chunk_code_name(vouch_chunk_code_t code)
{
  static const char * const names[] = {
    "none", "accepted", "collision", "undecided", "late", "position", "velocity", "acceleration",
    "invalid"
  };
  return (size_t)code < sizeof(names) / sizeof(names[0]) ? names[code] : "?";
}
