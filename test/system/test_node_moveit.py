# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Soft dependencies: MoveIt's scene and trajectories, a controller's path tolerances."""

import math

from geometry_msgs.msg import Transform, TransformStamped, Vector3
from node_fixture import (
    COLLISION, FREE, INVALID, SOFT_NODE, ball, finish, joint_state, pose, start, trajectory, urdf)
import pytest
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import JointState
from shape_msgs.msg import SolidPrimitive
from trajectory_msgs.msg import MultiDOFJointTrajectoryPoint
from vouch.msg import TrajectoryReport

SWING = [(0.0, 0.0), (1.0, 0.0)]
QUARTER = [(0.0, 0.0), (math.pi / 2, 0.0)]


@pytest.fixture(scope='module')
def client():
    node, client = start({'robot_description': urdf()}, shared=True, executable=SOFT_NODE)
    yield client
    finish(node, client)


def needs(client, topic, package):
    """The node was built with the package when it listens."""
    listens = client.spin_until(lambda: client.node.count_subscribers(client.topic(topic)) > 0, 2.0)
    if not listens:
        pytest.skip(f'vouch_node was built without {package}')


def moveit_ball(name='ball', **fields):
    moveit = pytest.importorskip('moveit_msgs.msg', reason='moveit_msgs is not installed')
    return moveit.CollisionObject(
        id=name, primitive_poses=[pose(0.0, 1.5)],
        primitives=[SolidPrimitive(type=SolidPrimitive.SPHERE, dimensions=[0.2])], **fields)


def planning_scenes(client):
    """MoveIt's messages, and a function that sends a scene and waits for what it does."""
    moveit = pytest.importorskip('moveit_msgs.msg', reason='moveit_msgs is not installed')
    needs(client, '/monitored_planning_scene', 'moveit_msgs')
    publisher = client.publisher(moveit.PlanningScene, '/monitored_planning_scene')

    def send(scene, condition):
        publisher.publish(scene)
        assert client.spin_until(condition, 5.0)
    return moveit, send


def test_planning_scene(client):
    moveit, send = planning_scenes(client)
    itself = TransformStamped(child_frame_id='base')
    itself.header.frame_id = 'base'
    itself.transform.rotation.w = 1.0
    scene = moveit.PlanningScene(
        name='full', fixed_frame_transforms=[itself],
        world=moveit.PlanningSceneWorld(collision_objects=[moveit_ball()]))
    scene.world.collision_objects[0].header.frame_id = 'base'
    send(scene, lambda: client.check(QUARTER).report.verdict == COLLISION)
    assert client.check(SWING).report.verdict == FREE

    # A diff: the matrix allows the ball.
    allow = moveit.AllowedCollisionMatrix(
        entry_names=['ball', 'lower', 'upper'], entry_values=[
            moveit.AllowedCollisionEntry(enabled=row) for row in (
                [False, True, True], [True, False, True], [True, True, False])])
    far = moveit_ball('far')
    far.primitive_poses = [pose(-5.0, 0.0)]
    diff = moveit.PlanningScene(is_diff=True, allowed_collision_matrix=allow)
    diff.robot_state.is_diff = True
    diff.world.collision_objects = [far]
    send(diff, lambda: client.check(QUARTER).report.verdict == FREE)

    # Attached and detached; an octomap is never ignored.
    tool = moveit.AttachedCollisionObject(link_name='lower', object=moveit_ball('tool'))
    tool.object.header.frame_id = 'lower'
    tool.object.primitive_poses = [pose(0.5, 0.0)]
    diff = moveit.PlanningScene(is_diff=True)
    diff.robot_state.is_diff = True
    diff.robot_state.attached_collision_objects = [tool]
    send(diff, lambda: [a.object.id for a in client.scene().scene.attached] == ['tool'])
    octomap = moveit.PlanningScene(is_diff=True)
    octomap.robot_state.is_diff = True
    octomap.world.octomap.octomap.id = 'OcTree'
    octomap.world.octomap.octomap.data = [1, 2, 3]
    send(octomap, lambda: client.check(SWING).report.verdict == INVALID)
    assert 'octomap' in client.check(SWING).report.message
    send(scene, lambda: client.check(SWING).report.verdict == FREE)

    # What MoveIt knows and we had to refuse is in doubt until there is a whole scene.
    strange = moveit.PlanningScene(is_diff=True)
    strange.robot_state.is_diff = True
    strange.world.collision_objects = [moveit_ball('strange')]
    strange.world.collision_objects[0].header.frame_id = 'nowhere'
    send(strange, lambda: client.check(SWING).report.verdict == INVALID)
    assert 'refused' in client.check(SWING).report.message
    crooked = moveit.PlanningScene(is_diff=True, allowed_collision_matrix=moveit.AllowedCollisionMatrix(
        entry_names=['ball', 'upper'], entry_values=[moveit.AllowedCollisionEntry(enabled=[True])]))
    send(scene, lambda: client.check(SWING).report.verdict == FREE)
    send(crooked, lambda: client.check(SWING).report.verdict == INVALID)
    send(scene, lambda: client.check(SWING).report.verdict == FREE)


