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

/* From a path whose edges are proved to a motion that is proved as it is executed. Blends leave the
 * path at its corners; where that is not proved the motion goes slower round the corner, and where
 * that does not help it stops there: then it is on the proved edges and nowhere else. */

#include "base/error.h"
#include "plan/planner.h"

void plan_motion_fini(plan_motion_t * m, const vouch_allocator_t * allocator)
{
  vouch_motion_destroy(m->motion);
  m->motion = NULL;
  plan_timed_fini(&m->timed);
  plan_path_fini(&m->path);
  vouch_free(allocator, m->points);
  m->points = NULL;
  m->point_count = m->point_capacity = 0;
}

/* ---- the trajectory ---- */

static bool reserve_points(vouch_planner_t * p, plan_motion_t * m, size_t count)
{
  if (count > m->point_capacity) {
    vouch_trajectory_point_t * points = vouch_realloc(
      &p->allocator, m->points, 2u * count, sizeof(*points));
    if (points == NULL) {
      return false;
    }
    m->points = points;
    m->point_capacity = 2u * count;
  }
  m->point_count = count;
  return true;
}

static vouch_ret_t fill_points(vouch_planner_t * p, plan_motion_t * m)
{
  const bool timed = p->options.timed;
  const uint32_t joints = p->space.count;
  if (!reserve_points(p, m, timed ? m->timed.count : m->path.count)) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < m->point_count; i++) {
    const double * v = timed ? m->timed.values + i * 3u * joints : plan_path_at(&m->path, i);
    m->points[i] = (vouch_trajectory_point_t) {.positions = v};
    if (timed) {
      m->points[i].velocities = v + joints;
      m->points[i].accelerations = v + 2u * joints;
      m->points[i].time_s = plan_timed_seconds(&m->timed, i);
    }
  }
  return VOUCH_RET_OK;
}

/// The motion that a controller makes of the points, or a planner of a bare path.
static vouch_ret_t make_motion(vouch_planner_t * p, plan_motion_t * m)
{
  vouch_ret_t ret = fill_points(p, m);
  vouch_motion_destroy(m->motion);
  m->motion = NULL;
  vouch_joint_values_t start = {.count = p->robot->variable_count, .positions = p->space.base};
  const char ** all = vouch_calloc(&p->allocator, start.count + 1u, sizeof(*all));
  if (ret != VOUCH_RET_OK || all == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < start.count; i++) {
    all[i] = vouch_robot_variable_name(p->robot, i);
  }
  start.names = all;
  const vouch_trajectory_t trajectory = {p->names, p->space.count, m->points, m->point_count};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.allocator = p->allocator;
  options.start_state = &start;
  ret = vouch_motion_create(&m->motion, p->robot, &trajectory, &options);
  vouch_free(&p->allocator, all);
  return ret;
}

double plan_seconds_of(vouch_planner_t * p, const plan_path_t * path)
{
  bool * stops = vouch_calloc(&p->allocator, path->count + 1u, sizeof(*stops));
  const vouch_ret_t ret = stops == NULL ? VOUCH_RET_NO_MEMORY :
    plan_time(path, stops, &p->space, &p->trial.timed);
  vouch_free(&p->allocator, stops);
  return ret == VOUCH_RET_OK ? plan_timed_duration(&p->trial.timed) : INFINITY;
}

/* ---- corners that are gone round more slowly ---- */

typedef enum care_e {CARE_NONE = 0, CARE_SLOW = 1, CARE_STOP = 2} care_t;

typedef struct corners_s
{
  vouch_allocator_t allocator;
  plan_path_t * path;
  uint8_t * care;      // per point
  bool * stops;
  size_t capacity;
} corners_t;

static bool corners_reserve(corners_t * c, size_t count)
{
  if (count <= c->capacity) {
    return true;
  }
  const size_t capacity = 2u * count + 8u;
  uint8_t * care = vouch_realloc(&c->allocator, c->care, capacity, 1);
  c->care = care != NULL ? care : c->care;
  bool * stops = vouch_realloc(&c->allocator, c->stops, capacity, sizeof(*stops));
  c->stops = stops != NULL ? stops : c->stops;
  if (care == NULL || stops == NULL) {
    return false;
  }
  memset(c->care + c->capacity, 0, capacity - c->capacity);
  memset(c->stops + c->capacity, 0, (capacity - c->capacity) * sizeof(bool));
  c->capacity = capacity;
  return true;
}

