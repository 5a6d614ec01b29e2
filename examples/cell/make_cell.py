#!/usr/bin/env python3
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
Makes the example cell: a six-axis arm with a gripper, its cell, and four trajectories.

Everything beside this file comes from it, byte for byte, on every machine:

    python3 examples/cell/make_cell.py

Nothing but the standard library is needed. The tool poses are solved by inverse kinematics below,
so that the stories hold by construction: 1 mm in tight.yaml is 1 mm in the geometry.
"""

import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# ---- the arm -------------------------------------------------------------------------------------
# At zero the arm stands straight up. name, type, parent, child, origin (z, or x y z), axis, limits.

SHOULDER, ELBOW, FOREARM, WRIST, FLANGE, HAND = 0.20, 0.42, 0.18, 0.24, 0.09, 0.05
FINGER_TIP = 0.13  # from the hand's origin to the tip of the fingers

JOINTS = [
    ('joint_1', 'revolute', 'base_link', 'shoulder', (0, 0, 0.14), (0, 0, 1), (-3.05, 3.05)),
    ('joint_2', 'revolute', 'shoulder', 'upper_arm', (0, 0, SHOULDER), (0, 1, 0), (-2.0, 2.0)),
    ('joint_3', 'revolute', 'upper_arm', 'elbow', (0, 0, ELBOW), (0, 1, 0), (-2.6, 2.6)),
    ('joint_4', 'revolute', 'elbow', 'forearm', (0, 0, FOREARM), (0, 0, 1), (-3.05, 3.05)),
    ('joint_5', 'revolute', 'forearm', 'wrist', (0, 0, WRIST), (0, 1, 0), (-2.2, 2.2)),
    ('joint_6', 'continuous', 'wrist', 'flange', (0, 0, FLANGE), (0, 0, 1), None),
    ('hand_joint', 'fixed', 'flange', 'hand', (0, 0, HAND), None, None),
    ('finger_joint', 'prismatic', 'hand', 'left_finger', (0, 0, 0.06), (0, 1, 0), (0.0, 0.05)),
    ('right_finger_joint', 'prismatic', 'hand', 'right_finger', (0, 0, 0.06), (0, -1, 0),
     (0.0, 0.05)),
]
MIMIC = {'right_finger_joint': 'finger_joint'}

Y_AXIS = (math.pi / 2, 0, 0)  # roll, pitch, yaw that lays a cylinder along y

# link -> [(kind, size, xyz, rpy)]; mesh sizes are file names.
COLLISIONS = {
    'base_link': [('cylinder', (0.11, 0.135), (0, 0, 0.0675), None),
                  ('box', (0.12, 0.10, 0.08), (-0.14, 0, 0.04), None)],
    'shoulder': [('cylinder', (0.10, 0.18), (0, 0, 0.09), None)],
    'upper_arm': [('mesh', 'upper_arm.stl', (0, 0, 0), None)],
    'elbow': [('cylinder', (0.06, 0.14), (0, 0, 0), Y_AXIS),
              ('cylinder', (0.05, 0.12), (0, 0, 0.11), None)],
    'forearm': [('mesh', 'forearm.stl', (0, 0, 0), None)],
    'wrist': [('capsule', (0.045, 0.05), (0, 0, 0), Y_AXIS),
              ('cylinder', (0.038, 0.05), (0, 0, 0.05), None)],
    'flange': [('cylinder', (0.035, 0.065), (0, 0, 0.0175), None)],
    'hand': [('box', (0.06, 0.17, 0.05), (0, 0, 0.025), None)],
    'left_finger': [('box', (0.02, 0.012, 0.08), (0, 0.006, 0.03), None)],
    'right_finger': [('box', (0.02, 0.012, 0.08), (0, -0.006, 0.03), None)],
}
LINKS = ['base_link'] + [joint[3] for joint in JOINTS]

# Pairs that share a joint, and pairs that no pose of the arm brings together.
ADJACENT = [('base_link', 'shoulder'), ('shoulder', 'upper_arm'), ('upper_arm', 'elbow'),
            ('elbow', 'forearm'), ('forearm', 'wrist'), ('wrist', 'flange'), ('flange', 'hand'),
            ('hand', 'left_finger'), ('hand', 'right_finger')]
NEVER = [('base_link', 'upper_arm'), ('shoulder', 'elbow'), ('elbow', 'wrist'),
         ('flange', 'left_finger'), ('flange', 'right_finger'), ('wrist', 'hand')]

HOME = [0.0, -0.35, 1.35, 0.0, 1.2, 0.0, 0.04]
NAMES = ['joint_1', 'joint_2', 'joint_3', 'joint_4', 'joint_5', 'joint_6', 'finger_joint']

# ---- the cell ------------------------------------------------------------------------------------
# id, kind, size, position. The table's top is z = 0, where the base stands.

PLATE = (0.45, 0.0, 0.15)        # centre of the guard plate
PLATE_SIZE = (0.30, 0.002, 0.30)
PART = (0.42, 0.34)              # where the part lies
FIXTURE = (0.42, -0.34)
FIXTURE_HEIGHT = 0.06
POST_RADIUS = 0.025
POSTS = [('post_left', (0.05, 0.52)), ('post_right', (0.05, -0.52))]

OBJECTS = [
    ('table', [('box', (1.40, 1.40, 0.05), (0.25, 0, -0.025))]),
    ('guard_plate', [('box', PLATE_SIZE, PLATE)]),
    ('fixture', [('box', (0.14, 0.14, FIXTURE_HEIGHT),
                  (FIXTURE[0], FIXTURE[1], FIXTURE_HEIGHT / 2))]),
] + [
    (name, [('cylinder', (POST_RADIUS, 0.70), (x, y, 0.35))]) for name, (x, y) in POSTS
] + [
    ('bin', [('box', (0.24, 0.20, 0.01), (-0.05, -0.30, 0.005)),
             ('box', (0.24, 0.01, 0.10), (-0.05, -0.205, 0.05)),
             ('box', (0.24, 0.01, 0.10), (-0.05, -0.395, 0.05))]),
]

# ---- reaching ------------------------------------------------------------------------------------


def reach(target, fingers=math.pi / 2):
    """
    Joint values that put the point between the finger tips at target, pointing straight down.

    The fingers move along the horizontal direction with the angle `fingers`. With joint_4 at zero
    the arm stays in the vertical plane through the target: two links of a triangle, elbow up.
    """
    azimuth = math.atan2(target[1], target[0])
    reach_out = math.hypot(target[0], target[1])
    rise = target[2] + FLANGE + HAND + FINGER_TIP - 0.14 - SHOULDER
    first, second = ELBOW, FOREARM + WRIST
    distance = math.hypot(reach_out, rise)
    if not abs(first - second) < distance < first + second:
        sys.exit('make_cell: the tool cannot reach %s' % (target,))
    at_shoulder = math.acos((first**2 + distance**2 - second**2) / (2 * first * distance))
    at_elbow = math.acos((first**2 + second**2 - distance**2) / (2 * first * second))
    shoulder = math.atan2(reach_out, rise) - at_shoulder
    elbow = math.pi - at_elbow
    q = [azimuth, shoulder, elbow, 0.0, math.pi - shoulder - elbow,
         azimuth + math.pi / 2 - fingers]
    position = tool_position(q)
    if max(abs(position[i] - target[i]) for i in range(3)) > 1e-12:
        sys.exit('make_cell: forward and inverse kinematics disagree')
    return q


def rotation(axis, angle):
    """Return the rotation about a unit axis (Rodrigues)."""
    x, y, z = axis
    c, s, t = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return [[t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c]]


def tool_position(q):
    """Forward kinematics from the table of joints: the point between the finger tips."""
    turn, position = rotation((0, 0, 1), 0.0), [0.0, 0.0, 0.0]
    for name, kind, _, child, origin, axis, _ in JOINTS:
        position = [position[i] + sum(turn[i][k] * origin[k] for k in range(3)) for i in range(3)]
        if kind != 'fixed':
            r = rotation(axis, q[NAMES.index(name)])
            turn = [[sum(turn[i][k] * r[k][j] for k in range(3)) for j in range(3)]
                    for i in range(3)]
        if child == 'hand':
            break
    return [position[i] + turn[i][2] * FINGER_TIP for i in range(3)]


# ---- meshes --------------------------------------------------------------------------------------


def ring(sides, radii, height):
    """Return the points of one cross-section: an ellipse."""
    return [(radii[0] * math.cos(2 * math.pi * k / sides),
             radii[1] * math.sin(2 * math.pi * k / sides), height) for k in range(sides)]


def loft(sections, sides=20):
    """Closed triangle mesh through cross-sections (height, x radius, y radius)."""
    rings = [ring(sides, (rx, ry), height) for height, rx, ry in sections]
    triangles = []
    for lower, upper in zip(rings, rings[1:]):
        for k in range(sides):
            n = (k + 1) % sides
            triangles += [(lower[k], lower[n], upper[n]), (lower[k], upper[n], upper[k])]
    for points, up in ((rings[0], False), (rings[-1], True)):
        centre = (0.0, 0.0, points[0][2])
        for k in range(sides):
            n = (k + 1) % sides
            triangles.append((centre, points[k], points[n]) if up else
                             (centre, points[n], points[k]))
    return triangles


def extrude(outline, height):
    """Closed mesh over a simple polygon that is visible from its first corner."""
    n = len(outline)
    low = [(x, y, 0.0) for x, y in outline]
    high = [(x, y, height) for x, y in outline]
    triangles = []
    for k in range(1, n - 1):
        triangles += [(low[0], low[k + 1], low[k]), (high[0], high[k], high[k + 1])]
    for k in range(n):
        m = (k + 1) % n
        triangles += [(low[k], low[m], high[m]), (low[k], high[m], high[k])]
    return triangles


def normal(triangle):
    """Return the unit normal of a triangle."""
    a, b, c = triangle
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    length = math.sqrt(sum(x * x for x in n)) or 1.0
    return [x / length for x in n]


def clean(value, digits=9):
    """Round, and write no negative zero."""
    return round(value, digits) + 0.0


def binary_stl(title, triangles):
    """Return the bytes of a binary STL file."""
    data = title.encode().ljust(80, b' ') + struct.pack('<I', len(triangles))
    for triangle in triangles:
        data += struct.pack('<3f', *(clean(x, 6) for x in normal(triangle)))
        for point in triangle:
            data += struct.pack('<3f', *(clean(x, 6) for x in point))
        data += struct.pack('<H', 0)
    return data


def ascii_stl(title, triangles):
    """Return the bytes of an ASCII STL file."""
    lines = ['solid ' + title]
    for triangle in triangles:
        lines += ['  facet normal %g %g %g' % tuple(clean(x, 6) for x in normal(triangle)),
                  '    outer loop']
        lines += ['      vertex %g %g %g' % tuple(clean(x, 6) for x in p) for p in triangle]
        lines += ['    endloop', '  endfacet']
    return ('\n'.join(lines + ['endsolid ' + title]) + '\n').encode()


# A waist between two round ends, and a tapered tube.
UPPER_ARM = loft([(-0.075, 0.030, 0.040), (-0.06, 0.055, 0.065), (0.0, 0.075, 0.075),
                  (0.07, 0.060, 0.062), (0.15, 0.045, 0.050), (0.27, 0.042, 0.046),
                  (0.36, 0.050, 0.055), (0.42, 0.062, 0.065), (0.47, 0.045, 0.055),
                  (0.485, 0.025, 0.035)])
TUBE = loft([(0.0, 0.048, 0.048), (0.05, 0.050, 0.050), (0.12, 0.040, 0.040),
             (0.19, 0.036, 0.045), (0.24, 0.030, 0.060), (0.265, 0.022, 0.055)])
# The part: an L, 40 mm long legs of 15 mm.
BRACKET = extrude([(-0.02, -0.02), (0.02, -0.02), (0.02, -0.005), (-0.005, -0.005),
                   (-0.005, 0.02), (-0.02, 0.02)], 0.05)

# ---- trajectories --------------------------------------------------------------------------------


def via_point_rates(points, times, stops):
    """Velocities and accelerations of a smooth drive through all points, at rest at the stops."""
    def slopes(values):
        rates = []
        for k in range(len(values)):
            if k in stops:
                rates.append([0.0] * len(values[k]))
            else:
                rates.append([(c - a) / (times[k + 1] - times[k - 1])
                              for a, c in zip(values[k - 1], values[k + 1])])
        return rates

    velocities = slopes(points)
    return velocities, slopes(velocities)


def number(value):
    """Nine decimals are 1 nrad: enough, and the same text everywhere."""
    text = '%.9f' % clean(value)
    return text.rstrip('0').rstrip('.') if '.' in text else text


def trajectory(title, points, times, stops=(), rates=None):
    """Return RobotTrajectory YAML; the first and the last point are always stops."""
    stops = set(stops) | {0, len(points) - 1}
    velocities, accelerations = rates or via_point_rates(points, times, stops)
    lines = ['# ' + line for line in title] + ['joint_trajectory:']
    lines += ['  joint_names: [%s]' % ', '.join(NAMES), '  points:']
    for k, time in enumerate(times):
        lines.append('    - positions: [%s]' % ', '.join(number(v) for v in points[k]))
        lines.append('      velocities: [%s]' % ', '.join(number(v) for v in velocities[k]))
        lines.append('      accelerations: [%s]' % ', '.join(number(v) for v in accelerations[k]))
        lines.append('      time_from_start: %s' % number(time))
    return '\n'.join(lines) + '\n'


def pick():
    """Home, above the part, down around it with open fingers, up again."""
    above = reach((PART[0], PART[1], 0.20)) + [0.04]
    half = reach((PART[0], PART[1], 0.11)) + [0.04]
    down = reach((PART[0], PART[1], 0.02)) + [0.032]
    points = [HOME, above, half, down, half, above, HOME]
    return trajectory(
        ['Home, down around the part with open fingers, and back: proved free.'],
        points, [0.0, 1.5, 2.1, 2.9, 3.7, 4.3, 5.8], stops=(1, 3, 5))


def through_plate():
    """A sweep from the part to the fixture; the plate stands between two waypoints."""
    radius = 0.45
    angles = [40, 26, 12, -12, -26, -40]
    points = []
    for angle in angles:
        a = math.radians(angle)
        points.append(
            reach((radius * math.cos(a), radius * math.sin(a), 0.20), a) + [0.04])
    return trajectory(
        ['From the part to the fixture. At every waypoint the arm is more than 4 cm from everything;',
         'between the third and the fourth the hand goes through the 2 mm guard plate.'],
        points, [0.0, 0.5, 0.8, 1.1, 1.4, 1.9])


def tight():
    """Down on the fixture until the finger tips are 1 mm above it."""
    heights = [0.16, 0.05, 0.012, 0.001]
    points = [reach((FIXTURE[0], FIXTURE[1], FIXTURE_HEIGHT + h)) + [0.01] for h in heights]
    return trajectory(
        ['Down on the fixture; the finger tips stop 1 mm above it.'],
        points, [0.0, 0.8, 1.4, 2.2])


def overshoot():
    """A swing beside the right post; the spline goes further than its waypoints."""
    start = reach((0.44, -0.10, 0.25), math.atan2(-0.10, 0.44)) + [0.02]
    azimuth = math.atan2(POSTS[1][1][1], POSTS[1][1][0])

    def at(angle):
        return [angle] + start[1:]

    turn = azimuth + math.radians(12)
    points = [start, at((start[0] + turn) / 2), at(turn), at((start[0] + turn) / 2), start]
    times = [0.0, 0.6, 1.2, 1.8, 2.4]
    still = [0.0] * 7
    speed = 2 * (turn - start[0]) / 1.2
    velocities = [still, [speed] + still[1:], [speed * 0.9] + still[1:], [-speed] + still[1:],
                  still]
    return trajectory(
        ['A swing towards the right post and back. Straight lines between the waypoints are free;',
         'the arm is still fast at the third waypoint, so that the controller overshoots it and',
         'hits the post.'],
        points, times, rates=(velocities, [still] * 5))


# ---- writing -------------------------------------------------------------------------------------

MADE = 'Made by make_cell.py: change that file, not this one.'


def urdf():
    """Return the robot description."""
    lines = ['<?xml version="1.0"?>', '<!-- %s -->' % MADE, '<robot name="example_arm">']
    for link in LINKS:
        lines.append('  <link name="%s">' % link)
        for kind, size, xyz, rpy in COLLISIONS[link]:
            place = ' rpy="%s"' % ' '.join('%.17g' % v for v in rpy) if rpy else ''
            lines += ['    <collision>',
                      '      <origin xyz="%s"%s/>' % (' '.join('%g' % v for v in xyz), place)]
            shape = {'box': '<box size="%s"/>',
                     'mesh': '<mesh filename="meshes/%s"/>',
                     'cylinder': '<cylinder radius="%s" length="%s"/>',
                     'capsule': '<capsule radius="%s" length="%s"/>'}[kind]
            if kind == 'box':
                text = shape % ' '.join('%g' % v for v in size)
            elif kind == 'mesh':
                text = shape % size
            else:
                text = shape % tuple('%g' % v for v in size)
            lines += ['      <geometry>%s</geometry>' % text, '    </collision>']
        lines.append('  </link>')
    for name, kind, parent, child, origin, axis, limits in JOINTS:
        lines += ['  <joint name="%s" type="%s">' % (name, kind),
                  '    <parent link="%s"/>' % parent, '    <child link="%s"/>' % child,
                  '    <origin xyz="%s"/>' % ' '.join('%g' % v for v in origin)]
        if axis:
            lines.append('    <axis xyz="%s"/>' % ' '.join('%g' % v for v in axis))
        if limits:
            lines.append('    <limit lower="%g" upper="%g" effort="100" velocity="3"/>' % limits)
        elif kind == 'continuous':
            lines.append('    <limit effort="100" velocity="3"/>')
        if name in MIMIC:
            lines.append('    <mimic joint="%s"/>' % MIMIC[name])
        lines.append('  </joint>')
    return '\n'.join(lines + ['</robot>']) + '\n'


def srdf():
    """Return groups, group states and the pairs that need no check."""
    arm = NAMES[:6]
    lines = ['<?xml version="1.0"?>', '<!-- %s -->' % MADE, '<robot name="example_arm">',
             '  <group name="arm">', '    <chain base_link="base_link" tip_link="flange"/>',
             '  </group>', '  <group name="gripper">', '    <joint name="finger_joint"/>',
             '  </group>', '  <group_state name="home" group="arm">']
    lines += ['    <joint name="%s" value="%s"/>' % (n, number(v)) for n, v in zip(arm, HOME)]
    lines += ['  </group_state>', '  <group_state name="open" group="gripper">',
              '    <joint name="finger_joint" value="%s"/>' % number(HOME[6]), '  </group_state>']
    for pairs, reason in ((ADJACENT, 'Adjacent'), (NEVER, 'Never')):
        for a, b in pairs:
            lines.append('  <disable_collisions link1="%s" link2="%s" reason="%s"/>'
                         % (a, b, reason))
    return '\n'.join(lines + ['</robot>']) + '\n'


def primitive(kind, size):
    """shape_msgs order: a cylinder is height, then radius."""
    if kind == 'cylinder':
        return 'cylinder', [size[1], size[0]]
    return kind, list(size)


def scene():
    """Return the cell as a PlanningScene."""
    lines = ['# ' + MADE, 'name: example_cell', 'world:', '  collision_objects:']
    for name, shapes in OBJECTS:
        lines += ['    - id: ' + name, '      header: {frame_id: base_link}', '      primitives:']
        for kind, size, _ in shapes:
            kind, dimensions = primitive(kind, size)
            lines.append('        - {type: %s, dimensions: [%s]}'
                         % (kind, ', '.join('%g' % v for v in dimensions)))
        lines.append('      primitive_poses:')
        for _, _, xyz in shapes:
            lines.append('        - {position: [%s], orientation: [0, 0, 0, 1]}'
                         % ', '.join('%g' % v for v in xyz))
    vertices = []
    for triangle in BRACKET:
        for point in triangle:
            if point not in vertices:
                vertices.append(point)
    lines += ['    - id: part', '      header: {frame_id: base_link}', '      meshes:',
              '        - triangles:']
    for triangle in BRACKET:
        lines.append('            - [%s]' % ', '.join(str(vertices.index(p)) for p in triangle))
    lines.append('          vertices:')
    for point in vertices:
        lines.append('            - [%s]' % ', '.join('%g' % clean(v) for v in point))
    # 1 mm above the table's top: a part that touches it could not be told from one inside it.
    lines += ['      mesh_poses:',
              '        - {position: [%g, %g, 0.001], orientation: [0, 0, 0, 1]}' % PART]
    return '\n'.join(lines) + '\n'


def main():
    """Write every file."""
    files = {
        'arm.urdf': urdf().encode(),
        'arm.srdf': srdf().encode(),
        'cell.yaml': scene().encode(),
        'meshes/upper_arm.stl': binary_stl('upper arm of the example arm', UPPER_ARM),
        'meshes/forearm.stl': ascii_stl('forearm', TUBE),
        'meshes/part.stl': ascii_stl('part', BRACKET),
        'pick.yaml': pick().encode(),
        'through_plate.yaml': through_plate().encode(),
        'tight.yaml': tight().encode(),
        'overshoot.yaml': overshoot().encode(),
    }
    target = sys.argv[1] if len(sys.argv) > 1 else HERE
    os.makedirs(os.path.join(target, 'meshes'), exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(target, name), 'wb') as file:
            file.write(data)


if __name__ == '__main__':
    main()
