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
"""Every answer ends in a next step, and what it promises holds."""

import re

from cli_tools import CELL, check, check_json, COLLISION, FREE, INVALID, UNDECIDED
import pytest


def steps(text):
    """What follows the label "next"."""
    return re.findall(r'^  next +(.*)$', text, re.MULTILINE)


def test_free_names_the_nearest_obstacle_and_the_nearest_parts_of_the_robot():
    report = check_json('pick.yaml', code=FREE)
    world, own = report['next']['nearest_obstacle'], report['next']['nearest_self']
    assert {world['a'], world['b']} == {'right_finger', 'part'}
    assert {own['a'], own['b']} == {'flange', 'forearm'}
    assert world['lower_m'] <= world['upper_m'] < own['lower_m'] <= own['upper_m']
    nearest = min(world['lower_m'], own['lower_m'])
    assert report['clearance']['lower_m'] == nearest
    text = check('pick.yaml').stdout
    assert re.search(r'^obstacle +right_finger - part: at least 11\.9', text, re.MULTILINE)
    assert re.search(r'^self +flange - forearm: at least 41\.', text, re.MULTILINE)


def test_the_nearest_pair_may_be_of_the_robot_itself(tmp_path):
    scene = tmp_path / 's.json'
    scene.write_text('{"objects": [{"id": "far", "pose": {"position": [9, 9, 9]}, '
                     '"shapes": [{"type": "sphere", "radius": 1}]}]}')
    text = check('pick.yaml', '--scene', scene).stdout
    assert 'UNDECIDED' not in text
    report = check_json('tight.yaml', code=FREE)
    assert report['next']['nearest_obstacle']['upper_m'] == report['clearance']['upper_m']


def test_a_collision_says_that_the_waypoints_were_free():
    report = check_json('through_plate.yaml', code=COLLISION)
    assert report['next'] == {'waypoints': 6, 'waypoints_free': 6}
    assert '6 of 6 free: a look at the waypoints alone would not have seen it' in \
        check('through_plate.yaml').stdout


def test_a_collision_at_a_waypoint_says_so():
    text = check('tight.yaml', '--margin', '0.002').stdout
    assert 'waypoints   3 of 4 free\n' in text


def test_all_pairs_that_collide_and_when():
    report = check_json('through_plate.yaml', '--all', code=COLLISION)
    hits = report['next']['collisions']
    assert [(hit['a'], hit['b']) for hit in hits] == [
        (part, 'guard_plate') for part in ('hand', 'right_finger', 'left_finger')]
    assert report['next']['collisions_complete'] is True
    assert hits[0]['intervals_s'][0][0] == report['first_collision']['time_s']
    for hit in hits:
        for begin, end in hit['intervals_s']:
            assert 0.89 < begin < end < 1.0
    allowed = [word for hit in hits for word in ('--allow', f"{hit['a']},{hit['b']}")]
    check_json('through_plate.yaml', *allowed, code=FREE)   # these, and no others
    check_json('through_plate.yaml', *allowed[:-2], code=COLLISION)
    assert '3 pairs collide; all others are proved apart' in \
        check('through_plate.yaml', '--all').stdout


def test_all_is_no_option_of_a_batch(tmp_path):
    from cli_tools import run
    (tmp_path / 'list.csv').write_text(f'trajectory\n{CELL}/pick.yaml\n')
    result = run('batch', tmp_path / 'list.csv', '--all')
    assert result.returncode == INVALID and '--all' in result.stderr


@pytest.mark.parametrize('asked', [
    ['--margin', '0.002'], ['--margin', '0.0005', '--tolerance', '0.01'],
    ['--tolerance', '0.003', '--tolerance-m', '0.001'],
    ['--joint-tolerance', 'joint_2=0.01', '--margin', '0.0001']])
def test_what_is_said_to_be_proved_is(asked):
    """The printed options, taken as they are, give FREE; a little more does not."""
    result = check('tight.yaml', *asked)
    assert result.returncode in (COLLISION, UNDECIDED), result.stdout
    told = [re.findall(r'(--[a-z-]+) (\S+)', step) for step in steps(result.stdout)]
    told = [pairs for pairs in told if pairs]
    assert told
    for pairs in told:
        given = dict(zip(asked[::2], asked[1::2]))
        given.update(pairs)
        assert check('tight.yaml', *(w for pair in given.items() for w in pair)).returncode == FREE
        more = dict(given)
        for name, value in pairs:
            joint, _, number = value.rpartition('=')
            more[name] = f"{joint}{'=' if joint else ''}{1.6 * float(number)}"
        assert check('tight.yaml', *(w for pair in more.items() for w in pair)).returncode != FREE


def test_the_limit_that_was_hit_is_named():
    depth = check('tight.yaml', '--depth', '1').stdout
    assert 'the limit of --depth came first' in depth and 'in touch' not in depth
    assert steps(depth) == ['more halvings than --depth 1: 24 is the default']
    deadline = check('tight.yaml', '--deadline', '0.000001').stdout
    assert 'the deadline came first' in deadline
    assert steps(deadline) == ['more time: --deadline 1e-05, or none']


def test_open_questions_are_grouped_by_pair():
    """A margin that is met to the last bit leaves many pieces of time open."""
    text = check('tight.yaml', '--margin', '0.0005', '--tolerance', '0.01', '--depth', '4').stdout
    lines = re.findall(r'^  open +(\S+ - \S+) between', text, re.MULTILINE)
    assert len(lines) == len(set(lines)) > 0


def test_nothing_is_said_that_says_nothing():
    """Searched for over all examples: no zero depths, no zero times."""
    for name in ('pick', 'through_plate', 'tight', 'overshoot'):
        for more in ([], ['--margin', '0.001'], ['--margin', '0.002'], ['--tolerance', '0.001']):
            text = check(f'{name}.yaml', *more).stdout
            assert not re.search(r', 0 s before', text), text
            assert not re.search(r'at least -?0\.0+ ', text), text
