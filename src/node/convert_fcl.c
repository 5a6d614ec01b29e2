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
#include "geometry_msgs/msg/point.h"
#include "node/convert.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "shape_msgs/msg/mesh_triangle.h"
#include "vouch/msg/contact.h"

vouch_ret_t convert_fcl_from_message(
  const vouch__msg__CollisionGeometry * message, vouch_fcl_geometry_t * geometry)
{
  memset(geometry, 0, sizeof(*geometry));
  geometry->node_type = message->node_type;
  memcpy(geometry->side, &message->side, sizeof(geometry->side));
  memcpy(geometry->radii, &message->radii, sizeof(geometry->radii));
  geometry->radius = message->radius;
  geometry->lz = message->lz;
  memcpy(geometry->n, &message->n, sizeof(geometry->n));
  geometry->d = message->d;
  geometry->vertices = (const double(*)[3])message->vertices.data;
  geometry->vertex_count = message->vertices.size;
  geometry->triangles = (const uint32_t(*)[3])message->triangles.data;
  geometry->triangle_count = message->triangles.size;
  geometry->faces = message->faces.data;
  geometry->faces_size = message->faces.size;
  geometry->num_faces = message->num_faces;
  geometry->cell_centers = (const double(*)[3])message->cell_centers.data;
  geometry->cell_sizes = message->cell_sizes.data;
  geometry->cell_count = message->cell_centers.size;
  if (message->node_type < VOUCH_FCL_BV_AABB || message->node_type > VOUCH_FCL_GEOM_OCTREE) {
    return vouch_fail(VOUCH_RET_INVALID, "FCL node type %d is not known", message->node_type);
  }
  if (message->cell_sizes.size != message->cell_centers.size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu octree cells but %zu sizes", message->cell_centers.size,
      message->cell_sizes.size);
  }
  if (message->node_type == VOUCH_FCL_GEOM_OCTREE && message->cell_centers.size == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "an octree without cells");
  }
  if (message->node_type == VOUCH_FCL_GEOM_CONVEX && !vouch_fcl_faces_valid(geometry)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "the faces of a convex do not add up: num_faces times (count, corners...)");
  }
  return VOUCH_RET_OK;
}

static bool copy_points(
  const double(*points)[3], size_t count, geometry_msgs__msg__Point__Sequence * out)
{
  if (count == 0) {
    return true;
  }
  if (!geometry_msgs__msg__Point__Sequence__init(out, count)) {
    return false;
  }
  memcpy(out->data, points, count * sizeof(points[0]));
  return true;
}

bool convert_fcl_to_message(
  const vouch_fcl_geometry_t * geometry, vouch__msg__CollisionGeometry * message)
{
  message->node_type = geometry->node_type;
  memcpy(&message->side, geometry->side, sizeof(geometry->side));
  memcpy(&message->radii, geometry->radii, sizeof(geometry->radii));
  message->radius = geometry->radius;
  message->lz = geometry->lz;
  memcpy(&message->n, geometry->n, sizeof(geometry->n));
  message->d = geometry->d;
  message->num_faces = geometry->num_faces;
  bool ok = copy_points(geometry->vertices, geometry->vertex_count, &message->vertices) &&
    copy_points(geometry->cell_centers, geometry->cell_count, &message->cell_centers);
  if (ok && geometry->triangle_count > 0) {
    ok = shape_msgs__msg__MeshTriangle__Sequence__init(
      &message->triangles, geometry->triangle_count);
    if (ok) {
      memcpy(
        message->triangles.data, geometry->triangles,
        geometry->triangle_count * sizeof(geometry->triangles[0]));
    }
  }
  if (ok && geometry->faces_size > 0) {
    ok = rosidl_runtime_c__int32__Sequence__init(&message->faces, geometry->faces_size);
    if (ok) {
      memcpy(message->faces.data, geometry->faces, geometry->faces_size * sizeof(int32_t));
    }
  }
  if (ok && geometry->cell_count > 0) {
    ok = rosidl_runtime_c__double__Sequence__init(&message->cell_sizes, geometry->cell_count);
    if (ok) {
      memcpy(message->cell_sizes.data, geometry->cell_sizes, geometry->cell_count * sizeof(double));
    }
  }
  return ok;
}

bool convert_fcl_results(
  const vouch_result_t * result, double duration, vouch__srv__CheckTrajectory_Response * response)
{
  vouch_fcl_continuous_t continuous = vouch_fcl_continuous(result, duration);
  response->continuous_collision.is_collide = continuous.is_collide;
  response->continuous_collision.time_of_contact = continuous.time_of_contact;
  bool ok = true;
  if (result->verdict == VOUCH_COLLISION) {
    vouch_fcl_contact_t contact = vouch_fcl_contact(&result->first_collision);
    ok = vouch__msg__Contact__Sequence__init(&response->collision.contacts, 1);
    if (ok) {
      vouch__msg__Contact * out = &response->collision.contacts.data[0];
      ok = rosidl_runtime_c__String__assign(&out->o1, contact.o1) &&
        rosidl_runtime_c__String__assign(&out->o2, contact.o2);
      out->b1 = contact.b1;
      out->b2 = contact.b2;
      memcpy(&out->normal, contact.normal, sizeof(contact.normal));
      memcpy(&out->pos, contact.pos, sizeof(contact.pos));
      out->penetration_depth = contact.penetration_depth;
    }
  }
  response->distance.b1 = response->distance.b2 = VOUCH_FCL_NONE;
  if (ok && result->clearance.valid) {
    vouch_fcl_distance_t distance = vouch_fcl_distance(&result->clearance);
    response->distance.min_distance = distance.min_distance;
    memcpy(
      response->distance.nearest_points, distance.nearest_points,
      sizeof(distance.nearest_points));
    ok = rosidl_runtime_c__String__assign(&response->distance.o1, distance.o1) &&
      rosidl_runtime_c__String__assign(&response->distance.o2, distance.o2);
  }
  return ok;
}
