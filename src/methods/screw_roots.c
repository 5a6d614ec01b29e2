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

/* TRUSTED. See screw_roots.h. */

#include "methods/screw_roots.h"

#include "methods/direction.h"

#define ROOT_WIDTH 2e-13     // a root is narrowed to this, then looked at from both sides
#define ROOT_PAD 1e-13       // so far away; where rounding hides the signs, 4 times as far
#define ROOT_FINEST 1e-14

typedef struct contact_function_s
{
  interval_t k[6];
  interval_t angle;
} contact_function_t;

/* [T-PLANE] normal.(x(t) - origin) */
static contact_function_t plane_function(
  const vertex_face_t * pair, twofold3_t normal, twofold3_t origin)
{
  const screw_frame_t * frame = pair->frame;
  twofold_t ns = twofold3_dot(normal, frame->axis);
  twofold_t travel = twofold_point(pair->direction * frame->travel);
  contact_function_t f = {.angle = interval_point(pair->direction * frame->angle)};
  f.k[0] = twofold_interval(
    twofold_add(
      twofold3_dot(normal, twofold3_sub(frame->point, origin)),
      twofold_mul(ns, pair->vertex.s)));
  f.k[1] = twofold_interval(twofold_mul(ns, travel));
  f.k[2] = twofold_interval(twofold3_dot(normal, pair->vertex.a));
  f.k[3] = twofold_interval(twofold3_dot(normal, pair->vertex.b));
  f.k[4] = f.k[5] = interval_point(0.0);
  return f;
}

/* f and f' over T; f also by the mean value form. */
static void evaluate(
  const contact_function_t * f, interval_t time, interval_t * value, interval_t * slope)
{
  interval_t angle = interval_mul(time, f->angle);
  interval_t c = interval_cos(angle), s = interval_sin(angle);
  interval_t pc = interval_add(f->k[2], interval_mul(f->k[4], time));
  interval_t ps = interval_add(f->k[3], interval_mul(f->k[5], time));
  *value = interval_add(
    interval_add(f->k[0], interval_mul(f->k[1], time)),
    interval_add(interval_mul(pc, c), interval_mul(ps, s)));
  *slope = interval_add(
    interval_add(f->k[1], interval_mul(interval_add(f->k[4], interval_mul(f->angle, ps)), c)),
    interval_mul(interval_sub(f->k[5], interval_mul(f->angle, pc)), s));
}

static interval_t value_over(const contact_function_t * f, interval_t time, interval_t * slope)
{
  interval_t value, point_value, point_slope;
  interval_t middle = interval_point(0.5 * (time.lo + time.hi));
  evaluate(f, time, &value, slope);
  evaluate(f, middle, &point_value, &point_slope);
  interval_t mean = interval_add(
    point_value, interval_mul(*slope, interval_sub(time, middle)));
  return interval_cut(value, mean);
}

/// The side conditions of a contact: -1 violated, 1 satisfied everywhere in T, 0 unknown.
typedef int (* side_condition_t)(const void * pair, interval_t time);

/* [T-MONOTONE] Requires: f' does not contain 0 on T. Shrinks T to the only possible root: interval
 * Newton, and bisection by sign where that is slow. False: there is no root in T. */
static bool shrink(const contact_function_t * f, interval_t * time)
{
  for (int round = 0; round < 60 && time->hi - time->lo > ROOT_FINEST; round++) {
    double middle = 0.5 * (time->lo + time->hi), width = time->hi - time->lo;
    interval_t value, unused, slope, here;
    evaluate(f, *time, &unused, &slope);
    if (!interval_excludes_zero(slope)) {
      break;   // rounding of a slope next to 0: it no longer tells on which side the root is
    }
    evaluate(f, interval_point(middle), &value, &unused);
    here = interval_sub(interval_point(middle), interval_div(value, slope));
    *time = interval_cut(*time, here);
    if (!(time->lo <= time->hi)) {
      return false;
    }
    if (time->hi - time->lo > 0.5 * width) {
      if (!interval_excludes_zero(value)) {
        break;   // the middle is the root as far as rounding shows
      }
      bool later = (slope.lo > 0.0) == interval_negative(value);
      *time = later ? (interval_t) {fmax(time->lo, middle), time->hi} :
      (interval_t) {time->lo, fmin(time->hi, middle)};
    }
  }
  return true;
}

/// f has opposite signs at the two ends.
static bool crosses(const contact_function_t * f, interval_t time)
{
  interval_t before, after, slope;
  evaluate(f, interval_point(time.lo), &before, &slope);
  evaluate(f, interval_point(time.hi), &after, &slope);
  return (interval_negative(before) && interval_positive(after)) ||
         (interval_positive(before) && interval_negative(after));
}

typedef struct question_s
{
  contact_function_t f;
  side_condition_t side;
  const void * pair;
  interval_t window;       // all of the time that is asked for
  uint64_t * steps;
} question_t;

