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

/* One rigid body on a free motion against a fixed body: rational Bezier motions, screw motions and
 * chains of them, proved by three independent methods.
 *
 *   chord       separating directions and a bound on the acceleration; any motion, any margin
 *   toleranced  balls in the space of affine displacements (Schroecker and Weber); says how far the
 *               motion may deviate
 *   screw       isolated roots of the contact equations (Kim and Rossignac); first contact to 1e-12
 *
 * FREE means: at every time of the motion, for every displacement within the tolerance, the two
 * bodies are more than the margin apart. Closed meshes are solids. docs/rigid_motions.md has the
 * formulas and their proofs. Functions may be called from several threads at once as long as
 * each handle is only read. */

#ifndef VOUCH__RIGID_H_
#define VOUCH__RIGID_H_

#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A triangle mesh prepared for checks: tree, components, mass distribution.
typedef struct vouch_rigid_body_s vouch_rigid_body_t;

/// Copies the mesh. INVALID for an empty mesh, indices out of range, non-finite coordinates or
/// coordinates above 1e6 m.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_body_create(
  vouch_rigid_body_t ** out, vouch_allocator_t allocator,
  const double(*vertices)[3], size_t vertex_count,
  const uint32_t(*triangles)[3], size_t triangle_count) VOUCH_WARN_UNUSED;
/// STL, OBJ or DAE by extension.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_body_load(
  vouch_rigid_body_t ** out, vouch_allocator_t allocator, const char * path) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_rigid_body_destroy(vouch_rigid_body_t * body);
/// Every edge is shared by exactly two triangles with opposite directions.
VOUCH_PUBLIC bool vouch_rigid_body_closed(const vouch_rigid_body_t * body);
VOUCH_PUBLIC size_t vouch_rigid_body_triangle_count(const vouch_rigid_body_t * body);

typedef struct vouch_mass_s
{
  double point[3], weight;
} vouch_mass_t;

/// Replaces the mass distribution, which makes the metric for tolerances and for the method
/// toleranced; by default equal masses in the vertices. INVALID for a weight that is not positive,
/// for masses in one point, and for masses in a plane or on a line that does not hold the body.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_body_set_masses(
  vouch_rigid_body_t * body, const vouch_mass_t * masses, size_t count) VOUCH_WARN_UNUSED;
/// The same from a JSON file: an array of [x, y, z] or [x, y, z, weight].
VOUCH_PUBLIC vouch_ret_t vouch_rigid_body_load_masses(
  vouch_rigid_body_t * body, const char * path) VOUCH_WARN_UNUSED;

/// Segments that follow each other in time. What is proved is about the numbers stored here.
typedef struct vouch_rigid_motion_s vouch_rigid_motion_t;

/// x -> A x + a: the nine numbers of A row by row, then a.
typedef struct vouch_affine_s
{
  double m[12];
} vouch_affine_t;

VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_create(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_rigid_motion_destroy(vouch_rigid_motion_t * motion);

/// A rational Bezier curve of `degree` (1 to 1000) in the space of affine displacements, with
/// degree + 1 controls and positive weights (NULL: all 1). INVALID for a non-positive weight, a
/// singular or mirroring displacement, or a jump from the end of the last segment. Memory follows
/// the degree; halving a piece costs its square.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_add_bezier(
  vouch_rigid_motion_t * motion, double duration_s, size_t degree, const double * weights,
  const vouch_affine_t * controls) VOUCH_WARN_UNUSED;

/// A rotation q(t)/|q(t)| with q a Bezier curve of `degree` in quaternions (x, y, z, w), degree + 1
/// controls, and a rational translation of `translation_degree` with positive weights (NULL: all
/// 1). The motion has degree 2 * degree + translation_degree, 1 to 1000. With translation_degree =
/// 2 * degree and `shared` the translation takes the weights of |q|^2, so that the whole motion has
/// degree 2 * degree. Where |q|^2 has a coefficient that is not positive, the motion gets several
/// segments.
typedef struct vouch_quaternion_curve_s
{
  size_t degree;
  const double (*quaternions)[4];
  size_t translation_degree;
  const double (*translations)[3];
  const double * weights;
  bool shared;
} vouch_quaternion_curve_t;

VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_add_quaternions(
  vouch_rigid_motion_t * motion, double duration_s,
  const vouch_quaternion_curve_t * curve) VOUCH_WARN_UNUSED;

