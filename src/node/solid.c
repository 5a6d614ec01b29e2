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

#include "node/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vec.h"

#define ROUND 24   // corners of a circle

void solid_fini(solid_t * solid)
{
  free(solid->points);
  free(solid->triangles);
  memset(solid, 0, sizeof(*solid));
}

void solid_clear(solid_t * solid)
{
  solid->point_count = solid->triangle_count = 0;
}

bool solid_add_point(solid_t * solid, const double point[3])
{
  if (solid->point_count == solid->point_capacity) {
    size_t capacity = solid->point_capacity < 64 ? 64 : 2 * solid->point_capacity;
    double(*points)[3] = realloc(solid->points, capacity * sizeof(*points));
    if (points == NULL) {
      return false;
    }
    solid->points = points;
    solid->point_capacity = capacity;
  }
  memcpy(solid->points[solid->point_count++], point, 3 * sizeof(double));
  return true;
}

bool solid_add_triangle(solid_t * solid, uint32_t a, uint32_t b, uint32_t c)
{
  if (solid->triangle_count == solid->triangle_capacity) {
    size_t capacity = solid->triangle_capacity < 64 ? 64 : 2 * solid->triangle_capacity;
    uint32_t(*triangles)[3] = realloc(solid->triangles, capacity * sizeof(*triangles));
    if (triangles == NULL) {
      return false;
    }
    solid->triangles = triangles;
    solid->triangle_capacity = capacity;
  }
  uint32_t * triangle = solid->triangles[solid->triangle_count++];
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
  return true;
}

/* ---- hull: one point after the other, visible triangles replaced by a cone over their rim ---- */

static vec3_t point_of(const solid_t * solid, uint32_t i) {return vec3_from(solid->points[i]);}

static double height(const solid_t * solid, const uint32_t t[3], vec3_t p)
{
  vec3_t a = point_of(solid, t[0]);
  vec3_t normal = vec3_cross(
    vec3_sub(point_of(solid, t[1]), a), vec3_sub(point_of(solid, t[2]), a));
  return vec3_dot(vec3_unit(normal, vec3(0, 0, 0)), vec3_sub(p, a));
}

/// Number of the point with the largest value of `measure`, which sees the points found so far.
static uint32_t farthest(const solid_t * solid, const uint32_t * found, int count, double * value)
{
  uint32_t best = 0;
  *value = -1.0;
  for (uint32_t i = 0; i < solid->point_count; ++i) {
    vec3_t p = point_of(solid, i);
    vec3_t a = vec3_sub(p, point_of(solid, found[0]));
    double measure = vec3_norm(a);
    if (count == 2) {
      vec3_t line = vec3_sub(point_of(solid, found[1]), point_of(solid, found[0]));
      measure = vec3_norm(vec3_cross(a, vec3_unit(line, vec3(1, 0, 0))));
    } else if (count == 3) {
      measure = fabs(height(solid, found, p));
    }
    if (measure > *value) {
      *value = measure;
      best = i;
    }
  }
  return best;
}

static bool first_tetrahedron(solid_t * solid, double * scale, bool * flat)
{
  uint32_t t[4] = {0, 0, 0, 0};
  double value = 0.0;
  *flat = true;
  for (int i = 1; i < 4; ++i) {
    t[i] = farthest(solid, t, i, &value);
    *scale = i == 1 ? value : *scale;
    if (!(value > 1e-9 * *scale) || !(value > 0.0)) {
      return true;
    }
  }
  *flat = false;
  if (height(solid, t, point_of(solid, t[3])) > 0.0) {
    uint32_t swap = t[0];
    t[0] = t[1];
    t[1] = swap;
  }
  return solid_add_triangle(solid, t[0], t[1], t[2]) &&
         solid_add_triangle(solid, t[0], t[3], t[1]) &&
         solid_add_triangle(solid, t[1], t[3], t[2]) &&
         solid_add_triangle(solid, t[2], t[3], t[0]);
}

/// True when some visible triangle has the edge b-a, so that a-b is not on the rim.
static bool edge_inside(const uint32_t(*seen)[3], size_t count, uint32_t a, uint32_t b)
{
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (seen[i][k] == b && seen[i][(k + 1) % 3] == a) {
        return true;
      }
    }
  }
  return false;
}

static bool add_to_hull(solid_t * solid, uint32_t point, double tolerance, solid_t * seen)
{
  vec3_t p = point_of(solid, point);
  solid_clear(seen);
  size_t kept = 0;
  for (size_t i = 0; i < solid->triangle_count; ++i) {
    uint32_t * t = solid->triangles[i];
    if (height(solid, t, p) > tolerance) {
      if (!solid_add_triangle(seen, t[0], t[1], t[2])) {
        return false;
      }
    } else {
      memmove(solid->triangles[kept++], t, sizeof(solid->triangles[0]));
    }
  }
  solid->triangle_count = kept;
  const uint32_t(*visible)[3] = (const uint32_t(*)[3])seen->triangles;
  for (size_t i = 0; i < seen->triangle_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      uint32_t a = visible[i][k], b = visible[i][(k + 1) % 3];
      if (!edge_inside(visible, seen->triangle_count, a, b) &&
        !solid_add_triangle(solid, a, b, point))
      {
        return false;
      }
    }
  }
  return true;
}

