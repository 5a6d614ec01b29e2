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

/* The rules of live vetting (src/node/vetting.h), without ROS: V1 to V6, one by one, and against
 * every
 * sequence of events up to a length. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/node/vetting.c"

static vetting_t running(void)
{
  vetting_t vetting = {0};
  assert_int_equal(vetting_admit(&vetting), VETTING_CHECK);
  assert_int_equal(vetting_decide(&vetting, VOUCH_FREE, 0.0), VETTING_FORWARD);
  vetting_forwarded(&vetting, 10.0, 20.0);
  assert_int_equal(vetting_tick(&vetting, 11.0), VETTING_NOTHING);
  assert_int_equal(vetting.state, VETTING_RUNNING);
  return vetting;
}

static void only_free_inside_the_tube_is_forwarded(void ** state)
{
  (void)state;
  const vouch_verdict_t verdicts[] = {VOUCH_UNDECIDED, VOUCH_FREE, VOUCH_COLLISION, VOUCH_INVALID};
  const double deviations[] = {0.0, 0.999, 1.0, 1.0 + 1e-15, 2.0, INFINITY, NAN, -NAN};
  for (size_t v = 0; v < 4; ++v) {
    for (size_t d = 0; d < sizeof(deviations) / sizeof(deviations[0]); ++d) {
      vetting_t vetting = {0};
      assert_int_equal(vetting_admit(&vetting), VETTING_CHECK);
      vetting_action_t action = vetting_decide(&vetting, verdicts[v], deviations[d]);
      bool may = verdicts[v] == VOUCH_FREE && d < 3;
      assert_int_equal(action, may ? VETTING_FORWARD : VETTING_REFUSE);
      assert_int_equal(vetting.state, may ? VETTING_ADMITTED : VETTING_REFUSED);
    }
  }
}

static void zero_is_idle_and_forwards_nothing(void ** state)
{
  (void)state;
  vetting_t vetting = {0};
  assert_int_equal(vetting_decide(&vetting, VOUCH_FREE, 0.0), VETTING_NOTHING);
  vetting_forwarded(&vetting, 0.0, 1.0);
  assert_int_equal(vetting.state, VETTING_IDLE);
  assert_false(vetting_is_watched(&vetting));
}

static void ends_as_proved(void ** state)
{
  (void)state;
  vetting_t vetting = running();
  assert_int_equal(vetting_tick(&vetting, 20.0), VETTING_NOTHING);
  assert_int_equal(vetting_tick(&vetting, 20.001), VETTING_FINISH);
  assert_int_equal(vetting.state, VETTING_DONE);
  assert_int_equal(vetting_tick(&vetting, 30.0), VETTING_NOTHING);
}

static void waits_for_its_start(void ** state)
{
  (void)state;
  vetting_t vetting = {0};
  (void)vetting_admit(&vetting);
  (void)vetting_decide(&vetting, VOUCH_FREE, 0.5);
  vetting_forwarded(&vetting, 10.0, 20.0);
  assert_int_equal(vetting_tick(&vetting, 9.0), VETTING_NOTHING);
  assert_int_equal(vetting.state, VETTING_FORWARDED);
  assert_true(vetting_is_watched(&vetting));
}

static void new_scene_keeps_or_revokes(void ** state)
{
  (void)state;
  vetting_t vetting = running();
  assert_int_equal(vetting_contradicted(&vetting, 12.0), VETTING_RECHECK);
  assert_int_equal(vetting_rechecked(&vetting, VOUCH_FREE), VETTING_KEEP);
  assert_int_equal(vetting.state, VETTING_RUNNING);
  const vouch_verdict_t others[] = {VOUCH_UNDECIDED, VOUCH_COLLISION, VOUCH_INVALID};
  for (size_t i = 0; i < 3; ++i) {
    vetting = running();
    assert_int_equal(vetting_contradicted(&vetting, 12.0), VETTING_RECHECK);
    assert_int_equal(vetting_rechecked(&vetting, others[i]), VETTING_REVOKE);
    assert_int_equal(vetting.state, VETTING_REVOKED);
  }
}

static void outside_the_tube_is_revoked_whatever_the_recheck_says(void ** state)
{
  (void)state;
  const double outside[] = {1.0 + 1e-15, 5.0, INFINITY, NAN};
  for (size_t i = 0; i < 4; ++i) {
    vetting_t vetting = running();
    assert_int_equal(vetting_measured(&vetting, 12.0, 1.0), VETTING_NOTHING);
    assert_int_equal(vetting_measured(&vetting, 12.0, outside[i]), VETTING_RECHECK);
    assert_int_equal(vetting_rechecked(&vetting, VOUCH_FREE), VETTING_REVOKE);
    assert_int_equal(vetting.state, VETTING_REVOKED);
  }
}

static void nothing_to_recheck_after_the_end(void ** state)
{
  (void)state;
  vetting_t vetting = running();
  assert_int_equal(vetting_contradicted(&vetting, 21.0), VETTING_FINISH);
  assert_int_equal(vetting.state, VETTING_DONE);
  vetting = running();
  assert_int_equal(vetting_measured(&vetting, 21.0, 1.0), VETTING_FINISH);
}

static void a_robot_that_is_not_at_the_end_has_not_ended(void ** state)
{
  (void)state;
  const double outside[] = {1.0 + 1e-15, 100.0, NAN};
  for (size_t i = 0; i < 3; ++i) {
    vetting_t vetting = running();
    assert_int_equal(vetting_measured(&vetting, 21.0, outside[i]), VETTING_RECHECK);
    assert_int_equal(vetting_rechecked(&vetting, VOUCH_FREE), VETTING_REVOKE);
  }
}

static void what_was_revoked_may_move_until_its_end(void ** state)
{
  (void)state;
  vetting_t vetting = {0};
  assert_false(vetting_may_move(&vetting, 12.0));
  vetting = running();
  assert_true(vetting_may_move(&vetting, 12.0));
  assert_int_equal(vetting_measured(&vetting, 12.0, 2.0), VETTING_RECHECK);
  assert_int_equal(vetting_rechecked(&vetting, VOUCH_FREE), VETTING_REVOKE);
  assert_false(vetting_is_watched(&vetting));
  assert_true(vetting_may_move(&vetting, 20.0));
  assert_false(vetting_may_move(&vetting, 20.001));
  vetting = running();
  assert_int_equal(vetting_tick(&vetting, 21.0), VETTING_FINISH);
  assert_false(vetting_may_move(&vetting, 21.0));
}

/* ---- every sequence ---- */

