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

/* From robot, scene and motion to the problem that is proved (and hashed, and archived).
 *
 * Frames: frame 0 is the robot's root link; every other link has a frame with its joint. Planar and
 * floating joints are fixed at the identity (or the state's multi-DOF pose). Attached objects ride
 * on their link's frame with a placement. Obstacles ride on frame 0 with a placement.
 * Bodies: links with geometry, then attached objects, then obstacles (in the scene's order), planes last.
 * Pairs (a, b): b is the body nearer the root (fewer joints above it, then the lower index). Each moving
 * link or attached object against the obstacle tree is one GROUP pair; planes are pairs of their
 * own; allowed pairs are left out; pairs with no joint between them are listed as static. */

#ifndef MODEL__BUILD_H_
#define MODEL__BUILD_H_

#include "model/motion.h"
#include "model/problem.h"
#include "vouch/scene.h"

typedef struct vouch_static_entry_s
{
  uint32_t a, b;   // bodies
  double margin;
} vouch_static_entry_t;

typedef struct vouch_unsupported_entry_s
{
  uint32_t a, b;   // plane against plane that moves: makes every verdict UNDECIDED
} vouch_unsupported_entry_t;

/// What of an earlier problem is found again in this one; all NULL when there was none. A link is
/// about bytes: `same` means that nothing a proof could speak of differs.
typedef struct vouch_build_links_s
{
  uint32_t * body;     // per body: the earlier one with its id, or VOUCH_NONE
  bool * same;         // per body: that one is the same to the bit
  uint32_t * group;    // per group: the earlier one that it is, less what went away, or VOUCH_NONE
  uint32_t * around;   // per group: the largest earlier one of which nothing else is left
  uint32_t * stayed;   // per earlier group: how many obstacles below it stayed the same
} vouch_build_links_t;

typedef struct vouch_build_s
{
  vouch_problem_t problem;        // motion part empty until vouch_build_set_motion()
  vouch_static_entry_t * statics;
  size_t static_count;
  vouch_unsupported_entry_t * unsupported;
  size_t unsupported_count;
  vouch_build_links_t links;
  vouch_arena_t arena;            // of the lists above
} vouch_build_t;

/// Geometry and scene part. The robot's and the scene's geometries are shared, not copied: both
/// must outlive the build. tolerances are not needed here.
vouch_ret_t vouch_build_scene(
  vouch_build_t * build, const vouch_scene_t * scene, double margin_m,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;

/// An earlier problem, much like the one that is built.
typedef struct vouch_build_after_s
{
  const vouch_problem_t * problem;   // of the same robot; NULL: there is none
  bool moved_stay;                   // obstacles that changed keep their places too, if few did
} vouch_build_after_t;

/// The same for a scene that was another one before: obstacles that stayed keep their places in the
/// tree, and build->links says what stayed.
vouch_ret_t vouch_build_scene_again(
  vouch_build_t * build, const vouch_scene_t * scene, double margin_m, vouch_build_after_t after,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;

/// (Re)places the motion part; tolerances: one per robot variable.
vouch_ret_t vouch_build_set_motion(
  vouch_build_t * build, const vouch_motion_t * motion,
  const double * tolerances) VOUCH_WARN_UNUSED;

/// The straight motion from -> to as one linear segment, re-using memory: allocates only the first time.
vouch_ret_t vouch_build_set_edge(
  vouch_build_t * build, const vouch_robot_t * robot, const double * from, const double * to,
  const double * tolerances) VOUCH_WARN_UNUSED;

void vouch_build_fini(vouch_build_t * build);

#endif  // MODEL__BUILD_H_
