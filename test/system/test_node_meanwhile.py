# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""What happens while a trajectory is checked counts before it is forwarded."""

import time

from live_fixture import (  # noqa: F401
    Robot, busy_robot, long_way, pair, parameter_call, robot)
from node_fixture import (
    COLLISION, LATCHED, ball, balls, finish, keep_busy, start, trajectory, urdf)
import pytest
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String
from vouch.msg import Scene, TrajectoryReport
from vouch.srv import ApplyScene


def test_a_scene_that_waits_counts(robot):
    """Many changes and then a command, all while the node is busy: the last change is obeyed."""
    scenes = robot.client.publisher(Scene, '~/scene', 100)
    busy = keep_busy(robot.client, 0.7)
    for number in range(20):
        scenes.publish(Scene(is_diff=True, obstacles=[ball('far', at=(-4.0 - number, 0.0, 0.0))]))
    scenes.publish(Scene(is_diff=True, obstacles=[ball('in_the_way', at=(1.5, 0.7, 0.0))]))
    time.sleep(0.1)
    robot.commands.publish(trajectory([(0.0, 0.0), (0.6, 0.0)], times=[0.0, 12.0]))
    assert robot.client.spin_until(lambda: len(robot.reports) >= 2 and busy.done(), 10.0)
    decision, = [r for r in robot.reports if r.source == TrajectoryReport.SOURCE_VETTING]
    assert decision.verdict == COLLISION and not decision.forwarded, decision.message
    robot.client.spin(0.2)
    assert not robot.vetted


def test_a_scene_that_comes_during_the_check_counts(busy_robot):
    scenes = busy_robot.client.publisher(Scene, '~/scene', 100)
    busy_robot.commands.publish(long_way(0.0))
    time.sleep(0.05)
    scenes.publish(Scene(is_diff=True, obstacles=[ball('in_the_way', at=(1.5, 0.7, 0.0))]))
    decision = busy_robot.wait_report(0)
    assert decision.verdict == COLLISION and not decision.forwarded, decision.message
    busy_robot.client.spin(0.2)
    assert not busy_robot.vetted


def test_a_robot_description_that_comes_during_the_check_counts():
    node, client = start({'vetting.tolerance_rad': 0.02}, namespace='/swapped')
    texts = client.node.create_publisher(String, '/swapped/robot_description', LATCHED)
    texts.publish(String(data=urdf('first')))
    scene = {'is_diff': False, 'name': 'ceiling', 'obstacles': balls(0.25)}
    assert client.spin_until(lambda: client.apply(**scene).success, 10.0)
    robot = Robot(client, '/swapped')
    try:
        robot.velocities = (0.0, 0.0)
        robot.at([0.0, 0.0])
        # A command that is late itself is checked for the new robot: then once more.
        for name, length in (('second', 1.001), ('third', 1.002), ('second', 1.001)):
            before = len(robot.reports)
            robot.commands.publish(long_way(0.0))
            time.sleep(0.05)
            texts.publish(String(data=urdf(name, length)))
            decision = robot.wait_report(before)
            if decision.robot_name != name:
                break
            client.spin(0.3)
        assert not decision.forwarded and 'robot description' in decision.message, decision
        vetted = len(robot.vetted)
        client.spin(0.2)
        assert len(robot.vetted) == vetted and len(robot.reports) == before + 1
        # It is the robot from now on.
        fresh = robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1])
        assert fresh.robot_name == name and fresh.forwarded, fresh.message
    finally:
        robot.end()
    finish(node, client)


@pytest.mark.parametrize('name, content, before', [
    ('robot_description', urdf('another', 1.001), urdf()),
    ('margin_m', 0.5, 0.0),
    ('default_padding_m', 0.5, 0.0),
    ('vetting.tolerance_rad', 1.0, 0.02),
    ('joint_tolerances', ['elbow=1.0'], ['']),
    ('vetting.enabled', False, True),
])
def test_a_parameter_that_is_set_during_the_check_counts(busy_robot, name, content, before):
    """Whoever sets it is answered before anything is forwarded, and it holds for that."""
    call = parameter_call(busy_robot, name, content)
    try:
        busy_robot.commands.publish(long_way(0.0))
        time.sleep(0.05)
        answer = call()
        decision = busy_robot.wait_report(0)
        assert busy_robot.client.spin_until(answer.done, 5.0)
        assert answer.result().results[0].successful
        if name == 'robot_description':
            assert decision.robot_name == 'another', decision.message
            assert not any(r.revoked for r in busy_robot.reports)
        else:
            assert not decision.forwarded, decision.message
            busy_robot.client.spin(0.2)
            assert not busy_robot.vetted
    finally:
        busy_robot.client.spin_until(parameter_call(busy_robot, name, before)().done, 5.0)


def test_a_scene_that_is_applied_during_the_check_counts(busy_robot):
    busy_robot.commands.publish(long_way(0.0))
    time.sleep(0.05)
    answer = busy_robot.client.apply_client.call_async(ApplyScene.Request(scene=Scene(
        is_diff=True, obstacles=[ball('in_the_way', at=(1.5, 0.7, 0.0))])))
    decision = busy_robot.wait_report(0)
    assert decision.verdict == COLLISION and not decision.forwarded, decision.message
    assert busy_robot.client.spin_until(answer.done, 5.0) and answer.result().success


