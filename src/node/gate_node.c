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

/* The action gate: ~/follow_joint_trajectory in, the controller's action out. The rules are gate.h's,
 * what is proved is live.c's; here they meet rcl_action. A goal goes on unchanged and under its own id,
 * so that feedback, result and cancel are told apart by it and passed on as they are. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "node/executor_handles.h"
#include "node/gate.h"
#include "node/gate_controller.h"
#include "node/node.h"
#include "rcl/error_handling.h"
#include "std_msgs/msg/bool.h"
#include "vouch/action/follow_trajectory.h"

/* More than a client can mean: messages that come faster are looked at in the next round. */
#define MOST_TAKEN 100

struct gate_node_s
{
  vouch_node_t * node;
  gate_t gate;
  gate_server_t server;
  gate_controller_t controller;
  rcl_publisher_t stop;
  bool stop_ready, stop_told;
  /* The goal that is under way, or was last. */
  void * request;
  rmw_request_id_t asker;
  gate_server_goal_t * goal;            // NULL: not accepted yet, or forgotten
  uint8_t id[GATE_UUID_SIZE];
  void * result;                        // the controller's, until it is passed on
  char order_id[64];                    // of live.c
  char reason[1024];                    // what live.c says about it
};

static void perform(gate_node_t * self, unsigned todo);

static const gate_type_t * type_of(const gate_node_t * self)
{
  return self->controller.type;
}

/* ---- results ---- */

static int32_t code_of(const gate_t * gate)
{
  switch (gate->why) {
    case GATE_WHY_CLIENT: return vouch__action__FollowTrajectory_Result__SUCCESSFUL;
    case GATE_WHY_REVOKED:
      return vouch__action__FollowTrajectory_Result__PATH_TOLERANCE_VIOLATED;
    case GATE_WHY_SILENT:
    case GATE_WHY_LATE:
    case GATE_WHY_GONE:
      return vouch__action__FollowTrajectory_Result__GOAL_TOLERANCE_VIOLATED;
    default: return vouch__action__FollowTrajectory_Result__INVALID_GOAL;
  }
}

/// A result of our own. NULL: no memory.
static void * make_result(const gate_type_t * type, int32_t code, const char * text)
{
  void * result = gate_message_create(&type->result_response);
  if (result != NULL) {
    *GATE_FIELD(result, type->places.error_code, int32_t) = code;
    if (!rosidl_runtime_c__String__assign(
        GATE_FIELD(result, type->places.error_string, rosidl_runtime_c__String), text))
    {
      gate_message_destroy(&type->result_response, result);
      result = NULL;
    }
  }
  return result;
}

static int8_t status_of(gate_state_t state)
{
  return state == GATE_SUCCEEDED ? GOAL_STATE_SUCCEEDED :
         state == GATE_CANCELED ? GOAL_STATE_CANCELED : GOAL_STATE_ABORTED;
}

/// The controller's own result where it decided, else ours with the reason.
static void finish(gate_node_t * self)
{
  const gate_t * gate = &self->gate;
  char text[1400];
  snprintf(
    text, sizeof(text), "vouch: %s%s%s", gate_why_text(gate->why),
    self->reason[0] != '\0' ? ": " : "", self->reason);
  void * result = gate->why == GATE_WHY_CONTROLLER ? self->result : NULL;
  if (result == NULL) {
    result = make_result(type_of(self), code_of(gate), text);
  } else {
    self->result = NULL;
  }
  if (self->goal == NULL || result == NULL) {
    gate_message_destroy(&type_of(self)->result_response, result);
  } else {
    gate_server_finish(&self->server, self->goal, status_of(gate->state), result);
  }
  NODE_INFO(
    self->node, "goal %s%s%s", gate_state_name(gate->state),
    gate->why == GATE_WHY_CONTROLLER ? "" : ": ", gate->why == GATE_WHY_CONTROLLER ? "" : text);
  self->goal = NULL;
  gate_message_destroy(&type_of(self)->goal_request, self->request);
  self->request = NULL;
}

/* ---- what the rules ask for ---- */

/// ~/stop is true while the robot may move unproved and the controller was not seen to let go.
static void tell_stop(gate_node_t * self, bool stop)
{
  const char * wish = parameters_string(&self->node->parameters, PARAMETER_GATE_ON_REVOKE);
  if (self->stop_told != stop && (!stop || strcmp(wish, "stop") == 0)) {
    std_msgs__msg__Bool message = {stop};
    node_publish(self->node, &self->stop, &message);
    self->stop_told = stop;
  }
}

