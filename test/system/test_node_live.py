# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Live vetting: only what is proved free goes on, and what went on is watched."""

import math
import time

import pytest
from node_fixture import (
    FREE, INVALID, LATCHED, ball, finish, joint_state, start, trajectory, urdf)
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory
from vouch.msg import Obstacle, TrajectoryReport


class Robot:
    """Publishes joint states and sends trajectories, and sees what comes out."""

    def __init__(self, client):
        self.client = client
        self.states = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
        self.reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=100))
        self.vetted = client.subscribe(JointTrajectory, '~/vetted/joint_trajectory', 10)
        self.raw = client.subscribe(JointTrajectory, '~/vetted/joint_trajectory', 10, raw=True)
        self.given = client.subscribe(JointTrajectory, '~/joint_trajectory', 10, raw=True)
        self.commands = client.publisher(JointTrajectory, '~/joint_trajectory')
        client.spin(0.3)

    def at(self, values, velocities=()):
        self.states.publish(joint_state(values, velocities=velocities))
        self.client.spin(0.02)

    def send(self, points, **options):
        """Sends a trajectory and returns the decision."""
        count = len(self.reports)
        self.commands.publish(trajectory(points, **options))
        assert self.client.spin_until(lambda: len(self.reports) > count, 10.0)
        return self.reports[-1]

    def wait_report(self, count, timeout=5.0):
        self.client.spin_until(lambda: len(self.reports) > count, timeout)
        return self.reports[-1] if len(self.reports) > count else None


@pytest.fixture(scope='module')
def pair():
    node, client = start({
        'robot_description': urdf(), 'joint_state_timeout_s': 0.5,
        'vetting.tolerance_rad': 0.02, 'vetting.latency_s': 0.1}, shared=True)
    robot = Robot(client)
    yield robot
    finish(node, client)


@pytest.fixture
def robot(pair):
    """At rest at the start, with the ball in its place and nothing running."""
    answer = pair.client.apply(is_diff=False, name='world', obstacles=[ball()])
    assert answer.success
    pair.client.spin(0.1)
    pair.at([0.0, 0.0])
    del pair.reports[:], pair.vetted[:], pair.raw[:]
    return pair


def test_free_is_forwarded_byte_for_byte(robot):
    message = trajectory([(0.0, 0.0), (0.3, -0.2)], times=[0.0, 0.1])
    message.points[1].effort = [1.0, 2.0]
    message.header.frame_id = 'whatever'
    count = len(robot.reports)
    robot.at([0.0, 0.0])
    robot.commands.publish(message)
    report = robot.wait_report(count)
    assert report.verdict == FREE and report.forwarded, report.message
    assert report.source == TrajectoryReport.SOURCE_VETTING and report.state == 'forwarded'
    assert report.tolerance_rad == pytest.approx(0.02)
    assert robot.client.spin_until(lambda: robot.vetted and robot.raw, 5.0)
    assert robot.vetted[-1] == message
    # Bytes that only fill up to the next alignment may hold anything; all others are the same.
    assert robot.client.spin_until(lambda: robot.given, 5.0)
    assert len(robot.raw[-1]) == len(robot.given[-1])
    assert deserialize_message(robot.raw[-1], JointTrajectory) == message


def test_collision_is_not_forwarded_and_says_why(robot):
    report = robot.send([(0.0, 0.0), (math.pi / 2, 0.0)])
    assert report.verdict != FREE and not report.forwarded and report.state == 'refused'
    assert 'ball' in report.message
    robot.client.spin(0.2)
    assert not robot.vetted


def test_robot_outside_the_start_tube_is_not_moved(robot):
    robot.at([0.0, 0.05])
    report = robot.send([(0.0, 0.0), (0.5, 0.0)])
    assert report.verdict == INVALID and not report.forwarded
    robot.at([0.0, 0.01])
    assert robot.send([(0.0, 0.0), (0.2, 0.0)], times=[0.0, 0.1]).forwarded
    robot.client.spin(0.3)


def test_unknown_state_is_not_moved(robot):
    robot.client.spin(0.7)     # the last joint state grows stale
    report = robot.send([(0.0, 0.0), (0.5, 0.0)])
    assert not report.forwarded and not robot.vetted


