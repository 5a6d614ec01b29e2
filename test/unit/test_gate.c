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

/* The rules of the action gate (src/node/gate.h), without ROS: G1 to G6 against every sequence of
 * events up to a length, and every fault at every state by name. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/node/gate.c"

static const gate_patience_t patience = {1.0, 2.0, 3.0, 0.5};
static const double duration = 10.0;

static gate_t fresh(void)
{
  return (gate_t) {.patience = patience};
}

/// A goal in the state, at 100 s.
static gate_t in_state(gate_state_t state)
{
  gate_t gate = fresh();
  if (state >= GATE_CHECKING) {
    assert_int_equal(gate_goal(&gate, true), GATE_DO_CHECK);
  }
  if (state >= GATE_OFFERED) {
    assert_int_equal(gate_decided(&gate, true, duration, 100.0), GATE_DO_OFFER);
  }
  if (state >= GATE_RUNNING) {
    assert_int_equal(gate_answered(&gate, true, 100.0), GATE_DO_AWAIT);
  }
  if (state == GATE_STOPPING) {
    assert_int_equal(gate_cancel(&gate, 100.0), GATE_DO_CANCEL);
  }
  if (state == GATE_SUCCEEDED) {
    assert_int_equal(gate_result(&gate, GATE_OUTCOME_SUCCEEDED), GATE_DO_FINISH);
  }
  assert_int_equal(gate.state, state);
  return gate;
}

static void a_proved_goal_goes_its_way(void ** state)
{
  (void)state;
  gate_t gate = in_state(GATE_SUCCEEDED);
  assert_int_equal(gate.why, GATE_WHY_CONTROLLER);
  assert_false(gate_is_busy(&gate));
  assert_int_equal(gate_goal(&gate, true), GATE_DO_CHECK);
}

static void what_is_not_proved_is_not_offered(void ** state)
{
  (void)state;
  gate_t gate = in_state(GATE_CHECKING);
  assert_int_equal(gate_decided(&gate, false, duration, 0.0), GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_ABORTED);
  assert_int_equal(gate.why, GATE_WHY_NOT_PROVED);
  assert_int_equal(gate_decided(&gate, true, duration, 0.0), GATE_DO_NOTHING);
}

static void two_goals_at_once(void ** state)
{
  (void)state;
  for (int s = GATE_CHECKING; s <= GATE_STOPPING; ++s) {
    gate_t gate = in_state((gate_state_t)s), before = gate;
    assert_int_equal(gate_goal(&gate, true), GATE_DO_REFUSE);
    assert_memory_equal(&gate, &before, sizeof(gate));
  }
}

static void a_controller_that_is_not_there(void ** state)
{
  (void)state;
  gate_t gate = fresh();
  assert_int_equal(gate_goal(&gate, false), GATE_DO_REFUSE);
  assert_int_equal(gate.state, GATE_IDLE);
}

/* Of a controller that dies nobody knows what the robot does: stop it, and end the goal. */
static void the_controller_dies(void ** state)
{
  (void)state;
  for (int s = GATE_OFFERED; s <= GATE_STOPPING; ++s) {
    gate_t gate = in_state((gate_state_t)s);
    assert_int_equal(gate_tick(&gate, false, 100.0), GATE_DO_NOTHING);
    assert_int_equal(gate_tick(&gate, false, 100.4), GATE_DO_NOTHING);
    assert_int_equal(gate_tick(&gate, true, 100.45), GATE_DO_NOTHING);   // it was a moment
    assert_int_equal(gate_tick(&gate, false, 100.5), GATE_DO_NOTHING);
    assert_int_equal(gate_tick(&gate, false, 101.1), GATE_DO_STOP | GATE_DO_FINISH);
    assert_int_equal(gate.state, GATE_ABORTED);
    assert_int_equal(gate.why, GATE_WHY_GONE);
  }
  gate_t gate = in_state(GATE_RUNNING);
  assert_int_equal(
    gate_result(&gate, GATE_OUTCOME_UNKNOWN), GATE_DO_STOP | GATE_DO_FINISH);   // it came up anew
  assert_int_equal(gate.state, GATE_ABORTED);
}

