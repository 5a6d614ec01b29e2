#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Fail when a lemma lacks its text or its test, or the trusted base outgrows its table.

    tools/check_lemmas.py [--sizes | --write] [SOURCE_DIR]

Tags such as [L2] or [K-DET] in comments of src/kernel and of src/methods need a
text in docs/soundness.md; those of src/verify ([V-ADD]) have theirs where they
stand, once. Every tag that has a text needs a file under test/ whose comments
name it. --sizes prints the table of the trusted base, --write puts it into
docs/soundness.md.
"""

import argparse
import pathlib
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.DOTALL)
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)
BRACKET = re.compile(r'\[((?:L\d+|[A-Z]-[A-Z][A-Z0-9-]*)(?:, (?:L\d+|[A-Z]-[A-Z][A-Z0-9-]*))*)\]')
LEMMA = re.compile(r'^### \[(L\d+)\]', re.MULTILINE)
TRUSTED = re.compile(r'(?<!UN)TRUSTED')
TABLE = re.compile(r'(<!-- sizes:begin -->\n)(.*?)(<!-- sizes:end -->)', re.DOTALL)
ROW = re.compile(r'^\| `([^`]+)` \| (\d+) \|', re.MULTILINE)

TOLD = re.compile(r'`vouch-verify` is a program of ([\d,]+) lines')

PRODUCER = (
    'src/kernel/*.[ch]', 'src/geometry/vec.[ch]', 'src/geometry/validate.c',
    'src/geometry/limits.h', 'src/geometry/edges.h',
    'src/model/problem_validate.c', 'src/model/same.[ch]', 'src/proof/ops.[ch]',
    'src/base/fpguard.[ch]', 'src/check/verdict.[ch]')
# Beside the kernel, but no answer FREE can be wrong through them: what they give is compared, or is
# read by the search alone.
UNTRUSTED = (
    'src/kernel/boxes.[ch]', 'src/kernel/chains.[ch]')
# Trusted for free rigid bodies besides their tests in src/methods.
RIGID = ('src/geometry/components.c',)
# Lines of code in src/verify, comments and blanks not counted: never more than this.
VERIFIER_LIMIT = 1700
NOTES = {
    'src/kernel/contact.c': 'rays, overlaps: 5.4, L8',
    'src/kernel/derived.c': 'epsilons, balls: L4, L6',
    'src/kernel/goal.c': 'poses, C, l, tau of a goal; start containment: L8',
    'src/kernel/leaf.c': 'leaves: L2, L3, L9',
    'src/kernel/lists.c': 'lists of nodes as supports read them: L6',
    'src/kernel/order.c': 'order of the vertices of a hull',
    'src/kernel/parts.c': 'solids, reference points: L8',
    'src/kernel/path.c': 'path, radii, E, weights: L1, L4, 5.1',
    'src/kernel/proof.c': 'goals, steps: section 3',
    'src/kernel/scene.c': 'boxes of groups: L7',
    'src/kernel/support.c': 'supports: 5.2',
    'src/kernel/timeline.c': 'intervals, starts, forward kinematics',
    'src/kernel/timeline_bounds.c': 'bounds of the variables: L5, L10',
    'src/kernel/inside.h': 'what a proof under way is made of',
    'src/kernel/kept.c': 'keeping proofs, copying steps: K-COPY',
    'src/kernel/keys.c': 'what is the same in two scenes: K-COPY',
    'src/verify/bytes.c': 'fields of files',
    'src/verify/contact.c': 'rays, contacts: L8',
    'src/verify/geometry.c': 'supports; nodes contain, solids are closed: L4, L6, L7, L8',
    'src/verify/internal.h': 'what is loaded',
    'src/verify/interval.h': 'intervals: 5.5',
    'src/verify/interval.c': 'sine: 5.5',
    'src/verify/motion.c': 'poses, bounds: L5, L10',
    'src/verify/pairs.c': 'paths, radii, tolerances; nothing is left out in silence: L3, L4',
    'src/verify/program.c': 'what is printed',
    'src/verify/prove.c': 'gaps, leaves, the proof: section 3, L1, L2, L3, L8, L9',
    'src/verify/scene.c': 'frames, bodies, groups',
    'src/verify/verify.c': 'parts, hashes, the verdict',
    'src/geometry/vec.h': 'vectors, products, poses',
    'src/geometry/vec.c': 'rotation matrices',
    'src/geometry/validate.c': 'trees tile, solids are closed, numbers are finite',
    'src/geometry/limits.h': 'bounds of numbers',
    'src/geometry/edges.h': 'edges of solids',
    'src/geometry/components.c': 'components are connected, closed',
    'src/model/problem_validate.c': 'frames, groups, margins, knots',
    'src/base/fpguard.h': 'compile-time rules',
    'src/base/fpguard.c': 'run-time test of the environment',
    'src/model/same.c': 'which frames and bodies are the same: K-COPY',
    'src/proof/ops.c': 'the words of a proof',
    'src/check/verdict.c': 'FREE only then',
}


def comments(path):
    return '\n'.join(COMMENT.findall(path.read_text(encoding='utf-8')))


def tags_in(text):
    return {tag for found in BRACKET.findall(text) for tag in found.split(', ')}


def code_lines(path):
    """Count lines that are more than comments and blanks."""
    def blank(match):
        text = match.group()
        return text if text.startswith('"') else re.sub(r'[^\n]', '', text)
    text = STRING_OR_COMMENT.sub(blank, path.read_text(encoding='utf-8'))
    return sum(1 for line in text.splitlines() if line.strip())


def trusted_methods(root):
    return [p for p in sorted(root.glob('src/methods/*.[ch]')) if TRUSTED.search(comments(p))]


def groups(root):
    """Return [(title, files)] of the trusted base."""
    known = {p for pattern in UNTRUSTED for p in root.glob(pattern)}
    producer = [p for pattern in PRODUCER for p in sorted(root.glob(pattern)) if p not in known]
    rigid = [root / name for name in RIGID] + trusted_methods(root)
    return [
        ('producer', producer),
        ('verifier', sorted(root.glob('src/verify/*.[ch]'))),
        ('free rigid bodies', rigid),
    ]


def size_table(root):
    lines = ['| file | lines | what |', '|---|---|---|']
    for title, files in groups(root):
        total = 0
        for path in files:
            name = path.relative_to(root).as_posix()
            size = code_lines(path)
            total += size
            lines.append(f'| `{name}` | {size} | {NOTES.get(name, "")} |'.replace('|  |', '| |'))
        lines.append(f'| **{title}** | **{total}** | |')
    return '\n'.join(lines) + '\n'


def check_sizes(root, doc):
    found = TABLE.search(doc)
    if not found:
        return ['docs/soundness.md has no table between the sizes markers']
    told = {name: int(size) for name, size in ROW.findall(found.group(2))}
    real = {p.relative_to(root).as_posix(): code_lines(p) for _, files in groups(root)
            for p in files}
    problems = [f'{name} is trusted, but not in the table'
                for name in sorted(set(real) - set(told))]
    problems += [f'{name} is in the table, but not in the trusted base'
                 for name in sorted(set(told) - set(real))]
    for name in sorted(set(real) & set(told)):
        if abs(real[name] - told[name]) > max(0.1 * told[name], 10):
            problems.append(f'{name} has {real[name]} lines; the table says {told[name]}')
    verifier = sum(size for name, size in real.items() if name.startswith('src/verify/'))
    if verifier > VERIFIER_LIMIT:
        problems.append(f'src/verify has {verifier} lines of code; {VERIFIER_LIMIT} are allowed')
    told = TOLD.search((root / 'README.md').read_text(encoding='utf-8'))
    if not told or int(told.group(1).replace(',', '')) != verifier:
        problems.append(f'README.md does not tell the {verifier} lines of vouch-verify')
    if problems:
        problems.append('the table is renewed by tools/check_lemmas.py --write')
    return problems


def tags_of_tests(root):
    """Return the tags that tests name: in comments of C, anywhere in Python."""
    tags = set()
    for path in sorted(root.glob('test/**/*.[ch]')):
        tags |= tags_in(comments(path))
    for path in sorted(root.glob('test/**/*.py')):
        tags |= tags_in(path.read_text(encoding='utf-8'))
    return tags


def check_tags(root, doc):
    problems = []
    documented = tags_in(doc)
    lemmas = set(LEMMA.findall(doc))
    if not lemmas:
        problems.append('docs/soundness.md states no lemma')
    for path in sorted(root.glob('src/kernel/*.[ch]')) + sorted(root.glob('src/methods/*.[ch]')):
        for tag in sorted(tags_in(comments(path))):
            if tag not in documented or (tag[1:].isdigit() and tag not in lemmas):
                name = path.relative_to(root).as_posix()
                problems.append(f'[{tag}] of {name} has no text in docs/soundness.md')
    tested = tags_of_tests(root)
    own = {tag for path in sorted(root.glob('src/verify/*.[ch]')) for tag in tags_in(comments(path))}
    for tag in sorted(documented | own, key=lambda t: (t[0], int(t[1:]) if t[1:].isdigit() else 0, t)):
        if tag not in tested:
            problems.append(f'[{tag}] has no test: no file under test/ names it')
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--sizes', action='store_true', help='print the table and stop')
    parser.add_argument('--write', action='store_true', help='put the table into the document')
    parser.add_argument('source', nargs='?', default=pathlib.Path(__file__).parent.parent)
    arguments = parser.parse_args()
    root = pathlib.Path(arguments.source).resolve()
    page = root / 'docs' / 'soundness.md'
    if arguments.sizes:
        print(size_table(root), end='')
        return 0
    doc = page.read_text(encoding='utf-8')
    if arguments.write:
        doc = TABLE.sub(lambda m: m.group(1) + size_table(root) + m.group(3), doc)
        page.write_text(doc, encoding='utf-8')
    problems = check_tags(root, doc) + check_sizes(root, doc)
    for problem in problems:
        print(f'check_lemmas: {problem}')
    if not problems:
        print(f'check_lemmas: {len(LEMMA.findall(doc))} lemmas and all tags have a text and a test')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
