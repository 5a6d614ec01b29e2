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

/* How far apart things are, pair by pair and moment by moment: what a verdict leaves out.
 *
 * Distances are of the motion as given: without margin, tolerances and paddings. Two kinds are never
 * mixed: `found` ones are measured at a time (they bound the least from above), `certified` ones are
 * leaves of the kernel over whole intervals (they bound it from below, at every time in between). */

#ifndef REPORT__PROFILE_H_
#define REPORT__PROFILE_H_

#include "report/report.h"

typedef enum vouch_side_e
{
  VOUCH_SIDE_WORLD = 0,   // robot (and what it holds) against obstacles and planes
  VOUCH_SIDE_SELF = 1     // robot against itself
} vouch_side_t;

/// A checked pair of bodies.
typedef struct vouch_profile_pair_s
{
  uint32_t a, b;           // bodies of a build of the scene; b of a group: the nearest, or VOUCH_NONE
  uint32_t group;          // 0: a pair of bodies; else b stands for so many obstacles
  vouch_side_t side;
  double margin;           // that has to remain, paddings included
  double found;            // INFINITY: not measured
  double time;             // when that is
  double point_a[3], point_b[3];   // in the root frame
  double certified;        // over the whole motion; < 0: not certified
  double * curve;          // measured at the begin of each span (NAN: not); NULL: not one of the nearest
} vouch_profile_pair_t;

/// One stretch of the motion.
typedef struct vouch_profile_span_s
{
  double begin, end;       // seconds, or segments of a bare path
  double found[2];         // at its begin or middle, per side; INFINITY: nothing to measure
  double at[2];            // when
  uint32_t pair[2];        // whose; VOUCH_NONE
  double certified[2];     // at every time in it; < 0: not certified; INFINITY: no such pair
} vouch_profile_span_t;

typedef struct vouch_profile_s
{
  vouch_allocator_t allocator;
  vouch_profile_pair_t * pairs;
  size_t pair_count;
  vouch_profile_span_t * spans;   // they tile the motion
  size_t span_count;
  size_t left_away;        // pairs that were too many to look at; then no span is certified
  bool cut_short;          // the time for it ran out: what is not certified may still be true
} vouch_profile_t;

/// Looks at the report's motion, for two seconds of processor time at most. report->scene is needed.
vouch_ret_t vouch_profile_init(
  vouch_profile_t * profile, const vouch_report_t * report,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void vouch_profile_fini(vouch_profile_t * profile);

#endif  // REPORT__PROFILE_H_
