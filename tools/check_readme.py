#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Do what README.md says: run its commands, build its C program.

    tools/check_readme.py [README.md]

Every ```sh block is run by bash from a scratch directory that looks like the
top of the repository, with install/vouch/bin in the path, and every command
must exit with 0, or with N where the line ends in "# exit N". A block that
follows a line <!-- needs: PROGRAM --> is skipped, loudly, where PROGRAM is not
installed. `make demo` is run as tools/demo; `make test` and its like only
have to be targets, because it is `make test` that runs this. Every ```c block is built against
install/vouch, and run where the line before it is <!-- run: ARGUMENTS -->.
Blocks of other kinds (```text, ```yaml, ```console) are not touched.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTALL = ROOT / 'install' / 'vouch'
SKIPPED = 77
EXIT = re.compile(r'#\s*exit\s+(\d+)\s*$')
TARGET_ONLY = re.compile(r'^make\s+(setup|build|check|test|test-long|bench\S*|lint|clean)\b')


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
    script = ['cd "$VOUCH_README_DIRECTORY"']
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


def run(command, directory, **arguments):
    environment = dict(os.environ)
    environment['VOUCH_README_DIRECTORY'] = str(directory)
    environment['PATH'] = f'{INSTALL / "bin"}:{environment["PATH"]}'
    return subprocess.run(
        command, cwd=directory, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=240, stdin=subprocess.DEVNULL, **arguments)


def try_shell(text, directory):
    result = run(['bash', '-o', 'pipefail', '-c', script_of(text)], directory)
    return result.returncode == 0, result.stdout


def try_c(text, directive, directory):
    source, program = directory / 'readme.c', directory / 'readme-program'
    source.write_text(text + '\n')
    pkg_config = os.environ.get('PKG_CONFIG_PATH', '')
    os.environ['PKG_CONFIG_PATH'] = f'{INSTALL / "lib" / "pkgconfig"}:{pkg_config}'
    flags = run(['pkg-config', '--cflags', '--libs', 'vouch'], directory)
    if flags.returncode != 0:
        return False, flags.stdout
    compiler = os.environ.get('CC', 'cc')
    result = run([compiler, '-std=c11', '-Wall', '-Wextra', '-Werror', str(source),
                  *flags.stdout.split(), f'-Wl,-rpath,{INSTALL / "lib"}', '-o', str(program)],
                 directory)
    if result.returncode == 0 and directive.startswith('run:'):
        result = run([str(program), *shlex.split(directive[4:])], directory)
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
            if need and not shutil.which(need):
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
