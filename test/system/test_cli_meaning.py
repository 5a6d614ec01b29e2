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
"""What files say is what is proved: each story here would be FREE if a word of it were lost."""

import json

from cli_tools import COLLISION, FREE, INVALID, run, UNDECIDED, VERIFY
import pytest

ROBOT = """<robot name="toy"><link name="base"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/>
<geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>
"""
SWEEP = 'joint_names: [turn]\npoints:\n' \
    '- {positions: [0], time_from_start: 0}\n- {positions: [0.5], time_from_start: 1}\n'
HERE, THERE = '[0.8, 0.3, 0]', '[5, 5, 5]'


def box(name, place, more=''):
    return (f'{{id: {name}, primitives: [{{type: box, dimensions: [0.1, 0.1, 0.1]}}], '
            f'primitive_poses: [{{position: {place}}}]{more}}}')


def scene(*objects, more=''):
    return f'world: {{collision_objects: [{", ".join(objects)}]}}\n{more}'


@pytest.fixture
def check(tmp_path):
    """Write the texts, run vouch check on them, return its exit code and its report."""
    def run_check(*scenes, robot=ROBOT, trajectory=SWEEP, request=None, more=()):
        (tmp_path / 'arm.urdf').write_text(robot)
        (tmp_path / 'sweep.yaml').write_text(trajectory)
        arguments = ['--robot', tmp_path / 'arm.urdf', '--trajectory', tmp_path / 'sweep.yaml']
        for number, text in enumerate(scenes):
            path = tmp_path / f'scene_{number}.yaml'
            path.write_text(text)
            arguments += ['--scene', path]
        if request:
            (tmp_path / 'request.yaml').write_text(request)
            arguments += ['--request', tmp_path / 'request.yaml']
        result = run('check', *arguments, '--cache', 'off', '--json', *more)
        return result.returncode, json.loads(result.stdout)
    return run_check


def test_the_box_is_in_the_way(check):
    assert check(scene(box('a', HERE)))[0] == COLLISION
    assert check(scene(box('a', THERE)))[0] == FREE


@pytest.mark.parametrize('from_scene', [True, False])
def test_a_robot_that_moves_at_the_start_swings_before_it_follows(check, from_scene):
    late = ('joint_names: [turn]\npoints:\n'
            '- {positions: [0.1], velocities: [0], time_from_start: 1}\n'
            '- {positions: [0.12], velocities: [0], time_from_start: 2}\n')
    behind = scene(box('a', '[0.8, -0.3, 0]'))
    for speed, code in ((0, FREE), (-3, COLLISION)):
        state = f'{{joint_state: {{name: [turn], position: [0], velocity: [{speed}]}}}}'
        if from_scene:
            found, report = check(behind + f'robot_state: {state}\n', trajectory=late)
        else:
            found, report = check(behind, trajectory=late, request=f'start_state: {state}\n')
        assert found == code, report
    # A start value of the command line is one of a robot at rest.
    assert check(behind, trajectory=late, request=f'start_state: {state}\n',
                 more=['--start', 'turn=0'])[0] == FREE


FLOATING = ROBOT.replace(
    '<link name="base"/>', '<link name="world"/><link name="base"/><joint name="hover" '
    'type="floating"><parent link="world"/><child link="base"/></joint>')


def test_a_floating_joint_is_nowhere_until_a_state_says_where(check):
    code, report = check(scene(box('a', HERE)), robot=FLOATING)
    assert code == INVALID and "joint 'hover' is floating" in report['error']
    for height, code in ((0, COLLISION), (1, FREE)):
        state = (f'robot_state: {{multi_dof_joint_state: {{joint_names: [hover], '
                 f'transforms: [{{translation: [0, 0, {height}]}}]}}}}\n')
        assert check(scene(box('a', HERE), more=state), robot=FLOATING)[0] == code


