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
/* Shared by the files that read trajectories. */

#ifndef READ__TRAJECTORY_READER_H_
#define READ__TRAJECTORY_READER_H_

#include "base/memory.h"
#include "base/text.h"
#include "model/robot.h"
#include "vouch/motion.h"

/// What is known of a CSV file, and what was seen in it.
typedef struct vouch_csv_format_s
{
  const vouch_robot_t * robot;
  bool degrees;           // joints that turn, where the header gives no unit
  const char * columns;   // COLUMN or JOINT=COLUMN, separated by commas; NULL: all count
  vouch_text_t unused;    // names of columns that do not count; begin with an allocator
  size_t chosen;          // entries of `columns` that were found
  double largest_angle;   // among those in radians because nobody said otherwise
} vouch_csv_format_t;

/// CSV: a header of joint names (and `time`), then one point a line. Everything in `arena`, but for
/// format->unused.
vouch_ret_t vouch_read_csv_trajectory(
  vouch_arena_t * arena, const char * name, const char * text, size_t size,
  vouch_csv_format_t * format, vouch_trajectory_t * trajectory) VOUCH_WARN_UNUSED;

#endif  // READ__TRAJECTORY_READER_H_
