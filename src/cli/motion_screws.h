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

/* `vouch motion --screws`: screws are checked, the answer is about the motion that was given. */

#ifndef CLI__MOTION_SCREWS_H_
#define CLI__MOTION_SCREWS_H_

#include "cli/motion_report.h"

/// Replaces the motion of `run` by screws; their error joins the margin.
vouch_ret_t motion_to_screws(motion_run_t * run, motion_settings_t * settings) VOUCH_WARN_UNUSED;

/// Takes back from the result of a check of the screws what the motion itself does not owe them.
vouch_ret_t motion_answer_for_given(
  const motion_settings_t * settings, motion_run_t * run) VOUCH_WARN_UNUSED;

/// Margin, clearance and depth are those of the motion that was given from here on.
void motion_take_off_error(motion_settings_t * settings, motion_run_t * run);

#endif  // CLI__MOTION_SCREWS_H_
