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

/* Tampered proofs: what the verifier accepts is still a proof. Each source of files is a program of its
 * own: SOURCE, SEED. The long form is in test/long. */

#ifndef UNIT__TEST_MUTATIONS_FIXTURE_H_
#define UNIT__TEST_MUTATIONS_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/arb_here.h"
#include "support/mutations.h"
#include "support/sanitized.h"

#define COUNT (TEST_SANITIZED ? 1500 : 104000)

#ifdef VOUCH_HAVE_ARB

/// Runs a campaign; each kind of change that was made often must have been refused at least once.
static void run(mutation_source_t source, uint32_t kind, uint64_t seed, uint64_t usual)
{
  const char * count = getenv("VOUCH_TEST_COUNT");
  mutation_tally_t tally = {0};
  print_message("seed %llu\n", (unsigned long long)seed);
  mutations_run(source, kind, seed, count != NULL ? strtoull(count, NULL, 10) : usual, &tally);
  mutations_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_int_equal(tally.accepted[MUTATE_UNBOUND_BIT], 0);
  for (int i = 0; i < MUTATE_KINDS; i++) {
    assert_true(tally.made[i] < 500 || tally.refused[i] + tally.malformed[i] > 0);
  }
}

static void what_is_accepted_is_a_proof(void ** state)
{
  (void)state;
  run(SOURCE, 1, SEED, COUNT / 2);
}

static void what_is_accepted_is_a_collision(void ** state)
{
  (void)state;
  run(SOURCE, 2, SEED + 1, COUNT / 13);
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arb_is_here),
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(what_is_accepted_is_a_proof),
    cmocka_unit_test(what_is_accepted_is_a_collision),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif  // UNIT__TEST_MUTATIONS_FIXTURE_H_
