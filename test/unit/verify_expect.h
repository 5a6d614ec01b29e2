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

// What the tests of the verifier's proofs share: axes, pairs, an expected answer.
#ifndef UNIT__VERIFY_EXPECT_H_
#define UNIT__VERIFY_EXPECT_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/verify_writer.h"

static const double X[3] = {1, 0, 0};
static const double Y[3] = {0, 1, 0};
static const double Z[3] = {0, 0, 1};

// Verifies a FREE certificate with these ops and expects the code; consumes the ops.
static inline void expect(int code, const w_problem * p, w_bytes * ops)
{
  struct vouch_verify_report report;
  double least = 1e6;
  for (int i = 0; i < p->pairs; i++) {
    least = p->pair[i].kind != 1 && p->pair[i].margin < least ? p->pair[i].margin : least;
    for (int g = 0; p->pair[i].kind == 1 && g < p->groups; g++) {
      const double e = p->pair[i].entries[g];
      least = e >= 0.0 && e < least ? e : least;
    }
  }
  const int got = w_verify_free(p, ops, least, &report);
  if (got != code) {print_message("expected %d, got %d: %s\n", code, got, report.reason);}
  assert_int_equal(got, code);
  assert_int_equal(report.reason[0] == 0, got == 0);
}

static inline void pair_of(w_problem * p, uint32_t a, uint32_t b, double margin)
{
  p->pair[p->pairs++] = (w_pair) {p->body[b].kind == 0 ? 0 : 2, a, b, margin, {0}};
}

// A sphere of radius 0.1 on a slide along the axis from -1 to 1; a box from y = 0.3 upwards.
static inline w_problem * slide(const double axis[3], double margin, double tolerance)
{
  w_problem * p = w_one_joint(2, axis, -1, 1);
  w_sphere(p, 0.1);
  w_box(p, 0.5, 0.1, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0, 0.4, 0);
  pair_of(p, 0, 1, margin);
  p->tolerance[0] = tolerance;
  return p;
}

// The interval in 2^depth equal parts, each a leaf with this direction.
static inline void uniform(w_bytes * ops, int depth, double x, double y, double z)
{
  if (depth > 0) {
    w_u8(ops, 'T');
    uniform(ops, depth - 1, x, y, z);
    uniform(ops, depth - 1, x, y, z);
  } else {
    w_leaf(ops, x, y, z);
  }
}

#endif  // UNIT__VERIFY_EXPECT_H_