def test_a_base_that_can_move_and_that_nobody_placed_is_told(check, tmp_path):
    for kind, told in (('floating', True), ('fixed', False)):
        (tmp_path / 'arm.srdf').write_text(
            f'<robot name="toy"><virtual_joint name="stand" type="{kind}" parent_frame="map" '
            'child_link="base"/></robot>')
        more = ['--srdf', tmp_path / 'arm.srdf']
        report = check(scene(box('a', THERE)), more=more)[1]
        assert any('where the base is' in w for w in report['warnings']) == told
        state = ('robot_state: {multi_dof_joint_state: {joint_names: [stand], '
                 'transforms: [{translation: [0, 0, 0]}]}}\n')
        report = check(scene(box('a', THERE), more=state), more=more)[1]
        assert not any('where the base is' in w for w in report['warnings'])
        # A request may have it elsewhere, but only its joint values are taken.
        for place, told in (('[0, 0, 0]', False), ('[1, 0, 0]', True)):
            moved = state.replace('[0, 0, 0]', place)
            code, report = check(scene(box('a', THERE), more=moved), more=more,
                                 request='name: [turn]\nposition: [0]\n')
            if told and kind == 'fixed':
                assert code == INVALID and 'is fixed' in report['error']
                continue
            assert any('where the scene has it' in w for w in report['warnings']) == told


@pytest.mark.parametrize('second', [
    scene(box('b', THERE)), 'objects: []\n', f'is_diff: false\n{scene(box("b", THERE))}'])
def test_a_second_whole_scene_does_not_throw_the_first_away(check, second):
    code, report = check(scene(box('a', HERE)), second)
    assert code == INVALID and 'is_diff: true' in report['error']
    assert check(scene(box('a', HERE)), f'is_diff: true\n{scene(box("b", THERE))}')[0] == COLLISION


def test_a_scene_does_not_throw_away_what_a_request_attached(check):
    held = ('start_state: {joint_state: {name: [turn], position: [0]}, attached_collision_objects: '
            f'[{{link_name: arm, object: {box("part", "[0.8, 0.2, 0]")}}}]}}\n')
    wall = scene(box('a', '[0.62, 0.55, 0]'))
    assert check(wall, held)[0] == COLLISION
    assert check(held, wall)[0] == INVALID
    assert check(wall)[0] == FREE


def test_moving_the_only_shape_of_an_object_moves_it_there(check):
    away = scene(box('a', THERE))
    assert check(away, 'is_diff: true\nworld: {collision_objects: [{id: a, operation: 3, '
                 f'pose: {{position: {HERE}}}}}]}}\n')[0] == COLLISION


def test_padding_of_a_link_counts_for_what_it_holds(check):
    held = ('robot_state: {joint_state: {name: [turn], position: [0]}, attached_collision_objects: '
            f'[{{link_name: arm, object: {box("part", "[1.5, 0, 0]")}}}]}}\n')
    above = scene(box('a', '[1.5, 0.4, 0.2]'), more=held)
    assert check(above)[0] == FREE
    assert check(above + 'link_padding: [{link_name: arm, padding: 0.15}]\n')[0] == COLLISION


def panels(gap, sides=1):
    """Return a box of 4 m around the arm, of six sides that end `gap` before its edges."""
    vertices, triangles = [], []
    for axis in range(3):
        for place in (-2.0, 2.0):
            first = len(vertices)
            for u, w in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                point = [u * (2.0 - gap), w * (2.0 - gap)]
                point.insert(axis, place)
                vertices.append(point)
            for corners in ([0, 1, 2], [0, 2, 3]):
                triangles.append([first + k for k in corners])
                if sides == 2:
                    triangles.append([first + k for k in reversed(corners)])
    mesh = {'vertices': vertices, 'triangles': triangles}
    pose = {'position': [0, 0, 0], 'orientation': [0, 0, 0, 1]}
    return json.dumps(
        {'world': {'collision_objects': [{'id': 'o', 'meshes': [mesh], 'mesh_poses': [pose]}]}})


@pytest.mark.parametrize('gap', [1e-9, 0.1])
@pytest.mark.parametrize('sides', [1, 2])
def test_inside_the_pieces_of_a_skin_is_not_outside(check, gap, sides):
    assert check(panels(gap, sides))[0] == UNDECIDED
    assert check(panels(gap, sides), more=('--surfaces',))[0] == FREE


