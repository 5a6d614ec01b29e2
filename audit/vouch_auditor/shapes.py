# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes of sources, and whether a geometry of the problem is them.

hull: the convex hull of points. round: the hull of ellipsoids (a centre and the matrix of products
of its half-axes) and points. mesh: faces over points. prism: a polygon, not convex, and a height.
"""

import itertools
import math
from types import SimpleNamespace as Record

from . import space

TOLERANCE = 1e-12   # of the coordinates of a shape, relative to the largest of them
SHEET = 1e-8        # of surface times extent: what is around less is around nothing


class Differs(Exception):
    """The problem is not what the sources say."""


def box(size, pose):
    half = [0.5 * c for c in size]
    corners = [tuple(s * h for s, h in zip(signs, half))
               for signs in itertools.product((-1, 1), repeat=3)]
    return hull(corners, pose, 'box')


def hull(points, pose, kind='convex', loss=0.0):
    return Record(kind='hull', what=kind, loss=loss,
                  points=[space.applied(pose, p) for p in points])


def rounds(what, ends, pose):
    """`ends`: heights on the z axis, and half-axes along x, y, z."""
    columns = space.transposed(pose[0])
    parts = []
    for z, radii in ends:
        spread = [[sum(r * r * c[i] * c[k] for r, c in zip(radii, columns)) for k in range(3)]
                  for i in range(3)]
        parts.append((space.applied(pose, (0.0, 0.0, z)), spread))
    return Record(kind='round', what=what, parts=parts, loss=0.0,
                  points=[centre for centre, _ in parts])


def ellipsoid(radii, pose):
    return rounds('sphere' if radii[0] == radii[1] == radii[2] else 'ellipsoid',
                  [(0.0, radii)], pose)


def cylinder(radius, height, pose):
    disc = (radius, radius, 0.0)
    return rounds('cylinder', [(-0.5 * height, disc), (0.5 * height, disc)], pose)


def cone(radius, height, pose):
    return rounds('cone', [(-0.5 * height, (radius, radius, 0.0)), (0.5 * height, (0.0,) * 3)],
                  pose)


def capsule(radius, length, pose):
    ball = (radius,) * 3
    return rounds('capsule', [(-0.5 * length, ball), (0.5 * length, ball)][:2 if length else 1],
                  pose)


def mesh(source, scale, pose, as_hull):
    stretched = [tuple(s * c for s, c in zip(scale, p)) for p in source.points]
    if as_hull:
        used = {c for face in source.faces for c in face}
        return hull([stretched[c] for c in sorted(used)], pose, 'mesh, as its hull', source.loss)
    mirrored = scale[0] * scale[1] * scale[2] < 0.0
    faces = [face[::-1] for face in source.faces] if mirrored else source.faces
    return Record(kind='mesh', what='mesh', faces=faces, loss=source.loss,
                  points=[space.applied(pose, p) for p in stretched])


def prism(base, height, pose):
    """A convex base makes a hull; another one is compared by its sides and lids."""
    polygon = [p for i, p in enumerate(base) if p != base[i - 1]]
    turns = [(b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
             for a, b, c in zip(polygon, polygon[1:] + polygon[:1], polygon[2:] + polygon[:2])]
    ends = [tuple(space.applied(pose, (x, y, z)) for x, y in polygon)
            for z in (-0.5 * height, 0.5 * height)]
    if min(turns) >= 0.0 or max(turns) <= 0.0:
        return Record(kind='hull', what='prism', points=list(ends[0] + ends[1]), loss=0.0)
    return Record(kind='prism', what='prism', points=list(ends[0] + ends[1]), count=len(polygon),
                  loss=0.0)


class Cloud:
    """Points that are asked for by their place."""

    def __init__(self, points, reach):
        self.points, self.reach, self.side = points, reach, max(8.0 * reach, 1e-300)
        self.cells = {}
        for i, p in enumerate(points):
            self.cells.setdefault(tuple(math.floor(c / self.side) for c in p), []).append(i)

    def near(self, p):
        spans = [range(math.floor((c - self.reach) / self.side),
                       math.floor((c + self.reach) / self.side) + 1) for c in p]
        found = [i for cell in itertools.product(*spans) for i in self.cells.get(cell, ())
                 if max(map(abs, space.minus(self.points[i], p))) <= self.reach]
        return sorted(found, key=lambda i: space.norm(space.minus(self.points[i], p)))


class Compared:
    """A geometry of the problem, seen from the frame that its body rides on."""

    def __init__(self, geometry, pose, shapes, surfaces):
        self.surfaces = surfaces
        points = geometry.vertices if pose == space.IDENTITY else [
            space.applied(pose, p) for p in geometry.vertices]
        if not all(abs(c) < 1e9 for p in points for c in p):
            raise Differs('a vertex is beyond all bounds')
        size = max([1e-3] + [abs(c) for shape in shapes for p in shape.points for c in p] +
                   [abs(c) for c in pose[1]])
        self.reach = size * max([TOLERANCE] + [shape.loss for shape in shapes])
        self.spread = {}
        for vertex, axes in geometry.axes.items():
            own = [space.turned(pose[0], axes[i:i + 3]) for i in (0, 3, 6)]
            self.spread[vertex] = [[sum(a[i] * a[k] for a in own) for k in range(3)]
                                   for i in range(3)]
        self.points, self.primitives = points, geometry.primitives
        self.used = [False] * len(self.primitives)
        self.cloud = Cloud(points, self.reach)
        self.of_vertex, self.by_corners = {}, {}
        for number, primitive in enumerate(self.primitives):
            key = tuple(sorted(primitive.points))
            self.by_corners.setdefault(key, []).append(number)
            if len(key) != 3 or len(shapes) > 1 or shapes[0].kind != 'mesh':
                for vertex in set(key):
                    self.of_vertex.setdefault(vertex, []).append(number)
        self.worst = 0.0

    def shape(self, shape):
        getattr(self, shape.kind)(shape)

    def distance(self, p, vertex):
        return space.norm(space.minus(self.points[vertex], p))

    def candidates(self, p):
        """Primitives that have a vertex at p."""
        return [n for v in self.cloud.near(p) for n in self.of_vertex.get(v, ())
                if self.primitives[n].solid == 0]

    def hull(self, shape):
        extreme = max(shape.points)
        cloud = Cloud(shape.points, self.reach)
        at_corners = (n for p in [extreme, *shape.points] for n in self.candidates(p))
        for number in dict.fromkeys(at_corners):
            corners = set(self.primitives[number].points)
            if any(v in self.spread or not cloud.near(self.points[v]) for v in corners):
                continue
            places = [self.points[v] for v in corners]
            if all(not corners.isdisjoint(self.cloud.near(p)) or space.nearest_in_hull(
                    [space.minus(q, p) for q in places], self.reach) <= self.reach
                   for p in shape.points):
                self.used[number] = True
                return
        raise Differs(f'no primitive of the problem is its {shape.what} at '
                      f'({", ".join(f"{c:.6g}" for c in extreme)})')

    def round(self, shape):
        for number in self.candidates(shape.points[0]):
            left = list(self.primitives[number].points)
            for centre, spread in shape.parts:
                size = max(max(map(abs, row)) for row in spread)
                for v in left:
                    own = self.spread.get(v, [[0.0] * 3] * 3)
                    if self.distance(centre, v) <= self.reach and all(
                            abs(a - b) <= 4 * TOLERANCE * size
                            for x, y in zip(spread, own) for a, b in zip(x, y)):
                        left.remove(v)
                        break
                else:
                    break
            else:
                if not left:
                    self.used[number] = True
                    return
        raise Differs(f'no primitive of the problem is its {shape.what} at '
                      f'({", ".join(f"{c:.6g}" for c in shape.points[0])})')

    def corner_numbers(self, shape):
        found = []
        for p in shape.points:
            near = self.cloud.near(p)
            found.append(near)
            if near:
                self.worst = max(self.worst, self.distance(p, near[0]))
        return found

    def triangle(self, corners, found):
        """Primitives with these corners: those that go round the same way, the others."""
        same, other = [], []
        for key in set(itertools.product(*(found[c] for c in corners))):
            for number in self.by_corners.get(tuple(sorted(key)), ()):
                points = tuple(self.primitives[number].points)
                turns = (key, key[1:] + key[:1], key[2:] + key[:2])
                (same if points in turns else other).append(number)
        return same, other

    def face(self, face, found, flipped):
        """The primitives of a face: its triangle, or some cut of a polygon into triangles."""
        ways = {}

        def cut(i, k):
            if k - i < 2:
                return []
            if (i, k) not in ways:
                ways[i, k] = None
                for j in range(i + 1, k):
                    same, other = self.triangle((face[i], face[j], face[k]), found)
                    if same or other:
                        left, right = cut(i, j), cut(j, k)
                        if left is not None and right is not None:
                            ways[i, k] = left + right + [(same, other, (i, j, k))]
                            break
            return ways[i, k]
        whole = cut(0, len(face) - 1) if all(found[c] for c in face) else None
        if whole is None:
            raise Differs('a face of its mesh is not in the problem')
        for same, other, (i, j, k) in whole:
            for number in same or other:
                self.used[number] = True
                solid = self.primitives[number].solid
                if solid and len({found[face[c]][0] for c in (i, j, k)}) == 3:
                    flipped.setdefault(solid, set()).add(not same)
        return [number for same, other, _ in whole for number in same or other]

    def mesh(self, shape):
        found = self.corner_numbers(shape)
        flipped, loose = {}, set()
        for face in shape.faces:
            loose.update(number for number in self.face(face, found, flipped)
                         if self.primitives[number].solid == 0)
        if any(len(ways) > 1 for ways in flipped.values()):
            raise Differs('some triangles of a solid are turned over')
        self.surface(sorted(loose))

    def surface(self, numbers):
        """What is not told to be solid must be open, and told so.

        Where as many triangles go one way along an edge as the other, but two or more, parts
        touch. They are no shell together: nobody says which triangle belongs to which of them.
        """
        parent, edges = {}, {}

        def root(x):
            while parent.setdefault(x, x) != x:
                parent[x] = x = parent[parent[x]]
            return x
        proper = [n for n in numbers if len(set(self.primitives[n].points)) == 3]
        for n in proper:
            a, b, c = self.primitives[n].points
            for x, y in ((a, b), (b, c), (c, a)):
                edges.setdefault((min(x, y), max(x, y)), []).append((n, x < y))
        for along in edges.values():
            ways = sum(forward for _, forward in along)
            if len(along) != 2 * ways or ways == 1:
                for n, _ in along:
                    parent[root(n)] = root(along[0][0])
        parts = {}
        for n in proper:
            parts.setdefault(root(n), []).append(n)
        for part in parts.values():
            if is_closed(self.primitives, part) and self.has_volume(part):
                raise Differs('a closed part of its mesh is not a solid in the problem')
            if not self.surfaces and not all(self.primitives[n].open for n in part):
                raise Differs('an open part of its mesh is not told to be open')

    def has_volume(self, part):
        places = [[self.points[v] for v in self.primitives[n].points] for n in part]
        origin = places[0][0]
        places = [[space.minus(p, origin) for p in corners] for corners in places]
        volume = sum(space.dot(a, space.cross(b, c)) for a, b, c in places)
        area = sum(space.norm(space.cross(space.minus(b, a), space.minus(c, a)))
                   for a, b, c in places)
        extent = 2.0 * max(space.norm(p) for corners in places for p in corners)
        return abs(volume) > SHEET * area * extent

    def prism(self, shape):
        """A closed surface of its sides and of lids in the two planes is the prism."""
        found, n = self.corner_numbers(shape), shape.count
        if not all(found):
            raise Differs('a corner of its prism is not in the problem')
        end = {v: i // n for i, near in enumerate(found) for v in near}
        flipped, sides = {}, set()
        for i in range(n):
            k = (i + 1) % n
            sides.update(self.face((i, k, n + k, n + i), found, flipped))
        solids = {self.primitives[number].solid for number in sides}
        if len(solids) != 1 or 0 in solids:
            raise Differs('its prism is not one solid of the problem')
        for number, primitive in enumerate(self.primitives):
            if primitive.solid in solids and number not in sides:
                if len({end.get(v) for v in primitive.points} | {None}) != 2:
                    raise Differs('its prism has another lid in the problem')
                self.used[number] = True

    def rest(self):
        """What is in the problem and in no source; and solids that are not closed."""
        extra = self.used.count(False)
        if extra:
            raise Differs(f'{extra} primitive{"s" if extra > 1 else ""} of the problem '
                          'belong to no shape of the sources')
        solids = {}
        for number, primitive in enumerate(self.primitives):
            if primitive.solid:
                solids.setdefault(primitive.solid, []).append(number)
        for part in solids.values():
            if not is_closed(self.primitives, part):
                raise Differs('a solid of the problem is not closed')


def is_closed(primitives, part):
    """Every edge is there as often one way as the other."""
    edges = {}
    for number in part:
        a, b, c = primitives[number].points
        for x, y in ((a, b), (b, c), (c, a)):
            if x != y:
                key = (min(x, y), max(x, y))
                edges[key] = edges.get(key, 0) + (1 if x < y else -1)
    return not any(edges.values())


def compare(geometry, pose, shapes, surfaces):
    """Raises Differs; returns the largest distance of a corner from its place."""
    compared = Compared(geometry, pose, shapes, surfaces)
    for shape in shapes:
        compared.shape(shape)
    compared.rest()
    return compared.worst
