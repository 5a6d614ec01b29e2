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

/* The verifier on arbitrary bytes: never crashes, never hangs, says why it refuses, and the same when it
 * is asked again. Input: u32 size of the problem, problem, then the certificate from its kind on,
 * without the hashes, which are put in, so that mutations reach the walk. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

/* The hashes of the parts that a problem has. */
static void put_hashes(uint8_t * hashes, const uint8_t * problem, size_t size)
{
  memset(hashes, 0, 128);
  size_t at = 12;
  for (int i = 0; i < 4 && at + 12 <= size; i++) {
    uint64_t length;
    memcpy(&length, problem + at + 4, sizeof(length));
    if (length > size - at - 12) {return;}
    vouch_sha256(problem + at + 12, (size_t)length, hashes + 32 * i);
    at += 12 + (size_t)length;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  struct vouch_verify_report report, again;
  if (size < 8) {return 0;}
  size_t problem = data[0] + 256u * data[1] + 65536u * data[2] + 16777216u * (size_t)data[3];
  problem = problem < size - 8 ? problem : size - 8;
  const uint8_t * tail = data + 4 + problem;
  const size_t tail_size = size - 4 - problem;
  // The files in blocks of their own, so that reading beyond an end is noticed.
  uint8_t * p = malloc(problem + 1);
  uint8_t * c = malloc(12 + 128 + tail_size);
  if (p == NULL || c == NULL) {abort();}
  memcpy(p, data + 4, problem);
  memcpy(c, "VOUCHCRT\3\0\0\0", 12);
  memcpy(c + 12, tail, 4);
  put_hashes(c + 16, p, problem);
  memcpy(c + 144, tail + 4, tail_size - 4);
  struct vouch_verifier * v = vouch_verify_load(p, problem, &report);
  if (report.code != 1 && report.code != 3) {abort();}
  if (v != NULL) {
    const int code = vouch_verify_check(v, c, 140 + tail_size, &report);
    if (code != report.code || (code != 0 && code != 1 && code != 3)) {abort();}
    const char * told = report.kind == VOUCH_VERIFY_FREE ? "VERIFIED FREE" : "COLLISION SHOWN";
    if ((code == 0) != (strcmp(report.text, told) == 0)) {abort();}
    if (vouch_verify_check(v, c, 140 + tail_size, &again) != code) {abort();}
    if (strcmp(report.text, again.text) != 0 || report.steps != again.steps) {abort();}
  } else if (report.text[0] == 0) {
    abort();
  }
  free(v);
  free(p);
  free(c);
  return 0;
}
