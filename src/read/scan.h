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

/* Words and lines of a text that need not end with NUL, for the mesh readers. */

#ifndef READ__SCAN_H_
#define READ__SCAN_H_

#include <stdbool.h>
#include <stddef.h>

#include "vouch/types.h"

#define VOUCH_SCAN_WORD 96

typedef struct vouch_scan_s
{
  const char * at;
  const char * end;
  unsigned long line;              // of `at`, from 1
  char word[VOUCH_SCAN_WORD];      // the last word, NUL-terminated (cut if it is longer)
  bool cut;
} vouch_scan_t;

vouch_scan_t vouch_scan_begin(const char * data, size_t size);

/// INVALID for a carriage return that no line feed follows: some programs end a line there, others
/// go on with it.
vouch_ret_t vouch_scan_check_lines(
  const char * name, const char * data, size_t size) VOUCH_WARN_UNUSED;

/// The next word of this line; false at its end. A backslash at the end of a line continues it.
bool vouch_scan_word_in_line(vouch_scan_t * scan);
/// The last word as a finite number; false when it is none or was cut, which loses its exponent.
bool vouch_scan_number(const vouch_scan_t * scan, double * value);
/// The next word, on this line or a later one; false at the end of the text.
bool vouch_scan_word(vouch_scan_t * scan);
/// Leaves the rest of this line and its end behind; false at the end of the text.
bool vouch_scan_next_line(vouch_scan_t * scan);

#endif  // READ__SCAN_H_
