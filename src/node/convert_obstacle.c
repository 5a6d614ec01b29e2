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

/* The library's shapes as an obstacle message, for ~/get_scene and the monitored scene. */

#include <string.h>

#include "geometry_msgs/msg/point.h"
#include "geometry_msgs/msg/point32.h"
#include "geometry_msgs/msg/pose.h"
#include "node/convert.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "shape_msgs/msg/mesh.h"
#include "shape_msgs/msg/mesh_triangle.h"
#include "shape_msgs/msg/plane.h"
#include "shape_msgs/msg/solid_primitive.h"
#include "vouch/msg/collision_geometry.h"

SEQUENCE_GROW(shape_msgs__msg__SolidPrimitive)
SEQUENCE_GROW(shape_msgs__msg__Mesh)
SEQUENCE_GROW(shape_msgs__msg__Plane)
SEQUENCE_GROW(vouch__msg__CollisionGeometry)
SEQUENCE_GROW(geometry_msgs__msg__Pose)

static bool add_pose(geometry_msgs__msg__Pose__Sequence * poses, const vouch_pose_t * pose)
{
  if (!geometry_msgs__msg__Pose__grow(poses)) {
    return false;
  }
  convert_pose_to_message(pose, &poses->data[poses->size - 1]);
  return true;
}

static bool fill_primitive(
  const vouch_shape_t * shape, uint8_t type, shape_msgs__msg__SolidPrimitive * out)
{
  static const size_t sizes[] = {0, 3, 1, 2, 2, 1};
  out->type = type;
  if (!rosidl_runtime_c__double__Sequence__init(&out->dimensions, sizes[type])) {
    return false;
  }
  memcpy(out->dimensions.data, shape->size, sizes[type] * sizeof(double));
  if (sizes[type] == 2) {
    out->dimensions.data[0] = shape->size[1];
    out->dimensions.data[1] = shape->size[0];
  }
  if (shape->kind != VOUCH_SHAPE_PRISM) {
    return true;
  }
  if (!geometry_msgs__msg__Point32__Sequence__init(&out->polygon.points, shape->point_count)) {
    return false;
  }
  for (size_t i = 0; i < shape->point_count; ++i) {
    out->polygon.points.data[i].x = (float)shape->points[i][0];
    out->polygon.points.data[i].y = (float)shape->points[i][1];
  }
  return true;
}

static bool add_primitive(
  const vouch_shape_t * shape, uint8_t type, const vouch_pose_t * pose, vouch__msg__Obstacle * out)
{
  return shape_msgs__msg__SolidPrimitive__grow(&out->primitives) &&
         fill_primitive(shape, type, &out->primitives.data[out->primitives.size - 1]) &&
         add_pose(&out->primitive_poses, pose);
}

static bool add_mesh(
  const vouch_shape_t * shape, const vouch_pose_t * pose, vouch__msg__Obstacle * out)
{
  if (!shape_msgs__msg__Mesh__grow(&out->meshes)) {
    return false;
  }
  shape_msgs__msg__Mesh * mesh = &out->meshes.data[out->meshes.size - 1];
  if (!geometry_msgs__msg__Point__Sequence__init(&mesh->vertices, shape->point_count) ||
    !shape_msgs__msg__MeshTriangle__Sequence__init(&mesh->triangles, shape->triangle_count))
  {
    return false;
  }
  memcpy(mesh->vertices.data, shape->points, shape->point_count * sizeof(shape->points[0]));
  memcpy(
    mesh->triangles.data, shape->triangles, shape->triangle_count * sizeof(shape->triangles[0]));
  return add_pose(&out->mesh_poses, pose);
}

static bool add_plane(
  const vouch_shape_t * shape, const vouch_pose_t * pose, vouch__msg__Obstacle * out)
{
  if (!shape_msgs__msg__Plane__grow(&out->planes)) {
    return false;
  }
  memcpy(out->planes.data[out->planes.size - 1].coef, shape->plane, sizeof(shape->plane));
  return add_pose(&out->plane_poses, pose);
}

static bool add_geometry(
  const vouch_shape_t * shape, const vouch_pose_t * pose, vouch__msg__Obstacle * out)
{
  vouch_fcl_geometry_t geometry;
  return vouch_fcl_from_shape(shape, &geometry) &&
         vouch__msg__CollisionGeometry__grow(&out->geometries) &&
         convert_fcl_to_message(&geometry, &out->geometries.data[out->geometries.size - 1]) &&
         add_pose(&out->geometry_poses, pose);
}

bool convert_shape_to_obstacle(
  const vouch_shape_t * shape, const vouch_pose_t * pose, vouch__msg__Obstacle * obstacle)
{
  switch (shape->kind) {
    case VOUCH_SHAPE_BOX:
      return add_primitive(shape, shape_msgs__msg__SolidPrimitive__BOX, pose, obstacle);
    case VOUCH_SHAPE_SPHERE:
      return add_primitive(shape, shape_msgs__msg__SolidPrimitive__SPHERE, pose, obstacle);
    case VOUCH_SHAPE_CYLINDER:
      return add_primitive(shape, shape_msgs__msg__SolidPrimitive__CYLINDER, pose, obstacle);
    case VOUCH_SHAPE_CONE:
      return add_primitive(shape, shape_msgs__msg__SolidPrimitive__CONE, pose, obstacle);
    case VOUCH_SHAPE_PRISM:
      return add_primitive(shape, shape_msgs__msg__SolidPrimitive__PRISM, pose, obstacle);
    case VOUCH_SHAPE_MESH:
      return add_mesh(shape, pose, obstacle);
    case VOUCH_SHAPE_PLANE:
      return add_plane(shape, pose, obstacle);
    default:
      return add_geometry(shape, pose, obstacle);
  }
}
