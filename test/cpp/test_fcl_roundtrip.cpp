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

/* Every FCL shape: fcl:: object -> mirror -> vouch shape -> mirror -> fcl:: object. The two objects
 * must be
 * of the same node type, have the same fields and be at the same distance from a probe. */

#ifndef VOUCH_HAVE_FCL

#include <cstdio>

int main()
{
  std::printf("SKIPPED: FCL was not found\n");
  return 0;
}

#else

#include <fcl/fcl.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "vouch/fcl_mirror.h"

static int failures = 0;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      std::printf("%s:%d: FAILED: %s\n", __FILE__, __LINE__, #condition); \
      ++failures; \
    } \
  } while (0)

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

/* What a mirror points to. */
struct Memory
{
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<uint32_t, 3>> triangles;
  std::vector<int32_t> faces;
  std::vector<std::array<double, 3>> centers;
  std::vector<double> sizes;
};

static void store(const fcl::Vector3d & v, double out[3])
{
  for (int i = 0; i < 3; ++i) {
    out[i] = v[i];
  }
}

static fcl::Vector3d load(const double in[3]) {return fcl::Vector3d(in[0], in[1], in[2]);}

static void point_mirror(const Memory & memory, vouch_fcl_geometry_t & mirror)
{
  mirror.vertices = reinterpret_cast<const double (*)[3]>(memory.points.data());
  mirror.vertex_count = memory.points.size();
  mirror.triangles = reinterpret_cast<const uint32_t (*)[3]>(memory.triangles.data());
  mirror.triangle_count = memory.triangles.size();
  mirror.faces = memory.faces.data();
  mirror.faces_size = memory.faces.size();
  mirror.cell_centers = reinterpret_cast<const double (*)[3]>(memory.centers.data());
  mirror.cell_sizes = memory.sizes.data();
  mirror.cell_count = memory.sizes.size();
}

/* ---- fcl to mirror: the few lines ---- */

static vouch_fcl_geometry_t to_mirror(const fcl::CollisionGeometryd & geometry, Memory & memory)
{
  vouch_fcl_geometry_t mirror = {};
  mirror.node_type = static_cast<uint8_t>(geometry.getNodeType());
  switch (geometry.getNodeType()) {
    case fcl::GEOM_BOX:
      store(static_cast<const fcl::Boxd &>(geometry).side, mirror.side);
      break;
    case fcl::GEOM_SPHERE:
      mirror.radius = static_cast<const fcl::Sphered &>(geometry).radius;
      break;
    case fcl::GEOM_ELLIPSOID:
      store(static_cast<const fcl::Ellipsoidd &>(geometry).radii, mirror.radii);
      break;
    case fcl::GEOM_CAPSULE:
      mirror.radius = static_cast<const fcl::Capsuled &>(geometry).radius;
      mirror.lz = static_cast<const fcl::Capsuled &>(geometry).lz;
      break;
    case fcl::GEOM_CONE:
      mirror.radius = static_cast<const fcl::Coned &>(geometry).radius;
      mirror.lz = static_cast<const fcl::Coned &>(geometry).lz;
      break;
    case fcl::GEOM_CYLINDER:
      mirror.radius = static_cast<const fcl::Cylinderd &>(geometry).radius;
      mirror.lz = static_cast<const fcl::Cylinderd &>(geometry).lz;
      break;
    case fcl::GEOM_PLANE:
      store(static_cast<const fcl::Planed &>(geometry).n, mirror.n);
      mirror.d = static_cast<const fcl::Planed &>(geometry).d;
      break;
    case fcl::GEOM_HALFSPACE:
      store(static_cast<const fcl::Halfspaced &>(geometry).n, mirror.n);
      mirror.d = static_cast<const fcl::Halfspaced &>(geometry).d;
      break;
    case fcl::GEOM_TRIANGLE: {
        const auto & triangle = static_cast<const fcl::TrianglePd &>(geometry);
        for (const auto & p : {triangle.a, triangle.b, triangle.c}) {
          memory.points.push_back({p[0], p[1], p[2]});
        }
        break;
      }
    case fcl::GEOM_CONVEX: {
        const auto & convex = static_cast<const fcl::Convexd &>(geometry);
        for (const auto & p : convex.getVertices()) {
          memory.points.push_back({p[0], p[1], p[2]});
        }
        memory.faces.assign(convex.getFaces().begin(), convex.getFaces().end());
        mirror.num_faces = static_cast<uint32_t>(convex.getFaceCount());
        break;
      }
    case fcl::GEOM_OCTREE:
      for (const auto & box : static_cast<const fcl::OcTreed &>(geometry).toBoxes()) {
        memory.centers.push_back({box[0], box[1], box[2]});
        memory.sizes.push_back(box[3]);
      }
      break;
    default: {
        const auto & mesh = static_cast<const fcl::BVHModel<fcl::OBBRSSd> &>(geometry);
        for (int i = 0; i < mesh.num_vertices; ++i) {
          const auto & p = mesh.vertices[i];
          memory.points.push_back({p[0], p[1], p[2]});
        }
        for (int i = 0; i < mesh.num_tris; ++i) {
          const auto & t = mesh.tri_indices[i];
          memory.triangles.push_back(
            {static_cast<uint32_t>(t[0]), static_cast<uint32_t>(t[1]), static_cast<uint32_t>(t[2])});
        }
      }
  }
  point_mirror(memory, mirror);
  return mirror;
}

