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
"""vouch check: verdicts of the example stories, options, reports."""

import json
import xml.etree.ElementTree

from cli_tools import (
    CELL, cell, check, check_json, COLLISION, FREE, INVALID, run, UNDECIDED, without_times)
import pytest

KEYS = {
    'vouch', 'verdict', 'robot', 'model', 'has_time', 'duration_s', 'segments',
    'lead_in_segments', 'method', 'margin_m', 'tolerance', 'free_until_s', 'first_collision',
    'clearance', 'open', 'next', 'doubts', 'pairs', 'links_without_collision', 'statics', 'overshoot',
    'warnings', 'problem_sha256', 'statistics'}


def waypoints_of(name):
    """Yield each point of a trajectory file as a trajectory of its own."""
    lines = (CELL / name).read_text().splitlines()
    names = next(line for line in lines if 'joint_names' in line)
    for line in lines:
        if line.strip().startswith('- positions'):
            yield '\n'.join(['joint_trajectory:', names, '  points:', line,
                             '      time_from_start: 0']) + '\n'


def test_pick_is_proved_free():
    report = check_json('pick.yaml', code=FREE)
    assert report['verdict'] == 'FREE'
    assert report['first_collision'] is None
    assert report['open'] == []
    assert report['duration_s'] == pytest.approx(5.8)
    assert report['free_until_s'] == pytest.approx(5.8)
    clearance = report['clearance']
    assert 0 < clearance['lower_m'] <= clearance['upper_m'] <= clearance['lower_m'] + 1.1e-4


def test_json_has_every_promised_key():
    assert set(check_json('pick.yaml')) == KEYS
    contact = check_json('through_plate.yaml')['first_collision']
    assert set(contact) == {
        'kind', 'a', 'b', 'time_s', 'free_until_s', 'segment', 'fraction', 'point_a', 'point_b',
        'depth_m'}


def test_hand_goes_through_the_plate_between_two_waypoints(tmp_path):
    report = check_json('through_plate.yaml', code=COLLISION)
    contact = report['first_collision']
    assert contact['kind'] == 'contact'
    assert 'guard_plate' in (contact['a'], contact['b'])
    assert contact['segment'] == 2
    assert 0.8 < contact['free_until_s'] <= contact['time_s'] < 1.1
    assert contact['time_s'] - contact['free_until_s'] <= 1e-6 * 0.3 + 1e-12
    assert all(abs(p[1]) < 0.04 for p in (contact['point_a'], contact['point_b']))


def test_every_waypoint_of_the_plate_story_is_free_by_itself(tmp_path):
    count = 0
    for number, text in enumerate(waypoints_of('through_plate.yaml')):
        path = tmp_path / f'{number}.yaml'
        path.write_text(text)
        report = check_json(path, '--model', 'linear', code=FREE)
        assert report['clearance']['lower_m'] > 0.04
        count += 1
    assert count == 6


def test_tight_is_one_millimetre():
    clearance = check_json('tight.yaml', code=FREE)['clearance']
    assert 'fixture' in (clearance['a'], clearance['b'])
    assert clearance['lower_m'] <= 0.001 + 1e-8 <= clearance['upper_m'] + 1e-7
    assert clearance['upper_m'] == pytest.approx(0.001, abs=1e-6)


def test_tight_loses_its_proof_to_a_margin_of_two_millimetres():
    report = check_json('tight.yaml', '--margin', '0.002', code=COLLISION)
    assert report['first_collision']['kind'] == 'margin'


def test_tight_survives_the_margin_that_it_has():
    check_json('tight.yaml', '--margin', '0.0009', code=FREE)


def test_a_moving_joint_without_tolerance_is_a_warning():
    only = ['--joint-tolerance', 'finger_joint=0.001']
    report = check_json('pick.yaml', *only)
    warning, = [w for w in report['warnings'] if 'no tolerance' in w]
    assert 'finger_joint' not in warning and report['verdict'] == 'FREE'
    assert warning in check('pick.yaml', *only).stdout
    for enough in ([], ['--tolerance', '0.0001', '--tolerance-m', '0.0001']):
        report = check_json('pick.yaml', *enough)
        assert not [w for w in report['warnings'] if 'no tolerance' in w]


def test_tolerance_makes_tight_undecided():
    report = check_json('tight.yaml', '--tolerance', '0.01', '--tolerance-m', '0.0001',
                        code=UNDECIDED)
    assert 'tolerance' in {item['reason'] for item in report['open']}


def test_spline_overshoots_into_the_post_where_straight_lines_are_free():
    report = check_json('overshoot.yaml', code=COLLISION)
    contact = report['first_collision']
    assert 'post_right' in (contact['a'], contact['b'])
    assert contact['segment'] == 2
    assert report['model'] == 'controller'
    assert check_json('overshoot.yaml', '--model', 'linear', code=FREE)['model'] == 'linear'


