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

/* TRUSTED for coverage: a pair of nodes is dropped on a piece of motion only when a trusted test
 * says so, and every other pair is handed to both halves of the piece, to its children, or to the
 * list of open pieces. */

#ifndef METHODS__SWEEP_H_
#define METHODS__SWEEP_H_

#include "methods/fat_test.h"
#include "methods/static_test.h"

#define SWEEP_MAX_OPEN 128

typedef struct sweep_pair_s
{
  uint32_t a, b;
  float n[3];             // the last direction that came near, or 0
  uint16_t done;          // element tests that passed already (nested balls only)
} sweep_pair_t;

/// What all tasks share; read only while they run.
typedef struct sweep_s
{
  const vouch_rigid_body_t * moving, * fixed;
  const rigid_segment_t * segment;
  const vouch_rigid_options_t * options;
  double extra;           // chord: margin and tolerance; toleranced: margin
  double tolerance;       // that of the options, as the stored metric of the moving body has it
  const fat_face_t * faces;       // toleranced: metric data of each moving triangle
  const metric_t * face_metrics;  // individual masses, else NULL
  const double * face_tolerance;  // the tolerance measured in the face's metric
  double finish_s;        // monotonic clock, or infinite
} sweep_t;

typedef struct sweep_hit_s
{
  bool valid, near;
  double fraction;
  static_witness_t witness;
  double within;          // the bodies are that near then, all errors included; 0: contact
} sweep_hit_t;

/// One piece of the motion with its pairs; collects its own results.
typedef struct sweep_task_s
{
  const sweep_t * sweep;
  /// The piece at work last, before it the right halves that wait for their turn: at most one for
  /// each level.
  motion_room_t room;
  sweep_pair_t * pairs, * work;
  size_t pair_count, pair_capacity, work_count, work_capacity;
  double begin, begin_speed;     // of the piece it starts with
  sweep_hit_t hit;
  vouch_rigid_open_t open[SWEEP_MAX_OPEN];
  size_t open_count;
  bool stopped, failed;          // budget or deadline; memory or floating-point environment
  double clearance_lower, clearance_upper, closest_fraction;
  vec3_t closest_a, closest_b;   // two points as near as clearance_upper, there
  vouch_rigid_statistics_t statistics;
  struct sweep_task_s * children;    // tasks cut off at the collecting level
  size_t child_count, child_capacity;
  uint32_t collect_level;        // 0: never
} sweep_task_t;

/// What is known of the motion on the piece at hand.
typedef struct sweep_piece_s
{
  const motion_piece_t * piece;
  double rounding;
  motion_ball_t ball;            // toleranced, in the body's metric
  uint32_t face;                 // triangle whose ball is in `face_ball`, or UINT32_MAX
  motion_ball_t face_ball;
} sweep_piece_t;

typedef enum sweep_decision_e
{
  SWEEP_KEEP = 0,
  SWEEP_EXCLUDED = 1,
  SWEEP_DESCEND_A = 2,
  SWEEP_DESCEND_B = 3,
  SWEEP_STOP_PAIR = 4            // nominal distance within margin and tolerance: open for good
} sweep_decision_t;

/// Decides one pair on one piece; may record a hit and better directions.
sweep_decision_t sweep_decide(sweep_task_t * task, sweep_piece_t * at, sweep_pair_t * pair);

vouch_ret_t sweep_task_init(sweep_task_t * task, const sweep_t * sweep) VOUCH_WARN_UNUSED;
void sweep_task_fini(sweep_task_t * task);
vouch_ret_t sweep_task_add_pair(sweep_task_t * task, sweep_pair_t pair) VOUCH_WARN_UNUSED;
/// Runs the task on room.pieces[0], which it uses up. Results do not depend on the number of
/// threads.
void sweep_task_run(sweep_task_t * task);

/// All of a segment, after sweep_task_init(): the first levels, then the tasks cut off there in
/// parallel, merged in the order of time.
vouch_ret_t sweep_segment(sweep_t * sweep, sweep_task_t * result) VOUCH_WARN_UNUSED;

/// The containment test that is owed at the end of each open stretch: a hit, or nothing, or the
/// stretch lasts to the end of the segment.
void sweep_test_after_open(sweep_task_t * task);
/// Opens the whole segment: it is not known whether its bodies start apart.
void sweep_open_all(sweep_task_t * task);

double sweep_clock_s(void);

#endif  // METHODS__SWEEP_H_
