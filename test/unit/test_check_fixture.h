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

/* The toy robot amid boxes, a checker and a motion, for tests of the checker. */

#ifndef UNIT__TEST_CHECK_FIXTURE_H_
#define UNIT__TEST_CHECK_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/toy.h"
#include "vouch/vouch.h"

/// A ring of boxes around the toy robot, out of its reach but for what `near` puts there.
static inline vouch_scene_t * ring(const vouch_robot_t * robot, int count, double moved)
{
  vouch_scene_t * scene;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  for (int i = 0; i < count; i++) {
    char id[32];
    snprintf(id, sizeof(id), "box%03d", i);
    vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX, .size = {0.2, 0.2, 0.2}};
    vouch_pose_t pose = vouch_pose_identity();
    double angle = 6.283185307179586 * i / count;
    pose.translation[0] = 4.0 * (1.0 - angle * angle / 40.0) + (i == 0 ? moved : 0.0);
    pose.translation[1] = angle - 3.0;
    pose.translation[2] = 0.1 * (i % 5);
    assert_int_equal(
      vouch_scene_add_object(scene, id, "", &pose, &box, NULL, 1), VOUCH_RET_OK);
  }
  return scene;
}

static inline vouch_checker_t * checker_of(
  const vouch_scene_t * scene,
  vouch_check_options_t options)
{
  vouch_checker_t * checker;
  vouch_ret_t ret = vouch_checker_create(&checker, scene, &options);
  if (ret != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
  }
  assert_int_equal(ret, VOUCH_RET_OK);
  return checker;
}

static const double FROM[3] = {0.0, 0.4, 0.1}, TO[3] = {0.9, 0.6, 0.2};

/// Back and forth from FROM to TO, in one second.
static inline vouch_motion_t * motion_of(const vouch_robot_t * robot, size_t points)
{
  static const char * const names[3] = {"turn", "tilt", "slide"};
  vouch_trajectory_point_t list[16];
  double values[16][3];
  for (size_t i = 0; i < points; i++) {
    double s = (double)i / (double)(points - 1u);
    for (int k = 0; k < 3; k++) {
      values[i][k] = FROM[k] + s * (TO[k] - FROM[k]) + 0.05 * (double)(i % 2u);
    }
    list[i] = (vouch_trajectory_point_t) {.positions = values[i], .time_s = s};
  }
  vouch_trajectory_t trajectory = {names, 3, list, points};
  vouch_motion_options_t options = vouch_motion_options_default();
  vouch_motion_t * motion;
  vouch_ret_t ret = vouch_motion_create(&motion, robot, &trajectory, &options);
  if (ret != VOUCH_RET_OK) {
    print_error("%s\n", vouch_error());
  }
  assert_int_equal(ret, VOUCH_RET_OK);
  return motion;
}

#endif  // UNIT__TEST_CHECK_FIXTURE_H_
