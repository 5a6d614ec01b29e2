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

/* Time: the binary tree of intervals over the motion, bounds of the joints on each, and the poses
 * of all frames at interval ends. TRUSTED.
 *
 * Interval 0 is the whole motion. A run of segments is halved at a knot, a single segment at its
 * middle; so all ends are knots or exact dyadic fractions of a segment, and every pair of bodies
 * shares the same poses and the same bounds. Bounds are in the interval's own time [0, 1]. */

#ifndef KERNEL__TIMELINE_H_
#define KERNEL__TIMELINE_H_

#include "geometry/vec.h"
#include "model/problem.h"

/// Chains of joints whose weights an interval keeps.
#define KERNEL_CHAINS 4u

/// Halvings of one segment, at most: certificates tell time in 2^44 ticks a segment.
#define KERNEL_MAX_DEPTH 44

typedef struct kernel_interval_s
{
  uint32_t first, last;      // knots; last - first == 1: (part of) a single segment
  uint64_t numerator;        // part [numerator, numerator + 1] / 2^depth of it
  uint32_t depth;
  uint32_t left, right;      // 0: not made yet
  uint32_t begin, end;       // configurations; VOUCH_NONE: not evaluated yet
  uint32_t middle;           // likewise
  bool start_inside;         // a start strictly inside: only splitting is allowed (L10)
  bool begins_at_start;
  bool filled;               // bounds were computed
  bool finished;             // ... and are in the interval's own time
  uint64_t weights_of[KERNEL_CHAINS];   // whose the cached weights are; UINT64_MAX: nobody's
} kernel_interval_t;

/// The knot in the middle of a run.
static inline uint32_t kernel_interval_knot(const kernel_interval_t * run)
{
  return run->first + (run->last - run->first) / 2u;
}

/// Rows of bounds, each variable_count long: largest |q'|; what q'' adds to C; sum of kinks; total
/// variation; scratch. All in the interval's own time.
enum
{
  KERNEL_VELOCITY = 0,
  KERNEL_BEND = 1,
  KERNEL_KINK = 2,
  KERNEL_VARIATION = 3,
  KERNEL_BEND_SUM = 4,
  KERNEL_BOUNDS = 5
};

typedef struct kernel_timeline_s
{
  vouch_allocator_t allocator;
  const vouch_problem_t * problem;
  uint32_t variable_count, frame_count;
  kernel_interval_t * intervals;
  double * bounds;           // interval_capacity x KERNEL_BOUNDS x variable_count
  double * coefficients;     // of single-segment intervals: x variable_count x (max degree + 1)
  uint32_t interval_count, interval_capacity;
  rigid_t * poses;           // configuration_capacity x frame_count
  uint32_t configuration_count, configuration_capacity;
  uint32_t * knots;          // configuration of each knot: seen from the right, then from the left
  bool * starts;             // of each knot (L10)
  uint32_t knot_capacity;
  mat3_t * frame_rotation;   // of each frame's fixed pose
  vec3_t * frame_axis;       // normalised
  uint8_t * frame_about;     // 0, 1, 2: the axis is x, y or z
  bool * frame_straight;     // the fixed pose does not turn
  double * largest;          // max |coefficient| of each variable
  double * values;           // scratch
} kernel_timeline_t;

/// Memory for intervals and configurations. Scene part of the problem must be set.
vouch_ret_t kernel_timeline_init(
  kernel_timeline_t * timeline, const vouch_problem_t * problem, vouch_allocator_t allocator,
  size_t memory) VOUCH_WARN_UNUSED;
void kernel_timeline_fini(kernel_timeline_t * timeline);

/// Takes the problem's present motion part: fills the tree down to short runs. Allocates only
/// when the motion is larger than all before.
vouch_ret_t kernel_timeline_set_motion(kernel_timeline_t * timeline) VOUCH_WARN_UNUSED;

/// Halves an interval if that was not done yet. False: depth or memory is used up.
bool kernel_timeline_split(kernel_timeline_t * timeline, uint32_t interval);

/// Poses of all frames at the interval's ends and middle; NULL: memory is used up.
const rigid_t * kernel_timeline_begin(kernel_timeline_t * timeline, uint32_t interval);
const rigid_t * kernel_timeline_end(kernel_timeline_t * timeline, uint32_t interval);
const rigid_t * kernel_timeline_middle(kernel_timeline_t * timeline, uint32_t interval);

/// [L5, L10] The interval's rows of bounds, in its own time.
const double * kernel_timeline_bounds(kernel_timeline_t * timeline, uint32_t interval);

/// Which way seconds are rounded: what is proved until a time is proved until any earlier one.
typedef enum kernel_rounded_e
{
  KERNEL_NEAREST = 0,
  KERNEL_DOWN = 1,
  KERNEL_UP = 2
} kernel_rounded_t;

/// Reporting seconds at a fraction of a segment that lasts from seconds[0] to seconds[1].
double kernel_seconds(const double seconds[2], double fraction, kernel_rounded_t rounded);
/// The same at the interval's point at `fraction` (0, 0.5 or 1).
double kernel_timeline_seconds(
  const kernel_timeline_t * timeline, uint32_t interval, double fraction,
  kernel_rounded_t rounded);
/// Segment and fraction of the interval's point at `fraction` (0, 0.5 or 1).
void kernel_timeline_place(
  const kernel_timeline_t * timeline, uint32_t interval, double fraction, uint32_t * segment,
  double * place);

/// Poses at a free place (segment, fraction), not cached; `poses` has frame_count entries.
void kernel_timeline_evaluate(
  const kernel_timeline_t * timeline, uint32_t segment, double fraction, rigid_t * poses);

#endif  // KERNEL__TIMELINE_H_
