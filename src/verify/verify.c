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
  volatile double one = 1.0;
  volatile double tiny = 0x1p-1022;
  volatile double u = 0x1p-53;
  bool good = one + u == 1.0 && one + 1.5 * u == 1.0 + 0x1p-52 && -one - u == -1.0;
  good = good && -one - 1.5 * u == -1.0 - 0x1p-52 && tiny * 0.5 != 0.0 && 0x1p-1074 + tiny > tiny;
#if defined(__SSE2__)
  good = good && (__builtin_ia32_stmxcsr() & 0xe040) == 0;
#endif
  return good;
}

/* [V-CACHE] Ensures: on true the cache is empty and has its memory. */
static bool take_cache(vv_verifier * v, vv_cache * c, size_t slots, size_t size)
{
  *c = (vv_cache) {vv_take(v, slots, sizeof(c->keys[0])), vv_take(v, slots, size), slots, size};
  return !v->bad;
}

/* [V-TABLES] Ensures: on true the walk has its memory. */
static bool take_tables(vv_verifier * v)
{
  const size_t variables = v->variable_count, bounds = variables * sizeof(vv_bound);
  const size_t slots = v->segment_count + 1 + VV_BOUNDS / (variables + 1);
  v->steps = vv_take(v, v->frame_count, sizeof(uint32_t));
  v->goals = vv_take(v, VV_GOALS, sizeof(vv_goal));
  for (int i = 0; i < 3; i++) {
    v->identity.r[i].x[i] = vv_point(1.0);
  }
  return take_cache(v, &v->bounds, slots, bounds) &&
         take_cache(v, &v->poses, VV_POSES, sizeof(vv_pose)) &&
         take_cache(v, &v->radii, VV_RADII, VV_JOINTS * sizeof(double));
}

/* [V-HEADER] Ensures: true if the next bytes are this name and version 1. */
static bool header(vv_reader * r, const char * name)
{
  const vv_reader part = vv_bytes(r, 8);
  const bool named = part.left == 8 && memcmp(part.at, name, 8) == 0;
  return vv_number(r, 4) == 1 && named;
}

/* [V-GEOMETRIES] Ensures: on true all geometries are as the format describes them. */
static bool load_geometries(vv_verifier * v, vv_reader * r)
{
  v->geometries = vv_array(v, r, 32, sizeof(vv_geometry), &v->geometry_count);
  for (uint32_t i = 0; !v->bad && i < v->geometry_count; i++) {
    if (!vv_load_geometry(v, r, &v->geometries[i])) {
      return vv_need(v, false, "geometry: malformed");
    }
  }
  return !v->bad;
}

/* [V-PROBLEM] Ensures: on true the problem is loaded, the hashes of its parts in the report. */
static bool load_problem(vv_verifier * v, vv_reader r)
{
  bool(*const load[3])(vv_verifier *, vv_reader *) = {
    load_geometries, vv_load_scene, vv_load_motion
  };
  if (!vv_need(v, header(&r, "VOUCHPRB"), "not a problem file of version 1")) {return false;}
  for (uint32_t i = 0; i < 3; i++) {
    const bool expected = vv_number(&r, 4) == i + 1;
    vv_reader part = vv_bytes(&r, vv_number(&r, 8));
    if (!vv_need(v, expected && !v->bad, "a part of the problem is missing")) {return false;}
    vv_sha256(part.at, part.left, v->report->hash[i]);
    const bool good = load[i](v, &part) && part.left == 0 && !v->bad;
    if (!vv_need(v, good, "a part of the problem is malformed")) {return false;}
  }
  return vv_need(v, r.left == 0 && take_tables(v), "bytes follow the problem, or it is too large");
}

/* [V-MARGINS] Ensures: true if no checked margin is smaller than the certificate's. */
static bool margins_hold(const vv_verifier * v)
{
  for (uint32_t i = 0; i < v->pair_count; i++) {
    const vv_pair * p = &v->pairs[i];
    const bool group = p->kind == VV_PAIR_GROUP;
    if (!group && !(p->margin >= v->report->margin)) {return false;}
    for (uint32_t g = 0; group && g < v->groups.node_count; g++) {
      if (p->entries[g] >= 0.0 && !(p->entries[g] >= v->report->margin)) {return false;}
    }
  }
  return v->report->margin >= 0.0;
}

