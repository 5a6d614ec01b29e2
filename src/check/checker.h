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

/* The checker's inside: a problem, the kernel's view of it, and one worker per thread. */

#ifndef CHECK__CHECKER_H_
#define CHECK__CHECKER_H_

#include <stdatomic.h>

#include "model/build.h"
#include "proof/encode.h"
#include "search/search.h"
#include "vouch/check.h"

#define CHECK_MAX_WORKERS 256
#define CHECK_CERTIFICATE_VERSION 3u

/// One thread's tools, and what it wrote for each pair it worked on.
typedef struct check_worker_s
{
  kernel_proof_t * proof;
  search_t search;
  search_seen_t seen[SEARCH_SEEN];
  search_open_t open[SEARCH_MAX_OPEN];
  char error[256];        // of its thread, when it failed
} check_worker_t;

/// What came of a pair, and who worked on it.
typedef struct check_pair_s
{
  search_outcome_t outcome;
  bool worked;
  uint32_t worker;
  uint64_t leaves, tests, distance_queries;
} check_pair_t;

struct vouch_checker_s
{
  vouch_allocator_t allocator;
  vouch_check_options_t options;
  atomic_bool cancelled;             // the one thing that another thread may touch during a check
  double * tolerances;               // per variable
  vouch_scene_t * scene;             // own copy
  uint64_t robot_revision;           // of the robot whose geometries the problem borrows
  vouch_build_t build;
  kernel_scene_t kernel;
  check_worker_t * workers;
  uint32_t worker_count;
  check_pair_t * pairs;              // per pair of the problem
  size_t pair_count;                 // pairs of bodies, for people
  size_t may_touch;                  // of these, with a margin below 0
  double least_margin;               // of the others
  vouch_static_pair_t * statics;
  size_t static_count;
  vouch_open_t open[SEARCH_MAX_OPEN];
  size_t open_count;
  rigid_t * poses;                   // scratch: frame_count
  /* the last check */
  bool checked;
  bool hashed;                       // geometry and scene part
  vouch_text_t fixed;                // these as bytes, as long as `hashed`; empty: not yet made
  size_t fixed_between;              // where in them the motion belongs
  vouch_verdict_t verdict;
  search_contact_t contact;
  bool claims_free_until;
  search_time_t free_until;
  const struct check_reuse_s * reuse;   // an old proof to start from; NULL: none
  struct check_kept_s * kept;        // the last proof, for re-certification; NULL: none
  char warning[512];                 // about the motion of the last check; empty: none
};

/// The kernel's view of a problem; one thread at a time derives what geometries share.
vouch_ret_t check_derive(
  kernel_scene_t * kernel, const vouch_problem_t * problem,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
/// INVALID when shapes of the robot were replaced since: the problem's geometries are gone.
vouch_ret_t check_robot(const vouch_checker_t * checker) VOUCH_WARN_UNUSED;
/// As many workers as the checker has, for another view.
vouch_ret_t check_create_workers(
  const vouch_checker_t * checker, const kernel_scene_t * kernel,
  check_worker_t ** workers) VOUCH_WARN_UNUSED;
void check_destroy_workers(const vouch_checker_t * checker, check_worker_t * workers);

/// INVALID where an object grows and the motion has no times.
vouch_ret_t check_growth(const vouch_checker_t * checker, bool has_time) VOUCH_WARN_UNUSED;
/// Pairs of bodies, those with each obstacle of the tree too.
size_t check_count_pairs(const vouch_scene_part_t * scene);
/// Counts them, and those that may touch; finds the least margin of the others.
void check_count(vouch_checker_t * checker);

/// Whether there is anything to prove about a pair of the problem: not where all of a group is
/// skipped.
bool check_has_goal(const vouch_scene_part_t * scene, uint32_t pair);

/// About how far the pair that is open in `proof`, with body_b, is in each other (embed.c).
double check_overlap_depth(const kernel_proof_t * proof, uint32_t body_b, const rigid_t * poses);
/// Robot and obstacle that never move against each other, in each other deeper than anything is
/// mounted: the frames or units are not what was meant, and no verdict about them is worth much.
static inline bool check_is_embedded(const vouch_static_pair_t * pair)
{
  return pair->environment && pair->depth_m > VOUCH_MAX_MOUNTING_M;
}

/// Looks once at every pair without relative motion.
vouch_ret_t check_statics(vouch_checker_t * checker) VOUCH_WARN_UNUSED;
/// Looks again at those of one body.
vouch_ret_t check_statics_of(vouch_checker_t * checker, uint32_t body) VOUCH_WARN_UNUSED;

/// Sets the checker's warning about a motion that is going to be checked.
void check_warn(vouch_checker_t * checker, const vouch_motion_t * motion);

/// All phases over the problem's present motion part.
vouch_ret_t check_run(vouch_checker_t * checker, vouch_result_t * result) VOUCH_WARN_UNUSED;

/// Phase 1: every pair on its own, over the workers. Stops after the lowest pair with a contact.
vouch_ret_t check_prove_pairs(vouch_checker_t * checker, int64_t deadline_ns) VOUCH_WARN_UNUSED;

/// The proofs of all workers.
void check_proofs(const vouch_checker_t * checker, kernel_proof_t ** proofs);
/// The steps of a pair that were written in the last check.
proof_stretch_t check_stretch(const vouch_checker_t * checker, uint32_t pair);
/// Little is left to do: there is an old proof, of a motion that worker 0 has met.
bool check_stays(const vouch_checker_t * checker);

/// Reporting seconds of a place in time.
double check_seconds(
  const vouch_checker_t * checker, search_time_t time, kernel_rounded_t rounded);

int64_t check_now_ns(void);

/// Sets up a worker's search for one phase, and whether its steps are recorded.
void check_prepare(
  const vouch_checker_t * checker, check_worker_t * worker, search_mode_t mode,
  int64_t deadline_ns, bool record);

#endif  // CHECK__CHECKER_H_
