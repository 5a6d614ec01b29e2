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
"""Wrong input: exit 3 and one sentence that says what, where and what to do."""

import json
import re
import struct

from cli_tools import CELL, cell, check, INVALID, run
import pytest

NAMES = 'joint_1, joint_2, joint_3, joint_4, joint_5, joint_6, finger_joint'
HOME = '0, -0.35, 1.35, 0, 1.2, 0, 0.04'


def trajectory(points, names=NAMES):
    """RobotTrajectory YAML from (positions, time, extra lines)."""
    lines = ['joint_trajectory:', f'  joint_names: [{names}]', '  points:']
    for positions, time, *extra in points:
        lines += [f'    - positions: [{positions}]', f'      time_from_start: {time}']
        lines += [f'      {line}' for line in extra]
    return '\n'.join(lines) + '\n'


ZEROS = '[0, 0, 0, 0, 0, 0, 0]'
BAD_TRAJECTORIES = {
    'unknown joint': (trajectory([(HOME, 0), (HOME, 1)], NAMES.replace('joint_3', 'knee')),
                      'knee'),
    'repeated joint': (trajectory([(HOME, 0), (HOME, 1)], NAMES.replace('joint_3', 'joint_2')),
                       'joint_2'),
    'too few values': (trajectory([('0, 0, 0', 0), (HOME, 1)]), 'position'),
    'nan': (trajectory([(HOME.replace('1.35', '.nan'), 0), (HOME, 1)]), ''),
    'infinite': (trajectory([(HOME.replace('1.35', '.inf'), 0), (HOME, 1)]), ''),
    'word for a number': (trajectory([(HOME.replace('1.35', 'soon'), 0), (HOME, 1)]), 'soon'),
    'decreasing times': (trajectory([(HOME, 0), (HOME, 2), (HOME, 1)]), 'time'),
    'repeated times': (trajectory([(HOME, 0), (HOME, 1), (HOME, 1)]), 'time'),
    'accelerations without velocities': (
        trajectory([(HOME, 0, f'accelerations: {ZEROS}'), (HOME, 1, f'accelerations: {ZEROS}')]),
        'accelerations'),
    'wrong number of velocities': (
        trajectory([(HOME, 0, 'velocities: [0, 0]'), (HOME, 1, f'velocities: {ZEROS}')]),
        'velocities'),
    'no points': (f'joint_trajectory:\n  joint_names: [{NAMES}]\n  points: []\n', ''),
    'empty file': ('', ''),
    'not a trajectory': ('hello: world\n', ''),
    'broken YAML': ('joint_trajectory: [unclosed\n', ''),
    'joint missing and no start state': (
        trajectory([('0, 0', 0), ('0, 0.1', 1)], 'joint_1, joint_2'), 'joint_3'),
    'jump of a half turn for a planner': (
        trajectory([(HOME, 0), (HOME.replace('1.2, 0,', '1.2, 3.141592653589793,'), 0)]),
        'joint_6'),
    'lead-in without a start state': (trajectory([(HOME, 1), (HOME, 2)]), 'start'),
    'YAML alias bomb': (
        'a: &a [x, x, x, x, x, x, x, x, x, x]\n' + ''.join(
            f'{chr(98 + k)}: &{chr(98 + k)} [{", ".join(["*" + chr(97 + k)] * 10)}]\n'
            for k in range(9)), ''),
}


def assert_one_sentence(result, word=''):
    assert result.returncode == INVALID, result.stdout + result.stderr
    assert result.stdout == ''
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith('vouch check: ')
    assert len(lines[0]) > 30
    assert word in lines[0], lines[0]


@pytest.mark.parametrize('name', BAD_TRAJECTORIES)
def test_trajectory(name, tmp_path):
    text, word = BAD_TRAJECTORIES[name]
    path = tmp_path / 'bad.yaml'
    path.write_text(text)
    result = check(path)
    assert_one_sentence(result, word)
    assert 'bad.yaml' in result.stderr


def test_json_report_of_a_bad_trajectory(tmp_path):
    path = tmp_path / 'bad.yaml'
    path.write_text('')
    result = check(path, '--json')
    report = json.loads(result.stdout)
    assert result.returncode == INVALID
    assert report['verdict'] == 'INVALID'
    assert 'bad.yaml' in report['error']


def scene(body):
    """A scene with one object."""
    return ('world:\n  collision_objects:\n    - id: thing\n      header: {frame_id: base_link}\n'
            + ''.join(f'      {line}\n' for line in body))


