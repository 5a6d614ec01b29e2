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

/* FIPS 180-4, section 6.2, with the SHA extensions of x86 where the machine has them. */

#include "base/sha256.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  #define HAVE_SHA_NI 1
  #include <cpuid.h>
  #include <immintrin.h>
#else
  #define HAVE_SHA_NI 0
#endif

static const uint32_t round_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, int n)
{
  return (x >> n) | (x << (32 - n));
}

static inline uint32_t load_big_endian(const uint8_t * p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline void store_big_endian(uint8_t * p, uint32_t x)
{
  p[0] = (uint8_t)(x >> 24);
  p[1] = (uint8_t)(x >> 16);
  p[2] = (uint8_t)(x >> 8);
  p[3] = (uint8_t)x;
}

static void schedule(const uint8_t * data, uint32_t w[64])
{
  for (int i = 0; i < 16; ++i) {
    w[i] = load_big_endian(data + 4 * i);
  }
  for (int i = 16; i < 64; ++i) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
}

static void compress_scalar(uint32_t state[8], const uint8_t * data, size_t blocks)
{
  for (; blocks > 0; --blocks, data += 64) {
    uint32_t w[64];
    schedule(data, w);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
      uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      uint32_t t1 = h + s1 + (g ^ (e & (f ^ g))) + round_constants[i] + w[i];
      uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      uint32_t t2 = s0 + ((a & b) | (c & (a | b)));
      h = g; g = f; f = e; e = d + t1;
      d = c; c = b; b = a; a = t1 + t2;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
}

#if HAVE_SHA_NI
/// The instructions want the state as (A,B,E,F) and (C,D,G,H), highest word first.
__attribute__((target("sha,sse4.1")))
static void compress_sha_ni(uint32_t state[8], const uint8_t * data, size_t blocks)
{
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)&state[0]);
  __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)&state[4]);
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);
  __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; blocks > 0; --blocks, data += 64) {
    __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(
        _mm_loadu_si128((const __m128i *)(const void *)(data + 16 * i)), swap);
    }
    for (int i = 0; i < 16; ++i) {
      __m128i now = w[i & 3];
      __m128i sum = _mm_add_epi32(
        now, _mm_loadu_si128((const __m128i *)(const void *)&round_constants[4 * i]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (i < 12) {
        __m128i last = w[(i + 3) & 3];
        __m128i next = _mm_sha256msg1_epu32(now, w[(i + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(next, last);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  dcba = _mm_blend_epi16(feba, dchg, 0xf0);
  hgfe = _mm_alignr_epi8(dchg, feba, 8);
  _mm_storeu_si128((__m128i *)(void *)&state[0], dcba);
  _mm_storeu_si128((__m128i *)(void *)&state[4], hgfe);
}

static bool ask_for_sha_ni(void)
{
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_SSE4_1) == 0 || (c & bit_SSSE3) == 0) {
    return false;
  }
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

/// Asked once: in a virtual machine the question takes as long as hashing some kilobytes.
static bool have_sha_ni(void)
{
  static atomic_int answer;   // 0 not asked, 1 no, 2 yes
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    known = ask_for_sha_ni() ? 2 : 1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == 2;
}
#endif

static void compress(uint32_t state[8], const uint8_t * data, size_t blocks)
{
#if HAVE_SHA_NI
  // Single blocks take the portable way, so that the tests see both ways on one machine.
  if (blocks > 1 && have_sha_ni()) {
    compress_sha_ni(state, data, blocks);
    return;
  }
#endif
  compress_scalar(state, data, blocks);
}

void vouch_sha256_init(vouch_sha256_t * hash)
{
  static const uint32_t start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  memset(hash, 0, sizeof(*hash));
  memcpy(hash->state, start, sizeof(start));
}

void vouch_sha256_update(vouch_sha256_t * hash, const void * data, size_t size)
{
  const uint8_t * bytes = data;
  if (size == 0) {
    return;
  }
  hash->length += size;
  if (hash->fill > 0) {
    size_t part = sizeof(hash->block) - hash->fill;
    part = part < size ? part : size;
    memcpy(hash->block + hash->fill, bytes, part);
    hash->fill += part;
    bytes += part;
    size -= part;
    if (hash->fill < sizeof(hash->block)) {
      return;
    }
    compress(hash->state, hash->block, 1);
    hash->fill = 0;
  }
  compress(hash->state, bytes, size / 64);
  bytes += size - size % 64;
  memcpy(hash->block, bytes, size % 64);
  hash->fill = size % 64;
}

void vouch_sha256_final(vouch_sha256_t * hash, uint8_t digest[32])
{
  uint64_t bits = hash->length * 8;
  uint8_t tail[72] = {0x80};
  size_t zeros = (hash->fill < 56 ? 56 : 120) - hash->fill;
  for (int i = 0; i < 8; ++i) {
    tail[zeros + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  }
  vouch_sha256_update(hash, tail, zeros + 8);
  for (int i = 0; i < 8; ++i) {
    store_big_endian(digest + 4 * i, hash->state[i]);
  }
}

void vouch_sha256(const void * data, size_t size, uint8_t digest[32])
{
  vouch_sha256_t hash;
  vouch_sha256_init(&hash);
  vouch_sha256_update(&hash, data, size);
  vouch_sha256_final(&hash, digest);
}

void vouch_sha256_hex(const uint8_t digest[32], char text[65])
{
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 32; ++i) {
    text[2 * i] = digits[digest[i] >> 4];
    text[2 * i + 1] = digits[digest[i] & 15];
  }
  text[64] = '\0';
}
