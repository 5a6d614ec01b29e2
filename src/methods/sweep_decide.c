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

/* Which test to try on a pair, and what to do when none of them succeeds.
 *
 * TRUSTED only in this: SWEEP_EXCLUDED is returned right after chord_gap(), fat_plane_gap(), or
 * plane_gap() at the centre together with fat_features_apart(), succeeded. The rest is search. */

#include "methods/direction.h"
#include "methods/sweep.h"

/* Descend when the balls add less than this share of the node's size: earlier, every leaf is
 * tested on every level. */
#define DESCEND_SHARE 0.3

static int points_of(
  const vouch_rigid_body_t * body, uint32_t node, const vouch_affine_t * g, vec3_t out[8])
{
  const body_node_t * box = &body->nodes[node];
  int count = body_node_is_leaf(box) ? 3 : 8;
  for (int k = 0; k < count; k++) {
    vec3_t v = count == 3 ? body_vertex(body, box->triangle, k) : vec3(
      box->centre.x + (k & 1 ? box->half.x : -box->half.x),
      box->centre.y + (k & 2 ? box->half.y : -box->half.y),
      box->centre.z + (k & 4 ? box->half.z : -box->half.z));
    out[k] = g == NULL ? v : affine_apply(g, v);
  }
  return count;
}

static closest_t closest_at(
  const sweep_t * sweep, const sweep_pair_t * pair, const vouch_affine_t * g)
{
  vec3_t a[8], b[8];
  int count_a = points_of(sweep->moving, pair->a, g, a);
  int count_b = points_of(sweep->fixed, pair->b, NULL, b);
  return direction_between(a, count_a, b, count_b);
}

static vec3_t stored(const sweep_pair_t * pair)
{
  return vec3((double)pair->n[0], (double)pair->n[1], (double)pair->n[2]);
}

static void store(sweep_pair_t * pair, vec3_t n)
{
  pair->n[0] = (float)n.x;
  pair->n[1] = (float)n.y;
  pair->n[2] = (float)n.z;
}

static void note_gap(sweep_task_t * task, double gap)
{
  task->clearance_lower = fmin(task->clearance_lower, gap + task->sweep->extra);
}

/// Two triangles at the middle of the piece: a hit, too near for the tolerance, or nothing.
static sweep_decision_t leaf_at_middle(
  sweep_task_t * task, const sweep_piece_t * at, const sweep_pair_t * pair,
  const closest_t * closest)
{
  const sweep_t * sweep = task->sweep;
  double middle = 0.5 * (at->piece->from + at->piece->to);
  double margin = sweep->options->margin_m;
  const static_query_t query = {
    sweep->moving, sweep->fixed, &at->piece->at[1], at->rounding, margin
  };
  static_witness_t w = {
    .triangle_a = sweep->moving->nodes[pair->a].triangle,
    .triangle_b = sweep->fixed->nodes[pair->b].triangle,
    .a = closest->a, .b = closest->b, .distance = closest->distance
  };
  if (closest->distance > 0.0 && closest->distance + at->rounding < task->clearance_upper) {
    task->clearance_upper = closest->distance + at->rounding;
    task->closest_fraction = middle;
    task->closest_a = closest->a;
    task->closest_b = closest->b;
  }
  /* Two points of the two triangles: their distance is an upper bound, whatever the search
   * thought. */
  double apart = vec3_norm(vec3_sub(closest->a, closest->b));
  bool near = closest->distance > 0.0 && apart + at->rounding < margin;
  if (task->hit.valid && task->hit.fraction <= middle) {
    return SWEEP_KEEP;
  }
  vec3_t point;
  if (closest->distance <= at->rounding &&
    static_triangles_cross(&query, w.triangle_a, w.triangle_b, &point))
  {
    w.a = w.b = point;
    w.distance = 0.0;
    task->hit = (sweep_hit_t) {true, false, middle, w, 0.0};
  } else if (near) {
    task->hit = (sweep_hit_t) {true, true, middle, w, apart + at->rounding};
  } else if (sweep->options->method == VOUCH_RIGID_CHORD && closest->distance > 0.0 &&
    closest->distance + at->rounding < sweep->extra)
  {
    return SWEEP_STOP_PAIR;
  }
  return SWEEP_KEEP;
}

static sweep_decision_t descend(
  const sweep_t * sweep, const sweep_pair_t * pair)
{
  const body_node_t * a = &sweep->moving->nodes[pair->a], * b = &sweep->fixed->nodes[pair->b];
  if (body_node_is_leaf(a)) {
    return SWEEP_DESCEND_B;
  }
  return body_node_is_leaf(b) || a->radius >= b->radius ? SWEEP_DESCEND_A : SWEEP_DESCEND_B;
}

