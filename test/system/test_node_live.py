# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Live vetting: only what is proved free goes on, and what went on is watched."""

import json
import math
import struct
import time

from live_fixture import Robot, pair, robot, set_parameter  # noqa: F401
from node_fixture import (
    COLLISION, FREE, INVALID, LATCHED, ball, finish, start, trajectory, urdf)
import pytest
from vouch.msg import Obstacle, Scene, TrajectoryReport


class Bytes:
    """A serialized JointTrajectory (CDR, little endian), read from front to back."""

    def __init__(self, data):
        self.data, self.at, self.meant = bytes(data), 4, []

    def take(self, size, align=1):
        """Bytes with a meaning; those that only fill up to the next alignment have none."""
        self.at += -(self.at - 4) % align
        self.meant.append(self.data[self.at:self.at + size])
        self.at += size
        return self.meant[-1]

    def count(self):
        return struct.unpack('<I', self.take(4, 4))[0]

    def all_that_is_meant(self):
        self.take(8, 4)                                # stamp
        self.take(self.count())                        # frame_id
        for _ in range(self.count()):
            self.take(self.count())                    # a joint's name
        for _ in range(self.count()):                  # points: four lists and a time
            for _ in range(4):
                number = self.count()
                if number:
                    self.take(8 * number, 8)
            self.take(8, 4)
        assert self.at == len(self.data)
        return self.data[:4] + b''.join(self.meant)


def identity(report):
    """What every report says about what was checked."""
    assert any(report.robot_hash) and any(report.scene_hash) and report.library_version == '0.1.0'
    assert report.scene_revision > 0 and report.header.stamp.sec > 0
    assert report.robot_name == 'two_link' and report.header.frame_id == 'base'
    return bytes(report.robot_hash), bytes(report.scene_hash), report.scene_revision


def stamp(report):
    return report.header.stamp.sec + 1e-9 * report.header.stamp.nanosec


def test_free_is_forwarded_byte_for_byte(robot):
    message = trajectory([(0.0, 0.0), (0.01, -0.01)], times=[0.0, 0.1])
    message.points[1].effort = [1.0, 2.0]
    message.header.frame_id = 'whatever'
    robot.commands.publish(message)
    report = robot.wait_report(0)
    assert report.verdict == FREE and report.forwarded, report.message
    assert report.source == TrajectoryReport.SOURCE_VETTING and report.state == 'forwarded'
    assert report.tolerance_rad == pytest.approx(0.02)
    assert robot.client.spin_until(lambda: robot.vetted and robot.raw and robot.given, 5.0)
    assert robot.vetted[-1] == message
    assert len(robot.raw[-1]) == len(robot.given[-1])
    meant = Bytes(robot.given[-1]).all_that_is_meant()
    assert len(meant) > 100 and Bytes(robot.raw[-1]).all_that_is_meant() == meant
    identity(report)
    assert any(report.problem_hash) and report.free_until_s == pytest.approx(0.1)


def test_collision_is_not_forwarded_and_says_why(robot):
    report = robot.send([(0.0, 0.0), (math.pi / 2, 0.0)])
    assert report.verdict != FREE and not report.forwarded and report.state == 'refused'
    assert 'upper' in report.message or 'lower' in report.message
    robot.client.spin(0.2)
    assert not robot.vetted


def test_robot_outside_the_start_tube_is_not_moved(robot):
    robot.at([0.0, 0.05])
    report = robot.send([(0.0, 0.0), (0.5, 0.0)])
    assert report.verdict == INVALID and not report.forwarded
    robot.at([0.0, 0.01])
    assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1]).forwarded


def test_unknown_state_is_not_moved(robot):
    robot.at(None)
    robot.client.spin(1.0)     # the last joint state grows stale
    report = robot.send([(0.0, 0.0), (0.5, 0.0)])
    assert not report.forwarded and not robot.vetted


def test_lead_in_starts_where_the_robot_is(robot):
    robot.at([0.9, 0.0])
    report = robot.send([(2.2, 0.0), (2.3, 0.0)], times=[1.0, 2.0])
    assert not report.forwarded, 'the way to the first point leads through the ball'
    robot.at([0.0, 0.0])
    report = robot.send([(0.01, 0.0), (0.02, 0.0)], times=[0.1, 0.2])
    assert report.forwarded and report.lead_in_segments == 1


