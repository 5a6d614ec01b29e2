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

#include "support/arb_campaign.h"

#include "kernel/inside.h"

#ifdef VOUCH_HAVE_ARB

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/checker.h"
#include "support/adversary.h"
#include "support/arb_checker.h"

static void wrong(arb_tally_t * tally, uint64_t seed, const char * what, double x, double y)
{
  tally->wrong++;
  fprintf(stderr, "WRONG (seed %" PRIu64 "): %s: %.17g, %.17g\n", seed, what, x, y);
}

arb_span_t arb_campaign_span(const kernel_interval_t * i)
{
  const uint64_t length = ARB_ONE >> i->depth;
  const uint64_t begin = i->first * ARB_ONE + i->numerator * length;
  return (arb_span_t) {begin, i->last - i->first > 1 ? i->last * ARB_ONE : begin + length};
}

/// A place in the motion where the kernel has an interval: halve at random.
static uint32_t random_interval(test_random_t * r, kernel_timeline_t * t, arb_span_t * span)
{
  uint32_t number = 0, most = test_random_below(r, 30);
  for (uint32_t depth = 0; depth < most && kernel_timeline_split(t, number); depth++) {
    const kernel_interval_t * i = &t->intervals[number];
    number = test_random_below(r, 2) ? i->left : i->right;
  }
  const kernel_interval_t * i = &t->intervals[number];
  *span = arb_campaign_span(i);
  return number;
}

/// A goal of the kernel as the file has it.
typedef struct
{
  arb_goal_t goal;
  arb_span_t span;
} same_t;

/// Any group beneath the pair's, or any body of one, of those that the pair checks.
static void random_group(
  test_random_t * r, const arb_file_t * file, kernel_goal_t * goal, same_t * same)
{
  const arb_pair_t * pair = &file->pairs[same->goal.pair];
  const uint32_t root = arb_group_of(file, pair->b);
  uint32_t seen = 0;
  for (uint32_t i = root; i < file->groups[root].end; i++) {
    if (arb_is_checked(file, pair, i) && test_random_below(r, ++seen) == 0) {
      goal->b = i;
    }
  }
  same->goal.thing[1] = file->body_count + goal->b;
  if (file->groups[goal->b].right == 0 && test_random_below(r, 4) > 0) {
    goal->body_b = same->goal.thing[1] = file->groups[goal->b].body;
  }
}

/// Pairs and groups of the kernel have the numbers that they have in the file.
static bool random_goal(
  test_random_t * r, kernel_proof_t * p, const arb_file_t * file, kernel_goal_t * goal,
  same_t * same)
{
  const uint32_t pair = test_random_below(r, file->pair_count);
  kernel_proof_open(p, pair);
  if (kernel_proof_goal(p) == NULL) {
    return false;
  }
  *goal = *kernel_proof_goal(p);
  same->goal = arb_checker_roots(file, pair);
  goal->interval = random_interval(r, &p->v.timeline, &same->span);
  goal->a = same->goal.node[0] = test_random_below(r, kernel_geometry_a(p)->node_count);
  if (goal->body_b == VOUCH_NONE) {
    random_group(r, file, goal, same);
  }
  if (goal->body_b != VOUCH_NONE) {
    goal->b = 0;
    const vouch_geometry_t * b = kernel_geometry_b(p, goal);
    goal->b = same->goal.node[1] = b != NULL ? test_random_below(r, b->node_count) : 0;
  }
  return !p->v.timeline.intervals[goal->interval].start_inside;
}

