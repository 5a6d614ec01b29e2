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

/// Forgets the text.
void vouch_error_reset(void);

#endif  // BASE__ERROR_H_
