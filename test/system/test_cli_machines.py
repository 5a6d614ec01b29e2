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
"""Files as machines and spreadsheets write them: units, commas, tabs, names; xacro; pipes."""

import math
import os
import subprocess

from cli_tools import CELL, cell, check, COLLISION, FREE, INVALID, run, VOUCH
import pytest

JOINTS = ['joint_1', 'joint_2', 'joint_3', 'joint_4', 'joint_5', 'joint_6', 'finger_joint']
POINTS = [[0, 0.1, -0.3, 1.3, 0, 1.2, 0, 0.04], [1.5, 0.5, -0.25, 1.35, 0.1, 1.25, 0.5, 0.03]]


def radians():
    return 'time,' + ','.join(JOINTS) + '\n' + ''.join(
        ','.join(repr(value) for value in point) + '\n' for point in POINTS)


def degrees(point):
    """The numbers of a point with the six angles in degrees."""
    return [point[0], *(math.degrees(value) for value in point[1:7]), point[7]]


def table(header, rows, separator=',', decimal='.'):
    lines = [separator.join(header)]
    lines += [separator.join(f'{value:.17g}'.replace('.', decimal) for value in row)
              for row in rows]
    return '\n'.join(lines) + '\n'


UNITS = ['Time [s]', *(f'{joint} [deg]' for joint in JOINTS[:6]), 'finger_joint [m]']
SAME = {
    'semicolon and decimal comma': (table(['time', *JOINTS], POINTS, ';', ','), []),
    'tabs and decimal comma': (table(['time', *JOINTS], POINTS, '\t', ','), []),
    'tabs': (table(['time', *JOINTS], POINTS, '\t'), []),
    'Time [s]': (table(['Time [s]', *JOINTS], POINTS), []),
    'time_s': (table(['time_s', *JOINTS], POINTS), []),
    'milliseconds': (table(['Time (ms)', *JOINTS], [[1000 * p[0], *p[1:]] for p in POINTS]), []),
    'degrees': (table(['time', *JOINTS], map(degrees, POINTS)), ['--degrees']),
    'degrees in the header': (table(UNITS, map(degrees, POINTS)), []),
    'millimetres in the header': (
        table(['time', *JOINTS[:6], 'finger_joint [mm]'], [[*p[:7], 1000 * p[7]] for p in POINTS]),
        []),
    'columns that do not count': (
        table(['no', 'time', 'speed', *JOINTS], [[k, p[0], 0.5, *p[1:]]
                                                 for k, p in enumerate(POINTS)]),
        ['--columns', ','.join(['time', *JOINTS])]),
    'columns of other names': (
        table(['clock', 'A1', *JOINTS[1:]], POINTS),
        ['--columns', ','.join(['time=clock', 'joint_1=A1', *JOINTS[1:]])]),
    'columns of other names with units': (
        table(['clock', 'A1', *JOINTS[1:]], [[p[0], math.degrees(p[1]), *p[2:]] for p in POINTS]),
        ['--columns', ','.join(['time=clock', 'joint_1 [deg]=A1', *JOINTS[1:]])]),
    'a mark and Windows line ends': ('\ufeff' + radians().replace('\n', '\r\n'), []),
}


def dump(path, *more):
    """The exact motion, as inspect prints it."""
    result = run('inspect', *cell(path, '--dump', *more))
    assert result.returncode == 0, result.stderr
    return result.stdout[result.stdout.index('motion'):]


def numbers(text):
    values = []
    for word in text.replace('[', ' ').replace(']', ' ').replace(',', ' ').split():
        try:
            values.append(float(word))
        except ValueError:
            pass
    return values


@pytest.mark.parametrize('name', SAME)
def test_the_same_motion_in_another_dress(tmp_path, name):
    text, more = SAME[name]
    (tmp_path / 'plain.csv').write_text(radians())
    (tmp_path / 'other.csv').write_text(text)
    plain = check(tmp_path / 'plain.csv')
    other = check(tmp_path / 'other.csv', *more)
    assert other.returncode == plain.returncode == FREE, other.stderr
    wanted, got = (numbers(dump(tmp_path / f'{file}.csv', *options))
                   for file, options in (('plain', []), ('other', more)))
    assert len(wanted) == len(got)
    assert got == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_columns_that_do_not_count_are_named(tmp_path):
    text, more = SAME['columns that do not count']
    (tmp_path / 'm.csv').write_text(text)
    assert 'not looked at: no, speed' in check(tmp_path / 'm.csv', *more).stdout


def test_degrees_are_never_guessed(tmp_path):
    """Radians they are, and a warning asks."""
    (tmp_path / 'm.csv').write_text(table(['time', *JOINTS], map(degrees, POINTS)))
    result = check(tmp_path / 'm.csv')
    assert 'taken as radians; if they are degrees, say --degrees' in result.stdout
    assert 'overshoot' in result.stdout
    (tmp_path / 'm.csv').write_text(radians())
    assert 'degrees' not in check(tmp_path / 'm.csv').stdout


