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

#include "base/bytes.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  #define LITTLE_ENDIAN_HOST 1
#else
  #define LITTLE_ENDIAN_HOST 0
#endif

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE 754 binary32 and binary64");

static void pack(uint8_t * bytes, uint64_t value, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
}

static uint64_t unpack(const uint8_t * bytes, size_t size)
{
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= (uint64_t)bytes[i] << (8 * i);
  }
  return value;
}

/* ---- writing ---- */

void vouch_bytes_put_u8(vouch_text_t * out, uint8_t value)
{
  vouch_text_append_bytes(out, &value, 1);
}

void vouch_bytes_put_u32(vouch_text_t * out, uint32_t value)
{
  uint8_t bytes[4];
  pack(bytes, value, sizeof(bytes));
  vouch_text_append_bytes(out, bytes, sizeof(bytes));
}

void vouch_bytes_put_u64(vouch_text_t * out, uint64_t value)
{
  uint8_t bytes[8];
  pack(bytes, value, sizeof(bytes));
  vouch_text_append_bytes(out, bytes, sizeof(bytes));
}

/// Elements of 4 or 8 bytes.
static void put_array(vouch_text_t * out, const void * values, size_t count, size_t size)
{
  if (LITTLE_ENDIAN_HOST) {
    if (count > SIZE_MAX / size) {
      out->failed = true;
      return;
    }
    vouch_text_append_bytes(out, values, count * size);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    uint32_t four = 0;
    uint64_t eight = 0;
    const uint8_t * value = (const uint8_t *)values + i * size;
    memcpy(size == 4 ? (void *)&four : (void *)&eight, value, size);
    if (size == 4) {
      vouch_bytes_put_u32(out, four);
    } else {
      vouch_bytes_put_u64(out, eight);
    }
  }
}

void vouch_bytes_put_f32(vouch_text_t * out, const float * values, size_t count)
{
  put_array(out, values, count, sizeof(values[0]));
}

void vouch_bytes_put_f64(vouch_text_t * out, const double * values, size_t count)
{
  put_array(out, values, count, sizeof(values[0]));
}

void vouch_bytes_put_u32s(vouch_text_t * out, const uint32_t * values, size_t count)
{
  put_array(out, values, count, sizeof(values[0]));
}

void vouch_bytes_put_string(vouch_text_t * out, const char * text)
{
  size_t size = text == NULL ? 0 : strlen(text);
  if (size > UINT32_MAX) {
    out->failed = true;
    return;
  }
  vouch_bytes_put_u32(out, (uint32_t)size);
  vouch_text_append_bytes(out, text, size);
}

/* ---- reading ---- */

vouch_bytes_t vouch_bytes_reader(const void * data, size_t size)
{
  return (vouch_bytes_t) {.data = data, .size = size, .position = 0, .failed = false};
}

const uint8_t * vouch_bytes_take(vouch_bytes_t * in, size_t size)
{
  if (in->failed || size > in->size - in->position) {
    in->failed = true;
    return NULL;
  }
  const uint8_t * bytes = in->data + in->position;
  in->position += size;
  return bytes;
}

uint8_t vouch_bytes_get_u8(vouch_bytes_t * in)
{
  const uint8_t * bytes = vouch_bytes_take(in, 1);
  return bytes == NULL ? 0 : bytes[0];
}

uint32_t vouch_bytes_get_u32(vouch_bytes_t * in)
{
  const uint8_t * bytes = vouch_bytes_take(in, 4);
  return bytes == NULL ? 0 : (uint32_t)unpack(bytes, 4);
}

uint64_t vouch_bytes_get_u64(vouch_bytes_t * in)
{
  const uint8_t * bytes = vouch_bytes_take(in, 8);
  return bytes == NULL ? 0 : unpack(bytes, 8);
}

/// Elements of 4 or 8 bytes; zeros when it fails.
static void get_array(vouch_bytes_t * in, void * values, size_t count, size_t size)
{
  if (count == 0) {
    return;
  }
  const uint8_t * bytes = NULL;
  if (count <= SIZE_MAX / size) {
    bytes = vouch_bytes_take(in, count * size);
  }
  if (bytes == NULL) {
    in->failed = true;
    memset(values, 0, count * size);
    return;
  }
  if (LITTLE_ENDIAN_HOST) {
    memcpy(values, bytes, count * size);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    uint64_t eight = unpack(bytes + i * size, size);
    uint32_t four = (uint32_t)eight;
    memcpy((uint8_t *)values + i * size, size == 4 ? (void *)&four : (void *)&eight, size);
  }
}

void vouch_bytes_get_f32(vouch_bytes_t * in, float * values, size_t count)
{
  get_array(in, values, count, sizeof(values[0]));
}

void vouch_bytes_get_f64(vouch_bytes_t * in, double * values, size_t count)
{
  get_array(in, values, count, sizeof(values[0]));
}

void vouch_bytes_get_u32s(vouch_bytes_t * in, uint32_t * values, size_t count)
{
  get_array(in, values, count, sizeof(values[0]));
}

uint32_t vouch_bytes_get_count(vouch_bytes_t * in, size_t record_size)
{
  uint32_t count = vouch_bytes_get_u32(in);
  if (in->failed || count > (in->size - in->position) / record_size) {
    in->failed = true;
    return 0;
  }
  return count;
}
