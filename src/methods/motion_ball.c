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

/* TRUSTED. See motion_ball.h.
 *
 * With n(s) = sum B_i w_i (P_i - g) the curve is c - g = n / W. Bernstein bounds give
 *   |n'| <= n1 = d max|D(w(P-g))|,  |n''| <= n2 = d(d-1) max|D2(w(P-g))|, the same for W: w1, w2,
 *   |n/W| <= M = max|P_i - g|,      W >= w = min w_i, hence
 *   |c'|  <= (n1 + M w1) / w,
 *   |c''| <= (n2 + M w2) / w + 2 w1 (n1 + M w1) / w^2.
 * [B-MIDPOINT] hull property.  [B-NESTED] |c(s) - c(1/2)| <= |c'| / 2; the speed bound of a half is
 * at most half of the whole's, so its ball (centre within speed/4, radius at most speed/4) is
 * inside. An element test that passed is used again at smaller pieces: that needs their
 * displacements, which are in this ball by [B-COVER], and their rounded centres. These are on the
 * piece up to the rounding r of the deepest level, so that a radius of speed/2 + 4 r holds them.
 * [B-PROP2] Proposition 2 with length <= |c'| and curvature <= |c''| / min|c'|^2.
 * All radii are raised by the rounding of the displacements, measured in the metric. */

#include "methods/motion_ball.h"

#include "base/fpguard.h"

typedef struct bounds_s
{
  double n1, n2, reach, w, w1, w2;
} bounds_t;

static double norm12(const double v[12])
{
  double sum = 0.0;
  for (int k = 0; k < 12; k++) {
    sum += v[k] * v[k];
  }
  return sqrt(sum) * (1.0 + 0x1p-40);
}

/// How much the rounding of displacements is worth in the metric.
static double rounding_in_metric(const motion_piece_t * piece, const metric_t * metric)
{
  double size = 0.0;
  for (int k = 0; k < 12; k++) {
    size += fabs(piece->at[0].m[k]) + fabs(piece->at[1].m[k]) + fabs(piece->at[2].m[k]);
  }
  double arms = vec3_norm(metric->centre) + metric->s[0] + metric->s[1] + metric->s[2];
  return 2.0 * (piece->error[0] * arms + piece->error[1]) + 0x1p-44 * size * (arms + 1.0);
}

static void control_point(const motion_piece_t * piece, size_t i, vouch_affine_t * out)
{
  double inverse = 1.0 / piece->h[i][0];
  for (int k = 0; k < 12; k++) {
    out->m[k] = piece->h[i][1 + k] * inverse;
  }
}

static double furthest_control(
  const motion_piece_t * piece, const metric_t * metric, const vouch_affine_t * g)
{
  double most = 0.0;
  for (size_t i = 0; i <= piece->segment->degree; i++) {
    vouch_affine_t p;
    control_point(piece, i, &p);
    most = fmax(most, metric_distance(metric, &p, g));
  }
  return most;
}

/// w (P - g) of one control point in the coordinates of the metric.
static void weighted_control(
  const double h[13], const metric_t * metric, const vouch_affine_t * g, double e[12])
{
  vouch_affine_t weighted;
  for (int k = 0; k < 12; k++) {
    weighted.m[k] = h[1 + k] - h[0] * g->m[k];
  }
  metric_embed(metric, &weighted, e);
}

/// The numbers of the header comment about the centre g, errors of the coefficients included.
static bounds_t bezier_bounds(
  const motion_piece_t * piece, const metric_t * metric, const vouch_affine_t * g)
{
  size_t degree = piece->segment->degree;
  double e[3][12], d = (double)degree, n1 = 0.0, n2 = 0.0, w1 = 0.0, w2 = 0.0;
  bounds_t b = {.w = INFINITY};
  double slack = rounding_in_metric(piece, metric) * 4.0, most = 0.0;
  for (size_t i = 0; i <= degree; i++) {
    double * now = e[i % 3];
    const double * last = e[(i + 2) % 3], * before = e[(i + 1) % 3];
    double first[12], second[12], w = piece->h[i][0];
    weighted_control(piece->h[i], metric, g, now);
    b.w = fmin(b.w, w - piece->coefficient_error[0]);
    most = fmax(most, w);
    b.reach = fmax(b.reach, norm12(now) / w);
    if (i >= 1) {
      for (int k = 0; k < 12; k++) {
        first[k] = now[k] - last[k];
      }
      n1 = fmax(n1, norm12(first));
      w1 = fmax(w1, fabs(w - piece->h[i - 1][0]));
    }
    if (i >= 2) {
      for (int k = 0; k < 12; k++) {
        second[k] = now[k] - 2.0 * last[k] + before[k];
      }
      n2 = fmax(n2, norm12(second));
      w2 = fmax(w2, fabs(w - 2.0 * piece->h[i - 1][0] + piece->h[i - 2][0]));
    }
  }
  b.n1 = d * (n1 + slack * most);
  b.w1 = d * (w1 + 2.0 * piece->coefficient_error[0]);
  b.n2 = d * (d - 1.0) * (n2 + 2.0 * slack * most);
  b.w2 = d * (d - 1.0) * (w2 + 8.0 * piece->coefficient_error[0]);
  b.reach += slack;
  return b;
}

