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

#include "base/memory.h"

#include "base/error.h"

vouch_ret_t vouch_options_check(
  const char * type, size_t given, size_t size, const vouch_allocator_t * allocator)
{
  if (given != size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the struct_size of a vouch_%s_t is %zu where this library has %zu: start "
      "from vouch_%s_default() and build against the installed headers", type, given, size, type);
  }
  if (!allocator->allocate || !allocator->reallocate || !allocator->deallocate) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a vouch_%s_t has no allocator: start from vouch_%s_default()", type,
      type);
  }
  return VOUCH_RET_OK;
}

/// False, with the error text, when count * size does not fit.
static bool product(size_t count, size_t size, size_t * bytes)
{
  if (size != 0 && count > SIZE_MAX / size) {
    (void)vouch_fail(
      VOUCH_RET_NO_MEMORY, "out of memory: %zu elements of %zu bytes cannot be addressed",
      count, size);
    return false;
  }
  *bytes = count * size;
  return true;
}

static void * out_of_memory(size_t bytes)
{
  (void)vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory: %zu bytes were asked for", bytes);
  return NULL;
}

void * vouch_calloc(const vouch_allocator_t * allocator, size_t count, size_t size)
{
  size_t bytes;
  if (!product(count, size, &bytes)) {
    return NULL;
  }
  bytes = bytes == 0 ? 1 : bytes;
  void * pointer = allocator->allocate(bytes, allocator->state);
  if (pointer == NULL) {
    return out_of_memory(bytes);
  }
  memset(pointer, 0, bytes);
  return pointer;
}

void * vouch_realloc(
  const vouch_allocator_t * allocator, void * pointer, size_t count, size_t size)
{
  size_t bytes;
  if (!product(count, size, &bytes)) {
    return NULL;
  }
  bytes = bytes == 0 ? 1 : bytes;
  void * result = pointer == NULL ? allocator->allocate(bytes, allocator->state) :
    allocator->reallocate(pointer, bytes, allocator->state);
  return result == NULL ? out_of_memory(bytes) : result;
}

void vouch_free(const vouch_allocator_t * allocator, void * pointer)
{
  if (pointer != NULL) {
    allocator->deallocate(pointer, allocator->state);
  }
}

char * vouch_strdup(const vouch_allocator_t * allocator, const char * text)
{
  size_t size = strlen(text) + 1;
  char * copy = vouch_realloc(allocator, NULL, size, 1);
  if (copy != NULL) {
    memcpy(copy, text, size);
  }
  return copy;
}

bool vouch_grow(
  const vouch_allocator_t * allocator, void * array, size_t count, size_t * capacity,
  size_t element_size)
{
  if (count < *capacity) {
    return true;
  }
  if (count > SIZE_MAX / 4) {
    (void)out_of_memory(count);
    return false;
  }
  size_t larger = count < 8 ? 16 : 2 * count;
  // `array` addresses a pointer of some type; its bytes are moved so that no type is assumed.
  void * block;
  memcpy(&block, array, sizeof(block));
  block = vouch_realloc(allocator, block, larger, element_size);
  if (block == NULL) {
    return false;
  }
  memcpy(array, &block, sizeof(block));
  *capacity = larger;
  return true;
}

/* ---- arena ---- */

enum {ARENA_ALIGNMENT = 32, ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20};

typedef struct arena_block_s
{
  struct arena_block_s * next;
} arena_block_t;

/// The first offset at or behind `used` whose address is aligned.
static size_t aligned_offset(const void * block, size_t used)
{
  uintptr_t address = (uintptr_t)block + used;
  uintptr_t over = address % ARENA_ALIGNMENT;
  return over == 0 ? used : used + (ARENA_ALIGNMENT - (size_t)over);
}

/// A block that has room for `bytes` aligned ones. Big requests get a block of their own behind the
/// first one, so that the room left in the first one is not lost.
static void * arena_new_block(vouch_arena_t * arena, size_t bytes)
{
  const size_t overhead = sizeof(arena_block_t) + ARENA_ALIGNMENT;
  size_t size = arena->size == 0 ? ARENA_FIRST : 2 * arena->size;
  size = size > ARENA_LARGEST ? ARENA_LARGEST : size;
  bool alone = bytes > size / 2;
  if (alone) {
    if (bytes > SIZE_MAX - overhead) {
      return out_of_memory(bytes);
    }
    size = bytes + overhead;
  }
  arena_block_t * block = arena->allocator.allocate(size, arena->allocator.state);
  if (block == NULL) {
    return out_of_memory(size);
  }
  size_t start = aligned_offset(block, sizeof(*block));
  arena_block_t * first = arena->blocks;
  if (alone && first != NULL) {
    block->next = first->next;
    first->next = block;
  } else {
    block->next = first;
    arena->blocks = block;
    arena->used = start + bytes;
    arena->size = size;
  }
  return (char *)block + start;
}

void * vouch_arena_calloc(vouch_arena_t * arena, size_t count, size_t size)
{
  size_t bytes;
  if (!product(count, size, &bytes)) {
    return NULL;
  }
  bytes = bytes == 0 ? 1 : bytes;
  void * result = NULL;
  if (arena->blocks != NULL) {
    size_t start = aligned_offset(arena->blocks, arena->used);
    if (start <= arena->size && bytes <= arena->size - start) {
      result = (char *)arena->blocks + start;
      arena->used = start + bytes;
    }
  }
  if (result == NULL) {
    result = arena_new_block(arena, bytes);
  }
  if (result != NULL) {
    memset(result, 0, bytes);
  }
  return result;
}

char * vouch_arena_strdup(vouch_arena_t * arena, const char * text)
{
  size_t size = strlen(text) + 1;
  char * copy = vouch_arena_calloc(arena, size, 1);
  if (copy != NULL) {
    memcpy(copy, text, size);
  }
  return copy;
}

void vouch_arena_fini(vouch_arena_t * arena)
{
  arena_block_t * block = arena->blocks;
  while (block != NULL) {
    arena_block_t * next = block->next;
    arena->allocator.deallocate(block, arena->allocator.state);
    block = next;
  }
  arena->blocks = NULL;
  arena->used = 0;
  arena->size = 0;
}
