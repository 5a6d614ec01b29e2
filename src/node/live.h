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

/* What live.c (vetting, up to forwarding) and live_watch.c (from there to the end) share. */

#ifndef NODE__LIVE_H_
#define NODE__LIVE_H_

#include "node/check_run.h"

/// A request with the parameters of live vetting.
check_request_t live_request(const vouch_node_t * node);
/// Publishes a report; its sentence stays in node->told.
void live_report(
  vouch_node_t * node, check_run_t * run, const char * id, const vetting_t * vetting,
  uint8_t source);

/// A plan that was proved piece by piece.
typedef struct live_plan_s
{
  vouch_motion_t * motion;    // all of it
  double start_s, end_s;      // of its time 0, and how long it is watched; the node's clock
  void (* on_revoked)(void * context, const char * why);
  void * context;
} live_plan_t;
/// It is what is watched from now on, with the tolerances of the run, in the place of what was before.
/// Takes over the motion; on failure nothing has changed.
vouch_ret_t live_watch_plan(
  vouch_node_t * node, check_run_t * run, const live_plan_t * plan) VOUCH_WARN_UNUSED;

#endif  // NODE__LIVE_H_
