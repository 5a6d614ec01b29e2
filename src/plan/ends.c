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

/* Start and goals: whether a plan can begin and end there, and if not, why not and where else. */

#include <stdio.h>

#include "plan/planner.h"

/* How far away a free configuration is looked for, and how many are asked about. */
static const double FIRST_RADIUS = 0.01, GROWTH = 1.15;
enum {MAX_RADII = 40, TRIES = 8, HALVINGS = 10};

static bool check_limits(
  const vouch_planner_t * p, const double * q, const char * what, vouch_plan_result_t * result)
{
  const double room = 1e-6;   // rad or m: how exactly files are written
  for (uint32_t i = 0; i < p->space.count; i++) {
    const double lower = p->space.lower[i], upper = p->space.upper[i];
    if (!p->space.endless[i] && !(q[i] >= lower - room && q[i] <= upper + room)) {
      plan_refuse(
        result, VOUCH_INVALID, VOUCH_PLAN_GOAL_LIMITS,
        "%s is outside the limits: joint '%s' is at %.9g, and may go from %.9g to %.9g", what,
        p->names[i], q[i], lower, upper);
      return false;
    }
  }
  return true;
}

/// Random directions, further and further away; then back towards q as far as it stays free.
static bool find_free(vouch_planner_t * p, const double * q, double * found, double * distance)
{
  double direction[PLAN_MAX_JOINTS], radius = FIRST_RADIUS;
  const plan_space_t * s = &p->space;
  for (int r = 0; r < MAX_RADII && !plan_ask_stopped(&p->ask); r++, radius *= GROWTH) {
    for (int k = 0; k < TRIES; k++) {
      double norm = 0.0;
      for (uint32_t i = 0; i < s->count; i++) {
        direction[i] = plan_random_normal(&p->random);
        norm += direction[i] * direction[i];
      }
      for (uint32_t i = 0; i < s->count; i++) {
        found[i] = q[i] + radius / s->weights[i] * direction[i] / sqrt(norm + 1e-300);
      }
      plan_clamp(s, found);
      if (!plan_ask_state(&p->ask, found)) {
        continue;
      }
      double low = 0.0, high = 1.0;
      for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        plan_between(s, q, found, middle, direction);
        *(plan_ask_state(&p->ask, direction) ? &high : &low) = middle;
      }
      plan_between(s, q, found, high, direction);
      memcpy(found, direction, s->count * sizeof(*found));
      *distance = plan_distance(s, q, found);
      return true;
    }
  }
  return false;
}

static void tell_contact(
  vouch_planner_t * p, const double * q, const char * what, bool is_goal,
  const vouch_contact_t * contact, vouch_plan_result_t * result)
{
  double found[PLAN_MAX_JOINTS];
  const bool margin = contact->kind == VOUCH_CONTACT_MARGIN;
  char offer[128] = "no free configuration was found nearby";
  const vouch_contact_t told = *contact;   // the search for an offer asks the same checker
  if (find_free(p, q, found, &result->free_distance)) {
    plan_expand(&p->space, found, p->free_state);
    result->free_state = p->free_state;
    snprintf(
      offer, sizeof(offer), "the nearest free configuration that was found is %.3g rad away",
      result->free_distance);
  }
  result->contact = told;
  plan_refuse(
    result, VOUCH_INVALID, is_goal ? VOUCH_PLAN_GOAL_COLLISION : VOUCH_PLAN_START_COLLISION,
    margin ? "%s is in collision: '%s' and '%s' are %.3g mm nearer than the margin; %s" :
    "%s is in collision: '%s' and '%s' overlap by %.3g mm; %s", what, told.a, told.b,
    1e3 * told.depth_m, offer);
}

vouch_ret_t plan_check_end(
  vouch_planner_t * p, const double * q, const char * what, bool is_goal,
  vouch_plan_result_t * result)
{
  vouch_result_t why;
  result->verdict = VOUCH_FREE;
  if (is_goal && !check_limits(p, q, what, result)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = plan_ask_why(&p->ask, q, &why);
  if (ret != VOUCH_RET_OK || why.verdict == VOUCH_FREE) {
    return ret;
  }
  if (why.verdict == VOUCH_COLLISION) {
    tell_contact(p, q, what, is_goal, &why.first_collision, result);
  } else if (why.statistics.pairs == 0) {
    plan_refuse(
      result, VOUCH_UNDECIDED, VOUCH_PLAN_NOTHING_CHECKED,
      "no pair of bodies is checked, so nothing can be proved about any motion");
  } else {
    const vouch_open_t * open = why.open_count > 0 ? &why.open[0] : NULL;
    plan_refuse(
      result, VOUCH_UNDECIDED, is_goal ? VOUCH_PLAN_GOAL_OPEN : VOUCH_PLAN_START_OPEN,
      "%s is not proved free, nor shown in collision: '%s' against '%s' stays open (%s)", what,
      open ? open->a : "", open && open->b[0] ? open->b : "obstacles",
      vouch_open_reason_name(open ? open->reason : VOUCH_OPEN_NONE));
  }
  return VOUCH_RET_OK;
}
