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

/* TRUSTED. See screw_cylinder.h. */

#include "methods/screw_cylinder.h"

#include "base/fpguard.h"

#define PI 3.14159265358979323846

cylinder_frame_t cylinder_frame(vec3_t point, vec3_t axis, double scale)
{
  cylinder_frame_t frame = {.p = point, .s = axis, .scale = fmax(scale, 1e-3)};
  vec3_t other = fabs(axis.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
  frame.u = vec3_unit(vec3_cross(axis, other), vec3(0.0, 0.0, 1.0));
  frame.v = vec3_cross(axis, frame.u);
  return frame;
}

cylinder_point_t cylinder_point(const cylinder_frame_t * frame, vec3_t x)
{
  vec3_t d = vec3_sub(x, frame->p);
  cylinder_point_t p = {{vec3_dot(d, frame->u), vec3_dot(d, frame->v), vec3_dot(d, frame->s)},
    0.0, 0.0};
  p.r = sqrt(p.x.x * p.x.x + p.x.y * p.x.y);
  p.angle = atan2(p.x.y, p.x.x);
  return p;
}

static double across(vec3_t a, vec3_t b) {return a.x * b.y - a.y * b.x;}

/// Squared distance of the axis from the segment a b; rounded.
static double square_to(vec3_t a, vec3_t b)
{
  double dx = b.x - a.x, dy = b.y - a.y, dd = dx * dx + dy * dy;
  double t = dd > 0.0 ? -(a.x * dx + a.y * dy) / dd : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  double x = a.x + t * dx, y = a.y + t * dy;
  return x * x + y * y;
}

/* The axis pierces a triangle at least n = 1e-9 scale inside its edges: for corners a, b seen from
 * there |a x b| >= n max(|a|, |b|), because half of the ball of radius n lies in the triangle on
 * b's side of the line through a, where b is the farthest point. It errs by 4e-12 scale times
 * max(|a|, |b|). */
static bool pierced(const cylinder_point_t * p, int count)
{
  if (count < 3) {
    return false;
  }
  double a = across(p[0].x, p[1].x), b = across(p[1].x, p[2].x), c = across(p[2].x, p[0].x);
  return (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0);
}

/* The projected hull: its nearest point to the axis is on an edge, or the axis pierces it. The
 * angles of a convex set that misses the axis span less than a half turn, so they are taken in the
 * turn of the first point: for a far angle h between two points sin h >= near / r, and h errs by
 * 4e-12 scale / r, r the smaller. Errors: coordinates 1e-12 scale, the angle that divided by r; a
 * set nearer than 1e-9 scale to the axis gets the full turn. */
cylinder_t cylinder_of(const cylinder_frame_t * frame, const cylinder_point_t * p, int count)
{
  double square = p[0].r * p[0].r, slack = 4e-12 * frame->scale;
  double low = p[0].angle, high = p[0].angle;
  cylinder_t c = {{0.0, 0.0}, {p[0].x.z, p[0].x.z}, {-PI, 4.0}};
  for (int i = 0; i < count; i++) {
    double z = p[i].x.z, off = p[i].angle - p[0].angle;
    double angle = off > PI ? p[i].angle - 2.0 * PI : p[i].angle;
    angle = off < -PI ? p[i].angle + 2.0 * PI : angle;
    low = angle < low ? angle : low;
    high = angle > high ? angle : high;
    c.z = (interval_t) {z < c.z.lo ? z : c.z.lo, z > c.z.hi ? z : c.z.hi};
    c.r.hi = p[i].r > c.r.hi ? p[i].r : c.r.hi;
    if (count > 1) {
      double edge = square_to(p[i].x, p[i + 1 < count ? i + 1 : 0].x);
      square = edge < square ? edge : square;
    }
  }
  double near = sqrt(square);
  bool around = pierced(p, count);
  c.r.lo = around || !(near > slack) ? 0.0 : near - slack;
  c.r.hi += slack;
  c.z = (interval_t) {c.z.lo - slack, c.z.hi + slack};
  if (!around && near > 1e-9 * frame->scale && high - low < 3.2) {
    double wide = 4.0 * slack / near + 1e-14;
    c.angle = (interval_t) {low - wide, high + wide};
  }
  return c;
}

cylinder_t cylinder_of_ball(const cylinder_frame_t * frame, vec3_t centre, double radius)
{
  vec3_t d = vec3_sub(centre, frame->p);
  double x = vec3_dot(d, frame->u), y = vec3_dot(d, frame->v), z = vec3_dot(d, frame->s);
  double slack = 4e-12 * frame->scale, reach = radius * (1.0 + 1e-12) + slack, off = sqrt(
    x * x + y * y);
  cylinder_t c = {
    {off > reach ? off - reach : 0.0, off + reach}, {z - reach, z + reach}, {-PI, 4.0}
  };
  if (off > reach * 1.001 + 1e-9 * frame->scale) {
    double first = atan2(y, x), wide = asin(reach / off) + 4.0 * slack / off + 1e-12;
    c.angle = (interval_t) {first - wide, first + wide};
  }
  return c;
}

static interval_t range_of_both(interval_t a, interval_t b)
{
  return (interval_t) {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* The second range of angles is turned by the whole turns that bring its middle next to that of the
 * first; its ends are widened by more than the turning rounds. */
cylinder_t cylinder_union(const cylinder_t * a, const cylinder_t * b)
{
  double off = a->angle.lo + a->angle.hi - b->angle.lo - b->angle.hi;
  double turn = 2.0 * PI * floor(off / (4.0 * PI) + 0.5);
  const interval_t turned = {b->angle.lo + turn - 1e-14, b->angle.hi + turn + 1e-14};
  cylinder_t c = {
    range_of_both(a->r, b->r), range_of_both(a->z, b->z), range_of_both(a->angle, turned)
  };
  if (!(c.angle.hi - c.angle.lo < 2.0 * PI)) {
    c.angle = (interval_t) {-PI, 4.0};
  }
  return c;
}

/* Times t in `time` with low <= rate t <= high, widened. */
static interval_t times_between(interval_t time, double low, double high, double rate)
{
  if (fabs(rate) < 1e-300) {
    return low <= 0.0 && high >= 0.0 ? time : (interval_t) {1.0, 0.0};
  }
  double a = low / rate, b = high / rate;
  double wide = 1e-14 * (1.0 + fabs(a) + fabs(b));
  return interval_cut(time, (interval_t) {(a < b ? a : b) - wide, (a < b ? b : a) + wide});
}

bool cylinder_window(
  const cylinder_t * a, const cylinder_t * b, double angle, double travel, interval_t * window)
{
  if (a->r.lo > b->r.hi || b->r.lo > a->r.hi) {
    return false;
  }
  interval_t time = times_between(
    (interval_t) {0.0, 1.0}, b->z.lo - a->z.hi, b->z.hi - a->z.lo, travel);
  if (!(time.lo <= time.hi)) {
    return false;
  }
  *window = time;
  double low = b->angle.lo - a->angle.hi - 1e-13, high = b->angle.hi - a->angle.lo + 1e-13;
  if (high - low >= 2.0 * PI || fabs(angle) > 100.0) {
    return true;
  }
  /* angle t = low..high + 2 pi k for some k from first to last; the windows of two whole numbers do
   * not change places, so the outer two have the ends. */
  double begin = angle * time.lo, end = angle * time.hi;
  double first = ceil(((begin < end ? begin : end) - high) / (2.0 * PI) - 1e-9);
  double last = floor(((begin < end ? end : begin) - low) / (2.0 * PI) + 1e-9);
  if (first > last) {
    return false;
  }
  double turn = 2.0 * PI * first;
  interval_t all = times_between(time, low + turn - 1e-12, high + turn + 1e-12, angle);
  if (last > first) {
    turn = 2.0 * PI * last;
    interval_t other = times_between(time, low + turn - 1e-12, high + turn + 1e-12, angle);
    all = (interval_t) {fmin(all.lo, other.lo), fmax(all.hi, other.hi)};
  }
  *window = all;
  return all.lo <= all.hi;
}