/// Blends linearly between neighbouring poses. The caller states how far the true motion may be
/// from that:
/// every body point x within rotation_error * |x| + translation_error of the blend.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_add_samples(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_pose_t * poses, size_t count,
  const double error[2]) VOUCH_WARN_UNUSED;

/// The shortest screw between two poses. INVALID within 1e-6 rad of a half turn: ambiguous.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_add_screw(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_pose_t * from,
  const vouch_pose_t * to) VOUCH_WARN_UNUSED;

/// From `start`, turning by `angle` about the line through `point` along `direction`, moving by
/// `travel` along it; the angle may exceed a turn. A revolute joint has travel 0, a prismatic one
/// angle 0.
typedef struct vouch_screw_s
{
  vouch_pose_t start;
  double point[3], direction[3];
  double angle, travel;
} vouch_screw_t;

VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_add_screw_axis(
  vouch_rigid_motion_t * motion, double duration_s, const vouch_screw_t * screw) VOUCH_WARN_UNUSED;

/// A chain of screws that stays within `tolerance_m` of `motion` at every point of `body`; *error_m
/// is the
/// bound that was proved. INVALID where the motion is not rigid enough for that.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_to_screws(
  vouch_rigid_motion_t ** out, const vouch_rigid_motion_t * motion,
  const vouch_rigid_body_t * body, double tolerance_m, double * error_m) VOUCH_WARN_UNUSED;

/// Reads a motion from JSON (format: docs/rigid_motions.md). Unknown keys are refused.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_load(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator, const char * path) VOUCH_WARN_UNUSED;
/// The same from memory.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_motion_parse(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator, const char * text,
  size_t size) VOUCH_WARN_UNUSED;

VOUCH_PUBLIC size_t vouch_rigid_motion_segment_count(const vouch_rigid_motion_t * motion);
VOUCH_PUBLIC double vouch_rigid_motion_duration_s(const vouch_rigid_motion_t * motion);
/// Seconds from the begin of the motion.
VOUCH_PUBLIC double vouch_rigid_motion_time_s(
  const vouch_rigid_motion_t * motion, size_t segment, double fraction);
/// The displacement at `fraction` (0 to 1) of a segment, rounded.
VOUCH_PUBLIC vouch_affine_t vouch_rigid_motion_at(
  const vouch_rigid_motion_t * motion, size_t segment, double fraction);

typedef enum vouch_rigid_method_e
{
  VOUCH_RIGID_CHORD = 0,
  VOUCH_RIGID_TOLERANCED = 1,
  VOUCH_RIGID_SCREW = 2
} vouch_rigid_method_t;

/// How a piece of the motion is covered by a ball of affine displacements.
typedef enum vouch_ball_e
{
  VOUCH_BALL_NESTED = 0,        // middle of the curve, speed bound; each ball contains the next
  VOUCH_BALL_MIDPOINT = 1,      // middle of the curve, furthest control point
  VOUCH_BALL_POLYGON = 2,       // small ball of the control polygon
  VOUCH_BALL_PROPOSITION_2 = 3  // from arc length and curvature
} vouch_ball_t;

typedef struct vouch_rigid_options_s
{
  size_t struct_size;          // set by vouch_rigid_options_default()
  vouch_rigid_method_t method;
  double margin_m;             // metres that must remain
  /// radius in the metric of the moving body (mass 1: metres, root mean square)
  double tolerance;
  double resolution_m;         // toleranced: stop at balls that move no point further than this
  double deadline_s;           // 0: none
  size_t threads;              // 0: all processors
  size_t max_tests;            // budget of pair tests, 0: none
  uint32_t max_depth;          // halvings of a segment
  vouch_ball_t ball;
  bool individual_masses;      // toleranced: a mass distribution for each face
  bool flat;                   // toleranced: no hierarchy, every pair of faces by itself
  bool surfaces;               // open meshes are meant as surfaces
} vouch_rigid_options_t;

VOUCH_PUBLIC vouch_rigid_options_t vouch_rigid_options_default(void);

/// A part of the motion without a guarantee.
typedef struct vouch_rigid_open_s
{
  size_t segment;
  double from, to;             // fractions of the segment
  uint32_t triangle_a, triangle_b;   // UINT32_MAX: several
  double near_m;               // distance known to be reached there, or infinite
  bool tolerance;              // the nominal motion is farther away than the margin there
} vouch_rigid_open_t;

