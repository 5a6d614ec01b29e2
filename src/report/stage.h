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
/* What a picture shows, before it is drawn: the bodies of a problem, and where they are when. */

#ifndef REPORT__STAGE_H_
#define REPORT__STAGE_H_

#include "model/build.h"
#include "report/outline.h"
#include "report/report.h"

typedef enum vouch_role_e
{
  VOUCH_ROLE_LINK = 0,
  VOUCH_ROLE_ATTACHED = 1,
  VOUCH_ROLE_OBSTACLE = 2,
  VOUCH_ROLE_PLANE = 3
} vouch_role_t;

typedef struct vouch_stage_s
{
  vouch_allocator_t allocator;
  const vouch_report_t * report;
  vouch_build_t build;
  vouch_role_t * roles;    // per body
  bool * moving;           // per body: a joint above it that is not fixed
  rigid_t * frames;        // per frame, at the time of vouch_stage_set_time()
  double * values;         // per robot variable
  uint32_t tool_joints;    // joints above the bodies at the end of the arm
} vouch_stage_t;

vouch_ret_t vouch_stage_init(
  vouch_stage_t * stage, const vouch_report_t * report,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void vouch_stage_fini(vouch_stage_t * stage);

/// Moves the robot to where the motion has it then (seconds, or segments of a bare path).
void vouch_stage_set_time(vouch_stage_t * stage, double time);
/// The same of another motion of the robot.
void vouch_stage_set_time_of(vouch_stage_t * stage, const vouch_motion_t * motion, double time);

/// When the motion ends, in the same unit.
double vouch_stage_end(const vouch_stage_t * stage);

/// Where a body is now.
rigid_t vouch_stage_pose(const vouch_stage_t * stage, uint32_t body);

/// Appends the silhouette of a body (nothing for planes).
vouch_ret_t vouch_stage_outline(
  const vouch_stage_t * stage, uint32_t body, const vouch_view_t * view, size_t pieces,
  vouch_outline_t * outline) VOUCH_WARN_UNUSED;

/// The middle of the bodies at the end of the arm.
vec3_t vouch_stage_tool(const vouch_stage_t * stage);

/// The body with this name, or VOUCH_NONE.
uint32_t vouch_stage_find(const vouch_stage_t * stage, const char * name);

#endif  // REPORT__STAGE_H_
