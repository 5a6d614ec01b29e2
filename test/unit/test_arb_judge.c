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

/* The judge can say no: what is surely no proof is refused by it, and by the verifier. What cells'
 * own search proves is accepted by both. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "support/arb_here.h"
#include "support/arb_cells.h"
#include "support/arb_checker.h"
#include "verify/verify.h"

#ifdef VOUCH_HAVE_ARB

#define CELLS 30
#define SEED 21

typedef struct
{
  arb_bytes_t problem, certificate;
  arb_file_t file;
  arb_proof_t proof;
  uint32_t refused;
} test_t;

static void make(test_random_t * r, uint32_t kind, test_t * t)
{
  *t = (test_t) {.refused = t->refused};
  arb_cell_make(r, kind, &t->problem, &t->certificate);
  assert_true(arb_file_read(&t->file, t->problem.data, t->problem.size));
  assert_null(arb_proof_read(&t->proof, t->certificate.data, t->certificate.size));
}

static void drop(test_t * t)
{
  arb_file_free(&t->file);
  arb_bytes_free(&t->problem);
  arb_bytes_free(&t->certificate);
}

/// The hashes are put right; 1: both accept, 0: both refuse, -1: they do not agree.
static int opinion(const test_t * t, size_t size, char reason[128])
{
  struct vouch_verify_report report;
  arb_verdict_t verdict;
  for (int i = 0; i < ARB_PARTS; i++) {
    vouch_sha256(
      t->problem.data + t->file.body[i], t->file.length[i],
      t->certificate.data + ARB_HASHES + 32 * i);
  }
  struct vouch_verifier * v = vouch_verify_load(t->problem.data, t->problem.size, &report);
  const int code = v == NULL ? report.code :
    vouch_verify_check(v, t->certificate.data, size, &report);
  free(v);
  const bool good = arb_judge(
    t->problem.data, t->problem.size, t->certificate.data, size, &verdict);
  snprintf(reason, 128, "%s", verdict.reason);
  return good == (code == VOUCH_VERIFY_OK) ? good : -1;
}

static void must_refuse(test_t * t, size_t size, const char * what)
{
  char reason[128];
  const int said = opinion(t, size, reason);
  if (said != 0) {
    print_message("seed %d: %s: %s\n", SEED, what, reason);
  }
  assert_int_equal(said, 0);
  t->refused++;
}

/// Sets bytes of a file, and puts them back after both refused it.
static void refuse_with(
  test_t * t, uint8_t * place, const void * bytes, size_t size, const char * what)
{
  uint8_t old[64];
  memcpy(old, place, size);
  memcpy(place, bytes, size);
  must_refuse(t, t->certificate.size, what);
  memcpy(place, old, size);
}

static void cells_are_proved(void ** state)
{
  (void)state;
  for (uint32_t kind = 1; kind <= 2; kind++) {
    test_random_t r = {SEED + kind};
    test_t t = {.refused = 0};
    for (int i = 0; i < CELLS; i++) {
      char reason[128];
      make(&r, kind, &t);
      assert_int_equal(opinion(&t, t.certificate.size, reason), 1);
      drop(&t);
    }
  }
  arb_judge_release();
}

/// Along -n what was apart overlaps.
static void refuse_turned_leaves(test_t * t)
{
  for (size_t at = t->proof.ops_at; at < t->certificate.size; ) {
    uint8_t * op = t->certificate.data + at;
    if (*op == 'L' || *op == 'D') {
      float n[3];
      memcpy(n, op + 1, sizeof(n));
      const float back[3] = {-n[0], -n[1], -n[2]};
      refuse_with(t, op + 1, back, sizeof(back), "a direction turned round");
      const float none[3] = {0.0f, 0.0f, 0.0f};
      refuse_with(t, op + 1, none, sizeof(none), "no direction");
    }
    at += arb_op_size(*op);
  }
}

static void refuse_wrong_problems(test_t * t)
{
  const arb_file_t * f = &t->file;
  const double far = 1e5;
  for (uint32_t i = 0; i < f->pair_count; i++) {
    if (arb_checks_any(f, &f->pairs[i])) {
      refuse_with(
        t, t->problem.data + f->pairs_at + ARB_PAIR * (size_t)i, &far, 8, "a margin of 100 km");
    }
  }
  for (uint32_t i = 0; i < f->geometry_count; i++) {
    const arb_geometry_t * g = &f->geometries[i];
    for (uint32_t k = 0; k < g->node_count; k++) {
      const arb_node_t * n = &g->nodes[k];
      uint32_t turned[2] = {n->list[n->count > 2 ? 2 : 0], n->list[n->count > 1 ? 1 : 0]};
      if (n->solid > 0) {
        refuse_with(t, t->problem.data + n->list_at + 4, turned, 8, "a triangle turned round");
      }
    }
  }
}

static void what_is_no_proof_is_refused(void ** state)
{
  (void)state;
  test_random_t r = {SEED};
  test_t t = {.refused = 0};
  for (int i = 0; i < CELLS; i++) {
    make(&r, 1, &t);
    refuse_turned_leaves(&t);
    refuse_wrong_problems(&t);
    const uint64_t early = t.proof.t_lo - 1, end = 0;
    refuse_with(&t, t.certificate.data + ARB_T_LO, &early, 8, "not until the end");
    refuse_with(&t, t.certificate.data + ARB_T_LO, &end, 8, "nothing is claimed");
    must_refuse(&t, t.certificate.size - 1, "cut");
    must_refuse(&t, t.proof.ops_at, "no ops");
    arb_bytes_put(&t.certificate, "S", 1);
    must_refuse(&t, t.certificate.size, "longer");
    drop(&t);
  }
  print_message("%u broken proofs, all refused\n", t.refused);
  arb_judge_release();
}

/// A number of a table is another one, and put back.
static void refuse_number(
  test_t * t, size_t table, size_t record, uint32_t number, size_t field, uint32_t x)
{
  uint8_t * place = t->problem.data + table + record * number + field;
  uint32_t old;
  char what[64];
  memcpy(&old, place, sizeof(old));
  snprintf(what, sizeof(what), "field %zu of record %u is %u, not %u", field, number, x, old);
  if (x != old) {
    refuse_with(t, place, &x, sizeof(x), what);
  }
}

static void refuse_wrong_frames(test_t * t)
{
  const arb_file_t * f = &t->file;
  for (uint32_t i = 0; i < f->frame_count; i++) {
    refuse_number(t, f->frames_at, ARB_FRAME, i, 96, i + (i == 0));
    refuse_number(t, f->frames_at, ARB_FRAME, i, 100, 3);
    refuse_number(t, f->frames_at, ARB_FRAME, i, 104, f->variable_count);
    refuse_number(t, f->frames_at, ARB_FRAME, i, 108, 1);
  }
  for (uint32_t i = 0; i < f->body_count; i++) {
    const uint32_t other = f->bodies[i].kind == ARB_BODY ? ARB_NONE : 0;
    refuse_number(t, f->bodies_at, ARB_BODY_RECORD, i, 60, 0x80000000u);   // -0, or less
    refuse_number(t, f->bodies_at, ARB_BODY_RECORD, i, 64, f->frame_count);
    refuse_number(t, f->bodies_at, ARB_BODY_RECORD, i, 68, 3);
    refuse_number(t, f->bodies_at, ARB_BODY_RECORD, i, 72, other);
    refuse_number(t, f->bodies_at, ARB_BODY_RECORD, i, 76, 1);
  }
}

static void refuse_wrong_groups(test_t * t)
{
  const arb_file_t * f = &t->file;
  for (uint32_t i = 0; i < f->group_count; i++) {
    const arb_group_t * g = &f->groups[i];
    refuse_number(t, f->groups_at, ARB_GROUP, i, 0, i);
    refuse_number(t, f->groups_at, ARB_GROUP, i, 0, f->group_count);
    refuse_number(t, f->groups_at, ARB_GROUP, i, 4, f->body_count);
    for (uint32_t k = 0; k < f->body_count; k++) {   // one in a group already, or of another frame
      if (g->right != 0 || f->bodies[k].frame != g->frame || f->bodies[k].kind != ARB_BODY) {
        refuse_number(t, f->groups_at, ARB_GROUP, i, 4, k);
      }
    }
  }
}

static void refuse_wrong_pairs(test_t * t)
{
  const arb_file_t * f = &t->file;
  const uint32_t things = f->body_count + f->group_count;
  for (uint32_t i = 0; i < f->pair_count; i++) {
    const arb_pair_t * p = &f->pairs[i];
    for (uint32_t k = 0; k <= things; k++) {   // two items, and these alone
      refuse_number(t, f->pairs_at, ARB_PAIR, i, 8, k < things ? k : ARB_NONE);
      refuse_number(t, f->pairs_at, ARB_PAIR, i, 12, k < things ? k : ARB_NONE);
    }
    refuse_number(t, f->pairs_at, ARB_PAIR, i, 16, p->skip_count + 1);
    refuse_number(t, f->pairs_at, ARB_PAIR, i, 16, ARB_NONE);
    refuse_number(t, f->pairs_at, ARB_PAIR, i, 20, 1);
    const double minus = -0.0;
    refuse_with(
      t, t->problem.data + f->pairs_at + ARB_PAIR * (size_t)i, &minus, 8,
      "a margin of -0");
  }
  for (uint32_t i = 0; i < f->pair_count; i++) {   // of one pair each once
    const uint32_t first = (uint32_t)(f->pairs[i].skips - f->skips);
    for (uint32_t k = 0; k < f->pairs[i].skip_count; k++) {
      const uint32_t before = k > 0 ? f->pairs[i].skips[k - 1].body : ARB_NONE;
      refuse_number(t, f->skips_at, ARB_SKIP, first + k, 0, before);
    }
  }
  for (uint32_t i = 0; i < f->skip_count; i++) {
    refuse_number(t, f->skips_at, ARB_SKIP, i, 4, ARB_TWO_PLANES);
    refuse_number(t, f->skips_at, ARB_SKIP, i, 4, f->skips[i].reason == 0 ? ARB_ASKED : 0);
  }
  for (uint32_t i = 0; i < f->left_out_count; i++) {
    for (uint32_t k = 0; k <= things; k++) {
      refuse_number(t, f->left_out_at, ARB_LEFT_OUT, i, 0, k < things ? k : ARB_NONE);
      refuse_number(t, f->left_out_at, ARB_LEFT_OUT, i, 4, k < things ? k : ARB_NONE);
    }
    refuse_number(t, f->left_out_at, ARB_LEFT_OUT, i, 8, 0);
    refuse_number(t, f->left_out_at, ARB_LEFT_OUT, i, 8, ARB_TWO_PLANES + i % 2);
  }
}

static void what_the_tables_must_not_say_is_refused(void ** state)
{
  (void)state;
  test_random_t r = {SEED + 3};
  test_t t = {.refused = 0};
  for (int i = 0; i < CELLS; i++) {
    make(&r, 1, &t);
    refuse_wrong_frames(&t);
    refuse_wrong_groups(&t);
    refuse_wrong_pairs(&t);
    drop(&t);
  }
  print_message("%u broken tables, all refused\n", t.refused);
  assert_true(t.refused > 1000);
  arb_judge_release();
}

/// All triangles are apart at all times, but the body is inside.
static void what_is_inside_is_not_free(void ** state)
{
  (void)state;
  test_random_t r = {SEED};
  test_t t = {.refused = 0};
  for (int i = 0; i < 4 * CELLS; i++) {
    t.problem = arb_cell_problem(&r, ARB_CELL_INSIDE);
    t.certificate = (arb_bytes_t) {NULL, 0, 0};
    assert_true(arb_file_read(&t.file, t.problem.data, t.problem.size));
    if (arb_cell_prove(&r, &t.problem, 0, &t.certificate)) {
      must_refuse(&t, t.certificate.size, "a body inside of a solid");
    }
    drop(&t);
  }
  print_message("%u bodies inside, all refused\n", t.refused);
  assert_true(t.refused > CELLS);
  arb_judge_release();
}

static void what_is_no_contact_is_refused(void ** state)
{
  (void)state;
  test_random_t r = {SEED};
  test_t t = {.refused = 0};
  for (int i = 0; i < CELLS; i++) {
    make(&r, 2, &t);
    uint8_t * points = t.certificate.data + ARB_WITNESS_POINTS + 4;
    const uint64_t beyond = t.file.segment_count * ARB_ONE + 1, end = beyond - 1;
    const double zero = 0.0, two[3] = {0.0, -2.0, 0.0};
    refuse_with(&t, t.certificate.data + ARB_WITNESS, &beyond, 8, "after the end");
    refuse_with(&t, t.certificate.data + ARB_WITNESS + 8, &t.file.pair_count, 4, "no such pair");
    if (t.proof.t_lo < t.proof.t_hi) {
      refuse_with(&t, t.certificate.data + ARB_T_LO, &end, 8, "free until the end");
    }
    for (uint32_t k = 0; k < t.file.pair_count; k++) {
      memcpy(t.problem.data + t.file.pairs_at + ARB_PAIR * (size_t)k, &zero, 8);
    }
    if (t.proof.point_count == 0) {
      const float none[3] = {0.0f, 0.0f, 0.0f};
      refuse_with(&t, points + 1, none, sizeof(none), "no ray");
    } else {
      refuse_with(&t, points, two, sizeof(two), "a point outside of its shape");
      for (int k = 1; k < 8; k++) {   // four times the same
        memcpy(points + 64 * k, points + 64 * (k / 4 * 4), 64);
      }
      must_refuse(&t, t.certificate.size, "a tetrahedron without inside");
    }
    drop(&t);
  }
  print_message("%u broken witnesses, all refused\n", t.refused);
  arb_judge_release();
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arb_is_here),
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(cells_are_proved),
    cmocka_unit_test(what_is_no_proof_is_refused),
    cmocka_unit_test(what_the_tables_must_not_say_is_refused),
    cmocka_unit_test(what_is_inside_is_not_free),
    cmocka_unit_test(what_is_no_contact_is_refused),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