static void the_controller_never_answers(void ** state)
{
  (void)state;
  gate_t gate = in_state(GATE_OFFERED);
  assert_int_equal(gate_tick(&gate, true, 101.0), GATE_DO_NOTHING);
  assert_int_equal(gate_tick(&gate, true, 101.1), GATE_DO_CANCEL | GATE_DO_STOP);
  assert_int_equal(gate.why, GATE_WHY_SILENT);
  assert_int_equal(gate_tick(&gate, true, 104.0), GATE_DO_NOTHING);
  assert_int_equal(gate_tick(&gate, true, 104.2), GATE_DO_STOP | GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_ABORTED);
  /* And then it does. */
  assert_int_equal(gate_answered(&gate, true, 200.0), GATE_DO_CANCEL);
  assert_int_equal(gate.state, GATE_ABORTED);
}

static void the_result_never_comes(void ** state)
{
  (void)state;
  gate_t gate = in_state(GATE_RUNNING);
  assert_int_equal(gate_tick(&gate, true, 112.0), GATE_DO_NOTHING);
  assert_int_equal(gate_tick(&gate, true, 112.1), GATE_DO_CANCEL | GATE_DO_STOP);
  assert_int_equal(gate_tick(&gate, true, 115.2), GATE_DO_STOP | GATE_DO_FINISH);
  assert_int_equal(gate.why, GATE_WHY_LATE);
  assert_int_equal(gate_result(&gate, GATE_OUTCOME_SUCCEEDED), GATE_DO_NOTHING);   // too late
  assert_int_equal(gate.state, GATE_ABORTED);
}

static void a_cancel_at_every_state(void ** state)
{
  (void)state;
  gate_t gate = in_state(GATE_CHECKING);
  assert_int_equal(gate_cancel(&gate, 100.0), GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_CANCELED);
  assert_int_equal(gate_decided(&gate, true, duration, 100.0), GATE_DO_NOTHING);   // never offered

  gate = in_state(GATE_OFFERED);   // it may come too early to find the goal: once more then
  assert_int_equal(gate_cancel(&gate, 100.0), GATE_DO_CANCEL);
  assert_int_equal(gate_answered(&gate, true, 100.1), GATE_DO_AWAIT | GATE_DO_CANCEL);
  assert_int_equal(
    gate_result(&gate, GATE_OUTCOME_CANCELED), GATE_DO_RELEASE | GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_CANCELED);

  gate = in_state(GATE_OFFERED);
  assert_int_equal(gate_cancel(&gate, 100.0), GATE_DO_CANCEL);
  assert_int_equal(gate_answered(&gate, false, 100.1), GATE_DO_RELEASE | GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_CANCELED);

  gate = in_state(GATE_STOPPING);   // the motion ended before the cancel came
  assert_int_equal(gate_result(&gate, GATE_OUTCOME_SUCCEEDED), GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_SUCCEEDED);
  gate = in_state(GATE_STOPPING);   // a controller that does not obey
  assert_int_equal(gate_tick(&gate, true, 103.1), GATE_DO_STOP | GATE_DO_FINISH);
  assert_int_equal(gate.state, GATE_ABORTED);
  gate = in_state(GATE_SUCCEEDED);
  assert_int_equal(gate_cancel(&gate, 100.0), GATE_DO_NOTHING);
}

