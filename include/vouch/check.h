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

/* Checking: a robot, a scene and a motion in; a proved verdict out.
 *
 * A checker is made once per robot and scene and used for many motions. It owns its workspace, which
 * grows with the first check and with one that needs more than all before (up to max_memory); other
 * checks allocate nothing. One checker is used by one thread at a time (another one may cancel what it
 * does), and vouch_checker_clone() gives another thread its own for little memory.
 * A pointer that is needed and is NULL makes a call INVALID, and every result is UNDECIDED then. */

#ifndef VOUCH__CHECK_H_
#define VOUCH__CHECK_H_

#include "vouch/motion.h"
#include "vouch/robot.h"
#include "vouch/scene.h"
#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vouch_checker_s vouch_checker_t;

typedef enum vouch_method_e
{
  VOUCH_METHOD_CHORD = 0,
  VOUCH_METHOD_SCHWARZER = 1
} vouch_method_t;

typedef struct vouch_joint_tolerance_s
{
  const char * joint;
  double value;   // rad or m
} vouch_joint_tolerance_t;

typedef struct vouch_check_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  /// Metres that must remain between every checked pair.
  double margin_m;
  /// Deviation of every revolute, every prismatic joint that the proof must survive.
  double tolerance_rad;
  double tolerance_m;
  /// Single joints that differ from the two above.
  const vouch_joint_tolerance_t * tolerances;
  size_t tolerance_count;
  vouch_method_t method;
  /// Seconds for one check; 0: no limit. Running out is UNDECIDED.
  double deadline_s;
  /// Halvings of one segment, at most 44.
  uint32_t max_depth;
  /// Bytes that a check's workspace may grow to; running out is UNDECIDED.
  size_t max_memory;
  /// 0 or 1: the caller's thread only.
  uint32_t threads;
  /// Bracket the first contact (otherwise stop at any overlap).
  bool first_contact;
  /// Bound the smallest distance over the whole motion as given: without deviations and paddings.
  bool clearance;
  double clearance_resolution_m;
  /// Keep the proof, for vouch_checker_certificate().
  bool certificate;
} vouch_check_options_t;

VOUCH_PUBLIC vouch_check_options_t vouch_check_options_default(void);

typedef enum vouch_contact_kind_e
{
  VOUCH_CONTACT_NONE = 0,
  VOUCH_CONTACT_CONTACT = 1,   // the bodies overlap
  VOUCH_CONTACT_MARGIN = 2     // they come nearer than the margin
} vouch_contact_kind_t;

/// Names live as long as the checker has its scene, that is, until it is destroyed, its scene changed or
/// an object moved. Points are in the robot's root frame.
typedef struct vouch_contact_s
{
  vouch_contact_kind_t kind;
  const char * a;
  const char * b;
  double time_s;        // t_hi: overlap shown here (segments when the motion has no time)
  double free_until_s;  // t_lo: proved free for all pairs before (only with first_contact), else 0
  size_t segment;
  double fraction;      // of the segment
  double point_a[3], point_b[3];
  double depth_m;       // how deep, or how far inside the margin; >= 0
} vouch_contact_t;

typedef struct vouch_clearance_s
{
  bool valid;
  double lower_m, upper_m;   // the smallest distance lies in [lower, upper]; deviations not included
  const char * a;
  const char * b;
  double time_s;
  size_t segment;
  double fraction;
  double point_a[3], point_b[3];
} vouch_clearance_t;

typedef enum vouch_open_reason_e
{
  VOUCH_OPEN_NONE = 0,
  VOUCH_OPEN_DEADLINE = 1,
  VOUCH_OPEN_DEPTH = 2,       // in touch, or nearer than what can be decided
  VOUCH_OPEN_TOLERANCE = 3,   // nominal distance within margin + tolerance
  VOUCH_OPEN_MEMORY = 4,
  VOUCH_OPEN_SURFACE = 5,     // an open mesh around the other body at the start
  VOUCH_OPEN_CONTAINMENT = 6, // start containment could not be decided
  VOUCH_OPEN_UNSUPPORTED = 7, // plane against plane and the like
  VOUCH_OPEN_CANCELLED = 8,   // vouch_checker_cancel()
  VOUCH_OPEN_EMBEDDED = 9,    // what stands still stands too deep in an obstacle
  VOUCH_OPEN_TOUCH = 10       // deeper than a permitted touch may be, or nearly
} vouch_open_reason_t;

