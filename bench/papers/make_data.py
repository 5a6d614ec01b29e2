#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the data files of the reproduction. They are committed; run this only to change them.

The papers print neither their polygons nor their motions, so these are our own, of the same kind:
two convex octagons, two squares, rational motions of degree eight, two star-shaped polyhedra with
80 and 85 vertices, and 1,000 random screws.
"""
import json
import math
import os
import random

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data')


def write(name, value):
    with open(os.path.join(HERE, name), 'w', encoding='utf-8') as file:
        json.dump(value, file, indent=1)
        file.write('\n')


def octagon(a, b, skew):
    points = []
    for k in range(8):
        angle = 2 * math.pi * (k + 0.5) / 8
        x, y = a * math.cos(angle), b * math.sin(angle)
        points.append([round(x + skew * y, 6), round(y, 6), 0.0])
    return points


OCTAGON_ROTATIONS = [[0.0, 0.0, 0.0, 1.0], [0.15, 0.05, 0.1, 1.0], [0.2, -0.1, 0.3, 0.95],
                     [0.05, -0.2, 0.45, 0.9], [-0.1, -0.15, 0.6, 0.8]]
# A lid that opens about one corner: the corner stays near the fixed square, the rest turns away.
SQUARE_ROTATIONS = [[0.08, -0.08, 0.0, 1.0], [0.2, -0.2, 0.05, 1.0], [0.3, -0.3, 0.15, 0.95],
                    [0.4, -0.4, 0.25, 0.85], [0.5, -0.5, 0.3, 0.75]]


def hinge(quaternions, corner, heights):
    """Control translations that keep `corner` in place, raised by `heights`: R_k W_k is quadratic in q."""
    d = len(quaternions) - 1
    controls = []
    for k in range(2 * d + 1):
        w, rc = 0.0, [0.0, 0.0, 0.0]
        for i in range(max(0, k - d), min(d, k) + 1):
            f = math.comb(d, i) * math.comb(d, k - i) / math.comb(2 * d, k)
            x, y, z, s = quaternions[i]
            a, b, c, e = quaternions[k - i]
            w += f * (x * a + y * b + z * c + s * e)
            m = [[s * e + x * a - y * b - z * c, x * b + y * a - z * e - s * c, x * c + z * a + y * e + s * b],
                 [x * b + y * a + z * e + s * c, s * e - x * a + y * b - z * c, y * c + z * b - x * e - s * a],
                 [x * c + z * a - y * e - s * b, y * c + z * b + x * e + s * a, s * e - x * a - y * b + z * c]]
            for r in range(3):
                rc[r] += f * sum(m[r][t] * corner[t] for t in range(3))
        controls.append([round(corner[r] - rc[r] / w, 9) + (heights[k] if r == 2 else 0.0)
                         for r in range(3)])
    return controls


def motion(rotations, translations):
    """Degree 8: quaternions of degree 4, the translation with the same denominator."""
    return {'type': 'quaternion_curve', 'rotations': rotations, 'translations': translations,
            'shared_weights': True}


def path(points, shift):
    return [[round(p[k] + shift[k], 6) for k in range(3)] for p in points]


def polyhedron(count, radius, seed):
    """A bumpy sphere: hull of spherical points, then random radii. 2 n - 4 triangles."""
    rng = random.Random(seed)
    points = []
    for i in range(count):
        z = 1 - (2 * i + 1) / count
        angle = i * math.pi * (3 - math.sqrt(5)) + rng.uniform(-0.05, 0.05)
        r = math.sqrt(1 - z * z)
        points.append((r * math.cos(angle), r * math.sin(angle), z))
    faces = []
    for i in range(count):
        for j in range(i + 1, count):
            for k in range(j + 1, count):
                p, q, s = points[i], points[j], points[k]
                u = [q[c] - p[c] for c in range(3)]
                v = [s[c] - p[c] for c in range(3)]
                n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                     u[0] * v[1] - u[1] * v[0]]
                d = sum(n[c] * p[c] for c in range(3))
                sign = 1 if d > 0 else -1
                if all(sign * (sum(n[c] * x[c] for c in range(3)) - d) <= 1e-12 for x in points):
                    faces.append((i, j, k) if d > 0 else (i, k, j))
    scaled = [[radius * rng.uniform(0.75, 1.0) * c for c in p] for p in points]
    assert len(faces) == 2 * count - 4, len(faces)
    return scaled, faces


def write_obj(name, points, faces):
    with open(os.path.join(HERE, name), 'w', encoding='utf-8') as file:
        for p in points:
            file.write('v %.9g %.9g %.9g\n' % tuple(p))
        for f in faces:
            file.write('f %d %d %d\n' % tuple(i + 1 for i in f))


def random_pose(rng):
    while True:
        q = [rng.gauss(0, 1) for _ in range(4)]
        norm = math.sqrt(sum(c * c for c in q))
        if norm > 0.1:
            break
    while True:
        t = [rng.uniform(-7.5, 7.5) for _ in range(3)]
        if max(abs(c) for c in t) > 2.5:
            break
    return [c / norm for c in q] + t


def main():
    os.makedirs(HERE, exist_ok=True)
    write('octagons.json', {'moving': octagon(1.0, 0.8, 0.1), 'fixed': octagon(1.1, 0.9, -0.05)})
    base = [[-1.2, -0.6, 0.9], [-0.9, 0.1, 0.8], [-0.5, 0.4, 0.75], [-0.2, 0.5, 0.7],
            [0.1, 0.4, 0.72], [0.4, 0.2, 0.75], [0.7, 0.0, 0.8], [1.0, -0.3, 0.85],
            [1.3, -0.5, 0.9]]
    write('octagons_free.json', motion(OCTAGON_ROTATIONS, path(base, OCTAGON_FREE)))
    write('octagons_collision.json', motion(OCTAGON_ROTATIONS, path(base, OCTAGON_HIT)))
    square = hinge(SQUARE_ROTATIONS, [-1.0, -1.0, 0.0], [0.3, 0.2, 0.1, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
    for name, shift in SQUARES.items():
        write('squares_%s.json' % name, motion(SQUARE_ROTATIONS, path(square, shift)))
    write_obj('polyhedron_a.obj', *polyhedron(80, 1.2, 80))
    write_obj('polyhedron_b.obj', *polyhedron(85, 1.2, 85))
    rng = random.Random(2003)
    with open(os.path.join(HERE, 'screws.csv'), 'w', encoding='utf-8') as file:
        file.write('from_qx,from_qy,from_qz,from_qw,from_x,from_y,from_z,'
                   'to_qx,to_qy,to_qz,to_qw,to_x,to_y,to_z\n')
        for _ in range(1000):
            values = random_pose(rng) + random_pose(rng)
            file.write(','.join('%.17g' % v for v in values) + '\n')


# Constant translations, as in the paper: what differs between its examples.
OCTAGON_FREE = [0.0, 0.0, -0.435]
OCTAGON_HIT = [0.0, 0.0, -0.8]
SQUARES = {'collision': [0.0, 0.0, -0.2], 'near': [0.0, 0.0, 0.0], 'none': [0.0, 0.0, 0.4]}

if __name__ == '__main__':
    main()