static vetting_action_t event(vetting_t * vetting, unsigned number, double now)
{
  switch (number) {
    case 0: return vetting_admit(vetting);
    case 1: return vetting_decide(vetting, VOUCH_FREE, 0.5);
    case 2: return vetting_decide(vetting, VOUCH_COLLISION, 0.5);
    case 3: vetting_forwarded(vetting, now, now + 2.5); return VETTING_NOTHING;
    case 4: return vetting_contradicted(vetting, now);
    case 5: return vetting_measured(vetting, now, 0.5);
    case 6: return vetting_measured(vetting, now, 2.0);
    case 7: return vetting_rechecked(vetting, VOUCH_FREE);
    case 8: return vetting_rechecked(vetting, VOUCH_UNDECIDED);
    default: return vetting_tick(vetting, now);
  }
}

static bool is_final(vetting_state_t state)
{
  return state == VETTING_REFUSED || state == VETTING_REVOKED || state == VETTING_DONE;
}

/// Follows all sequences of ten events up to the given length.
static size_t walk(const vetting_t * from, unsigned length, double now)
{
  if (length == 0) {
    return 1;
  }
  size_t count = 0;
  for (unsigned i = 0; i < 10; ++i) {
    vetting_t vetting = *from;
    vetting_action_t action = event(&vetting, i, now);
    if (is_final(from->state)) {
      assert_int_equal(vetting.state, from->state);                       // V5
    }
    if (action == VETTING_FORWARD) {
      assert_true(i == 1 && from->state == VETTING_ADMITTED);             // V1
    }
    if (action == VETTING_KEEP) {
      assert_true(i == 7 && !from->outside);                              // V3, V4
    }
    if (action == VETTING_RECHECK) {
      assert_true(vetting_is_watched(from));
    }
    if (vetting_is_watched(from) && i == 6 && !from->rechecking) {
      assert_int_equal(action, VETTING_RECHECK);                          // V2
    }
    count += walk(&vetting, length - 1, now + 1.0);
  }
  return count;
}

static void every_sequence_of_six_events_obeys_the_rules(void ** state)
{
  (void)state;
  vetting_t vetting = {0};
  assert_int_equal(walk(&vetting, 6, 0.0), 1000000);
}

static void states_have_names(void ** state)
{
  (void)state;
  assert_string_equal(vetting_state_name(VETTING_REVOKED), "revoked");
  assert_string_equal(vetting_state_name(VETTING_REFUSED), "refused");
  assert_string_equal(vetting_state_name((vetting_state_t)99), "?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_free_inside_the_tube_is_forwarded),
    cmocka_unit_test(zero_is_idle_and_forwards_nothing),
    cmocka_unit_test(ends_as_proved),
    cmocka_unit_test(waits_for_its_start),
    cmocka_unit_test(new_scene_keeps_or_revokes),
    cmocka_unit_test(outside_the_tube_is_revoked_whatever_the_recheck_says),
    cmocka_unit_test(nothing_to_recheck_after_the_end),
    cmocka_unit_test(a_robot_that_is_not_at_the_end_has_not_ended),
    cmocka_unit_test(what_was_revoked_may_move_until_its_end),
    cmocka_unit_test(every_sequence_of_six_events_obeys_the_rules),
    cmocka_unit_test(states_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
