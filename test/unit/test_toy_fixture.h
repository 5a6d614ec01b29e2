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

/* The toy robot, made before the tests of a program and destroyed behind them. */

#ifndef TEST_TOY_FIXTURE_H_
#define TEST_TOY_FIXTURE_H_

#include "support/toy.h"

static vouch_robot_t * robot;

static inline int set_up(void ** state)
{
  (void)state;
  robot = toy_robot();
  return 0;
}

static inline int tear_down(void ** state)
{
  (void)state;
  vouch_robot_destroy(robot);
  return 0;
}

#endif  // TEST_TOY_FIXTURE_H_
