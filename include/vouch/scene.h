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

/* A scene: obstacles, attached objects, allowed pairs and padding around one robot.
 *
 * Mutable until a checker is created from it; a checker keeps its own copy, so that a scene can be
 * changed afterwards and a new checker made. Every change raises the revision by one. */

#ifndef VOUCH__SCENE_H_
#define VOUCH__SCENE_H_

#include "vouch/robot.h"
#include "vouch/shape.h"
#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vouch_scene_s vouch_scene_t;

typedef struct vouch_scene_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  bool hulls;      // as in vouch_robot_options_t, for scene meshes
  bool surfaces;
  const char * base_directory;   // for mesh files named in scene files; NULL: the file's own
} vouch_scene_options_t;

VOUCH_PUBLIC vouch_scene_options_t vouch_scene_options_default(void);

/// The robot must outlive the scene.
VOUCH_PUBLIC vouch_ret_t vouch_scene_create(
  vouch_scene_t ** scene, const vouch_robot_t * robot,
  const vouch_scene_options_t * options) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_clone(
  vouch_scene_t ** copy, const vouch_scene_t * scene) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_scene_destroy(vouch_scene_t * scene);

/// Applies a file: MoveIt PlanningScene (YAML or JSON), or our own JSON; full or diff (is_diff).
/// On failure the scene is as it was before.
VOUCH_PUBLIC vouch_ret_t vouch_scene_load(
  vouch_scene_t * scene, const char * path) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_parse(
  vouch_scene_t * scene, const char * text, size_t size) VOUCH_WARN_UNUSED;

/// An object: shapes posed in the object's frame, the object posed in `frame` (NULL or "": the
/// robot's root; a link; a name of vouch_scene_set_transform()). An existing id is replaced.
VOUCH_PUBLIC vouch_ret_t vouch_scene_add_object(
  vouch_scene_t * scene, const char * id, const char * frame, const vouch_pose_t * pose,
  const vouch_shape_t * shapes, const vouch_pose_t * shape_poses,
  size_t count) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_append_object(
  vouch_scene_t * scene, const char * id, const vouch_shape_t * shapes,
  const vouch_pose_t * shape_poses, size_t count) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_move_object(
  vouch_scene_t * scene, const char * id, const char * frame,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// id NULL or "": every object that is not attached, but not the octomap. Explicit entries of the matrix go with their object.
VOUCH_PUBLIC vouch_ret_t vouch_scene_remove_object(
  vouch_scene_t * scene, const char * id) VOUCH_WARN_UNUSED;

/// An octomap, as octomap_msgs/Octomap carries one: OctoMap's stream of a tree, without its header.
typedef struct vouch_octomap_s
{
  const char * id;        // the kind of tree: "OcTree"
  bool binary;            // occupied, free or unknown; else probabilities
  double resolution_m;    // the side of the smallest cells
  const uint8_t * data;
  size_t size;            // 0: there is no octomap
} vouch_octomap_t;

#define VOUCH_OCTOMAP_ID "<octomap>"

/// Replaces the object VOUCH_OCTOMAP_ID, MoveIt's name for it, by the occupied cells as boxes; without
/// any, it is removed. Cells that were never seen count as free, as in MoveIt.
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_octomap(
  vouch_scene_t * scene, const char * frame, const vouch_pose_t * pose,
  const vouch_octomap_t * octomap) VOUCH_WARN_UNUSED;

/// Attaches an object of the scene to a link (its pose is then read in that link's frame when it
/// was added with frame = link, else converted at the scene's state). Touch links (links, or
/// objects that links hold; never objects of the world) are not checked against it, nor is the link itself.
VOUCH_PUBLIC vouch_ret_t vouch_scene_attach_object(
  vouch_scene_t * scene, const char * id, const char * link, const char * const * touch_links,
  size_t touch_count) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_detach_object(
  vouch_scene_t * scene, const char * id) VOUCH_WARN_UNUSED;

/// An explicit entry of the allowed-collision matrix (allowed = not checked); links or objects.
VOUCH_PUBLIC vouch_ret_t vouch_scene_allow_pair(
  vouch_scene_t * scene, const char * a, const char * b, bool allowed) VOUCH_WARN_UNUSED;
/// A default entry for all pairs of `name` without an explicit one.
VOUCH_PUBLIC vouch_ret_t vouch_scene_allow_default(
  vouch_scene_t * scene, const char * name, bool allowed) VOUCH_WARN_UNUSED;
/// Metres around a link or an object in environment pairs.
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_padding(
  vouch_scene_t * scene, const char * name, double metres) VOUCH_WARN_UNUSED;
/// Metres that must remain between two names (links or objects), in the place of the checker's margin and
/// all paddings: at least -0.05. Below 0 they may touch: each two primitives (triangles of meshes) may
/// overlap by so much along some direction, nothing is claimed about what is inside what, and such a pair
/// is never a COLLISION. INVALID for unknown names. It goes with its object.
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_pair_margin(
  vouch_scene_t * scene, const char * a, const char * b, double margin_m) VOUCH_WARN_UNUSED;
/// An object that grows: its shapes are what it is when the motion begins, and t seconds later everything
/// within growth * t of them (a person, something tracked with an uncertain speed). Needs motions with
/// times. Kept when an object of this id is replaced. It is not met by what stands still, as ever.
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_growth(
  vouch_scene_t * scene, const char * id, double metres_per_s) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_transform(
  vouch_scene_t * scene, const char * frame, const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// The state that places objects given in link frames, and joints that a trajectory does not name.
/// One value per robot variable; NaN: unknown.
VOUCH_PUBLIC vouch_ret_t vouch_scene_set_state(
  vouch_scene_t * scene, const double * values) VOUCH_WARN_UNUSED;
/// Copies the state (NaN where unknown).
VOUCH_PUBLIC void vouch_scene_get_state(const vouch_scene_t * scene, double * values);

VOUCH_PUBLIC const vouch_robot_t * vouch_scene_robot(const vouch_scene_t * scene);
VOUCH_PUBLIC uint64_t vouch_scene_revision(const vouch_scene_t * scene);
VOUCH_PUBLIC size_t vouch_scene_object_count(const vouch_scene_t * scene);
VOUCH_PUBLIC const char * vouch_scene_object_id(const vouch_scene_t * scene, size_t number);

/// One object, for reading back; pointers live until the scene changes.
typedef struct vouch_object_view_s
{
  const char * id;
  const char * frame;           // as given; the link when attached
  vouch_pose_t pose;
  const vouch_shape_t * shapes;
  const vouch_pose_t * shape_poses;
  size_t shape_count;
  bool attached;
  const char * const * touch_links;
  size_t touch_count;
  double padding_m;
  double growth_m_s;
} vouch_object_view_t;
VOUCH_PUBLIC bool vouch_scene_object(
  const vouch_scene_t * scene, size_t number, vouch_object_view_t * view);

VOUCH_PUBLIC size_t vouch_scene_warning_count(const vouch_scene_t * scene);
VOUCH_PUBLIC const char * vouch_scene_warning(const vouch_scene_t * scene, size_t number);
/// SHA-256 over what the scene means (not the revision).
VOUCH_PUBLIC void vouch_scene_hash(const vouch_scene_t * scene, uint8_t digest[32]);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__SCENE_H_
