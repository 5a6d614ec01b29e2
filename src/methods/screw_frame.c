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

/* TRUSTED. The screw and its helices in balls and intervals; see screw_roots.h. */

#include "methods/screw_roots.h"

static interval_t scale(double f, interval_t a) {return interval_mul(interval_point(f), a);}

void screw_frame_init(screw_frame_t * frame, const vouch_screw_t * screw)
{
  twofold_t q[4], norm = twofold_point(0.0), length = twofold_point(0.0), two = twofold_point(2.0);
  for (int i = 0; i < 4; i++) {
    q[i] = twofold_point(screw->start.rotation[i]);
    norm = twofold_add(norm, twofold_mul(q[i], q[i]));
  }
  twofold3_t direction = twofold3_point(screw->direction);
  length = twofold_sqrt(twofold3_dot(direction, direction));
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    twofold_t ij = twofold_mul(q[i], q[j]), kw = twofold_mul(q[k], q[3]);
    twofold_t square = twofold_add(twofold_mul(q[j], q[j]), twofold_mul(q[k], q[k]));
    frame->rotation[4 * i] =
      twofold_sub(twofold_point(1.0), twofold_div(twofold_mul(two, square), norm));
    frame->rotation[3 * i + j] = twofold_div(twofold_mul(two, twofold_sub(ij, kw)), norm);
    frame->rotation[3 * j + i] = twofold_div(twofold_mul(two, twofold_add(ij, kw)), norm);
    frame->axis.v[i] = twofold_div(direction.v[i], length);
  }
  frame->point = twofold3_point(screw->point);
  frame->translation = twofold3_point(screw->start.translation);
  frame->angle = screw->angle;
  frame->travel = screw->travel;
  frame->point_interval = twofold3_interval(frame->point);
  frame->axis_interval = twofold3_interval(frame->axis);
}

static helix_t helix_of(const screw_frame_t * frame, twofold3_t x)
{
  helix_t h;
  twofold3_t r = twofold3_sub(x, frame->point);
  h.s = twofold3_dot(r, frame->axis);
  h.a = twofold3_sub(r, twofold3_scale(frame->axis, h.s));
  h.b = twofold3_cross(frame->axis, r);
  return h;
}

helix_t screw_helix(const screw_frame_t * frame, const double v[3])
{
  twofold3_t x = frame->translation, p = twofold3_point(v);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      x.v[i] = twofold_add(x.v[i], twofold_mul(frame->rotation[3 * i + k], p.v[k]));
    }
  }
  return helix_of(frame, x);
}

helix_t screw_helix_fixed(const screw_frame_t * frame, const double y[3])
{
  return helix_of(frame, twofold3_point(y));
}

twofold3_t screw_begin(const screw_frame_t * frame, const helix_t * helix)
{
  return twofold3_add(
    twofold3_add(frame->point, helix->a), twofold3_scale(frame->axis, helix->s));
}

/* point + along axis + c a + s b */
static interval3_t combine(
  const screw_frame_t * frame, const helix_t * helix, interval_t along, interval_t c, interval_t s)
{
  interval3_t x =
    interval3_add(frame->point_interval, interval3_scale(frame->axis_interval, along));
  x = interval3_add(x, interval3_scale(twofold3_interval(helix->a), c));
  return interval3_add(x, interval3_scale(twofold3_interval(helix->b), s));
}

screw_place_t screw_position(
  const screw_frame_t * frame, const helix_t * helix, interval_t time, double direction)
{
  interval_t t = scale(direction, time), angle = scale(frame->angle, t);
  interval_t c = interval_cos(angle), s = interval_sin(angle), along = twofold_interval(helix->s);
  interval_t middle = interval_point(0.5 * (t.lo + t.hi)), there = scale(frame->angle, middle);
  screw_place_t place = {.off = interval_sub(t, middle)};
  place.at = combine(
    frame, helix, interval_add(along, scale(frame->travel, middle)), interval_cos(there),
    interval_sin(there));
  place.speed = interval3_add(
    interval3_scale(frame->axis_interval, interval_point(frame->travel)),
    interval3_scale(
      interval3_sub(
        interval3_scale(twofold3_interval(helix->b), c),
        interval3_scale(twofold3_interval(helix->a), s)), interval_point(frame->angle)));
  place.x = combine(frame, helix, interval_add(along, scale(frame->travel, t)), c, s);
  for (int k = 0; k < 3; k++) {
    place.x.v[k] = interval_cut(
      place.x.v[k],
      interval_add(place.at.v[k], interval_mul(place.speed.v[k], place.off)));
  }
  return place;
}

interval_t screw_place_along(const screw_place_t * place, interval3_t n)
{
  return interval_cut(
    interval3_dot(n, place->x),
    interval_add(
      interval3_dot(n, place->at), interval_mul(interval3_dot(n, place->speed), place->off)));
}
