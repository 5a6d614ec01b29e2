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

/* The campaign of test/unit/test_rigid_agreement.c with a million motions, seeds 1,000,000 to
 * 1,999,999, or from VOUCH_SEED on; half an hour to an hour on one core. VOUCH_PARTS=k/n does every
 * n-th of its fifty parts, beginning with part k, so that n processes share the work. VOUCH_SEED=n
 * replays one motion in the short test. */

#include "unit/test_rigid_agreement.h"

#define PARTS 50
#define MOTIONS_OF_A_PART 20000

static void a_million_motions(void ** state)
{
  (void)state;
  const char * seed = getenv("VOUCH_SEED"), * share = getenv("VOUCH_PARTS");
  uint64_t first = seed != NULL ? strtoull(seed, NULL, 10) : 1000000u;
  int begin = 0, step = 1, motions = 0;
  if (share != NULL) {
    assert_int_equal(sscanf(share, "%d/%d", &begin, &step), 2);
    assert_true(begin >= 0 && step > begin && step <= PARTS);
  }
  for (int part = begin; part < PARTS; part += step) {
    campaign(
      first + (uint64_t)MOTIONS_OF_A_PART * (uint64_t)part, MOTIONS_OF_A_PART, 64);
    motions += MOTIONS_OF_A_PART;
    print_message("%d motions so far\n", motions);
    fflush(stdout);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_motions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
