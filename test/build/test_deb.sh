#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# The Debian packages hold what they should, nothing twice, depend on packages
# by name, and work from where they unpack: programs, manual pages, completion,
# and a program that is built against the library with pkg-config.
set -u
source=$1
for tool in dpkg-deb dpkg-shlibdeps dpkg-buildflags git; do
  command -v "$tool" > /dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; [ -f "$work/log" ] && tail -n 20 "$work/log"; exit 1; }

"$source/tools/deb" > "$work/log" 2>&1 || fail 'tools/deb'
packages=("$source"/build/deb/*.deb)
[ "${#packages[@]}" = 3 ] || fail "three packages are wanted, not ${#packages[@]}"

for package in "${packages[@]}"; do
  dpkg-deb -c "$package" | awk '$1 !~ /^d/ {print $6}' >> "$work/files"
  dpkg-deb -x "$package" "$work/root" || fail "$package does not unpack"
  dpkg-deb -c "$package" | awk '$2 != "root/root" || $1 ~ /^.....w|^........w/ && $1 !~ /^l/' > "$work/log"
  [ -s "$work/log" ] && fail "files that are not root's alone in $package"
  dpkg-deb -f "$package" Depends | grep -q . || fail "$package depends on nothing"
done
twice=$(sort "$work/files" | uniq -d)
[ -z "$twice" ] || fail "in two packages: $twice"
rm -f "$work/log"
echo 'ok: three packages'

root=$work/root
library=$(dirname "$(find "$root" -name 'libvouch.so.0')")
cell=$root/usr/share/doc/vouch/examples/cell
"$root/usr/bin/vouch" check --robot "$cell/arm.urdf" --srdf "$cell/arm.srdf" --scene "$cell/cell.yaml" \
  --trajectory "$cell/tight.yaml" --cache off --problem "$work/p" --certificate "$work/c" > "$work/log" ||
  fail 'the packaged vouch does not check'
"$root/usr/bin/vouch-verify" "$work/p" "$work/c" > "$work/log" || fail 'the packaged verifier does not verify'
for name in vouch vouch-check vouch-batch vouch-verify vouch-inspect vouch-motion; do
  gzip -dc "$root/usr/share/man/man1/$name.1.gz" | head -n 1 | grep -q '^.TH VOUCH' || fail "no page $name.1"
done
bash -n "$root/usr/share/bash-completion/completions/vouch" || fail 'the completion is no bash'
if readelf -d "$root"/usr/bin/* "$library"/libvouch.so.0 | grep -E 'RPATH|RUNPATH'; then
  fail 'a package must not say where libraries are'
fi
echo 'ok: programs, pages, completion'

PKG_CONFIG_PATH=$library/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs vouch) || fail 'pkg-config does not find the package'
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$source/test/build/consumer/main.c" $flags -o "$work/app" 2> "$work/log" ||
  fail 'a program does not build against the package'
LD_LIBRARY_PATH=$library "$work/app" > "$work/log" 2>&1 || fail 'the program does not run'
echo 'ok: library and headers'
