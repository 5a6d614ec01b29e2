#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Every command of the README does what it says, its C program compiles, and
# the script that says so sees a command that fails.
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for page in README.md docs/command_line.md docs/scenes.md; do
  "$source/tools/check_readme.py" "$source/$page" || exit
done

# Lines that a person can read: at most 120 characters, tables apart.
for page in docs/command_line.md docs/scenes.md docs/motions.md; do
  if LC_ALL=C.UTF-8 grep -nE '^[^|].{120}' "$source/$page"; then
    echo "FAILED: lines of more than 120 characters in $page"
    exit 1
  fi
done
if [ -e /usr/share/javascript/three/three.min.js ]; then
  "$source/tools/check_readme.py" "$source/docs/report.md" || exit
fi

printf '```sh\ntrue\nfalse   # exit 1\n```\n' > "$work/good.md"
"$source/tools/check_readme.py" "$work/good.md" || { echo 'FAILED: a good README is refused'; exit 1; }
# A shell that knows only what tools/env says finds the installed library.
if [ -d "$source/install/vouch" ]; then
  env -i HOME="$work" PATH=/usr/local/bin:/usr/bin:/bin VOUCH_ROS="${VOUCH_ROS:-ON}" bash -c '
    . "$1/tools/env" && pkg-config --exists vouch && command -v vouch vouch-verify &&
    vouch --version' bash "$source" > "$work/log" 2>&1 ||
    { cat "$work/log"; echo 'FAILED: after ". tools/env" something is not found'; exit 1; }
  echo 'ok: found after ". tools/env"'
fi
for bad in '```sh\ntrue\nfalse\n```\n' '```sh\nmake nonsense\n```\n' '```c\nint main(void) { return missing(); }\n```\n'; do
  printf "$bad" > "$work/bad.md"
  if "$source/tools/check_readme.py" "$work/bad.md" > /dev/null; then
    printf "FAILED: not seen to be wrong:\n$bad"
    exit 1
  fi
done
echo 'ok: planted faults are seen'
