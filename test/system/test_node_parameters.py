# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters from files and command line, the standard parameter services, names and namespaces."""

import subprocess

from diagnostic_msgs.msg import DiagnosticArray
from node_fixture import (
    CELL, FREE, INVALID, NODE, ROOT, ball, finish, start, trajectory, urdf)
from rcl_interfaces.msg import Parameter, ParameterEvent, ParameterType, ParameterValue
from rcl_interfaces.srv import (
    DescribeParameters, GetParameters, GetParameterTypes, ListParameters, SetParameters,
    SetParametersAtomically)
from rosgraph_msgs.msg import Clock
import yaml

SWING = [(0.0, 0.0), (1.0, 0.0)]


def value(content):
    kinds = {bool: ('PARAMETER_BOOL', 'bool_value'), int: ('PARAMETER_INTEGER', 'integer_value'),
             float: ('PARAMETER_DOUBLE', 'double_value'), str: ('PARAMETER_STRING', 'string_value'),
             list: ('PARAMETER_STRING_ARRAY', 'string_array_value')}
    kind, field = kinds[type(content)]
    return ParameterValue(type=getattr(ParameterType, kind), **{field: content})


def set_all(client, kind=SetParameters, **values):
    service = client.client(
        kind, 'set_parameters' if kind is SetParameters else 'set_parameters_atomically')
    request = kind.Request(
        parameters=[Parameter(name=n, value=value(v)) for n, v in values.items()])
    assert service.wait_for_service(10.0)
    return client.call(service, request)


def get(client, *names):
    service = client.client(GetParameters, 'get_parameters')
    assert service.wait_for_service(10.0)
    return client.call(service, GetParameters.Request(names=list(names))).values


def test_command_line_file_and_wildcards_the_later_wins():
    node, client = start(
        {'robot_description': urdf(), 'margin_m': 0.25, 'tolerance_rad': 0.125},
        ['-p', 'margin_m:=0.5', '-p', 'threads:=2', '-p', 'deadline_s:=2'])
    margin, tolerance, threads, deadline = get(
        client, 'margin_m', 'tolerance_rad', 'threads', 'deadline_s')
    assert (margin.double_value, tolerance.double_value) == (0.5, 0.125)
    assert (threads.integer_value, deadline.double_value) == (2, 2.0)
    report = client.check(SWING).report
    assert (report.margin_m, report.tolerance_rad) == (0.5, 0.125)
    finish(node, client)


def test_the_file_in_config_is_complete_and_accepted():
    path = ROOT / 'config' / 'vouch.yaml'
    node, client = start({}, ['--params-file', str(path)])
    service = client.client(ListParameters, 'list_parameters')
    assert service.wait_for_service(10.0)
    listed = set(client.call(service, ListParameters.Request()).result.names)
    text = yaml.safe_load(path.read_text())['/**']['ros__parameters']
    given = set()
    for key, content in text.items():
        given |= {f'{key}.{k}' for k in content} if isinstance(content, dict) else {key}
    assert given == listed, 'every parameter is explained there, and nothing else'
    assert 'not known' not in node.output() and 'refused' not in node.output(), node.output()
    finish(node, client)


