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

/* The two files as bytes: headers, parts, hashes, lengths. Every single-bit change of a certificate is
 * refused or harmless, every change of a problem changes its hash. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_everything.h"

// The problem of everything() and its certificate, as files.
static void files(w_bytes * problem, w_bytes * certificate)
{
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  *problem = w_write_problem(p);
  *certificate = w_certificate_head(problem, 1, 2 * W_ONE);
  w_put(certificate, ops.data, ops.size);
  w_free(&ops);
  w_free_problem(p);
}

static void expect_files(
  int code, const char * words, const w_bytes * problem, const w_bytes * certificate)
{
  const int got = w_verify(problem, certificate, &said);
  if (got != code || strstr(said.text, words) == NULL) {
    fail_msg("expected %d \"%s\", got %d: %s", code, words, got, said.text);
  }
  assert_int_equal(said.code, code);
}

// [V-HEAD] [V-SOURCES] [V-CERTIFICATE]
static void other_claims_are_refused(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  const struct {size_t at; uint8_t flip; int code; const char * reason;} cases[] = {
    {0, 1, 3, "not a certificate"}, {7, 1, 3, "not a certificate"}, {8, 2, 3, "version"},
    {8, 1, 3, "of version 2: check again"}, {9, 1, 3, "version"}, {11, 1, 3, "version"},
    {12, 1, 3, "kind"},
    {12, 2, 3, "kind"}, {15, 1, 3, "kind"}, {16, 1, 1, "another problem"},
    {47, 1, 1, "another problem"}, {48, 128, 1, "another problem"}, {79, 1, 1, "another problem"},
    {80, 1, 1, "another problem"}, {111, 4, 1, "another problem"},
    {112, 1, 1, "another problem"}, {143, 128, 1, "another problem"}, {144, 1, 1, "whole motion"},
    {149, 0x20, 1, "whole motion"}, {149, 0x10, 1, "whole motion"}, {151, 0x80, 1, "whole motion"},
    {152, 1, 1, "op"}, {152, 'T', 1, "op"}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    good.data[cases[i].at] ^= cases[i].flip;
    expect_files(cases[i].code, cases[i].reason, &problem, &good);
    good.data[cases[i].at] ^= cases[i].flip;
  }
  expect_files(0, "VERIFIED FREE", &problem, &good);
  assert_int_equal(said.kind, VOUCH_VERIFY_FREE);
  w_free(&good);
  w_free(&problem);
}

// [V-BYTES] [V-PROBLEM]
static void files_have_exactly_their_length(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &said);
  assert_non_null(v);
  for (size_t size = 0; size < good.size; size++) {
    // Of its own, so that reading beyond its end is noticed.
    uint8_t * cut = malloc(size + 1);
    memcpy(cut, good.data, size);
    assert_int_equal(vouch_verify_check(v, cut, size, &said), 3);
    assert_non_null(strstr(said.text, "the file is cut"));
    free(cut);
  }
  free(v);
  for (size_t size = 0; size < problem.size; size += 7) {
    uint8_t * cut = malloc(size + 1);
    memcpy(cut, problem.data, size);
    assert_null(vouch_verify_load(cut, size, &said));
    assert_int_equal(said.code, 3);
    free(cut);
  }
  w_u8(&good, 0);
  expect_files(1, "bytes follow the proof", &problem, &good);
  good.size--;
  w_u8(&problem, 0);
  expect_files(3, "bytes follow the problem", &problem, &good);
  w_free(&good);
  w_free(&problem);
  assert_null(vouch_verify_load("", UINT32_MAX, &said));
  assert_int_equal(said.code, 1);
  assert_null(vouch_verify_load("", SIZE_MAX, &said));
  assert_int_equal(said.code, 1);
}

// Tags, lengths and order of the parts; a part that ends early or late.
static void parts_are_what_they_say(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  size_t at[4] = {12, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    uint64_t length;
    memcpy(&length, problem.data + at[i] + 4, sizeof(length));
    at[i + 1] = at[i] + 12 + (size_t)length;
  }
  const struct {size_t at; uint8_t flip; const char * reason;} cases[] = {
    {0, 1, "not a problem"}, {8, 1, "of version 2: check again"}, {8, 2, "version"},
    {11, 1, "version"},
    {at[0], 1, "a part is missing"}, {at[0], 3, "a part is missing"},
    {at[1], 1, "a part is missing"},
    {at[2], 2, "a part is missing"}, {at[2] + 3, 1, "a part is missing"},
    {at[0] + 8, 1, "a part is missing"}, {at[0] + 11, 128, "a part is missing"},
    {at[1] + 7, 1, "a part is missing"}, {at[3], 1, "a part is missing"}, {at[2] + 4, 8, ""},
    {at[1] + 4, 8, ""},
    {at[0] + 4, 4, ""}, {at[3] + 4, 1, ""}, {at[3] + 11, 1, "a part is missing"}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    problem.data[cases[i].at] ^= cases[i].flip;
    expect_files(3, cases[i].reason, &problem, &good);
    problem.data[cases[i].at] ^= cases[i].flip;
  }
  expect_files(0, "VERIFIED FREE", &problem, &good);
  // A byte more or less in a part, which its length tells.
  for (int i = 0; i < 8; i++) {
    w_bytes other = {0};
    const size_t end = i % 4 < 3 ? at[i % 4 + 1] : problem.size;
    w_put(&other, problem.data, end - (i >= 4));
    if (i < 4) {w_u8(&other, 0);}
    w_put(&other, problem.data + end, problem.size - end);
    uint64_t length;
    memcpy(&length, other.data + at[i % 4] + 4, sizeof(length));
    length = i < 4 ? length + 1 : length - 1;
    memcpy(other.data + at[i % 4] + 4, &length, sizeof(length));
    expect_files(3, "", &other, &good);
    w_free(&other);
  }
  w_free(&good);
  w_free(&problem);
}

/* A changed certificate that is accepted must still be a proof. Here that can only be: another
 * direction of a leaf (any direction that passes is one), another ray of an I. All other bytes
 * (header, hashes, kind, time, tags) have no accepted change. */
