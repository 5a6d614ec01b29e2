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
"""MoveIt's files mean what they mean in MoveIt: what it would check is checked, or refused."""

import json
import zlib

from cli_tools import COLLISION, FREE, INVALID, run
import pytest

ROBOT = """<robot name="toy">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.6 0 0"/>
<geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="flap"><collision><origin xyz="0.35 0 0"/>
<geometry><box size="0.5 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="fold" type="revolute"><parent link="base"/><child link="flap"/>
<origin xyz="0 1 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>
"""
SWEEP = ('joint_names: [turn]\npoints:\n- {positions: [0], time_from_start: 0}\n'
         '- {positions: [0.5], time_from_start: 1}\n')
STATE = 'joint_state: {name: [turn, fold], position: [0, 0]}'
HERE, THERE = '[0.8, 0.3, 0]', '[5, 5, 5]'
DIFF = 'is_diff: true\n'


def box(name, place, more=''):
    return (f'{{id: {name}, header: {{frame_id: base}}, primitives: [{{type: box, dimensions: '
            f'[0.1, 0.1, 0.1]}}], primitive_poses: [{{position: {place}}}]{more}}}')


def world(*objects):
    return f'world: {{collision_objects: [{", ".join(objects)}]}}\n'


def state(*attached, diff='false'):
    return (f'robot_state: {{is_diff: {diff}, {STATE}, attached_collision_objects: '
            f'[{", ".join(attached)}]}}\n')


def held(name, place, more=''):
    return f'{{link_name: arm{more}, object: {box(name, place)}}}'


def matrix(names, *allowed):
    names = names.split()
    rows = [[names[i] + names[k] in allowed or names[k] + names[i] in allowed
             for k in range(len(names))] for i in range(len(names))]
    return (f'allowed_collision_matrix: {{entry_names: [{", ".join(names)}], '
            f'entry_values: {json.dumps(rows)}}}\n')


@pytest.fixture
def check(tmp_path):
    def run_check(*scenes, srdf='', trajectory=SWEEP, more=()):
        (tmp_path / 'arm.urdf').write_text(ROBOT)
        (tmp_path / 'arm.srdf').write_text(f'<robot name="toy">{srdf}</robot>')
        (tmp_path / 'sweep.yaml').write_text(trajectory)
        arguments = ['--robot', tmp_path / 'arm.urdf', '--trajectory', tmp_path / 'sweep.yaml']
        arguments += ['--srdf', tmp_path / 'arm.srdf'] if srdf else []
        for number, text in enumerate(scenes):
            path = tmp_path / f'scene_{number}.yaml'
            path.write_text(text)
            arguments += ['--scene', path]
        result = run('check', *arguments, '--cache', 'off', '--json', *more)
        return result.returncode, json.loads(result.stdout)
    return run_check


PART = '[0.8, 0.2, 0]'    # beside the arm, on which it rides
WALL = '[0.62, 0.55, 0]'  # which only the part reaches


def test_a_touch_link_that_is_an_object_of_the_world_is_none(check):
    """collision_common.cpp asks touch links of links and of attached bodies only."""
    wall = world(box('a', WALL))
    for touch in ('', ', touch_links: [a]', ', touch_links: [a, arm]'):
        code, report = check(state(held('part', PART, touch)) + wall)
        assert code == COLLISION, report
        assert any("'a' is an object of the world" in w for w in report['warnings']) == bool(touch)
    assert check(state(held('part', PART)) + wall + matrix('part a', 'parta'))[0] == FREE


def test_what_is_put_down_and_moved_in_one_diff_is_where_the_diff_says(check):
    """MoveIt's own diffs are of this form: detached first, then an object of the world."""
    carried = state(held('part', PART))
    down = '{link_name: arm, object: {id: part, operation: 1}}'
    assert check(carried)[0] == FREE
    code, report = check(carried, DIFF + state(down, diff='true') + world(box('part', HERE)))
    assert code == COLLISION and 'part' in report['first_collision'].values()
    behind = state(held('part', '[0.8, -0.2, 0]'))
    assert check(behind, DIFF + state(down, diff='true'))[0] == FREE
    assert check(behind, DIFF + state(down, diff='true') + world(box('part', HERE)))[0] == COLLISION
    move = '{id: part, operation: 3, header: {frame_id: base}, pose: {position: %s}}'
    assert check(carried, DIFF + state(down, diff='true') + world(move % HERE))[0] == COLLISION
    assert check(carried, DIFF + state(down, diff='true') + world(move % THERE))[0] == FREE
    assert check(carried, DIFF + state(down, diff='true') +
                 world('{id: part, operation: 1}', box('b', THERE)))[0] == FREE
    # From a link that does not hold it MoveIt takes nothing.
    wrong = down.replace('arm', 'flap')
    code, report = check(carried, DIFF + state(wrong, diff='true'))
    assert code == INVALID and "attached to link 'arm', not to 'flap'" in report['error']