/* `time` holds the only possible root: is it a contact? */
static root_t look_at_root(const question_t * question, root_t here, interval_t time)
{
  for (double pad = ROOT_PAD; pad <= 4.0 * ROOT_PAD; pad *= 4.0) {
    here.time = interval_cut(question->window, (interval_t) {time.lo - pad, time.hi + pad});
    int condition = question->side(question->pair, here.time);
    if (condition < 0) {
      here.answer = ROOT_NONE;
      return here;
    }
    if (condition > 0 && crosses(&question->f, here.time)) {
      here.answer = ROOT_CONTACT;
      return here;
    }
  }
  here.time = time;
  return here;
}

/* [T-ISOLATE] The earliest root of f in `time` that satisfies the side condition. Requires: there
 * is none in the window before `time`. A bracket may reach a little beyond `time`: to the left
 * there is no root, and what it claims is only that f changes its sign inside and that the side
 * condition holds in all of it. */
static root_t isolate(const question_t * question, interval_t time)
{
  const contact_function_t * f = &question->f;
  side_condition_t side = question->side;
  const void * pair = question->pair;
  const root_t none = {ROOT_NONE, {0.0, 0.0}, false};
  interval_t slope;
  ++*question->steps;
  if (interval_excludes_zero(value_over(f, time, &slope)) || side(pair, time) < 0) {
    return none;
  }
  root_t here = {ROOT_PERHAPS, time, slope.lo > 0.0};
  double width = time.hi - time.lo;
  if (interval_excludes_zero(slope)) {
    if (!shrink(f, &time)) {
      return none;
    }
    width = time.hi - time.lo;
    if (width <= ROOT_WIDTH) {
      return look_at_root(question, here, time);
    }
  }
  double middle = 0.5 * (time.lo + time.hi);
  if (width <= ROOT_WIDTH || !(time.lo < middle) || !(middle < time.hi)) {
    return here;
  }
  root_t left = isolate(question, (interval_t) {time.lo, middle});
  return left.answer != ROOT_NONE ? left : isolate(question, (interval_t) {middle, time.hi});
}

static vec3_t middle_of(interval3_t x)
{
  return vec3(
    0.5 * (x.v[0].lo + x.v[0].hi), 0.5 * (x.v[1].lo + x.v[1].hi), 0.5 * (x.v[2].lo + x.v[2].hi));
}

/// Both together; everything where one is not known.
static interval_t join(interval_t a, interval_t b)
{
  return a.lo <= a.hi && b.lo <= b.hi ?
         (interval_t) {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi} :
         (interval_t) {-INFINITY, INFINITY};
}

/* [T-APART] True when n separates the moving places from the boxes at rest; n itself is only a
 * proposal. */
static bool apart_along(
  const screw_place_t * a, int count_a, const interval3_t * b, int count_b, vec3_t n)
{
  double proposal[3] = {n.x, n.y, n.z};
  interval3_t direction = interval3_point(proposal);
  interval_t over_a = screw_place_along(&a[0], direction), over_b = interval3_dot(direction, b[0]);
  for (int i = 1; i < count_a; i++) {
    over_a = join(over_a, screw_place_along(&a[i], direction));
  }
  for (int i = 1; i < count_b; i++) {
    over_b = join(over_b, interval3_dot(direction, b[i]));
  }
  return over_a.hi < over_b.lo || over_b.hi < over_a.lo;
}

static bool features_apart(
  const screw_place_t * a, int count_a, const interval3_t * b, int count_b)
{
  vec3_t pa[3], pb[3];
  for (int i = 0; i < count_a; i++) {
    pa[i] = middle_of(a[i].x);
  }
  for (int i = 0; i < count_b; i++) {
    pb[i] = middle_of(b[i]);
  }
  closest_t closest = direction_between(pa, count_a, pb, count_b);
  if (closest.distance > 0.0 && apart_along(a, count_a, b, count_b, closest.direction)) {
    return true;
  }
  if (count_a != 2 || count_b != 2) {
    return false;
  }
  /* Edges in one plane are apart along the normal of one of them in it. The difference of points
   * that nearly touch does not show that direction well enough, the edges do. */
  vec3_t u = vec3_sub(pa[1], pa[0]), v = vec3_sub(pb[1], pb[0]), n = vec3_cross(u, v);
  return apart_along(a, 2, b, 2, vec3_cross(u, n)) || apart_along(a, 2, b, 2, vec3_cross(v, n));
}

typedef struct vertex_face_sides_s
{
  const vertex_face_t * pair;
  contact_function_t side[3];     // positive inside
} vertex_face_sides_t;