typedef struct vouch_rigid_statistics_s
{
  uint64_t pieces;             // pieces of motion looked at
  uint64_t node_tests;         // pairs of tree nodes
  uint64_t face_tests;         // pairs of faces (the papers' polygon tests)
  uint64_t root_tests;         // contact equations solved
  uint32_t depth;
  double seconds;
} vouch_rigid_statistics_t;

typedef enum vouch_screw_kind_e
{
  VOUCH_SCREW_NONE = 0,
  VOUCH_SCREW_VERTEX_FACE = 1,   // vertex of the moving body
  VOUCH_SCREW_FACE_VERTEX = 2,   // vertex of the fixed body
  VOUCH_SCREW_EDGE_EDGE = 3,
  VOUCH_SCREW_START = 4          // the bodies overlap at the start
} vouch_screw_kind_t;

typedef struct vouch_rigid_result_s
{
  vouch_verdict_t verdict;
  /// COLLISION: contact is shown at `fraction` of `segment`; everything before `free_until` of that
  /// segment is proved free, unless `open` says otherwise.
  size_t segment;
  double fraction, free_until, time_s;
  bool margin_only;            // the bodies come within the margin, no contact was found
  uint32_t triangle_a, triangle_b;
  double point_a[3], point_b[3], normal[3];
  /// The screw method says which features meet: 0..2: vertex or edge (from vertex i to i+1) of the
  /// triangle, 3: the face.
  vouch_screw_kind_t features;
  uint32_t feature_a, feature_b;
  double depth_m;              // how far below the margin the distance of the points is (>= 0)
  /// FREE: the distance on the motion itself is at all times > clearance_lower_m >= margin (for the
  /// displacements within the tolerance it is > margin). Always: the two bodies are seen within
  /// clearance_upper_m.
  double clearance_lower_m, clearance_upper_m;
  size_t closest_segment;
  double closest_fraction;
  double closest_a[3], closest_b[3];   // two points of the bodies then, unless upper is infinite
  vouch_rigid_open_t * open;
  size_t open_count;
  bool flat_mass;              // mass was added beside a flat or straight body
  vouch_rigid_statistics_t statistics;
  vouch_allocator_t allocator; // owns `open`
} vouch_rigid_result_t;

/// Checks `moving` on `motion` against `fixed`. Returns OK whenever a verdict was reached, also
/// UNDECIDED; wrong input returns INVALID. Release the result with vouch_rigid_result_fini().
VOUCH_PUBLIC vouch_ret_t vouch_rigid_check(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_rigid_result_fini(vouch_rigid_result_t * result);

/// Narrows the clearance of a FREE result to about 1 %, by up to twelve more checks with the chord
/// method (a proof of FREE often shows much less than there is); other results stay as they are.
/// `options` are those of the check, whose deadline counts for both together. When it fails, the
/// result still holds what was proved so far.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_sharpen_clearance(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result) VOUCH_WARN_UNUSED;

/// The largest tolerance (at most `limit`, else by bisection down to `accuracy`) with which the
/// check answers FREE; 0 with OK when not even tolerance 0 is free. The deadline is that of all
/// these checks together; what was proved until then is returned.
VOUCH_PUBLIC vouch_ret_t vouch_rigid_largest_tolerance(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  const double limit_and_accuracy[2], double * tolerance) VOUCH_WARN_UNUSED;

typedef struct vouch_screw_contact_s
{
  vouch_verdict_t verdict;         // COLLISION: contact within [from, to]; UNDECIDED: perhaps
  vouch_screw_kind_t kind;
  double from, to;                 // fractions of the screw; the motion is free before `from`
  uint32_t triangle_a, triangle_b;
  /// 0..2: vertex or edge (from vertex i to i+1) of the triangle, 3: the face
  uint32_t feature_a, feature_b;
  double point[3], normal[3];      // normal points from the fixed to the moving body
  bool touching;                   // roots that could not be told apart: grazing or sliding
  vouch_rigid_statistics_t statistics;
} vouch_screw_contact_t;

/// First contact of two meshes, the first on a screw. One joint of an arm moving is a screw.
VOUCH_PUBLIC vouch_ret_t vouch_screw_first_contact(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_screw_t * screw, const vouch_rigid_options_t * options,
  vouch_screw_contact_t * contact) VOUCH_WARN_UNUSED;

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__RIGID_H_
