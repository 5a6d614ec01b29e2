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

/* SHA-256, FIPS 180-4. */
#include <string.h>

#include "internal.h"

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
static uint32_t rotate(uint32_t x, int n) {return (x >> n) | (x << (32 - n));}

/* [V-BLOCK] Requires: p has 64 bytes. Ensures: h is the hash value after this block (6.2.2).
 * Why:      the standard's a, b, c, d are the last four values of a, its e, f, g, h those of e. */
static void block(uint32_t h[8], const uint8_t * p)
{
  uint32_t w[64], a[68], e[68];
  for (int i = 0; i < 16; i++, p += 4) {
    w[i] = p[0] * 0x1000000u + p[1] * 0x10000u + p[2] * 0x100u + p[3];
  }
  for (int i = 16; i < 64; i++) {
    const uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    const uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  for (int i = 0; i < 4; i++) {
    a[i] = h[3 - i];
  }
  for (int i = 0; i < 4; i++) {
    e[i] = h[7 - i];
  }
  for (int i = 0; i < 64; i++) {
    const uint32_t x = e[i + 3], s1 = rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25);
    const uint32_t y = a[i + 3], s0 = rotate(y, 2) ^ rotate(y, 13) ^ rotate(y, 22);
    const uint32_t t = e[i] + s1 + ((x & e[i + 2]) ^ (~x & e[i + 1])) + constants[i] + w[i];
    e[i + 4] = a[i] + t;
    a[i + 4] = t + s0 + ((y & a[i + 2]) ^ (y & a[i + 1]) ^ (a[i + 2] & a[i + 1]));
  }
  for (int i = 0; i < 4; i++) {
    h[i] += a[67 - i];
  }
  for (int i = 0; i < 4; i++) {
    h[4 + i] += e[67 - i];
  }
}

/* [V-SHA] Requires: data has size bytes, size < 2^61. Ensures: digest is their SHA-256. */
void vv_sha256(const uint8_t * data, size_t size, uint8_t digest[32])
{
  uint32_t h[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  };
  const size_t rest = size % 64, whole = size - rest, padded = rest < 56 ? 64 : 128;
  uint8_t tail[128] = {0};
  for (size_t i = 0; i < whole; i += 64) {
    block(h, data + i);
  }
  memcpy(tail, data + whole, rest);
  tail[rest] = 0x80;
  for (size_t i = 0; i < 8; i++) {
    tail[padded - 1 - i] = (uint8_t)(size * 8 >> (8 * i));
  }
  for (size_t i = 0; i < padded; i += 64) {
    block(h, tail + i);
  }
  for (int i = 0; i < 32; i++) {
    digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
  }
}