/* ---- mirror to fcl: the few lines the other way ---- */

static std::shared_ptr<std::vector<fcl::Vector3d>> points_of(const vouch_fcl_geometry_t & mirror)
{
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (size_t i = 0; i < mirror.vertex_count; ++i) {
    points->push_back(load(mirror.vertices[i]));
  }
  return points;
}

static Geometry make_mesh(const vouch_fcl_geometry_t & mirror)
{
  auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Triangle> triangles;
  for (size_t i = 0; i < mirror.triangle_count; ++i) {
    const uint32_t * t = mirror.triangles[i];
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  mesh->beginModel();
  mesh->addSubModel(*points_of(mirror), triangles);
  mesh->endModel();
  return mesh;
}

static Geometry make_octree(const vouch_fcl_geometry_t & mirror)
{
  auto tree = std::make_shared<octomap::OcTree>(mirror.cell_sizes[0]);
  for (size_t i = 0; i < mirror.cell_count; ++i) {
    const double * c = mirror.cell_centers[i];
    tree->updateNode(octomap::point3d(
        static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])), true);
  }
  return std::make_shared<fcl::OcTreed>(tree);
}

static Geometry from_mirror(const vouch_fcl_geometry_t & mirror)
{
  switch (mirror.node_type) {
    case fcl::GEOM_BOX: return std::make_shared<fcl::Boxd>(load(mirror.side));
    case fcl::GEOM_SPHERE: return std::make_shared<fcl::Sphered>(mirror.radius);
    case fcl::GEOM_ELLIPSOID: return std::make_shared<fcl::Ellipsoidd>(load(mirror.radii));
    case fcl::GEOM_CAPSULE: return std::make_shared<fcl::Capsuled>(mirror.radius, mirror.lz);
    case fcl::GEOM_CONE: return std::make_shared<fcl::Coned>(mirror.radius, mirror.lz);
    case fcl::GEOM_CYLINDER: return std::make_shared<fcl::Cylinderd>(mirror.radius, mirror.lz);
    case fcl::GEOM_PLANE: return std::make_shared<fcl::Planed>(load(mirror.n), mirror.d);
    case fcl::GEOM_HALFSPACE: return std::make_shared<fcl::Halfspaced>(load(mirror.n), mirror.d);
    case fcl::GEOM_TRIANGLE:
      return std::make_shared<fcl::TrianglePd>(
        load(mirror.vertices[0]), load(mirror.vertices[1]), load(mirror.vertices[2]));
    case fcl::GEOM_CONVEX: {
        auto faces = std::make_shared<std::vector<int>>(
          mirror.faces, mirror.faces + mirror.faces_size);
        return std::make_shared<fcl::Convexd>(
          points_of(mirror), static_cast<int>(mirror.num_faces), faces);
      }
    case fcl::GEOM_OCTREE: return make_octree(mirror);
    default: return make_mesh(mirror);
  }
}

/* ---- the round trip ---- */

