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

/// Distance of the origin from the segment a b in the plane; rounded.
static double distance_to(const double a[2], const double b[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, dd = d[0] * d[0] + d[1] * d[1];
  double t = dd > 0.0 ? -(a[0] * d[0] + a[1] * d[1]) / dd : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  double x = a[0] + t * d[0], y = a[1] + t * d[1];
  return sqrt(x * x + y * y);
}

/* The projected hull: its nearest point to the axis is on an edge, or the axis pierces it. The
 * angles of a convex set that misses
 * the origin span less than a half turn, so they can be taken relative to the first point. Errors:
 * coordinates 1e-12 scale, the
 * angle that divided by r; a set nearer than 1e-9 scale to the axis gets the full turn. */
cylinder_t cylinder_of(const cylinder_frame_t * frame, const vec3_t * x, int count)
{
  double flat[3][2], near = INFINITY, slack = 4e-12 * frame->scale;
  double low = 0.0, high = 0.0, turn = 0.0;
  cylinder_t c = {{INFINITY, 0.0}, {INFINITY, -INFINITY}, {-PI, 4.0}};
  bool around = false;
  for (int i = 0; i < count; i++) {
    vec3_t d = vec3_sub(x[i], frame->p);
    double z = vec3_dot(d, frame->s);
    flat[i][0] = vec3_dot(d, frame->u);
    flat[i][1] = vec3_dot(d, frame->v);
    c.z = (interval_t) {fmin(c.z.lo, z), fmax(c.z.hi, z)};
    c.r.hi = fmax(c.r.hi, sqrt(flat[i][0] * flat[i][0] + flat[i][1] * flat[i][1]));
  }
  for (int i = 0; i < count; i++) {
    const double * a = flat[i], * b = flat[(i + 1) % count];
    double cross = flat[0][0] * a[1] - flat[0][1] * a[0];
    double angle = atan2(cross, flat[0][0] * a[0] + flat[0][1] * a[1]);
    near = fmin(near, distance_to(a, b));
    low = fmin(low, angle);
    high = fmax(high, angle);
    turn += atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
  }
  around = fabs(turn) > 1.0;
  c.r.lo = around || !(near > slack) ? 0.0 : near - slack;
  c.r.hi += slack;
  c.z = (interval_t) {c.z.lo - slack, c.z.hi + slack};
  if (around || !(near > 1e-9 * frame->scale) || !(high - low < 3.2)) {
    c.angle = (interval_t) {-PI, 4.0};
  } else {
    double first = atan2(flat[0][1], flat[0][0]), wide = 4.0 * slack / near + 1e-14;
    c.angle = (interval_t) {first + low - wide, first + high + wide};
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

/* The second range of angles is turned by whole turns to where the two together are shortest; its
 * ends are widened by more than the turning rounds. */
cylinder_t cylinder_union(const cylinder_t * a, const cylinder_t * b)
{
  cylinder_t c = {
    {fmin(a->r.lo, b->r.lo), fmax(a->r.hi, b->r.hi)},
    {fmin(a->z.lo, b->z.lo), fmax(a->z.hi, b->z.hi)}, {-PI, 4.0}
  };
  for (int k = -2; k <= 2; k++) {
    double low = fmin(a->angle.lo, b->angle.lo + 2.0 * PI * k - 1e-14);
    double high = fmax(a->angle.hi, b->angle.hi + 2.0 * PI * k + 1e-14);
    if (high - low < c.angle.hi - c.angle.lo) {
      c.angle = (interval_t) {low, high};
    }
  }
  return c;
}

/* Times t with low <= rate t <= high, widened. */
static interval_t times_between(double low, double high, double rate)
{
  if (fabs(rate) < 1e-300) {
    return low <= 0.0 && high >= 0.0 ? (interval_t) {0.0, 1.0} : (interval_t) {1.0, 0.0};
  }
  double a = low / rate, b = high / rate;
  double wide = 1e-14 * (1.0 + fabs(a) + fabs(b));
  return (interval_t) {fmin(a, b) - wide, fmax(a, b) + wide};
}

bool cylinder_window(
  const cylinder_t * a, const cylinder_t * b, double angle, double travel, interval_t * window)
{
  const interval_t whole = {0.0, 1.0};
  if (a->r.lo > b->r.hi || b->r.lo > a->r.hi) {
    return false;
  }
  interval_t time = interval_cut(
    whole, times_between(b->z.lo - a->z.hi, b->z.hi - a->z.lo, travel));
  if (!(time.lo <= time.hi)) {
    return false;
  }
  *window = time;
  double low = b->angle.lo - a->angle.hi - 1e-13, high = b->angle.hi - a->angle.lo + 1e-13;
  if (high - low >= 2.0 * PI || fabs(angle) > 100.0) {
    return true;
  }
  /* angle * t = low..high + 2 pi k for some k */
  double reach[2] =
  {fmin(angle * time.lo, angle * time.hi), fmax(angle * time.lo, angle * time.hi)};
  int first = (int)floor((reach[0] - high) / (2.0 * PI) - 1e-9);
  int last = (int)ceil((reach[1] - low) / (2.0 * PI) + 1e-9);
  interval_t all = {INFINITY, -INFINITY};
  for (int k = first; k <= last; k++) {
    interval_t part = interval_cut(
      time, times_between(low + 2.0 * PI * k - 1e-12, high + 2.0 * PI * k + 1e-12, angle));
    if (part.lo <= part.hi) {
      all = (interval_t) {fmin(all.lo, part.lo), fmax(all.hi, part.hi)};
    }
  }
  *window = all;
  return all.lo <= all.hi;
}