static double bezier_speed(const bounds_t * b)
{
  return (b->n1 + b->reach * b->w1) / b->w * (1.0 + 0x1p-40);
}

static double bezier_acceleration(const bounds_t * b)
{
  double linear = (b->n2 + b->reach * b->w2) / b->w;
  return (linear + 2.0 * b->w1 * bezier_speed(b) / b->w) * (1.0 + 0x1p-40);
}

/// |c'| and |c''| of a screw piece are constant: helices about the axis.
static void screw_rates(
  const motion_piece_t * piece, const metric_t * metric, double * speed, double * acceleration)
{
  const rigid_segment_t * segment = piece->segment;
  double h = piece->to - piece->from, turn = segment->screw.angle * h;
  double travel = segment->screw.travel * h;
  vec3_t arm = vec3_sub(
    affine_apply(&piece->at[0], metric->centre), vec3_from(segment->screw.point));
  double slack = rounding_in_metric(piece, metric) + 0x1p-40 * vec3_norm(arm);
  double off = vec3_norm(vec3_cross(segment->axis, arm)) + slack, sum = off * off;
  for (int j = 0; j < 3; j++) {
    vec3_t q = affine_linear(&piece->at[0], metric->q[j]);
    double across = (vec3_norm(vec3_cross(segment->axis, q)) + 0x1p-40) * metric->s[j];
    sum += across * across;
  }
  *speed = sqrt(turn * turn * sum + travel * travel) * (1.0 + 0x1p-40) + slack * fabs(turn);
  *acceleration = turn * turn * sqrt(sum) * (1.0 + 0x1p-40);
}

/// Badoiu and Clarkson's iteration: any centre is legal, this one is near the best. Of many control
/// points, which lie close together, some are enough for it.
static void polygon_centre(
  const motion_piece_t * piece, const metric_t * metric, vouch_affine_t * g)
{
  size_t degree = piece->segment->degree, step = 1 + degree / 16;
  for (int round = 1; round <= 10; round++) {
    double most = -1.0;
    vouch_affine_t far = *g, p;
    for (size_t i = 0; i <= degree; i += i < degree && i + step > degree ? degree - i : step) {
      control_point(piece, i, &p);
      double distance = metric_distance(metric, &p, g);
      if (distance > most) {
        most = distance;
        far = p;
      }
    }
    for (int k = 0; k < 12; k++) {
      g->m[k] += (far.m[k] - g->m[k]) / (double)(round + 1);
    }
  }
}

/* [B-PROP2] Requires: |c'| in [slowest, speed], |c''| <= acceleration on the piece, `toward` a
 * displacement ahead of the start in the direction of c'(0). False when the piece turns too much
 * for the proposition. */
static bool proposition_2(
  const motion_piece_t * piece, const metric_t * metric, const vouch_affine_t * toward,
  const double rates[3], motion_ball_t * ball)
{
  double slowest = rates[0], speed = rates[1], acceleration = rates[2];
  double ahead = metric_distance(metric, toward, &piece->at[0]);
  if (!(slowest > 0.0) || !(ahead > 0.0)) {
    return false;
  }
  double bent = speed * acceleration / (slowest * slowest) * (1.0 + 0x1p-40);
  if (!(bent < 1.5)) {
    return false;
  }
  double k = bent > 1e-6 ? speed * tan(0.5 * bent) / bent : 0.5 * speed * (1.0 + 1e-9);
  for (int i = 0; i < 12; i++) {
    ball->g.m[i] = piece->at[0].m[i] + (toward->m[i] - piece->at[0].m[i]) * (k / ahead);
  }
  /* The centre lies k along a direction that is known to the rounding of `toward`. */
  ball->radius = k * (1.0 + 0x1p-38) + 4.0 * (k / ahead) * rounding_in_metric(piece, metric);
  return true;
}

