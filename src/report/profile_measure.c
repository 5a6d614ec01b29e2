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

/* Distances at given times, by the search's own means: what is found bounds the least from above. */

#include <math.h>

#include "report/profile_survey.h"

/* What is nearer by less than that is not looked for. */
#define NEARER 0.99
#define CURVES 12   // pairs that get a curve of their own

/* Not nearer than that, since their balls are not: spares most measurements. */
static double apart_by_balls(const vouch_survey_t * look, size_t number, const rigid_t * poses)
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
static void measure_plane(
  vouch_survey_t * look, size_t number, const rigid_t * poses,
  search_time_t time)
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
static void measure(vouch_survey_t * look, size_t number, const rigid_t * poses, search_time_t time)
{
  search_t * s = &look->worker->search;
  if (look->problem.scene.pairs[number].kind == VOUCH_PAIR_PLANE) {
    measure_plane(look, number, poses, time);
  } else if (!(apart_by_balls(look, number, poses) > s->upper)) {
    search_distance_at(s, (uint32_t)number, poses, time);
  }
}

/* A pair against its own least so far. */
static void measure_pair(
  vouch_survey_t * look, size_t number, const rigid_t * poses,
  double seconds)
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
  vouch_survey_t * look, int side, double guess, uint32_t first, const rigid_t * poses,
  search_time_t time)
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
  vouch_survey_t * look, vouch_profile_span_t * span, const vouch_profile_span_t * near,
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

/* All poses at the begin, in the middle or at the end of a span; NULL: memory is used up. */
static const rigid_t * poses_of(vouch_survey_t * look, size_t span, int half)
{
  kernel_proof_t * proof = look->worker->proof;
  const uint32_t interval = look->intervals[span];
  return half == 0 ? kernel_poses_begin(proof, interval) :
         half == 1 ? kernel_poses_middle(proof, interval) : kernel_poses_end(proof, interval);
}

static void measure_span(vouch_survey_t * look, size_t number, size_t near, int half)
{
  const rigid_t * poses = poses_of(look, number, half);
  const vouch_profile_span_t guess = look->out->spans[near];
  if (poses != NULL && vouch_survey_goes_on(look)) {
    measure_all(
      look, &look->out->spans[number], &guess, poses,
      vouch_survey_seconds(look, number, 0.5 * half));
  }
}

/* From coarse to fine, so that a curve for which there is little time is a coarse one, not a short one:
 * every 16th span, those half-way between them, and so on; then the end, and last the middles. */
static void measure_spans(vouch_survey_t * look)
{
  const size_t count = look->out->span_count;
  for (size_t step = 16; step > 0; step /= 2) {
    for (size_t i = 0; i < count; i += step) {
      if (step == 16 || i % (2u * step) != 0) {
        measure_span(look, i, i >= step ? i - step : 0, 0);
      }
    }
  }
  measure_span(look, count - 1, count - 1, 2);
  for (size_t i = 0; i < count; i++) {
    measure_span(look, i, i, 1);
  }
}

/* The check measured one pair already, where it was nearest. */
static void keep_clearance(vouch_survey_t * look)
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

void vouch_survey_measure(vouch_survey_t * look)
{
  measure_spans(look);
  keep_clearance(look);
}

/* ---- the nearest pairs over time ---- */

/* The nearest pair that has no curve yet; pair_count: none. */
static size_t nearest_without(const vouch_profile_t * profile)
{
  size_t best = profile->pair_count;
  for (size_t i = 0; i < profile->pair_count; i++) {
    const vouch_profile_pair_t * pair = &profile->pairs[i];
    if (pair->curve == NULL && pair->group == 0 && isfinite(pair->found) &&
      (best == profile->pair_count || pair->found < profile->pairs[best].found))
    {
      best = i;
    }
  }
  return best;
}

bool vouch_survey_curves(vouch_survey_t * look)
{
  vouch_profile_t * profile = look->out;
  search_t * s = &look->worker->search;
  for (int k = 0; k < CURVES; k++) {
    const size_t number = nearest_without(profile);
    if (number == profile->pair_count || s->stopped) {
      break;
    }
    double * curve = vouch_calloc(&profile->allocator, profile->span_count, sizeof(*curve));
    if (!curve) {
      return false;
    }
    profile->pairs[number].curve = curve;
    for (size_t i = 0; i < profile->span_count; i++) {
      const rigid_t * poses = poses_of(look, i, 0);
      s->upper = i > 0 && isfinite(curve[i - 1]) ? 1.1 * curve[i - 1] + 1e-6 : INFINITY;
      const double guess = s->upper;
      for (int attempt = 0; attempt < 2 && poses != NULL && vouch_survey_goes_on(look); attempt++) {
        measure(look, number, poses, (search_time_t) {0, 0, 0});
        if (s->upper < guess) {
          break;
        }
        s->upper = INFINITY;   // it is further away by more than was guessed
      }
      curve[i] = poses == NULL || s->stopped || isinf(s->upper) ? NAN : s->upper;
    }
  }
  return true;
}