static void single_bits_of_a_certificate(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  // Which bytes of the ops belong to directions or rays.
  bool * free_byte = calloc(good.size, 1);
  for (size_t i = W_HEAD; i < good.size; ) {
    const bool number = good.data[i] == 'L' || good.data[i] == 'I';
    for (size_t k = 1; number && k < 13; k++) {
      free_byte[i + k] = true;
    }
    i += number ? 13 : 1;
  }
  size_t accepted = 0;
  struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &said);
  assert_non_null(v);
  for (size_t i = 0; i < 8 * good.size; i++) {
    good.data[i / 8] ^= (uint8_t)(1u << (i % 8));
    const int code = vouch_verify_check(v, good.data, good.size, &said);
    if (code == 0) {
      accepted++;
      if (!free_byte[i / 8]) {fail_msg("bit %zu of byte %zu", i % 8, i / 8);}
    }
    good.data[i / 8] ^= (uint8_t)(1u << (i % 8));
  }
  print_message("%zu of %zu bit changes accepted: directions, rays\n", accepted, 8 * good.size);
  assert_true(accepted > 0 && accepted < 8 * good.size / 2);
  free(v);
  free(free_byte);
  w_free(&good);
  w_free(&problem);
}

static void bits_of_a_problem_change_its_hash(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  for (size_t i = 0; i < 8 * problem.size; i += 101) {
    problem.data[i / 8] ^= (uint8_t)(1u << (i % 8));
    if (w_verify(&problem, &good, &said) == 0) {fail_msg("bit %zu of byte %zu", i % 8, i / 8);}
    problem.data[i / 8] ^= (uint8_t)(1u << (i % 8));
  }
  w_free(&good);
  w_free(&problem);
}

