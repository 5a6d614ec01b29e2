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

/* The problem: everything a proof speaks about, as plain data.
 *
 * Four parts, each with its own hash: geometry (shapes and their trees, in their own frames),
 * motion (polynomials of the joint variables in one common time), scene (frames, bodies that ride
 * on them, groups of bodies, the pairs to check and those left out), sources (the files that all
 * this was made from). Nothing here is trusted or derived: radii, balls, epsilons and
 * error bounds are computed from it by kernel/ and, independently, by verify/.
 *
 * What is here is what is in files, field by field, but for what is called "not stored":
 * docs/certificate_format.md. Equal bytes are equal problems. Mathematics: docs/soundness.md.
 *
 * All memory of a part lives in that part's arena. */

#ifndef MODEL__PROBLEM_H_
#define MODEL__PROBLEM_H_

#include "base/memory.h"
#include "base/text.h"
#include "geometry/geometry.h"
#include "vouch/types.h"

#define VOUCH_MAX_COEFFICIENT 65536.0
#define VOUCH_MAX_DEGREE 5
#define VOUCH_MAX_SEGMENTS ((1u << 20) - 1u)
/// Knots are at least so far apart; the verifier refuses what is nearer.
#define VOUCH_MIN_KNOT_STEP 1e-12
/// Less is no touch any more that anybody wants (a permitted touch has a margin below 0).
#define VOUCH_MIN_MARGIN (-0.05)
/// Radians that a joint may turn to: of more the verifier does not bound sine and cosine.
#define VOUCH_MAX_TURN 8e5

/* ---- geometry ---- */

typedef struct vouch_geometry_part_s
{
  vouch_arena_t arena;
  vouch_geometry_t ** geometries;   // each may live in another arena (a robot's, an object's)
  uint32_t geometry_count;
  bool owns_geometries;             // all of them live in this arena (as after decoding)
  uint8_t hash[32];
} vouch_geometry_part_t;

/* ---- scene ---- */

typedef enum vouch_joint_kind_e
{
  VOUCH_JOINT_FIXED = 0,
  VOUCH_JOINT_REVOLUTE = 1,
  VOUCH_JOINT_PRISMATIC = 2
} vouch_joint_kind_t;

/// x_parent = pose * joint(q) * x_frame with q = multiplier * variable + offset; the joint turns
/// about, or moves along, axis/|axis| through its own origin. Frame 0 is the root: fixed, identity.
typedef struct vouch_frame_s
{
  char * name, * owner;   // owner: the robot or object that it belongs to
  uint32_t parent;   // < own index (0 for frame 0)
  vouch_pose_t pose;
  uint8_t joint;     // vouch_joint_kind_t
  double axis[3];
  uint32_t variable;
  double multiplier, offset;
} vouch_frame_t;

typedef enum vouch_body_kind_e
{
  VOUCH_BODY_GEOMETRY = 0,
  VOUCH_BODY_HALFSPACE = 1,   // {x : normal . x <= offset} in the frame
  VOUCH_BODY_PLANE = 2        // {x : normal . x == offset}, two-sided and thin
} vouch_body_kind_t;

typedef struct vouch_body_s
{
  char * name;   // link or object
  char * id;     // stable identity across revisions of the scene
  uint8_t kind;
  uint32_t frame;
  uint32_t geometry;         // VOUCH_NONE: a plane or half-space
  vouch_pose_t placement;    // of the geometry in the frame; planes: of z = 0
  double growth;             // m/s, >= 0: a ball of that radius per second around every point [L11]
  double normal[3], offset;  // half-spaces and planes, from the placement (not stored)
} vouch_body_t;

/// Binary trees over bodies that ride on one frame, one tree behind the other, each in pre-order.
/// Leaf: body != VOUCH_NONE. Else `left` is the next group.
typedef struct vouch_group_s
{
  uint32_t left, right, body;
} vouch_group_t;

