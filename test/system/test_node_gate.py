# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The action gate: from an action client through the proof to a controller, and every fault between."""

import math
import os
import signal
import subprocess
import sys
import time

from action_msgs.msg import GoalStatus
import gate_fixture
from gate_fixture import action_type, begin, Controller, CONTROLLER, planned
from node_fixture import ball, BALL_ANGLE, DOMAIN, finish, LATCHED, trajectory
import pytest
from std_msgs.msg import Bool
from vouch.action import FollowTrajectory
from vouch.msg import JointTolerance

SUCCEEDED, CANCELED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_CANCELED
ABORTED = GoalStatus.STATUS_ABORTED
CODES = FollowTrajectory.Result


def goal(points, action=FollowTrajectory, times=None, velocities=None, **fields):
    return action.Goal(trajectory=trajectory(points, times=times, velocities=velocities), **fields)


def way(end, duration=1.0, begin=0.0, **fields):
    return goal([(begin, 0.0), (end, 0.0)], times=[0.0, duration], **fields)


@pytest.fixture(autouse=True)
def nobody_is_left():
    yield
    gate_fixture.close_all()


@pytest.fixture
def gate():
    node, client, controller, commander = begin()
    commander.node, commander.controller = node, controller
    commander.stops = client.subscribe(Bool, '~/stop', LATCHED)
    yield commander
    controller.close()
    finish(node, client)


@pytest.mark.parametrize('kind', ['vouch', 'control_msgs'])
def test_a_story_from_plan_to_controller(kind):
    """The controller executes inside the tube that was proved, and the client sees all of it."""
    if kind == 'control_msgs':
        pytest.importorskip('control_msgs.action', reason='control_msgs is not installed')
    action, _ = action_type(kind)
    node, client, controller, commander = begin(kind)
    # Cubic splines that swing over by more than their waypoints.
    points, times = [(0.0, 0.0), (0.5, -0.3), (0.2, 0.4)], [0.0, 0.6, 1.4]
    sent = goal(points, action, times, [(0.0, 0.0), (0.6, 0.2), (0.0, 0.0)])
    status, result = commander.run(sent)
    assert (status, result.error_string) == (SUCCEEDED, 'done by the controller')
    assert controller.goals[0] == sent, 'a goal goes on unchanged'
    assert len(commander.feedback) > 20 and commander.feedback[3].actual.positions
    report = [r for r in commander.reports if r.forwarded][0]
    assert report.tolerance_rad == 0.02 and report.duration_s == pytest.approx(1.4)
    for when, at in controller.executed:
        want = planned(sent.trajectory, when)
        assert max(abs(a - b) for a, b in zip(at, want)) <= report.tolerance_rad
    # And what would collide between its points is not forwarded; the reason is what MoveIt prints.
    last = controller.at[0]
    bad = goal([(last, 0.4), (math.pi / 2, 0.0)], action, [0.0, 1.0])
    status, result = commander.run(bad)
    assert status == ABORTED and result.error_code == action.Result.INVALID_GOAL
    assert 'ball' in result.error_string and 'not proved' in result.error_string
    assert len(controller.goals) == 1
    # The next one runs.
    status, result = commander.run(goal([(last, 0.4), (0.0, 0.0)], action, [0.0, 1.0]))
    assert status == SUCCEEDED and len(controller.goals) == 2, result
    controller.close()
    finish(node, client)


WRONG = [
    (way(math.pi / 2), 'ball'),
    (way(0.3, begin=0.5), 'start'),
    (way(0.3, path_tolerance=[JointTolerance(name='shoulder', position=-1.0)]), 'tolerance'),
    (way(0.3, goal_tolerance=[JointTolerance(name='elbow', position=math.nan)]), 'tolerance'),
    (way(0.3, path_tolerance=[JointTolerance(name='wrist', position=0.1)]), 'wrist'),
    (goal([(0.0, 0.0), (3.05, 0.0)]), 'limits'),
    (goal([]), 'point'),
    (goal([(0.0, 0.0), (math.nan, 0.0)]), 'finite'),
    (goal([(0.0, 0.0), (0.2, 0.0)], times=[0.0, 0.0]), 'time'),
]


