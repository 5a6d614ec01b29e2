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

#include "cli/next.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/motion.h"
#include "model/scene.h"

/* After a check that took longer people wait for its answer, not for ours. */
#define SHORT_S 1.0
enum {HALVINGS = 8, MAX_WAYPOINTS = 2000, MAX_HITS = 200, LOOKS = 200, MAX_INTERVALS = 16};

static void * zeroed(size_t count, size_t size)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  return vouch_calloc(&allocator, count + 1, size);
}

/* As it was asked for, without what takes time and is not needed here. */
static vouch_check_options_t plain_options(const cli_session_t * session)
{
  vouch_check_options_t options = session->options;
  options.certificate = options.clearance = options.first_contact = false;
  return options;
}

/* One check of the motion in some scene. UNDECIDED where it cannot be made. */
static vouch_verdict_t check_once(
  const cli_session_t * session, const vouch_scene_t * scene,
  const vouch_check_options_t * options, vouch_result_t * result, vouch_checker_t ** checker)
{
  *checker = NULL;
  *result = (vouch_result_t) {.verdict = VOUCH_UNDECIDED};
  if (vouch_checker_create(checker, scene, options) != VOUCH_RET_OK ||
    vouch_check(*checker, session->motion, result) != VOUCH_RET_OK)
  {
    return VOUCH_UNDECIDED;
  }
  return result->verdict;
}

static bool is_free(const cli_session_t * session, const vouch_check_options_t * options)
{
  vouch_result_t result;
  vouch_checker_t * checker;
  const bool free = check_once(session, session->scene, options, &result, &checker) == VOUCH_FREE;
  vouch_checker_destroy(checker);
  return free;
}

/* ---- how much is proved ---- */

/* Options with this share of the margin, or of the tolerances. */
static bool is_free_with(
  const cli_session_t * session, bool margin, double share, vouch_joint_tolerance_t * scaled)
{
  vouch_check_options_t options = plain_options(session);
  if (margin) {
    options.margin_m *= share;
  } else {
    options.tolerance_rad *= share;
    options.tolerance_m *= share;
    for (size_t i = 0; i < options.tolerance_count; i++) {
      scaled[i] = session->options.tolerances[i];
      scaled[i].value *= share;
    }
    options.tolerances = scaled;
  }
  return is_free(session, &options);
}

/* The largest share that is proved, by halving; every one that is returned was proved. < 0: not even 0. */
static double largest_share(const cli_session_t * session, bool margin)
{
  vouch_joint_tolerance_t * scaled = zeroed(session->options.tolerance_count, sizeof(*scaled));
  double low = -1.0, high = 1.0;
  if (scaled && is_free_with(session, margin, 0.0, scaled)) {
    low = 0.0;
    for (int i = 0; i < HALVINGS; i++) {
      const double middle = 0.5 * (low + high);
      if (is_free_with(session, margin, middle, scaled)) {
        low = middle;
      } else {
        high = middle;
      }
    }
  }
  free(scaled);
  return low;
}

static bool is_tolerant(const vouch_check_options_t * options)
{
  bool tolerant = options->tolerance_rad > 0.0 || options->tolerance_m > 0.0;
  for (size_t i = 0; i < options->tolerance_count; i++) {
    tolerant = tolerant || options->tolerances[i].value > 0.0;
  }
  return tolerant;
}

/* Where a limit came first, less of anything would only hide that. */
static bool only_too_near(const vouch_result_t * result)
{
  bool near = result->open_count > 0;
  for (size_t i = 0; i < result->open_count; i++) {
    near = near && (result->open[i].reason == VOUCH_OPEN_TOLERANCE ||
      result->open[i].reason == VOUCH_OPEN_DEPTH);
  }
  return near;
}

static void find_largest(const cli_session_t * session, vouch_report_next_t * next)
{
  const vouch_check_options_t * options = &session->options;
  if (options->margin_m > 0.0) {
    const double share = largest_share(session, true);
    next->margin_searched = true;
    next->largest_margin_m = share < 0.0 ? -1.0 : share * options->margin_m;
  }
  if (is_tolerant(options)) {
    next->tolerance_searched = true;
    next->largest_tolerance = largest_share(session, false);
  }
}

/* ---- waypoints ---- */

