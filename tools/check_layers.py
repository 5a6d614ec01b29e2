#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Fail when a file includes, or a library calls, against the order of the layers.

    tools/check_layers.py SOURCE_DIR [BUILD_DIR]

The order is what the vouch_layer() lines of CMakeLists.txt say. Includes are
read from src/; calls are read with nm from the static libraries in BUILD_DIR.
"""

import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
ROS_HEADER = re.compile(
    r'^(rcl|rclc\w*|rcl_\w+|rcutils|rmw\w*|rosidl\w*|\w+_msgs|\w+_interfaces|vouch/(action|msg|srv))/')
REFERENCE_HEADER = re.compile(r'^(arb|arf|acb|mag|fmpz|fmpq|mpfr|gmp|flint/.*|cmocka)\w*\.h$')
C_STANDARD = {
    name + '.h' for name in (
        'assert ctype errno fenv float inttypes limits math setjmp stdbool stddef stdint stdio '
        'stdlib string').split()}
POSIX_FILES = {'fcntl.h', 'sys/stat.h', 'unistd.h'}
# What verify/ may take from the C library's mathematics.
LIBM = set(
    'acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 '
    'floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma log log10 log1p log2 logb lrint '
    'lround modf nearbyint nextafter pow remainder rint round scalbn sin sincos sinh tan tanh '
    'tgamma trunc fesetround fegetround'.split())


def fail(message):
    sys.exit(f'check_layers: {message}')


def read_layers(source):
    """Return {layer: set of layers it may use} and the set of layers that stand alone."""
    text = (source / 'CMakeLists.txt').read_text(encoding='utf-8')
    layers, alone = {}, set()
    for call in re.findall(r'^vouch_layer\(([^)]*)\)', text, re.MULTILINE):
        words = call.split()
        name, rest = words[0], words[1:]
        dependencies, current = set(), None
        for word in rest:
            if word in ('DEPS', 'LIBS', 'OPTIMIZE', 'ALONE', 'PROGRAM'):
                current = word
                if word == 'ALONE':
                    alone.add(name)
            elif current == 'DEPS':
                dependencies.add(word)
        for dependency in dependencies:
            if dependency not in layers:
                fail(f'layer {name} is declared below {dependency}, on which it depends')
        layers[name] = dependencies
    if not layers:
        fail(f'{source}/CMakeLists.txt declares no layer')
    return layers, alone


def strip_comments(text):
    text = re.sub(r'/\*.*?\*/', lambda match: '\n' * match.group().count('\n'), text, flags=re.S)
    return re.sub(r'//[^\n]*', '', text)


# What only the kernel, the table of ops and the verifier may do.
PRIVATE = {
    re.compile(r"'[TABLDSIab]'"): 'has a letter of proofs: src/proof/ops.h has names for them',
    re.compile(r'\(kernel_(?:view|steps)_t \*\)'): 'takes the const off a view of the kernel',
}


def check_private(source):
    faults = []
    for path in sorted((source / 'src').rglob('*.[ch]')):
        if path.relative_to(source).parts[1] not in ('search', 'check', 'plan', 'stream', 'report'):
            continue
        text = strip_comments(path.read_text(encoding='utf-8', errors='replace'))
        for pattern, fault in PRIVATE.items():
            for match in pattern.finditer(text):
                line = text.count('\n', 0, match.start()) + 1
                faults.append(f'{path.relative_to(source)}:{line}: {fault}')
    return faults


def include_fault(source, layer, allowed, alone, path, quote, header):
    """Say what is wrong with one include of one file, or None."""
    if quote == '"':
        if header.startswith('vouch/') and not ROS_HEADER.match(header):
            return 'an ALONE layer sees no public header' if layer in alone else None
        first = header.split('/')[0]
        if '/' in header and (source / 'src' / first).is_dir():
            if header == 'kernel/inside.h' and layer != 'kernel':
                return 'is the inside of the kernel'
            if first == layer or first in allowed:
                return None
            return f'layer {layer} may not use layer {first}'
        if (path.parent / header).exists():
            return None if '..' not in header else 'climbs out of its folder'
    if ROS_HEADER.match(header):
        return None if layer == 'node' else 'only node/ may know ROS'
    if REFERENCE_HEADER.match(header):
        return 'a library of the tests, never of the product'
    if layer in alone and header in POSIX_FILES and path.name == 'program.c':
        return None   # what opens files may ask what they are
    if layer in alone and header not in C_STANDARD:
        return 'an ALONE layer sees the C standard headers only'
    return None


def check_includes(source, layers, alone):
    faults, files = [], 0
    root = source / 'src'
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name not in layers:
            faults.append(f'src/{folder.name}/ is not a layer of CMakeLists.txt')
            continue
        for path in sorted(folder.rglob('*.[ch]')):
            files += 1
            text = strip_comments(path.read_text(encoding='utf-8', errors='replace'))
            for match in INCLUDE.finditer(text):
                quote, header = match.groups()
                fault = include_fault(
                    source, folder.name, layers[folder.name], alone, path, quote, header)
                if fault:
                    line = text.count('\n', 0, match.start(2)) + 1
                    faults.append(
                        f'{path.relative_to(source)}:{line}: includes "{header}": {fault}')
    return faults, files


def symbols(library):
    """Return the sets of symbols that a static library defines and that it needs."""
    output = subprocess.run(
        ['nm', '-P', '-g', str(library)], check=True, capture_output=True, text=True).stdout
    defined, needed = set(), set()
    for line in output.splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1:
            (needed if words[1] in 'Uw' else defined).add(words[0])
    return defined, needed - defined


def check_symbols(build, layers, alone):
    faults, tables = [], {}
    for layer in layers:
        for library in build.rglob(f'libvouch_{layer}.a'):
            tables[layer] = symbols(library)
            break
    for layer, (_defined, needed) in tables.items():
        for other, (defined, _needed) in tables.items():
            if other == layer or other in layers[layer]:
                continue
            for symbol in sorted(needed & defined):
                faults.append(f'layer {layer} calls {symbol}() of layer {other}')
        if layer in alone:
            for symbol in sorted(needed & LIBM):
                faults.append(f'layer {layer} calls {symbol}() of the mathematics library')
    return faults, len(tables)


def main():
    if len(sys.argv) not in (2, 3):
        fail('usage: check_layers.py SOURCE_DIR [BUILD_DIR]')
    source = pathlib.Path(sys.argv[1]).resolve()
    layers, alone = read_layers(source)
    faults, files = check_includes(source, layers, alone)
    faults += check_private(source)
    libraries = 0
    if len(sys.argv) == 3:
        try:
            more, libraries = check_symbols(pathlib.Path(sys.argv[2]), layers, alone)
        except (OSError, subprocess.CalledProcessError) as error:
            fail(f'nm failed: {error}')
        faults += more
    for fault in faults:
        print(fault)
    print(f'{files} files and {libraries} libraries checked, {len(faults)} against the order')
    sys.exit(1 if faults else 0)


if __name__ == '__main__':
    main()
