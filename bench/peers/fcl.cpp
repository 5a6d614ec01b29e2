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
// FCL 0.7, as MoveIt uses it: meshes as BVHModel<OBBRSSd>, primitives as FCL's own shapes, obstacles in a
// DynamicAABBTreeCollisionManager, which is queried by each moving link; pairs of links are looped over
// with a test of their boxes first (cheaper than a manager that is updated at every state).

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fcl/fcl.h>

#include "peers/peer.h"

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

fcl::Transform3d transform(const world_pose_t & pose)
{
  fcl::Transform3d out = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out.linear()(i, j) = pose.r[3 * i + j];
    }
    out.translation()[i] = pose.t[i];
  }
  return out;
}

Geometry make_mesh(const world_shape_t & shape)
{
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (uint32_t i = 0; i < shape.point_count; i++) {
    points.emplace_back(shape.points[i][0], shape.points[i][1], shape.points[i][2]);
  }
  for (uint32_t i = 0; i < shape.triangle_count; i++) {
    triangles.emplace_back(shape.triangles[i][0], shape.triangles[i][1], shape.triangles[i][2]);
  }
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

Geometry make_hull(const world_shape_t & shape)
{
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (uint32_t i = 0; i < shape.hull_count; i++) {
    points->emplace_back(shape.hull[i][0], shape.hull[i][1], shape.hull[i][2]);
  }
  for (uint32_t i = 0; i < shape.hull_face_count; i++) {
    faces->push_back(3);
    for (int k = 0; k < 3; k++) {
      faces->push_back(static_cast<int>(shape.hull_faces[i][k]));
    }
  }
  return std::make_shared<fcl::Convexd>(points, static_cast<int>(shape.hull_face_count), faces);
}

Geometry make(const world_shape_t & shape, bool hulls)
{
  const double * s = shape.size;
  switch (shape.kind) {
    case WORLD_BOX: return std::make_shared<fcl::Boxd>(s[0], s[1], s[2]);
    case WORLD_SPHERE: return std::make_shared<fcl::Sphered>(s[0]);
    case WORLD_CAPSULE: return std::make_shared<fcl::Capsuled>(s[0], s[1]);
    case WORLD_CYLINDER: return std::make_shared<fcl::Cylinderd>(s[0], s[1]);
    case WORLD_CONE: return std::make_shared<fcl::Coned>(s[0], s[1]);
    case WORLD_ELLIPSOID: return std::make_shared<fcl::Ellipsoidd>(s[0], s[1], s[2]);
    case WORLD_CONVEX: return make_hull(shape);
    case WORLD_MESH: return hulls && shape.hull_count > 0 ? make_hull(shape) : make_mesh(shape);
  }
  return nullptr;
}

// Trees of the same mesh are built once a process.
Geometry cached(const world_shape_t & shape, bool hulls)
{
  static std::map<std::pair<uint64_t, bool>, Geometry> all;
  Geometry & entry = all[{shape.key, hulls}];
  if (!entry) {
    entry = make(shape, hulls);
  }
  return entry;
}

struct Part
{
  uint32_t body;
  fcl::Transform3d offset;
  std::unique_ptr<fcl::CollisionObjectd> object;
};

struct Fcl
{
  const world_t * world;
  std::vector<Part> moving, fixed;
  fcl::DynamicAABBTreeCollisionManagerd obstacles;
  std::vector<std::pair<size_t, size_t>> self;   // of moving parts
  bool placed = false;
};

struct Query
{
  const Fcl * self;
  uint32_t body;
  bool hit = false;
};

uint32_t body_of(const fcl::CollisionObjectd * object)
{
  return static_cast<const Part *>(object->getUserData())->body;
}

bool touches(fcl::CollisionObjectd * a, fcl::CollisionObjectd * b)
{
  fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  return fcl::collide(a, b, request, result) > 0;
}

bool near(fcl::CollisionObjectd * a, fcl::CollisionObjectd * b, void * data)
{
  auto * query = static_cast<Query *>(data);
  const uint32_t one = body_of(a), two = body_of(b);
  if (query->self->world->checked[one * query->self->world->body_count + two] && touches(a, b)) {
    query->hit = true;
  }
  return query->hit;
}

void * open(const world_t * world, bool hulls)
{
  auto * self = new Fcl;
  self->world = world;
  for (uint32_t i = 0; i < world->body_count; i++) {
    const world_body_t & body = world->bodies[i];
    auto & parts = body.moving ? self->moving : self->fixed;
    for (uint32_t k = 0; k < body.shape_count; k++) {
      parts.push_back(
        {i, transform(body.shapes[k].pose),
          std::make_unique<fcl::CollisionObjectd>(cached(body.shapes[k], hulls))});
    }
  }
  for (auto * parts : {&self->moving, &self->fixed}) {
    for (Part & part : *parts) {
      part.object->setUserData(&part);
    }
  }
  for (size_t i = 0; i < self->moving.size(); i++) {
    for (size_t k = i + 1; k < self->moving.size(); k++) {
      if (world->checked[self->moving[i].body * world->body_count + self->moving[k].body]) {
        self->self.emplace_back(i, k);
      }
    }
  }
  return self;
}

void * open_bvh(const world_t * world) {return open(world, false);}
void * open_hull(const world_t * world) {return open(world, true);}

void place(Part & part, const world_pose_t * poses)
{
  part.object->setTransform(transform(poses[part.body]) * part.offset);
  part.object->computeAABB();
}

bool state(void * data, const world_pose_t * poses)
{
  auto * self = static_cast<Fcl *>(data);
  if (!self->placed) {
    for (Part & part : self->fixed) {
      place(part, poses);
      self->obstacles.registerObject(part.object.get());
    }
    self->obstacles.setup();
    self->placed = true;
  }
  for (Part & part : self->moving) {
    place(part, poses);
    Query query{self, part.body};
    self->obstacles.collide(part.object.get(), &query, near);
    if (query.hit) {
      return true;
    }
  }
  for (const auto & pair : self->self) {
    auto * a = self->moving[pair.first].object.get();
    auto * b = self->moving[pair.second].object.get();
    if (a->getAABB().overlap(b->getAABB()) && touches(a, b)) {
      return true;
    }
  }
  return false;
}

// Each checked pair whose swept boxes meet, by conservative advancement along the interpolated motion
// that FCL offers (a screw-free interpolation of the two poses, not the arm's true arc).
bool segment(void * data, const world_pose_t * begin, const world_pose_t * end, double * toc)
{
  auto * self = static_cast<Fcl *>(data);
  fcl::ContinuousCollisionRequestd request;
  request.ccd_motion_type = fcl::CCDM_LINEAR;
  request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  double first = 2.0;
  auto swept = [&](Part & part) {
      place(part, end);
      fcl::AABBd box = part.object->getAABB();
      place(part, begin);
      return box + part.object->getAABB();
    };
  auto check = [&](Part & a, const fcl::AABBd & box_a, Part & b) {
      if (!self->world->checked[a.body * self->world->body_count + b.body] ||
        !box_a.overlap(swept(b)))
      {
        return;
      }
      fcl::ContinuousCollisionResultd result;
      fcl::continuousCollide(
        a.object->collisionGeometry().get(), transform(begin[a.body]) * a.offset,
        transform(end[a.body]) * a.offset, b.object->collisionGeometry().get(),
        transform(begin[b.body]) * b.offset, transform(end[b.body]) * b.offset, request, result);
      if (result.is_collide && result.time_of_contact < first) {
        first = result.time_of_contact;
      }
    };
  for (size_t i = 0; i < self->moving.size(); i++) {
    const fcl::AABBd box = swept(self->moving[i]);
    for (Part & part : self->fixed) {
      check(self->moving[i], box, part);
    }
    for (size_t k = i + 1; k < self->moving.size(); k++) {
      check(self->moving[i], box, self->moving[k]);
    }
  }
  *toc = first;
  return first <= 1.0;
}

void close(void * data) {delete static_cast<Fcl *>(data);}

}  // namespace

extern "C" {
const peer_t peer_fcl_bvh = {"FCL meshes", open_bvh, state, nullptr, close};
const peer_t peer_fcl_hull = {"FCL hulls", open_hull, state, nullptr, close};
const peer_t peer_fcl_ca = {"FCL continuous", open_bvh, nullptr, segment, close};
}
