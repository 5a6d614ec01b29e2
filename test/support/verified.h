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

/* A checker's last answer, shown to the independent verifier. Needs cmocka. */

#ifndef SUPPORT__VERIFIED_H_
#define SUPPORT__VERIFIED_H_

#include <stdlib.h>

#include "verify/verify.h"
#include "vouch/check.h"

/// Loads the problem and checks the certificate against it.
static inline int test_verify(
  const void * problem, size_t problem_size, const void * certificate, size_t certificate_size,
  struct vouch_verify_report * report)
{
  struct vouch_verifier * verifier = vouch_verify_load(problem, problem_size, report);
  int code = verifier == NULL ? report->code :
    vouch_verify_check(verifier, certificate, certificate_size, report);
  free(verifier);
  return code;
}

/// Fails the test unless the verifier accepts problem and certificate.
static inline void test_is_verified(const vouch_checker_t * checker)
{
  uint8_t * problem, * certificate;
  size_t sizes[2];
  struct vouch_verify_report report;
  assert_int_equal(vouch_checker_problem(checker, &problem, &sizes[0]), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_certificate(checker, &certificate, &sizes[1]), VOUCH_RET_OK);
  int code = test_verify(problem, sizes[0], certificate, sizes[1], &report);
  if (code != VOUCH_VERIFY_OK) {
    print_error("refused: %s\n", report.text);
  }
  assert_int_equal(code, VOUCH_VERIFY_OK);
  vouch_bytes_free(checker, problem);
  vouch_bytes_free(checker, certificate);
}

#endif  // SUPPORT__VERIFIED_H_
