# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs the peers that come as Python wheels: python3 wheels.py ENVIRONMENT BUILD [SHARED OPTIONS]...

Makes its own environment, builds against the wheels, and prints rows; then the peers that are
driven from Python, on a part of the same cases. What cannot be had is named in a row that says
"not run".
"""
import glob
import os
import shutil
import subprocess
import sys

WHEELS = ['coal==3.0.3', 'hpp-core==9.0.2']
# Wheel, what must be there to import, the program.
PYTHON_PEERS = (
    ('tesseract-robotics==0.5.1', 'tesseract_robotics.tesseract_collision', 'tesseract_cast.py'),
    ('drake==1.51.0', 'pydrake.planning', 'drake_edges.py'))
SECONDS = 600  # for each program


def row(method, note):
    print('shared panda,,%s,,,not run,,,%s' % (method, note), flush=True)


def run(*command):
    return subprocess.run(command, stdout=sys.stderr, stderr=sys.stderr).returncode == 0


def compiled(environment, build, worlds, options):
    """Peers that are linked to a C program, which writes the worlds for the others."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
    pattern = os.path.join(environment, 'lib', 'python3*', 'site-packages', 'cmeel.prefix')
    if not glob.glob(os.path.join(pattern, 'lib', 'libhpp-core.so')) and \
            not install(environment, WHEELS):
        for wheel in WHEELS:
            row(wheel, 'the wheel could not be installed')
        return 0
    prefix = os.path.abspath(glob.glob(pattern)[0])
    if not run('cmake', '-S', root, '-B', build, '-DVOUCH_BENCH_WHEELS=' + prefix) or \
            not run('cmake', '--build', build, '--target', 'bench_wheels'):
        for wheel in WHEELS:
            row(wheel, 'the adapters do not build')
        return 0
    program = os.path.join(build, 'bench', 'wheels')
    return subprocess.run([program, '--worlds', worlds] + options).returncode


def install(environment, wheels):
    python = os.path.join(environment, 'bin', 'python3')
    return (os.path.exists(python) or run(sys.executable, '-m', 'venv', environment)) and \
        run(python, '-m', 'pip', 'install', '--quiet', *wheels)


def from_python(environment, worlds):
    python = os.path.join(environment, 'bin', 'python3')
    for wheel, module, program in PYTHON_PEERS:
        if not glob.glob(os.path.join(worlds, '*.world')):
            row(wheel, 'there are no cases; see the rows of coal and hpp-core')
        elif not (os.path.exists(python) and run(python, '-c', 'import ' + module)) and \
                not install(environment, [wheel]):
            row(wheel, 'the wheel could not be installed')
        else:
            here = os.path.dirname(os.path.abspath(__file__))
            try:
                code = subprocess.run(
                    [python, os.path.join(here, program), worlds], timeout=SECONDS).returncode
                if code != 0:
                    row(wheel, 'exit code %d; the rows before this one stand' % code)
            except subprocess.TimeoutExpired:
                row(wheel, 'stopped after %d s; the rows before this one stand' % SECONDS)


def main():
    environment, build, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    worlds = os.path.join(build, 'work', 'worlds')
    shutil.rmtree(worlds, ignore_errors=True)
    os.makedirs(worlds)
    code = compiled(environment, build, worlds, options)
    from_python(environment, worlds)
    return code


if __name__ == '__main__':
    sys.exit(main())
