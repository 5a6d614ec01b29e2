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
// Shapes of a world as coal's geometries; meshes are built once a process.

#ifndef BENCH__PEERS__COAL_SHAPES_HPP_
#define BENCH__PEERS__COAL_SHAPES_HPP_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/collision_object.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include "world.h"

namespace coal_shapes
{

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

inline Geometry make_mesh(const world_shape_t & shape)
{
  std::vector<coal::Vec3s> points;
  std::vector<coal::Triangle> triangles;
  for (uint32_t i = 0; i < shape.point_count; i++) {
    points.emplace_back(shape.points[i][0], shape.points[i][1], shape.points[i][2]);
  }
  for (uint32_t i = 0; i < shape.triangle_count; i++) {
    triangles.emplace_back(shape.triangles[i][0], shape.triangles[i][1], shape.triangles[i][2]);
  }
  auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  model->beginModel(
    static_cast<unsigned int>(triangles.size()), static_cast<unsigned int>(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

inline Geometry make_hull(const world_shape_t & shape)
{
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  auto faces = std::make_shared<std::vector<coal::Triangle>>();
  for (uint32_t i = 0; i < shape.hull_count; i++) {
    points->emplace_back(shape.hull[i][0], shape.hull[i][1], shape.hull[i][2]);
  }
  for (uint32_t i = 0; i < shape.hull_face_count; i++) {
    const uint32_t * face = shape.hull_faces[i];
    faces->emplace_back(face[0], face[1], face[2]);
  }
  return std::make_shared<coal::Convex<coal::Triangle>>(
    points, shape.hull_count, faces, shape.hull_face_count);
}

inline Geometry make(const world_shape_t & shape, bool hulls)
{
  const double * s = shape.size;
  switch (shape.kind) {
    case WORLD_BOX: return std::make_shared<coal::Box>(s[0], s[1], s[2]);
    case WORLD_SPHERE: return std::make_shared<coal::Sphere>(s[0]);
    case WORLD_CAPSULE: return std::make_shared<coal::Capsule>(s[0], s[1]);
    case WORLD_CYLINDER: return std::make_shared<coal::Cylinder>(s[0], s[1]);
    case WORLD_CONE: return std::make_shared<coal::Cone>(s[0], s[1]);
    case WORLD_ELLIPSOID: return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    case WORLD_CONVEX: return make_hull(shape);
    case WORLD_MESH: return hulls && shape.hull_count > 0 ? make_hull(shape) : make_mesh(shape);
  }
  return nullptr;
}

inline Geometry cached(const world_shape_t & shape, bool hulls)
{
  static std::map<std::pair<uint64_t, bool>, Geometry> all;
  Geometry & entry = all[{shape.key, hulls}];
  if (!entry) {
    entry = make(shape, hulls);
    entry->computeLocalAABB();
  }
  return entry;
}

template<typename Rotation, typename Translation>
void fill(const world_pose_t & pose, Rotation && rotation, Translation && translation)
{
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      rotation(i, j) = pose.r[3 * i + j];
    }
    translation[i] = pose.t[i];
  }
}

}  // namespace coal_shapes

#endif  // BENCH__PEERS__COAL_SHAPES_HPP_
