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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "base/sha256.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/small_problem.h"

static vouch_text_t encoded(void)
{
  vouch_problem_t problem;
  assert_int_equal(test_small_problem(&problem, vouch_allocator_default()), VOUCH_RET_OK);
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_problem_encode(&problem, &text), VOUCH_RET_OK);
  vouch_problem_fini(&problem);
  return text;
}

static void encoding_again_gives_the_same_bytes(void ** state)
{
  (void)state;
  vouch_text_t one = encoded(), two = {.allocator = vouch_allocator_default()};
  vouch_problem_t problem;
  assert_int_equal(
    vouch_problem_decode(&problem, vouch_allocator_default(), one.data, one.size), VOUCH_RET_OK);
  assert_int_equal(vouch_problem_validate(&problem), VOUCH_RET_OK);
  assert_int_equal(vouch_problem_encode(&problem, &two), VOUCH_RET_OK);
  assert_int_equal(one.size, two.size);
  assert_memory_equal(one.data, two.data, one.size);
  assert_string_equal(problem.scene.frames[4].name, "mimic \"\xc3\xa9\"");
  assert_int_equal(problem.scene.revision, 7);
  assert_true(problem.motion.coefficients[problem.motion.offsets[1]] == 0.1 * 12 - 0.3);
  vouch_problem_fini(&problem);
  vouch_problem_fini(&problem);
  vouch_text_fini(&one);
  vouch_text_fini(&two);
}

/// The layout of docs/certificate_format.md, walked by hand.
static void hashes_are_those_of_the_bodies(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  vouch_problem_t problem;
  assert_int_equal(
    vouch_problem_decode(&problem, vouch_allocator_default(), text.data, text.size), VOUCH_RET_OK);
  assert_memory_equal(text.data, "VOUCHPRB\2\0\0\0", 12);
  const uint8_t * hashes[3] = {problem.geometry.hash, problem.motion.hash, problem.scene.hash};
  uint8_t all[96], digest[32];
  size_t at = 12;
  for (uint8_t part = 0; part < 3; ++part) {
    const uint8_t * head = (const uint8_t *)text.data + at;
    assert_int_equal(head[0], part + 1);
    assert_true(head[1] == 0 && head[2] == 0 && head[3] == 0);
    uint64_t length = 0;
    for (int i = 0; i < 8; ++i) {
      length |= (uint64_t)head[4 + i] << (8 * i);
    }
    vouch_sha256(head + 12, (size_t)length, digest);
    assert_memory_equal(digest, hashes[part], 32);
    memcpy(all + 32 * part, digest, 32);
    at += 12 + (size_t)length;
  }
  assert_int_equal(at, text.size);
  uint8_t want[32];
  vouch_sha256(all, sizeof(all), want);
  vouch_problem_digest(&problem, digest);
  assert_memory_equal(digest, want, 32);
  memset(problem.scene.hash, 0, 32);
  assert_int_equal(vouch_problem_hash(&problem), VOUCH_RET_OK);
  vouch_problem_digest(&problem, digest);
  assert_memory_equal(digest, want, 32);
  vouch_problem_fini(&problem);
  vouch_text_fini(&text);
}

/// Decodes a copy that is exactly as long, so that a sanitizer sees reads behind it.
static vouch_ret_t try_decode(const char * data, size_t size)
{
  char * copy = malloc(size == 0 ? 1 : size);
  assert_non_null(copy);
  memcpy(copy, data, size);
  vouch_problem_t problem;
  vouch_ret_t code = vouch_problem_decode(&problem, vouch_allocator_default(), copy, size);
  if (code == VOUCH_RET_OK) {
    vouch_text_t again = {.allocator = vouch_allocator_default()};
    assert_int_equal(vouch_problem_encode(&problem, &again), VOUCH_RET_OK);
    assert_int_equal(again.size, size);
    assert_memory_equal(again.data, copy, size);
    vouch_text_fini(&again);
    vouch_problem_fini(&problem);
  } else {
    assert_true(strlen(vouch_error()) > 10);
    assert_int_equal(problem.scene.frame_count, 0);
  }
  free(copy);
  return code;
}

static void every_cut_is_noticed(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  for (size_t size = 0; size < text.size; ++size) {
    assert_int_not_equal(try_decode(text.data, size), VOUCH_RET_OK);
  }
  vouch_text_append_bytes(&text, "", 1);
  assert_int_equal(try_decode(text.data, text.size), VOUCH_RET_INVALID);   // one byte too many
  vouch_text_fini(&text);
}

/// One byte more in a part, counted in its length.
static void parts_are_read_to_their_end(void ** state)
{
  (void)state;
  for (int part = 0; part < 3; ++part) {
    vouch_text_t text = encoded();
    size_t at = 12;
    uint64_t length = 0;
    for (int i = 0; i <= part; ++i) {
      at += i == 0 ? 0 : 12 + (size_t)length;
      length = 0;
      for (int k = 0; k < 8; ++k) {
        length |= (uint64_t)(uint8_t)text.data[at + 4 + (size_t)k] << (8 * k);
      }
    }
    size_t end = at + 12 + (size_t)length;
    vouch_text_append_bytes(&text, "", 1);
    memmove(text.data + end + 1, text.data + end, text.size - 1 - end);
    text.data[end] = 0;
    text.data[at + 4] = (char)(text.data[at + 4] + 1);
    assert_int_not_equal((uint8_t)text.data[at + 4], 0);   // no carry to take care of
    assert_int_equal(try_decode(text.data, text.size), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "left over"));
    vouch_text_fini(&text);
  }
}