static void what_is_revoked_has_not_succeeded_whatever_comes(void ** state)
{
  (void)state;
  for (int s = GATE_OFFERED; s <= GATE_STOPPING; ++s) {
    for (int outcome = GATE_OUTCOME_UNKNOWN; outcome <= GATE_OUTCOME_ABORTED; ++outcome) {
      gate_t gate = in_state((gate_state_t)s);
      assert_int_equal(gate_revoked(&gate, 100.0), GATE_DO_CANCEL | GATE_DO_STOP);
      if (s == GATE_OFFERED) {
        assert_int_equal(gate_answered(&gate, true, 100.0), GATE_DO_AWAIT | GATE_DO_CANCEL);
      }
      gate_t asked = gate;
      (void)gate_cancel(&asked, 100.0);   // a client's wish does not make up for it
      assert_true(gate_result(&asked, (gate_outcome_t)outcome) & GATE_DO_FINISH);
      assert_int_equal(
        asked.state, outcome == GATE_OUTCOME_CANCELED ? GATE_CANCELED : GATE_ABORTED);
      assert_true(gate_result(&gate, (gate_outcome_t)outcome) & GATE_DO_FINISH);
      assert_int_equal(
        gate.state, s == GATE_STOPPING && outcome == GATE_OUTCOME_CANCELED ? GATE_CANCELED :
        GATE_ABORTED);
      assert_int_equal(
        gate.why, outcome == GATE_OUTCOME_UNKNOWN ? GATE_WHY_GONE : GATE_WHY_REVOKED);
    }
  }
  gate_t gate = in_state(GATE_CHECKING);
  assert_int_equal(gate_revoked(&gate, 100.0), GATE_DO_NOTHING);   // it is another one that runs
}

static void clocks_jump(void ** state)
{
  (void)state;
  for (int s = GATE_OFFERED; s <= GATE_STOPPING; ++s) {
    gate_t gate = in_state((gate_state_t)s);
    assert_int_equal(gate_tick(&gate, true, -1e9), GATE_DO_NOTHING);   // back: waits anew
    assert_int_equal(gate_tick(&gate, true, -1e9 + 0.5), GATE_DO_NOTHING);
    assert_int_equal(gate_tick(&gate, true, NAN), GATE_DO_NOTHING);
    assert_int_not_equal(gate_tick(&gate, true, 1e9), GATE_DO_NOTHING);   // forward: too late
  }
}

/* ---- every sequence of events ---- */

enum {EVENTS = 21};

typedef struct seen_s
{
  int goals, offered, finished;   // finished: of this goal
  bool proved, revoked, told_to_stop, told_to_cancel, let_go, wants_cancel;
} seen_t;

static unsigned happen(gate_t * gate, int event, double * now)
{
  switch (event) {
    case 0: return gate_goal(gate, true);
    case 1: return gate_goal(gate, false);
    case 2: return gate_decided(gate, true, duration, *now);
    case 3: return gate_decided(gate, false, duration, *now);
    case 4: return gate_not_sent(gate);
    case 5: return gate_answered(gate, true, *now);
    case 6: return gate_answered(gate, false, *now);
    case 7: return gate_result(gate, GATE_OUTCOME_UNKNOWN);
    case 8: return gate_result(gate, GATE_OUTCOME_SUCCEEDED);
    case 9: return gate_result(gate, GATE_OUTCOME_CANCELED);
    case 10: return gate_result(gate, GATE_OUTCOME_ABORTED);
    case 11: return gate_cancel(gate, *now);
    case 12: return gate_revoked(gate, *now);
    case 13: return gate_tick(gate, true, *now += 0.1);
    case 14: return gate_tick(gate, true, *now += 1.5);
    case 15: return gate_tick(gate, true, *now += 3.5);
    case 16: return gate_tick(gate, true, *now += 100.0);
    case 17: return gate_tick(gate, false, *now += 0.4);
    case 18: return gate_tick(gate, false, *now += 0.6);
    case 19: return gate_tick(gate, true, *now -= 1000.0);
    default: return gate_tick(gate, true, NAN);
  }
}

