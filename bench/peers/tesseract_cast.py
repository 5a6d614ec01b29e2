# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Tesseract's Bullet cast manager: python3 tesseract_cast.py WORLDS.

BulletCastBVHManager as Tesseract and TrajOpt use it: between two states every moving link is the
hull of its two poses; the first contact ends a test. Links are convex hulls (casts need them),
fixed meshes stay triangles; margin 0. One cast for each segment with all checked pairs, the same
with fixed bodies only, and casts of at most 0.02 rad. Poses are computed before the clock starts.
"""
import glob
import os
import sys

import numpy
from tesseract_robotics import tesseract_collision as collision
from tesseract_robotics import tesseract_common as common
from tesseract_robotics import tesseract_geometry as geometry
import worlds

STEP = 0.02
METHODS = ('Tesseract cast', 'Tesseract cast scene only', 'Tesseract cast 0.02 rad')
CONFIG = """
contact_manager_plugins:
  search_paths: [%s]
  search_libraries: [%s]
  continuous_plugins:
    default: BulletCastBVHManager
    plugins:
      BulletCastBVHManager: {class: BulletCastBVHManagerFactory}
"""


def make_factory():
    """The library with the managers carries a hash in its name."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(common.__path__[0])))
    libraries = os.path.join(site, 'tesseract_robotics.libs')
    found = glob.glob(os.path.join(libraries, 'libtesseract_collision_bullet_factories*.so*'))
    name = os.path.basename(found[0])[len('lib'):].split('.so')[0]
    return collision.ContactManagersPluginFactory(
        CONFIG % (libraries, name), common.GeneralResourceLocator())


def isometries(poses):
    out = common.VectorIsometry3d()
    for pose in poses:
        out.append(common.Isometry3d(pose))
    return out


def polygons(kind, points, faces):
    vertices = common.VectorVector3d()
    for point in points:
        vertices.append(numpy.array(point))
    numbers = numpy.hstack([numpy.full((len(faces), 1), 3), faces])
    return kind(vertices, numbers.astype(numpy.int32).flatten())


class Shapes:
    """Shapes by key: the same links come in every world."""

    def __init__(self):
        self.made = {}

    def get(self, shape, hull):
        key = shape.kind, shape.key, hull, tuple(shape.size)
        if key not in self.made:
            self.made[key] = self.make(shape, hull)
        return self.made[key]

    def make(self, shape, hull):
        a, b, c = shape.size
        if shape.kind == worlds.ELLIPSOID:
            raise worlds.Unsuited('Tesseract has no ellipsoid')
        if shape.kind == worlds.CONVEX or (shape.kind == worlds.MESH and hull):
            return polygons(geometry.ConvexMesh, shape.hull, shape.hull_faces)
        if shape.kind == worlds.MESH:
            return polygons(geometry.Mesh, shape.points, shape.triangles)
        return {worlds.BOX: lambda: geometry.Box(a, b, c),
                worlds.SPHERE: lambda: geometry.Sphere(a),
                worlds.CAPSULE: lambda: geometry.Capsule(a, b),
                worlds.CYLINDER: lambda: geometry.Cylinder(a, b),
                worlds.CONE: lambda: geometry.Cone(a, b)}[shape.kind]()


class Peer:
    def __init__(self):
        self.factory, self.shapes, self.managers = make_factory(), Shapes(), []

    def manager(self, world, pairs):
        manager = self.factory.createContinuousContactManager('BulletCastBVHManager')
        if not manager:
            raise worlds.Unsuited('BulletCastBVHManager could not be loaded')
        names = ['body_%d' % i for i in range(len(world.bodies))]
        poses = world.poses(world.waypoints[0])
        for name, body, pose in zip(names, world.bodies, poses):
            shapes = geometry.GeometriesConst()
            for shape in body.shapes:
                shapes.append(self.shapes.get(shape, body.moving))
            if not manager.addCollisionObject(
                    name, 0, shapes, isometries(shape.pose for shape in body.shapes)):
                raise worlds.Unsuited('a body was refused')
            manager.setCollisionObjectsTransform(name, common.Isometry3d(pose))
        manager.setActiveCollisionObjects(
            [name for name, body in zip(names, world.bodies) if body.moving])
        manager.setDefaultCollisionMarginData(0.0)
        checked = set(pairs) | {(b, a) for a, b in pairs}
        allowed = common.AllowedCollisionMatrix()
        for a in range(len(names)):
            for b in range(a):
                if (a, b) not in checked:
                    allowed.addAllowedCollision(names[a], names[b], 'not checked')
        config = collision.ContactManagerConfig()
        config.acm = allowed
        config.acm_override_type = collision.ACMOverrideType_ASSIGN
        manager.applyContactManagerConfig(config)
        return manager

    def casts(self, world, step):
        """List the poses at both ends of every cast."""
        moving = [i for i, body in enumerate(world.bodies) if body.moving]
        out = []
        for segment in range(world.segments):
            count = 1 if step is None else world.steps(segment, step)
            begin, end = world.waypoints[segment], world.waypoints[segment + 1]
            states = []
            for i in range(count + 1):
                poses = world.poses(begin + (end - begin) * (i / count))
                states.append(isometries(poses[k] for k in moving))
            out += list(zip(states, states[1:]))
        return ['body_%d' % i for i in moving], out

    def check(self, world, pairs, step):
        manager = self.manager(world, pairs)
        names, casts = self.casts(world, step)
        request = collision.ContactRequest(collision.ContactTestType_FIRST)
        request.calculate_distance = request.calculate_penetration = False

        def check():
            result = collision.ContactResultMap()
            for i, (begin, end) in enumerate(casts):
                manager.setCollisionObjectsTransform(names, begin, end)
                manager.contactTest(result, request)
                if result.count() > 0:
                    return True, i + 1
            return False, len(casts)
        return check

    def __call__(self, world):
        fixed = [pair for pair in world.pairs if not world.bodies[pair[1]].moving]
        return [(METHODS[0], self.check(world, world.pairs, None), 3),
                (METHODS[1], self.check(world, fixed, None), 3),
                (METHODS[2], self.check(world, world.pairs, STEP), 1)]


if __name__ == '__main__':
    worlds.run_all(sys.argv[1], METHODS, Peer())
