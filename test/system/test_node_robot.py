# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Where the robot comes from: topics, parameters, convex meshes; and what its changes do."""

import hashlib
import math
import threading
import time

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Transform, TransformStamped, Vector3
from node_fixture import (
    CELL, COLLISION, FREE, INVALID, LATCHED, Client, ball, finish, joint_state, keep_busy,
    obstacle, start, urdf)
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState, MultiDOFJointState
from shape_msgs.msg import SolidPrimitive
from std_msgs.msg import String
from vouch.msg import AllowedPairs, AttachedObject, RobotGeometry, Scene

SWING = [(0.0, 0.0), (1.0, 0.0)]
QUARTER = [(0.0, 0.0), (math.pi / 2, 0.0)]


def publish(client, text, topic='/robot_description'):
    publisher = client.node.create_publisher(String, topic, LATCHED)
    publisher.publish(String(data=text))
    return publisher


def description_hash(text):
    return list(hashlib.sha256(text.encode()).digest())


def robot_of(client):
    return client.check(SWING).report.robot_name


def test_robot_from_latched_topics_and_hot_reload():
    early = Client()
    publisher = publish(early, urdf('first'))     # before the node exists
    node, client = start({})
    assert client.spin_until(lambda: robot_of(client) == 'first', 10.0), 'a late joiner gets it'
    assert client.apply(obstacles=[ball()]).success
    assert client.check(QUARTER).report.verdict == COLLISION
    first = client.check(SWING).report

    # The ball stays, the robot changes: links of half the length do not reach it.
    publisher.publish(String(data=urdf('second', 0.4).replace('"1.0 0.1', '"0.4 0.1')))
    assert client.spin_until(lambda: robot_of(client) == 'second', 10.0)
    second = client.check(SWING).report
    assert second.verdict == FREE and bytes(second.robot_hash) != bytes(first.robot_hash)
    assert [o.id for o in client.scene().scene.obstacles] == ['ball']

    # A broken one leaves the robot in place and says so.
    broken = urdf('bad').replace('base', 'upper')
    for text in ('', 'no xml', '<robot name="x"><link name="a">', broken):
        publisher.publish(String(data=text))
        client.spin(0.2)
        assert robot_of(client) == 'second'
    assert 'refused' in node.output() and 'the old robot stays' in node.output()

    # The SRDF is obeyed and can come later: without a disabled pair neighbours are checked.
    bend = [(0.0, 0.0), (0.0, 0.5)]
    assert client.check(bend).report.verdict == FREE
    semantic = publish(early, '<robot name="second"/>', '/robot_description_semantic')
    assert client.spin_until(lambda: client.check(bend).report.pairs == 3, 10.0), node.output()
    semantic.publish(String(
        data='<robot name="second"><disable_collisions link1="upper" link2="lower"/></robot>'))
    assert client.spin_until(lambda: client.check(bend).report.pairs == 2, 10.0), node.output()
    early.close()
    finish(node, client)


VIRTUAL = """<robot name="x">
  <virtual_joint name="stand" type="floating" parent_frame="world" child_link="base"/>
  <disable_collisions link1="upper" link2="lower"/></robot>"""


def test_a_new_robot_stands_in_the_old_scene():
    """Whatever was set stays: objects, attached ones, padding of links, where the robot stands."""
    node, client = start({'robot_description_semantic': VIRTUAL})
    publisher = publish(client, urdf('first'))
    assert client.spin_until(lambda: robot_of(client) == 'first', 10.0)
    tool = obstacle('tool', SolidPrimitive.SPHERE, [0.01], (0.5, 0.0, 0.0), padding_m=0.02)
    marker = TransformStamped(child_frame_id='corner')
    marker.transform.translation.x, marker.transform.rotation.w = 5.0, 1.0
    stand = Transform(translation=Vector3(x=5.0, y=0.0, z=0.0))
    answer = client.apply(
        obstacles=[ball(frame='corner'), ball('far', at=(-9.0, 0.0, 0.0))],
        attached=[AttachedObject(link_name='lower', object=tool, touch_links=['upper'])],
        fixed_transforms=[marker], padding_names=['upper', 'far'], paddings=[0.05, 0.01],
        allowed=AllowedPairs(a=['far'], b=['upper'], allowed=[True]),
        multi_dof_state=MultiDOFJointState(joint_names=['stand'], transforms=[stand]),
        not_understood=['fog'])
    assert answer.success, answer.message
    before = client.scene().scene
    assert before.paddings[0] == 0.05 and before.multi_dof_state.joint_names == ['stand']
    publisher.publish(String(data=urdf('second')))
    assert client.spin_until(lambda: robot_of(client) == 'second', 10.0)
    after = client.scene().scene
    assert after.revision > before.revision, 'one number, one scene'
    for field in (
            'fixed_transforms', 'obstacles', 'attached', 'allowed', 'padding_names', 'paddings',
            'multi_dof_state', 'not_understood'):
        assert getattr(after, field) == getattr(before, field), field
    finish(node, client)


