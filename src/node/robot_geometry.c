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

/* The robot's convex meshes: published for others, or taken from others. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "geometry_msgs/msg/point.h"
#include "kernel/derived.h"
#include "model/robot.h"
#include "node/convert.h"
#include "node/node.h"
#include "node/solid.h"
#include "shape_msgs/msg/mesh_triangle.h"
#include "vouch/msg/convex_mesh.h"
#include "vouch/msg/link_geometry.h"

/* ---- out ---- */

static void fill_ball(vouch__msg__ConvexMesh * mesh)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  const double(*points)[3] = (const double(*)[3])mesh->vertices.data;
  for (size_t i = 0; i < mesh->vertices.size; ++i) {
    for (int k = 0; k < 3; ++k) {
      low[k] = points[i][k] < low[k] ? points[i][k] : low[k];
      high[k] = points[i][k] > high[k] ? points[i][k] : high[k];
    }
  }
  double center[3], radius = 0.0;
  for (int k = 0; k < 3; ++k) {
    center[k] = 0.5 * (low[k] + high[k]);
  }
  for (size_t i = 0; i < mesh->vertices.size; ++i) {
    double d = hypot(
      hypot(points[i][0] - center[0], points[i][1] - center[1]), points[i][2] - center[2]);
    radius = d > radius ? d : radius;
  }
  convert_point_to_message(center, &mesh->center);
  mesh->ball_radius_m = (radius + mesh->radius_m + mesh->epsilon_m) * (1.0 + 1e-12);
}

static bool fill_mesh(const solid_t * solid, vouch__msg__ConvexMesh * mesh)
{
  if (!geometry_msgs__msg__Point__Sequence__init(&mesh->vertices, solid->point_count) ||
    !shape_msgs__msg__MeshTriangle__Sequence__init(&mesh->triangles, solid->triangle_count))
  {
    return false;
  }
  memcpy(mesh->vertices.data, solid->points, solid->point_count * sizeof(solid->points[0]));
  if (solid->triangle_count > 0) {
    memcpy(
      mesh->triangles.data, solid->triangles,
      solid->triangle_count * sizeof(solid->triangles[0]));
  }
  fill_ball(mesh);
  return true;
}

/// The hull of everything, as the proofs use it: kept vertices, epsilon, ball.
static bool fill_root(
  const vouch_geometry_t * geometry, solid_t * solid,
  vouch__msg__ConvexMesh * mesh)
{
  const vouch_tree_node_t * root = &geometry->nodes[0];
  const kernel_node_t * derived = &kernel_derived(geometry)->nodes[0];
  bool ok = true;
  solid_clear(solid);
  for (uint32_t i = 0; ok && i < root->kept_count; ++i) {
    uint32_t vertex = geometry->kept[root->kept_first + i];
    ok = derived->round_count > 0 ? solid_add_vertex(solid, geometry, vertex) :
      solid_add_point(solid, geometry->vertices[vertex]);   // epsilon has the balls
  }
  if (!ok || !solid_hull(solid) || !fill_mesh(solid, mesh)) {
    return false;
  }
  double center[3];
  vec3_store(derived->center, center);
  convert_point_to_message(center, &mesh->center);
  mesh->epsilon_m = derived->epsilon;
  mesh->ball_radius_m = derived->radius;
  return true;
}

/// Convex primitives one by one.
static bool fill_primitives(
  const vouch_geometry_t * geometry, solid_t * solid, vouch__msg__ConvexMesh__Sequence * parts)
{
  bool ok = vouch__msg__ConvexMesh__Sequence__init(parts, geometry->primitive_count);
  for (uint32_t i = 0; ok && i < geometry->primitive_count; ++i) {
    vouch__msg__ConvexMesh * mesh = &parts->data[i];
    vouch_look_t look = vouch_primitive_look(geometry, i).look;
    solid_clear(solid);
    mesh->radius_m = solid_ball(geometry, i);
    mesh->exact = geometry->primitives[i].kind == VOUCH_PRIMITIVE_HULL &&
      look <= VOUCH_LOOK_CAPSULE;
    ok = solid_add_primitive(solid, geometry, i, true) && solid_hull(solid) &&
      fill_mesh(solid, mesh);
  }
  return ok;
}

static bool fill_link(
  vouch_geometry_t * geometry, solid_t * solid, vouch__msg__ConvexMesh__Sequence * parts)
{
  bool convex = geometry->primitive_count <= 64;
  for (uint32_t i = 0; convex && i < geometry->primitive_count; ++i) {
    convex = geometry->primitives[i].kind != VOUCH_PRIMITIVE_TRIANGLE;
  }
  if (convex || geometry->nodes[0].kept_count == 0 ||
    kernel_derive(geometry, vouch_allocator_default()) != VOUCH_RET_OK)
  {
    return fill_primitives(geometry, solid, parts);
  }
  return vouch__msg__ConvexMesh__Sequence__init(parts, 1) &&
         fill_root(geometry, solid, &parts->data[0]);
}

