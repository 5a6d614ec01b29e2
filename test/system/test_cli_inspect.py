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
"""vouch inspect: a person can follow from files to the problem."""

from cli_tools import cell, check, FREE, INVALID, run


def inspect(*arguments):
    return run('inspect', *arguments)


def test_robot_alone():
    result = inspect(*cell(scene=False))
    assert result.returncode == 0, result.stderr
    for word in ('joint_1', 'prismatic', 'variable', 'right_finger', 'root base_link',
                 'upper_arm', 'triangles', 'group state arm/home', 'SRDF disable_collisions'):
        assert word in result.stdout, word


def test_pairs_say_why_they_are_off():
    result = inspect(*cell(None, '--pairs'))
    assert result.returncode == 0, result.stderr
    text = result.stdout
    line = next(x for x in text.splitlines() if 'hand ' in x and 'guard_plate' in x)
    assert 'checked' in line
    line = next(x for x in text.splitlines() if 'base_link' in x and 'table' in x)
    assert 'static' in line
    line = next(x for x in text.splitlines() if 'wrist' in x and 'forearm' in x and 'off' in x)
    assert 'SRDF' in line


def test_motion_and_radii():
    result = inspect(*cell('pick.yaml', '--radii'))
    assert result.returncode == 0, result.stderr
    assert '6 quintic' in result.stdout
    assert 'model controller' in result.stdout
    assert 'reach [m]' in result.stdout


def test_hash_is_that_of_the_check():
    text = inspect(*cell('pick.yaml')).stdout
    digest = next(x for x in text.splitlines() if x.startswith('problem sha256')).split()[-1]
    assert digest in check('pick.yaml', '--json').stdout


def test_dump_of_a_problem_file_is_the_dump_of_its_source(tmp_path):
    problem = tmp_path / 'p'
    assert check('pick.yaml', '--problem', problem).returncode == FREE
    stored = inspect(problem)
    fresh = inspect(*cell('pick.yaml', '--dump'))
    assert stored.returncode == fresh.returncode == 0
    assert stored.stdout
    assert fresh.stdout.endswith(stored.stdout)


def test_bad_input(tmp_path):
    broken = tmp_path / 'broken'
    broken.write_bytes(b'VOUCHPRB but not really')
    for arguments in ([broken], ['/nowhere/p'], [], cell(None, '--radii'), ['--robot', '/no.urdf']):
        result = inspect(*arguments)
        assert result.returncode == INVALID
        assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_options_that_inspect_would_ignore_are_refused(tmp_path):
    for option in (['--json'], ['--problem', tmp_path / 'p'], ['--certificate', tmp_path / 'c']):
        result = inspect(*cell('pick.yaml', *option))
        assert result.returncode == INVALID and 'vouch check' in result.stderr
        assert result.stdout == '' and not list(tmp_path.iterdir())


def test_a_tolerance_of_an_unknown_joint_is_refused():
    result = inspect(*cell('pick.yaml', '--joint-tolerance', 'joint_9=0.1'))
    assert result.returncode == INVALID
    assert 'joint_9' in result.stderr


def test_options_do_not_apply_to_a_problem_file(tmp_path):
    problem = tmp_path / 'p'
    assert check('pick.yaml', '--problem', problem).returncode == FREE
    assert inspect(problem).returncode == 0
    for more in (['--pairs'], ['--radii'], ['--margin', '0.1']):
        result = inspect(problem, *more)
        assert result.returncode == INVALID and result.stdout == '', more
        assert 'leave the options out' in result.stderr


def test_planes_are_no_missing_geometry(tmp_path):
    scene = tmp_path / 's.json'
    scene.write_text('''{"objects": [
      {"id": "ground", "shapes": [{"type": "half_space", "normal": [0, 0, 1], "offset": -0.5}]},
      {"id": "film", "shapes": [{"type": "plane", "normal": [1, 0, 0], "offset": 2}]}]}''')
    result = inspect(*cell(None, '--scene', scene, scene=False))
    assert result.returncode == 0, result.stderr
    after = result.stdout.split('scene: ')[1]
    assert 'no collision geometry' not in after
    assert 'half-space 0 x + 0 y + 1 z + 0.5 <= 0' in after
    assert 'plane 1 x + 0 y + 0 z + -2 = 0' in after
