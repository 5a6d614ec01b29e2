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
/* One value tree for YAML and JSON: maps, lists and scalars, each with its line.
 *
 * JSON is read as the part of YAML that it is, so that both have line numbers. Refused, because
 * nothing may be guessed: aliases (and with them alias bombs), repeated keys, tags other than the
 * standard ones, a second document, nesting beyond 64, more than 16 million values. */

#ifndef READ__TREE_H_
#define READ__TREE_H_

#include "base/memory.h"
#include "vouch/types.h"

typedef enum vouch_value_kind_e
{
  VOUCH_VALUE_SCALAR = 0,
  VOUCH_VALUE_LIST = 1,
  VOUCH_VALUE_MAP = 2
} vouch_value_kind_t;

typedef struct vouch_value_s
{
  const char * text;   // scalar; "" for lists and maps
  const char * key;    // in a map; NULL elsewhere
  struct vouch_value_s * first;   // of a list or map
  struct vouch_value_s * next;    // in the list or map
  uint32_t count;      // of a list or map
  uint32_t line;       // from 1
  uint8_t kind;        // vouch_value_kind_t
  bool quoted;         // or tagged !!str: never a number, a truth value or null
} vouch_value_t;

typedef struct vouch_document_s
{
  vouch_arena_t arena;
  const char * name;     // file, for messages; belongs to the caller
  vouch_value_t * root;  // never NULL after a successful parse
} vouch_document_t;

/// `name` must live as long as the document. On failure there is nothing to release.
vouch_ret_t vouch_document_parse(
  vouch_document_t * document, vouch_allocator_t allocator, const char * name, const char * text,
  size_t size) VOUCH_WARN_UNUSED;
void vouch_document_fini(vouch_document_t * document);

/// INVALID with "file:line: " in front of the sentence.
vouch_ret_t vouch_value_fail(
  const vouch_document_t * document, const vouch_value_t * value, const char * format, ...)
__attribute__((format(printf, 3, 4)));
/// Puts "file:line: " in front of the present sentence.
vouch_ret_t vouch_value_fail_at(
  vouch_ret_t code, const vouch_document_t * document, const vouch_value_t * value);

/// True for a missing value, an empty plain scalar, "null" and "~".
bool vouch_value_is_null(const vouch_value_t * value);
/// A member of a map, or NULL (also when it is null, or `map` is NULL or no map).
const vouch_value_t * vouch_value_get(const vouch_value_t * map, const char * key);
/// INVALID unless `map` is a map whose keys are all among the blank-separated `keys`.
vouch_ret_t vouch_value_keys(
  const vouch_document_t * document, const vouch_value_t * map,
  const char * keys) VOUCH_WARN_UNUSED;
/// INVALID unless it is a list.
vouch_ret_t vouch_value_list(
  const vouch_document_t * document, const vouch_value_t * value,
  const char * what) VOUCH_WARN_UNUSED;
/// A finite number.
vouch_ret_t vouch_value_number(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  double * number) VOUCH_WARN_UNUSED;
/// `count` finite numbers from a list, or from a map whose keys are the characters of `keys`
/// ("xyz"; NULL: lists only). Missing keys of a map are `numbers` as they were.
vouch_ret_t vouch_value_numbers(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char * keys, double * numbers, size_t count) VOUCH_WARN_UNUSED;
/// true, false (YAML's other spellings, 0 and 1 too).
vouch_ret_t vouch_value_bool(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  bool * truth) VOUCH_WARN_UNUSED;
/// A text; "" for a null.
vouch_ret_t vouch_value_text(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char ** text) VOUCH_WARN_UNUSED;
/// A list of texts, its array in the document's arena; 0 for a null.
vouch_ret_t vouch_value_texts(
  vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char *** texts, size_t * count) VOUCH_WARN_UNUSED;
/// A list of any number of finite numbers, in the document's arena; NULL and 0 for a null.
vouch_ret_t vouch_value_series(
  vouch_document_t * document, const vouch_value_t * value, const char * what,
  double ** numbers, size_t * count) VOUCH_WARN_UNUSED;
/// The frame_id of a std_msgs/Header; "" for a null. INVALID when it has keys that no header has.
vouch_ret_t vouch_value_header(
  const vouch_document_t * document, const vouch_value_t * header,
  const char ** frame) VOUCH_WARN_UNUSED;
/// {position, orientation} or {translation, rotation}, each a list or a map; what is missing is the
/// identity. All seven numbers zero (a message nobody filled in) is the identity too.
vouch_ret_t vouch_value_pose(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  vouch_pose_t * pose) VOUCH_WARN_UNUSED;

#endif  // READ__TREE_H_
