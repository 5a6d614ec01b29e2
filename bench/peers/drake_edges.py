# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Drake's edge checks: python3 drake_edges.py WORLDS.

SceneGraphCollisionChecker.CheckEdgeCollisionFree() for each segment, edge_step_size 0.02 with the
largest change of any joint as the distance (fewer states than with Drake's own norm). Drake takes
the convex hull of every mesh. Forward kinematics are Drake's own.
"""
import sys

import numpy
from pydrake.common import Parallelism
from pydrake.geometry import Box, Capsule, Convex, Cylinder, Ellipsoid, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import CoulombFriction
from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, RevoluteJoint, SpatialInertia
from pydrake.planning import RobotDiagramBuilder, SceneGraphCollisionChecker
import worlds

STEP = 0.02
METHOD = 'Drake edges 0.02 rad'


def transform(pose):
    return RigidTransform(RotationMatrix.ProjectToRotationMatrix(pose[:3, :3]), pose[:3, 3])


def drake_shape(shape):
    a, b, c = shape.size
    if shape.kind == worlds.CONE:
        raise worlds.Unsuited('Drake has no cone')
    if shape.kind in (worlds.CONVEX, worlds.MESH):
        return Convex(points=shape.hull.T, label=shape.key)
    return {worlds.BOX: lambda: Box(a, b, c), worlds.SPHERE: lambda: Sphere(a),
            worlds.CAPSULE: lambda: Capsule(a, b), worlds.CYLINDER: lambda: Cylinder(a, b),
            worlds.ELLIPSOID: lambda: Ellipsoid(a, b, c)}[shape.kind]()


class Model:
    """A rigid body for each joint, and one for all fixed bodies with the same partners."""

    def __init__(self, world):
        self.builder = RobotDiagramBuilder(time_step=0.0)
        self.plant = self.builder.plant()
        self.plant.set_adjacent_bodies_collision_filters(False)
        self.robot = self.plant.AddModelInstance('robot')
        self.scene = self.plant.AddModelInstance('scene')
        self.inertia = SpatialInertia.SolidSphereWithMass(1.0, 0.1)
        places, self.joints = self.add_joints(world)
        self.bodies = self.add_bodies(world, places)

    def add_joints(self, world):
        places, joints = [(self.plant.world_body(), numpy.eye(4))], []
        for i, frame in enumerate(world.frames[1:], 1):
            parent, offset = places[frame['parent']]
            offset = offset @ worlds.matrix(frame['pose'])
            if frame['joint'] == 0:
                places.append((parent, offset))
                continue
            child = self.plant.AddRigidBody('link_%d' % i, self.robot, self.inertia)
            base = self.plant.AddFrame(FixedOffsetFrame(
                'base_%d' % i, parent.body_frame(), transform(offset), self.robot))
            kind = RevoluteJoint if frame['joint'] == 1 else PrismaticJoint
            joints.append(self.plant.AddJoint(
                kind('joint_%d' % i, base, child.body_frame(), frame['axis'])))
            places.append((child, numpy.eye(4)))
        return places, joints

    def welded(self, number, parent, instance):
        body = self.plant.AddRigidBody('body_%d' % number, instance, self.inertia)
        self.plant.WeldFrames(parent.body_frame(), body.body_frame(), RigidTransform())
        return body

    def add_bodies(self, world, places):
        partners = [set() for _ in world.bodies]
        for a, b in world.pairs:
            partners[a].add(b)
            partners[b].add(a)
        groups, taken, out = {}, set(), []
        for i, body in enumerate(world.bodies):
            parent, offset = places[body.frame]
            if not body.moving:
                key = frozenset(partners[i])
                if key not in groups:
                    groups[key] = self.welded(i, parent, self.scene)
                to = groups[key]
            else:
                to = self.welded(i, parent, self.robot) if parent.index() in taken else parent
                taken.add(to.index())
            for k, shape in enumerate(body.shapes):
                self.plant.RegisterCollisionGeometry(
                    to, transform(offset @ body.placement @ shape.pose), drake_shape(shape),
                    'shape_%d_%d' % (i, k), CoulombFriction(1.0, 1.0))
            out.append(to.index())
        return out


def peer(world):
    model = Model(world)
    checker = SceneGraphCollisionChecker(
        model=model.builder.Build(), robot_model_instances=[model.robot], edge_step_size=STEP,
        configuration_distance_function=lambda p, q: float(numpy.abs(q - p).max()),
        env_collision_padding=0.0, self_collision_padding=0.0,
        implicit_context_parallelism=Parallelism(1))
    wanted = {frozenset((int(model.bodies[a]), int(model.bodies[b]))) for a, b in world.pairs}
    filters = numpy.array(checker.GetFilteredCollisionMatrix())
    for a in range(filters.shape[0]):
        for b in range(filters.shape[1]):
            if filters[a, b] != -1:
                filters[a, b] = 0 if frozenset((a, b)) in wanted else 1
    for pair in wanted:
        if filters[min(pair), max(pair)] != 0:
            raise worlds.Unsuited('Drake does not let two bodies be checked')
    checker.SetCollisionFilterMatrix(filters)
    points = numpy.empty((len(world.waypoints), checker.plant().num_positions()))
    for k, joint in enumerate(model.joints):
        points[:, joint.position_start()] = world.waypoints[:, k]
    states = sum(world.steps(i, STEP) + 1 for i in range(world.segments))

    def check():
        for i in range(world.segments):
            if not checker.CheckEdgeCollisionFree(points[i], points[i + 1]):
                return True, 0
        return False, states
    checker.CheckConfigCollisionFree(points[0])
    return [(METHOD, check, 1)]


if __name__ == '__main__':
    worlds.run_all(sys.argv[1], [METHOD], peer)
