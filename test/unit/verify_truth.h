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

/* Random robots and motions, and their poses by plain forward kinematics. */

#ifndef UNIT__VERIFY_TRUTH_H_
#define UNIT__VERIFY_TRUTH_H_

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/sanitized.h"
#include "support/verify_writer.h"

#define PROBLEMS (TEST_SANITIZED ? 200 : 1500)

static uint64_t seed = UINT64_C(0x853C49E6748FEA9B);

static inline double uniform(double lo, double hi)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return lo + (hi - lo) * (double)((seed * UINT64_C(0x2545F4914F6CDD1D)) >> 11) * 0x1p-53;
}

static inline int pick(int n) {return (int)uniform(0, n) % n;}

typedef struct {double r[3][3], t[3];} rigid;

static inline rigid compose(const rigid * a, const rigid * b)
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

static inline rigid inverse(const rigid * a)
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

static inline rigid turn(const double axis[3], double angle)
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

static inline rigid of_pose(const double f[7])
{
  const double norm = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  const double axis[3] = {norm > 0 ? f[0] : 1, f[1], f[2]};
  rigid c = turn(axis, 2 * atan2(norm, f[3]));
  memcpy(c.t, f + 4, sizeof(c.t));
  return c;
}

static inline double bernstein(const double * b, int degree, double t)
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
static inline void kinematics(
  const w_problem * p, int segment, double t, const double * off,
  rigid * out)
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

static inline void random_pose(double f[7], double reach)
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

// A robot and its motion, which may jump at knots.
static inline w_problem * random_motion(void)
{
  w_problem * p = calloc(1, sizeof(*p));
  p->motion_kind = 1;
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
      if (before != NULL && pick(12) > 0) {
        s->b[v * w] = before->b[v * ((int)before->degree + 1) + (int)before->degree];
      }
    }
  }
  return p;
}

#endif  // UNIT__VERIFY_TRUTH_H_
