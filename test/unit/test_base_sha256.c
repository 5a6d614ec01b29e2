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

/* Vectors of FIPS 180-4 (examples published by NIST), and long inputs in pieces against in one go:
 * single blocks are hashed by the portable code, many by the machine's instructions. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "support/random.h"

static void expect(const char * data, size_t size, const char * want)
{
  uint8_t digest[32];
  char hex[65];
  vouch_sha256(data, size, digest);
  vouch_sha256_hex(digest, hex);
  assert_string_equal(hex, want);
}

static void published_vectors(void ** state)
{
  (void)state;
  expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char * two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  expect(two, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  const char * four = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
  expect(four, 112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  char * million = malloc(1000000);
  assert_non_null(million);
  memset(million, 'a', 1000000);
  expect(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(million);
}

static void pieces_of_any_size_give_the_same(void ** state)
{
  (void)state;
  test_random_t random = {.state = 7};
  static uint8_t data[100000];
  for (size_t i = 0; i < sizeof(data); ++i) {
    data[i] = (uint8_t)test_random_bits(&random);
  }
  for (int round = 0; round < 200; ++round) {
    size_t size = test_random_below(&random, round % 2 == 0 ? 300 : sizeof(data));
    uint8_t whole[32], parts[32];
    vouch_sha256(data, size, whole);
    vouch_sha256_t hash;
    vouch_sha256_init(&hash);
    for (size_t done = 0; done < size; ) {
      size_t part = 1 + test_random_below(&random, round % 3 == 0 ? 64 : 5000);
      part = part < size - done ? part : size - done;
      vouch_sha256_update(&hash, data + done, part);
      done += part;
    }
    vouch_sha256_final(&hash, parts);
    assert_memory_equal(whole, parts, 32);
  }
}

static void single_blocks_and_many_agree(void ** state)
{
  (void)state;
  static uint8_t data[64 * 1000];
  for (size_t i = 0; i < sizeof(data); ++i) {
    data[i] = (uint8_t)(i * 31 + (i >> 8));
  }
  uint8_t whole[32], parts[32];
  vouch_sha256(data, sizeof(data), whole);
  vouch_sha256_t hash;
  vouch_sha256_init(&hash);
  for (size_t i = 0; i < sizeof(data); i += 64) {
    vouch_sha256_update(&hash, data + i, 64);
  }
  vouch_sha256_final(&hash, parts);
  assert_memory_equal(whole, parts, 32);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(published_vectors),
    cmocka_unit_test(pieces_of_any_size_give_the_same),
    cmocka_unit_test(single_blocks_and_many_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
