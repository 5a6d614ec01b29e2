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

/* The allowed-collision matrix: explicit entries for pairs of names, defaults for single names.
 *
 * Look-up as MoveIt's: an explicit entry decides; else the default of the one name that has one;
 * when both have one, both must allow; else nothing is said. */

#ifndef MODEL__ALLOWED_H_
#define MODEL__ALLOWED_H_

#include "base/memory.h"
#include "base/sha256.h"
#include "vouch/types.h"

typedef enum vouch_allowed_answer_e
{
  VOUCH_ALLOWED_UNKNOWN = 0,   // no entry
  VOUCH_ALLOWED_NO = 1,        // an entry says: check
  VOUCH_ALLOWED_YES = 2        // an entry says: do not check
} vouch_allowed_answer_t;

typedef struct vouch_allowed_entry_s
{
  uint32_t a, b;    // names, a <= b; UINT32_MAX in a: unused
  uint8_t answer;   // vouch_allowed_answer_t
} vouch_allowed_entry_t;

typedef struct vouch_allowed_s
{
  vouch_allocator_t allocator;
  char ** names;
  uint8_t * defaults;      // vouch_allowed_answer_t per name
  size_t name_count;
  size_t name_capacity;    // of names and defaults
  uint32_t * slots;        // open addressing: name numbers by text
  size_t slot_count;       // a power of two, or 0
  vouch_allowed_entry_t * entries;   // open addressing: by (a, b)
  size_t entry_count, entry_slots;
} vouch_allowed_t;

void vouch_allowed_fini(vouch_allowed_t * allowed);
vouch_ret_t vouch_allowed_copy(
  vouch_allowed_t * copy, const vouch_allowed_t * allowed) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_allowed_set(
  vouch_allowed_t * allowed, const char * a, const char * b, bool yes) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_allowed_set_default(
  vouch_allowed_t * allowed, const char * name, bool yes) VOUCH_WARN_UNUSED;

/// Forgets the explicit entries of a name, as MoveIt does when an object is removed; its default stays.
void vouch_allowed_forget(vouch_allowed_t * allowed, const char * name);

/// The explicit entry of a pair.
vouch_allowed_answer_t vouch_allowed_explicit(
  const vouch_allowed_t * allowed, const char * a, const char * b);
/// What the defaults say about a pair.
vouch_allowed_answer_t vouch_allowed_by_default(
  const vouch_allowed_t * allowed, const char * a, const char * b);

/// SHA-256 over the set of entries and defaults; the order in which they were made does not count.
void vouch_allowed_hash(const vouch_allowed_t * allowed, uint8_t digest[32]);

#endif  // MODEL__ALLOWED_H_
