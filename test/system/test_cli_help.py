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
"""Help, version, and what happens when a command is misspelt."""

import os
import pty
import re
import subprocess
import sys

from cli_tools import cell, CELL, INVALID, run, VOUCH
import pytest

COMMANDS = ['check', 'batch', 'verify', 'inspect', 'motion', 'plan', 'repair']


@pytest.mark.parametrize('command', COMMANDS)
def test_help_has_usage_and_examples(command):
    for flag in ('--help', '-h'):
        result = run(command, flag)
        assert result.returncode == 0
        assert result.stderr == ''
        assert f'Usage: vouch {command}' in result.stdout
        assert 'Example' in result.stdout
        assert max(len(line) for line in result.stdout.splitlines()) <= 110


def test_top_help_lists_the_commands():
    result = run('--help')
    assert result.returncode == 0
    assert all(f'vouch {command}' in result.stdout for command in COMMANDS)


@pytest.mark.parametrize('command', ['check', 'plan', 'repair'])
def test_every_option_in_the_help_is_one(command):
    text = run(command, '--help').stdout
    for name in set(re.findall(r'--([a-z-]+)', text)) - {'help'}:
        result = run(command, f'--{name}')
        assert 'no option' not in result.stderr, name


def test_version():
    result = run('--version')
    assert re.fullmatch(r'vouch \d+\.\d+\.\d+\n', result.stdout)
    assert result.returncode == 0


def test_nothing_and_nonsense():
    assert run().returncode == INVALID
    result = run('chekc')
    assert result.returncode == INVALID
    assert 'chekc' in result.stderr
    assert '--help' in result.stderr


def test_full_disk_is_not_a_verdict():
    with open('/dev/full', 'w') as full:
        code = subprocess.run(
            [VOUCH, 'check', '--robot', CELL / 'arm.urdf', '--srdf', CELL / 'arm.srdf',
             '--trajectory', CELL / 'pick.yaml', '--cache', 'off'], stdout=full,
            stderr=subprocess.DEVNULL).returncode
    assert code == 4


def test_no_file_takes_the_place_of_a_closed_standard_output():
    """What is printed would else go into the first file that is opened for writing."""
    result = subprocess.run(
        ['sh', '-c', 'exec "$@" >&-', 'sh', VOUCH, 'check', '--robot', '/proc/self/fd/1'],
        stderr=subprocess.PIPE, text=True)
    assert 'cannot open' not in result.stderr and result.returncode != 0


def test_example_cell_is_what_its_script_makes(tmp_path):
    subprocess.run([sys.executable, str(CELL / 'make_cell.py'), str(tmp_path)], check=True)
    made = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob('*') if p.is_file())
    assert len(made) == 10
    for name in made:
        assert (tmp_path / name).read_bytes() == (CELL / name).read_bytes(), name


def on_a_terminal(**environment):
    """Return what vouch check writes to a terminal."""
    main, other = pty.openpty()
    settings = {k: v for k, v in os.environ.items() if k != 'NO_COLOR'}
    subprocess.run([str(VOUCH), 'check', *map(str, cell('pick.yaml'))], stdout=other,
                   env={**settings, 'TERM': 'xterm', **environment}, timeout=60)
    os.close(other)
    data = os.read(main, 65536).decode()
    os.close(main)
    return data


def test_colours_only_on_a_terminal_that_wants_them():
    assert '\033[1;32mFREE' in on_a_terminal()
    assert '\033' not in on_a_terminal(NO_COLOR='1')
    assert '\033' not in on_a_terminal(TERM='dumb')


def test_help_names_the_default_depth(tmp_path):
    text = run('check', '--help').stdout
    depth = re.search(r'--depth N +halvings of a segment, at most 44 \((\d+)\)', text).group(1)
    named, unnamed = (run('check', *cell('tight.yaml', '--json', '--margin', '0.001', *more)).stdout
                      for more in (['--depth', depth], []))
    other = run('check', *cell('tight.yaml', '--json', '--margin', '0.001', '--depth', '44')).stdout
    times = re.compile(r'"(cpu_|load_)?seconds": *[0-9.e-]+')
    assert times.sub('', named) == times.sub('', unnamed) != times.sub('', other)
