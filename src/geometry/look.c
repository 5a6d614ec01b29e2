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

/* Shapes, recognised from half-axes: the way back from what the builder makes of them. */

#include <math.h>

#include "geometry/geometry.h"
#include "geometry/vec.h"

/// Lengths and angles that differ by less, relative to what they are of, differ by rounding.
#define SAME 1e-9

/// The half-axes of a vertex, and what they are like.
typedef struct round_s
{
  vec3_t axis[3];
  double length[3];
  bool square;        // each is perpendicular to the others
  double radius;      // of the longest
} round_t;

static round_t round_of(const double axes[9])
{
  round_t r = {.square = true};
  for (int i = 0; i < 3; ++i) {
    r.axis[i] = vec3_from(axes + 3 * i);
    r.length[i] = vec3_norm(r.axis[i]);
    r.radius = fmax(r.radius, r.length[i]);
  }
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3;
    r.square = r.square &&
      fabs(vec3_dot(r.axis[i], r.axis[j])) <= SAME * r.length[i] * r.length[j];
  }
  return r;
}

static bool same_length(double a, double b)
{
  return fabs(a - b) <= SAME * fmax(a, b);
}

/// A ball of a radius above 0.
static bool is_ball(const round_t * r)
{
  return r->square && r->radius > 0.0 && same_length(r->length[0], r->radius) &&
         same_length(r->length[1], r->radius) && same_length(r->length[2], r->radius);
}

/// The number of the half-axis that is 0 where the other two make a circle; -1: not so.
static int flat_axis(const round_t * r)
{
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (r->square && r->radius > 0.0 && r->length[i] <= SAME * r->radius &&
      same_length(r->length[j], r->length[k]))
    {
      return i;
    }
  }
  return -1;
}

/// The quaternion of the rotation whose columns are x, y, z (S. W. Shepperd, "Quaternion from
/// rotation matrix", J. Guidance and Control 1(3), 1978: the largest of the four first).
static void quaternion_of(vec3_t x, vec3_t y, vec3_t z, double q[4])
{
  const double trace[4] = {
    1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z, 1.0 + x.x + y.y + z.z
  };
  const double products[4][4] = {
    {trace[0], y.x + x.y, z.x + x.z, y.z - z.y}, {y.x + x.y, trace[1], z.y + y.z, z.x - x.z},
    {z.x + x.z, z.y + y.z, trace[2], x.y - y.x}, {y.z - z.y, z.x - x.z, x.y - y.x, trace[3]}
  };
  int best = 3;
  for (int i = 0; i < 3; ++i) {
    best = trace[i] > trace[best] ? i : best;
  }
  double size = sqrt(trace[best]);
  for (int i = 0; i < 4; ++i) {
    q[i] = 0.5 * products[best][i] / size;
  }
}

/// z along `axis`, x along `across` as far as that is perpendicular.
static vouch_pose_t pose_along(vec3_t middle, vec3_t axis, vec3_t across)
{
  vouch_pose_t pose = vouch_pose_identity();
  vec3_t z = vec3_unit(axis, vec3(0.0, 0.0, 1.0));
  vec3_t x = vec3_sub(across, vec3_scale(z, vec3_dot(across, z)));
  x = vec3_unit(x, vec3(1.0, 0.0, 0.0));
  quaternion_of(x, vec3_cross(z, x), z, pose.rotation);
  vec3_store(middle, pose.translation);
  return pose;
}

/// Any vector that is clearly not along the axis; x where the axis is z.
static vec3_t across_of(vec3_t axis)
{
  return fabs(axis.x) <= 0.9 * vec3_norm(axis) ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
}

/// One round vertex that is no ball.
static vouch_curved_t look_at_one(vec3_t p, const round_t * r)
{
  vouch_curved_t curved = {.look = VOUCH_LOOK_OTHER, .pose = vouch_pose_identity()};
  bool body = r->square;
  for (int i = 0; i < 3; ++i) {
    body = body && r->length[i] > 0.0;
    curved.size[i] = r->length[i];
  }
  vec3_store(p, curved.pose.translation);
  if (body) {
    vec3_t x = vec3_scale(r->axis[0], 1.0 / r->length[0]);
    vec3_t y = vec3_scale(r->axis[1], 1.0 / r->length[1]);
    quaternion_of(x, y, vec3_cross(x, y), curved.pose.rotation);
    curved.look = VOUCH_LOOK_ELLIPSOID;
  }
  return curved;
}

