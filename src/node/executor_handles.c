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

#include "node/executor_handles.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rcl/error_handling.h"
#include "rcutils/logging_macros.h"

void executor_complain(const char * what, rcl_ret_t code)
{
  RCUTILS_LOG_WARN_NAMED(
    "vouch.executor", "%s: %s (code %d)", what,
    rcl_error_is_set() ? rcl_get_error_string().str : "no reason given", (int)code);
  rcl_reset_error();
}

static void * message_create(const message_type_t * type)
{
  void * message = calloc(1, type->size);
  if (message != NULL && !type->init(message)) {
    free(message);
    return NULL;
  }
  return message;
}

static void message_destroy(const message_type_t * type, void * message)
{
  if (message != NULL) {
    type->fini(message);
    free(message);
  }
}

/// Gives back what a message holds: one big message must not stay for good.
static void message_reset(const message_type_t * type, void * message)
{
  type->fini(message);
  memset(message, 0, type->size);
  if (!type->init(message)) {
    RCUTILS_LOG_ERROR_NAMED("vouch.executor", "no memory for an empty message");
  }
}

rcl_ret_t executor_handle_init_subscription(
  executor_handle_t * handle, const rcl_node_t * node, const subscription_setting_t * setting,
  void * context)
{
  memset(handle, 0, sizeof(*handle));
  handle->subscription = rcl_get_zero_initialized_subscription();
  handle->type = setting->type;
  handle->on_message = setting->callback;
  handle->on_mismatch = setting->on_mismatch;
  handle->mismatch = rcl_get_zero_initialized_event();
  handle->context = context;
  handle->message = message_create(setting->type);
  if (handle->message == NULL) {
    return RCL_RET_BAD_ALLOC;
  }
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = setting->qos;
  rcl_ret_t ret = rcl_subscription_init(
    &handle->subscription, node, setting->support, setting->topic, &options);
  if (ret != RCL_RET_OK) {
    message_destroy(handle->type, handle->message);
    handle->message = NULL;
    return ret;
  }
  if (rcl_subscription_event_init(
      &handle->mismatch, &handle->subscription,
      RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS) != RCL_RET_OK)
  {
    rcl_reset_error();
    handle->mismatch = rcl_get_zero_initialized_event();
  }
  return RCL_RET_OK;
}

rcl_ret_t executor_handle_init_service(
  executor_handle_t * handle, const rcl_node_t * node, const service_setting_t * setting,
  void * context)
{
  memset(handle, 0, sizeof(*handle));
  handle->is_service = true;
  handle->service = rcl_get_zero_initialized_service();
  handle->type = setting->request;
  handle->response_type = setting->response;
  handle->on_request = setting->callback;
  handle->context = context;
  rcl_ret_t ret = RCL_RET_BAD_ALLOC;
  handle->message = message_create(setting->request);
  handle->response = message_create(setting->response);
  if (handle->message == NULL || handle->response == NULL) {
    goto fail;
  }
  rcl_service_options_t options = rcl_service_get_default_options();
  options.qos = setting->qos;
  ret = rcl_service_init(&handle->service, node, setting->support, setting->name, &options);
  if (ret == RCL_RET_OK) {
    return RCL_RET_OK;
  }
fail:
  message_destroy(handle->type, handle->message);
  message_destroy(handle->response_type, handle->response);
  handle->message = handle->response = NULL;
  return ret;
}

void executor_handle_fini(executor_handle_t * handle, rcl_node_t * node)
{
  if (handle->mismatch.impl != NULL && rcl_event_fini(&handle->mismatch) != RCL_RET_OK) {
    rcl_reset_error();
  }
  rcl_ret_t ret = handle->is_service ?
    rcl_service_fini(&handle->service, node) : rcl_subscription_fini(&handle->subscription, node);
  if (ret != RCL_RET_OK) {
    executor_complain("closing", ret);
  }
  message_destroy(handle->type, handle->message);
  if (handle->response_type != NULL) {
    message_destroy(handle->response_type, handle->response);
  }
}

/* The handle whose callback runs: one thread, but callbacks may drain others. */
static const executor_handle_t * called;

