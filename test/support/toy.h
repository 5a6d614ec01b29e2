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
/* A small robot with one of everything, for tests of scenes and motions.
 *
 *   base (box) -turn: continuous z-> arm (box) -tilt: revolute y, +-2-> fore (cylinder)
 *     -slide: prismatic x, 0..0.5-> hand (sphere) -fixed-> tool (no geometry)
 *     hand -finger: prismatic, follows slide, 0.5 * slide + 0.1-> claw (box)
 * Variables: turn 0, tilt 1, slide 2. Without SRDF: parent-child pairs are not checked. */

#ifndef SUPPORT__TOY_H_
#define SUPPORT__TOY_H_

#include "vouch/vouch.h"

/// Exits the process when the robot does not load.
vouch_robot_t * toy_robot(void);
/// The same with an SRDF.
vouch_robot_t * toy_robot_srdf(const char * srdf);

#endif  // SUPPORT__TOY_H_