bool solid_hull(solid_t * solid)
{
  solid->triangle_count = 0;
  if (solid->point_count < 4) {
    return true;
  }
  double scale = 0.0;
  bool flat = true;
  if (!first_tetrahedron(solid, &scale, &flat) || flat) {
    return flat;
  }
  solid_t seen = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < solid->point_count; ++i) {
    ok = add_to_hull(solid, i, 1e-9 * scale, &seen);
  }
  solid_fini(&seen);
  return ok;
}

/* ---- corners of primitives ---- */

static bool add_placed(solid_t * solid, const rigid_t * pose, double x, double y, double z)
{
  double point[3];
  vec3_store(rigid_apply(pose, vec3(x, y, z)), point);
  return solid_add_point(solid, point);
}

/// Circles around z from -half to +half with radii from low to high, outside of the true circles.
static bool add_frustum(
  solid_t * solid, const rigid_t * pose, double low, double high, double half)
{
  const double outer = 1.0 / cos(3.14159265358979323846 / ROUND);
  bool ok = true;
  for (int i = 0; ok && i < ROUND; ++i) {
    double angle = 2.0 * 3.14159265358979323846 * i / ROUND;
    double x = outer * cos(angle), y = outer * sin(angle);
    ok = add_placed(solid, pose, low * x, low * y, -half) &&
      (i > 0 || high > 0.0 ? add_placed(solid, pose, high * x, high * y, half) :
      add_placed(solid, pose, 0.0, 0.0, half));
  }
  return ok;
}

/// A grid on a sphere, scaled so that its hull contains the sphere, with the half-axes for x, y and z.
static bool add_ellipsoid(solid_t * solid, const double center[3], const double axes[9])
{
  const int rings = ROUND / 2;
  const double step = 3.14159265358979323846 / rings;
  const double outer = 1.0 / (cos(step / 2.0) * cos(step));
  bool ok = true;
  for (int i = 0; ok && i <= rings; ++i) {
    for (int k = 0; ok && k < ROUND && (k == 0 || (i > 0 && i < rings)); ++k) {
      double r = outer * sin(step * i), point[3];
      double x = r * cos(step * k), y = r * sin(step * k), z = outer * cos(step * i);
      for (int j = 0; j < 3; ++j) {
        point[j] = center[j] + x * axes[j] + y * axes[3 + j] + z * axes[6 + j];
      }
      ok = solid_add_point(solid, point);
    }
  }
  return ok;
}

bool solid_add_vertex(solid_t * solid, const vouch_geometry_t * geometry, uint32_t vertex)
{
  const double * axes = vouch_geometry_round(geometry, vertex);
  return axes == NULL ? solid_add_point(solid, geometry->vertices[vertex]) :
         add_ellipsoid(solid, geometry->vertices[vertex], axes);
}

double solid_ball(const vouch_geometry_t * geometry, uint32_t primitive)
{
  vouch_curved_t shape = vouch_primitive_look(geometry, primitive);
  return shape.look == VOUCH_LOOK_POINTS || shape.look == VOUCH_LOOK_SPHERE ||
         shape.look == VOUCH_LOOK_CAPSULE ? shape.size[0] : 0.0;
}

bool solid_add_primitive(
  solid_t * solid, const vouch_geometry_t * geometry, uint32_t number, bool bare)
{
  const vouch_primitive_t * primitive = &geometry->primitives[number];
  vouch_curved_t shape = vouch_primitive_look(geometry, number);
  if (shape.look == VOUCH_LOOK_CYLINDER || shape.look == VOUCH_LOOK_CONE) {
    rigid_t pose = rigid_from_pose(&shape.pose);
    double top = shape.look == VOUCH_LOOK_CONE ? 0.0 : shape.size[0];
    return add_frustum(solid, &pose, shape.size[0], top, shape.size[1]);
  }
  bool points = bare && solid_ball(geometry, number) > 0.0, ok = true;
  for (uint32_t i = 0; ok && i < primitive->count; ++i) {
    uint32_t vertex = geometry->indices[primitive->first + i];
    ok = points ? solid_add_point(solid, geometry->vertices[vertex]) :
      solid_add_vertex(solid, geometry, vertex);
  }
  return ok;
}

static bool add_part(solid_t * solid, const solid_t * part)
{
  uint32_t base = (uint32_t)solid->point_count;
  bool ok = true;
  for (size_t i = 0; ok && i < part->point_count; ++i) {
    ok = solid_add_point(solid, part->points[i]);
  }
  for (size_t i = 0; ok && i < part->triangle_count; ++i) {
    const uint32_t * t = part->triangles[i];
    ok = solid_add_triangle(solid, base + t[0], base + t[1], base + t[2]);
  }
  return ok;
}

bool solid_add_geometry(solid_t * solid, const vouch_geometry_t * geometry)
{
  solid_t part = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < geometry->primitive_count; ++i) {
    const vouch_primitive_t * primitive = &geometry->primitives[i];
    solid_clear(&part);
    ok = solid_add_primitive(&part, geometry, i, false);
    if (ok && primitive->kind == VOUCH_PRIMITIVE_TRIANGLE) {
      ok = solid_add_triangle(&part, 0, 1, 2);
    } else if (ok) {
      ok = solid_hull(&part);
    }
    ok = ok && add_part(solid, &part);
  }
  solid_fini(&part);
  return ok;
}
