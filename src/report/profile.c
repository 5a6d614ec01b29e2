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

#include "report/profile.h"

#include <math.h>

#include "base/error.h"
#include "check/checker.h"
#include "model/build.h"

#define SPANS 160u            // of a motion, at most
#define MOST_PAIRS 4096u      // if there are more, a body meets its obstacles as one
#define LOOKS 60000u          // pairs times measured times, about
#define MEMORY ((size_t)128 << 20)
#define MEASURE_NS INT64_C(800000000)
#define CERTIFY_NS INT64_C(1600000000)   // after the beginning, as above
/* How far below the measured distance the certified one may lie: that much of it, at least the other. */
#define SLACK 0.02
#define LEAST_SLACK 2e-5
/* What is nearer by less than that is not looked for. */
#define NEARER 0.99

typedef struct look_s
{
  vouch_profile_t * out;
  const vouch_report_t * report;
  vouch_build_t build;
  vouch_problem_t problem;   // the build's, with pairs of bodies in place of groups
  vouch_arena_t arena;       // of those
  kernel_scene_t kernel;
  check_worker_t * worker;
  uint32_t * intervals;      // of the timeline, one per span
  double until;              // everything before is proved free, for all pairs
  bool free;                 // the verdict is
} look_t;

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

static void add_pair(look_t * look, vouch_pair_t pair, vouch_side_t side)
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
    count += scene->groups[g].body != VOUCH_NONE && pair->leaf_margins[g] >= 0.0;
  }
  return count;
}

static void add_group(look_t * look, const vouch_pair_t * pair, bool whole)
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
    if (scene->groups[g].body != VOUCH_NONE && pair->leaf_margins[g] >= 0.0) {
      const vouch_pair_t one = {.kind = VOUCH_PAIR_BODIES, .a = pair->a,
        .b = scene->groups[g].body, .margin = pair->leaf_margins[g]};
      add_pair(look, one, VOUCH_SIDE_WORLD);
    }
  }
}

/* The problem once more, every pair by itself where they are not too many. */
static vouch_ret_t expand_pairs(look_t * look)
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

static double seconds_at(const look_t * look, uint32_t interval, double fraction)
{
  return kernel_timeline_seconds(
    &look->worker->proof.timeline, interval, fraction, KERNEL_NEAREST);
}

static double length_of(const look_t * look, uint32_t interval)
{
  return seconds_at(look, interval, 1.0) - seconds_at(look, interval, 0.0);
}

/* Halves the longest span until there are as many as wanted. Halves stay beside each other. */
static vouch_ret_t cut(look_t * look)
{
  kernel_timeline_t * timeline = &look->worker->proof.timeline;
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
      if (length_of(look, look->intervals[i]) > length_of(look, look->intervals[longest])) {
        longest = i;
      }
    }
    const uint32_t interval = look->intervals[longest];
    if (!kernel_timeline_split(timeline, interval)) {
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
      .begin = seconds_at(look, look->intervals[i], 0.0),
      .end = seconds_at(look, look->intervals[i], 1.0), .found = {INFINITY, INFINITY},
      .pair = {VOUCH_NONE, VOUCH_NONE}, .certified = {INFINITY, INFINITY}
    };
  }
  return VOUCH_RET_OK;
}

/* ---- what is measured ---- */

static void prepare(look_t * look, int64_t deadline_ns)
{
  check_worker_t * worker = look->worker;
  worker->search = (search_t) {.proof = &worker->proof, .mode = SEARCH_CLEARANCE,
    .max_depth = look->report->options->max_depth, .seen = worker->seen, .open = worker->open,
    .has_deadline = true, .deadline_ns = deadline_ns, .upper = INFINITY,
    .resolution = LEAST_SLACK};
  worker->proof.mode = KERNEL_MODE_CLEARANCE;
  worker->proof.record = false;
  worker->proof.has_horizon = false;
}

/* Not nearer than that, since their balls are not: spares most measurements. */
static double apart_by_balls(const look_t * look, size_t number, const rigid_t * poses)
{
  const vouch_profile_pair_t * pair = &look->out->pairs[number];
  if (pair->group > 0) {
    return -INFINITY;
  }
  const uint32_t bodies[2] = {pair->a, pair->b};
  vec3_t centre[2];
  double radius = 0.0;
  for (int i = 0; i < 2; i++) {
    const vouch_geometry_t * g = look->kernel.geometries[bodies[i]];
    if (g == NULL) {
      return -INFINITY;
    }
    const kernel_node_t * ball = &kernel_derived(g)->nodes[0];
    vec3_t own = rigid_apply(&look->kernel.placements[bodies[i]], ball->center);
    centre[i] = rigid_apply(&poses[look->problem.scene.bodies[bodies[i]].frame], own);
    radius += ball->radius;
  }
  return vec3_norm(vec3_sub(centre[0], centre[1])) - radius;
}

