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

/* Built geometries between runs, by the hash of what they were built from.
 *
 * An entry holds its own SHA-256, so that damage is noticed and the entry ignored. Whoever may write
 * to the directory decides what the robot looks like, so it must be the user's own and nobody else
 * may write to it; a proof that others shall believe is made without it. Writing is atomic:
 * processes of one user may share a directory. */

#ifndef READ__CACHE_H_
#define READ__CACHE_H_

#include "base/sha256.h"
#include "base/text.h"
#include "model/robot.h"

/// Part of every key: raise it whenever the same input gives other bytes (readers, tree builder,
/// encoding of a geometry or of an entry).
#define VOUCH_CACHE_VERSION 7

/// The directory that `wanted` means: NULL or "" is $XDG_CACHE_HOME/vouch, else ~/.cache/vouch, written
/// to `buffer`; "off" is none, and so is a user without a home. NULL: none.
const char * vouch_cache_directory(const char * wanted, char * buffer, size_t size);

/// Begins a key. Everything the geometry depends on is then added with vouch_sha256_update().
void vouch_cache_key_begin(vouch_sha256_t * hash, bool hulls, bool surfaces);

/// INVALID when the directory is another user's, or when others may write to it: nothing of it is to
/// be used then. One that is not there yet is right.
vouch_ret_t vouch_cache_check(const char * directory) VOUCH_WARN_UNUSED;

/// Reads an entry. found = false when there is none, or when it is damaged or another user's.
vouch_ret_t vouch_cache_load(
  const char * directory, const uint8_t key[32], vouch_allocator_t allocator,
  vouch_link_geometry_t * built, bool * found) VOUCH_WARN_UNUSED;

/// Writes an entry and makes the directory if need be. `encoded` are the geometry's bytes.
vouch_ret_t vouch_cache_store(
  const char * directory, const uint8_t key[32], const vouch_link_geometry_t * built,
  const vouch_text_t * encoded) VOUCH_WARN_UNUSED;

#endif  // READ__CACHE_H_
