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

/* TRUSTED: metric_z, metric_rho, metric_distance. The ellipsoid itself may be any. */

#include "methods/metric.h"

#include <string.h>

#include "base/fpguard.h"

/// One Jacobi rotation of the symmetric matrix a in the plane (i, j), gathered in v (rows = axes).
static void jacobi(double a[3][3], vec3_t * v, int i, int j)
{
  if (fabs(a[i][j]) <= 1e-300) {
    return;
  }
  double theta = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
  double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = a[k][i], y = a[k][j];
    a[k][i] = c * x - s * y;
    a[k][j] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[i][k], y = a[j][k];
    a[i][k] = c * x - s * y;
    a[j][k] = s * x + c * y;
  }
  vec3_t x = v[i], y = v[j];
  v[i] = vec3_sub(vec3_scale(x, c), vec3_scale(y, s));
  v[j] = vec3_add(vec3_scale(x, s), vec3_scale(y, c));
}

/// Point masses; weights NULL: equal.
typedef struct masses_s
{
  const vec3_t * points;
  const double * weights;
  size_t count;
  double total;
} masses_t;

static double share_of(const masses_t * masses, size_t i)
{
  return (masses->weights == NULL ? 1.0 : masses->weights[i]) / masses->total;
}

/// The mean of the masses from `from`.
static vec3_t mean_from(const masses_t * masses, vec3_t from)
{
  vec3_t mean = vec3(0.0, 0.0, 0.0);
  for (size_t i = 0; i < masses->count; i++) {
    mean = vec3_add(
      mean, vec3_scale(vec3_sub(masses->points[i], from), share_of(masses, i)));
  }
  return mean;
}

/// Second moments about the centre, along q.
static void moments(const masses_t * masses, const metric_t * metric, double out[3][3])
{
  memset(out, 0, 9 * sizeof(double));
  for (size_t i = 0; i < masses->count; i++) {
    vec3_t d = vec3_sub(masses->points[i], metric->centre);
    double w = share_of(masses, i), y[3];
    for (int j = 0; j < 3; j++) {
      y[j] = vec3_dot(metric->q[j], d);
    }
    for (int k = 0; k < 9; k++) {
      out[k / 3][k % 3] += w * y[k / 3] * y[k % 3];
    }
  }
}

/// Gram and Schmidt: [M-Z] needs orthonormal to 2^-44.
static void orthonormalise(vec3_t q[3])
{
  q[0] = vec3_unit(q[0], vec3(1.0, 0.0, 0.0));
  q[1] = vec3_unit(
    vec3_sub(q[1], vec3_scale(q[0], vec3_dot(q[0], q[1]))), vec3(0.0, 1.0, 0.0));
  q[2] = vec3_cross(q[0], q[1]);
}

/* Let m = b + sum_j y_j q_j be the masses, exactly. Their metric is
 *   |alpha(b)|^2 + 2 sum_j e_j alpha(b).A q_j + sum_jk J_jk A q_j.A q_k,  e = mean y, J = mean y y^T.
 * Divided by the lengths s_j its matrix is 1 on the diagonal and e_j / s_j, J_jk / (s_j s_k) off it.
 * With c the sum of their magnitudes it is at least 1 - c times that of |alpha|^2, so that norms here
 * are at most 1 / sqrt(1 - c) <= 1 + c times theirs, c <= 1/2. The y_j are known to `off`: rounding,
 * sums of n terms, and q_j that are orthonormal to 2^-44 only. That changes each s_j and e_j by as
 * much, J_jk by off (s_j + s_k + off): in all less than 8 off / s_j for each j. */
static double excess_of(
  const masses_t * masses, const metric_t * metric, double reach, double(*inertia)[3])
{
  vec3_t rest = mean_from(masses, metric->centre);
  double c = 0.0, off = (0x1p-41 + 0x1p-52 * (double)masses->count) * reach;
  for (int j = 0; j < 3; j++) {
    c += (fabs(vec3_dot(metric->q[j], rest)) + 8.0 * off) / metric->s[j];
    for (int k = 0; k < j; k++) {
      c += fabs(inertia[j][k]) / (metric->s[j] * metric->s[k]);
    }
  }
  c = c * (1.0 + 0x1p-40) + 0x1p-50 * ((double)masses->count + 64.0);
  return c <= 0.5 ? 1.0 + c : INFINITY;
}