static int vertex_face_condition(const void * data, interval_t time)
{
  const vertex_face_sides_t * sides = data;
  int answer = 1;
  for (int k = 0; k < 3; k++) {
    interval_t slope, value = value_over(&sides->side[k], time, &slope);
    if (interval_negative(value)) {
      return -1;
    }
    answer = interval_positive(value) ? answer : 0;
  }
  if (answer == 0) {
    const vertex_face_t * pair = sides->pair;
    screw_place_t x = screw_position(pair->frame, &pair->vertex, time, pair->direction);
    interval3_t corner[3];
    for (int k = 0; k < 3; k++) {
      corner[k] = twofold3_interval(pair->corner[k]);
    }
    answer = features_apart(&x, 1, corner, 3) ? -1 : 0;
  }
  return answer;
}

root_t screw_vertex_face(const vertex_face_t * pair, interval_t window, uint64_t * steps)
{
  const twofold3_t * y = pair->corner;
  vertex_face_sides_t sides = {.pair = pair};
  twofold3_t normal = twofold3_cross(twofold3_sub(y[1], y[0]), twofold3_sub(y[2], y[0]));
  contact_function_t f = plane_function(pair, normal, y[0]);
  for (int k = 0; k < 3; k++) {
    twofold3_t inward = twofold3_cross(normal, twofold3_sub(y[(k + 1) % 3], y[k]));
    sides.side[k] = plane_function(pair, inward, y[k]);
  }
  const question_t question = {f, vertex_face_condition, &sides, window, steps};
  return isolate(&question, window);
}

/* det(A(t) - B, U(t), V); derivation in docs/rigid_motions.md */
static contact_function_t edge_function(const edge_edge_t * pair)
{
  const screw_frame_t * frame = pair->frame;
  twofold3_t s = frame->axis, v = twofold3_sub(pair->fixed[1], pair->fixed[0]);
  twofold3_t w = twofold3_cross(v, twofold3_sub(pair->fixed[0], frame->point));
  const helix_t * one = &pair->moving[0], * two = &pair->moving[1];
  twofold_t us = twofold_sub(two->s, one->s);
  twofold3_t ua = twofold3_sub(two->a, one->a), ub = twofold3_sub(two->b, one->b);
  twofold3_t r = twofold3_add(twofold3_scale(s, one->s), one->a);
  twofold3_t u = twofold3_add(twofold3_scale(s, us), ua);
  twofold3_t m = twofold3_cross(r, u), mb = twofold3_cross(s, m);
  twofold_t ms = twofold3_dot(m, s);
  twofold3_t ma = twofold3_sub(m, twofold3_scale(s, ms));
  contact_function_t f = {.angle = interval_point(frame->angle)};
  twofold_t travel = twofold_point(frame->travel);
  f.k[0] = twofold_interval(
    twofold_sub(
      twofold_mul(ms, twofold3_dot(v, s)), twofold_mul(us, twofold3_dot(s, w))));
  f.k[1] = interval_point(0.0);
  f.k[2] = twofold_interval(twofold_sub(twofold3_dot(v, ma), twofold3_dot(w, ua)));
  f.k[3] = twofold_interval(twofold_sub(twofold3_dot(v, mb), twofold3_dot(w, ub)));
  f.k[4] = twofold_interval(twofold_mul(travel, twofold3_dot(v, ub)));
  f.k[5] = twofold_interval(twofold_neg(twofold_mul(travel, twofold3_dot(v, ua))));
  return f;
}

static int edge_edge_condition(const void * data, interval_t time)
{
  const edge_edge_t * pair = data;
  screw_place_t a[2] = {
    screw_position(pair->frame, &pair->moving[0], time, 1.0),
    screw_position(pair->frame, &pair->moving[1], time, 1.0)
  };
  interval3_t b[2] = {twofold3_interval(pair->fixed[0]), twofold3_interval(pair->fixed[1])};
  interval3_t u = interval3_sub(a[1].x, a[0].x), v = interval3_sub(b[1], b[0]);
  interval3_t w = interval3_sub(b[0], a[0].x), n = interval3_cross(u, v);
  interval_t d = interval_add(
    interval_add(interval_sqr(n.v[0]), interval_sqr(n.v[1])), interval_sqr(n.v[2]));
  interval_t alpha = interval3_dot(interval3_cross(w, v), n);
  interval_t beta = interval3_dot(interval3_cross(w, u), n);
  if (d.lo > 0.0) {
    if (alpha.hi < 0.0 || beta.hi < 0.0 || alpha.lo > d.hi || beta.lo > d.hi) {
      return -1;
    }
    if (alpha.lo > 0.0 && beta.lo > 0.0 && alpha.hi < d.lo && beta.hi < d.lo) {
      return 1;
    }
  }
  return features_apart(a, 2, b, 2) ? -1 : 0;
}

root_t screw_edge_edge(const edge_edge_t * pair, interval_t window, uint64_t * steps)
{
  const question_t question = {edge_function(pair), edge_edge_condition, pair, window, steps};
  return isolate(&question, window);
}
