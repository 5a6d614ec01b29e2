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

/* The files' headers, the floating-point environment, the verdict. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sha256.h"

/* [V-ENVIRONMENT] Ensures: on true this thread rounds to nearest and keeps subnormal numbers.
 * Why:      of the sums, up changes the first, down the second, to zero the last two; flushing
 *           makes the product 0, and subnormal numbers that are read as 0 change the next sum. */
static bool environment(void)
{
  volatile double one = 1.0, tiny = 0x1p-1022, least = 0x1p-1074, u = 0x1p-53;
  const bool good = one + u == 1.0 && -one - u == -1.0 && tiny * 0.5 != 0.0 && least + tiny > tiny;
  return good && one + 1.5 * u == 1.0 + 0x1p-52 && -one - 1.5 * u == -1.0 - 0x1p-52;
}

/* [V-HEAD] Ensures: the file begins with that name and is of version 3. */
static bool check_head(verifier * v, const char * name, const char * other)
{
  const uint8_t * at, * version;
  if (!v_bytes(v, 12, &at) || !v_need(v, memcmp(at, name, 8) == 0, other)) {return false;}
  version = at + 8;
  const uint32_t number = v_u32(&version);
  return v_need(v, number != 2, "a file of version 2: check again with this version") &&
         v_need(v, number == 3, "not a file of version 3");
}

/* [V-SOURCES] Ensures: the part is as the format describes it. No proof depends on it. */
static bool load_sources(verifier * v)
{
  const uint8_t * at;
  const char * name;
  uint32_t count;
  return v_table(v, 32, &count, &at) && v_names(v, 1 + 2 * (uint64_t)count, &name);
}

/* [V-PROBLEM] Ensures: the problem is loaded, with the hashes of its parts and its own. */
static bool load_problem(verifier * v)
{
  bool(*const load[4])(verifier *) = {v_load_geometries, v_load_motion, v_load_scene,
    load_sources};
  uint8_t own[32];
  if (!check_head(v, "VOUCHPRB", "not a problem")) {return false;}
  for (uint32_t i = 0; i < 4; i++) {
    const uint8_t * at;
    if (!v_bytes(v, 12, &at)) {return false;}
    const uint32_t tag = v_u32(&at);
    const uint64_t length = v_u64(&at);
    if (!v_need(v, tag == i + 1 && length <= v->left, "a part is missing")) {return false;}
    const uint8_t * end = v->at + length;
    v_sha256(v->at, (size_t)length, v->hash[i]);
    const size_t rest = v->left - (size_t)length;
    v->left = (size_t)length;
    if (!load[i](v) || !v_need(v, v->at == end, "a part of the problem is longer")) {return false;}
    v->left = rest;
  }
  v_sha256(v->hash[0], sizeof(v->hash), own);
  for (int i = 0; i < 32; i++) {
    sprintf(v->report.hash + 2 * i, "%02x", own[i]);
  }
  return v_need(v, v->left == 0, "bytes follow the problem");
}

/* [V-CERTIFICATE] Ensures: what the certificate claims is proved. No time is told later than it is:
 * its first 52 bits are exact in binary64. */
static bool check_certificate(verifier * v)
{
  const uint8_t * at;
  if (!check_head(v, "VOUCHCRT", "not a certificate") || !v_bytes(v, 4, &at)) {return false;}
  const uint32_t kind = v_u32(&at);
  const bool free = kind == VOUCH_VERIFY_FREE, collision = kind == VOUCH_VERIFY_COLLISION;
  if (!v_need(v, free || collision, "a certificate of an unknown kind")) {return false;}
  if (!v_bytes(v, sizeof(v->hash) + 8, &at)) {return false;}
  v->report.code = VOUCH_VERIFY_REFUSED;
  v->report.kind = (int)kind;
  const bool same = memcmp(at, v->hash, sizeof(v->hash)) == 0;
  at += sizeof(v->hash);
  v->t_lo = v_u64(&at);
  v->report.free_until = (double)(v->t_lo >> 12) * 0x1p-32;
  const bool whole = !free || v->t_lo == v->segment_count * ONE;
  const bool planes = free && v->report.left_out[REASON_PLANES] > 0;
  return v_need(v, same, "it is about another problem (hashes)") &&
         v_need(v, whole, "it is not about the whole motion") &&
         v_need(v, !planes, "two planes cannot be checked against each other") &&
         (free || v_check_collision(v)) && v_prove(v) &&
         v_need(v, v->left == 0, "bytes follow the proof") &&
         v_need(v, collision || v->report.leaves > 0, "nothing is checked");
}

struct vouch_verifier * vouch_verify_load(
  const void * problem, size_t size, struct vouch_verify_report * report)
{
  const size_t room = 64 * (size / 8 * 8) + (UINT64_C(1) << 26);
  verifier * v = size < UINT32_MAX ? calloc(1, sizeof(*v) + room) : NULL;
  *report = (struct vouch_verify_report) {.code = VOUCH_VERIFY_REFUSED, .text = "no memory"};
  if (v == NULL) {return NULL;}
  v->report = (struct vouch_verify_report) {.code = VOUCH_VERIFY_REFUSED, .margin = INFINITY};
  v->arena = (uint8_t *)(v + 1);
  v->end = v->arena + room;
  v->at = problem;
  v->left = size;
  v->budget = UINT64_C(1) << 40;
  bool good = v_need(v, environment(), "floating-point environment: not IEEE 754's default");
  v->report.code = good ? VOUCH_VERIFY_MALFORMED : VOUCH_VERIFY_REFUSED;
  good = good && load_problem(v);
  uint64_t slots = 64;
  while (slots < 64 * ((uint64_t)v->mover_count + 1) && slots < 1 << 16) {slots *= 2;}
  v->cache_mask = (uint32_t)slots - 1;
  good = good && (v->cache = v_take(v, slots, sizeof(known_t))) != NULL &&
    (v->goals = v_take(v, GOALS, sizeof(goal_t))) != NULL;
  v->report.frames = v->frame_count;
  v->report.bodies = v->body_count;
  v->report.groups = v->group_count;
  v->loaded = *report = v->report;
  if (!good) {free(v);}
  return good ? v : NULL;
}

void vouch_verify_set_budget(struct vouch_verifier * v, uint64_t steps) {v->budget = steps;}

int vouch_verify_check(
  struct vouch_verifier * v, const void * certificate, size_t size,
  struct vouch_verify_report * report)
{
  v->report = v->loaded;
  v->report.code = VOUCH_VERIFY_REFUSED;
  v->report.steps = 0;
  v->check_count++;
  v->at = certificate;
  v->left = size;
  bool good = v_need(v, environment(), "floating-point environment: not IEEE 754's default");
  v->report.code = good ? VOUCH_VERIFY_MALFORMED : VOUCH_VERIFY_REFUSED;
  good = good && check_certificate(v);
  if (good) {
    v->report.code = VOUCH_VERIFY_OK;
    const bool free = v->report.kind == VOUCH_VERIFY_FREE;
    strcpy(v->report.text, free ? "VERIFIED FREE" : "COLLISION SHOWN");
  }
  *report = v->report;
  return report->code;
}
