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
/* A path: configurations, one after the other, with straight edges between them. */

#ifndef PLAN__PATH_H_
#define PLAN__PATH_H_

#include "plan/ask.h"

typedef struct plan_path_s
{
  vouch_allocator_t allocator;
  uint32_t joints;      // numbers of a configuration
  double * values;      // [point * joints + joint]
  size_t count, capacity;
} plan_path_t;

static inline double * plan_path_at(const plan_path_t * path, size_t point)
{
  return path->values + point * path->joints;
}

bool plan_path_add(plan_path_t * path, const double * q) VOUCH_WARN_UNUSED;
/// Points [begin, end) become `count` others.
bool plan_path_replace(
  plan_path_t * path, size_t begin, size_t end, const double * points,
  size_t count) VOUCH_WARN_UNUSED;
bool plan_path_copy(plan_path_t * to, const plan_path_t * from) VOUCH_WARN_UNUSED;
void plan_path_fini(plan_path_t * path);

double plan_path_length(const plan_path_t * path, const plan_space_t * space);

/// Takes out points that repeat the one before, or lie on a straight edge between their neighbours.
void plan_path_tidy(plan_path_t * path, const plan_space_t * space);

/// From the point `from` on to the point `to`: tries `tries` proved edges that make it shorter.
/// false: no memory.
bool plan_path_shorten(
  plan_path_t * path, plan_ask_t * ask, plan_random_t * random, size_t from, size_t * to,
  uint32_t tries) VOUCH_WARN_UNUSED;

/// How far q is from the path.
double plan_path_distance(
  const plan_path_t * path, const plan_space_t * space, const double * q);

#endif  // PLAN__PATH_H_
