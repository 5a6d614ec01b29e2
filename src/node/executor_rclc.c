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

/* The executor on top of rclc, which waits; taking is ours. rclc would take messages without what the
 * middleware knows about them: a state that has waited would count as of now, and of a burst of them
 * that is read at once no speed can be told, so that a joint that moves would pass for one at rest.
 * rclc's trigger function is asked after waiting and before taking: there everything that has arrived
 * is taken, and rclc is told that there is nothing to do. */

#include "node/executor.h"

#ifdef VOUCH_EXECUTOR_RCLC

#include <stdlib.h>

#include "node/executor_handles.h"
#include "rcl/error_handling.h"
#include "rclc/executor.h"

struct executor_s
{
  rcl_context_t * context;
  rcl_node_t * node;
  rcl_allocator_t allocator;   // rclc keeps a pointer to it
  rclc_executor_t inner;
  executor_handle_t * handles;
  size_t count, capacity;
  bool has_action;
};

const char * executor_name(void) {return "rclc";}

/// Takes, calls back and answers for each handle that is ready. False: nothing is left for rclc.
static bool take_all(rclc_executor_handle_t * handles, unsigned int size, void * object)
{
  (void)object;
  for (unsigned int i = 0; i < size && handles[i].initialized; ++i) {
    if (handles[i].data_available) {
      (void)executor_handle_take(handles[i].callback_context);
    }
  }
  return false;
}

rcl_ret_t executor_create(
  executor_t ** executor, rcl_context_t * context, rcl_node_t * node, size_t capacity)
{
  *executor = NULL;
  executor_t * self = calloc(1, sizeof(*self));
  if (self == NULL) {
    return RCL_RET_BAD_ALLOC;
  }
  self->context = context;
  self->node = node;
  self->capacity = capacity;
  self->allocator = rcl_get_default_allocator();
  self->handles = calloc(capacity, sizeof(*self->handles));
  self->inner = rclc_executor_get_zero_initialized_executor();
  rcl_ret_t ret = self->handles == NULL ? RCL_RET_BAD_ALLOC :
    rclc_executor_init(&self->inner, context, capacity, &self->allocator);
  if (ret == RCL_RET_OK) {
    ret = rclc_executor_set_trigger(&self->inner, take_all, NULL);
  }
  if (ret != RCL_RET_OK) {
    free(self->handles);
    free(self);
    return ret;
  }
  *executor = self;
  return RCL_RET_OK;
}

void executor_destroy(executor_t * executor)
{
  if (executor == NULL) {
    return;
  }
  if (rclc_executor_fini(&executor->inner) != RCL_RET_OK) {
    rcl_reset_error();
  }
  for (size_t i = executor->count; i > 0; --i) {
    executor_handle_fini(&executor->handles[i - 1], executor->node);
  }
  free(executor->handles);
  free(executor);
}

rcl_ret_t executor_subscribe(
  executor_t * executor, const subscription_setting_t * setting, void * context, size_t * number)
{
  if (executor->count == executor->capacity) {
    return RCL_RET_BAD_ALLOC;
  }
  executor_handle_t * handle = &executor->handles[executor->count];
  rcl_ret_t ret = executor_handle_init_subscription(handle, executor->node, setting, context);
  if (ret != RCL_RET_OK) {
    return ret;
  }
  if (number != NULL) {
    *number = executor->count;
  }
  ++executor->count;
  return rclc_executor_add_subscription_with_context(
    &executor->inner, &handle->subscription, handle->message, executor_handle_message, handle,
    ON_NEW_DATA);
}

rcl_ret_t executor_serve(
  executor_t * executor, const service_setting_t * setting, void * context, size_t * number)
{
  if (executor->count == executor->capacity) {
    return RCL_RET_BAD_ALLOC;
  }
  executor_handle_t * handle = &executor->handles[executor->count];
  rcl_ret_t ret = executor_handle_init_service(handle, executor->node, setting, context);
  if (ret != RCL_RET_OK) {
    return ret;
  }
  if (number != NULL) {
    *number = executor->count;
  }
  ++executor->count;
  return rclc_executor_add_service_with_context(
    &executor->inner, &handle->service, handle->message, handle->response, executor_handle_request,
    handle);
}

/* rclc waits for actions that it made itself only; ours are looked at often enough instead. */
rcl_ret_t executor_add_action(
  executor_t * executor, const rcl_action_server_t * server, const rcl_action_client_t * client)
{
  (void)server;
  (void)client;
  executor->has_action = true;
  return RCL_RET_OK;
}

void executor_spin_some(executor_t * executor, int64_t timeout_ns)
{
  const int64_t most_ns = executor->has_action ? 2000000 : INT64_MAX;
  rcl_ret_t ret = rclc_executor_spin_some(
    &executor->inner, (uint64_t)(timeout_ns < most_ns ? timeout_ns : most_ns));
  if (ret == RCL_RET_OK || ret == RCL_RET_TIMEOUT || ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED ||
    ret == RCL_RET_SERVICE_TAKE_FAILED)
  {
    rcl_reset_error();
  } else {
    executor_complain("spinning (a client may be gone)", ret);
  }
}

void executor_drain(executor_t * executor, size_t number)
{
  executor_handle_drain(&executor->handles[number]);
}

void executor_notice(executor_t * executor, size_t number)
{
  executor_handle_notice(&executor->handles[number]);
}

bool executor_waits(executor_t * executor, size_t number)
{
  return executor_handle_waits(&executor->handles[number], executor->context);
}

#endif  // VOUCH_EXECUTOR_RCLC