static void perform(gate_node_t * self, unsigned todo)
{
  if (todo & GATE_DO_AWAIT) {
    if (self->goal != NULL) {
      gate_server_execute(&self->server, self->goal);
    }
    gate_controller_await(&self->controller, self->id);
  }
  if (todo & GATE_DO_CANCEL) {
    gate_controller_cancel(&self->controller, self->id);
  }
  if (todo & GATE_DO_STOP) {
    tell_stop(self, true);
  }
  if (todo & GATE_DO_RELEASE) {
    tell_stop(self, false);
    live_release(self->node, self->order_id);
  }
  if (todo & GATE_DO_FINISH) {
    finish(self);
  }
}

/* ---- a goal comes ---- */

static void on_cancel(const uint8_t * id, void * context)
{
  gate_node_t * self = context;
  if (gate_is_busy(&self->gate) && memcmp(id, self->id, GATE_UUID_SIZE) == 0) {
    perform(self, gate_cancel(&self->gate, node_steady()));
  }
}

/// The check has ended: what the client wants now. A cancel may have come meanwhile.
static bool is_wanted(void * context)
{
  gate_node_t * self = context;
  for (int i = 0; i < MOST_TAKEN && gate_server_take_cancel(&self->server, on_cancel, self); ++i) {
  }
  return self->gate.state == GATE_CHECKING;
}

static bool accept(gate_node_t * self)
{
  self->goal = gate_server_answer(&self->server, &self->asker, self->id, true);
  return self->goal != NULL;
}

static bool forward(void * context, double duration_s)
{
  gate_node_t * self = context;
  if (self->goal == NULL && !accept(self)) {
    return false;
  }
  /* Late by as much as the goal allows, and as the watch does. */
  const gate_goal_view_t view = gate_view_goal(type_of(self), self->request);
  double late = view.goal_time_tolerance_s > 0.0 ? view.goal_time_tolerance_s : 0.0;
  unsigned todo = gate_decided(&self->gate, true, duration_s + late, node_steady());
  if (!(todo & GATE_DO_OFFER)) {
    return false;
  }
  tell_stop(self, false);   // whatever ran before, this is proved from where the robot is
  if (!gate_controller_offer(&self->controller, self->request)) {
    perform(self, gate_not_sent(&self->gate));
    return false;
  }
  return true;
}

static void on_revoked(void * context, const char * why)
{
  gate_node_t * self = context;
  snprintf(self->reason, sizeof(self->reason), "%s", why);
  perform(self, gate_revoked(&self->gate, node_steady()));
}

/// The goal's tolerances, the larger one where a joint is named twice or in both lists: the proof has to
/// hold for what the controller would let pass. 0 is the default and left out, -1 ("no limit") becomes
/// NaN, which the check refuses by name.
static size_t merge_tolerances(
  const vouch__msg__JointTolerance__Sequence * list, vouch_joint_tolerance_t * out, size_t count)
{
  for (size_t i = 0; i < list->size; ++i) {
    double value = list->data[i].position;
    size_t same = 0;
    while (same < count && strcmp(out[same].joint, list->data[i].name.data) != 0) {
      ++same;
    }
    if (value == 0.0) {
      continue;
    }
    value = value > 0.0 && isfinite(value) ? value : NAN;
    if (same == count) {
      out[count++] = (vouch_joint_tolerance_t) {list->data[i].name.data, value};
    } else if (!(out[same].value >= value)) {
      out[same].value = isnan(out[same].value) ? NAN : value;
    }
  }
  return count;
}

/// Checks the goal and sends it on, or says why not in `reason`.
static void vet(gate_node_t * self)
{
  const gate_goal_view_t view = gate_view_goal(type_of(self), self->request);
  vouch_joint_tolerance_t * tolerances = calloc(
    view.path_tolerance->size + view.goal_tolerance->size + 1, sizeof(*tolerances));
  live_order_t order = {
    .trajectory = view.trajectory, .tolerances = tolerances, .within_limits = true,
    .wanted = is_wanted, .forward = forward, .on_revoked = on_revoked, .context = self
  };
  if (view.multi_dof || tolerances == NULL) {
    live_refuse(
      self->node, view.multi_dof ? "multi-DOF joints are not supported: leave "
      "multi_dof_trajectory, component_path_tolerance and component_goal_tolerance empty" :
      "no memory for tolerances", self->reason, sizeof(self->reason));
  } else {
    order.tolerance_count = merge_tolerances(view.path_tolerance, tolerances, 0);
    order.tolerance_count = merge_tolerances(
      view.goal_tolerance, tolerances, order.tolerance_count);
    order.why = self->reason;
    order.why_size = sizeof(self->reason);
    live_vet(self->node, &order);
    snprintf(self->order_id, sizeof(self->order_id), "%s", order.id);
  }
  free(tolerances);
}