/// Why two are not checked against each other. The numbers are those of files.
typedef enum vouch_reason_e
{
  VOUCH_REASON_OWN_PAIR = 0,       // skips only: a pair of its own checks it
  VOUCH_REASON_RIGID = 1,          // nothing between them moves
  VOUCH_REASON_SAME_OBJECT = 2,
  VOUCH_REASON_ADJACENT = 3,       // neighbouring links, where nothing else is said
  VOUCH_REASON_SRDF_ADJACENT = 4,
  VOUCH_REASON_SRDF_NEVER = 5,
  VOUCH_REASON_SRDF_OTHER = 6,
  VOUCH_REASON_MATRIX = 7,         // an entry of the allowed-collision matrix
  VOUCH_REASON_DEFAULT = 8,        // a default of the matrix
  VOUCH_REASON_HELD = 9,           // what is held, and what it may touch
  VOUCH_REASON_ASKED = 10,         // the user said so
  VOUCH_REASON_TWO_PLANES = 11     // cannot be checked: no verdict is FREE
} vouch_reason_t;

#define VOUCH_REASON_COUNT 12

/// What people read.
const char * vouch_reason_text(uint32_t reason);

/// A body of the pair's group that is not checked against the other one of the pair.
typedef struct vouch_skip_s
{
  uint32_t body, reason;
} vouch_skip_t;

/// A number below body_count is a body, from there on a group (group 0 is body_count).
typedef struct vouch_left_out_s
{
  uint32_t a, b, reason;
} vouch_left_out_t;

typedef enum vouch_pair_kind_e
{
  VOUCH_PAIR_BODIES = 0,   // body a against body b
  VOUCH_PAIR_GROUP = 1,    // body a against a group
  VOUCH_PAIR_PLANE = 2     // body a against plane or half-space b
} vouch_pair_kind_t;

/// Seen from the frame of b; a and b as in vouch_left_out_t. `margin` holds all metres that must
/// remain (margin + padding). Below 0, a permitted touch: primitives may overlap by so much, and
/// nothing is said about what is inside what.
typedef struct vouch_pair_s
{
  uint8_t kind;            // follows from b (not stored)
  uint32_t a, b;
  double margin;
  uint32_t skip_count;
  const vouch_skip_t * skips;   // in the order of the group's bodies
  /* Of the group's table: is anything beneath checked? (Not stored; NULL unless b is a group.) */
  const bool * checked;
} vouch_pair_t;

typedef struct vouch_scene_part_s
{
  vouch_arena_t arena;
  char * robot;
  uint64_t revision;
  vouch_frame_t * frames;
  vouch_body_t * bodies;
  vouch_group_t * groups;
  vouch_pair_t * pairs;
  vouch_left_out_t * left_out;
  uint32_t frame_count, body_count, group_count, pair_count, left_out_count;
  uint8_t hash[32];
} vouch_scene_part_t;

/* ---- motion ---- */

/// Segment k: variable v has Bernstein coefficients
/// coefficients[offset[k] + v * (degree[k] + 1) + i], i = 0 .. degree[k], on [knots[k], knots[k+1]].
typedef struct vouch_motion_part_s
{
  vouch_arena_t arena;
  uint64_t serial;        // of the motion it is a copy of, or 0; not stored
  uint64_t accepted;      // the validator's, another number each time; 0: changed since; not stored
  char * model;           // "controller", "planner", "linear", "polynomial": for people
  char ** names;          // variables
  double * tolerances;    // per variable, >= 0
  double * knots;         // segment_count + 1, VOUCH_MIN_KNOT_STEP apart or more
  double * seconds;       // what reports say at each knot
  uint32_t * degrees;
  size_t * offsets;       // not stored
  double * coefficients;
  uint32_t variable_count, segment_count;
  size_t segment_capacity, coefficient_capacity;   // what there is room for; not stored
  bool hashed;            // by a checker, since it was set; not stored
  uint8_t hash[32];
} vouch_motion_part_t;

/* ---- sources ---- */

/// A file or message that the problem was made from.
typedef struct vouch_source_s
{
  char * role, * name;
  uint8_t hash[32];
} vouch_source_t;

