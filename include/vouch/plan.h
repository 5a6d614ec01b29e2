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

/* Planning: a robot, a scene, a start and goals in; a motion that is proved free out, or the reason why
 * there is none. And the questions that a planner of somebody else's asks: states and many edges.
 *
 * What a planner proposes may be wrong in any way; what it answers is proved by a checker, as the
 * controller will execute it, and has a certificate. With the same seed and without a deadline that
 * passes the answer is the same in every run. docs/planning.md */

#ifndef VOUCH__PLAN_H_
#define VOUCH__PLAN_H_

#include "vouch/check.h"
#include "vouch/motion.h"
#include "vouch/robot.h"
#include "vouch/scene.h"
#include "vouch/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- for authors of planners: states and edges ---- */

/// A checker's options for a planner's inner loop: yes or no, without bracket, clearance or certificate.
VOUCH_PUBLIC vouch_check_options_t vouch_check_options_planner(void);

typedef struct vouch_state_answer_s
{
  vouch_verdict_t verdict;     // of the robot standing still there
  vouch_contact_t contact;     // kind NONE unless COLLISION
  vouch_clearance_t clearance; // only when asked for
} vouch_state_answer_t;

/// Is this configuration (one value per robot variable) free? `distance`: how near is the nearest pair,
/// too; that costs about ten times as much.
VOUCH_PUBLIC vouch_ret_t vouch_checker_state(
  vouch_checker_t * checker, const double * values, bool distance,
  vouch_state_answer_t * answer) VOUCH_WARN_UNUSED;

typedef struct vouch_edge_s
{
  const double * from;
  const double * to;
} vouch_edge_t;

/// Many straight motions, each as vouch_check_motion() would. verdicts[i] is that of edge i, and
/// UNDECIDED for those that were not looked at. all = false: stops at the first that is not FREE.
/// *first: the first edge that is not FREE; `count` if there is none.
/// More checkers (of the same scene and options: clones) share the work, a thread each.
VOUCH_PUBLIC vouch_ret_t vouch_check_motions(
  vouch_checker_t * const * checkers, size_t checker_count, const vouch_edge_t * edges,
  size_t count, bool all, vouch_verdict_t * verdicts, size_t * first) VOUCH_WARN_UNUSED;

/// Adds whole turns to those of `to` whose joint turns without end (continuous), so that none is more
/// than half a turn from `from`; joints with limits of more than a turn too, as far as these allow,
/// if `limited`.
VOUCH_PUBLIC vouch_ret_t vouch_robot_nearest_turn(
  const vouch_robot_t * robot, const double * from, bool limited, double * to) VOUCH_WARN_UNUSED;

/* ---- what a motion must keep to ---- */

/// Of one joint. Zero: not limited here (velocity: the URDF's; NaN for lower, upper: the URDF's).
typedef struct vouch_joint_limit_s
{
  const char * joint;
  double lower, upper;
  double velocity, acceleration, jerk;   // rad or m, per s, s^2, s^3
} vouch_joint_limit_t;

typedef struct vouch_joint_limits_s vouch_joint_limits_t;

/// MoveIt's joint_limits.yaml (max_jerk and has_jerk_limits too).
VOUCH_PUBLIC vouch_ret_t vouch_joint_limits_load(
  vouch_joint_limits_t ** limits, const vouch_robot_t * robot,
  const char * path) VOUCH_WARN_UNUSED;
/// The same from text.
VOUCH_PUBLIC vouch_ret_t vouch_joint_limits_parse(
  vouch_joint_limits_t ** limits, const vouch_robot_t * robot, const char * text,
  size_t size) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_joint_limits_destroy(vouch_joint_limits_t * limits);
VOUCH_PUBLIC const vouch_joint_limit_t * vouch_joint_limits_list(
  const vouch_joint_limits_t * limits, size_t * count);

/* ---- planning ---- */

typedef struct vouch_planner_s vouch_planner_t;

typedef struct vouch_plan_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  uint64_t seed;
  /// Seconds for one plan; 0: no limit. When it passes, the best motion proved by then is the answer.
  double deadline_s;
  /// Longest edge of the trees, in rad (1; metres of sliding joints count three times), for up to seven
  /// joints; with more of them it is longer.
  double step_rad;
  /// Edges that are tried to make a path shorter.
  uint32_t shortcuts;
  /// Paths that are searched, the best of which is the answer (1).
  uint32_t rounds;
  /// Nodes of the trees of one search, at most.
  uint32_t max_nodes;
  /// A timed spline within the limits; otherwise a bare path of straight edges.
  bool timed;
  const vouch_joint_limit_t * limits;
  size_t limit_count;
  /// (0, 1]
  double velocity_scaling, acceleration_scaling;
} vouch_plan_options_t;

VOUCH_PUBLIC vouch_plan_options_t vouch_plan_options_default(void);

typedef struct vouch_plan_request_s
{
  const double * start;   // one value per robot variable
  const double * goals;   // goal_count times one value per robot variable; any of them will do
  size_t goal_count;
  const bool * moving;    // per robot variable; NULL: those in which a goal differs from the start
} vouch_plan_request_t;

