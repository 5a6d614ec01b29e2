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
// coal 3.0.3, driven as FCL is in fcl.cpp: obstacles in a dynamic tree of boxes that each moving link asks,
// pairs of links looped over with a test of their boxes first, guesses of GJK kept from state to state.

#include <memory>
#include <utility>
#include <vector>

#include <coal/broadphase/broadphase.h>

#include "peers/coal_shapes.hpp"
#include "peers/peer.h"

namespace
{

struct Part
{
  uint32_t body;
  coal::Transform3s offset;
  std::unique_ptr<coal::CollisionObject> object;
};

struct Coal
{
  const world_t * world;
  std::vector<Part> moving, fixed;
  coal::DynamicAABBTreeCollisionManager obstacles;
  std::vector<std::pair<size_t, size_t>> self;
  bool placed = false;
};

coal::Transform3s transform(const world_pose_t & pose)
{
  coal::Matrix3s rotation;
  coal::Vec3s translation;
  coal_shapes::fill(pose, rotation, translation);
  return coal::Transform3s(rotation, translation);
}

bool touches(const coal::CollisionObject * a, const coal::CollisionObject * b)
{
  coal::CollisionRequest request(coal::NO_REQUEST, 1);
  coal::CollisionResult result;
  return coal::collide(a, b, request, result) > 0;
}

struct Query : public coal::CollisionCallBackBase
{
  const world_t * world;
  bool hit = false;
  bool collide(coal::CollisionObject * a, coal::CollisionObject * b) override
  {
    const uint32_t one = static_cast<const Part *>(a->getUserData())->body;
    const uint32_t two = static_cast<const Part *>(b->getUserData())->body;
    hit = hit || (world->checked[one * world->body_count + two] && touches(a, b));
    return hit;
  }
};

void * open(const world_t * world, bool hulls)
{
  auto * self = new Coal;
  self->world = world;
  for (uint32_t i = 0; i < world->body_count; i++) {
    const world_body_t & body = world->bodies[i];
    auto & parts = body.moving ? self->moving : self->fixed;
    for (uint32_t k = 0; k < body.shape_count; k++) {
      parts.push_back(
        {i, transform(body.shapes[k].pose),
          std::make_unique<coal::CollisionObject>(coal_shapes::cached(body.shapes[k], hulls))});
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
  auto * self = static_cast<Coal *>(data);
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
    Query query;
    query.world = self->world;
    self->obstacles.collide(part.object.get(), &query);
    if (query.hit) {
      return true;
    }
  }
  for (const auto & pair : self->self) {
    const auto * a = self->moving[pair.first].object.get();
    const auto * b = self->moving[pair.second].object.get();
    if (a->getAABB().overlap(b->getAABB()) && touches(a, b)) {
      return true;
    }
  }
  return false;
}

void close(void * data) {delete static_cast<Coal *>(data);}

}  // namespace

extern "C" {
const peer_t peer_coal_bvh = {"coal meshes", open_bvh, state, nullptr, close, nullptr};
const peer_t peer_coal_hull = {"coal hulls", open_hull, state, nullptr, close, nullptr};
}