def test_six_services():
    node, client = start()
    events = client.subscribe(ParameterEvent, '/parameter_events')
    client.spin(0.3)
    listed = client.call(client.client(ListParameters, 'list_parameters'), ListParameters.Request(
        prefixes=['vetting'])).result.names
    assert sorted(listed) == [
        'vetting.enabled', 'vetting.latency_s', 'vetting.tolerance_m', 'vetting.tolerance_rad']
    top = client.call(client.client(ListParameters, 'list_parameters'), ListParameters.Request(
        depth=1)).result.names
    assert 'margin_m' in top and 'vetting.enabled' not in top
    types = client.call(
        client.client(GetParameterTypes, 'get_parameter_types'),
        GetParameterTypes.Request(names=['margin_m', 'hulls', 'nobody', 'ignore'])).types
    assert list(types) == [3, 1, 0, 9]
    margin, nobody = client.call(
        client.client(DescribeParameters, 'describe_parameters'),
        DescribeParameters.Request(names=['margin_m', 'nobody'])).descriptors
    assert margin.description and margin.floating_point_range[0].from_value == 0.0
    assert nobody.type == 0

    assert set_all(client, margin_m=0.75).results[0].successful
    assert client.check(SWING).report.margin_m == 0.75
    assert client.spin_until(lambda: events, 5.0)
    assert events[-1].node == '/vouch' and events[-1].changed_parameters[0].name == 'margin_m'

    answers = set_all(
        client, margin_m=-1.0, nobody=1.0, method='magic', hulls='yes', use_sim_time=True,
        joint_tolerances=['shoulder'], deadline_s=float('nan'), max_points=0).results
    assert not any(a.successful for a in answers) and all(a.reason for a in answers)
    assert client.check(SWING).report.margin_m == 0.75

    both = set_all(client, SetParametersAtomically, margin_m=0.5, method='magic').result
    assert not both.successful and 'magic' in both.reason
    assert client.check(SWING).report.margin_m == 0.75, 'atomically: all or nothing'
    both = set_all(client, SetParametersAtomically, margin_m=0, method='schwarzer').result
    assert both.successful
    report = client.check(SWING).report
    assert (report.margin_m, report.method) == (0.0, 'schwarzer')
    finish(node, client)


def strings(client, *names):
    return [v.string_value for v in get(client, *names)]


def test_what_cannot_be_loaded_is_not_set():
    node, client = start()
    events = client.subscribe(ParameterEvent, '/parameter_events')
    client.spin(0.3)
    before = strings(client, 'robot_description', 'scene_file')
    for values, word in (
            ({'robot_description': '<robot'}, 'URDF'), ({'scene_file': '/nowhere.yaml'}, 'nowhere')):
        answer, = set_all(client, **values).results
        assert not answer.successful and word in answer.reason
        assert strings(client, 'robot_description', 'scene_file') == before
        assert client.check(SWING).report.robot_name == 'two_link'
    client.spin(0.2)
    assert not events, 'nothing was changed'
    health = client.subscribe(DiagnosticArray, '/diagnostics')
    assert client.spin_until(lambda: health, 5.0) and health[-1].status[0].message == 'ready'
    answer, = set_all(client, robot_description=urdf('good')).results
    assert answer.successful and not answer.reason
    assert client.check(SWING).report.robot_name == 'good'
    finish(node, client)


def test_atomically_means_all_or_nothing():
    node, client = start()
    file = str(CELL / 'arm.urdf')
    names = ('robot_description', 'robot_description_file', 'scene_file')
    before = strings(client, *names)
    for values, word in (
            ({'robot_description': '<robot', 'robot_description_file': file}, 'URDF'),
            ({'margin_m': 0.5, 'scene_file': '/nowhere.yaml'}, 'nowhere'),
            # The robot could be loaded, the scene not: the old robot comes back.
            ({'robot_description': urdf('new'), 'scene_file': '/nowhere.yaml'}, 'nowhere')):
        both = set_all(client, SetParametersAtomically, **values).result
        assert not both.successful and word in both.reason
        assert strings(client, *names) == before
        report = client.check(SWING).report
        assert (report.robot_name, report.margin_m) == ('two_link', 0.0)
    # An SRDF and the URDF that it belongs to can only come together.
    other = urdf('other').replace('"lower"', '"forearm"')
    pairs = '<robot name="other"><disable_collisions link1="upper" link2="forearm"/></robot>'
    assert set_all(client, SetParametersAtomically, robot_description=other,
                   robot_description_semantic=pairs).result.successful
    assert client.check(SWING).report.robot_name == 'other'
    both = set_all(
        client, SetParametersAtomically, robot_description='', robot_description_semantic='',
        robot_description_file=file).result
    assert both.successful and not both.reason
    assert client.check(SWING).report.robot_name == 'example_arm'
    finish(node, client)