/// What is still open when the verdict is UNDECIDED.
typedef struct vouch_open_s
{
  const char * a;
  const char * b;             // "" when all obstacles are meant
  double begin_s, end_s;
  double distance_m;          // known upper bound of the distance there; < 0: unknown
  vouch_open_reason_t reason;
} vouch_open_t;

/// Deeper than this in an obstacle nothing is mounted: frames or units are wrong. Then a motion is
/// UNDECIDED (VOUCH_OPEN_EMBEDDED), unless the pair is allowed by name.
#define VOUCH_MAX_MOUNTING_M 0.1

/// A pair without relative motion: looked at once, and no part of the verdict up to that depth.
typedef struct vouch_static_pair_s
{
  const char * a;
  const char * b;
  bool overlapping;     // not shown apart by more than the margin
  bool environment;     // one of the two is an obstacle, not a part of the robot
  double distance_m;    // 0 when overlapping
  double depth_m;       // about how far one has to move to come out of the other; 0: not overlapping
} vouch_static_pair_t;

typedef struct vouch_statistics_s
{
  double seconds;            // of this check
  double cpu_seconds;        // of all threads; after a re-certification in place: `seconds`
  uint64_t pairs;            // checked pairs of bodies
  uint64_t leaves;
  uint64_t chord_tests;
  uint64_t distance_queries; // GJK
  uint64_t configurations;   // forward kinematics; 0: not counted (several threads)
  uint64_t certificate_bytes; // of steps, as the engine keeps them; the file tells them by obstacle
} vouch_statistics_t;

typedef struct vouch_result_s
{
  vouch_verdict_t verdict;
  vouch_contact_t first_collision;   // kind NONE unless verdict is COLLISION
  vouch_clearance_t clearance;
  double free_until_s;               // everything before is proved free
  const vouch_open_t * open;         // live until the next check
  size_t open_count;
  const vouch_static_pair_t * statics;   // live as long as the checker has its scene
  size_t static_count;
  vouch_statistics_t statistics;
  /// Checked pairs of bodies that may touch (a margin below 0, vouch_scene_set_pair_margin()): FREE says
  /// that they overlap no deeper, and nothing about what is inside what. No clearance is told of them.
  uint64_t may_touch;
  double least_margin_m;             // of all other checked pairs; infinite where there are none
} vouch_result_t;

/// Copies what it needs from the scene; the robot must outlive the checker.
/// INVALID when a number is out of range; OK with zero pairs (every check is then UNDECIDED).
VOUCH_PUBLIC vouch_ret_t vouch_checker_create(
  vouch_checker_t ** checker, const vouch_scene_t * scene,
  const vouch_check_options_t * options) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_checker_clone(
  vouch_checker_t ** copy, const vouch_checker_t * checker) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_checker_destroy(vouch_checker_t * checker);

/// Checks one motion. The return code says whether the check could run; result->verdict what is proved.
VOUCH_PUBLIC vouch_ret_t vouch_check(
  vouch_checker_t * checker, const vouch_motion_t * motion,
  vouch_result_t * result) VOUCH_WARN_UNUSED;

/// The straight motion between two configurations (one value per robot variable), for planners'
/// inner loops. Allocates nothing but more workspace, where it needs more than all checks before. Numbers
/// are taken as they are: a continuous joint from 3.1 to -3.1 turns the long way. A planner that means
/// the shorter one adds whole turns first.
VOUCH_PUBLIC vouch_ret_t vouch_check_motion(
  vouch_checker_t * checker, const double * from, const double * to,
  vouch_result_t * result) VOUCH_WARN_UNUSED;

