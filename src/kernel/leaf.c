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

/* Leaves of the proof: a direction closes the goal on top, or not. TRUSTED. */

#include <math.h>

#include "base/fpguard.h"
#include "kernel/inside.h"

/// [L2] Ensures:  `used` is exactly what the certificate stores, and no longer than N. False: it is
///           too long, or none.
/// Why:      three floats have exact squares in double, so two additions round (L2). Volatile,
///           because gcc 12 takes (double)(float)x for x when it does two of them at once.
bool kernel_store_direction(vec3_t n, float stored[3], vec3_t * used)
{
  volatile float x = (float)n.x, y = (float)n.y, z = (float)n.z;
  stored[0] = x;
  stored[1] = y;
  stored[2] = z;
  *used = vec3((double)stored[0], (double)stored[1], (double)stored[2]);
  return vec3_dot(*used, *used) <= 1.0 + 0x1p-21;
}

/// [L2] Where bodies may overlap a short direction would show what is not so.
static bool long_enough(const kernel_goal_t * goal, vec3_t n)
{
#ifdef VOUCH_FAULT_SHORT_DIRECTION
  return true;
#endif
  return goal->margin >= 0.0 || vec3_dot(n, n) >= 1.0 - 0x1p-21;
}

/// [L2] Metres that must remain, times |n| or more: of those below 0 no more than |n| takes off.
static inline double charged(const kernel_proof_t * p, const kernel_goal_t * goal)
{
#ifndef VOUCH_FAULT_LONG_MARGIN
  if (p->v.mode == KERNEL_MODE_PROOF && goal->margin < 0.0) {
    return goal->margin * KERNEL_SHORT + kernel_deviation(p, goal) * KERNEL_NORM;
  }
#endif
  return kernel_charge(p, goal) * KERNEL_NORM;
}

/// [L2, L3] Requires: C and l are upper bounds, already raised. Ensures: true only if the gap stays
/// positive on the whole interval. Every comparison fails for NaN. All are made, since none can be
/// predicted: a wrong guess costs more than the rest.
static inline bool accepts(double a, double b, double C, double travel)
{
  double sum = a + b, over = C - sum;
  bool sane = (a > 0.0) & (a < 1e9) & (b > 0.0) & (b < 1e9) & (C >= 0.0);
  return sane & ((C <= sum) | (over * over < 4.0 * a * b) | (sum > travel));
}

/// [L2, L3] Requires: accepts() is true.
/// Ensures:  at most the least gap on the interval: the larger one of what telescoping and what the
///           chord shows.
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

/// Ensures:  the goal on top is closed; a clearance is no more than this leaf certifies.
/// Why:      a gap counts for itself over the length of n, which is at most N.
static bool closed(kernel_proof_t * p, double bound)
{
  if (p->v.mode == KERNEL_MODE_CLEARANCE) {
    double certified = p->v.distance + bound / KERNEL_NORM;
    p->v.lower = fmin(p->v.lower, certified);
  }
  p->v.leaves++;
  p->v.stack_size--;
  return true;
}

/// One direction against one goal. With the least n . y over B, the gap at an end is that + rest -
/// support of A along n.
typedef struct test_s
{
  vec3_t n;
  double rest;         // less than 0: what must remain, and E
  double middle[2];    // rest less what the centre of A's ball takes, at both ends
  double ball;         // its radius along n
  double C, travel;
} test_t;

/// [L2] Requires: kernel_know_ends().
/// Ensures:  what the gaps along n are made of: charges and E subtracted, C and l of the goal.
static inline void look(kernel_proof_t * p, const kernel_goal_t * goal, vec3_t n, test_t * t)
{
  t->n = n;
  t->C = p->v.bend;
  t->travel = p->v.travel * KERNEL_NORM;
  t->ball = p->v.radius * KERNEL_NORM;
  t->rest = -charged(p, goal) - kernel_rounding(p);
  for (int i = 0; i < 2; i++) {
    double taken = vec3_dot(n, p->v.centers[i]);
#ifdef VOUCH_FAULT_WRONG_SIGN
    taken = -taken;
#endif
    t->middle[i] = t->rest - taken;
  }
}

/// The gap at an end, with a support of A along a direction in the frame of its geometry.
typedef double (* support_t)(const vouch_geometry_t * geometry, uint32_t node, vec3_t m);
/// [L2] Ensures:  at most the least of n . (y - x) at that end less what must remain; b is the least
///           n . y over B. `support` is that of A's node, in the frame of its geometry.
static inline double gap(
  kernel_proof_t * p, const test_t * t, int end, double b, support_t support)
{
  const rigid_t * pose = kernel_relative_at(p, p->v.ends[end]);
  vec3_t m = mat3_tmul_vec(&pose->rotation, t->n);
#ifdef VOUCH_FAULT_WRONG_SIGN
  m = vec3_neg(m);
#endif
  return b + (t->rest - vec3_dot(t->n, pose->translation)) -
         support(p->v.geometry_a, p->v.known_node, m);
}

/// [K-NODE] Ensures:  whether the test holds when A's farthest point along n is `more` nearer to B's
///           side than its ball's centre.
static inline bool ball_accepts(const test_t * t, double b, double more)
{
  return accepts(b + t->middle[0] + more, b + t->middle[1] + more, t->C, t->travel);
}