def corner(number, inner):
    """Return the two bytes of a node with one child, occupied or with children of its own."""
    return ((3 if inner else 2) << 2 * number).to_bytes(2, 'little')


def test_an_octomap_is_its_occupied_cells(client):
    """A cell of 1.6 m beside the origin, moved by its own origin; then nothing, then one unreadable."""
    moveit, send = planning_scenes(client)
    scene = moveit.PlanningScene(is_diff=True)
    scene.robot_state.is_diff = True
    octomap = scene.world.octomap
    octomap.header.frame_id = 'base'
    octomap.origin = pose(0.0, 1.5)
    octomap.octomap.id = 'OcTree'
    octomap.octomap.binary = True
    octomap.octomap.resolution = 0.1
    # Child 7 of the root lies above 0; its lowest corners lead down to the cell of 16 at the origin.
    stream = corner(7, True) + corner(0, True) * 10 + corner(0, False)
    octomap.octomap.data = [b - 256 if b > 127 else b for b in stream]
    far = moveit_ball('far')
    far.primitive_poses = [pose(-5.0, 0.0)]
    whole = moveit.PlanningScene(
        name='far', world=moveit.PlanningSceneWorld(collision_objects=[far]))
    send(whole, lambda: client.check(QUARTER).report.verdict == FREE)
    send(scene, lambda: client.check(QUARTER).report.verdict == COLLISION)
    found = [o for o in client.scene().scene.obstacles if o.id == '<octomap>']
    assert [list(p.dimensions) for p in found[0].primitives] == [pytest.approx([1.6] * 3)]
    # In MoveIt it stays when all objects of the world are removed.
    remove = moveit.PlanningScene(is_diff=True)
    remove.robot_state.is_diff = True
    remove.world.collision_objects = [moveit.CollisionObject(operation=moveit.CollisionObject.REMOVE)]
    send(remove, lambda: [o.id for o in client.scene().scene.obstacles] == ['<octomap>'])
    assert client.check(QUARTER).report.verdict == COLLISION
    octomap.octomap.data = [1, 0]   # free space only
    scene.world.collision_objects = [far]
    send(scene, lambda: client.check(QUARTER).report.verdict == FREE)
    octomap.octomap.data = [2]
    send(scene, lambda: client.check(QUARTER).report.verdict == INVALID)
    assert 'octomap' in client.check(QUARTER).report.message
    send(whole, lambda: client.check(QUARTER).report.verdict == FREE)


