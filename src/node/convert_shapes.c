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

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/scene.h"
#include "node/convert.h"
#include "shape_msgs/msg/solid_primitive.h"

vouch_pose_t convert_pose(const geometry_msgs__msg__Pose * message)
{
  const geometry_msgs__msg__Quaternion * q = &message->orientation;
  vouch_pose_t pose = {
    {q->x, q->y, q->z, q->w},
    {message->position.x, message->position.y, message->position.z}
  };
  if (q->x == 0.0 && q->y == 0.0 && q->z == 0.0 && q->w == 0.0) {
    pose.rotation[3] = 1.0;
  }
  return pose;
}

void convert_point_to_message(const double point[3], geometry_msgs__msg__Point * message)
{
  message->x = point[0];
  message->y = point[1];
  message->z = point[2];
}

void convert_pose_to_message(const vouch_pose_t * pose, geometry_msgs__msg__Pose * message)
{
  convert_point_to_message(pose->translation, &message->position);
  message->orientation.x = pose->rotation[0];
  message->orientation.y = pose->rotation[1];
  message->orientation.z = pose->rotation[2];
  message->orientation.w = pose->rotation[3];
}

/// Makes an array bigger; it stays as it is when there is no memory.
static bool grow(void ** array, size_t bytes)
{
  void * bigger = realloc(*array, bytes);
  if (bigger != NULL) {
    *array = bigger;
  }
  return bigger != NULL;
}

static vouch_ret_t append(
  shape_list_t * list, const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  if (list->count == list->capacity) {
    size_t capacity = list->capacity < 8 ? 8 : 2 * list->capacity;
    void * shapes = list->shapes;
    void * poses = list->poses;
    bool ok = grow(&shapes, capacity * sizeof(*list->shapes));
    ok = grow(&poses, capacity * sizeof(*list->poses)) && ok;
    list->shapes = shapes;
    list->poses = poses;
    if (!ok) {
      return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for %zu shapes", capacity);
    }
    list->capacity = capacity;
  }
  list->shapes[list->count] = *shape;
  list->poses[list->count] = *pose;
  ++list->count;
  return VOUCH_RET_OK;
}

static vouch_ret_t prism_base(
  shape_list_t * list, const geometry_msgs__msg__Polygon * polygon, vouch_shape_t * shape)
{
  size_t count = polygon->points.size;
  double(*points)[3] = calloc(count + 1, sizeof(*points));
  double(**polygons)[3] =
    realloc(list->polygons, (list->polygon_count + 1) * sizeof(*list->polygons));
  if (polygons != NULL) {
    list->polygons = polygons;
  }
  if (points == NULL || polygons == NULL) {
    free(points);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a prism of %zu corners", count);
  }
  list->polygons[list->polygon_count++] = points;
  for (size_t i = 0; i < count; ++i) {
    points[i][0] = (double)polygon->points.data[i].x;
    points[i][1] = (double)polygon->points.data[i].y;
  }
  shape->points = (const double(*)[3])points;
  shape->point_count = count;
  return VOUCH_RET_OK;
}

static vouch_ret_t append_primitive(
  shape_list_t * list, const shape_msgs__msg__SolidPrimitive * primitive,
  const vouch_pose_t * pose)
{
  static const vouch_shape_kind_t kinds[] = {
    VOUCH_SHAPE_UNKNOWN, VOUCH_SHAPE_BOX, VOUCH_SHAPE_SPHERE, VOUCH_SHAPE_CYLINDER,
    VOUCH_SHAPE_CONE, VOUCH_SHAPE_PRISM
  };
  static const size_t sizes[] = {0, 3, 1, 2, 2, 1};
  if (primitive->type < 1 || primitive->type > 5) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "primitive type %d is not known: box 1, sphere 2, cylinder 3, cone 4, prism 5",
      primitive->type);
  }
  if (primitive->dimensions.size != sizes[primitive->type]) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a primitive of type %d has %zu dimensions instead of %zu",
      primitive->type, primitive->dimensions.size, sizes[primitive->type]);
  }
  vouch_shape_t shape = {.kind = kinds[primitive->type]};
  const double * given = primitive->dimensions.data;
  memcpy(shape.size, given, primitive->dimensions.size * sizeof(double));
  if (shape.kind == VOUCH_SHAPE_CYLINDER || shape.kind == VOUCH_SHAPE_CONE) {
    shape.size[0] = given[1];   // the message says height, radius
    shape.size[1] = given[0];
  }
  if (shape.kind == VOUCH_SHAPE_PRISM) {
    vouch_ret_t ret = prism_base(list, &primitive->polygon, &shape);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return append(list, &shape, pose);
}

