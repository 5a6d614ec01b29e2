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

/* From a shape as messages and files give it to convex primitives of a geometry. */

#include <math.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "model/robot.h"

static const char * shape_name(vouch_shape_kind_t kind)
{
  static const char * const names[] = {
    "unknown", "box", "sphere", "cylinder", "cone", "capsule", "ellipsoid", "prism", "convex",
    "mesh", "plane", "half-space"
  };
  size_t number = (size_t)kind;
  return number < sizeof(names) / sizeof(names[0]) ? names[number] : names[0];
}

static bool all_within(const double * values, size_t count, double limit)
{
  for (size_t i = 0; i < count; ++i) {
    if (!(fabs(values[i]) <= limit)) {
      return false;
    }
  }
  return true;
}

static vouch_ret_t check_pose(const vouch_pose_t * pose)
{
  const double * q = pose->rotation;
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(fabs(norm - 1.0) <= 1e-3)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the quaternion (%g, %g, %g, %g) of a shape is not of unit length", q[0],
      q[1], q[2], q[3]);
  }
  if (!all_within(pose->translation, 3, VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the position (%g, %g, %g) of a shape is not finite or beyond %g m",
      pose->translation[0], pose->translation[1], pose->translation[2], VOUCH_MAX_COORDINATE);
  }
  return VOUCH_RET_OK;
}

static size_t size_count(vouch_shape_kind_t kind)
{
  switch (kind) {
    case VOUCH_SHAPE_BOX:
    case VOUCH_SHAPE_ELLIPSOID:
      return 3;
    case VOUCH_SHAPE_CYLINDER:
    case VOUCH_SHAPE_CONE:
    case VOUCH_SHAPE_CAPSULE:
      return 2;
    case VOUCH_SHAPE_SPHERE:
    case VOUCH_SHAPE_PRISM:
      return 1;
    default:
      return 0;
  }
}

static vouch_ret_t check_sizes(const vouch_shape_t * shape)
{
  for (size_t i = 0; i < size_count(shape->kind); ++i) {
    bool may_be_zero = shape->kind == VOUCH_SHAPE_CAPSULE && i == 1;   // then it is a sphere
    double size = shape->size[i];
    if (!(size > 0.0 || (may_be_zero && size == 0.0)) || !(size <= VOUCH_MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the %s has the size %g; sizes are positive and at most %g m",
        shape_name(shape->kind), size, VOUCH_MAX_COORDINATE);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_points(const vouch_shape_t * shape, size_t least)
{
  if (shape->point_count < least || shape->points == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the %s has %zu points; it needs at least %zu", shape_name(shape->kind),
      shape->point_count, least);
  }
  for (size_t i = 0; i < shape->point_count; ++i) {
    if (!all_within(shape->points[i], 3, VOUCH_MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "point %zu of the %s is not finite or beyond %g m", i,
        shape_name(shape->kind), VOUCH_MAX_COORDINATE);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t add_mesh(
  vouch_geometry_builder_t * builder, const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  static const double unit[3] = {1.0, 1.0, 1.0};
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < shape->point_count; ++i) {
    ret = vouch_mesh_add_vertex(&mesh, shape->points[i]);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < shape->triangle_count; ++i) {
    const uint32_t * t = shape->triangles[i];
    ret = vouch_mesh_add_triangle(&mesh, t[0], t[1], t[2]);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_mesh_validate(&mesh);
  }
  if (ret == VOUCH_RET_OK) {
    vouch_mesh_transform(&mesh, unit, pose);
    ret = vouch_geometry_add_mesh(builder, &mesh);
  }
  vouch_mesh_fini(&mesh);
  return ret;
}

static vouch_ret_t add_convex(
  vouch_geometry_builder_t * builder, const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  vouch_ret_t ret = check_points(shape, 1);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_allocator_t allocator = vouch_allocator_default();
  double(*points)[3] = vouch_calloc(&allocator, shape->point_count, sizeof(*points));
  if (points == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  rigid_t rigid = rigid_from_pose(pose);
  for (size_t i = 0; i < shape->point_count; ++i) {
    vec3_store(rigid_apply(&rigid, vec3_from(shape->points[i])), points[i]);
  }
  ret = vouch_geometry_add_hull(
    builder, (const double(*)[3])points, shape->point_count, 0.0);
  vouch_free(&allocator, points);
  return ret;
}

static vouch_ret_t add_prism(
  vouch_geometry_builder_t * builder, const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  vouch_ret_t ret = check_points(shape, 3);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_allocator_t allocator = vouch_allocator_default();
  double(*base)[2] = vouch_calloc(&allocator, shape->point_count, sizeof(*base));
  if (base == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < shape->point_count; ++i) {
    base[i][0] = shape->points[i][0];
    base[i][1] = shape->points[i][1];
    if (ret == VOUCH_RET_OK && shape->points[i][2] != 0.0) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "corner %zu of a prism's base has z = %g: the base lies in the plane "
        "z = 0 and is extruded along z; turn the shape by its pose", i, shape->points[i][2]);
    }
  }
  ret = ret != VOUCH_RET_OK ? ret : vouch_geometry_add_prism(
    builder, (const double(*)[2])base, shape->point_count, shape->size[0], pose);
  vouch_free(&allocator, base);
  return ret;
}

vouch_ret_t vouch_shape_build(
  vouch_geometry_builder_t * builder, const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  vouch_ret_t ret = check_pose(pose);
  if (ret == VOUCH_RET_OK) {
    ret = check_sizes(shape);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const double * size = shape->size;
  vouch_curved_t curved = {.pose = *pose, .size = {size[0], size[1] / 2.0, 0.0}};
  switch (shape->kind) {
    case VOUCH_SHAPE_BOX:
      return vouch_geometry_add_box(builder, size, pose);
    case VOUCH_SHAPE_SPHERE:
      return vouch_geometry_add_sphere(builder, size[0], pose);
    case VOUCH_SHAPE_CYLINDER:
      curved.look = VOUCH_LOOK_CYLINDER;
      return vouch_geometry_add_curved(builder, &curved);
    case VOUCH_SHAPE_CONE:
      curved.look = VOUCH_LOOK_CONE;
      return vouch_geometry_add_curved(builder, &curved);
    case VOUCH_SHAPE_CAPSULE:
      return size[1] == 0.0 ? vouch_geometry_add_sphere(builder, size[0], pose) :
             vouch_geometry_add_capsule(builder, size[0], size[1], pose);
    case VOUCH_SHAPE_ELLIPSOID:
      curved.look = VOUCH_LOOK_ELLIPSOID;
      memcpy(curved.size, size, sizeof(curved.size));
      return vouch_geometry_add_curved(builder, &curved);
    case VOUCH_SHAPE_PRISM:
      return add_prism(builder, shape, pose);
    case VOUCH_SHAPE_CONVEX:
      return add_convex(builder, shape, pose);
    case VOUCH_SHAPE_MESH:
      return add_mesh(builder, shape, pose);
    case VOUCH_SHAPE_PLANE:
    case VOUCH_SHAPE_HALFSPACE:
    case VOUCH_SHAPE_UNKNOWN:
      break;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "a shape of kind '%s' (%d) cannot be part of a body",
    shape_name(shape->kind), (int)shape->kind);
}