/// A goal that is not even looked at, with a reason that its client can print.
static void refuse(gate_node_t * self, const gate_goal_view_t * goal, const char * why)
{
  bool tell = strcmp(
    parameters_string(&self->node->parameters, PARAMETER_GATE_ON_REFUSED), "abort") == 0;
  rmw_request_id_t asker = self->asker;
  gate_server_goal_t * place = gate_server_answer(&self->server, &asker, goal->id, tell);
  char reason[1024];
  live_refuse(self->node, why, reason, sizeof(reason));
  if (place != NULL) {
    char text[1100];
    snprintf(text, sizeof(text), "vouch: not forwarded: %s", reason);
    void * result = make_result(
      type_of(self), vouch__action__FollowTrajectory_Result__INVALID_GOAL, text);
    if (result != NULL) {
      gate_server_finish(&self->server, place, GOAL_STATE_ABORTED, result);
    }
  }
}

/// Takes over the request: it has to live until the controller's answer.
static void begin(gate_node_t * self, void * request, const rmw_request_id_t * asker)
{
  const gate_goal_view_t view = gate_view_goal(type_of(self), request);
  bool busy = gate_is_busy(&self->gate);
  bool there = gate_controller_is_there(&self->controller, node_steady());
  bool early = strcmp(
    parameters_string(&self->node->parameters, PARAMETER_GATE_ON_REFUSED), "abort") == 0;
  rmw_request_id_t before = self->asker;
  self->asker = *asker;
  if (gate_goal(&self->gate, there) & GATE_DO_REFUSE) {
    refuse(
      self, &view, busy ? "an earlier goal is still under way: cancel it first, or wait" :
      "the controller's action (parameter gate.controller) is not there");
    self->asker = before;
    gate_message_destroy(&type_of(self)->goal_request, request);
    return;
  }
  self->request = request;
  self->goal = NULL;
  self->reason[0] = self->order_id[0] = '\0';
  memcpy(self->id, view.id, GATE_UUID_SIZE);
  if (early && !accept(self)) {
    snprintf(self->reason, sizeof(self->reason), "it has the id of another goal");
    perform(self, gate_decided(&self->gate, false, 0.0, node_steady()));
    return;
  }
  vet(self);
  if (self->gate.state == GATE_CHECKING) {
    if (self->goal == NULL) {
      (void)gate_server_answer(&self->server, &self->asker, self->id, false);
    }
    perform(self, gate_decided(&self->gate, false, 0.0, node_steady()));
  }
}

static bool take_goal(gate_node_t * self)
{
  rmw_request_id_t asker;
  void * request = gate_message_create(&type_of(self)->goal_request);
  if (request == NULL) {
    return false;
  }
  rcl_ret_t ret = rcl_action_take_goal_request(&self->server.server, &asker, request);
  if (ret != RCL_RET_OK) {
    rcl_reset_error();
    gate_message_destroy(&type_of(self)->goal_request, request);
    return false;
  }
  begin(self, request, &asker);
  return true;
}

/* ---- from the controller ---- */

static bool take_answer(gate_node_t * self)
{
  gate_answer_t answer = gate_controller_take_answer(&self->controller, self->id);
  if (answer == GATE_ANSWER_TAKEN || answer == GATE_ANSWER_REFUSED) {
    perform(self, gate_answered(&self->gate, answer == GATE_ANSWER_TAKEN, node_steady()));
  }
  return answer != GATE_ANSWER_NONE;
}

static bool take_result(gate_node_t * self)
{
  void * result = NULL;
  bool taken = gate_controller_take_result(&self->controller, &result);
  if (result != NULL && gate_is_out(&self->gate)) {
    int8_t status = *GATE_FIELD(result, type_of(self)->places.status, int8_t);
    gate_outcome_t outcome = status == GOAL_STATE_SUCCEEDED ? GATE_OUTCOME_SUCCEEDED :
      status == GOAL_STATE_CANCELED ? GATE_OUTCOME_CANCELED :
      status == GOAL_STATE_ABORTED ? GATE_OUTCOME_ABORTED : GATE_OUTCOME_UNKNOWN;
    gate_message_destroy(&type_of(self)->result_response, self->result);
    self->result = result;
    perform(self, gate_result(&self->gate, outcome));
  } else {
    gate_message_destroy(&type_of(self)->result_response, result);
  }
  return taken;
}