/// [K-E, K-FK, K-SUPPORT] What the kernel computes, less E, is at most the truth.
static void compare_gap(
  test_random_t * r, kernel_proof_t * p, arb_checker_t * c, const kernel_goal_t * goal,
  const same_t * same, arb_tally_t * tally, uint64_t seed)
{
  const bool plane = goal->body_b != VOUCH_NONE && c->file->bodies[goal->body_b].kind != ARB_BODY;
  double d[3];
  test_random_direction(r, d);
  float stored[3];
  vec3_t n;
  if (plane || !kernel_store_direction(
      vec3_scale(vec3_from(d), 1.0 - 0x1p-22), stored, &n))
  {
    return;
  }
  const rigid_t * poses = kernel_timeline_begin(&p->v.timeline, goal->interval);
  if (poses == NULL) {
    return;
  }
  rigid_t relative = kernel_relative(p, poses);
  double gap = kernel_support_b(p, goal, n) - vec3_dot(n, relative.translation) -
    kernel_support(kernel_geometry_a(p), goal->a, mat3_tmul_vec(&relative.rotation, n));
  const double used[3] = {n.x, n.y, n.z};
  arb_srcptr truth = arb_checker_gap(c, &same->goal, used, same->span.begin, false);
  arb_t rest;
  arb_init(rest);
  arb_set_d(rest, gap);
  arb_sub(rest, truth, rest, 128);
  double below = arf_get_d(arb_midref(rest), ARF_RND_NEAR);   // truth - computed
  tally->gaps++;
  tally->rounding_seen += below < 0.0;
  if (!(below >= -kernel_rounding(p))) {
    wrong(tally, seed, "gap larger than the truth by more than E", -below, kernel_rounding(p));
  }
  arb_clear(rest);
}

static void compare_bounds(
  kernel_proof_t * p, arb_checker_t * c, const kernel_goal_t * goal, const same_t * same,
  arb_tally_t * tally, uint64_t seed)
{
  arb_ptr truth[3];
  arb_checker_bounds(c, same->goal.pair, &same->span, truth);
  arb_srcptr bend = truth[0], travel = truth[1];
  double C = kernel_bend(p, goal), l = kernel_travel(p, goal);
  arb_t x;
  arb_init(x);
  arb_set_d(x, C);
  tally->bounds += 2;
  if (!arb_ge(x, bend)) {
    wrong(tally, seed, "C below the truth", C, arf_get_d(arb_midref(bend), ARF_RND_NEAR));
  }
  arb_set_d(x, l);
  if (!arb_ge(x, travel)) {
    wrong(tally, seed, "l below the truth", l, arf_get_d(arb_midref(travel), ARF_RND_NEAR));
  }
  arb_clear(x);
}

/// [L4] One point of A against the axes of all joints of the path.
static void compare_point(
  kernel_proof_t * p, const rigid_t * poses, vec3_t x, arb_tally_t * tally, uint64_t seed)
{
  const kernel_path_t * path = &p->v.scene->paths[p->v.pair];
  for (uint32_t s = 0; s < path->step_count; s++) {
    const kernel_step_t * step = &path->steps[s];
    if (step->joint == VOUCH_NONE || !path->joints[step->joint].revolute) {
      continue;
    }
    const rigid_t * frame = &poses[step->frame];
    vec3_t axis = mat3_mul_vec(&frame->rotation, p->v.timeline.frame_axis[step->frame]);
    vec3_t to = vec3_sub(x, frame->translation);
    double distance = vec3_norm(vec3_cross(axis, to));
    tally->radii++;
    if (!(distance <= path->radii[step->joint] + 1e-12 * (1.0 + vec3_norm(to)))) {
      wrong(tally, seed, "a point is farther from an axis", distance, path->radii[step->joint]);
    }
  }
}

/// Vertices of A, and the ends of their half-axes, as the file has them, at one configuration.
static void compare_radii(
  kernel_proof_t * p, const arb_file_t * file, const kernel_goal_t * goal, const same_t * same,
  arb_tally_t * tally, uint64_t seed)
{
  const uint32_t body = file->pairs[same->goal.pair].a;
  const kernel_path_t * path = &p->v.scene->paths[p->v.pair];
  const rigid_t * poses = kernel_timeline_begin(&p->v.timeline, goal->interval);
  const arb_geometry_t * g = &file->geometries[file->bodies[body].geometry];
  if (poses == NULL) {
    return;
  }
  rigid_t at = rigid_mul(&poses[path->frame_a], &path->placement_a);
  const uint32_t plain = g->vertex_count - g->round_count;
  for (uint32_t i = 1; i < g->vertex_count; i++) {
    vec3_t v = vec3_from(g->vertices[i]);
    compare_point(p, poses, rigid_apply(&at, v), tally, seed);
    for (int k = 0; i >= plain && k < 6; k++) {
      vec3_t a = vec3_scale(vec3_from(g->rounds[i - plain] + 3 * (k / 2)), k % 2 ? 1.0 : -1.0);
      compare_point(p, poses, rigid_apply(&at, vec3_add(v, a)), tally, seed);
    }
  }
}

