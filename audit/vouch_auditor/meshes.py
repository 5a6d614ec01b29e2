# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh files: points, and faces as lists of corners. STL, OBJ, COLLADA."""

import struct

from . import space
from .documents import NUMBER, Refused, xml

# Readers of COLLADA work in single precision; what they have lost lies within this of the extent.
SINGLE = 2e-6


class Mesh:
    def __init__(self):
        self.points, self.faces, self.loss = [], [], 0.0


def real(word):
    if not NUMBER.match(word):
        raise Refused(f'{word[:40]!r} is not a number')
    return float(word)


def stl(data):
    mesh = Mesh()
    if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from('<I', data, 80)[0]:
        corners = [c for row in struct.iter_unpack('<12x9f2x', data[84:])
                   for c in (row[:3], row[3:6], row[6:])]
    else:
        words = data.decode('ascii', 'replace').split()
        if not words or words[0].lower() != 'solid':
            raise Refused('this is neither a binary STL file nor one in ASCII')
        lower = [word.lower() for word in words]
        corners = [tuple(map(real, words[i + 1:i + 4]))
                   for i, word in enumerate(lower) if word == 'vertex']
        if len(corners) != 3 * lower.count('outer'):
            raise Refused('facets do not have three corners')
    numbers = {}
    for corner in corners:
        numbers.setdefault(corner, len(numbers))
    mesh.points = list(numbers)
    mesh.faces = [tuple(numbers[c] for c in corners[i:i + 3]) for i in range(0, len(corners), 3)]
    return mesh


def obj(data):
    mesh = Mesh()
    for line in data.decode('utf-8', 'replace').replace('\\\n', ' ').split('\n'):
        words = line.split('#')[0].split()
        if not words:
            continue
        if words[0] == 'v':
            mesh.points.append(tuple(map(real, words[1:4])))
        elif words[0] == 'f':
            corners = [int(word.split('/')[0]) for word in words[1:]]
            mesh.faces.append(tuple(
                c - 1 if c > 0 else len(mesh.points) + c for c in corners))
        elif words[0] not in ('vn', 'vt', 'g', 'o', 's', 'usemtl', 'mtllib', 'p', 'l'):
            raise Refused(f"the word '{words[0]}' of an OBJ file is not known here")
    return mesh


