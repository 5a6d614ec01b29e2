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

/* SHA-256 (FIPS 180-4), used to bind certificates to problems and to key the geometry cache. */

#ifndef BASE__SHA256_H_
#define BASE__SHA256_H_

#include <stddef.h>
#include <stdint.h>

typedef struct vouch_sha256_s
{
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
  size_t fill;
} vouch_sha256_t;

void vouch_sha256_init(vouch_sha256_t * hash);
void vouch_sha256_update(vouch_sha256_t * hash, const void * data, size_t size);
void vouch_sha256_final(vouch_sha256_t * hash, uint8_t digest[32]);
void vouch_sha256(const void * data, size_t size, uint8_t digest[32]);

/// 64 lower-case hex digits and a NUL.
void vouch_sha256_hex(const uint8_t digest[32], char text[65]);

#endif  // BASE__SHA256_H_
