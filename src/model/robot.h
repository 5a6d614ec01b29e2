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

/* The robot as plain data, filled by read/urdf.c and read/srdf.c, read by everybody else.
 *
 * Joints are numbered so that a joint's parent link comes earlier: link i > 0 is the child of
 * joint i - 1, link 0 is the root. So the tree needs no search. */

#ifndef MODEL__ROBOT_H_
#define MODEL__ROBOT_H_

#include "base/memory.h"
#include "geometry/geometry.h"
#include "model/allowed.h"
#include "model/problem.h"
#include "model/sources.h"
#include "vouch/robot.h"

typedef enum vouch_urdf_joint_e
{
  VOUCH_URDF_FIXED = 0,
  VOUCH_URDF_REVOLUTE = 1,
  VOUCH_URDF_CONTINUOUS = 2,
  VOUCH_URDF_PRISMATIC = 3,
  VOUCH_URDF_PLANAR = 4,     // held where the start state has it; no variable
  VOUCH_URDF_FLOATING = 5
} vouch_urdf_joint_t;

/// A built geometry with the memory it lives in.
typedef struct vouch_link_geometry_s
{
  vouch_arena_t arena;
  vouch_geometry_t * geometry;   // NULL: no collision geometry
  vouch_geometry_facts_t facts;
  uint8_t digest[32];            // SHA-256 of the encoded geometry
} vouch_link_geometry_t;

typedef struct vouch_link_s
{
  char * name;
  vouch_geometry_t * geometry;   // NULL: no collision geometry
  bool only_visual;              // it can be seen, but not touched
  vouch_geometry_facts_t facts;
  uint8_t digest[32];            // SHA-256 of the encoded geometry; zeros without
  vouch_arena_t arena;           // of the geometry
  double padding_m;
} vouch_link_t;

typedef struct vouch_joint_s
{
  char * name;
  vouch_urdf_joint_t type;
  uint32_t parent;      // link
  uint32_t child;       // link == own index + 1
  vouch_pose_t origin;
  double axis[3];
  uint32_t variable;    // of itself or of its master; VOUCH_NONE for fixed, planar, floating
  bool mimic;
  double multiplier, offset;   // 1, 0 unless mimic (chains of mimic joints multiplied out)
  bool limited;
  double lower, upper;
  double velocity;      // limit in rad/s or m/s; 0: none
} vouch_joint_t;

typedef struct vouch_name_pair_s
{
  char * a;
  char * b;
  char * reason;   // the SRDF's word for it; NULL: none
} vouch_name_pair_t;

typedef struct vouch_group_state_s
{
  char * group;
  char * name;
  uint32_t * variables;
  double * values;
  size_t count;
  bool repeated; // a joint is named twice in it, or there is a second state of this name
  bool places;   // a planar, floating or virtual joint, away from its origin
} vouch_group_state_t;

struct vouch_robot_s
{
  vouch_allocator_t allocator;
  vouch_arena_t arena;   // of names and lists; each link has its own for its geometry
  bool hulls, surfaces;
  char * name;
  vouch_link_t * links;
  size_t link_count;
  vouch_joint_t * joints;   // link_count - 1
  uint32_t * variables;     // joint of each variable, in joint order
  size_t variable_count;
  uint64_t revision;        // how often the shapes of a link were replaced
  /* SRDF */
  bool has_srdf;
  vouch_name_pair_t * disabled;
  size_t disabled_count;
  vouch_name_pair_t * enabled;
  size_t enabled_count;
  char ** default_disabled;   // disable_default_collisions link
  size_t default_disabled_count;
  char ** groups;
  size_t group_count;
  bool * group_members;     // [group * variable_count + variable]: it moves this one
  vouch_group_state_t * group_states;
  size_t group_state_count;
  vouch_package_t * packages;    // as given, for meshes of scenes
  size_t package_count;
  char * virtual_parent_frame;   // NULL: none; a second name of the root frame
  char * virtual_joint;
  bool virtual_moves;            // floating or planar: the base need not stand at the origin
  bool virtual_planar;           // then it stands upright, and at no height
  vouch_sources_t sources;       // files that it was read from
  char ** warnings;
  size_t warning_count, warning_capacity;
};

/// Number of a link, or VOUCH_NONE.
uint32_t vouch_robot_find_link(const vouch_robot_t * robot, const char * name);
/// Number of a joint, or VOUCH_NONE.
uint32_t vouch_robot_find_joint(const vouch_robot_t * robot, const char * name);
/// Appends a warning (printf format).
vouch_ret_t vouch_robot_warn(vouch_robot_t * robot, const char * format, ...)
__attribute__((format(printf, 2, 3), warn_unused_result));
/// Pose of a link in the root frame when the variables have these values (plain floating point, for
/// placing objects). INVALID when a joint above it has no value (NaN, or values NULL).
vouch_ret_t vouch_robot_link_pose(
  const vouch_robot_t * robot, uint32_t link, const double * values,
  vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// SRDF and default rules: is this link pair switched off? (enabled pairs win over defaults,
/// disabled pairs over everything; without SRDF parent-child pairs, through links without geometry
/// too if no more than one joint moves between the two)
bool vouch_robot_pair_disabled(const vouch_robot_t * robot, uint32_t a, uint32_t b);
/// What is said of this very pair, the SRDF's defaults (disable_default_collisions) apart.
vouch_allowed_answer_t vouch_robot_pair_named(const vouch_robot_t * robot, uint32_t a, uint32_t b);
/// Why a disabled pair of links is left out.
vouch_reason_t vouch_robot_pair_reason(const vouch_robot_t * robot, uint32_t a, uint32_t b);

/// Number of an SRDF group, or VOUCH_NONE.
uint32_t vouch_robot_find_group(const vouch_robot_t * robot, const char * name);

/// An empty robot; NULL and the error text when memory is short.
vouch_robot_t * vouch_robot_allocate(const vouch_allocator_t * allocator);
/// Builds what was collected, in an arena of its own; `encoded` (empty, with an allocator) gets its
/// bytes.
vouch_ret_t vouch_link_geometry_build(
  vouch_link_geometry_t * built, vouch_allocator_t allocator, vouch_geometry_builder_t * builder,
  vouch_text_t * encoded) VOUCH_WARN_UNUSED;
/// The link takes over the arena of `built`, and frees what it had.
void vouch_link_adopt(vouch_link_t * link, const vouch_link_geometry_t * built);
/// Warnings about open meshes and suspicious sizes of one link.
vouch_ret_t vouch_robot_warn_geometry(
  vouch_robot_t * robot, const vouch_link_t * link) VOUCH_WARN_UNUSED;

/// Adds one shape with its pose to a builder; planes and half-spaces are refused here.
vouch_ret_t vouch_shape_build(
  vouch_geometry_builder_t * builder, const vouch_shape_t * shape,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

/// The frame in which a scene is given: the virtual joint's parent, else the root link; or empty.
bool vouch_robot_is_planning_frame(const vouch_robot_t * robot, const char * frame);

#endif  // MODEL__ROBOT_H_
