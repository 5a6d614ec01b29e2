# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Garbage of every kind: refused by name, and the next good request is answered correctly."""

import math
import os
import struct
import subprocess

import pytest
from builtin_interfaces.msg import Duration, Time
from node_fixture import (
    DOMAIN, INSTALL, INVALID, LATCHED, ball, fresh, joint_state, trajectory, world)  # noqa: F401
from rclpy.qos import qos_profile_sensor_data
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory
from vouch.msg import Scene, TrajectoryReport
from vouch.srv import CheckTrajectory, VerifyCertificate

SWING = [(0.0, 0.0), (1.0, 0.0)]
NAN, INF = math.nan, math.inf
MEGABYTE = 'x' * 1_000_000


def broken_trajectories():
    def changed(change):
        message = trajectory(SWING)
        change(message)
        return message
    one = changed

    yield 'no points', one(lambda m: m.points.clear())
    yield 'no joints', one(lambda m: setattr(m, 'joint_names', []))
    yield 'wrong joint', trajectory(SWING, names=['shoulder', 'wrist'])
    yield 'joint twice', trajectory(SWING, names=['shoulder', 'shoulder'])
    yield 'long name', trajectory(SWING, names=['shoulder', MEGABYTE])
    yield 'too few', one(lambda m: setattr(m.points[1], 'positions', [1.0]))
    yield 'too many', one(lambda m: setattr(m.points[1], 'positions', [1.0] * 5000))
    yield 'velocities', one(lambda m: setattr(m.points[1], 'velocities', [1.0]))
    yield 'accelerations', one(lambda m: setattr(m.points[0], 'accelerations', [0.0] * 3))
    yield 'accelerations alone', one(lambda m: [
        setattr(p, 'accelerations', [0.0, 0.0]) for p in m.points])
    yield 'backwards', trajectory(SWING, times=[1.0, 0.5])
    yield 'same time', trajectory(SWING + SWING, times=[0.0, 1.0, 1.0, 2.0])
    yield 'negative time', one(
        lambda m: setattr(m.points[0], 'time_from_start', Duration(sec=-5)))
    yield 'past stamp', one(lambda m: setattr(m.header, 'stamp', Time(sec=5)))
    for number in (NAN, INF, -INF, 1e300):
        yield f'{number}', trajectory([(0.0, 0.0), (number, 0.0)])
        yield f'{number} everywhere', trajectory(
            [(number, number)] * 3, velocities=[(number, number)] * 3)


@pytest.mark.parametrize(
    'message', [m for _, m in broken_trajectories()], ids=[n for n, _ in broken_trajectories()])
def test_broken_trajectories(fresh, message):
    report = fresh.check(request=CheckTrajectory.Request(trajectory=message)).report
    assert report.verdict == INVALID and report.message
    assert len(report.message) < 2000
    assert fresh.is_healthy()


@pytest.mark.parametrize('fields', [
    {'margin_m': NAN}, {'margin_m': -1.0}, {'margin_m': INF}, {'tolerance_rad': NAN},
    {'tolerance_rad': -0.1}, {'tolerance_m': INF}, {'deadline_s': NAN}, {'deadline_s': -1.0},
    {'motion_model': 9}, {'method': 9}, {'tolerance_joints': ['shoulder']},
    {'tolerance_joints': ['nobody'], 'tolerances': [0.1]},
    {'tolerance_joints': ['shoulder'], 'tolerances': [-1.0]},
    {'tolerance_joints': ['shoulder'], 'tolerances': [NAN]},
    {'tolerance_joints': ['shoulder', 'elbow', 'shoulder'], 'tolerances': [0.1, 0.1, 0.0]},
    {'start_state': joint_state([NAN, 0.0])}, {'start_state': joint_state([0.0])},
    {'start_state': joint_state([0.0], ['nobody'])},
    {'start_state': joint_state([0.0, 0.0], velocities=[INF, 0.0])},
    {'scene': Scene(is_diff=True, obstacles=[ball(MEGABYTE, radius=-1.0)])},
], ids=str)
def test_broken_numbers(fresh, fields):
    report = fresh.check(SWING, **fields).report
    assert report.verdict == INVALID and report.message
    assert fresh.is_healthy()


