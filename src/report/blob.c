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
#include "report/blob.h"

#include <string.h>

size_t vouch_blob_begin(vouch_text_t * blob)
{
  static const char zeros[4] = {0, 0, 0, 0};
  vouch_text_append_bytes(blob, zeros, (4u - blob->size % 4u) % 4u);
  return blob->size;
}

static void append(vouch_text_t * blob, uint32_t value, size_t size)
{
  const uint8_t bytes[4] = {
    (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)
  };
  vouch_text_append_bytes(blob, bytes, size);
}

void vouch_blob_u16(vouch_text_t * blob, uint32_t value)
{
  append(blob, value, 2);
}

void vouch_blob_u32(vouch_text_t * blob, uint32_t value)
{
  append(blob, value, 4);
}

void vouch_blob_f32(vouch_text_t * blob, double value)
{
  const float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof(bits));
  append(blob, bits, 4);
}

void vouch_blob_base64(const vouch_text_t * blob, vouch_text_t * out)
{
  static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t * bytes = (const uint8_t *)blob->data;
  char line[4096];
  size_t fill = 0;
  for (size_t i = 0; i < blob->size; i += 3) {
    const size_t left = blob->size - i;
    const uint32_t three = (uint32_t)bytes[i] << 16 |
      (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) | (left > 2 ? bytes[i + 2] : 0u);
    line[fill++] = digits[three >> 18];
    line[fill++] = digits[three >> 12 & 63u];
    line[fill++] = left > 1 ? digits[three >> 6 & 63u] : '=';
    line[fill++] = left > 2 ? digits[three & 63u] : '=';
    if (fill == sizeof(line)) {
      vouch_text_append_bytes(out, line, fill);
      fill = 0;
    }
  }
  vouch_text_append_bytes(out, line, fill);
}
