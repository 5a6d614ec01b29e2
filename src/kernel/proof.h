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
#include "kernel/kept.h"
#include "kernel/keys.h"
#include "kernel/path.h"
#include "kernel/support.h"
#include "kernel/timeline.h"
#include "proof/ops.h"

#define KERNEL_STACK 1024

typedef struct kernel_goal_s
{
  uint32_t interval;
  uint32_t a;        // node of A's geometry
  uint32_t b;        // node of B's geometry, or group number while body_b is VOUCH_NONE
  uint32_t body_b;
  double margin;     // metres of the pair
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
  vec3_t * group_low;          // per group: box in the frame that its bodies ride on, outwards
  vec3_t * group_high;
  double * group_radius;       // half its diagonal, about; for the search only
  double * group_growth;       // the largest beneath, m/s
  bool grows;                  // any body does
  kernel_frame_error_t * errors;
  uint32_t * chains;           // the longest path of each chain of joints
  uint32_t chain_count;
  uint32_t most_joints;
  kernel_keys_t keys;
} kernel_scene_t;

vouch_ret_t kernel_scene_init(
  kernel_scene_t * scene, const vouch_problem_t * problem,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void kernel_scene_fini(kernel_scene_t * scene);
/// Puts a body of the obstacle tree elsewhere; boxes and keys of its groups follow. E is renewed by
/// kernel_scene_set_motion(). Requires: `problem` is the scene's, and no pair names that body but
/// through the tree.
void kernel_scene_move_obstacle(
  kernel_scene_t * scene, vouch_problem_t * problem, uint32_t body,
  const vouch_pose_t * placement);
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

/// A proof under way: a handle. What others may look at is its view; only the kernel changes it.
typedef struct kernel_proof_s kernel_proof_t;

typedef struct kernel_view_s
{
  const kernel_scene_t * scene;
  kernel_timeline_t timeline;
  kernel_mode_t mode;
  double distance;             // KERNEL_MODE_CLEARANCE
  double lower;                // smallest certified distance of all leaves so far (CLEARANCE)
  bool has_horizon;            // intervals at or after it may be skipped
  uint32_t horizon_segment;
  double horizon_fraction;
  uint32_t pair, serial;       // the open pair, and a number that no other one had
  const kernel_path_t * path;  // of the pair
  vouch_pair_kind_t kind;      // of the pair
  const vouch_geometry_t * geometry_a;   // of the pair
  kernel_goal_t stack[KERNEL_STACK];
  uint32_t stack_size;
  bool abandoned;              // a goal of the open pair was given up
  kernel_steps_t steps;        // what was closed, one stretch after the other (proof/ops.h)
  bool ops_failed;             // memory ran out: they are incomplete
  /* What is known of the interval and the node of A that were asked about last. */
  uint32_t known_interval, known_node;
  uint32_t ends[2];            // configurations there; VOUCH_NONE: memory is used up
  const rigid_t * middle;      // A in the frame of B; NULL: not asked yet, or memory is used up
  vec3_t centers[2];           // of the node's ball there
  double bend, travel;         // C and l of the interval
  double radius;               // of the node's ball
  kernel_contained_t contained;
  uint64_t leaves, tests;
} kernel_view_t;

/// The view is where the handle points to.
static inline const kernel_view_t * kernel_view(const kernel_proof_t * proof)
{
  return (const kernel_view_t *)proof;
}

vouch_ret_t kernel_proof_create(
  kernel_proof_t ** proof, const kernel_scene_t * scene, vouch_allocator_t allocator,
  size_t memory) VOUCH_WARN_UNUSED;
void kernel_proof_destroy(kernel_proof_t * proof);

/// What is to be proved from now on, and whether steps are recorded.
typedef struct kernel_phase_s
{
  kernel_mode_t mode;
  double distance;             // KERNEL_MODE_CLEARANCE
  bool proved_free;            // KERNEL_MODE_CLEARANCE: and so was this motion, open meshes included
  bool record;
} kernel_phase_t;

/// Without a horizon, and with nothing certified yet.
void kernel_proof_phase(kernel_proof_t * proof, const kernel_phase_t * phase);
/// KERNEL_MODE_CLEARANCE: another distance for the leaves to come.
void kernel_proof_distance(kernel_proof_t * proof, double distance);
/// From now on what is at or after this place may be skipped, and no pair counts as proved.
void kernel_proof_horizon(kernel_proof_t * proof, uint32_t segment, double fraction);

/// A new check: takes the problem's motion, checks the floating-point environment of this thread.
vouch_ret_t kernel_proof_begin(kernel_proof_t * proof) VOUCH_WARN_UNUSED;

/// The same where the motion and the frames are those of the last check, by their numbers: the
/// timeline stays. False: they are not, or it is too full to stay.
bool kernel_proof_can_stay(const kernel_proof_t * proof);
vouch_ret_t kernel_proof_again(kernel_proof_t * proof) VOUCH_WARN_UNUSED;

/// Another view of another problem with as many frames; kernel_proof_begin() or _again() comes next.
void kernel_proof_rebind(kernel_proof_t * proof, const kernel_scene_t * scene);

/// Forgets the steps that were recorded.
void kernel_proof_forget(kernel_proof_t * proof);

/// Opens a pair: afterwards its goals are on the stack (none if nothing of it is checked).
void kernel_proof_open(kernel_proof_t * proof, uint32_t pair);
/// The goal to work on; NULL when the pair is proved.
static inline const kernel_goal_t * kernel_proof_goal(const kernel_proof_t * proof)
{
  const kernel_view_t * v = kernel_view(proof);
  return v->stack_size > 0 ? &v->stack[v->stack_size - 1u] : NULL;
}
/// Leaves a direction with the goal, for its children.
void kernel_proof_hint(kernel_proof_t * proof, vec3_t n);

/// Opens a pair with one goal that the caller names (re-certification, files, searches for a
/// distance). What is closed from there on proves that goal only.
void kernel_proof_open_at(kernel_proof_t * proof, uint32_t pair, const kernel_goal_t * goal);

/// The pair that was opened last is done with. True: it is proved: every goal closed, opened at its
/// roots, nothing skipped. To be asked once.
bool kernel_proof_finish(kernel_proof_t * proof);

/// The verdict FREE, and there is no other way to it: every pair of the scene was proved by one of
/// these proofs, for the scene and the motion as they are now.
bool kernel_free(kernel_proof_t * const * proofs, uint32_t count);

/// Keeps what kernel_free() is about, if it was recorded; the proofs may lose their steps.
bool kernel_keep(kernel_kept_t * kept, kernel_proof_t * const * proofs, uint32_t count);

/// Steps (section 3). All require a goal. DONE: the goal on top is replaced by goals that together
/// contain it, and the step is written; anything else: stack and steps are as they were.
///
/// The two halves of its time.
kernel_step_result_t kernel_split_time(kernel_proof_t * proof);
/// [L7, L8] The children of A's node; of B's, or of the group, or the body of a group's leaf.
kernel_step_result_t kernel_descend_a(kernel_proof_t * proof);
kernel_step_result_t kernel_descend_b(kernel_proof_t * proof);

/// Leaves. True: the goal on top is proved on all of its time, closed and written; a goal across a
/// start is never closed [L10]. False: nothing changed.
///
/// [L2, L3] Chord test, or the first-order test, along n.
bool kernel_close_chord(kernel_proof_t * proof, vec3_t n);
/// [L3] Schwarzer's test with a direction at each end.
bool kernel_close_schwarzer(kernel_proof_t * proof, vec3_t n_begin, vec3_t n_end);
/// [L9] Plane and half-space.
bool kernel_close_plane(kernel_proof_t * proof, bool negative_side);

#define KERNEL_WHOLE SIZE_MAX
/// [K-COPY] Closes the goal on top with steps of an earlier proof, if they closed a goal with the same
/// numbers that asked for no less: those of one mark of the old pair, or all of them.
bool kernel_close_kept(
  kernel_proof_t * proof, const kernel_kept_t * kept, uint32_t pair, size_t mark);
/// Leaves a goal at or after the horizon alone.
bool kernel_skip(kernel_proof_t * proof);
/// Gives a goal up: the pair is not proved any more.
void kernel_abandon(kernel_proof_t * proof);

/* What the search wants to know; no promise attached. */

static inline const vouch_pair_t * kernel_pair(const kernel_proof_t * proof)
{
  return &kernel_view(proof)->scene->problem->scene.pairs[kernel_view(proof)->pair];
}
static inline const vouch_geometry_t * kernel_geometry_a(const kernel_proof_t * proof)
{
  return kernel_view(proof)->geometry_a;
}
/// NULL while b is a group, and for planes.
static inline const vouch_geometry_t * kernel_geometry_b(
  const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return goal->body_b == VOUCH_NONE ? NULL : kernel_view(proof)->scene->geometries[goal->body_b];
}
/// Makes the halves of an interval, for who wants to look at them. False: depth or memory is used up.
bool kernel_halve(kernel_proof_t * proof, uint32_t interval);
/// Poses of all frames at the ends and in the middle of an interval; NULL: memory is used up.
const rigid_t * kernel_poses_begin(kernel_proof_t * proof, uint32_t interval);
const rigid_t * kernel_poses_end(kernel_proof_t * proof, uint32_t interval);
const rigid_t * kernel_poses_middle(kernel_proof_t * proof, uint32_t interval);
static inline const kernel_interval_t * kernel_interval(
  const kernel_proof_t * proof, uint32_t number)
{
  return &kernel_view(proof)->timeline.intervals[number];
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
  const kernel_view_t * v = kernel_view(proof);
  if (v->known_interval != goal->interval || v->known_node != goal->a) {
    kernel_find_out(proof, goal);
  }
}
/// Ensures: ends are the configurations at the ends of the goal's interval. False: no memory is left.
static inline bool kernel_know_ends(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  const kernel_view_t * v = kernel_view(proof);
  return v->ends[0] != VOUCH_NONE && v->ends[1] != VOUCH_NONE;
}
/// The pose in the middle, kept likewise; NULL: memory is used up.
const rigid_t * kernel_find_middle(kernel_proof_t * proof);
static inline const rigid_t * kernel_know_middle(
  kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  const rigid_t * middle = kernel_view(proof)->middle;
  return middle != NULL ? middle : kernel_find_middle(proof);
}
/// A start strictly inside the interval: only splitting is allowed (L10).
static inline bool kernel_usable(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return !kernel_interval(proof, goal->interval)->start_inside;
}
/// C and l of the goal.
static inline double kernel_bend(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  return kernel_view(proof)->bend;
}
static inline double kernel_travel(kernel_proof_t * proof, const kernel_goal_t * goal)
{
  kernel_know(proof, goal);
  return kernel_view(proof)->travel;
}
/// [L11] Metres by which the goal's two sides grow together in a second.
static inline double kernel_growth(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  const kernel_scene_t * scene = kernel_view(proof)->scene;
  const vouch_body_t * bodies = scene->problem->scene.bodies;
  return !scene->grows ? 0.0 : bodies[kernel_pair(proof)->a].growth +
         (goal->body_b != VOUCH_NONE ? bodies[goal->body_b].growth : scene->group_growth[goal->b]);
}
/// [L11] How far both have grown when the goal's interval ends, rounded up.
double kernel_grown(const kernel_proof_t * proof, const kernel_goal_t * goal);
/// What is to remain besides the margin: tolerances, and what has grown.
static inline double kernel_deviation(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  const kernel_view_t * v = kernel_view(proof);
  return v->scene->grows ? v->path->tolerance + kernel_grown(proof, goal) : v->path->tolerance;
}
/// Metres that must remain for this goal: margin + tolerance + growth, or the clearance distance.
static inline double kernel_charge(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  const kernel_view_t * v = kernel_view(proof);
  return v->mode == KERNEL_MODE_CLEARANCE ? v->distance :
         goal->margin + kernel_deviation(proof, goal);
}
/// [L2] The pair's bodies may overlap: nothing is claimed about what is inside what.
static inline bool kernel_may_touch(const kernel_proof_t * proof)
{
  return kernel_pair(proof)->margin < 0.0;
}
static inline double kernel_rounding(const kernel_proof_t * proof)
{
  return kernel_view(proof)->path->rounding;
}
/// How far rounding can displace a point of A in the frame of B.
static inline double kernel_error(const kernel_proof_t * proof)
{
  return kernel_view(proof)->path->error;
}
/// min over B of n . y, in the frame of B.
double kernel_support_b(const kernel_proof_t * proof, const kernel_goal_t * goal, vec3_t n);

#endif  // KERNEL__PROOF_H_
