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
#include "plan/ask.h"

#include <time.h>

#include "check/checker.h"

/* An edge that is not proved after so many halvings grazes something: another one is found sooner than
 * this one is decided. One of a radian is then looked at to a quarter of a milliradian. */
#define EDGE_DEPTH 12u

double plan_ask_seconds(const plan_ask_t * ask)
{
  return 1e-9 * (double)(check_now_ns() - ask->begin_ns);
}

double plan_ask_cpu_seconds(const plan_ask_t * ask)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - ask->begin_cpu_s;
}

bool plan_ask_stopped(plan_ask_t * ask)
{
  if (ask->deadline_ns > 0 && check_now_ns() >= ask->deadline_ns) {
    ask->stopped = true;
  }
  ask->stopped = ask->stopped || atomic_load(&ask->checker->cancelled);
  return ask->stopped;
}

/// Yes or no, quickly; or everything that the user wants to know.
static void set_mode(plan_ask_t * ask, bool proof)
{
  vouch_check_options_t * o = &ask->checker->options;
  o->first_contact = false;
  o->clearance = proof && ask->proof->clearance;
  o->certificate = proof && ask->proof->certificate;
  o->max_depth = proof || ask->proof->max_depth < EDGE_DEPTH ? ask->proof->max_depth : EDGE_DEPTH;
  o->deadline_s = 0.0;
  if (ask->deadline_ns > 0) {
    o->deadline_s = fmax(1e-9 * (double)(ask->deadline_ns - check_now_ns()), 1e-6);
  }
}

static bool take(plan_ask_t * ask, vouch_ret_t ret, const vouch_result_t * result)
{
  if (ret != VOUCH_RET_OK) {
    ask->ret = ret;
    ask->stopped = true;
    return false;
  }
  return result->verdict == VOUCH_FREE;
}

bool plan_ask_state(plan_ask_t * ask, const double * q)
{
  vouch_result_t result;
  if (plan_ask_stopped(ask)) {
    return false;
  }
  set_mode(ask, false);
  plan_expand(ask->space, q, ask->from);
  const bool free = take(
    ask, vouch_check_motion(ask->checker, ask->from, ask->from, &result), &result);
  ask->statistics->states++;
  ask->statistics->free_states += free;
  return free;
}

bool plan_ask_edge(plan_ask_t * ask, const double * a, const double * b)
{
  vouch_result_t result;
  if (plan_ask_stopped(ask) || !plan_is_short(ask->space, a, b)) {
    return false;
  }
  set_mode(ask, false);
  plan_expand(ask->space, a, ask->from);
  plan_expand(ask->space, b, ask->to);
  const bool free = take(
    ask, vouch_check_motion(ask->checker, ask->from, ask->to, &result), &result);
  ask->statistics->edges++;
  ask->statistics->free_edges += free;
  return free;
}

vouch_ret_t plan_ask_why(plan_ask_t * ask, const double * q, vouch_result_t * result)
{
  set_mode(ask, true);
  ask->checker->options.certificate = false;
  ask->checker->options.clearance = false;
  plan_expand(ask->space, q, ask->from);
  return vouch_check_motion(ask->checker, ask->from, ask->from, result);
}

vouch_ret_t plan_ask_proof(
  plan_ask_t * ask, const vouch_motion_t * motion, vouch_result_t * result)
{
  set_mode(ask, true);
  return vouch_check(ask->checker, motion, result);
}
