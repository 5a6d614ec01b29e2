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
"""vouch motion: three methods, margins, tolerances, exit codes, reports, bad input."""

import json

from cli_tools import COLLISION, FREE, INVALID, ROOT, run, UNDECIDED
import pytest
from test_cli_check import KEYS

METHODS = ['chord', 'toleranced', 'screw']
BOX = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3],
       [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]


def obj(size, triangles=BOX):
    """A box as the text of an OBJ file."""
    corners = [[(0.5 if i >> k & 1 else -0.5) * size[k] for k in range(3)] for i in range(8)]
    return ''.join('v {} {} {}\n'.format(*c) for c in corners) + ''.join(
        'f {} {} {}\n'.format(*(v + 1 for v in t)) for t in triangles)


def slide(begin, end):
    """A screw without a turn."""
    return {'type': 'screw', 'from': {'translation': begin}, 'to': {'translation': end},
            'duration_s': 2}


def motion(tmp_path, description, *more, moving=None, fixed=None):
    """Run vouch motion with a box of 0.4 m past one of 1 m."""
    text = description if isinstance(description, str) else json.dumps(description)
    (tmp_path / 'motion.json').write_text(text)
    (tmp_path / 'moving.obj').write_text(moving or obj([0.4, 0.4, 0.4]))
    (tmp_path / 'fixed.obj').write_text(fixed or obj([1, 1, 1]))
    return run('motion', '--moving', tmp_path / 'moving.obj', '--fixed', tmp_path / 'fixed.obj',
               '--motion', tmp_path / 'motion.json', *more)


def report(tmp_path, description, *more, code, **meshes):
    result = motion(tmp_path, description, '--json', *more, **meshes)
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


OVER = slide([-2, 0, 1], [2, 0, 1])         # 0.3 m above
INTO = slide([-2, 0, 0.1], [2, 0, 0.1])     # contact at x = -0.7: 1.3 of 4 m
ALONG = slide([-0.1, 0, 0.7], [0.1, 0, 0.7])   # faces in one plane


@pytest.mark.parametrize('method', METHODS)
def test_free(tmp_path, method):
    told = report(tmp_path, OVER, '--method', method, code=FREE)
    assert told['verdict'] == 'FREE' and told['method'] == method
    assert told['free_until_s'] == told['duration_s'] == 2
    assert told['first_collision'] is None and told['open'] == []
    if method == 'chord':
        assert 0.29 < told['clearance']['lower_m'] <= 0.3 + 1e-9


@pytest.mark.parametrize('method', METHODS)
def test_collision(tmp_path, method):
    contact = report(tmp_path, INTO, '--method', method, code=COLLISION)['first_collision']
    width = {'chord': 2e-8, 'toleranced': 1e-4, 'screw': 2e-12}[method]   # of 2 s
    assert contact['kind'] == 'contact'
    assert contact['free_until_s'] <= 0.65 + 1e-12 and contact['time_s'] >= 0.65 - 1e-12
    assert contact['time_s'] - contact['free_until_s'] <= width
    assert contact['point_a'][0] == pytest.approx(-0.5, abs=1e-3)


@pytest.mark.parametrize('method', METHODS)
def test_faces_that_slide_on_each_other_are_not_decided(tmp_path, method):
    told = report(tmp_path, ALONG, '--method', method, code=UNDECIDED)
    assert told['verdict'] == 'UNDECIDED' and told['open']
    assert told['free_until_s'] == 0
    for part in told['open']:
        assert part['begin_s'] <= part['end_s'] <= 2


def test_json_has_the_keys_of_vouch_check(tmp_path):
    for description, code in ((OVER, FREE), (INTO, COLLISION)):
        told = report(tmp_path, description, code=code)
        assert set(told) == KEYS
    assert {'kind', 'a', 'b', 'time_s', 'free_until_s', 'segment', 'fraction', 'point_a', 'point_b',
            'depth_m'} <= set(told['first_collision'])
    told = report(tmp_path, ALONG, code=UNDECIDED)
    assert {'a', 'b', 'begin_s', 'end_s', 'distance_m', 'reason'} <= set(told['open'][0])


