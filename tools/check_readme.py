#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Do what README.md says: run its commands, build its C program.

    tools/check_readme.py [README.md]

Every ```sh block is run by bash from a scratch directory that looks like the
top of the repository, in a shell that knows nothing of this checkout but what
". tools/env" told it, and every command must exit with 0, or with N where the
line ends in "# exit N". A block that
follows a line <!-- needs: PROGRAM --> is skipped, loudly, where PROGRAM is not
installed. `make demo` is run as tools/demo; `make test` and its like only
have to be targets, because it is `make test` that runs this. Every ```c block is built in such
a shell with what pkg-config says, and run where the line before it is <!-- run: ARGUMENTS -->.
Blocks of other kinds (```text, ```yaml, ```console) are not touched.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTALL = ROOT / 'install' / 'vouch'
SKIPPED = 77
EXIT = re.compile(r'#\s*exit\s+(\d+)\s*$')
TARGET_ONLY = re.compile(r'^make\s+(setup|build|check|test|test-long|bench\S*|lint|deb|clean)\b')


def read_blocks(path):
    """Yield (language, text, line number, directive of the line before)."""
    lines = path.read_text(encoding='utf-8').splitlines()
    index, before = 0, ''
    while index < len(lines):
        fence = re.match(r'^```(\w*)\s*$', lines[index])
        if fence:
            start = index + 1
            index = start
            while index < len(lines) and not lines[index].startswith('```'):
                index += 1
            directive = re.match(r'^<!--\s*(.*?)\s*-->$', before)
            yield (fence.group(1), '\n'.join(lines[start:index]), start + 1,
                   directive.group(1) if directive else '')
            before = ''
        elif lines[index].strip():
            before = lines[index].strip()
        index += 1


def commands_of(text):
    """Split a block into commands, joining lines that end in a backslash."""
    joined = text.replace('\\\n', ' ')
    return [line.strip() for line in joined.splitlines()
            if line.strip() and not line.strip().startswith('#')]


def script_of(text):
    """Make a bash script that stops at the first command that does not exit as promised."""
    script = []
    for command in commands_of(text):
        expected = EXIT.search(command)
        wanted = int(expected.group(1)) if expected else 0
        plain = EXIT.sub('', command).strip()
        if TARGET_ONLY.match(plain):
            plain = re.sub(r'^make', 'make -n', plain) + ' > /dev/null'
        elif re.match(r'^make\s+demo\b', plain):
            plain = 'tools/demo'
        script.append(plain)
        script.append(
            f'code=$?; [ "$code" = {wanted} ] || {{ echo "exit $code instead of {wanted}: "'
            f'{shlex.quote(plain)}; exit 1; }}')
    return '\n'.join(script) + '\n'


def fresh_environment():
    """What a new shell has: nothing of this checkout, and no ROS that came with it."""
    environment = dict(os.environ)
    if environment.pop('VOUCH_VENV_ROS', ''):
        for name in ('ROS_DISTRO', 'VIRTUAL_ENV', 'LDFLAGS', 'ROS_DOMAIN_ID'):
            environment.pop(name, None)
    for name in ('PATH', 'LD_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'CMAKE_PREFIX_PATH',
                 'AMENT_PREFIX_PATH', 'PYTHONPATH', 'MANPATH'):
        outside = [entry for entry in environment.get(name, '').split(':')
                   if entry and not pathlib.Path(entry).is_relative_to(ROOT)]
        environment.pop(name, None)
        if outside:
            environment[name] = ':'.join(outside)
    return environment


def run(script, directory):
    """Run a bash script as somebody does who opens a shell and says ". tools/env"."""
    return subprocess.run(
        ['bash', '-o', 'pipefail', '-c', f'. tools/env\n{script}'], cwd=directory,
        env=fresh_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=240, stdin=subprocess.DEVNULL)


def try_shell(text, directory):
    result = run(script_of(text), directory)
    return result.returncode == 0, result.stdout


def try_c(text, directive, directory):
    (directory / 'readme.c').write_text(text + '\n')
    compiler = shlex.quote(os.environ.get('CC', 'cc'))
    script = ('flags=$(pkg-config --cflags --libs vouch) || exit\n'
              f'{compiler} -std=c11 -Wall -Wextra -Werror readme.c $flags -o readme-program\n')
    if directive.startswith('run:'):
        script += f'[ $? = 0 ] && ./readme-program {directive[4:]}\n'
    result = run(script, directory)
    return result.returncode == 0, result.stdout


def scratch_directory(name):
    """Show the repository's top in an empty directory, so that nothing is written into it."""
    directory = pathlib.Path(name)
    for entry in ROOT.iterdir():
        if entry.name != '.git':
            (directory / entry.name).symlink_to(entry)
    return directory


def main():
    readme = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'README.md'
    if not readme.exists():
        print(f'SKIPPED: there is no {readme.name} yet')
        sys.exit(SKIPPED)
    if not (INSTALL / 'bin' / 'vouch').exists():
        print('SKIPPED: install/vouch/bin/vouch is not there; "make build" makes it')
        sys.exit(SKIPPED)
    tried = failed = skipped = 0
    with tempfile.TemporaryDirectory() as name:
        directory = scratch_directory(name)
        for language, text, line, directive in read_blocks(readme):
            if language not in ('sh', 'c'):
                continue
            need = directive[6:].strip() if directive.startswith('needs:') else ''
            if need and run(f'command -v {shlex.quote(need)}', directory).returncode != 0:
                print(f'{readme.name}:{line}: SKIPPED: {need} is not installed')
                skipped += 1
                continue
            try:
                good, output = (try_shell(text, directory) if language == 'sh'
                                else try_c(text, directive, directory))
            except subprocess.TimeoutExpired:
                good, output = False, 'stopped after 240 s'
            tried += 1
            failed += not good
            print(f'{readme.name}:{line}: {"ok" if good else "FAILED"} ({language})')
            if not good:
                print(output)
    print(f'{tried} blocks tried, {failed} failed, {skipped} skipped')
    sys.exit(1 if failed or not tried else 0)


if __name__ == '__main__':
    main()
