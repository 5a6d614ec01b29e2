# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The whole way once, quickly: the command line, the verifier, and the node through its service."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALL = pathlib.Path(os.environ.get('VOUCH_INSTALL', ROOT / 'install' / 'vouch'))
CELL = ROOT / 'examples' / 'cell'


def run(*command):
    return subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, timeout=120)


def check(trajectory, *more):
    return run(
        INSTALL / 'bin' / 'vouch', 'check', '--robot', CELL / 'arm.urdf', '--srdf',
        CELL / 'arm.srdf', '--scene', CELL / 'cell.yaml', '--trajectory', CELL / trajectory, *more)


def test_command_line_proves_and_verifier_agrees(tmp_path):
    problem, certificate = tmp_path / 'problem', tmp_path / 'certificate'
    result = check('pick.yaml', '--problem', problem, '--certificate', certificate)
    assert result.returncode == 0 and 'FREE' in result.stdout, result.stdout
    result = run(INSTALL / 'bin' / 'vouch-verify', problem, certificate)
    assert result.returncode == 0 and 'VERIFIED' in result.stdout, result.stdout


def test_command_line_finds_the_plate_between_the_waypoints():
    result = check('through_plate.yaml')
    assert result.returncode == 1, result.stdout
    assert 'COLLISION' in result.stdout and 'guard_plate' in result.stdout


def test_node_answers_the_demo():
    if not (INSTALL / 'lib' / 'vouch' / 'vouch_node').exists():
        pytest.skip('the node is not built: no ROS 2 here')
    result = run(sys.executable, ROOT / 'tools' / 'demo.py')
    assert result.returncode == 0, result.stdout
    assert '6 of 6 free' in result.stdout and 'COLLISION' in result.stdout
