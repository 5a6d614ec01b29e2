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
 * Three parts, each with its own hash: geometry (shapes and their trees, in their own frames),
 * motion (polynomials of the joint variables in one common time), scene (frames, bodies that ride
 * on them, the pairs to check). Nothing here is trusted or derived: radii, balls, epsilons and
 * error bounds are computed from it by kernel/ and, independently, by verify/.
 * Byte layout: docs/certificate_format.md. Mathematics: docs/soundness.md.
 *
 * Files are plainer than what is here. There a body is a fixed frame, behind all others; a plane is
 * a point (one geometry, behind all others, is that of all planes) of another kind; and there are
 * no groups: a pair of a body with the obstacle tree is one pair with each obstacle of it.
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
  char * name;
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
  uint32_t geometry;
  vouch_pose_t placement;    // of the geometry in the frame; planes: of z = 0
  double normal[3], offset;  // half-spaces and planes, from the placement (not stored)
} vouch_body_t;

/// Binary tree over the obstacles that are fixed to frame 0. Leaf: body != VOUCH_NONE.
typedef struct vouch_group_s
{
  uint32_t left, right, body;
} vouch_group_t;

typedef enum vouch_pair_kind_e
{
  VOUCH_PAIR_BODIES = 0,   // body a against body b
  VOUCH_PAIR_GROUP = 1,    // body a against the obstacle tree (b = group 0)
  VOUCH_PAIR_PLANE = 2     // body a against plane or half-space b
} vouch_pair_kind_t;

/// Seen from the frame of b. `margin` holds all metres that must remain (margin + padding).
typedef struct vouch_pair_s
{
  uint8_t kind;
  uint32_t a, b;
  double margin;           // BODIES, PLANE
  double * leaf_margins;   // GROUP: per group node; < 0: not checked; inner nodes: the largest below
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
  uint32_t frame_count, body_count, group_count, pair_count;
  uint8_t hash[32];
} vouch_scene_part_t;

/* ---- motion ---- */

/// Segment k: variable v has Bernstein coefficients
/// coefficients[offset[k] + v * (degree[k] + 1) + i], i = 0 .. degree[k], on [knots[k], knots[k+1]].
typedef struct vouch_motion_part_s
{
  vouch_arena_t arena;
  uint64_t serial;        // of the motion it is a copy of, or 0; not stored
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

typedef struct vouch_problem_s
{
  vouch_geometry_part_t geometry;
  vouch_scene_part_t scene;
  vouch_motion_part_t motion;
} vouch_problem_t;

/// Releases all three parts (not geometries that live in other arenas).
void vouch_problem_fini(vouch_problem_t * problem);

/// Every number finite and within its limits, every index in range, trees tiled, knots increasing,
/// quaternions within 1e-3 of unit length, axes not zero. INVALID with a sentence otherwise.
vouch_ret_t vouch_problem_validate(const vouch_problem_t * problem) VOUCH_WARN_UNUSED;

/// Appends the body of one part, as in the file.
void vouch_geometry_part_encode(const vouch_problem_t * problem, vouch_text_t * out);
void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out);
void vouch_scene_part_encode(const vouch_problem_t * problem, vouch_text_t * out);

/// Sets the three hashes from the encoded bytes.
vouch_ret_t vouch_problem_hash(vouch_problem_t * problem) VOUCH_WARN_UNUSED;

/// Appends header, geometry and scene. Returns where between them the motion belongs: what
/// vouch_problem_encode_motion() appends, put there, makes the file whole.
size_t vouch_problem_encode_fixed(const vouch_problem_t * problem, vouch_text_t * out);
void vouch_problem_encode_motion(const vouch_problem_t * problem, vouch_text_t * out);
/// What to say of so many bytes.
vouch_ret_t vouch_problem_size_check(bool failed, size_t size) VOUCH_WARN_UNUSED;
/// Appends the whole file: header and three parts.
vouch_ret_t vouch_problem_encode(
  const vouch_problem_t * problem, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// A pair of the file: `pair` of the problem, and if that is one with the obstacle tree, the leaf.
typedef struct vouch_filed_pair_s
{
  double margin;
  uint32_t pair;
  uint32_t group;   // VOUCH_NONE: of two bodies
  uint32_t b;       // body
} vouch_filed_pair_t;

/// All pairs of the file, in order. NULL: no memory. To be freed by vouch_free().
vouch_filed_pair_t * vouch_scene_filed_pairs(
  const vouch_scene_part_t * scene, const vouch_allocator_t * allocator, uint32_t * count);

/// Sets normal and offset of a half-space or plane from its placement.
void vouch_plane_from_placement(vouch_body_t * body);
/// Places a half-space or plane where normal and offset say, up to rounding; then the placement is
/// what is meant, and they are set from it.
void vouch_plane_place(vouch_body_t * body);

/// Reads a whole file, validates it, sets the hashes. The problem has no groups; writing it again
/// gives the same bytes.
vouch_ret_t vouch_problem_decode(
  vouch_problem_t * problem, vouch_allocator_t allocator, const void * data,
  size_t size) VOUCH_WARN_UNUSED;

/// The text form for people: every number exact (%a beside %.17g).
vouch_ret_t vouch_problem_dump(
  const vouch_problem_t * problem, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// SHA-256 over the three part hashes.
void vouch_problem_digest(const vouch_problem_t * problem, uint8_t digest[32]);

#endif  // MODEL__PROBLEM_H_
