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
"""Help, manual pages and completion say the same, because one table does."""

import re
import shutil
import subprocess

from cli_tools import INVALID, run, VOUCH
import pytest

COMMANDS = ['check', 'batch', 'verify', 'inspect', 'motion']


def options_of(command):
    """What --help lists: option to whether it takes a value."""
    text = run(command, '--help').stdout
    rows = re.findall(r'^  --([a-z-]+)( \S+)?', text, re.MULTILINE)
    return {name: bool(value) for name, value in rows}


@pytest.mark.parametrize('command', COMMANDS)
def test_every_option_that_is_listed_is_taken_as_it_is_listed(command):
    options = options_of(command)
    assert options
    if command == 'verify':   # the independent program reads them itself
        assert options == {'pairs': False, 'json': False, 'expect': True}
        return
    for name, value in options.items():
        without = run(command, f'--{name}').stderr
        assert 'no option' not in without, (name, without)
        assert (f'the option --{name} needs a value' in without) == value, (name, without)


@pytest.mark.parametrize('command', COMMANDS)
def test_the_manual_page_has_every_option_and_example(command):
    page = run('manual', command)
    assert page.returncode == 0 and page.stderr == ''
    plain = page.stdout.replace('\\-', '-').replace('\\e', '\\').replace('\\&', '')
    assert plain.startswith(f'.TH VOUCH-{command} 1 ')
    for name in options_of(command):
        assert re.search(rf'^\\fB--{name}\\fR', plain, re.MULTILINE), name
    help_text = run(command, '--help').stdout
    examples = help_text[help_text.index('\nExample'):].splitlines()[2:]
    assert examples and all(line in plain for line in examples)


@pytest.mark.skipif(shutil.which('man') is None, reason='man is not installed')
@pytest.mark.parametrize('command', [[], *([command] for command in COMMANDS)])
def test_man_reads_the_page_without_a_warning(tmp_path, command):
    page = tmp_path / 'page.1'
    page.write_text(run('manual', *command).stdout)
    shown = subprocess.run(
        ['man', '--warnings=w', '-l', str(page)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C.UTF-8', 'MANWIDTH': '100'})
    assert shown.returncode == 0 and shown.stderr == '', shown.stderr
    assert 'NAME' in shown.stdout and 'SYNOPSIS' in shown.stdout


def complete(*words):
    """What bash offers for the last word."""
    script = (
        f'eval "$({VOUCH} completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vouch; '
        'printf "%s\\n" "${COMPREPLY[@]}"')
    result = subprocess.run(['bash', '-c', script, 'bash', *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    assert result.stderr == '', result.stderr
    return set(result.stdout.split())


def test_bash_completes_commands_options_values_and_files(tmp_path):
    assert complete('vouch', '') >= {*COMMANDS, '--help'}
    assert complete('vouch', 'mo') == {'motion'}
    for command in COMMANDS:
        assert complete('vouch', command, '--') == {
            '--help', *(f'--{name}' for name in options_of(command))}
    assert complete('vouch', 'check', '--tol') == {'--tolerance', '--tolerance-m'}
    assert complete('vouch', 'check', '--model', '') == {'auto', 'controller', 'planner', 'linear'}
    assert complete('vouch', 'check', '--margin', '') == set()
    (tmp_path / 'arm.urdf').write_text('')
    assert complete('vouch', 'check', '--robot', f'{tmp_path}/a') == {f'{tmp_path}/arm.urdf'}


def test_zsh_completion_names_every_option():
    text = run('completion', 'zsh').stdout
    assert text.startswith('#compdef vouch\n')
    for command in COMMANDS:
        for name in options_of(command):
            assert f"'*--{name}[" in text
    assert text.count("'") % 2 == 0
    if shutil.which('zsh'):
        assert subprocess.run(['zsh', '-n'], input=text, text=True).returncode == 0


def test_nonsense_is_refused():
    for words in (['manual', 'nothing'], ['manual', 'check', 'batch'], ['completion'],
                  ['completion', 'fish']):
        assert run(*words).returncode == INVALID, words
