# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs the peers that come as Python wheels: python3 wheels.py ENVIRONMENT BUILD [SHARED OPTIONS]...

Makes its own environment, builds against the wheels, and prints rows. What cannot be had is named in
a row that says "not run".
"""
import glob
import os
import subprocess
import sys

WHEELS = ['coal==3.0.3', 'hpp-core==9.0.2']
NOT_DRIVEN = (
    ('Tesseract 0.5.1 Bullet cast', 'no adapter yet; Bullet cast in make bench builds the same hulls'),
    ('Drake 1.51 edge checks', 'no adapter yet'))


def row(method, note):
    print('shared panda,,%s,,,not run,,,%s' % (method, note), flush=True)


def run(*command):
    return subprocess.run(command, stdout=sys.stderr, stderr=sys.stderr).returncode == 0


def main():
    environment, build, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
    for method, note in NOT_DRIVEN:
        row(method, note)
    pattern = os.path.join(environment, 'lib', 'python3*', 'site-packages', 'cmeel.prefix')
    if not glob.glob(os.path.join(pattern, 'lib', 'libhpp-core.so')):
        python = os.path.join(environment, 'bin', 'python3')
        if not run(sys.executable, '-m', 'venv', environment) or \
                not run(python, '-m', 'pip', 'install', '--quiet', *WHEELS):
            for wheel in WHEELS:
                row(wheel, 'the wheel could not be installed')
            return 0
    prefix = os.path.abspath(glob.glob(pattern)[0])
    if not run('cmake', '-S', root, '-B', build, '-DVOUCH_BENCH_WHEELS=' + prefix) or \
            not run('cmake', '--build', build, '--target', 'bench_wheels'):
        for wheel in WHEELS:
            row(wheel, 'the adapters do not build')
        return 0
    return subprocess.run([os.path.join(build, 'bench', 'wheels')] + options).returncode


if __name__ == '__main__':
    sys.exit(main())
