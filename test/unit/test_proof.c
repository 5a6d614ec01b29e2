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
/* The language of proofs: random trees, written as stretches, encoded, decoded, damaged. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proof/encode.h"
#include "support/failing.h"
#include "support/random.h"

enum {PAIRS = 6};

static uint32_t below(test_random_t * r, uint32_t n)
{
  return (uint32_t)(test_random_bits(r) % n);
}

static void put_op(test_random_t * r, vouch_text_t * out, uint8_t tag)
{
  uint8_t bytes[25] = {tag};
  proof_op_t op = proof_op(tag);
  for (size_t i = 1; i < op.size; i++) {
    bytes[i] = (uint8_t)test_random_bits(r);
  }
  vouch_text_append_bytes(out, bytes, op.size);
  for (uint32_t rays = op.rays && below(r, 8) == 0 ? 1u + below(r, 3) : 0; rays > 0; rays--) {
    put_op(r, out, PROOF_RAY);
  }
}

/// A random stretch, no deeper than that; returns how many leaves it has.
static uint64_t put_stretch(test_random_t * r, vouch_text_t * out, uint32_t depth)
{
  static const uint8_t inner[] = {PROOF_SPLIT, PROOF_SPLIT, PROOF_A, PROOF_B, PROOF_ONE_A,
    PROOF_ONE_B};
  static const uint8_t outer[] = {PROOF_LEAF, PROOF_LEAF, PROOF_LEAVES, PROOF_NOTHING};
  bool ends = depth == 0 || below(r, 3) == 0;
  uint8_t tag = ends ? outer[below(r, 4)] : inner[below(r, 6)];
  uint64_t leaves = tag == PROOF_LEAF || tag == PROOF_LEAVES ? 1 : 0;
  put_op(r, out, tag);
  for (uint8_t i = 0; i < proof_op(tag).children; i++) {
    leaves += put_stretch(r, out, depth - 1u);
  }
  return leaves;
}

typedef struct proofs_s
{
  vouch_text_t text;
  proof_stretch_t pairs[PAIRS];
  bool has_goal[PAIRS];
  uint64_t leaves[PAIRS];
} proofs_t;

static proofs_t make(test_random_t * r)
{
  proofs_t all = {.text = {.allocator = vouch_allocator_default()}};
  for (int i = 0; i < PAIRS; i++) {
    size_t begin = all.text.size;
    all.has_goal[i] = below(r, 6) != 0;
    all.leaves[i] = all.has_goal[i] ? put_stretch(r, &all.text, 12) : 0;
    all.pairs[i].size = all.text.size - begin;
  }
  const uint8_t * at = (const uint8_t *)all.text.data;
  for (int i = 0; i < PAIRS; i++) {
    all.pairs[i].ops = at;
    at += all.pairs[i].size;
  }
  return all;
}

static void decoding_undoes_encoding(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    test_random_t r = {.state = seed};
    proofs_t all = make(&r);
    vouch_text_t file = {.allocator = vouch_allocator_default()}, back = file, again = file;
    proof_stretch_t read[PAIRS];
    assert_int_equal(proof_encode(all.pairs, PAIRS, &file), VOUCH_RET_OK);
    assert_int_equal(file.size, all.text.size);   // the same steps, in another order
    assert_int_equal(
      proof_decode(
        (const uint8_t *)file.data, file.size, all.has_goal, PAIRS, &back, read), VOUCH_RET_OK);
    for (int i = 0; i < PAIRS; i++) {
      assert_int_equal(read[i].size, all.pairs[i].size);
      if (read[i].size > 0) {
        assert_memory_equal(read[i].ops, all.pairs[i].ops, read[i].size);
        proof_walk_t walk = {.leaves = 0};
        assert_int_equal(proof_end(read[i].ops, read[i].size, 0, &walk), read[i].size);
        assert_int_equal(walk.leaves, all.leaves[i]);
      }
    }
    assert_int_equal(proof_encode(read, PAIRS, &again), VOUCH_RET_OK);
    assert_int_equal(again.size, file.size);
    if (file.size > 0) {
      assert_memory_equal(again.data, file.data, file.size);
    }
    vouch_text_fini(&file);
    vouch_text_fini(&back);
    vouch_text_fini(&again);
    vouch_text_fini(&all.text);
  }
}

/// A file goes through time: two pairs that are halved are both halved before either goes on.
static void files_go_through_time(void ** state)
{
  (void)state;
  uint8_t leaf[2][13] = {{PROOF_LEAF, 1}, {PROOF_LEAF, 2}}, one[27] = {PROOF_SPLIT}, want[54];
  memcpy(one + 1, leaf[0], 13);
  memcpy(one + 14, leaf[1], 13);
  const proof_stretch_t pairs[2] = {{one, 27}, {one, 27}};
  vouch_text_t file = {.allocator = vouch_allocator_default()};
  assert_int_equal(proof_encode(pairs, 2, &file), VOUCH_RET_OK);
  want[0] = want[1] = PROOF_SPLIT;
  for (int i = 0; i < 4; i++) {
    memcpy(want + 2 + 13 * i, leaf[i / 2], 13);
  }
  assert_int_equal(file.size, sizeof(want));
  assert_memory_equal(file.data, want, sizeof(want));
  vouch_text_fini(&file);
}

/// Cut, longer, or with a byte changed: refused, or read as something that is written the same again.
static void damaged_files_are_refused(void ** state)
{
  (void)state;
  int refused = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    test_random_t r = {.state = seed};
    proofs_t all = make(&r);
    vouch_text_t file = {.allocator = vouch_allocator_default()}, back = file, again = file;
    proof_stretch_t read[PAIRS];
    assert_int_equal(proof_encode(all.pairs, PAIRS, &file), VOUCH_RET_OK);
    size_t size = file.size;
    if (seed % 3 == 0 && size > 0) {
      size -= 1u + below(&r, (uint32_t)size);
    } else if (seed % 3 == 1) {
      put_op(&r, &file, PROOF_NOTHING);
      size = file.size;
    } else if (size > 0) {
      file.data[below(&r, (uint32_t)size)] = (char)test_random_bits(&r);
    }
    vouch_ret_t ret = proof_decode(
      (const uint8_t *)file.data, size, all.has_goal, PAIRS, &back, read);
    refused += ret == VOUCH_RET_INVALID;
    assert_true(ret == VOUCH_RET_INVALID || ret == VOUCH_RET_OK);
    assert_true(ret == VOUCH_RET_INVALID || seed % 3 == 2 || size == 0);
    if (ret == VOUCH_RET_OK) {
      assert_int_equal(proof_encode(read, PAIRS, &again), VOUCH_RET_OK);
      assert_int_equal(again.size, size);
      if (size > 0) {
        assert_memory_equal(again.data, file.data, size);
      }
    }
    vouch_text_fini(&file);
    vouch_text_fini(&back);
    vouch_text_fini(&again);
    vouch_text_fini(&all.text);
  }
  assert_true(refused > 2000);
}

static void damaged_stretches_are_not_written(void ** state)
{
  (void)state;
  const uint8_t cut[1] = {PROOF_SPLIT}, ray[13] = {PROOF_RAY}, unknown[1] = {'x'},
    two[2] = {PROOF_NOTHING, PROOF_NOTHING};
  const proof_stretch_t bad[] = {{cut, 1}, {ray, 13}, {unknown, 1}, {two, 2}};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    vouch_text_t file = {.allocator = vouch_allocator_default()};
    assert_int_equal(proof_encode(&bad[i], 1, &file), VOUCH_RET_INTERNAL);
    vouch_text_fini(&file);
  }
}

static void memory_that_runs_out_is_told_and_leaks_nothing(void ** state)
{
  (void)state;
  test_random_t r = {.state = 5};
  proofs_t all = make(&r);
  vouch_text_t file = {.allocator = vouch_allocator_default()};
  assert_int_equal(proof_encode(all.pairs, PAIRS, &file), VOUCH_RET_OK);
  for (long n = 0, done = 0; done < 2; n++) {
    done = 0;
    test_failing_t failing = {.fail_at = n};
    proof_stretch_t read[PAIRS];
    vouch_text_t out = {.allocator = test_failing_allocator(&failing)};
    vouch_ret_t ret = proof_encode(all.pairs, PAIRS, &out);
    assert_true(ret == VOUCH_RET_NO_MEMORY || ret == VOUCH_RET_OK);
    done += ret == VOUCH_RET_OK;
    vouch_text_fini(&out);
    assert_int_equal(failing.alive, 0);
    failing = (test_failing_t) {.fail_at = n};
    ret = proof_decode(
      (const uint8_t *)file.data, file.size, all.has_goal, PAIRS, &out, read);
    assert_true(ret == VOUCH_RET_NO_MEMORY || ret == VOUCH_RET_OK);
    done += ret == VOUCH_RET_OK;
    vouch_text_fini(&out);
    assert_int_equal(failing.alive, 0);
  }
  vouch_text_fini(&file);
  vouch_text_fini(&all.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(decoding_undoes_encoding),
    cmocka_unit_test(files_go_through_time),
    cmocka_unit_test(damaged_files_are_refused),
    cmocka_unit_test(damaged_stretches_are_not_written),
    cmocka_unit_test(memory_that_runs_out_is_told_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
