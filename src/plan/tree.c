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
#include "plan/tree.h"

/* The dynamic domain of a node that ran into something: samples further than this many rad from it
 * are not tried; never less than the least; and how fast it changes. */
static const double DOMAIN_FIRST = 4.0, DOMAIN_LEAST = 1.0, DOMAIN_RATE = 1e-4;

/* Goals so many times as far away as the nearest are not gone to straight away. */
static const double FAR = 1.5;
/* Of a robot with several arms so many samples move one arm alone. */
static const double ALONE = 0.7;

typedef struct node_s
{
  uint32_t parent;      // itself: a root
  double radius;        // of its dynamic domain; INFINITY: never ran into anything
} node_t;

typedef struct tree_s
{
  vouch_allocator_t allocator;
  uint32_t joints;
  double * values;      // [node * joints + joint], times the weights: plain distances
  double * exact;       // as they are
  node_t * nodes;
  size_t count, values_capacity, exact_capacity, node_capacity;
} tree_t;

typedef enum step_e {STEP_TRAPPED, STEP_ADVANCED, STEP_REACHED, STEP_NO_MEMORY} step_t;

static void tree_fini(tree_t * t)
{
  vouch_free(&t->allocator, t->values);
  vouch_free(&t->allocator, t->exact);
  vouch_free(&t->allocator, t->nodes);
}

static double * exact_at(const tree_t * t, size_t node)
{
  return t->exact + node * t->joints;
}

static bool tree_add(tree_t * t, const plan_space_t * s, const double * q, size_t parent)
{
  const size_t size = t->joints * sizeof(double);
  if (!vouch_grow(&t->allocator, &t->values, t->count, &t->values_capacity, size) ||
    !vouch_grow(&t->allocator, &t->exact, t->count, &t->exact_capacity, size) ||
    !vouch_grow(&t->allocator, &t->nodes, t->count, &t->node_capacity, sizeof(node_t)))
  {
    return false;
  }
  for (uint32_t i = 0; i < t->joints; i++) {
    t->values[t->count * t->joints + i] = s->weights[i] * q[i];
  }
  memcpy(exact_at(t, t->count), q, size);
  t->nodes[t->count] = (node_t) {(uint32_t)parent, INFINITY};
  t->count++;
  return true;
}

/// Brute force: with some ten thousand nodes still less than what an edge costs.
static size_t tree_nearest(const tree_t * t, const plan_space_t * s, const double * q)
{
  double scaled[PLAN_MAX_JOINTS], best = INFINITY;
  size_t nearest = 0;
  for (uint32_t i = 0; i < t->joints; i++) {
    scaled[i] = s->weights[i] * q[i];
  }
  const double * v = t->values;
  for (size_t n = 0; n < t->count; n++, v += t->joints) {
    double sum = 0.0;
    for (uint32_t i = 0; i < t->joints; i++) {
      const double d = v[i] - scaled[i];
      sum += d * d;
    }
    if (sum < best) {
      best = sum;
      nearest = n;
    }
  }
  return nearest;
}

/// One edge from a node towards q. Most edges that run into something end in it: its end is asked
/// about first, which is cheaper.
static step_t extend(
  const plan_search_t * search, tree_t * t, size_t from, const double * q, size_t * added)
{
  const plan_space_t * s = search->ask->space;
  double end[PLAN_MAX_JOINTS];
  const double * begin = exact_at(t, from);
  const double length = plan_distance(s, begin, q);
  const bool reached = length <= search->step;
  plan_between(s, begin, q, reached ? 1.0 : search->step / length, end);
  if ((!reached && !plan_ask_state(search->ask, end)) ||
    !plan_ask_edge(search->ask, begin, end))
  {
    return STEP_TRAPPED;
  }
  if (!tree_add(t, s, end, from)) {
    return STEP_NO_MEMORY;
  }
  *added = t->count - 1u;
  return reached ? STEP_REACHED : STEP_ADVANCED;
}

/// As far as it goes.
static step_t connect(
  const plan_search_t * search, tree_t * t, size_t from, const double * q, size_t * added)
{
  step_t step;
  *added = from;
  do {
    step = extend(search, t, *added, q, added);
  } while (step == STEP_ADVANCED);
  return step;
}

static void learn(node_t * node, bool trapped)
{
  if (trapped) {
    node->radius = isinf(node->radius) ? DOMAIN_FIRST :
      fmax(DOMAIN_LEAST, node->radius * (1.0 - DOMAIN_RATE));
  } else if (!isinf(node->radius)) {
    node->radius *= 1.0 + DOMAIN_RATE;
  }
}

static void draw(const plan_search_t * search, double * q)
{
  const plan_space_t * s = search->ask->space;
  const plan_near_t * near = &search->near;
  if (near->path == NULL || near->path->count < 2u ||
    plan_random_unit(search->random) >= near->share)
  {
    plan_sample(s, search->random, q);
    return;
  }
  const size_t edge =
    (size_t)(plan_random_unit(search->random) * (double)(near->path->count - 1u));
  plan_between(
    s, plan_path_at(near->path, edge), plan_path_at(near->path, edge + 1u),
    plan_random_unit(search->random), q);
  for (uint32_t i = 0; i < s->count; i++) {
    q[i] += near->deviation / s->weights[i] * plan_random_normal(search->random);
  }
  plan_clamp(s, q);
}