def test_lead_in_starts_where_the_robot_is(robot):
    robot.at([0.9, 0.0])
    report = robot.send([(2.2, 0.0), (2.3, 0.0)], times=[1.0, 2.0])
    assert not report.forwarded, 'the way to the first point leads through the ball'
    robot.at([0.0, 0.0])
    report = robot.send([(0.1, 0.0), (0.2, 0.0)], times=[0.1, 0.2])
    assert report.forwarded and report.lead_in_segments == 1
    robot.client.spin(0.4)


def test_a_bare_path_is_not_a_command(robot):
    report = robot.send([(0.0, 0.0), (0.5, 0.0)], times=[0.0, 0.0])
    assert report.verdict == INVALID and not report.forwarded


def test_new_obstacle_in_the_rest_of_the_way_revokes(robot):
    assert robot.send([(0.0, 0.0), (1.0, 0.0)], times=[0.0, 3.0]).forwarded
    robot.at([0.0, 0.0])
    # Beside the way: kept.
    count = len(robot.reports)
    assert robot.client.apply(obstacles=[ball('beside', at=(-3.0, 0.0, 0.0))]).success
    kept = robot.wait_report(count)
    assert kept.source == TrajectoryReport.SOURCE_RECHECK
    assert kept.verdict == FREE and not kept.revoked and kept.state == 'running'
    # In the way: revoked at once.
    count, before = len(robot.reports), time.monotonic()
    assert robot.client.apply(obstacles=[ball('in_the_way', at=(1.5, 1.0, 0.0))]).success
    revoked = robot.wait_report(count)
    assert revoked.revoked and revoked.verdict != FREE and revoked.state == 'revoked'
    assert 'in_the_way' in revoked.message
    assert time.monotonic() - before < 1.0
    count = len(robot.reports)
    assert robot.client.apply(
        obstacles=[Obstacle(id='in_the_way', operation=Obstacle.REMOVE)]).success
    assert robot.wait_report(count, 0.3) is None, 'revoked is final'


def test_obstacle_behind_the_robot_does_not_revoke(robot):
    assert robot.send([(0.0, 0.0), (1.2, 0.0)], times=[0.0, 1.2]).forwarded
    begin = time.monotonic()
    while time.monotonic() - begin < 0.9:
        robot.at([time.monotonic() - begin, 0.0])
    count = len(robot.reports)
    answer = robot.client.apply(obstacles=[ball('behind', at=(1.8, 0.0, 0.0), radius=0.1)])
    assert answer.success
    report = robot.wait_report(count)
    assert report.verdict == FREE and not report.revoked, report.message
    while time.monotonic() - begin < 1.5:
        robot.at([min(time.monotonic() - begin, 1.2), 0.0])


def test_leaving_the_tube_revokes(robot):
    assert robot.send([(0.0, 0.0), (1.0, 0.0)], times=[0.0, 2.0]).forwarded
    begin, count = time.monotonic(), len(robot.reports)
    while time.monotonic() - begin < 0.5:
        robot.at([(time.monotonic() - begin) / 2.0, 0.0])
    assert len(robot.reports) == count, 'on its way: nothing to say'
    robot.at([(time.monotonic() - begin) / 2.0, 0.1])
    report = robot.wait_report(count)
    assert report.revoked and 'tube' in report.message


def test_joint_states_that_stop_revoke(robot):
    assert robot.send([(0.0, 0.0), (0.005, 0.0)], times=[0.0, 3.0]).forwarded
    count = len(robot.reports)
    report = robot.wait_report(count, 3.0)
    assert report is not None and report.revoked and 'joint state' in report.message


def test_a_new_trajectory_takes_over_and_must_name_what_moves(robot):
    assert robot.send([(0.0, 0.0), (1.0, 0.0)], times=[0.0, 3.0]).forwarded
    robot.at([0.0, 0.0])
    report = robot.send([(0.0,), (0.5,)], names=['elbow'])
    assert not report.forwarded and 'shoulder' in report.message
    robot.at([0.01, 0.0])
    assert robot.send([(0.01, 0.0), (-0.2, 0.0)], times=[0.0, 0.2]).forwarded
    robot.client.spin(0.5)


def test_reports_are_latched(robot):
    robot.send([(0.0, 0.0), (math.pi / 2, 0.0)])
    late = robot.client.subscribe(TrajectoryReport, '~/report', LATCHED)
    assert robot.client.spin_until(lambda: late, 5.0)
