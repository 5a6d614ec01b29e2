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
/* What the experiments of generated work share. */

#ifndef BENCH__FAMILIES_H_
#define BENCH__FAMILIES_H_

#include "arm.h"
#include "drive.h"

extern bool families_small;

/// Yes or no only: no first contact, no clearance.
vouch_check_options_t families_options(void);

/// Median CPU microseconds of `repeats` checks.
double families_check(
  vouch_checker_t * checker, const vouch_motion_t * motion, int repeats, vouch_result_t * result);

/// One row of ours.
void families_row(
  const char * experiment, uint64_t number, const char * method, const char * parameter,
  double value, const vouch_result_t * result);

typedef struct families_peer_s
{
  const char * experiment;
  uint64_t number;
  const char * method, * parameter, * truth;
  const peer_t * peer;
  drive_mode_t mode;
  double step;
  int repeats;
} families_peer_t;
/// A peer on the problem of the checker's last check, and its row.
void families_peer(const families_peer_t * p, vouch_checker_t * checker);

/// A random motion of the generated arm.
void families_random(test_random_t * random, double reach, double * from, double * to);

/// The row of an experiment that could not be run.
void families_absent(const char * experiment, const char * why);

void families_lengths(void);     // Panda paths written with 10 .. 1000 waypoints
void families_obstacles(void);   // 1 .. 1000 obstacles
void families_triangles(void);   // 10^5 triangles
void families_recertify(void);   // one of 100 obstacles moves
void families_panda100(void);    // Panda, 100 meshes, 10 s
void families_cells(void);       // big industrial arms in generated cells

#endif  // BENCH__FAMILIES_H_