def test_a_thin_plane_between_open_parts_is_not_outside(check):
    """A held housing of two open halves, and the plane z = 2 in the gap between them."""
    vertices = [[x, y, z] for z in (1.9, 1.99, 2.01, 2.1) for x in (0.4, 0.6) for y in (-0.1, 0.1)]
    triangles = [[first + k for k in wall] for first in (0, 8)
                 for wall in ((0, 1, 5), (0, 5, 4), (1, 3, 7), (1, 7, 5))]
    skin = {'id': 'skin', 'meshes': [{'vertices': vertices, 'triangles': triangles}],
            'mesh_poses': [{'position': [0, 0, 0]}], 'header': {'frame_id': 'base'}}
    state = {'joint_state': {'name': ['turn'], 'position': [0]},
             'attached_collision_objects': [{'link_name': 'arm', 'object': skin}]}
    plane = {'id': 'sheet', 'planes': [{'coef': [0, 0, 1, -2]}], 'plane_poses': [{}]}
    text = json.dumps({'world': {'collision_objects': [plane]}, 'robot_state': state})
    code, report = check(text)
    assert code == UNDECIDED and report['open'][0]['reason'] == 'surface'
    assert check(text, more=('--surfaces',))[0] == FREE


def test_contact_behind_a_jump_is_told_where_it_is(check, tmp_path):
    """In contact at the first instant behind a jump, of which the rest is a run of segments."""
    hand = ROBOT.replace('type="revolute"', 'type="prismatic"').replace('0 0 1', '1 0 0').replace(
        'xyz="0.5 0 0"', 'xyz="0 0 0"').replace('size="1 0.1 0.1"', 'size="0.1 0.1 0.1"')
    motion = {'joint_names': ['turn'], 'segments': [
        {'duration': 1, 'coefficients': [[2]]}, {'duration': 1, 'coefficients': [[0.05, 1]]},
        {'duration': 1, 'coefficients': [[1.05, 1]]}]}
    files = ('--problem', tmp_path / 'p', '--certificate', tmp_path / 'c')
    code, report = check(scene(box('a', '[0.003, 0.011, 0.023]')), robot=hand,
                         trajectory=json.dumps(motion), more=files)
    first = report['first_collision']
    assert code == COLLISION and (first['segment'], first['fraction']) == (1, 0.0), first
    assert run(tmp_path / 'p', tmp_path / 'c', program=VERIFY).returncode == 2


def test_padding_for_all_links_wins_over_that_of_a_scene(check):
    near = scene(box('a', '[0.8, 0, 0.11]'), more='link_padding: [{link_name: arm, padding: 0}]\n')
    assert check(near)[0] == FREE
    assert check(near, more=('--padding', '0.03'))[0] == COLLISION
    assert check(near, more=('--padding', '0.03', '--padding', 'arm=0.001'))[0] == FREE


@pytest.mark.parametrize('option, first, second', [
    ('robot', 'a', 'b'), ('srdf', 'a', 'b'), ('request', 'a', 'b'), ('trajectory', 'a', 'b'),
    ('margin', '0.1', '0'), ('tolerance', '0.1', '0'), ('model', 'linear', 'auto'),
    ('padding', '0.1', '0'), ('padding', 'arm=0.1', 'arm=0'), ('scale', 'arm=2', 'arm=1'),
    ('joint-tolerance', 'turn=0.1', 'turn=0'), ('start', 'turn=0', 'turn=1')])
def test_what_can_be_meant_once_is_refused_twice(option, first, second):
    result = run('check', f'--{option}', first, f'--{option}', second)
    assert result.returncode == INVALID and f'--{option} is given twice' in result.stderr


def test_an_object_in_the_frame_of_a_moving_link_is_told(check):
    still = scene(box('a', THERE, ', header: {frame_id: base}'))
    moving = scene(box('a', THERE, ', header: {frame_id: arm}'),
                   more='robot_state: {joint_state: {name: [turn], position: [0]}}\n')
    assert not any('which moves' in w for w in check(still)[1]['warnings'])
    assert any("link 'arm', which moves" in w for w in check(moving)[1]['warnings'])


