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

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {ERROR_SIZE = 1024};

static _Thread_local char error_text[ERROR_SIZE];

const char * vouch_error(void)
{
  return error_text;
}

void vouch_error_reset(void)
{
  error_text[0] = '\0';
}

vouch_ret_t vouch_fail(vouch_ret_t code, const char * format, ...)
{
  // Arguments may point into the present text, so the new one is made apart.
  char text[ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(text, sizeof(text), format, arguments) < 0) {
    text[0] = '\0';
  }
  va_end(arguments);
  memcpy(error_text, text, sizeof(text));
  return code;
}

vouch_ret_t vouch_require(
  const char * function, const char * names, const void * const * given, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    const size_t length = strcspn(names, ",");
    if (given[i] == NULL) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s: `%.*s` is NULL, and is needed", function, (int)length, names);
    }
    names += length;
    names += strspn(names, ", ");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_fail_prefix(vouch_ret_t code, const char * format, ...)
{
  char text[ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  size_t used = written < 0 ? 0 : (size_t)written;
  if (used > sizeof(text) - 3) {
    used = sizeof(text) - 3;
  }
  memcpy(text + used, ": ", 2);
  used += 2;
  size_t rest = strlen(error_text);
  rest = rest < sizeof(text) - 1 - used ? rest : sizeof(text) - 1 - used;
  memcpy(text + used, error_text, rest);
  text[used + rest] = '\0';
  memcpy(error_text, text, sizeof(text));
  return code;
}
