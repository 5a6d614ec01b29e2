# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Points, rotations, poses. A pose is (rows of the rotation, translation)."""

import math

from .documents import Refused

IDENTITY = (((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def norm(a):
    return math.sqrt(dot(a, a))


def turned(rotation, p):
    return tuple(dot(row, p) for row in rotation)


def applied(pose, p):
    (x, y, z), t = pose
    return (dot(x, p) + t[0], dot(y, p) + t[1], dot(z, p) + t[2])


def transposed(rotation):
    return tuple(zip(*rotation))


def product(a, b):
    columns = transposed(b[0])
    return tuple(tuple(dot(row, c) for c in columns) for row in a[0]), applied(a, b[1])


def inverse(pose):
    back = transposed(pose[0])
    return back, tuple(-dot(row, pose[1]) for row in back)


def about(axis, angle):
    """The rotation about a direction (Rodrigues)."""
    x, y, z = (c / norm(axis) for c in axis)
    c, s = math.cos(angle), math.sin(angle)
    k = 1.0 - c
    return ((c + x * x * k, x * y * k - z * s, x * z * k + y * s),
            (y * x * k + z * s, c + y * y * k, y * z * k - x * s),
            (z * x * k - y * s, z * y * k + x * s, c + z * z * k))


def from_rpy(rpy):
    """Fixed axes: roll about x, then pitch about y, then yaw about z."""
    turn = IDENTITY
    for angle, axis in zip(rpy, IDENTITY[0]):
        turn = product((about(axis, angle), IDENTITY[1]), turn)
    return turn[0]


def from_quaternion(q):
    length = math.sqrt(sum(c * c for c in q))
    if not abs(length - 1.0) <= 1e-3:
        raise Refused(f'a quaternion has the length {length}')
    x, y, z, w = (c / length for c in q)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))


def gap(a, b):
    """How far two poses are apart: of numbers, relative to lengths above 1 m."""
    turn = max(abs(p - q) for x, y in zip(a[0], b[0]) for p, q in zip(x, y))
    size = max(1.0, *map(abs, a[1]))
    return max(turn, max(abs(p - q) for p, q in zip(a[1], b[1])) / size)


def nearest_in_hull(points, close):
    """The distance of the origin from a convex hull, or what is at most `close` (Wolfe, 1976)."""
    best = min(points, key=lambda p: dot(p, p))
    corners, weights = [best], [1.0]
    for _ in range(1000):
        x = tuple(sum(w * p[k] for w, p in zip(weights, corners)) for k in range(3))
        if norm(x) <= close:
            return norm(x)
        new = min(points, key=lambda p: dot(p, x))
        if dot(x, x) - dot(new, x) <= 1e-15 * max(dot(p, p) for p in corners + [new]) or \
                new in corners:
            return norm(x)
        corners.append(new)
        weights.append(0.0)
        while True:
            flat = affine_nearest(corners)
            if flat is None:
                return norm(x)
            if all(w > 1e-14 for w in flat):
                weights = flat
                break
            step = min((w / (w - f) for w, f in zip(weights, flat) if f <= 1e-14 and w > f),
                       default=0.0)
            weights = [(1 - step) * w + step * f for w, f in zip(weights, flat)]
            kept = [i for i, w in enumerate(weights) if w > 1e-14]
            if len(kept) == len(corners):
                kept.remove(min(kept, key=lambda i: weights[i]))
            corners, weights = [corners[i] for i in kept], [weights[i] for i in kept]
    return norm(x)


def affine_nearest(corners):
    """Weights, which sum to 1, of the point nearest the origin in the corners' affine hull."""
    n = len(corners)
    rows = [[dot(p, q) for q in corners] + [1.0, 0.0] for p in corners] + [[1.0] * n + [0.0, 1.0]]
    for column in range(n + 1):
        pivot = max(range(column, n + 1), key=lambda r: abs(rows[r][column]))
        if abs(rows[pivot][column]) < 1e-300:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for r in range(n + 1):
            if r != column:
                f = rows[r][column] / rows[column][column]
                rows[r] = [a - f * b for a, b in zip(rows[r], rows[column])]
    return [rows[i][n + 1] / rows[i][i] for i in range(n)]
