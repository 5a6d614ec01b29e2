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

#include "stream/plan.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const double second = 1e-9;   // of a nanosecond

vouch_ret_t plan_init(
  plan_t * plan, vouch_allocator_t allocator, size_t variables, size_t capacity)
{
  const size_t values = variables * capacity + 1;
  *plan = (plan_t) {.allocator = allocator, .variables = variables, .capacity = capacity};
  plan->times = vouch_calloc(&allocator, capacity, sizeof(*plan->times));
  plan->positions = vouch_calloc(&allocator, values, sizeof(*plan->positions));
  plan->velocities = vouch_calloc(&allocator, values, sizeof(*plan->velocities));
  if (plan->times == NULL || plan->positions == NULL || plan->velocities == NULL) {
    plan_fini(plan);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a plan of %zu points", capacity);
  }
  return VOUCH_RET_OK;
}

void plan_fini(plan_t * plan)
{
  vouch_free(&plan->allocator, plan->times);
  vouch_free(&plan->allocator, plan->positions);
  vouch_free(&plan->allocator, plan->velocities);
  *plan = (plan_t) {0};
}

void plan_swap(plan_t * a, plan_t * b)
{
  plan_t swap = *a;
  *a = *b;
  *b = swap;
}

/// The last knot that is not after the time; 0 when all are.
static size_t find_knot(const plan_t * plan, int64_t time_ns)
{
  size_t low = 0, high = plan->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (plan->times[middle] <= time_ns) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// One cubic between two knots, `h` seconds long, at `tau` seconds: joint_trajectory_controller's.
typedef struct cubic_s
{
  double p0, v0, p1, v1, h;
} cubic_t;

static cubic_t cubic_of(const plan_t * plan, size_t knot, size_t variable)
{
  const size_t a = knot * plan->variables + variable, b = a + plan->variables;
  return (cubic_t) {
           plan->positions[a], plan->velocities[a], plan->positions[b], plan->velocities[b],
           second * (double)(plan->times[knot + 1] - plan->times[knot])
  };
}

static void evaluate_cubic(const cubic_t * c, double tau, double * position, double * velocity)
{
  const double c2 = (3.0 * (c->p1 - c->p0) / c->h - 2.0 * c->v0 - c->v1) / c->h;
  const double c3 = (2.0 * (c->p0 - c->p1) / c->h + c->v0 + c->v1) / (c->h * c->h);
  *position = c->p0 + tau * (c->v0 + tau * (c2 + tau * c3));
  *velocity = c->v0 + tau * (2.0 * c2 + 3.0 * tau * c3);
}

void plan_evaluate(const plan_t * plan, int64_t time_ns, double * positions, double * velocities)
{
  const size_t knot = find_knot(plan, time_ns);
  const bool between = time_ns >= plan->times[0] && knot + 1 < plan->count;
  const double tau = between ? second * (double)(time_ns - plan->times[knot]) : 0.0;
  for (size_t i = 0; i < plan->variables; ++i) {
    double position = plan->positions[knot * plan->variables + i], velocity = 0.0;
    if (between) {
      const cubic_t cubic = cubic_of(plan, knot, i);
      evaluate_cubic(&cubic, tau, &position, &velocity);
    }
    positions[i] = position;
    if (velocities != NULL) {
      velocities[i] = velocity;
    }
  }
}

double * plan_append(plan_t * plan, int64_t time_ns, double ** velocities)
{
  if (plan->count == plan->capacity) {
    return NULL;
  }
  plan->times[plan->count] = time_ns;
  *velocities = plan->velocities + plan->count * plan->variables;
  return plan->positions + plan->count++ *plan->variables;
}

bool plan_take_over(plan_t * out, const plan_t * in, int64_t now_ns, int64_t splice_ns)
{
  const size_t bytes = in->variables * sizeof(double);
  double * velocities = NULL;
  out->count = 0;
  for (size_t k = find_knot(in, now_ns); k < in->count && in->times[k] < splice_ns; ++k) {
    double * positions = plan_append(out, in->times[k], &velocities);
    if (positions == NULL) {
      return false;
    }
    memcpy(positions, in->positions + k * in->variables, bytes);
    memcpy(velocities, in->velocities + k * in->variables, bytes);
  }
  /* A cubic that is cut stays the same cubic. */
  double * positions = plan_append(out, splice_ns, &velocities);
  if (positions != NULL) {
    plan_evaluate(in, splice_ns, positions, velocities);
  }
  out->last = out->count - 1;
  return positions != NULL;
}

bool plan_append_stop(plan_t * plan, const double * brakes)
{
  const size_t at = plan->last = plan->count - 1;
  const double * v = plan->velocities + at * plan->variables;
  double longest = 0.0, * velocities = NULL;
  for (size_t i = 0; i < plan->variables; ++i) {
    longest = fmax(longest, fabs(v[i]) / brakes[i]);
  }
  if (!(longest > 0.0)) {
    return true;   // it stands already
  }
  const int64_t length_ns = (int64_t)ceil(longest / second);
  double * positions = plan_append(plan, plan->times[at] + length_ns, &velocities);
  for (size_t i = 0; positions != NULL && i < plan->variables; ++i) {
    positions[i] = plan->positions[at * plan->variables + i] +
      0.5 * v[i] * second * (double)length_ns;
    velocities[i] = 0.0;
  }
  return positions != NULL;
}

plan_extremes_t plan_extremes(const plan_t * plan, size_t from, size_t variable)
{
  plan_extremes_t largest = {0.0, 0.0};
  for (size_t k = from; k + 1 < plan->count; ++k) {
    const cubic_t c = cubic_of(plan, k, variable);
    const double slope = (c.p1 - c.p0) / c.h;
    const double inner = fabs(3.0 * slope - c.v0 - c.v1);
    const double begin = fabs((6.0 * slope - 4.0 * c.v0 - 2.0 * c.v1) / c.h);
    const double end = fabs((-6.0 * slope + 2.0 * c.v0 + 4.0 * c.v1) / c.h);
    largest.velocity = fmax(largest.velocity, fmax(inner, fmax(fabs(c.v0), fabs(c.v1))));
    largest.acceleration = fmax(largest.acceleration, fmax(begin, end));
  }
  return largest;
}
