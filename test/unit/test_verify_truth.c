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

#include "support/verify_writer.h"

#define PROBLEMS 3000

static uint64_t seed = UINT64_C(0x853C49E6748FEA9B);

static double uniform(double lo, double hi)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return lo + (hi - lo) * (double)((seed * UINT64_C(0x2545F4914F6CDD1D)) >> 11) * 0x1p-53;
}

static int pick(int n) {return (int)uniform(0, n) % n;}

typedef struct {double r[3][3], t[3];} rigid;

static rigid compose(const rigid * a, const rigid * b)
{
  rigid c;
  for (int i = 0; i < 3; i++) {
    c.t[i] = a->t[i];
    for (int j = 0; j < 3; j++) {
      c.r[i][j] = 0;
      for (int k = 0; k < 3; k++) {
        c.r[i][j] += a->r[i][k] * b->r[k][j];
      }
      c.t[i] += a->r[i][j] * b->t[j];
    }
  }
  return c;
}

static rigid inverse(const rigid * a)
{
  rigid c;
  for (int i = 0; i < 3; i++) {
    c.t[i] = 0;
    for (int j = 0; j < 3; j++) {
      c.r[i][j] = a->r[j][i];
      c.t[i] -= a->r[j][i] * a->t[j];
    }
  }
  return c;
}

static rigid turn(const double axis[3], double angle)
{
  rigid c = {{{0}}, {0}};
  const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double a[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const double cross = i == j ? 0 : ((i + 1) % 3 == j ? -a[k] : a[k]);
      c.r[i][j] = a[i] * a[j] * (1 - cos(angle)) + (i == j) * cos(angle) + cross * sin(angle);
    }
  }
  return c;
}

static rigid of_pose(const double f[7])
{
  const double norm = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  const double axis[3] = {norm > 0 ? f[0] : 1, f[1], f[2]};
  rigid c = turn(axis, 2 * atan2(norm, f[3]));
  memcpy(c.t, f + 4, sizeof(c.t));
  return c;
}

static double bernstein(const double * b, int degree, double t)
{
  double c[6];
  memcpy(c, b, sizeof(double) * (size_t)(degree + 1));
  for (int k = degree; k > 0; k--) {
    for (int i = 0; i < k; i++) {
      c[i] = (1 - t) * c[i] + t * c[i + 1];
    }
  }
  return c[0];
}

// The pose of every frame at time t of a segment, joint variables deviated.
static void kinematics(const w_problem * p, int segment, double t, const double * off, rigid * out)
{
  const w_segment * s = &p->segment[segment];
  for (int i = 0; i < p->frames; i++) {
    const w_frame * f = &p->frame[i];
    rigid local = of_pose(f->pose);
    if (f->joint != 0) {
      const int v = (int)f->variable;
      const double q = f->multiplier *
        (bernstein(s->b + v * ((int)s->degree + 1), (int)s->degree, t) + off[v]) + f->offset;
      rigid joint = turn(f->axis, f->joint == 1 ? q : 0);
      const double n = sqrt(
        f->axis[0] * f->axis[0] + f->axis[1] * f->axis[1] + f->axis[2] * f->axis[2]);
      for (int k = 0; k < 3; k++) {
        joint.t[k] = f->joint == 2 ? q * f->axis[k] / n : 0;
      }
      local = compose(&local, &joint);
    }
    out[i] = i == 0 ? local : compose(&out[f->parent], &local);
  }
}