bool robot_geometry_fill(const vouch_robot_t * robot, vouch__msg__RobotGeometry * message)
{
  size_t count = 0;
  for (size_t i = 0; i < robot->link_count; ++i) {
    count += robot->links[i].geometry != NULL;
  }
  bool ok = rosidl_runtime_c__String__assign(&message->robot_name, vouch_robot_name(robot)) &&
    vouch__msg__LinkGeometry__Sequence__init(&message->links, count);
  size_t at = 0;
  solid_t solid = {0};
  for (size_t i = 0; ok && i < robot->link_count; ++i) {
    const vouch_link_t * link = &robot->links[i];
    if (link->geometry != NULL) {
      vouch__msg__LinkGeometry * out = &message->links.data[at++];
      ok = rosidl_runtime_c__String__assign(&out->link_name, link->name) &&
        fill_link(link->geometry, &solid, &out->parts);
    }
  }
  solid_fini(&solid);
  return ok;
}

/* ---- in ---- */

/// The corners with the cube that contains the ball of radius + epsilon around each: never less
/// than the shape.
static vouch_ret_t grow_corners(
  const vouch__msg__ConvexMesh * mesh, const char * link, solid_t * solid)
{
  double r = mesh->radius_m + mesh->epsilon_m;
  if (!(mesh->radius_m >= 0.0) || !(mesh->epsilon_m >= 0.0) || !isfinite(r)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "robot_geometry: link '%.200s' has a radius or epsilon that is no number >= 0",
      link);
  }
  r *= 1.0 + 1e-12;
  for (size_t i = 0; i < mesh->vertices.size; ++i) {
    const geometry_msgs__msg__Point * v = &mesh->vertices.data[i];
    for (int k = 0; k < (r > 0.0 ? 8 : 1); ++k) {
      double corner[3] = {
        v->x + (k & 1 ? r : -r), v->y + (k & 2 ? r : -r), v->z + (k & 4 ? r : -r)
      };
      if (!solid_add_point(solid, corner)) {
        return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the robot's geometry");
      }
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t apply_link(
  vouch_robot_t * robot, const vouch__msg__LinkGeometry * link, vouch_shape_t * shapes,
  vouch_pose_t * poses, solid_t * solids)
{
  for (size_t i = 0; i < link->parts.size; ++i) {
    vouch_ret_t ret = grow_corners(&link->parts.data[i], link->link_name.data, &solids[i]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    poses[i] = vouch_pose_identity();
    shapes[i] = (vouch_shape_t) {
      .kind = VOUCH_SHAPE_CONVEX, .points = (const double(*)[3])solids[i].points,
      .point_count = solids[i].point_count
    };
  }
  return vouch_robot_set_link_shapes(
    robot, link->link_name.data, shapes, poses, link->parts.size);
}

vouch_ret_t robot_geometry_check_source(
  const vouch__msg__RobotGeometry * message, const vouch_robot_t * robot,
  const uint8_t description_hash[32])
{
  static const uint8_t not_known[32] = {0};
  if (message->robot_name.size > 0 &&
    strcmp(message->robot_name.data, vouch_robot_name(robot)) != 0)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "robot_geometry is of robot '%.200s', not of '%s'",
      message->robot_name.data, vouch_robot_name(robot));
  }
  return memcmp(message->description_hash, not_known, sizeof(not_known)) == 0 ||
         memcmp(message->description_hash, description_hash, sizeof(not_known)) == 0 ?
         VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "robot_geometry was made for another description of robot '%s' than the one "
    "here (description_hash differs)", vouch_robot_name(robot));
}

vouch_ret_t robot_geometry_apply(vouch_robot_t * robot, const vouch__msg__RobotGeometry * message)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < message->links.size; ++i) {
    const vouch__msg__LinkGeometry * link = &message->links.data[i];
    size_t count = link->parts.size;
    for (size_t k = 0; ret == VOUCH_RET_OK && k < i; ++k) {
      if (strcmp(message->links.data[k].link_name.data, link->link_name.data) == 0) {
        ret = vouch_fail(VOUCH_RET_INVALID, "link '%.200s' is there twice", link->link_name.data);
      }
    }
    if (ret != VOUCH_RET_OK) {
      break;
    }
    vouch_shape_t * shapes = calloc(count + 1, sizeof(*shapes));
    vouch_pose_t * poses = calloc(count + 1, sizeof(*poses));
    solid_t * solids = calloc(count + 1, sizeof(*solids));
    ret = shapes == NULL || poses == NULL || solids == NULL ?
      vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the robot's geometry") :
      apply_link(robot, link, shapes, poses, solids);
    for (size_t k = 0; solids != NULL && k < count; ++k) {
      solid_fini(&solids[k]);
    }
    free(solids);
    free(poses);
    free(shapes);
  }
  return ret;
}
