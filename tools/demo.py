#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Start the real node on the example cell and ask it about the example trajectories.

One of them is fine at each of its waypoints and goes through a thin plate
between two of them. The node's answers are printed, and a wrong one is an error.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CELL = ROOT / 'examples' / 'cell'
NODE = ROOT / 'install' / 'vouch' / 'lib' / 'vouch' / 'vouch_node'
START_SECONDS = 30
CALL_SECONDS = 30

# File, margin in metres, what a reader should know, the verdict that must come.
STORY = [
    ('pick.yaml', 0.0, 'home, down around the part with open fingers, and back', 'FREE'),
    ('through_plate.yaml', 0.0, 'clear at every waypoint; a plate stands between two of them',
     'COLLISION'),
    ('overshoot.yaml', 0.0, 'straight lines would be free; the controller drives splines',
     'COLLISION'),
    ('tight.yaml', 0.0005, 'down on the fixture to 1 mm, with half a millimetre asked for', 'FREE'),
]


def fail(message):
    sys.exit(f'demo: {message}')


try:
    import rclpy
    import yaml
    from builtin_interfaces.msg import Duration
    from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
    from vouch.msg import PairReport, TrajectoryReport
    from vouch.srv import CheckTrajectory
except ImportError as error:
    fail(f'{error}: run this as "make demo", which builds the messages and sets the paths.')

VERDICTS = {
    TrajectoryReport.UNDECIDED: 'UNDECIDED', TrajectoryReport.FREE: 'FREE',
    TrajectoryReport.COLLISION: 'COLLISION', TrajectoryReport.INVALID: 'INVALID'}


def read_trajectory(path):
    """Read a RobotTrajectory as MoveIt writes it into a message."""
    data = yaml.safe_load(path.read_text(encoding='utf-8'))['joint_trajectory']
    message = JointTrajectory(joint_names=data['joint_names'])
    for point in data['points']:
        stamp = point.get('time_from_start', 0)
        if isinstance(stamp, dict):
            nanoseconds = stamp.get('sec', 0) * 10**9 + stamp.get('nanosec', 0)
        else:
            nanoseconds = round(float(stamp) * 1e9)
        message.points.append(JointTrajectoryPoint(
            positions=[float(value) for value in point['positions']],
            velocities=[float(value) for value in point.get('velocities', [])],
            accelerations=[float(value) for value in point.get('accelerations', [])],
            time_from_start=Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)))
    return message


def start_node(log):
    parameters = {
        'robot_description_file': CELL / 'arm.urdf',
        'robot_description_semantic_file': CELL / 'arm.srdf',
        'scene_file': CELL / 'cell.yaml',
    }
    command = [str(NODE), '--ros-args']
    for name, value in parameters.items():
        command += ['-p', f'{name}:={value}']
    return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


class Asker:
    """A client of the service ~/check_trajectory."""

    def __init__(self, process):
        self.process = process
        rclpy.init()
        self.node = rclpy.create_node('vouch_demo')
        self.client = self.node.create_client(CheckTrajectory, '/vouch/check_trajectory')

    def wait(self):
        end = time.monotonic() + START_SECONDS
        while not self.client.wait_for_service(timeout_sec=0.2):
            if self.process.poll() is not None or time.monotonic() > end:
                return False
        return True

    def ask(self, trajectory, margin=0.0):
        request = CheckTrajectory.Request(
            trajectory=trajectory, margin_m=margin, start_anywhere=True)
        start = time.perf_counter()
        future = self.client.call_async(request)
        rclpy.spin_until_future_complete(self.node, future, timeout_sec=CALL_SECONDS)
        if not future.done():
            fail(f'the node did not answer within {CALL_SECONDS} s.')
        return future.result().report, time.perf_counter() - start


def waypoint_story(asker, trajectory):
    """Check each waypoint by itself, as others do."""
    reports = []
    for point in trajectory.points:
        single = JointTrajectory(
            joint_names=trajectory.joint_names,
            points=[JointTrajectoryPoint(positions=point.positions)])
        reports.append(asker.ask(single)[0])
    free = sum(report.verdict == TrajectoryReport.FREE for report in reports)
    nearest = min(report.clearance.lower_m for report in reports)
    return f'{free} of {len(reports)} free, the nearest {1000 * nearest:.1f} mm from contact'


def pair_line(report):
    found = report.first_collision
    if report.verdict == TrajectoryReport.COLLISION and found.kind != PairReport.NONE:
        kind = 'first contact' if found.kind == PairReport.CONTACT else 'inside the margin'
        return (f'{kind}: {found.a} and {found.b} at {found.time_s:.6f} s, '
                f'{100 * found.fraction:.1f} % of the way from point {found.segment} '
                f'to the next; everything before is free')
    if report.verdict == TrajectoryReport.UNDECIDED:
        return 'open: ' + ', '.join(f'{pair.a} and {pair.b}' for pair in report.open[:3])
    near = report.clearance
    if near.kind == PairReport.NONE:
        return report.message
    return (f'closest: {near.a} and {near.b} at {near.time_s:.4f} s, '
            f'between {1000 * near.lower_m:.3f} and {1000 * near.upper_m:.3f} mm')


def tell(asker):
    wrong = 0
    for name, margin, what, expected in STORY:
        path = CELL / name
        if not path.exists():
            fail(f'{path} is not there.')
        trajectory = read_trajectory(path)
        report, seconds = asker.ask(trajectory, margin)
        verdict = VERDICTS.get(report.verdict, str(report.verdict))
        print(f'\n{name}: {what}')
        if name == 'through_plate.yaml':
            print(f'  waypoints  {waypoint_story(asker, trajectory)}')
        print(f'  verdict    {verdict}' + (f', margin {1000 * margin:g} mm' if margin else ''))
        print(f'  pair       {pair_line(report)}')
        print(f'  time       {1000 * report.seconds:.2f} ms for {report.pairs} pairs and '
              f'{report.segments} segments; the call took {1000 * seconds:.1f} ms')
        for warning in report.warnings:
            print(f'  note       {warning}')
        if verdict != expected:
            print(f'  WRONG: {expected} was expected. {report.message}')
            wrong += 1
    return wrong


def main():
    if not NODE.exists():
        fail(f'{NODE} is not there: "make build" makes it.')
    print(f'The node {NODE.relative_to(ROOT)} on {CELL.relative_to(ROOT)}/, '
          f'ROS domain {os.environ.get("ROS_DOMAIN_ID", "0")}, this machine only.')
    with tempfile.TemporaryFile('w+') as log:
        process = start_node(log)
        try:
            asker = Asker(process)
            if not asker.wait():
                log.seek(0)
                fail(f'the node did not start; it said:\n{log.read()}')
            wrong = tell(asker)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            rclpy.try_shutdown()
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        fail('interrupted.')
