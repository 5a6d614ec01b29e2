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

/* The side of the gate that clients see: the action server and the goals that it told somebody about.
 * Nothing here decides; see gate.h. */

#ifndef NODE__GATE_SERVER_H_
#define NODE__GATE_SERVER_H_

#include "node/gate_types.h"
#include "rcl_action/rcl_action.h"

#define GATE_UUID_SIZE 16
#define GATE_MOST_GOALS 64     // that a client may still ask for
#define GATE_MOST_ASKERS 8     // who wait for the result of one goal

typedef struct gate_server_goal_s
{
  bool used;
  uint8_t id[GATE_UUID_SIZE];
  rcl_action_goal_handle_t * handle;   // rcl's
  void * result;                       // NULL until it has ended
  rmw_request_id_t askers[GATE_MOST_ASKERS];
  size_t asker_count;
  uint64_t number;                     // later ones are newer
} gate_server_goal_t;

typedef struct gate_server_s
{
  const gate_type_t * type;
  rcl_node_t * node;
  rcl_action_server_t server;
  bool ready;
  gate_server_goal_t goals[GATE_MOST_GOALS];
  uint64_t number;
} gate_server_t;

/// `clock` must outlive it.
rcl_ret_t gate_server_init(
  gate_server_t * self, rcl_node_t * node, rcl_clock_t * clock, const gate_type_t * type,
  const char * name);
void gate_server_fini(gate_server_t * self);

/// Answers a goal request: accepted with a place in the table, or not at all. NULL: not accepted.
gate_server_goal_t * gate_server_answer(
  gate_server_t * self, rmw_request_id_t * asker, const uint8_t id[GATE_UUID_SIZE], bool accept);
/// The goal is being executed.
void gate_server_execute(gate_server_t * self, gate_server_goal_t * goal);
/// The goal has ended; takes over `result`, in which `status` is written.
void gate_server_finish(
  gate_server_t * self, gate_server_goal_t * goal, int8_t status, void * result);
/// Takes one request to cancel and answers it; on_cancel is called for each goal that is concerned.
/// False: there was none.
bool gate_server_take_cancel(
  gate_server_t * self, void (* on_cancel)(const uint8_t * id, void * context), void * context);
/// Takes one request for a result and answers it now or when the goal has ended.
bool gate_server_take_result_request(gate_server_t * self);
/// Forgets goals whose end is long ago.
void gate_server_expire(gate_server_t * self);

gate_server_goal_t * gate_server_find(gate_server_t * self, const uint8_t id[GATE_UUID_SIZE]);

#endif  // NODE__GATE_SERVER_H_
