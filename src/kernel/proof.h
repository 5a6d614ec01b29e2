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

/* The proof cursor: the only place that says FREE. TRUSTED.
 *
 * A pair is opened with one goal: its two roots over the whole motion. The search looks at the goal
 * on top and asks for one of a few steps: split the time, descend into A or B, or close the goal
 * with a direction. The kernel does the step only if it is sound, writes it into the certificate,
 * and a pair is proved when no goal is left. The search can waste time; it cannot cheat. */

#ifndef KERNEL__PROOF_H_
#define KERNEL__PROOF_H_

#include "kernel/contact.h"
#include "kernel/path.h"
#include "kernel/support.h"
#include "kernel/timeline.h"

#define KERNEL_STACK 1024

typedef struct kernel_goal_s
{
  uint32_t interval;
  uint32_t a;        // node of A's geometry
  uint32_t b;        // node of B's geometry, or group number while body_b is VOUCH_NONE
  uint32_t body_b;
  double margin;     // metres of the pair (for a group: the most below it)
  vec3_t hint;       // the search's: not trusted, inherited by children
} kernel_goal_t;

/// What belongs to robot and scene: one per checker, shared by its workers; the paths' motion
/// fields are set between checks only.
typedef struct kernel_scene_s
{
  vouch_arena_t arena;
  const vouch_problem_t * problem;
  kernel_path_t * paths;       // per pair
  const vouch_geometry_t ** geometries;   // per body; NULL: a plane
  rigid_t * placements;        // per body
  bool * placed;               // per body: its placement is not the identity
  vec3_t * group_low;          // per group: box in frame 0, outwards
  vec3_t * group_high;
  double * group_radius;       // half its diagonal, about; for the search only
  kernel_frame_error_t * errors;
  uint32_t * chains;           // the longest path of each chain of joints
  uint32_t chain_count;
  uint32_t most_joints;
} kernel_scene_t;

