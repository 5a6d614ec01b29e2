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

/* What `vouch motion` was asked and what came of it, for the command and its report. */

#ifndef CLI__MOTION_REPORT_H_
#define CLI__MOTION_REPORT_H_

#include "vouch/rigid.h"

typedef struct motion_settings_s
{
  const char * moving, * fixed, * motion, * masses;
  double largest, screws;
  bool json, quiet;
  vouch_rigid_options_t options;
} motion_settings_t;

typedef struct motion_run_s
{
  vouch_rigid_body_t * moving, * fixed;
  vouch_rigid_motion_t * motion;
  vouch_rigid_result_t result;
  double tolerance_found, screw_error;
  char warnings[4][256];
  size_t warning_count;
} motion_run_t;

/// In the order of vouch_rigid_method_t.
extern const char * const MOTION_METHODS[3];
/// By vouch_screw_kind_t.
extern const char * const MOTION_FEATURES[5];

/// Beyond the fourth warning nothing is kept.
void motion_warn(motion_run_t * run, const char * text);

/// One JSON object with the keys of `vouch check` on standard output; `error` NULL: there is a result.
/// Not 0 when it could not be written.
int motion_report_json(
  const motion_settings_t * settings, const motion_run_t * run, const char * error);

#endif  // CLI__MOTION_REPORT_H_
