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

#include "kernel/proof.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"

vouch_ret_t kernel_proof_init(
  kernel_proof_t * p, const kernel_scene_t * scene, vouch_allocator_t allocator, size_t memory)
{
  memset(p, 0, sizeof(*p));
  p->allocator = allocator;
  p->scene = scene;
  size_t joints = scene->most_joints + 1u;
  vouch_ret_t ret = kernel_timeline_init(&p->timeline, scene->problem, allocator, memory);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  p->radii = vouch_calloc(&allocator, scene->most_nodes, joints * sizeof(double));
  p->radii_of = vouch_calloc(&allocator, scene->most_nodes, sizeof(*p->radii_of));
  /* Not zeroed: a pose is read only where relative_of names its pair. */
  p->relative = vouch_realloc(
    &allocator, NULL, p->timeline.configuration_capacity, sizeof(*p->relative));
  p->relative_of = vouch_calloc(
    &allocator, p->timeline.configuration_capacity, sizeof(*p->relative_of));
  if (p->radii == NULL || p->radii_of == NULL || p->relative == NULL || p->relative_of == NULL) {
    kernel_proof_fini(p);
    return VOUCH_RET_NO_MEMORY;
  }
  return VOUCH_RET_OK;
}

void kernel_proof_fini(kernel_proof_t * p)
{
  kernel_timeline_fini(&p->timeline);
  vouch_free(&p->allocator, p->radii);
  vouch_free(&p->allocator, p->radii_of);
  vouch_free(&p->allocator, p->relative);
  vouch_free(&p->allocator, p->relative_of);
  vouch_free(&p->allocator, p->weights);
  vouch_free(&p->allocator, p->ops);
  memset(p, 0, sizeof(*p));
}