vouch_ret_t kernel_scene_init(
  kernel_scene_t * scene, const vouch_problem_t * problem,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void kernel_scene_fini(kernel_scene_t * scene);
/// After the placement of a body of the obstacle tree changed. Requires: no pair names that body but
/// through the tree. E is renewed by kernel_scene_set_motion().
void kernel_scene_move_obstacle(kernel_scene_t * scene, uint32_t body);
/// After the problem's motion part changed.
void kernel_scene_set_motion(kernel_scene_t * scene, const kernel_timeline_t * timeline);

typedef enum kernel_step_result_e
{
  KERNEL_DONE = 0,
  KERNEL_REFUSED = 1,        // not sound here, or nothing to descend into
  KERNEL_LIMIT = 2,          // depth, stack or memory is used up
  KERNEL_OPEN_SURFACE = 3,   // open meshes are not entered at a start (L8)
  KERNEL_CONTAINED = 4,      // a vertex lies inside a solid at the start: `contained` says which
  KERNEL_CONTAINMENT_UNCLEAR = 5
} kernel_step_result_t;

/// Which vertex lies inside which solid (KERNEL_CONTAINED).
typedef struct kernel_contained_s
{
  bool solid_in_a;
  uint32_t solid;       // its number, from 1, in the order of the solids' first primitives
  uint32_t vertex;      // of the other body: a reference point
  uint32_t primitive;   // of the other body: its list begins with that vertex
  float ray[3];
  vec3_t point;         // the vertex in the frame of B
} kernel_contained_t;

/// How much must remain, and what is recorded.
typedef enum kernel_mode_e
{
  KERNEL_MODE_PROOF = 0,      // the pairs' margins and tolerances
  KERNEL_MODE_CLEARANCE = 1   // `distance` for every pair, nominal motion
} kernel_mode_t;

typedef struct kernel_proof_s
{
  vouch_allocator_t allocator;
  const kernel_scene_t * scene;
  kernel_timeline_t timeline;
  kernel_mode_t mode;
  double distance;             // KERNEL_MODE_CLEARANCE
  bool proved_free;            // KERNEL_MODE_CLEARANCE: and so was this motion, open meshes included
  double lower;                // smallest certified distance of all leaves so far (CLEARANCE)
  bool record;                 // write ops
  bool fp_checked;             // floating-point environment was right when this check began
  bool has_horizon;            // intervals at or after it may be skipped
  uint32_t horizon_segment;
  double horizon_fraction;
  uint32_t pair, serial;
  const kernel_path_t * path;  // of the pair
  vouch_pair_kind_t kind;      // of the pair
  const vouch_geometry_t * geometry_a;   // of the pair
  bool plain;                  // A's pose in the frame of B is that of A's frame
  bool opened_at_root, abandoned;
  kernel_goal_t stack[KERNEL_STACK];
  uint32_t stack_size;
  uint8_t * ops;
  size_t ops_size, ops_capacity;
  bool ops_failed;
  double (*weights)[2];        // per interval: of some chains' joints, most_joints + 1 each
  uint32_t weights_capacity;
  uint64_t chain_keys, next_key;   // this check's chains are chain_keys + number; none is used twice
  /* What is known of the interval and the node of A that were asked about last. */
  uint32_t known_interval, known_node;
  uint32_t ends[2];            // configurations there; VOUCH_NONE: memory is used up
  const rigid_t * middle;      // A in the frame of B; NULL: not asked yet, or memory is used up
  vec3_t centers[2];           // of the node's ball there
  double bend, travel;         // C and l of the interval
  double radius;               // of the node's ball
  rigid_t * relative;          // per configuration: pose of A in the frame of B
  uint32_t * relative_of;      // the open pair (its serial) whose that is
  kernel_contained_t contained;
  uint64_t leaves, tests;
} kernel_proof_t;

vouch_ret_t kernel_proof_init(
  kernel_proof_t * proof, const kernel_scene_t * scene, vouch_allocator_t allocator,
  size_t memory) VOUCH_WARN_UNUSED;
void kernel_proof_fini(kernel_proof_t * proof);

/// A new check: takes the problem's motion, checks the floating-point environment of this thread.
vouch_ret_t kernel_proof_begin(kernel_proof_t * proof) VOUCH_WARN_UNUSED;

/// A new check of the same motion over the same frames as the last: the timeline stays.
vouch_ret_t kernel_proof_again(kernel_proof_t * proof) VOUCH_WARN_UNUSED;

/// Opens a pair: afterwards its goals are on the stack (none if nothing of it is checked).
void kernel_proof_open(kernel_proof_t * proof, uint32_t pair);
/// The goal to work on; NULL when the pair is proved.
static inline const kernel_goal_t * kernel_proof_goal(const kernel_proof_t * proof)
{
  return proof->stack_size > 0 ? &proof->stack[proof->stack_size - 1u] : NULL;
}
/// Leaves a direction with the goal, for its children.
static inline void kernel_proof_hint(kernel_proof_t * proof, vec3_t n)
{
  proof->stack[proof->stack_size - 1u].hint = n;
}

/// Opens a pair with one goal that the caller names (re-certification, files, searches for a
/// distance).
/// What is closed from there on proves that goal only.
void kernel_proof_open_at(kernel_proof_t * proof, uint32_t pair, const kernel_goal_t * goal);

/// The pair that was opened last is proved: every goal closed, opened at its roots, nothing skipped.
bool kernel_proof_proved(const kernel_proof_t * proof);

kernel_step_result_t kernel_split_time(kernel_proof_t * proof);
kernel_step_result_t kernel_descend_a(kernel_proof_t * proof);
kernel_step_result_t kernel_descend_b(kernel_proof_t * proof);
/// [L2, L3] Chord test, or the first-order test, along n.
bool kernel_close_chord(kernel_proof_t * proof, vec3_t n);
/// [L3] Schwarzer's test with a direction at each end.
bool kernel_close_schwarzer(kernel_proof_t * proof, vec3_t n_begin, vec3_t n_end);
/// [L9] Plane and half-space.
bool kernel_close_plane(kernel_proof_t * proof, bool negative_side);

/// [K-COPY] Closes the goal on top with steps that closed an earlier goal, without testing them again.
/// Requires: this kernel accepted them for a goal over the same interval of the same motion, the
/// same frames and the same A, whose B contained this goal's, with a margin and errors no smaller.
void kernel_close_copied(
  kernel_proof_t * proof, const uint8_t * ops, size_t size, uint64_t leaves);
/// Leaves a goal at or after the horizon alone.
bool kernel_skip(kernel_proof_t * proof);
/// Gives a goal up: the pair is not proved any more.
void kernel_abandon(kernel_proof_t * proof);

/// [L8] What is owed when the goal leaves two root nodes at a start; writes the rays.
kernel_step_result_t kernel_start_containment(kernel_proof_t * proof, const kernel_goal_t * goal);
/// Puts bytes at the end of the steps, if they are recorded.
void kernel_write(kernel_proof_t * proof, const void * data, size_t size);
/// 'L' with a direction, 'I' with a ray.
void kernel_write_record(kernel_proof_t * proof, char tag, const float values[3]);
/// The direction as the certificate stores it; false when it is too long.
bool kernel_store_direction(vec3_t n, float stored[3], vec3_t * used);

/* What the search wants to know; no promise attached. */

static inline const vouch_pair_t * kernel_pair(const kernel_proof_t * proof)
{
  return &proof->scene->problem->scene.pairs[proof->pair];
}
static inline const vouch_geometry_t * kernel_geometry_a(const kernel_proof_t * proof)
{
  return proof->geometry_a;
}
/// NULL while b is a group, and for planes.
static inline const vouch_geometry_t * kernel_geometry_b(
  const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return goal->body_b == VOUCH_NONE ? NULL : proof->scene->geometries[goal->body_b];
}
/// Pose of A's geometry in the frame of B.
rigid_t kernel_relative(const kernel_proof_t * proof, const rigid_t * poses);
/// The same at a configuration; NULL for VOUCH_NONE.
const rigid_t * kernel_relative_at(kernel_proof_t * proof, uint32_t configuration);
/// The same in the middle of an interval; NULL: memory is used up.
const rigid_t * kernel_relative_middle(kernel_proof_t * proof, uint32_t interval);
/// C, l and tau of the goal and where A is, for the functions below.
void kernel_find_out(kernel_proof_t * proof, const kernel_goal_t * goal);
static inline void kernel_know(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  if (proof->known_interval != goal->interval || proof->known_node != goal->a) {
    kernel_find_out(proof, goal);
  }
}
/// Ensures: ends are the configurations at the ends of the goal's interval. False: no memory is left.
static inline bool kernel_know_ends(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  return proof->ends[0] != VOUCH_NONE && proof->ends[1] != VOUCH_NONE;
}
/// The pose in the middle, kept likewise; NULL: memory is used up.
static inline const rigid_t * kernel_know_middle(
  kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  if (proof->middle == NULL) {
    proof->middle = kernel_relative_middle(proof, goal->interval);
  }
  return proof->middle;
}
/// A start strictly inside the interval: only splitting is allowed (L10).
static inline bool kernel_usable(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return !proof->timeline.intervals[goal->interval].start_inside;
}
/// C and l of the goal.
static inline double kernel_bend(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  return proof->bend;
}
static inline double kernel_travel(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  return proof->travel;
}
/// Metres that must remain for this goal: margin + tolerance, or the clearance distance.
static inline double kernel_charge(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return proof->mode == KERNEL_MODE_CLEARANCE ? proof->distance :
         goal->margin + proof->path->tolerance;
}
static inline double kernel_rounding(const kernel_proof_t * proof)
{
  return proof->path->rounding;
}
/// How far rounding can displace a point of A in the frame of B.
static inline double kernel_error(const kernel_proof_t * proof)
{
  return proof->path->error;
}
/// min over B of n . y, in the frame of B.
double kernel_support_b(const kernel_proof_t * proof, const kernel_goal_t * goal, vec3_t n);

#endif  // KERNEL__PROOF_H_
