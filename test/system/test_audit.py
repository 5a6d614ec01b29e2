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
"""The auditor says AUDITED of what vouch makes of files, and finds what is planted into it."""

import hashlib
import json
import pathlib
import random
import struct
import sys
import zlib

import audit_faults as faults
from cli_tools import CELL, cell, ROOT, run, VOUCH
import pytest

AUDIT = VOUCH.with_name('vouch-audit')
sys.path.insert(0, str(ROOT / 'audit'))
from vouch_auditor import documents, main, problem, space   # noqa: E402, I100, I202

SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]

URDF = """<robot name="zoo" version="1.0">
<link name="base"><collision><origin xyz="0 0 0.05"/>
<geometry><box size="0.4 0.4 0.1"/></geometry></collision></link>
<link name="turret"><collision><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/>
<geometry><cylinder radius="0.08" length="0.2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.1 0 0" rpy="0 0 0.5"/>
<geometry><mesh filename="arm.stl" scale="0.001 0.001 0.002"/></geometry></collision>
<collision><origin xyz="0.3 0 0.3"/><geometry><sphere radius="0.04"/></geometry></collision></link>
<link name="rail"/>
<link name="slide"><collision><origin xyz="0 0 0.1" rpy="0 1.57 0"/>
<geometry><capsule radius="0.03" length="0.1"/></geometry></collision></link>
<link name="hand"><collision><geometry><mesh filename="hand.obj" scale="0.1 0.1 0.1"/></geometry>
</collision></link>
<link name="left"><collision><geometry><box size="0.01 0.02 0.03"/></geometry></collision></link>
<link name="right"><collision><geometry><box size="0.01 0.02 0.03"/></geometry></collision></link>
<joint name="turn" type="revolute"><origin xyz="0 0 0.1"/><parent link="base"/>
<child link="turret"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="lift" type="revolute"><origin xyz="0.1 0 0.25" rpy="0.3 0 0"/><parent link="turret"/>
<child link="arm"/><axis xyz="0 2 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="mount" type="fixed"><origin xyz="0.5 0 0" rpy="0 0 1"/><parent link="arm"/>
<child link="rail"/></joint>
<joint name="push" type="prismatic"><parent link="rail"/><child link="slide"/><axis xyz="1 1 0"/>
<limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="spin" type="continuous"><origin xyz="0 0 0.3"/><parent link="slide"/>
<child link="hand"/></joint>
<joint name="grip" type="prismatic"><origin xyz="0 0.1 0.4"/><parent link="hand"/>
<child link="left"/><axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="follow" type="prismatic"><origin xyz="0 -0.1 0.4"/><parent link="hand"/>
<child link="right"/><axis xyz="0 1 0"/><mimic joint="grip" multiplier="-0.5" offset="0.001"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
"""
SRDF = """<robot name="zoo">
<disable_collisions link1="base" link2="turret" reason="Adjacent"/>
<disable_collisions link1="turret" link2="arm" reason="Adjacent"/>
<disable_collisions link1="arm" link2="slide" reason="Adjacent"/>
<disable_collisions link1="slide" link2="hand" reason="Adjacent"/>
<disable_collisions link1="left" link2="right" reason="User"/>
<disable_collisions link1="base" link2="left" reason="Never"/></robot>
"""
SCENE = {
    'objects': [
        {'id': 'table', 'padding': 0.005, 'pose': {'position': [0.9, 0, -0.1]},
         'shapes': [{'type': 'box', 'size': [1, 0.8, 0.04]}]},
        {'id': 'ball', 'shapes': [{'type': 'sphere', 'radius': 0.1,
                                   'pose': {'position': [0, 0, 3]}}]},
        {'id': 'hat', 'pose': {'position': [2, 1, 0], 'orientation': [0.6, 0, 0, 0.8]},
         'shapes': [{'type': 'cone', 'radius': 0.2, 'height': 0.5},
                    {'type': 'cylinder', 'radius': 0.3, 'height': 0.02}]},
        {'id': 'egg', 'shapes': [{'type': 'ellipsoid', 'radii': [0.1, 0.2, 0.3],
                                  'pose': {'position': [0, -3, 0]}}]},
        {'id': 'angle', 'shapes': [{
            'type': 'prism', 'height': 0.5, 'pose': {'position': [-2, 0, 0]},
            'points': [[0, 0], [1, 0], [1, 0.1], [0.1, 0.1], [0.1, 1], [0, 1]]}]},
        {'id': 'stone', 'shapes': [{
            'type': 'convex', 'pose': {'position': [0, 3, 0]},
            'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}]},
        {'id': 'brick', 'shapes': [{
            'type': 'mesh', 'pose': {'position': [-3, 2, 0]}, 'points': CORNERS,
            'triangles': [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]}]},
        {'id': 'floor', 'shapes': [{'type': 'half_space', 'normal': [0, 0, 2], 'offset': -1}]},
        {'id': 'wall', 'shapes': [{'type': 'plane', 'normal': [1, 0, 0], 'offset': 4}]},
        {'id': 'part', 'frame': 'hand', 'pose': {'position': [0, 0, 0.45]},
         'shapes': [{'type': 'capsule', 'radius': 0.01, 'length': 0.05}],
         'attach': {'link': 'hand', 'touch_links': ['left', 'right']}}],
    'allow': [['table', 'base'], ['ball', 'arm']], 'allow_default': ['egg'],
    'padding': {'arm': 0.01, 'hand': 0.002}}
TRAJECTORY = {'joint_names': ['turn', 'lift', 'push', 'spin'], 'points': [
    {'positions': [0, 0, 0.1, 3], 'velocities': [0, 0, 0, 0], 'time_from_start': 0},
    {'positions': [0.5, 0.1, 0.2, 3.5], 'velocities': [0.1, 0, 0, 0], 'time_from_start': 1},
    {'positions': [0.6, 0.3, 0.1, 4], 'velocities': [0, 0, 0, 0],
     'time_from_start': {'sec': 2, 'nanosec': 500000000}}]}
CELLS = {(40, 2, 3), (40, 3, 3), (41, 2, 3), (40, 2, 4), (44, 2, 3)}


def stl(places):
    """Cubes as a binary STL file."""
    out, corners = [], [[(100 * x + a, 80 * y + b, 60 * z + c) for x, y, z in CORNERS]
                        for a, b, c in places]
    for cube in corners:
        for a, b, c, d in SIDES:
            for face in ((a, b, c), (a, c, d)):
                out.append(struct.pack('<12f2x', 0, 0, 0, *(c for k in face for c in cube[k])))
    return bytes(80) + struct.pack('<I', len(out)) + b''.join(out)


def octree(cells, low=(-32768,) * 3, side=65536):
    """A binary octomap."""
    states, below, half = 0, b'', side // 2
    for i in range(8):
        at = tuple(low[k] + half * (i >> k & 1) for k in range(3))
        inside = {c for c in cells if all(at[k] <= c[k] < at[k] + half for k in range(3))}
        states |= (0 if not inside else 2 if half == 1 else 3) << 2 * i
        below += octree(inside, at, half) if inside and half > 1 else b''
    return struct.pack('<H', states) + below


@pytest.fixture(scope='module')
def zoo(tmp_path_factory):
    """A robot and a scene with one of everything, and the problem that vouch makes of them."""
    folder = tmp_path_factory.mktemp('zoo')
    (folder / 'zoo.urdf').write_text(URDF)
    (folder / 'zoo.srdf').write_text(SRDF)
    (folder / 'arm.stl').write_bytes(stl([(0, 0, 0), (200, 0, 0)]))
    (folder / 'hand.obj').write_text(
        ''.join(f'v {x} {y} {z}\n' for x, y, z in CORNERS) +
        ''.join('f ' + ' '.join(str(c + 1) for c in face) + '\n' for face in SIDES[:5]))
    (folder / 'scene.json').write_text(json.dumps(SCENE))
    (folder / 'map.yaml').write_text(json.dumps({'is_diff': True, 'world': {'octomap': {
        'origin': {'position': {'x': 0.0, 'y': 0.5, 'z': 0.0}},
        'octomap': {'binary': True, 'id': 'OcTree', 'resolution': 0.05,
                    'data': zlib.compress(octree(CELLS)).hex()}}}}))
    (folder / 'move.yaml').write_text(json.dumps(TRAJECTORY))
    arguments = ['--robot', folder / 'zoo.urdf', '--srdf', folder / 'zoo.srdf', '--scene',
                 folder / 'scene.json', '--scene', folder / 'map.yaml', '--trajectory',
                 folder / 'move.yaml', '--start', 'grip=0.01', '--margin', '0.002', '--tolerance',
                 '0.001', '--joint-tolerance', 'push=0.0005', '--cache', 'off']
    made = run('check', *arguments, '--deadline', '0.1', '--problem', folder / 'zoo.problem')
    assert (folder / 'zoo.problem').exists(), made.stderr
    return [str(a) for a in arguments], folder


@pytest.fixture(scope='module')
def audit(zoo):
    """Audits bytes against the sources of the zoo, which are read once."""
    arguments, folder = zoo
    path = folder / 'zoo.problem'
    found = main.Audit(problem.read(path.read_bytes()),
                       main.parser().parse_args([str(path), *arguments]))

    def look(data):
        found.differences = []
        try:
            found.problem = problem.read(data)
            return found.run()
        except problem.Malformed as error:
            return [f'malformed: {error}']
    return path.read_bytes(), look


def test_the_zoo_is_audited(audit):
    data, look = audit
    assert look(data) == []
    assert faults.put(faults.take(data)) == data
    assert len(problem.read(data).scene.bodies) == 18


def first_segment(p):
    return p.segments[1]


FAULTS = {
    # frames
    'joint origin moved': faults.change(faults.at_frame('arm'), 4, faults.plus(1e-9)),
    'joint origin turned': faults.change(faults.at_frame('arm'), 0, faults.plus(1e-9)),
    'joint origin lost': faults.change(faults.at_frame('turret'), 6, faults.to(0.0)),
    'fixed joint turned back': faults.change(faults.at_frame('rail'), 2, lambda z: -z),
    'axis another one': faults.change(faults.at_frame('arm'), 7, faults.to(0.3)),
    'axis reversed': faults.change(faults.at_frame('turret'), 9, lambda z: -z),
    'axis default': faults.change(faults.at_frame('slide'), 8, faults.to(0.0)),
    'revolute is prismatic': faults.change(faults.at_frame('hand'), 13, faults.to(2)),
    'prismatic is revolute': faults.change(faults.at_frame('slide'), 13, faults.to(1)),
    'moving joint is fixed': faults.change(faults.at_frame('hand'), 13, faults.to(0)),
    'mimic factor': faults.change(faults.at_frame('right'), 10, faults.to(-0.500001)),
    'mimic sign': faults.change(faults.at_frame('right'), 10, faults.to(0.5)),
    'mimic offset lost': faults.change(faults.at_frame('right'), 11, faults.to(0.0)),
    'mimic of another joint': faults.change(faults.at_frame('right'), 14, lambda v: v - 1),
    'factor of a plain joint': faults.change(faults.at_frame('arm'), 10, faults.to(1.001)),
    'joints swapped': faults.swap_fields(
        faults.at_frame('turret'), faults.at_frame('arm'), 14),
    'parent another one': faults.change(faults.at_frame('left'), 12, lambda n: n - 1),
    'links exchange their names': lambda p: faults.swap_names(p, 1, 3),
    # motion
    'waypoint': faults.change(lambda p: p.coefficients[0], 0, faults.plus(1e-9)),
    'velocity': faults.change(lambda p: p.coefficients[2], 0, faults.plus(1e-6)),
    'columns exchanged': faults.swap(lambda p: p.coefficients[0], lambda p: p.coefficients[12]),
    'held joint elsewhere': faults.change(lambda p: p.coefficients[16], 0, faults.plus(0.001)),
    'segment lost': lambda p: faults.lose_segment(p),
    'segment longer': lambda p: faults.stretch(p),
    'seconds': faults.change(first_segment, 2, faults.plus(0.1)),
    'tolerance lost': faults.change(lambda p: p.variables[0], 0, faults.to(0.0)),
    'tolerance of one joint': faults.change(lambda p: p.variables[2], 0, faults.to(0.001)),
    'model': lambda p: p.motion_names.__setitem__(0, b'linear'),
    'variables exchange names': lambda p: faults.swap_variables(p),
    # shapes
    'box smaller': faults.scaled(lambda p: faults.geometry(p, 'link/base').vertices, 0.999),
    'box larger': faults.scaled(lambda p: faults.geometry(p, 'link/base').vertices, 1.001),
    'box corner': faults.change(faults.vertex('link/base', 3), 0, faults.times(0.99)),
    'box corner forgotten': faults.forget_corner('link/base'),
    'cylinder radius': faults.scaled(faults.rounds('link/turret'), 0.999999),
    'cylinder end': faults.change(faults.vertex('link/turret', 1), 2, faults.plus(0.001)),
    'capsule radius': faults.scaled(faults.rounds('link/slide'), 0.5),
    'sphere place': faults.change(faults.vertex('link/arm', -1), 0, faults.plus(1e-6)),
    'sphere radius': faults.scaled(faults.rounds('link/arm'), 0.9),
    'mesh in metres': faults.scaled(lambda p: faults.geometry(p, 'link/arm').vertices, 1000.0),
    'mesh scale of one axis': lambda p: faults.squeeze(p, 'link/arm'),
    'mesh vertex': faults.change(faults.vertex('link/arm', 5), 1, faults.plus(1e-9)),
    'mesh truncated': faults.lose_triangles('link/arm', 3),
    'mesh triangle lost': faults.lose_triangles('link/arm', 1),
    'mesh triangle turned': faults.turn_triangle('link/arm'),
    'solid is a surface': faults.surface('link/arm'),
    'solid of an object is a surface': faults.surface('object/brick'),
    'open mesh told to be a surface': faults.flag('link/hand', 3, 0),
    'shapes of two links exchanged': faults.swap_fields(
        faults.at_body('link/turret'), faults.at_body('link/slide'), 10),
    'shape of another link': faults.change(
        faults.at_body('link/left'), 10, lambda n: n - 1),
    'collision dropped': lambda p: faults.drop_shape(p, 'object/hat'),
    'cone tip': faults.change(faults.vertex('object/hat', 1), 1, faults.plus(0.01)),
    'ellipsoid axes': faults.scaled(lambda p: faults.rounds('object/egg')(p)[:1], 0.9),
    'prism corner': faults.change(faults.vertex('object/angle', 4), 0, faults.plus(0.01)),
    'convex point': faults.change(faults.vertex('object/stone', 2), 1, faults.times(0.5)),
    'octomap cell lost': lambda p: faults.lose_box(p, 'object/<octomap>'),
    'octomap cell elsewhere': lambda p: faults.move_box(p, 'object/<octomap>'),
    'octomap resolution': faults.scaled(
        lambda p: faults.geometry(p, 'object/<octomap>').vertices, 1.1),
    'octomap origin lost': faults.change(faults.at_body('object/<octomap>'), 5, faults.to(0.0)),
    # bodies
    'object moved': faults.change(faults.at_body('object/table'), 4, faults.plus(1e-6)),
    'object turned': faults.change(faults.at_body('object/hat'), 3, lambda w: -w),
    'attached object elsewhere': faults.change(
        faults.at_body('object/part'), 6, faults.plus(0.01)),
    'attached object in the world': faults.change(
        faults.at_body('object/part'), 8, faults.to(0)),
    'body on another link': faults.change(faults.at_body('link/left'), 8, lambda n: n + 1),
    'link placed': faults.change(faults.at_body('link/base'), 4, faults.plus(0.001)),
    'half-space is a plane': faults.change(faults.at_body('object/floor#0'), 9, faults.to(2)),
    'plane is a half-space': faults.change(faults.at_body('object/wall#0'), 9, faults.to(1)),
    'plane offset': faults.change(faults.at_body('object/floor#0'), 6, faults.plus(-0.1)),
    'plane turned': faults.change(faults.at_body('object/wall#0'), 1, lambda y: -y),
    'object renamed': faults.rename(lambda p: faults.name_number(p, 'object/ball') + 1, b'x'),
    # pairs
    'pair dropped as adjacent': faults.drop_pair('link/base', 'link/hand', 4),
    'pair dropped as never': faults.drop_pair('link/turret', 'link/hand', 5),
    'pair dropped as rigid': faults.drop_pair('link/arm', 'link/left', 1),
    'pair dropped as allowed': faults.drop_pair('link/base', 'object/part', 7),
    'pair dropped as held': faults.drop_pair('link/slide', 'object/part', 9),
    'pair dropped as asked for': faults.drop_pair('link/base', 'link/slide', 10),
    'floor dropped': faults.drop_pair('link/arm', 'object/floor#0', 7),
    'touch link forgotten': faults.check_pair(9),
    'SRDF pair checked': faults.check_pair(4),
    'reason another one': faults.change(lambda p: faults.left_out(p, 5), 2, faults.to(6)),
    'margin lost': faults.change(
        lambda p: faults.checked(p, 'link/base', 'link/hand'), 0, faults.to(0.0)),
    'margin doubled': faults.change(
        lambda p: faults.checked(p, 'link/base', 'link/hand'), 0, faults.times(2.0)),
    'padding of a plane lost': faults.change(
        lambda p: faults.checked(p, 'link/arm', 'object/floor#0'), 0, faults.to(0.002)),
    'padding of the group lost': lambda p: faults.group_margin(p, 'link/arm'),
    'obstacles skipped': lambda p: faults.skip_more(p, 'link/arm'),
    'skip for another object': lambda p: faults.skip_other(p, 'link/arm'),
    'all obstacles left out': lambda p: faults.leave_group(p, 'link/slide'),
    'pair swapped for another': faults.swap_fields(
        lambda p: faults.checked(p, 'link/base', 'link/hand'),
        lambda p: faults.left_out_fields(p, 5), 1),
    # sources
    'hash of a source': lambda p: p.files.__setitem__(1, [bytes(32)]),
    'source forgotten': lambda p: (p.files.pop(), p.file_names.__delitem__(slice(-2, None))),
    'source of another role': lambda p: p.file_names.__setitem__(1, b'srdf'),
    'solid does not hang on the tree': faults.change(
        lambda p: faults.geometry(p, 'link/arm').nodes[0], 0, lambda right: right - 1),
    'object does not hang on the tree': faults.change(
        lambda p: p.groups[0], 0, lambda right: right + 1),
    'robot renamed': faults.rename(lambda p: 0, b'other'),
}


@pytest.mark.parametrize('name', FAULTS)
def test_a_planted_fault_is_found(audit, name):
    data, look = audit
    planted = faults.take(data)
    FAULTS[name](planted)
    changed = faults.put(planted)
    assert changed != data, 'the fault changes nothing'
    differences = look(changed)
    assert differences, name
    assert ('tree' in name) == differences[0].startswith('malformed'), differences


def test_there_are_sixty_faults():
    assert len(FAULTS) >= 60


# ---- the program ----

def test_the_cell_is_audited(tmp_path):
    path = tmp_path / 'cell.problem'
    run('check', *cell('pick.yaml', '--problem', path))
    told = run(path, *cell('pick.yaml'), program=AUDIT)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.startswith('AUDITED: 17 bodies, 6 segments, problem ')


@pytest.mark.parametrize('more, word', [
    (['--margin', '0.001'], 'margin'), (['--tolerance', '0.01'], 'tolerance'),
    (['--padding', '0.01'], 'margin'), (['--scale', 'hand=1.1'], 'a face of its mesh'),
    (['--hulls'], None), (['--model', 'linear'], 'model')])
def test_other_options_are_another_problem(zoo, more, word):
    arguments, folder = zoo
    told = run(folder / 'zoo.problem', *arguments, *more, program=AUDIT)   # the last one counts
    assert told.returncode == 1, told.stdout + told.stderr
    assert told.stdout.splitlines()[-1].startswith('DIFFERS: ')
    assert word is None or word in told.stdout


def test_a_problem_names_the_files_it_was_made_from(zoo):
    _, folder = zoo
    found = problem.read((folder / 'zoo.problem').read_bytes())
    assert found.sources == [
        (role, name, hashlib.sha256((folder / name).read_bytes()).hexdigest())
        for role, name in (('robot', 'zoo.urdf'), ('srdf', 'zoo.srdf'), ('mesh', 'arm.stl'),
                           ('mesh', 'hand.obj'), ('scene', 'scene.json'), ('scene', 'map.yaml'))]


def test_a_file_that_changed_is_told(zoo):
    arguments, folder = zoo
    path = folder / 'zoo.srdf'
    path.write_text(SRDF + '<!-- later -->')
    told = run(folder / 'zoo.problem', *arguments, program=AUDIT)
    path.write_text(SRDF)
    assert told.returncode == 1
    assert "the srdf 'zoo.srdf' is not what is there now" in told.stdout


def test_a_whole_scene_forgets_the_files_before_it(tmp_path):
    whole = tmp_path / 'whole.json'
    whole.write_text('{"objects": []}')
    names = []
    for scenes in ([CELL / 'cell.yaml'], [whole], []):
        path = tmp_path / 'p'
        told = run('check', *cell('pick.yaml', '--problem', path, scene=False),
                   *(a for s in scenes for a in ('--scene', s)))
        assert path.exists(), told.stderr
        names.append([n for role, n, _ in problem.read(path.read_bytes()).sources
                      if role == 'scene'])
    assert names == [['cell.yaml'], ['whole.json'], []]


def test_a_report_is_json(zoo):
    arguments, folder = zoo
    told = run(folder / 'zoo.problem', *arguments, '--json', program=AUDIT)
    report = json.loads(told.stdout)
    assert told.returncode == 0 and report['verdict'] == 'AUDITED' and not report['differences']
    for file in report['files']:
        data = pathlib.Path(file['name']).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file['sha256']
    assert {file['role'] for file in report['files']} == {
        'robot', 'srdf', 'mesh', 'scene', 'trajectory'}


@pytest.mark.parametrize('break_it', [
    lambda d: d[:-1], lambda d: d + b'x', lambda d: b'', lambda d: b'VOUCHCRT' + d[8:],
    lambda d: d[:8] + b'\2' + d[9:], lambda d: d[:500]])
def test_what_is_no_problem_is_unreadable(zoo, tmp_path, break_it):
    arguments, folder = zoo
    path = tmp_path / 'broken.problem'
    path.write_bytes(break_it((folder / 'zoo.problem').read_bytes()))
    told = run(path, *arguments, program=AUDIT)
    assert told.returncode == 3 and told.stdout.count('\n') == 2, told.stdout + told.stderr
    assert 'Traceback' not in told.stderr


def test_bytes_that_are_changed_at_random_never_confuse(audit):
    data, look = audit
    numbers = random.Random(1)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(numbers.randrange(1, 4)):
            changed[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        try:
            look(bytes(changed))
        except documents.Refused:
            pass


def test_missing_files_and_wrong_options_are_unreadable(zoo):
    arguments, folder = zoo
    for broken in ([str(folder / 'none.problem'), *arguments],
                   [str(folder / 'zoo.problem'), *arguments, '--robt', 'x'],
                   [str(folder / 'zoo.problem'), *arguments, '--scene', str(folder / 'none')],
                   [str(folder / 'zoo.problem')]):
        told = run(*broken, program=AUDIT)
        assert told.returncode == 3 and 'Traceback' not in told.stderr, told.stderr


# ---- other motions and scenes ----

MOTIONS = {
    'path.csv': 'turn;lift;push;spin\n0;0;0.1;3\n0;0;0.1;3\n0.1;0.2;0.1;-3\n0.3;0;0.2;-1\n',
    'times.csv': '# a comment\ntime,turn,lift\n0,0,0\n1.5,0.4,0.1\n',
    'lead_in.yaml': 'joint_names: [turn, lift, push, spin]\npoints:\n'
                    '- {positions: [0, 0.1, 0, 3], velocities: [0, 0, 0, 0.1], accelerations: '
                    '[0, 0, 0, 1], time_from_start: {sec: 1}}\n'
                    '- {positions: [0, 0.2, 0, 3.1], velocities: [0, 0, 0, 0], accelerations: '
                    '[0.5, 0, 0, 0], time_from_start: 2}\n'
                    '- {positions: [0, 0.3, 0, 3.2], time_from_start: 2.5}\n',
    'segments.json': json.dumps({'joint_names': ['turn', 'lift'], 'segments': [
        {'duration': 0.5, 'coefficients': [[0, 0, 0.8], [0.5]]},
        {'duration': 1.0, 'coefficients': [[0.2, 0.8], [0.5, -0.4, 0, 0, 0, 0.1]]}]}),
    'one.yaml': 'joint_trajectory:\n  joint_names: [turn]\n  points:\n  - positions: [0.2]\n'}
REQUEST = {'start_state': {'joint_state': {
    'name': ['turn', 'lift', 'push', 'spin', 'grip'], 'position': [0.0, 0.0, 0.1, -3.0, 0.01],
    'velocity': [0.0, 0.2, 0.0, 0.0, 0.0]}}}


def audit_again(zoo, *more):
    """Check, then audit, with other arguments."""
    _, folder = zoo
    arguments = ['--robot', folder / 'zoo.urdf', '--cache', 'off', *more]
    path = folder / 'again.problem'
    path.unlink(missing_ok=True)
    made = run('check', *arguments, '--deadline', '0.1', '--problem', path)
    assert path.exists(), made.stderr
    told = run(path, *arguments, program=AUDIT)
    assert told.returncode == 0, told.stdout + told.stderr
    return problem.read(path.read_bytes()), told


@pytest.mark.parametrize('more', [[], ['--model', 'linear'], ['--humble-lead-in']])
@pytest.mark.parametrize('name', MOTIONS)
def test_every_kind_of_motion_is_audited(zoo, name, more):
    _, folder = zoo
    if (name == 'segments.json' and '--model' in more):
        pytest.skip('polynomials are taken as given')
    (folder / name).write_text(MOTIONS[name])
    start = json.loads(json.dumps(REQUEST))
    values = {'segments.json': [0, 0.5, 0, 0, 0], 'one.yaml': [0.2, 0, 0, 0, 0],
              'times.csv': [0.0] * 5}
    start['start_state']['joint_state']['position'] = values.get(
        name, start['start_state']['joint_state']['position'])
    (folder / 'request.json').write_text(json.dumps(start))
    found, _ = audit_again(
        zoo, '--trajectory', folder / name, '--request', folder / 'request.json', *more)
    assert found.motion.segments


def test_a_planning_scene_is_audited(zoo):
    """Frames, bases, attached objects, operations and the matrix of messages."""
    _, folder = zoo
    (folder / 'base.srdf').write_text(SRDF.replace(
        '</robot>', '<virtual_joint name="v" type="floating" parent_frame="world" '
        'child_link="base"/><enable_collisions link1="turret" link2="slide"/>'
        '<disable_default_collisions link="rail"/><disable_default_collisions link="left"/>'
        '<group name="g"/><group_state name="s" group="g"><joint name="turn" value="0.1"/>'
        '<joint name="lift" value="0.2"/><joint name="push" value="0.3"/>'
        '<joint name="spin" value="0.4"/><joint name="grip" value="0"/></group_state></robot>'))
    cube = {'type': 1, 'dimensions': [0.1, 0.2, 0.3]}
    (folder / 'planning.yaml').write_text(json.dumps({
        'name': 'x', 'robot_model_name': 'zoo',
        'robot_state': {
            'joint_state': {'name': ['turn', 'lift', 'push', 'spin', 'grip'],
                            'position': [0.5, 0.1, 0.2, 0.3, 0]},
            'multi_dof_joint_state': {'joint_names': ['v'], 'transforms': [{
                'translation': {'x': 1, 'y': 2, 'z': 0.5},
                'rotation': {'x': 0, 'y': 0, 'z': 0.6, 'w': 0.8}}]},
            'attached_collision_objects': [
                {'link_name': 'hand', 'touch_links': ['left'], 'object': {
                    'id': 'held', 'header': {'frame_id': 'left'}, 'primitives': [cube],
                    'primitive_poses': [{'position': {'x': 0.2}}]}},
                {'link_name': 'right', 'object': {'id': 'picked'}}]},
        'fixed_frame_transforms': [{'header': {'frame_id': 'world'}, 'child_frame_id': 'cell',
                                    'transform': {'translation': [0, 3, 0],
                                                  'rotation': [0, 0.6, 0, 0.8]}}],
        'world': {'collision_objects': [
            {'id': 'a', 'header': {'frame_id': 'cell'}, 'primitives': [cube], 'primitive_poses': [
                {'position': [5, 0, 0]}], 'operation': 'add'},
            {'id': 'a', 'header': {'frame_id': 'cell'}, 'pose': {'position': [6, 0, 0]},
             'operation': 3},
            {'id': 'b', 'header': {'frame_id': 'arm'}, 'pose': {'position': [2, 2, 2]},
             'primitives': [cube, {'type': 'cone', 'dimensions': [0.3, 0.1]}],
             'primitive_poses': [{}, {'position': [0, 0, 1]}]},
            {'id': 'b', 'header': {'frame_id': 'arm'}, 'pose': {'position': [2, 2, 2]},
             'primitives': [{'type': 'cylinder', 'dimensions': [0.5, 0.1]}],
             'primitive_poses': [{'position': [0, 1, 0]}], 'operation': 2},
            {'id': 'gone', 'primitives': [cube], 'primitive_poses': [{'position': [9, 9, 9]}]},
            {'id': 'gone', 'operation': 1},
            {'id': 'picked', 'primitives': [{'type': 2, 'dimensions': [0.05]}],
             'primitive_poses': [{'position': [4, 4, 4]}]},
            {'id': 'p', 'planes': [{'coef': [0, 0, 2, 10]}],
             'meshes': [{'vertices': [{'x': 7, 'y': 7, 'z': 7}, [8, 7, 7], [7, 8, 7]],
                         'triangles': [{'vertex_indices': [0, 1, 2]}]}]}]},
        'allowed_collision_matrix': {
            'entry_names': ['base', 'turret', 'arm', 'a'],
            'entry_values': [{'enabled': [False, True, False, True]}, [True, False, True, False],
                             [False, True, False, False], [True, False, False, False]],
            'default_entry_names': ['hand', 'left', 'b'],
            'default_entry_values': [True, True, False]},
        'link_padding': [{'link_name': 'hand', 'padding': 0.01}],
        'link_scale': [{'link_name': 'hand', 'scale': 1.0}]}))
    found, _ = audit_again(
        zoo, '--srdf', folder / 'base.srdf', '--scene', folder / 'planning.yaml', '--trajectory',
        folder / 'move.yaml', '--group-state', 'g/s', '--start', 'turn=0', '--start', 'lift=0',
        '--start', 'push=0.1', '--start', 'spin=3', '--padding', '0.003', '--padding', 'a=0.02',
        '--scale', 'left=1.5', '--margin', '0.001')
    assert {body.id for body in found.scene.bodies if body.id[0] == 'o'} == {
        'object/held', 'object/picked', 'object/a', 'object/b', 'object/p', 'object/p#0'}


def test_without_srdf_neighbours_are_adjacent(zoo):
    _, folder = zoo
    found, told = audit_again(zoo, '--trajectory', folder / 'move.yaml', '--start', 'grip=0',
                              '--json')
    assert ('reason', 3) in found.scene.pairs.values()
    assert json.loads(told.stdout)['largest_deviation_m'] < 1e-15


# ---- meshes and hulls ----

DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="24">{points}</float_array><technique_common>
<accessor source="#a" count="8" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>4 4 4 4 4 4</vcount><p>{corners}</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node id="n"><translate>1 2 3</translate>
<rotate>0 0 1 30</rotate><scale>1 1 {stretch}</scale><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>
"""
MESH = """<robot name="m"><link name="a"><collision><geometry><mesh filename="{file}"/></geometry>
</collision></link><link name="b"/><joint name="j" type="revolute"><parent link="b"/>
<child link="a"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>"""


def audit_mesh(folder, name, data, *more):
    (folder / name).write_bytes(data)
    (folder / 'm.urdf').write_text(MESH.format(file=name))
    (folder / 'm.csv').write_text('time,j\n0,0\n1,1\n')
    arguments = ['--robot', folder / 'm.urdf', '--trajectory', folder / 'm.csv', *more]
    made = run('check', *arguments, '--cache', 'off', '--problem', folder / 'm.problem')
    assert (folder / 'm.problem').exists(), made.stderr
    return run(folder / 'm.problem', *arguments, program=AUDIT), arguments


def dae(stretch):
    return DAE.format(
        stretch=stretch, points=' '.join(str(10 * c) for p in CORNERS for c in p),
        corners=' '.join(str(c) for face in SIDES for c in face)).encode()


@pytest.mark.parametrize('stretch', [1, 2.5, -1])
def test_collada_is_read_with_units_nodes_and_polygons(tmp_path, stretch):
    told, arguments = audit_mesh(tmp_path, 'm.dae', dae(stretch))
    if 'was built without it' in told.stderr:
        pytest.skip('no assimp')
    assert told.returncode == 0, told.stdout
    (tmp_path / 'm.dae').write_bytes(dae(stretch * 1.001))
    assert run(tmp_path / 'm.problem', *arguments, program=AUDIT).returncode == 1


def test_hulls_hold_every_vertex(tmp_path):
    data = stl([(3 * i, i * i, 7 * i % 5) for i in range(12)])
    told, arguments = audit_mesh(tmp_path, 'm.stl', data, '--hulls')
    assert told.returncode == 0, told.stdout
    (tmp_path / 'm.stl').write_bytes(stl([(3 * i, i * i, 7 * i % 5) for i in range(13)]))
    assert run(tmp_path / 'm.problem', *arguments, program=AUDIT).returncode == 1


def test_shells_that_share_all_their_edges(tmp_path):
    """Two octahedra, one in the other, over the same four corners: no part is closed by itself."""
    ring = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)]
    points = ring + [(0, 0, h) for h in (1, 0.5, -1, -0.5)]
    faces = [(i, (i + 1) % 4, top) for i in range(4) for top in (4, 5)] + \
        [((i + 1) % 4, i, low) for i in range(4) for low in (6, 7)]
    text = ''.join('v {} {} {}\n'.format(*p) for p in points) + \
        ''.join('f {} {} {}\n'.format(*(c + 1 for c in f)) for f in faces)
    for more in ([], ['--surfaces']):
        told, _ = audit_mesh(tmp_path, 'm.obj', text.encode(), *more)
        assert told.returncode == 0, told.stdout


def test_ascii_stl(tmp_path):
    faces = [(a, b, c) for a, b, c, d in SIDES] + [(a, c, d) for a, b, c, d in SIDES]
    text = 'solid x\n' + ''.join(
        'facet normal 0 0 0\nouter loop\n' + ''.join(
            'vertex {} {} {}\n'.format(*(0.1 * x for x in CORNERS[c])) for c in face) +
        'endloop\nendfacet\n' for face in faces) + 'endsolid x\n'
    told, _ = audit_mesh(tmp_path, 'm.stl', text.encode())
    assert told.returncode == 0, told.stdout


def test_the_nearest_point_of_a_hull():
    cube = [tuple(2.0 * c - 1.0 for c in p) for p in CORNERS]
    for offset, distance in (((0, 0, 0), 0.0), ((1, 0.3, -1), 0.0), ((1.5, 0, 0), 0.5),
                             ((2, 2, 0), 2 ** 0.5), ((2, 2, 2), 3 ** 0.5)):
        found = space.nearest_in_hull([space.minus(p, offset) for p in cube], 1e-12)
        assert found == pytest.approx(distance, abs=1e-12)


# ---- documents ----

@pytest.mark.parametrize('text', [
    'a: 1\nb: [1, 2.5e3, x y, "q\\"", \'it\'\'s\']\n',
    'a:\n- b: 1\n  c: 2\n-\n  - 3\n  - 4\nd: {}\n',
    '--- # one\n{a: {b: [true, null, ~]}, "c": http://x/y#z}\n', 'a: "x # y" # z\nb: x#y\n',
    'a:\n  b:\n    - [1,\n       2]\n    - {c: d,\n       e: f}\n', '- - 1\n  - 2\n- - 3\n',
    'a: -.5\nb: +1.\nc: 1e-3\nd: ""\ne: yes no\n'])
def test_yaml_is_read_as_pyyaml_reads_it(text):
    yaml = pytest.importorskip('yaml')

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(v) for key, v in value.items()}
        return [plain(v) for v in value] if isinstance(value, list) else str(value)
    assert plain(documents.document(text, 'x')) == plain(yaml.load(text, yaml.BaseLoader))


@pytest.mark.parametrize('text', [
    'a: 1\na: 2\n', '{"a": 1, "a": 2}', 'a: &x 1\nb: *x\n', 'a: |\n  b\n', 'a: [1, 2\n',
    'a: !!str 1\n', 'a: x\n  y\n', '\ta: 1\n', 'a: {b: 1}}\n', ''])
def test_what_could_be_misread_is_refused(text):
    with pytest.raises(documents.Refused):
        documents.document(text, 'x')
