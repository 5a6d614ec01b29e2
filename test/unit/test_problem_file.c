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
  assert_memory_equal(text.data, "VOUCHPRB\3\0\0\0", 12);
  const uint8_t * hashes[4] = {problem.geometry.hash, problem.motion.hash, problem.scene.hash,
    problem.sources.hash};
  uint8_t all[128], digest[32];
  size_t at = 12;
  for (uint8_t part = 0; part < 4; ++part) {
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
  for (int part = 0; part < 4; ++part) {
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
    "frame 5 name \"slider\" owner \"robot\" parent 3 prismatic",
    "body 6 halfspace name \"floor\"", "solid\n", "group 2 as number 10 groups 3 4\n",
    ("pair 1 body 1 id \"\" group 0 margin 0.029999999999999999 [0x1.eb851eb851eb8p-6]\n"
    "  without body 3 id \"\": checked as a pair of its own\n"),
    "pair 2 body 1 id \"\" body 3 id \"\" margin 0.01 ",
    "left out 4 body 1 id \"\" body 2 id \"tool\": SRDF: adjacent\n",
    "sources writer \"test 1\"\nsource 0 role \"robot\" name \"arm.urdf\" sha256 a5a5",
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

/// What is read says all that was written, groups and reasons too; and the parts can be put together
/// around another motion.
static void worlds_are_read_as_they_were_written(void ** state)
{
  (void)state;
  vouch_text_t one = encoded(), two = {.allocator = vouch_allocator_default()};
  vouch_problem_t source, read;
  assert_int_equal(test_small_problem(&source, vouch_allocator_default()), VOUCH_RET_OK);
  assert_int_equal(
    vouch_problem_decode(&read, vouch_allocator_default(), one.data, one.size), VOUCH_RET_OK);
  assert_int_equal(read.scene.group_count, source.scene.group_count);
  assert_int_equal(read.scene.pair_count, source.scene.pair_count);
  assert_int_equal(read.geometry.geometry_count, source.geometry.geometry_count);
  for (uint32_t i = 0; i < read.scene.pair_count; ++i) {
    const vouch_pair_t * pair = &read.scene.pairs[i], * other = &source.scene.pairs[i];
    assert_int_equal(pair->kind, other->kind);
    assert_true(pair->a == other->a && pair->b == other->b && pair->margin == other->margin);
    assert_int_equal(pair->checked != NULL, other->checked != NULL);
    if (pair->checked != NULL) {
      assert_memory_equal(pair->checked, other->checked, read.scene.group_count);
    }
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

/// Where a part's body begins: 0 geometry, 1 motion, 2 scene, 3 sources.
static size_t part_at(const vouch_text_t * text, int number)
{
  size_t at = 12;
  for (int part = 0; part < number; ++part) {
    uint32_t length;
    memcpy(&length, text->data + at + 4, sizeof(length));
    at += 12 + length;
  }
  return at + 12;
}

/// Zeros that are not, and kinds that there are not. Six frames of 112 bytes each and eight bodies of
/// 80, after the revision and counts; five groups, six pairs of 24.
static void what_is_never_written_is_refused(void ** state)
{
  (void)state;
  const size_t frames = 12, bodies = frames + 6 * 112 + 4, groups = bodies + 8 * 80 + 4,
    pairs = groups + 5 * 8 + 4;
  const struct
  {
    int part;
    size_t at;
    uint32_t value;
  } rows[] = {
    {2, frames + 2 * 112 + 108, 1},     // the zero of a frame
    {2, frames + 112 + 104, 1},         // a fixed frame with a variable
    {2, frames + 2 * 112 + 100, 256},   // a joint that is more than a byte
    {2, bodies + 60, 0x80000000u},      // a growth of -0
    {2, bodies + 68, 3},                // of a kind that there is not
    {2, bodies + 6 * 80 + 72, 0},       // a half-space with a geometry
    {2, bodies + 76, 1},                // the zero of a body
    {2, groups, 7},                     // a group of no tree
    {2, pairs + 20, 1},                 // the zero of a pair
    {2, pairs + 16, 1},                 // a skip that belongs to another pair
    {1, 4 + 8 + 4 + 8, 1}               // what a variable has besides its tolerance
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
    vouch_text_t text = encoded();
    memcpy(text.data + part_at(&text, rows[i].part) + rows[i].at, &rows[i].value, 4);
    if (try_decode(text.data, text.size) != VOUCH_RET_INVALID) {
      fail_msg("row %zu was taken", i);
    }
    vouch_text_fini(&text);
  }
}

static void other_versions_are_told_what_to_do(void ** state)
{
  (void)state;
  vouch_text_t text = encoded();
  text.data[8] = 2;
  assert_int_equal(try_decode(text.data, text.size), VOUCH_RET_UNSUPPORTED);
  assert_non_null(strstr(vouch_error(), "check the motion again"));
  vouch_text_fini(&text);
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
    cmocka_unit_test(worlds_are_read_as_they_were_written),
    cmocka_unit_test(what_is_never_written_is_refused),
    cmocka_unit_test(other_versions_are_told_what_to_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
