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
#include "plan/space.h"

#include "base/error.h"

static const double TURN = 6.283185307179586;

double plan_random_normal(plan_random_t * random)
{
  double sum = -6.0;
  for (int i = 0; i < 12; i++) {
    sum += plan_random_unit(random);
  }
  return sum;
}

double plan_distance(const plan_space_t * s, const double * a, const double * b)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < s->count; i++) {
    const double d = s->weights[i] * (b[i] - a[i]);
    sum += d * d;
  }
  return sqrt(sum);
}

void plan_between(
  const plan_space_t * s, const double * a, const double * b, double fraction, double * out)
{
  for (uint32_t i = 0; i < s->count; i++) {
    out[i] = fraction == 1.0 ? b[i] : a[i] + fraction * (b[i] - a[i]);
  }
}

void plan_expand(const plan_space_t * s, const double * q, double * values)
{
  memcpy(values, s->base, s->robot->variable_count * sizeof(*values));
  for (uint32_t i = 0; i < s->count; i++) {
    values[s->variables[i]] = q[i];
  }
}

void plan_reduce(const plan_space_t * s, const double * values, double * q)
{
  for (uint32_t i = 0; i < s->count; i++) {
    q[i] = values[s->variables[i]];
  }
}

/// Joint `above` carries joint `below`.
static bool carries(const vouch_robot_t * robot, uint32_t above, uint32_t below)
{
  uint32_t link = robot->joints[below].parent;
  while (link != 0u && link != VOUCH_NONE && link - 1u != above) {
    link = robot->joints[link - 1u].parent;
  }
  return link != 0u && link != VOUCH_NONE;
}

void plan_find_chains(plan_space_t * s)
{
  s->branched = false;
  for (uint32_t i = 0; i < s->count; i++) {
    s->chains[i] = 0;
    for (uint32_t k = 0; k < s->count; k++) {
      const uint32_t a = s->robot->variables[s->variables[i]];
      const uint32_t b = s->robot->variables[s->variables[k]];
      const bool together = i == k || carries(s->robot, a, b) || carries(s->robot, b, a);
      s->chains[i] |= (uint64_t)together << k;
      s->branched = s->branched || !together;
    }
  }
}

void plan_clamp(const plan_space_t * s, double * q)
{
  for (uint32_t i = 0; i < s->count; i++) {
    q[i] = fmin(fmax(q[i], s->lower[i]), s->upper[i]);
  }
}

void plan_sample(const plan_space_t * s, plan_random_t * random, double * q)
{
  for (uint32_t i = 0; i < s->count; i++) {
    q[i] = s->lower[i] + (s->upper[i] - s->lower[i]) * plan_random_unit(random);
  }
}

bool plan_is_short(const plan_space_t * s, const double * a, const double * b)
{
  bool is_short = true;
  for (uint32_t i = 0; i < s->count; i++) {
    is_short = is_short && !(s->endless[i] && fabs(b[i] - a[i]) > 3.0);
  }
  return is_short;
}

void plan_nearest_turn(const plan_space_t * s, const double * from, double * to)
{
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->endless[i]) {
      to[i] -= TURN * nearbyint((to[i] - from[i]) / TURN);
    }
  }
}

vouch_ret_t vouch_robot_nearest_turn(
  const vouch_robot_t * robot, const double * from, bool limited, double * to)
{
  VOUCH_REQUIRE("robot, from, to", robot, from, to);
  for (size_t i = 0; i < robot->variable_count; i++) {
    const vouch_joint_t * joint = &robot->joints[robot->variables[i]];
    const double turns = nearbyint((to[i] - from[i]) / TURN);
    if (!isfinite(turns)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "joint '%s' goes from %g to %g: both must be finite", joint->name,
        from[i], to[i]);
    }
    const double near = to[i] - TURN * turns;
    if (joint->type == VOUCH_URDF_CONTINUOUS ||
      (limited && joint->type == VOUCH_URDF_REVOLUTE && joint->limited && near >= joint->lower &&
      near <= joint->upper))
    {
      to[i] = near;
    }
  }
  return VOUCH_RET_OK;
}
