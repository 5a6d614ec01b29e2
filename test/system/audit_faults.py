# Copyright 2026 The vouch authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""
Faults that are planted into the bytes of a problem, for test_audit.py.

The file is taken apart into tables of lists, one field is changed, and it is written again, so
that what comes out is a problem of other content and of the right form.
"""

import struct
from types import SimpleNamespace as Record

FRAME, BODY, GROUP, PAIR, SKIP, LEFT = '12d4I', '8d4I', '2I', 'd4I', '2I', '3I'
VARIABLE, SEGMENT = '2d', '3d2I'


class Source:
    def __init__(self, data):
        self.data, self.at = data, 0

    def get(self, form):
        found = struct.unpack_from('<' + form, self.data, self.at)
        self.at += struct.calcsize('<' + form)
        return list(found)

    def table(self, form):
        return [self.get(form) for _ in range(self.get('I')[0])]

    def names(self):
        size = self.get('I')[0]
        self.at += size
        return self.data[self.at - size:self.at].split(b'\0')[:-1]


def put_table(form, rows):
    return struct.pack('<I', len(rows)) + b''.join(struct.pack('<' + form, *row) for row in rows)


def put_names(names):
    data = b''.join(name + b'\0' for name in names)
    return struct.pack('<I', len(data)) + data


def take_geometry(source):
    g = Record(vertices=source.table('3d'), rounds=source.table('9d'), nodes=source.table('4I'))
    g.lists, g.tails = [None] * len(g.nodes), [b''] * len(g.nodes)
    whole = [None] * len(g.nodes)
    for n in range(len(g.nodes) - 1, -1, -1):
        g.lists[n] = source.get(f'{g.nodes[n][1]}I')
        size = witnesses(g, n, whole)
        g.tails[n] = source.data[source.at:source.at + size]
        source.at += size
    return g


def witnesses(g, n, whole):
    """How many bytes of witnesses a node has."""
    right, count, solid, _ = g.nodes[n]
    below = whole[n + 1] + whole[right] if right else []
    whole[n] = g.lists[n] or list(dict.fromkeys(below))
    kept = set(whole[n])
    return 12 if solid else 16 * sum(p not in kept for p in below) if right and count else 0


def put_geometry(g):
    whole = [None] * len(g.nodes)
    for n in range(len(g.nodes) - 1, -1, -1):   # faults in lists ask for more or fewer of them
        size = witnesses(g, n, whole)
        g.tails[n] = g.tails[n][:size].ljust(size, b'\0')
    out = put_table('3d', g.vertices) + put_table('9d', g.rounds) + put_table('4I', g.nodes)
    for n in range(len(g.nodes) - 1, -1, -1):
        out += struct.pack(f'<{len(g.lists[n])}I', *g.lists[n]) + g.tails[n]
    return out


def take(data):
    """A problem with its tables."""
    at, parts = 12, []
    for _ in range(4):
        _, length = struct.unpack_from('<IQ', data, at)
        parts.append(Source(data[at + 12:at + 12 + length]))
        at += 12 + length
    p = Record(head=data[:12])
    p.geometries = [take_geometry(parts[0]) for _ in range(parts[0].get('I')[0])]
    p.motion_head = parts[1].get('Id')
    p.variables, p.segments = parts[1].table(VARIABLE), parts[1].table(SEGMENT)
    p.coefficients, p.motion_names = parts[1].table('d'), parts[1].names()
    p.revision = parts[2].get('Q')
    p.frames, p.bodies, p.groups, p.pairs, p.skips, p.left = [
        parts[2].table(form) for form in (FRAME, BODY, GROUP, PAIR, SKIP, LEFT)]
    p.names = parts[2].names()
    p.files, p.file_names = parts[3].table('32s'), parts[3].names()
    return p


def put(p):
    """The bytes of the problem."""
    parts = [
        struct.pack('<I', len(p.geometries)) + b''.join(map(put_geometry, p.geometries)),
        struct.pack('<Id', *p.motion_head) + put_table(VARIABLE, p.variables) +
        put_table(SEGMENT, p.segments) + put_table('d', p.coefficients) +
        put_names(p.motion_names),
        struct.pack('<Q', *p.revision) + b''.join(
            put_table(form, rows) for form, rows in (
                (FRAME, p.frames), (BODY, p.bodies), (GROUP, p.groups), (PAIR, p.pairs),
                (SKIP, p.skips), (LEFT, p.left))) + put_names(p.names),
        put_table('32s', p.files) + put_names(p.file_names)]
    return p.head + b''.join(
        struct.pack('<IQ', tag, len(part)) + part for tag, part in enumerate(parts, 1))


# ---- what is where ----

def frame(p, name):
    return p.frames[[n.decode() for n in p.names[1:1 + 2 * len(p.frames):2]].index(name)]


def ids(p):
    return [n.decode() for n in p.names[2 + 2 * len(p.frames)::2]]


def body(p, key):
    return p.bodies[ids(p).index(key)]


def geometry(p, key):
    return p.geometries[body(p, key)[10]]


def left_out(p, reason):
    return next(row for row in p.left if row[2] == reason)


def checked(p, a, b):
    wanted = {ids(p).index(a), ids(p).index(b)}
    return next(row for row in p.pairs if {row[1], row[2]} == wanted)


def name_number(p, key):
    return 1 + 2 * len(p.frames) + 2 * ids(p).index(key)


# ---- the faults ----

def change(get, at, how):
    """One number of a record."""
    def plant(p):
        row = get(p)
        row[at] = how(row[at])
    return plant


def scaled(get, factor):
    def plant(p):
        for row in get(p):
            row[:] = [factor * c for c in row]
    return plant


def swap(a, b):
    def plant(p):
        x, y = a(p), b(p)
        x[:], y[:] = list(y), list(x)
    return plant


def swap_fields(a, b, at):
    def plant(p):
        x, y = a(p), b(p)
        x[at], y[at] = y[at], x[at]
    return plant


def plus(much):
    return lambda value: value + much


def times(factor):
    return lambda value: value * factor


def to(value):
    return lambda _: value


def drop_pair(key_a, key_b, reason):
    """A pair that is checked is left out instead."""
    def plant(p):
        row = checked(p, key_a, key_b)
        p.pairs.remove(row)
        p.left.append([row[1], row[2], reason])
    return plant


def drop_rows(get, reason):
    def plant(p):
        row = get(p)
        p.pairs.remove(row)
        p.left.append([row[1], row[2], reason])
    return plant


def check_pair(reason):
    """A pair that is left out is checked instead."""
    def plant(p):
        row = left_out(p, reason)
        p.left.remove(row)
        p.pairs.append([0.0, row[0], row[1], 0, 0])
    return plant


def flag(key, at, value):
    """A field of every primitive."""
    def plant(p):
        for row in geometry(p, key).nodes:
            if row[0] == 0 or at == 3:
                row[at] = value
    return plant


def surface(key):
    """A solid is a surface: its twins go."""
    def plant(p):
        g = geometry(p, key)
        for n, row in enumerate(g.nodes):
            if row[0] == 0 and row[2]:
                row[2], g.tails[n] = 0, b''
    return plant


def lose_triangles(key, count):
    """The last triangles of a mesh are the first one again."""
    def plant(p):
        g = geometry(p, key)
        leaves = [n for n, row in enumerate(g.nodes) if row[0] == 0 and row[1] == 3]
        for n in leaves[-count:]:
            g.lists[n] = list(g.lists[leaves[0]])
    return plant


def turn_triangle(key):
    def plant(p):
        g = geometry(p, key)
        n = next(n for n, row in enumerate(g.nodes) if row[0] == 0 and row[1] == 3)
        g.lists[n][1], g.lists[n][2] = g.lists[n][2], g.lists[n][1]
    return plant


def forget_corner(key):
    def plant(p):
        g = geometry(p, key)
        n = next(n for n, row in enumerate(g.nodes) if row[0] == 0 and row[1] >= 4)
        g.lists[n].pop()
        g.nodes[n][1] -= 1
    return plant


def rename(number, word):
    def plant(p):
        p.names[number(p)] = word
    return plant


def vertex(key, number):
    return lambda p: geometry(p, key).vertices[number]


def rounds(key):
    return lambda p: geometry(p, key).rounds


def at_frame(name):
    return lambda p: frame(p, name)


def at_body(key):
    return lambda p: body(p, key)


def swap_names(p, a, b):
    p.names[1 + 2 * a], p.names[1 + 2 * b] = p.names[1 + 2 * b], p.names[1 + 2 * a]


def swap_variables(p):
    p.motion_names[1], p.motion_names[2] = p.motion_names[2], p.motion_names[1]


def lose_segment(p):
    last = p.segments.pop()
    del p.coefficients[-len(p.variables) * (last[3] + 1):]


def stretch(p):
    for row, at in ((p.segments[0], 1), (p.segments[1], 0)):
        row[at] += 0.01


def squeeze(p, key):
    for row in geometry(p, key).vertices:
        row[2] *= 0.5


def cut_leaf(g):
    """Two leaves that one node joins become the first of them."""
    number = next(n for n, row in enumerate(g.nodes)
                  if row[0] == n + 2 and g.nodes[n + 1][0] == 0 and g.nodes[n + 2][0] == 0)
    for table in (g.nodes, g.lists, g.tails):
        table[number] = table[number + 1]
        del table[number + 1:number + 3]
    for n, row in enumerate(g.nodes):
        if row[0] > number + 2:
            row[0] -= 2


def drop_shape(p, key):
    cut_leaf(geometry(p, key))


def lose_box(p, key):
    cut_leaf(geometry(p, key))


def move_box(p, key):
    g = geometry(p, key)
    number = next(n for n, row in enumerate(g.nodes) if row[0] == 0)
    for point in g.lists[number]:
        g.vertices[point][0] += 0.05


def group_pair(p, key):
    number = ids(p).index(key)
    return next(row for row in p.pairs if row[1] == number and row[2] >= len(p.bodies))


def group_margin(p, key):
    group_pair(p, key)[0] -= 0.01


def first_skip(p, pair):
    return sum(row[3] for row in p.pairs[:p.pairs.index(pair)])


def skip_more(p, key):
    pair = group_pair(p, key)
    begin = first_skip(p, pair)
    skipped = {row[0] for row in p.skips[begin:begin + pair[3]]}
    body = next(row[1] for row in p.groups if row[0] == 0 and row[1] not in skipped)
    p.skips.insert(begin, [body, 7])
    pair[3] += 1


def skip_other(p, key):
    pair = group_pair(p, key)
    begin = first_skip(p, pair)
    row = next(row for row in p.skips[begin:begin + pair[3]] if row[1] != 0)
    skipped = {row[0] for row in p.skips[begin:begin + pair[3]]}
    row[0] = next(row[1] for row in p.groups if row[0] == 0 and row[1] not in skipped)


def leave_group(p, key):
    pair = group_pair(p, key)
    begin = first_skip(p, pair)
    own = [row for row in p.skips[begin:begin + pair[3]] if row[1] == 0]
    at = p.pairs.index(pair)
    del p.skips[begin:begin + pair[3]]
    del p.pairs[at:at + 1 + len(own)]
    p.left.append([pair[1], pair[2], 7])


def left_out_fields(p, reason):
    """Like a pair: a margin that is none, then the two bodies."""
    row = left_out(p, reason)

    class Fields:
        def __getitem__(self, at):
            return row[at - 1]

        def __setitem__(self, at, value):
            row[at - 1] = value
    return Fields()
