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

/* How reports write JSON: numbers that are not known are null, never a stand-in. */

#ifndef REPORT__JSON_TOOLS_H_
#define REPORT__JSON_TOOLS_H_

#include <jansson.h>
#include <math.h>
#include <stdint.h>

static inline json_t * real_or_null(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static inline json_t * point(const double p[3])
{
  json_t * array = json_array();
  for (int i = 0; i < 3; i++) {
    json_array_append_new(array, real_or_null(p[i]));
  }
  return array;
}

static inline void set(json_t * object, const char * key, json_t * value)
{
  json_object_set_new(object, key, value);   // takes NULL; the whole is checked when it is dumped
}

/* File names may hold bytes that are no UTF-8: those become '?' rather than break the report. */
static inline json_t * string(const char * value)
{
  json_t * text = json_string(value);
  if (text) {
    return text;
  }
  char plain[1024];
  size_t n = 0;
  for (; value[n] && n + 1 < sizeof(plain); n++) {
    plain[n] = (unsigned char)value[n] < 0x80 ? value[n] : '?';
  }
  plain[n] = '\0';
  return json_string(plain);
}

static inline void set_text(json_t * object, const char * key, const char * value)
{
  set(object, key, value ? string(value) : json_null());
}

static inline void set_count(json_t * object, const char * key, uint64_t value)
{
  set(object, key, json_integer((json_int_t)value));
}

#endif  // REPORT__JSON_TOOLS_H_