@pytest.mark.parametrize('method', ['chord', 'toleranced'])
def test_margin(tmp_path, method):
    assert motion(tmp_path, OVER, '--method', method, '--margin', '0.29').returncode == FREE
    told = report(tmp_path, OVER, '--method', method, '--margin', '0.31', code=COLLISION)
    assert told['first_collision']['kind'] == 'margin'
    assert told['margin_m'] == 0.31


@pytest.mark.parametrize('method', ['chord', 'toleranced'])
def test_tolerance(tmp_path, method):
    # The corners of a box have distortion rate 2: 0.14 moves them by 0.28 of the 0.3 m.
    told = report(tmp_path, OVER, '--method', method, '--tolerance', '0.14', code=FREE)
    assert told['tolerance'] == {'displacement_m': 0.14}
    told = report(tmp_path, OVER, '--method', method, '--tolerance', '0.16', code=UNDECIDED)
    assert told['open']
    for one in told['open']:    # stretches that follow each other are one
        assert not any(one['end_s'] == two['begin_s'] and one['triangle_a'] == two['triangle_a']
                       and one['triangle_b'] == two['triangle_b'] for two in told['open'])
    told = motion(tmp_path, OVER, '--method', method, '--tolerance', '0.1', '--margin', '0.05')
    assert told.stdout.rstrip().endswith('more than 0.05 m for every displacement within 0.1')


def test_largest_tolerance(tmp_path):
    told = report(tmp_path, OVER, '--method', 'toleranced', '--largest-tolerance', '1', code=FREE)
    assert 0.14 < told['largest_tolerance'] <= 0.1501


def test_largest_tolerance_of_a_mesh_of_small_triangles(tmp_path):
    # Two bumpy balls of radius 1.2 that pass at 0.354 m: a distortion rate of 2 allows 0.177.
    data = ROOT / 'bench' / 'papers' / 'data'
    meshes = {'moving': (data / 'polyhedron_a.obj').read_text(),
              'fixed': (data / 'polyhedron_b.obj').read_text()}
    past = {'type': 'screw', 'from': {'translation': [-4, 0, 2.2]},
            'to': {'rotation': [0.3, 0.1, 0.38268343236508978, 0.8684],
                   'translation': [4, 0.2, 2.2]}}
    found = {method: report(tmp_path, past, '--method', method, '--largest-tolerance', '0.3',
                            code=FREE, **meshes)['largest_tolerance']
             for method in ('chord', 'toleranced')}
    assert 0.16 < found['toleranced'] < 0.18 and 0.1 < found['chord'] < found['toleranced']
    report(tmp_path, past, '--method', 'toleranced', '--tolerance', '0.18', code=UNDECIDED,
           **meshes)


def masses(tmp_path, points):
    path = tmp_path / 'masses.json'
    path.write_text(points if isinstance(points, str) else json.dumps(points))
    return ['--masses', path]


AROUND = [[x, y, z] for x in (-0.4, 0.4) for y in (-0.4, 0.4) for z in (-0.4, 0.4)]


@pytest.mark.parametrize('method', ['chord', 'toleranced'])
def test_masses_make_the_metric_of_tolerances(tmp_path, method):
    # Masses twice as far out: the corners have distortion rate 1.32 instead of 2.
    wide = masses(tmp_path, AROUND)
    report(tmp_path, OVER, '--method', method, '--tolerance', '0.16', code=UNDECIDED)
    report(tmp_path, OVER, '--method', method, '--tolerance', '0.16', *wide, code=FREE)
    told = report(tmp_path, OVER, '--method', method, '--largest-tolerance', '1', *wide, code=FREE)
    assert told['largest_tolerance'] == pytest.approx(0.3 / 1.75 ** 0.5, abs=2e-3)
    # Weights count once: two masses of 1 are one of 2.
    heavy = masses(tmp_path, [[*p, 2.0 if p[0] > 0 else 1.0] for p in AROUND])
    one = report(tmp_path, OVER, '--method', method, '--largest-tolerance', '1', *heavy, code=FREE)
    twice = masses(tmp_path, AROUND + [p for p in AROUND if p[0] > 0])
    two = report(tmp_path, OVER, '--method', method, '--largest-tolerance', '1', *twice, code=FREE)
    assert one['largest_tolerance'] == two['largest_tolerance'] != told['largest_tolerance']