def test_what_is_wrong_is_aborted_with_a_sentence(gate):
    far = [ball(at=(9.0, 0.0, 0.0))]
    for wrong, why in WRONG:
        here = far if why == 'limits' else [ball()]
        assert gate.client.apply(is_diff=False, name='here', obstacles=here).success
        status, result = gate.run(wrong)
        assert status == ABORTED and result.error_code == CODES.INVALID_GOAL, why
        assert why in result.error_string.lower(), result.error_string
        assert not gate.controller.goals, why
    status, _ = gate.run(way(0.2, 0.5))
    assert status == SUCCEEDED, 'and the next good one goes through'


def test_other_wrong_goals(gate):
    wrong = way(0.3)
    wrong.trajectory.joint_names = ['shoulder', 'wrist']
    status, result = gate.run(wrong)
    assert status == ABORTED and 'wrist' in result.error_string
    wrong = way(0.3)
    wrong.trajectory.header.stamp.sec = int(time.time()) - 100
    status, result = gate.run(wrong)
    assert status == ABORTED and 'past' in result.error_string, result.error_string
    from trajectory_msgs.msg import MultiDOFJointTrajectoryPoint
    wrong = way(0.3)
    wrong.multi_dof_trajectory.points = [MultiDOFJointTrajectoryPoint()]
    status, result = gate.run(wrong)
    assert status == ABORTED and 'multi-DOF' in result.error_string
    assert not gate.controller.goals


def test_the_tolerances_of_a_goal_are_those_of_the_proof(gate):
    """Free by 0.02 rad, not by 0.3: along the path, or where it ends."""
    end = BALL_ANGLE - 0.15
    for field in ('path_tolerance', 'goal_tolerance'):
        wide = way(end, 0.3, **{field: [JointTolerance(name='shoulder', position=0.3)]})
        status, result = gate.run(wide)
        assert status == ABORTED and 'ball' in result.error_string, field
    assert not gate.controller.goals
    narrow = [JointTolerance(name='shoulder', position=0.05)]
    assert gate.run(way(end, 1.0, path_tolerance=narrow))[0] == SUCCEEDED


def test_a_client_cancels(gate):
    handle = gate.start(way(1.0, 2.0))
    answer = gate.cancel(handle)
    assert len(answer.goals_canceling) == 1
    status, result = gate.result(handle)
    assert status == CANCELED and result.error_string == 'stopped by the controller'
    assert gate.controller.cancels == 1 and gate.controller.at[0] < 0.9
    assert not [m for m in gate.stops if m.data], 'it was a wish, not a fault'
    assert not gate.cancel(handle).goals_canceling
    here = gate.controller.at[0]
    gate.client.spin(0.2)
    assert gate.run(way(0.0, 1.0, begin=here))[0] == SUCCEEDED


def test_a_second_goal_is_refused_while_one_runs(gate):
    first = gate.send(way(0.5, 1.0))
    assert first.accepted
    second = gate.send(way(0.4, 1.0))
    status, result = gate.result(second)
    assert status == ABORTED and 'earlier goal' in result.error_string
    status, _ = gate.result(first)
    assert status == SUCCEEDED and len(gate.controller.goals) == 1
    # Nor does a trajectory on the topic slip in beside it.
    from trajectory_msgs.msg import JointTrajectory
    vetted = gate.client.subscribe(JointTrajectory, '~/vetted/joint_trajectory')
    topic = gate.client.publisher(JointTrajectory, '~/joint_trajectory')
    third = gate.send(way(0.0, 1.0, begin=0.5))
    topic.publish(way(0.2, begin=0.5).trajectory)
    status, _ = gate.result(third)
    assert status == SUCCEEDED and not vetted
    assert 'under way' in [r for r in gate.reports if r.state == 'refused'][-1].message