def test_a_permission_goes_with_its_object(check):
    """processCollisionObjectRemove takes the matrix' entries too: a new object has none."""
    first = state() + world(box('a', HERE)) + matrix('a arm', 'aarm')
    again = DIFF + world(box('a', HERE))
    assert check(first)[0] == FREE
    assert check(first, again)[0] == FREE   # replaced, as in MoveIt: not removed
    for gone in ('{id: a, operation: 1}', '{operation: 1}'):
        assert check(first, DIFF + world(gone), again)[0] == COLLISION
        assert check(first, DIFF + world(gone, box('a', HERE)))[0] == COLLISION
        assert check(first, DIFF + world(gone) + matrix('a arm', 'aarm'), again)[0] == COLLISION


REACH = SWEEP.replace('[0.5]', '[1.4]')   # the arm meets the flap
APART = '<disable_collisions link1="arm" link2="flap"/><disable_collisions link1="base" link2="arm"/>'


def test_a_matrix_replaces_the_pairs_of_the_srdf(check):
    """A scene's matrix is MoveIt's only one; what it does not name is checked."""
    assert check(state(), srdf='<disable_collisions link1="base" link2="arm"/>',
                 trajectory=REACH)[0] == COLLISION
    assert check(state() + world(box('a', THERE)), srdf=APART, trajectory=REACH)[0] == FREE
    for diff in ('', DIFF):
        code, report = check(
            diff + state() + world(box('a', THERE)) + matrix('base arm a', 'basearm'), srdf=APART,
            trajectory=REACH)
        assert code == COLLISION and any(
            "the pair 'arm' and 'flap', which the SRDF disables: it is checked" in w
            for w in report['warnings']), report
    code, report = check(
        state() + matrix('base arm flap', 'basearm', 'armflap') + world(box('a', THERE)),
        srdf=APART, trajectory=REACH)
    assert code == FREE and not any('SRDF disables' in w for w in report['warnings'])
    defaults = 'allowed_collision_matrix: {default_entry_names: [arm], default_entry_values: [%s]}\n'
    # MoveIt does not look at the defaults of a diff that has no entries.
    code, report = check(
        state() + world(box('a', HERE)), DIFF + defaults % 'true', srdf=APART)
    assert code == INVALID and 'entry_names' in report['error']


def test_an_object_that_is_attached_and_in_the_world_is_attached_and_told(check):
    both = state(held('part', PART)) + world(box('part', HERE))
    carried = state(held('part', PART))
    there = state() + world(box('part', HERE))
    request = carried.replace('robot_state', 'start_state')
    for files in ((both,), (carried, DIFF + world(box('part', HERE))), (there, request)):
        code, report = check(*files)
        assert code == FREE and any('MoveIt has two' in w for w in report['warnings']), files
    # One of an earlier scene gives way to what is attached, in MoveIt too.
    code, report = check(there, DIFF + state(held('part', PART), diff='true'))
    assert code == FREE and not any('MoveIt has two' in w for w in report['warnings'])
    by_name = f'start_state: {{{STATE}, attached_collision_objects: [' \
        '{link_name: arm, object: {id: part}}]}\n'
    assert check(there.replace(HERE, PART), by_name)[0] == FREE


def test_an_object_in_the_frame_of_a_link_stays_where_its_scene_put_it(check, tmp_path):
    """MoveIt places it with the state of the scene; later states move the robot, not the object."""
    put = state().replace('[0, 0]', '[0.9, 0]') + world(
        box('a', '[0.66, -0.45, 0]').replace('base', 'arm'))
    back = 'joint_state: {name: [turn], position: [0]}'
    (tmp_path / 'request.yaml').write_text(f'start_state: {{{back}}}\n')
    for later in (
            check(put, more=['--start', 'turn=0']),
            check(put, more=['--request', tmp_path / 'request.yaml']),
            check(put, f'start_state: {{{back}}}\n'),
            check(put, DIFF + f'robot_state: {{is_diff: true, {back}}}\n')):
        assert later[0] == COLLISION, later
        assert any("link 'arm', which moves" in w for w in later[1]['warnings'])
    # A move is one of the state that it comes with.
    away = '{id: a, operation: 3, header: {frame_id: arm}, pose: {position: [0.66, -0.45, 0]}}'
    assert check(put, DIFF + f'robot_state: {{is_diff: true, {back}}}\n' + world(away))[0] == FREE


def stand(kind, frame='map'):
    return (f'<virtual_joint name="stand" type="{kind}" parent_frame="{frame}" child_link="base"/>'
            '<disable_collisions link1="base" link2="arm"/>')


def placed(transform, *objects):
    return (f'robot_state: {{{STATE}, multi_dof_joint_state: {{joint_names: [stand], transforms: '
            f'[{{{transform}}}]}}}}\n' + world(*objects))


