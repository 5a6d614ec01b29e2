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

#include "node/gate_server.h"

#include <stdlib.h>
#include <string.h>

#include "node/executor_handles.h"
#include "rcl/error_handling.h"

rcl_ret_t gate_server_init(
  gate_server_t * self, rcl_node_t * node, rcl_clock_t * clock, const gate_type_t * type,
  const char * name)
{
  memset(self, 0, sizeof(*self));
  self->type = type;
  self->node = node;
  self->server = rcl_action_get_zero_initialized_server();
  rcl_action_server_options_t options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = 60LL * 1000000000LL;
  rcl_ret_t ret = rcl_action_server_init(
    &self->server, node, clock, type->support(), name, &options);
  self->ready = ret == RCL_RET_OK;
  return ret;
}

static void forget(gate_server_t * self, gate_server_goal_t * goal)
{
  gate_message_destroy(&self->type->result_response, goal->result);
  memset(goal, 0, sizeof(*goal));
}

void gate_server_fini(gate_server_t * self)
{
  for (size_t i = 0; i < GATE_MOST_GOALS; ++i) {
    if (self->goals[i].used) {
      forget(self, &self->goals[i]);
    }
  }
  if (self->ready && rcl_action_server_fini(&self->server, self->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  self->ready = false;
}

gate_server_goal_t * gate_server_find(gate_server_t * self, const uint8_t id[GATE_UUID_SIZE])
{
  for (size_t i = 0; i < GATE_MOST_GOALS; ++i) {
    if (self->goals[i].used && memcmp(self->goals[i].id, id, GATE_UUID_SIZE) == 0) {
      return &self->goals[i];
    }
  }
  return NULL;
}

/// A free place, else that of the oldest goal that has ended. NULL: there is none.
static gate_server_goal_t * find_place(gate_server_t * self)
{
  gate_server_goal_t * oldest = NULL;
  for (size_t i = 0; i < GATE_MOST_GOALS; ++i) {
    gate_server_goal_t * goal = &self->goals[i];
    if (!goal->used) {
      return goal;
    }
    if (goal->result != NULL && (oldest == NULL || goal->number < oldest->number)) {
      oldest = goal;
    }
  }
  if (oldest != NULL) {
    forget(self, oldest);
  }
  return oldest;
}

static void publish_status(gate_server_t * self)
{
  rcl_action_goal_status_array_t array = rcl_action_get_zero_initialized_goal_status_array();
  rcl_ret_t ret = rcl_action_get_goal_status_array(&self->server, &array);
  if (ret == RCL_RET_OK) {
    ret = rcl_action_publish_status(&self->server, &array.msg);
  }
  if (ret != RCL_RET_OK) {
    executor_complain("publishing the status of goals", ret);
  }
  if (rcl_action_goal_status_array_fini(&array) != RCL_RET_OK) {
    rcl_reset_error();
  }
}

/// A goal of this id that rcl knows is not taken twice.
static gate_server_goal_t * enter(gate_server_t * self, const uint8_t id[GATE_UUID_SIZE])
{
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  memcpy(info.goal_id.uuid, id, GATE_UUID_SIZE);
  if (rcl_action_server_goal_exists(&self->server, &info)) {
    return NULL;
  }
  gate_server_goal_t * goal = find_place(self);
  rcl_action_goal_handle_t * handle =
    goal != NULL ? rcl_action_accept_new_goal(&self->server, &info) : NULL;
  if (handle == NULL) {
    rcl_reset_error();
    return NULL;
  }
  *goal = (gate_server_goal_t) {.used = true, .handle = handle, .number = ++self->number};
  memcpy(goal->id, id, GATE_UUID_SIZE);
  return goal;
}

gate_server_goal_t * gate_server_answer(
  gate_server_t * self, rmw_request_id_t * asker, const uint8_t id[GATE_UUID_SIZE], bool accept)
{
  gate_server_goal_t * goal = accept ? enter(self, id) : NULL;
  void * response = gate_message_create(&self->type->goal_response);
  if (response == NULL) {
    executor_complain("answering a goal", RCL_RET_BAD_ALLOC);
    return goal;
  }
  *GATE_FIELD(response, self->type->places.accepted, bool) = goal != NULL;
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  if (goal != NULL && rcl_action_goal_handle_get_info(goal->handle, &info) == RCL_RET_OK) {
    *GATE_FIELD(response, self->type->places.stamp, builtin_interfaces__msg__Time) = info.stamp;
  }
  rcl_ret_t ret = rcl_action_send_goal_response(&self->server, asker, response);
  if (ret != RCL_RET_OK) {
    executor_complain("answering a goal (the client may be gone)", ret);
  }
  gate_message_destroy(&self->type->goal_response, response);
  if (goal != NULL) {
    publish_status(self);
  }
  return goal;
}

static rcl_action_goal_state_t status_of(const gate_server_goal_t * goal)
{
  rcl_action_goal_state_t status = GOAL_STATE_UNKNOWN;
  if (rcl_action_goal_handle_get_status(goal->handle, &status) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return status;
}

static void change(gate_server_goal_t * goal, rcl_action_goal_event_t event)
{
  rcl_ret_t ret = rcl_action_update_goal_state(goal->handle, event);
  if (ret != RCL_RET_OK) {
    executor_complain("changing the state of a goal", ret);
  }
}

void gate_server_execute(gate_server_t * self, gate_server_goal_t * goal)
{
  if (status_of(goal) == GOAL_STATE_ACCEPTED) {
    change(goal, GOAL_EVENT_EXECUTE);
    publish_status(self);
  }
}

static void send_result(gate_server_t * self, gate_server_goal_t * goal)
{
  for (size_t i = 0; i < goal->asker_count; ++i) {
    rcl_ret_t ret = rcl_action_send_result_response(
      &self->server, &goal->askers[i], goal->result);
    if (ret != RCL_RET_OK) {
      executor_complain("sending a result (the client may be gone)", ret);
    }
  }
  goal->asker_count = 0;
}

void gate_server_finish(
  gate_server_t * self, gate_server_goal_t * goal, int8_t status, void * result)
{
  rcl_action_goal_state_t now = status_of(goal);
  /* From ACCEPTED no end but by way of CANCELING or EXECUTING, and only CANCELING leads to CANCELED. */
  if (status == GOAL_STATE_CANCELED && now != GOAL_STATE_CANCELING) {
    change(goal, GOAL_EVENT_CANCEL_GOAL);
  } else if (now == GOAL_STATE_ACCEPTED) {
    change(goal, GOAL_EVENT_EXECUTE);
  }
  change(
    goal, status == GOAL_STATE_SUCCEEDED ? GOAL_EVENT_SUCCEED :
    status == GOAL_STATE_CANCELED ? GOAL_EVENT_CANCELED : GOAL_EVENT_ABORT);
  *GATE_FIELD(result, self->type->places.status, int8_t) = status;
  goal->result = result;
  send_result(self, goal);
  publish_status(self);
  if (rcl_action_notify_goal_done(&self->server) != RCL_RET_OK) {
    rcl_reset_error();
  }
}

bool gate_server_take_cancel(
  gate_server_t * self, void (* on_cancel)(const uint8_t * id, void * context), void * context)
{
  rmw_request_id_t asker;
  rcl_action_cancel_request_t request = rcl_action_get_zero_initialized_cancel_request();
  rcl_action_cancel_response_t response = rcl_action_get_zero_initialized_cancel_response();
  if (rcl_action_take_cancel_request(&self->server, &asker, &request) != RCL_RET_OK) {
    rcl_reset_error();
    return false;
  }
  rcl_ret_t ret = rcl_action_process_cancel_request(&self->server, &request, &response);
  for (size_t i = 0; ret == RCL_RET_OK && i < response.msg.goals_canceling.size; ++i) {
    gate_server_goal_t * goal = gate_server_find(
      self, response.msg.goals_canceling.data[i].goal_id.uuid);
    if (goal != NULL && status_of(goal) != GOAL_STATE_CANCELING) {
      change(goal, GOAL_EVENT_CANCEL_GOAL);
    }
  }
  ret = ret != RCL_RET_OK ? ret :
    rcl_action_send_cancel_response(&self->server, &asker, &response.msg);
  if (ret != RCL_RET_OK) {
    executor_complain("answering a request to cancel", ret);
  }
  publish_status(self);
  for (size_t i = 0; i < response.msg.goals_canceling.size; ++i) {
    on_cancel(response.msg.goals_canceling.data[i].goal_id.uuid, context);
  }
  if (rcl_action_cancel_response_fini(&response) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return true;
}

/// Of a goal that nobody knows: the status says so.
static void answer_unknown(gate_server_t * self, rmw_request_id_t * asker)
{
  void * result = gate_message_create(&self->type->result_response);
  if (result != NULL) {
    *GATE_FIELD(result, self->type->places.status, int8_t) = GOAL_STATE_UNKNOWN;
    if (rcl_action_send_result_response(&self->server, asker, result) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  gate_message_destroy(&self->type->result_response, result);
}

bool gate_server_take_result_request(gate_server_t * self)
{
  rmw_request_id_t asker;
  void * request = gate_message_create(&self->type->result_request);
  bool taken = request != NULL &&
    rcl_action_take_result_request(&self->server, &asker, request) == RCL_RET_OK;
  if (!taken) {
    rcl_reset_error();
  } else {
    gate_server_goal_t * goal = gate_server_find(
      self, GATE_FIELD(request, self->type->places.result_goal_id, uint8_t));
    if (goal == NULL || goal->asker_count == GATE_MOST_ASKERS) {
      answer_unknown(self, &asker);
    } else {
      goal->askers[goal->asker_count++] = asker;
      if (goal->result != NULL) {
        send_result(self, goal);
      }
    }
  }
  gate_message_destroy(&self->type->result_request, request);
  return taken;
}

void gate_server_expire(gate_server_t * self)
{
  rcl_action_goal_info_t expired[GATE_MOST_GOALS];
  size_t count = 0;
  if (rcl_action_expire_goals(&self->server, expired, GATE_MOST_GOALS, &count) != RCL_RET_OK) {
    rcl_reset_error();
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    gate_server_goal_t * goal = gate_server_find(self, expired[i].goal_id.uuid);
    if (goal != NULL) {
      forget(self, goal);
    }
  }
  if (count > 0) {
    publish_status(self);
  }
}
