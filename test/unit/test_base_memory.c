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
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"
#include "support/failing.h"

static void products_that_overflow_are_refused(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  vouch_error_reset();
  assert_null(vouch_calloc(&allocator, SIZE_MAX / 2, 3));
  assert_true(strlen(vouch_error()) > 0);
  assert_null(vouch_realloc(&allocator, NULL, SIZE_MAX / 8 + 1, 8));
  vouch_arena_t arena = {.allocator = allocator};
  assert_null(vouch_arena_calloc(&arena, SIZE_MAX / 4, 5));
  assert_null(vouch_arena_calloc(&arena, SIZE_MAX - 8, 1));
  vouch_arena_fini(&arena);
}

static void nothing_is_one_byte(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  char * block = vouch_calloc(&allocator, 0, 16);
  assert_non_null(block);
  assert_int_equal(block[0], 0);
  vouch_free(&allocator, block);
  vouch_free(&allocator, NULL);
}

static void grow_doubles_and_keeps_what_was_there(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  int * array = NULL;
  size_t capacity = 0;
  for (int i = 0; i < 10000; ++i) {
    assert_true(vouch_grow(&allocator, &array, (size_t)i, &capacity, sizeof(array[0])));
    array[i] = i * 7;
  }
  for (int i = 0; i < 10000; ++i) {
    assert_int_equal(array[i], i * 7);
  }
  assert_true(capacity < 40000);
  vouch_free(&allocator, array);
}

static void grow_leaves_the_array_when_memory_is_short(void ** state)
{
  (void)state;
  test_failing_t failing = {.fail_at = 1};
  vouch_allocator_t allocator = test_failing_allocator(&failing);
  double * array = NULL;
  size_t capacity = 0;
  assert_true(vouch_grow(&allocator, &array, 0, &capacity, sizeof(array[0])));
  array[0] = 1.5;
  size_t before = capacity;
  assert_false(vouch_grow(&allocator, &array, before, &capacity, sizeof(array[0])));
  assert_int_equal(capacity, before);
  assert_true(array[0] == 1.5);
  vouch_free(&allocator, array);
  assert_int_equal(failing.alive, 0);
}

static void arena_blocks_are_zeroed_aligned_apart(void ** state)
{
  (void)state;
  test_failing_t failing = {.fail_at = -1};
  vouch_arena_t arena = {.allocator = test_failing_allocator(&failing)};
  unsigned char * blocks[300];
  size_t sizes[300];
  for (size_t i = 0; i < 300; ++i) {
    sizes[i] = i * i % 977 + (i % 50 == 0 ? 3000000 : 0);
    blocks[i] = vouch_arena_calloc(&arena, sizes[i], 1);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 32, 0);
    for (size_t k = 0; k < sizes[i]; k += 13) {
      assert_int_equal(blocks[i][k], 0);
    }
    memset(blocks[i], (int)(i % 251), sizes[i]);
  }
  for (size_t i = 0; i < 300; ++i) {
    for (size_t k = 0; k < sizes[i]; ++k) {
      if (blocks[i][k] != i % 251) {
        fail_msg("block %zu was overwritten", i);
      }
    }
  }
  assert_string_equal(vouch_arena_strdup(&arena, "arm"), "arm");
  assert_true(failing.requests < 40);
  vouch_arena_fini(&arena);
  vouch_arena_fini(&arena);
  assert_int_equal(failing.alive, 0);
}

static void arena_says_when_memory_is_short(void ** state)
{
  (void)state;
  test_failing_t failing = {.fail_at = 0};
  vouch_arena_t arena = {.allocator = test_failing_allocator(&failing)};
  vouch_error_reset();
  assert_null(vouch_arena_calloc(&arena, 10, 1));
  assert_non_null(strstr(vouch_error(), "out of memory"));
  assert_non_null(vouch_arena_calloc(&arena, 10, 1));
  vouch_arena_fini(&arena);
  assert_int_equal(failing.alive, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_that_overflow_are_refused),
    cmocka_unit_test(nothing_is_one_byte),
    cmocka_unit_test(grow_doubles_and_keeps_what_was_there),
    cmocka_unit_test(grow_leaves_the_array_when_memory_is_short),
    cmocka_unit_test(arena_blocks_are_zeroed_aligned_apart),
    cmocka_unit_test(arena_says_when_memory_is_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