typedef enum vouch_plan_reason_e
{
  VOUCH_PLAN_NONE = 0,
  VOUCH_PLAN_START_COLLISION = 1,
  VOUCH_PLAN_GOAL_COLLISION = 2,
  VOUCH_PLAN_START_OPEN = 3,     // neither proved free nor shown in collision
  VOUCH_PLAN_GOAL_OPEN = 4,
  VOUCH_PLAN_GOAL_LIMITS = 5,
  VOUCH_PLAN_DEADLINE = 6,       // no proved path before the deadline
  VOUCH_PLAN_NODES = 7,          // nor before the trees were full
  VOUCH_PLAN_UNPROVED = 8,       // paths, but none of them as the controller executes it
  VOUCH_PLAN_NOTHING_CHECKED = 9,   // there is no pair that a proof could be about
  VOUCH_PLAN_CANCELLED = 10
} vouch_plan_reason_t;

typedef struct vouch_plan_statistics_s
{
  double seconds;
  double first_seconds;      // to the first path of which every edge is proved
  double proved_seconds;     // to the first motion that is proved as it is executed
  double cpu_seconds, first_cpu_seconds, proved_cpu_seconds;   // the same of the thread's processor
  uint64_t edges, free_edges;
  uint64_t states, free_states;
  uint64_t nodes;
  uint64_t paths;            // searches that found one
  double length;             // of the answer, in rad (metres of sliding joints count three times)
  double first_length;       // of the first path
} vouch_plan_statistics_t;

/// Pointers live until the next call of the planner.
typedef struct vouch_plan_result_s
{
  vouch_verdict_t verdict;         // FREE: `motion` is proved; INVALID, UNDECIDED: `reason`, `message`
  vouch_plan_reason_t reason;
  char message[768];               // a sentence; "" when FREE
  const vouch_motion_t * motion;   // NULL unless FREE
  vouch_trajectory_t trajectory;   // the same as points: of the joints that move
  vouch_result_t proof;            // of `motion`
  const double * path;             // path_count times one value per variable, before it was timed
  size_t path_count;
  /// START_COLLISION, GOAL_COLLISION: the contact, and a free configuration nearby (NULL: none found).
  vouch_contact_t contact;
  const double * free_state;
  double free_distance;            // from the asked one, in rad
  size_t goal;                     // which one it is about, or was reached
  /// repair: was there anything to repair, how much of the old path is as it was (0 .. 1), and the
  /// longest way from a point of the new path to the old one, in rad.
  bool changed;
  double kept;
  double deviation;
  vouch_plan_statistics_t statistics;
} vouch_plan_result_t;

/// Copies what it needs from the scene; the robot must outlive the planner. `check`: margin, tolerances
/// and depth of what is proved; its threads are not used.
VOUCH_PUBLIC vouch_ret_t vouch_planner_create(
  vouch_planner_t ** planner, const vouch_scene_t * scene, const vouch_check_options_t * check,
  const vouch_plan_options_t * options) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_planner_destroy(vouch_planner_t * planner);

/// The return code says whether planning could run; result->verdict what came of it. Joints that do
/// not move stay where the start has them.
VOUCH_PUBLIC vouch_ret_t vouch_plan(
  vouch_planner_t * planner, const vouch_plan_request_t * request,
  vouch_plan_result_t * result) VOUCH_WARN_UNUSED;

/// A motion that is not proved free, made so: what is proved of it stays, and what is not is gone
/// round nearby. A motion that is free as it is comes back as it is. moving: per robot variable, which
/// may move on a detour; NULL: the joints of the smallest SRDF group that has all those that move in
/// the motion, or, if there is none, all above and below them.
VOUCH_PUBLIC vouch_ret_t vouch_repair(
  vouch_planner_t * planner, const vouch_motion_t * motion, const bool * moving,
  vouch_plan_result_t * result) VOUCH_WARN_UNUSED;

/// The checker that proved the answer, for its problem and certificate. Only to be read from.
VOUCH_PUBLIC const vouch_checker_t * vouch_planner_checker(const vouch_planner_t * planner);

/// From another thread: as vouch_checker_cancel().
VOUCH_PUBLIC void vouch_planner_cancel(vouch_planner_t * planner, bool cancel);

/// Limits that had to be assumed, and the like, of the last call; lives until the next.
VOUCH_PUBLIC size_t vouch_planner_warning_count(const vouch_planner_t * planner);
VOUCH_PUBLIC const char * vouch_planner_warning(const vouch_planner_t * planner, size_t number);

VOUCH_PUBLIC const char * vouch_plan_reason_name(vouch_plan_reason_t reason);

/* ---- requests as files ---- */

typedef struct vouch_request_s
{
  char group[128];          // "": none is named
  double * goals;           // goal_count times one value per variable: NaN where none is given
  size_t goal_count;
  double velocity_scaling, acceleration_scaling;   // 0: not given
  vouch_allocator_t allocator;
} vouch_request_t;

/// The goals of a MotionPlanRequest (YAML or JSON), as MoveIt and MotionBenchMaker store it: joint
/// constraints. Cartesian goals and path constraints are refused.
VOUCH_PUBLIC vouch_ret_t vouch_request_load(
  vouch_request_t * request, const vouch_robot_t * robot, const char * path) VOUCH_WARN_UNUSED;
/// The same from text.
VOUCH_PUBLIC vouch_ret_t vouch_request_parse(
  vouch_request_t * request, const vouch_robot_t * robot, const char * text,
  size_t size) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_request_fini(vouch_request_t * request);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__PLAN_H_