def test_a_robot_that_speeds_up_during_the_check_is_not_moved(busy_robot):
    """Still inside the tube of the start, but its way to the first point would leave it."""
    for velocities, forwarded in (((-0.1, 0.0), False), ((0.0, 0.0), True)):
        del busy_robot.reports[:]
        busy_robot.velocities = (0.0, 0.0)
        busy_robot.at([0.0, 0.0])
        busy_robot.commands.publish(long_way(2.0))
        time.sleep(0.05)
        busy_robot.velocities = velocities
        decision = busy_robot.wait_report(0)
        assert decision.forwarded == forwarded, decision.message
        assert forwarded or 'on its way to the first point' in decision.message


def test_a_stamp_that_passes_during_the_check_is_not_forwarded(busy_robot):
    command = long_way(0.0)
    soon = time.time() + 0.08
    command.header.stamp.sec, command.header.stamp.nanosec = int(soon), int(soon % 1.0 * 1e9)
    busy_robot.commands.publish(command)
    decision = busy_robot.wait_report(0)
    assert not decision.forwarded and 'stamp' in decision.message


def test_a_state_that_grows_old_during_the_check_is_no_start(busy_robot):
    busy_robot.velocities = (0.0, 0.3)
    busy_robot.at([0.0, 0.0])
    busy_robot.commands.publish(long_way(0.0))
    busy_robot.age = 0.4       # which is not too old in itself
    decision = busy_robot.wait_report(0)
    assert not decision.forwarded and "'elbow'" in decision.message
    assert ' old' in decision.message, decision.message


def test_a_command_without_a_stamp_does_not_wait_for_ever(robot):
    """Whoever sent it meant then; with a stamp it says itself when it is too late."""
    assert not keep_busy(robot.client, 1.5).done()
    del robot.reports[:]
    robot.commands.publish(trajectory([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1]))
    assert robot.client.spin_until(lambda: len(robot.reports) == 2, 5.0)
    late, = [r for r in robot.reports if r.source == TrajectoryReport.SOURCE_VETTING]
    assert not late.forwarded and 'has waited' in late.message, late.message
    assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1]).forwarded


def lonely(namespace, **parameters):
    """A node and a robot of a test's own."""
    node, client = start(
        {'robot_description': urdf(), 'vetting.tolerance_rad': 0.02, **parameters},
        namespace=namespace)
    assert client.apply(is_diff=False, name='ceiling', obstacles=balls(0.25)).success
    return node, Robot(client, namespace)


def test_what_is_proved_after_the_node_was_stopped_is_not_forwarded():
    """Nobody would watch it."""
    node, robot = lonely('/stopped')
    try:
        robot.velocities = (0.0, 0.0)
        robot.at([0.0, 0.0])
        robot.commands.publish(long_way(0.0))
        time.sleep(0.06)
        assert node.stop() == 0
        robot.client.spin(0.5)
        assert not robot.vetted, node.output()
    finally:
        robot.end()
    finish(node, robot.client)


def test_a_node_that_ends_revokes_what_runs():
    node, robot = lonely('/ending')
    try:
        robot.at([0.0, 0.0])
        assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 10.0]).forwarded
        assert node.stop() == 0
        report = robot.wait_report(1)
        assert report.revoked and 'nobody watches' in report.message
    finally:
        robot.end()
    finish(node, robot.client)


class SimulatedTime:
    """Publishes /clock."""

    def __init__(self, client):
        self.client = client
        self.clocks = client.publisher(Clock, '/clock')

    def set(self, seconds):
        message = Clock()
        message.clock.sec, message.clock.nanosec = int(seconds), int(seconds % 1.0 * 1e9)
        for _ in range(3):      # best effort: one may be lost
            self.clocks.publish(message)
            self.client.spin(0.05)


@pytest.mark.parametrize('jump', [1000.0, 12.0])
def test_a_clock_that_jumps_does_not_end_what_runs(jump):
    """The robot is not where it should have arrived by now: it has not ended as proved."""
    node, robot = lonely('/jumping', use_sim_time=True)
    try:
        clock = SimulatedTime(robot.client)
        clock.set(100.0)
        robot.at([0.0, 0.0])
        report = robot.send([(0.0, 0.0), (0.9, 0.0)], times=[0.0, 10.0])
        assert report.forwarded, report.message
        clock.set(100.0 + jump)
        report = robot.wait_report(1)
        assert report is not None and report.revoked, 'outside, or its joint states are old'
    finally:
        robot.end()
    finish(node, robot.client)


def test_without_a_time_no_joint_state_is_new():
    """Simulated time that has not begun, or never will: nothing ever grows old."""
    node, robot = lonely('/timeless', use_sim_time=True)
    try:
        robot.at([0.0, 0.0])
        report = robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1])
        assert not report.forwarded and '/clock' in report.message, report.message
        SimulatedTime(robot.client).set(100.0)
        robot.at([0.0, 0.0])
        assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1]).forwarded
    finally:
        robot.end()
    finish(node, robot.client)
