# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Trajectories, and the polynomials that docs/motions.md says they mean."""

import csv
import math
from types import SimpleNamespace as Record

from .documents import (
    document, items, known, member, number, numbers, Plain, Refused, texts)


def seconds(value):
    if not isinstance(value, dict):
        return 0.0 if value is None else number(value)
    known(value, 'sec nanosec secs nsecs')
    whole, parts = [member(value, a) or member(value, b) or Plain('0')
                    for a, b in (('sec', 'secs'), ('nanosec', 'nsecs'))]
    return number(whole) + number(parts) / 1e9


def read_csv(body, path):
    lines = [line for line in body.splitlines() if line.strip() and line.lstrip()[0] != '#']
    comma = ';' if ';' in lines[0] else ','
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=comma)]
    names, points = rows[0], []
    for row in rows[1:]:
        if len(row) != len(names):
            raise Refused(f'{path}: a row has {len(row)} cells, not {len(names)}')
        values = dict(zip(names, (number(Plain(cell)) for cell in row)))
        points.append(Record(time=values.pop('time', 0.0), p=list(values.values()), v=[], a=[]))
    return Record(names=[name for name in names if name != 'time'], points=points, segments=None)


def read(files, path):
    body = files.text('trajectory', path)
    first = next((line.strip() for line in body.splitlines()
                  if line.strip() and line.strip()[0] != '#'), '')
    if str(path).endswith('.csv') or (first[:1] not in tuple('{[-%') and ':' not in first):
        return read_csv(body, path)
    root = document(body, path)
    if member(root, 'segments') is not None:
        segments = [(number(member(s, 'duration')),
                     [numbers(row) for row in items(member(s, 'coefficients'))])
                    for s in items(member(root, 'segments'))]
        return Record(names=texts(member(root, 'joint_names')), segments=segments)
    known(root, 'joint_trajectory multi_dof_joint_trajectory header joint_names points')
    multi = member(root, 'multi_dof_joint_trajectory')
    if items(member(multi, 'points')) or items(member(multi, 'joint_names')):
        raise Refused(f'{path}: it moves a multi-DOF joint')
    inner = member(root, 'joint_trajectory') or root
    points = []
    for point in items(member(inner, 'points')):
        known(point, 'positions velocities accelerations effort time_from_start')
        p, v, a = [numbers(member(point, key))
                   for key in ('positions', 'velocities', 'accelerations')]
        points.append(Record(time=seconds(member(point, 'time_from_start')), p=p, v=v, a=a))
    return Record(names=texts(member(inner, 'joint_names')), points=points, segments=None)