@pytest.mark.parametrize('age', [0.01, 3600.0])
def test_a_stamp_in_the_past_is_not_forwarded(robot, age):
    command = trajectory([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1])
    past = time.time() - age
    command.header.stamp.sec, command.header.stamp.nanosec = int(past), int(past % 1.0 * 1e9)
    robot.commands.publish(command)
    decision = robot.wait_report(0)
    assert not decision.forwarded and 'in the past' in decision.message


def test_the_measured_velocity_enters_the_lead_in(robot):
    """At rest it goes straight to 0.9 rad; with 0.2 rad/s it first swings into the ball."""
    command = trajectory([(0.9, 0.0), (0.9, 0.0)], times=[20.0, 20.1], velocities=[(0.0, 0.0)] * 2)
    robot.velocities = (0.2, 0.0)
    robot.at([0.8, 0.0])
    robot.commands.publish(command)
    moving = robot.wait_report(0)
    assert moving.verdict == COLLISION and not moving.forwarded
    robot.velocities = (0.0, 0.0)
    robot.at([0.8, 0.0])
    robot.commands.publish(command)
    assert robot.wait_report(1).forwarded


def test_what_moves_with_an_unknown_velocity_gets_no_lead_in(robot):
    """The controller begins with a velocity that joint_states do not tell."""
    robot.velocities = (0.0, 0.0)
    robot.at([0.0, 0.0])
    assert robot.send([(0.0, 0.0), (0.1, 0.0)], times=[0.0, 10.0]).forwarded
    robot.velocities = ()
    robot.at([0.0, 0.0])
    report = robot.send([(0.1, 0.0)], times=[2.0], velocities=[(0.0, 0.0)])
    assert not report.forwarded and 'how fast' in report.message
    robot.velocities = (0.0, 0.0)
    robot.at([0.0, 0.0])
    assert robot.send([(0.1, 0.0)], times=[2.0], velocities=[(0.0, 0.0)]).forwarded


def test_a_joint_that_moves_must_be_named(robot):
    robot.velocities = (0.0, 0.1)
    robot.at([0.0, 0.0])
    report = robot.send([(0.0,), (0.01,)], names=['shoulder'], times=[0.0, 0.1])
    assert not report.forwarded and 'elbow' in report.message
    robot.velocities = (0.1, 0.01)      # slower than the tolerance in the latency
    robot.at([0.0, 0.0])
    assert robot.send([(0.0,), (0.01,)], names=['shoulder'], times=[0.0, 0.1]).forwarded


def test_a_state_that_is_old_for_its_velocity_is_no_start(robot):
    """0.1 rad/s and 0.3 s: the joint may be 0.03 rad further by now, and 0.02 are proved."""
    for speed, age, known in ((0.1, 0.3, False), (0.1, 0.05, True), (0.0, 0.3, True)):
        for times in ([0.0, 0.1], [0.5, 0.6]):       # without a way to the first point, and with one
            robot.velocities, robot.age = (0.0, -speed), age
            robot.at([0.0, 0.0])
            robot.client.spin(0.3)                   # states that came before are older by now
            report = robot.send([(0.0, 0.0), (0.01, 0.0)], times=times)
            assert report.forwarded == known, report.message
            answer = robot.client.check([(0.0, 0.0), (0.01, 0.0)], times=times, tolerance_rad=0.02)
            assert answer.report.verdict == (FREE if known else INVALID), answer.report.message
            for message in () if known else (report.message, answer.report.message):
                assert "'elbow'" in message and '-0.1' in message and '0.3' in message
            later = robot.client.check([(0.0, 0.0), (0.01, 0.0)], start_anywhere=True).report
            assert later.verdict == FREE, 'which has nothing to do with where the robot is'


def test_a_state_that_is_old_for_what_runs_is_no_start(robot):
    """Nobody tells a velocity, but what was forwarded moves the joint by 0.03 rad in 0.2 s."""
    assert robot.send([(0.0, 0.0), (0.9, 0.0)], times=[0.0, 6.0]).forwarded
    robot.follow(0.15)
    for age, known in ((0.2, False), (0.02, True)):
        robot.age = age
        robot.client.spin(0.4)
        report = robot.send([(0.8, 0.0)], times=[3.0])
        assert report.forwarded == known, report.message
        assert known or ("'shoulder'" in report.message and 'how fast' in report.message)