POSE = 'primitive_poses: [{position: [2, 2, 2], orientation: [0, 0, 0, 1]}]'
BAD_SCENES = {
    'unknown shape': (scene(['primitives: [{type: teapot, dimensions: [1]}]', POSE]), 'teapot'),
    'negative size': (scene(['primitives: [{type: box, dimensions: [1, -1, 1]}]', POSE]), '-1'),
    'too few dimensions': (scene(['primitives: [{type: box, dimensions: [1]}]', POSE]), '3 numbers'),
    'quaternion of zero length': (
        scene(['primitives: [{type: box, dimensions: [1, 1, 1]}]',
               'primitive_poses: [{position: [2, 2, 2], orientation: [0, 0, 0, 0]}]']), 'unit quaternion'),
    'quaternion far from unit length': (
        scene(['primitives: [{type: box, dimensions: [1, 1, 1]}]',
               'primitive_poses: [{position: [2, 2, 2], orientation: [0, 0, 0, 1.1]}]']),
        'unit quaternion'),
    'frame that nobody knows': (
        scene(['primitives: [{type: box, dimensions: [1, 1, 1]}]', POSE]).replace(
            'base_link', 'mars'), 'mars'),
    'mesh index out of range': (
        scene(['meshes: [{triangles: [[0, 1, 7]], vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}]',
               'mesh_poses: [{position: [2, 2, 2], orientation: [0, 0, 0, 1]}]']), 'vertex 7'),
    'mesh with nan': (
        scene(['meshes: [{triangles: [[0, 1, 2]], '
               'vertices: [[.nan, 0, 0], [1, 0, 0], [0, 1, 0]]}]',
               'mesh_poses: [{position: [2, 2, 2], orientation: [0, 0, 0, 1]}]']), ''),
    'octomap': (
        'world:\n  octomap:\n    header: {frame_id: base_link}\n'
        '    octomap: {binary: true, id: OcTree, resolution: 0.1, data: [1, 2, 3]}\n', 'octomap'),
    'misspelt key': ('world:\n  collision_objekts: []\n', 'collision_objekts'),
}


@pytest.mark.parametrize('name', BAD_SCENES)
def test_scene(name, tmp_path):
    text, word = BAD_SCENES[name]
    path = tmp_path / 'bad_scene.yaml'
    path.write_text(text)
    result = run('check', *cell('pick.yaml', '--scene', path, scene=False))
    assert_one_sentence(result, word)
    assert 'bad_scene.yaml' in result.stderr


def link(name, inside=''):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind='fixed'):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            '</joint>')


def robot(*parts):
    return '<robot name="r">' + ''.join(parts) + '</robot>'


def mesh(name, attributes=''):
    return f'<collision><geometry><mesh filename="{name}" {attributes}/></geometry></collision>'


BAD_ROBOTS = {
    'cycle': (robot(link('a'), link('b'), link('c'), joint('1', 'a', 'b'), joint('2', 'b', 'c'),
                    joint('3', 'c', 'b')), ''),
    'two roots': (robot(link('a'), link('b'), link('c'), joint('1', 'a', 'b')), 'root'),
    'child that is no link': (robot(link('a'), joint('1', 'a', 'ghost')), 'ghost'),
    'missing mesh': (robot(link('a', mesh('not_there.stl'))), 'not_there.stl'),
    'unknown package': (robot(link('a', mesh('package://nobody_has_this/x.stl'))),
                        'nobody_has_this'),
    'zero scale': (robot(link('a', mesh('tri.stl', 'scale="1 0 1"'))), ''),
    'broken XML': ('<robot name="r"><link name="a">', ''),
    'negative box': (robot(link('a', '<collision><geometry><box size="1 -1 1"/></geometry>'
                                '</collision>')), 'a'),
    'XML bomb': (
        '<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">' + ''.join(
            f'<!ENTITY {chr(98 + k)} "{("&" + chr(97 + k) + ";") * 20}">' for k in range(8))
        + ']><robot name="&i;"><link name="a"/></robot>', ''),
    'huge STL count': (robot(link('a', mesh('huge.stl'))), 'huge.stl'),
}


@pytest.mark.parametrize('name', BAD_ROBOTS)
def test_robot(name, tmp_path):
    text, word = BAD_ROBOTS[name]
    path = tmp_path / 'bad.urdf'
    path.write_text(text)
    (tmp_path / 'tri.stl').write_text(
        'solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n'
        'endloop\nendfacet\nendsolid t\n')
    (tmp_path / 'huge.stl').write_bytes(b' ' * 80 + struct.pack('<I', 2**32 - 1) + b'\0' * 50)
    result = run('check', '--robot', path, '--trajectory', CELL / 'pick.yaml', '--cache', 'off')
    assert_one_sentence(result, word)


def test_mirrored_mesh_is_turned_and_accepted(tmp_path):
    text = (CELL / 'arm.urdf').read_text().replace(
        'filename="meshes/', f'scale="1 -1 1" filename="{CELL}/meshes/')
    path = tmp_path / 'mirrored.urdf'
    path.write_text(text)
    result = run('check', '--robot', path, '--srdf', CELL / 'arm.srdf', '--scene',
                 CELL / 'cell.yaml', '--trajectory', CELL / 'pick.yaml', '--cache', 'off')
    assert result.returncode == 0, result.stderr