class Motion:
    """What the problem's motion must be: model, variables, knots, coefficients."""

    def __init__(self, robot, scene, files, options):
        self.robot, self.state, self.options = robot, scene.state, options
        self.velocities = scene.velocities
        given = read(files, options.trajectory)
        if len(set(given.names)) != len(given.names) or not set(given.names) <= {
                joint.name for joint in robot.joints.values() if joint.moves}:
            raise Refused('the trajectory names joints that the robot does not have, or twice')
        self.column = {name: i for i, name in enumerate(given.names)}
        for name in robot.variables:
            if name not in self.column and name not in self.state:
                raise Refused(f"neither the trajectory nor a state says where joint '{name}' is")
        if given.segments is not None:
            self.polynomials(given.segments)
        else:
            self.waypoints(given.points)

    def polynomials(self, segments):
        self.model, self.knots, self.seconds, self.segments = 'polynomial', [0.0], [0.0], []
        for duration, rows in segments:
            degree = max(1, max(len(row) for row in rows) - 1)
            found = {}
            for name in self.robot.variables:
                if name not in self.column:
                    found[name] = [self.state[name]] * (degree + 1)
                    continue
                row = rows[self.column[name]]
                powers = [c * duration ** i for i, c in enumerate(row)]
                found[name] = [
                    sum(math.comb(j, i) / math.comb(degree, i) * c
                        for i, c in enumerate(powers) if i <= j) for j in range(degree + 1)]
            self.segments.append(found)
            self.knots.append(self.knots[-1] + duration)
        self.seconds = self.knots
        for one, other in zip(self.segments, self.segments[1:]):
            for name in one:
                if abs(one[name][-1] - other[name][0]) <= 1e-9:
                    one[name][-1] = other[name][0]

    def waypoints(self, points):
        timed = any(point.time != 0.0 for point in points)
        if any(len(p.p) != len(self.column) or (p.a and not p.v) for p in points) or not points:
            raise Refused('a point has too few or too many numbers')
        self.model = self.options.model
        if self.model == 'auto':
            self.model = 'controller' if timed else 'planner'
        splines = self.model == 'controller'
        rows = []
        for point in points:
            row = Record(time=point.time, p={}, v=None, a=None)
            row.v = {} if splines and point.v else None
            row.a = {} if splines and point.a else None
            for name in self.robot.variables:
                column = self.column.get(name)
                row.p[name] = self.state[name] if column is None else point.p[column]
                if row.v is not None:
                    row.v[name] = 0.0 if column is None else point.v[column]
                if row.a is not None:
                    row.a[name] = 0.0 if column is None else point.a[column]
            rows.append(row)
        if rows[0].time > 0.0:
            rows.insert(0, self.lead_in(rows[0]))
        if self.model == 'planner':
            self.unwind(rows)
        self.join(rows, timed)

    def is_continuous(self, name):
        return self.robot.by_joint[name].type == 'continuous' and name in self.column

    def lead_in(self, first):
        row = Record(time=0.0, p={}, v=None if first.v is None else {},
                     a=None if first.a is None else {})
        for name in self.robot.variables:
            if name not in self.state:
                raise Refused(f"no state says where joint '{name}' begins")
            row.p[name] = self.state[name]
            gap = first.p[name] - row.p[name]
            if self.model == 'controller' and not self.options.humble_lead_in and \
                    self.is_continuous(name) and abs(gap) >= math.pi:
                row.p[name] = first.p[name] - math.remainder(gap, 2.0 * math.pi)
            if row.v is not None:
                row.v[name] = self.velocities.get(name, 0.0) if name in self.column else 0.0
            if row.a is not None:
                row.a[name] = 0.0
        return row

    def unwind(self, rows):
        """Continuous joints take the shorter arc."""
        for name in filter(self.is_continuous, self.robot.variables):
            turns, before = 0, rows[0].p[name]
            for row in rows[1:]:
                raw = row.p[name]
                turns -= round((raw - before) / (2.0 * math.pi))
                before, row.p[name] = raw, raw + turns * (2.0 * math.pi)

    def join(self, rows, timed):
        self.segments = []
        pairs = list(zip(rows, rows[1:])) or [(rows[0], rows[0])]
        single = len(rows) == 1
        for x, y in pairs:
            smooth = 0 if single or x.v is None or y.v is None else \
                1 if x.a is None or y.a is None else 2
            t, found = y.time - x.time, {}
            for name in self.robot.variables:
                p, q = x.p[name], y.p[name]
                found[name] = [p, q]
                if smooth:
                    v, w = x.v[name], y.v[name]
                    found[name] = [p, p + v * t / 3, q - w * t / 3, q]
                if smooth == 2:
                    a, b = x.a[name], y.a[name]
                    found[name] = [
                        p, p + v * t / 5, p + 2 * v * t / 5 + a * t * t / 20,
                        q - 2 * w * t / 5 + b * t * t / 20, q - w * t / 5, q]
            self.segments.append(found)
        if timed and not single:
            self.knots = self.seconds = [row.time for row in rows]
            return
        self.seconds = [float(i) for i in range(len(pairs) + 1)]
        steps = [max((abs(y.p[n] - x.p[n]) for n in y.p), default=0.0) for x, y in pairs]
        total = sum(steps)
        self.knots = [0.0]
        for step in steps:
            self.knots.append(
                self.knots[-1] + (max(step / total, 1e-6) if total > 0.0 else 1.0))

    def tolerance(self, name):
        for joint, value in self.options.joint_tolerance:
            if joint == name:
                found = value
                break
        else:
            prismatic = self.robot.by_joint[name].type == 'prismatic'
            found = self.options.tolerance_m if prismatic else self.options.tolerance
        return found