def test_a_tolerance_of_a_request_goes_before_those_of_the_parameters():
    """Also before one that is there twice: 0.3 rad are asked for, and the arm reaches the ball."""
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    for own in (['shoulder=0.1'], ['shoulder=0.1', 'shoulder=0.0']):
        answer = set_all(client, joint_tolerances=own).results[0]
        assert answer.successful == (len(own) == 1)
        assert answer.successful or 'twice' in answer.reason
        report = client.check([(0.0, 0.0), (1.3, 0.0)], tolerance_joints=['shoulder'],
                              tolerances=[0.3]).report
        assert report.verdict != FREE
    finish(node, client)


def test_parameters_take_effect():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    set_all(client, joint_tolerances=['shoulder=0.3'])
    assert client.check([(0.0, 0.0), (1.3, 0.0)]).report.verdict != FREE
    set_all(client, joint_tolerances=[''])
    assert client.check([(0.0, 0.0), (1.3, 0.0)]).report.verdict == FREE
    set_all(client, max_points=1)
    report = client.check(SWING).report
    assert report.verdict == INVALID and 'max_points' in report.message
    set_all(client, max_points=100)
    assert client.apply(not_understood=['octomap']).success
    assert client.check(SWING).report.verdict == INVALID
    set_all(client, ignore=['octomap'])
    assert client.check(SWING).report.verdict == FREE
    # A robot by parameter, while running.
    set_all(client, robot_description=urdf('by_parameter'))
    assert client.check(SWING).report.robot_name == 'by_parameter'
    finish(node, client)


def test_scene_file_is_taken_whole_or_not_at_all(tmp_path):
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    before = client.scene().scene
    good, bad = tmp_path / 'good.yaml', tmp_path / 'bad.yaml'
    box = ('    - id: {}\n      primitives: [{{type: box, dimensions: [0.1, 0.1, 0.1]}}]\n'
           '      primitive_poses: [{{position: [{}, 0, 0], orientation: [0, 0, 0, 1]}}]\n')
    head = 'world:\n  collision_objects:\n'
    good.write_text(head + box.format('first', -5.0))
    bad.write_text(head + box.format('first', 1.0) + box.format('second', '.nan'))
    set_all(client, scene_file=str(bad))
    after = client.scene().scene
    assert (after.revision, bytes(after.hash)) == (before.revision, bytes(before.hash))
    assert 'the old scene stays' in node.output()
    set_all(client, scene_file=str(good))
    assert 'first' in [o.id for o in client.scene().scene.obstacles]
    finish(node, client)


def test_namespace_and_remapping():
    node, client = start(
        {'robot_description': urdf()}, ['-r', 'joint_states:=/elsewhere/states'],
        name='guard', namespace='/cell_7')
    assert client.name == '/cell_7/guard'
    assert client.check(SWING).report.robot_name == 'two_link'
    topics = dict(client.node.get_topic_names_and_types())
    assert '/elsewhere/states' in topics and '/cell_7/joint_states' not in topics
    assert '/cell_7/robot_description' in topics and '/cell_7/guard/report' in topics
    finish(node, client)


def test_wrong_parameters_stop_the_start_with_a_reason():
    for arguments, reason in (
            (['-p', 'method:=magic'], 'method'), (['-p', 'margin_m:=text'], 'margin_m'),
            (['-p', 'deadline_s:=-1.0'], 'deadline_s')):
        result = subprocess.run(
            [str(NODE), '--ros-args', *arguments], capture_output=True, text=True, timeout=20)
        assert result.returncode == 1 and reason in result.stderr
    node, client = start({'robot_description': urdf(), 'margn_m': 0.1})
    assert "'margn_m' is not known" in node.output()
    finish(node, client)


def test_simulated_time():
    node, client = start({'robot_description': urdf(), 'use_sim_time': True})
    clock = client.publisher(Clock, '/clock')
    message = Clock()
    message.clock.sec = 1000

    def tick():                # a clock ticks: a single message may be lost
        clock.publish(message)
        client.spin(0.05)
        return client.check(SWING).report.header.stamp.sec == 1000
    assert client.spin_until(tick, 10.0)
    later = trajectory(SWING)
    later.header.stamp.sec = 900
    from vouch.srv import CheckTrajectory
    report = client.check(request=CheckTrajectory.Request(trajectory=later)).report
    assert report.verdict == INVALID and 'past' in report.message
    finish(node, client)