/// The deadline of the checks that follow, as in the options: seconds for one check; 0: no limit.
VOUCH_PUBLIC vouch_ret_t vouch_checker_set_deadline(
  vouch_checker_t * checker, double deadline_s) VOUCH_WARN_UNUSED;

/// The only call that another thread may make while the checker is used. true: the check that runs,
/// and every later one, ends as if its deadline had passed: what is not proved by then is open, for
/// the reason CANCELLED. false: later checks run again. Allocates nothing, and does not wait.
VOUCH_PUBLIC void vouch_checker_cancel(vouch_checker_t * checker, bool cancel);

/// The problem and the certificate (or collision witness) of the last check. *data from the checker's allocator;
/// release with vouch_bytes_free() before the checker. INVALID when there is none. A certificate names
/// every pair of bodies: with thousands of obstacles it is large, and writing it takes longer than the
/// check, whose deadline is not that of this call.
VOUCH_PUBLIC vouch_ret_t vouch_checker_problem(
  const vouch_checker_t * checker, uint8_t ** data, size_t * size) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC vouch_ret_t vouch_checker_certificate(
  const vouch_checker_t * checker, uint8_t ** data, size_t * size) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_bytes_free(const vouch_checker_t * checker, uint8_t * data);

/// SHA-256 of the last check's problem.
VOUCH_PUBLIC void vouch_checker_problem_hash(
  const vouch_checker_t * checker, uint8_t digest[32]);

/// Puts another scene of the same robot in the place of the checker's own, as if the checker had been
/// made for it; margin, tolerances and the other options stay. The last check's proof is kept for
/// vouch_checker_recertify(); there is no certificate to ask for until the next check.
/// On failure the checker keeps its scene.
VOUCH_PUBLIC vouch_ret_t vouch_checker_change_scene(
  vouch_checker_t * checker, const vouch_scene_t * scene) VOUCH_WARN_UNUSED;

/// vouch_scene_move_object() and the above in one, for an obstacle that is moved again and again: from
/// its second move on nothing but the obstacle itself is looked at.
VOUCH_PUBLIC vouch_ret_t vouch_checker_move_object(
  vouch_checker_t * checker, const char * id, const char * frame,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

/// Checks as vouch_check() does, starting from the last proof that this checker made with the option
/// `certificate`, for the scene before the change or for another motion (the same, or what remains
/// of it). Proofs of pairs and groups of obstacles that did not change are copied, the others are
/// tested again or searched for from the old directions. The certificate is an ordinary one.
VOUCH_PUBLIC vouch_ret_t vouch_checker_recertify(
  vouch_checker_t * checker, const vouch_motion_t * motion,
  vouch_result_t * result) VOUCH_WARN_UNUSED;

/// The same from files, of which nothing is trusted: every step of the old proof is tested again.
VOUCH_PUBLIC vouch_ret_t vouch_recertify(
  vouch_checker_t * checker, const vouch_motion_t * motion, const uint8_t * old_problem,
  size_t old_problem_size, const uint8_t * old_certificate, size_t old_certificate_size,
  vouch_result_t * result) VOUCH_WARN_UNUSED;

/// A checked pair of names, for people: number < vouch_checker_pair_count().
VOUCH_PUBLIC size_t vouch_checker_pair_count(const vouch_checker_t * checker);
VOUCH_PUBLIC void vouch_checker_pair(
  const vouch_checker_t * checker, size_t number, const char ** a, const char ** b,
  double * margin_m);

/// What is to be said about the last check besides its verdict; lives until the next one.
VOUCH_PUBLIC size_t vouch_checker_warning_count(const vouch_checker_t * checker);
VOUCH_PUBLIC const char * vouch_checker_warning(const vouch_checker_t * checker, size_t number);

VOUCH_PUBLIC const char * vouch_open_reason_name(vouch_open_reason_t reason);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__CHECK_H_
