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

/* The verifier's entry: refusing, memory, bytes; hashes, header, verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers of the files are read as they are stored: little-endian"
#endif

/* [V-ENVIRONMENT] Ensures: on true this thread rounds to nearest and keeps subnormal numbers.
 * Why:      of the sums, up changes the first, down the second, to zero the last two; flushing
 *           makes the product 0, and subnormal numbers that are read as 0 change the next sum. */
static bool environment(void)
{
  volatile double one = 1.0, tiny = 0x1p-1022, least = 0x1p-1074, u = 0x1p-53;
  const bool good = one + u == 1.0 && -one - u == -1.0 && tiny * 0.5 != 0.0 && least + tiny > tiny;
  return good && one + 1.5 * u == 1.0 + 0x1p-52 && -one - 1.5 * u == -1.0 - 0x1p-52;
}

/* [V-REFUSE] Ensures: does not return; the reason is left in the report, with the place. */
void vv_refuse(vv_verifier * v, const char * reason)
{
  snprintf(
    v->report->reason, sizeof(v->report->reason), "%s (pair %u, %zu bytes left)", reason,
    v->pair, v->left);
  longjmp(v->refused, 1);
}

/* [V-TAKE] Requires: count * size < 2^63. Ensures: memory for count elements, to be set. */
void * vv_take(vv_verifier * v, size_t count, size_t size)
{
  const size_t bytes = (count * size + 15) / 16 * 16;
  need(v, bytes <= v->arena_left, "too much memory is needed");
  v->arena += bytes;
  v->arena_left -= bytes;
  return v->arena - bytes;
}

/* [V-BYTES] Ensures: the next `length` bytes, which are skipped. */
const uint8_t * vv_bytes(vv_verifier * v, uint64_t length)
{
  v->code = length > v->left ? VOUCH_VERIFY_MALFORMED : v->code;
  need(v, length <= v->left, "the file is cut");
  v->at += length;
  v->left -= (size_t)length;
  return v->at - length;
}

/* [V-TABLE] Requires: bytes <= size.
 * Ensures:  reads a count and so many records of `bytes` each, to the fronts of elements of `size`
 *           bytes that are otherwise zero. The first `reals` of a record are finite numbers
 *           within the limit. */
void * vv_table(
  vv_verifier * v, size_t reals, double limit, size_t bytes, size_t size, uint32_t * count)
{
  memcpy(count, vv_bytes(v, sizeof(*count)), sizeof(*count));
  const uint8_t * from = vv_bytes(v, *count * (uint64_t)bytes);
  uint8_t * to = memset(vv_take(v, *count, size), 0, *count * size);
  for (size_t i = 0; i < *count; i++) {
    memcpy(to + i * size, from + i * bytes, bytes);
    const double * x = (const double *)(void *)(to + i * size);
    for (size_t j = 0; j < reals; j++) {
      need(v, fabs(x[j]) <= limit, "a number is too large");
    }
  }
  return to;
}

/* [V-NEXT] Ensures: the next `count` records of the run, of which there is one at least. */
const void * vv_next(vv_verifier * v, vv_run * run, uint64_t count)
{
  need(v, count > 0 && count <= run->left, "a list is empty, or its table is too short");
  run->left -= (uint32_t)count;
  run->at += count * run->size;
  return run->at - count * run->size;
}

/* [V-POSE] Ensures: contains the motion of the quaternion at place and t; its length is within 1e-3
 * of 1. */
rigid vv_pose(vv_verifier * v, const double * q, vec t)
{
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  need(v, fabs(norm - 1.0) <= 1e-3, "the length of a quaternion is not 1");
  return pose_of(q, t);
}

/* [V-DIRECTION] Ensures: the next three numbers, |n|^2 <= limit up to rounding.
 * Why:      VV_N^2 > VV_UNIT + 2^-21. */
vec vv_direction(vv_verifier * v, double limit)
{
  float f[3];
  memcpy(f, vv_bytes(v, sizeof(f)), sizeof(f));
  const double n[3] = {(double)f[0], (double)f[1], (double)f[2]};
  need(v, n[0] * n[0] + n[1] * n[1] + n[2] * n[2] <= limit, "a direction is longer than 1");
  return vector(n);
}

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

/* The eight words of FIPS 180-4, 6.2. */
typedef struct { uint32_t a, b, c, d, e, f, g, h; } words;

/* [V-BLOCK] Ensures: *hash is the next hash after the block of 64 bytes at p (6.2.2).
 * Why:      w[i % 16] is word i of the message schedule from round i on. */