static bool take_feedback(gate_node_t * self)
{
  void * feedback = NULL;
  bool taken = gate_controller_take_feedback(&self->controller, self->id, &feedback);
  if (feedback != NULL && gate_is_out(&self->gate) &&
    rcl_action_publish_feedback(&self->server.server, feedback) != RCL_RET_OK)
  {
    executor_complain("passing feedback on", RCL_RET_ERROR);
  }
  gate_message_destroy(&type_of(self)->feedback, feedback);
  return taken;
}

void gate_poll(vouch_node_t * node)
{
  gate_node_t * self = node->gate;
  bool taken = self != NULL;
  for (int i = 0; taken && i < MOST_TAKEN; ++i) {
    /* What ends a goal before what begins one. */
    taken = take_answer(self);
    taken = take_feedback(self) || taken;
    taken = take_result(self) || taken;
    taken = gate_controller_take_rest(&self->controller) || taken;
    taken = gate_server_take_cancel(&self->server, on_cancel, self) || taken;
    taken = gate_server_take_result_request(&self->server) || taken;
    taken = take_goal(self) || taken;
  }
  if (self != NULL) {
    if (gate_is_busy(&self->gate)) {
      double now = node_steady();
      bool there = gate_controller_is_there(&self->controller, now);
      perform(self, gate_tick(&self->gate, there, now));
    }
    gate_server_expire(&self->server);
  }
}

bool gate_has_goal(const vouch_node_t * node)
{
  return node->gate != NULL && gate_is_busy(&node->gate->gate);
}

/* ---- lifetime ---- */

static bool open_stop(gate_node_t * self)
{
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos.depth = 1;
  options.qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  self->stop = rcl_get_zero_initialized_publisher();
  self->stop_ready = rcl_publisher_init(
    &self->stop, &self->node->node, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, Bool), "~/stop",
    &options) == RCL_RET_OK;
  return self->stop_ready;
}

bool gate_init(vouch_node_t * node)
{
  const parameters_t * p = &node->parameters;
  const char * controller = parameters_string(p, PARAMETER_GATE_CONTROLLER);
  const gate_type_t * type = gate_type_find(parameters_string(p, PARAMETER_GATE_TYPE));
  if (controller[0] == '\0') {
    return true;
  }
  if (type == NULL) {
    NODE_ERROR(node, "gate.type is control_msgs, but the node was built without control_msgs");
    return false;
  }
  gate_node_t * self = calloc(1, sizeof(*self));
  if (self == NULL) {
    return false;
  }
  node->gate = self;
  self->node = node;
  self->gate.patience = (gate_patience_t) {
    parameters_double(p, PARAMETER_GATE_ANSWER_TIMEOUT_S),
    parameters_double(p, PARAMETER_GATE_RESULT_TIMEOUT_S),
    parameters_double(p, PARAMETER_GATE_STOP_TIMEOUT_S),
    parameters_double(p, PARAMETER_GATE_GONE_TIMEOUT_S)
  };
  bool ok = gate_controller_init(&self->controller, &node->node, type, controller) ==
    RCL_RET_OK && open_stop(self) && gate_server_init(
    &self->server, &node->node, &node->clock, type, "~/follow_joint_trajectory") == RCL_RET_OK &&
    executor_add_action(
    node->executor, &self->server.server, &self->controller.client) == RCL_RET_OK;
  if (ok) {
    NODE_INFO(
      node, "gate: %s is vetted and goes on to %s (%s)",
      rcl_action_server_get_action_name(&self->server.server),
      rcl_action_client_get_action_name(&self->controller.client), type->name);
  }
  return ok;
}

/// The node ends: what runs was revoked by live_stop(), the controller gets a moment to say that it has
/// stopped, and then the client is told.
static void settle(gate_node_t * self)
{
  const double patience_s = 0.5;
  double begin = node_steady();
  while (gate_is_busy(&self->gate) && node_steady() - begin < patience_s) {
    const struct timespec moment = {0, 2000000};
    (void)take_answer(self);
    (void)take_result(self);
    nanosleep(&moment, NULL);
  }
  if (gate_is_busy(&self->gate)) {
    self->gate.patience = (gate_patience_t) {-1.0, -1.0, -1.0, -1.0};
    perform(self, gate_tick(&self->gate, false, node_steady()));
  }
}

void gate_fini(vouch_node_t * node)
{
  gate_node_t * self = node->gate;
  if (self == NULL) {
    return;
  }
  if (self->server.ready) {
    settle(self);
  }
  gate_message_destroy(&type_of(self)->goal_request, self->request);
  gate_message_destroy(&type_of(self)->result_response, self->result);
  gate_server_fini(&self->server);
  gate_controller_fini(&self->controller);
  if (self->stop_ready && rcl_publisher_fini(&self->stop, &node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  free(self);
  node->gate = NULL;
}