/// A point on the edge beside the corner, `reach` away, so that only the rest is slow.
static bool insert_beside(
  corners_t * c, const plan_space_t * s, size_t corner, bool after,
  double reach)
{
  double q[PLAN_MAX_JOINTS];
  const double * at = plan_path_at(c->path, corner);
  const double * other = plan_path_at(c->path, after ? corner + 1u : corner - 1u);
  const double length = plan_distance(s, at, other);
  if (length < 2.0 * reach) {
    return true;
  }
  plan_between(s, at, other, reach / length, q);
  const size_t place = after ? corner + 1u : corner, left = c->path->count - place;
  if (!corners_reserve(c, c->path->count + 1u) ||
    !plan_path_replace(c->path, place, place, q, 1))
  {
    return false;
  }
  memmove(c->care + place + 1u, c->care + place, left);
  memmove(c->stops + place + 1u, c->stops + place, left * sizeof(bool));
  c->care[place] = CARE_NONE;
  c->stops[place] = false;
  return true;
}

/// One step more careful at a corner. *changed false: it cannot be.
static bool take_care(
  corners_t * c, const plan_space_t * s, size_t corner, double reach, bool * changed)
{
  *changed = corner > 0u && corner + 1u < c->path->count && c->care[corner] != CARE_STOP;
  if (!*changed) {
    return true;
  }
  if (c->care[corner] == CARE_SLOW || reach < 0.02) {
    c->care[corner] = CARE_STOP;
    c->stops[corner] = true;
    return true;
  }
  c->care[corner] = CARE_SLOW;
  return insert_beside(c, s, corner, true, 0.5 * reach) &&
         insert_beside(c, s, corner, false, 0.5 * reach);
}

/// How far before its corner the blend begins that starts at a point of the trajectory.
static double reach_of(const plan_motion_t * m, const plan_space_t * s, size_t point)
{
  return plan_distance(
    s, m->timed.values + point * 3u * m->timed.joints,
    plan_path_at(&m->path, m->timed.corners[point]));
}

static bool is_blend(const plan_motion_t * m, size_t point)
{
  return point + 1u < m->timed.count && m->timed.corners[point] == m->timed.corners[point + 1u];
}

/// The segment that the proof stumbled over.
static size_t find_segment(const plan_motion_t * m, const vouch_result_t * proof)
{
  if (proof->verdict == VOUCH_COLLISION) {
    return proof->first_collision.segment;
  }
  size_t segment = 0;
  double time = proof->open_count > 0 ? proof->open[0].begin_s : 0.0;
  for (size_t i = 0; i < proof->open_count; i++) {
    time = fmin(time, proof->open[i].begin_s);
  }
  while (segment + 2u < m->timed.count && plan_timed_seconds(&m->timed, segment + 1u) <= time) {
    segment++;
  }
  return segment;
}

/// All corners whose blend's chord is not proved either: fewer proofs are needed then. Backwards,
/// because points are inserted.
static bool look_at_chords(vouch_planner_t * p, corners_t * c, bool * changed)
{
  plan_motion_t * m = &p->trial;
  bool fine = true;
  for (size_t i = m->timed.count; i-- > 0 && fine; ) {
    const double * v = m->timed.values + i * 3u * m->timed.joints;
    bool now = false;
    if (is_blend(m, i) && !plan_ask_edge(&p->ask, v, v + 3u * m->timed.joints)) {
      fine = take_care(c, &p->space, m->timed.corners[i], reach_of(m, &p->space, i), &now);
    }
    *changed = *changed || now;
  }
  return fine;
}

/// Makes the path more careful where the proof stumbled. *changed false: nothing is left to do.
static bool be_careful(
  vouch_planner_t * p, corners_t * c, const vouch_result_t * proof, bool first, bool * changed)
{
  plan_motion_t * m = &p->trial;
  const size_t segment = find_segment(m, proof);
  *changed = false;
  if (first && !look_at_chords(p, c, changed)) {
    return false;
  }
  if (*changed || !is_blend(m, segment)) {
    return true;
  }
  return take_care(
    c, &p->space, m->timed.corners[segment], reach_of(m, &p->space, segment), changed);
}

static bool stop_everywhere(corners_t * c)
{
  bool changed = false;
  for (size_t i = 1; i + 1u < c->path->count; i++) {
    changed = changed || !c->stops[i];
    c->stops[i] = true;
    c->care[i] = CARE_STOP;
  }
  return changed;
}