static void hash_block(words * hash, const uint8_t * p)
{
  uint32_t w[16];
  words s = *hash;
  memcpy(w, p, sizeof(w));
#pragma GCC unroll 64
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t x = w[(i + 1) % 16], y = w[(i + 14) % 16], old = w[i % 16];
    const uint32_t mixed = (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[(i + 9) % 16];
    const uint32_t late = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10;
    w[i % 16] = i < 16 ? __builtin_bswap32(old) : old + mixed + late;
    const uint32_t t = s.h + (rotr(s.e, 6) ^ rotr(s.e, 11) ^ rotr(s.e, 25)) +
      ((s.e & s.f) ^ (~s.e & s.g)) + constants[i] + w[i % 16];
    const uint32_t q = (s.a & s.b) ^ (s.a & s.c) ^ (s.b & s.c);
    const uint32_t r = rotr(s.a, 2) ^ rotr(s.a, 13) ^ rotr(s.a, 22);
    s = (words) {t + r + q, s.a, s.b, s.c, s.d + t, s.e, s.f, s.g};
  }
  *hash = (words) {hash->a + s.a, hash->b + s.b, hash->c + s.c, hash->d + s.d, hash->e + s.e,
    hash->f + s.f, hash->g + s.g, hash->h + s.h};
}

/* [V-SHA] Requires: size < 2^61. Ensures: digest is the SHA-256 of the size bytes of data.
 * Why:      5.1.1 pads to whole blocks. */
void vv_sha256(const uint8_t * data, size_t size, uint8_t digest[32])
{
  words hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
    0x1f83d9ab, 0x5be0cd19};
  const size_t rest = size % 64, whole = size - rest, padded = rest < 56 ? 64 : 128;
  uint8_t tail[128] = {0};
  memcpy(tail, data + whole, rest);
  tail[rest] = 0x80;
  const uint64_t bits = __builtin_bswap64((uint64_t)size * 8);
  memcpy(tail + padded - sizeof(bits), &bits, sizeof(bits));
  for (size_t at = 0; at < whole + padded; at += 64) {
    hash_block(&hash, at < whole ? data + at : tail + (at - whole));
  }
  uint32_t word[8];
  memcpy(word, &hash, sizeof(word));
  for (int i = 0; i < 8; i++) {
    word[i] = __builtin_bswap32(word[i]);
  }
  memcpy(digest, word, sizeof(word));
}

/* [V-CACHE] Ensures: an empty cache; its values need not be set. */
static vv_cache cache(vv_verifier * v, size_t slots, size_t size)
{
  uint64_t(*keys)[4] = memset(vv_take(v, slots, sizeof(*keys)), 0, slots * sizeof(*keys));
  return (vv_cache) {keys, vv_take(v, slots, size), slots, size, 0};
}

/* [V-GEOMETRIES] Requires: length bytes are left.
 * Ensures:  the geometries of the next part, which has this length, are as the format describes
 *           them; it is kept, with its hash.
 * Why:      what was kept was loaded from the same bytes: it has a length only after that. */
static void load_geometries(vv_verifier * v, struct vouch_verify_kept * k, size_t length)
{
  const uint8_t * part = v->at;
  const bool same = length > 0 && k->length == length && memcmp(k->bytes, part, length) == 0;
  if (!same) {
    vouch_verify_forget(k);
    k->bytes = malloc(17 * length + 16);
    need(v, k->bytes != NULL, "no memory for a problem of this size");
    v->arena = (uint8_t *)memcpy(k->bytes, part, length) + (length + 15) / 16 * 16;
    v->arena_left = 16 * length;
    memcpy(&k->count, vv_bytes(v, sizeof(k->count)), sizeof(k->count));
    vv_geometry * g = k->geometries = vv_take(v, k->count, sizeof(vv_geometry));
    for (uint32_t i = 0; i < k->count; i++) {
      vv_load_geometry(v, &g[i]);
    }
    vv_sha256(part, length, k->hash);
    k->length = length == (size_t)(v->at - part) ? length : 0;
  }
  (void)vv_bytes(v, same ? length : 0);
  v->geometries = k->geometries;
  v->geometry_count = k->count;
}

/* [V-PROBLEM] Requires: memory of `size` bytes.
 * Ensures:  the problem is loaded, the hashes of its parts are in the report. */