/* The point of what a vertex stands for that is furthest along n, from its middle. n: unit. */
static vec3_t furthest(const vouch_geometry_t * g, uint32_t vertex, vec3_t n)
{
  const double * half = vouch_geometry_round(g, vertex);
  vec3_t out = vec3(0.0, 0.0, 0.0);
  if (half != NULL) {
    const vec3_t axes[3] = {vec3_from(half), vec3_from(half + 3), vec3_from(half + 6)};
    const vec3_t along = vec3(
      vec3_dot(axes[0], n), vec3_dot(axes[1], n), vec3_dot(axes[2], n));
    const vec3_t u = vec3_unit(along, vec3(0.0, 0.0, 0.0));
    out = vec3_add(
      vec3_add(vec3_scale(axes[0], u.x), vec3_scale(axes[1], u.y)), vec3_scale(axes[2], u.z));
  }
  return out;
}

/* A plane, by every vertex of the other body. */
static void measure_plane(look_t * look, size_t number, const rigid_t * poses, search_time_t time)
{
  const vouch_profile_pair_t * pair = &look->out->pairs[number];
  const vouch_body_t * plane = &look->problem.scene.bodies[pair->b];
  const vouch_geometry_t * g = look->kernel.geometries[pair->a];
  search_t * s = &look->worker->search;
  const rigid_t * frame_b = &poses[plane->frame];
  const rigid_t frame_a = rigid_mul(
    &poses[look->problem.scene.bodies[pair->a].frame], &look->kernel.placements[pair->a]);
  const rigid_t relative = rigid_relative(frame_b, &frame_a);
  const vec3_t normal = vec3_from(plane->normal);
  const vec3_t own = mat3_tmul_vec(&relative.rotation, normal);
  double low = INFINITY, high = -INFINITY;
  vec3_t lowest = normal, highest = normal;
  for (uint32_t i = 1; i < g->vertex_count; i++) {
    const vec3_t middle = vec3_from(g->vertices[i]), out = furthest(g, i, own);
    const vec3_t top = rigid_apply(&relative, vec3_add(middle, out));
    const vec3_t bottom = rigid_apply(&relative, vec3_sub(middle, out));
    if (vec3_dot(normal, bottom) - plane->offset < low) {
      low = vec3_dot(normal, bottom) - plane->offset;
      lowest = bottom;
    }
    if (vec3_dot(normal, top) - plane->offset > high) {
      high = vec3_dot(normal, top) - plane->offset;
      highest = top;
    }
  }
  const bool below = plane->kind == VOUCH_BODY_PLANE && -high > low;
  const double distance = fmax(0.0, below ? -high : low);
  if (distance < s->upper) {
    const vec3_t p = below ? highest : lowest;
    const vec3_t foot = vec3_sub(
      p, vec3_scale(normal, vec3_dot(normal, p) - plane->offset));
    s->upper = distance;
    s->upper_pair = (uint32_t)number;
    s->upper_time = time;
    s->upper_a = rigid_apply(frame_b, p);
    s->upper_b = rigid_apply(frame_b, foot);
  }
}

/* Looks whether a pair is nearer than search->upper at these poses, and says so there. */
static void measure(look_t * look, size_t number, const rigid_t * poses, search_time_t time)
{
  search_t * s = &look->worker->search;
  if (look->problem.scene.pairs[number].kind == VOUCH_PAIR_PLANE) {
    measure_plane(look, number, poses, time);
  } else if (!(apart_by_balls(look, number, poses) > s->upper)) {
    search_distance_at(s, (uint32_t)number, poses, time);
  }
}

/* A pair against its own least so far. */
static void measure_pair(look_t * look, size_t number, const rigid_t * poses, double seconds)
{
  search_t * s = &look->worker->search;
  vouch_profile_pair_t * pair = &look->out->pairs[number];
  const double before = NEARER * pair->found;
  s->upper = before;
  measure(look, number, poses, (search_time_t) {0, 0, 0});
  if (s->upper < before) {
    pair->found = s->upper;
    pair->time = seconds;
    pair->b = pair->group > 0 ? s->upper_body_b : pair->b;
    vec3_store(s->upper_a, pair->point_a);
    vec3_store(s->upper_b, pair->point_b);
  }
}

/* The least distance of one side. `guess`: most likely it is no more than that, which spares most of the
 * work; if it is, the search begins again without. */