def test_a_matrix_replaces_the_one_before(client):
    """Also in a diff: what the newer one does not name is checked again."""
    moveit, send = planning_scenes(client)

    def diff(names, rows):
        message = moveit.PlanningScene(
            is_diff=True, allowed_collision_matrix=moveit.AllowedCollisionMatrix(
                entry_names=names,
                entry_values=[moveit.AllowedCollisionEntry(enabled=row) for row in rows]))
        message.robot_state.is_diff = True
        return message
    far = moveit_ball('far')
    far.primitive_poses = [pose(-5.0, 0.0)]
    whole = moveit.PlanningScene(
        name='two', world=moveit.PlanningSceneWorld(collision_objects=[moveit_ball(), far]))
    send(whole, lambda: client.check(QUARTER).report.verdict == COLLISION)
    allowed = diff(['ball', 'lower', 'upper'], [
        [False, True, True], [True, False, True], [True, True, False]])
    send(allowed, lambda: client.check(QUARTER).report.verdict == FREE)
    send(diff(['lower', 'upper'], [[False, True], [True, False]]),
         lambda: client.check(QUARTER).report.verdict == COLLISION)
    # One that says two things about a pair is refused, and everything is in doubt.
    send(allowed, lambda: client.check(QUARTER).report.verdict == FREE)
    send(diff(['far', 'upper'], [[False, True], [False, False]]),
         lambda: client.check(QUARTER).report.verdict == INVALID)
    send(whole, lambda: client.check(QUARTER).report.verdict == COLLISION)


def test_what_changes_nothing_and_what_would_lose_something(client):
    moveit, send = planning_scenes(client)
    whole = moveit.PlanningScene(
        name='whole', world=moveit.PlanningSceneWorld(collision_objects=[moveit_ball()]))
    send(whole, lambda: client.check(QUARTER).report.verdict == COLLISION)
    before = client.scene().scene
    joints = moveit.PlanningScene(is_diff=True)
    joints.robot_state.is_diff = True
    joints.robot_state.joint_state = joint_state([0.3, 0.3])
    for _ in range(5):
        send(joints, lambda: True)
    client.spin(0.3)
    after = client.scene().scene
    assert (after.revision, bytes(after.hash)) == (before.revision, bytes(before.hash))
    # A whole scene whose robot state is a diff means: attached objects stay.
    tool = moveit.AttachedCollisionObject(link_name='lower', object=moveit_ball('tool'))
    tool.object.header.frame_id = 'lower'
    tool.object.primitive_poses = [pose(0.5, 0.0)]
    attach = moveit.PlanningScene(is_diff=True)
    attach.robot_state.is_diff = True
    attach.robot_state.attached_collision_objects = [tool]
    send(attach, lambda: client.scene().scene.attached)
    whole.robot_state.is_diff = True
    send(whole, lambda: client.check(SWING).report.verdict == INVALID)
    assert [a.object.id for a in client.scene().scene.attached] == ['tool']
    whole.robot_state.is_diff = False
    send(whole, lambda: client.check(SWING).report.verdict == FREE)


def test_where_moveit_has_the_robot():
    """The virtual joint is a multi-DOF joint of MoveIt's state; a scene without it means another."""
    moveit = pytest.importorskip('moveit_msgs.msg', reason='moveit_msgs is not installed')
    srdf = """<robot name="two_link">
      <virtual_joint name="stand" type="planar" parent_frame="odom" child_link="base"/>
      <disable_collisions link1="upper" link2="lower"/></robot>"""
    node, client = start(
        {'robot_description': urdf(), 'robot_description_semantic': srdf}, name='mobile',
        executable=SOFT_NODE,
        arguments=['-r', 'monitored_planning_scene:=/mobile_scene'])
    needs(client, '/mobile_scene', 'moveit_msgs')
    publisher = client.publisher(moveit.PlanningScene, '/mobile_scene')
    itself = TransformStamped(child_frame_id='odom')
    itself.header.frame_id = 'odom'
    itself.transform.rotation.w = 1.0

    def scene(x):
        message = moveit.PlanningScene(
            name='cell', fixed_frame_transforms=[itself],
            world=moveit.PlanningSceneWorld(collision_objects=[moveit_ball()]))
        message.world.collision_objects[0].header.frame_id = 'odom'
        message.robot_state.joint_state = joint_state([0.0, 0.0])
        message.robot_state.multi_dof_joint_state.joint_names = ['stand']
        message.robot_state.multi_dof_joint_state.transforms = [Transform(
            translation=Vector3(x=x, y=0.0, z=0.0))]
        return message
    for x, verdict in ((0.0, COLLISION), (4.0, FREE), (0.0, COLLISION)):
        publisher.publish(scene(x))
        assert client.spin_until(lambda: client.check(QUARTER).report.verdict == verdict, 5.0), x
    finish(node, client)


