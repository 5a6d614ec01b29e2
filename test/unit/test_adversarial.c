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

/* Motions whose truth is known by construction: no FREE is false. The long form is in test/long.
 * [L1] [L2] [L3] [L4] [L5] [L10] */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/adversary.h"
#include "support/sanitized.h"

/* Sanitizers are slow: a tenth. */
#define COUNT (TEST_SANITIZED ? 4000 : 100000)
#define SEED UINT64_C(20260713)

static void no_free_is_false(void ** state)
{
  (void)state;
  adversary_tally_t tally = {0};
  const char * seed = getenv("VOUCH_TEST_SEED"), * count = getenv("VOUCH_TEST_COUNT");
  uint64_t first = seed != NULL ? strtoull(seed, NULL, 10) : SEED;
  printf("seed %" PRIu64 "\n", first);
  adversary_run(first, count != NULL ? strtoull(count, NULL, 10) : COUNT, 20, &tally);
  adversary_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_int_equal(tally.refused, 0);
  for (int f = ADVERSARY_SLIDE; f < ADVERSARY_FAMILIES; f++) {
    assert_true(tally.touching[f] > 0 && tally.apart[f] > 0 && tally.proved[f] > 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_free_is_false),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
