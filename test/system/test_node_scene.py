# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""~/apply_scene, ~/get_scene, ~/scene and ~/monitored_scene."""

import math
import time

from diagnostic_msgs.msg import DiagnosticArray
import pytest
from geometry_msgs.msg import Point, Point32, Polygon, Transform, TransformStamped, Vector3
from node_fixture import (
    COLLISION, FREE, INVALID, LATCHED, Client, ball, check_request, finish, fresh, joint_state,
    obstacle, pose, start, trajectory, urdf, world)  # noqa: F401
from rclpy.qos import qos_profile_sensor_data, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState, MultiDOFJointState
from shape_msgs.msg import Mesh, MeshTriangle, Plane, SolidPrimitive
from trajectory_msgs.msg import JointTrajectory
from vouch.msg import (
    AllowedPairs, AttachedObject, CollisionGeometry, Obstacle, Scene, TrajectoryReport)
from vouch.srv import ApplyScene

SWING = [(0.0, 0.0), (1.0, 0.0)]


def transform(child, parent='', x=0.0):
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.transform.translation.x = float(x)
    message.transform.rotation.w = 1.0
    return message


def tetrahedron():
    return Mesh(
        vertices=[Point(x=0.0, y=0.0, z=0.0), Point(x=0.2, y=0.0, z=0.0),
                  Point(x=0.0, y=0.2, z=0.0), Point(x=0.0, y=0.0, z=0.2)],
        triangles=[MeshTriangle(vertex_indices=i) for i in
                   ([0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2])])


def every_shape():
    """One object of every kind of shape, beside the arm's way."""
    prism = SolidPrimitive(type=SolidPrimitive.PRISM, dimensions=[0.3], polygon=Polygon(points=[
        Point32(x=0.0, y=0.0), Point32(x=0.2, y=0.0), Point32(x=0.0, y=0.2)]))
    kinds = CollisionGeometry
    cube = [Point(x=float(i & 1), y=float(i >> 1 & 1), z=float(i >> 2)) for i in range(8)]
    geometries = [
        kinds(node_type=kinds.GEOM_BOX, side=Vector3(x=0.1, y=0.2, z=0.3)),
        kinds(node_type=kinds.GEOM_SPHERE, radius=0.1),
        kinds(node_type=kinds.GEOM_ELLIPSOID, radii=Vector3(x=0.1, y=0.2, z=0.3)),
        kinds(node_type=kinds.GEOM_CAPSULE, radius=0.1, lz=0.3),
        kinds(node_type=kinds.GEOM_CONE, radius=0.1, lz=0.3),
        kinds(node_type=kinds.GEOM_CYLINDER, radius=0.1, lz=0.3),
        kinds(node_type=kinds.GEOM_CONVEX, vertices=cube),
        kinds(node_type=kinds.GEOM_TRIANGLE, vertices=cube[:3]),
        kinds(node_type=kinds.BV_OBBRSS, vertices=tetrahedron().vertices,
              triangles=tetrahedron().triangles),
        kinds(node_type=kinds.GEOM_OCTREE, cell_centers=cube[:4], cell_sizes=[0.1] * 4),
    ]
    objects = [
        obstacle('box', SolidPrimitive.BOX, [0.1, 0.2, 0.3], (-3.0, 0.0, 0.0)),
        obstacle('cylinder', SolidPrimitive.CYLINDER, [0.5, 0.1], (-3.0, 1.0, 0.0)),
        obstacle('cone', SolidPrimitive.CONE, [0.5, 0.1], (-3.0, 2.0, 0.0)),
        Obstacle(id='prism', pose=pose(-3.0, 3.0), primitives=[prism]),
        Obstacle(id='mesh', pose=pose(-3.0, 4.0), meshes=[tetrahedron()]),
        Obstacle(id='floor', planes=[Plane(coef=[0.0, 0.0, 1.0, 1.0])]),
        Obstacle(id='ceiling', geometries=[kinds(
            node_type=kinds.GEOM_HALFSPACE, n=Vector3(x=0.0, y=0.0, z=-1.0), d=-2.0)]),
    ]
    for number, geometry in enumerate(geometries):
        objects.append(Obstacle(
            id=f'fcl_{geometry.node_type}', pose=pose(-5.0, 2.0 * number), geometries=[geometry]))
    return objects


