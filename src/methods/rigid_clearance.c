// Copyright 2026 The vouch authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

/* How far apart the bodies stay: bisection over the margin, by the chord method. What it proves is
 * a check with a larger margin that answered FREE. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/rigid_check.h"

/* A trial asks whether a margin is kept, not when it is first missed: no long search for that. */
#define MAX_TRIALS 12
#define MAX_TRIAL_TESTS 500000
#define MAX_TRIAL_DEPTH 16

static void take_closest(vouch_rigid_result_t * best, const vouch_rigid_result_t * seen)
{
  if (seen->clearance_upper_m < best->clearance_upper_m) {
    best->clearance_upper_m = seen->clearance_upper_m;
    best->closest_segment = seen->closest_segment;
    best->closest_fraction = seen->closest_fraction;
    memcpy(best->closest_a, seen->closest_a, sizeof(best->closest_a));
    memcpy(best->closest_b, seen->closest_b, sizeof(best->closest_b));
  }
}

vouch_ret_t vouch_rigid_sharpen_clearance(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result)
{
  VOUCH_REQUIRE("moving, fixed, motion", moving, fixed, motion);
  const vouch_rigid_options_t standard = vouch_rigid_options_default();
  options = options == NULL ? &standard : options;
  VOUCH_REQUIRE("result", result);
  vouch_ret_t ret = rigid_validate(moving, fixed, options);
  if (ret != VOUCH_RET_OK || result->verdict != VOUCH_FREE) {
    return ret;
  }
  vouch_rigid_options_t trial = *options;
  double high = result->clearance_upper_m;
  double left_s = options->deadline_s - result->statistics.seconds;
  /* The clearance is that of the motion itself. */
  trial.method = VOUCH_RIGID_CHORD;
  trial.tolerance = 0.0;
  if (trial.max_tests == 0 || trial.max_tests > MAX_TRIAL_TESTS) {
    trial.max_tests = MAX_TRIAL_TESTS;
  }
  trial.max_depth = trial.max_depth < MAX_TRIAL_DEPTH ? trial.max_depth : MAX_TRIAL_DEPTH;
  for (int i = 0; i < MAX_TRIALS; i++) {
    vouch_rigid_result_t more;
    double low = result->clearance_lower_m, share = high > 2.0 * low ? 0.5 : 0.9;
    if ((isfinite(high) && high - low <= 0.01 * high) ||
      (options->deadline_s > 0.0 && !(left_s > 0.0)))
    {
      break;
    }
    /* Where no distance was seen yet, a margin that nothing has shows the one at the begin. */
    trial.margin_m = isfinite(high) ? low + share * (high - low) : 1e6;
    trial.deadline_s = options->deadline_s > 0.0 ? left_s : 0.0;
    ret = vouch_rigid_check(moving, fixed, motion, &trial, &more);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    take_closest(result, &more);
    if (more.verdict == VOUCH_FREE) {
      result->clearance_lower_m = fmax(low, more.clearance_lower_m);
    } else {
      high = trial.margin_m;
    }
    high = fmin(high, result->clearance_upper_m);
    left_s -= more.statistics.seconds;
    result->statistics.seconds += more.statistics.seconds;
    vouch_rigid_result_fini(&more);
  }
  return VOUCH_RET_OK;
}