BAD_MASSES = {
    'weight zero': ([[0, 0, 0, 1], [1, 0, 0, 0]], 'weight'),
    'negative weight': ([[0, 0, 0, -1]], 'weight'),
    'none': ([], 'one point'),
    'one point': ([[1, 1, 1], [1, 1, 1]], 'one point'),
    'on a line': ([[-1, 0, 0], [1, 0, 0]], 'line'),
    'in a plane': ([[-1, 0, 0], [1, 0, 0], [0, 1, 0]], 'plane'),
    'far away': ([[1e7, 0, 0], [0, 0, 0]], '1e6'),
    'two numbers': ([[1, 2]], '[x, y, z]'),
    'text': ([['a', 0, 0]], '[x, y, z]'),
    'object': ({'masses': AROUND}, 'array'),
    'cut short': ('[[0, 0, 0]', 'line 1'),
}


@pytest.mark.parametrize('name', BAD_MASSES)
def test_bad_masses(tmp_path, name):
    points, word = BAD_MASSES[name]
    result = motion(tmp_path, OVER, *masses(tmp_path, points))
    assert result.returncode == INVALID and result.stdout == ''
    assert 'masses.json' in result.stderr and word in result.stderr, result.stderr
    missing = motion(tmp_path, OVER, '--masses', tmp_path / 'nowhere.json')
    assert missing.returncode == INVALID and 'nowhere.json' in missing.stderr


def test_a_limit_that_is_free_is_the_largest_tolerance(tmp_path):
    for method in ('chord', 'toleranced'):
        told = report(tmp_path, OVER, '--method', method, '--largest-tolerance', '0.1', code=FREE)
        assert told['largest_tolerance'] == told['tolerance']['displacement_m'] == 0.1
    assert 'largest tolerance: 0.1' in motion(tmp_path, OVER, '--largest-tolerance', '0.1').stdout
    told = report(tmp_path, INTO, '--largest-tolerance', '0.1', code=COLLISION)
    assert told['largest_tolerance'] == 0


def test_clearance_is_nearly_the_distance(tmp_path):
    # Turns by 45 degrees about the vertical while it passes 0.3 m above.
    turning = {'type': 'screw', 'from': {'translation': [-2, 0.3, 1]},
               'to': {'translation': [2, -0.2, 1], 'rotation': [0, 0, 0.3826834323650898,
                                                                0.9238795325112867]}}
    for more in ([], ['--margin', '0.2'], ['--threads', '1', '--margin', '0.1']):
        clearance = report(tmp_path, turning, *more, code=FREE)['clearance']
        assert 0.29 < clearance['lower_m'] <= 0.3 + 1e-9 <= clearance['upper_m'] + 2e-9
        assert clearance['upper_m'] < 0.31
        apart = [a - b for a, b in zip(clearance['point_a'], clearance['point_b'])]
        assert sum(d * d for d in apart) ** 0.5 == pytest.approx(clearance['upper_m'], abs=1e-9)


@pytest.mark.parametrize('method', ['chord', 'toleranced'])
@pytest.mark.parametrize('degree', [25, 100, 200])
def test_high_degree(tmp_path, method, degree):
    # Controls at equal distances on a line: contact at 13/20 of the way, or 0.3 m above.
    for height, code in ((0, COLLISION), (1, FREE)):
        controls = [{'translation': [-2 + 2 * i / degree, 0, height]} for i in range(degree + 1)]
        told = report(tmp_path, {'type': 'bezier', 'controls': controls}, '--method', method,
                      '--resolution', '1e-4', code=code)
        if code == COLLISION:
            assert told['first_collision']['fraction'] == pytest.approx(0.65, abs=1e-3)
        else:
            assert 0.29 < told['clearance']['lower_m'] <= 0.3 + 1e-9


def test_every_method_tells_the_clearance(tmp_path):
    for method in METHODS:
        for more in ([], ['--deadline', '20']):
            clearance = report(tmp_path, OVER, '--method', method, *more, code=FREE)['clearance']
            assert 0.29 < clearance['lower_m'] <= 0.3 + 1e-9 <= clearance['upper_m'] + 2e-9
    # Of screws in its place: no more than the motion itself keeps.
    for method in METHODS:
        clearance = report(tmp_path, CURVE, '--screws', '0.01', '--method', method,
                           code=FREE)['clearance']
        assert 0.03 < clearance['lower_m'] <= 0.06 + 1e-9 <= clearance['upper_m'] + 2e-9


