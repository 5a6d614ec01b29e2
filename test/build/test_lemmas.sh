#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Every lemma has its text and a test, and the trusted base is as large as the
# document says; the check that says so sees planted faults.
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

check() { python3 "$source/tools/check_lemmas.py" "$@"; }
check "$source" || fail "the lemmas of this repository"

mkdir -p "$work/docs" "$work/test/unit"
cp -r "$source/src" "$work/"
cp "$source"/test/unit/*.c "$work/test/unit/"
plant() {
  local expected=$1
  shift
  cp "$source/docs/soundness.md" "$work/docs/"
  cp "$source/README.md" "$work/"
  "$@"
  check "$work" > "$work/log" && fail "nobody saw: $expected"
  grep -qF -- "$expected" "$work/log" || fail "expected '$expected', got: $(cat "$work/log")"
  echo "ok: seen: $expected"
}
plant '[K-DET] of src/kernel/contact.c has no text' sed -i 's/\[K-DET\]/K-DET/g' "$work/docs/soundness.md"
plant '[L4] of src/kernel/path.c has no text' sed -i 's/^### \[L4\]/### L4/' "$work/docs/soundness.md"
plant 'src/kernel/path.c has' \
  sed -i -E 's/^(\| `src\/kernel\/path\.c` \|) [0-9]+/\1 20/' "$work/docs/soundness.md"
plant 'is trusted, but not in the table' sed -i '/`src\/kernel\/goal\.c`/d' "$work/docs/soundness.md"
plant 'README.md does not tell the' sed -i -E 's/(a program of) [0-9,]+ lines/\1 1,234 lines/' "$work/README.md"
plant '[L9] has no test' sed -i 's/\[L9\]/L9/g' "$work"/test/unit/*.c
plant '[F-MARGIN] has no test' sed -i 's/\[F-MARGIN\]/F-MARGIN/g' "$work"/test/unit/*.c
plant '[V-LEAF] has no test' sed -i 's/\[V-LEAF\]/V-LEAF/g' "$work"/test/unit/*.c