typedef struct vouch_sources_part_s
{
  vouch_arena_t arena;
  char * writer;          // program and version
  vouch_source_t * sources;
  uint32_t source_count;
  uint8_t hash[32];
} vouch_sources_part_t;

typedef struct vouch_problem_s
{
  vouch_geometry_part_t geometry;
  vouch_scene_part_t scene;
  vouch_motion_part_t motion;
  vouch_sources_part_t sources;
} vouch_problem_t;

/// Releases all parts (not geometries that live in other arenas).
void vouch_problem_fini(vouch_problem_t * problem);

/// Every number finite and within its limits, every index in range, trees tiled, knots increasing,
/// quaternions within 1e-3 of unit length, axes not zero. INVALID with a sentence otherwise.
vouch_ret_t vouch_problem_validate(const vouch_problem_t * problem) VOUCH_WARN_UNUSED;

/// The rules of the numbers of a motion alone; sets `accepted`, without which nothing is proved
/// about it. Whoever changes a part sets that to 0 first.
vouch_ret_t vouch_motion_part_validate(vouch_motion_part_t * part) VOUCH_WARN_UNUSED;

/// Appends the body of one part, as in the file.
void vouch_geometry_part_encode(const vouch_geometry_part_t * part, vouch_text_t * out);
void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out);
void vouch_scene_part_encode(const vouch_scene_part_t * part, vouch_text_t * out);
void vouch_sources_part_encode(const vouch_sources_part_t * part, vouch_text_t * out);

/// Sets the four hashes from the encoded bytes.
vouch_ret_t vouch_problem_hash(vouch_problem_t * problem) VOUCH_WARN_UNUSED;

/// Appends header, geometry, scene and sources. Returns where between them the motion belongs: what
/// vouch_problem_encode_motion() appends, put there, makes the file whole.
size_t vouch_problem_encode_fixed(const vouch_problem_t * problem, vouch_text_t * out);
void vouch_problem_encode_motion(const vouch_problem_t * problem, vouch_text_t * out);
/// What to say of so many bytes.
vouch_ret_t vouch_problem_size_check(bool failed, size_t size) VOUCH_WARN_UNUSED;
/// Appends the whole file: header and four parts.
vouch_ret_t vouch_problem_encode(
  const vouch_problem_t * problem, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// What is checked beneath each group: `checked`, one entry a group of the scene, for a pair against
/// a group whose skips are given. Entries of other trees are not touched.
void vouch_pair_mark_checked(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, bool * checked);

/// The first group of the tree that the number names; VOUCH_NONE: it is a body's.
static inline uint32_t vouch_group_of(const vouch_scene_part_t * scene, uint32_t number)
{
  return number < scene->body_count ? VOUCH_NONE : number - scene->body_count;
}

/// The group behind the last one beneath `group`.
uint32_t vouch_group_end(const vouch_scene_part_t * scene, uint32_t group);

/// Any body of the group.
static inline uint32_t vouch_group_any(const vouch_scene_part_t * scene, uint32_t group)
{
  while (scene->groups[group].body == VOUCH_NONE) {
    group++;
  }
  return scene->groups[group].body;
}

/// Sets normal and offset of a half-space or plane from its placement.
void vouch_plane_from_placement(vouch_body_t * body);
/// Places a half-space or plane where normal and offset say, up to rounding; then the placement is
/// what is meant, and they are set from it.
void vouch_plane_place(vouch_body_t * body);

/// Reads a whole file, validates it, sets the hashes; writing it again gives the same bytes.
vouch_ret_t vouch_problem_decode(
  vouch_problem_t * problem, vouch_allocator_t allocator, const void * data,
  size_t size) VOUCH_WARN_UNUSED;

/// The text form for people: every number exact (%a beside %.17g).
vouch_ret_t vouch_problem_dump(
  const vouch_problem_t * problem, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// SHA-256 over the four part hashes.
void vouch_problem_digest(const vouch_problem_t * problem, uint8_t digest[32]);

#endif  // MODEL__PROBLEM_H_
