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

/* From a name to a number, in a time that does not depend on how many names there are.
 *
 * Names are borrowed: they must live as long as they are in the index. They may come from people
 * who want to make us slow, so the hash has a secret of this process. */

#ifndef MODEL__NAME_INDEX_H_
#define MODEL__NAME_INDEX_H_

#include "vouch/types.h"

/// Zero is an empty one.
typedef struct vouch_name_index_s
{
  struct vouch_name_slot_s * slots;
  size_t slot_count, count;   // a power of two, at least twice `count`
} vouch_name_index_t;

/// Makes room for one more name, so that the next vouch_name_index_set() cannot fail.
vouch_ret_t vouch_name_index_reserve(
  vouch_name_index_t * index, const vouch_allocator_t * allocator) VOUCH_WARN_UNUSED;
/// Adds a name, or gives the name that is there this number and this memory.
void vouch_name_index_set(vouch_name_index_t * index, const char * name, size_t number);
/// Its number, or VOUCH_NONE.
size_t vouch_name_index_find(const vouch_name_index_t * index, const char * name);
void vouch_name_index_remove(vouch_name_index_t * index, const char * name);
void vouch_name_index_fini(vouch_name_index_t * index, const vouch_allocator_t * allocator);

/// How many slots looking for each of the names visits, summed; for tests.
size_t vouch_name_index_work(const vouch_name_index_t * index);

#endif  // MODEL__NAME_INDEX_H_