static void check_rules(
  const gate_t * before, const gate_t * gate, int event, unsigned todo, seen_t * seen)
{
  if (todo & GATE_DO_CHECK) {
    assert_false(gate_is_busy(before));
    *seen = (seen_t) {.goals = seen->goals + 1};
  }
  assert_true(!(todo & GATE_DO_REFUSE) || (gate_is_busy(before) || event == 1));
  seen->proved = seen->proved || (event == 2 && before->state == GATE_CHECKING);
  seen->revoked = seen->revoked || (event == 12 && gate_is_out(before));
  seen->wants_cancel = seen->wants_cancel || (event == 11 && gate_is_out(before));
  seen->told_to_stop = seen->told_to_stop || (todo & GATE_DO_STOP);
  seen->told_to_cancel = seen->told_to_cancel || (todo & GATE_DO_CANCEL);
  seen->let_go = seen->let_go || (todo & GATE_DO_RELEASE);
  seen->offered += (todo & GATE_DO_OFFER) != 0;
  seen->finished += (todo & GATE_DO_FINISH) != 0;
  assert_true(seen->offered <= 1 && (seen->offered == 0 || seen->proved));           // G1
  bool final = gate->state >= GATE_SUCCEEDED;
  assert_int_equal(seen->finished, final && seen->goals > 0);                        // G2
  if (final && seen->offered) {
    assert_true(gate->state == GATE_SUCCEEDED || seen->let_go || seen->told_to_stop);
    assert_true(!seen->revoked || gate->state != GATE_SUCCEEDED);                    // G4
    assert_true(gate->state != GATE_CANCELED || seen->wants_cancel);
  }
  assert_true(!(seen->revoked || seen->wants_cancel) || seen->told_to_cancel);       // G3
  assert_true(!seen->revoked || seen->told_to_stop);
  if (before->state >= GATE_SUCCEEDED && event != 0 && event != 1) {                 // G5
    assert_memory_equal(before, gate, sizeof(*gate));
    assert_true((todo & ~(unsigned)GATE_DO_CANCEL) == 0);
  }
  gate_t later = *gate;                                                              // G6
  if (gate_is_out(&later)) {
    (void)gate_tick(&later, true, 1e6);
    (void)gate_tick(&later, true, 2e6);
    assert_true(later.state >= GATE_SUCCEEDED);
  }
}

static size_t walk(gate_t before, seen_t seen, double now, int depth)
{
  size_t count = 1;
  for (int event = 0; depth > 0 && event < EVENTS; ++event) {
    gate_t gate = before;
    seen_t next = seen;
    double then = now;
    unsigned todo = happen(&gate, event, &then);
    check_rules(&before, &gate, event, todo, &next);
    bool same = todo == GATE_DO_NOTHING && memcmp(&gate, &before, sizeof(gate)) == 0;
    count += same && then == now ? 1 : walk(gate, next, then, depth - 1);
  }
  return count;
}

static void every_sequence_of_events_keeps_the_rules(void ** state)
{
  (void)state;
  assert_true(walk(fresh(), (seen_t) {0}, 100.0, 7) > 100000);
}

static void zero_is_idle_and_names_are_there(void ** state)
{
  (void)state;
  gate_t gate = {0};
  assert_int_equal(gate.state, GATE_IDLE);
  for (int event = 2; event < EVENTS; ++event) {
    double now = 0.0;
    assert_int_equal(happen(&gate, event, &now), GATE_DO_NOTHING);
  }
  assert_string_equal(gate_state_name(GATE_ABORTED), "aborted");
  assert_string_equal(gate_state_name((gate_state_t)99), "?");
  for (int why = GATE_WHY_NOT_PROVED; why <= GATE_WHY_NOT_SENT; ++why) {
    assert_true(strlen(gate_why_text((gate_why_t)why)) > 5);
  }
  assert_string_equal(gate_why_text((gate_why_t)99), "?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_proved_goal_goes_its_way),
    cmocka_unit_test(what_is_not_proved_is_not_offered),
    cmocka_unit_test(two_goals_at_once),
    cmocka_unit_test(a_controller_that_is_not_there),
    cmocka_unit_test(the_controller_dies),
    cmocka_unit_test(the_controller_never_answers),
    cmocka_unit_test(the_result_never_comes),
    cmocka_unit_test(a_cancel_at_every_state),
    cmocka_unit_test(what_is_revoked_has_not_succeeded_whatever_comes),
    cmocka_unit_test(clocks_jump),
    cmocka_unit_test(every_sequence_of_events_keeps_the_rules),
    cmocka_unit_test(zero_is_idle_and_names_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
