# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""A controller behind the gate: it executes splines as joint_trajectory_controller does, or fails."""

import os
import sys
import threading
import time

from node_fixture import ball, DOMAIN, joint_state, JOINTS, NODE, rclpy, SOFT_NODE, start, urdf
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import JointState
from vouch.action import FollowTrajectory
from vouch.msg import TrajectoryReport

CONTROLLER = '/arm_controller/follow_joint_trajectory'
PARAMETERS = {
    'robot_description': urdf(), 'joint_state_timeout_s': 1.5, 'vetting.tolerance_rad': 0.02,
    'vetting.latency_s': 1.0, 'gate.controller': CONTROLLER, 'gate.answer_timeout_s': 1.0,
    'gate.result_timeout_s': 1.0, 'gate.stop_timeout_s': 1.0, 'gate.gone_timeout_s': 0.5,
    'gate.on_revoke': 'stop'}


def action_type(kind):
    """The action, and the node that speaks it."""
    if kind == 'vouch':
        return FollowTrajectory, NODE
    from control_msgs.action import FollowJointTrajectory
    return FollowJointTrajectory, SOFT_NODE


def seconds_of(duration):
    return duration.sec + 1e-9 * duration.nanosec


def spline(a, b, joint, tau, whole):
    """One segment of joint_trajectory_controller: linear, cubic or quintic by what both ends have."""
    p0, p1 = a.positions[joint], b.positions[joint]
    if not (a.velocities and b.velocities):
        return p0 + (p1 - p0) * tau / whole
    v0, v1 = a.velocities[joint], b.velocities[joint]
    if not (a.accelerations and b.accelerations):
        c2 = (-3 * p0 + 3 * p1 - 2 * v0 * whole - v1 * whole) / whole**2
        c3 = (2 * p0 - 2 * p1 + v0 * whole + v1 * whole) / whole**3
        return p0 + v0 * tau + c2 * tau**2 + c3 * tau**3
    a0, a1 = a.accelerations[joint], b.accelerations[joint]
    c3 = (-20 * p0 + 20 * p1 - 3 * a0 * whole**2 + a1 * whole**2 - 12 * v0 * whole -
          8 * v1 * whole) / (2 * whole**3)
    c4 = (30 * p0 - 30 * p1 + 3 * a0 * whole**2 - 2 * a1 * whole**2 + 16 * v0 * whole +
          14 * v1 * whole) / (2 * whole**4)
    c5 = (-12 * p0 + 12 * p1 - a0 * whole**2 + a1 * whole**2 - 6 * v0 * whole -
          6 * v1 * whole) / (2 * whole**5)
    return p0 + v0 * tau + a0 / 2 * tau**2 + c3 * tau**3 + c4 * tau**4 + c5 * tau**5


def planned(trajectory, when):
    """Where the trajectory has the robot, in the order of JOINTS."""
    points, order = trajectory.points, [trajectory.joint_names.index(j) for j in JOINTS]
    for a, b in zip(points, points[1:]):
        begin, end = seconds_of(a.time_from_start), seconds_of(b.time_from_start)
        if when < end:
            return [spline(a, b, j, max(0.0, when - begin), end - begin) for j in order]
    return [points[-1].positions[j] for j in order]


controllers = []


def close_all():
    """Those of a test that failed must not answer the next one."""
    for controller in list(controllers):
        controller.close()


