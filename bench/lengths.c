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
/* Published Panda paths, each cut into more and more waypoints on the same polyline: what a proof
 * costs must not depend on how finely a motion is written down (L10). */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "support/mbm.h"

/// The same polyline with at least `points` points: every segment is cut into equal parts.
static vouch_motion_t * cut(
  const vouch_robot_t * robot, const vouch_motion_t * motion, size_t points)
{
  size_t segments = vouch_motion_segment_count(motion), n = vouch_robot_variable_count(robot);
  size_t parts = (points - 1 + segments - 1) / segments, count = parts * segments + 1;
  double * values = calloc(n * count, sizeof(double));
  const double ** rows = calloc(count, sizeof(*rows));
  for (size_t i = 0; i < count; i++) {
    rows[i] = values + n * i;
    // A bare path: its time counts segments.
    vouch_motion_evaluate(motion, (double)i / (double)parts, values + n * i);
  }
  vouch_motion_t * out = arm_polyline(robot, rows, count);
  free(rows);
  free(values);
  return out;
}

void families_lengths(void)
{
  static const size_t COUNTS[3] = {10, 100, 1000};
  mbm_t mbm;
  if (!mbm_open(&mbm, false)) {
    families_absent("lengths panda", "the shared data is absent");
    return;
  }
  vouch_check_options_t options = families_options();
  size_t wanted = families_small ? 3 : 40, done = 0;
  for (size_t i = 0; i < mbm.count && done < wanted; i += 7) {
    const mbm_row_t * row = &mbm.rows[i];
    if (strcmp(row->robot, "panda") != 0 || strcmp(row->label, "free") != 0) {
      continue;
    }
    mbm_case_t problem = mbm_load(&mbm, row, false);
    vouch_checker_t * checker;
    bench_must(vouch_checker_create(&checker, problem.scene, &options), row->problem);
    vouch_motion_t * motions[3];
    double times[3][7];
    vouch_result_t results[3];
    for (int k = 0; k < 3; k++) {
      motions[k] = cut(mbm_robot(&mbm, "panda"), problem.motion, COUNTS[k]);
    }
    for (int r = 0; r < 7; r++) {
      for (int k = 0; k < 3; k++) {
        times[k][r] = families_check(checker, motions[k], 1, &results[k]);
      }
    }
    for (int k = 0; k < 3; k++) {
      char parameter[32];
      snprintf(parameter, sizeof(parameter), "%zu", COUNTS[k]);
      families_row(
        "lengths panda", done, "vouch", parameter, bench_median(times[k], 7), &results[k]);
      vouch_motion_destroy(motions[k]);
    }
    done++;
    vouch_checker_destroy(checker);
    mbm_release(&problem);
  }
  mbm_close(&mbm);
}
