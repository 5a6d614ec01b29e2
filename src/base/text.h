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

/* Text helpers: number parsing that refuses what it does not understand, string buffers, files. */

#ifndef BASE__TEXT_H_
#define BASE__TEXT_H_

#include "vouch/types.h"

/// Reads one finite decimal number that fills `text` apart from surrounding blanks.
/// Locale-independent; refuses "nan", "inf", hex, empty text and trailing characters.
bool vouch_parse_double(const char * text, double * value);

/// Reads exactly `count` blank-separated finite numbers; refuses more or fewer.
bool vouch_parse_doubles(const char * text, double * values, size_t count);

/// Both are the same text, or both are NULL.
bool vouch_same_text(const char * a, const char * b);

/// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF); NULL counts as empty.
bool vouch_is_utf8(const char * text);

/// True when `word` is one of the blank-separated `words`.
bool vouch_word_in(const char * words, const char * word);

/// True when `word` is, or is nearly, one of the blank-separated `words`: up to upper and lower case
/// and one letter (two, in words of six and more) that is wrong, missing, too many or out of place.
bool vouch_word_like(const char * words, const char * word);

/// Looks for the name that a wrong one may stand for, as above. Begin with {.word = it}.
typedef struct vouch_guess_s
{
  const char * word;
  const char * best;   // the only one that is as near; NULL: none, or several
  size_t changes;      // to it, or to those several
  bool near;           // one was tried that is near
} vouch_guess_t;
void vouch_guess_try(vouch_guess_t * guess, const char * candidate);
/// "; is 'hand' meant?", or nothing. Holds until `text` ends.
const char * vouch_guess_question(const vouch_guess_t * guess, char text[160]);

/// A growing text. Zero-initialise with an allocator.
typedef struct vouch_text_s
{
  vouch_allocator_t allocator;
  char * data;   // NUL-terminated once something was appended
  size_t size, capacity;
  bool failed;   // memory ran out: the text is incomplete
} vouch_text_t;

void vouch_text_append(vouch_text_t * text, const char * format, ...)
__attribute__((format(printf, 2, 3)));
void vouch_text_append_bytes(vouch_text_t * text, const void * data, size_t size);
void vouch_text_fini(vouch_text_t * text);

/// Reads a whole file of at most `limit` bytes (0: 1 GiB); one NUL is added behind the data.
/// Errors name the path. *data belongs to the caller (vouch_free). Directories, pipes, sockets and
/// devices are refused at once, without waiting for what they may say.
vouch_ret_t vouch_file_read(
  const vouch_allocator_t * allocator, const char * path, size_t limit, char ** data,
  size_t * size) VOUCH_WARN_UNUSED;

/// The same from what is open, whatever it is; closes it. Errors call it `name`.
vouch_ret_t vouch_file_read_open(
  const vouch_allocator_t * allocator, int descriptor, const char * name, size_t limit,
  char ** data, size_t * size) VOUCH_WARN_UNUSED;

/// Writes a whole file: to a temporary name beside it, then renamed. When it fails (disk full, limit
/// on the size of files) what was there is as it was, and nothing is left beside it. Pipes and
/// devices are written to; a pipe that nobody reads is an error.
vouch_ret_t vouch_file_write(const char * path, const void * data, size_t size) VOUCH_WARN_UNUSED;

/// Where that would write: the end of the symbolic links that `path` is, whether there is a file or
/// not. *target belongs to the caller (vouch_free).
vouch_ret_t vouch_file_follow(
  const vouch_allocator_t * allocator, const char * path, char ** target) VOUCH_WARN_UNUSED;

#endif  // BASE__TEXT_H_
