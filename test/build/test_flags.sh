#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# The floating-point rules are in force: fast-math is refused by the compiler
# and by CMake, contraction is off in every C file of ours, and no file is
# compiled for more than the base machine.
set -u
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

printf '#include "base/fpguard.h"\nint x;\n' > "$work/guard.c"
compile() { "${CC:-cc}" -std=c11 -I "$source/src" "$@" -c "$work/guard.c" -o "$work/guard.o" 2> "$work/error"; }
compile -O2 || fail "fpguard.h does not compile with ordinary flags: $(cat "$work/error")"
for flag in -ffast-math -Ofast -ffinite-math-only; do
  compile $flag && fail "fpguard.h let $flag pass"
  grep -q '#error' "$work/error" || fail "$flag failed for another reason: $(cat "$work/error")"
  echo "ok: $flag is refused by the guard"
done

for flag in -ffast-math -funsafe-math-optimizations; do
  if cmake -S "$source" -B "$work/cmake" -DVOUCH_ROS=OFF "-DCMAKE_C_FLAGS=$flag" > "$work/log" 2>&1; then
    fail "CMake accepted $flag"
  fi
  tr -s ' \n' ' ' < "$work/log" | grep -q 'every proof would be void' || fail "CMake failed for another reason: $(tail -n 3 "$work/log")"
  echo "ok: $flag is refused by CMake"
done

commands=$build/compile_commands.json
[ -f "$commands" ] || fail "there is no $commands"
python3 - "$commands" "$source" <<'PY' || exit 1
import json
import sys
ours, faults = 0, []
for entry in json.load(open(sys.argv[1])):
    if not entry['file'].startswith(sys.argv[2] + '/src/') or not entry['file'].endswith('.c'):
        continue
    ours += 1
    words = entry['command'].split()
    for need in ('-std=c11', '-ffp-contract=off', '-Wconversion', '-fvisibility=hidden'):
        if need not in words:
            faults.append(f"{entry['file']} is compiled without {need}")
    for word in words:
        if word in ('-ffast-math', '-Ofast') or word.startswith(('-mavx', '-mfma', '-march')):
            faults.append(f"{entry['file']} is compiled with {word}")
print('\n'.join(faults) if faults else f'ok: the flags of {ours} files')
sys.exit(1 if faults or not ours else 0)
PY