/// Through vouch's own type and back. What vouch does not keep (faces, cells) is carried by the
/// caller.
static vouch_fcl_geometry_t through_vouch(const vouch_fcl_geometry_t & mirror)
{
  vouch_shape_t shape;
  vouch_pose_t pose;
  CHECK(vouch_fcl_shape_count(&mirror) >= 1);
  CHECK(vouch_fcl_shape(&mirror, 0, &shape, &pose));
  vouch_fcl_geometry_t back = {};
  CHECK(vouch_fcl_from_shape(&shape, &back));
  if (mirror.node_type == VOUCH_FCL_GEOM_CONVEX) {
    CHECK(vouch_fcl_faces_valid(&mirror));
    back.faces = mirror.faces;
    back.faces_size = mirror.faces_size;
    back.num_faces = mirror.num_faces;
  }
  if (mirror.node_type == VOUCH_FCL_GEOM_OCTREE) {
    for (size_t i = 0; i < mirror.cell_count; ++i) {
      CHECK(vouch_fcl_shape(&mirror, i, &shape, &pose));
      CHECK(shape.kind == VOUCH_SHAPE_BOX && shape.size[2] == mirror.cell_sizes[i]);
      CHECK(pose.translation[1] == mirror.cell_centers[i][1]);
    }
    CHECK(!vouch_fcl_shape(&mirror, mirror.cell_count, &shape, &pose));
    back = mirror;
  }
  return back;
}

static void same_mirrors(const vouch_fcl_geometry_t & a, const vouch_fcl_geometry_t & b)
{
  CHECK(a.node_type == b.node_type);
  CHECK(a.radius == b.radius && a.lz == b.lz && a.d == b.d);
  for (int i = 0; i < 3; ++i) {
    CHECK(a.side[i] == b.side[i] && a.radii[i] == b.radii[i] && a.n[i] == b.n[i]);
  }
  CHECK(a.vertex_count == b.vertex_count && a.triangle_count == b.triangle_count);
  CHECK(a.num_faces == b.num_faces && a.faces_size == b.faces_size);
  CHECK(a.cell_count == b.cell_count);
  for (size_t i = 0; i < a.vertex_count && i < b.vertex_count; ++i) {
    CHECK(load(a.vertices[i]) == load(b.vertices[i]));
  }
}

/// Probes from several sides; planes and half-spaces have no distance in FCL and are probed by
/// collision.
static void same_answers(const Geometry & a, const Geometry & b)
{
  bool flat = a->getNodeType() == fcl::GEOM_PLANE || a->getNodeType() == fcl::GEOM_HALFSPACE;
  auto probe = std::make_shared<fcl::Sphered>(0.05);
  for (int i = 0; i < 27; ++i) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.translation() = fcl::Vector3d(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1) * 0.7;
    fcl::CollisionObjectd first(a), second(b), ball(probe, pose);
    fcl::CollisionRequestd ask;
    fcl::CollisionResultd one, two;
    CHECK(fcl::collide(&first, &ball, ask, one) == fcl::collide(&second, &ball, ask, two));
    if (!flat && !one.isCollision()) {
      fcl::DistanceRequestd far;
      fcl::DistanceResultd x, y;
      CHECK(fcl::distance(&first, &ball, far, x) == fcl::distance(&second, &ball, far, y));
    }
  }
}

static void round_trip(const char * name, const Geometry & geometry)
{
  Memory memory, again;
  int before = failures;
  vouch_fcl_geometry_t mirror = to_mirror(*geometry, memory);
  CHECK(mirror.node_type == static_cast<uint8_t>(geometry->getNodeType()));
  vouch_fcl_geometry_t back = through_vouch(mirror);
  Geometry rebuilt = from_mirror(back);
  vouch_fcl_geometry_t last = to_mirror(*rebuilt, again);
  CHECK(rebuilt->getNodeType() == geometry->getNodeType());
  same_mirrors(mirror, last);
  if (geometry->getNodeType() != fcl::GEOM_TRIANGLE) {   // FCL has no answers about single triangles
    same_answers(geometry, rebuilt);
  }
  std::printf("%-10s %s\n", name, failures == before ? "ok" : "FAILED");
}

static Geometry cube_convex()
{
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (int i = 0; i < 8; ++i) {
    points->emplace_back(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.1 : -0.1);
  }
  auto faces = std::make_shared<std::vector<int>>(std::initializer_list<int>{
    4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4, 4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5});
  return std::make_shared<fcl::Convexd>(points, 6, faces);
}

static Geometry octree()
{
  auto tree = std::make_shared<octomap::OcTree>(0.1);
  for (int i = 0; i < 5; ++i) {
    tree->updateNode(octomap::point3d(0.15F + 0.3F * static_cast<float>(i), 0.05F, -0.15F), true);
  }
  return std::make_shared<fcl::OcTreed>(tree);
}

static Geometry mesh()
{
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  fcl::generateBVHModel(*model, fcl::Boxd(0.4, 0.5, 0.6), fcl::Transform3d::Identity());
  return model;
}