/// [L2, L3] Requires: b is at most the least n . y over B.
/// Ensures:  true only if the goal is apart on the whole interval, by *bound at least.
/// Why:      both gaps are of the whole of A. The vertices that outline it are looked at first, and
///           only to save work: the others cannot make a gap larger.
static bool test_supports(kernel_proof_t * p, const test_t * t, double b, double * bound)
{
  double at[2];
  if (kernel_outlined(p->v.geometry_a, p->v.known_node) &&
    !accepts(
      gap(p, t, 0, b, kernel_support_coarse), gap(p, t, 1, b, kernel_support_coarse), t->C,
      t->travel))
  {
    return false;
  }
  at[0] = gap(p, t, 0, b, kernel_support);
  at[1] = at[0] > 0.0 ? gap(p, t, 1, b, kernel_support) : -1.0;
  if (!accepts(at[0], at[1], t->C, t->travel)) {
    return false;
  }
  if (p->v.mode == KERNEL_MODE_CLEARANCE) {
    *bound = lower_bound(at[0], at[1], t->C, t->travel);
  }
  return true;
}

/// [K-NODE] Ensures:  as test_supports().
/// Why:      a ball that contains A accepts for A; a ball whose far side fails fails for A: speed
///           alone. Clearance asks how far apart, and always for A itself.
static bool test_a(kernel_proof_t * p, const test_t * t, double b, double * bound)
{
  if (p->v.mode != KERNEL_MODE_CLEARANCE && ball_accepts(t, b, -t->ball)) {
    return true;
  }
  /* Not even a single point at the ball's far side would do: save the supports. */
  return ball_accepts(t, b, t->ball) && test_supports(p, t, b, bound);
}

/// [K-NODE] Ensures:  as test_supports(), for B of two bodies.
/// Why:      the balls around A and B, then B itself: a ball in place of a body never makes a gap
///           larger.
static bool test_bodies(
  kernel_proof_t * p, const kernel_goal_t * goal, const test_t * t, double * bound)
{
  const kernel_node_t * node = &kernel_derived(kernel_geometry_b(p, goal))->nodes[goal->b];
  vec3_t center = p->v.scene->placed[goal->body_b] ?
    rigid_apply(&p->v.scene->placements[goal->body_b], node->center) : node->center;
  double middle = vec3_dot(t->n, center), radius = node->radius * KERNEL_NORM;
  if (p->v.mode != KERNEL_MODE_CLEARANCE && ball_accepts(t, middle - radius, -t->ball)) {
    return true;
  }
  return ball_accepts(t, middle + radius, t->ball) &&
         test_a(p, t, kernel_support_b(p, goal, t->n), bound);
}

/// [L2, L3] Why:      one direction for both ends, as stored; the tests are those of accepts().
bool kernel_close_chord(kernel_proof_t * p, vec3_t n)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  float stored[3];
  double bound = 0.0;
  if (!kernel_usable(p, goal) || p->v.kind == VOUCH_PAIR_PLANE ||
    !kernel_store_direction(n, stored, &n) || !long_enough(goal, n) || !kernel_know_ends(p, goal))
  {
    return false;
  }
  p->v.tests++;
  test_t t;
  look(p, goal, n, &t);
  if (!(goal->body_b == VOUCH_NONE ? test_a(p, &t, kernel_support_b(p, goal, n), &bound) :
    test_bodies(p, goal, &t, &bound)))
  {
    return false;
  }
  kernel_write_record(p, PROOF_LEAF, stored);
  return closed(p, bound);
}

/// [L3] Why:      with two directions C says nothing: it is given as infinite, and travel alone
///           decides.
bool kernel_close_schwarzer(kernel_proof_t * p, vec3_t n_begin, vec3_t n_end)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  float stored_a[3], stored_b[3];
  if (!kernel_usable(p, goal) || p->v.kind == VOUCH_PAIR_PLANE ||
    !kernel_store_direction(n_begin, stored_a, &n_begin) ||
    !kernel_store_direction(n_end, stored_b, &n_end) || !long_enough(goal, n_begin) ||
    !long_enough(goal, n_end) || !kernel_know_ends(p, goal))
  {
    return false;
  }
  p->v.tests++;
  test_t begin, end;
  look(p, goal, n_begin, &begin);
  look(p, goal, n_end, &end);
  double a = gap(p, &begin, 0, kernel_support_b(p, goal, n_begin), kernel_support);
  double b = gap(p, &end, 1, kernel_support_b(p, goal, n_end), kernel_support);
  double travel = begin.travel;
  if (!accepts(a, b, INFINITY, travel)) {
    return false;
  }
  kernel_write_record(p, PROOF_LEAVES, stored_a);
  kernel_write(p, stored_b, sizeof(stored_b));
  return closed(p, fmax(0.0, 0.5 * (a + b - travel)));
}

/// [L9] Why:      the direction is the plane's own normal, against it or, for thin planes, along it;
///           then the support of B is its offset. The certificate tells the side in the plane's axes.
bool kernel_close_plane(kernel_proof_t * p, bool negative_side)
{
  const kernel_goal_t * goal = &p->v.stack[p->v.stack_size - 1u];
  if (p->v.kind != VOUCH_PAIR_PLANE || !kernel_usable(p, goal) ||
    !kernel_know_ends(p, goal))
  {
    return false;
  }
  const vouch_body_t * plane = &p->v.scene->problem->scene.bodies[goal->body_b];
  if (negative_side && plane->kind != VOUCH_BODY_PLANE) {
    return false;
  }
  vec3_t normal = vec3_from(plane->normal);
  vec3_t n = negative_side ? normal : vec3_neg(normal);
  double bound = 0.0, support = negative_side ? plane->offset : -plane->offset;
  p->v.tests++;
  test_t t;
  look(p, goal, n, &t);
  if (!test_a(p, &t, support, &bound)) {
    return false;
  }
  const float along[3] = {0.0f, 0.0f, negative_side ? 1.0f : -1.0f};   // in the plane's own axes
  kernel_write_record(p, PROOF_LEAF, along);
  return closed(p, bound);
}
