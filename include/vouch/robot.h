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

/* A robot: links with collision geometry, joints, and which pairs need no check.
 *
 * Loaded once from URDF (and SRDF), immutable afterwards except for the calls that say otherwise,
 * shared freely between threads. Everything that was not understood is an error, never dropped. */

#ifndef VOUCH__ROBOT_H_
#define VOUCH__ROBOT_H_

#include "vouch/shape.h"
#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vouch_robot_s vouch_robot_t;

/// package://name/rest is looked up as directory/rest.
typedef struct vouch_package_s
{
  const char * name;
  const char * directory;
} vouch_package_t;

/// A link with its own padding (metres around it, environment pairs only) or scale (about its origin).
typedef struct vouch_link_value_s
{
  const char * link;
  double value;
} vouch_link_value_t;

typedef struct vouch_robot_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  /// SRDF: a file, or its text (which wins); both NULL: parent-child pairs are not checked.
  const char * srdf_path;
  const char * srdf_text;
  /// Searched before AMENT_PREFIX_PATH and the directories above the description.
  const vouch_package_t * packages;
  size_t package_count;
  /// Take the convex hull of every mesh on purpose (said in the warnings).
  bool hulls;
  /// Open meshes are meant as surfaces; otherwise a start inside their hull stays UNDECIDED.
  bool surfaces;
  /// Where built trees are kept between runs, by content hash; NULL: no cache. Not used (with a
  /// warning) when it is another user's or others may write to it. Give none where others shall
  /// believe the certificate: what is in the cache is not read from the mesh files again.
  const char * cache_directory;
  double default_padding_m;
  const vouch_link_value_t * paddings;
  size_t padding_count;
  const vouch_link_value_t * scales;
  size_t scale_count;
  /// Joints and links only: collision geometry comes later through vouch_robot_set_link_shapes().
  bool ignore_geometry;
} vouch_robot_options_t;

VOUCH_PUBLIC vouch_robot_options_t vouch_robot_options_default(void);

/// Loads a URDF file. Errors name file and line, link or joint.
VOUCH_PUBLIC vouch_ret_t vouch_robot_load_urdf(
  vouch_robot_t ** robot, const char * path,
  const vouch_robot_options_t * options) VOUCH_WARN_UNUSED;

/// The same from text; relative mesh paths start at base_directory (NULL: refused).
VOUCH_PUBLIC vouch_ret_t vouch_robot_parse_urdf(
  vouch_robot_t ** robot, const char * text, size_t size, const char * base_directory,
  const vouch_robot_options_t * options) VOUCH_WARN_UNUSED;

VOUCH_PUBLIC void vouch_robot_destroy(vouch_robot_t * robot);

/// Replaces the collision shapes of one link. Not while a checker of this robot runs; those that were
/// made before answer INVALID from then on.
VOUCH_PUBLIC vouch_ret_t vouch_robot_set_link_shapes(
  vouch_robot_t * robot, const char * link, const vouch_shape_t * shapes,
  const vouch_pose_t * poses, size_t count) VOUCH_WARN_UNUSED;

VOUCH_PUBLIC const char * vouch_robot_name(const vouch_robot_t * robot);
VOUCH_PUBLIC const char * vouch_robot_root_link(const vouch_robot_t * robot);
VOUCH_PUBLIC size_t vouch_robot_link_count(const vouch_robot_t * robot);
VOUCH_PUBLIC const char * vouch_robot_link_name(const vouch_robot_t * robot, size_t link);

/// Variables: the joints that move by themselves (not fixed, not mimic), parents before children.
VOUCH_PUBLIC size_t vouch_robot_variable_count(const vouch_robot_t * robot);
VOUCH_PUBLIC const char * vouch_robot_variable_name(const vouch_robot_t * robot, size_t variable);
/// The number of a variable, or -1.
VOUCH_PUBLIC int vouch_robot_find_variable(const vouch_robot_t * robot, const char * name);
/// Limits as the URDF gives them; false when there are none.
VOUCH_PUBLIC bool vouch_robot_variable_limits(
  const vouch_robot_t * robot, size_t variable, double * lower, double * upper);

/// Values of an SRDF group state; joints it does not name stay as they are in `values`.
VOUCH_PUBLIC vouch_ret_t vouch_robot_group_state(
  const vouch_robot_t * robot, const char * group, const char * state,
  double * values) VOUCH_WARN_UNUSED;

/// Which variables an SRDF group moves: its joints, those above its links, its chains and its groups.
/// INVALID when there is no such group; the sentence lists those that there are.
VOUCH_PUBLIC vouch_ret_t vouch_robot_group_moving(
  const vouch_robot_t * robot, const char * group, bool * moving) VOUCH_WARN_UNUSED;

/// What loading wants a person to know (open mesh, link without geometry, no SRDF, millimetres?).
VOUCH_PUBLIC size_t vouch_robot_warning_count(const vouch_robot_t * robot);
VOUCH_PUBLIC const char * vouch_robot_warning(const vouch_robot_t * robot, size_t number);

/// SHA-256 over joints, geometry and disabled pairs.
VOUCH_PUBLIC void vouch_robot_hash(const vouch_robot_t * robot, uint8_t digest[32]);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__ROBOT_H_
