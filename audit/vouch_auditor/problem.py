# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""A problem file, version 3, as docs/certificate_format.md describes it, to Python values."""

import hashlib
import struct
from types import SimpleNamespace as Record

NONE = 0xffffffff
PARTS = ('geometry', 'motion', 'scene', 'sources')


class Malformed(Exception):
    """The bytes are no problem file of this version."""


class Bytes:
    """What is left of some bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Malformed(f'the file is cut off at byte {self.at} of {len(self.data)}')
        self.at += size
        return self.data[self.at - size:self.at]

    def get(self, form):
        form = '<' + form
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def u32(self):
        return self.get('I')[0]

    def table(self, form):
        """n, then n records; a list of tuples."""
        form = '<' + form
        return list(struct.iter_unpack(form, self.take(self.u32() * struct.calcsize(form))))

    def names(self):
        data = self.take(self.u32())
        if data[-1:] not in (b'', b'\0'):
            raise Malformed('a name does not end')
        return [name.decode('utf-8', 'replace') for name in data.split(b'\0')[:-1]]

    def end(self):
        if self.at != len(self.data):
            raise Malformed(f'{len(self.data) - self.at} bytes are left over')


def ends_of(rights):
    """Of each node of binary trees in pre-order, the number behind all that is beneath it."""
    ends = [0] * len(rights)
    for number in range(len(rights) - 1, -1, -1):
        right = rights[number]
        if right and not (number + 1 < right < len(rights) and ends[number + 1] == right):
            raise Malformed('nodes are no tree')
        ends[number] = ends[right] if right else number + 1
    return ends


def read_geometry(source):
    """Vertices, half-axes of the last of them, and primitives: the list, its solid, is it open."""
    vertices, rounds, nodes = source.table('3d'), source.table('9d'), source.table('4I')
    lists = [None] * len(nodes)
    if not vertices or not nodes or len(rounds) > len(vertices):
        raise Malformed('a geometry is empty')
    ends = ends_of([node[0] for node in nodes])
    if ends[0] != len(nodes):
        raise Malformed('a geometry has nodes that belong to nothing')
    for number in range(len(nodes) - 1, -1, -1):
        right, count, solid, _ = nodes[number]
        own = source.get(f'{count}I')
        if solid > 0:
            source.take(12)
        if right > 0:
            below = lists[number + 1] + lists[right]
            if count == 0:
                own = tuple(dict.fromkeys(below))
            else:
                kept = set(own)
                source.take(16 * sum(point not in kept for point in below))
        lists[number] = own
        if any(not 0 < point < len(vertices) for point in own):
            raise Malformed('a list names a vertex that is not there')
    primitives = []
    open_until = 0   # nodes below this number are beneath an open one
    for number, (right, _, solid, is_open) in enumerate(nodes):
        if is_open:
            open_until = max(open_until, ends[number])
        if right == 0:
            primitives.append(
                Record(points=lists[number], solid=solid, open=number < open_until))
    axes = dict(zip(range(len(vertices) - len(rounds), len(vertices)), rounds))
    return Record(vertices=vertices, axes=axes, primitives=primitives)


def read_motion(source):
    kind, begin = source.get('Id')
    if kind != 1:
        raise Malformed(f'a motion of kind {kind}')
    variables, segments = source.table('2d'), source.table('3d2I')
    numbers, names = source.table('d'), source.names()
    if len(names) != 1 + len(variables):
        raise Malformed('the motion has too few or too many names')
    motion = Record(model=names[0], names=names[1:], tolerances=[v[0] for v in variables],
                    begin=begin, segments=[])
    at = 0
    for start, end, seconds, degree, _ in segments:
        coefficients = []
        for _ in names[1:]:
            coefficients.append([row[0] for row in numbers[at:at + degree + 1]])
            at += degree + 1
        motion.segments.append(Record(start=start, end=end, seconds=seconds, degree=degree,
                                      coefficients=coefficients))
    if at != len(numbers):
        raise Malformed('the motion has too few or too many coefficients')
    return motion


def read_pairs(source, bodies, groups):
    """Each two bodies that are checked (a margin) or not (a reason)."""
    beneath, ends, root = {}, ends_of([group[0] for group in groups]), 0
    while root < len(groups):
        beneath[root] = [body for right, body in groups[root:ends[root]] if right == 0]
        root = ends[root]
    known = {}

    def items(number):
        if number < len(bodies):
            return [number]
        if number - len(bodies) not in beneath:
            raise Malformed('a pair names a group that is no root')
        return beneath[number - len(bodies)]

    def say(a, b, what):
        if a == b or max(a, b) >= len(bodies) or (min(a, b), max(a, b)) in known:
            raise Malformed(f'the pair {a}, {b} is named twice, or is none')
        known[min(a, b), max(a, b)] = what
    pairs, skips = source.table('d4I'), source.table('2I')
    at = 0
    for margin, a, b, count, _ in pairs:
        skipped = dict(skips[at:at + count])
        at += count
        for x in items(a):
            for y in items(b):
                other = x if a >= len(bodies) else y
                if other not in skipped:
                    say(x, y, ('margin', margin))
                elif skipped[other] != 0:   # 0: a pair of its own follows
                    say(x, y, ('reason', skipped[other]))
    for a, b, reason in source.table('3I'):
        for x in items(a):
            for y in items(b):
                say(x, y, ('reason', reason))
    if at != len(skips):
        raise Malformed('skips belong to no pair')
    return known, list(beneath.values())


def read_scene(source):
    source.get('Q')
    frames, bodies, groups = source.table('12d4I'), source.table('8d4I'), source.table('2I')
    pairs, together = read_pairs(source, bodies, groups)
    names = source.names()
    if len(names) != 1 + 2 * len(frames) + 2 * len(bodies):
        raise Malformed('the scene has too few or too many names')
    scene = Record(robot=names[0], frames=[], bodies=[], pairs=pairs, together=together)
    for number, row in enumerate(frames):
        parent, joint, variable, _ = row[12:]
        if parent > number or (parent == number and number > 0) or joint > 2:
            raise Malformed(f'frame {number} has no such parent or joint')
        scene.frames.append(Record(
            name=names[1 + 2 * number], pose=row[:7], axis=row[7:10], multiplier=row[10],
            offset=row[11], parent=parent, joint=joint, variable=variable))
    for number, row in enumerate(bodies):
        frame, kind, geometry, _ = row[8:]
        if frame >= len(frames):
            raise Malformed(f'body {number} rides on no frame')
        name, key = names[1 + 2 * (len(frames) + number):][:2]
        scene.bodies.append(Record(
            name=name, id=key, placement=row[:7], frame=frame, kind=kind, geometry=geometry))
    return scene


def read(data):
    """The four parts, and the problem's hash."""
    source = Bytes(data)
    if source.take(8) != b'VOUCHPRB' or source.u32() != 3:
        raise Malformed('this is no problem file of version 3')
    bodies = []
    for tag in range(1, 5):
        given, length = source.get('IQ')
        if given != tag:
            raise Malformed(f'part {given} stands where part {tag} belongs')
        bodies.append(source.take(length))
    source.end()
    digests = [hashlib.sha256(body).digest() for body in bodies]
    parts = [Bytes(body) for body in bodies]
    problem = Record(hash=hashlib.sha256(b''.join(digests)).hexdigest())
    problem.geometries = [read_geometry(parts[0]) for _ in range(parts[0].u32())]
    problem.motion = read_motion(parts[1])
    problem.scene = read_scene(parts[2])
    hashes, names = parts[3].table('32s'), parts[3].names()
    if len(names) != 1 + 2 * len(hashes):
        raise Malformed('the sources have too few or too many names')
    problem.writer = names[0]
    problem.sources = [(names[1 + 2 * i], names[2 + 2 * i], digest[0].hex())
                       for i, digest in enumerate(hashes)]
    for part in parts:
        part.end()
    for body in problem.scene.bodies:
        if (body.kind == 0) != (body.geometry < len(problem.geometries)) or body.kind > 2:
            raise Malformed(f"body '{body.id}' has no such geometry")
    return problem
