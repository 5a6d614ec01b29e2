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

/* Prisms over simple polygons: one hull when the polygon is convex, else a closed mesh.
 *
 * Triangulation by clipping ears (G. H. Meisters, "Polygons have ears", Amer. Math. Monthly 82,
 * 1975): quadratic, which is enough for polygons that people write. */

#include <math.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/limits.h"
#include "geometry/vec.h"

enum {MOST_CORNERS = 4096};

/// The polygon that is left: corners in counter-clockwise order.
typedef struct polygon_s
{
  const double (*points)[2];
  size_t * corner;
  size_t count;
} polygon_t;

/// Twice the signed area of the triangle; > 0: counter-clockwise.
static double turn(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static const double * at(const polygon_t * p, size_t i)
{
  return p->points[p->corner[i % p->count]];
}

static bool same(const double a[2], const double b[2])
{
  return a[0] == b[0] && a[1] == b[1];
}

static bool between(double a, double b, double x)
{
  return a < b ? a <= x && x <= b : b <= x && x <= a;
}

static int sign(double x)
{
  return (x > 0.0) - (x < 0.0);
}

/// c lies on the segment ab, given that the three are on one line.
static bool on_segment(const double a[2], const double b[2], const double c[2])
{
  return between(a[0], b[0], c[0]) && between(a[1], b[1], c[1]);
}

static bool segments_meet(
  const double a[2], const double b[2], const double c[2], const double d[2])
{
  int abc = sign(turn(a, b, c)), abd = sign(turn(a, b, d));
  int cda = sign(turn(c, d, a)), cdb = sign(turn(c, d, b));
  if (abc * abd < 0 && cda * cdb < 0) {
    return true;
  }
  return (abc == 0 && on_segment(a, b, c)) || (abd == 0 && on_segment(a, b, d)) ||
         (cda == 0 && on_segment(c, d, a)) || (cdb == 0 && on_segment(c, d, b));
}

/// The side bc runs back over ab.
static bool folds_back(const double a[2], const double b[2], const double c[2])
{
  double along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
  return turn(a, b, c) == 0.0 && along < 0.0;
}

/// No side meets another, except neighbours at their common corner.
static bool is_simple(const polygon_t * p)
{
  for (size_t i = 0; i < p->count; ++i) {
    const double * a = at(p, i), * b = at(p, i + 1), * c = at(p, i + 2);
    if (folds_back(a, b, c)) {
      return false;
    }
    for (size_t j = i + 2; j < p->count; ++j) {
      if ((j + 1) % p->count != i && segments_meet(a, b, at(p, j), at(p, j + 1))) {
        return false;
      }
    }
  }
  return true;
}

static bool is_convex(const polygon_t * p)
{
  for (size_t i = 0; i < p->count; ++i) {
    if (turn(at(p, i), at(p, i + 1), at(p, i + 2)) < 0.0) {
      return false;
    }
  }
  return true;
}

/// Drops repeated points, makes it counter-clockwise. INVALID unless that is a simple polygon.
static vouch_ret_t read_polygon(polygon_t * p, const double(*base)[2], size_t count)
{
  p->points = base;
  for (size_t i = 0; i < count; ++i) {
    if (!vouch_is_coordinate(base[i][0]) || !vouch_is_coordinate(base[i][1])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "corner %zu of a prism is (%g, %g): at most 1e6 m", i, base[i][0],
        base[i][1]);
    }
    if (p->count == 0 || !same(base[i], base[p->corner[p->count - 1]])) {
      p->corner[p->count++] = i;
    }
  }
  while (p->count > 1 && same(at(p, 0), at(p, p->count - 1))) {
    p->count -= 1;
  }
  if (p->count < 3 || !is_simple(p)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the base of a prism must be a polygon of at least three corners whose "
      "sides do not meet");
  }
  double area = 0.0;
  for (size_t i = 1; i + 1 < p->count; ++i) {
    area += turn(at(p, 0), at(p, i), at(p, i + 1));
  }
  if (!(fabs(area) > 0.0)) {
    return vouch_fail(VOUCH_RET_INVALID, "the base of a prism has no area");
  }
  for (size_t i = 0; area < 0.0 && i < p->count / 2; ++i) {
    size_t other = p->corner[p->count - 1 - i];
    p->corner[p->count - 1 - i] = p->corner[i];
    p->corner[i] = other;
  }
  return VOUCH_RET_OK;
}

/// The corner with its neighbours makes a triangle in which no other corner lies.
static bool is_ear(const polygon_t * p, size_t i)
{
  const double * a = at(p, i + p->count - 1), * b = at(p, i), * c = at(p, i + 1);
  if (!(turn(a, b, c) > 0.0)) {
    return false;
  }
  for (size_t k = i + 2; k + 1 < i + p->count; ++k) {
    const double * q = at(p, k);
    if (turn(a, b, q) >= 0.0 && turn(b, c, q) >= 0.0 && turn(c, a, q) >= 0.0) {
      return false;
    }
  }
  return true;
}

