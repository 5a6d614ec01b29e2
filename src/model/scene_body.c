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

/* What an object is made of: shapes checked, copied, and one geometry built over them. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "model/scene.h"

static bool is_plane(const vouch_shape_t * shape)
{
  return shape->kind == VOUCH_SHAPE_PLANE || shape->kind == VOUCH_SHAPE_HALFSPACE;
}

static vouch_ret_t check_sizes(const vouch_shape_t * shape, size_t count, const char * words)
{
  for (size_t i = 0; i < count; ++i) {
    if (!(shape->size[i] > 0.0 && shape->size[i] <= VOUCH_MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s must be positive and at most 1e6 m, but number %zu is %g", words,
        i + 1, shape->size[i]);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_points(const vouch_shape_t * shape, size_t least)
{
  if (shape->point_count < least || shape->points == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "it has %zu points but needs at least %zu", shape->point_count, least);
  }
  for (size_t i = 0; i < shape->point_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!(fabs(shape->points[i][k]) <= VOUCH_MAX_COORDINATE)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "point %zu is not finite or beyond 1e6 m", i);
      }
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_triangles(const vouch_shape_t * shape)
{
  if (shape->triangle_count == 0 || shape->triangles == NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "the mesh has no triangles");
  }
  for (size_t i = 0; i < shape->triangle_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (shape->triangles[i][k] >= shape->point_count) {
        return vouch_fail(
          VOUCH_RET_INVALID, "triangle %zu names vertex %u, but there are only %zu", i,
          shape->triangles[i][k], shape->point_count);
      }
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_plane(const vouch_shape_t * shape)
{
  const double * p = shape->plane;
  const double norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  if (!(norm >= 1e-9 && norm <= 1e9)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the normal (%g, %g, %g) of the plane is zero or not finite", p[0], p[1],
      p[2]);
  }
  if (!(fabs(p[3] / norm) <= VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the plane's offset %g is not finite or beyond 1e6 m", p[3]);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_shape(const vouch_shape_t * shape)
{
  vouch_ret_t ret;
  switch (shape->kind) {
    case VOUCH_SHAPE_BOX:
      return check_sizes(shape, 3, "the sides of a box");
    case VOUCH_SHAPE_SPHERE:
      return check_sizes(shape, 1, "the radius of a sphere");
    case VOUCH_SHAPE_CYLINDER:
      return check_sizes(shape, 2, "radius and height of a cylinder");
    case VOUCH_SHAPE_CONE:
      return check_sizes(shape, 2, "radius and height of a cone");
    case VOUCH_SHAPE_CAPSULE:
      return check_sizes(shape, 2, "radius and length of a capsule");
    case VOUCH_SHAPE_ELLIPSOID:
      return check_sizes(shape, 3, "the radii of an ellipsoid");
    case VOUCH_SHAPE_PRISM:
      ret = check_sizes(shape, 1, "the height of a prism");
      return ret == VOUCH_RET_OK ? check_points(shape, 3) : ret;
    case VOUCH_SHAPE_CONVEX:
      return check_points(shape, 1);
    case VOUCH_SHAPE_MESH:
      ret = check_points(shape, 1);
      return ret == VOUCH_RET_OK ? check_triangles(shape) : ret;
    case VOUCH_SHAPE_PLANE:
    case VOUCH_SHAPE_HALFSPACE:
      return check_plane(shape);
    case VOUCH_SHAPE_UNKNOWN:
    default:
      return vouch_fail(VOUCH_RET_INVALID, "shape kind %d is not known", (int)shape->kind);
  }
}

static vouch_ret_t copy_shape(
  vouch_arena_t * arena, const vouch_shape_t * shape, vouch_shape_t * copy)
{
  *copy = *shape;
  copy->points = NULL;
  copy->triangles = NULL;
  const bool points = shape->kind == VOUCH_SHAPE_PRISM || shape->kind == VOUCH_SHAPE_CONVEX ||
    shape->kind == VOUCH_SHAPE_MESH;
  copy->point_count = points ? shape->point_count : 0;
  copy->triangle_count = shape->kind == VOUCH_SHAPE_MESH ? shape->triangle_count : 0;
  if (copy->point_count > 0) {
    double(*memory)[3] = vouch_arena_calloc(arena, copy->point_count, sizeof(*memory));
    if (memory == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    memcpy(memory, shape->points, copy->point_count * sizeof(*memory));
    copy->points = (const double(*)[3])memory;
  }
  if (copy->triangle_count > 0) {
    uint32_t(*memory)[3] = vouch_arena_calloc(arena, copy->triangle_count, sizeof(*memory));
    if (memory == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    memcpy(memory, shape->triangles, copy->triangle_count * sizeof(*memory));
    copy->triangles = (const uint32_t(*)[3])memory;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t copy_shapes(
  vouch_object_body_t * body, const vouch_shape_t * shapes, const vouch_pose_t * poses,
  size_t count)
{
  body->shapes = vouch_arena_calloc(&body->arena, count, sizeof(*body->shapes));
  body->shape_poses = vouch_arena_calloc(&body->arena, count, sizeof(*body->shape_poses));
  if (body->shapes == NULL || body->shape_poses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count; ++i) {
    body->shape_poses[i] = poses == NULL ? vouch_pose_identity() : poses[i];
    vouch_ret_t ret = check_shape(&shapes[i]);
    if (ret == VOUCH_RET_OK) {
      ret = vouch_pose_validate(&body->shape_poses[i], "pose");
    }
    if (ret == VOUCH_RET_OK) {
      ret = copy_shape(&body->arena, &shapes[i], &body->shapes[i]);
    }
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "shape %zu", i);
    }
    body->plane_count += is_plane(&shapes[i]) ? 1 : 0;
    body->shape_count++;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t build_geometry(vouch_object_body_t * body, const vouch_scene_t * scene)
{
  const vouch_geometry_options_t options = {.hulls = scene->hulls, .surfaces = scene->surfaces};
  vouch_geometry_builder_t * builder = NULL;
  vouch_ret_t ret = vouch_geometry_builder_create(&builder, body->allocator, &options);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < body->shape_count; ++i) {
    if (is_plane(&body->shapes[i])) {
      continue;
    }
    ret = vouch_shape_build(builder, &body->shapes[i], &body->shape_poses[i]);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "shape %zu", i);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_geometry_build(builder, &body->arena, &body->geometry, &body->facts);
  }
  body->has_geometry = ret == VOUCH_RET_OK;
  vouch_geometry_builder_destroy(builder);
  return ret;
}

vouch_ret_t vouch_object_body_create(
  vouch_object_body_t ** out, const vouch_scene_t * scene, const vouch_shape_t * shapes,
  const vouch_pose_t * poses, size_t count)
{
  *out = NULL;
  if (count == 0 || shapes == NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "it has no shapes");
  }
  vouch_object_body_t * body = vouch_calloc(&scene->allocator, 1, sizeof(*body));
  if (body == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  atomic_init(&body->references, 1);
  body->allocator = scene->allocator;
  body->arena.allocator = scene->allocator;
  vouch_ret_t ret = copy_shapes(body, shapes, poses, count);
  if (ret == VOUCH_RET_OK && body->plane_count < count) {
    ret = build_geometry(body, scene);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_object_body_release(body);
    return ret;
  }
  *out = body;
  return VOUCH_RET_OK;
}

void vouch_object_body_retain(vouch_object_body_t * body)
{
  atomic_fetch_add_explicit(&body->references, 1, memory_order_relaxed);
}

void vouch_object_body_release(vouch_object_body_t * body)
{
  if (body == NULL ||
    atomic_fetch_sub_explicit(&body->references, 1, memory_order_acq_rel) != 1)
  {
    return;
  }
  const vouch_allocator_t allocator = body->allocator;
  vouch_geometry_release(&body->geometry);
  vouch_arena_fini(&body->arena);
  vouch_free(&allocator, body);
}

void vouch_shape_plane(
  const vouch_shape_t * shape, const vouch_pose_t * pose, double normal[3], double * offset)
{
  const vec3_t given = vec3_from(shape->plane);
  const double norm = vec3_norm(given);
  const rigid_t rigid = rigid_from_pose(pose);
  const vec3_t turned = mat3_mul_vec(&rigid.rotation, vec3_scale(given, 1.0 / norm));
  const vec3_t unit = vec3_unit(turned, vec3(0.0, 0.0, 1.0));
  vec3_store(unit, normal);
  *offset = -shape->plane[3] / norm + vec3_dot(unit, rigid.translation);
}