class Collada:
    def __init__(self, root):
        self.by_id, self.mesh = {}, Mesh()
        self.collect(root)
        unit = (root.one('asset') or root).one('unit')
        meter = real(unit.attributes.get('meter', '1')) if unit else 1.0
        self.mesh.loss = SINGLE
        start = tuple(tuple(meter * c for c in row) for row in space.IDENTITY[0])
        scene = (root.one('scene') or root).one('instance_visual_scene')
        if scene is None:
            raise Refused('the COLLADA file has no scene')
        for node in self.target(scene, 'url').all('node'):
            self.node(node, (start, (0.0, 0.0, 0.0)), 0)

    def collect(self, element):
        stack = [element]
        while stack:
            element = stack.pop()
            if 'id' in element.attributes:
                self.by_id[element.attributes['id']] = element
            stack += element.children

    def target(self, element, attribute):
        name = element.need(attribute)
        if name[:1] != '#' or name[1:] not in self.by_id:
            raise Refused(f"the COLLADA file has no '{name}'")
        return self.by_id[name[1:]]

    def node(self, node, pose, depth):
        if depth > 256:
            raise Refused('nodes of the COLLADA file lead in circles')
        for child in node.children:
            numbers = [real(w) for w in child.text.split()] if child.name in (
                'matrix', 'translate', 'rotate', 'scale', 'skew', 'lookat') else None
            if child.name == 'matrix':
                rows = [tuple(numbers[i:i + 4]) for i in (0, 4, 8)]
                pose = space.product(
                    pose, (tuple(r[:3] for r in rows), tuple(r[3] for r in rows)))
            elif child.name == 'translate':
                pose = space.product(pose, (space.IDENTITY[0], tuple(numbers)))
            elif child.name == 'rotate':
                turn = space.about(numbers[:3], numbers[3] * 3.14159265358979323846 / 180.0)
                pose = space.product(pose, (turn, (0.0, 0.0, 0.0)))
            elif child.name == 'scale':
                stretch = tuple(tuple(numbers[i] * c for c in row)
                                for i, row in enumerate(space.IDENTITY[0]))
                pose = space.product(pose, (stretch, (0.0, 0.0, 0.0)))
            elif child.name in ('skew', 'lookat', 'instance_controller'):
                raise Refused(f'<{child.name}> of a COLLADA file is not read')
        for child in node.children:
            if child.name == 'node':
                self.node(child, pose, depth + 1)
            elif child.name == 'instance_node':
                self.node(self.target(child, 'url'), pose, depth + 1)
            elif child.name == 'instance_geometry':
                self.geometry(self.target(child, 'url'), pose)

    def geometry(self, geometry, pose):
        mesh = geometry.one('mesh')
        if mesh is None:
            raise Refused('a geometry of the COLLADA file has no <mesh>')
        rotation = pose[0]
        mirrored = space.dot(rotation[0], space.cross(rotation[1], rotation[2])) < 0.0
        for faces in mesh.children:
            if faces.name in ('trifans', 'tristrips'):
                raise Refused(f'<{faces.name}> of a COLLADA file are not read')
            if faces.name in ('triangles', 'polylist', 'polygons'):
                points, loops = self.faces(faces)
                base = len(self.mesh.points)
                self.mesh.points += [space.applied(pose, p) for p in points]
                self.mesh.faces += [
                    tuple(base + c for c in (loop[::-1] if mirrored else loop))
                    for loop in loops if len(loop) > 2]

    def faces(self, faces):
        inputs = faces.all('input')
        wide = 1 + max((int(i.need('offset')) for i in inputs), default=0)
        for entry in inputs:
            if entry.need('semantic') == 'VERTEX':
                vertices, offset = self.target(entry, 'source'), int(entry.need('offset'))
                break
        else:
            raise Refused('faces of the COLLADA file have no vertices')
        for entry in vertices.all('input'):
            if entry.need('semantic') == 'POSITION':
                source = self.target(entry, 'source')
        accessor = source.one('technique_common').one('accessor')
        array = [real(w) for w in self.target(accessor, 'source').text.split()]
        stride, first = int(accessor.attributes.get('stride', 1)), \
            int(accessor.attributes.get('offset', 0))
        points = [tuple(array[i:i + 3]) for i in range(first, len(array) - 2, stride)]
        lists = [[int(w) for w in p.text.split()][offset::wide] for p in faces.all('p')]
        if faces.name == 'polygons':
            return points, lists
        corners = [c for part in lists for c in part]
        counts = [int(w) for w in faces.one('vcount').text.split()] \
            if faces.name == 'polylist' else [3] * (len(corners) // 3)
        loops, at = [], 0
        for count in counts:
            loops.append(corners[at:at + count])
            at += count
        return points, loops


def read(data, path):
    end = str(path).rsplit('.', 1)[-1].lower()
    try:
        if end == 'dae':
            mesh = Collada(xml(data, path)).mesh
        elif end in ('stl', 'obj'):
            mesh = (stl if end == 'stl' else obj)(data)
        else:
            raise Refused('only .stl, .obj and .dae are read')
    except (ValueError, IndexError, AttributeError) as error:
        raise Refused(f'{path}: {error}') from error
    except Refused as error:
        raise Refused(f'{path}: {error}') from error
    if any(not 0 <= c < len(mesh.points) for face in mesh.faces for c in face) or not mesh.faces:
        raise Refused(f'{path}: a face names a corner that is not there, or there are none')
    return mesh
