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
/* The configurations that a plan moves in: the joints that may move, their limits, and how far two
 * configurations are apart. A configuration here has one number per moving joint; the others stay
 * as the start has them. */

#ifndef PLAN__SPACE_H_
#define PLAN__SPACE_H_

#include <math.h>

#include "model/robot.h"
#include "vouch/plan.h"

/// Joints that may move at once.
#define PLAN_MAX_JOINTS 64u
/// A metre of a sliding joint counts as much as so many radians: about what an arm's elbow makes of it.
#define PLAN_METRE 3.0

typedef struct plan_space_s
{
  const vouch_robot_t * robot;
  uint32_t count;                          // of moving joints
  uint32_t variables[PLAN_MAX_JOINTS];     // of the robot
  bool endless[PLAN_MAX_JOINTS];           // turns without limits
  double lower[PLAN_MAX_JOINTS], upper[PLAN_MAX_JOINTS];
  double weights[PLAN_MAX_JOINTS];
  /* of the motion, 0 or INFINITY where there is none */
  double velocity[PLAN_MAX_JOINTS], acceleration[PLAN_MAX_JOINTS], jerk[PLAN_MAX_JOINTS];
  uint64_t chains[PLAN_MAX_JOINTS];        // joints above or below this one, and itself, as bits
  bool branched;                           // several arms: not all joints are on one chain
  double * base;                           // one value per variable: where the others stand
} plan_space_t;

/// splitmix64: small, and the same everywhere.
typedef struct plan_random_s
{
  uint64_t state;
} plan_random_t;

static inline uint64_t plan_random_bits(plan_random_t * random)
{
  uint64_t z = random->state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// In [0, 1).
static inline double plan_random_unit(plan_random_t * random)
{
  return (double)(plan_random_bits(random) >> 11) * 0x1p-53;
}

/// Normal, mean 0 and deviation 1 (sum of twelve: the tails do not matter here).
double plan_random_normal(plan_random_t * random);

double plan_distance(const plan_space_t * space, const double * a, const double * b);

/// out = a + fraction * (b - a); exactly b for 1.
void plan_between(
  const plan_space_t * space, const double * a, const double * b, double fraction, double * out);

/// All variables of the robot.
void plan_expand(const plan_space_t * space, const double * q, double * values);
void plan_reduce(const plan_space_t * space, const double * values, double * q);

/// Fills in `chains`. Requires: the variables are known.
void plan_find_chains(plan_space_t * space);

/// Into the limits.
void plan_clamp(const plan_space_t * space, double * q);

void plan_sample(const plan_space_t * space, plan_random_t * random, double * q);

/// No endless joint turns so far that a bare path would be read as going the other way round.
bool plan_is_short(const plan_space_t * space, const double * a, const double * b);

/// Endless joints of `to` by whole turns as near to `from` as can be.
void plan_nearest_turn(const plan_space_t * space, const double * from, double * to);

#endif  // PLAN__SPACE_H_
