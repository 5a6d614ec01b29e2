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


/* Open addressing with linear probing. Hash: SipHash-1-3 (Aumasson and Bernstein 2012, with the
 * fewer rounds that hash tables use), so that nobody can choose names that meet in one slot. */

#include "model/name_index.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/memory.h"
#include "geometry/geometry.h"

enum {FIRST_SLOTS = 16};

typedef struct vouch_name_slot_s
{
  const char * name;   // NULL: free
  size_t number;
  uint64_t hash;
} slot_t;

static pthread_once_t secret_once = PTHREAD_ONCE_INIT;
static uint64_t secret[2];

static void draw_secret(void)
{
  if (getrandom(secret, sizeof(secret), GRND_NONBLOCK) != (ssize_t)sizeof(secret)) {
    secret[0] = (uint64_t)time(NULL);   // right all the same; only slower against an attacker
    secret[1] = (uint64_t)(uintptr_t)&secret_once;
  }
}

static uint64_t turn(uint64_t x, unsigned bits)
{
  return (x << bits) | (x >> (64 - bits));
}

static void round_of(uint64_t v[4])
{
  v[0] += v[1];
  v[2] += v[3];
  v[1] = turn(v[1], 13) ^ v[0];
  v[3] = turn(v[3], 16) ^ v[2];
  v[0] = turn(v[0], 32) + v[3];
  v[2] += v[1];
  v[3] = turn(v[3], 21) ^ v[0];
  v[1] = turn(v[1], 17) ^ v[2];
  v[2] = turn(v[2], 32);
}

static uint64_t hash_of(const char * name)
{
  (void)pthread_once(&secret_once, draw_secret);
  uint64_t v[4] = {
    secret[0] ^ 0x736f6d6570736575ULL, secret[1] ^ 0x646f72616e646f6dULL,
    secret[0] ^ 0x6c7967656e657261ULL, secret[1] ^ 0x7465646279746573ULL
  };
  const size_t length = strlen(name);
  uint64_t word = 0;
  for (size_t i = 0; i < length; ++i) {
    word |= (uint64_t)(uint8_t)name[i] << (8 * (i % 8));
    if (i % 8 == 7) {
      v[3] ^= word;
      round_of(v);
      v[0] ^= word;
      word = 0;
    }
  }
  word |= (uint64_t)length << 56;
  v[3] ^= word;
  round_of(v);
  v[0] ^= word;
  v[2] ^= 0xff;
  for (int i = 0; i < 3; ++i) {
    round_of(v);
  }
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/// The slot that holds the name, or the free one where it belongs. Needs slot_count > 0.
static size_t slot_of(const vouch_name_index_t * index, uint64_t hash, const char * name)
{
  const size_t mask = index->slot_count - 1;
  size_t slot = (size_t)hash & mask;
  while (index->slots[slot].name != NULL &&
    !(index->slots[slot].hash == hash && strcmp(index->slots[slot].name, name) == 0))
  {
    slot = (slot + 1) & mask;
  }
  return slot;
}

vouch_ret_t vouch_name_index_reserve(
  vouch_name_index_t * index, const vouch_allocator_t * allocator)
{
  if (2 * (index->count + 1) <= index->slot_count) {
    return VOUCH_RET_OK;
  }
  const vouch_name_index_t old = *index;
  const size_t count = old.slot_count == 0 ? FIRST_SLOTS : 2 * old.slot_count;
  slot_t * slots = vouch_calloc(allocator, count, sizeof(*slots));
  if (slots == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  index->slots = slots;
  index->slot_count = count;
  for (size_t i = 0; i < old.slot_count; ++i) {
    const slot_t * slot = &old.slots[i];
    if (slot->name != NULL) {
      slots[slot_of(index, slot->hash, slot->name)] = *slot;
    }
  }
  vouch_free(allocator, old.slots);
  return VOUCH_RET_OK;
}

void vouch_name_index_set(vouch_name_index_t * index, const char * name, size_t number)
{
  const uint64_t hash = hash_of(name);
  slot_t * slot = &index->slots[slot_of(index, hash, name)];
  index->count += slot->name == NULL;
  *slot = (slot_t) {name, number, hash};
}

size_t vouch_name_index_find(const vouch_name_index_t * index, const char * name)
{
  if (index->count == 0) {
    return VOUCH_NONE;
  }
  const slot_t * slot = &index->slots[slot_of(index, hash_of(name), name)];
  return slot->name == NULL ? VOUCH_NONE : slot->number;
}

/* Behind a slot that becomes free, up to the next free one, every name that could no longer be
 * reached from where its search begins moves into it. */
void vouch_name_index_remove(vouch_name_index_t * index, const char * name)
{
  if (index->count == 0) {
    return;
  }
  const size_t mask = index->slot_count - 1;
  size_t hole = slot_of(index, hash_of(name), name);
  if (index->slots[hole].name == NULL) {
    return;
  }
  index->count--;
  for (size_t at = (hole + 1) & mask; index->slots[at].name != NULL; at = (at + 1) & mask) {
    const size_t begins = (size_t)index->slots[at].hash & mask;
    if (((at - begins) & mask) >= ((at - hole) & mask)) {
      index->slots[hole] = index->slots[at];
      hole = at;
    }
  }
  index->slots[hole].name = NULL;
}

void vouch_name_index_fini(vouch_name_index_t * index, const vouch_allocator_t * allocator)
{
  vouch_free(allocator, index->slots);
  *index = (vouch_name_index_t) {NULL, 0, 0};
}

size_t vouch_name_index_work(const vouch_name_index_t * index)
{
  size_t work = 0;
  for (size_t i = 0; i < index->slot_count; ++i) {
    if (index->slots[i].name != NULL) {
      work += 1 + ((i - (size_t)index->slots[i].hash) & (index->slot_count - 1));
    }
  }
  return work;
}
