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
/* Questions to the checker, with counts and a deadline: the only way in which a planner learns what
 * is free. An answer that is not "proved free" is no. */

#ifndef PLAN__ASK_H_
#define PLAN__ASK_H_

#include "plan/space.h"
#include "vouch/check.h"

typedef struct plan_ask_s
{
  vouch_checker_t * checker;
  const plan_space_t * space;
  const vouch_check_options_t * proof;   // what the answer must keep to
  double * from, * to;                   // scratch: all variables
  double begin_cpu_s;
  int64_t begin_ns, deadline_ns;         // CLOCK_MONOTONIC; deadline 0: none
  vouch_ret_t ret;                       // of the last call that did not work
  bool stopped;                          // deadline, cancel or failure: every answer is no
  vouch_plan_statistics_t * statistics;
} plan_ask_t;

/// Seconds since the plan began.
double plan_ask_seconds(const plan_ask_t * ask);

/// Of the processor, for this thread.
double plan_ask_cpu_seconds(const plan_ask_t * ask);

/// True when there is no time left, or a call failed.
bool plan_ask_stopped(plan_ask_t * ask);

bool plan_ask_state(plan_ask_t * ask, const double * q);
bool plan_ask_edge(plan_ask_t * ask, const double * a, const double * b);

/// The whole answer about standing still at q.
vouch_ret_t plan_ask_why(plan_ask_t * ask, const double * q, vouch_result_t * result)
VOUCH_WARN_UNUSED;

/// Checks a motion as the user's options say, with certificate and clearance where they are asked for.
vouch_ret_t plan_ask_proof(
  plan_ask_t * ask, const vouch_motion_t * motion, vouch_result_t * result) VOUCH_WARN_UNUSED;

#endif  // PLAN__ASK_H_
