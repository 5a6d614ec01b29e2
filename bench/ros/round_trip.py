# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Measures the service round trip of vouch_node for 100-point Panda trajectories among 100 boxes.

round_trip.py PROGRAM INSTALL DATA [ROUNDS] prints rows: a bare echo of the same messages, the round
trip, and the engine's own time, measured in turns in one run.
"""
import atexit
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

JOINTS = ['panda_joint%d' % i for i in range(1, 8)]
LIMITS = [(-2.8, 2.8), (-1.7, 1.7), (-2.8, 2.8), (-3.0, -0.1), (-2.8, 2.8), (0.0, 3.7), (-2.8, 2.8)]
POINTS, CASES, SECONDS = 100, 5, 5.0
children = []


@atexit.register
def stop_children():
    for child in children:
        if child.poll() is None:
            child.terminate()
            child.wait()


def start(*command):
    """Starts the node or the echo; both have the shared memory that answers of 1 MB need."""
    profile = pathlib.Path(__file__).resolve().parents[2] / 'config' / 'fastdds.xml'
    children.append(subprocess.Popen(
        [str(c) for c in command], stdout=subprocess.DEVNULL,
        env=dict(os.environ, FASTDDS_DEFAULT_PROFILES_FILE=str(profile))))


def minimum_jerk(begin, end):
    """Yields time, positions, velocities and accelerations of a motion from rest to rest."""
    for i in range(POINTS):
        s = i / (POINTS - 1)
        place = s ** 3 * (10.0 - 15.0 * s + 6.0 * s * s)
        speed = 30.0 * s * s * (1.0 - s) ** 2 / SECONDS
        acceleration = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / SECONDS ** 2
        way = [b - a for a, b in zip(begin, end)]
        yield [s * SECONDS] + [a + place * w for a, w in zip(begin, way)] + \
            [speed * w for w in way] + [acceleration * w for w in way]


def write(rows, path):
    with open(path, 'w') as file:
        file.write(' '.join(JOINTS) + '\n')
        for row in rows:
            file.write(' '.join('%.17g' % v for v in row) + '\n')


def boxes(rng):
    """Yields 100 boxes in a shell around the robot."""
    from geometry_msgs.msg import Point, Pose
    from shape_msgs.msg import SolidPrimitive
    from vouch.msg import Obstacle
    for i in range(100):
        turn, height, far = rng.uniform(-math.pi, math.pi), rng.uniform(0.0, 1.2), rng.uniform(0.75, 1.6)
        where = Point(x=far * math.cos(turn), y=far * math.sin(turn), z=height)
        size = [rng.uniform(0.05, 0.12) for _ in range(3)]
        yield Obstacle(
            id='box%03d' % i, pose=Pose(position=where),
            primitives=[SolidPrimitive(type=SolidPrimitive.BOX, dimensions=size)])


class Caller:
    """Calls services of the node."""

    def __init__(self):
        import rclpy
        self.rclpy = rclpy
        rclpy.init()
        self.node = rclpy.create_node('round_trip_driver')

    def call(self, kind, name, request):
        client = self.node.create_client(kind, '/vouch/' + name)
        if not client.wait_for_service(60.0):
            sys.exit('vouch_node is not there')
        for _ in range(10):
            future = client.call_async(request)
            self.rclpy.spin_until_future_complete(self.node, future, timeout_sec=5.0)
            if future.done():
                return future.result()
        sys.exit(name + ' does not answer')


def free_trajectories(caller, directory):
    """Writes trajectories that are free; returns their files."""
    from builtin_interfaces.msg import Duration
    from sensor_msgs.msg import JointState
    from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
    from vouch.srv import CheckTrajectory
    rng, files = random.Random(83), []
    for attempt in range(400):
        begin = [rng.uniform(a, b) for a, b in LIMITS]
        end = [min(max(v + rng.uniform(-0.5, 0.5), a), b) for v, (a, b) in zip(begin, LIMITS)]
        rows = list(minimum_jerk(begin, end))
        message = JointTrajectory(joint_names=JOINTS)
        for row in rows:
            message.points.append(JointTrajectoryPoint(
                positions=row[1:8], velocities=row[8:15], accelerations=row[15:],
                time_from_start=Duration(sec=int(row[0]), nanosec=int(row[0] % 1.0 * 1e9))))
        answer = caller.call(CheckTrajectory, 'check_trajectory', CheckTrajectory.Request(
            trajectory=message, start_anywhere=True,
            start_state=JointState(name=['panda_finger_joint1'], position=[0.02])))
        if answer.report.verdict == answer.report.INVALID:
            sys.exit(answer.report.message)
        if answer.report.verdict == answer.report.FREE:
            files.append(os.path.join(directory, '%d.txt' % len(files)))
            write(rows, files[-1])
            if len(files) == CASES:
                return files
    sys.exit('too few free trajectories')


def main():
    program, install, data = (pathlib.Path(a) for a in sys.argv[1:4])
    rounds = sys.argv[4] if len(sys.argv) > 4 else '200'
    resources = data / 'robowflex_resources'
    urdf = resources / 'panda' / 'urdf' / 'panda.urdf'
    if not urdf.exists():
        print('service,,,,,not run,,,the shared data is absent')
        return
    from vouch.msg import Scene
    from vouch.srv import ApplyScene
    with tempfile.TemporaryDirectory() as directory:
        start(
            install / 'lib' / 'vouch' / 'vouch_node', '--ros-args', '--log-level', 'error',
            '-p', f'robot_description_file:={urdf}',
            '-p', f'robot_description_semantic_file:={resources}/panda/config/panda.srdf',
            '-p', f"package_directories:=['robowflex_resources={resources}']",
            '-p', 'surfaces:=true', '-p', f'cache_directory:={directory}')
        caller = Caller()
        scene = Scene(is_diff=True, obstacles=list(boxes(random.Random(82))))
        for _ in range(60):
            answer = caller.call(ApplyScene, 'apply_scene', ApplyScene.Request(scene=scene))
            if answer.success:
                break
            time.sleep(0.5)
        else:
            sys.exit(answer.message)
        files = free_trajectories(caller, directory)
        start(program, '--echo')
        sys.stdout.write(subprocess.run(
            [str(program), rounds, *files], check=True, stdout=subprocess.PIPE, text=True,
            timeout=300).stdout)


if __name__ == '__main__':
    main()
