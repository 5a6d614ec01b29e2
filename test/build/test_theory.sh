#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# The check of theory/ sees gaps, axioms in disguise, and lemmas that nobody can look up; without
# Coq, or with VOUCH_COQ=OFF, the proofs are left out loudly.
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

check() { python3 "$source/tools/check_theory.py" "$@"; }
check "$source" || fail "the theory of this repository"

plant() {
  local expected=$1
  shift
  rm -rf "$work"/*
  mkdir -p "$work/docs" "$work/test"
  cp "$source"/docs/{soundness,theorems}.md "$work/docs/"
  cp -r "$source/theory" "$source/src" "$work/"
  cp -r "$source/test/unit" "$work/test/"
  "$@"
  check "$work" > "$work/log" && fail "nobody saw: $expected"
  grep -qF -- "$expected" "$work/log" || fail "expected '$expected', got: $(cat "$work/log")"
  echo "ok: seen: $expected"
}
append() { printf '%s\n' "$2" >> "$work/$1"; }
gap() { append theory/Path.v "Lemma false_one : 1 = 2. $1"; }
replace() { sed -i "s/$2/$3/" "$work/$1"; }

plant '"Admitted" leaves a gap' gap 'Proof. Admitted.'
plant '"admit" leaves a gap' gap 'Proof. admit. Qed.'
plant '"Axiom" leaves a gap' append theory/Path.v 'Axiom all : False.'
plant '"Parameter" leaves a gap' append theory/Path.v 'Parameter all : False.'
plant '"Hypothesis" outside a section is an axiom' append theory/Path.v 'Hypothesis all : False.'
plant '"Context" outside a section is an axiom' append theory/Path.v \
  'Section S. Variable n : nat. End S. Context (all : False).'
plant 'the header with licence is missing' sed -i 1d "$work/theory/Path.v"
plant '100 are allowed' append theory/Path.v "(* $(printf 'long %.0s' {1..30})*)"
plant 'has no row for L11' sed -i '/^| L11/d' "$work/docs/theorems.md"
plant 'L4 has no theorem' replace docs/theorems.md '`Path.L4`' '–'
plant 'there is no Path.L4 in theory/' replace theory/Path.v 'Theorem L4 ' 'Theorem L5 '
plant 'L12: test/unit/test_new_lemmas.c is not there or does not name [L12]' \
  replace test/unit/test_new_lemmas.c '\[L12\]' 'L12'
plant 'L4: there is no kernel_path_nothing() in src/kernel/*.c' \
  replace docs/theorems.md 'kernel_path_init' 'kernel_path_nothing'
plant 'L13 is used in src/ but has no function' append src/kernel/path.h '/* [L13] */'
# A comment is no gap, nor is a word of which one is a part.
rm -rf "$work"/*
mkdir -p "$work/docs" "$work/test"
cp "$source"/docs/{soundness,theorems}.md "$work/docs/"
cp -r "$source/theory" "$source/src" "$work/"
cp -r "$source/test/unit" "$work/test/"
append theory/Path.v '(* Admitted (* Axiom *) Parameter *) Definition admitted_1 := 1.'
check "$work" > "$work/log" || fail "a comment was taken for a gap: $(cat "$work/log")"

said() {
  local expected=$1 code
  shift
  "$@" > "$work/log" 2>&1
  code=$?
  [ "$code" = 77 ] || fail "$*: exit $code: $(cat "$work/log")"
  grep -qF -- "$expected" "$work/log" || fail "expected '$expected', got: $(cat "$work/log")"
  echo "ok: $expected"
}
said 'LEFT OUT (VOUCH_COQ=OFF)' env VOUCH_COQ=OFF "$source/tools/theory"
mkdir "$work/bin"
for tool in bash dirname; do ln -s "$(command -v "$tool")" "$work/bin/"; done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/bin/python3"
said 'SKIPPED: there is no coqc here' env PATH="$work/bin" "$source/tools/theory"
"$source/tools/theory" nonsense > "$work/log" 2>&1 && fail 'a wrong mode'
grep -q "there is no mode 'nonsense'" "$work/log" || fail "a wrong mode: $(cat "$work/log")"