// [V-TAKE] Counts of tables beyond what there is, in every third place of four bytes.
static void huge_counts_are_refused(void ** state)
{
  (void)state;
  const uint32_t counts[5] = {W_NONE, 1u << 31, 1u << 30, 1u << 24, 1u << 20};
  w_bytes problem, good;
  files(&problem, &good);
  for (size_t i = 24; i + 4 <= problem.size; i += 12) {
    uint32_t before;
    memcpy(&before, problem.data + i, sizeof(before));
    memcpy(problem.data + i, &counts[i / 12 % 5], sizeof(before));
    w_bytes other = w_certificate_head(&problem, 1, 2 * W_ONE);
    w_put(&other, good.data + W_HEAD, good.size - W_HEAD);
    (void)w_verify(&problem, &other, &said);   // what is left is a problem of its own, or is none
    assert_true(said.text[0] != 0);
    w_free(&other);
    memcpy(problem.data + i, &before, sizeof(before));
  }
  expect_files(0, "VERIFIED FREE", &problem, &good);
  w_free(&good);
  w_free(&problem);
}

// Where that text begins.
static size_t place_of(const w_bytes * b, const char * text)
{
  size_t i = 0;
  while (i + strlen(text) < b->size && memcmp(b->data + i, text, strlen(text)) != 0) {i++;}
  assert_true(i + strlen(text) < b->size);
  return i;
}

// [V-TABLE] A count that is too large by so much that the bytes of its table are a multiple of 2^32
// more.
static void counts_do_not_wrap(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  problem.data[31] ^= 0x20;   // the vertices of the first geometry: 24 bytes each, 2^29 of them more
  expect_files(3, "the file is cut", &problem, &good);
  w_free(&good);
  w_free(&problem);
}

// [V-NAMES] One name too few or too many; as many as there should be, the last of them not ended.
static void names_are_as_many_as_what_they_name(void ** state)
{
  (void)state;
  w_bytes problem, good;
  files(&problem, &good);
  const size_t robot = place_of(&problem, "test arm"), last = place_of(&problem, "arm.urdf") + 8;
  assert_int_equal(problem.data[robot + 8], 0);
  assert_int_equal(last + 1, problem.size);
  problem.data[robot + 4] = 0;
  expect_files(3, "names are missing, or too many", &problem, &good);
  problem.data[robot + 4] = ' ';
  problem.data[robot + 8] = 'x';
  expect_files(3, "names are missing, or too many", &problem, &good);
  problem.data[robot + 8] = 0;
  problem.data[last] = 'x';
  problem.data[last - 4] = 0;
  expect_files(3, "names are missing, or too many", &problem, &good);
  w_free(&good);
  w_free(&problem);
}

// [V-MOTION] Coefficients of no segment: one number more, and the length of the part with it.
static void no_coefficient_is_left_over(void ** state)
{
  (void)state;
  w_bytes problem, good, longer = {0};
  files(&problem, &good);
  const size_t end = place_of(&problem, "linear") - 4;
  uint32_t count = 0, told = 1;
  while (count != told) {
    count++;
    memcpy(&told, problem.data + end - 8 * (size_t)count - 4, sizeof(told));
  }
  uint64_t length;
  memcpy(&length, problem.data + 16, sizeof(length));
  const size_t motion = 24 + (size_t)length + 4;
  w_put(&longer, problem.data, end);
  w_u64(&longer, 0);
  w_put(&longer, problem.data + end, problem.size - end);
  told++;
  memcpy(longer.data + end - 8 * (size_t)count - 4, &told, sizeof(told));
  memcpy(&length, longer.data + motion, sizeof(length));
  length += 8;
  memcpy(longer.data + motion, &length, sizeof(length));
  expect_files(3, "motion: too many coefficients", &longer, &good);
  w_free(&longer);
  w_free(&good);
  w_free(&problem);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(other_claims_are_refused),
    cmocka_unit_test(files_have_exactly_their_length),
    cmocka_unit_test(parts_are_what_they_say),
    cmocka_unit_test(single_bits_of_a_certificate),
    cmocka_unit_test(bits_of_a_problem_change_its_hash),
    cmocka_unit_test(huge_counts_are_refused),
    cmocka_unit_test(counts_do_not_wrap),
    cmocka_unit_test(names_are_as_many_as_what_they_name),
    cmocka_unit_test(no_coefficient_is_left_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