def test_a_new_scene_revokes(gate):
    """The controller is told to cancel, ~/stop says so until it has, the client hears why."""
    handle = gate.send(way(1.0, 2.0))
    assert gate.client.spin_until(lambda: len(gate.feedback) > 20, 5.0)
    at = (math.cos(0.9) * 1.5, math.sin(0.9) * 1.5, 0.0)
    assert gate.client.apply(obstacles=[ball('thrown', at=at, radius=0.1)]).success
    status, result = gate.result(handle)
    assert status == ABORTED and result.error_code == CODES.PATH_TOLERANCE_VIOLATED
    assert 'thrown' in result.error_string and 'proof was lost' in result.error_string
    assert gate.controller.cancels >= 1 and gate.controller.at[0] < 0.8
    gate.client.spin(0.2)
    assert [m.data for m in gate.stops] == [True, False]
    assert gate.reports[-1].revoked


def test_a_controller_that_strays_is_stopped(gate):
    gate.controller.mode = 'stray'
    status, result = gate.run(way(1.0, 2.0))
    assert status == ABORTED and 'tube' in result.error_string
    assert gate.controller.cancels >= 1


def test_a_controller_that_refuses_or_fails(gate):
    gate.controller.mode = 'reject'
    status, result = gate.run(way(0.3, 0.5))
    assert status == ABORTED and 'did not accept' in result.error_string
    gate.controller.mode = 'fail'
    status, result = gate.run(way(0.3, 0.5))
    assert status == ABORTED and result.error_code == CODES.PATH_TOLERANCE_VIOLATED
    assert result.error_string == 'the controller failed', 'its own words'
    gate.controller.mode = 'follow'
    gate.client.spin(0.2)
    assert gate.run(way(0.0, 0.5, begin=gate.controller.at[0]))[0] == SUCCEEDED


def test_a_controller_that_does_not_answer(gate):
    gate.controller.mode = 'silent'
    began = time.monotonic()
    status, result = gate.run(way(0.015, 0.5))   # it stays in the tube where it stands
    assert status == ABORTED and 'did not answer' in result.error_string
    assert 1.5 < time.monotonic() - began < 4.0
    assert [m.data for m in gate.stops if m.data], 'nobody knows whether it moves'
    # It takes the goal after all: then it is cancelled. Before, it did not know the goal.
    gate.controller.mode = 'endless'
    assert gate.controller.cancels == 0
    assert gate.client.spin_until(lambda: gate.controller.cancels == 1, 6.0)


def test_a_result_that_never_comes(gate):
    gate.controller.mode = 'endless'
    status, result = gate.run(way(0.3, 0.3))
    assert status == ABORTED and result.error_code == CODES.GOAL_TOLERANCE_VIOLATED
    assert 'result did not come' in result.error_string and gate.controller.cancels >= 1


def test_a_controller_that_does_not_obey(gate):
    gate.controller.mode = 'deaf'
    handle = gate.send(way(0.3, 0.3))
    assert gate.client.spin_until(lambda: gate.feedback, 5.0)
    gate.cancel(handle)
    status, _ = gate.result(handle)
    assert status == ABORTED and gate.controller.cancels >= 1
    gate.client.spin(0.1)
    assert [m.data for m in gate.stops][-1], 'it was told to stop and did not: somebody else has to'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGKILL])
def test_a_gate_that_ends(number):
    """Asked to end, it cancels what runs and says so; killed, it leaves a controller that a new one finds."""
    node, client, controller, commander = begin()
    handle = commander.start(way(1.0, 3.0))
    future = handle.get_result_async()
    client.spin(0.3)
    if number == signal.SIGKILL:
        from node_fixture import running
        running.remove(node)
        node.process.kill()
        node.process.wait()
        client.spin(0.5)
        assert not future.done() and controller.cancels == 0
        client.close()
        controller.close()
        return
    node.process.send_signal(number)
    assert client.spin_until(future.done, 5.0)
    assert future.result().status == ABORTED and 'ends' in future.result().result.error_string
    assert client.spin_until(lambda: controller.cancels >= 1, 2.0)
    controller.close()
    finish(node, client)


