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

/* A trajectory as moveit_msgs/RobotTrajectory in YAML, which the commands and MoveIt read. */

#include <math.h>

#include "report/report.h"

static void write_values(
  vouch_text_t * out, const char * lead, const char * key, const double * values, size_t count,
  const vouch_report_still_t * still, bool position)
{
  vouch_text_append(out, "%s%s: [", lead, key);
  for (size_t i = 0; i < count; i++) {
    vouch_text_append(out, "%s%.17g", i ? ", " : "", values[i]);
  }
  for (size_t i = 0; still && i < still->count; i++) {
    vouch_text_append(out, ", %.17g", position ? still->values[i] : 0.0);
  }
  vouch_text_append(out, "]\n");
}

/* Whole nanoseconds are what a message has; planned times are such. */
static void write_time(vouch_text_t * out, double time)
{
  double seconds = floor(time), nanoseconds = nearbyint((time - seconds) * 1e9);
  if (nanoseconds >= 1e9) {
    seconds += 1.0;
    nanoseconds = 0.0;
  }
  vouch_text_append(
    out, "      time_from_start: {sec: %.0f, nanosec: %.0f}\n", seconds, nanoseconds);
}

void vouch_report_trajectory(
  const vouch_trajectory_t * t, const vouch_report_still_t * still, bool timed, vouch_text_t * out)
{
  vouch_text_append(out, "joint_trajectory:\n  joint_names: [");
  for (size_t i = 0; i < t->joint_count; i++) {
    vouch_text_append(out, "%s\"%s\"", i ? ", " : "", t->joint_names[i]);
  }
  for (size_t i = 0; still && i < still->count; i++) {
    vouch_text_append(out, ", \"%s\"", still->names[i]);
  }
  vouch_text_append(out, "]\n  points:\n");
  for (size_t i = 0; i < t->point_count; i++) {
    const vouch_trajectory_point_t * point = &t->points[i];
    write_values(out, "    - ", "positions", point->positions, t->joint_count, still, true);
    if (point->velocities) {
      write_values(out, "      ", "velocities", point->velocities, t->joint_count, still, false);
    }
    if (point->accelerations) {
      write_values(
        out, "      ", "accelerations", point->accelerations, t->joint_count, still, false);
    }
    if (timed) {
      write_time(out, point->time_s);
    }
  }
}