def test_screw_method_names_the_features(tmp_path):
    # A corner first, tilted so that no edge is parallel to a face.
    tilted = {'rotation': [0.3, 0.2, 0.1, 0.9273618495495704]}
    onto = {'type': 'screw', 'from': dict(tilted, translation=[0.1, 0.05, 2]),
            'to': dict(tilted, translation=[0.1, 0.05, 0.5])}
    contact = report(tmp_path, onto, '--method', 'screw', code=COLLISION)['first_collision']
    assert contact['features'] == 'vertex and face'
    assert contact['feature_a'] in (0, 1, 2) and contact['feature_b'] == 3
    assert contact['normal'] == pytest.approx([0, 0, 1], abs=1e-9)
    assert contact['point_a'][2] == pytest.approx(0.5, abs=1e-9)
    assert contact['fraction'] - contact['free_until_fraction'] <= 1e-12
    assert 'vertex and face' in motion(tmp_path, onto, '--method', 'screw').stdout


CURVE = {'type': 'quaternion_curve', 'rotations': [[0, 0, 0, 1], [0, 0, 0.4, 1]],
         'translations': [[-2, 0, 0.76], [0, 0.5, 0.76], [2, 0, 0.76]]}   # 0.06 m above


def test_screws_answer_for_the_motion_that_was_given(tmp_path):
    for method in METHODS:
        told = report(tmp_path, CURVE, '--screws', '0.02', '--method', method, code=FREE)
        assert told['segments'] > 1 and 'screws within' in told['warnings'][0]
    # Screws that may be 0.1 m off say nothing about 0.06 m.
    for method in METHODS:
        told = report(tmp_path, CURVE, '--screws', '0.2', '--method', method, code=UNDECIDED)
        assert told['first_collision'] is None
        assert told['free_until_s'] == min(part['begin_s'] for part in told['open'])
        assert max(part['end_s'] for part in told['open']) == pytest.approx(told['duration_s'])
    # Screws stay what they are.
    told = report(tmp_path, OVER, '--screws', '0.1', '--method', 'screw', code=FREE)
    assert told['segments'] == 1 and 'within 0 m' in told['warnings'][0]


@pytest.mark.parametrize('margin', [0.0, 0.02, 0.2])
@pytest.mark.parametrize('method', METHODS)
def test_screws_free_the_motion_no_longer_than_it_is(tmp_path, method, margin):
    """Free until no later than the motion itself, and a margin that is missed is missed by it."""
    if method == 'screw' and margin > 0:
        return
    drop = {'type': 'quaternion_curve', 'rotations': [[0, 0, 0, 1], [0, 0, 0.7, 0.7]],
            'translations': [[-2, 0, 0.5], [2, 0, 0.5]]}
    more = ['--margin', str(margin)] if margin else []
    given = report(tmp_path, drop, '--resolution', '1e-4', *more, code=COLLISION)
    told = report(tmp_path, drop, '--resolution', '1e-4', '--method', method, '--screws', '0.05',
                  *more, code=COLLISION)
    error = float(told['warnings'][0].split('within ')[1].split()[0])
    assert 0.01 < error <= 0.05
    hit = told['first_collision']
    first = given['first_collision']['time_s']
    assert told['free_until_s'] < first - 1e-4 and hit['free_until_s'] < first - 1e-4
    if hit['kind'] == 'margin':
        assert hit['time_s'] >= first and hit['depth_m'] >= error - 1e-3
    else:
        assert margin < error and 'one of the screws' in told['warnings'][1]
    assert told['margin_m'] == pytest.approx(margin)


def test_a_tolerance_is_not_replaced_by_a_smaller_one_that_is_free(tmp_path):
    result = motion(tmp_path, OVER, '--tolerance', '0.4', '--largest-tolerance', '0.01')
    assert result.returncode == INVALID and 'one of them' in result.stderr


