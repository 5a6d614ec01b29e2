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

/* The thread's error text. Every function that returns something else than VOUCH_RET_OK has called
 * vouch_fail() once, at the place that knows file, line, joint or link. */

#ifndef BASE__ERROR_H_
#define BASE__ERROR_H_

#include "vouch/types.h"

/// Sets this thread's error text (printf format, cut at 1023 bytes) and returns `code`.
vouch_ret_t vouch_fail(vouch_ret_t code, const char * format, ...)
__attribute__((format(printf, 2, 3)));

/// Puts "prefix: " in front of the present text, for callers that know more (a file name); returns `code`.
vouch_ret_t vouch_fail_prefix(vouch_ret_t code, const char * format, ...)
__attribute__((format(printf, 2, 3)));

/// INVALID, with a sentence that names the first of the caller's arguments that is NULL; `names` are
/// those of the header, parted by commas.
vouch_ret_t vouch_require(
  const char * function, const char * names, const void * const * given,
  size_t count) VOUCH_WARN_UNUSED;

/// What public functions begin with: returns INVALID when a pointer that is needed is NULL.
#define VOUCH_REQUIRE(names, ...) \
  do { \
    const void * const given_[] = {__VA_ARGS__}; \
    if (vouch_require( \
        __func__, names, given_, sizeof(given_) / sizeof(given_[0])) != VOUCH_RET_OK) \
    { \
      return VOUCH_RET_INVALID; \
    } \
  } while (false)

/// The same for an array, which may be NULL when it has no elements.
#define VOUCH_REQUIRE_ARRAY(name, array, count) \
  VOUCH_REQUIRE(name, (count) > 0 ? (const void *)(array) : (const void *)name)

/// Forgets the text.
void vouch_error_reset(void);

#endif  // BASE__ERROR_H_
