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
"""vouch plan and vouch repair: proved motions as files, reasons, and bad input."""

import json
import xml.etree.ElementTree

from cli_tools import CELL, cell, FREE, INVALID, run, UNDECIDED, VERIFY
import pytest

BEGIN = [0.698131701, 0.310284748, 1.958558754, 0, 0.872749152, 1.570796327]
END = [-0.698131701, 0.310284748, 1.958558754, 0, 0.872749152, 1.570796327]
JOINTS = [f'joint_{i}' for i in range(1, 7)]
LIMITS = 'joint_limits:\n' + ''.join(
    f'  {joint}:\n    has_acceleration_limits: true\n    max_acceleration: 4.0\n'
    '    has_jerk_limits: true\n    max_jerk: 40.0\n'
    for joint in [*JOINTS, 'finger_joint'])


def request(path, goal=END, group='arm', extra='', start=BEGIN):
    """Write a MotionPlanRequest."""
    names = json.dumps([*JOINTS, 'finger_joint'])
    goals = ''.join(
        f'      - joint_name: {joint}\n        position: {value}\n'
        for joint, value in zip(JOINTS, goal))
    path.write_text(
        'start_state:\n  joint_state:\n'
        f'    name: {names}\n    position: {json.dumps([*start, 0.04])}\n'
        f'goal_constraints:\n  - joint_constraints:\n{goals}'
        f'group_name: {group}\n{extra}')
    return path


@pytest.fixture
def files(tmp_path):
    """Return a function that names files of this test."""
    (tmp_path / 'limits.yaml').write_text(LIMITS)
    return lambda name: tmp_path / name


def plan(files, *more, **options):
    """Run vouch plan --json on the example cell."""
    result = run('plan', *cell(), '--limits', files('limits.yaml'), '--json', *more, **options)
    return result, json.loads(result.stdout) if result.stdout else None


def test_a_request_becomes_a_trajectory_that_is_proved_again(files):
    file = request(files('request.yaml'))
    result, report = plan(
        files, '--request', file, '--output', files('way.yaml'), '--problem', files('p'),
        '--certificate', files('c'), '--picture', files('way.svg'))
    assert result.returncode == FREE, result.stderr
    assert report['verdict'] == 'FREE'
    assert report['plan']['reason'] == 'none'
    assert report['plan']['length_rad'] >= 1.39
    assert len(report['plan']['waypoints']) >= 3
    assert report['model'] == 'controller'
    assert 'VERIFIED FREE' in run(files('p'), files('c'), program=VERIFY).stdout
    # The file is the very motion that was proved: the problem is the same to the byte.
    again = run('check', *cell(files('way.yaml')), '--request', file, '--problem', files('p2'))
    assert again.returncode == FREE, again.stderr
    assert files('p').read_bytes() == files('p2').read_bytes()
    xml.etree.ElementTree.parse(files('way.svg'))


def test_the_trajectory_starts_and_ends_at_rest_where_it_should(files):
    yaml = pytest.importorskip('yaml')
    result, _ = plan(
        files, '--request', request(files('r.yaml')), '--output', files('way.yaml'))
    assert result.returncode == FREE, result.stderr
    trajectory = yaml.safe_load(files('way.yaml').read_text())['joint_trajectory']
    assert trajectory['joint_names'] == JOINTS
    points = trajectory['points']
    assert points[0]['positions'] == BEGIN
    assert points[-1]['positions'][:5] == END[:5]
    for point in (points[0], points[-1]):
        assert point['velocities'] == point['accelerations'] == [0] * 6
    times = [p['time_from_start']['sec'] + 1e-9 * p['time_from_start']['nanosec'] for p in points]
    assert times[0] == 0
    assert all(a < b for a, b in zip(times, times[1:]))
    for point in points:
        assert all(abs(v) <= 3.0 for v in point['velocities'])   # the URDF's


def test_half_the_speed_takes_about_twice_as_long(files):
    file = request(files('r.yaml'), goal=[1.6, *BEGIN[1:]])
    durations = []
    for scale in ('1', '0.5'):
        _, report = plan(files, '--request', file, '--velocity-scale', scale,
                         '--acceleration-scale', str(float(scale) ** 2))
        durations.append(report['duration_s'])
    assert 1.5 < durations[1] / durations[0] < 2.1


def test_the_request_may_scale_and_the_command_line_wins(files):
    slow = 'max_velocity_scaling_factor: 0.1\nmax_acceleration_scaling_factor: 0.1\n'
    file = request(files('r.yaml'), extra=slow)
    _, scaled = plan(files, '--request', file)
    _, full = plan(files, '--request', file, '--velocity-scale', '1', '--acceleration-scale', '1')
    assert scaled['duration_s'] > 2 * full['duration_s']