/// The proof of a FREE, as a file.
static void recheck(
  const cell_t * cell, const uint8_t * problem, size_t problem_size, arb_tally_t * tally,
  uint64_t seed)
{
  uint8_t * certificate;
  size_t size;
  arb_verdict_t verdict;
  if (vouch_checker_certificate(cell->checker, &certificate, &size) != VOUCH_RET_OK) {
    wrong(tally, seed, "no certificate", 0.0, 0.0);
    return;
  }
  if (!arb_judge(problem, problem_size, certificate, size, &verdict)) {
    wrong(tally, seed, verdict.reason, 0.0, 0.0);
  }
  tally->leaves += verdict.leaves;
  vouch_bytes_free(cell->checker, certificate);
}

/// Gaps, bounds and radii of random goals.
static void compare(
  test_random_t * r, kernel_proof_t * p, const arb_file_t * file, arb_tally_t * tally,
  uint64_t seed)
{
  arb_checker_t c;
  arb_verdict_t verdict;
  arb_checker_init(&c, file, &verdict);
  for (int k = 0; k < 10 && kernel_proof_begin(p) == VOUCH_RET_OK; k++) {
    kernel_goal_t goal;
    same_t same;
    p->v.mode = KERNEL_MODE_PROOF;
    if (file->pair_count > 0 && random_goal(r, p, file, &goal, &same)) {
      arb_checker_reset(&c);
      compare_gap(r, p, &c, &goal, &same, tally, seed);
      compare_bounds(p, &c, &goal, &same, tally, seed);
      compare_radii(p, file, &goal, &same, tally, seed);
    }
  }
}

void arb_campaign(uint64_t seed, uint64_t count, arb_tally_t * tally)
{
  for (uint64_t i = 0; i < count && tally->wrong < 20; i++) {
    test_random_t r = {seed + i * UINT64_C(0x9e3779b97f4a7c15)};
    vouch_check_options_t options;
    cell_t cell = adversary_problem(&r, &options);
    vouch_result_t result = cell_check(&cell, &options);
    arb_file_t file;
    uint8_t * problem = NULL;
    size_t size = 0;
    tally->problems++;
    if (vouch_checker_problem(cell.checker, &problem, &size) != VOUCH_RET_OK ||
      !arb_file_read(&file, problem, size))
    {
      wrong(tally, i, "no problem, or one that cannot be read", 0.0, 0.0);
    } else {
      if (result.verdict == VOUCH_FREE) {
        tally->free++;
        recheck(&cell, problem, size, tally, i);
      }
      compare(&r, cell.checker->workers[0].proof, &file, tally, i);
      arb_file_free(&file);
    }
    vouch_bytes_free(cell.checker, problem);
    cell_close(&cell);
  }
  arb_judge_release();
}

void arb_campaign_print(const arb_tally_t * t)
{
  printf(
    "%" PRIu64 " problems, %" PRIu64 " FREE with %" PRIu64 " leaves re-checked; %" PRIu64
    " gaps (%" PRIu64 " above the truth before E is taken off), %" PRIu64 " bounds, %" PRIu64
    " radii; wrong %" PRIu64 "\n", t->problems, t->free, t->leaves, t->gaps, t->rounding_seen,
    t->bounds, t->radii, t->wrong);
}

#else
typedef int arb_campaign_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
