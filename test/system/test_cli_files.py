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
"""What is read and written: nothing is lost, nothing old is left, nothing hangs."""

import csv
import io
import os
import resource
import shutil
import subprocess

from cli_tools import CELL, cell, check, COLLISION, FREE, INTERNAL, INVALID, run, VERIFY, VOUCH
import pytest

OUTPUTS = {'--problem': 'VOUCHPRB', '--certificate': 'VOUCHCRT', '--picture': '<svg '}


def files(directory):
    """Every file below the directory with its bytes."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())
            if path.is_file()}


@pytest.fixture
def copy(tmp_path):
    """A copy of the example cell that a test may damage."""
    directory = tmp_path / 'cell'
    shutil.copytree(CELL, directory)
    return directory


def check_copy(directory, *more, trajectory='pick.yaml', **options):
    return run('check', '--robot', 'arm.urdf', '--srdf', 'arm.srdf', '--scene', 'cell.yaml',
               '--trajectory', trajectory, '--cache', 'off', *more, cwd=directory, **options)


def spellings(directory, name):
    """The same file under other names."""
    (directory / 'linked').symlink_to(name)
    (directory / 'links').symlink_to('linked')
    (directory / 'here').symlink_to('.')
    os.link(directory / name, directory / 'hard')
    return [name, f'./{name}', directory / name, f'../cell/{name}', f'here/{name}', 'linked',
            'links', 'hard']


@pytest.mark.parametrize('option', OUTPUTS)
@pytest.mark.parametrize('name', ['arm.urdf', 'arm.srdf', 'cell.yaml', 'pick.yaml'])
def test_no_output_takes_the_place_of_an_input(copy, option, name):
    for spelling in spellings(copy, name):
        before = files(copy)
        result = check_copy(copy, option, spelling)
        assert result.returncode == INVALID, (spelling, result.stdout)
        assert option in result.stderr and 'would be written over' in result.stderr
        assert files(copy) == before


@pytest.mark.parametrize('option', OUTPUTS)
def test_no_output_takes_the_place_of_what_vouch_did_not_write(copy, option):
    """A mesh is named inside of other files; so is a package's package.xml."""
    mesh = copy / 'part.stl'
    mesh.write_text('solid part\nendsolid part\n')
    for spelling in spellings(copy, 'part.stl'):
        before = files(copy)
        result = check_copy(copy, option, spelling)
        assert result.returncode == INVALID, (spelling, result.stdout)
        assert f'not an older {option[2:]}' in result.stderr
        assert files(copy) == before


def test_no_output_takes_the_place_of_another(copy):
    (copy / 'here').symlink_to('.')
    (copy / 'later').symlink_to('out')
    for other in ('out', './out', copy / 'out', 'here/out', 'later'):
        result = check_copy(copy, '--problem', 'out', '--certificate', other)
        assert result.returncode == INVALID and '--problem' in result.stderr, other
        assert not (copy / 'out').exists()


@pytest.mark.parametrize('option', OUTPUTS)
def test_an_older_output_is_replaced_and_links_stay(copy, option):
    (copy / 'link').symlink_to('out')
    for name in ('out', 'link'):
        for _ in range(2):
            assert check_copy(copy, option, name).returncode == FREE
            assert (copy / 'out').read_bytes().startswith(OUTPUTS[option].encode())
    assert (copy / 'link').is_symlink()
    (copy / 'out').write_bytes(b'')   # as mktemp makes it
    assert check_copy(copy, option, 'out').returncode == FREE


@pytest.mark.parametrize('wrong', [
    ['--scene', 'absent.yaml'], ['--margin', 'wide'], ['--no-such-option'], ['stray.yaml'],
    ['--robot', 'arm.urdf'], ['--start', 'no_such_joint=1']])
def test_no_old_answer_is_left_by_a_run_that_is_invalid(copy, wrong):
    outputs = ['--problem', 'p', '--certificate', 'c', '--picture', 's.svg']
    for arguments in ([*outputs, *wrong], [*wrong, *outputs]):
        assert check_copy(copy, *outputs).returncode == FREE
        assert run('p', 'c', program=VERIFY, cwd=copy).returncode == 0
        assert check_copy(copy, *arguments).returncode == INVALID
        assert not any((copy / name).exists() for name in ('p', 'c', 's.svg'))
        assert run('p', 'c', program=VERIFY, cwd=copy).returncode != 0


def test_no_old_certificate_is_left_by_an_undecided_one(copy):
    assert check_copy(copy, '--certificate', 'c').returncode == FREE
    assert check_copy(copy, '--certificate', 'c', '--depth', '0').returncode == 2
    assert not (copy / 'c').exists()


def batch(directory, header, *rows, name='list.csv'):
    (directory / name).write_text('\n'.join([header, *rows]) + '\n')
    result = run('batch', name, '--robot', 'arm.urdf', '--srdf', 'arm.srdf', '--cache', 'off',
                 cwd=directory)
    return result, list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.mark.parametrize('place, words', [
    ('list.csv', 'over the list'), ('./list.csv', 'over the list'), ('twin', 'over the list'),
    ('../cell/pick.yaml', 'read by line 3'), ('./one.c', 'written by line 2'),
    ('here/one.c', 'written by line 2'), ('later', 'written by line 2')])
