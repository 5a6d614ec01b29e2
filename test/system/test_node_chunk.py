# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The chunk gate: short pieces, each with a proved stop after it; the stop is what runs without more."""

import math
import threading
import time

from gate_fixture import planned, seconds_of, spline
from node_fixture import (
    ball, BALL_ANGLE, finish, joint_state, start, trajectory, urdf)
import pytest
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
from vouch.msg import ChunkAnswer, TrajectoryReport


class Follower:
    """A controller on the topic: it executes the newest trajectory, and says where the robot is."""

    def __init__(self, client):
        self.client, self.plan, self.begin, self.at = client, None, None, [0.0, 0.0]
        self.begun, self.way = 0.0, []
        self.states = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
        client.node.create_subscription(
            JointTrajectory, client.topic('~/vetted/joint_trajectory'), self.on_plan, 10)
        self.answers = client.subscribe(ChunkAnswer, '~/chunk_answer', QoSProfile(depth=100))
        self.reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=100))
        self.chunks = client.publisher(JointTrajectory, '~/chunk')
        self.plans = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        client.spin(0.4)

    def on_plan(self, plan):
        """Splices as joint_trajectory_controller does: from its desired state to the first point."""
        now = time.time()
        at, soon = self.where(now), self.where(now + 1e-4)
        self.begin = JointTrajectoryPoint(
            positions=at, velocities=[(b - a) / 1e-4 for a, b in zip(at, soon)])
        self.plans.append(plan)
        self.begun, self.plan = now, plan

    def where(self, now):
        plan = self.plan
        if plan is None:
            return [0.0, 0.0]
        since = now - plan.header.stamp.sec - 1e-9 * plan.header.stamp.nanosec
        whole = seconds_of(plan.points[0].time_from_start) - self.begun + (now - since)
        if now - self.begun < whole:
            return [spline(self.begin, plan.points[0], j, now - self.begun, whole) for j in (0, 1)]
        return planned(plan, since)

    def run(self):
        while not self.ended.wait(0.005):
            before, self.at = self.at, self.where(time.time())
            velocity = [(a - b) / 0.005 for a, b in zip(self.at, before)]
            self.way.append((time.time(), self.at))
            self.states.publish(joint_state(self.at, velocities=[0.0, 0.0] if max(
                abs(v) for v in velocity) < 1e-9 else velocity, stamp=time.time()))

    def send(self, points, step=0.05, ahead=0.3, **options):
        """A chunk whose first point is meant in `ahead` seconds; the answer."""
        count = len(self.answers)
        message = trajectory(points, times=[step * i for i in range(len(points))], **options)
        begin = time.time() + ahead
        message.header.stamp.sec = int(begin)
        message.header.stamp.nanosec = int((begin % 1.0) * 1e9)
        self.chunks.publish(message)
        assert self.client.spin_until(lambda: len(self.answers) > count, 5.0), 'no answer'
        return self.answers[count]

    def close(self):
        self.ended.set()
        self.thread.join()


@pytest.fixture
def follower():
    node, client = start({
        'robot_description': urdf(), 'joint_state_timeout_s': 0.8, 'vetting.tolerance_rad': 0.02,
        'vetting.latency_s': 0.3, 'stream.lead_s': 0.15})
    assert client.apply(is_diff=False, name='world', obstacles=[ball()]).success
    follower = Follower(client)
    yield follower
    follower.close()
    finish(node, client)


def test_a_stream_goes_on_and_then_stops_as_proved(follower):
    """Ten overlapping chunks: one smooth way; then nothing more comes, and the stop runs."""
    begin = time.time()
    codes = []
    for i in range(10):
        now = time.time()
        points = [(0.4 * math.sin(1.5 * (now - begin + 0.3 + 0.05 * k)), 0.0) for k in range(8)]
        codes.append(follower.send(points).code)
        follower.client.spin(0.1)
    assert codes == [ChunkAnswer.ACCEPTED] * 10, [a.message for a in follower.answers]
    last = follower.answers[-1]
    stop = last.stop.sec + 1e-9 * last.stop.nanosec
    follower.client.spin(max(0.0, stop - time.time()) + 0.5)
    rest = follower.plans[-1].points[-1]
    assert list(rest.velocities) == [0.0, 0.0]
    assert follower.at == pytest.approx(list(rest.positions), abs=1e-9)
    # No jump of more than what 2 rad/s can do between two samples.
    for (t, a), (u, b) in zip(follower.way, follower.way[1:]):
        assert abs(b[0] - a[0]) <= 2.0 * (u - t) + 1e-3
    assert not [r for r in follower.reports if r.revoked], follower.reports[-1].summary
    # And a new stream begins where it stands.
    here = follower.at[0]
    assert follower.send([(here, 0.0), (here + 0.05, 0.0)], step=0.2).code == ChunkAnswer.ACCEPTED


