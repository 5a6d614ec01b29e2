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

/* A second look at a motion that was checked: the same kernel, asked for distances.
 *
 * Every pair of bodies is one of its own here (no tree of obstacles), so that each has its least
 * distance. The motion is cut into spans, which are intervals of the kernel's own timeline. In each
 * the bodies are measured at two times, and then the kernel is asked to close a goal for that span
 * with a distance a little below what was measured. */

#include "report/profile_survey.h"

#include <math.h>
#include <time.h>

#include "base/error.h"
#include "model/build.h"

#define SPANS 160u            // of a motion, at most
#define MOST_PAIRS 4096u      // if there are more, a body meets its obstacles as one
#define LOOKS 60000u          // pairs times measured times, about
#define MEMORY ((size_t)128 << 20)
/* Processor time for each step: ten times what a robot of thousand triangles needs, and about what one of
 * a hundred thousand does. What is missing then is said to be missing. */
#define MEASURE_NS INT64_C(800000000)
#define CERTIFY_NS INT64_C(800000000)
#define CURVES_NS INT64_C(300000000)

/* ---- pairs ---- */

static bool is_obstacle(const vouch_scene_part_t * scene, uint32_t body)
{
  if (scene->bodies[body].kind != VOUCH_BODY_GEOMETRY) {
    return true;
  }
  for (uint32_t g = 0; g < scene->group_count; g++) {
    if (scene->groups[g].body == body) {
      return true;
    }
  }
  return false;
}

static void add_pair(vouch_survey_t * look, vouch_pair_t pair, vouch_side_t side)
{
  if (look->out->pair_count == MOST_PAIRS) {
    look->out->left_away++;
    return;
  }
  const size_t n = look->out->pair_count++;
  look->problem.scene.pairs[n] = pair;
  look->out->pairs[n] = (vouch_profile_pair_t) {.a = pair.a, .b = pair.b, .side = side,
    .margin = pair.margin, .found = INFINITY, .certified = -1.0};
}

/* Obstacles that a body is checked against. */
static uint32_t count_leaves(const vouch_scene_part_t * scene, const vouch_pair_t * pair)
{
  uint32_t count = 0;
  for (uint32_t g = 0; g < scene->group_count; g++) {
    count += scene->groups[g].body != VOUCH_NONE && pair->checked[g];
  }
  return count;
}

static void add_group(vouch_survey_t * look, const vouch_pair_t * pair, bool whole)
{
  const vouch_scene_part_t * scene = &look->build.problem.scene;
  if (whole) {
    const size_t number = look->out->pair_count;
    add_pair(look, *pair, VOUCH_SIDE_WORLD);
    if (look->out->pair_count > number) {
      look->out->pairs[number].b = VOUCH_NONE;
      look->out->pairs[number].group = count_leaves(scene, pair);
    }
    return;
  }
  for (uint32_t g = 0; g < scene->group_count; g++) {
    if (scene->groups[g].body != VOUCH_NONE && pair->checked[g]) {
      const vouch_pair_t one = {.kind = VOUCH_PAIR_BODIES, .a = pair->a,
        .b = scene->groups[g].body, .margin = pair->margin};
      add_pair(look, one, VOUCH_SIDE_WORLD);
    }
  }
}

/* The problem once more, every pair by itself where they are not too many. */
static vouch_ret_t expand_pairs(vouch_survey_t * look)
{
  const vouch_scene_part_t * scene = &look->build.problem.scene;
  look->problem = look->build.problem;
  look->problem.scene.pairs = vouch_arena_calloc(
    &look->arena, MOST_PAIRS, sizeof(*look->problem.scene.pairs));
  look->out->pairs = vouch_calloc(&look->out->allocator, MOST_PAIRS, sizeof(*look->out->pairs));
  if (!look->problem.scene.pairs || !look->out->pairs) {
    return VOUCH_RET_NO_MEMORY;
  }
  const bool whole = check_count_pairs(scene) > MOST_PAIRS;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->a >= scene->body_count) {
      continue;   // the bodies of that group have pairs of their own, or are left out
    }
    if (pair->kind == VOUCH_PAIR_GROUP) {
      add_group(look, pair, whole);
    } else {
      add_pair(
        look, *pair, is_obstacle(scene, pair->b) ? VOUCH_SIDE_WORLD : VOUCH_SIDE_SELF);
    }
  }
  look->problem.scene.pair_count = (uint32_t)look->out->pair_count;
  if (!whole) {
    look->problem.scene.groups = NULL;
    look->problem.scene.group_count = 0;
  }
  return VOUCH_RET_OK;
}

/* ---- spans ---- */

double vouch_survey_seconds(const vouch_survey_t * look, size_t span, double fraction)
{
  return kernel_timeline_seconds(
    &kernel_view(look->worker->proof)->timeline, look->intervals[span], fraction, KERNEL_NEAREST);
}

static double length_of(const vouch_survey_t * look, size_t span)
{
  return vouch_survey_seconds(look, span, 1.0) - vouch_survey_seconds(look, span, 0.0);
}

