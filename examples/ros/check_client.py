#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
A client of vouch_node in Python: has trajectory files checked and prints what is proved.

  check_client.py [--node /vouch] [--margin 0.0] trajectory.yaml ... | directory

A directory stands for the trajectories in it. Exit code: 0 all answered, 1 otherwise.
"""

import argparse
import pathlib
import sys
import time

from builtin_interfaces.msg import Duration
import rclpy
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
from vouch.msg import PairReport, TrajectoryReport
from vouch.srv import CheckTrajectory
import yaml

VERDICTS = {
    TrajectoryReport.UNDECIDED: 'UNDECIDED', TrajectoryReport.FREE: 'FREE',
    TrajectoryReport.COLLISION: 'COLLISION', TrajectoryReport.INVALID: 'INVALID'}


def duration(value):
    """Seconds as a number, or as {secs, nsecs} or {sec, nanosec}."""
    if isinstance(value, dict):
        whole = int(value.get('sec', value.get('secs', 0)))
        return Duration(sec=whole, nanosec=int(value.get('nanosec', value.get('nsecs', 0))))
    nanoseconds = round(float(value) * 1e9)
    return Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def read_trajectory(path):
    """A JointTrajectory, or the one inside a RobotTrajectory, as YAML. None: the file has none."""
    content = yaml.safe_load(pathlib.Path(path).read_text())
    if not isinstance(content, dict):
        return None
    content = content.get('joint_trajectory', content)
    if 'joint_names' not in content or 'points' not in content:
        return None
    message = JointTrajectory(joint_names=content['joint_names'])
    for item in content['points']:
        point = JointTrajectoryPoint(time_from_start=duration(item.get('time_from_start', 0)))
        for field in ('positions', 'velocities', 'accelerations'):
            setattr(point, field, [float(v) for v in item.get(field) or []])
        message.points.append(point)
    return message


def find_files(arguments):
    for argument in map(pathlib.Path, arguments):
        if argument.is_dir():
            yield from sorted(argument.glob('*.yaml'))
        else:
            yield argument


def describe(report):
    """One line about the pair that decides."""
    unit = 's' if report.has_time else 'segments'
    if report.first_collision.kind != PairReport.NONE:
        hit = report.first_collision
        return f'{hit.a} - {hit.b} at {hit.time_s:.4f} {unit}, free before {hit.begin_s:.4f}'
    if report.clearance.kind != PairReport.NONE:
        near = report.clearance
        return (f'closest {near.a} - {near.b} at {near.time_s:.4f} {unit}: '
                f'{near.lower_m * 1e3:.2f} to {near.upper_m * 1e3:.2f} mm')
    return report.message


def check(node, client, path, trajectory, margin):
    request = CheckTrajectory.Request(
        id=path.stem, trajectory=trajectory, margin_m=margin, start_anywhere=True,
        want_certificate=True)
    begin = time.perf_counter()
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future, timeout_sec=30.0)
    if not future.done():
        print(f'{path.stem:<16} no answer', flush=True)
        return False
    answer = future.result()
    report = answer.report
    print(
        f'{path.stem:<16} {VERDICTS[report.verdict]:<10} {describe(report)}\n'
        f'{"":<16} proof {report.seconds * 1e3:.2f} ms, {len(answer.certificate)} bytes, '
        f'{report.pairs} pairs; round trip {(time.perf_counter() - begin) * 1e3:.2f} ms',
        flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--node', default='/vouch', help='full name of vouch_node')
    parser.add_argument('--margin', type=float, default=0.0, help='metres that must remain')
    parser.add_argument('files', nargs='+')
    arguments = parser.parse_args()
    rclpy.init()
    node = rclpy.create_node('check_client')
    client = node.create_client(CheckTrajectory, f'{arguments.node}/check_trajectory')
    ok = client.wait_for_service(timeout_sec=20.0)
    if not ok:
        print(f'{client.srv_name} is not there: is vouch_node running?', file=sys.stderr)
    for path in find_files(arguments.files) if ok else ():
        trajectory = read_trajectory(path)
        if trajectory is not None:
            ok = check(node, client, path, trajectory, arguments.margin) and ok
    node.destroy_node()
    rclpy.shutdown()
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
