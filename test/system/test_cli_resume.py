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
"""A batch that was interrupted: whole rows, a summary, and --resume; progress on a terminal."""

import os
import pty
import signal
import subprocess
import time

from cli_tools import CELL, FREE, INVALID, run, VERIFY, VOUCH
import pytest

ROWS = ['pick', 'through_plate', 'tight', 'overshoot']
COMMON = ['--robot', str(CELL / 'arm.urdf'), '--srdf', str(CELL / 'arm.srdf'), '--scene',
          str(CELL / 'cell.yaml'), '--cache', 'off']


def write_list(directory, count, more=''):
    rows = [f'"{ROWS[k % 4]}, ""{k}""",{CELL}/{ROWS[k % 4]}.yaml{more}' for k in range(count)]
    (directory / 'list.csv').write_text('name,trajectory\n' + '\n'.join(rows) + '\n')


def batch(directory, *more, **options):
    return run('batch', 'list.csv', *COMMON, *more, cwd=directory, **options)


@pytest.mark.parametrize('more', [[], ['--json']])
@pytest.mark.parametrize('cut', [0, 1, 40, 400, 1500, -1, -30])
def test_the_rest_is_appended(tmp_path, more, cut):
    """Whatever was written before, and however it ends: the whole is what one run writes."""
    write_list(tmp_path, 8)
    whole = batch(tmp_path, *more)
    half = whole.stdout[:cut]
    out = tmp_path / 'out'
    out.write_text(half)
    rest = batch(tmp_path, *more, '--resume', 'out')
    if half and '\n' not in half:
        assert rest.returncode == INVALID and 'has no whole line' in rest.stderr
        assert out.read_text() == half
        return
    assert rest.returncode == whole.returncode, rest.stderr
    assert out.read_text() + rest.stdout == whole.stdout
    done = out.read_text().count('\n') - (0 if more or not half else 1)
    assert (f'{done} of them were there already' in rest.stderr) == (done > 0)


def test_what_another_list_wrote_is_left_alone(tmp_path):
    write_list(tmp_path, 8)
    out = tmp_path / 'out'
    for text, words in (('hello\nworld\nhal', 'does not begin'),
                        (batch(tmp_path).stdout.replace('tight', 'loose') + 'hal', 'loose')):
        out.write_text(text)
        result = batch(tmp_path, '--resume', 'out')
        assert result.returncode == INVALID and words in result.stderr, result.stderr
        assert out.read_text() == text
    out.write_text(batch(tmp_path, '--json').stdout)
    assert batch(tmp_path, '--resume', 'out').returncode == INVALID
    assert batch(tmp_path, '--resume', 'absent').returncode == INVALID


def test_certificates_of_rows_that_are_there_stay(tmp_path):
    (tmp_path / 'list.csv').write_text('name,trajectory,problem,certificate\n' + ''.join(
        f'{name},{CELL}/{name}.yaml,{name}.p,{name}.c\n' for name in ROWS))
    first = batch(tmp_path).stdout.splitlines(True)
    before = (tmp_path / 'pick.c').stat().st_mtime_ns
    (tmp_path / 'out').write_text(''.join(first[:2]))
    rest = batch(tmp_path, '--resume', 'out')
    assert rest.stdout == ''.join(first[2:])
    assert (tmp_path / 'pick.c').stat().st_mtime_ns == before
    assert run('pick.p', 'pick.c', program=VERIFY, cwd=tmp_path).returncode == FREE


def start(directory, out, *more, **options):
    return subprocess.Popen(
        [str(VOUCH), 'batch', 'list.csv', *COMMON, *more], cwd=directory, stdout=out,
        stdin=subprocess.DEVNULL, text=True, **options)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('more', [[], ['--json']])
def test_an_interrupted_run_ends_with_whole_rows_and_goes_on(tmp_path, number, more):
    write_list(tmp_path, 600)
    with open(tmp_path / 'out', 'w') as out:
        process = start(tmp_path, out, '--threads', '2', *more, stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        while (tmp_path / 'out').stat().st_size < 4000 and time.monotonic() < end:
            time.sleep(0.001)
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    assert process.returncode == -number, said
    text = (tmp_path / 'out').read_text()
    rows = text.count('\n') - (not more)
    assert text.endswith('\n') and 0 < rows < 600
    assert f'interrupted after {rows} of 600 rows' in said and '--resume' in said
    rest = batch(tmp_path, '--threads', '2', '--resume', 'out', *more)
    whole = batch(tmp_path, '--threads', '2', *more)
    assert text + rest.stdout == whole.stdout


@pytest.mark.parametrize('columns', [40, 120])
def test_progress_has_rate_time_left_and_verdicts(tmp_path, columns):
    write_list(tmp_path, 4000)
    master, slave = pty.openpty()
    import fcntl
    import struct
    import termios
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    process = start(tmp_path, subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    seen = b''
    end = time.monotonic() + 40
    while b'\r' not in seen[5:] and time.monotonic() < end:
        try:
            seen += os.read(master, 1000)
        except OSError:
            break
        if seen.count(b'\r') >= 3:
            break
    process.terminate()
    process.wait(timeout=30)
    os.close(master)
    lines = [part.decode() for part in seen.replace(b'\x1b[K', b'').split(b'\r')]
    told = [line for line in lines if line.startswith('checked ')]
    assert told, seen
    assert all(len(line.splitlines()[0]) < columns for line in told)
    if columns == 120:
        assert '/s, ' in told[0] and ' left: ' in told[0] and ' FREE, ' in told[0]