BAD_OPTIONS = {
    'unknown option': (['--frobnicate'], '--frobnicate'),
    'unknown letter': (['-z'], '-z'),
    'option without its value': (['--margin'], '--margin'),
    'negative margin': (['--margin', '-1'], 'margin'),
    'margin that is no number': (['--margin', 'wide'], 'wide'),
    'nan margin': (['--margin', 'nan'], 'nan'),
    'unknown model': (['--model', 'magic'], 'magic'),
    'unknown method': (['--method', 'magic'], 'magic'),
    'neither on nor off': (['--clearance', 'maybe'], 'maybe'),
    'padding without a number': (['--padding', 'hand='], 'padding'),
    'tolerance without a joint': (['--joint-tolerance', '0.1'], 'joint-tolerance'),
    'depth beyond the limit': (['--depth', '45'], 'depth'),
    'half a thread': (['--threads', '1.5'], 'threads'),
    'file that is no option': (['stray.yaml'], 'stray.yaml'),
    'half a name': (['--marg', '0.01'], '--marg '),
    'half a name with its value': (['--marg=0.01'], '--marg='),
    'half the name of a switch': (['--hull'], '--hull '),
    'a byte of memory': (['--memory', '1'], '--memory 1'),
    'less than a byte of memory': (['--memory', '0.5'], '--memory 0.5'),
    'forgotten M': (['--memory', '200'], '200M'),
    'package in two places': (['--package', 'p=/a', '--package', 'p=/b'], 'twice for p'),
    'package without a name': (['--package', '=/a'], 'package'),
}


@pytest.mark.parametrize('name', BAD_OPTIONS)
def test_option(name):
    arguments, word = BAD_OPTIONS[name]
    result = check('pick.yaml', *arguments)
    lines = result.stderr.strip().splitlines()
    assert result.returncode == INVALID
    assert result.stdout == ''
    assert len(lines) == 2, result.stderr
    assert word in lines[0]
    assert '--help' in lines[1]


BAD_NAMES = {
    'padding of nobody': (['--padding', 'ghost=0.1'], 'ghost'),
    'tolerance of nobody': (['--joint-tolerance', 'ghost=0.1'], 'ghost'),
    'start of nobody': (['--start', 'ghost=0.1'], 'ghost'),
    'group state of nobody': (['--group-state', 'arm/asleep'], 'asleep'),
    'request that is not there': (['--request', '/nowhere/r.yaml'], '/nowhere/r.yaml'),
    'scene that is not there': (['--scene', '/nowhere/s.yaml'], '/nowhere/s.yaml'),
}


@pytest.mark.parametrize('name', BAD_NAMES)
def test_name(name):
    arguments, word = BAD_NAMES[name]
    assert_one_sentence(check('pick.yaml', *arguments), word)


def test_missing_robot_and_missing_trajectory():
    assert_one_sentence(run('check', '--trajectory', CELL / 'pick.yaml'), '--robot')
    assert_one_sentence(run('check', *cell()), '--trajectory')


def test_output_that_cannot_be_written():
    result = check('pick.yaml', '--picture', '/nowhere/p.svg')
    assert result.returncode == INVALID
    assert '/nowhere/p.svg' in result.stderr


def test_nothing_is_written_over_another_file(tmp_path):
    scene = tmp_path / 'cell.yaml'
    scene.write_text((CELL / 'cell.yaml').read_text())
    arguments = cell('pick.yaml', '--scene', scene, scene=False)
    out = tmp_path / 'out'
    for more, words in ((['--problem', out, '--certificate', out], 'over --problem'),
                        (['--problem', scene], 'over --scene'),
                        (['--picture', tmp_path / '.' / 'cell.yaml'], 'over --scene')):
        result = run('check', *arguments, *more)
        assert result.returncode == INVALID and words in result.stderr, result.stderr
        assert not out.exists()
    assert scene.read_text() == (CELL / 'cell.yaml').read_text()
    both = run('check', *arguments, '--problem', '/dev/null', '--certificate', '/dev/null')
    assert both.returncode == 0, both.stderr


def test_threads_have_one_limit():
    assert check('pick.yaml', '--threads', '257').stderr.count('whole number from 0 to 256') == 1


def test_a_state_of_a_joint_that_follows_names_its_master(tmp_path):
    scene = tmp_path / 's.json'
    urdf = (CELL / 'arm.urdf').read_text()
    follower, master = re.search(
        r'<joint name="([^"]+)"(?:(?!</joint>).)*<mimic joint="([^"]+)"', urdf, re.DOTALL).groups()
    scene.write_text(json.dumps({'state': {follower: 0.01}}))
    result = run('check', *cell('pick.yaml', '--scene', scene, scene=False))
    assert result.returncode == INVALID
    assert f"'{follower}' follows joint '{master}'" in result.stderr, result.stderr


def test_a_later_scene_may_check_what_an_earlier_one_allows(tmp_path):
    first, second = tmp_path / '1.json', tmp_path / '2.json'
    first.write_text(json.dumps({'allow': [['hand', 'base_link']]}))
    second.write_text(json.dumps({'is_diff': True, 'check': [['base_link', 'hand']]}))
    result = run('inspect', *cell(None, '--pairs', '--scene', first, '--scene', second, scene=False))
    assert result.returncode == 0, result.stderr
    assert re.search(r'base_link +hand +checked', result.stdout), result.stdout


def test_a_scene_without_a_state_is_no_request():
    result = check('pick.yaml', '--request', CELL / 'cell.yaml')
    assert result.returncode == INVALID and 'no joint state here' in result.stderr, result.stderr
