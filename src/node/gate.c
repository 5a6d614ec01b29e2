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

#include "node/gate.h"

#include <stddef.h>

bool gate_is_out(const gate_t * gate)
{
  return gate->state == GATE_OFFERED || gate->state == GATE_RUNNING ||
         gate->state == GATE_STOPPING;
}

bool gate_is_busy(const gate_t * gate)
{
  return gate->state == GATE_CHECKING || gate_is_out(gate);
}

static unsigned finish(gate_t * gate, gate_state_t state, gate_why_t why)
{
  gate->state = state;
  gate->why = why;
  return GATE_DO_FINISH;
}

/// A cancel is on its way to the controller, which has stop_s to obey. Of several reasons the gravest
/// stays: a client's cancel does not make up for a proof that was lost.
static unsigned stop(gate_t * gate, gate_why_t why, double now_s)
{
  if (gate->state != GATE_STOPPING || gate->why == GATE_WHY_CLIENT) {
    gate->why = why;
  }
  if (gate->state != GATE_STOPPING) {
    gate->since_s = now_s;
  }
  gate->state = GATE_STOPPING;
  return GATE_DO_CANCEL | (why == GATE_WHY_CLIENT ? 0 : GATE_DO_STOP);
}

/// The controller has let go of the goal that it was told to cancel, and says how: G4.
static unsigned end_stopped(gate_t * gate, bool cancelled)
{
  gate_state_t state = gate->unwanted && cancelled ? GATE_CANCELED : GATE_ABORTED;
  return GATE_DO_RELEASE | finish(gate, state, gate->why);
}

/// Nobody knows what the controller does with it.
static unsigned give_up(gate_t * gate, gate_why_t why)
{
  return GATE_DO_STOP | finish(gate, GATE_ABORTED, why);
}

unsigned gate_goal(gate_t * gate, bool there)
{
  if (gate_is_busy(gate) || !there) {
    return GATE_DO_REFUSE;
  }
  *gate = (gate_t) {.patience = gate->patience, .state = GATE_CHECKING};
  return GATE_DO_CHECK;
}

unsigned gate_decided(gate_t * gate, bool proved, double duration_s, double now_s)
{
  if (gate->state != GATE_CHECKING) {
    return GATE_DO_NOTHING;   // cancelled meanwhile: G3
  }
  if (!proved) {
    return finish(gate, GATE_ABORTED, GATE_WHY_NOT_PROVED);
  }
  gate->state = GATE_OFFERED;
  gate->since_s = now_s;
  gate->duration_s = duration_s;
  return GATE_DO_OFFER;
}

unsigned gate_not_sent(gate_t * gate)
{
  if (gate->state != GATE_OFFERED) {
    return GATE_DO_NOTHING;
  }
  return GATE_DO_RELEASE | finish(gate, GATE_ABORTED, GATE_WHY_NOT_SENT);
}

unsigned gate_answered(gate_t * gate, bool taken, double now_s)
{
  if (gate->taken) {
    return GATE_DO_NOTHING;   // it has answered before
  }
  if (!gate_is_out(gate)) {
    return taken && gate->state != GATE_IDLE && gate->state != GATE_CHECKING ?
           GATE_DO_CANCEL : GATE_DO_NOTHING;
  }
  gate->taken = taken;
  if (gate->state == GATE_STOPPING) {
    /* The cancel of before may have come too early to find it. */
    return taken ? GATE_DO_AWAIT | GATE_DO_CANCEL : end_stopped(gate, true);
  }
  if (!taken) {
    return GATE_DO_RELEASE | finish(gate, GATE_ABORTED, GATE_WHY_REFUSED);
  }
  gate->state = GATE_RUNNING;
  gate->since_s = now_s;
  return GATE_DO_AWAIT;
}

