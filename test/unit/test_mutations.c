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

/* Tampered proofs: what the verifier accepts is still a proof. The long form is in test/long. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mutations.h"

#if defined(__SANITIZE_ADDRESS__)
  #define COUNT 5000
#elif defined(__has_feature)
  #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    #define COUNT 5000
  #endif
#endif
#ifndef COUNT
  #define COUNT 104000
#endif

static void what_is_accepted_is_a_proof(void ** state)
{
  (void)state;
#ifdef VOUCH_HAVE_ARB
  const char * count = getenv("VOUCH_TEST_COUNT");
  mutation_tally_t tally = {0};
  mutations_run(11, count != NULL ? strtoull(count, NULL, 10) : COUNT, &tally);
  mutations_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_int_equal(tally.accepted[MUTATE_UNBOUND_BIT], 0);
  for (int kind = 0; kind < MUTATE_WITNESS_BIT && tally.mutations >= 50000; kind++) {
    assert_true(tally.refused[kind] + tally.malformed[kind] > 0);
  }
#else
  fprintf(stderr, "LEFT OUT: Arb was not found; accepted mutations cannot be judged\n");
  skip();
#endif
}

static void what_is_accepted_is_a_collision(void ** state)
{
  (void)state;
#ifdef VOUCH_HAVE_ARB
  const char * count = getenv("VOUCH_TEST_COUNT");
  mutation_tally_t tally = {0};
  mutations_run_witnesses(12, count != NULL ? strtoull(count, NULL, 10) : COUNT / 13, &tally);
  mutations_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_int_equal(tally.accepted[MUTATE_UNBOUND_BIT], 0);
  for (int kind = MUTATE_WITNESS_BIT; kind < MUTATE_KINDS && tally.mutations >= 5000; kind++) {
    assert_true(tally.refused[kind] + tally.malformed[kind] > 0);
  }
#else
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_accepted_is_a_proof),
    cmocka_unit_test(what_is_accepted_is_a_collision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