/// The sign that catches everybody: FCL says n.x = d, shape_msgs says a x + b y + c z + d = 0.
static void plane_sign()
{
  vouch_fcl_geometry_t mirror = {};
  mirror.node_type = VOUCH_FCL_GEOM_HALFSPACE;
  mirror.n[2] = 1.0;
  mirror.d = 0.5;
  vouch_shape_t shape;
  vouch_pose_t pose;
  CHECK(vouch_fcl_shape(&mirror, 0, &shape, &pose));
  fcl::Halfspaced half(0.0, 0.0, 1.0, 0.5);
  for (double z : {-1.0, 0.0, 0.4, 0.6, 2.0}) {
    bool inside = shape.plane[2] * z + shape.plane[3] <= 0.0;
    CHECK(inside == (half.signedDistance(fcl::Vector3d(0, 0, z)) <= 0.0));
  }
}

static void refusals()
{
  vouch_fcl_geometry_t mirror = {};
  vouch_shape_t shape = {};
  vouch_pose_t pose;
  CHECK(vouch_fcl_shape_count(&mirror) == 0);
  CHECK(!vouch_fcl_shape(&mirror, 0, &shape, &pose));
  mirror.node_type = 20;
  CHECK(vouch_fcl_shape_count(&mirror) == 0 && !vouch_fcl_shape(&mirror, 0, &shape, &pose));
  shape.kind = VOUCH_SHAPE_PRISM;
  CHECK(!vouch_fcl_from_shape(&shape, &mirror));
  mirror = {};
  const int32_t short_faces[] = {3, 0, 1};
  const int32_t wild_faces[] = {3, 0, 1, 9};
  const double points[3][3] = {};
  mirror.vertices = points;
  mirror.vertex_count = 3;
  mirror.num_faces = 1;
  mirror.faces = short_faces;
  mirror.faces_size = 3;
  CHECK(!vouch_fcl_faces_valid(&mirror));
  mirror.faces = wild_faces;
  mirror.faces_size = 4;
  CHECK(!vouch_fcl_faces_valid(&mirror));
}

static void results()
{
  vouch_result_t result = {};
  CHECK(!vouch_fcl_continuous(&result, 2.0).is_collide);
  CHECK(vouch_fcl_continuous(&result, 2.0).time_of_contact == 1.0);
  result.verdict = VOUCH_COLLISION;
  vouch_contact_t & contact = result.first_collision;
  contact.kind = VOUCH_CONTACT_CONTACT;
  contact.a = "a";
  contact.b = "b";
  contact.time_s = 0.5;
  contact.point_a[0] = 0.2;   // a reaches 0.2, b begins at 0.1: normal from a to b is +x
  contact.point_b[0] = 0.1;
  contact.depth_m = 0.1;
  vouch_fcl_contact_t mirror = vouch_fcl_contact(&contact);
  CHECK(mirror.normal[0] == 1.0 && std::fabs(mirror.pos[0] - 0.15) < 1e-15);
  CHECK(mirror.penetration_depth == 0.1 && mirror.b1 == fcl::Contactd::NONE);
  CHECK(vouch_fcl_continuous(&result, 2.0).time_of_contact == 0.25);
}

int main()
{
  using std::make_shared;
  round_trip("box", make_shared<fcl::Boxd>(0.2, 0.4, 0.6));
  round_trip("sphere", make_shared<fcl::Sphered>(0.3));
  round_trip("ellipsoid", make_shared<fcl::Ellipsoidd>(0.1, 0.2, 0.3));
  round_trip("capsule", make_shared<fcl::Capsuled>(0.1, 0.5));
  round_trip("cone", make_shared<fcl::Coned>(0.2, 0.6));
  round_trip("cylinder", make_shared<fcl::Cylinderd>(0.2, 0.6));
  round_trip("convex", cube_convex());
  round_trip("plane", make_shared<fcl::Planed>(fcl::Vector3d(0.6, 0.0, 0.8), 0.25));
  round_trip("halfspace", make_shared<fcl::Halfspaced>(fcl::Vector3d(0.0, 0.6, 0.8), -0.25));
  round_trip(
    "triangle", make_shared<fcl::TrianglePd>(
      fcl::Vector3d(0, 0, 0), fcl::Vector3d(0.5, 0, 0), fcl::Vector3d(0, 0.5, 0.1)));
  round_trip("octree", octree());
  round_trip("mesh", mesh());
  plane_sign();
  refusals();
  results();
  std::printf("%s\n", failures == 0 ? "all shapes round-trip" : "FAILED");
  return failures == 0 ? 0 : 1;
}

#endif  // VOUCH_HAVE_FCL
