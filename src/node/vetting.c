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

#include "node/vetting.h"

#include <stddef.h>

vetting_action_t vetting_admit(vetting_t * vetting)
{
  if (vetting->state != VETTING_IDLE) {
    return VETTING_NOTHING;
  }
  *vetting = (vetting_t) {.state = VETTING_ADMITTED};
  return VETTING_CHECK;
}

vetting_action_t vetting_decide(vetting_t * vetting, vouch_verdict_t verdict, double deviation)
{
  if (vetting->state != VETTING_ADMITTED) {
    return VETTING_NOTHING;
  }
  /* V1, closed against NaN. */
  if (verdict == VOUCH_FREE && deviation <= 1.0) {
    return VETTING_FORWARD;
  }
  vetting->state = VETTING_REFUSED;
  return VETTING_REFUSE;
}

void vetting_forwarded(vetting_t * vetting, double start_s, double end_s)
{
  if (vetting->state == VETTING_ADMITTED) {
    vetting->state = VETTING_FORWARDED;
    vetting->start_s = start_s;
    vetting->end_s = end_s;
  }
}

bool vetting_is_watched(const vetting_t * vetting)
{
  return vetting->state == VETTING_FORWARDED || vetting->state == VETTING_RUNNING;
}

bool vetting_may_move(const vetting_t * vetting, double now_s)
{
  return vetting_is_watched(vetting) ||
         (vetting->state == VETTING_REVOKED && !(now_s > vetting->end_s));
}

vetting_action_t vetting_tick(vetting_t * vetting, double now_s)
{
  if (vetting->state == VETTING_FORWARDED && now_s >= vetting->start_s) {
    vetting->state = VETTING_RUNNING;
  }
  if (vetting->state == VETTING_RUNNING && now_s > vetting->end_s && !vetting->rechecking) {
    vetting->state = VETTING_DONE;
    return VETTING_FINISH;
  }
  return VETTING_NOTHING;
}

static vetting_action_t recheck(vetting_t * vetting, double now_s, bool outside)
{
  if (!vetting_is_watched(vetting)) {
    return VETTING_NOTHING;
  }
  vetting_action_t ended = outside ? VETTING_NOTHING : vetting_tick(vetting, now_s);
  if (ended == VETTING_FINISH) {
    return ended;
  }
  vetting->outside = vetting->outside || outside;
  if (vetting->rechecking) {
    return VETTING_NOTHING;
  }
  vetting->rechecking = true;
  return VETTING_RECHECK;
}

vetting_action_t vetting_contradicted(vetting_t * vetting, double now_s)
{
  return recheck(vetting, now_s, false);
}

vetting_action_t vetting_measured(vetting_t * vetting, double now_s, double deviation)
{
  /* Also after the end: a clock that jumped may have brought it, while the robot is on its way. */
  return deviation <= 1.0 ? vetting_tick(vetting, now_s) : recheck(vetting, now_s, true);
}

vetting_action_t vetting_rechecked(vetting_t * vetting, vouch_verdict_t verdict)
{
  if (!vetting->rechecking) {
    return VETTING_NOTHING;
  }
  vetting->rechecking = false;
  if (verdict == VOUCH_FREE && !vetting->outside) {
    return VETTING_KEEP;
  }
  vetting->state = VETTING_REVOKED;
  return VETTING_REVOKE;
}

const char * vetting_state_name(vetting_state_t state)
{
  static const char * const names[] = {
    "idle", "admitted", "forwarded", "running", "revoked", "done", "refused"
  };
  return (size_t)state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}