/// A disc at p, and at q the same one, or nothing if `tip`.
static vouch_curved_t look_at_disc(vec3_t p, vec3_t q, const round_t * r, bool tip)
{
  vouch_curved_t curved = {.look = VOUCH_LOOK_OTHER, .pose = vouch_pose_identity()};
  vec3_t way = vec3_sub(q, p), middle = vec3_scale(vec3_add(p, q), 0.5);
  int flat = flat_axis(r);
  vec3_store(middle, curved.pose.translation);
  if (flat < 0) {
    return curved;
  }
  vec3_t across = r->axis[flat == 0 ? 1 : 0];
  double height = vec3_norm(way), slack = SAME * r->radius * fmax(height, r->radius);
  for (int i = 0; i < 3; ++i) {
    if (!(height > 0.0) || !(fabs(vec3_dot(way, r->axis[i])) <= slack)) {
      return curved;
    }
  }
  curved.look = tip ? VOUCH_LOOK_CONE : VOUCH_LOOK_CYLINDER;
  curved.pose = pose_along(middle, way, across);
  curved.size[0] = r->radius;
  curved.size[1] = 0.5 * height;
  return curved;
}

static bool same_axes(const double * a, const double * b, double radius)
{
  bool same = a != NULL && b != NULL;
  for (int i = 0; same && i < 9; ++i) {
    same = fabs(a[i] - b[i]) <= SAME * radius;
  }
  return same;
}

/// All points have the same ball around them.
static vouch_curved_t look_at_balls(
  const vouch_geometry_t * g, const vouch_primitive_t * p, double radius)
{
  const uint32_t * list = g->indices + p->first;
  vec3_t first = vec3_from(g->vertices[list[0]]), last = vec3_from(g->vertices[list[p->count - 1]]);
  vec3_t way = vec3_sub(last, first);
  double length = vec3_norm(way);
  vouch_curved_t curved = {.pose = vouch_pose_identity(), .size = {radius, 0.0, 0.0}};
  if (p->count == 1 || (p->count == 2 && !(length > SAME * radius))) {
    curved.look = VOUCH_LOOK_SPHERE;
    vec3_store(first, curved.pose.translation);
  } else if (p->count == 2) {
    curved.look = VOUCH_LOOK_CAPSULE;
    curved.size[1] = 0.5 * length;
    curved.pose = pose_along(vec3_scale(vec3_add(first, last), 0.5), way, across_of(way));
  }
  return curved;
}

vouch_curved_t vouch_primitive_look(const vouch_geometry_t * geometry, uint32_t primitive)
{
  const vouch_primitive_t * p = &geometry->primitives[primitive];
  const uint32_t * list = geometry->indices + p->first;
  // Round vertices have the highest numbers, and lists ascend where there are some.
  const double * axes = vouch_geometry_round(geometry, list[p->count - 1]);
  vouch_curved_t curved = {.look = VOUCH_LOOK_POINTS, .pose = vouch_pose_identity()};
  if (axes == NULL || p->kind == VOUCH_PRIMITIVE_TRIANGLE) {
    return curved;
  }
  round_t round = round_of(axes);
  bool same = true;
  for (uint32_t i = 0; i < p->count && same; ++i) {
    const double * other = vouch_geometry_round(geometry, list[i]);
    same = same_axes(axes, other, round.radius);
  }
  vec3_t last = vec3_from(geometry->vertices[list[p->count - 1]]);
  if (same && is_ball(&round)) {
    return look_at_balls(geometry, p, round.radius);
  }
  if (p->count == 1) {
    return look_at_one(last, &round);
  }
  vec3_t first = vec3_from(geometry->vertices[list[0]]);
  bool tip = vouch_geometry_round(geometry, list[0]) == NULL;
  if (p->count == 2 && (same || tip)) {
    return tip ? look_at_disc(last, first, &round, true) : look_at_disc(first, last, &round, false);
  }
  curved.look = VOUCH_LOOK_OTHER;
  return curved;
}
