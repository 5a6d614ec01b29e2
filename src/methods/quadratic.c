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

/* TRUSTED except propose(). See quadratic.h. */

#include "methods/quadratic.h"

#include <math.h>

#include "base/fpguard.h"

static double value_at(const quadratic_t * q, double s, double t)
{
  return q->k + s * (q->ks + s * q->kss + t * q->kst) + t * (q->kt + t * q->ktt);
}

double quadratic_size(const quadratic_t * q)
{
  return fabs(q->k) + fabs(q->ks) + fabs(q->kt) + fabs(q->kss) + fabs(q->kst) + fabs(q->ktt);
}

/* UNTRUSTED: proposes the minimum over the polygon. */
static void propose(const quadratic_t * q, const double(*corners)[2], int count, double p[2])
{
  double det = 4.0 * q->kss * q->ktt - q->kst * q->kst;
  double s = (q->kst * q->kt - 2.0 * q->ktt * q->ks) / det;
  double t = (q->kst * q->ks - 2.0 * q->kss * q->kt) / det;
  bool inside = count == 4 ? s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 :
    s >= 0.0 && t >= 0.0 && s + t <= 1.0;
  if (inside) {
    p[0] = s;
    p[1] = t;
    return;
  }
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    const double * a = corners[i], * b = corners[(i + 1) % count];
    double d0 = b[0] - a[0], d1 = b[1] - a[1];
    double slope = d0 * (q->ks + 2.0 * a[0] * q->kss + a[1] * q->kst) +
      d1 * (q->kt + a[0] * q->kst + 2.0 * a[1] * q->ktt);
    double bend = d0 * d0 * q->kss + d0 * d1 * q->kst + d1 * d1 * q->ktt;
    double r = bend > 0.0 ? -0.5 * slope / bend : (slope + bend < 0.0 ? 1.0 : 0.0);
    r = r > 0.0 ? (r < 1.0 ? r : 1.0) : 0.0;
    double v = value_at(q, a[0] + r * d0, a[1] + r * d1);
    if (v < least) {
      least = v;
      p[0] = a[0] + r * d0;
      p[1] = a[1] + r * d1;
    }
  }
}

/* [F-CONVEX] Requires: q is convex up to rounding. Ensures: true only if q > 0 on the polygon. */
bool quadratic_convex_positive(
  const quadratic_t * q, const double(*corners)[2], int count, double error)
{
  double p[2] = {0.0, 0.0};
  propose(q, corners, count, p);
  double gs = q->ks + 2.0 * p[0] * q->kss + p[1] * q->kst;
  double gt = q->kt + p[0] * q->kst + 2.0 * p[1] * q->ktt;
  double drop = INFINITY;
  for (int i = 0; i < count; i++) {
    double d = gs * (corners[i][0] - p[0]) + gt * (corners[i][1] - p[1]);
    drop = d < drop ? d : drop;
    if (!(d == d)) {
      return false;
    }
  }
  return value_at(q, p[0], p[1]) + drop - 16.0 * error > 0.0;
}

static double determinant(const quadratic_t * q, double error, double * doubt)
{
  *doubt = 64.0 * error * (fabs(q->kss) + fabs(q->ktt) + fabs(q->kst) + error);
  return 4.0 * q->kss * q->ktt - q->kst * q->kst;
}

bool quadratic_exact_positive(
  const quadratic_t * q, const double(*corners)[2], int count, double error)
{
  double doubt, det = determinant(q, error, &doubt);
  return q->kss > 16.0 * error && q->ktt > 16.0 * error && det > doubt &&
         quadratic_convex_positive(q, corners, count, error);
}

bool quadratic_saddle(const quadratic_t * q, double error)
{
  double doubt, det = determinant(q, error, &doubt);
  return det < -doubt || q->kss < -16.0 * error || q->ktt < -16.0 * error;
}

/* Positive for s in [0,1] at one end t of the square; concave ones are left to the fat vertices. */
bool quadratic_side_positive(const quadratic_t * q, double t, double error)
{
  quadratic_t side = {
    q->k + t * (q->kt + t * q->ktt), q->ks + t * q->kst, 0.0, q->kss, 0.0, 0.0
  };
  if (side.kss <= 0.0) {
    return side.k - 16.0 * error > 0.0 && side.k + side.ks + side.kss - 16.0 * error > 0.0;
  }
  double s = -0.5 * side.ks / side.kss;
  s = s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
  double slope = side.ks + 2.0 * s * side.kss;
  double drop = slope > 0.0 ? -slope * s : slope * (1.0 - s);
  return value_at(&side, s, 0.0) + drop - 16.0 * error > 0.0;
}