vouch_ret_t kernel_proof_again(kernel_proof_t * p)
{
  p->stack_size = 0;
  p->ops_size = 0;
  p->ops_failed = false;
  p->leaves = p->tests = 0;
  p->lower = INFINITY;
  p->opened_at_root = false;
  p->bend_interval = VOUCH_NONE;
  p->fp_checked = vouch_fp_environment_ok();
  if (!p->fp_checked) {
    return vouch_fail(
      VOUCH_RET_FP_ENVIRONMENT,
      "this thread does not round to nearest or flushes denormals (a library compiled with "
      "-ffast-math does that): nothing can be proved");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t kernel_proof_begin(kernel_proof_t * p)
{
  vouch_ret_t ret = kernel_proof_again(p);
  ret = ret ? ret : kernel_timeline_set_motion(&p->timeline);
  if (ret == VOUCH_RET_OK && p->weights_capacity < p->timeline.interval_capacity) {
    vouch_free(&p->allocator, p->weights);
    p->weights_capacity = 0;
    p->weights = vouch_realloc(
      &p->allocator, NULL, p->timeline.interval_capacity,
      2u * (p->scene->most_joints + 1u) * sizeof(double));
    if (p->weights == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    p->weights_capacity = p->timeline.interval_capacity;
  }
  return ret;
}

static bool write_ops(kernel_proof_t * p, const void * data, size_t size)
{
  if (!p->record || p->ops_failed) {
    return true;
  }
  if (p->ops_capacity - p->ops_size < size) {
    size_t capacity = 2u * p->ops_capacity + size + 4096u;
    uint8_t * ops = vouch_realloc(&p->allocator, p->ops, capacity, 1);
    if (ops == NULL) {
      p->ops_failed = true;
      return false;
    }
    p->ops = ops;
    p->ops_capacity = capacity;
  }
  memcpy(p->ops + p->ops_size, data, size);
  p->ops_size += size;
  return true;
}

static void write_tag(kernel_proof_t * p, char tag)
{
  write_ops(p, &tag, 1);
}

static void write_direction(kernel_proof_t * p, const float n[3])
{
  write_ops(p, n, 3u * sizeof(float));
}

/// A goal with nothing to check under it is dropped without an op.
static void push(kernel_proof_t * p, kernel_goal_t goal)
{
  const vouch_pair_t * pair = kernel_pair(p);
  if (pair->kind != VOUCH_PAIR_GROUP) {
    goal.margin = pair->margin;
  } else if (goal.body_b == VOUCH_NONE) {
    goal.margin = pair->leaf_margins[goal.b];
  }
  if (goal.margin >= 0.0) {
    p->stack[p->stack_size++] = goal;
  }
}

/// Serial numbers say whose cached radii, bounds and poses these are. They start again before they
/// meet VOUCH_NONE or an old one.
static void next_serial(kernel_proof_t * p)
{
  if (p->serial >= VOUCH_NONE - 1u) {
    memset(p->radii_of, 0, p->scene->most_nodes * sizeof(*p->radii_of));
    memset(p->relative_of, 0, p->timeline.configuration_capacity * sizeof(*p->relative_of));
    for (uint32_t i = 0; i < p->timeline.interval_count; i++) {
      p->timeline.intervals[i].weights_of = VOUCH_NONE;
    }
    p->bend_interval = VOUCH_NONE;
    p->serial = 0;
  }
  p->serial++;
}

static void open_pair(kernel_proof_t * p, uint32_t pair)
{
  const vouch_problem_t * problem = p->scene->problem;
  const vouch_body_t * body = &problem->scene.bodies[problem->scene.pairs[pair].a];
  p->pair = pair;
  p->geometry_a = problem->geometry.geometries[body->geometry];
  next_serial(p);
  p->stack_size = 0;
  p->abandoned = false;
}

void kernel_proof_open(kernel_proof_t * p, uint32_t number)
{
  open_pair(p, number);
  p->opened_at_root = true;
  const vouch_pair_t * pair = kernel_pair(p);
  bool group = pair->kind == VOUCH_PAIR_GROUP;
  push(p, (kernel_goal_t) {.body_b = group ? VOUCH_NONE : pair->b, .hint = vec3(0.0, 0.0, 1.0)});
}

void kernel_proof_open_at(kernel_proof_t * p, uint32_t pair, const kernel_goal_t * goal)
{
  open_pair(p, pair);
  p->opened_at_root = false;
  push(p, *goal);
}

bool kernel_proof_proved(const kernel_proof_t * p)
{
  return p->stack_size == 0 && p->opened_at_root && !p->abandoned && p->fp_checked &&
         !p->has_horizon &&
         p->mode == KERNEL_MODE_PROOF;
}

/* ---- splitting ---- */

kernel_step_result_t kernel_split_time(kernel_proof_t * p)
{
  kernel_goal_t goal = p->stack[p->stack_size - 1u];
  if (p->stack_size + 1u > KERNEL_STACK || !kernel_timeline_split(&p->timeline, goal.interval)) {
    return KERNEL_LIMIT;
  }
  const kernel_interval_t * interval = &p->timeline.intervals[goal.interval];
  write_tag(p, 'T');
  p->stack_size--;
  kernel_goal_t early = goal, late = goal;
  early.interval = interval->left;
  late.interval = interval->right;
  push(p, late);
  push(p, early);
  return KERNEL_DONE;
}

static bool usable(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  return !p->timeline.intervals[goal->interval].start_inside;
}

/// [L7, L8] The goal is replaced by two that cover it, after what is owed at a start.
static kernel_step_result_t descend(
  kernel_proof_t * p, char tag, const kernel_goal_t * goal, const kernel_goal_t * left,
  const kernel_goal_t * right)
{
  size_t mark = p->ops_size;
  write_tag(p, tag);
  kernel_step_result_t owed = kernel_start_containment(p, goal);
  if (owed != KERNEL_DONE) {
    p->ops_size = p->record ? mark : p->ops_size;
    return owed;
  }
  p->stack_size--;
  push(p, *right);
  push(p, *left);
  return KERNEL_DONE;
}

kernel_step_result_t kernel_descend_a(kernel_proof_t * p)
{
  kernel_goal_t goal = p->stack[p->stack_size - 1u], left = goal, right = goal;
  const vouch_tree_node_t * node = &kernel_geometry_a(p)->nodes[goal.a];
  if (node->left == 0 || goal.body_b == VOUCH_NONE || !usable(p, &goal)) {
    return KERNEL_REFUSED;
  }
  if (p->stack_size + 1u > KERNEL_STACK) {
    return KERNEL_LIMIT;
  }
  left.a = node->left;
  right.a = node->right;
  return descend(p, 'A', &goal, &left, &right);
}

static kernel_step_result_t descend_group(kernel_proof_t * p, kernel_goal_t goal)
{
  const vouch_group_t * group = &p->scene->problem->scene.groups[goal.b];
  write_tag(p, 'B');
  p->stack_size--;
  kernel_goal_t left = goal, right = goal;
  if (group->body != VOUCH_NONE) {
    left.body_b = group->body;
    left.b = 0;
    push(p, left);
    return KERNEL_DONE;
  }
  left.b = group->left;
  right.b = group->right;
  push(p, right);
  push(p, left);
  return KERNEL_DONE;
}

kernel_step_result_t kernel_descend_b(kernel_proof_t * p)
{
  kernel_goal_t goal = p->stack[p->stack_size - 1u];
  if (kernel_pair(p)->kind == VOUCH_PAIR_PLANE || !usable(p, &goal)) {
    return KERNEL_REFUSED;
  }
  if (p->stack_size + 1u > KERNEL_STACK) {
    return KERNEL_LIMIT;
  }
  if (goal.body_b == VOUCH_NONE) {
    return descend_group(p, goal);
  }
  const vouch_tree_node_t * node = &kernel_geometry_b(p, &goal)->nodes[goal.b];
  if (node->left == 0) {
    return KERNEL_REFUSED;
  }
  kernel_goal_t left = goal, right = goal;
  left.b = node->left;
  right.b = node->right;
  return descend(p, 'B', &goal, &left, &right);
}

void kernel_write_record(kernel_proof_t * p, char tag, const float values[3])
{
  write_tag(p, tag);
  write_direction(p, values);
}

bool kernel_skip(kernel_proof_t * p)
{
  const kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  const kernel_interval_t * interval = &p->timeline.intervals[goal->interval];
  double begin = ldexp((double)interval->numerator, -(int)interval->depth);
  bool after = interval->first > p->horizon_segment ||
    (interval->first == p->horizon_segment && begin >= p->horizon_fraction);
  if (!p->has_horizon || !after) {
    return false;
  }
  write_tag(p, 'S');
  p->stack_size--;
  return true;
}

void kernel_abandon(kernel_proof_t * p)
{
  p->abandoned = true;
  p->stack_size--;
}

/* ---- leaves ---- */

/// The stored direction: what the certificate says is what is tested. Volatile, because gcc 12
/// takes (double)(float)x for x when it does two of them at once.
bool kernel_store_direction(vec3_t n, float stored[3], vec3_t * used)
{
  volatile float x = (float)n.x, y = (float)n.y, z = (float)n.z;
  stored[0] = x;
  stored[1] = y;
  stored[2] = z;
  *used = vec3((double)stored[0], (double)stored[1], (double)stored[2]);
  return vec3_dot(*used, *used) <= 1.0 + 0x1p-21;
}

/// [L2, L3] Requires: C and l are upper bounds, already raised. Ensures: true only if the gap stays
/// positive on the whole interval. Every comparison fails for NaN.
static bool accepts(double a, double b, double C, double travel)
{
  if (!(a > 0.0 && a < 1e9 && b > 0.0 && b < 1e9 && C >= 0.0)) {
    return false;
  }
  double sum = a + b, over = C - sum;
  return C <= sum || over * over < 4.0 * a * b || sum > travel;
}

/// Lower bound of the gap on the interval (L2, L3).
static double lower_bound(double a, double b, double C, double travel)
{
  double first = 0.5 * (a + b - travel), chord;
  if (C <= fabs(a - b)) {
    chord = fmin(a, b);
  } else {
    double x = C + a - b;
    chord = a - x * x / (4.0 * C);
  }
  return fmax(0.0, fmax(first, chord));
}

static bool closed(kernel_proof_t * p, double bound)
{
  if (p->mode == KERNEL_MODE_CLEARANCE) {
    double certified = p->distance + bound / KERNEL_NORM;
    p->lower = fmin(p->lower, certified);
  }
  p->leaves++;
  p->stack_size--;
  return true;
}

/// One end of the interval seen along n: gap = rest - support of A along m.
typedef struct sight_s
{
  vec3_t m;      // n in the frame of A's geometry
  double rest;
} sight_t;

static sight_t look(const rigid_t * relative, vec3_t n, double rest)
{
  vec3_t m = mat3_tmul_vec(&relative->rotation, n);
#ifdef VOUCH_FAULT_WRONG_SIGN
  m = vec3_neg(m);
#endif
  return (sight_t) {m, rest - vec3_dot(n, relative->translation)};
}

static double gap(const kernel_proof_t * p, const kernel_goal_t * goal, const sight_t * sight)
{
  return sight->rest - kernel_support(kernel_geometry_a(p), goal->a, sight->m);
}

/// The ball around A instead of A itself: cheaper, and never a larger gap.
static double ball_gap(const kernel_node_t * node, const sight_t * sight)
{
  return sight->rest - vec3_dot(sight->m, node->center) - node->radius * KERNEL_NORM;
}

/// Poses of A in the frame of B at the two ends of the goal's interval.
typedef struct ends_s
{
  const rigid_t * begin, * end;
} ends_t;

/// False: memory is used up.
static bool find_ends(kernel_proof_t * p, const kernel_goal_t * goal, ends_t * ends)
{
  ends->begin = kernel_relative_begin(p, goal->interval);
  ends->end = kernel_relative_end(p, goal->interval);
  return ends->begin != NULL && ends->end != NULL;
}

static bool test_direction(
  kernel_proof_t * p, const kernel_goal_t * goal, const ends_t * ends, vec3_t n, double support,
  double * bound)
{
  double C = kernel_bend(p, goal), travel = kernel_travel(p, goal) * KERNEL_NORM;
  double rest = support - kernel_charge(p, goal) * KERNEL_NORM - kernel_rounding(p);
  const kernel_node_t * node = &kernel_derived(kernel_geometry_a(p))->nodes[goal->a];
  sight_t begin = look(ends->begin, n, rest), end = look(ends->end, n, rest);
  double a = ball_gap(node, &begin), b = ball_gap(node, &end);
  p->tests++;
  if (!accepts(a, b, C, travel) || p->mode == KERNEL_MODE_CLEARANCE) {
    /* Not even a single point at the ball's far side would do: save the supports. */
    double across = 2.0 * node->radius * KERNEL_NORM;
    if (!accepts(a + across, b + across, C, travel)) {
      return false;
    }
    a = gap(p, goal, &begin);
    b = a > 0.0 ? gap(p, goal, &end) : -1.0;
  }
  if (!accepts(a, b, C, travel)) {
    return false;
  }
  *bound = lower_bound(a, b, C, travel);
  return true;
}

bool kernel_close_chord(kernel_proof_t * p, vec3_t n)
{
  const kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  float stored[3];
  double bound;
  ends_t ends;
  if (!usable(
      p,
      goal) || kernel_pair(p)->kind == VOUCH_PAIR_PLANE || !kernel_store_direction(n, stored, &n) ||
    !find_ends(p, goal, &ends) ||
    !test_direction(p, goal, &ends, n, kernel_support_b(p, goal, n), &bound))
  {
    return false;
  }
  write_tag(p, 'L');
  write_direction(p, stored);
  return closed(p, bound);
}

bool kernel_close_schwarzer(kernel_proof_t * p, vec3_t n_begin, vec3_t n_end)
{
  const kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  float stored_a[3], stored_b[3];
  ends_t ends;
  if (!usable(p, goal) || kernel_pair(p)->kind == VOUCH_PAIR_PLANE ||
    !kernel_store_direction(n_begin, stored_a, &n_begin) ||
    !kernel_store_direction(n_end, stored_b, &n_end) || !find_ends(p, goal, &ends))
  {
    return false;
  }
  p->tests++;
  double travel = kernel_travel(p, goal) * KERNEL_NORM;
  double charge = kernel_charge(p, goal) * KERNEL_NORM + kernel_rounding(p);
  sight_t begin = look(ends.begin, n_begin, kernel_support_b(p, goal, n_begin) - charge);
  sight_t end = look(ends.end, n_end, kernel_support_b(p, goal, n_end) - charge);
  double a = gap(p, goal, &begin), b = gap(p, goal, &end);
  if (!accepts(a, b, INFINITY, travel)) {
    return false;
  }
  write_tag(p, 'D');
  write_direction(p, stored_a);
  write_direction(p, stored_b);
  return closed(p, fmax(0.0, 0.5 * (a + b - travel)));
}

bool kernel_close_plane(kernel_proof_t * p, bool negative_side)
{
  const kernel_goal_t * goal = &p->stack[p->stack_size - 1u];
  ends_t ends;
  if (kernel_pair(p)->kind != VOUCH_PAIR_PLANE || !usable(p, goal) ||
    !find_ends(p, goal, &ends))
  {
    return false;
  }
  const vouch_body_t * plane = &p->scene->problem->scene.bodies[goal->body_b];
  if (negative_side && plane->kind != VOUCH_BODY_PLANE) {
    return false;
  }
  vec3_t normal = vec3_from(plane->normal);
  vec3_t n = negative_side ? normal : vec3_neg(normal);
  double bound, support = negative_side ? plane->offset : -plane->offset;
  if (!test_direction(p, goal, &ends, n, support, &bound)) {
    return false;
  }
  uint8_t side = negative_side ? 1 : 0;
  write_tag(p, 'P');
  write_ops(p, &side, 1);
  return closed(p, bound);
}

void kernel_close_copied(kernel_proof_t * p, const uint8_t * ops, size_t size, uint64_t leaves)
{
  write_ops(p, ops, size);
  p->leaves += leaves;
  p->stack_size--;
}
