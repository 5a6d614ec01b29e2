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
// Bullet 3.24 in double precision: every convex shape, and the hull of every mesh, is one collision object;
// btDbvtBroadphase with a filter for the checked pairs. The cast peer replaces the shapes of moving links by
// the hull of their two poses at the ends of a segment, as Tesseract's and MoveIt's cast managers do.

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <btBulletCollisionCommon.h>

#include "peers/peer.h"

namespace
{

btTransform transform(const world_pose_t & pose)
{
  const double * r = pose.r;
  return btTransform(
    btMatrix3x3(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
    btVector3(pose.t[0], pose.t[1], pose.t[2]));
}

// The hull of a shape at the identity and at `motion`.
class CastShape : public btConvexShape
{
public:
  CastShape(btConvexShape * shape)
  : shape_(shape), motion_(btTransform::getIdentity()) {m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;}
  void set_motion(const btTransform & motion) {motion_ = motion;}
  btVector3 localGetSupportingVertex(const btVector3 & n) const override
  {
    const btVector3 a = shape_->localGetSupportingVertex(n);
    const btVector3 b = motion_ * shape_->localGetSupportingVertex(n * motion_.getBasis());
    return n.dot(a) > n.dot(b) ? a : b;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3 & n) const override
  {
    const btVector3 a = shape_->localGetSupportingVertexWithoutMargin(n);
    const btVector3 b = motion_ *
      shape_->localGetSupportingVertexWithoutMargin(n * motion_.getBasis());
    return n.dot(a) > n.dot(b) ? a : b;
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(
    const btVector3 * n, btVector3 * out, int count) const override
  {
    for (int i = 0; i < count; i++) {
      out[i] = localGetSupportingVertexWithoutMargin(n[i]);
    }
  }
  void getAabb(const btTransform & pose, btVector3 & low, btVector3 & high) const override
  {
    btVector3 low2, high2;
    shape_->getAabb(pose, low, high);
    shape_->getAabb(pose * motion_, low2, high2);
    low.setMin(low2);
    high.setMax(high2);
  }
  void getAabbSlow(const btTransform & pose, btVector3 & low, btVector3 & high) const override
  {
    getAabb(pose, low, high);
  }
  void setLocalScaling(const btVector3 &) override {}
  const btVector3 & getLocalScaling() const override {return shape_->getLocalScaling();}
  void setMargin(btScalar margin) override {shape_->setMargin(margin);}
  btScalar getMargin() const override {return shape_->getMargin();}
  int getNumPreferredPenetrationDirections() const override {return 0;}
  void getPreferredPenetrationDirection(int, btVector3 &) const override {}
  void calculateLocalInertia(btScalar, btVector3 &) const override {}
  const char * getName() const override {return "cast";}

private:
  btConvexShape * shape_;
  btTransform motion_;
};

struct Part
{
  uint32_t body;
  btTransform offset;
  std::unique_ptr<btConvexShape> shape;
  std::unique_ptr<CastShape> cast;
  std::unique_ptr<btCollisionObject> object;
};

struct Filter : public btOverlapFilterCallback
{
  const world_t * world;
  bool needBroadphaseCollision(btBroadphaseProxy * a, btBroadphaseProxy * b) const override
  {
    const auto * one = static_cast<const btCollisionObject *>(a->m_clientObject);
    const auto * two = static_cast<const btCollisionObject *>(b->m_clientObject);
    return world->checked[
      static_cast<uint32_t>(one->getUserIndex()) * world->body_count +
      static_cast<uint32_t>(two->getUserIndex())];
  }
};

struct Bullet
{
  const world_t * world;
  bool cast;
  std::vector<Part> parts;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld collisions{&dispatcher, &broadphase, &configuration};
  Filter filter;
  bool placed = false;
  ~Bullet()
  {
    for (Part & part : parts) {
      collisions.removeCollisionObject(part.object.get());
    }
  }
};

std::unique_ptr<btConvexShape> make(const world_shape_t & shape)
{
  const double * s = shape.size;
  std::unique_ptr<btConvexShape> out;
  switch (shape.kind) {
    case WORLD_BOX:
      out = std::make_unique<btBoxShape>(btVector3(0.5 * s[0], 0.5 * s[1], 0.5 * s[2]));
      break;
    case WORLD_SPHERE: return std::make_unique<btSphereShape>(s[0]);
    case WORLD_CAPSULE: return std::make_unique<btCapsuleShapeZ>(s[0], s[1]);
    case WORLD_CYLINDER:
      out = std::make_unique<btCylinderShapeZ>(btVector3(s[0], s[0], 0.5 * s[1]));
      break;
    case WORLD_CONE: out = std::make_unique<btConeShapeZ>(s[0], s[1]); break;
    default: {
        auto hull = std::make_unique<btConvexHullShape>();
        const bool flat = shape.hull_count == 0;   // then all points
        for (uint32_t i = 0; i < (flat ? shape.point_count : shape.hull_count); i++) {
          const double * p = flat ? shape.points[i] : shape.hull[i];
          hull->addPoint(btVector3(p[0], p[1], p[2]), false);
        }
        hull->recalcLocalAabb();
        out = std::move(hull);
      }
  }
  out->setMargin(0.0);
  return out;
}

void * open(const world_t * world, bool cast)
{
  auto * self = new Bullet;
  self->world = world;
  self->cast = cast;
  self->filter.world = world;
  self->broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&self->filter);
  self->collisions.setForceUpdateAllAabbs(false);
  self->dispatcher.setDispatcherFlags(
    self->dispatcher.getDispatcherFlags() &
    ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
  for (uint32_t i = 0; i < world->body_count; i++) {
    for (uint32_t k = 0; k < world->bodies[i].shape_count; k++) {
      const world_shape_t & shape = world->bodies[i].shapes[k];
      if (shape.kind == WORLD_ELLIPSOID) {
        continue;   // Bullet has none; no benchmark uses one
      }
      Part part{i, transform(shape.pose), make(shape), nullptr,
        std::make_unique<btCollisionObject>()};
      btConvexShape * used = part.shape.get();
      if (cast && world->bodies[i].moving) {
        part.cast = std::make_unique<CastShape>(used);
        used = part.cast.get();
      }
      part.object->setCollisionShape(used);
      part.object->setUserIndex(static_cast<int>(i));
      part.object->setCollisionFlags(
        world->bodies[i].moving ? btCollisionObject::CF_KINEMATIC_OBJECT :
        btCollisionObject::CF_STATIC_OBJECT);
      part.object->setActivationState(DISABLE_DEACTIVATION);
      self->parts.push_back(std::move(part));
    }
  }
  return self;
}

void * open_discrete(const world_t * world) {return open(world, false);}
void * open_cast(const world_t * world) {return open(world, true);}

bool hit(Bullet * self)
{
  self->collisions.performDiscreteCollisionDetection();
  for (int i = 0; i < self->dispatcher.getNumManifolds(); i++) {
    const btPersistentManifold * manifold = self->dispatcher.getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold->getNumContacts(); k++) {
      if (manifold->getContactPoint(k).getDistance() < 0.0) {
        return true;
      }
    }
  }
  return false;
}

bool look(Bullet * self, const world_pose_t * begin, const world_pose_t * end)
{
  for (Part & part : self->parts) {
    if (self->placed && !self->world->bodies[part.body].moving) {
      continue;
    }
    const btTransform at = transform(begin[part.body]) * part.offset;
    part.object->setWorldTransform(at);
    if (part.cast) {
      part.cast->set_motion(at.inverse() * (transform(end[part.body]) * part.offset));
    }
    if (!self->placed) {
      // One group for what moves and one for what does not: static pairs are never looked at.
      const bool moving = self->world->bodies[part.body].moving;
      self->collisions.addCollisionObject(
        part.object.get(), moving ? btBroadphaseProxy::DefaultFilter : btBroadphaseProxy::StaticFilter,
        moving ? btBroadphaseProxy::AllFilter : btBroadphaseProxy::DefaultFilter);
    } else {
      self->collisions.updateSingleAabb(part.object.get());
    }
  }
  self->placed = true;
  // Manifolds of the state before must not be counted again.
  for (int i = self->dispatcher.getNumManifolds() - 1; i >= 0; i--) {
    self->dispatcher.clearManifold(self->dispatcher.getManifoldByIndexInternal(i));
  }
  return hit(self);
}

bool state(void * data, const world_pose_t * poses)
{
  return look(static_cast<Bullet *>(data), poses, poses);
}

bool segment(void * data, const world_pose_t * begin, const world_pose_t * end, double * toc)
{
  *toc = std::numeric_limits<double>::quiet_NaN();
  return look(static_cast<Bullet *>(data), begin, end);
}

void close(void * data) {delete static_cast<Bullet *>(data);}

}  // namespace

extern "C" {
const peer_t peer_bullet = {"Bullet hulls", open_discrete, state, nullptr, close};
const peer_t peer_bullet_cast = {"Bullet cast", open_cast, nullptr, segment, close};
}
