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

/* Chains of joints that paths share: the same as when each path is compared with each chain, in
 * a number of steps that grows with the joints alone. [L1] */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel/chains.h"
#include "support/random.h"

enum
{
  MOST = 12
};

/// A path of `count` joints, each one of `kinds`.
static kernel_path_t random_path(test_random_t * r, uint32_t count, uint32_t kinds)
{
  kernel_path_t path = {.joint_count = count, .joints = calloc(MOST, sizeof(kernel_joint_t))};
  assert_non_null(path.joints);
  for (uint32_t j = 0; j < count; j++) {
    uint32_t kind = (uint32_t)test_random_in(r, 0.0, (double)kinds - 1e-9);
    path.joints[j] = (kernel_joint_t) {.variable = kind / 4u, .revolute = kind % 2u == 0,
      .gain = kind % 4u < 2u ? 1.0 : 0.5};
  }
  return path;
}

static uint32_t by_comparing(
  const kernel_path_t * paths, uint32_t i, uint32_t * longest, uint32_t * count)
{
  uint32_t c = 0;
  while (c < *count && !kernel_path_shares(&paths[i], &paths[longest[c]])) {
    c++;
  }
  *count += c == *count ? 1u : 0u;
  return c;
}

static void proposals_are_the_first_that_share(void ** state)
{
  (void)state;
  test_random_t r = {31};
  uint32_t shared = 0, longer = 0;
  for (uint32_t round = 0; round < 400; round++) {
    enum
    {
      PATHS = 300
    };
    kernel_path_t paths[PATHS];
    uint32_t longest[PATHS], count = 0, kinds = 1u + round % 9u;
    kernel_chains_t chains;
    assert_int_equal(kernel_chains_init(&chains, vouch_allocator_default()), VOUCH_RET_OK);
    for (uint32_t i = 0; i < PATHS; i++) {
      paths[i] = random_path(&r, (uint32_t)test_random_in(&r, 0.0, 6.999), kinds);
      uint32_t before = count, c = by_comparing(paths, i, longest, &count);
      uint32_t proposed = kernel_chains_propose(&chains, &paths[i]);
      assert_int_equal(proposed, c == before ? VOUCH_NONE : c);
      bool lengthens = c < before && paths[i].joint_count > paths[longest[c]].joint_count;
      shared += c < before;
      longer += lengthens;
      if (c == before || lengthens) {
        longest[c] = i;
        assert_int_equal(kernel_chains_lengthen(&chains, &paths[i], c), VOUCH_RET_OK);
      }
    }
    kernel_chains_fini(&chains);
    for (uint32_t i = 0; i < PATHS; i++) {
      free(paths[i].joints);
    }
  }
  assert_true(shared > 10000 && longer > 1000);
}

/// The steps for the pairs of so many bodies, each on six joints of its own.
static uint64_t steps_of(uint32_t bodies)
{
  kernel_chains_t chains;
  kernel_joint_t joints[MOST];
  uint32_t count = 0;
  assert_int_equal(kernel_chains_init(&chains, vouch_allocator_default()), VOUCH_RET_OK);
  for (uint32_t a = 0; a < bodies; a++) {
    for (uint32_t b = a + 1u; b < bodies; b++) {
      for (uint32_t j = 0; j < MOST; j++) {
        joints[j] = (kernel_joint_t) {.variable = 6u * (j < 6u ? b : a) + j % 6u, .gain = 1.0};
      }
      kernel_path_t path = {.joint_count = MOST, .joints = joints};
      assert_int_equal(kernel_chains_propose(&chains, &path), VOUCH_NONE);
      assert_int_equal(kernel_chains_lengthen(&chains, &path, count++), VOUCH_RET_OK);
    }
  }
  uint64_t steps = chains.steps;
  kernel_chains_fini(&chains);
  return steps;
}

static void work_grows_with_the_joints_alone(void ** state)
{
  (void)state;
  const uint64_t pairs = 400u * 399u / 2u, steps = steps_of(400);
  print_message("%g steps for each joint of a path\n", (double)steps / (double)(pairs * MOST));
  assert_true(steps < 10u * pairs * MOST);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(proposals_are_the_first_that_share),
    cmocka_unit_test(work_grows_with_the_joints_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
