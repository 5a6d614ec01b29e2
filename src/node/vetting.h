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

/* Live vetting as a state machine without ROS: one trajectory from its arrival to its end.
 *
 *   IDLE      --admit-->                                 ADMITTED
 *   ADMITTED  --decide: FREE, and the robot in the tube--> FORWARDED   (else REFUSED)
 *   FORWARDED --time-->                                  RUNNING --time--> DONE
 *   FORWARDED, RUNNING --contradicted, re-check fails--> REVOKED
 *
 * Rules:
 *   V1 Only FREE is forwarded, and only while the robot is inside the tube of the start.
 *   V2 What was forwarded is watched until it ended, with the robot in the tube: a new scene or a
 *      robot outside the tube asks for a re-check.
 *   V3 Outside the tube the proof says nothing about the robot: revoked whatever the re-check says.
 *   V4 A new scene revokes unless the re-check of the remaining part is FREE.
 *   V5 REFUSED, REVOKED and DONE are final; events that do not fit a state change nothing.
 *   V6 What was revoked may still move the robot until its end: somebody else has to stop it.
 * Times are seconds of one clock, given by the caller. */

#ifndef NODE__VETTING_H_
#define NODE__VETTING_H_

#include "vouch/types.h"

typedef enum vetting_state_e
{
  VETTING_IDLE = 0,
  VETTING_ADMITTED = 1,
  VETTING_FORWARDED = 2,
  VETTING_RUNNING = 3,
  VETTING_REVOKED = 4,
  VETTING_DONE = 5,
  VETTING_REFUSED = 6
} vetting_state_t;

/// What the caller has to do now.
typedef enum vetting_action_e
{
  VETTING_NOTHING = 0,
  VETTING_CHECK = 1,      // the whole trajectory
  VETTING_FORWARD = 2,
  VETTING_REFUSE = 3,     // report why
  VETTING_RECHECK = 4,    // the remaining part
  VETTING_KEEP = 5,       // the re-check holds: report it
  VETTING_REVOKE = 6,     // report it
  VETTING_FINISH = 7      // ended as proved
} vetting_action_t;

typedef struct vetting_s
{
  vetting_state_t state;
  double start_s, end_s;    // of the motion; set when forwarded
  bool rechecking;
  bool outside;             // the re-check was asked for by a robot outside the tube
} vetting_t;

/// A trajectory has arrived.
vetting_action_t vetting_admit(vetting_t * vetting);
/// It was checked. `deviation` is the largest |q - q0| / delta over the joints (NaN: unknown).
vetting_action_t vetting_decide(vetting_t * vetting, vouch_verdict_t verdict, double deviation);
/// It was sent on: it runs from start_s to end_s.
void vetting_forwarded(vetting_t * vetting, double start_s, double end_s);
/// Scene, robot or settings are not those of the proof any more.
vetting_action_t vetting_contradicted(vetting_t * vetting, double now_s);
/// A joint state came in; `deviation` as above, against the planned state.
vetting_action_t vetting_measured(vetting_t * vetting, double now_s, double deviation);
/// The remaining part was checked again.
vetting_action_t vetting_rechecked(vetting_t * vetting, vouch_verdict_t verdict);
/// Time passes.
vetting_action_t vetting_tick(vetting_t * vetting, double now_s);

/// True from forwarding to the end: somebody has to watch it.
bool vetting_is_watched(const vetting_t * vetting);
/// True while the robot may move because of it, revoked or not.
bool vetting_may_move(const vetting_t * vetting, double now_s);
/// "idle", "admitted", "forwarded", "running", "revoked", "done", "refused".
const char * vetting_state_name(vetting_state_t state);

#endif  // NODE__VETTING_H_
