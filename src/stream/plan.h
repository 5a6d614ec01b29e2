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

/* A plan: a cubic spline through knots with positions and velocities, at whole nanoseconds. Before its
 * first knot and after its last one it stands still. */

#ifndef STREAM__PLAN_H_
#define STREAM__PLAN_H_

#include "base/memory.h"

typedef struct plan_s
{
  vouch_allocator_t allocator;
  size_t variables, capacity;   // of a knot, of the plan
  int64_t * times;              // strictly rising
  double * positions;           // [knot * variables + variable]
  double * velocities;
  size_t count;                 // at least 1
  size_t last;                  // knots behind this one belong to the stop
} plan_t;

vouch_ret_t plan_init(
  plan_t * plan, vouch_allocator_t allocator, size_t variables,
  size_t capacity) VOUCH_WARN_UNUSED;
void plan_fini(plan_t * plan);
void plan_swap(plan_t * a, plan_t * b);

/// Velocities may be NULL.
void plan_evaluate(const plan_t * plan, int64_t time_ns, double * positions, double * velocities);
/// Appends a knot and returns where its values go. NULL: the plan is full.
double * plan_append(plan_t * plan, int64_t time_ns, double ** velocities);

/// Makes `out` what `in` is up to splice_ns, from the last knot on that is over at now_ns. False: it is
/// too long.
bool plan_take_over(plan_t * out, const plan_t * in, int64_t now_ns, int64_t splice_ns);

/// Appends the stop: every joint brakes evenly, all for as long, the one that needs longest as hard as
/// `brakes` (per variable, > 0) say. False: the plan is full.
bool plan_append_stop(plan_t * plan, const double * brakes);

/// The largest |velocity| and |acceleration| of a variable from a knot on. Velocities are bounded by
/// their Bernstein coefficients, accelerations are linear between knots.
typedef struct plan_extremes_s
{
  double velocity, acceleration;
} plan_extremes_t;
plan_extremes_t plan_extremes(const plan_t * plan, size_t from, size_t variable);

#endif  // STREAM__PLAN_H_
