# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Points, rotations, poses. A pose is (rows of the rotation, translation)."""

from fractions import Fraction
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
    """The distance of the origin from a convex hull, or what is at most `close`."""
    found = wolfe(points, close, 1e-14)
    if found > close:   # once more without rounding
        found = wolfe([tuple(map(Fraction, p)) for p in points], close, 0)
    return found


def wolfe(points, close, tiny):
    """Wolfe, Finding the nearest point in a polytope, 1976; exact for fractions and tiny 0."""
    corners, weights = [min(points, key=lambda p: dot(p, p))], [1]
    for _ in range(1000):
        x = tuple(sum(w * p[k] for w, p in zip(weights, corners)) for k in range(3))
        new = min(points, key=lambda p: dot(p, x))
        if norm(x) <= close or dot(x, x) <= dot(new, x) + tiny * dot(new, new) or new in corners:
            break
        corners.append(new)
        weights.append(0)
        while True:
            flat = affine_nearest(corners)
            if flat is None:
                return norm(x)
            if all(w > tiny for w in flat):
                weights = flat
                break
            step = min((w / (w - f) for w, f in zip(weights, flat) if f <= tiny and w > f),
                       default=0)
            weights = [(1 - step) * w + step * f for w, f in zip(weights, flat)]
            kept = [i for i, w in enumerate(weights) if w > tiny]
            if len(kept) == len(corners):
                kept.remove(min(kept, key=lambda i: weights[i]))
            corners, weights = [corners[i] for i in kept], [weights[i] for i in kept]
    return norm(x)


def affine_nearest(corners):
    """Weights, which sum to 1, of the point nearest the origin in the corners' affine hull."""
    if len(corners) == 1:
        return [1]
    a, b = corners[0], corners[1]
    if len(corners) == 2:
        along = minus(b, a)
        whole = dot(along, along)
        parts = [dot(b, along), -dot(a, along)]
    elif len(corners) == 3:
        c = corners[2]
        normal = cross(minus(b, a), minus(c, a))
        whole = dot(normal, normal)
        parts = [dot(normal, cross(p, q)) for p, q in ((b, c), (c, a), (a, b))]
    else:
        c, d = corners[2:4]
        parts = [dot(b, cross(c, d)), -dot(a, cross(c, d)), dot(a, cross(b, d)),
                 -dot(a, cross(b, c))]
        whole = sum(parts)
    return [part / whole for part in parts] if whole != 0 else None