unsigned gate_result(gate_t * gate, gate_outcome_t outcome)
{
  if (!gate_is_out(gate) || !gate->taken) {
    return GATE_DO_NOTHING;
  }
  if (outcome == GATE_OUTCOME_UNKNOWN) {
    return give_up(gate, GATE_WHY_GONE);
  }
  if (gate->state == GATE_STOPPING && gate->why != GATE_WHY_CLIENT) {
    return end_stopped(gate, outcome == GATE_OUTCOME_CANCELED);
  }
  switch (outcome) {
    case GATE_OUTCOME_SUCCEEDED:
      /* Still watched: the robot has to be where the motion ends. */
      return finish(gate, GATE_SUCCEEDED, GATE_WHY_CONTROLLER);
    case GATE_OUTCOME_CANCELED:
      return GATE_DO_RELEASE | finish(
        gate, gate->state == GATE_STOPPING ? GATE_CANCELED : GATE_ABORTED, GATE_WHY_CONTROLLER);
    default:
      return GATE_DO_RELEASE | finish(gate, GATE_ABORTED, GATE_WHY_CONTROLLER);
  }
}

unsigned gate_cancel(gate_t * gate, double now_s)
{
  if (gate->state == GATE_CHECKING) {
    return finish(gate, GATE_CANCELED, GATE_WHY_CLIENT);
  }
  if (!gate_is_out(gate)) {
    return GATE_DO_NOTHING;
  }
  gate->unwanted = true;
  return stop(gate, GATE_WHY_CLIENT, now_s);
}

unsigned gate_revoked(gate_t * gate, double now_s)
{
  return gate_is_out(gate) ? stop(gate, GATE_WHY_REVOKED, now_s) : GATE_DO_NOTHING;
}

/// True when more than `patience_s` have passed since then.
static bool is_over(double * since_s, double patience_s, double now_s)
{
  if (now_s < *since_s) {
    *since_s = now_s;
  }
  return now_s - *since_s > patience_s;
}

/// The controller was looked for: true when it has been away for too long.
static bool is_gone(gate_t * gate, bool there, double now_s)
{
  if (there) {
    gate->absent = false;
    return false;
  }
  if (!gate->absent) {
    gate->absent = true;
    gate->absent_since_s = now_s;
  }
  return is_over(&gate->absent_since_s, gate->patience.gone_s, now_s);
}

unsigned gate_tick(gate_t * gate, bool there, double now_s)
{
  if (!gate_is_out(gate)) {
    return GATE_DO_NOTHING;
  }
  if (is_gone(gate, there, now_s)) {
    return give_up(gate, gate->why == GATE_WHY_REVOKED ? GATE_WHY_REVOKED : GATE_WHY_GONE);
  }
  const gate_patience_t * patience = &gate->patience;
  if (gate->state == GATE_OFFERED) {
    return is_over(&gate->since_s, patience->answer_s, now_s) ?
           stop(gate, GATE_WHY_SILENT, now_s) : GATE_DO_NOTHING;
  }
  if (gate->state == GATE_RUNNING) {
    return is_over(&gate->since_s, gate->duration_s + patience->result_s, now_s) ?
           stop(gate, GATE_WHY_LATE, now_s) : GATE_DO_NOTHING;
  }
  /* It was told to cancel and does not say that it has. */
  return is_over(&gate->since_s, patience->stop_s, now_s) ?
         give_up(gate, gate->why == GATE_WHY_CLIENT ? GATE_WHY_LATE : gate->why) :
         GATE_DO_NOTHING;
}

const char * gate_state_name(gate_state_t state)
{
  static const char * const names[] = {
    "idle", "checking", "offered", "running", "stopping", "succeeded", "canceled", "aborted"
  };
  return (size_t)state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}

const char * gate_why_text(gate_why_t why)
{
  static const char * const texts[] = {
    "",
    "not proved free: not forwarded",
    "cancelled by the client",
    "the proof was lost while it was running",
    "as the controller said",
    "the controller did not accept it",
    "the controller did not answer in time: it was told to cancel",
    "the controller's result did not come in time",
    "the controller is not there any more, or does not know the goal",
    "it could not be sent to the controller"
  };
  return (size_t)why < sizeof(texts) / sizeof(texts[0]) ? texts[why] : "?";
}
