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

/* The independent verifier of problem and certificate files (docs/certificate_format.md).
 * It shares no source with the program that writes them. */
#ifndef VOUCH_VERIFY_H
#define VOUCH_VERIFY_H

#include <stddef.h>
#include <stdint.h>

enum { VOUCH_VERIFY_OK = 0, VOUCH_VERIFY_REFUSED = 1, VOUCH_VERIFY_MALFORMED = 3 };
enum { VOUCH_VERIFY_FREE = 1, VOUCH_VERIFY_COLLISION = 2 };

struct vouch_verify_report
{
  char robot[128], reason[256];
  int kind, free_until_t_lo;
  double margin, tolerance, seconds, t_lo, t_hi, apart;
  uint64_t pairs, leaves;
  uint8_t hash[3][32];
};

/* The geometry part of the last problem, loaded: bytes, what they mean, hash. Zero before its first
 * use; to be freed by vouch_verify_forget(). */
struct vouch_verify_kept
{
  void * bytes, * geometries;
  size_t length;
  uint32_t count;
  uint8_t hash[32];
};

/* Checks a certificate against its problem. Returns VOUCH_VERIFY_OK only if what the certificate
 * claims is proved: kind FREE, every pair more than its margin (at least `margin`) apart at all
 * times and under all deviations within the tolerances; kind COLLISION, that a pair is at most
 * `apart` apart at t_hi, less than its own margin, or in contact if that is 0, and with
 * `free_until_t_lo` that every pair is as under FREE before t_lo, which is rounded down.
 * `reason` says why not. A geometry part that has the bytes of the one in `kept` (which may be
 * NULL) is not loaded again; a new one is kept. Allocates while it loads only; safe to call from
 * several threads, each with a `kept` of its own. */
int vouch_verify_memory(
  struct vouch_verify_kept * kept, const void * problem, size_t problem_size,
  const void * certificate, size_t certificate_size, struct vouch_verify_report * report);
void vouch_verify_forget(struct vouch_verify_kept * kept);

#endif
