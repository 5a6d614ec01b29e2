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

/* Ten million motions whose truth is known by construction. */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/adversary.h"

#define COUNT UINT64_C(10000000)
#define SEED UINT64_C(987654321)

static void no_free_is_false(void ** state)
{
  (void)state;
  adversary_tally_t tally = {0};
  const char * count = getenv("VOUCH_TEST_COUNT");
  uint64_t left = count != NULL ? strtoull(count, NULL, 10) : COUNT;
  for (uint64_t part = 0; left > 0 && tally.wrong == 0; part++) {
    uint64_t now = left < 100000 ? left : 100000;
    adversary_run(SEED + part, now, 200, &tally);
    left -= now;
    if (part % 10 == 9) {
      adversary_print(&tally);
      fflush(stdout);
    }
  }
  adversary_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_int_equal(tally.refused, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_free_is_false),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