def test_base_on_its_table_is_static():
    statics = check_json('pick.yaml')['statics']
    pair = next(s for s in statics if {s['a'], s['b']} == {'base_link', 'table'})
    assert pair['overlapping'] is True


@pytest.mark.parametrize('name', ['pick', 'through_plate', 'tight', 'overshoot'])
def test_methods_do_not_contradict_each_other(name):
    chord = check_json(f'{name}.yaml')['verdict']
    schwarzer = check_json(f'{name}.yaml', '--method', 'schwarzer')['verdict']
    assert {chord, schwarzer} != {'FREE', 'COLLISION'}


@pytest.mark.parametrize('name', ['pick', 'through_plate'])
def test_threads_do_not_change_the_report(name):
    one = check_json(f'{name}.yaml', '--threads', '1')
    two = check_json(f'{name}.yaml', '--threads', '2')
    assert without_times(one) == without_times(two)


def test_first_contact_off_still_shows_a_collision():
    report = check_json('through_plate.yaml', '--first-contact', 'off', code=COLLISION)
    assert report['first_collision']['free_until_s'] is None


def test_clearance_off():
    assert check_json('pick.yaml', '--clearance', 'off', code=FREE)['clearance'] is None


def test_deadline_of_nothing_is_undecided():
    report = check_json('pick.yaml', '--deadline', '1e-9', code=UNDECIDED)
    assert {item['reason'] for item in report['open']} == {'deadline'}


def test_padding_grows_a_body():
    report = check_json('tight.yaml', '--padding', 'fixture=0.002', code=COLLISION)
    assert report['first_collision']['kind'] == 'margin'


def test_no_scene_checks_the_robot_against_itself():
    result = run('check', *cell('pick.yaml', '--json', scene=False))
    assert result.returncode == FREE, result.stderr
    assert json.loads(result.stdout)['statistics']['pairs'] > 10


def test_text_report_names_pair_time_and_points():
    result = check('through_plate.yaml')
    assert result.returncode == COLLISION
    assert result.stdout.startswith('COLLISION')
    assert 'guard_plate' in result.stdout
    assert 'from points[2] to points[3]' in result.stdout
    assert result.stderr == ''
    assert '\033' not in result.stdout


def test_quiet_prints_nothing():
    result = check('through_plate.yaml', '--quiet')
    assert (result.returncode, result.stdout, result.stderr) == (COLLISION, '', '')


@pytest.mark.parametrize('name', ['pick', 'through_plate'])
def test_picture_is_svg_and_the_same_every_time(name, tmp_path):
    texts = []
    for number in range(2):
        path = tmp_path / f'{number}.svg'
        check(f'{name}.yaml', '--picture', path, '--quiet')
        texts.append(path.read_bytes())
        assert xml.etree.ElementTree.parse(path).getroot().tag.endswith('svg')
    assert texts[0] == texts[1]
    assert len(texts[0]) < 400_000


def test_start_state_must_fit_the_first_point():
    check_json('pick.yaml', '--group-state', 'arm/home', '--group-state', 'gripper/open',
               code=FREE)
    result = check('pick.yaml', '--start', 'joint_1=0.5')
    assert result.returncode == INVALID
    assert 'joint_1' in result.stderr


def test_cache_directory_is_made_and_used(tmp_path):
    arguments = [a for a in cell('pick.yaml', '--json') if a not in ('--cache', 'off')]
    first = run('check', *arguments, '--cache', tmp_path / 'deep' / 'cache')
    again = run('check', *arguments, '--cache', tmp_path / 'deep' / 'cache')
    default = run('check', *arguments, env={'XDG_CACHE_HOME': str(tmp_path / 'xdg')})
    assert first.returncode == again.returncode == default.returncode == FREE, first.stderr
    reports = [without_times(json.loads(r.stdout)) for r in (first, again, default)]
    assert reports[0] == reports[1] == reports[2]
    assert (tmp_path / 'deep' / 'cache').is_dir()
    assert (tmp_path / 'xdg' / 'vouch').is_dir()


def test_cache_that_cannot_be_written_does_not_stop_a_check():
    arguments = [a for a in cell('pick.yaml') if a not in ('--cache', 'off')]
    result = run('check', *arguments, env={'XDG_CACHE_HOME': '/dev/null/nowhere'})
    assert result.returncode == FREE, result.stderr


def test_clearance_is_told_to_be_without_deviations():
    words = 'without deviations: '
    some = check('pick.yaml', '--tolerance', '0.0001', '--tolerance-m', '0.0001')
    assert some.returncode == FREE and some.stdout.count(words) == 1
    assert words not in check('pick.yaml').stdout
