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

/* The side of the gate that the controller sees: the action client, and which answer belongs to what.
 * Nothing here decides; see gate.h. */

#ifndef NODE__GATE_CONTROLLER_H_
#define NODE__GATE_CONTROLLER_H_

#include "node/gate_server.h"

#define GATE_MOST_OFFERS 8   // that the controller has not answered

/// A goal that was sent: its answer has nothing but the number of the request.
typedef struct gate_offer_s
{
  bool open;
  int64_t sequence;
  uint8_t id[GATE_UUID_SIZE];
} gate_offer_t;

typedef struct gate_controller_s
{
  const gate_type_t * type;
  rcl_node_t * node;
  rcl_action_client_t client;
  bool ready;
  double looked_s;         // when the controller was looked for, steady
  bool there;
  gate_offer_t offers[GATE_MOST_OFFERS];
  size_t next_offer;
  int64_t result_sequence;
} gate_controller_t;

rcl_ret_t gate_controller_init(
  gate_controller_t * self, rcl_node_t * node, const gate_type_t * type, const char * name);
void gate_controller_fini(gate_controller_t * self);

/// True when its action can be seen. Looks ten times a second at most.
bool gate_controller_is_there(gate_controller_t * self, double now_s);

/// Sends a goal request as it is. False: it did not go out.
bool gate_controller_offer(gate_controller_t * self, const void * goal_request);
/// Asks for the result of a goal.
void gate_controller_await(gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE]);
void gate_controller_cancel(gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE]);

typedef enum gate_answer_e
{
  GATE_ANSWER_NONE = 0,      // nothing has arrived
  GATE_ANSWER_OTHER = 1,     // about something that nobody waits for any more
  GATE_ANSWER_REFUSED = 2,
  GATE_ANSWER_TAKEN = 3
} gate_answer_t;

/// Takes the answer to one offer; a goal that is not this one and was accepted after all is cancelled.
gate_answer_t gate_controller_take_answer(
  gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE]);
/// Takes a result: *result is the one that was asked for last, or NULL. It belongs to the caller.
bool gate_controller_take_result(gate_controller_t * self, void ** result);
/// Takes a feedback message: *feedback is about this goal, or NULL. It belongs to the caller.
bool gate_controller_take_feedback(
  gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE], void ** feedback);
/// Takes what the result says better, so that it does not wake the node again.
bool gate_controller_take_rest(gate_controller_t * self);

#endif  // NODE__GATE_CONTROLLER_H_
