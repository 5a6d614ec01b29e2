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

/* Robots as texts: accepted, refused, warned about. */

#ifndef TEST_URDF_FIXTURE_H_
#define TEST_URDF_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/robot.h"

static inline vouch_ret_t parse(vouch_robot_t ** robot, const char * text)
{
  return vouch_robot_parse_urdf(robot, text, strlen(text), NULL, NULL);
}

static inline void refused(const char * text, const char * part)
{
  vouch_robot_t * robot = NULL;
  vouch_ret_t ret = parse(&robot, text);
  if (ret != VOUCH_RET_INVALID) {
    fail_msg("%d, not refused: %s", (int)ret, text);
  }
  assert_null(robot);
  if (strstr(vouch_error(), part) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", vouch_error(), part);
  }
}

static inline vouch_robot_t * accepted(const char * text)
{
  vouch_robot_t * robot = NULL;
  if (parse(&robot, text) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return robot;
}

static inline bool warned(const vouch_robot_t * robot, const char * part)
{
  for (size_t i = 0; i < vouch_robot_warning_count(robot); ++i) {
    if (strstr(vouch_robot_warning(robot, i), part) != NULL) {
      return true;
    }
  }
  return false;
}

#define J(name, type, parent, child, more) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  more "</joint>\n"
#define L(name) "<link name='" name "'/>\n"
#define ROBOT(body) "<robot name='r'>\n" body "</robot>"
#define LIMIT "<limit lower='-1' upper='2' effort='1' velocity='1'/>"
#define LINK_WITH(shape) \
  ROBOT("<link name='a'>\n<collision>\n<geometry>\n" shape "</geometry></collision></link>")

#endif  // TEST_URDF_FIXTURE_H_
