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
"""vouch verify and vouch-verify: the same words, the same codes."""

import re

from cli_tools import check, COLLISION, FREE, INVALID, run, UNDECIDED, VERIFY
import pytest


def make(name, directory, *more):
    problem, certificate = directory / 'p', directory / 'c'
    result = check(f'{name}.yaml', '--problem', problem, '--certificate', certificate, *more)
    return result, problem, certificate


@pytest.mark.parametrize('name, code, more', [
    ('pick', FREE, []), ('tight', FREE, ['--margin', '0.0005']),
    ('pick', FREE, ['--method', 'schwarzer']),
    ('through_plate', COLLISION, []), ('overshoot', COLLISION, [])])
def test_certificate_is_verified(name, code, more, tmp_path):
    result, problem, certificate = make(name, tmp_path, *more)
    assert result.returncode == code, result.stderr
    words, shown = ('VERIFIED FREE', 0) if code == FREE else ('COLLISION SHOWN', 2)
    inside, alone = run('verify', problem, certificate), run(problem, certificate, program=VERIFY)
    for answer in (inside, alone):
        assert answer.returncode == shown, answer.stderr
        assert answer.stdout.startswith(words + '\n')
        assert ('VERIFIED' in answer.stdout) == (code == FREE)
        assert 'example_arm' in answer.stdout
        assert 'checked 93 of ' in answer.stdout   # pairs of bodies, as check counts them
    assert inside.stdout == alone.stdout


def distance_told(words):
    answer = re.search(r'^apart: (\S+) m, at segment \S+$', words, re.MULTILINE)
    return float(answer.group(1))


def test_a_distance_below_the_margin_is_not_called_a_contact(tmp_path):
    for name, margin, most in (('through_plate', 0.0, 0.0), ('tight', 0.002, 0.002)):
        result, problem, certificate = make(name, tmp_path, '--margin', str(margin))
        assert result.returncode == COLLISION, result.stderr
        for answer in (run('verify', problem, certificate),
                       run(problem, certificate, program=VERIFY)):
            assert answer.returncode == 2 and 'COLLISION SHOWN' in answer.stdout
            assert 'contact' not in answer.stdout
            told = distance_told(answer.stdout)
            assert told < most if most > 0.0 else told == 0.0
            assert told > 0.0005 or most == 0.0, 'free with this margin'


def test_certificate_of_another_motion_is_refused(tmp_path):
    (tmp_path / '1').mkdir()
    (tmp_path / '2').mkdir()
    _, problem, _ = make('pick', tmp_path / '1')
    _, _, certificate = make('tight', tmp_path / '2')
    for program, command in ((None, ['verify']), (VERIFY, [])):
        answer = run(*command, problem, certificate, **({'program': program} if program else {}))
        assert answer.returncode in (1, 3)
        assert 'VERIFIED' not in answer.stdout.replace('NOT VERIFIED', '')


def test_damaged_and_missing_files(tmp_path):
    _, problem, certificate = make('pick', tmp_path)
    data = certificate.read_bytes()
    certificate.write_bytes(data[:len(data) // 2])
    assert run('verify', problem, certificate).returncode in (1, 3)
    assert run('verify', certificate, problem).returncode == INVALID
    assert run('verify', tmp_path / 'nothing', certificate).returncode == INVALID
    assert run('verify').returncode == INVALID


def test_undecided_has_no_certificate(tmp_path):
    result, problem, certificate = make('pick', tmp_path, '--deadline', '1e-9')
    assert result.returncode == UNDECIDED
    assert problem.exists()
    assert not certificate.exists()
    assert 'no certificate' in result.stderr
