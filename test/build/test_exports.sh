#!/usr/bin/env bash
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# libvouch.so shows the world vouch_* and nothing else, lacks nothing, and needs no test library.
set -u
library=$(find "$2" -name 'libvouch.so' | head -n 1)
[ -n "$library" ] || { echo "SKIPPED: there is no libvouch.so in $2"; exit 77; }
foreign=$(nm -D --defined-only "$library" | awk '{ print $NF }' | grep -v '^vouch_')
[ -z "$foreign" ] || { echo "FAILED: exported but not named vouch_*:"; echo "$foreign"; exit 1; }
count=$(nm -D --defined-only "$library" | wc -l)
[ "$count" -gt 0 ] || { echo 'FAILED: nothing is exported'; exit 1; }
open=$(nm -D --undefined-only "$library" | awk '{ print $NF }' | grep '^vouch_')
[ -z "$open" ] || { echo 'FAILED: declared and used but defined nowhere:'; echo "$open"; exit 1; }
if readelf -d "$library" | grep -E 'NEEDED.*(cmocka|flint|arb|mpfr|gmp|fcl|Bullet|ccd|rcl)'; then
  echo 'FAILED: the product links a library of the tests'
  exit 1
fi
echo "ok: $count symbols, all vouch_*"