def test_every_shape_is_understood_and_read_back(fresh):
    answer = fresh.apply(is_diff=False, name='all', obstacles=every_shape())
    assert answer.success, answer.message
    report = fresh.check(SWING).report
    assert report.verdict == FREE, report.message
    back = fresh.scene().scene
    assert {o.id for o in back.obstacles} == {o.id for o in every_shape()}
    back.is_diff = False
    again = fresh.apply(
        is_diff=False, name='again', obstacles=back.obstacles, allowed=back.allowed)
    assert again.success, again.message
    assert bytes(again.hash) == bytes(answer.hash), 'what is read back means the same'


@pytest.mark.parametrize('shape, at', [
    (Obstacle(primitives=[SolidPrimitive(type=3, dimensions=[0.4, 0.1])]), 'tall cylinder'),
    (Obstacle(geometries=[CollisionGeometry(
        node_type=CollisionGeometry.GEOM_CAPSULE, radius=0.1, lz=0.2)]), 'capsule'),
    (Obstacle(geometries=[CollisionGeometry(
        node_type=CollisionGeometry.GEOM_ELLIPSOID, radii=Vector3(x=0.1, y=0.1, z=0.2))]),
     'ellipsoid')])
def test_a_shape_in_the_way_is_hit(fresh, shape, at):
    shape.id, shape.pose = 'shape', pose(math.cos(0.5), math.sin(0.5))
    assert fresh.apply(obstacles=[shape]).success, at
    assert fresh.check(SWING).report.verdict == COLLISION


def test_half_space_and_plane_sides(fresh):
    kinds = CollisionGeometry
    for offset, verdict in ((-0.2, FREE), (0.2, COLLISION)):
        below = kinds(
            node_type=kinds.GEOM_HALFSPACE, n=Vector3(x=0.0, y=0.0, z=1.0), d=offset)
        assert fresh.apply(obstacles=[Obstacle(id='ground', geometries=[below])]).success
        assert fresh.check(SWING).report.verdict == verdict
    # a x + b y + c z + d = 0: z = -0.2 is free, thin; z = 0 cuts the arm.
    assert fresh.apply(obstacles=[Obstacle(id='ground', operation=Obstacle.REMOVE)]).success or True
    for d, verdict in ((0.2, FREE), (0.0, COLLISION)):
        plane = Obstacle(id='ground', planes=[Plane(coef=[0.0, 0.0, 1.0, d])])
        assert fresh.apply(obstacles=[plane]).success
        assert fresh.check(SWING).report.verdict == verdict