def test_what_is_printed_is_not_more_than_what_is_proved(tmp_path):
    """Nine digits of a lower bound are cut, not rounded."""
    for lift in range(12):
        over = slide([-2, 0, 1 + lift / 7], [2, 0, 1 + lift / 7])
        more = ['--largest-tolerance', '0.3', '--deadline', '60']
        told = report(tmp_path, over, *more, code=FREE)
        text = motion(tmp_path, over, *more).stdout
        assert float(text.split('at least ')[1].split()[0]) <= told['clearance']['lower_m']
        assert float(text.split('tolerance: ')[1].split()[0]) <= told['largest_tolerance']


@pytest.mark.parametrize('method', METHODS)
def test_a_deadline_that_has_passed(tmp_path, method):
    told = report(tmp_path, CURVE, '--deadline', '1e-9', '--screws', '0.05', '--method', method,
                  code=UNDECIDED)
    assert told['free_until_s'] == 0 and told['open']


def test_screw_method_knows_no_margin(tmp_path):
    for option in ('--margin', '--tolerance'):
        result = motion(tmp_path, OVER, '--method', 'screw', option, '0.1')
        assert result.returncode == INVALID and 'margin or tolerance' in result.stderr


def test_a_turn_that_is_too_small_for_an_axis(tmp_path):
    # Rounded quaternions: the axis would be up to 1e12 m away.
    for angle in (1e-12, 1e-9, 1e-8, 1e-7, 5e-7, 1e-6, 1e-5, 1e-4):
        turn = {'type': 'screw', 'from': {'translation': [-2, 0, 1]},
                'to': {'translation': [2, 0, 1], 'rotation': [0, 0, angle, 1]}}
        told = report(tmp_path, turn, code=FREE)
        assert 0.297 < told['clearance']['lower_m'] <= 0.3
        result = motion(tmp_path, turn, '--method', 'screw')
        if angle < 1e-6:
            assert result.returncode == INVALID and 'the same rotation' in result.stderr
        elif angle > 1e-6:
            assert result.returncode == FREE, result.stderr


def test_text_and_quiet(tmp_path):
    assert motion(tmp_path, OVER).stdout.startswith('FREE: at least 0.29999')
    assert motion(tmp_path, INTO).stdout.startswith('COLLISION: contact at 0.65')
    result = motion(tmp_path, INTO, '--quiet')
    assert result.returncode == COLLISION and result.stdout == ''


def test_overlapping_start_is_a_contact_at_zero(tmp_path):
    for method in METHODS:
        told = report(
            tmp_path, slide([0.4, 0, 0], [3, 0, 0]), '--method', method, code=COLLISION)
        assert told['first_collision']['time_s'] == 0
        inside = report(tmp_path, slide([0, 0, 0], [0.1, 0, 0]), '--method', method, code=COLLISION)
        assert inside['first_collision']['time_s'] == 0


def test_flat_body_is_told(tmp_path):
    told = report(tmp_path, OVER, '--surfaces', code=FREE, moving=obj([0.4, 0.4, 0], BOX[:2]))
    assert any('flat' in warning for warning in told['warnings'])


