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

bool metric_from_points(
  metric_t * metric, const vec3_t * points, const double * weights, size_t count)
{
  double total = 0.0, inertia[3][3] = {{0.0}}, size = 0.0;
  vec3_t centre = vec3(0.0, 0.0, 0.0);
  for (size_t i = 0; i < count; i++) {
    double w = weights == NULL ? 1.0 : weights[i];
    if (!(w > 0.0)) {
      return false;
    }
    total += w;
    centre = vec3_add(centre, vec3_scale(points[i], w));
  }
  centre = vec3_scale(centre, 1.0 / total);
  for (size_t i = 0; i < count; i++) {
    double w = (weights == NULL ? 1.0 : weights[i]) / total;
    vec3_t d = vec3_sub(points[i], centre);
    double x[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 9; k++) {
      inertia[k / 3][k % 3] += w * x[k / 3] * x[k % 3];
    }
    size = fmax(size, vec3_norm(points[i]));
  }
  metric->q[0] = vec3(1.0, 0.0, 0.0);
  metric->q[1] = vec3(0.0, 1.0, 0.0);
  metric->q[2] = vec3(0.0, 0.0, 1.0);
  for (int sweep = 0; sweep < 12; sweep++) {
    jacobi(inertia, metric->q, 0, 1);
    jacobi(inertia, metric->q, 0, 2);
    jacobi(inertia, metric->q, 1, 2);
  }
  /* Gram and Schmidt: [M-Z] needs orthonormal to 2^-44. */
  metric->q[0] = vec3_unit(metric->q[0], vec3(1.0, 0.0, 0.0));
  vec3_t second = vec3_sub(
    metric->q[1], vec3_scale(metric->q[0], vec3_dot(metric->q[0], metric->q[1])));
  metric->q[1] = vec3_unit(second, vec3(0.0, 1.0, 0.0));
  metric->q[2] = vec3_cross(metric->q[0], metric->q[1]);
  metric->centre = centre;
  double largest = 0.0;
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