/// An ear, else (nothing but flat corners may be left, up to rounding) the corner nearest to flat.
static size_t find_ear(const polygon_t * p)
{
  for (size_t i = 0; i < p->count; ++i) {
    if (is_ear(p, i)) {
      return i;
    }
  }
  size_t flattest = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; i < p->count; ++i) {
    double area = fabs(turn(at(p, i + p->count - 1), at(p, i), at(p, i + 1)));
    if (area < least) {
      least = area;
      flattest = i;
    }
  }
  return flattest;
}

static vouch_ret_t add_corner(
  vouch_mesh_t * mesh, const rigid_t * frame, const double xy[2], double z)
{
  double v[3];
  vec3_store(rigid_apply(frame, vec3(xy[0], xy[1], z)), v);
  return vouch_mesh_add_vertex(mesh, v);
}

/// Vertex 2 * i is corner i below, 2 * i + 1 above.
static vouch_ret_t add_corners(
  vouch_mesh_t * mesh, const polygon_t * p, double height, const rigid_t * frame)
{
  vouch_ret_t code = VOUCH_RET_OK;
  for (size_t i = 0; i < p->count && code == VOUCH_RET_OK; ++i) {
    code = add_corner(mesh, frame, at(p, i), -0.5 * height);
    code = code != VOUCH_RET_OK ? code : add_corner(mesh, frame, at(p, i), 0.5 * height);
  }
  return code;
}

static vouch_ret_t add_sides(vouch_mesh_t * mesh, size_t count)
{
  vouch_ret_t code = VOUCH_RET_OK;
  for (size_t i = 0; i < count && code == VOUCH_RET_OK; ++i) {
    uint32_t a = (uint32_t)(2 * i), b = (uint32_t)(2 * ((i + 1) % count));
    code = vouch_mesh_add_triangle(mesh, a, b, b + 1);
    code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(mesh, a, b + 1, a + 1);
  }
  return code;
}

/// Clips ears until nothing is left. corner[] holds positions in the mesh by then.
static vouch_ret_t add_lids(vouch_mesh_t * mesh, polygon_t * p)
{
  while (p->count >= 3) {
    size_t i = find_ear(p);
    uint32_t a = (uint32_t)(2 * p->corner[(i + p->count - 1) % p->count]);
    uint32_t b = (uint32_t)(2 * p->corner[i]);
    uint32_t c = (uint32_t)(2 * p->corner[(i + 1) % p->count]);
    vouch_ret_t code = vouch_mesh_add_triangle(mesh, a, c, b);
    code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(mesh, a + 1, b + 1, c + 1);
    if (code != VOUCH_RET_OK) {
      return code;
    }
    for (size_t k = i; k + 1 < p->count; ++k) {
      p->corner[k] = p->corner[k + 1];
    }
    p->count -= 1;
  }
  return VOUCH_RET_OK;
}

/// The corners in their order, so that positions in the polygon are numbers of corners.
static double(*ordered_points(const polygon_t * p, vouch_arena_t * arena))[2]
{
  double(*points)[2] = vouch_arena_calloc(arena, p->count, sizeof(points[0]));
  for (size_t i = 0; points != NULL && i < p->count; ++i) {
    points[i][0] = at(p, i)[0];
    points[i][1] = at(p, i)[1];
  }
  return points;
}

static vouch_ret_t build_prism(
  vouch_geometry_builder_t * builder, polygon_t * p, double height, const rigid_t * frame,
  vouch_arena_t * arena)
{
  vouch_mesh_t mesh = vouch_mesh_zero(arena->allocator);
  vouch_ret_t code = add_corners(&mesh, p, height, frame);
  if (code == VOUCH_RET_OK && is_convex(p)) {
    code = vouch_geometry_add_hull(
      builder, (const double(*)[3])mesh.vertices, mesh.vertex_count, 0.0);
  } else if (code == VOUCH_RET_OK) {
    double(*points)[2] = ordered_points(p, arena);
    code = points == NULL ? VOUCH_RET_NO_MEMORY : add_sides(&mesh, p->count);
    for (size_t i = 0; i < p->count; ++i) {
      p->corner[i] = i;
    }
    p->points = (const double(*)[2])points;
    code = code != VOUCH_RET_OK ? code : add_lids(&mesh, p);
    code = code != VOUCH_RET_OK ? code : vouch_geometry_add_mesh(builder, &mesh);
  }
  vouch_mesh_fini(&mesh);
  return code;
}

vouch_ret_t vouch_geometry_add_prism(
  vouch_geometry_builder_t * builder, const double(*base)[2], size_t count, double height,
  const vouch_pose_t * pose)
{
  if (count > MOST_CORNERS) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "the base of a prism has %zu corners: at most %d, else give a mesh",
      count, MOST_CORNERS);
  }
  if (!(height > 0.0 && vouch_is_coordinate(height)) || !vouch_is_pose(pose)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a prism of height %g m: the height must be positive and at most 1e6, and "
      "the pose's quaternion of length 1", height);
  }
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  polygon_t polygon = {.corner = vouch_arena_calloc(&arena, count, sizeof(size_t))};
  vouch_ret_t code = polygon.corner == NULL ? VOUCH_RET_NO_MEMORY :
    read_polygon(&polygon, base, count);
  if (code == VOUCH_RET_OK) {
    rigid_t frame = rigid_from_pose(pose);
    code = build_prism(builder, &polygon, height, &frame, &arena);
  }
  vouch_arena_fini(&arena);
  return code;
}