def test_a_chunk_is_refused_when_only_its_stop_would_hit(follower):
    end = BALL_ANGLE - 0.1
    slow = [(end - 0.001 * (3 - i), 0.0) for i in range(4)]
    fast = [(end - 0.15 * (3 - i), 0.0) for i in range(4)]
    answer = follower.send(fast, step=0.1, ahead=1.5)   # 1.5 rad/s: half a radian to stop
    assert answer.code == ChunkAnswer.COLLISION and 'ball' in answer.message
    assert not follower.plans
    assert follower.send(slow, step=0.1, ahead=1.5).code == ChunkAnswer.ACCEPTED


def test_reasons(follower):
    good = [(0.01, 0.0), (0.02, 0.0)]
    assert follower.send(good, ahead=-5.0).code == ChunkAnswer.LATE
    assert follower.send([(3.2, 0.0)], ahead=3.0).code in (
        ChunkAnswer.POSITION, ChunkAnswer.COLLISION)
    assert follower.send([(math.nan, 0.0)]).code == ChunkAnswer.INVALID
    assert follower.send([(0.01,)], names=['wrist']).code == ChunkAnswer.INVALID
    assert 'wrist' in follower.answers[-1].message
    assert follower.send([(0.01,)]).code == ChunkAnswer.INVALID
    assert follower.send([]).code == ChunkAnswer.INVALID
    follower.client.apply(is_diff=False, name='none')
    assert follower.send(good).code == ChunkAnswer.UNDECIDED   # nothing to check is no proof
    assert not follower.plans
    assert [a.number for a in follower.answers] == list(range(1, 8))


def test_it_begins_from_a_robot_at_rest(follower):
    follower.where = lambda now: [0.3 * math.sin(3.0 * now), 0.0]
    follower.client.spin(0.3)
    answer = follower.send([(0.0, 0.0), (0.1, 0.0)])
    assert answer.code == ChunkAnswer.INVALID and 'moves' in answer.message
    assert not follower.plans


def test_a_robot_that_does_not_follow_is_revoked(follower):
    follower.where = lambda now: [0.0, 0.0]
    assert follower.send([(0.1 * i, 0.0) for i in range(8)], step=0.1).code == ChunkAnswer.ACCEPTED
    assert follower.client.spin_until(lambda: [r for r in follower.reports if r.revoked], 5.0)
    assert 'tube' in follower.reports[-1].message


def test_a_new_scene_is_held_against_the_stop(follower):
    points = [(0.04 * i, 0.0) for i in range(8)]
    assert follower.send(points, step=0.1).code == ChunkAnswer.ACCEPTED
    last = follower.plans[-1].points[-1].positions[0]
    at = (1.5 * math.cos(last), 1.5 * math.sin(last), 0.0)
    assert follower.client.apply(obstacles=[ball('thrown', at=at, radius=0.02)]).success
    assert follower.client.spin_until(lambda: [r for r in follower.reports if r.revoked], 5.0)
    assert 'thrown' in [r for r in follower.reports if r.revoked][0].message


def test_what_a_chunk_costs_beside_its_proof(follower):
    """50 points at 50 Hz; the quickest is held to it, because the machine may be busy."""
    costs, begin = [], time.time()
    for i in range(60):
        now = time.time()
        points = [(0.2 * math.sin(now - begin + 0.3 + 0.02 * k), 0.0) for k in range(50)]
        answer = follower.send(points, step=0.02, ahead=0.3)
        if answer.code == ChunkAnswer.ACCEPTED:
            costs.append(answer.seconds - answer.proof_seconds)
    costs.sort()
    print(f'beside the proof: p50 {1e3 * costs[len(costs) // 2]:.3f} ms, '
          f'p99 {1e3 * costs[len(costs) * 99 // 100]:.3f} ms')
    assert len(costs) > 20, [a.message for a in follower.answers]
    assert costs[0] < 1e-3
