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

/* An allocator that fails at its n-th request, and counts what is not given back. */

#ifndef SUPPORT__FAILING_H_
#define SUPPORT__FAILING_H_

#include <stdlib.h>

#include "vouch/types.h"

typedef struct test_failing_s
{
  long requests;     // so far
  long fail_at;      // the request (from 0) that fails; -1: none
  long alive;        // blocks
} test_failing_t;

static inline void * test_failing_allocate(size_t size, void * state)
{
  test_failing_t * failing = state;
  if (failing->requests++ == failing->fail_at) {
    return NULL;
  }
  void * block = malloc(size);
  failing->alive += block != NULL;
  return block;
}

static inline void * test_failing_reallocate(void * pointer, size_t size, void * state)
{
  test_failing_t * failing = state;
  if (failing->requests++ == failing->fail_at) {
    return NULL;
  }
  failing->alive += pointer == NULL;
  return realloc(pointer, size);
}

static inline void test_failing_deallocate(void * pointer, void * state)
{
  test_failing_t * failing = state;
  failing->alive -= pointer != NULL;
  free(pointer);
}

static inline vouch_allocator_t test_failing_allocator(test_failing_t * failing)
{
  return (vouch_allocator_t) {
           .allocate = test_failing_allocate, .reallocate = test_failing_reallocate,
           .deallocate = test_failing_deallocate, .state = failing,
  };
}

#endif  // SUPPORT__FAILING_H_
