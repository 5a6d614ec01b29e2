# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the other scripts.

# run_with_progress LOG COMMAND...: runs the command, keeps all that it says in
# LOG, and shows what a person wants to see: how far it is, what was left out,
# warnings and errors.
run_with_progress() {
  local log=$1
  shift
  "$@" < /dev/null 2>&1 | tee "$log" | awk '
    match($0, /^\[[0-9]+\/[0-9]+\]/) {
      split(substr($0, 2, RLENGTH - 2), part, "/")
      step = int(10 * part[1] / part[2])
      if (step != shown) { print "  " part[1] " of " part[2]; shown = step; fflush() }
      next
    }
    /LEFT OUT/ { sub(/^-- /, "  "); print; next }
    /WARNING:colcon.colcon_ros.prefix_path.ament/ { next }  # the wheels have none
    /^(running egg_info|creating .*egg-info|writing .*egg-info|reading manifest|Listing |Compiling )/ { next }
    /^--|^Starting|^Finished|^Summary|^$|Re-checking globbed/ { next }
    { print; fflush() }'
  return "${PIPESTATUS[0]}"
}
