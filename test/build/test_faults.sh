#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Plants one fault at a time in the kernel and expects the fast part of the suite to notice: the
# adversarial motions, the comparison with Arb, the paths of two branches and the named failures.
#   test_faults.sh SOURCE_DIR BUILD_DIR
set -u
source=${1:?source directory} build=${2:?build directory}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
[ -f "$build/libvouch_search.a" ] || { echo "SKIPPED: no static layers in $build"; exit 77; }

flags=(-std=c11 -O2 -ffp-contract=off -D_XOPEN_SOURCE=700 -DVOUCH_SOURCE_DIR="\"$source\""
  -DVOUCH_BINARY_DIR="\"$build\"" -DVOUCH_TEST_DATA="\"\"" -I"$source/src" -I"$source/include"
  -I"$source/test")
libraries=(-lcmocka -lexpat -lyaml -ljansson -lz -lm -lpthread)
for library in qhull_r assimp; do
  echo 'int main(void){return 0;}' | "$cc" -x c - -o "$work/probe" -l$library 2> /dev/null &&
    libraries+=(-l$library)
done
tests=(test_kernel_paths test_kernel_keys test_named_failures test_permitted_touch test_growth test_adversarial)
for arb in '-lflint-arb -lflint' '-larb -lflint' '-lflint'; do
  # shellcheck disable=SC2086
  if printf '#include <arb.h>\nint main(void){arb_t x; arb_init(x); return 0;}\n' |
    "$cc" -x c - -o "$work/probe" $arb 2> /dev/null
  then
    flags+=(-DVOUCH_HAVE_ARB)
    libraries+=($arb)
    tests+=(test_arb_kernel)
    break
  fi
done

# What does not change: tests and their support, and every layer but the kernel.
objects=()
for file in cell adversary adversary_parts arb_file arb_scene arb_bounds arb_checker arb_witness arb_campaign; do
  "$cc" "${flags[@]}" -c "$source/test/support/$file.c" -o "$work/$file.o" || exit 1
  objects+=("$work/$file.o")
done
for test in "${tests[@]}"; do
  "$cc" "${flags[@]}" -c "$source/test/unit/$test.c" -o "$work/$test.o" || exit 1
done
layers=()
for layer in check methods search proof model read geometry verify base; do
  layers+=("$build/libvouch_$layer.a")
done

# run FAULT TEST: true when the test passes.
run() {
  "$cc" "$work/$2.o" "${objects[@]}" "$work/$1"/*.o -Wl,--start-group "${layers[@]}" \
    -Wl,--end-group "${libraries[@]}" -o "$work/$1/$2" > "$work/link.log" 2>&1 ||
    { cat "$work/link.log" >&2; exit 1; }
  local count=4000
  [ "$2" = test_arb_kernel ] && count=60
  VOUCH_TEST_COUNT=$count timeout 60 "$work/$1/$2" > "$work/run.log" 2>&1
}

failed=0
printf '%-16s %s\n' fault 'noticed by'
for fault in NONE SMALL_K DROP_JOINT DROP_VERTEX NO_ROUNDING WRONG_SIGN WRONG_SLIDE DROP_KINK NO_TOLERANCE \
  KEY_MOTION KEY_FRAMES KEY_A KEY_B KEY_GROUP KEY_SPAN KEY_SKIPS KEY_MARGIN KEY_ROUNDING \
  SHORT_DIRECTION LONG_MARGIN TOUCH_INSIDE KEY_TOUCH SAME_GROWTH NO_GROWTH EARLY_GROWTH KEY_GROWTH KEY_CARRIER
do
  mkdir "$work/$fault"
  for file in "$source"/src/kernel/*.c "$source/src/model/same.c"; do
    "$cc" "${flags[@]}" -DVOUCH_FAULT_$fault -c "$file" \
      -o "$work/$fault/$(basename "$file" .c).o" || exit 1
  done
  noticed=
  for test in "${tests[@]}"; do
    run "$fault" "$test" || noticed+=" $test"
  done
  printf '%-16s%s\n' "$fault" "${noticed:- nothing}"
  if [ "$fault" = NONE ]; then
    [ -z "$noticed" ] || failed=1
  elif [ -z "$noticed" ]; then
    failed=1
  fi
done
if [ "$failed" = 0 ]; then
  echo 'every fault is noticed, and the kernel as it is passes'
else
  echo 'FAILED: a fault goes unnoticed, or the kernel as it is fails' >&2
fi
exit "$failed"