def test_without_a_controller_and_with_one_that_dies():
    node, client, _, commander = begin(controller=False)
    status, result = commander.run(way(0.3))
    assert status == ABORTED and 'is not there' in result.error_string
    controller = Controller()
    handle = commander.start(way(1.0, 4.0))
    controller.close()
    status, result = commander.result(handle)
    assert status == ABORTED and result.error_code != CODES.SUCCESSFUL, result
    # A new one comes up, and everything goes on.
    controller = Controller()
    assert commander.result(commander.start(way(0.3, 0.5)))[0] == SUCCEEDED
    controller.close()
    finish(node, client)


def test_a_controller_that_is_killed():
    """Its joint states stop: what runs is revoked, and somebody else has to stop the robot."""
    node, client, _, commander = begin(controller=False)
    stops = client.subscribe(Bool, '~/stop', LATCHED)
    process = subprocess.Popen(
        [sys.executable, gate_fixture.__file__, 'vouch'], env=dict(
            os.environ, VOUCH_TEST_DOMAIN=str(DOMAIN)))
    try:
        handle = commander.start(way(1.0, 4.0))
    finally:
        process.kill()
        process.wait()
    began = time.monotonic()
    status, result = commander.result(handle)
    assert status == ABORTED and 'proof was lost' in result.error_string
    assert time.monotonic() - began < 6.0
    client.spin(0.2)
    assert stops and stops[-1].data
    finish(node, client)


def test_goals_may_be_rejected_instead():
    node, client, controller, commander = begin(parameters={'gate.on_refused': 'reject'})
    assert not commander.send(way(math.pi / 2)).accepted
    assert client.spin_until(lambda: commander.reports, 5.0)
    assert 'ball' in commander.reports[-1].message, 'the reason is in the report'
    status, result = commander.run(way(0.3, 0.3))
    assert status == SUCCEEDED, result
    assert len(controller.goals) == 1
    controller.close()
    finish(node, client)


def test_many_hostile_goals(gate):
    """Bursts, cancels at once, results that nobody fetches: the gate goes on, and nothing leaks."""
    before = gate.node.memory()
    for i in range(40):
        futures = [gate.actions.send_goal_async(way(0.1 if i % 2 == k else math.pi / 2, 0.05))
                   for k in range(3)]
        assert gate.client.spin_until(lambda futures=futures: all(f.done() for f in futures), 10.0)
        for future in futures:
            if i % 3 == 0:
                future.result().cancel_goal_async()
        gate.client.spin(0.05)
        gate.controller.at = [0.0, 0.0]
    gate.client.spin(1.0)
    gate.controller.at = [0.0, 0.0]
    gate.client.spin(0.3)
    assert gate.run(way(0.2, 0.2))[0] == SUCCEEDED
    assert gate.node.memory() < before + 20000


def test_what_counts_at_the_start_is_not_set_later(gate):
    from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
    from rcl_interfaces.srv import SetParameters
    service = gate.client.client(SetParameters, 'set_parameters')
    assert service.wait_for_service(10.0)
    value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value='/elsewhere')
    answer = gate.client.call(service, SetParameters.Request(
        parameters=[Parameter(name='gate.controller', value=value)]))
    assert not answer.results[0].successful and 'start' in answer.results[0].reason
    assert CONTROLLER in gate.node.output()


def test_a_type_that_was_not_compiled_in_ends_the_start():
    from node_fixture import Node, NODE, SOFT_NODE
    if NODE == SOFT_NODE:
        pytest.skip('this node has control_msgs')
    node = Node({'gate.controller': CONTROLLER, 'gate.type': 'control_msgs'})
    assert node.process.wait(10.0) == 1 and 'control_msgs' in node.output()
