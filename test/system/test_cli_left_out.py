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
"""Nothing is left out in silence: which pairs, links and overlaps a verdict is not about."""

import json

from cli_tools import assert_pairs_add_up, cell, check, check_json, COLLISION, FREE, INVALID
from cli_tools import run, UNDECIDED
import pytest

# The arm stays high above the floor: only its base reaches down.
ARM = """<robot name="post"><link name="base">
<collision><origin xyz="0 0 1"/><geometry><box size="0.2 0.2 2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry>
</collision></link>
<link name="lamp">{lamp}</link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.2 0 1.8"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="k" type="fixed"><parent link="arm"/><child link="lamp"/></joint></robot>
"""
VISUAL = '<visual><geometry><sphere radius="0.1"/></geometry></visual>'
SHAPES = {
    'box': {'type': 'box', 'size': [4, 4, 1]},
    'half-space': {'type': 'half_space', 'normal': [0, 0, 1], 'offset': 0.5},
    'prism': {'type': 'prism', 'height': 1, 'points': [[-2, -2], [2, -2], [2, 2], [-2, 2]]},
    'mesh': {'type': 'mesh', 'points': [[x, y, z] for z in (-0.5, 0.5) for x, y in
                                        ((-2, -2), (2, -2), (2, 2), (-2, 2))],
             'triangles': [[3, 2, 1], [3, 1, 0], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
                           [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]},
}


@pytest.fixture
def post(tmp_path):
    (tmp_path / 'arm.urdf').write_text(ARM.format(lamp=''))
    (tmp_path / 'go.csv').write_text('time,j\n0,0\n1,1\n')
    return tmp_path


def floor(directory, shape, top):
    """A floor of one metre whose upper side is at the given height."""
    height = top - SHAPES[shape]['offset'] if shape == 'half-space' else top - 0.5
    (directory / 'floor.json').write_text(json.dumps({'objects': [
        {'id': 'floor', 'pose': {'position': [0, 0, height]}, 'shapes': [SHAPES[shape]]}]}))


def check_post(directory, *more):
    result = run('check', '--robot', 'arm.urdf', '--scene', 'floor.json', '--trajectory', 'go.csv',
                 '--cache', 'off', '--json', *more, cwd=directory)
    report = json.loads(result.stdout)
    if result.returncode != INVALID:
        assert_pairs_add_up(report)
    return result.returncode, report


@pytest.mark.parametrize('shape', SHAPES)
def test_a_base_in_concrete_is_undecided(post, shape):
    """Half a metre deep: frames or units are not what somebody meant."""
    floor(post, shape, 0.5)
    code, report = check_post(post, '--certificate', 'c')
    assert code == UNDECIDED and not (post / 'c').exists()
    (entry,) = report['open']
    assert entry['reason'] == 'embedded' and {entry['a'], entry['b']} == {'base', 'floor'}
    (static,) = (pair for pair in report['statics'] if pair['environment'])
    assert static['overlapping'] and static['depth_m'] == pytest.approx(0.5, abs=1e-6)
    text = run('check', '--robot', 'arm.urdf', '--scene', 'floor.json', '--trajectory', 'go.csv',
               '--cache', 'off', cwd=post).stdout
    assert 'overlap by about 500.000 mm' in text and 'frames or units look wrong' in text


@pytest.mark.parametrize('shape', SHAPES)
@pytest.mark.parametrize('top', [-0.2, 0.0, 0.03, 0.09])
def test_a_base_that_is_mounted_is_free(post, shape, top):
    floor(post, shape, top)
    code, report = check_post(post)
    assert code == FREE
    (static,) = (pair for pair in report['statics'] if pair['environment'])
    assert static['depth_m'] == pytest.approx(max(top, 0), abs=1e-6)


def test_a_base_in_concrete_is_free_by_name(post):
    floor(post, 'box', 0.5)
    code, report = check_post(post, '--allow', 'base,floor')
    assert code == FREE and report['pairs']['reasons']['asked_for'] == 1


def test_every_verdict_says_which_pairs_it_is_about():
    for name, code in (('pick.yaml', FREE), ('through_plate.yaml', COLLISION)):
        result = check(name)
        assert result.returncode == code
        assert '\npairs       93 of 115 pairs checked, 22 left out (15 SRDF, 7 no joint between)' in \
            result.stdout
    report = check_json('pick.yaml', code=FREE)
    assert report['pairs'] == {'checked': 93, 'total': 115, 'left_out': 22,
                               'reasons': {'srdf': 15, 'no_joint_between': 7}}


def test_without_srdf_neighbours_are_told_to_be_left_out():
    arguments = [a for a in cell('pick.yaml') if str(a) != '--srdf' and not str(a).endswith('.srdf')]
    assert '9 adjacent' in run('check', *arguments).stdout


def test_an_allowed_pair_is_left_out_and_told():
    hit = check('through_plate.yaml')
    assert hit.returncode == COLLISION
    report = check_json('through_plate.yaml', code=COLLISION)
    pair = f"{report['first_collision']['a']},{report['first_collision']['b']}"
    other = check_json('through_plate.yaml', '--allow', pair)
    assert other['pairs']['reasons']['asked_for'] == 1
    if other['verdict'] == 'COLLISION':
        assert pair != f"{other['first_collision']['a']},{other['first_collision']['b']}"
    assert '1 asked for' in check('through_plate.yaml', '--allow', pair).stdout


@pytest.mark.parametrize('value', ['', 'a,b,c', ',a', 'a,', 'base_link,guard_plte', 'base_lnk'])
def test_an_allowed_pair_has_two_names_that_there_are(value):
    result = check('pick.yaml', '--allow', value)
    assert result.returncode == INVALID and '--allow' in result.stderr
    if value == 'base_link,guard_plte':
        assert "is 'guard_plate' meant?" in result.stderr


def test_strict_asks_for_links_without_collision(post):
    (post / 'arm.urdf').write_text(ARM.format(lamp=VISUAL))
    floor(post, 'box', -0.2)
    code, report = check_post(post)
    assert code == FREE and report['links_without_collision'] == ['lamp']
    named = ['--strict', '--allow', 'base,arm']
    code, report = check_post(post, *named, '--certificate', 'c')
    assert code == UNDECIDED and not (post / 'c').exists()
    assert len(report['doubts']) == 1 and 'link lamp' in report['doubts'][0]
    assert check_post(post, *named, '--allow', 'lamp')[0] == FREE


def test_strict_asks_for_overlaps_and_defaults(post):
    floor(post, 'box', 0.03)
    assert check_post(post)[0] == FREE
    code, report = check_post(post, '--strict')
    assert code == UNDECIDED
    assert any('overlap by about 30.000 mm' in doubt for doubt in report['doubts'])
    assert any('base,arm' in doubt and 'default' in doubt for doubt in report['doubts'])
    code, report = check_post(post, '--strict', '--allow', 'base,arm', '--allow', 'base,floor')
    assert code == FREE and report['doubts'] == []


def test_strict_in_a_list(post):
    floor(post, 'box', 0.03)
    (post / 'list.csv').write_text(
        'name,strict,allow\nplain,,\nstrict,on,\nnamed,on,"base,arm;base,floor"\n')
    result = run('batch', 'list.csv', '--robot', 'arm.urdf', '--scene', 'floor.json',
                 '--trajectory', 'go.csv', '--cache', 'off', '--json', cwd=post)
    verdicts = [json.loads(line)['verdict'] for line in result.stdout.splitlines()]
    assert verdicts == ['FREE', 'UNDECIDED', 'FREE'], result.stdout + result.stderr
