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

/* The scene as plain data, changed by model/scene*.c and read by model/build.c.
 *
 * What an object is made of (its shapes and the geometry built over them) never changes after it
 * was made and is shared between clones of a scene; where it is and what it rides on belongs to
 * each scene. */

#ifndef MODEL__SCENE_H_
#define MODEL__SCENE_H_

#include <stdatomic.h>

#include "base/memory.h"
#include "geometry/geometry.h"
#include "model/allowed.h"
#include "model/name_index.h"
#include "model/robot.h"
#include "model/sources.h"
#include "vouch/scene.h"

/// Shapes and geometry of one object. Immutable and counted, because checkers keep clones.
typedef struct vouch_object_body_s
{
  atomic_uint references;
  vouch_allocator_t allocator;
  vouch_arena_t arena;
  vouch_shape_t * shapes;        // points and triangles in the arena
  vouch_pose_t * shape_poses;    // in the object's frame
  size_t shape_count;
  size_t plane_count;            // shapes that are planes or half-spaces
  bool has_geometry;             // false: planes and half-spaces only
  vouch_geometry_t geometry;     // all other shapes, in the object's frame
  vouch_geometry_facts_t facts;
} vouch_object_body_t;

typedef struct vouch_object_s
{
  char * id;
  char * frame;             // "" : planning frame; the link when attached
  vouch_pose_t pose;        // of the object in that frame
  uint32_t link;            // attached to; VOUCH_NONE: an obstacle
  char ** touch_links;
  size_t touch_count;
  double padding_m;
  double growth;            // m/s
  bool fresh;               // added since the scene was cloned, as it is for every file
  vouch_object_body_t * body;
} vouch_object_t;

typedef struct vouch_transform_s
{
  char * name;
  vouch_pose_t pose;   // in the planning frame
  bool fresh;          // set by the file that is being read; a clone has none
} vouch_transform_t;

typedef struct vouch_scene_warning_s
{
  char * object;   // goes away with this object; NULL: stays
  char * text;
} vouch_scene_warning_t;

/// Two names whose margin the user gave.
typedef struct vouch_pair_margin_s
{
  char * a, * b;
  double margin_m;
} vouch_pair_margin_t;

struct vouch_scene_s
{
  vouch_allocator_t allocator;
  const vouch_robot_t * robot;
  bool hulls, surfaces;
  char * base_directory;   // NULL: the file's own
  uint64_t revision;
  uint32_t wholes;         // files that were whole scenes, each of which threw away what was there
  vouch_object_t * objects;
  size_t object_count, object_capacity;
  vouch_name_index_t names;   // of the objects
  vouch_transform_t * transforms;
  size_t transform_count, transform_capacity;
  vouch_allowed_t allowed;
  vouch_pair_margin_t * margins;
  size_t margin_count, margin_capacity;
  double * link_padding;   // per link; NaN: the robot's own
  double * state;          // per variable; NaN: unknown
  double * velocities;     // per variable, of that state; 0: at rest, or not said
  vouch_pose_t * held;     // per joint: where a planar or floating one is held (others: identity)
  bool * held_known;       // per joint: somebody said so
  vouch_pose_t base;       // of the robot's root in the planning frame (the virtual joint)
  bool base_known;         // somebody said so; else it is the identity
  vouch_sources_t sources; // files since the last whole one, itself included
  vouch_scene_warning_t * warnings;
  size_t warning_count, warning_capacity;
};

/// Number of an object, or VOUCH_NONE.
size_t vouch_scene_find(const vouch_scene_t * scene, const char * id);
/// Forgets objects (attached ones too if asked), pairs, padding and transforms; keeps the state.
void vouch_scene_clear(vouch_scene_t * scene, bool attached_too);
/// Forgets the matrix, and what is told about it under this name.
#define VOUCH_MATRIX "<allowed_collision_matrix>"
void vouch_scene_clear_allowed(vouch_scene_t * scene);
/// The margin that was given to two names; false: none.
bool vouch_scene_pair_margin(
  const vouch_scene_t * scene, const char * a, const char * b, double * margin_m);
/// Forgets the margins of a name; NULL: all.
void vouch_scene_forget_margins(vouch_scene_t * scene, const char * name);
vouch_ret_t vouch_scene_copy_margins(
  vouch_scene_t * copy, const vouch_scene_t * scene) VOUCH_WARN_UNUSED;
