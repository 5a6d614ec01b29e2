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

/* The executor as a plain rcl_wait_set loop. */

#include "node/executor.h"

#ifndef VOUCH_EXECUTOR_RCLC

#include <stdlib.h>

#include "node/executor_handles.h"
#include "rcl/error_handling.h"

struct executor_s
{
  rcl_context_t * context;
  rcl_node_t * node;
  rcl_wait_set_t wait_set;
  executor_handle_t * handles;
  size_t count, capacity;
  const rcl_action_server_t * server;   // NULL: none
  const rcl_action_client_t * client;
};

const char * executor_name(void) {return "rcl";}

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
  self->handles = calloc(capacity, sizeof(*self->handles));
  self->wait_set = rcl_get_zero_initialized_wait_set();
  rcl_ret_t ret = self->handles == NULL ? RCL_RET_BAD_ALLOC : rcl_wait_set_init(
    &self->wait_set, capacity, 0, 0, 0, capacity, 0, context, rcl_get_default_allocator());
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
  if (rcl_wait_set_fini(&executor->wait_set) != RCL_RET_OK) {
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
  rcl_ret_t ret = executor_handle_init_subscription(
    &executor->handles[executor->count], executor->node, setting, context);
  if (ret == RCL_RET_OK) {
    if (number != NULL) {
      *number = executor->count;
    }
    ++executor->count;
  }
  return ret;
}

rcl_ret_t executor_serve(
  executor_t * executor, const service_setting_t * setting, void * context, size_t * number)
{
  if (executor->count == executor->capacity) {
    return RCL_RET_BAD_ALLOC;
  }
  rcl_ret_t ret = executor_handle_init_service(
    &executor->handles[executor->count], executor->node, setting, context);
  if (ret == RCL_RET_OK) {
    if (number != NULL) {
      *number = executor->count;
    }
    ++executor->count;
  }
  return ret;
}

rcl_ret_t executor_add_action(
  executor_t * executor, const rcl_action_server_t * server, const rcl_action_client_t * client)
{
  size_t of_server[5] = {0}, of_client[5] = {0};   // subscriptions, guards, timers, clients, services
  rcl_ret_t ret = rcl_action_server_wait_set_get_num_entities(
    server, &of_server[0], &of_server[1], &of_server[2], &of_server[3], &of_server[4]);
  ret = ret != RCL_RET_OK ? ret : rcl_action_client_wait_set_get_num_entities(
    client, &of_client[0], &of_client[1], &of_client[2], &of_client[3], &of_client[4]);
  ret = ret != RCL_RET_OK ? ret : rcl_wait_set_resize(
    &executor->wait_set, executor->capacity + of_server[0] + of_client[0],
    of_server[1] + of_client[1], of_server[2] + of_client[2], of_server[3] + of_client[3],
    executor->capacity + of_server[4] + of_client[4], 0);
  if (ret == RCL_RET_OK) {
    executor->server = server;
    executor->client = client;
  }
  return ret;
}

static rcl_ret_t fill(executor_t * executor)
{
  rcl_ret_t ret = rcl_wait_set_clear(&executor->wait_set);
  for (size_t i = 0; ret == RCL_RET_OK && i < executor->count; ++i) {
    executor_handle_t * handle = &executor->handles[i];
    ret = handle->is_service ?
      rcl_wait_set_add_service(&executor->wait_set, &handle->service, &handle->index) :
      rcl_wait_set_add_subscription(&executor->wait_set, &handle->subscription, &handle->index);
  }
  if (ret == RCL_RET_OK && executor->server != NULL) {
    ret = rcl_action_wait_set_add_action_server(&executor->wait_set, executor->server, NULL);
    ret = ret != RCL_RET_OK ? ret : rcl_action_wait_set_add_action_client(
      &executor->wait_set, executor->client, NULL, NULL);
  }
  return ret;
}

void executor_spin_some(executor_t * executor, int64_t timeout_ns)
{
  rcl_ret_t ret = fill(executor);
  if (ret == RCL_RET_OK) {
    ret = rcl_wait(&executor->wait_set, timeout_ns);
  }
  if (ret == RCL_RET_TIMEOUT) {
    rcl_reset_error();
    return;
  }
  if (ret != RCL_RET_OK) {
    executor_complain("waiting", ret);
    return;
  }
  for (size_t i = 0; i < executor->count; ++i) {
    executor_handle_t * handle = &executor->handles[i];
    if (handle->is_service ? executor->wait_set.services[handle->index] != NULL :
      executor->wait_set.subscriptions[handle->index] != NULL)
    {
      (void)executor_handle_take(handle);
    }
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
