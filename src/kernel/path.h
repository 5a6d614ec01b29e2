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

/* The path of a pair: the joints between the two bodies, how far from each axis the moving body
 * reaches (L4), and the rounding constant E. TRUSTED.
 *
 * The path runs from B up to the common ancestor and down to A; joint 0 is next to B. */

#ifndef KERNEL__PATH_H_
#define KERNEL__PATH_H_

#include "geometry/vec.h"
#include "kernel/derived.h"
#include "kernel/timeline.h"
#include "model/problem.h"

#define KERNEL_MAX_JOINTS 64

typedef struct kernel_joint_s
{
  uint32_t variable;
  bool revolute;
  double turns;       // 1 if it is revolute, 0 if it is not
  double gain;        // |multiplier|
  double tolerance;   // gain * the variable's
  double slide;       // how far a prismatic one moves anything in this motion, tolerance included
} kernel_joint_t;

/// One frame on the way from A to B: upwards the joint comes first, then the fixed pose; downwards
/// the inverse fixed pose, then the joint.
typedef struct kernel_step_s
{
  uint32_t frame;
  uint32_t joint;     // VOUCH_NONE: fixed
  bool down;
  rigid_t fixed;      // the frame's fixed pose
  vec3_t axis;        // of its joint, normalised
} kernel_step_t;

typedef struct kernel_path_s
{
  uint32_t frame_a, frame_b;
  rigid_t placement_a;
  kernel_step_t * steps;    // from A to B
  kernel_joint_t * joints;  // from B to A
  uint32_t step_count, joint_count;
  uint32_t chain;           // of the scene: a path whose joints begin with these
  uint32_t chain_slot;      // where an interval keeps the chain's weights
  const kernel_node_t * root;   // of A
  vec3_t root_center;       // of A's ball, in A's frame
  double root_radius;
  double * radii;           // of that ball, infinite without a motion: those of every node of A
  double tolerance;         // tau, likewise
  bool slides;              // a joint is prismatic: they depend on the motion
  bool rigid;               // the joints' tolerances are all 0
  double extent_a, extent_b;   // largest |placement| + |point|, which bounds |point| in the frame
  double error;             // of a point's position in the frame of B, in this motion (the recurrence)
  double rounding;          // E >= error: what every gap is charged
} kernel_path_t;

/// The part that does not depend on the motion. extent_b: of everything that B can be.
vouch_ret_t kernel_path_init(
  kernel_path_t * path, const vouch_problem_t * problem, uint32_t body_a, uint32_t frame_b,
  double extent_b, vouch_arena_t * arena) VOUCH_WARN_UNUSED;

/// The shorter one's joints are the first joints of the longer one, as far as weights go.
bool kernel_path_shares(const kernel_path_t * a, const kernel_path_t * b);

/// Error bounds of every frame's pose, for one motion: rotation (Frobenius), translation, |origin|.
typedef struct kernel_frame_error_s
{
  double rotation, translation, reach;
} kernel_frame_error_t;
void kernel_frame_errors(const kernel_timeline_t * timeline, kernel_frame_error_t * errors);

/// Slides, tolerances, E, radii and tau for the present motion. Requires: `rigid` only
/// if all its tolerances are 0.
void kernel_path_set_motion(
  kernel_path_t * path, const kernel_timeline_t * timeline, const kernel_frame_error_t * errors,
  bool rigid);

/// [L1, L2, L10] weights[j][0] so that C = N+ (1 + 2^-40) sum radii[j] * weights[j][0], and
/// weights[j][1] so that l = sum radii[j] * weights[j][1].
void kernel_path_weights(
  const kernel_path_t * path, kernel_timeline_t * timeline, uint32_t interval,
  double(*weights)[2]);

#endif  // KERNEL__PATH_H_