/// Of several arms only one moves: most places for all at once are in collision.
static void stay(
  const plan_space_t * s, plan_random_t * random, const double * near, double * q)
{
  const uint64_t chain = s->chains[plan_random_bits(random) % s->count];
  for (uint32_t i = 0; i < s->count; i++) {
    q[i] = (chain >> i) & 1u ? q[i] : near[i];
  }
}

static size_t root_of(const tree_t * t, size_t node)
{
  while (t->nodes[node].parent != node) {
    node = t->nodes[node].parent;
  }
  return node;
}

/// From the start's root to `a`, and from `b`, which is the same place, to its goal.
static bool trace(
  const tree_t trees[2], size_t a, size_t b, plan_path_t * path)
{
  bool fine = true;
  for (size_t n = a;; n = trees[0].nodes[n].parent) {
    fine = fine && plan_path_replace(path, 0, 0, exact_at(&trees[0], n), 1);
    if (trees[0].nodes[n].parent == n) {
      break;
    }
  }
  for (size_t n = b; trees[1].nodes[n].parent != n; ) {
    n = trees[1].nodes[n].parent;
    fine = fine && plan_path_add(path, exact_at(&trees[1], n));
  }
  return fine;
}

static plan_found_t finish(
  const tree_t trees[2], size_t a, size_t b, plan_path_t * path, size_t * goal)
{
  *goal = root_of(&trees[1], b);
  return trace(trees, a, b, path) ? PLAN_FOUND : PLAN_NO_MEMORY;
}

/// The straight way to each goal, before anything is drawn. Goals that are much further away than the
/// nearest wait for the trees: the way to a near one is better even if it is not straight.
static step_t go_straight(
  const plan_search_t * search, tree_t trees[2], plan_roots_t goals, size_t ends[2])
{
  const plan_space_t * s = search->ask->space;
  const double * start = exact_at(&trees[0], 0);
  step_t step = STEP_TRAPPED;
  double nearest = INFINITY, goal[PLAN_MAX_JOINTS];
  for (size_t g = 0; g < goals.count; g++) {
    nearest = fmin(nearest, plan_distance(s, start, exact_at(&trees[1], g)));
  }
  for (size_t g = 0; g < goals.count && step == STEP_TRAPPED; g++) {
    memcpy(goal, exact_at(&trees[1], g), s->count * sizeof(*goal));
    if (plan_distance(s, exact_at(&trees[0], 0), goal) <= FAR * nearest + 1e-9) {
      ends[1] = g;
      step = connect(search, &trees[0], 0, goal, &ends[0]);
    }
  }
  return step;
}

/// One sample: a tree grows towards it, and the other one towards where that got to.
static step_t grow(const plan_search_t * search, tree_t trees[2], int side, size_t ends[2])
{
  const plan_space_t * s = search->ask->space;
  tree_t * here = &trees[side], * there = &trees[1 - side];
  double q[PLAN_MAX_JOINTS];
  draw(search, q);
  const size_t near = tree_nearest(here, s, q);
  if (s->branched && plan_random_unit(search->random) < ALONE) {
    stay(s, search->random, exact_at(here, near), q);
  }
  if (plan_distance(s, exact_at(here, near), q) > here->nodes[near].radius) {
    return STEP_TRAPPED;
  }
  step_t step = extend(search, here, near, q, &ends[side]);
  learn(&here->nodes[near], step == STEP_TRAPPED);
  if (step == STEP_TRAPPED || step == STEP_NO_MEMORY) {
    return step;
  }
  memcpy(q, exact_at(here, ends[side]), here->joints * sizeof(double));
  return connect(search, there, tree_nearest(there, s, q), q, &ends[1 - side]);
}

static plan_found_t run(
  const plan_search_t * search, tree_t trees[2], plan_roots_t goals, plan_path_t * path,
  size_t * goal)
{
  size_t ends[2] = {0, 0};
  step_t step = go_straight(search, trees, goals, ends);
  for (uint64_t i = 1; step != STEP_REACHED && step != STEP_NO_MEMORY; i++) {
    if (plan_ask_stopped(search->ask)) {
      return PLAN_STOPPED;
    }
    if (trees[0].count + trees[1].count >= search->max_nodes ||
      (search->max_samples > 0 && i > search->max_samples))
    {
      return PLAN_FULL;
    }
    step = grow(search, trees, trees[0].count <= trees[1].count ? 0 : 1, ends);
  }
  return step == STEP_NO_MEMORY ? PLAN_NO_MEMORY : finish(trees, ends[0], ends[1], path, goal);
}

plan_found_t plan_search(
  const plan_search_t * search, const double * start, plan_roots_t goals, plan_path_t * path,
  size_t * goal)
{
  const plan_space_t * s = search->ask->space;
  tree_t trees[2] = {
    {.allocator = path->allocator, .joints = s->count},
    {.allocator = path->allocator, .joints = s->count}
  };
  bool fine = tree_add(&trees[0], s, start, 0);
  for (size_t g = 0; g < goals.count && fine; g++) {
    fine = tree_add(&trees[1], s, goals.values + g * s->count, g);
  }
  plan_found_t found = fine ? run(search, trees, goals, path, goal) : PLAN_NO_MEMORY;
  search->ask->statistics->nodes += trees[0].count + trees[1].count;
  for (int i = 0; i < 2; i++) {
    tree_fini(&trees[i]);
  }
  return found;
}