def test_no_row_writes_over_the_list_or_another_row(copy, place, words):
    (copy / 'twin').symlink_to('list.csv')
    (copy / 'here').symlink_to('.')
    (copy / 'later').symlink_to('one.c')
    before = {name: data for name, data in files(copy).items() if name not in ('list.csv', 'twin')}
    result, rows = batch(
        copy, 'name,trajectory,problem,certificate', 'one,tight.yaml,one.p,one.c',
        'two,pick.yaml,,', f'three,tight.yaml,,{place}')
    assert result.returncode == INVALID
    assert [row['verdict'] for row in rows] == ['FREE', 'FREE', 'INVALID'], result.stdout
    assert 'line 4' in rows[2]['error'] and words in rows[2]['error'], rows[2]['error']
    assert (copy / 'list.csv').read_text().startswith('name,trajectory')
    after = files(copy)
    assert before == {name: after[name] for name in before}
    assert run('one.p', 'one.c', program=VERIFY, cwd=copy).returncode == 0


def test_rows_begin_without_old_outputs(copy):
    header = 'name,trajectory,margin,problem,certificate'
    result, _ = batch(copy, header, 'a,pick.yaml,,a.p,a.c', 'b,pick.yaml,,b.p,b.c')
    assert result.returncode == FREE
    result, _ = batch(copy, header, 'a,absent.yaml,,a.p,a.c', 'b,pick.yaml,wide,b.p,b.c')
    assert result.returncode == INVALID
    assert not [name for name in files(copy) if name.endswith(('.p', '.c'))]


@pytest.mark.parametrize('option', ['--robot', '--srdf', '--scene', '--trajectory', '--request'])
def test_what_is_no_file_is_refused_at_once(tmp_path, option):
    """A pipe that nobody writes to would be waited for for ever."""
    pipe = tmp_path / 'pipe.yaml'
    os.mkfifo(pipe)
    for path, kind in ((pipe, 'a pipe'), ('/dev/zero', 'a device'), (tmp_path, 'a directory')):
        arguments = cell() if option == '--trajectory' else cell('pick.yaml')
        if option in arguments:
            arguments[arguments.index(option) + 1] = path
        else:
            arguments += [option, path]
        result = run('check', *arguments)
        assert result.returncode == INVALID
        assert str(path) in result.stderr and kind in result.stderr, result.stderr


def test_a_mesh_that_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / 'part.stl')
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="part.stl"/>'
        '</geometry></collision></link></robot>')
    result = run('inspect', '--robot', tmp_path / 'r.urdf', '--cache', 'off')
    assert result.returncode == INVALID and 'a pipe' in result.stderr, result.stderr


def test_a_list_that_is_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / 'list.csv')
    result = run('batch', tmp_path / 'list.csv')
    assert result.returncode == INVALID and 'a pipe' in result.stderr


@pytest.mark.parametrize('option', OUTPUTS)
def test_a_place_that_cannot_be_written_to_is_an_error_of_the_user(tmp_path, option):
    os.mkfifo(tmp_path / 'pipe')
    for path in ('/nowhere/out', tmp_path, tmp_path / 'pipe', '/dev/full'):
        result = check('pick.yaml', option, path)
        assert result.returncode == INVALID, (path, result.stderr)
        assert str(path) in result.stderr


@pytest.mark.parametrize('option', OUTPUTS)
def test_a_limit_on_file_sizes_is_a_sentence_and_leaves_no_half_file(copy, option):
    """Without care the program would be ended by a signal."""
    before = set(copy.iterdir())
    result = check_copy(
        copy, option, 'out',
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))
    assert result.returncode == INVALID, result
    assert 'cannot write out: File too large' in result.stderr, result.stderr
    assert set(copy.iterdir()) == before


def test_standard_output_beyond_a_limit_is_no_verdict(copy):
    with open(copy / 'out', 'wb') as out:
        result = subprocess.run(
            [str(VOUCH), 'inspect', *map(str, cell('pick.yaml', '--dump'))], stdout=out,
            stderr=subprocess.PIPE, text=True, timeout=60,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))
    assert result.returncode == INTERNAL and 'standard output' in result.stderr, result


def test_leftovers_of_other_runs_are_not_in_the_way(copy):
    """In a container every program may have the same number."""
    def leave():
        for name in ('p', 'c', 's.svg'):
            for count in range(4):
                (copy / f'{name}.{os.getpid()}.{count}.tmp').write_text('left')

    result = check_copy(copy, '--problem', 'p', '--certificate', 'c', '--picture', 's.svg',
                        preexec_fn=leave)
    assert result.returncode == FREE, result.stderr
    assert len([name for name in files(copy) if name.endswith('.tmp')]) == 12


def test_a_collision_has_its_outputs_too(copy):
    result = check_copy(copy, '--problem', 'p', '--certificate', 'c',
                        trajectory='through_plate.yaml')
    assert result.returncode == COLLISION
    assert (copy / 'p').exists() and (copy / 'c').exists()