static void bezier_ball(
  const motion_piece_t * piece, const metric_t * metric, vouch_ball_t kind, motion_ball_t * ball)
{
  bounds_t b = bezier_bounds(piece, metric, &piece->at[1]);
  ball->speed = fmin(ball->speed, bezier_speed(&b));
  if (kind == VOUCH_BALL_NESTED) {
    ball->radius = 0.5 * ball->speed;
  } else if (kind == VOUCH_BALL_POLYGON) {
    polygon_centre(piece, metric, &ball->g);
    ball->radius = furthest_control(piece, metric, &ball->g);
  } else if (kind == VOUCH_BALL_PROPOSITION_2) {
    vouch_affine_t next;
    control_point(piece, 1, &next);
    double e = piece->coefficient_error[0];
    double ratio = (piece->h[1][0] - e) / (piece->h[0][0] + e);
    double start = (double)piece->segment->degree * ratio *
      (metric_distance(metric, &next, &piece->at[0]) * (1.0 - 0x1p-30) -
      8.0 * rounding_in_metric(piece, metric));
    double acceleration = bezier_acceleration(&b);
    const double rates[3] = {start - acceleration, ball->speed, acceleration};
    if (proposition_2(piece, metric, &next, rates, ball)) {
      return;
    }
    ball->radius = furthest_control(piece, metric, &ball->g);
  } else {
    ball->radius = furthest_control(piece, metric, &ball->g);
  }
}

static void screw_ball(
  const motion_piece_t * piece, const metric_t * metric, vouch_ball_t kind, motion_ball_t * ball)
{
  double speed, acceleration, turn = piece->segment->screw.angle * (piece->to - piece->from);
  screw_rates(piece, metric, &speed, &acceleration);
  ball->speed = fmin(ball->speed, speed);
  ball->radius = 0.5 * ball->speed;
  if (kind == VOUCH_BALL_PROPOSITION_2) {
    vouch_affine_t next = piece->at[1];
    const rigid_segment_t * segment = piece->segment;
    double h = piece->to - piece->from;
    for (int c = 0; c < 4; c++) {
      int step = c < 3 ? 3 : 1, first = c < 3 ? c : 9;
      vec3_t v = vec3(
        piece->at[0].m[first], piece->at[0].m[first + step], piece->at[0].m[first + 2 * step]);
      vec3_t arm = c < 3 ? v : vec3_sub(v, vec3_from(segment->screw.point));
      vec3_t rate = vec3_scale(vec3_cross(segment->axis, arm), segment->screw.angle * h);
      rate = c < 3 ? rate : vec3_add(rate, vec3_scale(segment->axis, segment->screw.travel * h));
      v = vec3_add(v, rate);
      next.m[first] = v.x;
      next.m[first + step] = v.y;
      next.m[first + 2 * step] = v.z;
    }
    const double rates[3] = {speed * (1.0 - 0x1p-30), speed, acceleration};
    if (proposition_2(piece, metric, &next, rates, ball)) {
      return;
    }
  }
  if (kind != VOUCH_BALL_NESTED && fabs(turn) < 6.0) {
    /* |c(s) - c(1/2)| grows with |s - 1/2| as long as half the turn is below a half turn. */
    double ends = fmax(
      metric_distance(metric, &piece->at[0], &piece->at[1]),
      metric_distance(metric, &piece->at[2], &piece->at[1]));
    ball->radius = fmin(ball->radius, ends);
  }
}

motion_ball_t motion_ball(
  const motion_piece_t * piece, const metric_t * metric, vouch_ball_t kind, double parent_speed)
{
  motion_ball_t ball = {.g = piece->at[1], .speed = 0.5 * parent_speed};
  if (piece->segment->kind == SEGMENT_SCREW) {
    screw_ball(piece, metric, kind, &ball);
  } else {
    bezier_ball(piece, metric, kind, &ball);
  }
  double deepest = piece->segment->kind == SEGMENT_SCREW ? 1.0 :
    (double)(RIGID_MAX_LEVEL + 2) / (double)(piece->level + 2);
  ball.radius = ball.radius * (1.0 + 0x1p-38) + 4.0 * deepest * rounding_in_metric(piece, metric);
  if (!(ball.radius >= 0.0)) {
    ball.radius = INFINITY;
  }
  return ball;
}
