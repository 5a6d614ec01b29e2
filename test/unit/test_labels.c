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

/* All published and all direct motions of the shared problems against their labels. A label that
 * shows penetration rests on two triangles that intersect at a sampled configuration. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mbm.h"
#include "support/sanitized.h"

/* Sanitizers are slow: every n-th row only. VOUCH_TEST_EVERY overrides. */
#define EVERY (TEST_SANITIZED ? 40 : 1)

typedef struct tally_s
{
  size_t rows, penetrating, labelled_free, free_of_free, free, collision, undecided, wrong;
  size_t schwarzer, schwarzer_undecided;
} tally_t;

static size_t every(void)
{
  const char * text = getenv("VOUCH_TEST_EVERY");
  long value = text != NULL ? atol(text) : 0;
  return value > 0 ? (size_t)value : EVERY;
}

static void wrong(tally_t * tally, const mbm_row_t * row, const char * what, double x, double y)
{
  tally->wrong++;
  fprintf(
    stderr, "WRONG %s (label %s): %s: %.17g, label %.17g\n", row->problem, row->label, what,
    x, y);
}

/* Times count segments: these are bare paths. */
static void judge_contact(tally_t * tally, const mbm_row_t * row, const vouch_contact_t * contact)
{
  if (row->t_penetration >= 0.0 && contact->time_s > row->t_penetration + 1e-6) {
    wrong(
      tally, row, "first contact is later than a penetration", contact->time_s,
      row->t_penetration);
  }
  if (!(contact->time_s - contact->free_until_s <= 1e-6) ||
    contact->free_until_s > contact->time_s)
  {
    wrong(tally, row, "bracket is too wide", contact->free_until_s, contact->time_s);
  }
}

static void judge(tally_t * tally, const mbm_row_t * row, const vouch_result_t * result)
{
  bool penetrates = row->t_penetration >= 0.0, is_free = strcmp(row->label, "free") == 0;
  tally->rows++;
  tally->penetrating += penetrates;
  tally->labelled_free += is_free;
  tally->free += result->verdict == VOUCH_FREE;
  tally->free_of_free += is_free && result->verdict == VOUCH_FREE;
  tally->collision += result->verdict == VOUCH_COLLISION;
  tally->undecided += result->verdict == VOUCH_UNDECIDED;
  if (penetrates && result->verdict == VOUCH_FREE) {
    wrong(tally, row, "FREE although triangles intersect", 0.0, row->t_penetration);
  }
  if (result->verdict == VOUCH_COLLISION) {
    judge_contact(tally, row, &result->first_collision);
  }
  const vouch_clearance_t * clearance = &result->clearance;
  if (clearance->valid && row->distance < 0.15) {   // labels are cut off there
    if (clearance->lower_m > row->distance + 1e-6) {
      wrong(
        tally, row, "lower clearance above a sampled distance", clearance->lower_m,
        row->distance);
    }
    if (!(clearance->lower_m <= clearance->upper_m)) {
      wrong(tally, row, "clearance is empty", clearance->lower_m, clearance->upper_m);
    }
  }
}

/* Schwarzer's test on every 20th row, for a fifth of a second. */
static void judge_schwarzer(
  tally_t * tally, const mbm_row_t * row, const mbm_case_t * problem, vouch_verdict_t chord)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.method = VOUCH_METHOD_SCHWARZER;
  options.clearance = options.first_contact = false;
  options.deadline_s = 0.2;
  vouch_checker_t * checker;
  vouch_result_t result;
  assert_int_equal(vouch_checker_create(&checker, problem->scene, &options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(checker, problem->motion, &result), VOUCH_RET_OK);
  tally->schwarzer++;
  tally->schwarzer_undecided += result.verdict == VOUCH_UNDECIDED;
  if ((result.verdict == VOUCH_FREE && chord == VOUCH_COLLISION) ||
    (result.verdict == VOUCH_COLLISION && chord == VOUCH_FREE))
  {
    wrong(tally, row, "Schwarzer contradicts chord", result.verdict, chord);
  }
  vouch_checker_destroy(checker);
}

static tally_t check_all(bool direct)
{
  mbm_t mbm;
  tally_t tally = {0};
  if (!mbm_open(&mbm, direct)) {
    skip();
  }
  for (size_t i = 0; i < mbm.count; i += every()) {
    const mbm_row_t * row = &mbm.rows[i];
    mbm_case_t problem = mbm_load(&mbm, row, direct);
    vouch_check_options_t options = vouch_check_options_default();
    options.max_memory = (size_t)64 << 20;
    vouch_checker_t * checker;
    vouch_result_t result;
    assert_int_equal(vouch_checker_create(&checker, problem.scene, &options), VOUCH_RET_OK);
    assert_int_equal(vouch_check(checker, problem.motion, &result), VOUCH_RET_OK);
    judge(&tally, row, &result);
    if (i / every() % 20 == 0) {
      judge_schwarzer(&tally, row, &problem, result.verdict);
    }
    vouch_checker_destroy(checker);
    mbm_release(&problem);
  }
  mbm_close(&mbm);
  printf(
    "%s: %zu motions, %zu penetrating; FREE %zu (%zu of %zu labelled free), COLLISION %zu, "
    "UNDECIDED %zu; Schwarzer %zu (%zu UNDECIDED); wrong %zu\n", direct ? "direct" : "published",
    tally.rows, tally.penetrating, tally.free, tally.free_of_free, tally.labelled_free,
    tally.collision, tally.undecided, tally.schwarzer, tally.schwarzer_undecided, tally.wrong);
  return tally;
}

static void verdicts_agree_with_the_labels(bool direct)
{
  tally_t tally = check_all(direct);
  assert_int_equal(tally.wrong, 0);
  assert_true((double)tally.free_of_free >= 0.99 * (double)tally.labelled_free);
  assert_true((double)tally.undecided <= 0.005 * (double)tally.rows);
  if (every() == 1) {
    assert_int_equal(tally.rows, 795);
  }
}

static void published_paths_agree_with_their_labels(void ** state)
{
  (void)state;
  verdicts_agree_with_the_labels(false);
}

static void direct_motions_agree_with_their_labels(void ** state)
{
  (void)state;
  verdicts_agree_with_the_labels(true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(published_paths_agree_with_their_labels),
    cmocka_unit_test(direct_motions_agree_with_their_labels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