def test_a_link_that_was_made_smaller_is_told(check):
    code, report = check(scene(box('a', HERE)), more=['--scale', 'arm=0.1'])
    assert code == FREE and any('scaled' in w and 'arm' in w for w in report['warnings'])
    assert not any('scaled' in w for w in check(scene(box('a', HERE)))[1]['warnings'])


def test_a_joint_named_time_is_not_the_time(check):
    code, report = check(scene(box('a', HERE)), robot=ROBOT.replace('"turn"', '"time"'),
                         trajectory='time\n0\n0.5\n')
    assert code == INVALID and "joint named 'time'" in report['error']


def test_no_obstacles_is_told(check):
    alone = 'there are no obstacles'
    assert any(alone in w for w in check()[1]['warnings'])
    assert not any(alone in w for w in check(scene(box('a', THERE)))[1]['warnings'])


def test_a_scene_that_is_given_as_a_request_does_not_lose_its_obstacles(check):
    state = 'robot_state: {joint_state: {name: [turn], position: [0]}}\n'
    code, report = check(request=scene(box('a', HERE), more=state))
    assert code == INVALID and 'load it as a scene' in report['error']


def test_packages_are_known_to_scenes_too(check, tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'sheet.obj').write_text(
        'v 0.7 0.2 0\nv 0.9 0.2 0\nv 0.8 0.5 0\nf 1 2 3\n')
    mesh = 'world: {collision_objects: [{id: a, meshes: [{resource: package://cell/sheet.obj}]}]}\n'
    code, report = check(mesh)
    assert code == INVALID and '--package cell=' in report['error']
    assert check(mesh, more=['--package', f'cell={tmp_path}/parts'])[0] == COLLISION


def test_a_mesh_smaller_than_a_millimetre_is_told(check, tmp_path):
    (tmp_path / 'sheet.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    for scale, told in ('0.0001', True), ('0.1', False):
        robot = ROBOT.replace('<box size="1 0.1 0.1"/>',
                              f'<mesh filename="sheet.obj" scale="{scale} {scale} {scale}"/>')
        sheet = ('world: {collision_objects: [{id: a, pose: {position: [5, 5, 5]}, meshes: '
                 f'[{{resource: sheet.obj, dimensions: [{scale}, {scale}, {scale}]}}]}}]}}\n')
        warnings = check(sheet, robot=robot)[1]['warnings']
        for name in ("link 'arm'", "object 'a'"):
            assert any(f'{name}: its geometry is only' in w for w in warnings) == told


@pytest.mark.parametrize('size', [(0.1, 0.1, 0.1), (0.2, 0.1, 0.1), (0.05, 0.1, 0.1)])
def test_a_box_through_a_box_that_lies_alike_is_a_collision(tmp_path, size):
    urdf, scene, path = tmp_path / 'a.urdf', tmp_path / 's.json', tmp_path / 't.csv'
    urdf.write_text(
        '<robot name="r"><link name="base"/><joint name="x" type="prismatic"><parent link="base"/>'
        '<child link="tool"/><axis xyz="1 0 0"/>'
        '<limit lower="-9" upper="9" effort="1" velocity="1"/></joint><link name="tool">'
        '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link></robot>')
    scene.write_text(json.dumps({'objects': [{'id': 'box', 'pose': {'position': [0.5, 0, 0]},
                                              'shapes': [{'type': 'box', 'size': size}]}]}))
    path.write_text('time,x\n0,0\n1,1\n')
    out = ['--problem', tmp_path / 'p', '--certificate', tmp_path / 'c', '--json']
    result = run('check', '--robot', urdf, '--scene', scene, '--trajectory', path, *out)
    assert result.returncode == COLLISION, result.stdout
    touch = 0.5 - size[0] / 2 - 0.05
    assert json.loads(result.stdout)['first_collision']['time_s'] == pytest.approx(touch, abs=1e-4)
    assert run(tmp_path / 'p', tmp_path / 'c', program=VERIFY).returncode == 2
