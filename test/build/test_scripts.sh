#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Bad input to the scripts gives one clear sentence and a non-zero exit.
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# A copy of the scripts alone, so that nothing here touches the real tree.
cp -r "$source/tools" "$source/Makefile" "$work/"
cd "$work" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS ROS_DISTRO AMENT_PREFIX_PATH VOUCH_VENV_ROS VOUCH_ROS

expect() {
  local what=$1 sentence=$2
  shift 2
  "$@" > out 2>&1 < /dev/null && fail "$what: exit 0"
  grep -q "$sentence" out || fail "$what: '$sentence' is not in: $(cat out)"
  grep -q 'Traceback' out && fail "$what: a stack trace: $(cat out)"
  echo "ok: $what"
}

expect 'unknown make target' "there is no target 'nonsense'" make nonsense
expect 'unknown test tier' "there is no tier 'nonsense'" tools/test nonsense
expect 'demo before build' 'make build' env VOUCH_ROS=OFF tools/demo
expect 'wrong benchmark' 'no benchmarks here yet' tools/bench nonsense

# The Python must be a usable one. Packages count as installed for this.
printf '[build]\n[extra]\n' > tools/apt-packages.txt
printf '#!/bin/sh\nexit 1\n' > broken-python
chmod +x broken-python
expect 'a Python that does not start' 'does not start' env VOUCH_PYTHON=./broken-python tools/setup
expect 'a Python that is not there' 'is not there' env VOUCH_PYTHON=./no-python tools/setup

# A half-made environment is made anew; a package that cannot be had is one sentence.
echo 'no-such-package-as-this-one==0.0.1' > tools/requirements.txt
mkdir -p .venv/bin
touch .venv/bin/python3
expect 'no network, or no such package' 'pip could not install the wheels' \
  env PIP_INDEX_URL=http://127.0.0.1:9/ PIP_RETRIES=0 PIP_NO_INDEX=1 tools/setup
grep -q 'making it anew' out || fail 'the half-made environment was not noticed'
expect 'the same again' 'pip could not install the wheels' env PIP_RETRIES=0 PIP_NO_INDEX=1 tools/setup

echo 'no-such-debian-package' >> tools/apt-packages.txt
sed -i 's/id -u/echo 1000; true/' tools/setup
expect 'no root' 'sudo apt-get update' tools/setup
VOUCH_ROS=OFF tools/setup > out 2>&1 || fail "VOUCH_ROS=OFF must do without extras: $(cat out)"
grep -q 'WARNING: not installed, left out: no-such-debian-package' out || fail "not said: $(cat out)"
echo 'ok: VOUCH_ROS=OFF goes on without what is not indispensable, and says so'
