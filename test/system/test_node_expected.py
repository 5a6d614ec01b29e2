# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""What people of ROS expect of any node: late joiners, the log, files that are missing, one line."""

import os
import subprocess

from node_fixture import (
    ball, CELL, COLLISION, DOMAIN, finish, FREE, fresh, INVALID, LATCHED, NODE, ROOT, start, urdf,
    world)  # noqa: F401
import pytest
from rcl_interfaces.msg import Log
from rclpy.qos import DurabilityPolicy, QoSProfile
from vouch.msg import TrajectoryReport

SWING = [(0.0, 0.0), (1.0, 0.0)]
QUARTER = [(0.0, 0.0), (1.5, 0.0)]


def test_who_joins_late_sees_the_newest_report(fresh):
    for points in (SWING, QUARTER, SWING, QUARTER):
        fresh.check(points)
    for depth in (1, 10):
        late = fresh.subscribe(TrajectoryReport, '~/report', QoSProfile(
            depth=depth, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        assert fresh.spin_until(lambda late=late: late, 5.0)
        fresh.spin(0.2)
        assert [r.verdict for r in late] == [COLLISION]
    assert LATCHED.depth == 1


def test_the_first_field_says_everything_in_one_line(fresh):
    assert list(TrajectoryReport.get_fields_and_field_types())[0] == 'summary'
    free = fresh.check(SWING).report
    assert free.verdict == FREE and free.summary.startswith('FREE: ')
    assert 'closest' in free.summary and bytes(free.robot_hash).hex()[:8] in free.summary
    assert bytes(free.problem_hash).hex()[:8] in free.summary and '\n' not in free.summary
    hit = fresh.check(QUARTER).report
    assert hit.summary.startswith('COLLISION: ') and hit.message in hit.summary
    wrong = fresh.check([(0.0, 0.0), (float('nan'), 0.0)]).report
    assert wrong.verdict == INVALID and wrong.summary == f'INVALID: {wrong.message}'


def test_the_log_is_on_rosout(fresh):
    lines = fresh.subscribe(Log, '/rosout', QoSProfile(
        depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    assert fresh.spin_until(lambda: any("robot 'two_link'" in line.msg for line in lines), 5.0)
    assert {line.name for line in lines if 'two_link' in line.msg} == {'vouch'}


def test_types_describe_themselves(fresh):
    kinds = pytest.importorskip('type_description_interfaces.srv', reason='not in this distro')
    service = fresh.client(kinds.GetTypeDescription, 'get_type_description')
    assert service.wait_for_service(10.0)
    from rclpy.type_support import check_for_type_support
    check_for_type_support(TrajectoryReport)
    wrong = fresh.call(service, kinds.GetTypeDescription.Request(
        type_name='vouch/msg/TrajectoryReport', type_hash='RIHS01_' + '0' * 64))
    assert not wrong.successful and wrong.failure_reason
    assert fresh.spin_until(lambda: fresh.node.get_publishers_info_by_topic('/vouch/report'), 5.0)
    info = fresh.node.get_publishers_info_by_topic('/vouch/report')[0]
    good = fresh.call(service, kinds.GetTypeDescription.Request(
        type_name=info.topic_type, type_hash=str(info.topic_type_hash), include_type_sources=True))
    assert good.successful, good.failure_reason
    names = [f.name for f in good.type_description.type_description.fields]
    assert names[0] == 'summary' and 'revoked' in names


@pytest.mark.parametrize('name', [
    'robot_description_file', 'robot_description_semantic_file', 'scene_file'])
def test_a_file_that_is_not_there_ends_the_start(name, tmp_path):
    """Not when a robot comes in on the topic, perhaps an hour later."""
    result = subprocess.run(
        [str(NODE), '--ros-args', '-p', f'{name}:={tmp_path}/missing.xml'], timeout=30,
        capture_output=True, text=True, env=dict(
            os.environ, ROS_DOMAIN_ID=str(DOMAIN), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST'))
    assert result.returncode == 1
    assert name in result.stderr and 'missing.xml' in result.stderr and 'No such file' in result.stderr


def test_meshes_are_kept_between_runs_unless_told_otherwise(tmp_path, monkeypatch):
    """The same place as on the command line, so that one warms the other."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    mesh = tmp_path / 'tetra.obj'
    mesh.write_text((ROOT / 'test' / 'fuzz' / 'corpus' / 'obj' / 'tetra.obj').read_text())
    text = urdf().replace('<box size="1.0 0.1 0.1"/>', f'<mesh filename="file://{mesh}"/>', 1)
    for cache, vetting, kept in (('off', False, False), ('', True, False), ('', False, True)):
        node, client = start({'robot_description': text, 'cache_directory': cache,
                              'vetting.enabled': vetting})   # what is forwarded rests on no cache
        client.apply(is_diff=False, name='world', obstacles=[ball()])
        finish(node, client)
        assert (tmp_path / 'vouch').is_dir() == kept, node.output()
        assert bool(list(tmp_path.glob('vouch/*.vouchgeo'))) == kept


def test_one_name_for_the_srdf():
    """Launch argument, parameter, and both kinds of launch file."""
    for file in ('vouch.launch.py', 'vouch.launch.xml', 'demo.launch.py'):
        text = (ROOT / 'launch' / file).read_text()
        assert 'robot_description_semantic_file' in text
    assert (CELL / 'arm.srdf').exists()