/* ---- the proof ---- */

static vouch_ret_t try_once(
  vouch_planner_t * p, corners_t * c, vouch_result_t * proof, bool * proved)
{
  plan_motion_t * m = &p->trial;
  vouch_ret_t ret = p->options.timed ? plan_time(&m->path, c->stops, &p->space, &m->timed) :
    VOUCH_RET_OK;
  ret = ret ? ret : make_motion(p, m);
  ret = ret ? ret : plan_ask_proof(&p->ask, m->motion, proof);
  *proved = ret == VOUCH_RET_OK && proof->verdict == VOUCH_FREE;
  if (!*proved) {
    return ret;
  }
  const plan_excess_t excess = plan_within_limits(m->motion, &p->space, 1e-6);
  return excess.quantity == NULL ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INTERNAL, "the %s of joint '%s' reaches %.9g where %.9g is its limit",
    excess.quantity, p->names[excess.joint], excess.value, excess.limit);
}

vouch_ret_t plan_prove(
  vouch_planner_t * p, plan_path_t * path, vouch_result_t * proof, bool * proved)
{
  enum {MAX_TRIES = 24};
  plan_motion_t * m = &p->trial;
  corners_t c = {.allocator = p->allocator, .path = &m->path};
  plan_path_tidy(path, &p->space);
  vouch_ret_t ret = plan_path_copy(&m->path, path) && corners_reserve(&c, path->count) ?
    VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  bool changed = true;
  *proved = false;
  for (int i = 0; ret == VOUCH_RET_OK && changed && !*proved && !plan_ask_stopped(&p->ask); i++) {
    ret = try_once(p, &c, proof, proved);
    if (ret != VOUCH_RET_OK || *proved || !p->options.timed) {
      break;
    }
    if (!be_careful(p, &c, proof, i == 0, &changed)) {
      ret = VOUCH_RET_NO_MEMORY;
    }
    if (!changed || i + 1 >= MAX_TRIES) {
      changed = stop_everywhere(&c);
    }
  }
  vouch_free(&p->allocator, c.care);
  vouch_free(&p->allocator, c.stops);
  return ret;
}

bool plan_keep_better(vouch_planner_t * p, const plan_path_t * path)
{
  const plan_space_t * s = &p->space;
  const bool timed = p->options.timed;
  const double now = timed ? vouch_motion_duration(p->trial.motion) : plan_path_length(path, s);
  const double best = p->best.motion == NULL ? INFINITY :
    timed ? vouch_motion_duration(p->best.motion) : plan_path_length(&p->way, s);
  if (!(now < best)) {
    return true;
  }
  const plan_motion_t old = p->best;
  p->best = p->trial;
  p->trial = old;
  return plan_path_copy(&p->way, path);
}

/* ---- corners ---- */

/// The corner replaced by two points on its edges, if that is faster and the edge between them proved.
static bool cut(vouch_planner_t * p, plan_path_t * path, size_t corner, double part, double * best)
{
  double flat[2 * PLAN_MAX_JOINTS], old[PLAN_MAX_JOINTS];
  const plan_space_t * s = &p->space;
  const uint32_t joints = path->joints;
  memcpy(old, plan_path_at(path, corner), joints * sizeof(*old));
  plan_between(s, old, plan_path_at(path, corner - 1u), part, flat);
  plan_between(s, old, plan_path_at(path, corner + 1u), part, flat + joints);
  if (!plan_path_replace(path, corner, corner + 1u, flat, 2)) {
    return false;
  }
  const double seconds = plan_seconds_of(p, path);
  if (seconds < *best * (1.0 - 1e-3) && plan_ask_edge(&p->ask, flat, flat + joints)) {
    *best = seconds;
    return true;
  }
  return plan_path_replace(path, corner, corner + 2u, old, 1);
}

bool plan_cut_corners(vouch_planner_t * p, plan_path_t * path, size_t from, size_t to)
{
  static const double parts[2] = {0.5, 0.25};
  double best = plan_seconds_of(p, path);
  bool fine = true;
  for (int k = 0; k < 2; k++) {
    for (size_t i = from + 1u; i < to && fine && !plan_ask_stopped(&p->ask); i++) {
      const size_t before = path->count;
      fine = cut(p, path, i, parts[k], &best);
      to += path->count - before;
      i += path->count - before;
    }
  }
  return fine;
}
