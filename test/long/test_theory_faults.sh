#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Faults planted in the definitions of theory/: the theorems about them must not compile any more.
# A definition that can be wrong without any theorem noticing would prove nothing.
set -u
source=$1
command -v coqc > /dev/null || { echo 'theory faults: SKIPPED: there is no coqc here'; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
"$source/tools/theory" > /dev/null || fail 'the theory of this repository'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/build/theory/*.vo "$work/"
cd "$work" || exit 1

count=0
# fault FILE WHAT SED-EXPRESSION
fault() {
  local file=$1 what=$2
  sed -E "$3" "$source/theory/$file.v" > "$file.v"
  cmp -s "$source/theory/$file.v" "$file.v" && fail "$what: nothing was planted in $file.v"
  cp "$file.vo" kept.vo
  if coqc -q -w none -R . Vouch "$file.v" > log 2>&1; then
    fail "$what: $file.v still compiles"
  fi
  cp kept.vo "$file.vo"
  rm -f "$file.v"
  count=$((count + 1))
  echo "ok: refused: $what"
}

# The program on the machine's numbers.
fault FloatLeaf 'a gap rounded upwards' 's/^Definition fgap N s far owed := sub_down/Definition fgap N s far owed := sub_up/'
fault FloatLeaf 'turning left out of C' 's/\(if turning j then swing else/(if turning j then 0%float else/'
fault FloatLeaf 'the gap at the end not looked at' 's/less 0%float ga && less 0%float gb/less 0%float ga \&\& less 0%float ga/'
fault FloatLeaf 'growth not charged where the way is counted' 's/add_up \(mul_up N \(fway s\)\) growth/mul_up N (fway s)/'
fault Float 'a comparison that takes no number for less' \
  's/^Definition less x y := .*/Definition less x y := (x <? y)%float || negb (PrimFloat.is_finite y)./'
fault Float 'a product of which one corner is forgotten' 's/smaller \(low r\) \(low s\)/smaller (low r) (low r)/'
# The walk over goals and spans.
fault Proof 'goals that are dropped when one is opened' 's/pass fuel s \(gs \+\+ opened side g\)/pass fuel s gs/'
fault Proof 'the later half of a span not proved' 's/\| Some rest => prove depth \(snd \(split s\)\) w rest/| Some rest => Some rest/'
fault Proof 'a leaf on a span with a start inside' 's/if negb \(jumps s\) && leaf_check s g l/if leaf_check s g l/'
fault Span 'a half of a segment that is lost' 's/Part j \(\(x \+ y\) \/ 2\) y\)/Part j ((x + y) \/ 2) ((x + y) \/ 2))/'
fault Hull 'a child of a group that is not opened' 's/nothing t\)\) \(a :: b :: nil\)$/nothing t)) (a :: nil)/'
# Charges.
fault Margin 'a negative margin charged with N' 's/then N \* margin else low \* margin/then N * margin else N * margin/'
fault Stop 'half the distance of a stop' 's/Brakes a top => top \* top \/ \(2 \* a\)/Brakes a top => top * top \/ (4 * a)/'
fault Growth 'growth charged as at the beginning' 's/\(base \+ N \* \(w \* sec 1\)\)$/(base + N * (w * sec 0))/'
fault Path 'the range of a slide without its offset' 's/r \+ \(Rabs k \* most i \+ Rabs o\) <= r/r + Rabs k * most i <= r/'
fault Velocity 'the turning of what lies nearer A counted once' \
  's/\/ 2 \* rho \* \(Rabs k \* speed i\) \+ travel P speed\) \+ swing/\/ 2 * rho * (Rabs k * speed i) + \/ 2 * travel P speed) + swing/'
echo "theory faults: $count planted, none passed"
