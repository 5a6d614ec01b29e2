# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Reads the worlds of `wheels --worlds DIRECTORY`, and runs peers that are driven from Python.

A world is what world.h tells the other peers: frames, bodies made of shapes, checked pairs,
waypoints. What is timed is the peer's check, as the C program times it: CPU time of the thread,
stopped at the first collision, everything built before.
"""
import glob
import json
import os
import statistics
import time

import numpy

BOX, SPHERE, CAPSULE, CYLINDER, CONE, ELLIPSOID, CONVEX, MESH = range(8)
LIMITS = {'shared panda': 40, 'shared ur5': 14}


class Unsuited(Exception):
    """The peer cannot take this world; the row says why."""


def matrix(pose):
    out = numpy.eye(4)
    out[:3, :3] = numpy.reshape(pose['r'], (3, 3))
    out[:3, 3] = pose['t']
    return out


def turn(axis, angle):
    x, y, z = axis
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = numpy.eye(4)
    out[:3, :3] += numpy.sin(angle) * cross + (1.0 - numpy.cos(angle)) * cross @ cross
    return out


def slide(axis, distance):
    out = numpy.eye(4)
    out[:3, 3] = numpy.multiply(axis, distance)
    return out


class Shape:
    def __init__(self, data, directory, cache):
        self.kind, self.size, self.pose = data['kind'], data['size'], matrix(data['pose'])
        self.key = data['key']
        self.points = self.triangles = self.hull = self.hull_faces = None
        if self.kind in (CONVEX, MESH):
            if self.key not in cache:
                with open(os.path.join(directory, self.key + '.shape')) as file:
                    loaded = json.load(file)
                cache[self.key] = [
                    numpy.reshape(loaded[name], (-1, 3))
                    for name in ('points', 'triangles', 'hull', 'hull_faces')]
            self.points, self.triangles, self.hull, self.hull_faces = cache[self.key]
            if len(self.hull) == 0:
                raise Unsuited('a mesh is flat and has no hull')


class Body:
    def __init__(self, data, directory, cache):
        self.moving, self.frame = data['moving'], data['frame']
        self.placement = matrix(data['placement'])
        self.shapes = [Shape(shape, directory, cache) for shape in data['shapes']]


class World:
    def __init__(self, path, cache):
        with open(path) as file:
            data = json.load(file)
        self.experiment, self.case, self.truth = data['experiment'], data['case'], data['truth']
        self.data, self.directory, self.cache = data, os.path.dirname(path), cache
        self.segments, self.frames = data['segments'], data['frames']
        self.joints = [i for i, frame in enumerate(self.frames) if frame['joint'] != 0]
        self.pairs = [tuple(pair) for pair in data['pairs']]
        self.bodies = []
        # Rows: waypoints; columns: joints.
        self.waypoints = numpy.array([self.frames[i]['values'] for i in self.joints]).T

    def load(self):
        self.bodies = [Body(body, self.directory, self.cache) for body in self.data['bodies']]

    def steps(self, segment, step):
        """Tell how many steps of at most `step` in any joint a segment needs."""
        most = numpy.abs(self.waypoints[segment + 1] - self.waypoints[segment]).max()
        return max(1, int(numpy.ceil(most / step)))

    def poses(self, values):
        """Place all bodies, for the values of all joints."""
        of = dict(zip(self.joints, values))
        places = [numpy.eye(4)]
        for i, frame in enumerate(self.frames[1:], 1):
            place = places[frame['parent']] @ matrix(frame['pose'])
            if frame['joint'] != 0:
                move = turn if frame['joint'] == 1 else slide
                place = place @ move(frame['axis'], of[i])
            places.append(place)
        return [places[body.frame] @ body.placement for body in self.bodies]


def row(world, method, value='', verdict='not run', states=0, note=''):
    print('%s,%s,%s,%s,,%s,%s,%d,%s' % (
        world.experiment, world.case, method, value, verdict, world.truth, states,
        note.replace(',', ';').replace('\n', ' ')), flush=True)


def run(world, method, check, repeats):
    """Time `check`, which returns (in collision, looked-at states or casts)."""
    times = []
    for _ in range(repeats):
        begin = time.thread_time()
        hit, states = check()
        times.append(1e6 * (time.thread_time() - begin))
    row(world, method, '%.6g' % statistics.median(times), 'COLLISION' if hit else 'FREE', states)


def spread(paths, limit):
    """Choose evenly."""
    return [path for i, path in enumerate(paths)
            if i * limit // len(paths) != (i - 1) * limit // len(paths)] \
        if limit < len(paths) else paths


def run_all(directory, methods, peer):
    """Ask `peer(world)` for a list of (method, check, repeats), for a part of the worlds."""
    cache = {}
    for experiment, limit in LIMITS.items():
        paths = sorted(glob.glob(os.path.join(glob.escape(directory), experiment + ' *.world')))
        for path in spread(paths, limit):
            world = World(path, cache)
            try:
                world.load()
                checks = peer(world)
            except Unsuited as reason:
                for method in methods:
                    row(world, method, note=str(reason))
                continue
            for method, check, repeats in checks:
                run(world, method, check, repeats)
