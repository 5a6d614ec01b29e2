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

/* Little-endian bytes: appended to a text, and read with every size checked.
 *
 * A reader never reads behind its end: a read that does not fit sets `failed`, gives zeros, and
 * every later read fails too, so that callers may check once per record. Counts must be checked
 * against the bytes that are left (vouch_bytes_count) before memory is asked for. */

#ifndef BASE__BYTES_H_
#define BASE__BYTES_H_

#include "base/text.h"
#include "vouch/types.h"

void vouch_bytes_put_u8(vouch_text_t * out, uint8_t value);
void vouch_bytes_put_u32(vouch_text_t * out, uint32_t value);
void vouch_bytes_put_u64(vouch_text_t * out, uint64_t value);
void vouch_bytes_put_f32(vouch_text_t * out, const float * values, size_t count);
void vouch_bytes_put_f64(vouch_text_t * out, const double * values, size_t count);
void vouch_bytes_put_u32s(vouch_text_t * out, const uint32_t * values, size_t count);
/// u32 length, then the bytes; NULL counts as empty.
void vouch_bytes_put_string(vouch_text_t * out, const char * text);

typedef struct vouch_bytes_s
{
  const uint8_t * data;
  size_t size, position;
  bool failed;
} vouch_bytes_t;

vouch_bytes_t vouch_bytes_reader(const void * data, size_t size);
uint8_t vouch_bytes_get_u8(vouch_bytes_t * in);
uint32_t vouch_bytes_get_u32(vouch_bytes_t * in);
uint64_t vouch_bytes_get_u64(vouch_bytes_t * in);
void vouch_bytes_get_f32(vouch_bytes_t * in, float * values, size_t count);
void vouch_bytes_get_f64(vouch_bytes_t * in, double * values, size_t count);
void vouch_bytes_get_u32s(vouch_bytes_t * in, uint32_t * values, size_t count);

/// A u32 that counts records of at least `record_size` bytes each: fails (and gives 0) when that
/// many cannot follow.
uint32_t vouch_bytes_get_count(vouch_bytes_t * in, size_t record_size);

/// A pointer to the next `size` bytes, which are then behind the reader; NULL when it fails.
const uint8_t * vouch_bytes_take(vouch_bytes_t * in, size_t size);

#endif  // BASE__BYTES_H_