static void look_at_waypoints(const cli_session_t * session, vouch_report_next_t * next)
{
  const vouch_motion_t * motion = session->motion;
  const size_t first = vouch_motion_lead_in_count(motion);
  const size_t count = vouch_motion_segment_count(motion) - first + 1;
  vouch_check_options_t options = plain_options(session);
  options.tolerance_rad = options.tolerance_m = 0.0;   // nobody who looks at waypoints has any
  options.tolerance_count = 0;
  vouch_checker_t * checker = NULL;
  double * values = zeroed(vouch_robot_variable_count(session->robot), sizeof(*values));
  bool good = count <= MAX_WAYPOINTS && values &&
    vouch_checker_create(&checker, session->scene, &options) == VOUCH_RET_OK;
  size_t free_ones = 0;
  for (size_t i = 0; i < count && good; i++) {
    vouch_result_t result;
    vouch_motion_evaluate(motion, motion->seconds[first + i], values);
    good = vouch_check_motion(checker, values, values, &result) == VOUCH_RET_OK;
    free_ones += good && result.verdict == VOUCH_FREE;
  }
  if (good) {
    next->waypoints = count;
    next->waypoints_free = free_ones;
  }
  vouch_checker_destroy(checker);
  free(values);
}

/* ---- parts of a scene ---- */

static bool is_obstacle(const vouch_scene_t * scene, const char * name)
{
  const size_t number = vouch_scene_find(scene, name);
  return number != VOUCH_NONE && scene->objects[number].link == VOUCH_NONE;
}

/* Obstacles go, but for those with one of the two names. */
static vouch_ret_t keep_obstacles(vouch_scene_t * scene, const char * a, const char * b)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = scene->object_count; i-- > 0 && ret == VOUCH_RET_OK; ) {
    const char * id = scene->objects[i].id;
    if (scene->objects[i].link == VOUCH_NONE && strcmp(id, a) != 0 && strcmp(id, b) != 0) {
      ret = vouch_scene_remove_object(scene, id);
    }
  }
  return ret;
}

static size_t part_count(const vouch_scene_t * scene)
{
  return scene->robot->link_count + scene->object_count;
}

static const char * part_name(const vouch_scene_t * scene, size_t number)
{
  const size_t links = scene->robot->link_count;
  return number < links ? scene->robot->links[number].name : scene->objects[number - links].id;
}

/* No two parts are looked at but these; both empty: none but parts of the robot against obstacles. */
static vouch_ret_t allow_others(vouch_scene_t * scene, const char * a, const char * b)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  const bool no_pair = !a[0] && !b[0];
  for (size_t i = 0; i < part_count(scene) && ret == VOUCH_RET_OK; i++) {
    for (size_t k = 0; k < i && ret == VOUCH_RET_OK; k++) {
      const char * x = part_name(scene, i), * y = part_name(scene, k);
      const bool kept = no_pair ? is_obstacle(scene, x) || is_obstacle(scene, y) :
        (strcmp(x, a) == 0 && strcmp(y, b) == 0) || (strcmp(x, b) == 0 && strcmp(y, a) == 0);
      ret = kept ? ret : vouch_scene_allow_pair(scene, x, y, true);
    }
  }
  return ret;
}

/* ---- the nearest of either kind ---- */

static void copy_clearance(
  const vouch_clearance_t * from, vouch_arena_t * arena, vouch_clearance_t * out)
{
  *out = *from;
  if (out->valid) {
    out->a = vouch_arena_strdup(arena, from->a);
    out->b = vouch_arena_strdup(arena, from->b);
    out->valid = out->a && out->b;
  }
}

static void find_nearest(const cli_session_t * session, cli_next_t * next)
{
  const vouch_clearance_t * all = &session->result.clearance;
  if (!all->valid) {
    return;
  }
  const bool world = is_obstacle(session->scene, all->a) || is_obstacle(session->scene, all->b);
  vouch_scene_t * scene = NULL;
  vouch_result_t result;
  vouch_checker_t * checker = NULL;
  vouch_check_options_t options = session->options;
  options.certificate = options.first_contact = false;
  copy_clearance(all, &next->arena, world ? &next->answer.world : &next->answer.self);
  if (vouch_scene_clone(&scene, session->scene) == VOUCH_RET_OK &&
    (world ? keep_obstacles(scene, "", "") : allow_others(scene, "", "")) == VOUCH_RET_OK &&
    check_once(session, scene, &options, &result, &checker) == VOUCH_FREE)
  {
    copy_clearance(
      &result.clearance, &next->arena, world ? &next->answer.self : &next->answer.world);
  }
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
}

/* ---- all pairs that collide ---- */