bool metric_from_points(
  metric_t * metric, const vec3_t * points, const double * weights, size_t count)
{
  masses_t masses = {points, weights, count, 0.0};
  double inertia[3][3], size = 0.0, reach = 0.0, largest = 0.0;
  for (size_t i = 0; i < count; i++) {
    double w = weights == NULL ? 1.0 : weights[i];
    if (!(w > 0.0)) {
      return false;
    }
    masses.total += w;
    size = fmax(size, vec3_norm(points[i]));
  }
  metric->centre = mean_from(&masses, vec3(0.0, 0.0, 0.0));
  metric->centre = vec3_add(metric->centre, mean_from(&masses, metric->centre));
  metric->q[0] = vec3(1.0, 0.0, 0.0);
  metric->q[1] = vec3(0.0, 1.0, 0.0);
  metric->q[2] = vec3(0.0, 0.0, 1.0);
  /* Along the axes of the first round short lengths no longer drown in the rounding of long ones. */
  for (int round = 0; round < 2; round++) {
    moments(&masses, metric, inertia);
    for (int sweep = 0; sweep < 12; sweep++) {
      jacobi(inertia, metric->q, 0, 1);
      jacobi(inertia, metric->q, 0, 2);
      jacobi(inertia, metric->q, 1, 2);
    }
    orthonormalise(metric->q);
  }
  moments(&masses, metric, inertia);
  for (int j = 0; j < 3; j++) {
    metric->s[j] = sqrt(fmax(inertia[j][j], 0.0));
    largest = fmax(largest, metric->s[j]);
  }
  metric->flat = false;
  for (int j = 0; j < 3; j++) {
    if (!(metric->s[j] > 0x1p-20 * largest)) {
      metric->s[j] = 0x1p-20 * largest;
      metric->flat = true;
    }
    for (int k = 0; k <= j; k++) {
      double product = vec3_dot(metric->q[j], metric->q[k]);
      if (!(fabs(product - (j == k ? 1.0 : 0.0)) <= 0x1p-44)) {
        return false;
      }
    }
  }
  for (size_t i = 0; i < count; i++) {
    reach = fmax(reach, vec3_norm(vec3_sub(points[i], metric->centre)));
  }
  metric->excess = excess_of(&masses, metric, reach, inertia);
  return largest > 1e-12 * size && largest > 1e-100;
}

/* y_j = q_j . (x - b) errs by rounding (4u |x - b|) and because the q_j are orthonormal only to
 * 2^-44 (the exact coordinates differ by less than 3 * 2^-44 |x - b|). Charged: 2^-40. */
void metric_draw_out(metric_t * face, const metric_t * body)
{
  double own = fmax(face->s[0], fmax(face->s[1], face->s[2]));
  double whole = fmax(body->s[0], fmax(body->s[1], body->s[2]));
  double factor = sqrt(fmax(1.4142135623730951 * whole / own, 1.0));
  for (int j = 0; j < 3; j++) {
    face->s[j] *= factor;
  }
}

vec3_t metric_z(const metric_t * metric, vec3_t x, double * error)
{
  vec3_t d = vec3_sub(x, metric->centre);
  double slack = 0x1p-40 * (vec3_norm(d) + 0x1p-10 * (vec3_norm(x) + vec3_norm(metric->centre)));
  double least = fmin(metric->s[0], fmin(metric->s[1], metric->s[2]));
  *error = slack / least;
  return vec3(
    vec3_dot(metric->q[0], d) / metric->s[0], vec3_dot(metric->q[1], d) / metric->s[1],
    vec3_dot(metric->q[2], d) / metric->s[2]);
}

double metric_rho(const metric_t * metric, vec3_t x)
{
  double error;
  vec3_t z = metric_z(metric, x, &error);
  vec3_t up = vec3(fabs(z.x) + error, fabs(z.y) + error, fabs(z.z) + error);
  return sqrt(1.0 + vec3_dot(up, up)) * (1.0 + 0x1p-40);
}

void metric_embed(const metric_t * metric, const vouch_affine_t * alpha, double out[12])
{
  vec3_store(affine_apply(alpha, metric->centre), &out[0]);
  for (int j = 0; j < 3; j++) {
    vec3_store(vec3_scale(affine_linear(alpha, metric->q[j]), metric->s[j]), &out[3 + 3 * j]);
  }
}

/* The differences of entries are exact to u; the sum of twelve squares errs by less than 2^-45. The
 * difference A b + a cancels, which costs 2^-50 of the sizes that enter. */
double metric_distance(
  const metric_t * metric, const vouch_affine_t * alpha, const vouch_affine_t * beta)
{
  vouch_affine_t d;
  double sum = 0.0, size = 0.0;
  for (int k = 0; k < 12; k++) {
    d.m[k] = alpha->m[k] - beta->m[k];
    size += fabs(d.m[k]);
  }
  double e[12];
  metric_embed(metric, &d, e);
  for (int k = 0; k < 12; k++) {
    sum += e[k] * e[k];
  }
  double reach = vec3_norm(metric->centre) + metric->s[0] + metric->s[1] + metric->s[2] + 1.0;
  return sqrt(sum) * (1.0 + 0x1p-40) + 0x1p-48 * size * reach;
}
