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

/* Motions of the toy robot: made, or refused with a sentence. */

#ifndef TEST_MOTION_FIXTURE_H_
#define TEST_MOTION_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/motion.h"
#include "unit/test_toy_fixture.h"

#define PI 3.14159265358979323846
static const char * const NAMES[] = {"turn", "tilt", "slide"};

static inline vouch_trajectory_t trajectory_of(
  const vouch_trajectory_point_t * points,
  size_t count)
{
  return (vouch_trajectory_t) {
           .joint_names = NAMES, .joint_count = 3, .points = points, .point_count = count
  };
}

static inline vouch_motion_t * make(
  const vouch_trajectory_point_t * points, size_t count, const vouch_motion_options_t * options)
{
  const vouch_trajectory_t trajectory = trajectory_of(points, count);
  vouch_motion_t * motion = NULL;
  if (vouch_motion_create(&motion, robot, &trajectory, options) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return motion;
}

static inline void refuse(
  const vouch_trajectory_t * trajectory, const vouch_motion_options_t * options,
  const char * sentence)
{
  vouch_motion_t * motion = NULL;
  assert_int_equal(
    vouch_motion_create(&motion, robot, trajectory, options), VOUCH_RET_INVALID);
  assert_null(motion);
  if (strstr(vouch_error(), sentence) == NULL) {
    fail_msg("'%s' does not hold '%s'", vouch_error(), sentence);
  }
}

/// The controller's power form, as its source has it, in long double.
static inline long double controller_value(
  int degree, double p0, double v0, double a0, double p1, double v1, double a1, long double T,
  long double t)
{
  const long double P0 = p0, V0 = v0, A0 = a0, P1 = p1, V1 = v1, A1 = a1;
  long double c[6] = {P0, 0, 0, 0, 0, 0};
  if (degree == 1) {
    c[1] = (P1 - P0) / T;
  } else if (degree == 3) {
    c[1] = V0;
    c[2] = (-3 * P0 + 3 * P1 - 2 * V0 * T - V1 * T) / (T * T);
    c[3] = (2 * P0 - 2 * P1 + V0 * T + V1 * T) / (T * T * T);
  } else {
    const long double T2 = T * T;
    c[1] = V0;
    c[2] = A0 / 2;
    c[3] = (-20 * P0 + 20 * P1 - 3 * A0 * T2 + A1 * T2 - 12 * V0 * T - 8 * V1 * T) / (2 * T2 * T);
    c[4] = (30 * P0 - 30 * P1 + 3 * A0 * T2 - 2 * A1 * T2 + 16 * V0 * T + 14 * V1 * T) /
      (2 * T2 * T2);
    c[5] = (-12 * P0 + 12 * P1 - A0 * T2 + A1 * T2 - 6 * V0 * T - 6 * V1 * T) / (2 * T2 * T2 * T);
  }
  long double sum = 0;
  for (int i = 5; i >= 0; --i) {
    sum = sum * t + c[i];
  }
  return sum;
}

#endif  // TEST_MOTION_FIXTURE_H_