def test_the_same_seed_gives_the_same_file(files):
    for name, seed in (('a', '3'), ('b', '3'), ('c', '4')):
        result, _ = plan(files, '--request', request(files('r.yaml')), '--seed', seed,
                         '--output', files(name))
        assert result.returncode == FREE, result.stderr
    assert files('a').read_bytes() == files('b').read_bytes()
    assert files('a').read_bytes() != files('c').read_bytes()


def test_goals_of_the_command_line(files):
    start = [f'{joint}={value}' for joint, value in zip(JOINTS, BEGIN)]
    starts = [word for text in start for word in ('--start', text)]
    starts += ['--start', 'finger_joint=0.04']
    result, report = plan(files, *starts, '--goal-state', 'arm/home')
    assert result.returncode == FREE, result.stderr
    assert report['plan']['waypoints'][-1]['joint_2'] == -0.35
    result, report = plan(files, *starts, '--goal', 'joint_1=0.9', '--bare')
    assert result.returncode == FREE, result.stderr
    assert report['has_time'] is False
    assert report['plan']['waypoints'][-1]['joint_1'] == 0.9
    assert report['plan']['waypoints'][-1]['joint_2'] == BEGIN[1]


def test_without_limits_what_is_assumed_is_said():
    result = run('plan', *cell(), '--group-state', 'arm/home', '--group-state', 'gripper/open',
                 '--goal', 'joint_1=0.3', '--json')
    assert result.returncode == FREE, result.stderr
    assert any('acceleration limit' in text for text in json.loads(result.stdout)['warnings'])


def test_a_start_in_collision_names_the_pair_and_a_way_out(files):
    inside = [0.04, *BEGIN[1:]]
    result, report = plan(
        files, '--request', request(files('r.yaml'), start=inside), '--output', files('way.yaml'))
    assert result.returncode == INVALID
    assert report['verdict'] == 'INVALID'
    answer = report['plan']
    assert answer['reason'] == 'start_collision'
    assert 'guard_plate' in (answer['contact']['a'], answer['contact']['b'])
    assert 'guard_plate' in answer['message']
    assert answer['contact']['depth_m'] > 0
    assert 0 < answer['free_distance_rad'] < 0.5
    assert not files('way.yaml').exists()
    assert 'was not written' in result.stderr
    offer = [f'{joint}={value!r}' for joint, value in answer['free_state'].items()]
    result, report = plan(
        files, '--request', request(files('r.yaml')),
        *[word for text in offer for word in ('--start', text)])
    assert result.returncode == FREE, report


def test_a_goal_in_collision_and_one_outside_limits(files):
    result, report = plan(
        files, '--request', request(files('r.yaml'), goal=[0.04, *BEGIN[1:]]))
    assert result.returncode == INVALID
    assert report['plan']['reason'] == 'goal_collision'
    result, report = plan(files, '--request', request(files('r.yaml'), goal=[3.2, *BEGIN[1:]]))
    assert result.returncode == INVALID
    assert report['plan']['reason'] == 'goal_limits'
    assert 'joint_1' in report['error'] and '3.05' in report['error']


def test_no_time_is_undecided_and_writes_nothing(files):
    result, report = plan(files, '--request', request(files('r.yaml')), '--deadline', '0.000001',
                          '--output', files('way.yaml'))
    assert result.returncode == UNDECIDED
    assert report['verdict'] == 'UNDECIDED'
    assert not files('way.yaml').exists()


@pytest.mark.parametrize(('change', 'words'), [
    ({'group': 'leg'}, ["no group 'leg'", 'arm', 'gripper']),
    ({'extra': 'path_constraints:\n  orientation_constraints: [{weight: 1}]\n'},
     ['orientation_constraints', 'joint constraints']),
    ({'extra': 'nonsense: 1\n'}, ['nonsense']),
    ({'extra': 'max_velocity_scaling_factor: 3\n'}, ['max_velocity_scaling_factor']),
])
def test_requests_that_are_refused(files, change, words):
    result, _ = plan(files, '--request', request(files('r.yaml'), **change))
    assert result.returncode == INVALID
    assert all(word in result.stderr for word in words), result.stderr


def test_cartesian_goals_are_refused(files):
    file = request(files('r.yaml'))
    text = file.read_text()
    head = text[:text.index('goal_constraints')]
    file.write_text(head + 'goal_constraints:\n  - position_constraints: [{link_name: hand}]\n'
                    'group_name: arm\n')
    result, _ = plan(files, '--request', file)
    assert result.returncode == INVALID
    assert 'inverse kinematics' in result.stderr


