#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Fail when a file of theory/ has a gap, an axiom of its own, or a lemma that nobody can look up.

    tools/check_theory.py [SOURCE_DIR]

Words that leave something unproved are refused outside comments; Variable, Hypothesis and Context
are refused outside sections, where they are axioms. docs/theorems.md has a row for each lemma of
docs/soundness.md: theorem, test and function have to exist, and the test has to name the tag. A row
without a function is right only as long as no trusted source names the tag.
"""

import pathlib
import re
import sys

GAPS = re.compile(
    r'\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Declare\s+Module|Primitive|'
    r'Unset\s+(?:Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking)|bypass_check|'
    r'Type\s*-\s*in\s*-\s*Type)\b')
EVENT = re.compile(
    r'(?:^|(?<=\.)\s)\s*(?:(?P<section>Section)\s+\w+\s*\.|(?P<module>Module)\b[^.]*\.|'
    r'(?P<end>End)\s+\w+\s*\.|(?P<local>Variables?|Hypothes[ie]s|Context)\b)', re.MULTILINE)
HEADER = '(* Copyright 2026 The vouch authors\n   SPDX-License-Identifier: Apache-2.0\n'
STATEMENT = re.compile(r'^\s*(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Record|Inductive)\s+(\w+)',
                       re.MULTILINE)
LEMMA = re.compile(r'^### \[(L\d+)\]', re.MULTILINE)
ROW = re.compile(r'^\| (L\d+)\b[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$', re.MULTILINE)
NAME = re.compile(r'`([^`]+)`')
LONGEST = 100


def without_comments(text):
    """Blank out comments (they nest) and strings; keep the lines."""
    out, depth, i = [], 0, 0
    while i < len(text):
        if text.startswith('(*', i):
            depth += 1
            i += 2
        elif text.startswith('*)', i) and depth:
            depth -= 1
            i += 2
        else:
            out.append(text[i] if depth == 0 or text[i] == '\n' else ' ')
            i += 1
    return re.sub(r'"[^"\n]*"', '""', ''.join(out))


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def check_source(path, name):
    text = path.read_text(encoding='utf-8')
    problems = []
    if not text.startswith(HEADER):
        problems.append(f'{name}: the header with licence is missing')
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST:
            problems.append(f'{name}:{number}: {len(line)} columns; {LONGEST} are allowed')
        if line != line.rstrip():
            problems.append(f'{name}:{number}: blanks at the end')
    code = without_comments(text)
    for found in GAPS.finditer(code):
        problems.append(f'{name}:{line_of(code, found.start())}: "{found.group(1)}" leaves a gap')
    stack = []
    for found in EVENT.finditer(code):
        if found.group('section') or found.group('module'):
            stack.append('section' if found.group('section') else 'module')
        elif found.group('end'):
            if stack:
                stack.pop()
        elif 'section' not in stack:
            problems.append(f'{name}:{line_of(code, found.start())}: "{found.group("local")}" '
                            'outside a section is an axiom')
    return problems


def names_tag(text, tag):
    return re.search(r'\[' + tag + r'[\],]', text) is not None


def check_table(root):
    page = root / 'docs' / 'theorems.md'
    if not page.exists():
        return ['docs/theorems.md is missing']
    problems = []
    rows = {row.group(1): row.groups()[1:] for row in ROW.finditer(page.read_text(encoding='utf-8'))}
    lemmas = LEMMA.findall((root / 'docs' / 'soundness.md').read_text(encoding='utf-8'))
    known = {}
    for path in sorted((root / 'theory').glob('*.v')):
        code = without_comments(path.read_text(encoding='utf-8'))
        known[path.stem] = set(STATEMENT.findall(code))
    trusted = ''.join(p.read_text(encoding='utf-8') for folder in ('kernel', 'verify')
                      for p in sorted((root / 'src' / folder).glob('*.[ch]')))
    for tag in lemmas:
        if tag not in rows:
            problems.append(f'docs/theorems.md has no row for {tag}')
            continue
        theorems, tests, functions = (NAME.findall(cell) for cell in rows[tag])
        if not theorems:
            problems.append(f'docs/theorems.md: {tag} has no theorem')
        for theorem in theorems:
            module, _, statement = theorem.partition('.')
            if statement not in known.get(module, ()):
                problems.append(f'docs/theorems.md: {tag}: there is no {theorem} in theory/')
        if not tests:
            problems.append(f'docs/theorems.md: {tag} has no test')
        for test in tests:
            path = root / 'test' / test
            if not path.exists() or not names_tag(path.read_text(encoding='utf-8'), tag):
                problems.append(f'docs/theorems.md: {tag}: test/{test} is not there or does not '
                                f'name [{tag}]')
        if not functions and names_tag(trusted, tag):
            problems.append(f'docs/theorems.md: {tag} is used in src/ but has no function')
        for function in functions:
            folder, _, name = function.partition(':')
            sources = sorted((root / 'src').glob(folder))
            if not any(re.search(r'\b' + name + r'\(', p.read_text(encoding='utf-8'))
                       for p in sources):
                problems.append(f'docs/theorems.md: {tag}: there is no {name}() in src/{folder}')
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                        pathlib.Path(__file__).parent.parent).resolve()
    sources = sorted((root / 'theory').glob('*.v'))
    problems = [] if sources else ['theory/ has no file']
    for path in sources:
        problems += check_source(path, path.relative_to(root).as_posix())
    problems += check_table(root)
    for problem in problems:
        print(f'check_theory: {problem}')
    if not problems:
        print(f'check_theory: {len(sources)} files without gaps')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
