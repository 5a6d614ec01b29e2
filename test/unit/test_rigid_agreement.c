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

/* No FREE where sampling finds an overlap, no COLLISION without one, no two methods that
 * disagree. */

#include "support/sanitized.h"
#include "unit/test_rigid_agreement.h"

/* Sanitizers look for other things than wrong answers, and are ten times slower. */
#define MOTIONS (TEST_SANITIZED ? 500 : 10000)

/* [C-GAP] [C-HULL] [C-CHORD] [F-PLANE] Each of these bounds, made a little too large, is seen here. */
static void methods_agree_with_sampling_and_each_other(void ** state)
{
  (void)state;
  const char * seed = getenv("VOUCH_SEED");
  if (seed != NULL) {
    tally_t tally = {0};
    one_problem(strtoull(seed, NULL, 10), 4000, &tally);
    return;
  }
  campaign(1, MOTIONS, 32);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(methods_agree_with_sampling_and_each_other)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