static void measure_side(
  look_t * look, int side, double guess, uint32_t first, const rigid_t * poses, search_time_t time)
{
  search_t * s = &look->worker->search;
  s->upper = guess;
  for (int attempt = 0; attempt < 2; attempt++) {
    if (first != VOUCH_NONE) {   // most likely it is still the nearest
      measure(look, first, poses, time);
    }
    for (size_t i = 0; i < look->out->pair_count && !s->stopped; i++) {
      if ((int)look->out->pairs[i].side == side && i != first) {
        const double before = s->upper;
        s->upper = NEARER * before;
        measure(look, i, poses, time);
        s->upper = s->upper < NEARER * before ? s->upper : before;
      }
    }
    if (s->upper < guess || isinf(guess)) {
      return;
    }
    guess = s->upper = INFINITY;
  }
}

/* All pairs at one time of one span: each against its own least, and the least of each side. */
static void measure_all(
  look_t * look, vouch_profile_span_t * span, const vouch_profile_span_t * near,
  const rigid_t * poses, double seconds)
{
  const search_time_t time = {0, 0, 0};
  search_t * s = &look->worker->search;
  for (size_t i = 0; i < look->out->pair_count; i++) {
    measure_pair(look, i, poses, seconds);
  }
  for (int side = 0; side < 2; side++) {
    measure_side(look, side, 1.05 * near->found[side], near->pair[side], poses, time);
    if (!s->stopped && s->upper < span->found[side]) {
      span->found[side] = s->upper;
      span->at[side] = seconds;
      span->pair[side] = s->upper_pair;
    }
  }
}

static const rigid_t * poses_of(look_t * look, size_t span, int half)
{
  kernel_timeline_t * timeline = &look->worker->proof.timeline;
  return half == 0 ? kernel_timeline_begin(timeline, look->intervals[span]) :
         kernel_timeline_middle(timeline, look->intervals[span]);
}

/* From coarse to fine, so that a curve for which there is little time is a coarse one, not a short one:
 * every 16th span, those half-way between them, and so on; last the middles. */
static void measure_spans(look_t * look)
{
  const size_t count = look->out->span_count;
  size_t near = 0;
  for (size_t step = 16; step > 0 || near < count; step /= 2) {
    const int half = step == 0;
    for (size_t i = 0; i < count && !look->worker->search.stopped; i++) {
      const bool done = step > 0 && step < 16 && i % (2u * step) == 0;
      const rigid_t * poses = done || (step > 0 && i % step != 0) ? NULL : poses_of(look, i, half);
      if (poses != NULL) {
        vouch_profile_span_t * span = &look->out->spans[i];
        const vouch_profile_span_t guess = half ? *span : look->out->spans[near];
        measure_all(
          look, span, &guess, poses, seconds_at(look, look->intervals[i], half ? 0.5 : 0.0));
        near = i;
      }
    }
    near = half ? count : near;
  }
}

/* The check measured one pair already, where it was nearest. */
static void keep_clearance(look_t * look)
{
  const vouch_clearance_t * known = &look->report->result->clearance;
  const vouch_scene_part_t * scene = &look->problem.scene;
  for (size_t i = 0; i < look->out->pair_count && known->valid; i++) {
    vouch_profile_pair_t * pair = &look->out->pairs[i];
    if (known->upper_m < pair->found && strcmp(scene->bodies[pair->a].name, known->a) == 0 &&
      strcmp(scene->bodies[pair->b].name, known->b) == 0)
    {
      pair->found = known->upper_m;
      pair->time = known->time_s;
      memcpy(pair->point_a, known->point_a, sizeof(pair->point_a));
      memcpy(pair->point_b, known->point_b, sizeof(pair->point_b));
      return;
    }
  }
}

/* ---- what is certified ---- */

/* The kernel's word that a pair stays more than `distance` apart in an interval; what it shows is at
 * least that, often more. < 0: it does not say so. */
static double certify(look_t * look, size_t number, uint32_t interval, double distance)
{
  check_worker_t * worker = look->worker;
  search_t * s = &worker->search;
  kernel_proof_t * p = &worker->proof;
  s->upper = isfinite(distance) ? distance : 1.0;
  s->resolution = fmax(LEAST_SLACK, SLACK * s->upper);
  for (int attempt = 0; attempt < 3 && !s->stopped; attempt++) {
    p->lower = INFINITY;
    p->distance = fmax(0.0, s->upper - s->resolution);
    s->open_count = s->open_entries = s->open_before = 0;
    const vouch_profile_pair_t * pair = &look->out->pairs[number];
    const kernel_goal_t goal = {.interval = interval, .margin = pair->margin,
      .body_b = pair->group > 0 ? VOUCH_NONE : pair->b};
    if (interval == 0) {
      kernel_proof_open(p, (uint32_t)number);
    } else {
      kernel_proof_open_at(p, (uint32_t)number, &goal);
    }
    if (search_goals(s) == SEARCH_PROVED && isfinite(p->lower)) {
      return fmax(0.0, p->lower);
    }
    s->resolution *= 8.0;
  }
  return -1.0;
}

