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

#ifndef VERIFY__VERIFY_H_
#define VERIFY__VERIFY_H_

#include <stddef.h>
#include <stdint.h>

#define VOUCH_VERIFY_VERSION "0.1.0"

enum { VOUCH_VERIFY_OK = 0, VOUCH_VERIFY_REFUSED = 1, VOUCH_VERIFY_MALFORMED = 3 };
enum { VOUCH_VERIFY_FREE = 1, VOUCH_VERIFY_COLLISION = 2 };

/* text: what was proved, or why it was not. kind: what the certificate claims.
 * About the problem: the hash as hexadecimal digits; how many pairs of bodies are checked, how many
 * there are but those of one group, how many of those checked may touch (margin below 0: nothing is
 * said of what is inside), how many are left out for each reason of the format; triangles
 * that belong to no solid and no open node; frames, bodies and groups; the least margin, the
 * largest tolerance, the duration in seconds.
 * About the proof: its leaves, poses of frames that had to be found, steps of work; until when all
 * is free, told in segments. Of a collision: when, how far apart at most, and which bodies. */
struct vouch_verify_report { int code, kind; char text[256], hash[65];
  uint64_t checked, total, touching, left_out[12], surfaces; uint32_t frames, bodies, groups;
  double margin, tolerance, duration; uint64_t leaves, poses, steps;
  double free_until, shown_at, apart; uint32_t meets[2]; };

/* A problem that was loaded; to be freed by free(). */
struct vouch_verifier;

/* Loads a problem. NULL: it was refused; the report has the code and says why. */
struct vouch_verifier * vouch_verify_load(
  const void * problem, size_t size, struct vouch_verify_report * report);

/* How many elementary steps of work a certificate may take: 2^40 unless this is called. */
void vouch_verify_set_budget(struct vouch_verifier * v, uint64_t steps);

/* Checks a certificate against its problem. Returns VOUCH_VERIFY_OK only if what the certificate
 * claims is proved: kind FREE, every checked pair more than its margin (at least the one told)
 * apart at all times and under all deviations within the tolerances; kind COLLISION, that a pair is
 * closer than its margin, or in contact, at the time told, and if "free until" is told that every
 * pair is as under FREE before. Allocates nothing; safe to call from several threads, each with a
 * verifier of its own. */
int vouch_verify_check(
  struct vouch_verifier * v, const void * certificate, size_t size,
  struct vouch_verify_report * report);

/* The program vouch-verify, which calls itself `name`. Returns the exit code. */
int vouch_verify_program(const char * name, int argc, char ** argv);

#endif
