#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# A shared object that was linked with -ffast-math makes the processor flush denormals as soon as it
# is loaded. Nothing may be proved or verified then.
#   test_fast_math.sh SOURCE_DIR BUILD_DIR
set -u
source=${1:?source directory} build=${2:?build directory}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
[ "$(uname -m)" = x86_64 ] || { echo 'SKIPPED: written for x86-64'; exit 77; }
verify=$(find "$build" -maxdepth 2 -type f -name vouch-verify -perm -u+x | head -n 1)
vouch=$(find "$build" -maxdepth 2 -type f -name vouch -perm -u+x | head -n 1)
[ -n "$verify" ] || { echo "SKIPPED: no vouch-verify in $build"; exit 77; }

# Some compilers do not do it any more for shared objects: then the object does it by itself.
cat > "$work/fast.c" << 'END'
#include <xmmintrin.h>
#ifdef BY_HAND
__attribute__((constructor)) static void flush(void) {_mm_setcsr(_mm_getcsr() | 0x8040u);}
#endif
double fast(double x);
double fast(double x) {return x * 0.5;}
END
cat > "$work/probe.c" << 'END'
#include <xmmintrin.h>
int main(void) {return (_mm_getcsr() & 0x8040u) != 0;}
END
"$cc" -shared -fPIC -O2 -ffast-math "$work/fast.c" -o "$work/fast.so" || exit 1
"$cc" "$work/probe.c" -o "$work/probe" || exit 1
if LD_PRELOAD=$work/fast.so "$work/probe"; then
  "$cc" -shared -fPIC -O2 -DBY_HAND "$work/fast.c" -o "$work/fast.so" || exit 1
fi
if LD_PRELOAD=$work/fast.so "$work/probe"; then
  echo 'FAILED: the test object does not flush denormals' >&2
  exit 1
fi

failed=0
problem=$source/test/golden/box.problem
"$verify" "$problem" "${problem%problem}certificate" | grep -q VERIFIED ||
  { echo 'FAILED: the golden box is not verified without the object' >&2; failed=1; }
output=$(LD_PRELOAD=$work/fast.so "$verify" "$problem" "${problem%problem}certificate" 2>&1)
code=$?
echo "vouch-verify under fast-math: exit $code: $output"
case $code:$output in
  0:* | *VERIFIED*) echo 'FAILED: verified although denormals are flushed' >&2; failed=1 ;;
esac

if [ -n "$vouch" ]; then
  cat > "$work/robot.urdf" << 'END'
<robot name="r"><link name="base"/><link name="car"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="car"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>
END
  cat > "$work/scene.json" << 'END'
{"objects": [{"id": "wall", "shapes": [{"type": "box", "size": [1, 1, 1]}], "pose": {"position": [0, 3, 0]}}]}
END
  printf 'x\n-1\n1\n' > "$work/path.csv"
  check=("$vouch" check --robot "$work/robot.urdf" --scene "$work/scene.json" --trajectory "$work/path.csv")
  "${check[@]}" > "$work/plain.log" 2>&1
  code=$?
  if [ "$code" != 0 ]; then
    echo "FAILED: vouch check without the object: exit $code" >&2
    cat "$work/plain.log" >&2
    failed=1
  fi
  output=$(LD_PRELOAD=$work/fast.so "${check[@]}" 2>&1)
  code=$?
  echo "vouch check under fast-math: exit $code: $output"
  if [ "$code" = 0 ] || grep -q 'FREE' <<< "$output"; then
    echo 'FAILED: FREE although denormals are flushed' >&2
    failed=1
  fi
fi
exit "$failed"
