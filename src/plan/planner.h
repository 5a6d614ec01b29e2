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

/* The planner's inside. planner.c asks ends.c whether start and goals can be had, tree.c for a path,
 * path.c for a shorter one, prove.c for a motion that is proved; repair.c does so piece by piece. */

#ifndef PLAN__PLANNER_H_
#define PLAN__PLANNER_H_

#include "plan/timing.h"
#include "plan/tree.h"

enum {PLAN_MAX_WARNINGS = 8};

/// A trajectory and the motion that it is.
typedef struct plan_motion_s
{
  plan_timed_t timed;                   // not used by bare paths
  plan_path_t path;                     // as it was timed
  vouch_trajectory_point_t * points;
  size_t point_count, point_capacity;
  vouch_motion_t * motion;
} plan_motion_t;

/// What is known of each variable before a request: the user's limits, NaN or 0 where there are none.
typedef struct plan_limits_s
{
  double lower, upper, velocity, acceleration, jerk;
} plan_limits_t;

struct vouch_planner_s
{
  vouch_allocator_t allocator;
  vouch_plan_options_t options;
  vouch_check_options_t check;
  const vouch_robot_t * robot;
  vouch_checker_t * checker;
  plan_limits_t * limits;               // per variable
  const char ** names;                  // of the moving joints
  plan_space_t space;
  plan_ask_t ask;
  plan_random_t random;
  vouch_plan_statistics_t statistics;
  plan_motion_t best, trial;
  plan_path_t way;                      // of the best motion, before it was timed
  double * expanded;                    // `way`, all variables
  double * free_state;
  char warnings[PLAN_MAX_WARNINGS][256];
  size_t warning_count;
};

void plan_warn(vouch_planner_t * planner, const char * format, ...)
__attribute__((format(printf, 2, 3)));

/// Sets reason and sentence; UNDECIDED or INVALID.
void plan_refuse(
  vouch_plan_result_t * result, vouch_verdict_t verdict, vouch_plan_reason_t reason,
  const char * format, ...) __attribute__((format(printf, 4, 5)));

/// The space of a request: limits, weights, where the others stand. INVALID with a sentence.
vouch_ret_t plan_prepare(
  vouch_planner_t * planner, const double * start, const bool * moving) VOUCH_WARN_UNUSED;
/// Robots stand outside their limits at times: they may move back from there, and people are told.
void plan_reach_start(vouch_planner_t * planner, const double * start);
/// Endless joints are sampled half a turn beyond what start and goals span.
void plan_span(vouch_planner_t * planner, const double * start, const double * goals, size_t count);
/// A plan begins: clock, counts, seed, warnings.
void plan_begin(vouch_planner_t * planner, vouch_plan_result_t * result);
/// The answer, or why there is none.
vouch_ret_t plan_finish(vouch_planner_t * planner, vouch_plan_result_t * result) VOUCH_WARN_UNUSED;

/// The longest edge. More joints make the space wider, in every direction: with seven more it is three
/// times as long (measured on a robot of two arms: a third of that finds nothing in time).
static inline double plan_step(const vouch_planner_t * planner)
{
  return planner->options.step_rad * fmax(1.0, 2.0 * planner->space.count / 7.0 - 1.0);
}

/// ends.c: is q free, and, if it is a goal, within limits? If not: the result says why, of what is
/// called `what`.
vouch_ret_t plan_check_end(
  vouch_planner_t * planner, const double * q, const char * what, bool is_goal,
  vouch_plan_result_t * result) VOUCH_WARN_UNUSED;

/// prove.c: a motion along the path that is proved, if there is one; in trial. The path is tidied.
/// *proved false: none was found.
vouch_ret_t plan_prove(
  vouch_planner_t * planner, plan_path_t * path, vouch_result_t * proof,
  bool * proved) VOUCH_WARN_UNUSED;
/// Seconds that a path takes; INFINITY: it cannot be timed. In trial.
double plan_seconds_of(vouch_planner_t * planner, const plan_path_t * path);
/// Cuts corners where that makes the motion faster, and the cut is proved. false: no memory.
bool plan_cut_corners(vouch_planner_t * planner, plan_path_t * path, size_t from, size_t to)
VOUCH_WARN_UNUSED;
/// If what is proved in trial is better than the best, it is the best from now on.
bool plan_keep_better(vouch_planner_t * planner, const plan_path_t * path);
void plan_motion_fini(plan_motion_t * motion, const vouch_allocator_t * allocator);

#endif  // PLAN__PLANNER_H_
