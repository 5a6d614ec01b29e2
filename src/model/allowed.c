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

#include "model/allowed.h"

#include <string.h>

#include "base/error.h"

enum {FIRST_SLOTS = 64};
static const uint32_t FREE_SLOT = UINT32_MAX;

static uint64_t mix(uint64_t x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

static uint64_t text_hash(const char * text)
{
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (; *text != '\0'; ++text) {
    hash = (hash ^ (uint8_t)*text) * 0x100000001b3ULL;
  }
  return mix(hash);
}

/// The slot that holds the name, or the free one where it belongs. Needs slot_count > 0.
static size_t name_slot(const vouch_allowed_t * allowed, const char * name)
{
  const size_t mask = allowed->slot_count - 1;
  size_t slot = (size_t)text_hash(name) & mask;
  while (allowed->slots[slot] != FREE_SLOT &&
    strcmp(allowed->names[allowed->slots[slot]], name) != 0)
  {
    slot = (slot + 1) & mask;
  }
  return slot;
}

static uint32_t find_name(const vouch_allowed_t * allowed, const char * name)
{
  return allowed->slot_count == 0 ? FREE_SLOT : allowed->slots[name_slot(allowed, name)];
}

static size_t entry_slot(const vouch_allowed_t * allowed, uint32_t a, uint32_t b)
{
  const size_t mask = allowed->entry_slots - 1;
  size_t slot = (size_t)mix(((uint64_t)a << 32) | b) & mask;
  while (allowed->entries[slot].a != FREE_SLOT &&
    !(allowed->entries[slot].a == a && allowed->entries[slot].b == b))
  {
    slot = (slot + 1) & mask;
  }
  return slot;
}

static vouch_ret_t grow_slots(vouch_allowed_t * allowed)
{
  if (allowed->slot_count != 0 && allowed->name_count * 2 < allowed->slot_count) {
    return VOUCH_RET_OK;
  }
  const size_t count = allowed->slot_count == 0 ? FIRST_SLOTS : allowed->slot_count * 2;
  uint32_t * slots = vouch_calloc(&allowed->allocator, count, sizeof(*slots));
  if (slots == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  memset(slots, 0xff, count * sizeof(*slots));
  vouch_free(&allowed->allocator, allowed->slots);
  allowed->slots = slots;
  allowed->slot_count = count;
  for (size_t i = 0; i < allowed->name_count; ++i) {
    slots[name_slot(allowed, allowed->names[i])] = (uint32_t)i;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t grow_names(vouch_allowed_t * allowed)
{
  if (allowed->name_count < allowed->name_capacity) {
    return VOUCH_RET_OK;
  }
  const size_t capacity = allowed->name_capacity == 0 ? FIRST_SLOTS : allowed->name_capacity * 2;
  char ** names = vouch_realloc(
    &allowed->allocator, allowed->names, capacity, sizeof(*names));
  if (names == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  allowed->names = names;
  uint8_t * defaults = vouch_realloc(
    &allowed->allocator, allowed->defaults, capacity, sizeof(*defaults));
  if (defaults == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  allowed->defaults = defaults;
  allowed->name_capacity = capacity;
  return VOUCH_RET_OK;
}

/// The number of a name, made if it is new.
static vouch_ret_t intern(vouch_allowed_t * allowed, const char * name, uint32_t * number)
{
  *number = find_name(allowed, name);
  if (*number != FREE_SLOT) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = grow_slots(allowed);
  ret = ret == VOUCH_RET_OK ? grow_names(allowed) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  char * copy = vouch_strdup(&allowed->allocator, name);
  if (copy == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  *number = (uint32_t)allowed->name_count;
  allowed->slots[name_slot(allowed, name)] = *number;
  allowed->names[*number] = copy;
  allowed->defaults[*number] = VOUCH_ALLOWED_UNKNOWN;
  allowed->name_count++;
  return VOUCH_RET_OK;
}

static vouch_ret_t grow_entries(vouch_allowed_t * allowed)
{
  if (allowed->entry_slots != 0 && allowed->entry_count * 2 < allowed->entry_slots) {
    return VOUCH_RET_OK;
  }
  const size_t old_slots = allowed->entry_slots;
  vouch_allowed_entry_t * old = allowed->entries;
  const size_t count = old_slots == 0 ? FIRST_SLOTS : old_slots * 2;
  vouch_allowed_entry_t * entries = vouch_calloc(&allowed->allocator, count, sizeof(*entries));
  if (entries == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count; ++i) {
    entries[i].a = FREE_SLOT;
  }
  allowed->entries = entries;
  allowed->entry_slots = count;
  for (size_t i = 0; i < old_slots; ++i) {
    if (old[i].a != FREE_SLOT) {
      entries[entry_slot(allowed, old[i].a, old[i].b)] = old[i];
    }
  }
  vouch_free(&allowed->allocator, old);
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_allowed_set(
  vouch_allowed_t * allowed, const char * a, const char * b, bool yes)
{
  uint32_t i = 0, j = 0;
  vouch_ret_t ret = intern(allowed, a, &i);
  ret = ret == VOUCH_RET_OK ? intern(allowed, b, &j) : ret;
  ret = ret == VOUCH_RET_OK ? grow_entries(allowed) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const uint32_t low = i < j ? i : j, high = i < j ? j : i;
  vouch_allowed_entry_t * entry = &allowed->entries[entry_slot(allowed, low, high)];
  if (entry->a == FREE_SLOT) {
    entry->a = low;
    entry->b = high;
    allowed->entry_count++;
  }
  entry->answer = yes ? VOUCH_ALLOWED_YES : VOUCH_ALLOWED_NO;
  return VOUCH_RET_OK;
}

/// Takes an entry out of its slot; those behind it that had to give way come nearer to theirs.
static void drop_entry(vouch_allowed_t * allowed, size_t slot)
{
  const size_t mask = allowed->entry_slots - 1;
  allowed->entries[slot].a = FREE_SLOT;
  allowed->entry_count--;
  for (size_t i = (slot + 1) & mask; allowed->entries[i].a != FREE_SLOT; i = (i + 1) & mask) {
    const vouch_allowed_entry_t entry = allowed->entries[i];
    allowed->entries[i].a = FREE_SLOT;
    allowed->entries[entry_slot(allowed, entry.a, entry.b)] = entry;
  }
}

void vouch_allowed_forget(vouch_allowed_t * allowed, const char * name)
{
  const uint32_t number = find_name(allowed, name);
  for (size_t i = 0; number != FREE_SLOT && i < allowed->entry_slots; ) {
    const vouch_allowed_entry_t * entry = &allowed->entries[i];
    if (entry->a != FREE_SLOT && (entry->a == number || entry->b == number)) {
      drop_entry(allowed, i);   // another one may be there now
    } else {
      ++i;
    }
  }
}

vouch_ret_t vouch_allowed_set_default(vouch_allowed_t * allowed, const char * name, bool yes)
{
  uint32_t number = 0;
  vouch_ret_t ret = intern(allowed, name, &number);
  if (ret == VOUCH_RET_OK) {
    allowed->defaults[number] = yes ? VOUCH_ALLOWED_YES : VOUCH_ALLOWED_NO;
  }
  return ret;
}

vouch_allowed_answer_t vouch_allowed_explicit(
  const vouch_allowed_t * allowed, const char * a, const char * b)
{
  const uint32_t i = find_name(allowed, a), j = find_name(allowed, b);
  if (i == FREE_SLOT || j == FREE_SLOT || allowed->entry_slots == 0) {
    return VOUCH_ALLOWED_UNKNOWN;
  }
  const vouch_allowed_entry_t * entry =
    &allowed->entries[entry_slot(allowed, i < j ? i : j, i < j ? j : i)];
  return entry->a == FREE_SLOT ? VOUCH_ALLOWED_UNKNOWN : (vouch_allowed_answer_t)entry->answer;
}

vouch_allowed_answer_t vouch_allowed_by_default(
  const vouch_allowed_t * allowed, const char * a, const char * b)
{
  const uint32_t i = find_name(allowed, a), j = find_name(allowed, b);
  const uint8_t x = i == FREE_SLOT ? VOUCH_ALLOWED_UNKNOWN : allowed->defaults[i];
  const uint8_t y = j == FREE_SLOT ? VOUCH_ALLOWED_UNKNOWN : allowed->defaults[j];
  if (x == VOUCH_ALLOWED_UNKNOWN || y == VOUCH_ALLOWED_UNKNOWN) {
    return (vouch_allowed_answer_t)(x == VOUCH_ALLOWED_UNKNOWN ? y : x);
  }
  return x == VOUCH_ALLOWED_YES && y == VOUCH_ALLOWED_YES ? VOUCH_ALLOWED_YES : VOUCH_ALLOWED_NO;
}

vouch_ret_t vouch_allowed_copy(vouch_allowed_t * copy, const vouch_allowed_t * allowed)
{
  *copy = (vouch_allowed_t) {.allocator = allowed->allocator};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->name_count; ++i) {
    uint32_t number = 0;
    ret = intern(copy, allowed->names[i], &number);
    if (ret == VOUCH_RET_OK) {
      copy->defaults[number] = allowed->defaults[i];
    }
  }
  if (ret == VOUCH_RET_OK && allowed->entry_slots > 0) {
    copy->entries = vouch_calloc(
      &copy->allocator, allowed->entry_slots, sizeof(*copy->entries));
    if (copy->entries == NULL) {
      ret = VOUCH_RET_NO_MEMORY;
    } else {
      memcpy(
        copy->entries, allowed->entries, allowed->entry_slots * sizeof(*copy->entries));
      copy->entry_slots = allowed->entry_slots;
      copy->entry_count = allowed->entry_count;
    }
  }
  if (ret != VOUCH_RET_OK) {
    vouch_allowed_fini(copy);
  }
  return ret;
}

void vouch_allowed_fini(vouch_allowed_t * allowed)
{
  for (size_t i = 0; i < allowed->name_count; ++i) {
    vouch_free(&allowed->allocator, allowed->names[i]);
  }
  vouch_free(&allowed->allocator, allowed->names);
  vouch_free(&allowed->allocator, allowed->defaults);
  vouch_free(&allowed->allocator, allowed->slots);
  vouch_free(&allowed->allocator, allowed->entries);
  *allowed = (vouch_allowed_t) {.allocator = allowed->allocator};
}

/// Adds one item to a set's digest: the digest of a set is the XOR of its items' digests.
static void hash_item(uint8_t digest[32], const char * a, const char * b, uint8_t answer)
{
  uint8_t item[32];
  vouch_sha256_t hash;
  const bool swap = b != NULL && strcmp(a, b) > 0;
  const char * first = swap ? b : a;
  const char * second = swap ? a : b;
  vouch_sha256_init(&hash);
  vouch_sha256_update(&hash, &answer, 1);
  vouch_sha256_update(&hash, first, strlen(first) + 1);
  if (second != NULL) {
    vouch_sha256_update(&hash, second, strlen(second) + 1);
  }
  vouch_sha256_final(&hash, item);
  for (size_t i = 0; i < 32; ++i) {
    digest[i] = (uint8_t)(digest[i] ^ item[i]);
  }
}

void vouch_allowed_hash(const vouch_allowed_t * allowed, uint8_t digest[32])
{
  memset(digest, 0, 32);
  for (size_t i = 0; i < allowed->entry_slots; ++i) {
    const vouch_allowed_entry_t * entry = &allowed->entries[i];
    if (entry->a != FREE_SLOT) {
      hash_item(digest, allowed->names[entry->a], allowed->names[entry->b], entry->answer);
    }
  }
  for (size_t i = 0; i < allowed->name_count; ++i) {
    if (allowed->defaults[i] != VOUCH_ALLOWED_UNKNOWN) {
      hash_item(digest, allowed->names[i], NULL, allowed->defaults[i]);
    }
  }
}