/* Looks at evenly spread times, from the first contact on, at this pair alone. */
static void find_intervals(
  const cli_session_t * session, vouch_report_hit_t * hit, double begin, vouch_arena_t * arena)
{
  vouch_scene_t * scene = NULL;
  vouch_checker_t * checker = NULL;
  vouch_check_options_t options = plain_options(session);
  options.tolerance_rad = options.tolerance_m = 0.0;
  options.tolerance_count = 0;
  double * values = zeroed(vouch_robot_variable_count(session->robot), sizeof(*values));
  hit->intervals = vouch_arena_calloc(arena, MAX_INTERVALS, sizeof(*hit->intervals));
  bool good = values && hit->intervals &&
    vouch_scene_clone(&scene, session->scene) == VOUCH_RET_OK &&
    keep_obstacles(scene, hit->a, hit->b) == VOUCH_RET_OK &&
    allow_others(scene, hit->a, hit->b) == VOUCH_RET_OK &&
    vouch_checker_create(&checker, scene, &options) == VOUCH_RET_OK;
  if (hit->intervals) {
    hit->intervals[0][0] = hit->intervals[0][1] = begin;
    hit->interval_count = 1;
  }
  const double first = session->motion->seconds[0];
  const double last = session->motion->seconds[session->motion->segment_count];
  bool inside = true;
  for (int i = 0; i <= LOOKS && good; i++) {
    const double time = first + (last - first) * i / LOOKS;
    vouch_result_t result;
    if (time <= begin) {
      continue;
    }
    vouch_motion_evaluate(session->motion, time, values);
    good = vouch_check_motion(checker, values, values, &result) == VOUCH_RET_OK;
    const bool hits = good && result.verdict == VOUCH_COLLISION;
    if (hits && !inside && hit->interval_count < MAX_INTERVALS) {
      hit->intervals[hit->interval_count++][0] = time;
    }
    if (hits) {
      hit->intervals[hit->interval_count - 1][1] = time;
    }
    inside = hits;
  }
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  free(values);
}

/* The first contact of all pairs, then of all others, and so on. */
static void find_hits(const cli_session_t * session, cli_next_t * next)
{
  vouch_report_hit_t * hits = vouch_arena_calloc(&next->arena, MAX_HITS, sizeof(*hits));
  vouch_check_options_t options = plain_options(session);
  options.first_contact = true;
  vouch_scene_t * scene = NULL;
  vouch_checker_t * checker = NULL;
  vouch_result_t result = session->result;
  bool good = hits && vouch_scene_clone(&scene, session->scene) == VOUCH_RET_OK;
  next->answer.hits = hits;
  while (good && result.verdict == VOUCH_COLLISION && next->answer.hit_count < MAX_HITS) {
    const vouch_contact_t * contact = &result.first_collision;
    vouch_report_hit_t * hit = &hits[next->answer.hit_count];
    *hit = (vouch_report_hit_t) {.kind = contact->kind, .depth_m = contact->depth_m,
      .a = vouch_arena_strdup(&next->arena, contact->a),
      .b = vouch_arena_strdup(&next->arena, contact->b)};
    const double begin = contact->time_s;
    good = hit->a && hit->b &&
      vouch_scene_allow_pair(scene, hit->a, hit->b, true) == VOUCH_RET_OK;
    if (good) {
      find_intervals(session, hit, begin, &next->arena);
      next->answer.hit_count++;
      vouch_checker_destroy(checker);
      (void)check_once(session, scene, &options, &result, &checker);
    }
  }
  /* Without any pair left nothing is proved, and nothing is open either. */
  next->answer.hits_complete = good && (result.verdict == VOUCH_FREE ||
    (result.verdict == VOUCH_UNDECIDED && checker && result.statistics.pairs == 0));
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
}

void cli_next_find(const cli_session_t * session, vouch_ret_t ret, cli_next_t * next)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  const vouch_result_t * result = &session->result;
  *next = (cli_next_t) {.arena = {.allocator = allocator}};
  if (ret != VOUCH_RET_OK || session->settings->quiet) {
    return;
  }
  const bool quick = result->statistics.seconds < SHORT_S &&
    !(session->options.deadline_s > 0.0 &&
    result->statistics.seconds > 0.1 * session->options.deadline_s);
  if (result->verdict == VOUCH_COLLISION) {
    if (session->settings->all) {
      find_hits(session, next);
    }
    if (quick) {
      look_at_waypoints(session, &next->answer);
    }
  }
  const bool near = result->verdict == VOUCH_UNDECIDED ? only_too_near(result) :
    result->verdict == VOUCH_COLLISION && result->first_collision.kind == VOUCH_CONTACT_MARGIN;
  if (quick && near) {
    find_largest(session, &next->answer);
  }
  if (quick && result->verdict == VOUCH_FREE) {
    find_nearest(session, next);
  }
  vouch_error_reset();
}

void cli_next_fini(cli_next_t * next)
{
  vouch_arena_fini(&next->arena);
}
