# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""What the node forwards rests on the files of meshes, not on the cache; a node of its own each."""

from live_fixture import Robot, set_parameter
from node_fixture import finish, start, urdf


def test_nothing_is_forwarded_that_rests_on_the_cache(tmp_path):
    """Whoever writes to the cache decides what the robot looks like."""
    node, client = start({'robot_description': urdf(), 'cache_directory': str(tmp_path / 'on')})
    assert client.check([(0.0, 0.0), (1.0, 0.0)]).report.robot_name == 'two_link'
    assert not (tmp_path / 'on').exists()
    finish(node, client)

    node, client = start({'robot_description': urdf(), 'cache_directory': str(tmp_path / 'off'),
                          'vetting.enabled': False})
    assert client.check([(0.0, 0.0), (1.0, 0.0)]).report.robot_name == 'two_link'
    assert (tmp_path / 'off').stat().st_mode & 0o777 == 0o700
    arm = Robot(client)
    try:
        set_parameter(arm, 'vetting.enabled', True)
        arm.at([0.0, 0.0])
        report = arm.send([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.1])
        assert not report.forwarded and 'cache_directory' in report.message, report.message
        client.spin(0.2)
        assert not arm.vetted
    finally:
        arm.end()
    finish(node, client)
