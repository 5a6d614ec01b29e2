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

/* kind: what the certificate claims. text: what was proved, or why it was not. */
struct vouch_verify_report { int code, kind; uint32_t leaves; char text[1024]; };

/* A problem that was loaded; to be freed by free(). */
struct vouch_verifier;

/* Loads a problem. NULL: it was refused; the report has the code and says why. */
struct vouch_verifier * vouch_verify_load(
  const void * problem, size_t size, struct vouch_verify_report * report);

/* Checks a certificate against its problem. Returns VOUCH_VERIFY_OK only if what the certificate
 * claims is proved: kind FREE, every pair more than its margin (at least the one told) apart at all
 * times and under all deviations within the tolerances; kind COLLISION, that a pair is closer than
 * its margin, or in contact, at the time told, and if "free until" is told that every pair is as
 * under FREE before. Allocates nothing; safe to call from several threads, each with a verifier of
 * its own. */
int vouch_verify_check(
  struct vouch_verifier * v, const void * certificate, size_t size,
  struct vouch_verify_report * report);

#endif
