# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
The same input gives the same bytes: gcc and clang, -O0 and -O3, one and two threads.

    test_determinism.py SOURCE_DIR WORK_DIR

Builds the command line and the verifier four times, without ROS, and compares
report, problem, certificate and picture of every story with those of the first
build on one thread. Left out of the comparison: times of the clock, and the number of
configurations evaluated, which the report gives for one worker only.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(sys.argv[1]).resolve()
WORK = pathlib.Path(sys.argv[2]).resolve()
CELL = SOURCE / 'examples' / 'cell'
BUILDS = [(compiler, level) for compiler in ('gcc', 'clang') for level in ('O3', 'O0')]
BUILD_TYPES = {'O0': 'Debug', 'O3': 'Release'}
CLOCK = {'seconds', 'cpu_seconds', 'load_seconds', 'configurations'}
STORIES = {
    'pick': [],
    'pick tolerance': ['--tolerance', '0.002', '--tolerance-m', '0.0005'],
    'pick schwarzer': ['--method', 'schwarzer'],
    'through_plate': [],
    'overshoot': [],
    'tight': ['--margin', '0.0005'],
    'tight margin': ['--margin', '0.002'],
}


def build(compiler, level):
    """Configure and build one tree; return its folder of programs."""
    tree = WORK / f'{compiler}-{level}'
    tree.mkdir(parents=True, exist_ok=True)
    log = tree / 'build.log'
    commands = [
        ['cmake', '-S', SOURCE, '-B', tree, '-G', 'Ninja', '-DVOUCH_ROS=OFF',
         '-DBUILD_TESTING=OFF', f'-DCMAKE_C_COMPILER={compiler}',
         f'-DCMAKE_BUILD_TYPE={BUILD_TYPES[level]}'],
        ['cmake', '--build', tree, '--target', 'vouch_cli', 'vouch_verify_program'],
    ]
    with open(log, 'w') as output:
        for command in commands:
            if subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode:
                sys.exit(f'FAILED: {compiler} -{level} does not build; see {log}')
    return tree / 'bin'


def without_clock(value):
    if isinstance(value, dict):
        return {key: without_clock(item) for key, item in value.items() if key not in CLOCK}
    return [without_clock(item) for item in value] if isinstance(value, list) else value


def run(programs, story, options, threads):
    """Return everything that one run leaves behind, by name."""
    folder = WORK / 'run'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    result = subprocess.run(
        [programs / 'vouch', 'check', '--robot', CELL / 'arm.urdf', '--srdf', CELL / 'arm.srdf',
         '--scene', CELL / 'cell.yaml', '--trajectory', CELL / f'{story.split()[0]}.yaml',
         '--cache', 'off', '--threads', str(threads), '--json', '--problem', folder / 'problem',
         '--certificate', folder / 'certificate', '--picture', folder / 'picture', *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)
    seen = {path.name: path.read_bytes() for path in folder.iterdir()}
    seen['exit code'] = result.returncode
    seen['messages'] = result.stderr
    try:
        seen['report'] = json.dumps(without_clock(json.loads(result.stdout)), indent=1)
    except ValueError:
        seen['report'] = result.stdout
    if 'certificate' in seen and result.returncode == 0:
        verified = subprocess.run(
            [programs / 'vouch-verify', folder / 'problem', folder / 'certificate'],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        seen['verifier'] = (verified.returncode, verified.stdout)
    return seen


def first_difference(name, expected, found):
    if isinstance(expected, str) and isinstance(found, str):
        for old, new in zip(expected.splitlines(), found.splitlines()):
            if old != new:
                return f'{name}: {old.strip()} became {new.strip()}'
    return f'{name} differs'


def main():
    for program in ('gcc', 'clang', 'cmake', 'ninja'):
        if not shutil.which(program):
            print(f'determinism: SKIPPED: {program} is not installed')
            sys.exit(77)
    for variable in ('CC', 'CFLAGS', 'LDFLAGS'):
        os.environ.pop(variable, None)
    reference, passed, failed = {}, 0, 0
    for compiler, level in BUILDS:
        programs = build(compiler, level)
        for threads in (1, 2):
            for story, options in STORIES.items():
                seen = run(programs, story, options, threads)
                expected = reference.setdefault(story, seen)
                if expected is seen and seen['exit code'] > 2:
                    print(f'FAILED: {story}: exit {seen["exit code"]}: {seen["messages"].decode()}')
                    failed += 1
                    continue
                names = sorted(set(expected) | set(seen))
                wrong = [name for name in names if expected.get(name) != seen.get(name)]
                passed += not wrong
                failed += bool(wrong)
                for name in wrong:
                    print(f'FAILED: {story}, {compiler} -{level}, {threads} threads: '
                          + first_difference(name, expected.get(name), seen.get(name)))
        print(f'{compiler} -{level}: {len(STORIES)} stories on 1 and 2 threads compared', flush=True)
    if len({str(seen['report']) for seen in reference.values()}) < 3:
        print('FAILED: the stories hardly differ; this compares nothing')
        failed += 1
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
