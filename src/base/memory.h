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

/* Allocation through the caller's allocator, with overflow checks, growable arrays, and an arena
 * for things that live and die together. */

#ifndef BASE__MEMORY_H_
#define BASE__MEMORY_H_

#include <string.h>

#include "vouch/types.h"

/// INVALID for options that are not of this library's size, whose values would not be the ones that are
/// read, or that have no allocator. `type` is their type without vouch_ and _t.
vouch_ret_t vouch_options_check(
  const char * type, size_t given, size_t size,
  const vouch_allocator_t * allocator) VOUCH_WARN_UNUSED;

/// count * size bytes, zeroed; NULL (and the error text) when it fails or overflows. size 0 gives 1 byte.
void * vouch_calloc(const vouch_allocator_t * allocator, size_t count, size_t size);

/// As realloc for arrays: new bytes are not zeroed. The old block stays valid when it returns NULL.
void * vouch_realloc(
  const vouch_allocator_t * allocator, void * pointer, size_t count, size_t size);

/// free(NULL) is legal.
void vouch_free(const vouch_allocator_t * allocator, void * pointer);

/// A copy of the NUL-terminated text.
char * vouch_strdup(const vouch_allocator_t * allocator, const char * text);

/// Makes room for one more element: returns false (error text set) when memory is short.
/// `array` is the address of a typed pointer; capacity grows by doubling.
bool vouch_grow(
  const vouch_allocator_t * allocator, void * array, size_t count, size_t * capacity,
  size_t element_size);

/// Blocks freed together. Zero-initialise with an allocator: vouch_arena_t a = {.allocator = x};
typedef struct vouch_arena_s
{
  vouch_allocator_t allocator;
  void * blocks;       // singly linked
  size_t used, size;   // of the first block
} vouch_arena_t;

/// Zeroed, 32-byte aligned (for AVX2 loads); NULL and the error text when it fails.
void * vouch_arena_calloc(vouch_arena_t * arena, size_t count, size_t size);
char * vouch_arena_strdup(vouch_arena_t * arena, const char * text);
void vouch_arena_fini(vouch_arena_t * arena);

#endif  // BASE__MEMORY_H_
