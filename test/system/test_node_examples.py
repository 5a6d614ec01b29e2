# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The example clients in C and in Python, the demo, and the launch files."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree

import pytest
from node_fixture import (
    CELL, Client, COLLISION, DOMAIN, FREE, INSTALL, NODE, ROOT, ball, finish, start)
import yaml

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


def test_the_request_of_the_manual():
    """What docs/ros2.md has people type is answered as it says there."""
    text = (ROOT / 'docs' / 'ros2.md').read_text()
    typed, = re.findall(r'vouch/srv/CheckTrajectory "(.*?)"', text, re.DOTALL)
    node, client = start({
        'robot_description_file': str(CELL / 'arm.urdf'),
        'robot_description_semantic_file': str(CELL / 'arm.srdf'),
        'scene_file': str(CELL / 'cell.yaml')})
    for words, verdict in ((typed, FREE), (typed.replace('-0.35', '0.7'), COLLISION)):
        request = yaml.safe_load(words)['trajectory']
        points = request['points']
        report = client.check(
            [p['positions'] for p in points], names=request['joint_names'],
            times=[p.get('time_from_start', {'sec': 0})['sec'] for p in points]).report
        assert report.verdict == verdict, report.message
    assert 'guard_plate' in (report.first_collision.a, report.first_collision.b)
    finish(node, client)


def test_help():
    result = run([NODE, '--help'])
    assert result.returncode == 0 and 'vouch_node' in result.stdout


REQUIRED = {
    'robot_description_file', 'robot_description_topic', 'robot_description_semantic_file', 'params_file', 'namespace',
    'log_level'}
LAUNCH = shutil.which('ros2') and importlib.util.find_spec('launch_ros')


def needs_launch(function):
    return pytest.mark.skipif(not LAUNCH, reason=(
        'NO launch_ros AND ros2 HERE: the launch files are only read, not launched; '
        'test_launch_files_are_the_executable_with_parameters does the same by hand'))(function)


@needs_launch
@pytest.mark.parametrize('file', ['vouch.launch.py', 'vouch.launch.xml'])
def test_launch(file, tmp_path):
    parameters = tmp_path / 'own.yaml'
    parameters.write_text(
        f'/**:\n  ros__parameters:\n    margin_m: 0.125\n    scene_file: {CELL}/cell.yaml\n')
    with open(tmp_path / 'log', 'w+') as log:
        process = subprocess.Popen(
            ['ros2', 'launch', 'vouch', file, f'robot_description_file:={CELL}/arm.urdf',
             f'robot_description_semantic_file:={CELL}/arm.srdf',
             f'params_file:={parameters}', 'namespace:=launched', 'log_level:=warn',
             'robot_description_topic:=/elsewhere'], env=ENVIRONMENT, stdout=log, stderr=log)
        try:
            client = Client('/launched/vouch')
            client.wait(60.0)
            report = client.check([]).report
            assert report.robot_name == 'example_arm' and report.margin_m == 0.125
            assert 'guard_plate' in {o.id for o in client.scene().scene.obstacles}, \
                'what is not given on the command line stays as in the file'
            assert client.node.count_subscribers('/elsewhere') == 1
            client.close()
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(30)
        log.seek(0)
        text = log.read()
    assert code == 0 and 'finished cleanly' in text, text
    assert '[INFO] [' not in text.replace('[INFO] [launch]', '').replace('[INFO] [vouch_node-1]', '')


@needs_launch
def test_launch_demo():
    result = run(['ros2', 'launch', 'vouch', 'demo.launch.py'], timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    found = dict(re.findall(
        r'(\w+) +(FREE|COLLISION|UNDECIDED|INVALID)\b', result.stdout + result.stderr))
    assert found == EXPECTED, result.stdout


def test_launch_files_are_the_executable_with_parameters():
    """Without launch_ros the same is done through the executable, and the files are only read."""
    for name in ('vouch.launch.py', 'demo.launch.py'):
        compile((ROOT / 'launch' / name).read_text(), name, 'exec')
    tree = xml.etree.ElementTree.parse(ROOT / 'launch' / 'vouch.launch.xml')
    xml_arguments = {a.get('name') for a in tree.findall('arg')}
    assert REQUIRED <= xml_arguments
    text = (ROOT / 'launch' / 'vouch.launch.py').read_text()
    assert xml_arguments == set(re.findall(r"^    \('(\w+)',", text, re.MULTILINE))
    used = set(re.findall(r"value\('(\w+)'\)", text))
    assert used == xml_arguments, 'every argument does something'
    include, = tree.findall('include')
    assert include.get('file') == '$(find-pkg-share vouch)/launch/vouch.launch.py'
    assert {a.get('name'): a.get('value') for a in include} == {
        name: f'$(var {name})' for name in xml_arguments}, 'and goes on as it is'
    node, client = start(
        {},
        ['--params-file', ROOT / 'config' / 'vouch.yaml',
         '-p', f'robot_description_file:={CELL}/arm.urdf',
         '-p', f'robot_description_semantic_file:={CELL}/arm.srdf',
         '-r', 'robot_description:=/elsewhere', '--log-level', 'warn'], namespace='/launched')
    assert client.check([]).report.robot_name == 'example_arm'
    assert client.node.count_subscribers('/elsewhere') == 1
    assert 'is up' not in node.output(), 'the log level counts'
    finish(node, client)