void vouch_scene_hash_margins(const vouch_scene_t * scene, uint8_t digest[32]);
/// Puts `source` in the place of `scene` and destroys what `scene` was; `source` is then gone.
void vouch_scene_replace(vouch_scene_t * scene, vouch_scene_t * source);
/// Where a planar, floating or the virtual joint is held.
/// INVALID for other names, unless the pose is the identity.
vouch_ret_t vouch_scene_hold_joint(
  vouch_scene_t * scene, const char * joint, const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// Appends a warning (printf format) that goes away with `object` (NULL: stays).
vouch_ret_t vouch_scene_warn(
  vouch_scene_t * scene, const char * object, const char * format, ...)
__attribute__((format(printf, 3, 4), warn_unused_result));
/// Those of one object.
void vouch_scene_forget_warnings(vouch_scene_t * scene, const char * object);
/// Whether it is a link or an object.
bool vouch_scene_has_name(const vouch_scene_t * scene, const char * name);
/// Which link or object a name that nobody has may mean, as a question; nothing where it is not clear.
const char * vouch_scene_question(const vouch_scene_t * scene, const char * name, char text[160]);
/// Warns of names in the matrix that are neither links nor objects.
vouch_ret_t vouch_scene_warn_names(vouch_scene_t * scene) VOUCH_WARN_UNUSED;

/// The link that a frame is, or VOUCH_NONE; the planning frame is none, although a link may be called so.
uint32_t vouch_scene_frame_link(const vouch_scene_t * scene, const char * frame);
/// True when a name is a frame that objects may be given in.
bool vouch_scene_knows_frame(const vouch_scene_t * scene, const char * frame);
/// Pose of a frame in the robot's root frame, at the scene's state.
/// INVALID (naming the joint) when a joint between them is unknown.
vouch_ret_t vouch_scene_frame_pose(
  const vouch_scene_t * scene, const char * frame, vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// Pose of link `to` seen from link `from`; only the joints between the two need be known.
vouch_ret_t vouch_scene_link_relative(
  const vouch_scene_t * scene, uint32_t from, uint32_t to,
  vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// INVALID when nobody said where a planar or floating joint is.
vouch_ret_t vouch_scene_check_held(const vouch_scene_t * scene, uint32_t joint) VOUCH_WARN_UNUSED;
/// The origin of a joint with the pose in which a planar or floating joint is held.
vouch_pose_t vouch_scene_joint_origin(const vouch_scene_t * scene, uint32_t joint);

/// Where an object is: on its link, or in frame 0. INVALID when its frame is unknown or it is too far.
/// (model/build.c)
vouch_ret_t vouch_build_placement(
  const vouch_scene_t * scene, const vouch_object_t * object,
  vouch_pose_t * placement) VOUCH_WARN_UNUSED;

/// Finite, within 1e6 m, quaternion within 1e-3 of unit length; else INVALID, `what` in front.
vouch_ret_t vouch_pose_validate(const vouch_pose_t * pose, const char * what) VOUCH_WARN_UNUSED;
/// Exactly no translation and no rotation.
bool vouch_pose_is_identity(const vouch_pose_t * pose);
vouch_pose_t vouch_pose_inverse(const vouch_pose_t * pose);
/// a * b with a quaternion of unit length up to rounding.
vouch_pose_t vouch_pose_product(const vouch_pose_t * a, const vouch_pose_t * b);

/// Makes (one reference), shares and releases what an object is made of. Errors name the shape.
vouch_ret_t vouch_object_body_create(
  vouch_object_body_t ** out, const vouch_scene_t * scene, const vouch_shape_t * shapes,
  const vouch_pose_t * poses, size_t count) VOUCH_WARN_UNUSED;
void vouch_object_body_retain(vouch_object_body_t * body);
void vouch_object_body_release(vouch_object_body_t * body);
/// The plane or half-space of a shape in the object's frame: normal . x = offset, |normal| = 1.
void vouch_shape_plane(
  const vouch_shape_t * shape, const vouch_pose_t * pose, double normal[3], double * offset);

/// What to do with an object, numbered as in moveit_msgs/CollisionObject.
enum
{
  VOUCH_OPERATION_ADD = 0,
  VOUCH_OPERATION_REMOVE = 1,
  VOUCH_OPERATION_APPEND = 2,
  VOUCH_OPERATION_MOVE = 3
};

/// What a file or a message says of an object.
typedef struct vouch_object_change_s
{
  const char * id;
  const char * frame;
  vouch_pose_t pose;
  const vouch_shape_t * shapes;
  vouch_pose_t * poses;    // of the shapes; may be changed
  size_t count;
  int operation;
  bool in_place;           // an append that says of itself that its poses are seen from the object
  bool keeps_world;        // of a start state, which leaves the world as it is
} vouch_object_change_t;

/// INVALID when an object with this id was added since the scene was cloned, as it is for every file
/// and every message: one of the two would be lost.
vouch_ret_t vouch_scene_check_new(const vouch_scene_t * scene, const char * id) VOUCH_WARN_UNUSED;
/// An object of the world.
vouch_ret_t vouch_scene_change_object(
  vouch_scene_t * scene, vouch_object_change_t * object) VOUCH_WARN_UNUSED;
/// One that a link holds.
vouch_ret_t vouch_scene_change_attached(
  vouch_scene_t * scene, vouch_object_change_t * object, const char * link,
  const char * const * touch_links, size_t touch_count) VOUCH_WARN_UNUSED;

/// An object of the world in the frame of a link that can move: from now on it stands in the planning
/// frame, where the state has the link now, as in MoveIt. Where that is not known it stays as it is.
vouch_ret_t vouch_scene_settle(vouch_scene_t * scene, const char * id) VOUCH_WARN_UNUSED;
/// After a whole matrix: in MoveIt it takes the place of the SRDF's, so pairs of links that only the SRDF
/// leaves out get an entry that says "check". Told by a warning.
vouch_ret_t vouch_scene_check_unnamed(vouch_scene_t * scene) VOUCH_WARN_UNUSED;

/// True when an object has the name of a link that has a body. The matrix and touch links go by
/// name: they mean the link, so that leaving it out does not leave out the object too.
bool vouch_scene_is_namesake(const vouch_scene_t * scene, const char * object);

/// Why this pair of names is left out: explicit entry, else SRDF (two links), else defaults;
/// VOUCH_REASON_OWN_PAIR: it is not. `a` and `b` are numbers of links, or VOUCH_NONE for objects.
vouch_reason_t vouch_scene_pair_reason(
  const vouch_scene_t * scene, const char * name_a, uint32_t a, const char * name_b, uint32_t b);

static inline bool vouch_scene_pair_allowed(
  const vouch_scene_t * scene, const char * name_a, uint32_t a, const char * name_b, uint32_t b)
{
  return vouch_scene_pair_reason(scene, name_a, a, name_b, b) != VOUCH_REASON_OWN_PAIR;
}

#endif  // MODEL__SCENE_H_