/* [V-CLAIMS] Ensures: on true the certificate is about this problem, its margin is no larger than
 * any checked one, its tolerances are the motion's. */
static bool check_claims(vv_verifier * v, vv_reader * r)
{
  struct vouch_verify_report * out = v->report;
  const bool named = header(r, "VOUCHCRT");
  const vv_reader hashes = vv_bytes(r, sizeof(out->hash));
  uint32_t kind, count;
  VV_READ(r, "bxi", &kind, &out->margin, &count);
  vv_reader tolerances = vv_bytes(r, 8 * (uint64_t)count);
  v->malformed = v->bad || !named || kind < VOUCH_VERIFY_FREE || kind > VOUCH_VERIFY_COLLISION;
  out->kind = (int)kind;
  if (!vv_need(v, !v->malformed, "not a certificate of version 1, or cut")) {return false;}
  const bool same = memcmp(hashes.at, out->hash, sizeof(out->hash)) == 0;
  if (!vv_need(v, same, "the certificate is about another problem (hashes)")) {return false;}
  bool equal = count == v->variable_count;
  for (uint32_t j = 0; equal && j < count; j++) {
    double given;
    VV_READ(&tolerances, "x", &given);
    equal = memcmp(&given, &v->tolerances[j], sizeof(given)) == 0;
    out->tolerance = vv_max(out->tolerance, given);
  }
  return vv_need(v, equal, "the tolerances are not those of the motion") &&
         vv_need(v, margins_hold(v), "a pair has a smaller margin than the certificate says");
}

/* [V-CERTIFICATE] Ensures: on true what the certificate claims is proved. */
static bool check_certificate(vv_verifier * v, vv_reader r)
{
  if (!check_claims(v, &r)) {return false;}
  const bool free = v->report->kind == VOUCH_VERIFY_FREE;
  if (!free && !vv_collision(v, &r)) {return false;}
  v->ops = vv_bytes(&r, vv_number(&r, 8));
  v->malformed = v->bad || r.left > 0;
  if (!vv_need(v, !v->malformed, "the certificate is cut or too long")) {return false;}
  if (!free && !v->skips) {return vv_need(v, v->ops.left == 0, "ops without a claim");}
  if (v->t_lo.tick == VV_ONE) {v->t_lo = (vv_time) {v->t_lo.segment + 1, 0};}
  return vv_walk(v) && vv_need(v, !free || v->report->leaves > 0, "nothing is checked");
}

/* [V-SECONDS] Ensures: the time for the report, not for the proof. */
static double seconds_at(const vv_verifier * v, vv_time at)
{
  const double begin = v->seconds[at.segment];
  if (at.tick == 0) {return begin;}
  return begin + (v->seconds[at.segment + 1] - begin) * ((double)at.tick / (double)VV_ONE);
}

int vouch_verify_memory(
  const void * problem, size_t problem_size, const void * certificate, size_t certificate_size,
  struct vouch_verify_report * report)
{
  vv_verifier v = {.report = report, .malformed = true};
  memset(report, 0, sizeof(*report));
  const char * changed = "floating-point environment: rounding or subnormals are not IEEE 754's";
  if (!vv_need(&v, environment(), changed)) {return VOUCH_VERIFY_REFUSED;}
  v.arena_left = 16 * problem_size + (UINT32_C(1) << 22);
  uint8_t * memory = problem_size < UINT32_MAX ? calloc(v.arena_left, 1) : NULL;
  v.arena = memory;
  const vv_reader p = {problem, problem_size, &v.bad}, c = {certificate, certificate_size, &v.bad};
  bool proved = vv_need(&v, memory != NULL, "no memory for a problem of this size");
  proved = proved && load_problem(&v, p) && check_certificate(&v, c);
  report->pairs = v.pair_count;
  report->free_until_t_lo = v.skips;
  if (proved) {
    report->seconds = v.seconds[v.segment_count] - v.seconds[0];
    report->t_lo = seconds_at(&v, v.t_lo);
    report->t_hi = seconds_at(&v, v.t_hi);
  }
  free(memory);
  if (proved) {return VOUCH_VERIFY_OK;}
  return v.bad || v.malformed ? VOUCH_VERIFY_MALFORMED : VOUCH_VERIFY_REFUSED;
}