def test_a_joint_that_is_seen_to_move_must_be_named(robot):
    """Nobody tells its velocity, but its positions do."""
    assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1]).forwarded
    robot.client.spin(0.6)      # it ended, and so did whatever ran before
    begin = time.monotonic()
    robot.pose = lambda: [0.0, 0.15 * (time.monotonic() - begin)]
    robot.client.spin(0.3)
    report = robot.send([(0.0,), (0.01,)], names=['shoulder'], times=[0.0, 0.1])
    assert not report.forwarded and "'elbow' moves with 0.1" in report.message, report.message
    robot.at([0.0, 0.0])
    robot.client.spin(0.2)
    report = robot.send([(0.0,), (0.01,)], names=['shoulder'], times=[0.0, 0.1])
    assert report.forwarded, report.message


def test_a_bare_path_is_not_a_command(robot):
    report = robot.send([(0.0, 0.0), (0.5, 0.0)], times=[0.0, 0.0])
    assert report.verdict == INVALID and not report.forwarded


def test_new_obstacle_in_the_rest_of_the_way_revokes(robot):
    assert robot.send([(0.0, 0.0), (0.6, 0.0)], times=[0.0, 12.0]).forwarded
    robot.follow(0.05)
    # Beside the way: kept.
    assert robot.client.apply(obstacles=[ball('beside', at=(-3.0, 0.0, 0.0))]).success
    kept = robot.wait_report(1)
    assert kept.source == TrajectoryReport.SOURCE_RECHECK, kept.message
    assert kept.verdict == FREE and not kept.revoked and kept.state in ('forwarded', 'running')
    # In the way: revoked within one check time (half a second is the machine's).
    before = time.time()
    assert robot.client.apply(obstacles=[ball('in_the_way', at=(1.5, 0.7, 0.0))]).success
    revoked = robot.wait_report(2)
    assert revoked.revoked and revoked.verdict != FREE and revoked.state == 'revoked'
    assert 0.0 < revoked.free_until_s < 12.0
    assert stamp(revoked) - before < revoked.seconds + 0.5
    assert identity(revoked)[0] == identity(kept)[0] and identity(revoked)[1] != identity(kept)[1]
    assert identity(revoked)[2] > identity(kept)[2] and any(revoked.problem_hash)
    assert robot.client.apply(
        obstacles=[Obstacle(id='in_the_way', operation=Obstacle.REMOVE)]).success
    assert robot.wait_report(3, 0.3) is None, 'revoked is final'


def scene_file(tmp_path, **content):
    file = tmp_path / 'scene.json'
    file.write_text(json.dumps(content))
    return str(file)


def seen_from_the_arm():
    return {'id': 'seen', 'header': {'frame_id': 'upper'},
            'pose': {'position': [1.5, 0.9, 0.0], 'orientation': [0, 0, 0, 1]},
            'primitives': [{'type': 'sphere', 'dimensions': [0.2]}]}


def test_an_obstacle_of_a_file_stays_where_the_link_was(robot, tmp_path):
    """Given in a link's frame: it stands still once it is loaded."""
    set_parameter(robot, 'scene_file', scene_file(
        tmp_path, world={'collision_objects': [seen_from_the_arm()]}))
    seen, = robot.client.scene().scene.obstacles
    assert seen.header.frame_id == '' and seen.pose.position.y == pytest.approx(0.9, abs=1e-3)
    assert robot.send([(0.0, 0.0), (0.25, 0.0)], times=[0.0, 2.5]).forwarded
    robot.follow(0.1)
    robot.client.spin(1.0)
    assert robot.client.apply(obstacles=[ball('far', at=(-5.0, 0.0, 0.0))]).success
    assert robot.wait_report(1).verdict == FREE
    again, = [o for o in robot.client.scene().scene.obstacles if o.id == 'seen']
    assert again.pose == seen.pose


def test_an_obstacle_of_a_file_that_came_before_the_joints_stays_too(tmp_path):
    """Loaded before any joint state: it stands still once something runs."""
    node, client = start({
        'robot_description': urdf(), 'vetting.tolerance_rad': 0.02, 'scene_file': scene_file(
            tmp_path, world={'collision_objects': [seen_from_the_arm()]})}, namespace='/filed')
    assert client.scene().scene.obstacles[0].header.frame_id == 'upper'
    robot = Robot(client, '/filed')
    try:
        robot.at([0.0, 0.0])
        assert robot.send([(0.0, 0.0), (0.25, 0.0)], times=[0.0, 2.5]).forwarded
    finally:
        robot.end()
    seen, = client.scene().scene.obstacles
    assert seen.header.frame_id == '' and seen.pose.position.y == pytest.approx(0.9, abs=1e-3)
    finish(node, client)


