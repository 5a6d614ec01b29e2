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

/* Pairs without relative motion: looked at once, when the checker is made. They are no part of the
 * verdict: a base stands on its table. */

#include <math.h>
#include <string.h>

#include "check/checker.h"
#include "model/scene.h"

static bool concerns(const vouch_static_entry_t * entry, uint32_t body)
{
  return body == VOUCH_NONE || entry->a == body || entry->b == body;
}

/// The same bodies with the static pairs (of one body, or all) as the ones to check, at rest.
static vouch_ret_t static_problem(
  const vouch_checker_t * c, uint32_t body, vouch_problem_t * out, vouch_arena_t * arena)
{
  *out = c->build.problem;
  out->scene.groups = NULL;
  out->scene.group_count = 0;
  out->scene.pair_count = 0;
  out->scene.pairs = vouch_arena_calloc(arena, c->build.static_count, sizeof(vouch_pair_t));
  if (out->scene.pairs == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < c->build.static_count; i++) {
    const vouch_static_entry_t * entry = &c->build.statics[i];
    if (!concerns(entry, body)) {
      continue;
    }
    uint32_t a = entry->a, b = entry->b;
    if (out->scene.bodies[a].kind != VOUCH_BODY_GEOMETRY) {
      a = entry->b;
      b = entry->a;
    }
    bool plane = out->scene.bodies[b].kind != VOUCH_BODY_GEOMETRY;
    out->scene.pairs[out->scene.pair_count++] = (vouch_pair_t) {
      .kind = plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES, .a = a, .b = b,
      .margin = entry->margin
    };
  }
  return VOUCH_RET_OK;
}

/// One constant segment: nothing moves against anything here.
static vouch_ret_t rest(vouch_motion_part_t * motion, vouch_arena_t * arena)
{
  uint32_t variables = motion->variable_count;
  double * numbers = vouch_arena_calloc(arena, 3u * (size_t)variables + 4u, sizeof(double));
  uint32_t * degree = vouch_arena_calloc(arena, 1, sizeof(*degree));
  size_t * offset = vouch_arena_calloc(arena, 1, sizeof(*offset));
  if (numbers == NULL || degree == NULL || offset == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  numbers[1] = numbers[3] = 1.0;
  *degree = 1;
  *motion = (vouch_motion_part_t) {.model = motion->model, .names = motion->names,
    .variable_count = variables, .segment_count = 1, .knots = numbers, .seconds = numbers + 2,
    .tolerances = numbers + 4, .coefficients = numbers + 4 + variables, .degrees = degree,
    .offsets = offset};
  return vouch_motion_part_validate(motion);
}

static bool is_obstacle(const vouch_checker_t * c, uint32_t body)
{
  const char * id = c->build.problem.scene.bodies[body].id;
  const size_t number = strncmp(id, "object/", 7) == 0 ?
    vouch_scene_find(c->scene, c->build.problem.scene.bodies[body].name) : VOUCH_NONE;
  return number != VOUCH_NONE && c->scene->objects[number].link == VOUCH_NONE;
}

static void look(check_worker_t * worker, uint32_t pair, vouch_static_pair_t * out)
{
  search_t * s = &worker->search;
  kernel_proof_t * p = worker->proof;
  *s = (search_t) {.proof = p, .mode = SEARCH_PROVE, .seen = worker->seen, .open = worker->open,
    .upper = INFINITY};
  kernel_proof_phase(p, &(kernel_phase_t) {.mode = KERNEL_MODE_PROOF});
  out->overlapping = search_pair(s, pair) != SEARCH_PROVED;
  s->mode = SEARCH_CLEARANCE;
  kernel_proof_phase(p, &(kernel_phase_t) {.mode = KERNEL_MODE_CLEARANCE});
  const rigid_t * poses = kernel_poses_begin(p, 0);
  out->depth_m = 0.0;
  if (poses != NULL) {
    search_distance_at(s, pair, poses, (search_time_t) {0, 0, 0});
  }
  if (poses != NULL && out->overlapping) {
    out->depth_m = check_overlap_depth(p, kernel_pair(p)->b, poses);
  }
  out->distance_m = isfinite(s->upper) &&
    !(out->overlapping && s->contact.kind == VOUCH_CONTACT_CONTACT) ?
    s->upper : out->overlapping ? 0.0 : INFINITY;
}

vouch_ret_t check_statics_of(vouch_checker_t * c, uint32_t body)
{
  vouch_arena_t arena = {.allocator = c->allocator};
  vouch_problem_t problem;
  kernel_scene_t scene = {.arena = {.allocator = c->allocator}};
  check_worker_t * worker = vouch_calloc(&c->allocator, 1, sizeof(*worker));
  vouch_ret_t ret = worker ==
    NULL ? VOUCH_RET_NO_MEMORY : static_problem(c, body, &problem, &arena);
  ret = ret ? ret : rest(&problem.motion, &arena);
  ret = ret ? ret : kernel_scene_init(&scene, &problem, c->allocator);
  ret = ret ? ret : kernel_proof_create(&worker->proof, &scene, c->allocator, 1u << 20);
  ret = ret ? ret : kernel_proof_begin(worker->proof);
  if (ret == VOUCH_RET_OK) {
    kernel_scene_set_motion(&scene, &kernel_view(worker->proof)->timeline);
    uint32_t pair = 0;
    for (size_t i = 0; i < c->build.static_count; i++) {
      if (concerns(&c->build.statics[i], body)) {
        c->statics[i].a = problem.scene.bodies[problem.scene.pairs[pair].a].name;
        c->statics[i].b = problem.scene.bodies[problem.scene.pairs[pair].b].name;
        c->statics[i].environment = is_obstacle(c, c->build.statics[i].a) ||
          is_obstacle(c, c->build.statics[i].b);
        look(worker, pair++, &c->statics[i]);
      }
    }
  }
  if (worker != NULL) {
    kernel_proof_destroy(worker->proof);
  }
  vouch_free(&c->allocator, worker);
  kernel_scene_fini(&scene);
  vouch_arena_fini(&arena);
  return ret;
}

vouch_ret_t check_statics(vouch_checker_t * c)
{
  size_t count = c->build.static_count;
  c->static_count = count;
  c->statics = vouch_calloc(&c->allocator, count, sizeof(*c->statics));
  if (c->statics == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  return count == 0 ? VOUCH_RET_OK : check_statics_of(c, VOUCH_NONE);
}