static void load_problem(vv_verifier * v, void * memory, size_t size)
{
  need(v, memcmp(vv_bytes(v, 12), "VOUCHPRB\1\0\0\0", 12) == 0, "not a problem of version 1");
  struct { uint32_t tag, length, zero; } head;
  for (uint32_t i = 0; i < 3; i++) {
    memcpy(&head, vv_bytes(v, sizeof(head)), sizeof(head));
    const uint8_t * part = v->at;
    const bool there = head.tag == i + 1 && head.length <= v->left && head.zero == 0;
    need(v, there, "a part of the problem is missing");
    if (i == 0) {load_geometries(v, v->kept, head.length);}
    v->arena = i == 0 ? memory : v->arena;
    v->arena_left = i == 0 ? size : v->arena_left;
    if (i > 0) {(i == 1 ? vv_load_scene : vv_load_motion)(v);}
    need(v, head.length == v->at - part, "a part of the problem is longer or shorter");
    if (i > 0) {vv_sha256(part, head.length, v->report->hash[i]);}
  }
  memcpy(v->report->hash[0], v->kept->hash, sizeof(v->kept->hash));
  need(v, v->left == 0, "bytes follow the problem");
}

/* [V-CERTIFICATE] Ensures: what the certificate claims is proved. */
static void check_certificate(vv_verifier * v)
{
  struct { char name[12]; uint32_t kind; uint8_t hash[3][32]; double margin, tolerance; } c;
  struct vouch_verify_report * out = v->report;
  memcpy(&c, vv_bytes(v, sizeof(c)), sizeof(c));
  const bool free = c.kind == VOUCH_VERIFY_FREE;
  const bool named = memcmp(c.name, "VOUCHCRT\1\0\0\0", 12) == 0;
  need(v, named && (free || c.kind == VOUCH_VERIFY_COLLISION), "not a certificate of version 1");
  v->code = VOUCH_VERIFY_REFUSED;
  out->kind = (int)c.kind;
  need(v, memcmp(c.hash, out->hash, sizeof(c.hash)) == 0, "it is about another problem (hashes)");
  need(v, c.margin >= 0.0 && c.margin <= out->margin, "the margin is not every pair's");
  need(v, c.tolerance == out->tolerance, "the tolerance is not the motion's largest");
  out->margin = c.margin;
  if (!free) {vv_check_collision(v);}
  if (free || v->skips) {vv_prove(v);}
  need(v, v->left == 0 && (!free || out->leaves > 0), "bytes are left over, or nothing is checked");
}

/* [V-ATTEMPT] Ensures: VOUCH_VERIFY_OK only if nothing jumped out. room: for caches and goals.
 * Why:      a leaf takes 13 bytes, so there are slots for the times and spans of a certificate. An
 *           odd number of slots spreads keys that are multiples of powers of two. */
static int attempt(vv_verifier * v, const void * certificate, size_t size, size_t room)
{
  if (setjmp(v->refused) != 0) {return v->code;}
  need(v, environment(), "floating-point environment: not IEEE 754's default");
  v->code = VOUCH_VERIFY_MALFORMED;
  need(v, v->memory != NULL, "no memory for a problem of this size");
  load_problem(v, v->memory, 16 * v->left + room);
  v->steps = vv_take(v, v->frame_count, sizeof(uint32_t));
  v->radii = vv_take(v, v->frame_count, sizeof(double));
  v->goals = vv_take(v, VV_GOALS, sizeof(vv_goal));
  const size_t pose = v->frame_count * sizeof(rigid), wanted = size / 13 + 64;
  const size_t bound = (v->variable_count + 1) * sizeof(vv_bound);
  const size_t most = room / 2 / (pose + bound + 64), slots = most < wanted ? most : wanted;
  v->poses = cache(v, slots | 1, pose);
  v->bounds = cache(v, slots | 1, bound);
  v->at = certificate;
  v->left = size;
  check_certificate(v);
  return VOUCH_VERIFY_OK;
}

void vouch_verify_forget(struct vouch_verify_kept * kept)
{
  free(kept->bytes);
  *kept = (struct vouch_verify_kept) {.length = 0};
}

int vouch_verify_memory(
  struct vouch_verify_kept * kept, const void * problem, size_t problem_size,
  const void * certificate, size_t certificate_size, struct vouch_verify_report * report)
{
  const size_t most = 1 << 20, used = certificate_size < most ? certificate_size : most;
  const size_t room = 256 * used + 4 * most;
  struct vouch_verify_kept own = {.length = 0};
  vv_verifier v = {.report = report, .kept = kept == NULL ? &own : kept, .at = problem,
    .left = problem_size, .code = VOUCH_VERIFY_REFUSED};
  *report = (struct vouch_verify_report) {.margin = INFINITY};
  v.memory = problem_size < UINT32_MAX ? malloc(16 * problem_size + room) : NULL;
  const int code = attempt(&v, certificate, certificate_size, room);
  free(v.memory);
  vouch_verify_forget(&own);
  return code;
}
