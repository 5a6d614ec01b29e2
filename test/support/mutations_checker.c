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

/* Files of the producer, to be tampered with. */

#include "support/mutations.h"

#ifdef VOUCH_HAVE_ARB

#include "check/checker.h"
#include "support/adversary.h"

bool mutations_of_checker(
  test_random_t * r, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate)
{
  const vouch_verdict_t wanted = kind == 2 ? VOUCH_COLLISION : VOUCH_FREE;
  vouch_check_options_t options;
  cell_t cell = adversary_problem(r, &options);
  uint8_t * data[2] = {NULL, NULL};
  size_t size[2] = {0, 0};
  options.first_contact = wanted == VOUCH_COLLISION && test_random_below(r, 3) == 0;
  vouch_result_t result = cell_check(&cell, &options);
  bool good = result.verdict == wanted &&
    (wanted == VOUCH_COLLISION || result.statistics.leaves <= 20) &&
    vouch_checker_problem(cell.checker, &data[0], &size[0]) == VOUCH_RET_OK &&
    vouch_checker_certificate(cell.checker, &data[1], &size[1]) == VOUCH_RET_OK &&
    size[0] < 100000 && size[1] < 8000;
  if (good) {
    arb_bytes_put(problem, data[0], size[0]);
    arb_bytes_put(certificate, data[1], size[1]);
  }
  vouch_bytes_free(cell.checker, data[0]);
  vouch_bytes_free(cell.checker, data[1]);
  cell_close(&cell);
  return good;
}

#else
typedef int mutations_checker_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
