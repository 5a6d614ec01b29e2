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

/* The verifier on arbitrary bytes: never crashes, never hangs, and says why it refuses.
 * Input: u32 size of the problem, problem, then the certificate from its kind on, without
 * the hashes, which are put in, so that mutations reach the walk. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  struct vouch_verify_report report;
  struct vouch_verify_kept kept = {.length = 0};
  if (size < 8) {return 0;}
  size_t problem = data[0] + 256u * data[1] + 65536u * data[2] + 16777216u * (size_t)data[3];
  problem = problem < size - 8 ? problem : size - 8;
  const uint8_t * tail = data + 4 + problem;
  const size_t tail_size = size - 4 - problem;
  // The files in blocks of their own, so that reading beyond an end is noticed.
  uint8_t * p = malloc(problem + 1);
  uint8_t * c = malloc(12 + 96 + tail_size);
  if (p == NULL || c == NULL) {abort();}
  memcpy(p, data + 4, problem);
  (void)vouch_verify_memory(&kept, p, problem, "", 0, &report);
  memcpy(c, "VOUCHCRT\1\0\0\0", 12);
  memcpy(c + 12, tail, 4);
  memcpy(c + 16, report.hash, 96);
  memcpy(c + 112, tail + 4, tail_size - 4);
  const int code = vouch_verify_memory(&kept, p, problem, c, 108 + tail_size, &report);
  if (code != 0 && code != 1 && code != 3) {abort();}
  if ((code == 0) != (report.reason[0] == 0)) {abort();}
  vouch_verify_forget(&kept);
  free(p);
  free(c);
  return 0;
}
