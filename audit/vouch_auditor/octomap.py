# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""octomap_msgs/Octomap: the cubes that are occupied, as sets of cells of the finest level."""

import math
import struct
import zlib

from .documents import Refused, items, member, number, text, truth

LEVELS = 16
OCCUPIED = -1e-6   # log-odds: a probability of 0.5, but for rounding


def data_of(value):
    if isinstance(value, str):
        try:
            return zlib.decompress(bytes.fromhex(value))
        except (ValueError, zlib.error) as error:
            raise Refused(f"the octomap's data: {error}") from error
    return bytes(int(number(item)) & 255 for item in items(value))


def cubes(data, binary):
    """(x, y, z, side) in cells; (0, 0, 0) begins at the origin."""
    at, found = 0, []

    def get(form):
        nonlocal at
        try:
            values = struct.unpack_from('<' + form, data, at)
        except struct.error as error:
            raise Refused("the octomap's data is cut off") from error
        at += struct.calcsize('<' + form)
        return values

    def walk(x, y, z, side):
        half = side // 2
        if binary:
            bits = get('H')[0]
            states = [bits >> 2 * i & 3 for i in range(8)]
            inner = [state == 3 for state in states]
            full = [state == 2 for state in states]
        else:
            value, bits = get('fB')
            inner = [bool(bits >> i & 1) for i in range(8)]
            full = [False] * 8
            if bits == 0 and not value < OCCUPIED:
                found.append((x, y, z, side))
        if side == 1 and (binary or any(inner)):
            raise Refused('the octomap is deeper than 16 levels')
        children = [(x + half * (i & 1), y + half * (i >> 1 & 1), z + half * (i >> 2), half)
                    for i in range(8)]
        found.extend(c for c, is_full in zip(children, full) if is_full)
        for child, is_inner in zip(children, inner):
            if is_inner:
                walk(*child)
    low = -(1 << LEVELS - 1)
    walk(low, low, low, 1 << LEVELS)
    if at != len(data):
        raise Refused("the octomap's data goes on behind the tree")
    return found


def read(value):
    """The occupied cubes of a message, and the side of a cell; None: there is no map in it."""
    tree = member(value, 'octomap')
    if tree is None or member(tree, 'data') is None:
        return None
    data = data_of(member(tree, 'data'))
    if not data:
        return None
    if text(member(tree, 'id')) != 'OcTree':
        raise Refused('the octomap is no OcTree')
    return cubes(data, truth(member(tree, 'binary'))), number(member(tree, 'resolution'))


def same(found, side, boxes):
    """Whether boxes (low, high), in metres from the map's origin, fill just these cubes."""
    covered, volume = set(), 0
    for low, high in boxes:
        a, b = [round(c / side) for c in low], [round(c / side) for c in high]
        if any(abs(p - q * side) > 1e-9 * max(side, abs(p))
               for p, q in zip((*low, *high), (*a, *b))):
            return False
        volume += math.prod(q - p for p, q in zip(a, b))
        covered.add((tuple(a), tuple(b)))
    if volume != sum(side ** 3 for _, _, _, side in found):
        return False
    # As much volume, and every cube within the boxes: no two boxes overlap, no more is in.
    return fills(covered, found)


def fills(boxes, found):
    """Every cube is within the union of the boxes, by cells of the cubes' own size."""
    index, size = {}, 16
    for low, high in boxes:
        for x in range(low[0] // size, (high[0] - 1) // size + 1):
            for y in range(low[1] // size, (high[1] - 1) // size + 1):
                for z in range(low[2] // size, (high[2] - 1) // size + 1):
                    index.setdefault((x, y, z), []).append((low, high))

    def within(x, y, z, side):
        near = index.get((x // size, y // size, z // size), ()) if side <= size else boxes
        low, high = (x, y, z), (x + side, y + side, z + side)
        if any(all(p <= a and b <= q for p, a, b, q in zip(start, low, high, end))
               for start, end in near):
            return True
        half = side // 2
        return half > 0 and all(
            within(x + half * (i & 1), y + half * (i >> 1 & 1), z + half * (i >> 2), half)
            for i in range(8))
    return all(within(*cube) for cube in found)