class Controller:
    """
    An action server that moves a robot, which publishes joint states all the time.

    `mode`: follow, reject, silent (does not answer), endless (no result), deaf (and no cancel), fail,
    stray (leaves its way after half a second).
    """

    def __init__(self, kind='vouch'):
        self.action, _ = action_type(kind)
        self.mode, self.at, self.executed, self.goals, self.cancels = 'follow', [0.0, 0.0], [], [], 0
        self.velocity = [0.0, 0.0]
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=DOMAIN)
        self.node = rclpy.create_node(f'controller_{os.getpid()}_{id(self)}', context=self.context)
        self.states = self.node.create_publisher(
            JointState, '/joint_states', qos_profile_sensor_data)
        self.server = ActionServer(
            self.node, self.action, CONTROLLER, self.execute, goal_callback=self.on_goal,
            cancel_callback=self.on_cancel, callback_group=ReentrantCallbackGroup())
        self.executor = rclpy.executors.MultiThreadedExecutor(4, context=self.context)
        self.executor.add_node(self.node)
        self.ended = threading.Event()
        controllers.append(self)
        self.threads = [threading.Thread(target=self.executor.spin, daemon=True),
                        threading.Thread(target=self.publish, daemon=True)]
        for thread in self.threads:
            thread.start()

    def publish(self):
        while not self.ended.wait(0.01):
            self.states.publish(joint_state(self.at, velocities=self.velocity))

    def on_goal(self, goal):
        self.goals.append(goal)
        if self.mode == 'silent':
            self.ended.wait(4.0)
        return GoalResponse.REJECT if self.mode == 'reject' else GoalResponse.ACCEPT

    def on_cancel(self, _):
        self.cancels += 1
        return CancelResponse.REJECT if self.mode == 'deaf' else CancelResponse.ACCEPT

    def execute(self, handle):
        trajectory = handle.request.trajectory
        result = self.action.Result()
        length = seconds_of(trajectory.points[-1].time_from_start)
        begin = time.monotonic()
        while not self.ended.wait(0.005):
            now = time.monotonic() - begin
            if handle.is_cancel_requested:
                handle.canceled()
                result.error_string = 'stopped by the controller'
                return result
            if self.mode == 'fail' and now > 0.2:
                handle.abort()
                result.error_code = self.action.Result.PATH_TOLERANCE_VIOLATED
                result.error_string = 'the controller failed'
                return result
            at = planned(trajectory, now)
            if self.mode == 'stray' and now > 0.5:
                at = [at[0], at[1] + 0.1]
            self.at = at
            self.executed.append((now, at))
            feedback = self.action.Feedback(joint_names=list(trajectory.joint_names))
            feedback.actual.positions = [float(v) for v in at]
            handle.publish_feedback(feedback)
            if now >= length and self.mode not in ('endless', 'deaf'):
                break
        if self.ended.is_set():
            time.sleep(2.0)   # it goes away in the middle of a goal: no result
            return result
        handle.succeed()
        result.error_string = 'done by the controller'
        return result

    def close(self):
        controllers.remove(self)
        self.ended.set()
        for thread in self.threads[1:]:
            thread.join(5.0)
        self.executor.shutdown(timeout_sec=1.0)
        self.server.destroy()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        self.threads[0].join(5.0)


class Commander:
    """What MoveIt is to a controller: an action client."""

    def __init__(self, client, kind='vouch'):
        self.client = client
        self.action, _ = action_type(kind)
        self.actions = ActionClient(
            client.node, self.action, client.topic('~/follow_joint_trajectory'))
        assert self.actions.wait_for_server(10.0)
        self.feedback = []
        self.reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=100))
        client.spin(0.5)   # the gate has to find the controller and a joint state

    def send(self, goal, timeout=10.0):
        """The handle of the goal: accepted or not."""
        future = self.actions.send_goal_async(goal, lambda f: self.feedback.append(f.feedback))
        assert self.client.spin_until(future.done, timeout), 'the gate does not answer'
        return future.result()

    def start(self, goal):
        """The handle of a goal that is being executed: a controller may not have been found at once."""
        del self.feedback[:]
        for _ in range(15):
            handle = self.send(goal)
            ended = handle.get_result_async()
            assert self.client.spin_until(lambda: self.feedback or ended.done(), 10.0)
            if self.feedback:
                return handle
            self.client.spin(0.5)
        raise AssertionError(f'it does not run: {ended.result()}')

    def result(self, handle, timeout=15.0):
        future = handle.get_result_async()
        assert self.client.spin_until(future.done, timeout), 'no result'
        return future.result().status, future.result().result

    def run(self, goal):
        handle = self.send(goal)
        assert handle.accepted
        return self.result(handle)

    def cancel(self, handle):
        future = handle.cancel_goal_async()
        assert self.client.spin_until(future.done, 10.0)
        return future.result()


def begin(kind='vouch', parameters=None, controller=True):
    """A gate, a controller behind it, and somebody who sends goals."""
    _, executable = action_type(kind)
    own = dict(PARAMETERS, **{'gate.type': kind}, **(parameters or {}))
    behind = Controller(kind) if controller else None
    node, client = start(own, executable=executable)
    assert client.apply(is_diff=False, name='world', obstacles=[ball()]).success
    return node, client, behind, Commander(client, kind)


if __name__ == '__main__':
    Controller(*sys.argv[1:])
    while True:
        time.sleep(1.0)
