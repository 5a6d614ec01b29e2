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

/* vouch: proves that a robot arm's motion never touches anything between its waypoints, or names
 * the time, the pair and the points where it does. This header is all of it. Options that are NULL
 * are the defaults; others begin with their _default() and are then changed. */

#ifndef VOUCH__VOUCH_H_
#define VOUCH__VOUCH_H_

#include "vouch/check.h"
#include "vouch/motion.h"
#include "vouch/plan.h"
#include "vouch/robot.h"
#include "vouch/scene.h"
#include "vouch/shape.h"
#include "vouch/stream.h"
#include "vouch/types.h"

#endif  // VOUCH__VOUCH_H_
