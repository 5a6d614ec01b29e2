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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/error.h"

static void text_is_empty_until_a_call_fails(void ** state)
{
  (void)state;
  vouch_error_reset();
  assert_string_equal(vouch_error(), "");
  assert_int_equal(vouch_fail(VOUCH_RET_IO, "joint %d of %s", 3, "arm"), VOUCH_RET_IO);
  assert_string_equal(vouch_error(), "joint 3 of arm");
  vouch_error_reset();
  assert_string_equal(vouch_error(), "");
}

static void prefix_is_put_in_front(void ** state)
{
  (void)state;
  (void)vouch_fail(VOUCH_RET_INVALID, "not a number");
  assert_int_equal(
    vouch_fail_prefix(VOUCH_RET_INVALID, "%s:%d", "arm.urdf", 7), VOUCH_RET_INVALID);
  assert_string_equal(vouch_error(), "arm.urdf:7: not a number");
}

static void long_texts_are_cut_not_overrun(void ** state)
{
  (void)state;
  char text[3000];
  memset(text, 'x', sizeof(text));
  text[sizeof(text) - 1] = '\0';
  (void)vouch_fail(VOUCH_RET_IO, "%s", text);
  assert_int_equal(strlen(vouch_error()), 1023);
  (void)vouch_fail_prefix(VOUCH_RET_IO, "file");
  assert_int_equal(strlen(vouch_error()), 1023);
  assert_memory_equal(vouch_error(), "file: xxx", 9);
  (void)vouch_fail_prefix(VOUCH_RET_IO, "%s", text);
  assert_true(strlen(vouch_error()) <= 1023);
}

static void the_present_text_may_be_an_argument(void ** state)
{
  (void)state;
  (void)vouch_fail(VOUCH_RET_IO, "inner");
  (void)vouch_fail(VOUCH_RET_IO, "outer (%s)", vouch_error());
  assert_string_equal(vouch_error(), "outer (inner)");
}

static void * fail_elsewhere(void * argument)
{
  (void)argument;
  static char seen[16];
  strncpy(seen, vouch_error(), sizeof(seen) - 1);
  (void)vouch_fail(VOUCH_RET_IO, "theirs");
  return seen;
}

static void each_thread_has_its_own_text(void ** state)
{
  (void)state;
  (void)vouch_fail(VOUCH_RET_IO, "mine");
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
  void * seen = NULL;
  assert_int_equal(pthread_join(thread, &seen), 0);
  assert_string_equal((const char *)seen, "");
  assert_string_equal(vouch_error(), "mine");
}

static void names_and_defaults(void ** state)
{
  (void)state;
  assert_string_equal(vouch_version(), "0.1.0");
  assert_string_equal(vouch_verdict_name(VOUCH_FREE), "FREE");
  assert_string_equal(vouch_verdict_name(VOUCH_COLLISION), "COLLISION");
  assert_string_equal(vouch_verdict_name(VOUCH_INVALID), "INVALID");
  assert_string_equal(vouch_verdict_name(VOUCH_UNDECIDED), "UNDECIDED");
  assert_string_equal(vouch_verdict_name((vouch_verdict_t)77), "UNDECIDED");
  vouch_pose_t pose = vouch_pose_identity();
  assert_true(pose.rotation[3] == 1.0 && pose.rotation[0] == 0.0 && pose.translation[2] == 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(text_is_empty_until_a_call_fails),
    cmocka_unit_test(prefix_is_put_in_front),
    cmocka_unit_test(long_texts_are_cut_not_overrun),
    cmocka_unit_test(the_present_text_may_be_an_argument),
    cmocka_unit_test(each_thread_has_its_own_text),
    cmocka_unit_test(names_and_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