def test_add_move_append_remove(fresh):
    first = fresh.scene().scene.revision
    box = obstacle('box', SolidPrimitive.BOX, [0.2, 0.2, 0.2], (3.0, 0.0, 0.0))
    assert fresh.apply(obstacles=[box]).success
    assert fresh.check(SWING).report.verdict == FREE
    move = Obstacle(id='box', operation=Obstacle.MOVE, pose=pose(1.5, 0.5))
    assert fresh.apply(obstacles=[move]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    move.pose = pose(3.0)
    assert fresh.apply(obstacles=[move]).success
    more = obstacle('box', SolidPrimitive.SPHERE, [0.2], operation=Obstacle.APPEND)
    more.primitive_poses = [pose(-1.5, 0.5)]
    assert fresh.apply(obstacles=[more]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    removed = fresh.apply(obstacles=[Obstacle(id='box', operation=Obstacle.REMOVE)])
    assert removed.success and removed.revision > first
    assert fresh.check(SWING).report.verdict == FREE


def test_objects_mean_what_moveit_means(fresh):
    # An only shape's pose is the object's: a move takes its place, it does not add to it.
    alone = Obstacle(id='alone', primitives=[SolidPrimitive(type=2, dimensions=[0.1])],
                     primitive_poses=[pose(3.0)])
    assert fresh.apply(obstacles=[alone]).success
    move = Obstacle(id='alone', operation=Obstacle.MOVE, pose=pose(1.5, 0.5))
    assert fresh.apply(obstacles=[move]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    # Appended shapes would be placed by the old pose: another one is refused.
    more = Obstacle(id='alone', operation=Obstacle.APPEND, pose=pose(-3.0),
                    primitives=[SolidPrimitive(type=2, dimensions=[0.1])])
    assert not fresh.apply(obstacles=[more]).success
    # Of two objects with one id one would be lost.
    answer = fresh.apply(obstacles=[ball('twice', at=(-3.0, 0, 0)), ball('twice', at=(1.5, 0.5, 0))])
    assert not answer.success and 'twice' in answer.message


def test_putting_an_object_down_and_saying_where(fresh):
    held = AttachedObject(link_name='upper', object=ball('tool', at=(-3.0, 0.0, 0.0)))
    assert fresh.apply(attached=[held]).success
    # Removing the world's object of that name leaves the attached one.
    assert fresh.apply(obstacles=[Obstacle(id='tool', operation=Obstacle.REMOVE)]).success
    assert [a.object.id for a in fresh.scene().scene.attached] == ['tool']
    off = AttachedObject(object=Obstacle(id='tool', operation=Obstacle.REMOVE))
    answer = fresh.apply(attached=[off], state=joint_state([-2.0, 0.0]),
                         obstacles=[ball('tool', at=(1.5, 0.5, 0.0))])
    assert answer.success, answer.message
    scene = fresh.scene().scene
    assert not scene.attached and 'tool' in [o.id for o in scene.obstacles]
    assert fresh.check(SWING).report.verdict == COLLISION


def test_transforms_as_moveit_writes_them(fresh):
    """The planning frame is the child, the header names the other frame."""
    turned = transform('base', 'cell', 5.0)
    assert fresh.apply(fixed_transforms=[turned], obstacles=[
        ball('near', at=(-3.5, 0.5, 0.0), frame='cell')]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    assert fresh.apply(obstacles=[ball('near', at=(3.5, 0.5, 0.0), frame='cell')]).success
    assert fresh.check(SWING).report.verdict == FREE


def test_all_or_nothing(fresh):
    before = fresh.scene().scene
    good = obstacle('good', SolidPrimitive.BOX, [0.2, 0.2, 0.2], (1.5, 0.5, 0.0))
    answer = fresh.apply(obstacles=[good, ball('bad', frame='no_such_frame')])
    assert not answer.success and 'no_such_frame' in answer.message and 'bad' in answer.message
    after = fresh.scene().scene
    assert (after.revision, bytes(after.hash)) == (before.revision, bytes(before.hash))
    assert fresh.check(SWING).report.verdict == FREE


def test_frames(fresh):
    # A fixed transform, a chain of them, a link, the root by name.
    chain = [transform('b', 'a', 1.0), transform('a', '', 0.5)]
    answer = fresh.apply(fixed_transforms=chain, obstacles=[ball('far', at=(-4.0, 0, 0), frame='b')])
    assert answer.success, answer.message
    assert fresh.check(SWING).report.verdict == FREE
    assert fresh.apply(obstacles=[ball('far', at=(0.0, 0.5, 0.0), frame='b')]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    assert fresh.apply(obstacles=[ball('far', at=(0.0, -0.5, 0.0), frame='base')]).success
    assert fresh.check(SWING).report.verdict == FREE
    # In a link's frame: placed where the start state has the link.
    assert fresh.apply(obstacles=[ball('far', at=(0.5, 0.6, 0.0), frame='upper')]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    assert fresh.check([(0.0, 0.0), (-1.0, 0.0)]).report.verdict == FREE


@pytest.mark.parametrize('is_diff', [True, False])
def test_the_state_of_a_scene_in_a_request_places_its_objects(fresh, is_diff):
    """In the frame of the upper arm: in its way, or behind it when it was seen from elsewhere."""
    def verdict(**fields):
        seen = Scene(
            is_diff=is_diff, name='seen', obstacles=[ball('seen', at=(0.5, 0.6, 0.0), frame='upper')],
            **fields)
        return fresh.check(SWING, scene=seen).report.verdict
    assert verdict() == COLLISION
    assert verdict(state=joint_state([2.0], ['shoulder'])) == FREE
    assert verdict(state=joint_state([2.0], ['elbow'])) == COLLISION
    assert verdict(state=joint_state([2.0], ['nobody'])) == INVALID


def test_an_obstacle_in_the_frame_of_a_link_stays_when_the_link_moves_on():
    """Seen from the arm once; the arm turns, the obstacle does not turn with it."""
    node, client = start(
        {'robot_description': urdf(), 'joint_state_timeout_s': 60.0}, name='turning',
        arguments=['-r', 'joint_states:=/turning_states'])
    states = client.publisher(JointState, '/turning_states', qos_profile_sensor_data)

    def stand_at(shoulder):
        for _ in range(10):     # best effort: one may be lost
            states.publish(joint_state([shoulder, 0.0]))
            client.spin(0.03)
    stand_at(1.0)
    assert client.apply(obstacles=[ball(at=(1.5, 0.0, 0.0), frame='upper')]).success
    seen, = client.scene().scene.obstacles
    assert seen.header.frame_id == '' and seen.pose.position.x == pytest.approx(1.5 * math.cos(1.0))
    stand_at(0.0)
    assert client.check([(0.0, 0.0), (1.0, 0.0)]).report.verdict == COLLISION
    assert client.check([(0.0, 0.0), (0.5, 0.0)]).report.verdict == FREE
    # The same by the topic, moved, and with a state in the message.
    move = Obstacle(id='ball', operation=Obstacle.MOVE, pose=pose(1.5))
    move.header.frame_id = 'upper'
    assert client.apply(obstacles=[move], state=joint_state([-1.0, 0.0])).success
    stand_at(0.5)
    assert client.check([(0.5, 0.0), (1.0, 0.0)]).report.verdict == FREE
    assert client.check([(0.5, 0.0), (-1.0, 0.0)]).report.verdict == COLLISION
    finish(node, client)


@pytest.mark.parametrize('busy_with', ['request', 'command'])
@pytest.mark.parametrize('moves', [True, False])
def test_a_scene_that_waits_while_the_robot_moves_is_not_placed(moves, busy_with):
    """Seen from the arm at one place, read when it is at another: nobody knows where it is."""
    node, client = start(
        {'robot_description': urdf(), 'joint_state_timeout_s': 60.0, 'deadline_s': 0.7},
        name='waiting', arguments=['-r', 'joint_states:=/waiting_states'])
    near = [ball(f'b{i}_{j}', at=(0.2 * i - 2.0, 0.2 * j - 2.0, 0.12), radius=0.05)
            for i in range(21) for j in range(21)]
    assert client.apply(is_diff=False, name='balls', obstacles=near).success
    swings = [(1.0, 0.0)] + [
        (2.5 * math.sin(0.7 * i), 2.5 * math.cos(0.9 * i)) for i in range(4000)]
    reports = client.subscribe(TrajectoryReport, '~/report', 10)
    commands = client.publisher(JointTrajectory, '~/joint_trajectory')
    states = client.publisher(JointState, '/waiting_states', qos_profile_sensor_data)
    scenes = client.publisher(Scene, '~/scene')

    def stand_at(shoulder):
        for _ in range(10):     # best effort: one may be lost
            states.publish(joint_state([shoulder, 0.0]))
            client.spin(0.03)
    stand_at(1.0)
    seen = ball('seen', at=(1.5, 0.0, 0.0), frame='upper')
    del reports[:]
    if busy_with == 'request':
        client.check_client.call_async(check_request(swings))
    else:
        commands.publish(trajectory(swings))
    client.spin(0.2)
    assert not reports, 'and nothing else is read meanwhile'
    by_topic = busy_with == 'request'
    if by_topic:
        scenes.publish(Scene(is_diff=True, obstacles=[seen]))
    asked = [client.apply_client.call_async(ApplyScene.Request(scene=Scene(is_diff=True, **fields)))
             for fields in (
                 {'obstacles': [ball('told', at=(1.5, 0.0, 0.0), frame='upper')],
                  'state': joint_state([-2.0, 0.0])},
                 {'obstacles': [ball('world', at=(-5.0, 0.0, 0.0))]},
                 {'obstacles': [ball('asked', at=(1.5, 0.0, 0.0), frame='upper')]})]
    stand_at(0.0 if moves else 1.0)
    assert client.spin_until(lambda: reports and all(a.done() for a in asked), 10.0)
    told, world, by_state = (a.result() for a in asked)
    assert told.success and world.success, 'which do not hang on where the robot is'
    assert by_state.success != moves, by_state.message
    assert not moves or ("'shoulder'" in by_state.message and 'moved' in by_state.message)
    placed = {o.id: o.pose.position for o in client.scene().scene.obstacles if o.id[0] != 'b'}
    assert set(placed) == {'told', 'world'} | (set() if moves else {'asked'}) | (
        {'seen'} if by_topic and not moves else set())
    report = client.check([(0.0, 0.0), (0.3, 0.0)], start_anywhere=True).report
    if moves and by_topic:
        # The topic's sender does not know that it was refused: nothing is free without it.
        assert report.verdict == INVALID and 'robot moved' in report.message
        assert client.apply(is_diff=False, name='whole', obstacles=[seen]).success
        report = client.check([(0.0, 0.0), (0.3, 0.0)], start_anywhere=True).report
        assert report.verdict == COLLISION, 'placed where the arm stands now'
    else:
        assert moves or placed['asked'].x == pytest.approx(1.5 * math.cos(1.0))
        assert report.verdict == FREE, report.message
    finish(node, client)


@pytest.mark.parametrize('fields', [
    {'paddings': [0.1]}, {'padding_names': ['ball']},
    {'allowed': AllowedPairs(b=['ball'])}, {'allowed': AllowedPairs(allowed=[True])},
    {'allowed': AllowedPairs(default_allowed=[True])},
    {'state': joint_state([0.0, 0.0], names=[' '])},
    {'multi_dof_state': MultiDOFJointState(transforms=[Transform()])},
    {'fixed_transforms': [transform('upper', 'base', 1.0)]},
    {'fixed_transforms': [transform('base', 'upper', 1.0)]},
], ids=str)
def test_half_of_something_is_refused(fresh, fields):
    """Values without names are not an empty message, and a link's frame is not the scene's."""
    for is_diff in (True, False):
        answer = fresh.apply(is_diff=is_diff, **fields)
        assert not answer.success and answer.message
        report = fresh.check(SWING, scene=Scene(is_diff=is_diff, **fields)).report
        assert report.verdict == INVALID, report.message
    assert [o.id for o in fresh.scene().scene.obstacles] == ['ball']


def test_cyclic_transforms_are_refused(fresh):
    answer = fresh.apply(fixed_transforms=[transform('a', 'b'), transform('b', 'a')])
    assert not answer.success and 'cycle' in answer.message
    answer = fresh.apply(fixed_transforms=[transform('a', 'a')])
    assert not answer.success and 'cycle' in answer.message


@pytest.mark.parametrize('count, taken', [(900, True), (3000, False)])
def test_long_chains_of_transforms_do_not_stop_the_node(fresh, count, taken):
    chain = [transform(f'f{i}', f'f{i + 1}' if i + 1 < count else 'base') for i in range(count)]
    begin = time.monotonic()
    answer = fresh.apply(fixed_transforms=chain)
    assert answer.success == taken, answer.message
    assert time.monotonic() - begin < 8.0
    assert taken or 'frames' in answer.message


def test_attached_objects(fresh):
    tool = obstacle('tool', SolidPrimitive.SPHERE, [0.3], (0.5, 0.0, 0.0))
    answer = fresh.apply(attached=[AttachedObject(link_name='lower', object=tool)])
    assert answer.success, answer.message
    # At 1.3 rad the arm alone passes at 0.15 m from the ball.
    assert fresh.check(SWING).report.verdict == FREE
    assert fresh.check([(0.0, 0.0), (1.3, 0.0)]).report.verdict == COLLISION
    attached, = fresh.scene().scene.attached
    assert (attached.link_name, attached.object.id) == ('lower', 'tool')
    off = AttachedObject(object=Obstacle(id='tool', operation=Obstacle.REMOVE))
    state = joint_state([-2.0, 0.0])
    assert fresh.apply(attached=[off], state=state).success
    assert [o.id for o in fresh.scene().scene.obstacles] == ['ball', 'tool']
    assert fresh.check([(0.0, 0.0), (1.3, 0.0)]).report.verdict == FREE


def test_allowed_pairs_and_padding(fresh):
    quarter = [(0.0, 0.0), (math.pi / 2, 0.0)]
    allowed = AllowedPairs(a=['ball', 'ball'], b=['upper', 'lower'], allowed=[True, True])
    assert fresh.apply(obstacles=[ball('far', at=(-5.0, 0.0, 0.0))], allowed=allowed).success
    assert fresh.check(quarter).report.verdict == FREE
    pairs = fresh.scene(want_pairs=True)
    named = {frozenset(p) for p in zip(pairs.pairs_a, pairs.pairs_b)}
    assert frozenset(('ball', 'upper')) not in named and frozenset(('far', 'upper')) in named
    assert fresh.apply(
        allowed=AllowedPairs(a=['ball', 'ball'], b=['upper', 'lower'], allowed=[False, False]),
        padding_names=['ball'], paddings=[0.6]).success
    assert fresh.check(SWING).report.verdict == COLLISION
    answer = fresh.apply(padding_names=['ball'], paddings=[])
    assert not answer.success


def test_allowed_pairs_stay_until_they_are_replaced(fresh):
    quarter = [(0.0, 0.0), (math.pi / 2, 0.0)]
    allowed = AllowedPairs(a=['ball', 'ball'], b=['upper', 'lower'], allowed=[True, True])
    assert fresh.apply(obstacles=[ball('far', at=(-5.0, 0.0, 0.0))], allowed=allowed).success
    other = AllowedPairs(a=['far'], b=['upper'], allowed=[True])
    assert fresh.apply(allowed=other).success
    assert fresh.check(quarter).report.verdict == FREE
    other.replace = True
    assert fresh.apply(allowed=other).success
    assert fresh.check(quarter).report.verdict == COLLISION
    assert fresh.scene().scene.allowed.a == ['far']
    assert fresh.apply(allowed=AllowedPairs(replace=True)).success
    assert not fresh.scene().scene.allowed.a


def test_not_understood_parts_are_never_free(fresh):
    assert fresh.apply(not_understood=['octomap of the camera']).success
    report = fresh.check(SWING).report
    assert report.verdict == INVALID and 'octomap of the camera' in report.message


def test_not_understood_parts_add_up(fresh):
    assert fresh.apply(not_understood=['octomap']).success
    assert fresh.apply(not_understood=['scaled link upper', 'octomap']).success
    assert fresh.apply(obstacles=[ball('far', at=(-5.0, 0.0, 0.0))]).success
    assert fresh.scene().scene.not_understood == ['octomap', 'scaled link upper']
    diff = Scene(is_diff=True, not_understood=['fog'])
    assert 'octomap' in fresh.check(SWING, scene=diff).report.message
    assert fresh.apply(is_diff=False, name='whole', obstacles=[ball()]).success
    assert not fresh.scene().scene.not_understood
    assert fresh.check(SWING).report.verdict == FREE


def test_where_the_robot_stands():
    """The virtual joint of the SRDF: objects and frames stand in the planning frame."""
    srdf = """<robot name="x">
      <virtual_joint name="stand" type="floating" parent_frame="world" child_link="base"/>
      <disable_collisions link1="upper" link2="lower"/></robot>"""
    node, client = start(
        {'robot_description': urdf(), 'robot_description_semantic': srdf}, name='standing')

    def stand_at(x):
        held = MultiDOFJointState(
            joint_names=['stand'], transforms=[Transform(translation=Vector3(x=x, y=0.0, z=0.0))])
        return client.apply(multi_dof_state=held)
    quarter = [(0.0, 0.0), (math.pi / 2, 0.0)]
    assert client.apply(obstacles=[ball(frame='world')]).success
    report = client.check(quarter).report
    assert report.verdict == COLLISION, 'it is taken to stand at the origin'
    assert any("'stand'" in w for w in report.warnings), 'but nobody said so yet'
    health = client.subscribe(DiagnosticArray, '/diagnostics')
    assert client.spin_until(lambda: [h for h in health if (
        h.status[0].name == client.name and 'where the robot stands' in h.status[0].message)], 5.0)
    told = client.scene().scene.multi_dof_state
    assert not told.joint_names, 'what is read back does not say so either'
    assert stand_at(0.0).success
    report = client.check(quarter).report
    assert report.verdict == COLLISION and not any("'stand'" in w for w in report.warnings)
    assert stand_at(5.0).success
    assert client.check(quarter).report.verdict == FREE, 'the ball is far from the robot now'
    answer = client.apply(
        fixed_transforms=[transform('cell', 'world', 5.0)], obstacles=[ball('near', frame='cell')])
    assert answer.success, answer.message
    assert client.check(quarter).report.verdict == COLLISION, 'and a new one is in its way'
    assert client.apply(obstacles=[ball('before', at=(3.0, 0.0, 0.0), frame='base')]).success
    seen = [o for o in client.scene().scene.obstacles if o.id == 'before'][0]
    assert seen.pose.position.x == 8.0, 'it stands in the world when the robot drives on'
    held = client.scene().scene.multi_dof_state
    assert held.joint_names == ['stand'] and held.transforms[0].translation.x == 5.0
    assert client.apply(obstacles=[Obstacle(id='near', operation=Obstacle.REMOVE)]).success
    assert stand_at(0.0).success
    report = client.check(quarter).report
    assert report.verdict == COLLISION and not any("'stand'" in w for w in report.warnings)
    wrong = MultiDOFJointState(joint_names=['elbow'], transforms=[Transform(
        translation=Vector3(x=1.0, y=0.0, z=0.0))])
    answer = client.apply(multi_dof_state=wrong)
    assert not answer.success and 'elbow' in answer.message
    finish(node, client)


def test_topic_in_and_latched_topic_out(fresh):
    publisher = fresh.publisher(Scene, '~/scene')
    publisher.publish(Scene(is_diff=True, obstacles=[ball('by_topic', at=(5.0, 0.0, 0.0))]))
    assert fresh.spin_until(
        lambda: 'by_topic' in [o.id for o in fresh.scene().scene.obstacles], 10.0)
    late = Client(fresh.name)
    received = late.subscribe(Scene, '~/monitored_scene', LATCHED)
    assert late.spin_until(lambda: received, 10.0), 'a late joiner gets the scene'
    assert 'by_topic' in [o.id for o in received[-1].obstacles]
    late.close()


@pytest.mark.parametrize('broken', [
    Obstacle(id='x'),
    Obstacle(id='', primitives=[SolidPrimitive(type=2, dimensions=[0.1])]),
    Obstacle(id='x', primitives=[SolidPrimitive(type=1, dimensions=[0.1])]),
    Obstacle(id='x', primitives=[SolidPrimitive(type=77, dimensions=[0.1])]),
    Obstacle(id='x', primitives=[SolidPrimitive(type=2, dimensions=[-0.1])]),
    Obstacle(id='x', primitives=[SolidPrimitive(type=2, dimensions=[math.nan])]),
    Obstacle(id='x', primitives=[SolidPrimitive(type=2, dimensions=[0.1])], pose=pose(math.inf)),
    Obstacle(id='x', primitives=[SolidPrimitive(type=2, dimensions=[0.1])],
             primitive_poses=[pose(), pose()]),
    Obstacle(id='x', geometries=[CollisionGeometry(node_type=0)]),
    Obstacle(id='x', geometries=[CollisionGeometry(node_type=99)]),
    Obstacle(id='x', geometries=[CollisionGeometry(node_type=CollisionGeometry.GEOM_OCTREE)]),
    Obstacle(id='x', geometries=[CollisionGeometry(
        node_type=CollisionGeometry.GEOM_OCTREE, cell_centers=[Point()] * 2, cell_sizes=[0.1])]),
    Obstacle(id='x', geometries=[CollisionGeometry(
        node_type=15, vertices=[Point()] * 4, num_faces=3, faces=[3, 0, 1])]),
    Obstacle(id='x', meshes=[Mesh(vertices=[Point()], triangles=[MeshTriangle(vertex_indices=[0, 1, 9])])]),
    Obstacle(id='x', operation=Obstacle.MOVE),
    Obstacle(id='nobody', operation=Obstacle.REMOVE),
    Obstacle(id='x', operation=9 .to_bytes(1, 'little')),
])
def test_broken_objects_are_refused_with_a_reason(fresh, broken):
    before = bytes(fresh.scene().scene.hash)
    answer = fresh.apply(obstacles=[broken])
    assert not answer.success and answer.message
    octree = [g for g in broken.geometries if g.node_type == CollisionGeometry.GEOM_OCTREE]
    assert not octree or 'octree' in answer.message
    assert bytes(fresh.scene().scene.hash) == before


def move(child, parent, x, y):
    message = transform(child, parent, x)
    message.transform.translation.y = float(y)
    return message


@pytest.mark.parametrize('order', [(0, 1), (1, 0)])
def test_transforms_of_one_message_need_no_order(fresh, order):
    assert fresh.apply(is_diff=True, fixed_transforms=[move('a', '', 10.0, 10.0)]).success
    both = [move('a', '', 0.0, 1.5), move('b', 'a', 0.0, 0.0)]
    held = ball(at=(0.0, 0.0, 0.0))
    held.header.frame_id = 'b'
    answer = fresh.apply(
        is_diff=True, fixed_transforms=[both[i] for i in order], obstacles=[held])
    assert answer.success, answer.message
    assert fresh.check([(0.0, 0.0), (1.5708, 0.0)]).report.verdict == COLLISION


@pytest.mark.parametrize('fields, word', [
    ({'fixed_transforms': [transform('a', '', 0.0), transform('a', '', 9.0)]}, 'twice'),
    ({'padding_names': ['lower', 'lower'], 'paddings': [2.0, 0.0]}, 'twice'),
    ({'allowed': AllowedPairs(default_names=['lower', 'lower'], default_allowed=[False, True])},
     'twice'),
    ({'allowed': AllowedPairs(a=['lower', 'base'], b=['base', 'lower'], allowed=[False, True])},
     'both allowed and not'),
    ({'state': JointState(name=['shoulder', 'shoulder'], position=[0.0, 1.0])}, 'twice'),
])
def test_what_is_said_twice_is_refused(fresh, fields, word):
    answer = fresh.apply(is_diff=True, **fields)
    assert not answer.success and word in answer.message


def test_the_padding_of_an_object_that_is_attached_counts(fresh):
    assert fresh.apply(is_diff=True, obstacles=[ball(at=(-3.0, 0.0, 0.0))]).success
    item = AttachedObject(link_name='lower', object=Obstacle(id='ball', padding_m=0.5))
    state = JointState(name=['shoulder', 'elbow'], position=[0.0, 0.0])
    answer = fresh.apply(is_diff=True, state=state, attached=[item])
    assert answer.success, answer.message
    assert [o.object.padding_m for o in fresh.scene().scene.attached] == [0.5]


def test_a_publisher_that_cannot_be_heard_is_missed():
    """Best effort, where changes must not be lost: nothing of it ever arrives."""
    node, client = start(name='deaf')
    whole = {'is_diff': False, 'name': 'world', 'obstacles': [ball()]}
    assert client.apply(**whole).success
    assert client.check(SWING).report.verdict == FREE
    client.publisher(Scene, '~/scene', QoSProfile(
        depth=1, reliability=ReliabilityPolicy.BEST_EFFORT), wait=False)
    assert client.spin_until(lambda: client.check(SWING).report.verdict == INVALID, 10.0)
    assert 'QoS' in client.check(SWING).report.message and 'best effort' in node.output()
    assert client.apply(**whole).success
    assert client.check(SWING).report.verdict == FREE, 'until a whole scene comes'
    finish(node, client)
