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

/* The MotionBenchMaker problems of the shared data with their labels: one row per problem, and the
 * objects that a check of it needs. Robots are loaded once per process. */

#ifndef SUPPORT__MBM_H_
#define SUPPORT__MBM_H_

#include "vouch/vouch.h"

typedef struct mbm_row_s
{
  char family[64], robot[16], number[8], problem[96];   // "box", "panda", "0001", "box_panda/0001"
  size_t points;
  char label[16];               // free, COLLISION, near_contact
  double t_contact, t_penetration;
  double distance;              // smallest sampled distance, environment and self
} mbm_row_t;

typedef struct mbm_s
{
  char data[1024], unpacked[1024];   // unpacked: archives, in a temporary directory
  mbm_row_t * rows;
  size_t count;
  vouch_robot_t * robots[3];
} mbm_t;

/// direct: the labels of the straight motions from start to goal. False: the data is absent.
bool mbm_open(mbm_t * mbm, bool direct);
void mbm_close(mbm_t * mbm);

typedef struct mbm_case_s
{
  vouch_scene_t * scene;
  vouch_motion_t * motion;
  double * start;
  double * goal;      // direct motions only
} mbm_case_t;

vouch_robot_t * mbm_robot(mbm_t * mbm, const char * name);
/// Exits the process with a message when something cannot be loaded.
mbm_case_t mbm_load(mbm_t * mbm, const mbm_row_t * row, bool direct);
void mbm_release(mbm_case_t * problem);

#endif  // SUPPORT__MBM_H_
