# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The example clients in C and in Python, the demo, and the launch files."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree

import pytest
from node_fixture import (
    CELL, Client, DOMAIN, INSTALL, NODE, ROOT, ball, finish, start)

C_CLIENT = INSTALL / 'lib' / 'vouch' / 'example_check_client'
ENVIRONMENT = dict(
    os.environ, ROS_DOMAIN_ID=str(DOMAIN), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
EXPECTED = {
    'pick': 'FREE', 'tight': 'FREE', 'through_plate': 'COLLISION', 'overshoot': 'COLLISION'}


def run(command, timeout=60, **changes):
    return subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, timeout=timeout,
        env=dict(ENVIRONMENT, **changes))


def verdicts(output):
    return dict(re.findall(r'^(\w+) +(FREE|COLLISION|UNDECIDED|INVALID)\b', output, re.MULTILINE))


def test_client_in_c():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    free = run([C_CLIENT, '--certificate', 'shoulder=0:1', 'elbow=0:0'])
    assert free.returncode == 0, free.stderr
    assert free.stdout.startswith('FREE')
    assert 'closest' in free.stdout and 'certificate' in free.stdout
    hit = run([C_CLIENT, '--points', '100', '--repeat', '20', 'shoulder=0:1.6', 'elbow=0:0'])
    assert hit.returncode == 1 and 'ball' in hit.stdout and 'median of 20' in hit.stdout
    assert run([C_CLIENT, 'wrist=0:1']).returncode == 3
    assert run([C_CLIENT, 'nonsense']).returncode == 4
    finish(node, client)


def test_client_in_python():
    parameters = {
        'robot_description_file': str(CELL / 'arm.urdf'),
        'robot_description_semantic_file': str(CELL / 'arm.srdf'),
        'scene_file': str(CELL / 'cell.yaml')}
    node, client = start(parameters)
    result = run([sys.executable, ROOT / 'examples' / 'ros' / 'check_client.py', CELL])
    assert result.returncode == 0, result.stderr
    assert verdicts(result.stdout) == EXPECTED, result.stdout
    finish(node, client)


def test_demo():
    result = run([sys.executable, ROOT / 'examples' / 'demo.py'], VOUCH_DEMO_DOMAIN=str(DOMAIN))
    assert result.returncode == 0, result.stderr
    assert verdicts(result.stdout) == EXPECTED, result.stdout


def test_help():
    result = run([NODE, '--help'])
    assert result.returncode == 0 and 'vouch_node' in result.stdout


@pytest.mark.skipif(
    importlib.util.find_spec('launch_ros') is None, reason='launch_ros is not installed')
def test_launch():
    process = subprocess.Popen(
        ['ros2', 'launch', 'vouch', 'vouch.launch.py', f'robot_description_file:={CELL}/arm.urdf',
         f'srdf_file:={CELL}/arm.srdf', 'namespace:=launched'], env=ENVIRONMENT)
    try:
        client = Client('/launched/vouch')
        client.wait()
        client.close()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_launch_files_are_the_executable_with_parameters():
    """Without launch_ros the same is done through the executable, and the files are only read."""
    for name in ('vouch.launch.py', 'demo.launch.py'):
        compile((ROOT / 'launch' / name).read_text(), name, 'exec')
    tree = xml.etree.ElementTree.parse(ROOT / 'launch' / 'vouch.launch.xml')
    xml_arguments = {a.get('name') for a in tree.findall('arg')}
    text = (ROOT / 'launch' / 'vouch.launch.py').read_text()
    assert xml_arguments == set(re.findall(r"^    \('(\w+)',", text, re.MULTILINE))
    given = {p.get('name') for p in tree.iter('param') if p.get('name')}
    assert given == set(re.findall(r"^            '(\w+)':", text, re.MULTILINE))
    node, client = start(
        {},
        ['--params-file', ROOT / 'config' / 'vouch.yaml',
         '-p', f'robot_description_file:={CELL}/arm.urdf',
         '-p', f'robot_description_semantic_file:={CELL}/arm.srdf',
         '-r', 'robot_description:=/elsewhere', '--log-level', 'warn'], namespace='/launched')
    assert client.check([]).report.robot_name == 'example_arm'
    finish(node, client)