def test_long_id_comes_back_whole(fresh):
    assert fresh.check(SWING, id=MEGABYTE).report.id == MEGABYTE


def test_ten_thousand_points_are_fine(fresh):
    points = [(0.5 * math.sin(i / 50), 0.5 * math.cos(i / 70)) for i in range(10_000)]
    report = fresh.check(points).report
    assert report.segments == 9_999
    assert report.verdict in (TrajectoryReport.FREE, TrajectoryReport.UNDECIDED)


def test_a_million_points_on_the_topic(fresh):
    """24 MB of empty points, made as bytes: rclpy is too slow for them."""
    count = 1_000_000
    # CDR, little endian: stamp, frame_id "", no joints; each point: four empty lists and a time.
    head = b'\0\1\0\0' + struct.pack('<iI', 0, 0) + struct.pack('<I4x', 1) + struct.pack('<I', 0)
    message = head + struct.pack('<I', count) + bytes(24) * count
    reports = fresh.subscribe(TrajectoryReport, '~/report', 10)
    publisher = fresh.publisher(JointTrajectory, '~/joint_trajectory')
    fresh.spin(0.3)
    del reports[:]
    publisher.publish(message)
    assert fresh.spin_until(lambda: reports, 30.0)
    assert reports[-1].verdict == INVALID
    assert fresh.is_healthy()


def test_a_million_points_through_the_service(fresh):
    client = INSTALL / 'lib' / 'vouch' / 'example_check_client'
    result = subprocess.run(
        [str(client), '--points', '1000000', 'shoulder=0:1', 'elbow=0:0'], capture_output=True,
        text=True, timeout=100, env=dict(os.environ, ROS_DOMAIN_ID=str(DOMAIN)))
    assert result.returncode == 3 and 'max_points' in result.stdout, result
    assert fresh.is_healthy()


def test_garbage_on_topics(fresh):
    states = fresh.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    scene = fresh.publisher(Scene, '~/scene')
    urdf = fresh.publisher(String, '/robot_description', LATCHED)
    command = fresh.publisher(JointTrajectory, '~/joint_trajectory')
    for state in (
            joint_state([NAN, INF]), joint_state([1.0]), joint_state([], []),
            joint_state([1.0] * 1000, [MEGABYTE[:100]] * 1000),
            joint_state([0.0, 0.0], stamp=4e9 - 2e9)):
        states.publish(state)
    scene.publish(Scene(is_diff=True, obstacles=[ball(frame=MEGABYTE)]))
    scene.publish(Scene(is_diff=True, name=MEGABYTE))
    urdf.publish(String(data=MEGABYTE))
    command.publish(JointTrajectory())
    command.publish(trajectory([(NAN, NAN), (NAN, NAN)]))
    fresh.spin(1.0)
    assert fresh.is_healthy()


def test_garbage_certificates(fresh):
    answer = fresh.check(SWING, want_certificate=True)
    problem, certificate = bytes(answer.problem), bytes(answer.certificate)
    for p, c in (
            (b'', b''), (b'x' * 1_000_000, b'x'), (problem, certificate[:-1]),
            (problem[:-1], certificate), (certificate, problem), (problem, certificate + b'x')):
        result = fresh.call(
            fresh.verify_client, VerifyCertificate.Request(problem=p, certificate=c))
        assert not result.verified and result.message
    assert fresh.is_healthy()


def test_wrong_bytes_in_a_message(fresh):
    publisher = fresh.publisher(JointTrajectory, '~/joint_trajectory')
    good = serialize_message(trajectory(SWING))
    for message in (good[:20], good[:4] + b'\xff' * 40, good[:-3], good[:4]):
        publisher.publish(message)
    fresh.spin(0.5)
    assert fresh.is_healthy()
