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
"""vouch batch: many rows, the same bytes for any number of threads."""

import csv
import io
import json

from cli_tools import CELL, COLLISION, FREE, INVALID, run, VERIFY
import pytest

ROWS = ['pick', 'through_plate', 'tight', 'overshoot']


def write_list(directory, rows, header='name,trajectory,margin'):
    path = directory / 'list.csv'
    path.write_text('\n'.join([header, *rows]) + '\n')
    return path


def batch(path, *more, **options):
    return run('batch', path, '--robot', CELL / 'arm.urdf', '--srdf', CELL / 'arm.srdf',
               '--scene', CELL / 'cell.yaml', '--cache', 'off', *more, **options)


@pytest.fixture
def stories(tmp_path):
    return write_list(tmp_path, [f'{name},{CELL}/{name}.yaml,' for name in ROWS])


def test_rows_come_in_order_with_their_verdicts(stories):
    result = batch(stories)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row['name'] for row in rows] == ROWS
    assert [row['verdict'] for row in rows] == ['FREE', 'COLLISION', 'FREE', 'COLLISION']
    assert rows[1]['b'] == 'guard_plate' or rows[1]['a'] == 'guard_plate'
    assert float(rows[2]['clearance_upper_m']) == pytest.approx(0.001, abs=1e-5)
    assert result.returncode == COLLISION
    assert '4 rows' in result.stderr


@pytest.mark.parametrize('more', [[], ['--json']])
def test_threads_do_not_change_a_byte(stories, tmp_path, more):
    path = write_list(tmp_path, [f'{name}{k},{CELL}/{name}.yaml,0.000{k}'
                                 for k in range(5) for name in ROWS])
    one = batch(path, '--threads', '1', *more)
    four = batch(path, '--threads', '4', *more)
    assert one.stdout == four.stdout
    assert one.returncode == four.returncode
    assert one.stdout.count('\n') == 20 + (not more)


def test_json_lines(stories):
    objects = [json.loads(line) for line in batch(stories, '--json').stdout.splitlines()]
    assert [o['name'] for o in objects] == ROWS
    assert 'seconds' not in objects[0]['statistics']
    timed = [json.loads(line) for line in batch(stories, '--json', '--times').stdout.splitlines()]
    assert timed[0]['statistics']['seconds'] > 0


def test_row_options_win_over_the_command_line(tmp_path):
    path = write_list(tmp_path, [f'a,{CELL}/tight.yaml,', f'b,{CELL}/tight.yaml,0.0005'])
    rows = list(csv.DictReader(io.StringIO(batch(path, '--margin', '0.002').stdout)))
    assert [row['verdict'] for row in rows] == ['COLLISION', 'FREE']


def test_files_are_looked_up_beside_the_list(tmp_path):
    for name in ('arm.urdf', 'arm.srdf', 'cell.yaml', 'pick.yaml', 'meshes'):
        (tmp_path / name).symlink_to(CELL / name)
    path = write_list(tmp_path, ['arm.urdf,arm.srdf,cell.yaml,pick.yaml'],
                      'robot,srdf,scene,trajectory')
    result = run('batch', path, '--cache', 'off')
    assert result.returncode == FREE, result.stdout + result.stderr
    assert result.stdout.splitlines()[1].startswith('pick.yaml,FREE')


def test_bad_row_does_not_stop_the_others(tmp_path):
    path = write_list(tmp_path, ['gone,/nowhere/t.yaml,', f'good,{CELL}/pick.yaml,',
                                 f'odd,{CELL}/pick.yaml,wide'])
    result = batch(path)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row['verdict'] for row in rows] == ['INVALID', 'FREE', 'INVALID']
    assert '/nowhere/t.yaml' in rows[0]['error']
    assert 'wide' in rows[2]['error']
    assert 'line 4' in rows[2]['error']
    assert result.returncode == INVALID


def test_all_free_exits_with_zero(tmp_path):
    path = write_list(tmp_path, [f'pick,{CELL}/pick.yaml,'])
    assert batch(path).returncode == FREE


@pytest.mark.parametrize('text, word', [
    ('', 'empty'), ('name,trajectory\n', 'empty'), ('name,colour\na,b\n', 'colour'),
    ('name,name\na,b\n', 'name'), ('name,trajectory\na\n', ':2'),
    ('name,trajectory\n"a,b\n', 'quote'),
    ('name,trajectory\n# one\ra,b\r', 'carriage return')])
def test_bad_list(text, word, tmp_path):
    path = tmp_path / 'list.csv'
    path.write_text(text)
    result = batch(path)
    assert result.returncode == INVALID
    assert result.stdout == ''
    assert word in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_quotes_comments_and_blank_lines(tmp_path):
    path = tmp_path / 'list.csv'
    path.write_text(f'# a comment\r\nname,trajectory\r\n\r\n"say ""hi"", twice",{CELL}/pick.yaml\r\n')
    rows = list(csv.DictReader(io.StringIO(batch(path).stdout)))
    assert rows[0]['name'] == 'say "hi", twice'
    assert rows[0]['verdict'] == 'FREE'


def test_a_cell_with_two_trajectories_is_refused(tmp_path):
    path = write_list(tmp_path, [f'a,{CELL}/through_plate.yaml;{CELL}/pick.yaml,'])
    row, = csv.DictReader(io.StringIO(batch(path).stdout))
    assert row['verdict'] == 'INVALID' and 'one value' in row['error']


