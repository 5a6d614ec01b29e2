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

/* The action gate as a state machine without ROS: one goal from its client through the check to the
 * controller and back.
 *
 *   IDLE      --goal-->                      CHECKING
 *   CHECKING  --decided: proved-->           OFFERED    (sent to the controller)
 *   OFFERED   --the controller takes it-->   RUNNING
 *   RUNNING   --result-->                    SUCCEEDED, CANCELED or ABORTED, as the controller says
 *   OFFERED, RUNNING --cancel, revoked, too late--> STOPPING (a cancel is under way to the controller)
 *   STOPPING  --result, or out of patience-->CANCELED (the client's wish) or ABORTED
 *
 * Rules:
 *   G1 Only what was proved is offered, once, and no second goal is taken before the first has ended.
 *   G2 A client is told the end of its goal exactly once. Unless the controller said that it does not
 *      execute the goal any more, somebody else is told to stop the robot first (GATE_DO_STOP).
 *   G3 A client's cancel reaches the controller, also one that comes before the controller has
 *      answered; while the check runs nothing is offered any more.
 *   G4 What was revoked is cancelled, and has not succeeded whatever the controller says: it ends as
 *      ABORTED, or as CANCELED where the client wished that and the controller did it.
 *   G5 Whatever comes for a goal that has ended changes nothing; a controller that takes it after all
 *      is told to cancel it.
 *   G6 No state but CHECKING lasts for ever: a controller that is silent, gone or does not obey ends
 *      the goal.
 * Times are seconds of one steady clock, given by the caller; one that goes back only makes waiting
 * longer, NaN makes it endless. Every event returns what has to be done, in the order of the bits. */

#ifndef NODE__GATE_H_
#define NODE__GATE_H_

#include <stdbool.h>

typedef enum gate_state_e
{
  GATE_IDLE = 0,
  GATE_CHECKING = 1,
  GATE_OFFERED = 2,
  GATE_RUNNING = 3,
  GATE_STOPPING = 4,
  GATE_SUCCEEDED = 5,
  GATE_CANCELED = 6,
  GATE_ABORTED = 7
} gate_state_t;

/// Why a goal is being stopped or has ended.
typedef enum gate_why_e
{
  GATE_WHY_NONE = 0,
  GATE_WHY_NOT_PROVED = 1,
  GATE_WHY_CLIENT = 2,          // asked to cancel
  GATE_WHY_REVOKED = 3,
  GATE_WHY_CONTROLLER = 4,      // its result
  GATE_WHY_REFUSED = 5,         // the controller does not take it
  GATE_WHY_SILENT = 6,          // it does not answer
  GATE_WHY_LATE = 7,            // its result does not come
  GATE_WHY_GONE = 8,            // it is not there any more, or does not know the goal
  GATE_WHY_NOT_SENT = 9         // the middleware failed
} gate_why_t;

/// What has to be done, in this order.
enum
{
  GATE_DO_NOTHING = 0,
  GATE_DO_REFUSE = 1,     // the new goal, which never becomes ours
  GATE_DO_CHECK = 2,
  GATE_DO_OFFER = 4,      // send the goal to the controller; gate_not_sent() when that fails
  GATE_DO_AWAIT = 8,      // ask the controller for the result
  GATE_DO_CANCEL = 16,    // tell the controller to cancel
  GATE_DO_STOP = 32,      // the robot may move unproved: whatever on_revoke says
  GATE_DO_RELEASE = 64,   // the controller does not execute it any more: nothing is to be watched
  GATE_DO_FINISH = 128    // tell the client; the state says how, `why` says why
};

/// How a goal ended for the controller.
typedef enum gate_outcome_e
{
  GATE_OUTCOME_UNKNOWN = 0,   // it does not know the goal
  GATE_OUTCOME_SUCCEEDED = 1,
  GATE_OUTCOME_CANCELED = 2,
  GATE_OUTCOME_ABORTED = 3
} gate_outcome_t;

/// Seconds.
typedef struct gate_patience_s
{
  double answer_s;   // for the controller to take or refuse a goal
  double result_s;   // for its result, after the motion has ended
  double stop_s;     // for its result, after it was told to cancel
  double gone_s;     // for it to come back
} gate_patience_t;

/// Zero is idle. Only `patience` is written from outside.
typedef struct gate_s
{
  gate_patience_t patience;
  gate_state_t state;
  gate_why_t why;
  double duration_s;       // of the motion
  double since_s;          // what is waited for began then
  double absent_since_s;
  bool absent;             // the controller was not seen at the last look
  bool taken;              // by the controller
  bool unwanted;           // the client has asked to cancel
} gate_t;

/// A client sends a goal. `there`: the controller can be seen.
unsigned gate_goal(gate_t * gate, bool there);
/// It was checked; the motion takes `duration_s`.
unsigned gate_decided(gate_t * gate, bool proved, double duration_s, double now_s);
/// The goal could not be sent to the controller.
unsigned gate_not_sent(gate_t * gate);
/// The controller takes the goal, or does not.
unsigned gate_answered(gate_t * gate, bool taken, double now_s);
/// The controller's result.
unsigned gate_result(gate_t * gate, gate_outcome_t outcome);
/// The client wants it cancelled.
unsigned gate_cancel(gate_t * gate, double now_s);
/// What runs is no longer proved.
unsigned gate_revoked(gate_t * gate, double now_s);
/// Time passes; `there`: the controller can be seen.
unsigned gate_tick(gate_t * gate, bool there, double now_s);

/// True from its arrival to its end: no other goal is taken.
bool gate_is_busy(const gate_t * gate);
/// True when the controller may be executing it.
bool gate_is_out(const gate_t * gate);
/// "idle", "checking", ... "aborted".
const char * gate_state_name(gate_state_t state);
/// The reason as a sentence; "" for NONE.
const char * gate_why_text(gate_why_t why);

#endif  // NODE__GATE_H_