/* Of a pair that nothing is proved about, a body could be inside the other one, with its surface far
 * away: a span says something only where the pair is known to have started apart and stayed so. */
static bool may_certify(const look_t * look, size_t number, const vouch_profile_span_t * span)
{
  return look->free || look->out->pairs[number].certified >= 0.0 || span->end <= look->until;
}

/* Of every pair a proof that the motion is free has shown that much already. */
static void take_over(look_t * look)
{
  const vouch_clearance_t * all = &look->report->result->clearance;
  const double shown = all->valid ? all->lower_m : look->report->options->margin_m;
  for (size_t i = 0; i < look->out->pair_count; i++) {
    look->out->pairs[i].certified = fmin(shown, look->out->pairs[i].found);
  }
}

static void certify_pairs(look_t * look)
{
  for (size_t i = 0; i < look->out->pair_count; i++) {
    vouch_profile_pair_t * pair = &look->out->pairs[i];
    if (pair->found > LEAST_SLACK) {
      pair->certified = fmax(pair->certified, certify(look, i, 0, pair->found));
    }
  }
}

/* What was measured in the span, or else beside it. */
static double guess_at(const look_t * look, size_t span, int side)
{
  for (size_t away = 0; away < look->out->span_count; away++) {
    const size_t places[2] = {span - (away < span ? away : span), span + away};
    for (int i = 0; i < 2; i++) {
      if (places[i] < look->out->span_count &&
        isfinite(look->out->spans[places[i]].found[side]))
      {
        return look->out->spans[places[i]].found[side];
      }
    }
  }
  return INFINITY;
}

static void certify_spans(look_t * look)
{
  const bool all = look->out->left_away == 0;
  for (size_t k = 0; k < look->out->span_count; k++) {
    vouch_profile_span_t * span = &look->out->spans[k];
    const double guess[2] = {guess_at(look, k, 0), guess_at(look, k, 1)};
    for (size_t i = 0; i < look->out->pair_count; i++) {
      double * least = &span->certified[look->out->pairs[i].side];
      *least = all ? *least : -1.0;
      if (*least < 0.0) {
        continue;
      }
      const double whole = look->out->pairs[i].certified;
      if (whole >= *least) {
        continue;   // nearer than the others it is not, here or anywhere
      }
      double here = may_certify(look, i, span) ?
        certify(look, i, look->intervals[k], fmin(guess[look->out->pairs[i].side], *least)) :
        -1.0;
      here = fmax(here, whole);
      *least = here < 0.0 ? -1.0 : fmin(*least, here);
    }
  }
}

/* ---- all of it ---- */

static vouch_ret_t set_up(look_t * look)
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
  ret = ret ? ret : kernel_proof_init(&look->worker->proof, &look->kernel, allocator, MEMORY);
  ret = ret ? ret : kernel_proof_begin(&look->worker->proof);
  vouch_free(&allocator, zeros);
  return ret;
}

vouch_ret_t vouch_profile_init(
  vouch_profile_t * profile, const vouch_report_t * report, vouch_allocator_t allocator)
{
  *profile = (vouch_profile_t) {.allocator = allocator};
  look_t look = {.out = profile, .report = report, .arena = {.allocator = allocator},
    .kernel = {.arena = {.allocator = allocator}},
    .free = report->result->verdict == VOUCH_FREE, .until = report->result->free_until_s};
  vouch_ret_t ret = set_up(&look);
  ret = ret ? ret : cut(&look);
  if (ret == VOUCH_RET_OK && profile->pair_count > 0) {
    kernel_scene_set_motion(&look.kernel, &look.worker->proof.timeline);
    const int64_t begin = check_now_ns();
    prepare(&look, begin + MEASURE_NS);
    look.worker->proof.proved_free = look.free;
    measure_spans(&look);
    profile->cut_short = look.worker->search.stopped;
    keep_clearance(&look);
    prepare(&look, begin + CERTIFY_NS);
    if (look.free) {
      take_over(&look);
      certify_spans(&look);
      certify_pairs(&look);
    } else {   // then it depends on the pairs what can be said of a span
      certify_pairs(&look);
      certify_spans(&look);
    }
    profile->cut_short = profile->cut_short || look.worker->search.stopped;
  }
  if (look.worker != NULL) {
    kernel_proof_fini(&look.worker->proof);
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
  vouch_free(&profile->allocator, profile->pairs);
  vouch_free(&profile->allocator, profile->spans);
  *profile = (vouch_profile_t) {.allocator = profile->allocator};
}
