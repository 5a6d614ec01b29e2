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

#include "node/gate_controller.h"

#include <math.h>
#include <string.h>

#include "action_msgs/msg/goal_status_array.h"
#include "node/executor_handles.h"
#include "rcl/error_handling.h"

rcl_ret_t gate_controller_init(
  gate_controller_t * self, rcl_node_t * node, const gate_type_t * type, const char * name)
{
  *self = (gate_controller_t) {
    .type = type, .node = node, .client = rcl_action_get_zero_initialized_client(),
    .looked_s = -INFINITY
  };
  rcl_action_client_options_t options = rcl_action_client_get_default_options();
  rcl_ret_t ret = rcl_action_client_init(&self->client, node, type->support(), name, &options);
  self->ready = ret == RCL_RET_OK;
  return ret;
}

void gate_controller_fini(gate_controller_t * self)
{
  if (self->ready && rcl_action_client_fini(&self->client, self->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  self->ready = false;
}

/* Looking goes through the graph of all nodes, so not in every round. */
bool gate_controller_is_there(gate_controller_t * self, double now_s)
{
  const double period_s = 0.1;
  if (!(fabs(now_s - self->looked_s) < period_s)) {
    self->looked_s = now_s;
    self->there = false;
    if (rcl_action_server_is_available(self->node, &self->client, &self->there) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  return self->there;
}

bool gate_controller_offer(gate_controller_t * self, const void * goal_request)
{
  gate_offer_t * place = &self->offers[self->next_offer++ % GATE_MOST_OFFERS];
  *place = (gate_offer_t) {.open = true};
  memcpy(
    place->id, GATE_CONST_FIELD(goal_request, self->type->places.goal_id, uint8_t),
    GATE_UUID_SIZE);
  rcl_ret_t ret = rcl_action_send_goal_request(&self->client, goal_request, &place->sequence);
  if (ret != RCL_RET_OK) {
    executor_complain("sending a goal to the controller", ret);
    place->open = false;
  }
  return ret == RCL_RET_OK;
}

void gate_controller_await(gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE])
{
  void * request = gate_message_create(&self->type->result_request);
  rcl_ret_t ret = RCL_RET_BAD_ALLOC;
  if (request != NULL) {
    memcpy(
      GATE_FIELD(request, self->type->places.result_goal_id, uint8_t), id, GATE_UUID_SIZE);
    ret = rcl_action_send_result_request(&self->client, request, &self->result_sequence);
  }
  if (ret != RCL_RET_OK) {
    executor_complain("asking the controller for a result", ret);   // it will be late
  }
  gate_message_destroy(&self->type->result_request, request);
}

void gate_controller_cancel(gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE])
{
  int64_t sequence = 0;
  rcl_action_cancel_request_t request = rcl_action_get_zero_initialized_cancel_request();
  memcpy(request.goal_info.goal_id.uuid, id, GATE_UUID_SIZE);
  rcl_ret_t ret = rcl_action_send_cancel_request(&self->client, &request, &sequence);
  if (ret != RCL_RET_OK) {
    executor_complain("telling the controller to cancel", ret);
  }
}

/// Whose answer has this number. NULL: nobody's that we know.
static gate_offer_t * find_offer(gate_controller_t * self, int64_t sequence)
{
  for (size_t i = 0; i < GATE_MOST_OFFERS; ++i) {
    if (self->offers[i].open && self->offers[i].sequence == sequence) {
      return &self->offers[i];
    }
  }
  return NULL;
}

gate_answer_t gate_controller_take_answer(
  gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE])
{
  rmw_request_id_t header;
  void * response = gate_message_create(&self->type->goal_response);
  bool taken = response != NULL &&
    rcl_action_take_goal_response(&self->client, &header, response) == RCL_RET_OK;
  bool accepted = taken && *GATE_FIELD(response, self->type->places.accepted, bool);
  gate_message_destroy(&self->type->goal_response, response);
  if (!taken) {
    rcl_reset_error();
    return GATE_ANSWER_NONE;
  }
  gate_offer_t * offer = find_offer(self, header.sequence_number);
  if (offer == NULL) {
    return GATE_ANSWER_OTHER;
  }
  offer->open = false;
  if (memcmp(offer->id, id, GATE_UUID_SIZE) == 0) {
    return accepted ? GATE_ANSWER_TAKEN : GATE_ANSWER_REFUSED;
  }
  if (accepted) {
    gate_controller_cancel(self, offer->id);
  }
  return GATE_ANSWER_OTHER;
}

bool gate_controller_take_result(gate_controller_t * self, void ** result)
{
  rmw_request_id_t header;
  void * response = gate_message_create(&self->type->result_response);
  bool taken = response != NULL &&
    rcl_action_take_result_response(&self->client, &header, response) == RCL_RET_OK;
  *result = NULL;
  if (taken && header.sequence_number == self->result_sequence) {
    *result = response;
    return true;
  }
  gate_message_destroy(&self->type->result_response, response);
  rcl_reset_error();
  return taken;
}

bool gate_controller_take_feedback(
  gate_controller_t * self, const uint8_t id[GATE_UUID_SIZE], void ** feedback)
{
  void * message = gate_message_create(&self->type->feedback);
  bool taken = message != NULL && rcl_action_take_feedback(&self->client, message) == RCL_RET_OK;
  *feedback = NULL;
  if (taken && memcmp(
      GATE_FIELD(message, self->type->places.feedback_goal_id, uint8_t), id, GATE_UUID_SIZE) == 0)
  {
    *feedback = message;
    return true;
  }
  gate_message_destroy(&self->type->feedback, message);
  rcl_reset_error();
  return taken;
}

bool gate_controller_take_rest(gate_controller_t * self)
{
  rmw_request_id_t header;
  rcl_action_cancel_response_t cancel = rcl_action_get_zero_initialized_cancel_response();
  action_msgs__msg__GoalStatusArray status;
  bool taken = rcl_action_take_cancel_response(&self->client, &header, &cancel.msg) == RCL_RET_OK;
  action_msgs__srv__CancelGoal_Response__fini(&cancel.msg);
  if (action_msgs__msg__GoalStatusArray__init(&status)) {
    taken = rcl_action_take_status(&self->client, &status) == RCL_RET_OK || taken;
    action_msgs__msg__GoalStatusArray__fini(&status);
  }
  rcl_reset_error();
  return taken;
}
