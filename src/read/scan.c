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

#include "read/scan.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

vouch_scan_t vouch_scan_begin(const char * data, size_t size)
{
  // NULL + 0 is undefined in C.
  return (vouch_scan_t) {.at = data, .end = size == 0 ? data : data + size, .line = 1};
}

vouch_ret_t vouch_scan_check_lines(const char * name, const char * data, size_t size)
{
  unsigned long line = 1;
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '\r' && (i + 1 == size || data[i + 1] != '\n')) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%lu: a line ends with a carriage return alone; save the file with "
        "line feeds", name, line);
    }
    line += data[i] == '\n';
  }
  return VOUCH_RET_OK;
}

/* Length of a line continuation (backslash, line end) at the cursor, or 0. */
static size_t continuation(const vouch_scan_t * scan)
{
  size_t left = (size_t)(scan->end - scan->at);
  if (left < 2 || scan->at[0] != '\\') {
    return 0;
  }
  if (scan->at[1] == '\n') {
    return 2;
  }
  return left >= 3 && scan->at[1] == '\r' && scan->at[2] == '\n' ? 3 : 0;
}

static void skip_blanks(vouch_scan_t * scan)
{
  while (scan->at < scan->end) {
    size_t skip = continuation(scan);
    if (skip > 0) {
      scan->at += skip;
      ++scan->line;
    } else if (is_blank(*scan->at)) {
      ++scan->at;
    } else {
      return;
    }
  }
}

bool vouch_scan_word_in_line(vouch_scan_t * scan)
{
  skip_blanks(scan);
  const char * start = scan->at;
  while (scan->at < scan->end && *scan->at != '\n' && !is_blank(*scan->at) &&
    continuation(scan) == 0)
  {
    ++scan->at;
  }
  size_t length = (size_t)(scan->at - start);
  size_t kept = length < sizeof(scan->word) ? length : sizeof(scan->word) - 1;
  if (kept > 0) {
    memcpy(scan->word, start, kept);
  }
  scan->word[kept] = '\0';
  scan->cut = kept < length;
  return length > 0;
}

bool vouch_scan_number(const vouch_scan_t * scan, double * value)
{
  return !scan->cut && vouch_parse_double(scan->word, value);
}

bool vouch_scan_word(vouch_scan_t * scan)
{
  while (!vouch_scan_word_in_line(scan)) {
    if (!vouch_scan_next_line(scan)) {
      return false;
    }
  }
  return true;
}

bool vouch_scan_next_line(vouch_scan_t * scan)
{
  if (scan->at >= scan->end) {
    return false;
  }
  const char * newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
  scan->at = newline == NULL ? scan->end : newline + 1;
  ++scan->line;
  return scan->at < scan->end;
}
