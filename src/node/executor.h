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

/* How the node waits. Two implementations behind this header: rclc's executor where rclc was found
 * at build time, a plain rcl_wait_set loop otherwise. One thread: callbacks never overlap.
 *
 * A callback of a service fills the response, which is empty when it is called; it is sent when the
 * callback returns. Messages belong to the executor and are overwritten by the next one. */

#ifndef NODE__EXECUTOR_H_
#define NODE__EXECUTOR_H_

#include "rcl/rcl.h"
#include "rcl_action/rcl_action.h"

typedef struct executor_s executor_t;

/// What is needed to hold messages of one type.
typedef struct message_type_s
{
  size_t size;
  bool (* init)(void * message);
  void (* fini)(void * message);
} message_type_t;

/// Defines a message_type_t `name` for the C struct `type`.
#define MESSAGE_TYPE(name, type) \
  static bool name ## _init(void * message) {return type ## __init(message);} \
  static void name ## _fini(void * message) {type ## __fini(message);} \
  static const message_type_t name = {sizeof(type), name ## _init, name ## _fini}

typedef void (* subscription_callback_t)(const void * message, void * context);
typedef void (* service_callback_t)(const void * request, void * response, void * context);

typedef struct subscription_setting_s
{
  const rosidl_message_type_support_t * support;
  const message_type_t * type;
  const char * topic;
  rmw_qos_profile_t qos;
  subscription_callback_t callback;
  void (* on_mismatch)(void * context);   // see executor_notice(); may be NULL
} subscription_setting_t;

typedef struct service_setting_s
{
  const rosidl_service_type_support_t * support;
  const message_type_t * request;
  const message_type_t * response;
  const char * name;
  rmw_qos_profile_t qos;
  service_callback_t callback;
} service_setting_t;

/// "rcl" or "rclc".
const char * executor_name(void);

/// Context and node must outlive the executor. At most `capacity` subscriptions and services.
rcl_ret_t executor_create(
  executor_t ** executor, rcl_context_t * context, rcl_node_t * node, size_t capacity);
void executor_destroy(executor_t * executor);

/// `number` (may be NULL) names the subscription or service for executor_drain() and
/// executor_waits().
rcl_ret_t executor_subscribe(
  executor_t * executor, const subscription_setting_t * setting, void * context, size_t * number);
rcl_ret_t executor_serve(
  executor_t * executor, const service_setting_t * setting, void * context, size_t * number);

/// Wakes for what comes to an action's server or client, too; whoever owns them takes it after each
/// executor_spin_some(). Both must outlive the executor. Once.
rcl_ret_t executor_add_action(
  executor_t * executor, const rcl_action_server_t * server, const rcl_action_client_t * client);

/// Waits up to `timeout_ns` and calls back for what has arrived, at most one message of each kind.
/// Failures to take or send are told to the log and are not the end: a client may be gone.
void executor_spin_some(executor_t * executor, int64_t timeout_ns);

/// For how many seconds the message that is called back for has been waiting, by the middleware's own
/// clock; 0 when that does not tell (rclc does not hand it over, some DDS do not know it).
double executor_waited(void);

/// Takes what has arrived for one subscription or service in the meantime, and answers it, from inside
/// the callback of another one.
void executor_drain(executor_t * executor, size_t number);
/// Looks whether there are new publishers whose QoS does not fit a subscription, so that nothing of
/// theirs will ever arrive, and tells the log and on_mismatch.
void executor_notice(executor_t * executor, size_t number);
/// True when something has arrived and was not taken yet, or when nobody can tell.
bool executor_waits(executor_t * executor, size_t number);

#endif  // NODE__EXECUTOR_H_