// A point of each body's core and their distance: a is a capsule, b a capsule or a box, both
// placed; the result in the frame of b.
static double closest(
  const w_problem * p, const rigid * frames, double radius_a, double radius_b, bool box,
  double n[3])
{
  const rigid place_a = of_pose(p->body[0].placement);
  const rigid place_b = of_pose(p->body[1].placement);
  const rigid back = inverse(&frames[p->body[1].frame]);
  rigid a = compose(&back, &frames[p->body[0].frame]);
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
        end[k][i] += rel.r[i][j] * ga->vertex[k][j];
      }
    }
  }
  memcpy(x, end[0], sizeof(x));
  for (int round = 0; round < 100; round++) {
    if (box) {
      for (int i = 0; i < 3; i++) {
        y[i] = fmin(fmax(x[i], gb->vertex[0][i]), gb->vertex[7][i]);
      }
    }
    double * from = box ? y : x;
    const double(*seg)[3] = box ? (const double(*)[3])end : (const double(*)[3])gb->vertex;
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

static void random_pose(double f[7], double reach)
{
  double norm = 0;
  for (int i = 0; i < 4; i++) {
    f[i] = uniform(-1, 1);
    norm += f[i] * f[i];
  }
  for (int i = 0; i < 4; i++) {
    f[i] /= sqrt(norm);
  }
  for (int i = 4; i < 7; i++) {
    f[i] = uniform(-reach, reach);
  }
}

static w_problem * random_problem(bool box, double * radii)
{
  w_problem * p = calloc(1, sizeof(*p));
  p->frames = 3 + pick(6);
  p->variables = 1 + pick(4);
  memcpy(p->frame[0].pose, w_identity, sizeof(w_identity));
  for (int i = 1; i < p->frames; i++) {
    w_frame * f = &p->frame[i];
    f->parent = (uint32_t)pick(i);
    random_pose(f->pose, 0.5);
    f->joint = (uint32_t)(pick(6) + 1) % 3;
    f->multiplier = pick(3) == 0 ? uniform(-2, 2) : 1;
    f->offset = pick(3) == 0 ? uniform(-1, 1) : 0;
    f->variable = (uint32_t)pick(p->variables);
    for (int k = 0; k < 3; k++) {
      f->axis[k] = f->joint == 0 ? 0 : uniform(-1, 1);
    }
    if (f->joint == 0) {
      f->multiplier = f->offset = 0;
      f->variable = 0;
    }
  }
  p->segments = 1 + pick(4);
  for (int i = 0; i < p->segments; i++) {
    p->knot[i + 1] = p->knot[i] + uniform(0.1, 2);
    p->second[i + 1] = p->knot[i + 1];
    w_segment * s = &p->segment[i];
    s->degree = (uint32_t)(1 + pick(5));
    const int w = (int)s->degree + 1;
    for (int v = 0; v < p->variables; v++) {
      for (int k = 0; k < w; k++) {
        s->b[v * w + k] = uniform(-0.7, 0.7);
      }
      const w_segment * before = i > 0 ? s - 1 : NULL;
      if (before != NULL) {
        s->b[v * w] = before->b[v * ((int)before->degree + 1) + (int)before->degree];
      }
    }
  }
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
    random_pose(p->body[k].placement, k == 1 ? 1.5 : 0.2);
  }
  p->pairs = 1;
  p->pair[0] = (w_pair) {0, 0, 1, 0, {0}};
  return p;
}

// Splits runs to segments and segments to `depth`, with the closest direction at the middle.
static void prove(
  const w_problem * p, w_bytes * ops, int i, int j, double t0, double t1, int depth,
  const double * radii, bool box)
{
  if (j - i > 1 || depth > 0) {
    w_u8(ops, 'T');
    const int knot = i + (j - i) / 2;
    const double t = (t0 + t1) / 2;
    if (j - i > 1) {
      prove(p, ops, i, knot, 0, 1, depth, radii, box);
      prove(p, ops, knot, j, 0, 1, depth, radii, box);
    } else {
      prove(p, ops, i, j, t0, t, depth - 1, radii, box);
      prove(p, ops, i, j, t, t1, depth - 1, radii, box);
    }
    return;
  }
  const double none[8] = {0};
  rigid frames[32];
  double n[3];
  kinematics(p, i, (t0 + t1) / 2, none, frames);
  (void)closest(p, frames, radii[0], radii[1], box, n);
  w_leaf(ops, n[0], n[1], n[2]);
}

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
    prove(p, &ops, 0, p->segments, 0, 1, depth, radii, box);
    struct vouch_verify_report report;
    if (least > 0.02) {
      const double factors[5] = {0.7, 1 + 1e-9, 1.003, 1.03, 1.2};
      for (int f = 0; f < 5; f++) {
        w_bytes copy = {0};
        w_put(&copy, ops.data, ops.size);
        p->pair[0].margin = least * factors[f];
        const int code = w_verify_free(p, &copy, 0, &report);
        tried += f == 0 && depth == 5;
        proved += f == 0 && depth == 5 && code == 0;
        if (f > 0 && code == 0) {
          print_message("FALSE: seed %llu factor %.17g\n", (unsigned long long)replay, factors[f]);
          false_claims++;
        }
      }
    } else if (least < -1e-9) {
      p->pair[0].margin = 0;
      false_claims += w_verify_free(p, &ops, 0, &report) == 0;
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
