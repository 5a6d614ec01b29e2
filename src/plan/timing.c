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
#include "plan/timing.h"

#include "base/error.h"

/* Times are whole nanoseconds, because messages carry them so. Stretches and half blends shorter than
 * a millisecond are not made: in them the rounding of positions would be seen in the jerk. */
#define SHORTEST_NS 1000000
/* So much of each limit is used: what rounding adds stays below it. */
static const double USED = 1.0 - 1e-5;
/* Speeds are lowered in so many rounds until all blends have room; then the path is gone in stops. */
enum {MAX_ROUNDS = 300};

/// One stretch of the path between two stops: `edges` edges from its point `first` on.
typedef struct stretch_s
{
  const plan_path_t * path;
  const plan_space_t * space;
  size_t first, edges;
  double * durations;     // per edge
  double * taus;          // per point: edges + 1
} stretch_t;

static double velocity(const stretch_t * t, size_t edge, uint32_t joint)
{
  const double * a = plan_path_at(t->path, t->first + edge);
  const double * b = plan_path_at(t->path, t->first + edge + 1u);
  return (b[joint] - a[joint]) / t->durations[edge];
}

/// The change of velocity at a point; rest before the first and after the last edge.
static double change(const stretch_t * t, size_t point, uint32_t joint)
{
  const double after = point < t->edges ? velocity(t, point, joint) : 0.0;
  const double before = point > 0 ? velocity(t, point - 1u, joint) : 0.0;
  return after - before;
}

static double least_tau(const stretch_t * t, size_t point)
{
  const plan_space_t * s = t->space;
  double tau = 1e-9 * SHORTEST_NS;
  for (uint32_t i = 0; i < s->count; i++) {
    const double d = fabs(change(t, point, i));
    tau = fmax(tau, 0.75 * d / (USED * s->acceleration[i]));
    if (s->jerk[i] < INFINITY) {
      tau = fmax(tau, sqrt(1.5 * d / (USED * s->jerk[i])));
    }
  }
  return tau;
}

static double least_duration(const stretch_t * t, size_t edge)
{
  const double * a = plan_path_at(t->path, t->first + edge);
  const double * b = plan_path_at(t->path, t->first + edge + 1u);
  double duration = 3e-9 * SHORTEST_NS;
  for (uint32_t i = 0; i < t->space->count; i++) {
    duration = fmax(duration, fabs(b[i] - a[i]) / (USED * t->space->velocity[i]));
  }
  return duration;
}

/// Until every edge has room for the halves of its two blends and a millisecond between them.
static bool find_speeds(stretch_t * t)
{
  const double gap = 1e-9 * SHORTEST_NS;
  for (size_t e = 0; e < t->edges; e++) {
    t->durations[e] = least_duration(t, e);
  }
  for (int round = 0; round < MAX_ROUNDS; round++) {
    bool fits = true;
    for (size_t p = 0; p <= t->edges; p++) {
      t->taus[p] = least_tau(t, p);
    }
    for (size_t e = 0; e < t->edges; e++) {
      const double needed = t->taus[e] + t->taus[e + 1u] + gap;
      if (needed > t->durations[e]) {
        fits = false;
        t->durations[e] *= fmin(2.0, sqrt(needed / t->durations[e])) + 1e-4;
      }
    }
    if (fits) {
      return true;
    }
  }
  return false;
}

/* ---- writing it down ---- */

static bool add_point(plan_timed_t * out, int64_t time, size_t corner)
{
  const size_t size = 3u * out->joints * sizeof(double);
  if (!vouch_grow(&out->allocator, &out->values, out->count, &out->value_capacity, size) ||
    !vouch_grow(
      &out->allocator, &out->nanoseconds, out->count, &out->time_capacity, sizeof(int64_t)) ||
    !vouch_grow(
      &out->allocator, &out->corners, out->count, &out->corner_capacity, sizeof(uint32_t)))
  {
    return false;
  }
  memset(out->values + out->count * 3u * out->joints, 0, size);
  out->nanoseconds[out->count] = time;
  out->corners[out->count++] = (uint32_t)corner;
  return true;
}

