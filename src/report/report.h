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

/* One check, told to machines (JSON), to people (text) and to the eye (SVG).
 *
 * All three read a vouch_report_t: pointers to what the check was made of. The same check gives the
 * same bytes, apart from the times of the JSON's `statistics` and of the text's `proof` line. */

#ifndef REPORT__REPORT_H_
#define REPORT__REPORT_H_

#include "base/text.h"
#include "vouch/vouch.h"

/// A pair that the person who runs the check left out.
typedef struct vouch_report_asked_s
{
  const char * a;
  const char * b;
} vouch_report_asked_t;

/// A pair that collides, and when it was seen to.
typedef struct vouch_report_hit_s
{
  const char * a;
  const char * b;
  vouch_contact_kind_t kind;
  double depth_m;           // at the first of them
  double (*intervals)[2];   // at both ends, and wherever was looked between them, it was shown
  size_t interval_count;
} vouch_report_hit_t;

/// What a person asks next, found with checks of its own. Zero: nothing was looked for.
typedef struct vouch_report_next_s
{
  /* COLLISION: would a look at the waypoints alone have seen it? */
  size_t waypoints, waypoints_free;
  /* COLLISION, where asked for: all pairs that collide */
  const vouch_report_hit_t * hits;
  size_t hit_count;
  bool hits_complete;         // what is not in the list is proved free
  /* UNDECIDED, or nearer than the margin: how much is proved */
  bool margin_searched, tolerance_searched;
  double largest_margin_m;    // with the tolerances that were asked for; < 0: none
  double largest_tolerance;   // share of every tolerance, with the margin that was asked for; < 0: none
  /* FREE: the nearest obstacle, and the nearest two parts of the robot */
  vouch_clearance_t world, self;
} vouch_report_next_t;

/// result NULL: nothing was checked, the verdict is INVALID and `error` says why. Otherwise checker,
/// motion and options belong to that result; scene may be NULL (its warnings and its robot's are
/// then left out).
typedef struct vouch_report_s
{
  const char * error;
  const vouch_result_t * result;
  const vouch_checker_t * checker;
  const vouch_check_options_t * options;
  const vouch_motion_t * motion;
  const vouch_scene_t * scene;
  double load_seconds;   // reading files and building trees; < 0: unknown
  const char * name;     // of this check among many; NULL: none
  bool hide_times;       // so that two runs give the same bytes
  const vouch_report_asked_t * asked;
  size_t asked_count;
  const char * const * doubts;   // sentences for which what was proved FREE is called UNDECIDED
  size_t doubt_count;
  const vouch_report_next_t * next;   // NULL: not looked for
  /* plan and repair; result is that of the motion they made, NULL if there is none */
  const vouch_plan_result_t * plan;      // NULL: this is a check
  const vouch_planner_t * planner;
  const vouch_motion_t * old_motion;     // what was repaired, for pictures; NULL: nothing
} vouch_report_t;

/// "controller", "planner", "linear", "polynomial", "auto".
const char * vouch_motion_model_name(vouch_motion_model_t model);
/// "chord", "schwarzer".
const char * vouch_method_name(vouch_method_t method);
/// "contact", "margin", "none".
const char * vouch_contact_kind_name(vouch_contact_kind_t kind);

/// All warnings of robot, scene, motion and checker, each sentence once: calls `each` in order.
void vouch_report_warnings(
  const vouch_report_t * report, void (* each)(const char * warning, void * state), void * state);

/// Appends one JSON object. Compact: on one line. Keys: docs/command_line.md.
vouch_ret_t vouch_report_json(
  const vouch_report_t * report, bool compact, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// Appends a few lines for a person. Colour: with escape sequences.
void vouch_report_text(const vouch_report_t * report, bool colour, vouch_text_t * out);

/// Joints that stand still during a trajectory that does not have them.
typedef struct vouch_report_still_s
{
  const char ** names;
  double * values;
  size_t count;
} vouch_report_still_t;

/// Appends the trajectory as a RobotTrajectory (YAML): every number so that it is read back as it is.
void vouch_report_trajectory(
  const vouch_trajectory_t * trajectory, const vouch_report_still_t * still, bool timed,
  vouch_text_t * out);

/// Appends an SVG picture: side and top view of the swept robot and the obstacles, and a close-up of
/// the collision or of the closest approach. `title` may be NULL. report->scene is needed.
vouch_ret_t vouch_report_picture(
  const vouch_report_t * report, const char * title, vouch_text_t * out) VOUCH_WARN_UNUSED;

#endif  // REPORT__REPORT_H_