double executor_waited(void)
{
  struct timespec now = {0, 0};
  if (called == NULL || called->arrived_ns <= 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
    return 0.0;
  }
  int64_t waited = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - called->arrived_ns;
  return waited > 0 ? 1e-9 * (double)waited : 0.0;
}

void executor_handle_message(const void * message, void * handle)
{
  executor_handle_t * self = handle;
  const executor_handle_t * outer = called;
  called = self;
  self->on_message(message, self->context);
  called = outer;
  self->arrived_ns = 0;
  message_reset(self->type, self->message);
}

void executor_handle_request(const void * request, void * response, void * handle)
{
  executor_handle_t * self = handle;
  message_reset(self->response_type, response);
  self->on_request(request, response, self->context);
  message_reset(self->type, self->message);
}

static bool take_message(executor_handle_t * handle)
{
  rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  rcl_ret_t ret = rcl_take(&handle->subscription, handle->message, &info, NULL);
  if (ret == RCL_RET_OK) {
    /* The sender's clock may be another one; it is better than none. */
    handle->arrived_ns =
      info.received_timestamp > 0 ? info.received_timestamp : info.source_timestamp;
    executor_handle_message(handle->message, handle);
  } else if (ret != RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
    executor_complain("taking a message", ret);
  } else {
    rcl_reset_error();
  }
  return ret == RCL_RET_OK;
}

static bool take_request(executor_handle_t * handle)
{
  rmw_request_id_t id;
  rcl_ret_t ret = rcl_take_request(&handle->service, &id, handle->message);
  if (ret == RCL_RET_SERVICE_TAKE_FAILED) {
    rcl_reset_error();
    return false;
  }
  if (ret != RCL_RET_OK) {
    executor_complain("taking a request", ret);
    return false;
  }
  executor_handle_request(handle->message, handle->response, handle);
  ret = rcl_send_response(&handle->service, &id, handle->response);
  if (ret != RCL_RET_OK) {
    executor_complain("sending a response (the client may be gone)", ret);
  }
  return true;
}

bool executor_handle_take(executor_handle_t * handle)
{
  return handle->is_service ? take_request(handle) : take_message(handle);
}

void executor_handle_drain(executor_handle_t * handle)
{
  for (int i = 0; i < EXECUTOR_MOST_DRAINED && executor_handle_take(handle); ++i) {
  }
}

void executor_handle_notice(executor_handle_t * handle)
{
  rmw_requested_qos_incompatible_event_status_t status = {0};
  if (handle->mismatch.impl == NULL) {
    return;
  }
  if (rcl_take_event(&handle->mismatch, &status) != RCL_RET_OK) {
    rcl_reset_error();
    return;
  }
  if (status.total_count_change > 0) {
    RCUTILS_LOG_ERROR_NAMED(
      "vouch.executor", "nothing will arrive from a publisher on %s: its QoS (%s) does not fit",
      rcl_subscription_get_topic_name(&handle->subscription),
      status.last_policy_kind == RMW_QOS_POLICY_RELIABILITY ? "best effort instead of reliable" :
      status.last_policy_kind == RMW_QOS_POLICY_DURABILITY ? "volatile instead of transient local" :
      "deadline, liveliness or another policy");
    if (handle->on_mismatch != NULL) {
      handle->on_mismatch(handle->context);
    }
  }
}

bool executor_handle_waits(const executor_handle_t * handle, rcl_context_t * context)
{
  rcl_wait_set_t wait_set = rcl_get_zero_initialized_wait_set();
  rcl_ret_t ret = rcl_wait_set_init(
    &wait_set, handle->is_service ? 0 : 1, 0, 0, 0, handle->is_service ? 1 : 0, 0, context,
    rcl_get_default_allocator());
  if (ret == RCL_RET_OK) {
    ret = handle->is_service ? rcl_wait_set_add_service(&wait_set, &handle->service, NULL) :
      rcl_wait_set_add_subscription(&wait_set, &handle->subscription, NULL);
  }
  ret = ret != RCL_RET_OK ? ret : rcl_wait(&wait_set, 0);
  if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) {
    executor_complain("looking for what waits", ret);
  }
  if (rcl_wait_set_fini(&wait_set) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return ret != RCL_RET_TIMEOUT;
}