def test_a_file_is_placed_where_the_joints_are_now(robot, tmp_path):
    """What it attaches, and sees from a link, hangs on the arm as it stands when the file is set."""
    robot.at([1.0, 0.0])
    held = dict(seen_from_the_arm(), id='held', header={'frame_id': 'base'},
                pose={'position': [2.0 * math.cos(1.0), 2.0 * math.sin(1.0), 0.0],
                      'orientation': [0, 0, 0, 1]})
    set_parameter(robot, 'scene_file', scene_file(
        tmp_path, world={'collision_objects': [seen_from_the_arm()]},
        robot_state={'is_diff': True, 'attached_collision_objects': [
            {'link_name': 'lower', 'object': held}]}))
    scene = robot.client.scene().scene
    at = scene.attached[0].object.pose.position
    assert (at.x, at.y) == pytest.approx((1.0, 0.0), abs=1e-6), 'at the tip, which is there now'
    seen, = [o.pose.position for o in scene.obstacles if o.id == 'seen']
    assert math.hypot(seen.x, seen.y) == pytest.approx(math.hypot(1.5, 0.9))
    assert math.atan2(seen.y, seen.x) == pytest.approx(1.0 + math.atan2(0.9, 1.5))


def answer_of(robot):
    report = robot.client.check([(0.0, 0.0), (0.3, 0.0)], start_anywhere=True).report
    return report.verdict, report.message


def test_what_is_refused_while_the_robot_moves_is_missed_by_name(robot):
    scenes = robot.client.publisher(Scene, '~/scene')
    far = {'at': (-5.0, 0.0, 0.0)}
    broken = ball('broken', radius=-1.0, **far)
    seen = ball('seen', at=(1.5, 0.9, 0.0), frame='upper')
    move = Obstacle(id='far', operation=Obstacle.MOVE, pose=seen.pose, header=seen.header)
    assert robot.client.apply(obstacles=[ball('far', **far), ball('other', **far)]).success

    def refuse(message):
        count = robot.node.output().count('scene refused')
        scenes.publish(message)
        assert robot.client.spin_until(
            lambda: robot.node.output().count('scene refused') > count, 5.0)
    robot.velocities, robot.age = (10.0, 0.0), 0.05     # half a radian further by now
    robot.follow(10.0)
    robot.client.spin(0.2)
    refuse(Scene(is_diff=True, obstacles=[broken]))
    assert answer_of(robot)[0] == FREE, 'which it was not taken for'
    refuse(Scene(is_diff=True, obstacles=[seen, ball('beside', **far)]))
    assert answer_of(robot)[0] == INVALID and "'seen'" in answer_of(robot)[1]
    refuse(Scene(is_diff=True, obstacles=[move]))
    assert len(robot.client.scene().scene.not_understood) == 3
    for change, left in (
            ({'obstacles': [ball('other', **far)]}, 3),
            ({'obstacles': [ball('seen', **far)]}, 2),
            ({'obstacles': [ball('beside', **far)]}, 1),
            ({'obstacles': [Obstacle(id='far', operation=Obstacle.MOVE)]}, 0)):
        assert answer_of(robot)[0] == INVALID and 'robot moved' in answer_of(robot)[1]
        assert robot.client.apply(**change).success
        assert len(robot.client.scene().scene.not_understood) == left
    assert answer_of(robot)[0] == COLLISION, "'far' stands at the shoulder now"
    # What is about more than obstacles is missed as a whole.
    refuse(Scene(is_diff=True, obstacles=[seen], padding_names=['upper'], paddings=[0.1]))
    assert robot.client.apply(obstacles=[ball('seen', **far), ball('far', **far)]).success
    assert answer_of(robot)[0] == INVALID and 'robot moved' in answer_of(robot)[1]


def test_obstacle_behind_the_robot_does_not_revoke(robot):
    assert robot.send([(0.0, 0.0), (1.2, 0.0)], times=[0.0, 2.4]).forwarded
    robot.follow(0.5)
    robot.client.spin(1.6)
    answer = robot.client.apply(obstacles=[ball('behind', at=(1.8, -0.1, 0.0), radius=0.1)])
    assert answer.success
    report = robot.wait_report(1)
    assert report.verdict == FREE and not report.revoked, report.message