def test_a_robot_that_the_scene_does_not_fit_is_not_the_old_one():
    """Its description is good, and a tool hangs on a link that it does not have."""
    node, client = start({})
    texts = publish(client, urdf('first'))
    assert client.spin_until(lambda: robot_of(client) == 'first', 10.0)
    tool = AttachedObject(link_name='lower', object=ball('tool', at=(0.5, 0.0, 0.0), radius=0.01))
    assert client.apply(obstacles=[ball()], attached=[tool]).success
    other = urdf('second').replace('"lower"', '"fore"')
    texts.publish(String(data=other))
    assert client.spin_until(lambda: client.check(SWING).report.verdict == INVALID, 10.0)
    report = client.check(SWING).report
    assert 'description' in report.message and "'tool'" in node.output()
    texts.publish(String(data='no xml'))
    client.spin(0.3)
    assert client.check(SWING).report.verdict == INVALID, 'a broken one does not bring it back'
    # Back to the old one, or on to the new one with a scene for it.
    texts.publish(String(data=urdf('first')))
    assert client.spin_until(lambda: client.check(SWING).report.verdict == FREE, 10.0)
    texts.publish(String(data=other))
    assert client.spin_until(lambda: client.check(SWING).report.verdict == INVALID, 10.0)
    assert client.apply(is_diff=False, name='whole', obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == INVALID
    texts.publish(String(data=other))
    assert client.spin_until(lambda: client.check(SWING).report.verdict == FREE, 10.0)
    assert robot_of(client) == 'second'
    finish(node, client)


def test_another_virtual_joint_is_not_where_the_old_one_was():
    node, client = start({'robot_description': urdf()})
    semantic = publish(client, VIRTUAL, '/robot_description_semantic')

    def stand_at(x):
        held = MultiDOFJointState(
            joint_names=['stand'], transforms=[Transform(translation=Vector3(x=x, y=0.0, z=0.0))])
        return client.apply(obstacles=[ball()], multi_dof_state=held).success
    assert client.spin_until(lambda: stand_at(5.0), 10.0)
    assert client.check(QUARTER).report.verdict == FREE, 'the ball is far from the robot'
    before = bytes(client.check(SWING).report.scene_hash)
    for old, new in (('name="stand"', 'name="wheels"'), ('parent_frame="world"', 'parent_frame="map"')):
        semantic.publish(String(data=VIRTUAL.replace(old, new)))
        assert client.spin_until(
            lambda: client.check(QUARTER).report.verdict == COLLISION, 10.0), node.output()
        report = client.check(QUARTER).report
        assert any('stands' in w for w in report.warnings)
        assert bytes(report.scene_hash) != before
        semantic.publish(String(data=VIRTUAL))
        assert client.spin_until(lambda: stand_at(5.0), 10.0)
        assert client.check(QUARTER).report.verdict == FREE
    client.node.destroy_publisher(semantic)
    finish(node, client)


def test_without_a_robot_everything_is_invalid():
    node, client = start({})
    health = client.subscribe(DiagnosticArray, '/diagnostics')
    assert client.spin_until(lambda: health, 5.0)
    assert health[-1].status[0].level == b'\x01' and 'robot_description' in health[-1].status[0].message
    report = client.check(SWING).report
    assert report.verdict == INVALID and 'robot_description' in report.message
    answer = client.apply(obstacles=[ball()])
    assert not answer.success and 'robot' in answer.message
    assert client.scene().scene.revision == 0
    finish(node, client)


def test_a_scene_that_came_before_the_robot_is_missed():
    node, client = start({})
    health = client.subscribe(DiagnosticArray, '/diagnostics')
    scenes = client.publisher(Scene, '~/scene')
    scenes.publish(Scene(is_diff=True))      # which changes nothing
    scenes.publish(Scene(is_diff=True, obstacles=[ball(at=(1.5, 0.5, 0.0))]))
    assert client.spin_until(lambda: node.output().count('scene refused') == 2, 10.0)
    text = publish(client, urdf())
    assert client.spin_until(lambda: robot_of(client) == 'two_link', 10.0)
    report = client.check(SWING).report
    assert report.verdict == INVALID and 'before the robot' in report.message
    del health[:]
    assert client.spin_until(lambda: health, 5.0)
    assert 'before the robot' in health[-1].status[0].message
    assert client.apply(obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == INVALID, 'a change does not bring it back'
    assert client.apply(is_diff=False, name='whole', obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == FREE
    client.node.destroy_publisher(text)
    finish(node, client)


def test_hot_reload_during_requests():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    other = Client()
    publisher = publish(other, urdf('other'))
    # With robot_description as a parameter the topic has no say.
    client.spin(0.3)
    assert robot_of(client) == 'two_link'
    finish(node, client)

    node, client = start({})
    assert client.spin_until(lambda: robot_of(client) == 'other', 10.0)
    assert client.apply(obstacles=[ball()]).success
    stop = threading.Event()

    def reload():
        number = 0
        while not stop.is_set():
            number += 1
            publisher.publish(String(data=urdf(f'robot_{number}')))
            stop.wait(0.01)
    thread = threading.Thread(target=reload)
    thread.start()
    names = set()
    try:
        for _ in range(60):
            names.add(client.check(SWING).report.robot_name)
            assert client.check(QUARTER).report.verdict == COLLISION
            assert client.check(SWING).report.verdict == FREE
    finally:
        stop.set()
        thread.join()
    assert len(names) > 1, 'the robot did change meanwhile'
    other.close()
    finish(node, client)


def test_cell_from_files():
    parameters = {
        'robot_description_file': str(CELL / 'arm.urdf'),
        'robot_description_semantic_file': str(CELL / 'arm.srdf'),
        'scene_file': str(CELL / 'cell.yaml')}
    node, client = start(parameters)
    names = {o.id for o in client.scene().scene.obstacles}
    assert {'table', 'guard_plate', 'post_left'} <= names
    finish(node, client)


def received_geometry(client):
    received = client.subscribe(RobotGeometry, '~/robot_geometry', LATCHED)
    assert client.spin_until(lambda: received, 10.0)
    return received[-1]


def built_geometry():
    node, client = start()
    geometry = received_geometry(client)
    finish(node, client)
    return geometry


def test_convex_meshes_go_out_and_come_in():
    node, client = start()
    geometry = received_geometry(client)
    assert geometry.robot_name == 'two_link' and any(geometry.robot_hash)
    assert sorted(link.link_name for link in geometry.links) == ['lower', 'upper']
    assert list(geometry.description_hash) == description_hash(urdf())
    part, = geometry.links[0].parts
    assert len(part.vertices) == 8 and len(part.triangles) == 12 and part.exact
    assert math.isclose(part.ball_radius_m, math.hypot(0.5, 0.05, 0.05), rel_tol=1e-9)
    assert math.isclose(part.center.x, 0.5)
    finish(node, client)

    # The same meshes into a node that must not look at the URDF's own geometry.
    useless = urdf('two_link').replace('1.0 0.1 0.1', '9 9 9')
    node, client = start({'robot_description': useless, 'geometry_source': 'topic'})
    assert client.check(SWING).report.verdict == INVALID, 'nothing is checked before they arrive'
    publisher = client.publisher(RobotGeometry, '~/robot_geometry', LATCHED)
    publisher.publish(geometry)
    assert client.spin_until(lambda: 'another description' in node.output(), 10.0)
    assert client.check(SWING).report.verdict == INVALID, 'they were made for another text'
    geometry.description_hash = description_hash(useless)
    publisher.publish(geometry)
    assert client.spin_until(lambda: client.check(SWING).report.verdict != INVALID, 10.0)
    assert client.apply(obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == FREE
    assert client.check(QUARTER).report.verdict == COLLISION

    # Meshes of another robot are not this one's, however its links are called.
    geometry.robot_name = 'another'
    geometry.links[0].parts[0].vertices = geometry.links[0].parts[0].vertices[:4]
    publisher.publish(geometry)
    assert client.spin_until(lambda: "of robot 'another'" in node.output(), 10.0)
    assert client.check(QUARTER).report.verdict == COLLISION
    finish(node, client)


def test_meshes_belong_to_one_text(tmp_path):
    """The same names and another shoulder: the old meshes must not stand on the new joints."""
    moved = urdf().replace('<child link="upper"/>', '<child link="upper"/><origin xyz="0 1 0"/>')
    file = tmp_path / 'arm.urdf'
    file.write_text(urdf())
    node, client = start({'robot_description_file': str(file)})
    geometry = received_geometry(client)
    assert list(geometry.description_hash) == description_hash(urdf()), 'of a file too'
    finish(node, client)

    node, client = start({'geometry_source': 'topic'})
    publisher = client.publisher(RobotGeometry, '~/robot_geometry', LATCHED)
    publisher.publish(geometry)
    texts = publish(client, moved)
    assert client.spin_until(lambda: 'another description' in node.output(), 10.0), node.output()
    assert client.check(SWING).report.verdict == INVALID
    texts.publish(String(data=urdf()))
    assert client.spin_until(lambda: robot_of(client) == 'two_link', 10.0), node.output()
    # Meshes that do not say what they were made for go by the name.
    geometry.description_hash = [0] * 32
    publisher.publish(geometry)
    texts.publish(String(data=moved))
    assert client.apply(obstacles=[ball()]).success
    assert client.spin_until(
        lambda: client.check([(0.0, 0.0), (1.2, 0.0)]).report.verdict == COLLISION, 10.0)
    finish(node, client)


def test_links_that_are_there_twice_are_refused():
    geometry = built_geometry()
    node, client = start({'robot_description': urdf(), 'geometry_source': 'topic'})
    publisher = client.publisher(RobotGeometry, '~/robot_geometry', LATCHED)
    geometry.links = [*geometry.links, geometry.links[0]]
    publisher.publish(geometry)
    assert client.spin_until(lambda: 'is there twice' in node.output(), 10.0), node.output()
    assert client.check(SWING).report.verdict == INVALID
    geometry.links = geometry.links[:-1]
    publisher.publish(geometry)
    assert client.spin_until(lambda: client.check(SWING).report.verdict != INVALID, 10.0)
    finish(node, client)


def test_meshes_may_come_before_and_after_the_description():
    geometry = built_geometry()
    node, client = start({'geometry_source': 'topic'})
    publisher = client.publisher(RobotGeometry, '~/robot_geometry', LATCHED)
    publisher.publish(geometry)
    texts = publish(client, urdf())
    assert client.spin_until(lambda: robot_of(client) == 'two_link', 10.0)
    # The next robot: first its description, which has to wait for its meshes.
    assert client.apply(obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == FREE
    texts.publish(String(data=urdf('next')))
    assert client.spin_until(lambda: client.check(SWING).report.verdict == INVALID, 10.0)
    assert 'robot_geometry' in client.check(SWING).report.message, 'nor about the old robot'
    geometry.robot_name, geometry.description_hash = 'next', description_hash(urdf('next'))
    publisher.publish(geometry)
    assert client.spin_until(lambda: robot_of(client) == 'next', 10.0), node.output()
    assert client.check(SWING).report.verdict == FREE
    finish(node, client)


def test_nothing_is_checked_before_the_meshes_are_there():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    assert client.check(SWING).report.verdict == FREE
    service = client.client(SetParameters, 'set_parameters')
    assert service.wait_for_service(10.0)
    for source, verdict in (('topic', INVALID), ('urdf', FREE)):
        answer = client.call(service, SetParameters.Request(parameters=[Parameter(
            name='geometry_source', value=ParameterValue(
                type=ParameterType.PARAMETER_STRING, string_value=source))]))
        assert answer.results[0].successful
        report = client.check(SWING).report
        assert report.verdict == verdict, report.message
        assert verdict == FREE or 'robot_geometry' in report.message
    finish(node, client)

    node, client = start({'robot_description': urdf(), 'geometry_source': 'topic'})
    health = client.subscribe(DiagnosticArray, '/diagnostics')
    assert client.spin_until(lambda: health, 5.0)
    assert 'robot_geometry' in health[-1].status[0].message and 'robot_geometry' in node.output()
    finish(node, client)


def swing(client):
    """Where the elbow is, only joint_states says."""
    return client.check(
        [(0.5,), (1.0,)], names=['shoulder'], start_state=joint_state([0.5], ['shoulder'])).report


def test_a_joint_state_does_not_replace_a_newer_one():
    node, client = start({'robot_description': urdf(), 'joint_state_timeout_s': 30.0})
    assert client.apply(obstacles=[ball()]).success
    publisher = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    now = time.time()
    for elbow, stamp, verdict in (
            (1.1, now - 1.0, COLLISION), (0.0, now - 2.0, COLLISION), (0.0, now - 0.5, FREE)):
        for _ in range(10):     # best effort: one may be lost
            publisher.publish(joint_state([0.5, elbow], stamp=stamp))
            client.spin(0.05)
        assert swing(client).verdict == verdict
    finish(node, client)


def test_an_infinite_velocity_is_no_state():
    node, client = start({'robot_description': urdf(), 'joint_state_timeout_s': 60.0})
    assert client.apply(obstacles=[ball()]).success
    publisher = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    for velocity, verdict in ((math.inf, INVALID), (-math.inf, INVALID), (math.nan, FREE)):
        for _ in range(10):     # best effort: one may be lost
            publisher.publish(joint_state([0.5, 0.0], velocities=[0.0, velocity]))
            client.spin(0.03)
        report = swing(client)
        assert report.verdict == verdict, report.message
        assert verdict == FREE or 'elbow' in report.message
    finish(node, client)


def test_joint_states_are_the_start_and_stale_ones_are_not():
    node, client = start({'robot_description': urdf(), 'joint_state_timeout_s': 0.3})
    assert client.apply(obstacles=[ball()]).success
    publisher = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)

    def with_state(values, expected, velocities=()):
        # A busy machine may deliver a state late, or so late that it is stale already.
        for _ in range(40):
            publisher.publish(joint_state(values, velocities=velocities))
            client.spin(0.05)
            report = swing(client)
            if report.verdict == expected:
                break
        return report
    assert with_state([0.5, 0.0], FREE).verdict == FREE
    # A robot at rest reports small velocities: noise, also without any tolerance.
    assert with_state([0.5, 0.0], FREE, [2e-4, -2e-4]).verdict == FREE
    # Where the trajectory does not say it, the measured elbow decides.
    assert with_state([0.5, 1.1], COLLISION).verdict == COLLISION
    client.spin(0.5)
    report = swing(client)
    assert report.verdict == INVALID and 'old' in report.message
    finish(node, client)


def test_a_state_without_a_stamp_is_as_old_as_its_arrival():
    """It came while the node was busy, and was too old before the node read it."""
    node, client = start({'robot_description': urdf(), 'joint_state_timeout_s': 0.4})
    assert client.apply(obstacles=[ball()]).success
    publisher = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    for wait, verdict in ((1.5, INVALID), (0.0, FREE)):
        if wait:
            assert not keep_busy(client, wait).done()
        for _ in range(5):
            publisher.publish(joint_state([0.5, 0.0]))
        report = swing(client)
        assert report.verdict == verdict, report.message
        assert verdict == FREE or ' old' in report.message
    finish(node, client)


def test_a_state_is_not_younger_than_it_came():
    """A sender whose clock is 0.5 s ahead: 0.5 s later its state of a moving joint looks new."""
    node, client = start({'robot_description': urdf(), 'joint_state_timeout_s': 2.0})
    assert client.apply(obstacles=[ball()]).success
    publisher = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    for _ in range(10):
        publisher.publish(joint_state([0.5, 0.0], velocities=[0.0, 0.1], stamp=time.time() + 0.5))
        client.spin(0.01)
    client.spin(0.45)
    report = client.check(
        [(0.5,), (0.6,)], names=['shoulder'], start_state=joint_state([0.5], ['shoulder']),
        tolerance_rad=0.02).report
    assert report.verdict == INVALID and "'elbow'" in report.message, report.message
    finish(node, client)