@pytest.mark.parametrize(('arguments', 'words'), [
    ([], ['No goal']),
    (['--goal', 'elbow=1'], ['elbow']),
    (['--goal', 'joint_1'], ['name=value']),
    (['--goal', 'joint_1=1', '--goal', 'joint_1=2'], ['twice']),
    (['--goal-state', 'arm/nowhere'], ['nowhere']),
    (['--goal-state', 'home'], ['group/state']),
    (['--goal', 'joint_1=nan'], ['nan']),
    (['--goal', 'joint_1=1', '--group', 'leg'], ['leg']),
    (['--goal', 'joint_1=1', '--group', 'gripper'], ['joint_1', 'not to move']),
    (['--goal', 'joint_1=1', '--velocity-scale', '2'], ['velocity-scale']),
    (['--goal', 'joint_1=1', '--rounds', '0'], ['rounds']),
    (['--goal', 'joint_1=1', '--seed', '1.5'], ['seed']),
    (['--goal', 'joint_1=1', '--trajectory', CELL / 'pick.yaml'], ['vouch repair']),
    (['--goal', 'joint_1=1', '--output', CELL / 'arm.urdf'], ['written over']),
    (['--goal', 'joint_1=1', 'way.yaml'], ['way.yaml']),
])
def test_bad_arguments_are_explained(arguments, words):
    before = (CELL / 'arm.urdf').read_bytes()
    result = run('plan', *cell(), '--group-state', 'arm/home', '--group-state', 'gripper/open',
                 *arguments)
    assert result.returncode == INVALID, result.stdout
    assert all(word in result.stderr for word in words), result.stderr
    assert (CELL / 'arm.urdf').read_bytes() == before


@pytest.mark.parametrize(('text', 'words'), [
    ('joints: {}\n', ['joint_limits']),
    ('joint_limits:\n  joint_1: {max_velocity: -1}\n', ['max_velocity', 'joint_1']),
    ('joint_limits:\n  joint_1: {max_speed: 1}\n', ['max_speed']),
    ('joint_limits:\n  joint_1: {min_position: 2, max_position: 1}\n', ['joint_1', 'above']),
])
def test_limits_that_are_refused(files, text, words):
    files('limits.yaml').write_text(text)
    result, _ = plan(files, '--request', request(files('r.yaml')))
    assert result.returncode == INVALID
    assert all(word in result.stderr for word in words), result.stderr


# ---- repair ----

def repair(files, trajectory, *more):
    """Run vouch repair --json on the example cell."""
    result = run('repair', *cell(trajectory), '--limits', files('limits.yaml'), '--json',
                 '--output', files('new.yaml'), *more)
    return result, json.loads(result.stdout) if result.stdout else None


def test_the_way_through_the_plate_is_repaired(files):
    result, report = repair(
        files, 'through_plate.yaml', '--problem', files('p'), '--certificate', files('c'),
        '--picture', files('both.svg'))
    assert result.returncode == FREE, result.stderr
    answer = report['plan']
    assert answer['changed'] is True
    assert 0.5 < answer['kept'] < 1
    assert 0.02 < answer['deviation_rad'] < 1.5
    assert answer['waypoints'][0]['joint_1'] == BEGIN[0]
    assert answer['waypoints'][-1]['joint_1'] == END[0]
    assert 'VERIFIED FREE' in run(files('p'), files('c'), program=VERIFY).stdout
    # The new file stands where the old one stood, with nothing beside it.
    again = run('check', *cell(files('new.yaml')), '--problem', files('p2'))
    assert again.returncode == FREE, again.stderr
    assert files('p2').read_bytes() == files('p').read_bytes()
    assert 'class="old"' in files('both.svg').read_text()


def test_what_is_free_stays_as_it_is(files):
    result, report = repair(files, 'pick.yaml')
    assert result.returncode == FREE, result.stderr
    assert report['plan']['changed'] is False
    assert files('new.yaml').read_bytes() == (CELL / 'pick.yaml').read_bytes()


def test_a_trajectory_that_ends_in_the_plate_cannot_be_repaired(files):
    files('t.yaml').write_text(
        'joint_trajectory:\n  joint_names: [' + ', '.join([*JOINTS, 'finger_joint']) + ']\n'
        '  points:\n' + ''.join(
            f'    - positions: {json.dumps([value, *BEGIN[1:], 0.04])}\n'
            f'      time_from_start: {time}\n' for time, value in ((0, BEGIN[0]), (2, 0.04))))
    result, report = repair(files, files('t.yaml'))
    assert result.returncode == INVALID
    assert report['plan']['reason'] == 'goal_collision'
    assert "trajectory's end" in report['error']
    assert not files('new.yaml').exists()


def test_repair_takes_no_goal():
    result = run('repair', *cell('pick.yaml'), '--goal', 'joint_1=1')
    assert result.returncode == INVALID
    assert '--goal' in result.stderr
