# Copyright 2026 The vouch authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Run the command line and find the example cell, for test_cli_*.py."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELL = ROOT / 'examples' / 'cell'
FREE, COLLISION, UNDECIDED, INVALID, INTERNAL = range(5)

INSTALL = pathlib.Path(os.environ.get('VOUCH_INSTALL', ROOT / 'install' / 'vouch'))
VOUCH = pathlib.Path(os.environ.get('VOUCH_BIN', INSTALL / 'bin' / 'vouch'))
VERIFY = VOUCH.with_name('vouch-verify')


def run(*arguments, program=VOUCH, **options):
    """Run the program; a missing one fails the test, loudly."""
    if not program.exists():
        pytest.fail(f'{program} is not there; "make build" makes it, or set VOUCH_BIN')
    environment = {**os.environ, 'LC_ALL': 'C', **options.pop('env', {})}
    return subprocess.run(
        [str(program), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, text=True, timeout=60, env=environment, **options)


def cell(trajectory=None, *more, scene=True):
    """Arguments that name the example cell."""
    arguments = ['--robot', CELL / 'arm.urdf', '--srdf', CELL / 'arm.srdf', '--cache', 'off']
    if scene:
        arguments += ['--scene', CELL / 'cell.yaml']
    if trajectory:
        trajectory = pathlib.Path(trajectory)
        arguments += ['--trajectory',
                      trajectory if trajectory.is_absolute() else CELL / trajectory]
    return arguments + list(more)


def check(trajectory, *more, **options):
    """Run vouch check on the example cell."""
    return run('check', *cell(trajectory, *more), **options)


def check_json(trajectory, *more, code=None):
    """Run vouch check --json and return the parsed object."""
    result = check(trajectory, '--json', *more)
    if code is not None:
        assert result.returncode == code, result.stdout + result.stderr
    report = json.loads(result.stdout)
    if report['verdict'] != 'INVALID':
        assert_pairs_add_up(report)
    return report


def assert_pairs_add_up(report):
    """Two countings of the pairs, one from the scene and one from the problem, agree."""
    pairs = report['pairs']
    assert pairs['checked'] == report['statistics']['pairs']
    assert pairs['left_out'] == sum(pairs['reasons'].values())
    unsupported = sum(entry['reason'] == 'unsupported' for entry in report['open'])
    assert pairs['checked'] + pairs['left_out'] + unsupported == pairs['total']
    assert pairs['reasons'].get('no_joint_between', 0) == len(report['statics'])


def without_times(report):
    """Drop the only keys that differ between two runs."""
    statistics = dict(report.get('statistics', {}))
    # Several workers do not count configurations.
    for key in ('seconds', 'cpu_seconds', 'load_seconds', 'configurations'):
        statistics.pop(key, None)
    return {**report, 'statistics': statistics}