ID = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
BAD_MOTIONS = {
    'weight zero': ({'type': 'bezier', 'weights': [1, 0], 'controls': [{}, {}]}, 'positive'),
    'negative weight': ({'type': 'bezier', 'weights': [1, -1], 'controls': [{}, {}]}, 'positive'),
    'singular displacement': (
        {'type': 'bezier', 'controls': [{}, {'matrix': [0] + ID[1:]}]}, 'singular'),
    'mirror': ({'type': 'bezier', 'controls': [{}, {'matrix': [-1] + ID[1:]}]}, 'singular'),
    'singular between its controls': (
        {'type': 'bezier', 'controls': [{}, {'rotation': [0, 0, 1, 0]}]}, 'singular'),
    'matrix and pose': (
        {'type': 'bezier', 'controls': [{}, {'matrix': ID, 'translation': [1, 0, 0]}]},
        'controls[1]: unknown key "translation"'),
    'degree too high': (
        {'type': 'bezier', 'controls': [{'translation': [2, 0, 0]}] * 1002}, '2 to 1001'),
    'degree of the product too high': (
        {'type': 'quaternion_curve', 'rotations': [[0, 0, 0, 1]] * 500,
         'translations': [[2, 0, 0]] * 4}, '1 to 1000'),
    'weights that are shared somehow': (
        {'type': 'quaternion_curve', 'rotations': [[0, 0, 0, 1]] * 2, 'shared_weights': 1,
         'translations': [[2, 0, 0]] * 3}, 'true or false'),
    'half turn': (
        {'type': 'screw', 'from': {}, 'to': {'rotation': [0, 0, 1, 0]}}, 'ambiguous'),
    'quaternion curve through zero': (
        {'type': 'quaternion_curve', 'rotations': [[0, 0, 0, 1], [0, 0, 0, -1]],
         'translations': [[0, 0, 0]]}, 'zero'),
    'jump': (
        {'segments': [slide([2, 0, 0], [3, 0, 0]), slide([4, 0, 0], [3, 0, 0])]}, 'begin'),
    'no duration': (dict(OVER, duration_s=0), 'duration'),
    'unknown key': (dict(OVER, speed=1), 'speed'),
    'unknown type': ({'type': 'teleport'}, 'teleport'),
    'no segments': ({'segments': []}, 'segment'),
    'no number': ('{"type": "screw", "from": {"translation": [0, NaN, 0]}, "to": {}}', 'line 1'),
    'cut short': ('{"type": "screw"', 'line 1'),
    'empty': ('', 'line'),
}


@pytest.mark.parametrize('name', BAD_MOTIONS)
def test_bad_motion(tmp_path, name):
    description, word = BAD_MOTIONS[name]
    result = motion(tmp_path, description, '--json')
    assert result.returncode == INVALID, result.stdout + result.stderr
    told = json.loads(result.stdout)
    assert told['verdict'] == 'INVALID' and word in told['error'], told['error']
    assert 'motion.json' in result.stderr and len(result.stderr.strip().splitlines()) == 1


BAD_MESHES = {
    'open': (obj([0.4, 0.4, 0.4], BOX[1:]), 'open'),
    'empty': ('v 0 0 0\nv 1 0 0\nv 0 1 0\n', ''),
    'no bytes': ('\n', ''),
    'straight': ('v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n', ''),
    'not a number': ('v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', ''),
    'index out of range': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n', ''),
}


@pytest.mark.parametrize('side', ['moving', 'fixed'])
@pytest.mark.parametrize('name', BAD_MESHES)
def test_bad_mesh(tmp_path, name, side):
    text, word = BAD_MESHES[name]
    for method in METHODS:
        result = motion(tmp_path, OVER, '--method', method, **{side: text})
        assert result.returncode == INVALID, result.stdout + result.stderr
        assert result.stdout == '' and word in result.stderr and len(result.stderr) > 30


def test_bad_options(tmp_path):
    for more in (['--method', 'guess'], ['--margin', '-1'], ['--margin', 'x'], ['--ball', 'cube'],
                 ['--tolerance', 'nan'], ['--resolution', '0'], ['--fly'], ['too much'],
                 ['--threads', '1.5'], ['--margin', '1e9'], ['--screws', '0'],
                 ['--method', 'screw', '--largest-tolerance', '1']):
        result = motion(tmp_path, OVER, *more)
        assert result.returncode == INVALID, more
        assert result.stdout == '' and result.stderr.strip()
    assert run('motion', '--moving', 'a.obj').returncode == INVALID
    missing = run('motion', '--moving', tmp_path / 'moving.obj', '--fixed', tmp_path / 'fixed.obj',
                  '--motion', tmp_path / 'nowhere.json')
    assert missing.returncode == INVALID and 'nowhere.json' in missing.stderr


def test_options_are_complained_about_in_one_voice(tmp_path):
    for more, words in ((['--fly'], 'vouch motion: there is no option --fly'),
                        (['--margin'], 'vouch motion: the option --margin needs a value'),
                        (['--margin', '0', '--margin', '1'], '--margin is given twice'),
                        (['--marg', '0.1'], 'no option --marg '),
                        (['--ball', 'polygon'], '--ball is for --method toleranced'),
                        (['--individual-masses', '--method', 'screw'], 'is for --method tol')):
        result = motion(tmp_path, OVER, *more)
        assert result.returncode == INVALID, more
        assert result.stdout == '' and words in result.stderr, result.stderr