def test_a_base_stands_only_where_moveit_can_have_it(check):
    """MoveIt leaves a fixed joint where it is, and of a planar one it takes x, y and yaw."""
    here = box('a', HERE).replace('base', 'map')
    up, lean = 'translation: [0, 0, 1]', 'rotation: [0.6, 0, 0, 0.8]'
    assert check(placed('translation: [0, 0, 0]', here), srdf=stand('fixed'))[0] == COLLISION
    for kind, transform, code in (
            ('floating', up, FREE), ('floating', lean, FREE), ('fixed', up, INVALID),
            ('planar', up, INVALID), ('planar', lean, INVALID), ('unknown', up, INVALID),
            ('planar', 'translation: [0, -3, 0], rotation: [0, 0, 0.6, 0.8]', FREE),
            (' Planar ', up, INVALID)):
        found, report = check(placed(transform, here), srdf=stand(kind))
        assert found == code, (kind, transform, report)
        assert code == FREE or "'stand'" in report['error']


def test_the_planning_frame_is_not_the_link_of_that_name(check):
    """getFrameInfo: the model frame comes before links; and objects come before transforms."""
    high = box('a', '[0.8, 0.3, 1]')
    assert check(placed('translation: [0, 0, 1]', high), srdf=stand('floating'))[0] == FREE
    assert check(placed('translation: [0, 0, 1]', high),
                 srdf=stand('floating', frame='base'))[0] == COLLISION
    cell = 'fixed_frame_transforms: [{child_frame_id: cell, transform: {translation: [5, 5, 5]}}]\n'
    inside = box('b', '[0, 0, 0]').replace('base', 'cell')
    assert check(state() + cell + world(box('a', THERE), inside))[0] == FREE
    code, report = check(state() + cell + world(box('cell', '[0.8, 0.3, 0]'), inside))
    assert code == INVALID and "'cell' is an object" in report['error']


def octomap_bytes(cells):
    """Return OctoMap's binary stream of a tree in which these cells are occupied."""
    def node(low, side):
        inside = [c for c in cells if all(low[k] <= c[k] < low[k] + side for k in range(3))]
        if not inside or side == 1:
            return inside, b''
        bits, rest, half = 0, b'', side // 2
        for i in range(8):
            found, more = node([low[k] + half * (i >> k & 1) for k in range(3)], half)
            bits |= ((3 if half > 1 else 2) if found else 0) << 2 * i
            rest += more
        return inside, bits.to_bytes(2, 'little') + rest
    return node([-32768] * 3, 65536)[1]


def octomap(data, origin='[0, 0, 0]'):
    return ('octomap: {header: {frame_id: base}, origin: {position: %s, orientation: [0, 0, 0, 1]}, '
            'octomap: {header: {frame_id: elsewhere}, binary: true, id: OcTree, resolution: 0.1, '
            'data: %s}}' % (origin, data))


def test_an_octomap_is_its_occupied_cells(check):
    """As an object named <octomap>, where its origin says, until another one comes."""
    def here(data, *origin):
        return 'world: {%s}\n' % octomap(data, *origin)

    cells = [(7, 2, -1), (8, 2, -1), (7, 3, 0), (40, 2, 1)]
    boxes = ', '.join('{type: box, dimensions: [0.1, 0.1, 0.1]}' for _ in cells)
    places = ', '.join('{position: [%g, %g, %g]}' % tuple(0.1 * (k + 0.5) for k in c) for c in cells)
    same = state() + world('{id: cells, header: {frame_id: base}, primitives: [%s], primitive_poses: [%s]}' % (
        boxes, places))
    stream = octomap_bytes(cells)
    packed = zlib.compress(stream).hex().upper()
    listed = [b - 256 if b > 127 else b for b in stream]
    code, expected = check(same)
    assert code == COLLISION
    for data in (listed, packed):
        code, report = check(state() + here(data))
        assert code == COLLISION, report
        assert '<octomap>' in report['first_collision'].values()
        assert abs(report['first_collision']['time_s'] - expected['first_collision']['time_s']) < 1e-6
    away = here(packed, '[0, -0.6, 0]')
    code, report = check(state() + away)
    lower = report['clearance']['lower_m']
    code_same, expected = check(same.replace('base}', 'base}, pose: {position: [0, -0.6, 0]}'))
    assert code == code_same == FREE
    assert abs(lower - expected['clearance']['lower_m']) < 1e-3
    allowed = matrix('arm <octomap> base', 'arm<octomap>')
    assert check(state() + here(packed) + allowed)[0] == FREE
    # It stays when all objects of the world go, and in diffs that have none.
    for diff in (world('{operation: 1}'), 'world: {octomap: {octomap: {data: []}}}\n'):
        assert check(state() + here(packed), DIFF + diff)[0] == COLLISION
    assert check(state() + here(packed), DIFF + away)[0] == FREE
    code, report = check(state() + here(listed[:-1]))
    assert code == INVALID and 'is cut' in report['error'] and 'scene_0.yaml:2' in report['error']


def test_blanks_around_a_name_of_the_srdf_lose_no_pair(check):
    """MoveIt takes them away, and checks the pair."""
    srdf = '<disable_default_collisions link="arm"/><enable_collisions link1="%s" link2="flap"/>'
    objects = state() + world(box('a', '[0.3, 1, 5]'))
    assert check(objects, srdf=srdf % 'arm', trajectory=REACH)[0] == COLLISION
    code, report = check(objects, srdf=srdf % ' arm ', trajectory=REACH)
    assert code == INVALID and 'blanks' in report['error']
