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

/* A hundred thousand random problems against Arb, and millions of tampered proofs and witnesses. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/arb_here.h"
#include "support/arb_campaign.h"
#include "support/mutations.h"

#ifdef VOUCH_HAVE_ARB

static uint64_t count_of(uint64_t usual)
{
  const char * count = getenv("VOUCH_TEST_COUNT");
  return count != NULL ? strtoull(count, NULL, 10) : usual;
}

static void kernel_and_proofs_agree_with_balls(void ** state)
{
  (void)state;
  arb_tally_t tally = {0};
  arb_campaign(UINT64_C(1234567), count_of(100000), &tally);
  arb_campaign_print(&tally);
  assert_int_equal(tally.wrong, 0);
}

static void run(mutation_source_t source, uint32_t kind, uint64_t seed)
{
  mutation_tally_t tally = {0};
  mutations_run(source, kind, seed, count_of(1000000), &tally);
  mutations_print(&tally);
  assert_int_equal(tally.wrong, 0);
}

static void what_is_accepted_is_a_proof(void ** state)
{
  (void)state;
  run(mutations_of_checker, 1, UINT64_C(7654321));
  run(mutations_of_cells, 1, UINT64_C(1234321));
}

static void what_is_accepted_is_a_collision(void ** state)
{
  (void)state;
  run(mutations_of_checker, 2, UINT64_C(1726354));
  run(mutations_of_cells, 2, UINT64_C(4536271));
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arb_is_here),
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(kernel_and_proofs_agree_with_balls),
    cmocka_unit_test(what_is_accepted_is_a_proof),
    cmocka_unit_test(what_is_accepted_is_a_collision),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