static void every_changed_byte_is_noticed_or_kept(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  test_random_t random = {.state = 61};
  int taken = 0;
  for (int round = 0; round < 20000; ++round) {
    size_t at = test_random_bits(&random) % text.size;
    char before = text.data[at];
    text.data[at] = (char)test_random_bits(&random);
    taken += try_decode(text.data, text.size) == VOUCH_RET_OK;
    text.data[at] = before;
  }
  assert_true(taken > 500 && taken < 19500);
  vouch_text_fini(&text);
}

static void counts_do_not_ask_for_memory_that_is_not_there(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  // Every aligned and unaligned place of four bytes may be a count.
  for (size_t at = 12; at + 4 <= text.size; ++at) {
    char before[4];
    memcpy(before, text.data + at, 4);
    memset(text.data + at, 0xff, 4);
    test_failing_t counter = {.fail_at = -1};
    vouch_problem_t problem;
    if (vouch_problem_decode(
        &problem, test_failing_allocator(&counter), text.data, text.size) == VOUCH_RET_OK)
    {
      vouch_problem_fini(&problem);
    }
    assert_int_equal(counter.alive, 0);
    assert_true(counter.requests < 200);
    memcpy(text.data + at, before, 4);
  }
  vouch_text_fini(&text);
}

static void memory_failures_are_reported_and_leak_nothing(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  for (long n = 0; ; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_problem_t problem;
    vouch_ret_t code = vouch_problem_decode(
      &problem, test_failing_allocator(&failing), text.data, text.size);
    if (code == VOUCH_RET_OK) {
      vouch_text_t dump = {.allocator = test_failing_allocator(&failing)};
      failing.fail_at = failing.requests + 3;
      assert_int_equal(vouch_problem_dump(&problem, &dump), VOUCH_RET_NO_MEMORY);
      vouch_text_fini(&dump);
      failing.fail_at = failing.requests + 2;
      assert_int_equal(vouch_problem_encode(&problem, &dump), VOUCH_RET_NO_MEMORY);
      vouch_text_fini(&dump);
      failing.fail_at = failing.requests;
      assert_int_equal(vouch_problem_hash(&problem), VOUCH_RET_NO_MEMORY);
      vouch_problem_fini(&problem);
      assert_int_equal(failing.alive, 0);
      assert_true(n > 4);
      break;
    }
    assert_int_equal(code, VOUCH_RET_NO_MEMORY);
    assert_int_equal(failing.alive, 0);
  }
  for (long n = 0; ; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_problem_t problem;
    vouch_ret_t code = test_small_problem(&problem, test_failing_allocator(&failing));
    if (code == VOUCH_RET_OK) {
      vouch_problem_fini(&problem);
      assert_int_equal(failing.alive, 0);
      break;
    }
    assert_int_equal(code, VOUCH_RET_NO_MEMORY);
    assert_int_equal(failing.alive, 0);
  }
  vouch_text_fini(&text);
}

/// Numbers of a line: what stands in brackets must be bit for bit what stands before them.
static void check_numbers(const char * line)
{
  const char * bracket = strchr(line, '[');
  for (; bracket != NULL; bracket = strchr(bracket + 1, '[')) {
    size_t count = 0;
    for (const char * p = bracket; *p != ']'; ++p) {
      count += *p == ' ' || *p == '[';
    }
    const char * start = bracket - 1;   // the space before the bracket
    for (size_t i = 0; i < count; ++i) {
      do {
        --start;
      } while (*start != ' ');
    }
    char * decimal = (char *)(uintptr_t)start, * hex = (char *)(uintptr_t)(bracket + 1);
    for (size_t i = 0; i < count; ++i) {
      double a = strtod(decimal, &decimal), b = strtod(hex, &hex);
      assert_memory_equal(&a, &b, sizeof(a));
    }
    assert_int_equal(*hex, ']');
  }
}

static void dumps_are_exact_and_complete(void ** state)
{
  (void)state;
  vouch_problem_t problem;
  assert_int_equal(test_small_problem(&problem, vouch_allocator_default()), VOUCH_RET_OK);
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_problem_dump(&problem, &text), VOUCH_RET_OK);
  const char * want[] = {
    "sha256 problem ", "scene robot \"robot\" revision 7\n", "name \"mimic \\\"\xc3\xa9\\\"\"",
    "frame 5 name \"slider\" parent 3 prismatic", "body 6 as frame 12 halfspace name \"floor\"",
    "solid\n", "pair 1 body 1 id \"\" body 3 id \"\" margin 0.01 ",
    "pair 2 body 1 id \"\" body 5 id \"\" margin 0.029999999999999999 [0x1.eb851eb851eb8p-6]\n",
    "variable 2 name \"slide\" tolerance ", "segment 0 variable 2 degree 3 coefficients ",
    "witness 0 positions ", " half-axes ",
  };
  for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); ++i) {
    if (strstr(text.data, want[i]) == NULL) {
      fail_msg("the dump does not say: %s", want[i]);
    }
  }
  for (char * line = text.data; line != NULL && *line != '\0'; ) {
    char * end = strchr(line, '\n');
    assert_non_null(end);
    *end = '\0';
    check_numbers(line);
    line = end + 1;
  }
  vouch_text_fini(&text);
  vouch_problem_fini(&problem);
}

