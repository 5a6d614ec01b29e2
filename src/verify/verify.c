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

/* The verifier's entry: environment, problem, certificate, verdict. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* [V-ENVIRONMENT] Ensures: on true this thread rounds to nearest and keeps subnormal numbers.
 * Why:      bits 15, 14, 13 and 6 of MXCSR (flush, rounding, denormals are zeros), and a try. */
static bool environment(void)
{
  volatile double one = 1.0, tiny = 0x1p-1022, least = 0x1p-1074, u = 0x1p-53;
  bool good = one + u == 1.0 && -one - u == -1.0 && tiny * 0.5 != 0.0 && least + tiny > tiny;
#if defined(__SSE2__)
  good = good && (__builtin_ia32_stmxcsr() & 0xe040) == 0;
#endif
  return good && one + 1.5 * u == 1.0 + 0x1p-52 && -one - 1.5 * u == -1.0 - 0x1p-52;
}

/* [V-CACHE] Ensures: an empty cache with about so many bytes of memory.
 * Why:      an odd number of slots spreads keys that are multiples of powers of two. */
static vv_cache cache(vv_verifier * v, size_t bytes, size_t size)
{
  const size_t slots = bytes / size | 1;
  return (vv_cache) {vv_take(v, slots, 24), vv_take(v, slots, size), slots, size};
}

/* [V-PROBLEM] Ensures: the problem is loaded, the hashes of its parts are in the report, the walk
 * has its memory. */
static void load_problem(vv_verifier * v)
{
  need(v, memcmp(vv_bytes(v, 12), "VOUCHPRB\1\0\0\0", 12) == 0, "not a problem of version 1");
  uint64_t length;
  for (uint32_t i = 0; i < 3; i++) {
    need(v, vv_number(v) == i + 1, "a part of the problem is missing");
    memcpy(&length, vv_bytes(v, sizeof(length)), sizeof(length));
    const uint8_t * part = v->at;
    (i == 0 ? vv_load_geometries : i == 1 ? vv_load_scene : vv_load_motion)(v);
    need(v, length == (uint64_t)(v->at - part), "a part of the problem is longer or shorter");
    vv_sha256(part, (size_t)length, v->report->hash[i]);
  }
  need(v, v->left == 0, "bytes follow the problem");
  v->steps = vv_take(v, v->frame_count, sizeof(uint32_t));
  v->goals = vv_take(v, VV_GOALS, sizeof(vv_goal));
  v->poses = cache(v, 1 << 22, v->frame_count * sizeof(rigid));
  v->radii = cache(v, 1 << 18, v->frame_count * sizeof(double));
  v->bounds = cache(v, 1 << 20, (v->variable_count + 1) * 3 * sizeof(double));
  v->report->pairs = v->pair_count;
}

/* [V-CERTIFICATE] Ensures: what the certificate claims is proved. */
static void check_certificate(vv_verifier * v)
{
  struct { char name[12]; uint32_t kind; uint8_t hash[3][32]; double margin, tolerance; } c;
  struct vouch_verify_report * out = v->report;
  memcpy(&c, vv_bytes(v, sizeof(c)), sizeof(c));
  const bool named = memcmp(c.name, "VOUCHCRT\1\0\0\0", 12) == 0,
    free = c.kind == VOUCH_VERIFY_FREE;
  need(v, named && (free || c.kind == VOUCH_VERIFY_COLLISION), "not a certificate of version 1");
  v->code = VOUCH_VERIFY_REFUSED;
  out->kind = (int)c.kind;
  out->margin = c.margin;
  need(v, memcmp(c.hash, out->hash, sizeof(c.hash)) == 0, "it is about another problem (hashes)");
  need(v, c.margin >= 0.0 && c.margin <= v->least_margin, "the margin is not every pair's");
  need(v, c.tolerance == out->tolerance, "the tolerance is not the motion's largest");
  if (!free) {vv_check_collision(v);}
  need(v, free || v->skips || v->left == 0, "ops without a claim");
  if (free || v->skips) {vv_walk(v);}
  need(v, !free || out->leaves > 0, "nothing is checked");
  out->free_until_t_lo = v->skips;
  out->seconds = v->seconds[v->segment_count] - v->seconds[0];
}

/* [V-ATTEMPT] Ensures: VOUCH_VERIFY_OK only if nothing jumped out. */
static int attempt(vv_verifier * v, const void * certificate, size_t size)
{
  if (setjmp(v->refused) != 0) {return v->code;}
  need(v, v->arena != NULL, "no memory for a problem of this size");
  load_problem(v);
  v->at = certificate;
  v->left = size;
  check_certificate(v);
  return VOUCH_VERIFY_OK;
}

int vouch_verify_memory(
  const void * problem, size_t problem_size, const void * certificate, size_t certificate_size,
  struct vouch_verify_report * report)
{
  vv_verifier v = {.report = report, .code = VOUCH_VERIFY_MALFORMED, .least_margin = INFINITY,
    .at = problem, .left = problem_size, .arena_left = 16 * problem_size + (UINT32_C(1) << 24)};
  memset(report, 0, sizeof(*report));
  strcpy(report->reason, environment() ? "" : "floating-point environment: not IEEE 754's default");
  if (report->reason[0] != 0) {return VOUCH_VERIFY_REFUSED;}
  void * memory = problem_size < UINT32_MAX ? calloc(v.arena_left, 1) : NULL;
  v.arena = memory;
  const int code = attempt(&v, certificate, certificate_size);
  free(memory);
  return code;
}