static vouch_ret_t append_mesh(
  shape_list_t * list, const shape_msgs__msg__Mesh * mesh, const vouch_pose_t * pose)
{
  vouch_shape_t shape = {.kind = VOUCH_SHAPE_MESH};
  shape.points = (const double(*)[3])mesh->vertices.data;
  shape.point_count = mesh->vertices.size;
  shape.triangles = (const uint32_t(*)[3])mesh->triangles.data;
  shape.triangle_count = mesh->triangles.size;
  return append(list, &shape, pose);
}

static vouch_ret_t append_plane(
  shape_list_t * list, const shape_msgs__msg__Plane * plane, const vouch_pose_t * pose)
{
  vouch_shape_t shape = {.kind = VOUCH_SHAPE_PLANE};
  memcpy(shape.plane, plane->coef, sizeof(shape.plane));
  return append(list, &shape, pose);
}

static vouch_ret_t append_geometry(
  shape_list_t * list, const vouch__msg__CollisionGeometry * message, const vouch_pose_t * pose)
{
  vouch_fcl_geometry_t geometry;
  vouch_ret_t ret = convert_fcl_from_message(message, &geometry);
  size_t count = ret == VOUCH_RET_OK ? vouch_fcl_shape_count(&geometry) : 0;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    vouch_shape_t shape;
    vouch_pose_t inner;
    if (!vouch_fcl_shape(&geometry, i, &shape, &inner)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "a geometry of FCL node type %d lacks its vertices", message->node_type);
    }
    /* Only cells of an octree have a pose of their own, without rotation. */
    vouch_pose_t placed = *pose;
    if (geometry.node_type == VOUCH_FCL_GEOM_OCTREE) {
      placed = vouch_pose_product(pose, &inner);
    }
    ret = append(list, &shape, &placed);
  }
  return ret;
}

/// One of the four lists of an obstacle. Fewer poses than shapes: identity; more: an error.
static vouch_ret_t check_poses(const char * what, size_t shapes, size_t poses)
{
  return poses <= shapes ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%zu %s but %zu poses for them", shapes, what, poses);
}

#define APPEND_ALL(shapes, shape_poses, function) \
  do { \
    ret = ret != VOUCH_RET_OK ? ret : \
      check_poses(#shapes, obstacle->shapes.size, obstacle->shape_poses.size); \
    for (size_t i = 0; ret == VOUCH_RET_OK && i < obstacle->shapes.size; ++i) { \
      vouch_pose_t pose = i < obstacle->shape_poses.size ? \
        convert_pose(&obstacle->shape_poses.data[i]) : vouch_pose_identity(); \
      ret = function(list, &obstacle->shapes.data[i], &pose); \
      if (ret != VOUCH_RET_OK) { \
        ret = vouch_fail_prefix(ret, #shapes "[%zu]", i); \
      } \
    } \
  } while (0)

vouch_ret_t shape_list_from_obstacle(shape_list_t * list, const vouch__msg__Obstacle * obstacle)
{
  memset(list, 0, sizeof(*list));
  vouch_ret_t ret = VOUCH_RET_OK;
  APPEND_ALL(primitives, primitive_poses, append_primitive);
  APPEND_ALL(meshes, mesh_poses, append_mesh);
  APPEND_ALL(planes, plane_poses, append_plane);
  APPEND_ALL(geometries, geometry_poses, append_geometry);
  return ret;
}

void shape_list_fini(shape_list_t * list)
{
  for (size_t i = 0; i < list->polygon_count; ++i) {
    free(list->polygons[i]);
  }
  free(list->polygons);
  free(list->shapes);
  free(list->poses);
  memset(list, 0, sizeof(*list));
}
