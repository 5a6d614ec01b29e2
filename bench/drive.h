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
/* Runs a peer over a motion: waypoints, steps of a largest joint change, a rate, or whole segments. */

#ifndef BENCH__DRIVE_H_
#define BENCH__DRIVE_H_

#include "peers/peer.h"

typedef enum drive_mode_e
{
  DRIVE_WAYPOINTS,
  DRIVE_STEP,      // parameter: rad or m
  DRIVE_RATE,      // parameter: states a second
  DRIVE_SEGMENTS,  // the peer's own continuous check of two poses
  DRIVE_MOTION     // and of the whole motion
} drive_mode_t;

typedef struct drive_result_s
{
  bool hit;
  bool gave_up;     // the limit was reached before the end
  bool crashed;     // the peer ended its process
  double first;     // segments since the beginning; NaN: not known
  double seconds;   // CPU of this thread
  uint64_t states;
} drive_result_t;

/// Stops at the first collision. `limit`: CPU seconds.
drive_result_t drive(
  const peer_t * peer, void * self, const world_t * world, drive_mode_t mode, double parameter,
  double limit);

/// The same in a child process: for peers that are known to crash.
drive_result_t drive_apart(
  const peer_t * peer, void * self, const world_t * world, drive_mode_t mode, double parameter,
  double limit);

/// One row for bench/report.py on stdout. value < 0: none.
typedef struct drive_row_s
{
  const char * experiment, * name, * method;
  double value;
  const char * parameter, * verdict, * truth;
  uint64_t leaves;
  const char * note;
} drive_row_t;
void drive_print(const drive_row_t * row);

#endif  // BENCH__DRIVE_H_