def test_a_matrix_takes_the_place_of_the_srdf():
    """What only the SRDF leaves out is checked by MoveIt then, and so here."""
    moveit = pytest.importorskip('moveit_msgs.msg', reason='moveit_msgs is not installed')
    srdf = '<robot name="two_link"><disable_collisions link1="upper" link2="lower"/></robot>'
    node, client = start(
        {'robot_description': urdf(), 'robot_description_semantic': srdf}, name='matrix',
        executable=SOFT_NODE,
        arguments=['-r', 'monitored_planning_scene:=/matrix_scene'])
    needs(client, '/matrix_scene', 'moveit_msgs')
    publisher = client.publisher(moveit.PlanningScene, '/matrix_scene')
    row = moveit.AllowedCollisionEntry
    for names, expected in (
            (['ball', 'upper'], {('ball', 'upper', True), ('lower', 'upper', False)}),
            (['lower', 'upper'], {('lower', 'upper', True)})):
        publisher.publish(moveit.PlanningScene(
            name='cell', world=moveit.PlanningSceneWorld(collision_objects=[moveit_ball()]),
            allowed_collision_matrix=moveit.AllowedCollisionMatrix(
                entry_names=names,
                entry_values=[row(enabled=[False, True]), row(enabled=[True, False])])))

        def said():
            allowed = client.scene().scene.allowed
            return {(*sorted((a, b)), yes)
                    for a, b, yes in zip(allowed.a, allowed.b, allowed.allowed)}
        assert client.spin_until(lambda expected=expected: said() == expected, 5.0), said()
    finish(node, client)


def test_robot_trajectory_and_goal(client):
    states = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=100))
    assert client.apply(is_diff=False, name='world', obstacles=[ball()]).success

    def decision(publisher, message):
        states.publish(joint_state([0.0, 0.0]))
        client.spin(0.05)
        del reports[:]
        publisher.publish(message)

        def decisions():       # the one before may be revoked meanwhile: the robot stands still
            return [r for r in reports if r.source == TrajectoryReport.SOURCE_VETTING]
        assert client.spin_until(decisions, 5.0)
        return decisions()[-1]

    client.spin(0.3)
    moveit = pytest.importorskip('moveit_msgs.msg', reason='moveit_msgs is not installed')
    needs(client, '~/robot_trajectory', 'moveit_msgs')
    publisher = client.publisher(moveit.RobotTrajectory, '~/robot_trajectory')
    short = trajectory([(0.0, 0.0), (0.1, 0.0)], times=[0.0, 0.1])
    assert decision(publisher, moveit.RobotTrajectory(joint_trajectory=short)).forwarded
    client.spin(0.3)
    base = moveit.RobotTrajectory(joint_trajectory=short)
    base.multi_dof_joint_trajectory.points = [MultiDOFJointTrajectoryPoint()]
    report = decision(publisher, base)
    assert report.verdict == INVALID and 'multi' in report.message and report.state == 'refused'

    control = pytest.importorskip('control_msgs.action', reason='control_msgs is not installed')
    from control_msgs.msg import JointTolerance
    needs(client, '~/follow_joint_trajectory_goal', 'control_msgs')
    goals = client.publisher(
        control.FollowJointTrajectory.Goal, '~/follow_joint_trajectory_goal')
    goal = control.FollowJointTrajectory.Goal(
        trajectory=trajectory([(0.0, 0.0), (1.3, 0.0)], times=[0.0, 0.2]))
    assert decision(goals, goal).forwarded
    client.spin(0.5)
    goal.path_tolerance = [JointTolerance(name='shoulder', position=0.3)]
    assert not decision(goals, goal).forwarded, 'the tolerance reaches the ball'
    goal.path_tolerance = [JointTolerance(name='shoulder', position=-1.0)]
    report = decision(goals, goal)
    assert report.verdict == INVALID and 'shoulder' in report.message
    goal.path_tolerance = []
    goal.multi_dof_trajectory.points = [MultiDOFJointTrajectoryPoint()]
    report = decision(goals, goal)
    assert report.verdict == INVALID and 'multi' in report.message and report.state == 'refused'