def test_a_row_turns_off_what_the_command_line_turned_on(tmp_path):
    path = write_list(tmp_path, [f'{k},{CELL}/pick.yaml,{k}' for k in ('on', 'off', '')],
                      'name,trajectory,hulls')
    on, off, empty = map(json.loads, batch(path, '--hulls', '--json').stdout.splitlines())
    told = [any('convex hull' in w for w in row['warnings']) for row in (on, off, empty)]
    assert told == [True, False, True]


def test_rows_do_not_overwrite_each_others_certificate(stories, tmp_path):
    result = batch(stories, '--certificate', tmp_path / 'c')
    assert result.returncode == INVALID and 'columns of the list' in result.stderr
    assert not (tmp_path / 'c').exists()


def test_only_the_first_of_two_rows_writes_a_file(tmp_path):
    path = write_list(tmp_path, [f'{name},{CELL}/{name}.yaml,p,{name}.c' for name in ROWS[:2]],
                      'name,trajectory,problem,certificate')
    result = batch(path, '--threads', '2')
    pick, plate = csv.DictReader(io.StringIO(result.stdout))
    assert pick['verdict'] == 'FREE' and plate['verdict'] == 'INVALID'
    assert 'line 3' in plate['error'] and 'written by line 2' in plate['error']
    assert run(tmp_path / 'p', tmp_path / 'pick.c', program=VERIFY).returncode == FREE
    assert not (tmp_path / 'through_plate.c').exists()
    assert result.returncode == INVALID


def test_what_a_row_writes_is_beside_the_list(tmp_path):
    (tmp_path / 'meshes').symlink_to(CELL / 'meshes')
    path = write_list(tmp_path, [f'{CELL}/pick.yaml,pick.svg,spare=meshes'],
                      'trajectory,picture,package')
    (tmp_path / 'elsewhere').mkdir()
    result = batch(path, cwd=tmp_path / 'elsewhere')
    assert result.returncode == FREE, result.stdout + result.stderr
    assert (tmp_path / 'pick.svg').exists()
    assert not list((tmp_path / 'elsewhere').iterdir())


def test_a_package_of_a_row_wins_over_the_command_line(tmp_path):
    """Otherwise the proof would be about the other one's meshes."""
    for name, size in (('small', 0.01), ('large', 0.1)):
        corners = [(x, y, z) for x in (-size, size) for y in (-size, size) for z in (-size, size)]
        faces = '124 143 578 586 156 162 348 387 137 175 268 284'.split()
        (tmp_path / name).mkdir()
        (tmp_path / name / 'cube.obj').write_text(
            ''.join('v {} {} {}\n'.format(*corner) for corner in corners) +
            ''.join('f {} {} {}\n'.format(*face) for face in faces))
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="base"/><link name="car"><collision><geometry>'
        '<mesh filename="package://p/cube.obj"/></geometry></collision></link>'
        '<joint name="j" type="prismatic"><parent link="base"/><child link="car"/>'
        '<axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>')
    (tmp_path / 's.yaml').write_text(
        'objects: [{id: wall, pose: {position: [0.5, 0.15, 0]},'
        ' shapes: [{type: box, size: [0.02, 0.2, 0.2]}]}]')
    (tmp_path / 't.csv').write_text('time,j\n0,0\n1,1\n')
    path = tmp_path / 'list.csv'
    path.write_text('robot,scene,trajectory,package\nr.urdf,s.yaml,t.csv,\n'
                    'r.urdf,s.yaml,t.csv,p=large\nr.urdf,s.yaml,t.csv,p=large;p=small\n')
    result = run('batch', path, '--cache', 'off', '--package', f'p={tmp_path}/small')
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row['verdict'] for row in rows] == ['FREE', 'COLLISION', 'INVALID']
    assert 'twice for p' in rows[2]['error']


def test_a_package_of_a_row_is_beside_the_list(tmp_path):
    urdf = (CELL / 'arm.urdf').read_text()
    assert 'meshes/' in urdf
    urdf = urdf.replace('filename="meshes/', 'filename="package://cell/')
    (tmp_path / 'arm.urdf').write_text(urdf)
    (tmp_path / 'shapes').symlink_to(CELL / 'meshes')
    path = write_list(tmp_path, [f'{CELL}/pick.yaml,arm.urdf,cell=shapes'],
                      'trajectory,robot,package')
    result = batch(path, cwd='/')
    assert result.returncode == FREE, result.stdout + result.stderr


@pytest.mark.parametrize('column, cell, word', [
    ('start', 'joint_1=0;joint_1=1', 'joint_1'), ('padding', 'hand=0.1;hand=0', 'hand'),
    ('padding', '0.1;0', 'all links'), ('scale', 'hand=2;hand=1', 'hand'),
    ('joint-tolerance', 'joint_1=0.1;joint_1=0', 'joint_1')])
def test_a_cell_that_says_two_things_is_refused(tmp_path, column, cell, word):
    path = write_list(tmp_path, [f'{CELL}/pick.yaml,{cell}'], f'trajectory,{column}')
    result = batch(path)
    assert result.returncode == INVALID, result.stdout
    assert 'given twice' in result.stdout and word in result.stdout


def test_a_cell_wins_over_the_command_line(tmp_path):
    path = write_list(tmp_path, [f'{CELL}/pick.yaml,joint_1=0.0002'], 'trajectory,joint-tolerance')
    result = batch(path, '--joint-tolerance', 'joint_1=0.0001', '--json')
    assert json.loads(result.stdout)['tolerance']['joints'] == {'joint_1': 0.0002}
