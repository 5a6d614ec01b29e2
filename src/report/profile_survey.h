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


/* The work on a profile, while it is made. Private to report/profile*.c. */

#ifndef REPORT__PROFILE_SURVEY_H_
#define REPORT__PROFILE_SURVEY_H_

#include "check/checker.h"
#include "report/profile.h"

/* How far below the measured distance the certified one may lie: that much of it, at least the other. */
#define VOUCH_PROFILE_SLACK 0.02
#define VOUCH_PROFILE_LEAST_SLACK 2e-5

typedef struct vouch_survey_s
{
  vouch_profile_t * out;
  const vouch_report_t * report;
  vouch_build_t build;
  vouch_problem_t problem;   // the build's, with pairs of bodies in place of groups
  vouch_arena_t arena;       // of those
  kernel_scene_t kernel;
  check_worker_t * worker;
  uint32_t * intervals;      // of the timeline, one per span
  double until;              // everything before is proved free, for all pairs
  bool free;                 // the verdict is
  int64_t budget_ns;         // of this thread's processor time, up to which the present step may work
} vouch_survey_t;

/// Gives the search what it needs for a step of so much processor time. Where others have the processor it
/// may take eight times as long.
void vouch_survey_prepare(vouch_survey_t * look, int64_t budget_ns);
/// False: the step's time is over, or the search was stopped.
bool vouch_survey_goes_on(vouch_survey_t * look);
/// Measures every pair and every side at two times of each span, as long as there is time
/// (profile_measure.c).
void vouch_survey_measure(vouch_survey_t * look);
/// Asks the kernel for distances below those (profile_certify.c).
void vouch_survey_certify(vouch_survey_t * look);
/// Measures the nearest pairs over time, each by itself (profile_measure.c). False: no memory.
bool vouch_survey_curves(vouch_survey_t * look);
/// Reporting seconds at a fraction (0, 0.5, 1) of a span.
double vouch_survey_seconds(const vouch_survey_t * look, size_t span, double fraction);

#endif  // REPORT__PROFILE_SURVEY_H_
