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

/* Refusing, taking memory, looking up caches, reading bytes, linking trees. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers of the files are read as they are stored: little-endian"
#endif

/* [V-REFUSE] Ensures: does not return; the reason is left in the report, with the place in the
 * ops where there is one, and the code is the verification's. */
void vv_refuse(vv_verifier * v, int code, const char * reason)
{
  char * text = v->report->reason;
  const int used = snprintf(text, sizeof(v->report->reason) - 64, "%s", reason);
  if (v->walking) {snprintf(text + used, 64, " (pair %u, %zu bytes left)", v->pair, v->left);}
  v->code = code;
  longjmp(v->refused, 1);
}

/* [V-TAKE] Requires: count < 2^33, size < 2^30. Ensures: zeroed memory for count elements. */
void * vv_take(vv_verifier * v, size_t count, size_t size)
{
  const size_t bytes = (count * size + 15) / 16 * 16;
  need(v, bytes <= v->arena_left, "too much memory is needed");
  v->arena += bytes;
  v->arena_left -= bytes;
  return v->arena - bytes;
}

/* [V-LOOKUP] Requires: a > 0.
 * Ensures:  the slot of the key (a, b, d); if *hit its value belongs to the key, else the slot now
 *           carries this key and the caller writes the value before the next lookup. */
void * vv_lookup(const vv_cache * c, uint64_t a, uint64_t b, uint64_t d, bool * hit)
{
  const uint64_t key[3] = {a, b, d}, odd = UINT64_C(0x9e3779b97f4a7c15);
  const size_t slot = (size_t)((((a * odd ^ b) * odd ^ d) * odd >> 32) % c->slots);
  *hit = memcmp(c->keys[slot], key, sizeof(key)) == 0;
  memcpy(c->keys[slot], key, sizeof(key));
  return c->values + slot * c->size;
}

/* [V-BYTES] Ensures: the next `length` bytes, which are skipped. */
const uint8_t * vv_bytes(vv_verifier * v, uint64_t length)
{
  if (length > v->left) {vv_refuse(v, VOUCH_VERIFY_MALFORMED, "the file is cut");}
  v->at += length;
  v->left -= (size_t)length;
  return v->at - length;
}

/* [V-NUMBER] Ensures: the next u32. */
uint32_t vv_number(vv_verifier * v)
{
  uint32_t x;
  memcpy(&x, vv_bytes(v, sizeof(x)), sizeof(x));
  return x;
}

/* [V-TABLE] Requires: bytes <= size.
 * Ensures:  reads a count and so many records of `bytes` each, to the fronts of elements of `size`
 *           bytes that are otherwise zero. The first `reals` of a record are finite numbers
 *           within the limit. */
void * vv_table(
  vv_verifier * v, size_t reals, double limit, size_t bytes, size_t size, uint32_t * count)
{
  *count = vv_number(v);
  const uint8_t * from = vv_bytes(v, *count * (uint64_t)bytes);
  uint8_t * to = vv_take(v, *count, size);
  memcpy(to, from, bytes == size ? *count * bytes : 0);
  for (size_t i = 0; i < *count; i++) {
    if (bytes < size) {memcpy(to + i * size, from + i * bytes, bytes);}
    const double * x = (const double *)(void *)(to + i * size);
    for (size_t j = 0; j < reals; j++) {
      need(v, fabs(x[j]) <= limit, "a number is too large");
    }
  }
  return to;
}

/* [V-POSE] Ensures: contains the motion of q and t; the length of q is within 1e-3 of 1. */
rigid vv_pose(vv_verifier * v, const double q[4], vec t)
{
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  need(v, fabs(norm - 1.0) <= 1e-3, "the length of a quaternion is not 1");
  return pose_of(q, t);
}

/* [V-ADOPT] Requires: called for the nodes of a tree from the last to node 0; depth is 0 before.
 * Ensures:  0 for a leaf; else the right child of node i, whose left child is i + 1: no other
 *           node has one of them as child. After node 0 the depth is 1 if all belong to its tree.
 * Why:      the stack holds the nodes without parent so far, i + 1 on top. */
uint32_t vv_adopt(vv_verifier * v, uint32_t i, bool leaf)
{
  need(v, leaf || v->depth >= 2, "a node has no children");
  v->depth -= leaf ? 0 : 2;
  const uint32_t right = leaf ? 0 : v->stack[v->depth];
  v->stack[v->depth++] = i;
  return right;
}