/// The corner plus `after` seconds at the speed of the edge.
static bool add_passing(
  const stretch_t * t, size_t point, size_t edge, double after, int64_t time, plan_timed_t * out)
{
  if (!add_point(out, time, t->first + point)) {
    return false;
  }
  double * values = out->values + (out->count - 1u) * 3u * out->joints;
  const double * corner = plan_path_at(t->path, t->first + point);
  for (uint32_t i = 0; i < out->joints; i++) {
    const double v = velocity(t, edge, i);
    values[i] = corner[i] + after * v;
    values[out->joints + i] = v;
  }
  return true;
}

static bool add_rest(const stretch_t * t, size_t point, int64_t time, plan_timed_t * out)
{
  if (!add_point(out, time, t->first + point)) {
    return false;
  }
  memcpy(
    out->values + (out->count - 1u) * 3u * out->joints, plan_path_at(t->path, t->first + point),
    out->joints * sizeof(double));
  return true;
}

/// Whole nanoseconds: half blends first, then edges that are long enough for them.
static bool write_stretch(stretch_t * t, int64_t begin, plan_timed_t * out)
{
  int64_t now = begin;
  for (size_t p = 0; p <= t->edges; p++) {
    t->taus[p] = ceil(t->taus[p] * 1e9);
  }
  for (size_t e = 0; e < t->edges; e++) {
    const double room = t->taus[e] + t->taus[e + 1u] + SHORTEST_NS;
    t->durations[e] = 1e-9 * fmax(ceil(t->durations[e] * 1e9), room);
  }
  bool fine = begin > 0 || add_rest(t, 0, begin, out);
  now += (int64_t)t->taus[0];   // at the corner, if the motion did not start slowly
  for (size_t e = 0; e < t->edges && fine; e++) {
    const int64_t half = (int64_t)t->taus[e], next = (int64_t)t->taus[e + 1u];
    fine = add_passing(t, e, e, 1e-9 * (double)half, now + half, out);
    now += (int64_t)nearbyint(t->durations[e] * 1e9);
    fine = fine &&
      add_passing(t, e + 1u, e, -1e-9 * (double)next, now - next, out);
  }
  now += (int64_t)t->taus[t->edges];
  return fine && add_rest(t, t->edges, now, out);
}

static vouch_ret_t time_stretch(stretch_t * t, plan_timed_t * out)
{
  const int64_t begin = out->count > 0 ? out->nanoseconds[out->count - 1u] : 0;
  const size_t first = t->first, edges = t->edges;
  if (find_speeds(t)) {
    return write_stretch(t, begin, out) ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = edges > 1u ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "no speed was found that keeps to the limits of all joints");
  for (size_t e = 0; e < edges && ret == VOUCH_RET_OK; e++) {
    t->first = first + e;
    t->edges = 1;
    ret = time_stretch(t, out);
  }
  return ret;
}

vouch_ret_t plan_time(
  const plan_path_t * path, const bool * stops, const plan_space_t * space, plan_timed_t * out)
{
  out->joints = path->joints;
  out->count = 0;
  double * scratch = vouch_calloc(&out->allocator, 2u * path->count, sizeof(*scratch));
  if (scratch == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  stretch_t t = {.path = path, .space = space, .durations = scratch,
    .taus = scratch + path->count};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 1; i < path->count && ret == VOUCH_RET_OK; i++) {
    t.edges++;
    if (stops[i] || i + 1u == path->count) {
      ret = time_stretch(&t, out);
      t.first = i;
      t.edges = 0;
    }
  }
  if (path->count == 1u) {   // nowhere to go: stand there
    ret = add_rest(&t, 0, 0, out) && add_rest(&t, 0, SHORTEST_NS, out) ? VOUCH_RET_OK :
      VOUCH_RET_NO_MEMORY;
  }
  vouch_free(&out->allocator, scratch);
  return ret;
}

void plan_timed_fini(plan_timed_t * timed)
{
  vouch_free(&timed->allocator, timed->values);
  vouch_free(&timed->allocator, timed->nanoseconds);
  vouch_free(&timed->allocator, timed->corners);
  timed->values = NULL;
  timed->count = timed->value_capacity = timed->time_capacity = timed->corner_capacity = 0;
}
