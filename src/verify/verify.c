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

/* The verifier is one translation unit: its parts in the order in which they use each other; then
 * the files' headers, the floating-point environment, the report. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "verify.h"
#include "sha256.h"
#include "internal.h"
#include "geometry.h"
#include "motion.h"
#include "scene.h"
#include "contact.h"
#include "prove.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they are stored");

/* [V-ENVIRONMENT] Ensures: on true this thread rounds to nearest and keeps subnormal numbers.
 * Why:      of the sums, up changes the first, down the second, to zero the last two; flushing
 *           makes the product 0, and subnormal numbers that are read as 0 change the next sum. */
static bool environment(void)
{
  volatile double one = 1.0, tiny = 0x1p-1022, least = 0x1p-1074, u = 0x1p-53;
  const bool good = one + u == 1.0 && -one - u == -1.0 && tiny * 0.5 != 0.0 && least + tiny > tiny;
  return good && one + 1.5 * u == 1.0 + 0x1p-52 && -one - 1.5 * u == -1.0 - 0x1p-52;
}

/* [V-GEOMETRIES] Ensures: all are as the format describes them. */
static void load_geometries(verifier * v)
{
  uint32_t i = 0;
  v->geometries = table(v, 0, 0.0, 0, sizeof(geometry_t), &v->geometry_count);
  while (i < v->geometry_count) {load_geometry(v, &v->geometries[i++]);}
}

/* [V-PROBLEM] Ensures: the problem is loaded, with the hashes of its parts. */
static void load_problem(verifier * v)
{
  need(v, memcmp(bytes(v, 12), "VOUCHPRB\2\0\0\0", 12) == 0, "not a problem of version 2");
  for (uint32_t i = 0; i < 3; i++) {
    struct { uint32_t tag, length, zero; } head;
    memcpy(&head, bytes(v, sizeof(head)), sizeof(head));
    const uint8_t * part = v->at;
    need(v, head.tag == i + 1 && head.length <= v->left && head.zero == 0, "a part is missing");
    sha256(part, head.length, v->hash[i]);
    (i == 0 ? load_geometries : i == 1 ? load_motion : load_scene)(v);
    need(v, v->at == part + head.length, "a part of the problem is longer or shorter");
  }
  need(v, v->left == 0, "bytes follow the problem");
}

/* [V-CERTIFICATE] Ensures: what the certificate claims is proved. No time is told later than it is:
 * its first 52 bits are exact in binary64. */
static void check_certificate(verifier * v)
{
  struct { char name[12]; uint32_t kind, hash[3][8]; uint64_t t_lo; } c;
  memcpy(&c, bytes(v, sizeof(c)), sizeof(c));
  const bool free = c.kind == VOUCH_VERIFY_FREE, collision = c.kind == VOUCH_VERIFY_COLLISION;
  const bool named = memcmp(c.name, "VOUCHCRT\2\0\0\0", 12) == 0;
  need(v, named && (free || collision), "not a certificate of version 2");
  v->report->code = VOUCH_VERIFY_REFUSED;
  v->report->kind = (int)c.kind;
  need(v, memcmp(c.hash, v->hash, sizeof(c.hash)) == 0, "it is about another problem (hashes)");
  const uint64_t end = v->segment_count * ONE;
  need(v, !free || c.t_lo == end, "it is not about the whole motion");
  v->t_lo = c.t_lo;
  if (collision) {check_collision(v);}
  for (v->goal_count = 0; v->goal_count < v->pair_count; v->goal_count++) {
    v->goals[v->goal_count] = (goal_t) {v->goal_count, {0, 0}};
  }
  prove(v, (span_t) {0, end, poses_at(v, 0, false), poses_at(v, end, true)}, 0);
  need(v, v->left == 0, "bytes follow the proof");
  need(v, collision || v->report->leaves > 0, "nothing is checked");
  char * text = v->report->text;
  const double until = (double)(v->t_lo >> 12) * 0x1p-32, shown = (double)(v->t_hi >> 12) * 0x1p-32;
  const double duration = v->segments[v->segment_count - 1].seconds - v->seconds;
  text += sprintf(
    text, "VERIFIED %s\nrobot: %s\npairs: %u\nleaves: %u\nmargin: %.17g m\nlargest tolerance: "
    "%.17g\nduration: %.17g s\nfree until: segment %.17g", free ? "FREE" : "COLLISION", v->robot,
    v->pair_count, v->report->leaves, v->margin, v->tolerance, duration, until);
  if (collision) {sprintf(text, "\napart: %.17g m, at segment %.17g", v->apart, shown);}
}

struct vouch_verifier * vouch_verify_load(
  const void * problem, size_t size, struct vouch_verify_report * report)
{
  const size_t room = 64 * size + (1 << 23);
  verifier * v = size < UINT32_MAX ? malloc(sizeof(*v) + room) : NULL;
  *report = (struct vouch_verify_report) {.code = VOUCH_VERIFY_REFUSED, .text = "no memory"};
  if (v == NULL) {return NULL;}
  *v = (verifier) {.report = report, .left = size, .margin = INFINITY,
    .arena = (uint8_t *)(v + 1), .end = (uint8_t *)(v + 1) + room};
  if (setjmp(v->refused) != 0) {free(v); return NULL;}
  need(v, environment(), "floating-point environment: not IEEE 754's default");
  report->code = VOUCH_VERIFY_MALFORMED;
  v->at = memcpy(take(v, size, 1), problem, size);
  load_problem(v);
  v->goals = take(v, GOALS, sizeof(goal_t));
  v->loaded = v->arena;
  return v;
}

int vouch_verify_check(
  struct vouch_verifier * v, const void * certificate, size_t size,
  struct vouch_verify_report * report)
{
  *report = (struct vouch_verify_report) {.code = VOUCH_VERIFY_REFUSED};
  v->report = report;
  v->arena = v->loaded;
  v->at = certificate;
  v->left = size;
  if (setjmp(v->refused) != 0) {return report->code;}
  need(v, environment(), "floating-point environment: not IEEE 754's default");
  report->code = VOUCH_VERIFY_MALFORMED;
  check_certificate(v);
  return report->code = VOUCH_VERIFY_OK;
}
