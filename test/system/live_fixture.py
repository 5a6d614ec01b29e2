# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""A robot that says where it is, sends trajectories for vetting, and sees what comes out."""

import math
import threading
import time

from node_fixture import ball, balls, finish, joint_state, start, trajectory, urdf
import pytest
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory
from vouch.msg import TrajectoryReport
from vouch.srv import CheckTrajectory

FREE = TrajectoryReport.FREE


class Robot:
    """Publishes joint states all the time, sends trajectories, and sees what comes out."""

    def __init__(self, client, namespace=''):
        self.client = client
        self.states = client.publisher(
            JointState, f'{namespace}/joint_states', qos_profile_sensor_data)
        self.reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=100))
        self.vetted = client.subscribe(JointTrajectory, '~/vetted/joint_trajectory', 10)
        self.raw = client.subscribe(JointTrajectory, '~/vetted/joint_trajectory', 10, raw=True)
        self.given = client.subscribe(JointTrajectory, '~/joint_trajectory', 10, raw=True)
        self.commands = client.publisher(JointTrajectory, '~/joint_trajectory')
        self.pose = None
        self.velocities = ()
        self.age = None            # of every state in seconds; None: no stamp
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.publish)
        self.thread.start()
        client.spin(0.3)

    def publish(self):
        while not self.ended.wait(0.01):
            pose = self.pose() if callable(self.pose) else self.pose
            if pose is not None:
                stamp = None if self.age is None else time.time() - self.age
                self.states.publish(joint_state(pose, velocities=self.velocities, stamp=stamp))

    def end(self):
        self.ended.set()
        self.thread.join()

    def at(self, values):
        """Stands there from now on (a function of time: moves; None: says nothing more)."""
        self.pose = values
        self.client.spin(0.1)

    def follow(self, speed):
        """Turns the shoulder from now on."""
        begin = time.monotonic()
        self.pose = lambda: [speed * (time.monotonic() - begin), 0.0]

    def send(self, points, **options):
        """Sends a trajectory and returns the decision."""
        count = len(self.reports)
        self.commands.publish(trajectory(points, **options))
        assert self.client.spin_until(lambda: len(self.reports) > count, 10.0)
        return self.reports[count]

    def wait_report(self, count, timeout=5.0):
        self.client.spin_until(lambda: len(self.reports) > count, timeout)
        return self.reports[count] if len(self.reports) > count else None


@pytest.fixture(scope='module')
def pair():
    node, client = start({
        'robot_description': urdf(), 'joint_state_timeout_s': 0.8,
        'vetting.tolerance_rad': 0.02, 'vetting.latency_s': 0.3}, shared=True)
    robot = Robot(client)
    robot.node = node
    yield robot
    robot.end()
    finish(node, client)


@pytest.fixture
def robot(pair):
    """At rest at the start, with the ball in its place and nothing running."""
    pair.velocities, pair.age = (), None
    pair.at([2.9, 0.0])        # far from everything: whatever runs is revoked
    pair.client.spin(0.1)
    answer = pair.client.apply(is_diff=False, name='world', obstacles=[ball()])
    assert answer.success
    pair.at([0.0, 0.0])
    del pair.reports[:], pair.vetted[:], pair.raw[:], pair.given[:]
    return pair


def long_way(first):
    """Swings below a ceiling: free, and the closest approach takes some tenths of a second."""
    count = 200
    return trajectory(
        [(2.5 * math.sin(0.7 * i), 2.5 * math.sin(0.9 * i)) for i in range(count)],
        times=[first + i for i in range(count)], velocities=[(0.0, 0.0)] * count)


@pytest.fixture
def busy_robot(robot):
    """A robot whose long way takes long enough for something to happen meanwhile."""
    robot.velocities = (0.0, 0.0)
    robot.at([0.0, 0.0])
    assert robot.client.apply(is_diff=False, name='ceiling', obstacles=balls(0.25)).success
    report = robot.client.check(request=CheckTrajectory.Request(
        trajectory=long_way(0.0), tolerance_rad=0.02)).report
    assert report.verdict == FREE and report.seconds > 0.1, report.seconds
    assert robot.wait_report(0) is not None
    del robot.reports[:]
    return robot


def parameter_call(robot, name, content):
    """Sets a parameter; returns at once."""
    service = robot.client.client(SetParameters, 'set_parameters')
    assert service.wait_for_service(10.0)
    robot.client.spin(0.3)
    kinds = {
        str: ('string_value', ParameterType.PARAMETER_STRING),
        float: ('double_value', ParameterType.PARAMETER_DOUBLE),
        bool: ('bool_value', ParameterType.PARAMETER_BOOL),
        list: ('string_array_value', ParameterType.PARAMETER_STRING_ARRAY)}
    field, kind = kinds[type(content)]
    value = ParameterValue(type=kind, **{field: content})
    request = SetParameters.Request(parameters=[Parameter(name=name, value=value)])
    return lambda: service.call_async(request)


def set_parameter(robot, name, content):
    answer = parameter_call(robot, name, content)()
    assert robot.client.spin_until(answer.done, 30.0) and answer.result().results[0].successful