static sweep_decision_t decide_chord(
  sweep_task_t * task, sweep_piece_t * at, sweep_pair_t * pair)
{
  const sweep_t * sweep = task->sweep;
  const body_node_t * a = &sweep->moving->nodes[pair->a], * b = &sweep->fixed->nodes[pair->b];
  const node_pair_t nodes = {sweep->moving, sweep->fixed, pair->a, pair->b, sweep->extra};
  bool leaves = body_node_is_leaf(a) && body_node_is_leaf(b);
  vec3_t n = stored(pair);
  double need = 0.0, gap = -1.0;
  if (vec3_dot(n, n) > 0.0) {
    gap = chord_gap(&nodes, at->piece, at->rounding, n, &need);
  }
  if (!(gap > 0.0)) {
    vec3_t away = vec3_sub(b->centre, affine_apply(&at->piece->at[1], a->centre));
    n = vec3_scale(vec3_unit(away, vec3(1.0, 0.0, 0.0)), 1.0 - 0x1p-30);
    if (vec3_dot(away, away) > (a->radius + b->radius) * (a->radius + b->radius)) {
      gap = chord_gap(&nodes, at->piece, at->rounding, n, &need);
    }
  }
  if (gap > 0.0) {
    note_gap(task, gap);
    return SWEEP_EXCLUDED;
  }
  closest_t closest = closest_at(sweep, pair, &at->piece->at[1]);
  gap = chord_gap(&nodes, at->piece, at->rounding, closest.direction, &need);
  if (gap > 0.0) {
    note_gap(task, gap);
    return SWEEP_EXCLUDED;
  }
  store(pair, closest.distance > 0.0 ? closest.direction : vec3(0.0, 0.0, 0.0));
  if (leaves) {
    return leaf_at_middle(task, at, pair, &closest);
  }
  double size =
    fmax(body_node_is_leaf(a) ? 0.0 : a->radius, body_node_is_leaf(b) ? 0.0 : b->radius);
  bool small = closest.distance < sweep->extra + 0.02 * size;
  return small && need < 2.0 * size ? descend(sweep, pair) : SWEEP_KEEP;
}

/// The ball that belongs to a node: the body's, or the face's own for single triangles.
static const motion_ball_t * ball_of(sweep_task_t * task, sweep_piece_t * at, uint32_t node)
{
  const sweep_t * sweep = task->sweep;
  const body_node_t * a = &sweep->moving->nodes[node];
  if (sweep->face_metrics == NULL || !body_node_is_leaf(a)) {
    return &at->ball;
  }
  if (at->face != a->triangle) {
    at->face = a->triangle;
    at->face_ball = motion_ball(
      at->piece, &sweep->face_metrics[a->triangle], sweep->options->ball, INFINITY);
    at->face_ball.radius += sweep->face_tolerance[a->triangle];
  }
  return &at->face_ball;
}

/// The part of the ball's radius that does not shrink with the piece of motion.
static double tolerance_of(const sweep_t * sweep, uint32_t node)
{
  const body_node_t * a = &sweep->moving->nodes[node];
  return sweep->face_metrics != NULL && body_node_is_leaf(a) ?
         sweep->face_tolerance[a->triangle] : sweep->tolerance;
}

static sweep_decision_t decide_toleranced(
  sweep_task_t * task, sweep_piece_t * at, sweep_pair_t * pair)
{
  const sweep_t * sweep = task->sweep;
  const body_node_t * a = &sweep->moving->nodes[pair->a], * b = &sweep->fixed->nodes[pair->b];
  const node_pair_t nodes = {sweep->moving, sweep->fixed, pair->a, pair->b, sweep->extra};
  const motion_ball_t * ball = ball_of(task, at, pair->a);
  const fat_face_t * face = body_node_is_leaf(a) ? &sweep->faces[a->triangle] : NULL;
  bool leaves = face != NULL && body_node_is_leaf(b);
  task->statistics.face_tests += leaves;
  vec3_t n = stored(pair);
  if (vec3_dot(n, n) > 0.0 && fat_plane_gap(&nodes, face, ball, at->rounding, n) > 0.0) {
    return SWEEP_EXCLUDED;
  }
  closest_t closest = closest_at(sweep, pair, &ball->g);
  if (fat_plane_gap(&nodes, face, ball, at->rounding, closest.direction) > 0.0) {
    return SWEEP_EXCLUDED;
  }
  store(pair, closest.distance > 0.0 ? closest.direction : vec3(0.0, 0.0, 0.0));
  if (!leaves) {
    double size = fmax(face != NULL ? 0.0 : a->radius, body_node_is_leaf(b) ? 0.0 : b->radius);
    double moved = ball->radius - tolerance_of(sweep, pair->a);
    return moved * a->rho < DESCEND_SHARE * size ? descend(sweep, pair) : SWEEP_KEEP;
  }
  flat_face_t fixed = {.count = 3};
  for (int k = 0; k < 3; k++) {
    fixed.y[k] = body_vertex(sweep->fixed, b->triangle, k);
  }
  bool nested = sweep->options->ball == VOUCH_BALL_NESTED && sweep->face_metrics == NULL;
  uint16_t * done = nested ? &pair->done : NULL;
  if (plane_gap(&nodes, &ball->g, at->rounding, closest.direction) > 0.0 &&
    fat_features_apart(face, &fixed, ball, sweep->extra + at->rounding, done))
  {
    return SWEEP_EXCLUDED;
  }
  if (sweep->options->ball == VOUCH_BALL_POLYGON ||
    sweep->options->ball == VOUCH_BALL_PROPOSITION_2)
  {
    closest = closest_at(sweep, pair, &at->piece->at[1]);
  }
  return leaf_at_middle(task, at, pair, &closest);
}

sweep_decision_t sweep_decide(sweep_task_t * task, sweep_piece_t * at, sweep_pair_t * pair)
{
  task->statistics.node_tests++;
  return task->sweep->options->method == VOUCH_RIGID_TOLERANCED ?
         decide_toleranced(task, at, pair) : decide_chord(task, at, pair);
}
