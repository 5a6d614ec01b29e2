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

/* SHA-256 (FIPS 180-4). */

#include <string.h>

#include "sha256.h"

static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

/* [V-ROTR] Requires: 0 < n < 32. Ensures: x rotated right by n bits. */
static uint32_t rotr(uint32_t x, int n) {return (x >> n) | (x << (32 - n));}

/* The eight words of 6.2. */
typedef struct { uint32_t a, b, c, d, e, f, g, h; } words;

/* [V-BLOCK] Ensures: the hash after `old` and the block of 64 bytes at p (6.2.2).
 * Why:      w[i % 16] is word i of the message schedule from round i on. Ch(e, f, g) takes
 *           bits of f where e has ones, else of g; q = Maj(a, b, c) is b unless a, c are not. */
static words hash_block(words old, const uint8_t * p)
{
  uint32_t w[16] = {0};
  words s = old;
#pragma GCC unroll 64
  for (unsigned i = 0; i < 64; i++) {
    const uint8_t * b = p + 4 * (i % 16);
    const uint32_t read = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    w[i % 16] = i < 16 ? read : w[i % 16];
    const uint32_t x = w[(i + 1) % 16], y = w[(i + 14) % 16], z = w[i % 16];
    const uint32_t mixed = (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[(i + 9) % 16];
    const uint32_t late = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10;
    w[i % 16] = i < 16 ? z : z + mixed + late;
    const uint32_t t = s.h + (rotr(s.e, 6) ^ rotr(s.e, 11) ^ rotr(s.e, 25)) +
      ((s.e & (s.f ^ s.g)) ^ s.g) + constants[i] + w[i % 16];
    const uint32_t q = ((s.a ^ s.b) & (s.b ^ s.c)) ^ s.b;
    const uint32_t r = rotr(s.a, 2) ^ rotr(s.a, 13) ^ rotr(s.a, 22);
    s = (words) {t + r + q, s.a, s.b, s.c, s.d + t, s.e, s.f, s.g};
  }
  return (words) {old.a + s.a, old.b + s.b, old.c + s.c, old.d + s.d, old.e + s.e,
           old.f + s.f, old.g + s.g, old.h + s.h};
}

/* [V-SHA] Requires: size < 2^61. Ensures: digest is the SHA-256 of the size bytes of data.
 * Why:      5.1.1 pads to whole blocks. Most significant bytes come first. */
void v_sha256(const uint8_t * data, size_t size, uint8_t digest[32])
{
  words s = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
    0x5be0cd19};
  const size_t rest = size % 64, whole = size - rest, padded = rest < 56 ? 64 : 128;
  uint8_t tail[128] = {0};
  if (rest > 0) {memcpy(tail, data + whole, rest);}
  tail[rest] = 0x80;
  for (size_t i = 0; i < 8; i++) {
    tail[padded - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
  }
  for (size_t at = 0; at < whole + padded; at += 64) {
    s = hash_block(s, at < whole ? data + at : tail + (at - whole));
  }
  const uint32_t word[8] = {s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h};
  for (size_t i = 0; i < 32; i++) {
    digest[i] = (uint8_t)(word[i / 4] >> (24 - 8 * (i % 4)));
  }
}