REFUSED = {
    'a joint in millimetres': (radians().replace('joint_1', 'joint_1 [mm]'), [], 'rad and deg'),
    'a slide in degrees': (radians().replace('finger_joint', 'finger_joint (deg)'), [], 'm and mm'),
    'time in hours': (radians().replace('time', 'time [h]'), [], "'h'; s and ms"),
    'a joint misspelled': (radians().replace('joint_3', 'jiont_3'), [], "is 'joint_3' meant?"),
    'a joint of another robot': (radians().replace('joint_3', 'A3'), [], 'finger_joint; --columns'),
    'a column that is not there': (radians(), ['--columns', 'time,joint_1,torque'], 'torque'),
    'decimal commas between commas': (
        radians().replace('0.5', '0,5'), [], 'separate columns by'),
    'thousands': (table(['time', *JOINTS], POINTS, ';').replace('1.5', '1.500,0'), [], '1.500,0'),
    'two times': (radians().replace('joint_1', 'Time [s]'), [], 'twice'),
}


@pytest.mark.parametrize('name', REFUSED)
def test_what_is_not_clear_is_refused_with_the_way_out(tmp_path, name):
    text, more, words = REFUSED[name]
    (tmp_path / 'm.csv').write_text(text)
    result = check(tmp_path / 'm.csv', *more)
    assert result.returncode == INVALID, result.stdout
    assert words in result.stderr and result.stderr.count('\n') == 1, result.stderr


@pytest.mark.parametrize('option', [['--degrees'], ['--columns', 'time']])
def test_messages_have_no_columns(option):
    result = check('pick.yaml', *option)
    assert result.returncode == INVALID and 'are for CSV files' in result.stderr


@pytest.mark.parametrize('name, text, what', [
    ('weld.src', 'DEF weld()\nPTP HOME\nEND\n', 'KRL'),
    ('weld.mod', 'MODULE weld\nENDMODULE\n', 'RAPID'),
    ('weld.script', 'def weld():\n  movej([0,0,0,0,0,0])\nend\n', 'URScript'),
    ('weld.txt', '&ACCESS RVP\nDEF weld()\n', 'KRL'),
    ('run_0.db3', 'SQLite format 3', 'ROS bag'), ('run_0.mcap', 'MCAP', 'ROS bag')])
def test_programs_and_bags_are_named_and_not_read(tmp_path, name, text, what):
    (tmp_path / name).write_text(text)
    result = check(tmp_path / name)
    assert result.returncode == INVALID and what in result.stderr and 'not read' in result.stderr


def test_misspelled_names_and_keys_are_questions(tmp_path):
    path = tmp_path / 'm.yaml'
    text = (CELL / 'pick.yaml').read_text()
    path.write_text(text.replace('joint_3', 'jont_3', 1))
    result = check(path)
    assert result.returncode == INVALID
    assert "is 'joint_3' meant?" in result.stderr and 'it has joint_1, joint_2' in result.stderr
    path.write_text(text.replace('points:', 'pionts:', 1))
    result = check(path)
    assert result.returncode == INVALID and "is 'points' meant?" in result.stderr, result.stderr


def pipe(text, *more):
    environment = {**os.environ, 'LC_ALL': 'C'}
    return subprocess.run(
        [str(VOUCH), 'check', *map(str, cell()), '--trajectory', '-', *more], input=text, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=60)


@pytest.mark.parametrize('name, code', [('pick.yaml', FREE), ('through_plate.yaml', COLLISION)])
def test_a_trajectory_on_standard_input(name, code):
    assert pipe((CELL / name).read_text()).returncode == code
    assert pipe(radians()).returncode == FREE
    for wrong in ('', 'hello\n'):
        result = pipe(wrong)
        assert result.returncode == INVALID and 'standard input' in result.stderr, result.stderr


def make_xacro(directory, script):
    """A program xacro in front of the path."""
    (directory / 'bin').mkdir()
    program = directory / 'bin' / 'xacro'
    program.write_text(f'#!/bin/sh\n{script}\n')
    program.chmod(0o755)
    return {'PATH': f"{directory / 'bin'}:{os.environ['PATH']}"}


def check_xacro(directory, **options):
    (directory / 'arm.urdf.xacro').write_text((CELL / 'arm.urdf').read_text())
    (directory / 'meshes').symlink_to(CELL / 'meshes')
    arguments = cell('pick.yaml')
    arguments[arguments.index('--robot') + 1] = directory / 'arm.urdf.xacro'
    return run('check', *arguments, '--package', f'cell={CELL}', **options)


def test_xacro_is_run_where_it_is_installed(tmp_path):
    result = check_xacro(tmp_path, env=make_xacro(tmp_path, 'cat "$1"'))
    assert result.returncode == FREE, result.stderr


def test_xacro_that_fails_is_an_error_of_the_user(tmp_path):
    result = check_xacro(
        tmp_path, env=make_xacro(tmp_path, 'echo "no such macro" >&2; echo "<robot"; exit 2'))
    assert result.returncode == INVALID
    assert 'no such macro' in result.stderr and 'xacro did not make a URDF' in result.stderr


def test_without_xacro_the_way_out_is_said(tmp_path):
    result = check_xacro(tmp_path, env={'PATH': '/nowhere'})
    assert result.returncode == INVALID
    assert 'needs the program xacro' in result.stderr and '> robot.urdf' in result.stderr
