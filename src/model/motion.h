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

/* The motion as plain data: Bernstein coefficients of every robot variable, segment by segment.
 * Same layout as vouch_motion_part_t; variable numbers are the robot's. */

#ifndef MODEL__MOTION_H_
#define MODEL__MOTION_H_

#include "base/memory.h"
#include "model/robot.h"
#include "vouch/motion.h"

struct vouch_motion_s
{
  vouch_allocator_t allocator;
  vouch_arena_t arena;
  uint64_t serial;           // of this motion alone in this process; motions never change
  const vouch_robot_t * robot;
  vouch_motion_model_t model;
  bool has_time;
  size_t lead_in;            // 0 or 1
  uint32_t segment_count;
  double * knots;            // common time, from 0 on, VOUCH_MIN_KNOT_STEP apart or more
  double * seconds;          // what reports say (segment numbers for a bare path)
  uint32_t * degrees;        // 1, 3 or 5 (or as given)
  size_t * offsets;
  double * coefficients;     // [offsets[k] + variable * (degree + 1) + i]
  size_t coefficient_count;
  vouch_overshoot_t * overshoots;
  size_t overshoot_count;
  char ** warnings;
  size_t warning_count, warning_capacity;
};

#endif  // MODEL__MOTION_H_
