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
/* From settings to robot, scene, motion and verdict: what check, inspect and batch share. */

#ifndef CLI__SESSION_H_
#define CLI__SESSION_H_

#include "cli/settings.h"
#include "report/report.h"

/// Zero-initialise with the settings, which must outlive it.
typedef struct cli_session_s
{
  const cli_settings_t * settings;
  const vouch_robot_t * robot;
  vouch_robot_t * own_robot;     // NULL: the robot belongs to somebody else
  vouch_scene_t * scene;
  vouch_motion_t * motion;
  vouch_checker_t * checker;
  vouch_joint_tolerance_t * tolerances;
  vouch_check_options_t options;
  vouch_result_t result;
  double load_seconds;
  vouch_report_asked_t * asked;   // what --allow leaves out
  size_t asked_count;
  char * asked_names;             // memory of the names
  char ** doubts;                 // of --strict: sentences
  size_t doubt_count, doubt_capacity;
} cli_session_t;

/// Somebody shall believe the answer who has not seen the run: meshes are read, not taken from the
/// cache.
bool cli_session_needs_sources(const cli_settings_t * settings);

/// All return what went wrong, with the error text set. They are called in this order; load_robot is
/// left out when session->robot is set already, the last ones when they are not needed.
vouch_ret_t cli_session_load_robot(cli_session_t * session) VOUCH_WARN_UNUSED;
vouch_ret_t cli_session_load_scene(cli_session_t * session) VOUCH_WARN_UNUSED;
vouch_ret_t cli_session_load_motion(cli_session_t * session) VOUCH_WARN_UNUSED;
vouch_ret_t cli_session_create_checker(cli_session_t * session) VOUCH_WARN_UNUSED;
vouch_ret_t cli_session_check(cli_session_t * session) VOUCH_WARN_UNUSED;

/// What the settings ask of a check, in session->options; create_checker does it itself.
vouch_ret_t cli_session_fill_options(cli_session_t * session) VOUCH_WARN_UNUSED;

/// All of the above, with times; before them, what an earlier run wrote is taken away.
vouch_ret_t cli_session_run(cli_session_t * session) VOUCH_WARN_UNUSED;

/// Writes what --problem, --certificate, --picture, --report and --gltf ask for.
vouch_ret_t cli_session_write_files(const cli_session_t * session) VOUCH_WARN_UNUSED;

/// The problem or the certificate of a checker's last check as a file.
vouch_ret_t cli_write_bytes(
  const vouch_checker_t * checker, const char * path,
  vouch_ret_t (* get)(const vouch_checker_t *, uint8_t **, size_t *)) VOUCH_WARN_UNUSED;
/// The picture of a report; `about` is what it says after the robot's name.
vouch_ret_t cli_write_picture(
  const vouch_report_t * report, const char * about, const char * path) VOUCH_WARN_UNUSED;

/// What the reports read. ret: what cli_session_run() returned.
vouch_report_t cli_session_report(const cli_session_t * session, vouch_ret_t ret);

void cli_session_fini(cli_session_t * session);

#endif  // CLI__SESSION_H_