/* Halves the longest span until there are as many as wanted. Halves stay beside each other. */
static vouch_ret_t cut(vouch_survey_t * look)
{
  const kernel_timeline_t * timeline = &kernel_view(look->worker->proof)->timeline;
  const size_t pairs = look->out->pair_count > 0 ? look->out->pair_count : 1u;
  size_t wanted = LOOKS / 2u / pairs, count = 1;
  wanted = wanted < 24u ? 24u : wanted > SPANS ? SPANS : wanted;
  look->intervals = vouch_calloc(&look->out->allocator, SPANS, sizeof(*look->intervals));
  look->out->spans = vouch_calloc(&look->out->allocator, SPANS, sizeof(*look->out->spans));
  if (!look->intervals || !look->out->spans) {
    return VOUCH_RET_NO_MEMORY;
  }
  while (count < wanted) {
    size_t longest = 0;
    for (size_t i = 1; i < count; i++) {
      if (length_of(look, i) > length_of(look, longest)) {
        longest = i;
      }
    }
    const uint32_t interval = look->intervals[longest];
    if (!kernel_halve(look->worker->proof, interval)) {
      break;
    }
    memmove(
      look->intervals + longest + 1, look->intervals + longest,
      (count - longest) * sizeof(*look->intervals));
    look->intervals[longest] = timeline->intervals[interval].left;
    look->intervals[longest + 1] = timeline->intervals[interval].right;
    count++;
  }
  look->out->span_count = count;
  for (size_t i = 0; i < count; i++) {
    look->out->spans[i] = (vouch_profile_span_t) {
      .begin = vouch_survey_seconds(look, i, 0.0),
      .end = vouch_survey_seconds(look, i, 1.0), .found = {INFINITY, INFINITY},
      .pair = {VOUCH_NONE, VOUCH_NONE}, .certified = {INFINITY, INFINITY}
    };
  }
  return VOUCH_RET_OK;
}

static int64_t thread_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool vouch_survey_goes_on(vouch_survey_t * look)
{
  search_t * s = &look->worker->search;
  s->stopped = s->stopped || thread_ns() > look->budget_ns;
  return !s->stopped;
}

void vouch_survey_prepare(vouch_survey_t * look, int64_t budget_ns)
{
  const int64_t deadline_ns = check_now_ns() + 8 * budget_ns;
  look->budget_ns = thread_ns() + budget_ns;
  check_worker_t * worker = look->worker;
  worker->search = (search_t) {.proof = worker->proof, .mode = SEARCH_CLEARANCE,
    .max_depth = look->report->options->max_depth, .seen = worker->seen, .open = worker->open,
    .has_deadline = true, .deadline_ns = deadline_ns, .upper = INFINITY,
    .resolution = VOUCH_PROFILE_LEAST_SLACK};
  kernel_proof_phase(
    worker->proof,
    &(kernel_phase_t) {.mode = KERNEL_MODE_CLEARANCE, .proved_free = look->free});
}

/* ---- all of it ---- */

static vouch_ret_t set_up(vouch_survey_t * look)
{
  const vouch_report_t * report = look->report;
  vouch_allocator_t allocator = look->out->allocator;
  const vouch_robot_t * robot = vouch_scene_robot(report->scene);
  double * zeros = vouch_calloc(&allocator, vouch_robot_variable_count(robot) + 1u, sizeof(*zeros));
  look->worker = vouch_calloc(&allocator, 1, sizeof(*look->worker));
  vouch_ret_t ret = zeros && look->worker ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  ret = ret ? ret : vouch_build_scene(
    &look->build, report->scene, report->options->margin_m, allocator);
  ret = ret ? ret : vouch_build_set_motion(&look->build, report->motion, zeros);
  ret = ret ? ret : expand_pairs(look);
  ret = ret ? ret : check_derive(&look->kernel, &look->problem, allocator);
  ret = ret ? ret : kernel_proof_create(&look->worker->proof, &look->kernel, allocator, MEMORY);
  ret = ret ? ret : kernel_proof_begin(look->worker->proof);
  vouch_free(&allocator, zeros);
  return ret;
}

vouch_ret_t vouch_profile_init(
  vouch_profile_t * profile, const vouch_report_t * report, vouch_allocator_t allocator)
{
  *profile = (vouch_profile_t) {.allocator = allocator};
  vouch_survey_t look = {.out = profile, .report = report, .arena = {.allocator = allocator},
    .kernel = {.arena = {.allocator = allocator}},
    .free = report->result->verdict == VOUCH_FREE, .until = report->result->free_until_s};
  vouch_ret_t ret = set_up(&look);
  ret = ret ? ret : cut(&look);
  if (ret == VOUCH_RET_OK && profile->pair_count > 0) {
    kernel_scene_set_motion(&look.kernel, &kernel_view(look.worker->proof)->timeline);
    vouch_survey_prepare(&look, MEASURE_NS);
    vouch_survey_measure(&look);
    profile->cut_short = look.worker->search.stopped;
    vouch_survey_prepare(&look, CERTIFY_NS);
    vouch_survey_certify(&look);
    profile->cut_short = profile->cut_short || look.worker->search.stopped;
    vouch_survey_prepare(&look, CURVES_NS);
    ret = vouch_survey_curves(&look) ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  }
  if (look.worker != NULL) {
    kernel_proof_destroy(look.worker->proof);
  }
  vouch_free(&allocator, look.worker);
  vouch_free(&allocator, look.intervals);
  kernel_scene_fini(&look.kernel);
  vouch_arena_fini(&look.arena);
  vouch_build_fini(&look.build);
  if (ret != VOUCH_RET_OK) {
    vouch_profile_fini(profile);
  }
  return ret;
}

void vouch_profile_fini(vouch_profile_t * profile)
{
  for (size_t i = 0; i < profile->pair_count; i++) {
    vouch_free(&profile->allocator, profile->pairs[i].curve);
  }
  vouch_free(&profile->allocator, profile->pairs);
  vouch_free(&profile->allocator, profile->spans);
  *profile = (vouch_profile_t) {.allocator = profile->allocator};
}
