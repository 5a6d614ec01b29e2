# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The layers keep their order, and the check that says so sees planted violations."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2])
CHECK = SOURCE / 'tools' / 'check_layers.py'


def run_check(source, build=None):
    command = [sys.executable, str(CHECK), str(source)] + ([str(build)] if build else [])
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def make_tree(directory):
    """Copy the declaration of the layers, with one harmless file in each."""
    shutil.copy(SOURCE / 'CMakeLists.txt', directory)
    for layer in ('base', 'geometry', 'kernel', 'read', 'search', 'check', 'plan', 'verify', 'node', 'cli'):
        folder = directory / 'src' / layer
        folder.mkdir(parents=True)
        (folder / f'{layer}.h').write_text('#include <stddef.h>\n')
    return directory


def expect(condition, message, output):
    if not condition:
        sys.exit(f'FAILED: {message}\n{output}')
    print(f'ok: {message}')


def planted_include(layer, text, why):
    with tempfile.TemporaryDirectory() as name:
        tree = make_tree(pathlib.Path(name))
        code, output = run_check(tree)
        expect(code == 0, f'a clean tree passes before planting in {layer}', output)
        (tree / 'src' / layer / 'planted.c').write_text(text)
        code, output = run_check(tree)
        expect(code == 1 and why in output, f'seen in {layer}: {text.strip()}', output)


def planted_call():
    """Make base call kernel, without any include."""
    with tempfile.TemporaryDirectory() as name:
        tree = make_tree(pathlib.Path(name))
        sources = {
            'base': 'int vouch_up(void); int vouch_low(void) { return vouch_up(); }',
            'kernel': 'int vouch_up(void) { return 1; }',
            'verify': 'double sin(double); double vv(double x) { return sin(x); }',
        }
        for layer, text in sources.items():
            source = tree / f'{layer}.c'
            source.write_text(text)
            subprocess.run([os.environ.get('CC', 'cc'), '-fno-builtin', '-c', source, '-o',
                            tree / f'{layer}.o'], check=True)
            subprocess.run(['ar', 'rc', tree / f'libvouch_{layer}.a', tree / f'{layer}.o'],
                           check=True)
        code, output = run_check(tree, tree)
        expect(code == 1 and 'layer base calls vouch_up() of layer kernel' in output,
               'a call from base up to kernel is seen', output)
        expect('layer verify calls sin()' in output, 'a call from verify to sin is seen', output)


code, output = run_check(SOURCE, BUILD)
print(output, end='')
expect(code == 0, 'the layers of this repository keep their order', '')
planted_include('base', '#include "kernel/kernel.h"\n', 'may not use layer kernel')
planted_include('kernel', '#include "read/read.h"\n', 'may not use layer read')
planted_include('search', '/* x */ \n # include "check/check.h"\n#include "read/read.h"\n',
                'may not use layer read')
planted_include('check', '#include "plan/plan.h"\n', 'may not use layer plan')
planted_include('plan', '#include "cli/cli.h"\n', 'may not use layer cli')
planted_include('verify', '#include "base/base.h"\n', 'may not use layer base')
planted_include('verify', '#include <pthread.h>\n', 'C standard headers only')
planted_include('verify', '#include "vouch/types.h"\n', 'no public header')
planted_include('cli', '#include "node/node.h"\n', 'may not use layer node')
planted_include('read', '#include <rcl/rcl.h>\n', 'only node/ may know ROS')
planted_include('kernel', '#include <arb.h>\n', 'library of the tests')
planted_call()