def test_leaving_the_tube_revokes(robot):
    assert robot.send([(0.0, 0.0), (0.5, 0.0)], times=[0.0, 10.0]).forwarded
    robot.follow(0.05)
    robot.client.spin(0.7)
    assert len(robot.reports) == 1, 'on its way: nothing to say'
    before = time.time()
    robot.at([0.03, 0.1])
    report = robot.wait_report(1)
    assert report.revoked and 'tube' in report.message
    assert stamp(report) - before < 1.0, 'within one check time'


def test_joint_states_that_stop_revoke(robot):
    assert robot.send([(0.0, 0.0), (0.005, 0.0)], times=[0.0, 5.0]).forwarded
    robot.at(None)
    report = robot.wait_report(1)
    assert report is not None and report.revoked and 'joint state' in report.message


def test_a_new_trajectory_takes_over_and_must_name_what_moves(robot):
    assert robot.send([(0.0, 0.0), (0.1, 0.0)], times=[0.0, 10.0]).forwarded
    report = robot.send([(0.0,), (0.5,)], names=['elbow'])
    assert not report.forwarded and 'shoulder' in report.message
    assert robot.send([(0.0, 0.0), (-0.01, 0.0)], times=[0.0, 0.2]).forwarded


def test_what_was_revoked_may_still_move(robot):
    """Nobody says that the robot was stopped, unless a velocity does."""
    assert robot.send([(0.0, 0.0), (0.1, 0.0)], times=[0.0, 10.0]).forwarded
    robot.at([0.0, 0.2])
    assert robot.wait_report(1).revoked
    robot.at([0.0, 0.0])
    report = robot.send([(0.0,), (0.01,)], names=['elbow'], times=[0.0, 0.1])
    assert not report.forwarded and 'shoulder' in report.message
    robot.velocities = (0.3, 0.0)
    robot.at([0.0, 0.0])
    assert not robot.send([(0.0,), (0.01,)], names=['elbow'], times=[0.0, 0.1]).forwarded
    robot.velocities = (0.0, 0.0)
    robot.at([0.0, 0.0])
    report = robot.send([(0.0,), (0.01,)], names=['elbow'], times=[0.0, 0.1])
    assert report.forwarded, report.message


def test_a_new_robot_revokes(robot):
    assert robot.send([(0.0, 0.0), (0.1, 0.0)], times=[0.0, 10.0]).forwarded
    for text in (urdf('another'), urdf()):
        set_parameter(robot, 'robot_description', text)
    report = robot.wait_report(1)
    assert report.revoked and 'robot' in report.message


def test_what_runs_keeps_its_tolerance(robot):
    """The robot is watched within 0.02 rad, so the rest is proved for that, whatever is set since."""
    assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 8.0]).forwarded
    set_parameter(robot, 'vetting.tolerance_rad', 0.0001)
    try:
        # 20 mm beside the way, and the tip may be 60 mm off.
        assert robot.client.apply(obstacles=[ball('near', at=(1.9, 0.289, 0.0))]).success
        report = robot.wait_report(1)
        assert report.revoked and report.verdict != FREE, report.message
        assert report.tolerance_rad == 0.02, 'and the report says so'
        robot.at([0.0, 0.0])
        fresh = robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1])
        assert fresh.forwarded, 'a new one is proved for the new tolerance'
    finally:
        set_parameter(robot, 'vetting.tolerance_rad', 0.02)


def test_a_new_margin_is_demanded_of_what_runs(robot):
    assert robot.client.apply(obstacles=[ball('beside', at=(1.0, 0.6, 0.0))]).success
    assert robot.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 8.0]).forwarded
    set_parameter(robot, 'margin_m', 0.5)
    try:
        report = robot.wait_report(1)
        assert report.revoked and report.margin_m == 0.5
    finally:
        set_parameter(robot, 'margin_m', 0.0)


def test_reports_are_latched(robot):
    robot.send([(0.0, 0.0), (math.pi / 2, 0.0)])
    late = robot.client.subscribe(TrajectoryReport, '~/report', LATCHED)
    assert robot.client.spin_until(lambda: late, 5.0)
