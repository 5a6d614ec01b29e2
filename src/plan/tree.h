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
/* Two trees that grow towards each other, one from the start, one from the goals; each of their edges is
 * proved before it is added.
 *
 * Kuffner and LaValle, RRT-Connect (2000), with Yershova's dynamic domain (2005), which stops asking
 * for edges into walls from nodes that run into them, and with both trees kept at the same size. */

#ifndef PLAN__TREE_H_
#define PLAN__TREE_H_

#include "plan/path.h"

/// Where samples come from besides the whole space: around points of an old path.
typedef struct plan_near_s
{
  const plan_path_t * path;   // NULL: nowhere
  double deviation;           // rad
  double share;               // of all samples
} plan_near_t;

typedef struct plan_search_s
{
  plan_ask_t * ask;
  plan_random_t * random;
  double step;                // longest edge, rad
  uint32_t max_nodes;         // of both trees
  uint64_t max_samples;       // walled in, trees do not grow; 0: no limit
  plan_near_t near;
} plan_search_t;

/// Configurations of a tree's roots.
typedef struct plan_roots_s
{
  const double * values;      // [root * joints + joint]
  size_t count;
} plan_roots_t;

typedef enum plan_found_e
{
  PLAN_FOUND = 0,
  PLAN_FULL = 1,          // max_nodes, max_samples
  PLAN_STOPPED = 2,       // deadline, cancel, failure
  PLAN_NO_MEMORY = 3
} plan_found_t;

/// path (empty before): from the start to one of the goals, *goal. Requires: all of them are free.
plan_found_t plan_search(
  const plan_search_t * search, const double * start, plan_roots_t goals, plan_path_t * path,
  size_t * goal);

#endif  // PLAN__TREE_H_
