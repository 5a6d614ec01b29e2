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
// hpp-core 9.0.2, continuous validation. Dichotomy certifies (in exact arithmetic) by velocity bounds and
// distance lower bounds; progressive steps with a tolerance and does not. The kinematic tree, the shapes and
// the checked pairs are those of the problem file; obstacles are shapes of the universe joint. Break distance
// 0.01 was its best setting.

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/geometry.hpp>

#include <hpp/core/continuous-validation/body-pair-collision.hh>
#include <hpp/core/continuous-validation/dichotomy.hh>
#include <hpp/core/continuous-validation/progressive.hh>
#include <hpp/core/path-validation-report.hh>
#include <hpp/core/path-vector.hh>
#include <hpp/core/straight-path.hh>
#include <hpp/pinocchio/device.hh>

#include "peers/coal_shapes.hpp"
#include "peers/peer.h"

namespace
{

using hpp::pinocchio::Model;
using SE3 = ::pinocchio::SE3;

SE3 transform(const world_pose_t & pose)
{
  SE3 out = SE3::Identity();
  coal_shapes::fill(pose, out.rotation(), out.translation());
  return out;
}

struct Hpp
{
  hpp::pinocchio::DevicePtr_t robot;
  hpp::core::ContinuousValidationPtr_t validation;
  std::vector<uint32_t> joints;   // frames, in the order of the model's joints
};

// Joint and fixed offset of every frame of the problem.
struct Place
{
  ::pinocchio::JointIndex joint;
  SE3 offset;
};

std::vector<Place> add_joints(const world_t * world, Model & model, std::vector<uint32_t> & joints)
{
  std::vector<Place> places(world_frame_count(world), Place{0, SE3::Identity()});
  for (uint32_t i = 1; i < places.size(); i++) {
    const world_frame_t frame = world_frame(world, i);
    const Place & parent = places[frame.parent];
    const SE3 placement = parent.offset * transform(frame.pose);
    if (frame.joint == 0) {
      places[i] = Place{parent.joint, placement};
      continue;
    }
    const Eigen::Vector3d axis(frame.axis[0], frame.axis[1], frame.axis[2]);
    const std::string name = "joint_" + std::to_string(i);
    Eigen::VectorXd low(1), high(1), much = Eigen::VectorXd::Constant(1, 1e3);
    if (frame.joint == 1) {
      low[0] = -20.0;
      high[0] = 20.0;
      places[i].joint = model.addJoint(
        parent.joint, ::pinocchio::JointModelRevoluteUnaligned(axis), placement, name, much, much,
        low, high);
    } else {
      const double a = frame.multiplier * frame.low + frame.offset;
      const double b = frame.multiplier * frame.high + frame.offset;
      low[0] = std::fmin(a, b) - 1e-9;
      high[0] = std::fmax(a, b) + 1e-9;
      places[i].joint = model.addJoint(
        parent.joint, ::pinocchio::JointModelPrismaticUnaligned(axis), placement, name, much, much,
        low, high);
    }
    model.addJointFrame(places[i].joint);
    model.addBodyFrame("body_" + std::to_string(i), places[i].joint, SE3::Identity());
    joints.push_back(i);
  }
  return places;
}

void * open(const world_t * world, bool hulls, bool progressive)
{
  if (!world_is_linear(world)) {
    return nullptr;
  }
  auto * self = new Hpp;
  auto model = std::make_shared<Model>();
  auto geometry = std::make_shared<::pinocchio::GeometryModel>();
  const std::vector<Place> places = add_joints(world, *model, self->joints);
  std::vector<std::vector<::pinocchio::GeomIndex>> indices(world->body_count);
  for (uint32_t i = 0; i < world->body_count; i++) {
    world_pose_t placement;
    const Place & place = places[world_body_frame(world, i, &placement)];
    for (uint32_t k = 0; k < world->bodies[i].shape_count; k++) {
      const world_shape_t & shape = world->bodies[i].shapes[k];
      ::pinocchio::GeometryObject object(
        std::to_string(i) + "_" + std::to_string(k), place.joint,
        place.offset * transform(placement) * transform(shape.pose),
        coal_shapes::cached(shape, hulls && world->bodies[i].moving));
      indices[i].push_back(geometry->addGeometryObject(object));
    }
  }
  for (uint32_t i = 0; i < world->pair_count; i++) {
    for (auto a : indices[world->pairs[i].a]) {
      for (auto b : indices[world->pairs[i].b]) {
        geometry->addCollisionPair(::pinocchio::CollisionPair(a, b));
      }
    }
  }
  self->robot = hpp::pinocchio::Device::create("peer");
  self->robot->setModel(model);
  self->robot->setGeomModel(geometry);
  self->robot->createData();
  self->robot->createGeomData();
  if (progressive) {
    self->validation = hpp::core::continuousValidation::Progressive::create(self->robot, 1e-3);
  } else {
    self->validation = hpp::core::continuousValidation::Dichotomy::create(self->robot, 0.0);
  }
  self->validation->breakDistance(0.01);
  return self;
}

void * open_bvh(const world_t * world) {return open(world, false, false);}
void * open_mixed(const world_t * world) {return open(world, true, false);}
void * open_progressive(const world_t * world) {return open(world, false, true);}

bool motion(void * data, const world_t * world, double * first)
{
  auto * self = static_cast<Hpp *>(data);
  const auto count = static_cast<Eigen::Index>(self->joints.size());
  hpp::core::PathVectorPtr_t path = hpp::core::PathVector::create(
    self->robot->configSize(), self->robot->numberDof());
  std::vector<Eigen::VectorXd> points(world->segment_count + 1, Eigen::VectorXd(count));
  for (uint32_t knot = 0; knot <= world->segment_count; knot++) {
    for (Eigen::Index k = 0; k < count; k++) {
      const world_frame_t frame = world_frame(world, self->joints[static_cast<size_t>(k)]);
      points[knot][k] = frame.multiplier * world_waypoint(world, knot, frame.variable) + frame.offset;
    }
  }
  for (uint32_t i = 0; i < world->segment_count; i++) {
    path->appendPath(hpp::core::StraightPath::create(self->robot, points[i], points[i + 1], 1.0));
  }
  hpp::core::PathPtr_t part;
  hpp::core::PathValidationReportPtr_t report;
  const bool valid = self->validation->validate(path, false, part, report);
  *first = report ? report->parameter : std::numeric_limits<double>::quiet_NaN();
  return !valid;
}

void close(void * data) {delete static_cast<Hpp *>(data);}

}  // namespace

extern "C" {
const peer_t peer_hpp_bvh = {"hpp meshes", open_bvh, nullptr, nullptr, close, motion};
const peer_t peer_hpp_mixed = {"hpp mixed", open_mixed, nullptr, nullptr, close, motion};
const peer_t peer_hpp_progressive = {"hpp progressive", open_progressive, nullptr, nullptr, close,
  motion};
}
