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

/* Subscriptions and services with their memory: what both implementations of the executor share. */

#ifndef NODE__EXECUTOR_HANDLES_H_
#define NODE__EXECUTOR_HANDLES_H_

#include "node/executor.h"
#include "rcl/event.h"

typedef struct executor_handle_s
{
  bool is_service;
  size_t index;   // in the wait set
  rcl_subscription_t subscription;
  rcl_service_t service;
  const message_type_t * type;
  const message_type_t * response_type;   // NULL for a subscription
  void * message;
  int64_t arrived_ns;   // when the message came, system time; 0: nobody knows
  void * response;
  subscription_callback_t on_message;
  void (* on_mismatch)(void * context);
  rcl_event_t mismatch;   // its impl is NULL where the middleware does not tell
  service_callback_t on_request;
  void * context;
} executor_handle_t;

rcl_ret_t executor_handle_init_subscription(
  executor_handle_t * handle, const rcl_node_t * node, const subscription_setting_t * setting,
  void * context);
rcl_ret_t executor_handle_init_service(
  executor_handle_t * handle, const rcl_node_t * node, const service_setting_t * setting,
  void * context);
void executor_handle_fini(executor_handle_t * handle, rcl_node_t * node);

/// Calls back with the message that was taken.
void executor_handle_message(const void * message, void * handle);
/// Empties the response and calls back.
void executor_handle_request(const void * request, void * response, void * handle);

/// More than a queue can hold: somebody who sends without end is left then.
#define EXECUTOR_MOST_DRAINED 10000

/// Takes one message or request, calls back and answers. False: there was none.
bool executor_handle_take(executor_handle_t * handle);
/// Takes and calls back until nothing is left.
void executor_handle_drain(executor_handle_t * handle);
/// See executor_notice().
void executor_handle_notice(executor_handle_t * handle);
/// True when something is there to be taken, or when nobody can tell.
bool executor_handle_waits(const executor_handle_t * handle, rcl_context_t * context);

/// Tells a failure of rcl to the log and forgets it.
void executor_complain(const char * what, rcl_ret_t code);

#endif  // NODE__EXECUTOR_HANDLES_H_