/// The small problem's pair of link2 with the obstacle tree (its second) checks two obstacles.
static void obstacles_have_pairs_of_their_own(void ** state)
{
  (void)state;
  static const uint32_t want[5][2] = {{1, 0}, {1, 3}, {1, 5}, {2, 6}, {2, 7}};
  static const double margins[5] = {0.01, 0.01, 0.03, 0.0, 0.02};
  vouch_text_t one = encoded(), two = {.allocator = vouch_allocator_default()};
  vouch_problem_t source, read;
  assert_int_equal(test_small_problem(&source, vouch_allocator_default()), VOUCH_RET_OK);
  assert_int_equal(
    vouch_problem_decode(&read, vouch_allocator_default(), one.data, one.size), VOUCH_RET_OK);
  assert_int_equal(read.scene.group_count, 0);
  assert_int_equal(read.scene.pair_count, 5);
  assert_int_equal(read.scene.body_count, source.scene.body_count);
  assert_int_equal(read.geometry.geometry_count, source.geometry.geometry_count);
  for (uint32_t i = 0; i < 5; ++i) {
    const vouch_pair_t * pair = &read.scene.pairs[i];
    assert_int_equal(pair->kind, i < 3 ? VOUCH_PAIR_BODIES : VOUCH_PAIR_PLANE);
    assert_true(pair->a == want[i][0] && pair->b == want[i][1] && pair->margin == margins[i]);
  }
  vouch_text_t dumps[2] = {{.allocator = vouch_allocator_default()},
    {.allocator = vouch_allocator_default()}};
  assert_int_equal(vouch_problem_dump(&source, &dumps[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_problem_dump(&read, &dumps[1]), VOUCH_RET_OK);
  assert_string_equal(dumps[0].data, dumps[1].data);
  size_t between = vouch_problem_encode_fixed(&source, &two), fixed = two.size;
  vouch_problem_encode_motion(&source, &two);
  size_t motion = two.size - fixed;
  assert_int_equal(two.size, one.size);
  assert_memory_equal(two.data, one.data, between);
  assert_memory_equal(two.data + fixed, one.data + between, motion);
  assert_memory_equal(two.data + between, one.data + between + motion, fixed - between);
  vouch_text_fini(&dumps[0]);
  vouch_text_fini(&dumps[1]);
  vouch_problem_fini(&source);
  vouch_problem_fini(&read);
  vouch_text_fini(&one);
  vouch_text_fini(&two);
}

static size_t scene_of(const vouch_text_t * text)
{
  size_t at = 12;
  for (int part = 0; part < 2; ++part) {
    uint32_t length;
    memcpy(&length, text->data + at + 4, sizeof(length));
    at += 12 + length;
  }
  return at + 12;
}

/// Numbers in records of frames (120 bytes each, after the revision and their count) that the
/// verifier takes, but that are never written.
static void what_is_never_written_is_refused(void ** state)
{
  (void)state;
  static const struct
  {
    uint32_t frame, word, value;
  } rows[] = {
    {14, 116, 1},             // the zero of a record
    {2, 108, 1},              // a frame without a geometry has a kind
    {2, 112, 0},              // a body in front of other frames
    {8, 100, 1},              // a body that moves
    {8, 104, 1},              // a fixed frame with a variable
    {8, 96, 7},               // a body on a body
    {8, 112, 3},              // a body that is a point, which planes are
    {12, 112, 0},             // a plane of another geometry
    {12, 108, 3},             // of a kind that there is not
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
    vouch_text_t text = encoded();
    size_t at = scene_of(&text) + 12 + 120 * rows[i].frame + rows[i].word;
    memcpy(text.data + at, &rows[i].value, 4);
    assert_int_equal(try_decode(text.data, text.size), VOUCH_RET_INVALID);
    vouch_text_fini(&text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(encoding_again_gives_the_same_bytes),
    cmocka_unit_test(hashes_are_those_of_the_bodies),
    cmocka_unit_test(every_cut_is_noticed),
    cmocka_unit_test(parts_are_read_to_their_end),
    cmocka_unit_test(every_changed_byte_is_noticed_or_kept),
    cmocka_unit_test(counts_do_not_ask_for_memory_that_is_not_there),
    cmocka_unit_test(memory_failures_are_reported_and_leak_nothing),
    cmocka_unit_test(dumps_are_exact_and_complete),
    cmocka_unit_test(obstacles_have_pairs_of_their_own),
    cmocka_unit_test(what_is_never_written_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
