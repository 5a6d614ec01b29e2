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

/* Reading bytes, taking memory, looking up caches. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers of the files are read as they are stored: little-endian"
#endif

/* [V-NEED] Ensures: returns condition; the first condition that fails leaves its reason, with
 * the pair and the place in the ops where there is one. */
bool vv_need(vv_verifier * v, bool condition, const char * reason)
{
  char * text = v->report->reason;
  const size_t size = sizeof(v->report->reason);
  if (condition || text[0] != 0) {return condition;}
  const int used = snprintf(text, size, "%s", reason);
  const long place = v->ops_begin == NULL ? -1 : (long)(v->ops.at - v->ops_begin);
  if (place >= 0) {
    snprintf(text + used, size - (size_t)used, " (pair %u, ops before %ld)", v->pair, place);
  }
  return false;
}

/* [V-TAKE] Ensures: zeroed memory for count elements, or NULL and bad. Blocks whose sizes are
 * multiples of 16 follow each other without gaps. */
void * vv_take(vv_verifier * v, size_t count, size_t size)
{
  const size_t bytes = (count * size + 15) / 16 * 16;
  v->bad = v->bad || bytes > v->arena_left;
  if (v->bad) {return NULL;}
  v->arena += bytes;
  v->arena_left -= bytes;
  return v->arena - bytes;
}

/* [V-LOOKUP] Requires: slot < the number of slots, key[0] > 0.
 * Ensures:  the value of the slot; if *hit it belongs to the key, else the slot now carries this
 *           key and the caller writes the value before the next lookup. */
void * vv_lookup(const vv_cache * c, size_t slot, const uint64_t key[3], bool * hit)
{
  *hit = memcmp(c->keys[slot], key, sizeof(c->keys[slot])) == 0;
  memcpy(c->keys[slot], key, sizeof(c->keys[slot]));
  return c->values + slot * c->size;
}

/* [V-HASH] Ensures: a slot number below slots that depends on the key only. */
size_t vv_hash(const uint64_t key[3], size_t slots)
{
  uint64_t h = 0;
  for (int i = 0; i < 4; i++) {
    h = (h ^ key[i % 3]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
  }
  return (size_t)(h % slots);
}

/* [V-BYTES] Ensures: a reader of the next `length` bytes, which r skips; bad if there are fewer. */
vv_reader vv_bytes(vv_reader * r, uint64_t length)
{
  const bool enough = length <= r->left;
  const vv_reader part = {r->at, enough ? (size_t)length : r->left, r->bad};
  *r->bad = *r->bad || !enough;
  r->at += part.left;
  r->left -= part.left;
  return part;
}

/* [V-NUMBER] Requires: bytes <= 8. Ensures: the next little-endian number; bad if it is cut. */
uint64_t vv_number(vv_reader * r, size_t bytes)
{
  const vv_reader part = vv_bytes(r, bytes);
  uint64_t x = 0;
  if (part.left == bytes) {memcpy(&x, part.at, bytes);}
  return x;
}

/* [V-REAL] Ensures: the next binary32 or binary64 number; 0 and bad if NaN or beyond the limit. */
static double real(vv_reader * r, bool single, double limit)
{
  const uint64_t bits = vv_number(r, single ? 4 : 8);
  const uint32_t half = (uint32_t)bits;
  float small;
  double x;
  memcpy(&small, &half, sizeof(small));
  memcpy(&x, &bits, sizeof(x));
  x = single ? (double)small : x;
  if (fabs(x) <= limit) {return x;}
  *r->bad = true;
  return 0.0;
}

/* [V-RPOSE] Ensures: contains the motion of the next seven numbers; bad unless the quaternion's
 * length is within 1e-3 of 1. */
static vv_pose pose(vv_reader * r)
{
  double f[7];
  for (int i = 0; i < 7; i++) {
    f[i] = real(r, false, 1e6);
  }
  const double norm = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
  *r->bad = *r->bad || !(fabs(norm - 1.0) <= 1e-3);
  if (*r->bad) {f[3] = 1.0;}
  return vv_pose_of(f);
}

/* [V-READ] Ensures: reads the fields of the format, a letter each. To uint32_t: b u8, i u32. To
 * double: x f64 up to 1e6, c f64 up to 65536, t f64 up to 1e9; v three x; r three f32 up to 1e6.
 * p: f64[7] to vv_pose. s: a string, skipped. */
void vv_read(vv_reader * r, const char * format, void * const * to)
{
  for (; *format != 0; format++) {
    const bool single = *format == 'r';
    const double limit = *format == 'c' ? 65536.0 : *format == 't' ? 1e9 : 1e6;
    if (*format == 's') {
      (void)vv_bytes(r, vv_number(r, 4));
    } else if (*format == 'p') {
      *(vv_pose *)*to++ = pose(r);
    } else if (*format == 'b' || *format == 'i') {
      *(uint32_t *)*to++ = (uint32_t)vv_number(r, *format == 'b' ? 1 : 4);
    } else {
      double * x = *to++;
      const int count = single || *format == 'v' ? 3 : 1;
      for (int i = 0; i < count; i++) {
        x[i] = real(r, single, limit);
      }
    }
  }
}

/* [V-ARRAY] Ensures: reads a count of elements that take at least `bytes` each in the file, and
 * takes memory for them; a count that the file cannot hold is bad and becomes 0. */
void * vv_array(vv_verifier * v, vv_reader * r, size_t bytes, size_t size, uint32_t * count)
{
  *count = (uint32_t)vv_number(r, 4);
  v->bad = v->bad || *count > r->left / bytes;
  void * memory = vv_take(v, *count, size);
  *count = v->bad ? 0 : *count;
  return memory;
}
