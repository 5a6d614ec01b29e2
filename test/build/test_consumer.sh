#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# A program of ten lines finds the installed package: through CMake
# (vouch::vouch) and through pkg-config (vouch.pc), also after the installed
# tree was moved. Plain CMake, no ROS. Where this build was made with ROS, the
# package that it installs is tried through CMake too.
set -u
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; [ -f "$work/log" ] && tail -n 20 "$work/log"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1; }
unset LDFLAGS

quietly cmake -S "$source" -B "$work/build" -G Ninja -DVOUCH_ROS=OFF -DBUILD_TESTING=OFF \
  -DCMAKE_BUILD_TYPE=Debug   "-DCMAKE_INSTALL_PREFIX=$work/first" || fail 'vouch does not configure with VOUCH_ROS=OFF'
quietly cmake --build "$work/build" || fail 'vouch does not build with VOUCH_ROS=OFF'
quietly cmake --install "$work/build" || fail 'vouch does not install'
mv "$work/first" "$work/prefix"

quietly cmake -S "$source/test/build/consumer" -B "$work/consumer" "-DCMAKE_PREFIX_PATH=$work/prefix" &&
  quietly cmake --build "$work/consumer" || fail 'a CMake consumer does not build'
"$work/consumer/consumer" || fail 'the CMake consumer does not run'
echo 'ok: through CMake'

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name vouch.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs vouch) || fail 'pkg-config does not find vouch.pc'
library_path=$(pkg-config --variable=libdir vouch)
quietly "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$source/test/build/consumer/main.c" $flags -o "$work/by-pc" ||
  fail 'a pkg-config consumer does not build'
LD_LIBRARY_PATH=$library_path "$work/by-pc" || fail 'the pkg-config consumer does not run'
echo 'ok: through pkg-config'

# Every public header compiles by itself, as C11 and as C++17.
for header in "$source"/include/vouch/*.h; do
  name=vouch/$(basename "$header")
  printf '#include <%s>\nint main(void) { return 0; }\n' "$name" > "$work/header.c"
  quietly "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$source/include" \
    -fsyntax-only "$work/header.c" || fail "$name does not compile by itself as C"
  if command -v c++ > /dev/null; then
    quietly c++ -std=c++17 -Wall -Wextra -Werror -I "$source/include" -x c++ -fsyntax-only \
      "$work/header.c" || fail "$name does not compile by itself as C++"
  fi
done
echo 'ok: every public header by itself'

grep -q '^VOUCH_ROS:[A-Z]*=OFF' "$build/CMakeCache.txt" && exit 0
[ -f "$source/install/vouch/share/vouch/cmake/vouchConfig.cmake" ] || exit 0
rm -rf "$work/consumer"
quietly cmake -S "$source/test/build/consumer" -B "$work/consumer" \
  "-DCMAKE_PREFIX_PATH=$source/install/vouch;${CMAKE_PREFIX_PATH:-}" &&
  quietly cmake --build "$work/consumer" || fail 'a consumer of the ament package does not build'
"$work/consumer/consumer" || fail 'the consumer of the ament package does not run'
echo 'ok: through the ament package'
