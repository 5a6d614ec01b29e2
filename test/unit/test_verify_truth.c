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

/* Random robots, motions and bodies whose clearance is sampled with plain forward kinematics. A
 * sampled distance is never below the true minimum, so a proof of a larger margin is false: none
 * may be accepted. Proofs of less than the clearance should mostly be.
 * [L1] [L2] [L3] [L4] [L5] [L10] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_truth.h"

// A point of each body's core and their distance: a is a capsule, b a capsule or a box, both
// placed; the result in the frame of b.
static double closest(
  const w_problem * p, const rigid * frames, double radius_a, double radius_b, bool box,
  double n[3])
{
  const rigid place_a = of_pose(p->body[0].pose);
  const rigid place_b = of_pose(p->body[1].pose);
  const rigid back = inverse(&frames[p->body[1].parent]);
  rigid a = compose(&back, &frames[p->body[0].parent]);
  a = compose(&a, &place_a);
  const rigid b_back = inverse(&place_b);
  const rigid rel = compose(&b_back, &a);
  // Alternating projections between two convex sets converge to a closest pair.
  const w_geometry * ga = p->geometry[0];
  const w_geometry * gb = p->geometry[1];
  double x[3] = {0, 0, 0};
  double y[3] = {0, 0, 0};
  double end[2][3];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) {
      end[k][i] = rel.t[i];
      for (int j = 0; j < 3; j++) {
        end[k][i] += rel.r[i][j] * ga->vertex[k + 1][j];
      }
    }
  }
  memcpy(x, end[0], sizeof(x));
  for (int round = 0; round < 100; round++) {
    if (box) {
      for (int i = 0; i < 3; i++) {
        y[i] = fmin(fmax(x[i], gb->vertex[1][i]), gb->vertex[8][i]);
      }
    }
    double * from = box ? y : x;
    const double(*seg)[3] = box ? (const double(*)[3])end : (const double(*)[3])(gb->vertex + 1);
    double * to = box ? x : y;
    double dd = 0;
    double s = 0;
    for (int i = 0; i < 3; i++) {
      dd += (seg[1][i] - seg[0][i]) * (seg[1][i] - seg[0][i]);
      s += (from[i] - seg[0][i]) * (seg[1][i] - seg[0][i]);
    }
    s = dd > 0 ? fmin(fmax(s / dd, 0), 1) : 0;
    for (int i = 0; i < 3; i++) {
      to[i] = seg[0][i] + s * (seg[1][i] - seg[0][i]);
    }
    if (!box) {
      dd = s = 0;
      for (int i = 0; i < 3; i++) {
        dd += (end[1][i] - end[0][i]) * (end[1][i] - end[0][i]);
        s += (y[i] - end[0][i]) * (end[1][i] - end[0][i]);
      }
      s = dd > 0 ? fmin(fmax(s / dd, 0), 1) : 0;
      for (int i = 0; i < 3; i++) {
        x[i] = end[0][i] + s * (end[1][i] - end[0][i]);
      }
    }
  }
  double d = 0;
  for (int i = 0; i < 3; i++) {
    n[i] = 0;
    for (int j = 0; j < 3; j++) {
      n[i] += place_b.r[i][j] * (y[j] - x[j]);
    }
    d += (y[i] - x[i]) * (y[i] - x[i]);
  }
  d = sqrt(d);
  for (int i = 0; i < 3; i++) {
    n[i] /= d > 0 ? d : 1;
  }
  return d - radius_a - radius_b;
}

static w_problem * random_problem(bool box, double * radii)
{
  w_problem * p = random_motion();
  const double a[2][3] = {
    {uniform(-0.2, 0.2), 0, 0}, {uniform(-0.2, 0.2), uniform(-0.2, 0.2), 0.1}
  };
  const double b[2][3] = {{0, 0, uniform(-0.3, 0)}, {0.1, uniform(0, 0.2), 0.2}};
  radii[0] = uniform(0, 0.1);
  radii[1] = box ? 0 : uniform(0, 0.1);
  w_hull(p, a, 2, radii[0]);
  if (box) {
    w_box(p, uniform(0.01, 0.3), uniform(0.01, 0.3), uniform(0.01, 0.3));
  } else {
    w_hull(p, b, 2, radii[1]);
  }
  for (int k = 0; k < 2; k++) {
    w_add_body(p, (uint32_t)pick(p->frames), (uint32_t)k, 0, 0, 0);
    random_pose(p->body[k].pose, k == 1 ? 1.5 : 0.2);
  }
  p->pairs = 1;
  p->pair[0] = (w_pair) {0, 1, 0, 0};
  return p;
}

static bool jumps(const w_problem * p, int i, int j)
{
  bool any = false;
  for (int k = i + 1; k < j; k++) {
    const int w = (int)p->segment[k].degree + 1, before = (int)p->segment[k - 1].degree + 1;
    for (int v = 0; v < p->variables; v++) {
      any = any || memcmp(
        &p->segment[k].b[v * w], &p->segment[k - 1].b[(v + 1) * before - 1], sizeof(double)) != 0;
    }
  }
  return any;
}

typedef struct {int i, j; double t0, t1; int depth; bool whole_runs;} part;

// Splits runs to segments, unless they are left whole, and segments to `depth`; leaves with the closest
// direction at the middle, or those at the ends.
static void prove(const w_problem * p, w_bytes * ops, part s, const double * radii, bool box)
{
  const bool run = s.j - s.i > 1, whole = run && s.whole_runs && !jumps(p, s.i, s.j);
  if ((run && !whole) || (!run && s.depth > 0)) {
    const int knot = s.i + (s.j - s.i) / 2;
    const double t = (s.t0 + s.t1) / 2;
    const part early = {s.i, run ? knot : s.j, s.t0, run ? s.t1 : t, s.depth - !run, s.whole_runs};
    const part late = {run ? knot : s.i, s.j, run ? s.t0 : t, s.t1, s.depth - !run, s.whole_runs};
    w_u8(ops, 'T');
    prove(p, ops, early, radii, box);
    prove(p, ops, late, radii, box);
    return;
  }
  const double none[8] = {0};
  rigid frames[32];
  double n[3];
  const bool two = pick(4) == 0;
  w_u8(ops, two ? 'D' : 'L');
  for (int k = 0; k < (two ? 2 : 1); k++) {
    const double middle = run ? 0 : (s.t0 + s.t1) / 2;
    const int segment = two ? (k == 0 ? s.i : s.j - 1) : run ? (s.i + s.j) / 2 : s.i;
    kinematics(p, segment, two ? (k == 0 ? s.t0 : s.t1) : middle, none, frames);
    (void)closest(p, frames, radii[0], radii[1], box, n);
    for (int c = 0; c < 3; c++) {
      w_f32(ops, n[c]);
    }
  }
}

// [V-PATH]
static void no_margin_beyond_a_sampled_distance_is_proved(void ** state)
{
  (void)state;
  int proved = 0;
  int tried = 0;
  int false_claims = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    const uint64_t replay = seed;
    const bool box = pick(2) == 0;
    double radii[2];
    w_problem * p = random_problem(box, radii);
    for (int v = 0; v < p->variables; v++) {
      p->tolerance[v] = pick(2) == 0 ? 0 : uniform(0, 0.02);
    }
    double least = 1e9;
    double nominal = 1e9;
    for (int i = 0; i < p->segments; i++) {
      for (int s = 0; s <= 60; s++) {
        double off[8] = {0};
        double n[3];
        rigid frames[32];
        for (int v = 0; s % 2 == 1 && v < p->variables; v++) {
          off[v] = p->tolerance[v] * (pick(2) == 0 ? -1 : 1);
        }
        kinematics(p, i, s / 60.0, off, frames);
        const double d = closest(p, frames, radii[0], radii[1], box, n);
        least = fmin(least, d);
        nominal = s % 2 == 0 ? fmin(nominal, d) : nominal;
      }
    }
    w_bytes ops = {0};
    // Shallow trees leave the test between the ends to the bounds on the motion.
    const int depth = k % 3 == 0 ? 5 : pick(4);
    prove(p, &ops, (part) {0, p->segments, 0, 1, depth, pick(3) == 0}, radii, box);
    struct vouch_verify_report report;
    if (least > 0.02) {
      const double factors[5] = {0.7, 1 + 1e-9, 1.003, 1.03, 1.2};
      for (int f = 0; f < 5; f++) {
        w_bytes copy = {0};
        w_put(&copy, ops.data, ops.size);
        p->pair[0].margin = least * factors[f];
        const int code = w_verify_free(p, &copy, &report);
        tried += f == 0 && depth == 5;
        proved += f == 0 && depth == 5 && code == 0;
        if (f > 0 && code == 0) {
          print_message("FALSE: seed %llu factor %.17g\n", (unsigned long long)replay, factors[f]);
          false_claims++;
        }
      }
    } else if (least < -1e-9) {
      p->pair[0].margin = 0;
      false_claims += w_verify_free(p, &ops, &report) == 0;
    }
    w_free(&ops);
    w_free_problem(p);
  }
  print_message(
    "%d problems, %d of %d with 0.7 of the clearance proved, %d false claims\n", PROBLEMS,
    proved, tried, false_claims);
  assert_int_equal(false_claims, 0);
  assert_true(tried > PROBLEMS / 10 && proved > tried / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_margin_beyond_a_sampled_distance_is_proved),
  };
  print_message("seed %llu\n", (unsigned long long)seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
