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

/* The kernel against Arb: gaps, bounds, radii, and whole proofs. The long form is in test/long. */

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/checker.h"
#include "kernel/inside.h"
#include "support/arb_here.h"
#include "support/arb_campaign.h"
#include "support/arb_checker.h"
#include "support/cell.h"
#include "support/sanitized.h"

#define COUNT (TEST_SANITIZED ? 150 : 1500)

#ifdef VOUCH_HAVE_ARB

static void kernel_and_proofs_agree_with_balls(void ** state)
{
  (void)state;
  const char * count = getenv("VOUCH_TEST_COUNT");
  arb_tally_t tally = {0};
  arb_campaign(7, count != NULL ? strtoull(count, NULL, 10) : COUNT, &tally);
  arb_campaign_print(&tally);
  assert_int_equal(tally.wrong, 0);
  assert_true(tally.free > 0 && tally.rounding_seen > 0);
}

static const char TURN[] =
  "<robot name='turn'><link name='base'/><link name='arm'/><joint name='q' type='continuous'>"
  "<parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint></robot>";

/* Where a polynomial and its derivatives vanish, the halved coefficients are small and their errors
 * are not: they stem from the large ones. (s - r)^degree, followed down to r. */
static void bounds_hold_where_a_polynomial_vanishes(void ** state)
{
  (void)state;
  const double roots[3] = {1.0 / 3.0, 0.1, 0.7123};
  for (uint32_t degree = 2; degree <= 5; degree++) {
    for (int k = 0; k < 3; k++) {
      cell_t cell = cell_open(TURN, NULL);
      double powers[6];
      for (uint32_t i = 0; i <= degree; i++) {   // binomial expansion: powers of s
        double binomial = 1.0;
        for (uint32_t j = 0; j < i; j++) {
          binomial = binomial * (degree - j) / (j + 1);
        }
        powers[i] = 3.0 * binomial * pow(-roots[k], degree - i);
      }
      const char * names[1] = {"q"};
      vouch_polynomial_segment_t segment = {1.0, degree, powers};
      cell_hold(&cell, "ball", "arm", cell_sphere(0.1), cell_at(1, 0, 0));
      cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, 9));
      assert_int_equal(
        vouch_motion_create_polynomial(&cell.motion, cell.robot, names, 1, &segment, 1, NULL),
        VOUCH_RET_OK);
      (void)cell_check(&cell, NULL);
      kernel_proof_t * p = cell.checker->workers[0].proof;
      assert_int_equal(kernel_proof_begin(p), VOUCH_RET_OK);
      kernel_timeline_t * t = &p->v.timeline;
      arb_file_t file;
      arb_verdict_t verdict;
      arb_checker_t c;
      uint8_t * bytes;
      size_t size;
      assert_int_equal(vouch_checker_problem(cell.checker, &bytes, &size), VOUCH_RET_OK);
      assert_true(arb_file_read(&file, bytes, size));
      arb_checker_init(&c, &file, &verdict);
      uint32_t number = 0;
      while (kernel_timeline_split(t, number)) {
        double middle = ldexp(
          (double)(2 * t->intervals[number].numerator + 1), -(int)t->intervals[number].depth - 1);
        number = roots[k] < middle ? t->intervals[number].left : t->intervals[number].right;
        const kernel_interval_t * i = &t->intervals[number];
        if (ARB_ONE >> i->depth == 0) {
          break;   // finer than the files' ticks
        }
        arb_span_t span = arb_campaign_span(i);
        arb_ptr truth[3];
        const uint32_t rows[3] = {KERNEL_VELOCITY, KERNEL_BEND, KERNEL_VARIATION};
        arb_checker_reset(&c);
        arb_checker_variable(&c, 0, &span, truth);
        for (int row = 0; row < 3; row++) {
          arb_t bound;
          arb_init(bound);
          arb_set_d(bound, kernel_timeline_bounds(t, number)[rows[row]] * (1.0 + 0x1p-40));
          if (!arb_ge(bound, truth[row])) {
            print_message(
              "degree %u, root %g, depth %u, row %d\n", degree, roots[k], i->depth,
              row);
          }
          assert_true(arb_ge(bound, truth[row]));
          arb_clear(bound);
        }
      }
      arb_file_free(&file);
      vouch_bytes_free(cell.checker, bytes);
      cell_close(&cell);
    }
  }
  arb_judge_release();
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arb_is_here),
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(bounds_hold_where_a_polynomial_vanishes),
    cmocka_unit_test(kernel_and_proofs_agree_with_balls),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
