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

/* Refusing, counting work, memory, and how bytes become numbers: each field by itself. */

#include <stdio.h>
#include <string.h>

#include "internal.h"

_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE 754 binary64 and binary32");

/* [V-NEED] Ensures: true only if the condition holds; else the report says why it is refused. */
bool v_need(verifier * v, bool condition, const char * reason)
{
  if (condition) {return true;}
  snprintf(v->report.text, sizeof(v->report.text), "%s (%zu bytes left)", reason, v->left);
  return false;
}

/* [V-SPEND] Ensures: no more than the budget is spent. Why: the difference cannot wrap. */
bool v_spend(verifier * v, uint64_t steps)
{
  const bool enough = steps <= v->budget - v->report.steps;
  v->report.steps += enough ? steps : 0;
  return v_need(v, enough, "the proof needs more steps of work than its budget");
}

/* [V-TAKE] Requires: size > 0.
 * Ensures:  memory for count elements, all zero, right behind what was taken before if sizes are
 *           multiples of 8; NULL: refused.
 * Why:      what is left is a multiple of 8, so rounding up to one does not exceed it. */
void * v_take(verifier * v, uint64_t count, size_t size)
{
  const bool enough = count <= (size_t)(v->end - v->arena) / size;
  if (!v_need(v, enough, "too much memory is needed")) {return NULL;}
  void * taken = v->arena;
  v->arena += ((size_t)count * size + 7) / 8 * 8;
  return taken;
}

/* [V-BYTES] Ensures: at is where the next `length` bytes are, which are skipped. */
bool v_bytes(verifier * v, uint64_t length, const uint8_t ** at)
{
  *at = v->at;
  v->report.code = length > v->left ? VOUCH_VERIFY_MALFORMED : v->report.code;
  if (!v_need(v, length <= v->left, "the file is cut")) {return false;}
  v->at += length;
  v->left -= (size_t)length;
  return true;
}

/* [V-TABLE] Ensures: a count was read, and so many records of `record` bytes begin at `at`. */
bool v_table(verifier * v, size_t record, uint32_t * count, const uint8_t ** at)
{
  if (!v_bytes(v, 4, at)) {return false;}
  *count = v_u32(at);
  return v_bytes(v, *count * (uint64_t)record, at);
}

/* [V-U32] Requires: so many bytes begin at `at`.
 * Ensures:  the number that they are; `at` is behind them. [V-U64], [V-F32] likewise. */
uint32_t v_u32(const uint8_t ** at)
{
  const uint8_t * p = *at;
  *at += 4;
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t v_u64(const uint8_t ** at)
{
  const uint64_t low = v_u32(at);
  return low | (uint64_t)v_u32(at) << 32;
}

double v_f32(const uint8_t ** at)
{
  const uint32_t bits = v_u32(at);
  float x;
  memcpy(&x, &bits, sizeof(x));
  return (double)x;
}

/* [V-ZERO] Ensures: all of the bytes are 0. */
bool v_zero(const uint8_t * at, size_t size)
{
  size_t i = 0;
  while (i < size && at[i] == 0) {i++;}
  return i == size;
}

/* [V-NUMBERS] Requires: so many f64 begin at `at`.
 * Ensures:  they are numbers, within the limit, and `at` is behind them. */
bool v_numbers(verifier * v, const uint8_t ** at, size_t count, double limit, double * to)
{
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = v_u64(at);
    memcpy(to + i, &bits, sizeof(bits));
    good = good && fabs(to[i]) <= limit;
  }
  return v_need(v, good, "a number is too large, or none");
}

/* [V-NAMES] Ensures: a table of so many names, each ended by a 0, was read and is kept. */
bool v_names(verifier * v, uint64_t count, const char ** first)
{
  const uint8_t * at;
  uint32_t size, found = 0;
  if (!v_table(v, 1, &size, &at)) {return false;}
  for (uint32_t i = 0; i < size; i++) {
    found += at[i] == 0;
  }
  const bool good = found == count && size > 0 && at[size - 1] == 0;
  char * copy = v_take(v, size, 1);
  if (copy == NULL || !v_need(v, good, "names are missing, or too many")) {return false;}
  *first = memcpy(copy, at, size);
  return true;
}

/* [V-DIRECTION] Ensures: n is the next three numbers, |n|^2 <= limit up to rounding.
 * Why:      N^2 > UNIT + 2^-21. */
bool v_direction(verifier * v, double least, double most, vec * n)
{
  const uint8_t * at;
  if (!v_bytes(v, 12, &at)) {return false;}
  const double x = v_f32(&at), y = v_f32(&at), z = v_f32(&at);
  *n = (vec) {point(x), point(y), point(z)};
  const double square = x * x + y * y + z * z;
  return v_need(v, square <= most && square >= least, "a direction is too long, or too short");
}
